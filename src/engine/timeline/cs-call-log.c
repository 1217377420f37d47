/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline/cs-call-log.h"
#include "timeline/cs-timeline-private.h"

/* Records between two calls that are looked through for what happened there. */
#define MOST_BETWEEN 4096
/* Calls, or leaves, after which it is looked whether somebody gave up. */
#define CALLS_AT_ONCE 1024

/* One call, or a part of one, as it is found. */
typedef struct
{
  guint64 address, caller, ts;
  gint64 start, end;
  guint64 position, behind;
  gboolean nested, continued, repaired, open;
} Part;

static gboolean
is_plain (const CsTrack *track, guint64 leaf)
{
  guint i;
  const CsChunk *chunk = cs_track_chunk (track, leaf, &i);

  return (chunk->records[i] & 0x80) == 0;
}

/* A call that begins and ends in one leaf whose records all do what their kinds say: most calls do. */
static gboolean
take_short_call (const CsTrack *track, const CsLeaf *leaf, guint64 position, guint32 k, Part *part)
{
  guint i = position % CS_LEAF_RECORDS;

  if (i >= leaf->n || !is_plain (track, leaf->leaf) || leaf->events[i].kind != TRACE_KIND_ENTER)
    return FALSE;
  *part = (Part){ .address = leaf->events[i].func, .caller = leaf->events[i].caller, .ts = leaf->events[i].ts,
                  .start = leaf->ns[i], .position = position };
  for (guint j = i + 1; j < leaf->n; j++)
    {
      if (leaf->after[j] > k)
        part->nested = TRUE;
      if (leaf->after[j] >= k)
        continue;
      part->end = leaf->ns[j];
      part->behind = leaf->leaf * CS_LEAF_RECORDS + j;
      return TRUE;
    }
  return FALSE;
}

/* Whether a call at depth k that ends at a record ended without its exit. A switch to another context is no end. */
static gboolean
is_repaired (CsLeafReader *reader, const CsTrack *track, guint64 behind, guint32 k)
{
  const CsException *exception = cs_leaf_reader_find_exception (track, behind);
  const CsLeaf *leaf;
  guint i = behind % CS_LEAF_RECORDS;

  if (exception != NULL && (exception->flags & (CS_EXCEPTION_CUT | CS_EXCEPTION_CONTEXT)) != 0)
    return (exception->flags & CS_EXCEPTION_CONTEXT) == 0;
  leaf = cs_leaf_reader_get (reader, track, behind / CS_LEAF_RECORDS);
  /* An exit ends its own call and those above it. */
  return i < leaf->n && (leaf->events[i].kind != TRACE_KIND_EXIT || leaf->after[i] + 1 != k);
}

static gboolean
take_long_call (CsLeafReader *reader, const CsTrack *track, guint64 found, guint32 k, Part *part)
{
  CsTimelineSpan span;
  const CsException *exception;
  guint64 behind, nested;

  if (!cs_find_span (reader, track, found, cs_position_next (track, found), k, &span, &behind))
    return FALSE;
  nested = cs_find_first_reaching (reader, track, span.position, k + 1);
  exception = cs_leaf_reader_find_exception (track, span.position);
  *part = (Part){ .address = span.address, .caller = span.caller, .ts = span.ts, .start = span.start, .end = span.end,
                  .position = span.position, .behind = behind, .open = span.open,
                  .nested = nested != CS_NO_POSITION && nested < behind,
                  .continued = exception != NULL && (exception->flags & CS_EXCEPTION_CONTEXT) != 0,
                  .repaired = behind != CS_NO_POSITION && is_repaired (reader, track, behind, k) };
  return TRUE;
}

/* Events known to be missing before a record's leaf. */
static guint64
get_lost (const CsTrack *track, guint64 position)
{
  guint64 leaf = position / CS_LEAF_RECORDS;
  guint i;
  const CsChunk *chunk;

  if (leaf >= track->n_leaves)
    return 0;
  chunk = cs_track_chunk (track, leaf, &i);
  return cs_chunk_find_extent (chunk, i)->lost;
}

/**
 * cs_call_log_walk_init:
 * @self: (out): a way
 * @timeline: an index; not owned
 * @track: number of a track
 * @parent: (nullable): the line of a single call whose calls are wanted; %NULL: the outermost calls are
 * @t0: ns, where the range begins; the smallest number: there is no range
 * @t1: ns, where it ends; the largest number: it doesn't
 *
 * Begins to go through the calls that a call made, or that nothing made. Calls of one function that follow each other
 * become one line.
 */
