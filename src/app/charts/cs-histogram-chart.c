/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "charts/cs-histogram-chart.h"
#include "layout/cs-label-rows.h"
#include "shared/cs-format.h"

#define MIN_BAR 6
#define GAP 6 /* between labels, and between a label and what it names */
#define MIN_OUTLIER_HEIGHT 4
#define MIN_WIDTH_WITH_COUNTS 220 /* below that the axis of counts has no room */

enum { MARK_P50, MARK_P99, MARK_OUTLIERS, N_MARKS };

struct _CsHistogramChart
{
  CsRangeChart parent_instance;

  char *name; /* (nullable) */
  CsHistogram histogram;
  guint64 calls, min, max, p50, p99;
  gboolean log_counts;
  CsHistogramLayout *layout; /* as wide as the plot */
  graphene_rect_t plot;
  double caption; /* height of a label */
  GArray *counts; /* (element-type CsHistogramTick) */
  CsLabel marks[N_MARKS]; /* of width 0: not there */
};

enum { PROP_LOG_COUNTS = 1, N_PROPS };

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (CsHistogramChart, cs_histogram_chart, CS_TYPE_RANGE_CHART)

static void
measure_label (CsHistogramChart *self, const char *text, double *width, double *height)
{
  g_autoptr (PangoLayout) layout = cs_range_chart_create_label (CS_RANGE_CHART (self), text);
  int w, h;

  pango_layout_get_pixel_size (layout, &w, &h);
  if (width != NULL)
    *width = w;
  if (height != NULL)
    *height = h;
}

static char *
dup_mark_text (CsHistogramChart *self, guint mark)
{
  g_autofree char *text = NULL;

  if (mark == MARK_OUTLIERS)
    {
      text = cs_format_count_short (self->layout->outliers);
      return g_strdup_printf (ngettext ("%s outlier", "%s outliers", (gulong) self->layout->outliers), text);
    }
  text = cs_format_duration (mark == MARK_P50 ? self->p50 : self->p99);
  return g_strdup_printf ("%s %s", mark == MARK_P50 ? "p50" : "p99", text);
}

/* The bars that outliers reach over, in pixels of the axis, and how high they are. Returns: whether there are any */
static gboolean
find_outliers (CsHistogramChart *self, double *from, double *to, double *height)
{
  gboolean found = FALSE;

  *height = 0;
  for (guint i = 0; i < self->layout->bars->len; i++)
    {
      const CsHistogramBar *bar = &g_array_index (self->layout->bars, CsHistogramBar, i);

      if (!bar->outlier)
        continue;
      if (!found)
        *from = bar->x;
      *to = bar->x + bar->width;
      *height = MAX (*height, bar->height);
      found = TRUE;
    }
  return found;
}

/* Places the labels above the plot. Returns: how many rows they take */
static guint
place_marks (CsHistogramChart *self)
{
  static const double sides[] = { 1, 0, 0.5 };
  double from, to, height;
  guint n = N_MARKS;

  self->marks[MARK_P50].anchor = cs_histogram_layout_get_x (self->layout, self->p50);
  self->marks[MARK_P99].anchor = cs_histogram_layout_get_x (self->layout, self->p99);
  if (find_outliers (self, &from, &to, &height))
    self->marks[MARK_OUTLIERS].anchor = (from + to) / 2;
  else
    n = MARK_OUTLIERS;
  for (guint i = 0; i < N_MARKS; i++)
    {
      g_autofree char *text = dup_mark_text (self, i);

      self->marks[i].side = sides[i];
      self->marks[i].width = 0;
      if (i < n)
        measure_label (self, text, &self->marks[i].width, NULL);
    }
  return cs_labels_place (self->marks, n, self->plot.size.width, GAP / 2);
}

/* Decides what is where, for the widget's size. */
static void
update_geometry (CsHistogramChart *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  double gutter = 0, top;

  g_clear_pointer (&self->layout, cs_histogram_layout_free);
  g_clear_pointer (&self->counts, g_array_unref);
  measure_label (self, "0", NULL, &self->caption);
  self->layout = cs_histogram_layout_new (&self->histogram, self->min, self->max, width, MIN_BAR, self->log_counts);
  self->counts = cs_histogram_layout_list_counts (self->layout, 3);
  if (width >= MIN_WIDTH_WITH_COUNTS && self->layout->calls > 0)
    {
      for (guint i = 0; i < self->counts->len; i++)
        {
          g_autofree char *text = cs_format_count_short (g_array_index (self->counts, CsHistogramTick, i).value);
          double text_width;

          measure_label (self, text, &text_width, NULL);
          gutter = MAX (gutter, text_width + GAP);
        }
      cs_histogram_layout_free (self->layout);
      self->layout = cs_histogram_layout_new (&self->histogram, self->min, self->max, width - gutter, MIN_BAR,
                                              self->log_counts);
      g_array_unref (self->counts);
      self->counts = cs_histogram_layout_list_counts (self->layout, 3);
    }
  else
    g_array_set_size (self->counts, 0);
  if (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL)
    self->plot.origin.x = 0;
  else
    self->plot.origin.x = (float) gutter;
  self->plot.size.width = (float) MAX (width - gutter, 1);
  top = self->layout->calls > 0 ? place_marks (self) * self->caption + 2 : 0;
  self->plot.origin.y = (float) top;
  self->plot.size.height = (float) MAX (height - top - self->caption - 2, 1);
}

