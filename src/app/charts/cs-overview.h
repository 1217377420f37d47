/* SPDX-License-Identifier: MIT */
#pragma once

#include "charts/cs-range-chart.h"
#include "layout/cs-density.h"
#include "timeline/cs-timeline.h"

G_BEGIN_DECLS

/* The activity of a whole recording over time: events of all threads, and below, where there is height, a thin row a
 * thread. The range is of time, ns from the recording's first event. */
#define CS_TYPE_OVERVIEW (cs_overview_get_type ())
G_DECLARE_FINAL_TYPE (CsOverview, cs_overview, CS, OVERVIEW, CsRangeChart)

GtkWidget *cs_overview_new (void);
void cs_overview_set_timeline (CsOverview *self, CsTimeline *timeline);
void cs_overview_set_density (CsOverview *self, guint64 span, const guint64 *events, guint n_columns, guint n_tracks);
void cs_overview_set_message (CsOverview *self, const char *message);
void cs_overview_set_visible (CsOverview *self, guint64 from, guint64 to);
void cs_overview_add_notice (CsOverview *self, guint64 ns, const char *text);
void cs_overview_clear_notices (CsOverview *self);

gint64 cs_overview_get_start (CsOverview *self);
guint64 cs_overview_get_span (CsOverview *self);
gboolean cs_overview_is_reading (CsOverview *self);
const CsDensity *cs_overview_get_density (CsOverview *self);

G_END_DECLS