void
cs_call_log_walk_init (CsCallLogWalk *self, CsTimeline *timeline, guint track, const CsCallLogEntry *parent, gint64 t0, gint64 t1)
{
  const CsTrack *index = cs_timeline_get_track (timeline, track);
  guint64 begin = parent != NULL ? parent->position : 0;

  *self = (CsCallLogWalk){ .timeline = timeline, .track = track, .t0 = t0, .t1 = t1, .fold = TRUE, .next = begin,
                       .depth = parent != NULL ? parent->depth + 1 : 0, .end = parent != NULL ? parent->behind : CS_NO_POSITION,
                       .last = index->info.first };
  if (index->n_leaves == 0)
    self->next = CS_NO_POSITION;
}

/**
 * cs_call_log_walk_init_members:
 * @self: (out): a way
 * @timeline: an index; not owned
 * @track: number of a track
 * @entry: a line with several calls
 * @t0: ns, where the range begins
 * @t1: ns, where it ends
 *
 * Begins to go through these calls, a line each.
 */
void
cs_call_log_walk_init_members (CsCallLogWalk *self, CsTimeline *timeline, guint track, const CsCallLogEntry *entry, gint64 t0,
                          gint64 t1)
{
  *self = (CsCallLogWalk){ .timeline = timeline, .track = track, .t0 = t0, .t1 = t1, .next = entry->position,
                       .depth = entry->depth, .end = entry->behind, .last = entry->start };
}

/**
 * cs_call_log_walk_seek:
 * @self: a way that was begun nowhere yet
 * @position: in the track, where a call of its level begins
 *
 * Begins there.
 */
void
cs_call_log_walk_seek (CsCallLogWalk *self, guint64 position)
{
  self->next = position;
  self->lost = get_lost (cs_timeline_get_track (self->timeline, self->track), position);
  self->last = G_MAXINT64;
  self->begun = TRUE;
}

/* Where a range begins there may be an open call. */
static void
skip_to_range (CsCallLogWalk *self, CsLeafReader *reader, const CsTrack *track)
{
  guint64 before;
  const CsLeaf *leaf;

  self->begun = TRUE;
  if (self->t0 == G_MININT64)
    return;
  before = cs_find_at (reader, track, self->t0 - 1);
  if (before == CS_NO_POSITION || before < self->next)
    return;
  /* A call that is open at the track's end lasts until then. */
  if ((self->end != CS_NO_POSITION && before >= self->end) || track->info.last < self->t0)
    {
      self->next = CS_NO_POSITION;
      return;
    }
  leaf = cs_leaf_reader_get (reader, track, before / CS_LEAF_RECORDS);
  if (before % CS_LEAF_RECORDS < leaf->n && leaf->after[before % CS_LEAF_RECORDS] > self->depth)
    self->next = cs_find_begin (reader, track, before, self->depth + 1);
  else
    self->next = cs_position_next (track, before);
  self->lost = get_lost (track, self->next);
  self->last = self->t0;
}

/* What happened between two outermost calls: only there nothing is open, and recording goes off or has gaps. */
static void
add_marks (CsCallLogWalk *self, CsLeafReader *reader, const CsTrack *track, guint64 to, GArray *entries)
{
  gint64 end = to != CS_NO_POSITION ? cs_position_time (reader, track, to) : track->info.last;
  guint64 lost = to != CS_NO_POSITION ? get_lost (track, to) : self->lost;
  CsCallLogEntry mark = { .kind = CS_CALL_LOG_OFF, .end = end, .position = self->next, .behind = to };
  gboolean off = FALSE;
  guint n = 0;

  for (guint64 at = self->next; at < MIN (to, track->n_leaves * CS_LEAF_RECORDS) && n < MOST_BETWEEN;
       at = cs_position_next (track, at), n++)
    {
      const CsLeaf *leaf = cs_leaf_reader_get (reader, track, at / CS_LEAF_RECORDS);
      guint i = at % CS_LEAF_RECORDS;

      if (i >= leaf->n)
        break;
      if (leaf->events[i].kind != TRACE_KIND_MARKER || leaf->events[i].func != TRACE_MARK_OFF)
        continue;
      if (!off)
        mark.start = leaf->ns[i];
      off = TRUE;
    }
  if (off && mark.start < self->t1 && mark.end >= self->t0)
    {
      mark.start = MAX (mark.start, self->t0);
      mark.end = MAX (MIN (mark.end, self->t1), mark.start);
      mark.total = (guint64) mark.end - (guint64) mark.start;
      g_array_append_val (entries, mark);
    }
  if (lost > self->lost && end < self->t1)
    {
      mark = (CsCallLogEntry){ .kind = CS_CALL_LOG_LOST, .n = lost - self->lost, .start = MIN (self->last, end), .end = end,
                           .position = self->next, .behind = to };
      mark.total = (guint64) mark.end - (guint64) mark.start;
      g_array_append_val (entries, mark);
    }
  self->lost = MAX (lost, self->lost);
}

