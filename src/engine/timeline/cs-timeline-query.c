/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline/cs-timeline-private.h"

/* What is narrower than so many pixels is not drawn by itself. */
#define WIDE_PIXELS 3

/* A stretch of a track that is not looked into: a node of the tree, or some records. Depths up to
 * lo go on through it, what is at those up to hi begins or ends in it. */
typedef struct
{
  gint64 start, end;
  guint32 lo, hi;
  guint64 n_events;
  guint64 from, to; /* positions; `to' is not in it */
} Piece;

typedef struct
{
  CsLeafReader *reader;
  const CsTrack *track;
  gint64 t0, t1; /* what is asked for */
  gint64 from, to; /* with six pixels beside it, so that a wide call is told at its edges too */
  guint64 wide;    /* ns */
  GArray *pieces;
  Piece group; /* narrow pieces that follow each other; n = 0: none */
  gboolean grouping;
  GArray *spans;
} Query;

static guint64
width (gint64 start, gint64 end)
{
  return (guint64) end - (guint64) start;
}

static void
flush_group (Query *query)
{
  if (query->grouping)
    g_array_append_val (query->pieces, query->group);
  query->grouping = FALSE;
}

/* Adds a piece. Narrow neighbours become one, as long as that is narrow too, so that the number of
 * pieces depends on the pixels only. */
static void
add_piece (Query *query, const Piece *piece)
{
  Piece *group = &query->group;

  if (query->grouping && width (group->start, piece->end) < query->wide)
    {
      group->end = piece->end;
      group->lo = MIN (group->lo, piece->lo);
      group->hi = MAX (group->hi, piece->hi);
      group->n_events += piece->n_events;
      group->to = piece->to;
      return;
    }
  flush_group (query);
  *group = *piece;
  query->grouping = TRUE;
}

/* Adds what lies between the records of a leaf. */
static void
add_records (Query *query, guint64 number, gint64 leaf_end)
{
  const CsLeaf *leaf = cs_leaf_reader_get (query->reader, query->track, number);
  guint64 position = number * CS_LEAF_RECORDS;

  for (guint i = 0; i < leaf->n; i++, position++)
    {
      gint64 end = i + 1 < leaf->n ? leaf->ns[i + 1] : leaf_end;
      Piece piece = { .start = leaf->ns[i], .end = end, .lo = leaf->low[i], .hi = leaf->after[i],
                      .n_events = leaf->events[i].kind <= TRACE_KIND_EXIT, .from = position,
                      .to = i + 1 < leaf->n ? position + 1 : (number + 1) * CS_LEAF_RECORDS };

      if (end < query->from)
        continue;
      if (piece.start > query->to)
        break;
      if (piece.lo < piece.hi && width (piece.start, piece.end) >= query->wide)
        {
          /* What begins here goes on through all of it. */
          Piece cut = piece;

          cut.end = cut.start;
          cut.to = cut.from;
          cut.hi = cut.lo;
          cut.n_events = 0;
          add_piece (query, &cut);
          piece.lo = piece.hi;
        }
      add_piece (query, &piece);
    }
}

/* Time, depths and number of events of a node: of a chunk where the level is 3. */
static void
get_node (const CsTrack *track, guint number, guint level, guint i, Piece *node)
{
  const CsChunk *chunk = track->chunks[number];
  guint64 first = (guint64) number * CS_CHUNK_LEAVES;
  guint end = MIN ((i + 1) << 4 * level, chunk->head.n_leaves);

  node->start = chunk->times[i << 4 * level];
  node->end = end < chunk->head.n_leaves ? chunk->times[end] : cs_track_leaf_time (track, first + end);
  node->from = (first + (i << 4 * level)) * CS_LEAF_RECORDS;
  node->to = (first + end) * CS_LEAF_RECORDS;
  if (level == 3)
    {
      node->lo = chunk->head.lo;
      node->hi = chunk->head.hi;
      node->n_events = chunk->head.n_events;
      return;
    }
  node->lo = cs_chunk_depth (chunk, chunk->lo[level], i);
  node->hi = cs_chunk_depth (chunk, chunk->hi[level], i);
  node->n_events = level == 0 ? chunk->leaf_events[i] : chunk->events[level][i];
}

