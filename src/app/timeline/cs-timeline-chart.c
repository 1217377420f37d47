/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "timeline/cs-timeline-chart-private.h"

enum { PROP_FOLLOW = 1, PROP_MEASURING, PROP_SHARP, N_PROPS };

enum
{
  CALL_SELECTED,
  CALL_ACTIVATED,
  RANGE_CHANGED,
  MEASURE_CHANGED,
  WINDOW_CHANGED,
  TRACKS_CHANGED,
  SEEN_CHANGED,
  MENU_REQUESTED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsTimelineChart, cs_timeline_chart, GTK_TYPE_WIDGET)

void
cs_timeline_chart_emit_call_selected (CsTimelineChart *self)
{
  g_signal_emit (self, signals[CALL_SELECTED], 0);
}

void
cs_timeline_chart_emit_call_activated (CsTimelineChart *self)
{
  g_signal_emit (self, signals[CALL_ACTIVATED], 0);
}

void
cs_timeline_chart_emit_range_changed (CsTimelineChart *self)
{
  g_signal_emit (self, signals[RANGE_CHANGED], 0);
}

void
cs_timeline_chart_emit_measure_changed (CsTimelineChart *self)
{
  g_signal_emit (self, signals[MEASURE_CHANGED], 0);
}

void
cs_timeline_chart_emit_window_changed (CsTimelineChart *self)
{
  g_signal_emit (self, signals[WINDOW_CHANGED], 0);
}

void
cs_timeline_chart_emit_tracks_changed (CsTimelineChart *self)
{
  g_signal_emit (self, signals[TRACKS_CHANGED], 0);
}

void
cs_timeline_chart_emit_seen_changed (CsTimelineChart *self)
{
  g_signal_emit (self, signals[SEEN_CHANGED], 0);
}

void
cs_timeline_chart_emit_menu_requested (CsTimelineChart *self, CsTimelinePoint *point, double x, double y)
{
  g_signal_emit (self, signals[MENU_REQUESTED], 0, point, x, y);
}

void
cs_timeline_chart_set_sharp (CsTimelineChart *self, gboolean sharp)
{
  if (self->sharp == sharp)
    return;
  self->sharp = sharp;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHARP]);
}

static void
clear_mark (gpointer data)
{
  g_free ((char *) ((CsTimelineMark *) data)->text);
}

static void
cs_timeline_chart_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  CsTimelineChart *self = CS_TIMELINE_CHART (widget);

  if (self->timeline != NULL)
    {
      cs_timeline_chart_repaint (self);
      cs_timeline_chart_update_geometry (self);
      if (self->rows_changed)
        cs_timeline_chart_update_accessible (self);
      self->rows_changed = FALSE;
    }
  if (gtk_widget_get_child_visible (self->scrollbar))
    {
      GtkAllocation place = { width - self->scrollbar_width, (int) self->ruler_height, self->scrollbar_width,
                              MAX (height - (int) self->ruler_height, 1) };

      if (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL)
        place.x = 0;
      gtk_widget_size_allocate (self->scrollbar, &place, -1);
    }
  if (self->readout != NULL)
    gtk_popover_present (GTK_POPOVER (self->readout));
  cs_timeline_chart_ask (self);
}

static void
cs_timeline_chart_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                           int *minimum_baseline, int *natural_baseline)
{
  CsTimelineChart *self = CS_TIMELINE_CHART (widget);
  int least;

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 120;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : 400;
  gtk_widget_measure (self->scrollbar, orientation, -1, &least, NULL, NULL, NULL);
  *minimum = MAX (*minimum, least);
}

static void
cs_timeline_chart_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (cs_timeline_chart_parent_class)->root (widget);
  cs_chart_colors_follow (widget, G_CALLBACK (cs_timeline_chart_repaint));
}

