/* SPDX-License-Identifier: MIT */
/*
 * The time index of a recording: how large it is, what it adds to a pass, and how long a question
 * takes that fills a viewport, over a random walk of panning and zooming.
 *
 * timeline [--windows N] [--rows N] [--pixels N] [--against FOLDER] PATH…
 *
 * --against: another recording of the same events, to say how many times as much PATH… takes: "generate"
 * writes them in either format. The two take turns, so that both see the same machine.
 *
 * A viewport shows 50 rows of 1,200 pixels: of several tracks as many as that takes. "Cold" are the
 * questions after the page cache was told to drop the recording's files. Times of the opening are
 * with XDG_CACHE_HOME as it is; set it to an empty folder for a first opening.
 */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "profile/cs-profile.h"
#include "profile/cs-timeline-open.h"

static int n_windows = 2000, n_rows = 50, n_pixels = 1200;
static char *against;

/* What is compared. */
typedef struct
{
  double index;        /* bytes an event */
  gint64 with, without; /* CPU time of the pass, µs */
  gint64 p50, p99;     /* CPU time of a question, µs, warm */
} Result;

static const GOptionEntry entries[] = {
  { "windows", 0, 0, G_OPTION_ARG_INT, &n_windows, "questions of a walk", "N" },
  { "rows", 0, 0, G_OPTION_ARG_INT, &n_rows, "rows of the viewport", "N" },
  { "pixels", 0, 0, G_OPTION_ARG_INT, &n_pixels, "its width", "N" },
  { "against", 0, 0, G_OPTION_ARG_FILENAME, &against, "a recording to compare with", "FOLDER" },
  { NULL },
};

/* The error by its place: it may be set by what is evaluated for the first argument. */
static void
must (gboolean done, GError *const *error)
{
  if (done)
    return;
  g_printerr ("timeline: %s\n", *error != NULL ? (*error)->message : "failed");
  exit (1);
}

/* CPU time, µs: what something costs on a machine that does other things too. */
static gint64
cpu_time (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static gint64
build (CsRecording *recording, gboolean timeline, CsProfile **profile)
{
  const CsProfileOptions options = { .timeline = timeline, .no_cache = TRUE };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsProfile) made = NULL;
  gint64 start = cpu_time (CLOCK_PROCESS_CPUTIME_ID);
  GError *error = NULL;

  made = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
  must (made != NULL, &error);
  if (profile != NULL)
    *profile = g_steal_pointer (&made);
  return cpu_time (CLOCK_PROCESS_CPUTIME_ID) - start;
}

static void
drop_pages (CsRecording *recording)
{
  GPtrArray *tracks = cs_recording_get_tracks (recording);

  for (guint i = 0; i < tracks->len; i++)
    {
      const CsThreadTrack *track = g_ptr_array_index (tracks, i);

      for (guint j = 0; j < track->files->len; j++)
        {
          int fd = open (((const CsEventFile *) g_ptr_array_index (track->files, j))->path, O_RDONLY | O_CLOEXEC);

          if (fd >= 0)
            {
              posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED);
              close (fd);
            }
        }
    }
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  return *(const gint64 *) a < *(const gint64 *) b ? -1 : *(const gint64 *) a > *(const gint64 *) b;
}

typedef struct
{
  gint64 first, last;
} Range;

/* Where the walk goes next: in, out or to the side, sometimes to see all. */
static void
step (GRand *rand, const Range *whole, Range *window)
{
  double length = (double) (window->last - window->first), total = (double) (whole->last - whole->first);
  double middle = (double) window->first + length * g_rand_double (rand);
  int what = g_rand_int_range (rand, 0, 20);

  if (what == 0)
    length = total;
  else if (what < 9)
    length *= g_rand_double_range (rand, 0.2, 0.9);
  else if (what < 14)
    length *= g_rand_double_range (rand, 1.1, 4);
  else
    middle += length * g_rand_double_range (rand, -1, 1);
  length = CLAMP (length, 100, total);
  middle = CLAMP (middle, (double) whole->first + length / 2, (double) whole->last - length / 2);
  window->first = (gint64) (middle - length / 2);
  window->last = window->first + (gint64) length + 1;
}

