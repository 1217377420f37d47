/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "project/cs-build-system.h"
#include "project/cs-folder.h"
#include "project/cs-recordings.h"
#include "test-display.h"
#include "test-recording.h"
#include "welcome/cs-adopt-bar.h"
#include "welcome/cs-adopt-dialog.h"
#include "welcome/cs-recent-row.h"
#include "welcome/cs-recents.h"
#include "welcome/cs-welcome-view.h"
#include "window/cs-drop-hint.h"
#include "window/cs-window.h"

typedef struct
{
  char *folder;
  char *file;    /* of what was opened */
  char *project; /* with a Makefile and a source */
} Fixture;

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static char *
read_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  self->file = g_build_filename (self->folder, "state", "recent.ini", NULL);
  self->project = g_build_filename (self->folder, "prog <b>&amp;", NULL);
  g_assert_cmpint (g_mkdir (self->project, 0700), ==, 0);
  write_file (self->project, "Makefile", "all:\n");
  write_file (self->project, "a.c", "int main (void) { return 0; }\n");
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  cs_folder_remove (self->folder);
  g_free (self->folder);
  g_free (self->file);
  g_free (self->project);
}

static void
settle (CsRecents *recents)
{
  while (cs_recents_is_busy (recents))
    g_main_context_iteration (NULL, TRUE);
}

static CsRecents *
load (Fixture *self)
{
  CsRecents *recents = cs_recents_new (self->file);

  settle (recents);
  return recents;
}

static CsRecent *
get (CsRecents *recents, guint i)
{
  g_autoptr (CsRecent) recent = g_list_model_get_item (G_LIST_MODEL (recents), i);

  g_assert_nonnull (recent);
  return recent;
}

static const char *
get_path (CsRecents *recents, guint i)
{
  return cs_recent_get_paths (get (recents, i))[0];
}

static guint
count (CsRecents *recents)
{
  return g_list_model_get_n_items (G_LIST_MODEL (recents));
}

static void
test_kept (Fixture *self, gconstpointer data)
{
  const char *const files[] = { "/odd/\xff name;=[x]\n.bin", "/odd/other", NULL };
  const CsRecentFacts facts = { .program = "lab", .length_ns = 8412345678, .calls = 41203118 };
  g_autoptr (CsRecents) recents = load (self);
  g_autoptr (CsRecents) again = NULL;

  g_assert_cmpuint (count (recents), ==, 0);
  cs_recents_add_project (recents, self->project);
  cs_recents_add_recording (recents, files, &facts);
  cs_recents_add_project (recents, "/gone");
  settle (recents);
  again = load (self);
  g_assert_cmpuint (count (again), ==, 3);
  g_assert_cmpstr (get_path (again, 0), ==, "/gone");
  g_assert_cmpint (cs_recent_get_kind (get (again, 0)), ==, CS_RECENT_PROJECT);
  g_assert_true (cs_recent_is_missing (get (again, 0)));
  g_assert_cmpstr (get_path (again, 1), ==, files[0]);
  g_assert_cmpstr (cs_recent_get_paths (get (again, 1))[1], ==, files[1]);
  g_assert_null (cs_recent_get_paths (get (again, 1))[2]);
  g_assert_cmpint (cs_recent_get_kind (get (again, 1)), ==, CS_RECENT_RECORDING);
  g_assert_true (g_utf8_validate (cs_recent_get_title (get (again, 1)), -1, NULL));
  g_assert_false (cs_recent_is_missing (get (again, 2)));
  g_assert_cmpstr (cs_recent_get_detail (get (again, 2)), ==, "No recordings");

  /* What is opened again comes first, once. */
  cs_recents_add_project (again, self->project);
  g_assert_cmpuint (count (again), ==, 3);
  g_assert_cmpstr (get_path (again, 0), ==, self->project);
  cs_recents_remove (again, get (again, 0));
  settle (again);
  g_clear_object (&recents);
  recents = load (self);
  g_assert_cmpuint (count (recents), ==, 2);
  g_assert_cmpstr (get_path (recents, 0), ==, "/gone");
}

