/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report.h"
#include "session/cs-session.h"

G_BEGIN_DECLS

/* A format that a recording can be exported in. */
typedef struct
{
  CsReportFormat format;
  const char *title;     /* not yet translated */
  const char *use;       /* the same: what it is good for */
  const char *extension;
  gboolean of_events;    /* a summary doesn't hold what it needs */
} CsExportFormat;

const CsExportFormat *cs_export_get_formats (guint *n);
void cs_export_start (CsSession *session, const CsExportFormat *format, const char *path);

G_END_DECLS
