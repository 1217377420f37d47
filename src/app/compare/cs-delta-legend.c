/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "charts/cs-chart-colors.h"
#include "compare/cs-delta-legend.h"

#define STEPS 20 /* at each side of what didn't change */
#define PADDING 6

struct _CsDeltaLegend
{
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (CsDeltaLegend, cs_delta_legend, GTK_TYPE_WIDGET)

/* From the start on; a function that halved or doubled is in the middle between what is the same and the end. */
static const char *const texts[] = { N_("gone"), N_("half"), N_("same"), N_("double"), N_("new") };

static PangoLayout *
create_label (GtkWidget *widget, guint i)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, _(texts[i]));
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.82));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  return layout;
}

static void
cs_delta_legend_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  int widest = 0, highest = 0;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (PangoLayout) layout = create_label (widget, i);
      int width, height;

      pango_layout_get_pixel_size (layout, &width, &height);
      widest = MAX (widest, width);
      highest = MAX (highest, height);
    }
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 3 * widest;
      *natural = (int) G_N_ELEMENTS (texts) * (widest + 2 * PADDING);
    }
  else
    *minimum = *natural = highest + 4;
}

static void
cs_delta_legend_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  CsChartColors colors;

  cs_chart_colors_load (&colors, widget);
  for (int i = -STEPS; i <= STEPS; i++)
    {
      double x0 = round ((i + STEPS) * width / (2 * STEPS + 1)), x1 = round ((i + STEPS + 1) * width / (2 * STEPS + 1));
      GdkRGBA color;

      cs_chart_colors_get_change (&colors, (rtl ? -i : i) / (double) STEPS, &color);
      gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT ((float) x0, 0, (float) (x1 - x0), (float) height));
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (PangoLayout) layout = create_label (widget, i);
      double part = i / (double) (G_N_ELEMENTS (texts) - 1), x;
      int label_width, label_height;

      pango_layout_get_pixel_size (layout, &label_width, &label_height);
      /* Where there is no room the ends say enough. */
      if (i % 4 != 0 && width < (double) G_N_ELEMENTS (texts) * (label_width + PADDING))
        continue;
      x = CLAMP ((rtl ? 1 - part : part) * width - label_width / 2.0, PADDING, MAX (width - label_width - PADDING, PADDING));
      gtk_snapshot_save (snapshot);
      gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) round (x), (float) ((height - label_height) / 2)));
      gtk_snapshot_append_layout (snapshot, layout, &colors.function_label);
      gtk_snapshot_restore (snapshot);
    }
}

static void
cs_delta_legend_class_init (CsDeltaLegendClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = cs_delta_legend_measure;
  widget_class->snapshot = cs_delta_legend_snapshot;
  gtk_widget_class_set_css_name (widget_class, "deltalegend");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
cs_delta_legend_init (CsDeltaLegend *self)
{
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), _("The redder a frame is, the more it takes than in the base, and the bluer, "
                                                    "the less; relative to the greater of both"));
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Colours: red is more than in the base, blue is less"), -1);
}
