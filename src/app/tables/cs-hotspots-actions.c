/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "shared/cs-function-name.h"
#include "tables/cs-exclude.h"
#include "tables/cs-export.h"
#include "tables/cs-function-copy.h"
#include "tables/cs-function-source.h"
#include "tables/cs-hotspots-private.h"
#include "tables/cs-table-copy.h"

#define MOST_COPIED_AT_ONCE 500 /* rows; more in the background */

static CsProfile *
get_profile (CsHotspotsView *self)
{
  CsHotspotRows *rows = cs_hotspots_view_get_rows (self);

  return rows != NULL ? cs_hotspot_rows_get_profile (rows) : NULL;
}

/* The one that the panel is about. */
static const CsFunction *
get_function (CsHotspotsView *self)
{
  CsHotspotRows *rows = cs_hotspots_view_get_rows (self);
  guint function = cs_hotspots_view_get_function (self);

  return rows != NULL && function < cs_hotspot_rows_get_n (rows) ? cs_hotspot_rows_get_function (rows, function) : NULL;
}

/* Clipboard */

/* Rows that are being copied. */
typedef struct
{
  CsHotspotRows *rows;
  GArray *functions, *columns;
  gboolean csv_as_text;
  char *text, *csv;
} Copy;

static void
copy_free (gpointer data)
{
  Copy *copy = data;

  cs_hotspot_rows_unref (copy->rows);
  g_array_unref (copy->functions);
  g_array_unref (copy->columns);
  g_free (copy->text);
  g_free (copy->csv);
  g_free (copy);
}

static void
make_copy (Copy *copy)
{
  copy->csv = cs_function_copy_csv (copy->rows, copy->functions, copy->columns);
  copy->text = copy->csv_as_text ? g_strdup (copy->csv)
                                 : cs_function_copy_text (copy->rows, copy->functions, copy->columns);
}

static void
run_copy (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  make_copy (data);
  g_task_return_boolean (task, TRUE);
}

static void
on_copied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const Copy *copy = g_task_get_task_data (G_TASK (result));

  cs_table_copy_set (GTK_WIDGET (source), copy->text, copy->csv);
}

static void
copy_rows (CsHotspotsView *self, gboolean csv_as_text)
{
  CsFunctionTable *table = cs_hotspots_view_get_table (self);
  CsHotspotRows *rows = cs_hotspots_view_get_rows (self);
  g_autoptr (GArray) functions = cs_function_table_dup_selected (table);
  g_autoptr (GTask) task = NULL;
  Copy *copy;

  if (rows == NULL || functions->len == 0)
    return;
  copy = g_new0 (Copy, 1);
  copy->rows = cs_hotspot_rows_ref (rows);
  copy->functions = g_array_ref (functions);
  copy->columns = cs_function_table_dup_columns (table);
  copy->csv_as_text = csv_as_text;
  task = g_task_new (self, NULL, on_copied, NULL);
  g_task_set_task_data (task, copy, copy_free);
  if (functions->len > MOST_COPIED_AT_ONCE)
    {
      g_task_run_in_thread (task, run_copy);
      return;
    }
  /* Few rows are there when the key is up. */
  make_copy (copy);
  cs_table_copy_set (GTK_WIDGET (self), copy->text, copy->csv);
}

static void
copy_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  copy_rows (user_data, FALSE);
}

static void
copy_csv_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  copy_rows (user_data, TRUE);
}

static void
copy_name_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsHotspotsView *self = user_data;
  CsHotspotRows *rows = cs_hotspots_view_get_rows (self);
  g_autoptr (GArray) functions = cs_function_table_dup_selected (cs_hotspots_view_get_table (self));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < functions->len; i++)
    {
      g_autofree char *name = cs_hotspot_rows_dup_text (rows, g_array_index (functions, guint, i), CS_COLUMN_FUNCTION);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", name);
    }
  if (functions->len > 0)
    cs_table_copy_set (GTK_WIDGET (self), text->str, NULL);
  g_string_free (text, TRUE);
}

/* One function */
static void
focus_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsHotspotsView *self = user_data;

  cs_session_set_function (cs_hotspots_view_get_session (self), cs_hotspots_view_get_function (self));
  cs_hotspots_view_set_panel_shown (self, TRUE);
}

static void
open_editor_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const CsFunction *function = get_function (user_data);

  cs_function_source_open (cs_hotspots_view_get_session (user_data), function != NULL ? &function->location : NULL);
}

static void
filter_function_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsHotspotsView *self = user_data;
  CsSession *session = cs_hotspots_view_get_session (self);
  const CsFunction *function = get_function (self);
  CsProfileFilter filter = *cs_session_get_filter (session);
  g_autofree char *glob = NULL;

  if (function == NULL)
    return;
  glob = cs_function_name_escape (function->location.name);
  filter.function = glob;
  cs_session_set_filter (session, &filter);
}

