/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "compare/cs-compare-bases.h"
#include "compare/cs-compare-private.h"
#include "compare/cs-delta-legend.h"
#include "shared/cs-format.h"
#include "shared/cs-function-name.h"
#include "shared/cs-settings.h"
#include "tables/cs-search-bar.h"

#define SENTENCE_HEIGHT 200 /* in place of a flame graph, with what is above it */

static void cs_compare_view_init_view (CsViewInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsCompareView, cs_compare_view, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (CS_TYPE_VIEW, cs_compare_view_init_view))

/* The choices, and which of them is the base. */
static void
show_bases (CsCompareView *self)
{
  const char *base = cs_session_get_base (self->session);

  self->syncing = TRUE;
  cs_compare_bases_fill (self->choices, self->recordings, cs_compare_view_get_open_path (self), base);
  gtk_drop_down_set_selected (self->bases, cs_compare_bases_find (self->choices, base));
  self->syncing = FALSE;
  gtk_widget_set_sensitive (GTK_WIDGET (self->bases), g_list_model_get_n_items (G_LIST_MODEL (self->choices)) > 0);
}

/* Where nobody chose a base, it is the recording before the open one. */
static void
choose_base (CsCompareView *self)
{
  g_autofree char *path = NULL;

  if (self->chosen || self->recordings == NULL || cs_compare_view_get_open_path (self) == NULL)
    return;
  path = cs_compare_bases_dup_earlier (self->recordings, cs_compare_view_get_open_path (self));
  if (path == NULL)
    return;
  cs_session_set_base (self->session, path);
  self->chosen = FALSE;
}

static void
on_recordings_changed (CsCompareView *self)
{
  if (cs_session_get_base (self->session) == NULL)
    choose_base (self);
  show_bases (self);
}

static void
on_base_selected (CsCompareView *self)
{
  g_autoptr (CsCompareChoice) choice = NULL;

  if (self->syncing || self->session == NULL)
    return;
  choice = g_list_model_get_item (G_LIST_MODEL (self->choices), gtk_drop_down_get_selected (self->bases));
  if (choice != NULL)
    cs_session_set_base (self->session, cs_compare_choice_get_path (choice));
}

static void
on_base_changed (CsCompareView *self)
{
  const char *base = cs_session_get_base (self->session);
  g_autofree char *title = base != NULL ? cs_compare_bases_dup_title (self->recordings, base) : NULL;
  CsProject *project = cs_session_get_project (self->session);

  self->chosen = TRUE;
  show_bases (self);
  cs_comparison_set_project (self->comparison, project != NULL ? cs_project_get_folder (project) : NULL);
  cs_comparison_set_base (self->comparison, base, title);
  cs_compare_view_show_subtitle (self);
}

/**
 * cs_compare_view_get_sides:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what the table shows
 */
CsCompareSides *
cs_compare_view_get_sides (CsCompareView *self)
{
  CsDeltaRows *rows = self->comparison != NULL ? cs_comparison_get_rows (self->comparison) : NULL;

  return rows != NULL ? rows->sides : NULL;
}

static void
show_histogram (CsCompareView *self)
{
  CsCompareSides *sides = cs_compare_view_get_sides (self);
  const CsFunction *base = NULL, *other = NULL;
  g_autofree char *name = NULL;
  const char *text = _("Filled: base. Outline: new.");

  if (sides != NULL)
    {
      base = cs_compare_sides_get_base_function (sides, self->number);
      other = cs_compare_sides_get_new_function (sides, self->number);
    }
  if (base != NULL || other != NULL)
    name = cs_function_name_shorten ((other != NULL ? other : base)->location.name);
  if (name == NULL)
    text = _("Select a function to see how long its calls took.");
  else if (base == NULL && sides->base->profile == NULL)
    text = _("Outline: new. A report’s file doesn’t hold the durations of calls.");
  else if (base == NULL)
    text = _("Outline: new. The base doesn’t have this function.");
  else if (other == NULL)
    text = _("Filled: base. The open recording doesn’t have this function.");
  gtk_label_set_text (self->function_name, name != NULL ? name : "");
  gtk_label_set_text (self->histogram_text, text);
  cs_histogram_pair_chart_set_functions (self->histogram, base, other);
}

/* All three parts are about one function. */
static void
show_function (CsCompareView *self, guint number)
{
  self->number = number;
  cs_delta_table_select (self->table, number);
  cs_delta_flame_select (self->flame, number);
  show_histogram (self);
  cs_compare_actions_update (self, self->actions);
}

/* What the person selected here, the other views follow, if the open recording has it. */
static void
on_selected (CsCompareView *self, guint number)
{
  CsCompareSides *sides = cs_compare_view_get_sides (self);

  if (sides == NULL)
    return;
  show_function (self, number);
  if (number < sides->pairs->n && sides->new_functions[number] != G_MAXUINT
      && cs_session_get_profile (self->session) == sides->profile)
    cs_session_set_function (self->session, sides->new_functions[number]);
}