static void
cs_timeline_chart_unroot (GtkWidget *widget)
{
  cs_chart_colors_unfollow (widget);
  GTK_WIDGET_CLASS (cs_timeline_chart_parent_class)->unroot (widget);
}

static void
cs_timeline_chart_unmap (GtkWidget *widget)
{
  CsTimelineChart *self = CS_TIMELINE_CHART (widget);

  cs_timeline_chart_hide_readout (self);
  /* GTK tells of no end of what the pointer was doing. */
  cs_timeline_chart_cancel_drag (self);
  self->has_pointer = FALSE;
  if (self->animating)
    adw_animation_skip (self->animation);
  GTK_WIDGET_CLASS (cs_timeline_chart_parent_class)->unmap (widget);
}

/* Headers and heights are made anew. */
static void
forget_measures (CsTimelineChart *self)
{
  self->measured = FALSE;
  g_clear_pointer (&self->titles, g_hash_table_unref);
  if (self->timeline != NULL)
    cs_timeline_chart_rows_changed (self);
}

/* Fonts may be others. */
static void
cs_timeline_chart_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (cs_timeline_chart_parent_class)->css_changed (widget, change);
  forget_measures (CS_TIMELINE_CHART (widget));
}

static void
cs_timeline_chart_direction_changed (GtkWidget *widget, GtkTextDirection previous)
{
  GTK_WIDGET_CLASS (cs_timeline_chart_parent_class)->direction_changed (widget, previous);
  forget_measures (CS_TIMELINE_CHART (widget));
}

static void
on_scrolled (CsTimelineChart *self)
{
  if (self->animating)
    return;
  cs_timeline_chart_hide_readout (self);
  cs_timeline_chart_repaint (self);
  cs_timeline_chart_ask (self);
}

static void
clear_texts (CsTimelineChart *self)
{
  if (self->texts_destroy != NULL)
    self->texts_destroy (self->texts_data);
  self->texts = (CsTimelineChartTexts){ 0 };
  self->texts_data = NULL;
  self->texts_destroy = NULL;
}

static void
cs_timeline_chart_dispose (GObject *object)
{
  CsTimelineChart *self = CS_TIMELINE_CHART (object);

  cs_timeline_chart_cancel_walk (self);
  g_clear_handle_id (&self->refine, g_source_remove);
  g_clear_handle_id (&self->seen, g_source_remove);
  self->animating = FALSE;
  if (self->animation != NULL)
    adw_animation_reset (self->animation);
  g_clear_object (&self->animation);
  g_clear_pointer (&self->readout, gtk_widget_unparent);
  g_clear_pointer (&self->scrollbar, gtk_widget_unparent);
  cs_timeline_chart_forget_answers (self);
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  g_clear_pointer (&self->rows, cs_timeline_rows_free);
  g_clear_pointer (&self->timeline, cs_timeline_unref);
  self->has_window = FALSE;
  clear_texts (self);

  G_OBJECT_CLASS (cs_timeline_chart_parent_class)->dispose (object);
}

static void
cs_timeline_chart_finalize (GObject *object)
{
  CsTimelineChart *self = CS_TIMELINE_CHART (object);

  g_clear_handle_id (&self->refine, g_source_remove);
  g_clear_handle_id (&self->seen, g_source_remove);
  g_clear_object (&self->adjustment);
  g_clear_pointer (&self->titles, g_hash_table_unref);
  g_clear_pointer (&self->found_index, g_hash_table_unref);
  g_clear_pointer (&self->boxes, g_array_unref);
  g_array_unref (self->settings);
  g_array_unref (self->found);
  g_array_unref (self->marks);
  g_array_unref (self->styles);
  g_hash_table_unref (self->by_function);
  g_hash_table_unref (self->by_address);
  cs_label_cache_free (self->labels);
  cs_label_cache_free (self->small_labels);
  g_free (self->collapsed);

  G_OBJECT_CLASS (cs_timeline_chart_parent_class)->finalize (object);
}

