/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/cs-save-file.h"
#include "layout/cs-ruler.h"
#include "report/cs-timeline-export.h"

#define WIDTH 1200
#define LEAST_WIDTH 400
#define HEADERS 200 /* width of what is left of the calls */
#define RULER 24
#define GAP 6       /* below a thread */
#define TICK 90.0   /* pixels between labels of the ruler */
#define MARK_LIGHT 0xd35400
#define MARK_DARK 0xff7800

typedef struct
{
  const CsTimelineExport *options;
  CsReportWriter *writer;
  CsTimelineWindow window;
  double left, width; /* of the calls */
  double *tops;       /* by track: of its calls; one more for the bottom */
  guint32 *depths;    /* by track: rows */
} Export;

/* Where a time is, within the window. */
static double
get_x (const Export *self, gint64 ns)
{
  return self->left + cs_timeline_window_get_x (&self->window, CLAMP (ns, self->options->from, self->options->to));
}

static void
lay_out (Export *self, double top)
{
  const CsTimelineExport *options = self->options;

  for (guint i = 0; i < options->n_spans; i++)
    {
      const CsTimelineExportSpan *span = &options->spans[i];
      guint32 *depth = &self->depths[span->track];

      *depth = MAX (*depth, span->depth - options->tracks[span->track].first_depth + 1);
    }
  for (guint i = 0; i < options->n_tracks; i++)
    {
      guint32 least = options->tracks[i].subtitle != NULL ? 2 : 1;

      if (options->tracks[i].heading != NULL)
        top += CS_PICTURE_ROW + GAP;
      self->tops[i] = top;
      top += MAX (self->depths[i], least) * CS_PICTURE_ROW + GAP;
    }
  self->tops[options->n_tracks] = top;
}

static void
put_tracks (Export *self)
{
  const CsTimelineExport *options = self->options;
  double right = self->left + self->width;

  for (guint i = 0; i < options->n_tracks; i++)
    {
      const CsTimelineExportTrack *track = &options->tracks[i];
      double y = self->tops[i];

      if (track->heading != NULL)
        cs_picture_add_text (self->writer, CS_PICTURE_MARGIN, y - GAP - 4, CS_PICTURE_NOTE, track->heading, self->width);
      cs_picture_add_line (self->writer, CS_PICTURE_MARGIN, y - GAP / 2, right, y - GAP / 2);
      cs_picture_add_text (self->writer, CS_PICTURE_MARGIN, y + 14, CS_PICTURE_NOTE, track->title, HEADERS - 16);
      if (track->subtitle != NULL)
        cs_picture_add_text (self->writer, CS_PICTURE_MARGIN, y + CS_PICTURE_ROW + 14, CS_PICTURE_SOFT_NOTE, track->subtitle,
                             HEADERS - 16);
    }
}

static void
put_ruler (Export *self, double top)
{
  const CsTimelineExport *options = self->options;
  g_autoptr (CsRuler) ruler = cs_ruler_new (&self->window, options->origin, TICK);

  if (ruler->base[0] != '\0')
    cs_picture_add_text (self->writer, CS_PICTURE_MARGIN, top + 14, CS_PICTURE_SOFT_NOTE, ruler->base, HEADERS - 16);
  for (guint i = 0; i < ruler->n_ticks; i++)
    {
      const CsRulerTick *tick = &ruler->ticks[i];
      double x = get_x (self, tick->time);

      if (!tick->major || tick->time < options->from || tick->time > options->to)
        continue;
      cs_picture_add_line (self->writer, x, top + 4, x, self->tops[options->n_tracks]);
      if (x + TICK * 0.7 < self->left + self->width)
        cs_picture_add_text (self->writer, x + 4, top + 14, CS_PICTURE_SOFT_NOTE, tick->label, TICK * 2);
    }
}

static void
put_spans (Export *self)
{
  const CsTimelineExport *options = self->options;

  for (guint i = 0; i < options->n_spans && !cs_report_writer_should_stop (self->writer); i++)
    {
      const CsTimelineExportSpan *span = &options->spans[i];
      guint32 row = span->depth - options->tracks[span->track].first_depth;
      CsPictureRect rect = { .x = get_x (self, span->start), .y = self->tops[span->track] + row * CS_PICTURE_ROW,
                             .height = CS_PICTURE_ROW - 1, .colour = span->colour, .light = span->light,
                             .dark = span->dark, .label = span->label, .flags = span->flags };

      if (span->end < options->from || span->start > options->to)
        continue;
      rect.width = get_x (self, span->end) - rect.x;
      cs_picture_add_rect (self->writer, &rect, span->text);
    }
}

/* A moment over the rows of a mark's threads. */
static void
put_moment (Export *self, const CsTimelineExportMark *mark, gint64 ns)
{
  const CsTimelineExport *options = self->options;
  guint first = mark->track == G_MAXUINT ? 0 : mark->track, end = mark->track == G_MAXUINT ? options->n_tracks : mark->track + 1;

  if (ns < options->from || ns > options->to)
    return;
  for (guint i = first; i < end; i++)
    {
      const CsPictureRect rect = { .x = get_x (self, ns), .y = self->tops[i], .width = 2,
                                   .height = MAX (self->depths[i], 1) * CS_PICTURE_ROW, .colour = CS_PICTURE_OWN,
                                   .light = MARK_LIGHT, .dark = MARK_DARK };

      cs_picture_add_rect (self->writer, &rect, mark->text);
    }
}

