/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "charts/cs-overview-private.h"
#include "layout/cs-ruler.h"
#include "shared/cs-format.h"

#define COLUMN 2      /* pixels */
#define MAX_ROWS 12
#define NATURAL_ROWS 6
#define MIN_STRIP 24  /* pixels that all threads together have at least */
#define NATURAL_STRIP 34

G_DEFINE_FINAL_TYPE (CsOverview, cs_overview, CS_TYPE_RANGE_CHART)

static void
clear_notice (gpointer data)
{
  g_free (((CsOverviewNotice *) data)->text);
}

/* Decides what is where, for the widget's size. */
static void
update_geometry (CsOverview *self)
{
  g_autoptr (PangoLayout) layout = cs_range_chart_create_label (CS_RANGE_CHART (self), "0 s");
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  int caption;
  guint n_rows = 0, n_tracks = cs_activity_get_n_tracks (self->activity);

  pango_layout_get_pixel_size (layout, NULL, &caption);
  self->caption = caption;
  graphene_rect_init (&self->plot, 0, (float) caption + 2, (float) MAX (width, 1),
                      (float) MAX (height - caption - 2, 1));
  self->strip = self->plot.size.height;
  if (n_tracks > 1 && self->strip >= MIN_STRIP + 2 * (CS_OVERVIEW_ROW + 1))
    {
      n_rows = (guint) ((self->strip - MIN_STRIP) / (CS_OVERVIEW_ROW + 1));
      n_rows = MIN (MIN (n_rows, n_tracks), MAX_ROWS);
      self->strip -= n_rows * (CS_OVERVIEW_ROW + 1);
    }
  if (width > 0)
    cs_activity_request (self->activity, (guint) width / COLUMN, n_rows);
}

gboolean
cs_overview_has_axis (CsOverview *self)
{
  return cs_activity_get_span (self->activity) > 0 && cs_activity_get_error (self->activity) == NULL;
}

static gboolean
cs_overview_get_axis (CsRangeChart *chart, graphene_rect_t *plot, guint64 *first, guint64 *end)
{
  CsOverview *self = CS_OVERVIEW (chart);

  *plot = self->plot;
  *first = 0;
  *end = cs_overview_get_span (self);
  return cs_overview_has_axis (self);
}

double
cs_overview_get_x (CsRangeChart *chart, guint64 value)
{
  CsOverview *self = CS_OVERVIEW (chart);
  guint64 span = cs_overview_get_span (self);

  return self->plot.size.width * ((double) MIN (value, span) / (double) span);
}

static guint64
cs_overview_get_value (CsRangeChart *chart, double x)
{
  CsOverview *self = CS_OVERVIEW (chart);
  guint64 span = cs_overview_get_span (self);
  double value = round (x / self->plot.size.width * (double) span);

  return value < (double) span ? (guint64) MAX (value, 0) : span;
}

static void
cs_overview_get_bin (CsRangeChart *chart, guint64 value, guint64 *from, guint64 *to)
{
  *from = *to = MIN (value, cs_overview_get_span (CS_OVERVIEW (chart)));
}

/* The next of the places that are worth it: ends of the range and of the recording, and notices. */
static guint64
find_stop (CsOverview *self, guint64 value, gboolean forward)
{
  guint64 stop = forward ? cs_overview_get_span (self) : 0, from, to;
  gboolean has_range = cs_range_chart_get_shown_range (CS_RANGE_CHART (self), &from, &to);

  for (guint i = 0; i < self->notices->len + 2; i++)
    {
      guint64 place = i >= 2 ? g_array_index (self->notices, CsOverviewNotice, i - 2).ns : i == 0 ? from : to;

      if (i < 2 && !has_range)
        continue;
      if (forward && place > value)
        stop = MIN (stop, place);
      else if (!forward && place < value)
        stop = MAX (stop, place);
    }
  return stop;
}

static guint64
cs_overview_step (CsRangeChart *chart, guint64 value, gboolean forward, gboolean far)
{
  CsOverview *self = CS_OVERVIEW (chart);
  guint64 span = cs_overview_get_span (self), step = MAX (span / 100, 1);

  value = MIN (value, span);
  if (far)
    return find_stop (self, value, forward);
  return forward ? value + MIN (step, span - value) : value - MIN (step, value);
}

/* A time as exactly as a column tells it. */
char *
cs_overview_format_time (CsOverview *self, guint64 ns)
{
  const CsDensity *density = cs_activity_get_density (self->activity);
  guint64 column = cs_overview_get_span (self) / (density != NULL ? density->n_columns : 1), step = 1;

  while (step <= column / 10)
    step *= 10;
  return cs_ruler_format_duration (ns / step * step + (ns % step >= step - step / 2 ? step : 0));
}

