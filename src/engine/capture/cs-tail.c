/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cs-event-file-private.h"
#include "capture/cs-fields.h"
#include "capture/cs-io.h"
#include "capture/cs-tail-private.h"

/* Where the part of the header begins that changes. */
#define STATE_OFFSET offsetof (struct trace_tail, tail_seq)
/* A field's place in what is read from there. */
#define AT(field) (offsetof (struct trace_tail, field) - STATE_OFFSET)

/* How often a tail is read that changes meanwhile, and for how long one is waited for that a
 * flush is at work in: a thread that was killed or stopped just there never leaves it. */
#define MAX_TRIES 500
#define MAX_WAITS 20
#define WAIT_US 1000

/* Far larger than any runtime's buffer, bytes: whatever a damaged file says, no more is read. */
#define MOST_BUFFER (64u * 1024 * 1024)

/* The part of the header that changes. */
typedef struct
{
  guint32 seq;      /* the segment that the buffer is for */
  guint32 capacity; /* bytes */
  guint64 offset;   /* the byte of that segment at which the buffer's first byte belongs */
  guint64 used;     /* bytes */
  guint64 anchor_ticks, anchor_ns;
  guint32 generation; /* odd while a flush changes the fields before it */
} State;

static gboolean
read_state (const CsEventFile *self, int fd, State *state, GError **error)
{
  guint8 bytes[TRACE_TAIL_SIZE - STATE_OFFSET];
  gssize got = cs_pread_full (fd, bytes, sizeof bytes, STATE_OFFSET);

  if (got < (gssize) sizeof bytes)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ, "%s can't be read: %s", self->name,
                   got < 0 ? g_strerror (errno) : "it became shorter");
      return FALSE;
    }
  *state = (State){ .seq = cs_field_u32 (bytes, AT (tail_seq), self->swapped),
                    .capacity = cs_field_u32 (bytes, AT (capacity), self->swapped),
                    .offset = cs_field_u64 (bytes, AT (offset), self->swapped),
                    .used = cs_field_u64 (bytes, AT (used), self->swapped),
                    .anchor_ticks = cs_field_u64 (bytes, AT (anchor_ticks), self->swapped),
                    .anchor_ns = cs_field_u64 (bytes, AT (anchor_ns), self->swapped),
                    .generation = cs_field_u32 (bytes, AT (generation), self->swapped) };
  return TRUE;
}

static gboolean
in_flush (const State *state)
{
  return state->generation % 2 != 0;
}

/* Whether nothing was flushed between two moments. Records may have been added. */
static gboolean
is_same (const State *before, const State *after)
{
  return before->generation == after->generation && before->seq == after->seq &&
         before->offset == after->offset && before->used <= after->used;
}

static gboolean
check_header (const CsEventFile *self, guint64 size, GError **error)
{
  if (self->header.version == 1)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_VERSION,
                   "%s is of version %u, which has no tails", self->name, self->header.version);
      return FALSE;
    }
  if (self->header.header_size < TRACE_TAIL_SIZE || self->header.header_size > size)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT,
                   "%s is damaged: a tail's header of %u bytes in a file of %" G_GUINT64_FORMAT, self->name,
                   self->header.header_size, size);
      return FALSE;
    }
  return TRUE;
}

/* Reads the used part of the buffer, as far as the file reaches. */
static gboolean
read_window (CsEventFile *self, int fd, guint64 size, const State *state, guint64 *got, GError **error)
{
  guint64 wanted = MIN (state->used, size - self->header.header_size);
  gssize n;

  if (state->capacity > MOST_BUFFER)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT,
                   "%s is damaged: no buffer has %u bytes", self->name, state->capacity);
      return FALSE;
    }
  if (state->used > state->capacity)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_FORMAT,
                   "%s is damaged: %" G_GUINT64_FORMAT " bytes in a buffer of %u", self->name, state->used,
                   state->capacity);
      return FALSE;
    }
  if (self->header.version == TRACE_PACKED_VERSION)
    return cs_tail_read_packed (self, fd, state->capacity, wanted, got, error);
  g_free (self->window);
  self->window = g_try_malloc (wanted + 1);
  n = self->window != NULL ? cs_pread_full (fd, self->window, wanted, self->header.header_size) : -1;
  if (n < 0)
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ, "%s can't be read: %s", self->name,
                   g_strerror (errno));
      return FALSE;
    }
  *got = (guint64) n;
  return TRUE;
}

