/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "compare/cs-compare-export.h"
#include "compare/cs-compare-private.h"
#include "shared/cs-gtk-compat.h"
#include "shared/cs-settings.h"
#include "tables/cs-function-source.h"
#include "tables/cs-table-copy.h"

#define FORMAT "callsight-format"

static GtkWindow *
get_window (CsCompareView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

static void
on_base_chosen (GListModel *files, gpointer user_data)
{
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  CsSession *session = cs_compare_view_get_session (user_data);
  const char *path = file != NULL ? g_file_peek_path (file) : NULL;

  if (path != NULL && session != NULL)
    cs_session_set_base (session, path);
  else if (session != NULL)
    cs_session_tell (session, _("Only recordings on this computer’s disks can be compared — copy it there first"));
}

static void
open_base_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_compat_choose_folder (get_window (user_data), _("Recording to Compare With"), on_base_chosen, user_data);
}

static void
open_report_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_compat_choose_files (get_window (user_data), _("Report to Compare With (JSON or Folded Stacks)"), on_base_chosen,
                          user_data);
}

static void
swap_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsSession *session = cs_compare_view_get_session (user_data);
  g_autofree char *base = g_strdup (cs_session_get_base (session));
  g_autofree char *open = g_strdup (cs_session_get_paths (session)[0]);
  const char *const paths[] = { base, NULL };

  cs_session_set_base (session, open);
  cs_session_open_recording (session, paths);
}

static void
retry_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_comparison_retry (cs_compare_view_get_comparison (user_data));
}

static void
cancel_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_comparison_cancel (cs_compare_view_get_comparison (user_data));
}

static void
on_export_file (GListModel *files, gpointer user_data)
{
  CsCompareView *self = user_data;
  CsDiffFormat format = (CsDiffFormat) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (self), FORMAT));
  CsDeltaRows *rows = cs_comparison_get_rows (cs_compare_view_get_comparison (self));
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  const char *path = file != NULL ? g_file_peek_path (file) : NULL;

  if (rows != NULL && path != NULL)
    cs_compare_export_start (cs_compare_view_get_session (self), rows, format, path);
}

static void
export_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsCompareView *self = user_data;
  const char *const *paths = cs_session_get_paths (cs_compare_view_get_session (self));
  g_autofree char *base = g_filename_display_basename (paths != NULL ? paths[0] : "recording");
  g_autofree char *name = NULL;
  CsDiffFormat format;

  if (!cs_diff_format_parse (g_variant_get_string (parameter, NULL), &format, NULL))
    return;
  name = g_strconcat (base, ".", cs_compare_export_get_extension (format), NULL);
  g_object_set_data (G_OBJECT (self), FORMAT, GUINT_TO_POINTER (format));
  cs_compat_choose_save (get_window (self), _("Export"), name, on_export_file, self);
}

static GVariant *
get_state (CsCompareView *self, const char *name)
{
  GActionGroup *actions = cs_view_get_actions (CS_VIEW (self));

  return g_action_group_get_action_state (actions, name);
}

static gboolean
get_flag (CsCompareView *self, const char *name)
{
  g_autoptr (GVariant) state = get_state (self, name);

  return g_variant_get_boolean (state);
}

static gboolean
is_state (CsCompareView *self, const char *name, const char *value)
{
  g_autoptr (GVariant) state = get_state (self, name);

  return g_str_equal (g_variant_get_string (state, NULL), value);
}

/**
 * cs_compare_actions_update_flame:
 * @self: the view
 *
 * Has the flame graph laid out as the actions say.
 */
void
cs_compare_actions_update_flame (CsCompareView *self)
{
  CsFlameOptions options = { .collapse = get_flag (self, "collapse") };

  if (is_state (self, "kind", "callers"))
    options.kind = CS_FLAME_CALLERS;
  if (is_state (self, "order", "time"))
    options.order = CS_FLAME_BY_TIME;
  else if (is_state (self, "order", "first-call"))
    options.order = CS_FLAME_BY_FIRST_CALL;
  cs_comparison_set_flame (cs_compare_view_get_comparison (self),
                           is_state (self, "shape", "base") ? CS_FLAME_SHAPE_BASE : CS_FLAME_SHAPE_NEW, &options);
}

