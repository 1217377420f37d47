/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "capture/cs-packed-private.h"

/* Thread, kind and padding of an event in one number. */
G_STATIC_ASSERT (TRACE_EVENT_SIZE - G_STRUCT_OFFSET (struct trace_event, tid) == sizeof (guint64));

G_STATIC_ASSERT (G_STRUCT_OFFSET (struct trace_event, caller) - G_STRUCT_OFFSET (struct trace_event, func) ==
                 G_STRUCT_OFFSET (struct trace_definition, caller));

static inline guint64
event_tail (guint32 tid, guint8 kind)
{
  const struct trace_event event = { .tid = tid, .kind = kind };
  guint64 tail;

  memcpy (&tail, &event.tid, sizeof tail);
  return tail;
}

static inline __attribute__ ((always_inline)) guint
load_16 (const guint8 *p, gboolean swapped)
{
  guint16 value;

  memcpy (&value, p, sizeof value);
  return swapped ? GUINT16_SWAP_LE_BE (value) : value;
}

static inline guint32
load_32 (const guint8 *p, gboolean swapped)
{
  guint32 value;

  memcpy (&value, p, sizeof value);
  return swapped ? GUINT32_SWAP_LE_BE (value) : value;
}

static inline guint64
load_64 (const guint8 *p, gboolean swapped)
{
  guint64 value;

  memcpy (&value, p, sizeof value);
  return swapped ? GUINT64_SWAP_LE_BE (value) : value;
}

/**
 * cs_packed_record_size:
 * @word: the first word of a record or of what stands before one
 *
 * Returns: bytes with that word; 0: there is no such word
 */
gsize
cs_packed_record_size (guint16 word)
{
  if (word >= TRACE_WORD_LEAST && word <= TRACE_WORD_MOST)
    return word & 1 ? 2 : 4;
  switch (word)
    {
    case TRACE_WORD_TIME:
      return 2 + 8;
    case TRACE_WORD_LATER:
    case TRACE_WORD_THREAD:
      return 2 + 4;
    case TRACE_WORD_EXIT:
      return 2 + 6;
    case TRACE_WORD_RAW:
      return 2 + TRACE_EVENT_SIZE;
    case TRACE_WORD_FORGET:
      return 2;
    default:
      return 0;
    }
}

/* An enter or exit of a site. */
static gboolean
take_site (CsPackedWords *self, struct trace_event *event, guint64 dt, guint8 kind, guint site)
{
  const struct trace_definition *definition;

  if (site == 0 || site > self->n_definitions)
    return FALSE;
  definition = &self->definitions[site - 1];
  self->base += dt;
  *event = (struct trace_event){
    .ts = self->base, .func = definition->func, .caller = definition->caller, .tid = self->tid, .kind = kind
  };
  return TRUE;
}

/* An enter, or the exit of the innermost known frame. */
static gboolean
take_usual (CsPackedWords *self, struct trace_event *event, guint word)
{
  guint64 dt = (word >> 1) - 1;

  if ((word & 1) == TRACE_KIND_ENTER)
    {
      guint site = load_16 (self->p + 2, self->swapped);

      if (!take_site (self, event, dt, TRACE_KIND_ENTER, site))
        return FALSE;
      self->frames[++self->depth] = (guint16) site;
      return TRUE;
    }
  if (self->depth > 0)
    return take_site (self, event, dt, TRACE_KIND_EXIT, self->frames[self->depth--]);
  if (!self->lenient)
    return FALSE;
  self->base += dt;
  *event = (struct trace_event){ .ts = self->base, .tid = self->tid, .kind = TRACE_KIND_EXIT };
  return TRUE;
}

/* An exit that tells its site, and how many known frames end with it. */
static gboolean
take_exit (CsPackedWords *self, struct trace_event *event)
{
  guint dt = load_16 (self->p + 2, self->swapped);
  guint pops = load_16 (self->p + 4, self->swapped);
  guint site = load_16 (self->p + 6, self->swapped);

  if ((pops > self->depth && !self->lenient) || !take_site (self, event, dt, TRACE_KIND_EXIT, site))
    return FALSE;
  self->depth -= MIN (pops, self->depth);
  return TRUE;
}

static void
take_raw (CsPackedWords *self, struct trace_event *event)
{
  memcpy (event, self->p + 2, sizeof *event);
  if (self->swapped)
    cs_events_swap (event, 1);
  self->others += event->kind > TRACE_KIND_EXIT;
  self->raw = TRUE;
}

