/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-report-reader-private.h"
#include "report/cs-report.h"

#define BLOCK (256 * 1024)

/**
 * cs_report_file_new:
 * @name: of a file; any bytes
 *
 * Returns: (transfer full): a report without rows
 */
CsReportFile *
cs_report_file_new (const char *name)
{
  CsReportFile *self = g_new0 (CsReportFile, 1);

  self->name = g_filename_display_name (name);
  self->rows = g_array_new (FALSE, TRUE, sizeof (CsReportRow));
  self->values = g_array_new (FALSE, TRUE, sizeof (CsReportValue));
  self->paths = g_array_new (FALSE, TRUE, sizeof (CsReportPath));
  self->keys = g_ptr_array_new ();
  self->key_indices = g_hash_table_new (g_str_hash, g_str_equal);
  self->strings = g_string_chunk_new (4096);
  return self;
}

/**
 * cs_report_file_free:
 * @self: (transfer full): a report
 */
void
cs_report_file_free (CsReportFile *self)
{
  g_free (self->name);
  g_array_unref (self->rows);
  g_array_unref (self->values);
  g_array_unref (self->paths);
  g_clear_pointer (&self->functions, g_array_unref);
  g_ptr_array_unref (self->keys);
  g_strfreev (self->notices);
  g_free (self->program);
  g_free (self->mode);
  g_hash_table_unref (self->key_indices);
  g_string_chunk_free (self->strings);
  g_free (self);
}

/**
 * cs_report_file_add_string:
 * @self: a report
 * @text: any string
 *
 * Returns: (transfer none): a copy that lives as long as @self, the same one for equal strings
 */
const char *
cs_report_file_add_string (CsReportFile *self, const char *text)
{
  return g_string_chunk_insert_const (self->strings, text);
}

/**
 * cs_report_file_add_key:
 * @self: a report
 * @name: of a number that rows have
 *
 * Returns: its index
 */
guint
cs_report_file_add_key (CsReportFile *self, const char *name)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->key_indices, name));

  if (index == 0)
    {
      const char *own = cs_report_file_add_string (self, name);

      g_ptr_array_add (self->keys, (gpointer) own);
      index = self->keys->len;
      g_hash_table_insert (self->key_indices, (gpointer) own, GUINT_TO_POINTER (index));
    }
  return index - 1;
}

/**
 * cs_report_file_find_key:
 * @self: a report
 * @name: of a number
 * @key: (out): its index
 *
 * Returns: whether a row has it
 */
gboolean
cs_report_file_find_key (const CsReportFile *self, const char *name, guint *key)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->key_indices, name));

  *key = index - 1;
  return index != 0;
}

/**
 * cs_report_file_get_value:
 * @self: a report
 * @row: one of its rows
 * @key: index of a number's name
 *
 * Returns: (transfer none) (nullable): the number, where the row has it
 */
const CsReportValue *
cs_report_file_get_value (const CsReportFile *self, const CsReportRow *row, guint key)
{
  for (guint i = 0; i < row->n_values; i++)
    {
      const CsReportValue *value = &g_array_index (self->values, CsReportValue, row->first_value + i);

      if (value->key == key)
        return value;
    }
  return NULL;
}

static gboolean
refuse_size (const char *path, goffset size, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  g_autofree char *text = size > 0 ? g_strdup_printf (" of %" G_GOFFSET_FORMAT " MB", size >> 20) : g_strdup ("");

  g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_SIZE,
               "%s: a file%s is too large, a report of %u MB is the largest that is read — write it again "
               "with --top N, so that it holds fewer functions",
               name, text, (guint) (CS_REPORT_FILE_MAX >> 20));
  return FALSE;
}

/* All of a file. How long a pipe is, it tells at its end. */
static gboolean
read_bytes (const char *path, GByteArray *bytes, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);
  g_autoptr (GFileInfo) info = NULL;
  g_autofree guint8 *block = g_malloc (BLOCK);
  gssize n;

  if (stream == NULL)
    return FALSE;
  info = g_file_input_stream_query_info (stream, G_FILE_ATTRIBUTE_STANDARD_SIZE, cancellable, NULL);
  if (info != NULL && g_file_info_get_size (info) > CS_REPORT_FILE_MAX)
    return refuse_size (path, g_file_info_get_size (info), error);
  while ((n = g_input_stream_read (G_INPUT_STREAM (stream), block, BLOCK, cancellable, error)) > 0)
    {
      if ((goffset) bytes->len + n > CS_REPORT_FILE_MAX)
        return refuse_size (path, 0, error);
      g_byte_array_append (bytes, block, (guint) n);
    }
  return n == 0;
}

static gboolean
parse (CsReportFile *self, const char *text, gsize length, GCancellable *cancellable, GError **error)
{
  const char *end;
  const char *p = text;

  if (!g_utf8_validate_len (text, length, &end))
    {
      g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, "it is no text: byte %" G_GSIZE_FORMAT " is not UTF-8",
                   (gsize) (end - text));
      return FALSE;
    }
  if (length >= 3 && memcmp (p, "\xef\xbb\xbf", 3) == 0)
    p += 3;
  end = text + length;
  text = p;
  while (p < end && g_ascii_isspace (*p))
    p++;
  if (p == end)
    {
      g_set_error_literal (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, "it is empty");
      return FALSE;
    }
  return *p == '{' || *p == '[' ? cs_report_file_parse_json (self, text, (gsize) (end - text), cancellable, error)
                                : cs_report_file_parse_folded (self, text, (gsize) (end - text), error);
}

/**
 * cs_report_file_read:
 * @path: a file
 * @cancellable: (nullable): to give up early
 * @error: where to say why it can't be read, or what about it is wrong
 *
 * Reads a report back: what `analyze --format json` or `--format folded` wrote, ours or the reference
 * implementation's; which of them, its text tells. Blocks.
 *
 * Returns: (transfer full) (nullable): the report
 */
CsReportFile *
cs_report_file_read (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsReportFile) self = cs_report_file_new (path);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) reason = NULL;

  if (read_bytes (path, bytes, cancellable, &reason) &&
      parse (self, (const char *) bytes->data, bytes->len, cancellable, &reason))
    return g_steal_pointer (&self);
  if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
      g_error_matches (reason, CS_REPORT_ERROR, CS_REPORT_ERROR_SIZE))
    g_propagate_error (error, g_steal_pointer (&reason));
  else if (reason->domain == G_IO_ERROR)
    g_set_error (error, reason->domain, reason->code,
                 "%s: can't be read: %s — name a report that callsight-cli analyze --format json --top 0 --out FILE wrote",
                 self->name, reason->message);
  else
    g_set_error (error, reason->domain, reason->code,
                 "%s: is no report that can be compared: %s — write it with callsight-cli analyze --format json --top 0",
                 self->name, reason->message);
  return NULL;
}

static void
run_read (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CsReportFile *report = cs_report_file_read (data, cancellable, &error);

  if (report != NULL)
    g_task_return_pointer (task, report, (GDestroyNotify) cs_report_file_free);
  else
    g_task_return_error (task, error);
}

/**
 * cs_report_file_read_async:
 * @path: a file
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is read, or not
 * @user_data: for @callback
 *
 * cs_report_file_read() in a thread.
 */
void
cs_report_file_read_async (const char *path, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, cs_report_file_read_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, run_read);
}

/**
 * cs_report_file_read_finish:
 * @result: what the callback got
 * @error: where to say why it can't be read, or what about it is wrong
 *
 * Returns: (transfer full) (nullable): the report
 */
CsReportFile *
cs_report_file_read_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
