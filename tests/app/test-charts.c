/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <adwaita.h>
#include <math.h>

#include "charts/cs-chart-colors.h"
#include "charts/cs-histogram-chart.h"
#include "charts/cs-overview.h"
#include "charts/cs-sparkline.h"
#include "cs-format.h"
#include "profile/cs-timeline-open.h"
#include "test-recording.h"

static gboolean have_display;

#define SKIP_WITHOUT_DISPLAY()                                                                     \
  if (!have_display)                                                                               \
    {                                                                                              \
      g_test_skip ("no display");                                                                  \
      return;                                                                                      \
    }

/* A chart in a window, and what it told. */
typedef struct
{
  GtkWidget *window;
  GtkWidget *widget;
  CsRangeChart *chart;
  guint n_changed, n_dragging, n_notified;
} Fixture;

static void
count (guint *n)
{
  ++*n;
}

static void
iterate (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static gboolean
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_for_ms (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, set_true, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

/* Lets a frame or two be drawn. */
static void
draw (void)
{
  wait_for_ms (60);
}

static void
open_window (Fixture *fixture, GtkWidget *widget, int width, int height)
{
  *fixture = (Fixture){ .window = gtk_window_new (), .widget = widget };
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), width, height);
  gtk_window_set_decorated (GTK_WINDOW (fixture->window), FALSE);
  gtk_window_set_child (GTK_WINDOW (fixture->window), widget);
  if (CS_IS_RANGE_CHART (widget))
    {
      fixture->chart = CS_RANGE_CHART (widget);
      g_signal_connect_swapped (widget, "range-changed", G_CALLBACK (count), &fixture->n_changed);
      g_signal_connect_swapped (widget, "range-dragging", G_CALLBACK (count), &fixture->n_dragging);
      g_signal_connect_swapped (widget, "notify::range-to", G_CALLBACK (count), &fixture->n_notified);
    }
  gtk_window_present (GTK_WINDOW (fixture->window));
  while (gtk_widget_get_width (widget) == 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
close_window (Fixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  iterate ();
}

static void
assert_range (Fixture *fixture, guint64 from, guint64 to)
{
  guint64 property_from, property_to;

  g_object_get (fixture->chart, "range-from", &property_from, "range-to", &property_to, NULL);
  g_assert_cmpuint (property_from, ==, from);
  g_assert_cmpuint (property_to, ==, to);
}

/* GTK's macro takes a literal as a part of a format. */
static void
assert_text (GtkWidget *widget, GtkAccessibleProperty property, const char *text)
{
  gtk_test_accessible_assert_property (widget, property, text);
}

static void
press_key (Fixture *fixture, guint keyval, GdkModifierType state)
{
  g_assert_true (cs_range_chart_press_key (fixture->chart, keyval, state));
}

static void
drag (Fixture *fixture, double from, double to)
{
  cs_range_chart_press (fixture->chart, from);
  cs_range_chart_drag (fixture->chart, (from + to) / 2);
  cs_range_chart_drag (fixture->chart, to);
  cs_range_chart_release (fixture->chart, to, 1);
}

static void
add (CsFunction *function, guint64 ns, guint64 n)
{
  cs_histogram_add_many (&function->histogram, ns, n);
  function->min = function->recorded == 0 ? ns : MIN (function->min, ns);
  function->max = MAX (function->max, ns);
  function->recorded += n;
}

/* 345,678 calls, from 4 ns on, with three that took 10 µs. */
static GtkWidget *
make_histogram (void)
{
  GtkWidget *chart = cs_histogram_chart_new ();
  CsFunction function = { .location.name = "qs_swap" };

  add (&function, 4, 5);
  add (&function, 8, 200000);
  add (&function, 9, 100000);
  add (&function, 14, 45670);
  add (&function, 10000, 3);
  cs_histogram_chart_set_function (CS_HISTOGRAM_CHART (chart), &function);
  cs_histogram_clear (&function.histogram);
  return chart;
}

/* Where a bar's middle is in the widget, or with a side of 0 and 1 its edges. */
static double
get_bar_x (Fixture *fixture, guint64 ns, double side)
{
  const CsHistogramLayout *layout = cs_histogram_chart_get_layout (CS_HISTOGRAM_CHART (fixture->widget));
  const CsHistogramBar *bar = &g_array_index (layout->bars, CsHistogramBar, cs_histogram_layout_find (layout, ns));
  graphene_rect_t plot;
  guint64 first, end;
  double x = bar->x + side * bar->width;

  g_assert_true (CS_RANGE_CHART_GET_CLASS (fixture->chart)->get_axis (fixture->chart, &plot, &first, &end));
  if (gtk_widget_get_direction (fixture->widget) == GTK_TEXT_DIR_RTL)
    x = plot.size.width - x;
  return plot.origin.x + x;
}

static guint64
sum_bars (CsHistogramChart *chart)
{
  const CsHistogramLayout *layout = cs_histogram_chart_get_layout (chart);
  guint64 sum = 0;

  for (guint i = 0; i < layout->bars->len; i++)
    sum += g_array_index (layout->bars, CsHistogramBar, i).calls;
  return sum;
}

static void
test_histogram (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  guint64 from, to;

  open_window (&fixture, make_histogram (), 1200, 200);
  g_assert_cmpuint (sum_bars (CS_HISTOGRAM_CHART (fixture.widget)), ==, 345678);
  cs_histogram_chart_set_log_counts (CS_HISTOGRAM_CHART (fixture.widget), TRUE);
  g_assert_cmpuint (sum_bars (CS_HISTOGRAM_CHART (fixture.widget)), ==, 345678);
  gtk_test_accessible_assert_role (fixture.widget, GTK_ACCESSIBLE_ROLE_IMG);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL,
               "Durations of qs_swap: 345678 calls, shortest 4 ns, half up to 8 ns, "
               "99 % up to 14 ns, longest 10.0 µs");

  /* Dragging over bars selects them whole; it is told at its end. */
  cs_range_chart_press (fixture.chart, get_bar_x (&fixture, 8, 0.5));
  cs_range_chart_drag (fixture.chart, get_bar_x (&fixture, 14, 0.3));
  assert_range (&fixture, 0, 0);
  g_assert_true (cs_range_chart_get_shown_range (fixture.chart, &from, &to));
  g_assert_cmpuint (from, ==, 8);
  g_assert_cmpuint (to, ==, 15);
  g_assert_cmpuint (fixture.n_notified, ==, 0);
  g_assert_cmpuint (fixture.n_dragging, ==, 1);
  cs_range_chart_release (fixture.chart, get_bar_x (&fixture, 14, 0.3), 1);
  assert_range (&fixture, 8, 15);
  g_assert_cmpuint (fixture.n_changed, ==, 1);
  g_assert_cmpuint (fixture.n_notified, ==, 1);
  g_assert_cmpuint (cs_histogram_chart_count (CS_HISTOGRAM_CHART (fixture.widget), 8, 15), ==, 345670);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
               "Selected: 8 ns – 14 ns: 345670 calls (99.9 %)");

  /* An end is dragged, to and fro, and past the other one. */
  drag (&fixture, get_bar_x (&fixture, 8, 0), get_bar_x (&fixture, 9, 0.1));
  assert_range (&fixture, 9, 15);
  drag (&fixture, get_bar_x (&fixture, 14, 1), get_bar_x (&fixture, 4, 0.1));
  assert_range (&fixture, 4, 9);
  g_assert_cmpuint (fixture.n_changed, ==, 3);

  /* A drag that is given up changes nothing. */
  cs_range_chart_press (fixture.chart, get_bar_x (&fixture, 14, 0.5));
  cs_range_chart_drag (fixture.chart, get_bar_x (&fixture, 10000, 0.5));
  press_key (&fixture, GDK_KEY_Escape, 0);
  cs_range_chart_release (fixture.chart, get_bar_x (&fixture, 10000, 0.5), 1);
  assert_range (&fixture, 4, 9);
  g_assert_cmpuint (fixture.n_changed, ==, 3);

  /* A click selects a bar, a double click all, which is no range; dragging beyond the end stays at it. */
  cs_range_chart_press (fixture.chart, get_bar_x (&fixture, 14, 0.5));
  cs_range_chart_release (fixture.chart, get_bar_x (&fixture, 14, 0.5), 1);
  assert_range (&fixture, 14, 15);
  cs_range_chart_press (fixture.chart, get_bar_x (&fixture, 14, 0.5));
  cs_range_chart_release (fixture.chart, get_bar_x (&fixture, 14, 0.5), 2);
  assert_range (&fixture, 0, 0);
  g_assert_cmpuint (fixture.n_changed, ==, 5);
  drag (&fixture, get_bar_x (&fixture, 14, 0.5), 5000);
  g_assert_true (cs_range_chart_get_range (fixture.chart, &from, &to));
  g_assert_cmpuint (from, ==, 14);
  g_assert_cmpuint (to, >, 10000);
  g_assert_cmpuint (cs_histogram_chart_count (CS_HISTOGRAM_CHART (fixture.widget), from, to), ==, 45673);

  /* Set from outside, it isn't told as a change by the person. */
  fixture.n_changed = fixture.n_notified = 0;
  cs_range_chart_set_range (fixture.chart, 7, 9);
  cs_range_chart_set_range (fixture.chart, 7, 9);
  assert_range (&fixture, 7, 9);
  g_assert_cmpuint (fixture.n_changed, ==, 0);
  g_assert_cmpuint (fixture.n_notified, ==, 1);
  close_window (&fixture);
}

