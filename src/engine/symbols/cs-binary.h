/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "symbols/cs-debug-file.h"

G_BEGIN_DECLS

#define CS_SYMBOLS_ERROR (cs_symbols_error_quark ())

typedef enum
{
  CS_SYMBOLS_ERROR_OPEN,   /* the file can't be opened or read */
  CS_SYMBOLS_ERROR_FORMAT, /* not an ELF file, or a damaged one */
} CsSymbolsError;

GQuark cs_symbols_error_quark (void);

/* A function that was inlined at an address, and where it was called. */
typedef struct
{
  const char *linkage_name; /* of a C function its name; NULL: none */
  const char *name;         /* to show */
  const char *call_file;    /* NULL: not known */
  guint call_line;          /* 0: not known */
} CsInlinedFrame;

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
  const CsInlinedFrame *inlined; /* the functions that the line is in, innermost first; the last
                                  * of them was called by the function above */
  guint n_inlined;
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
CsBinary *cs_binary_open_with (const char *path, const char *debug_path, const CsDebugPlaces *places,
                               const char *cache, GError **error);
CsBinary *cs_binary_ref (CsBinary *self);
void cs_binary_unref (CsBinary *self);
const char *cs_binary_get_path (CsBinary *self);
const char *cs_binary_get_debug_path (CsBinary *self);
GPtrArray *cs_binary_list_parts (CsBinary *self);
gboolean cs_binary_has_debug_info (CsBinary *self);
const char *cs_binary_get_build_id (CsBinary *self);
const char *cs_binary_get_notice (CsBinary *self);
guint64 cs_binary_get_code_address (CsBinary *self, guint64 address);
gboolean cs_binary_lookup (CsBinary *self, guint64 address, CsSymbol *symbol);
CsInlining *cs_binary_get_inlining (CsBinary *self, guint64 address);
GHashTable *cs_binary_list_inlined (CsBinary *self);
void cs_binary_prepare (CsBinary *self, const guint64 *addresses, guint n);
void cs_binary_save (CsBinary *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsBinary, cs_binary_unref)

G_END_DECLS
