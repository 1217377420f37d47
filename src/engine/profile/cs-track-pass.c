/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-track-pass.h"

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

static inline gsize
stack_depth (const CsPassStack *self)
{
  return (gsize) (self->top - self->frames);
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
  cs_notices_free (self->notices);
  cs_event_reader_free (self->reader);
  g_free (self);
}

/* What one track's events need at hand. */
typedef struct
{
  CsTrackPass *pass;
  const CsProcess *process;
  const CsClock *clock;
  CsPassCounts *counts;
  CsPassMarks *marks;
  guint tid;            /* whose files they are; 0: a stream's */
  CsPassThread *thread; /* of the last event */
  GHashTable *threads;  /* tid → CsPassThread: those that haven't ended */
  GHashTable *absent;   /* (node, function) of exits that were unmatched, as indices */
} Track;

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

static inline void
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
static inline void
leave (const CsTrackPass *pass, CsPassCounts *counts, CsPassThread *thread, CsPassStack *stack, gint64 ns)
{
  guint32 node = stack->top->node;
  guint64 duration = close_frame (counts, thread, stack, ns);

  count_duration (&counts->functions[counts->nodes[node].function], duration);
  if (G_UNLIKELY (pass->on_call != NULL))
    tell_call (pass, counts, thread, stack, ns, CS_CALL_EXITED);
}

/* Closes the innermost call, whose exit is not recorded. */
static void
close_without_exit (Track *track, CsPassThread *thread, CsPassStack *stack, gint64 ns, CsCallEnd how)
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

static void
repair_to (Track *track, CsPassThread *thread, CsPassStack *stack, gsize depth, gint64 ns)
{
  while (stack_depth (stack) > depth)
    close_without_exit (track, thread, stack, ns, CS_CALL_REPAIRED);
}

/* Ends as many of the innermost calls, those counted that were ended already. */
static void
land (Track *track, CsPassThread *thread, CsPassStack *stack, guint64 n, gint64 ns)
{
  for (;;)
    {
      guint32 ghosts = (guint32) MIN (n, stack->top->ghosts);

      stack->top->ghosts -= ghosts;
      n -= ghosts;
      if (n == 0 || stack_depth (stack) == 0)
        return;
      close_without_exit (track, thread, stack, ns, CS_CALL_REPAIRED);
      n--;
    }
}

/* Ends the calls that were inlined into the function that lands and that the landing left. */
static void
leave_inlined (Track *track, CsPassThread *thread, CsPassStack *stack, gint64 ns)
{
  CsPassCounts *counts = track->counts;
  guint64 pc = thread->jumped ? thread->landing - 1 : thread->landing;
  guint64 landing = counts->tagged ? cs_pass_counts_tag_address (counts, pc, thread->landing_ts) : pc;
  gsize depth = stack_depth (stack);
  guint64 functions[CS_LANDING_DEEPEST], bias;
  guint n = (guint) MIN (depth, G_N_ELEMENTS (functions));
  guint32 ghosts = 0;
  const CsInlining *inlining = cs_landings_find (track->pass->landings, counts, landing, &bias);

  track->marks->landings++;
  if (inlining == NULL)
    {
      track->marks->unclear_landings++;
      return;
    }
  /* GCC's code calls the exit hooks of what it leaves by an exception, behind the landing. */
  if (inlining->gnu && !thread->jumped)
    return;
  for (guint i = 0; i < n; i++)
    {
      cs_pass_counts_find_module (counts, (stack->top - i)->address, &functions[i]);
      functions[i] -= bias;
    }
  for (n = cs_inlining_count_left (inlining, functions, n); n > 0; n--)
    {
      ghosts += 1 + stack->top->ghosts;
      close_without_exit (track, thread, stack, ns, CS_CALL_REPAIRED);
    }
  stack->top->ghosts += ghosts;
}

/* Two markers about one landing say how many calls it ended; one alone, how many it left. */
static void
take_depth (Track *track, CsPassThread *thread, guint64 depth, gint64 ns)
{
  CsPassStack *stack = thread->stack;
  guint64 at = thread->enters + thread->exits + 1;
  guint64 repaired = thread->repaired;

  if (thread->depth_at == at)
    land (track, thread, stack, thread->depth > depth ? thread->depth - depth : 0, ns);
  else
    repair_to (track, thread, stack, depth, ns);
  thread->depth = depth;
  thread->depth_at = at;
  if (thread->landing != 0)
    leave_inlined (track, thread, stack, ns);
  thread->landing = 0;
  track->marks->told += thread->repaired - repaired;
}

/* The runtime counts so many of the calls that landings left no more. */
static void
forget_ghosts (CsPassStack *stack, guint64 n)
{
  for (CsPassFrame *frame = stack->top; n > 0 && frame >= stack->frames; frame--)
    {
      guint32 ghosts = (guint32) MIN (n, frame->ghosts);

      frame->ghosts -= ghosts;
      n -= ghosts;
    }
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
static void
close_all (Track *track, CsPassThread *thread, gint64 ns, CsCallEnd how)
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
        close_without_exit (track, thread, stack, ns, how);
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
  repair_to (track, thread, stack, (gsize) (frame - stack->frames), ns);
  leave (track->pass, track->counts, thread, stack, ns);
}

