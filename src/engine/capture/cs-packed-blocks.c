/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "capture/cs-fields.h"
#include "capture/cs-io.h"
#include "capture/cs-packed-private.h"

#define FIELD(name) cs_field_u32 (bytes, offsetof (struct trace_block, name), swapped)
#define FIELD_64(name) cs_field_u64 (bytes, offsetof (struct trace_block, name), swapped)

/* Where a file is damaged a block is looked for in pieces, of so many bytes at first and at most. */
#define FIRST_PIECE 256
#define MOST_PIECE 65536

/* What looks like a block there may be none: to find out, no more bytes are read than so many times
 * those of the file. */
#define MAX_READ_AGAIN 16

/**
 * cs_packed_parse_block:
 * @bytes: (array fixed-size=64): what may be the header of a block
 * @swapped: whether the producer's byte order is not this machine's
 * @block: (out): what it says; where it lies and what else lies there isn't known
 *
 * Returns: whether it can be one
 */
gboolean
cs_packed_parse_block (const guint8 *bytes, gboolean swapped, CsPackedBlock *block)
{
  guint64 definitions;

  *block = (CsPackedBlock){ .index = FIELD_64 (index),
                            .base = FIELD_64 (base),
                            .bytes = FIELD (bytes),
                            .records = FIELD (records),
                            .events = FIELD (events),
                            .tid = FIELD (tid),
                            .first_site = FIELD (first_site),
                            .sites = FIELD (sites),
                            .check = FIELD (check),
                            .chain = G_MAXUINT32 };
  definitions = (guint64) block->sites * sizeof (struct trace_definition);
  return memcmp (bytes, TRACE_BLOCK_MAGIC, TRACE_MAGIC_SIZE) == 0 && FIELD (header_size) == TRACE_BLOCK_SIZE &&
         FIELD (zero) == 0 && block->bytes % 2 == 0 && block->bytes >= TRACE_BLOCK_SIZE + definitions &&
         block->bytes <= TRACE_BLOCK_MOST && block->events <= block->records &&
         block->records <= (block->bytes - TRACE_BLOCK_SIZE - definitions) / 2 && block->first_site > 0 &&
         (guint64) block->first_site - 1 + block->sites <= TRACE_SITES_MOST;
}

/**
 * cs_packed_is_right:
 * @block: (array length=size): what was read where a block was
 * @size: its bytes, as its header told
 * @swapped: whether the producer's byte order is not this machine's
 *
 * Returns: whether it is a block of that size and its check is right
 */
gboolean
cs_packed_is_right (const guint8 *block, gsize size, gboolean swapped)
{
  CsPackedBlock header;
  struct trace_block copy;
  gsize definitions, words;

  if (!cs_packed_parse_block (block, swapped, &header) || header.bytes != size)
    return FALSE;
  memcpy (&copy, block, sizeof copy);
  definitions = header.sites * sizeof (struct trace_definition);
  words = header.bytes - TRACE_BLOCK_SIZE - definitions;
  return trace_block_check (&copy, block + TRACE_BLOCK_SIZE, words, block + TRACE_BLOCK_SIZE + words, definitions,
                            swapped) == header.check;
}

/**
 * cs_packed_take_definitions:
 * @end: the end of a block
 * @n: how many definitions lie before it
 * @swapped: whether the producer's byte order is not this machine's
 * @to: (out) (array length=n): the definitions, from that with the lowest id on
 */
void
cs_packed_take_definitions (const guint8 *end, guint n, gboolean swapped, struct trace_definition *to)
{
  for (guint i = 0; i < n; i++)
    {
      const guint8 *bytes = end - (i + 1) * sizeof *to;

      to[i].func = cs_field_u64 (bytes, offsetof (struct trace_definition, func), swapped);
      to[i].caller = cs_field_u64 (bytes, offsetof (struct trace_definition, caller), swapped);
    }
}

