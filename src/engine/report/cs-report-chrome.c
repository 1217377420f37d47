/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-digits.h"
#include "report/cs-report-private.h"
#include "report/cs-report-tracks.h"

/* The trace-event format of chrome://tracing and Perfetto: one complete event (X) a call,
 * times in µs with three decimals, so that they are exact. What is the same in all calls of a
 * function, and in all of a thread, is made once. */
typedef struct
{
  CsReportWriter *writer;
  const CsFunction *functions;
  GString **heads; /* by function: up to the time; nullable elements */
  gint64 first;    /* ns: time 0 */
  CsReportTracks tracks;
} Chrome;

static const GString *
function_head (Chrome *chrome, guint function)
{
  GString *head = chrome->heads[function];

  if (G_UNLIKELY (head == NULL))
    {
      head = chrome->heads[function] = g_string_new (",\n{\"ph\":\"X\",\"name\":");
      cs_report_append_json_string (head, chrome->functions[function].location.name);
      g_string_append (head, ",\"ts\":");
    }
  return head;
}

static inline char *
put (char *to, const char *text, gsize length)
{
  memcpy (to, text, length);
  return to + length;
}

#define PUT_LITERAL(to, text) put ((to), "" text, sizeof (text) - 1)

static gboolean
put_call (CsCallLane *lane, const CsLaneCall *call, gpointer user_data)
{
  Chrome *chrome = user_data;
  const GString *head = function_head (chrome, call->function);
  const GString *tail = lane->data;
  char *to = cs_report_writer_reserve (chrome->writer, head->len + tail->len + 2 * CS_DIGITS_MAX + 64);

  to = put (to, head->str, head->len);
  to = cs_digits_put_thousandths (to, (guint64) call->start - (guint64) chrome->first);
  to = PUT_LITERAL (to, ",\"dur\":");
  to = cs_digits_put_thousandths (to, (guint64) call->end - (guint64) call->start);
  to = put (to, tail->str, tail->len);
  if (G_UNLIKELY (call->how != CS_CALL_EXITED))
    {
      const char *how = cs_call_end_get_name (call->how);

      to = PUT_LITERAL (to, ",\"args\":{\"end\":\"");
      to = put (to, how, strlen (how));
      to = PUT_LITERAL (to, "\"}");
    }
  *to++ = '}';
  cs_report_writer_advance (chrome->writer, to);
  return !cs_report_writer_should_stop (chrome->writer);
}

static void
begin_lane (CsCallLane *lane, const CsLaneCall *first, gpointer user_data)
{
  Chrome *chrome = user_data;
  CsReportWriter *writer = chrome->writer;
  guint pid = chrome->tracks.processes[lane->process->index].pid;
  guint tid = cs_report_tracks_get_tid (&chrome->tracks, lane);
  g_autofree char *name = cs_report_tracks_dup_name (lane);
  GString *tail = g_string_new (NULL);

  g_string_printf (tail, ",\"pid\":%u,\"tid\":%u", pid, tid);
  lane->data = tail;
  if (name == NULL)
    return;
  cs_report_writer_printf (writer, ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":",
                           pid, tid);
  cs_report_writer_put_json_string (writer, name);
  cs_report_writer_puts (writer, "}}");
}

static gboolean
end_track (CsCallLane *const *lanes, guint n, gpointer user_data)
{
  Chrome *chrome = user_data;

  for (guint i = 0; i < n; i++)
    g_string_free (lanes[i]->data, TRUE);
  return !cs_report_writer_should_stop (chrome->writer);
}

static void
put_processes (Chrome *chrome)
{
  CsReportWriter *writer = chrome->writer;

  for (guint i = 0; i < chrome->tracks.n_processes; i++)
    {
      cs_report_writer_printf (writer, "%s\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"args\":{\"name\":",
                               i > 0 ? "," : "", chrome->tracks.processes[i].pid);
      cs_report_writer_put_json_string (writer, chrome->tracks.processes[i].name);
      cs_report_writer_puts (writer, "}}");
    }
}

static const CsCallVisitor visitor = { .lane = begin_lane, .leave = put_call, .track_done = end_track };

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
  guint n;
  Chrome chrome = { .writer = writer, .functions = cs_profile_get_functions (profile, &n),
                    .first = cs_profile_get_totals (profile)->origin };
  gboolean complete;

  chrome.heads = g_new0 (GString *, n + 1);
  cs_report_tracks_init (&chrome.tracks, profile);
  cs_report_writer_puts (writer, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  put_processes (&chrome);
  complete = cs_report_visit_calls (profile, &visitor, &chrome, options, writer);
  cs_report_writer_puts (writer, "\n]}\n");
  for (guint i = 0; i < n; i++)
    if (chrome.heads[i] != NULL)
      g_string_free (chrome.heads[i], TRUE);
  g_free (chrome.heads);
  cs_report_tracks_clear (&chrome.tracks);
  return complete;
}
