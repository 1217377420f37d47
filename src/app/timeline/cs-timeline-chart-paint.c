/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <time.h>

#include "shared/cs-format.h"
#include "timeline/cs-timeline-chart-private.h"

/* Pixels. */
#define MEASURE_END 9 /* how high the ends of a measured stretch are */
#define PILL_PADDING 4
#define MAX_SHAPED 60 /* labels that a frame has time to shape */

static void
append (CsTimelineChart *self, GtkSnapshot *snapshot, double x0, double x1, double y0, double y1, const GdkRGBA *color)
{
  graphene_rect_t rect;

  cs_timeline_chart_place (self, x0, x1 - x0, y0, y1 - y0, &rect);
  gtk_snapshot_append_color (snapshot, color, &rect);
}

/* A label on a background of its own. */
typedef struct
{
  PangoLayout *layout; /* (nullable): there is none */
  double x, width;     /* of the background */
  int text_width, height;
} Pill;

/* At a place of the axis, within it. */
static void
place_pill (CsTimelineChart *self, const char *text, double x, Pill *pill)
{
  pill->layout = cs_label_cache_get (self->small_labels, text, 1000, &pill->text_width, &pill->height);
  pill->width = pill->text_width + 2 * PILL_PADDING;
  pill->x = CLAMP (x - pill->width / 2, 0, MAX (self->window.pixels - pill->width, 0));
}

static void
paint_pill (CsTimelineChart *self, GtkSnapshot *snapshot, const Pill *pill, double y)
{
  graphene_rect_t rect;
  GskRoundedRect outline;

  if (pill->layout == NULL)
    return;
  cs_timeline_chart_place (self, pill->x, pill->width, y, pill->height + 2, &rect);
  gsk_rounded_rect_init_from_rect (&outline, &rect, 4);
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, &self->colors.colors[CS_CHART_BACKGROUND], &rect);
  gtk_snapshot_append_color (snapshot, &self->colors.colors[CS_CHART_TEXT], &rect);
  gtk_snapshot_pop (snapshot);
  cs_timeline_chart_paint_layout (self, snapshot, pill->layout, pill->x + PILL_PADDING, pill->text_width, y + 1,
                                  &self->colors.colors[CS_CHART_BACKGROUND]);
}

/* The range as it is, or as it is being dragged. */
static gboolean
get_shown_range (CsTimelineChart *self, gint64 *from, gint64 *to)
{
  *from = self->range_from;
  *to = self->range_to;
  if (self->drag != CS_TIMELINE_DRAG_RANGE || !self->moved)
    return self->has_range;
  *from = (gint64) ((guint64) self->first + self->range_drag.from);
  *to = (gint64) ((guint64) self->first + self->range_drag.to);
  return *from < *to;
}

/* The range is shaded below the calls, so that their labels keep their contrast; its ends are lines above them. */
static void
paint_range (CsTimelineChart *self, GtkSnapshot *snapshot, gboolean ends)
{
  double width = self->window.pixels, height = self->height, x0, x1;
  const GdkRGBA *handle = &self->colors.colors[CS_CHART_HANDLE];
  gint64 from, to;

  if (!get_shown_range (self, &from, &to))
    return;
  x0 = cs_timeline_window_get_x (&self->window, from);
  x1 = MAX (cs_timeline_window_get_x (&self->window, to), x0 + 1);
  if (x1 < 0 || x0 > width)
    return;
  if (!ends)
    append (self, snapshot, MAX (x0, 0), MIN (x1, width), 0, height, &self->colors.colors[CS_CHART_BAND]);
  if (ends && x0 >= 0)
    append (self, snapshot, x0 - 1, x0 + 1, 0, height, handle);
  if (ends && x1 <= width)
    append (self, snapshot, x1 - 1, x1 + 1, 0, height, handle);
}

/* An outline in the text's colour, and one of the background within it, so that it shows on any colour. */
static void
paint_call (CsTimelineChart *self, GtkSnapshot *snapshot)
{
  const GdkRGBA *text = &self->colors.colors[CS_CHART_TEXT], *background = &self->colors.colors[CS_CHART_BACKGROUND];
  graphene_rect_t rect;
  GskRoundedRect outline;

  if (!self->has_call || !cs_timeline_chart_get_call_rect (self, &self->call, &rect))
    return;
  if (rect.size.width < 5)
    {
      rect.origin.x = floorf (rect.origin.x + rect.size.width / 2) - 2;
      rect.size.width = 5;
    }
  graphene_rect_inset (&rect, -1, -1);
  gsk_rounded_rect_init_from_rect (&outline, &rect, 2);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){ 2, 2, 2, 2 },
                              (GdkRGBA[4]){ *text, *text, *text, *text });
  if (rect.size.width < 12)
    return;
  graphene_rect_inset (&rect, 2, 2);
  gsk_rounded_rect_init_from_rect (&outline, &rect, 1);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){ 1, 1, 1, 1 },
                              (GdkRGBA[4]){ *background, *background, *background, *background });
}