static gboolean
cs_histogram_chart_get_axis (CsRangeChart *chart, graphene_rect_t *plot, guint64 *first, guint64 *end)
{
  CsHistogramChart *self = CS_HISTOGRAM_CHART (chart);
  GArray *bars = self->layout != NULL ? self->layout->bars : NULL;

  if (bars == NULL || bars->len == 0)
    return FALSE;
  *plot = self->plot;
  *first = g_array_index (bars, CsHistogramBar, 0).first;
  *end = cs_histogram_layout_get_end (&g_array_index (bars, CsHistogramBar, bars->len - 1));
  return TRUE;
}

static const CsHistogramBar *
find_bar (CsHistogramChart *self, guint64 value)
{
  return &g_array_index (self->layout->bars, CsHistogramBar, cs_histogram_layout_find (self->layout, value));
}

static double
cs_histogram_chart_get_x (CsRangeChart *chart, guint64 value)
{
  return cs_histogram_layout_get_x (CS_HISTOGRAM_CHART (chart)->layout, value);
}

static guint64
cs_histogram_chart_get_value (CsRangeChart *chart, double x)
{
  CsHistogramLayout *layout = CS_HISTOGRAM_CHART (chart)->layout;

  return g_array_index (layout->bars, CsHistogramBar, cs_histogram_layout_find_x (layout, x)).first;
}

static void
cs_histogram_chart_get_bin (CsRangeChart *chart, guint64 value, guint64 *from, guint64 *to)
{
  const CsHistogramBar *bar = find_bar (CS_HISTOGRAM_CHART (chart), value);

  *from = bar->first;
  *to = cs_histogram_layout_get_end (bar);
}

static guint64
cs_histogram_chart_get_edge (CsRangeChart *chart, double x)
{
  CsHistogramLayout *layout = CS_HISTOGRAM_CHART (chart)->layout;
  const CsHistogramBar *bar = &g_array_index (layout->bars, CsHistogramBar, cs_histogram_layout_find_x (layout, x));

  return x < bar->x + bar->width / 2 ? bar->first : cs_histogram_layout_get_end (bar);
}

static guint64
cs_histogram_chart_step (CsRangeChart *chart, guint64 value, gboolean forward, gboolean far)
{
  CsHistogramLayout *layout = CS_HISTOGRAM_CHART (chart)->layout;
  guint i = cs_histogram_layout_find (layout, value);

  while (forward ? i + 1 < layout->bars->len : i > 0)
    {
      i = forward ? i + 1 : i - 1;
      if (!far || g_array_index (layout->bars, CsHistogramBar, i).calls > 0)
        break;
    }
  return g_array_index (layout->bars, CsHistogramBar, i).first;
}

/* "1.02 µs – 1.05 µs: 3,112 calls (0.9 %)" */
static char *
describe_calls (CsHistogramChart *self, guint64 first, guint64 last, guint64 calls)
{
  g_autofree char *from = cs_format_duration (MAX (first, self->min));
  g_autofree char *to = cs_format_duration (MIN (last, self->max));
  g_autofree char *count = cs_format_count (calls);
  g_autofree char *share = cs_format_share (calls, self->calls);
  g_autofree char *range = NULL;

  if (last < self->min || first > self->max)
    {
      g_free (from);
      g_free (to);
      from = cs_format_duration (first);
      to = cs_format_duration (last);
    }
  range = g_str_equal (from, to) ? g_strdup (from) : g_strdup_printf (_("%s – %s"), from, to);
  return g_strdup_printf (ngettext ("%s: %s call (%s)", "%s: %s calls (%s)", (gulong) calls), range, count, share);
}

static char *
cs_histogram_chart_describe_value (CsRangeChart *chart, guint64 value)
{
  CsHistogramChart *self = CS_HISTOGRAM_CHART (chart);
  const CsHistogramBar *bar = find_bar (self, value);
  g_autofree char *text = describe_calls (self, bar->first, bar->last, bar->calls);
  g_autofree char *share = cs_format_share (bar->up_to, self->layout->calls);

  /* Translators: "12 calls took 40 to 50 ns", and the share of all calls that took at most so long */
  return g_strdup_printf (bar->outlier ? _("%s, outliers; %s took at most so long") : _("%s; %s took at most so long"), text,
                          share);
}

