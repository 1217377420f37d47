/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "charts/cs-chart-key.h"
#include "charts/cs-range-chart-private.h"

/* Pixels: how near to an end of the range it is taken, and how far a press moves before it is a drag. */
#define REACH 8
#define CLICK 4

/* What a press at a place of the axis would drag. */
static CsRangeDragKind
find_kind (CsRangeChart *self, double x)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  CsRangeChartClass *class = CS_RANGE_CHART_GET_CLASS (self);
  CsRangeDragKind kind;

  if (!(priv->shown_from < priv->shown_to))
    return CS_RANGE_DRAG_NEW;
  kind = cs_range_drag_find (class->get_x (self, priv->shown_from), class->get_x (self, priv->shown_to), x, REACH);
  return kind == CS_RANGE_DRAG_MOVE && !class->moves ? CS_RANGE_DRAG_NEW : kind;
}

/* The values at a place of the axis: where ends of a range may be, if one is dragged. */
static void
find_values (CsRangeChart *self, CsRangeDragKind kind, double x, guint64 *lo, guint64 *hi)
{
  CsRangeChartClass *class = CS_RANGE_CHART_GET_CLASS (self);

  if (kind == CS_RANGE_DRAG_NEW)
    class->get_bin (self, class->get_value (self, x), lo, hi);
  else
    *lo = *hi = class->get_edge != NULL ? class->get_edge (self, x) : class->get_value (self, x);
}

/**
 * cs_range_chart_press:
 * @self: a chart
 * @x: a place in the widget
 *
 * Does what pressing the first button there does: takes an end of the range, or all of it, or begins a new one.
 */
void
cs_range_chart_press (CsRangeChart *self, double x)
{
  CsRangeChartPrivate *priv;
  graphene_rect_t plot;
  guint64 first, end, lo, hi;
  CsRangeDragKind kind;
  double at;

  g_return_if_fail (CS_IS_RANGE_CHART (self));

  priv = cs_range_chart_get_private (self);
  cs_range_chart_cancel (self);
  cs_range_chart_commit (self);
  if (!CS_RANGE_CHART_GET_CLASS (self)->get_axis (self, &plot, &first, &end))
    return;
  at = cs_range_chart_get_axis_x (self, x);
  kind = find_kind (self, at);
  find_values (self, kind, at, &lo, &hi);
  cs_range_drag_begin (&priv->drag, kind, priv->shown_from, priv->shown_to, lo, hi);
  priv->pressed = TRUE;
  priv->moved = FALSE;
  priv->has_anchor = FALSE;
  priv->press_x = x;
}

/**
 * cs_range_chart_drag:
 * @self: a chart
 * @x: a place in the widget, or beside it
 *
 * Does what moving the pointer there does while the button is down.
 */
void
cs_range_chart_drag (CsRangeChart *self, double x)
{
  CsRangeChartPrivate *priv;
  graphene_rect_t plot;
  guint64 first, end, lo, hi;

  g_return_if_fail (CS_IS_RANGE_CHART (self));

  priv = cs_range_chart_get_private (self);
  if (!priv->pressed || (!priv->moved && ABS (x - priv->press_x) < CLICK) ||
      !CS_RANGE_CHART_GET_CLASS (self)->get_axis (self, &plot, &first, &end))
    return;
  priv->moved = TRUE;
  find_values (self, priv->drag.kind, cs_range_chart_get_axis_x (self, x), &lo, &hi);
  cs_range_drag_update (&priv->drag, lo, hi, first, end);
  cs_range_chart_show_range (self, priv->drag.from, priv->drag.to);
  if (priv->shown_from < priv->shown_to)
    cs_range_chart_show_readout (self, FALSE);
}

/* A click selects what a step of the axis has, or nothing where there are none; one within the range is none. */
static void
click (CsRangeChart *self, double x)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  CsRangeChartClass *class = CS_RANGE_CHART_GET_CLASS (self);
  guint64 value = class->get_value (self, cs_range_chart_get_axis_x (self, x)), from, to;

  priv->cursor = value;
  priv->has_cursor = TRUE;
  class->get_bin (self, value, &from, &to);
  if (from < to || priv->drag.kind == CS_RANGE_DRAG_NEW)
    cs_range_chart_show_range (self, from, to);
  cs_range_chart_update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cs_range_chart_release:
 * @self: a chart
 * @x: a place in the widget, or beside it
 * @n_press: 2 for the second click of a double click
 *
 * Does what releasing the button there does: "range-changed" is emitted if the range is another one.
 */
void
cs_range_chart_release (CsRangeChart *self, double x, guint n_press)
{
  CsRangeChartPrivate *priv;

  g_return_if_fail (CS_IS_RANGE_CHART (self));

  priv = cs_range_chart_get_private (self);
  if (!priv->pressed)
    return;
  cs_range_chart_drag (self, x);
  priv->pressed = FALSE;
  cs_range_chart_hide_readout (self);
  if (!priv->moved && n_press > 1)
    cs_range_chart_show_range (self, 0, 0);
  else if (!priv->moved)
    click (self, x);
  cs_range_chart_commit (self);
}

