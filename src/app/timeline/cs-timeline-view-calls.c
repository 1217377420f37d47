/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "profile/cs-call-place.h"
#include "profile/cs-call-search.h"
#include "shared/cs-format.h"
#include "timeline/cs-timeline-listing.h"
#include "timeline/cs-timeline-view-private.h"

/* Calls shorter than this many pixels are zoomed to when one is sent to them; then they fill this part of the width. */
#define LEAST_PIXELS 20
#define CONTEXT 12

/* Rows of the table. */
#define MOST_LISTED 5000

/* A flame graph's path is no longer than this. */
#define MOST_CALLERS 100000

/* The strip with details. */
void
cs_timeline_view_show_details (CsTimelineView *self)
{
  const CsTimelineCall *call = self->names != NULL ? cs_timeline_chart_get_call (self->chart) : NULL;
  guint function = call != NULL ? cs_timeline_names_get_function (self->names, call) : G_MAXUINT;
  g_autofree char *name = call != NULL ? cs_timeline_names_dup_function (self->names, call) : NULL;

  if (call != NULL)
    cs_timeline_details_set_call (self->details, self->names, call);
  gtk_revealer_set_reveal_child (self->details_revealer, call != NULL);
  if (call == NULL && gtk_widget_get_focus_child (GTK_WIDGET (self->details)) != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (self));
  cs_timeline_longer_set_function (self->longer, function, name);
  cs_timeline_view_update_actions (self);
}

/* The strip takes room from the chart. */
void
cs_timeline_view_make_room (CsTimelineView *self)
{
  const CsTimelineCall *call = self->names != NULL ? cs_timeline_chart_get_call (self->chart) : NULL;

  if (call != NULL && gtk_revealer_get_child_revealed (self->details_revealer))
    cs_timeline_chart_scroll_to (self->chart, call->track, call->span.depth);
}

static void
tell_call (CsTimelineView *self)
{
  const CsTimelineCall *call = cs_timeline_chart_get_call (self->chart);
  const CsTimelineTrackInfo *info;
  CsSessionCall told;

  self->syncing = TRUE;
  if (call == NULL)
    cs_session_set_call (self->session, NULL);
  else
    {
      info = cs_timeline_get_track_info (cs_timeline_view_get_timeline (self), call->track);
      told = (CsSessionCall){ .process = info->process, .tid = info->tid, .seq = info->seq, .start = call->span.start,
                              .end = call->span.end, .address = call->span.address, .position = call->span.position,
                              .depth = call->span.depth };
      cs_session_set_call (self->session, &told);
    }
  self->syncing = FALSE;
}

/* What isn't about a menu's place is about the selected call. */
void
cs_timeline_view_forget_point (CsTimelineView *self)
{
  self->point = (CsTimelinePoint){ .process = G_MAXUINT, .track = G_MAXUINT };
  cs_timeline_view_update_actions (self);
}

void
cs_timeline_view_follow_chart_call (CsTimelineView *self)
{
  cs_timeline_view_forget_point (self);
  if (!self->syncing)
    {
      cs_timeline_view_cancel (&self->finding);
      cs_timeline_view_show_busy (self);
      tell_call (self);
    }
  cs_timeline_view_show_details (self);
}

/* So near that the call can be seen. */
static void
zoom_to (CsTimelineView *self, const CsTimelineCall *call)
{
  guint64 length = cs_profile_span (call->span.start, call->span.end);
  double width = MAX (gtk_widget_get_width (GTK_WIDGET (self->chart)), 400);
  gint64 from, to, margin;

  cs_timeline_chart_get_window (self->chart, &from, &to);
  if ((double) length > (double) cs_profile_span (from, to))
    cs_timeline_chart_fit_call (self->chart, call, TRUE);
  else if ((double) length * width < LEAST_PIXELS * (double) cs_profile_span (from, to))
    {
      margin = (gint64) MAX (length, 1) * CONTEXT / 2;
      cs_timeline_chart_set_window (self->chart, call->span.start - margin, call->span.end + margin, TRUE);
    }
}

