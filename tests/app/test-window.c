/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "shared/cs-format.h"
#include "tables/cs-function-item.h"
#include "tables/cs-hotspots-view.h"
#include "session/cs-session-private.h"
#include "test-display.h"
#include "test-pointer.h"
#include "test-recording.h"
#include "window/cs-window.h"

/* A recording of one thread: `main` calls `leaf` n times, 3 ns each, 10 ns apart; with an exit
 * too many, so that there is a notice. */
static char *
write_recording (guint n)
{
  GByteArray *recording = test_recording_new ();

  test_recording_add (recording, 0, 0x9000, TRACE_KIND_EXIT);
  test_recording_add (recording, 0, 0x1000, TRACE_KIND_ENTER);
  for (guint i = 0; i < 2 * n; i++)
    test_recording_add (recording, 10 * (i / 2) + (i % 2 ? 3 : 0), 0x2000, i % 2);
  test_recording_add (recording, 10 * n, 0x1000, TRACE_KIND_EXIT);
  return test_recording_write (recording);
}

static void
open_and_wait (CsWindow *window, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  CsSession *session = cs_window_get_session (window);

  cs_window_open_files (window, &file, 1);
  while (cs_session_get_paths (session) == NULL || !g_str_equal (cs_session_get_paths (session)[0], path)
         || cs_session_is_reading (session))
    g_main_context_iteration (NULL, TRUE);
}

static const CsFunction *
get_row (CsWindow *window, guint i)
{
  GListModel *model = cs_hotspots_view_get_model (CS_HOTSPOTS_VIEW (cs_window_get_view (window, "hotspots")));
  g_autoptr (CsFunctionItem) item = g_list_model_get_item (model, i);

  return cs_function_item_get_function (item);
}

static guint
get_n_rows (CsWindow *window)
{
  return g_list_model_get_n_items (cs_hotspots_view_get_model (CS_HOTSPOTS_VIEW (cs_window_get_view (window, "hotspots"))));
}

static gboolean
is_focus_in (CsWindow *window, const char *view)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));

  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (cs_window_get_view (window, view)));
}

