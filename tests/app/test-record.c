/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>

#include "record-fixture.h"

/* What lists tell of the open recording is written behind the report. */
static CsRecordingInfo *
wait_for_summary (Fixture *self)
{
  const char *folder = cs_session_get_paths (self->session)[0];

  for (;;)
    {
      CsRecordingInfo *info = cs_recordings_load (folder, NULL);

      if (info->has_summary)
        return info;
      cs_recording_info_free (info);
      pause_for_others ();
    }
}

static void
test_loop (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture self;
  g_autoptr (CsRecordingInfo) info = NULL;
  CsBuildProblem *problem;

  /* The first test, whose project the others go on with. */
  g_assert_null (project);
  project = make_project ();
  write_file (project, "part.c", broken_part);
  open_project (&self, project);
  build (&self);
  g_assert_cmpstr (cs_window_get_page (self.window), ==, "record");
  g_assert_cmpstr (cs_record_view_get_page (self.view), ==, "build");
  g_assert_true (g_str_has_prefix (get_build_summary (&self), "Not built, 1 error: "));
  problem = cs_build_pane_get_selected (cs_record_view_get_build_pane (self.view));
  g_assert_nonnull (problem);
  {
    g_autofree char *place = cs_build_problem_dup_place (problem, project);

    g_assert_cmpstr (place, ==, "part.c:3");
  }
  g_assert_cmpstr (cs_run_settings_get (cs_record_view_get_settings (self.view), CS_SETTING_COMMAND), ==, "");

  write_file (project, "part.c", part);
  build (&self);
  g_assert_cmpstr (get_build_summary (&self), ==, "Built: 4 of 4 units with hooks, 3 programs with the runtime");
  record (&self, "./build-instr/app");
  g_assert_cmpuint (count_calls (&self, "main"), ==, 1);
  g_assert_cmpuint (count_calls (&self, "part"), ==, 3);
  g_assert_cmpuint (count_calls (&self, "leaf"), ==, 3000);

  /* However short it was, the run tells the same. */
  g_assert_cmpuint (g_list_model_get_n_items (cs_live_pane_get_functions (cs_record_view_get_live_pane (self.view))), ==, 3);

  info = wait_for_summary (&self);
  g_assert_cmpstr (info->ending, ==, "exited with status 0");
  g_assert_cmpuint (info->summary.calls, ==, 3004);
  close_project (&self);
}

static void
test_stop (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture self;

  set_up (&self);
  set_command (&self, "./build-instr/spin");
  activate (&self, "record");
  WAIT_FOR (has_text (get_output (&self), "pid "));
  WAIT_FOR (g_list_model_get_n_items (cs_live_pane_get_functions (cs_record_view_get_live_pane (self.view))) > 0);
  g_assert_cmpstr (cs_record_view_get_page (self.view), ==, "run");
  activate (&self, "stop");
  WAIT_FOR (is_read (&self));
  /* Where the machine is busy it may have had to be killed. */
  g_assert_true (g_str_has_prefix (get_run_summary (&self), "spin was stopped"));
  g_assert_cmpuint (count_calls (&self, "main"), ==, 1);
  g_assert_cmpuint (count_calls (&self, "turn"), >, 0);
  close_project (&self);
}

static void
test_crash (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture self;

  set_up (&self);
  record (&self, "./build-instr/crash");
  g_assert_cmpuint (count_calls (&self, "step"), ==, 5);
  g_assert_nonnull (strstr (self.told->str, "signal 11"));
  g_assert_nonnull (strstr (self.told->str, "everything recorded until then is here"));
  close_project (&self);
}

