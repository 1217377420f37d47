/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "flame/cs-flame-call.h"
#include "flame/cs-flame-save.h"
#include "flame/cs-flame-texts.h"
#include "flame/cs-flame-view-private.h"
#include "shared/cs-function-name.h"
#include "shared/cs-settings.h"
#include "tables/cs-exclude.h"
#include "tables/cs-function-source.h"

/* Of the frame that actions are about. */
static const CsFunction *
get_function (CsFlameView *self)
{
  CsFlamePicture *picture = cs_flame_view_get_picture (self);

  return picture != NULL ? cs_flame_picture_get_function (picture, cs_flame_view_get_node (self)) : NULL;
}

/* In the session's profile, which may know it by another number than the picture. */
static guint
get_function_index (CsFlameView *self)
{
  const CsFunction *function = get_function (self);
  CsProfile *profile = cs_session_get_profile (cs_flame_view_get_session (self));

  return function != NULL ? cs_session_find_function (profile, function->location.module, function->location.address)
                          : G_MAXUINT;
}

/* Focus */
static void
focus_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_flame_view_go (user_data, cs_flame_view_get_node (user_data));
}

static void
up_to_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_flame_view_go_up_to (user_data, g_variant_get_uint32 (parameter));
}

static void
up_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsFlameView *self = user_data;
  CsFlamePicture *picture = cs_flame_view_get_picture (self);
  CsFlameNode frame;

  if (picture == NULL)
    return;
  cs_flame_layout_get_node (cs_flame_picture_get_layout (picture), cs_flame_chart_get_focus (cs_flame_view_get_chart (self)), &frame);
  cs_flame_view_go (self, frame.parent);
}

static void
select_function_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  guint function = get_function_index (user_data);

  if (function != G_MAXUINT)
    cs_session_set_function (cs_flame_view_get_session (user_data), function);
}

/* Marks */
static void
mark (CsFlameView *self, gboolean whole_module, CsFlameMark what)
{
  guint function = get_function_index (self);

  if (function != G_MAXUINT)
    cs_session_set_mark (cs_flame_view_get_session (self), function, whole_module, what);
}

static void
hide_function_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  mark (user_data, FALSE, CS_FLAME_HIDE);
}

static void
hide_module_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  mark (user_data, TRUE, CS_FLAME_HIDE);
}

static void
only_function_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  mark (user_data, FALSE, CS_FLAME_ONLY);
}

static void
only_module_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  mark (user_data, TRUE, CS_FLAME_ONLY);
}

static void
show_all_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_session_clear_marks (cs_flame_view_get_session (user_data));
}

/* Other views */
static void
show_hotspots_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  select_function_action (action, NULL, user_data);
  cs_session_show_view (cs_flame_view_get_session (user_data), "hotspots");
}

static void
on_call_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsFlameView) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean of_frame;
  g_autofree CsSessionCall *call = cs_flame_call_find_finish (result, &of_frame, &error);
  CsSession *session = cs_flame_view_get_session (self);

  /* The recording was closed meanwhile. */
  if (session == NULL || cs_session_get_timeline (session) == NULL)
    return;
  if (call == NULL)
    {
      cs_session_tell (session, error->message);
      return;
    }
  cs_session_set_call (session, call);
  cs_session_show_view (session, "timeline");
  if (!of_frame)
    cs_session_tell (session, _("No call of this path is among the function’s longest — its longest one is shown"));
}

static void
show_timeline_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsFlameView *self = user_data;
  CsFlamePicture *picture = cs_flame_view_get_picture (self);
  guint32 node = cs_flame_view_get_node (self);
  CsTimeline *timeline = cs_session_get_timeline (cs_flame_view_get_session (self));

  if (picture != NULL && timeline != NULL && cs_flame_call_is_known (picture, node))
    cs_flame_call_find_async (picture, node, timeline, on_call_found, g_object_ref (self));
}

static void
filter_function_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsSession *session = cs_flame_view_get_session (user_data);
  const CsFunction *function = get_function (user_data);
  CsProfileFilter filter = *cs_session_get_filter (session);
  g_autofree char *glob = NULL;

  if (function == NULL)
    return;
  glob = cs_function_name_escape (function->location.name);
  filter.function = glob;
  cs_session_set_filter (session, &filter);
}

static void
open_editor_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const CsFunction *function = get_function (user_data);

  cs_function_source_open (cs_flame_view_get_session (user_data), function != NULL ? &function->location : NULL);
}

static void
exclude_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const CsFunction *function = get_function (user_data);

  if (function != NULL)
    cs_exclude_functions (cs_flame_view_get_session (user_data), &function, 1, "flame-graph.undo-exclude");
}

static void
undo_exclude_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_exclude_undo (cs_flame_view_get_session (user_data));
}

/* Clipboard */
static void
copy_name_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const CsFunction *function = get_function (user_data);
  g_autofree char *valid = function != NULL ? g_utf8_make_valid (function->location.name, -1) : NULL;

  if (valid != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (user_data)), valid);
}

