/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "capture/cs-packed.h"
#include "timeline/cs-timeline-builder.h"
#include "timeline/cs-timeline-private.h"

/* A reader has so many files open, and keeps so many decoded leaves: 4 MB. */
#define MAX_FILES 8
#define CACHE_SETS 128
#define CACHE_WAYS 4
/* So many unused readers wait for the next question. */
#define MAX_READERS 4
/* Records read at once where those of a leaf don't lie side by side. CS_LEAF_REACH is a power of four
 * times as many. */
#define SCATTERED_RECORDS 256
/* Leaves read at once by a search. */
#define SCAN_LEAVES 32u
/* Records read at once where those before were read shortly before. Packed ones are decoded, which costs
 * more than to ask the system for them. */
#define AHEAD_RECORDS (16 * CS_LEAF_RECORDS)
#define AHEAD_PACKED (4 * CS_LEAF_RECORDS)

typedef struct
{
  const CsEventFile *file;
  int fd;
  guint64 used;
} OpenFile;

/* Reads and decodes leaves, for one thread at a time. */
struct _CsLeafReader
{
  const CsTimeline *timeline;
  guint64 clock; /* counts uses */
  OpenFile files[MAX_FILES];
  /* What is looked at to find a leaf lies apart from the leaves, which are large. */
  struct
  {
    const CsTrack *track[CACHE_WAYS];
    guint64 leaf[CACHE_WAYS];
    guint64 used[CACHE_WAYS];
  } tags[CACHE_SETS];
  CsLeaf *leaves[CACHE_SETS][CACHE_WAYS];
  CsLeaf *recent; /* (nullable): the leaf that was asked for last */
  struct trace_event *records; /* n_records */
  gsize n_records;
  struct trace_event *scanned; /* SCAN_LEAVES, once needed */
  struct trace_event *ahead;   /* AHEAD_RECORDS, once needed */
  const CsEventFile *ahead_file; /* of these */
  guint64 ahead_record, ahead_n;
  CsPackedDecoder *decoder; /* once needed */
  const CsEventFile *last_file; /* that was read from */
  guint64 last_record;
  GError *error; /* (nullable): the first that happened */
};

/**
 * cs_leaf_reader_free:
 * @self: (transfer full): a reader
 */
void
cs_leaf_reader_free (CsLeafReader *self)
{
  for (guint i = 0; i < MAX_FILES; i++)
    if (self->files[i].file != NULL)
      close (self->files[i].fd);
  for (guint i = 0; i < CACHE_SETS * CACHE_WAYS; i++)
    g_free (self->leaves[i / CACHE_WAYS][i % CACHE_WAYS]);
  g_free (self->records);
  g_free (self->scanned);
  g_free (self->ahead);
  g_clear_pointer (&self->decoder, cs_packed_decoder_free);
  g_clear_error (&self->error);
  g_free (self);
}

/**
 * cs_timeline_take_reader:
 * @self: an index
 *
 * Returns: (transfer full): a reader that nobody else uses; to be given back
 */
CsLeafReader *
cs_timeline_take_reader (CsTimeline *self)
{
  CsLeafReader *reader = NULL;

  g_mutex_lock (&self->mutex);
  if (self->readers->len > 0)
    reader = g_ptr_array_steal_index_fast (self->readers, self->readers->len - 1);
  g_mutex_unlock (&self->mutex);
  if (reader == NULL)
    {
      reader = g_new0 (CsLeafReader, 1);
      reader->timeline = self;
    }
  return reader;
}

/**
 * cs_timeline_give_back:
 * @self: an index
 * @reader: (transfer full): what cs_timeline_take_reader() returned
 * @error: where to say what could not be read since
 *
 * Returns: whether all could be read
 */
gboolean
cs_timeline_give_back (CsTimeline *self, CsLeafReader *reader, GError **error)
{
  gboolean complete = reader->error == NULL;

  if (!complete)
    {
      g_propagate_error (error, g_steal_pointer (&reader->error));
      cs_leaf_reader_free (reader); /* with leaves that have nothing in them */
      return FALSE;
    }
  g_mutex_lock (&self->mutex);
  if (self->readers->len < MAX_READERS)
    g_ptr_array_add (self->readers, g_steal_pointer (&reader));
  g_mutex_unlock (&self->mutex);
  g_clear_pointer (&reader, cs_leaf_reader_free);
  return TRUE;
}

static void
fail (CsLeafReader *self, const CsEventFile *file, const char *why)
{
  if (self->error == NULL)
    self->error = g_error_new (CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ,
                               "%s can't be read any more: %s — open the recording again", file->name, why);
}

