/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "timeline/cs-timeline-builder.h"
#include "timeline/cs-timeline-private.h"

typedef struct
{
  gint64 time;
  guint32 offset, ticks; /* as in a chunk */
  guint32 before, lo, hi;
  guint8 records; /* less one; bit 7: it has exceptions */
  guint8 events;
} OpenLeaf;

/* Where what is open in a context is found. */
typedef struct
{
  guint32 saved; /* number, or CS_NO_SAVED */
  guint32 depth; /* of which so many calls are known there */
} Context;

struct _CsTrackBuilder
{
  CsTimelineTrackInfo info;
  GPtrArray *chunks; /* (element-type CsChunk), full ones */
  GArray *leaves;    /* (element-type OpenLeaf), behind them */
  GArray *extents, *exceptions, *saved; /* of these leaves */
  guint32 first_saved; /* saved stacks in full chunks */
  GHashTable *contexts; /* (nullable): id → Context */
  guint32 lowest; /* since the running context began to run */
  guint64 start_limit, unseen_from;

  /* The leaf that records are added to. */
  OpenLeaf leaf;
  guint n_records, n_events;
  CsTrackPlace place; /* of its first record */
  guint64 next_leaf; /* where it would begin if it continued the extent */
  gboolean in_extent; /* there is one to continue */
  guint64 extent_ticks; /* its first ones */
  gboolean packed; /* some leaves of the chunk are */
};

static GHashTable *
new_contexts (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
}

/**
 * cs_track_builder_new:
 * @process: index of a process in the recording
 * @tid: a thread of it
 * @seq: of the thread's first file
 *
 * Returns: (transfer full): the index of the thread, with nothing in it
 */
CsTrackBuilder *
cs_track_builder_new (guint process, guint tid, guint64 seq)
{
  CsTrackBuilder *self = g_new0 (CsTrackBuilder, 1);

  self->info = (CsTimelineTrackInfo){ .process = process, .tid = tid, .seq = seq };
  self->chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_chunk_unref);
  self->leaves = g_array_new (FALSE, FALSE, sizeof (OpenLeaf));
  self->extents = g_array_new (FALSE, FALSE, sizeof (CsExtent));
  self->exceptions = g_array_new (FALSE, FALSE, sizeof (CsException));
  self->saved = g_array_new (FALSE, FALSE, sizeof (CsSavedStack));
  self->start_limit = self->unseen_from = G_MAXUINT64;
  return self;
}

static GArray *
copy_elements (const GArray *from, guint size)
{
  GArray *to = g_array_sized_new (FALSE, FALSE, size, from->len);

  return g_array_append_vals (to, from->data, from->len);
}

static gpointer
ref_chunk (gconstpointer chunk, gpointer unused)
{
  return cs_chunk_ref ((gpointer) chunk);
}

/**
 * cs_track_builder_copy:
 * @self: the index of a thread
 *
 * What is added to the copy is not in @self: records that will be read once more, those of a tail.
 * Chunks that are full are shared.
 *
 * Returns: (transfer full): the copy
 */
CsTrackBuilder *
cs_track_builder_copy (const CsTrackBuilder *self)
{
  CsTrackBuilder *copy = g_memdup2 (self, sizeof *self);
  GHashTableIter iter;
  gpointer id, context;

  copy->chunks = g_ptr_array_copy (self->chunks, (GCopyFunc) ref_chunk, NULL);
  copy->leaves = copy_elements (self->leaves, sizeof (OpenLeaf));
  copy->extents = copy_elements (self->extents, sizeof (CsExtent));
  copy->exceptions = copy_elements (self->exceptions, sizeof (CsException));
  copy->saved = copy_elements (self->saved, sizeof (CsSavedStack));
  if (self->contexts == NULL)
    return copy;
  copy->contexts = new_contexts ();
  g_hash_table_iter_init (&iter, self->contexts);
  while (g_hash_table_iter_next (&iter, &id, &context))
    g_hash_table_insert (copy->contexts, g_memdup2 (id, sizeof (guint64)), g_memdup2 (context, sizeof (Context)));
  return copy;
}

/**
 * cs_track_builder_free:
 * @self: (transfer full): the index of a thread
 */
void
cs_track_builder_free (CsTrackBuilder *self)
{
  g_ptr_array_unref (self->chunks);
  g_array_unref (self->leaves);
  g_array_unref (self->extents);
  g_array_unref (self->exceptions);
  g_array_unref (self->saved);
  g_clear_pointer (&self->contexts, g_hash_table_unref);
  g_free (self);
}

