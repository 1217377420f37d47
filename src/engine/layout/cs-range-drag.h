/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  CS_RANGE_DRAG_NEW,  /* a range is drawn from where it was pressed */
  CS_RANGE_DRAG_FROM, /* an end is moved; it may pass the other one */
  CS_RANGE_DRAG_TO,
  CS_RANGE_DRAG_MOVE, /* all of it is moved */
} CsRangeDragKind;

/* A range on an axis that is being dragged. */
typedef struct
{
  guint64 from, to; /* to is not in it; the same: there is none */
  CsRangeDragKind kind;
  guint64 fixed_from, fixed_to; /* what the range has in any case; as it was, while it is moved */
  guint64 grabbed;              /* where it was pressed */
} CsRangeDrag;

CsRangeDragKind cs_range_drag_find (double from, double to, double x, double reach);
void cs_range_drag_begin (CsRangeDrag *self, CsRangeDragKind kind, guint64 from, guint64 to, guint64 lo,
                          guint64 hi);
void cs_range_drag_update (CsRangeDrag *self, guint64 lo, guint64 hi, guint64 first, guint64 end);

G_END_DECLS
