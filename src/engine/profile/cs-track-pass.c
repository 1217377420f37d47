/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "capture/cs-tail.h"
#include "profile/cs-track-private.h"

/**
 * cs_track_pass_new:
 * @recording: what will be read
 * @clocks: the clocks of its processes, by index; must outlive the pass
 * @landings: what is known of where exceptions and jumps landed; must outlive the pass
 * @filter: (nullable): what counts; must outlive the pass
 * @n_slowest: how many of each function's longest calls to keep
 * @next_serial: a counter of threads that all passes over @recording share
 * @bytes_done: a counter of bytes read that they share
 *
 * Returns: (transfer full): a pass that has read nothing yet; one a worker thread
 */
CsTrackPass *
cs_track_pass_new (CsRecording *recording, const CsClock *clocks, CsLandings *landings,
                   CsPassFilter *filter, guint n_slowest, guint *next_serial, guint64 *bytes_done)
{
  CsTrackPass *self = g_new0 (CsTrackPass, 1);
  guint n_processes = cs_recording_get_processes (recording)->len;

  self->clocks = clocks;
  self->landings = landings;
  self->filter = filter;
  self->n_slowest = n_slowest;
  self->counts = g_ptr_array_new ();
  g_ptr_array_set_size (self->counts, (gint) n_processes);
  self->marks = g_array_new (FALSE, TRUE, sizeof (CsPassMarks));
  g_array_set_size (self->marks, n_processes);
  self->threads = g_ptr_array_new_with_free_func (cs_track_thread_free);
  self->notices = cs_notices_new ();
  self->damage = cs_event_damage_new ();
  self->cuts = g_array_new (FALSE, TRUE, sizeof (CsCut));
  self->reader = cs_event_reader_new ();
  self->next_serial = next_serial;
  self->bytes_done = bytes_done;
  self->indices = g_ptr_array_new_with_free_func (cs_track_builder_free_track);
  return self;
}

/**
 * cs_track_pass_dup:
 * @self: a pass
 *
 * Returns: (transfer full): a copy of what it has counted, to be summed up
 */
CsTrackPass *
cs_track_pass_dup (const CsTrackPass *self)
{
  CsTrackPass *copy = g_memdup2 (self, sizeof *self);

  copy->reader = cs_event_reader_new ();
  copy->indices = g_ptr_array_new_with_free_func (cs_track_builder_free_track);
  for (guint i = 0; i < self->indices->len; i++)
    g_ptr_array_add (copy->indices, cs_track_builder_copy_track (self->indices->pdata[i]));
  copy->notices = cs_notices_new ();
  cs_notices_add_all (copy->notices, self->notices);
  copy->damage = cs_event_damage_dup (self->damage);
  copy->cuts = g_array_copy (self->cuts);
  copy->counts = g_ptr_array_new ();
  for (guint i = 0; i < self->counts->len; i++)
    g_ptr_array_add (copy->counts, self->counts->pdata[i] != NULL ? cs_pass_counts_dup (self->counts->pdata[i]) : NULL);
  copy->marks = g_array_copy (self->marks);
  copy->threads = g_ptr_array_new_with_free_func (cs_track_thread_free);
  for (guint i = 0; i < self->threads->len; i++)
    g_ptr_array_add (copy->threads, cs_track_thread_dup (self->threads->pdata[i]));
  return copy;
}

/**
 * cs_track_pass_free:
 * @self: (transfer full): a pass
 */
void
cs_track_pass_free (CsTrackPass *self)
{
  for (guint i = 0; i < self->counts->len; i++)
    g_clear_pointer ((CsPassCounts **) &self->counts->pdata[i], cs_pass_counts_free);
  g_ptr_array_unref (self->counts);
  g_array_unref (self->marks);
  g_ptr_array_unref (self->threads);
  g_clear_pointer (&self->indices, g_ptr_array_unref);
  cs_notices_free (self->notices);
  g_ptr_array_unref (self->damage);
  g_array_unref (self->cuts);
  cs_event_reader_free (self->reader);
  g_free (self);
}

/* So many enters and exits are missing before the thread's next event. */
static void
note_lost (Track *track, CsPassThread *thread, guint64 n)
{
  cs_track_cut (track, thread, CS_CUT_LOST, n);
  thread->lost += n;
  if (thread->phase != CS_PASS_WITHIN)
    thread->other_lost += n;
  thread->gap = cs_track_have_open_calls (thread);
}

/* Counts what is missing before the thread's next event, whose index a header tells. Returns how many
 * enters and exits that are. */
static guint64
note_index (Track *track, CsPassThread *thread, guint64 index)
{
  guint64 known = thread->enters + thread->exits + thread->lost;

  if (index <= known + 1)
    return 0;
  note_lost (track, thread, index - 1 - known);
  return index - 1 - known;
}

