/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "calls/cs-calls-view.h"
#include "tables/cs-function-source.h"
#include "tables/cs-menu-lines.h"
#include "tables/cs-table-copy.h"

static CsPlaceTable *
get_table (CsCallsView *self)
{
  return cs_calls_view_get_shows_sites (self) ? cs_site_page_get_table (cs_calls_view_get_sites (self))
                                              : cs_call_log_page_get_table (cs_calls_view_get_log (self));
}

static guint
get_current (CsCallsView *self)
{
  return cs_place_table_get_current (get_table (self));
}

/* The site that is selected. */
static const CsCallSite *
get_site (CsCallsView *self)
{
  return cs_calls_view_get_shows_sites (self) ? cs_site_page_get_site (cs_calls_view_get_sites (self), get_current (self)) : NULL;
}

/* The function that is called. */
static guint
get_callee (CsCallsView *self)
{
  const CsCallSite *site = get_site (self);

  if (cs_calls_view_get_shows_sites (self))
    return site != NULL ? site->callee : G_MAXUINT;
  return cs_call_log_page_get_function (cs_calls_view_get_log (self), get_current (self));
}

static guint
get_caller (CsCallsView *self)
{
  const CsCallSite *site = get_site (self);
  CsCallLogPage *log = cs_calls_view_get_log (self);
  CsCallLogModel *model = cs_call_log_page_get_model (log);
  guint position = get_current (self);
  CsCallLogRow row;

  if (cs_calls_view_get_shows_sites (self))
    return site != NULL ? cs_site_page_find_caller (cs_calls_view_get_sites (self), site) : G_MAXUINT;
  cs_call_log_model_get_row (model, position, &row);
  position = cs_call_log_model_get_parent (model, position);
  if (row.member && position != G_MAXUINT)
    position = cs_call_log_model_get_parent (model, position);
  return position != G_MAXUINT ? cs_call_log_page_get_function (log, position) : G_MAXUINT;
}

static void
show_in_timeline_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_call_log_page_show_in_timeline (cs_calls_view_get_log (self), get_current (self));
}

static void
expand_below_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_call_log_page_expand_below (cs_calls_view_get_log (self));
}

static void
collapse_all_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_call_log_model_collapse_all (cs_call_log_page_get_model (cs_calls_view_get_log (self)));
}

static void
parent_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_call_log_page_select_parent (cs_calls_view_get_log (self));
}

static void
find_next_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_call_log_page_find (cs_calls_view_get_log (self), FALSE);
}

static void
find_previous_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_call_log_page_find (cs_calls_view_get_log (self), TRUE);
}

static void
copy (CsCallsView *self, gboolean csv_as_text)
{
  g_autofree char *csv = cs_place_table_copy (get_table (self), TRUE);
  g_autofree char *text = csv_as_text ? g_strdup (csv) : cs_place_table_copy (get_table (self), FALSE);

  cs_table_copy_set (GTK_WIDGET (self), text, csv);
}

static void
copy_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  copy (self, FALSE);
}

static void
copy_csv_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  copy (self, TRUE);
}

static void
copy_stack_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  g_autofree char *text = cs_call_log_page_dup_stack (cs_calls_view_get_log (self));

  cs_table_copy_set (self, text, NULL);
}

/* Moves the focus of all views to a function, and shows one of these. */
static void
show_function (CsCallsView *self, guint function, const char *view)
{
  if (function == G_MAXUINT)
    return;
  cs_session_set_function (cs_calls_view_get_session (self), function);
  cs_session_show_view (cs_calls_view_get_session (self), view);
}

static void
show_callee_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  show_function (self, get_callee (self), g_variant_get_string (parameter, NULL));
}

static void
show_caller_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  show_function (self, get_caller (self), g_variant_get_string (parameter, NULL));
}

static const CsLocation *
get_location (CsCallsView *self)
{
  const CsCallSite *site = get_site (self);
  CsProfile *profile = cs_session_get_profile (cs_calls_view_get_session (self));
  guint function, n;
  const CsFunction *functions;

  if (cs_calls_view_get_shows_sites (self))
    return site != NULL ? &site->location : NULL;
  function = get_callee (self);
  if (profile == NULL)
    return NULL;
  functions = cs_profile_get_functions (profile, &n);
  return function < n ? &functions[function].location : NULL;
}

static void
open_editor_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_function_source_open (cs_calls_view_get_session (self), get_location (self));
}

static void
show_hotspots_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_session_show_view (cs_calls_view_get_session (self), "hotspots");
}

static void
change_page (GSimpleAction *action, GVariant *state, gpointer self)
{
  cs_calls_view_show_page (self, g_variant_get_string (state, NULL));
}

/**
 * cs_calls_actions_new:
 * @self: the view
 *
 * Returns: (transfer full): its actions
 */
