/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "select-fixture.h"
#include "test-display.h"

static char *
make_project (void)
{
  char *folder = fixture_new_folder ();

  fixture_write (folder, "a.c", "int\nfirst (void)\n{\n  return 1;\n}\n");
  fixture_write (folder, "b.c", "int\nsecond (void)\n{\n  return 2;\n}\n");
  return folder;
}

static void
wait_failed (Fixture *fixture)
{
  WAIT_FOR (g_str_equal (cs_select_view_get_page (fixture->view), "failed"));
  g_assert_cmpuint (strlen (cs_chooser_get_error (fixture->chooser)), >, 10);
  g_assert_true (fixture_is_enabled (fixture, "retry"));
  g_assert_false (fixture_is_enabled (fixture, "all-files"));
}

/* A folder without sources says so; once there are some, they are shown. */
static void
test_no_sources (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };

  fixture_open (&fixture, fixture_new_folder ());
  wait_failed (&fixture);
  fixture_write (fixture.folder, "late.c", "int\nlate (void)\n{\n  return 1;\n}\n");
  fixture_activate (&fixture, "select.retry");
  fixture_wait_ready (&fixture);
  g_assert_cmpstr (cs_select_view_get_page (fixture.view), ==, "panes");
  g_assert_nonnull (fixture_find_file (&fixture, "late.c"));
  fixture_close (&fixture);
}

static void
test_no_folder (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  char *folder = fixture_new_folder ();

  g_assert_no_errno (g_rmdir (folder));
  fixture_open (&fixture, folder);
  wait_failed (&fixture);

  /* A file where the folder was. */
  g_assert_true (g_file_set_contents (folder, "no folder", -1, NULL));
  fixture_activate (&fixture, "select.retry");
  wait_failed (&fixture);
  fixture_close (&fixture);
}

static void
test_deleted_while_open (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };

  fixture_open (&fixture, make_project ());
  fixture_wait_ready (&fixture);
  fixture_remove (fixture.folder);
  wait_failed (&fixture);

  /* Saving says why it can't, and makes no folder. */
  cs_chooser_set_text (fixture.chooser, "exclude a.c\n");
  WAIT_FOR (fixture_is_enabled (&fixture, "save"));
  fixture_activate (&fixture, "select.save");
  WAIT_FOR (fixture.told != NULL || cs_select_view_get_banner_shown (fixture.view));
  g_assert_false (g_file_test (fixture.folder, G_FILE_TEST_EXISTS));
  fixture_close (&fixture);
}

/* A folder that isn't set up can be chosen from; saving makes its trace.config. */
static void
test_not_adopted (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  fixture_open (&fixture, make_project ());
  fixture_wait_ready (&fixture);
  g_assert_cmpstr (cs_select_summary_get_text (cs_select_view_get_summary (fixture.view)), ==,
                   "2 sources: 2 instrumented, 0 excluded · 2 of 2 functions chosen");
  before = fixture_read (fixture.folder, "trace.config");
  g_assert_null (before);
  fixture_click_box (fixture_find_file (&fixture, "b.c"));
  WAIT_FOR (fixture_is_enabled (&fixture, "save"));
  fixture_settle (&fixture);
  fixture_activate (&fixture, "select.save");
  WAIT_FOR (!cs_chooser_get_dirty (fixture.chooser));
  after = fixture_read (fixture.folder, "trace.config");
  g_assert_true (g_str_has_suffix (after, "exclude b.c\n"));
  fixture_close (&fixture);
}

static gboolean
has_warning (Fixture *fixture, const char *part)
{
  GtkWidget *list = GTK_WIDGET (cs_select_summary_get_warnings (cs_select_view_get_summary (fixture->view)));

  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL; row = gtk_widget_get_next_sibling (row))
    if (strstr (gtk_label_get_text (GTK_LABEL (gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (row)))), part) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_no_ctags (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };

  g_setenv ("CALLSIGHT_CTAGS", "/no/such/ctags", TRUE);
  fixture_open (&fixture, make_project ());
  fixture_wait_ready (&fixture);
  WAIT_FOR (has_warning (&fixture, "ctags"));
  g_assert_nonnull (fixture_find_function (&fixture, "first,"));
  fixture_close (&fixture);
  g_unsetenv ("CALLSIGHT_CTAGS");
}

