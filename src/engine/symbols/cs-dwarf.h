/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "symbols/cs-debug-file.h"
#include "symbols/cs-elf.h"

G_BEGIN_DECLS

typedef struct _CsDwarf CsDwarf;

/* A function or inlined copy of one, as its DIE tells. */
typedef struct
{
  const char *linkage_name; /* DW_AT_linkage_name, NULL: none */
  const char *name;         /* DW_AT_name, NULL: none */
  guint64 start;            /* first address: of a split function its hot part's */
  guint64 size;             /* bytes of the part that begins at start */
  gboolean inlined;         /* a copy within another function */
  gboolean mangles;         /* the language mangles names, so name may not be the symbol's */
} CsDwarfFunction;

/* A function that was inlined at an address. */
typedef struct
{
  CsDwarfFunction function;
  const char *call_file; /* where it was called, NULL: not known */
  guint call_line;       /* 0: not known */
} CsDwarfFrame;

/* A copy of a function that was inlined. */
typedef struct
{
  guint64 start;            /* first address of the function's own code, 0: not known */
  const char *linkage_name; /* NULL: none */
} CsDwarfInlined;

/* What was inlined into the function that holds an address. */
typedef struct
{
  guint64 function;  /* its first address */
  GArray *around;    /* CsDwarfInlined: the copies around the address, outermost first */
  GArray *anywhere;  /* CsDwarfInlined: all in the function */
  gboolean gnu;      /* compiled by GCC */
} CsDwarfInlining;

/* A further file with debug information of a program, and where a reader finds it below a folder
 * with debug files; name NULL: beside the program, as its name with `.dwp' behind. */
typedef struct
{
  char *path;
  char *name;
} CsDwarfPart;

void cs_dwarf_part_free (gpointer data);
GPtrArray *cs_dwarf_list_parts (CsDwarf *self);

CsDwarf *cs_dwarf_open (CsElf *elf, const char *program, const CsDebugPlaces *places, const GArray *code,
                        char **problem);
void cs_dwarf_free (CsDwarf *self);
const char *cs_dwarf_get_problem (const CsDwarf *self);
guint cs_dwarf_get_missing (const CsDwarf *self, const char **first);
void cs_dwarf_prepare (CsDwarf *self, const guint64 *addresses, guint n);
gboolean cs_dwarf_find_function (CsDwarf *self, guint64 address, CsDwarfFunction *function,
                                 GArray *frames);
gboolean cs_dwarf_find_inlining (CsDwarf *self, guint64 address, CsDwarfInlining *inlining);
void cs_dwarf_list_inlined (CsDwarf *self, void (*function) (const char *name, gpointer user_data),
                            gpointer user_data);
void cs_dwarf_inlining_clear (CsDwarfInlining *inlining);
gboolean cs_dwarf_find_line (CsDwarf *self, guint64 address, const char **file,
                             const char **comp_dir, guint *line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsDwarf, cs_dwarf_free)

G_END_DECLS
