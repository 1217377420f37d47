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

/* What every record reads and writes is kept here, in registers, and put back when a chunk is taken. */
typedef struct
{
  const guint8 *p;
  guint64 base;
  gint64 last; /* ns */
  const guint32 *functions, *sites; /* by id */
  CsPassNode *nodes;
  CsPassFrame *top;
  guint32 next_child, last_child, innermost; /* nodes */
  /* The known frames: of those above `same' it is known that they are the stack's innermost ones. */
  guint16 *known, *same;
  CsTrackExit *exit; /* where the next is noted */
} Cursor;

/* Takes what stands before a record of time and frames. Returns whether there was something. */
static inline __attribute__ ((always_inline)) gboolean
take_prefix (Cursor *self, const CsPackedWords *words)
{
  guint32 later;

  switch (load_16 (self->p))
    {
    case TRACE_WORD_TIME:
      if (words->end - self->p < 10)
        return FALSE;
      memcpy (&self->base, self->p + 2, sizeof self->base);
      self->p += 10;
      break;
    case TRACE_WORD_LATER:
      if (words->end - self->p < 6)
        return FALSE;
      memcpy (&later, self->p + 2, sizeof later);
      self->base += later;
      self->p += 6;
      break;
    case TRACE_WORD_FORGET:
      self->known = (guint16 *) words->frames;
      self->p += 2;
      break;
    default:
      return FALSE;
    }
  self->same = MIN (self->same, self->known);
  return TRUE;
}

/* Takes an enter. Returns %FALSE where there is no such id. */
static inline __attribute__ ((always_inline)) gboolean
take_enter (Cursor *self, CsPassCounts *counts, const CsPackedWords *words, gint64 ns, const gboolean sites_counted)
{
  guint site = load_16 (self->p + 2);
  guint32 index = self->next_child;
  CsPassNode *node = &self->nodes[index];

  if (G_UNLIKELY (node->function != self->functions[site]))
    {
      index = find_node (counts, self->innermost, self->last_child, words, site);
      if (index == 0)
        return FALSE;
      self->nodes = counts->nodes;
      node = &self->nodes[index];
    }
  if (G_UNLIKELY (ns < node->first_ns))
    node->first_ns = ns;
  *++self->known = (guint16) site;
  cs_track_open_frame (++self->top, node->address, index, ns);
  if (sites_counted)
    {
      self->top->site = self->sites[site];
      if (G_UNLIKELY (self->top->site == 0))
        self->top->site = find_site (counts, words, site);
      if (G_UNLIKELY (cs_track_is_inlined (counts, self->top - 1, self->top->address,
                                           counts->sites[self->top->site - 1].caller)))
        self->top->site = find_inlined_site (counts, self->top);
    }
  self->last_child = 0;
  self->next_child = node->first_child;
  self->innermost = index;
  self->p += 4;
  return TRUE;
}

/* Takes an exit of the innermost known frame. Returns %FALSE where that isn't the stack's. */
static inline __attribute__ ((always_inline)) gboolean
take_exit (Cursor *self, const CsPassCounts *counts, const CsPackedWords *words, gint64 ns,
           const gboolean sites_counted)
{
  CsPassNode *node = &self->nodes[self->innermost];

  if (G_UNLIKELY (self->known == self->same))
    {
      if (self->known == words->frames || self->innermost == 0 ||
          self->top->address != words->definitions[*self->known - 1].func)
        return FALSE;
      self->same--;
    }
  *self->exit = cs_track_count_in_node (counts, node, self->innermost, self->top, ns);
  if (sites_counted)
    {
      CsPassSite *site = &counts->sites[self->top->site - 1];

      site->incl += self->exit->duration;
      site->calls++;
    }
  self->last_child = self->innermost;
  self->next_child = node->next_sibling;
  self->known--;
  self->top--;
  self->top->children += (self->exit++)->duration;
  self->innermost = self->top->node;
  self->p += 2;
  return TRUE;
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
  CsPassFrame *begin = stack->top;
  CsTrackExit closed[CHUNK];
  guint16 *known = words->frames + words->depth;
  Cursor at = { .p = words->p, .base = words->base, .last = thread->last, .functions = counts->ids.functions,
                .sites = counts->ids.sites, .nodes = counts->nodes, .top = begin, .next_child = begin->next_child,
                .last_child = begin->last_child, .innermost = begin->node, .known = known, .same = known, .exit = closed };
  gsize n_exits, n_enters;

  while (at.p < stop)
    {
      guint word = load_16 (at.p);
      guint64 ts = at.base + (word >> 1) - 1;
      gint64 ns = cs_clock_to_ns (&clock, ts);

      if (G_UNLIKELY (word - TRACE_WORD_LEAST > TRACE_WORD_MOST - TRACE_WORD_LEAST))
        {
          if (!take_prefix (&at, words))
            break;
          continue;
        }
      if (G_UNLIKELY (ns < at.last))
        break;
      if (!((word & 1) == TRACE_KIND_ENTER ? take_enter (&at, counts, words, ns, sites_counted)
                                           : take_exit (&at, counts, words, ns, sites_counted)))
        break;
      at.base = ts;
      at.last = ns;
    }

  stack->top = at.top;
  at.top->next_child = at.next_child;
  at.top->last_child = at.last_child;
  words->p = at.p;
  words->base = at.base;
  words->depth = (gsize) (at.known - words->frames);
  n_exits = (gsize) (at.exit - closed);
  n_enters = (gsize) (at.top - begin) + n_exits;
  cs_track_count_exits (counts, thread, closed, n_exits);
  thread->last = at.last;
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
