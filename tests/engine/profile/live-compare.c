/* SPDX-License-Identifier: MIT */
/*
 * Profiles of a recording that grows against profiles of the same files made from nothing.
 *
 * live-compare grow FROM TO SEED [FIRST END] lets the files of FROM appear in the empty folder TO piece by
 * piece, at any byte, and compares at each step where no clock's rate can change meanwhile, and
 * at the end; of what lies between FIRST and END, ns from the start, alone.
 * live-compare steps FROM TO lets the files of the folders 0, 1, 2 … of FROM, one folder after the other, become
 * those of TO, and compares at each step.
 * live-compare watch DIR PID [FIRST END] refreshes while the process PID lives, and compares at the end.
 * live-compare wrap DIR PID does so where the process removes its oldest files: what was read before
 * they went is not in a profile made from nothing. Of each thread the events that were read and those
 * that are known to be missing are the same together.
 *
 * With -t before all that an index of time is made, too, and compared with a new one.
 *
 * Prints how many refreshes there were and how many records they read; ends with 1 and both
 * reports where they differ.
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/cs-live.h"
#include "report/cs-report.h"

static guint n_refreshes, n_compared;
static guint64 n_read;
static CsProfileOptions options = { .call_sites = TRUE };

static char *
write_report (CsProfile *profile, CsReportFormat format)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  const CsReportOptions report = { .sort = CS_SORT_SELF };
  g_autoptr (GError) error = NULL;

  if (!cs_report_write (profile, format, &report, stream, NULL, &error) ||
      !g_output_stream_write_all (stream, "", 1, NULL, NULL, &error) ||
      !g_output_stream_close (stream, NULL, &error))
    g_error ("%s", error->message);
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

static GArray *
find_calls (CsTimeline *timeline)
{
  GArray *calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  const CsTimelineSearch search = { .track = G_MAXUINT, .process = G_MAXUINT, .t0 = G_MININT64, .t1 = G_MAXINT64,
                                    .limit = 10000000 };
  g_autoptr (GError) error = NULL;
  gboolean more;

  if (!cs_timeline_find_calls (timeline, &search, calls, &more, NULL, &error))
    g_error ("%s", error->message);
  return calls;
}

static gboolean
is_same_call (const CsTimelineCall *a, const CsTimelineCall *b)
{
  return a->track == b->track && a->span.start == b->span.start && a->span.end == b->span.end &&
         a->span.address == b->span.address && a->span.caller == b->span.caller && a->span.ts == b->span.ts &&
         a->span.depth == b->span.depth && a->span.open == b->span.open;
}

/* The tracks, all their calls, and whether reading could begin near their end. */
static gboolean
is_same_timeline (CsTimeline *a, CsTimeline *b)
{
  guint n = cs_timeline_get_n_tracks (a);
  g_autoptr (GArray) x = find_calls (a);
  g_autoptr (GArray) y = find_calls (b);
  gboolean same = n == cs_timeline_get_n_tracks (b) && x->len == y->len;

  if (!same)
    printf ("%u tracks, %u calls, not %u, %u\n", n, x->len, cs_timeline_get_n_tracks (b), y->len);
  for (guint i = 0; same && i < n; i++)
    {
      const CsTimelineTrackInfo *p = cs_timeline_get_track_info (a, i), *q = cs_timeline_get_track_info (b, i);

      same = p->process == q->process && p->tid == q->tid && p->seq == q->seq && p->first == q->first &&
             p->last == q->last && p->n_events == q->n_events && p->n_rows == q->n_rows;
      if (!same)
        printf ("track %u: thread %u from %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT " events, not %u, %" G_GUINT64_FORMAT
                ", %" G_GUINT64_FORMAT "\n", i, p->tid, p->seq, p->n_events, q->tid, q->seq, q->n_events);
    }
  for (guint i = 0; same && i < x->len; i++)
    {
      const CsTimelineCall *p = &g_array_index (x, CsTimelineCall, i), *q = &g_array_index (y, CsTimelineCall, i);

      same = is_same_call (p, q);
      if (!same)
        printf ("call %u of %u of track %u: %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " at %" G_GUINT64_FORMAT
                ", not %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " at %" G_GUINT64_FORMAT "\n", i, x->len, p->track,
                p->span.start, p->span.end, p->span.position, q->span.start, q->span.end, q->span.position);
    }
  return same;
}

