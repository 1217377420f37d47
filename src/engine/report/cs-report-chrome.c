/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-track-pass.h"
#include "report/cs-report-private.h"

/* The trace-event format of chrome://tracing and Perfetto: one complete event (X) a call,
 * times in µs with three decimals, so that they are exact. */
typedef struct
{
  CsReportWriter *writer;
  CsProfile *profile;
  const CsFunction *functions;
  gint64 first; /* ns: time 0 */
  GCancellable *stop; /* ends the pass when nobody reads any more */
  GPtrArray *names; /* by process: GArray of function indices + 1, by index in the pass */
} Chrome;

static guint
function_index (Chrome *chrome, guint process, const CsPassCall *call)
{
  GArray *known = g_ptr_array_index (chrome->names, process);
  guint *index;

  if (known == NULL)
    known = chrome->names->pdata[process] = g_array_new (FALSE, TRUE, sizeof (guint));
  if (known->len <= call->function)
    g_array_set_size (known, call->function + 1);
  index = &g_array_index (known, guint, call->function);
  if (*index == 0)
    *index = cs_profile_get_function_index (chrome->profile, process, call->address) + 1;
  return *index - 1;
}

static void
put_call (const CsPassThread *thread, const CsPassCall *call, gpointer user_data)
{
  Chrome *chrome = user_data;
  CsReportWriter *writer = chrome->writer;
  guint index = function_index (chrome, thread->process->index, call);
  const CsFunction *function;

  if (cs_report_writer_should_stop (writer))
    {
      g_cancellable_cancel (chrome->stop);
      return;
    }
  if (index == G_MAXUINT)
    {
      cs_report_writer_fail (writer, g_error_new (CS_REPORT_ERROR, CS_REPORT_ERROR_CHANGED,
                                                  "the recording changed while it was read — wait until "
                                                  "the program has ended"));
      return;
    }
  function = &chrome->functions[index];
  cs_report_writer_puts (writer, ",\n{\"ph\":\"X\",\"name\":");
  cs_report_writer_put_json_string (writer, function->location.name);
  cs_report_writer_puts (writer, ",\"ts\":");
  cs_report_writer_put_thousandths (writer, (guint64) call->start - (guint64) chrome->first);
  cs_report_writer_puts (writer, ",\"dur\":");
  cs_report_writer_put_thousandths (writer, (guint64) call->end - (guint64) call->start);
  cs_report_writer_puts (writer, ",\"pid\":");
  cs_report_writer_put_number (writer, thread->process->pid);
  cs_report_writer_puts (writer, ",\"tid\":");
  cs_report_writer_put_number (writer, thread->tid);
  if (call->how == CS_CALL_OPEN)
    cs_report_writer_puts (writer, ",\"args\":{\"end\":\"open\"}");
  else if (call->how == CS_CALL_REPAIRED)
    cs_report_writer_puts (writer, ",\"args\":{\"end\":\"repaired\"}");
  else if (call->how == CS_CALL_CLIPPED)
    cs_report_writer_puts (writer, ",\"args\":{\"end\":\"clipped\"}");
  cs_report_writer_puts (writer, "}");
}

static void
put_names (Chrome *chrome)
{
  CsReportWriter *writer = chrome->writer;
  GPtrArray *processes = cs_recording_get_processes (cs_profile_get_recording (chrome->profile));
  const char *separator = "";
  guint n;
  const CsThreadRow *threads = cs_profile_get_threads (chrome->profile, &n);

  for (guint i = 0; i < processes->len; i++)
    {
      const CsProcess *process = g_ptr_array_index (processes, i);
      g_autofree char *name = process->section != NULL && process->section->exe != NULL
                                  ? g_path_get_basename (process->section->exe)
                                  : g_strdup_printf ("process %u", process->pid);

      cs_report_writer_printf (writer, "%s\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"args\":{\"name\":",
                               separator, process->pid);
      cs_report_writer_put_json_string (writer, name);
      cs_report_writer_puts (writer, "}}");
      separator = ",";
    }
  for (guint i = 0; i < n; i++)
    {
      if (threads[i].name == NULL)
        continue;
      cs_report_writer_printf (writer,
                               ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":",
                               threads[i].pid, threads[i].tid);
      cs_report_writer_put_json_string (writer, threads[i].name);
      cs_report_writer_puts (writer, "}}");
    }
}

static void
free_names (gpointer data)
{
  if (data != NULL)
    g_array_unref (data);
}

static void
on_cancelled (GCancellable *cancellable, gpointer stop)
{
  g_cancellable_cancel (stop);
}

/**
 * cs_report_write_chrome:
 * @profile: what to report
 * @options: where to count the bytes read
 * @writer: where to
 *
 * Reads the recording a second time and writes each call as it is closed.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_chrome (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  CsRecording *recording = cs_profile_get_recording (profile);
  GPtrArray *tracks = cs_recording_get_tracks (recording);
  GCancellable *cancellable = cs_report_writer_get_cancellable (writer);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (free_names);
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  g_autoptr (CsTrackPass) pass = NULL;
  gulong id = cancellable != NULL ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), stop, NULL) : 0;
  guint serial = 0, n;
  guint64 uncounted = 0;
  Chrome chrome = { .writer = writer, .profile = profile, .stop = stop, .names = names };
  gboolean complete = TRUE;

  chrome.functions = cs_profile_get_functions (profile, &n);
  chrome.first = cs_profile_get_totals (profile)->first;
  g_ptr_array_set_size (names, (gint) cs_recording_get_processes (recording)->len);
  pass = cs_track_pass_new (recording, cs_profile_get_clocks (profile),
                            cs_profile_get_landings (profile), cs_profile_get_pass_filter (profile), 0, &serial,
                            options->bytes_done != NULL ? options->bytes_done : &uncounted);
  pass->on_call = put_call;
  pass->on_call_data = &chrome;

  cs_report_writer_puts (writer, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  put_names (&chrome);
  for (guint i = 0; complete && i < tracks->len; i++)
    complete = cs_track_pass_run (pass, g_ptr_array_index (tracks, i), stop);
  cs_report_writer_puts (writer, "\n]}\n");
  g_cancellable_disconnect (cancellable, id);
  return complete;
}
