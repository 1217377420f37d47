/* SPDX-License-Identifier: MIT */
#pragma once

#include "project/cs-build.h"
#include "record/cs-log.h"
#include "record/cs-run-settings.h"
#include "selection/cs-chooser.h"
#include "session/cs-jobs.h"

G_BEGIN_DECLS

/* One build of a project. Emits "prepared" when it is adopted and what to trace is known, and "ended" once. It lives until
 * then, also when nobody else holds it. */
#define CS_TYPE_BUILD_TASK (cs_build_task_get_type ())
G_DECLARE_FINAL_TYPE (CsBuildTask, cs_build_task, CS, BUILD_TASK, GObject)

CsBuildTask *cs_build_task_new (CsRunSettings *settings, CsChooser *chooser, CsJobs *jobs);
void cs_build_task_start (CsBuildTask *self, gboolean adopt);
void cs_build_task_stop (CsBuildTask *self);
gboolean cs_build_task_is_running (CsBuildTask *self);
CsLog *cs_build_task_get_log (CsBuildTask *self);
const CsBuildResult *cs_build_task_get_result (CsBuildTask *self);
const GError *cs_build_task_get_error (CsBuildTask *self);
gint64 cs_build_task_get_elapsed_us (CsBuildTask *self);
char *cs_build_task_dup_summary (CsBuildTask *self);
char **cs_build_task_dup_details (CsBuildTask *self);

G_END_DECLS
