/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/cs-clock.h"
#include "capture/cs-event-file-private.h"
#include "capture/cs-io.h"
#include "capture/cs-packed-private.h"

G_DEFINE_QUARK (cs-capture-error-quark, cs_capture_error)

/* Reads decimal digits up to `end`; FALSE when there are none or too many. */
static gboolean
take_number (const char **text, char end, guint64 max, guint64 *number)
{
  const char *p = *text;
  guint64 value = 0;

  if (!g_ascii_isdigit (*p))
    return FALSE;
  for (; g_ascii_isdigit (*p); p++)
    {
      value = value * 10 + (guint) (*p - '0');
      if (value > max)
        return FALSE;
    }
  if (*p != end)
    return FALSE;
  *text = p + 1;
  *number = value;
  return TRUE;
}

/* <pid>.<tid>[.<n>].bin, or .tail */
static void
parse_summary_name (const char *p, CsTraceNameParts *parts)
{
  guint64 pid, tid, n = 0;

  if (!take_number (&p, '.', G_MAXUINT32, &pid) || !take_number (&p, '.', G_MAXUINT32, &tid))
    return;
  if (g_ascii_isdigit (*p) && !take_number (&p, '.', G_MAXUINT32, &n))
    return;
  if (g_str_equal (p, "bin"))
    parts->kind = CS_TRACE_NAME_SUMMARY;
  else if (g_str_equal (p, "tail"))
    parts->kind = CS_TRACE_NAME_SUMMARY_TAIL;
  else
    return;
  parts->pid = (guint) pid;
  parts->tid = (guint) tid;
  parts->seq = n;
}

/**
 * cs_trace_name_parse:
 * @name: a file name without folders
 * @parts: (out): what it says; numbers that the kind doesn't have are 0
 *
 * Returns: the kind of file that a trace directory holds under such a name
 */
CsTraceName
cs_trace_name_parse (const char *name, CsTraceNameParts *parts)
{
  const char *p = name;
  guint64 pid = 0, tid = 0, seq = 0;

  *parts = (CsTraceNameParts){ .kind = CS_TRACE_NAME_OTHER };
  if (!g_str_has_prefix (p, "trace."))
    return parts->kind;
  p += strlen ("trace.");

  if (g_str_has_prefix (p, "summary."))
    parse_summary_name (p + strlen ("summary."), parts);
  else if (g_str_has_prefix (p, "stream.") && g_str_has_suffix (p, ".bin"))
    {
      g_autofree char *stem = g_strndup (p, strlen (p) - strlen (".bin"));
      const char *dot = strrchr (stem, '.');
      /* <id> may be anything, dots too, but must be there. */
      const char *digits = dot != NULL && dot > stem + strlen ("stream") ? dot + 1 : "";

      if (take_number (&digits, '\0', G_MAXUINT32, &seq))
        {
          parts->kind = CS_TRACE_NAME_STREAM;
          parts->seq = seq;
        }
    }
  else if (take_number (&p, '.', G_MAXUINT32, &pid))
    {
      parts->pid = (guint) pid;
      if (g_str_equal (p, "process"))
        parts->kind = CS_TRACE_NAME_PROCESS;
      else if (take_number (&p, '.', G_MAXUINT32, &tid) &&
               take_number (&p, '.', G_MAXUINT32, &seq) &&
               (g_str_equal (p, "bin") || g_str_equal (p, "tail")))
        {
          parts->kind = g_str_equal (p, "bin") ? CS_TRACE_NAME_EVENTS : CS_TRACE_NAME_TAIL;
          parts->tid = (guint) tid;
          parts->seq = seq;
        }
    }
  return parts->kind;
}

static void
header_swap (struct trace_header *header)
{
  header->version = GUINT32_SWAP_LE_BE (header->version);
  header->event_size = GUINT32_SWAP_LE_BE (header->event_size);
  header->header_size = GUINT32_SWAP_LE_BE (header->header_size);
  header->flags = GUINT32_SWAP_LE_BE (header->flags);
  header->load_bias = GUINT64_SWAP_LE_BE (header->load_bias);
  header->tick_hz = GUINT64_SWAP_LE_BE (header->tick_hz);
  header->t0_ticks = GUINT64_SWAP_LE_BE (header->t0_ticks);
  header->t0_ns = GUINT64_SWAP_LE_BE (header->t0_ns);
  header->hook_ns = GUINT64_SWAP_LE_BE (header->hook_ns);
  header->pid = GUINT32_SWAP_LE_BE (header->pid);
  header->seq = GUINT32_SWAP_LE_BE (header->seq);
  header->first_index = GUINT64_SWAP_LE_BE (header->first_index);
}

