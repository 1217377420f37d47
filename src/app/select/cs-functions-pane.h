/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "select/cs-source-rows.h"
#include "select/cs-subtree-popover.h"
#include "select/cs-last-run.h"

G_BEGIN_DECLS

/* The functions of files, with what is done with each. Signals: open-requested (path, line); shown-changed, when the filter
 * shows others. */
#define CS_TYPE_FUNCTIONS_PANE (cs_functions_pane_get_type ())
G_DECLARE_FINAL_TYPE (CsFunctionsPane, cs_functions_pane, CS, FUNCTIONS_PANE, AdwBin)

void cs_functions_pane_set_chooser (CsFunctionsPane *self, CsChooser *chooser);
void cs_functions_pane_set_last_run (CsFunctionsPane *self, const CsLastRun *last_run);
void cs_functions_pane_set_scope (CsFunctionsPane *self, const char *path, gboolean is_folder);
CsSourceRows *cs_functions_pane_get_rows (CsFunctionsPane *self);
GtkListView *cs_functions_pane_get_list (CsFunctionsPane *self);
CsSubtreePopover *cs_functions_pane_get_preview (CsFunctionsPane *self);
void cs_functions_pane_set_filter (CsFunctionsPane *self, const char *text);
void cs_functions_pane_start_search (CsFunctionsPane *self);
void cs_functions_pane_tick_shown (CsFunctionsPane *self, gboolean on);
void cs_functions_pane_set_folded (CsFunctionsPane *self, gboolean folded);

G_END_DECLS
