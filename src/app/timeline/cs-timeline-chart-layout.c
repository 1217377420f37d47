/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "timeline/cs-timeline-chart-private.h"

/* Pixels. */
#define ROW_PADDING 4
#define RULER_MARGIN 10
#define TRACK_GAP 10
#define HEADER_MARGIN 30 /* the triangle, and space beside the name */
#define MAX_NAME 20      /* characters that have room */
#define MIN_NAME 8
#define MAX_NAMES 500    /* that are looked at for that */

static double
align (CsTimelineChart *self, double x)
{
  return round (x * self->scale) / self->scale;
}

/* The characters of the longest name, within bounds. */
static guint
count_name (CsTimelineChart *self)
{
  glong longest = MIN_NAME;

  for (guint i = 0; i < MIN (self->settings->len, MAX_NAMES) && longest < MAX_NAME; i++)
    {
      g_autofree char *title = cs_timeline_chart_dup_track_title (self, i);

      longest = MAX (longest, g_utf8_strlen (title, -1));
    }
  return (guint) MIN (longest, MAX_NAME);
}

/* Heights and widths that the font decides. */
static void
measure (CsTimelineChart *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  double height = (double) pango_font_metrics_get_height (metrics) / PANGO_SCALE;
  double width = (double) pango_font_metrics_get_approximate_char_width (metrics) / PANGO_SCALE;

  pango_font_metrics_unref (metrics);
  self->text_height = ceil (height);
  self->row_height = MAX (ceil (height * 0.9) + ROW_PADDING, 14);
  self->ruler_height = ceil (height * 0.82) + RULER_MARGIN;
  self->header_width = ceil (width * 1.05 * count_name (self)) + HEADER_MARGIN;
  self->measured = TRUE;
}

/**
 * cs_timeline_chart_rows_changed:
 * @self: a chart
 *
 * Makes the rows anew when they are needed, and asks for what is in them before the next frame: tracks, their settings or the
 * font are others. Many changes are as cheap as one.
 */
void
cs_timeline_chart_rows_changed (CsTimelineChart *self)
{
  g_clear_pointer (&self->rows, cs_timeline_rows_free);
  self->rows_changed = TRUE;
  cs_timeline_chart_set_sharp (self, FALSE);
  cs_timeline_chart_repaint (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
make_rows (CsTimelineChart *self)
{
  g_autofree CsTimelineTrack *tracks = g_new0 (CsTimelineTrack, self->settings->len);
  CsTimelineMetrics metrics = { .row = self->row_height, .gap = TRACK_GAP };
  const CsTimelineItem *items;
  guint n, last_process = G_MAXUINT;
  gboolean several = FALSE;

  for (guint i = 0; i < self->settings->len; i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (self->timeline, i);
      const CsTimelineTrackSettings *settings = &g_array_index (self->settings, CsTimelineTrackSettings, i);

      tracks[i] = (CsTimelineTrack){ .id = i, .process = info->process, .tid = info->tid, .max_depth = info->n_rows,
                                     .depth_limit = settings->full ? 0 : settings->depth_limit, .order = settings->order,
                                     .collapsed = settings->collapsed, .pinned = settings->pinned,
                                     .hidden = settings->hidden, .folded = self->collapsed[info->process] };
      several |= last_process != G_MAXUINT && last_process != info->process;
      last_process = info->process;
    }
  metrics.header = several ? self->row_height + 6 : 0;
  /* The only process needs no header; it can't be collapsed then. */
  if (!several)
    for (guint i = 0; i < self->settings->len; i++)
      tracks[i].folded = FALSE;
  self->rows = cs_timeline_rows_new (tracks, self->settings->len, &metrics);
  self->pinned = 0;
  items = cs_timeline_rows_get_items (self->rows, &n);
  for (guint i = 0; i < n && !items[i].header && cs_timeline_rows_get_track (self->rows, items[i].track)->pinned; i++)
    self->pinned = items[i].y + items[i].height;
}

/**
 * cs_timeline_chart_get_rows:
 * @self: a chart
 *
 * Returns: (transfer none): what lies below each other
 */
CsTimelineRows *
cs_timeline_chart_get_rows (CsTimelineChart *self)
{
  if (!self->measured)
    measure (self);
  if (self->rows == NULL)
    make_rows (self);
  return self->rows;
}

/* What pinned tracks have of a height: nothing where they would take most of it; they scroll then, too. */
static double
get_pinned (CsTimelineChart *self, double height)
{
  return self->pinned <= height / 2 ? self->pinned : 0;
}

/**
 * cs_timeline_chart_update_geometry:
 * @self: a chart
 *
 * Decides what is where, for the widget's size and the rows. Needs no frame, so that what is asked for before the
 * first one fits.
 */
void
cs_timeline_chart_update_geometry (CsTimelineChart *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self)), bar = 0;
  double rows = cs_timeline_rows_get_height (cs_timeline_chart_get_rows (self));
  double room = MAX (height - self->ruler_height, 1), pinned = get_pinned (self, room), page = room - pinned;
  double header = MIN (self->header_width, floor (width * 0.3)), axis;

  self->rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  self->scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  self->width = width;
  self->height = height;
  if (rows > room)
    gtk_widget_measure (self->scrollbar, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &bar, NULL, NULL);
  self->scrollbar_width = bar;
  gtk_widget_set_child_visible (self->scrollbar, bar > 0);
  gtk_adjustment_configure (self->adjustment,
                            CLAMP (gtk_adjustment_get_value (self->adjustment), 0, MAX (rows - pinned - page, 0)), 0,
                            MAX (rows - pinned, page), self->row_height, page * 0.9, page);
  axis = MAX (width - header - bar, 1);
  if (cs_timeline_is_same (self->window.pixels, axis))
    return;
  /* Titles were made for other widths. */
  g_clear_pointer (&self->titles, g_hash_table_unref);
  self->window.pixels = self->from.pixels = self->target.pixels = axis;
  cs_timeline_chart_repaint (self);
}

