/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-track-private.h"

/* The last thread of a track that began before a time. Returns its number in the index. */
static gboolean
find_thread (CsTimeline *index, const CsThreadTrack *track, gint64 ns, guint *number)
{
  gboolean found = FALSE;
  gint64 latest = 0;

  for (guint i = 0; i < cs_timeline_get_n_tracks (index); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (index, i);

      if (info->process != track->process->index || info->tid != track->tid || info->first > info->last ||
          info->first > ns || (found && info->first < latest))
        continue;
      found = TRUE;
      latest = info->first;
      *number = i;
    }
  return found;
}

/* Opens the calls that are open where reading begins. */
static void
push_stack (Track *self, CsPassThread *thread, GArray *stack)
{
  CsPassCounts *counts = self->counts;
  gint64 from = self->pass->filter->from;

  for (guint i = 0; i < stack->len; i++)
    {
      const CsTimelineSpan *call = &g_array_index (stack, CsTimelineSpan, i);
      guint64 function = call->address, caller = call->caller;

      if (counts->tagged)
        {
          function = cs_pass_counts_tag_address (counts, function, call->ts);
          caller = cs_pass_counts_tag_address (counts, caller, call->ts);
        }
      cs_track_push_call (self, thread, function, caller, from);
    }
}

/**
 * cs_track_skip_to_range:
 * @self: a track of which nothing has been read
 * @track: what there is to read
 *
 * Goes to the last place before the filter's time range at which the index of time knows all that is
 * open, so that what comes before need not be read. The tracks of streams hold several threads, and
 * are read from their beginning.
 *
 * Returns: whether the reader stands there; otherwise nothing has changed
 */
gboolean
cs_track_skip_to_range (Track *self, const CsThreadTrack *track)
{
  const CsPassFilter *filter = self->pass->filter;
  CsTimelineStart start = { 0 };
  CsPassThread *thread;
  gboolean skipped = FALSE;
  guint number, file;

  if (filter == NULL || filter->index == NULL || filter->from == G_MININT64 || track->tid == 0 ||
      memcmp (cs_timeline_get_clock (filter->index, track->process->index), self->clock, sizeof *self->clock) != 0 ||
      !find_thread (filter->index, track, filter->from, &number))
    return FALSE;
  if (cs_timeline_find_start (filter->index, number, filter->from, &start, NULL) && start.file != NULL &&
      g_ptr_array_find (track->files, start.file, &file))
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (filter->index, number);

      thread = cs_track_select_thread (self, track->tid, info->seq, FALSE);
      thread->last = start.ns;
      thread->enters = thread->other_enters = start.n_events;
      thread->lost = thread->other_lost = start.lost;
      thread->unseen = start.unseen;
      push_stack (self, thread, start.stack);
      cs_event_reader_seek (self->pass->reader, file, start.record);
      skipped = TRUE;
    }
  cs_timeline_start_clear (&start);
  return skipped;
}

/**
 * cs_track_note_tail:
 * @self: a track
 * @file: a tail of which records have been read
 * @start: how many records of its segment lie before its first
 *
 * Remembers where the tail begins.
 */
void
cs_track_note_tail (Track *self, const CsEventFile *file, guint64 start)
{
  self->in_tail = TRUE;
  self->tail_seq = file->parts.seq;
  self->tail_start = start;
  self->again = 0;
  if (file->n_events > 0)
    cs_event_file_read (file, -1, 0, &self->tail_first, 1);
}

/**
 * cs_track_expect_again:
 * @self: a track
 *
 * What was read from a tail last may have been flushed: reading goes on where the tail began.
 */
void
cs_track_expect_again (Track *self)
{
  if (!self->in_tail || self->done <= self->tail_start)
    return;
  self->again += self->done - self->tail_start;
  self->done = self->tail_start;
}

/**
 * cs_track_leave_out_again:
 * @self: a track
 * @block: the next records; those from the first on that was in a tail are taken off
 * @position: how many records of its segment lie before the block
 *
 * In a new segment they come behind markers that a tail doesn't have.
 *
 * Returns: how many records are to be left out behind the block
 */
guint64
cs_track_leave_out_again (Track *self, CsEventBlock *block, guint64 position)
{
  guint64 again = self->again;

  if (again == 0 || block->n == 0)
    return 0;
  for (gsize i = 0; i < block->n; i++)
    {
      const struct trace_event *event = &block->events[i];

      if (memcmp (event, &self->tail_first, sizeof *event) == 0)
        {
          block->n = i;
          self->again = 0;
          return again;
        }
      if (event->kind > TRACE_KIND_EXIT)
        continue;
      self->again = 0;
      if (block->file->parts.seq != self->tail_seq || position != self->tail_start)
        return 0; /* the segment that had them is gone */
      block->n = 0;
      return again;
    }
  return 0;
}

/* The time range begins: what is open counts from here on. */
static void
begin_range (Track *track, CsPassThread *thread)
{
  gint64 from = track->pass->filter->from;
  GHashTableIter iter;
  gpointer value;

  thread->phase = CS_PASS_WITHIN;
  thread->unmatched = thread->repaired = thread->open = thread->clamped = 0;
  thread->first = G_MAXINT64;
  g_hash_table_iter_init (&iter, thread->stacks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      CsPassStack *stack = value;

      stack->clipped = stack_depth (stack);
      if (stack->clipped > 0)
        thread->first = from;
      for (CsPassFrame *frame = stack->frames + 1; frame <= stack->top; frame++)
        {
          gint64 *first = &track->counts->nodes[frame->node].first_ns;

          *first = MIN (*first, from);
          if (track->pass->on_enter != NULL && track->counts->node_rests[frame->node].inside)
            cs_track_tell_enter (track->pass, track->counts, thread, stack, frame);
        }
    }
}

/* The time range ends: so do the calls that are open. */
static void
end_range (Track *track, CsPassThread *thread)
{
  gint64 to = track->pass->filter->to;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, thread->stacks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      CsPassStack *stack = value;

      stack->clipped = stack_depth (stack);
      if (stack->clipped > 0)
        thread->end = to;
    }
  cs_track_close_all (track, thread, to, CS_CALL_CLIPPED);
  thread->phase = CS_PASS_AFTER;
}

/**
 * cs_track_move_to:
 * @track: a track with a filter
 * @thread: the thread that the next event is of
 * @ns: the event's time
 *
 * Returns: the time at which it changes stacks: within the time range
 */
gint64
cs_track_move_to (Track *track, CsPassThread *thread, gint64 ns)
{
  const CsPassFilter *filter = track->pass->filter;

  if (thread->phase == CS_PASS_BEFORE && ns >= filter->from)
    begin_range (track, thread);
  if (thread->phase == CS_PASS_WITHIN && ns >= filter->to)
    end_range (track, thread);
  if (thread->phase == CS_PASS_WITHIN)
    thread->end = ns;
  return CLAMP (ns, filter->from, filter->to);
}
