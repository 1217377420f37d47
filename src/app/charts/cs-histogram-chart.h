/* SPDX-License-Identifier: MIT */
#pragma once

#include "charts/cs-range-chart.h"
#include "layout/cs-histogram-layout.h"
#include "profile/cs-profile.h"

G_BEGIN_DECLS

/* How long the calls of a function took: how many there are of each duration, on a logarithmic axis. The range is of
 * durations. */
#define CS_TYPE_HISTOGRAM_CHART (cs_histogram_chart_get_type ())
G_DECLARE_FINAL_TYPE (CsHistogramChart, cs_histogram_chart, CS, HISTOGRAM_CHART, CsRangeChart)

GtkWidget *cs_histogram_chart_new (void);
void cs_histogram_chart_set_function (CsHistogramChart *self, const CsFunction *function);
void cs_histogram_chart_set_log_counts (CsHistogramChart *self, gboolean log_counts);
gboolean cs_histogram_chart_get_log_counts (CsHistogramChart *self);

guint64 cs_histogram_chart_count (CsHistogramChart *self, guint64 from, guint64 to);
const CsHistogramLayout *cs_histogram_chart_get_layout (CsHistogramChart *self);

G_END_DECLS