/* Copies the buffer and what is said of it as they were at one moment. */
static gboolean
take_snapshot (CsEventFile *self, int fd, guint64 size, State *state, guint64 *got, GError **error)
{
  guint waits = 0;

  for (guint i = 0; i < MAX_TRIES; i++)
    {
      State after;

      if (!read_state (self, fd, state, error))
        return FALSE;
      if (in_flush (state) && waits++ < MAX_WAITS)
        {
          g_usleep (WAIT_US);
          continue;
        }
      if (!read_window (self, fd, size, state, got, error) || !read_state (self, fd, &after, error))
        return FALSE;
      if (is_same (state, &after))
        return TRUE;
    }
  g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ,
               "%s is written faster than it can be read: its thread's last events are missing", self->name);
  return FALSE;
}

static void
take_state (CsEventFile *self, const State *state, guint64 got, CsNotices *notices)
{
  self->parts.seq = state->seq;
  self->window_offset = state->offset;
  if (!self->packed)
    {
      self->n_events = got / TRACE_EVENT_SIZE;
      self->rest = got % TRACE_EVENT_SIZE;
    }
  if (got < state->used)
    cs_notices_add_detail (notices, CS_NOTICE_PARTIAL,
                           "%s is cut short: it holds %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " bytes of events",
                           self->name, got, state->used);
  /* A flush writes before it changes anything, and says first that the buffer is free: whatever
   * it had done, what the buffer says of itself is true. Only the anchor may be half of each. */
  if (in_flush (state))
    cs_notices_add_detail (notices, CS_NOTICE_PARTIAL,
                           "%s was left in the middle of a flush: its clock anchor is not used", self->name);
  else if (cs_event_file_is_anchor (self, state->anchor_ticks, state->anchor_ns))
    {
      self->anchor_ticks = state->anchor_ticks;
      self->anchor_ns = state->anchor_ns;
    }
}

/* Whether the process was killed before it wrote anything into the file. */
static gboolean
is_blank (int fd)
{
  guint8 bytes[TRACE_TAIL_SIZE] = { 0 };
  static const guint8 zero[TRACE_TAIL_SIZE];

  return fd >= 0 && cs_pread_full (fd, bytes, sizeof bytes, 0) >= 0 && memcmp (bytes, zero, sizeof zero) == 0;
}

/**
 * cs_tail_open:
 * @path: a tail
 * @notices: where to say in what respect it isn't whole
 * @error: where to say why it can't be read
 *
 * Copies the buffer of a thread that didn't end cleanly, or still runs: then all that it
 * has is of one moment. What the thread's segment holds beyond the tail's offset is in both:
 * segments have to be opened *after* their tails, so that nothing is in neither, and then be
 * joined with cs_tail_join().
 *
 * Returns: (transfer full) (nullable): the tail; %NULL with %CS_CAPTURE_ERROR,
 *   %CS_CAPTURE_ERROR_NOT_FOUND where nothing has been written into the file yet
 */
CsEventFile *
cs_tail_open (const char *path, CsNotices *notices, GError **error)
{
  g_autoptr (CsEventFile) self = cs_event_file_new (path);
  cs_autofd fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  guint64 size, got = 0;
  State state;

  if (is_blank (fd))
    {
      g_set_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND, "%s holds nothing yet", self->name);
      return NULL;
    }
  if (!cs_event_file_load (self, fd, &size, error) || !check_header (self, size, error) ||
      !take_snapshot (self, fd, size, &state, &got, error))
    return NULL;
  self->tail = TRUE;
  self->parts.kind = CS_TRACE_NAME_EVENTS;
  take_state (self, &state, got, notices);
  return g_steal_pointer (&self);
}

/* Takes records from the beginning away. */
static void
drop_records (CsEventFile *self, guint64 n)
{
  self->n_events -= n;
  if (self->packed)
    {
      self->skipped += n;
      return;
    }
  memmove (self->window, self->window + n * TRACE_EVENT_SIZE, self->n_events * TRACE_EVENT_SIZE);
  self->window = g_realloc (self->window, self->n_events * TRACE_EVENT_SIZE + 1);
}

/* The events before the tail's first are not there. Its index says how many they are, or that it
 * is none: head markers of a new segment may be all that a killed process hadn't written. */
static void
note_distance (CsEventFile *self, const char *segment, CsNotices *notices)
{
  if (self->header.first_index != 0 || (self->n_blocks > 0 && self->blocks[0].index != 0))
    return;
  self->gap = TRUE;
  cs_notices_add_detail (notices, CS_NOTICE_LOST,
                         "%s begins at byte %" G_GUINT64_FORMAT " of a segment that %s: the events before are missing",
                         self->name, self->window_offset, segment);
}

