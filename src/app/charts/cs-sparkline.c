/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "charts/cs-sparkline.h"
#include "charts/cs-chart-colors.h"
#include "shared/cs-format.h"

#define LINE_HEIGHT 28 /* pixels, of the line alone */
#define GAP 12         /* between the labels */

struct _CsSparkline
{
  GtkWidget parent_instance;

  char *unit;
  double *values; /* a ring of n_max */
  guint n_max, n, next;
};

enum { PROP_N_VALUES = 1, PROP_UNIT, N_PROPS };

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (CsSparkline, cs_sparkline, GTK_TYPE_WIDGET)

/* The value that was pushed so many before the last one. */
static double
get_value (CsSparkline *self, guint before)
{
  return self->values[(self->next + 2 * self->n_max - 1 - before) % self->n_max];
}

static char *
format_value (double value)
{
  return cs_format_count_short (value < 0x1p63 ? (guint64) (value + 0.5) : (guint64) 1 << 63);
}

static char *
dup_label (CsSparkline *self, gboolean peak)
{
  g_autofree char *number = format_value (peak ? cs_sparkline_get_peak (self) : cs_sparkline_get_value (self));

  if (self->n == 0)
    return g_strdup (peak ? "" : "–");
  /* Translators: the largest of the values that are shown */
  return peak ? g_strdup_printf (_("peak %s"), number) : g_strdup_printf ("%s %s", number, self->unit);
}

static PangoLayout *
create_label (CsSparkline *self, gboolean peak)
{
  g_autofree char *text = dup_label (self, peak);
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  if (peak)
    pango_attr_list_insert (attributes, pango_attr_scale_new (0.82));
  else
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  return layout;
}

static void
update_accessible (CsSparkline *self)
{
  g_autofree char *text = cs_sparkline_dup_text (self);
  double value = cs_sparkline_get_value (self), peak = cs_sparkline_get_peak (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, peak, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, value,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text, -1);
}

/* Where a value is: time goes to where text ends. */
static graphene_point_t
get_point (CsSparkline *self, const graphene_rect_t *area, double peak, guint before)
{
  double x = self->n_max > 1 ? 1 - (double) before / (self->n_max - 1) : 1;
  double y = peak > 0 ? 1 - get_value (self, before) / peak : 1;

  if (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL)
    x = 1 - x;
  return GRAPHENE_POINT_INIT ((float) (area->origin.x + x * area->size.width),
                              (float) (area->origin.y + y * area->size.height));
}