static void
compare (CsProfile *live, const char *folder)
{
  /* What records behind a part's end say of themselves is not part of it. */
  static const CsReportFormat formats[] = { CS_REPORT_FOLDED, CS_REPORT_CSV, CS_REPORT_JSON, CS_REPORT_CALLERS };
  guint n_formats = options.filter.has_to ? 2 : G_N_ELEMENTS (formats);
  const char *const paths[] = { folder, NULL };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (CsRecording) recording = cs_recording_open (paths, NULL, &error);
  g_autoptr (CsProfile) fresh = NULL;

  if (recording != NULL)
    fresh = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
  if (fresh == NULL)
    g_error ("%s", error->message);
  for (guint i = 0; i < n_formats; i++)
    {
      g_autofree char *a = write_report (live, formats[i]);
      g_autofree char *b = write_report (fresh, formats[i]);

      if (!g_str_equal (a, b))
        {
          printf ("refresh %u differs\n--- live\n%s\n--- made from nothing\n%s\n", n_refreshes, a, b);
          exit (1);
        }
    }
  if (options.timeline && !is_same_timeline (cs_profile_get_timeline (live), cs_profile_get_timeline (fresh)))
    {
      printf ("the index of refresh %u differs\n", n_refreshes);
      exit (1);
    }
  n_compared++;
}

/* What is there of a thread, and how much is missing. */
static void
sum_thread (CsProfile *profile, guint tid, guint *n_threads, guint64 *events, guint64 *lost)
{
  guint n;
  const CsThreadRow *threads = cs_profile_get_threads (profile, &n);

  *n_threads = 0;
  *events = *lost = 0;
  for (guint i = 0; i < n; i++)
    if (threads[i].tid == tid)
      {
        *n_threads += 1;
        *events += threads[i].enters + threads[i].exits;
        *lost += threads[i].lost;
      }
}

static void
compare_wrapped (CsProfile *live, const char *folder)
{
  const char *const paths[] = { folder, NULL };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (CsRecording) recording = cs_recording_open (paths, NULL, &error);
  g_autoptr (CsProfile) fresh = recording != NULL ? cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error) : NULL;
  const char *const *notices = cs_profile_get_notices (live);
  const CsThreadRow *threads;
  guint n;

  if (fresh == NULL)
    g_error ("%s", error->message);
  threads = cs_profile_get_threads (fresh, &n);
  for (guint i = 0; i < n; i++)
    {
      guint64 events[2], lost[2];
      guint rows[2];

      sum_thread (fresh, threads[i].tid, &rows[0], &events[0], &lost[0]);
      sum_thread (live, threads[i].tid, &rows[1], &events[1], &lost[1]);
      if (events[1] < events[0] || (rows[0] == rows[1] && events[1] + lost[1] != events[0] + lost[0]))
        {
          printf ("thread %u: %" G_GUINT64_FORMAT " events and %" G_GUINT64_FORMAT " lost, made from nothing %"
                  G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT "\n", threads[i].tid, events[1], lost[1], events[0], lost[0]);
          exit (1);
        }
      n_compared++;
    }
  printf ("live=%" G_GUINT64_FORMAT " fresh=%" G_GUINT64_FORMAT "\n", cs_profile_get_totals (live)->events,
          cs_profile_get_totals (fresh)->events);
  for (guint i = 0; notices[i] != NULL; i++)
    printf ("! %s\n", notices[i]);
}

static CsProfile *
refresh (CsLive *live)
{
  g_autoptr (GError) error = NULL;
  CsProfile *profile = cs_live_refresh (live, NULL, &error);

  if (profile == NULL && !g_error_matches (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND) &&
      !g_error_matches (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_SHORT) &&
      !g_error_matches (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT))
    g_error ("%s", error->message);
  n_refreshes++;
  n_read += cs_live_get_n_read (live);
  return profile;
}

static CsLive *
live_new (const char *folder)
{
  const char *const paths[] = { folder, NULL };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();

  return cs_live_new (paths, symbolizer, &options);
}

typedef struct
{
  char *path;
  char *data;
  gsize size, shown;
} File;

static void
file_clear (gpointer data)
{
  File *file = data;

  g_free (file->path);
  g_free (file->data);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (((const File *) a)->path, ((const File *) b)->path);
}

static GArray *
read_files (const char *from, const char *to)
{
  GArray *files = g_array_new (FALSE, TRUE, sizeof (File));
  g_autoptr (GDir) dir = g_dir_open (from, 0, NULL);
  const char *name;

  g_array_set_clear_func (files, file_clear);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      File file = { .path = g_build_filename (to, name, NULL) };
      g_autofree char *path = g_build_filename (from, name, NULL);

      if (!g_file_get_contents (path, &file.data, &file.size, NULL))
        exit (2);
      g_array_append_val (files, file);
    }
  g_array_sort (files, compare_names);
  return files;
}

static void
show (File *file, gsize n)
{
  g_autofree char *mode = g_strdup (file->shown > 0 ? "ab" : "wb");
  FILE *stream = fopen (file->path, mode);

  if (stream == NULL || fwrite (file->data + file->shown, 1, n, stream) != n || fclose (stream) != 0)
    exit (2);
  file->shown += n;
}