static int
open_file (CsLeafReader *self, const CsEventFile *file)
{
  OpenFile *oldest = &self->files[0];

  if (file->tail)
    return -1;
  for (guint i = 0; i < MAX_FILES; i++)
    {
      if (self->files[i].file == file)
        oldest = &self->files[i];
      else if (oldest->file != file && self->files[i].used < oldest->used)
        oldest = &self->files[i];
    }
  oldest->used = ++self->clock;
  if (oldest->file == file)
    return oldest->fd;
  if (oldest->file != NULL)
    close (oldest->fd);
  oldest->file = NULL;
  oldest->fd = open (file->path, O_RDONLY | O_CLOEXEC);
  if (oldest->fd < 0)
    {
      fail (self, file, g_strerror (errno));
      return -1;
    }
  oldest->file = file;
  return oldest->fd;
}

/* Where a leaf begins. */
typedef struct
{
  const CsEventFile *file;
  guint64 record;
  /* Where the file is packed: */
  guint block;
  guint32 offset, tid;
  guint64 ticks;
} Place;

static Place
find_place (const CsLeafReader *self, const CsTrack *track, guint64 leaf)
{
  guint i;
  const CsChunk *chunk = cs_track_chunk (track, leaf, &i);
  const CsExtent *extent = cs_chunk_find_extent (chunk, i);
  Place place = { .file = g_ptr_array_index (self->timeline->files, extent->file),
                  .record = extent->record + (guint64) (i - extent->leaf) * CS_LEAF_RECORDS };

  if (place.file->packed)
    {
      place.block = extent->block;
      place.tid = extent->tid;
      place.offset = chunk->offsets[i];
      place.ticks = extent->ticks + chunk->ticks[i];
    }
  return place;
}

/* Where records end that can be read from a place on. */
static guint64
find_end (const Place *place)
{
  const CsPackedBlock *block;

  if (!place->file->packed)
    return place->file->n_events;
  block = &place->file->blocks[place->block];
  return block->first + block->records - place->file->skipped;
}

/* Reads records from a place on, as many as there are of its file or block. Of those behind the first
 * `needed' it is no fault if they aren't there. */
static gsize
read_records (CsLeafReader *self, const Place *place, struct trace_event *events, gsize n, gsize needed)
{
  const CsEventFile *file = place->file;
  guint64 end = find_end (place);
  int fd = open_file (self, file);
  gssize got;

  n = place->record < end ? MIN (n, end - place->record) : 0;
  if (self->error != NULL || (fd < 0 && !file->tail))
    return 0;
  if (file->packed)
    {
      if (self->decoder == NULL)
        self->decoder = cs_packed_decoder_new ();
      got = cs_packed_decoder_read_at (self->decoder, file, fd, place->block, place->offset, place->ticks, place->tid,
                                       events, n);
    }
  else
    got = cs_event_file_read (file, fd, place->record, events, n);
  if (got < (gssize) MIN (n, needed))
    fail (self, file, got < 0 ? g_strerror (errno) : "it isn't what it was");
  return got < 0 ? 0 : (gsize) got;
}

/* Reads some records. A question about a window asks for many that follow each other, or nearly
 * so: these are read ahead, since a call of the system costs more than the copying. */
static gsize
read_near (CsLeafReader *self, const Place *place, struct trace_event *events, gsize n)
{
  guint ahead = place->file->packed ? AHEAD_PACKED : AHEAD_RECORDS;
  gboolean near = place->file == self->last_file && place->record > self->last_record &&
                  place->record - self->last_record <= ahead / 2;

  self->last_file = place->file;
  self->last_record = place->record;
  if (self->ahead_file != place->file || place->record < self->ahead_record ||
      place->record - self->ahead_record + n > self->ahead_n)
    {
      if (!near)
        return read_records (self, place, events, n, n);
      if (self->ahead == NULL)
        self->ahead = g_new (struct trace_event, AHEAD_RECORDS);
      self->ahead_file = place->file;
      self->ahead_record = place->record;
      self->ahead_n = read_records (self, place, self->ahead, ahead, n);
    }
  n = MIN (n, self->ahead_n - (place->record - self->ahead_record));
  memcpy (events, self->ahead + (place->record - self->ahead_record), n * sizeof *events);
  return n;
}

/* Drops the records of other threads. Returns how many are left. */
static guint
keep_thread (struct trace_event *events, gsize n, guint tid)
{
  guint kept = 0;

  for (gsize i = 0; i < n; i++)
    if (events[i].tid == tid)
      {
        if (kept != i)
          events[kept] = events[i];
        kept++;
      }
  return kept;
}

