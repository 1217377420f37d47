/* SPDX-License-Identifier: MIT */
/*
 * live FOLDER N…: what a refresh of a recording that grows costs, by the size that it has.
 *
 * For each N (millions of events) writes a recording of that size into FOLDER, reads it, and
 * then nine times adds 100,000 events and refreshes. Prints the first refresh and the median of
 * the others, beside the time that a profile from nothing takes. FOLDER has to be empty; what was
 * written is removed.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/cs-live.h"

#define ADDED 100000u
#define ROUNDS 9
#define FUNCTIONS 50
#define DEEPEST 8

typedef struct
{
  FILE *file;
  guint64 functions[DEEPEST];
  guint depth;
  guint64 ns;
  guint32 random;
} Writer;

static guint32
next_random (Writer *self)
{
  self->random = self->random * 1664525u + 1013904223u;
  return self->random >> 8;
}

static void
write_events (Writer *self, guint64 n)
{
  for (guint64 i = 0; i < n; i++)
    {
      gboolean enter = self->depth == 0 || (self->depth < DEEPEST && next_random (self) % 2 == 0);
      struct trace_event event = { .tid = 1, .kind = enter ? TRACE_KIND_ENTER : TRACE_KIND_EXIT };

      if (enter)
        {
          guint64 around = self->depth > 0 ? self->functions[self->depth - 1] / 16 : 0;

          /* Each calls two others. */
          self->functions[self->depth++] = 0x1000 + 16 * ((around * 7 + next_random (self) % 2) % FUNCTIONS);
        }
      event.ts = self->ns += next_random (self) % 100;
      event.func = self->functions[enter ? self->depth - 1 : --self->depth];
      event.caller = event.func + 4;
      if (fwrite (&event, sizeof event, 1, self->file) != 1)
        exit (2);
    }
  fflush (self->file);
}

static double
seconds (gint64 since)
{
  return (double) (g_get_monotonic_time () - since) / 1e6;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const double *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

static void
measure (const char *folder, const char *path, guint64 millions)
{
  const char *const paths[] = { folder, NULL };
  struct trace_header header = { .magic = TRACE_MAGIC, .version = TRACE_VERSION, .event_size = TRACE_EVENT_SIZE,
                                 .header_size = TRACE_HEADER_SIZE, .flags = TRACE_FLAG_THREAD_START, .pid = 1 };
  const CsProfileOptions options = { 0 };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsLive) live = cs_live_new (paths, symbolizer, &options);
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (CsProfile) fresh = NULL;
  g_autoptr (CsProfile) first = NULL;
  Writer writer = { .file = fopen (path, "wb"), .random = 1 };
  double times[ROUNDS], first_time, fresh_time;
  gint64 start;

  if (writer.file == NULL || fwrite (&header, TRACE_HEADER_SIZE, 1, writer.file) != 1)
    exit (2);
  write_events (&writer, millions * 1000000);
  start = g_get_monotonic_time ();
  first = cs_live_refresh (live, NULL, NULL);
  first_time = seconds (start);
  for (guint i = 0; i < ROUNDS; i++)
    {
      g_autoptr (CsProfile) profile = NULL;

      write_events (&writer, ADDED);
      start = g_get_monotonic_time ();
      profile = cs_live_refresh (live, NULL, NULL);
      times[i] = seconds (start);
      if (profile == NULL || cs_live_get_n_read (live) != ADDED)
        exit (1);
    }
  qsort (times, ROUNDS, sizeof *times, compare);
  start = g_get_monotonic_time ();
  recording = cs_recording_open (paths, NULL, NULL);
  fresh = cs_profile_new (recording, symbolizer, &options, NULL, NULL, NULL);
  fresh_time = seconds (start);
  printf ("%6" G_GUINT64_FORMAT " M events: first %8.1f ms, refresh with %u new ones %6.2f ms (%.2f … %.2f), from nothing %8.1f ms\n",
          millions, first_time * 1e3, ADDED, times[ROUNDS / 2] * 1e3, times[0] * 1e3, times[ROUNDS - 1] * 1e3,
          fresh_time * 1e3);
  fflush (stdout);
  fclose (writer.file);
  remove (path);
}

int
main (int argc, char **argv)
{
  g_autofree char *path = NULL;

  if (argc < 3 || !g_file_test (argv[1], G_FILE_TEST_IS_DIR))
    {
      fprintf (stderr, "live FOLDER N…: an empty folder, and sizes in millions of events\n");
      return 2;
    }
  path = g_build_filename (argv[1], "trace.1.1.0.bin", NULL);
  for (int i = 2; i < argc; i++)
    measure (argv[1], path, g_ascii_strtoull (argv[i], NULL, 10));
  return 0;
}
