/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "compare/cs-compare-view.h"
#include "project/cs-folder.h"
#include "shared/cs-when.h"
#include "test-display.h"
#include "test-recording.h"
#include "window/cs-recording-row.h"
#include "window/cs-recordings-list.h"
#include "window/cs-window.h"

typedef struct
{
  char *project;
  char *folder; /* of the recordings */
  CsWindow *window;
  CsSession *session;
  CsRecordingsList *list;
  char *message, *action; /* that the session told last */
} Fixture;

static void
on_message (Fixture *self, const char *text, const char *label, const char *action)
{
  g_free (self->message);
  g_free (self->action);
  self->message = g_strdup (text);
  self->action = g_strdup (action);
}

static gpointer
find_widget (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      gpointer found = find_widget (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  self->project = g_build_filename (g_get_home_dir (), "project-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (self->project));
  self->folder = cs_recordings_get_folder (self->project);
  if (!have_display)
    return;
  self->window = cs_window_new (NULL);
  self->session = cs_window_get_session (self->window);
  self->list = find_widget (GTK_WIDGET (self->window), CS_TYPE_RECORDINGS_LIST);
  g_signal_connect_swapped (self->session, "message", G_CALLBACK (on_message), self);
  gtk_window_present (GTK_WINDOW (self->window));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  if (self->window != NULL)
    gtk_window_destroy (GTK_WINDOW (self->window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  cs_folder_remove (self->project);
  g_free (self->project);
  g_free (self->folder);
  g_free (self->message);
  g_free (self->action);
}

/* One thread that calls a function n times, 1 µs each, every 2 µs. */
static char *
record (Fixture *self, const char *name, guint n, const char *ini)
{
  char *path = g_build_filename (self->folder, name, NULL);
  g_autofree char *file = g_build_filename (path, "trace.7.7.0.bin", NULL);
  g_autofree char *ini_path = g_build_filename (path, "recording.ini", NULL);
  GByteArray *bytes = test_recording_new ();

  for (guint i = 0; i < 2 * n; i++)
    test_recording_add (bytes, 1000 * i, 0x1000, i % 2 == 0 ? TRACE_KIND_ENTER : TRACE_KIND_EXIT);
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, (const char *) bytes->data, bytes->len, NULL));
  if (ini != NULL)
    g_assert_true (g_file_set_contents (ini_path, ini, -1, NULL));
  g_byte_array_unref (bytes);
  return path;
}

static CsRecordingRow *
get_row (Fixture *self, int i)
{
  return CS_RECORDING_ROW (gtk_list_box_get_row_at_index (cs_recordings_list_get_box (self->list), i));
}

static guint
count_rows (Fixture *self)
{
  guint n = 0;

  while (gtk_list_box_get_row_at_index (cs_recordings_list_get_box (self->list), (int) n) != NULL)
    n++;
  return n;
}

static void
wait_for_rows (Fixture *self, guint n)
{
  while (count_rows (self) != n)
    g_main_context_iteration (NULL, TRUE);
}

static void
open_project (Fixture *self, guint n)
{
  cs_session_open_project (self->session, self->project);
  wait_for_rows (self, n);
}

static const char *
get_text (CsRecordingRow *row, const char *name)
{
  return gtk_label_get_text (GTK_LABEL (gtk_widget_get_template_child (GTK_WIDGET (row), CS_TYPE_RECORDING_ROW, name)));
}

static const char *
get_folder (CsRecordingRow *row)
{
  return cs_recording_item_get_folder (cs_recording_row_get_item (row));
}

static gboolean
is_enabled (Fixture *self, const char *action)
{
  return g_action_group_get_action_enabled (cs_recordings_list_get_actions (self->list), action);
}

static void
activate (CsRecordingRow *row, const char *action)
{
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (row)));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (row), action, NULL));
}

/* The recording that is made now isn't one of which the end wasn't seen. */
static void
check_running (Fixture *self)
{
  CsRecordingsModel *recordings = cs_project_get_recordings (cs_session_get_project (self->session));

  cs_recordings_model_set_running (recordings, get_folder (get_row (self, 0)));
  g_assert_cmpstr (get_text (get_row (self, 0), "detail"), ==, "Being recorded");
  g_assert_cmpstr (get_text (get_row (self, 1), "detail"), !=, "Being recorded");
  cs_recordings_model_set_running (recordings, NULL);
  g_assert_cmpstr (get_text (get_row (self, 0), "detail"), ==, "Not read yet");
}