static void
put_depth (void *depths, gboolean wide, guint i, guint32 depth)
{
  if (wide)
    ((guint32 *) depths)[i] = depth;
  else
    ((guint16 *) depths)[i] = (guint16) depth;
}

/* Fills levels 1 and 2 of a new chunk from the leaves. */
static void
fill_levels (CsChunk *chunk)
{
  for (guint level = 1; level < 3; level++)
    for (guint i = 0; i < cs_chunk_n_nodes (&chunk->head, level); i++)
      {
        guint end = MIN ((i + 1) * CS_NODE_CHILDREN, cs_chunk_n_nodes (&chunk->head, level - 1));
        guint32 lo = G_MAXUINT32, hi = 0;
        guint events = 0;

        for (guint j = i * CS_NODE_CHILDREN; j < end; j++)
          {
            lo = MIN (lo, cs_chunk_depth (chunk, chunk->lo[level - 1], j));
            hi = MAX (hi, cs_chunk_depth (chunk, chunk->hi[level - 1], j));
            events += level == 1 ? chunk->leaf_events[j] : chunk->events[1][j];
          }
        put_depth ((void *) chunk->lo[level], chunk->head.wide, i, lo);
        put_depth ((void *) chunk->hi[level], chunk->head.wide, i, hi);
        ((guint16 *) chunk->events[level])[i] = (guint16) events;
      }
}

static void
copy_array (const void *to, const GArray *from, gsize size)
{
  if (from->len > 0)
    memcpy ((void *) to, from->data, from->len * size);
}

/* Makes a chunk of the leaves that are in none. */
static CsChunk *
make_chunk (CsTrackBuilder *self)
{
  CsChunkHead head = { .n_leaves = self->leaves->len, .n_exceptions = self->exceptions->len,
                       .n_extents = self->extents->len, .n_saved = self->saved->len,
                       .first_saved = self->first_saved, .lo = G_MAXUINT32, .packed = self->packed };
  CsChunk *chunk;

  for (guint i = 0; i < head.n_leaves; i++)
    {
      const OpenLeaf *leaf = &g_array_index (self->leaves, OpenLeaf, i);

      head.lo = MIN (head.lo, leaf->lo);
      head.hi = MAX (head.hi, leaf->hi);
      head.n_events += leaf->events;
      head.wide |= MAX (leaf->hi, leaf->before) > G_MAXUINT16;
    }
  chunk = cs_chunk_new (&head, g_malloc0 (cs_chunk_get_size (&head)), TRUE);
  copy_array (chunk->extents, self->extents, sizeof (CsExtent));
  copy_array (chunk->exceptions, self->exceptions, sizeof (CsException));
  copy_array (chunk->saved, self->saved, sizeof (CsSavedStack));
  for (guint i = 0; i < head.n_leaves; i++)
    {
      const OpenLeaf *leaf = &g_array_index (self->leaves, OpenLeaf, i);

      ((gint64 *) chunk->times)[i] = leaf->time;
      if (head.packed)
        {
          ((guint32 *) chunk->offsets)[i] = leaf->offset;
          ((guint32 *) chunk->ticks)[i] = leaf->ticks;
        }
      put_depth ((void *) chunk->before, head.wide, i, leaf->before);
      put_depth ((void *) chunk->lo[0], head.wide, i, leaf->lo);
      put_depth ((void *) chunk->hi[0], head.wide, i, leaf->hi);
      ((guint8 *) chunk->records)[i] = leaf->records;
      ((guint8 *) chunk->leaf_events)[i] = leaf->events;
    }
  fill_levels (chunk);
  return chunk;
}

static guint64
leaf_number (const CsTrackBuilder *self)
{
  return (guint64) self->chunks->len * CS_CHUNK_LEAVES + self->leaves->len;
}

static void
close_chunk (CsTrackBuilder *self)
{
  g_ptr_array_add (self->chunks, make_chunk (self));
  self->first_saved += self->saved->len;
  g_array_set_size (self->leaves, 0);
  g_array_set_size (self->extents, 0);
  g_array_set_size (self->exceptions, 0);
  g_array_set_size (self->saved, 0);
  self->in_extent = self->packed = FALSE;
}

