/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "record/cs-record-view.h"
#include "record/cs-preparation.h"
#include "shared/cs-editor.h"
#include "shared/cs-gtk-compat.h"
#include "shared/cs-notification.h"
#include "shared/cs-settings.h"

/* A notification tells of what took longer than this, when the window isn't looked at. */
#define LONG_US (5 * G_USEC_PER_SEC)

struct _CsRecordView
{
  AdwBin parent_instance;

  GtkStack *pages;
  CsRunPage *run_page;
  CsBuildPane *build_pane;
  CsLivePane *live_pane;

  CsSession *session;       /* (nullable) */
  CsProject *project;       /* (nullable) */
  CsRunSettings *settings;  /* (nullable): of the project */
  GSimpleActionGroup *actions;

  CsPreparation *preparation; /* (nullable): while something is asked or looked up before a build or a recording */
  gboolean was_adopted;     /* the project, when it was looked at last */
  CsBuildTask *build;       /* (nullable): the last one */
  CsRecordTask *record;     /* (nullable): the last one */
};

static void cs_record_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsRecordView, cs_record_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_record_view_init_view))

static GtkWindow *
get_window (CsRecordView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

static gboolean
is_building (CsRecordView *self)
{
  return self->build != NULL && cs_build_task_is_running (self->build);
}

static gboolean
is_recording (CsRecordView *self)
{
  return self->record != NULL && cs_record_task_get_state (self->record) != CS_RUN_STATE_ENDED;
}

static void
enable (CsRecordView *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), name)), enabled);
}

/* Whether there is something to show of what is being recorded. */
static gboolean
has_live_events (CsRecordView *self)
{
  CsRecordNumbers numbers;

  if (!is_recording (self) || cs_record_task_get_folder (self->record) == NULL)
    return FALSE;
  cs_record_task_get_numbers (self->record, &numbers);
  return numbers.events > 0;
}

static void
update_actions (CsRecordView *self)
{
  gboolean running = is_building (self) || is_recording (self);
  gboolean ready = self->settings != NULL && self->preparation == NULL && !running;
  gboolean has_problems = self->build != NULL
                          && g_list_model_get_n_items (cs_log_get_problems (cs_build_task_get_log (self->build))) > 0;

  enable (self, "build", ready);
  enable (self, "record", ready);
  enable (self, "stop", running);
  enable (self, "show-live", has_live_events (self));
  enable (self, "show-options", self->settings != NULL);
  enable (self, "show-build", self->settings != NULL);
  enable (self, "use-program", self->settings != NULL);
  enable (self, "mode", self->settings != NULL);
  enable (self, "full", self->settings != NULL);
  enable (self, "next-problem", has_problems);
  enable (self, "previous-problem", has_problems);
}

static void
show_page (CsRecordView *self, const char *name)
{
  gtk_stack_set_visible_child_name (self->pages, name);
  cs_session_show_view (self->session, "record");
}

/* Tells who looks at something else. */
static void
notify_long (CsRecordView *self, gint64 elapsed_us, const char *title, const char *text)
{
  GApplication *application = g_application_get_default ();
  GtkWindow *window = get_window (self);
  g_autoptr (GNotification) notification = NULL;

  /* Without a session bus there is nobody to tell. */
  if (application == NULL || g_application_get_dbus_connection (application) == NULL || elapsed_us < LONG_US
      || !g_settings_get_boolean (cs_settings_get (), "notify")
      || (window != NULL && gtk_window_is_active (window)))
    return;
  notification = g_notification_new (title);
  g_notification_set_body (notification, text);
  cs_notification_send (application, "record", notification);
}

static void
on_build_ended (CsRecordView *self)
{
  g_autofree char *summary = cs_build_task_dup_summary (self->build);
  gboolean built = cs_build_task_get_result (self->build) != NULL;

  if (self->project != NULL)
    cs_project_look (self->project);
  update_actions (self);
  notify_long (self, cs_build_task_get_elapsed_us (self->build), built ? _("The Build Is Done") : _("The Build Failed"),
               summary);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->build_pane)))
    cs_session_tell_with_action (self->session, summary, _("Show"), "record.show-build");
}

