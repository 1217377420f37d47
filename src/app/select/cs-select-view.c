/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "select/cs-select-view.h"
#include "shared/cs-editor.h"

struct _CsSelectView
{
  AdwBin parent_instance;

  GtkRevealer *banner;
  GtkProgressBar *progress;
  AdwLeaflet *outer, *inner;
  GtkStack *stack;
  GtkSpinner *spinner;
  AdwStatusPage *failed_page;
  CsFilesPane *files;
  CsFunctionsPane *functions;
  GtkWidget *editor_box;
  CsConfigEditor *editor;
  CsSelectSummary *summary;

  CsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
  CsChooser *chooser;    /* (nullable) */
  CsJob *job;            /* (nullable): while sources are scanned */
  CsLastRun *last_run;   /* (nullable) */
  GCancellable *finding; /* (nullable): what was recorded of the functions */
  gboolean saving;
};

static void cs_select_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsSelectView, cs_select_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_select_view_init_view))

static void
enable (CsSelectView *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
update_actions (CsSelectView *self)
{
  CsChooser *chooser = self->chooser;
  CsChooserState state = chooser != NULL ? cs_chooser_get_state (chooser) : CS_CHOOSER_LISTING;
  gboolean listed = chooser != NULL && cs_chooser_get_n_files (chooser) > 0;
  gboolean valid = chooser != NULL && cs_chooser_get_text_error (chooser) == NULL;
  gboolean outside = chooser != NULL && cs_chooser_get_changed_outside (chooser);

  enable (self, "save", valid && !self->saving && cs_chooser_get_dirty (chooser));
  enable (self, "undo", chooser != NULL && cs_chooser_get_can_undo (chooser));
  enable (self, "redo", chooser != NULL && cs_chooser_get_can_redo (chooser));
  enable (self, "reload", outside);
  enable (self, "keep", outside);
  enable (self, "all-files", listed && valid);
  enable (self, "none-files", listed && valid);
  enable (self, "all-functions", valid && state == CS_CHOOSER_READY);
  enable (self, "none-functions", valid && state == CS_CHOOSER_READY);
  enable (self, "retry", chooser != NULL && state == CS_CHOOSER_FAILED);
  enable (self, "edit-text", chooser != NULL);
  gtk_revealer_set_reveal_child (self->banner, outside);
}

/* A job tells that sources are scanned, wherever in the window somebody is. */
static void
update_job (CsSelectView *self)
{
  CsChooserState state = self->chooser != NULL ? cs_chooser_get_state (self->chooser) : CS_CHOOSER_READY;
  gboolean running = state == CS_CHOOSER_LISTING || state == CS_CHOOSER_SCANNING;

  if (running && self->job == NULL && self->session != NULL)
    self->job = cs_jobs_begin (cs_session_get_jobs (self->session), _("Scanning sources"), NULL);
  else if (!running && self->job != NULL)
    {
      cs_job_finish (self->job);
      g_clear_object (&self->job);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->progress), state == CS_CHOOSER_SCANNING);
}

static void
on_progress (CsSelectView *self)
{
  double progress = cs_chooser_get_progress (self->chooser);

  gtk_progress_bar_set_fraction (self->progress, progress);
  if (self->job != NULL)
    cs_job_set_progress (self->job, progress);
}

static void
update_page (CsSelectView *self)
{
  const char *page = "panes";

  if (self->chooser == NULL)
    page = "none";
  else if (cs_chooser_get_state (self->chooser) == CS_CHOOSER_FAILED)
    {
      const char *error = cs_chooser_get_error (self->chooser);
      g_autofree char *valid = g_utf8_make_valid (error != NULL ? error : "", -1);
      /* The description is markup. */
      g_autofree char *escaped = g_markup_escape_text (valid, -1);

      adw_status_page_set_description (self->failed_page, escaped);
      page = "failed";
    }
  else if (cs_chooser_get_n_files (self->chooser) == 0)
    page = "listing";
  gtk_spinner_set_spinning (self->spinner, g_str_equal (page, "listing"));
  gtk_stack_set_visible_child_name (self->stack, page);
  gtk_widget_set_visible (GTK_WIDGET (self->summary), self->chooser != NULL);
}

static void
update_rate (CsSelectView *self)
{
  CsSelection *selection = self->chooser != NULL ? cs_chooser_get_selection (self->chooser) : NULL;
  CsFunctionIndex *index = self->chooser != NULL ? cs_chooser_get_index (self->chooser) : NULL;
  double rate = 0;

  if (self->last_run != NULL && selection != NULL && index != NULL && cs_selection_get_index (selection) == index)
    rate = cs_last_run_estimate (self->last_run, selection);
  cs_select_summary_set_rate (self->summary, rate);
}