static void
test_empty (void)
{
  SKIP_WITHOUT_DISPLAY ();
  CsWindow *window = cs_window_new (NULL);

  gtk_window_present (GTK_WINDOW (window));
  g_assert_cmpstr (cs_window_get_page (window), ==, "welcome");
  g_assert_cmpuint (get_n_rows (window), ==, 0);
  /* The keyboard begins in the view, not in the header bar. */
  g_assert_true (is_focus_in (window, "welcome"));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The keyboard is in the table, also after the table went for a page that told of a reading. */
static void
test_focus (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *folder = write_recording (1000);
  CsWindow *window = cs_window_new (NULL);
  CsSession *session = cs_window_get_session (window);

  gtk_window_present (GTK_WINDOW (window));
  open_and_wait (window, folder);
  g_assert_true (is_focus_in (window, "hotspots"));
  cs_session_reload (session);
  while (cs_session_is_reading (session))
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (is_focus_in (window, "hotspots"));
  gtk_window_destroy (GTK_WINDOW (window));
  test_recording_remove (folder);
}

static void
test_report (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *folder = write_recording (1000);
  CsWindow *window = cs_window_new (NULL);
  CsHotspotsView *hotspots = CS_HOTSPOTS_VIEW (cs_window_get_view (window, "hotspots"));

  gtk_window_present (GTK_WINDOW (window));
  open_and_wait (window, folder);
  g_assert_cmpstr (cs_window_get_page (window), ==, "hotspots");
  g_assert_cmpuint (get_n_rows (window), ==, 2);

  /* By self time at first. */
  g_assert_cmpstr (get_row (window, 0)->location.name, ==, "0x1000");
  g_assert_cmpuint (get_row (window, 0)->self, ==, 7000);
  g_assert_cmpuint (get_row (window, 1)->self, ==, 3000);

  cs_hotspots_view_set_search (hotspots, "0X2");
  g_assert_cmpuint (get_n_rows (window), ==, 1);
  g_assert_cmpstr (get_row (window, 0)->location.name, ==, "0x2000");
  cs_hotspots_view_set_search (hotspots, "");
  g_assert_cmpuint (get_n_rows (window), ==, 2);

  gtk_window_destroy (GTK_WINDOW (window));
  test_recording_remove (folder);
}

/* The page shows how far the reading is, whatever else goes on meanwhile. */
static void
on_reading (CsWindow *window)
{
  GtkProgressBar *bar = GTK_PROGRESS_BAR (gtk_widget_get_template_child (GTK_WIDGET (window), CS_TYPE_WINDOW, "progress"));
  CsSession *session = cs_window_get_session (window);
  g_autoptr (CsJob) other = NULL;

  if (cs_session_get_state (session) != CS_SESSION_READING)
    return;
  cs_session_set_progress (session, 0.25);
  other = cs_jobs_begin (cs_session_get_jobs (session), "Building", NULL);
  cs_job_set_progress (other, 0.75);
  g_assert_cmpfloat_with_epsilon (gtk_progress_bar_get_fraction (bar), 0.25, 1e-9);
  cs_job_finish (other);
  g_object_set_data (G_OBJECT (window), "told", GINT_TO_POINTER (TRUE));
}

static void
test_progress (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *folder = write_recording (10);
  CsWindow *window = cs_window_new (NULL);

  g_signal_connect_object (cs_window_get_session (window), "notify::state", G_CALLBACK (on_reading), window,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (window));
  open_and_wait (window, folder);
  g_assert_nonnull (g_object_get_data (G_OBJECT (window), "told"));
  gtk_window_destroy (GTK_WINDOW (window));
  test_recording_remove (folder);
}

static void
check_buttons (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget))
    {
      g_assert_false (gtk_button_get_use_underline (GTK_BUTTON (widget)) && gtk_button_get_label (GTK_BUTTON (widget)) != NULL
                      && strchr (gtk_button_get_label (GTK_BUTTON (widget)), '_') != NULL);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    check_buttons (child);
}

/* GTK 4.8 takes the underline of a button's label into the name that it tells assistive technology. */
static void
test_button_names (void)
{
  SKIP_WITHOUT_DISPLAY ();
  CsWindow *window = cs_window_new (NULL);

  check_buttons (GTK_WIDGET (window));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_error_and_then_another (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *folder = write_recording (10);
  g_autoptr (GFile) missing = g_file_new_for_path ("/no/such <folder> & such");
  CsWindow *window = cs_window_new (NULL);

  gtk_window_present (GTK_WINDOW (window));
  cs_window_open_files (window, &missing, 1);
  for (guint i = 0; i < 100; i++)
    {
      g_usleep (1000);
      g_main_context_iteration (NULL, FALSE);
    }
  g_assert_cmpstr (cs_window_get_page (window), ==, "welcome");
  open_and_wait (window, folder);
  g_assert_cmpstr (cs_window_get_page (window), ==, "hotspots");
  gtk_window_destroy (GTK_WINDOW (window));
  test_recording_remove (folder);
}

static gboolean
shows_text (GtkWidget *widget, const char *part)
{
  if (GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), part) != NULL)
    return gtk_widget_get_mapped (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (shows_text (child, part))
      return TRUE;
  return FALSE;
}

/* What is cut off in the middle of a record is shown as far as it goes, and said. */
static void
test_half_written (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *folder = write_recording (10);
  g_autofree char *path = g_build_filename (folder, "trace.7.7.0.bin", NULL);
  CsWindow *window = cs_window_new (NULL);

  g_assert_cmpint (truncate (path, TRACE_HEADER_SIZE + 10 * TRACE_EVENT_SIZE + 7), ==, 0);
  gtk_window_present (GTK_WINDOW (window));
  open_and_wait (window, folder);
  g_assert_cmpstr (cs_window_get_page (window), ==, "hotspots");
  g_assert_cmpuint (get_n_rows (window), ==, 2);
  g_assert_true (shows_text (GTK_WIDGET (window), "1 More") || shows_text (GTK_WIDGET (window), "middle of a record"));
  gtk_window_destroy (GTK_WINDOW (window));
  test_recording_remove (folder);
}

