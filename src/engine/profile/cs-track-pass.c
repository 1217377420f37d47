/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

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
  copy->files = NULL;
  copy->indices = g_ptr_array_new_with_free_func (cs_track_builder_free_track);
  copy->notices = cs_notices_new ();
  cs_notices_add_all (copy->notices, self->notices);
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

/* Finds the node of a call that was not expected, and expects it the next time. parent: the node of
 * the caller; last_child: that of the call from there which ended last; 0: none has. */
guint32
cs_track_find_node (CsPassCounts *counts, guint32 parent, guint32 last_child, guint64 function)
{
  guint32 node = cs_pass_counts_add_node (counts, parent, function);

  if (last_child != 0)
    counts->nodes[last_child].next_sibling = node;
  else
    counts->nodes[parent].first_child = node;
  return node;
}

/* Opens a call. `first' is its time, or later where it doesn't count as its node's first. */
static inline __attribute__ ((always_inline)) void
enter (CsPassCounts *counts, CsPassStack *stack, guint64 function, guint64 caller, gint64 ns, gint64 first)
{
  CsPassFrame *top = stack->top;
  guint32 index = top->next_child;
  CsPassNode *node = &counts->nodes[index];

  if (G_UNLIKELY (node->address != function || index == 0))
    {
      index = cs_track_find_node (counts, top->node, top->last_child, function);
      node = &counts->nodes[index];
    }
  if (counts->sites_counted && G_UNLIKELY (node->caller != caller || node->site == 0))
    {
      node->site = cs_pass_counts_add_site (counts, function, caller) + 1;
      node->caller = caller;
    }
  if (G_UNLIKELY (first < node->first_ns))
    node->first_ns = first;
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

/**
 * cs_track_push_call:
 * @track: a track with a filter
 * @thread: a thread before the time range
 * @function: a function's (tagged) address
 * @caller: the call's (tagged) return address
 * @ns: the time at which the range begins
 *
 * Opens a call in the thread's running stack.
 */
void
cs_track_push_call (Track *track, CsPassThread *thread, guint64 function, guint64 caller, gint64 ns)
{
  enter (track->counts, thread->stack, function, caller, ns, G_MAXINT64);
}

/* Notes that a thread called a function. */
void
cs_track_note_called (CsPassThread *thread, CsPassFunction *function, guint32 index)
{
  guint byte = index / 8;

  function->last_thread = thread->serial;
  if (thread->called->len <= byte)
    {
      guint old = thread->called->len;

      g_byte_array_set_size (thread->called, byte + 1);
      memset (thread->called->data + old, 0, byte + 1 - old);
    }
  thread->called->data[byte] |= (guint8) (1 << index % 8);
}

/* Takes the innermost frame off the stack. Returns its duration, ns. */
static inline guint64
close_frame (CsPassCounts *counts, CsPassThread *thread, CsPassStack *stack, gint64 ns)
{
  CsPassFrame *frame = stack->top--;
  CsPassFrame *parent = stack->top;
  CsPassNode *node = &counts->nodes[frame->node];
  CsPassFunction *function = &counts->functions[node->function];
  guint64 duration = (guint64) ns - (guint64) frame->start;

  node->incl += duration;
  node->self += duration - frame->children;
  node->calls++;
  if (counts->sites_counted)
    {
      counts->sites[frame->site - 1].incl += duration;
      counts->sites[frame->site - 1].calls++;
    }
  if (G_UNLIKELY (function->last_thread != thread->serial))
    cs_track_note_called (thread, function, node->function);
  parent->children += duration;
  parent->last_child = frame->node;
  parent->next_child = node->next_sibling;
  return duration;
}

/* A call whose exit is recorded, closed just now. */
static inline void
count_duration (CsPassCounts *counts, const CsPassThread *thread, const CsPassFrame *frame, guint64 ns)
{
  CsPassFunction *function = &counts->functions[counts->nodes[frame->node].function];

  if (ns < function->min)
    function->min = ns;
  if (G_UNLIKELY (ns >= function->floor))
    {
      const CsPassSlowCall call = { ns, frame->start, frame->node, thread->tid, thread->serial };

      cs_pass_counts_note_slow (counts, function, &call);
    }
  function->squares += (unsigned __int128) ns * ns;
  cs_histogram_add (&function->histogram, ns);
}

static void
tell_call (const CsTrackPass *pass, const CsPassCounts *counts, const CsPassThread *thread,
           const CsPassStack *stack, gint64 ns, CsCallEnd how)
{
  const CsPassFrame *frame = stack->top + 1; /* just closed */
  CsPassCall call = { .address = frame->address, .context = stack->id,
                      .function = counts->nodes[frame->node].function,
                      .start = frame->start, .end = ns, .how = how };

  if (pass->on_call != NULL)
    pass->on_call (thread, &call, pass->on_call_data);
}

static void
tell_enter (const CsTrackPass *pass, const CsPassCounts *counts, const CsPassThread *thread,
                     const CsPassStack *stack, const CsPassFrame *frame)
{
  CsPassCall call = { .address = frame->address, .context = stack->id,
                      .function = counts->nodes[frame->node].function, .start = frame->start };

  pass->on_enter (thread, &call, pass->on_call_data);
}

/* Closes the innermost call by its recorded exit. */
static inline __attribute__ ((always_inline)) void
leave (const CsTrackPass *pass, CsPassCounts *counts, CsPassThread *thread, CsPassStack *stack, gint64 ns)
{
  CsPassFrame *frame = stack->top;
  guint64 duration = close_frame (counts, thread, stack, ns);

  count_duration (counts, thread, frame, duration);
  if (G_UNLIKELY (pass->on_call != NULL))
    tell_call (pass, counts, thread, stack, ns, CS_CALL_EXITED);
}

/* Closes the innermost call, whose exit is not recorded or lies outside the time range. */
static void
close_unrecorded (Track *track, CsPassThread *thread, CsPassStack *stack, gint64 ns, CsCallEnd how)
{
  CsPassCounts *counts = track->counts;
  CsPassFrame *frame = stack->top;
  CsPassNodeRest *rest = &counts->node_rests[frame->node];

  rest->unrecorded += close_frame (counts, thread, stack, ns);
  if (how == CS_CALL_REPAIRED)
    {
      rest->repaired++;
      thread->repaired++;
    }
  else
    {
      counts->nodes[frame->node].calls--;
      *(how == CS_CALL_OPEN ? &rest->open : &rest->clipped) += 1;
      if (counts->sites_counted)
        {
          CsPassSite *site = &counts->sites[frame->site - 1];

          site->calls--;
          *(how == CS_CALL_OPEN ? &site->open : &site->clipped) += 1;
        }
      *(how == CS_CALL_OPEN ? &thread->open : &thread->clipped) += 1;
    }
  tell_call (track->pass, counts, thread, stack, ns, how);
}

/* Closes the innermost call where a filter says what counts. */
static void
close_filtered (Track *track, CsPassThread *thread, CsPassStack *stack, gint64 ns, CsCallEnd how)
{
  const CsPassFrame *frame = stack->top;
  gsize depth = stack_depth (stack);
  gboolean clipped = depth <= stack->clipped;

  if (clipped)
    stack->clipped = depth - 1;
  if (thread->phase != CS_PASS_WITHIN || !track->counts->node_rests[frame->node].inside)
    {
      CsPassFrame *parent = --stack->top;

      parent->children += frame->children;
      parent->last_child = frame->node;
      parent->next_child = track->counts->nodes[frame->node].next_sibling;
    }
  else if (clipped)
    close_unrecorded (track, thread, stack, ns, CS_CALL_CLIPPED);
  else if (how == CS_CALL_EXITED)
    leave (track->pass, track->counts, thread, stack, ns);
  else
    close_unrecorded (track, thread, stack, ns, how);
}

/* Closes the innermost call, whose exit is not recorded. */
void
cs_track_close_without_exit (Track *track, CsPassThread *thread, CsPassStack *stack, gint64 ns, CsCallEnd how)
{
  if (track->pass->filter != NULL)
    close_filtered (track, thread, stack, ns, how);
  else
    close_unrecorded (track, thread, stack, ns, how);
}

void
cs_track_repair_to (Track *track, CsPassThread *thread, CsPassStack *stack, gsize depth, gint64 ns)
{
  while (stack_depth (stack) > depth)
    cs_track_close_without_exit (track, thread, stack, ns, CS_CALL_REPAIRED);
}

/* The nearest open call of a function, or the bottom of the stack. A node is a whole path of
 * functions: where one was not found below a node, it never will be. That is noted at one frame in
 * 64, so that exits of functions that are not open cost no more in a deep stack. */
static CsPassFrame *
find_frame (Track *track, CsPassStack *stack, guint64 function)
{
  CsPassFrame *frame = stack->top;
  CsPassFrame *noted = stack->frames + stack_depth (stack) / 64 * 64;
  guint32 index;
  guint64 key;

  if (!cs_pass_counts_find_function (track->counts, function, &index))
    return stack->frames;
  for (; frame != stack->frames && frame->address != function; frame--)
    {
      if ((frame - stack->frames) % 64 != 0)
        continue;
      key = (guint64) frame->node << 32 | index;
      if (g_hash_table_contains (track->absent, &key))
        {
          frame = stack->frames;
          break;
        }
    }
  if (frame == stack->frames && noted != stack->frames)
    {
      key = (guint64) noted->node << 32 | index;
      g_hash_table_add (track->absent, g_memdup2 (&key, sizeof key));
    }
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
        thread->unmatched += thread->phase == CS_PASS_WITHIN;
      return;
    }
  cs_track_repair_to (track, thread, stack, (gsize) (frame - stack->frames), ns);
  if (track->pass->filter != NULL)
    close_filtered (track, thread, stack, ns, CS_CALL_EXITED);
  else
    leave (track->pass, track->counts, thread, stack, ns);
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
            tell_enter (track->pass, track->counts, thread, stack, frame);
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

/* Whether an enter or exit counts that makes or made this call the innermost one. */
static inline gboolean
is_inside (const CsPassCounts *counts, const CsPassThread *thread, const CsPassStack *stack)
{
  return thread->phase == CS_PASS_WITHIN && counts->node_rests[stack->top->node].inside;
}

static gboolean
starts_thread (const struct trace_event *event)
{
  return event->kind == TRACE_KIND_MARKER && event->func == TRACE_MARK_THREAD_START;
}

/* Takes events up to the end or, where an index is made of them, to one of another thread. run: where
 * to say how deep those from `begin' on led; NULL: no index is made. Returns the end of what was taken. */
static inline __attribute__ ((always_inline)) const struct trace_event *
take_run (Track *track, const CsEventBlock *block, const struct trace_event *begin, const struct trace_event *event,
          const struct trace_event *end, CsTrackRun *run, const gboolean filtered)
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
          thread->clamped += !filtered || thread->phase <= CS_PASS_WITHIN;
          ns = last;
        }
      last = ns;
      if (filtered)
        {
          ns = cs_track_move_to (track, thread, ns);
          if (thread->phase > CS_PASS_WITHIN)
            {
              enters += event->kind == TRACE_KIND_ENTER;
              exits += event->kind == TRACE_KIND_EXIT;
              thread->other_enters += event->kind == TRACE_KIND_ENTER;
              thread->other_exits += event->kind == TRACE_KIND_EXIT;
              continue;
            }
          if (thread->phase == CS_PASS_WITHIN)
            thread->first = MIN (thread->first, ns);
        }
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
          enter (counts, stack, function, caller, ns,
                 filtered && thread->phase != CS_PASS_WITHIN ? G_MAXINT64 : ns);
          if (filtered)
            thread->other_enters += !is_inside (counts, thread, stack);
          if (G_UNLIKELY (pass->on_enter != NULL) && (!filtered || is_inside (counts, thread, stack)))
            tell_enter (pass, counts, thread, stack, stack->top);
          if (run != NULL)
            run->hi = MAX (run->hi, stack_depth (stack));
        }
      else
        {
          exits++;
          if (filtered)
            thread->other_exits += !is_inside (counts, thread, stack);
          if (filtered && stack->top->address == function && stack->top != stack->frames)
            close_filtered (track, thread, stack, ns, CS_CALL_EXITED);
          else if (G_LIKELY (stack->top->address == function && stack->top != stack->frames))
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

static const struct trace_event *
take_any (Track *track, const CsEventBlock *block, const struct trace_event *begin, const struct trace_event *event,
          const struct trace_event *end, CsTrackRun *run)
{
  if (run != NULL)
    return take_run (track, block, begin, event, end, run, FALSE);
  return take_run (track, block, begin, event, end, NULL, FALSE);
}

/* The same without a filter: plain events first, each other one by itself. */
static const struct trace_event *
take_mostly_plain (Track *track, const CsEventBlock *block, const struct trace_event *begin,
                   const struct trace_event *end, CsTrackRun *run)
{
  const CsTrackPass *pass = track->pass;
  const struct trace_event *event = begin;

  if (pass->on_enter != NULL || pass->on_call != NULL || track->counts->sites_counted || track->counts->tagged)
    return take_any (track, block, begin, begin, end, run);
  while (event < end)
    {
      const struct trace_event *other = event;

      if (!must_resume (track->thread))
        other = cs_track_take_plain (track, event, end, run);
      if (other == end)
        return end;
      event = take_any (track, block, begin, other, other + 1, run);
      if (event == other)
        break;
    }
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
          event = take_any (track, block, event, event, event + 1, NULL); /* the thread has no event yet */
          continue;
        }
      cs_track_begin_run (track->pass, thread, block, event, track->clock, &n, &run);
      event = take_mostly_plain (track, block, event, event + n, &run);
      cs_track_end_run (thread, (gsize) (event - begin), thread->enters + thread->exits - events, &run);
    }
}

