/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "charts/cs-histogram-pair-chart.h"
#include "layout/cs-label-rows.h"
#include "shared/cs-format.h"

#define MIN_BAR 6
#define GAP 6 /* between labels */
#define LINE 2 /* of an outline */

enum { BASE, NEW, N_SIDES };
enum { N_MARKS = 2 * N_SIDES }; /* p50 and p99 of each */

/* What is kept of a function. */
typedef struct
{
  CsHistogram histogram;
  guint64 calls, min, max;
  guint64 percentiles[2];
} Side;

struct _CsHistogramPairChart
{
  CsRangeChart parent_instance;

  Side sides[N_SIDES];
  gboolean shares, logarithmic;
  CsHistogramPair *layout; /* (nullable): as wide as the plot */
  graphene_rect_t plot;
  double caption;          /* height of a label */
  CsLabel marks[N_MARKS];  /* of width 0: not there */
};

G_DEFINE_FINAL_TYPE (CsHistogramPairChart, cs_histogram_pair_chart, CS_TYPE_RANGE_CHART)

static void
measure_label (CsHistogramPairChart *self, const char *text, double *width, double *height)
{
  g_autoptr (PangoLayout) layout = cs_range_chart_create_label (CS_RANGE_CHART (self), text);
  int w, h;

  pango_layout_get_pixel_size (layout, &w, &h);
  if (width != NULL)
    *width = w;
  if (height != NULL)
    *height = h;
}

static const CsHistogramLayout *
get_axis_layout (CsHistogramPairChart *self)
{
  return self->layout != NULL ? cs_histogram_pair_get_axis (self->layout) : NULL;
}

/* "new p50 1.2 µs" */
static char *
dup_mark_text (CsHistogramPairChart *self, guint mark)
{
  g_autofree char *time = cs_format_duration (self->sides[mark / 2].percentiles[mark % 2]);

  return g_strdup_printf ("%s %s %s", mark / 2 == BASE ? _("base") : _("new"), mark % 2 == 0 ? "p50" : "p99", time);
}

/* Places the labels above the plot. Returns: how many rows they take */
static guint
place_marks (CsHistogramPairChart *self)
{
  CsLabel present[N_MARKS] = { 0 };
  guint n = 0, rows;

  for (guint i = 0; i < N_MARKS; i++)
    {
      g_autofree char *text = dup_mark_text (self, i);

      self->marks[i].width = 0;
      if (self->sides[i / 2].calls == 0)
        continue;
      present[n].anchor = cs_histogram_layout_get_x (get_axis_layout (self), self->sides[i / 2].percentiles[i % 2]);
      present[n].side = i % 2 == 0 ? 1 : 0;
      measure_label (self, text, &present[n].width, NULL);
      n++;
    }
  rows = cs_labels_place (present, n, self->plot.size.width, GAP / 2);
  n = 0;
  for (guint i = 0; i < N_MARKS; i++)
    if (self->sides[i / 2].calls > 0)
      self->marks[i] = present[n++];
  return rows;
}

static void
update_geometry (CsHistogramPairChart *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self)), top;
  CsHistogramSide sides[N_SIDES];

  for (guint i = 0; i < N_SIDES; i++)
    sides[i] = (CsHistogramSide){ &self->sides[i].histogram, self->sides[i].calls, self->sides[i].min, self->sides[i].max };
  g_clear_pointer (&self->layout, cs_histogram_pair_free);
  measure_label (self, "0", NULL, &self->caption);
  self->layout = cs_histogram_pair_new (sides, width, MIN_BAR, self->shares, self->logarithmic);
  self->plot.origin.x = 0;
  self->plot.size.width = (float) MAX (width, 1);
  top = get_axis_layout (self) != NULL ? place_marks (self) * self->caption + 2 : 0;
  self->plot.origin.y = (float) top;
  self->plot.size.height = (float) MAX (height - top - self->caption - 2, 1);
}

static gboolean
cs_histogram_pair_chart_get_axis (CsRangeChart *chart, graphene_rect_t *plot, guint64 *first, guint64 *end)
{
  CsHistogramPairChart *self = CS_HISTOGRAM_PAIR_CHART (chart);
  const CsHistogramLayout *axis = get_axis_layout (self);

  if (axis == NULL || axis->bars->len == 0)
    return FALSE;
  *plot = self->plot;
  *first = g_array_index (axis->bars, CsHistogramBar, 0).first;
  *end = cs_histogram_layout_get_end (&g_array_index (axis->bars, CsHistogramBar, axis->bars->len - 1));
  return TRUE;
}

