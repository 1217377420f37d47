/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "select/cs-file-tree-private.h"

#define SLICE_US 4000   /* of the main loop at a time */
#define FIRST_ROWS 60   /* folders are opened at first until there are so many rows */
#define FILTER_ROWS 400 /* and while a filter is set */

enum
{
  FILTERED,
  DETACH,
  ATTACH,
  N_TREE_SIGNALS
};

static guint tree_signals[N_TREE_SIGNALS];

G_DEFINE_FINAL_TYPE (CsFileTree, cs_file_tree, G_TYPE_OBJECT)

/**
 * cs_file_tree_is_shown:
 * @self: a tree
 * @file: number of a file
 *
 * Returns: whether the filter lets it through
 */
gboolean
cs_file_tree_is_shown (CsFileTree *self, guint32 file)
{
  return self->shown == NULL || (file < self->n_files && self->shown[file + 1] > self->shown[file]);
}

/**
 * cs_file_tree_count_shown:
 * @self: a tree
 * @first: number of a file
 * @n: how many from that one on are looked at
 *
 * Returns: how many of these the filter lets through
 */
guint
cs_file_tree_count_shown (CsFileTree *self, guint32 first, guint32 n)
{
  if (self->shown == NULL)
    return n;
  return first + n <= self->n_files ? self->shown[first + n] - self->shown[first] : 0;
}

static GListModel *
make_children (gpointer item, gpointer user_data)
{
  CsFileItem *file = item;

  if (!file->is_folder || file->number == CS_CHOOSER_NONE)
    return NULL;
  return G_LIST_MODEL (cs_folder_rows_new (user_data, file, file->number));
}

/* Those above it come first. */
static int
compare_depth (gconstpointer a, gconstpointer b)
{
  const CsFolderRows *x = *(const CsFolderRows *const *) a, *y = *(const CsFolderRows *const *) b;

  return x->item == NULL ? -1 : y->item == NULL ? 1 : strcmp (x->item->path, y->item->path);
}

static void
update_folders (CsFileTree *self, gboolean renumbered)
{
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_rows = g_list_model_get_n_items (G_LIST_MODEL (self->rows)), n_held = 0;
  gboolean lost = FALSE;

  /* A folder that goes takes those below it with it. */
  for (guint i = 0; i < self->folders->len; i++)
    g_ptr_array_add (folders, g_object_ref (self->folders->pdata[i]));
  g_ptr_array_sort (folders, compare_depth);
  /* While one tells of its change, all are asked for rows. GtkTreeListModel of GTK 4.8 listens on to the rows of a folder
   * that it has closed: they mustn't be held for longer than this. */
  for (guint i = 0; i < folders->len; i++)
    {
      cs_folder_rows_prepare (folders->pdata[i], renumbered);
      lost |= cs_folder_rows_has_lost (folders->pdata[i]);
      n_held += cs_folder_rows_get_n_held (folders->pdata[i]);
    }
  /* A list that has no widgets for some rows may ask for these in between, when it isn't known what they were. */
  lost = renumbered && (lost || n_held < n_rows);
  if (lost)
    g_signal_emit (self, tree_signals[DETACH], 0);
  for (guint i = 0; i < folders->len; i++)
    cs_folder_rows_tell (folders->pdata[i]);
  if (lost)
    g_signal_emit (self, tree_signals[ATTACH], 0);
}

static GtkTreeListRow *
find_row (CsFileTree *self, guint32 number)
{
  GtkTreeListRow *row = NULL;
  guint32 folder = CS_CHOOSER_ROOT;

  while (folder != number)
    {
      guint32 key = cs_file_tree_get_child_key (self->chooser, folder, number);
      g_autoptr (GListModel) model = row != NULL ? NULL : g_object_ref (G_LIST_MODEL (self->root));
      g_autoptr (GtkTreeListRow) above = row;
      guint position;

      row = NULL;
      if (key == CS_CHOOSER_NONE)
        return NULL;
      if (above != NULL)
        {
          if (gtk_tree_list_row_get_children (above) == NULL)
            return NULL;
          model = g_object_ref (gtk_tree_list_row_get_children (above));
        }
      position = cs_folder_rows_find_key (CS_FOLDER_ROWS (model)->keys, key);
      if (position == CS_SPLICE_GONE)
        return NULL;
      row = above != NULL ? gtk_tree_list_row_get_child_row (above, position)
                          : gtk_tree_list_model_get_child_row (self->rows, position);
      folder = cs_file_tree_unfold (self->chooser, key);
      if (row == NULL || (folder != number && cs_file_tree_get_child_key (self->chooser, folder, number) == CS_CHOOSER_NONE))
        {
          g_clear_object (&row);
          return NULL;
        }
    }
  return row;
}

