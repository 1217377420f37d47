/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "charts/cs-range-chart-private.h"

#define HANDLE_WIDTH 6
#define HANDLE_HEIGHT 16

enum { PROP_RANGE_FROM = 1, PROP_RANGE_TO, N_PROPS };
enum { RANGE_CHANGED, RANGE_DRAGGING, N_SIGNALS };

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (CsRangeChart, cs_range_chart, GTK_TYPE_WIDGET)

CsRangeChartPrivate *
cs_range_chart_get_private (CsRangeChart *self)
{
  return cs_range_chart_get_instance_private (self);
}

static gboolean
is_rtl (CsRangeChart *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

/**
 * cs_range_chart_place:
 * @self: a chart
 * @plot: where its axis is
 * @x: pixels from the axis's start
 * @width: how wide
 * @y: pixels from the plot's top
 * @height: how high
 * @rect: (out): where that is in the widget: from the right where text runs to the left
 */
void
cs_range_chart_place (CsRangeChart *self, const graphene_rect_t *plot, double x, double width, double y,
                      double height, graphene_rect_t *rect)
{
  if (is_rtl (self))
    x = plot->size.width - x - width;
  graphene_rect_init (rect, (float) (plot->origin.x + x), (float) (plot->origin.y + y), (float) width,
                      (float) height);
}

/* Pixels from the axis's start, of a place in the widget; within the axis. */
double
cs_range_chart_get_axis_x (CsRangeChart *self, double x)
{
  graphene_rect_t plot;
  guint64 first, end;

  if (!CS_RANGE_CHART_GET_CLASS (self)->get_axis (self, &plot, &first, &end))
    return 0;
  x -= plot.origin.x;
  if (is_rtl (self))
    x = plot.size.width - x;
  return CLAMP (x, 0, plot.size.width);
}

/**
 * cs_range_chart_create_label:
 * @self: a chart
 * @text: its text
 *
 * Returns: (transfer full): a caption's layout
 */
PangoLayout *
cs_range_chart_create_label (CsRangeChart *self, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.82));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  return layout;
}

/**
 * cs_range_chart_paint_label:
 * @self: a chart
 * @snapshot: where to paint
 * @layout: the label
 * @x: its left edge in the widget
 * @y: its upper edge
 * @color: its colour
 */
void
cs_range_chart_paint_label (CsRangeChart *self, GtkSnapshot *snapshot, PangoLayout *layout, double x, double y,
                            const GdkRGBA *color)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

/* Tells assistive technology what is shown, selected and under the cursor. */
void
cs_range_chart_update_accessible (CsRangeChart *self)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  CsRangeChartClass *class = CS_RANGE_CHART_GET_CLASS (self);
  g_autofree char *label = class->describe (self);
  g_autoptr (GString) description = g_string_new (NULL);
  graphene_rect_t plot;
  guint64 first, end;

  if (class->get_axis (self, &plot, &first, &end))
    {
      if (priv->has_cursor)
        {
          g_autofree char *text = class->describe_value (self, priv->cursor);

          g_string_append (description, text);
        }
      if (priv->shown_from < priv->shown_to)
        {
          g_autofree char *text = class->describe_range (self, priv->shown_from, priv->shown_to);

          g_string_append_printf (description, "%s%s", description->len > 0 ? "\n" : "", text);
        }
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description->str, -1);
}

/**
 * cs_range_chart_changed:
 * @self: a chart whose data changed
 *
 * Paints it again and describes it anew. A range stays: it is a range of values, not of what is shown.
 */
void
cs_range_chart_changed (CsRangeChart *self)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  graphene_rect_t plot;
  guint64 first, end;

  if (!priv->pressed)
    cs_range_chart_hide_readout (self);
  if (!CS_RANGE_CHART_GET_CLASS (self)->get_axis (self, &plot, &first, &end))
    {
      priv->has_cursor = FALSE;
      cs_range_chart_cancel (self);
    }
  else if (priv->has_cursor)
    priv->cursor = CLAMP (priv->cursor, first, end);
  cs_range_chart_update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What is selected while it is being selected. */
