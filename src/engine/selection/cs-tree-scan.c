/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-tree-folder.h"

/**
 * cs_tree_new_table:
 *
 * Returns: (transfer full) (element-type utf8 CsTreeFolder): no folders
 */
GHashTable *
cs_tree_new_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) cs_tree_folder_unref);
}

/**
 * cs_tree_find_outer:
 * @root: where folders lie
 * @path: one of them
 * @folders: (element-type utf8 CsTreeFolder): among which the one around it is
 *
 * Returns: (transfer none) (nullable): the rules that count in the folder around it
 */
CsIgnore *
cs_tree_find_outer (const CsTreeRoot *root, const char *path, GHashTable *folders)
{
  const char *slash = strrchr (path, '/');
  g_autofree char *parent = g_strndup (path, slash != NULL ? (gsize) (slash - path) : 0);
  const CsTreeFolder *folder = g_hash_table_lookup (folders, parent);

  return *path != '\0' && folder != NULL ? folder->ignore : root->ignore;
}

/**
 * cs_tree_scan:
 * @root: where to read
 * @path: a folder below, of which the one around it is among @folders; "" for the root
 * @folders: (element-type utf8 CsTreeFolder): where to put it and all folders below it, by their paths
 * @cancellable: (nullable): to give up early
 * @error: where to say that it was given up
 *
 * A folder that isn't there any more is left out.
 *
 * Returns: whether all were read
 */
gboolean
cs_tree_scan (const CsTreeRoot *root, const char *path, GHashTable *folders, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (waiting, g_strdup (path));
  while (waiting->len > 0)
    {
      g_autofree char *next = g_ptr_array_steal_index (waiting, waiting->len - 1);
      CsTreeFolder *folder;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      folder = cs_tree_folder_read (root, next, cs_tree_find_outer (root, next, folders));
      if (folder == NULL)
        continue;
      for (guint i = 0; folder->folders[i] != NULL; i++)
        g_ptr_array_add (waiting, g_strdup (folder->folders[i]));
      g_hash_table_replace (folders, folder->path, folder);
    }
  return TRUE;
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
  const CsSourceFile *const *file_a = a, *const *file_b = b;

  return strcmp ((*file_a)->path, (*file_b)->path);
}

/**
 * cs_tree_list_files:
 * @folders: (element-type utf8 CsTreeFolder): what was read
 *
 * Returns: (transfer container) (element-type CsSourceFile): the files, by the bytes of their paths
 */
GPtrArray *
cs_tree_list_files (GHashTable *folders)
{
  GPtrArray *files = cs_tree_new_files ();
  GHashTableIter iter;
  gpointer folder;

  g_hash_table_iter_init (&iter, folders);
  while (g_hash_table_iter_next (&iter, NULL, &folder))
    {
      GPtrArray *some = ((CsTreeFolder *) folder)->files;

      for (guint i = 0; i < some->len; i++)
        g_ptr_array_add (files, g_atomic_rc_box_acquire (g_ptr_array_index (some, i)));
    }
  g_ptr_array_sort (files, compare_files);
  return files;
}

/* Takes a folder and all below out of the table. */
static void
forget (GHashTable *folders, const char *path)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (waiting, g_strdup (path));
  while (waiting->len > 0)
    {
      g_autofree char *next = g_ptr_array_steal_index (waiting, waiting->len - 1);
      const CsTreeFolder *folder = g_hash_table_lookup (folders, next);

      for (guint i = 0; folder != NULL && folder->folders[i] != NULL; i++)
        g_ptr_array_add (waiting, g_strdup (folder->folders[i]));
      g_hash_table_remove (folders, next);
    }
}

static gboolean
scan_again (const CsTreeRoot *root, const char *path, GHashTable *folders, GCancellable *cancellable, GError **error)
{
  forget (folders, path);
  return cs_tree_scan (root, path, folders, cancellable, error);
}