/**
 * cs_events_swap:
 * @events: (array length=n): records of the other byte order
 * @n: how many
 *
 * Turns records into this machine's byte order, in place.
 */
void
cs_events_swap (struct trace_event *events, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      events[i].ts = GUINT64_SWAP_LE_BE (events[i].ts);
      events[i].func = GUINT64_SWAP_LE_BE (events[i].func);
      events[i].caller = GUINT64_SWAP_LE_BE (events[i].caller);
      events[i].tid = GUINT32_SWAP_LE_BE (events[i].tid);
    }
}

static gboolean
parse_header (CsEventFile *self, guint64 size, gsize got, GError **error)
{
  struct trace_header *header = &self->header;
  guint32 event_size;

  if (size == 0)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_SHORT, "%s is empty", self->name);
      return FALSE;
    }
  if (got < TRACE_V1_HEADER_SIZE)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_SHORT,
                   "%s ends after %" G_GUINT64_FORMAT " bytes, inside its header", self->name, size);
      return FALSE;
    }
  if (memcmp (header->magic, TRACE_MAGIC, TRACE_MAGIC_SIZE) != 0)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT,
                   "%s is no event file: it doesn't begin with %s", self->name, TRACE_MAGIC);
      return FALSE;
    }
  if (header->version > 0xFFFF)
    {
      header_swap (header);
      self->swapped = TRUE;
    }
  if (header->version != 1 && header->version != TRACE_VERSION && header->version != TRACE_PACKED_VERSION)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_VERSION,
                   "%s is of version %u, this program reads 1, %u and %u", self->name, header->version,
                   TRACE_VERSION, TRACE_PACKED_VERSION);
      return FALSE;
    }
  event_size = header->version == TRACE_PACKED_VERSION ? TRACE_PACKED_EVENT_SIZE : TRACE_EVENT_SIZE;
  if (header->event_size != event_size)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_VERSION,
                   "%s has events of %u bytes, this program reads events of %u in version %u", self->name,
                   header->event_size, event_size, header->version);
      return FALSE;
    }
  if (header->version == 1)
    {
      /* The rest of what was read is the first event. */
      memset ((char *) header + TRACE_V1_HEADER_SIZE, 0, sizeof *header - TRACE_V1_HEADER_SIZE);
      header->header_size = TRACE_V1_HEADER_SIZE;
      header->pid = self->parts.pid;
      header->seq = (guint32) self->parts.seq;
      return TRUE;
    }
  if (got < TRACE_HEADER_SIZE)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_SHORT,
                   "%s ends after %" G_GUINT64_FORMAT " bytes, inside its header", self->name, size);
      return FALSE;
    }
  if (header->header_size < TRACE_HEADER_SIZE || header->header_size > size)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT,
                   "%s is damaged: a header of %u bytes in a file of %" G_GUINT64_FORMAT, self->name,
                   header->header_size, size);
      return FALSE;
    }
  return TRUE;
}

/* trace.stream.<id>.<seq>.bin → <id> */
static char *
stream_id (const char *name)
{
  g_autofree char *rest = g_strdup (name + strlen ("trace.stream."));

  *strrchr (rest, '.') = '\0';
  *strrchr (rest, '.') = '\0';
  return g_steal_pointer (&rest);
}

/* Whose events a file with somebody else's name holds; 0 where it holds none. */
static guint
first_tid (const CsEventFile *self, int fd)
{
  struct trace_event event;

  if (self->packed)
    return self->n_blocks > 0 ? self->blocks[0].tid : 0;
  if (self->n_events == 0 || cs_pread_full (fd, &event, sizeof event, (off_t) self->events_offset) < (gssize) sizeof event)
    return 0;
  if (self->swapped)
    cs_events_swap (&event, 1);
  return event.tid;
}

/**
 * cs_event_file_new:
 * @path: an event file or tail
 *
 * Returns: (transfer full): the file, of which only the name is known
 */
CsEventFile *
cs_event_file_new (const char *path)
{
  CsEventFile *self = g_new0 (CsEventFile, 1);

  self->path = g_strdup (path);
  self->folder = g_path_get_dirname (path);
  self->name = g_path_get_basename (path);
  if (cs_trace_name_parse (self->name, &self->parts) == CS_TRACE_NAME_STREAM)
    self->stream = stream_id (self->name);
  else
    self->stream = g_strdup ("");
  return self;
}