static void
check_cursor (Fixture *fixture, guint64 expected)
{
  guint64 value;

  g_assert_true (cs_range_chart_get_cursor (fixture->chart, &value));
  g_assert_cmpuint (value, ==, expected);
}

static void
test_histogram_keys (gconstpointer direction)
{
  SKIP_WITHOUT_DISPLAY ();
  gboolean rtl = GPOINTER_TO_INT (direction) == GTK_TEXT_DIR_RTL;
  guint forward = rtl ? GDK_KEY_Left : GDK_KEY_Right, back = rtl ? GDK_KEY_Right : GDK_KEY_Left;
  Fixture fixture;
  guint64 from, to;

  open_window (&fixture, make_histogram (), 1200, 200);
  gtk_widget_set_direction (fixture.widget, GPOINTER_TO_INT (direction));
  gtk_widget_grab_focus (fixture.widget);
  press_key (&fixture, forward, 0);
  check_cursor (&fixture, 4);
  press_key (&fixture, forward, 0);
  check_cursor (&fixture, 5);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "5 ns: 0 calls (0 %)");
  press_key (&fixture, forward, GDK_CONTROL_MASK);
  check_cursor (&fixture, 8);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
               "8 ns: 200000 calls (57.9 %)");
  press_key (&fixture, back, GDK_CONTROL_MASK);
  check_cursor (&fixture, 4);
  press_key (&fixture, back, 0);
  check_cursor (&fixture, 4);

  press_key (&fixture, GDK_KEY_Home, 0);
  press_key (&fixture, forward, GDK_SHIFT_MASK);
  press_key (&fixture, forward, GDK_SHIFT_MASK);
  assert_range (&fixture, 0, 0); /* while keys are down */
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 4, 7);
  g_assert_cmpuint (fixture.n_changed, ==, 1);
  press_key (&fixture, back, GDK_SHIFT_MASK);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 4, 6);
  /* Moved on without Shift, the cursor begins another one. */
  press_key (&fixture, forward, GDK_CONTROL_MASK);
  press_key (&fixture, forward, GDK_SHIFT_MASK);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 8, 10);
  press_key (&fixture, GDK_KEY_plus, 0);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 7, 11);
  press_key (&fixture, GDK_KEY_minus, 0);
  press_key (&fixture, GDK_KEY_minus, 0);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 8, 10); /* a third bar can't be taken from two */
  press_key (&fixture, GDK_KEY_End, GDK_SHIFT_MASK);
  cs_range_chart_commit (fixture.chart);
  g_assert_true (cs_range_chart_get_range (fixture.chart, &from, &to));
  g_assert_cmpuint (from, ==, 8);
  g_assert_cmpuint (cs_histogram_chart_count (CS_HISTOGRAM_CHART (fixture.widget), from, to), ==, 345673);
  press_key (&fixture, GDK_KEY_minus, 0);
  press_key (&fixture, GDK_KEY_plus, 0);
  cs_range_chart_commit (fixture.chart);
  g_assert_cmpuint (cs_histogram_chart_count (CS_HISTOGRAM_CHART (fixture.widget), from, to), ==, 345673);
  press_key (&fixture, GDK_KEY_Escape, 0);
  assert_range (&fixture, 0, 0);
  g_assert_false (cs_range_chart_press_key (fixture.chart, GDK_KEY_Escape, 0));
  press_key (&fixture, GDK_KEY_Home, 0);
  press_key (&fixture, GDK_KEY_Return, 0);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 4, 5);
  /* Others' keys. */
  g_assert_false (cs_range_chart_press_key (fixture.chart, forward, GDK_ALT_MASK));
  g_assert_false (cs_range_chart_press_key (fixture.chart, GDK_KEY_a, 0));
  g_assert_false (cs_range_chart_press_key (fixture.chart, GDK_KEY_Tab, 0));
  close_window (&fixture);
}

