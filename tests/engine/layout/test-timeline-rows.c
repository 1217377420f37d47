/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "layout/cs-timeline-rows.h"
#include "layout/cs-timeline-window.h"

static const CsTimelineMetrics metrics = { .header = 24, .row = 20, .gap = 8 };

static void
test_places (void)
{
  const CsTimelineTrack tracks[] = {
    { .process = 1, .tid = 10, .max_depth = 3 },
    { .process = 0, .tid = 11, .max_depth = 4, .order = 2 },
    { .process = 0, .tid = 12, .max_depth = 9, .depth_limit = 2, .order = 1 },
    { .process = 1, .tid = 13, .max_depth = 5, .pinned = TRUE },
    { .process = 1, .tid = 14, .max_depth = 5, .collapsed = TRUE },
    { .process = 2, .tid = 15, .max_depth = 5, .hidden = TRUE },
    { .process = 3, .tid = 16 },
  };
  g_autoptr (CsTimelineRows) rows = cs_timeline_rows_new (tracks, G_N_ELEMENTS (tracks), &metrics);
  /* track, or -1: a header; and its rows */
  static const gint expected[][2] = { { 3, 5 }, { -1, 0 }, { 2, 2 }, { 1, 4 }, { -1, 0 }, { 0, 3 }, { 4, 1 }, { -1, 0 }, { 6, 1 } };
  guint n;
  const CsTimelineItem *items = cs_timeline_rows_get_items (rows, &n);
  double y = 0;

  g_assert_cmpuint (n, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (items[i].header, ==, expected[i][0] < 0);
      g_assert_cmpint ((gint) items[i].n_rows, ==, expected[i][1]);
      if (expected[i][0] >= 0)
        g_assert_cmpuint (items[i].track, ==, (guint) expected[i][0]);
      g_assert_cmpuint (items[i].process, ==, tracks[items[i].track].process);
      g_assert_cmpfloat_with_epsilon (items[i].y, y, 1e-9);
      y += expected[i][0] < 0 ? 24 : expected[i][1] * 20 + 8;
    }
  g_assert_cmpfloat_with_epsilon (cs_timeline_rows_get_height (rows), y, 1e-9);
  g_assert_false (cs_timeline_rows_get_y (rows, 5, 0, &y));
  g_assert_cmpuint (cs_timeline_rows_get_track (rows, 4)->tid, ==, 14);
}

/* Of a folded process only the header is there, and what is pinned. */
static void
test_folded (void)
{
  static const CsTimelineTrack tracks[] = {
    { .process = 0, .tid = 10, .max_depth = 3, .folded = TRUE },
    { .process = 0, .tid = 11, .max_depth = 4, .folded = TRUE },
    { .process = 0, .tid = 12, .max_depth = 2, .folded = TRUE, .pinned = TRUE },
    { .process = 1, .tid = 13, .max_depth = 5 },
  };
  g_autoptr (CsTimelineRows) rows = cs_timeline_rows_new (tracks, G_N_ELEMENTS (tracks), &metrics);
  guint n;
  const CsTimelineItem *items = cs_timeline_rows_get_items (rows, &n);
  double y;

  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpuint (items[0].track, ==, 2);
  g_assert_true (items[1].header);
  g_assert_cmpuint (items[1].process, ==, 0);
  g_assert_true (items[2].header);
  g_assert_cmpuint (items[3].track, ==, 3);
  g_assert_false (cs_timeline_rows_get_y (rows, 0, 0, &y));
  g_assert_true (cs_timeline_rows_get_y (rows, 2, 0, &y));
  g_assert_cmpfloat_with_epsilon (cs_timeline_rows_get_height (rows), 2 * 24 + 7 * 20 + 2 * 8, 1e-9);
}