/* Makes sure that the call's row is there. */
static gboolean
show_row (CsTimelineView *self, const CsTimelineCall *call)
{
  CsTrackItem *item = cs_timeline_tracks_get_item (self->tracks, call->track);
  guint limit = cs_timeline_tracks_get_depth_limit (self->tracks);

  if (item == NULL)
    return FALSE;
  cs_timeline_tracks_set_hidden (self->tracks, call->track, FALSE);
  if (call->span.depth > 0)
    cs_timeline_tracks_set_collapsed (self->tracks, call->track, FALSE);
  if (limit > 0 && call->span.depth >= limit)
    cs_timeline_tracks_set_full (self->tracks, call->track, TRUE);
  if (cs_track_item_get_left_out (item))
    cs_session_tell (self->session, _("A filter leaves the call’s thread out — remove it to see the call"));
  return TRUE;
}

static void
select_call (CsTimelineView *self, const CsTimelineCall *call, gboolean zoom)
{
  const CsTimelineCall copy = *call;

  if (!show_row (self, &copy))
    return;
  cs_timeline_view_set_table_shown (self, FALSE);
  self->syncing = TRUE;
  if (zoom)
    zoom_to (self, &copy);
  cs_timeline_chart_set_call (self->chart, &copy, TRUE);
  self->syncing = FALSE;
  cs_timeline_view_show_details (self);
}

/**
 * cs_timeline_view_show_call:
 * @self: a view
 * @call: a call of the timeline
 *
 * Selects the call, near enough to see it, here and in all views.
 */
void
cs_timeline_view_show_call (CsTimelineView *self, const CsTimelineCall *call)
{
  /* What is still looked for isn't wanted any more. */
  cs_timeline_view_cancel (&self->finding);
  cs_timeline_view_show_busy (self);
  select_call (self, call, TRUE);
  tell_call (self);
}

/* Hotspots knows of a slow call less than views that have to find it. */
static gboolean
is_complete (const CsSessionCall *known, const CsTimelineSpan *span)
{
  return known->address == span->address && known->position == span->position && known->depth == span->depth;
}

static void
on_located (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsTimelineView) self = user_data;
  g_autoptr (GError) error = NULL;
  CsTimelineCall call;
  gboolean found = cs_call_locate_finish (result, &call, &error);

  if (!cs_timeline_view_is_current (self->finding, result))
    return;
  g_clear_object (&self->finding);
  cs_timeline_view_show_busy (self);
  if (found)
    {
      const CsSessionCall *wanted;

      select_call (self, &call, TRUE);
      /* Still the one that was looked for: another one would have cancelled this. */
      wanted = cs_session_get_call (self->session);
      if (wanted != NULL && !is_complete (wanted, &call.span))
        tell_call (self);
    }
  else
    cs_session_tell (self->session, error != NULL ? error->message : _("The call isn’t in what has been read"));
}

/* Another view sends one to a call. */
void
cs_timeline_view_follow_session_call (CsTimelineView *self)
{
  const CsSessionCall *call = cs_session_get_call (self->session);
  CsCallPlace place;

  if (self->syncing)
    return;
  cs_timeline_view_cancel (&self->finding);
  if (call == NULL || self->names == NULL)
    {
      self->syncing = TRUE;
      cs_timeline_chart_set_call (self->chart, NULL, FALSE);
      self->syncing = FALSE;
      cs_timeline_view_show_details (self);
      return;
    }
  place = (CsCallPlace){ call->process, call->tid, call->seq, call->start, call->end, call->address, call->position,
                         call->depth };
  self->finding = g_cancellable_new ();
  cs_timeline_view_show_busy (self);
  cs_call_locate_async (cs_timeline_view_get_timeline (self), &place, self->finding, on_located, g_object_ref (self));
}

/* From call to call */
static void
on_next_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsTimelineView) self = user_data;
  g_autoptr (GError) error = NULL;
  CsTimelineCall call;
  gboolean found = cs_timeline_focus_next_finish (result, &call, &error);

  if (!cs_timeline_view_is_current (self->finding, result))
    return;
  g_clear_object (&self->finding);
  cs_timeline_view_show_busy (self);
  if (found)
    {
      select_call (self, &call, self->nearing);
      tell_call (self);
    }
  else
    cs_session_tell (self->session, error != NULL       ? error->message
                                    : self->backwards   ? _("No earlier call on the threads that are shown")
                                                        : _("No later call on the threads that are shown"));
}

