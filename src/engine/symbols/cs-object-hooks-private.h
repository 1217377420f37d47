/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-elf.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 offset;
  guint64 symbol;
  gint64 addend;
  guint32 type;
} CsObjectRelocation;

typedef struct
{
  const guint8 *bytes; /* of code; NULL: other sections */
  gsize size;
  GArray *relocations; /* (nullable): CsObjectRelocation, by offset once sorted */
  gboolean is_code;
} CsObjectSection;

typedef struct
{
  guint32 section;
  guint64 start, end; /* in the section; end 0: not told */
  const char *name;
  gboolean is_static;
  gboolean calls_hook;
  gboolean loads_own; /* its own address */
  gboolean loads_any; /* that of a function of this object */
} CsObjectCode;

typedef struct
{
  CsElf *elf;
  Elf_Data *symbols;     /* NULL: none */
  Elf_Data *extended;    /* section numbers that don't fit into a symbol; NULL: none */
  guint32 strings;       /* section of their names */
  CsObjectSection *sections;
  gsize n_sections;
  GArray *functions;     /* CsObjectCode, by section and start */
  gboolean is_lto;
} CsObjectReader;

gboolean cs_object_find_code (const CsObjectReader *self, guint32 *section, guint64 *offset);
void cs_object_note_load (CsObjectReader *self, guint32 section, guint64 offset, guint32 to_section, guint64 to);

gint64 cs_object_machine_get_bias (guint16 machine, guint32 type);
gboolean cs_object_machine_is_readable (guint16 machine);
gboolean cs_object_machine_is_call (const CsObjectReader *self, const CsObjectSection *section,
                                    const CsObjectRelocation *relocation);
void cs_object_machine_look_at_code (CsObjectReader *self, guint32 section);

G_END_DECLS
