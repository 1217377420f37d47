/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report-reader.h"

G_BEGIN_DECLS

CsReportFile *cs_report_file_new (const char *name);
guint cs_report_file_add_key (CsReportFile *self, const char *name);
const char *cs_report_file_add_string (CsReportFile *self, const char *text);
gboolean cs_report_file_parse_json (CsReportFile *self, const char *text, gsize length, GCancellable *cancellable,
                                    GError **error);
gboolean cs_report_file_parse_folded (CsReportFile *self, const char *text, gsize length, GError **error);

G_END_DECLS
