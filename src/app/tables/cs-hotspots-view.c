/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "report/cs-report-selection.h"
#include "session/cs-view.h"
#include "shared/cs-format.h"
#include "shared/cs-function-name.h"
#include "tables/cs-hotspots-private.h"
#include "tables/cs-search-bar.h"
#include "tables/cs-search-texts.h"
#include "tables/cs-table-menu.h"

struct _CsHotspotsView
{
  AdwBin parent_instance;

  GtkSearchBar *search_bar;
  GtkSearchEntry *search_entry;
  GtkToggleButton *regex_button;
  GtkLabel *found_label;
  GtkLabel *search_error;
  AdwFlap *flap;
  CsFunctionPanel *panel;
  GtkStack *stack;
  CsFunctionTable *table;
  AdwStatusPage *nothing;
  GtkLabel *status;
  GtkSpinner *spinner;
  GtkMenuButton *columns_button;
  GtkWidget *row_menu; /* (nullable) */

  GSimpleActionGroup *actions;
  CsSession *session; /* (nullable) */
  CsProfile *selected_in; /* (nullable): in which the selected function was told last */
  gboolean has_kept;       /* what was selected in the profile before: */
  const char *kept_module; /* (nullable): interned */
  guint64 kept_address;
  gboolean syncing;   /* entry and session are made the same */
};

static void cs_hotspots_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsHotspotsView, cs_hotspots_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_hotspots_view_init_view))

static CsFunctionModel *
get_model (CsHotspotsView *self)
{
  return cs_function_table_get_model (self->table);
}

static void
show_status (CsHotspotsView *self)
{
  CsFunctionModel *model = get_model (self);
  guint all = cs_function_model_get_n_all (model), found = cs_function_model_get_n_found (model);
  g_autoptr (GArray) selected = cs_function_table_dup_selected (self->table);
  g_autofree char *n_all = cs_format_count (all);
  g_autofree char *n_found = cs_format_count (found);
  g_autofree char *order = cs_function_table_dup_order (self->table);
  g_autofree char *of = g_strdup_printf (_("%s of %s"), n_found, n_all);
  GString *text = g_string_new (NULL);

  if (found < all)
    g_string_append_printf (text, ngettext ("%s of %s function", "%s of %s functions", all), n_found, n_all);
  else
    g_string_append_printf (text, ngettext ("%s function", "%s functions", all), n_all);
  if (selected->len > 1)
    g_string_append_printf (text, _(" · %u selected"), selected->len);
  g_string_append_printf (text, _(" · by %s"), order);
  gtk_label_set_text (self->status, all > 0 ? text->str : "");
  g_string_free (text, TRUE);
  gtk_label_set_text (self->found_label, of);
  if (found == 0)
    {
      const char *hint = all > 0 ? cs_search_get_hint (cs_session_get_search (self->session),
                                                             cs_session_get_regex (self->session)) : NULL;

      adw_status_page_set_title (self->nothing, all > 0 ? _("No Function Matches") : _("No Calls"));
      adw_status_page_set_description (self->nothing,
                                       hint != NULL ? hint
                                       : all > 0 ? _("No function’s name, file or module has what is searched for.")
                                                 : _("What is shown of the recording holds no calls. Remove a filter to see more."));
    }
  gtk_stack_set_visible_child_name (self->stack, found > 0 || self->session == NULL ? "table" : "nothing");
  gtk_spinner_set_spinning (self->spinner, cs_function_model_get_busy (model));
}

/* The panel stays with its function while that is selected, and goes to the first one otherwise. Where none is selected it
 * is about that in focus. */
static void
update_panel (CsHotspotsView *self)
{
  g_autoptr (GArray) selected = cs_function_table_dup_selected (self->table);
  CsHotspotRows *rows = cs_function_model_get_rows (get_model (self));
  guint function = self->session != NULL ? cs_session_get_function (self->session) : G_MAXUINT;

  if (selected->len > 0)
    {
      function = g_array_index (selected, guint, 0);
      for (guint i = 1; i < selected->len; i++)
        if (g_array_index (selected, guint, i) == cs_function_panel_get_function (self->panel))
          function = g_array_index (selected, guint, i);
    }
  /* The focus is in the new profile before its rows are there. */
  if (rows != NULL && cs_hotspot_rows_get_profile (rows) != cs_session_get_profile (self->session))
    rows = NULL;
  cs_function_panel_set_function (self->panel, rows, function);
  cs_hotspots_actions_update (self, self->actions);
  show_status (self);
}