void
cs_range_chart_show_range (CsRangeChart *self, guint64 from, guint64 to)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);

  if (from >= to)
    from = to = 0;
  if (priv->shown_from == from && priv->shown_to == to)
    return;
  priv->shown_from = from;
  priv->shown_to = to;
  cs_range_chart_update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[RANGE_DRAGGING], 0, from, to);
}

static gboolean
take_range (CsRangeChart *self, guint64 from, guint64 to)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  gboolean other_from, other_to;

  if (from >= to)
    from = to = 0;
  other_from = priv->from != from;
  other_to = priv->to != to;
  priv->from = priv->shown_from = from;
  priv->to = priv->shown_to = to;
  priv->changing = FALSE;
  if (!other_from && !other_to)
    return FALSE;
  g_object_freeze_notify (G_OBJECT (self));
  if (other_from)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RANGE_FROM]);
  if (other_to)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RANGE_TO]);
  g_object_thaw_notify (G_OBJECT (self));
  return TRUE;
}

/**
 * cs_range_chart_set_range:
 * @self: a chart
 * @from: ns: where the range begins
 * @to: ns: where it ends; not after @from: there is none
 *
 * Selects a range. Ends what the person was doing to it. "range-changed" isn't emitted: that tells what the person did.
 */
void
cs_range_chart_set_range (CsRangeChart *self, guint64 from, guint64 to)
{
  CsRangeChartPrivate *priv;
  gboolean changing;

  g_return_if_fail (CS_IS_RANGE_CHART (self));

  priv = cs_range_chart_get_private (self);
  cs_range_chart_cancel (self);
  priv->has_anchor = FALSE;
  changing = priv->changing;
  if (!take_range (self, from, to) && !changing)
    return;
  cs_range_chart_update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cs_range_chart_get_range:
 * @self: a chart
 * @from: (out) (optional): ns: where the range begins
 * @to: (out) (optional): ns: where it ends, exclusive; the largest number is included
 *
 * Returns: %FALSE when none is selected; both are 0 then
 */
gboolean
cs_range_chart_get_range (CsRangeChart *self, guint64 *from, guint64 *to)
{
  CsRangeChartPrivate *priv;

  g_return_val_if_fail (CS_IS_RANGE_CHART (self), FALSE);

  priv = cs_range_chart_get_private (self);
  if (from != NULL)
    *from = priv->from;
  if (to != NULL)
    *to = priv->to;
  return priv->from < priv->to;
}

/**
 * cs_range_chart_get_shown_range:
 * @self: a chart
 * @from: (out) (optional): ns: where the range begins
 * @to: (out) (optional): ns: where it ends, exclusive
 *
 * The range as it is painted, also while the person is changing it.
 *
 * Returns: %FALSE when there is none
 */
gboolean
cs_range_chart_get_shown_range (CsRangeChart *self, guint64 *from, guint64 *to)
{
  CsRangeChartPrivate *priv;

  g_return_val_if_fail (CS_IS_RANGE_CHART (self), FALSE);

  priv = cs_range_chart_get_private (self);
  if (from != NULL)
    *from = priv->shown_from;
  if (to != NULL)
    *to = priv->shown_to;
  return priv->shown_from < priv->shown_to;
}

/**
 * cs_range_chart_get_cursor:
 * @self: a chart
 * @value: (out) (optional): ns: where the cursor is
 *
 * Returns: %FALSE when there is no cursor yet
 */
gboolean
cs_range_chart_get_cursor (CsRangeChart *self, guint64 *value)
{
  CsRangeChartPrivate *priv;

  g_return_val_if_fail (CS_IS_RANGE_CHART (self), FALSE);

  priv = cs_range_chart_get_private (self);
  if (value != NULL)
    *value = priv->cursor;
  return priv->has_cursor;
}

/**
 * cs_range_chart_commit:
 * @self: a chart
 *
 * Ends what keys were doing to the range, as releasing the key and leaving the chart do: what is shown is selected,
 * and "range-changed" is emitted if that is another range.
 */
void
cs_range_chart_commit (CsRangeChart *self)
{
  CsRangeChartPrivate *priv;

  g_return_if_fail (CS_IS_RANGE_CHART (self));

  priv = cs_range_chart_get_private (self);
  if (take_range (self, priv->shown_from, priv->shown_to))
    g_signal_emit (self, signals[RANGE_CHANGED], 0);
}

/* Where the range or the cursor is on the axis. */
static void
get_extent (CsRangeChart *self, const graphene_rect_t *plot, guint64 from, guint64 to, graphene_rect_t *rect)
{
  CsRangeChartClass *class = CS_RANGE_CHART_GET_CLASS (self);
  double x0 = class->get_x (self, from), x1 = class->get_x (self, to);

  cs_range_chart_place (self, plot, x0, MAX (x1 - x0, 0), 0, plot->size.height, rect);
}

static void
paint_handle (GtkSnapshot *snapshot, const CsChartColors *colors, const graphene_rect_t *plot, double x)
{
  double height = MIN (HANDLE_HEIGHT, plot->size.height);
  double y = plot->origin.y + (plot->size.height - height) / 2;
  GskRoundedRect grip;
  graphene_rect_t rect;
  GdkRGBA edge = colors->colors[CS_CHART_BACKGROUND];

  graphene_rect_init (&rect, (float) x - 1, plot->origin.y, 2, plot->size.height);
  gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_HANDLE], &rect);
  graphene_rect_init (&rect, (float) (x - HANDLE_WIDTH / 2.0), (float) y, HANDLE_WIDTH, (float) height);
  gsk_rounded_rect_init_from_rect (&grip, &rect, HANDLE_WIDTH / 2.0f);
  gtk_snapshot_push_rounded_clip (snapshot, &grip);
  gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_HANDLE], &rect);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_border (snapshot, &grip, (float[4]){ 1, 1, 1, 1 },
                              (GdkRGBA[4]){ edge, edge, edge, edge });
}