/* What is hit at a place is what was put there; what is visible is what can be hit. */
static void
test_hit_rows (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint round = 0; round < 300; round++)
    {
      guint n = (guint) g_rand_int_range (rand, 0, 30), n_items;
      g_autofree CsTimelineTrack *tracks = g_new0 (CsTimelineTrack, n);
      g_autoptr (CsTimelineRows) rows = NULL;
      const CsTimelineItem *items;
      CsTimelinePlace place;
      double height;

      for (guint i = 0; i < n; i++)
        tracks[i] = (CsTimelineTrack){ .process = (guint) g_rand_int_range (rand, 0, 4),
                                       .max_depth = (guint32) g_rand_int_range (rand, 0, 9),
                                       .depth_limit = (guint32) g_rand_int_range (rand, 0, 5),
                                       .order = g_rand_int_range (rand, 0, 3),
                                       .collapsed = g_rand_int_range (rand, 0, 5) == 0,
                                       .pinned = g_rand_int_range (rand, 0, 5) == 0,
                                       .hidden = g_rand_int_range (rand, 0, 5) == 0 };
      rows = cs_timeline_rows_new (tracks, n, &metrics);
      items = cs_timeline_rows_get_items (rows, &n_items);
      height = cs_timeline_rows_get_height (rows);
      for (guint i = 0; i < n_items; i++)
        for (guint32 depth = 0; depth < items[i].n_rows; depth++)
          {
            double y = -1;

            g_assert_true (cs_timeline_rows_get_y (rows, items[i].track, depth, &y));
            for (double inside = 0; inside < 20; inside += 19.99)
              {
                g_assert_true (cs_timeline_rows_hit (rows, y + inside, &place));
                g_assert_cmpuint (place.item, ==, i);
                g_assert_cmpuint (place.track, ==, items[i].track);
                g_assert_cmpuint (place.depth, ==, depth);
              }
          }
      g_assert_false (cs_timeline_rows_hit (rows, height, &place));
      g_assert_false (cs_timeline_rows_hit (rows, -0.5, &place));
      for (guint i = 0; i < 30 && n_items > 0; i++)
        {
          double y0 = g_rand_double_range (rand, -100, height + 100);
          double y1 = y0 + g_rand_double_range (rand, 0, 500);
          guint n_visible, first = cs_timeline_rows_find_visible (rows, y0, y1, &n_visible);

          for (guint j = 0; j < n_items; j++)
            {
              gboolean visible = items[j].y < y1 && items[j].y + items[j].height > y0;
              guint32 depth0, depth1;
              gboolean any = cs_timeline_rows_get_visible_depths (rows, j, y0, y1, &depth0, &depth1);

              g_assert_cmpint (visible, ==, j >= first && j < first + n_visible);
              for (guint32 depth = 0; depth < items[j].n_rows; depth++)
                g_assert_cmpint (items[j].y + depth * 20 < y1 && items[j].y + depth * 20 + 20 > y0, ==,
                                 any && depth >= depth0 && depth < depth1);
            }
        }
    }
}

/* Ten million rows of one track: no precision is lost in heights. */
static void
test_deep_rows (void)
{
  const CsTimelineTrack tracks[] = { { .max_depth = 10000000 }, { .max_depth = 1 } };
  g_autoptr (CsTimelineRows) rows = cs_timeline_rows_new (tracks, 2, &metrics);
  CsTimelinePlace place;

  g_assert_true (cs_timeline_rows_hit (rows, 24 + 9999999 * 20.0 + 19.5, &place));
  g_assert_cmpuint (place.depth, ==, 9999999);
  g_assert_true (cs_timeline_rows_hit (rows, 24 + 1e7 * 20 + 7, &place));
  g_assert_cmpuint (place.track, ==, 0);
  g_assert_cmpuint (place.depth, ==, G_MAXUINT32);
  g_assert_true (cs_timeline_rows_hit (rows, 24 + 1e7 * 20 + 9, &place));
  g_assert_cmpuint (place.track, ==, 1);
}

