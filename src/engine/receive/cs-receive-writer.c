/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/cs-fields.h"
#include "capture/cs-io.h"
#include "capture/cs-packed.h"
#include "receive/cs-receive-segment.h"
#include "receive/cs-receive-writer.h"

/* What a device may send once more when it goes on: it doesn't know how much of its last bytes came. */
#define AGAIN_MOST (64u << 20)
/* Bytes of process text. */
#define TEXT_MOST (32u << 20)
/* What stays of the budget of a folder for the markers that say that it is used up. */
#define BUDGET_REST 4096

struct _CsReceiveWriter
{
  CsReceiveStore *store; /* NULL: closed */
  CsReceiveHello hello;
  char *folder;
  int folder_fd;
  CsReceiveSegment segment;
  guint32 seq;           /* of the next segment */
  guint64 written;       /* bytes of all files */
  guint64 text_bytes;    /* of process text in the file */
  guint64 text_again;    /* of these, how many the device has sent once more */
  guint64 expected;      /* position in the ring */
  gboolean continued;    /* and nothing has been taken since */
  gboolean was_continued;
  guint64 told_dropped;  /* by a marker */
  CsReceiveStats stats;
};

static void
writer_free (gpointer data)
{
  CsReceiveWriter *self = data;

  cs_receive_hello_clear (&self->hello);
  g_free (self->folder);
  g_free (self);
}

