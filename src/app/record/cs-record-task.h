/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"
#include "project/cs-recordings.h"
#include "record/cs-log.h"
#include "record/cs-run-settings.h"
#include "session/cs-jobs.h"

G_BEGIN_DECLS

/* One recording of a program. Emits "refreshed" about once a second while it runs, and "ended" once. It lives until
 * then, also when nobody else holds it. Its property `state` (a CsRunState as guint) notifies. */
#define CS_TYPE_RECORD_TASK (cs_record_task_get_type ())
G_DECLARE_FINAL_TYPE (CsRecordTask, cs_record_task, CS, RECORD_TASK, GObject)

/* What is known of a recording while it is made. */
typedef struct
{
  guint64 events;       /* enters and exits so far */
  double rate;          /* events a second now; negative: not known yet */
  guint64 bytes;        /* of its files */
  gint64 budget;        /* bytes; 0: no limit, negative: not told */
} CsRecordNumbers;

CsRecordTask *cs_record_task_new (CsRunSettings *settings, const char *config_path, CsJobs *jobs);
void cs_record_task_start (CsRecordTask *self);
void cs_record_task_stop (CsRecordTask *self);
void cs_record_task_kill (CsRecordTask *self);
gboolean cs_record_task_write_input (CsRecordTask *self, const char *line, GError **error);
void cs_record_task_close_input (CsRecordTask *self);
CsRunState cs_record_task_get_state (CsRecordTask *self);
gboolean cs_record_task_takes_input (CsRecordTask *self);
CsLog *cs_record_task_get_log (CsRecordTask *self);
gint64 cs_record_task_get_elapsed_us (CsRecordTask *self);
void cs_record_task_get_numbers (CsRecordTask *self, CsRecordNumbers *numbers);
CsProfile *cs_record_task_get_profile (CsRecordTask *self);
const char *cs_record_task_get_folder (CsRecordTask *self);
gboolean cs_record_task_has_recorded (CsRecordTask *self);
const CsRunResult *cs_record_task_get_result (CsRecordTask *self);
const GError *cs_record_task_get_error (CsRecordTask *self);
char *cs_record_task_dup_summary (CsRecordTask *self);

G_END_DECLS
