/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-track-private.h"

static CsPassStack *
stack_new (guint64 id)
{
  CsPassStack *self = g_new0 (CsPassStack, 1);

  self->id = id;
  self->size = 8;
  self->frames = g_new (CsPassFrame, self->size);
  self->frames[0] = (CsPassFrame){ .address = CS_PASS_NO_ADDRESS };
  self->top = self->frames;
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

  g_clear_pointer (&self->stacks, g_hash_table_unref);
  g_byte_array_unref (self->called);
  g_clear_pointer (&self->index, cs_track_builder_free);
  g_free (self);
}

static void
add_stack (CsPassThread *thread, CsPassStack *stack)
{
  g_hash_table_insert (thread->stacks, &stack->id, stack);
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
  thread->stacks = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, stack_free);
  add_stack (thread, thread->stack);
  thread->called = g_byte_array_new ();
  return thread;
}

/**
 * cs_track_pass_new:
 * @recording: what will be read
 * @clocks: the clocks of its processes, by index; must outlive the pass
 * @landings: what is known of where exceptions and jumps landed; must outlive the pass
 * @next_serial: a counter of threads that all passes over @recording share
 * @bytes_done: a counter of bytes read that they share
 *
 * Returns: (transfer full): a pass that has read nothing yet; one a worker thread
 */
CsTrackPass *
cs_track_pass_new (CsRecording *recording, const CsClock *clocks, CsLandings *landings,
                   guint *next_serial, guint64 *bytes_done)
{
  CsTrackPass *self = g_new0 (CsTrackPass, 1);
  guint n_processes = cs_recording_get_processes (recording)->len;

  self->clocks = clocks;
  self->landings = landings;
  self->counts = g_ptr_array_new ();
  g_ptr_array_set_size (self->counts, (gint) n_processes);
  self->marks = g_array_new (FALSE, TRUE, sizeof (CsPassMarks));
  g_array_set_size (self->marks, n_processes);
  self->threads = g_ptr_array_new_with_free_func (thread_free);
  self->notices = cs_notices_new ();
  self->reader = cs_event_reader_new ();
  self->next_serial = next_serial;
  self->bytes_done = bytes_done;
  self->indices = g_ptr_array_new_with_free_func (cs_track_builder_free_track);
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
  g_ptr_array_unref (self->counts);
  g_array_unref (self->marks);
  g_ptr_array_unref (self->threads);
  g_clear_pointer (&self->indices, g_ptr_array_unref);
  cs_notices_free (self->notices);
  cs_event_reader_free (self->reader);
  g_free (self);
}

static void
stack_grow (CsPassStack *self)
{
  gsize depth = stack_depth (self);

  self->size *= 2;
  self->frames = g_renew (CsPassFrame, self->frames, self->size);
  self->top = self->frames + depth;
}

/* Finds the node of a call that was not expected, and expects it the next time. */
static guint32
find_node (CsPassCounts *counts, CsPassFrame *top, guint64 function)
{
  guint32 node = cs_pass_counts_add_node (counts, top->node, function);

  if (top->last_child != 0)
    counts->nodes[top->last_child].next_sibling = node;
  else
    counts->nodes[top->node].first_child = node;
  return node;
}

static inline __attribute__ ((always_inline)) void
enter (CsPassCounts *counts, CsPassStack *stack, guint64 function, guint64 caller, gint64 ns)
{
  CsPassFrame *top = stack->top;
  guint32 index = top->next_child;
  CsPassNode *node = &counts->nodes[index];

  if (G_UNLIKELY (node->address != function || index == 0))
    {
      index = find_node (counts, top, function);
      node = &counts->nodes[index];
    }
  if (G_UNLIKELY (node->caller != caller || node->site == 0))
    {
      node->site = cs_pass_counts_add_site (counts, function, caller) + 1;
      node->caller = caller;
    }
  if (G_UNLIKELY (ns < node->first_ns))
    node->first_ns = ns;
  if (G_UNLIKELY (top + 1 == stack->frames + stack->size))
    {
      stack_grow (stack);
      top = stack->top;
    }
  stack->top = ++top;
  top->address = function;
  top->start = ns;
  top->children = 0;
  top->node = index;
  top->site = node->site;
  top->last_child = 0;
  top->next_child = node->first_child;
  top->ghosts = 0;
}

