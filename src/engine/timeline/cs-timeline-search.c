/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline/cs-timeline-private.h"

/* What a search looks for: a record on whose way the depth is below the wanted one, or after
 * which it is at least that. */
typedef enum
{
  BELOW,
  REACHING,
} Wanted;

static gboolean
record_is (const CsLeaf *leaf, guint i, guint32 depth, Wanted wanted)
{
  return wanted == BELOW ? leaf->low[i] < depth : leaf->after[i] >= depth;
}

static gboolean
chunk_has (const CsChunk *chunk, guint32 depth, Wanted wanted)
{
  return wanted == BELOW ? chunk->head.lo < depth : chunk->head.hi >= depth;
}

static gint
find_last_leaf (const CsChunk *chunk, guint end, guint32 depth, Wanted wanted)
{
  return wanted == BELOW ? cs_chunk_find_last_below (chunk, end, depth)
                         : cs_chunk_find_last_reaching (chunk, end, depth);
}

static gint
find_first_leaf (const CsChunk *chunk, guint from, guint32 depth, Wanted wanted)
{
  return wanted == BELOW ? cs_chunk_find_first_below (chunk, from, depth)
                         : cs_chunk_find_first_reaching (chunk, from, depth);
}

static guint64
find_last (CsLeafReader *reader, const CsTrack *track, guint64 end, guint32 depth, Wanted wanted)
{
  guint64 leaf_end = end / CS_LEAF_RECORDS; /* leaves before this one come in whole */
  guint records = end % CS_LEAF_RECORDS;

  if (records > 0 && leaf_end < track->n_leaves)
    {
      const CsLeaf *leaf = cs_leaf_reader_get (reader, track, leaf_end);

      for (guint i = MIN (records, leaf->n); i-- > 0;)
        if (record_is (leaf, i, depth, wanted))
          return leaf_end * CS_LEAF_RECORDS + i;
    }
  leaf_end = MIN (leaf_end, track->n_leaves);
  while (leaf_end > 0)
    {
      guint number = (guint) ((leaf_end - 1) / CS_CHUNK_LEAVES);
      guint64 first = (guint64) number * CS_CHUNK_LEAVES;
      const CsChunk *chunk = track->chunks[number];
      gint found = chunk_has (chunk, depth, wanted)
                       ? find_last_leaf (chunk, (guint) (leaf_end - first), depth, wanted) : -1;

      leaf_end = first;
      if (found >= 0)
        {
          const CsLeaf *leaf = cs_leaf_reader_get (reader, track, first + (guint) found);

          for (guint i = leaf->n; i-- > 0;)
            if (record_is (leaf, i, depth, wanted))
              return (first + (guint) found) * CS_LEAF_RECORDS + i;
          leaf_end = first + (guint) found; /* the file isn't what it was */
        }
    }
  return CS_NO_POSITION;
}

static guint64
find_first (CsLeafReader *reader, const CsTrack *track, guint64 from, guint32 depth, Wanted wanted)
{
  guint64 next = from / CS_LEAF_RECORDS;
  guint records = from % CS_LEAF_RECORDS;

  if (records > 0 && next < track->n_leaves)
    {
      const CsLeaf *leaf = cs_leaf_reader_get (reader, track, next);

      for (guint i = records; i < leaf->n; i++)
        if (record_is (leaf, i, depth, wanted))
          return next * CS_LEAF_RECORDS + i;
      next++;
    }
  while (next < track->n_leaves)
    {
      guint64 first = next / CS_CHUNK_LEAVES * CS_CHUNK_LEAVES;
      const CsChunk *chunk = track->chunks[next / CS_CHUNK_LEAVES];
      gint found = chunk_has (chunk, depth, wanted)
                       ? find_first_leaf (chunk, (guint) (next - first), depth, wanted) : -1;

      next = first + CS_CHUNK_LEAVES;
      if (found >= 0)
        {
          const CsLeaf *leaf = cs_leaf_reader_get (reader, track, first + (guint) found);

          for (guint i = 0; i < leaf->n; i++)
            if (record_is (leaf, i, depth, wanted))
              return (first + (guint) found) * CS_LEAF_RECORDS + i;
          next = first + (guint) found + 1;
        }
    }
  return CS_NO_POSITION;
}

