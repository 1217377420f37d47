/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report.h"
#include "report/cs-report-writer.h"

G_BEGIN_DECLS

const CsFunction **cs_report_dup_rows (CsProfile *profile, CsReportSort sort, guint *n);
gboolean cs_report_write_text (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_write_json (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_write_folded (CsProfile *profile, CsReportWriter *writer);
gboolean cs_report_write_chrome (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_write_callers (CsProfile *profile, const CsReportOptions *options,
                                  CsReportWriter *writer);

G_END_DECLS