static void
take_events (Track *track, const CsEventBlock *block)
{
  const struct trace_event *end = block->events + block->n;

  if (track->pass->filter != NULL)
    take_run (track, block, block->events, block->events, end, NULL, TRUE);
  else if (track->pass->files != NULL)
    take_indexed (track, block);
  else
    take_mostly_plain (track, block, block->events, end, NULL);
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
      if (thread->phase != CS_PASS_WITHIN)
        thread->other_lost += file->header.first_index - 1 - known;
      thread->gap = cs_track_have_open_calls (thread);
    }
  else if (file->gap)
    thread->gap = cs_track_have_open_calls (thread);
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
  self->absent = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
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

/**
 * cs_track_read:
 * @self: a track
 * @track: what there is of it by now
 * @n_read: (out) (optional): how many records were read
 * @cancellable: (nullable): to stop early
 *
 * Reads what has not been read yet and adds it to the counts.
 *
 * Returns: whether all was read
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
  if (pass->filter != NULL && !cs_pass_filter_takes_track (pass->filter, track))
    return TRUE;
  cs_event_reader_set_track (pass->reader, track);
  cs_track_expect_again (self);
  if ((self->begun || !cs_track_skip_to_range (self, track)) && !seek_unread (self, track))
    return TRUE;
  if (self->thread == NULL)
    cs_track_select_thread (self, track->tid, first->parts.seq, FALSE);
  while (complete && more && cs_event_reader_next (pass->reader, &block, pass->notices))
    {
      guint64 position = find_block (track, &block), again;

      /* A file that had no records the last time has begun already. */
      if (block.first && (!self->begun || self->seq != block.file->parts.seq || (block.file->tail && !self->in_tail)))
        begin_file (self, block.file);
      if (self->begun && self->seq != block.file->parts.seq)
        cs_track_expect_again (self);
      again = cs_track_leave_out_again (self, &block, position);
      take_events (self, &block);
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
      __atomic_fetch_add (pass->bytes_done, block.n * TRACE_EVENT_SIZE, __ATOMIC_RELAXED);
      complete = !g_cancellable_is_cancelled (cancellable);
      if (self->thread->phase == CS_PASS_AFTER && track->tid != 0)
        break;
    }
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
