/* SPDX-License-Identifier: MIT */
/*
 * What the pass over events costs alone: no symbols, no report.
 *
 * pass [--sites] [--rounds N] PATH… reads each recording a few times in turns, of one processor, and prints the
 * best time an event, as the thread's processor time and without what opening the recording takes.
 */
#include "config.h"

#include <stdlib.h>
#include <time.h>

#include "profile/cs-track-pass.h"

static gboolean call_sites;
static int n_rounds = 5;

static const GOptionEntry entries[] = {
  { "sites", 0, 0, G_OPTION_ARG_NONE, &call_sites, "Call sites are counted", NULL },
  { "rounds", 0, 0, G_OPTION_ARG_INT, &n_rounds, "How often each is read", "N" },
  { NULL },
};

/* ns of this thread. */
static gint64
cpu_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Reads a recording once. Returns what that took, ns. */
static gint64
read_all (CsRecording *recording, guint64 *n_events)
{
  GPtrArray *processes = cs_recording_get_processes (recording), *tracks = cs_recording_get_tracks (recording);
  g_autofree CsClock *clocks = g_new0 (CsClock, processes->len);
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsLandings) landings = cs_landings_new (symbolizer);
  g_autoptr (CsTrackPass) pass = NULL;
  guint serial = 0;
  guint64 bytes = 0;
  gint64 begun;

  for (guint i = 0; i < processes->len; i++)
    clocks[i] = ((const CsProcess *) g_ptr_array_index (processes, i))->clock;
  pass = cs_track_pass_new (recording, clocks, landings, NULL, 5, &serial, &bytes);
  pass->no_sites = !call_sites;
  begun = cpu_time ();
  for (guint i = 0; i < tracks->len; i++)
    cs_track_pass_run (pass, g_ptr_array_index (tracks, i), NULL);
  begun = cpu_time () - begun;
  *n_events = 0;
  for (guint i = 0; i < pass->threads->len; i++)
    {
      const CsPassThread *thread = g_ptr_array_index (pass->threads, i);

      *n_events += thread->enters + thread->exits;
    }
  return begun;
}

int
main (int argc, char *argv[])
{
  g_autoptr (GOptionContext) context = g_option_context_new ("PATH…");
  g_autoptr (GError) error = NULL;
  g_autofree gint64 *best = NULL;
  g_autofree guint64 *events = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc < 2)
    {
      g_printerr ("%s\n", error != NULL ? error->message : "usage: pass [--sites] [--rounds N] PATH…");
      return 2;
    }
  best = g_new (gint64, argc);
  events = g_new (guint64, argc);
  for (int round = 0; round < n_rounds; round++)
    for (int i = 1; i < argc; i++)
      {
        const char *paths[] = { argv[i], NULL };
        g_autoptr (CsRecording) recording = cs_recording_open (paths, NULL, &error);
        gint64 ns;

        if (recording == NULL)
          {
            g_printerr ("%s\n", error->message);
            return 2;
          }
        ns = read_all (recording, &events[i]);
        best[i] = round == 0 ? ns : MIN (best[i], ns);
      }
  for (int i = 1; i < argc; i++)
    g_print ("%-30s %12" G_GUINT64_FORMAT " events, %6.2f ns each, %6.1f M a second\n", argv[i], events[i],
             (double) best[i] / (double) events[i], (double) events[i] * 1e3 / (double) best[i]);
  return 0;
}
