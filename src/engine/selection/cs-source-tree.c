/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-source-tree.h"
#include "selection/cs-tree-folder.h"

#define MAX_WARNINGS 20

struct _CsSourceTree
{
  GObject parent_instance;

  CsTreeRoot *root;
  GHashTable *folders; /* (element-type utf8 CsTreeFolder) by path */
  GPtrArray *files;    /* (element-type CsSourceFile) of all folders */
  GMutex mutex;        /* around folders and files */
};

G_DEFINE_QUARK (cs-source-tree-error-quark, cs_source_tree_error)
G_DEFINE_FINAL_TYPE (CsSourceTree, cs_source_tree, G_TYPE_OBJECT)

static void
cs_source_tree_finalize (GObject *object)
{
  CsSourceTree *self = CS_SOURCE_TREE (object);

  g_clear_pointer (&self->root, cs_tree_root_free);
  g_clear_pointer (&self->folders, g_hash_table_unref);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (cs_source_tree_parent_class)->finalize (object);
}

static void
cs_source_tree_class_init (CsSourceTreeClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_source_tree_finalize;
}

static void
cs_source_tree_init (CsSourceTree *self)
{
  g_mutex_init (&self->mutex);
}

/**
 * cs_source_tree_new_sync:
 * @root: a folder
 * @cancellable: (nullable): to give up early
 * @error: where to say why it can't be read
 *
 * Lists the C and C++ files of a project: those in the folder and below, but for folders of version control, of
 * dependencies and of builds, hidden ones, and what .gitignore says. Links to files are taken, links to folders not
 * followed.
 *
 * Returns: (transfer full) (nullable): the tree, or %NULL with %CS_SOURCE_TREE_ERROR_FOLDER
 */
CsSourceTree *
cs_source_tree_new_sync (const char *root, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsSourceTree) self = g_object_new (CS_TYPE_SOURCE_TREE, NULL);

  self->root = cs_tree_root_new (root, error);
  if (self->root == NULL)
    return NULL;
  self->folders = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) cs_tree_folder_unref);
  if (!cs_tree_scan (self->root, "", self->folders, cancellable, error))
    return NULL;
  self->files = cs_tree_list_files (self->folders);
  return g_steal_pointer (&self);
}

static void
scan_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CsSourceTree *self = cs_source_tree_new_sync (data, cancellable, &error);

  if (self != NULL)
    g_task_return_pointer (task, self, g_object_unref);
  else
    g_task_return_error (task, error);
}

/**
 * cs_source_tree_new_async:
 * @root: a folder
 * @cancellable: (nullable): to give up early
 * @callback: what to call in the caller's main context
 * @user_data: for @callback
 *
 * Does cs_source_tree_new_sync() in a thread.
 */
void
cs_source_tree_new_async (const char *root, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, cs_source_tree_new_async);
  g_task_set_task_data (task, g_strdup (root), g_free);
  g_task_run_in_thread (task, scan_in_thread);
}

/**
 * cs_source_tree_new_finish:
 * @result: what the callback was given
 * @error: where to say what went wrong
 *
 * Returns: (transfer full) (nullable): the tree
 */
CsSourceTree *
cs_source_tree_new_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cs_source_tree_get_root:
 * @self: a tree
 *
 * Returns: the absolute path of its folder, without links
 */
const char *
cs_source_tree_get_root (CsSourceTree *self)
{
  g_return_val_if_fail (CS_IS_SOURCE_TREE (self), NULL);

  return self->root->path;
}

/**
 * cs_source_tree_ref_files:
 * @self: a tree
 *
 * May be called by any thread.
 *
 * Returns: (transfer full) (element-type CsSourceFile): the files by the bytes of their paths; a list that never changes
 */
GPtrArray *
cs_source_tree_ref_files (CsSourceTree *self)
{
  GPtrArray *files;

  g_return_val_if_fail (CS_IS_SOURCE_TREE (self), NULL);

  g_mutex_lock (&self->mutex);
  files = g_ptr_array_ref (self->files);
  g_mutex_unlock (&self->mutex);
  return files;
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/**
 * cs_source_tree_dup_warnings:
 * @self: a tree
 *
 * Returns: (transfer full) (array zero-terminated=1): a sentence about each folder that can't be read
 */
char **
cs_source_tree_dup_warnings (CsSourceTree *self)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer value;
  guint rest;

  g_return_val_if_fail (CS_IS_SOURCE_TREE (self), NULL);

  g_mutex_lock (&self->mutex);
  g_hash_table_iter_init (&iter, self->folders);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const CsTreeFolder *folder = value;

      if (folder->warning != NULL)
        g_ptr_array_add (texts, g_strdup (folder->warning));
    }
  g_mutex_unlock (&self->mutex);
  g_ptr_array_sort (texts, compare_texts);
  rest = texts->len > MAX_WARNINGS ? texts->len - MAX_WARNINGS : 0;
  if (rest > 0)
    {
      g_ptr_array_set_size (texts, MAX_WARNINGS);
      g_ptr_array_add (texts, g_strdup_printf ("… and %u more folders that can't be read", rest));
    }
  g_ptr_array_add (texts, NULL);
  return (char **) g_ptr_array_steal (texts, NULL);
}

void
cs_source_tree_set_watching (CsSourceTree *self, gboolean watching)
{
}
