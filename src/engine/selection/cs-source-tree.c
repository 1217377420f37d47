/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "selection/cs-source-monitor.h"
#include "selection/cs-source-tree.h"
#include "selection/cs-tree-folder.h"

#define MAX_WARNINGS 20

struct _CsSourceTree
{
  GObject parent_instance;

  CsTreeRoot *root;
  GHashTable *folders; /* (element-type utf8 CsTreeFolder) by path */
  GPtrArray *files;    /* (element-type CsSourceFile) of all folders */
  GMutex mutex;        /* around folders, files and problem */
  char *problem;       /* (nullable): why not all changes are seen */

  CsSourceMonitor *monitor;   /* (nullable): while changes are watched */
  GCancellable *cancellable;  /* (nullable): ends the reading that goes on then */
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_QUARK (cs-source-tree-error-quark, cs_source_tree_error)
G_DEFINE_FINAL_TYPE (CsSourceTree, cs_source_tree, G_TYPE_OBJECT)

static void
cs_source_tree_finalize (GObject *object)
{
  CsSourceTree *self = CS_SOURCE_TREE (object);

  g_clear_pointer (&self->monitor, cs_source_monitor_free);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->root, cs_tree_root_free);
  g_clear_pointer (&self->folders, g_hash_table_unref);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_free (self->problem);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (cs_source_tree_parent_class)->finalize (object);
}

static void
cs_source_tree_class_init (CsSourceTreeClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_source_tree_finalize;

  /**
   * CsSourceTree::changed:
   * @self: a tree that is watched
   * @added: (array zero-terminated=1): paths of files that are new
   * @removed: (array zero-terminated=1): paths of files that are gone
   * @modified: (array zero-terminated=1): paths of files that aren't what they were
   *
   * The list of files, or what cs_source_tree_dup_warnings() tells, is another one. Emitted in the main context of the
   * thread that called cs_source_tree_set_watching().
   */
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 3, G_TYPE_STRV, G_TYPE_STRV, G_TYPE_STRV);
}

static void
cs_source_tree_init (CsSourceTree *self)
{
  g_mutex_init (&self->mutex);
}

/**
 * cs_source_tree_check_folder:
 * @path: what should be a project's folder
 * @error: where to say why it is none
 *
 * Returns: whether it is a folder; if not, with %CS_SOURCE_TREE_ERROR_FOLDER
 */
gboolean
cs_source_tree_check_folder (const char *path, GError **error)
{
  struct stat st;

  if (stat (path, &st) == 0)
    {
      if (S_ISDIR (st.st_mode))
        return TRUE;
      errno = ENOTDIR;
    }
  cs_tree_set_folder_error (path, error);
  return FALSE;
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
  self->folders = cs_tree_new_table ();
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
 * Returns: (transfer full) (array zero-terminated=1): a sentence about each folder that can't be read, and one if not
 *   all changes are seen
 */
char **
cs_source_tree_dup_warnings (CsSourceTree *self)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  char *problem;
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
  problem = g_strdup (self->problem);
  g_mutex_unlock (&self->mutex);
  g_ptr_array_sort (texts, compare_texts);
  rest = texts->len > MAX_WARNINGS ? texts->len - MAX_WARNINGS : 0;
  if (rest > 0)
    {
      g_ptr_array_set_size (texts, MAX_WARNINGS);
      g_ptr_array_add (texts, g_strdup_printf ("… and %u more folder%s that can't be read", rest, rest == 1 ? "" : "s"));
    }
  if (problem != NULL)
    g_ptr_array_add (texts, problem);
  g_ptr_array_add (texts, NULL);
  return (char **) g_ptr_array_steal (texts, NULL);
}

/* Some folders that are to be read again, and what comes of it. */
typedef struct
{
  const CsTreeRoot *root;
  GStrv paths;
  GHashTable *before; /* (element-type utf8 CsTreeFolder) */
  GPtrArray *files_before;
  GHashTable *folders; /* (nullable): what is there now */
  GPtrArray *files;    /* (nullable) */
  GPtrArray *added, *removed, *modified; /* (element-type utf8), NULL at the end */
} Refresh;

