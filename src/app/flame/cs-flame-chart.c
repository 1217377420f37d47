/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "flame/cs-flame-chart-private.h"

#define ANIMATION_MS 200
/* The narrowest that is shown: so many pixels for a nanosecond. */
#define MAX_PIXELS_PER_NS 10
#define FOCUS_ROWS 4 /* that are scrolled into view: the frame and what it called */

enum { FOCUS_REQUESTED, STEP_OUT, CURSOR_CHANGED, MENU_REQUESTED, WINDOW_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsFlameChart, cs_flame_chart, GTK_TYPE_WIDGET)

gboolean
cs_flame_chart_is_rtl (CsFlameChart *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

/* Pixels from where the axis starts, of a place in the widget. */
double
cs_flame_chart_get_start_x (CsFlameChart *self, double x)
{
  x -= self->plot_x;
  return cs_flame_chart_is_rtl (self) ? self->plot_width - x : x;
}

static double
get_difference (guint64 a, guint64 b)
{
  return a >= b ? (double) (a - b) : -(double) (b - a);
}

/* Pixels from where the axis starts, of a time. */
static double
get_x (CsFlameChart *self, const CsFlamePart *part, guint64 ns)
{
  return (get_difference (ns, part->x0) - part->fraction) / part->width * self->plot_width;
}

static void
shift (CsFlamePart *part, double ns)
{
  double sum = part->fraction + CLAMP (ns, -0x1p62, 0x1p62), whole = floor (sum);

  part->fraction = sum - whole;
  if (whole >= 0)
    part->x0 += (guint64) whole;
  else if ((guint64) -whole <= part->x0)
    part->x0 -= (guint64) -whole;
  else
    {
      part->x0 = 0;
      part->fraction = 0;
    }
}

static double
get_min_width (CsFlameChart *self)
{
  double total = (double) MAX (self->total, 1);

  return self->plot_width >= 1 ? MIN (self->plot_width / MAX_PIXELS_PER_NS, total) : total;
}

static double
get_max_y (CsFlameChart *self)
{
  return MAX ((double) self->n_rows * self->row_height - self->plot_height, 0);
}

/* Nothing beside the graph is shown, and nothing nearer than is sensible. */
static void
confine (CsFlameChart *self, CsFlamePart *part)
{
  double total = (double) MAX (self->total, 1), least = get_min_width (self), over;

  part->width = CLAMP (part->width, least, total);
  part->y = CLAMP (part->y, 0, get_max_y (self));
  if (part->width >= total)
    {
      part->x0 = 0;
      part->fraction = 0;
      return;
    }
  over = get_difference (part->x0, self->total) + part->fraction + part->width;
  if (over > 0)
    shift (part, -over);
}

static void
show_whole (CsFlameChart *self)
{
  self->part = (CsFlamePart){ .width = (double) MAX (self->total, 1) };
  self->from = self->to = self->part;
}

static void
update_adjustment (CsFlameChart *self)
{
  double max = get_max_y (self), y = CLAMP (self->part.y, 0, max);

  self->adjusting = TRUE;
  gtk_adjustment_configure (self->adjustment, self->flame ? max - y : y, 0, max + self->plot_height, self->row_height,
                            MAX (self->plot_height - self->row_height, self->row_height), self->plot_height);
  self->adjusting = FALSE;
}

static void
changed (CsFlameChart *self)
{
  self->queried = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
take_part (CsFlameChart *self, CsFlamePart part)
{
  gboolean other;

  confine (self, &part);
  other = memcmp (&part, &self->part, sizeof part) != 0;
  self->part = part;
  if (!other)
    return;
  update_adjustment (self);
  changed (self);
  g_signal_emit (self, signals[WINDOW_CHANGED], 0);
}

/* Part of the way: widths are multiplied, and the start follows so that zooming keeps its fixed point. */
static void
on_animated (double value, gpointer data)
{
  CsFlameChart *self = data;
  CsFlamePart part = self->from;
  double travelled = value, way;

  if (value <= 0)
    return;
  if (value >= 1)
    {
      take_part (self, self->to);
      return;
    }
  part.width = self->from.width * pow (self->to.width / self->from.width, value);
  if (fabs (log (self->to.width / self->from.width)) > 1e-6)
    travelled = (part.width - self->from.width) / (self->to.width - self->from.width);
  way = get_difference (self->to.x0, self->from.x0) + self->to.fraction - self->from.fraction;
  shift (&part, way * travelled);
  part.y += (self->to.y - self->from.y) * value;
  take_part (self, part);
}

static void
stop_animation (CsFlameChart *self)
{
  adw_animation_pause (self->animation);
}

static gboolean
is_animated (CsFlameChart *self)
{
  return adw_animation_get_state (self->animation) == ADW_ANIMATION_PLAYING;
}

/* What is shown when the animation has ended. */
const CsFlamePart *
cs_flame_chart_get_target (CsFlameChart *self)
{
  return is_animated (self) ? &self->to : &self->part;
}

void
cs_flame_chart_show_part (CsFlameChart *self, const CsFlamePart *part, gboolean animate)
{
  CsFlamePart to = *part;

  confine (self, &to);
  stop_animation (self);
  if (!animate)
    {
      take_part (self, to);
      cs_flame_chart_update_description (self);
      return;
    }
  self->from = self->part;
  self->to = to;
  adw_animation_reset (self->animation);
  adw_animation_play (self->animation);
}

/* Scrolls so that rows are on view; the first of them in any case. */
static void
reveal_rows (CsFlameChart *self, CsFlamePart *part, guint32 first, guint32 n)
{
  double top = (double) first * self->row_height, bottom;

  n = MIN (n, self->n_rows - MIN (first, self->n_rows));
  bottom = top + (double) n * self->row_height;
  part->y = MAX (part->y, bottom - self->plot_height);
  part->y = MIN (part->y, top);
}

static void
get_focus_part (CsFlameChart *self, CsFlamePart *part)
{
  CsFlameWindow window = { 0 };
  double least = get_min_width (self);

  part->y = cs_flame_chart_get_target (self)->y;
  cs_flame_layout_focus (self->layout, self->focus, &window);
  part->x0 = window.x0;
  part->fraction = 0;
  part->width = (double) (window.x1 - window.x0);
  if (part->width < least)
    {
      shift (part, (part->width - least) / 2);
      part->width = least;
    }
  reveal_rows (self, part, self->focus_path->len - 1, FOCUS_ROWS);
}

/* A block is as wide as half the chart then. */
void
cs_flame_chart_show_block (CsFlameChart *self, const CsFlameRect *rect)
{
  CsFlamePart part = { .x0 = rect->start, .width = (double) rect->width * 2, .y = cs_flame_chart_get_target (self)->y };

  part.width = MAX (part.width, get_min_width (self));
  shift (&part, ((double) rect->width - part.width) / 2);
  reveal_rows (self, &part, rect->depth, FOCUS_ROWS);
  cs_flame_chart_show_part (self, &part, TRUE);
}

/* Brings the cursor's frame into view. */
static void
reveal (CsFlameChart *self, guint32 node)
{
  CsFlamePart part = *cs_flame_chart_get_target (self);
  CsFlameNode frame;
  double left, right, ns;

  cs_flame_layout_get_node (self->layout, node, &frame);
  reveal_rows (self, &part, frame.depth, 1);
  if (self->plot_width >= 1 && self->total > 0)
    {
      ns = part.width / self->plot_width;
      left = get_x (self, &part, frame.start);
      right = left + (double) frame.width / ns;
      if (right - left > self->plot_width)
        {
          if (left > self->plot_width - CS_FLAME_CHART_MIN_LABEL)
            shift (&part, left * ns);
          else if (right < CS_FLAME_CHART_MIN_LABEL)
            shift (&part, (right - self->plot_width) * ns);
        }
      else if (left < -0.5 || right > self->plot_width + 0.5)
        shift (&part, ((left + right) / 2 - self->plot_width / 2) * ns);
    }
  confine (self, &part);
  if (memcmp (&part, cs_flame_chart_get_target (self), sizeof part) != 0)
    cs_flame_chart_show_part (self, &part, TRUE);
}

void
cs_flame_chart_move_cursor (CsFlameChart *self, guint32 node, gboolean to_view)
{
  gboolean other = node != self->cursor;

  self->cursor = node;
  if (to_view && node != CS_FLAME_NONE)
    reveal (self, node);
  if (!other)
    return;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  cs_flame_chart_update_description (self);
  g_signal_emit (self, signals[CURSOR_CHANGED], 0);
}

void
cs_flame_chart_request_focus (CsFlameChart *self, guint32 node)
{
  g_signal_emit (self, signals[FOCUS_REQUESTED], 0, node);
}

void
cs_flame_chart_step_out (CsFlameChart *self)
{
  g_signal_emit (self, signals[STEP_OUT], 0);
}

void
cs_flame_chart_request_menu (CsFlameChart *self, guint32 node, double x, double y)
{
  g_signal_emit (self, signals[MENU_REQUESTED], 0, node, x, y);
}

/* Asks what is on view, unless that is known. */
void
cs_flame_chart_query (CsFlameChart *self)
{
  CsFlameWindow window;

  if (self->queried)
    return;
  self->queried = TRUE;
  g_array_set_size (self->rects, 0);
  if (self->layout == NULL || self->plot_width < 1 || self->plot_height < 1)
    return;
  cs_flame_chart_get_window (self, &window);
  cs_flame_layout_query (self->layout, &window, self->rects);
  if (self->total == 0 && window.depth0 == 0)
    {
      CsFlameRect root = { .n = 1 };

      g_array_append_val (self->rects, root);
    }
}

/* Where a rectangle is painted, without the part that is out of the plot at its sides: on whole device pixels, with a
 * gap to the next one. */
void
cs_flame_chart_place (CsFlameChart *self, const CsFlameRect *rect, graphene_rect_t *bounds)
{
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self)), end = self->plot_width, left = 0, right = end;
  double scrolled = round (self->part.y * scale) / scale, y;

  if (self->total > 0)
    {
      left = get_x (self, &self->part, rect->start);
      right = left + (double) rect->width / self->part.width * end;
    }
  left = round (CLAMP (left, 0, end) * scale) / scale;
  right = round (CLAMP (right, 0, end) * scale) / scale;
  if (right < end && right - left >= 2)
    right -= 1;
  if (right - left < 1)
    {
      left = CLAMP (left, 0, MAX (end - 1, 0));
      right = left + 1;
    }
  y = (double) rect->depth * self->row_height - scrolled;
  if (self->flame)
    y = self->plot_height - self->row_height - y;
  if (cs_flame_chart_is_rtl (self))
    {
      double swap = left;

      left = end - right;
      right = end - swap;
    }
  graphene_rect_init (bounds, (float) (self->plot_x + left), (float) y, (float) (right - left),
                      (float) (self->row_height - 1));
}

