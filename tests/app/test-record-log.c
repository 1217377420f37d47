/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "record/cs-log-view.h"
#include "record/cs-run-settings.h"
#include "test-display.h"

/* All that a log has. */
static char *
take_all (CsLog *log)
{
  GString *text = g_string_new (NULL);
  CsLogPiece piece;

  while (cs_log_take (log, 1000, &piece))
    {
      g_string_append (text, piece.text);
      g_free (piece.text);
    }
  return g_string_free (text, FALSE);
}

/* What steers a terminal is left out, wherever the pieces are cut. */
static void
test_output (void)
{
  static const struct { const char *output, *text; } cases[] = {
    { "plain\ntext\n", "plain\ntext\n" },
    { "\033[1;31mred\033[0m \033]0;title\007after\n", "red after\n" },
    { "\033]8;;http://x\033\\link\033]8;;\033\\\n", "link\n" },
    { "\033(Bset \033=mode\n", "set mode\n" },
    { "10 %\r20 %\r100 %\r\ndone\r\n", "10 %\n20 %\n100 %\ndone\n" },
    { "tab\there \a\b\001bell\n", "tab\there bell\n" },
    { "gr\303\274n \342\202\254 \360\237\230\200\n", "gr\303\274n \342\202\254 \360\237\230\200\n" },
    { "bad \377 \303\n", "bad \357\277\275 \357\277\275\n" },
    { "no end", "no end" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize cut = 1; cut <= strlen (cases[i].output); cut++)
      {
        g_autoptr (CsLog) log = cs_log_new ();
        g_autofree char *text = NULL;

        for (gsize at = 0; at < strlen (cases[i].output); at += cut)
          cs_log_add_output (log, cases[i].output + at, MIN (cut, strlen (cases[i].output) - at));
        text = take_all (log);
        g_assert_cmpstr (text, ==, cases[i].text);
        g_assert_true (cs_log_is_taken (log));
      }
}

/* However much comes, the end of it is kept, and the numbers of lines are right. */
static void
test_bounds (void)
{
  g_autoptr (CsLog) log = cs_log_new ();
  g_autofree char *text = NULL;
  guint64 first_line;
  CsLogPiece piece;
  guint64 line;

  for (guint i = 0; i < 200000; i++)
    {
      g_autofree char *bytes = g_strdup_printf ("line %u\n", i);

      cs_log_add_output (log, bytes, strlen (bytes));
    }
  g_assert_true (cs_log_take (log, 100, &piece));
  g_assert_true (piece.restarts);
  first_line = piece.first_line;
  g_assert_cmpint (sscanf (piece.text, "line %" G_GUINT64_FORMAT, &line), ==, 1);
  g_assert_cmpuint (line, ==, first_line);
  g_assert_cmpuint (200000 - first_line, <=, CS_LOG_MOST_LINES);
  g_assert_cmpuint (200000 - first_line, >=, CS_LOG_MOST_LINES / 4);
  g_free (piece.text);
  text = take_all (log);
  g_assert_true (g_str_has_suffix (text, "line 199999\n"));

  /* Nor does one line grow without end. */
  g_clear_pointer (&text, g_free);
  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *bytes = g_strnfill (65536, 'x');

      cs_log_add_output (log, bytes, 65536);
    }
  text = take_all (log);
  g_assert_cmpuint (strlen (text), <=, CS_LOG_MOST_BYTES);
  g_assert_cmpuint (strcspn (text, "\n"), <=, 4096);
}

static void
add_message (CsLog *log, CsBuildSeverity severity, const char *text)
{
  const CsBuildLine line = { .text = text, .length = strlen (text) };
  const CsBuildMessage message = { .severity = severity, .file = "/p/a.c", .line = 7, .text = text };

  cs_log_add_line (log, &line, &message);
}

