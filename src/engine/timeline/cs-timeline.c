/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "timeline/cs-timeline-private.h"

/**
 * cs_track_new:
 * @info: what is said of the thread
 * @chunks: (array length=n_chunks) (element-type CsChunk) (transfer full): all full but the last
 * @n_chunks: how many
 *
 * Returns: (transfer full): the index of the thread
 */
CsTrack *
cs_track_new (const CsTimelineTrackInfo *info, CsChunk **chunks, guint n_chunks)
{
  CsTrack *self = g_new0 (CsTrack, 1);

  self->info = *info;
  self->start_limit = self->unseen_from = G_MAXUINT64;
  self->n_chunks = n_chunks;
  self->chunks = g_new (CsChunk *, n_chunks + 1);
  self->chunk_times = g_new (gint64, n_chunks + 1);
  self->events_before = g_new (guint64, n_chunks + 1);
  self->events_before[0] = 0;
  for (guint i = 0; i < n_chunks; i++)
    {
      self->chunks[i] = chunks[i];
      self->chunk_times[i] = chunks[i]->times[0];
      self->events_before[i + 1] = self->events_before[i] + chunks[i]->head.n_events;
      self->n_leaves += chunks[i]->head.n_leaves;
    }
  return self;
}

/**
 * cs_track_free:
 * @self: (transfer full): the index of a thread
 */
void
cs_track_free (CsTrack *self)
{
  for (guint i = 0; i < self->n_chunks; i++)
    cs_chunk_unref (self->chunks[i]);
  g_free (self->chunks);
  g_free (self->chunk_times);
  g_free (self->events_before);
  g_free (self);
}

/**
 * cs_track_compare:
 * @a: (type CsTrack**): the index of a thread
 * @b: another
 *
 * Orders them as a profile's threads.
 *
 * Returns: as strcmp()
 */
int
cs_track_compare (gconstpointer a, gconstpointer b)
{
  const CsTimelineTrackInfo *x = &(*(CsTrack *const *) a)->info, *y = &(*(CsTrack *const *) b)->info;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  if (x->tid != y->tid)
    return x->tid < y->tid ? -1 : 1;
  return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* The number of the first of n ascending times that is later than ns. */
static guint
count_until (const gint64 *times, guint n, gint64 ns)
{
  guint lo = 0, hi = n;

  while (lo < hi)
    {
      guint middle = lo + (hi - lo) / 2;

      if (times[middle] <= ns)
        lo = middle + 1;
      else
        hi = middle;
    }
  return lo;
}

/**
 * cs_track_find_leaf:
 * @self: the index of a thread
 * @ns: a time
 *
 * Returns: the last leaf that begins no later than @ns, or %CS_NO_POSITION
 */
guint64
cs_track_find_leaf (const CsTrack *self, gint64 ns)
{
  guint chunk = count_until (self->chunk_times, self->n_chunks, ns);

  if (chunk == 0)
    return CS_NO_POSITION;
  chunk--;
  return (guint64) chunk * CS_CHUNK_LEAVES +
         count_until (self->chunks[chunk]->times, self->chunks[chunk]->head.n_leaves, ns) - 1;
}

/**
 * cs_track_count_before:
 * @self: the index of a thread
 * @leaf: a leaf, or their number
 *
 * Returns: how many enters and exits lie before it
 */
guint64
cs_track_count_before (const CsTrack *self, guint64 leaf)
{
  guint chunk = (guint) (leaf / CS_CHUNK_LEAVES), end = leaf % CS_CHUNK_LEAVES;
  guint64 n = self->events_before[chunk];

  for (guint i = 0; i < end / 256; i++)
    n += self->chunks[chunk]->events[2][i];
  for (guint i = end / 256 * 16; i < end / 16; i++)
    n += self->chunks[chunk]->events[1][i];
  for (guint i = end / 16 * 16; i < end; i++)
    n += self->chunks[chunk]->leaf_events[i];
  return n;
}

/**
 * cs_track_get_saved:
 * @self: the index of a thread
 * @number: of a saved stack
 *
 * Returns: the stack
 */
const CsSavedStack *
cs_track_get_saved (const CsTrack *self, guint32 number)
{
  guint lo = 0, hi = self->n_chunks - 1;

  while (lo < hi)
    {
      guint middle = lo + (hi - lo + 1) / 2;

      if (self->chunks[middle]->head.first_saved <= number)
        lo = middle;
      else
        hi = middle - 1;
    }
  return &self->chunks[lo]->saved[number - self->chunks[lo]->head.first_saved];
}

/**
 * cs_timeline_list_files:
 * @recording: what was captured
 *
 * Returns: (transfer container) (element-type CsEventFile): its event files, track by track
 */
GPtrArray *
cs_timeline_list_files (CsRecording *recording)
{
  GPtrArray *files = g_ptr_array_new ();
  GPtrArray *tracks = cs_recording_get_tracks (recording);

  for (guint i = 0; i < tracks->len; i++)
    g_ptr_array_extend (files, ((const CsThreadTrack *) g_ptr_array_index (tracks, i))->files, NULL, NULL);
  return files;
}

/**
 * cs_timeline_new_from_tracks:
 * @recording: what was captured
 * @files: (element-type CsEventFile) (nullable) (transfer full): its files, by number
 * @clocks: the clocks of its processes, by index
 * @tracks: (element-type CsTrack) (transfer full): the indices of its threads
 * @mapped: (nullable): what their chunks lie in
 *
 * Returns: (transfer full): the index
 */
CsTimeline *
cs_timeline_new_from_tracks (CsRecording *recording, GPtrArray *files, const CsClock *clocks, GPtrArray *tracks,
                             GMappedFile *mapped)
{
  CsTimeline *self = g_new0 (CsTimeline, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->mutex);
  self->recording = g_object_ref (recording);
  self->n_processes = cs_recording_get_processes (recording)->len;
  self->clocks = g_memdup2 (clocks, self->n_processes * sizeof *clocks);
  self->files = files != NULL ? files : cs_timeline_list_files (recording);
  self->tracks = tracks;
  g_ptr_array_set_free_func (tracks, (GDestroyNotify) cs_track_free);
  self->mapped = mapped != NULL ? g_mapped_file_ref (mapped) : NULL;
  self->readers = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_leaf_reader_free);
  return self;
}