static void
print_times (const char *name, gint64 *times)
{
  qsort (times, (gsize) n_windows, sizeof *times, compare_times);
  g_print ("%s: p50 %.3f ms  p99 %.3f ms  max %.3f ms\n", name, (double) times[n_windows / 2] / 1000,
           (double) times[n_windows * 99 / 100] / 1000, (double) times[n_windows - 1] / 1000);
}

static void
walk (CsTimeline *timeline, const Range *whole, const char *name, Result *result)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree gint64 *times = g_new (gint64, n_windows), *cpu = g_new (gint64, n_windows);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
  g_autoptr (GArray) visible = g_array_new (FALSE, FALSE, sizeof (CsTimelineDepths));
  Range window = *whole;
  guint64 n_spans = 0;
  guint n_tracks = cs_timeline_get_n_tracks (timeline);

  for (int i = 0; i < n_windows; i++)
    {
      guint track = (guint) g_rand_int_range (rand, 0, (gint) n_tracks);
      gint64 start;
      guint rows = 0;
      GError *error = NULL;

      step (rand, whole, &window);
      g_array_set_size (spans, 0);
      start = g_get_monotonic_time ();
      cpu[i] = cpu_time (CLOCK_PROCESS_CPUTIME_ID);
      g_array_set_size (visible, 0);
      for (guint j = 0; j < n_tracks && rows < (guint) n_rows; j++, track = (track + 1) % n_tracks)
        {
          guint depth = cs_timeline_get_track_info (timeline, track)->n_rows;
          CsTimelineDepths own = { track, 0, MIN (depth, (guint) n_rows - rows) - 1, spans };

          if (depth > 0)
            g_array_append_val (visible, own);
          rows += MAX (MIN (depth, (guint) n_rows - rows), 1);
        }
      must (cs_timeline_query_view (timeline, (const CsTimelineDepths *) (gpointer) visible->data, visible->len,
                                    window.first, window.last, (guint) n_pixels, &error), &error);
      times[i] = g_get_monotonic_time () - start;
      cpu[i] = cpu_time (CLOCK_PROCESS_CPUTIME_ID) - cpu[i];
      n_spans += spans->len;
    }
  print_times (name, times);
  print_times ("      CPU time", cpu);
  result->p50 = cpu[n_windows / 2];
  result->p99 = cpu[n_windows * 99 / 100];
  g_print ("      %d windows, %" G_GUINT64_FORMAT " spans and blocks a window\n", n_windows,
           n_spans / (guint64) n_windows);
}

/* A function that isn't there, so that all is read; and the 1,000 longest calls or so. */
static void
time_searches (CsTimeline *timeline, const CsProfileTotals *totals)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  CsTimelineSearch search = { .track = G_MAXUINT, .process = G_MAXUINT, .t0 = G_MININT64, .t1 = G_MAXINT64,
                              .address = 1, .limit = 1000 };
  gint64 start = g_get_monotonic_time ();
  gboolean more;
  GError *error = NULL;

  must (cs_timeline_find_calls (timeline, &search, calls, &more, NULL, &error), &error);
  g_print ("all calls of a function: %.1f M events/s\n",
           (double) totals->events / (double) (g_get_monotonic_time () - start));
  search.address = 0;
  for (search.min_length = (guint64) (totals->last - totals->first); calls->len < 1000 && search.min_length > 1;
       search.min_length /= 2)
    {
      g_array_set_size (calls, 0);
      start = g_get_monotonic_time ();
      must (cs_timeline_find_calls (timeline, &search, calls, &more, NULL, &error), &error);
    }
  g_print ("%u calls longer than %" G_GUINT64_FORMAT " ns: %.3f ms\n", calls->len, search.min_length * 2,
           (double) (g_get_monotonic_time () - start) / 1000);
}

