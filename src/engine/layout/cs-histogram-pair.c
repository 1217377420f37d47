/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "layout/cs-histogram-pair.h"

/**
 * cs_histogram_pair_new:
 * @sides: two histograms; one without calls has no bars
 * @width: pixels that the axis has
 * @min_bar: pixels that a bar has at least
 * @shares: whether heights are shares of a side's calls: how often a call takes so long, however many there are
 * @logarithmic: whether heights are logarithms
 *
 * Lays two histograms over each other. The axis reaches over both.
 *
 * Returns: (transfer full): the layout
 */
CsHistogramPair *
cs_histogram_pair_new (const CsHistogramSide sides[2], double width, double min_bar, gboolean shares, gboolean logarithmic)
{
  CsHistogramPair *self = g_new0 (CsHistogramPair, 1);
  guint64 min = G_MAXUINT64, max = 0;

  self->shares = shares;
  self->logarithmic = logarithmic;
  for (guint i = 0; i < 2; i++)
    if (sides[i].calls > 0)
      {
        min = MIN (min, sides[i].min);
        max = MAX (max, sides[i].max);
      }
  /* Where bars end depends on the axis alone. */
  for (guint i = 0; i < 2; i++)
    {
      if (sides[i].calls == 0)
        continue;
      self->calls[i] = sides[i].calls;
      self->sides[i] = cs_histogram_layout_new (sides[i].histogram, min, max, width, min_bar, FALSE);
      self->tallest = MAX (self->tallest, (double) self->sides[i]->tallest / (shares ? (double) self->calls[i] : 1));
    }
  return self;
}

/**
 * cs_histogram_pair_free:
 * @self: (transfer full): a layout
 */
void
cs_histogram_pair_free (CsHistogramPair *self)
{
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&self->sides[i], cs_histogram_layout_free);
  g_free (self);
}

/**
 * cs_histogram_pair_get_axis:
 * @self: a layout
 *
 * Returns: (transfer none) (nullable): a histogram on the axis of both; %NULL: there are no calls
 */
const CsHistogramLayout *
cs_histogram_pair_get_axis (const CsHistogramPair *self)
{
  return self->sides[1] != NULL ? self->sides[1] : self->sides[0];
}

/**
 * cs_histogram_pair_get_calls:
 * @self: a layout
 * @side: 0 or 1
 * @bar: number of a bar
 *
 * Returns: how many calls the bar has
 */
guint64
cs_histogram_pair_get_calls (const CsHistogramPair *self, guint side, guint bar)
{
  return self->sides[side] != NULL ? g_array_index (self->sides[side]->bars, CsHistogramBar, bar).calls : 0;
}

/**
 * cs_histogram_pair_get_height:
 * @self: a layout
 * @side: 0 or 1
 * @bar: number of a bar
 *
 * Returns: how high the bar is, as a share of the tallest one of both sides
 */
double
cs_histogram_pair_get_height (const CsHistogramPair *self, guint side, guint bar)
{
  double most = (double) MAX (self->calls[0], self->calls[1]);
  double value = (double) cs_histogram_pair_get_calls (self, side, bar);

  if (self->shares && self->calls[side] > 0)
    value /= (double) self->calls[side];
  if (!(self->tallest > 0))
    return 0;
  /* Shares are spread as the calls of the side that has more. */
  if (self->logarithmic && self->shares)
    return log1p (value * most) / log1p (self->tallest * most);
  return self->logarithmic ? log1p (value) / log1p (self->tallest) : value / self->tallest;
}
