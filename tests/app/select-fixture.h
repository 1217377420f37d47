/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib/gstdio.h>

#include "select/cs-choice-row.h"
#include "select/cs-select-view.h"
#include "window/cs-window.h"

/* A project's folder, open in a window. */
typedef struct
{
  char *folder;
  CsWindow *window;
  CsSession *session;
  CsSelectView *view;
  CsChooser *chooser;
  char *told; /* (nullable): the last sentence in a toast */
} Fixture;

/* Runs the main loop until something is so; a test that waits in vain fails. */
#define WAIT_FOR(condition)                                                                        \
  G_STMT_START                                                                                     \
    {                                                                                              \
      gint64 wait_end_ = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;                            \
      while (!(condition))                                                                         \
        {                                                                                          \
          if (g_get_monotonic_time () > wait_end_)                                                 \
            g_error ("%s:%d: never: %s", __FILE__, __LINE__, #condition);                          \
          if (!g_main_context_iteration (NULL, FALSE))                                             \
            g_usleep (500);                                                                        \
        }                                                                                          \
    }                                                                                              \
  G_STMT_END

static inline void
fixture_write (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *above = g_path_get_dirname (path);

  g_assert_no_errno (g_mkdir_with_parents (above, 0755));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static inline char *
fixture_read (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static inline void
fixture_remove (const char *path)
{
  GDir *dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      fixture_remove (child);
    }
  g_clear_pointer (&dir, g_dir_close);
  g_remove (path);
}

static inline char *
fixture_new_folder (void)
{
  char *folder = g_dir_make_tmp ("callsight-select-XXXXXX", NULL);

  g_assert_nonnull (folder);
  return folder;
}

static inline void
fixture_on_message (CsSession *session, const char *text, const char *label, const char *action, Fixture *fixture)
{
  g_free (fixture->told);
  fixture->told = g_strdup (text);
}

/* Takes @folder. */
static inline void
fixture_open (Fixture *fixture, char *folder)
{
  fixture->folder = folder;
  fixture->window = g_object_ref (cs_window_new (NULL));
  fixture->session = cs_window_get_session (fixture->window);
  fixture->view = CS_SELECT_VIEW (cs_window_get_view (fixture->window, "select"));
  g_signal_connect (fixture->session, "message", G_CALLBACK (fixture_on_message), fixture);
  gtk_window_present (GTK_WINDOW (fixture->window));
  cs_session_open_project (fixture->session, folder);
  cs_session_show_view (fixture->session, "select");
  fixture->chooser = cs_project_get_chooser (cs_session_get_project (fixture->session));
}

static inline gboolean
fixture_is_settled (Fixture *fixture)
{
  return !cs_chooser_get_editing (fixture->chooser) && !cs_chooser_get_choosing (fixture->chooser);
}

static inline void
fixture_settle (Fixture *fixture)
{
  WAIT_FOR (fixture_is_settled (fixture));
}

static inline void
fixture_wait_ready (Fixture *fixture)
{
  CsSourceRows *rows = cs_functions_pane_get_rows (cs_select_view_get_functions (fixture->view));

  WAIT_FOR (cs_chooser_get_state (fixture->chooser) == CS_CHOOSER_READY && fixture_is_settled (fixture)
            && !cs_source_rows_get_filtering (rows) && g_list_model_get_n_items (G_LIST_MODEL (rows)) > 0);
}

static inline void
fixture_close (Fixture *fixture)
{
  gpointer window = fixture->window;

  g_signal_handlers_disconnect_by_data (fixture->session, fixture);
  g_object_add_weak_pointer (G_OBJECT (window), &window);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_object_unref (fixture->window);
  WAIT_FOR (window == NULL);
  fixture_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->told);
}

static inline void
fixture_activate (Fixture *fixture, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->view), action, NULL));
}

static inline gboolean
fixture_is_enabled (Fixture *fixture, const char *name)
{
  return g_action_group_get_action_enabled (cs_view_get_actions (CS_VIEW (fixture->view)), name);
}

static inline GtkWidget *
fixture_find_row_in (GtkWidget *widget, const char *part)
{
  if (CS_IS_CHOICE_ROW (widget))
    {
      const char *label = cs_choice_row_get_label (CS_CHOICE_ROW (widget));

      return cs_choice_row_get_list_item (CS_CHOICE_ROW (widget)) != NULL && label != NULL && strstr (label, part) != NULL
                 ? widget
                 : NULL;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = fixture_find_row_in (child, part);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* The row that a screen reader tells so, or NULL. */
static inline CsChoiceRow *
fixture_find_file (Fixture *fixture, const char *part)
{
  return (CsChoiceRow *) fixture_find_row_in (GTK_WIDGET (cs_files_pane_get_list (cs_select_view_get_files (fixture->view))),
                                              part);
}

static inline CsChoiceRow *
fixture_find_function (Fixture *fixture, const char *part)
{
  return (CsChoiceRow *) fixture_find_row_in (
      GTK_WIDGET (cs_functions_pane_get_list (cs_select_view_get_functions (fixture->view))), part);
}

/* As a click on the row's box does. */
static inline void
fixture_click_box (CsChoiceRow *row)
{
  GtkWidget *box;

  g_assert_nonnull (row);
  box = cs_choice_row_get_box (row);
  g_assert_true (gtk_widget_is_sensitive (box));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (box), !gtk_check_button_get_active (GTK_CHECK_BUTTON (box)));
}

/* As a key in the row that has the focus does. */
static inline gboolean
fixture_press (GtkListView *list, guint key, GdkModifierType modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (list));
  gboolean handled = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller)
          && gtk_event_controller_get_propagation_phase (controller) == GTK_PHASE_CAPTURE)
        g_signal_emit_by_name (controller, "key-pressed", key, 0u, modifiers, &handled);
    }
  return handled;
}
