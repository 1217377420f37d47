/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "charts/cs-histogram-chart-private.h"
#include "shared/cs-format.h"

#define MIN_OUTLIER_HEIGHT 4 /* pixels */

static void
paint_text (CsHistogramChart *self, GtkSnapshot *snapshot, const char *text, const graphene_rect_t *plot, double x,
            double width, double y, const GdkRGBA *color)
{
  g_autoptr (PangoLayout) layout = cs_range_chart_create_label (CS_RANGE_CHART (self), text);
  graphene_rect_t rect;

  cs_range_chart_place (CS_RANGE_CHART (self), plot, x, width, y, self->caption, &rect);
  cs_range_chart_paint_label (CS_RANGE_CHART (self), snapshot, layout, rect.origin.x, rect.origin.y, color);
}

static void
paint_counts (CsHistogramChart *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  for (guint i = 0; i < self->counts->len; i++)
    {
      const CsHistogramTick *tick = &g_array_index (self->counts, CsHistogramTick, i);
      g_autofree char *text = cs_format_count_short (tick->value);
      double y = round ((1 - tick->position) * self->plot.size.height), width;
      graphene_rect_t rect;

      cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, 0, self->plot.size.width, y, 1, &rect);
      gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_GRID], &rect);
      cs_histogram_chart_measure_label (self, text, &width, NULL);
      y = MIN (y - self->caption / 2, self->plot.size.height - self->caption);
      paint_text (self, snapshot, text, &self->plot, -width - CS_HISTOGRAM_GAP, width, y, &colors->colors[CS_CHART_DIM_TEXT]);
    }
}

/* Stripes, so that colour isn't needed. */
static void
paint_outlier (GtkSnapshot *snapshot, const CsChartColors *colors, const graphene_rect_t *rect)
{
  GdkRGBA color = colors->colors[CS_CHART_OUTLIER], pale = color;
  GskRoundedRect outline;

  pale.alpha = 0.35f;
  gtk_snapshot_append_repeating_linear_gradient (
      snapshot, rect, &rect->origin, &GRAPHENE_POINT_INIT (rect->origin.x + 3, rect->origin.y + 3),
      (GskColorStop[4]){ { 0, color }, { 0.5f, color }, { 0.5f, pale }, { 1, pale } }, 4);
  gsk_rounded_rect_init_from_rect (&outline, rect, 0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){ 1, 1, 1, 1 }, (GdkRGBA[4]){ color, color, color, color });
}

static void
paint_bars (CsHistogramChart *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  double height = self->plot.size.height;
  guint64 from, to;

  if (!cs_range_chart_get_shown_range (CS_RANGE_CHART (self), &from, &to))
    {
      from = 0;
      to = G_MAXUINT64;
    }
  for (guint i = 0; i < self->layout->bars->len; i++)
    {
      const CsHistogramBar *bar = &g_array_index (self->layout->bars, CsHistogramBar, i);
      double x0 = round (bar->x), x1 = round (bar->x + bar->width);
      gboolean selected = bar->last >= from && bar->first < to;
      double bar_height = MAX (round (bar->height * height), bar->outlier ? MIN_OUTLIER_HEIGHT : 2);
      graphene_rect_t rect;

      if (bar->calls == 0)
        continue;
      bar_height = MIN (bar_height, height);
      cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, x0, MAX (x1 - x0 - (x1 - x0 >= 4), 1),
                            height - bar_height, bar_height, &rect);
      if (bar->outlier)
        paint_outlier (snapshot, colors, &rect);
      else
        gtk_snapshot_append_color (snapshot, &colors->colors[selected ? CS_CHART_BAR : CS_CHART_REST_BAR], &rect);
    }
}

/* What share of all calls took at most so long, from 0 at the bottom to all at the top: a line of steps. */
static void
paint_cumulative (CsHistogramChart *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  const GdkRGBA *color = &colors->colors[CS_CHART_DIM_TEXT];
  double height = self->plot.size.height, before = height;
  graphene_rect_t rect;

  for (guint i = 0; i < self->layout->bars->len; i++)
    {
      const CsHistogramBar *bar = &g_array_index (self->layout->bars, CsHistogramBar, i);
      double share = (double) bar->up_to / (double) self->layout->calls;
      double x = round (bar->x), y = round ((1 - share) * (height - 1));

      if (before > y)
        {
          cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, x, 1, y, before - y, &rect);
          gtk_snapshot_append_color (snapshot, color, &rect);
        }
      cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, x, MAX (round (bar->x + bar->width) - x, 1), y, 1, &rect);
      gtk_snapshot_append_color (snapshot, color, &rect);
      before = y;
    }
}

