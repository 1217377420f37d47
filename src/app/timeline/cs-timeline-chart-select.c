/* SPDX-License-Identifier: MIT */
/* What is selected, measured and found in a chart. */
#include "config.h"

#include "timeline/cs-timeline-chart-private.h"

static gboolean
is_same_call (const CsTimelineCall *a, const CsTimelineCall *b)
{
  return a->track == b->track && a->span.position == b->span.position && a->span.depth == b->span.depth &&
         a->span.start == b->span.start;
}

static gboolean
take_call (CsTimelineChart *self, const CsTimelineCall *call)
{
  gboolean same = call != NULL ? self->has_call && is_same_call (call, &self->call) : !self->has_call;

  self->has_call = call != NULL;
  if (call != NULL)
    self->call = *call;
  if (same)
    return FALSE;
  cs_timeline_chart_hide_readout (self);
  cs_timeline_chart_update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

/* What the person selects. */
void
cs_timeline_chart_select (CsTimelineChart *self, const CsTimelineCall *call)
{
  if (take_call (self, call))
    cs_timeline_chart_emit_call_selected (self);
}

static gboolean
take_range (CsTimelineChart *self, gboolean has_range, gint64 from, gint64 to)
{
  gboolean same;

  has_range = has_range && from < to;
  same = self->has_range == has_range && (!has_range || (self->range_from == from && self->range_to == to));
  self->has_range = has_range;
  self->range_from = has_range ? from : 0;
  self->range_to = has_range ? to : 0;
  if (same)
    return FALSE;
  cs_timeline_chart_update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

/* What the person selects. */
void
cs_timeline_chart_take_range (CsTimelineChart *self, gboolean has_range, gint64 from, gint64 to)
{
  if (take_range (self, has_range, from, to))
    cs_timeline_chart_emit_range_changed (self);
}

void
cs_timeline_chart_take_measure (CsTimelineChart *self, gboolean has, gint64 from, gint64 to, guint track, guint32 depth)
{
  gboolean same = self->has_measure == has && self->measure_from == from && self->measure_to == to;

  self->has_measure = has;
  self->measure_from = from;
  self->measure_to = to;
  self->measure_track = track;
  self->measure_depth = depth;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (same)
    return;
  cs_timeline_chart_update_accessible (self);
  cs_timeline_chart_emit_measure_changed (self);
}

static guint
hash_call (gconstpointer data)
{
  const CsTimelineCall *call = data;

  return (guint) (call->span.position * 31 + call->track * 1009 + call->span.depth);
}

static gboolean
equal_calls (gconstpointer a, gconstpointer b)
{
  const CsTimelineCall *x = a, *y = b;

  return x->track == y->track && x->span.position == y->span.position && x->span.depth == y->span.depth;
}

/**
 * cs_timeline_chart_set_range:
 * @self: a chart
 * @has_range: whether there is one
 * @from: ns
 * @to: ns, not in it
 *
 * Selects a range. Ends what the person was doing to it.
 */
void
cs_timeline_chart_set_range (CsTimelineChart *self, gboolean has_range, gint64 from, gint64 to)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  if (self->drag == CS_TIMELINE_DRAG_RANGE)
    cs_timeline_chart_cancel_drag (self);
  take_range (self, has_range, from, to);
}

/**
 * cs_timeline_chart_get_range:
 * @self: a chart
 * @from: (out) (optional): ns
 * @to: (out) (optional): ns
 *
 * Returns: whether a range is selected
 */
gboolean
cs_timeline_chart_get_range (CsTimelineChart *self, gint64 *from, gint64 *to)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), FALSE);

  if (from != NULL)
    *from = self->range_from;
  if (to != NULL)
    *to = self->range_to;
  return self->has_range;
}

/**
 * cs_timeline_chart_set_measuring:
 * @self: a chart
 * @measuring: whether a drag over tracks measures
 */
void
cs_timeline_chart_set_measuring (CsTimelineChart *self, gboolean measuring)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  measuring = !!measuring;
  if (self->measuring == measuring)
    return;
  self->measuring = measuring;
  g_object_notify (G_OBJECT (self), "measuring");
}

/**
 * cs_timeline_chart_get_measuring:
 * @self: a chart
 *
 * Returns: whether a drag over tracks measures
 */