/* Where the measured stretch's line is. */
static double
find_measure_y (CsTimelineChart *self)
{
  CsTimelinePane panes[2];
  guint n = cs_timeline_chart_get_panes (self, panes);
  double y;

  if (self->measure_track == G_MAXUINT || !cs_timeline_rows_get_y (self->rows, self->measure_track, self->measure_depth, &y))
    return self->ruler_height + self->row_height;
  n = n > 1 && y < self->pinned ? 0 : n - 1;
  return CLAMP (y + panes[n].offset + self->row_height / 2, panes[n].top + MEASURE_END, panes[n].bottom - MEASURE_END);
}

static void
paint_measure (CsTimelineChart *self, GtkSnapshot *snapshot)
{
  double height = self->height, y, x0, x1;
  const GdkRGBA *color = &self->colors.colors[CS_CHART_TEXT];
  g_autofree char *text = NULL;
  GdkRGBA thin = *color;
  Pill pill;

  if (!self->has_measure)
    return;
  y = find_measure_y (self);
  x0 = CLAMP (cs_timeline_window_get_x (&self->window, self->measure_from), -10, self->window.pixels + 10);
  x1 = CLAMP (cs_timeline_window_get_x (&self->window, self->measure_to), -10, self->window.pixels + 10);
  thin.alpha *= 0.5f;
  append (self, snapshot, x0, x0 + 1, self->ruler_height, height, &thin);
  append (self, snapshot, x1, x1 + 1, self->ruler_height, height, &thin);
  append (self, snapshot, x0, x1, y, y + 2, color);
  append (self, snapshot, x0, x0 + 2, y - MEASURE_END + 1, y + MEASURE_END + 1, color);
  append (self, snapshot, x1 - 1, x1 + 1, y - MEASURE_END + 1, y + MEASURE_END + 1, color);
  text = cs_format_duration ((guint64) self->measure_to - (guint64) self->measure_from);
  place_pill (self, text, (MAX (x0, 0) + MIN (x1, self->window.pixels)) / 2, &pill);
  paint_pill (self, snapshot, &pill, y + 4);
}

/* The ruler, and a line at the pointer with its time on it. */
static void
paint_ruler (CsTimelineChart *self, GtkSnapshot *snapshot)
{
  double x = cs_timeline_chart_get_axis_x (self, self->pointer_x);
  g_autofree char *text = NULL;
  Pill pill;

  if (!self->has_pointer || x < 0 || x > self->window.pixels)
    {
      cs_timeline_chart_paint_ruler (self, snapshot, 0, 0);
      return;
    }
  text = cs_timeline_chart_format_time (self, cs_timeline_window_get_time (&self->window, x));
  place_pill (self, text, x, &pill);
  cs_timeline_chart_paint_ruler (self, snapshot, pill.x, pill.x + pill.width);
  append (self, snapshot, x, x + 1, self->ruler_height, self->height, &self->colors.colors[CS_CHART_HANDLE]);
  paint_pill (self, snapshot, &pill, 0);
}

/* A sentence: in the middle, or at the bottom of what is shown. */
static void
paint_message (CsTimelineChart *self, GtkSnapshot *snapshot, gboolean middle)
{
  g_autofree char *text = cs_timeline_chart_dup_message (self);
  g_autoptr (PangoLayout) layout = NULL;
  int width = self->width, height = self->height;
  int text_width, text_height;
  graphene_rect_t rect;

  if (text == NULL || width < 40)
    return;
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  pango_layout_set_width (layout, (width - 24) * PANGO_SCALE);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_get_pixel_size (layout, &text_width, &text_height);
  graphene_rect_init (&rect, 0, (float) (middle ? (height - text_height) / 2 - 6 : height - text_height - 12),
                      (float) width, (float) text_height + 12);
  if (!middle)
    {
      gtk_snapshot_append_color (snapshot, &self->colors.colors[CS_CHART_BACKGROUND], &rect);
      gtk_snapshot_append_color (snapshot, &self->colors.colors[CS_CHART_NOTICE],
                                 &GRAPHENE_RECT_INIT (0, rect.origin.y, (float) width, 1));
    }
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (12, rect.origin.y + 6));
  gtk_snapshot_append_layout (snapshot, layout, &self->colors.colors[CS_CHART_TEXT]);
  gtk_snapshot_restore (snapshot);
}