static void
go_on (CsTimelineView *self, CsTimelineFocus *focus, gboolean backwards, guint track, gboolean zoom)
{
  guint n = cs_timeline_get_n_tracks (cs_timeline_view_get_timeline (self));
  g_autofree gboolean *tracks = g_new0 (gboolean, n + 1);
  const CsTimelineCall *call = cs_timeline_chart_get_call (self->chart);
  CsTimelineCall from = { 0 };
  gint64 start, end;

  for (guint i = 0; i < n; i++)
    tracks[i] = track == G_MAXUINT ? cs_timeline_tracks_get_shown (self->tracks, i) : i == track;
  cs_timeline_chart_get_window (self->chart, &start, &end);
  from.span.start = backwards ? end : start - 1;
  if (call != NULL)
    from = *call;
  cs_timeline_view_cancel (&self->finding);
  self->finding = g_cancellable_new ();
  self->backwards = backwards;
  self->nearing = zoom;
  cs_timeline_view_show_busy (self);
  cs_timeline_focus_next_async (focus, &from, backwards, tracks, self->finding, on_next_found, g_object_ref (self));
}

/**
 * cs_timeline_view_go_to_next:
 * @self: a view in which a call is selected
 * @backwards: whether to go to an earlier one
 * @same_thread: whether to stay in its thread
 *
 * Goes to the next call of the same function.
 */
void
cs_timeline_view_go_to_next (CsTimelineView *self, gboolean backwards, gboolean same_thread)
{
  const CsTimelineCall *call = self->names != NULL ? cs_timeline_chart_get_call (self->chart) : NULL;
  guint function = call != NULL ? cs_timeline_names_get_function (self->names, call) : G_MAXUINT;
  g_autoptr (CsTimelineFocus) focus = NULL;

  if (function == G_MAXUINT)
    return;
  focus = cs_timeline_focus_new_function (self->names, function);
  go_on (self, focus, backwards, same_thread ? call->track : G_MAXUINT, FALSE);
}

/**
 * cs_timeline_view_go_to_match:
 * @self: a view
 * @backwards: whether to go to an earlier one
 *
 * Goes to the next call of a function that is searched or in focus, near enough to see it.
 */
void
cs_timeline_view_go_to_match (CsTimelineView *self, gboolean backwards)
{
  CsTimelineFocus *focus = self->search != NULL ? self->search : self->highlight;

  if (focus != NULL && self->names != NULL)
    go_on (self, focus, backwards, G_MAXUINT, TRUE);
}

/**
 * cs_timeline_view_has_matches:
 * @self: a view
 *
 * Returns: whether there is something to go to
 */
gboolean
cs_timeline_view_has_matches (CsTimelineView *self)
{
  return self->names != NULL && (self->search != NULL || self->highlight != NULL);
}

/* In the flame graph */
static void
on_callers (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsTimelineView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) callers = cs_call_get_callers_finish (result, &error);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint));
  CsProfile *profile = cs_session_get_profile (self->session);
  CsTimelineCall call;
  guint function;

  if (!cs_timeline_view_is_current (self->finding, result))
    return;
  g_clear_object (&self->finding);
  cs_timeline_view_show_busy (self);
  if (callers == NULL)
    {
      cs_session_tell (self->session, error->message);
      return;
    }
  /* Still the call that was asked about: another one would have cancelled this. */
  if (cs_timeline_chart_get_call (self->chart) == NULL)
    return;
  call = *cs_timeline_chart_get_call (self->chart);
  g_array_insert_val (callers, 0, call.span);
  for (guint i = callers->len; i-- > 0 && profile != NULL;)
    {
      call.span = g_array_index (callers, CsTimelineSpan, i);
      function = cs_call_search_get_function (profile, cs_timeline_view_get_timeline (self), &call);
      /* Outer calls may be outside of what the filter lets through. */
      if (function != G_MAXUINT)
        g_array_append_val (path, function);
      else if (i == 0)
        g_array_set_size (path, 0);
    }
  if (path->len == 0)
    {
      cs_session_tell (self->session, _("A filter leaves the call’s function out — remove it to see it in the flame graph"));
      return;
    }
  cs_session_set_path (self->session, (const guint *) (gconstpointer) path->data, path->len);
  cs_session_show_view (self->session, "flame-graph");
}

