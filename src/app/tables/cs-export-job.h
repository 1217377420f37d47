/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "session/cs-session.h"

G_BEGIN_DECLS

/* A file that is being written, as one of a session's jobs. */
typedef struct _CsExportJob CsExportJob;

char *cs_export_job_dup_name (CsSession *session, const char *extension);
CsExportJob *cs_export_job_begin (CsSession *session, const char *path);
const char *cs_export_job_get_path (CsExportJob *self);
GCancellable *cs_export_job_get_cancellable (CsExportJob *self);
void cs_export_job_set_progress (CsExportJob *self, double progress);
void cs_export_job_end (CsExportJob *self, const GError *error);
void cs_export_job_save_image (CsExportJob *self, GtkWidget *widget);

G_END_DECLS