/* Each ns has its place, and a place its ns, also far from 0 and in a recording of 2^62 ns. */
static void
test_precision (void)
{
  static const gint64 starts[] = { 0, -12345, (gint64) 1 << 40, ((gint64) 1 << 62) + 1, -((gint64) 1 << 62) - 7 };

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    for (double span = 10; span < 1e6; span *= 10)
      {
        CsTimelineWindow window = { .start = starts[i], .fraction = 0.25, .span = span, .pixels = 1200 };
        double ns = 1200 / span;

        for (gint64 t = 1; t < (gint64) span; t += MAX (1, (gint64) span / 100))
          {
            double x = cs_timeline_window_get_x (&window, starts[i] + t);

            g_assert_cmpfloat_with_epsilon (x, ((double) t - 0.25) * ns, 1e-6);
            g_assert_cmpint (cs_timeline_window_get_time (&window, x + 0.001 * ns), ==, starts[i] + t);
            g_assert_cmpint (cs_timeline_window_get_time (&window, x - 0.001 * ns), ==, starts[i] + t - 1);
          }
      }
  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    {
      CsTimelineWindow window = { .pixels = 1000 };

      cs_timeline_window_fit (&window, G_MININT64, G_MAXINT64);
      g_assert_cmpfloat_with_epsilon (cs_timeline_window_get_x (&window, starts[i]),
                                      500 + (double) starts[i] / 0x1p64 * 1000, 1e-6);
      g_assert_cmpint (cs_timeline_window_get_end (&window), ==, G_MAXINT64);
    }
}

/* The time, with its fraction, from `origin`. */
static double
get_exact_time (const CsTimelineWindow *window, gint64 origin, double x)
{
  return (double) (window->start - origin) + window->fraction + x * window->span / window->pixels;
}

static void
test_zoom (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  const gint64 first = ((gint64) 1 << 61) + 3, last = first + ((gint64) 1 << 41);

  for (guint round = 0; round < 200; round++)
    {
      CsTimelineWindow window = { .pixels = 1200 };
      gint64 at = first + (gint64) g_rand_double_range (rand, 1e10, 0x1p41 - 1e10);
      double x;

      cs_timeline_window_fit (&window, first, last);
      g_assert_cmpint (window.start, ==, first);
      g_assert_cmpint (cs_timeline_window_get_end (&window), ==, last);
      /* All the way in and out again, the pointer on one ns. */
      x = cs_timeline_window_get_x (&window, at);
      for (guint i = 0; i < 200; i++)
        {
          cs_timeline_window_zoom (&window, x, 0.8, first, last);
          g_assert_cmpfloat_with_epsilon (cs_timeline_window_get_x (&window, at), x, 0.1);
        }
      g_assert_cmpfloat_with_epsilon (window.span, CS_TIMELINE_MIN_SPAN, 1e-9);
      for (guint i = 0; i < 300; i++)
        {
          cs_timeline_window_zoom (&window, x, 1.25, first, last);
          g_assert_cmpint (window.start, >=, first);
          g_assert_cmpint (cs_timeline_window_get_end (&window), <=, last);
        }
      g_assert_cmpint (window.start, ==, first);
      g_assert_cmpint (cs_timeline_window_get_end (&window), ==, last);
    }
}

static void
test_pan (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  const gint64 first = -1000000, last = 1000000;
  CsTimelineWindow window = { .pixels = 1000 };

  cs_timeline_window_fit (&window, 0, 1000);
  for (guint i = 0; i < 10000; i++)
    {
      double before = get_exact_time (&window, first, 0), by = g_rand_double_range (rand, -3e5, 3e5), expected;

      cs_timeline_window_pan (&window, by, first, last);
      expected = CLAMP (before + by, 0, 2e6 - 1000);
      g_assert_cmpfloat_with_epsilon (get_exact_time (&window, first, 0), expected, 1e-6);
      g_assert_true (window.fraction >= 0 && window.fraction < 1);
      g_assert_cmpfloat_with_epsilon (window.span, 1000, 1e-9);
    }
  /* A recording shorter than any window lies in the middle. */
  cs_timeline_window_clamp (&window, 5, 5);
  g_assert_cmpfloat_with_epsilon (cs_timeline_window_get_x (&window, 5), 500, 1e-9);
  cs_timeline_window_pan (&window, 100, 5, 5);
  g_assert_cmpfloat_with_epsilon (cs_timeline_window_get_x (&window, 5), 500, 1e-9);
}

