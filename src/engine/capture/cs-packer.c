/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "capture/cs-packer.h"

/* The encoder's functions are static, and a hook needs more of them than this. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include "trace_pack.h"
#pragma GCC diagnostic pop

struct _CsPacker
{
  struct trace_pack pack;
  struct trace_opens opens;
  struct trace_open first_opens[TRACE_OPEN_FIRST];
  guint size; /* of a block */
  gboolean swapped;
  char *next;     /* where the block's next record goes; NULL: no block has been begun */
  guint32 tid;    /* whose events the block's next ones are */
  guint64 index;  /* of the next enter or exit, plus one; 0: it isn't known */
  gboolean later; /* the file has blocks before this one */
  guint8 *out;    /* (array length=size) */
  struct trace_block block[]; /* the buffer, of `size' bytes */
};

/**
 * cs_packer_new:
 * @block_size: most bytes of a block, from %CS_PACKER_LEAST to %TRACE_BLOCK_MOST; a multiple of 16
 * @swapped: whether the blocks' byte order is not this machine's
 *
 * Returns: (transfer full): a packer
 */
CsPacker *
cs_packer_new (guint block_size, gboolean swapped)
{
  CsPacker *self;

  g_return_val_if_fail (block_size >= CS_PACKER_LEAST && block_size <= TRACE_BLOCK_MOST && block_size % 16 == 0, NULL);

  self = g_malloc0 (sizeof *self + block_size);
  self->size = block_size;
  self->swapped = swapped;
  self->out = g_malloc (block_size);
  trace_opens_begin (&self->opens, self->first_opens, TRACE_OPEN_FIRST);
  return self;
}

/**
 * cs_packer_free:
 * @self: (transfer full): a packer
 */
void
cs_packer_free (CsPacker *self)
{
  trace_opens_free (&self->opens);
  trace_pack_free (&self->pack);
  g_free (self->out);
  g_free (self);
}

/**
 * cs_packer_begin:
 * @self: a packer whose last block was taken
 * @first_index: as in the header of an event file: index, plus one, of the first enter or exit in its
 *   thread's capture; 0: not told
 *
 * Begins an event file.
 */
void
cs_packer_begin (CsPacker *self, guint64 first_index)
{
  trace_opens_free (&self->opens);
  trace_opens_begin (&self->opens, self->first_opens, TRACE_OPEN_FIRST);
  /* Without memory for a new table the one that is there serves, too. */
  if (!trace_pack_resize (&self->pack, TRACE_TABLE_FIRST) && self->pack.table == NULL)
    g_error ("no memory for a table of sites");
  self->pack.used = 0;
  self->pack.bytes = 0;
  self->next = NULL;
  self->later = FALSE;
  self->index = first_index;
}

/* Whether a record is an enter or exit as hooks make them. */
static gboolean
is_usual (const struct trace_event *event)
{
  return event->kind <= TRACE_KIND_EXIT && event->func != 0 && event->func <= UINTPTR_MAX &&
         event->caller <= UINTPTR_MAX && (event->pad[0] | event->pad[1] | event->pad[2]) == 0;
}

static void
begin_block (CsPacker *self, const struct trace_event *event)
{
  if (!self->later)
    self->pack.last = event->kind <= TRACE_KIND_EXIT ? event->ts : 0;
  self->tid = event->tid;
  self->next = trace_pack_begin (&self->pack, self->block, self->size, event->tid, self->index - 1, self->later);
  trace_pack_forget (&self->pack, &self->opens, NULL, false);
  self->later = TRUE;
}

/**
 * cs_packer_add:
 * @self: a packer
 * @event: a record, in this machine's byte order
 *
 * Packs the file's next record.
 *
 * Returns: %FALSE if the block is full: it has to be taken first, and the record to be added again
 */
gboolean
cs_packer_add (CsPacker *self, const struct trace_event *event)
{
  char *next;

  if (self->next == NULL)
    begin_block (self, event);
  if (self->next >= (char *) self->pack.definitions - TRACE_PACK_SPARE)
    return FALSE;
  if (!is_usual (event))
    next = trace_pack_raw (self->next, event);
  else
    {
      if (event->tid != self->tid)
        {
          self->tid = event->tid;
          self->opens.next = self->opens.first + 1;
          self->next = trace_pack_thread (&self->pack, &self->opens, self->next, event->tid);
        }
      next = event->kind == TRACE_KIND_ENTER
                 ? trace_pack_enter (&self->pack, &self->opens, self->next, event->ts, (uintptr_t) event->func,
                                     (uintptr_t) event->caller, 0)
                 : trace_pack_exit (&self->pack, &self->opens, self->next, event->ts, (uintptr_t) event->func,
                                    (uintptr_t) event->caller);
      if (next == NULL)
        return FALSE;
    }
  self->next = next;
  return TRUE;
}