/* A segment begins when the one before it is complete. */
static gboolean
may_grow (GArray *files, guint index)
{
  const File *file = &g_array_index (files, File, index);
  CsTraceNameParts own, other;
  g_autofree char *name = g_path_get_basename (file->path);

  if (file->shown == file->size)
    return FALSE;
  cs_trace_name_parse (name, &own);
  for (guint i = 0; i < files->len; i++)
    {
      const File *before = &g_array_index (files, File, i);
      g_autofree char *before_name = g_path_get_basename (before->path);

      cs_trace_name_parse (before_name, &other);
      if (other.kind == own.kind && other.pid == own.pid && other.tid == own.tid && other.seq < own.seq &&
          before->shown < before->size)
        return FALSE;
    }
  return TRUE;
}

static gboolean
have_ticks (GArray *files)
{
  for (guint i = 0; i < files->len; i++)
    {
      const File *file = &g_array_index (files, File, i);
      g_autofree char *name = g_path_get_basename (file->path);
      CsTraceNameParts parts;

      if (cs_trace_name_parse (name, &parts) == CS_TRACE_NAME_EVENTS && (file->data[20] & 1 || file->data[23] & 1))
        return TRUE;
    }
  return FALSE;
}

static void
grow (const char *from, const char *to, guint32 seed)
{
  g_autoptr (CsLive) live = live_new (to);
  g_autoptr (GArray) files = read_files (from, to);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  gboolean fixed = !have_ticks (files);

  for (;;)
    {
      g_autoptr (CsProfile) profile = NULL;
      gboolean left = FALSE;

      for (guint i = 0; i < files->len; i++)
        {
          File *file = &g_array_index (files, File, i);

          if (may_grow (files, i) && g_rand_boolean (rand))
            {
              gsize n = (gsize) g_rand_int_range (rand, 1, 4000);

              show (file, MIN (file->size - file->shown, n));
            }
          left |= file->shown < file->size;
        }
      profile = refresh (live);
      if (profile != NULL && (fixed || !left))
        compare (profile, to);
      if (!left)
        break;
    }
}

static void
steps (const char *from, const char *to)
{
  g_autoptr (CsLive) live = live_new (to);

  for (guint step = 0;; step++)
    {
      g_autofree char *name = g_strdup_printf ("%u", step);
      g_autofree char *folder = g_build_filename (from, name, NULL);
      g_autoptr (GArray) files = NULL;
      g_autoptr (CsProfile) profile = NULL;

      if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
        break;
      files = read_files (folder, to);
      for (guint i = 0; i < files->len; i++)
        {
          const File *file = &g_array_index (files, File, i);

          /* In place: it is the same file. */
          FILE *stream = fopen (file->path, "wb");

          if (stream == NULL || fwrite (file->data, 1, file->size, stream) != file->size || fclose (stream) != 0)
            exit (2);
        }
      profile = refresh (live);
      if (profile == NULL)
        exit (2);
      compare (profile, to);
    }
}

static void
watch (const char *folder, int pid, gboolean wraps)
{
  g_autoptr (CsLive) live = live_new (folder);
  g_autoptr (CsProfile) last = NULL;

  while (kill (pid, 0) == 0)
    {
      CsProfile *profile = refresh (live);

      g_clear_object (&profile);
      g_usleep (5000);
    }
  last = refresh (live);
  if (last == NULL)
    exit (2);
  if (wraps)
    compare_wrapped (last, folder);
  else
    compare (last, folder);
}

int
main (int argc, char **argv)
{
  gboolean grows;

  if (argc > 1 && g_str_equal (argv[1], "-t"))
    {
      options.timeline = options.no_cache = TRUE;
      argv++;
      argc--;
    }
  grows = argc > 1 && g_str_equal (argv[1], "grow");

  if (argc == (grows ? 7 : 6))
    {
      options.filter = (CsProfileFilter){ .has_from = TRUE, .has_to = TRUE, .relative = TRUE };
      options.filter.from = g_ascii_strtoll (argv[argc - 2], NULL, 10);
      options.filter.to = g_ascii_strtoll (argv[argc - 1], NULL, 10);
      argc -= 2;
    }
  if (argc == 5 && grows)
    grow (argv[2], argv[3], (guint32) atoi (argv[4]));
  else if (argc == 4 && g_str_equal (argv[1], "steps"))
    steps (argv[2], argv[3]);
  else if (argc == 4 && (g_str_equal (argv[1], "watch") || g_str_equal (argv[1], "wrap")))
    watch (argv[2], atoi (argv[3]), g_str_equal (argv[1], "wrap"));
  else
    return 2;
  printf ("refreshes=%u compared=%u read=%" G_GUINT64_FORMAT "\n", n_refreshes, n_compared, n_read);
  return 0;
}