/**
 * cs_tail_join:
 * @self: a tail
 * @segment: the event file that its buffer was for
 * @notices: where to say that they don't fit
 *
 * Leaves in the tail what the segment doesn't hold. A record of which the segment holds a
 * part and the tail the whole is the tail's. A segment that ends before the tail's offset holds
 * nothing of it: the offset is moved on before anything is written.
 *
 * Returns: whether they fit; otherwise the tail is left without events
 */
gboolean
cs_tail_join (CsEventFile *self, CsEventFile *segment, CsNotices *notices)
{
  guint64 end, n = 0;
  gboolean fits;

  /* The segment says it, if it is so. */
  self->header.flags &= ~TRACE_FLAG_THREAD_START;
  if (self->packed != segment->packed)
    fits = FALSE;
  else if (self->packed)
    fits = cs_tail_find_packed (self, segment, &n);
  else
    fits = self->window_offset >= segment->events_offset &&
           (self->window_offset - segment->events_offset) % TRACE_EVENT_SIZE == 0;
  end = segment->events_offset + cs_event_file_get_n_bytes (segment);
  if (!self->packed && fits && end > self->window_offset)
    n = (end - self->window_offset) / TRACE_EVENT_SIZE;
  if (!fits)
    {
      cs_notices_add_detail (notices, CS_NOTICE_UNREADABLE,
                             "%s is damaged: no %s of its segment begins at byte %" G_GUINT64_FORMAT
                             " — its events are left out",
                             self->name, self->packed ? "block" : "record", self->window_offset);
      drop_records (self, self->n_events);
      self->rest = 0;
    }
  else if (self->window_offset > end)
    {
      g_autofree char *short_one = g_strdup_printf ("ends at %" G_GUINT64_FORMAT, end);

      note_distance (self, short_one, notices);
    }
  else
    {
      n = MIN (self->n_events, n);
      drop_records (self, n);
      if (n > 0)
        self->header.first_index = 0; /* it was that of a record that is gone */
    }
  if (self->n_events > 0)
    segment->rest = 0;
  return fits;
}

/**
 * cs_tail_settle_segment:
 * @segment: an event file that ends in a part of a record
 *
 * A thread that still runs may just be writing the record, after its tail was read: waits a
 * little for the rest of it.
 */
void
cs_tail_settle_segment (CsEventFile *segment)
{
  guint64 size = segment->events_offset + cs_event_file_get_n_bytes (segment) + segment->rest;
  struct stat st;

  for (guint i = 0; segment->rest > 0 && i < MAX_WAITS; i++)
    {
      cs_autofd fd = -1;

      g_usleep (WAIT_US);
      if (stat (segment->path, &st) != 0 || (guint64) st.st_size < segment->events_offset)
        return;
      if ((guint64) st.st_size == size)
        continue;
      size = (guint64) st.st_size;
      fd = open (segment->path, O_RDONLY | O_CLOEXEC);
      if (fd >= 0)
        cs_event_file_measure (segment, fd, size, NULL);
    }
}

/**
 * cs_tail_stand_alone:
 * @self: a tail whose segment isn't there
 * @notices: where to say that events are missing
 *
 * Nothing of the thread has been flushed yet, or its file is gone.
 */
void
cs_tail_stand_alone (CsEventFile *self, CsNotices *notices)
{
  if (self->window_offset > TRACE_HEADER_SIZE)
    note_distance (self, "is not there", notices);
}

/**
 * cs_tail_is_alive:
 * @self: a tail
 *
 * Returns: whether the process that writes it runs on this machine: it is mapped there
 */
gboolean
cs_tail_is_alive (const CsEventFile *self)
{
  g_autofree char *path = g_strdup_printf ("/proc/%u/maps", self->header.pid);
  g_autofree char *text = NULL;
  g_autofree char *end = g_strconcat ("/", self->name, NULL);
  g_auto (GStrv) lines = NULL;
  gboolean found = FALSE;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && !found; i++)
    {
      g_auto (GStrv) words = NULL;

      if (!g_str_has_suffix (lines[i], end))
        continue;
      words = g_strsplit (lines[i], " ", 6); /* where, how, offset, device, inode, path */
      found = g_strv_length (words) == 6 && g_ascii_strtoull (words[4], NULL, 10) == self->inode;
    }
  return found;
}
