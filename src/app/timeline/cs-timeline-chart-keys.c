/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "charts/cs-chart-key.h"
#include "timeline/cs-timeline-chart-private.h"

#define PAN 0.25    /* of the width that a key pans */
#define NEARER 1.5
#define MAX_STEPS 16 /* keys that wait for what others look for */

/* Which call a key goes to. The first ones are as in CsTimelineRelation. */
typedef enum
{
  WALK_PARENT = CS_TIMELINE_PARENT,
  WALK_CHILD = CS_TIMELINE_FIRST_CHILD,
  WALK_NEXT = CS_TIMELINE_NEXT_SIBLING,
  WALK_PREVIOUS = CS_TIMELINE_PREVIOUS_SIBLING,
  WALK_TRACK_ABOVE,
  WALK_TRACK_BELOW,
} WalkKind;

/* A walk that a worker does. */
typedef struct
{
  CsTimeline *timeline;
  guint generation, walk;
  WalkKind kind;
  CsTimelineCall from;
  gint64 t0, t1;    /* the window */
  guint n_tracks;
  guint *tracks;    /* to other tracks: which, in their order */
  gboolean found;
  CsTimelineCall to;
} Walk;

static void
walk_free (gpointer data)
{
  Walk *walk = data;

  cs_timeline_unref (walk->timeline);
  g_free (walk->tracks);
  g_free (walk);
}

/* The time of a call that is on view, in its middle. */
static gint64
get_middle (const Walk *walk)
{
  gint64 from = MAX (walk->from.span.start, walk->t0), to = MIN (walk->from.span.end, walk->t1);

  if (from >= to)
    return walk->from.span.start;
  return from + (gint64) (((guint64) to - (guint64) from) / 2);
}

/* Of the spans that fill an outermost row, the nearest to a time. */
static gboolean
find_nearest (Walk *walk, guint track, gint64 ns, gint64 t0, gint64 t1)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
  guint64 nearest = G_MAXUINT64;
  const CsTimelineSpan *best = NULL;

  if (!cs_timeline_query (walk->timeline, track, t0, MAX (t1, t0 + 1), 1000, 0, 0, spans, NULL))
    return FALSE;
  for (guint i = 0; i < spans->len; i++)
    {
      const CsTimelineSpan *span = &g_array_index (spans, CsTimelineSpan, i);
      guint64 distance = ns < span->start ? (guint64) span->start - (guint64) ns
                                          : (guint64) ns - (guint64) MIN (span->end, ns);

      if (distance >= nearest)
        continue;
      nearest = distance;
      best = span;
    }
  if (best == NULL)
    return FALSE;
  walk->to.span = *best;
  /* Of a block, the first call of it that lasts. */
  return best->n_events == 0 || cs_timeline_get_call_at (walk->timeline, track, best->start, 0, &walk->to.span, NULL);
}

/* The call of another track at the same time and depth, or of less depth, or the nearest in the window or anywhere. */
static gboolean
find_in_track (Walk *walk, guint track)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
  const CsTimelineTrackInfo *info = cs_timeline_get_track_info (walk->timeline, track);
  gint64 ns = get_middle (walk);
  guint32 depth = walk->from.span.depth;

  walk->to.track = track;
  if (info->first > info->last)
    return FALSE;
  if (cs_timeline_get_call_at (walk->timeline, track, ns, depth, &walk->to.span, NULL))
    return TRUE;
  if (cs_timeline_get_stack (walk->timeline, track, ns, 0, MIN (depth, 200), stack, NULL) && stack->len > 0)
    {
      walk->to.span = g_array_index (stack, CsTimelineSpan, stack->len - 1);
      return TRUE;
    }
  return find_nearest (walk, track, ns, walk->t0, walk->t1) || find_nearest (walk, track, ns, info->first, info->last);
}

static void
run_walk (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Walk *walk = data;

  walk->to.track = walk->from.track;
  if (walk->kind < WALK_TRACK_ABOVE)
    walk->found = cs_timeline_get_relative (walk->timeline, walk->from.track, &walk->from.span,
                                            (CsTimelineRelation) walk->kind, &walk->to.span, NULL);
  for (guint i = 0; i < walk->n_tracks && !walk->found; i++)
    walk->found = find_in_track (walk, walk->tracks[i]);
  g_task_return_boolean (task, walk->found);
}

static void start_walk (CsTimelineChart *self, WalkKind kind);

