/* SPDX-License-Identifier: MIT */
#pragma once

#include "charts/cs-range-chart.h"
#include "layout/cs-range-drag.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 from, to;             /* the range; not from < to: none */
  guint64 shown_from, shown_to; /* and while it is being changed */
  CsRangeDrag drag;
  gboolean pressed, moved; /* the pointer is down, and is farther than a click would be */
  gboolean changing;       /* keys changed the shown range */
  double press_x;
  guint n_press; /* how many presses came shortly after each other */
  gboolean has_cursor;
  guint64 cursor;
  gboolean has_anchor;
  guint64 anchor_from, anchor_to; /* what the range has while it is extended with keys */
  GtkGesture *drag_gesture;
  GtkWidget *readout; /* a popover */
  GtkWidget *readout_label;
} CsRangeChartPrivate;

CsRangeChartPrivate *cs_range_chart_get_private (CsRangeChart *self);
void cs_range_chart_show_range (CsRangeChart *self, guint64 from, guint64 to);
void cs_range_chart_show_readout (CsRangeChart *self, gboolean of_cursor);
void cs_range_chart_hide_readout (CsRangeChart *self);
void cs_range_chart_update_accessible (CsRangeChart *self);
double cs_range_chart_get_axis_x (CsRangeChart *self, double x);
void cs_range_chart_add_controllers (CsRangeChart *self);

G_END_DECLS
