/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "charts/cs-label-cache.h"
#include "layout/cs-range-drag.h"
#include "layout/cs-timeline-rows.h"
#include "layout/cs-timeline-window.h"
#include "timeline/cs-timeline-chart.h"

G_BEGIN_DECLS

#define CS_TIMELINE_MAX_RECTS 5000
#define CS_TIMELINE_MAX_LABELS 200
#define CS_TIMELINE_MAX_TEXT 200 /* characters that are shaped */
#define CS_TIMELINE_STRIP 3      /* pixels: what tells of rows that aren't shown is so high */
#define CS_TIMELINE_GRAB 6       /* pixels that a call is wide at least for the pointer */

/* What fills rows of a track. */
typedef struct
{
  guint track;
  guint32 depth_lo, depth_end;
  GArray *spans;   /* (element-type CsTimelineSpan): row by row, by time */
  guint *first;    /* by row: of its first span; one more at the end */
  guint32 *styles; /* by span: index of its style; 0: not looked up */
} CsTimelineFill;

/* What a worker found. */
typedef struct
{
  CsTimeline *timeline;
  gint64 t0, t1;
  double scale;  /* ns a pixel */
  GArray *fills; /* (element-type CsTimelineFill): by track */
  char *error;   /* (nullable) */
  gint64 us;     /* that it took */
} CsTimelineAnswer;

/* How the calls of a function are painted. */
typedef struct
{
  guint function;  /* or CS_TIMELINE_NO_FUNCTION */
  guint64 address; /* of one that isn't known */
  char *label;     /* (nullable): not asked yet */
  gboolean colored;
  GdkRGBA color, pale;
} CsTimelineStyle;

/* A part of the widget that shows rows: pinned tracks stay, others scroll. */
typedef struct
{
  double top, bottom; /* in the widget */
  double offset;      /* from rows' y to the widget's */
} CsTimelinePane;

typedef enum
{
  CS_TIMELINE_DRAG_NONE,
  CS_TIMELINE_DRAG_PAN,
  CS_TIMELINE_DRAG_RANGE,
  CS_TIMELINE_DRAG_MEASURE,
  CS_TIMELINE_DRAG_NOTHING, /* a press that only clicks */
} CsTimelineDragKind;

/* The same to the last bit. */
static inline gboolean
cs_timeline_is_same (double a, double b)
{
  return !(a < b) && !(a > b);
}

struct _CsTimelineChart
{
  GtkWidget parent_instance;

  CsTimeline *timeline; /* (nullable) */
  CsTimelineChartTexts texts;
  gpointer texts_data;
  GDestroyNotify texts_destroy;
  gboolean has_origin;
  gint64 origin;
  gboolean has_events;
  gint64 first, last; /* of all events */
  guint n_processes;

  /* Tracks. */
  GArray *settings;     /* (element-type CsTimelineTrackSettings): by track */
  guint8 *collapsed;    /* by process */
  CsTimelineRows *rows; /* (nullable): to be made */
  gboolean rows_changed; /* since what is in them was asked for */
  GHashTable *titles;   /* track → layouts of its header */
  double pinned;        /* pixels at the top that don't scroll */
  GtkAdjustment *adjustment;
  GtkWidget *scrollbar;
  int scrollbar_width; /* 0: all fits */

  /* Geometry, pixels. */
  gboolean measured;
  gboolean rtl;
  int width, height, scale; /* of the widget, and device pixels of one */
  double header_width, ruler_height, row_height, text_height;
  CsTimelineWindow window; /* its pixels are the time axis's */
  gboolean has_window;
  AdwAnimation *animation; /* (nullable) */
  gboolean animating;
  CsTimelineWindow from, target;
  double scroll_from, scroll_target;
  gboolean follow;

  /* Answers. */
  CsTimelineAnswer *answer;   /* (nullable): the newest */
  CsTimelineAnswer *previous; /* (nullable): the one before, where it shows what the newest doesn't */
  gboolean asking;            /* a worker is reading */
  guint generation;           /* of what is asked: other tracks */
  gboolean sharp;
  char *error; /* (nullable) */

  /* Styles. */
  GArray *styles; /* (element-type CsTimelineStyle) */
  GHashTable *by_function, *by_address;
  CsChartColors colors;
  CsLabelCache *labels, *small_labels;
  GskRenderNode *picture; /* (nullable): of tracks and headers */
  GArray *boxes;          /* of the frame that is being painted */
  guint refine;           /* source that has labels painted that a frame had no time to shape; 0: none */
  guint seen;             /* source that tells that other calls may be in sight; 0: none */
  CsTimelineChartStats stats;