static void
on_function_changed (CsCompareView *self)
{
  CsCompareSides *sides = cs_compare_view_get_sides (self);
  guint function = cs_session_get_function (self->session);

  if (sides == NULL || cs_session_get_profile (self->session) != sides->profile || function == G_MAXUINT)
    return;
  if (sides->new_numbers[function] != self->number)
    show_function (self, sides->new_numbers[function]);
}

static void
on_activated (CsCompareView *self, guint number)
{
  on_selected (self, number);
  gtk_widget_grab_focus (GTK_WIDGET (self->flame));
}

/* Those of the open recording are above all views already. */
static char *
dup_notices (const CsDiff *diff)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; diff != NULL && diff->notices[i] != NULL; i++)
    if (!g_str_has_prefix (diff->notices[i], "new: "))
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", diff->notices[i]);
  return g_string_free (text, FALSE);
}

static void
show_notices (CsCompareView *self, const CsDiff *diff)
{
  g_autofree char *joined = dup_notices (diff);
  g_autofree char *valid = g_utf8_make_valid (joined, -1);
  g_autofree char *totals = diff != NULL ? cs_compare_key_dup_totals (diff) : NULL;
  GString *text = g_string_new (totals);

  gtk_label_set_text (self->notices, valid);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->notices), *valid != '\0' ? valid : NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->notices), *valid != '\0');
  if (diff != NULL)
    {
      if (text->len > 0)
        g_string_append (text, " · ");
      g_string_append_printf (text, _("%u new, %u gone, %u unchanged"), diff->n_new, diff->n_gone, diff->n_unchanged);
      if (diff->n_below > 0)
        g_string_append_printf (text, _(", %u below the threshold"), diff->n_below);
    }
  gtk_label_set_text (self->totals, text->str);
  g_string_free (text, TRUE);
}

static void
on_rows_changed (CsCompareView *self)
{
  CsDeltaRows *rows = cs_comparison_get_rows (self->comparison), *old = cs_delta_model_get_rows (cs_delta_table_get_model (self->table));
  gboolean other_sides = rows == NULL || old == NULL || rows->sides != old->sides;

  if (other_sides)
    {
      self->number = G_MAXUINT;
      if (rows != NULL)
        cs_compare_view_show_keys (self, rows->sides);
    }
  cs_delta_table_set_rows (self->table, rows);
  show_notices (self, rows != NULL ? rows->diff : NULL);
  on_function_changed (self);
  /* Something is always selected: what is in focus, or what rose most. */
  if (rows != NULL && rows->n > 0 && self->number == G_MAXUINT)
    show_function (self, rows->numbers[0]);
  else
    show_function (self, self->number);
}

static void
on_flame_changed (CsCompareView *self)
{
  CsCompareSides *sides = cs_comparison_get_sides (self->comparison);
  const char *obstacle = sides != NULL ? cs_compare_sides_get_flame_obstacle (sides) : NULL;
  gboolean had_obstacle = g_str_equal (gtk_stack_get_visible_child_name (self->flame_stack), "obstacle");

  cs_delta_flame_set_diff (self->flame, cs_comparison_get_flame (self->comparison),
                           cs_comparison_get_flame_sides (self->comparison));
  if (obstacle != NULL)
    adw_status_page_set_description (self->obstacle, obstacle);
  /* A sentence leaves the room to the table. */
  if (obstacle != NULL && !had_obstacle)
    gtk_paned_set_position (self->paned, SENTENCE_HEIGHT);
  else if (obstacle == NULL && had_obstacle)
    g_object_set (self->paned, "position-set", FALSE, NULL);
  gtk_stack_set_visible_child_name (self->flame_stack, obstacle != NULL ? "obstacle" : "flame");
  cs_delta_flame_set_found (self->flame, cs_delta_table_get_model (self->table));
  if (self->number != G_MAXUINT && cs_compare_view_get_sides (self) == cs_comparison_get_flame_sides (self->comparison))
    cs_delta_flame_select (self->flame, self->number);
}

static void
on_changed (CsCompareView *self)
{
  CsComparisonState state = cs_comparison_get_state (self->comparison);

  if (state != CS_COMPARISON_READY)
    cs_compare_view_show_status_page (self, state);
  gtk_stack_set_visible_child_name (self->stack, state == CS_COMPARISON_READY ? "content" : "status");
  gtk_spinner_set_spinning (self->spinner, state == CS_COMPARISON_READY && cs_comparison_is_busy (self->comparison));
  cs_compare_view_show_subtitle (self);
  cs_compare_actions_update (self, self->actions);
}

