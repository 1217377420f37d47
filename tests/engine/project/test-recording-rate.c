/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "project/cs-recordings.h"
#include "test-recording.h"

static const char *const command[] = { "prog", NULL };

/* A thread that calls 0x1000 ten times within 0x2000: 22 events from 1000 to 1021 ns. */
static void
test_summary (void)
{
  GByteArray *events = test_recording_new ();
  g_autofree char *folder = NULL;
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsProfile) profile = NULL;
  CsProfileOptions options = { 0 };
  CsRecordingSummary summary;
  gsize bytes;

  test_recording_add (events, 1000, 0x2000, 0);
  for (guint i = 0; i < 20; i++)
    test_recording_add (events, 1001 + i, 0x1000, i % 2);
  test_recording_add (events, 1021, 0x2000, 1);
  bytes = events->len - TRACE_HEADER_SIZE;
  folder = test_recording_write (events);
  recording = cs_recording_open ((const char *const[]){ folder, NULL }, NULL, NULL);
  profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, NULL);
  cs_recording_summary_take (&summary, profile);
  g_assert_cmpuint (summary.length_ns, ==, 21);
  g_assert_cmpuint (summary.calls, ==, 11);
  g_assert_cmpuint (summary.events, ==, 22);
  g_assert_cmpuint (summary.threads, ==, 1);
  g_assert_cmpuint (summary.processes, ==, 1);
  g_assert_cmpuint (summary.bytes, ==, bytes);
  test_recording_remove (folder);
}

static void
test_rate (void)
{
  char *records[] = { (char *) "TRACE_FORMAT=records", NULL };
  char *sums[] = { (char *) "TRACE_MODE=summary", NULL };
  CsRecordingInfo info = { .has_summary = TRUE, .summary = { .length_ns = 2000000000, .events = 20000000, .bytes = 60 << 20, .processes = 1 } };
  CsRunOptions options = { .command = command, .max_mb = 120 };
  const char *const environment[] = { "TRACE_MAX_MB=30", "TRACE_MAX=5000000", NULL };
  CsRecordingRate rate;
  g_autofree char *warning = NULL;
  g_autofree char *wrapped = NULL;

  g_assert_true (cs_recording_rate_find (&info, &rate));
  g_assert_cmpfloat_with_epsilon (rate.events_per_s, 10000000, 1e-9);
  g_assert_cmpfloat_with_epsilon (rate.bytes_per_s, 30 << 20, 1e-9);
  g_assert_cmpfloat_with_epsilon (cs_recording_rate_get_seconds (&rate, &options), 4, 1e-9);
  warning = cs_recording_rate_warn (&rate, &options);
  g_assert_nonnull (strstr (warning, "10.0 million events a second"));
  g_assert_nonnull (strstr (warning, "about 4 seconds"));
  g_assert_nonnull (strstr (warning, "stop"));
  options.full = "wrap";
  wrapped = cs_recording_rate_warn (&rate, &options);
  g_assert_nonnull (strstr (wrapped, "only its end"));

  /* 512 MB where nothing is said; no limit; a limit of events; what the environment says; sums. */
  options.max_mb = -1;
  g_assert_cmpfloat_with_epsilon (cs_recording_rate_get_seconds (&rate, &options), 512 / 30.0, 1e-9);
  g_assert_null (cs_recording_rate_warn (&rate, &options));
  options.max_mb = 0;
  g_assert_true (isinf (cs_recording_rate_get_seconds (&rate, &options)));
  g_assert_null (cs_recording_rate_warn (&rate, &options));
  options.max_events = 20000000;
  g_assert_cmpfloat_with_epsilon (cs_recording_rate_get_seconds (&rate, &options), 2, 1e-9);
  options.max_events = 0;
  options.max_mb = -1;
  options.environment = environment;
  g_assert_cmpfloat_with_epsilon (cs_recording_rate_get_seconds (&rate, &options), 0.5, 1e-9);
  options.mode = "summary";
  g_assert_true (isinf (cs_recording_rate_get_seconds (&rate, &options)));
  options.mode = NULL;
  options.environment = NULL;

  /* Records take ten times as much. */
  options.max_mb = 320;
  options.format = "records";
  g_assert_cmpfloat_with_epsilon (cs_recording_rate_get_seconds (&rate, &options), (320 << 20) / 32e7, 1e-9);
  info.environment = records;
  g_assert_true (cs_recording_rate_find (&info, &rate));
  g_assert_cmpfloat_with_epsilon (cs_recording_rate_get_seconds (&rate, &options), 320 / 30.0, 1e-9);
  options.format = NULL;
  g_assert_cmpfloat (cs_recording_rate_get_seconds (&rate, &options), >, 10);

  /* Sums tell how many events there are, not how large they would be. */
  info.environment = sums;
  info.summary.bytes = 100;
  g_assert_true (cs_recording_rate_find (&info, &rate));
  g_assert_cmpfloat (rate.bytes_per_s, >, 29000000);

  /* Of four processes each has its own limit. */
  info.summary.processes = 4;
  g_assert_true (cs_recording_rate_find (&info, &rate));
  g_assert_cmpfloat_with_epsilon (rate.events_per_s, 2500000, 1e-9);

  info.summary.length_ns = 1000;
  g_assert_false (cs_recording_rate_find (&info, &rate));
  info.summary.length_ns = 2000000000;
  info.summary.events = 0;
  g_assert_false (cs_recording_rate_find (&info, &rate));
  info.summary.events = 1;
  info.has_summary = FALSE;
  g_assert_false (cs_recording_rate_find (&info, &rate));
}

int
main (int argc, char **argv)
{
  static const char *const settings[] = { "TRACE_MAX_MB", "TRACE_MAX", "TRACE_MODE", "TRACE_FORMAT", "TRACE_FULL" };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    g_unsetenv (settings[i]);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording-rate/summary", test_summary);
  g_test_add_func ("/recording-rate/rate", test_rate);
  return g_test_run ();
}