/* Added before the file is read, and more than are kept. */
static void
test_many (Fixture *self, gconstpointer data)
{
  g_autoptr (CsRecents) recents = load (self);
  g_autoptr (CsRecents) again = NULL;

  for (guint i = 0; i < 30; i++)
    {
      g_autofree char *path = g_strdup_printf ("/gone/%u", i);

      cs_recents_add_project (recents, path);
    }
  g_assert_cmpuint (count (recents), ==, 20);
  g_assert_cmpstr (get_path (recents, 0), ==, "/gone/29");
  settle (recents);
  again = cs_recents_new (self->file);
  cs_recents_add_project (again, "/gone/15");
  g_assert_cmpuint (count (again), ==, 1);
  settle (again);
  g_assert_cmpuint (count (again), ==, 20);
  g_assert_cmpstr (get_path (again, 0), ==, "/gone/15");
  g_assert_cmpstr (get_path (again, 1), ==, "/gone/29");
}

/* What isn't ours is no list, and does no harm. */
static void
test_damaged (Fixture *self, gconstpointer data)
{
  static const char *const texts[] = {
    "", "[", "[0]\npaths=\n", "[0]\nkind=project\npaths=relative;\n", "[0]\nkind=x\npaths=%zz;%00;/%\n", "\xff\xfe\n", "[0]\npaths=/a;\nlength=-1\ncalls=x\n",
  };
  g_autofree char *folder = g_path_get_dirname (self->file);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (CsRecents) recents = NULL;

      g_assert_true (g_file_set_contents (self->file, texts[i], -1, NULL));
      recents = load (self);
      g_assert_cmpuint (count (recents), <=, 1);
      cs_recents_add_project (recents, self->project);
      settle (recents);
      g_assert_cmpstr (get_path (recents, 0), ==, self->project);
    }
}

/* A folder that can't be written is no more than a list that isn't kept. */
static void
test_unwritable (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = g_path_get_dirname (self->file);
  g_autoptr (CsRecents) recents = NULL;

  g_assert_true (g_file_set_contents (folder, "a file", -1, NULL));
  recents = load (self);
  cs_recents_add_project (recents, self->project);
  settle (recents);
  g_assert_cmpuint (count (recents), ==, 1);
}

static char *
record (Fixture *self, const char *name)
{
  g_autofree char *folder = cs_recordings_get_folder (self->project);
  char *path = g_build_filename (folder, name, NULL);
  GByteArray *bytes = test_recording_new ();
  g_autofree char *file = g_build_filename (path, "trace.7.7.0.bin", NULL);

  test_recording_add (bytes, 0, 0x1000, TRACE_KIND_ENTER);
  test_recording_add (bytes, 2000, 0x1000, TRACE_KIND_EXIT);
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, (const char *) bytes->data, bytes->len, NULL));
  g_byte_array_unref (bytes);
  return path;
}

/* Projects tell how many recordings they have, recordings what is in them. */
static void
test_details (Fixture *self, gconstpointer data)
{
  const CsRecordingSummary summary = { .length_ns = 8412345678, .calls = 41203118, .events = 82406236, .threads = 26 };
  const CsRecordingChange change = { .name = "before <i>", .summary = &summary };
  g_autofree char *first = record (self, "20260101-000000-a");
  g_autofree G_GNUC_UNUSED char *second = record (self, "20260102-000000-b");
  const char *const paths[] = { first, NULL };
  g_autoptr (CsRecents) recents = load (self);

  g_assert_true (cs_recordings_change (first, &change, NULL));
  cs_recents_add_project (recents, self->project);
  cs_recents_add_recording (recents, paths, NULL);
  settle (recents);
  g_assert_true (g_str_has_prefix (cs_recent_get_detail (get (recents, 1)), "2 recordings · "));
  g_assert_cmpstr (cs_recent_get_title (get (recents, 0)), ==, "before <i>");
  g_assert_cmpstr (cs_recent_get_detail (get (recents, 0)), ==, "8.41 s · 41.2 M calls");

  /* Looked at again, when it is gone. */
  cs_folder_remove (first);
  cs_recents_look (recents);
  settle (recents);
  g_assert_true (cs_recent_is_missing (get (recents, 0)));
  g_assert_true (g_str_has_prefix (cs_recent_get_detail (get (recents, 1)), "1 recording · "));
}