static void
test_histogram_tooltip (void)
{
  SKIP_WITHOUT_DISPLAY ();
  CsFunction function = { .location.name = "f" };
  GtkWidget *chart = cs_histogram_chart_new ();
  g_autofree char *text = NULL, *outliers = NULL;
  Fixture fixture;

  /* A bucket of the histogram is from 1024 to 1055 ns. */
  add (&function, 1030, 3112);
  add (&function, 1500, 342565);
  add (&function, 900, 1);
  add (&function, 3500, 1);
  cs_histogram_chart_set_function (CS_HISTOGRAM_CHART (chart), &function);
  open_window (&fixture, chart, 900, 200);
  text = cs_range_chart_dup_tooltip (fixture.chart, get_bar_x (&fixture, 1030, 0.5), 100);
  g_assert_cmpstr (text, ==, "1.02 µs – 1.05 µs: 3112 calls (0.9 %)");
  g_assert_null (cs_range_chart_dup_tooltip (fixture.chart, -5, 100));
  g_assert_null (cs_range_chart_dup_tooltip (fixture.chart, get_bar_x (&fixture, 1030, 0.5), 1e6));
  /* A bar's ends are not beyond the shortest and the longest call. */
  add (&function, 1000000, 1);
  cs_histogram_chart_set_function (CS_HISTOGRAM_CHART (chart), &function);
  outliers = cs_range_chart_dup_tooltip (fixture.chart, get_bar_x (&fixture, 1000000, 0.5), 100);
  g_assert_true (g_str_has_suffix (outliers, " – 1.00 ms: 1 call (<0.1 %), outliers"));
  cs_histogram_clear (&function.histogram);
  close_window (&fixture);
}

/* What is painted, in ARGB; free with cairo_surface_destroy (). */
static cairo_surface_t *
render (GtkWidget *widget)
{
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, MAX (width, 1), MAX (height, 1));
  cairo_t *cairo = cairo_create (surface);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GskRenderNode *node;

  GTK_WIDGET_GET_CLASS (widget)->snapshot (widget, snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node != NULL)
    {
      gsk_render_node_draw (node, cairo);
      gsk_render_node_unref (node);
    }
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
  return surface;
}

static guint32
get_pixel (cairo_surface_t *surface, int x, int y)
{
  const guint32 *row = (const guint32 *) (gconstpointer) (cairo_image_surface_get_data (surface) +
                                                          (gsize) y * (gsize) cairo_image_surface_get_stride (surface));

  return row[x];
}

/* Alike but for rounding. */
static gboolean
is_like (guint32 a, guint32 b)
{
  for (guint shift = 0; shift < 32; shift += 8)
    if (ABS ((int) (a >> shift & 0xff) - (int) (b >> shift & 0xff)) > 4)
      return FALSE;
  return TRUE;
}