/**
 * cs_timeline_chart_get_axis_width:
 * @self: a chart
 *
 * Returns: pixels of the time axis
 */
double
cs_timeline_chart_get_axis_width (CsTimelineChart *self)
{
  return self->window.pixels;
}

/* How wide headers are. */
static double
get_header_width (CsTimelineChart *self)
{
  return self->width - self->scrollbar_width - self->window.pixels;
}

/**
 * cs_timeline_chart_get_axis_x:
 * @self: a chart
 * @x: a place in the widget
 *
 * Returns: pixels from the start of the time axis, which is at the right where text runs to the left; negative over headers
 */
double
cs_timeline_chart_get_axis_x (CsTimelineChart *self, double x)
{
  if (self->rtl)
    x = self->width - x;
  return x - get_header_width (self);
}

/**
 * cs_timeline_chart_place:
 * @self: a chart
 * @x: pixels from the start of the time axis; headers are at negative ones
 * @width: how wide
 * @y: a height in the widget
 * @height: how high
 * @rect: (out): where that is in the widget, its edges on device pixels
 */
void
cs_timeline_chart_place (CsTimelineChart *self, double x, double width, double y, double height, graphene_rect_t *rect)
{
  double x0 = align (self, x + get_header_width (self)), x1 = align (self, x + width + get_header_width (self));
  double y0 = align (self, y), y1 = align (self, y + height);

  if (self->rtl)
    {
      double right = self->width - x0;

      x0 = self->width - x1;
      x1 = right;
    }
  graphene_rect_init (rect, (float) x0, (float) y0, (float) (x1 - x0), (float) (y1 - y0));
}

/**
 * cs_timeline_chart_get_panes:
 * @self: a chart
 * @panes: (out): the parts of the widget that show rows, from the top
 *
 * Returns: how many there are
 */
guint
cs_timeline_chart_get_panes (CsTimelineChart *self, CsTimelinePane panes[2])
{
  double height = self->height, top = self->ruler_height;
  double pinned = get_pinned (self, MAX (height - top, 1));
  guint n = 0;

  if (pinned > 0)
    panes[n++] = (CsTimelinePane){ top, top + pinned, top };
  panes[n++] = (CsTimelinePane){ top + pinned, MAX (height, top + pinned),
                                 top - gtk_adjustment_get_value (self->adjustment) };
  return n;
}

