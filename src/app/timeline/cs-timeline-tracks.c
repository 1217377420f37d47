/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-pass-filter.h"
#include "timeline/cs-timeline-in-range.h"
#include "timeline/cs-timeline-tracks-private.h"

/* A thread among others shows so many rows at first: one that is a hundred calls deep for a moment would fill a screen. */
#define MOST_ROWS 12

G_DEFINE_FINAL_TYPE (CsTimelineTracks, cs_timeline_tracks, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static CsProcess *
get_process (CsTimelineTracks *self, guint process)
{
  return g_ptr_array_index (cs_recording_get_processes (cs_timeline_get_recording (cs_timeline_names_get_timeline (self->names))),
                            process);
}

static gboolean
is_left_out (CsTimelineTracks *self, CsPassFilter *filter, CsTrackItem *item)
{
  if (*self->text != '\0' && !cs_track_item_matches (item, self->text))
    return TRUE;
  if (self->only_in_range && self->has_range && self->in_range != NULL && !self->in_range->data[item->track])
    return TRUE;
  return !cs_pass_filter_takes_thread (filter, get_process (self, item->process), item->tid, item->seq);
}

static gboolean
same_settings (const CsTimelineTrackSettings *a, const CsTimelineTrackSettings *b)
{
  return a->order == b->order && a->depth_limit == b->depth_limit && a->full == b->full && a->collapsed == b->collapsed
         && a->pinned == b->pinned && a->hidden == b->hidden;
}

static void
apply_item (CsTimelineTracks *self, CsPassFilter *filter, CsTrackItem *item)
{
  CsTimelineTrackSettings settings = item->settings, now;
  gboolean left_out = is_left_out (self, filter, item);

  settings.hidden |= left_out;
  cs_timeline_chart_get_track (self->chart, item->track, &now);
  if (!same_settings (&settings, &now))
    cs_timeline_chart_set_track (self->chart, item->track, &settings);
  if (left_out == item->left_out && same_settings (&settings, &now))
    return;
  item->left_out = left_out;
  cs_track_item_changed (item);
}

/* Makes the chart show what is wanted. */
void
cs_timeline_tracks_apply (CsTimelineTracks *self)
{
  g_autoptr (CsPassFilter) filter = cs_pass_filter_new (&self->filter, 0, NULL, NULL);

  self->applying = TRUE;
  for (guint i = 0; i < self->items->len; i++)
    apply_item (self, filter, g_ptr_array_index (self->items, i));
  self->applying = FALSE;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
cs_timeline_tracks_apply_one (CsTimelineTracks *self, CsTrackItem *item)
{
  g_autoptr (CsPassFilter) filter = cs_pass_filter_new (&self->filter, 0, NULL, NULL);

  self->applying = TRUE;
  apply_item (self, filter, item);
  self->applying = FALSE;
  cs_track_item_changed (item);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* The person collapses threads in the chart, too, and shows all their rows. */
static void
on_tracks_changed (CsTimelineTracks *self)
{
  if (self->applying)
    return;
  for (guint i = 0; i < self->items->len; i++)
    {
      CsTrackItem *item = g_ptr_array_index (self->items, i);
      CsTimelineTrackSettings now;

      cs_timeline_chart_get_track (self->chart, i, &now);
      if (now.collapsed == item->settings.collapsed && now.full == item->settings.full)
        continue;
      item->settings.collapsed = now.collapsed;
      item->settings.full = now.full;
      cs_track_item_changed (item);
    }
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
stop_asking (CsTimelineTracks *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
}

static void
cs_timeline_tracks_dispose (GObject *object)
{
  CsTimelineTracks *self = CS_TIMELINE_TRACKS (object);

  stop_asking (self);
  g_clear_object (&self->chart);
  g_clear_pointer (&self->names, cs_timeline_names_unref);
  g_clear_object (&self->store);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->in_range, g_byte_array_unref);
  cs_profile_filter_clear (&self->filter);

  G_OBJECT_CLASS (cs_timeline_tracks_parent_class)->dispose (object);
}

static void
cs_timeline_tracks_class_init (CsTimelineTracksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_timeline_tracks_dispose;
  signals[CHANGED] = g_signal_new ("changed", CS_TYPE_TIMELINE_TRACKS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
cs_timeline_tracks_init (CsTimelineTracks *self)
{
  self->store = g_list_store_new (CS_TYPE_TRACK_ITEM);
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->text = g_strdup ("");
}

/**
 * cs_timeline_tracks_new:
 * @chart: what shows the threads
 *
 * Returns: (transfer full): no threads yet
 */
CsTimelineTracks *
cs_timeline_tracks_new (CsTimelineChart *chart)
{
  CsTimelineTracks *self = g_object_new (CS_TYPE_TIMELINE_TRACKS, NULL);

  self->chart = g_object_ref (chart);
  g_signal_connect_object (chart, "tracks-changed", G_CALLBACK (on_tracks_changed), self, G_CONNECT_SWAPPED);
  return self;
}

/**
 * cs_timeline_tracks_get_model:
 * @self: threads
 *
 * Returns: (transfer none): all of them, CsTrackItems from the top
 */
GListModel *
cs_timeline_tracks_get_model (CsTimelineTracks *self)
{
  return G_LIST_MODEL (self->store);
}

/**
 * cs_timeline_tracks_get_item:
 * @self: threads
 * @track: number of one in the index of time
 *
 * Returns: (transfer none) (nullable): the thread
 */
CsTrackItem *
cs_timeline_tracks_get_item (CsTimelineTracks *self, guint track)
{
  return track < self->items->len ? g_ptr_array_index (self->items, track) : NULL;
}

/**
 * cs_timeline_tracks_get_shown:
 * @self: threads
 * @track: number of one in the index of time
 *
 * Returns: whether the chart shows it
 */
gboolean
cs_timeline_tracks_get_shown (CsTimelineTracks *self, guint track)
{
  const CsTrackItem *item = cs_timeline_tracks_get_item (self, track);

  return item != NULL && !item->settings.hidden && !item->left_out;
}

/**
 * cs_timeline_tracks_get_n_shown:
 * @self: threads
 *
 * Returns: how many the chart shows
 */
guint
cs_timeline_tracks_get_n_shown (CsTimelineTracks *self)
{
  guint n = 0;

  for (guint i = 0; i < self->items->len; i++)
    n += cs_timeline_tracks_get_shown (self, i);
  return n;
}

/* The same thread in what was listed before. */
static CsTrackItem *
find_old (GPtrArray *old, const CsTimelineTrackInfo *info, guint track)
{
  /* Mostly at its place. */
  for (guint i = 0; i < old->len; i++)
    {
      CsTrackItem *item = g_ptr_array_index (old, (i + track) % old->len);

      if (item->process == info->process && item->tid == info->tid && item->seq == info->seq)
        return item;
    }
  return NULL;
}

static CsTrackItem *
make_item (CsTimelineTracks *self, guint track, const CsTimelineTrackInfo *info, CsTrackItem *old)
{
  CsTrackItem *item = g_object_new (CS_TYPE_TRACK_ITEM, NULL);
  g_autofree char *process = cs_timeline_names_dup_process (self->names, info->process);
  g_autofree char *searched = NULL;

  item->track = track;
  item->process = info->process;
  item->tid = info->tid;
  item->seq = info->seq;
  item->title = cs_timeline_names_dup_thread (self->names, track);
  item->subtitle = g_strdup_printf ("tid %u · %s", info->tid, process);
  searched = g_strconcat (item->title, "\n", item->subtitle, NULL);
  item->searched = g_utf8_casefold (searched, -1);
  item->key = g_utf8_collate_key_for_filename (item->title, -1);
  item->is_main = info->tid == get_process (self, info->process)->pid;
  if (old != NULL)
    item->settings = old->settings;
  if (!self->moved)
    item->settings.order = 0;
  else if (old == NULL)
    item->settings.order = G_MAXINT;
  item->settings.depth_limit = self->depth_limit;
  return item;
}

static gboolean
same_recording (CsTimelineNames *a, CsTimelineNames *b)
{
  return a != NULL && b != NULL
         && cs_timeline_get_recording (cs_timeline_names_get_timeline (a))
                == cs_timeline_get_recording (cs_timeline_names_get_timeline (b));
}

void
cs_timeline_tracks_sort (CsTimelineTracks *self)
{
  g_list_store_sort (self->store, cs_track_item_compare, NULL);
}

/* Each gets its place in the list, which the chart goes by, with room between them. */
void
cs_timeline_tracks_number (CsTimelineTracks *self)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      g_autoptr (CsTrackItem) each = g_list_model_get_item (G_LIST_MODEL (self->store), i);

      each->settings.order = (gint) (2 * i);
    }
}

static void ask_for_range (CsTimelineTracks *self);

/**
 * cs_timeline_tracks_set_names:
 * @self: threads
 * @names: (nullable): of the index that the chart shows now. Of the same recording the threads stay as they are
 */
void
cs_timeline_tracks_set_names (CsTimelineTracks *self, CsTimelineNames *names)
{
  g_autoptr (GPtrArray) old = g_steal_pointer (&self->items);
  gboolean same = same_recording (self->names, names);

  if (names != NULL)
    cs_timeline_names_ref (names);
  g_clear_pointer (&self->names, cs_timeline_names_unref);
  self->names = names;
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  if (!same)
    self->limit_chosen = self->moved = FALSE;
  if (!self->limit_chosen)
    self->depth_limit = names != NULL && cs_timeline_get_n_tracks (cs_timeline_names_get_timeline (names)) > 1 ? MOST_ROWS : 0;
  for (guint i = 0; names != NULL && i < cs_timeline_get_n_tracks (cs_timeline_names_get_timeline (names)); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (cs_timeline_names_get_timeline (names), i);

      g_ptr_array_add (self->items, make_item (self, i, info, same ? find_old (old, info, i) : NULL));
    }
  g_list_store_splice (self->store, 0, g_list_model_get_n_items (G_LIST_MODEL (self->store)), self->items->pdata,
                       self->items->len);
  cs_timeline_tracks_sort (self);
  cs_timeline_tracks_number (self);
  g_clear_pointer (&self->in_range, g_byte_array_unref);
  if (names != NULL)
    cs_timeline_tracks_apply (self);
  ask_for_range (self);
}

/**
 * cs_timeline_tracks_set_text:
 * @self: threads
 * @text: what the name, id or process of those has that are shown; empty: all
 */
void
cs_timeline_tracks_set_text (CsTimelineTracks *self, const char *text)
{
  if (g_str_equal (text, self->text))
    return;
  g_free (self->text);
  self->text = g_strdup (text);
  cs_timeline_tracks_apply (self);
}

/**
 * cs_timeline_tracks_get_text:
 * @self: threads
 *
 * Returns: what was set
 */
const char *
cs_timeline_tracks_get_text (CsTimelineTracks *self)
{
  return self->text;
}

/**
 * cs_timeline_tracks_set_filter:
 * @self: threads
 * @filter: whose threads and process count. Copied
 */
void
cs_timeline_tracks_set_filter (CsTimelineTracks *self, const CsProfileFilter *filter)
{
  if (self->filter.pid == filter->pid && g_strcmp0 (self->filter.thread, filter->thread) == 0)
    return;
  cs_profile_filter_clear (&self->filter);
  cs_profile_filter_copy (&self->filter, filter);
  cs_timeline_tracks_apply (self);
}

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsTimelineTracks) self = user_data;
  g_autoptr (GByteArray) in_range = cs_timeline_in_range_finish (result);

  if (self->asking == NULL || g_task_get_cancellable (G_TASK (result)) != self->asking || in_range == NULL)
    return;
  g_clear_object (&self->asking);
  g_clear_pointer (&self->in_range, g_byte_array_unref);
  self->in_range = g_steal_pointer (&in_range);
  cs_timeline_tracks_apply (self);
}

static void
ask_for_range (CsTimelineTracks *self)
{
  stop_asking (self);
  if (!self->only_in_range || !self->has_range || self->names == NULL)
    return;
  self->asking = g_cancellable_new ();
  cs_timeline_in_range_async (cs_timeline_names_get_timeline (self->names), self->from, self->to, self->asking, on_answered,
                              g_object_ref (self));
}

/**
 * cs_timeline_tracks_set_range:
 * @self: threads
 * @has_range: whether a range of time is selected
 * @from: ns of CLOCK_MONOTONIC
 * @to: its end, which is not in it
 */
void
cs_timeline_tracks_set_range (CsTimelineTracks *self, gboolean has_range, gint64 from, gint64 to)
{
  if (self->has_range == has_range && (!has_range || (self->from == from && self->to == to)))
    return;
  self->has_range = has_range;
  self->from = from;
  self->to = to;
  ask_for_range (self);
  if (self->only_in_range && !has_range)
    cs_timeline_tracks_apply (self);
}

/**
 * cs_timeline_tracks_set_only_in_range:
 * @self: threads
 * @only: whether threads without calls in the selected range are left out
 */
void
cs_timeline_tracks_set_only_in_range (CsTimelineTracks *self, gboolean only)
{
  if (self->only_in_range == only)
    return;
  self->only_in_range = only;
  ask_for_range (self);
  if (!only)
    cs_timeline_tracks_apply (self);
}

/**
 * cs_timeline_tracks_get_only_in_range:
 * @self: threads
 *
 * Returns: whether threads without calls in the selected range are left out
 */
gboolean
cs_timeline_tracks_get_only_in_range (CsTimelineTracks *self)
{
  return self->only_in_range;
}