static void
test_rows (Fixture *self, gconstpointer data)
{
  g_autofree char *old = record (self, "20250101-000000-old", 1,
                                 "[Recording]\nname=first <b>\nnote=line 1\\nline 2\nstarted=2025-01-01T00:00:00Z\n"
                                 "[Summary]\nlength-ns=8412345678\ncalls=41203118\nevents=82406236\nthreads=26\nprocesses=1\n"
                                 "bytes=124000000\n");
  g_autofree char *new = record (self, "20250102-000000-new", 1,
                                 "[Recording]\ncommand=./bin/prog;\nstarted=2025-01-02T00:00:00Z\n"
                                 "ended=2025-01-02T00:00:01Z\nending=exited with status 3\n");
  const char *tooltip;

  SKIP_WITHOUT_DISPLAY ();
  open_project (self, 2);
  /* Newest first. */
  g_assert_cmpstr (get_folder (get_row (self, 0)), ==, new);
  g_assert_cmpstr (get_text (get_row (self, 0), "title"), ==, "prog");
  g_assert_cmpstr (get_text (get_row (self, 0), "detail"), ==, "Not read yet");
  check_running (self);
  tooltip = gtk_widget_get_tooltip_text (GTK_WIDGET (get_row (self, 0)));
  g_assert_nonnull (strstr (tooltip, "exited with status 3"));
  g_assert_cmpstr (get_folder (get_row (self, 1)), ==, old);
  g_assert_cmpstr (get_text (get_row (self, 1), "title"), ==, "first <b>");
  g_assert_cmpstr (get_text (get_row (self, 1), "detail"), ==, "8.41 s · 41.2 M calls · 26 threads");
  g_assert_cmpstr (get_text (get_row (self, 1), "note"), ==, "124.0\302\240MB · line 1 line 2");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (get_row (self, 1)), GTK_ACCESSIBLE_PROPERTY_LABEL, "first <b>");
}

/* Without recordings, even without callsight/, the list waits for some. */
static void
test_followed (Fixture *self, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  SKIP_WITHOUT_DISPLAY ();
  g_assert_cmpint (g_mkdir_with_parents (self->folder, 0700), ==, 0);
  open_project (self, 0);
  first = record (self, "20250101-000000-a", 1, "[Recording]\nname=a\nstarted=2025-01-01T00:00:00Z\n");
  wait_for_rows (self, 1);
  {
    CsRecordingRow *row = get_row (self, 0);
    const CsRecordingChange change = { .name = "other" };

    second = record (self, "20250102-000000-b", 1, "[Recording]\nname=b\nstarted=2025-01-02T00:00:00Z\n");
    wait_for_rows (self, 2);
    /* Rows of what stays stay. */
    g_assert_true (get_row (self, 1) == row);
    g_assert_true (cs_recordings_change (first, &change, NULL));
    while (!g_str_equal (get_text (row, "title"), "other"))
      g_main_context_iteration (NULL, TRUE);
    g_assert_true (get_row (self, 1) == row);
  }
  cs_folder_remove (second);
  wait_for_rows (self, 1);
  g_assert_cmpstr (get_text (get_row (self, 0), "title"), ==, "other");
  cs_session_open_project (self->session, NULL);
  g_assert_cmpuint (count_rows (self), ==, 0);
}