static void
end_thread (Track *track, CsPassThread *thread)
{
  GHashTableIter iter;
  gpointer value;

  close_all (track, thread, thread->last, CS_CALL_OPEN);
  g_hash_table_iter_init (&iter, thread->stacks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    thread->busy += ((CsPassStack *) value)->frames[0].children;
  g_clear_pointer (&thread->stacks, g_hash_table_unref);
  thread->stack = NULL;

  /* Of some there is nothing but a marker, perhaps in somebody else's file. */
  if (thread->enters + thread->exits + thread->lost == 0)
    thread_free (thread);
  else
    g_ptr_array_add (track->pass->threads, thread);
}

/* Makes the thread with this id the current one; a new one where there is none, or where one
 * starts. */
static CsPassThread *
select_thread (Track *track, guint tid, guint64 seq, gboolean starts)
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

static void
select_context (CsPassThread *thread, guint64 id, gint64 ns)
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

/* The time of a marker that has one: no earlier than what the thread did before. */
static gint64
marker_time (Track *track, CsPassThread *thread, const struct trace_event *event)
{
  gint64 ns = cs_clock_to_ns (track->clock, event->ts);

  if (thread->last == G_MININT64)
    return ns;
  if (ns < thread->last)
    {
      thread->clamped++;
      ns = thread->last;
    }
  return thread->last = ns;
}

static void
take_gap (Track *track, guint64 bytes)
{
  GHashTableIter iter;
  gpointer thread;

  track->marks->gap_bytes += bytes;
  g_hash_table_iter_init (&iter, track->threads);
  while (g_hash_table_iter_next (&iter, NULL, &thread))
    ((CsPassThread *) thread)->gap = TRUE;
}

static void
take_off (Track *track, CsPassThread *thread, const struct trace_event *event)
{
  CsPassMarks *marks = track->marks;
  guint64 repaired = thread->repaired;
  gint64 ns = marker_time (track, thread, event);

  close_all (track, thread, ns, CS_CALL_REPAIRED);
  marks->cut_calls += thread->repaired - repaired;
  thread->switched = event->caller;
  if (event->caller == 0)
    marks->toggled_off++;
  else if (event->caller >= marks->switched_off)
    {
      /* Threads that did nothing for a while tell of the first of several times. */
      marks->off_ns = event->caller > marks->switched_off ? ns : MAX (marks->off_ns, ns);
      marks->switched_off = event->caller;
    }
}

static void
take_on (Track *track, CsPassThread *thread, const struct trace_event *event)
{
  CsPassMarks *marks = track->marks;
  const CsClock *clock = track->clock;

  thread->unseen = TRUE;
  if (thread->switched == 0)
    return;
  marks->switched_on = MAX (marks->switched_on, thread->switched);
  marks->away_ns = MAX (marks->away_ns,
                        (guint64) cs_clock_to_ns (clock, clock->t0_ticks + event->caller) - clock->t0_ns);
}

static void
take_marker (Track *track, CsPassThread *thread, const struct trace_event *event, guint64 seq)
{
  CsPassMarks *marks = track->marks;

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
    case TRACE_MARK_WRAPS:
      marks->wraps += event->caller;
      break;
    case TRACE_MARK_CLOCK:
      marks->closed = TRUE;
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
    case TRACE_MARK_LANDED:
    case TRACE_MARK_JUMPED:
      thread->landing = event->caller;
      thread->landing_ts = event->ts;
      thread->jumped = event->func == TRACE_MARK_JUMPED;
      break;
    case TRACE_MARK_THREAD_START:
      select_thread (track, event->tid, seq, TRUE);
      break;
    case TRACE_MARK_OFF:
      take_off (track, thread, event);
      break;
    case TRACE_MARK_ON:
      take_on (track, thread, event);
      break;
    case TRACE_MARK_DEPTH:
      take_depth (track, thread, event->caller, marker_time (track, thread, event));
      break;
    case TRACE_MARK_FORGOTTEN:
      forget_ghosts (thread->stack, event->caller);
      break;
    case TRACE_MARK_CONTEXT:
      select_context (thread, event->caller, marker_time (track, thread, event));
      break;
    case TRACE_MARK_SKIPPED:
      marks->skipped_hooks += event->caller;
      break;
    case TRACE_MARK_RING_DROPS:
      marks->ring_drops = MAX (marks->ring_drops, event->caller);
      break;
    case TRACE_MARK_GAP:
      take_gap (track, event->caller);
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

/* The first event of a thread, and the first after a gap. */
static void
resume_thread (Track *track, CsPassThread *thread, gint64 ns)
{
  thread->first = MIN (thread->first, ns);
  if (thread->gap)
    close_all (track, thread, ns, CS_CALL_REPAIRED);
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

static void
take_events (Track *track, const CsEventBlock *block)
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

  for (const struct trace_event *event = block->events, *end = event + block->n; event < end; event++)
    {
      guint64 function = event->func;
      guint64 caller = event->caller;
      gint64 ns;

      if (G_UNLIKELY (event->tid != thread->tid || event->kind > TRACE_KIND_EXIT))
        {
          thread->last = last;
          thread->enters += enters;
          thread->exits += exits;
          enters = exits = 0;
          if (event->tid != thread->tid)
            thread = select_thread (track, event->tid, block->file->parts.seq, FALSE);
          if (event->kind > TRACE_KIND_EXIT)
            take_other_kind (track, thread, event, block->file->parts.seq);
          thread = track->thread;
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
        }
      else
        {
          exits++;
          if (G_LIKELY (stack->top->address == function && stack->top != stack->frames))
            leave (pass, counts, thread, stack, ns);
          else
            exit_out_of_order (track, thread, function, ns);
        }
    }
  thread->last = last;
  thread->enters += enters;
  thread->exits += exits;
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
  thread = select_thread (track, track->tid, file->parts.seq,
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
  g_hash_table_iter_init (&iter, threads);
  while (g_hash_table_iter_next (&iter, NULL, &thread))
    end_thread (&state, thread);
  return complete;
}
