/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "select/cs-file-tree.h"
#include "select/cs-splice.h"

#define SLICE_US 4000        /* of the main loop at a time */
#define FIRST_ROWS 60        /* folders are opened at first until there are so many rows */
#define FILTER_ROWS 400      /* and while a filter is set */
#define FILE_KEY 0x80000000u /* what a file's key has besides its number; folders come before files */

/* The rows right below a folder. A row's key is a number of a folder or file; keys ascend. */
#define CS_TYPE_FOLDER_ROWS (cs_folder_rows_get_type ())
G_DECLARE_FINAL_TYPE (CsFolderRows, cs_folder_rows, CS, FOLDER_ROWS, GObject)

struct _CsFileItem
{
  GObject parent_instance;

  GHashTable *live; /* (nullable): where it is registered until it is gone */
  guint32 key;      /* there; of a folder that others are folded into, the outermost of them */
  guint32 number;
  char *path;
  char *name;
  gboolean is_folder;
};

struct _CsFolderRows
{
  GObject parent_instance;

  CsFileTree *tree; /* (unowned) (nullable): NULL once that is gone */
  CsFileItem *item; /* (nullable): the folder; NULL: the root */
  guint32 folder;
  GArray *keys;     /* guint32 */
  GArray *old_keys; /* (nullable): while a change is told */
  GHashTable *live; /* key → CsFileItem (unowned) */
  GHashTable *old_live; /* (nullable) */
  GPtrArray *kept;      /* CsFileItem: that are among the old rows and among the new ones, while a change is told */
  GArray *places;       /* (nullable): CsSpliceItem, of those that were held */
  CsSplice splice;
};

struct _CsFileTree
{
  GObject parent_instance;

  CsChooser *chooser;
  CsFolderRows *root;
  GtkTreeListModel *rows;
  GPtrArray *folders; /* (unowned): all CsFolderRows */
  GHashTable *expanded; /* paths of folders that are to be open */
  GHashTable *opened;   /* paths of folders that the filter opened */
  gboolean first_opened, opening_first;

  char *filter;         /* (nullable) */
  guint32 *shown;       /* (nullable): for each file how many before it the filter shows, and the sum */
  guint32 *found;       /* (nullable): the same while it is made */
  guint n_files;        /* of either */
  guint next_file;
  guint filter_source, open_source;
};

enum
{
  CHANGED,
  N_ITEM_SIGNALS
};

enum
{
  FILTERED,
  DETACH,
  ATTACH,
  N_TREE_SIGNALS
};

static guint item_signals[N_ITEM_SIGNALS], tree_signals[N_TREE_SIGNALS];

G_DEFINE_FINAL_TYPE (CsFileItem, cs_file_item, G_TYPE_OBJECT)

static void
cs_file_item_finalize (GObject *object)
{
  CsFileItem *self = CS_FILE_ITEM (object);

  if (self->live != NULL && g_hash_table_lookup (self->live, GUINT_TO_POINTER (self->key)) == self)
    g_hash_table_remove (self->live, GUINT_TO_POINTER (self->key));
  g_clear_pointer (&self->live, g_hash_table_unref);
  g_free (self->path);
  g_free (self->name);

  G_OBJECT_CLASS (cs_file_item_parent_class)->finalize (object);
}

static void
cs_file_item_class_init (CsFileItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_file_item_finalize;
  item_signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
}

static void
cs_file_item_init (CsFileItem *self)
{
  self->number = CS_CHOOSER_NONE;
}

/**
 * cs_file_item_is_folder:
 * @self: an item
 *
 * Returns: whether it is a folder
 */
gboolean
cs_file_item_is_folder (CsFileItem *self)
{
  return self->is_folder;
}

/**
 * cs_file_item_get_number:
 * @self: an item
 *
 * Returns: its number in the chooser; %CS_CHOOSER_NONE: it isn't there any more
 */
guint
cs_file_item_get_number (CsFileItem *self)
{
  return self->number;
}

/**
 * cs_file_item_get_path:
 * @self: an item
 *
 * Returns: (transfer none): its path, relative to the root
 */
const char *
cs_file_item_get_path (CsFileItem *self)
{
  return self->path;
}

/**
 * cs_file_item_get_name:
 * @self: an item
 *
 * Returns: (transfer none): its path in the folder that it is shown in, as text
 */
const char *
cs_file_item_get_name (CsFileItem *self)
{
  return self->name;
}

