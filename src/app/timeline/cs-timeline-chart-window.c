/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "timeline/cs-timeline-chart-private.h"

#define ANIMATION_MS 200
#define MARGIN 0.05 /* of a call that is fitted, beside it */
#define SEEN 24     /* pixels of a call that are enough to see it */

static double
get_difference (gint64 time, gint64 from)
{
  return time >= from ? (double) ((guint64) time - (guint64) from) : -(double) ((guint64) from - (guint64) time);
}

static gboolean
is_equal (const CsTimelineWindow *a, const CsTimelineWindow *b)
{
  return a->start == b->start && cs_timeline_is_same (a->fraction, b->fraction) && cs_timeline_is_same (a->span, b->span);
}

/* Shows that at once. */
static void
take (CsTimelineChart *self, const CsTimelineWindow *window, double scroll)
{
  gboolean other = !is_equal (window, &self->window);

  if (!other && cs_timeline_is_same (scroll, gtk_adjustment_get_value (self->adjustment)))
    return;
  self->window.start = window->start;
  self->window.fraction = window->fraction;
  self->window.span = window->span;
  gtk_adjustment_set_value (self->adjustment, scroll);
  cs_timeline_chart_repaint (self);
  if (other)
    cs_timeline_chart_emit_window_changed (self);
}

/* The window a part of the way: its span grows or shrinks evenly, and what stays in place does so all the way. */
static void
on_animated (double value, gpointer data)
{
  CsTimelineChart *self = data;
  double ratio = self->target.span / self->from.span, part = value;
  CsTimelineWindow window = self->from;
  double left;

  if (!self->animating)
    return;
  if (value >= 1)
    {
      self->animating = FALSE;
      take (self, &self->target, self->scroll_target);
      cs_timeline_chart_ask (self);
      if (self->readout_wanted)
        cs_timeline_chart_show_readout (self);
      return;
    }
  window.span = self->from.span * pow (ratio, value);
  if (fabs (ratio - 1) > 1e-6)
    part = (window.span - self->from.span) / (self->target.span - self->from.span);
  left = get_difference (self->target.start, self->from.start) + self->target.fraction - self->from.fraction;
  left = self->from.fraction + left * part;
  window.start = self->from.start + (gint64) floor (left);
  window.fraction = left - floor (left);
  take (self, &window, self->scroll_from + (self->scroll_target - self->scroll_from) * value);
}

/**
 * cs_timeline_chart_stop_animation:
 * @self: a chart
 *
 * It shows what it shows now.
 */
void
cs_timeline_chart_stop_animation (CsTimelineChart *self)
{
  if (!self->animating)
    return;
  self->animating = FALSE;
  adw_animation_reset (self->animation);
}

/**
 * cs_timeline_chart_get_target:
 * @self: a chart
 *
 * Returns: (transfer none): the window, or what it is on the way to
 */
const CsTimelineWindow *
cs_timeline_chart_get_target (CsTimelineChart *self)
{
  return self->animating ? &self->target : &self->window;
}

/**
 * cs_timeline_chart_get_scroll_target:
 * @self: a chart
 *
 * Returns: how far it is scrolled down, or will be, pixels
 */
double
cs_timeline_chart_get_scroll_target (CsTimelineChart *self)
{
  return self->animating ? self->scroll_target : gtk_adjustment_get_value (self->adjustment);
}

static void
check_follow (CsTimelineChart *self, const CsTimelineWindow *window)
{
  if (self->follow && cs_timeline_window_get_end (window) < self->last)
    {
      self->follow = FALSE;
      g_object_notify (G_OBJECT (self), "follow");
    }
}

/**
 * cs_timeline_chart_move_to:
 * @self: a chart
 * @window: the time to show, within the recording
 * @scroll: how far to scroll down, pixels
 * @animate: whether to move there
 *
 * What is on the way elsewhere starts from where it is.
 */