static void
note_called (CsPassThread *thread, guint32 function)
{
  guint byte = function / 8;

  if (thread->called->len <= byte)
    {
      guint old = thread->called->len;

      g_byte_array_set_size (thread->called, byte + 1);
      memset (thread->called->data + old, 0, byte + 1 - old);
    }
  thread->called->data[byte] |= (guint8) (1 << function % 8);
}

/* Takes the innermost frame off the stack. Returns its duration, ns. */
static inline guint64
close_frame (CsPassCounts *counts, CsPassThread *thread, CsPassStack *stack, gint64 ns)
{
  CsPassFrame *frame = stack->top--;
  CsPassFrame *parent = stack->top;
  CsPassNode *node = &counts->nodes[frame->node];
  CsPassFunction *function = &counts->functions[node->function];
  CsPassSite *site = &counts->sites[frame->site - 1];
  guint64 duration = (guint64) ns - (guint64) frame->start;

  node->incl += duration;
  node->self += duration - frame->children;
  node->calls++;
  site->incl += duration;
  site->calls++;
  if (G_UNLIKELY (function->last_thread != thread->serial))
    {
      function->last_thread = thread->serial;
      note_called (thread, node->function);
    }
  parent->children += duration;
  parent->last_child = frame->node;
  parent->next_child = node->next_sibling;
  return duration;
}

static inline void
count_duration (CsPassFunction *function, guint64 ns)
{
  if (ns < function->min)
    function->min = ns;
  if (ns > function->max)
    function->max = ns;
  cs_histogram_add (&function->histogram, ns);
}

static void
tell_call (const CsTrackPass *pass, const CsPassCounts *counts, const CsPassThread *thread,
           const CsPassStack *stack, gint64 ns, CsCallEnd how)
{
  const CsPassFrame *frame = stack->top + 1; /* just closed */
  CsPassCall call = { .address = frame->address, .function = counts->nodes[frame->node].function,
                      .start = frame->start, .end = ns, .how = how };

  if (pass->on_call != NULL)
    pass->on_call (thread, &call, pass->on_call_data);
}

/* Closes the innermost call by its recorded exit. */
static inline __attribute__ ((always_inline)) void
leave (const CsTrackPass *pass, CsPassCounts *counts, CsPassThread *thread, CsPassStack *stack, gint64 ns)
{
  guint32 node = stack->top->node;
  guint64 duration = close_frame (counts, thread, stack, ns);

  count_duration (&counts->functions[counts->nodes[node].function], duration);
  if (G_UNLIKELY (pass->on_call != NULL))
    tell_call (pass, counts, thread, stack, ns, CS_CALL_EXITED);
}

/* Closes the innermost call, whose exit is not recorded. */
void
cs_track_close_without_exit (Track *track, CsPassThread *thread, CsPassStack *stack, gint64 ns, CsCallEnd how)
{
  CsPassCounts *counts = track->counts;
  CsPassFrame *frame = stack->top;

  close_frame (counts, thread, stack, ns);
  if (how == CS_CALL_REPAIRED)
    {
      counts->node_rests[frame->node].repaired++;
      thread->repaired++;
    }
  else
    {
      counts->nodes[frame->node].calls--;
      counts->node_rests[frame->node].open++;
      counts->sites[frame->site - 1].calls--;
      counts->sites[frame->site - 1].open++;
      thread->open++;
    }
  tell_call (track->pass, counts, thread, stack, ns, how);
}

void
cs_track_repair_to (Track *track, CsPassThread *thread, CsPassStack *stack, gsize depth, gint64 ns)
{
  while (stack_depth (stack) > depth)
    cs_track_close_without_exit (track, thread, stack, ns, CS_CALL_REPAIRED);
}