static void
time_opening (const char *const *paths, const char *name)
{
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (CsTimeline) timeline = NULL;
  gint64 start = g_get_monotonic_time ();
  GError *error = NULL;

  recording = cs_recording_open (paths, NULL, &error);
  must (recording != NULL, &error);
  timeline = cs_timeline_open (recording, symbolizer, NULL, NULL, &error);
  must (timeline != NULL, &error);
  g_print ("%s opening: %.3f s\n", name, (double) (g_get_monotonic_time () - start) / 1e6);
}

static CsRecording *
open_recording (const char *const *paths)
{
  GError *error = NULL;
  CsRecording *recording = cs_recording_open (paths, NULL, &error);

  must (recording != NULL, &error);
  return recording;
}

/* Asks everything. */
static void
measure (const char *const *paths, CsProfile *profile, Result *result)
{
  CsTimeline *timeline = cs_profile_get_timeline (profile);
  const CsProfileTotals *totals = cs_profile_get_totals (profile);
  const Range whole = { totals->first, MAX (totals->last, totals->first + 1000) };
  Result cold;

  result->index = (double) cs_timeline_get_size (timeline) / (double) MAX (totals->events, 1);
  g_print ("%" G_GUINT64_FORMAT " events, %u tracks\n", totals->events, cs_timeline_get_n_tracks (timeline));
  g_print ("index: %.1f MB, %.3f byte an event\n", (double) cs_timeline_get_size (timeline) / 1e6, result->index);
  g_print ("pass: %.1f M events a second of CPU time without an index, %.1f with one (%.2f of it)\n",
           (double) totals->events / (double) result->without, (double) totals->events / (double) result->with,
           (double) result->without / (double) result->with);
  walk (timeline, &whole, "warm", result);
  time_searches (timeline, totals);
  drop_pages (cs_profile_get_recording (profile));
  walk (timeline, &whole, "cold", &cold);
  time_opening (paths, "first");
  time_opening (paths, "second");
}

int
main (int argc, char *argv[])
{
  g_autoptr (GOptionContext) context = g_option_context_new ("PATH…");
  GError *error = NULL;
  const char *others[] = { NULL, NULL };
  const char *const *paths[2] = { (const char *const *) argv + 1, others };
  CsProfile *profiles[2] = { NULL, NULL };
  Result results[2] = { { .with = G_MAXINT64, .without = G_MAXINT64 }, { .with = G_MAXINT64, .without = G_MAXINT64 } };
  guint n;

  g_option_context_add_main_entries (context, entries, NULL);
  must (g_option_context_parse (context, &argc, &argv, &error), &error);
  if (argc < 2 || n_windows < 1 || n_rows < 1 || n_pixels < 1)
    {
      g_printerr ("usage: timeline [--windows N] [--rows N] [--pixels N] [--against FOLDER] PATH…\n");
      return 2;
    }
  others[0] = against;
  n = against != NULL ? 2 : 1;
  for (guint turn = 0; turn < 3; turn++) /* the first reads the files into the page cache */
    for (guint i = 0; i < n; i++)
      {
        g_autoptr (CsRecording) recording = open_recording (paths[i]);
        gint64 without = build (recording, FALSE, NULL);

        g_clear_object (&profiles[i]);
        results[i].with = MIN (results[i].with, build (recording, TRUE, &profiles[i]));
        results[i].without = MIN (results[i].without, without);
      }
  for (guint i = 0; i < n; i++)
    {
      if (n > 1)
        g_print ("%s== %s\n", i > 0 ? "\n" : "", paths[i][0]);
      measure (paths[i], profiles[i], &results[i]);
      g_object_unref (profiles[i]);
    }
  if (n > 1)
    g_print ("\nagainst %s: index %.2f, pass %.2f, with an index %.2f, warm p50 %.2f, p99 %.2f\n", against,
             results[0].index / results[1].index, (double) results[0].without / (double) results[1].without,
             (double) results[0].with / (double) results[1].with, (double) results[0].p50 / (double) results[1].p50,
             (double) results[0].p99 / (double) results[1].p99);
  return 0;
}