static const CsHistogramBar *
find_bar (CsRangeChart *chart, guint64 value)
{
  const CsHistogramLayout *axis = get_axis_layout (CS_HISTOGRAM_PAIR_CHART (chart));

  return &g_array_index (axis->bars, CsHistogramBar, cs_histogram_layout_find (axis, value));
}

static double
cs_histogram_pair_chart_get_x (CsRangeChart *chart, guint64 value)
{
  return cs_histogram_layout_get_x (get_axis_layout (CS_HISTOGRAM_PAIR_CHART (chart)), value);
}

static guint64
cs_histogram_pair_chart_get_value (CsRangeChart *chart, double x)
{
  const CsHistogramLayout *axis = get_axis_layout (CS_HISTOGRAM_PAIR_CHART (chart));

  return g_array_index (axis->bars, CsHistogramBar, cs_histogram_layout_find_x (axis, x)).first;
}

static void
cs_histogram_pair_chart_get_bin (CsRangeChart *chart, guint64 value, guint64 *from, guint64 *to)
{
  const CsHistogramBar *bar = find_bar (chart, value);

  *from = bar->first;
  *to = cs_histogram_layout_get_end (bar);
}

static guint64
cs_histogram_pair_chart_get_edge (CsRangeChart *chart, double x)
{
  const CsHistogramLayout *axis = get_axis_layout (CS_HISTOGRAM_PAIR_CHART (chart));
  const CsHistogramBar *bar = &g_array_index (axis->bars, CsHistogramBar, cs_histogram_layout_find_x (axis, x));

  return x < bar->x + bar->width / 2 ? bar->first : cs_histogram_layout_get_end (bar);
}

static guint64
cs_histogram_pair_chart_step (CsRangeChart *chart, guint64 value, gboolean forward, gboolean far)
{
  CsHistogramPairChart *self = CS_HISTOGRAM_PAIR_CHART (chart);
  const CsHistogramLayout *axis = get_axis_layout (self);
  guint i = cs_histogram_layout_find (axis, value);

  while (forward ? i + 1 < axis->bars->len : i > 0)
    {
      i = forward ? i + 1 : i - 1;
      if (!far || cs_histogram_pair_get_calls (self->layout, BASE, i) > 0 || cs_histogram_pair_get_calls (self->layout, NEW, i) > 0)
        break;
    }
  return g_array_index (axis->bars, CsHistogramBar, i).first;
}

/* "3,112 calls (0.9 %)" */
static char *
describe_side (const Side *side, guint64 first, guint64 last)
{
  guint64 calls = side->calls > 0 ? cs_histogram_count (&side->histogram, first, last == G_MAXUINT64 ? last : last + 1) : 0;
  g_autofree char *count = cs_format_count (calls);
  g_autofree char *share = cs_format_share (calls, side->calls);

  if (side->calls == 0)
    return g_strdup (_("no durations"));
  return g_strdup_printf (ngettext ("%s call (%s)", "%s calls (%s)", (gulong) calls), count, share);
}

static char *
describe_durations (CsHistogramPairChart *self, guint64 first, guint64 last)
{
  g_autofree char *from = cs_format_duration (first);
  g_autofree char *to = cs_format_duration (last);
  g_autofree char *range = g_str_equal (from, to) ? g_strdup (from) : g_strdup_printf (_("%s – %s"), from, to);
  g_autofree char *base = describe_side (&self->sides[BASE], first, last);
  g_autofree char *other = describe_side (&self->sides[NEW], first, last);

  return g_strdup_printf (_("%s\nbase: %s\nnew: %s"), range, base, other);
}

static char *
cs_histogram_pair_chart_describe_value (CsRangeChart *chart, guint64 value)
{
  const CsHistogramBar *bar = find_bar (chart, value);

  return describe_durations (CS_HISTOGRAM_PAIR_CHART (chart), bar->first, bar->last);
}

