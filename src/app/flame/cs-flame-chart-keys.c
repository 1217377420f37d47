/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "charts/cs-chart-key.h"
#include "flame/cs-flame-chart-private.h"

#define KEY_ZOOM 1.5
#define PAN_STEP 60 /* pixels */

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

/* At the middle of what is seen of the cursor's frame, which may be one of a block. */
static void
zoom_at_cursor (CsFlameChart *self, double factor)
{
  const CsFlamePart *part = cs_flame_chart_get_target (self);
  CsFlameNode frame;
  double left, right, x = -1;

  if (self->cursor != CS_FLAME_NONE)
    {
      cs_flame_layout_get_node (self->layout, self->cursor, &frame);
      left = MAX (cs_flame_chart_get_x (self, part, frame.start), 0);
      right = MIN (cs_flame_chart_get_x (self, part, frame.start + frame.width), self->plot_width);
      if (left <= right)
        x = (left + right) / 2;
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

static gboolean
pan_by_key (CsFlameChart *self, guint keyval)
{
  double dx = 0, dy = 0;

  switch (keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      dx = (keyval == GDK_KEY_Right) != cs_flame_chart_is_rtl (self) ? PAN_STEP : -PAN_STEP;
      break;
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      dy = (keyval == GDK_KEY_Down) != self->flame ? self->row_height : -self->row_height;
      break;
    default:
      return FALSE;
    }
  cs_flame_chart_hide_readout (self);
  cs_flame_chart_pan (self, dx, dy);
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
  keyval = cs_chart_key_simplify (keyval);
  switch (keyval)
    {
    case GDK_KEY_Escape:
      cs_flame_chart_hide_readout (self);
      cs_flame_chart_step_out (self);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_space:
      if (shift || self->cursor == CS_FLAME_NONE)
        return FALSE;
      cs_flame_chart_activate (self, self->cursor);
      return TRUE;
    case GDK_KEY_plus:
    case GDK_KEY_minus:
      cs_flame_chart_hide_readout (self);
      zoom_at_cursor (self, keyval == GDK_KEY_plus ? KEY_ZOOM : 1 / KEY_ZOOM);
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
      return shift ? pan_by_key (self, keyval) : move_by_key (self, keyval);
    }
}
