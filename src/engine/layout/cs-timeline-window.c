/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "layout/cs-timeline-window.h"

/* Time minus another, ns. */
static double
get_difference (gint64 time, gint64 from)
{
  return time >= from ? (double) ((guint64) time - (guint64) from)
                      : -(double) ((guint64) from - (guint64) time);
}

/* A time plus ns, which may have a fraction; not beyond what 64 bits hold. */
static gint64
add_ns (gint64 time, double ns)
{
  double whole = floor (ns);
  gint64 sum;

  if (whole >= 0x1p63)
    return G_MAXINT64;
  if (whole < -0x1p63)
    return G_MININT64;
  if (__builtin_add_overflow (time, (gint64) whole, &sum))
    return whole > 0 ? G_MAXINT64 : G_MININT64;
  return sum;
}

/* Puts the left edge at ns from `start`. */
static void
set_left (CsTimelineWindow *self, gint64 start, double ns)
{
  self->start = add_ns (start, ns);
  self->fraction = ns - floor (ns);
  /* A tiny negative number's. */
  if (self->fraction >= 1)
    self->fraction = 0;
}

/**
 * cs_timeline_window_fit:
 * @self: a window with its pixels
 * @t0: ns
 * @t1: ns; if that is less than CS_TIMELINE_MIN_SPAN behind @t0, the window is so long and has both
 *   in its middle
 *
 * Shows the time from @t0 to @t1.
 */
void
cs_timeline_window_fit (CsTimelineWindow *self, gint64 t0, gint64 t1)
{
  double span = get_difference (t1, t0);

  self->span = MAX (span, CS_TIMELINE_MIN_SPAN);
  set_left (self, t0, (span - self->span) / 2);
}

/**
 * cs_timeline_window_get_end:
 * @self: a window
 *
 * Returns: the time of the right edge, rounded up, ns
 */
gint64
cs_timeline_window_get_end (const CsTimelineWindow *self)
{
  return add_ns (self->start, ceil (self->fraction + self->span));
}

/**
 * cs_timeline_window_get_x:
 * @self: a window
 * @time: ns
 *
 * Returns: where the time is, in pixels from the left edge; may lie outside of the window
 */
double
cs_timeline_window_get_x (const CsTimelineWindow *self, gint64 time)
{
  return (get_difference (time, self->start) - self->fraction) * (self->pixels / self->span);
}

/**
 * cs_timeline_window_get_time:
 * @self: a window
 * @x: pixels from the left edge
 *
 * Returns: the time there, rounded down: the ns that @x lies in
 */
gint64
cs_timeline_window_get_time (const CsTimelineWindow *self, double x)
{
  return add_ns (self->start, self->fraction + x * (self->span / self->pixels));
}

/**
 * cs_timeline_window_clamp:
 * @self: a window
 * @first: where the recording starts, ns
 * @last: where it ends
 *
 * Moves the window into the recording. One that is longer becomes as long as it is.
 */
void
cs_timeline_window_clamp (CsTimelineWindow *self, gint64 first, gint64 last)
{
  double range = get_difference (last, first), left, room;

  if (self->span >= range)
    {
      cs_timeline_window_fit (self, first, last);
      return;
    }
  left = get_difference (self->start, first) + self->fraction;
  room = get_difference (last, self->start) - self->fraction - self->span;
  if (left < 0)
    set_left (self, first, 0);
  else if (room < 0)
    set_left (self, last, -self->span);
}

/**
 * cs_timeline_window_zoom:
 * @self: a window
 * @x: pixels from the left edge
 * @factor: the new span is so many times the old one: less than 1 to see more
 * @first: where the recording starts, ns
 * @last: where it ends
 *
 * Zooms so that the time at @x stays there, unless the window would reach out of the recording.
 * The span stays at least CS_TIMELINE_MIN_SPAN, and at most the recording's.
 */