static void
on_adoption_done (CsRecordView *self)
{
  if (self->project != NULL)
    cs_project_take_adoption (self->project);
}

static void
forget_build (CsRecordView *self)
{
  if (self->build != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->build, self);
      g_signal_handlers_disconnect_by_data (cs_log_get_problems (cs_build_task_get_log (self->build)), self);
    }
  g_clear_object (&self->build);
}

static void
forget_record (CsRecordView *self)
{
  if (self->record != NULL)
    g_signal_handlers_disconnect_by_data (self->record, self);
  g_clear_object (&self->record);
}

static void
start_build (CsRecordView *self, gboolean adopt)
{
  forget_build (self);
  self->build = cs_build_task_new (self->settings, cs_project_get_chooser (self->project), cs_session_get_jobs (self->session));
  if (adopt)
    g_signal_connect_object (self->build, "prepared", G_CALLBACK (on_adoption_done), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->build, "ended", G_CALLBACK (on_build_ended), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (cs_log_get_problems (cs_build_task_get_log (self->build)), "items-changed",
                           G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  cs_build_task_start (self->build, adopt);
  cs_build_pane_set_task (self->build_pane, self->build, cs_run_settings_get_project (self->settings));
  show_page (self, "build");
  update_actions (self);
}

/* Returns whether to go on. */
static gboolean
end_preparation (CsRecordView *self, gboolean go)
{
  g_clear_object (&self->preparation);
  if (!go)
    update_actions (self);
  return go;
}

static void
on_build_ready (CsRecordView *self, gboolean go, CsPreparation *preparation)
{
  gboolean adopt = cs_preparation_get_adopt (preparation);

  if (end_preparation (self, go))
    start_build (self, adopt);
}

static CsPreparation *
begin_preparation (CsRecordView *self, GCallback ready)
{
  self->preparation = cs_preparation_new (self->session, self->settings);
  g_signal_connect_object (self->preparation, "ended", ready, self, G_CONNECT_SWAPPED);
  update_actions (self);
  /* It may be at its end at once. */
  return g_object_ref (self->preparation);
}

static void
build_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsRecordView *self = user_data;
  g_autofree char *problem = cs_run_settings_check_build (self->settings);
  g_autoptr (CsPreparation) preparation = NULL;

  if (problem != NULL)
    {
      show_page (self, "options");
      cs_session_tell (self->session, problem);
      return;
    }
  preparation = begin_preparation (self, G_CALLBACK (on_build_ready));
  cs_preparation_begin_build (preparation, get_window (self));
}

/* The folder of recordings may be a new one, which the list doesn't watch yet. */
static void
on_record_state (CsRecordView *self)
{
  CsRunState state = cs_record_task_get_state (self->record);
  CsRecordingsModel *recordings = self->project != NULL ? cs_project_get_recordings (self->project) : NULL;

  if (recordings == NULL || state < CS_RUN_STATE_RUNNING)
    return;
  cs_recordings_model_set_running (recordings,
                                   state < CS_RUN_STATE_ENDED ? cs_record_task_get_folder (self->record) : NULL);
  cs_recordings_model_refresh (recordings);
}

/* Whether the session has what is recorded open, and follows it to its end or did so. */
static gboolean
is_shown (CsRecordView *self)
{
  const char *const *paths = cs_session_get_paths (self->session);
  CsProfile *whole = cs_session_get_whole_profile (self->session);
  CsRecordNumbers numbers;

  if (paths == NULL || paths[1] != NULL || g_strcmp0 (paths[0], cs_record_task_get_folder (self->record)) != 0)
    return FALSE;
  if (cs_session_get_growing (self->session))
    return cs_session_get_follow (self->session);
  cs_record_task_get_numbers (self->record, &numbers);
  return whole != NULL && cs_profile_get_totals (whole)->events >= numbers.events;
}

static void
on_record_ended (CsRecordView *self)
{
  g_autofree char *summary = cs_record_task_dup_summary (self->record);
  const CsRunResult *result = cs_record_task_get_result (self->record);
  const char *folder = cs_record_task_get_folder (self->record);
  gboolean plain = result != NULL && result->exit_status == 0 && !result->left_running;

  update_actions (self);
  notify_long (self, cs_record_task_get_elapsed_us (self->record), _("The Recording Is Done"), summary);
  if (!cs_record_task_has_recorded (self->record))
    {
      cs_session_tell (self->session, summary);
      return;
    }
  if (!plain)
    cs_session_tell_with_action (self->session, summary, _("Show Output"), "record.show-run");
  if (is_shown (self))
    return;
  cs_session_open_recording (self->session, (const char *const[]){ folder, NULL });
  cs_session_show_view (self->session, "hotspots");
}

static void
start_record (CsRecordView *self)
{
  forget_record (self);
  self->record = cs_record_task_new (self->settings, cs_chooser_get_config_path (cs_project_get_chooser (self->project)),
                                     cs_session_get_jobs (self->session));
  g_signal_connect_object (self->record, "notify::state", G_CALLBACK (on_record_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->record, "refreshed", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->record, "ended", G_CALLBACK (on_record_ended), self, G_CONNECT_SWAPPED);
  cs_record_task_start (self->record);
  cs_live_pane_set_task (self->live_pane, self->record);
  show_page (self, "run");
  update_actions (self);
}

static void
on_record_ready (CsRecordView *self, gboolean go)
{
  if (end_preparation (self, go))
    start_record (self);
}

static void
record_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsRecordView *self = user_data;
  g_autofree char *problem = cs_run_settings_check_run (self->settings);
  g_autoptr (CsPreparation) preparation = NULL;

  if (problem != NULL)
    {
      gboolean unnamed = *cs_run_settings_get (self->settings, CS_SETTING_COMMAND) == '\0';

      show_page (self, "options");
      cs_session_tell_with_action (self->session, problem, unnamed ? _("Build") : NULL, unnamed ? "record.build" : NULL);
      return;
    }
  preparation = begin_preparation (self, G_CALLBACK (on_record_ready));
  cs_preparation_begin_record (preparation, get_window (self));
}

/* A second one doesn't wait any more. */
static void
stop_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsRecordView *self = user_data;

  if (is_building (self))
    cs_build_task_stop (self->build);
  if (!is_recording (self))
    return;
  if (cs_record_task_get_state (self->record) == CS_RUN_STATE_STOPPING)
    cs_record_task_kill (self->record);
  else
    cs_record_task_stop (self->record);
}

