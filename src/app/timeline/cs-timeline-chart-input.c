/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "timeline/cs-timeline-chart-private.h"

#define CLICK 4   /* pixels that a press moves before it is a drag */
#define REACH 8   /* pixels from an end of the range at which it is taken */
#define SNAP 8    /* pixels from an edge to which a measured end jumps */
#define NOTCH 1.3 /* how much nearer a step of the wheel goes */
#define PAN 0.1   /* of the width that a step pans */

/* ns since the first event: a range's ends count from there while it is dragged. */
static guint64
to_offset (CsTimelineChart *self, gint64 ns)
{
  return ns > self->first ? (guint64) ns - (guint64) self->first : 0;
}

static gint64
from_offset (CsTimelineChart *self, guint64 offset)
{
  return (gint64) ((guint64) self->first + offset);
}

/* The end of what a range may have: the last event is in it. */
static guint64
get_end (CsTimelineChart *self)
{
  return to_offset (self, self->last) + 1;
}

static guint64
get_offset_at (CsTimelineChart *self, double x)
{
  x = CLAMP (cs_timeline_chart_get_axis_x (self, x), 0, self->window.pixels);
  return MIN (to_offset (self, cs_timeline_window_get_time (&self->window, x)), get_end (self));
}

/* The edge of a call nearest to a place, in the row there, or the time there. */
static gint64
snap (CsTimelineChart *self, double x, double y)
{
  double at = CLAMP (cs_timeline_chart_get_axis_x (self, x), 0, self->window.pixels);
  CsTimelinePoint point;
  const CsTimelineSpan *spans = NULL;
  gsize n = 0;
  gint64 time;

  cs_timeline_chart_hit (self, x, y, &point);
  if (point.track != G_MAXUINT && point.depth != G_MAXUINT32)
    spans = cs_timeline_chart_get_row (self, point.track, point.depth, &n);
  cs_timeline_window_snap (&self->window, spans, n, at, SNAP, &time);
  return time;
}

static void
begin_range (CsTimelineChart *self, double x)
{
  double at = cs_timeline_chart_get_axis_x (self, x);
  guint64 from = to_offset (self, self->range_from), to = to_offset (self, self->range_to);
  guint64 offset = get_offset_at (self, x);
  CsRangeDragKind kind = CS_RANGE_DRAG_NEW;

  if (self->has_range)
    kind = cs_range_drag_find (cs_timeline_window_get_x (&self->window, self->range_from),
                               cs_timeline_window_get_x (&self->window, self->range_to), at, REACH);
  else
    from = to = offset;
  cs_range_drag_begin (&self->range_drag, kind, from, to, offset, offset);
}

/**
 * cs_timeline_chart_press:
 * @self: a chart
 * @x: a place in the widget
 * @y: a place in the widget
 * @state: modifiers
 *
 * Does what pressing the first button there does: on the ruler takes the range or an end of it or begins a new one, over
 * tracks holds what is there, or begins to measure.
 */
void
cs_timeline_chart_press (CsTimelineChart *self, double x, double y, GdkModifierType state)
{
  CsTimelinePoint point;

  cs_timeline_chart_cancel_drag (self);
  cs_timeline_chart_hide_readout (self);
  if (self->timeline == NULL || !self->has_window)
    return;
  cs_timeline_chart_stop_animation (self);
  /* The scrollbar's. */
  if (cs_timeline_chart_get_axis_x (self, x) > self->window.pixels)
    return;
  cs_timeline_chart_hit (self, x, y, &point);
  self->press_x = self->last_x = x;
  self->press_y = self->last_y = y;
  self->moved = FALSE;
  self->drag = CS_TIMELINE_DRAG_NOTHING;
  if (point.area == CS_TIMELINE_AREA_RULER)
    {
      self->drag = CS_TIMELINE_DRAG_RANGE;
      begin_range (self, x);
    }
  else if (cs_timeline_chart_get_axis_x (self, x) >= 0 && y >= self->ruler_height)
    self->drag = self->measuring || (state & GDK_CONTROL_MASK) != 0 ? CS_TIMELINE_DRAG_MEASURE : CS_TIMELINE_DRAG_PAN;
}

static void
drag_measure (CsTimelineChart *self, double x, double y)
{
  gint64 a = snap (self, self->press_x, self->press_y), b = snap (self, x, y);
  CsTimelinePoint point;

  cs_timeline_chart_hit (self, self->press_x, self->press_y, &point);
  cs_timeline_chart_take_measure (self, TRUE, MIN (a, b), MAX (a, b), point.track,
                                  point.depth != G_MAXUINT32 ? point.depth : 0);
}

/**
 * cs_timeline_chart_drag_to:
 * @self: a chart
 * @x: a place in the widget, or beside it
 * @y: a place in the widget, or beside it
 *
 * Does what moving the pointer there does while the button is down.
 */