/* Whatever there is to show, at any size, nothing is warned of. */
static void
check_extremes (Fixture *fixture)
{
  static const int sizes[][2] = { { 0, 0 }, { 1, 1 }, { 3, 500 }, { 2000, 10 }, { 400, 150 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      gtk_widget_measure (fixture->widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
      GTK_WIDGET_GET_CLASS (fixture->widget)->size_allocate (fixture->widget, sizes[i][0], sizes[i][1], -1);
      cairo_surface_destroy (render (fixture->widget));
      if (fixture->chart == NULL)
        continue;
      cs_range_chart_press_key (fixture->chart, GDK_KEY_End, 0);
      cs_range_chart_press_key (fixture->chart, GDK_KEY_Home, GDK_SHIFT_MASK);
      cs_range_chart_press_key (fixture->chart, GDK_KEY_plus, 0);
      cs_range_chart_press_key (fixture->chart, GDK_KEY_Right, GDK_CONTROL_MASK);
      cs_range_chart_press_key (fixture->chart, GDK_KEY_Left, GDK_SHIFT_MASK);
      cs_range_chart_press_key (fixture->chart, GDK_KEY_minus, 0);
      cs_range_chart_press_key (fixture->chart, GDK_KEY_Return, 0);
      drag (fixture, 0, 100);
      cairo_surface_destroy (render (fixture->widget));
      drag (fixture, 1e9, -1e9);
      drag (fixture, 50, 60);
      g_free (cs_range_chart_dup_tooltip (fixture->chart, 1, 20));
      cs_range_chart_press_key (fixture->chart, GDK_KEY_Escape, 0);
      assert_range (fixture, 0, 0);
    }
  draw ();
}

static void
test_histogram_extremes (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const guint64 durations[] = { 0, 1, 12345, G_MAXUINT64 };
  CsFunction all = { .location.name = "<b>\xff&" };
  Fixture fixture;

  open_window (&fixture, cs_histogram_chart_new (), 300, 200);
  check_extremes (&fixture);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL, "Durations of calls");
  cs_histogram_chart_set_function (CS_HISTOGRAM_CHART (fixture.widget), &all);
  check_extremes (&fixture);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL,
               "Durations of calls: no call has ended");
  g_assert_false (cs_range_chart_press_key (fixture.chart, GDK_KEY_Right, 0));
  for (guint i = 0; i < G_N_ELEMENTS (durations); i++)
    {
      CsFunction function = { 0 };

      add (&function, durations[i], 1);
      add (&all, durations[i], G_GUINT64_CONSTANT (1) << 61);
      cs_histogram_chart_set_function (CS_HISTOGRAM_CHART (fixture.widget), &function);
      g_assert_cmpuint (sum_bars (CS_HISTOGRAM_CHART (fixture.widget)), ==, 1);
      check_extremes (&fixture);
      press_key (&fixture, GDK_KEY_Home, 0);
      press_key (&fixture, GDK_KEY_End, GDK_SHIFT_MASK);
      cs_range_chart_commit (fixture.chart);
      check_extremes (&fixture);
      cs_histogram_clear (&function.histogram);
    }
  cs_histogram_chart_set_function (CS_HISTOGRAM_CHART (fixture.widget), &all);
  g_assert_cmpuint (sum_bars (CS_HISTOGRAM_CHART (fixture.widget)), ==, G_GUINT64_CONSTANT (1) << 63);
  check_extremes (&fixture);
  cs_histogram_clear (&all.histogram);
  close_window (&fixture);
}

enum { N_COLUMNS = 200 };

static GtkWidget *
make_overview (guint n_tracks)
{
  GtkWidget *overview = cs_overview_new ();
  g_autofree guint64 *events = g_new0 (guint64, N_COLUMNS * n_tracks);

  for (guint i = 0; i < n_tracks; i++)
    for (guint j = 0; j < N_COLUMNS; j++)
      events[i * N_COLUMNS + j] = j / 2 + 10 * i;
  cs_overview_set_density (CS_OVERVIEW (overview), 1000000, events, N_COLUMNS, n_tracks);
  return overview;
}

static void
check_near (Fixture *fixture, guint64 from, guint64 to, guint64 tolerance)
{
  guint64 range_from, range_to;

  g_assert_true (cs_range_chart_get_range (fixture->chart, &range_from, &range_to));
  g_assert_cmpuint (range_from - from + tolerance, <=, 2 * tolerance);
  g_assert_cmpuint (range_to - to + tolerance, <=, 2 * tolerance);
}

static void
test_overview (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;
  guint64 from, to, from2, to2;

  /* 500 px for a ms: 2 µs a pixel. */
  open_window (&fixture, make_overview (1), 500, 60);
  g_assert_cmpint (gtk_widget_get_width (fixture.widget), ==, 500);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL,
               "Activity over time: 9900 events in 1 ms on 1 thread");
  drag (&fixture, 100, 200);
  check_near (&fixture, 200000, 400000, 1000);
  g_assert_cmpuint (fixture.n_changed, ==, 1);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
               "Selected: 200 µs – 400 µs (200 µs)");
  cs_range_chart_get_range (fixture.chart, &from, &to);
  drag (&fixture, 150, 250); /* all of it */
  cs_range_chart_get_range (fixture.chart, &from2, &to2);
  g_assert_cmpuint (to2 - from2, ==, to - from);
  check_near (&fixture, 400000, 600000, 1000);
  drag (&fixture, 250, 2000);
  check_near (&fixture, 800000, 1000000, 1000);
  drag (&fixture, 400, 350); /* an end */
  check_near (&fixture, 700000, 1000000, 1000);
  g_assert_cmpuint (fixture.n_changed, ==, 4);
  cs_range_chart_press (fixture.chart, 400); /* a click within it is none */
  cs_range_chart_release (fixture.chart, 401, 1);
  check_near (&fixture, 700000, 1000000, 1000);
  g_assert_cmpuint (fixture.n_changed, ==, 4);
  cs_range_chart_press (fixture.chart, 100); /* one beside it clears it */
  cs_range_chart_release (fixture.chart, 101, 1);
  assert_range (&fixture, 0, 0);
  g_assert_cmpuint (fixture.n_changed, ==, 5);
  drag (&fixture, 100, -100);
  check_near (&fixture, 0, 200000, 1000);
  cs_range_chart_press (fixture.chart, 50);
  cs_range_chart_release (fixture.chart, 50, 2);
  assert_range (&fixture, 0, 0);
  /* One that was set for more than there is reaches to the end, which can be dragged. */
  cs_range_chart_set_range (fixture.chart, 500000, G_MAXUINT64);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
               "200 µs – 205 µs: 20 events\nSelected: 500 µs – 1 ms (500 µs)");
  cairo_surface_destroy (render (fixture.widget));
  drag (&fixture, 499, 400);
  check_near (&fixture, 500000, 800000, 2000);
  close_window (&fixture);
}

