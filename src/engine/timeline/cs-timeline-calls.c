/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline/cs-timeline-private.h"

/* The depth after a record. */
static guint32
depth_after (CsLeafReader *reader, const CsTrack *track, guint64 position)
{
  const CsLeaf *leaf = cs_leaf_reader_get (reader, track, position / CS_LEAF_RECORDS);

  return position % CS_LEAF_RECORDS < leaf->n ? leaf->after[position % CS_LEAF_RECORDS] : 0;
}

/**
 * cs_timeline_get_stack:
 * @self: an index
 * @track: number of a track
 * @ns: a time
 * @depth_lo: the first depth that is wanted, 0 the outermost
 * @depth_hi: the last one
 * @spans: (element-type CsTimelineSpan): where to append the calls that are open after all that
 *   happened up to @ns, outermost first
 * @error: where to say what could not be read
 *
 * Returns: %FALSE where files are not what they were
 */
gboolean
cs_timeline_get_stack (CsTimeline *self, guint track, gint64 ns, guint32 depth_lo, guint32 depth_hi, GArray *spans,
                       GError **error)
{
  const CsTrack *index;
  CsLeafReader *reader;
  guint64 position;
  guint32 depth;

  g_return_val_if_fail (track < self->tracks->len, FALSE);

  index = cs_timeline_get_track (self, track);
  reader = cs_timeline_take_reader (self);
  position = cs_find_at (reader, index, ns);
  depth = position != CS_NO_POSITION ? depth_after (reader, index, position) : 0;
  for (guint32 row = depth_lo; row < depth && row <= depth_hi; row++)
    {
      CsTimelineSpan span;

      if (!cs_find_span (reader, index, position, cs_position_next (index, position), row + 1, &span, NULL))
        break;
      g_array_append_val (spans, span);
    }
  return cs_timeline_give_back (self, reader, error);
}

/**
 * cs_timeline_get_call_at:
 * @self: an index
 * @track: number of a track
 * @ns: a time
 * @depth: 0: outermost
 * @span: (out): the call at that depth that is open after all that happened up to @ns
 * @error: where to say what could not be read
 *
 * Returns: whether there is one; %FALSE without @error where there is none
 */
gboolean
cs_timeline_get_call_at (CsTimeline *self, guint track, gint64 ns, guint32 depth, CsTimelineSpan *span,
                         GError **error)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof *span);

  if (!cs_timeline_get_stack (self, track, ns, depth, depth, spans, error) || spans->len == 0)
    return FALSE;
  *span = g_array_index (spans, CsTimelineSpan, 0);
  return TRUE;
}

/* The call at a depth that is open after a record. */
static gboolean
get_span (CsLeafReader *reader, const CsTrack *track, guint64 inside, guint32 depth, CsTimelineSpan *span)
{
  return cs_find_span (reader, track, inside, cs_position_next (track, inside), depth, span, NULL);
}

static gboolean
find_sibling (CsLeafReader *reader, const CsTrack *track, const CsTimelineSpan *span, gboolean next,
              CsTimelineSpan *sibling)
{
  guint32 depth = span->depth + 1;
  guint64 found, end;

  if (next)
    {
      guint64 behind = cs_find_first_below (reader, track, cs_position_next (track, span->position), depth);

      if (behind == CS_NO_POSITION)
        return FALSE;
      found = cs_find_first_reaching (reader, track, behind, depth);
      end = cs_find_first_below (reader, track, behind, depth - 1); /* where their parent ends */
      return found != CS_NO_POSITION && found < end && get_span (reader, track, found, depth, sibling);
    }
  found = cs_find_last_reaching (reader, track, span->position, depth);
  end = cs_find_last_below (reader, track, span->position + 1, depth - 1);
  return found != CS_NO_POSITION && (end == CS_NO_POSITION || found >= end) &&
         get_span (reader, track, found, depth, sibling);
}

/**
 * cs_timeline_get_relative:
 * @self: an index
 * @track: number of a track
 * @span: a call of it that a question returned; no block
 * @relation: which call is wanted
 * @relative: (out): that call
 * @error: where to say what could not be read
 *
 * Calls that nothing called are each other's siblings.
 *
 * Returns: whether there is one; %FALSE without @error where there is none
 */