void
cs_timeline_chart_drag_to (CsTimelineChart *self, double x, double y)
{
  double dx = x - self->last_x;

  if (self->drag == CS_TIMELINE_DRAG_NONE ||
      (!self->moved && fabs (x - self->press_x) < CLICK && fabs (y - self->press_y) < CLICK))
    return;
  self->moved = TRUE;
  switch (self->drag)
    {
    case CS_TIMELINE_DRAG_PAN:
      cs_timeline_chart_pan (self, self->rtl ? dx : -dx, self->last_y - y, FALSE);
      break;
    case CS_TIMELINE_DRAG_RANGE:
      {
        guint64 offset = get_offset_at (self, x);

        cs_range_drag_update (&self->range_drag, offset, offset, 0, get_end (self));
        gtk_widget_queue_draw (GTK_WIDGET (self));
        break;
      }
    case CS_TIMELINE_DRAG_MEASURE:
      drag_measure (self, x, y);
      break;
    case CS_TIMELINE_DRAG_NONE:
    case CS_TIMELINE_DRAG_NOTHING:
    default:
      break;
    }
  self->last_x = x;
  self->last_y = y;
}

/* What a click does to a header: its triangle collapses. */
static void
click_header (CsTimelineChart *self, const CsTimelinePoint *point)
{
  if (point->area == CS_TIMELINE_AREA_PROCESS)
    cs_timeline_chart_set_process_collapsed (self, point->process, !self->collapsed[point->process]);
  else
    {
      CsTimelineTrackSettings settings = g_array_index (self->settings, CsTimelineTrackSettings, point->track);

      if (!cs_timeline_chart_can_collapse (self, point->track))
        return;
      settings.collapsed = !settings.collapsed;
      cs_timeline_chart_set_track (self, point->track, &settings);
    }
  cs_timeline_chart_emit_tracks_changed (self);
}

static void
click (CsTimelineChart *self, double x, double y)
{
  CsTimelinePoint point;

  /* What keys were looking for would take the place of what is selected now. */
  cs_timeline_chart_cancel_walk (self);
  cs_timeline_chart_hit (self, x, y, &point);
  if (point.area == CS_TIMELINE_AREA_PROCESS ||
      (point.area == CS_TIMELINE_AREA_HEADER && cs_timeline_chart_is_on_triangle (self, x)))
    click_header (self, &point);
  else if (point.area == CS_TIMELINE_AREA_HEADER && cs_timeline_chart_is_on_more (self, y))
    cs_timeline_chart_set_full (self, point.track, !g_array_index (self->settings, CsTimelineTrackSettings, point.track).full);
  else if (point.has_span && point.span.n_events == 0)
    {
      const CsTimelineCall call = { point.track, point.span };

      cs_timeline_chart_select (self, &call);
    }
  else if (!point.has_span && point.area == CS_TIMELINE_AREA_TRACK)
    cs_timeline_chart_select (self, NULL);
}

/* A double click fits what is there: a call or a block, the range on the ruler, or else everything. */
static void
double_click (CsTimelineChart *self, double x, double y)
{
  CsTimelinePoint point;

  cs_timeline_chart_hit (self, x, y, &point);
  if (point.has_span)
    {
      const CsTimelineCall call = { point.track, point.span };

      cs_timeline_chart_fit_call (self, &call, TRUE);
      if (point.span.n_events == 0)
        cs_timeline_chart_emit_call_activated (self);
    }
  else if (point.area == CS_TIMELINE_AREA_RULER && self->has_range && point.ns >= self->range_from &&
           point.ns < self->range_to)
    cs_timeline_chart_fit_time (self, self->range_from, self->range_to, TRUE);
  else if (point.area != CS_TIMELINE_AREA_PROCESS && point.area != CS_TIMELINE_AREA_HEADER)
    cs_timeline_chart_fit (self, TRUE);
}

/**
 * cs_timeline_chart_release:
 * @self: a chart
 * @x: a place in the widget, or beside it
 * @y: a place in the widget, or beside it
 * @n_press: 2 for the second click of a double click
 *
 * Does what releasing the button there does.
 */