static void
on_profile_changed (CsCompareView *self)
{
  CsProfile *profile = cs_session_get_profile (self->session);
  g_autofree char *title = profile != NULL ? cs_compare_view_dup_new_title (self) : NULL;

  cs_comparison_set_profile (self->comparison, profile, title);
  on_changed (self);
}

static void
on_recording_changed (CsCompareView *self)
{
  if (cs_session_get_recording (self->session) != NULL)
    choose_base (self);
  show_bases (self);
}

static void
on_project_changed (CsCompareView *self)
{
  CsProject *project = cs_session_get_project (self->session);

  if (self->recordings != NULL)
    g_signal_handlers_disconnect_by_func (self->recordings, on_recordings_changed, self);
  g_clear_object (&self->recordings);
  if (project != NULL)
    self->recordings = g_object_ref (cs_project_get_recordings (project));
  if (self->recordings != NULL)
    g_signal_connect_object (self->recordings, "items-changed", G_CALLBACK (on_recordings_changed), self, G_CONNECT_SWAPPED);
  on_recordings_changed (self);
}

static void
show_search_error (CsCompareView *self, const char *text)
{
  cs_search_bar_show_error (GTK_WIDGET (self->search_entry), self->search_error, text);
}

/* What the session says is searched. */
static void
apply_search (CsCompareView *self)
{
  const char *search = cs_session_get_search (self->session);
  gboolean regex = cs_session_get_regex (self->session);
  g_autoptr (GError) error = NULL;

  self->syncing = TRUE;
  cs_search_bar_show (CS_VIEW (self), self->search_bar, GTK_WIDGET (self->search_entry), self->regex_button, self->session);
  self->syncing = FALSE;
  if (cs_delta_model_set_search (cs_delta_table_get_model (self->table), search, regex, &error))
    {
      show_search_error (self, NULL);
      cs_delta_flame_set_found (self->flame, cs_delta_table_get_model (self->table));
    }
  else
    show_search_error (self, error->message);
}

static void
on_search_changed (CsCompareView *self)
{
  if (self->session != NULL && !self->syncing)
    cs_search_bar_take (GTK_WIDGET (self->search_entry), self->regex_button, self->session);
}

static void
on_names_changed (CsCompareView *self)
{
  cs_delta_model_retell (cs_delta_table_get_model (self->table));
  cs_delta_flame_retell (self->flame);
  show_histogram (self);
}

static void
update_actions (CsCompareView *self)
{
  cs_compare_actions_update (self, self->actions);
}

static void
cs_compare_view_dispose (GObject *object)
{
  CsCompareView *self = CS_COMPARE_VIEW (object);

  if (self->comparison != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->comparison, self);
      cs_comparison_close (self->comparison);
    }
  g_clear_handle_id (&self->key_idle, g_source_remove);
  cs_compare_view_remove_menus (self);
  g_clear_object (&self->comparison);
  g_clear_object (&self->session);
  g_clear_object (&self->recordings);
  g_clear_object (&self->actions);
  g_clear_object (&self->choices);
  g_clear_pointer (&self->shown_keys, g_array_unref);

  G_OBJECT_CLASS (cs_compare_view_parent_class)->dispose (object);
}

static gboolean
cs_compare_view_grab_focus (GtkWidget *widget)
{
  CsCompareView *self = CS_COMPARE_VIEW (widget);

  if (g_str_equal (gtk_stack_get_visible_child_name (self->stack), "content"))
    return gtk_widget_grab_focus (GTK_WIDGET (self->table));
  return GTK_WIDGET_CLASS (cs_compare_view_parent_class)->grab_focus (widget);
}

static void
cs_compare_view_class_init (CsCompareViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_compare_view_dispose;
  widget_class->grab_focus = cs_compare_view_grab_focus;
  g_type_ensure (CS_TYPE_DELTA_TABLE);
  g_type_ensure (CS_TYPE_DELTA_FLAME);
  g_type_ensure (CS_TYPE_DELTA_LEGEND);
  g_type_ensure (CS_TYPE_HISTOGRAM_PAIR_CHART);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/compare/cs-compare-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, regex_button);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, search_error);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, bases);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, subtitle);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, spinner);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, stack);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, status);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, progress);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, cancel_button);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, open_button);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, retry_button);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, paned);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, flame_stack);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, flame);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, obstacle);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, keys);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, threshold);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, unit);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, table);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, notices);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, totals);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, function_name);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, histogram_text);
  gtk_widget_class_bind_template_child (widget_class, CsCompareView, histogram);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_base_selected);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_key_changed",
                                                G_CALLBACK (cs_compare_view_on_key_changed));
  gtk_widget_class_bind_template_callback_full (widget_class, "on_threshold_changed",
                                                G_CALLBACK (cs_compare_view_on_threshold_changed));
}