static void
test_problems (void)
{
  g_autoptr (CsLog) log = cs_log_new ();
  g_autoptr (CsBuildProblem) problem = NULL;
  g_autofree char *text = NULL;
  g_autofree char *place = NULL;

  cs_log_add_text (log, "first");
  add_message (log, CS_BUILD_SEVERITY_NOTE, "a note");
  for (guint i = 0; i < 5000; i++)
    add_message (log, CS_BUILD_SEVERITY_WARNING, "a warning");
  add_message (log, CS_BUILD_SEVERITY_ERROR, "an error");
  add_message (log, CS_BUILD_SEVERITY_ERROR, "make: *** [a.o] Error 1");
  g_assert_cmpuint (g_list_model_get_n_items (cs_log_get_problems (log)), ==, 0);
  text = take_all (log);
  g_assert_cmpuint (cs_log_get_n_problems (log, CS_BUILD_SEVERITY_WARNING), ==, 5000);
  g_assert_cmpuint (cs_log_get_n_problems (log, CS_BUILD_SEVERITY_ERROR), ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (cs_log_get_problems (log)), ==, CS_LOG_MOST_PROBLEMS / 2 + 1);
  problem = g_list_model_get_item (cs_log_get_problems (log), CS_LOG_MOST_PROBLEMS / 2);
  g_assert_cmpint (cs_build_problem_get_severity (problem), ==, CS_BUILD_SEVERITY_ERROR);
  g_assert_cmpuint (cs_build_problem_get_log_line (problem), ==, 5002);
  place = cs_build_problem_dup_place (problem, "/p");
  g_assert_cmpstr (place, ==, "a.c:7");
}

static void
on_drained (gboolean *drained)
{
  *drained = TRUE;
}

static void
wait_until_shown (CsLogView *view, CsLog *log)
{
  gboolean drained = FALSE;
  gulong handler = g_signal_connect_swapped (view, "drained", G_CALLBACK (on_drained), &drained);

  while (!drained)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handler_disconnect (view, handler);
  g_assert_true (cs_log_is_taken (log));
}

/* Selects the next match and looks where it is. A selection goes when another widget has one, so that it is looked at at
 * once. */
static void
assert_next (CsLogView *view, gboolean backwards, const char *text, int line, const char *count)
{
  GtkTextBuffer *buffer = cs_log_view_get_buffer (view);
  g_autofree char *selected = NULL;
  GtkTextIter start, end;

  cs_log_view_find_next (view, backwards);
  gtk_text_buffer_get_selection_bounds (buffer, &start, &end);
  selected = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  g_assert_cmpstr (selected, ==, text);
  g_assert_cmpint (gtk_text_iter_get_line (&start), ==, line);
  g_assert_cmpstr (cs_log_view_get_count (view), ==, count);
}

static void
test_search (void)
{
  SKIP_WITHOUT_DISPLAY ();
  GtkWidget *window = gtk_window_new ();
  CsLogView *view = g_object_new (CS_TYPE_LOG_VIEW, NULL);
  g_autoptr (CsLog) log = cs_log_new ();

  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (view));
  gtk_window_present (GTK_WINDOW (window));
  cs_log_view_set_log (view, log);
  cs_log_add_text (log, "one \303\204pfel");
  cs_log_add_text (log, "two (x)");
  cs_log_add_text (log, "three \303\244PFEL \303\244pfel");
  wait_until_shown (view, log);

  cs_log_view_set_search (view, "\303\244pfel");
  g_assert_true (g_str_has_suffix (cs_log_view_get_count (view), " of 3"));
  assert_next (view, FALSE, "\303\244PFEL", 2, "2 of 3");
  assert_next (view, FALSE, "\303\244pfel", 2, "3 of 3");
  assert_next (view, FALSE, "\303\204pfel", 0, "1 of 3");
  assert_next (view, TRUE, "\303\244pfel", 2, "3 of 3");
  assert_next (view, TRUE, "\303\244PFEL", 2, "2 of 3");
  cs_log_view_show_line (view, 2);
  assert_next (view, FALSE, "\303\244PFEL", 2, "2 of 3");

  /* No pattern, and what comes later counts. */
  cs_log_view_set_search (view, "(x)");
  g_assert_cmpstr (cs_log_view_get_count (view), ==, "1 of 1");
  cs_log_add_text (log, "four (X)");
  wait_until_shown (view, log);
  assert_next (view, FALSE, "(X)", 3, "2 of 2");
  cs_log_view_set_search (view, "nowhere");
  g_assert_cmpstr (cs_log_view_get_count (view), ==, "No match");
  cs_log_view_set_search (view, "");
  g_assert_cmpstr (cs_log_view_get_count (view), ==, "");
  gtk_window_destroy (GTK_WINDOW (window));
}

static double
get_left (GtkAdjustment *adjustment)
{
  return gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment)
         - gtk_adjustment_get_value (adjustment);
}

