/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-track-private.h"

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
      cs_track_close_without_exit (track, thread, stack, ns, CS_CALL_REPAIRED);
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
      cs_track_close_without_exit (track, thread, stack, ns, CS_CALL_REPAIRED);
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
    cs_track_repair_to (track, thread, stack, depth, ns);
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

/**
 * cs_track_cut:
 * @track: a track
 * @thread: one of its threads
 * @kind: why nothing is known of what it did before its next event
 * @n: enters and exits that are missing; 0: not known
 *
 * Notes it where it lies within what the filter asks for. A time that nothing is known of for several reasons bears the
 * first.
 */
void
cs_track_cut (Track *track, CsPassThread *thread, CsCutKind kind, guint64 n)
{
  const CsCut cut = { .kind = kind, .process = track->process->index, .tid = thread->tid, .serial = thread->serial,
                      .from = thread->last, .to = G_MAXINT64, .n = n, .times = 1 };

  if (thread->phase > CS_PASS_WITHIN)
    return;
  if (thread->cut != 0 && kind != CS_CUT_STOPPED)
    g_array_index (track->pass->cuts, CsCut, thread->cut - 1).n += n;
  else
    thread->cut = cs_cuts_add (track->pass->cuts, &cut);
}

/* The time of a marker that has one: no earlier than what the thread did before. */
static gint64
marker_time (Track *track, CsPassThread *thread, const struct trace_event *event)
{
  gint64 ns = cs_clock_to_ns (track->clock, event->ts);

  if (thread->last != G_MININT64)
    {
      if (ns < thread->last)
        {
          thread->clamped += thread->phase <= CS_PASS_WITHIN;
          ns = thread->last;
        }
      thread->last = ns;
    }
  return track->pass->filter != NULL ? cs_track_move_to (track, thread, ns) : ns;
}

/* Events of any of the track's threads may be missing here. */
void
cs_track_note_gap (Track *track)
{
  GHashTableIter iter;
  gpointer thread;

  g_hash_table_iter_init (&iter, track->threads);
  while (g_hash_table_iter_next (&iter, NULL, &thread))
    {
      ((CsPassThread *) thread)->gap = TRUE;
      cs_track_cut (track, thread, CS_CUT_LOST, 0);
    }
}

static void
take_off (Track *track, CsPassThread *thread, const struct trace_event *event)
{
  CsPassMarks *marks = track->marks;
  guint64 repaired = thread->repaired;
  gint64 ns = marker_time (track, thread, event);

  cs_track_close_all (track, thread, ns, CS_CALL_REPAIRED);
  cs_track_cut (track, thread, CS_CUT_OFF, 0);
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

/* In a stream bytes are missing, of whatever records. In a file of a thread's own a block of a packed file was
 * damaged that it was made of: so many bytes' records, all of them enters and exits. */
static void
take_gap (Track *track, CsPassThread *thread, guint64 bytes)
{
  guint64 events = bytes / TRACE_EVENT_SIZE;

  cs_track_note_gap (track);
  if (track->tid == 0)
    {
      track->marks->gap_bytes += bytes;
      return;
    }
  cs_track_cut (track, thread, CS_CUT_LOST, events);
  thread->lost += events;
  if (thread->phase != CS_PASS_WITHIN)
    thread->other_lost += events;
  track->marks->gap_events += events;
  cs_track_break_index (thread);
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
      cs_track_cut (track, thread, CS_CUT_STOPPED, 0);
      if (thread->cut != 0)
        g_array_index (track->pass->cuts, CsCut, thread->cut - 1).reason = (guint) event->func;
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
      cs_track_select_thread (track, event->tid, seq, TRUE);
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
      cs_track_select_context (thread, event->caller, marker_time (track, thread, event));
      break;
    case TRACE_MARK_SKIPPED:
      marks->skipped_hooks += event->caller;
      break;
    case TRACE_MARK_RING_DROPS:
      marks->ring_drops = MAX (marks->ring_drops, event->caller);
      break;
    case TRACE_MARK_GAP:
      take_gap (track, thread, event->caller);
      break;
    default:
      marks->unknown_markers++;
      marks->last_unknown_marker = event->func;
      break;
    }
}

void
cs_track_take_other_kind (Track *track, CsPassThread *thread, const struct trace_event *event, guint64 seq)
{
  if (event->kind == TRACE_KIND_MARKER)
    take_marker (track, thread, event, seq);
  else if (event->kind != TRACE_KIND_COUNTERS)
    {
      track->marks->unknown_kinds++;
      track->marks->last_unknown_kind = event->kind;
    }
}
