/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "layout/cs-ruler.h"
#include "shared/cs-format.h"
#include "timeline/cs-timeline-chart-private.h"

/* The difference of two times. */
static guint64
get_length (gint64 from, gint64 to)
{
  return to > from ? (guint64) to - (guint64) from : 0;
}

/* A time as exactly as a step of it tells. */
static char *
format_rounded (CsTimelineChart *self, gint64 ns, guint64 step)
{
  gint64 origin = cs_timeline_chart_get_origin (self);
  guint64 length = ns >= origin ? (guint64) ns - (guint64) origin : (guint64) origin - (guint64) ns;
  g_autofree char *text = cs_ruler_format_duration (length / step * step);

  return g_strconcat (ns < origin ? "−" : "", text, NULL);
}

/**
 * cs_timeline_chart_format_time:
 * @self: a chart
 * @ns: a time
 *
 * Returns: (transfer full): the time from the origin, as exactly as a pixel tells it
 */
char *
cs_timeline_chart_format_time (CsTimelineChart *self, gint64 ns)
{
  double pixel = self->window.span / self->window.pixels;
  guint64 step = 1;

  while ((double) step * 10 <= pixel)
    step *= 10;
  return format_rounded (self, ns, step);
}

/**
 * cs_timeline_chart_dup_track_title:
 * @self: a chart
 * @track: number of a track
 *
 * Returns: (transfer full): the thread's name
 */
char *
cs_timeline_chart_dup_track_title (CsTimelineChart *self, guint track)
{
  char *title = NULL;

  if (self->texts.dup_track_title != NULL)
    title = cs_timeline_chart_dup_valid (self->texts.dup_track_title (track, self->texts_data));
  if (title == NULL || *title == '\0')
    {
      g_free (title);
      title = g_strdup_printf (_("Thread %u"), cs_timeline_get_track_info (self->timeline, track)->tid);
    }
  return title;
}

/**
 * cs_timeline_chart_dup_track_subtitle:
 * @self: a chart
 * @track: number of a track
 *
 * Returns: (transfer full) (nullable): what is below the thread's name
 */
char *
cs_timeline_chart_dup_track_subtitle (CsTimelineChart *self, guint track)
{
  if (self->texts.dup_track_subtitle != NULL)
    return cs_timeline_chart_dup_valid (self->texts.dup_track_subtitle (track, self->texts_data));
  if (self->texts.dup_track_title == NULL)
    return NULL;
  return g_strdup_printf (_("tid %u"), cs_timeline_get_track_info (self->timeline, track)->tid);
}

/**
 * cs_timeline_chart_dup_process_title:
 * @self: a chart
 * @process: index of a process
 *
 * Returns: (transfer full): its name
 */
char *
cs_timeline_chart_dup_process_title (CsTimelineChart *self, guint process)
{
  char *title = NULL;

  if (self->texts.dup_process_title != NULL)
    title = cs_timeline_chart_dup_valid (self->texts.dup_process_title (process, self->texts_data));
  if (title == NULL)
    {
      GPtrArray *processes = cs_recording_get_processes (cs_timeline_get_recording (self->timeline));

      title = g_strdup_printf (_("Process %u"), ((const CsProcess *) g_ptr_array_index (processes, process))->pid);
    }
  return title;
}

/**
 * cs_timeline_chart_dup_label:
 * @self: a chart
 * @call: a call or a block
 *
 * Returns: (transfer full): what is written in it
 */
char *
cs_timeline_chart_dup_label (CsTimelineChart *self, const CsTimelineCall *call)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), NULL);
  g_return_val_if_fail (self->timeline != NULL && call->track < self->settings->len, NULL);

  if (call->span.n_events > 0)
    {
      g_autofree char *count = cs_format_count (call->span.n_events / 2 + call->span.n_events % 2);

      return g_strdup_printf ("≈%s", count);
    }
  return g_strdup (cs_timeline_chart_get_style_label (self, cs_timeline_chart_find_style (self, call->track,
                                                                                         &call->span)));
}

static void
append_block (CsTimelineChart *self, GString *text, const CsTimelineSpan *span)
{
  guint64 n = span->n_events / 2 + span->n_events % 2;
  g_autofree char *count = cs_format_count (n);
  g_autofree char *from = cs_timeline_chart_format_time (self, span->start);
  g_autofree char *to = cs_timeline_chart_format_time (self, span->end);
  g_autofree char *length = cs_format_duration (get_length (span->start, span->end));

  /* Those that begin or end outside of the block are counted half. */
  g_string_append_printf (text, ngettext ("About %s call", "About %s calls, of all depths together", (gulong) MIN (n, G_MAXINT)),
                          count);
  g_string_append_c (text, '\n');
  /* Translators: "2.31 s – 2.32 s (8.2 ms)" */
  g_string_append_printf (text, _("%s – %s (%s)"), from, to, length);
  g_string_append_printf (text, "\n%s", _("Zoom in to see them"));
}

