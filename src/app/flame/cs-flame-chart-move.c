/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "flame/cs-flame-chart-private.h"

#define FOCUS_ROWS 4 /* that are scrolled into view: the frame and what it called */

void
cs_flame_chart_show_whole (CsFlameChart *self)
{
  self->part = (CsFlamePart){ .width = (double) MAX (self->total, 1) };
  self->from = self->to = self->part;
}

void
cs_flame_chart_update_adjustment (CsFlameChart *self)
{
  double max = cs_flame_chart_get_max_y (self), y = CLAMP (self->part.y, 0, max);

  self->adjusting = TRUE;
  gtk_adjustment_configure (self->adjustment, self->flame ? max - y : y, 0, max + self->plot_height, self->row_height,
                            MAX (self->plot_height - self->row_height, self->row_height), self->plot_height);
  self->adjusting = FALSE;
}

void
cs_flame_chart_changed (CsFlameChart *self)
{
  self->queried = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
take_part (CsFlameChart *self, CsFlamePart part)
{
  gboolean other;

  cs_flame_chart_confine (self, &part);
  other = memcmp (&part, &self->part, sizeof part) != 0;
  self->part = part;
  if (!other)
    return;
  cs_flame_chart_update_adjustment (self);
  cs_flame_chart_changed (self);
  cs_flame_chart_tell_window (self);
}

/* Part of the way: widths are multiplied, and the start follows so that zooming keeps its fixed point. */
void
cs_flame_chart_move (double value, gpointer data)
{
  CsFlameChart *self = data;
  CsFlamePart part = self->from;
  double travelled = value, way;

  if (value <= 0)
    return;
  if (value >= 1)
    {
      take_part (self, self->to);
      return;
    }
  part.width = self->from.width * pow (self->to.width / self->from.width, value);
  if (fabs (log (self->to.width / self->from.width)) > 1e-6)
    travelled = (part.width - self->from.width) / (self->to.width - self->from.width);
  way = cs_flame_part_get_way (&self->from, &self->to);
  cs_flame_part_shift (&part, way * travelled);
  part.y += (self->to.y - self->from.y) * value;
  take_part (self, part);
}

void
cs_flame_chart_stop (CsFlameChart *self)
{
  adw_animation_pause (self->animation);
}

static gboolean
is_animated (CsFlameChart *self)
{
  return adw_animation_get_state (self->animation) == ADW_ANIMATION_PLAYING;
}

/* What is shown when the animation has ended. */
const CsFlamePart *
cs_flame_chart_get_target (CsFlameChart *self)
{
  return is_animated (self) ? &self->to : &self->part;
}

void
cs_flame_chart_show_part (CsFlameChart *self, const CsFlamePart *part, gboolean animate)
{
  CsFlamePart to = *part;

  cs_flame_chart_confine (self, &to);
  cs_flame_chart_stop (self);
  if (!animate)
    {
      take_part (self, to);
      cs_flame_chart_update_description (self);
      return;
    }
  self->from = self->part;
  self->to = to;
  adw_animation_reset (self->animation);
  adw_animation_play (self->animation);
}

/* The focus at the full width, scrolled as now. */
static void
get_focus_part (CsFlameChart *self, CsFlamePart *part)
{
  CsFlameWindow window = { 0 };
  double least = cs_flame_chart_get_min_width (self);

  part->y = cs_flame_chart_get_target (self)->y;
  cs_flame_layout_focus (self->layout, self->focus, &window);
  part->x0 = window.x0;
  part->fraction = 0;
  part->width = (double) (window.x1 - window.x0);
  if (part->width < least)
    {
      cs_flame_part_shift (part, (part->width - least) / 2);
      part->width = least;
    }
}

static double
get_focus_y (CsFlameChart *self)
{
  return (double) (self->focus_path->len - 1) * self->row_height;
}

/* A block is as wide as half the chart then. */
void
cs_flame_chart_show_block (CsFlameChart *self, const CsFlameRect *rect)
{
  CsFlamePart part = { .x0 = rect->start, .width = (double) rect->width * 2, .y = cs_flame_chart_get_target (self)->y };

  part.width = MAX (part.width, cs_flame_chart_get_min_width (self));
  cs_flame_part_shift (&part, ((double) rect->width - part.width) / 2);
  cs_flame_chart_reveal_rows (self, &part, rect->depth, FOCUS_ROWS);
  cs_flame_chart_show_part (self, &part, TRUE);
}

/* Brings a frame into view. */
void
cs_flame_chart_reveal (CsFlameChart *self, guint32 node, gboolean animate)
{
  CsFlamePart part = *cs_flame_chart_get_target (self);
  CsFlameNode frame;
  double left, right, ns;

  cs_flame_layout_get_node (self->layout, node, &frame);
  cs_flame_chart_reveal_rows (self, &part, frame.depth, 1);
  if (self->plot_width >= 1 && self->total > 0)
    {
      ns = part.width / self->plot_width;
      left = cs_flame_chart_get_x (self, &part, frame.start);
      right = left + (double) frame.width / ns;
      if (right - left > self->plot_width)
        {
          if (left > self->plot_width - CS_FLAME_CHART_MIN_LABEL)
            cs_flame_part_shift (&part, left * ns);
          else if (right < CS_FLAME_CHART_MIN_LABEL)
            cs_flame_part_shift (&part, (right - self->plot_width) * ns);
        }
      else if (left < -0.5 || right > self->plot_width + 0.5)
        cs_flame_part_shift (&part, ((left + right) / 2 - self->plot_width / 2) * ns);
    }
  cs_flame_chart_confine (self, &part);
  if (memcmp (&part, cs_flame_chart_get_target (self), sizeof part) != 0)
    cs_flame_chart_show_part (self, &part, animate);
}

/**
 * cs_flame_chart_zoom:
 * @self: a chart
 * @x: pixels from the start, of what stays where it is; negative: the middle
 * @factor: more than 1: nearer
 * @animate: whether to move there
 */
void
cs_flame_chart_zoom (CsFlameChart *self, double x, double factor, gboolean animate)
{
  CsFlamePart part;
  double width;

  g_return_if_fail (CS_IS_FLAME_CHART (self));
  g_return_if_fail (factor > 0);

  if (self->layout == NULL || self->plot_width < 1)
    return;
  part = animate ? *cs_flame_chart_get_target (self) : self->part;
  if (x < 0)
    x = self->plot_width / 2;
  width = CLAMP (part.width / factor, cs_flame_chart_get_min_width (self), (double) MAX (self->total, 1));
  cs_flame_part_shift (&part, MIN (x / self->plot_width, 1) * (part.width - width));
  part.width = width;
  cs_flame_chart_show_part (self, &part, animate);
}

/**
 * cs_flame_chart_pan:
 * @self: a chart
 * @dx: pixels; positive: what lies farther from the start comes into view
 * @dy: pixels; positive: what lies farther from the root comes into view, if there is anything
 */
void
cs_flame_chart_pan (CsFlameChart *self, double dx, double dy)
{
  CsFlamePart part;

  g_return_if_fail (CS_IS_FLAME_CHART (self));

  if (self->layout == NULL || self->plot_width < 1)
    return;
  part = self->part;
  cs_flame_part_shift (&part, dx / self->plot_width * part.width);
  cs_flame_chart_confine (self, &part);
  if (dy > 0)
    dy = MIN (dy, MAX (cs_flame_chart_get_deepest_y (self, &part) - part.y, 0));
  part.y += dy;
  cs_flame_chart_show_part (self, &part, FALSE);
}

/**
 * cs_flame_chart_fit:
 * @self: a chart
 * @animate: whether to move there
 *
 * Shows the frame in focus at the full width.
 */
void
cs_flame_chart_fit (CsFlameChart *self, gboolean animate)
{
  CsFlamePart part;

  g_return_if_fail (CS_IS_FLAME_CHART (self));

  if (self->layout == NULL)
    return;
  get_focus_part (self, &part);
  cs_flame_chart_reveal_rows (self, &part, self->focus_path->len - 1, FOCUS_ROWS);
  cs_flame_chart_show_part (self, &part, animate);
}

/**
 * cs_flame_chart_get_place:
 * @self: a chart
 * @place: (out): what it shows
 */
void
cs_flame_chart_get_place (CsFlameChart *self, CsFlamePlace *place)
{
  const CsFlamePart *part = cs_flame_chart_get_target (self);
  CsFlamePart focus;

  g_return_if_fail (CS_IS_FLAME_CHART (self));

  *place = (CsFlamePlace){ .width = 1 };
  if (self->layout == NULL)
    return;
  get_focus_part (self, &focus);
  if (focus.width > 0)
    {
      place->start = cs_flame_part_get_way (&focus, part) / focus.width;
      place->width = part->width / focus.width;
    }
  place->y = part->y - get_focus_y (self);
  place->told = self->readout != NULL && gtk_widget_get_visible (self->readout);
}

/**
 * cs_flame_chart_set_place:
 * @self: a chart
 * @place: what it showed of another layout
 *
 * Shows the same of this one: what was as wide as the focus still is, also if that has another share of the time.
 */
void
cs_flame_chart_set_place (CsFlameChart *self, const CsFlamePlace *place)
{
  CsFlamePart part;
  double width;

  g_return_if_fail (CS_IS_FLAME_CHART (self));

  if (self->layout == NULL)
    return;
  get_focus_part (self, &part);
  width = part.width;
  part.width = width * place->width;
  cs_flame_part_shift (&part, width * place->start);
  part.y = get_focus_y (self) + place->y;
  cs_flame_chart_show_part (self, &part, FALSE);
  if (place->told && self->cursor != CS_FLAME_NONE)
    cs_flame_chart_show_readout (self);
}