static void
set_last_run (CsSelectView *self, CsLastRun *last_run)
{
  cs_functions_pane_set_last_run (self->functions, NULL);
  g_clear_pointer (&self->last_run, cs_last_run_free);
  self->last_run = last_run;
  cs_functions_pane_set_last_run (self->functions, last_run);
  update_rate (self);
}

static void
on_last_run_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsSelectView) self = user_data;
  g_autoptr (CsLastRun) last_run = cs_last_run_new_finish (result, NULL);

  if (last_run == NULL)
    return;
  g_clear_object (&self->finding);
  set_last_run (self, g_steal_pointer (&last_run));
}

static void
stop_finding (CsSelectView *self)
{
  if (self->finding != NULL)
    g_cancellable_cancel (self->finding);
  g_clear_object (&self->finding);
}

/* What the recording says of the functions, once both are there. */
static void
find_last_run (CsSelectView *self)
{
  CsProfile *profile = self->session != NULL ? cs_session_get_whole_profile (self->session) : NULL;
  CsFunctionIndex *index = self->chooser != NULL ? cs_chooser_get_index (self->chooser) : NULL;

  stop_finding (self);
  /* Numbers are those of one index. */
  set_last_run (self, NULL);
  if (profile == NULL || index == NULL)
    return;
  self->finding = g_cancellable_new ();
  cs_last_run_new_async (profile, index, self->finding, on_last_run_found, g_object_ref (self));
}

static void
on_state_changed (CsSelectView *self)
{
  update_job (self);
  update_page (self);
  update_actions (self);
}

static void
on_functions_changed (CsSelectView *self, const guint32 *files, guint n)
{
  if (files != NULL)
    return;
  find_last_run (self);
  update_actions (self);
}

static void
on_files_changed (CsSelectView *self)
{
  update_page (self);
  update_actions (self);
  find_last_run (self);
}

static void
on_told (CsSelectView *self, const char *sentence)
{
  cs_session_tell (self->session, sentence);
}

static void
on_scope_changed (CsSelectView *self)
{
  g_autoptr (CsFileItem) item = cs_files_pane_get_selected (self->files);

  cs_functions_pane_set_scope (self->functions, item != NULL ? cs_file_item_get_path (item) : NULL,
                               item != NULL && cs_file_item_is_folder (item));
}

static void
on_open_requested (CsSelectView *self, const char *path, guint line)
{
  g_autofree char *file = g_build_filename (cs_chooser_get_folder_path (self->chooser), path, NULL);
  g_autoptr (GError) error = NULL;

  if (!cs_editor_open (file, line, &error))
    cs_session_tell (self->session, error->message);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsSelectView) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean saved = cs_chooser_save_finish (CS_CHOOSER (source), result, &error);

  self->saving = FALSE;
  if (CS_CHOOSER (source) != self->chooser || self->session == NULL)
    return;
  update_actions (self);
  if (saved && cs_session_get_project (self->session) != NULL)
    cs_project_look (cs_session_get_project (self->session));
  /* The banner asks what is to become of a file that was changed outside. */
  if (!saved && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      && !g_error_matches (error, CS_CHOOSER_ERROR, CS_CHOOSER_ERROR_OUTSIDE))
    {
      g_autofree char *valid = g_utf8_make_valid (error->message, -1);

      cs_session_tell (self->session, valid);
    }
}

static void
save_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsSelectView *self = user_data;

  self->saving = TRUE;
  update_actions (self);
  cs_chooser_save_async (self->chooser, NULL, on_saved, g_object_ref (self));
}

static void
undo_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_chooser_undo (CS_SELECT_VIEW (user_data)->chooser);
}

static void
redo_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_chooser_redo (CS_SELECT_VIEW (user_data)->chooser);
}

static void
reload_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_chooser_reload (CS_SELECT_VIEW (user_data)->chooser);
}

static void
keep_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_chooser_keep (CS_SELECT_VIEW (user_data)->chooser);
}

static void
retry_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_chooser_load (CS_SELECT_VIEW (user_data)->chooser);
}

static void
all_files_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_files_pane_tick_shown (CS_SELECT_VIEW (user_data)->files, TRUE);
}

static void
none_files_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_files_pane_tick_shown (CS_SELECT_VIEW (user_data)->files, FALSE);
}

static void
all_functions_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_functions_pane_tick_shown (CS_SELECT_VIEW (user_data)->functions, TRUE);
}

static void
none_functions_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_functions_pane_tick_shown (CS_SELECT_VIEW (user_data)->functions, FALSE);
}

static void
show_files_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  adw_leaflet_set_visible_child_name (CS_SELECT_VIEW (user_data)->inner, "files");
}

static void
show_functions_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  adw_leaflet_set_visible_child_name (CS_SELECT_VIEW (user_data)->inner, "functions");
}

