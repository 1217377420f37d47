/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/cs-histogram-layout.h"

G_BEGIN_DECLS

/* Durations that are compared: a histogram with its shortest and longest one, ns. */
typedef struct
{
  const CsHistogram *histogram;
  guint64 calls, min, max;
} CsHistogramSide;

/* Two histograms on the same axis of time: their bars have the same ends. */
typedef struct
{
  CsHistogramLayout *sides[2]; /* (nullable): %NULL: that one has no calls */
  guint64 calls[2];
  gboolean shares;             /* heights are shares of a side's calls, rather than calls */
  gboolean logarithmic;
  double tallest;              /* share or calls */
} CsHistogramPair;

CsHistogramPair *cs_histogram_pair_new (const CsHistogramSide sides[2], double width, double min_bar, gboolean shares,
                                        gboolean logarithmic);
void cs_histogram_pair_free (CsHistogramPair *self);
const CsHistogramLayout *cs_histogram_pair_get_axis (const CsHistogramPair *self);
double cs_histogram_pair_get_height (const CsHistogramPair *self, guint side, guint bar);
guint64 cs_histogram_pair_get_calls (const CsHistogramPair *self, guint side, guint bar);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsHistogramPair, cs_histogram_pair_free)

G_END_DECLS