static char *
cs_histogram_pair_chart_describe_range (CsRangeChart *chart, guint64 from, guint64 to)
{
  g_autofree char *text = describe_durations (CS_HISTOGRAM_PAIR_CHART (chart), from, to == G_MAXUINT64 ? to : to - 1);

  return g_strdup_printf (_("Selected: %s"), text);
}

static char *
describe_percentiles (const Side *side)
{
  g_autofree char *count = cs_format_count (side->calls);
  g_autofree char *p50 = cs_format_duration (side->percentiles[0]), *p99 = cs_format_duration (side->percentiles[1]);
  g_autofree char *calls = NULL;

  if (side->calls == 0)
    return g_strdup (_("no durations"));
  calls = g_strdup_printf (ngettext ("%s call", "%s calls", (gulong) side->calls), count);
  return g_strdup_printf (_("%s, p50 %s, p99 %s"), calls, p50, p99);
}

static char *
cs_histogram_pair_chart_describe (CsRangeChart *chart)
{
  CsHistogramPairChart *self = CS_HISTOGRAM_PAIR_CHART (chart);
  g_autofree char *base = describe_percentiles (&self->sides[BASE]), *other = describe_percentiles (&self->sides[NEW]);

  return g_strdup_printf (_("Durations of calls. Base: %s. New: %s"), base, other);
}

static void
paint_text (CsHistogramPairChart *self, GtkSnapshot *snapshot, const char *text, double x, double width, double y,
            const GdkRGBA *color)
{
  g_autoptr (PangoLayout) layout = cs_range_chart_create_label (CS_RANGE_CHART (self), text);
  graphene_rect_t rect;

  cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, x, width, y, self->caption, &rect);
  cs_range_chart_paint_label (CS_RANGE_CHART (self), snapshot, layout, rect.origin.x, rect.origin.y, color);
}

/* A part of the plot; y counts from its top. */
static void
paint_rect (CsHistogramPairChart *self, GtkSnapshot *snapshot, double x, double width, double y, double height,
            const GdkRGBA *color)
{
  graphene_rect_t rect;

  if (!(height > 0))
    return;
  cs_range_chart_place (CS_RANGE_CHART (self), &self->plot, x, width, y, height, &rect);
  gtk_snapshot_append_color (snapshot, color, &rect);
}

/* How high a bar is painted: what there is, is seen. */
static double
get_height (CsHistogramPairChart *self, guint side, guint bar)
{
  double height = round (cs_histogram_pair_get_height (self->layout, side, bar) * self->plot.size.height);

  if (cs_histogram_pair_get_calls (self->layout, side, bar) == 0)
    return 0;
  return MIN (MAX (height, 2), self->plot.size.height);
}

static void
paint_filled (CsHistogramPairChart *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  const CsHistogramLayout *axis = get_axis_layout (self);

  for (guint i = 0; i < axis->bars->len; i++)
    {
      const CsHistogramBar *bar = &g_array_index (axis->bars, CsHistogramBar, i);
      double x0 = round (bar->x), x1 = round (bar->x + bar->width), height = get_height (self, BASE, i);

      paint_rect (self, snapshot, x0, MAX (x1 - x0, 1), self->plot.size.height - height, height,
                  &colors->colors[CS_CHART_REST_BAR]);
    }
}

/* Steps: a line along each top, and one from each top to the next. */
static void
paint_outline (CsHistogramPairChart *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  const CsHistogramLayout *axis = get_axis_layout (self);
  const GdkRGBA *color = &colors->colors[CS_CHART_TEXT];
  double before = 0, bottom = self->plot.size.height;

  for (guint i = 0; i <= axis->bars->len; i++)
    {
      const CsHistogramBar *bar = &g_array_index (axis->bars, CsHistogramBar, MIN (i, axis->bars->len - 1));
      double height = i < axis->bars->len ? get_height (self, NEW, i) : 0;
      double x0 = round (i < axis->bars->len ? bar->x : bar->x + bar->width), x1 = round (bar->x + bar->width);

      x0 = MIN (x0, self->plot.size.width - LINE);
      paint_rect (self, snapshot, x0, LINE, bottom - MAX (before, height), fabs (height - before), color);
      if (height > 0)
        paint_rect (self, snapshot, x0, MAX (MIN (x1 + LINE, self->plot.size.width) - x0, LINE), bottom - height, LINE, color);
      before = height;
    }
}