/* Programs that can't be run, or record nothing, leave no empty recording. */
static void
test_nothing (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const struct { const char *command, *sentence; } cases[] = {
    { "./missing", "can't be started" },
    { "no-such-program-anywhere", "there is no such program" },
    { "./Makefile", "can't be started" },
    { "./", "is a folder" },
    { "true", "recorded nothing" },
  };
  Fixture self;
  guint before;

  set_up (&self);
  before = count_recordings (project);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_string_set_size (self.told, 0);
      set_command (&self, cases[i].command);
      activate (&self, "record");
      WAIT_FOR (self.told->len > 0 && is_enabled (&self, "record"));
      g_test_message ("%s: %s", cases[i].command, self.told->str);
      g_assert_nonnull (strstr (self.told->str, cases[i].sentence));
      g_assert_nonnull (strstr (get_run_summary (&self), cases[i].sentence));
      /* No report is opened: the newest of earlier ones stays. */
      g_assert_cmpstr (cs_window_get_page (self.window), ==, "record");
      WAIT_FOR (count_recordings (project) == before);
    }

  /* Nothing is started while an option is wrong. */
  g_string_set_size (self.told, 0);
  set_command (&self, "app 'unfinished");
  activate (&self, "record");
  g_assert_cmpstr (cs_record_view_get_page (self.view), ==, "options");
  g_assert_true (self.told->len > 0);
  g_assert_true (*cs_run_page_get_problem (cs_record_view_get_run_page (self.view), CS_SETTING_COMMAND) != '\0');
  g_assert_false (is_enabled (&self, "stop"));
  close_project (&self);
}

/* Memory that is freed is kept for a while where its use is watched. */
#ifdef __SANITIZE_ADDRESS__
#define FLOOD_MB (100 + 256)
#else
#define FLOOD_MB 100
#endif

static gboolean
ends_with (CsLogView *view, const char *text)
{
  GtkTextBuffer *buffer = cs_log_view_get_buffer (view);
  GtkTextIter start, end;
  g_autofree char *last = NULL;

  gtk_text_buffer_get_end_iter (buffer, &end);
  start = end;
  gtk_text_iter_backward_chars (&start, (int) strlen (text));
  last = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  return g_str_equal (last, text);
}

static guint64
get_resident_kb (void)
{
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  line = strstr (text, "VmRSS:");
  return g_ascii_strtoull (line + strlen ("VmRSS:"), NULL, 10);
}

static void
test_flood (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture self;
  guint64 before;

  set_up (&self);
  set_command (&self, "sh -c 'yes 0123456789012345678901234567890123456789 | head -c 60000000; "
                      "head -c 20000000 /dev/zero | tr \"\\0\" x; echo; echo the end'");
  before = get_resident_kb ();
  activate (&self, "record");
  WAIT_FOR (ends_with (get_output (&self), "the end\n"));
  g_assert_cmpuint (get_resident_kb () - before, <, FLOOD_MB * 1024);
  g_assert_cmpint (gtk_text_buffer_get_char_count (cs_log_view_get_buffer (get_output (&self))), <=, CS_LOG_MOST_BYTES);
  g_assert_cmpint (gtk_text_buffer_get_line_count (cs_log_view_get_buffer (get_output (&self))), <=, CS_LOG_MOST_LINES + 1);
  WAIT_FOR (is_enabled (&self, "record"));
  close_project (&self);
}

static void
test_input (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture self;
  GtkWidget *entry;

  set_up (&self);
  cs_run_settings_set (cs_record_view_get_settings (self.view), CS_SETTING_INPUT, "typed");
  set_command (&self, "sh -c 'printf \"name? \"; read name; echo \"hello $name\"; cat >/dev/null'");
  activate (&self, "record");
  WAIT_FOR (has_text (get_output (&self), "name? "));
  entry = cs_live_pane_get_input (cs_record_view_get_live_pane (self.view));
  g_assert_true (gtk_widget_get_mapped (entry));
  gtk_editable_set_text (GTK_EDITABLE (entry), "you");
  g_signal_emit_by_name (entry, "activate");
  WAIT_FOR (has_text (get_output (&self), "hello you"));
  g_assert_true (is_enabled (&self, "stop"));
  cs_live_pane_end_input (cs_record_view_get_live_pane (self.view));
  WAIT_FOR (is_enabled (&self, "record"));
  cs_run_settings_set (cs_record_view_get_settings (self.view), CS_SETTING_INPUT, "none");
  close_project (&self);
}