void
cs_timeline_chart_move_to (CsTimelineChart *self, const CsTimelineWindow *window, double scroll, gboolean animate)
{
  double most = gtk_adjustment_get_upper (self->adjustment) - gtk_adjustment_get_page_size (self->adjustment);
  CsTimelineWindow target = *window;

  cs_timeline_chart_stop_animation (self);
  scroll = CLAMP (scroll, 0, MAX (most, 0));
  check_follow (self, &target);
  if (!animate || !gtk_widget_get_mapped (GTK_WIDGET (self)) || self->window.pixels <= 1)
    {
      take (self, &target, scroll);
      cs_timeline_chart_ask (self);
      return;
    }
  if (is_equal (&target, &self->window) && cs_timeline_is_same (scroll, gtk_adjustment_get_value (self->adjustment)))
    return;
  if (self->animation == NULL)
    self->animation = adw_timed_animation_new (GTK_WIDGET (self), 0, 1, ANIMATION_MS,
                                               adw_callback_animation_target_new (on_animated, self, NULL));
  self->from = self->window;
  self->target = target;
  self->target.pixels = self->window.pixels;
  self->scroll_from = gtk_adjustment_get_value (self->adjustment);
  self->scroll_target = scroll;
  self->animating = TRUE;
  cs_timeline_chart_ask (self);
  adw_animation_play (self->animation);
}

static void
move_window (CsTimelineChart *self, const CsTimelineWindow *window, gboolean animate)
{
  cs_timeline_chart_move_to (self, window, cs_timeline_chart_get_scroll_target (self), animate);
}

/* Whether there is a time to show. */
static gboolean
is_ready (CsTimelineChart *self)
{
  if (!self->has_window)
    return FALSE;
  cs_timeline_chart_update_geometry (self);
  return TRUE;
}

/**
 * cs_timeline_chart_get_window:
 * @self: a chart
 * @from: (out) (optional): ns
 * @to: (out) (optional): ns
 *
 * Tells the time that is shown, or that it is moving to. Both are 0 without events.
 */
void
cs_timeline_chart_get_window (CsTimelineChart *self, gint64 *from, gint64 *to)
{
  const CsTimelineWindow *window;

  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  window = cs_timeline_chart_get_target (self);
  if (from != NULL)
    *from = self->has_window ? window->start : 0;
  if (to != NULL)
    *to = self->has_window ? cs_timeline_window_get_end (window) : 0;
}

/**
 * cs_timeline_chart_set_window:
 * @self: a chart
 * @from: ns
 * @to: ns
 * @animate: whether to move there
 *
 * Shows that time, as far as the recording goes.
 */
void
cs_timeline_chart_set_window (CsTimelineChart *self, gint64 from, gint64 to, gboolean animate)
{
  CsTimelineWindow window;

  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  if (!is_ready (self))
    return;
  window = self->window;
  cs_timeline_window_fit (&window, from, to);
  cs_timeline_window_clamp (&window, self->first, self->last);
  move_window (self, &window, animate);
}

/**
 * cs_timeline_chart_zoom:
 * @self: a chart
 * @x: pixels from the time axis's start, where the time stays; negative: the middle
 * @factor: how much nearer: more than 1 to see less
 * @animate: whether to move there
 */
void
cs_timeline_chart_zoom (CsTimelineChart *self, double x, double factor, gboolean animate)
{
  CsTimelineWindow window;

  g_return_if_fail (CS_IS_TIMELINE_CHART (self));
  g_return_if_fail (factor > 0);

  if (!is_ready (self))
    return;
  window = *cs_timeline_chart_get_target (self);
  cs_timeline_window_zoom (&window, x < 0 ? window.pixels / 2 : MIN (x, window.pixels), 1 / factor, self->first,
                           self->last);
  move_window (self, &window, animate);
}

/**
 * cs_timeline_chart_pan:
 * @self: a chart
 * @dx: pixels; more than 0 shows later times
 * @dy: pixels; more than 0 shows lower rows
 * @animate: whether to move there
 */
void
cs_timeline_chart_pan (CsTimelineChart *self, double dx, double dy, gboolean animate)
{
  CsTimelineWindow window;

  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  if (!is_ready (self))
    return;
  window = *cs_timeline_chart_get_target (self);
  if (!cs_timeline_is_same (dx, 0))
    cs_timeline_window_pan (&window, dx, self->first, self->last);
  cs_timeline_chart_move_to (self, &window, cs_timeline_chart_get_scroll_target (self) + dy, animate);
}

/**
 * cs_timeline_chart_fit:
 * @self: a chart
 * @animate: whether to move there
 *
 * Shows all of the recording's time.
 */
void
cs_timeline_chart_fit (CsTimelineChart *self, gboolean animate)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  cs_timeline_chart_set_window (self, self->first, self->last, animate);
}