static void
copy_stack_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsFlameView *self = user_data;
  CsFlamePicture *picture = cs_flame_view_get_picture (self);
  guint32 node = cs_flame_view_get_node (self);

  if (picture != NULL && node < cs_flame_layout_get_n_nodes (cs_flame_picture_get_layout (picture)))
    {
      g_autofree char *stack = cs_flame_texts_dup_stack (picture, node);

      gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), stack);
    }
}

/* Export */
static void
export_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_flame_save_ask (user_data);
}

static void
export_as_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsFlameSaveFormat format;

  if (cs_flame_save_parse (g_variant_get_string (parameter, NULL), &format))
    cs_flame_save_ask_place (user_data, format);
}

/* Search */
static void
find_next_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_flame_search_step (cs_flame_view_get_search (user_data), FALSE);
}

static void
find_previous_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_flame_search_step (cs_flame_view_get_search (user_data), TRUE);
}

/* Options */
static gboolean
find_value (const char *const *values, GVariant *value, guint *index)
{
  for (guint i = 0; values[i] != NULL; i++)
    if (g_str_equal (values[i], g_variant_get_string (value, NULL)))
      {
        *index = i;
        return TRUE;
      }
  return FALSE;
}

static void
change_kind (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  CsFlameChoice choice = *cs_flame_view_get_choice (user_data);
  guint index;

  if (!find_value (cs_flame_kinds, value, &index))
    return;
  choice.kind = index;
  cs_flame_view_set_choice (user_data, &choice);
}

static void
change_order (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  CsFlameChoice choice = *cs_flame_view_get_choice (user_data);
  guint index;

  if (!find_value (cs_flame_orders, value, &index))
    return;
  choice.order = index;
  cs_flame_view_set_choice (user_data, &choice);
}

static void
change_collapse (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  CsFlameChoice choice = *cs_flame_view_get_choice (user_data);

  choice.collapse = g_variant_get_boolean (value);
  cs_flame_view_set_choice (user_data, &choice);
}

static void
change_shape (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  guint index;

  if (find_value (cs_flame_shapes, value, &index))
    cs_flame_view_set_flame (user_data, index == 1);
}

static void
change_threads (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  CsFlameChoice choice = *cs_flame_view_get_choice (user_data);
  guint index;

  if (!find_value (cs_flame_threads, value, &index))
    return;
  choice.by_thread = index == 1;
  cs_flame_view_set_choice (user_data, &choice);
}

/* Empty: all threads. */
static void
change_thread (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  CsSession *session = cs_flame_view_get_session (user_data);
  CsProfileFilter filter = *cs_session_get_filter (session);
  const char *tid = g_variant_get_string (value, NULL);

  filter.thread = *tid != '\0' ? (char *) tid : NULL;
  cs_session_set_filter (session, &filter);
}

static void
filter_thread_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  CsFlameView *self = user_data;
  CsFlamePicture *picture = cs_flame_view_get_picture (self);
  guint32 node = cs_flame_view_get_node (self);
  guint n, thread = picture != NULL && node != CS_FLAME_NONE ? cs_flame_picture_get_thread (picture, node) : CS_FLAME_NO_THREAD;
  CsProfileFilter filter = *cs_session_get_filter (cs_flame_view_get_session (self));
  g_autofree char *tid = NULL;

  if (thread == CS_FLAME_NO_THREAD)
    return;
  tid = g_strdup_printf ("%u", cs_profile_get_threads (cs_flame_picture_get_profile (picture), &n)[thread].tid);
  filter.thread = tid;
  cs_session_set_filter (cs_flame_view_get_session (self), &filter);
}

static void
clear_filters_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const CsProfileFilter none = { 0 };

  cs_session_set_filter (cs_flame_view_get_session (user_data), &none);
}

static void
change_color (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  const char *by = g_variant_get_string (value, NULL);

  if (g_str_equal (by, "function") || g_str_equal (by, "module"))
    g_settings_set_string (cs_settings_get (), "color-by", by);
}

static void
change_table (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  cs_flame_view_set_table_shown (user_data, g_variant_get_boolean (value));
}

static void
options_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  cs_flame_view_popup_options (user_data);
}

