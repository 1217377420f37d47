/* SPDX-License-Identifier: MIT */
#pragma once

#include "charts/cs-histogram-chart.h"
#include "charts/cs-overview.h"
#include "test-display.h"

/* A chart in a window, and what it told. */
typedef struct
{
  GtkWidget *window;
  GtkWidget *widget;
  CsRangeChart *chart;
  guint n_changed, n_dragging, n_notified;
} Fixture;

static inline void
count (guint *n)
{
  ++*n;
}

static inline void
iterate (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static inline gboolean
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static inline void
wait_for_ms (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, set_true, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

/* Lets a frame or two be drawn. */
static inline void
draw (void)
{
  wait_for_ms (60);
}

static inline void
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

static inline void
close_window (Fixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  iterate ();
}

static inline void
assert_range (Fixture *fixture, guint64 from, guint64 to)
{
  guint64 property_from, property_to;

  g_object_get (fixture->chart, "range-from", &property_from, "range-to", &property_to, NULL);
  g_assert_cmpuint (property_from, ==, from);
  g_assert_cmpuint (property_to, ==, to);
}

/* GTK's macro takes a literal as a part of a format. */
static inline void
assert_text (GtkWidget *widget, GtkAccessibleProperty property, const char *text)
{
  gtk_test_accessible_assert_property (widget, property, text);
}

static inline void
press_key (Fixture *fixture, guint keyval, GdkModifierType state)
{
  g_assert_true (cs_range_chart_press_key (fixture->chart, keyval, state));
}

static inline void
drag (Fixture *fixture, double from, double to)
{
  cs_range_chart_press (fixture->chart, from);
  cs_range_chart_drag (fixture->chart, (from + to) / 2);
  cs_range_chart_drag (fixture->chart, to);
  cs_range_chart_release (fixture->chart, to, 1);
}

static inline void
add (CsFunction *function, guint64 ns, guint64 n)
{
  cs_histogram_add_many (&function->histogram, ns, n);
  function->min = function->recorded == 0 ? ns : MIN (function->min, ns);
  function->max = MAX (function->max, ns);
  function->recorded += n;
}

/* 345,678 calls, from 4 ns on, with three that took 10 µs. */
static inline GtkWidget *
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
static inline double
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

static inline void
check_cursor (Fixture *fixture, guint64 expected)
{
  guint64 value;

  g_assert_true (cs_range_chart_get_cursor (fixture->chart, &value));
  g_assert_cmpuint (value, ==, expected);
}

/* What is painted, in ARGB; free with cairo_surface_destroy (). */
static inline cairo_surface_t *
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

static inline guint32
get_pixel (cairo_surface_t *surface, int x, int y)
{
  const guint32 *row = (const guint32 *) (gconstpointer) (cairo_image_surface_get_data (surface) +
                                                          (gsize) y * (gsize) cairo_image_surface_get_stride (surface));

  return row[x];
}

/* Alike but for rounding. */
static inline gboolean
is_like (guint32 a, guint32 b)
{
  for (guint shift = 0; shift < 32; shift += 8)
    if (ABS ((int) (a >> shift & 0xff) - (int) (b >> shift & 0xff)) > 4)
      return FALSE;
  return TRUE;
}

/* Whatever there is to show, at any size, nothing is warned of. */
static inline void
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

enum { N_COLUMNS = 200 };

static inline GtkWidget *
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

static inline void
check_near (Fixture *fixture, guint64 from, guint64 to, guint64 tolerance)
{
  guint64 range_from, range_to;

  g_assert_true (cs_range_chart_get_range (fixture->chart, &range_from, &range_to));
  g_assert_cmpuint (range_from - from + tolerance, <=, 2 * tolerance);
  g_assert_cmpuint (range_to - to + tolerance, <=, 2 * tolerance);
}