static OpenLeaf
finished_leaf (const CsTrackBuilder *self)
{
  OpenLeaf leaf = self->leaf;

  leaf.records |= (guint8) (self->n_records - 1);
  leaf.events = (guint8) self->n_events;
  return leaf;
}

/**
 * cs_track_builder_end_leaf:
 * @self: the index of a thread
 *
 * The next record begins a leaf.
 */
void
cs_track_builder_end_leaf (CsTrackBuilder *self)
{
  OpenLeaf leaf = finished_leaf (self);

  if (self->n_records == 0)
    return;
  g_array_append_val (self->leaves, leaf);
  self->n_records = self->n_events = 0;
  if (self->leaves->len == CS_CHUNK_LEAVES)
    close_chunk (self);
}

/**
 * cs_track_builder_needs_leaf:
 * @self: the index of a thread
 * @file: index of the file that is read
 * @block: number of its block, where it is packed
 * @record: number of the next record in the file
 * @room: (out): how many records the leaf takes, should a new one not be needed
 *
 * Returns: whether a new leaf has to begin with that record
 */
gboolean
cs_track_builder_needs_leaf (CsTrackBuilder *self, guint file, guint32 block, guint64 record, guint *room)
{
  const CsTrackPlace *place = &self->place;
  guint64 end = place->record + CS_LEAF_REACH;

  *room = (guint) MIN (CS_LEAF_RECORDS - self->n_records, end - record);
  return self->n_records == 0 || file != place->file || block != place->block || record >= end;
}

/**
 * cs_track_builder_begin_leaf:
 * @self: the index of a thread
 * @place: where the leaf's first record lies
 * @ns: its time
 * @depth: how deep the stack is before it
 * @can_start: whether a pass over the thread could begin here, if it knew the stack
 * @unseen: whether recording had been off
 * @lost: how many enters and exits of the thread are known to be missing; changes where a file begins
 */
void
cs_track_builder_begin_leaf (CsTrackBuilder *self, const CsTrackPlace *place, gint64 ns, guint32 depth,
                             gboolean can_start, gboolean unseen, guint64 lost)
{
  cs_track_builder_end_leaf (self);
  self->packed |= place->offset > 0;
  if (!self->in_extent || place->open || place->file != self->place.file || place->block != self->place.block ||
      place->tid != self->place.tid || place->record != self->next_leaf ||
      place->ticks - self->extent_ticks > G_MAXUINT32)
    {
      CsExtent extent = { .leaf = self->leaves->len, .file = place->file, .record = place->record, .lost = lost,
                          .ticks = place->ticks, .block = place->block, .tid = place->tid };

      g_array_append_val (self->extents, extent);
      self->extent_ticks = place->ticks;
    }
  self->leaf = (OpenLeaf){ .time = ns, .offset = place->offset,
                           .ticks = (guint32) (place->ticks - self->extent_ticks), .before = depth,
                           .lo = G_MAXUINT32 };
  self->in_extent = TRUE;
  self->place = *place;
  self->next_leaf = place->record + CS_LEAF_RECORDS;
  if (unseen && self->unseen_from == G_MAXUINT64)
    self->unseen_from = leaf_number (self);
  if (!can_start)
    {
      CsException exception = { .leaf = (guint16) self->leaves->len, .flags = CS_EXCEPTION_NO_START,
                                .saved = CS_NO_SAVED };

      self->leaf.records = 0x80;
      g_array_append_val (self->exceptions, exception);
    }
}

/**
 * cs_track_builder_place_leaf:
 * @self: the index of a thread
 * @place: where the first enter or exit lies that was read after cs_track_builder_begin_leaf()
 *
 * Says of a leaf that was begun with an open place which enter or exit is its first. That is not asked
 * of one in another block.
 */
void
cs_track_builder_place_leaf (CsTrackBuilder *self, const CsTrackPlace *place)
{
  CsExtent *extent;

  if (!self->place.open || self->n_records == 0 || place->file != self->place.file || place->block != self->place.block)
    return;
  extent = &g_array_index (self->extents, CsExtent, self->extents->len - 1);
  extent->ticks = self->extent_ticks = place->ticks;
  extent->tid = self->place.tid = place->tid;
  self->place.open = FALSE;
}

