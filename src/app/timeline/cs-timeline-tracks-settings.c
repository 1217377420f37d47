/* SPDX-License-Identifier: MIT */
/* What the person wants of threads: hidden, pinned, collapsed, with so many rows, in another order. */
#include "config.h"

#include "timeline/cs-timeline-tracks-private.h"

/**
 * cs_timeline_tracks_set_hidden:
 * @self: threads
 * @track: number of one in the index of time
 * @hidden: whether it is hidden
 */
void
cs_timeline_tracks_set_hidden (CsTimelineTracks *self, guint track, gboolean hidden)
{
  CsTrackItem *item = cs_timeline_tracks_get_item (self, track);

  if (item == NULL || item->settings.hidden == hidden)
    return;
  item->settings.hidden = hidden;
  cs_timeline_tracks_apply_one (self, item);
}

/**
 * cs_timeline_tracks_set_pinned:
 * @self: threads
 * @track: number of one in the index of time
 * @pinned: whether it stays above all others
 */
void
cs_timeline_tracks_set_pinned (CsTimelineTracks *self, guint track, gboolean pinned)
{
  CsTrackItem *item = cs_timeline_tracks_get_item (self, track);

  if (item == NULL || item->settings.pinned == pinned)
    return;
  item->settings.pinned = pinned;
  cs_timeline_tracks_sort (self);
  cs_timeline_tracks_apply_one (self, item);
}

/**
 * cs_timeline_tracks_set_collapsed:
 * @self: threads
 * @track: number of one in the index of time
 * @collapsed: whether it shows its outermost calls alone
 */
void
cs_timeline_tracks_set_collapsed (CsTimelineTracks *self, guint track, gboolean collapsed)
{
  CsTrackItem *item = cs_timeline_tracks_get_item (self, track);

  if (item == NULL || item->settings.collapsed == collapsed)
    return;
  item->settings.collapsed = collapsed;
  cs_timeline_tracks_apply_one (self, item);
}

/**
 * cs_timeline_tracks_get_collapsed:
 * @self: threads
 * @track: number of one in the index of time
 *
 * Returns: whether it shows its outermost calls alone
 */
gboolean
cs_timeline_tracks_get_collapsed (CsTimelineTracks *self, guint track)
{
  const CsTrackItem *item = cs_timeline_tracks_get_item (self, track);

  return item != NULL && item->settings.collapsed;
}

/**
 * cs_timeline_tracks_set_full:
 * @self: threads
 * @track: number of one in the index of time
 * @full: whether it shows all its rows, whatever the limit is
 */
void
cs_timeline_tracks_set_full (CsTimelineTracks *self, guint track, gboolean full)
{
  CsTrackItem *item = cs_timeline_tracks_get_item (self, track);

  if (item == NULL || item->settings.full == full)
    return;
  item->settings.full = full;
  cs_timeline_tracks_apply_one (self, item);
}

/**
 * cs_timeline_tracks_get_full:
 * @self: threads
 * @track: number of one in the index of time
 *
 * Returns: whether it shows all its rows, whatever the limit is
 */
gboolean
cs_timeline_tracks_get_full (CsTimelineTracks *self, guint track)
{
  const CsTrackItem *item = cs_timeline_tracks_get_item (self, track);

  return item != NULL && item->settings.full;
}

static guint
find_position (CsTimelineTracks *self, CsTrackItem *item)
{
  guint position = G_MAXUINT;

  g_list_store_find (self->store, item, &position);
  return position;
}

/* The thread that would change places with it: threads stay in their process, pinned ones above all. */
static CsTrackItem *
find_neighbour (CsTimelineTracks *self, CsTrackItem *item, int by)
{
  guint position = find_position (self, item);

  for (gint64 i = (gint64) position + by; i >= 0 && i < g_list_model_get_n_items (G_LIST_MODEL (self->store)); i += by)
    {
      g_autoptr (CsTrackItem) other = g_list_model_get_item (G_LIST_MODEL (self->store), (guint) i);

      if (other->settings.pinned != item->settings.pinned || (!item->settings.pinned && other->process != item->process))
        return NULL;
      if (cs_timeline_tracks_get_shown (self, other->track) || !cs_timeline_tracks_get_shown (self, item->track))
        return other;
    }
  return NULL;
}

