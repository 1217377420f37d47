/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "layout/cs-density.h"
#include "layout/cs-histogram-layout.h"
#include "layout/cs-histogram-pair.h"
#include "layout/cs-label-rows.h"
#include "layout/cs-range-drag.h"

/* Buckets follow each other from 0 to the largest number, and each duration is counted in the one that has it. */
static void
test_buckets (void)
{
  guint64 first, last = 0;

  for (guint i = 0; i < CS_HISTOGRAM_BUCKETS; i++)
    {
      CsHistogram histogram = { 0 };
      guint64 end = last, unused;

      g_assert_cmpuint (cs_histogram_get_bucket (&histogram, i, &first, &last), ==, 0);
      g_assert_cmpuint (first, ==, i == 0 ? 0 : end + 1);
      g_assert_cmpuint (last, >=, first);
      g_assert_cmpuint (last - first, <=, first / 32);
      cs_histogram_add (&histogram, first);
      cs_histogram_add (&histogram, last);
      cs_histogram_add_many (&histogram, first + (last - first) / 2, G_GUINT64_CONSTANT (5000000000));
      g_assert_cmpuint (cs_histogram_get_bucket (&histogram, i, &first, &unused), ==, G_GUINT64_CONSTANT (5000000002));
      g_assert_cmpuint (cs_histogram_count (&histogram, 0, G_MAXUINT64), ==, G_GUINT64_CONSTANT (5000000002));
      cs_histogram_clear (&histogram);
    }
  g_assert_cmpuint (last, ==, G_MAXUINT64);
}

/* Checks a layout against the durations themselves. */
static void
check_layout (const guint64 *durations, guint n, double width, double min_bar, gboolean log_counts)
{
  CsHistogram histogram = { 0 };
  g_autoptr (CsHistogramLayout) layout = NULL;
  guint64 min = G_MAXUINT64, max = 0, sum = 0, outliers = 0, tallest = 0;

  for (guint i = 0; i < n; i++)
    {
      cs_histogram_add (&histogram, durations[i]);
      min = MIN (min, durations[i]);
      max = MAX (max, durations[i]);
    }
  layout = cs_histogram_layout_new (&histogram, n > 0 ? min : 0, max, width, min_bar, log_counts);
  g_assert_cmpuint (layout->calls, ==, n);
  if (n == 0)
    g_assert_cmpuint (layout->bars->len, ==, 0);
  for (guint i = 0; i < layout->bars->len; i++)
    {
      const CsHistogramBar *bar = &g_array_index (layout->bars, CsHistogramBar, i);
      guint64 calls = 0;

      for (guint j = 0; j < n; j++)
        calls += durations[j] >= bar->first && durations[j] <= bar->last;
      g_assert_cmpuint (bar->calls, ==, calls);
      sum += calls;
      tallest = MAX (tallest, calls);
      outliers += bar->outlier ? calls : 0;
      if (i > 0)
        {
          g_assert_cmpuint (bar[-1].last + 1, ==, bar->first);
          g_assert_cmpfloat_with_epsilon (bar[-1].x + bar[-1].width, bar->x, 1e-6 * MAX (width, 1));
        }
      if (i + 1 < layout->bars->len)
        g_assert_cmpfloat (bar->width, >=, MIN (min_bar, width) - 1e-6);
      g_assert_cmpfloat (bar->height, >=, 0);
      g_assert_cmpfloat (bar->height, <=, 1);
      g_assert_true ((bar->height > 0) == (calls > 0));
      g_assert_cmpuint (cs_histogram_layout_find (layout, bar->first), ==, i);
      g_assert_cmpuint (cs_histogram_layout_find (layout, bar->last), ==, i);
      g_assert_cmpuint (cs_histogram_layout_find_x (layout, bar->x + bar->width / 2), ==, i);
    }
  g_assert_cmpuint (sum, ==, n);
  g_assert_cmpuint (tallest, ==, layout->tallest);
  g_assert_cmpuint (outliers, ==, layout->outliers);
  if (n > 0)
    {
      const CsHistogramBar *first = &g_array_index (layout->bars, CsHistogramBar, 0);
      const CsHistogramBar *last = &g_array_index (layout->bars, CsHistogramBar, layout->bars->len - 1);

      g_assert_cmpfloat_with_epsilon (first->x, 0, 1e-6 * MAX (width, 1));
      g_assert_cmpfloat_with_epsilon (last->x + last->width, MAX (width, 1), 1e-6 * MAX (width, 1));
      g_assert_cmpuint (first->first, <=, min);
      g_assert_cmpuint (last->last, >=, max);
    }
  cs_histogram_clear (&histogram);
}