/* Refuses what none of the menus has. */
static gboolean
is_choice (GSimpleAction *action, GVariant *value)
{
  static const struct { const char *name; const char *const values[4]; } choices[] = {
    { "shape", { "new", "base" } }, { "kind", { "calls", "callers" } }, { "order", { "name", "time", "first-call" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (g_str_equal (choices[i].name, g_action_get_name (G_ACTION (action))))
      return g_strv_contains (choices[i].values, g_variant_get_string (value, NULL));
  return TRUE;
}

static void
change_layout (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) && !is_choice (action, value))
    return;
  g_simple_action_set_state (action, value);
  if (g_str_equal (g_action_get_name (G_ACTION (action)), "shape"))
    g_settings_set_value (cs_settings_get (), "compare-shape", value);
  cs_compare_actions_update_flame (user_data);
}

static void
turn_shape_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_action_group_change_action_state (cs_view_get_actions (CS_VIEW (user_data)), "shape",
                                      g_variant_new_string (is_state (user_data, "shape", "new") ? "base" : "new"));
}

static void
change_normalised (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  g_simple_action_set_state (action, value);
  g_settings_set_value (cs_settings_get (), "compare-normalised", value);
  cs_delta_flame_set_normalised (cs_compare_view_get_flame (user_data), g_variant_get_boolean (value));
}

static void
change_flame (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  g_simple_action_set_state (action, value);
  cs_flame_chart_set_flame (cs_delta_flame_get_chart (cs_compare_view_get_flame (user_data)), g_variant_get_boolean (value));
}

static void
reset_zoom_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_delta_flame_focus (cs_compare_view_get_flame (user_data), 0);
}

static void
change_hide_unchanged (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  g_simple_action_set_state (action, value);
  cs_delta_model_set_hide_unchanged (cs_delta_table_get_model (cs_compare_view_get_table (user_data)),
                                     g_variant_get_boolean (value));
}

static void
change_histogram (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  g_simple_action_set_state (action, value);
  cs_histogram_pair_chart_set_scale (cs_compare_view_get_histogram (user_data), get_flag (user_data, "shares"),
                                     get_flag (user_data, "log-counts"));
}

static void
change_sort (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  CsDeltaColumn column;

  if (cs_delta_column_parse (g_variant_get_string (value, NULL), &column))
    cs_delta_table_sort (cs_compare_view_get_table (user_data), column,
                         column != CS_DELTA_FUNCTION && column != CS_DELTA_STATUS);
}

static void
reverse_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsDeltaTable *table = cs_compare_view_get_table (user_data);
  CsDeltaColumn column;
  gboolean descending;

  cs_delta_model_get_sort (cs_delta_table_get_model (table), &column, &descending);
  cs_delta_table_sort (table, column, !descending);
}

/* The function that is selected, as the open recording has it, if it is that which is compared. */
static const CsFunction *
get_new_function (CsCompareView *self, guint *index)
{
  CsCompareSides *sides = cs_compare_view_get_sides (self);
  const CsFunction *function;
  guint n;

  if (sides == NULL || cs_session_get_profile (cs_compare_view_get_session (self)) != sides->profile)
    return NULL;
  function = cs_compare_sides_get_new_function (sides, cs_compare_view_get_number (self));
  if (function != NULL && index != NULL)
    *index = (guint) (function - cs_profile_get_functions (sides->profile, &n));
  return function;
}

/* The same, or that of the base. */
static const CsFunction *
get_function (CsCompareView *self)
{
  CsCompareSides *sides = cs_compare_view_get_sides (self);
  guint number = cs_compare_view_get_number (self);
  const CsFunction *function = sides != NULL ? cs_compare_sides_get_new_function (sides, number) : NULL;

  return function != NULL || sides == NULL ? function : cs_compare_sides_get_base_function (sides, number);
}

static void
zoom_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsDeltaFlame *flame = cs_compare_view_get_flame (user_data);
  guint32 node = cs_flame_chart_get_cursor (cs_delta_flame_get_chart (flame));

  if (node != CS_FLAME_NONE)
    cs_delta_flame_focus (flame, node);
}

static void
show_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsSession *session = cs_compare_view_get_session (user_data);
  guint function;

  if (get_new_function (user_data, &function) == NULL)
    return;
  cs_session_set_function (session, function);
  cs_session_show_view (session, g_variant_get_string (parameter, NULL));
}

