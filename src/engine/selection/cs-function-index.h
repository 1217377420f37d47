/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "selection/cs-source-tree.h"

G_BEGIN_DECLS

typedef enum
{
  CS_FUNCTION_STATIC = 1 << 0,         /* its name is its file's alone */
  CS_FUNCTION_CPLUSPLUS = 1 << 1,      /* scanned as C++ */
  CS_FUNCTION_TEMPLATE = 1 << 2,       /* of its own parameters */
  CS_FUNCTION_SCOPE_TEMPLATE = 1 << 3, /* a class around it has parameters */
  CS_FUNCTION_NAMESPACE = 1 << 4,      /* its scope is a namespace, as far as that is known, and no class */
} CsFunctionFlags;

/* A function's definition as the scan saw it. Strings belong to the index. */
typedef struct
{
  const char *name;      /* without scope: "parse", "operator+", "~Ring" */
  const char *scope;     /* (nullable): "ns::Class"; an unnamed namespace is "{anonymous}", as gcc writes it */
  const char *signature; /* (nullable): "(int x)" */
  guint32 file;          /* index into the files */
  guint32 line;          /* of its name, from 1 */
  guint32 end;           /* of its last line; 0: not known */
  CsFunctionFlags flags;
} CsSourceFunction;

/* All functions of a source tree. It never changes. */
typedef struct _CsFunctionIndex CsFunctionIndex;

/* The functions of some files, before those of all are known. It never changes. */
typedef struct _CsFoundFunctions CsFoundFunctions;

/* Those of one of these files. */
typedef struct
{
  guint32 file;
  guint32 count;
  const CsSourceFunction *functions; /* by line, as they will be in the index */
} CsFoundFile;

typedef struct
{
  const char *ctags;       /* (nullable): the ctags to use; NULL: CALLSIGHT_CTAGS, else those of PATH */
  gboolean built_in;       /* don't look for ctags */
  gboolean no_cache;       /* neither read nor write the cache */
  const char *cache_folder; /* (nullable): NULL: below XDG_CACHE_HOME */
  guint workers;           /* ctags processes; 0: one a processor */
  guint timeout_ms;        /* for one file; 0: 30 s */
  gboolean polite;         /* ctags gives way to what else runs, as to a window */

  /* Called in the scanning thread with files that are done and all files. */
  void (*progress) (gsize done, gsize total, gpointer user_data);
  /* Called there, too, with files that were scanned since it was called last, or that the cache knew: some thousand
     files at most, 20 times a second at most when these take time to scan. Each file comes once. */
  void (*found) (CsFoundFunctions *found, gpointer user_data);
  gpointer user_data;
} CsScanOptions;

CsFunctionIndex *cs_function_index_new_sync (CsSourceTree *tree, const CsScanOptions *options,
                                             GCancellable *cancellable, GError **error);
CsFunctionIndex *cs_function_index_new_of_files_sync (const char *root, GPtrArray *files, const CsScanOptions *options,
                                                      GCancellable *cancellable, GError **error);
CsFunctionIndex *cs_function_index_ref (CsFunctionIndex *self);
void cs_function_index_unref (CsFunctionIndex *self);
const char *cs_function_index_get_root (const CsFunctionIndex *self);
const char *cs_function_index_get_scanner (const CsFunctionIndex *self);
const char *const *cs_function_index_get_warnings (const CsFunctionIndex *self);
GPtrArray *cs_function_index_get_files (const CsFunctionIndex *self);
const CsSourceFunction *cs_function_index_get_functions (const CsFunctionIndex *self, gsize *count);
void cs_function_index_get_of_file (const CsFunctionIndex *self, guint file, gsize *first, gsize *count);
const guint32 *cs_function_index_find (const CsFunctionIndex *self, const char *name, gsize *count);
CsFoundFunctions *cs_found_functions_ref (CsFoundFunctions *self);
void cs_found_functions_unref (CsFoundFunctions *self);
const CsFoundFile *cs_found_functions_get_files (const CsFoundFunctions *self, gsize *count);
char *cs_function_dup_qualified_name (const CsSourceFunction *function);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsFunctionIndex, cs_function_index_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsFoundFunctions, cs_found_functions_unref)

G_END_DECLS