/* The function that the panel is about is looked for in the next profile. One that this doesn't have is waited for. */
static void
keep_function (CsHotspotsView *self)
{
  CsHotspotRows *rows = cs_function_model_get_rows (get_model (self));
  guint function = cs_function_panel_get_function (self->panel);

  if (rows == NULL || function >= cs_hotspot_rows_get_n (rows))
    return;
  self->has_kept = TRUE;
  self->kept_module = g_intern_string (cs_hotspot_rows_get_function (rows, function)->location.module);
  self->kept_address = cs_hotspot_rows_get_function (rows, function)->location.address;
}

static gboolean
select_kept (CsHotspotsView *self)
{
  CsHotspotRows *rows = cs_function_model_get_rows (get_model (self));
  guint function;

  if (!self->has_kept || rows == NULL)
    return FALSE;
  function = cs_session_find_function (cs_hotspot_rows_get_profile (rows), self->kept_module, self->kept_address);
  if (function == G_MAXUINT || cs_function_model_find (get_model (self), function) == G_MAXUINT)
    return FALSE;
  cs_function_table_reselect (self->table, function);
  return TRUE;
}

/* Something is always selected: what is in focus, what was selected before, or what takes the most time. */
static void
on_rows_changed (CsHotspotsView *self)
{
  g_autoptr (GArray) selected = cs_function_table_dup_selected (self->table);
  CsFunctionModel *model = get_model (self);
  guint focused = self->session != NULL ? cs_session_get_function (self->session) : G_MAXUINT;

  if (selected->len == 0 && cs_function_model_get_n_found (model) > 0)
    {
      if (cs_function_model_find (model, focused) != G_MAXUINT)
        cs_function_table_select (self->table, focused);
      else if (focused == G_MAXUINT && !select_kept (self))
        cs_function_table_select (self->table, cs_function_model_get_function (model, 0));
    }
  update_panel (self);
}

/* Which functions were chosen stands in files beside the program. */
static void
find_choices (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  CsProfile *profile = data;
  g_autoptr (CsReportChosen) chosen = NULL;
  g_autoptr (GPtrArray) notices = NULL;
  guint n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n);
  guint8 *choices;

  cs_report_selection_find (profile, NULL, &chosen, &notices, NULL);
  if (chosen == NULL)
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  choices = g_malloc (MAX (n, 1));
  for (guint i = 0; i < n; i++)
    choices[i] = (guint8) cs_report_chosen_get (chosen, &functions[i]);
  g_task_return_pointer (task, g_bytes_new_take (choices, n), (GDestroyNotify) g_bytes_unref);
}

static void
on_choices_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsHotspotsView *self = CS_HOTSPOTS_VIEW (source);
  CsProfile *profile = g_task_get_task_data (G_TASK (result));
  g_autoptr (GBytes) choices = g_task_propagate_pointer (G_TASK (result), NULL);

  if (choices != NULL && self->session != NULL && profile == cs_session_get_profile (self->session))
    cs_function_model_set_profile (get_model (self), profile, choices);
}

static void
on_profile_changed (CsHotspotsView *self)
{
  CsProfile *profile = cs_session_get_profile (self->session);

  keep_function (self);
  if (cs_session_get_state (self->session) == CS_SESSION_EMPTY)
    self->has_kept = FALSE;
  if (profile != NULL)
    cs_function_table_set_summary (self->table, cs_profile_get_mode (profile) == CS_PROFILE_SUMMARY);
  cs_function_panel_set_function (self->panel, NULL, G_MAXUINT);
  cs_function_model_set_profile (get_model (self), profile, NULL);
  show_status (self);
  if (profile != NULL)
    {
      g_autoptr (GTask) task = g_task_new (self, NULL, on_choices_found, NULL);

      g_task_set_task_data (task, g_object_ref (profile), g_object_unref);
      g_task_run_in_thread (task, find_choices);
    }
}

static void
on_function_changed (CsHotspotsView *self)
{
  guint function = cs_session_get_function (self->session);
  CsHotspotRows *rows = cs_function_model_get_rows (get_model (self));
  /* It is told again with each profile: the table stays where it was scrolled to then. */
  gboolean again = g_set_object (&self->selected_in, cs_session_get_profile (self->session));

  if (rows == NULL || cs_hotspot_rows_get_profile (rows) != cs_session_get_profile (self->session))
    return;
  if (function != G_MAXUINT && again)
    cs_function_table_reselect (self->table, function);
  else if (function != G_MAXUINT)
    cs_function_table_select (self->table, function);
  update_panel (self);
}

