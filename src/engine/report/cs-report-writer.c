/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-digits.h"
#include "report/cs-report-writer.h"

#define BUFFER_SIZE (256 * 1024)
#define BUFFER_REST 4096 /* room behind that for what is written before it is flushed */

struct _CsReportWriter
{
  GOutputStream *stream;
  GCancellable *cancellable;
  GString *buffer;
  GError *error;
};

/**
 * cs_report_writer_new:
 * @stream: where the report goes
 * @cancellable: (nullable): to give up early
 *
 * Returns: (transfer full): a writer
 */
CsReportWriter *
cs_report_writer_new (GOutputStream *stream, GCancellable *cancellable)
{
  CsReportWriter *self = g_new0 (CsReportWriter, 1);

  self->stream = g_object_ref (stream);
  if (cancellable != NULL)
    self->cancellable = g_object_ref (cancellable);
  self->buffer = g_string_sized_new (BUFFER_SIZE + BUFFER_REST);
  return self;
}

/**
 * cs_report_writer_free:
 * @self: (transfer full): a writer; what it has not written yet is dropped
 */
void
cs_report_writer_free (CsReportWriter *self)
{
  g_object_unref (self->stream);
  g_clear_object (&self->cancellable);
  g_string_free (self->buffer, TRUE);
  g_clear_error (&self->error);
  g_free (self);
}

/**
 * cs_report_writer_get_cancellable:
 * @self: a writer
 *
 * Returns: (transfer none) (nullable): what ends the writing early
 */
GCancellable *
cs_report_writer_get_cancellable (CsReportWriter *self)
{
  return self->cancellable;
}

/**
 * cs_report_writer_should_stop:
 * @self: a writer
 *
 * Returns: whether writing on is of no use: it was cancelled, or an error came
 */
gboolean
cs_report_writer_should_stop (CsReportWriter *self)
{
  return self->error != NULL || g_cancellable_is_cancelled (self->cancellable);
}

/**
 * cs_report_writer_fail:
 * @self: a writer
 * @error: (transfer full): why the report can't be completed
 *
 * Stops the writing; cs_report_writer_finish() tells of the first error.
 */
void
cs_report_writer_fail (CsReportWriter *self, GError *error)
{
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
}

static void
flush (CsReportWriter *self)
{
  if (self->error == NULL &&
      !g_output_stream_write_all (self->stream, self->buffer->str, self->buffer->len, NULL, self->cancellable, &self->error))
    g_prefix_error (&self->error, "the report can't be written: ");
  g_string_truncate (self->buffer, 0);
}

static inline void
flush_when_full (CsReportWriter *self)
{
  if (G_UNLIKELY (self->buffer->len >= BUFFER_SIZE))
    flush (self);
}

/**
 * cs_report_writer_finish:
 * @self: a writer
 * @error: where to say what went wrong, at any time
 *
 * Writes what is left.
 *
 * Returns: whether everything was written
 */
gboolean
cs_report_writer_finish (CsReportWriter *self, GError **error)
{
  flush (self);
  if (self->error == NULL)
    g_output_stream_flush (self->stream, self->cancellable, &self->error);
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

/**
 * cs_report_writer_printf:
 * @self: a writer
 * @format: printf style
 */
void
cs_report_writer_printf (CsReportWriter *self, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_string_append_vprintf (self->buffer, format, args);
  va_end (args);
  flush_when_full (self);
}

/**
 * cs_report_writer_puts:
 * @self: a writer
 * @text: written as it is
 */
void
cs_report_writer_puts (CsReportWriter *self, const char *text)
{
  g_string_append (self->buffer, text);
  flush_when_full (self);
}

/**
 * cs_report_writer_put_plain:
 * @self: a writer
 * @text: a name from a binary: any bytes
 * @instead_of_semicolon: what to write for a semicolon; a semicolon to leave it
 *
 * Writes a name so that it stays on its line and says nothing to a terminal: control
 * characters become question marks, what is not UTF-8 becomes U+FFFD.
 */
void
cs_report_writer_put_plain (CsReportWriter *self, const char *text, char instead_of_semicolon)
{
  g_autofree char *valid = NULL;

  if (!g_utf8_validate (text, -1, NULL))
    text = valid = g_utf8_make_valid (text, -1);
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      if (g_unichar_iscntrl (g_utf8_get_char (p)))
        g_string_append_c (self->buffer, '?');
      else if (*p == ';')
        g_string_append_c (self->buffer, instead_of_semicolon);
      else
        g_string_append_len (self->buffer, p, g_utf8_next_char (p) - p);
    }
  flush_when_full (self);
}

