/* SPDX-License-Identifier: MIT */
/* How long the desktop app's main loop is blocked while it reads what it is given, and how much
 * memory it takes:
 *
 *   app-blocks FOLDER|RECORDING [SECONDS [MS]]
 *
 * opens it in a window, waits until all is there, and scrolls through the lists. A source asks to be
 * called each millisecond; what it is late is a block, and what of that the main thread worked is told, too. Of blocks over MS the stacks are printed, too.
 * Needs a display. */
#include "config.h"

#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "window/cs-application.h"
#include "window/cs-window.h"

#define TICK_MS 1
#define BUCKETS 5

typedef struct
{
  CsWindow *window;
  const char *phase;
  gint64 started, last; /* us */
  gint64 longest;
  gint64 longest_at; /* us from the start */
  gint64 last_work, longest_work, work_at; /* us: of the main thread's processor time */
  guint over[BUCKETS];
  guint ticks;
  double seconds;
  gboolean quiet;
  guint scrolls;
} Watch;

static const gint64 limits[BUCKETS] = { 4000, 8000, 16000, 33000, 50000 };

static double
read_rss_mb (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL) || (line = strstr (text, "VmRSS:")) == NULL)
    return 0;
  return (double) g_ascii_strtoll (line + 6, NULL, 10) / 1024;
}

/* What of the time the main thread worked, and didn't wait for a processor. */
static gint64
read_work (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (gint64) t.tv_sec * G_USEC_PER_SEC + t.tv_nsec / 1000;
}

static void
end_phase (Watch *watch, const char *next)
{
  printf ("%-8s %7.2f s   longest block %6.1f ms (at %.2f s), of work %5.1f ms (at %.2f s)   over 4/8/16/33/50 ms: "
          "%u/%u/%u/%u/%u   RSS %.0f MB\n",
          watch->phase, (double) (g_get_monotonic_time () - watch->started) / 1e6, (double) watch->longest / 1e3,
          (double) watch->longest_at / 1e6, (double) watch->longest_work / 1e3,
          (double) watch->work_at / 1e6, watch->over[0], watch->over[1], watch->over[2], watch->over[3], watch->over[4],
          read_rss_mb ());
  fflush (stdout);
  watch->phase = next;
  watch->longest = watch->longest_work = 0;
  memset (watch->over, 0, sizeof watch->over);
}

static gint64 last_tick; /* us, atomic */
static pthread_t main_thread;

static void
print_stack (int number)
{
  void *frames[64];
  int n = backtrace (frames, G_N_ELEMENTS (frames));

  backtrace_symbols_fd (frames + 2, n - 2, STDERR_FILENO);
  if (write (STDERR_FILENO, "\n", 1) < 0)
    return;
}

static gpointer
find_blocks (gpointer data)
{
  gint64 limit = GPOINTER_TO_INT (data) * 1000, told = 0;

  for (;;)
    {
      gint64 last = __atomic_load_n (&last_tick, __ATOMIC_RELAXED);

      if (last != told && g_get_monotonic_time () - last > limit)
        {
          told = last;
          pthread_kill (main_thread, SIGUSR1);
        }
      g_usleep (1000);
    }
  return NULL;
}

static gboolean
tick (gpointer user_data)
{
  Watch *watch = user_data;
  gint64 now = g_get_monotonic_time ();
  gint64 block = now - watch->last - TICK_MS * 1000;
  gint64 work = read_work ();

  watch->ticks++;
  if (block > watch->longest)
    {
      watch->longest = block;
      watch->longest_at = now - watch->started;
    }
  for (guint i = 0; i < BUCKETS; i++)
    watch->over[i] += block > limits[i];
  if (work - watch->last_work > watch->longest_work)
    {
      watch->longest_work = work - watch->last_work;
      watch->work_at = now - watch->started;
    }
  watch->last_work = work;
  watch->last = now;
  __atomic_store_n (&last_tick, now, __ATOMIC_RELAXED);
  return G_SOURCE_CONTINUE;
}

static void
scroll_widget (GtkWidget *widget, double share)
{
  if (GTK_IS_SCROLLED_WINDOW (widget))
    {
      GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (widget));

      gtk_adjustment_set_value (adjustment, share * gtk_adjustment_get_upper (adjustment));
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_mapped (child))
      scroll_widget (child, share);
}

static gboolean
is_ready (Watch *watch)
{
  CsSession *session = cs_window_get_session (watch->window);
  CsProject *project = cs_session_get_project (session);
  CsChooserState state;

  if (project == NULL)
    return cs_session_get_state (session) == CS_SESSION_READY || cs_session_get_state (session) == CS_SESSION_FAILED;
  state = cs_chooser_get_state (cs_project_get_chooser (project));
  return (state == CS_CHOOSER_READY && !cs_chooser_get_choosing (cs_project_get_chooser (project)))
         || state == CS_CHOOSER_FAILED;
}

static gboolean
look (gpointer user_data)
{
  Watch *watch = user_data;

  if (g_str_equal (watch->phase, "start") && watch->ticks > 100)
    {
      end_phase (watch, "read");
      return G_SOURCE_CONTINUE;
    }
  if (g_str_equal (watch->phase, "read") && is_ready (watch))
    end_phase (watch, "settle");
  else if (g_str_equal (watch->phase, "settle"))
    {
      if (++watch->scrolls == 20)
        end_phase (watch, "scroll");
    }
  else if (g_str_equal (watch->phase, "scroll"))
    {
      scroll_widget (GTK_WIDGET (watch->window), (double) (watch->scrolls - 20) / 40);
      if (++watch->scrolls == 60)
        {
          end_phase (watch, "end");
          gtk_window_destroy (GTK_WINDOW (watch->window));
          return G_SOURCE_REMOVE;
        }
    }
  if ((double) (g_get_monotonic_time () - watch->started) / 1e6 > watch->seconds)
    {
      end_phase (watch, "end");
      gtk_window_destroy (GTK_WINDOW (watch->window));
      return G_SOURCE_REMOVE;
    }
  return G_SOURCE_CONTINUE;
}

int
main (int argc, char **argv)
{
  Watch watch = { .phase = "start", .seconds = argc > 2 ? atof (argv[2]) : 120 };
  g_autoptr (GFile) file = NULL;

  if (argc < 2 || !gtk_init_check ())
    {
      fputs (argc < 2 ? "usage: app-blocks FOLDER|RECORDING [SECONDS]\n" : "app-blocks: there is no display\n", stderr);
      return 2;
    }
  adw_init ();
  file = g_file_new_for_commandline_arg (argv[1]);
  watch.window = cs_window_new (NULL);
  gtk_window_present (GTK_WINDOW (watch.window));
  watch.last_work = read_work ();
  watch.started = watch.last = g_get_monotonic_time ();
  if (argc > 3)
    {
      void *frame;

      backtrace (&frame, 1); /* loads what it needs */
      signal (SIGUSR1, print_stack);
      main_thread = pthread_self ();
      last_tick = watch.started;
      g_thread_unref (g_thread_new ("blocks", find_blocks, GINT_TO_POINTER (atoi (argv[3]))));
    }
  g_timeout_add_full (G_PRIORITY_HIGH, TICK_MS, tick, &watch, NULL);
  g_timeout_add (50, look, &watch);
  cs_window_open_files (watch.window, &file, 1);
  while (g_list_model_get_n_items (gtk_window_get_toplevels ()) > 0)
    g_main_context_iteration (NULL, TRUE);
  return 0;
}
