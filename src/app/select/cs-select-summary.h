/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "selection/cs-chooser.h"

G_BEGIN_DECLS

/* What a chooser has chosen, in sentences, and what saving would change. */
#define CS_TYPE_SELECT_SUMMARY (cs_select_summary_get_type ())
G_DECLARE_FINAL_TYPE (CsSelectSummary, cs_select_summary, CS, SELECT_SUMMARY, AdwBin)

void cs_select_summary_set_chooser (CsSelectSummary *self, CsChooser *chooser);
void cs_select_summary_set_rate (CsSelectSummary *self, double events);
void cs_select_summary_set_folded (CsSelectSummary *self, gboolean folded);
void cs_select_summary_look_at_build (CsSelectSummary *self);
const char *cs_select_summary_get_text (CsSelectSummary *self);
char *cs_select_summary_dup_diff (CsSelectSummary *self);
GtkListBox *cs_select_summary_get_warnings (CsSelectSummary *self);

G_END_DECLS