static void
test_bars (void)
{
  static const guint64 ends[] = { 0, 0, 1, 31, 32, 33, 63, 64, G_MAXUINT64 - 1, G_MAXUINT64, G_MAXUINT64 / 2 };
  static const guint64 zero[] = { 0, 0, 0 }, top[] = { G_MAXUINT64 };
  guint64 durations[500];

  for (guint i = 0; i < 2; i++)
    {
      check_layout (NULL, 0, 300, 6, i);
      check_layout (ends, G_N_ELEMENTS (ends), 300, 6, i);
      check_layout (ends, G_N_ELEMENTS (ends), 0, 6, i);
      check_layout (ends, G_N_ELEMENTS (ends), 1e5, 1, i);
      check_layout (zero, G_N_ELEMENTS (zero), 300, 6, i);
      check_layout (top, 1, 300, 6, i);
      for (guint k = 0; k < 30; k++)
        {
          guint bits = (guint) g_test_rand_int_range (1, 64), n = (guint) g_test_rand_int_range (1, 500);

          for (guint j = 0; j < n; j++)
            durations[j] = (((guint64) (guint) g_test_rand_int () << 32) | (guint) g_test_rand_int ()) >>
                           g_test_rand_int_range (64 - (gint) bits, 64);
          check_layout (durations, n, g_test_rand_double_range (1, 2000), g_test_rand_double_range (1, 10), i);
        }
    }
}

/* Two on one axis: bars have the same ends, and heights compare calls, or shares of each side's calls. */
static void
check_pair (const guint64 counts[2], guint64 short_ns, guint64 long_ns, gboolean shares, gboolean logarithmic)
{
  CsHistogram histograms[2] = { 0 };
  CsHistogramSide sides[2];
  g_autoptr (CsHistogramPair) pair = NULL;
  const CsHistogramLayout *axis;
  double tallest = 0, heights[2] = { 0 };

  /* On the first side all are short; on the second a quarter is. */
  cs_histogram_add_many (&histograms[0], short_ns, counts[0]);
  cs_histogram_add_many (&histograms[1], short_ns, counts[1] / 4);
  cs_histogram_add_many (&histograms[1], long_ns, counts[1] - counts[1] / 4);
  for (guint i = 0; i < 2; i++)
    sides[i] = (CsHistogramSide){ &histograms[i], counts[i], short_ns, i == 0 ? short_ns : long_ns };
  pair = cs_histogram_pair_new (sides, 300, 4, shares, logarithmic);
  axis = cs_histogram_pair_get_axis (pair);
  for (guint i = 0; i < 2; i++)
    {
      guint64 calls = 0;

      g_assert_true ((pair->sides[i] == NULL) == (counts[i] == 0));
      for (guint bar = 0; bar < axis->bars->len; bar++)
        {
          double height = cs_histogram_pair_get_height (pair, i, bar);

          if (pair->sides[i] != NULL)
            {
              g_assert_cmpuint (g_array_index (pair->sides[i]->bars, CsHistogramBar, bar).first, ==,
                                g_array_index (axis->bars, CsHistogramBar, bar).first);
              g_assert_cmpuint (pair->sides[i]->bars->len, ==, axis->bars->len);
            }
          calls += cs_histogram_pair_get_calls (pair, i, bar);
          g_assert_true (height >= 0 && height <= 1 + 1e-9);
          g_assert_true ((height > 0) == (cs_histogram_pair_get_calls (pair, i, bar) > 0));
          tallest = MAX (tallest, height);
        }
      g_assert_cmpuint (calls, ==, counts[i]);
      heights[i] = counts[i] > 0 ? cs_histogram_pair_get_height (pair, i, cs_histogram_layout_find (axis, short_ns)) : 0;
      cs_histogram_clear (&histograms[i]);
    }
  g_assert_cmpfloat_with_epsilon (tallest, 1, 1e-9);
  if (counts[0] > 0 && counts[1] > 0 && shares && !logarithmic)
    g_assert_cmpfloat_with_epsilon (heights[1], heights[0] / 4, 1e-9);
  else if (counts[0] > 0 && counts[1] > 0 && !logarithmic)
    g_assert_cmpfloat_with_epsilon (heights[1] * (double) counts[0], heights[0] * (double) (counts[1] / 4), 1e-6);
}