/* Goes down the tree as far as nodes are wide. */
static void
walk (Query *query, guint chunk, guint level, guint i)
{
  Piece node;
  guint end;

  get_node (query->track, chunk, level, i, &node);
  if (node.end < query->from || node.start > query->to)
    return;
  if (width (node.start, node.end) < query->wide)
    {
      add_piece (query, &node);
      return;
    }
  if (level == 0)
    {
      add_records (query, node.from / CS_LEAF_RECORDS, node.end);
      return;
    }
  end = MIN ((i + 1) * CS_NODE_CHILDREN, cs_chunk_n_nodes (&query->track->chunks[chunk]->head, level - 1));
  for (guint j = i * CS_NODE_CHILDREN; j < end; j++)
    walk (query, chunk, level - 1, j);
}

static void
collect_pieces (Query *query)
{
  const CsTrack *track = query->track;
  guint64 leaf = cs_track_find_leaf (track, query->from == G_MININT64 ? query->from : query->from - 1);
  guint chunk = leaf != CS_NO_POSITION ? (guint) (leaf / CS_CHUNK_LEAVES) : 0;

  for (; chunk < track->n_chunks && track->chunk_times[chunk] <= query->to; chunk++)
    walk (query, chunk, 3, 0);
  flush_group (query);
}

/* Narrow calls of a row that follow each other. */
typedef struct
{
  gboolean active;
  Piece piece;
  guint64 behind; /* of the call that ended in it, the exit; CS_NO_POSITION: none did */
} Block;

static guint64
count_events (Query *query, guint64 from, guint64 to)
{
  guint64 n = cs_track_count_before (query->track, to / CS_LEAF_RECORDS) -
              cs_track_count_before (query->track, from / CS_LEAF_RECORDS);
  const CsLeaf *leaf = cs_leaf_reader_get (query->reader, query->track, from / CS_LEAF_RECORDS);

  for (guint i = 0; i < MIN (from % CS_LEAF_RECORDS, leaf->n); i++)
    n -= leaf->events[i].kind <= TRACE_KIND_EXIT;
  if (to % CS_LEAF_RECORDS == 0)
    return n;
  leaf = cs_leaf_reader_get (query->reader, query->track, to / CS_LEAF_RECORDS);
  for (guint i = 0; i < MIN (to % CS_LEAF_RECORDS, leaf->n); i++)
    n += leaf->events[i].kind <= TRACE_KIND_EXIT;
  return n;
}

/* Leaves out of a block what belongs to the calls before and after it. Returns whether anything is
 * left. */
static gboolean
trim_block (Query *query, Block *block, guint64 begin, guint32 depth)
{
  Piece *piece = &block->piece;

  if (begin != CS_NO_POSITION)
    piece->to = begin;
  if (block->behind != CS_NO_POSITION)
    {
      guint64 first = cs_find_first_reaching (query->reader, query->track, block->behind, depth);

      if (first == CS_NO_POSITION || first >= piece->to)
        return FALSE;
      piece->start = cs_position_time (query->reader, query->track, first);
      piece->from = first;
    }
  if (begin != CS_NO_POSITION)
    {
      guint64 last = cs_find_last_reaching (query->reader, query->track, begin, depth);

      if (last == CS_NO_POSITION || last < piece->from)
        return FALSE;
      piece->to = cs_position_next (query->track, last);
      piece->end = cs_position_time (query->reader, query->track, piece->to);
    }
  if (begin != CS_NO_POSITION || block->behind != CS_NO_POSITION)
    piece->n_events = count_events (query, piece->from, piece->to);
  return TRUE;
}