/* Finds a leaf's records where those of other threads lie between, which may be many. What is packed is
 * decoded from the leaf's begin on each time, so it is four times as much. */
static guint
read_scattered (CsLeafReader *self, const CsTrack *track, const Place *leaf, struct trace_event *events, guint wanted)
{
  Place place = *leaf;
  gsize size = SCATTERED_RECORDS, got = size;
  guint n = 0;

  while (n < wanted && got == size && place.record + size <= leaf->record + CS_LEAF_REACH)
    {
      if (size > self->n_records)
        {
          g_free (self->records);
          self->records = g_new (struct trace_event, size);
          self->n_records = size;
        }
      got = read_records (self, &place, self->records, size, wanted - n);
      if (leaf->file->packed)
        n = 0;
      for (gsize i = 0; i < got && n < wanted; i++)
        if (self->records[i].tid == track->info.tid)
          events[n++] = self->records[i];
      if (!leaf->file->packed)
        place.record += got;
      else if (got == size)
        got = size *= 4;
    }
  return n;
}

/**
 * cs_leaf_reader_get_events:
 * @self: a reader
 * @track: the index of a thread
 * @leaf: one of its leaves
 * @events: (out) (array fixed-size=128): its records; exits may have neither function nor call site
 *
 * Returns: how many there are, fewer than the leaf has where the file can't be read
 */
gsize
cs_leaf_reader_get_events (CsLeafReader *self, const CsTrack *track, guint64 leaf, struct trace_event *events)
{
  guint wanted = cs_track_leaf_records (track, leaf), n;
  const Place place = find_place (self, track, leaf);
  gsize got;

  got = read_near (self, &place, events, wanted);
  n = keep_thread (events, got, track->info.tid);
  if (n < wanted && got == wanted)
    n = read_scattered (self, track, &place, events, wanted);
  return n;
}

static gboolean
calls_function (const struct trace_event *event, guint tid, guint64 address)
{
  return event->func == address && event->kind == TRACE_KIND_ENTER && event->tid == tid;
}

/**
 * cs_leaf_reader_find_call:
 * @self: a reader
 * @track: the index of a thread
 * @leaf: (inout): the leaf to begin with; the one with a call, or the one to go on with
 * @address: of a function, as recorded
 *
 * Reads some leaves, those that lie side by side at once.
 *
 * Returns: whether there is a call of the function in one of them
 */
gboolean
cs_leaf_reader_find_call (CsLeafReader *self, const CsTrack *track, guint64 *leaf, guint64 address)
{
  guint i;
  const CsChunk *chunk = cs_track_chunk (track, *leaf, &i);
  const CsExtent *extent = cs_chunk_find_extent (chunk, i);
  const Place place = find_place (self, track, *leaf);
  guint end = extent + 1 < chunk->extents + chunk->head.n_extents ? extent[1].leaf : chunk->head.n_leaves;
  guint n = CLAMP (end - i - 1, 1, SCAN_LEAVES); /* records of other threads may lie in the last one */
  gsize got;

  if (self->scanned == NULL)
    self->scanned = g_new (struct trace_event, SCAN_LEAVES * CS_LEAF_RECORDS);
  if (n == 1)
    got = cs_leaf_reader_get_events (self, track, *leaf, self->scanned);
  else
    got = read_records (self, &place, self->scanned, n * CS_LEAF_RECORDS, n * CS_LEAF_RECORDS);
  for (gsize j = 0; j < got; j++)
    if (calls_function (&self->scanned[j], track->info.tid, address))
      {
        *leaf += j / CS_LEAF_RECORDS;
        return TRUE;
      }
  *leaf += n;
  return FALSE;
}

/* The first exception of a leaf, or the end of the chunk's. */
static const CsException *
first_exception (const CsChunk *chunk, guint leaf)
{
  guint lo = 0, hi = chunk->head.n_exceptions;

  while (lo < hi)
    {
      guint middle = lo + (hi - lo) / 2;

      if (chunk->exceptions[middle].leaf < leaf)
        lo = middle + 1;
      else
        hi = middle;
    }
  return chunk->exceptions + lo;
}

/**
 * cs_leaf_reader_find_exception:
 * @track: the index of a thread
 * @position: of a record
 *
 * Returns: (nullable): what the record does, where its kind doesn't say it
 */