  /* What is selected. */
  gboolean has_call;
  CsTimelineCall call;
  gboolean has_range;
  gint64 range_from, range_to;
  CsRangeDrag range_drag;
  gboolean measuring, has_measure;
  gint64 measure_from, measure_to;
  gint64 measure_anchor; /* the end that stays while keys move the other one */
  guint measure_track; /* where its line is drawn; G_MAXUINT: nowhere */
  guint32 measure_depth;
  GArray *found;           /* (element-type CsTimelineCall) */
  GHashTable *found_index; /* (nullable): of them */
  GArray *marks;           /* (element-type CsTimelineMark) */

  /* Input. */
  CsTimelineDragKind drag;
  gboolean moved;
  double press_x, press_y, last_x, last_y;
  guint n_press;
  GtkGesture *drag_gesture;
  double zoom_scale; /* of a pinch until now */
  gboolean has_pointer;
  double pointer_x, pointer_y;
  gboolean walking;   /* a worker looks for a call */
  GQueue steps;       /* walks that are to follow */
  guint walk;         /* generation of walks */
  GtkWidget *readout; /* (nullable): a popover */
  gboolean readout_wanted; /* when the animation has ended */
  GtkWidget *readout_label;
};

/* cs-timeline-chart.c */
void cs_timeline_chart_emit_call_selected (CsTimelineChart *self);
void cs_timeline_chart_emit_call_activated (CsTimelineChart *self);
void cs_timeline_chart_emit_range_changed (CsTimelineChart *self);
void cs_timeline_chart_emit_measure_changed (CsTimelineChart *self);
void cs_timeline_chart_emit_window_changed (CsTimelineChart *self);
void cs_timeline_chart_emit_tracks_changed (CsTimelineChart *self);
void cs_timeline_chart_emit_seen_changed (CsTimelineChart *self);
void cs_timeline_chart_emit_menu_requested (CsTimelineChart *self, CsTimelinePoint *point, double x, double y);
void cs_timeline_chart_set_sharp (CsTimelineChart *self, gboolean sharp);

/* cs-timeline-chart-select.c */
void cs_timeline_chart_select (CsTimelineChart *self, const CsTimelineCall *call);
void cs_timeline_chart_take_range (CsTimelineChart *self, gboolean has_range, gint64 from, gint64 to);
void cs_timeline_chart_take_measure (CsTimelineChart *self, gboolean has, gint64 from, gint64 to, guint track,
                                     guint32 depth);

/* cs-timeline-chart-layout.c: what is where. */
void cs_timeline_chart_update_geometry (CsTimelineChart *self);
void cs_timeline_chart_rows_changed (CsTimelineChart *self);
CsTimelineRows *cs_timeline_chart_get_rows (CsTimelineChart *self);
double cs_timeline_chart_get_axis_width (CsTimelineChart *self);
double cs_timeline_chart_get_axis_x (CsTimelineChart *self, double x);
void cs_timeline_chart_place (CsTimelineChart *self, double x, double width, double y, double height,
                              graphene_rect_t *rect);
guint cs_timeline_chart_get_panes (CsTimelineChart *self, CsTimelinePane panes[2]);
gboolean cs_timeline_chart_get_call_rect (CsTimelineChart *self, const CsTimelineCall *call, graphene_rect_t *rect);
const CsTimelineSpan *cs_timeline_chart_get_row (CsTimelineChart *self, guint track, guint32 depth, gsize *n);
gboolean cs_timeline_chart_is_on_triangle (CsTimelineChart *self, double x);
gboolean cs_timeline_chart_can_collapse (CsTimelineChart *self, guint track);
double cs_timeline_chart_find_more (CsTimelineChart *self, const CsTimelineItem *item, const CsTimelinePane *pane,
                                    guint32 *n);
gboolean cs_timeline_chart_is_on_more (CsTimelineChart *self, double y);
void cs_timeline_chart_set_full (CsTimelineChart *self, guint track, gboolean full);

/* cs-timeline-chart-window.c: the time and the height that are shown. */
void cs_timeline_chart_move_to (CsTimelineChart *self, const CsTimelineWindow *window, double scroll, gboolean animate);
const CsTimelineWindow *cs_timeline_chart_get_target (CsTimelineChart *self);
double cs_timeline_chart_get_scroll_target (CsTimelineChart *self);
void cs_timeline_chart_stop_animation (CsTimelineChart *self);
void cs_timeline_chart_reveal (CsTimelineChart *self, const CsTimelineCall *call, gboolean animate);
void cs_timeline_chart_fit_time (CsTimelineChart *self, gint64 from, gint64 to, gboolean animate);
void cs_timeline_chart_follow_end (CsTimelineChart *self);

