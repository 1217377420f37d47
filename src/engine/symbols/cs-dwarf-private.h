/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-die.h"
#include "symbols/cs-dwarf.h"
#include "symbols/cs-ranges.h"

G_BEGIN_DECLS

/* Deeper nesting than any compiler writes: a damaged file. */
#define CS_DWARF_DEEPEST 200

typedef struct _CsLineTable CsLineTable;

/* A subprogram or inlined subroutine; its names are read when first asked for. */
typedef struct
{
  const guint8 *die;
  guint64 start;
  guint64 size;
  const char *linkage_name;
  const char *name;
  const guint8 *origin; /* the entry that all copies of the function share; NULL: not read yet */
  GArray *inlined;      /* CsRange, value: index into functions of the unit; NULL: not read yet */
  guint32 holder;       /* of an inlined copy: index of the function or copy around it */
  gboolean is_inlined;
  gboolean has_names;
} CsDwarfEntry;

typedef struct
{
  CsDieUnit *die;      /* in the program's own file */
  CsDieUnit *split;    /* its functions, in another file; NULL: not found, or not looked for yet */
  const char *dwo_name; /* where they are, NULL: they are in the program's file */
  guint64 dwo_id;
  guint64 split_ranges_base;
  gboolean split_sought;
  guint64 stmt_list;   /* offset of its line table */
  const char *comp_dir;
  CsLineTable *lines;  /* belongs to line_tables */
  CsLineTable *files;  /* of a split unit, its files alone; NULL: not read yet */
  GArray *functions;   /* CsDwarfEntry; NULL: not read yet */
  GArray *ranges;      /* CsRange of subprograms, value: index into functions */
  gboolean has_stmt_list;
  gboolean mangles;
  gboolean gnu; /* compiled by GCC */
  gboolean read_whole; /* every DIE was looked at, not only the outer ones */
} CsDwarfUnit;

typedef struct _CsDwarfPackage CsDwarfPackage;

struct _CsDwarf
{
  CsDwarfFile *file;
  const CsDebugPlaces *places;
  const char *program;     /* path of the program that file belongs to */
  const GArray *code;      /* CsRange of the executable sections */
  GArray *units;           /* CsDwarfUnit */
  /* CsRange, value: ~index into units.  Of a function in several units the
   * linker kept the first, and points the others' DIEs to it: the first wins. */
  GArray *unit_ranges;
  GArray *unranged;        /* guint32: units that don't say where their code is */
  GMutex mutex;            /* of what follows, which several units may ask for */
  GHashTable *line_tables; /* offset → CsLineTable: units may share one */
  GStringChunk *strings;
  GPtrArray *split_files;  /* CsDwarfFile: .dwo files */
  GPtrArray *split_units;  /* CsDieUnit: those of package, placed */
  CsDwarfPackage *package; /* NULL: none, or not looked for yet */
  gboolean package_sought;
  guint64 n_lines;         /* rows and files of line tables that were read; atomic */
  guint missing;           /* split units that weren't found */
  char *first_missing;
  char *problem;
};

void cs_dwarf_set_problem (CsDwarf *self, const char *problem);

/* What tells where the code of an entry is; form 0 where it doesn't tell. */
typedef struct
{
  CsDieValue low, high, ranges;
} CsDieExtent;

gboolean cs_dwarf_read_extent (CsDwarf *self, const CsDieUnit *unit, const CsDieExtent *extent,
                               GArray *ranges, guint32 value, guint64 *start, guint64 *size);
gboolean cs_dwarf_read_ranges (CsDwarf *self, const CsDie *die, GArray *ranges, guint32 value,
                               guint64 *start, guint64 *size);

CsDieUnit *cs_dwarf_unit_get_dies (CsDwarf *self, CsDwarfUnit *unit);
void cs_dwarf_unit_read_language (CsDwarfUnit *unit, CsDieUnit *die);
void cs_dwarf_package_free (CsDwarfPackage *package);

void cs_dwarf_unit_clear_functions (CsDwarfUnit *unit);
void cs_dwarf_unit_prepare (CsDwarf *self, CsDwarfUnit *unit, const guint64 *addresses, guint n);

CsLineTable *cs_dwarf_unit_get_lines (CsDwarf *self, CsDwarfUnit *unit);
const char *cs_dwarf_unit_get_file (CsDwarf *self, CsDwarfUnit *unit, guint64 number);
void cs_line_table_free (CsLineTable *table);

G_END_DECLS