static gboolean
refine (gpointer data)
{
  CsTimelineChart *self = data;

  self->refine = 0;
  cs_timeline_chart_forget_picture (self);
  return G_SOURCE_REMOVE;
}

/* What changes with the window, tracks and answers only. */
static void
make_picture (CsTimelineChart *self)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  CsTimelinePane panes[2];
  guint n = cs_timeline_chart_get_panes (self, panes);
  const CsTimelineAnswer *answer = cs_timeline_chart_get_answer (self);

  self->stats.n_rects = self->stats.n_labels = self->stats.n_spans = 0;
  self->stats.n_shaped += cs_label_cache_begin_frame (self->labels);
  cs_label_cache_set_max_shaped (self->labels, MAX_SHAPED);
  cs_timeline_chart_collect (self);
  for (guint i = 0; i < n; i++)
    {
      cs_timeline_chart_paint_headers (self, snapshot, &panes[i]);
      cs_timeline_chart_paint_spans (self, snapshot, panes, i);
      cs_timeline_chart_paint_marks (self, snapshot, &panes[i]);
    }
  if (n > 1)
    append (self, snapshot, self->window.pixels + self->scrollbar_width - self->width,
            self->window.pixels, panes[1].top - 2, panes[1].top, &self->colors.colors[CS_CHART_BORDER]);
  for (guint i = 0; answer != NULL && i < answer->fills->len; i++)
    self->stats.n_spans += g_array_index (answer->fills, CsTimelineFill, i).spans->len;
  self->picture = gtk_snapshot_free_to_node (snapshot);
  if (cs_label_cache_is_short (self->labels) && self->refine == 0)
    self->refine = g_idle_add (refine, self);
}

/**
 * cs_timeline_chart_get_cpu_us:
 *
 * Returns: the processor time of the thread, µs
 */
gint64
cs_timeline_chart_get_cpu_us (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (gint64) t.tv_sec * G_USEC_PER_SEC + t.tv_nsec / 1000;
}

/**
 * cs_timeline_chart_snapshot:
 * @widget: a chart
 * @snapshot: where to paint
 *
 * Paints the chart. Tracks are kept as they were as long as nothing of them changes, so that the pointer's line costs little.
 */
void
cs_timeline_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CsTimelineChart *self = CS_TIMELINE_CHART (widget);
  gint64 begun = cs_timeline_chart_get_cpu_us ();
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  guint n_items = 0;

  cs_timeline_chart_update_colors (self);
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  if (self->has_window && width > 0)
    {
      cs_timeline_chart_update_geometry (self);
      cs_timeline_rows_get_items (self->rows, &n_items);
      self->stats.n_shaped = cs_label_cache_begin_frame (self->small_labels);
      if (self->picture == NULL)
        make_picture (self);
      paint_range (self, snapshot, FALSE);
      if (self->picture != NULL)
        gtk_snapshot_append_node (snapshot, self->picture);
      paint_range (self, snapshot, TRUE);
      paint_ruler (self, snapshot);
      cs_timeline_chart_paint_mark_signs (self, snapshot);
      paint_call (self, snapshot);
      paint_measure (self, snapshot);
    }
  paint_message (self, snapshot, n_items == 0);
  gtk_snapshot_pop (snapshot);
  self->stats.us = cs_timeline_chart_get_cpu_us () - begun;
  if (gtk_widget_get_child_visible (self->scrollbar))
    gtk_widget_snapshot_child (widget, self->scrollbar, snapshot);
  if (self->readout != NULL)
    gtk_widget_snapshot_child (widget, self->readout, snapshot);
}

/**
 * cs_timeline_chart_forget_picture:
 * @self: a chart
 *
 * Tracks are to be painted anew, with the same calls in sight.
 */
void
cs_timeline_chart_forget_picture (CsTimelineChart *self)
{
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
tell_seen (gpointer data)
{
  CsTimelineChart *self = data;

  self->seen = 0;
  cs_timeline_chart_emit_seen_changed (self);
  return G_SOURCE_REMOVE;
}

/**
 * cs_timeline_chart_repaint:
 * @self: a chart
 *
 * Tracks are to be painted anew: the window, rows, answers or texts are others.
 */
void
cs_timeline_chart_repaint (CsTimelineChart *self)
{
  cs_timeline_chart_forget_picture (self);
  if (self->seen == 0)
    self->seen = g_idle_add (tell_seen, self);
}
