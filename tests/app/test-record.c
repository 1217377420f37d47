/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cs-window.h"
#include "project/cs-folder.h"
#include "record/cs-record-ask.h"
#include "record/cs-record-view.h"
#include "record/cs-record-task.h"

static gboolean have_display;

#define SKIP_WITHOUT_DISPLAY()                                                                     \
  if (!have_display)                                                                               \
    {                                                                                              \
      g_test_skip ("no display");                                                                  \
      return;                                                                                      \
    }

/* How often each function is called is said in the text. */
static const char makefile[] = "CFLAGS = -O0 -g\n"
                               "all: app spin crash\n"
                               "app: app.c part.c\n\t$(CC) $(CFLAGS) -o $@ app.c part.c\n"
                               "spin: spin.c\n\t$(CC) $(CFLAGS) -o $@ spin.c\n"
                               "crash: crash.c\n\t$(CC) $(CFLAGS) -o $@ crash.c\n"
                               "-include hang.mk\n";
static const char app[] = "int part (int n);\n"
                          "int main (void) { int sum = 0; for (int i = 0; i < 3; i++) sum += part (1000); return sum != 3000; }\n";
static const char part[] = "static int leaf (int n) { return n >= 0; }\n"
                           "int part (int n) { int sum = 0; for (int i = 0; i < n; i++) sum += leaf (i); return sum; }\n";
static const char broken_part[] = "static int leaf (int n) { return n >= 0; }\n"
                                  "\n"
                                  "int part (int n) { return leaf (n) + missing; }\n";
static const char spin[] = "#include <stdio.h>\n#include <unistd.h>\n"
                           "static void turn (void) { usleep (1000); }\n"
                           "int main (void) { printf (\"pid %d\\n\", (int) getpid ()); fflush (stdout); for (;;) turn (); }\n";
static const char crash[] = "#include <signal.h>\n"
                            "static void step (void) { }\n"
                            "int main (void) { for (int i = 0; i < 5; i++) step (); raise (SIGSEGV); return 0; }\n";

typedef struct
{
  char *folder;
  CsWindow *window;
  CsSession *session;
  CsRecordView *view;
  GString *told;
} Fixture;

/* The project that tests share: what was built stays. */
static char *project;

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
remove_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_unlink (path);
}

static char *
make_project (void)
{
  char *folder = g_dir_make_tmp ("callsight-record-XXXXXX", NULL);

  write_file (folder, "Makefile", makefile);
  write_file (folder, "app.c", app);
  write_file (folder, "part.c", part);
  write_file (folder, "spin.c", spin);
  write_file (folder, "crash.c", crash);
  return folder;
}

static void
remove_project (const char *folder)
{
  static const char *const kept[] = { NULL };

  cs_folder_empty (folder, kept);
  g_rmdir (folder);
}

static void
on_message (Fixture *self, const char *text)
{
  g_string_append_printf (self->told, "%s\n", text);
}

static void
open_project (Fixture *self, const char *folder)
{
  self->folder = g_strdup (folder);
  self->told = g_string_new (NULL);
  self->window = cs_window_new (NULL);
  self->session = cs_window_get_session (self->window);
  self->view = CS_RECORD_VIEW (cs_window_get_view (self->window, "record"));
  g_signal_connect_swapped (self->session, "message", G_CALLBACK (on_message), self);
  gtk_window_present (GTK_WINDOW (self->window));
  cs_session_open_project (self->session, folder);
}

static void
close_project (Fixture *self)
{
  if (self->window != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      gtk_window_destroy (GTK_WINDOW (self->window));
    }
  g_string_free (self->told, TRUE);
  g_free (self->folder);
}

static gboolean
on_late (gpointer data)
{
  g_error ("waited too long for %s", (const char *) data);
  return G_SOURCE_REMOVE;
}

/* Turns the main loop until something is so. */
#define WAIT_FOR(condition)                                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    guint wait_timer = g_timeout_add_seconds (200, on_late, (gpointer) #condition);                 \
    while (!(condition))                                                                           \
      g_main_context_iteration (NULL, TRUE);                                                       \
    g_source_remove (wait_timer);                                                                  \
  }                                                                                                \
  G_STMT_END

static gboolean
is_enabled (Fixture *self, const char *action)
{
  return g_action_group_get_action_enabled (cs_view_get_actions (CS_VIEW (self->view)), action);
}

static void
activate (Fixture *self, const char *action)
{
  g_assert_true (is_enabled (self, action));
  g_action_group_activate_action (cs_view_get_actions (CS_VIEW (self->view)), action, NULL);
}

static AdwMessageDialog *
find_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (ADW_IS_MESSAGE_DIALOG (window) && gtk_widget_get_visible (GTK_WIDGET (window)))
        return ADW_MESSAGE_DIALOG (window);
    }
  return NULL;
}

