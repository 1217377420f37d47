/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "profile/cs-call-search.h"
#include "shared/cs-format.h"
#include "tables/cs-function-source.h"
#include "timeline/cs-timeline-private.h"
#include "timeline/cs-timeline-save.h"

#define STEP 1.5

static CsTimelineChart *
get_chart (CsTimelineView *self)
{
  return cs_timeline_view_get_chart (self);
}

static const CsTimelineCall *
get_call (CsTimelineView *self)
{
  return cs_timeline_view_get_names (self) != NULL ? cs_timeline_chart_get_call (get_chart (self)) : NULL;
}

/* The selected call's function, in the profile that all views show. */
static guint
get_function (CsTimelineView *self)
{
  CsProfile *profile = cs_session_get_profile (cs_timeline_view_get_session (self));
  const CsTimelineCall *call = get_call (self);

  if (call == NULL || profile == NULL)
    return G_MAXUINT;
  return cs_call_search_get_function (profile, cs_timeline_chart_get_timeline (get_chart (self)), call);
}

static const CsLocation *
get_location (CsTimelineView *self)
{
  CsTimelineNames *names = cs_timeline_view_get_names (self);
  const CsTimelineCall *call = get_call (self);
  guint function = call != NULL ? cs_timeline_names_get_function (names, call) : G_MAXUINT;

  if (function == G_MAXUINT)
    return NULL;
  return &cs_profile_get_functions (cs_timeline_names_get_profile (names), &(guint){ 0 })[function].location;
}

/* The thread that a menu or else the selected call is about. */
static guint
get_track (CsTimelineView *self)
{
  const CsTimelinePoint *point = cs_timeline_view_get_point (self);
  const CsTimelineCall *call = get_call (self);

  if (point->track != G_MAXUINT)
    return point->track;
  return call != NULL ? call->track : G_MAXUINT;
}

static guint
get_process (CsTimelineView *self)
{
  const CsTimelinePoint *point = cs_timeline_view_get_point (self);
  guint track = get_track (self);

  if (point->process != G_MAXUINT)
    return point->process;
  return track != G_MAXUINT ? cs_timeline_get_track_info (cs_timeline_chart_get_timeline (get_chart (self)), track)->process
                            : G_MAXUINT;
}

/* Where one looks */
static void
zoom_in_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_chart_zoom (get_chart (self), -1, STEP, TRUE);
}

static void
zoom_out_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_chart_zoom (get_chart (self), -1, 1 / STEP, TRUE);
}

static void
fit_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_chart_fit (get_chart (self), TRUE);
}

static void
zoom_call_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  const CsTimelineCall *call = get_call (self);

  if (call != NULL)
    cs_timeline_chart_fit_call (get_chart (self), call, TRUE);
}

static void
zoom_point_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  const CsTimelinePoint *point = cs_timeline_view_get_point (self);
  const CsTimelineCall call = { .track = point->track, .span = point->span };

  if (point->has_span)
    cs_timeline_chart_fit_call (get_chart (self), &call, TRUE);
}

static void
zoom_range_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  gint64 from, to;

  if (cs_timeline_chart_get_range (get_chart (self), &from, &to))
    cs_timeline_chart_set_window (get_chart (self), from, to, TRUE);
}

/* Ranges */
static void
select_range (CsTimelineView *self, gint64 from, gint64 to)
{
  CsSession *session = cs_timeline_view_get_session (self);
  gint64 start = cs_session_get_start (session);

  cs_session_set_range (session, TRUE, from - start, MAX (to, from + 1) - start);
}

static void
select_call_range_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  const CsTimelineCall *call = get_call (self);

  /* Its exit is in the range. */
  if (call != NULL)
    select_range (self, call->span.start, call->span.end + 1);
}

static void
select_window_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  gint64 from, to;

  cs_timeline_chart_get_window (get_chart (self), &from, &to);
  select_range (self, from, to);
}

static void
clear_range_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_session_set_range (cs_timeline_view_get_session (self), FALSE, 0, 0);
}