/* Cuts a call to the range. */
static void
clip (const CsCallLogWalk *self, Part *part, gboolean *clipped)
{
  *clipped = part->start < self->t0 || part->end >= self->t1;
  part->start = MAX (part->start, self->t0);
  part->end = MAX (MIN (part->end, self->t1), part->start);
}

/* Puts a call into the last line, or into a new one. */
static void
add_part (const CsCallLogWalk *self, Part *part, GArray *entries)
{
  CsCallLogEntry *entry = entries->len > 0 ? &g_array_index (entries, CsCallLogEntry, entries->len - 1) : NULL;
  gboolean clipped;
  guint64 duration;

  clip (self, part, &clipped);
  duration = (guint64) part->end - (guint64) part->start;
  if (!self->fold || entry == NULL || entry->kind != CS_CALL_LOG_CALLS || entry->address != part->address
      || entry->depth != self->depth || !entry->unfinished)
    {
      const CsCallLogEntry fresh = { .depth = self->depth, .address = part->address, .caller = part->caller, .ts = part->ts,
                                 .start = part->start, .min = duration, .position = part->position };

      if (entry != NULL)
        entry->unfinished = FALSE;
      g_array_append_val (entries, fresh);
      entry = &g_array_index (entries, CsCallLogEntry, entries->len - 1);
    }
  entry->n++;
  entry->continued += part->continued;
  entry->repaired += part->repaired && !clipped;
  entry->open += part->open && !clipped;
  entry->clipped += clipped;
  entry->end = part->end;
  entry->total += duration;
  entry->min = MIN (entry->min, duration);
  entry->max = MAX (entry->max, duration);
  entry->behind = part->behind;
  entry->nested |= part->nested;
  entry->unfinished = self->fold;
}

static void
finish (CsCallLogWalk *self, GArray *entries)
{
  self->next = CS_NO_POSITION;
  if (entries->len > 0)
    g_array_index (entries, CsCallLogEntry, entries->len - 1).unfinished = FALSE;
}

/* Takes the next call. Returns: whether there was one */
static gboolean
step (CsCallLogWalk *self, CsLeafReader *reader, const CsTrack *track, GArray *entries)
{
  guint32 k = self->depth + 1;
  guint64 found = cs_find_first_reaching (reader, track, self->next, k);
  Part part;

  if (self->depth == 0 && self->fold)
    {
      guint n = entries->len;

      add_marks (self, reader, track, MIN (found, self->end), entries);
      if (entries->len > n && n > 0)
        g_array_index (entries, CsCallLogEntry, n - 1).unfinished = FALSE;
    }
  if (found >= self->end)
    return FALSE;
  if (!take_short_call (track, cs_leaf_reader_get (reader, track, found / CS_LEAF_RECORDS), found, k, &part)
      && !take_long_call (reader, track, found, k, &part))
    return FALSE;
  if (part.start >= self->t1)
    return FALSE;
  self->last = part.end;
  add_part (self, &part, entries);
  self->next = part.behind;
  return part.behind != CS_NO_POSITION && part.behind < self->end;
}

/**
 * cs_call_log_walk_run:
 * @self: a way
 * @entries: (element-type CsCallLogEntry): the lines so far; new ones are appended, and the last may grow
 * @limit: how many lines there are to be, at most; at least 3, since what lies between two calls comes with the second
 * @most_calls: after how many calls to stop; the last line is then unfinished
 * @cancellable: (nullable): to give up early
 * @error: where to say what could not be read
 *
 * Goes on. Where the limit ends it the last line is finished: what follows is known to be something else.
 *
 * Returns: whether all could be read
 */