/* What only has the name of a recording's file is an error with its sentence, and another can be opened then. */
static void
test_unreadable (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const char *const texts[] = { "", "not at all an event file, but long enough to have a header if it were one: "
                                           "so it is looked at, and it isn't what its name says" };
  g_autofree char *good = write_recording (10);
  CsWindow *window = cs_window_new (NULL);

  gtk_window_present (GTK_WINDOW (window));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
      g_autofree char *path = g_build_filename (folder, "trace.7.7.0.bin", NULL);

      g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
      open_and_wait (window, folder);
      g_assert_cmpstr (cs_window_get_page (window), ==, "error");
      g_assert_true (shows_text (GTK_WIDGET (window), "Nothing to Show"));
      open_and_wait (window, good);
      g_assert_cmpstr (cs_window_get_page (window), ==, "hotspots");
      test_recording_remove (folder);
    }
  gtk_window_destroy (GTK_WINDOW (window));
  test_recording_remove (good);
}

static guint
count_windows (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      n += CS_IS_WINDOW (window);
    }
  return n;
}

/* A project whose ticks aren't saved keeps its window. */
static void
test_unsaved_stays (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *top = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  CsWindow *window = cs_window_new (NULL);
  char *paths[2];
  CsChooser *chooser;

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *source = NULL;

      paths[i] = g_build_filename (top, i == 0 ? "a" : "b", NULL);
      source = g_build_filename (paths[i], "x.c", NULL);
      g_assert_cmpint (g_mkdir (paths[i], 0700), ==, 0);
      g_assert_true (g_file_set_contents (source, "int f (void) { return 0; }\n", -1, NULL));
    }
  gtk_window_present (GTK_WINDOW (window));
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (paths[i]);

      cs_window_open_files (window, &file, 1);
      while (i == 0 ? cs_session_get_project (cs_window_get_session (window)) == NULL : count_windows () < 2)
        g_main_context_iteration (NULL, TRUE);
      if (i > 0)
        break;
      chooser = cs_project_get_chooser (cs_session_get_project (cs_window_get_session (window)));
      while (cs_chooser_get_state (chooser) != CS_CHOOSER_READY)
        g_main_context_iteration (NULL, TRUE);
      cs_chooser_set_text (chooser, "include x.c\n");
      g_assert_true (cs_chooser_get_dirty (chooser));
    }
  g_assert_cmpstr (cs_project_get_folder (cs_session_get_project (cs_window_get_session (window))), ==, paths[0]);
  while (count_windows () > 0)
    {
      g_autoptr (GtkWindow) first = g_list_model_get_item (gtk_window_get_toplevels (), 0);

      gtk_window_destroy (first);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *source = g_build_filename (paths[i], "x.c", NULL);

      g_unlink (source);
      g_assert_cmpint (g_rmdir (paths[i]), ==, 0);
      g_free (paths[i]);
    }
  g_assert_cmpint (g_rmdir (top), ==, 0);
}

/* A newer request supersedes an older one, and closing a window ends what it reads. */
static void
test_given_up (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *large = write_recording (1000000);
  g_autofree char *small = write_recording (10);
  g_autoptr (GFile) large_file = g_file_new_for_path (large);
  CsWindow *window = cs_window_new (NULL);
  gpointer watched = window;

  gtk_window_present (GTK_WINDOW (window));
  cs_window_open_files (window, &large_file, 1);
  open_and_wait (window, small);
  g_assert_cmpuint (get_row (window, 0)->self, ==, 70);
  for (guint i = 0; i < 100; i++)
    {
      g_usleep (1000);
      g_main_context_iteration (NULL, FALSE);
    }
  g_assert_cmpuint (get_row (window, 0)->self, ==, 70);

  cs_window_open_files (window, &large_file, 1);
  g_object_add_weak_pointer (G_OBJECT (window), &watched);
  gtk_window_destroy (GTK_WINDOW (window));
  while (watched != NULL)
    g_main_context_iteration (NULL, TRUE);
  test_recording_remove (large);
  test_recording_remove (small);
}