/* The pane in which a y of rows is shown. */
static void
find_pane (CsTimelineChart *self, double y, CsTimelinePane *pane)
{
  CsTimelinePane panes[2];
  guint n = cs_timeline_chart_get_panes (self, panes);

  *pane = panes[n - 1];
  if (n > 1 && y < self->pinned)
    *pane = panes[0];
}

/**
 * cs_timeline_chart_get_call_rect:
 * @self: a chart
 * @call: a call
 * @rect: (out): where it is in the widget; what lies outside of the view is left out
 *
 * That of a row that isn't shown is in the strip below the last one that is.
 *
 * Returns: whether any of it is in view
 */
gboolean
cs_timeline_chart_get_call_rect (CsTimelineChart *self, const CsTimelineCall *call, graphene_rect_t *rect)
{
  double x0 = cs_timeline_window_get_x (&self->window, call->span.start);
  double x1 = MAX (cs_timeline_window_get_x (&self->window, call->span.end), x0 + 1), y, row, y1;
  CsTimelinePane pane;
  const CsTimelineItem *items;
  guint n;
  guint32 n_rows;

  if (x1 < 0 || x0 > self->window.pixels || self->timeline == NULL ||
      !cs_timeline_rows_get_y (cs_timeline_chart_get_rows (self), call->track, 0, &y))
    return FALSE;
  items = cs_timeline_rows_get_items (self->rows, &n);
  n_rows = items[cs_timeline_rows_find_visible (self->rows, y, y + 1, &n)].n_rows;
  find_pane (self, y, &pane);
  row = y + MIN (call->span.depth, n_rows) * self->row_height + pane.offset;
  y1 = MIN (row + (call->span.depth >= n_rows ? CS_TIMELINE_STRIP : self->row_height - 1), pane.bottom);
  row = MAX (row, pane.top);
  x0 = MAX (x0, 0);
  x1 = MIN (x1, self->window.pixels);
  if (row >= y1)
    return FALSE;
  cs_timeline_chart_place (self, x0, MAX (x1 - x0, 1), row, y1 - row, rect);
  return TRUE;
}

/**
 * cs_timeline_chart_get_row:
 * @self: a chart
 * @track: number of a track
 * @depth: a row of it
 * @n: (out): how many there are
 *
 * Returns: (transfer none) (array length=n): what is painted in the row
 */
const CsTimelineSpan *
cs_timeline_chart_get_row (CsTimelineChart *self, guint track, guint32 depth, gsize *n)
{
  const CsTimelineAnswer *answer = cs_timeline_chart_get_answer (self);
  const CsTimelineFill *fill = answer != NULL ? cs_timeline_answer_find (answer, track) : NULL;

  *n = 0;
  return fill != NULL ? cs_timeline_fill_get_row (fill, depth, n) : NULL;
}

/**
 * cs_timeline_chart_is_on_triangle:
 * @self: a chart
 * @x: a place in the widget, over a header
 *
 * Returns: whether a triangle that collapses is there
 */
gboolean
cs_timeline_chart_is_on_triangle (CsTimelineChart *self, double x)
{
  return cs_timeline_chart_get_axis_x (self, x) + get_header_width (self) < 22;
}

/**
 * cs_timeline_chart_can_collapse:
 * @self: a chart
 * @track: number of a track
 *
 * Returns: whether it has more than one row
 */
gboolean
cs_timeline_chart_can_collapse (CsTimelineChart *self, guint track)
{
  return cs_timeline_get_track_info (self->timeline, track)->n_rows > 1;
}

/**
 * cs_timeline_chart_find_more:
 * @self: a chart
 * @item: a track among its rows
 * @pane: the part of the widget that it is in
 * @n: (out): how many rows are beyond the limit
 *
 * The place where a header tells of them is the same whether they are shown or not, so that a second click takes the first one
 * back; where the name stays in view it is the name's.
 *
 * Returns: where in the widget, pixels from the top; negative: nowhere
 */