/* Takes the time in which a stack did not run out of the self time of its innermost frame. */
static void
skip_time (CsPassThread *thread, CsPassStack *stack, gint64 ns)
{
  guint64 away = (guint64) ns - (guint64) stack->left;

  if (stack_depth (stack) == 0)
    return;
  stack->top->children += away;
  thread->busy -= away;
}

/* Ends the calls of all contexts of a thread at a time. */
void
cs_track_close_all (Track *track, CsPassThread *thread, gint64 ns, CsCallEnd how)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, thread->stacks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      CsPassStack *stack = value;

      if (stack != thread->stack)
        {
          skip_time (thread, stack, ns);
          stack->left = ns;
        }
      while (stack_depth (stack) > 0)
        cs_track_close_without_exit (track, thread, stack, ns, how);
      stack->top->ghosts = 0;
    }
}

static gboolean
have_open_calls (const CsPassThread *thread)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, thread->stacks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (stack_depth (value) > 0)
      return TRUE;
  return FALSE;
}

/* The nearest open call of a function, or the bottom of the stack. A node is a whole path of
 * functions: where one was not found below a node, it never will be. */
static CsPassFrame *
find_frame (Track *track, CsPassStack *stack, guint64 function)
{
  CsPassFrame *frame = stack->top;
  guint32 index;
  guint64 key;

  if (!cs_pass_counts_find_function (track->counts, function, &index))
    return stack->frames;
  key = (guint64) frame->node << 32 | index;
  if (g_hash_table_contains (track->absent, &key))
    return stack->frames;
  while (frame != stack->frames && frame->address != function)
    frame--;
  if (frame == stack->frames)
    g_hash_table_add (track->absent, g_memdup2 (&key, sizeof key));
  return frame;
}

/* An exit that isn't the top frame's: closes what lies above the nearest frame of the
 * function, or counts the exit as unmatched when there is none. */
static void
exit_out_of_order (Track *track, CsPassThread *thread, guint64 function, gint64 ns)
{
  CsPassStack *stack = thread->stack;
  CsPassFrame *frame = find_frame (track, stack, function);

  if (frame == stack->frames)
    {
      if (thread->unseen && stack_depth (stack) == 0)
        track->marks->unseen_exits++;
      else
        thread->unmatched++;
      return;
    }
  cs_track_repair_to (track, thread, stack, (gsize) (frame - stack->frames), ns);
  leave (track->pass, track->counts, thread, stack, ns);
}