static void
cs_compare_view_init (CsCompareView *self)
{
  g_autoptr (GtkListItemFactory) factory = cs_compare_bases_make_factory (FALSE);
  g_autoptr (GtkListItemFactory) list_factory = cs_compare_bases_make_factory (TRUE);

  self->number = G_MAXUINT;
  self->shown_keys = g_array_new (FALSE, FALSE, sizeof (guint));
  self->choices = cs_compare_bases_new ();
  self->syncing = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = cs_compare_actions_new (self);
  cs_compare_actions_load (self, self->actions);
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));
  gtk_drop_down_set_factory (self->bases, factory);
  gtk_drop_down_set_list_factory (self->bases, list_factory);
  gtk_drop_down_set_model (self->bases, G_LIST_MODEL (self->choices));
  self->syncing = FALSE;
  g_signal_connect_object (self->table, "selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "activated", G_CALLBACK (on_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "sort-changed", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flame, "selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  cs_function_name_watch (self, G_CALLBACK (on_names_changed));
  cs_compare_view_add_menus (self);
  cs_compare_view_load_key (self);
  show_histogram (self);
  cs_compare_actions_update (self, self->actions);
}

static void
set_session (CsView *view, CsSession *session)
{
  CsCompareView *self = CS_COMPARE_VIEW (view);

  self->session = g_object_ref (session);
  self->chosen = cs_session_get_base (session) != NULL;
  self->comparison = cs_comparison_new (cs_session_get_jobs (session));
  cs_compare_actions_update_flame (self);
  cs_compare_view_apply_key (self);
  g_signal_connect_object (self->comparison, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->comparison, "rows-changed", G_CALLBACK (on_rows_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->comparison, "flame-changed", G_CALLBACK (on_flame_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::project", G_CALLBACK (on_project_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::recording", G_CALLBACK (on_recording_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::profile", G_CALLBACK (on_profile_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::filter", G_CALLBACK (cs_compare_view_show_subtitle), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::function", G_CALLBACK (on_function_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::base", G_CALLBACK (on_base_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::search", G_CALLBACK (apply_search), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::regex", G_CALLBACK (apply_search), self, G_CONNECT_SWAPPED);
  on_profile_changed (self);
  on_project_changed (self);
  if (cs_session_get_base (session) != NULL)
    on_base_changed (self);
  apply_search (self);
}

static GActionGroup *
get_actions (CsView *view)
{
  return G_ACTION_GROUP (CS_COMPARE_VIEW (view)->actions);
}

static void
start_search (CsView *view)
{
  CsCompareView *self = CS_COMPARE_VIEW (view);

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
cs_compare_view_init_view (CsViewInterface *iface)
{
  iface->action_prefix = "compare";
  iface->set_session = set_session;
  iface->get_actions = get_actions;
  iface->start_search = start_search;
}

/**
 * cs_compare_view_get_comparison:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what is compared; %NULL: there is no session yet
 */
CsComparison *
cs_compare_view_get_comparison (CsCompareView *self)
{
  return self->comparison;
}

/**
 * cs_compare_view_get_table:
 * @self: a view
 *
 * Returns: (transfer none): the table of differences
 */
CsDeltaTable *
cs_compare_view_get_table (CsCompareView *self)
{
  return self->table;
}

/**
 * cs_compare_view_get_flame:
 * @self: a view
 *
 * Returns: (transfer none): the differential flame graph
 */
CsDeltaFlame *
cs_compare_view_get_flame (CsCompareView *self)
{
  return self->flame;
}

/**
 * cs_compare_view_get_histogram:
 * @self: a view
 *
 * Returns: (transfer none): the durations of the selected function
 */
CsHistogramPairChart *
cs_compare_view_get_histogram (CsCompareView *self)
{
  return self->histogram;
}

/**
 * cs_compare_view_get_session:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what it shows
 */
CsSession *
cs_compare_view_get_session (CsCompareView *self)
{
  return self->session;
}

/**
 * cs_compare_view_get_subtitle:
 * @self: a view
 *
 * Returns: (transfer none): what is compared with what, in words
 */
const char *
cs_compare_view_get_subtitle (CsCompareView *self)
{
  return gtk_label_get_text (self->subtitle);
}

/**
 * cs_compare_view_get_totals:
 * @self: a view
 *
 * Returns: (transfer none): the line below the table
 */
const char *
cs_compare_view_get_totals (CsCompareView *self)
{
  return gtk_label_get_text (self->totals);
}

/**
 * cs_compare_view_get_number:
 * @self: a view
 *
 * Returns: number of the function that its actions are about; %G_MAXUINT: none
 */
guint
cs_compare_view_get_number (CsCompareView *self)
{
  return self->number;
}