/* The rectangle that a frame is in, if it is on view. */
const CsFlameRect *
cs_flame_chart_find_rect (CsFlameChart *self, guint32 node)
{
  guint low = 0, high;

  cs_flame_chart_query (self);
  high = self->rects->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const CsFlameRect *rect = &g_array_index (self->rects, CsFlameRect, middle);

      if (rect->node <= node && node - rect->node < rect->n)
        return rect;
      if (rect->node < node)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

const CsFlameRect *
cs_flame_chart_find_rect_at (CsFlameChart *self, double x, double y)
{
  guint low = 0, high;
  double row, px = cs_flame_chart_get_start_x (self, x);
  guint32 depth;

  cs_flame_chart_query (self);
  if (px < 0 || px >= self->plot_width || y < 0 || y >= self->plot_height)
    return NULL;
  row = floor (((self->flame ? self->plot_height - y : y) + self->part.y) / self->row_height);
  if (row < 0 || row >= self->n_rows)
    return NULL;
  depth = (guint32) row;
  /* The last one in the row that begins before. */
  high = self->rects->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const CsFlameRect *rect = &g_array_index (self->rects, CsFlameRect, middle);

      if (rect->depth < depth || (rect->depth == depth && get_x (self, &self->part, rect->start) <= px))
        low = middle + 1;
      else
        high = middle;
    }
  if (low > 0)
    {
      const CsFlameRect *rect = &g_array_index (self->rects, CsFlameRect, low - 1);
      double left = get_x (self, &self->part, rect->start);

      if (rect->depth == depth &&
          (self->total == 0 || px < left + MAX ((double) rect->width / self->part.width * self->plot_width, 1)))
        return rect;
    }
  return NULL;
}