/* The lines of the percentiles, the base's dashed, and above the plot what they are, in front of the lines of others. */
static void
paint_marks (CsHistogramPairChart *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  double bottom = self->plot.size.height, end = self->plot.size.width - 1;

  for (guint i = 0; i < N_MARKS; i++)
    {
      const CsLabel *mark = &self->marks[i];
      const GdkRGBA *color = &colors->colors[i / 2 == BASE ? CS_CHART_DIM_TEXT : CS_CHART_TEXT];
      double y = mark->row * self->caption - self->plot.origin.y + 2;

      if (!(mark->width > 0))
        continue;
      if (i / 2 == NEW)
        paint_rect (self, snapshot, MIN (round (mark->anchor), end), 1, y, bottom - y, color);
      else
        for (; y < bottom; y += 6)
          paint_rect (self, snapshot, MIN (round (mark->anchor), end), 1, y, MIN (3, bottom - y), color);
    }
  for (guint i = 0; i < N_MARKS; i++)
    {
      const CsLabel *mark = &self->marks[i];
      double y = mark->row * self->caption - self->plot.origin.y;
      g_autofree char *text = dup_mark_text (self, i);

      if (!(mark->width > 0))
        continue;
      paint_rect (self, snapshot, mark->x - 1, mark->width + 2, y, self->caption, &colors->colors[CS_CHART_BACKGROUND]);
      paint_text (self, snapshot, text, mark->x, mark->width, y,
                  &colors->colors[i / 2 == BASE ? CS_CHART_DIM_TEXT : CS_CHART_TEXT]);
    }
}

static void
paint_times (CsHistogramPairChart *self, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  const GdkRGBA *color = &colors->colors[CS_CHART_DIM_TEXT];
  g_autoptr (GArray) ticks = NULL;
  double widest, end = -GAP;

  measure_label (self, "500 µs", &widest, NULL);
  ticks = cs_histogram_layout_list_times (get_axis_layout (self), widest + 2 * GAP);
  for (guint i = 0; i < ticks->len; i++)
    {
      const CsHistogramTick *tick = &g_array_index (ticks, CsHistogramTick, i);
      double width, x;

      paint_rect (self, snapshot, MIN (round (tick->position), self->plot.size.width - 1), 1, self->plot.size.height, 3, color);
      measure_label (self, tick->label, &width, NULL);
      x = CLAMP (tick->position - width / 2, 0, MAX (self->plot.size.width - width, 0));
      if (x < end + GAP)
        continue;
      paint_text (self, snapshot, tick->label, x, width, self->plot.size.height + 2, color);
      end = x + width;
    }
}

static void
cs_histogram_pair_chart_paint (CsRangeChart *chart, GtkSnapshot *snapshot, const CsChartColors *colors)
{
  CsHistogramPairChart *self = CS_HISTOGRAM_PAIR_CHART (chart);

  if (get_axis_layout (self) == NULL)
    return;
  paint_rect (self, snapshot, 0, self->plot.size.width, self->plot.size.height, 1, &colors->colors[CS_CHART_DIM_TEXT]);
  paint_filled (self, snapshot, colors);
  paint_outline (self, snapshot, colors);
  paint_marks (self, snapshot, colors);
  paint_times (self, snapshot, colors);
}

static void
cs_histogram_pair_chart_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  update_geometry (CS_HISTOGRAM_PAIR_CHART (widget));
  GTK_WIDGET_CLASS (cs_histogram_pair_chart_parent_class)->size_allocate (widget, width, height, baseline);
}

static void
cs_histogram_pair_chart_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                                 int *minimum_baseline, int *natural_baseline)
{
  double width, height;

  measure_label (CS_HISTOGRAM_PAIR_CHART (widget), "base p99 500 µs", &width, &height);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = (int) ceil (width + 2 * GAP);
      *natural = (int) ceil (MAX (2 * width, 280));
    }
  else
    {
      *minimum = (int) ceil (5 * height + 60);
      *natural = (int) ceil (5 * height + 120);
    }
}

static void
side_clear (Side *side)
{
  cs_histogram_clear (&side->histogram);
  *side = (Side){ 0 };
}