static void
paint_range (CsRangeChart *self, GtkSnapshot *snapshot, const CsChartColors *colors, const graphene_rect_t *plot)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  graphene_rect_t rect;

  if (!(priv->shown_from < priv->shown_to))
    return;
  get_extent (self, plot, priv->shown_from, priv->shown_to, &rect);
  gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_BAND], &rect);
  paint_handle (snapshot, colors, plot, round (rect.origin.x));
  paint_handle (snapshot, colors, plot, round (rect.origin.x + rect.size.width));
}

static void
paint_cursor (CsRangeChart *self, GtkSnapshot *snapshot, const CsChartColors *colors, const graphene_rect_t *plot)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  const GdkRGBA *color = &colors->colors[CS_CHART_TEXT];
  graphene_rect_t rect;
  GskRoundedRect outline;
  guint64 from, to;

  if (!priv->has_cursor || !gtk_widget_has_focus (GTK_WIDGET (self)))
    return;
  CS_RANGE_CHART_GET_CLASS (self)->get_bin (self, priv->cursor, &from, &to);
  get_extent (self, plot, from, to, &rect);
  if (rect.size.width < 3)
    {
      rect.origin.x += rect.size.width / 2 - 1;
      rect.size.width = 2;
      gtk_snapshot_append_color (snapshot, color, &rect);
      return;
    }
  gsk_rounded_rect_init_from_rect (&outline, &rect, 2);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){ 1.5f, 1.5f, 1.5f, 1.5f },
                              (GdkRGBA[4]){ *color, *color, *color, *color });
}

