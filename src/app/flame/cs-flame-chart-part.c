/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "flame/cs-flame-chart-private.h"

/* The narrowest that is shown: so many pixels for a nanosecond. */
#define MAX_PIXELS_PER_NS 10

/* Pixels from where the axis starts, of a place in the widget. */
double
cs_flame_chart_get_start_x (CsFlameChart *self, double x)
{
  x -= self->plot_x;
  return cs_flame_chart_is_rtl (self) ? self->plot_width - x : x;
}

static double
get_difference (guint64 a, guint64 b)
{
  return a >= b ? (double) (a - b) : -(double) (b - a);
}

/* ns from one start to the other. */
double
cs_flame_part_get_way (const CsFlamePart *from, const CsFlamePart *to)
{
  return get_difference (to->x0, from->x0) + to->fraction - from->fraction;
}

/* Pixels from where the axis starts, of a time. */
double
cs_flame_chart_get_x (CsFlameChart *self, const CsFlamePart *part, guint64 ns)
{
  return (get_difference (ns, part->x0) - part->fraction) / part->width * self->plot_width;
}

void
cs_flame_part_shift (CsFlamePart *part, double ns)
{
  double sum = part->fraction + CLAMP (ns, -0x1p62, 0x1p62), whole = floor (sum);

  part->fraction = sum - whole;
  if (whole >= 0)
    part->x0 += (guint64) whole;
  else if ((guint64) -whole <= part->x0)
    part->x0 -= (guint64) -whole;
  else
    {
      part->x0 = 0;
      part->fraction = 0;
    }
}

double
cs_flame_chart_get_min_width (CsFlameChart *self)
{
  double total = (double) MAX (self->total, 1);

  return self->plot_width >= 1 ? MIN (self->plot_width / MAX_PIXELS_PER_NS, total) : total;
}

double
cs_flame_chart_get_max_y (CsFlameChart *self)
{
  return MAX ((double) self->n_rows * self->row_height - self->plot_height, 0);
}

/* Nothing beside the graph is shown, and nothing nearer than is sensible. */
void
cs_flame_chart_confine (CsFlameChart *self, CsFlamePart *part)
{
  double total = (double) MAX (self->total, 1), least = cs_flame_chart_get_min_width (self), over;

  part->width = CLAMP (part->width, least, total);
  part->y = CLAMP (part->y, 0, cs_flame_chart_get_max_y (self));
  if (part->width >= total)
    {
      part->x0 = 0;
      part->fraction = 0;
      return;
    }
  over = get_difference (part->x0, self->total) + part->fraction + part->width;
  if (over > 0)
    cs_flame_part_shift (part, -over);
}

/* Scrolls so that rows are on view; the first of them in any case. */
void
cs_flame_chart_reveal_rows (CsFlameChart *self, CsFlamePart *part, guint32 first, guint32 n)
{
  double top = (double) first * self->row_height, bottom;

  if (!self->placed)
    return;
  n = MIN (n, self->n_rows - MIN (first, self->n_rows));
  bottom = top + (double) n * self->row_height;
  part->y = MAX (part->y, bottom - self->plot_height);
  part->y = MIN (part->y, top);
}

/* How far down it makes sense to scroll: as far as there are frames above each other, of which there are fewer in a
 * part than in all of the graph. */
double
cs_flame_chart_get_deepest_y (CsFlameChart *self, const CsFlamePart *part)
{
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (CsFlameRect));
  CsFlameWindow window = { .x0 = part->x0, .pixels = 1, .min_pixels = 2, .max_rects = 1 };
  guint32 low = 0, high = self->n_rows;

  window.x1 = MIN (part->x0 + (guint64) ceil (part->fraction + part->width), self->total);
  /* Where there is a frame there is one above it. */
  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;

      window.depth0 = middle;
      window.depth1 = middle + 1;
      cs_flame_layout_query (self->layout, &window, rects);
      if (rects->len > 0)
        low = middle;
      else
        high = middle;
    }
  return MAX ((double) high * self->row_height - self->plot_height, 0);
}

/* Asks what is on view and how, unless that is known: before anything is placed. */
void
cs_flame_chart_query (CsFlameChart *self)
{
  CsFlameWindow window;

  self->scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  self->rtl = cs_flame_chart_is_rtl (self);
  if (self->queried)
    return;
  self->queried = TRUE;
  g_array_set_size (self->rects, 0);
  if (self->layout == NULL || self->plot_width < 1 || self->plot_height < 1)
    return;
  cs_flame_chart_get_window (self, &window);
  cs_flame_layout_query (self->layout, &window, self->rects);
  if (self->total == 0 && window.depth0 == 0)
    {
      CsFlameRect root = { .n = 1 };

      g_array_append_val (self->rects, root);
    }
}

/* How far it is scrolled, on whole device pixels. */
static double
get_scrolled (CsFlameChart *self)
{
  return round (self->part.y * self->scale) / self->scale;
}

/* Where a rectangle is painted, without the part that is out of the plot at its sides: on whole device pixels, with a
 * gap to the next one. */