static const CsSlowCall *
find_longest (CsCompareView *self)
{
  const CsSlowCall *calls, *longest = NULL;
  guint function, n = 0;

  if (get_new_function (self, &function) == NULL)
    return NULL;
  calls = cs_profile_get_slowest (cs_compare_view_get_sides (self)->profile, function, &n);
  for (guint i = 0; i < n; i++)
    if (longest == NULL || calls[i].duration > longest->duration)
      longest = &calls[i];
  return longest;
}

static void
show_longest_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsSession *session = cs_compare_view_get_session (user_data);
  const CsSlowCall *longest = find_longest (user_data);
  const CsThreadRow *thread;
  CsSessionCall call;
  guint n;

  if (longest == NULL)
    return;
  thread = &cs_profile_get_threads (cs_compare_view_get_sides (user_data)->profile, &n)[longest->thread];
  call = (CsSessionCall){ .process = thread->process, .tid = thread->tid, .seq = thread->seq, .start = longest->start,
                          .end = longest->start + (gint64) longest->duration, .depth = G_MAXUINT32 };
  cs_session_set_call (session, &call);
  cs_session_show_view (session, "timeline");
}

static void
open_editor_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const CsFunction *function = get_function (user_data);

  cs_function_source_open (cs_compare_view_get_session (user_data), function != NULL ? &function->location : NULL);
}

/* Also of a report's file. */
static void
copy_name_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsDeltaRows *rows = cs_comparison_get_rows (cs_compare_view_get_comparison (user_data));
  guint row = rows != NULL ? cs_delta_rows_find (rows, cs_compare_view_get_number (user_data)) : G_MAXUINT;

  if (row != G_MAXUINT)
    cs_table_copy_set (user_data, cs_delta_rows_get_function (rows, row)->function, NULL);
}

static void
copy (CsCompareView *self, gboolean csv_as_text)
{
  CsDeltaTable *table = cs_compare_view_get_table (self);
  g_autofree char *csv = cs_delta_table_copy (table, TRUE);
  g_autofree char *text = csv_as_text ? g_strdup (csv) : cs_delta_table_copy (table, FALSE);

  cs_table_copy_set (GTK_WIDGET (self), text, csv);
}

static void
copy_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  copy (user_data, FALSE);
}

static void
copy_csv_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  copy (user_data, TRUE);
}

static const GActionEntry entries[] = {
  { .name = "open-base", .activate = open_base_action },
  { .name = "open-report", .activate = open_report_action },
  { .name = "swap", .activate = swap_action },
  { .name = "retry", .activate = retry_action },
  { .name = "cancel", .activate = cancel_action },
  { .name = "export", .activate = export_action, .parameter_type = "s" },
  { .name = "shape", .parameter_type = "s", .state = "'new'", .change_state = change_layout },
  { .name = "turn-shape", .activate = turn_shape_action },
  { .name = "kind", .parameter_type = "s", .state = "'calls'", .change_state = change_layout },
  { .name = "order", .parameter_type = "s", .state = "'name'", .change_state = change_layout },
  { .name = "collapse", .state = "false", .change_state = change_layout },
  { .name = "normalised", .state = "false", .change_state = change_normalised },
  { .name = "flame", .state = "false", .change_state = change_flame },
  { .name = "reset-zoom", .activate = reset_zoom_action },
  { .name = "hide-unchanged", .state = "true", .change_state = change_hide_unchanged },
  { .name = "shares", .state = "true", .change_state = change_histogram },
  { .name = "log-counts", .state = "false", .change_state = change_histogram },
  { .name = "sort", .parameter_type = "s", .state = "'delta'", .change_state = change_sort },
  { .name = "reverse", .activate = reverse_action },
  { .name = "zoom", .activate = zoom_action },
  { .name = "show", .parameter_type = "s", .activate = show_action },
  { .name = "show-longest", .activate = show_longest_action },
  { .name = "open-editor", .activate = open_editor_action },
  { .name = "copy-name", .activate = copy_name_action },
  { .name = "copy", .activate = copy_action },
  { .name = "copy-csv", .activate = copy_csv_action },
};

/**
 * cs_compare_actions_new:
 * @self: the view
 *
 * Returns: (transfer full): its actions
 */
