/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "selection/cs-chooser.h"

G_BEGIN_DECLS

/* A file or a folder in the tree. Signal: changed, when what is chosen of it may be something else. */
#define CS_TYPE_FILE_ITEM (cs_file_item_get_type ())
G_DECLARE_FINAL_TYPE (CsFileItem, cs_file_item, CS, FILE_ITEM, GObject)

gboolean cs_file_item_is_folder (CsFileItem *self);
guint cs_file_item_get_number (CsFileItem *self);
const char *cs_file_item_get_path (CsFileItem *self);
const char *cs_file_item_get_name (CsFileItem *self);

/* A chooser's files as a tree, of which a filter shows a part. Signals: filtered, when a filter has been applied; detach
 * and attach, around changes during which no list may show it: the lists of GTK 4.8 lose count when rows are removed that
 * begin in the middle of those without widgets and reach into those that have some. */
#define CS_TYPE_FILE_TREE (cs_file_tree_get_type ())
G_DECLARE_FINAL_TYPE (CsFileTree, cs_file_tree, CS, FILE_TREE, GObject)

CsFileTree *cs_file_tree_new (CsChooser *chooser);
GtkTreeListModel *cs_file_tree_get_rows (CsFileTree *self);
void cs_file_tree_set_filter (CsFileTree *self, const char *text);
gboolean cs_file_tree_get_filtering (CsFileTree *self);
guint cs_file_tree_get_n_shown (CsFileTree *self);
guint32 *cs_file_tree_dup_shown (CsFileTree *self, guint folder, gsize *n);
void cs_file_tree_set_expanded (CsFileTree *self, GtkTreeListRow *row, gboolean expanded);
GtkTreeListRow *cs_file_tree_find_row (CsFileTree *self, const char *path);

G_END_DECLS