static void
on_scrolled (GtkAdjustment *adjustment, CsFlameChart *self)
{
  CsFlamePart part = self->part;

  if (self->adjusting)
    return;
  part.y = gtk_adjustment_get_value (adjustment);
  if (self->flame)
    part.y = get_max_y (self) - part.y;
  cs_flame_chart_show_part (self, &part, FALSE);
}

static int
measure_row (CsFlameChart *self)
{
  PangoFontMetrics *metrics = pango_context_get_metrics (gtk_widget_get_pango_context (GTK_WIDGET (self)), NULL, NULL);
  double height = pango_font_metrics_get_ascent (metrics) + pango_font_metrics_get_descent (metrics);

  pango_font_metrics_unref (metrics);
  return (int) ceil (height / PANGO_SCALE * CS_FLAME_CHART_LABEL_SCALE) + 6;
}

static void
cs_flame_chart_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  CsFlameChart *self = CS_FLAME_CHART (widget);
  gboolean needed;
  int bar;

  self->row_height = measure_row (self);
  self->plot_height = height;
  needed = get_max_y (self) > 0;
  gtk_widget_measure (self->scrollbar, GTK_ORIENTATION_HORIZONTAL, -1, &bar, NULL, NULL, NULL);
  gtk_widget_set_child_visible (self->scrollbar, needed);
  self->plot_width = needed ? MAX (width - bar, 0) : width;
  self->plot_x = needed && cs_flame_chart_is_rtl (self) ? width - self->plot_width : 0;
  if (needed)
    {
      GtkAllocation place = { self->plot_x > 0 ? 0 : (int) self->plot_width, 0, bar, height };

      gtk_widget_size_allocate (self->scrollbar, &place, -1);
    }
  confine (self, &self->part);
  update_adjustment (self);
  changed (self);
  if (self->readout != NULL)
    gtk_popover_present (GTK_POPOVER (self->readout));
}