/* The session follows what it opens for as long as it is written. */
static void
show_live_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsRecordView *self = user_data;

  if (!is_shown (self))
    cs_session_open_recording (self->session, (const char *const[]){ cs_record_task_get_folder (self->record), NULL });
  cs_session_set_follow (self->session, TRUE);
  cs_session_show_view (self->session, "timeline");
}

static void
show_options_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  show_page (user_data, "options");
}

static void
show_build_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  show_page (user_data, "build");
}

static void
show_run_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  show_page (user_data, "run");
}

static void
next_problem_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  show_page (user_data, "build");
  cs_build_pane_step (CS_RECORD_VIEW (user_data)->build_pane, FALSE);
}

static void
previous_problem_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  show_page (user_data, "build");
  cs_build_pane_step (CS_RECORD_VIEW (user_data)->build_pane, TRUE);
}

static void
use_program_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_run_settings_use_program (CS_RECORD_VIEW (user_data)->settings, g_variant_get_string (parameter, NULL));
}

static void
change_word (CsRecordView *self, CsSetting setting, const char *word)
{
  if (self->settings != NULL && g_strv_contains (cs_setting_get_words (setting), word))
    cs_run_settings_set (self->settings, setting, word);
}

static void
change_mode (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  change_word (user_data, CS_SETTING_MODE, g_variant_get_string (value, NULL));
}