static void
cs_timeline_chart_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CsTimelineChart *self = CS_TIMELINE_CHART (object);

  switch (id)
    {
    case PROP_FOLLOW:
      g_value_set_boolean (value, self->follow);
      break;
    case PROP_MEASURING:
      g_value_set_boolean (value, self->measuring);
      break;
    case PROP_SHARP:
      g_value_set_boolean (value, self->sharp);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
add_properties (GObjectClass *class)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  /**
   * CsTimelineChart:follow:
   *
   * Whether the newest event stays at the end of the window.
   */
  properties[PROP_FOLLOW] = g_param_spec_boolean ("follow", NULL, NULL, FALSE, flags);
  /**
   * CsTimelineChart:measuring:
   *
   * Whether a drag over tracks measures.
   */
  properties[PROP_MEASURING] = g_param_spec_boolean ("measuring", NULL, NULL, FALSE, flags);
  /**
   * CsTimelineChart:sharp:
   *
   * Whether all that is to be seen was read.
   */
  properties[PROP_SHARP] = g_param_spec_boolean ("sharp", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (class, N_PROPS, properties);
}

static void
add_signals (GType type)
{
  static const char *const names[] = { "call-selected", "call-activated", "range-changed", "measure-changed",
                                       "window-changed", "tracks-changed", "seen-changed" };

  /* What they tell stands in the header. */
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    signals[i] = g_signal_new (names[i], type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MENU_REQUESTED] = g_signal_new ("menu-requested", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                                          G_TYPE_POINTER, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
cs_timeline_chart_class_init (CsTimelineChartClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = cs_timeline_chart_dispose;
  object_class->finalize = cs_timeline_chart_finalize;
  object_class->get_property = cs_timeline_chart_get_property;
  widget_class->snapshot = cs_timeline_chart_snapshot;
  widget_class->measure = cs_timeline_chart_measure;
  widget_class->size_allocate = cs_timeline_chart_size_allocate;
  widget_class->root = cs_timeline_chart_root;
  widget_class->unroot = cs_timeline_chart_unroot;
  widget_class->unmap = cs_timeline_chart_unmap;
  widget_class->css_changed = cs_timeline_chart_css_changed;
  widget_class->direction_changed = cs_timeline_chart_direction_changed;
  widget_class->query_tooltip = cs_timeline_chart_query_tooltip;
  add_properties (object_class);
  add_signals (G_TYPE_FROM_CLASS (class));
  gtk_widget_class_set_css_name (widget_class, "chart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
cs_timeline_chart_init (CsTimelineChart *self)
{
  self->settings = g_array_new (FALSE, TRUE, sizeof (CsTimelineTrackSettings));
  self->found = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  self->marks = g_array_new (FALSE, FALSE, sizeof (CsTimelineMark));
  g_array_set_clear_func (self->marks, clear_mark);
  self->window = (CsTimelineWindow){ .span = 1, .pixels = 1 };
  self->scale = 1;
  self->measure_track = G_MAXUINT;
  g_queue_init (&self->steps);
  self->labels = cs_label_cache_new (GTK_WIDGET (self), 0.86);
  self->small_labels = cs_label_cache_new (GTK_WIDGET (self), 0.82);
  cs_timeline_chart_forget_styles (self);
  self->adjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 1, 1));
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
  self->scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, self->adjustment);
  gtk_widget_set_child_visible (self->scrollbar, FALSE);
  gtk_widget_set_parent (self->scrollbar, GTK_WIDGET (self));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  cs_timeline_chart_add_controllers (self);
  cs_timeline_chart_update_accessible (self);
}

/**
 * cs_timeline_chart_new:
 *
 * Returns: (transfer floating): a timeline of nothing
 */
GtkWidget *
cs_timeline_chart_new (void)
{
  return g_object_new (CS_TYPE_TIMELINE_CHART, NULL);
}

/**
 * cs_timeline_chart_get_timeline:
 * @self: a chart
 *
 * Returns: (transfer none) (nullable): what it shows
 */
CsTimeline *
cs_timeline_chart_get_timeline (CsTimelineChart *self)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), NULL);
  return self->timeline;
}

