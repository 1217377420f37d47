/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline/cs-timeline-chart-private.h"

/* Which index in the newer recording a process of the older one has; G_MAXUINT: none. */
static guint *
map_processes (CsRecording *from, CsRecording *to, gboolean *any)
{
  GPtrArray *old = cs_recording_get_processes (from), *new = cs_recording_get_processes (to);
  guint *map = g_new (guint, old->len + 1);

  *any = FALSE;
  for (guint i = 0; i < old->len; i++)
    {
      const CsProcess *a = g_ptr_array_index (old, i);

      map[i] = G_MAXUINT;
      for (guint j = 0; j < new->len && map[i] == G_MAXUINT; j++)
        {
          const CsProcess *b = g_ptr_array_index (new, j);

          if (a->pid == b->pid && a->t0_ticks == b->t0_ticks && a->t0_ns == b->t0_ns)
            map[i] = j;
        }
      *any |= map[i] != G_MAXUINT;
    }
  return map;
}

static guint
hash_info (gconstpointer data)
{
  const CsTimelineTrackInfo *info = data;

  return info->tid * 31 + info->process + (guint) info->seq;
}

static gboolean
equal_infos (gconstpointer a, gconstpointer b)
{
  const CsTimelineTrackInfo *x = a, *y = b;

  return x->process == y->process && x->tid == y->tid && x->seq == y->seq;
}

/* Which number in the newer timeline each track has; %NULL: it is of another recording. */
static guint *
map_tracks (CsTimeline *from, CsTimeline *to, guint **processes)
{
  gboolean any;
  g_autofree guint *process_map = map_processes (cs_timeline_get_recording (from), cs_timeline_get_recording (to), &any);
  guint n = cs_timeline_get_n_tracks (from);
  g_autoptr (GHashTable) index = NULL;
  guint *map;

  if (!any)
    return NULL;
  index = g_hash_table_new (hash_info, equal_infos);
  for (guint i = 0; i < cs_timeline_get_n_tracks (to); i++)
    g_hash_table_insert (index, (gpointer) cs_timeline_get_track_info (to, i), GUINT_TO_POINTER (i + 1));
  map = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      CsTimelineTrackInfo info = *cs_timeline_get_track_info (from, i);

      info.process = process_map[info.process];
      /* 0 - 1 is none. */
      map[i] = GPOINTER_TO_UINT (g_hash_table_lookup (index, &info)) - 1;
    }
  *processes = g_steal_pointer (&process_map);
  return map;
}

static void
map_settings (CsTimelineChart *self, CsTimeline *timeline, const guint *map, const guint *processes)
{
  GArray *settings = g_array_new (FALSE, TRUE, sizeof (CsTimelineTrackSettings));
  guint n_processes = cs_recording_get_processes (cs_timeline_get_recording (timeline))->len;
  guint8 *collapsed = g_new0 (guint8, n_processes + 1);

  g_array_set_size (settings, cs_timeline_get_n_tracks (timeline));
  for (guint i = 0; map != NULL && i < self->settings->len; i++)
    if (map[i] != G_MAXUINT)
      g_array_index (settings, CsTimelineTrackSettings, map[i]) = g_array_index (self->settings, CsTimelineTrackSettings, i);
  for (guint i = 0; map != NULL && i < self->n_processes; i++)
    if (processes[i] != G_MAXUINT)
      collapsed[processes[i]] = self->collapsed[i];
  g_array_unref (self->settings);
  self->settings = settings;
  g_free (self->collapsed);
  self->collapsed = collapsed;
  self->n_processes = n_processes;
}

static int
compare_fills (gconstpointer a, gconstpointer b)
{
  guint x = ((const CsTimelineFill *) a)->track, y = ((const CsTimelineFill *) b)->track;

  return x < y ? -1 : x > y;
}

/* What was read of the older timeline is painted until the newer one was read. */
static void
map_answer (CsTimelineAnswer *answer, const guint *map)
{
  for (guint i = answer->fills->len; i > 0; i--)
    {
      CsTimelineFill *fill = &g_array_index (answer->fills, CsTimelineFill, i - 1);

      if (map[fill->track] != G_MAXUINT)
        fill->track = map[fill->track];
      else
        g_array_remove_index_fast (answer->fills, i - 1);
    }
  g_array_sort (answer->fills, compare_fills);
}

