/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-track-private.h"

/* So many frames are looked through for ghosts, at most, each time that a leaf begins. */
#define MAX_LOOKED_THROUGH 4096

static gboolean
has_ghosts (CsPassThread *thread)
{
  const CsPassStack *stack = thread->stack;

  if (thread->haunted && stack_depth (stack) < MAX_LOOKED_THROUGH)
    {
      thread->haunted = FALSE;
      for (const CsPassFrame *frame = stack->frames; frame <= stack->top; frame++)
        thread->haunted |= frame->ghosts > 0;
    }
  return thread->haunted;
}

/* Whether a pass that knows the stack could begin with the thread's next record: not between a
 * landing and what says how many calls it left, nor behind a gap, nor while there are ghosts. */
static gboolean
can_start (CsPassThread *thread)
{
  return !thread->gap && !has_ghosts (thread) && thread->landing == 0 && thread->depth_at != thread->enters + thread->exits + 1;
}

/* Where a record lies. Whose events follow is not told by one that may be a raw record. */
static CsTrackPlace
find_place (const Track *track, const CsEventBlock *block, gsize first)
{
  CsTrackPlace place = { .file = GPOINTER_TO_UINT (g_hash_table_lookup (track->pass->files, block->file)),
                         .record = block->done + first };

  if (!block->file->packed)
    return place;
  place.block = block->packed;
  place.offset = block->offsets[first];
  place.tid = block->events[first].tid;
  place.open = TRUE;
  for (gsize i = first; i < block->n; i++)
    {
      const struct trace_event *call = &block->events[i];

      if (call->kind > TRACE_KIND_EXIT)
        continue;
      if (place.open)
        place.ticks = call->ts;
      place.tid = call->tid;
      place.open = FALSE;
      if (i + 1 < block->n && block->offsets[i + 1] - block->offsets[i] < TRACE_EVENT_SIZE)
        break;
    }
  return place;
}

/**
 * cs_track_place_leaves:
 * @track: a track of which an index is made
 * @block: its next records
 *
 * Leaves that were begun with the last records before an enter or exit learn which one it is.
 */
void
cs_track_place_leaves (Track *track, const CsEventBlock *block)
{
  CsTrackPlace place;
  GHashTableIter iter;
  gpointer thread;

  if (!track->unplaced || block->n == 0 || !block->file->packed)
    return;
  place = find_place (track, block, 0);
  if (place.open)
    return;
  g_hash_table_iter_init (&iter, track->threads);
  while (g_hash_table_iter_next (&iter, NULL, &thread))
    if (((CsPassThread *) thread)->index != NULL)
      cs_track_builder_place_leaf (((CsPassThread *) thread)->index, &place);
  track->unplaced = FALSE;
}

/**
 * cs_track_begin_run:
 * @track: a track of which an index is made
 * @thread: the thread of the next records
 * @block: what they are part of
 * @event: the first of them
 * @n: (inout): how many may be read; as many as the leaf has room for
 * @run: (out): for what the inner loop says of them
 *
 * Begins a new leaf of the index where one is due.
 */
void
cs_track_begin_run (Track *track, CsPassThread *thread, const CsEventBlock *block, const struct trace_event *event,
                    gsize *n, CsTrackRun *run)
{
  guint file = GPOINTER_TO_UINT (g_hash_table_lookup (track->pass->files, block->file));
  guint64 record = block->done + (guint64) (event - block->events);
  guint32 number = block->file->packed ? block->packed : 0;
  guint32 depth = (guint32) stack_depth (thread->stack);
  guint room;

  if (thread->index == NULL)
    thread->index = cs_track_builder_new (thread->process->index, thread->tid, thread->seq);
  if (cs_track_builder_needs_leaf (thread->index, file, number, record, &room))
    {
      const CsTrackPlace place = find_place (track, block, (gsize) (event - block->events));
      gint64 ns = cs_timeline_has_time (event) ? MAX (thread->last, cs_clock_to_ns (track->clock, event->ts))
                                               : thread->last;

      track->unplaced |= place.open;
      cs_track_builder_begin_leaf (thread->index, &place, ns, depth, can_start (thread), thread->unseen,
                                   thread->lost);
      cs_track_builder_needs_leaf (thread->index, file, number, record, &room);
    }
  *n = MIN (*n, room);
  *run = (CsTrackRun){ .lo = G_MAXUINT32, .low = G_MAXUINT32 };
  if (event->kind == TRACE_KIND_ENTER)
    run->low = depth + 1;
}

/**
 * cs_track_end_run:
 * @thread: the thread whose records were read
 * @n_records: how many
 * @n_events: how many of them are enters and exits
 * @run: what the inner loop said of them
 */