/**
 * cs_timeline_chart_set_texts:
 * @self: a chart
 * @texts: (nullable): what is said of what it shows; copied
 * @data: for @texts
 * @destroy: (nullable): frees @data
 *
 * Nothing is asked before the next frame: where the timeline becomes another one too, it is to be set right after this.
 */
void
cs_timeline_chart_set_texts (CsTimelineChart *self, const CsTimelineChartTexts *texts, gpointer data,
                             GDestroyNotify destroy)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  clear_texts (self);
  if (texts != NULL)
    self->texts = *texts;
  self->texts_data = data;
  self->texts_destroy = destroy;
  cs_timeline_chart_texts_changed (self);
}

/**
 * cs_timeline_chart_texts_changed:
 * @self: a chart
 *
 * Asks all texts and colours anew: names were found, or colours are chosen in another way.
 */
void
cs_timeline_chart_texts_changed (CsTimelineChart *self)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  cs_timeline_chart_forget_styles (self);
  forget_measures (self);
}

/**
 * cs_timeline_chart_set_origin:
 * @self: a chart
 * @ns: the time that times are told from
 */
void
cs_timeline_chart_set_origin (CsTimelineChart *self, gint64 ns)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  self->has_origin = TRUE;
  self->origin = ns;
  cs_timeline_chart_update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cs_timeline_chart_get_origin:
 * @self: a chart
 *
 * Returns: the time that times are told from: the first event's if none was set, ns
 */
gint64
cs_timeline_chart_get_origin (CsTimelineChart *self)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), 0);
  return self->has_origin ? self->origin : self->first;
}

/**
 * cs_timeline_chart_get_error:
 * @self: a chart
 *
 * Returns: (transfer none) (nullable): why what is on view couldn't be read
 */
const char *
cs_timeline_chart_get_error (CsTimelineChart *self)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), NULL);
  return self->error;
}

/**
 * cs_timeline_chart_get_extent:
 * @self: a chart
 * @first: (out) (optional): time of the first event, ns
 * @last: (out) (optional): time of the last event, ns
 *
 * Returns: %FALSE when there are no events; both are 0 then
 */
gboolean
cs_timeline_chart_get_extent (CsTimelineChart *self, gint64 *first, gint64 *last)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), FALSE);

  if (first != NULL)
    *first = self->first;
  if (last != NULL)
    *last = self->last;
  return self->has_events;
}

/**
 * cs_timeline_chart_set_follow:
 * @self: a chart
 * @follow: whether the newest event is to stay at the end of the window
 */
void
cs_timeline_chart_set_follow (CsTimelineChart *self, gboolean follow)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  follow = !!follow;
  if (self->follow == follow)
    return;
  self->follow = follow;
  if (follow)
    cs_timeline_chart_follow_end (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLLOW]);
}

/**
 * cs_timeline_chart_get_follow:
 * @self: a chart
 *
 * Returns: whether the newest event stays at the end of the window
 */
gboolean
cs_timeline_chart_get_follow (CsTimelineChart *self)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), FALSE);
  return self->follow;
}

/**
 * cs_timeline_chart_get_sharp:
 * @self: a chart
 *
 * Returns: whether all that is to be seen was read
 */
gboolean
cs_timeline_chart_get_sharp (CsTimelineChart *self)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), FALSE);
  return self->sharp;
}

/**
 * cs_timeline_chart_get_stats:
 * @self: a chart
 *
 * Returns: (transfer none): what the last frame took
 */
const CsTimelineChartStats *
cs_timeline_chart_get_stats (CsTimelineChart *self)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), NULL);
  return &self->stats;
}
