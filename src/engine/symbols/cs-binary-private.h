/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-binary.h"
#include "symbols/cs-dwarf.h"
#include "symbols/cs-elf.h"
#include "symbols/cs-symbol-cache.h"

G_BEGIN_DECLS

struct _CsBinary
{
  gatomicrefcount references;
  CsElf *elf;
  CsElf *debug;         /* its separate debug file, NULL: none or not needed */
  CsElf *named;         /* whichever of the two has the symbols; NULL: not loaded yet */
  GMutex loading;       /* of the symbols, which a thread of cs_binary_prepare() and its caller may both want */
  CsDwarf *dwarf;       /* NULL: none that can be read */
  const CsDebugPlaces *places;
  gboolean opened;      /* the debug information; until then the cache answers */
  char *problem;        /* why there is no dwarf */
  char *notice;
  GHashTable *found;    /* address → CsSymbol: what look-ups found */
  GHashTable *shown;    /* linkage name, by its address → name to show */
  GStringChunk *strings;
  CsSymbolCache *cache; /* NULL: none is kept */
  guint n_kept;         /* of found: all that the cache has been given */
};

CsElf *cs_binary_load_symbols (CsBinary *self);
void cs_binary_open_dwarf (CsBinary *self);
void cs_binary_read_dwarf (CsBinary *self);
void cs_binary_do_without_dwarf (CsBinary *self);
void cs_binary_close_files (CsBinary *self);

G_END_DECLS
