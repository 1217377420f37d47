/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-track-private.h"

/* Doubles the room for frames. */
void
cs_track_stack_grow (CsPassStack *self)
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
      node->site = cs_track_add_site (counts, top, function, caller) + 1;
      node->caller = caller;
    }
  if (G_UNLIKELY (first < node->first_ns))
    node->first_ns = first;
  if (G_UNLIKELY (top + 1 == stack->frames + stack->size))
    {
      cs_track_stack_grow (stack);
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

/* Tells of a call that is open from now on. */
void
cs_track_tell_enter (const CsTrackPass *pass, const CsPassCounts *counts, const CsPassThread *thread,
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

/* The first event of a thread, and the first after a gap or cut. */
static void
resume_thread (Track *track, CsPassThread *thread, gint64 ns)
{
  if (thread->cut != 0)
    cs_cuts_close (track->pass->cuts, thread->cut, ns, track->marks->wraps > 0);
  thread->cut = 0;
  thread->first = MIN (thread->first, ns);
  if (thread->gap)
    cs_track_close_all (track, thread, ns, CS_CALL_REPAIRED);
  thread->gap = FALSE;
}

static inline gboolean
must_resume (const CsPassThread *thread)
{
  return thread->last == G_MININT64 || thread->gap || thread->cut != 0;
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

/* What every event reads and writes is kept here, in registers, and put back before anybody else looks. */
typedef struct
{
  CsPassThread *thread;
  CsPassStack *stack;
  gint64 last;
  guint64 enters, exits;
  gboolean resume; /* must_resume() */
} Cursor;

static inline __attribute__ ((always_inline)) Cursor
begin_taking (CsPassThread *thread)
{
  return (Cursor){ .thread = thread, .stack = thread->stack, .last = thread->last, .resume = must_resume (thread) };
}

static inline __attribute__ ((always_inline)) void
put_back (const Cursor *self)
{
  self->thread->last = self->last;
  self->thread->enters += self->enters;
  self->thread->exits += self->exits;
}

/* Takes what is no enter or exit, and goes to the thread of an event of another. */
static inline __attribute__ ((always_inline)) void
take_other (Cursor *self, Track *track, const CsEventBlock *block, const struct trace_event *begin,
            const struct trace_event *event, CsTrackRun *run)
{
  const CsPassStack *before = self->stack;
  gsize depth = stack_depth (before);
  CsPassThread *thread = self->thread;

  put_back (self);
  if (event->tid != thread->tid)
    thread = cs_track_select_thread (track, event->tid, block->file->parts.seq, FALSE);
  if (event->kind > TRACE_KIND_EXIT)
    cs_track_take_other_kind (track, thread, event, block->file->parts.seq);
  if (run != NULL)
    cs_track_note_other_kind (track->thread, before, depth, (gsize) (event - begin), run);
  *self = begin_taking (track->thread);
}

/* Takes an exit. i: its place in the run. */
static inline __attribute__ ((always_inline)) void
take_exit (Cursor *self, Track *track, guint64 function, gint64 ns, gsize i, CsTrackRun *run, const gboolean filtered)
{
  CsPassThread *thread = self->thread;
  CsPassStack *stack = self->stack;
  gboolean innermost = stack->top->address == function && stack->top != stack->frames;

  self->exits++;
  if (filtered)
    thread->other_exits += !is_inside (track->counts, thread, stack);
  if (filtered && innermost)
    close_filtered (track, thread, stack, ns, CS_CALL_EXITED);
  else if (G_LIKELY (innermost))
    {
      leave (track->pass, track->counts, thread, stack, ns);
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
        cs_track_note_depth (thread, i, depth, stack_depth (stack), FALSE, run);
    }
}

/* Takes an enter. */
static inline __attribute__ ((always_inline)) void
take_enter (Cursor *self, Track *track, guint64 function, guint64 caller, gint64 ns, CsTrackRun *run,
            const gboolean filtered)
{
  const CsTrackPass *pass = track->pass;
  CsPassCounts *counts = track->counts;
  CsPassThread *thread = self->thread;
  CsPassStack *stack = self->stack;

  self->enters++;
  enter (counts, stack, function, caller, ns, filtered && thread->phase != CS_PASS_WITHIN ? G_MAXINT64 : ns);
  if (filtered)
    thread->other_enters += !is_inside (counts, thread, stack);
  if (G_UNLIKELY (pass->on_enter != NULL) && (!filtered || is_inside (counts, thread, stack)))
    cs_track_tell_enter (pass, counts, thread, stack, stack->top);
  if (run != NULL)
    run->hi = MAX (run->hi, stack_depth (stack));
}

/* Moves a filtered thread to a time. Returns whether the event is behind what is wanted, and counted as that. */
static inline __attribute__ ((always_inline)) gboolean
leave_out (Cursor *self, Track *track, const struct trace_event *event, gint64 *ns)
{
  CsPassThread *thread = self->thread;

  *ns = cs_track_move_to (track, thread, *ns);
  if (thread->phase > CS_PASS_WITHIN)
    {
      self->enters += event->kind == TRACE_KIND_ENTER;
      self->exits += event->kind == TRACE_KIND_EXIT;
      thread->other_enters += event->kind == TRACE_KIND_ENTER;
      thread->other_exits += event->kind == TRACE_KIND_EXIT;
      return TRUE;
    }
  if (thread->phase == CS_PASS_WITHIN)
    thread->first = MIN (thread->first, *ns);
  return FALSE;
}

/* Takes events up to the end or, where an index is made of them, to one of another thread. run: where
 * to say how deep those from `begin' on led; NULL: no index is made. Returns the end of what was taken. */
static inline __attribute__ ((always_inline)) const struct trace_event *
take_run (Track *track, const CsEventBlock *block, const struct trace_event *begin, const struct trace_event *event,
          const struct trace_event *end, CsTrackRun *run, const gboolean filtered)
{
  CsPassCounts *counts = track->counts;
  const CsClock clock = *track->clock;
  const gboolean tagged = counts->tagged;
  Cursor at = begin_taking (track->thread);

  for (; event < end; event++)
    {
      guint64 function = event->func;
      guint64 caller = event->caller;
      gsize i = (gsize) (event - begin);
      gint64 ns;

      if (G_UNLIKELY (event->tid != at.thread->tid || event->kind > TRACE_KIND_EXIT))
        {
          if (run != NULL && (event->tid != at.thread->tid || starts_thread (event)))
            break;
          take_other (&at, track, block, begin, event, run);
          if (event->kind > TRACE_KIND_EXIT)
            continue;
        }

      ns = cs_clock_to_ns (&clock, event->ts);
      if (G_UNLIKELY (ns < at.last))
        {
          at.thread->clamped += !filtered || at.thread->phase <= CS_PASS_WITHIN;
          ns = at.last;
        }
      at.last = ns;
      if (filtered && leave_out (&at, track, event, &ns))
        continue;
      if (G_UNLIKELY (at.resume))
        {
          if (run != NULL && at.thread->gap)
            cs_track_note_depth (at.thread, i, stack_depth (at.stack), event->kind == TRACE_KIND_ENTER, TRUE, run);
          resume_thread (track, at.thread, ns);
          at.resume = FALSE;
        }
      if (G_UNLIKELY (tagged))
        {
          function = tag_function (counts, at.stack, event);
          caller = cs_pass_counts_tag_address (counts, caller, event->ts);
        }
      if (event->kind == TRACE_KIND_ENTER)
        take_enter (&at, track, function, caller, ns, run, filtered);
      else
        take_exit (&at, track, function, ns, i, run, filtered);
    }
  put_back (&at);
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

  if (pass->on_enter != NULL || pass->on_call != NULL || pass->by_thread || track->counts->sites_counted ||
      track->counts->tagged)
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

  cs_track_place_leaves (track, block);
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
      cs_track_begin_run (track, thread, block, event, &n, &run);
      event = take_mostly_plain (track, block, event, event + n, &run);
      cs_track_end_run (thread, (gsize) (event - begin), thread->enters + thread->exits - events, &run);
    }
}

/**
 * cs_track_take_events:
 * @track: a track
 * @block: its next records
 *
 * Does what they say.
 */
void
cs_track_take_events (Track *track, const CsEventBlock *block)
{
  const struct trace_event *end = block->events + block->n;

  if (track->pass->filter != NULL)
    take_run (track, block, block->events, block->events, end, NULL, TRUE);
  else if (track->pass->files != NULL)
    take_indexed (track, block);
  else
    take_mostly_plain (track, block, block->events, end, NULL);
}