static gpointer
get_child (gpointer widget, GType type, const char *name)
{
  gpointer child = gtk_widget_get_template_child (widget, type, name);

  g_assert_nonnull (child);
  return child;
}

static void
forget_all (void)
{
  CsRecents *recents = cs_recents_get_default ();

  settle (recents);
  while (count (recents) > 0)
    cs_recents_remove (recents, get (recents, 0));
}

static GtkListBox *
get_list (CsWindow *window, const char *name)
{
  return get_child (cs_window_get_view (window, "welcome"), CS_TYPE_WELCOME_VIEW, name);
}

/* Rows open what they are of, and forget it. */
static void
test_view (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  g_autofree char *recording = record (self, "20260101-000000-a");
  const char *const paths[] = { recording, NULL };
  CsRecents *recents = cs_recents_get_default ();
  CsWindow *window = cs_window_new (NULL);
  CsSession *session = cs_window_get_session (window);
  GtkWidget *hint = get_child (cs_window_get_view (window, "welcome"), CS_TYPE_WELCOME_VIEW, "hint");
  GtkListBoxRow *row;

  gtk_window_present (GTK_WINDOW (window));
  forget_all ();
  g_assert_cmpstr (cs_window_get_page (window), ==, "welcome");
  g_assert_true (gtk_widget_get_visible (hint));
  cs_recents_add_project (recents, "/gone");
  cs_recents_add_recording (recents, paths, NULL);
  cs_recents_add_project (recents, self->project);
  settle (recents);
  g_assert_false (gtk_widget_get_visible (hint));

  /* What is gone can be removed only. */
  row = gtk_list_box_get_row_at_index (get_list (window, "projects"), 1);
  g_assert_false (gtk_list_box_row_get_activatable (row));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, "gone");
  gtk_widget_activate_action (GTK_WIDGET (row), "recent.remove", NULL);
  g_assert_null (gtk_list_box_get_row_at_index (get_list (window, "projects"), 1));

  row = gtk_list_box_get_row_at_index (get_list (window, "projects"), 0);
  g_signal_emit_by_name (row, "activate");
  while (cs_session_get_project (session) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (cs_project_get_folder (cs_session_get_project (session)), ==, self->project);
  g_assert_cmpstr (cs_window_get_page (window), ==, "select");

  row = gtk_list_box_get_row_at_index (get_list (window, "recordings"), 0);
  g_signal_emit_by_name (row, "activate");
  while (cs_session_get_state (session) != CS_SESSION_READY)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (cs_window_get_page (window), ==, "hotspots");
  /* Both were opened again. */
  settle (recents);
  g_assert_cmpuint (count (recents), ==, 2);
  g_assert_cmpstr (get_path (recents, 0), ==, recording);
  g_assert_cmpstr (cs_recent_get_detail (get (recents, 0)), ==, "2.00 µs · 1 call");
  gtk_window_destroy (GTK_WINDOW (window));
  forget_all ();
  settle (recents);
}

static void
open_in (CsWindow *window, const char *folder)
{
  g_autoptr (GFile) file = g_file_new_for_path (folder);

  gtk_window_present (GTK_WINDOW (window));
  cs_window_open_files (window, &file, 1);
  while (cs_session_get_project (cs_window_get_session (window)) == NULL)
    g_main_context_iteration (NULL, TRUE);
}