static void
spin (guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * G_TIME_SPAN_MILLISECOND;

  while (g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

/* The end is followed, whatever takes room above it and however much comes at once, until somebody scrolls up. */
static void
test_follows (void)
{
  SKIP_WITHOUT_DISPLAY ();
  GtkWidget *window = gtk_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *above = gtk_label_new ("1\n2\n3\n4\n5\n6");
  CsLogView *view = g_object_new (CS_TYPE_LOG_VIEW, NULL);
  g_autoptr (CsLog) log = cs_log_new ();
  g_autofree char *letters = g_strnfill (300, 'x');
  GtkAdjustment *adjustment;
  GtkWidget *text;

  gtk_widget_hide (above);
  gtk_box_append (GTK_BOX (box), above);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (view));
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 400);
  gtk_window_present (GTK_WINDOW (window));
  cs_log_view_set_log (view, log);
  for (guint burst = 0; burst < 20; burst++)
    {
      for (guint i = 0; i < burst * burst; i++)
        cs_log_add_text (log, letters + (i * 37) % 300);
      if (burst > 0)
        wait_until_shown (view, log);
      spin (burst % 3 * 20);
      gtk_widget_set_visible (above, burst % 2 == 1);
    }
  spin (200);
  text = gtk_widget_get_last_child (GTK_WIDGET (view));
  while (text != NULL && !GTK_IS_SCROLLED_WINDOW (text))
    text = gtk_widget_get_prev_sibling (text);
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (text));
  g_assert_true (gtk_widget_get_visible (above));
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), >, 10000);
  g_assert_cmpfloat (get_left (adjustment), <, 2);

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) - 300);
  cs_log_add_text (log, letters);
  wait_until_shown (view, log);
  spin (100);
  g_assert_cmpfloat (get_left (adjustment), >, 250);
  gtk_window_destroy (GTK_WINDOW (window));
}

static char *
make_folder (void)
{
  return g_dir_make_tmp ("callsight-settings-XXXXXX", NULL);
}

static void
test_checks (void)
{
  static const struct { CsSetting setting; const char *good[4], *bad[6]; } cases[] = {
    { CS_SETTING_COMMAND, { "./a 'b c'", "a", NULL }, { "", "  ", "a 'b", "a \\", "''", NULL } },
    { CS_SETTING_WORKING_FOLDER, { "", "/", ".", NULL }, { "/no/such", "no-such", NULL } },
    { CS_SETTING_ENVIRONMENT, { "", "A=1\n\n_B2=", "A==", NULL }, { "A", "=1", "1A=2", "A=1\nB", "A B=1", NULL } },
    { CS_SETTING_MAX_MB, { "", "0", "512", NULL }, { "-1", "1.5", "x", "99999999999999999999", "1 ", NULL } },
    { CS_SETTING_MAX_EVENTS, { "", "1", NULL }, { "0", "-5", "many", NULL } },
    { CS_SETTING_TIMEOUT, { "", "0", "10", NULL }, { "-1", "1 s", NULL } },
    { CS_SETTING_JOBS, { "", "1", "16", NULL }, { "0", "5000", NULL } },
    { CS_SETTING_ARGUMENTS, { "", "  ", "A=1 'b c'", NULL }, { "'", NULL } },
    { CS_SETTING_COMPILER, { "", "sh", "sh -c", NULL }, { "no-such-compiler", "'", NULL } },
  };
  g_autofree char *folder = make_folder ();
  g_autoptr (CsRunSettings) settings = cs_run_settings_new (folder, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      for (guint k = 0; cases[i].good[k] != NULL; k++)
        {
          g_autofree char *problem = NULL;

          cs_run_settings_set (settings, cases[i].setting, cases[i].good[k]);
          problem = cs_run_settings_check (settings, cases[i].setting);
          g_assert_null (problem);
        }
      for (guint k = 0; cases[i].bad[k] != NULL; k++)
        {
          g_autofree char *problem = NULL;

          cs_run_settings_set (settings, cases[i].setting, cases[i].bad[k]);
          problem = cs_run_settings_check (settings, cases[i].setting);
          g_assert_nonnull (problem);
        }
      cs_run_settings_set (settings, cases[i].setting, "");
    }
  g_rmdir (folder);
}