/* From call to call */
static void
next_call_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_view_go_to_next (self, FALSE, FALSE);
}

static void
previous_call_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_view_go_to_next (self, TRUE, FALSE);
}

static void
next_in_thread_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_view_go_to_next (self, FALSE, TRUE);
}

static void
previous_in_thread_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_view_go_to_next (self, TRUE, TRUE);
}

static void
next_match_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_view_go_to_match (self, FALSE);
}

static void
previous_match_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_view_go_to_match (self, TRUE);
}

static void
clear_call_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_view_clear_call (self);
}

/* Other views */
static void
show_flame_graph_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_view_show_in_flame_graph (self);
}

static void
show_calls_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  const CsTimelineCall *call = get_call (self);

  if (call == NULL)
    return;
  cs_timeline_view_show_call (self, call);
  cs_session_show_view (cs_timeline_view_get_session (self), "calls");
}

static void
show_hotspots_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  CsSession *session = cs_timeline_view_get_session (self);
  guint function = get_function (self);

  if (function == G_MAXUINT)
    return;
  cs_session_set_function (session, function);
  cs_session_show_view (session, "hotspots");
}

static void
open_editor_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_function_source_open (cs_timeline_view_get_session (self), get_location (self));
}

static void
copy_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  const CsTimelineCall *call = get_call (self);
  g_autofree char *text = call != NULL ? cs_timeline_chart_dup_text (get_chart (self), call) : NULL;

  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
copy_name_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  const CsLocation *location = get_location (self);
  g_autofree char *name = location != NULL ? g_utf8_make_valid (location->name, -1) : NULL;

  if (name != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), name);
}

/* Threads */
static void
filter_thread_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  CsSession *session = cs_timeline_view_get_session (self);
  CsProfileFilter filter = *cs_session_get_filter (session);
  guint track = get_track (self);
  g_autofree char *tid = NULL;

  if (track == G_MAXUINT)
    return;
  tid = g_strdup_printf ("%u", cs_timeline_get_track_info (cs_timeline_chart_get_timeline (get_chart (self)), track)->tid);
  filter.thread = tid;
  cs_session_set_filter (session, &filter);
}

static void
filter_process_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  CsSession *session = cs_timeline_view_get_session (self);
  CsProfileFilter filter = *cs_session_get_filter (session);
  guint process = get_process (self);
  GPtrArray *processes;

  if (process == G_MAXUINT)
    return;
  processes = cs_recording_get_processes (cs_timeline_get_recording (cs_timeline_chart_get_timeline (get_chart (self))));
  filter.pid = ((const CsProcess *) g_ptr_array_index (processes, process))->pid;
  cs_session_set_filter (session, &filter);
}

static void
hide_thread_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_tracks_set_hidden (cs_timeline_view_get_tracks (self), get_track (self), TRUE);
}

static void
hide_others_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  if (get_track (self) != G_MAXUINT)
    cs_timeline_tracks_hide_others (cs_timeline_view_get_tracks (self), get_track (self));
}

static void
show_all_threads_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_tracks_show_all (cs_timeline_view_get_tracks (self));
}

static void
change_pin (GSimpleAction *action, GVariant *value, gpointer self)
{
  cs_timeline_tracks_set_pinned (cs_timeline_view_get_tracks (self), get_track (self), g_variant_get_boolean (value));
}

static void
change_collapse (GSimpleAction *action, GVariant *value, gpointer self)
{
  cs_timeline_tracks_set_collapsed (cs_timeline_view_get_tracks (self), get_track (self), g_variant_get_boolean (value));
}

static void
change_full (GSimpleAction *action, GVariant *value, gpointer self)
{
  cs_timeline_tracks_set_full (cs_timeline_view_get_tracks (self), get_track (self), g_variant_get_boolean (value));
}

static void
thread_up_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_tracks_move (cs_timeline_view_get_tracks (self), get_track (self), -1);
}

static void
thread_down_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_tracks_move (cs_timeline_view_get_tracks (self), get_track (self), 1);
}

static void
collapse_all_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_tracks_collapse_all (cs_timeline_view_get_tracks (self), TRUE);
}

