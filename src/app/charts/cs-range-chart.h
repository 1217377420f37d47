/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "charts/cs-chart-colors.h"

G_BEGIN_DECLS

/* A chart with one axis on which a range can be selected. */
#define CS_TYPE_RANGE_CHART (cs_range_chart_get_type ())
G_DECLARE_DERIVABLE_TYPE (CsRangeChart, cs_range_chart, CS, RANGE_CHART, GtkWidget)

/**
 * CsRangeChartClass:
 * @moves: whether a range can be moved as a whole: it keeps its length, so that is for even axes
 * @get_axis: where the axis is in the widget, and its first value and the one behind its last; %FALSE when there
 *   is none
 * @get_x: where a value is, in pixels from the axis's start, which is at the right where text runs to the left
 * @get_value: what value is there
 * @get_bin: the smallest range around a value: what a step of the axis has; on an axis without steps its ends
 *   are the value
 * @get_edge: (nullable): the value nearest to a place at which a range may end
 * @step: the value that the cursor goes to from another; @far: to the next one that is worth it
 * @describe_value: (transfer full): a sentence on what is at a value
 * @describe_point: (nullable) (transfer full): the same for a value and a height in the widget
 * @describe_range: (transfer full): a sentence on what is in a range
 * @describe: (transfer full): what the chart shows
 * @paint: paints all but the range, the cursor and the focus
 */
struct _CsRangeChartClass
{
  GtkWidgetClass parent_class;

  gboolean moves;
  gboolean (*get_axis) (CsRangeChart *self, graphene_rect_t *plot, guint64 *first, guint64 *end);
  double (*get_x) (CsRangeChart *self, guint64 value);
  guint64 (*get_value) (CsRangeChart *self, double x);
  void (*get_bin) (CsRangeChart *self, guint64 value, guint64 *from, guint64 *to);
  guint64 (*get_edge) (CsRangeChart *self, double x);
  guint64 (*step) (CsRangeChart *self, guint64 value, gboolean forward, gboolean far);
  char *(*describe_value) (CsRangeChart *self, guint64 value);
  char *(*describe_point) (CsRangeChart *self, guint64 value, double y);
  char *(*describe_range) (CsRangeChart *self, guint64 from, guint64 to);
  char *(*describe) (CsRangeChart *self);
  void (*paint) (CsRangeChart *self, GtkSnapshot *snapshot, const CsChartColors *colors);
};

void cs_range_chart_set_range (CsRangeChart *self, guint64 from, guint64 to);
gboolean cs_range_chart_get_range (CsRangeChart *self, guint64 *from, guint64 *to);
gboolean cs_range_chart_get_shown_range (CsRangeChart *self, guint64 *from, guint64 *to);
gboolean cs_range_chart_get_cursor (CsRangeChart *self, guint64 *value);

/* For what is made of it. */
void cs_range_chart_changed (CsRangeChart *self);
PangoLayout *cs_range_chart_create_label (CsRangeChart *self, const char *text);
void cs_range_chart_paint_label (CsRangeChart *self, GtkSnapshot *snapshot, PangoLayout *layout, double x, double y,
                                 const GdkRGBA *color);
void cs_range_chart_place (CsRangeChart *self, const graphene_rect_t *plot, double x, double width, double y,
                           double height, graphene_rect_t *rect);

/* What the pointer and keys do. */
void cs_range_chart_press (CsRangeChart *self, double x);
void cs_range_chart_drag (CsRangeChart *self, double x);
void cs_range_chart_release (CsRangeChart *self, double x, guint n_press);
void cs_range_chart_cancel (CsRangeChart *self);
gboolean cs_range_chart_press_key (CsRangeChart *self, guint keyval, GdkModifierType state);
void cs_range_chart_commit (CsRangeChart *self);
char *cs_range_chart_dup_tooltip (CsRangeChart *self, double x, double y);

G_END_DECLS