/* A build that hangs, with a grandchild that does: both write their ids. */
static void
hang (Fixture *self, int *pids)
{
  g_autofree char *path = g_build_filename (self->folder, "pids", NULL);
  g_autofree char *rule = g_strdup_printf ("all: hang\nhang:\n\t@sh -c 'sleep 1000 & echo $$! $$$$ > %s.new; mv %s.new %s; wait'\n",
                                           path, path, path);
  g_autofree char *text = NULL;

  g_unlink (path);
  write_file (self->folder, "hang.mk", rule);
  activate (self, "build");
  WAIT_FOR (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%d %d", &pids[0], &pids[1]), ==, 2);
  g_assert_true (is_alive (pids[0]) && is_alive (pids[1]));
}

/* What can't begin is told in the words of the options. */
static void
test_build_folder (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture self;
  CsRunSettings *settings;

  set_up (&self);
  settings = cs_record_view_get_settings (self.view);
  cs_run_settings_set (settings, CS_SETTING_BUILD_FOLDER, "callsight");
  build (&self);
  g_assert_nonnull (strstr (get_build_summary (&self), "Not built: "));
  g_assert_nonnull (strstr (get_build_summary (&self), "“Build folder” in the build options"));
  g_assert_null (strstr (get_build_summary (&self), "--"));
  cs_run_settings_set (settings, CS_SETTING_BUILD_FOLDER, "");
  close_project (&self);
}

static void
test_stop_build (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture self;
  int pids[2];

  set_up (&self);
  hang (&self, pids);
  activate (&self, "stop");
  WAIT_FOR (is_enabled (&self, "build"));
  WAIT_FOR (!is_alive (pids[0]) && !is_alive (pids[1]));
  g_assert_cmpstr (get_build_summary (&self), ==, "The build was stopped");
  remove_file (project, "hang.mk");
  close_project (&self);
}

/* Closing the window ends what runs, without anybody waiting for it. */
static void
test_close (void)
{
  SKIP_WITHOUT_DISPLAY ();
  Fixture self;
  int pids[2];
  int pid = 0;
  guint before;
  gpointer window;

  set_up (&self);
  hang (&self, pids);
  window = self.window;
  g_object_add_weak_pointer (G_OBJECT (self.window), &window);
  close_project (&self);
  WAIT_FOR (window == NULL);
  WAIT_FOR (!is_alive (pids[0]) && !is_alive (pids[1]));
  remove_file (project, "hang.mk");

  set_up (&self);
  before = count_recordings (project);
  set_command (&self, "./build-instr/spin");
  activate (&self, "record");
  WAIT_FOR (has_text (get_output (&self), "pid "));
  {
    g_autofree char *text = get_text (get_output (&self));

    g_assert_cmpint (sscanf (strstr (text, "pid "), "pid %d", &pid), ==, 1);
  }
  g_assert_true (is_alive (pid));
  close_project (&self);
  WAIT_FOR (!is_alive (pid));
  g_assert_cmpuint (count_recordings (project), ==, before + 1);
}

/* What isn't saved of trace.config is asked for, and a build takes what is saved. */
static void
test_unsaved (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const char heading[] = "Save the Changed Selection?";
  static const char text[] = "include app.c\n";
  g_autofree char *path = NULL;
  g_autofree char *saved = NULL;
  CsChooser *chooser;
  Fixture self;

  set_up (&self);
  path = g_build_filename (project, "trace.config", NULL);
  chooser = cs_project_get_chooser (cs_session_get_project (self.session));
  cs_chooser_load (chooser);
  WAIT_FOR (cs_chooser_get_state (chooser) == CS_CHOOSER_READY);
  cs_chooser_set_text (chooser, text);
  g_assert_true (cs_chooser_get_dirty (chooser));
  activate (&self, "build");
  answer (heading, CS_ANSWER_CANCEL);
  g_assert_true (is_enabled (&self, "build"));

  activate (&self, "build");
  answer (heading, CS_ANSWER_WITHOUT);
  WAIT_FOR (is_enabled (&self, "build"));
  g_assert_true (g_str_has_prefix (get_build_summary (&self), "Built: 4 of 4 units"));
  g_assert_true (cs_chooser_get_dirty (chooser));

  activate (&self, "build");
  answer (heading, CS_ANSWER_GO);
  WAIT_FOR (is_enabled (&self, "build"));
  g_test_message ("%s", get_build_summary (&self));
  g_assert_true (g_str_has_prefix (get_build_summary (&self), "Built: 1 of 4 units"));
  g_assert_false (cs_chooser_get_dirty (chooser));
  g_assert_true (g_file_get_contents (path, &saved, NULL, NULL));
  g_assert_cmpstr (saved, ==, text);
  close_project (&self);
}

static void
test_trust (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const char heading[] = "Build with the Project’s callsight Folder?";
  g_autofree char *folder = make_project ();
  g_autofree char *callsight = g_build_filename (folder, "callsight", NULL);
  g_autofree char *built = g_build_filename (folder, "build-instr", NULL);
  g_autofree char *other = g_dir_make_tmp ("callsight-other-XXXXXX", NULL);
  CsProject *opened;
  Fixture self;

  g_assert_cmpint (g_mkdir (callsight, 0777), ==, 0);
  write_file (callsight, "trace.c", "#error somebody's\n");
  write_file (folder, "trace.config", "");
  open_project (&self, folder);
  activate (&self, "build");
  g_assert_false (is_enabled (&self, "build"));
  answer (heading, CS_ANSWER_CANCEL);
  g_assert_true (is_enabled (&self, "build"));
  g_assert_false (g_file_test (built, G_FILE_TEST_EXISTS));

  /* That Callsight wrote into it is no trust in what stays of it. */
  opened = cs_session_get_project (self.session);
  g_object_notify (G_OBJECT (opened), "adopted");
  activate (&self, "build");
  g_assert_nonnull (find_dialog ());

  /* The question stays while the project does, and goes with it. */
  cs_session_open_project (self.session, folder);
  g_assert_nonnull (find_dialog ());
  cs_session_open_project (self.session, other);
  g_assert_null (find_dialog ());
  cs_session_open_project (self.session, folder);
  g_assert_null (find_dialog ());
  g_assert_false (cs_run_settings_get_flag (cs_record_view_get_settings (self.view), CS_SETTING_TRUSTED));
  g_assert_true (is_enabled (&self, "build"));
  g_assert_false (g_file_test (built, G_FILE_TEST_EXISTS));

  activate (&self, "build");
  answer (heading, CS_ANSWER_GO);
  WAIT_FOR (is_enabled (&self, "build"));
  /* Once is enough. */
  activate (&self, "build");
  g_assert_null (find_dialog ());
  WAIT_FOR (is_enabled (&self, "build"));
  close_project (&self);
  remove_project (folder);
  g_rmdir (other);
}

/* What a program left and can't be read stays, and why is said where it is opened. */
static void
test_unreadable (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *path = NULL;
  Fixture self;

  set_up (&self);
  cs_session_close_recording (self.session);
  set_command (&self, "sh -c 'printf \"MLTRACE\\\\000the rest is lost\" > \"$TRACE_DIR/trace.7.7.0.bin\"'");
  activate (&self, "record");
  WAIT_FOR (cs_session_get_state (self.session) == CS_SESSION_FAILED);
  path = g_build_filename (cs_session_get_paths (self.session)[0], "trace.7.7.0.bin", NULL);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpstr (cs_window_get_page (self.window), ==, "error");
  cs_folder_remove (cs_session_get_paths (self.session)[0]);
  close_project (&self);
}

/* After a run that fills the budget in no time the person is asked, and can choose sums. */
static void
test_rate (void)
{
  SKIP_WITHOUT_DISPLAY ();
  static const char heading[] = "Record That Many Calls?";
  const CsRecordingSummary summary = { .length_ns = 1000000000, .calls = 500000000, .events = 1000000000, .threads = 1,
                                       .processes = 1, .bytes = G_GUINT64_CONSTANT (3000000000) };
  const CsRecordingChange change = { .summary = &summary };
  CsRunSettings *settings;
  Fixture self;

  set_up (&self);
  settings = cs_record_view_get_settings (self.view);
  record (&self, "./build-instr/app");
  cs_recording_info_free (wait_for_summary (&self));
  g_assert_true (cs_recordings_change (cs_session_get_paths (self.session)[0], &change, NULL));
  cs_session_close_recording (self.session);
  activate (&self, "record");
  answer (heading, CS_ANSWER_CANCEL);
  g_assert_true (is_enabled (&self, "record"));
  activate (&self, "record");
  answer (heading, CS_ANSWER_SUMMARY);
  g_assert_cmpstr (cs_run_settings_get (settings, CS_SETTING_MODE), ==, "summary");
  WAIT_FOR (is_read (&self));
  g_assert_cmpint (cs_profile_get_mode (cs_session_get_whole_profile (self.session)), ==, CS_PROFILE_SUMMARY);
  g_assert_cmpuint (count_calls (&self, "leaf"), ==, 3000);
  cs_run_settings_set (settings, CS_SETTING_MODE, "events");
  close_project (&self);
}

static gboolean
is_open (Fixture *self)
{
  return cs_session_get_state (self->session) == CS_SESSION_READY && cs_session_get_profile (self->session) != NULL;
}

/* A later build takes no names from a recording. */
static void
test_names (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *longer = g_strconcat ("int more (void);\nint more (void) { return 2; }\n", part, NULL);
  g_autofree char *first = NULL;
  g_autofree char *folder = make_project ();
  Fixture self;

  open_project (&self, folder);
  build (&self);
  record (&self, "./build-instr/app");
  first = g_strdup (cs_session_get_paths (self.session)[0]);
  write_file (folder, "part.c", longer);
  build (&self);
  record (&self, "./build-instr/app");
  g_assert_cmpstr (cs_session_get_paths (self.session)[0], !=, first);
  cs_session_open_recording (self.session, (const char *const[]){ first, NULL });
  WAIT_FOR (is_open (&self));
  g_assert_cmpuint (count_calls (&self, "part"), ==, 3);
  close_project (&self);
  remove_project (folder);
}

/* Nothing is promised of a trace.config that is there. */
static void
test_question (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *folder = make_project ();
  Fixture self;

  open_project (&self, folder);
  for (guint i = 0; i < 2; i++)
    {
      activate (&self, "build");
      WAIT_FOR (find_dialog () != NULL);
      g_assert_true ((strstr (adw_message_dialog_get_body (find_dialog ()), "all of it at first") == NULL) == (i == 1));
      answer ("Add Callsight to This Project?", CS_ANSWER_CANCEL);
      write_file (folder, "trace.config", "include part.c\n");
    }
  close_project (&self);
  remove_project (folder);
}

/* The folder goes while the project is open. */
static void
test_gone (void)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *folder = make_project ();
  Fixture self;

  open_project (&self, folder);
  cs_run_settings_set (cs_record_view_get_settings (self.view), CS_SETTING_COMMAND, "./app");
  remove_project (folder);
  activate (&self, "record");
  WAIT_FOR (self.told->len > 0 && is_enabled (&self, "record"));
  g_assert_nonnull (strstr (self.told->str, "isn’t there any more"));
  activate (&self, "build");
  answer ("Add Callsight to This Project?", CS_ANSWER_GO);
  WAIT_FOR (is_enabled (&self, "build"));
  g_assert_true (g_str_has_prefix (get_build_summary (&self), "Not built: "));
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
  close_project (&self);
}

int
main (int argc, char **argv)
{
  int status;

  test_init_display (&argc, &argv);
  g_test_add_func ("/app/record/loop", test_loop);
  g_test_add_func ("/app/record/stop", test_stop);
  g_test_add_func ("/app/record/crash", test_crash);
  g_test_add_func ("/app/record/nothing", test_nothing);
  g_test_add_func ("/app/record/unreadable", test_unreadable);
  g_test_add_func ("/app/record/input", test_input);
  g_test_add_func ("/app/record/flood", test_flood);
  g_test_add_func ("/app/record/rate", test_rate);
  g_test_add_func ("/app/record/build-folder", test_build_folder);
  g_test_add_func ("/app/record/stop-build", test_stop_build);
  g_test_add_func ("/app/record/close", test_close);
  g_test_add_func ("/app/record/trust", test_trust);
  g_test_add_func ("/app/record/unsaved", test_unsaved);
  g_test_add_func ("/app/record/names", test_names);
  g_test_add_func ("/app/record/question", test_question);
  g_test_add_func ("/app/record/gone", test_gone);
  status = g_test_run ();
  if (project != NULL)
    remove_project (project);
  return status;
}