/* A folder that has nothing but one folder is shown as one row with it. */
static guint32
unfold (CsChooser *chooser, guint32 folder)
{
  const CsChooserFolder *f = cs_chooser_get_folder (chooser, folder);

  while (f->n_own == 0 && f->n_folders == 1)
    {
      folder = f->first_folder;
      f = cs_chooser_get_folder (chooser, folder);
    }
  return folder;
}

static const char *
get_name_below (const char *path, const char *above)
{
  gsize n = strlen (above);

  return n > 0 && strncmp (path, above, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

static CsFileItem *
make_item (CsFolderRows *self, guint32 key)
{
  CsChooser *chooser = self->tree->chooser;
  CsFileItem *item = g_object_new (CS_TYPE_FILE_ITEM, NULL);
  const char *above = cs_chooser_get_folder (chooser, self->folder)->path;

  item->key = key;
  item->is_folder = (key & FILE_KEY) == 0;
  item->number = item->is_folder ? unfold (chooser, key) : key & ~FILE_KEY;
  item->path = g_strdup (item->is_folder ? cs_chooser_get_folder (chooser, item->number)->path
                                         : cs_chooser_get_file (chooser, item->number)->path);
  item->name = g_utf8_make_valid (get_name_below (item->path, above), -1);
  item->live = g_hash_table_ref (self->live);
  g_hash_table_insert (self->live, GUINT_TO_POINTER (key), item);
  return item;
}

static GType
folder_rows_get_item_type (GListModel *model)
{
  return CS_TYPE_FILE_ITEM;
}

static guint
folder_rows_get_n_items (GListModel *model)
{
  CsFolderRows *self = CS_FOLDER_ROWS (model);

  return self->splice.changing ? cs_splice_get_n (&self->splice) : self->keys->len;
}

static gpointer
folder_rows_get_item (GListModel *model, guint position)
{
  CsFolderRows *self = CS_FOLDER_ROWS (model);
  GArray *keys = self->keys;
  GHashTable *live = self->live;
  CsFileItem *item;
  guint32 key;

  if (position >= folder_rows_get_n_items (model) || self->tree == NULL)
    return NULL;
  if (self->splice.changing && !cs_splice_locate (&self->splice, position, &position))
    {
      keys = self->old_keys;
      live = self->old_live;
    }
  key = g_array_index (keys, guint32, position);
  item = g_hash_table_lookup (live, GUINT_TO_POINTER (key));
  if (item != NULL)
    return g_object_ref (item);
  if (live != self->live)
    {
      /* What its number was is not known any more; it isn't looked at for long. */
      item = g_object_new (CS_TYPE_FILE_ITEM, NULL);
      item->path = g_strdup ("");
      item->name = g_strdup ("");
      return item;
    }
  return make_item (self, key);
}

static void
folder_rows_init_list_model (GListModelInterface *iface)
{
  iface->get_item_type = folder_rows_get_item_type;
  iface->get_n_items = folder_rows_get_n_items;
  iface->get_item = folder_rows_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (CsFolderRows, cs_folder_rows, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, folder_rows_init_list_model))

static void
cs_folder_rows_finalize (GObject *object)
{
  CsFolderRows *self = CS_FOLDER_ROWS (object);

  if (self->tree != NULL)
    g_ptr_array_remove_fast (self->tree->folders, self);
  g_clear_object (&self->item);
  g_array_unref (self->keys);
  g_hash_table_unref (self->live);
  g_ptr_array_unref (self->kept);

  G_OBJECT_CLASS (cs_folder_rows_parent_class)->finalize (object);
}

static void
cs_folder_rows_class_init (CsFolderRowsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_folder_rows_finalize;
}

static void
cs_folder_rows_init (CsFolderRows *self)
{
  self->keys = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->live = g_hash_table_new (NULL, NULL);
  self->kept = g_ptr_array_new_with_free_func (g_object_unref);
}

static gboolean
is_file_shown (CsFileTree *self, guint32 file)
{
  return self->shown == NULL || (file < self->n_files && self->shown[file + 1] > self->shown[file]);
}

static guint
count_shown (CsFileTree *self, guint32 first, guint32 n)
{
  if (self->shown == NULL)
    return n;
  return first + n <= self->n_files ? self->shown[first + n] - self->shown[first] : 0;
}

static GArray *
list_keys (CsFileTree *self, guint32 folder)
{
  GArray *keys = g_array_new (FALSE, FALSE, sizeof (guint32));
  const CsChooserFolder *f;
  const guint32 *files;
  guint n;

  if (folder >= cs_chooser_get_n_folders (self->chooser))
    return keys;
  f = cs_chooser_get_folder (self->chooser, folder);
  for (guint32 i = f->first_folder; i < f->first_folder + f->n_folders; i++)
    {
      const CsChooserFolder *child = cs_chooser_get_folder (self->chooser, i);

      if (count_shown (self, child->first_file, child->n_files) > 0)
        g_array_append_val (keys, i);
    }
  files = cs_chooser_get_own_files (self->chooser, folder, &n);
  for (guint i = 0; i < n; i++)
    if (is_file_shown (self, files[i]))
      {
        guint32 key = files[i] | FILE_KEY;

        g_array_append_val (keys, key);
      }
  return keys;
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

static guint
find_key (GArray *keys, guint32 key)
{
  guint position;

  return g_array_binary_search (keys, &key, compare_keys, &position) ? position : CS_SPLICE_GONE;
}

static CsFolderRows *
folder_rows_new (CsFileTree *tree, CsFileItem *item, guint32 folder)
{
  CsFolderRows *self = g_object_new (CS_TYPE_FOLDER_ROWS, NULL);

  self->tree = tree;
  g_set_object (&self->item, item);
  self->folder = folder;
  g_array_unref (self->keys);
  self->keys = list_keys (tree, folder);
  g_ptr_array_add (tree->folders, self);
  return self;
}

static guint32
find_folder (CsChooser *self, const char *path)
{
  guint32 folder = CS_CHOOSER_ROOT;

  if (cs_chooser_get_n_folders (self) == 0)
    return CS_CHOOSER_NONE;
  while (!g_str_equal (cs_chooser_get_folder (self, folder)->path, path))
    {
      const CsChooserFolder *f = cs_chooser_get_folder (self, folder);
      guint32 next = CS_CHOOSER_NONE;

      for (guint32 i = f->first_folder; i < f->first_folder + f->n_folders && next == CS_CHOOSER_NONE; i++)
        {
          const char *child = cs_chooser_get_folder (self, i)->path;
          gsize n = strlen (child);

          if (strncmp (path, child, n) == 0 && (path[n] == '\0' || path[n] == '/'))
            next = i;
        }
      if (next == CS_CHOOSER_NONE)
        return CS_CHOOSER_NONE;
      folder = next;
    }
  return folder;
}

/* The key of what is shown right below @folder and is, or leads to, a folder: not the one itself where others are folded
 * into its row. */
static guint32
get_child_key (CsChooser *chooser, guint32 folder, guint32 below)
{
  while (below != CS_CHOOSER_NONE && cs_chooser_get_folder (chooser, below)->parent != folder)
    below = cs_chooser_get_folder (chooser, below)->parent;
  return below;
}

/* Gives an item the numbers of another list of files. */
static gboolean
renumber (CsFolderRows *self, CsFileItem *item, guint32 *key)
{
  CsChooser *chooser = self->tree->chooser;

  item->number = CS_CHOOSER_NONE;
  if (self->folder == CS_CHOOSER_NONE)
    return FALSE;
  if (item->is_folder)
    {
      guint32 folder = find_folder (chooser, item->path);

      if (folder == CS_CHOOSER_NONE)
        return FALSE;
      *key = get_child_key (chooser, self->folder, folder);
      /* A folder that others are folded into is a row of its own, or isn't any more. */
      if (*key == CS_CHOOSER_NONE || unfold (chooser, *key) != folder)
        return FALSE;
      item->number = folder;
    }
  else
    {
      guint file = cs_chooser_find_file (chooser, item->path);

      if (file == CS_CHOOSER_NONE || cs_chooser_get_file_folder (chooser, file) != self->folder)
        return FALSE;
      item->number = file;
      *key = file | FILE_KEY;
    }
  return TRUE;
}

/* Finds the rows that are to be shown now, and goes on to show those from before. */
static void
folder_rows_prepare (CsFolderRows *self, gboolean renumbered)
{
  g_autoptr (GList) held = g_hash_table_get_values (self->live);
  GHashTable *next = g_hash_table_new (NULL, NULL);

  if (renumbered && self->item != NULL)
    self->folder = self->item->number;
  self->old_keys = self->keys;
  self->old_live = self->live;
  self->keys = self->folder != CS_CHOOSER_NONE ? list_keys (self->tree, self->folder)
                                               : g_array_new (FALSE, FALSE, sizeof (guint32));
  self->live = next;
  self->places = g_array_new (FALSE, FALSE, sizeof (CsSpliceItem));
  cs_splice_begin (&self->splice, self->old_keys->len, self->keys->len);
  for (GList *l = held; l != NULL; l = l->next)
    {
      CsFileItem *item = l->data;
      CsSpliceItem place = { find_key (self->old_keys, item->key), CS_SPLICE_GONE };
      guint32 key = item->key;

      if (!renumbered || renumber (self, item, &key))
        place.after = find_key (self->keys, key);
      if (place.after != CS_SPLICE_GONE)
        {
          /* Until all is told, it is found both ways. */
          g_hash_table_unref (item->live);
          item->live = g_hash_table_ref (next);
          item->key = key;
          g_hash_table_insert (next, GUINT_TO_POINTER (key), item);
          g_ptr_array_add (self->kept, g_object_ref (item));
        }
      g_array_append_val (self->places, place);
    }
}

static void
folder_rows_tell (CsFolderRows *self)
{
  cs_splice_run (&self->splice, G_LIST_MODEL (self), self->places);
  g_clear_pointer (&self->old_keys, g_array_unref);
  g_clear_pointer (&self->old_live, g_hash_table_unref);
  g_clear_pointer (&self->places, g_array_unref);
  g_ptr_array_set_size (self->kept, 0);
}

G_DEFINE_FINAL_TYPE (CsFileTree, cs_file_tree, G_TYPE_OBJECT)

static GListModel *
make_children (gpointer item, gpointer user_data)
{
  CsFileItem *file = item;

  if (!file->is_folder || file->number == CS_CHOOSER_NONE)
    return NULL;
  return G_LIST_MODEL (folder_rows_new (user_data, file, file->number));
}

/* Those above it come first. */
static int
compare_depth (gconstpointer a, gconstpointer b)
{
  const CsFolderRows *x = *(const CsFolderRows *const *) a, *y = *(const CsFolderRows *const *) b;

  return x->item == NULL ? -1 : y->item == NULL ? 1 : strcmp (x->item->path, y->item->path);
}

static gboolean
has_lost (CsFolderRows *self)
{
  for (guint i = 0; i < self->places->len; i++)
    if (g_array_index (self->places, CsSpliceItem, i).after == CS_SPLICE_GONE)
      return TRUE;
  return FALSE;
}

static void
update_folders (CsFileTree *self, gboolean renumbered)
{
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean lost = FALSE;

  /* A folder that goes takes those below it with it. */
  for (guint i = 0; i < self->folders->len; i++)
    g_ptr_array_add (folders, g_object_ref (self->folders->pdata[i]));
  g_ptr_array_sort (folders, compare_depth);
  /* While one tells of its change, all are asked for rows. GtkTreeListModel of GTK 4.8 listens on to the rows of a folder
   * that it has closed: they mustn't be held for longer than this. */
  for (guint i = 0; i < folders->len; i++)
    {
      folder_rows_prepare (folders->pdata[i], renumbered);
      lost |= has_lost (folders->pdata[i]);
    }
  lost &= renumbered;
  if (lost)
    g_signal_emit (self, tree_signals[DETACH], 0);
  for (guint i = 0; i < folders->len; i++)
    folder_rows_tell (folders->pdata[i]);
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
      guint32 key = get_child_key (self->chooser, folder, number);
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
      position = find_key (CS_FOLDER_ROWS (model)->keys, key);
      if (position == CS_SPLICE_GONE)
        return NULL;
      row = above != NULL ? gtk_tree_list_row_get_child_row (above, position)
                          : gtk_tree_list_model_get_child_row (self->rows, position);
      folder = unfold (self->chooser, key);
      if (row == NULL || (folder != number && get_child_key (self->chooser, folder, number) == CS_CHOOSER_NONE))
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
  guint32 folder = find_folder (self->chooser, path);

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
    g_signal_emit (items->pdata[i], item_signals[CHANGED], 0);
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
  self->root = folder_rows_new (self, NULL, CS_CHOOSER_ROOT);
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
  return count_shown (self, 0, cs_chooser_get_n_files (self->chooser));
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
    if (is_file_shown (self, i))
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
