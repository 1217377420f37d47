/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <adwaita.h>
#include <math.h>
#include <stdlib.h>

#include "charts/cs-histogram-chart.h"
#include "charts/cs-overview.h"
#include "charts/cs-sparkline.h"
#include "flame-fixture.h"

/* Shows the charts with made-up data, to be looked at: charts-demo [flame] [rtl] [dark]
 * [contrast] [big]; flame: flame graphs, else the others. With measure it prints how
 * long it takes to record and to draw each with cairo. */

static guint64 state = 88172645463325252u;

static guint64
next (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static double
uniform (void)
{
  return (double) (next () >> 11) / 0x1p53;
}

static void
add (CsFunction *function, double ns)
{
  guint64 duration = (guint64) MAX (ns, 0);

  cs_histogram_add (&function->histogram, duration);
  function->min = function->recorded == 0 ? duration : MIN (function->min, duration);
  function->max = MAX (function->max, duration);
  function->recorded++;
}

static GtkWidget *
make_histogram (guint n, double median, double spread, guint n_outliers, double outlier, gboolean log_counts)
{
  GtkWidget *chart = cs_histogram_chart_new ();
  CsFunction function = { .location.name = "qs_swap" };

  for (guint i = 0; i < n; i++)
    add (&function, median * exp (spread * (uniform () + uniform () + uniform () + uniform () - 2)));
  for (guint i = 0; i < n_outliers; i++)
    add (&function, outlier * exp (uniform ()));
  cs_histogram_chart_set_function (CS_HISTOGRAM_CHART (chart), &function);
  cs_histogram_chart_set_log_counts (CS_HISTOGRAM_CHART (chart), log_counts);
  cs_histogram_clear (&function.histogram);
  return chart;
}

static GtkWidget *
make_overview (guint n_tracks)
{
  enum { N = 2000 };
  GtkWidget *overview = cs_overview_new ();
  g_autofree guint64 *events = g_new0 (guint64, N * n_tracks);

  for (guint i = 0; i < n_tracks; i++)
    for (guint j = 0; j < N; j++)
      {
        double wave = sin (j / 90.0 + i) * sin (j / 310.0 + i * 0.7);

        events[i * N + j] = wave > 0 ? (guint64) (1000 * wave * (0.7 + 0.3 * uniform ())) : 0;
      }
  cs_overview_set_density (CS_OVERVIEW (overview), G_GUINT64_CONSTANT (8400000000), events, N, n_tracks);
  cs_overview_add_notice (CS_OVERVIEW (overview), G_GUINT64_CONSTANT (6740000000),
                          "The 512 MB budget was reached; what came later is missing.");
  return overview;
}

static void
put (GtkWidget *box, const char *title, GtkWidget *chart, int height)
{
  GtkWidget *label = gtk_label_new (title);

  gtk_widget_add_css_class (label, "heading");
  gtk_widget_set_halign (label, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), label);
  if (height > 0)
    gtk_widget_set_size_request (chart, -1, height);
  gtk_box_append (GTK_BOX (box), chart);
}

static GtkWidget *
make_histograms (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *chart = make_histogram (358383, 8, 1.2, 300, 5000, FALSE);

  put (box, "358,683 calls by duration", chart, 0);
  gtk_widget_grab_focus (chart);
  put (box, "logarithms of counts", make_histogram (358383, 8, 1.2, 300, 5000, TRUE), 0);
  chart = make_histogram (20000, 1500, 0.7, 0, 0, FALSE);
  cs_range_chart_set_range (CS_RANGE_CHART (chart), 1504, 2560);
  put (box, "a range", chart, 0);
  put (box, "one call", make_histogram (1, 983000, 0, 0, 0, FALSE), 0);
  put (box, "none", make_histogram (0, 1, 0, 0, 0, FALSE), 60);
  return box;
}

static GtkWidget *
make_palette (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  CsChartColors colors;

  cs_chart_colors_set_style (&colors, adw_style_manager_get_dark (adw_style_manager_get_default ()), FALSE);
  for (guint i = 0; i < CS_CHART_N_FUNCTION_COLORS; i++)
    {
      GtkWidget *label = gtk_label_new ("qs_swap");
      GtkCssProvider *provider = gtk_css_provider_new ();
      g_autofree char *background = gdk_rgba_to_string (&colors.functions[i]);
      g_autofree char *foreground = gdk_rgba_to_string (&colors.function_label);
      g_autofree char *css = g_strdup_printf ("label { background: %s; color: %s; padding: 4px; font-size: 80%%; }",
                                              background, foreground);

      gtk_css_provider_load_from_data (provider, css, -1);
      gtk_style_context_add_provider (gtk_widget_get_style_context (label), GTK_STYLE_PROVIDER (provider),
                                      GTK_STYLE_PROVIDER_PRIORITY_USER);
      g_object_unref (provider);
      gtk_box_append (GTK_BOX (box), label);
    }
  return box;
}