GSimpleActionGroup *
cs_calls_actions_new (CsCallsView *self)
{
  static const GActionEntry entries[] = {
    { .name = "page", .parameter_type = "s", .state = "'log'", .change_state = change_page },
    { .name = "show-in-timeline", .activate = show_in_timeline_action },
    { .name = "expand-below", .activate = expand_below_action },
    { .name = "collapse-all", .activate = collapse_all_action },
    { .name = "parent", .activate = parent_action },
    { .name = "find-next", .activate = find_next_action },
    { .name = "find-previous", .activate = find_previous_action },
    { .name = "copy", .activate = copy_action },
    { .name = "copy-csv", .activate = copy_csv_action },
    { .name = "copy-stack", .activate = copy_stack_action },
    { .name = "show-callee", .parameter_type = "s", .activate = show_callee_action },
    { .name = "show-caller", .parameter_type = "s", .activate = show_caller_action },
    { .name = "open-editor", .activate = open_editor_action },
    { .name = "show-hotspots", .activate = show_hotspots_action },
  };
  GSimpleActionGroup *actions = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), self);
  return actions;
}

static void
enable (GSimpleActionGroup *actions, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (actions), name)), enabled);
}

/**
 * cs_calls_actions_update:
 * @self: the view
 * @actions: its actions
 *
 * Enables what can be done now.
 */
void
cs_calls_actions_update (CsCallsView *self, GSimpleActionGroup *actions)
{
  CsSession *session = cs_calls_view_get_session (self);
  CsProfile *profile = session != NULL ? cs_session_get_profile (session) : NULL;
  CsCallLogModel *model = cs_call_log_page_get_model (cs_calls_view_get_log (self));
  gboolean there = profile != NULL && cs_profile_get_mode (profile) == CS_PROFILE_EVENTS;
  gboolean log = there && !cs_calls_view_get_shows_sites (self);
  guint position = there ? get_current (self) : GTK_INVALID_LIST_POSITION;
  gboolean selected = position != GTK_INVALID_LIST_POSITION;
  const CsLocation *location = selected ? get_location (self) : NULL;
  gboolean searched = session != NULL && *cs_session_get_search (session) != '\0';
  CsCallLogRow row = { 0 };

  if (log)
    cs_call_log_model_get_row (model, position, &row);
  enable (actions, "show-in-timeline", log && selected && cs_call_log_page_is_call (cs_calls_view_get_log (self), position));
  enable (actions, "expand-below", log && selected && row.expandable);
  enable (actions, "collapse-all", log && cs_call_log_model_get_n (model) > 0);
  enable (actions, "parent", log && selected && cs_call_log_model_get_parent (model, position) != G_MAXUINT);
  enable (actions, "find-next", log && searched);
  enable (actions, "find-previous", log && searched);
  enable (actions, "copy", selected);
  enable (actions, "copy-csv", selected);
  enable (actions, "copy-stack", log && selected);
  enable (actions, "show-callee", selected && get_callee (self) != G_MAXUINT);
  enable (actions, "show-caller", selected && get_caller (self) != G_MAXUINT);
  enable (actions, "open-editor", cs_function_source_is_known (location));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (actions), "page")),
                             g_variant_new_string (cs_calls_view_get_shows_sites (self) ? "sites" : "log"));
}

/**
 * cs_calls_make_menu:
 * @sites: whether it is about call sites
 *
 * Returns: (transfer full): the menu of a row
 */
GMenuModel *
cs_calls_make_menu (gboolean sites)
{
enum { LOG = 1, SITES = 2 };
  static const CsMenuLine items[] = {
    { N_("Show in _Timeline"), "calls.show-in-timeline", LOG },
    { N_("Open _Everything in It"), "calls.expand-below", LOG },
    { N_("Go to the Ca_ller"), "calls.parent", LOG },
    { NULL, NULL, LOG },
    { N_("_Function in Flame Graph"), "calls.show-callee::flame-graph", LOG },
    { N_("Function in _Hotspots"), "calls.show-callee::hotspots", LOG },
    { N_("Callee in _Flame Graph"), "calls.show-callee::flame-graph", SITES },
    { N_("Callee in _Hotspots"), "calls.show-callee::hotspots", SITES },
    { N_("Caller in Flame _Graph"), "calls.show-caller::flame-graph" },
    { N_("Caller in Hot_spots"), "calls.show-caller::hotspots" },
    { N_("Open Function in E_ditor"), "calls.open-editor", LOG },
    { N_("Open Call Site in E_ditor"), "calls.open-editor", SITES },
    { NULL, NULL },
    { N_("_Copy Rows"), "calls.copy" },
    { N_("Copy Rows as CS_V"), "calls.copy-csv" },
    { N_("Copy Stac_k"), "calls.copy-stack", LOG },
  };

  return cs_menu_lines_make (items, G_N_ELEMENTS (items), sites ? SITES : LOG);
}