static void
expand_all_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_tracks_collapse_all (cs_timeline_view_get_tracks (self), FALSE);
}

/* How it is shown */
static void
change_measure (GSimpleAction *action, GVariant *value, gpointer self)
{
  cs_timeline_chart_set_measuring (get_chart (self), g_variant_get_boolean (value));
}

static void
change_follow (GSimpleAction *action, GVariant *value, gpointer self)
{
  cs_timeline_chart_set_follow (get_chart (self), g_variant_get_boolean (value));
}

static void
change_highlight (GSimpleAction *action, GVariant *value, gpointer self)
{
  cs_timeline_view_set_highlighting (self, g_variant_get_boolean (value));
}

static void
change_table (GSimpleAction *action, GVariant *value, gpointer self)
{
  cs_timeline_view_set_table_shown (self, g_variant_get_boolean (value));
}

static void
export_picture_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_save_ask (self, FALSE);
}

static void
export_image_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_save_ask (self, TRUE);
}

static void
longer_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_view_popup_longer (self);
}

static void
tracks_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  cs_timeline_view_popup_tracks (self);
}

static const GActionEntry entries[] = {
  { .name = "zoom-in", .activate = zoom_in_action },
  { .name = "zoom-out", .activate = zoom_out_action },
  { .name = "fit", .activate = fit_action },
  { .name = "zoom-call", .activate = zoom_call_action },
  { .name = "zoom-point", .activate = zoom_point_action },
  { .name = "zoom-range", .activate = zoom_range_action },
  { .name = "select-call-range", .activate = select_call_range_action },
  { .name = "select-window", .activate = select_window_action },
  { .name = "clear-range", .activate = clear_range_action },
  { .name = "next-call", .activate = next_call_action },
  { .name = "previous-call", .activate = previous_call_action },
  { .name = "next-in-thread", .activate = next_in_thread_action },
  { .name = "previous-in-thread", .activate = previous_in_thread_action },
  { .name = "next-match", .activate = next_match_action },
  { .name = "previous-match", .activate = previous_match_action },
  { .name = "clear-call", .activate = clear_call_action },
  { .name = "show-flame-graph", .activate = show_flame_graph_action },
  { .name = "show-calls", .activate = show_calls_action },
  { .name = "show-hotspots", .activate = show_hotspots_action },
  { .name = "open-editor", .activate = open_editor_action },
  { .name = "copy", .activate = copy_action },
  { .name = "copy-name", .activate = copy_name_action },
  { .name = "filter-thread", .activate = filter_thread_action },
  { .name = "filter-process", .activate = filter_process_action },
  { .name = "hide-thread", .activate = hide_thread_action },
  { .name = "hide-others", .activate = hide_others_action },
  { .name = "show-all-threads", .activate = show_all_threads_action },
  { .name = "pin-thread", .state = "false", .change_state = change_pin },
  { .name = "collapse-thread", .state = "false", .change_state = change_collapse },
  { .name = "full-thread", .state = "false", .change_state = change_full },
  { .name = "thread-up", .activate = thread_up_action },
  { .name = "thread-down", .activate = thread_down_action },
  { .name = "collapse-all", .activate = collapse_all_action },
  { .name = "expand-all", .activate = expand_all_action },
  { .name = "measure", .state = "false", .change_state = change_measure },
  { .name = "follow", .state = "false", .change_state = change_follow },
  { .name = "highlight", .state = "true", .change_state = change_highlight },
  { .name = "table", .state = "false", .change_state = change_table },
  { .name = "export-picture", .activate = export_picture_action },
  { .name = "export-image", .activate = export_image_action },
  { .name = "longer", .activate = longer_action },
  { .name = "tracks", .activate = tracks_action },
};

/**
 * cs_timeline_actions_new:
 * @self: the view
 *
 * Returns: (transfer full): its actions
 */
GSimpleActionGroup *
cs_timeline_actions_new (CsTimelineView *self)
{
  GSimpleActionGroup *actions = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), self);
  return actions;
}

