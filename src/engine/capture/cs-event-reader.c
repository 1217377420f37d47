/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "capture/cs-event-reader.h"

/* Large enough that system calls don't count, small enough to stay in the second-level
 * cache beside the tables of the pass. */
#define BLOCK_RECORDS 4096

struct _CsEventReader
{
  const CsThreadTrack *track;
  guint file; /* index of the one being read */
  gboolean entered; /* it is open; a tail needs no descriptor */
  int fd;
  guint64 done; /* records of that file */
  struct trace_event events[BLOCK_RECORDS];
};

/**
 * cs_event_reader_new:
 *
 * Returns: (transfer full): a reader of the events of tracks, one after the other; its
 *   memory is bounded, whatever it reads
 */
CsEventReader *
cs_event_reader_new (void)
{
  CsEventReader *self = g_new (CsEventReader, 1);

  self->track = NULL;
  self->entered = FALSE;
  self->fd = -1;
  return self;
}

static void
close_file (CsEventReader *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  self->entered = FALSE;
  self->done = 0;
}

/**
 * cs_event_reader_free:
 * @self: (transfer full): a reader
 */
void
cs_event_reader_free (CsEventReader *self)
{
  close_file (self);
  g_free (self);
}

/**
 * cs_event_reader_set_track:
 * @self: a reader
 * @track: what to read from its first event on; must outlive the reading
 */
void
cs_event_reader_set_track (CsEventReader *self, const CsThreadTrack *track)
{
  close_file (self);
  self->track = track;
  self->file = 0;
}

static void
leave_file (CsEventReader *self)
{
  close_file (self);
  self->file++;
}

static gboolean
enter_file (CsEventReader *self, const CsEventFile *file, CsNotices *notices)
{
  self->entered = TRUE;
  if (file->tail)
    return TRUE;
  self->fd = open (file->path, O_RDONLY | O_CLOEXEC);
  if (self->fd >= 0)
    {
      posix_fadvise (self->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
      return TRUE;
    }
  cs_notices_add_detail (notices, CS_NOTICE_UNREADABLE, "%s can't be opened any more (%s) — skipped",
                  file->name, g_strerror (errno));
  leave_file (self);
  return FALSE;
}

/**
 * cs_event_reader_next:
 * @self: a reader with a track
 * @block: (out): the next records
 * @notices: where to say what could not be read
 *
 * Reads on. A file without events yields one block of no records, so that what its header
 * says is seen.
 *
 * Returns: %FALSE at the end of the track
 */
gboolean
cs_event_reader_next (CsEventReader *self, CsEventBlock *block, CsNotices *notices)
{
  while (self->file < self->track->files->len)
    {
      const CsEventFile *file = g_ptr_array_index (self->track->files, self->file);
      guint64 wanted = MIN (file->n_events - self->done, BLOCK_RECORDS);
      gboolean first = !self->entered;
      gssize got;

      if (first && !enter_file (self, file, notices))
        continue;
      got = cs_event_file_read (file, self->fd, self->done, self->events, wanted);
      if (got < 0)
        {
          cs_notices_add_detail (notices, CS_NOTICE_UNREADABLE,
                          "%s can't be read beyond record %" G_GUINT64_FORMAT " (%s) — the rest is left out",
                          file->name, self->done, g_strerror (errno));
          got = 0;
        }
      else if ((guint64) got < wanted)
        cs_notices_add_detail (notices, CS_NOTICE_PARTIAL, "%s became shorter while it was read", file->name);

      *block = (CsEventBlock){ self->events, (gsize) got, file, self->done, first };
      self->done += block->n;
      if (block->n < wanted || self->done == file->n_events)
        leave_file (self);
      return TRUE;
    }
  return FALSE;
}