/**
 * cs_file_tree_find_row:
 * @self: a tree
 * @path: of a folder, relative to the root
 *
 * Returns: (transfer full) (nullable): its row, if all above it are expanded and it is shown
 */
GtkTreeListRow *
cs_file_tree_find_row (CsFileTree *self, const char *path)
{
  guint32 folder = cs_file_tree_find_folder (self->chooser, path);

  return folder != CS_CHOOSER_NONE && folder != CS_CHOOSER_ROOT ? find_row (self, folder) : NULL;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
}

/* Closes what a filter had opened. */
static void
close_opened (CsFileTree *self)
{
  g_autoptr (GList) paths = g_list_sort (g_hash_table_get_keys (self->opened), compare_paths);

  for (GList *l = paths; l != NULL; l = l->next)
    {
      g_autoptr (GtkTreeListRow) row = cs_file_tree_find_row (self, l->data);

      if (row != NULL && !g_hash_table_contains (self->expanded, l->data))
        gtk_tree_list_row_set_expanded (row, FALSE);
    }
  g_hash_table_remove_all (self->opened);
}

/* Opens what is to be open. */
static void
restore_expanded (CsFileTree *self)
{
  g_autoptr (GList) paths = g_list_sort (g_hash_table_get_keys (self->expanded), compare_paths);

  for (GList *l = paths; l != NULL; l = l->next)
    {
      g_autoptr (GtkTreeListRow) row = cs_file_tree_find_row (self, l->data);

      if (row != NULL)
        gtk_tree_list_row_set_expanded (row, TRUE);
    }
}

/* Opens folders from above until there are enough rows. Returns whether there is more to do. */
static gboolean
open_more (CsFileTree *self, guint most, GHashTable *into)
{
  gint64 end = g_get_monotonic_time () + SLICE_US;
  GListModel *rows = G_LIST_MODEL (self->rows);

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (rows, i);
      g_autoptr (CsFileItem) item = gtk_tree_list_row_get_item (row);

      if (item == NULL || !item->is_folder || gtk_tree_list_row_get_expanded (row))
        continue;
      if (g_list_model_get_n_items (rows) >= most)
        return FALSE;
      if (self->filter == NULL
          && g_list_model_get_n_items (rows) + cs_chooser_get_folder (self->chooser, item->number)->n_own > most)
        continue;
      if (g_get_monotonic_time () > end)
        return TRUE;
      g_hash_table_add (into, g_strdup (item->path));
      gtk_tree_list_row_set_expanded (row, TRUE);
    }
  return FALSE;
}

static gboolean
open_slice (gpointer user_data)
{
  CsFileTree *self = user_data;

  if (self->filter != NULL && open_more (self, FILTER_ROWS, self->opened))
    return G_SOURCE_CONTINUE;
  if (self->filter == NULL && self->opening_first && open_more (self, FIRST_ROWS, self->expanded))
    return G_SOURCE_CONTINUE;
  self->opening_first = FALSE;
  self->open_source = 0;
  return G_SOURCE_REMOVE;
}

static void
start_opening (CsFileTree *self)
{
  if (self->open_source == 0 && open_slice (self) == G_SOURCE_CONTINUE)
    self->open_source = g_idle_add (open_slice, self);
}

static void
stop_filter (CsFileTree *self)
{
  g_clear_handle_id (&self->filter_source, g_source_remove);
  g_clear_pointer (&self->found, g_free);
}

