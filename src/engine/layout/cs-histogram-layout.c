/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "layout/cs-histogram-layout.h"

/* Octaves that the axis shows at least, so that one call isn't a wall. */
#define MIN_SPAN 2.0

/* An outlier is longer than the third quartile by this factor at least, and farther from it, on the
 * axis, than so many times the distance of the quartiles. */
#define OUTLIER_FACTOR 10
#define OUTLIER_FENCE 3

/* Where a duration is on the axis. Below 1 ns is only 0, which takes the octave before. */
static double
get_position (double ns)
{
  return log2 (MAX (ns, 0.5));
}

/* The duration behind the longest one of a bucket; 2^64 is one. */
static double
get_end_position (guint64 last)
{
  return get_position ((double) last + (last < (G_GUINT64_CONSTANT (1) << 53) ? 1 : 0));
}

static guint
find_bucket (guint64 ns)
{
  guint octave, sub;

  cs_histogram_locate (ns, &octave, &sub);
  return octave * CS_HISTOGRAM_SUBS + sub;
}

/* The first and the last bucket that the axis shows. Returns: how many calls there are */
static guint64
find_extent (const CsHistogram *histogram, guint64 min, guint64 max, guint *from, guint *to)
{
  guint64 first, last, calls = 0;

  *from = CS_HISTOGRAM_BUCKETS;
  *to = 0;
  for (guint i = 0; i < CS_HISTOGRAM_BUCKETS; i++)
    {
      guint64 n = cs_histogram_get_bucket (histogram, i, &first, &last);

      if (n == 0)
        continue;
      calls += n;
      *from = MIN (*from, i);
      *to = i;
    }
  if (calls == 0)
    return 0;
  if (min <= max)
    {
      *from = MIN (*from, find_bucket (min));
      *to = MAX (*to, find_bucket (max));
    }
  return calls;
}

static void
place_axis (CsHistogramLayout *self, const CsHistogram *histogram, guint *from, guint *to)
{
  guint64 first, last, end;
  gboolean low = TRUE;

  for (;; low = !low)
    {
      cs_histogram_get_bucket (histogram, *to, &end, &last);
      cs_histogram_get_bucket (histogram, *from, &first, &end);
      self->start = get_position ((double) first);
      self->span = get_end_position (last) - self->start;
      if (self->span >= MIN_SPAN)
        return;
      if (low && *from > 0)
        --*from;
      else if (!low && *to < CS_HISTOGRAM_BUCKETS - 1)
        ++*to;
    }
}

/* The longest duration that is no outlier. */
static guint64
find_fence (const CsHistogram *histogram, guint64 calls, guint64 min, guint64 max)
{
  guint64 q1 = cs_histogram_percentile (histogram, calls, 250, MIN (min, max), max);
  guint64 q3 = cs_histogram_percentile (histogram, calls, 750, MIN (min, max), max);
  double ratio = (double) MAX (q3, 1) / (double) MAX (q1, 1);
  double fence = (double) MAX (q3, 1) * MAX (pow (ratio, OUTLIER_FENCE), OUTLIER_FACTOR);

  return fence < 0x1p63 ? (guint64) fence : G_MAXUINT64;
}

static void
fill_bars (CsHistogramLayout *self, const CsHistogram *histogram, guint from, guint to, double min_bar,
           guint64 fence)
{
  CsHistogramBar bar = { 0 };
  gboolean open = FALSE;

  for (guint i = from; i <= to; i++)
    {
      guint64 first, last;
      guint64 n = cs_histogram_get_bucket (histogram, i, &first, &last);

      if (!open)
        bar = (CsHistogramBar){ .first = first, .x = cs_histogram_layout_get_x (self, first) };
      open = TRUE;
      bar.calls += n;
      bar.last = last;
      bar.width = (get_end_position (last) - self->start) * (self->width / self->span) - bar.x;
      if (bar.width < min_bar && i < to)
        continue;
      bar.outlier = bar.calls > 0 && bar.first > fence;
      self->outliers += bar.outlier ? bar.calls : 0;
      self->tallest = MAX (self->tallest, bar.calls);
      g_array_append_val (self->bars, bar);
      open = FALSE;
    }
}