static void
test_overview_keys (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture;

  open_window (&fixture, make_overview (3), 500, 100);
  cs_overview_add_notice (CS_OVERVIEW (fixture.widget), 730000, "The budget was reached");
  cs_overview_add_notice (CS_OVERVIEW (fixture.widget), 250000, "Events were lost");
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL,
               "Activity over time: 35700 events in 1 ms on 3 threads, 2 notices");
  press_key (&fixture, GDK_KEY_Right, 0);
  check_cursor (&fixture, 0);
  press_key (&fixture, GDK_KEY_Right, 0);
  check_cursor (&fixture, 10000);
  press_key (&fixture, GDK_KEY_Right, GDK_CONTROL_MASK);
  check_cursor (&fixture, 250000);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
               "250 µs – 255 µs: 105 events\nEvents were lost");
  press_key (&fixture, GDK_KEY_Right, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 250000, 730000);
  press_key (&fixture, GDK_KEY_plus, 0);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 240000, 740000);
  press_key (&fixture, GDK_KEY_minus, 0);
  press_key (&fixture, GDK_KEY_minus, 0);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 260000, 720000);
  press_key (&fixture, GDK_KEY_End, 0);
  check_cursor (&fixture, 1000000);
  press_key (&fixture, GDK_KEY_Left, GDK_SHIFT_MASK);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 990000, 1000000);
  press_key (&fixture, GDK_KEY_Home, GDK_SHIFT_MASK);
  cs_range_chart_commit (fixture.chart);
  assert_range (&fixture, 0, 1000000);
  press_key (&fixture, GDK_KEY_Escape, 0);
  assert_range (&fixture, 0, 0);
  cs_overview_clear_notices (CS_OVERVIEW (fixture.widget));
  close_window (&fixture);
}

/* Rows are there where there is height, and their tooltips tell whose they are. */
static void
test_overview_rows (void)
{
  SKIP_WITHOUT_DISPLAY ();
  const CsDensity *density;
  Fixture fixture;
  g_autofree char *first = NULL, *rest = NULL, *all = NULL;
  int minimum, natural;

  open_window (&fixture, make_overview (30), 500, 120);
  density = cs_overview_get_density (CS_OVERVIEW (fixture.widget));
  g_assert_cmpuint (density->n_rows, ==, 12);
  g_assert_cmpuint (density->n_rest, ==, 19);
  g_assert_cmpuint (density->n_columns, ==, N_COLUMNS);
  all = cs_range_chart_dup_tooltip (fixture.chart, 1, 30);
  rest = cs_range_chart_dup_tooltip (fixture.chart, 1, 118);
  first = cs_range_chart_dup_tooltip (fixture.chart, 1, 120 - 12 * 5 + 2);
  g_assert_cmpstr (all, ==, "0 ns – 5 µs: 4350 events");
  g_assert_cmpstr (first, ==, "Thread 20\n0 ns – 5 µs: 190 events");
  g_assert_cmpstr (rest, ==, "19 other threads\n0 ns – 5 µs: 1710 events");
  gtk_widget_measure (fixture.widget, GTK_ORIENTATION_VERTICAL, -1, &minimum, &natural, NULL, NULL);
  GTK_WIDGET_GET_CLASS (fixture.widget)->size_allocate (fixture.widget, 500, minimum, -1);
  g_assert_cmpint (natural, >, minimum);
  close_window (&fixture);
}

static void
test_overview_extremes (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const guint64 spans[] = { 1, 2, 99, G_MAXINT64, G_MAXUINT64 };
  static const guint64 events[] = { 0, G_MAXUINT64 / 4, 1, 0, 0, 0 };
  Fixture fixture;

  open_window (&fixture, cs_overview_new (), 300, 60);
  check_extremes (&fixture);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL,
               "Activity over time");
  cs_overview_set_message (CS_OVERVIEW (fixture.widget), "Nothing is <open>");
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL,
               "Activity over time: Nothing is <open>");
  for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      cs_overview_set_density (CS_OVERVIEW (fixture.widget), spans[i], events, 3, 2);
      cs_overview_add_notice (CS_OVERVIEW (fixture.widget), 0, "at the start");
      cs_overview_add_notice (CS_OVERVIEW (fixture.widget), G_MAXUINT64, "\xff");
      check_extremes (&fixture);
    }
  cs_overview_set_density (CS_OVERVIEW (fixture.widget), 1000, events, 1, 1); /* no event */
  check_extremes (&fixture);
  cs_overview_set_density (CS_OVERVIEW (fixture.widget), 0, NULL, 0, 0);
  cs_overview_set_timeline (CS_OVERVIEW (fixture.widget), NULL);
  check_extremes (&fixture);
  close_window (&fixture);
}

/* The index of a recording of a thread with n calls of 3 ns, 10 ns apart; its folder is to be removed. */
static CsTimeline *
open_timeline (guint n, char **folder)
{
  GByteArray *bytes = test_recording_new ();
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (GError) error = NULL;
  CsTimeline *timeline;

  for (guint i = 0; i < 2 * n; i++)
    test_recording_add (bytes, 5000 + 10 * (i / 2) + (i % 2 ? 3 : 0), 0x2000, i % 2);
  *folder = test_recording_write (bytes);
  recording = cs_recording_open ((const char *const[]){ *folder, NULL }, NULL, &error);
  g_assert_no_error (error);
  timeline = cs_timeline_open (recording, symbolizer, NULL, NULL, &error);
  g_assert_no_error (error);
  return timeline;
}

static void
wait_for_density (CsOverview *overview)
{
  while (cs_overview_is_reading (overview))
    g_main_context_iteration (NULL, TRUE);
}

static guint64
sum_columns (CsOverview *overview)
{
  const CsDensity *density = cs_overview_get_density (overview);
  guint64 sum = 0;

  for (guint i = 0; i < density->n_columns; i++)
    sum += density->total[i];
  return sum;
}

