/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cs-window-private.h"
#include "cs-drop-hint.h"
#include "cs-shortcuts.h"
#include "cs-unsaved.h"
#include "cs-views.h"
#include "cs-window-title.h"
#include "session/cs-newest-recording.h"
#include "session/cs-summary-keeper.h"
#include "shared/cs-gtk-compat.h"
#include "shared/cs-popover-grabs.h"
#include "shared/cs-settings.h"
#include "welcome/cs-adopt-dialog.h"

G_DEFINE_FINAL_TYPE (CsWindow, cs_window, ADW_TYPE_APPLICATION_WINDOW)

static CsView *
get_current_view (CsWindow *self)
{
  return CS_VIEW (gtk_stack_get_visible_child (self->views));
}

static gboolean
is_recording_view (const char *name)
{
  return cs_views_find (name)->needs == CS_VIEW_NEEDS_RECORDING;
}

/* Views are made when they are first needed: there is much in each. */
static CsView *
ensure_view (CsWindow *self, const char *name)
{
  const CsViewInfo *info = cs_views_find (name);
  GtkWidget *widget = info != NULL ? gtk_stack_get_child_by_name (self->views, name) : NULL;
  CsView *view;

  if (info == NULL || widget != NULL)
    return widget != NULL ? CS_VIEW (widget) : NULL;
  view = g_object_new (info->get_type (), NULL);
  gtk_stack_add_named (self->views, GTK_WIDGET (view), name);
  cs_view_set_session (view, self->session);
  if (cs_view_get_actions (view) != NULL)
    gtk_widget_insert_action_group (GTK_WIDGET (self), cs_view_get_action_prefix (view), cs_view_get_actions (view));
  return view;
}

static void
enable_action (CsWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
show_title (CsWindow *self)
{
  cs_window_title_show (self->title, self->session, is_recording_view (gtk_stack_get_visible_child_name (self->views)));
  gtk_window_set_title (GTK_WINDOW (self), adw_window_title_get_title (self->title));
}

/* The keyboard begins in what was opened, not in the header bar. */
void
cs_window_focus_view (CsWindow *self)
{
  GtkWidget *view = GTK_WIDGET (get_current_view (self));

  if (!gtk_widget_grab_focus (view))
    gtk_widget_child_focus (view, GTK_DIR_TAB_FORWARD);
}

/* The page that replaces another one for a while, as while a recording is read again, gives the keyboard back. */
static void
show_page (CsWindow *self, const char *page)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->pages)))
    self->focus_was_in_page = TRUE;
  gtk_stack_set_visible_child_name (self->pages, page);
  if (!g_str_equal (page, "view"))
    return;
  focus = gtk_window_get_focus (GTK_WINDOW (self));
  if (self->focus_was_in_page && (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->pages))))
    cs_window_focus_view (self);
  self->focus_was_in_page = FALSE;
}

/* What is shown follows from the view that was asked for and from what there is. */
static void
update (CsWindow *self)
{
  CsSessionState state = cs_session_get_state (self->session);
  gboolean has_project = cs_session_get_project (self->session) != NULL;
  gboolean nothing = !has_project && state == CS_SESSION_EMPTY;
  const char *name = gtk_stack_get_visible_child_name (self->views);
  const char *page = "view";

  if (is_recording_view (name))
    page = state == CS_SESSION_READING ? "reading" : state == CS_SESSION_FAILED ? "error" : "view";
  show_page (self, page);
  gtk_widget_set_visible (GTK_WIDGET (self->recording_bar),
                          is_recording_view (name) && (state == CS_SESSION_READY || state == CS_SESSION_PARTIAL));
  gtk_widget_set_visible (GTK_WIDGET (self->adopt_bar), has_project && !is_recording_view (name));
  gtk_widget_set_visible (self->build_button, has_project);
  adw_flap_set_locked (self->flap, nothing);
  if (nothing)
    adw_flap_set_reveal_flap (self->flap, FALSE);
  enable_action (self, "sidebar", !nothing);
  enable_action (self, "set-up-project", has_project);
  enable_action (self, "reload", cs_session_get_paths (self->session) != NULL);
  enable_action (self, "search", g_str_equal (page, "view") && cs_view_can_search (get_current_view (self)));
  enable_action (self, "next-match", g_str_equal (page, "view") && cs_view_can_go_to_match (get_current_view (self)));
  enable_action (self, "previous-match", g_str_equal (page, "view") && cs_view_can_go_to_match (get_current_view (self)));
  enable_action (self, "cancel-reading", cs_session_is_reading (self->session));
  cs_sidebar_set_view (self->sidebar, name);
  show_title (self);
}

