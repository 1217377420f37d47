/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "charts/cs-label-cache.h"
#include "flame/cs-flame-chart.h"

G_BEGIN_DECLS

#define CS_FLAME_CHART_MAX_RECTS 5000
#define CS_FLAME_CHART_MAX_LABELS 200
#define CS_FLAME_CHART_MIN_PIXELS 3
#define CS_FLAME_CHART_MIN_LABEL 30 /* pixels */
#define CS_FLAME_CHART_LABEL_SCALE 0.9

/* What is on view. The start is a whole number and a fraction: a graph's total may be more than what a double tells
 * apart, and a pixel less than a nanosecond. */
typedef struct
{
  guint64 x0;      /* ns */
  double fraction; /* ns, less than 1 */
  double width;    /* ns */
  double y;        /* pixels that the root's edge is scrolled out by */
} CsFlamePart;

struct _CsFlameChart
{
  GtkWidget parent_instance;

  CsFlameLayout *layout; /* (nullable) */
  CsFlameChartTexts texts;
  gpointer data;
  GDestroyNotify destroy;
  guint64 total;
  guint32 n_rows;
  gboolean flame;

  guint32 focus;
  GArray *focus_path; /* from the root to it */
  guint32 cursor;     /* CS_FLAME_NONE: none */
  guint32 *found;
  guint n_found;

  CsFlamePart part, from, to; /* now; and of an animation */
  AdwAnimation *animation;

  /* Where frames are painted. */
  double plot_x, plot_width, plot_height;
  int row_height;
  GtkWidget *scrollbar;
  GtkAdjustment *adjustment;
  gboolean adjusting;
  gboolean placed; /* it had a size */

  GArray *rects; /* of what is on view, row by row from the left: ascending by node, too */
  gboolean queried;
  double scale; /* device pixels of a pixel */
  gboolean rtl;
  CsLabelCache *labels;
  guint refine; /* a source: labels are missing */
  CsFlameChartStats stats;

  gboolean plain;   /* without what shows pointer and cursor, and without a scrollbar */
  gboolean pointed; /* the pointer is over it, at: */
  double pointer_x, pointer_y;
  GtkGesture *drag;
  gboolean dragged; /* farther than a click would be */
  double drag_x, drag_y; /* how far it was told of */
  guint n_press;
  double pinch;     /* the last scale */
  GtkWidget *readout; /* a popover */
  GtkWidget *readout_label;
  guint32 told_node, told_n; /* what assistive technology was told of the cursor */
};

/* cs-flame-chart.c */
gboolean cs_flame_chart_is_rtl (CsFlameChart *self);
void cs_flame_chart_move_cursor (CsFlameChart *self, guint32 node, gboolean to_view);
void cs_flame_chart_tell_window (CsFlameChart *self);
void cs_flame_chart_request_focus (CsFlameChart *self, guint32 node);
void cs_flame_chart_step_out (CsFlameChart *self);
void cs_flame_chart_request_menu (CsFlameChart *self, guint32 node, double x, double y);

/* cs-flame-chart-move.c */
void cs_flame_chart_changed (CsFlameChart *self);
void cs_flame_chart_update_adjustment (CsFlameChart *self);
void cs_flame_chart_move (double value, gpointer data);
void cs_flame_chart_stop (CsFlameChart *self);
const CsFlamePart *cs_flame_chart_get_target (CsFlameChart *self);
void cs_flame_chart_show_part (CsFlameChart *self, const CsFlamePart *part, gboolean animate);
void cs_flame_chart_show_whole (CsFlameChart *self);
void cs_flame_chart_show_block (CsFlameChart *self, const CsFlameRect *rect);
void cs_flame_chart_reveal (CsFlameChart *self, guint32 node, gboolean animate);

/* cs-flame-chart-part.c */
double cs_flame_part_get_way (const CsFlamePart *from, const CsFlamePart *to);
void cs_flame_part_shift (CsFlamePart *part, double ns);
double cs_flame_chart_get_x (CsFlameChart *self, const CsFlamePart *part, guint64 ns);
double cs_flame_chart_get_start_x (CsFlameChart *self, double x);
double cs_flame_chart_get_min_width (CsFlameChart *self);
double cs_flame_chart_get_max_y (CsFlameChart *self);
void cs_flame_chart_confine (CsFlameChart *self, CsFlamePart *part);
void cs_flame_chart_reveal_rows (CsFlameChart *self, CsFlamePart *part, guint32 first, guint32 n);
double cs_flame_chart_get_deepest_y (CsFlameChart *self, const CsFlamePart *part);
void cs_flame_chart_query (CsFlameChart *self);
void cs_flame_chart_place (CsFlameChart *self, const CsFlameRect *rect, graphene_rect_t *bounds);
const CsFlameRect *cs_flame_chart_find_rect (CsFlameChart *self, guint32 node);
const CsFlameRect *cs_flame_chart_find_rect_at (CsFlameChart *self, double x, double y);

/* cs-flame-chart-paint.c */
void cs_flame_chart_paint (CsFlameChart *self, GtkSnapshot *snapshot);

/* cs-flame-chart-input.c */
void cs_flame_chart_activate (CsFlameChart *self, guint32 node);
void cs_flame_chart_add_controllers (CsFlameChart *self);
void cs_flame_chart_end_drag (CsFlameChart *self);
void cs_flame_chart_click (CsFlameChart *self, double x, double y, guint n_press);

/* cs-flame-chart-tell.c */
char *cs_flame_chart_dup_tooltip (CsFlameChart *self, double x, double y, GdkRectangle *area);
void cs_flame_chart_update_accessible (CsFlameChart *self);
void cs_flame_chart_update_description (CsFlameChart *self);
void cs_flame_chart_show_readout (CsFlameChart *self);
void cs_flame_chart_hide_readout (CsFlameChart *self);

G_END_DECLS