/**
 * cs_timeline_view_show_in_flame_graph:
 * @self: a view
 *
 * Shows the selected call's function in the flame graph, called as it was.
 */
void
cs_timeline_view_show_in_flame_graph (CsTimelineView *self)
{
  const CsTimelineCall *call = self->names != NULL ? cs_timeline_chart_get_call (self->chart) : NULL;

  if (call == NULL)
    return;
  cs_timeline_view_cancel (&self->finding);
  self->finding = g_cancellable_new ();
  cs_timeline_view_show_busy (self);
  cs_call_get_callers_async (cs_timeline_view_get_timeline (self), call, MOST_CALLERS, self->finding, on_callers,
                             g_object_ref (self));
}

/* The table */
static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsTimelineView) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean more;
  g_autoptr (GArray) calls = cs_timeline_list_finish (result, &more, &error);

  if (!cs_timeline_view_is_current (self->listing, result))
    return;
  g_clear_object (&self->listing);
  cs_timeline_view_show_busy (self);
  if (calls == NULL)
    {
      cs_session_tell (self->session, error->message);
      return;
    }
  self->listed_more = more;
  cs_timeline_table_set_calls (self->table, self->names, calls);
  cs_timeline_view_show_status (self);
}

/* The longest calls in sight, of threads that are shown. */
void
cs_timeline_view_fill_table (CsTimelineView *self)
{
  g_autoptr (GArray) tracks = NULL;
  gint64 from, to;

  cs_timeline_view_cancel (&self->listing);
  if (cs_timeline_view_get_profile (self) == NULL || !cs_timeline_view_get_table_shown (self))
    return;
  tracks = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < cs_timeline_get_n_tracks (cs_timeline_view_get_timeline (self)); i++)
    if (cs_timeline_tracks_get_shown (self->tracks, i))
      g_array_append_val (tracks, i);
  cs_timeline_chart_get_window (self->chart, &from, &to);
  self->listing = g_cancellable_new ();
  cs_timeline_view_show_busy (self);
  cs_timeline_list_async (cs_timeline_view_get_profile (self), cs_timeline_view_get_timeline (self), tracks, from, to,
                          MOST_LISTED, self->listing, on_listed, g_object_ref (self));
}

void
cs_timeline_view_leave_table (CsTimelineView *self, const CsTimelineCall *call)
{
  cs_timeline_view_show_call (self, call);
  gtk_widget_grab_focus (GTK_WIDGET (self->chart));
}

void
cs_timeline_view_leave_longer (CsTimelineView *self, const CsTimelineCall *call)
{
  const CsTimelineCall copy = *call;

  gtk_popover_popdown (self->longer_popover);
  cs_timeline_view_leave_table (self, &copy);
}

/**
 * cs_timeline_view_clear_call:
 * @self: a view
 *
 * No call is in focus any more.
 */
void
cs_timeline_view_clear_call (CsTimelineView *self)
{
  cs_session_set_call (self->session, NULL);
}

/**
 * cs_timeline_view_set_table_shown:
 * @self: a view
 * @shown: whether the calls in sight are listed in a table instead of the chart
 */
void
cs_timeline_view_set_table_shown (CsTimelineView *self, gboolean shown)
{
  gboolean focused = gtk_widget_get_focus_child (GTK_WIDGET (self->stack)) != NULL;

  if (self->names == NULL || shown == cs_timeline_view_get_table_shown (self))
    return;
  gtk_stack_set_visible_child_name (self->stack, shown ? "table" : "chart");
  if (focused)
    gtk_widget_grab_focus (GTK_WIDGET (self));
  cs_timeline_view_fill_table (self);
  cs_timeline_view_show_status (self);
  cs_timeline_view_update_actions (self);
}
