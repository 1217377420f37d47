/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Buffered output of a report. After the first error nothing more is written; it is kept
 * for cs_report_writer_finish(). */
typedef struct _CsReportWriter CsReportWriter;

CsReportWriter *cs_report_writer_new (GOutputStream *stream, GCancellable *cancellable);
void cs_report_writer_free (CsReportWriter *self);
GCancellable *cs_report_writer_get_cancellable (CsReportWriter *self);
gboolean cs_report_writer_should_stop (CsReportWriter *self);
void cs_report_writer_fail (CsReportWriter *self, GError *error);
gboolean cs_report_writer_finish (CsReportWriter *self, GError **error);

void cs_report_writer_printf (CsReportWriter *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void cs_report_writer_puts (CsReportWriter *self, const char *text);
void cs_report_writer_put_plain (CsReportWriter *self, const char *text, char instead_of_semicolon);
void cs_report_writer_put_csv (CsReportWriter *self, const char *text);
void cs_report_writer_put_json_string (CsReportWriter *self, const char *text);
void cs_report_writer_put_number (CsReportWriter *self, guint64 number);
void cs_report_writer_put_duration (CsReportWriter *self, guint64 ns, guint width);
void cs_report_writer_put_bytes (CsReportWriter *self, const void *bytes, gsize n);
char *cs_report_writer_reserve (CsReportWriter *self, gsize n);
void cs_report_writer_advance (CsReportWriter *self, const char *end);

void cs_report_append_json_string (GString *to, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsReportWriter, cs_report_writer_free)

G_END_DECLS