static void
paint_line (CsSparkline *self, GtkSnapshot *snapshot, const CsChartColors *colors, const graphene_rect_t *area)
{
  double peak = cs_sparkline_get_peak (self);
  graphene_rect_t bounds = *area;
  graphene_point_t newest = get_point (self, area, peak, 0), point = newest;
  GdkRGBA fill = colors->colors[CS_CHART_BAR];
  cairo_t *cairo;

  graphene_rect_inset (&bounds, -4, -4);
  cairo = gtk_snapshot_append_cairo (snapshot, &bounds);
  cairo_move_to (cairo, newest.x, newest.y);
  for (guint i = 1; i < self->n; i++)
    {
      point = get_point (self, area, peak, i);
      cairo_line_to (cairo, point.x, point.y);
    }
  gdk_cairo_set_source_rgba (cairo, &fill);
  cairo_set_line_width (cairo, colors->high_contrast ? 2 : 1.5);
  cairo_set_line_join (cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke_preserve (cairo);
  fill.alpha *= 0.2f;
  gdk_cairo_set_source_rgba (cairo, &fill);
  cairo_line_to (cairo, point.x, area->origin.y + area->size.height);
  cairo_line_to (cairo, newest.x, area->origin.y + area->size.height);
  cairo_fill (cairo);
  gdk_cairo_set_source_rgba (cairo, &colors->colors[CS_CHART_BAR]);
  cairo_arc (cairo, newest.x, newest.y, 3, 0, 2 * G_PI);
  cairo_fill (cairo);
  cairo_destroy (cairo);
}

static void
paint_label (CsSparkline *self, GtkSnapshot *snapshot, PangoLayout *layout, double x, double width, double y,
             const GdkRGBA *color)
{
  if (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL)
    x = gtk_widget_get_width (GTK_WIDGET (self)) - x - width;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

static void
cs_sparkline_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CsSparkline *self = CS_SPARKLINE (widget);
  g_autoptr (PangoLayout) value = create_label (self, FALSE), peak = create_label (self, TRUE);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  int value_width, value_height, peak_width, peak_height;
  CsChartColors colors;
  graphene_rect_t area, base;

  cs_chart_colors_load (&colors, widget);
  pango_layout_get_pixel_size (value, &value_width, &value_height);
  pango_layout_get_pixel_size (peak, &peak_width, &peak_height);
  paint_label (self, snapshot, value, 0, value_width, 0, &colors.colors[CS_CHART_TEXT]);
  if (value_width + GAP + peak_width <= width)
    paint_label (self, snapshot, peak, width - peak_width, peak_width,
                 (pango_layout_get_baseline (value) - pango_layout_get_baseline (peak)) / PANGO_SCALE,
                 &colors.colors[CS_CHART_DIM_TEXT]);
  graphene_rect_init (&area, 4, (float) value_height + 4, (float) MAX (width - 8, 1),
                      (float) MAX (height - value_height - 8, 1));
  graphene_rect_init (&base, 0, area.origin.y + area.size.height, (float) width, 1);
  gtk_snapshot_append_color (snapshot, &colors.colors[CS_CHART_BORDER], &base);
  if (self->n > 0)
    paint_line (self, snapshot, &colors, &area);
}

static void
cs_sparkline_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                      int *minimum_baseline, int *natural_baseline)
{
  CsSparkline *self = CS_SPARKLINE (widget);
  g_autoptr (PangoLayout) layout = NULL;
  /* As wide as the widest number, so that nothing moves while numbers change. */
  g_autofree char *text = g_strdup_printf ("88.8 M %s", self->unit);
  int width, height;

  layout = gtk_widget_create_pango_layout (widget, text);
  pango_layout_get_pixel_size (layout, &width, &height);
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? width + width / 8 : height + 8 + LINE_HEIGHT / 2;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 2 * width : height + 8 + LINE_HEIGHT;
}

static void
cs_sparkline_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (cs_sparkline_parent_class)->root (widget);
  cs_chart_colors_follow (widget, G_CALLBACK (gtk_widget_queue_draw));
}

static void
cs_sparkline_unroot (GtkWidget *widget)
{
  cs_chart_colors_unfollow (widget);
  GTK_WIDGET_CLASS (cs_sparkline_parent_class)->unroot (widget);
}