static void
wait_until_read (Fixture *self)
{
  while (cs_session_get_state (self->session) != CS_SESSION_READY)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_opened (Fixture *self, gconstpointer data)
{
  g_autofree char *a = record (self, "20250101-000000-a", 100, NULL);
  g_autofree char *b = record (self, "20250102-000000-b", 1,
                               "[Recording]\nname=b\nstarted=2025-01-02T00:00:00Z\n"
                               "[Summary]\nlength-ns=5\ncalls=7\nevents=14\nthreads=3\nprocesses=1\nbytes=1\n");
  g_autoptr (CsRecordingInfo) info = NULL;
  CsRecordingRow *row;

  SKIP_WITHOUT_DISPLAY ();
  open_project (self, 2);
  row = g_str_equal (get_folder (get_row (self, 0)), a) ? get_row (self, 0) : get_row (self, 1);
  g_assert_false (is_enabled (self, "open"));
  g_signal_emit_by_name (row, "activate");
  wait_until_read (self);
  g_assert_cmpstr (cs_session_get_paths (self->session)[0], ==, a);
  g_assert_cmpstr (cs_window_get_page (self->window), ==, "hotspots");
  g_assert_true (is_enabled (self, "open"));
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_SELECTED, TRUE);

  /* What is known now stays known. */
  while (!g_str_equal (get_text (row, "detail"), "199 µs · 100 calls · 1 thread"))
    g_main_context_iteration (NULL, TRUE);
  info = cs_recordings_load (a, NULL);
  g_assert_true (info->has_summary);
  g_assert_cmpuint (info->summary.length_ns, ==, 199000);
  g_assert_cmpuint (info->summary.calls, ==, 100);
  g_assert_cmpuint (info->summary.events, ==, 200);
  g_assert_cmpuint (info->summary.threads, ==, 1);
  g_assert_cmpuint (info->summary.processes, ==, 1);

  /* What is said is put right. */
  row = g_str_equal (get_folder (get_row (self, 0)), b) ? get_row (self, 0) : get_row (self, 1);
  g_assert_cmpstr (get_text (row, "detail"), ==, "5 ns · 7 calls · 3 threads");
  g_signal_emit_by_name (row, "activate");
  while (!g_str_equal (get_text (row, "detail"), "1.00 µs · 1 call · 1 thread"))
    g_main_context_iteration (NULL, TRUE);
}

/* A popover with a field for a text. */
static gpointer
find_field (Fixture *self, GType type)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->list)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child) && find_widget (child, type) != NULL)
      return find_widget (child, type);
  g_assert_not_reached ();
}

static void
test_named (Fixture *self, gconstpointer data)
{
  g_autofree char *a = record (self, "20250101-000000-a", 1, "[Recording]\nname=a\nstarted=2025-01-01T00:00:00Z\n");
  g_autoptr (CsRecordingInfo) info = NULL;
  GtkTextView *view;
  GtkEditable *entry;
  CsRecordingRow *row;

  SKIP_WITHOUT_DISPLAY ();
  open_project (self, 1);
  row = get_row (self, 0);
  activate (row, "recordings.rename");
  entry = GTK_EDITABLE (find_field (self, GTK_TYPE_ENTRY));
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "a");
  gtk_editable_set_text (entry, "  a new <name> ");
  g_signal_emit_by_name (entry, "activate");
  while (!g_str_equal (get_text (row, "title"), "a new <name>"))
    g_main_context_iteration (NULL, TRUE);

  activate (row, "recordings.note");
  view = GTK_TEXT_VIEW (find_field (self, GTK_TYPE_TEXT_VIEW));
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (view), "why\nit is slow\n", -1);
  g_signal_emit_by_name (find_widget (gtk_widget_get_ancestor (GTK_WIDGET (view), GTK_TYPE_POPOVER), GTK_TYPE_BUTTON), "clicked");
  while (!g_str_has_suffix (get_text (row, "note"), "why it is slow"))
    g_main_context_iteration (NULL, TRUE);
  info = cs_recordings_load (a, NULL);
  g_assert_cmpstr (info->name, ==, "a new <name>");
  g_assert_cmpstr (info->note, ==, "why\nit is slow");
}

static void
wait_for_message (Fixture *self)
{
  while (self->message == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_trashed (Fixture *self, gconstpointer data)
{
  g_autofree char *a = record (self, "20250101-000000-a", 1, "[Recording]\nname=a\nstarted=2025-01-01T00:00:00Z\n");
  g_autofree char *name = NULL;
  GVariant *target = NULL;

  SKIP_WITHOUT_DISPLAY ();
  open_project (self, 1);
  g_signal_emit_by_name (get_row (self, 0), "activate");
  wait_until_read (self);
  activate (get_row (self, 0), "recordings.trash");
  wait_for_message (self);
  g_assert_false (g_file_test (a, G_FILE_TEST_EXISTS));
  wait_for_rows (self, 0);
  g_assert_cmpstr (self->message, ==, "“a” is in the trash");
  /* What isn't there isn't shown. */
  g_assert_cmpint (cs_session_get_state (self->session), ==, CS_SESSION_EMPTY);
  g_assert_false (is_enabled (self, "trash"));

  g_assert_nonnull (self->action);
  g_assert_true (g_action_parse_detailed_name (self->action, &name, &target, NULL));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (self->window), name, target));
  g_variant_unref (target);
  wait_for_rows (self, 1);
  g_assert_cmpstr (get_text (get_row (self, 0), "title"), ==, "a");
}