static void
test_format (void)
{
  static const struct { guint64 ns; const char *text; } cases[] = {
    { 0, "0 ns" },          { 999, "999 ns" },        { 1000, "1.00 µs" },       { 9994, "9.99 µs" },
    { 9996, "10.0 µs" },    { 99949, "99.9 µs" },     { 99951, "100 µs" },       { 999499, "999 µs" },
    { 999501, "1.00 ms" },  { 352740, "353 µs" },     { 12345678, "12.3 ms" },   { 999500000, "1.00 s" },
    { 123456789012, "123 s" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = cs_format_duration (cases[i].ns);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
count (guint *n)
{
  ++*n;
}

static void
iterate_for (guint ms)
{
  for (gint64 end = g_get_monotonic_time () + 1000 * ms; g_get_monotonic_time () < end; g_usleep (1000))
    while (g_main_context_iteration (NULL, FALSE))
      ;
}

/* A window is closed while its menu is open and the pointer is about to get a tooltip: nothing is kept, and the other
 * window gets what is clicked. */
static void
test_closed_with_menu (void)
{
  SKIP_WITHOUT_DISPLAY ();
  CsWindow *window = cs_window_new (NULL);
  GtkWidget *other = gtk_window_new (), *button = gtk_button_new_with_label ("x");
  GtkWidget *menu_button = GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (window), CS_TYPE_WINDOW, "menu_button"));
  GtkWidget *menu = GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (menu_button)));
  double x, y;
  guint clicks = 0;

  gtk_window_present (GTK_WINDOW (window));
  iterate_for (100);
  gtk_menu_button_popup (GTK_MENU_BUTTON (menu_button));
  iterate_for (100);
  g_assert_true (gtk_widget_get_mapped (menu));
  g_assert_true (gtk_widget_translate_coordinates (menu_button, GTK_WIDGET (window), 0, 0, &x, &y));
  g_object_add_weak_pointer (G_OBJECT (menu), (gpointer *) &menu);
  {
    g_autofree char *words = g_strdup_printf ("mousemove %d %d mousemove %d %d", (int) x, (int) y + 120, (int) x, (int) y + 150);

    if (!test_point (words))
      g_test_message ("without the pointer");
  }
  gtk_window_destroy (GTK_WINDOW (window));
  iterate_for (700);
  g_assert_null (menu);

  g_signal_connect_swapped (button, "clicked", G_CALLBACK (count), &clicks);
  gtk_window_set_child (GTK_WINDOW (other), button);
  gtk_window_set_default_size (GTK_WINDOW (other), 400, 300);
  gtk_window_present (GTK_WINDOW (other));
  iterate_for (200);
  if (test_point ("mousemove 200 200 mousedown 1 mouseup 1"))
    g_assert_cmpuint (clicks, ==, 1);
  gtk_window_destroy (GTK_WINDOW (other));
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/format", test_format);
  g_test_add_func ("/app/window/empty", test_empty);
  g_test_add_func ("/app/window/focus", test_focus);
  g_test_add_func ("/app/window/report", test_report);
  g_test_add_func ("/app/window/progress", test_progress);
  g_test_add_func ("/app/window/button-names", test_button_names);
  g_test_add_func ("/app/window/error-and-then-another", test_error_and_then_another);
  g_test_add_func ("/app/window/half-written", test_half_written);
  g_test_add_func ("/app/window/unreadable", test_unreadable);
  g_test_add_func ("/app/window/unsaved-stays", test_unsaved_stays);
  g_test_add_func ("/app/window/given-up", test_given_up);
  g_test_add_func ("/app/window/closed-with-menu", test_closed_with_menu);
  return g_test_run ();
}