/* A trace.config that can't be used: sources are shown, the line is told, and nothing is ticked by mistake. */
static void
test_bad_config (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  char *folder = make_project ();
  GtkTextIter end;
  GtkTextBuffer *buffer;

  fixture_write (folder, "trace.config", "include a.c\nexclude\n");
  fixture_open (&fixture, folder);
  WAIT_FOR (cs_chooser_get_text_error (fixture.chooser) != NULL);
  WAIT_FOR (fixture_find_file (&fixture, "a.c, 1 function") != NULL);
  g_assert_cmpuint (cs_chooser_get_text_error_line (fixture.chooser), ==, 2);
  g_assert_false (fixture_is_enabled (&fixture, "none-files"));
  g_assert_false (gtk_widget_is_sensitive (cs_choice_row_get_box (fixture_find_file (&fixture, "a.c"))));

  /* Mended in the editor. */
  buffer = gtk_text_view_get_buffer (cs_config_editor_get_text_view (cs_select_view_get_editor (fixture.view)));
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_iter_backward_char (&end);
  gtk_text_buffer_insert (buffer, &end, " b.c", -1);
  WAIT_FOR (g_str_equal (cs_select_summary_get_text (cs_select_view_get_summary (fixture.view)),
                         "2 sources: 1 instrumented, 1 excluded · 1 of 2 functions chosen"));
  fixture_close (&fixture);
}

/* Bytes that are no text, in names and in the config. */
static void
test_odd_bytes (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  char *folder = make_project ();

  fixture_write (folder, "b\xff<b>&\n.c", "int\nodd (void)\n{\n  return 1;\n}\n");
  fixture_write (folder, "trace.config", "# \xff\xfe caf\xe9\n");
  fixture_open (&fixture, folder);
  WAIT_FOR (fixture_find_file (&fixture, "a.c") != NULL);
  WAIT_FOR (cs_chooser_get_state (fixture.chooser) == CS_CHOOSER_READY && fixture_is_settled (&fixture));
  fixture_activate (&fixture, "select.edit-text");
  fixture_close (&fixture);
}

/* A window that is closed, or gets another project, while sources are scanned. */
static void
test_left_early (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  g_autofree char *other = make_project ();

  fixture_open (&fixture, make_project ());
  for (guint i = 0; i < 5; i++)
    g_main_context_iteration (NULL, FALSE);
  cs_session_open_project (fixture.session, other);
  fixture.chooser = cs_project_get_chooser (cs_session_get_project (fixture.session));
  fixture_wait_ready (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (cs_session_get_jobs (fixture.session))), ==, 0);
  fixture_close (&fixture);
  fixture_remove (other);

  fixture_open (&fixture, make_project ());
  fixture.told = NULL;
  WAIT_FOR (cs_chooser_get_n_files (fixture.chooser) > 0);
  fixture_close (&fixture);
}

/* A scan may be over before anything is shown, as when it is known from the time before: rows tell of it all the same. */
static void
test_scanned_early (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *folder = fixture_new_folder ();

  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *name = g_strdup_printf ("part%u/file%03u.c", i / 100, i);

      fixture_write (folder, name, "int\nf (void)\n{\n  return 1;\n}\n");
    }
  for (guint round = 0; round < 6; round++)
    {
      Fixture fixture = { .folder = folder };

      fixture.window = g_object_ref (cs_window_new (NULL));
      fixture.session = cs_window_get_session (fixture.window);
      fixture.view = CS_SELECT_VIEW (cs_window_get_view (fixture.window, "select"));
      if (round % 2 == 0)
        gtk_window_present (GTK_WINDOW (fixture.window));
      cs_session_open_project (fixture.session, folder);
      fixture.chooser = cs_project_get_chooser (cs_session_get_project (fixture.session));
      if (round % 3 == 0)
        cs_session_show_view (fixture.session, "select");
      /* Whoever asks for it again while it goes on gets one that is whole. */
      if (round >= 3)
        cs_chooser_load (fixture.chooser);
      fixture_wait_ready (&fixture);
      cs_session_show_view (fixture.session, "select");
      gtk_window_present (GTK_WINDOW (fixture.window));
      WAIT_FOR (fixture_find_file (&fixture, "Trace part0, 100 functions, wholly") != NULL);
      g_assert_null (fixture_find_file (&fixture, "not scanned yet"));
      g_assert_null (fixture_find_file (&fixture, "not known yet"));
      gtk_window_destroy (GTK_WINDOW (fixture.window));
      g_object_unref (fixture.window);
    }
  fixture_remove (folder);
}