/**
 * cs_range_chart_cancel:
 * @self: a chart
 *
 * Ends a drag: the range is what it was before.
 */
void
cs_range_chart_cancel (CsRangeChart *self)
{
  CsRangeChartPrivate *priv;

  g_return_if_fail (CS_IS_RANGE_CHART (self));

  priv = cs_range_chart_get_private (self);
  if (!priv->pressed)
    return;
  priv->pressed = FALSE;
  cs_range_chart_hide_readout (self);
  cs_range_chart_show_range (self, priv->from, priv->to);
}

static void
put_cursor (CsRangeChart *self, guint64 value)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);

  priv->cursor = value;
  priv->has_cursor = TRUE;
  cs_range_chart_update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  cs_range_chart_show_readout (self, TRUE);
}

/* The end of the range that isn't at the cursor stays where it is; without a range that is the cursor. */
static void
begin_extending (CsRangeChart *self)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  guint64 from, to;

  if (priv->has_anchor)
    return;
  CS_RANGE_CHART_GET_CLASS (self)->get_bin (self, priv->cursor, &from, &to);
  priv->anchor_from = from;
  priv->anchor_to = to;
  priv->has_anchor = TRUE;
  if (!(priv->shown_from < priv->shown_to))
    return;
  if (to == priv->shown_to)
    priv->anchor_from = priv->anchor_to = priv->shown_from;
  else if (from == priv->shown_from)
    priv->anchor_from = priv->anchor_to = priv->shown_to;
}

static void
move_cursor (CsRangeChart *self, guint64 value, gboolean extend)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  guint64 from, to;

  if (!extend)
    {
      priv->has_anchor = FALSE;
      put_cursor (self, value);
      return;
    }
  begin_extending (self);
  CS_RANGE_CHART_GET_CLASS (self)->get_bin (self, value, &from, &to);
  priv->changing = TRUE;
  cs_range_chart_show_range (self, MIN (priv->anchor_from, from), MAX (priv->anchor_to, to));
  put_cursor (self, value);
}

/* The end of a range that is a step longer, or shorter. */
static guint64
step_end (CsRangeChart *self, guint64 to, gboolean longer)
{
  CsRangeChartClass *class = CS_RANGE_CHART_GET_CLASS (self);
  guint64 bin_from, bin_to;

  class->get_bin (self, longer ? to : to - 1, &bin_from, &bin_to);
  if (bin_from < bin_to)
    return longer ? bin_to : bin_from;
  return class->step (self, to, longer, FALSE);
}

/* Makes the range a step longer, or shorter, at both ends; without one, it becomes one around the cursor. */
static void
resize_range (CsRangeChart *self, gboolean longer, guint64 first, guint64 end)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  CsRangeChartClass *class = CS_RANGE_CHART_GET_CLASS (self);
  guint64 from = priv->shown_from, to = priv->shown_to;

  if (!(from < to) && !longer)
    return;
  if (!(from < to))
    class->get_bin (self, priv->cursor, &from, &to);
  if (from == to || priv->shown_from < priv->shown_to)
    {
      to = to < end || !longer ? step_end (self, to, longer) : end;
      from = class->step (self, from, !longer, FALSE);
    }
  from = MAX (from, first);
  to = MIN (to, end);
  if (from >= to)
    return;
  priv->changing = TRUE;
  priv->has_anchor = FALSE;
  cs_range_chart_show_range (self, from, to);
  cs_range_chart_show_readout (self, FALSE);
}

static gboolean
escape (CsRangeChart *self)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);

  cs_range_chart_hide_readout (self);
  if (priv->pressed)
    {
      /* The gesture tells of its end when it is denied: nothing is held any more then. */
      cs_range_chart_cancel (self);
      gtk_gesture_set_state (priv->drag_gesture, GTK_EVENT_SEQUENCE_DENIED);
      return TRUE;
    }
  if (!(priv->shown_from < priv->shown_to))
    return FALSE;
  priv->has_anchor = FALSE;
  cs_range_chart_show_range (self, 0, 0);
  cs_range_chart_commit (self);
  return TRUE;
}

/* Selects the step of the axis that the cursor is at. */
static gboolean
select_bin (CsRangeChart *self)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  guint64 from, to;

  CS_RANGE_CHART_GET_CLASS (self)->get_bin (self, priv->cursor, &from, &to);
  if (!(from < to))
    return FALSE;
  priv->has_anchor = FALSE;
  priv->changing = TRUE;
  cs_range_chart_show_range (self, from, to);
  return TRUE;
}

