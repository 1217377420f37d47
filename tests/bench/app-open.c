/* SPDX-License-Identifier: MIT */
/*
 * app-open FOLDER [VIEW]: opens a recording in a real window that shows a view (flame-graph, timeline, hotspots …;
 * timeline if it isn't given), and prints when what is there, ms of wall time since the window was told to open it:
 * the first profile and the first index of time, partial ones if it takes long; the first frame of the window behind
 * these, and what the main thread worked for it; how many parts came; the whole; and the longest time in which the main loop did nothing else.
 *
 * To be run with GDK_BACKEND=x11 under Xvfb, and with an XDG_CACHE_HOME of its own: with an empty one the index of
 * time is made, with the same once more it is there at once.
 */
#include "config.h"

#include <adwaita.h>
#include <sys/resource.h>

#include "window/cs-window.h"

typedef struct
{
  CsSession *session;
  gint64 start; /* µs */
  double profile, timeline, frame; /* ms; 0: not yet */
  double done;  /* what part was read of the first profile */
  guint n_parts;
  gint64 last_turn; /* µs: when the main loop was here last */
  double longest;   /* ms */
  double work_begin, work; /* ms: processor time of the main thread, until that frame */
} Bench;

static double
now_ms (const Bench *self)
{
  return (double) (g_get_monotonic_time () - self->start) / 1e3;
}

static void
on_profile (CsSession *session, GParamSpec *pspec, Bench *self)
{
  CsProfile *profile = cs_session_get_profile (session);

  if (profile == NULL)
    return;
  self->n_parts += cs_profile_is_partial (profile);
  if (self->profile > 0)
    return;
  self->profile = now_ms (self);
  self->done = cs_profile_get_done (profile);
}

static void
on_timeline (CsSession *session, GParamSpec *pspec, Bench *self)
{
  if (self->timeline <= 0 && cs_session_get_timeline (session) != NULL)
    self->timeline = now_ms (self);
}

static double
work_ms (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static void
on_painted (GdkFrameClock *clock, Bench *self)
{
  if (self->frame <= 0 && self->profile > 0 && self->timeline > 0)
    {
      self->frame = now_ms (self);
      self->work = work_ms () - self->work_begin;
    }
}

static gboolean
on_turn (gpointer data)
{
  Bench *self = data;
  gint64 now = g_get_monotonic_time ();

  if (self->last_turn != 0)
    self->longest = MAX (self->longest, (double) (now - self->last_turn) / 1e3);
  self->last_turn = now;
  return G_SOURCE_CONTINUE;
}

static double
cpu_ms (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static void
iterate (double ms)
{
  gint64 end = g_get_monotonic_time () + (gint64) (ms * 1e3);

  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE) ? (void) 0 : g_usleep (500);
}

int
main (int argc, char **argv)
{
  Bench bench = { 0 };
  g_autoptr (GFile) file = NULL;
  CsWindow *window;
  double cpu;

  if (argc < 2)
    return 2;
  adw_init ();
  window = cs_window_new (NULL);
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 900);
  gtk_window_present (GTK_WINDOW (window));
  iterate (500);
  bench.session = cs_window_get_session (window);
  g_signal_connect (bench.session, "notify::profile", G_CALLBACK (on_profile), &bench);
  g_signal_connect (bench.session, "notify::timeline", G_CALLBACK (on_timeline), &bench);
  g_signal_connect (gtk_widget_get_frame_clock (GTK_WIDGET (window)), "after-paint", G_CALLBACK (on_painted), &bench);
  cs_window_get_view (window, argc > 2 ? argv[2] : "timeline");
  file = g_file_new_for_commandline_arg (argv[1]);
  cpu = cpu_ms ();
  bench.work_begin = work_ms ();
  bench.start = g_get_monotonic_time ();
  g_timeout_add (1, on_turn, &bench);
  cs_window_open_files (window, &file, 1);
  while (cs_session_get_state (bench.session) < CS_SESSION_READING)
    g_main_context_iteration (NULL, TRUE);
  cs_session_show_view (bench.session, argc > 2 ? argv[2] : "timeline");
  while (cs_session_is_reading (bench.session))
    g_main_context_iteration (NULL, TRUE);
  g_print ("first profile: %.0f ms, with %.0f %% read\n", bench.profile, bench.done * 100);
  g_print ("first index of time: %.0f ms\n", bench.timeline);
  g_print ("whole: %.0f ms, after %u parts; %.0f ms of processor time\n", now_ms (&bench), bench.n_parts,
           cpu_ms () - cpu);
  while (bench.frame <= 0 && now_ms (&bench) < 60000)
    g_main_context_iteration (NULL, FALSE);
  g_print ("first frame behind these: %.0f ms; %.0f ms of processor time of the main thread until then\n", bench.frame,
           bench.work);
  g_print ("longest turn of the main loop: %.0f ms\n", bench.longest);
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