/* While one measures, the other end goes with the keys. */
static void
measure_to (CsTimelineChart *self, const CsTimelineCall *call)
{
  gint64 a = self->measure_anchor, b = call->span.start;

  if (a == b)
    b = call->span.end;
  cs_timeline_chart_take_measure (self, TRUE, MIN (a, b), MAX (a, b), call->track, call->span.depth);
}

/* Where keys go to a row that the limit leaves out it is shown. */
static void
open_row (CsTimelineChart *self, const CsTimelineCall *call)
{
  const CsTimelineTrackSettings *settings = &g_array_index (self->settings, CsTimelineTrackSettings, call->track);

  if (settings->depth_limit > 0 && call->span.depth >= settings->depth_limit)
    cs_timeline_chart_set_full (self, call->track, TRUE);
}

static void
on_walked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsTimelineChart *self = CS_TIMELINE_CHART (source);
  Walk *walk = g_task_get_task_data (G_TASK (result));
  WalkKind next;

  if (walk->walk != self->walk)
    return;
  self->walking = FALSE;
  if (walk->generation != self->generation || !self->has_call)
    {
      g_queue_clear (&self->steps);
      return;
    }
  if (walk->found)
    {
      open_row (self, &walk->to);
      cs_timeline_chart_reveal (self, &walk->to, TRUE);
      cs_timeline_chart_select (self, &walk->to);
      if (self->measuring && self->has_measure)
        measure_to (self, &walk->to);
      if (gtk_widget_has_focus (GTK_WIDGET (self)))
        cs_timeline_chart_show_readout (self);
    }
  else
    gtk_widget_error_bell (GTK_WIDGET (self));
  if (g_queue_is_empty (&self->steps))
    return;
  next = (WalkKind) GPOINTER_TO_UINT (g_queue_pop_head (&self->steps));
  start_walk (self, next);
}

/* Tracks above or below the selected call's, the nearest first. */
static guint *
list_tracks (CsTimelineChart *self, WalkKind kind, guint *n)
{
  guint n_order, at;
  g_autofree guint *order = cs_timeline_chart_dup_order (self, &n_order);
  guint *tracks = g_new (guint, n_order + 1);

  *n = 0;
  for (at = 0; at < n_order && order[at] != self->call.track; at++)
    ;
  if (kind == WALK_TRACK_ABOVE)
    for (guint i = at; i > 0; i--)
      tracks[(*n)++] = order[i - 1];
  else
    for (guint i = at + 1; i < n_order; i++)
      tracks[(*n)++] = order[i];
  return tracks;
}

static void
start_walk (CsTimelineChart *self, WalkKind kind)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_walked, NULL);
  const CsTimelineWindow *window = cs_timeline_chart_get_target (self);
  Walk *walk = g_new0 (Walk, 1);

  *walk = (Walk){ .timeline = cs_timeline_ref (self->timeline), .generation = self->generation, .walk = self->walk,
                  .kind = kind, .from = self->call, .t0 = window->start, .t1 = cs_timeline_window_get_end (window) };
  if (kind >= WALK_TRACK_ABOVE)
    walk->tracks = list_tracks (self, kind, &walk->n_tracks);
  self->walking = TRUE;
  g_task_set_source_tag (task, start_walk);
  g_task_set_task_data (task, walk, walk_free);
  g_task_run_in_thread (task, run_walk);
}

/**
 * cs_timeline_chart_cancel_walk:
 * @self: a chart
 *
 * What keys look for is no longer wanted.
 */
void
cs_timeline_chart_cancel_walk (CsTimelineChart *self)
{
  self->walk++;
  self->walking = FALSE;
  g_queue_clear (&self->steps);
}

/**
 * cs_timeline_chart_is_walking:
 * @self: a chart
 *
 * Returns: whether a call is being looked for that a key goes to
 */
gboolean
cs_timeline_chart_is_walking (CsTimelineChart *self)
{
  return self->walking;
}