/**
 * cs_histogram_layout_new:
 * @histogram: durations of calls
 * @min: ns: the shortest one
 * @max: ns: the longest one
 * @width: pixels that the time axis has
 * @min_bar: pixels that a bar has at least
 * @log_counts: whether heights are logarithms of counts
 *
 * Puts buckets side by side until they are @min_bar wide together. A bar of one bucket may be much
 * wider: below 32 ns a bucket is 1 ns. The axis reaches over all buckets that have calls, @min and
 * @max, and is two octaves long at least. Without calls there are no bars.
 *
 * A bar whose durations all lie beyond ten times the third quartile, and beyond Tukey's outer fence
 * on the logarithmic axis, has outliers: Q3 · (Q3 / Q1)^3.
 *
 * Returns: (transfer full): the layout
 */
CsHistogramLayout *
cs_histogram_layout_new (const CsHistogram *histogram, guint64 min, guint64 max, double width, double min_bar,
                         gboolean log_counts)
{
  CsHistogramLayout *self = g_new0 (CsHistogramLayout, 1);
  guint from, to;

  self->bars = g_array_new (FALSE, TRUE, sizeof (CsHistogramBar));
  self->width = MAX (width, 1);
  self->log_counts = log_counts;
  self->span = MIN_SPAN;
  self->calls = find_extent (histogram, min, max, &from, &to);
  if (self->calls == 0)
    return self;
  place_axis (self, histogram, &from, &to);
  fill_bars (self, histogram, from, to, min_bar, find_fence (histogram, self->calls, min, max));
  for (guint i = 0; i < self->bars->len; i++)
    {
      CsHistogramBar *bar = &g_array_index (self->bars, CsHistogramBar, i);

      bar->height = cs_histogram_layout_get_height (self, bar->calls);
      bar->up_to = bar->calls + (i > 0 ? g_array_index (self->bars, CsHistogramBar, i - 1).up_to : 0);
    }
  return self;
}

/**
 * cs_histogram_layout_free:
 * @self: (transfer full): a layout
 */
void
cs_histogram_layout_free (CsHistogramLayout *self)
{
  g_array_unref (self->bars);
  g_free (self);
}

/**
 * cs_histogram_layout_get_x:
 * @self: a layout
 * @ns: a duration
 *
 * Returns: where it begins on the time axis, pixels from the left; not outside of the axis. The
 *   largest number is the end of the longest bucket.
 */
double
cs_histogram_layout_get_x (const CsHistogramLayout *self, guint64 ns)
{
  double x = (get_position ((double) ns) - self->start) * (self->width / self->span);

  return CLAMP (x, 0, self->width);
}

/**
 * cs_histogram_layout_find_x:
 * @self: a layout with bars
 * @x: pixels from the left
 *
 * Returns: the number of the bar there, or of the nearest one
 */
guint
cs_histogram_layout_find_x (const CsHistogramLayout *self, double x)
{
  guint low = 0, high = self->bars->len;

  while (low + 1 < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->bars, CsHistogramBar, middle).x <= x)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/**
 * cs_histogram_layout_find:
 * @self: a layout with bars
 * @ns: a duration
 *
 * Returns: the number of the bar that counts it, or of the nearest one
 */
guint
cs_histogram_layout_find (const CsHistogramLayout *self, guint64 ns)
{
  guint low = 0, high = self->bars->len;

  while (low + 1 < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->bars, CsHistogramBar, middle).first <= ns)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/**
 * cs_histogram_layout_get_end:
 * @bar: a bar
 *
 * Returns: ns: the duration behind its longest one, as the exclusive end of a range; the largest
 *   number, which as an end is included, where there is none
 */
guint64
cs_histogram_layout_get_end (const CsHistogramBar *bar)
{
  return bar->last < G_MAXUINT64 ? bar->last + 1 : G_MAXUINT64;
}

/**
 * cs_histogram_layout_get_height:
 * @self: a layout
 * @calls: how many
 *
 * Returns: how high so many are, as a share of the tallest bar
 */