static GtkWidget *
make_strips (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *overview = make_overview (6), *sparkline = cs_sparkline_new (60, "events/s");

  cs_range_chart_set_range (CS_RANGE_CHART (overview), G_GUINT64_CONSTANT (2320000000),
                            G_GUINT64_CONSTANT (4280000000));
  put (box, "6 threads, a range", overview, 0);
  put (box, "no higher than it must be", make_overview (6), 44);
  put (box, "26 threads", make_overview (26), 120);
  put (box, "one thread", make_overview (1), 0);
  overview = cs_overview_new ();
  cs_overview_set_message (CS_OVERVIEW (overview), "A summary doesn’t tell when its calls were");
  put (box, "sums only", overview, 0);
  for (guint i = 0; i < 75; i++)
    cs_sparkline_push (CS_SPARKLINE (sparkline), 2.1e6 + 9e5 * sin (i / 7.0) + 4e5 * uniform ());
  gtk_widget_set_halign (sparkline, GTK_ALIGN_START);
  put (box, "events per second", sparkline, 0);
  sparkline = cs_sparkline_new (60, "events/s");
  for (guint i = 0; i < 20; i++)
    cs_sparkline_push (CS_SPARKLINE (sparkline), 500 * uniform ());
  gtk_widget_set_halign (sparkline, GTK_ALIGN_START);
  put (box, "20 s of it", sparkline, 0);
  put (box, "functions", make_palette (), 0);
  return box;
}

static void
add_calls (TestTree *tree, guint32 parent, double ns, guint depth)
{
  double left = ns;

  for (guint i = 0; i < 9 && left > 1e6 && depth < 30; i++)
    {
      double part = left * (0.15 + 0.75 * uniform () * uniform ());
      guint32 node = test_tree_add (tree, parent, (guint32) (next () % tree->n_functions), (guint64) (part * 0.1), i);

      add_calls (tree, node, part * 0.9, depth + 1);
      left -= part;
    }
}

static gboolean
is_searched (guint function, gpointer data)
{
  return function % 9 == 4;
}

static GtkWidget *
make_flame (TestTree *tree, const CsFlameOptions *options, gboolean flame)
{
  GtkWidget *chart = cs_flame_chart_new ();
  CsFlameLayout *layout = flame_show_tree (CS_FLAME_CHART (chart), tree, options);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));

  cs_flame_chart_set_flame (CS_FLAME_CHART (chart), flame);
  if (options->kind == CS_FLAME_CALL_TREE)
    {
      cs_flame_layout_search (layout, is_searched, NULL, found);
      cs_flame_chart_set_found (CS_FLAME_CHART (chart), (guint32 *) (gpointer) found->data, found->len);
      cs_flame_chart_set_cursor (CS_FLAME_CHART (chart), 3);
    }
  if (flame)
    cs_flame_chart_set_focus (CS_FLAME_CHART (chart), test_get_node (layout, 1).first_child, FALSE);
  gtk_widget_set_vexpand (chart, TRUE);
  return chart;
}

static GtkWidget *
make_flames (void)
{
  static const char *const names[] = { "thread_main", "workload_sort", "quicksort", "qs_recursive", "qs_partition",
                                       "qs_swap", "mergesort", "ms_merge", "heapsort", "fft_recursive", "pool_wait",
                                       "rng_next", "parse_expression", "std::vector<std::string>::push_back", "crc32" };
  static guint8 marks[G_N_ELEMENTS (names)] = { 0 };
  static TestTree tree;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  tree = test_tree_new (G_N_ELEMENTS (names));
  for (guint i = 0; i < tree.n_functions; i++)
    {
      g_free ((char *) tree.functions[i].location.name);
      tree.functions[i].location.name = g_strdup (names[i]);
    }
  add_calls (&tree, 0, 8e9, 0);
  put (box, "icicle by time, a search", make_flame (&tree, &(CsFlameOptions){ .order = CS_FLAME_BY_TIME }, FALSE), 0);
  put (box, "flame by name, a focus", make_flame (&tree, &(CsFlameOptions){ .order = CS_FLAME_BY_NAME }, TRUE), 0);
  marks[2] = marks[5] = CS_FLAME_ONLY;
  put (box, "only some, and bottom-up with few nodes",
       make_flame (&tree, &(CsFlameOptions){ .kind = CS_FLAME_CALLERS, .order = CS_FLAME_BY_TIME, .marks = marks,
                                             .max_nodes = 60 }, FALSE), 0);
  put (box, "only some", make_flame (&tree, &(CsFlameOptions){ .order = CS_FLAME_BY_TIME, .marks = marks }, FALSE), 0);
  return box;
}

