/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "layout/cs-range-drag.h"

/**
 * cs_range_drag_find:
 * @from: pixels: where the range begins
 * @to: where it ends; not after @from: there is none
 * @x: where it is pressed
 * @reach: how far outside of an end still takes it; inside it is half of that, and less in a narrow range, whose
 *   middle remains
 *
 * Returns: what a press there does
 */
CsRangeDragKind
cs_range_drag_find (double from, double to, double x, double reach)
{
  double inner = MIN (reach / 2, (to - from) / 4);

  if (!(from < to) || x < from - reach || x > to + reach)
    return CS_RANGE_DRAG_NEW;
  if (x <= from + inner)
    return CS_RANGE_DRAG_FROM;
  return x >= to - inner ? CS_RANGE_DRAG_TO : CS_RANGE_DRAG_MOVE;
}

/**
 * cs_range_drag_begin:
 * @self: (out): a drag
 * @kind: what is dragged
 * @from: the range as it is
 * @to: its end; @from where there is none
 * @lo: where it is pressed: the first value there
 * @hi: and the one behind the last; @lo on an axis without steps
 *
 * Begins to drag. The range stays what it is until it is updated.
 */
void
cs_range_drag_begin (CsRangeDrag *self, CsRangeDragKind kind, guint64 from, guint64 to, guint64 lo, guint64 hi)
{
  *self = (CsRangeDrag){ .from = from, .to = to, .kind = kind, .grabbed = lo };
  self->fixed_from = kind == CS_RANGE_DRAG_NEW ? lo : kind == CS_RANGE_DRAG_FROM ? to : from;
  self->fixed_to = kind == CS_RANGE_DRAG_NEW ? hi : kind == CS_RANGE_DRAG_TO ? from : to;
}

/**
 * cs_range_drag_update:
 * @self: a drag
 * @lo: where the pointer is: the first value there
 * @hi: and the one behind the last; @lo on an axis without steps, and where an end is dragged
 * @first: the axis's first value
 * @end: the one behind its last
 *
 * Makes the range what it becomes by dragging there. A range that is moved keeps its length.
 */
void
cs_range_drag_update (CsRangeDrag *self, guint64 lo, guint64 hi, guint64 first, guint64 end)
{
  if (self->kind == CS_RANGE_DRAG_MOVE)
    {
      guint64 length = self->fixed_to - self->fixed_from;
      guint64 room = end - first > length ? end - first - length : 0;
      guint64 at = MAX (self->fixed_from, first) - first;

      if (lo < self->grabbed)
        at -= MIN (at, self->grabbed - lo);
      else
        at += MIN (room - MIN (room, at), lo - self->grabbed);
      self->from = first + MIN (at, room);
      self->to = self->from + length;
      return;
    }
  self->from = MIN (self->fixed_from, lo);
  self->to = MAX (self->fixed_to, hi);
}