/* Put back where there is something else by now. */
static void
test_not_restored (Fixture *self, gconstpointer data)
{
  g_autofree char *a = record (self, "20250101-000000-a", 1, "[Recording]\nname=a\nstarted=2025-01-01T00:00:00Z\n");
  g_autofree char *name = NULL;
  GVariant *target = NULL;

  SKIP_WITHOUT_DISPLAY ();
  open_project (self, 1);
  activate (get_row (self, 0), "recordings.trash");
  wait_for_message (self);
  g_clear_pointer (&self->message, g_free);
  /* An empty folder, which a rename would replace. */
  g_assert_cmpint (g_mkdir (a, 0700), ==, 0);
  g_assert_true (g_action_parse_detailed_name (self->action, &name, &target, NULL));
  gtk_widget_activate_action_variant (GTK_WIDGET (self->window), name, target);
  g_variant_unref (target);
  wait_for_message (self);
  g_assert_nonnull (strstr (self->message, "look for it in the trash"));
}

static GtkWindow *
wait_for_window (Fixture *self, const char *title)
{
  for (;;)
    {
      g_autoptr (GListModel) windows = g_object_ref (gtk_window_get_toplevels ());

      for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
        {
          g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

          if (gtk_window_get_transient_for (window) == GTK_WINDOW (self->window)
              && (title == NULL || g_strcmp0 (gtk_window_get_title (window), title) == 0))
            return window;
        }
      g_main_context_iteration (NULL, TRUE);
    }
}

/* Without a trash it is asked first. */
static void
test_deleted (Fixture *self, gconstpointer data)
{
  g_autofree char *a = record (self, "20250101-000000-a", 1, "[Recording]\nname=a\nstarted=2025-01-01T00:00:00Z\n");
  g_autofree char *trash = g_build_filename (g_get_user_data_dir (), "Trash", NULL);
  GtkWindow *dialog;

  SKIP_WITHOUT_DISPLAY ();
  open_project (self, 1);
  cs_folder_remove (trash);
  g_assert_true (g_file_set_contents (trash, "no folder", -1, NULL));
  activate (get_row (self, 0), "recordings.trash");
  dialog = wait_for_window (self, NULL);
  g_assert_true (ADW_IS_MESSAGE_DIALOG (dialog));
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  gtk_window_destroy (dialog);
  g_assert_true (g_file_test (a, G_FILE_TEST_EXISTS));

  activate (get_row (self, 0), "recordings.trash");
  dialog = wait_for_window (self, NULL);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), "delete");
  wait_for_rows (self, 0);
  /* The row goes with the first of its files. */
  while (g_file_test (a, G_FILE_TEST_EXISTS))
    g_main_context_iteration (NULL, FALSE);
  g_unlink (trash);
}