/* Whether a program or a build can be stopped decides which button there is. */
static void
update_record_buttons (CsWindow *self)
{
  GActionGroup *actions = cs_view_get_actions (ensure_view (self, "record"));
  gboolean running = actions != NULL && g_action_group_get_action_enabled (actions, "stop");
  gboolean has_project = cs_session_get_project (self->session) != NULL;

  gtk_widget_set_visible (self->stop_button, has_project && running);
  gtk_widget_set_visible (self->record_button, has_project && !running);
}

void
cs_window_show_view (CsWindow *self, const char *name)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "view");
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  gboolean was_in_view = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->views));

  if (ensure_view (self, name) == NULL)
    return;
  gtk_stack_set_visible_child_name (self->views, name);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (name));
  if (adw_flap_get_folded (self->flap))
    adw_flap_set_reveal_flap (self->flap, FALSE);
  update (self);
  /* The keyboard goes on in the view that took the place of the one that had it. */
  if (was_in_view && g_str_equal (gtk_stack_get_visible_child_name (self->pages), "view"))
    cs_window_focus_view (self);
}

static void
show_progress (CsWindow *self)
{
  gtk_progress_bar_set_fraction (self->progress, cs_session_get_progress (self->session));
}

static void
on_error_changed (CsWindow *self)
{
  const char *error = cs_session_get_error (self->session);
  /* The description is markup. */
  g_autofree char *text = g_markup_escape_text (error != NULL ? error : "", -1);

  adw_status_page_set_description (self->error_page, text);
}

static void
on_project_changed (CsWindow *self)
{
  if (cs_session_get_project (self->session) != NULL)
    adw_flap_set_reveal_flap (self->flap, !adw_flap_get_folded (self->flap)
                                              && g_settings_get_boolean (cs_settings_get (), "show-sidebar"));
  update (self);
  update_record_buttons (self);
}

static void
on_state_changed (CsWindow *self)
{
  if (cs_session_get_state (self->session) == CS_SESSION_EMPTY
      && is_recording_view (gtk_stack_get_visible_child_name (self->views)))
    cs_window_show_view (self, cs_session_get_project (self->session) != NULL ? "select" : "welcome");
  update (self);
}

static AdwToast *
make_toast (const char *text)
{
  /* The title is markup. */
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  return adw_toast_new (escaped);
}

static void
on_message (CsWindow *self, const char *text, const char *label, const char *detailed_action)
{
  AdwToast *toast = make_toast (text);

  if (label != NULL)
    {
      adw_toast_set_button_label (toast, label);
      adw_toast_set_detailed_action_name (toast, detailed_action);
    }
  adw_toast_overlay_add_toast (self->toasts, toast);
}

/* What can't be opened is said until the person has seen it. */
void
cs_window_show_failure (CsWindow *self, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  AdwToast *toast = make_toast (valid);

  adw_toast_set_timeout (toast, 0);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

static void
on_files_chosen (GListModel *files, gpointer user_data)
{
  cs_window_open_list (user_data, files);
}

static void
open_paths_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_autofree const char **paths = g_variant_get_bytestring_array (parameter, NULL);
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (paths[i]);

      g_list_store_append (files, file);
    }
  cs_window_open_list (user_data, G_LIST_MODEL (files));
}

static void
open_folder_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_compat_choose_folder (GTK_WINDOW (user_data), _("Open a Project’s Folder"), on_files_chosen, user_data);
}

static void
open_recording_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_compat_choose_folder (GTK_WINDOW (user_data), _("Open a Trace Directory"), on_files_chosen, user_data);
}

static void
set_up_project_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsWindow *self = user_data;

  gtk_window_present (GTK_WINDOW (cs_adopt_dialog_new (GTK_WINDOW (self), self->session)));
}

static void
search_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_view_start_search (get_current_view (user_data));
}

static void
next_match_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_view_go_to_match (get_current_view (user_data), FALSE);
}