static void
map_calls (CsTimelineChart *self, const guint *map)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));

  if (self->has_call && map[self->call.track] != G_MAXUINT)
    self->call.track = map[self->call.track];
  else
    self->has_call = FALSE;
  if (self->measure_track != G_MAXUINT)
    self->measure_track = map[self->measure_track];
  for (guint i = 0; i < self->found->len; i++)
    {
      CsTimelineCall call = g_array_index (self->found, CsTimelineCall, i);

      call.track = map[call.track];
      if (call.track != G_MAXUINT)
        g_array_append_val (found, call);
    }
  cs_timeline_chart_set_found (self, self->found_index != NULL && found->len > 0 ? (const CsTimelineCall *) (gpointer) found->data
                                                                                  : NULL, found->len);
  for (guint i = self->marks->len; i > 0; i--)
    {
      CsTimelineMark *mark = &g_array_index (self->marks, CsTimelineMark, i - 1);

      if (mark->track == G_MAXUINT)
        continue;
      if (map[mark->track] != G_MAXUINT)
        mark->track = map[mark->track];
      else
        g_array_remove_index (self->marks, i - 1);
    }
}

/* Nothing of another recording stays. */
static void
reset (CsTimelineChart *self)
{
  self->has_call = self->has_range = self->has_measure = self->has_window = FALSE;
  self->range_from = self->range_to = self->measure_from = self->measure_to = 0;
  self->measure_track = G_MAXUINT;
  self->has_origin = FALSE;
  cs_timeline_chart_set_found (self, NULL, 0);
  cs_timeline_chart_set_marks (self, NULL, 0);
  cs_timeline_chart_forget_answers (self);
  gtk_adjustment_set_value (self->adjustment, 0);
}

static void
update_extent (CsTimelineChart *self)
{
  gint64 first = G_MAXINT64, last = G_MININT64;

  for (guint i = 0; i < self->settings->len; i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (self->timeline, i);

      if (info->first > info->last)
        continue;
      first = MIN (first, info->first);
      last = MAX (last, info->last);
    }
  self->has_events = first <= last;
  self->first = self->has_events ? first : 0;
  self->last = self->has_events ? last : 0;
}

/* Whether the window has everything: it is to stay so when there is more. */
static gboolean
has_all (CsTimelineChart *self)
{
  const CsTimelineWindow *window = cs_timeline_chart_get_target (self);

  return window->start <= self->first && cs_timeline_window_get_end (window) >= self->last;
}

/* Shows what was shown, of a longer recording. */
static void
update_window (CsTimelineChart *self, gboolean all)
{
  if (!self->has_events)
    {
      self->has_window = FALSE;
      return;
    }
  if (!self->has_window || all)
    {
      self->has_window = TRUE;
      cs_timeline_window_fit (&self->window, self->first, self->last);
      cs_timeline_chart_emit_window_changed (self);
    }
  else if (self->follow)
    cs_timeline_chart_follow_end (self);
}

/**
 * cs_timeline_chart_set_timeline:
 * @self: a chart
 * @timeline: (nullable): what it is to show
 *
 * A newer timeline of the same recording keeps what is selected and seen; see the header.
 */
void
cs_timeline_chart_set_timeline (CsTimelineChart *self, CsTimeline *timeline)
{
  g_autofree guint *map = NULL, *processes = NULL;
  gboolean all = FALSE;

  g_return_if_fail (CS_IS_TIMELINE_CHART (self));

  if (timeline == self->timeline)
    return;
  cs_timeline_chart_cancel_walk (self);
  cs_timeline_chart_cancel_drag (self);
  cs_timeline_chart_stop_animation (self);
  cs_timeline_chart_hide_readout (self);
  if (timeline != NULL && self->timeline != NULL)
    map = map_tracks (self->timeline, timeline, &processes);
  if (map != NULL)
    {
      all = self->has_window && has_all (self);
      map_calls (self, map);
      self->generation++;
      g_clear_pointer (&self->previous, cs_timeline_answer_free);
      if (self->answer != NULL)
        map_answer (self->answer, map);
      g_clear_pointer (&self->error, g_free);
    }
  else
    reset (self);
  if (timeline != NULL)
    {
      cs_timeline_ref (timeline);
      map_settings (self, timeline, map, processes);
    }
  else
    g_array_set_size (self->settings, 0);
  g_clear_pointer (&self->timeline, cs_timeline_unref);
  self->timeline = timeline;
  update_extent (self);
  cs_timeline_chart_set_sharp (self, FALSE);
  cs_timeline_chart_texts_changed (self);
  self->readout_wanted = FALSE;
  if (timeline == NULL)
    g_clear_pointer (&self->rows, cs_timeline_rows_free);
  update_window (self, all);
  cs_timeline_chart_repaint (self);
  cs_timeline_chart_ask (self);
  cs_timeline_chart_update_accessible (self);
}

/**
 * cs_timeline_chart_set_track:
 * @self: a chart
 * @track: number of a track
 * @settings: how it is shown
 */