gboolean
cs_timeline_get_relative (CsTimeline *self, guint track, const CsTimelineSpan *span, CsTimelineRelation relation,
                          CsTimelineSpan *relative, GError **error)
{
  const CsTrack *index;
  CsLeafReader *reader;
  gboolean found = FALSE;
  guint64 child, end;

  g_return_val_if_fail (track < self->tracks->len, FALSE);
  index = cs_timeline_get_track (self, track);
  g_return_val_if_fail (span->position / CS_LEAF_RECORDS < index->n_leaves, FALSE);

  reader = cs_timeline_take_reader (self);
  switch (relation)
    {
    case CS_TIMELINE_PARENT:
      found = span->depth > 0 && get_span (reader, index, span->position, span->depth, relative);
      break;
    case CS_TIMELINE_FIRST_CHILD:
      child = cs_find_first_reaching (reader, index, span->position, span->depth + 2);
      end = cs_find_first_below (reader, index, cs_position_next (index, span->position), span->depth + 1);
      found = child != CS_NO_POSITION && child < end && get_span (reader, index, child, span->depth + 2, relative);
      break;
    case CS_TIMELINE_NEXT_SIBLING:
    case CS_TIMELINE_PREVIOUS_SIBLING:
      found = find_sibling (reader, index, span, relation == CS_TIMELINE_NEXT_SIBLING, relative);
      break;
    default:
      break;
    }
  return cs_timeline_give_back (self, reader, error) && found;
}

/* Whether a pass can begin at a leaf. */
static gboolean
can_start (const CsTrack *track, guint64 leaf)
{
  const CsException *exception = cs_leaf_reader_find_exception (track, leaf * CS_LEAF_RECORDS);

  return leaf <= track->start_limit && (exception == NULL || (exception->flags & CS_EXCEPTION_NO_START) == 0);
}

/* The calls that are open before a leaf, outermost first. */
static gboolean
list_open_calls (CsLeafReader *reader, const CsTrack *track, guint64 leaf, GArray *stack)
{
  guint i;
  const CsChunk *chunk = cs_track_chunk (track, leaf, &i);
  guint32 depth = cs_chunk_depth (chunk, chunk->before, i);
  guint64 inside = cs_position_previous (track, leaf * CS_LEAF_RECORDS);

  g_array_set_size (stack, depth);
  /* From the innermost outwards, so that leaves are read once, in turn. */
  for (; depth > 0; depth--)
    {
      CsTimelineSpan *span = &g_array_index (stack, CsTimelineSpan, depth - 1);
      struct trace_event enter;
      guint64 begin = cs_find_begin (reader, track, inside, depth);

      if (!cs_find_enter (reader, track, begin, depth, &enter))
        return FALSE;
      *span = (CsTimelineSpan){ .start = cs_position_time (reader, track, begin), .address = enter.func,
                                .caller = enter.caller, .ts = enter.ts, .position = begin, .depth = depth - 1 };
      inside = begin;
    }
  return TRUE;
}

/* The file and record that a leaf begins with. */
static void
locate (const CsTimeline *self, const CsTrack *track, guint64 leaf, CsTimelineStart *start)
{
  guint i;
  const CsChunk *chunk = cs_track_chunk (track, leaf, &i);
  const CsExtent *extent = cs_chunk_find_extent (chunk, i);

  start->file = g_ptr_array_index (self->files, extent->file);
  start->record = extent->record + (guint64) (i - extent->leaf) * CS_LEAF_RECORDS;
  start->lost = extent->lost;
}

/**
 * cs_timeline_find_start:
 * @self: an index
 * @track: number of a track
 * @t0: ns
 * @start: (out): where a pass over the thread can begin so that from @t0 on it tells what one over
 *   everything does; to be cleared
 * @error: where to say what could not be read
 *
 * Once a thread has run several contexts the stack isn't all that a pass needs: it then has to begin
 * before they were switched, or at the start.
 *
 * Returns: %FALSE where files are not what they were
 */
gboolean
cs_timeline_find_start (CsTimeline *self, guint track, gint64 t0, CsTimelineStart *start, GError **error)
{
  const CsTrack *index;
  CsLeafReader *reader;
  guint64 leaf;

  g_return_val_if_fail (track < self->tracks->len, FALSE);

  *start = (CsTimelineStart){ .stack = g_array_new (FALSE, TRUE, sizeof (CsTimelineSpan)) };
  index = cs_timeline_get_track (self, track);
  /* What has the time t0 is in what is read. */
  leaf = cs_track_find_leaf (index, t0 == G_MININT64 ? t0 : t0 - 1);
  if (leaf == CS_NO_POSITION)
    return TRUE;
  leaf = MIN (leaf, index->start_limit);
  while (leaf > 0 && !can_start (index, leaf))
    leaf--;
  if (leaf == 0)
    return TRUE;
  reader = cs_timeline_take_reader (self);
  if (list_open_calls (reader, index, leaf, start->stack))
    {
      locate (self, index, leaf, start);
      start->ns = cs_position_time (reader, index, cs_position_previous (index, leaf * CS_LEAF_RECORDS));
      start->n_events = cs_track_count_before (index, leaf);
      start->unseen = leaf >= index->unseen_from;
    }
  else
    g_array_set_size (start->stack, 0);
  return cs_timeline_give_back (self, reader, error);
}

/**
 * cs_timeline_start_clear:
 * @self: where a pass can begin
 */
void
cs_timeline_start_clear (CsTimelineStart *self)
{
  g_clear_pointer (&self->stack, g_array_unref);
}
