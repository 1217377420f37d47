/* SPDX-License-Identifier: MIT */
/* flame-frames [NODES]: how long the flame graph takes for a frame.
 *
 * For each of four made-up graphs (wide; deep and bushy; a chain of 100,000 calls; one with ten more calls at each of its
 * depths) a chart of 1800 × 1000 pixels is walked over in 500 steps: zoomed in and out where the step says, panned in both
 * directions, scrolled through all rows; then again with every second frame found, and with the pointer over it. For each
 * step the frame is recorded, and what the chart says of it is printed: µs of query, layout and snapshot as the clock and
 * as the thread's processor time have it, rectangles, labels. At the end the window is shown and left alone for 2 s: the
 * processor time of these. */
#include "config.h"

#include <adwaita.h>
#include <math.h>
#include <time.h>

#include "app/flame-fixture.h"
#include "flame/cs-flame-chart-private.h"

enum { WIDTH = 1800, HEIGHT = 1000, STEPS = 500, FUNCTIONS = 200000, CHAIN = 100000 };

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

static gint64
get_cpu (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return t.tv_sec * G_GINT64_CONSTANT (1000000) + t.tv_nsec / 1000;
}

static guint64
make_time (void)
{
  return (guint64) (100 * exp (uniform () * 12));
}

static void
name_functions (TestTree *tree)
{
  static const char *const words[] = { "sort", "merge", "parse", "push_back", "render", "lookup", "visit", "hash" };

  for (guint i = 0; i < tree->n_functions; i++)
    {
      g_free ((char *) tree->functions[i].location.name);
      tree->functions[i].location.name =
          g_strdup_printf ("%s_%s%s_%u", words[i % 8], words[i / 8 % 8], i % 16 < 8 ? "" : "_implementation", i);
    }
}

static TestTree
make_tree (const char *kind, guint n)
{
  TestTree tree = test_tree_new (FUNCTIONS);

  name_functions (&tree);
  if (g_str_equal (kind, "wide"))
    for (guint32 i = 1; i < n; i++)
      test_tree_add (&tree, (guint32) (uniform () * MIN (i, 1 + i / 2)), (guint32) (next () % FUNCTIONS), make_time (), i);
  else if (g_str_equal (kind, "bushy"))
    for (guint32 i = 1; i < n; i++)
      test_tree_add (&tree, i - 1 - (guint32) (uniform () * MIN (i, 5000)), (guint32) (next () % FUNCTIONS), make_time (),
                     i);
  else
    for (guint32 i = 0, parent = 0; i < CHAIN; i++)
      {
        for (guint k = 0; k < 10 && g_str_equal (kind, "comb"); k++)
          test_tree_add (&tree, parent, (guint32) (next () % FUNCTIONS), make_time (), i);
        parent = test_tree_add (&tree, parent, i % FUNCTIONS, make_time (), i);
      }
  return tree;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

static void
tell (const char *name, gint64 *us)
{
  qsort (us, STEPS, sizeof *us, compare);
  g_print ("  %-9s p50 %5" G_GINT64_FORMAT "  p99 %5" G_GINT64_FORMAT "  longest %5" G_GINT64_FORMAT " µs\n", name,
           us[STEPS / 2], us[STEPS * 99 / 100], us[STEPS - 1]);
}

/* Where something is. */
static double
choose_x (CsFlameChart *chart)
{
  graphene_rect_t bounds;

  cs_flame_chart_query (chart);
  if (chart->rects->len == 0)
    {
      cs_flame_chart_fit (chart, FALSE);
      cs_flame_chart_query (chart);
    }
  cs_flame_chart_place (chart, &g_array_index (chart->rects, CsFlameRect, next () % chart->rects->len), &bounds);
  return bounds.origin.x + uniform () * bounds.size.width;
}

static void
step (CsFlameChart *chart, guint i)
{
  double x = choose_x (chart);

  /* Far in and out again, ten times; in between to the sides and through the rows. */
  switch (i % 5)
    {
    case 0:
    case 1:
    case 2:
      cs_flame_chart_zoom (chart, x, i % 50 < 25 ? 1.5 : 1 / 1.5, FALSE);
      break;
    case 3:
      cs_flame_chart_pan (chart, (uniform () - 0.5) * WIDTH, (uniform () - 0.5) * HEIGHT);
      break;
    default:
      if (i % 50 == 49)
        {
          CsFlameLayout *layout = cs_flame_chart_get_layout (chart);
          double rows = cs_flame_layout_get_n_rows (layout);

          cs_flame_chart_pan (chart, 0, -1e9);
          cs_flame_chart_pan (chart, 0, rows * 20 * uniform ());
        }
      else
        cs_flame_chart_pan (chart, (uniform () - 0.5) * 100, HEIGHT * 0.3);
    }
}

static void
walk (CsFlameChart *chart, const char *title)
{
  static gint64 wall[STEPS], cpu[STEPS];
  guint rects = 0, labels = 0, shaped = 0;

  cs_flame_chart_fit (chart, FALSE);
  for (guint i = 0; i < STEPS; i++)
    {
      GtkSnapshot *snapshot = gtk_snapshot_new ();
      const CsFlameChartStats *stats = cs_flame_chart_get_stats (chart);
      GskRenderNode *node;

      step (chart, i);
      cpu[i] = get_cpu (CLOCK_THREAD_CPUTIME_ID);
      cs_flame_chart_paint (chart, snapshot);
      cpu[i] = get_cpu (CLOCK_THREAD_CPUTIME_ID) - cpu[i];
      node = gtk_snapshot_free_to_node (snapshot);
      g_clear_pointer (&node, gsk_render_node_unref);
      wall[i] = stats->us;
      rects = MAX (rects, stats->n_rects);
      labels = MAX (labels, stats->n_labels);
      shaped += stats->n_shaped;
    }
  g_print ("%s: at most %u rectangles and %u labels, %.1f labels shaped a frame\n", title, rects, labels,
           (double) shaped / STEPS);
  tell ("clock", wall);
  tell ("processor", cpu);
}

static void
iterate_for (gint64 us)
{
  gint64 end = g_get_monotonic_time () + us;

  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE) ? (void) 0 : g_usleep (1000);
}