gboolean
cs_call_log_walk_run (CsCallLogWalk *self, GArray *entries, guint limit, gsize most_calls, GCancellable *cancellable,
                 GError **error)
{
  const CsTrack *track;
  CsLeafReader *reader;

  if (self->next == CS_NO_POSITION)
    return TRUE;
  track = cs_timeline_get_track (self->timeline, self->track);
  reader = cs_timeline_take_reader (self->timeline);
  if (!self->begun)
    skip_to_range (self, reader, track);
  for (gsize n = 0; n < most_calls && self->next != CS_NO_POSITION; n++)
    {
      const CsCallLogWalk before = *self;
      guint n_before = entries->len;

      if (n % CALLS_AT_ONCE == CALLS_AT_ONCE - 1 && g_cancellable_is_cancelled (cancellable))
        break;
      if (!step (self, reader, track, entries))
        finish (self, entries);
      if (entries->len <= limit)
        continue;
      /* What came last belongs to the next lines. */
      g_array_set_size (entries, n_before);
      *self = before;
      if (n_before > 0)
        g_array_index (entries, CsCallLogEntry, n_before - 1).unfinished = FALSE;
      break;
    }
  return cs_timeline_give_back (self->timeline, reader, error)
         && !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/**
 * cs_call_log_get_self:
 * @timeline: an index
 * @track: number of a track
 * @entry: a finished line with calls
 * @t0: ns, where the range begins
 * @t1: ns, where it ends
 * @self: (out): the time that its calls spent outside of calls that they made, ns
 * @cancellable: (nullable): to give up early
 * @error: where to say what could not be read
 *
 * Costs as much as these calls are many.
 *
 * Returns: whether it is known
 */
gboolean
cs_call_log_get_self (CsTimeline *timeline, guint track, const CsCallLogEntry *entry, gint64 t0, gint64 t1, guint64 *self,
                      GCancellable *cancellable, GError **error)
{
  const CsTrack *index = cs_timeline_get_track (timeline, track);
  CsLeafReader *reader;
  guint32 k = entry->depth + 2;
  guint64 at = entry->position, nested = 0;
  gint64 ns;

  *self = entry->total;
  if (!entry->nested)
    return TRUE;
  reader = cs_timeline_take_reader (timeline);
  if (t0 != G_MININT64)
    {
      guint64 before = cs_find_at (reader, index, t0 - 1);

      if (before != CS_NO_POSITION && before > at)
        at = before;
    }
  for (guint n = 0; n % CALLS_AT_ONCE != CALLS_AT_ONCE - 1 || !g_cancellable_is_cancelled (cancellable); n++)
    {
      gint64 end;

      at = cs_find_first_reaching (reader, index, at, k);
      if (at == CS_NO_POSITION || at >= entry->behind)
        break;
      ns = cs_position_time (reader, index, at);
      if (ns >= t1)
        break;
      at = cs_find_first_below (reader, index, cs_position_next (index, at), k);
      end = at != CS_NO_POSITION ? cs_position_time (reader, index, at) : index->info.last;
      ns = MAX (ns, t0);
      end = MIN (end, t1);
      nested += end > ns ? (guint64) end - (guint64) ns : 0;
      if (at == CS_NO_POSITION)
        break;
    }
  *self = entry->total - MIN (nested, entry->total);
  return cs_timeline_give_back (timeline, reader, error) && !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/**
 * cs_call_log_list_path:
 * @timeline: an index
 * @track: number of a track
 * @call: a call of it that a question returned
 * @t0: ns, where the range begins
 * @t1: ns, where it ends
 * @entries: (element-type CsCallLogEntry): where to put lines for the calls that it was made in, outermost first, and for
 *   itself; empty
 * @cancellable: (nullable): to give up early
 * @error: where to say what could not be read
 *
 * Returns: whether all could be read
 */
gboolean
cs_call_log_list_path (CsTimeline *timeline, guint track, const CsTimelineSpan *call, gint64 t0, gint64 t1,
                       GArray *entries, GCancellable *cancellable, GError **error)
{
  const CsTrack *index = cs_timeline_get_track (timeline, track);
  const CsCallLogWalk range = { .t0 = t0, .t1 = t1 };
  g_autoptr (GArray) line = g_array_new (FALSE, FALSE, sizeof (CsCallLogEntry));
  CsLeafReader *reader;
  guint64 inside = call->position;

  g_return_val_if_fail (call->position / CS_LEAF_RECORDS < index->n_leaves, FALSE);

  reader = cs_timeline_take_reader (timeline);
  g_array_set_size (entries, call->depth + 1);
  /* From the innermost outwards, so that leaves are read once, in turn. */
  for (guint32 k = call->depth + 1; k > 0; k--)
    {
      CsCallLogWalk level = range;
      Part part;

      if (!take_long_call (reader, index, inside, k, &part)
          || (k % CALLS_AT_ONCE == 0 && g_cancellable_is_cancelled (cancellable)))
        {
          g_array_set_size (entries, 0);
          break;
        }
      inside = part.position;
      level.depth = k - 1;
      g_array_set_size (line, 0);
      add_part (&level, &part, line);
      g_array_index (entries, CsCallLogEntry, k - 1) = g_array_index (line, CsCallLogEntry, 0);
    }
  return cs_timeline_give_back (timeline, reader, error) && !g_cancellable_set_error_if_cancelled (cancellable, error)
         && entries->len > 0;
}

/* Looks in one leaf. Returns: the position of the nearest call, or CS_NO_POSITION */
static guint64
find_in_leaf (CsLeafReader *reader, const CsTrack *track, guint64 number, guint64 position, gboolean backwards,
              CsCallLogMatch match, gpointer user_data)
{
  struct trace_event events[CS_LEAF_RECORDS];
  guint n = (guint) cs_leaf_reader_get_events (reader, track, number, events);

  for (guint j = 0; j < n; j++)
    {
      guint i = backwards ? n - 1 - j : j;
      guint64 at = number * CS_LEAF_RECORDS + i;

      if (events[i].kind != TRACE_KIND_ENTER || (position != CS_NO_POSITION && (backwards ? at >= position : at <= position)))
        continue;
      if (match (events[i].func, events[i].ts, user_data))
        return at;
    }
  return CS_NO_POSITION;
}

/**
 * cs_call_log_find:
 * @timeline: an index
 * @track: number of a track
 * @position: of the record to begin behind, or before; %G_MAXUINT64: at the range's begin, or end
 * @backwards: whether the call before it is wanted
 * @t0: ns: the call begins in this range
 * @t1: ns: its end, which is not in it
 * @match: says of which functions a call is wanted; called for each call
 * @user_data: for @match
 * @call: (out): the nearest call
 * @cancellable: (nullable): to give up early
 * @error: where to say what could not be read
 *
 * Reads the track, leaf by leaf.
 *
 * Returns: whether there is one; %FALSE without @error where there is none
 */
gboolean
cs_call_log_find (CsTimeline *timeline, guint track, guint64 position, gboolean backwards, gint64 t0, gint64 t1,
                  CsCallLogMatch match, gpointer user_data, CsTimelineSpan *call, GCancellable *cancellable, GError **error)
{
  const CsTrack *index = cs_timeline_get_track (timeline, track);
  guint64 first = cs_track_find_leaf (index, t0 == G_MININT64 ? t0 : t0 - 1);
  guint64 last = cs_track_find_leaf (index, t1);
  CsLeafReader *reader;
  gboolean found = FALSE;

  if (index->n_leaves == 0)
    return FALSE;
  first = first != CS_NO_POSITION ? first : 0;
  last = last != CS_NO_POSITION ? last : 0;
  if (position != CS_NO_POSITION && backwards)
    last = MIN (last, position / CS_LEAF_RECORDS);
  else if (position != CS_NO_POSITION)
    first = MAX (first, position / CS_LEAF_RECORDS);
  reader = cs_timeline_take_reader (timeline);
  for (guint64 i = 0; !found && first <= last && i <= last - first && !g_cancellable_is_cancelled (cancellable); i++)
    {
      guint64 number = backwards ? last - i : first + i;
      guint64 at = position;

      while (!found && (at = find_in_leaf (reader, index, number, at, backwards, match, user_data)) != CS_NO_POSITION)
        {
          const CsLeaf *leaf = cs_leaf_reader_get (reader, index, number);
          guint record = at % CS_LEAF_RECORDS;

          found = record < leaf->n && leaf->after[record] > 0 && leaf->ns[record] >= t0 && leaf->ns[record] < t1
                  && cs_find_span (reader, index, at, cs_position_next (index, at), leaf->after[record], call, NULL);
        }
    }
  return cs_timeline_give_back (timeline, reader, error) && !g_cancellable_set_error_if_cancelled (cancellable, error)
         && found;
}
