/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline/cs-timeline-private.h"

/* Gives each array its place, the largest elements first. Returns the size, bytes. */
static gsize
lay_out (const CsChunkHead *head, const guint8 *bytes, CsChunk *chunk)
{
  gsize depth = head->wide ? 4 : 2;
  gsize offset = 0;

#define PLACE(field, n, size) chunk->field = (gconstpointer) (bytes + offset); offset += (gsize) (n) * (size)
  PLACE (times, head->n_leaves, sizeof (gint64));
  PLACE (extents, head->n_extents, sizeof (CsExtent));
  PLACE (saved, head->n_saved, sizeof (CsSavedStack));
  PLACE (exceptions, head->n_exceptions, sizeof (CsException));
  PLACE (offsets, head->packed ? head->n_leaves : 0, sizeof (guint32));
  PLACE (ticks, head->packed ? head->n_leaves : 0, sizeof (guint32));
  PLACE (before, head->n_leaves, depth);
  for (guint level = 0; level < 3; level++)
    {
      PLACE (lo[level], cs_chunk_n_nodes (head, level), depth);
      PLACE (hi[level], cs_chunk_n_nodes (head, level), depth);
    }
  for (guint level = 1; level < 3; level++)
    {
      PLACE (events[level], cs_chunk_n_nodes (head, level), sizeof (guint16));
    }
  PLACE (records, head->n_leaves, 1);
  PLACE (leaf_events, head->n_leaves, 1);
#undef PLACE
  return (offset + 7) & ~(gsize) 7;
}

/**
 * cs_chunk_get_size:
 * @head: what is said of a chunk
 *
 * Returns: the size of its arrays, bytes
 */
gsize
cs_chunk_get_size (const CsChunkHead *head)
{
  static const guint8 nowhere[8];
  CsChunk chunk;

  return lay_out (head, nowhere, &chunk);
}

/**
 * cs_chunk_new:
 * @head: what is said of the chunk
 * @bytes: its arrays, at a multiple of 8
 * @take: whether to free @bytes at the end; otherwise they must outlive the chunk
 *
 * Returns: (transfer full): the chunk
 */
CsChunk *
cs_chunk_new (const CsChunkHead *head, const void *bytes, gboolean take)
{
  CsChunk *self = g_new0 (CsChunk, 1);

  g_atomic_ref_count_init (&self->refs);
  self->head = *head;
  self->owned = take ? (gpointer) bytes : NULL;
  lay_out (head, bytes, self);
  return self;
}

/**
 * cs_chunk_ref:
 * @self: a chunk
 *
 * Returns: (transfer full): @self
 */
CsChunk *
cs_chunk_ref (CsChunk *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cs_chunk_unref:
 * @self: (transfer full): a chunk
 */
void
cs_chunk_unref (CsChunk *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->owned);
  g_free (self);
}

/* Whether what a node says agrees with its children. */
static gboolean
levels_are_valid (const CsChunk *self)
{
  const CsChunkHead *head = &self->head;

  for (guint level = 1; level < 3; level++)
    for (guint i = 0; i < cs_chunk_n_nodes (head, level); i++)
      {
        guint end = MIN ((i + 1) * CS_NODE_CHILDREN, cs_chunk_n_nodes (head, level - 1));
        guint32 lo = G_MAXUINT32, hi = 0;
        guint events = 0;

        for (guint j = i * CS_NODE_CHILDREN; j < end; j++)
          {
            lo = MIN (lo, cs_chunk_depth (self, self->lo[level - 1], j));
            hi = MAX (hi, cs_chunk_depth (self, self->hi[level - 1], j));
            events += level == 1 ? self->leaf_events[j] : self->events[1][j];
          }
        if (lo != cs_chunk_depth (self, self->lo[level], i) || hi != cs_chunk_depth (self, self->hi[level], i) ||
            events != self->events[level][i])
          return FALSE;
      }
  return TRUE;
}

/* A stack can't be deeper than there are records. */
static gboolean
leaves_are_valid (const CsChunk *self, guint64 first_leaf)
{
  const CsChunkHead *head = &self->head;
  guint32 lo = G_MAXUINT32, hi = 0;
  guint64 events = 0;

  for (guint i = 0; i < head->n_leaves; i++)
    {
      guint32 leaf_lo = cs_chunk_depth (self, self->lo[0], i), leaf_hi = cs_chunk_depth (self, self->hi[0], i);

      if (leaf_lo > leaf_hi || leaf_hi > (first_leaf + i + 1) * CS_LEAF_RECORDS ||
          cs_chunk_depth (self, self->before, i) > (first_leaf + i) * CS_LEAF_RECORDS ||
          self->leaf_events[i] > (self->records[i] & 0x7F) + 1 ||
          (i > 0 && self->times[i] < self->times[i - 1]))
        return FALSE;
      lo = MIN (lo, leaf_lo);
      hi = MAX (hi, leaf_hi);
      events += self->leaf_events[i];
    }
  return lo == head->lo && hi == head->hi && events == head->n_events;
}

/**
 * cs_chunk_find_extent:
 * @self: a chunk
 * @leaf: number of a leaf in it
 *
 * Returns: the extent that the leaf is part of
 */
const CsExtent *
cs_chunk_find_extent (const CsChunk *self, guint leaf)
{
  guint lo = 0, hi = self->head.n_extents - 1;

  while (lo < hi)
    {
      guint middle = lo + (hi - lo + 1) / 2;

      if (self->extents[middle].leaf <= leaf)
        lo = middle;
      else
        hi = middle - 1;
    }
  return &self->extents[lo];
}