static char *
cs_histogram_chart_describe_range (CsRangeChart *chart, guint64 from, guint64 to)
{
  CsHistogramChart *self = CS_HISTOGRAM_CHART (chart);
  g_autofree char *text = describe_calls (self, from, to == G_MAXUINT64 ? to : to - 1,
                                          cs_histogram_chart_count (self, from, to));

  return g_strdup_printf (_("Selected: %s"), text);
}

static char *
cs_histogram_chart_describe (CsRangeChart *chart)
{
  CsHistogramChart *self = CS_HISTOGRAM_CHART (chart);
  g_autofree char *count = cs_format_count (self->calls), *min = cs_format_duration (self->min);
  g_autofree char *p50 = cs_format_duration (self->p50), *p99 = cs_format_duration (self->p99);
  g_autofree char *max = cs_format_duration (self->max);
  g_autofree char *calls = NULL;

  if (self->calls == 0)
    return g_strdup (self->name == NULL ? _("Durations of calls") : _("Durations of calls: no call has ended"));
  calls = g_strdup_printf (ngettext ("%s call", "%s calls", (gulong) self->calls), count);
  /* Translators: a function, "3,112 calls", and durations */
  return g_strdup_printf (_("Durations of %s: %s, shortest %s, half up to %s, 99 %% up to %s, longest %s"),
                          self->name, calls, min, p50, p99, max);
}

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
      measure_label (self, text, &width, NULL);
      y = MIN (y - self->caption / 2, self->plot.size.height - self->caption);
      paint_text (self, snapshot, text, &self->plot, -width - GAP, width, y, &colors->colors[CS_CHART_DIM_TEXT]);
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

  if (!find_outliers (self, &from, &to, &share))
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
  for (guint i = 0; i < N_MARKS; i++)
    {
      const CsLabel *mark = &self->marks[i];
      g_autofree char *text = dup_mark_text (self, i);
      const GdkRGBA *color = &colors->colors[i == MARK_OUTLIERS ? CS_CHART_OUTLIER : CS_CHART_DIM_TEXT];
      double y = mark->row * self->caption - self->plot.origin.y;
      graphene_rect_t rect;

      if (!(mark->width > 0))
        continue;
      paint_text (self, snapshot, text, &self->plot, mark->x, mark->width, y, color);
      if (i == MARK_OUTLIERS)
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

  measure_label (self, "500 µs", &widest, NULL);
  ticks = cs_histogram_layout_list_times (self->layout, widest + 2 * GAP);
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
      measure_label (self, texts[i], &labels[i].width, NULL);
    }
  cs_labels_place (labels, n, self->plot.size.width, GAP);
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

static void
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

static void
cs_histogram_chart_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  update_geometry (CS_HISTOGRAM_CHART (widget));
  GTK_WIDGET_CLASS (cs_histogram_chart_parent_class)->size_allocate (widget, width, height, baseline);
}

static void
cs_histogram_chart_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                            int *natural, int *minimum_baseline, int *natural_baseline)
{
  double width, height;

  measure_label (CS_HISTOGRAM_CHART (widget), "500 µs", &width, &height);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = (int) ceil (2 * width + 2 * GAP);
      *natural = (int) ceil (MAX (5 * width, 240));
    }
  else
    {
      *minimum = (int) ceil (3 * height + 90);
      *natural = (int) ceil (3 * height + 120);
    }
}

static void
cs_histogram_chart_direction_changed (GtkWidget *widget, GtkTextDirection previous)
{
  update_geometry (CS_HISTOGRAM_CHART (widget));
  GTK_WIDGET_CLASS (cs_histogram_chart_parent_class)->direction_changed (widget, previous);
}

static void
cs_histogram_chart_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_LOG_COUNTS)
    g_value_set_boolean (value, CS_HISTOGRAM_CHART (object)->log_counts);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