static void
refresh_free (gpointer data)
{
  Refresh *refresh = data;

  g_strfreev (refresh->paths);
  g_hash_table_unref (refresh->before);
  g_ptr_array_unref (refresh->files_before);
  g_clear_pointer (&refresh->folders, g_hash_table_unref);
  g_clear_pointer (&refresh->files, g_ptr_array_unref);
  g_ptr_array_unref (refresh->added);
  g_ptr_array_unref (refresh->removed);
  g_ptr_array_unref (refresh->modified);
  g_free (refresh);
}

static void
refresh_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Refresh *refresh = data;
  GError *error = NULL;

  refresh->folders = cs_tree_refresh (refresh->root, refresh->before, (const char *const *) refresh->paths, cancellable,
                                      &error);
  if (refresh->folders == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  refresh->files = cs_tree_list_files (refresh->folders);
  cs_tree_compare (refresh->files_before, refresh->files, refresh->added, refresh->removed, refresh->modified);
  g_ptr_array_add (refresh->added, NULL);
  g_ptr_array_add (refresh->removed, NULL);
  g_ptr_array_add (refresh->modified, NULL);
  g_task_return_boolean (task, TRUE);
}

/* Makes what was read the tree's. */
static void
take_refresh (CsSourceTree *self, Refresh *refresh, const char *problem)
{
  gboolean changed = refresh->added->len + refresh->removed->len + refresh->modified->len > 3;
  GHashTable *old_folders = self->folders;
  GPtrArray *old_files = self->files;
  g_autofree char *old_problem = self->problem;

  g_mutex_lock (&self->mutex);
  self->folders = g_steal_pointer (&refresh->folders);
  if (changed)
    self->files = g_steal_pointer (&refresh->files);
  self->problem = g_strdup (problem);
  g_mutex_unlock (&self->mutex);
  g_hash_table_unref (old_folders);
  if (changed)
    g_ptr_array_unref (old_files);
  if (changed || g_strcmp0 (problem, old_problem) != 0)
    g_signal_emit (self, signals[CHANGED], 0, refresh->added->pdata, refresh->removed->pdata, refresh->modified->pdata);
}

static void
on_refreshed (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (CsSourceTree) self = data;
  Refresh *refresh = g_task_get_task_data (G_TASK (result));

  /* What ends it early is that nobody watches any more. */
  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  cs_source_monitor_set_folders (self->monitor, refresh->folders);
  cs_source_monitor_go_on (self->monitor);
  take_refresh (self, refresh, cs_source_monitor_get_problem (self->monitor));
}

static void
on_folders_changed (const char *const *paths, gpointer user_data)
{
  CsSourceTree *self = user_data;
  /* The callback has the reference: with the task's own, the tree might end in the thread. */
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_refreshed, g_object_ref (self));
  Refresh *refresh = g_new0 (Refresh, 1);

  refresh->root = self->root;
  refresh->paths = g_strdupv ((char **) paths);
  refresh->before = g_hash_table_ref (self->folders);
  refresh->files_before = g_ptr_array_ref (self->files);
  refresh->added = g_ptr_array_new_with_free_func (g_free);
  refresh->removed = g_ptr_array_new_with_free_func (g_free);
  refresh->modified = g_ptr_array_new_with_free_func (g_free);
  g_task_set_source_tag (task, on_folders_changed);
  g_task_set_task_data (task, refresh, refresh_free);
  g_task_run_in_thread (task, refresh_in_thread);
}

/**
 * cs_source_tree_set_watching:
 * @self: a tree
 * @watching: whether to look for changes
 *
 * Changes are collected for a moment; then the folders concerned are read again in a thread, and if the list of files
 * is another one then, CsSourceTree::changed is emitted. What has changed since the tree was read is found, too.
 * Without a main loop in the calling thread nothing is.
 */
void
cs_source_tree_set_watching (CsSourceTree *self, gboolean watching)
{
  g_return_if_fail (CS_IS_SOURCE_TREE (self));

  if (!watching && self->monitor != NULL)
    {
      g_cancellable_cancel (self->cancellable);
      g_clear_object (&self->cancellable);
      g_clear_pointer (&self->monitor, cs_source_monitor_free);
    }
  else if (watching && self->monitor == NULL)
    {
      self->cancellable = g_cancellable_new ();
      self->monitor = cs_source_monitor_new (self->root->path, on_folders_changed, self);
      cs_source_monitor_set_folders (self->monitor, self->folders);
    }
}