static void
finish_filter (CsFileTree *self)
{
  g_free (self->shown);
  self->shown = g_steal_pointer (&self->found);
  g_signal_emit (self, tree_signals[DETACH], 0);
  if (self->shown == NULL)
    {
      close_opened (self);
      update_folders (self, FALSE);
      restore_expanded (self);
    }
  else
    update_folders (self, FALSE);
  g_signal_emit (self, tree_signals[ATTACH], 0);
  if (self->shown != NULL)
    start_opening (self);
  g_signal_emit (self, tree_signals[FILTERED], 0);
}

static gboolean
filter_slice (gpointer user_data)
{
  CsFileTree *self = user_data;
  gint64 end = g_get_monotonic_time () + SLICE_US;

  for (; self->next_file < self->n_files; self->next_file++)
    {
      const CsSourceFile *file = cs_chooser_get_file (self->chooser, self->next_file);

      if (self->next_file % 64 == 63 && g_get_monotonic_time () > end)
        return G_SOURCE_CONTINUE;
      self->found[self->next_file + 1] = self->found[self->next_file] + (strcasestr (file->path, self->filter) != NULL);
    }
  self->filter_source = 0;
  finish_filter (self);
  return G_SOURCE_REMOVE;
}

static void
start_filter (CsFileTree *self)
{
  stop_filter (self);
  self->n_files = cs_chooser_get_n_files (self->chooser);
  self->next_file = 0;
  if (self->filter == NULL)
    {
      if (self->shown != NULL || g_hash_table_size (self->opened) > 0)
        finish_filter (self);
      return;
    }
  self->found = g_new0 (guint32, self->n_files + 1);
  self->filter_source = g_idle_add (filter_slice, self);
}

static void
on_files_changed (CsFileTree *self)
{
  /* What is filtered is of the files before; until it is filtered anew all are shown. */
  stop_filter (self);
  g_clear_pointer (&self->shown, g_free);
  update_folders (self, TRUE);
  restore_expanded (self);
  if (!self->first_opened && cs_chooser_get_n_files (self->chooser) > 0)
    {
      self->first_opened = self->opening_first = TRUE;
      start_opening (self);
    }
  start_filter (self);
}

/* Lets the rows that somebody looks at be shown anew. */
static void
touch (CsFileTree *self)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->folders->len; i++)
    {
      GHashTableIter iter;
      gpointer item;

      g_hash_table_iter_init (&iter, CS_FOLDER_ROWS (self->folders->pdata[i])->live);
      while (g_hash_table_iter_next (&iter, NULL, &item))
        g_ptr_array_add (items, g_object_ref (item));
    }
  for (guint i = 0; i < items->len; i++)
    cs_file_item_emit_changed (items->pdata[i]);
}

static void
cs_file_tree_dispose (GObject *object)
{
  CsFileTree *self = CS_FILE_TREE (object);

  stop_filter (self);
  g_clear_handle_id (&self->open_source, g_source_remove);
  for (guint i = 0; i < self->folders->len; i++)
    CS_FOLDER_ROWS (self->folders->pdata[i])->tree = NULL;
  g_ptr_array_set_size (self->folders, 0);
  g_clear_object (&self->rows);
  g_clear_object (&self->root);
  g_clear_object (&self->chooser);

  G_OBJECT_CLASS (cs_file_tree_parent_class)->dispose (object);
}

static void
cs_file_tree_finalize (GObject *object)
{
  CsFileTree *self = CS_FILE_TREE (object);

  g_ptr_array_unref (self->folders);
  g_hash_table_unref (self->expanded);
  g_hash_table_unref (self->opened);
  g_free (self->filter);
  g_free (self->shown);
  g_free (self->found);

  G_OBJECT_CLASS (cs_file_tree_parent_class)->finalize (object);
}