static void
previous_match_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_view_go_to_match (get_current_view (user_data), TRUE);
}

static void
reload_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_session_reload (CS_WINDOW (user_data)->session);
}

static void
cancel_reading_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_session_cancel_reading (CS_WINDOW (user_data)->session);
}

static void
back_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_session_back (CS_WINDOW (user_data)->session);
}

static void
forward_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_session_forward (CS_WINDOW (user_data)->session);
}

static void
menu_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gtk_menu_button_popup (CS_WINDOW (user_data)->menu_button);
}

static void
help_overlay_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkShortcutsWindow *window = cs_shortcuts_make_window (gtk_stack_get_visible_child_name (CS_WINDOW (user_data)->views));

  gtk_window_set_transient_for (GTK_WINDOW (window), user_data);
  gtk_window_present (GTK_WINDOW (window));
  g_object_unref (window);
}

static void
change_view (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  CsWindow *self = user_data;
  const char *name = g_variant_get_string (value, NULL);
  const CsViewInfo *view = cs_views_find (name);
  gboolean possible = view != NULL && (view->needs == CS_VIEW_NEEDS_RECORDING
                                         ? cs_session_get_state (self->session) != CS_SESSION_EMPTY
                                         : cs_session_get_project (self->session) != NULL);

  if (possible)
    cs_window_show_view (self, name);
}

static void
change_sidebar (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  CsWindow *self = user_data;

  adw_flap_set_reveal_flap (self->flap, g_variant_get_boolean (value));
  /* Where the sidebar lies over the view, showing it is no preference. */
  if (!adw_flap_get_folded (self->flap))
    g_settings_set_boolean (cs_settings_get (), "show-sidebar", g_variant_get_boolean (value));
}

static void
on_flap_revealed (CsWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "sidebar");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (adw_flap_get_reveal_flap (self->flap)));
}

static const GActionEntry actions[] = {
  { .name = "open-folder", .activate = open_folder_action },
  { .name = "open-recording", .activate = open_recording_action },
  { .name = "open-paths", .parameter_type = "aay", .activate = open_paths_action },
  { .name = "set-up-project", .activate = set_up_project_action },
  { .name = "search", .activate = search_action },
  { .name = "next-match", .activate = next_match_action },
  { .name = "previous-match", .activate = previous_match_action },
  { .name = "reload", .activate = reload_action },
  { .name = "cancel-reading", .activate = cancel_reading_action },
  { .name = "back", .activate = back_action },
  { .name = "forward", .activate = forward_action },
  { .name = "menu", .activate = menu_action },
  { .name = "show-help-overlay", .activate = help_overlay_action },
  { .name = "view", .parameter_type = "s", .state = "'welcome'", .change_state = change_view },
  { .name = "sidebar", .state = "false", .change_state = change_sidebar },
};

static void
restore_state (CsWindow *self)
{
  GSettings *settings = cs_settings_get ();

  gtk_window_set_default_size (GTK_WINDOW (self), g_settings_get_int (settings, "window-width"),
                               g_settings_get_int (settings, "window-height"));
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
}

static void
save_state (CsWindow *self)
{
  GSettings *settings = cs_settings_get ();
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_settings_set_int (settings, "window-width", width);
  g_settings_set_int (settings, "window-height", height);
  g_settings_set_boolean (settings, "window-maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
  if (cs_session_get_project (self->session) != NULL)
    g_settings_set_string (settings, "last-view", gtk_stack_get_visible_child_name (self->views));
}

static gboolean
cs_window_close_request (GtkWindow *window)
{
  save_state (CS_WINDOW (window));
  if (cs_unsaved_ask (window, CS_WINDOW (window)->session))
    return TRUE;

  return GTK_WINDOW_CLASS (cs_window_parent_class)->close_request (window);
}

static void
cs_window_dispose (GObject *object)
{
  CsWindow *self = CS_WINDOW (object);

  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  if (self->session != NULL)
    g_object_run_dispose (G_OBJECT (self->session));

  G_OBJECT_CLASS (cs_window_parent_class)->dispose (object);
}

static void
cs_window_finalize (GObject *object)
{
  g_object_unref (CS_WINDOW (object)->session);

  G_OBJECT_CLASS (cs_window_parent_class)->finalize (object);
}

static void
cs_window_class_init (CsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  cs_popover_grabs_release ();
  g_type_ensure (CS_TYPE_JOBS_BUTTON);
  g_type_ensure (CS_TYPE_SIDEBAR);
  g_type_ensure (CS_TYPE_ADOPT_BAR);
  g_type_ensure (CS_TYPE_RECORDING_BAR);
  G_OBJECT_CLASS (klass)->dispose = cs_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = cs_window_close_request;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/window/cs-window.ui");
  gtk_widget_class_bind_template_child (widget_class, CsWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, title);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, build_button);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, record_button);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, stop_button);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, jobs_button);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, flap);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, sidebar);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, adopt_bar);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, recording_bar);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, views);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, progress);
  gtk_widget_class_bind_template_child (widget_class, CsWindow, error_page);
}