/**
 * cs_packed_read_definitions:
 * @file: a packed event file
 * @fd: its descriptor
 * @block: number of a block
 * @to: (out): its definitions
 *
 * Reads a block whole, as its check is over all of it.
 *
 * Returns: %CS_PACKED_OPEN, or why there are none: %CS_PACKED_DAMAGED, %CS_PACKED_SHORT, or
 *   %CS_PACKED_UNREADABLE with errno
 */
CsPackedResult
cs_packed_read_definitions (const CsEventFile *file, int fd, guint block, struct trace_definition *to)
{
  const CsPackedBlock *header = &file->blocks[block];
  g_autofree guint8 *bytes = g_malloc (header->bytes);
  gssize got = cs_pread_full (fd, bytes, header->bytes, (off_t) header->offset);

  if (got < 0)
    return CS_PACKED_UNREADABLE;
  if (got < (gssize) header->bytes)
    return CS_PACKED_SHORT;
  if (!cs_packed_is_right (bytes, header->bytes, file->swapped))
    return CS_PACKED_DAMAGED;
  cs_packed_take_definitions (bytes + header->bytes, header->sites, file->swapped, to);
  return CS_PACKED_OPEN;
}

/**
 * cs_packed_check_block:
 * @file: a packed event file
 * @fd: its descriptor
 * @block: number of a block
 *
 * Returns: whether the block is what was written
 */
gboolean
cs_packed_check_block (const CsEventFile *file, int fd, guint block)
{
  const CsPackedBlock *header = &file->blocks[block];
  g_autofree guint8 *bytes = g_malloc (header->bytes);

  return cs_pread_full (fd, bytes, header->bytes, (off_t) header->offset) == (gssize) header->bytes &&
         cs_packed_is_right (bytes, header->bytes, file->swapped);
}

/**
 * cs_packed_find_anchor:
 * @file: a packed event file or tail
 * @fd: its descriptor; a tail needs none
 * @block: number of a block
 * @ticks: (inout): the last anchor there, ticks
 * @ns: (inout): the same, ns of CLOCK_MONOTONIC
 *
 * Looks for clock markers without decoding anything else.
 *
 * Returns: whether there is one that says a possible rate
 */
gboolean
cs_packed_find_anchor (const CsEventFile *file, int fd, guint block, guint64 *ticks, guint64 *ns)
{
  const CsPackedBlock *header = &file->blocks[block];
  gsize words = header->bytes - TRACE_BLOCK_SIZE - (file->tail ? 0 : header->sites * sizeof (struct trace_definition));
  g_autofree guint8 *bytes = NULL;

  if (file->tail)
    return cs_packed_find_clock (file, file->window + TRACE_BLOCK_SIZE, words, ticks, ns);
  bytes = g_malloc (header->bytes);
  return cs_pread_full (fd, bytes, header->bytes, (off_t) header->offset) == (gssize) header->bytes &&
         cs_packed_is_right (bytes, header->bytes, file->swapped) &&
         cs_packed_find_clock (file, bytes + TRACE_BLOCK_SIZE, words, ticks, ns);
}

/**
 * cs_packed_find_block:
 * @file: a packed event file or tail
 * @record: number of a record
 *
 * Returns: the number of the block that has it; that of blocks where none does
 */
