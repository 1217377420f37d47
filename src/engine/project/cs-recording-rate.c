/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "project/cs-recordings.h"

/* A limit that is reached so soon is worth a warning. */
#define WARN_S 10
/* TRACE_MAX_MB where nobody says it. */
#define MAX_MB 512
/* Bytes of an event in records; packed, as measured over programs of all kinds. */
#define RECORD_BYTES 32.0
#define PACKED_BYTES 3.05
/* Shorter recordings tell no rate. */
#define LENGTH_LEAST_NS 1000000

/**
 * cs_recording_summary_take:
 * @self: (out caller-allocates): what is known of a recording
 * @profile: what an analysis of the whole recording made of it
 */
void
cs_recording_summary_take (CsRecordingSummary *self, CsProfile *profile)
{
  const CsProfileTotals *totals = cs_profile_get_totals (profile);
  CsRecording *recording = cs_profile_get_recording (profile);
  guint n_functions, n_threads;
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);

  cs_profile_get_threads (profile, &n_threads);
  *self = (CsRecordingSummary){ .length_ns = cs_profile_span (totals->first, totals->last),
                                .events = totals->events,
                                .threads = n_threads,
                                .processes = cs_recording_get_processes (recording)->len,
                                .bytes = cs_recording_get_n_bytes (recording) };
  for (guint i = 0; i < n_functions; i++)
    self->calls += functions[i].calls;
}

static gboolean
is_packed (char **environment)
{
  const char *format = g_environ_getenv (environment, "TRACE_FORMAT");

  return format == NULL || !g_str_equal (format, "records");
}

static gboolean
is_summary (char **environment)
{
  return g_strcmp0 (g_environ_getenv (environment, "TRACE_MODE"), "summary") == 0;
}

static double
get_bytes (gboolean packed)
{
  return packed ? PACKED_BYTES : RECORD_BYTES;
}

/**
 * cs_recording_rate_find:
 * @recording: a recording, of the last run as a rule
 * @rate: (out): how fast it grew
 *
 * Returns: whether that is known: it has a summary, recorded events, and took longer than a millisecond
 */
gboolean
cs_recording_rate_find (const CsRecordingInfo *recording, CsRecordingRate *rate)
{
  const CsRecordingSummary *summary = &recording->summary;
  double seconds = (double) summary->length_ns / 1e9 * (double) MAX (summary->processes, 1);

  *rate = (CsRecordingRate){ 0 };
  if (!recording->has_summary || summary->events == 0 || summary->length_ns <= LENGTH_LEAST_NS)
    return FALSE;
  rate->packed = is_packed (recording->environment);
  rate->events_per_s = (double) summary->events / seconds;
  rate->bytes_per_s = is_summary (recording->environment) ? rate->events_per_s * get_bytes (rate->packed)
                                                          : (double) summary->bytes / seconds;
  return TRUE;
}

/* A number in the environment, as the runtime reads it. */
static guint64
get_number (char **environment, const char *variable, guint64 otherwise)
{
  const char *text = g_environ_getenv (environment, variable);
  guint64 number;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64 >> 20, &number, NULL) ? number : otherwise;
}

/**
 * cs_recording_rate_get_seconds:
 * @rate: how fast the last recording grew
 * @options: what is to be recorded; `max_mb`, `max_events`, `mode` and `format` count, and TRACE_* in `environment`
 *
 * Returns: after how many seconds at this rate a limit is reached; %INFINITY: there is none, or in summary mode
 */
double
cs_recording_rate_get_seconds (const CsRecordingRate *rate, const CsRunOptions *options)
{
  g_auto (GStrv) environment = cs_run_options_dup_environment (options);
  guint64 max_mb = get_number (environment, "TRACE_MAX_MB", MAX_MB);
  guint64 max_events = get_number (environment, "TRACE_MAX", 0);
  gboolean packed = is_packed (environment);
  double bytes_per_s = packed == rate->packed ? rate->bytes_per_s : rate->events_per_s * get_bytes (packed);
  double seconds = INFINITY;

  if (is_summary (environment))
    return INFINITY;
  if (max_mb > 0 && bytes_per_s > 0)
    seconds = (double) (max_mb << 20) / bytes_per_s;
  if (max_events > 0 && rate->events_per_s > 0)
    seconds = MIN (seconds, (double) max_events / rate->events_per_s);
  return seconds;
}

static char *
format_events (double events)
{
  if (events >= 999500)
    return g_strdup_printf ("%.1f million events", events / 1e6);
  if (events >= 1000)
    return g_strdup_printf ("%.0f thousand events", events / 1e3);
  return g_strdup_printf ("%.0f events", events);
}

static char *
format_seconds (double seconds)
{
  if (seconds < 0.95)
    return g_strdup ("less than a second");
  return g_strdup_printf ("about %.0f second%s", seconds, seconds < 1.5 ? "" : "s");
}

/**
 * cs_recording_rate_warn:
 * @rate: how fast the last recording grew
 * @options: what is to be recorded
 *
 * Returns: (transfer full) (nullable): a sentence where the limit would be reached within ten seconds, and what to
 *   do about it; %NULL: no need to warn
 */
char *
cs_recording_rate_warn (const CsRecordingRate *rate, const CsRunOptions *options)
{
  double seconds = cs_recording_rate_get_seconds (rate, options);
  g_auto (GStrv) environment = cs_run_options_dup_environment (options);
  g_autofree char *events = format_events (rate->events_per_s);
  g_autofree char *time = format_seconds (seconds);
  guint64 max_events = get_number (environment, "TRACE_MAX", 0);
  gboolean by_events = max_events > 0 && (double) max_events / rate->events_per_s <= seconds;
  gboolean wraps = !by_events && g_strcmp0 (g_environ_getenv (environment, "TRACE_FULL"), "wrap") == 0;

  if (seconds >= WARN_S)
    return NULL;
  return g_strdup_printf ("The last run made %s a second: %s %s — raise the limit, choose fewer functions, or use summary mode%s",
                          events, wraps ? "only its end will be kept," : "the limit will be reached, and recording stop, after", time,
                          wraps || by_events ? "" : "; or keep the end instead of the beginning");
}