static void
note (CsTrackBuilder *self, gsize i, guint32 after, guint flags, guint32 saved)
{
  CsException exception = { .leaf = (guint16) self->leaves->len, .record = (guint8) (self->n_records + i),
                            .flags = (guint8) (flags | CS_EXCEPTION_DEPTH), .after = after, .saved = saved };
  CsException *last = self->exceptions->len == 0 ? NULL : &g_array_index (self->exceptions, CsException,
                                                                         self->exceptions->len - 1);

  self->leaf.records = 0x80;
  if (last != NULL && last->leaf == exception.leaf && last->record == exception.record)
    {
      exception.flags |= last->flags;
      *last = exception;
    }
  else
    g_array_append_val (self->exceptions, exception);
}

/**
 * cs_track_builder_note_depth:
 * @self: the index of a thread
 * @i: number of a record in the run that is added next
 * @after: how deep the stack is after it
 * @cut: whether everything that was open ended at the record
 *
 * Says of a record that it does something else than its kind says.
 */
void
cs_track_builder_note_depth (CsTrackBuilder *self, gsize i, guint32 after, gboolean cut)
{
  note (self, i, after, cut ? CS_EXCEPTION_CUT : 0, CS_NO_SAVED);
  if (cut)
    self->lowest = 0;
}

/* So many of the calls that were open in a context are still. */
static void
forget_saved (CsTrackBuilder *self, Context *context, guint32 depth)
{
  while (context->saved != CS_NO_SAVED)
    {
      const CsSavedStack *saved = NULL;

      if (context->saved >= self->first_saved)
        saved = &g_array_index (self->saved, CsSavedStack, context->saved - self->first_saved);
      else
        for (guint i = self->chunks->len; saved == NULL && i-- > 0;)
          {
            const CsChunk *chunk = g_ptr_array_index (self->chunks, i);

            if (context->saved >= chunk->head.first_saved)
              saved = &chunk->saved[context->saved - chunk->head.first_saved];
          }
      if (saved->low <= depth)
        break;
      context->saved = saved->parent;
    }
  context->depth = MIN (context->depth, depth);
}

static Context *
get_context (CsTrackBuilder *self, guint64 id)
{
  Context *context;

  if (self->contexts == NULL)
    self->contexts = new_contexts ();
  context = g_hash_table_lookup (self->contexts, &id);
  if (context == NULL)
    {
      context = g_new (Context, 1);
      *context = (Context){ .saved = CS_NO_SAVED };
      g_hash_table_insert (self->contexts, g_memdup2 (&id, sizeof id), context);
    }
  return context;
}

/**
 * cs_track_builder_note_switch:
 * @self: the index of a thread
 * @i: number of a record in the run that is added next
 * @from: id of the context that ran before it
 * @to: of the one that runs after it
 * @depth_from: how deep the stack of the former is
 * @depth_to: and of the latter
 * @low: the lowest depth that the former had in the run, since it went on
 */
void
cs_track_builder_note_switch (CsTrackBuilder *self, gsize i, guint64 from, guint64 to, guint32 depth_from,
                              guint32 depth_to, guint32 low)
{
  Context *left = get_context (self, from);
  Context *next;

  forget_saved (self, left, MIN (MIN (self->lowest, low), depth_from));
  if (depth_from > left->depth)
    {
      CsSavedStack saved = { .parent = left->saved, .low = left->depth + 1, .leaf = (guint32) leaf_number (self),
                             .record = (guint32) (self->n_records + i) };

      g_array_append_val (self->saved, saved);
      left->saved = self->first_saved + self->saved->len - 1;
      left->depth = depth_from;
    }
  next = get_context (self, to);
  note (self, i, depth_to, CS_EXCEPTION_CUT | CS_EXCEPTION_CONTEXT, next->saved);
  self->lowest = depth_to;
  self->start_limit = MIN (self->start_limit, leaf_number (self)); /* later a stack alone doesn't do */
}

/**
 * cs_track_builder_add:
 * @self: the index of a thread, with a leaf that has room for them
 * @n_records: how many records were read
 * @n_events: how many of these are enters and exits
 * @run: the depths that they led to
 */
void
cs_track_builder_add (CsTrackBuilder *self, gsize n_records, gsize n_events, const CsTrackRun *run)
{
  self->leaf.lo = MIN (self->leaf.lo, run->lo);
  self->leaf.hi = MAX (self->leaf.hi, run->hi);
  self->lowest = MIN (self->lowest, run->low);
  self->n_records += (guint) n_records;
  self->n_events += (guint) n_events;
  self->info.n_events += n_events;
  self->info.n_rows = MAX (self->info.n_rows, run->hi);
  if (self->n_records == CS_LEAF_RECORDS)
    cs_track_builder_end_leaf (self);
}

