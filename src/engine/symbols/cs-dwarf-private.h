/* SPDX-License-Identifier: MIT */
#pragma once

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>

#include "symbols/cs-dwarf.h"
#include "symbols/cs-ranges.h"

G_BEGIN_DECLS

/* Deeper nesting than any compiler writes: a damaged file. */
#define CS_DWARF_DEEPEST 200

typedef struct _CsLineTable CsLineTable;

/* A subprogram or inlined subroutine; its names are read when first asked for. */
typedef struct
{
  Dwarf_Off die;
  guint64 start;
  guint64 size;
  const char *linkage_name;
  const char *name;
  Dwarf_Off origin; /* the DIE that all copies of the function share; 0: not read yet */
  GArray *inlined;  /* CsRange, value: index into functions of the unit; NULL: not read yet */
  guint32 holder;   /* of an inlined copy: index of the function or copy around it */
  gboolean is_inlined;
  gboolean has_names;
} CsDwarfEntry;

typedef struct
{
  Dwarf_Die die;
  guint64 base;        /* what its range lists are relative to */
  guint64 stmt_list;   /* offset of its line table */
  const char *comp_dir;
  CsLineTable *lines;  /* belongs to line_tables */
  GArray *functions;   /* CsDwarfEntry; NULL: not read yet */
  GArray *ranges;      /* CsRange of subprograms, value: index into functions */
  guint16 version;
  gboolean has_stmt_list;
  gboolean mangles;
  gboolean gnu; /* compiled by GCC */
  gboolean read_whole; /* every DIE was looked at, not only the outer ones */
} CsDwarfUnit;

struct _CsDwarf
{
  Dwarf_Debug dbg;
  CsElf *elf;
  const GArray *code;      /* CsRange of the executable sections */
  GArray *units;           /* CsDwarfUnit */
  /* CsRange, value: ~index into units.  Of a function in several units the
   * linker kept the first, and points the others' DIEs to it: the first wins. */
  GArray *unit_ranges;
  GArray *unranged;        /* guint32: units that don't say where their code is */
  GHashTable *line_tables; /* offset → CsLineTable: units may share one */
  GStringChunk *strings;
  char *problem;
  gboolean split;
};

gboolean cs_dwarf_ok (CsDwarf *self, int result, Dwarf_Error *error);
const char *cs_dwarf_read_text (CsDwarf *self, Dwarf_Die die, Dwarf_Half attribute);
gboolean cs_dwarf_read_number (CsDwarf *self, Dwarf_Die die, Dwarf_Half attribute, guint64 *value);
gboolean cs_dwarf_read_reference (CsDwarf *self, Dwarf_Die die, Dwarf_Half attribute,
                                  Dwarf_Off *offset);
gboolean cs_dwarf_read_ranges (CsDwarf *self, const CsDwarfUnit *unit, Dwarf_Die die,
                               GArray *ranges, guint32 value, guint64 *start, guint64 *size);

void cs_dwarf_unit_clear_functions (CsDwarfUnit *unit);

CsLineTable *cs_line_table_new (CsDwarf *self, const CsDwarfUnit *unit);
void cs_line_table_free (CsLineTable *table);
gboolean cs_line_table_find (CsDwarf *self, CsLineTable *table, guint64 address, const char **file,
                             guint *line);

G_END_DECLS
