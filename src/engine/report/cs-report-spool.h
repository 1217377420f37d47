/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report-writer.h"

G_BEGIN_DECLS

/* Texts that grow side by side and are written one after the other: what doesn't fit into a bounded
 * buffer waits in a temporary file, which nobody else sees. */
typedef struct _CsReportSpool CsReportSpool;
typedef struct _CsSpoolText CsSpoolText;

CsReportSpool *cs_report_spool_new (void);
void cs_report_spool_free (CsReportSpool *self);
CsSpoolText *cs_report_spool_add (CsReportSpool *self);
void cs_report_spool_append (CsReportSpool *self, CsSpoolText *text, const char *bytes, gsize n);
void cs_report_spool_write (CsReportSpool *self, CsSpoolText *text, CsReportWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsReportSpool, cs_report_spool_free)

G_END_DECLS
