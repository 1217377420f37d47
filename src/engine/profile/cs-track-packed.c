/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-track-private.h"

/* As many records at most are taken at a time; the shortest has two bytes. */
#define CHUNK 256

/* So many records are decoded where one can't be taken as it is; twice as many each time that
 * this was soon again, up to a limit. */
#define SHORTEST_DETOUR 16
#define LONGEST_DETOUR 512
#define SOON 64

static inline guint
load_16 (const guint8 *p)
{
  guint16 value;

  memcpy (&value, p, sizeof value);
  return value;
}

/* The node of a call that was not expected, or whose function is met for the first time by this id. */
static __attribute__ ((noinline)) guint32
find_node (CsPassCounts *counts, guint32 parent, guint32 last_child, guint site, guint64 function)
{
  guint32 index = cs_track_find_node (counts, parent, last_child, function);

  counts->ids.functions[site - 1] = counts->nodes[index].function;
  return index;
}

/* Takes what stands before a record of time and frames. Returns whether there was something. */
static gboolean
take_prefix (CsPackedWords *words, guint16 **known, const guint8 **p, guint64 *base)
{
  guint32 later;

  switch (load_16 (*p))
    {
    case TRACE_WORD_TIME:
      if (words->end - *p < 10)
        return FALSE;
      memcpy (base, *p + 2, sizeof *base);
      *p += 10;
      return TRUE;
    case TRACE_WORD_LATER:
      if (words->end - *p < 6)
        return FALSE;
      memcpy (&later, *p + 2, sizeof later);
      *base += later;
      *p += 6;
      return TRUE;
    case TRACE_WORD_FORGET:
      *known = words->frames;
      *p += 2;
      return TRUE;
    default:
      return FALSE;
    }
}

/* Takes enters and exits of the innermost known frame up to the end of words or the first other record. */
static gsize
take_chunk (Track *track, CsPackedWords *words, const guint8 *stop)
{
  CsPassCounts *counts = track->counts;
  CsPassThread *thread = track->thread;
  CsPassStack *stack = thread->stack;
  const CsClock clock = *track->clock;
  const struct trace_definition *definitions = words->definitions;
  const guint32 n_definitions = words->n_definitions;
  const guint32 *functions = counts->ids.functions;
  CsPassNode *nodes = counts->nodes;
  const CsPassFrame *room = stack->frames + stack->size - 1;
  CsPassFrame *top = stack->top, *begin = top;
  /* The known frames. Of those above `same' it is known that they are the stack's innermost ones. */
  guint16 *known = words->frames + words->depth, *same = known;
  guint32 next_child = top->next_child, last_child = top->last_child;
  const guint8 *p = words->p;
  guint64 base = words->base;
  gint64 last = thread->last;
  CsTrackExit closed[CHUNK], *exit = closed;
  gsize n_exits, n_enters;

  while (p < stop)
    {
      guint word = load_16 (p);
      guint64 ts = base + (word >> 1) - 1;
      gint64 ns = cs_clock_to_ns (&clock, ts);

      if (G_UNLIKELY (word - TRACE_WORD_LEAST > TRACE_WORD_MOST - TRACE_WORD_LEAST))
        {
          if (!take_prefix (words, &known, &p, &base))
            break;
          same = MIN (same, known);
          continue;
        }
      if (G_UNLIKELY (ns < last))
        break;
      if ((word & 1) == TRACE_KIND_ENTER)
        {
          guint site = load_16 (p + 2);
          guint32 index = next_child;
          CsPassNode *node = &nodes[index];

          if (G_UNLIKELY (site - 1 >= n_definitions || top == room))
            break;
          if (G_UNLIKELY (node->function != functions[site - 1] || index == 0))
            {
              index = find_node (counts, top->node, last_child, site, definitions[site - 1].func);
              nodes = counts->nodes;
              node = &nodes[index];
            }
          if (G_UNLIKELY (ns < node->first_ns))
            node->first_ns = ns;
          *++known = (guint16) site;
          top++;
          top->address = node->address;
          top->start = ns;
          top->children = 0;
          top->node = index;
          top->ghosts = 0;
          last_child = 0;
          next_child = node->first_child;
          p += 4;
        }
      else
        {
          CsPassNode *node = &nodes[top->node];
          guint64 duration = (guint64) ns - (guint64) top->start;

          if (G_UNLIKELY (known == same))
            {
              if (known == words->frames || top->node == 0 || top->address != definitions[*known - 1].func)
                break;
              same--;
            }
          *exit++ = (CsTrackExit){ duration, top->start, top->node, node->function };
          __builtin_prefetch (&counts->functions[node->function], 1);
          node->incl += duration;
          node->self += duration - top->children;
          node->calls++;
          last_child = top->node;
          next_child = node->next_sibling;
          known--;
          top--;
          top->children += duration;
          p += 2;
        }
      base = ts;
      last = ns;
    }

  stack->top = top;
  top->next_child = next_child;
  top->last_child = last_child;
  words->p = p;
  words->base = base;
  words->depth = (gsize) (known - words->frames);
  n_exits = (gsize) (exit - closed);
  n_enters = (gsize) (top - begin) + n_exits;
  cs_track_count_exits (counts, thread, closed, n_exits);
  thread->last = last;
  thread->exits += n_exits;
  thread->enters += n_enters;
  return n_enters + n_exits;
}

/* Whether the next records do nothing but count functions and the call tree. */
static gboolean
can_take (const Track *track, const CsPackedWords *words)
{
  const CsTrackPass *pass = track->pass;
  const CsPassThread *thread = track->thread;

  return pass->filter == NULL && pass->files == NULL && pass->on_enter == NULL && pass->on_call == NULL &&
         !track->counts->sites_counted && !track->counts->tagged && track->again == 0 && !words->swapped &&
         words->tid == thread->tid && thread->last != G_MININT64 && !thread->gap;
}

/**
 * cs_track_take_words:
 * @track: a track
 *
 * Takes enters and exits of a packed block of which the reader has told the first records, for as long as they
 * are what most are, from its words, and leaves the block's last records to the reader. Ids of sites are
 * indices of functions then, and an exit is of the innermost frame without a look at its function: the
 * frames that the words know are the stack's, or are compared with these once.
 *
 * Returns: how many were taken
 */
guint64
cs_track_take_words (Track *track)
{
  CsEventReader *reader = track->pass->reader;
  CsPackedWords *words;
  guint32 left, n = 0;
  gsize got, chunk;

  words = cs_event_reader_get_words (reader, &left);
  if (words == NULL || !can_take (track, words))
    return 0;
  cs_pass_counts_map_ids (track->counts, words->chain, words->n_definitions);
  do
    {
      chunk = MIN (CHUNK, left - n - 1);
      got = 0;
      /* An enter reaches two bytes behind its word. */
      if (words->end - words->p > 4)
        got = take_chunk (track, words, words->p + MIN (2 * (gssize) chunk, words->end - words->p - 3));
      n += (guint32) got;
    }
  while (got >= SHORTEST_DETOUR);
  if (n >= SOON)
    track->detour = SHORTEST_DETOUR;
  else
    track->detour = MIN (2 * track->detour, LONGEST_DETOUR);
  cs_event_reader_note_taken (reader, n, track->detour);
  return n;
}
