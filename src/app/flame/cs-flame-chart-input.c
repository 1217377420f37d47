/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "flame/cs-flame-chart-private.h"

#define CLICK_PIXELS 4       /* a press that moves less is a click */
#define WHEEL_ZOOM 1.25      /* of a wheel's step */
#define PIXELS_A_STEP 40.0   /* of a touchpad, that count as a wheel's step */
#define PAN_A_STEP 60.0      /* pixels */

/* A frame is asked for; a block is shown nearer, as long as there is something nearer. */
static void
activate (CsFlameChart *self, guint32 node)
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
  activate (self, node);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, CsFlameChart *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->dragged = FALSE;
  self->drag_x = self->drag_y = 0;
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

static void
end_drag (CsFlameChart *self)
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

  end_drag (self);
  if (!dragged && gtk_gesture_drag_get_start_point (gesture, &start_x, &start_y))
    cs_flame_chart_click (self, start_x, start_y, self->n_press);
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, CsFlameChart *self)
{
  end_drag (self);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, CsFlameChart *self)
{
  self->n_press = (guint) n_press;
}

static void
ask_for_menu (CsFlameChart *self, double x, double y)
{
  guint32 node = cs_flame_chart_hit (self, x, y);

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
  double unit = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL ? 1 : 1 / PIXELS_A_STEP;

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
                         FALSE);
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
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (GTK_IS_WINDOW (root) && gtk_window_get_focus_visible (GTK_WINDOW (root)))
    cs_flame_chart_show_readout (self);
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

static guint
simplify_key (guint keyval)
{
  switch (keyval)
    {
    case GDK_KEY_KP_Left:
      return GDK_KEY_Left;
    case GDK_KEY_KP_Right:
      return GDK_KEY_Right;
    case GDK_KEY_KP_Up:
      return GDK_KEY_Up;
    case GDK_KEY_KP_Down:
      return GDK_KEY_Down;
    case GDK_KEY_KP_Home:
      return GDK_KEY_Home;
    case GDK_KEY_KP_End:
      return GDK_KEY_End;
    case GDK_KEY_KP_Page_Up:
      return GDK_KEY_Page_Up;
    case GDK_KEY_KP_Page_Down:
      return GDK_KEY_Page_Down;
    case GDK_KEY_KP_Add:
    case GDK_KEY_equal: /* + without Shift on many keyboards */
      return GDK_KEY_plus;
    case GDK_KEY_KP_Subtract:
    case GDK_KEY_underscore:
      return GDK_KEY_minus;
    case GDK_KEY_KP_0:
    case GDK_KEY_KP_Insert:
      return GDK_KEY_0;
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
    case GDK_KEY_KP_Space:
    case GDK_KEY_space:
      return GDK_KEY_Return;
    default:
      return keyval;
    }
}

/* The widest of what a frame called, as far as it is on view; of equal ones the first. */
static guint32
find_child (CsFlameChart *self, guint32 node)
{
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (CsFlameRect));
  CsFlameNode frame;
  CsFlameWindow window, shown;
  guint32 child = CS_FLAME_NONE;
  guint64 widest = 0;

  cs_flame_layout_get_node (self->layout, node, &frame);
  if (frame.n_children == 0)
    return CS_FLAME_NONE;
  cs_flame_chart_get_window (self, &shown);
  window = (CsFlameWindow){
    .x0 = MAX (frame.start, shown.x0),
    .x1 = MIN (frame.start + frame.width, shown.x1),
    .depth0 = frame.depth + 1,
    .depth1 = frame.depth + 2,
    .pixels = 1000,
    .min_pixels = 1,
  };
  if (window.x0 >= window.x1)
    {
      window.x0 = frame.start;
      window.x1 = frame.start + frame.width;
    }
  cs_flame_layout_query (self->layout, &window, rects);
  for (guint i = 0; i < rects->len; i++)
    {
      const CsFlameRect *rect = &g_array_index (rects, CsFlameRect, i);
      guint64 from = MAX (rect->start, window.x0), to = MIN (rect->start + rect->width, window.x1);

      /* A block may have begun in another frame. */
      if (to >= from && (child == CS_FLAME_NONE || to - from > widest) && rect->node + rect->n > frame.first_child)
        {
          widest = to - from;
          child = MAX (rect->node, frame.first_child);
        }
    }
  return child != CS_FLAME_NONE ? child : frame.first_child;
}

static guint32
find_parent (CsFlameChart *self, guint32 node)
{
  CsFlameNode frame;

  cs_flame_layout_get_node (self->layout, node, &frame);
  return frame.parent;
}

/* The next one of the same parent, behind a block if it is in one. */
static guint32
find_sibling (CsFlameChart *self, guint32 node, gboolean forward)
{
  const CsFlameRect *rect = cs_flame_chart_find_rect (self, node);
  guint32 first = node, last = node;
  CsFlameNode parent;

  if (node == 0)
    return node;
  cs_flame_layout_get_node (self->layout, find_parent (self, node), &parent);
  if (rect != NULL)
    {
      first = rect->node;
      last = rect->node + rect->n - 1;
    }
  if (forward)
    return last + 1 < parent.first_child + parent.n_children ? last + 1 : node;
  return first > parent.first_child ? first - 1 : node;
}