static void
cs_flame_chart_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                        int *minimum_baseline, int *natural_baseline)
{
  CsFlameChart *self = CS_FLAME_CHART (widget);
  int bar, bar_natural;

  gtk_widget_measure (self->scrollbar, orientation, -1, &bar, &bar_natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 60 + bar;
      *natural = 400;
    }
  else
    {
      int row = measure_row (self);

      *minimum = MAX (2 * row, bar);
      *natural = MAX (12 * row, bar_natural);
    }
}

static void
cs_flame_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CsFlameChart *self = CS_FLAME_CHART (widget);

  cs_flame_chart_paint (self, snapshot);
  gtk_widget_snapshot_child (widget, self->scrollbar, snapshot);
  if (self->readout != NULL)
    gtk_widget_snapshot_child (widget, self->readout, snapshot);
}

static gboolean
cs_flame_chart_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;
  GdkRectangle area;

  /* For the keyboard there is the readout. */
  if (keyboard)
    return FALSE;
  text = cs_flame_chart_dup_tooltip (CS_FLAME_CHART (widget), x, y, &area);
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &area);
  return TRUE;
}

static void
cs_flame_chart_unmap (GtkWidget *widget)
{
  CsFlameChart *self = CS_FLAME_CHART (widget);

  cs_flame_chart_hide_readout (self);
  self->pointed = FALSE;
  GTK_WIDGET_CLASS (cs_flame_chart_parent_class)->unmap (widget);
}

static void
cs_flame_chart_root (GtkWidget *widget)
{
  AdwStyleManager *manager = adw_style_manager_get_for_display (gtk_widget_get_display (widget));

  GTK_WIDGET_CLASS (cs_flame_chart_parent_class)->root (widget);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), widget,
                           G_CONNECT_SWAPPED);
}

static void
cs_flame_chart_unroot (GtkWidget *widget)
{
  AdwStyleManager *manager = adw_style_manager_get_for_display (gtk_widget_get_display (widget));

  g_signal_handlers_disconnect_by_data (manager, widget);
  GTK_WIDGET_CLASS (cs_flame_chart_parent_class)->unroot (widget);
}

/* Fonts may be others. */
static void
cs_flame_chart_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (cs_flame_chart_parent_class)->css_changed (widget, change);
  gtk_widget_queue_resize (widget);
}

static void
clear_layout (CsFlameChart *self)
{
  gpointer data = g_steal_pointer (&self->data);
  GDestroyNotify destroy = self->destroy;

  self->destroy = NULL;
  self->texts = (CsFlameChartTexts){ 0 };
  g_clear_pointer (&self->layout, cs_flame_layout_unref);
  if (destroy != NULL)
    destroy (data);
}

