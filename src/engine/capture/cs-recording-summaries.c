/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "capture/cs-recording-private.h"

static int
compare_summaries (gconstpointer a, gconstpointer b)
{
  return cs_summary_file_compare ((*(CsThreadSummary *const *) a)->file, (*(CsThreadSummary *const *) b)->file);
}

/* A thread's table becomes its summary file when the thread ends: whether `table` is that of
 * which `file` was made. */
static gboolean
is_table_of (const CsSummaryFile *table, const CsSummaryFile *file)
{
  return cs_summary_file_is_table (table) && !cs_summary_file_is_table (file) &&
         cs_trace_header_compare_process (&table->header, table->folder, &file->header, file->folder) == 0 &&
         table->tid == file->tid && table->parts.seq == file->parts.seq &&
         g_str_equal (table->folder, file->folder);
}

/* Of a table and the file that was made of it takes out the table, or the file if it isn't
 * whole yet. */
static void
drop_doubles (CsRecording *self)
{
  for (guint i = 1; i < self->summaries->len;)
    {
      const CsSummaryFile *file = ((CsThreadSummary *) g_ptr_array_index (self->summaries, i - 1))->file;
      const CsSummaryFile *table = ((CsThreadSummary *) g_ptr_array_index (self->summaries, i))->file;

      if (is_table_of (table, file))
        g_ptr_array_remove_index (self->summaries, file->n_records < file->told ? i - 1 : i);
      else
        i++;
    }
}

static void
group_summaries (CsRecording *self)
{
  const CsSummaryFile *previous = NULL;
  CsProcess *process = NULL;

  g_ptr_array_sort (self->summaries, compare_summaries);
  drop_doubles (self);
  for (guint i = 0; i < self->summaries->len; i++)
    {
      CsThreadSummary *summary = g_ptr_array_index (self->summaries, i);
      const CsSummaryFile *file = summary->file;

      if (previous == NULL || cs_trace_header_compare_process (&previous->header, previous->folder, &file->header,
                                                               file->folder) != 0)
        process = cs_recording_add_process (self, &file->header);
      summary->process = process;
      process->hook_ns = MAX (process->hook_ns, file->header.hook_ns);
      cs_summary_file_add_notices (file, self->notices);
      self->n_bytes += file->n_records * file->record_size;
      previous = file;
    }
}

/* Whether a thread's table lies beside the file that it is about to become. */
static gboolean
has_table (const GPtrArray *paths, const char *path)
{
  const char *end = strrchr (path, '.');
  g_autofree char *stem = g_strndup (path, (gsize) (end - path));
  g_autofree char *table = g_strconcat (stem, ".tail", NULL);

  return g_ptr_array_find_with_equal_func ((GPtrArray *) paths, table, g_str_equal, NULL);
}

/**
 * cs_recording_open_summaries:
 * @self: a recording without event files
 * @paths: (element-type filename): summary files, and tables of threads that didn't end cleanly
 * @first_error: (inout): why the first file that can't be read was skipped
 *
 * Opens the summaries and adds their processes.
 */
void
cs_recording_open_summaries (CsRecording *self, const GPtrArray *paths, GError **first_error)
{
  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CsSummaryFile) file =
          cs_summary_file_open (g_ptr_array_index (paths, i), &error);
      CsThreadSummary *summary;

      if (g_error_matches (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND) ||
          (g_error_matches (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_SHORT) &&
           has_table (paths, g_ptr_array_index (paths, i))))
        continue;
      if (file == NULL)
        {
          cs_recording_skip_file (self, error, first_error);
          continue;
        }
      if (!cs_recording_add_known_file (self, file->device, file->inode))
        continue;
      summary = g_new0 (CsThreadSummary, 1);
      summary->file = g_steal_pointer (&file);
      g_ptr_array_add (self->summaries, summary);
    }
  group_summaries (self);
}