/**
 * cs_report_append_json_string:
 * @to: where to
 * @text: any bytes
 *
 * Appends a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
 */
void
cs_report_append_json_string (GString *to, const char *text)
{
  g_autofree char *valid = NULL;

  if (!g_utf8_validate (text, -1, NULL))
    text = valid = g_utf8_make_valid (text, -1);
  g_string_append_c (to, '"');
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"' || *p == '\\')
        g_string_append_c (to, '\\');
      if ((guchar) *p < 0x20 || *p == 0x7F)
        g_string_append_printf (to, "\\u%04x", (guint) (guchar) *p);
      else
        g_string_append_c (to, *p);
    }
  g_string_append_c (to, '"');
}

/**
 * cs_report_writer_put_json_string:
 * @self: a writer
 * @text: any bytes
 *
 * Writes a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
 */
void
cs_report_writer_put_json_string (CsReportWriter *self, const char *text)
{
  cs_report_append_json_string (self->buffer, text);
  flush_when_full (self);
}

/**
 * cs_report_writer_put_bytes:
 * @self: a writer
 * @bytes: written as they are
 * @n: how many
 */
void
cs_report_writer_put_bytes (CsReportWriter *self, const void *bytes, gsize n)
{
  g_string_append_len (self->buffer, bytes, (gssize) n);
  flush_when_full (self);
}

/**
 * cs_report_writer_reserve:
 * @self: a writer
 * @n: bytes
 *
 * What is written most often is put into the buffer in place; then cs_report_writer_advance()
 * says how much it was.
 *
 * Returns: (transfer none): room for @n bytes
 */
char *
cs_report_writer_reserve (CsReportWriter *self, gsize n)
{
  GString *buffer = self->buffer;
  gsize used = buffer->len;

  if (G_UNLIKELY (buffer->allocated_len - used <= n))
    {
      g_string_set_size (buffer, used + n);
      buffer->len = used;
    }
  return buffer->str + used;
}

/**
 * cs_report_writer_advance:
 * @self: a writer
 * @end: the end of what was put at the place that cs_report_writer_reserve() told
 */
void
cs_report_writer_advance (CsReportWriter *self, const char *end)
{
  self->buffer->len = (gsize) (end - self->buffer->str);
  self->buffer->str[self->buffer->len] = '\0';
  flush_when_full (self);
}

/**
 * cs_report_writer_put_number:
 * @self: a writer
 * @number: written in decimal
 */
void
cs_report_writer_put_number (CsReportWriter *self, guint64 number)
{
  cs_report_writer_advance (self, cs_digits_put (cs_report_writer_reserve (self, CS_DIGITS_MAX), number));
}

/**
 * cs_report_writer_put_duration:
 * @self: a writer
 * @ns: a duration
 * @width: of the column, right-aligned
 *
 * Writes a duration for people: 71ns, 3.84us, 352.74us, 1.59ms, 2.10s.
 */
void
cs_report_writer_put_duration (CsReportWriter *self, guint64 ns, guint width)
{
  static const struct { guint64 ns; const char *name; } units[] = {
    { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }
  };
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (units) && text == NULL; i++)
    {
      /* In hundredths, rounded half up, so that 999.999 us is 1.00ms and not 1000.00us. */
      guint64 hundredths = (ns + units[i].ns / 200) / (units[i].ns / 100);

      if (hundredths >= 100)
        text = g_strdup_printf ("%" G_GUINT64_FORMAT ".%02u%s", hundredths / 100,
                                (guint) (hundredths % 100), units[i].name);
    }
  if (text == NULL)
    text = g_strdup_printf ("%" G_GUINT64_FORMAT "ns", ns);
  cs_report_writer_printf (self, "%*s", (int) width, text);
}

/**
 * cs_report_writer_put_csv:
 * @self: a writer
 * @text: any bytes; what is not UTF-8 becomes U+FFFD
 *
 * Writes a field as RFC 4180 has it: quoted where it holds a comma, a quote or the end of a line.
 */
void
cs_report_writer_put_csv (CsReportWriter *self, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  if (strpbrk (valid, ",\"\r\n") == NULL)
    {
      cs_report_writer_puts (self, valid);
      return;
    }
  cs_report_writer_puts (self, "\"");
  for (const char *p = valid; *p != '\0';)
    {
      gsize n = strcspn (p, "\"");

      cs_report_writer_put_bytes (self, p, n);
      p += n;
      if (*p == '"')
        {
          cs_report_writer_puts (self, "\"\"");
          p++;
        }
    }
  cs_report_writer_puts (self, "\"");
}
