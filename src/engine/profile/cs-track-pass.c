/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-track-pass.h"

static CsPassStack *
stack_new (guint64 id)
{
  CsPassStack *self = g_new0 (CsPassStack, 1);

  self->id = id;
  self->size = 64;
  self->frames = g_new (CsPassFrame, self->size);
  return self;
}

static void
stack_free (gpointer data)
{
  CsPassStack *self = data;

  g_free (self->frames);
  g_free (self);
}

static void
thread_free (gpointer data)
{
  CsPassThread *self = data;

  g_clear_pointer (&self->stacks, g_ptr_array_unref);
  g_free (self);
}

static CsPassThread *
thread_new (CsTrackPass *self, const CsProcess *process, guint tid, guint64 seq)
{
  CsPassThread *thread = g_new0 (CsPassThread, 1);

  thread->process = process;
  thread->tid = tid;
  thread->seq = seq;
  thread->serial = 1 + (guint) g_atomic_int_add (self->next_serial, 1);
  thread->first = G_MAXINT64;
  thread->last = G_MININT64;
  thread->stack = stack_new (0);
  thread->stacks = g_ptr_array_new_with_free_func (stack_free);
  g_ptr_array_add (thread->stacks, thread->stack);
  return thread;
}

/**
 * cs_track_pass_new:
 * @recording: what will be read
 * @next_serial: a counter of threads that all passes over @recording share
 * @bytes_done: a counter of bytes read that they share
 *
 * Returns: (transfer full): a pass that has read nothing yet; one a worker thread
 */
CsTrackPass *
cs_track_pass_new (CsRecording *recording, guint *next_serial, guint64 *bytes_done)
{
  CsTrackPass *self = g_new0 (CsTrackPass, 1);
  guint n_processes = cs_recording_get_processes (recording)->len;

  self->counts = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_pass_counts_free);
  g_ptr_array_set_size (self->counts, (gint) n_processes);
  self->marks = g_array_new (FALSE, TRUE, sizeof (CsPassMarks));
  g_array_set_size (self->marks, n_processes);
  self->threads = g_ptr_array_new_with_free_func (thread_free);
  self->notices = cs_notices_new ();
  self->reader = cs_event_reader_new ();
  self->next_serial = next_serial;
  self->bytes_done = bytes_done;
  return self;
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
  g_ptr_array_set_free_func (self->counts, NULL);
  g_ptr_array_unref (self->counts);
  g_array_unref (self->marks);
  g_ptr_array_unref (self->threads);
  cs_notices_free (self->notices);
  cs_event_reader_free (self->reader);
  g_free (self);
}

/* What one track's events need at hand. */
typedef struct
{
  CsTrackPass *pass;
  const CsProcess *process;
  CsPassCounts *counts;
  CsPassMarks *marks;
  CsPassThread *thread; /* of the last event */
  GPtrArray *threads;   /* (element-type CsPassThread): those of the track that haven't ended */
} Track;

static void
stack_grow (CsPassStack *stack)
{
  stack->size *= 2;
  stack->frames = g_renew (CsPassFrame, stack->frames, stack->size);
}

/* Finds the node and call site of a call that was not predicted. */
static guint32
find_node (Track *track, guint32 parent, guint32 previous, guint64 function)
{
  CsPassCounts *counts = track->counts;
  guint32 node = cs_pass_counts_add_node (counts, parent, function);

  if (previous != 0)
    counts->nodes[previous].next_sibling = node;
  else
    counts->nodes[parent].first_child = node;
  return node;
}

static inline void
enter (Track *track, CsPassThread *thread, guint64 function, guint64 caller, gint64 ns)
{
  CsPassCounts *counts = track->counts;
  CsPassStack *stack = thread->stack;
  CsPassFrame *top = stack->n > 0 ? &stack->frames[stack->n - 1] : NULL;
  guint32 parent = top != NULL ? top->node : 0;
  guint32 previous = top != NULL ? top->last_child : 0;
  guint32 index = previous != 0 ? counts->nodes[previous].next_sibling : counts->nodes[parent].first_child;
  CsPassNode *node;

  if (G_UNLIKELY (index == 0 || counts->nodes[index].address != function))
    index = find_node (track, parent, previous, function);
  if (top != NULL)
    top->last_child = index;
  node = &counts->nodes[index];
  if (G_UNLIKELY (node->caller != caller || node->first_ns == G_MAXINT64))
    {
      node->site = cs_pass_counts_add_site (counts, function, caller);
      node->caller = caller;
    }
  if (G_UNLIKELY (ns < node->first_ns))
    node->first_ns = ns;

  if (G_UNLIKELY (stack->n == stack->size))
    stack_grow (stack);
  stack->frames[stack->n++] = (CsPassFrame){
    .address = function, .start = ns, .node = index, .site = node->site
  };
}