static guint32
find_end_sibling (CsFlameChart *self, guint32 node, gboolean last)
{
  CsFlameNode parent;

  if (node == 0)
    return node;
  cs_flame_layout_get_node (self->layout, find_parent (self, node), &parent);
  return last ? parent.first_child + parent.n_children - 1 : parent.first_child;
}

/* A page away from the root, or to it. */
static guint32
find_page (CsFlameChart *self, guint32 node, gboolean away)
{
  guint n = (guint) MAX (self->plot_height / self->row_height - 1, 1);

  for (guint i = 0; i < n; i++)
    {
      guint32 next = away ? find_child (self, node) : find_parent (self, node);

      if (next == CS_FLAME_NONE)
        break;
      node = next;
    }
  return node;
}

static void
zoom_at_cursor (CsFlameChart *self, double factor)
{
  const CsFlameRect *rect = NULL;
  double x = -1;

  if (self->cursor != CS_FLAME_NONE)
    rect = cs_flame_chart_find_rect (self, self->cursor);
  if (rect != NULL)
    {
      graphene_rect_t bounds;

      cs_flame_chart_place (self, rect, &bounds);
      x = MAX (cs_flame_chart_get_start_x (self, bounds.origin.x + bounds.size.width / 2), 0);
    }
  cs_flame_chart_zoom (self, x, factor, TRUE);
}

static void
request_menu_at_cursor (CsFlameChart *self)
{
  const CsFlameRect *rect = NULL;
  graphene_rect_t bounds = GRAPHENE_RECT_INIT ((float) self->plot_x, 0, (float) self->plot_width,
                                               (float) self->plot_height);

  if (self->cursor != CS_FLAME_NONE)
    rect = cs_flame_chart_find_rect (self, self->cursor);
  if (rect != NULL)
    cs_flame_chart_place (self, rect, &bounds);
  cs_flame_chart_hide_readout (self);
  cs_flame_chart_request_menu (self, self->cursor, bounds.origin.x + bounds.size.width / 2,
                               bounds.origin.y + bounds.size.height / 2);
}

static gboolean
move_by_key (CsFlameChart *self, guint keyval)
{
  guint32 node = self->cursor;
  gboolean away;

  switch (keyval)
    {
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      away = (keyval == GDK_KEY_Down) != self->flame;
      if (node != CS_FLAME_NONE)
        node = away ? find_child (self, node) : find_parent (self, node);
      break;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      if (node != CS_FLAME_NONE)
        node = find_sibling (self, node, (keyval == GDK_KEY_Right) != cs_flame_chart_is_rtl (self));
      break;
    case GDK_KEY_Home:
    case GDK_KEY_End:
      if (node != CS_FLAME_NONE)
        node = find_end_sibling (self, node, keyval == GDK_KEY_End);
      break;
    case GDK_KEY_Page_Up:
    case GDK_KEY_Page_Down:
      away = (keyval == GDK_KEY_Page_Down) != self->flame;
      if (node != CS_FLAME_NONE)
        node = find_page (self, node, away);
      break;
    default:
      return FALSE;
    }
  /* The first key shows where the cursor is; where there is no child it stays. */
  if (node == CS_FLAME_NONE)
    node = self->cursor != CS_FLAME_NONE ? self->cursor : self->focus;
  cs_flame_chart_move_cursor (self, node, TRUE);
  cs_flame_chart_show_readout (self);
  return TRUE;
}

/**
 * cs_flame_chart_press_key:
 * @self: a chart
 * @keyval: a key
 * @state: modifiers
 *
 * What a key does: arrows move the cursor to the frame that called this one, to the widest that it called, and to what
 * the same frame called before and after, in the direction in which they are painted; Home and End go to the first and
 * last of these, Page Up and Page Down over as many rows as are on view. Shift with an arrow pans. Enter asks for the
 * frame; +, − and 0 zoom; Menu and Shift+F10 ask for a menu; Esc steps out.
 *
 * Returns: whether the key did something
 */
gboolean
cs_flame_chart_press_key (CsFlameChart *self, guint keyval, GdkModifierType state)
{
  gboolean shift = (state & GDK_SHIFT_MASK) != 0;

  g_return_val_if_fail (CS_IS_FLAME_CHART (self), FALSE);

  if (self->layout == NULL || (state & (GDK_ALT_MASK | GDK_SUPER_MASK | GDK_CONTROL_MASK)) != 0)
    return FALSE;
  keyval = simplify_key (keyval);
  switch (keyval)
    {
    case GDK_KEY_Escape:
      cs_flame_chart_hide_readout (self);
      cs_flame_chart_step_out (self);
      return TRUE;
    case GDK_KEY_Return:
      if (shift || self->cursor == CS_FLAME_NONE)
        return FALSE;
      activate (self, self->cursor);
      return TRUE;
    case GDK_KEY_plus:
    case GDK_KEY_minus:
      cs_flame_chart_hide_readout (self);
      zoom_at_cursor (self, keyval == GDK_KEY_plus ? CS_FLAME_CHART_KEY_ZOOM : 1 / CS_FLAME_CHART_KEY_ZOOM);
      return TRUE;
    case GDK_KEY_0:
      cs_flame_chart_hide_readout (self);
      cs_flame_chart_fit (self, TRUE);
      return TRUE;
    case GDK_KEY_F10:
      if (!shift)
        return FALSE;
      request_menu_at_cursor (self);
      return TRUE;
    case GDK_KEY_Menu:
      request_menu_at_cursor (self);
      return TRUE;
    default:
      return move_by_key (self, keyval);
    }
}