static void
test_overview_timeline (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *large_folder = NULL, *small_folder = NULL;
  g_autoptr (CsTimeline) large = open_timeline (100000, &large_folder);
  g_autoptr (CsTimeline) small = open_timeline (7, &small_folder);
  g_autofree char *text = NULL;
  CsOverview *overview;
  Fixture fixture;

  open_window (&fixture, cs_overview_new (), 500, 60);
  overview = CS_OVERVIEW (fixture.widget);
  cs_overview_set_timeline (overview, large);
  g_assert_true (cs_overview_is_reading (overview));
  g_assert_cmpuint (cs_overview_get_span (overview), ==, 10 * 99999 + 3 + 1);
  g_assert_cmpint (cs_overview_get_start (overview), ==, cs_timeline_get_track_info (large, 0)->first);
  wait_for_density (overview);
  g_assert_cmpuint (sum_columns (overview), ==, 200000);
  g_assert_cmpuint (cs_overview_get_density (overview)->n_columns, ==, 250);
  text = cs_range_chart_dup_tooltip (fixture.chart, 250, 30);
  g_assert_nonnull (strstr (text, " events"));

  /* Another width has other columns; the old ones are painted until these are there. */
  GTK_WIDGET_GET_CLASS (fixture.widget)->size_allocate (fixture.widget, 500, 60, -1);
  g_assert_false (cs_overview_is_reading (overview));
  gtk_widget_set_margin_end (fixture.widget, 200);
  while (gtk_widget_get_width (fixture.widget) == 500)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (cs_overview_get_density (overview));
  wait_for_density (overview);
  g_assert_cmpuint (sum_columns (overview), ==, 200000);
  g_assert_cmpuint (cs_overview_get_density (overview)->n_columns, ==, 150);

  /* What is superseded while it is read never shows. */
  cs_overview_set_timeline (overview, small);
  cs_overview_set_timeline (overview, large);
  cs_overview_set_timeline (overview, small);
  wait_for_density (overview);
  draw ();
  g_assert_cmpuint (sum_columns (overview), ==, 14);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_LABEL, "Activity over time: 14 events in 64 ns on 1 thread");
  cs_overview_set_timeline (overview, large);
  cs_overview_set_timeline (overview, NULL);
  draw ();
  g_assert_null (cs_overview_get_density (overview));
  cs_overview_set_timeline (overview, large);
  close_window (&fixture); /* while it is read */
  draw ();
  test_recording_remove (large_folder);
  test_recording_remove (small_folder);
}

/* Right to left, the strip is what it is from left to right, mirrored. */
static void
test_mirrored (void)
{
  SKIP_WITHOUT_DISPLAY ();
  cairo_surface_t *ltr, *rtl;
  Fixture fixture;
  guint n = 0, first;

  open_window (&fixture, make_overview (3), 400, 90);
  cs_overview_add_notice (CS_OVERVIEW (fixture.widget), 300000, "here");
  ltr = render (fixture.widget);
  gtk_widget_set_direction (fixture.widget, GTK_TEXT_DIR_RTL);
  iterate ();
  rtl = render (fixture.widget);
  for (int y = 40; y < 85; y++) /* but for the round corners */
    for (int x = 0; x < 400; x++)
      {
        g_assert_true (is_like (get_pixel (ltr, x, y), get_pixel (rtl, 399 - x, y)));
        n += !is_like (get_pixel (ltr, x, y), get_pixel (ltr, 399 - x, y));
      }
  g_assert_cmpuint (n, >, 1000);
  cairo_surface_destroy (ltr);
  cairo_surface_destroy (rtl);

  /* What is at the right is the beginning. */
  drag (&fixture, 399, 300);
  check_near (&fixture, 0, 250000, 3000);
  press_key (&fixture, GDK_KEY_Home, 0);
  press_key (&fixture, GDK_KEY_Left, 0);
  check_cursor (&fixture, 10000);
  close_window (&fixture);

  open_window (&fixture, make_histogram (), 1200, 200);
  gtk_widget_set_direction (fixture.widget, GTK_TEXT_DIR_RTL);
  iterate ();
  drag (&fixture, get_bar_x (&fixture, 8, 0.5), get_bar_x (&fixture, 14, 0.5));
  assert_range (&fixture, 8, 15);
  first = (guint) get_bar_x (&fixture, 4, 0.5);
  g_assert_cmpuint (first, >, get_bar_x (&fixture, 8, 0.5));
  close_window (&fixture);
}

static void
test_sparkline (void)
{
  SKIP_WITHOUT_DISPLAY ();
  GtkWidget *widget = cs_sparkline_new (60, "events/s");
  CsSparkline *line = CS_SPARKLINE (widget);
  Fixture fixture;

  open_window (&fixture, widget, 300, 60);
  gtk_test_accessible_assert_role (widget, GTK_ACCESSIBLE_ROLE_METER);
  assert_text (widget, GTK_ACCESSIBLE_PROPERTY_LABEL, "events/s");
  assert_text (widget, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "Nothing measured yet");
  check_extremes (&fixture);
  cs_sparkline_push (line, 2130000);
  assert_text (widget, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "2.13 M events/s, peak 2.13 M");
  check_extremes (&fixture);
  for (guint i = 0; i < 59; i++)
    cs_sparkline_push (line, 358);
  g_assert_cmpfloat_with_epsilon (cs_sparkline_get_peak (line), 2130000, 1e-6);
  assert_text (widget, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "358 events/s, peak 2.13 M");
  gtk_test_accessible_assert_property (widget, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, 358.0);
  gtk_test_accessible_assert_property (widget, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, 2130000.0);
  cs_sparkline_push (line, 400); /* the first one is over a minute old */
  g_assert_cmpuint (cs_sparkline_get_n_values (line), ==, 60);
  g_assert_cmpfloat_with_epsilon (cs_sparkline_get_peak (line), 400, 1e-6);
  cs_sparkline_push (line, NAN);
  cs_sparkline_push (line, INFINITY);
  cs_sparkline_push (line, -5);
  g_assert_cmpfloat_with_epsilon (cs_sparkline_get_value (line), 0, 1e-6);
  g_assert_cmpfloat_with_epsilon (cs_sparkline_get_peak (line), 400, 1e-6);
  check_extremes (&fixture);
  cs_sparkline_push (line, G_MAXDOUBLE);
  check_extremes (&fixture);
  cs_sparkline_clear (line);
  assert_text (widget, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "Nothing measured yet");
  check_extremes (&fixture);
  close_window (&fixture);

  open_window (&fixture, cs_sparkline_new (1, "x"), 300, 60);
  cs_sparkline_push (CS_SPARKLINE (fixture.widget), 1);
  check_extremes (&fixture);
  close_window (&fixture);
}