static void
end_thread (Track *track, CsPassThread *thread)
{
  GHashTableIter iter;
  gpointer value;

  cs_track_close_all (track, thread, thread->last, CS_CALL_OPEN);
  g_hash_table_iter_init (&iter, thread->stacks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    thread->busy += ((CsPassStack *) value)->frames[0].children;
  g_clear_pointer (&thread->stacks, g_hash_table_unref);
  thread->stack = NULL;

  /* Of some there is nothing but a marker, perhaps in somebody else's file. */
  if (thread->enters + thread->exits + thread->lost == 0)
    thread_free (thread);
  else
    {
      cs_track_finish_index (track->pass, thread);
      g_ptr_array_add (track->pass->threads, thread);
    }
}

/* Makes the thread with this id the current one; a new one where there is none, or where one
 * starts. */
CsPassThread *
cs_track_select_thread (Track *track, guint tid, guint64 seq, gboolean starts)
{
  CsPassThread *thread = g_hash_table_lookup (track->threads, GUINT_TO_POINTER (tid));

  if (thread != NULL && starts && (thread->enters + thread->exits + thread->lost > 0 || thread->seq != seq))
    {
      end_thread (track, thread);
      thread = NULL;
    }
  if (thread == NULL)
    {
      thread = thread_new (track->pass, track->process, tid, seq);
      g_hash_table_insert (track->threads, GUINT_TO_POINTER (tid), thread);
    }
  return track->thread = thread;
}

void
cs_track_select_context (CsPassThread *thread, guint64 id, gint64 ns)
{
  CsPassStack *stack = g_hash_table_lookup (thread->stacks, &id);

  if (stack == thread->stack)
    return;
  thread->stack->left = ns;
  if (stack == NULL)
    {
      stack = stack_new (id);
      add_stack (thread, stack);
    }
  else
    skip_time (thread, stack, ns);
  thread->stack = stack;
}

/* The first event of a thread, and the first after a gap. */
static void
resume_thread (Track *track, CsPassThread *thread, gint64 ns)
{
  thread->first = MIN (thread->first, ns);
  if (thread->gap)
    cs_track_close_all (track, thread, ns, CS_CALL_REPAIRED);
  thread->gap = FALSE;
}

static inline gboolean
must_resume (const CsPassThread *thread)
{
  return thread->last == G_MININT64 || thread->gap;
}

/* Tags the function of an event. A module can't go while one of its functions runs: an exit is
 * that of the top frame where their addresses are the same, whatever the times of modules say. */
static guint64
tag_function (CsPassCounts *counts, const CsPassStack *stack, const struct trace_event *event)
{
  guint64 address;

  if (event->kind == TRACE_KIND_EXIT && stack->top != stack->frames)
    {
      cs_pass_counts_find_module (counts, stack->top->address, &address);
      if (address == event->func)
        return stack->top->address;
    }
  return cs_pass_counts_tag_address (counts, event->func, event->ts);
}

static gboolean
starts_thread (const struct trace_event *event)
{
  return event->kind == TRACE_KIND_MARKER && event->func == TRACE_MARK_THREAD_START;
}

/* Takes events up to the end or, where an index is made of them, to one of another thread. run: where
 * to say how deep they led; NULL: no index is made. Returns the end of what was taken. */
static inline __attribute__ ((always_inline)) const struct trace_event *
take_run (Track *track, const CsEventBlock *block, const struct trace_event *begin, const struct trace_event *end,
          CsTrackRun *run)
{
  const CsTrackPass *pass = track->pass;
  CsPassCounts *counts = track->counts;
  const CsClock clock = *track->clock;
  gboolean tagged = counts->tagged;
  /* What every event reads and writes is kept here and put back before anybody else looks. */
  CsPassThread *thread = track->thread;
  CsPassStack *stack = thread->stack;
  gint64 last = thread->last;
  guint64 enters = 0, exits = 0;
  gboolean resume = must_resume (thread);
  const struct trace_event *event = begin;

  for (; event < end; event++)
    {
      guint64 function = event->func;
      guint64 caller = event->caller;
      gint64 ns;

      if (G_UNLIKELY (event->tid != thread->tid || event->kind > TRACE_KIND_EXIT))
        {
          const CsPassStack *before = stack;
          gsize depth = stack_depth (stack);

          if (run != NULL && (event->tid != thread->tid || starts_thread (event)))
            break;
          thread->last = last;
          thread->enters += enters;
          thread->exits += exits;
          enters = exits = 0;
          if (event->tid != thread->tid)
            thread = cs_track_select_thread (track, event->tid, block->file->parts.seq, FALSE);
          if (event->kind > TRACE_KIND_EXIT)
            cs_track_take_other_kind (track, thread, event, block->file->parts.seq);
          thread = track->thread;
          if (run != NULL)
            cs_track_note_other_kind (thread, before, depth, (gsize) (event - begin), run);
          stack = thread->stack;
          last = thread->last;
          resume = must_resume (thread);
          if (event->kind > TRACE_KIND_EXIT)
            continue;
        }

      ns = cs_clock_to_ns (&clock, event->ts);
      if (G_UNLIKELY (ns < last))
        {
          thread->clamped++;
          ns = last;
        }
      last = ns;
      if (G_UNLIKELY (resume))
        {
          if (run != NULL && thread->gap)
            cs_track_note_depth (thread, (gsize) (event - begin), stack_depth (stack),
                                 event->kind == TRACE_KIND_ENTER, TRUE, run);
          resume_thread (track, thread, ns);
          resume = FALSE;
        }
      if (G_UNLIKELY (tagged))
        {
          function = tag_function (counts, stack, event);
          caller = cs_pass_counts_tag_address (counts, caller, event->ts);
        }

      if (event->kind == TRACE_KIND_ENTER)
        {
          enters++;
          enter (counts, stack, function, caller, ns);
          if (run != NULL)
            run->hi = MAX (run->hi, stack_depth (stack));
        }
      else
        {
          exits++;
          if (G_LIKELY (stack->top->address == function && stack->top != stack->frames))
            {
              leave (pass, counts, thread, stack, ns);
              if (run != NULL)
                {
                  run->low = MIN (run->low, stack_depth (stack));
                  run->hi = MAX (run->hi, stack_depth (stack));
                }
            }
          else
            {
              gsize depth = stack_depth (stack);

              exit_out_of_order (track, thread, function, ns);
              if (run != NULL)
                cs_track_note_depth (thread, (gsize) (event - begin), depth, stack_depth (stack), FALSE, run);
            }
        }
    }
  thread->last = last;
  thread->enters += enters;
  thread->exits += exits;
  return event;
}

/* Takes events leaf by leaf of the index. */
static void
take_indexed (Track *track, const CsEventBlock *block)
{
  const struct trace_event *event = block->events, *end = event + block->n;

  while (event < end)
    {
      CsPassThread *thread = event->tid == track->thread->tid
                                 ? track->thread
                                 : cs_track_select_thread (track, event->tid, block->file->parts.seq, FALSE);
      const struct trace_event *begin = event;
      gsize n = (gsize) (end - event);
      guint64 events = thread->enters + thread->exits;
      CsTrackRun run;

      if (starts_thread (event) || (event->kind > TRACE_KIND_EXIT && thread->last == G_MININT64))
        {
          event = take_run (track, block, event, event + 1, NULL); /* the thread has no event yet */
          continue;
        }
      cs_track_begin_run (track->pass, thread, block, event, track->clock, &n, &run);
      event = take_run (track, block, event, event + n, &run);
      cs_track_end_run (thread, (gsize) (event - begin), thread->enters + thread->exits - events, &run);
    }
}

static void
take_events (Track *track, const CsEventBlock *block)
{
  if (track->pass->files != NULL)
    take_indexed (track, block);
  else
    take_run (track, block, block->events, block->events + block->n, NULL);
}

/* What a file's header says of its thread: whether a new one begins, and how many events are
 * missing before its first. */
static void
begin_file (Track *track, const CsEventFile *file)
{
  CsPassThread *thread;
  guint64 known;

  if (track->tid == 0)
    return;
  thread = cs_track_select_thread (track, track->tid, file->parts.seq,
                          (file->header.flags & TRACE_FLAG_THREAD_START) != 0);
  known = thread->enters + thread->exits + thread->lost;
  if (file->header.first_index > known + 1)
    {
      thread->lost += file->header.first_index - 1 - known;
      thread->gap = have_open_calls (thread);
    }
  else if (file->gap)
    thread->gap = have_open_calls (thread);
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
  g_autoptr (GHashTable) threads = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) absent = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  Track state = { .pass = self, .process = track->process, .clock = &self->clocks[index],
                  .tid = track->tid, .threads = threads, .absent = absent };
  GHashTableIter iter;
  gpointer thread;
  CsEventBlock block;
  gboolean complete = TRUE;

  if (self->counts->pdata[index] == NULL)
    self->counts->pdata[index] = cs_pass_counts_new (track->process);
  state.counts = self->counts->pdata[index];
  state.marks = &g_array_index (self->marks, CsPassMarks, index);
  cs_track_select_thread (&state, track->tid, first->parts.seq, FALSE);

  cs_event_reader_set_track (self->reader, track);
  while (complete && cs_event_reader_next (self->reader, &block, self->notices))
    {
      if (block.first)
        begin_file (&state, block.file);
      take_events (&state, &block);
      __atomic_fetch_add (self->bytes_done, block.n * TRACE_EVENT_SIZE, __ATOMIC_RELAXED);
      complete = !g_cancellable_is_cancelled (cancellable);
    }
  g_hash_table_iter_init (&iter, threads);
  while (g_hash_table_iter_next (&iter, NULL, &thread))
    end_thread (&state, thread);
  return complete;
}
