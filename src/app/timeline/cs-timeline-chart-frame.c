/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "layout/cs-ruler.h"
#include "shared/cs-format.h"
#include "timeline/cs-timeline-chart-private.h"

/* Pixels. */
#define LABEL_ROOM 90 /* between labels of the ruler */
#define TICK 7
#define MINOR_TICK 4
#define SIGN 9        /* of a mark */
#define TEXT_X 20     /* of a header, behind its triangle */
#define TRIANGLE 4    /* half of its height */
#define MAX_SIGNS 200
#define MAX_TITLES 400

static void
append (CsTimelineChart *self, GtkSnapshot *snapshot, double x, double width, double y, double height,
        const GdkRGBA *color)
{
  graphene_rect_t rect;

  cs_timeline_chart_place (self, x, width, y, height, &rect);
  gtk_snapshot_append_color (snapshot, color, &rect);
}

/* The x, from the time axis's start, at which headers begin. */
static double
get_start (CsTimelineChart *self)
{
  return self->window.pixels + self->scrollbar_width - self->width;
}

/* The base that labels count from, beside the ruler. */
static void
paint_base (CsTimelineChart *self, GtkSnapshot *snapshot, const char *base)
{
  double start = get_start (self);
  int width, height;
  PangoLayout *layout = cs_label_cache_get (self->small_labels, base, -start - 12, &width, &height);

  if (layout != NULL)
    cs_timeline_chart_paint_layout (self, snapshot, layout, start + 6, width, 2,
                                    &self->colors.colors[CS_CHART_DIM_TEXT]);
}

/**
 * cs_timeline_chart_paint_ruler:
 * @self: a chart
 * @snapshot: where to paint
 * @covered_from: pixels from the time axis's start
 * @covered_to: to where something else will be painted over it: there are no labels
 *
 * Paints ticks with their times above the tracks.
 */
void
cs_timeline_chart_paint_ruler (CsTimelineChart *self, GtkSnapshot *snapshot, double covered_from, double covered_to)
{
  g_autoptr (CsRuler) ruler = cs_ruler_new (&self->window, cs_timeline_chart_get_origin (self), LABEL_ROOM);
  double end = -1e9, bottom = self->ruler_height;

  append (self, snapshot, get_start (self), self->window.pixels - get_start (self), bottom - 1, 1,
          &self->colors.colors[CS_CHART_BORDER]);
  for (guint i = 0; i < ruler->n_ticks; i++)
    {
      const CsRulerTick *tick = &ruler->ticks[i];
      double x = cs_timeline_window_get_x (&self->window, tick->time), left;
      int width, height;
      PangoLayout *layout;

      append (self, snapshot, x, 1, bottom - (tick->major ? TICK : MINOR_TICK), tick->major ? TICK : MINOR_TICK,
              &self->colors.colors[tick->major ? CS_CHART_DIM_TEXT : CS_CHART_BORDER]);
      if (!tick->major)
        continue;
      layout = cs_label_cache_get (self->small_labels, tick->label, 1000, &width, &height);
      if (layout == NULL)
        continue;
      left = CLAMP (x - width / 2.0, 0, MAX (self->window.pixels - width, 0));
      if (left < end + 8 || (left < covered_to && left + width > covered_from))
        continue;
      cs_timeline_chart_paint_layout (self, snapshot, layout, left, width, 1, &self->colors.colors[CS_CHART_DIM_TEXT]);
      end = left + width;
    }
  if (ruler->base[0] != '\0')
    paint_base (self, snapshot, ruler->base);
}

/* What a header says. */
typedef struct
{
  PangoLayout *title, *subtitle; /* the latter (nullable) */
  int title_width, subtitle_width;
} Title;

static void
title_free (gpointer data)
{
  Title *self = data;

  g_object_unref (self->title);
  g_clear_object (&self->subtitle);
  g_free (self);
}

static PangoLayout *
create_layout (CsTimelineChart *self, const char *text, double scale, gboolean bold, double width, int *got)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (scale));
  if (bold)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (layout, (int) (MAX (width, 1) * PANGO_SCALE));
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_get_pixel_size (layout, got, NULL);
  /* A layout of the text's own direction may be aligned to its other end. */
  pango_layout_set_width (layout, MIN (*got + 1, (int) MAX (width, 1)) * PANGO_SCALE);
  return layout;
}

