/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "select/cs-file-tree-private.h"

static guint changed;

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
  changed = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
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

/**
 * cs_file_item_emit_changed:
 * @self: an item
 *
 * Lets it be shown anew.
 */
void
cs_file_item_emit_changed (CsFileItem *self)
{
  g_signal_emit (self, changed, 0);
}