static void
cs_range_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CsRangeChart *self = CS_RANGE_CHART (widget);
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  graphene_rect_t plot;
  CsChartColors colors;
  guint64 first, end;

  cs_chart_colors_load (&colors, widget);
  CS_RANGE_CHART_GET_CLASS (self)->paint (self, snapshot, &colors);
  if (CS_RANGE_CHART_GET_CLASS (self)->get_axis (self, &plot, &first, &end))
    {
      paint_range (self, snapshot, &colors, &plot);
      paint_cursor (self, snapshot, &colors, &plot);
    }
  if (priv->readout != NULL)
    gtk_widget_snapshot_child (widget, priv->readout, snapshot);
}

static void
cs_range_chart_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (CS_RANGE_CHART (widget));

  if (priv->readout != NULL)
    gtk_popover_present (GTK_POPOVER (priv->readout));
}

static void
get_pointing_to (CsRangeChart *self, gboolean of_cursor, GdkRectangle *pointing_to)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  CsRangeChartClass *class = CS_RANGE_CHART_GET_CLASS (self);
  guint64 first, end, from = priv->shown_from, to = priv->shown_to;
  graphene_rect_t plot, rect;

  class->get_axis (self, &plot, &first, &end);
  if (of_cursor)
    class->get_bin (self, priv->cursor, &from, &to);
  get_extent (self, &plot, from, to, &rect);
  *pointing_to = (GdkRectangle){ (int) rect.origin.x, (int) rect.origin.y, (int) MAX (rect.size.width, 1),
                                 (int) rect.size.height };
}

/* Shows what is at the cursor, or in the range, as a tooltip would at the pointer. */
void
cs_range_chart_show_readout (CsRangeChart *self, gboolean of_cursor)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);
  CsRangeChartClass *class = CS_RANGE_CHART_GET_CLASS (self);
  g_autofree char *text = NULL;
  GdkRectangle pointing_to;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (priv->readout == NULL)
    {
      priv->readout_label = gtk_label_new (NULL);
      priv->readout = gtk_popover_new ();
      gtk_popover_set_child (GTK_POPOVER (priv->readout), priv->readout_label);
      gtk_popover_set_autohide (GTK_POPOVER (priv->readout), FALSE);
      gtk_popover_set_position (GTK_POPOVER (priv->readout), GTK_POS_BOTTOM);
      gtk_widget_set_can_focus (priv->readout, FALSE);
      gtk_widget_set_can_target (priv->readout, FALSE);
      gtk_widget_add_css_class (priv->readout, "readout");
      gtk_widget_set_parent (priv->readout, GTK_WIDGET (self));
    }
  text = of_cursor ? class->describe_value (self, priv->cursor)
                   : class->describe_range (self, priv->shown_from, priv->shown_to);
  gtk_label_set_text (GTK_LABEL (priv->readout_label), text);
  get_pointing_to (self, of_cursor, &pointing_to);
  gtk_popover_set_pointing_to (GTK_POPOVER (priv->readout), &pointing_to);
  gtk_popover_popup (GTK_POPOVER (priv->readout));
}

void
cs_range_chart_hide_readout (CsRangeChart *self)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (self);

  if (priv->readout != NULL)
    gtk_popover_popdown (GTK_POPOVER (priv->readout));
}

static void
cs_range_chart_unmap (GtkWidget *widget)
{
  cs_range_chart_hide_readout (CS_RANGE_CHART (widget));
  /* GTK tells of no end of what the pointer was doing. */
  cs_range_chart_cancel (CS_RANGE_CHART (widget));
  GTK_WIDGET_CLASS (cs_range_chart_parent_class)->unmap (widget);
}

static void
cs_range_chart_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (cs_range_chart_parent_class)->root (widget);
  cs_chart_colors_follow (widget, G_CALLBACK (gtk_widget_queue_draw));
}