static void
cs_sparkline_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  CsSparkline *self = CS_SPARKLINE (object);

  switch (id)
    {
    case PROP_N_VALUES:
      self->n_max = g_value_get_uint (value);
      self->values = g_new0 (double, self->n_max);
      break;
    case PROP_UNIT:
      self->unit = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
cs_sparkline_constructed (GObject *object)
{
  G_OBJECT_CLASS (cs_sparkline_parent_class)->constructed (object);
  gtk_accessible_update_property (GTK_ACCESSIBLE (object), GTK_ACCESSIBLE_PROPERTY_LABEL, CS_SPARKLINE (object)->unit,
                                  -1);
  update_accessible (CS_SPARKLINE (object));
}

static void
cs_sparkline_finalize (GObject *object)
{
  CsSparkline *self = CS_SPARKLINE (object);

  g_free (self->unit);
  g_free (self->values);
  G_OBJECT_CLASS (cs_sparkline_parent_class)->finalize (object);
}

static void
cs_sparkline_class_init (CsSparklineClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->set_property = cs_sparkline_set_property;
  object_class->constructed = cs_sparkline_constructed;
  object_class->finalize = cs_sparkline_finalize;
  widget_class->snapshot = cs_sparkline_snapshot;
  widget_class->measure = cs_sparkline_measure;
  widget_class->root = cs_sparkline_root;
  widget_class->unroot = cs_sparkline_unroot;

  /**
   * CsSparkline:n-values:
   *
   * How many values it shows: 60 where one a second is pushed and a minute is to be seen.
   */
  properties[PROP_N_VALUES] = g_param_spec_uint ("n-values", NULL, NULL, 1, 100000, 60,
                                                 G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  /**
   * CsSparkline:unit:
   *
   * What is measured: events/s.
   */
  properties[PROP_UNIT] = g_param_spec_string ("unit", NULL, NULL, "",
                                               G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_css_name (widget_class, "sparkline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_METER);
}

static void
cs_sparkline_init (CsSparkline *self)
{
}

/**
 * cs_sparkline_new:
 * @n_values: how many values it shows, at least 1: 60 where one a second is pushed and a minute is to be seen
 * @unit: what is measured: "events/s"
 *
 * Returns: (transfer floating): a line without values
 */
GtkWidget *
cs_sparkline_new (guint n_values, const char *unit)
{
  return g_object_new (CS_TYPE_SPARKLINE, "n-values", MAX (n_values, 1), "unit", unit, NULL);
}

/**
 * cs_sparkline_push:
 * @self: a line
 * @value: the next value; what isn't a number, is infinite or less than 0 counts as 0
 *
 * Adds a value; the oldest one goes where there are too many.
 */
void
cs_sparkline_push (CsSparkline *self, double value)
{
  g_return_if_fail (CS_IS_SPARKLINE (self));

  self->values[self->next] = isfinite (value) && value > 0 ? value : 0;
  self->next = (self->next + 1) % self->n_max;
  self->n = MIN (self->n + 1, self->n_max);
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cs_sparkline_clear:
 * @self: a line, which has no values afterwards
 */
void
cs_sparkline_clear (CsSparkline *self)
{
  g_return_if_fail (CS_IS_SPARKLINE (self));

  self->n = self->next = 0;
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cs_sparkline_get_value:
 * @self: a line
 *
 * Returns: the last value, 0 without any
 */
double
cs_sparkline_get_value (CsSparkline *self)
{
  g_return_val_if_fail (CS_IS_SPARKLINE (self), 0);
  return self->n > 0 ? get_value (self, 0) : 0;
}

/**
 * cs_sparkline_get_peak:
 * @self: a line
 *
 * Returns: the largest of the values that it shows, 0 without any
 */
double
cs_sparkline_get_peak (CsSparkline *self)
{
  double peak = 0;

  g_return_val_if_fail (CS_IS_SPARKLINE (self), 0);
  for (guint i = 0; i < self->n; i++)
    peak = MAX (peak, get_value (self, i));
  return peak;
}

/**
 * cs_sparkline_get_n_values:
 * @self: a line
 *
 * Returns: how many values it shows now
 */
guint
cs_sparkline_get_n_values (CsSparkline *self)
{
  g_return_val_if_fail (CS_IS_SPARKLINE (self), 0);
  return self->n;
}

/**
 * cs_sparkline_dup_text:
 * @self: a line
 *
 * Returns: (transfer full): what it says: "2.1 M events/s, peak 3.4 M"
 */
char *
cs_sparkline_dup_text (CsSparkline *self)
{
  g_autofree char *value = NULL, *peak = NULL;

  g_return_val_if_fail (CS_IS_SPARKLINE (self), NULL);
  if (self->n == 0)
    return g_strdup (_("Nothing measured yet"));
  value = dup_label (self, FALSE);
  peak = dup_label (self, TRUE);
  return g_strdup_printf (_("%s, %s"), value, peak);
}
