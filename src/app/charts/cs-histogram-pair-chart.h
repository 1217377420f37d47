/* SPDX-License-Identifier: MIT */
#pragma once

#include "charts/cs-range-chart.h"
#include "layout/cs-histogram-pair.h"
#include "profile/cs-profile.h"

G_BEGIN_DECLS

/* How long the calls of a function took in two recordings, on one logarithmic axis: the base is filled, the new one an
 * outline. */
#define CS_TYPE_HISTOGRAM_PAIR_CHART (cs_histogram_pair_chart_get_type ())
G_DECLARE_FINAL_TYPE (CsHistogramPairChart, cs_histogram_pair_chart, CS, HISTOGRAM_PAIR_CHART, CsRangeChart)

GtkWidget *cs_histogram_pair_chart_new (void);
void cs_histogram_pair_chart_set_functions (CsHistogramPairChart *self, const CsFunction *base, const CsFunction *other);
void cs_histogram_pair_chart_set_scale (CsHistogramPairChart *self, gboolean shares, gboolean logarithmic);
const CsHistogramPair *cs_histogram_pair_chart_get_layout (CsHistogramPairChart *self);

G_END_DECLS
