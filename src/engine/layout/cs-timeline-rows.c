/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "layout/cs-timeline-rows.h"

struct _CsTimelineRows
{
  CsTimelineMetrics metrics;
  CsTimelineTrack *tracks;
  guint n_tracks;
  CsTimelineItem *items;
  guint n_items;
  guint *item_of; /* by track; G_MAXUINT: hidden */
  double height;
};

/* Pinned ones first, then process by process. */
static int
compare_tracks (gconstpointer a, gconstpointer b, gpointer data)
{
  const CsTimelineTrack *tracks = data;
  guint i = *(const guint *) a, j = *(const guint *) b;
  const CsTimelineTrack *x = &tracks[i], *y = &tracks[j];

  if (!x->pinned != !y->pinned)
    return x->pinned ? -1 : 1;
  if (!x->pinned && x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return i < j ? -1 : i > j;
}

static guint32
count_rows (const CsTimelineTrack *track)
{
  guint32 n = MAX (track->max_depth, 1);

  if (track->collapsed)
    return 1;
  return track->depth_limit != 0 ? MIN (n, track->depth_limit) : n;
}

static void
add_item (CsTimelineRows *self, CsTimelineItem item)
{
  item.y = self->height;
  self->height += item.height;
  self->items[self->n_items++] = item;
}

/**
 * cs_timeline_rows_new:
 * @tracks: (array length=n_tracks): the threads; copied
 * @n_tracks: how many
 * @metrics: heights; none is negative, and a row's is more than 0
 *
 * Puts the tracks below each other: the pinned ones, then process by process under its header,
 * each in their order. A track has at least one row, also one without calls; a process without a
 * track to show has no header.
 *
 * Returns: (transfer full): the rows
 */
CsTimelineRows *
cs_timeline_rows_new (const CsTimelineTrack *tracks, guint n_tracks, const CsTimelineMetrics *metrics)
{
  CsTimelineRows *self = g_new0 (CsTimelineRows, 1);
  g_autofree guint *order = g_new (guint, n_tracks);
  const CsTimelineTrack *before = NULL;

  self->metrics = *metrics;
  self->tracks = g_new (CsTimelineTrack, n_tracks);
  self->n_tracks = n_tracks;
  self->items = g_new (CsTimelineItem, 2 * (gsize) n_tracks);
  self->item_of = g_new (guint, n_tracks);
  for (guint i = 0; i < n_tracks; i++)
    {
      self->tracks[i] = tracks[i];
      self->item_of[i] = G_MAXUINT;
      order[i] = i;
    }
  if (n_tracks > 0)
    g_qsort_with_data (order, (gint) n_tracks, sizeof *order, compare_tracks, self->tracks);

  for (guint i = 0; i < n_tracks; i++)
    {
      const CsTimelineTrack *track = &self->tracks[order[i]];
      CsTimelineItem item = { .process = track->process, .track = order[i] };

      if (track->hidden)
        continue;
      if (!track->pinned && (before == NULL || before->pinned || before->process != track->process))
        {
          item.header = TRUE;
          item.height = metrics->header;
          add_item (self, item);
        }
      before = track;
      if (track->folded && !track->pinned)
        continue;
      item.header = FALSE;
      item.n_rows = count_rows (track);
      item.height = item.n_rows * metrics->row + metrics->gap;
      self->item_of[order[i]] = self->n_items;
      add_item (self, item);
    }
  return self;
}

/**
 * cs_timeline_rows_free:
 * @self: (transfer full): rows
 */
void
cs_timeline_rows_free (CsTimelineRows *self)
{
  g_free (self->tracks);
  g_free (self->items);
  g_free (self->item_of);
  g_free (self);
}

/**
 * cs_timeline_rows_get_height:
 * @self: rows
 *
 * Returns: of all together, pixels
 */
double
cs_timeline_rows_get_height (CsTimelineRows *self)
{
  return self->height;
}

/**
 * cs_timeline_rows_get_items:
 * @self: rows
 * @n: (out): how many there are
 *
 * Returns: (transfer none) (array length=n): headers and tracks from the top
 */
const CsTimelineItem *
cs_timeline_rows_get_items (CsTimelineRows *self, guint *n)
{
  *n = self->n_items;
  return self->items;
}

/**
 * cs_timeline_rows_get_track:
 * @self: rows
 * @track: index in the tracks that it was made of
 *
 * Returns: (transfer none): the track
 */
const CsTimelineTrack *
cs_timeline_rows_get_track (CsTimelineRows *self, guint track)
{
  g_return_val_if_fail (track < self->n_tracks, NULL);
  return &self->tracks[track];
}

/* The first item that ends below y. */
static guint
find_item (CsTimelineRows *self, double y)
{
  guint low = 0, high = self->n_items;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->items[middle].y + self->items[middle].height > y)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/**
 * cs_timeline_rows_find_visible:
 * @self: rows
 * @y0: the upper edge of what is visible
 * @y1: the lower edge
 * @n: (out): how many items there are
 *
 * Returns: the index of the first item in it
 */
guint
cs_timeline_rows_find_visible (CsTimelineRows *self, double y0, double y1, guint *n)
{
  guint first = find_item (self, y0);
  guint end = find_item (self, y1);

  while (end < self->n_items && self->items[end].y < y1)
    end++;
  *n = y1 > y0 ? end - first : 0;
  return first;
}

/**
 * cs_timeline_rows_get_visible_depths:
 * @self: rows
 * @item: index
 * @y0: the upper edge of what is visible
 * @y1: the lower edge
 * @depth0: (out): the first depth in it
 * @depth1: (out): the one after the last
 *
 * Returns: whether there is any
 */
gboolean
cs_timeline_rows_get_visible_depths (CsTimelineRows *self, guint item, double y0, double y1, guint32 *depth0,
                                     guint32 *depth1)
{
  const CsTimelineItem *at;
  double first, end;

  g_return_val_if_fail (item < self->n_items, FALSE);
  at = &self->items[item];
  first = floor ((y0 - at->y) / self->metrics.row);
  end = ceil ((y1 - at->y) / self->metrics.row);
  *depth0 = (guint32) CLAMP (first, 0, at->n_rows);
  *depth1 = (guint32) CLAMP (end, 0, at->n_rows);
  return *depth0 < *depth1;
}

/**
 * cs_timeline_rows_hit:
 * @self: rows
 * @y: pixels from the top
 * @place: (out): what is there
 *
 * Returns: whether there is anything
 */
gboolean
cs_timeline_rows_hit (CsTimelineRows *self, double y, CsTimelinePlace *place)
{
  guint item = find_item (self, y);
  const CsTimelineItem *at;
  double depth;

  if (!(y >= 0) || item == self->n_items)
    return FALSE;
  at = &self->items[item];
  *place = (CsTimelinePlace){ .item = item, .track = at->header ? G_MAXUINT : at->track, .depth = G_MAXUINT32 };
  depth = (y - at->y) / self->metrics.row;
  if (depth < at->n_rows)
    place->depth = (guint32) MAX (depth, 0);
  return TRUE;
}

/**
 * cs_timeline_rows_get_y:
 * @self: rows
 * @track: index in the tracks
 * @depth: 0: outermost; a depth that is not shown has the place of the deepest that is
 * @y: (out): the upper edge of that row, pixels from the top
 *
 * Returns: whether the track is shown
 */
gboolean
cs_timeline_rows_get_y (CsTimelineRows *self, guint track, guint32 depth, double *y)
{
  const CsTimelineItem *at;

  g_return_val_if_fail (track < self->n_tracks, FALSE);
  if (self->item_of[track] == G_MAXUINT)
    return FALSE;
  at = &self->items[self->item_of[track]];
  *y = at->y + MIN (depth, at->n_rows - 1) * self->metrics.row;
  return TRUE;
}
