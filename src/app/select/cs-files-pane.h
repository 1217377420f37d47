/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "select/cs-file-tree.h"

G_BEGIN_DECLS

/* A project's files as a tree with check boxes. Signals: scope-changed, when another file or folder is selected;
 * shown-changed, when the filter shows others. */
#define CS_TYPE_FILES_PANE (cs_files_pane_get_type ())
G_DECLARE_FINAL_TYPE (CsFilesPane, cs_files_pane, CS, FILES_PANE, AdwBin)

void cs_files_pane_set_chooser (CsFilesPane *self, CsChooser *chooser);
CsFileTree *cs_files_pane_get_tree (CsFilesPane *self);
GtkListView *cs_files_pane_get_list (CsFilesPane *self);
CsFileItem *cs_files_pane_get_selected (CsFilesPane *self);
void cs_files_pane_unselect (CsFilesPane *self);
void cs_files_pane_set_filter (CsFilesPane *self, const char *text);
void cs_files_pane_start_search (CsFilesPane *self);
void cs_files_pane_tick_shown (CsFilesPane *self, gboolean on);
void cs_files_pane_set_folded (CsFilesPane *self, gboolean folded);

G_END_DECLS