static void
test_format (void)
{
  static const struct { guint64 number; const char *text; } counts[] = {
    { 0, "0" }, { 999, "999" }, { 1000, "1 k" }, { 1234, "1.23 k" }, { 999499, "999 k" }, { 999501, "1 M" },
    { 41203118, "41.2 M" }, { 999999999, "1 G" }, { G_MAXUINT64, "18.4 E" },
  };
  static const struct { guint64 part, whole; const char *text; } shares[] = {
    { 0, 0, "0 %" }, { 0, 5, "0 %" }, { 5, 5, "100 %" }, { 1, 100000, "<0.1 %" }, { 99999, 100000, "99.9 %" },
    { 9, 1000, "0.9 %" }, { G_MAXUINT64 / 2, G_MAXUINT64, "50.0 %" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autofree char *text = cs_format_count_short (counts[i].number);

      g_assert_cmpstr (text, ==, counts[i].text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      g_autofree char *text = cs_format_share (shares[i].part, shares[i].whole);

      g_assert_cmpstr (text, ==, shares[i].text);
    }
}

static double
get_linear (double channel)
{
  return channel <= 0.04045 ? channel / 12.92 : pow ((channel + 0.055) / 1.055, 2.4);
}

/* WCAG 2.1. */
static double
get_luminance (const GdkRGBA *color)
{
  return 0.2126 * get_linear (color->red) + 0.7152 * get_linear (color->green) + 0.0722 * get_linear (color->blue);
}

static GdkRGBA
blend (const GdkRGBA *color, const GdkRGBA *below)
{
  float alpha = color->alpha;

  return (GdkRGBA){ color->red * alpha + below->red * (1 - alpha), color->green * alpha + below->green * (1 - alpha),
                    color->blue * alpha + below->blue * (1 - alpha), 1 };
}

static double
get_contrast (const GdkRGBA *color, const GdkRGBA *below)
{
  GdkRGBA blended = blend (color, below);
  double x = get_luminance (&blended), y = get_luminance (below);

  return (MAX (x, y) + 0.05) / (MIN (x, y) + 0.05);
}

/* CIELAB of a colour as it is seen without one kind of cones; 0: with all. The matrices are those of Machado,
 * Oliveira and Fernandes, 2009, at full severity. */
static void
get_lab (const GdkRGBA *color, guint vision, double lab[3])
{
  static const double matrices[4][3][3] = {
    { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 }, { -0.003882, -0.048116, 1.051998 } },
    { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 }, { -0.011820, 0.042940, 0.968881 } },
    { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 }, { 0.004733, 0.691367, 0.303900 } },
  };
  static const double to_xyz[3][3] = { { 0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505 },
                                       { 0.2126, 0.7152, 0.0722 },
                                       { 0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089 } };
  double linear[3] = { get_linear (color->red), get_linear (color->green), get_linear (color->blue) };
  double seen[3], f[3];

  for (guint i = 0; i < 3; i++)
    {
      const double *row = matrices[vision][i];

      seen[i] = CLAMP (row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2], 0, 1);
    }
  for (guint i = 0; i < 3; i++)
    {
      double t = to_xyz[i][0] * seen[0] + to_xyz[i][1] * seen[1] + to_xyz[i][2] * seen[2];

      f[i] = t > 0.008856 ? cbrt (t) : 7.787 * t + 16.0 / 116;
    }
  lab[0] = 116 * f[1] - 16;
  lab[1] = 500 * (f[0] - f[1]);
  lab[2] = 200 * (f[1] - f[2]);
}

static void
test_function_colors (void)
{
  CsChartColors colors;

  for (guint dark = 0; dark < 2; dark++)
    {
      cs_chart_colors_set_style (&colors, dark, FALSE);
      for (guint i = 0; i < CS_CHART_N_FUNCTION_COLORS; i++)
        {
          g_assert_cmpfloat (get_contrast (&colors.function_label, &colors.functions[i]), >=, 4.5);
          for (guint j = 0; j < i; j++)
            for (guint vision = 0; vision < 4; vision++)
              {
                double a[3], b[3];

                get_lab (&colors.functions[i], vision, a);
                get_lab (&colors.functions[j], vision, b);
                g_assert_cmpfloat (hypot (hypot (a[0] - b[0], a[1] - b[1]), a[2] - b[2]), >=, 10);
              }
        }
      /* The same name, the same colour; and names use all of them. */
      g_assert_true (cs_chart_colors_get_function (&colors, "qs_swap") ==
                     cs_chart_colors_get_function (&colors, "qs_swap"));
      for (guint i = 0; i < CS_CHART_N_FUNCTION_COLORS; i++)
        {
          gboolean found = FALSE;

          for (guint j = 0; j < 1000 && !found; j++)
            {
              g_autofree char *name = g_strdup_printf ("function_%u", j);

              found = cs_chart_colors_get_function (&colors, name) == &colors.functions[i];
            }
          g_assert_true (found);
        }
    }
}