void
cs_flame_chart_place (CsFlameChart *self, const CsFlameRect *rect, graphene_rect_t *bounds)
{
  double scale = self->scale, end = self->plot_width, left = 0, right = end, y;

  if (self->total > 0)
    {
      left = cs_flame_chart_get_x (self, &self->part, rect->start);
      right = left + (double) rect->width / self->part.width * end;
    }
  left = round (CLAMP (left, 0, end) * scale) / scale;
  right = round (CLAMP (right, 0, end) * scale) / scale;
  if (right < end && right - left >= 2)
    right -= 1;
  if (right - left < 1)
    {
      left = CLAMP (left, 0, MAX (end - 1, 0));
      right = left + 1;
    }
  y = (double) rect->depth * self->row_height - get_scrolled (self);
  if (self->flame)
    y = self->plot_height - self->row_height - y;
  if (self->rtl)
    {
      double swap = left;

      left = end - right;
      right = end - swap;
    }
  graphene_rect_init (bounds, (float) (self->plot_x + left), (float) y, (float) (right - left),
                      (float) (self->row_height - 1));
}

/* The rectangle that a frame is in, if it is on view. */
const CsFlameRect *
cs_flame_chart_find_rect (CsFlameChart *self, guint32 node)
{
  guint low = 0, high;

  cs_flame_chart_query (self);
  high = self->rects->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const CsFlameRect *rect = &g_array_index (self->rects, CsFlameRect, middle);

      if (rect->node <= node && node - rect->node < rect->n)
        return rect;
      if (rect->node < node)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

/* The rectangle that is painted at a place: on the device's pixel that the place lies in. */
const CsFlameRect *
cs_flame_chart_find_rect_at (CsFlameChart *self, double x, double y)
{
  guint low = 0, high;
  double row, px;
  guint32 depth;

  cs_flame_chart_query (self);
  px = cs_flame_chart_get_start_x (self, (floor (x * self->scale) + 0.5) / self->scale);
  y = (floor (y * self->scale) + 0.5) / self->scale;
  if (px < 0 || px >= self->plot_width || y < 0 || y >= self->plot_height)
    return NULL;
  row = floor (((self->flame ? self->plot_height - y : y) + get_scrolled (self)) / self->row_height);
  if (row < 0 || row >= self->n_rows)
    return NULL;
  depth = (guint32) row;
  /* The last one in the row that begins before. */
  high = self->rects->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const CsFlameRect *rect = &g_array_index (self->rects, CsFlameRect, middle);

      if (rect->depth < depth || (rect->depth == depth && cs_flame_chart_get_x (self, &self->part, rect->start) <= px))
        low = middle + 1;
      else
        high = middle;
    }
  if (low > 0)
    {
      const CsFlameRect *rect = &g_array_index (self->rects, CsFlameRect, low - 1);
      double left = cs_flame_chart_get_x (self, &self->part, rect->start);

      if (rect->depth == depth &&
          (self->total == 0 || px < left + MAX ((double) rect->width / self->part.width * self->plot_width, 1)))
        return rect;
    }
  return NULL;
}

/* Where frames have outlines there are two rectangles for each. */
static guint
get_max_rects (CsFlameChart *self)
{
  AdwStyleManager *manager = adw_style_manager_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));

  return self->n_found > 0 || adw_style_manager_get_high_contrast (manager) ? CS_FLAME_CHART_MAX_RECTS / 2
                                                                            : CS_FLAME_CHART_MAX_RECTS;
}

/**
 * cs_flame_chart_get_window:
 * @self: a chart
 * @window: (out): what it shows, in whole nanoseconds and rows
 */
void
cs_flame_chart_get_window (CsFlameChart *self, CsFlameWindow *window)
{
  g_return_if_fail (CS_IS_FLAME_CHART (self));

  *window = (CsFlameWindow){
    .x0 = self->part.x0,
    .min_pixels = CS_FLAME_CHART_MIN_PIXELS,
    .max_rects = get_max_rects (self),
  };
  if (self->layout == NULL)
    return;
  window->x1 = MIN (self->part.x0 + (guint64) ceil (self->part.fraction + self->part.width), self->total);
  window->pixels = (double) (window->x1 - window->x0) / self->part.width * self->plot_width;
  window->depth0 = (guint32) (self->part.y / self->row_height);
  window->depth1 = (guint32) MIN (ceil ((self->part.y + self->plot_height) / self->row_height), self->n_rows);
}

/**
 * cs_flame_chart_hit:
 * @self: a chart
 * @x: a place in the widget
 * @y: a place in the widget
 *
 * Returns: the frame that is painted there, or one of the block there; CS_FLAME_NONE: there is none
 */
guint32
cs_flame_chart_hit (CsFlameChart *self, double x, double y)
{
  const CsFlameRect *rect;

  g_return_val_if_fail (CS_IS_FLAME_CHART (self), CS_FLAME_NONE);
  rect = cs_flame_chart_find_rect_at (self, x, y);
  return rect != NULL ? rect->node : CS_FLAME_NONE;
}