static char *
format_range (CsOverview *self, guint64 from, guint64 to)
{
  g_autofree char *from_text = cs_overview_format_time (self, from), *to_text = cs_overview_format_time (self, to);

  return g_str_equal (from_text, to_text) ? g_strdup (from_text) : g_strdup_printf (_("%s – %s"), from_text, to_text);
}

/* The time at which a column begins; that of the number of columns is the end. */
static guint64
get_column_time (CsOverview *self, const CsDensity *density, guint column)
{
  return (guint64) ((unsigned __int128) cs_overview_get_span (self) * column / density->n_columns);
}

/* The column of a time, and when that is. */
static guint
find_column (CsOverview *self, const CsDensity *density, guint64 value, char **range)
{
  guint64 span = cs_overview_get_span (self);
  guint column = (guint) ((unsigned __int128) MIN (value, span) * density->n_columns / span);

  column = MIN (column, density->n_columns - 1);
  *range = format_range (self, get_column_time (self, density, column), get_column_time (self, density, column + 1));
  return column;
}

static char *
format_events (guint64 n)
{
  g_autofree char *count = cs_format_count (n);

  return g_strdup_printf (ngettext ("%s event", "%s events", (gulong) n), count);
}

/* What the notices near a time say. */
static void
append_notices (CsOverview *self, GString *text, guint64 value)
{
  double x = cs_overview_get_x (CS_RANGE_CHART (self), value);

  for (guint i = 0; i < self->notices->len; i++)
    {
      const CsOverviewNotice *notice = &g_array_index (self->notices, CsOverviewNotice, i);

      if (fabs (cs_overview_get_x (CS_RANGE_CHART (self), notice->ns) - x) <= CS_OVERVIEW_NOTICE / 2.0)
        g_string_append_printf (text, "\n%s", notice->text);
    }
}

static char *
cs_overview_describe_value (CsRangeChart *chart, guint64 value)
{
  CsOverview *self = CS_OVERVIEW (chart);
  g_autoptr (GString) text = g_string_new (NULL);
  const CsDensity *density = cs_activity_get_density (self->activity);
  g_autofree char *range = NULL, *events = NULL;

  if (density == NULL)
    return cs_overview_format_time (self, value);
  events = format_events (density->total[find_column (self, density, value, &range)]);
  g_string_append_printf (text, _("%s: %s"), range, events);
  append_notices (self, text, value);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Over a thread's row, what it has. */
static char *
cs_overview_describe_point (CsRangeChart *chart, guint64 value, double y)
{
  CsOverview *self = CS_OVERVIEW (chart);
  const CsDensity *density = cs_activity_get_density (self->activity);
  double below = y - self->plot.origin.y - self->strip;
  g_autofree char *name = NULL, *range = NULL, *events = NULL;
  guint row, column, track;

  if (density == NULL || below < 0 || below / (CS_OVERVIEW_ROW + 1) >= density->n_rows)
    return cs_overview_describe_value (chart, value);
  row = (guint) (below / (CS_OVERVIEW_ROW + 1));
  column = find_column (self, density, value, &range);
  track = density->tracks[row];
  events = format_events (density->rows[(gsize) row * density->n_columns + column]);
  if (track != CS_DENSITY_REST)
    name = cs_activity_dup_track_name (self->activity, track);
  else
    name = g_strdup_printf (ngettext ("%u other thread", "%u other threads", density->n_rest), density->n_rest);
  return g_strdup_printf ("%s\n%s: %s", name, range, events);
}

static char *
cs_overview_describe_range (CsRangeChart *chart, guint64 from, guint64 to)
{
  CsOverview *self = CS_OVERVIEW (chart);
  guint64 span = cs_overview_get_span (self);
  g_autofree char *range = NULL, *length = NULL;

  /* It may have been set for more than there is. */
  from = MIN (from, span);
  to = MIN (to, span);
  range = format_range (self, from, to);
  length = cs_overview_format_time (self, to - from);
  return g_strdup_printf (_("Selected: %s (%s)"), range, length);
}

char *
cs_overview_dup_message (CsOverview *self)
{
  const char *error = cs_activity_get_error (self->activity);

  if (error != NULL)
    return g_strdup_printf (_("Activity over time cannot be read: %s"), error);
  return g_strdup (self->message != NULL ? self->message : "");
}

static char *
cs_overview_describe (CsRangeChart *chart)
{
  CsOverview *self = CS_OVERVIEW (chart);
  const CsDensity *density = cs_activity_get_density (self->activity);
  guint n_tracks = cs_activity_get_n_tracks (self->activity);
  g_autofree char *message = NULL, *events = NULL, *time = NULL, *threads = NULL, *notices = NULL;

  if (!cs_overview_has_axis (self))
    {
      message = cs_overview_dup_message (self);
      return *message != '\0' ? g_strdup_printf (_("Activity over time: %s"), message)
                              : g_strdup (_("Activity over time"));
    }
  time = cs_overview_format_time (self, cs_overview_get_span (self));
  if (density == NULL)
    return g_strdup_printf (_("Activity over time: %s"), time);
  events = format_events (density->n_events);
  threads = g_strdup_printf (ngettext ("%u thread", "%u threads", n_tracks), n_tracks);
  notices = g_strdup_printf (ngettext (", %u notice", ", %u notices", self->notices->len), self->notices->len);
  /* Translators: "41,203 events in 8.4 s on 26 threads, 2 notices" */
  return g_strdup_printf (_("Activity over time: %s in %s on %s%s"), events, time, threads,
                          self->notices->len > 0 ? notices : "");
}

static void
cs_overview_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  update_geometry (CS_OVERVIEW (widget));
  GTK_WIDGET_CLASS (cs_overview_parent_class)->size_allocate (widget, width, height, baseline);
}

