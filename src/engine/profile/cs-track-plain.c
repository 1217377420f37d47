/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-track-private.h"

/* As many events as are taken at a time. */
#define CHUNK 256

/* Thread and kind of an event in one number. */
static inline guint64
event_tail (const struct trace_event *event)
{
  guint64 tail;

  memcpy (&tail, &event->tid, sizeof tail);
  return tail;
}

G_STATIC_ASSERT (TRACE_EVENT_SIZE - G_STRUCT_OFFSET (struct trace_event, tid) == sizeof (guint64));

/* What else is counted of calls than the call tree. It is done some calls later, when the functions'
 * memory has been fetched, in a loop that has nothing else to keep in registers. */
void
cs_track_count_exits (CsPassCounts *counts, CsPassThread *thread, const CsTrackExit *exits, gsize n)
{
  for (const CsTrackExit *exit = exits, *end = exits + n; exit < end; exit++)
    {
      CsPassFunction *function = &counts->functions[exit->function];
      guint64 ns = exit->duration;

      if (G_UNLIKELY (function->last_thread != thread->serial))
        cs_track_note_called (thread, function, exit->function);
      if (ns < function->min)
        function->min = ns;
      if (G_UNLIKELY (ns >= function->floor))
        {
          const CsPassSlowCall call = { ns, exit->start, exit->node, thread->tid, thread->serial };

          cs_pass_counts_note_slow (counts, function, &call);
        }
      function->squares += (unsigned __int128) ns * ns;
      cs_histogram_add (&function->histogram, ns);
    }
}

static inline __attribute__ ((always_inline)) const struct trace_event *
take_chunk (Track *track, const struct trace_event *event, const struct trace_event *end, CsTrackRun *run)
{
  CsPassCounts *counts = track->counts;
  CsPassThread *thread = track->thread;
  CsPassStack *stack = thread->stack;
  const CsClock clock = *track->clock;
  const struct trace_event *begin = event;
  const guint64 enters = event_tail (&(struct trace_event){ .tid = thread->tid, .kind = TRACE_KIND_ENTER });
  const guint64 exits = event_tail (&(struct trace_event){ .tid = thread->tid, .kind = TRACE_KIND_EXIT });
  const CsPassFrame *room = stack->frames + stack->size - 1;
  CsPassFrame *top = stack->top;
  const CsPassFrame *lowest = room, *highest = stack->frames;
  /* Of the innermost call alone; its callers' are set when the calls from them end. */
  guint32 next_child = top->next_child, last_child = top->last_child;
  gint64 last = thread->last;
  CsTrackExit closed[CHUNK], *exit = closed;

  for (; event < end; event++)
    {
      guint64 tail = event_tail (event);
      gint64 ns = cs_clock_to_ns (&clock, event->ts);

      if (G_UNLIKELY (ns < last))
        break;
      if (tail == enters)
        {
          guint32 index = next_child;
          CsPassNode *node = &counts->nodes[index];

          if (G_UNLIKELY (top == room))
            break;
          if (G_UNLIKELY (node->address != event->func || index == 0))
            {
              index = cs_track_find_node (counts, top->node, last_child, event->func);
              node = &counts->nodes[index];
            }
          if (G_UNLIKELY (ns < node->first_ns))
            node->first_ns = ns;
          cs_track_open_frame (++top, event->func, index, ns);
          last_child = 0;
          next_child = node->first_child;
        }
      else if (G_LIKELY (tail == exits && top->address == event->func && top->node != 0)) /* the bottom has node 0 */
        {
          CsPassNode *node = &counts->nodes[top->node];

          *exit = cs_track_count_in_node (counts, node, top->node, top, ns);
          last_child = top->node;
          next_child = node->next_sibling;
          top--;
          top->children += (exit++)->duration;
          if (run != NULL)
            lowest = MIN (lowest, top);
        }
      else
        break;
      last = ns;
      if (run != NULL)
        highest = MAX (highest, top);
    }

  stack->top = top;
  top->next_child = next_child;
  top->last_child = last_child;
  cs_track_count_exits (counts, thread, closed, (gsize) (exit - closed));
  thread->last = last;
  thread->exits += (guint64) (exit - closed);
  thread->enters += (guint64) (event - begin) - (guint64) (exit - closed);
  if (run != NULL && event > begin)
    {
      run->hi = MAX (run->hi, (guint32) (highest - stack->frames));
      if (exit > closed)
        run->low = MIN (run->low, (guint32) (lowest - stack->frames));
    }
  return event;
}

/**
 * cs_track_take_plain:
 * @track: a track whose current thread isn't behind a gap
 * @event: the next event
 * @end: the end of the events
 * @run: (nullable): where to say how deep they led
 *
 * Takes enters and exits of the current thread for as long as they are what most are: in order,
 * and matched. Of a pass in which there is no more to do with each than to count functions and
 * the call tree.
 *
 * Returns: the first event that is none of these
 */
const struct trace_event *
cs_track_take_plain (Track *track, const struct trace_event *event, const struct trace_event *end, CsTrackRun *run)
{
  const struct trace_event *stop;

  do
    {
      stop = event + MIN (CHUNK, end - event);
      event = run != NULL ? take_chunk (track, event, stop, run) : take_chunk (track, event, stop, NULL);
    }
  while (event == stop && event < end);
  return event;
}