/* The first call on view, from the top and then by time: where keys start. */
static gboolean
find_first_call (CsTimelineChart *self, CsTimelineCall *call)
{
  g_autoptr (GArray) calls = cs_timeline_chart_dup_visible (self);

  for (guint i = 0; i < calls->len; i++)
    {
      *call = g_array_index (calls, CsTimelineCall, i);
      if (call->span.n_events == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
walk (CsTimelineChart *self, WalkKind kind)
{
  CsTimelineCall call;

  if (!self->has_call)
    {
      if (!find_first_call (self, &call))
        return FALSE;
      cs_timeline_chart_reveal (self, &call, TRUE);
      cs_timeline_chart_select (self, &call);
      cs_timeline_chart_show_readout (self);
    }
  else if (!self->walking)
    start_walk (self, kind);
  else if (g_queue_get_length (&self->steps) < MAX_STEPS)
    g_queue_push_tail (&self->steps, GUINT_TO_POINTER (kind));
  return TRUE;
}

/* Where keys zoom: at the pointer, at the selected call, or in the middle. */
static double
find_zoom_x (CsTimelineChart *self)
{
  const CsTimelineWindow *window = cs_timeline_chart_get_target (self);
  double x = self->has_pointer ? cs_timeline_chart_get_axis_x (self, self->pointer_x) : -1;

  if (x >= 0 && x <= window->pixels)
    return x;
  if (self->has_call)
    {
      double x0 = MAX (cs_timeline_window_get_x (window, self->call.span.start), 0);
      double x1 = MIN (cs_timeline_window_get_x (window, self->call.span.end), window->pixels);

      if (x0 <= x1)
        return (x0 + x1) / 2;
    }
  return -1;
}

/* An end of the range: that of the selected call, or the time at the pointer or in the middle. */
static void
set_range_end (CsTimelineChart *self, gboolean end)
{
  double x = find_zoom_x (self);
  gint64 ns = cs_timeline_window_get_time (&self->window, x >= 0 ? x : self->window.pixels / 2);
  gint64 last = MIN (self->last, G_MAXINT64 - 1) + 1;
  gint64 from = self->has_range ? self->range_from : self->first, to = self->has_range ? self->range_to : last;

  if (self->has_call)
    ns = end ? self->call.span.end : self->call.span.start;
  /* A range with a call that took no time has the ns in which it was. */
  if (self->has_call && end && self->call.span.end == self->call.span.start && ns < last)
    ns++;
  if (end)
    to = ns;
  else
    from = ns;
  /* An end beyond the other one begins anew. */
  if (from >= to && end)
    from = self->first;
  else if (from >= to)
    to = last;
  cs_timeline_chart_take_range (self, from < to, from, to);
}

/* Measures from the selected call, or ends measuring. */
static void
toggle_measuring (CsTimelineChart *self)
{
  if (self->measuring)
    {
      cs_timeline_chart_clear_measure (self);
      cs_timeline_chart_set_measuring (self, FALSE);
      return;
    }
  cs_timeline_chart_set_measuring (self, TRUE);
  if (!self->has_call)
    return;
  self->measure_anchor = self->call.span.start;
  measure_to (self, &self->call);
}

static gboolean
escape (CsTimelineChart *self)
{
  cs_timeline_chart_hide_readout (self);
  if (self->drag != CS_TIMELINE_DRAG_NONE)
    {
      /* The gesture tells of its end when it is denied: nothing is held any more then. */
      cs_timeline_chart_cancel_drag (self);
      gtk_gesture_set_state (self->drag_gesture, GTK_EVENT_SEQUENCE_DENIED);
    }
  else if (self->has_measure || self->measuring)
    {
      if (self->has_measure)
        cs_timeline_chart_take_measure (self, FALSE, 0, 0, G_MAXUINT, 0);
      cs_timeline_chart_set_measuring (self, FALSE);
    }
  else if (self->has_call)
    cs_timeline_chart_select (self, NULL);
  else if (self->has_range)
    cs_timeline_chart_take_range (self, FALSE, 0, 0);
  else
    return FALSE;
  return TRUE;
}

static gboolean
fit_selected (CsTimelineChart *self)
{
  if (!self->has_call)
    return FALSE;
  cs_timeline_chart_fit_call (self, &self->call, TRUE);
  cs_timeline_chart_emit_call_activated (self);
  return TRUE;
}

static gboolean
request_menu (CsTimelineChart *self)
{
  graphene_rect_t rect;
  double x = self->width / 2.0, y = self->ruler_height;

  if (self->has_call && cs_timeline_chart_get_call_rect (self, &self->call, &rect))
    {
      CsTimelinePoint point = { .area = CS_TIMELINE_AREA_TRACK, .track = self->call.track, .depth = self->call.span.depth,
                                .ns = self->call.span.start, .has_span = TRUE, .span = self->call.span };

      point.process = cs_timeline_get_track_info (self->timeline, self->call.track)->process;
      cs_timeline_chart_hide_readout (self);
      cs_timeline_chart_emit_menu_requested (self, &point, rect.origin.x + rect.size.width / 2,
                                             rect.origin.y + rect.size.height);
    }
  else
    cs_timeline_chart_request_menu (self, x, y);
  return TRUE;
}

/* Letters do what other keys do. */
static guint
simplify_key (guint keyval)
{
  keyval = gdk_keyval_to_lower (cs_chart_key_simplify (keyval));
  switch (keyval)
    {
    case GDK_KEY_w:
      return GDK_KEY_plus;
    case GDK_KEY_s:
      return GDK_KEY_minus;
    case GDK_KEY_f:
      return GDK_KEY_0;
    default:
      return keyval;
    }
}

/* With Ctrl. */
static gboolean
press_control_key (CsTimelineChart *self, guint keyval)
{
  switch (keyval)
    {
    case GDK_KEY_Up:
      return walk (self, WALK_TRACK_ABOVE);
    case GDK_KEY_Down:
      return walk (self, WALK_TRACK_BELOW);
    default:
      return FALSE;
    }
}

/* Keys that show another time. */
static gboolean
press_window_key (CsTimelineChart *self, guint keyval)
{
  double pan = self->window.pixels * PAN;
  gboolean rtl = self->rtl;

  switch (keyval)
    {
    case GDK_KEY_plus:
    case GDK_KEY_minus:
      cs_timeline_chart_zoom (self, find_zoom_x (self), keyval == GDK_KEY_plus ? NEARER : 1 / NEARER, TRUE);
      break;
    case GDK_KEY_a:
    case GDK_KEY_d:
      cs_timeline_chart_pan (self, (keyval == GDK_KEY_d) != rtl ? pan : -pan, 0, TRUE);
      break;
    case GDK_KEY_Home:
    case GDK_KEY_End:
      {
        const CsTimelineWindow *window = cs_timeline_chart_get_target (self);
        gint64 ns = keyval == GDK_KEY_Home ? self->first : self->last;

        cs_timeline_chart_pan (self, cs_timeline_window_get_x (window, ns) - (keyval == GDK_KEY_Home ? 0 : window->pixels),
                               0, TRUE);
        break;
      }
    case GDK_KEY_0:
      cs_timeline_chart_fit (self, TRUE);
      break;
    default:
      return FALSE;
    }
  cs_timeline_chart_hide_readout (self);
  return TRUE;
}

/**
 * cs_timeline_chart_press_key:
 * @self: a chart
 * @keyval: a key
 * @state: modifiers
 *
 * Does what pressing a key does. Arrows go from call to call: up to the caller, down to the first one that it called, left and
 * right to those beside it; with Ctrl, and Page Up and Page Down, to the threads above and below. W and S or + and − zoom, A
 * and D pan, Home and End show the first and the last time, F and 0 all of it. Return fits the selected call. [ and ] put an
 * end of the range at the selected call's, M measures from where it begins, Menu and Shift+F10 ask for its menu. Esc ends
 * what is going on: a drag, measuring, the selected call, the range.
 *
 * Returns: whether the key did something
 */
gboolean
cs_timeline_chart_press_key (CsTimelineChart *self, guint keyval, GdkModifierType state)
{
  gboolean rtl, shift = (state & GDK_SHIFT_MASK) != 0;

  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), FALSE);

  if ((state & (GDK_ALT_MASK | GDK_SUPER_MASK)) != 0 || self->timeline == NULL || !self->has_window)
    return FALSE;
  cs_timeline_chart_update_geometry (self);
  rtl = self->rtl;
  if (keyval == GDK_KEY_Menu || (keyval == GDK_KEY_F10 && shift))
    return request_menu (self);
  keyval = simplify_key (keyval);
  if ((state & GDK_CONTROL_MASK) != 0)
    return press_control_key (self, keyval);
  switch (keyval)
    {
    case GDK_KEY_Escape:
      return escape (self);
    case GDK_KEY_Up:
      return walk (self, WALK_PARENT);
    case GDK_KEY_Down:
      return walk (self, WALK_CHILD);
    case GDK_KEY_Left:
      return walk (self, rtl ? WALK_NEXT : WALK_PREVIOUS);
    case GDK_KEY_Right:
      return walk (self, rtl ? WALK_PREVIOUS : WALK_NEXT);
    case GDK_KEY_Page_Up:
      return walk (self, WALK_TRACK_ABOVE);
    case GDK_KEY_Page_Down:
      return walk (self, WALK_TRACK_BELOW);
    case GDK_KEY_Return:
      return fit_selected (self);
    case GDK_KEY_bracketleft:
    case GDK_KEY_bracketright:
      set_range_end (self, keyval == GDK_KEY_bracketright);
      return TRUE;
    case GDK_KEY_m:
      toggle_measuring (self);
      return TRUE;
    default:
      return press_window_key (self, keyval);
    }
}