/* cs-timeline-chart-ask.c: what workers read. */
void cs_timeline_chart_ask (CsTimelineChart *self);
void cs_timeline_chart_forget_answers (CsTimelineChart *self);
void cs_timeline_answer_free (CsTimelineAnswer *self);
const CsTimelineAnswer *cs_timeline_chart_get_answer (CsTimelineChart *self);
const CsTimelineFill *cs_timeline_answer_find (const CsTimelineAnswer *self, guint track);
const CsTimelineSpan *cs_timeline_fill_get_row (const CsTimelineFill *self, guint32 depth, gsize *n);

/* cs-timeline-chart-style.c: how functions look. */
void cs_timeline_chart_update_colors (CsTimelineChart *self);
void cs_timeline_chart_forget_styles (CsTimelineChart *self);
guint32 cs_timeline_chart_find_style (CsTimelineChart *self, guint track, const CsTimelineSpan *span);
const char *cs_timeline_chart_get_style_label (CsTimelineChart *self, guint32 style);
const GdkRGBA *cs_timeline_chart_get_style_color (CsTimelineChart *self, guint32 style, gboolean pale);
char *cs_timeline_chart_dup_valid (char *text);
void cs_timeline_chart_paint_layout (CsTimelineChart *self, GtkSnapshot *snapshot, PangoLayout *layout, double x,
                                     double width, double y, const GdkRGBA *color);

/* cs-timeline-chart-spans.c, -frame.c, -paint.c: painting. */
void cs_timeline_chart_paint_spans (CsTimelineChart *self, GtkSnapshot *snapshot, const CsTimelinePane *panes,
                                    guint number);
guint cs_timeline_chart_collect (CsTimelineChart *self);
void cs_timeline_chart_paint_headers (CsTimelineChart *self, GtkSnapshot *snapshot, const CsTimelinePane *pane);
void cs_timeline_chart_paint_ruler (CsTimelineChart *self, GtkSnapshot *snapshot, double covered_from, double covered_to);
void cs_timeline_chart_paint_marks (CsTimelineChart *self, GtkSnapshot *snapshot, const CsTimelinePane *pane);
void cs_timeline_chart_paint_mark_signs (CsTimelineChart *self, GtkSnapshot *snapshot);
const CsTimelineMark *cs_timeline_chart_find_mark (CsTimelineChart *self, double x, guint track, gboolean sign);
void cs_timeline_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot);
gint64 cs_timeline_chart_get_cpu_us (void);
void cs_timeline_chart_forget_picture (CsTimelineChart *self);
void cs_timeline_chart_repaint (CsTimelineChart *self);

/* cs-timeline-chart-text.c: what is said. */
char *cs_timeline_chart_format_time (CsTimelineChart *self, gint64 ns);
char *cs_timeline_chart_dup_track_title (CsTimelineChart *self, guint track);
char *cs_timeline_chart_dup_track_subtitle (CsTimelineChart *self, guint track);
char *cs_timeline_chart_dup_process_title (CsTimelineChart *self, guint process);
char *cs_timeline_chart_dup_message (CsTimelineChart *self);
void cs_timeline_chart_update_accessible (CsTimelineChart *self);
void cs_timeline_chart_show_readout (CsTimelineChart *self);
void cs_timeline_chart_hide_readout (CsTimelineChart *self);
gboolean cs_timeline_chart_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip);

/* cs-timeline-chart-input.c, -keys.c */
void cs_timeline_chart_add_controllers (CsTimelineChart *self);
void cs_timeline_chart_press (CsTimelineChart *self, double x, double y, GdkModifierType state);
void cs_timeline_chart_drag_to (CsTimelineChart *self, double x, double y);
void cs_timeline_chart_release (CsTimelineChart *self, double x, double y, guint n_press);
void cs_timeline_chart_cancel_drag (CsTimelineChart *self);
gboolean cs_timeline_chart_scroll (CsTimelineChart *self, double dx, double dy, GdkModifierType state, gboolean smooth);
void cs_timeline_chart_request_menu (CsTimelineChart *self, double x, double y);
void cs_timeline_chart_cancel_walk (CsTimelineChart *self);
gboolean cs_timeline_chart_is_walking (CsTimelineChart *self);

G_END_DECLS