static void
enable (GSimpleActionGroup *actions, gboolean enabled, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (actions), names[i])), enabled);
}

static void
set_state (GSimpleActionGroup *actions, const char *name, gboolean state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (actions), name)),
                             g_variant_new_boolean (state));
}

/* Whether the limit leaves any of a thread's rows out. */
static gboolean
has_more_rows (CsTimelineView *self, guint track)
{
  guint limit = cs_timeline_tracks_get_depth_limit (cs_timeline_view_get_tracks (self));

  return limit > 0 && cs_timeline_get_track_info (cs_timeline_chart_get_timeline (get_chart (self)), track)->n_rows > limit;
}

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/**
 * cs_timeline_actions_update:
 * @self: the view
 * @actions: its actions
 *
 * Enables what can be done now, and tells how things are.
 */
void
cs_timeline_actions_update (CsTimelineView *self, GSimpleActionGroup *actions)
{
  CsTimelineTracks *tracks = cs_timeline_view_get_tracks (self);
  gboolean any = cs_timeline_view_get_names (self) != NULL && !g_str_equal (cs_timeline_view_get_page (self), "nothing");
  const CsTimelineCall *call = any ? get_call (self) : NULL;
  const CsLocation *location = any ? get_location (self) : NULL;
  guint function = any ? get_function (self) : G_MAXUINT;
  guint track = any ? get_track (self) : G_MAXUINT;
  const CsTrackItem *item = track != G_MAXUINT ? cs_timeline_tracks_get_item (tracks, track) : NULL;
  gint64 from, to;
  gboolean has_range = any && cs_timeline_chart_get_range (get_chart (self), &from, &to);

  enable (actions, any, NAMES ("zoom-in", "zoom-out", "fit", "select-window", "show-all-threads", "collapse-all",
                               "expand-all", "measure", "follow", "highlight", "table", "longer", "tracks",
                               "export-picture"));
  enable (actions, any && !cs_timeline_view_get_table_shown (self), NAMES ("export-image"));
  enable (actions, any && cs_timeline_view_get_point (self)->has_span, NAMES ("zoom-point"));
  enable (actions, has_range, NAMES ("zoom-range", "clear-range"));
  enable (actions, call != NULL, NAMES ("zoom-call", "select-call-range", "clear-call", "show-calls", "copy"));
  enable (actions, location != NULL, NAMES ("next-call", "previous-call", "next-in-thread", "previous-in-thread",
                                            "copy-name"));
  enable (actions, function != G_MAXUINT, NAMES ("show-hotspots"));
  enable (actions, call != NULL && function != G_MAXUINT, NAMES ("show-flame-graph"));
  enable (actions, cs_function_source_is_known (location), NAMES ("open-editor"));
  enable (actions, any && cs_timeline_view_has_matches (self), NAMES ("next-match", "previous-match"));
  enable (actions, item != NULL, NAMES ("filter-thread", "hide-thread", "hide-others", "pin-thread", "collapse-thread"));
  enable (actions, item != NULL && has_more_rows (self, track), NAMES ("full-thread"));
  enable (actions, item != NULL && cs_timeline_tracks_can_move (tracks, track, -1), NAMES ("thread-up"));
  enable (actions, item != NULL && cs_timeline_tracks_can_move (tracks, track, 1), NAMES ("thread-down"));
  enable (actions, any && get_process (self) != G_MAXUINT, NAMES ("filter-process"));
  set_state (actions, "pin-thread", item != NULL && cs_track_item_get_pinned ((CsTrackItem *) item));
  set_state (actions, "collapse-thread", item != NULL && cs_timeline_tracks_get_collapsed (tracks, track));
  set_state (actions, "full-thread", item != NULL && cs_timeline_tracks_get_full (tracks, track));
  set_state (actions, "measure", cs_timeline_chart_get_measuring (get_chart (self)));
  set_state (actions, "follow", cs_timeline_chart_get_follow (get_chart (self)));
  set_state (actions, "highlight", cs_timeline_view_get_highlighting (self));
  set_state (actions, "table", cs_timeline_view_get_table_shown (self));
}