static gboolean
run_in (const char *folder, const char *const *argv)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (GSubprocess) process = NULL;

  g_subprocess_launcher_set_cwd (launcher, folder);
  process = g_subprocess_launcher_spawnv (launcher, argv, NULL);
  return process != NULL && g_subprocess_wait_check (process, NULL, NULL);
}

/* A program that is built, run and opened: its calls stand in the rows. `leaf` is called seven times, `other` is a
 * function of two files, of which one calls it three times. `main` doesn't end: it has no call, as in any report. */
static void
test_last_run (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture fixture = { 0 };
  const char *build = g_getenv ("CALLSIGHT_BUILD");
  g_autofree char *cli = g_build_filename (build != NULL ? build : ".", "src", "cli", "callsight-cli", NULL);
  g_autofree char *folder = fixture_new_folder ();
  g_autofree char *trace = g_build_filename (folder, "traces", NULL);

  if (!g_file_test (cli, G_FILE_TEST_IS_EXECUTABLE))
    {
      fixture_remove (folder);
      g_test_skip ("no callsight-cli");
      return;
    }
  fixture_write (folder, "main.c",
                 "int leaf (int n);\nvoid b (void), exit (int);\nvolatile int sum;\n\nstatic void\nother (void)\n{\n  sum++;\n}\n\n"
                 "int\nmain (void)\n{\n  for (int i = 0; i < 7; i++)\n    sum += leaf (i);\n"
                 "  for (int i = 0; i < 3; i++)\n    other ();\n  exit (0);\n}\n");
  fixture_write (folder, "leaf.c",
                 "int\nleaf (int n)\n{\n  return n + 1;\n}\n\nstatic void\nother (void)\n{\n}\n\n"
                 "void\nb (void)\n{\n  other ();\n}\n");
  fixture_write (folder, "trace.config", "exclude callsight/\n");
  fixture_write (folder, "Makefile",
                 "prog: main.o leaf.o\n\t$(CC) $(CFLAGS) -o prog main.o leaf.o\n%.o: %.c\n\t$(CC) $(CFLAGS) -O0 -g -c -o $@ $<\n");
  g_assert_true (run_in (folder, (const char *[]){ cli, "build", "--quiet", ".", NULL }));
  g_assert_true (run_in (folder, (const char *[]){ cli, "run", "--dir", trace, "--", "build-instr/prog", NULL }));

  fixture_open (&fixture, g_strdup (folder));
  cs_session_open_recording (fixture.session, (const char *[]){ trace, NULL });
  fixture_wait_ready (&fixture);
  WAIT_FOR (fixture_find_function (&fixture, "leaf, leaf.c line 2, chosen, trace, 7 calls") != NULL);
  g_assert_nonnull (fixture_find_function (&fixture, "other, main.c line 6, chosen, trace, 3 calls"));
  g_assert_nonnull (fixture_find_function (&fixture, "other, leaf.c line 8, chosen, trace, not recorded"));
  g_assert_nonnull (fixture_find_function (&fixture, "main, main.c line 12, chosen, trace, 0 calls"));
  fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/select/no-sources", test_no_sources);
  g_test_add_func ("/app/select/no-folder", test_no_folder);
  g_test_add_func ("/app/select/deleted-while-open", test_deleted_while_open);
  g_test_add_func ("/app/select/not-adopted", test_not_adopted);
  g_test_add_func ("/app/select/no-ctags", test_no_ctags);
  g_test_add_func ("/app/select/bad-config", test_bad_config);
  g_test_add_func ("/app/select/odd-bytes", test_odd_bytes);
  g_test_add_func ("/app/select/left-early", test_left_early);
  g_test_add_func ("/app/select/scanned-early", test_scanned_early);
  g_test_add_func ("/app/select/last-run", test_last_run);
  return g_test_run ();
}