/* key: a track; with the highest bit, a process. */
static const Title *
get_title (CsTimelineChart *self, guint key, char *(*dup_title) (CsTimelineChart *, guint),
           char *(*dup_subtitle) (CsTimelineChart *, guint))
{
  double width = -get_start (self) - TEXT_X - 6;
  Title *title = g_hash_table_lookup (self->titles, GUINT_TO_POINTER (key));
  guint number = key & 0x7fffffff;
  g_autofree char *text = NULL, *subtitle = NULL;

  if (title != NULL)
    return title;
  if (g_hash_table_size (self->titles) > MAX_TITLES)
    g_hash_table_remove_all (self->titles);
  title = g_new0 (Title, 1);
  text = dup_title (self, number);
  if (dup_subtitle == NULL)
    width += self->window.pixels;
  title->title = create_layout (self, text, 0.9, TRUE, width, &title->title_width);
  if (dup_subtitle != NULL)
    subtitle = dup_subtitle (self, number);
  if (subtitle != NULL)
    title->subtitle = create_layout (self, subtitle, 0.8, FALSE, width, &title->subtitle_width);
  g_hash_table_insert (self->titles, GUINT_TO_POINTER (key), title);
  return title;
}

/* A triangle that points to the end when closed, down when open. */
static void
paint_triangle (CsTimelineChart *self, GtkSnapshot *snapshot, double y, gboolean open)
{
  double start = get_start (self) + 6;
  const GdkRGBA *color = &self->colors.colors[CS_CHART_DIM_TEXT];

  for (guint i = 0; i <= TRIANGLE; i++)
    if (open)
      append (self, snapshot, start + i, 2 * (TRIANGLE - i) + 1, y + i - 2, 1, color);
    else
      append (self, snapshot, start + i + 2, 1, y + i - TRIANGLE, 2 * (TRIANGLE - i) + 1, color);
}

static void
paint_process (CsTimelineChart *self, GtkSnapshot *snapshot, const CsTimelinePane *pane, const CsTimelineItem *item)
{
  double y = item->y + pane->offset, start = get_start (self);
  const Title *title;
  int height;

  if (item->height < 1)
    return;
  title = get_title (self, item->process | 0x80000000, cs_timeline_chart_dup_process_title, NULL);
  append (self, snapshot, start, self->window.pixels - start, y, item->height - 2, &self->colors.colors[CS_CHART_TROUGH]);
  append (self, snapshot, start, self->window.pixels - start, y + item->height - 3, 1, &self->colors.colors[CS_CHART_BORDER]);
  pango_layout_get_pixel_size (title->title, NULL, &height);
  paint_triangle (self, snapshot, y + item->height / 2, !self->collapsed[item->process]);
  cs_timeline_chart_paint_layout (self, snapshot, title->title, start + TEXT_X, title->title_width,
                                  y + (item->height - 2 - height) / 2, &self->colors.colors[CS_CHART_TEXT]);
}

/* A pinned track has a bar at the start. */
static void
paint_pin (CsTimelineChart *self, GtkSnapshot *snapshot, double y, double height)
{
  append (self, snapshot, get_start (self), 3, y, height, &self->colors.colors[CS_CHART_HANDLE]);
}

/* What changes how many rows there are: "+88 rows", and "−88 rows" while they are shown. */
static void
paint_more (CsTimelineChart *self, GtkSnapshot *snapshot, guint track, guint32 n, double y)
{
  gboolean full = g_array_index (self->settings, CsTimelineTrackSettings, track).full;
  g_autofree char *count = cs_format_count (n);
  g_autofree char *text = g_strdup_printf (full ? ngettext ("−%s row", "−%s rows", n) : ngettext ("+%s row", "+%s rows", n), count);
  int width, height;
  PangoLayout *layout = cs_label_cache_get (self->small_labels, text, -get_start (self) - TEXT_X - 6, &width, &height);

  if (layout != NULL)
    cs_timeline_chart_paint_layout (self, snapshot, layout, get_start (self) + TEXT_X, width, y + (self->row_height - height) / 2,
                                    &self->colors.colors[CS_CHART_HANDLE]);
}

/* The name stays in view as long as any of the track is. */
static void
paint_track (CsTimelineChart *self, GtkSnapshot *snapshot, const CsTimelinePane *pane, const CsTimelineItem *item)
{
  const CsTimelineTrack *track = cs_timeline_rows_get_track (self->rows, item->track);
  const Title *title = get_title (self, item->track, cs_timeline_chart_dup_track_title,
                                  cs_timeline_chart_dup_track_subtitle);
  double top = item->y + pane->offset, bottom = top + item->height, y, start = get_start (self);
  int title_height, height = 0;
  guint32 n_more;
  double more = cs_timeline_chart_find_more (self, item, pane, &n_more);

  append (self, snapshot, start, self->window.pixels - start, bottom - 4, 1, &self->colors.colors[CS_CHART_GRID]);
  if (track->pinned)
    paint_pin (self, snapshot, top, item->height - 4);
  pango_layout_get_pixel_size (title->title, NULL, &title_height);
  if (title->subtitle != NULL)
    pango_layout_get_pixel_size (title->subtitle, NULL, &height);
  if (title_height + height > item->height - 2)
    height = 0;
  y = MIN (MAX (top, pane->top) + 1, bottom - 4 - title_height - height);
  cs_timeline_chart_paint_layout (self, snapshot, title->title, start + TEXT_X, title->title_width, y,
                                  &self->colors.colors[CS_CHART_TEXT]);
  if (cs_timeline_chart_can_collapse (self, item->track))
    paint_triangle (self, snapshot, y + title_height / 2.0, !track->collapsed);
  if (more >= 0)
    paint_more (self, snapshot, item->track, n_more, more);
  if (height > 0 && (more < 0 || y + title_height + height <= more || y + title_height >= more + self->row_height))
    cs_timeline_chart_paint_layout (self, snapshot, title->subtitle, start + TEXT_X, title->subtitle_width,
                                    y + title_height, &self->colors.colors[CS_CHART_DIM_TEXT]);
}