static void
cs_range_chart_unroot (GtkWidget *widget)
{
  cs_chart_colors_unfollow (widget);
  GTK_WIDGET_CLASS (cs_range_chart_parent_class)->unroot (widget);
}

/* Fonts may be others. */
static void
cs_range_chart_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (cs_range_chart_parent_class)->css_changed (widget, change);
  gtk_widget_queue_resize (widget);
}

static gboolean
cs_range_chart_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = cs_range_chart_dup_tooltip (CS_RANGE_CHART (widget), x, y);

  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/**
 * cs_range_chart_dup_tooltip:
 * @self: a chart
 * @x: a place in the widget
 * @y: a place in the widget
 *
 * Returns: (transfer full) (nullable): what the tooltip says there
 */
char *
cs_range_chart_dup_tooltip (CsRangeChart *self, double x, double y)
{
  CsRangeChartClass *class;
  graphene_rect_t plot;
  guint64 first, end, value;

  g_return_val_if_fail (CS_IS_RANGE_CHART (self), NULL);

  class = CS_RANGE_CHART_GET_CLASS (self);
  if (!class->get_axis (self, &plot, &first, &end) ||
      !graphene_rect_contains_point (&plot, &GRAPHENE_POINT_INIT ((float) x, (float) y)))
    return NULL;
  value = class->get_value (self, cs_range_chart_get_axis_x (self, x));
  return class->describe_point != NULL ? class->describe_point (self, value, y)
                                       : class->describe_value (self, value);
}

static void
cs_range_chart_dispose (GObject *object)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (CS_RANGE_CHART (object));

  g_clear_pointer (&priv->readout, gtk_widget_unparent);
  G_OBJECT_CLASS (cs_range_chart_parent_class)->dispose (object);
}

static void
cs_range_chart_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CsRangeChartPrivate *priv = cs_range_chart_get_private (CS_RANGE_CHART (object));

  switch (id)
    {
    case PROP_RANGE_FROM:
      g_value_set_uint64 (value, priv->from);
      break;
    case PROP_RANGE_TO:
      g_value_set_uint64 (value, priv->to);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
cs_range_chart_class_init (CsRangeChartClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = cs_range_chart_dispose;
  object_class->get_property = cs_range_chart_get_property;
  widget_class->snapshot = cs_range_chart_snapshot;
  widget_class->size_allocate = cs_range_chart_size_allocate;
  widget_class->unmap = cs_range_chart_unmap;
  widget_class->root = cs_range_chart_root;
  widget_class->unroot = cs_range_chart_unroot;
  widget_class->css_changed = cs_range_chart_css_changed;
  widget_class->query_tooltip = cs_range_chart_query_tooltip;

  /**
   * CsRangeChart:range-from:
   *
   * ns: where the selected range begins. Without a range this and "range-to" are 0.
   */
  properties[PROP_RANGE_FROM] = g_param_spec_uint64 ("range-from", NULL, NULL, 0, G_MAXUINT64, 0,
                                                     G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  /**
   * CsRangeChart:range-to:
   *
   * ns: where the selected range ends, exclusive; the largest number is included.
   */
  properties[PROP_RANGE_TO] = g_param_spec_uint64 ("range-to", NULL, NULL, 0, G_MAXUINT64, 0,
                                                   G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * CsRangeChart::range-changed:
   *
   * The person selected another range, or none. Emitted when a drag has ended or keys were released.
   */
  signals[RANGE_CHANGED] = g_signal_new ("range-changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 0);
  /**
   * CsRangeChart::range-dragging:
   * @self: a chart
   * @from: ns: where the range would begin
   * @to: ns: where it would end
   *
   * The person is selecting. The properties don't change yet.
   */
  signals[RANGE_DRAGGING] = g_signal_new ("range-dragging", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_UINT64);

  gtk_widget_class_set_css_name (widget_class, "chart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
cs_range_chart_init (CsRangeChart *self)
{
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  cs_range_chart_add_controllers (self);
}
