/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "base/cs-save-file.h"
#include "report/cs-report-selection.h"
#include "tables/cs-export.h"
#include "tables/cs-export-job.h"

/* How often the job says how far it is. */
#define PROGRESS_MS 100

static const CsExportFormat formats[] = {
  { { N_("Text report"), N_("Tables to read or to paste"), "txt" }, CS_REPORT_TEXT, FALSE },
  { { N_("CSV"), N_("All functions with exact numbers, for spreadsheets"), "csv" }, CS_REPORT_CSV, FALSE },
  { { N_("JSON"), N_("For programs, and to compare with a later recording"), "json" }, CS_REPORT_JSON, FALSE },
  { { N_("Flame graph (SVG)"), N_("A picture to look at in a browser"), "svg" }, CS_REPORT_SVG, TRUE },
  { { N_("Call tree"), N_("Paths of calls with their times, as text"), "tree.txt" }, CS_REPORT_TREE, TRUE },
  { { N_("Callers"), N_("Which line calls which function how often, as text"), "callers.txt" }, CS_REPORT_CALLERS, TRUE },
  { { N_("Slowest calls"), N_("The longest single calls, as text"), "slowest.txt" }, CS_REPORT_SLOWEST, TRUE },
  { { N_("Folded stacks"), N_("For flame graph tools"), "folded" }, CS_REPORT_FOLDED, TRUE },
  { { N_("Chrome trace"), N_("Every call, for chrome://tracing and Perfetto"), "chrome.json" }, CS_REPORT_CHROME, TRUE },
  { { N_("Perfetto trace"), N_("Every call, smaller than a Chrome trace"), "pftrace" }, CS_REPORT_PERFETTO, TRUE },
  { { N_("Speedscope"), N_("Every call, for speedscope.app"), "speedscope.json" }, CS_REPORT_SPEEDSCOPE, TRUE },
  { { N_("Callgrind"), N_("For KCachegrind"), "callgrind.out" }, CS_REPORT_CALLGRIND, TRUE },
};

/* A file that is being written. */
typedef struct
{
  CsExportJob *job;
  CsProfile *profile;
  CsSaveFile *file; /* (nullable) */
  CsReportFormat format;
  guint64 done, total; /* bytes of the recording that are read again */
  guint timer;
} Export;

static void
export_free (Export *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_object_unref (self->profile);
  g_clear_pointer (&self->file, cs_save_file_free);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Export, export_free)

/**
 * cs_export_get_formats:
 * @n: (out): how many there are
 *
 * Returns: (transfer none) (array length=n): the formats that a recording can be exported in
 */
const CsExportFormat *
cs_export_get_formats (guint *n)
{
  *n = G_N_ELEMENTS (formats);
  return formats;
}

static gboolean
on_timer (gpointer data)
{
  Export *self = data;

  cs_export_job_set_progress (self->job, (double) __atomic_load_n (&self->done, __ATOMIC_RELAXED) / (double) self->total);
  return G_SOURCE_CONTINUE;
}

/* In a thread: what was chosen is read from files, and a pipe is opened once somebody reads it. */
static void
run_export (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Export *self = data;
  CsReportOptions options = { .sort = CS_SORT_SELF, .top = cs_report_format_get_top (self->format),
                              .bytes_done = &self->done };
  g_autoptr (CsReportChosen) chosen = NULL;
  g_autoptr (GPtrArray) notices = NULL;
  GError *error = NULL;

  self->file = cs_save_file_open (cs_export_job_get_path (self->job), &error);
  if (self->file == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  cs_report_selection_find (self->profile, NULL, &chosen, &notices, NULL);
  options.chosen = chosen;
  options.notices = notices != NULL ? (const char *const *) notices->pdata : cs_profile_get_notices (self->profile);
  if (cs_report_write (self->profile, self->format, &options, cs_save_file_get_stream (self->file), cancellable, &error)
      && !g_cancellable_set_error_if_cancelled (cancellable, &error)
      && cs_save_file_commit (self->file, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Export) self = user_data;
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  /* It says no more how far it is. */
  g_clear_handle_id (&self->timer, g_source_remove);
  cs_export_job_end (self->job, error);
}

/**
 * cs_export_start:
 * @session: a session with a profile
 * @format: how to write it
 * @path: the file to write; it stays as it is until all is written
 *
 * Writes what callsight-cli analyze --format does, in the background, as one of the session's jobs.
 */
void
cs_export_start (CsSession *session, const CsExportFormat *format, const char *path)
{
  CsProfile *profile = cs_session_get_profile (session);
  g_autoptr (GTask) task = NULL;
  Export *self;

  g_return_if_fail (CS_IS_PROFILE (profile));

  self = g_new0 (Export, 1);
  self->profile = g_object_ref (profile);
  self->job = cs_export_job_begin (session, path);
  self->total = cs_recording_get_n_bytes (cs_profile_get_recording (profile));
  self->format = format->format;
  if (cs_report_format_reads_again (format->format) && self->total > 0)
    self->timer = g_timeout_add (PROGRESS_MS, on_timer, self);
  /* What is cancelled after it took its place isn't said to be gone. */
  task = g_task_new (NULL, cs_export_job_get_cancellable (self->job), on_written, self);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, self, NULL);
  g_task_run_in_thread (task, run_export);
}
