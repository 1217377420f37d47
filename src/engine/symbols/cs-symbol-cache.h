/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-binary.h"

G_BEGIN_DECLS

/* What addresses of one program or library were found to be, kept in a file between runs.
 *
 * The file is FOLDER/SHA256.symbols; the name is the checksum of the identity, a text that tells
 * which files the answers came from. Numbers are in this machine's byte order, the second field tells
 * of another's. Texts are offsets into the last part and end with a zero byte; 0: none.
 *
 *   header    8 bytes "CSsymbol", u32 0x01020304, u32 version (1), u64 checksum of all behind it,
 *             u64 size of the file, u32 entries, u32 frames, u32 bytes of texts, u32 identity,
 *             u32 notice, u32 0
 *   entries   each 64 bytes, by address: u64 address, u64 start, u64 size, then u32: linkage name,
 *             name, file, compilation folder, line, first frame, frames, whether it was found,
 *             and two of 0
 *   frames    each 16 bytes, what was inlined there, innermost first, u32: linkage name, name,
 *             file and line of the call
 *   texts
 *
 * Any of it that doesn't fit, a wrong checksum, version or identity makes the file as good as
 * absent. It is replaced as a whole, by renaming a new one; a folder holds at most 256 MB, the
 * files longest not written go first. */
typedef struct _CsSymbolCache CsSymbolCache;

char *cs_symbol_cache_get_default_folder (void);
CsSymbolCache *cs_symbol_cache_open (const char *folder, const char *identity);
void cs_symbol_cache_free (CsSymbolCache *self);
gboolean cs_symbol_cache_find (CsSymbolCache *self, guint64 address, CsSymbol *symbol);
const char *cs_symbol_cache_get_notice (CsSymbolCache *self);
gboolean cs_symbol_cache_is_used (CsSymbolCache *self);
void cs_symbol_cache_save (CsSymbolCache *self, GHashTable *symbols, const char *notice);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsSymbolCache, cs_symbol_cache_free)

G_END_DECLS
