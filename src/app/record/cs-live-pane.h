/* SPDX-License-Identifier: MIT */
#pragma once

#include "record/cs-log-view.h"
#include "record/cs-record-task.h"

G_BEGIN_DECLS

/* How a recording goes: its numbers, the functions with the most time so far, and what the program writes. */
#define CS_TYPE_LIVE_PANE (cs_live_pane_get_type ())
G_DECLARE_FINAL_TYPE (CsLivePane, cs_live_pane, CS, LIVE_PANE, AdwBin)

void cs_live_pane_set_task (CsLivePane *self, CsRecordTask *task);
CsLogView *cs_live_pane_get_log_view (CsLivePane *self);
GListModel *cs_live_pane_get_functions (CsLivePane *self);
const char *cs_live_pane_get_summary (CsLivePane *self);
GtkWidget *cs_live_pane_get_input (CsLivePane *self);
void cs_live_pane_end_input (CsLivePane *self);

G_END_DECLS