/* In the ruler a bar for how long that was, and over the calls a line at each end. */
static void
put_marks (Export *self, double top)
{
  const CsTimelineExport *options = self->options;

  for (guint i = 0; i < options->n_marks; i++)
    {
      const CsTimelineExportMark *mark = &options->marks[i];
      gint64 to = MAX (mark->from, mark->to);
      CsPictureRect rect = { .x = get_x (self, mark->from), .y = top, .height = 4, .colour = CS_PICTURE_OWN,
                             .light = MARK_LIGHT, .dark = MARK_DARK };

      if (to < options->from || mark->from > options->to)
        continue;
      rect.width = MAX (get_x (self, to) - rect.x, 2);
      cs_picture_add_rect (self->writer, &rect, mark->text);
      put_moment (self, mark, mark->from);
      if (to > mark->from)
        put_moment (self, mark, to);
    }
}

static double
put_head (Export *self, gboolean measure)
{
  const CsTimelineExport *options = self->options;
  double room = self->left + self->width - CS_PICTURE_MARGIN, y = 30;
  g_autofree char *span = cs_ruler_format_duration ((guint64) options->to - (guint64) options->from);

  if (!measure)
    {
      cs_picture_add_text (self->writer, CS_PICTURE_MARGIN, y, CS_PICTURE_HEAD, options->title, room);
      cs_picture_add_text (self->writer, CS_PICTURE_MARGIN, y + 20, CS_PICTURE_SOFT_NOTE, span, room);
    }
  y += 20;
  for (guint i = 0; options->notes != NULL && options->notes[i] != NULL; i++)
    {
      y += CS_PICTURE_LINE;
      if (!measure)
        cs_picture_add_text (self->writer, CS_PICTURE_MARGIN, y, CS_PICTURE_SOFT_NOTE, options->notes[i], room);
    }
  for (guint i = 0; options->notices != NULL && options->notices[i] != NULL; i++)
    {
      y += CS_PICTURE_LINE;
      if (!measure)
        cs_picture_add_notice (self->writer, CS_PICTURE_MARGIN, y, options->notices[i], room);
    }
  return y + 10;
}

/**
 * cs_timeline_export_svg:
 * @self: what is shown
 * @stream: where to
 * @cancellable: (nullable): to give up early
 * @error: where to say why it isn't whole
 *
 * Writes threads below each other with their calls under a ruler, as they are on the screen. The file needs no other.
 * Nothing is translated.
 *
 * Returns: whether all was written
 */
gboolean
cs_timeline_export_svg (const CsTimelineExport *self, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsReportWriter) writer = cs_report_writer_new (stream, cancellable);
  double picture = MAX (self->width > 0 ? self->width : WIDTH, LEAST_WIDTH), top;
  g_autofree double *tops = g_new0 (double, self->n_tracks + 1);
  g_autofree guint32 *depths = g_new0 (guint32, self->n_tracks + 1);
  Export export = { .options = self, .writer = writer, .left = CS_PICTURE_MARGIN + HEADERS, .tops = tops, .depths = depths,
                    .width = picture - HEADERS - 2 * CS_PICTURE_MARGIN };

  g_return_val_if_fail (self->from < self->to, FALSE);

  export.window = (CsTimelineWindow){ .start = self->from, .span = (double) ((guint64) self->to - (guint64) self->from),
                                      .pixels = export.width };
  top = put_head (&export, TRUE);
  lay_out (&export, top + RULER + GAP);
  cs_picture_begin (writer, self->title, picture, tops[self->n_tracks] + CS_PICTURE_LINE, 0);
  put_head (&export, FALSE);
  put_ruler (&export, top);
  put_tracks (&export);
  put_spans (&export);
  put_marks (&export, top + RULER - 4);
  cs_picture_end (writer, FALSE);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  return cs_report_writer_finish (writer, error);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (cs_save_file_write_finish (result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * cs_timeline_export_save_async:
 * @self: what is shown
 * @path: a file; on an error it is as it was
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is saved, or not
 * @user_data: for @callback
 *
 * Saves what is shown as SVG. @self isn't needed when this returns.
 */
void
cs_timeline_export_save_async (const CsTimelineExport *self, const char *path, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GBytes) bytes = NULL;
  GError *error = NULL;

  g_task_set_source_tag (task, cs_timeline_export_save_async);
  g_task_set_check_cancellable (task, FALSE); /* what is there is told of */
  if (!cs_timeline_export_svg (self, stream, cancellable, &error) || !g_output_stream_close (stream, cancellable, &error))
    {
      g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
  cs_save_file_write_async (path, bytes, cancellable, on_written, task);
}

/**
 * cs_timeline_export_save_finish:
 * @result: what the callback got
 * @error: where to say why it isn't saved
 *
 * Returns: whether it is
 */
gboolean
cs_timeline_export_save_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