static void
show_chosen_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_files_pane_unselect (CS_SELECT_VIEW (user_data)->files);
}

static void
change_edit_text (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  CsSelectView *self = user_data;
  gboolean shown = g_variant_get_boolean (value);

  g_simple_action_set_state (action, value);
  gtk_widget_set_visible (self->editor_box, shown);
  adw_leaflet_set_visible_child (self->outer, shown ? self->editor_box : GTK_WIDGET (self->stack));
  if (shown)
    gtk_widget_grab_focus (GTK_WIDGET (cs_config_editor_get_text_view (self->editor)));
}

static const GActionEntry actions[] = {
  { .name = "save", .activate = save_action },
  { .name = "undo", .activate = undo_action },
  { .name = "redo", .activate = redo_action },
  { .name = "reload", .activate = reload_action },
  { .name = "keep", .activate = keep_action },
  { .name = "retry", .activate = retry_action },
  { .name = "all-files", .activate = all_files_action },
  { .name = "none-files", .activate = none_files_action },
  { .name = "all-functions", .activate = all_functions_action },
  { .name = "none-functions", .activate = none_functions_action },
  { .name = "show-files", .activate = show_files_action },
  { .name = "show-functions", .activate = show_functions_action },
  { .name = "show-chosen", .activate = show_chosen_action },
  { .name = "edit-text", .state = "false", .change_state = change_edit_text },
};

static void
set_chooser (CsSelectView *self, CsChooser *chooser)
{
  if (self->chooser == chooser)
    return;
  stop_finding (self);
  if (self->chooser != NULL)
    g_signal_handlers_disconnect_by_data (self->chooser, self);
  set_last_run (self, NULL);
  g_set_object (&self->chooser, chooser);
  self->saving = FALSE;
  cs_files_pane_set_chooser (self->files, chooser);
  cs_functions_pane_set_chooser (self->functions, chooser);
  cs_config_editor_set_chooser (self->editor, chooser);
  cs_select_summary_set_chooser (self->summary, chooser);
  if (chooser != NULL)
    {
      static const char *const changes[] = { "notify::dirty", "notify::can-undo", "notify::can-redo", "notify::text-error",
                                             "notify::changed-outside" };

      for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
        g_signal_connect_object (chooser, changes[i], G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (chooser, "notify::state", G_CALLBACK (on_state_changed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (chooser, "notify::error", G_CALLBACK (update_page), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (chooser, "notify::progress", G_CALLBACK (on_progress), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (chooser, "files-changed", G_CALLBACK (on_files_changed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (chooser, "functions-changed", G_CALLBACK (on_functions_changed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (chooser, "selection-changed", G_CALLBACK (update_rate), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (chooser, "told", G_CALLBACK (on_told), self, G_CONNECT_SWAPPED);
    }
  on_state_changed (self);
  find_last_run (self);
}

static void
on_project_changed (CsSelectView *self)
{
  CsProject *project = cs_session_get_project (self->session);

  set_chooser (self, project != NULL ? cs_project_get_chooser (project) : NULL);
}

static void
set_session (CsView *view, CsSession *session)
{
  CsSelectView *self = CS_SELECT_VIEW (view);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::project", G_CALLBACK (on_project_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::profile", G_CALLBACK (find_last_run), self, G_CONNECT_SWAPPED);
  on_project_changed (self);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_SELECT_VIEW (view)->actions);
}

/* The filter of the pane that has the focus, or else of the files. */
static void
start_search (CsView *view)
{
  CsSelectView *self = CS_SELECT_VIEW (view);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean in_functions = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->functions));

  if (adw_leaflet_get_folded (self->inner))
    in_functions = adw_leaflet_get_visible_child (self->inner) == GTK_WIDGET (self->functions);
  if (in_functions)
    cs_functions_pane_start_search (self->functions);
  else
    cs_files_pane_start_search (self->files);
}

static void
cs_select_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "select";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
  iface->start_search = start_search;
}

static void
on_folded (CsSelectView *self)
{
  gboolean folded = adw_leaflet_get_folded (self->inner);

  cs_files_pane_set_folded (self->files, folded);
  cs_functions_pane_set_folded (self->functions, folded);
  cs_select_summary_set_folded (self->summary, folded || adw_leaflet_get_folded (self->outer));
}

/* A build may have ended while another view was seen. */
static void
cs_select_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (cs_select_view_parent_class)->map (widget);
  cs_select_summary_look_at_build (CS_SELECT_VIEW (widget)->summary);
}

static void
cs_select_view_dispose (GObject *object)
{
  CsSelectView *self = CS_SELECT_VIEW (object);

  stop_finding (self);
  if (self->chooser != NULL)
    g_signal_handlers_disconnect_by_data (self->chooser, self);
  g_clear_object (&self->chooser);
  if (self->job != NULL)
    cs_job_finish (self->job);
  g_clear_object (&self->job);
  g_clear_object (&self->session);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_select_view_parent_class)->dispose (object);
}

static void
cs_select_view_finalize (GObject *object)
{
  g_clear_pointer (&CS_SELECT_VIEW (object)->last_run, cs_last_run_free);

  G_OBJECT_CLASS (cs_select_view_parent_class)->finalize (object);
}

/* What is typed into a filter has its own history. */
static gboolean
step_history (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  CsSelectView *self = CS_SELECT_VIEW (widget);
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL && GTK_IS_EDITABLE (focus))
    return FALSE;
  g_action_group_activate_action (G_ACTION_GROUP (self->actions), g_variant_get_string (arguments, NULL), NULL);
  return TRUE;
}

static gboolean
cs_select_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_SELECT_VIEW (widget)->files));
}

