/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report-writer.h"

G_BEGIN_DECLS

/* The keys of one object: commas go between them. Its end is for whoever began it to write. */
typedef struct
{
  CsReportWriter *writer;
  const char *separator;
} CsReportObject;

CsReportObject cs_report_object_begin (CsReportWriter *writer);
void cs_report_object_key (CsReportObject *object, const char *key);
void cs_report_object_number (CsReportObject *object, const char *key, guint64 number);
void cs_report_object_number_if (CsReportObject *object, gboolean known, const char *key, guint64 number);
void cs_report_object_decimal_if (CsReportObject *object, gboolean known, const char *key, double number);
void cs_report_object_string (CsReportObject *object, const char *key, const char *text);
void cs_report_object_ms (CsReportObject *object, const char *key, guint64 ns);
void cs_report_object_strings (CsReportObject *object, const char *key, const char *const *texts);

G_END_DECLS
