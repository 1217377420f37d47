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

/* The node of a call that was not expected, or whose function is met for the first time by this id; 0: there is
 * no such id. */
static __attribute__ ((noinline)) guint32
find_node (CsPassCounts *counts, guint32 parent, guint32 last_child, const CsPackedWords *words, guint site)
{
  guint32 index;

  if (site - 1 >= words->n_definitions)
    return 0;
  index = cs_track_find_node (counts, parent, last_child, words->definitions[site - 1].func);
  counts->ids.functions[site] = counts->nodes[index].function;
  return index;
}

/* The number, plus one, of a call site that is met for the first time by this id. */
static __attribute__ ((noinline)) guint32
find_site (CsPassCounts *counts, const CsPackedWords *words, guint site)
{
  const struct trace_definition *definition = &words->definitions[site - 1];

  return counts->ids.sites[site] = cs_pass_counts_add_site (counts, definition->func, definition->caller,
                                                            CS_PASS_NO_ADDRESS) + 1;
}

/* The number, plus one, of the call site of a frame whose function was inlined into that below it. */
static __attribute__ ((noinline)) guint32
find_inlined_site (CsPassCounts *counts, const CsPassFrame *frame)
{
  CsPassNode *node = &counts->nodes[frame->node];
  guint64 caller = counts->sites[frame->site - 1].caller;

  if (node->caller != caller || node->site == 0)
    {
      node->site = cs_track_add_site (counts, frame - 1, frame->address, caller) + 1;
      node->caller = caller;
    }
  return node->site;
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

/* Takes enters, and exits of the innermost known frame, up to a place or the first record that is
 * neither or not what most are. There is room for as many frames. */
static inline __attribute__ ((always_inline)) gsize
take_chunk (Track *track, CsPackedWords *words, const guint8 *stop, const gboolean sites_counted)
{
  CsPassCounts *counts = track->counts;
  CsPassThread *thread = track->thread;
  CsPassStack *stack = thread->stack;
  const CsClock clock = *track->clock;
  const guint32 *functions = counts->ids.functions, *sites = counts->ids.sites;
  CsPassNode *nodes = counts->nodes;
  CsPassFrame *top = stack->top, *begin = top;
  /* The known frames: of those above `same' it is known that they are the stack's innermost ones. */
  guint16 *known = words->frames + words->depth, *same = known;
  guint32 next_child = top->next_child, last_child = top->last_child, innermost = top->node;
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

          if (G_UNLIKELY (node->function != functions[site]))
            {
              index = find_node (counts, innermost, last_child, words, site);
              if (index == 0)
                break;
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
          if (sites_counted)
            {
              top->site = sites[site];
              if (G_UNLIKELY (top->site == 0))
                top->site = find_site (counts, words, site);
              if (G_UNLIKELY (cs_track_is_inlined (counts, top - 1, top->address, counts->sites[top->site - 1].caller)))
                top->site = find_inlined_site (counts, top);
            }
          last_child = 0;
          next_child = node->first_child;
          innermost = index;
          p += 4;
        }
      else
        {
          CsPassNode *node = &nodes[innermost];
          guint64 duration = (guint64) ns - (guint64) top->start;

          if (G_UNLIKELY (known == same))
            {
              if (known == words->frames || innermost == 0 || top->address != words->definitions[*known - 1].func)
                break;
              same--;
            }
          *exit++ = (CsTrackExit){ duration, top->start, innermost, node->function };
          __builtin_prefetch (&counts->functions[node->function], 1);
          node->incl += duration;
          node->self += duration - top->children;
          node->calls++;
          if (sites_counted)
            {
              CsPassSite *site = &counts->sites[top->site - 1];

              site->incl += duration;
              site->calls++;
            }
          last_child = innermost;
          next_child = node->next_sibling;
          known--;
          top--;
          top->children += duration;
          innermost = top->node;
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

static __attribute__ ((noinline)) gsize
take_without_sites (Track *track, CsPackedWords *words, const guint8 *stop)
{
  return take_chunk (track, words, stop, FALSE);
}

static __attribute__ ((noinline)) gsize
take_with_sites (Track *track, CsPackedWords *words, const guint8 *stop)
{
  return take_chunk (track, words, stop, TRUE);
}

/* Whether records of the track may do nothing but count functions, call sites and the call tree. */
static gboolean
is_plain (const Track *track)
{
  const CsTrackPass *pass = track->pass;

  return pass->filter == NULL && pass->files == NULL && !pass->by_thread && pass->on_enter == NULL &&
         pass->on_call == NULL && !track->counts->tagged;
}

/* Whether the next records may be taken from these words. */
static gboolean
can_take (const Track *track, const CsPackedWords *words)
{
  const CsPassThread *thread = track->thread;

  return track->again == 0 && !words->swapped && words->tid == thread->tid && thread->last != G_MININT64 &&
         !thread->gap;
}

/* Takes at most so many records. Returns how many it could. */
static gsize
take_some (Track *track, CsPackedWords *words, gsize n)
{
  CsPassStack *stack = track->thread->stack;
  gssize room = words->end - words->p - 3; /* an enter reaches two bytes behind its word */
  const guint8 *stop = words->p + MIN (2 * (gssize) n, room);

  if (room <= 0)
    return 0;
  while (stack_depth (stack) + n >= stack->size)
    cs_track_stack_grow (stack);
  return track->counts->sites_counted ? take_with_sites (track, words, stop) : take_without_sites (track, words, stop);
}

/**
 * cs_track_take_words:
 * @track: a track
 *
 * Takes enters and exits of a packed block of which the reader has told the first records, for as long as they
 * are what most are, from its words, and leaves the block's last records to the reader. Ids of sites stand for
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
  gsize got;

  if (!is_plain (track))
    return 0;
  words = cs_event_reader_get_words (reader, &left);
  if (words == NULL || !can_take (track, words))
    {
      cs_event_reader_limit_packed (reader, words == NULL ? SHORTEST_DETOUR : LONGEST_DETOUR);
      return 0;
    }
  cs_pass_counts_map_ids (track->counts, words->chain, words->n_definitions);
  do
    {
      got = take_some (track, words, MIN (CHUNK, left - n - 1));
      n += (guint32) got;
    }
  while (got >= SHORTEST_DETOUR);
  cs_event_reader_note_taken (reader, n);
  if (n >= SOON || track->detour == 0)
    track->detour = SHORTEST_DETOUR;
  else if (left - n > SHORTEST_DETOUR)
    track->detour = MIN (2 * track->detour, LONGEST_DETOUR);
  cs_event_reader_limit_packed (reader, track->detour);
  return n;
}