/* Times of the charts in a box, at a width. */
static void
measure (GtkWidget *box, int width)
{
  enum { N = 20 };

  for (GtkWidget *widget = gtk_widget_get_first_child (box); widget != NULL;
       widget = gtk_widget_get_next_sibling (widget))
    {
      int height = MAX (gtk_widget_get_height (widget), 1);
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
      gint64 start, recorded = 0, drawn = 0;

      if (CS_IS_RANGE_CHART (widget) || CS_IS_SPARKLINE (widget))
        {
          GTK_WIDGET_GET_CLASS (widget)->size_allocate (widget, width, height, -1);
          for (guint i = 0; i < N; i++)
            {
              GtkSnapshot *snapshot = gtk_snapshot_new ();
              cairo_t *cairo = cairo_create (surface);
              GskRenderNode *node;

              start = g_get_monotonic_time ();
              GTK_WIDGET_GET_CLASS (widget)->snapshot (widget, snapshot);
              recorded += g_get_monotonic_time () - start;
              node = gtk_snapshot_free_to_node (snapshot);
              start = g_get_monotonic_time ();
              if (node != NULL)
                gsk_render_node_draw (node, cairo);
              drawn += g_get_monotonic_time () - start;
              g_clear_pointer (&node, gsk_render_node_unref);
              cairo_destroy (cairo);
            }
          g_print ("%s %d x %d: %.2f ms to record, %.2f ms to draw\n", G_OBJECT_TYPE_NAME (widget), width, height,
                   (double) recorded / N / 1000, (double) drawn / N / 1000);
        }
      cairo_surface_destroy (surface);
    }
}

static gboolean
measure_all (gpointer data)
{
  for (GtkWidget *box = gtk_widget_get_first_child (data); box != NULL; box = gtk_widget_get_next_sibling (box))
    measure (box, 1800);
  g_application_quit (g_application_get_default ());
  return G_SOURCE_REMOVE;
}

static void
on_activate (GtkApplication *application, char **words)
{
  GtkWidget *window = adw_application_window_new (application);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 24);
  GtkWidget *left, *right = NULL;

  if (g_strv_contains ((const char *const *) words, "flame"))
    left = make_flames ();
  else
    {
      left = make_strips ();
      right = make_histograms ();
    }
  gtk_widget_set_hexpand (left, TRUE);
  gtk_box_append (GTK_BOX (box), left);
  if (right != NULL)
    {
      gtk_widget_set_size_request (right, 300, -1);
      gtk_box_append (GTK_BOX (box), right);
    }
  g_object_set (box, "margin-top", 18, "margin-bottom", 18, "margin-start", 18, "margin-end", 18, NULL);
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), box);
  gtk_window_set_default_size (GTK_WINDOW (window), 1200, 860);
  gtk_window_present (GTK_WINDOW (window));
  if (g_strv_contains ((const char *const *) words, "measure"))
    g_timeout_add (500, measure_all, box);
}

static void
on_startup (GtkApplication *application, char **words)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], "dark"))
      adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
    else if (g_str_equal (words[i], "rtl"))
      gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
    else if (g_str_equal (words[i], "big"))
      g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 144 * 1024, NULL);
}

int
main (int argc, char **argv)
{
  g_autoptr (AdwApplication) application = NULL;

  application = adw_application_new ("io.github.callsight.Callsight", G_APPLICATION_NON_UNIQUE);
  g_application_set_resource_base_path (G_APPLICATION (application), "/io/github/callsight/Callsight");
  g_signal_connect (application, "startup", G_CALLBACK (on_startup), argv + 1);
  g_signal_connect (application, "activate", G_CALLBACK (on_activate), argv + 1);
  return g_application_run (G_APPLICATION (application), 1, argv);
}