const CsException *
cs_leaf_reader_find_exception (const CsTrack *track, guint64 position)
{
  guint i;
  const CsChunk *chunk = cs_track_chunk (track, position / CS_LEAF_RECORDS, &i);
  const CsException *end = chunk->exceptions + chunk->head.n_exceptions;

  if ((chunk->records[i] & 0x80) == 0)
    return NULL;
  for (const CsException *e = first_exception (chunk, i); e < end && e->leaf == i; e++)
    if (e->record == position % CS_LEAF_RECORDS)
      return e;
  return NULL;
}

/* The same of a leaf in which all records do what their kinds say. */
static void
decode_plain (CsLeaf *leaf, const CsClock *their_clock, gint64 last, guint32 depth)
{
  const CsClock clock = *their_clock; /* stays in registers */

  for (guint i = 0; i < leaf->n; i++)
    {
      const struct trace_event *event = &leaf->events[i];

      if (G_LIKELY (event->kind <= TRACE_KIND_EXIT))
        {
          gint64 ns = cs_clock_to_ns (&clock, event->ts);

          last = MAX (last, ns);
          depth = event->kind == TRACE_KIND_ENTER ? depth + 1 : depth - (depth > 0);
        }
      else if (cs_timeline_has_time (event))
        last = MAX (last, cs_clock_to_ns (&clock, event->ts));
      leaf->ns[i] = last;
      leaf->low[i] = leaf->after[i] = depth;
    }
}

/* Tells times and depths of the records. */
static void
decode (CsLeafReader *self, CsLeaf *leaf)
{
  const CsClock *clock = &self->timeline->clocks[leaf->track->info.process];
  guint i;
  const CsChunk *chunk = cs_track_chunk (leaf->track, leaf->leaf, &i);
  const CsException *end = chunk->exceptions + chunk->head.n_exceptions;
  const CsException *exception = (chunk->records[i] & 0x80) != 0 ? first_exception (chunk, i) : end;
  gint64 last = chunk->times[i];
  guint32 depth = cs_chunk_depth (chunk, chunk->before, i);

  leaf->before = depth;
  if (exception == end)
    {
      decode_plain (leaf, clock, last, depth);
      return;
    }
  for (guint j = 0; j < leaf->n; j++)
    {
      const struct trace_event *event = &leaf->events[j];

      if (cs_timeline_has_time (event))
        last = MAX (last, cs_clock_to_ns (clock, event->ts));
      if (event->kind == TRACE_KIND_ENTER)
        depth++;
      else if (event->kind == TRACE_KIND_EXIT && depth > 0)
        depth--;
      leaf->low[j] = depth;
      if (exception < end && exception->leaf == i && exception->record == j)
        {
          if ((exception->flags & CS_EXCEPTION_DEPTH) != 0)
            leaf->low[j] = depth = exception->after;
          if ((exception->flags & CS_EXCEPTION_CUT) != 0)
            leaf->low[j] = 0;
          exception++;
        }
      leaf->ns[j] = last;
      leaf->after[j] = depth;
    }
}

/**
 * cs_leaf_reader_get:
 * @self: a reader
 * @track: the index of a thread
 * @leaf: one of its leaves
 *
 * Returns: (transfer none): the leaf, decoded, until the next call; with fewer records than it
 *   should have where its file can't be read
 */
const CsLeaf *
cs_leaf_reader_get (CsLeafReader *self, const CsTrack *track, guint64 leaf)
{
  guint64 hash = (leaf + (guintptr) track / 64) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  guint set = (guint) (hash >> 57), way = 0;
  CsLeaf *slot = self->recent;

  G_STATIC_ASSERT (CACHE_SETS == 128);
  if (slot != NULL && slot->leaf == leaf && slot->track == track)
    return slot;
  for (guint i = 0; i < CACHE_WAYS; i++)
    {
      if (self->tags[set].track[i] == track && self->tags[set].leaf[i] == leaf)
        {
          self->tags[set].used[i] = ++self->clock;
          return self->recent = self->leaves[set][i];
        }
      if (self->tags[set].used[i] < self->tags[set].used[way])
        way = i;
    }
  slot = self->leaves[set][way];
  if (slot == NULL)
    slot = self->leaves[set][way] = g_new (CsLeaf, 1);
  self->tags[set].track[way] = slot->track = track;
  self->tags[set].leaf[way] = slot->leaf = leaf;
  self->tags[set].used[way] = ++self->clock;
  slot->n = (guint) cs_leaf_reader_get_events (self, track, leaf, slot->events);
  decode (self, slot);
  return self->recent = slot;
}