/* Whether leaves lie within their files, and within their blocks. */
static gboolean
extents_are_valid (const CsChunk *self, GPtrArray *files)
{
  const CsChunkHead *head = &self->head;

  if (head->n_extents == 0 || self->extents[0].leaf != 0)
    return FALSE;
  for (guint i = 0; i < head->n_extents; i++)
    {
      const CsExtent *extent = &self->extents[i];
      guint end = i + 1 < head->n_extents ? extent[1].leaf : head->n_leaves;
      const CsEventFile *file;

      if (extent->file >= files->len || extent->leaf >= end)
        return FALSE;
      file = g_ptr_array_index (files, extent->file);
      if (extent->record >= file->n_events ||
          (guint64) (end - 1 - extent->leaf) * CS_LEAF_RECORDS >= file->n_events - extent->record)
        return FALSE;
      if (!file->packed)
        continue;
      if (!head->packed || extent->block >= file->n_blocks)
        return FALSE;
      for (guint leaf = extent->leaf; leaf < end; leaf++)
        if (self->offsets[leaf] < TRACE_BLOCK_SIZE || self->offsets[leaf] >= file->blocks[extent->block].bytes ||
            self->offsets[leaf] % 2 != 0)
          return FALSE;
    }
  return TRUE;
}

/**
 * cs_chunk_is_valid:
 * @self: a chunk that was read from a file
 * @files: (element-type CsEventFile): files of the timeline
 * @first_leaf: how many leaves of the track lie before the chunk
 *
 * Returns: whether everything in it lies within bounds, and no chain in it has an end
 */
gboolean
cs_chunk_is_valid (const CsChunk *self, GPtrArray *files, guint64 first_leaf)
{
  const CsChunkHead *head = &self->head;

  if (!leaves_are_valid (self, first_leaf) || !levels_are_valid (self) || !extents_are_valid (self, files))
    return FALSE;
  for (guint i = 0; i < head->n_saved; i++)
    if ((self->saved[i].parent != CS_NO_SAVED && self->saved[i].parent >= head->first_saved + i) ||
        self->saved[i].leaf >= first_leaf + head->n_leaves || self->saved[i].record >= CS_LEAF_RECORDS)
      return FALSE;
  for (guint i = 0; i < head->n_exceptions; i++)
    {
      const CsException *exception = &self->exceptions[i];

      if (exception->leaf >= head->n_leaves || exception->record > (self->records[exception->leaf] & 0x7F) ||
          exception->after > head->hi ||
          (exception->saved != CS_NO_SAVED && exception->saved >= head->first_saved + head->n_saved) ||
          (i > 0 && exception->leaf * CS_LEAF_RECORDS + exception->record <=
                        exception[-1].leaf * CS_LEAF_RECORDS + exception[-1].record))
        return FALSE;
    }
  return TRUE;
}

/* Whether a node has what is looked for: a depth below the wanted one, or one that reaches it. */
static inline gboolean
node_has (const CsChunk *self, guint level, guint i, guint32 depth, gboolean below)
{
  return below ? cs_chunk_depth (self, self->lo[level], i) < depth : cs_chunk_depth (self, self->hi[level], i) >= depth;
}

static inline __attribute__ ((always_inline)) gint
find_last (const CsChunk *self, guint end, guint32 depth, gboolean below)
{
  guint i = end;

  while (i > 0)
    {
      if (i % 256 == 0 && !node_has (self, 2, i / 256 - 1, depth, below))
        i -= 256;
      else if (i % 16 == 0 && !node_has (self, 1, i / 16 - 1, depth, below))
        i -= 16;
      else if (node_has (self, 0, --i, depth, below))
        return (gint) i;
    }
  return -1;
}

static inline __attribute__ ((always_inline)) gint
find_first (const CsChunk *self, guint from, guint32 depth, gboolean below)
{
  guint i = from, n = self->head.n_leaves;

  while (i < n)
    {
      if (i % 256 == 0 && !node_has (self, 2, i / 256, depth, below))
        i += 256;
      else if (i % 16 == 0 && !node_has (self, 1, i / 16, depth, below))
        i += 16;
      else if (node_has (self, 0, i, depth, below))
        return (gint) i;
      else
        i++;
    }
  return -1;
}

/**
 * cs_chunk_find_last_below:
 * @self: a chunk
 * @end: a leaf
 * @depth: a depth
 *
 * Returns: the last leaf before @end that touches a depth below @depth, or -1
 */
gint
cs_chunk_find_last_below (const CsChunk *self, guint end, guint32 depth)
{
  return find_last (self, end, depth, TRUE);
}

/**
 * cs_chunk_find_first_below:
 * @self: a chunk
 * @from: a leaf
 * @depth: a depth
 *
 * Returns: the first leaf from @from on that touches a depth below @depth, or -1
 */
gint
cs_chunk_find_first_below (const CsChunk *self, guint from, guint32 depth)
{
  return find_first (self, from, depth, TRUE);
}

/**
 * cs_chunk_find_last_reaching:
 * @self: a chunk
 * @end: a leaf
 * @depth: a depth
 *
 * Returns: the last leaf before @end that reaches @depth, or -1
 */
gint
cs_chunk_find_last_reaching (const CsChunk *self, guint end, guint32 depth)
{
  return find_last (self, end, depth, FALSE);
}

/**
 * cs_chunk_find_first_reaching:
 * @self: a chunk
 * @from: a leaf
 * @depth: a depth
 *
 * Returns: the first leaf from @from on that reaches @depth, or -1
 */
gint
cs_chunk_find_first_reaching (const CsChunk *self, guint from, guint32 depth)
{
  return find_first (self, from, depth, FALSE);
}
