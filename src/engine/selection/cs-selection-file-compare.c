/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-selection-file-private.h"

static gboolean
rules_differ (const CsSelectionFile *a, const CsSelectionFile *b)
{
  if (a->exclude_funcs->len != b->exclude_funcs->len)
    return TRUE;
  for (guint i = 0; i < a->exclude_funcs->len; i++)
    if (!g_str_equal (a->exclude_funcs->pdata[i], b->exclude_funcs->pdata[i]))
      return TRUE;
  return FALSE;
}

/* What lies in the head goes into the options of every compile. */
static gboolean
heads_differ (const CsSelectionFile *a, const CsSelectionFile *b)
{
  return g_strcmp0 (a->root, b->root) != 0 || g_strcmp0 (a->options.runtime, b->options.runtime) != 0 ||
         a->options.after_inlining != b->options.after_inlining || a->options.widen != b->options.widen ||
         a->options.no_inline != b->options.no_inline || rules_differ (a, b);
}

/* A file that one of the two doesn't list has no functions and isn't chosen there. */
static gboolean
entries_differ (const CsSelectionFileEntry *a, const CsSelectionFileEntry *b)
{
  if (a->choice != b->choice || a->n_functions != b->n_functions)
    return TRUE;
  for (gsize i = 0; i < a->n_functions; i++)
    if (a->functions[i].chosen != b->functions[i].chosen ||
        !g_str_equal (a->functions[i].name, b->functions[i].name))
      return TRUE;
  return FALSE;
}

/* Whether a header's difference reaches units that a build doesn't compile anyway: what includes a
 * header that was changed is compiled. */
static gboolean
header_matters (const CsSelectionFileEntry *before, const CsSelectionFileEntry *after)
{
  gboolean told = (before->mtime_ns != 0 || before->size != 0) && (after->mtime_ns != 0 || after->size != 0);

  return before->choice != after->choice || !told ||
         (before->mtime_ns == after->mtime_ns && before->size == after->size);
}

/**
 * cs_selection_file_compare:
 * @before: what objects were made with
 * @after: what they are to be made with
 * @all: (out): whether any object may be another one: options for all compiles differ, or a
 *   header is chosen otherwise
 *
 * A header of which time or size differ, too, doesn't count while the choice of the file is the same:
 * the build compiles what includes it.
 *
 * Returns: (transfer full) (element-type filename): the sources of which the choice or the functions
 *   differ, relative to the root, in the order of their bytes
 */
GPtrArray *
cs_selection_file_compare (const CsSelectionFile *before, const CsSelectionFile *after, gboolean *all)
{
  static const CsSelectionFileEntry none = { .choice = CS_FILE_NOT_CHOSEN };
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  guint i = 0, j = 0;

  *all = heads_differ (before, after);
  while (i < before->entries->len || j < after->entries->len)
    {
      const CsSelectionFileEntry *a = &g_array_index (before->entries, CsSelectionFileEntry, i);
      const CsSelectionFileEntry *b = &g_array_index (after->entries, CsSelectionFileEntry, j);
      int order = i == before->entries->len ? 1 : j == after->entries->len ? -1 : strcmp (a->path, b->path);
      const char *path = order <= 0 ? a->path : b->path;
      gboolean header = FALSE;

      a = order <= 0 ? a : &none;
      b = order >= 0 ? b : &none;
      i += order <= 0;
      j += order >= 0;
      if (!entries_differ (a, b))
        continue;
      cs_source_path_is_source (path, &header);
      if (!header)
        g_ptr_array_add (paths, g_strdup (path));
      else if (header_matters (a, b))
        *all = TRUE;
    }
  return paths;
}
