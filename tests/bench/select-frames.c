/* SPDX-License-Identifier: MIT */
/* select-frames FOLDER [FILES]: the main loop of the app while a large source tree is scanned and shown.
 *
 * With FILES the folder is made, with so many files of ten functions each, 250 in a folder. A window opens it, and while it
 * is scanned scrolls both panes; then it filters, ticks, and opens what is large. For each part the longest time that the
 * main loop was away is told, of the wall clock and of the thread's CPU time, how many were over 16 ms, and when the first
 * rows were there. */
#include "config.h"

#include <glib/gstdio.h>
#include <time.h>

#include "select/cs-select-view.h"
#include "window/cs-window.h"

#define FRAME_US 16000

/* Of one part. */
static struct
{
  gint64 begun, longest, longest_cpu;
  guint over, over_cpu, dispatches;
} part;

static gint64 last_wall, last_cpu;

static gint64
get_cpu (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * G_GINT64_CONSTANT (1000000) + t.tv_nsec / 1000;
}

static void
count (void)
{
  gint64 wall = g_get_monotonic_time () - last_wall, cpu = get_cpu () - last_cpu;

  part.dispatches++;
  part.longest = MAX (part.longest, wall);
  part.longest_cpu = MAX (part.longest_cpu, cpu);
  part.over += wall > FRAME_US;
  part.over_cpu += cpu > FRAME_US;
  if (g_getenv ("VERBOSE") != NULL && cpu > FRAME_US)
    g_print ("    %.1f ms (%.1f ms of CPU) at %.2f s\n", (double) wall / 1e3, (double) cpu / 1e3,
             (double) (g_get_monotonic_time () - part.begun) / 1e6);
}

/* The loop's poll: all between two of them is work of the loop. */
static gint
watch_poll (GPollFD *fds, guint n, gint timeout)
{
  gint result;

  count ();
  result = g_poll (fds, n, timeout);
  last_wall = g_get_monotonic_time ();
  last_cpu = get_cpu ();
  return result;
}

static void
begin (void)
{
  part.begun = g_get_monotonic_time ();
  part.longest = part.longest_cpu = 0;
  part.over = part.over_cpu = part.dispatches = 0;
  last_wall = part.begun;
  last_cpu = get_cpu ();
}

static void
tell (const char *name)
{
  /* What was done last. */
  count ();
  g_print ("%-26s %6.2f s, longest %6.1f ms (%6.1f ms of CPU), over 16 ms: %u (%u by CPU) of %u\n", name,
           (double) (g_get_monotonic_time () - part.begun) / 1e6, (double) part.longest / 1e3,
           (double) part.longest_cpu / 1e3, part.over, part.over_cpu, part.dispatches);
}

static void
make_tree (const char *folder, guint n_files)
{
  for (guint i = 0; i < n_files; i++)
    {
      g_autofree char *above = g_strdup_printf ("%s/src/part%02u/group%03u", folder, i / 5000, i / 250);
      g_autofree char *path = g_strdup_printf ("%s/file%05u.c", above, i);
      g_autoptr (GString) text = g_string_new ("/* made */\n");

      if (i % 250 == 0 && g_mkdir_with_parents (above, 0755) != 0)
        g_error ("%s: can't be made", above);
      for (guint k = 0; k < 10; k++)
        g_string_append_printf (text, "%sint\nwork_%u_%u (int n)\n{\n  return n + %u;\n}\n\n", k % 3 == 0 ? "static " : "", i, k, k);
      if (!g_file_set_contents (path, text->str, (gssize) text->len, NULL))
        g_error ("%s: can't be written", path);
    }
}

static void
run_for (gint64 us)
{
  gint64 end = g_get_monotonic_time () + us;

  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE) ? (void) 0 : g_usleep (500);
}

static gboolean
is_busy (CsChooser *chooser)
{
  return cs_chooser_get_choosing (chooser) || cs_chooser_get_editing (chooser);
}

static void
settle (CsChooser *chooser)
{
  do
    run_for (300000);
  while (is_busy (chooser));
}