static void
on_activated (CsHotspotsView *self, guint function)
{
  cs_session_set_function (self->session, function);
  cs_hotspots_view_set_panel_shown (self, TRUE);
}

static void
show_search_error (CsHotspotsView *self, const char *text)
{
  cs_search_bar_show_error (GTK_WIDGET (self->search_entry), self->search_error, text);
}

/* What the session says is searched. */
static void
apply_search (CsHotspotsView *self)
{
  const char *search = cs_session_get_search (self->session);
  gboolean regex = cs_session_get_regex (self->session);
  g_autoptr (GError) error = NULL;

  self->syncing = TRUE;
  cs_search_bar_show (CS_VIEW (self), self->search_bar, GTK_WIDGET (self->search_entry), self->regex_button, self->session);
  self->syncing = FALSE;
  if (cs_function_model_set_search (get_model (self), search, regex, &error))
    show_search_error (self, NULL);
  else
    show_search_error (self, error->message);
  show_status (self);
}

static void
on_search_changed (CsHotspotsView *self)
{
  if (self->session != NULL && !self->syncing)
    cs_search_bar_take (GTK_WIDGET (self->search_entry), self->regex_button, self->session);
}

/* Enter in the entry goes on to what was found. */
static void
on_search_activate (CsHotspotsView *self)
{
  on_search_changed (self);
  gtk_widget_child_focus (GTK_WIDGET (cs_function_table_get_view (self->table)), GTK_DIR_TAB_FORWARD);
}

static void
on_menu (CsHotspotsView *self, double x, double y)
{
  if (self->row_menu == NULL)
    {
      g_autoptr (GMenuModel) menu = cs_hotspots_make_row_menu ();

      self->row_menu = cs_table_menu_new (menu, GTK_WIDGET (self->table));
    }
  cs_table_menu_popup (self->row_menu, x, y);
}

static void
on_names_changed (CsHotspotsView *self)
{
  CsFunctionModel *model = get_model (self);
  guint function = cs_function_panel_get_function (self->panel);

  cs_function_model_retell (model);
  cs_function_panel_set_function (self->panel, NULL, G_MAXUINT);
  cs_function_panel_set_function (self->panel, cs_function_model_get_rows (model), function);
}

static void
update_actions (CsHotspotsView *self)
{
  cs_hotspots_actions_update (self, self->actions);
}

/* Where the panel lies over the table, it waits until it is asked for. */
static void
on_folded (CsHotspotsView *self)
{
  adw_flap_set_reveal_flap (self->flap, !adw_flap_get_folded (self->flap));
}

static void
cs_hotspots_view_dispose (GObject *object)
{
  CsHotspotsView *self = CS_HOTSPOTS_VIEW (object);

  g_clear_pointer (&self->row_menu, gtk_widget_unparent);
  g_clear_object (&self->session);
  g_clear_object (&self->selected_in);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (cs_hotspots_view_parent_class)->dispose (object);
}

static gboolean
cs_hotspots_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_HOTSPOTS_VIEW (widget)->table));
}

static void
cs_hotspots_view_class_init (CsHotspotsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_hotspots_view_dispose;
  widget_class->grab_focus = cs_hotspots_view_grab_focus;
  g_type_ensure (CS_TYPE_FUNCTION_TABLE);
  g_type_ensure (CS_TYPE_FUNCTION_PANEL);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/tables/cs-hotspots-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, regex_button);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, found_label);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, search_error);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, flap);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, panel);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, stack);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, table);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, nothing);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, status);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, spinner);
  gtk_widget_class_bind_template_child (widget_class, CsHotspotsView, columns_button);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activate);
}