/* Reads one folder, and of those in it the ones that weren't there before. */
static gboolean
refresh_folder (const CsTreeRoot *root, GHashTable *folders, const char *path, GCancellable *cancellable, GError **error)
{
  CsTreeFolder *known = g_hash_table_lookup (folders, path);
  g_autoptr (CsTreeFolder) old = NULL;
  CsTreeFolder *new;

  if (known == NULL)
    return TRUE;
  new = cs_tree_folder_read (root, path, cs_tree_find_outer (root, path, folders));
  if (new == NULL || new->inode != known->inode || new->device != known->device || new->is_skipped != known->is_skipped
      || !cs_ignore_equal (new->ignore, known->ignore))
    {
      g_clear_pointer (&new, cs_tree_folder_unref);
      return scan_again (root, path, folders, cancellable, error);
    }
  old = cs_tree_folder_ref (known);
  g_hash_table_replace (folders, new->path, new);
  for (guint i = 0; old->folders[i] != NULL; i++)
    if (!g_strv_contains ((const char *const *) new->folders, old->folders[i]))
      forget (folders, old->folders[i]);
  for (guint i = 0; new->folders[i] != NULL; i++)
    {
      const CsTreeFolder *inner = g_hash_table_lookup (folders, new->folders[i]);

      if ((inner == NULL || inner->warning != NULL || !cs_tree_folder_is_there (inner, root))
          && !scan_again (root, new->folders[i], folders, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/**
 * cs_tree_refresh:
 * @root: where folders lie
 * @folders: (element-type utf8 CsTreeFolder): what was read before; it isn't changed
 * @paths: (array zero-terminated=1): folders in which something may have changed
 * @cancellable: (nullable): to give up early
 * @error: where to say that it was given up
 *
 * Reads these folders again, what is new in them with all that is below, and what lies below changed rules.
 *
 * Returns: (transfer full) (nullable) (element-type utf8 CsTreeFolder): what is there now
 */
GHashTable *
cs_tree_refresh (const CsTreeRoot *root, GHashTable *folders, const char *const *paths, GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (GHashTable) now = cs_tree_new_table ();
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer folder;

  g_hash_table_iter_init (&iter, folders);
  while (g_hash_table_iter_next (&iter, NULL, &folder))
    g_hash_table_insert (now, ((CsTreeFolder *) folder)->path, cs_tree_folder_ref (folder));
  for (guint i = 0; paths[i] != NULL; i++)
    g_ptr_array_add (sorted, (gpointer) paths[i]);
  /* A folder comes before those in it. */
  g_ptr_array_sort (sorted, compare_texts);
  for (guint i = 0; i < sorted->len; i++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error)
        || !refresh_folder (root, now, g_ptr_array_index (sorted, i), cancellable, error))
      return NULL;
  return g_steal_pointer (&now);
}

/**
 * cs_tree_compare:
 * @before: (element-type CsSourceFile): files, in order
 * @after: (element-type CsSourceFile): the same later
 * @added: (element-type utf8): where to put paths that are new
 * @removed: (element-type utf8): paths that aren't there any more
 * @modified: (element-type utf8): paths of which time, size or inode is another one
 */
void
cs_tree_compare (GPtrArray *before, GPtrArray *after, GPtrArray *added, GPtrArray *removed, GPtrArray *modified)
{
  for (guint i = 0, j = 0; i < before->len || j < after->len;)
    {
      const CsSourceFile *old = i < before->len ? g_ptr_array_index (before, i) : NULL;
      const CsSourceFile *new = j < after->len ? g_ptr_array_index (after, j) : NULL;
      int order = old == NULL ? 1 : new == NULL ? -1 : strcmp (old->path, new->path);

      if (order < 0)
        g_ptr_array_add (removed, g_strdup (old->path));
      else if (order > 0)
        g_ptr_array_add (added, g_strdup (new->path));
      else if (old->mtime_ns != new->mtime_ns || old->size != new->size || old->inode != new->inode)
        g_ptr_array_add (modified, g_strdup (new->path));
      i += order <= 0;
      j += order >= 0;
    }
}