static void
test_pair (void)
{
  static const guint64 counts[][2] = { { 100, 400 }, { 4, 4000000 }, { 5000000000, 8 }, { 7, 0 }, { 0, 8 } };
  static const CsHistogramSide none[2] = { 0 };
  g_autoptr (CsHistogramPair) empty = cs_histogram_pair_new (none, 300, 4, TRUE, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (guint k = 0; k < 4; k++)
      check_pair (counts[i], 20, 90000, k & 1, k & 2);
  g_assert_null (cs_histogram_pair_get_axis (empty));
}

static guint64
count_outliers (guint64 usual, guint n, guint64 other, guint n_other)
{
  CsHistogram histogram = { 0 };
  g_autoptr (CsHistogramLayout) layout = NULL;

  cs_histogram_add_many (&histogram, usual, n);
  cs_histogram_add_many (&histogram, other, n_other);
  layout = cs_histogram_layout_new (&histogram, MIN (usual, other), MAX (usual, other), 300, 6, FALSE);
  cs_histogram_clear (&histogram);
  return layout->outliers;
}

static void
test_outliers (void)
{
  CsHistogram histogram = { 0 };
  g_autoptr (CsHistogramLayout) layout = NULL;

  g_assert_cmpuint (count_outliers (8, 100000, 5000, 3), ==, 3);
  g_assert_cmpuint (count_outliers (8, 100000, 60, 3), ==, 0);
  g_assert_cmpuint (count_outliers (5000, 100000, 8, 3), ==, 0); /* short ones are none */
  g_assert_cmpuint (count_outliers (0, 10, G_MAXUINT64, 1), ==, 1);
  /* Where half take 1 ns and half 1 ms, ten times the latter is nothing unusual. */
  cs_histogram_add_many (&histogram, 1, 1000);
  cs_histogram_add_many (&histogram, 1000000, 1000);
  cs_histogram_add_many (&histogram, 20000000, 5);
  layout = cs_histogram_layout_new (&histogram, 1, 20000000, 300, 6, FALSE);
  g_assert_cmpuint (layout->outliers, ==, 0);
  cs_histogram_clear (&histogram);
}

static void
test_axes (void)
{
  static const struct { guint64 min, max; double width, gap; guint at_least; } cases[] = {
    { 4, 353000, 300, 40, 3 }, { 4, 353000, 2000, 40, 10 }, { 1000, 1000, 300, 40, 2 }, { 0, G_MAXUINT64, 300, 40, 3 },
    { 0, G_MAXUINT64, 50, 60, 1 }, { 0, 0, 300, 40, 1 }, { 3, 3, 0, 40, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint log_counts = 0; log_counts < 2; log_counts++)
      for (guint64 calls = 1; calls < G_GUINT64_CONSTANT (1) << 60; calls *= 37)
        {
          CsHistogram histogram = { 0 };
          g_autoptr (CsHistogramLayout) layout = NULL;
          g_autoptr (GArray) times = NULL, counts = NULL;

          cs_histogram_add_many (&histogram, cases[i].min, calls);
          cs_histogram_add_many (&histogram, cases[i].max, 1);
          layout = cs_histogram_layout_new (&histogram, cases[i].min, cases[i].max, cases[i].width, 6, log_counts);
          times = cs_histogram_layout_list_times (layout, cases[i].gap);
          g_assert_cmpuint (times->len, >=, cases[i].at_least);
          for (guint j = 0; j < times->len; j++)
            {
              const CsHistogramTick *tick = &g_array_index (times, CsHistogramTick, j);

              g_assert_cmpfloat_with_epsilon (tick->position, cs_histogram_layout_get_x (layout, tick->value), 1e-6);
              if (j > 0 && cases[i].gap < cases[i].width)
                g_assert_cmpfloat (tick->position, >=, tick[-1].position + cases[i].gap * 0.99);
            }
          counts = cs_histogram_layout_list_counts (layout, 3);
          g_assert_cmpuint (counts->len, <=, 3 + log_counts);
          for (guint j = 0; j < counts->len; j++)
            {
              const CsHistogramTick *tick = &g_array_index (counts, CsHistogramTick, j);

              g_assert_cmpuint (tick->value, <=, layout->tallest);
              g_assert_cmpfloat (tick->position, <=, 1);
              g_assert_cmpfloat (tick->position, >, j > 0 ? tick[-1].position : 0);
            }
          cs_histogram_clear (&histogram);
        }
}

static void
test_time_labels (void)
{
  CsHistogram histogram = { 0 };
  g_autoptr (CsHistogramLayout) layout = NULL;
  g_autoptr (GArray) ticks = NULL;
  static const char *const labels[] = { "1 ns",  "10 ns",  "100 ns", "1 µs", "10 µs", "100 µs", "1 ms",
                                        "10 ms", "100 ms", "1 s",    "10 s", "100 s", "1000 s" };

  cs_histogram_add (&histogram, 1);
  cs_histogram_add (&histogram, G_GUINT64_CONSTANT (1500000000000));
  layout = cs_histogram_layout_new (&histogram, 1, G_GUINT64_CONSTANT (1500000000000), 1300, 6, FALSE);
  ticks = cs_histogram_layout_list_times (layout, 60);
  g_assert_cmpuint (ticks->len, ==, G_N_ELEMENTS (labels));
  for (guint i = 0; i < ticks->len; i++)
    g_assert_cmpstr (g_array_index (ticks, CsHistogramTick, i).label, ==, labels[i]);
  cs_histogram_clear (&histogram);
}

static void
test_labels (void)
{
  CsLabel sides[] = { { .anchor = 50, .width = 40, .side = 1 }, { .anchor = 50, .width = 40 } };
  CsLabel edge[] = { { .anchor = 2, .width = 40, .side = 1 }, { .anchor = 10, .width = 40 } };

  /* On either side of one line; and at the edge one below the other. */
  g_assert_cmpuint (cs_labels_place (sides, 2, 100, 3), ==, 1);
  g_assert_cmpfloat_with_epsilon (sides[0].x, 7, 1e-9);
  g_assert_cmpfloat_with_epsilon (sides[1].x, 53, 1e-9);
  g_assert_cmpuint (cs_labels_place (edge, 2, 100, 3), ==, 2);
  g_assert_cmpfloat_with_epsilon (edge[0].x, 5, 1e-9);

  for (guint round = 0; round < 1000; round++)
    {
      CsLabel labels[6] = { 0 };
      double width = g_test_rand_double_range (0, 300);

      for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
        labels[i] = (CsLabel){ .anchor = g_test_rand_double_range (0, MAX (width, 1)),
                               .width = g_test_rand_double_range (5, 100), .side = g_test_rand_int_range (0, 3) / 2.0 };
      g_assert_cmpuint (cs_labels_place (labels, G_N_ELEMENTS (labels), width, 4), <=, G_N_ELEMENTS (labels));
      for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
        {
          g_assert_cmpfloat (labels[i].x, >=, 0);
          g_assert_cmpfloat (labels[i].x + labels[i].width, <=, MAX (width, labels[i].width) + 1e-9);
          for (guint j = 0; j < i; j++)
            g_assert_true (labels[i].row != labels[j].row || labels[i].x >= labels[j].x + labels[j].width + 3.99 ||
                           labels[j].x >= labels[i].x + labels[i].width + 3.99);
        }
    }
}

static void
test_density (void)
{
  enum { TRACKS = 7, PARTS = 101 };
  guint64 events[TRACKS][PARTS], sums[TRACKS] = { 0 }, all = 0;

  for (guint i = 0; i < TRACKS; i++)
    for (guint j = 0; j < PARTS; j++)
      {
        events[i][j] = (guint64) g_test_rand_int_range (0, 1000) * (i + 1) * (i + 1);
        sums[i] += events[i][j];
        all += events[i][j];
      }
  for (guint rows = 0; rows < TRACKS + 2; rows++)
    for (guint columns = 1; columns <= PARTS; columns += 9)
      {
        g_autoptr (CsDensity) density = cs_density_new (columns, PARTS, rows, sums, TRACKS);
        guint64 total = 0, highest = 0;

        for (guint i = 0; i < TRACKS; i++)
          cs_density_add (density, i, events[i]);
        g_assert_cmpuint (density->n_events, ==, all);
        g_assert_cmpuint (density->n_rows, ==, MIN (rows, TRACKS));
        g_assert_cmpuint (density->n_rest, ==, rows == 0 || rows >= TRACKS ? 0 : TRACKS - rows + 1);
        for (guint c = 0; c < columns; c++)
          {
            guint64 sum = 0;

            for (guint r = 0; r < density->n_rows; r++)
              sum += density->rows[r * columns + c];
            if (rows > 0)
              g_assert_cmpuint (sum, ==, density->total[c]);
            total += density->total[c];
            highest += cs_density_get_height (density, c) > 0.9999;
            g_assert_cmpfloat (cs_density_get_height (density, c), <=, 1);
            for (guint r = 0; r < density->n_rows; r++)
              g_assert_cmpfloat (cs_density_get_row_height (density, r, c), <=, 1);
          }
        g_assert_cmpuint (total, ==, all);
        g_assert_cmpuint (highest, >=, 1);
        /* The busiest are the last ones here; they stand in their order. */
        for (guint r = 0; r < density->n_rows; r++)
          {
            guint64 sum = 0;
            guint track = density->n_rest == 0 ? r : r + 1 < rows ? TRACKS - rows + 1 + r : CS_DENSITY_REST;

            for (guint c = 0; c < columns; c++)
              sum += density->rows[r * columns + c];
            g_assert_cmpuint (density->tracks[r], ==, track);
            if (track != CS_DENSITY_REST)
              g_assert_cmpuint (sum, ==, sums[track]);
          }
      }
}

/* Even activity is even whatever the number of columns. */
static void
test_even_density (void)
{
  guint64 events[1000], sum = 1000 * 50;

  for (guint i = 0; i < 1000; i++)
    events[i] = 50;
  for (guint columns = 1; columns <= 1000; columns += 37)
    {
      g_autoptr (CsDensity) density = cs_density_new (columns, 1000, 0, &sum, 1);

      cs_density_add (density, 0, events);
      for (guint i = 0; i < columns; i++)
        g_assert_cmpfloat_with_epsilon (cs_density_get_height (density, i), 1, 1e-9);
    }
}

static void
test_drag (void)
{
  CsRangeDrag drag;

  /* What is taken: 8 px outside of an end, 4 inside, less in a narrow range. */
  g_assert_cmpint (cs_range_drag_find (0, 0, 50, 8), ==, CS_RANGE_DRAG_NEW);
  g_assert_cmpint (cs_range_drag_find (100, 200, 91, 8), ==, CS_RANGE_DRAG_NEW);
  g_assert_cmpint (cs_range_drag_find (100, 200, 93, 8), ==, CS_RANGE_DRAG_FROM);
  g_assert_cmpint (cs_range_drag_find (100, 200, 103, 8), ==, CS_RANGE_DRAG_FROM);
  g_assert_cmpint (cs_range_drag_find (100, 200, 105, 8), ==, CS_RANGE_DRAG_MOVE);
  g_assert_cmpint (cs_range_drag_find (100, 200, 197, 8), ==, CS_RANGE_DRAG_TO);
  g_assert_cmpint (cs_range_drag_find (100, 200, 207, 8), ==, CS_RANGE_DRAG_TO);
  g_assert_cmpint (cs_range_drag_find (100, 104, 102, 8), ==, CS_RANGE_DRAG_MOVE);
  g_assert_cmpint (cs_range_drag_find (100, 104, 99, 8), ==, CS_RANGE_DRAG_FROM);

  /* A new one, in either direction, has the step that was pressed. */
  cs_range_drag_begin (&drag, CS_RANGE_DRAG_NEW, 0, 0, 32, 34);
  cs_range_drag_update (&drag, 40, 42, 0, 100);
  g_assert_cmpuint (drag.from, ==, 32);
  g_assert_cmpuint (drag.to, ==, 42);
  cs_range_drag_update (&drag, 10, 12, 0, 100);
  g_assert_cmpuint (drag.from, ==, 10);
  g_assert_cmpuint (drag.to, ==, 34);

  /* An end passes the other one. */
  cs_range_drag_begin (&drag, CS_RANGE_DRAG_FROM, 20, 30, 20, 20);
  cs_range_drag_update (&drag, 25, 25, 0, 100);
  g_assert_cmpuint (drag.from, ==, 25);
  g_assert_cmpuint (drag.to, ==, 30);
  cs_range_drag_update (&drag, 50, 50, 0, 100);
  g_assert_cmpuint (drag.from, ==, 30);
  g_assert_cmpuint (drag.to, ==, 50);
  cs_range_drag_begin (&drag, CS_RANGE_DRAG_TO, 20, 30, 30, 30);
  cs_range_drag_update (&drag, 7, 7, 0, 100);
  g_assert_cmpuint (drag.from, ==, 7);
  g_assert_cmpuint (drag.to, ==, 20);

  /* Moved, it keeps its length, and stays on the axis. */
  for (guint64 to = 0; to <= 100; to++)
    {
      guint64 expected = CLAMP ((gint64) to - 25 + 20, 5, 90);

      cs_range_drag_begin (&drag, CS_RANGE_DRAG_MOVE, 20, 30, 25, 25);
      cs_range_drag_update (&drag, to, to, 5, 100);
      g_assert_cmpuint (drag.from, ==, expected);
      g_assert_cmpuint (drag.to, ==, expected + 10);
    }
  cs_range_drag_begin (&drag, CS_RANGE_DRAG_MOVE, 10, G_MAXUINT64 - 10, 25, 25);
  cs_range_drag_update (&drag, G_MAXUINT64, G_MAXUINT64, 0, G_MAXUINT64);
  g_assert_cmpuint (drag.from, ==, 20);
  g_assert_cmpuint (drag.to, ==, G_MAXUINT64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/charts/buckets", test_buckets);
  g_test_add_func ("/charts/bars", test_bars);
  g_test_add_func ("/charts/pair", test_pair);
  g_test_add_func ("/charts/outliers", test_outliers);
  g_test_add_func ("/charts/axes", test_axes);
  g_test_add_func ("/charts/time-labels", test_time_labels);
  g_test_add_func ("/charts/labels", test_labels);
  g_test_add_func ("/charts/density", test_density);
  g_test_add_func ("/charts/even-density", test_even_density);
  g_test_add_func ("/charts/drag", test_drag);
  return g_test_run ();
}