/* They are kept from one time to the next, by folder, and not in the folder. */
static void
test_kept (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *other = make_folder ();
  g_autoptr (CsRunSettings) settings = cs_run_settings_new (folder, NULL);
  g_autoptr (CsRunSettings) others = NULL;
  CsRunOptions *options;

  g_assert_cmpstr (cs_run_settings_get (settings, CS_SETTING_MAX_MB), ==, "512");
  cs_run_settings_set (settings, CS_SETTING_ENVIRONMENT, " A=b c\n\nB=ü\n");
  cs_run_settings_set (settings, CS_SETTING_MODE, "summary");
  cs_run_settings_set (settings, CS_SETTING_MAX_MB, "");
  cs_run_settings_set (settings, CS_SETTING_TIMEOUT, "5");
  cs_run_settings_set_flag (settings, CS_SETTING_CLEAN, TRUE);
  cs_run_settings_use_program (settings, "/usr/bin/my tool");
  g_assert_finalize_object (g_steal_pointer (&settings));

  settings = cs_run_settings_new (folder, NULL);
  others = cs_run_settings_new (other, NULL);
  g_assert_cmpstr (cs_run_settings_get (settings, CS_SETTING_MODE), ==, "summary");
  g_assert_cmpstr (cs_run_settings_get (others, CS_SETTING_MODE), ==, "events");
  g_assert_false (cs_run_settings_get_flag (settings, CS_SETTING_CLEAN));
  options = cs_run_settings_make_run (settings);
  g_assert_cmpstr (options->command[0], ==, "/usr/bin/my tool");
  g_assert_null (options->command[1]);
  g_assert_cmpstr (options->environment[0], ==, "A=b c");
  g_assert_cmpstr (options->environment[1], ==, "B=ü");
  g_assert_null (options->environment[2]);
  g_assert_cmpint (options->max_mb, ==, -1);
  g_assert_cmpuint (options->timeout_s, ==, 5);
  g_assert_cmpstr (options->working_folder, ==, folder);
  g_assert_cmpint (options->input, ==, CS_RUN_INPUT_NONE);
  cs_run_settings_free_run (options);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_assert_cmpint (g_rmdir (other), ==, 0);
}

/* Windows of one project have the same settings, and another process loses none of its own. */
static void
test_shared (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (CsRunSettings) one = cs_run_settings_share (folder, NULL);
  g_autoptr (CsRunSettings) other = cs_run_settings_share (folder, NULL);
  g_autoptr (CsRunSettings) elsewhere = cs_run_settings_new (folder, NULL);

  g_assert_true (one == other);
  cs_run_settings_set (one, CS_SETTING_COMMAND, "a");
  cs_run_settings_set (one, CS_SETTING_MODE, "summary");
  g_assert_true (cs_run_settings_save (one, NULL));
  cs_run_settings_set (elsewhere, CS_SETTING_THREADS, "t*");
  g_assert_true (cs_run_settings_save (elsewhere, NULL));
  /* Back to what it is without a file. */
  cs_run_settings_set (one, CS_SETTING_MODE, "events");
  g_clear_object (&other);
  g_assert_finalize_object (g_steal_pointer (&one));

  one = cs_run_settings_share (folder, NULL);
  g_assert_cmpstr (cs_run_settings_get (one, CS_SETTING_COMMAND), ==, "a");
  g_assert_cmpstr (cs_run_settings_get (one, CS_SETTING_MODE), ==, "events");
  g_assert_cmpstr (cs_run_settings_get (one, CS_SETTING_THREADS), ==, "t*");
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A program that was built replaces the one in the command, and leaves the arguments. */
static void
test_programs (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *program = g_build_filename (folder, "build instr", "a;b", NULL);
  g_autoptr (CsRunSettings) settings = cs_run_settings_new (folder, NULL);
  CsRunOptions *options;

  cs_run_settings_set_programs (settings, (const char *const[]){ program, NULL });
  cs_run_settings_set (settings, CS_SETTING_COMMAND, "old --x 'two words' \"\"");
  cs_run_settings_use_program (settings, program);
  /* What another folder is current changes nothing. */
  cs_run_settings_set (settings, CS_SETTING_WORKING_FOLDER, "/");
  g_assert_cmpint (g_mkdir_with_parents (program, 0777), ==, 0);
  options = cs_run_settings_make_run (settings);
  g_assert_cmpstr (options->command[0], ==, program);
  g_assert_cmpstr (options->command[1], ==, "--x");
  g_assert_cmpstr (options->command[2], ==, "two words");
  g_assert_cmpstr (options->command[3], ==, "");
  g_assert_null (options->command[4]);
  cs_run_settings_free_run (options);
  g_rmdir (program);
  g_free (program);
  program = g_build_filename (folder, "build instr", NULL);
  g_rmdir (program);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/log/output", test_output);
  g_test_add_func ("/app/log/bounds", test_bounds);
  g_test_add_func ("/app/log/problems", test_problems);
  g_test_add_func ("/app/log/search", test_search);
  g_test_add_func ("/app/log/follows", test_follows);
  g_test_add_func ("/app/run-settings/checks", test_checks);
  g_test_add_func ("/app/run-settings/kept", test_kept);
  g_test_add_func ("/app/run-settings/shared", test_shared);
  g_test_add_func ("/app/run-settings/programs", test_programs);
  return g_test_run ();
}
