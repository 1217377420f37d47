/* SPDX-License-Identifier: MIT */
#pragma once

#include <libdwarf/dwarf.h>

#include "symbols/cs-bytes.h"
#include "symbols/cs-elf.h"

G_BEGIN_DECLS

/* The entries of `.debug_info`, chapter 7 of the DWARF standard, versions 2 to 5, and the GNU
 * extensions for split and shared files. Everything is read in place; whatever a file says, no
 * read passes the end of a section. */

typedef enum
{
  CS_DWARF_INFO,
  CS_DWARF_ABBREV,
  CS_DWARF_STR,
  CS_DWARF_LINE_STR,
  CS_DWARF_STR_OFFSETS,
  CS_DWARF_ADDR,
  CS_DWARF_RANGES,
  CS_DWARF_RNGLISTS,
  CS_DWARF_N_SECTIONS,
} CsDwarfSection;

typedef struct
{
  guint16 name;
  guint16 form;
  gint8 size;      /* bytes of a value, -1: they vary */
  gint64 implicit; /* of DW_FORM_implicit_const */
} CsAttribute;

typedef struct
{
  guint64 code;
  guint16 tag;
  gboolean has_children;
  guint32 first;      /* in attributes of the table */
  guint32 count;
  gint32 size;        /* bytes of all values, -1: they vary */
  gint32 sibling;     /* where the reference to the next sibling lies, -1: none, or it varies */
  guint16 sibling_form;
} CsAbbrev;

typedef struct
{
  GArray *abbrevs;    /* CsAbbrev, by code */
  GArray *attributes; /* CsAttribute */
} CsAbbrevs;

/* What entries refer to (abbreviations, lists of ranges, line tables) is read, and kept, for each that
 * does. In a damaged file thousands may refer to one place; in no other do they together make more
 * than so many times what the file has. */
#define CS_DWARF_MOST_TIMES 4

typedef struct _CsDwarfFile CsDwarfFile;

/* A unit of `.debug_info`. */
typedef struct
{
  CsDwarfFile *file;
  CsDwarfFile *address_file; /* has its addresses: of a split unit the program's */
  guint64 offset;            /* of its header */
  const guint8 *dies;        /* first entry */
  const guint8 *end;
  guint64 abbrev_offset;
  guint64 dwo_id;            /* 0: none */
  guint64 base;              /* what its range lists are relative to */
  guint64 address_base;
  guint64 text_base;         /* in .debug_str_offsets */
  guint64 lists_base;        /* in .debug_rnglists */
  guint64 ranges_base;       /* of a split unit of version 4, in .debug_ranges */
  guint64 lines_offset;      /* of a split unit, where the table of its files is */
  CsAbbrevs *abbrevs;        /* belongs to file; NULL: not read yet */
  guint16 version;
  guint8 type;               /* DW_UT_… */
  guint8 address_size;
  guint8 offset_size;
} CsDieUnit;

/* The debug sections of one file. */
struct _CsDwarfFile
{
  CsElf *elf;
  gboolean owns_elf;
  gboolean big_endian;
  struct
  {
    const guint8 *data;
    gsize size;
  } sections[CS_DWARF_N_SECTIONS];
  GPtrArray *units;     /* CsDieUnit, by offset */
  CsDwarfFile *shared;  /* what dwz moved out of it and others, NULL: none */
  GMutex mutex;         /* of abbrevs */
  GHashTable *abbrevs;  /* key → CsAbbrevs: units may share them */
  gsize abbrev_bytes;   /* that these were made of */
  guint64 n_ranges;     /* read from lists; atomic */
  gboolean damaged;     /* the chain of units breaks off */
};

/* An entry; its abbreviation is NULL where it ends a list of siblings. */
typedef struct
{
  CsDieUnit *unit;
  const guint8 *at;
  const guint8 *values;
  const CsAbbrev *abbrev;
} CsDie;

typedef struct
{
  guint16 form; /* 0: the entry doesn't have the attribute */
  guint64 number;
  const char *text; /* of DW_FORM_string */
} CsDieValue;

/* Walks over the attributes of an entry. */
typedef struct
{
  const CsDieUnit *unit;
  CsBytes bytes;
  const CsAttribute *next;
  guint32 left;
} CsDieReader;

CsDwarfFile *cs_dwarf_file_new (CsElf *elf, gboolean owns_elf, gboolean dwo);
void cs_dwarf_file_free (CsDwarfFile *self);
CsBytes cs_dwarf_file_get_bytes (const CsDwarfFile *self, CsDwarfSection section, guint64 offset);
CsDieUnit *cs_dwarf_file_find_unit (const CsDwarfFile *self, guint64 offset);
gboolean cs_die_unit_load (CsDieUnit *unit);

gboolean cs_die_read (CsDieUnit *unit, const guint8 *at, CsDie *die);
const guint8 *cs_die_get_end (const CsDie *die);
const guint8 *cs_die_skip (const CsDie *die);
void cs_die_reader_init (CsDieReader *self, const CsDie *die);
gboolean cs_die_reader_next (CsDieReader *self, guint16 *name, CsDieValue *value);
gboolean cs_die_get_value (const CsDie *die, guint16 name, CsDieValue *value);

const char *cs_die_value_get_text (const CsDieUnit *unit, const CsDieValue *value);
gboolean cs_die_value_get_address (const CsDieUnit *unit, const CsDieValue *value, guint64 *address);
gboolean cs_die_value_get_reference (const CsDieUnit *unit, const CsDieValue *value, CsDie *die);
gboolean cs_die_value_is_constant (const CsDieValue *value);
gboolean cs_die_unit_get_address (const CsDieUnit *unit, guint64 index, guint64 *address);

G_END_DECLS
