/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "capture/cs-fields.h"
#include "capture/cs-io.h"
#include "receive/cs-receive-segment.h"

/* What is given up at the end of a file so that a marker has room: a page. */
#define BACK_UP_BYTES 4096

static guint32
order_32 (const CsReceiveSegment *self, guint32 value)
{
  return self->swapped ? GUINT32_SWAP_LE_BE (value) : value;
}

static guint64
order_64 (const CsReceiveSegment *self, guint64 value)
{
  return self->swapped ? GUINT64_SWAP_LE_BE (value) : value;
}

static gboolean
write_all (int fd, const guint8 *bytes, gsize n)
{
  while (n > 0)
    {
      gssize written = write (fd, bytes, n);

      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return FALSE;
      bytes += written;
      n -= (gsize) written;
    }
  return TRUE;
}

/**
 * cs_receive_segment_open:
 * @self: one of which no file is open; says which records, and in which byte order
 * @folder: descriptor of the folder
 * @name: of the file, which isn't there yet
 * @header: what it begins with, in this machine's byte order
 *
 * Returns: whether there is a file with that header now; if not, errno says why
 */
gboolean
cs_receive_segment_open (CsReceiveSegment *self, int folder, const char *name, const struct trace_header *header)
{
  struct trace_header copy = *header;
  int error;

  copy.version = order_32 (self, header->version);
  copy.event_size = order_32 (self, header->event_size);
  copy.header_size = order_32 (self, header->header_size);
  copy.flags = order_32 (self, header->flags);
  copy.load_bias = order_64 (self, header->load_bias);
  copy.tick_hz = order_64 (self, header->tick_hz);
  copy.t0_ticks = order_64 (self, header->t0_ticks);
  copy.t0_ns = order_64 (self, header->t0_ns);
  copy.hook_ns = order_64 (self, header->hook_ns);
  copy.pid = order_32 (self, header->pid);
  copy.seq = order_32 (self, header->seq);
  self->fd = openat (folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (self->fd < 0)
    return FALSE;
  self->size = self->last = sizeof copy;
  if (write_all (self->fd, (const guint8 *) &copy, sizeof copy))
    return TRUE;
  error = errno;
  cs_receive_segment_close (self);
  unlinkat (folder, name, 0);
  errno = error;
  return FALSE;
}

/**
 * cs_receive_segment_add:
 * @self: an open one
 * @bytes: (array length=n): whole records, or a block
 * @n: how many bytes
 *
 * Returns: whether they were written; if not, errno says why, and the file is as it was
 */
gboolean
cs_receive_segment_add (CsReceiveSegment *self, const guint8 *bytes, gsize n)
{
  int error;

  if (write_all (self->fd, bytes, n))
    {
      self->last = self->size;
      self->size += n;
      return TRUE;
    }
  error = errno;
  if (ftruncate (self->fd, (off_t) self->size) == 0)
    lseek (self->fd, (off_t) self->size, SEEK_SET);
  errno = error;
  return FALSE;
}

/**
 * cs_receive_segment_note_record:
 * @self: a segment
 * @record: a record whose thread and time the next marker bears
 */
void
cs_receive_segment_note_record (CsReceiveSegment *self, const guint8 *record)
{
  memcpy (self->ts, record + offsetof (struct trace_event, ts), sizeof self->ts);
  memcpy (self->tid, record + offsetof (struct trace_event, tid), sizeof self->tid);
  self->known = TRUE;
}

/**
 * cs_receive_segment_note_block:
 * @self: a segment
 * @block: a block whose thread and time the next marker bears
 */
void
cs_receive_segment_note_block (CsReceiveSegment *self, const guint8 *block)
{
  memcpy (self->ts, block + offsetof (struct trace_block, base), sizeof self->ts);
  memcpy (self->tid, block + offsetof (struct trace_block, tid), sizeof self->tid);
  self->known = TRUE;
}

static void
make_record (const CsReceiveSegment *self, guint64 code, guint64 payload, guint8 *record)
{
  struct trace_event event = { .func = order_64 (self, code), .caller = order_64 (self, payload), .kind = TRACE_KIND_MARKER };

  memcpy (&event.ts, self->ts, sizeof self->ts);
  memcpy (&event.tid, self->tid, sizeof self->tid);
  memcpy (record, &event, sizeof event);
}

/* A block of one raw record, which stands alone. */
static gsize
make_block (const CsReceiveSegment *self, guint64 code, guint64 payload, guint8 *bytes)
{
  struct trace_block block = { .magic = TRACE_BLOCK_MAGIC };
  guint8 *words = bytes + sizeof block;
  guint16 word = TRACE_WORD_RAW;
  gsize size = sizeof word + TRACE_EVENT_SIZE;

  word = self->swapped ? GUINT16_SWAP_LE_BE (word) : word;
  memcpy (words, &word, sizeof word);
  make_record (self, code, payload, words + sizeof word);
  block.header_size = order_32 (self, TRACE_BLOCK_SIZE);
  block.bytes = order_32 (self, (guint32) (sizeof block + size));
  block.records = order_32 (self, 1);
  block.first_site = order_32 (self, 1);
  memcpy (&block.base, self->ts, sizeof self->ts);
  memcpy (&block.tid, self->tid, sizeof self->tid);
  block.check = order_32 (self, trace_block_check (&block, words, size, NULL, 0, self->swapped));
  memcpy (bytes, &block, sizeof block);
  return sizeof block + size;
}

/**
 * cs_receive_segment_mark:
 * @self: an open one of which a record is known
 * @code: of a marker
 * @payload: of the marker
 *
 * Returns: the bytes that the marker took; 0: it could not be written, and errno says why
 */
gsize
cs_receive_segment_mark (CsReceiveSegment *self, guint64 code, guint64 payload)
{
  guint8 bytes[CS_RECEIVE_MARK_MOST];
  gsize n = TRACE_EVENT_SIZE;

  if (self->packed)
    n = make_block (self, code, payload, bytes);
  else
    make_record (self, code, payload, bytes);
  return cs_receive_segment_add (self, bytes, n) ? n : 0;
}

/**
 * cs_receive_count_events:
 * @records: (array length=n): whole records
 * @n: how many bytes
 *
 * Returns: how many of them are enters and exits
 */
guint64
cs_receive_count_events (const guint8 *records, gsize n)
{
  guint64 events = 0;

  for (gsize i = 0; i + TRACE_EVENT_SIZE <= n; i += TRACE_EVENT_SIZE)
    events += records[i + offsetof (struct trace_event, kind)] <= TRACE_KIND_EXIT;
  return events;
}

/**
 * cs_receive_segment_back_up:
 * @self: an open one
 * @events: (out): enters and exits that were given up
 *
 * Gives up the end of the file, so that there is room for a marker on a disk that is full.
 *
 * Returns: the bytes that were given up; 0: there is nothing to give up
 */
guint64
cs_receive_segment_back_up (CsReceiveSegment *self, guint64 *events)
{
  guint64 end = self->last, n;

  *events = 0;
  if (!self->packed)
    end = MAX (TRACE_HEADER_SIZE, self->size > BACK_UP_BYTES ? self->size - BACK_UP_BYTES : 0);
  n = self->size - end;
  if (n == 0)
    return 0;
  if (self->packed)
    {
      guint8 block[TRACE_BLOCK_SIZE];

      if (cs_pread_full (self->fd, block, sizeof block, (off_t) end) == sizeof block)
        *events = cs_field_u32 (block, offsetof (struct trace_block, events), self->swapped);
    }
  else
    {
      guint8 records[BACK_UP_BYTES];

      if (cs_pread_full (self->fd, records, n, (off_t) end) == (gssize) n)
        *events = cs_receive_count_events (records, n);
    }
  if (ftruncate (self->fd, (off_t) end) != 0)
    return 0;
  lseek (self->fd, (off_t) end, SEEK_SET);
  self->size = self->last = end;
  return n;
}

/**
 * cs_receive_segment_close:
 * @self: a segment; what is known of its last record stays
 */
void
cs_receive_segment_close (CsReceiveSegment *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}