static void
add_span (Query *query, const CsTimelineSpan *span)
{
  if (span->end >= query->t0 && span->start <= query->t1)
    g_array_append_vals (query->spans, span, 1);
}

/* begin: that of the call behind the block, or CS_NO_POSITION. */
static void
end_block (Query *query, Block *block, guint64 begin, guint32 depth)
{
  if (block->active && trim_block (query, block, begin, depth))
    {
      CsTimelineSpan span = { .start = block->piece.start, .end = block->piece.end, .depth = depth - 1,
                              .n_events = MAX (block->piece.n_events, 1), .position = block->piece.from };

      add_span (query, &span);
    }
  block->active = FALSE;
  block->behind = CS_NO_POSITION;
}

static void
add_to_block (Block *block, const Piece *piece)
{
  if (!block->active)
    {
      block->piece = *piece;
      block->active = TRUE;
      return;
    }
  block->piece.end = piece->end;
  block->piece.to = piece->to;
  block->piece.n_events += piece->n_events;
}

/* Fills the row of a depth: runs of pieces through which the depth goes on are calls, what is next
 * to them blocks. */
static void
fill_row (Query *query, guint32 depth)
{
  const Piece *pieces = (const Piece *) (gconstpointer) query->pieces->data;
  guint n = query->pieces->len, next;
  Block block = { .behind = CS_NO_POSITION };

  for (guint i = 0; i < n; i = next)
    {
      CsTimelineSpan span;
      guint64 behind;

      next = i + 1;
      if (pieces[i].hi < depth)
        {
          end_block (query, &block, CS_NO_POSITION, depth);
          continue;
        }
      if (pieces[i].lo < depth)
        {
          add_to_block (&block, &pieces[i]);
          continue;
        }
      while (next < n && pieces[next].lo >= depth)
        next++;
      if (width (pieces[i].start, pieces[next - 1].end) >= query->wide &&
          cs_find_span (query->reader, query->track, pieces[i].from, pieces[next - 1].to, depth, &span, &behind))
        {
          end_block (query, &block, span.position, depth);
          add_span (query, &span);
          block.behind = behind;
        }
      else
        for (guint j = i; j < next; j++)
          add_to_block (&block, &pieces[j]);
    }
  end_block (query, &block, CS_NO_POSITION, depth);
}

/* Saturating, so that a window may lie anywhere. */
static gint64
add_ns (gint64 ns, gint64 more)
{
  gint64 sum;

  if (__builtin_add_overflow (ns, more, &sum))
    return more > 0 ? G_MAXINT64 : G_MININT64;
  return sum;
}

/**
 * cs_timeline_query:
 * @self: an index
 * @track: number of a track
 * @t0: ns, where the window begins
 * @t1: ns, where it ends; later than @t0
 * @pixels: how wide it is shown
 * @depth_lo: the first row that is visible, 0 the outermost
 * @depth_hi: the last one
 * @spans: (element-type CsTimelineSpan): where to append what fills the window, row by row, by time
 * @error: where to say what could not be read
 *
 * A call that is three pixels wide or more is a span of its own as soon as what is known without
 * looking at every event shows so, at the latest when it is nine pixels wide. The others
 * are in blocks, of which each holds one or more, of calls that follow each other closer than
 * three pixels. The cost depends on pixels and rows, not on events.
 *
 * Returns: %FALSE where files are not what they were; @spans has then what could be found
 */