static void
connect_session (CsWindow *self)
{
  GActionGroup *record_actions;

  cs_jobs_button_set_jobs (self->jobs_button, cs_session_get_jobs (self->session));
  cs_sidebar_set_session (self->sidebar, self->session);
  cs_adopt_bar_set_session (self->adopt_bar, self->session);
  cs_recording_bar_set_session (self->recording_bar, self->session);
  ensure_view (self, "welcome");
  gtk_widget_insert_action_group (GTK_WIDGET (self), "recordings",
                                  cs_recordings_list_get_actions (cs_sidebar_get_recordings (self->sidebar)));
  cs_summary_keeper_follow (self->session);
  g_object_bind_property (self->session, "can-back", g_action_map_lookup_action (G_ACTION_MAP (self), "back"), "enabled",
                          G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->session, "can-forward", g_action_map_lookup_action (G_ACTION_MAP (self), "forward"),
                          "enabled", G_BINDING_SYNC_CREATE);
  cs_newest_recording_follow (self->session);
  g_signal_connect_object (self->session, "notify::project", G_CALLBACK (on_project_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::state", G_CALLBACK (on_state_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::profile", G_CALLBACK (show_title), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::error", G_CALLBACK (on_error_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "message", G_CALLBACK (on_message), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "view-requested", G_CALLBACK (cs_window_show_view), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::progress", G_CALLBACK (show_progress), self, G_CONNECT_SWAPPED);
  /* What builds and records can be asked for from everywhere. */
  record_actions = cs_view_get_actions (ensure_view (self, "record"));
  if (record_actions != NULL)
    g_signal_connect_object (record_actions, "action-enabled-changed::stop", G_CALLBACK (update_record_buttons), self,
                             G_CONNECT_SWAPPED);
}

static void
cs_window_init (CsWindow *self)
{
  self->session = cs_session_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (cs_drop_hint_put_over (self->toasts), "dropped", G_CALLBACK (cs_window_open_list), self,
                           G_CONNECT_SWAPPED);
  restore_state (self);
  connect_session (self);
  g_signal_connect_object (self->flap, "notify::reveal-flap", G_CALLBACK (on_flap_revealed), self, G_CONNECT_SWAPPED);
  update (self);
  update_record_buttons (self);
  cs_window_focus_view (self);
}

/**
 * cs_window_new:
 * @application: (nullable): what it belongs to
 *
 * Returns: a window without project and recording
 */
CsWindow *
cs_window_new (GtkApplication *application)
{
  return g_object_new (CS_TYPE_WINDOW, "application", application, NULL);
}

/**
 * cs_window_get_session:
 * @self: a window
 *
 * Returns: (transfer none): what its views share
 */
CsSession *
cs_window_get_session (CsWindow *self)
{
  return self->session;
}

/**
 * cs_window_get_page:
 * @self: a window
 *
 * Returns: (transfer none): what it shows: reading, error, or the name of a view
 */
const char *
cs_window_get_page (CsWindow *self)
{
  const char *page = gtk_stack_get_visible_child_name (self->pages);

  return g_str_equal (page, "view") ? gtk_stack_get_visible_child_name (self->views) : page;
}

/**
 * cs_window_get_view:
 * @self: a window
 * @name: as in cs_views_get()
 *
 * Returns: (transfer none) (nullable): the view of that name, which is made if it wasn't needed before
 */
CsView *
cs_window_get_view (CsWindow *self, const char *name)
{
  return ensure_view (self, name);
}