/* What a file's header says of its thread: whether a new one begins, and how many events are
 * missing before its first. */
static void
begin_file (Track *track, const CsEventFile *file)
{
  CsPassThread *thread;

  if (track->tid == 0)
    return;
  thread = cs_track_select_thread (track, track->tid, file->parts.seq,
                          (file->header.flags & TRACE_FLAG_THREAD_START) != 0);
  if (note_index (track, thread, file->header.first_index) == 0 && file->gap)
    thread->gap = cs_track_have_open_calls (thread);
}

/* What is said of the place at which a packed block begins: how many events are missing there, and
 * whether they are because blocks before it are damaged. */
static void
begin_block (Track *track, const CsEventBlock *block)
{
  CsPassThread *thread;
  guint64 lost = block->lost;

  if (track->tid == 0)
    {
      if (block->damaged)
        cs_track_note_gap (track);
      return;
    }
  thread = cs_track_select_thread (track, track->tid, block->file->parts.seq, FALSE);
  if (block->index != 0)
    lost = note_index (track, thread, block->index);
  else if (lost > 0)
    note_lost (track, thread, lost);
  if (block->damaged && block->index == 0)
    thread->gap = cs_track_have_open_calls (thread);
  if (block->damaged)
    track->marks->damaged_events += lost;
  if (block->damaged || lost > 0)
    cs_track_break_index (thread);
}

/**
 * cs_track_begin:
 * @pass: a pass; must outlive the track
 * @track: what will be read
 *
 * Returns: (transfer full): a track of which nothing has been read
 */
Track *
cs_track_begin (CsTrackPass *pass, const CsThreadTrack *track)
{
  Track *self = g_new0 (Track, 1);
  guint index = track->process->index;

  if (pass->counts->pdata[index] == NULL)
    {
      CsPassCounts *counts = cs_pass_counts_new (track->process, pass->filter, pass->n_slowest);

      counts->sites_counted = !pass->no_sites;
      pass->counts->pdata[index] = counts;
    }
  self->pass = pass;
  self->process = track->process;
  self->clock = &pass->clocks[index];
  self->counts = pass->counts->pdata[index];
  self->marks = &g_array_index (pass->marks, CsPassMarks, index);
  self->tid = track->tid;
  self->threads = g_hash_table_new_full (NULL, NULL, NULL, cs_track_thread_free);
  self->damage = cs_event_damage_new ();
  self->absent = g_hash_table_new_full (cs_track_hash, g_int64_equal, g_free, NULL);
  return self;
}

/* How many records of its segment lie before a file's first: none, unless it is a tail. */
static guint64
count_before (const CsThreadTrack *track, guint index)
{
  const CsEventFile *file = g_ptr_array_index (track->files, index);
  const CsEventFile *segment = index > 0 ? g_ptr_array_index (track->files, index - 1) : NULL;
  guint64 offset = TRACE_HEADER_SIZE, n = 0;

  if (!file->tail)
    return 0;
  if (file->packed)
    return cs_tail_count_before (file, segment);
  if (segment != NULL && segment->parts.seq == file->parts.seq)
    {
      offset = segment->events_offset;
      n = segment->n_events;
    }
  return file->window_offset > offset ? MAX (n, (file->window_offset - offset) / TRACE_EVENT_SIZE) : n;
}

/* Goes on behind what has been read. Returns whether there is more. */
static gboolean
seek_unread (const Track *self, const CsThreadTrack *track)
{
  for (guint i = 0; i < track->files->len; i++)
    {
      const CsEventFile *file = g_ptr_array_index (track->files, i);
      guint64 before = count_before (track, i);
      guint64 skip = 0;

      if (self->begun && file->parts.seq < self->seq)
        continue;
      if (self->begun && file->parts.seq == self->seq && self->done > before)
        skip = self->done - before;
      if (skip > 0 && skip >= file->n_events)
        continue;
      cs_event_reader_leave (self->pass->reader, self->pass->notices);
      cs_event_reader_seek (self->pass->reader, i, skip);
      return TRUE;
    }
  return FALSE;
}

/* How many records of its segment lie before the block. */
static guint64
find_block (const CsThreadTrack *track, const CsEventBlock *block)
{
  guint index;

  if (!block->file->tail || !g_ptr_array_find (track->files, block->file, &index))
    return block->done;
  return block->done + count_before (track, index);
}

/* Whether reading goes on as well when others were read meanwhile: not within a packed block, which would be
 * decoded once more, nor where some is damaged or may come again. */