/* Takes the innermost frame off the stack. */
static inline void
close_frame (Track *track, CsPassThread *thread, gint64 ns, CsCallEnd how)
{
  CsPassCounts *counts = track->counts;
  CsPassStack *stack = thread->stack;
  CsPassFrame *frame = &stack->frames[--stack->n];
  CsPassNode *node = &counts->nodes[frame->node];
  CsPassFunction *function = &counts->functions[node->function];
  CsPassSite *site = &counts->sites[frame->site];
  guint64 duration = (guint64) (ns - frame->start);

  node->incl += duration;
  node->self += duration - frame->children;
  site->incl += duration;
  if (G_LIKELY (how == CS_CALL_EXITED))
    {
      node->calls++;
      site->calls++;
      function->recorded++;
      if (duration < function->min)
        function->min = duration;
      if (duration > function->max)
        function->max = duration;
      cs_histogram_add (&function->histogram, duration);
    }
  else if (how == CS_CALL_REPAIRED)
    {
      node->calls++;
      node->repaired++;
      site->calls++;
      thread->repaired++;
    }
  else
    {
      node->open++;
      site->open++;
      thread->open++;
    }
  if (function->last_thread != thread->serial)
    {
      function->last_thread = thread->serial;
      function->n_threads++;
    }
  if (stack->n > 0)
    stack->frames[stack->n - 1].children += duration;
  else
    thread->busy += duration;
  if (G_UNLIKELY (track->pass->on_call != NULL))
    {
      CsPassCall call = { .address = frame->address, .function = node->function,
                          .start = frame->start, .end = ns, .depth = stack->n, .how = how };

      track->pass->on_call (thread, &call, track->pass->on_call_data);
    }
}

static void
repair_to (Track *track, CsPassThread *thread, gsize depth, gint64 ns)
{
  while (thread->stack->n > depth)
    close_frame (track, thread, ns, CS_CALL_REPAIRED);
}

/* An exit that isn't the top frame's: closes what lies above the nearest frame of the
 * function, or counts the exit as unmatched when there is none. */
static void
exit_out_of_order (Track *track, CsPassThread *thread, guint64 function, gint64 ns)
{
  CsPassStack *stack = thread->stack;
  gsize depth = stack->n;

  while (depth > 0 && stack->frames[depth - 1].address != function)
    depth--;
  if (depth == 0)
    {
      thread->unmatched++;
      return;
    }
  repair_to (track, thread, depth, ns);
  close_frame (track, thread, ns, CS_CALL_EXITED);
}

static void
end_thread (Track *track, CsPassThread *thread)
{
  for (guint i = 0; i < thread->stacks->len; i++)
    {
      thread->stack = g_ptr_array_index (thread->stacks, i);
      while (thread->stack->n > 0)
        close_frame (track, thread, thread->last, CS_CALL_OPEN);
    }
  g_clear_pointer (&thread->stacks, g_ptr_array_unref);
  thread->stack = NULL;
  g_ptr_array_add (track->pass->threads, thread);
}

/* Makes the thread with this id the current one; a new one where there is none. */
static CsPassThread *
select_thread (Track *track, guint tid, guint64 seq, gboolean starts)
{
  for (guint i = 0; i < track->threads->len; i++)
    {
      CsPassThread *thread = g_ptr_array_index (track->threads, i);

      if (thread->tid != tid)
        continue;
      if (!starts || (thread->enters + thread->exits == 0 && thread->seq == seq))
        return track->thread = thread;
      g_ptr_array_remove_index_fast (track->threads, i);
      end_thread (track, thread);
      break;
    }
  track->thread = thread_new (track->pass, track->process, tid, seq);
  g_ptr_array_add (track->threads, track->thread);
  return track->thread;
}

static void
select_context (CsPassThread *thread, guint64 id)
{
  for (guint i = 0; i < thread->stacks->len; i++)
    {
      thread->stack = g_ptr_array_index (thread->stacks, i);
      if (thread->stack->id == id)
        return;
    }
  thread->stack = stack_new (id);
  g_ptr_array_add (thread->stacks, thread->stack);
}

static void
take_marker (Track *track, CsPassThread *thread, const struct trace_event *event, guint64 seq)
{
  CsPassMarks *marks = track->marks;
  gint64 ns = MAX (thread->last, cs_clock_to_ns (&track->process->clock, event->ts));

  switch (event->func)
    {
    case TRACE_MARK_BUDGET:
    case TRACE_MARK_NOSPACE:
    case TRACE_MARK_WRITE_ERROR:
    case TRACE_MARK_MAX_EVENTS:
      marks->stopped[event->func] = event->caller;
      marks->stopped_seen[event->func] = TRUE;
      break;
    case TRACE_MARK_WRAP:
      marks->wraps++;
      marks->wrapped_events += event->caller;
      break;
    case TRACE_MARK_CLOCK:
      if (event->caller > marks->anchor_ns)
        {
          marks->anchor_ticks = event->ts;
          marks->anchor_ns = event->caller;
        }
      break;
    case TRACE_MARK_COUNTER:
    case TRACE_MARK_COUNTER_COST:
    case TRACE_MARK_COUNTER_READ:
    case TRACE_MARK_COUNTER_SKIP:
    case TRACE_MARK_COUNTER_MUX:
      break;
    case TRACE_MARK_THREAD_START:
      select_thread (track, event->tid, seq, TRUE);
      break;
    case TRACE_MARK_OFF:
      marks->toggled_off++;
      repair_to (track, thread, 0, ns);
      break;
    case TRACE_MARK_ON:
      break;
    case TRACE_MARK_LANDED:
      marks->landings++;
      break;
    case TRACE_MARK_DEPTH:
      repair_to (track, thread, (gsize) event->caller, ns);
      break;
    case TRACE_MARK_CONTEXT:
      select_context (thread, event->caller);
      break;
    case TRACE_MARK_SKIPPED:
      marks->skipped_hooks += event->caller;
      break;
    case TRACE_MARK_RING_DROPS:
      marks->ring_drops = MAX (marks->ring_drops, event->caller);
      break;
    case TRACE_MARK_GAP:
      marks->gap_bytes += event->caller;
      thread->gap = TRUE;
      break;
    default:
      marks->unknown_markers++;
      marks->last_unknown_marker = event->func;
      break;
    }
}