static void
change_full (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  change_word (user_data, CS_SETTING_FULL, g_variant_get_string (value, NULL));
}

static void
show_word (CsRecordView *self, const char *action, CsSetting setting)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), action)),
                             g_variant_new_string (cs_run_settings_get (self->settings, setting)));
}

static void
on_setting_changed (CsRecordView *self, guint setting)
{
  if (setting == CS_SETTING_MODE)
    show_word (self, "mode", setting);
  else if (setting == CS_SETTING_FULL)
    show_word (self, "full", setting);
}

static void
on_open_problem (CsRecordView *self, CsBuildProblem *problem)
{
  const char *file = cs_build_problem_get_file (problem);
  g_autoptr (GError) error = NULL;

  if (file == NULL)
    cs_session_tell (self->session, _("It tells no place — look at it in the log"));
  else if (!cs_editor_open (file, cs_build_problem_get_line (problem), &error))
    cs_session_tell (self->session, error->message);
}

/* What was adopted while it was open didn't come with the project. */
static void
on_adopted (CsRecordView *self)
{
  gboolean is_adopted = cs_project_is_adopted (self->project);

  if (is_adopted && !self->was_adopted)
    cs_run_settings_set_flag (self->settings, CS_SETTING_TRUSTED, TRUE);
  self->was_adopted = is_adopted;
}

/* Ends what runs; it goes on without this view until it has ended. */
static void
forget_project (CsRecordView *self)
{
  if (self->preparation != NULL)
    cs_preparation_cancel (self->preparation);
  g_clear_object (&self->preparation);
  if (self->build != NULL)
    cs_build_task_stop (self->build);
  if (self->record != NULL)
    cs_record_task_stop (self->record);
  forget_build (self);
  forget_record (self);
  if (self->project != NULL)
    g_signal_handlers_disconnect_by_data (self->project, self);
  if (self->settings != NULL)
    g_signal_handlers_disconnect_by_data (self->settings, self);
  g_clear_object (&self->project);
  g_clear_object (&self->settings);
}

static void
on_project_changed (CsRecordView *self)
{
  CsProject *project = cs_session_get_project (self->session);

  if (project == self->project)
    return;
  forget_project (self);
  cs_build_pane_set_task (self->build_pane, NULL, NULL);
  cs_live_pane_set_task (self->live_pane, NULL);
  if (g_set_object (&self->project, project))
    {
      self->settings = cs_run_settings_share (cs_project_get_folder (project), cs_settings_get ());
      g_signal_connect_object (self->settings, "changed", G_CALLBACK (on_setting_changed), self, G_CONNECT_SWAPPED);
      self->was_adopted = cs_project_is_adopted (project);
      g_signal_connect_object (project, "notify::adopted", G_CALLBACK (on_adopted), self, G_CONNECT_SWAPPED);
      show_word (self, "mode", CS_SETTING_MODE);
      show_word (self, "full", CS_SETTING_FULL);
    }
  cs_run_page_set_settings (self->run_page, self->settings);
  update_actions (self);
}

static void
set_session (CsView *view, CsSession *session)
{
  CsRecordView *self = CS_RECORD_VIEW (view);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::project", G_CALLBACK (on_project_changed), self, G_CONNECT_SWAPPED);
  on_project_changed (self);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_RECORD_VIEW (view)->actions);
}

/* In the log on view; the options have none. */
static CsLogView *
find_log (CsRecordView *self)
{
  gboolean in_run = g_strcmp0 (cs_record_view_get_page (self), "run") == 0;

  if ((in_run && self->record == NULL) || (!in_run && self->build == NULL))
    return NULL;
  if (!in_run)
    gtk_stack_set_visible_child_name (self->pages, "build");
  return in_run ? cs_live_pane_get_log_view (self->live_pane) : cs_build_pane_get_log_view (self->build_pane);
}

