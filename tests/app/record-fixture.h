/* SPDX-License-Identifier: MIT */
#pragma once

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "project/cs-folder.h"
#include "record/cs-record-ask.h"
#include "record/cs-record-task.h"
#include "record/cs-record-view.h"
#include "test-display.h"
#include "window/cs-window.h"

/* A window with a real project, and the person who builds and records in it. For one test program. */

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
on_pause_over (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Turns the main loop for a moment, in which others may work. */
static void
pause_for_others (void)
{
  gboolean over = FALSE;

  g_timeout_add (20, on_pause_over, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
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
  /* An earlier recording may be open while one is made. */
  return cs_session_get_state (self->session) == CS_SESSION_READY && !is_enabled (self, "stop")
         && g_str_equal (cs_window_get_page (self->window), "hotspots");
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