/**
 * cs_find_last_below:
 * @reader: what reads leaves
 * @track: the index of a thread
 * @end: a position
 * @depth: a depth
 *
 * Returns: the last record before @end that passes a depth below @depth, or %CS_NO_POSITION
 */
guint64
cs_find_last_below (CsLeafReader *reader, const CsTrack *track, guint64 end, guint32 depth)
{
  return find_last (reader, track, end, depth, BELOW);
}

/**
 * cs_find_first_below:
 * @reader: what reads leaves
 * @track: the index of a thread
 * @from: a position
 * @depth: a depth
 *
 * Returns: the first record from @from on that passes a depth below @depth, or %CS_NO_POSITION
 */
guint64
cs_find_first_below (CsLeafReader *reader, const CsTrack *track, guint64 from, guint32 depth)
{
  return find_first (reader, track, from, depth, BELOW);
}

/**
 * cs_find_last_reaching:
 * @reader: what reads leaves
 * @track: the index of a thread
 * @end: a position
 * @depth: a depth
 *
 * Returns: the last record before @end after which the depth is at least @depth, or
 *   %CS_NO_POSITION
 */
guint64
cs_find_last_reaching (CsLeafReader *reader, const CsTrack *track, guint64 end, guint32 depth)
{
  return find_last (reader, track, end, depth, REACHING);
}

/**
 * cs_find_first_reaching:
 * @reader: what reads leaves
 * @track: the index of a thread
 * @from: a position
 * @depth: a depth
 *
 * Returns: the first record from @from on after which the depth is at least @depth, or
 *   %CS_NO_POSITION
 */
guint64
cs_find_first_reaching (CsLeafReader *reader, const CsTrack *track, guint64 from, guint32 depth)
{
  return find_first (reader, track, from, depth, REACHING);
}

/**
 * cs_position_next:
 * @track: the index of a thread
 * @position: of a record
 *
 * Returns: that of the record behind it
 */
guint64
cs_position_next (const CsTrack *track, guint64 position)
{
  guint64 leaf = position / CS_LEAF_RECORDS;

  if (position % CS_LEAF_RECORDS + 1 < cs_track_leaf_records (track, leaf))
    return position + 1;
  return (leaf + 1) * CS_LEAF_RECORDS;
}

/**
 * cs_position_previous:
 * @track: the index of a thread
 * @position: of a record, or behind the last
 *
 * Returns: that of the record before it, or %CS_NO_POSITION
 */
guint64
cs_position_previous (const CsTrack *track, guint64 position)
{
  guint64 leaf = position / CS_LEAF_RECORDS;

  if (position % CS_LEAF_RECORDS > 0)
    return position - 1;
  if (leaf == 0)
    return CS_NO_POSITION;
  return (leaf - 1) * CS_LEAF_RECORDS + cs_track_leaf_records (track, leaf - 1) - 1;
}

/**
 * cs_position_time:
 * @reader: what reads leaves
 * @track: the index of a thread
 * @position: of a record, or behind the last
 *
 * Returns: its time, ns
 */
gint64
cs_position_time (CsLeafReader *reader, const CsTrack *track, guint64 position)
{
  guint64 number = position / CS_LEAF_RECORDS;
  const CsLeaf *leaf;

  if (position % CS_LEAF_RECORDS == 0 || number >= track->n_leaves)
    return cs_track_leaf_time (track, number);
  leaf = cs_leaf_reader_get (reader, track, number);
  return position % CS_LEAF_RECORDS < leaf->n ? leaf->ns[position % CS_LEAF_RECORDS]
                                              : cs_track_leaf_time (track, number + 1);
}

/**
 * cs_find_at:
 * @reader: what reads leaves
 * @track: the index of a thread
 * @ns: a time
 *
 * Returns: the last record that is no later than @ns, or %CS_NO_POSITION
 */
guint64
cs_find_at (CsLeafReader *reader, const CsTrack *track, gint64 ns)
{
  guint64 number = cs_track_find_leaf (track, ns);
  const CsLeaf *leaf;
  guint i;

  if (number == CS_NO_POSITION)
    return CS_NO_POSITION;
  leaf = cs_leaf_reader_get (reader, track, number);
  for (i = leaf->n; i > 0 && leaf->ns[i - 1] > ns; i--)
    ;
  return i > 0 ? number * CS_LEAF_RECORDS + i - 1 : CS_NO_POSITION;
}