static void
cs_histogram_pair_chart_finalize (GObject *object)
{
  CsHistogramPairChart *self = CS_HISTOGRAM_PAIR_CHART (object);

  for (guint i = 0; i < N_SIDES; i++)
    side_clear (&self->sides[i]);
  g_clear_pointer (&self->layout, cs_histogram_pair_free);
  G_OBJECT_CLASS (cs_histogram_pair_chart_parent_class)->finalize (object);
}

static void
cs_histogram_pair_chart_class_init (CsHistogramPairChartClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  CsRangeChartClass *chart_class = CS_RANGE_CHART_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = cs_histogram_pair_chart_finalize;
  widget_class->size_allocate = cs_histogram_pair_chart_size_allocate;
  widget_class->measure = cs_histogram_pair_chart_measure;
  chart_class->get_axis = cs_histogram_pair_chart_get_axis;
  chart_class->get_x = cs_histogram_pair_chart_get_x;
  chart_class->get_value = cs_histogram_pair_chart_get_value;
  chart_class->get_bin = cs_histogram_pair_chart_get_bin;
  chart_class->get_edge = cs_histogram_pair_chart_get_edge;
  chart_class->step = cs_histogram_pair_chart_step;
  chart_class->describe_value = cs_histogram_pair_chart_describe_value;
  chart_class->describe_range = cs_histogram_pair_chart_describe_range;
  chart_class->describe = cs_histogram_pair_chart_describe;
  chart_class->paint = cs_histogram_pair_chart_paint;
}

static void
cs_histogram_pair_chart_init (CsHistogramPairChart *self)
{
  self->shares = TRUE;
  cs_histogram_pair_chart_set_functions (self, NULL, NULL);
}

/**
 * cs_histogram_pair_chart_new:
 *
 * Returns: (transfer floating): a chart without calls; heights are shares
 */
GtkWidget *
cs_histogram_pair_chart_new (void)
{
  return g_object_new (CS_TYPE_HISTOGRAM_PAIR_CHART, NULL);
}

/**
 * cs_histogram_pair_chart_set_functions:
 * @self: a chart
 * @base: (nullable) (transfer none): whose calls are filled; what is needed of it is copied
 * @other: (nullable) (transfer none): whose calls are an outline; the same
 */
void
cs_histogram_pair_chart_set_functions (CsHistogramPairChart *self, const CsFunction *base, const CsFunction *other)
{
  const CsFunction *functions[N_SIDES] = { base, other };

  g_return_if_fail (CS_IS_HISTOGRAM_PAIR_CHART (self));

  for (guint i = 0; i < N_SIDES; i++)
    {
      Side *side = &self->sides[i];

      side_clear (side);
      if (functions[i] == NULL)
        continue;
      cs_histogram_copy (&side->histogram, &functions[i]->histogram);
      side->calls = cs_histogram_count (&side->histogram, 0, G_MAXUINT64);
      side->min = functions[i]->min;
      side->max = functions[i]->max;
      side->percentiles[0] = cs_histogram_percentile (&side->histogram, side->calls, 500, side->min, side->max);
      side->percentiles[1] = cs_histogram_percentile (&side->histogram, side->calls, 990, side->min, side->max);
    }
  cs_range_chart_set_range (CS_RANGE_CHART (self), 0, 0);
  update_geometry (self);
  cs_range_chart_changed (CS_RANGE_CHART (self));
}

/**
 * cs_histogram_pair_chart_set_scale:
 * @self: a chart
 * @shares: whether heights are shares of each side's calls
 * @logarithmic: whether they are logarithms
 */
void
cs_histogram_pair_chart_set_scale (CsHistogramPairChart *self, gboolean shares, gboolean logarithmic)
{
  g_return_if_fail (CS_IS_HISTOGRAM_PAIR_CHART (self));

  if (self->shares == shares && self->logarithmic == logarithmic)
    return;
  self->shares = shares;
  self->logarithmic = logarithmic;
  update_geometry (self);
  cs_range_chart_changed (CS_RANGE_CHART (self));
}

/**
 * cs_histogram_pair_chart_get_layout:
 * @self: a chart
 *
 * Returns: (transfer none): what is painted, as long as neither data nor size changes
 */
const CsHistogramPair *
cs_histogram_pair_chart_get_layout (CsHistogramPairChart *self)
{
  g_return_val_if_fail (CS_IS_HISTOGRAM_PAIR_CHART (self), NULL);
  return self->layout;
}