void
cs_timeline_chart_release (CsTimelineChart *self, double x, double y, guint n_press)
{
  CsTimelineDragKind drag = self->drag;

  if (drag == CS_TIMELINE_DRAG_NONE)
    return;
  cs_timeline_chart_drag_to (self, x, y);
  self->drag = CS_TIMELINE_DRAG_NONE;
  if (self->moved && drag == CS_TIMELINE_DRAG_RANGE)
    cs_timeline_chart_take_range (self, self->range_drag.from < self->range_drag.to,
                                  from_offset (self, self->range_drag.from), from_offset (self, self->range_drag.to));
  else if (!self->moved && n_press == 2)
    double_click (self, x, y);
  else if (!self->moved && drag == CS_TIMELINE_DRAG_RANGE && self->range_drag.kind == CS_RANGE_DRAG_NEW)
    cs_timeline_chart_take_range (self, FALSE, 0, 0);
  else if (!self->moved && n_press < 2)
    click (self, x, y);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cs_timeline_chart_cancel_drag:
 * @self: a chart
 *
 * Ends a drag: the range is what it was before.
 */
void
cs_timeline_chart_cancel_drag (CsTimelineChart *self)
{
  if (self->drag == CS_TIMELINE_DRAG_NONE)
    return;
  if (self->drag == CS_TIMELINE_DRAG_MEASURE && self->moved)
    cs_timeline_chart_take_measure (self, FALSE, 0, 0, G_MAXUINT, 0);
  self->drag = CS_TIMELINE_DRAG_NONE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cs_timeline_chart_scroll:
 * @self: a chart
 * @dx: steps, or pixels of a touchpad
 * @dy: steps, or pixels
 * @state: modifiers
 * @smooth: whether these are pixels
 *
 * Does what the wheel does: it zooms at the pointer, with Shift and sideways it pans. With Ctrl, and over headers, it scrolls.
 *
 * Returns: whether that did something
 */
gboolean
cs_timeline_chart_scroll (CsTimelineChart *self, double dx, double dy, GdkModifierType state, gboolean smooth)
{
  double x = self->has_pointer ? cs_timeline_chart_get_axis_x (self, self->pointer_x) : self->window.pixels / 2;
  double step = smooth ? 1 : self->window.pixels * PAN;
  gboolean sideways = !cs_timeline_is_same (dx, 0);

  if (!self->has_window)
    return FALSE;
  cs_timeline_chart_hide_readout (self);
  if ((state & GDK_SHIFT_MASK) != 0)
    {
      /* Some systems turn the wheel sideways by themselves. */
      dx = sideways ? dx : dy;
      cs_timeline_chart_pan (self, (self->rtl ? -dx : dx) * step, 0, !smooth);
      return TRUE;
    }
  if (sideways)
    cs_timeline_chart_pan (self, (self->rtl ? -dx : dx) * step, 0, !smooth);
  if (cs_timeline_is_same (dy, 0))
    return sideways;
  if ((state & GDK_CONTROL_MASK) != 0 || x < 0)
    cs_timeline_chart_pan (self, 0, smooth ? dy : dy * 3 * self->row_height, !smooth);
  else
    cs_timeline_chart_zoom (self, x, pow (NOTCH, smooth ? -dy / 60 : -dy), !smooth);
  return TRUE;
}

/**
 * cs_timeline_chart_request_menu:
 * @self: a chart
 * @x: a place in the widget
 * @y: a place in the widget
 *
 * Does what the second button there does: the call there is selected, and a menu is asked for.
 */
void
cs_timeline_chart_request_menu (CsTimelineChart *self, double x, double y)
{
  CsTimelinePoint point;

  cs_timeline_chart_hide_readout (self);
  cs_timeline_chart_hit (self, x, y, &point);
  if (point.has_span && point.span.n_events == 0)
    {
      const CsTimelineCall call = { point.track, point.span };

      cs_timeline_chart_select (self, &call);
    }
  cs_timeline_chart_emit_menu_requested (self, &point, x, y);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, CsTimelineChart *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  gtk_widget_grab_focus (GTK_WIDGET (self));
  cs_timeline_chart_press (self, x, y, state);
}

static void
on_drag_update (GtkGestureDrag *gesture, double offset_x, double offset_y, CsTimelineChart *self)
{
  cs_timeline_chart_drag_to (self, self->press_x + offset_x, self->press_y + offset_y);
  if (!self->moved)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (self->drag == CS_TIMELINE_DRAG_PAN)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
}

static void
on_drag_end (GtkGestureDrag *gesture, double offset_x, double offset_y, CsTimelineChart *self)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), NULL);
  cs_timeline_chart_release (self, self->press_x + offset_x, self->press_y + offset_y, self->n_press);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, CsTimelineChart *self)
{
  self->n_press = (guint) n_press;
}

static void
on_cancel (GtkGesture *gesture, GdkEventSequence *sequence, CsTimelineChart *self)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), NULL);
  cs_timeline_chart_cancel_drag (self);
}

static void
on_secondary_pressed (GtkGestureClick *gesture, int n_press, double x, double y, CsTimelineChart *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  cs_timeline_chart_request_menu (self, x, y);
}

