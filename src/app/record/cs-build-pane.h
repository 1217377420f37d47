/* SPDX-License-Identifier: MIT */
#pragma once

#include "record/cs-build-task.h"
#include "record/cs-log-view.h"

G_BEGIN_DECLS

/* How a build goes: what it writes, its problems, what it made. Emits "open-problem" with one that is to be shown in the
 * editor, and "shown" when a build that has ended is wholly on view. */
#define CS_TYPE_BUILD_PANE (cs_build_pane_get_type ())
G_DECLARE_FINAL_TYPE (CsBuildPane, cs_build_pane, CS, BUILD_PANE, AdwBin)

void cs_build_pane_set_task (CsBuildPane *self, CsBuildTask *task, const char *folder);
CsLogView *cs_build_pane_get_log_view (CsBuildPane *self);
void cs_build_pane_step (CsBuildPane *self, gboolean backwards);
CsBuildProblem *cs_build_pane_get_selected (CsBuildPane *self);
const char *cs_build_pane_get_summary (CsBuildPane *self);

G_END_DECLS