/**
 * cs_timeline_ref:
 * @self: an index
 *
 * Returns: (transfer full): @self
 */
CsTimeline *
cs_timeline_ref (CsTimeline *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cs_timeline_unref:
 * @self: (transfer full): an index
 */
void
cs_timeline_unref (CsTimeline *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->readers);
  g_ptr_array_unref (self->tracks);
  g_ptr_array_unref (self->files);
  g_clear_pointer (&self->mapped, g_mapped_file_unref);
  g_free (self->clocks);
  g_object_unref (self->recording);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/**
 * cs_timeline_get_recording:
 * @self: an index
 *
 * Returns: (transfer none): what it is of
 */
CsRecording *
cs_timeline_get_recording (CsTimeline *self)
{
  return self->recording;
}

/**
 * cs_timeline_get_n_tracks:
 * @self: an index
 *
 * Returns: how many threads it has, those of a profile, in the same order
 */
guint
cs_timeline_get_n_tracks (CsTimeline *self)
{
  return self->tracks->len;
}

/**
 * cs_timeline_get_track:
 * @self: an index
 * @track: number of a track
 *
 * Returns: (transfer none): the index of the thread
 */
const CsTrack *
cs_timeline_get_track (const CsTimeline *self, guint track)
{
  return g_ptr_array_index (self->tracks, track);
}

/**
 * cs_timeline_get_track_info:
 * @self: an index
 * @track: number of a track
 *
 * Returns: (transfer none): whose it is
 */
const CsTimelineTrackInfo *
cs_timeline_get_track_info (CsTimeline *self, guint track)
{
  g_return_val_if_fail (track < self->tracks->len, NULL);
  return &cs_timeline_get_track (self, track)->info;
}

/**
 * cs_timeline_get_size:
 * @self: an index
 *
 * Returns: the memory of its arrays, bytes, in memory or mapped
 */
gsize
cs_timeline_get_size (CsTimeline *self)
{
  gsize size = 0;

  for (guint i = 0; i < self->tracks->len; i++)
    {
      const CsTrack *track = cs_timeline_get_track (self, i);

      size += sizeof *track + track->n_chunks * (sizeof (CsChunk) + sizeof (gpointer) + 2 * sizeof (gint64));
      for (guint j = 0; j < track->n_chunks; j++)
        size += cs_chunk_get_size (&track->chunks[j]->head);
    }
  return size;
}

/**
 * cs_timeline_get_clock:
 * @self: an index
 * @process: index of a process of the recording
 *
 * Returns: (transfer none): the clock that the times of its tracks come from
 */
const CsClock *
cs_timeline_get_clock (CsTimeline *self, guint process)
{
  return &self->clocks[process];
}
