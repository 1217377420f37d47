/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "project/cs-path-kind.h"

/**
 * cs_path_kind_find:
 * @path: a file or folder
 * @sentence: (out) (transfer full) (nullable): what was found, or why nothing can be opened and what to do
 *
 * Looks at what a person wants to open. May be called in any thread; reads a bounded number of names.
 *
 * Returns: what it is
 */
CsPathKind
cs_path_kind_find (const char *path, char **sentence)
{
  *sentence = g_strdup_printf ("%s: can't be opened", path);
  return CS_PATH_KIND_NOTHING;
}

/**
 * cs_path_kind_find_async:
 * @path: a file or folder
 * @cancellable: (nullable): to drop the answer
 * @callback: (scope async): called with the answer
 * @user_data: for @callback
 *
 * Does what cs_path_kind_find() does in another thread.
 */
void
cs_path_kind_find_async (const char *path, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
}

/**
 * cs_path_kind_find_finish:
 * @result: what the callback got
 * @sentence: (out) (transfer full) (nullable): as of cs_path_kind_find(); %NULL where it was cancelled
 *
 * Returns: what it is
 */
CsPathKind
cs_path_kind_find_finish (GAsyncResult *result, char **sentence)
{
  return CS_PATH_KIND_NOTHING;
}
