/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report.h"
#include "report/cs-report-writer.h"

G_BEGIN_DECLS

/* What the threads of one image of one process did together. */
typedef struct
{
  const CsProcess *process;
  guint n_threads;
  guint64 events;     /* enters and exits */
  gint64 first, last; /* ns, CLOCK_MONOTONIC; first > last: no events */
  guint64 self;       /* ns */
} CsReportProcess;

guint64 cs_report_get_value (const CsFunction *function, CsReportSort sort);
CsReportProcess *cs_report_dup_processes (CsProfile *profile, guint *n);
const CsFunction **cs_report_dup_rows (CsProfile *profile, CsReportSort sort, guint *n);
gboolean cs_report_write_text (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_write_json (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_write_folded (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_write_chrome (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_write_callers (CsProfile *profile, const CsReportOptions *options,
                                  CsReportWriter *writer);
gboolean cs_report_write_tree (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_write_perfetto (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_write_speedscope (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_write_callgrind (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_write_csv (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_write_svg (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);

gboolean cs_report_write_slowest (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer);
gboolean cs_report_check_function (CsProfile *profile, const char *function, GError **error);
void cs_report_details_put_text (CsProfile *profile, const char *function, CsReportWriter *writer);
void cs_report_details_put_json (CsProfile *profile, const char *function, CsReportWriter *writer);

void cs_report_put_ms (CsReportWriter *writer, guint64 ns, guint width);
void cs_report_put_location (CsReportWriter *writer, const CsLocation *location);
const char *const *cs_report_get_notices (CsProfile *profile, const CsReportOptions *options);
void cs_report_put_notices (CsReportWriter *writer, CsProfile *profile, const CsReportOptions *options);

G_END_DECLS
