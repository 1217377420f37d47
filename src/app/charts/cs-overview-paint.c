/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "charts/cs-overview-private.h"

#define LEVELS 8 /* of a row's density */

static void
paint_total (CsOverview *self, GtkSnapshot *snapshot, const CsChartColors *colors, const CsDensity *density)
{
  for (guint i = 0; i < density->n_columns; i++)
    {
      double x0 = round (self->plot.size.width * i / density->n_columns);
      double x1 = round (self->plot.size.width * (i + 1) / density->n_columns);
      double height = cs_density_get_height (density, i) * (self->strip - 2);
      graphene_rect_t rect;

      if (density->total[i] == 0)
        continue;
      height = CLAMP (round (height), 1, self->strip);
      cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, x0, x1 - x0, self->strip - height, height, &rect);
      gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_SOFT_BAR], &rect);
    }
}

/* A row's columns, those next to each other that look alike as one. */
static void
paint_row (CsOverview *self, GtkSnapshot *snapshot, const CsChartColors *colors, const CsDensity *density, guint row)
{
  float faintest = colors->high_contrast ? 0.4f : 0.2f;
  guint level = 0, from = 0;

  for (guint i = 0; i <= density->n_columns; i++)
    {
      guint next = 0;
      double x0, x1;
      graphene_rect_t rect;
      GdkRGBA color = colors->colors[CS_CHART_BAR];

      if (i < density->n_columns)
        next = (guint) ceil (cs_density_get_row_height (density, row, i) * LEVELS);
      if (next == level && i < density->n_columns)
        continue;
      x0 = round (self->plot.size.width * from / density->n_columns);
      x1 = round (self->plot.size.width * i / density->n_columns);
      color.alpha *= faintest + (1 - faintest) * (float) level / LEVELS;
      cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, x0, x1 - x0, self->strip + row * (CS_OVERVIEW_ROW + 1) + 1, CS_OVERVIEW_ROW,
                            &rect);
      if (level > 0)
        gtk_snapshot_append_color (snapshot, &color, &rect);
      level = next;
      from = i;
    }
}

/* A line with a flag: a shape besides the colour. */
static void
paint_notice (CsOverview *self, GtkSnapshot *snapshot, const CsChartColors *colors, guint64 ns)
{
  double x = round (cs_overview_get_x (CS_RANGE_CHART (self), ns));
  graphene_rect_t rect;
  cairo_t *cairo;

  cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, x - 1, 2, 0, self->plot.size.height, &rect);
  gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_NOTICE], &rect);
  cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, x - CS_OVERVIEW_NOTICE / 2.0, CS_OVERVIEW_NOTICE, -CS_OVERVIEW_NOTICE + 2,
                        CS_OVERVIEW_NOTICE, &rect);
  cairo = gtk_snapshot_append_cairo (snapshot, &rect);
  gdk_cairo_set_source_rgba (cairo, &colors->colors[CS_CHART_NOTICE]);
  cairo_move_to (cairo, rect.origin.x, rect.origin.y);
  cairo_rel_line_to (cairo, CS_OVERVIEW_NOTICE, 0);
  cairo_rel_line_to (cairo, -CS_OVERVIEW_NOTICE / 2.0, CS_OVERVIEW_NOTICE);
  cairo_fill (cairo);
  cairo_destroy (cairo);
}

/* A frame around the part that a view shows: brackets, which are told from a range's band by their shape. */
static void
paint_visible (CsOverview *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  double x0, x1;
  const double thick = 2;
  graphene_rect_t rect;

  if (self->visible_from >= self->visible_to
      || (self->visible_from == 0 && self->visible_to >= cs_overview_get_span (self)))
    return;
  x0 = floor (cs_overview_get_x (CS_RANGE_CHART (self), self->visible_from));
  x1 = MAX (ceil (cs_overview_get_x (CS_RANGE_CHART (self), MIN (self->visible_to, cs_overview_get_span (self)))), x0 + 6);
  for (guint i = 0; i < 2; i++)
    {
      double tip = MIN (6, (x1 - x0) / 2), side = i == 0 ? x0 : x1 - thick, from = i == 0 ? x0 : x1 - tip;

      cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, side, thick, 0, self->plot.size.height, &rect);
      gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_TEXT], &rect);
      cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, from, tip, 0, thick, &rect);
      gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_TEXT], &rect);
      cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, from, tip, self->plot.size.height - thick, thick, &rect);
      gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_TEXT], &rect);
    }
}

static void
paint_labels (CsOverview *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  g_autofree char *end = cs_overview_format_time (self, cs_overview_get_span (self));
  double last = -1;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (PangoLayout) layout = cs_range_chart_create_label (CS_RANGE_CHART (self), i == 0 ? end : "0 s");
      graphene_rect_t rect;
      int width;

      pango_layout_get_pixel_size (layout, &width, NULL);
      /* The length is the one that is wanted where there isn't room for both. */
      if (i == 1 && last < width + 6)
        return;
      last = self->plot.size.width - width;
      cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, i == 0 ? last : 0, width, -self->plot.origin.y,
                            self->caption, &rect);
      cs_range_chart_paint_label (CS_RANGE_CHART (self), snapshot, layout, rect.origin.x, rect.origin.y,
                                  &colors->colors[CS_CHART_DIM_TEXT]);
    }
}

static void
paint_message (CsOverview *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  g_autofree char *message = cs_overview_dup_message (self);
  g_autoptr (PangoLayout) layout = cs_range_chart_create_label (CS_RANGE_CHART (self), message);
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height;

  pango_layout_set_width (layout, width * PANGO_SCALE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_get_pixel_size (layout, NULL, &height);
  cs_range_chart_paint_label (CS_RANGE_CHART (self), snapshot, layout, 0,
                              MAX ((gtk_widget_get_height (GTK_WIDGET (self)) - height) / 2, 0),
                              &colors->colors[CS_CHART_DIM_TEXT]);
}

void
cs_overview_paint (CsRangeChart *chart, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  CsOverview *self = CS_OVERVIEW (chart);
  const CsDensity *density = cs_activity_get_density (self->activity);
  GdkRGBA border = colors->colors[CS_CHART_BORDER];
  double last = -G_MAXDOUBLE;
  GskRoundedRect frame;

  if (!cs_overview_has_axis (self))
    {
      paint_message (self, snapshot, colors);
      return;
    }
  gsk_rounded_rect_init_from_rect (&frame, &self->plot, 4);
  gtk_snapshot_push_rounded_clip (snapshot, &frame);
  gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_TROUGH], &self->plot);
  if (density != NULL)
    {
      paint_total (self, snapshot, colors, density);
      for (guint i = 0; i < density->n_rows; i++)
        paint_row (self, snapshot, colors, density, i);
    }
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_border (snapshot, &frame, (float[4]){ 1, 1, 1, 1 },
                              (GdkRGBA[4]){ border, border, border, border });
  paint_visible (self, snapshot, colors);
  paint_labels (self, snapshot, colors);
  for (guint i = 0; i < self->notices->len; i++)
    {
      guint64 ns = g_array_index (self->notices, CsOverviewNotice, i).ns;
      double x = cs_overview_get_x (chart, ns);

      /* No more than one a pixel. */
      if (x < last + 1)
        continue;
      last = x;
      paint_notice (self, snapshot, colors, ns);
    }
}