static void
test_compared (Fixture *self, gconstpointer data)
{
  g_autofree G_GNUC_UNUSED char *a = record (self, "20250101-000000-a", 10, "[Recording]\nname=before\nstarted=2025-01-01T00:00:00Z\n");
  g_autofree G_GNUC_UNUSED char *b = record (self, "20250102-000000-b", 30, "[Recording]\nname=after\nstarted=2025-01-02T00:00:00Z\n");
  g_autoptr (CsDeltaItem) item = NULL;
  g_autofree char *name = NULL;
  g_autofree char *delta = NULL;
  g_autofree char *percent = NULL;
  CsCompareView *view;
  CsComparison *comparison;

  SKIP_WITHOUT_DISPLAY ();
  open_project (self, 2);
  g_signal_emit_by_name (get_row (self, 0), "activate");
  wait_until_read (self);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  /* With itself there is nothing to compare. */
  g_assert_false (is_enabled (self, "compare"));
  activate (get_row (self, 1), "recordings.compare");
  g_assert_cmpstr (cs_window_get_page (self->window), ==, "compare");
  view = CS_COMPARE_VIEW (cs_window_get_view (self->window, "compare"));
  comparison = cs_compare_view_get_comparison (view);
  while (cs_comparison_is_busy (comparison))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (cs_comparison_get_base_path (comparison), ==, a);
  /* 10 calls of 1 µs before, 30 after. */
  item = g_list_model_get_item (G_LIST_MODEL (cs_delta_table_get_model (cs_compare_view_get_table (view))), 0);
  name = cs_delta_item_dup_name (item);
  delta = cs_delta_item_dup_cell (item, CS_DELTA_CHANGE);
  percent = cs_delta_item_dup_cell (item, CS_DELTA_PERCENT);
  g_assert_cmpstr (name, ==, "0x1000");
  g_assert_cmpstr (delta, ==, "+0.020");
  g_assert_cmpstr (percent, ==, "+200.0 %");
}

/* Not all rows are made at first. */
static void
test_many (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  for (guint i = 0; i < 130; i++)
    {
      g_autofree char *name = g_strdup_printf ("20250101-%06u-a", i);
      g_autofree char *path = g_build_filename (self->folder, name, NULL);
      g_autofree char *ini = g_build_filename (path, "recording.ini", NULL);

      g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
      g_assert_true (g_file_set_contents_full (ini, "[Recording]\nname=a\n", -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
    }
  open_project (self, 40);
  {
    GtkWidget *more = GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (self->list), CS_TYPE_RECORDINGS_LIST, "more"));

    g_assert_true (gtk_widget_get_visible (more));
    g_signal_emit_by_name (more, "clicked");
    g_assert_cmpuint (count_rows (self), ==, 130);
    g_assert_false (gtk_widget_get_visible (more));
  }
}

static void
test_when (void)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autoptr (GDateTime) now = g_date_time_new (zone, 2026, 3, 1, 12, 0, 0);
  const gint64 us = g_date_time_to_unix (now) * G_USEC_PER_SEC;
  static const struct { gint64 hours; const char *text; } cases[] = {
    { 0, "Today 12:00" }, { 12, "Today 0:00" }, { 13, "Yesterday 23:00" }, { 36, "Yesterday 0:00" }, { 37, "27 Feb 23:00" },
    { 24 * 60, "31 Dec 2025" }, { -24, "2 Mar 12:00" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = cs_when_format (us - cases[i].hours * 3600 * G_USEC_PER_SEC, us);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
  {
    g_autofree char *never = cs_when_format (G_MAXINT64, us);

    g_assert_cmpstr (never, !=, "");
  }
}

int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *data = g_build_filename (home, "data", NULL);
  int result;

  /* A home of its own, with a trash. */
  g_setenv ("HOME", home, TRUE);
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_setenv ("XDG_STATE_HOME", data, TRUE);
  g_setenv ("TZ", "UTC", TRUE);
  g_assert_cmpint (g_mkdir (data, 0700), ==, 0);
  test_init_display (&argc, &argv);
  g_test_add_func ("/app/recordings-list/when", test_when);
  g_test_add ("/app/recordings-list/rows", Fixture, NULL, set_up, test_rows, tear_down);
  g_test_add ("/app/recordings-list/followed", Fixture, NULL, set_up, test_followed, tear_down);
  g_test_add ("/app/recordings-list/opened", Fixture, NULL, set_up, test_opened, tear_down);
  g_test_add ("/app/recordings-list/named", Fixture, NULL, set_up, test_named, tear_down);
  g_test_add ("/app/recordings-list/trashed", Fixture, NULL, set_up, test_trashed, tear_down);
  g_test_add ("/app/recordings-list/not-restored", Fixture, NULL, set_up, test_not_restored, tear_down);
  g_test_add ("/app/recordings-list/deleted", Fixture, NULL, set_up, test_deleted, tear_down);
  g_test_add ("/app/recordings-list/compared", Fixture, NULL, set_up, test_compared, tear_down);
  g_test_add ("/app/recordings-list/many", Fixture, NULL, set_up, test_many, tear_down);
  result = g_test_run ();
  cs_folder_remove (home);
  return result;
}