/**
 * cs_find_begin:
 * @reader: what reads leaves
 * @track: the index of a thread
 * @inside: a record after which the depth is at least @depth
 * @depth: a depth
 *
 * Returns: the record with which the call at @depth (1: outermost) that is open then begins: its
 *   enter, or a switch to the context that it runs in
 */
guint64
cs_find_begin (CsLeafReader *reader, const CsTrack *track, guint64 inside, guint32 depth)
{
  guint64 below = cs_find_last_below (reader, track, inside + 1, depth);
  const CsLeaf *leaf;

  if (below == CS_NO_POSITION)
    return 0;
  leaf = cs_leaf_reader_get (reader, track, below / CS_LEAF_RECORDS);
  if (below % CS_LEAF_RECORDS < leaf->n && leaf->after[below % CS_LEAF_RECORDS] >= depth)
    return below;
  return cs_position_next (track, below);
}

/**
 * cs_find_enter:
 * @reader: what reads leaves
 * @track: the index of a thread
 * @begin: what cs_find_begin() returned
 * @depth: the depth that it was asked for
 * @enter: (out): the call's enter event
 *
 * Returns: whether it is there; it isn't where the file was changed
 */
gboolean
cs_find_enter (CsLeafReader *reader, const CsTrack *track, guint64 begin, guint32 depth, struct trace_event *enter)
{
  for (;;)
    {
      const CsException *exception;
      const CsSavedStack *saved = NULL;
      const CsLeaf *leaf;
      guint64 left;
      guint32 number;

      if (begin / CS_LEAF_RECORDS >= track->n_leaves)
        return FALSE;
      exception = cs_leaf_reader_find_exception (track, begin);
      if (exception == NULL || (exception->flags & CS_EXCEPTION_CONTEXT) == 0)
        {
          leaf = cs_leaf_reader_get (reader, track, begin / CS_LEAF_RECORDS);
          if (begin % CS_LEAF_RECORDS >= leaf->n)
            return FALSE;
          *enter = leaf->events[begin % CS_LEAF_RECORDS];
          return enter->kind == TRACE_KIND_ENTER;
        }
      for (number = exception->saved; number != CS_NO_SAVED; number = saved->parent)
        {
          saved = cs_track_get_saved (track, number);
          if (saved->low <= depth)
            break;
        }
      if (number == CS_NO_SAVED)
        return FALSE;
      left = (guint64) saved->leaf * CS_LEAF_RECORDS + saved->record;
      if (left == 0 || left >= begin)
        return FALSE;
      begin = cs_find_begin (reader, track, cs_position_previous (track, left), depth);
    }
}

/**
 * cs_find_span:
 * @reader: what reads leaves
 * @track: the index of a thread
 * @inside: a record after which the depth is at least @depth
 * @after: a record behind it, up to which the depth stays so
 * @depth: a depth (1: outermost)
 * @span: (out): the call at @depth
 * @behind: (out) (optional): the record that it ends at, %CS_NO_POSITION where it doesn't
 *
 * Returns: whether all of it could be read
 */
gboolean
cs_find_span (CsLeafReader *reader, const CsTrack *track, guint64 inside, guint64 after, guint32 depth,
              CsTimelineSpan *span, guint64 *behind)
{
  guint64 begin = cs_find_begin (reader, track, inside, depth);
  guint64 end = cs_find_first_below (reader, track, after, depth);
  struct trace_event enter;

  if (!cs_find_enter (reader, track, begin, depth, &enter))
    return FALSE;
  *span = (CsTimelineSpan){ .start = cs_position_time (reader, track, begin),
                            .end = end != CS_NO_POSITION ? cs_position_time (reader, track, end) : track->info.last,
                            .address = enter.func, .caller = enter.caller, .ts = enter.ts, .position = begin,
                            .depth = depth - 1, .open = end == CS_NO_POSITION };
  if (behind != NULL)
    *behind = end;
  return TRUE;
}