static void
append_call (CsTimelineChart *self, GString *text, const CsTimelineSpan *span)
{
  g_autofree char *start = format_rounded (self, span->start, 1);
  g_autofree char *length = cs_format_duration (get_length (span->start, span->end));

  if (span->open)
    g_string_append_printf (text, _("%s until its recording ended; it was not seen to end"), length);
  else
    g_string_append (text, length);
  g_string_append_c (text, '\n');
  g_string_append_printf (text, _("starts at %s"), start);
}

/**
 * cs_timeline_chart_dup_text:
 * @self: a chart
 * @call: a call or a block
 *
 * Returns: (transfer full): what its tooltip and its readout say, in lines
 */
char *
cs_timeline_chart_dup_text (CsTimelineChart *self, const CsTimelineCall *call)
{
  GString *text = g_string_new (NULL);
  g_autofree char *title = NULL, *more = NULL;

  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), NULL);
  g_return_val_if_fail (self->timeline != NULL && call->track < self->settings->len, NULL);

  if (call->span.n_events > 0)
    append_block (self, text, &call->span);
  else
    {
      g_autofree char *label = cs_timeline_chart_dup_label (self, call);

      g_string_append_printf (text, "%s\n", label);
      append_call (self, text, &call->span);
      if (self->texts.dup_more != NULL)
        more = cs_timeline_chart_dup_valid (self->texts.dup_more (call, self->texts_data));
    }
  title = cs_timeline_chart_dup_track_title (self, call->track);
  g_string_append_c (text, '\n');
  if (call->span.n_events > 0)
    g_string_append (text, title);
  else
    /* Translators: "sort-3, depth 9": a thread, and how many calls a call is in, itself included */
    g_string_append_printf (text, _("%s, depth %u"), title, call->span.depth + 1);
  if (more != NULL && *more != '\0')
    g_string_append_printf (text, "\n%s", more);
  return g_string_free (text, FALSE);
}

static char *
dup_header_text (CsTimelineChart *self, guint track)
{
  g_autofree char *title = cs_timeline_chart_dup_track_title (self, track);
  g_autofree char *subtitle = cs_timeline_chart_dup_track_subtitle (self, track);
  const CsTimelineTrackInfo *info = cs_timeline_get_track_info (self->timeline, track);
  const CsTimelineTrackSettings *settings = &g_array_index (self->settings, CsTimelineTrackSettings, track);
  guint32 shown = settings->full || settings->depth_limit == 0 ? info->n_rows : MIN (info->n_rows, settings->depth_limit);
  GString *text = g_string_new (title);
  g_autofree char *events = cs_format_count (info->n_events);
  g_autofree char *counted = NULL, *depths = NULL;

  if (subtitle != NULL)
    g_string_append_printf (text, "\n%s", subtitle);
  /* How many calls these are isn't known here: of some the end may be missing. */
  counted = g_strdup_printf (ngettext ("%s event", "%s events", (gulong) MIN (info->n_events, G_MAXINT)), events);
  if (settings->collapsed)
    shown = MIN (info->n_rows, 1);
  depths = shown < info->n_rows ? g_strdup_printf (ngettext ("%u of %u row", "%u of %u rows", info->n_rows), shown, info->n_rows)
                                : g_strdup_printf (ngettext ("%u row", "%u rows", info->n_rows), info->n_rows);
  g_string_append_printf (text, "\n%s, %s", counted, depths);
  return g_string_free (text, FALSE);
}

/**
 * cs_timeline_chart_dup_tooltip:
 * @self: a chart
 * @x: a place in the widget
 * @y: a place in the widget
 *
 * Returns: (transfer full) (nullable): what the tooltip says there
 */
char *
cs_timeline_chart_dup_tooltip (CsTimelineChart *self, double x, double y)
{
  CsTimelinePoint point;
  const CsTimelineMark *mark;
  double at;

  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), NULL);

  if (self->timeline == NULL || self->drag != CS_TIMELINE_DRAG_NONE)
    return NULL;
  cs_timeline_chart_hit (self, x, y, &point);
  at = cs_timeline_chart_get_axis_x (self, x);
  if (point.has_span)
    {
      const CsTimelineCall call = { point.track, point.span };

      return cs_timeline_chart_dup_text (self, &call);
    }
  if (point.area == CS_TIMELINE_AREA_HEADER)
    return dup_header_text (self, point.track);
  if (at < 0 || (point.area != CS_TIMELINE_AREA_RULER && point.area != CS_TIMELINE_AREA_TRACK))
    return NULL;
  mark = cs_timeline_chart_find_mark (self, at, point.track, point.area == CS_TIMELINE_AREA_RULER);
  return mark != NULL ? g_strdup (mark->text) : NULL;
}

gboolean
cs_timeline_chart_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;

  /* With the keyboard there is the readout. */
  if (keyboard)
    return FALSE;
  text = cs_timeline_chart_dup_tooltip (CS_TIMELINE_CHART (widget), x, y);
  if (text == NULL || *text == '\0')
    return FALSE;
  shown = cs_format_tooltip (text);
  gtk_tooltip_set_text (tooltip, shown);
  return TRUE;
}

