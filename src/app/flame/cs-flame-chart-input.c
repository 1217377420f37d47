/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "flame/cs-flame-chart-private.h"

#define CLICK_PIXELS 4       /* a press that moves less is a click */
#define WHEEL_ZOOM 1.25      /* of a wheel's step */
#define PIXELS_A_STEP 40.0   /* of a touchpad, that count as a wheel's step */
#define PAN_A_STEP 60.0      /* pixels */

/* A frame is asked for; a block is shown nearer, as long as there is something nearer. */
void
cs_flame_chart_activate (CsFlameChart *self, guint32 node)
{
  const CsFlameRect *rect = cs_flame_chart_find_rect (self, node);

  if (rect != NULL && rect->n > 1 && rect->width > 0 &&
      (double) rect->width / self->part.width * self->plot_width < self->plot_width / 4)
    cs_flame_chart_show_block (self, rect);
  else
    cs_flame_chart_request_focus (self, node);
}

/* What a click does at a place in the widget, one of several in a row. */
void
cs_flame_chart_click (CsFlameChart *self, double x, double y, guint n_press)
{
  guint32 node = cs_flame_chart_hit (self, x, y);

  cs_flame_chart_hide_readout (self);
  if (node == CS_FLAME_NONE)
    {
      if (n_press == 2)
        cs_flame_chart_fit (self, TRUE);
      return;
    }
  cs_flame_chart_move_cursor (self, node, FALSE);
  cs_flame_chart_activate (self, node);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, CsFlameChart *self)
{
  double start = cs_flame_chart_get_start_x (self, x);

  self->dragged = FALSE;
  self->drag_x = self->drag_y = 0;
  /* The scrollbar has presses of its own. */
  if (start < 0 || start > self->plot_width)
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
  else
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
on_drag_update (GtkGestureDrag *gesture, double x, double y, CsFlameChart *self)
{
  double dx, dy;

  if (!self->dragged)
    {
      if (hypot (x, y) < CLICK_PIXELS)
        return;
      self->dragged = TRUE;
      cs_flame_chart_hide_readout (self);
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    }
  dx = self->drag_x - x;
  dy = self->drag_y - y;
  self->drag_x = x;
  self->drag_y = y;
  cs_flame_chart_pan (self, cs_flame_chart_is_rtl (self) ? -dx : dx, self->flame ? -dy : dy);
}

void
cs_flame_chart_end_drag (CsFlameChart *self)
{
  self->dragged = FALSE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_end (GtkGestureDrag *gesture, double x, double y, CsFlameChart *self)
{
  gboolean dragged = self->dragged;
  double start_x, start_y;

  cs_flame_chart_end_drag (self);
  if (!dragged && gtk_gesture_drag_get_start_point (gesture, &start_x, &start_y))
    cs_flame_chart_click (self, start_x, start_y, self->n_press);
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, CsFlameChart *self)
{
  cs_flame_chart_end_drag (self);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, CsFlameChart *self)
{
  self->n_press = (guint) n_press;
}

static void
ask_for_menu (CsFlameChart *self, double x, double y)
{
  const CsFlameRect *rect = cs_flame_chart_find_rect_at (self, x, y);
  /* Nobody can tell which frame of a block is meant. */
  guint32 node = rect != NULL && rect->n == 1 ? rect->node : CS_FLAME_NONE;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  cs_flame_chart_hide_readout (self);
  if (node != CS_FLAME_NONE)
    cs_flame_chart_move_cursor (self, node, FALSE);
  cs_flame_chart_request_menu (self, node, x, y);
}

static void
on_secondary_pressed (GtkGestureClick *gesture, int n_press, double x, double y, CsFlameChart *self)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  ask_for_menu (self, x, y);
}

static void
on_long_pressed (GtkGestureLongPress *gesture, double x, double y, CsFlameChart *self)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_gesture_set_state (self->drag, GTK_EVENT_SEQUENCE_DENIED);
  ask_for_menu (self, x, y);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, CsFlameChart *self)
{
  const CsFlameRect *before = NULL, *now;
  gboolean same;

  if (self->pointed)
    before = cs_flame_chart_find_rect_at (self, self->pointer_x, self->pointer_y);
  now = cs_flame_chart_find_rect_at (self, x, y);
  same = self->pointed && before == now;
  self->pointed = TRUE;
  self->pointer_x = x;
  self->pointer_y = y;
  if (!same)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *controller, CsFlameChart *self)
{
  self->pointed = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, CsFlameChart *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;
  double unit = wheel ? 1 : 1 / PIXELS_A_STEP;

  cs_flame_chart_hide_readout (self);
  dx *= unit;
  dy *= unit;
  if ((state & GDK_SHIFT_MASK) != 0)
    {
      /* Some displays have turned it already. */
      dx += dy;
      dy = 0;
    }
  if (fabs (dx) > fabs (dy))
    cs_flame_chart_pan (self, (cs_flame_chart_is_rtl (self) ? -dx : dx) * PAN_A_STEP, 0);
  else
    cs_flame_chart_zoom (self, MAX (cs_flame_chart_get_start_x (self, self->pointer_x), 0), pow (WHEEL_ZOOM, -dy),
                         wheel);
  return TRUE;
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, CsFlameChart *self)
{
  self->pinch = 1;
  gtk_gesture_set_state (self->drag, GTK_EVENT_SEQUENCE_DENIED);
}

static void
on_pinch (GtkGestureZoom *gesture, double scale, CsFlameChart *self)
{
  double x, y;

  if (!(scale > 0) || !gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    return;
  cs_flame_chart_zoom (self, MAX (cs_flame_chart_get_start_x (self, x), 0), scale / self->pinch, FALSE);
  self->pinch = scale;
}

static void
on_focus_enter (GtkEventControllerFocus *controller, CsFlameChart *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_focus_leave (GtkEventControllerFocus *controller, CsFlameChart *self)
{
  cs_flame_chart_hide_readout (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
on_key_pressed (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
                CsFlameChart *self)
{
  return cs_flame_chart_press_key (self, keyval, state);
}

static void
add_gestures (CsFlameChart *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *click = gtk_gesture_click_new (), *secondary = gtk_gesture_click_new ();
  GtkGesture *hold = gtk_gesture_long_press_new (), *pinch = gtk_gesture_zoom_new ();

  self->drag = gtk_gesture_drag_new ();
  g_signal_connect (self->drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (self->drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (self->drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (self->drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (self->drag));
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_group (click, self->drag);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (on_secondary_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (secondary));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (hold), TRUE);
  g_signal_connect (hold, "pressed", G_CALLBACK (on_long_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (hold));
  g_signal_connect (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}

/* Makes the widget listen to the pointer and to keys. */
void
cs_flame_chart_add_controllers (CsFlameChart *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new (), *key = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  add_gestures (self);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key_pressed), self);
  gtk_widget_add_controller (widget, key);
  g_signal_connect (focus, "enter", G_CALLBACK (on_focus_enter), self);
  g_signal_connect (focus, "leave", G_CALLBACK (on_focus_leave), self);
  gtk_widget_add_controller (widget, focus);
}
