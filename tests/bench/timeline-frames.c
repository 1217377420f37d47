/* SPDX-License-Identifier: MIT */
/* timeline-frames RECORDING… [--show]: what the timeline's widget costs while one goes through a recording.
 *
 * A window of 1280 × 800 pixels shows it. A walk of 500 steps zooms, pans and scrolls over the whole of it; after each the
 * frame that is painted at once and the one that is sharp are waited for. Told are the main thread's time of a frame
 * (layout and snapshot; GTK's renderer is not in it), the worker's of a question, rectangles and labels, and the processor time
 * of two seconds in which nothing happens. With --show the window stays open. */
#include "config.h"

#include <adwaita.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "profile/cs-profile.h"
#include "timeline/cs-timeline-chart.h"

#define N_STEPS 500

static CsProfile *profile;
static CsTimelineChart *chart;
static guint n_frames;

static guint
get_function (guint process, guint64 address, guint64 ts, gpointer data)
{
  return cs_profile_get_function_index (profile, process, address);
}

static const char *
get_name (guint function)
{
  guint n;

  return cs_profile_get_functions (profile, &n)[function].location.name;
}

static char *
dup_label (guint function, gpointer data)
{
  return g_strdup (get_name (function));
}

static void
get_color (guint function, const CsChartColors *colors, GdkRGBA *color, gpointer data)
{
  *color = *cs_chart_colors_get_function (colors, get_name (function));
}

static char *
dup_title (guint track, gpointer data)
{
  guint n;
  const CsThreadRow *threads = cs_profile_get_threads (profile, &n);

  if (track < n && threads[track].name != NULL)
    return g_strdup (threads[track].name);
  return g_strdup_printf ("Thread %u", cs_timeline_get_track_info (cs_profile_get_timeline (profile), track)->tid);
}

static const CsTimelineChartTexts texts = { .get_function = get_function, .dup_label = dup_label, .get_color = get_color,
                                            .dup_track_title = dup_title };

/* One kind of number, of all frames or questions. */
typedef struct
{
  const char *name, *unit;
  GArray *values; /* (element-type double) */
} Series;

static Series frame_us = { "main thread, a frame", "µs" }, take_us = { "main thread, an answer", "µs" };
static Series query_ms = { "worker, a question", "ms" }, sharp_ms = { "until it is sharp", "ms" };
static Series rects = { "rectangles", "" }, labels = { "labels", "" };

static void
add (Series *series, double value)
{
  if (series->values == NULL)
    series->values = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_val (series->values, value);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
tell (Series *series)
{
  const double *values;
  guint n = series->values != NULL ? series->values->len : 0;

  if (n == 0)
    return;
  g_array_sort (series->values, compare);
  values = (const double *) (gconstpointer) series->values->data;
  g_print ("%-24s p50 %9.2f  p99 %9.2f  max %9.2f %s (%u)\n", series->name, values[n / 2],
           values[MIN (n - 1, n * 99 / 100)], values[n - 1], series->unit, n);
}

static void
on_painted (GdkFrameClock *clock)
{
  const CsTimelineChartStats *stats = cs_timeline_chart_get_stats (chart);

  n_frames++;
  add (&frame_us, (double) stats->us);
  add (&rects, stats->n_rects);
  add (&labels, stats->n_labels);
}

static void
wait_for_frame (void)
{
  guint before = n_frames;
  gint64 end = g_get_monotonic_time () + 1000000;

  gtk_widget_queue_draw (GTK_WIDGET (chart));
  while (n_frames == before && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_until_sharp (gint64 begun)
{
  const CsTimelineChartStats *stats = cs_timeline_chart_get_stats (chart);

  while (!cs_timeline_chart_get_sharp (chart) && g_get_monotonic_time () - begun < 10000000)
    g_main_context_iteration (NULL, TRUE);
  add (&sharp_ms, (double) (g_get_monotonic_time () - begun) / 1e3);
  add (&query_ms, (double) stats->query_us / 1e3);
  add (&take_us, (double) stats->take_us);
}

/* Goes nearer at changing places, along, down, and out again. */
static void
step (guint i, GRand *rand)
{
  double width = gtk_widget_get_width (GTK_WIDGET (chart));
  guint at = i % 25;

  if (at < 10)
    cs_timeline_chart_zoom (chart, g_rand_double_range (rand, 0, width * 0.8), g_rand_double_range (rand, 1.2, 4), FALSE);
  else if (at < 16)
    cs_timeline_chart_pan (chart, g_rand_double_range (rand, -width, width), 0, FALSE);
  else if (at < 20)
    cs_timeline_chart_pan (chart, 0, g_rand_double_range (rand, -900, 1000), FALSE);
  else if (at < 24)
    cs_timeline_chart_zoom (chart, -1, g_rand_double_range (rand, 0.05, 0.8), FALSE);
  else
    cs_timeline_chart_fit (chart, FALSE);
}

static double
get_cpu_ms (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
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

static CsProfile *
read_recording (const char *const *paths)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CsRecording) recording = cs_recording_open (paths, NULL, &error);
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  const CsProfileOptions options = { .timeline = TRUE };
  CsProfile *read = NULL;

  if (recording != NULL)
    read = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
  if (read == NULL)
    {
      g_printerr ("timeline-frames: %s\n", error->message);
      exit (1);
    }
  return read;
}

static void
measure (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  guint n_pans = 0, n_sharp = 0;
  double cpu;

  for (guint i = 0; i < N_STEPS; i++)
    {
      gint64 begun = g_get_monotonic_time ();

      step (i, rand);
      if (i % 25 >= 10 && i % 25 < 20)
        {
          n_pans++;
          n_sharp += cs_timeline_chart_get_sharp (chart);
        }
      wait_for_frame ();
      wait_until_sharp (begun);
      wait_for_frame ();
    }
  wait_for_ms (1000);
  cpu = get_cpu_ms ();
  wait_for_ms (2000);
  cpu = get_cpu_ms () - cpu;
  tell (&frame_us);
  tell (&take_us);
  tell (&query_ms);
  tell (&sharp_ms);
  tell (&rects);
  tell (&labels);
  g_print ("%-24s %u of %u\n", "pans, sharp at once", n_sharp, n_pans);
  g_print ("%-24s %.1f ms in 2 s\n", "processor time, idle", cpu);
}

int
main (int argc, char **argv)
{
  GtkWidget *window;
  gboolean show = argc > 2 && g_str_equal (argv[argc - 1], "--show");

  if (argc < 2)
    {
      g_printerr ("Usage: timeline-frames RECORDING… [--show]\n");
      return 1;
    }
  if (show)
    argv[argc - 1] = NULL;
  adw_init ();
  profile = read_recording ((const char *const *) argv + 1);
  chart = CS_TIMELINE_CHART (cs_timeline_chart_new ());
  window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (chart));
  cs_timeline_chart_set_texts (chart, &texts, NULL, NULL);
  cs_timeline_chart_set_timeline (chart, cs_profile_get_timeline (profile));
  gtk_window_present (GTK_WINDOW (window));
  while (gtk_widget_get_width (GTK_WIDGET (chart)) == 0)
    g_main_context_iteration (NULL, TRUE);
  if (show)
    while (gtk_widget_get_mapped (window))
      g_main_context_iteration (NULL, TRUE);
  g_signal_connect (gtk_widget_get_frame_clock (window), "after-paint", G_CALLBACK (on_painted), NULL);
  wait_until_sharp (g_get_monotonic_time ());
  measure ();
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (profile);
  return 0;
}