static void
cs_flame_chart_dispose (GObject *object)
{
  CsFlameChart *self = CS_FLAME_CHART (object);

  if (self->animation != NULL)
    adw_animation_pause (self->animation);
  g_clear_object (&self->animation);
  g_clear_pointer (&self->readout, gtk_widget_unparent);
  g_clear_pointer (&self->scrollbar, gtk_widget_unparent);
  clear_layout (self);
  G_OBJECT_CLASS (cs_flame_chart_parent_class)->dispose (object);
}

static void
cs_flame_chart_finalize (GObject *object)
{
  CsFlameChart *self = CS_FLAME_CHART (object);

  g_array_unref (self->rects);
  g_array_unref (self->focus_path);
  cs_label_cache_free (self->labels);
  g_free (self->found);
  G_OBJECT_CLASS (cs_flame_chart_parent_class)->finalize (object);
}

static void
cs_flame_chart_class_init (CsFlameChartClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = cs_flame_chart_dispose;
  object_class->finalize = cs_flame_chart_finalize;
  widget_class->size_allocate = cs_flame_chart_size_allocate;
  widget_class->measure = cs_flame_chart_measure;
  widget_class->snapshot = cs_flame_chart_snapshot;
  widget_class->query_tooltip = cs_flame_chart_query_tooltip;
  widget_class->unmap = cs_flame_chart_unmap;
  widget_class->root = cs_flame_chart_root;
  widget_class->unroot = cs_flame_chart_unroot;
  widget_class->css_changed = cs_flame_chart_css_changed;

  /**
   * CsFlameChart::focus-requested:
   * @self: a chart
   * @node: a frame that was clicked, or had the cursor when Enter was pressed
   */
  signals[FOCUS_REQUESTED] = g_signal_new ("focus-requested", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  /**
   * CsFlameChart::step-out:
   *
   * Esc was pressed.
   */
  signals[STEP_OUT] = g_signal_new ("step-out", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
  /**
   * CsFlameChart::cursor-changed:
   *
   * Another frame is under the keyboard's cursor.
   */
  signals[CURSOR_CHANGED] = g_signal_new ("cursor-changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 0);
  /**
   * CsFlameChart::menu-requested:
   * @self: a chart
   * @node: a frame; CS_FLAME_NONE: there is none
   * @x: a place in the widget
   * @y: a place in the widget
   */
  signals[MENU_REQUESTED] = g_signal_new ("menu-requested", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 3, G_TYPE_UINT, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  /**
   * CsFlameChart::window-changed:
   *
   * It shows another part, or zoomed.
   */
  signals[WINDOW_CHANGED] = g_signal_new ("window-changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_css_name (widget_class, "flamechart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
cs_flame_chart_init (CsFlameChart *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  self->row_height = 24;
  self->cursor = self->told_node = CS_FLAME_NONE;
  self->rects = g_array_new (FALSE, FALSE, sizeof (CsFlameRect));
  self->focus_path = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->labels = cs_label_cache_new (widget, CS_FLAME_CHART_LABEL_SCALE);
  self->adjustment = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  self->scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, self->adjustment);
  gtk_widget_set_parent (self->scrollbar, widget);
  g_signal_connect (self->adjustment, "value-changed", G_CALLBACK (on_scrolled), self);
  self->animation = adw_timed_animation_new (widget, 0, 1, ANIMATION_MS,
                                             adw_callback_animation_target_new (on_animated, self, NULL));
  g_signal_connect_swapped (self->animation, "done", G_CALLBACK (cs_flame_chart_update_description), self);
  show_whole (self);
  cs_flame_chart_set_focus (self, 0, FALSE);
  cs_flame_chart_add_controllers (self);
  cs_flame_chart_update_accessible (self);
}

/**
 * cs_flame_chart_new:
 *
 * Returns: (transfer floating): a chart of nothing
 */
GtkWidget *
cs_flame_chart_new (void)
{
  return g_object_new (CS_TYPE_FLAME_CHART, NULL);
}

/**
 * cs_flame_chart_set_layout:
 * @self: a chart
 * @layout: (nullable) (transfer none): what it shows
 * @texts: (nullable): what is said of frames; any of them may be %NULL
 * @data: for @texts
 * @destroy: (nullable): called with @data when it isn't needed any more
 *
 * Shows all of another graph, with the root in focus, and nothing under the cursor or found.
 */
void
cs_flame_chart_set_layout (CsFlameChart *self, CsFlameLayout *layout, const CsFlameChartTexts *texts, gpointer data,
                           GDestroyNotify destroy)
{
  gboolean had_cursor;

  g_return_if_fail (CS_IS_FLAME_CHART (self));

  if (layout != NULL)
    cs_flame_layout_ref (layout);
  stop_animation (self);
  cs_flame_chart_hide_readout (self);
  clear_layout (self);
  self->layout = layout;
  if (texts != NULL)
    self->texts = *texts;
  self->data = data;
  self->destroy = destroy;
  self->total = layout != NULL ? cs_flame_layout_get_total (layout) : 0;
  self->n_rows = layout != NULL ? cs_flame_layout_get_n_rows (layout) : 0;
  had_cursor = self->cursor != CS_FLAME_NONE;
  self->cursor = CS_FLAME_NONE;
  g_clear_pointer (&self->found, g_free);
  self->n_found = 0;
  show_whole (self);
  cs_flame_chart_set_focus (self, 0, FALSE);
  changed (self);
  update_adjustment (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  cs_flame_chart_update_accessible (self);
  g_signal_emit (self, signals[WINDOW_CHANGED], 0);
  if (had_cursor)
    g_signal_emit (self, signals[CURSOR_CHANGED], 0);
}

/**
 * cs_flame_chart_get_layout:
 * @self: a chart
 *
 * Returns: (transfer none) (nullable): what it shows
 */
CsFlameLayout *
cs_flame_chart_get_layout (CsFlameChart *self)
{
  g_return_val_if_fail (CS_IS_FLAME_CHART (self), NULL);
  return self->layout;
}

/**
 * cs_flame_chart_set_flame:
 * @self: a chart
 * @flame: whether the root is at the bottom; at the top otherwise
 */
void
cs_flame_chart_set_flame (CsFlameChart *self, gboolean flame)
{
  g_return_if_fail (CS_IS_FLAME_CHART (self));

  if (self->flame == !!flame)
    return;
  self->flame = !!flame;
  cs_flame_chart_hide_readout (self);
  update_adjustment (self);
  changed (self);
  cs_flame_chart_update_accessible (self);
}

/**
 * cs_flame_chart_set_focus:
 * @self: a chart
 * @node: a frame, which gets the full width; 0: the root
 * @animate: whether to move there
 */
void
cs_flame_chart_set_focus (CsFlameChart *self, guint32 node, gboolean animate)
{
  g_return_if_fail (CS_IS_FLAME_CHART (self));

  if (self->layout == NULL)
    {
      self->focus = 0;
      g_array_set_size (self->focus_path, 0);
      return;
    }
  g_return_if_fail (node < cs_flame_layout_get_n_nodes (self->layout));
  self->focus = node;
  cs_flame_layout_get_path (self->layout, node, self->focus_path);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  cs_flame_chart_fit (self, animate);
}

/**
 * cs_flame_chart_get_focus:
 * @self: a chart
 *
 * Returns: the frame that has the full width when all is fit; 0: the root
 */
guint32
cs_flame_chart_get_focus (CsFlameChart *self)
{
  g_return_val_if_fail (CS_IS_FLAME_CHART (self), 0);
  return self->focus;
}

/**
 * cs_flame_chart_set_cursor:
 * @self: a chart
 * @node: a frame, which is brought into view; CS_FLAME_NONE: none
 */
void
cs_flame_chart_set_cursor (CsFlameChart *self, guint32 node)
{
  g_return_if_fail (CS_IS_FLAME_CHART (self));
  g_return_if_fail (node == CS_FLAME_NONE ||
                    (self->layout != NULL && node < cs_flame_layout_get_n_nodes (self->layout)));
  cs_flame_chart_hide_readout (self);
  cs_flame_chart_move_cursor (self, node, TRUE);
}

/**
 * cs_flame_chart_get_cursor:
 * @self: a chart
 *
 * Returns: the frame under the keyboard's cursor, or CS_FLAME_NONE
 */
guint32
cs_flame_chart_get_cursor (CsFlameChart *self)
{
  g_return_val_if_fail (CS_IS_FLAME_CHART (self), CS_FLAME_NONE);
  return self->cursor;
}

/**
 * cs_flame_chart_set_found:
 * @self: a chart
 * @nodes: (nullable) (array length=n) (transfer none): frames that a search found, ascending
 * @n: how many
 *
 * Emphasises frames.
 */
void
cs_flame_chart_set_found (CsFlameChart *self, const guint32 *nodes, guint n)
{
  g_return_if_fail (CS_IS_FLAME_CHART (self));

  g_free (self->found);
  self->found = n > 0 ? g_memdup2 (nodes, (gsize) n * sizeof *nodes) : NULL;
  self->n_found = n;
  changed (self);
}

/**
 * cs_flame_chart_zoom:
 * @self: a chart
 * @x: pixels from the start, of what stays where it is; negative: the middle
 * @factor: more than 1: nearer
 * @animate: whether to move there
 */
void
cs_flame_chart_zoom (CsFlameChart *self, double x, double factor, gboolean animate)
{
  CsFlamePart part;
  double width;

  g_return_if_fail (CS_IS_FLAME_CHART (self));
  g_return_if_fail (factor > 0);

  if (self->layout == NULL || self->plot_width < 1)
    return;
  part = animate ? *cs_flame_chart_get_target (self) : self->part;
  if (x < 0)
    x = self->plot_width / 2;
  width = CLAMP (part.width / factor, get_min_width (self), (double) MAX (self->total, 1));
  shift (&part, MIN (x / self->plot_width, 1) * (part.width - width));
  part.width = width;
  cs_flame_chart_show_part (self, &part, animate);
}

/**
 * cs_flame_chart_pan:
 * @self: a chart
 * @dx: pixels; positive: what lies farther from the start comes into view
 * @dy: pixels; positive: what lies farther from the root comes into view
 */
void
cs_flame_chart_pan (CsFlameChart *self, double dx, double dy)
{
  CsFlamePart part;

  g_return_if_fail (CS_IS_FLAME_CHART (self));

  if (self->layout == NULL || self->plot_width < 1)
    return;
  part = self->part;
  shift (&part, dx / self->plot_width * part.width);
  part.y += dy;
  cs_flame_chart_show_part (self, &part, FALSE);
}

/**
 * cs_flame_chart_fit:
 * @self: a chart
 * @animate: whether to move there
 *
 * Shows the frame in focus at the full width.
 */
void
cs_flame_chart_fit (CsFlameChart *self, gboolean animate)
{
  CsFlamePart part;

  g_return_if_fail (CS_IS_FLAME_CHART (self));

  if (self->layout == NULL)
    return;
  get_focus_part (self, &part);
  cs_flame_chart_show_part (self, &part, animate);
}

/**
 * cs_flame_chart_get_window:
 * @self: a chart
 * @window: (out): what it shows, in whole nanoseconds and rows
 */
void
cs_flame_chart_get_window (CsFlameChart *self, CsFlameWindow *window)
{
  g_return_if_fail (CS_IS_FLAME_CHART (self));

  *window = (CsFlameWindow){
    .x0 = self->part.x0,
    .min_pixels = CS_FLAME_CHART_MIN_PIXELS,
    .max_rects = self->n_found > 0 ? CS_FLAME_CHART_MAX_RECTS / 2 : CS_FLAME_CHART_MAX_RECTS,
  };
  if (self->layout == NULL)
    return;
  window->x1 = MIN (self->part.x0 + (guint64) ceil (self->part.fraction + self->part.width), self->total);
  window->pixels = (double) (window->x1 - window->x0) / self->part.width * self->plot_width;
  window->depth0 = (guint32) (self->part.y / self->row_height);
  window->depth1 = (guint32) MIN (ceil ((self->part.y + self->plot_height) / self->row_height), self->n_rows);
}

/**
 * cs_flame_chart_hit:
 * @self: a chart
 * @x: a place in the widget
 * @y: a place in the widget
 *
 * Returns: the frame that is painted there, or one of the block there; CS_FLAME_NONE: there is none
 */
guint32
cs_flame_chart_hit (CsFlameChart *self, double x, double y)
{
  const CsFlameRect *rect;

  g_return_val_if_fail (CS_IS_FLAME_CHART (self), CS_FLAME_NONE);
  rect = cs_flame_chart_find_rect_at (self, x, y);
  return rect != NULL ? rect->node : CS_FLAME_NONE;
}

/**
 * cs_flame_chart_get_stats:
 * @self: a chart
 *
 * Returns: (transfer none): what the last frame took
 */
const CsFlameChartStats *
cs_flame_chart_get_stats (CsFlameChart *self)
{
  g_return_val_if_fail (CS_IS_FLAME_CHART (self), NULL);
  return &self->stats;
}