void
cs_timeline_chart_set_track (CsTimelineChart *self, guint track, const CsTimelineTrackSettings *settings)
{
  CsTimelineTrackSettings *at;

  g_return_if_fail (CS_IS_TIMELINE_CHART (self));
  g_return_if_fail (track < self->settings->len);

  at = &g_array_index (self->settings, CsTimelineTrackSettings, track);
  if (at->order == settings->order && at->depth_limit == settings->depth_limit && !at->full == !settings->full && !at->collapsed == !settings->collapsed &&
      !at->pinned == !settings->pinned && !at->hidden == !settings->hidden)
    return;
  *at = *settings;
  cs_timeline_chart_rows_changed (self);
}

/**
 * cs_timeline_chart_get_track:
 * @self: a chart
 * @track: number of a track
 * @settings: (out): how it is shown
 */
void
cs_timeline_chart_get_track (CsTimelineChart *self, guint track, CsTimelineTrackSettings *settings)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));
  g_return_if_fail (track < self->settings->len);

  *settings = g_array_index (self->settings, CsTimelineTrackSettings, track);
}

/**
 * cs_timeline_chart_set_process_collapsed:
 * @self: a chart
 * @process: index of a process
 * @collapsed: whether only its header is shown; the only process has no header and can't be collapsed
 */
void
cs_timeline_chart_set_process_collapsed (CsTimelineChart *self, guint process, gboolean collapsed)
{
  g_return_if_fail (CS_IS_TIMELINE_CHART (self));
  g_return_if_fail (process < self->n_processes);

  if (self->collapsed[process] == !!collapsed)
    return;
  self->collapsed[process] = !!collapsed;
  cs_timeline_chart_rows_changed (self);
}

/**
 * cs_timeline_chart_get_process_collapsed:
 * @self: a chart
 * @process: index of a process
 *
 * Returns: whether only its header is shown
 */
gboolean
cs_timeline_chart_get_process_collapsed (CsTimelineChart *self, guint process)
{
  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), FALSE);
  g_return_val_if_fail (process < self->n_processes, FALSE);

  return self->collapsed[process];
}

/**
 * cs_timeline_chart_dup_order:
 * @self: a chart
 * @n: (out): how many there are
 *
 * Returns: (transfer full) (array length=n): the tracks from the top, without those that are hidden or whose process is
 *   collapsed
 */
guint *
cs_timeline_chart_dup_order (CsTimelineChart *self, guint *n)
{
  const CsTimelineItem *items;
  guint *order, n_items;

  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), NULL);

  *n = 0;
  if (self->timeline == NULL)
    return g_new0 (guint, 1);
  items = cs_timeline_rows_get_items (cs_timeline_chart_get_rows (self), &n_items);
  order = g_new (guint, n_items + 1);
  for (guint i = 0; i < n_items; i++)
    if (!items[i].header)
      order[(*n)++] = items[i].track;
  return order;
}

static void
add_visible_row (CsTimelineChart *self, GArray *calls, guint track, guint32 depth)
{
  gint64 end = cs_timeline_window_get_end (&self->window);
  gsize n;
  const CsTimelineSpan *spans = cs_timeline_chart_get_row (self, track, depth, &n);

  for (gsize i = 0; i < n; i++)
    if (spans[i].end >= self->window.start && spans[i].start <= end)
      {
        const CsTimelineCall call = { track, spans[i] };

        g_array_append_val (calls, call);
      }
}

/**
 * cs_timeline_chart_dup_visible:
 * @self: a chart
 *
 * Returns: (transfer full) (element-type CsTimelineCall): the calls and blocks that are seen, from the top and then by time
 */
GArray *
cs_timeline_chart_dup_visible (CsTimelineChart *self)
{
  GArray *calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  const CsTimelineItem *items;
  CsTimelinePane panes[2];
  guint n_panes, n;

  g_return_val_if_fail (CS_IS_TIMELINE_CHART (self), calls);

  if (self->timeline == NULL || !self->has_window)
    return calls;
  cs_timeline_chart_update_geometry (self);
  n_panes = cs_timeline_chart_get_panes (self, panes);
  items = cs_timeline_rows_get_items (self->rows, &n);
  for (guint i = 0; i < n_panes; i++)
    {
      double y0 = panes[i].top - panes[i].offset, y1 = panes[i].bottom - panes[i].offset;
      guint first;

      if (n_panes > 1 && i == 1)
        y0 = MAX (y0, self->pinned);
      first = cs_timeline_rows_find_visible (self->rows, y0, y1, &n);
      for (guint j = first; j < first + n; j++)
        {
          guint32 depth0, depth1;

          if (items[j].header || !cs_timeline_rows_get_visible_depths (self->rows, j, y0, y1, &depth0, &depth1))
            continue;
          for (guint32 depth = depth0; depth < depth1; depth++)
            add_visible_row (self, calls, items[j].track, depth);
        }
    }
  return calls;
}
