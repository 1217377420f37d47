/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-elf.h"

G_BEGIN_DECLS

/* Where files are looked for, besides where programs and their debug information name them. */
typedef struct
{
  GPtrArray *debug_dirs; /* (element-type filename): before /usr/lib/debug */
  char *sysroot;         /* (nullable): the root of the machine that the programs ran on */
} CsDebugPlaces;

typedef gboolean (*CsDebugFileFunc) (const char *path,
                                     gpointer    user_data);

CsElf *cs_debug_file_open (const CsElf *program, const char *path);
CsElf *cs_debug_file_find (const CsElf *program, const CsDebugPlaces *places);
CsElf *cs_debug_file_find_package (const char *program, const CsElf *debug, const CsDebugPlaces *places);
CsElf *cs_debug_file_find_shared (const CsElf *debug, const CsDebugPlaces *places);
gboolean cs_debug_file_try_dwo (const char *program, const char *comp_dir, const char *name,
                                const CsDebugPlaces *places, CsDebugFileFunc take, gpointer user_data);

G_END_DECLS