/**
 * cs_track_builder_snapshot:
 * @self: the index of a thread
 * @first: ns, of its first event
 * @last: ns, of its last
 *
 * The index as it is now: it shares the chunks that are full, and costs the time to copy the
 * leaves behind them, at most 4,096. More may be added to @self afterwards.
 *
 * Returns: (transfer full): a track for cs_timeline_new()
 */
gpointer
cs_track_builder_snapshot (CsTrackBuilder *self, gint64 first, gint64 last)
{
  guint n = self->chunks->len;
  g_autofree CsChunk **chunks = g_new (CsChunk *, n + 1);
  CsTrack *track;

  for (guint i = 0; i < n; i++)
    chunks[i] = cs_chunk_ref (g_ptr_array_index (self->chunks, i));
  if (self->n_records > 0)
    {
      OpenLeaf leaf = finished_leaf (self);

      g_array_append_val (self->leaves, leaf);
    }
  if (self->leaves->len > 0)
    chunks[n++] = make_chunk (self);
  if (self->n_records > 0)
    g_array_set_size (self->leaves, self->leaves->len - 1);
  self->info.first = first;
  self->info.last = last;
  track = cs_track_new (&self->info, chunks, n);
  track->start_limit = self->start_limit;
  track->unseen_from = self->unseen_from;
  return track;
}

/**
 * cs_track_builder_set_process:
 * @self: the index of a thread
 * @process: what number its process has now, as that of a recording that grows
 */
void
cs_track_builder_set_process (CsTrackBuilder *self, guint process)
{
  self->info.process = process;
}

/**
 * cs_track_builder_get_process:
 * @track: what cs_track_builder_snapshot() returned
 *
 * Returns: index of its process
 */
guint
cs_track_builder_get_process (gconstpointer track)
{
  return ((const CsTrack *) track)->info.process;
}

/**
 * cs_track_builder_move_track:
 * @track: what cs_track_builder_snapshot() returned, while no index has it
 * @process: what number its process has now
 */
void
cs_track_builder_move_track (gpointer track, guint process)
{
  ((CsTrack *) track)->info.process = process;
}

/**
 * cs_track_builder_copy_track:
 * @track: what cs_track_builder_snapshot() returned
 *
 * Returns: (transfer full): the same once more; it shares all chunks
 */
gpointer
cs_track_builder_copy_track (gconstpointer track)
{
  const CsTrack *from = track;
  CsTrack *copy;

  for (guint i = 0; i < from->n_chunks; i++)
    cs_chunk_ref (from->chunks[i]);
  copy = cs_track_new (&from->info, from->chunks, from->n_chunks);
  copy->start_limit = from->start_limit;
  copy->unseen_from = from->unseen_from;
  return copy;
}

/**
 * cs_track_builder_free_track:
 * @track: (transfer full): what cs_track_builder_snapshot() returned
 */
void
cs_track_builder_free_track (gpointer track)
{
  cs_track_free (track);
}

/**
 * cs_timeline_index_files:
 * @recording: what was captured
 *
 * Returns: (transfer full) (element-type CsEventFile guint): the numbers by which an index
 *   calls the recording's event files
 */
GHashTable *
cs_timeline_index_files (CsRecording *recording)
{
  GHashTable *index = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) files = cs_timeline_list_files (recording);

  for (guint i = 0; i < files->len; i++)
    g_hash_table_insert (index, g_ptr_array_index (files, i), GUINT_TO_POINTER (i));
  return index;
}

/**
 * cs_timeline_new:
 * @recording: what was captured
 * @files: (element-type CsEventFile) (nullable) (transfer full): files of @recording by the numbers
 *   that the tracks call them; %NULL: those of cs_timeline_index_files(). A recording that grows is
 *   opened again and again; its files keep their numbers
 * @clocks: the clocks of its processes, by index, that times come from
 * @tracks: (element-type CsTrack) (transfer full): what cs_track_builder_snapshot() returned for
 *   each thread
 *
 * Returns: (transfer full): the index of the recording; its tracks are in the order of a
 *   profile's threads
 */
CsTimeline *
cs_timeline_new (CsRecording *recording, GPtrArray *files, const CsClock *clocks, GPtrArray *tracks)
{
  g_ptr_array_sort (tracks, cs_track_compare);
  return cs_timeline_new_from_tracks (recording, files, clocks, tracks, NULL);
}
