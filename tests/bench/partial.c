/* SPDX-License-Identifier: MIT */
/*
 * bench-partial FOLDER [ROUNDS]: what pictures of a recording cost while it is read. Makes its profile with an
 * index of time, without any and with partial profiles, in turns, and prints ms of wall time until the first partial
 * profile, how many there were, and the medians of wall and processor time with them and without.
 */
#include "config.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "profile/cs-profile.h"

typedef struct
{
  gint64 start;  /* µs */
  double first;  /* ms; negative: there was none */
  guint n;
} Told;

static void
on_partial (CsProfile *profile, gpointer user_data)
{
  Told *told = user_data;
  double ms = (double) (g_get_monotonic_time () - told->start) / 1e3;
  guint n_functions, n_nodes, n_threads;

  cs_profile_get_functions (profile, &n_functions);
  cs_profile_get_tree (profile, &n_nodes);
  cs_profile_get_threads (profile, &n_threads);
  if (told->n++ == 0)
    told->first = ms;
  g_printerr ("  %4.0f ms: %2.0f %%, %" G_GUINT64_FORMAT " events, %u threads, %u functions, %u nodes\n", ms,
              cs_profile_get_done (profile) * 100, cs_profile_get_totals (profile)->events, n_threads, n_functions,
              n_nodes);
}

static double
cpu_ms (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
median (GArray *values)
{
  g_array_sort (values, compare);
  return g_array_index (values, double, values->len / 2);
}

int
main (int argc, char **argv)
{
  guint rounds = argc > 2 ? (guint) atoi (argv[2]) : 3;
  GArray *wall[2], *cpu[2];
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (double));

  if (argc < 2)
    return 2;
  for (guint i = 0; i < 2; i++)
    {
      wall[i] = g_array_new (FALSE, FALSE, sizeof (double));
      cpu[i] = g_array_new (FALSE, FALSE, sizeof (double));
    }
  for (guint i = 0; i < 2 * rounds; i++)
    {
      const char *const paths[] = { argv[1], NULL };
      Told told = { .start = g_get_monotonic_time (), .first = -1 };
      CsProfileOptions options = { .call_sites = TRUE, .n_slowest = 5, .timeline = TRUE, .no_cache = TRUE };
      double before = cpu_ms (), value;
      g_autoptr (GError) error = NULL;
      g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
      g_autoptr (CsRecording) recording = cs_recording_open (paths, NULL, &error);
      g_autoptr (CsProfile) profile = NULL;

      if (i % 2 == 1)
        {
          options.partial = on_partial;
          options.partial_data = &told;
        }
      if (recording != NULL)
        profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
      if (profile == NULL)
        g_error ("%s", error->message);
      value = (double) (g_get_monotonic_time () - told.start) / 1e3;
      g_array_append_val (wall[i % 2], value);
      value = cpu_ms () - before;
      g_array_append_val (cpu[i % 2], value);
      if (i % 2 == 1)
        g_array_append_val (first, told.first);
      if (i % 2 == 1)
        g_print ("%u partial profiles, first after %.0f ms\n", told.n, told.first);
    }
  g_print ("first partial profile: %.0f ms\n", median (first));
  g_print ("wall: without %.0f ms, with %.0f ms, ratio %.3f\n", median (wall[0]), median (wall[1]),
           median (wall[1]) / median (wall[0]));
  g_print ("processor: without %.0f ms, with %.0f ms, ratio %.3f\n", median (cpu[0]), median (cpu[1]),
           median (cpu[1]) / median (cpu[0]));
  return 0;
}
