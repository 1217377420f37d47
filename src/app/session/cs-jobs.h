/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Something that takes time, while it goes on. Properties: title, detail, progress (0 to 1; negative: not known), cancellable. */
#define CS_TYPE_JOB (cs_job_get_type ())
G_DECLARE_FINAL_TYPE (CsJob, cs_job, CS, JOB, GObject)

const char *cs_job_get_title (CsJob *self);
const char *cs_job_get_detail (CsJob *self);
double cs_job_get_progress (CsJob *self);
GCancellable *cs_job_get_cancellable (CsJob *self);
void cs_job_set_detail (CsJob *self, const char *detail);
void cs_job_set_progress (CsJob *self, double progress);
void cs_job_finish (CsJob *self);

/* All of a window's jobs, a GListModel of CsJob. */
#define CS_TYPE_JOBS (cs_jobs_get_type ())
G_DECLARE_FINAL_TYPE (CsJobs, cs_jobs, CS, JOBS, GObject)

CsJobs *cs_jobs_new (void);
CsJob *cs_jobs_begin (CsJobs *self, const char *title, GCancellable *cancellable);
void cs_jobs_cancel_all (CsJobs *self);

G_END_DECLS
