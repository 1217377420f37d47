/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "charts/cs-histogram-chart-private.h"
#include "shared/cs-format.h"

#define MIN_BAR 6
#define MIN_WIDTH_WITH_COUNTS 220 /* below that the axis of counts has no room */

enum { PROP_LOG_COUNTS = 1, N_PROPS };

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (CsHistogramChart, cs_histogram_chart, CS_TYPE_RANGE_CHART)

void
cs_histogram_chart_measure_label (CsHistogramChart *self, const char *text, double *width, double *height)
{
  g_autoptr (PangoLayout) layout = cs_range_chart_create_label (CS_RANGE_CHART (self), text);
  int w, h;

  pango_layout_get_pixel_size (layout, &w, &h);
  if (width != NULL)
    *width = w;
  if (height != NULL)
    *height = h;
}

char *
cs_histogram_chart_dup_mark_text (CsHistogramChart *self, guint mark)
{
  g_autofree char *text = NULL;

  if (mark == CS_HISTOGRAM_MARK_OUTLIERS)
    {
      text = cs_format_count_short (self->layout->outliers);
      return g_strdup_printf (ngettext ("%s outlier", "%s outliers", (gulong) self->layout->outliers), text);
    }
  text = cs_format_duration (mark == CS_HISTOGRAM_MARK_P50 ? self->p50 : self->p99);
  return g_strdup_printf ("%s %s", mark == CS_HISTOGRAM_MARK_P50 ? "p50" : "p99", text);
}

/* The bars that outliers reach over, in pixels of the axis, and how high they are. Returns: whether there are any */
gboolean
cs_histogram_chart_find_outliers (CsHistogramChart *self, double *from, double *to, double *height)
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
  guint n = CS_HISTOGRAM_N_MARKS;

  self->marks[CS_HISTOGRAM_MARK_P50].anchor = cs_histogram_layout_get_x (self->layout, self->p50);
  self->marks[CS_HISTOGRAM_MARK_P99].anchor = cs_histogram_layout_get_x (self->layout, self->p99);
  if (cs_histogram_chart_find_outliers (self, &from, &to, &height))
    self->marks[CS_HISTOGRAM_MARK_OUTLIERS].anchor = (from + to) / 2;
  else
    n = CS_HISTOGRAM_MARK_OUTLIERS;
  for (guint i = 0; i < CS_HISTOGRAM_N_MARKS; i++)
    {
      g_autofree char *text = cs_histogram_chart_dup_mark_text (self, i);

      self->marks[i].side = sides[i];
      self->marks[i].width = 0;
      if (i < n)
        cs_histogram_chart_measure_label (self, text, &self->marks[i].width, NULL);
    }
  return cs_labels_place (self->marks, n, self->plot.size.width, CS_HISTOGRAM_GAP / 2);
}

/* Decides what is where, for the widget's size. */
static void
update_geometry (CsHistogramChart *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  double gutter = 0, top;

  g_clear_pointer (&self->layout, cs_histogram_layout_free);
  g_clear_pointer (&self->counts, g_array_unref);
  cs_histogram_chart_measure_label (self, "0", NULL, &self->caption);
  self->layout = cs_histogram_layout_new (&self->histogram, self->min, self->max, width, MIN_BAR, self->log_counts);
  self->counts = cs_histogram_layout_list_counts (self->layout, 3);
  if (width >= MIN_WIDTH_WITH_COUNTS && self->layout->calls > 0)
    {
      for (guint i = 0; i < self->counts->len; i++)
        {
          g_autofree char *text = cs_format_count_short (g_array_index (self->counts, CsHistogramTick, i).value);
          double text_width;

          cs_histogram_chart_measure_label (self, text, &text_width, NULL);
          gutter = MAX (gutter, text_width + CS_HISTOGRAM_GAP);
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

  cs_histogram_chart_measure_label (CS_HISTOGRAM_CHART (widget), "500 µs", &width, &height);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = (int) ceil (2 * width + 2 * CS_HISTOGRAM_GAP);
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
