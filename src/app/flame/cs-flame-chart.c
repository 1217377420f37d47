/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "flame/cs-flame-chart-private.h"
#include "shared/cs-format.h"

#define ANIMATION_MS 200
#define ROW_PADDING 8
enum { FOCUS_REQUESTED, STEP_OUT, CURSOR_CHANGED, MENU_REQUESTED, WINDOW_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsFlameChart, cs_flame_chart, GTK_TYPE_WIDGET)

gboolean
cs_flame_chart_is_rtl (CsFlameChart *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

void
cs_flame_chart_move_cursor (CsFlameChart *self, guint32 node, gboolean to_view)
{
  gboolean other = node != self->cursor;

  self->cursor = node;
  if (to_view && node != CS_FLAME_NONE)
    cs_flame_chart_reveal (self, node, TRUE);
  if (!other)
    return;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  cs_flame_chart_update_description (self);
  g_signal_emit (self, signals[CURSOR_CHANGED], 0);
}

void
cs_flame_chart_tell_window (CsFlameChart *self)
{
  g_signal_emit (self, signals[WINDOW_CHANGED], 0);
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

static void
on_scrolled (GtkAdjustment *adjustment, CsFlameChart *self)
{
  CsFlamePart part = self->part;

  if (self->adjusting)
    return;
  part.y = gtk_adjustment_get_value (adjustment);
  if (self->flame)
    part.y = cs_flame_chart_get_max_y (self) - part.y;
  cs_flame_chart_show_part (self, &part, FALSE);
}

static int
measure_row (CsFlameChart *self)
{
  PangoFontMetrics *metrics = pango_context_get_metrics (gtk_widget_get_pango_context (GTK_WIDGET (self)), NULL, NULL);
  double height = pango_font_metrics_get_ascent (metrics) + pango_font_metrics_get_descent (metrics);

  pango_font_metrics_unref (metrics);
  return (int) ceil (height / PANGO_SCALE * CS_FLAME_CHART_LABEL_SCALE) + ROW_PADDING;
}

static void
cs_flame_chart_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  CsFlameChart *self = CS_FLAME_CHART (widget);
  gboolean needed, first = !self->placed;
  int bar;

  self->row_height = measure_row (self);
  self->plot_height = height;
  needed = cs_flame_chart_get_max_y (self) > 0;
  gtk_widget_measure (self->scrollbar, GTK_ORIENTATION_HORIZONTAL, -1, &bar, NULL, NULL, NULL);
  gtk_widget_set_child_visible (self->scrollbar, needed);
  self->plot_width = needed ? MAX (width - bar, 0) : width;
  self->plot_x = needed && cs_flame_chart_is_rtl (self) ? width - self->plot_width : 0;
  self->placed = self->plot_width >= 1 && self->plot_height >= 1;
  cs_flame_chart_confine (self, &self->part);
  /* What was asked for when nobody knew where it would be. */
  if (first && self->placed && self->layout != NULL)
    {
      cs_flame_chart_fit (self, FALSE);
      if (self->cursor != CS_FLAME_NONE)
        cs_flame_chart_reveal (self, self->cursor, FALSE);
    }
  /* Before the scrollbar gets its place, which depends on it. */
  cs_flame_chart_update_adjustment (self);
  cs_flame_chart_changed (self);
  if (needed)
    {
      GtkAllocation place = { self->plot_x > 0 ? 0 : (int) self->plot_width, 0, bar, height };

      gtk_widget_size_allocate (self->scrollbar, &place, -1);
    }
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
  if (self->plain)
    return;
  gtk_widget_snapshot_child (widget, self->scrollbar, snapshot);
  if (self->readout != NULL)
    gtk_widget_snapshot_child (widget, self->readout, snapshot);
}

static gboolean
cs_flame_chart_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;
  GdkRectangle area;

  /* For the keyboard there is the readout. */
  if (keyboard)
    return FALSE;
  text = cs_flame_chart_dup_tooltip (CS_FLAME_CHART (widget), x, y, &area);
  if (text == NULL)
    return FALSE;
  shown = cs_format_tooltip (text);
  gtk_tooltip_set_text (tooltip, shown);
  gtk_tooltip_set_tip_area (tooltip, &area);
  return TRUE;
}

static void
cs_flame_chart_unmap (GtkWidget *widget)
{
  CsFlameChart *self = CS_FLAME_CHART (widget);

  cs_flame_chart_hide_readout (self);
  /* GTK tells of no end of what the pointer was doing. */
  self->pointed = FALSE;
  cs_flame_chart_end_drag (self);
  GTK_WIDGET_CLASS (cs_flame_chart_parent_class)->unmap (widget);
}

static void
cs_flame_chart_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (cs_flame_chart_parent_class)->root (widget);
  cs_chart_colors_follow (widget, G_CALLBACK (cs_flame_chart_changed));
}

static void
cs_flame_chart_unroot (GtkWidget *widget)
{
  cs_chart_colors_unfollow (widget);
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
  g_array_set_size (self->rects, 0);
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
  g_clear_handle_id (&self->refine, g_source_remove);
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
   * @node: a frame; CS_FLAME_NONE: there is none, or a block of several
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
  self->scale = 1;
  self->cursor = self->told_node = CS_FLAME_NONE;
  self->rects = g_array_new (FALSE, FALSE, sizeof (CsFlameRect));
  self->focus_path = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->labels = cs_label_cache_new (widget, CS_FLAME_CHART_LABEL_SCALE);
  self->adjustment = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  self->scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, self->adjustment);
  gtk_widget_set_parent (self->scrollbar, widget);
  g_signal_connect (self->adjustment, "value-changed", G_CALLBACK (on_scrolled), self);
  self->animation = adw_timed_animation_new (widget, 0, 1, ANIMATION_MS,
                                             adw_callback_animation_target_new (cs_flame_chart_move, self, NULL));
  g_signal_connect_swapped (self->animation, "done", G_CALLBACK (cs_flame_chart_update_description), self);
  cs_flame_chart_show_whole (self);
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
 * Shows all of another graph, with the root in focus, and nothing under the cursor or found. For more of what was
 * shown there is cs_flame_chart_get_place().
 */
void
cs_flame_chart_set_layout (CsFlameChart *self, CsFlameLayout *layout, const CsFlameChartTexts *texts, gpointer data,
                           GDestroyNotify destroy)
{
  gboolean had_cursor;

  g_return_if_fail (CS_IS_FLAME_CHART (self));

  if (layout != NULL)
    cs_flame_layout_ref (layout);
  cs_flame_chart_stop (self);
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
  cs_flame_chart_show_whole (self);
  cs_flame_chart_set_focus (self, 0, FALSE);
  cs_flame_chart_changed (self);
  cs_flame_chart_update_adjustment (self);
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
  cs_flame_chart_update_adjustment (self);
  cs_flame_chart_changed (self);
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
  cs_flame_chart_changed (self);
}

/**
 * cs_flame_chart_set_plain:
 * @self: a chart
 * @plain: whether to paint frames only: for a picture, in which nobody points or walks
 */
void
cs_flame_chart_set_plain (CsFlameChart *self, gboolean plain)
{
  g_return_if_fail (CS_IS_FLAME_CHART (self));
  self->plain = plain;
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