static void
cs_overview_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                     int *minimum_baseline, int *natural_baseline)
{
  CsOverview *self = CS_OVERVIEW (widget);
  g_autoptr (PangoLayout) layout = cs_range_chart_create_label (CS_RANGE_CHART (self), "0 s");
  guint n_tracks = cs_activity_get_n_tracks (self->activity);
  int height, n_rows = n_tracks > 1 ? (int) MIN (n_tracks, NATURAL_ROWS) : 0;

  pango_layout_get_pixel_size (layout, NULL, &height);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 80;
      *natural = 400;
    }
  else
    {
      *minimum = height + 2 + MIN_STRIP;
      *natural = height + 2 + NATURAL_STRIP + n_rows * (CS_OVERVIEW_ROW + 1);
    }
}

static void
cs_overview_dispose (GObject *object)
{
  cs_activity_stop (CS_OVERVIEW (object)->activity);
  G_OBJECT_CLASS (cs_overview_parent_class)->dispose (object);
}

static void
cs_overview_finalize (GObject *object)
{
  CsOverview *self = CS_OVERVIEW (object);

  g_object_unref (self->activity);
  g_free (self->message);
  g_array_unref (self->notices);
  G_OBJECT_CLASS (cs_overview_parent_class)->finalize (object);
}

static void
cs_overview_class_init (CsOverviewClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  CsRangeChartClass *chart_class = CS_RANGE_CHART_CLASS (class);

  object_class->dispose = cs_overview_dispose;
  object_class->finalize = cs_overview_finalize;
  widget_class->size_allocate = cs_overview_size_allocate;
  widget_class->measure = cs_overview_measure;
  chart_class->moves = TRUE;
  chart_class->get_axis = cs_overview_get_axis;
  chart_class->get_x = cs_overview_get_x;
  chart_class->get_value = cs_overview_get_value;
  chart_class->get_bin = cs_overview_get_bin;
  chart_class->step = cs_overview_step;
  chart_class->describe_value = cs_overview_describe_value;
  chart_class->describe_point = cs_overview_describe_point;
  chart_class->describe_range = cs_overview_describe_range;
  chart_class->describe = cs_overview_describe;
  chart_class->paint = cs_overview_paint;
}

static void
cs_overview_init (CsOverview *self)
{
  self->activity = cs_activity_new ();
  g_signal_connect_object (self->activity, "changed", G_CALLBACK (cs_range_chart_changed), self, G_CONNECT_SWAPPED);
  self->notices = g_array_new (FALSE, FALSE, sizeof (CsOverviewNotice));
  g_array_set_clear_func (self->notices, clear_notice);
  graphene_rect_init (&self->plot, 0, 0, 1, 1);
  cs_range_chart_changed (CS_RANGE_CHART (self));
}