/* Of a finger, which has no second button. */
static void
on_long_pressed (GtkGestureLongPress *gesture, double x, double y, CsTimelineChart *self)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_gesture_set_state (self->drag_gesture, GTK_EVENT_SEQUENCE_DENIED);
  cs_timeline_chart_cancel_drag (self);
  on_secondary_pressed (NULL, 1, x, y, self);
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, CsTimelineChart *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  return cs_timeline_chart_scroll (self, dx, dy, state,
                                   gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE);
}

static void
on_zoom_begin (GtkGesture *gesture, GdkEventSequence *sequence, CsTimelineChart *self)
{
  self->zoom_scale = 1;
  cs_timeline_chart_cancel_drag (self);
}

static void
on_zoom (GtkGestureZoom *gesture, double scale, CsTimelineChart *self)
{
  double x = self->pointer_x, y, factor = scale / self->zoom_scale;

  if (!(factor > 0) || isinf (factor))
    return;
  gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y);
  cs_timeline_chart_zoom (self, MAX (cs_timeline_chart_get_axis_x (self, x), 0), factor, FALSE);
  self->zoom_scale = scale;
}

static void
set_pointer (CsTimelineChart *self, gboolean has, double x, double y)
{
  if (self->has_pointer == has && cs_timeline_is_same (self->pointer_x, x) &&
      cs_timeline_is_same (self->pointer_y, y))
    return;
  self->has_pointer = has;
  self->pointer_x = x;
  self->pointer_y = y;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What a press there would do. */
static const char *
find_cursor (CsTimelineChart *self, double x, double y)
{
  static const char *const ranges[] = { NULL, "ew-resize", "ew-resize", "grab" };
  CsTimelinePoint point;

  cs_timeline_chart_hit (self, x, y, &point);
  if (point.area == CS_TIMELINE_AREA_RULER && self->has_range)
    return ranges[cs_range_drag_find (cs_timeline_window_get_x (&self->window, self->range_from),
                                      cs_timeline_window_get_x (&self->window, self->range_to),
                                      cs_timeline_chart_get_axis_x (self, x), REACH)];
  if (point.area == CS_TIMELINE_AREA_PROCESS ||
      (point.area == CS_TIMELINE_AREA_HEADER &&
       (cs_timeline_chart_is_on_triangle (self, x) ? cs_timeline_chart_can_collapse (self, point.track)
                                                   : cs_timeline_chart_is_on_more (self, y))))
    return "pointer";
  return point.area == CS_TIMELINE_AREA_TRACK && self->measuring ? "crosshair" : NULL;
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, CsTimelineChart *self)
{
  set_pointer (self, TRUE, x, y);
  if (self->drag == CS_TIMELINE_DRAG_NONE)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), find_cursor (self, x, y));
}

static void
on_leave (GtkEventControllerMotion *controller, CsTimelineChart *self)
{
  set_pointer (self, FALSE, 0, 0);
}

static gboolean
on_key_pressed (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
                CsTimelineChart *self)
{
  return cs_timeline_chart_press_key (self, keyval, state);
}

static void
on_focus_enter (GtkEventControllerFocus *controller, CsTimelineChart *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (self->has_call && GTK_IS_WINDOW (root) && gtk_window_get_focus_visible (GTK_WINDOW (root)))
    cs_timeline_chart_show_readout (self);
}

static void
on_focus_leave (GtkEventControllerFocus *controller, CsTimelineChart *self)
{
  cs_timeline_chart_hide_readout (self);
}

/**
 * cs_timeline_chart_add_controllers:
 * @self: a chart
 *
 * Makes it listen to the pointer and to keys.
 */
void
cs_timeline_chart_add_controllers (CsTimelineChart *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *click = gtk_gesture_click_new (), *secondary = gtk_gesture_click_new ();
  GtkGesture *hold = gtk_gesture_long_press_new (), *zoom = gtk_gesture_zoom_new ();
  GtkEventController *motion = gtk_event_controller_motion_new (), *key = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  self->drag_gesture = gtk_gesture_drag_new ();
  g_signal_connect (self->drag_gesture, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (self->drag_gesture, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (self->drag_gesture, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (self->drag_gesture, "cancel", G_CALLBACK (on_cancel), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (self->drag_gesture));
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_group (click, self->drag_gesture);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (on_secondary_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (secondary));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (hold), TRUE);
  g_signal_connect (hold, "pressed", G_CALLBACK (on_long_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (hold));
  g_signal_connect (zoom, "begin", G_CALLBACK (on_zoom_begin), self);
  g_signal_connect (zoom, "scale-changed", G_CALLBACK (on_zoom), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (zoom));

  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key_pressed), self);
  gtk_widget_add_controller (widget, key);
  g_signal_connect (focus, "enter", G_CALLBACK (on_focus_enter), self);
  g_signal_connect (focus, "leave", G_CALLBACK (on_focus_leave), self);
  gtk_widget_add_controller (widget, focus);
}