static GArray *
make_row (GRand *rand, gint64 start)
{
  GArray *spans = g_array_new (FALSE, TRUE, sizeof (CsTimelineSpan));

  for (guint i = (guint) g_rand_int_range (rand, 0, 40); i > 0; i--)
    {
      CsTimelineSpan span = { .address = i };

      span.start = start + g_rand_int_range (rand, 0, 3) * g_rand_int_range (rand, 0, 60);
      span.end = span.start + g_rand_int_range (rand, 0, 3) * g_rand_int_range (rand, 0, 60);
      start = span.end;
      g_array_append_val (spans, span);
    }
  return spans;
}

/* Against looking at every span. */
static void
test_hit_and_snap (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  for (guint round = 0; round < 2000; round++)
    {
      gint64 start = (gint64) g_rand_int (rand) << g_rand_int_range (rand, 0, 30);
      g_autoptr (GArray) row = make_row (rand, start);
      const CsTimelineSpan *spans = (const CsTimelineSpan *) (gconstpointer) row->data;
      CsTimelineWindow window = { .start = start, .span = g_rand_double_range (rand, 10, 4000), .pixels = 500 };

      for (guint i = 0; i < 30; i++)
        {
          double x = g_rand_double_range (rand, -20, 520), grab = g_rand_double_range (rand, 0, 12);
          gint64 time = cs_timeline_window_get_time (&window, x), snapped;
          gsize hit = cs_timeline_window_hit (&window, spans, row->len, x, grab), inside = CS_TIMELINE_NO_SPAN;
          double nearest = INFINITY, nearest_edge = INFINITY;
          gboolean found = cs_timeline_window_snap (&window, spans, row->len, x, grab, &snapped);

          for (guint j = 0; j < row->len; j++)
            {
              double left = cs_timeline_window_get_x (&window, spans[j].start);
              double right = cs_timeline_window_get_x (&window, spans[j].end);
              double distance = MAX (MAX (left - x, x - right), 0);

              if (spans[j].start <= time && time < spans[j].end)
                inside = j;
              if (distance <= (grab - (right - left)) / 2)
                nearest = MIN (nearest, distance);
              nearest_edge = MIN (nearest_edge, MIN (fabs (left - x), fabs (right - x)));
            }
          if (inside != CS_TIMELINE_NO_SPAN || isinf (nearest))
            g_assert_cmpuint (hit, ==, inside);
          else
            {
              double left, right;

              g_assert_cmpuint (hit, <, row->len);
              left = cs_timeline_window_get_x (&window, spans[hit].start);
              right = cs_timeline_window_get_x (&window, spans[hit].end);
              g_assert_cmpfloat_with_epsilon (MAX (MAX (left - x, x - right), 0), nearest, 1e-9);
            }
          g_assert_cmpint (found, ==, nearest_edge <= grab);
          if (found)
            g_assert_cmpfloat_with_epsilon (fabs (cs_timeline_window_get_x (&window, snapped) - x), nearest_edge, 1e-9);
          else
            g_assert_cmpint (snapped, ==, time);
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/rows/places", test_places);
  g_test_add_func ("/layout/rows/folded", test_folded);
  g_test_add_func ("/layout/rows/hit", test_hit_rows);
  g_test_add_func ("/layout/rows/deep", test_deep_rows);
  g_test_add_func ("/layout/window/precision", test_precision);
  g_test_add_func ("/layout/window/zoom", test_zoom);
  g_test_add_func ("/layout/window/pan", test_pan);
  g_test_add_func ("/layout/window/hit-and-snap", test_hit_and_snap);
  return g_test_run ();
}
