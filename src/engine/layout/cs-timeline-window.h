/* SPDX-License-Identifier: MIT */
#pragma once

#include "timeline/cs-timeline-types.h"

G_BEGIN_DECLS

#define CS_TIMELINE_MIN_SPAN 10.0 /* ns that a window shows at least */
#define CS_TIMELINE_NO_SPAN G_MAXSIZE

/* The time that a width shows. Its left edge is a whole ns and a fraction, so that differences
 * from it are taken in integers first: pixels are right to far less than one, and times to 1 ns,
 * wherever the window lies. */
typedef struct
{
  gint64 start;    /* ns, of the left edge, rounded down */
  double fraction; /* ns from there to the left edge, at least 0, less than 1 */
  double span;     /* ns, more than 0 */
  double pixels;   /* more than 0 */
} CsTimelineWindow;

void cs_timeline_window_fit (CsTimelineWindow *self, gint64 t0, gint64 t1);
gint64 cs_timeline_window_get_end (const CsTimelineWindow *self);
double cs_timeline_window_get_x (const CsTimelineWindow *self, gint64 time);
gint64 cs_timeline_window_get_time (const CsTimelineWindow *self, double x);
void cs_timeline_window_zoom (CsTimelineWindow *self, double x, double factor, gint64 first, gint64 last);
void cs_timeline_window_pan (CsTimelineWindow *self, double pixels, gint64 first, gint64 last);
void cs_timeline_window_clamp (CsTimelineWindow *self, gint64 first, gint64 last);

gsize cs_timeline_window_hit (const CsTimelineWindow *self, const CsTimelineSpan *spans, gsize n, double x,
                              double grab);
gboolean cs_timeline_window_snap (const CsTimelineWindow *self, const CsTimelineSpan *spans, gsize n, double x,
                                  double reach, gint64 *time);

G_END_DECLS
