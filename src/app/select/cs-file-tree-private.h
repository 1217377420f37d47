/* SPDX-License-Identifier: MIT */
#pragma once

#include "select/cs-file-tree.h"
#include "select/cs-splice.h"

G_BEGIN_DECLS

#define CS_FILE_KEY 0x80000000u /* what a file's key has besides its number; folders come before files */

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

void cs_file_item_emit_changed (CsFileItem *self);
CsFolderRows *cs_folder_rows_new (CsFileTree *tree, CsFileItem *item, guint32 folder);
guint cs_folder_rows_find_key (GArray *keys, guint32 key);
void cs_folder_rows_prepare (CsFolderRows *self, gboolean renumbered);
void cs_folder_rows_tell (CsFolderRows *self);
gboolean cs_folder_rows_has_lost (CsFolderRows *self);
guint cs_folder_rows_get_n_held (CsFolderRows *self);
guint32 cs_file_tree_unfold (CsChooser *chooser, guint32 folder);
guint32 cs_file_tree_find_folder (CsChooser *self, const char *path);
guint32 cs_file_tree_get_child_key (CsChooser *chooser, guint32 folder, guint32 below);
gboolean cs_file_tree_is_shown (CsFileTree *self, guint32 file);
guint cs_file_tree_count_shown (CsFileTree *self, guint32 first, guint32 n);

G_END_DECLS