/**
 * cs_timeline_chart_paint_headers:
 * @self: a chart
 * @snapshot: where to paint
 * @pane: a part of it
 *
 * Paints names, triangles and what separates tracks.
 */
void
cs_timeline_chart_paint_headers (CsTimelineChart *self, GtkSnapshot *snapshot, const CsTimelinePane *pane)
{
  double y0 = pane->top - pane->offset, y1 = pane->bottom - pane->offset, start = get_start (self);
  guint n, first;
  const CsTimelineItem *items = cs_timeline_rows_get_items (self->rows, &n);
  graphene_rect_t clip;

  if (self->titles == NULL)
    self->titles = g_hash_table_new_full (NULL, NULL, NULL, title_free);
  first = cs_timeline_rows_find_visible (self->rows, y0, y1, &n);
  cs_timeline_chart_place (self, start, self->window.pixels - start, pane->top, pane->bottom - pane->top, &clip);
  gtk_snapshot_push_clip (snapshot, &clip);
  for (guint i = first; i < first + n; i++)
    if (items[i].header)
      paint_process (self, snapshot, pane, &items[i]);
    else
      paint_track (self, snapshot, pane, &items[i]);
  gtk_snapshot_pop (snapshot);
}

/* Where a mark is on the axis; at least 1 pixel wide. */
static gboolean
get_mark_extent (CsTimelineChart *self, const CsTimelineMark *mark, double *x0, double *x1)
{
  *x0 = MAX (cs_timeline_window_get_x (&self->window, mark->from), -SIGN);
  *x1 = MIN (cs_timeline_window_get_x (&self->window, MAX (mark->to, mark->from)), self->window.pixels + SIGN);
  if (*x1 < *x0 + 1)
    *x1 = *x0 + 1;
  return *x1 > 0 && *x0 < self->window.pixels;
}

/* Stripes over a zone. */
static void
paint_zone (CsTimelineChart *self, GtkSnapshot *snapshot, double x0, double x1, double y0, double y1)
{
  GdkRGBA color = self->colors.colors[CS_CHART_NOTICE], clear;
  graphene_rect_t rect;
  GskColorStop stops[4];

  cs_timeline_chart_place (self, x0, x1 - x0, y0, y1 - y0, &rect);
  color.alpha = self->colors.high_contrast ? 0.8f : 0.45f;
  clear = color;
  clear.alpha = self->colors.high_contrast ? 0.1f : 0.06f;
  stops[0] = (GskColorStop){ 0, color };
  stops[1] = (GskColorStop){ 0.3f, color };
  stops[2] = (GskColorStop){ 0.3f, clear };
  stops[3] = (GskColorStop){ 1, clear };
  gtk_snapshot_append_repeating_linear_gradient (snapshot, &rect, &rect.origin,
                                                 &GRAPHENE_POINT_INIT (rect.origin.x + 5, rect.origin.y + 5), stops, 4);
}

static void
paint_mark (CsTimelineChart *self, GtkSnapshot *snapshot, const CsTimelineMark *mark, double y0, double y1)
{
  double x0, x1;

  if (y0 >= y1 || !get_mark_extent (self, mark, &x0, &x1))
    return;
  if (x1 - x0 > 2)
    paint_zone (self, snapshot, x0, x1, y0, y1);
  append (self, snapshot, x0, MIN (x1 - x0, 1.5), y0, y1 - y0, &self->colors.colors[CS_CHART_NOTICE]);
  if (x1 - x0 > 2)
    append (self, snapshot, x1 - 1, 1, y0, y1 - y0, &self->colors.colors[CS_CHART_NOTICE]);
}

/**
 * cs_timeline_chart_paint_marks:
 * @self: a chart
 * @snapshot: where to paint
 * @pane: a part of it
 *
 * Paints where the recording was not all there, over the tracks that it is of.
 */