static void
paint_outlier_bracket (CsHistogramChart *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  double from, to, share, y;
  graphene_rect_t rect;

  if (!cs_histogram_chart_find_outliers (self, &from, &to, &share))
    return;
  y = (1 - share) * self->plot.size.height - MIN_OUTLIER_HEIGHT - 5;
  for (guint i = 0; i < 3; i++)
    {
      double x = i == 2 ? to - 1 : from;

      cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, round (x), i == 0 ? MAX (round (to - from), 1) : 1,
                            MAX (round (y), 0), i == 0 ? 1 : 4, &rect);
      gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_OUTLIER], &rect);
    }
}

/* The lines of p50 and p99, and what stands above the plot. */
static void
paint_marks (CsHistogramChart *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  for (guint i = 0; i < CS_HISTOGRAM_N_MARKS; i++)
    {
      const CsLabel *mark = &self->marks[i];
      g_autofree char *text = cs_histogram_chart_dup_mark_text (self, i);
      const GdkRGBA *color = &colors->colors[i == CS_HISTOGRAM_MARK_OUTLIERS ? CS_CHART_OUTLIER : CS_CHART_DIM_TEXT];
      double y = mark->row * self->caption - self->plot.origin.y;
      graphene_rect_t rect;

      if (!(mark->width > 0))
        continue;
      paint_text (self, snapshot, text, &self->plot, mark->x, mark->width, y, color);
      if (i == CS_HISTOGRAM_MARK_OUTLIERS)
        continue;
      cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, round (mark->anchor), 1, y + 2,
                            self->plot.size.height - y - 2, &rect);
      gtk_snapshot_append_color (snapshot, color, &rect);
    }
}

static void
paint_times (CsHistogramChart *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  g_autoptr (GArray) ticks = NULL;
  g_autofree CsLabel *labels = NULL;
  g_auto (GStrv) texts = NULL;
  double widest;
  guint n = self->min < self->max ? 2 : 1;

  cs_histogram_chart_measure_label (self, "500 µs", &widest, NULL);
  ticks = cs_histogram_layout_list_times (self->layout, widest + 2 * CS_HISTOGRAM_GAP);
  labels = g_new0 (CsLabel, n + ticks->len);
  texts = g_new0 (char *, n + ticks->len + 1);
  texts[0] = cs_format_duration (self->min);
  labels[0].anchor = cs_histogram_layout_get_x (self->layout, self->min);
  if (n > 1)
    {
      texts[1] = cs_format_duration (self->max);
      labels[1].anchor = cs_histogram_layout_get_x (self->layout, self->max);
    }
  for (guint i = 0; i < ticks->len; i++, n++)
    {
      const CsHistogramTick *tick = &g_array_index (ticks, CsHistogramTick, i);

      texts[n] = g_strdup (tick->label);
      labels[n].anchor = tick->position;
    }
  for (guint i = 0; i < n; i++)
    {
      labels[i].side = 0.5;
      cs_histogram_chart_measure_label (self, texts[i], &labels[i].width, NULL);
    }
  cs_labels_place (labels, n, self->plot.size.width, CS_HISTOGRAM_GAP);
  for (guint i = 0; i < n; i++)
    {
      graphene_rect_t rect;
      double x;

      if (labels[i].row > 0)
        continue;
      x = MIN (round (labels[i].anchor), self->plot.size.width - 1);
      cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, x, 1, self->plot.size.height, 3, &rect);
      gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_DIM_TEXT], &rect);
      paint_text (self, snapshot, texts[i], &self->plot, labels[i].x, labels[i].width, self->plot.size.height + 2,
                  &colors->colors[CS_CHART_DIM_TEXT]);
    }
}

static void
paint_empty (CsHistogramChart *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  g_autoptr (PangoLayout) layout = NULL;
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height;

  if (self->name == NULL)
    return;
  layout = cs_range_chart_create_label (CS_RANGE_CHART (self), _("No call has ended, so that none has a duration"));
  pango_layout_set_width (layout, width * PANGO_SCALE);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_get_pixel_size (layout, NULL, &height);
  cs_range_chart_paint_label (CS_RANGE_CHART (self), snapshot, layout, 0,
                              MAX ((gtk_widget_get_height (GTK_WIDGET (self)) - height) / 2, 0),
                              &colors->colors[CS_CHART_DIM_TEXT]);
}

void
cs_histogram_chart_paint (CsRangeChart *chart, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  CsHistogramChart *self = CS_HISTOGRAM_CHART (chart);
  graphene_rect_t rect;

  if (self->layout == NULL || self->layout->calls == 0)
    {
      paint_empty (self, snapshot, colors);
      return;
    }
  paint_counts (self, snapshot, colors);
  cs_range_chart_place (chart, &self->plot, 0, self->plot.size.width, self->plot.size.height, 1, &rect);
  gtk_snapshot_append_color (snapshot, &colors->colors[CS_CHART_DIM_TEXT], &rect);
  paint_bars (self, snapshot, colors);
  paint_cumulative (self, snapshot, colors);
  paint_outlier_bracket (self, snapshot, colors);
  paint_marks (self, snapshot, colors);
  paint_times (self, snapshot, colors);
}