/**
 * cs_timeline_chart_dup_message:
 * @self: a chart
 *
 * Returns: (transfer full) (nullable): why there is nothing, or not everything, to see
 */
char *
cs_timeline_chart_dup_message (CsTimelineChart *self)
{
  guint n = 0;

  if (self->timeline == NULL)
    return NULL;
  if (!self->has_events)
    return g_strdup (_("No calls were recorded."));
  if (self->error != NULL)
    return g_strdup_printf (_("Not all of the recording can be read any more: %s"), self->error);
  cs_timeline_rows_get_items (cs_timeline_chart_get_rows (self), &n);
  return n == 0 ? g_strdup (_("All threads are hidden.")) : NULL;
}

/* What is in focus, for the readout and for assistive technology. */
static char *
dup_focus_text (CsTimelineChart *self)
{
  if (!self->has_call)
    return g_strdup ("");
  return cs_timeline_chart_dup_text (self, &self->call);
}

static void
append_stretch (CsTimelineChart *self, GString *text, const char *format, gint64 from, gint64 to)
{
  g_autofree char *from_text = cs_timeline_chart_format_time (self, from);
  g_autofree char *to_text = cs_timeline_chart_format_time (self, to);
  g_autofree char *length = cs_format_duration (get_length (from, to));
  g_autofree char *line = NULL;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  line = g_strdup_printf (format, from_text, to_text, length);
#pragma GCC diagnostic pop
  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
}

/**
 * cs_timeline_chart_update_accessible:
 * @self: a chart
 *
 * Tells assistive technology what is shown, selected and measured.
 */
void
cs_timeline_chart_update_accessible (CsTimelineChart *self)
{
  g_autoptr (GString) label = g_string_new (_("Timeline")), description = NULL;
  g_autofree char *message = cs_timeline_chart_dup_message (self), *focus = dup_focus_text (self);

  description = g_string_new (focus);
  if (self->has_window && self->timeline != NULL)
    {
      const CsTimelineWindow *window = cs_timeline_chart_get_target (self);
      guint n = self->settings->len;

      g_string_append (label, ": ");
      g_string_append_printf (label, ngettext ("%u thread", "%u threads", n), n);
      append_stretch (self, label, _("%s – %s (%s)"), MAX (window->start, self->first),
                      MIN (cs_timeline_window_get_end (window), self->last));
      if (self->has_range)
        append_stretch (self, description, _("Selected: %s – %s (%s)"), self->range_from, self->range_to);
      if (self->has_measure)
        append_stretch (self, description, _("Measured: %s – %s (%s)"), self->measure_from, self->measure_to);
    }
  if (message != NULL)
    g_string_append_printf (label, "\n%s", message);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label->str,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description->str, -1);
}

/**
 * cs_timeline_chart_show_readout:
 * @self: a chart
 *
 * Shows what the selected call's tooltip would say.
 */
void
cs_timeline_chart_show_readout (CsTimelineChart *self)
{
  g_autofree char *text = dup_focus_text (self);
  graphene_rect_t rect;
  GdkRectangle pointing_to;

  /* Where it will be is known when nothing moves. */
  self->readout_wanted = self->animating;
  if (self->animating)
    return;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || !self->has_call ||
      !cs_timeline_chart_get_call_rect (self, &self->call, &rect))
    {
      cs_timeline_chart_hide_readout (self);
      return;
    }
  if (self->readout == NULL)
    {
      self->readout_label = gtk_label_new (NULL);
      gtk_label_set_wrap (GTK_LABEL (self->readout_label), TRUE);
      gtk_label_set_max_width_chars (GTK_LABEL (self->readout_label), 60);
      gtk_label_set_xalign (GTK_LABEL (self->readout_label), 0);
      self->readout = gtk_popover_new ();
      gtk_popover_set_child (GTK_POPOVER (self->readout), self->readout_label);
      gtk_popover_set_autohide (GTK_POPOVER (self->readout), FALSE);
      gtk_popover_set_position (GTK_POPOVER (self->readout), GTK_POS_BOTTOM);
      gtk_widget_set_can_focus (self->readout, FALSE);
      gtk_widget_set_can_target (self->readout, FALSE);
      gtk_widget_add_css_class (self->readout, "readout");
      gtk_widget_set_parent (self->readout, GTK_WIDGET (self));
    }
  gtk_label_set_text (GTK_LABEL (self->readout_label), text);
  pointing_to = (GdkRectangle){ (int) rect.origin.x, (int) rect.origin.y, (int) MAX (rect.size.width, 1),
                                (int) rect.size.height };
  gtk_popover_set_pointing_to (GTK_POPOVER (self->readout), &pointing_to);
  gtk_popover_popup (GTK_POPOVER (self->readout));
}

/**
 * cs_timeline_chart_hide_readout:
 * @self: a chart
 */
void
cs_timeline_chart_hide_readout (CsTimelineChart *self)
{
  self->readout_wanted = FALSE;
  if (self->readout != NULL)
    gtk_popover_popdown (GTK_POPOVER (self->readout));
}