/* Takes any record, with what stands before it. Returns whether there is one; if not, `p' is where
 * what could not be taken begins. */
static __attribute__ ((noinline)) gboolean
take_any (CsPackedWords *self, struct trace_event *event)
{
  while (self->end - self->p >= 2)
    {
      guint word = load_16 (self->p, self->swapped);
      gsize size = cs_packed_record_size ((guint16) word);
      gboolean record = TRUE, taken = TRUE;

      if (size == 0 || (gsize) (self->end - self->p) < size)
        return FALSE;
      self->raw = FALSE;
      switch (word)
        {
        case TRACE_WORD_TIME:
          self->base = load_64 (self->p + 2, self->swapped);
          self->absolute = TRUE;
          record = FALSE;
          break;
        case TRACE_WORD_LATER:
          self->base += load_32 (self->p + 2, self->swapped);
          record = FALSE;
          break;
        case TRACE_WORD_THREAD:
          self->tid = load_32 (self->p + 2, self->swapped);
          self->depth = 0;
          record = FALSE;
          break;
        case TRACE_WORD_FORGET:
          self->depth = 0;
          record = FALSE;
          break;
        case TRACE_WORD_EXIT:
          taken = take_exit (self, event);
          break;
        case TRACE_WORD_RAW:
          take_raw (self, event);
          break;
        default:
          taken = take_usual (self, event, word);
          break;
        }
      if (!taken)
        return FALSE;
      self->p += size;
      if (record)
        return TRUE;
    }
  return FALSE;
}

static inline __attribute__ ((always_inline)) gsize
take (CsPackedWords *self, struct trace_event *events, gsize n, guint32 *offsets, const gboolean swapped,
      const gboolean located)
{
  const guint8 *p = self->p, *end = self->end - 4;
  const struct trace_definition *definitions = self->definitions;
  const guint32 n_definitions = self->n_definitions;
  const guint64 difference = event_tail (0, TRACE_KIND_EXIT) - event_tail (0, TRACE_KIND_ENTER);
  guint16 *top = self->frames + self->depth;
  guint64 base = self->base;
  guint64 enters = event_tail (self->tid, TRACE_KIND_ENTER);
  struct trace_event *event = events, *stop = events + n;

  while (event < stop)
    {
      if (located)
        *offsets++ = (guint32) (p - self->block);
      if (G_LIKELY (p <= end))
        {
          guint word = load_16 (p, swapped);

          if (G_LIKELY (word - TRACE_WORD_LEAST <= TRACE_WORD_MOST - TRACE_WORD_LEAST))
            {
              /* Which kind comes next can't be foreseen, so nothing branches on it: the site is behind the word,
               * or that of the innermost frame, which is 0, no site, at the bottom; a frame is written above the
               * stack in vain. */
              guintptr exit = word & 1, mask = -exit;
              guintptr named = (guintptr) (p + 2), place = named ^ ((named ^ (guintptr) top) & mask);
              guint site = swapped ? (exit ? *top : load_16 (p + 2, swapped)) : load_16 ((const guint8 *) place, FALSE);

              if (G_LIKELY (site - 1 < n_definitions))
                {
                  guint64 tail = enters + exit * difference;

                  top[1] = (guint16) site;
                  top += 1 - 2 * (gssize) exit;
                  p += 4 - 2 * exit;
                  base += (word >> 1) - 1;
                  event->ts = base;
                  memcpy (&event->func, &definitions[site - 1], sizeof *definitions);
                  memcpy (&event->tid, &tail, sizeof tail);
                  event++;
                  continue;
                }
            }
        }
      self->p = p;
      self->depth = (gsize) (top - self->frames);
      self->base = base;
      if (!take_any (self, event))
        return (gsize) (event - events);
      p = self->p;
      top = self->frames + self->depth;
      base = self->base;
      enters = event_tail (self->tid, TRACE_KIND_ENTER);
      event++;
    }
  self->p = p;
  self->depth = (gsize) (top - self->frames);
  self->base = base;
  return n;
}

/**
 * cs_packed_words_take:
 * @self: words
 * @events: (out) (array length=n): the next records
 * @n: how many are wanted
 * @offsets: (out) (array length=n) (nullable): where each of them begins
 *
 * Returns: how many there are before the end or something that is damaged
 */
