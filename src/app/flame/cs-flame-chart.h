/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "charts/cs-chart-colors.h"
#include "layout/cs-flame-layout.h"

G_BEGIN_DECLS

/* What a chart says of frames; what it asks is answered in the main thread, for frames that are seen. */
typedef struct
{
  char *(*dup_label) (guint32 node, gpointer data);  /* written in the frame: the function's name */
  char *(*dup_text) (guint32 node, gpointer data);   /* all there is to know, in lines: tooltip, readout */
  char *(*dup_sentence) (guint32 node, gpointer data); /* for assistive technology: function, self, inclusive, share */
  void (*get_color) (guint32 node, const CsChartColors *colors, GdkRGBA *color, gpointer data); /* of the frame */
} CsFlameChartTexts;

/* What the last frame took, for benches. */
typedef struct
{
  guint n_rects, n_labels, n_shaped; /* painted; labels that had to be shaped anew */
  gint64 us;                         /* query, layout and snapshot */
} CsFlameChartStats;

/* What is on view, as seen from the focus. */
typedef struct
{
  double start, width; /* in widths of the focus */
  double y;            /* pixels farther from the root than its row */
  gboolean told;       /* the cursor's readout was there */
} CsFlamePlace;

/* A flame graph or icicle of a layout. It knows no session. Signals:
 *   "focus-requested" (node: guint): a frame was clicked or Enter pressed; the owner answers with cs_flame_chart_set_focus()
 *   "step-out": Esc
 *   "cursor-changed": another frame is under the keyboard's cursor; it follows clicks, too
 *   "menu-requested" (node: guint, x: double, y: double): node CS_FLAME_NONE where the pointer is at no frame, or at a block
 *   "window-changed": it shows another part, or zoomed */
#define CS_TYPE_FLAME_CHART (cs_flame_chart_get_type ())
G_DECLARE_FINAL_TYPE (CsFlameChart, cs_flame_chart, CS, FLAME_CHART, GtkWidget)

GtkWidget *cs_flame_chart_new (void);
void cs_flame_chart_set_layout (CsFlameChart *self, CsFlameLayout *layout, const CsFlameChartTexts *texts,
                                gpointer data, GDestroyNotify destroy);
CsFlameLayout *cs_flame_chart_get_layout (CsFlameChart *self);

void cs_flame_chart_set_flame (CsFlameChart *self, gboolean flame); /* the root is at the bottom */
void cs_flame_chart_set_focus (CsFlameChart *self, guint32 node, gboolean animate); /* 0: the root */
guint32 cs_flame_chart_get_focus (CsFlameChart *self);
void cs_flame_chart_set_cursor (CsFlameChart *self, guint32 node); /* CS_FLAME_NONE: none; scrolled to */
guint32 cs_flame_chart_get_cursor (CsFlameChart *self);
void cs_flame_chart_set_found (CsFlameChart *self, const guint32 *nodes, guint n); /* (nullable): ascending */

/* factor > 1: nearer; x: pixels from the start, negative: the middle */
void cs_flame_chart_zoom (CsFlameChart *self, double x, double factor, gboolean animate);
void cs_flame_chart_pan (CsFlameChart *self, double dx, double dy);
void cs_flame_chart_fit (CsFlameChart *self, gboolean animate); /* to the focus */
void cs_flame_chart_get_place (CsFlameChart *self, CsFlamePlace *place);
void cs_flame_chart_set_place (CsFlameChart *self, const CsFlamePlace *place);
void cs_flame_chart_get_window (CsFlameChart *self, CsFlameWindow *window);
gboolean cs_flame_chart_press_key (CsFlameChart *self, guint keyval, GdkModifierType state);
guint32 cs_flame_chart_hit (CsFlameChart *self, double x, double y);
void cs_flame_chart_set_plain (CsFlameChart *self, gboolean plain);
const CsFlameChartStats *cs_flame_chart_get_stats (CsFlameChart *self);

G_END_DECLS