/**
 * cs_event_file_load:
 * @self: a file of which only the name is known
 * @fd: its descriptor, or -1 with errno
 * @size: (out): its size, bytes
 * @error: where to say why it can't be read
 *
 * Reads the header, and so where events lie.
 *
 * Returns: whether it is an event file
 */
gboolean
cs_event_file_load (CsEventFile *self, int fd, guint64 *size, GError **error)
{
  struct stat st;
  gssize got;

  if (fd < 0 || fstat (fd, &st) != 0)
    {
      g_set_error (error, CS_CAPTURE_ERROR, errno == ENOENT ? CS_CAPTURE_ERROR_NOT_FOUND : CS_CAPTURE_ERROR_READ,
                   "%s can't be opened: %s", self->name, g_strerror (errno));
      return FALSE;
    }
  if (!S_ISREG (st.st_mode))
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT, "%s is not a regular file",
                   self->name);
      return FALSE;
    }
  got = cs_pread_full (fd, &self->header, sizeof self->header, 0);
  if (got < 0)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ, "%s can't be read: %s",
                   self->name, g_strerror (errno));
      return FALSE;
    }
  *size = (guint64) st.st_size;
  if (!parse_header (self, *size, (gsize) got, error))
    return FALSE;
  self->events_offset = self->header.header_size;
  self->device = st.st_dev;
  self->inode = st.st_ino;
  return TRUE;
}

/**
 * cs_event_file_measure:
 * @self: an event file whose header is known
 * @fd: its descriptor
 * @size: its size, bytes
 * @cancellable: (nullable): to give up early
 *
 * Finds out how many records there are.
 *
 * Returns: %FALSE when cancelled
 */
gboolean
cs_event_file_measure (CsEventFile *self, int fd, guint64 size, GCancellable *cancellable)
{
  if (self->header.version == TRACE_PACKED_VERSION)
    return cs_packed_scan (self, fd, size, cancellable);
  self->n_events = (size - self->events_offset) / TRACE_EVENT_SIZE;
  self->rest = (size - self->events_offset) % TRACE_EVENT_SIZE;
  return TRUE;
}

/**
 * cs_event_file_add_notices:
 * @self: an event file or tail
 * @notices: where to say what is left out at its end
 */
void
cs_event_file_add_notices (const CsEventFile *self, CsNotices *notices)
{
  if (self->rest > 0)
    cs_notices_add_detail (notices, CS_NOTICE_PARTIAL,
                           "%s ends in the middle of a %s: the last %u bytes are left out", self->name,
                           self->packed && !self->tail ? "block" : "record", self->rest);
  if (self->damaged > 0)
    cs_notices_add_detail (notices, CS_NOTICE_LOST,
                           "%s is damaged at its end: the last %" G_GUINT64_FORMAT " bytes are left out", self->name,
                           self->damaged);
}

/**
 * cs_event_file_get_n_bytes:
 * @self: an event file or tail
 *
 * Returns: bytes of its records, or of its blocks and what is damaged between them
 */
guint64
cs_event_file_get_n_bytes (const CsEventFile *self)
{
  const CsPackedBlock *last = self->n_blocks > 0 ? &self->blocks[self->n_blocks - 1] : NULL;

  if (!self->packed)
    return self->n_events * TRACE_EVENT_SIZE;
  if (last == NULL || self->n_events == 0)
    return 0;
  return last->offset + last->bytes - (self->tail ? 0 : self->events_offset);
}

/**
 * cs_event_file_open_cancellable:
 * @path: an event file
 * @cancellable: (nullable): to give up early
 * @error: where to say why it can't be read
 *
 * Reads the header of an event file of version 1, 2 or 3, of either byte order; of a packed one
 * (version 3) also those of its blocks. The file is not kept open.
 *
 * Returns: (transfer full) (nullable): the file, or %NULL with %CS_CAPTURE_ERROR or %G_IO_ERROR_CANCELLED
 */