gboolean
cs_timeline_query (CsTimeline *self, guint track, gint64 t0, gint64 t1, guint pixels, guint32 depth_lo,
                   guint32 depth_hi, GArray *spans, GError **error)
{
  g_autoptr (GArray) pieces = NULL;
  Query query = { .t0 = t0, .t1 = t1, .spans = spans };
  gint64 beside;

  g_return_val_if_fail (track < self->tracks->len && t0 < t1 && pixels > 0, FALSE);

  query.track = cs_timeline_get_track (self, track);
  query.wide = (guint64) MIN (((unsigned __int128) width (t0, t1) * WIDE_PIXELS + pixels - 1) / pixels, G_MAXUINT64);
  beside = (gint64) MIN (query.wide, (guint64) G_MAXINT64 / 2) * 2;
  query.from = add_ns (t0, -beside);
  query.to = add_ns (t1, beside);
  if (query.track->n_leaves == 0 || depth_lo >= query.track->info.n_rows)
    return TRUE;
  query.pieces = pieces = g_array_sized_new (FALSE, FALSE, sizeof (Piece), 1024);
  query.reader = cs_timeline_take_reader (self);
  collect_pieces (&query);
  for (guint32 row = depth_lo; row <= MIN (depth_hi, query.track->info.n_rows - 1); row++)
    fill_row (&query, row + 1);
  return cs_timeline_give_back (self, query.reader, error);
}

/* Counts the events of a node by pixel. */
static void
count_node (Query *query, guint chunk, guint level, guint i, guint pixels, guint64 *events)
{
  Piece node;
  guint end;
  guint64 range = width (query->t0, query->t1);
  gboolean whole;

  get_node (query->track, chunk, level, i, &node);
  if (node.end < query->from || node.start > query->to)
    return;
  /* The node's last event may be at its very end, and t1 is not in the window. */
  whole = width (node.start, node.end) < query->wide && node.start >= query->t0 && node.end < query->t1;
  if (level == 0 || whole)
    {
      const CsLeaf *leaf = whole ? NULL : cs_leaf_reader_get (query->reader, query->track,
                                                              node.from / CS_LEAF_RECORDS);

      for (guint j = 0; j < (whole ? 1 : leaf->n); j++)
        {
          gint64 ns = whole ? node.start : leaf->ns[j];
          guint64 pixel = (guint64) ((unsigned __int128) width (query->t0, ns) * pixels / range);

          if (ns >= query->t0 && ns < query->t1)
            events[pixel] += whole ? node.n_events : leaf->events[j].kind <= TRACE_KIND_EXIT;
        }
      return;
    }
  end = MIN ((i + 1) * CS_NODE_CHILDREN, cs_chunk_n_nodes (&query->track->chunks[chunk]->head, level - 1));
  for (guint j = i * CS_NODE_CHILDREN; j < end; j++)
    count_node (query, chunk, level - 1, j, pixels, events);
}

/**
 * cs_timeline_get_density:
 * @self: an index
 * @track: number of a track
 * @t0: ns, where the window begins
 * @t1: ns, where it ends, exclusive; later than @t0
 * @pixels: how wide it is shown
 * @events: (out) (array length=pixels): how many enters and exits each pixel has; those of a node
 *   of the tree that is narrower than a pixel count where the node begins
 * @error: where to say what could not be read
 *
 * Returns: %FALSE where files are not what they were
 */
gboolean
cs_timeline_get_density (CsTimeline *self, guint track, gint64 t0, gint64 t1, guint pixels, guint64 *events,
                         GError **error)
{
  Query query = { .t0 = t0, .t1 = t1, .from = t0, .to = t1 };
  guint64 leaf;

  g_return_val_if_fail (track < self->tracks->len && t0 < t1 && pixels > 0, FALSE);

  for (guint i = 0; i < pixels; i++)
    events[i] = 0;
  query.track = cs_timeline_get_track (self, track);
  query.wide = (guint64) (((unsigned __int128) width (t0, t1) + pixels - 1) / pixels);
  query.reader = cs_timeline_take_reader (self);
  leaf = cs_track_find_leaf (query.track, t0 == G_MININT64 ? t0 : t0 - 1);
  for (guint chunk = leaf != CS_NO_POSITION ? (guint) (leaf / CS_CHUNK_LEAVES) : 0;
       chunk < query.track->n_chunks && query.track->chunk_times[chunk] < t1; chunk++)
    count_node (&query, chunk, 3, 0, pixels, events);
  return cs_timeline_give_back (self, query.reader, error);
}