static void
scroll (GtkListView *list, double share)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (list));

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment) * share);
}

static void
scan (CsSelectView *view, CsChooser *chooser)
{
  GtkListView *files = cs_files_pane_get_list (cs_select_view_get_files (view));
  GtkListView *functions = cs_functions_pane_get_list (cs_select_view_get_functions (view));
  CsSourceRows *rows = cs_functions_pane_get_rows (cs_select_view_get_functions (view));
  gint64 first_files = 0, first_functions = 0, start = g_get_monotonic_time ();
  double share = 0;

  while (cs_chooser_get_state (chooser) != CS_CHOOSER_READY || is_busy (chooser))
    {
      run_for (20000);
      if (first_files == 0 && cs_chooser_get_n_files (chooser) > 0)
        first_files = g_get_monotonic_time () - start;
      if (first_functions == 0 && g_list_model_get_n_items (G_LIST_MODEL (rows)) > 0)
        first_functions = g_get_monotonic_time () - start;
      share = share > .9 ? 0 : share + .01;
      scroll (files, share);
      scroll (functions, share);
    }
  g_print ("first files after %.2f s, first functions after %.2f s\n", (double) first_files / 1e6,
           (double) first_functions / 1e6);
}

static void
act (CsSelectView *view, CsChooser *chooser)
{
  CsFilesPane *files = cs_select_view_get_files (view);
  CsFunctionsPane *functions = cs_select_view_get_functions (view);
  GtkTreeListModel *rows = cs_file_tree_get_rows (cs_files_pane_get_tree (files));

  begin ();
  settle (chooser);
  tell ("at rest");

  begin ();
  for (double share = 0; share < 1; share += .02)
    {
      scroll (cs_functions_pane_get_list (functions), share);
      run_for (20000);
    }
  tell ("scrolling functions");

  begin ();
  cs_functions_pane_set_filter (functions, "_7");
  settle (chooser);
  tell ("filter of functions");
  begin ();
  cs_functions_pane_set_filter (functions, "");
  settle (chooser);
  tell ("and off");

  begin ();
  cs_files_pane_set_filter (files, "7.c");
  settle (chooser);
  tell ("filter of files");
  begin ();
  cs_files_pane_set_filter (files, "");
  settle (chooser);
  tell ("and off");

  begin ();
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (rows)) && i < 60; i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (rows), i);

      cs_file_tree_set_expanded (cs_files_pane_get_tree (files), row, TRUE);
      run_for (20000);
    }
  tell ("opening folders");

  begin ();
  gtk_widget_activate_action (GTK_WIDGET (view), "select.none-files", NULL);
  settle (chooser);
  tell ("no file");
  begin ();
  gtk_widget_activate_action (GTK_WIDGET (view), "select.undo", NULL);
  settle (chooser);
  tell ("undo");
  begin ();
  cs_chooser_set_functions (chooser, (guint32[]){ 100 }, 1, CS_FUNCTION_OFF, 0);
  settle (chooser);
  tell ("a function");
}

int
main (int argc, char **argv)
{
  CsWindow *window;
  CsSelectView *view;
  CsChooser *chooser;

  if (argc < 2)
    {
      g_printerr ("select-frames FOLDER [FILES]\n");
      return 2;
    }
  if (argc > 2)
    make_tree (argv[1], (guint) g_ascii_strtoull (argv[2], NULL, 10));
  adw_init ();
  window = cs_window_new (NULL);
  view = CS_SELECT_VIEW (cs_window_get_view (window, "select"));
  gtk_window_present (GTK_WINDOW (window));
  run_for (500000);
  g_main_context_set_poll_func (NULL, watch_poll);
  begin ();
  cs_session_open_project (cs_window_get_session (window), argv[1]);
  cs_session_show_view (cs_window_get_session (window), "select");
  chooser = cs_project_get_chooser (cs_session_get_project (cs_window_get_session (window)));
  scan (view, chooser);
  tell ("scan, scrolled");
  act (view, chooser);
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