/* Goes on with a stream that ended, if its folder is still there. */
static CsReceiveWriter *
go_on (CsReceiveStore *store, const CsReceiveHello *hello)
{
  g_autofree char *identity = cs_receive_hello_dup_identity (hello);
  CsReceiveWriter *self = identity != NULL ? cs_receive_store_recall (store, identity) : NULL;

  if (self == NULL)
    return NULL;
  self->folder_fd = open (self->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (self->folder_fd < 0)
    {
      writer_free (self);
      return NULL;
    }
  self->store = cs_receive_store_ref (store);
  self->continued = self->was_continued = TRUE;
  self->text_again = 0;
  return self;
}

/**
 * cs_receive_writer_open:
 * @store: where folders of recordings are made
 * @hello: what the device said
 * @error: where to say why nothing can be written
 *
 * Makes the folder of a stream, or goes on with that of the same stream, if that was cut off. Blocks.
 *
 * Returns: (transfer full) (nullable): what writes it; cs_receive_writer_close() frees it
 */
CsReceiveWriter *
cs_receive_writer_open (CsReceiveStore *store, const CsReceiveHello *hello, GError **error)
{
  CsReceiveWriter *self = go_on (store, hello);
  int fd = -1;
  char *folder;

  if (self != NULL)
    return self;
  folder = cs_receive_store_make_folder (store, hello->device, &fd, error);
  if (folder == NULL)
    return NULL;
  self = g_new0 (CsReceiveWriter, 1);
  self->store = cs_receive_store_ref (store);
  self->folder = folder;
  self->folder_fd = fd;
  self->segment.fd = -1;
  self->segment.swapped = hello->swapped;
  cs_receive_hello_copy (&self->hello, hello);
  return self;
}

static void
note_written (CsReceiveWriter *self, gint64 bytes)
{
  self->written += (guint64) bytes;
  cs_receive_store_note (self->store, bytes);
}

/* Nothing more is written. Where the disk is full the end of the file makes room to say so. */
static void
stop (CsReceiveWriter *self, guint code, guint64 payload)
{
  self->stats.stopped = code;
  self->stats.stopped_at = payload;
  if (self->segment.fd >= 0 && self->segment.known)
    {
      gsize n = cs_receive_segment_mark (&self->segment, code, payload);

      if (n == 0)
        {
          guint64 events, given_up = cs_receive_segment_back_up (&self->segment, &events);

          self->stats.events -= events;
          self->stats.bytes -= given_up;
          self->stats.discarded += given_up;
          n = given_up > 0 ? cs_receive_segment_mark (&self->segment, code, payload) : 0;
          note_written (self, -(gint64) given_up);
        }
      note_written (self, (gint64) n);
    }
  cs_receive_segment_close (&self->segment);
}

static gboolean
begin_segment (CsReceiveWriter *self, gboolean packed)
{
  g_autofree char *name = g_strdup_printf ("trace.stream.%s.%u.bin", self->hello.device, self->seq);
  const struct trace_header header = {
    .magic = TRACE_MAGIC,
    .version = packed ? TRACE_PACKED_VERSION : TRACE_VERSION,
    .event_size = packed ? TRACE_PACKED_EVENT_SIZE : TRACE_EVENT_SIZE,
    .header_size = TRACE_HEADER_SIZE,
    .flags = self->hello.flags,
    .load_bias = self->hello.load_bias,
    .tick_hz = self->hello.tick_hz,
    .t0_ticks = self->hello.t0_ticks,
    .t0_ns = self->hello.t0_ns,
    .hook_ns = self->hello.hook_ns,
    .pid = self->hello.pid,
    .seq = self->seq,
  };

  cs_receive_segment_close (&self->segment);
  self->segment.packed = packed;
  if (!cs_receive_segment_open (&self->segment, self->folder_fd, name, &header))
    {
      self->stats.gone = errno == ENOENT;
      stop (self, TRACE_MARK_WRITE_ERROR, (guint64) errno);
      return FALSE;
    }
  self->seq++;
  note_written (self, TRACE_HEADER_SIZE);
  return TRUE;
}

/* Sees to it that a segment is open that has room for a unit. */
static gboolean
need_segment (CsReceiveWriter *self, gboolean packed, guint64 unit)
{
  const CsReceiveLimits *limits = cs_receive_store_get_limits (self->store);
  struct stat st;

  if (self->segment.fd >= 0 && self->segment.packed == packed &&
      (self->segment.size + unit <= limits->segment_bytes || self->segment.size == TRACE_HEADER_SIZE))
    {
      if (fstat (self->segment.fd, &st) != 0 || st.st_nlink > 0)
        return TRUE;
      self->stats.gone = TRUE;
      stop (self, TRACE_MARK_WRITE_ERROR, ENOENT);
      return FALSE;
    }
  return begin_segment (self, packed);
}

/* How many of so many bytes may be written now, in whole units; if none, nothing more is. */
static guint64
allow (CsReceiveWriter *self, guint64 n, guint64 unit)
{
  const CsReceiveLimits *limits = cs_receive_store_get_limits (self->store);
  guint64 room = limits->segment_bytes > self->segment.size ? limits->segment_bytes - self->segment.size : 0;
  guint64 budget = limits->connection_bytes > self->written + BUDGET_REST ? limits->connection_bytes - self->written - BUDGET_REST : 0;
  guint64 allowed, free_bytes;

  n = MIN (n, MAX (unit, room / unit * unit));
  if (budget < unit)
    {
      stop (self, TRACE_MARK_BUDGET, limits->connection_bytes);
      return 0;
    }
  n = MIN (n, budget / unit * unit);
  if (cs_receive_store_is_low (self->store, self->folder_fd, n, &free_bytes))
    {
      stop (self, TRACE_MARK_NOSPACE, free_bytes);
      return 0;
    }
  allowed = cs_receive_store_take (self->store, n, unit);
  if (allowed == 0)
    stop (self, TRACE_MARK_BUDGET, limits->total_bytes);
  return allowed;
}

/* Tells in the file how many events the device dropped in all. */
static void
mark_dropped (CsReceiveWriter *self)
{
  gsize n;

  if (self->stats.dropped == self->told_dropped || self->stats.stopped != 0 || self->segment.fd < 0 || !self->segment.known)
    return;
  n = cs_receive_segment_mark (&self->segment, TRACE_MARK_RING_DROPS, self->stats.dropped);
  if (n == 0)
    {
      stop (self, TRACE_MARK_WRITE_ERROR, (guint64) errno);
      return;
    }
  note_written (self, (gint64) n);
  self->told_dropped = self->stats.dropped;
}

/* Writes whole records, or one block. Returns how many bytes, as far as there is room. */
static guint64
write_some (CsReceiveWriter *self, const guint8 *bytes, guint64 n, guint64 unit)
{
  int error;

  n = allow (self, n, unit);
  if (n == 0)
    return 0;
  if (!cs_receive_segment_add (&self->segment, bytes, n))
    {
      error = errno;
      cs_receive_store_note (self->store, -(gint64) n);
      stop (self, TRACE_MARK_WRITE_ERROR, (guint64) error);
      return 0;
    }
  self->written += n;
  self->stats.bytes += n;
  return n;
}

/* Tells in the file that bytes of the ring are missing here. */
static void
mark_gap (CsReceiveWriter *self, guint64 bytes, gboolean packed)
{
  gsize n;

  self->stats.gaps++;
  self->stats.gap_bytes += bytes;
  if (self->stats.stopped != 0 || !need_segment (self, packed, CS_RECEIVE_MARK_MOST))
    return;
  n = cs_receive_segment_mark (&self->segment, TRACE_MARK_GAP, bytes);
  if (n == 0)
    stop (self, TRACE_MARK_WRITE_ERROR, (guint64) errno);
  note_written (self, (gint64) n);
}

static void
write_records (CsReceiveWriter *self, const guint8 *bytes, gsize n)
{
  while (n > 0 && self->stats.stopped == 0 && need_segment (self, FALSE, TRACE_EVENT_SIZE))
    {
      guint64 done = write_some (self, bytes, n, TRACE_EVENT_SIZE);

      if (done == 0)
        break;
      self->stats.events += cs_receive_count_events (bytes, done);
      bytes += done;
      n -= done;
      cs_receive_segment_note_record (&self->segment, bytes - TRACE_EVENT_SIZE);
    }
  self->stats.discarded += n;
  mark_dropped (self);
}

static void
write_blocks (CsReceiveWriter *self, const guint8 *bytes, gsize n)
{
  CsPackedBlock block;

  while (n > 0 && self->stats.stopped == 0)
    {
      cs_packed_parse_block (bytes, self->hello.swapped, &block);
      if (!need_segment (self, TRUE, block.bytes) || write_some (self, bytes, block.bytes, block.bytes) == 0)
        break;
      self->stats.events += block.events;
      cs_receive_segment_note_block (&self->segment, bytes);
      bytes += block.bytes;
      n -= block.bytes;
    }
  self->stats.discarded += n;
  mark_dropped (self);
}

/* Whether these are whole blocks that each stand alone: blocks of several threads come mixed, so that none can
 * lean on the one before it. */
static gboolean
check_blocks (const CsReceiveWriter *self, const guint8 *bytes, gsize n, GError **error)
{
  CsPackedBlock block;

  while (n > 0)
    {
      if (n < TRACE_BLOCK_SIZE || !cs_packed_parse_block (bytes, self->hello.swapped, &block) || block.bytes > n)
        return cs_receive_refuse (error, "packed chunks are whole blocks, this one had something else %" G_GSIZE_FORMAT " bytes before its end", n);
      if (block.first_site != 1)
        return cs_receive_refuse (error, "in a stream each block stands alone, this one goes on with another's sites");
      bytes += block.bytes;
      n -= block.bytes;
    }
  return TRUE;
}

/* Leaves out what came before already. Returns how many bytes; G_MAXSIZE: that isn't whole records or blocks. */
static gsize
find_new (const CsReceiveWriter *self, const guint8 *bytes, gsize n, guint64 again, gboolean packed)
{
  gsize done = 0;
  CsPackedBlock block;

  if (again >= n)
    return n;
  if (!packed)
    return again % TRACE_EVENT_SIZE == 0 ? (gsize) again : G_MAXSIZE;
  while (done < again && cs_packed_parse_block (bytes + done, self->hello.swapped, &block))
    done += block.bytes;
  return done == again ? done : G_MAXSIZE;
}

/* Places events of version 3 in their ring. */
static gboolean
place (CsReceiveWriter *self, const guint8 **bytes, gsize *n, gboolean packed, GError **error)
{
  guint64 position = cs_field_u64 (*bytes, 0, self->hello.swapped);
  gsize known = 0;

  *bytes += CS_RECEIVE_POSITION_SIZE;
  *n -= CS_RECEIVE_POSITION_SIZE;
  if (packed && !check_blocks (self, *bytes, *n, error))
    return FALSE;
  if (position > G_MAXUINT64 - *n)
    return cs_receive_refuse (error, "a position in the ring is beyond all numbers");
  if (position < self->expected)
    {
      if (self->continued && self->expected - position <= AGAIN_MOST)
        known = find_new (self, *bytes, *n, self->expected - position, packed);
      if (known == 0 || known == G_MAXSIZE)
        return cs_receive_refuse (error, "a position in the ring steps back by %" G_GUINT64_FORMAT " bytes", self->expected - position);
      position += known;
      *bytes += known;
      *n -= known;
      if (*n == 0)
        return TRUE;
    }
  self->continued = FALSE;
  if (position > self->expected && *n > 0)
    {
      if (!self->segment.known && packed)
        cs_receive_segment_note_block (&self->segment, *bytes);
      else if (!self->segment.known)
        cs_receive_segment_note_record (&self->segment, *bytes);
      mark_gap (self, position - self->expected, packed);
    }
  self->expected = *n > 0 ? position + *n : MAX (self->expected, position);
  return TRUE;
}

/* Leaves out what a device that goes on sends once more: it begins its text anew. Returns how many bytes. */
static gsize
find_again (CsReceiveWriter *self, int fd, const guint8 *text, gsize n)
{
  gsize same = MIN (n, self->text_bytes - self->text_again);
  g_autofree guint8 *there = g_malloc (MAX (same, 1));

  if (same > 0 && cs_pread_full (fd, there, same, (off_t) self->text_again) == (gssize) same && memcmp (there, text, same) == 0)
    {
      self->text_again += same;
      return same;
    }
  self->text_again = self->text_bytes; /* it is something else: behind what is there */
  return 0;
}

static gboolean
take_text (CsReceiveWriter *self, const guint8 *text, gsize n, GError **error)
{
  g_autofree char *name = g_strdup_printf ("trace.%u.process", self->hello.pid);
  cs_autofd fd = openat (self->folder_fd, name, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  gsize again = fd >= 0 ? find_again (self, fd, text, n) : 0;

  text += again;
  n -= again;
  if (self->text_bytes + n > TEXT_MOST)
    return cs_receive_refuse (error, "process text has at most %u bytes", TEXT_MOST);
  if (fd >= 0 && (n == 0 || allow (self, n, 1) < n))
    return TRUE;
  if (fd < 0 || write (fd, text, n) != (gssize) n)
    {
      self->stats.gone = errno == ENOENT;
      stop (self, TRACE_MARK_WRITE_ERROR, (guint64) errno);
      return TRUE;
    }
  self->written += n;
  self->text_bytes += n;
  self->text_again = self->text_bytes;
  return TRUE;
}

/**
 * cs_receive_writer_take:
 * @self: what writes a stream
 * @chunk: the stream's next chunk
 * @error: where to say which rule the chunk breaks
 *
 * Unpacks and writes a chunk. What can't be written is counted, and the file says so. Blocks.
 *
 * Returns: whether the chunk is one
 */
gboolean
cs_receive_writer_take (CsReceiveWriter *self, const CsReceiveChunk *chunk, GError **error)
{
  gboolean packed = chunk->type == CS_RECEIVE_PACKED || chunk->type == CS_RECEIVE_PACKED_STORED;
  const guint8 *bytes;
  gsize n = chunk->raw_len;

  if (self->stats.stopped != 0 && chunk->type != CS_RECEIVE_DROPS)
    {
      self->stats.discarded += chunk->raw_len;
      return TRUE;
    }
  bytes = cs_receive_chunk_unpack (chunk, error);
  if (bytes == NULL)
    return FALSE;
  if (chunk->type == CS_RECEIVE_PROCESS)
    return take_text (self, bytes, n, error);
  if (chunk->type == CS_RECEIVE_DROPS)
    {
      self->stats.dropped = MAX (self->stats.dropped, cs_field_u64 (bytes, 0, self->hello.swapped));
      mark_dropped (self);
      return TRUE;
    }
  if (self->hello.version >= 3 && !place (self, &bytes, &n, packed, error))
    return FALSE;
  if (packed)
    write_blocks (self, bytes, n);
  else
    write_records (self, bytes, n);
  return TRUE;
}

/**
 * cs_receive_writer_close:
 * @self: (transfer full): what writes a stream
 * @forget: whether the stream may not go on in its folder
 *
 * Closes its files. A folder to which nothing was written is removed.
 */
void
cs_receive_writer_close (CsReceiveWriter *self, gboolean forget)
{
  g_autoptr (CsReceiveStore) store = g_steal_pointer (&self->store);
  g_autofree char *identity = cs_receive_hello_dup_identity (&self->hello);
  gboolean is_empty = self->seq == 0 && self->text_bytes == 0;

  cs_receive_segment_close (&self->segment);
  close (self->folder_fd);
  self->folder_fd = -1;
  if (is_empty)
    g_rmdir (self->folder);
  if (forget || is_empty || identity == NULL || self->stats.gone)
    writer_free (self);
  else
    cs_receive_store_remember (store, identity, self, writer_free);
}

/**
 * cs_receive_writer_get_stats:
 * @self: what writes a stream
 *
 * Returns: (transfer none): what became of it so far
 */
const CsReceiveStats *
cs_receive_writer_get_stats (const CsReceiveWriter *self)
{
  return &self->stats;
}

/**
 * cs_receive_writer_get_folder:
 * @self: what writes a stream
 *
 * Returns: (transfer none): the path of its folder
 */
const char *
cs_receive_writer_get_folder (const CsReceiveWriter *self)
{
  return self->folder;
}

/**
 * cs_receive_writer_is_continued:
 * @self: what writes a stream
 *
 * Returns: whether it goes on with a stream that was cut off
 */
gboolean
cs_receive_writer_is_continued (const CsReceiveWriter *self)
{
  return self->was_continued;
}
