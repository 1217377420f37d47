/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "select/cs-config-editor.h"
#include "select/cs-files-pane.h"
#include "select/cs-functions-pane.h"
#include "select/cs-select-summary.h"
#include "session/cs-view.h"

G_BEGIN_DECLS

/* Where a project's functions are chosen. */
#define CS_TYPE_SELECT_VIEW (cs_select_view_get_type ())
G_DECLARE_FINAL_TYPE (CsSelectView, cs_select_view, CS, SELECT_VIEW, AdwBin)

CsFilesPane *cs_select_view_get_files (CsSelectView *self);
CsFunctionsPane *cs_select_view_get_functions (CsSelectView *self);
CsConfigEditor *cs_select_view_get_editor (CsSelectView *self);
CsSelectSummary *cs_select_view_get_summary (CsSelectView *self);
const char *cs_select_view_get_page (CsSelectView *self);
gboolean cs_select_view_get_banner_shown (CsSelectView *self);

G_END_DECLS