/* There is something else to show. */
static void
show (CsOverview *self)
{
  update_geometry (self);
  cs_range_chart_changed (CS_RANGE_CHART (self));
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/**
 * cs_overview_new:
 *
 * Returns: (transfer floating): an overview of nothing
 */
GtkWidget *
cs_overview_new (void)
{
  return g_object_new (CS_TYPE_OVERVIEW, NULL);
}

/**
 * cs_overview_set_timeline:
 * @self: an overview
 * @timeline: (nullable): the index of the recording that it shows; %NULL: the message is shown
 *
 * Shows a recording. Its density is read in a thread whenever the widget's size is another; what was read for
 * something else is dropped. The selected range stays.
 */
void
cs_overview_set_timeline (CsOverview *self, CsTimeline *timeline)
{
  g_return_if_fail (CS_IS_OVERVIEW (self));

  cs_activity_set_timeline (self->activity, timeline);
  show (self);
}

/**
 * cs_overview_set_density:
 * @self: an overview
 * @span: ns that all columns together are
 * @events: (array): @n_columns numbers of events of the first track, then those of the second one, and so on
 * @n_columns: how many equal parts the time has
 * @n_tracks: how many tracks there are
 *
 * Shows what was counted otherwise, as of a recording that isn't finished. With a @span of 0, or without columns or
 * tracks, the message is shown. The selected range stays.
 */
void
cs_overview_set_density (CsOverview *self, guint64 span, const guint64 *events, guint n_columns, guint n_tracks)
{
  g_return_if_fail (CS_IS_OVERVIEW (self));

  cs_activity_set_events (self->activity, span, events, n_columns, n_tracks);
  show (self);
}

/**
 * cs_overview_set_message:
 * @self: an overview
 * @message: (nullable): one line that is said where there is nothing to show, as that the recording has sums only;
 *   %NULL: nothing
 */
void
cs_overview_set_message (CsOverview *self, const char *message)
{
  g_return_if_fail (CS_IS_OVERVIEW (self));

  g_free (self->message);
  self->message = g_strdup (message);
  cs_range_chart_changed (CS_RANGE_CHART (self));
}

/**
 * cs_overview_set_visible:
 * @self: an overview
 * @from: ns from the recording's first event
 * @to: the end; not behind @from: nothing is told
 *
 * Frames the part of the time that a view shows.
 */
void
cs_overview_set_visible (CsOverview *self, guint64 from, guint64 to)
{
  g_return_if_fail (CS_IS_OVERVIEW (self));

  if (self->visible_from == from && self->visible_to == to)
    return;
  self->visible_from = from;
  self->visible_to = to;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static int
compare_notices (gconstpointer a, gconstpointer b)
{
  guint64 x = ((const CsOverviewNotice *) a)->ns, y = ((const CsOverviewNotice *) b)->ns;

  return x < y ? -1 : x > y;
}

/**
 * cs_overview_add_notice:
 * @self: an overview
 * @ns: from the recording's first event: where it is marked
 * @text: what it says
 */
void
cs_overview_add_notice (CsOverview *self, guint64 ns, const char *text)
{
  CsOverviewNotice notice = { ns, g_utf8_make_valid (text, -1) };

  g_return_if_fail (CS_IS_OVERVIEW (self));

  g_array_append_val (self->notices, notice);
  g_array_sort (self->notices, compare_notices);
  cs_range_chart_changed (CS_RANGE_CHART (self));
}

/**
 * cs_overview_clear_notices:
 * @self: an overview
 */
void
cs_overview_clear_notices (CsOverview *self)
{
  g_return_if_fail (CS_IS_OVERVIEW (self));

  g_array_set_size (self->notices, 0);
  cs_range_chart_changed (CS_RANGE_CHART (self));
}

/**
 * cs_overview_get_start:
 * @self: an overview
 *
 * Returns: ns, CLOCK_MONOTONIC: what ranges and notices count from; 0 where that isn't known
 */
gint64
cs_overview_get_start (CsOverview *self)
{
  g_return_val_if_fail (CS_IS_OVERVIEW (self), 0);
  return cs_activity_get_start (self->activity);
}

/**
 * cs_overview_get_span:
 * @self: an overview
 *
 * Returns: ns that are shown; 0: nothing
 */
guint64
cs_overview_get_span (CsOverview *self)
{
  g_return_val_if_fail (CS_IS_OVERVIEW (self), 0);
  return cs_activity_get_span (self->activity);
}

/**
 * cs_overview_is_reading:
 * @self: an overview
 *
 * Returns: whether a density is being read for what is shown now
 */
gboolean
cs_overview_is_reading (CsOverview *self)
{
  g_return_val_if_fail (CS_IS_OVERVIEW (self), FALSE);
  return cs_activity_is_reading (self->activity);
}

/**
 * cs_overview_get_density:
 * @self: an overview
 *
 * Returns: (transfer none) (nullable): what is painted, until something else is
 */
const CsDensity *
cs_overview_get_density (CsOverview *self)
{
  g_return_val_if_fail (CS_IS_OVERVIEW (self), NULL);
  return cs_activity_get_density (self->activity);
}
