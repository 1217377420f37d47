/* SPDX-License-Identifier: MIT */
#pragma once

#include "charts/cs-histogram-chart.h"
#include "layout/cs-label-rows.h"

G_BEGIN_DECLS

#define CS_HISTOGRAM_GAP 6 /* pixels between labels, and between a label and what it names */

enum { CS_HISTOGRAM_MARK_P50, CS_HISTOGRAM_MARK_P99, CS_HISTOGRAM_MARK_OUTLIERS, CS_HISTOGRAM_N_MARKS };

struct _CsHistogramChart
{
  CsRangeChart parent_instance;

  char *name; /* (nullable) */
  CsHistogram histogram;
  guint64 calls, min, max, p50, p99;
  gboolean log_counts;
  CsHistogramLayout *layout; /* as wide as the plot */
  graphene_rect_t plot;
  double caption; /* height of a label */
  GArray *counts; /* (element-type CsHistogramTick) */
  CsLabel marks[CS_HISTOGRAM_N_MARKS]; /* of width 0: not there */
};

/* cs-histogram-chart.c */
void cs_histogram_chart_measure_label (CsHistogramChart *self, const char *text, double *width, double *height);
char *cs_histogram_chart_dup_mark_text (CsHistogramChart *self, guint mark);
gboolean cs_histogram_chart_find_outliers (CsHistogramChart *self, double *from, double *to, double *height);

/* cs-histogram-chart-paint.c */
void cs_histogram_chart_paint (CsRangeChart *chart, GtkSnapshot *snapshot, const CsChartColors *colors);

G_END_DECLS
