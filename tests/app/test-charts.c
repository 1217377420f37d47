/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "charts-fixture.h"
#include "charts/cs-chart-colors.h"
#include "charts/cs-sparkline.h"
#include "shared/cs-format.h"

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
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "5 ns: 0 calls (0 %); <0.1 % took at most so long");
  press_key (&fixture, forward, GDK_CONTROL_MASK);
  check_cursor (&fixture, 8);
  assert_text (fixture.widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
               "8 ns: 200000 calls (57.9 %); 57.9 % took at most so long");
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

/* Each bar knows the calls of all up to it. */
static void
check_cumulative (CsHistogramChart *chart)
{
  const CsHistogramLayout *layout = cs_histogram_chart_get_layout (chart);
  guint64 sum = 0;

  for (guint i = 0; i < layout->bars->len; i++)
    {
      const CsHistogramBar *bar = &g_array_index (layout->bars, CsHistogramBar, i);

      sum += bar->calls;
      g_assert_cmpuint (bar->up_to, ==, sum);
    }
  g_assert_cmpuint (sum, ==, layout->calls);
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
  g_assert_cmpstr (text, ==, "1.02 µs – 1.05 µs: 3112 calls (0.9 %); 0.9 % took at most so long");
  check_cumulative (CS_HISTOGRAM_CHART (chart));
  g_assert_null (cs_range_chart_dup_tooltip (fixture.chart, -5, 100));
  g_assert_null (cs_range_chart_dup_tooltip (fixture.chart, get_bar_x (&fixture, 1030, 0.5), 1e6));
  /* A bar's ends are not beyond the shortest and the longest call. */
  add (&function, 1000000, 1);
  cs_histogram_chart_set_function (CS_HISTOGRAM_CHART (chart), &function);
  outliers = cs_range_chart_dup_tooltip (fixture.chart, get_bar_x (&fixture, 1000000, 0.5), 100);
  g_assert_true (g_str_has_suffix (outliers, " – 1.00 ms: 1 call (<0.1 %), outliers; 100 % took at most so long"));
  check_cumulative (CS_HISTOGRAM_CHART (chart));
  cs_histogram_clear (&function.histogram);
  close_window (&fixture);
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

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);

  g_test_add_func ("/charts/format", test_format);
  g_test_add_func ("/charts/function-colors", test_function_colors);
  g_test_add_func ("/charts/histogram", test_histogram);
  g_test_add_data_func ("/charts/histogram-keys/ltr", GINT_TO_POINTER (GTK_TEXT_DIR_LTR), test_histogram_keys);
  g_test_add_data_func ("/charts/histogram-keys/rtl", GINT_TO_POINTER (GTK_TEXT_DIR_RTL), test_histogram_keys);
  g_test_add_func ("/charts/histogram-tooltip", test_histogram_tooltip);
  g_test_add_func ("/charts/histogram-extremes", test_histogram_extremes);
  g_test_add_func ("/charts/sparkline", test_sparkline);
  g_test_add_func ("/charts/style", test_style);
  g_test_add_func ("/charts/big-text", test_big_text);
  return g_test_run ();
}