double
cs_histogram_layout_get_height (const CsHistogramLayout *self, guint64 calls)
{
  if (self->tallest == 0)
    return 0;
  if (self->log_counts)
    return log1p ((double) calls) / log1p ((double) self->tallest);
  return (double) calls / (double) self->tallest;
}

static void
write_time (char *label, guint64 digit, guint exponent)
{
  static const char *const units[] = { "ns", "µs", "ms", "s" };
  guint unit = MIN (exponent / 3, 3);

  for (guint i = unit * 3; i < exponent; i++)
    digit *= 10;
  g_snprintf (label, CS_HISTOGRAM_LABEL_SIZE, "%" G_GUINT64_FORMAT " %s", digit, units[unit]);
}

/**
 * cs_histogram_layout_list_times:
 * @self: a layout
 * @min_pixels: how far labels are from each other at least
 *
 * Chooses what the time axis is labelled with: each number with one digit that isn't 0; if these are too many
 * 1, 2 and 5 times powers of ten; or powers of ten, or each second, third or sixth of them.
 *
 * Returns: (transfer full) (element-type CsHistogramTick): ascending
 */
GArray *
cs_histogram_layout_list_times (const CsHistogramLayout *self, double min_pixels)
{
  /* How far apart they are at least, in decades. */
  static const struct { double gap; guint digits; guint step; } levels[] = {
    { 0.04575, 0x3fe, 1 }, { 0.30103, 0x26, 1 }, { 1, 0x2, 1 }, { 2, 0x2, 2 }, { 3, 0x2, 3 }, { 6, 0x2, 6 },
  };
  GArray *ticks = g_array_new (FALSE, TRUE, sizeof (CsHistogramTick));
  double decade = log2 (10) * (self->width / self->span);
  guint64 power = 1;
  guint level = 0;

  while (level < G_N_ELEMENTS (levels) - 1 && levels[level].gap * decade < min_pixels)
    level++;
  for (guint exponent = 0; exponent < 20; exponent++, power *= 10)
    for (guint64 digit = 1; digit < 10; digit++)
      {
        CsHistogramTick tick = { 0 };
        double x;

        if ((levels[level].digits & (1u << digit)) == 0 || exponent % levels[level].step != 0 ||
            __builtin_mul_overflow (power, digit, &tick.value))
          continue;
        x = (get_position ((double) tick.value) - self->start) * (self->width / self->span);
        if (x < -0.01 || x > self->width + 0.01)
          continue;
        tick.position = CLAMP (x, 0, self->width);
        write_time (tick.label, digit, exponent);
        g_array_append_val (ticks, tick);
      }
  return ticks;
}

/**
 * cs_histogram_layout_list_counts:
 * @self: a layout
 * @n: how many there may be, at least 1
 *
 * Chooses what the axis of counts is labelled with: multiples of 1, 2 or 5 times a power of ten; powers of ten
 * where heights are logarithms.
 *
 * Returns: (transfer full) (element-type CsHistogramTick): ascending
 */
GArray *
cs_histogram_layout_list_counts (const CsHistogramLayout *self, guint n)
{
  static const guint factors[] = { 2, 5, 10 };
  GArray *ticks = g_array_new (FALSE, TRUE, sizeof (CsHistogramTick));
  guint64 step = 1, power = 1;

  if (self->log_counts)
    {
      for (step = 10; log ((double) self->tallest) >= log ((double) step) * n + 1e-9 && step < 1000000;)
        step *= 10;
      for (guint64 value = step; value <= self->tallest; value *= step)
        {
          CsHistogramTick tick = { .value = value, .position = cs_histogram_layout_get_height (self, value) };

          g_array_append_val (ticks, tick);
          if (value > G_MAXUINT64 / step)
            break;
        }
      return ticks;
    }
  for (guint i = 0; self->tallest / step > n; i++)
    {
      step = power * factors[i % 3];
      if (i % 3 == 2)
        power *= 10;
    }
  for (guint64 value = step; value <= self->tallest && value >= step; value += step)
    {
      CsHistogramTick tick = { .value = value, .position = cs_histogram_layout_get_height (self, value) };

      g_array_append_val (ticks, tick);
    }
  return ticks;
}