/* A time and what is left free beside it. */
static void
add_margin (gint64 *from, gint64 *to)
{
  gint64 margin = (gint64) MIN (MAX (get_difference (*to, *from), 1) * MARGIN, 0x1p60);

  if (__builtin_sub_overflow (*from, margin, from))
    *from = G_MININT64;
  if (__builtin_add_overflow (*to, margin, to))
    *to = G_MAXINT64;
}

/* As cs_timeline_chart_set_window(), with a margin. */
void
cs_timeline_chart_fit_time (CsTimelineChart *self, gint64 from, gint64 to, gboolean animate)
{
  add_margin (&from, &to);
  cs_timeline_chart_set_window (self, from, to, animate);
}

/* How far to scroll so that a row of a track is in view; as little as needed. */
static double
find_scroll (CsTimelineChart *self, guint track, guint32 depth)
{
  double scroll = cs_timeline_chart_get_scroll_target (self), y;
  CsTimelinePane panes[2];
  guint n = cs_timeline_chart_get_panes (self, panes);
  double page = panes[n - 1].bottom - panes[n - 1].top, pinned = n > 1 ? self->pinned : 0;

  if (!cs_timeline_rows_get_y (self->rows, track, depth, &y) || y < pinned)
    return scroll;
  y -= pinned;
  if (y < scroll)
    return MAX (y - self->row_height, 0);
  if (y + self->row_height > scroll + page)
    return y + 2 * self->row_height - page;
  return scroll;
}

/**
 * cs_timeline_chart_scroll_to:
 * @self: a chart
 * @track: number of a track
 * @depth: a row of it
 *
 * Scrolls so that the row is in view, as little as needed.
 */
void
cs_timeline_chart_scroll_to (CsTimelineChart *self, guint track, guint32 depth)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  if (!is_ready (self) || track >= self->settings->len)
    return;
  cs_timeline_chart_move_to (self, cs_timeline_chart_get_target (self), find_scroll (self, track, depth), TRUE);
}

/**
 * cs_timeline_chart_fit_call:
 * @self: a chart
 * @call: a call or a block
 * @animate: whether to move there
 *
 * Shows the call's time, with a margin, and its row.
 */
void
cs_timeline_chart_fit_call (CsTimelineChart *self, const CsTimelineCall *call, gboolean animate)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  if (!is_ready (self) || call->track >= self->settings->len)
    return;
  cs_timeline_chart_fit_time (self, call->span.start, call->span.end, animate);
  cs_timeline_chart_move_to (self, cs_timeline_chart_get_target (self),
                             find_scroll (self, call->track, call->span.depth), animate);
}

/**
 * cs_timeline_chart_reveal:
 * @self: a chart
 * @call: a call
 * @animate: whether to move there
 *
 * Pans and scrolls so that the call can be seen, and zooms out where it is longer than the window. What can be seen already
 * stays where it is.
 */
void
cs_timeline_chart_reveal (CsTimelineChart *self, const CsTimelineCall *call, gboolean animate)
{
  CsTimelineWindow window;
  double x0, x1, scroll;

  if (!is_ready (self) || call->track >= self->settings->len)
    return;
  window = *cs_timeline_chart_get_target (self);
  scroll = find_scroll (self, call->track, call->span.depth);
  x0 = cs_timeline_window_get_x (&window, call->span.start);
  x1 = cs_timeline_window_get_x (&window, call->span.end);
  if (MIN (x1, window.pixels) - MAX (x0, 0) < MIN (x1 - x0, SEEN))
    {
      if (x1 - x0 > window.pixels * 0.9)
        {
          gint64 from = call->span.start, to = call->span.end;

          add_margin (&from, &to);
          cs_timeline_window_fit (&window, from, to);
          cs_timeline_window_clamp (&window, self->first, self->last);
        }
      else
        cs_timeline_window_pan (&window, (x0 + x1 - window.pixels) / 2, self->first, self->last);
    }
  cs_timeline_chart_move_to (self, &window, scroll, animate);
}

/* Moves the window to the newest event. */
void
cs_timeline_chart_follow_end (CsTimelineChart *self)
{
  CsTimelineWindow window = self->window;

  if (!is_ready (self))
    return;
  cs_timeline_window_pan (&window, cs_timeline_window_get_x (&window, self->last) - window.pixels, self->first,
                          self->last);
  move_window (self, &window, FALSE);
}