static void
cs_select_view_class_init (CsSelectViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (CS_TYPE_FILES_PANE);
  g_type_ensure (CS_TYPE_FUNCTIONS_PANE);
  g_type_ensure (CS_TYPE_CONFIG_EDITOR);
  g_type_ensure (CS_TYPE_SELECT_SUMMARY);
  G_OBJECT_CLASS (klass)->dispose = cs_select_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_select_view_finalize;
  widget_class->grab_focus = cs_select_view_grab_focus;
  widget_class->map = cs_select_view_map;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/select/cs-select-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CsSelectView, banner);
  gtk_widget_class_bind_template_child (widget_class, CsSelectView, progress);
  gtk_widget_class_bind_template_child (widget_class, CsSelectView, outer);
  gtk_widget_class_bind_template_child (widget_class, CsSelectView, inner);
  gtk_widget_class_bind_template_child (widget_class, CsSelectView, stack);
  gtk_widget_class_bind_template_child (widget_class, CsSelectView, spinner);
  gtk_widget_class_bind_template_child (widget_class, CsSelectView, failed_page);
  gtk_widget_class_bind_template_child (widget_class, CsSelectView, files);
  gtk_widget_class_bind_template_child (widget_class, CsSelectView, functions);
  gtk_widget_class_bind_template_child (widget_class, CsSelectView, editor_box);
  gtk_widget_class_bind_template_child (widget_class, CsSelectView, editor);
  gtk_widget_class_bind_template_child (widget_class, CsSelectView, summary);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_z, GDK_CONTROL_MASK, step_history, "s", "undo");
  gtk_widget_class_add_binding (widget_class, GDK_KEY_z, GDK_CONTROL_MASK | GDK_SHIFT_MASK, step_history, "s", "redo");
}

static void
cs_select_view_init (CsSelectView *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), actions, G_N_ELEMENTS (actions), self);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->inner, "notify::folded", G_CALLBACK (on_folded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->outer, "notify::folded", G_CALLBACK (on_folded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->files, "scope-changed", G_CALLBACK (on_scope_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->files, "open-requested", G_CALLBACK (on_open_requested), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->functions, "open-requested", G_CALLBACK (on_open_requested), self, G_CONNECT_SWAPPED);
  update_page (self);
  update_actions (self);
}

/**
 * cs_select_view_get_files:
 * @self: a view
 *
 * Returns: (transfer none): its files
 */
CsFilesPane *
cs_select_view_get_files (CsSelectView *self)
{
  return self->files;
}

/**
 * cs_select_view_get_functions:
 * @self: a view
 *
 * Returns: (transfer none): its functions
 */
CsFunctionsPane *
cs_select_view_get_functions (CsSelectView *self)
{
  return self->functions;
}

/**
 * cs_select_view_get_editor:
 * @self: a view
 *
 * Returns: (transfer none): its editor of trace.config
 */
CsConfigEditor *
cs_select_view_get_editor (CsSelectView *self)
{
  return self->editor;
}

/**
 * cs_select_view_get_summary:
 * @self: a view
 *
 * Returns: (transfer none): what it says of the choice
 */
CsSelectSummary *
cs_select_view_get_summary (CsSelectView *self)
{
  return self->summary;
}

/**
 * cs_select_view_get_page:
 * @self: a view
 *
 * Returns: (transfer none): what it shows: none, listing, failed or panes
 */
const char *
cs_select_view_get_page (CsSelectView *self)
{
  return gtk_stack_get_visible_child_name (self->stack);
}

/**
 * cs_select_view_get_banner_shown:
 * @self: a view
 *
 * Returns: whether it asks what is to become of a file that was changed outside
 */
gboolean
cs_select_view_get_banner_shown (CsSelectView *self)
{
  return gtk_revealer_get_reveal_child (self->banner);
}