/**
 * cs_range_chart_press_key:
 * @self: a chart
 * @keyval: a key
 * @state: modifiers
 *
 * Does what pressing a key does. Arrows move the cursor by a step, with Ctrl to the next place that is worth it;
 * Home and End move it to the ends; with Shift all of these extend the range, at the end that the cursor is at.
 * + and − make the range longer and shorter at both ends, Return selects the cursor's step, Esc ends a drag or
 * clears the range. The range is selected by cs_range_chart_commit().
 *
 * Returns: whether the key did something
 */
gboolean
cs_range_chart_press_key (CsRangeChart *self, guint keyval, GdkModifierType state)
{
  CsRangeChartPrivate *priv;
  CsRangeChartClass *class;
  gboolean shift = (state & GDK_SHIFT_MASK) != 0, control = (state & GDK_CONTROL_MASK) != 0;
  gboolean forward, known;
  graphene_rect_t plot;
  guint64 first, end;

  g_return_val_if_fail (CS_IS_RANGE_CHART (self), FALSE);

  priv = cs_range_chart_get_private (self);
  class = CS_RANGE_CHART_GET_CLASS (self);
  if ((state & (GDK_ALT_MASK | GDK_SUPER_MASK)) != 0 || !class->get_axis (self, &plot, &first, &end))
    return FALSE;
  keyval = cs_chart_key_simplify (keyval);
  if (keyval == GDK_KEY_Escape)
    return escape (self);
  known = priv->has_cursor;
  if (!known)
    priv->cursor = priv->shown_from < priv->shown_to ? CLAMP (priv->shown_from, first, end) : first;
  switch (keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      forward = (keyval == GDK_KEY_Right) != (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL);
      /* The first key shows where the cursor is. */
      move_cursor (self, known ? class->step (self, priv->cursor, forward, control) : priv->cursor, shift);
      return TRUE;
    case GDK_KEY_Home:
      move_cursor (self, first, shift);
      return TRUE;
    case GDK_KEY_End:
      move_cursor (self, end, shift);
      return TRUE;
    case GDK_KEY_plus:
    case GDK_KEY_minus:
      if (control)
        return FALSE;
      resize_range (self, keyval == GDK_KEY_plus, first, end);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_space:
      return !control && !shift && known && select_bin (self);
    default:
      return FALSE;
    }
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, CsRangeChart *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  cs_range_chart_press (self, x);
}

static void
on_drag_update (GtkGestureDrag *gesture, double offset_x, double offset_y, CsRangeChart *self)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);

  cs_range_chart_drag (self, priv->press_x + offset_x);
  if (priv->moved)
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_drag_end (GtkGestureDrag *gesture, double offset_x, double offset_y, CsRangeChart *self)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);

  cs_range_chart_release (self, priv->press_x + offset_x, priv->n_press);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, CsRangeChart *self)
{
  cs_range_chart_get_private (self)->n_press = (guint) n_press;
}

static void
on_cancel (GtkGesture *gesture, GdkEventSequence *sequence, CsRangeChart *self)
{
  cs_range_chart_cancel (self);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, CsRangeChart *self)
{
  static const char *const names[] = { NULL, "ew-resize", "ew-resize", "grab" };
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  graphene_rect_t plot;
  guint64 first, end;
  CsRangeDragKind kind = CS_RANGE_DRAG_NEW;

  if (priv->pressed)
    kind = priv->drag.kind;
  else if (CS_RANGE_CHART_GET_CLASS (self)->get_axis (self, &plot, &first, &end))
    kind = find_kind (self, cs_range_chart_get_axis_x (self, x));
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), names[kind]);
}

static gboolean
on_key_pressed (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
                CsRangeChart *self)
{
  return cs_range_chart_press_key (self, keyval, state);
}

static void
on_key_released (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
                 CsRangeChart *self)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);

  if (priv->changing)
    cs_range_chart_commit (self);
}

static void
on_focus_enter (GtkEventControllerFocus *controller, CsRangeChart *self)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (priv->has_cursor && GTK_IS_WINDOW (root) && gtk_window_get_focus_visible (GTK_WINDOW (root)))
    cs_range_chart_show_readout (self, TRUE);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_focus_leave (GtkEventControllerFocus *controller, CsRangeChart *self)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);

  cs_range_chart_hide_readout (self);
  if (priv->changing)
    cs_range_chart_commit (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Makes the widget listen to the pointer and to keys. */
void
cs_range_chart_add_controllers (CsRangeChart *self)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  priv->drag_gesture = gtk_gesture_drag_new ();
  g_signal_connect (priv->drag_gesture, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (priv->drag_gesture, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (priv->drag_gesture, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (priv->drag_gesture, "cancel", G_CALLBACK (on_cancel), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (priv->drag_gesture));

  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_gesture_group (click, priv->drag_gesture);

  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key_pressed), self);
  g_signal_connect (key, "key-released", G_CALLBACK (on_key_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  g_signal_connect (focus, "enter", G_CALLBACK (on_focus_enter), self);
  g_signal_connect (focus, "leave", G_CALLBACK (on_focus_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
}