gboolean
cs_timeline_chart_get_measuring (CsTimelineChart *self)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), FALSE);
  return self->measuring;
}

/**
 * cs_timeline_chart_get_measure:
 * @self: a chart
 * @from: (out) (optional): ns
 * @to: (out) (optional): ns
 *
 * Returns: whether a stretch is measured
 */
gboolean
cs_timeline_chart_get_measure (CsTimelineChart *self, gint64 *from, gint64 *to)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), FALSE);

  if (from != NULL)
    *from = self->measure_from;
  if (to != NULL)
    *to = self->measure_to;
  return self->has_measure;
}

/**
 * cs_timeline_chart_clear_measure:
 * @self: a chart
 *
 * Nothing is measured any more.
 */
void
cs_timeline_chart_clear_measure (CsTimelineChart *self)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));
  cs_timeline_chart_take_measure (self, FALSE, 0, 0, G_MAXUINT, 0);
}

/**
 * cs_timeline_chart_set_call:
 * @self: a chart
 * @call: (nullable): a call, of the timeline that is shown
 * @reveal: whether to move to where it can be seen
 *
 * Selects a call.
 */
void
cs_timeline_chart_set_call (CsTimelineChart *self, const CsTimelineCall *call, gboolean reveal)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  if (call != NULL && (self->timeline == NULL || call->track >= self->settings->len))
    call = NULL;
  cs_timeline_chart_cancel_walk (self);
  take_call (self, call);
  if (call != NULL && reveal)
    cs_timeline_chart_reveal (self, call, TRUE);
}

/**
 * cs_timeline_chart_get_call:
 * @self: a chart
 *
 * Returns: (transfer none) (nullable): the selected call
 */
const CsTimelineCall *
cs_timeline_chart_get_call (CsTimelineChart *self)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), NULL);
  return self->has_call ? &self->call : NULL;
}

static gboolean
has_found (CsTimelineChart *self, const CsTimelineCall *calls, guint n)
{
  if (n != self->found->len || (calls == NULL) != (self->found_index == NULL))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!is_same_call (&calls[i], &g_array_index (self->found, CsTimelineCall, i)))
      return FALSE;
  return TRUE;
}

/**
 * cs_timeline_chart_set_found:
 * @self: a chart
 * @calls: (nullable) (array length=n): calls that stand out; %NULL: nothing is looked for, all are as they are
 * @n: how many; 0: none of what is looked for is in sight
 */
void
cs_timeline_chart_set_found (CsTimelineChart *self, const CsTimelineCall *calls, guint n)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  if (has_found (self, calls, n))
    return;
  g_clear_pointer (&self->found_index, g_hash_table_unref);
  g_array_set_size (self->found, 0);
  if (n > 0)
    g_array_append_vals (self->found, calls, n);
  if (calls != NULL)
    self->found_index = g_hash_table_new (hash_call, equal_calls);
  for (guint i = 0; i < n; i++)
    g_hash_table_add (self->found_index, &g_array_index (self->found, CsTimelineCall, i));
  cs_timeline_chart_forget_picture (self);
}

/**
 * cs_timeline_chart_set_marks:
 * @self: a chart
 * @marks: (nullable) (array length=n): where the recording was not all there; copied
 * @n: how many
 */
void
cs_timeline_chart_set_marks (CsTimelineChart *self, const CsTimelineMark *marks, guint n)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  g_array_set_size (self->marks, 0);
  for (guint i = 0; i < n; i++)
    {
      CsTimelineMark mark = marks[i];

      mark.text = g_utf8_make_valid (mark.text != NULL ? mark.text : "", -1);
      g_array_append_val (self->marks, mark);
    }
  cs_timeline_chart_forget_picture (self);
}

/**
 * cs_timeline_chart_get_marks:
 * @self: a chart
 * @n: (out): how many there are
 *
 * Returns: (transfer none) (array length=n): where the recording was not all there
 */
const CsTimelineMark *
cs_timeline_chart_get_marks (CsTimelineChart *self, guint *n)
{
  *n = 0;
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), NULL);
  *n = self->marks->len;
  return (const CsTimelineMark *) (gconstpointer) self->marks->data;
}