/* Answers the question that is asked next. */
static void
answer (const char *heading, const char *id)
{
  AdwMessageDialog *dialog;

  WAIT_FOR ((dialog = find_dialog ()) != NULL);
  g_assert_cmpstr (adw_message_dialog_get_heading (dialog), ==, heading);
  g_assert_true (adw_message_dialog_has_response (dialog, id));
  adw_message_dialog_response (dialog, id);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static char *
get_text (CsLogView *view)
{
  GtkTextBuffer *buffer = cs_log_view_get_buffer (view);
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

static gboolean
has_text (CsLogView *view, const char *part_of_it)
{
  g_autofree char *text = get_text (view);

  return strstr (text, part_of_it) != NULL;
}

static void
on_shown (gboolean *shown)
{
  *shown = TRUE;
}

/* Builds, answering what is asked, until all is on view. */
static void
build (Fixture *self)
{
  CsBuildPane *pane = cs_record_view_get_build_pane (self->view);
  gboolean shown = FALSE;
  gulong handler = g_signal_connect_swapped (pane, "shown", G_CALLBACK (on_shown), &shown);

  activate (self, "build");
  if (!cs_project_is_adopted (cs_session_get_project (self->session)))
    answer ("Add Callsight to This Project?", CS_ANSWER_GO);
  g_assert_true (is_enabled (self, "stop"));
  g_assert_false (is_enabled (self, "build"));
  g_assert_false (is_enabled (self, "record"));
  WAIT_FOR (shown);
  g_signal_handler_disconnect (pane, handler);
  g_assert_false (is_enabled (self, "stop"));
  g_assert_true (is_enabled (self, "record"));
}

static const char *
get_build_summary (Fixture *self)
{
  return cs_build_pane_get_summary (cs_record_view_get_build_pane (self->view));
}

static const char *
get_run_summary (Fixture *self)
{
  return cs_live_pane_get_summary (cs_record_view_get_live_pane (self->view));
}

static CsLogView *
get_output (Fixture *self)
{
  return cs_live_pane_get_log_view (cs_record_view_get_live_pane (self->view));
}

static void
set_command (Fixture *self, const char *command)
{
  cs_run_settings_set (cs_record_view_get_settings (self->view), CS_SETTING_COMMAND, command);
}

/* Opens the shared project, built. */
static void
set_up (Fixture *self)
{
  gboolean first = project == NULL;

  if (first)
    project = make_project ();
  open_project (self, project);
  if (first)
    build (self);
}

/* How often a function was called, as the report says. */
static guint64
count_calls (Fixture *self, const char *name)
{
  guint n;
  const CsFunction *functions = cs_profile_get_functions (cs_session_get_whole_profile (self->session), &n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (functions[i].location.name, name))
      return functions[i].calls + functions[i].open;
  return 0;
}

static gboolean
is_read (Fixture *self)
{
  g_assert_cmpint (cs_session_get_state (self->session), !=, CS_SESSION_FAILED);
  return cs_session_get_state (self->session) == CS_SESSION_READY;
}

/* Records until the report is there. */
static void
record (Fixture *self, const char *command)
{
  set_command (self, command);
  cs_session_close_recording (self->session);
  activate (self, "record");
  WAIT_FOR (is_read (self));
  g_assert_cmpstr (cs_window_get_page (self->window), ==, "hotspots");
  g_assert_true (is_enabled (self, "record"));
}

static guint
count_recordings (const char *folder)
{
  g_autoptr (GPtrArray) list = cs_recordings_list (folder, NULL, NULL, NULL);

  return list->len;
}

static gboolean
is_alive (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *stat = NULL;

  return pid > 0 && g_file_get_contents (path, &stat, NULL, NULL) && strstr (stat, ") Z ") == NULL;
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

  /* What lists tell of it is written behind the report. */
  for (gboolean has_summary = FALSE; !has_summary;)
    {
      g_main_context_iteration (NULL, FALSE);
      g_clear_pointer (&info, cs_recording_info_free);
      info = cs_recordings_load (cs_session_get_paths (self.session)[0], NULL);
      has_summary = info->has_summary;
    }
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
  g_assert_cmpstr (get_run_summary (&self), ==, "spin was stopped");
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
      g_assert_cmpint (cs_session_get_state (self.session), ==, CS_SESSION_EMPTY);
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
  set_command (&self, "sh -c 'yes 0123456789012345678901234567890123456789 | head -c 150000000; "
                      "head -c 50000000 /dev/zero | tr \"\\0\" x; echo; echo the end'");
  before = get_resident_kb ();
  activate (&self, "record");
  WAIT_FOR (ends_with (get_output (&self), "the end\n"));
  g_assert_cmpuint (get_resident_kb () - before, <, 150 * 1024);
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
  activate (&self, "build");
  answer (heading, CS_ANSWER_GO);
  WAIT_FOR (is_enabled (&self, "build"));
  /* Once is enough. */
  activate (&self, "build");
  g_assert_null (find_dialog ());
  WAIT_FOR (is_enabled (&self, "build"));
  close_project (&self);
  remove_project (folder);
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
  /* Its own is written after the report is there. */
  for (guint i = 0; i < 100; i++)
    {
      g_usleep (1000);
      g_main_context_iteration (NULL, FALSE);
    }
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

  g_test_init (&argc, &argv, NULL);
  have_display = gtk_init_check ();
  if (have_display)
    adw_init ();
  g_test_add_func ("/app/record/loop", test_loop);
  g_test_add_func ("/app/record/stop", test_stop);
  g_test_add_func ("/app/record/crash", test_crash);
  g_test_add_func ("/app/record/nothing", test_nothing);
  g_test_add_func ("/app/record/input", test_input);
  g_test_add_func ("/app/record/flood", test_flood);
  g_test_add_func ("/app/record/rate", test_rate);
  g_test_add_func ("/app/record/stop-build", test_stop_build);
  g_test_add_func ("/app/record/close", test_close);
  g_test_add_func ("/app/record/trust", test_trust);
  g_test_add_func ("/app/record/unsaved", test_unsaved);
  g_test_add_func ("/app/record/gone", test_gone);
  status = g_test_run ();
  if (project != NULL)
    remove_project (project);
  return status;
}