cs_histogram_chart_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_LOG_COUNTS)
    cs_histogram_chart_set_log_counts (CS_HISTOGRAM_CHART (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
cs_histogram_chart_finalize (GObject *object)
{
  CsHistogramChart *self = CS_HISTOGRAM_CHART (object);

  g_free (self->name);
  cs_histogram_clear (&self->histogram);
  g_clear_pointer (&self->layout, cs_histogram_layout_free);
  g_clear_pointer (&self->counts, g_array_unref);
  G_OBJECT_CLASS (cs_histogram_chart_parent_class)->finalize (object);
}

static void
cs_histogram_chart_class_init (CsHistogramChartClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  CsRangeChartClass *chart_class = CS_RANGE_CHART_CLASS (class);

  object_class->get_property = cs_histogram_chart_get_property;
  object_class->set_property = cs_histogram_chart_set_property;
  object_class->finalize = cs_histogram_chart_finalize;
  widget_class->size_allocate = cs_histogram_chart_size_allocate;
  widget_class->measure = cs_histogram_chart_measure;
  widget_class->direction_changed = cs_histogram_chart_direction_changed;
  chart_class->get_axis = cs_histogram_chart_get_axis;
  chart_class->get_x = cs_histogram_chart_get_x;
  chart_class->get_value = cs_histogram_chart_get_value;
  chart_class->get_bin = cs_histogram_chart_get_bin;
  chart_class->get_edge = cs_histogram_chart_get_edge;
  chart_class->step = cs_histogram_chart_step;
  chart_class->describe_value = cs_histogram_chart_describe_value;
  chart_class->describe_range = cs_histogram_chart_describe_range;
  chart_class->describe = cs_histogram_chart_describe;
  chart_class->paint = cs_histogram_chart_paint;

  /**
   * CsHistogramChart:log-counts:
   *
   * Whether the heights of bars are logarithms, so that a few calls are seen beside many.
   */
  properties[PROP_LOG_COUNTS] = g_param_spec_boolean (
      "log-counts", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
cs_histogram_chart_init (CsHistogramChart *self)
{
  cs_histogram_chart_set_function (self, NULL);
}

/**
 * cs_histogram_chart_new:
 *
 * Returns: (transfer floating): a chart without calls
 */
GtkWidget *
cs_histogram_chart_new (void)
{
  return g_object_new (CS_TYPE_HISTOGRAM_CHART, NULL);
}

/**
 * cs_histogram_chart_set_function:
 * @self: a chart
 * @function: (nullable) (transfer none): whose calls it shows; what is needed of it is copied
 *
 * The selected range stays; who shows another function may want to clear it.
 */
void
cs_histogram_chart_set_function (CsHistogramChart *self, const CsFunction *function)
{
  g_return_if_fail (CS_IS_HISTOGRAM_CHART (self));

  g_clear_pointer (&self->name, g_free);
  cs_histogram_clear (&self->histogram);
  self->histogram = (CsHistogram){ 0 };
  self->calls = self->min = self->max = self->p50 = self->p99 = 0;
  if (function != NULL)
    {
      self->name = g_utf8_make_valid (function->location.name != NULL ? function->location.name : "", -1);
      cs_histogram_copy (&self->histogram, &function->histogram);
      self->calls = cs_histogram_count (&self->histogram, 0, G_MAXUINT64);
      self->min = function->min;
      self->max = function->max;
      self->p50 = cs_histogram_percentile (&self->histogram, self->calls, 500, self->min, self->max);
      self->p99 = cs_histogram_percentile (&self->histogram, self->calls, 990, self->min, self->max);
    }
  update_geometry (self);
  cs_range_chart_changed (CS_RANGE_CHART (self));
}

/**
 * cs_histogram_chart_set_log_counts:
 * @self: a chart
 * @log_counts: whether the heights of bars are logarithms
 */
void
cs_histogram_chart_set_log_counts (CsHistogramChart *self, gboolean log_counts)
{
  g_return_if_fail (CS_IS_HISTOGRAM_CHART (self));

  if (self->log_counts == !!log_counts)
    return;
  self->log_counts = !!log_counts;
  update_geometry (self);
  cs_range_chart_changed (CS_RANGE_CHART (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOG_COUNTS]);
}

/**
 * cs_histogram_chart_get_log_counts:
 * @self: a chart
 *
 * Returns: whether the heights of bars are logarithms
 */
gboolean
cs_histogram_chart_get_log_counts (CsHistogramChart *self)
{
  g_return_val_if_fail (CS_IS_HISTOGRAM_CHART (self), FALSE);
  return self->log_counts;
}

/**
 * cs_histogram_chart_count:
 * @self: a chart
 * @from: ns: the shortest duration
 * @to: ns: the one above the longest; the largest number is included
 *
 * Returns: how many calls are in a range, as one that was selected in the chart
 */
guint64
cs_histogram_chart_count (CsHistogramChart *self, guint64 from, guint64 to)
{
  g_return_val_if_fail (CS_IS_HISTOGRAM_CHART (self), 0);
  return cs_histogram_count (&self->histogram, from, to);
}

/**
 * cs_histogram_chart_get_layout:
 * @self: a chart
 *
 * Returns: (transfer none): what is painted, as long as neither data nor size changes
 */
const CsHistogramLayout *
cs_histogram_chart_get_layout (CsHistogramChart *self)
{
  g_return_val_if_fail (CS_IS_HISTOGRAM_CHART (self), NULL);
  return self->layout;
}