static void
swap_16 (guint8 *at)
{
  guint16 value;

  memcpy (&value, at, sizeof value);
  value = GUINT16_SWAP_LE_BE (value);
  memcpy (at, &value, sizeof value);
}

static void
swap_32 (guint8 *at)
{
  guint32 value;

  memcpy (&value, at, sizeof value);
  value = GUINT32_SWAP_LE_BE (value);
  memcpy (at, &value, sizeof value);
}

static void
swap_64 (guint8 *at)
{
  guint64 value;

  memcpy (&value, at, sizeof value);
  value = GUINT64_SWAP_LE_BE (value);
  memcpy (at, &value, sizeof value);
}

/* Turns words, which are right, into the other byte order. */
static void
swap_words (guint8 *p, const guint8 *end)
{
  while (p < end)
    {
      guint16 word;

      memcpy (&word, p, sizeof word);
      swap_16 (p);
      p += 2;
      switch (word)
        {
        case TRACE_WORD_TIME:
          swap_64 (p);
          p += 8;
          break;
        case TRACE_WORD_LATER:
        case TRACE_WORD_THREAD:
          swap_32 (p);
          p += 4;
          break;
        case TRACE_WORD_EXIT:
          for (guint i = 0; i < 3; i++, p += 2)
            swap_16 (p);
          break;
        case TRACE_WORD_RAW:
          swap_64 (p + offsetof (struct trace_event, ts));
          swap_64 (p + offsetof (struct trace_event, func));
          swap_64 (p + offsetof (struct trace_event, caller));
          swap_32 (p + offsetof (struct trace_event, tid));
          p += TRACE_EVENT_SIZE;
          break;
        case TRACE_WORD_FORGET:
          break;
        default:
          if ((word & 1) == TRACE_KIND_ENTER)
            {
              swap_16 (p);
              p += 2;
            }
          break;
        }
    }
}

/* Turns a finished block into the other byte order. */
static void
swap_block (guint8 *bytes, const CsPackerBlock *block)
{
  static const gsize fields_32[] = {
    offsetof (struct trace_block, header_size), offsetof (struct trace_block, bytes),
    offsetof (struct trace_block, records),     offsetof (struct trace_block, events),
    offsetof (struct trace_block, tid),         offsetof (struct trace_block, flags),
    offsetof (struct trace_block, first_site),  offsetof (struct trace_block, sites),
  };
  guint8 *words = bytes + TRACE_BLOCK_SIZE, *definitions = words + block->words;
  struct trace_block header;
  guint32 check;

  for (guint i = 0; i < G_N_ELEMENTS (fields_32); i++)
    swap_32 (bytes + fields_32[i]);
  swap_64 (bytes + offsetof (struct trace_block, index));
  swap_64 (bytes + offsetof (struct trace_block, base));
  swap_words (words, definitions);
  for (guint i = 0; i < 2 * block->sites; i++)
    swap_64 (definitions + i * sizeof (guint64));
  memcpy (&header, bytes, sizeof header);
  check = trace_block_check (&header, words, block->words, definitions, block->sites * sizeof (struct trace_definition),
                             TRUE);
  check = GUINT32_SWAP_LE_BE (check);
  memcpy (bytes + offsetof (struct trace_block, check), &check, sizeof check);
}

/**
 * cs_packer_take:
 * @self: a packer
 * @block: (out): the block that was being filled, valid until the next call
 *
 * Finishes a block. The next record begins another one.
 */
void
cs_packer_take (CsPacker *self, CsPackerBlock *block)
{
  struct trace_packed packed;
  const char *words = (const char *) (self->block + 1);
  struct trace_tally tally;

  *block = (CsPackerBlock){ .bytes = self->out };
  if (self->next == NULL)
    return;
  tally = trace_pack_tally (words, self->next, 1, G_MAXUINT64);
  packed = (struct trace_packed){ .header = *self->pack.block,
                                  .words = words,
                                  .words_size = tally.size,
                                  .definitions = self->pack.end - self->pack.block->sites };
  block->size = (guint) trace_pack_seal (&packed, tally.records, tally.events);
  block->words = (guint) packed.words_size;
  block->records = tally.records;
  block->sites = packed.header.sites;
  memcpy (self->out, &packed.header, sizeof packed.header);
  memcpy (self->out + TRACE_BLOCK_SIZE, words, packed.words_size);
  memcpy (self->out + TRACE_BLOCK_SIZE + packed.words_size, packed.definitions,
          block->sites * sizeof (struct trace_definition));
  if (self->swapped)
    swap_block (self->out, block);
  self->pack.bytes += block->size;
  if (self->index != 0)
    self->index += tally.events;
  self->next = NULL;
}