/* A project is shown again as a window was closed. */
static void
test_restored (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsWindow *window = cs_window_new (NULL);
  int width, height;

  open_in (window, self->project);
  g_assert_cmpstr (cs_window_get_page (window), ==, "select");
  cs_session_show_view (cs_window_get_session (window), "record");
  g_assert_cmpstr (cs_window_get_page (window), ==, "record");
  gtk_window_set_default_size (GTK_WINDOW (window), 777, 555);
  g_action_group_change_action_state (G_ACTION_GROUP (window), "sidebar", g_variant_new_boolean (FALSE));
  gtk_window_close (GTK_WINDOW (window));
  while (g_main_context_iteration (NULL, FALSE))
    ;

  window = cs_window_new (NULL);
  gtk_window_get_default_size (GTK_WINDOW (window), &width, &height);
  g_assert_cmpint (width, ==, 777);
  g_assert_cmpint (height, ==, 555);
  open_in (window, self->project);
  g_assert_cmpstr (cs_window_get_page (window), ==, "record");
  {
    g_autoptr (GVariant) shown = g_action_group_get_action_state (G_ACTION_GROUP (window), "sidebar");

    g_assert_false (g_variant_get_boolean (shown));
  }
  gtk_window_destroy (GTK_WINDOW (window));
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

static gpointer
find_drop_target (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_DROP_TARGET (controller))
        return controller;
    }
  g_assert_not_reached ();
}

