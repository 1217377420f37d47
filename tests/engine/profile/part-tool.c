/* SPDX-License-Identifier: MIT */
/*
 * part-tool FOLDER FROM TO: the JSON report of what happened FROM ns to TO ns after the start,
 * read from where the index of time says, which is made first and not kept. Says on standard error
 * how many bytes of the recording were read for it, and how many there are.
 */
#include "config.h"

#include <gio/gunixoutputstream.h>
#include <stdio.h>

#include "profile/cs-profile.h"
#include "report/cs-report.h"

int
main (int argc, char **argv)
{
  const char *const paths[] = { argc > 1 ? argv[1] : "", NULL };
  const CsProfileOptions whole = { .timeline = TRUE, .no_cache = TRUE };
  CsProfileOptions options = { .filter = { .has_from = TRUE, .has_to = TRUE, .relative = TRUE } };
  const CsReportOptions report = { .sort = CS_SORT_SELF };
  g_autoptr (GOutputStream) stream = g_unix_output_stream_new (1, FALSE);
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (CsProfile) profile = NULL;
  g_autoptr (CsProfile) part = NULL;
  guint64 bytes = 0;

  if (argc != 4)
    return 2;
  options.filter.from = g_ascii_strtoll (argv[2], NULL, 10);
  options.filter.to = g_ascii_strtoll (argv[3], NULL, 10);
  recording = cs_recording_open (paths, NULL, NULL);
  profile = cs_profile_new (recording, symbolizer, &whole, NULL, NULL, NULL);
  options.index = cs_profile_get_timeline (profile);
  part = cs_profile_new (recording, symbolizer, &options, &bytes, NULL, NULL);
  if (!cs_report_write (part, CS_REPORT_JSON, &report, stream, NULL, NULL))
    return 1;
  fprintf (stderr, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", bytes, cs_recording_get_n_bytes (recording));
  return 0;
}