void
cs_timeline_chart_paint_marks (CsTimelineChart *self, GtkSnapshot *snapshot, const CsTimelinePane *pane)
{
  double bottom = MIN (pane->bottom, cs_timeline_rows_get_height (self->rows) + pane->offset);
  graphene_rect_t clip;

  if (self->marks->len == 0)
    return;
  cs_timeline_chart_place (self, 0, self->window.pixels, pane->top, pane->bottom - pane->top, &clip);
  gtk_snapshot_push_clip (snapshot, &clip);
  for (guint i = 0; i < self->marks->len; i++)
    {
      const CsTimelineMark *mark = &g_array_index (self->marks, CsTimelineMark, i);
      double y, height = cs_timeline_rows_get_height (self->rows);
      CsTimelinePlace place;
      guint n;

      if (mark->track == G_MAXUINT)
        paint_mark (self, snapshot, mark, pane->top, bottom);
      else if (cs_timeline_rows_get_y (self->rows, mark->track, 0, &y) && y < height &&
               cs_timeline_rows_hit (self->rows, y, &place))
        {
          height = cs_timeline_rows_get_items (self->rows, &n)[place.item].height - 4;
          paint_mark (self, snapshot, mark, MAX (y + pane->offset, pane->top),
                      MIN (y + pane->offset + height, pane->bottom));
        }
    }
  gtk_snapshot_pop (snapshot);
}

/* Each kind has a shape of its own. */
static void
paint_sign (CsTimelineChart *self, GtkSnapshot *snapshot, CsTimelineMarkKind kind, double x, double y)
{
  const GdkRGBA *color = &self->colors.colors[CS_CHART_NOTICE];

  switch (kind)
    {
    case CS_TIMELINE_MARK_STOPPED:
      append (self, snapshot, x - 4, 8, y, 8, color);
      break;
    case CS_TIMELINE_MARK_OFF:
      append (self, snapshot, x - 4, 3, y, 9, color);
      append (self, snapshot, x + 1, 3, y, 9, color);
      break;
    case CS_TIMELINE_MARK_WRAPPED:
      for (guint i = 0; i < SIGN; i++) /* what points back to the start */
        append (self, snapshot, x + 4 - ABS ((int) i - 4) * -1.0 - 8, 8 - ABS ((int) i - 4) * 1.0, y + i, 1, color);
      break;
    case CS_TIMELINE_MARK_DROPPED:
      for (guint i = 0; i < SIGN; i++)
        append (self, snapshot, x - 4.5 + ABS ((int) i - 4), SIGN - 2 * ABS ((int) i - 4), y + i, 1, color);
      break;
    case CS_TIMELINE_MARK_NOTICE:
    default:
      for (guint i = 0; i < SIGN; i++) /* a triangle, as warnings have */
        append (self, snapshot, x - (i + 1) / 2.0, i + 1, y + i, 1, color);
      break;
    }
}

static double
get_sign_x (CsTimelineChart *self, const CsTimelineMark *mark)
{
  return CLAMP (cs_timeline_window_get_x (&self->window, mark->from), SIGN / 2.0, self->window.pixels - SIGN / 2.0);
}

/**
 * cs_timeline_chart_paint_mark_signs:
 * @self: a chart
 * @snapshot: where to paint
 *
 * Paints the signs of marks in the ruler.
 */
void
cs_timeline_chart_paint_mark_signs (CsTimelineChart *self, GtkSnapshot *snapshot)
{
  double last = -1e9, x0, x1;
  guint n = 0;

  for (guint i = 0; i < self->marks->len && n < MAX_SIGNS; i++)
    {
      const CsTimelineMark *mark = &g_array_index (self->marks, CsTimelineMark, i);
      double x = get_sign_x (self, mark);

      if (!get_mark_extent (self, mark, &x0, &x1) || fabs (x - last) < 2)
        continue;
      last = x;
      n++;
      paint_sign (self, snapshot, mark->kind, x, self->ruler_height - SIGN - 2);
    }
}

/**
 * cs_timeline_chart_find_mark:
 * @self: a chart
 * @x: pixels from the time axis's start
 * @track: number of a track; ignored for a sign
 * @sign: whether the place is in the ruler
 *
 * Returns: (transfer none) (nullable): the mark there
 */
const CsTimelineMark *
cs_timeline_chart_find_mark (CsTimelineChart *self, double x, guint track, gboolean sign)
{
  for (guint i = 0; i < self->marks->len; i++)
    {
      const CsTimelineMark *mark = &g_array_index (self->marks, CsTimelineMark, i);
      double x0, x1;

      if (!get_mark_extent (self, mark, &x0, &x1))
        continue;
      if (sign ? fabs (get_sign_x (self, mark) - x) <= SIGN / 2.0
               : x >= x0 - 2 && x <= x1 + 2 && (mark->track == G_MAXUINT || mark->track == track))
        return mark;
    }
  return NULL;
}