static void
test_drop (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsWindow *window = cs_window_new (NULL);
  CsSession *session = cs_window_get_session (window);
  GtkWidget *hint = find_widget (GTK_WIDGET (window), CS_TYPE_DROP_HINT);
  gpointer target = find_drop_target (gtk_widget_get_parent (hint));
  GSList list = { .data = g_file_new_for_path (self->project) };
  GValue value = G_VALUE_INIT;
  GdkDragAction action = 0;
  gboolean taken = FALSE;

  gtk_window_present (GTK_WINDOW (window));
  g_assert_false (gtk_widget_get_visible (hint));
  g_signal_emit_by_name (target, "enter", 1.0, 1.0, &action);
  g_assert_cmpint (action, ==, GDK_ACTION_COPY);
  g_assert_true (gtk_widget_get_visible (hint));
  g_signal_emit_by_name (target, "leave");
  g_assert_false (gtk_widget_get_visible (hint));

  g_signal_emit_by_name (target, "enter", 1.0, 1.0, &action);
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_set_boxed (&value, &list);
  g_signal_emit_by_name (target, "drop", &value, 1.0, 1.0, &taken);
  g_value_unset (&value);
  g_object_unref (list.data);
  g_assert_true (taken);
  g_assert_false (gtk_widget_get_visible (hint));
  while (cs_session_get_project (session) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (cs_project_get_folder (cs_session_get_project (session)), ==, self->project);
  gtk_window_destroy (GTK_WINDOW (window));
}

static const char *
get_bar_text (CsWindow *window)
{
  CsAdoptBar *bar = find_widget (GTK_WIDGET (window), CS_TYPE_ADOPT_BAR);
  GtkRevealer *revealer = get_child (bar, CS_TYPE_ADOPT_BAR, "revealer");

  while (cs_adopt_bar_is_busy (bar))
    g_main_context_iteration (NULL, TRUE);
  /* What isn't revealed isn't there for assistive technology. */
  g_assert_cmpint (gtk_widget_get_visible (gtk_revealer_get_child (revealer)), ==,
                   gtk_revealer_get_reveal_child (revealer));
  return gtk_revealer_get_reveal_child (revealer)
             ? gtk_label_get_text (get_child (bar, CS_TYPE_ADOPT_BAR, "text")) : NULL;
}

static CsAdoptDialog *
open_dialog (CsWindow *window)
{
  CsAdoptDialog *dialog = cs_adopt_dialog_new (GTK_WINDOW (window), cs_window_get_session (window));

  gtk_window_present (GTK_WINDOW (dialog));
  while (cs_adopt_dialog_is_busy (dialog))
    g_main_context_iteration (NULL, TRUE);
  return dialog;
}

/* Presses Set Up; whether the dialog is gone then. */
static gboolean
set_up_and_wait (CsAdoptDialog *dialog)
{
  gpointer watched = dialog;

  g_object_add_weak_pointer (G_OBJECT (dialog), &watched);
  g_signal_emit_by_name (get_child (dialog, CS_TYPE_ADOPT_DIALOG, "set_up"), "clicked");
  while (watched != NULL && cs_adopt_dialog_is_busy (watched))
    g_main_context_iteration (NULL, TRUE);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  if (watched != NULL)
    g_object_remove_weak_pointer (G_OBJECT (dialog), &watched);
  return watched == NULL;
}

static void
collect_subtitles (GtkWidget *widget, GString *text)
{
  if (ADW_IS_ACTION_ROW (widget) && gtk_widget_get_mapped (widget))
    g_string_append_printf (text, "%s: %s\n", adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)),
                            adw_action_row_get_subtitle (ADW_ACTION_ROW (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    collect_subtitles (child, text);
}

static void
test_adopt (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsWindow *window = cs_window_new (NULL);
  CsSession *session = cs_window_get_session (window);
  g_autofree char *callsight = g_build_filename (self->project, "callsight", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GString) told = g_string_new (NULL);
  g_autoptr (GDir) dir = NULL;
  CsAdoptDialog *dialog;
  const char *name;

  gtk_window_present (GTK_WINDOW (window));
  cs_session_open_project (session, self->project);
  cs_session_show_view (session, "select");
  g_assert_nonnull (strstr (get_bar_text (window), "isn’t set up"));
  dialog = open_dialog (window);
  g_assert_cmpuint (adw_combo_row_get_selected (get_child (dialog, CS_TYPE_ADOPT_DIALOG, "system")), ==,
                    CS_BUILD_SYSTEM_MAKE);
  g_assert_nonnull (strstr (gtk_label_get_text (get_child (dialog, CS_TYPE_ADOPT_DIALOG, "wiring")),
                            "include callsight/Makefile.callsight"));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  collect_subtitles (GTK_WIDGET (dialog), told);
  /* Nothing is written before that is wanted. */
  g_assert_false (g_file_test (callsight, G_FILE_TEST_EXISTS));
  g_assert_true (set_up_and_wait (dialog));
  g_assert_true (cs_project_is_adopted (cs_session_get_project (session)));
  g_assert_null (get_bar_text (window));

  /* What was written is what was told. */
  dir = g_dir_open (callsight, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_assert_nonnull (strstr (told->str, name));
  g_assert_nonnull (strstr (told->str, "trace.config: New"));
  g_assert_nonnull (strstr (told->str, "Makefile.callsight"));

  /* Somebody changes a file: that is said, and it stays so until it is to be replaced. */
  before = read_file (callsight, "trace.c");
  write_file (callsight, "trace.c", "changed\n");
  cs_session_open_project (session, self->project);
  g_assert_nonnull (strstr (get_bar_text (window), "trace.c"));
  dialog = open_dialog (window);
  g_assert_true (gtk_widget_get_visible (get_child (dialog, CS_TYPE_ADOPT_DIALOG, "replace_row")));
  gtk_switch_set_active (get_child (dialog, CS_TYPE_ADOPT_DIALOG, "replace"), TRUE);
  g_assert_true (set_up_and_wait (dialog));
  after = read_file (callsight, "trace.c");
  g_assert_cmpstr (after, ==, before);
  g_assert_null (get_bar_text (window));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What is being written is written to its end when the dialog is closed, and the window learns of it. */
static void
test_adopt_closed (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsWindow *window = cs_window_new (NULL);
  CsSession *session = cs_window_get_session (window);
  CsAdoptDialog *dialog;

  gtk_window_present (GTK_WINDOW (window));
  cs_session_open_project (session, self->project);
  cs_session_show_view (session, "select");
  g_assert_nonnull (get_bar_text (window));
  dialog = open_dialog (window);
  g_signal_emit_by_name (get_child (dialog, CS_TYPE_ADOPT_DIALOG, "set_up"), "clicked");
  gtk_window_destroy (GTK_WINDOW (dialog));
  while (!cs_project_is_adopted (cs_session_get_project (session)))
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (get_bar_text (window));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A folder that came with the project, and files that can't be written. */
static void
test_adopt_foreign (Fixture *self, gconstpointer data)
{
  SKIP_WITHOUT_DISPLAY ();
  CsWindow *window = cs_window_new (NULL);
  CsSession *session = cs_window_get_session (window);
  g_autofree char *callsight = g_build_filename (self->project, "callsight", NULL);
  CsAdoptDialog *dialog;
  GtkLabel *problem;

  g_assert_cmpint (g_mkdir (callsight, 0700), ==, 0);
  write_file (callsight, "trace.c", "not ours\n");
  write_file (self->project, "trace.config", "");
  gtk_window_present (GTK_WINDOW (window));
  cs_session_open_project (session, self->project);
  cs_session_show_view (session, "select");
  g_assert_nonnull (strstr (get_bar_text (window), "isn’t one that Callsight made"));
  dialog = open_dialog (window);
  problem = get_child (dialog, CS_TYPE_ADOPT_DIALOG, "problem");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (problem)));
  g_assert_nonnull (strstr (gtk_label_get_text (problem), "trace.c"));
  g_assert_false (gtk_widget_get_sensitive (get_child (dialog, CS_TYPE_ADOPT_DIALOG, "set_up")));
  gtk_window_destroy (GTK_WINDOW (dialog));

  /* It is right when it is looked at, and can't be written when it is to be. */
  cs_folder_remove (callsight);
  dialog = open_dialog (window);
  problem = get_child (dialog, CS_TYPE_ADOPT_DIALOG, "problem");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (problem)));
  write_file (self->project, "callsight", "a file\n");
  g_assert_false (set_up_and_wait (dialog));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (problem)));
  g_assert_nonnull (strstr (gtk_label_get_text (problem), " — "));
  gtk_window_destroy (GTK_WINDOW (dialog));
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  g_autofree char *state = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  int result;

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  test_init_display (&argc, &argv);
  g_test_add ("/app/welcome/kept", Fixture, NULL, set_up, test_kept, tear_down);
  g_test_add ("/app/welcome/many", Fixture, NULL, set_up, test_many, tear_down);
  g_test_add ("/app/welcome/damaged", Fixture, NULL, set_up, test_damaged, tear_down);
  g_test_add ("/app/welcome/unwritable", Fixture, NULL, set_up, test_unwritable, tear_down);
  g_test_add ("/app/welcome/details", Fixture, NULL, set_up, test_details, tear_down);
  g_test_add ("/app/welcome/view", Fixture, NULL, set_up, test_view, tear_down);
  g_test_add ("/app/welcome/restored", Fixture, NULL, set_up, test_restored, tear_down);
  g_test_add ("/app/welcome/drop", Fixture, NULL, set_up, test_drop, tear_down);
  g_test_add ("/app/welcome/adopt", Fixture, NULL, set_up, test_adopt, tear_down);
  g_test_add ("/app/welcome/adopt-closed", Fixture, NULL, set_up, test_adopt_closed, tear_down);
  g_test_add ("/app/welcome/adopt-foreign", Fixture, NULL, set_up, test_adopt_foreign, tear_down);
  result = g_test_run ();
  cs_folder_remove (state);
  return result;
}