static void
cs_hotspots_view_init (CsHotspotsView *self)
{
  g_autoptr (GMenuModel) menu = cs_hotspots_make_columns_menu ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = cs_hotspots_actions_new (self);
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));
  gtk_menu_button_set_menu_model (self->columns_button, menu);
  cs_function_table_set_header_menu (self->table, menu);
  g_signal_connect_object (self->table, "selection-changed", G_CALLBACK (update_panel), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "sort-changed", G_CALLBACK (update_panel), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "columns-changed", G_CALLBACK (update_panel), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "activated", G_CALLBACK (on_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "menu", G_CALLBACK (on_menu), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (get_model (self), "changed", G_CALLBACK (on_rows_changed), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (get_model (self), "notify::busy", G_CALLBACK (show_status), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->panel, "function-chosen", G_CALLBACK (on_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flap, "notify::folded", G_CALLBACK (on_folded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flap, "notify::reveal-flap", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  cs_function_name_watch (self, G_CALLBACK (on_names_changed));
}

/* What can be excluded depends on what is known of the sources. */
static void
on_project_changed (CsHotspotsView *self)
{
  CsProject *project = cs_session_get_project (self->session);

  if (project != NULL)
    g_signal_connect_object (cs_project_get_chooser (project), "notify", G_CALLBACK (update_actions), self,
                             G_CONNECT_SWAPPED);
  update_actions (self);
}

static void
set_session (CsView *view, CsSession *session)
{
  CsHotspotsView *self = CS_HOTSPOTS_VIEW (view);

  self->session = g_object_ref (session);
  cs_function_panel_set_session (self->panel, session);
  g_signal_connect_object (session, "notify::profile", G_CALLBACK (on_profile_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::function", G_CALLBACK (on_function_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::search", G_CALLBACK (apply_search), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::regex", G_CALLBACK (apply_search), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::project", G_CALLBACK (on_project_changed), self, G_CONNECT_SWAPPED);
  on_project_changed (self);
  on_profile_changed (self);
  on_function_changed (self);
  apply_search (self);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_HOTSPOTS_VIEW (view)->actions);
}

static void
start_search (CsView *view)
{
  CsHotspotsView *self = CS_HOTSPOTS_VIEW (view);

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
cs_hotspots_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "hotspots";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
  iface->start_search = start_search;
}

/**
 * cs_hotspots_view_set_search:
 * @self: a view with a session
 * @text: what the shown functions' names, files or modules have; empty for all
 */
void
cs_hotspots_view_set_search (CsHotspotsView *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), text);
  on_search_changed (self);
}

/**
 * cs_hotspots_view_get_model:
 * @self: a view
 *
 * Returns: (transfer none): the functions that are shown, in their order
 */
GListModel *
cs_hotspots_view_get_model (CsHotspotsView *self)
{
  return G_LIST_MODEL (get_model (self));
}

/**
 * cs_hotspots_view_get_table:
 * @self: a view
 *
 * Returns: (transfer none): its table
 */
CsFunctionTable *
cs_hotspots_view_get_table (CsHotspotsView *self)
{
  return self->table;
}

/**
 * cs_hotspots_view_get_panel:
 * @self: a view
 *
 * Returns: (transfer none): what tells more of one function
 */
CsFunctionPanel *
cs_hotspots_view_get_panel (CsHotspotsView *self)
{
  return self->panel;
}

/**
 * cs_hotspots_view_get_session:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what it shows
 */
CsSession *
cs_hotspots_view_get_session (CsHotspotsView *self)
{
  return self->session;
}

/**
 * cs_hotspots_view_get_rows:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): the functions, those that aren't found among them
 */
CsHotspotRows *
cs_hotspots_view_get_rows (CsHotspotsView *self)
{
  return cs_function_model_get_rows (get_model (self));
}

/**
 * cs_hotspots_view_get_function:
 * @self: a view
 *
 * Returns: index in the profile of the function that the panel is about; %G_MAXUINT: none
 */
guint
cs_hotspots_view_get_function (CsHotspotsView *self)
{
  return cs_function_panel_get_function (self->panel);
}

/**
 * cs_hotspots_view_get_panel_shown:
 * @self: a view
 *
 * Returns: whether the panel is shown
 */
gboolean
cs_hotspots_view_get_panel_shown (CsHotspotsView *self)
{
  return adw_flap_get_reveal_flap (self->flap);
}

/**
 * cs_hotspots_view_set_panel_shown:
 * @self: a view
 * @shown: whether to show the panel
 */
void
cs_hotspots_view_set_panel_shown (CsHotspotsView *self, gboolean shown)
{
  adw_flap_set_reveal_flap (self->flap, shown);
}

/**
 * cs_hotspots_view_popup_columns:
 * @self: a view
 *
 * Opens the menu of columns and order.
 */
void
cs_hotspots_view_popup_columns (CsHotspotsView *self)
{
  gtk_menu_button_popup (self->columns_button);
}