void
cs_timeline_window_zoom (CsTimelineWindow *self, double x, double factor, gint64 first, gint64 last)
{
  double range = MAX (get_difference (last, first), CS_TIMELINE_MIN_SPAN);
  double span = CLAMP (self->span * factor, CS_TIMELINE_MIN_SPAN, range);

  if (!(factor > 0))
    return;
  set_left (self, self->start, self->fraction + x * ((self->span - span) / self->pixels));
  self->span = span;
  cs_timeline_window_clamp (self, first, last);
}

/**
 * cs_timeline_window_pan:
 * @self: a window
 * @pixels: how far; more than 0 shows later times
 * @first: where the recording starts, ns
 * @last: where it ends
 */
void
cs_timeline_window_pan (CsTimelineWindow *self, double pixels, gint64 first, gint64 last)
{
  set_left (self, self->start, self->fraction + pixels * (self->span / self->pixels));
  cs_timeline_window_clamp (self, first, last);
}

/* The number of spans that start at a time or before. */
static gsize
count_started (const CsTimelineSpan *spans, gsize n, gint64 time)
{
  gsize low = 0;

  while (low < n)
    {
      gsize middle = low + (n - low) / 2;

      if (spans[middle].start <= time)
        low = middle + 1;
      else
        n = middle;
    }
  return low;
}

/* How far x is from the span, where that is less than its narrow width allows; infinite: further. */
static double
get_distance (const CsTimelineWindow *self, const CsTimelineSpan *span, double x, double grab)
{
  double left = cs_timeline_window_get_x (self, span->start);
  double right = cs_timeline_window_get_x (self, span->end);
  double distance = MAX (MAX (left - x, x - right), 0);

  return distance <= MAX (grab - (right - left), 0) / 2 ? distance : INFINITY;
}

/**
 * cs_timeline_window_hit:
 * @self: a window
 * @spans: (array length=n): one row's: in order, not overlapping
 * @n: how many
 * @x: pixels from the left edge
 * @grab: pixels that a span is taken to be wide at least, as much at its left as at its right
 *
 * Returns: the index of the span that the time at @x lies in, or else of the nearest that is narrow and
 *   close enough; CS_TIMELINE_NO_SPAN: there is none
 */
gsize
cs_timeline_window_hit (const CsTimelineWindow *self, const CsTimelineSpan *spans, gsize n, double x,
                        double grab)
{
  gint64 time = cs_timeline_window_get_time (self, x);
  gsize next = count_started (spans, n, time);
  double before = INFINITY, after = INFINITY;

  if (next > 0)
    {
      if (spans[next - 1].end > time)
        return next - 1;
      before = get_distance (self, &spans[next - 1], x, grab);
    }
  if (next < n)
    after = get_distance (self, &spans[next], x, grab);
  if (isinf (before) && isinf (after))
    return CS_TIMELINE_NO_SPAN;
  return before <= after ? next - 1 : next;
}

static void
try_edge (const CsTimelineWindow *self, double x, gint64 edge, double *reach, gint64 *time, gboolean *found)
{
  double distance = fabs (cs_timeline_window_get_x (self, edge) - x);

  if (distance > *reach || (*found && distance >= *reach))
    return;
  *reach = distance;
  *time = edge;
  *found = TRUE;
}

/**
 * cs_timeline_window_snap:
 * @self: a window
 * @spans: (array length=n): one row's: in order, not overlapping
 * @n: how many
 * @x: pixels from the left edge
 * @reach: how far an edge may be, pixels
 * @time: (out): the nearest start or end of a span within reach, ns; if there is none, the time
 *   at @x
 *
 * Returns: whether there was an edge
 */
gboolean
cs_timeline_window_snap (const CsTimelineWindow *self, const CsTimelineSpan *spans, gsize n, double x,
                         double reach, gint64 *time)
{
  gint64 at = cs_timeline_window_get_time (self, x);
  gsize next = count_started (spans, n, at);
  gboolean found = FALSE;

  *time = at;
  /* Edges are in order: the nearest is one of the span before or the next one. */
  for (gsize i = next > 0 ? next - 1 : 0; i < n && i <= next; i++)
    {
      try_edge (self, x, spans[i].start, &reach, time, &found);
      try_edge (self, x, spans[i].end, &reach, time, &found);
    }
  return found;
}