guint
cs_packed_find_block (const CsEventFile *file, guint64 record)
{
  guint low = 0, high = file->n_blocks;

  record += file->skipped;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (file->blocks[middle].first + file->blocks[middle].records <= record)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* What is known while the blocks of a file are found. */
typedef struct
{
  CsEventFile *file;
  int fd;
  guint64 size;
  GCancellable *cancellable; /* (nullable) */
  GArray *blocks; /* (element-type CsPackedBlock) */
  guint64 credit; /* bytes that may still be read to look for blocks where something is damaged */
} Scan;

/* Whether so many bytes may be read; then they are counted. */
static gboolean
spend (Scan *scan, guint64 bytes)
{
  if (bytes > scan->credit)
    return FALSE;
  scan->credit -= bytes;
  return TRUE;
}

/* Reads of the file; notes what can't be read. */
static gssize
scan_read (const Scan *scan, void *bytes, gsize size, guint64 offset)
{
  gssize got = cs_pread_full (scan->fd, bytes, size, (off_t) offset);

  if (got < 0)
    scan->file->error = errno;
  return got;
}

/* Reads what may be the header of a block. Returns whether it is one; `*whole' says whether the file
 * holds all of that block. */
static gboolean
read_header (const Scan *scan, guint64 offset, CsPackedBlock *block, gboolean *whole)
{
  guint8 bytes[TRACE_BLOCK_SIZE];

  if (offset + sizeof bytes > scan->size || scan_read (scan, bytes, sizeof bytes, offset) < (gssize) sizeof bytes ||
      !cs_packed_parse_block (bytes, scan->file->swapped, block))
    return FALSE;
  block->offset = offset;
  *whole = block->bytes <= scan->size - offset;
  return TRUE;
}

/* Whether a block with a right check lies somewhere. */
static gboolean
is_block (Scan *scan, guint64 offset)
{
  CsPackedBlock block;
  gboolean whole;
  g_autofree guint8 *bytes = NULL;

  if (!spend (scan, TRACE_BLOCK_SIZE) || !read_header (scan, offset, &block, &whole) || !whole ||
      !spend (scan, block.bytes))
    return FALSE;
  bytes = g_malloc (block.bytes);
  return scan_read (scan, bytes, block.bytes, offset) == (gssize) block.bytes &&
         cs_packed_is_right (bytes, block.bytes, scan->file->swapped);
}

/* Whether a block with a right check lies somewhere, of which a piece has been read. */
static gboolean
is_block_in (Scan *scan, guint64 offset, const guint8 *piece, gsize size)
{
  CsPackedBlock block;

  return size >= TRACE_MAGIC_SIZE && memcmp (piece, TRACE_BLOCK_MAGIC, TRACE_MAGIC_SIZE) == 0 &&
         (size < TRACE_BLOCK_SIZE || cs_packed_parse_block (piece, scan->file->swapped, &block)) &&
         is_block (scan, offset);
}

/* Looks for the next block with a right check. Returns where it is; the size of the file where there
 * is none. */
static guint64
search (Scan *scan, guint64 offset)
{
  g_autofree guint8 *piece = g_malloc (MOST_PIECE);
  gsize size = FIRST_PIECE;

  while (offset + TRACE_BLOCK_SIZE <= scan->size && spend (scan, size) && !g_cancellable_is_cancelled (scan->cancellable))
    {
      gssize got = scan_read (scan, piece, size, offset);
      gsize i;

      for (i = 0; (gssize) i + TRACE_MAGIC_SIZE <= got; i += 2)
        if (is_block_in (scan, offset + i, piece + i, (gsize) got - i))
          return offset + i;
      if (i == 0)
        break;
      offset += i;
      size = MIN (2 * size, MOST_PIECE);
    }
  return scan->size;
}

/* Whether the dictionary after a hole is that before it. One may have begun there, unless the indices say
 * that nothing was there, or what is left of a header that it was a single block without definitions. */
static gboolean
is_hole_harmless (const Scan *scan, const CsPackedBlock *last, const CsPackedBlock *next)
{
  guint64 index = last->index + last->events;
  guint8 bytes[TRACE_BLOCK_SIZE];
  CsPackedBlock header;

  if (last->index == 0 || next->index == 0)
    return FALSE;
  if (next->index == index)
    return TRUE;
  if (cs_pread_full (scan->fd, bytes, sizeof bytes, (off_t) (last->offset + last->bytes)) < (gssize) sizeof bytes)
    return FALSE;
  cs_packed_parse_block (bytes, scan->file->swapped, &header);
  return header.index == index && header.first_site == next->first_site && header.sites == 0 &&
         (index + header.events == next->index || last->offset + last->bytes + header.bytes == next->offset);
}

/* Adds a block behind those that have been found. */
static void
add_block (Scan *scan, CsPackedBlock block, gboolean hole)
{
  const CsPackedBlock *last =
      scan->blocks->len > 0 ? &g_array_index (scan->blocks, CsPackedBlock, scan->blocks->len - 1) : NULL;

  block.hole = hole;
  block.first = last != NULL ? last->first + last->records : 0;
  if (block.first_site == 1)
    block.chain = scan->blocks->len;
  else if (last != NULL && last->chain != G_MAXUINT32 && last->first_site + last->sites == block.first_site &&
           (!hole || is_hole_harmless (scan, last, &block)))
    block.chain = last->chain;
  g_array_append_val (scan->blocks, block);
}

/* No block begins where one should. Returns where one begins. */
static guint64
get_over_hole (Scan *scan, guint64 offset)
{
  /* The one before may not have been one, or not so long. */
  if (scan->blocks->len > 0)
    {
      const CsPackedBlock *last = &g_array_index (scan->blocks, CsPackedBlock, scan->blocks->len - 1);
      guint64 begin = last->offset;

      if (begin + last->bytes == offset && !is_block (scan, begin))
        {
          guint64 next = search (scan, begin + 2);

          /* If nothing follows it keeps its place, so that what is lost with it is told. */
          if (next < scan->size)
            g_array_set_size (scan->blocks, scan->blocks->len - 1);
          return next;
        }
    }
  return search (scan, offset + 2);
}

/* What lies behind the last block: the beginning of one that was being written, or something damaged. */
static void
set_end (const Scan *scan, guint64 end)
{
  guint64 left = scan->size - end;
  CsPackedBlock block;
  gboolean whole, torn = left < TRACE_BLOCK_SIZE || (read_header (scan, end, &block, &whole) && !whole);

  scan->file->rest = torn ? (guint) MIN (left, G_MAXUINT) : 0;
  scan->file->damaged = torn ? 0 : left;
}

/**
 * cs_packed_scan:
 * @file: a packed event file whose header is known
 * @fd: its descriptor
 * @size: its size, bytes
 * @cancellable: (nullable): to give up early
 *
 * Finds the file's blocks by reading their headers, and the whole of those that lie at places where
 * something is damaged. What is read is at most a fixed multiple of the file.
 *
 * Returns: %FALSE when cancelled; then some are missing
 */
gboolean
cs_packed_scan (CsEventFile *file, int fd, guint64 size, GCancellable *cancellable)
{
  Scan scan = { .file = file,
                .fd = fd,
                .size = size,
                .cancellable = cancellable,
                .blocks = g_array_new (FALSE, FALSE, sizeof (CsPackedBlock)),
                .credit = MAX_READ_AGAIN * size + MOST_PIECE };
  guint64 offset = file->events_offset, end = offset;
  gboolean hole = FALSE;

  while (offset < size && !g_cancellable_is_cancelled (cancellable))
    {
      CsPackedBlock block;
      gboolean whole;

      if (read_header (&scan, offset, &block, &whole) && whole)
        {
          add_block (&scan, block, hole);
          end = offset = offset + block.bytes;
          hole = FALSE;
          continue;
        }
      offset = get_over_hole (&scan, offset);
      hole = TRUE;
    }
  file->packed = TRUE;
  set_end (&scan, end);
  file->n_blocks = scan.blocks->len;
  g_free (file->blocks);
  file->blocks = (gpointer) g_array_free (scan.blocks, FALSE);
  file->n_events = 0;
  if (file->n_blocks > 0)
    file->n_events = file->blocks[file->n_blocks - 1].first + file->blocks[file->n_blocks - 1].records;
  return offset >= size;
}