static gboolean
can_pause (const Track *self, const CsEventBlock *block)
{
  guint32 left;

  return !block->damaged && !block->cut && !block->file->tail && self->again == 0 &&
         cs_event_reader_get_words (self->pass->reader, &left) == NULL;
}

/**
 * cs_track_read:
 * @self: a track
 * @track: what there is of it by now
 * @n_read: (out) (optional): how many records were read
 * @cancellable: (nullable): to stop early
 *
 * Reads what has not been read yet and adds it to the counts, or a part of that where the pass says so.
 *
 * Returns: %FALSE when cancelled
 */
gboolean
cs_track_read (Track *self, const CsThreadTrack *track, guint64 *n_read, GCancellable *cancellable)
{
  CsTrackPass *pass = self->pass;
  const CsEventFile *first = g_ptr_array_index (track->files, 0);
  gboolean complete = TRUE, more = TRUE;
  guint64 n = 0;
  CsEventBlock block;

  if (n_read != NULL)
    *n_read = 0;
  self->paused = FALSE;
  if (pass->filter != NULL && !cs_pass_filter_takes_track (pass->filter, track))
    return TRUE;
  cs_event_reader_set_track (pass->reader, track);
  cs_event_reader_collect_damage (pass->reader, self->damage);
  cs_event_reader_set_offsets (pass->reader, pass->files != NULL);
  cs_track_expect_again (self);
  if ((self->begun || !cs_track_skip_to_range (self, track)) && !seek_unread (self, track))
    return TRUE;
  if (self->thread == NULL)
    cs_track_select_thread (self, track->tid, first->parts.seq, FALSE);
  while (complete && more && !self->paused)
    {
      guint64 position, again;

      n += cs_track_take_words (self);
      if (!cs_event_reader_next (pass->reader, &block, pass->notices))
        break;
      position = find_block (track, &block);

      /* A file that had no records the last time has begun already. */
      if (block.first && (!self->begun || self->seq != block.file->parts.seq || (block.file->tail && !self->in_tail)))
        begin_file (self, block.file);
      if (block.index != 0 || block.damaged)
        begin_block (self, &block);
      if (self->begun && self->seq != block.file->parts.seq)
        cs_track_expect_again (self);
      again = cs_track_leave_out_again (self, &block, position);
      cs_track_take_events (self, &block);
      self->begun = TRUE;
      self->in_tail = FALSE;
      self->seq = block.file->parts.seq;
      self->done = position + block.n + again;
      if (block.file->tail)
        cs_track_note_tail (self, block.file, position - block.done);
      if (again > 0)
        {
          cs_track_break_index (self->thread);
          more = seek_unread (self, track);
        }
      n += block.n;
      __atomic_fetch_add (pass->bytes_done, block.bytes, __ATOMIC_RELAXED);
      complete = !g_cancellable_is_cancelled (cancellable);
      if (pass->between != NULL)
        self->paused = !pass->between (n, pass->between_data) && can_pause (self, &block);
      if (self->thread->phase == CS_PASS_AFTER && track->tid != 0)
        break;
    }
  cs_event_reader_leave (pass->reader, pass->notices);
  if (n_read != NULL)
    *n_read = n;
  return complete;
}

/**
 * cs_track_end:
 * @self: (transfer full): a track
 *
 * Ends its threads, which are then among the pass's.
 */
void
cs_track_end (Track *self)
{
  GHashTableIter iter;
  gpointer thread;

  g_hash_table_iter_init (&iter, self->threads);
  while (g_hash_table_iter_next (&iter, NULL, &thread))
    {
      g_hash_table_iter_steal (&iter);
      cs_track_end_thread (self, thread);
    }
  cs_event_damage_add_all (self->pass->damage, self->damage);
  cs_track_discard (self);
}

/**
 * cs_track_discard:
 * @data: (transfer full): a track
 *
 * What its threads have open is not counted.
 */
void
cs_track_discard (gpointer data)
{
  Track *self = data;

  g_hash_table_unref (self->threads);
  g_hash_table_unref (self->absent);
  g_ptr_array_unref (self->damage);
  g_free (self);
}

/**
 * cs_track_pass_run:
 * @self: a pass
 * @track: what to read
 * @cancellable: (nullable): to give up early
 *
 * Reads a track once and adds what it holds to the pass's counts: functions, call tree,
 * call sites, histograms and threads.
 *
 * Returns: %FALSE when cancelled; the counts are then of no use
 */
gboolean
cs_track_pass_run (CsTrackPass *self, const CsThreadTrack *track, GCancellable *cancellable)
{
  Track *state = cs_track_begin (self, track);
  gboolean complete = cs_track_read (state, track, NULL, cancellable);

  cs_track_end (state);
  return complete;
}