void
cs_track_end_run (CsPassThread *thread, gsize n_records, guint64 n_events, const CsTrackRun *run)
{
  CsTrackRun whole = *run;

  whole.lo = MIN (whole.lo, whole.low);
  cs_track_builder_add (thread->index, n_records, (gsize) n_events, &whole);
}

/**
 * cs_track_note_depth:
 * @thread: a thread of whose index a run is read
 * @i: number of a record in the run that does not do what its kind says
 * @before: how deep the stack was before it
 * @after: and is after it
 * @cut: whether all that was open ended at it
 * @run: (inout): what is said of the run
 */
void
cs_track_note_depth (CsPassThread *thread, gsize i, gsize before, gsize after, gboolean cut, CsTrackRun *run)
{
  if (before > 0)
    cs_track_builder_note_depth (thread->index, i, (guint32) after, cut);
  run->low = MIN (run->low, cut ? 0 : (guint32) after);
  run->hi = MAX (run->hi, (guint32) after);
}

/**
 * cs_track_note_other_kind:
 * @thread: a thread of whose index a run is read
 * @before: its stack before a record that is neither enter nor exit
 * @depth: how deep that was
 * @i: number of the record in the run
 * @run: (inout): what is said of the run
 */
void
cs_track_note_other_kind (CsPassThread *thread, const CsPassStack *before, gsize depth, gsize i, CsTrackRun *run)
{
  const CsPassStack *stack = thread->stack;
  gsize after = stack_depth (stack);

  if (stack != before)
    {
      cs_track_builder_note_switch (thread->index, i, before->id, stack->id, (guint32) depth, (guint32) after,
                                    run->low);
      run->lo = 0;
      run->low = (guint32) after;
      run->hi = MAX (run->hi, (guint32) after);
    }
  else if (after != depth)
    cs_track_note_depth (thread, i, depth, after, FALSE, run);
  else if (i == 0)
    {
      run->low = MIN (run->low, (guint32) depth);
      run->hi = MAX (run->hi, (guint32) depth);
    }
  thread->haunted |= stack->top->ghosts > 0;
}

/**
 * cs_track_break_index:
 * @thread: a thread, some of whose next records will be left out
 *
 * No leaf of its index reaches over them.
 */
void
cs_track_break_index (CsPassThread *thread)
{
  if (thread->index != NULL)
    cs_track_builder_end_leaf (thread->index);
}

/**
 * cs_track_finish_index:
 * @pass: a pass
 * @thread: a thread of it that ends; its index goes to the pass
 */
void
cs_track_finish_index (CsTrackPass *pass, CsPassThread *thread)
{
  if (pass->files == NULL)
    return;
  if (thread->index == NULL)
    thread->index = cs_track_builder_new (thread->process->index, thread->tid, thread->seq);
  g_ptr_array_add (pass->indices, cs_track_builder_snapshot (thread->index, thread->first, thread->last));
  g_clear_pointer (&thread->index, cs_track_builder_free);
}

/**
 * cs_track_forget_indices:
 * @pass: a pass
 * @process: index of a process, whose threads' indices are given up
 */
void
cs_track_forget_indices (CsTrackPass *pass, guint process)
{
  for (guint i = pass->indices->len; i-- > 0;)
    if (cs_track_builder_get_process (pass->indices->pdata[i]) == process)
      g_ptr_array_remove_index_fast (pass->indices, i);
}

/**
 * cs_track_move_indices:
 * @pass: a pass
 * @now: (array length=n): what number each process has now; %G_MAXUINT: it is gone
 * @n: how many processes there were
 *
 * Says of the indices of threads that have ended whose they are.
 */
void
cs_track_move_indices (CsTrackPass *pass, const guint *now, guint n)
{
  for (guint i = pass->indices->len; i-- > 0;)
    {
      guint process = cs_track_builder_get_process (pass->indices->pdata[i]);

      if (process < n && now[process] != G_MAXUINT)
        cs_track_builder_move_track (pass->indices->pdata[i], now[process]);
      else
        g_ptr_array_remove_index_fast (pass->indices, i);
    }
}

/**
 * cs_track_steal_indices:
 * @passes: (element-type CsTrackPass): passes whose threads have ended; they have no indices any more
 *
 * Returns: (transfer full) (element-type CsTrack): what cs_timeline_new() takes
 */
GPtrArray *
cs_track_steal_indices (GPtrArray *passes)
{
  GPtrArray *tracks = g_ptr_array_new ();

  for (guint i = 0; i < passes->len; i++)
    {
      CsTrackPass *pass = g_ptr_array_index (passes, i);

      g_ptr_array_extend_and_steal (tracks, g_steal_pointer (&pass->indices));
    }
  return tracks;
}
