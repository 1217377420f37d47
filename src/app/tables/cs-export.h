/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report.h"
#include "tables/cs-export-question.h"

G_BEGIN_DECLS

/* A format that a recording can be exported in. */
typedef struct
{
  CsExportKind kind;
  CsReportFormat format;
  gboolean of_events; /* a summary doesn't hold what it needs */
} CsExportFormat;

const CsExportFormat *cs_export_get_formats (guint *n);
void cs_export_start (CsSession *session, const CsExportFormat *format, const char *path);

G_END_DECLS
