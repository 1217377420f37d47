/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-histogram.h"

G_BEGIN_DECLS

#define CS_HISTOGRAM_LABEL_SIZE 24

/* Buckets next to each other that together are wide enough to be drawn. */
typedef struct
{
  guint64 first, last; /* ns: the shortest and the longest duration that it counts */
  guint64 calls;
  guint64 up_to;       /* calls of this bar and of all before it */
  double x, width;     /* pixels from the left */
  double height;       /* share of the tallest one's, 0 to 1 */
  gboolean outlier;
} CsHistogramBar;

/* A mark of one of the axes. */
typedef struct
{
  guint64 value;
  double position; /* on the time axis pixels, on that of counts a share of the height */
  char label[CS_HISTOGRAM_LABEL_SIZE]; /* of times only */
} CsHistogramTick;

/* The bars of a histogram on a logarithmic time axis that is so many pixels wide. */
typedef struct
{
  guint64 calls;    /* all that the bars have together */
  guint64 outliers; /* of these */
  guint64 tallest;
  gboolean log_counts;
  double width;
  double start, span; /* logarithms of the axis's left edge and length */
  GArray *bars;       /* (element-type CsHistogramBar): without a gap, empty ones too */
} CsHistogramLayout;

CsHistogramLayout *cs_histogram_layout_new (const CsHistogram *histogram, guint64 min, guint64 max, double width,
                                            double min_bar, gboolean log_counts);
void cs_histogram_layout_free (CsHistogramLayout *self);

double cs_histogram_layout_get_x (const CsHistogramLayout *self, guint64 ns);
guint cs_histogram_layout_find_x (const CsHistogramLayout *self, double x);
guint cs_histogram_layout_find (const CsHistogramLayout *self, guint64 ns);
guint64 cs_histogram_layout_get_end (const CsHistogramBar *bar);
double cs_histogram_layout_get_height (const CsHistogramLayout *self, guint64 calls);

GArray *cs_histogram_layout_list_times (const CsHistogramLayout *self, double min_pixels);
GArray *cs_histogram_layout_list_counts (const CsHistogramLayout *self, guint n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsHistogramLayout, cs_histogram_layout_free)

G_END_DECLS