static void
take_other_kind (Track *track, CsPassThread *thread, const struct trace_event *event, guint64 seq)
{
  if (event->kind == TRACE_KIND_MARKER)
    take_marker (track, thread, event, seq);
  else if (event->kind != TRACE_KIND_COUNTERS)
    {
      track->marks->unknown_kinds++;
      track->marks->last_unknown_kind = event->kind;
    }
}

static void
take_events (Track *track, const CsEventBlock *block)
{
  CsPassThread *thread = track->thread;
  const CsClock clock = track->process->clock;
  gboolean tag = track->counts->ambiguous->len > 0;

  for (gsize i = 0; i < block->n; i++)
    {
      const struct trace_event *event = &block->events[i];
      guint64 function = event->func;
      guint64 caller = event->caller;
      gint64 ns;

      if (G_UNLIKELY (event->tid != thread->tid))
        thread = select_thread (track, event->tid, block->file->parts.seq, FALSE);
      if (G_UNLIKELY (event->kind > TRACE_KIND_EXIT))
        {
          take_other_kind (track, thread, event, block->file->parts.seq);
          thread = track->thread;
          continue;
        }

      ns = cs_clock_to_ns (&clock, event->ts);
      if (G_UNLIKELY (ns < thread->last))
        {
          thread->clamped++;
          ns = thread->last;
        }
      thread->last = ns;
      if (G_UNLIKELY (thread->first > ns))
        thread->first = ns;
      if (G_UNLIKELY (thread->gap))
        {
          thread->gap = FALSE;
          repair_to (track, thread, 0, ns);
        }
      if (G_UNLIKELY (tag))
        {
          function = cs_pass_counts_tag_address (track->counts, function, ns);
          caller = cs_pass_counts_tag_address (track->counts, caller, ns);
        }

      if (event->kind == TRACE_KIND_ENTER)
        {
          thread->enters++;
          enter (track, thread, function, caller, ns);
        }
      else
        {
          CsPassStack *stack = thread->stack;

          thread->exits++;
          if (G_LIKELY (stack->n > 0 && stack->frames[stack->n - 1].address == function))
            close_frame (track, thread, ns, CS_CALL_EXITED);
          else
            exit_out_of_order (track, thread, function, ns);
        }
    }
}

/* What a file's header says of the thread: whether a new one begins, and how many events
 * are missing before its first. */
static void
begin_file (Track *track, const CsEventFile *file)
{
  CsPassThread *thread;
  guint64 known;

  if (file->parts.kind == CS_TRACE_NAME_STREAM)
    return;
  thread = select_thread (track, track->thread->tid, file->parts.seq,
                          (file->header.flags & TRACE_FLAG_THREAD_START) != 0);
  known = thread->enters + thread->exits + thread->lost;
  if (file->header.first_index > known + 1)
    {
      thread->lost += file->header.first_index - 1 - known;
      thread->gap = thread->stack->n > 0;
    }
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
  guint index = track->process->index;
  const CsEventFile *first = g_ptr_array_index (track->files, 0);
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();
  Track state = { .pass = self, .process = track->process, .threads = threads };
  CsEventBlock block;
  gboolean complete = TRUE;

  if (self->counts->pdata[index] == NULL)
    self->counts->pdata[index] = cs_pass_counts_new (track->process);
  state.counts = self->counts->pdata[index];
  state.marks = &g_array_index (self->marks, CsPassMarks, index);
  select_thread (&state, track->tid, first->parts.seq, FALSE);

  cs_event_reader_set_track (self->reader, track);
  while (complete && cs_event_reader_next (self->reader, &block, self->notices))
    {
      if (block.first)
        begin_file (&state, block.file);
      take_events (&state, &block);
      __atomic_fetch_add (self->bytes_done, block.n * TRACE_EVENT_SIZE, __ATOMIC_RELAXED);
      complete = !g_cancellable_is_cancelled (cancellable);
    }
  for (guint i = 0; i < threads->len; i++)
    {
      CsPassThread *thread = g_ptr_array_index (threads, i);

      /* The track of a stream begins with a thread of which nothing may come. */
      if (track->tid == 0 && thread->tid == 0 && thread->enters + thread->exits == 0)
        thread_free (thread);
      else
        end_thread (&state, thread);
    }
  return complete;
}