GSimpleActionGroup *
cs_compare_actions_new (CsCompareView *self)
{
  GSimpleActionGroup *actions = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), self);
  return actions;
}

static GSimpleAction *
get_action (GSimpleActionGroup *actions, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (actions), name));
}

/* A report's file can't be opened, nor can several files be a base. */
static gboolean
can_swap (CsCompareView *self)
{
  CsCompareSides *sides = cs_comparison_get_sides (cs_compare_view_get_comparison (self));
  const char *const *paths = cs_session_get_paths (cs_compare_view_get_session (self));

  return sides != NULL && sides->base->profile != NULL && paths != NULL && paths[0] != NULL && paths[1] == NULL
         && !g_str_equal (paths[0], sides->base->path);
}

/**
 * cs_compare_actions_load:
 * @self: the view
 * @actions: its actions
 *
 * Begins with what was chosen last.
 */
void
cs_compare_actions_load (CsCompareView *self, GSimpleActionGroup *actions)
{
  GSettings *settings = cs_settings_get ();
  g_autoptr (GVariant) shape = g_settings_get_value (settings, "compare-shape");
  g_autoptr (GVariant) normalised = g_settings_get_value (settings, "compare-normalised");

  g_simple_action_set_state (get_action (actions, "shape"), shape);
  g_simple_action_set_state (get_action (actions, "normalised"), normalised);
  cs_delta_flame_set_normalised (cs_compare_view_get_flame (self), g_variant_get_boolean (normalised));
}

/**
 * cs_compare_actions_update:
 * @self: the view
 * @actions: its actions
 *
 * Enables what can be done now.
 */
void
cs_compare_actions_update (CsCompareView *self, GSimpleActionGroup *actions)
{
  static const char *const of_table[] = { "export", "hide-unchanged", "sort", "reverse", "shares", "log-counts" };
  static const char *const of_flame[] = { "shape", "turn-shape", "kind", "order", "collapse", "normalised", "flame",
                                          "reset-zoom", "zoom" };
  CsComparison *comparison = cs_compare_view_get_comparison (self);
  CsComparisonState state = comparison != NULL ? cs_comparison_get_state (comparison) : CS_COMPARISON_EMPTY;
  CsCompareSides *sides = comparison != NULL ? cs_comparison_get_sides (comparison) : NULL;
  const CsFunction *function = get_function (self);
  gboolean there = comparison != NULL && get_new_function (self, NULL) != NULL;
  gboolean selected = state == CS_COMPARISON_READY && cs_compare_view_get_number (self) != G_MAXUINT;
  CsDeltaColumn column;
  gboolean descending;

  for (guint i = 0; i < G_N_ELEMENTS (of_table); i++)
    g_simple_action_set_enabled (get_action (actions, of_table[i]), state == CS_COMPARISON_READY);
  for (guint i = 0; i < G_N_ELEMENTS (of_flame); i++)
    g_simple_action_set_enabled (get_action (actions, of_flame[i]),
                                 sides != NULL && cs_compare_sides_get_flame_obstacle (sides) == NULL);
  g_simple_action_set_enabled (get_action (actions, "open-base"), comparison != NULL);
  g_simple_action_set_enabled (get_action (actions, "open-report"), comparison != NULL);
  g_simple_action_set_enabled (get_action (actions, "swap"), comparison != NULL && can_swap (self));
  g_simple_action_set_enabled (get_action (actions, "retry"), state == CS_COMPARISON_FAILED);
  g_simple_action_set_enabled (get_action (actions, "cancel"), state == CS_COMPARISON_READING);
  g_simple_action_set_enabled (get_action (actions, "show"), there);
  g_simple_action_set_enabled (get_action (actions, "show-longest"), there && find_longest (self) != NULL);
  g_simple_action_set_enabled (get_action (actions, "open-editor"), function != NULL && function->location.source != NULL);
  g_simple_action_set_enabled (get_action (actions, "copy-name"), selected);
  g_simple_action_set_enabled (get_action (actions, "copy"), selected);
  g_simple_action_set_enabled (get_action (actions, "copy-csv"), selected);
  cs_delta_model_get_sort (cs_delta_table_get_model (cs_compare_view_get_table (self)), &column, &descending);
  g_simple_action_set_state (get_action (actions, "sort"), g_variant_new_string (cs_delta_column_get_id (column)));
}