/**
 * cs_timeline_tracks_can_move:
 * @self: threads
 * @track: number of one in the index of time
 * @by: -1: up; 1: down
 *
 * Returns: whether there is a thread with which it can change places
 */
gboolean
cs_timeline_tracks_can_move (CsTimelineTracks *self, guint track, int by)
{
  CsTrackItem *item = cs_timeline_tracks_get_item (self, track);

  return item != NULL && find_neighbour (self, item, by) != NULL;
}

/**
 * cs_timeline_tracks_move:
 * @self: threads
 * @track: number of one in the index of time
 * @by: -1: up; 1: down
 *
 * Moves a thread past the next one that is shown, within its process or among the pinned ones.
 */
void
cs_timeline_tracks_move (CsTimelineTracks *self, guint track, int by)
{
  CsTrackItem *item = cs_timeline_tracks_get_item (self, track);
  CsTrackItem *other = item != NULL ? find_neighbour (self, item, by) : NULL;
  guint position, target;

  if (other == NULL)
    return;
  cs_timeline_tracks_number (self);
  self->moved = TRUE;
  position = find_position (self, item);
  target = find_position (self, other);
  item->settings.order = (gint) (2 * target) + (target > position ? 1 : -1);
  cs_timeline_tracks_sort (self);
  cs_timeline_tracks_apply (self);
}

/**
 * cs_timeline_tracks_set_depth_limit:
 * @self: threads
 * @limit: how many rows each has at most; 0: all
 */
void
cs_timeline_tracks_set_depth_limit (CsTimelineTracks *self, guint limit)
{
  if (self->depth_limit == limit)
    return;
  self->depth_limit = limit;
  self->limit_chosen = TRUE;
  for (guint i = 0; i < self->items->len; i++)
    {
      cs_timeline_tracks_get_item (self, i)->settings.depth_limit = limit;
      cs_timeline_tracks_get_item (self, i)->settings.full = FALSE;
    }
  if (self->names != NULL)
    cs_timeline_tracks_apply (self);
}

/**
 * cs_timeline_tracks_get_depth_limit:
 * @self: threads
 *
 * Returns: how many rows each has at most; 0: all
 */
guint
cs_timeline_tracks_get_depth_limit (CsTimelineTracks *self)
{
  return self->depth_limit;
}

/**
 * cs_timeline_tracks_collapse_all:
 * @self: threads
 * @collapsed: whether all show their outermost calls alone
 */
void
cs_timeline_tracks_collapse_all (CsTimelineTracks *self, gboolean collapsed)
{
  GPtrArray *processes;

  if (self->names == NULL)
    return;
  processes = cs_recording_get_processes (cs_timeline_get_recording (cs_timeline_names_get_timeline (self->names)));
  for (guint i = 0; i < self->items->len; i++)
    cs_timeline_tracks_get_item (self, i)->settings.collapsed = collapsed;
  for (guint i = 0; !collapsed && i < processes->len; i++)
    cs_timeline_chart_set_process_collapsed (self->chart, i, FALSE);
  cs_timeline_tracks_apply (self);
}

/**
 * cs_timeline_tracks_show_all:
 * @self: threads
 *
 * Shows what was hidden. Filters stay.
 */
void
cs_timeline_tracks_show_all (CsTimelineTracks *self)
{
  for (guint i = 0; i < self->items->len; i++)
    cs_timeline_tracks_get_item (self, i)->settings.hidden = FALSE;
  if (self->names != NULL)
    cs_timeline_tracks_apply (self);
}

/**
 * cs_timeline_tracks_hide_others:
 * @self: threads
 * @track: number of the one in the index of time that stays
 */
void
cs_timeline_tracks_hide_others (CsTimelineTracks *self, guint track)
{
  for (guint i = 0; i < self->items->len; i++)
    cs_timeline_tracks_get_item (self, i)->settings.hidden = i != track;
  if (self->names != NULL)
    cs_timeline_tracks_apply (self);
}