/* Text has 4.5:1 and what is drawn 3:1, in both styles; and the switch between them is followed at once. */
static void
test_style (void)
{
  SKIP_WITHOUT_DISPLAY ();
  AdwStyleManager *manager = adw_style_manager_get_default ();
  cairo_surface_t *surfaces[2];
  Fixture fixture;
  guint n = 0;

  open_window (&fixture, make_histogram (), 300, 200);
  for (guint dark = 0; dark < 2; dark++)
    {
      static const CsChartColor drawn[] = { CS_CHART_BAR, CS_CHART_OUTLIER, CS_CHART_NOTICE, CS_CHART_HANDLE };
      const GdkRGBA *background;
      CsChartColors colors;

      adw_style_manager_set_color_scheme (manager, dark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT);
      iterate ();
      cs_chart_colors_load (&colors, fixture.widget);
      g_assert_true (colors.dark == (gboolean) dark);
      background = &colors.colors[CS_CHART_BACKGROUND];
      g_assert_cmpfloat (get_contrast (&colors.colors[CS_CHART_TEXT], background), >=, 7);
      g_assert_cmpfloat (get_contrast (&colors.colors[CS_CHART_DIM_TEXT], background), >=, 4.5);
      for (guint i = 0; i < G_N_ELEMENTS (drawn); i++)
        g_assert_cmpfloat (get_contrast (&colors.colors[drawn[i]], background), >=, 3);
      surfaces[dark] = render (fixture.widget);
    }
  for (int y = 0; y < 200; y++)
    for (int x = 0; x < 300; x++)
      n += get_pixel (surfaces[0], x, y) != get_pixel (surfaces[1], x, y);
  g_assert_cmpuint (n, >, 500);
  cairo_surface_destroy (surfaces[0]);
  cairo_surface_destroy (surfaces[1]);
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_DEFAULT);
  close_window (&fixture);
}

/* Twice as large text: still nothing over something else, and the widget asks for the room. */
static void
test_big_text (void)
{
  SKIP_WITHOUT_DISPLAY ();
  GtkSettings *settings = gtk_settings_get_default ();
  Fixture fixture;
  int small, big, dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  open_window (&fixture, make_histogram (), 300, 300);
  gtk_widget_measure (fixture.widget, GTK_ORIENTATION_VERTICAL, -1, &small, NULL, NULL, NULL);
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  draw ();
  gtk_widget_measure (fixture.widget, GTK_ORIENTATION_VERTICAL, -1, &big, NULL, NULL, NULL);
  g_assert_cmpint (big, >, small + 10);
  check_extremes (&fixture);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  close_window (&fixture);
}

static void
run_xdotool (const char *arguments)
{
  g_autofree char *command = g_strdup_printf ("xdotool %s", arguments);
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_command_line_sync (command, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  draw ();
}

/* The pointer and keys themselves, from the display. */
static void
test_events (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *tool = g_find_program_in_path ("xdotool"), *command = NULL, *command_twice = NULL;
  GtkSettings *settings = gtk_settings_get_default ();
  guint64 value;
  Fixture fixture;
  int ms;

  if (tool == NULL)
    {
      g_test_skip ("no xdotool");
      return;
    }
  open_window (&fixture, make_overview (1), 500, 60);
  draw ();
  run_xdotool ("mousemove 100 40 mousedown 1");
  run_xdotool ("mousemove 150 40");
  run_xdotool ("mousemove 200 40");
  g_assert_cmpuint (fixture.n_changed, ==, 0);
  run_xdotool ("mouseup 1");
  check_near (&fixture, 200000, 400000, 5000);
  g_assert_cmpuint (fixture.n_changed, ==, 1);
  g_assert_true (gtk_widget_has_focus (fixture.widget));
  run_xdotool ("mousemove 200 40 mousedown 1");
  run_xdotool ("mousemove 300 40");
  run_xdotool ("mouseup 1");
  check_near (&fixture, 200000, 600000, 8000);
  run_xdotool ("key Escape");
  assert_range (&fixture, 0, 0);
  run_xdotool ("key Home");
  run_xdotool ("key shift+Right");
  g_assert_true (cs_range_chart_get_cursor (fixture.chart, &value));
  g_assert_cmpuint (value, ==, 10000);
  assert_range (&fixture, 0, 10000);
  close_window (&fixture);

  /* A click selects a bar, and a double click doesn't do so twice. */
  open_window (&fixture, make_histogram (), 1200, 200);
  draw ();
  g_object_get (settings, "gtk-double-click-time", &ms, NULL);
  g_object_set (settings, "gtk-double-click-time", 50, NULL);
  command = g_strdup_printf ("mousemove %.0f 150 click 1", get_bar_x (&fixture, 8, 0.5));
  run_xdotool (command);
  assert_range (&fixture, 8, 9);
  wait_for_ms (150); /* a click shortly before, elsewhere, would make GTK count anew */
  g_object_set (settings, "gtk-double-click-time", 20000, NULL); /* however busy the machine is */
  command_twice = g_strdup_printf ("mousemove %.0f 150 click --repeat 2 --delay 30 1", get_bar_x (&fixture, 14, 0.5));
  run_xdotool (command_twice);
  draw ();
  assert_range (&fixture, 0, 0);
  g_object_set (settings, "gtk-double-click-time", ms, NULL);
  close_window (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  have_display = gtk_init_check ();
  if (have_display)
    adw_init ();

  g_test_add_func ("/charts/format", test_format);
  g_test_add_func ("/charts/function-colors", test_function_colors);
  g_test_add_func ("/charts/histogram", test_histogram);
  g_test_add_data_func ("/charts/histogram-keys/ltr", GINT_TO_POINTER (GTK_TEXT_DIR_LTR), test_histogram_keys);
  g_test_add_data_func ("/charts/histogram-keys/rtl", GINT_TO_POINTER (GTK_TEXT_DIR_RTL), test_histogram_keys);
  g_test_add_func ("/charts/histogram-tooltip", test_histogram_tooltip);
  g_test_add_func ("/charts/histogram-extremes", test_histogram_extremes);
  g_test_add_func ("/charts/overview", test_overview);
  g_test_add_func ("/charts/overview-keys", test_overview_keys);
  g_test_add_func ("/charts/overview-rows", test_overview_rows);
  g_test_add_func ("/charts/overview-extremes", test_overview_extremes);
  g_test_add_func ("/charts/overview-timeline", test_overview_timeline);
  g_test_add_func ("/charts/mirrored", test_mirrored);
  g_test_add_func ("/charts/sparkline", test_sparkline);
  g_test_add_func ("/charts/style", test_style);
  g_test_add_func ("/charts/big-text", test_big_text);
  g_test_add_func ("/charts/events", test_events);
  return g_test_run ();
}
