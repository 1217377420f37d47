/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "report/cs-timeline-export.h"
#include "timeline/cs-timeline-picture.h"

/* What is painted, as the engine writes it. */
typedef struct
{
  CsTimelineChart *chart;
  CsTimelineNames *names;
  GArray *tracks;       /* CsTimelineExportTrack */
  GArray *spans;        /* CsTimelineExportSpan */
  GArray *marks;        /* CsTimelineExportMark */
  GStringChunk *texts;
  GHashTable *place_of; /* track → its place in `tracks', plus one */
} Picture;

static const char *
keep (Picture *self, char *text)
{
  const char *kept = text != NULL ? g_string_chunk_insert (self->texts, text) : NULL;

  g_free (text);
  return kept;
}

/* The threads from the first that has a call on view to the last that has. */
static void
add_tracks (Picture *self, GArray *calls)
{
  CsTimeline *timeline = cs_timeline_names_get_timeline (self->names);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint n, first = G_MAXUINT, last = 0, process = G_MAXUINT;
  g_autofree guint *order = cs_timeline_chart_dup_order (self->chart, &n);

  for (guint i = 0; i < calls->len; i++)
    g_hash_table_add (seen, GUINT_TO_POINTER (g_array_index (calls, CsTimelineCall, i).track));
  for (guint i = 0; i < n; i++)
    if (g_hash_table_contains (seen, GUINT_TO_POINTER (order[i])))
      {
        first = MIN (first, i);
        last = i;
      }
  for (guint i = first; i < n && i <= last; i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, order[i]);
      CsTimelineExportTrack track = { .title = keep (self, cs_timeline_names_dup_thread (self->names, order[i])),
                                      .subtitle = keep (self, cs_timeline_names_dup_thread_subtitle (self->names, order[i])) };

      if (info->process != process)
        track.heading = keep (self, cs_timeline_names_dup_process (self->names, info->process));
      process = info->process;
      g_array_append_val (self->tracks, track);
      g_hash_table_insert (self->place_of, GUINT_TO_POINTER (order[i]), GUINT_TO_POINTER (self->tracks->len));
    }
}

/* Where a thread is scrolled its picture begins there, too, and says so. */
static void
add_first_depths (Picture *self, GArray *calls)
{
  g_autofree guint32 *first = g_new (guint32, self->tracks->len + 1);

  for (guint i = 0; i < self->tracks->len; i++)
    first[i] = G_MAXUINT32;
  for (guint i = 0; i < calls->len; i++)
    {
      const CsTimelineCall *call = &g_array_index (calls, CsTimelineCall, i);
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->place_of, GUINT_TO_POINTER (call->track)));

      if (place > 0)
        first[place - 1] = MIN (first[place - 1], call->span.depth);
    }
  for (guint i = 0; i < self->tracks->len; i++)
    {
      CsTimelineExportTrack *track = &g_array_index (self->tracks, CsTimelineExportTrack, i);

      if (first[i] == 0 || first[i] == G_MAXUINT32)
        continue;
      track->first_depth = first[i];
      track->subtitle = keep (self, track->subtitle != NULL
                                      ? g_strdup_printf (_("%s, from depth %u"), track->subtitle, first[i] + 1)
                                      : g_strdup_printf (_("from depth %u"), first[i] + 1));
    }
}

/* Those of the threads that are drawn. */
static void
add_marks (Picture *self)
{
  guint n;
  const CsTimelineMark *marks = cs_timeline_chart_get_marks (self->chart, &n);

  for (guint i = 0; i < n; i++)
    {
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->place_of, GUINT_TO_POINTER (marks[i].track)));
      const CsTimelineExportMark mark = { marks[i].track == G_MAXUINT ? G_MAXUINT : place - 1, marks[i].from, marks[i].to,
                                          marks[i].text };

      if (place > 0 || marks[i].track == G_MAXUINT)
        g_array_append_val (self->marks, mark);
    }
}

static void
add_call (Picture *self, const CsTimelineCall *call)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->place_of, GUINT_TO_POINTER (call->track)));
  CsTimelineExportSpan span = { .track = place - 1, .depth = call->span.depth, .start = call->span.start,
                                .end = call->span.end, .colour = cs_timeline_names_get_colour (self->names, call),
                                .label = keep (self, cs_timeline_chart_dup_label (self->chart, call)),
                                .text = keep (self, cs_timeline_chart_dup_text (self->chart, call)) };

  if (place == 0)
    return;
  g_array_append_val (self->spans, span);
}

/**
 * cs_timeline_picture_save_async:
 * @chart: a chart
 * @names: what is shown there is called so
 * @title: what it is of
 * @notes: (nullable) (array zero-terminated=1): lines below the title
 * @notices: (nullable) (array zero-terminated=1): what has to be known before any number is believed
 * @path: a file; on an error it is as it was
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is saved, or not
 * @user_data: for @callback
 *
 * Saves what a chart paints as an SVG file.
 */
void
cs_timeline_picture_save_async (CsTimelineChart *chart, CsTimelineNames *names, const char *title,
                                const char *const *notes, const char *const *notices, const char *path,
                                GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GArray) calls = cs_timeline_chart_dup_visible (chart);
  g_autoptr (GArray) tracks = g_array_new (FALSE, FALSE, sizeof (CsTimelineExportTrack));
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineExportSpan));
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CsTimelineExportMark));
  g_autoptr (GHashTable) place_of = g_hash_table_new (NULL, NULL);
  Picture picture = { .chart = chart, .names = names, .tracks = tracks, .spans = spans, .marks = marks, .place_of = place_of,
                      .texts = g_string_chunk_new (4096) };
  CsTimelineExport export = { .width = gtk_widget_get_width (GTK_WIDGET (chart)), .title = title, .notes = notes,
                              .notices = notices, .origin = cs_timeline_chart_get_origin (chart) };

  cs_timeline_chart_get_window (chart, &export.from, &export.to);
  add_tracks (&picture, calls);
  add_first_depths (&picture, calls);
  add_marks (&picture);
  for (guint i = 0; i < calls->len; i++)
    add_call (&picture, &g_array_index (calls, CsTimelineCall, i));
  export.tracks = (CsTimelineExportTrack *) (gpointer) tracks->data;
  export.n_tracks = tracks->len;
  export.spans = (CsTimelineExportSpan *) (gpointer) spans->data;
  export.n_spans = spans->len;
  export.marks = (CsTimelineExportMark *) (gpointer) marks->data;
  export.n_marks = marks->len;
  cs_timeline_export_save_async (&export, path, cancellable, callback, user_data);
  g_string_chunk_free (picture.texts);
}

/**
 * cs_timeline_picture_save_finish:
 * @result: what the callback got
 * @error: where to say why it isn't saved
 *
 * Returns: whether it is
 */
gboolean
cs_timeline_picture_save_finish (GAsyncResult *result, GError **error)
{
  return cs_timeline_export_save_finish (result, error);
}
