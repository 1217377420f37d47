/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CS_SYMBOLS_ERROR (cs_symbols_error_quark ())

typedef enum
{
  CS_SYMBOLS_ERROR_OPEN,   /* the file can't be opened or read */
  CS_SYMBOLS_ERROR_FORMAT, /* not an ELF file, or a damaged one */
} CsSymbolsError;

GQuark cs_symbols_error_quark (void);

/* What one link-time address of an ELF file is.  All strings belong to the CsBinary. */
typedef struct
{
  const char *linkage_name; /* symbol name as in the file, NULL: none */
  const char *name;         /* to show: demangled where linkage_name begins with _Z */
  guint64 start;            /* first link address of the function */
  guint64 size;             /* bytes; 0: not known */
  const char *file;         /* absolute path where DWARF gives one, NULL: not known */
  const char *comp_dir;     /* the unit's compilation folder, NULL: not known */
  guint line;               /* line-table row of the address; 0: not known */
} CsSymbol;

/* Which functions the code of one function is part of, by inlining. Functions are link
 * addresses of their own code; one that has none is left out. */
typedef struct
{
  guint64 function;        /* the one that holds the code */
  guint64 *around;         /* those inlined at the address, outermost first */
  guint64 *anywhere;       /* those inlined anywhere in the function */
  guint n_around, n_anywhere;
  gboolean gnu;            /* compiled by GCC */
} CsInlining;

void cs_inlining_free (CsInlining *self);

typedef struct _CsBinary CsBinary;

CsBinary *cs_binary_open (const char *path, GError **error);
CsBinary *cs_binary_open_with_debug (const char *path, const char *debug_path, GError **error);
CsBinary *cs_binary_ref (CsBinary *self);
void cs_binary_unref (CsBinary *self);
const char *cs_binary_get_path (CsBinary *self);
const char *cs_binary_get_debug_path (CsBinary *self);
gboolean cs_binary_has_debug_info (CsBinary *self);
const char *cs_binary_get_build_id (CsBinary *self);
const char *cs_binary_get_notice (CsBinary *self);
guint64 cs_binary_get_code_address (CsBinary *self, guint64 address);
gboolean cs_binary_lookup (CsBinary *self, guint64 address, CsSymbol *symbol);
CsInlining *cs_binary_get_inlining (CsBinary *self, guint64 address);
const char *cs_binary_lookup_innermost (CsBinary *self, guint64 address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsBinary, cs_binary_unref)

G_END_DECLS