static void
filter_thread_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsSession *session = cs_hotspots_view_get_session (user_data);
  CsProfileFilter filter = *cs_session_get_filter (session);

  filter.thread = (char *) g_variant_get_string (parameter, NULL);
  cs_session_set_filter (session, &filter);
}

static void
filter_range_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gint64 from, to;

  g_variant_get (parameter, "(xx)", &from, &to);
  cs_session_set_range (cs_hotspots_view_get_session (user_data), TRUE, from, to);
}

/* Exclude */
static void
exclude_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsHotspotsView *self = user_data;
  CsHotspotRows *rows = cs_hotspots_view_get_rows (self);
  g_autoptr (GArray) selected = cs_function_table_dup_selected (cs_hotspots_view_get_table (self));
  g_autoptr (GPtrArray) functions = g_ptr_array_new ();
  guint current = cs_hotspots_view_get_function (self);

  if (rows == NULL)
    return;
  if (selected->len == 0 && current != G_MAXUINT)
    g_array_append_val (selected, current);
  for (guint i = 0; i < selected->len; i++)
    g_ptr_array_add (functions, (gpointer) cs_hotspot_rows_get_function (rows, g_array_index (selected, guint, i)));
  cs_exclude_functions (cs_hotspots_view_get_session (self), (const CsFunction *const *) functions->pdata, functions->len,
                        "hotspots.undo-exclude");
}

static void
undo_exclude_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_exclude_undo (cs_hotspots_view_get_session (user_data));
}

/* Export */
static void
on_export_chosen (gpointer self, const CsExportKind *kind, const char *path)
{
  if (get_profile (self) != NULL)
    cs_export_start (cs_hotspots_view_get_session (self), (const CsExportFormat *) kind, path);
}

static void
export_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gboolean summary = cs_profile_get_mode (get_profile (user_data)) == CS_PROFILE_SUMMARY;
  GPtrArray *kinds = g_ptr_array_new ();
  guint n;
  const CsExportFormat *formats = cs_export_get_formats (&n);

  /* Those that the recording can be written in. */
  for (guint i = 0; i < n; i++)
    if (!summary || !formats[i].of_events)
      g_ptr_array_add (kinds, (gpointer) &formats[i].kind);
  cs_export_question_ask (user_data, cs_hotspots_view_get_session (user_data), _("Export the Recording"),
                          _("What the filters show of it is written, whatever is searched for."), kinds, on_export_chosen);
}

static void
export_as_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const char *name = g_variant_get_string (parameter, NULL);
  guint n;
  const CsExportFormat *formats = cs_export_get_formats (&n);
  CsReportFormat format;

  if (!cs_report_format_parse (name, &format, NULL))
    return;
  for (guint i = 0; i < n; i++)
    if (formats[i].format == format)
      cs_export_question_ask_place (user_data, cs_hotspots_view_get_session (user_data), &formats[i].kind,
                                    on_export_chosen);
}

/* Order and columns */
static void
sort_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsColumnId column;

  if (cs_column_find (g_variant_get_string (parameter, NULL), &column))
    cs_function_table_sort (cs_hotspots_view_get_table (user_data), column, FALSE);
}

static void
sort_also_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsColumnId column;

  if (cs_column_find (g_variant_get_string (parameter, NULL), &column))
    cs_function_table_sort (cs_hotspots_view_get_table (user_data), column, TRUE);
}

static void
reverse_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsFunctionTable *table = cs_hotspots_view_get_table (user_data);
  CsSortKey keys[CS_MOST_SORT_KEYS];
  guint n;
  const CsSortKey *old = cs_function_table_get_keys (table, &n);

  for (guint i = 0; i < n; i++)
    keys[i] = (CsSortKey){ old[i].column, !old[i].descending };
  cs_function_table_set_keys (table, keys, n);
}

static void
reset_columns_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_function_table_reset (cs_hotspots_view_get_table (user_data));
}

static void
columns_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_hotspots_view_popup_columns (user_data);
}

static void
change_column (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  CsColumnId column;

  if (cs_column_find (g_action_get_name (G_ACTION (action)) + strlen (CS_HOTSPOTS_COLUMN_ACTION), &column))
    cs_function_table_set_shown (cs_hotspots_view_get_table (user_data), column, g_variant_get_boolean (value));
}

static void
change_panel (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  cs_hotspots_view_set_panel_shown (user_data, g_variant_get_boolean (value));
}

static void
show_call_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsSession *session = cs_hotspots_view_get_session (user_data);
  CsSessionCall call = { .depth = G_MAXUINT32 };

  g_variant_get (parameter, "(uutxx)", &call.process, &call.tid, &call.seq, &call.start, &call.end);
  cs_session_set_call (session, &call);
  cs_session_show_view (session, "timeline");
}