static void
cs_file_tree_class_init (CsFileTreeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_file_tree_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_file_tree_finalize;
  tree_signals[FILTERED] = g_signal_new ("filtered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
  tree_signals[DETACH] = g_signal_new ("detach", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 0);
  tree_signals[ATTACH] = g_signal_new ("attach", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 0);
}

static void
cs_file_tree_init (CsFileTree *self)
{
  self->folders = g_ptr_array_new ();
  self->expanded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->opened = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/**
 * cs_file_tree_new:
 * @chooser: whose files it shows
 *
 * Returns: (transfer full): the tree, with the first folders open
 */
CsFileTree *
cs_file_tree_new (CsChooser *chooser)
{
  CsFileTree *self = g_object_new (CS_TYPE_FILE_TREE, NULL);

  self->chooser = g_object_ref (chooser);
  self->root = cs_folder_rows_new (self, NULL, CS_CHOOSER_ROOT);
  self->rows = gtk_tree_list_model_new (g_object_ref (G_LIST_MODEL (self->root)), FALSE, FALSE, make_children, self, NULL);
  g_signal_connect_object (chooser, "files-changed", G_CALLBACK (on_files_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "functions-changed", G_CALLBACK (touch), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "selection-changed", G_CALLBACK (touch), self, G_CONNECT_SWAPPED);
  /* Without a text that can be used nothing can be ticked. */
  g_signal_connect_object (chooser, "notify::text-error", G_CALLBACK (touch), self, G_CONNECT_SWAPPED);
  if (cs_chooser_get_n_files (chooser) > 0)
    on_files_changed (self);
  return self;
}

/**
 * cs_file_tree_get_rows:
 * @self: a tree
 *
 * Returns: (transfer none): its rows, with items of #CsFileItem
 */
GtkTreeListModel *
cs_file_tree_get_rows (CsFileTree *self)
{
  return self->rows;
}

/**
 * cs_file_tree_set_filter:
 * @self: a tree
 * @text: what the paths of shown files contain, capitals or not; "" for all
 *
 * Filters in the background; CsFileTree::filtered tells when it is done.
 */
void
cs_file_tree_set_filter (CsFileTree *self, const char *text)
{
  if (g_strcmp0 (self->filter != NULL ? self->filter : "", text) == 0)
    return;
  g_free (self->filter);
  self->filter = *text != '\0' ? g_strdup (text) : NULL;
  start_filter (self);
}

/**
 * cs_file_tree_get_filtering:
 * @self: a tree
 *
 * Returns: whether a filter is being applied
 */
gboolean
cs_file_tree_get_filtering (CsFileTree *self)
{
  return self->filter_source != 0;
}

/**
 * cs_file_tree_get_n_shown:
 * @self: a tree
 *
 * Returns: how many files the filter shows
 */
guint
cs_file_tree_get_n_shown (CsFileTree *self)
{
  return cs_file_tree_count_shown (self, 0, cs_chooser_get_n_files (self->chooser));
}

/**
 * cs_file_tree_dup_shown:
 * @self: a tree
 * @folder: number of a folder; %CS_CHOOSER_ROOT: everything
 * @n: (out): how many files there are
 *
 * Returns: (transfer full) (array length=n) (nullable): the numbers of the files below it that a filter shows; %NULL: all,
 *   there is no filter
 */
guint32 *
cs_file_tree_dup_shown (CsFileTree *self, guint folder, gsize *n)
{
  const CsChooserFolder *f;
  g_autoptr (GArray) files = NULL;

  *n = 0;
  if (self->shown == NULL || folder >= cs_chooser_get_n_folders (self->chooser))
    return NULL;
  f = cs_chooser_get_folder (self->chooser, folder);
  files = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = f->first_file; i < f->first_file + f->n_files; i++)
    if (cs_file_tree_is_shown (self, i))
      g_array_append_val (files, i);
  return g_array_steal (files, n);
}

/**
 * cs_file_tree_set_expanded:
 * @self: a tree
 * @row: one of its rows
 * @expanded: whether it is to be open
 *
 * Opens or closes a folder as a person does: when the tree changes, it is so again.
 */
void
cs_file_tree_set_expanded (CsFileTree *self, GtkTreeListRow *row, gboolean expanded)
{
  g_autoptr (CsFileItem) item = gtk_tree_list_row_get_item (row);

  if (item == NULL || !item->is_folder)
    return;
  if (expanded)
    g_hash_table_add (self->expanded, g_strdup (item->path));
  else
    {
      g_hash_table_remove (self->expanded, item->path);
      g_hash_table_remove (self->opened, item->path);
    }
  gtk_tree_list_row_set_expanded (row, expanded);
  if (expanded)
    restore_expanded (self);
}
