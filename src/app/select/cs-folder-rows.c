/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "select/cs-file-tree-private.h"

/**
 * cs_file_tree_unfold:
 * @chooser: whose folders they are
 * @folder: number of a folder
 *
 * A folder that has nothing but one folder is shown as one row with it.
 *
 * Returns: the number of the folder that its row is about
 */
guint32
cs_file_tree_unfold (CsChooser *chooser, guint32 folder)
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
  item->is_folder = (key & CS_FILE_KEY) == 0;
  item->number = item->is_folder ? cs_file_tree_unfold (chooser, key) : key & ~CS_FILE_KEY;
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

      if (cs_file_tree_count_shown (self, child->first_file, child->n_files) > 0)
        g_array_append_val (keys, i);
    }
  files = cs_chooser_get_own_files (self->chooser, folder, &n);
  for (guint i = 0; i < n; i++)
    if (cs_file_tree_is_shown (self, files[i]))
      {
        guint32 key = files[i] | CS_FILE_KEY;

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

/**
 * cs_folder_rows_find_key:
 * @keys: (element-type guint32): ascending
 * @key: of a row
 *
 * Returns: its place among them, or %CS_SPLICE_GONE
 */
guint
cs_folder_rows_find_key (GArray *keys, guint32 key)
{
  guint position;

  return g_array_binary_search (keys, &key, compare_keys, &position) ? position : CS_SPLICE_GONE;
}

/**
 * cs_folder_rows_new:
 * @tree: that they are part of
 * @item: (nullable): the folder; %NULL: the root
 * @folder: its number
 *
 * Returns: (transfer full): the rows right below it
 */
CsFolderRows *
cs_folder_rows_new (CsFileTree *tree, CsFileItem *item, guint32 folder)
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

/**
 * cs_file_tree_find_folder:
 * @self: whose folders they are
 * @path: relative to the root
 *
 * Returns: the number of the folder, or %CS_CHOOSER_NONE
 */
guint32
cs_file_tree_find_folder (CsChooser *self, const char *path)
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

/**
 * cs_file_tree_get_child_key:
 * @chooser: whose folders they are
 * @folder: number of a folder
 * @below: number of one somewhere below it
 *
 * Returns: the one of the two or between that lies right in @folder, which is its row's key; %CS_CHOOSER_NONE: @below
 *   isn't below it
 */
guint32
cs_file_tree_get_child_key (CsChooser *chooser, guint32 folder, guint32 below)
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
      guint32 folder = cs_file_tree_find_folder (chooser, item->path);

      if (folder == CS_CHOOSER_NONE)
        return FALSE;
      *key = cs_file_tree_get_child_key (chooser, self->folder, folder);
      /* A folder that others are folded into is a row of its own, or isn't any more. */
      if (*key == CS_CHOOSER_NONE || cs_file_tree_unfold (chooser, *key) != folder)
        return FALSE;
      item->number = folder;
    }
  else
    {
      guint file = cs_chooser_find_file (chooser, item->path);

      if (file == CS_CHOOSER_NONE || cs_chooser_get_file_folder (chooser, file) != self->folder)
        return FALSE;
      item->number = file;
      *key = file | CS_FILE_KEY;
    }
  return TRUE;
}

/**
 * cs_folder_rows_prepare:
 * @self: rows
 * @renumbered: whether files and folders have other numbers now
 *
 * Finds the rows that are to be shown now, and goes on to show those from before.
 */
void
cs_folder_rows_prepare (CsFolderRows *self, gboolean renumbered)
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
      CsSpliceItem place = { cs_folder_rows_find_key (self->old_keys, item->key), CS_SPLICE_GONE };
      guint32 key = item->key;

      if (!renumbered || renumber (self, item, &key))
        place.after = cs_folder_rows_find_key (self->keys, key);
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

/**
 * cs_folder_rows_tell:
 * @self: rows that are prepared
 *
 * Goes over to the new ones, and tells who listens.
 */
void
cs_folder_rows_tell (CsFolderRows *self)
{
  cs_splice_run (&self->splice, G_LIST_MODEL (self), self->places);
  g_clear_pointer (&self->old_keys, g_array_unref);
  g_clear_pointer (&self->old_live, g_hash_table_unref);
  g_clear_pointer (&self->places, g_array_unref);
  g_ptr_array_set_size (self->kept, 0);
}

/**
 * cs_folder_rows_has_lost:
 * @self: rows that are prepared
 *
 * Returns: whether a row that somebody looks at goes
 */
gboolean
cs_folder_rows_has_lost (CsFolderRows *self)
{
  for (guint i = 0; i < self->places->len; i++)
    if (g_array_index (self->places, CsSpliceItem, i).after == CS_SPLICE_GONE)
      return TRUE;
  return FALSE;
}

/**
 * cs_folder_rows_get_n_held:
 * @self: rows that are prepared
 *
 * Returns: how many of the old ones somebody looks at
 */
guint
cs_folder_rows_get_n_held (CsFolderRows *self)
{
  return self->places->len;
}
