/* SPDX-License-Identifier: MIT */
/*
 * timeline-export-tool FOLDER FILE FROM TO: saves the time FROM to TO, ns from a recording's first event, of all
 * its threads as an SVG file.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "layout/cs-flame-layout.h"
#include "layout/cs-palette.h"
#include "profile/cs-thread-tree.h"
#include "report/cs-timeline-export.h"

#define PIXELS 968

static void
keep (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
add_spans (CsProfile *profile, guint track, const CsTimelineExport *export, GArray *to)
{
  CsTimeline *timeline = cs_profile_get_timeline (profile);
  guint process = cs_timeline_get_track_info (timeline, track)->process, n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));

  cs_timeline_query (timeline, track, export->from, export->to, PIXELS, 0, G_MAXUINT32, spans, NULL);
  for (guint i = 0; i < spans->len; i++)
    {
      const CsTimelineSpan *span = &g_array_index (spans, CsTimelineSpan, i);
      CsTimelineExportSpan out = { .track = track, .depth = span->depth, .start = span->start, .end = span->end };

      if (span->address != 0)
        {
          guint function = cs_profile_find_function (profile, process, span->address, span->ts);

          out.label = g_strdup (functions[function].location.name);
          out.colour = cs_flame_colour_index (out.label, CS_PALETTE_N_FUNCTIONS);
        }
      else
        {
          out.label = g_strdup_printf ("×%" G_GUINT64_FORMAT, span->n_events / 2);
          out.colour = CS_PICTURE_PLAIN;
        }
      g_array_append_val (to, out);
    }
}

int
main (int argc, char **argv)
{
  const char *const paths[] = { argc > 1 ? argv[1] : "", NULL };
  const CsProfileOptions options = { .timeline = TRUE, .no_cache = TRUE };
  static const char *const notes[] = { "two <threads>", NULL }, *const notices[] = { "cut \x01 & short", NULL };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (CsProfile) profile = NULL;
  g_autoptr (GArray) spans = g_array_new (FALSE, TRUE, sizeof (CsTimelineExportSpan));
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  CsTimelineExport export = { .title = "time \xff & more", .notes = notes, .notices = notices };
  CsTimelineExportMark marks[] = { { .track = G_MAXUINT, .text = "nothing <recorded>" }, { .track = 1, .text = "stopped" } };
  CsTimelineExportTrack *tracks;

  if (argc != 5)
    return 2;
  recording = cs_recording_open (paths, NULL, NULL);
  profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, NULL);
  cs_profile_get_threads (profile, &export.n_tracks);
  export.origin = cs_profile_get_totals (profile)->origin;
  export.from = export.origin + g_ascii_strtoll (argv[3], NULL, 10);
  export.to = export.origin + g_ascii_strtoll (argv[4], NULL, 10);
  export.tracks = tracks = g_new0 (CsTimelineExportTrack, export.n_tracks);
  for (guint i = 0; i < export.n_tracks; i++)
    {
      tracks[i].heading = i == 0 ? "program <1>" : NULL;
      tracks[i].title = cs_profile_dup_thread_label (profile, i);
      tracks[i].subtitle = i % 2 ? "every second one" : NULL;
      add_spans (profile, i, &export, spans);
    }
  export.spans = (CsTimelineExportSpan *) (gpointer) spans->data;
  export.n_spans = spans->len;
  marks[0].from = export.from + (export.to - export.from) / 4;
  marks[0].to = export.from + (export.to - export.from) / 2;
  marks[1].from = export.to;
  export.marks = marks;
  export.n_marks = MIN (export.n_tracks, 2);
  cs_timeline_export_save_async (&export, argv[2], NULL, keep, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  if (!cs_timeline_export_save_finish (result, &error))
    printf ("%s\n", error->message);
  for (guint i = 0; i < export.n_tracks; i++)
    g_free ((char *) tracks[i].title);
  for (guint i = 0; i < spans->len; i++)
    g_free ((char *) g_array_index (spans, CsTimelineExportSpan, i).label);
  g_free (tracks);
  return error != NULL;
}