double
cs_timeline_chart_find_more (CsTimelineChart *self, const CsTimelineItem *item, const CsTimelinePane *pane, guint32 *n)
{
  const CsTimelineTrackSettings *settings = &g_array_index (self->settings, CsTimelineTrackSettings, item->track);
  guint32 all = cs_timeline_get_track_info (self->timeline, item->track)->n_rows;
  double top = item->y + pane->offset, y = top + (settings->depth_limit - 1.0) * self->row_height;

  *n = all > settings->depth_limit ? all - settings->depth_limit : 0;
  if (*n == 0 || settings->depth_limit < 2 || settings->collapsed || y < MAX (top, pane->top) + self->row_height)
    return -1;
  return y;
}

/**
 * cs_timeline_chart_is_on_more:
 * @self: a chart
 * @y: a place in the widget, over a header
 *
 * Returns: whether it tells there of rows beyond the limit
 */
gboolean
cs_timeline_chart_is_on_more (CsTimelineChart *self, double y)
{
  CsTimelinePane panes[2];
  guint n = cs_timeline_chart_get_panes (self, panes), more;
  const CsTimelineItem *items;
  CsTimelinePlace place;
  double at;

  n = n > 1 && y < panes[0].bottom ? 0 : n - 1;
  if (!cs_timeline_rows_hit (self->rows, y - panes[n].offset, &place) || place.track == G_MAXUINT)
    return FALSE;
  items = cs_timeline_rows_get_items (self->rows, &more);
  at = cs_timeline_chart_find_more (self, &items[place.item], &panes[n], &more);
  return at >= 0 && y >= at && y < at + self->row_height;
}

/**
 * cs_timeline_chart_set_full:
 * @self: a chart
 * @track: number of a track
 * @full: whether all its rows are shown, whatever the limit is
 *
 * Does that as the person's wish.
 */
void
cs_timeline_chart_set_full (CsTimelineChart *self, guint track, gboolean full)
{
  CsTimelineTrackSettings settings = g_array_index (self->settings, CsTimelineTrackSettings, track);

  if (!settings.full == !full)
    return;
  settings.full = full;
  cs_timeline_chart_set_track (self, track, &settings);
  cs_timeline_chart_emit_tracks_changed (self);
}

/* What is over a row of a track. */
static void
find_span (CsTimelineChart *self, CsTimelinePoint *point, double x)
{
  gsize n, hit;
  const CsTimelineSpan *spans = cs_timeline_chart_get_row (self, point->track, point->depth, &n);

  if (n == 0)
    return;
  hit = cs_timeline_window_hit (&self->window, spans, n, x, CS_TIMELINE_GRAB);
  if (hit == CS_TIMELINE_NO_SPAN)
    return;
  point->has_span = TRUE;
  point->span = spans[hit];
}

/**
 * cs_timeline_chart_hit:
 * @self: a chart
 * @x: a place in the widget
 * @y: a place in the widget
 * @point: (out): what is there
 */
void
cs_timeline_chart_hit (CsTimelineChart *self, double x, double y, CsTimelinePoint *point)
{
  CsTimelinePane panes[2];
  CsTimelinePlace place;
  double at;
  guint n;

  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  *point = (CsTimelinePoint){ .process = G_MAXUINT, .track = G_MAXUINT, .depth = G_MAXUINT32 };
  if (self->timeline == NULL || !self->has_window)
    return;
  cs_timeline_chart_update_geometry (self);
  at = cs_timeline_chart_get_axis_x (self, x);
  point->ns = cs_timeline_window_get_time (&self->window, CLAMP (at, 0, self->window.pixels));
  if (y < self->ruler_height)
    {
      point->area = at >= 0 ? CS_TIMELINE_AREA_RULER : CS_TIMELINE_AREA_NONE;
      return;
    }
  n = cs_timeline_chart_get_panes (self, panes);
  n = n > 1 && y < panes[0].bottom ? 0 : n - 1;
  if (!cs_timeline_rows_hit (self->rows, y - panes[n].offset, &place))
    return;
  point->process = cs_timeline_rows_get_items (self->rows, &n)[place.item].process;
  point->area = CS_TIMELINE_AREA_PROCESS;
  if (place.track == G_MAXUINT)
    return;
  point->track = place.track;
  point->depth = place.depth;
  point->area = at < 0 ? CS_TIMELINE_AREA_HEADER : CS_TIMELINE_AREA_TRACK;
  if (at >= 0 && place.depth != G_MAXUINT32)
    find_span (self, point, at);
}