static const GActionEntry entries[] = {
  { .name = "focus", .activate = focus_action },
  { .name = "up-to", .activate = up_to_action, .parameter_type = "u" },
  { .name = "up", .activate = up_action },
  { .name = "select-function", .activate = select_function_action },
  { .name = "hide-function", .activate = hide_function_action },
  { .name = "hide-module", .activate = hide_module_action },
  { .name = "only-function", .activate = only_function_action },
  { .name = "only-module", .activate = only_module_action },
  { .name = "show-all", .activate = show_all_action },
  { .name = "show-hotspots", .activate = show_hotspots_action },
  { .name = "show-timeline", .activate = show_timeline_action },
  { .name = "filter-function", .activate = filter_function_action },
  { .name = "filter-thread", .activate = filter_thread_action },
  { .name = "clear-filters", .activate = clear_filters_action },
  { .name = "open-editor", .activate = open_editor_action },
  { .name = "exclude", .activate = exclude_action },
  { .name = "undo-exclude", .activate = undo_exclude_action },
  { .name = "copy-name", .activate = copy_name_action },
  { .name = "copy-stack", .activate = copy_stack_action },
  { .name = "export", .activate = export_action },
  { .name = "export-as", .activate = export_as_action, .parameter_type = "s" },
  { .name = "find-next", .activate = find_next_action },
  { .name = "find-previous", .activate = find_previous_action },
  { .name = "options", .activate = options_action },
  { .name = "kind", .parameter_type = "s", .state = "'tree'", .change_state = change_kind },
  { .name = "order", .parameter_type = "s", .state = "'time'", .change_state = change_order },
  { .name = "shape", .parameter_type = "s", .state = "'icicle'", .change_state = change_shape },
  { .name = "color", .parameter_type = "s", .state = "'function'", .change_state = change_color },
  { .name = "threads", .parameter_type = "s", .state = "'merged'", .change_state = change_threads },
  { .name = "thread", .parameter_type = "s", .state = "''", .change_state = change_thread },
  { .name = "collapse", .state = "false", .change_state = change_collapse },
  { .name = "table", .state = "false", .change_state = change_table },
};

/**
 * cs_flame_actions_new:
 * @self: the view
 *
 * Returns: (transfer full): its actions
 */
GSimpleActionGroup *
cs_flame_actions_new (CsFlameView *self)
{
  GSimpleActionGroup *actions = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), self);
  return actions;
}

static void
enable (GSimpleActionGroup *actions, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (actions), name)), enabled);
}

static void
set_string (GSimpleActionGroup *actions, const char *name, const char *value)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (actions), name)),
                             g_variant_new_string (value));
}

static void
set_boolean (GSimpleActionGroup *actions, const char *name, gboolean value)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (actions), name)),
                             g_variant_new_boolean (value));
}

static void
update_states (CsFlameView *self, GSimpleActionGroup *actions)
{
  const CsFlameChoice *choice = cs_flame_view_get_choice (self);
  CsSession *session = cs_flame_view_get_session (self);
  const char *thread = session != NULL ? cs_session_get_filter (session)->thread : NULL;
  g_autofree char *color = g_settings_get_string (cs_settings_get (), "color-by");

  set_string (actions, "kind", cs_flame_kinds[choice->kind]);
  set_string (actions, "order", cs_flame_orders[choice->order]);
  set_string (actions, "shape", cs_flame_shapes[cs_flame_view_get_flame (self)]);
  set_string (actions, "color", color);
  set_string (actions, "threads", cs_flame_threads[choice->by_thread]);
  set_string (actions, "thread", thread != NULL ? thread : "");
  set_boolean (actions, "collapse", choice->collapse);
  set_boolean (actions, "table", cs_flame_view_get_table_shown (self));
}

/**
 * cs_flame_actions_update:
 * @self: the view
 * @actions: its actions
 *
 * Enables what can be done now, and tells how things are.
 */
void
cs_flame_actions_update (CsFlameView *self, GSimpleActionGroup *actions)
{
  static const char *const of_function[] = {
    "select-function", "hide-function", "hide-module", "only-function", "only-module", "show-hotspots", "filter-function",
    "copy-name", "copy-stack",
  };
  const CsFunction *function = get_function (self);
  CsSession *session = cs_flame_view_get_session (self);
  CsFlamePicture *picture = cs_flame_view_get_picture (self);
  g_autofree char *reason = cs_exclude_dup_reason (session != NULL ? cs_session_get_project (session) : NULL);
  guint n_marks = 0, n_found;
  guint32 node = cs_flame_view_get_node (self);
  guint32 focus = picture != NULL ? cs_flame_chart_get_focus (cs_flame_view_get_chart (self)) : 0;

  if (session != NULL)
    cs_session_get_marks (session, &n_marks);
  cs_flame_search_get_found (cs_flame_view_get_search (self), &n_found);
  for (guint i = 0; i < G_N_ELEMENTS (of_function); i++)
    enable (actions, of_function[i], function != NULL);
  enable (actions, "focus", picture != NULL && node != CS_FLAME_NONE);
  enable (actions, "filter-thread", picture != NULL && node != CS_FLAME_NONE
                                      && cs_flame_picture_get_thread (picture, node) != CS_FLAME_NO_THREAD);
  enable (actions, "up", focus != 0);
  enable (actions, "show-all", n_marks > 0);
  enable (actions, "show-timeline", function != NULL && cs_session_get_timeline (session) != NULL
                                      && cs_flame_call_is_known (picture, node));
  enable (actions, "open-editor", function != NULL && function->location.source != NULL);
  enable (actions, "exclude", function != NULL && reason == NULL);
  enable (actions, "undo-exclude", session != NULL && cs_session_get_project (session) != NULL);
  enable (actions, "export", picture != NULL);
  enable (actions, "export-as", picture != NULL);
  enable (actions, "find-next", n_found > 0);
  enable (actions, "find-previous", n_found > 0);
  update_states (self, actions);
}