gsize
cs_packed_words_take (CsPackedWords *self, struct trace_event *events, gsize n, guint32 *offsets)
{
  self->raw = FALSE;
  if (self->p == NULL || self->end - self->p < 2)
    return 0;
  if (self->swapped)
    return offsets != NULL ? take (self, events, n, offsets, TRUE, TRUE) : take (self, events, n, NULL, TRUE, FALSE);
  return offsets != NULL ? take (self, events, n, offsets, FALSE, TRUE) : take (self, events, n, NULL, FALSE, FALSE);
}

/**
 * cs_packed_words_skip_rest:
 * @self: words of which all records have been taken
 *
 * Leaves out the FORGETs that may stand behind the last record.
 *
 * Returns: whether nothing else is left
 */
gboolean
cs_packed_words_skip_rest (CsPackedWords *self)
{
  while (self->end - self->p >= 2 && load_16 (self->p, self->swapped) == TRACE_WORD_FORGET)
    self->p += 2;
  return self->p == self->end;
}

/**
 * cs_packed_sum_time:
 * @p: words of a block, from a record on
 * @end: where to stop
 * @base: the time that dt counts from at @p
 * @swapped: whether the producer's byte order is not this machine's
 *
 * Returns: the time that dt counts from at @end
 */
guint64
cs_packed_sum_time (const guint8 *p, const guint8 *end, guint64 base, gboolean swapped)
{
  while (end - p >= 2)
    {
      guint word = load_16 (p, swapped);
      gsize size = cs_packed_record_size ((guint16) word);

      if (size == 0 || (gsize) (end - p) < size)
        break;
      if (word == TRACE_WORD_TIME)
        base = load_64 (p + 2, swapped);
      else if (word == TRACE_WORD_LATER)
        base += load_32 (p + 2, swapped);
      else if (word == TRACE_WORD_EXIT)
        base += load_16 (p + 2, swapped);
      else if (word <= TRACE_WORD_MOST)
        base += (word >> 1) - 1;
      p += size;
    }
  return base;
}

/**
 * cs_packed_measure:
 * @words: words of a block
 * @size: bytes of them
 * @swapped: whether the producer's byte order is not this machine's
 * @n_records: (out): how many records they are
 * @n_events: (out): how many of these are enters and exits
 *
 * Looks at nothing but what kinds of records there are.
 *
 * Returns: bytes of whole records, and of what stands behind the last one of time, threads and frames
 */
gsize
cs_packed_measure (const guint8 *words, gsize size, gboolean swapped, guint32 *n_records, guint32 *n_events)
{
  gsize done = 0;

  *n_records = *n_events = 0;
  while (size - done >= 2)
    {
      guint word = load_16 (words + done, swapped);
      gsize length = cs_packed_record_size ((guint16) word);
      gboolean record = word <= TRACE_WORD_MOST || word == TRACE_WORD_EXIT || word == TRACE_WORD_RAW;

      if (length == 0 || size - done < length)
        break;
      *n_records += record;
      *n_events += record && (word != TRACE_WORD_RAW ||
                              words[done + 2 + offsetof (struct trace_event, kind)] <= TRACE_KIND_EXIT);
      done += length;
    }
  return done;
}

/**
 * cs_packed_find_clock:
 * @file: the packed file that the words are of
 * @words: words of a block
 * @size: bytes of them
 * @ticks: (inout): the last anchor among them, ticks
 * @ns: (inout): the same, ns of CLOCK_MONOTONIC
 *
 * Returns: whether a marker among them is an anchor that says a possible rate
 */
gboolean
cs_packed_find_clock (const CsEventFile *file, const guint8 *words, gsize size, guint64 *ticks, guint64 *ns)
{
  gboolean found = FALSE;

  for (gsize done = 0, length; size - done >= 2; done += length)
    {
      guint word = load_16 (words + done, file->swapped);
      struct trace_event event;

      length = cs_packed_record_size ((guint16) word);
      if (length == 0 || size - done < length)
        break;
      if (word != TRACE_WORD_RAW)
        continue;
      memcpy (&event, words + done + 2, sizeof event);
      if (file->swapped)
        cs_events_swap (&event, 1);
      if (event.kind != TRACE_KIND_MARKER || event.func != TRACE_MARK_CLOCK ||
          !cs_event_file_is_anchor (file, event.ts, event.caller))
        continue;
      *ticks = event.ts;
      *ns = event.caller;
      found = TRUE;
    }
  return found;
}
