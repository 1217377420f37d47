/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "capture/cs-fields.h"
#include "capture/cs-io.h"
#include "capture/cs-packed-private.h"
#include "capture/cs-tail-private.h"

/* What the header of a block says that is being filled: not yet how long it is. */
static gboolean
parse_begun_block (const guint8 *bytes, gboolean swapped, CsPackedBlock *block)
{
  cs_packed_parse_block (bytes, swapped, block);
  return memcmp (bytes, TRACE_BLOCK_MAGIC, TRACE_MAGIC_SIZE) == 0 &&
         cs_field_u32 (bytes, offsetof (struct trace_block, header_size), swapped) == TRACE_BLOCK_SIZE &&
         block->first_site > 0 && (guint64) block->first_site - 1 + block->sites <= TRACE_SITES_MOST;
}

/* Reads what the block defines: the end of the buffer. Returns whether it is there. */
static gboolean
read_definitions (CsEventFile *self, int fd, guint32 capacity, const CsPackedBlock *block)
{
  gsize size = block->sites * sizeof (struct trace_definition);
  g_autofree guint8 *bytes = g_malloc (size + 1);

  g_free (self->definitions);
  self->n_definitions = block->first_site - 1 + block->sites;
  self->definitions = g_new0 (struct trace_definition, self->n_definitions);
  if (cs_pread_full (fd, bytes, size, (off_t) (self->header.header_size + capacity - size)) < (gssize) size)
    return FALSE;
  if (block->sites > 0)
    cs_packed_take_definitions (bytes + size, block->sites, self->swapped, &self->definitions[block->first_site - 1]);
  return TRUE;
}

static gboolean
set_damaged (const CsEventFile *self, const char *what, GError **error)
{
  g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT, "%s is damaged: %s", self->name, what);
  return FALSE;
}

/**
 * cs_tail_read_packed:
 * @self: a packed tail
 * @fd: its descriptor
 * @capacity: bytes of the buffer
 * @used: bytes that had been used before this is called
 * @got: (out): bytes that are there of these
 * @error: where to say why it can't be read
 *
 * Copies the block that is being filled. Definitions are read after @used was, and so are there of all
 * sites that the words up to there name.
 *
 * Returns: whether it can be one
 */
gboolean
cs_tail_read_packed (CsEventFile *self, int fd, guint32 capacity, guint64 used, guint64 *got, GError **error)
{
  CsPackedBlock block;
  guint32 n_records, n_events;
  gssize n;

  self->packed = TRUE;
  self->n_events = self->rest = self->n_blocks = 0;
  *got = used;
  if (used < TRACE_BLOCK_SIZE)
    return TRUE;
  if (used > TRACE_BLOCK_MOST)
    return set_damaged (self, "its buffer is larger than a block may be", error);
  g_free (self->window);
  self->window = g_malloc (used);
  n = cs_pread_full (fd, self->window, used, self->header.header_size);
  if (n < (gssize) TRACE_BLOCK_SIZE)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ, "%s can't be read: %s", self->name,
                   n < 0 ? g_strerror (errno) : "it became shorter");
      return FALSE;
    }
  *got = (guint64) n;
  if (!parse_begun_block (self->window, self->swapped, &block))
    return set_damaged (self, "no block begins in its buffer", error);
  if (used + block.sites * sizeof (struct trace_definition) > capacity)
    return set_damaged (self, "its buffer has no room for what is said to be in it", error);
  if (read_definitions (self, fd, capacity, &block) && block.first_site == 1)
    block.chain = 0;
  block.bytes = TRACE_BLOCK_SIZE + (guint32) cs_packed_measure (self->window + TRACE_BLOCK_SIZE,
                                                                (gsize) n - TRACE_BLOCK_SIZE, self->swapped,
                                                                &n_records, &n_events);
  block.records = n_records;
  block.events = n_events;
  g_free (self->blocks);
  self->blocks = g_memdup2 (&block, sizeof block);
  self->n_blocks = 1;
  self->n_events = n_records;
  self->rest = (guint) ((guint32) n - block.bytes);
  return TRUE;
}

/* Reads the definitions of the segment's blocks that the tail's goes on with. If one of these is damaged, the
 * tail's block has no dictionary. */
static void
continue_chain (CsEventFile *self, const CsEventFile *segment, int fd, guint n_before)
{
  CsPackedBlock *block = &self->blocks[0];
  const CsPackedBlock *last = n_before > 0 ? &segment->blocks[n_before - 1] : NULL;

  if (block->first_site == 1 || last == NULL || last->chain == G_MAXUINT32 ||
      last->first_site + last->sites != block->first_site)
    return;
  /* Nothing may be missing between them. */
  if (last->offset + last->bytes != self->window_offset &&
      (block->index == 0 || last->index == 0 || last->index + last->events != block->index))
    return;
  for (guint i = last->chain; i < n_before; i++)
    if (segment->blocks[i].sites > 0 &&
        cs_packed_read_definitions (segment, fd, i, self->definitions + segment->blocks[i].first_site - 1) != CS_PACKED_OPEN)
      return;
  block->chain = 0;
}

/**
 * cs_tail_find_packed:
 * @self: a packed tail
 * @segment: the packed file that its block is for
 * @n_there: (out): how many of the block's records the segment has
 *
 * Looks for the tail's block in its segment. One that is torn or damaged there is taken out of the
 * segment, as the tail has it whole. If the tail keeps any of it, it gets what it needs of the dictionary.
 *
 * Returns: whether a block can begin where the tail says
 */
gboolean
cs_tail_find_packed (CsEventFile *self, CsEventFile *segment, guint64 *n_there)
{
  cs_autofd fd = open (segment->path, O_RDONLY | O_CLOEXEC);
  guint i = 0;

  *n_there = 0;
  while (i < segment->n_blocks && segment->blocks[i].offset < self->window_offset)
    i++;
  if (self->window_offset < segment->events_offset ||
      (i > 0 && segment->blocks[i - 1].offset + segment->blocks[i - 1].bytes > self->window_offset))
    return FALSE;
  if (i < segment->n_blocks && segment->blocks[i].offset != self->window_offset)
    return FALSE;
  if (i < segment->n_blocks && cs_packed_check_block (segment, fd, i))
    *n_there = segment->blocks[i].records;
  else if (i < segment->n_blocks && self->n_blocks > 0)
    {
      segment->n_events = segment->blocks[i].first;
      segment->n_blocks = i;
      segment->rest = 0;
      segment->damaged = 0;
    }
  else if (i == segment->n_blocks && self->n_events > 0 &&
           segment->events_offset + cs_event_file_get_n_bytes (segment) == self->window_offset)
    segment->damaged = 0;
  if (self->n_blocks > 0 && self->n_events > *n_there)
    continue_chain (self, segment, fd, i);
  return TRUE;
}

/**
 * cs_tail_count_before:
 * @self: a packed tail that was joined
 * @segment: (nullable): the file before it of its track
 *
 * Returns: how many records of its segment lie before its first
 */
guint64
cs_tail_count_before (const CsEventFile *self, const CsEventFile *segment)
{
  guint64 n = self->skipped;

  if (segment == NULL || segment->parts.seq != self->parts.seq || segment->tail)
    return n;
  for (guint i = 0; i < segment->n_blocks && segment->blocks[i].offset < self->window_offset; i++)
    n = segment->blocks[i].first + segment->blocks[i].records + self->skipped;
  /* More may have been flushed since the tail was read. */
  return MAX (n, segment->n_events);
}