/* Only the loop's own waiting: no polling. */
static gboolean
on_time (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static gint64
rest (guint ms)
{
  gint64 cpu = get_cpu (CLOCK_PROCESS_CPUTIME_ID);
  gboolean done = FALSE;

  g_timeout_add (ms, on_time, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  return get_cpu (CLOCK_PROCESS_CPUTIME_ID) - cpu;
}

static void
measure (const char *kind, guint n)
{
  GtkWidget *window = gtk_window_new (), *chart = cs_flame_chart_new ();
  TestTree tree = make_tree (kind, n);
  CsFlameOptions options = { .order = CS_FLAME_BY_TIME };
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *title = NULL;
  CsFlameLayout *layout = flame_show_tree (CS_FLAME_CHART (chart), &tree, &options);

  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_window_set_child (GTK_WINDOW (window), chart);
  gtk_window_present (GTK_WINDOW (window));
  iterate_for (500000);
  GTK_WIDGET_GET_CLASS (chart)->size_allocate (chart, WIDTH, HEIGHT, -1);
  title = g_strdup_printf ("%s, %u frames in %u rows", kind, cs_flame_layout_get_n_nodes (layout),
                           cs_flame_layout_get_n_rows (layout));
  walk (CS_FLAME_CHART (chart), title);
  for (guint32 i = 1; i < cs_flame_layout_get_n_nodes (layout); i += 2)
    g_array_append_val (found, i);
  cs_flame_chart_set_found (CS_FLAME_CHART (chart), (guint32 *) (gpointer) found->data, found->len);
  cs_flame_chart_set_cursor (CS_FLAME_CHART (chart), 1);
  walk (CS_FLAME_CHART (chart), "  with every second one found");
  iterate_for (1000000);
  g_print ("  at rest for 2 s: %.1f ms of processor time\n", (double) rest (2000) / 1e3);
  gtk_window_destroy (GTK_WINDOW (window));
  test_tree_clear (&tree);
}

int
main (int argc, char **argv)
{
  guint n = argc > 1 ? (guint) g_ascii_strtoull (argv[1], NULL, 10) : 1000000;

  adw_init ();
  measure ("wide", n);
  measure ("bushy", n);
  measure ("chain", n);
  measure ("comb", n);
  return 0;
}