CsEventFile *
cs_event_file_open_cancellable (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsEventFile) self = cs_event_file_new (path);
  cs_autofd fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  guint64 size;

  if (!cs_event_file_load (self, fd, &size, error))
    return NULL;
  if (!cs_event_file_measure (self, fd, size, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  if (self->parts.kind == CS_TRACE_NAME_OTHER)
    self->parts.tid = first_tid (self, fd);
  return g_steal_pointer (&self);
}

/**
 * cs_event_file_open:
 * @path: an event file
 * @error: where to say why it can't be read
 *
 * cs_event_file_open_cancellable() that nothing ends early.
 *
 * Returns: (transfer full) (nullable): the file, or %NULL with %CS_CAPTURE_ERROR
 */
CsEventFile *
cs_event_file_open (const char *path, GError **error)
{
  return cs_event_file_open_cancellable (path, NULL, error);
}

/* Of a packed file. */
static gssize
read_packed (const CsEventFile *self, int fd, guint64 first, struct trace_event *events, gsize n)
{
  g_autoptr (CsPackedDecoder) decoder = cs_packed_decoder_new ();
  gsize done = 0;

  for (guint i = cs_packed_find_block (self, first); done < n && i < self->n_blocks; i++)
    {
      const CsPackedBlock *block = &self->blocks[i];
      guint64 skip = first + self->skipped + done - block->first;
      CsPackedResult result = cs_packed_decoder_open (decoder, self, fd, i);
      gsize wanted = MIN (n - done, block->records - skip), got;

      if (result == CS_PACKED_UNREADABLE)
        return -1;
      if (result != CS_PACKED_OPEN || !cs_packed_decoder_skip (decoder, (guint32) skip))
        break;
      got = cs_packed_decoder_next (decoder, events + done, wanted, NULL);
      done += got;
      if (got < wanted)
        break;
    }
  return (gssize) done;
}

/**
 * cs_event_file_read:
 * @self: an event file or tail
 * @fd: a descriptor of an event file; a tail needs none
 * @first: number of the first record to read
 * @events: (out) (array length=n): the records, in this machine's byte order
 * @n: how many there are from @first on
 *
 * Of a packed file the blocks are decoded that have these records: to read many, a CsEventReader does
 * it faster, or a CsPackedDecoder.
 *
 * Returns: how many were read, fewer where the file is shorter than it was or a block is damaged, or
 *   -1 with errno
 */
gssize
cs_event_file_read (const CsEventFile *self, int fd, guint64 first, struct trace_event *events, gsize n)
{
  gssize got = (gssize) (n * sizeof *events);

  if (self->packed)
    return read_packed (self, fd, first, events, n);
  if (self->window != NULL)
    memcpy (events, self->window + first * sizeof *events, n * sizeof *events);
  else if (!self->tail)
    got = cs_pread_full (fd, events, n * sizeof *events,
                         (off_t) (self->events_offset + first * sizeof *events));
  if (got < 0)
    return -1;
  n = (gsize) got / sizeof *events;
  if (self->swapped)
    cs_events_swap (events, n);
  return (gssize) n;
}

/**
 * cs_event_file_free:
 * @self: (transfer full): an event file
 */
void
cs_event_file_free (CsEventFile *self)
{
  g_free (self->path);
  g_free (self->folder);
  g_free (self->name);
  g_free (self->stream);
  g_free (self->window);
  g_free (self->definitions);
  g_free (self->blocks);
  g_free (self);
}

/**
 * cs_event_file_is_anchor:
 * @self: an event file
 * @ticks: a time in ticks
 * @ns: the same in ns of CLOCK_MONOTONIC
 *
 * Returns: whether this and the start anchor say a rate that a clock can have
 */
gboolean
cs_event_file_is_anchor (const CsEventFile *self, guint64 ticks, guint64 ns)
{
  CsClock clock;

  return ticks > self->header.t0_ticks && ns > self->header.t0_ns &&
         cs_clock_init_ticks (&clock, 0, 0, ns - self->header.t0_ns, ticks - self->header.t0_ticks);
}

/* The last anchor among records of a file. */
static gboolean
search_anchor (const CsEventFile *self, const struct trace_event *events, gsize n, guint64 *ticks, guint64 *ns)
{
  for (gsize i = n; i-- > 0;)
    if (events[i].kind == TRACE_KIND_MARKER && events[i].func == TRACE_MARK_CLOCK &&
        cs_event_file_is_anchor (self, events[i].ts, events[i].caller))
      {
        *ticks = events[i].ts;
        *ns = events[i].caller;
        return TRUE;
      }
  return FALSE;
}

/* The last anchor in the blocks that have the last records. */
static gboolean
find_packed_anchor (const CsEventFile *self, int fd, guint64 max_records, guint64 *ticks, guint64 *ns)
{
  guint64 seen = 0;

  for (guint i = self->n_blocks; seen < max_records && i-- > 0;)
    {
      if (cs_packed_find_anchor (self, fd, i, ticks, ns))
        return TRUE;
      seen += self->blocks[i].records;
    }
  return FALSE;
}

/**
 * cs_event_file_find_anchor:
 * @self: an event file
 * @max_records: how far to look from the end of the file
 * @ticks: (out): the latest anchor there, ticks
 * @ns: (out): the same, ns of CLOCK_MONOTONIC
 *
 * Looks for a clock marker among the last records of the file, and for the anchor of a tail.
 *
 * Returns: whether there is one that says a possible rate
 */
gboolean
cs_event_file_find_anchor (CsEventFile *self, guint64 max_records, guint64 *ticks, guint64 *ns)
{
  cs_autofd fd = self->tail ? -1 : open (self->path, O_RDONLY | O_CLOEXEC);
  struct trace_event events[256];
  guint64 left = fd >= 0 || self->tail ? MIN (self->n_events, max_records) : 0;
  guint64 end = self->n_events;
  gboolean found = self->packed && left > 0 && find_packed_anchor (self, fd, left, ticks, ns);

  while (!found && !self->packed && left > 0)
    {
      guint64 n = MIN (left, G_N_ELEMENTS (events));

      if (cs_event_file_read (self, fd, end - n, events, n) < (gssize) n)
        break;
      found = search_anchor (self, events, n, ticks, ns);
      left -= n;
      end -= n;
    }
  if (self->anchor_ns != 0 && (!found || self->anchor_ns > *ns))
    {
      *ticks = self->anchor_ticks;
      *ns = self->anchor_ns;
      found = TRUE;
    }
  return found;
}

#define RETURN_IF_DIFFERENT(a, b)                                                                  \
  if ((a) != (b))                                                                                  \
    return (a) < (b) ? -1 : 1

/**
 * cs_trace_header_compare_process:
 * @a: what a file of a recording tells of its process
 * @a_folder: the folder that the file lies in
 * @b: what another one tells
 * @b_folder: its folder
 *
 * Orders files by the process image that wrote them. What doesn't tell its start is told
 * apart by its folder.
 *
 * Returns: as strcmp()
 */
int
cs_trace_header_compare_process (const struct trace_header *a, const char *a_folder,
                                 const struct trace_header *b, const char *b_folder)
{
  RETURN_IF_DIFFERENT (a->pid, b->pid);
  RETURN_IF_DIFFERENT (a->t0_ns, b->t0_ns);
  RETURN_IF_DIFFERENT (a->t0_ticks, b->t0_ticks);
  return a->t0_ns == 0 ? strcmp (a_folder, b_folder) : 0;
}

/**
 * cs_event_file_compare_process:
 * @a: an event file
 * @b: another
 *
 * Orders files by the process image that wrote them.
 *
 * Returns: as strcmp()
 */
int
cs_event_file_compare_process (const CsEventFile *a, const CsEventFile *b)
{
  return cs_trace_header_compare_process (&a->header, a->folder, &b->header, b->folder);
}

/**
 * cs_event_file_compare_track:
 * @a: an event file of a process
 * @b: another
 *
 * Orders files by the thread or stream that they belong to.
 *
 * Returns: as strcmp()
 */
int
cs_event_file_compare_track (const CsEventFile *a, const CsEventFile *b)
{
  RETURN_IF_DIFFERENT (a->parts.kind, b->parts.kind);
  RETURN_IF_DIFFERENT (a->parts.tid, b->parts.tid);
  if (a->parts.kind == CS_TRACE_NAME_OTHER)
    return strcmp (a->path, b->path);
  return strcmp (a->stream, b->stream);
}

/**
 * cs_event_file_compare:
 * @a: an event file
 * @b: another
 *
 * Orders files by process, thread or stream, and by sequence *number*; a tail comes after its
 * segment.
 *
 * Returns: as strcmp()
 */
int
cs_event_file_compare (const CsEventFile *a, const CsEventFile *b)
{
  int order = cs_event_file_compare_process (a, b);

  if (order == 0)
    order = cs_event_file_compare_track (a, b);
  if (order != 0)
    return order;
  RETURN_IF_DIFFERENT (a->parts.seq, b->parts.seq);
  RETURN_IF_DIFFERENT (a->tail, b->tail);
  return strcmp (a->path, b->path);
}