static void
start_search (CsView *view)
{
  CsLogView *log = find_log (CS_RECORD_VIEW (view));

  if (log != NULL)
    cs_log_view_start_search (log);
}

static void
go_to_match (CsView *view, gboolean backwards)
{
  CsLogView *log = find_log (CS_RECORD_VIEW (view));

  if (log != NULL)
    cs_log_view_find_next (log, backwards);
}

static void
cs_record_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "record";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
  iface->start_search = start_search;
  iface->go_to_match = go_to_match;
}

static void
cs_record_view_dispose (GObject *object)
{
  CsRecordView *self = CS_RECORD_VIEW (object);

  forget_project (self);
  g_clear_object (&self->session);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_record_view_parent_class)->dispose (object);
}

/* In the page that is shown: the first of the tabs may be another one's. */
static gboolean
cs_record_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_child_focus (gtk_stack_get_visible_child (CS_RECORD_VIEW (widget)->pages), GTK_DIR_TAB_FORWARD);
}

static void
cs_record_view_class_init (CsRecordViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (CS_TYPE_RUN_PAGE);
  g_type_ensure (CS_TYPE_BUILD_PANE);
  g_type_ensure (CS_TYPE_LIVE_PANE);
  G_OBJECT_CLASS (klass)->dispose = cs_record_view_dispose;
  widget_class->grab_focus = cs_record_view_grab_focus;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/record/cs-record-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CsRecordView, pages);
  gtk_widget_class_bind_template_child (widget_class, CsRecordView, run_page);
  gtk_widget_class_bind_template_child (widget_class, CsRecordView, build_pane);
  gtk_widget_class_bind_template_child (widget_class, CsRecordView, live_pane);
}

static void
cs_record_view_init (CsRecordView *self)
{
  static const GActionEntry entries[] = {
    { .name = "build", .activate = build_action },
    { .name = "record", .activate = record_action },
    { .name = "stop", .activate = stop_action },
    { .name = "show-live", .activate = show_live_action },
    { .name = "show-options", .activate = show_options_action },
    { .name = "show-build", .activate = show_build_action },
    { .name = "show-run", .activate = show_run_action },
    { .name = "next-problem", .activate = next_problem_action },
    { .name = "previous-problem", .activate = previous_problem_action },
    { .name = "use-program", .parameter_type = "s", .activate = use_program_action },
    { .name = "mode", .parameter_type = "s", .state = "'events'", .change_state = change_mode },
    { .name = "full", .parameter_type = "s", .state = "'stop'", .change_state = change_full },
  };

  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->build_pane, "open-problem", G_CALLBACK (on_open_problem), self, G_CONNECT_SWAPPED);
  update_actions (self);
}

/**
 * cs_record_view_get_settings:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): how the project is run and built
 */
CsRunSettings *
cs_record_view_get_settings (CsRecordView *self)
{
  return self->settings;
}

/**
 * cs_record_view_get_run_page:
 * @self: a view
 *
 * Returns: (transfer none): its page of options
 */
CsRunPage *
cs_record_view_get_run_page (CsRecordView *self)
{
  return self->run_page;
}

/**
 * cs_record_view_get_build_pane:
 * @self: a view
 *
 * Returns: (transfer none): its page of the build
 */
CsBuildPane *
cs_record_view_get_build_pane (CsRecordView *self)
{
  return self->build_pane;
}

/**
 * cs_record_view_get_live_pane:
 * @self: a view
 *
 * Returns: (transfer none): its page of the run
 */
CsLivePane *
cs_record_view_get_live_pane (CsRecordView *self)
{
  return self->live_pane;
}

/**
 * cs_record_view_get_page:
 * @self: a view
 *
 * Returns: (transfer none): the page that it shows: "options", "build" or "run"
 */
const char *
cs_record_view_get_page (CsRecordView *self)
{
  return gtk_stack_get_visible_child_name (self->pages);
}