static const GActionEntry entries[] = {
  { .name = "export", .activate = export_action },
  { .name = "export-as", .activate = export_as_action, .parameter_type = "s" },
  { .name = "copy", .activate = copy_action },
  { .name = "copy-csv", .activate = copy_csv_action },
  { .name = "copy-name", .activate = copy_name_action },
  { .name = "focus", .activate = focus_action },
  { .name = "open-editor", .activate = open_editor_action },
  { .name = "filter-function", .activate = filter_function_action },
  { .name = "filter-thread", .activate = filter_thread_action, .parameter_type = "s" },
  { .name = "show-call", .activate = show_call_action, .parameter_type = "(uutxx)" },
  { .name = "filter-range", .activate = filter_range_action, .parameter_type = "(xx)" },
  { .name = "exclude", .activate = exclude_action },
  { .name = "undo-exclude", .activate = undo_exclude_action },
  { .name = "sort", .activate = sort_action, .parameter_type = "s", .state = "'self'", .change_state = NULL },
  { .name = "sort-also", .activate = sort_also_action, .parameter_type = "s" },
  { .name = "reverse", .activate = reverse_action },
  { .name = "reset-columns", .activate = reset_columns_action },
  { .name = "columns", .activate = columns_action },
  { .name = "panel", .state = "true", .change_state = change_panel },
};

/**
 * cs_hotspots_actions_new:
 * @self: the view
 *
 * Returns: (transfer full): its actions
 */
GSimpleActionGroup *
cs_hotspots_actions_new (CsHotspotsView *self)
{
  GSimpleActionGroup *actions = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    {
      g_autofree char *name = g_strconcat (CS_HOTSPOTS_COLUMN_ACTION, cs_column_get (i)->id, NULL);
      g_autoptr (GSimpleAction) action = g_simple_action_new_stateful (name, NULL, g_variant_new_boolean (TRUE));

      g_simple_action_set_enabled (action, i != CS_COLUMN_FUNCTION);
      g_signal_connect (action, "change-state", G_CALLBACK (change_column), self);
      g_action_map_add_action (G_ACTION_MAP (actions), G_ACTION (action));
    }
  return actions;
}

static void
enable (GSimpleActionGroup *actions, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (actions), name)), enabled);
}

static void
set_state (GSimpleActionGroup *actions, const char *name, GVariant *state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (actions), name)), state);
}

/**
 * cs_hotspots_actions_update:
 * @self: the view
 * @actions: its actions
 *
 * Enables what can be done now, and tells how things are.
 */
void
cs_hotspots_actions_update (CsHotspotsView *self, GSimpleActionGroup *actions)
{
  CsFunctionTable *table = cs_hotspots_view_get_table (self);
  g_autoptr (GArray) selected = cs_function_table_dup_selected (table);
  const CsFunction *function = get_function (self);
  CsSession *session = cs_hotspots_view_get_session (self);
  g_autofree char *reason = cs_hotspots_dup_exclude_reason (self);
  guint n;
  const CsSortKey *keys = cs_function_table_get_keys (table, &n);

  enable (actions, "export", get_profile (self) != NULL);
  enable (actions, "export-as", get_profile (self) != NULL);
  enable (actions, "copy", selected->len > 0);
  enable (actions, "copy-csv", selected->len > 0);
  enable (actions, "copy-name", selected->len > 0);
  enable (actions, "focus", function != NULL);
  enable (actions, "open-editor", function != NULL && function->location.source != NULL);
  enable (actions, "filter-function", function != NULL && cs_profile_get_mode (get_profile (self)) == CS_PROFILE_EVENTS);
  enable (actions, "filter-thread", get_profile (self) != NULL);
  enable (actions, "show-call", get_profile (self) != NULL
                                  && cs_profile_get_mode (get_profile (self)) == CS_PROFILE_EVENTS);
  enable (actions, "filter-range", get_profile (self) != NULL
                                     && cs_profile_get_mode (get_profile (self)) == CS_PROFILE_EVENTS);
  enable (actions, "exclude", (function != NULL || selected->len > 0) && reason == NULL);
  enable (actions, "undo-exclude", session != NULL && cs_session_get_project (session) != NULL);
  set_state (actions, "sort", g_variant_new_string (cs_column_get (keys[0].column)->id));
  set_state (actions, "panel", g_variant_new_boolean (cs_hotspots_view_get_panel_shown (self)));
  for (guint i = 0; i < CS_N_COLUMNS; i++)
    {
      g_autofree char *name = g_strconcat (CS_HOTSPOTS_COLUMN_ACTION, cs_column_get (i)->id, NULL);

      set_state (actions, name, g_variant_new_boolean (cs_function_table_get_shown (table, i)));
    }
  cs_function_panel_set_exclude_reason (cs_hotspots_view_get_panel (self), reason);
}

/**
 * cs_hotspots_dup_exclude_reason:
 * @self: the view
 *
 * Returns: (transfer full) (nullable): why nothing can be excluded now; %NULL: it can
 */
char *
cs_hotspots_dup_exclude_reason (CsHotspotsView *self)
{
  CsSession *session = cs_hotspots_view_get_session (self);

  return cs_exclude_dup_reason (session != NULL ? cs_session_get_project (session) : NULL);
}
