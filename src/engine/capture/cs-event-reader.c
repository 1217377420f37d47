/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "capture/cs-event-reader-private.h"
#include "capture/cs-packed-private.h"

/* Large enough that system calls don't count, small enough to stay in the second-level
 * cache beside the tables of the pass. */
#define BLOCK_RECORDS 4096

/* Of packed files, whose records are made here, so few that they stay in the first-level cache. */
#define PACKED_RECORDS 512

struct _CsEventReader
{
  const CsThreadTrack *track;
  guint file; /* index of the one being read */
  gboolean entered; /* it is open; a tail needs no descriptor */
  int fd;
  guint64 done; /* records of that file */

  /* Of a packed file: */
  CsPackedDecoder *decoder;
  gboolean no_offsets;
  guint most;        /* so many records are decoded at a time, at most */
  GPtrArray *damage; /* (nullable): where to tell what is damaged */
  gboolean sought;   /* nothing has been read since it was told where to go on */
  gboolean open;     /* it has the block with record `done' */
  guint block;       /* its number */
  guint64 expected;  /* index, plus one, that the next enter or exit would have; 0: it isn't known */
  gboolean damaged;  /* records before `done' are, and it hasn't been told */
  guint64 lost;      /* enters and exits that went with them, as headers tell */
  guint64 uncertain; /* more of them, as headers tell that may be damaged, too */
  guint n_damaged;   /* places of the file */
  guint64 n_lost;    /* enters and exits there */
  gboolean unknown;  /* and others, whose number nothing tells */
  guint32 offsets[PACKED_RECORDS];
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

  memset (self, 0, G_STRUCT_OFFSET (CsEventReader, offsets));
  self->fd = -1;
  self->decoder = cs_packed_decoder_new ();
  return self;
}

static void
close_file (CsEventReader *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  self->entered = self->sought = self->open = self->damaged = self->unknown = FALSE;
  self->done = self->expected = self->lost = self->uncertain = self->n_lost = 0;
  self->n_damaged = 0;
}

/* Tells once a file what of it is damaged. */
static void
note_damage (CsEventReader *self, const CsEventFile *file, CsNotices *notices)
{
  g_autoptr (GPtrArray) own = NULL;
  GPtrArray *damage = self->damage;

  if (self->n_damaged == 0)
    return;
  if (damage == NULL)
    damage = own = cs_event_damage_new ();
  cs_event_damage_add (damage, file, self->n_damaged, self->n_lost, self->unknown);
  if (own != NULL)
    cs_event_damage_add_notices (own, notices);
}

/**
 * cs_event_reader_leave:
 * @self: a reader with a track
 * @notices: where to say what was damaged of the file that is being read
 *
 * Reads no further: it has to be told where to go on.
 */
void
cs_event_reader_leave (CsEventReader *self, CsNotices *notices)
{
  if (self->entered)
    note_damage (self, g_ptr_array_index (self->track->files, self->file), notices);
  close_file (self);
}

/**
 * cs_event_reader_free:
 * @self: (transfer full): a reader
 */
void
cs_event_reader_free (CsEventReader *self)
{
  close_file (self);
  cs_packed_decoder_free (self->decoder);
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
  self->most = PACKED_RECORDS;
  self->damage = NULL;
  self->track = track;
  self->file = 0;
}

/**
 * cs_event_reader_set_offsets:
 * @self: a reader
 * @wanted: whether blocks are to tell where records begin in packed files; they do at first
 */
void
cs_event_reader_set_offsets (CsEventReader *self, gboolean wanted)
{
  self->no_offsets = !wanted;
}

/**
 * cs_event_reader_collect_damage:
 * @self: a reader with a track
 * @damage: (element-type CsEventDamage): made by cs_event_damage_new(); must outlive the reading
 *
 * What is damaged of the track is added to this, and not told in notices.
 */
void
cs_event_reader_collect_damage (CsEventReader *self, GPtrArray *damage)
{
  self->damage = damage;
}

/**
 * cs_event_reader_seek:
 * @self: a reader with a track of which nothing has been read yet
 * @file: index of a file of the track
 * @record: number of a record of it
 *
 * Reading goes on at that record.
 */
void
cs_event_reader_seek (CsEventReader *self, guint file, guint64 record)
{
  close_file (self);
  self->file = file;
  self->done = record;
  self->sought = TRUE;
}

static void
leave_file (CsEventReader *self)
{
  guint64 expected = self->expected;

  close_file (self);
  self->expected = expected; /* a tail may go on there */
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

/* Why the rest of a file is not read. `error' is the errno; 0: the file is shorter. */
static void
note_end (const CsEventReader *self, const CsEventFile *file, int error, CsEventBlock *block, CsNotices *notices)
{
  block->cut = TRUE;
  block->error = error;
  if (error != 0)
    cs_notices_add_detail (notices, CS_NOTICE_UNREADABLE,
                    "%s can't be read beyond record %" G_GUINT64_FORMAT " (%s) — the rest is left out",
                    file->name, self->done, g_strerror (error));
  else
    cs_notices_add_detail (notices, CS_NOTICE_PARTIAL, "%s became shorter while it was read", file->name);
}

/* Counts what is missing before an event whose index, plus one, is told; if not, headers that may be damaged
 * tell the least wrong. */
static void
settle_lost (CsEventReader *self, guint64 index)
{
  if (index == 0 || self->expected == 0)
    self->lost += self->uncertain;
  else if (index > self->expected)
    self->lost += index - self->expected;
  self->uncertain = 0;
  self->expected = index;
}

/* Leaves out the rest of a block. */
static void
skip_damaged (CsEventReader *self, const CsEventFile *file, guint64 lost, gboolean uncertain)
{
  const CsPackedBlock *block = &file->blocks[self->block];

  if (uncertain)
    self->uncertain += lost;
  else
    {
      self->lost += lost;
      self->expected += self->expected != 0 ? lost : 0;
    }
  self->n_damaged++;
  self->damaged = TRUE;
  self->open = FALSE;
  self->done = block->first + block->records - file->skipped;
  self->block++;
}

/* Says with the next records what was lost before them. `index' is that of the next enter or exit, plus
 * one; 0: it isn't known. */
static void
tell_damage (CsEventReader *self, CsEventBlock *block, guint64 index)
{
  settle_lost (self, index);
  self->n_lost += self->lost;
  block->damaged = TRUE;
  block->lost = self->lost;
  self->damaged = FALSE;
  self->lost = 0;
}

/* The index of the first event behind a file, where that is told. */
static guint64
find_next_index (const CsEventReader *self, const CsEventFile *file)
{
  const CsEventFile *next;

  if (self->file + 1 >= self->track->files->len)
    return 0;
  next = g_ptr_array_index (self->track->files, self->file + 1);
  if (next->parts.seq > file->parts.seq + 1)
    return 0;
  if (next->header.first_index != 0 || next->n_blocks == 0 || next->skipped > 0)
    return next->header.first_index;
  return next->blocks[0].index;
}

/* The index of the first event behind the block before the one that is to be read, which an earlier reading
 * knew. */
static void
recall_expected (CsEventReader *self, const CsEventFile *file)
{
  const CsPackedBlock *before = self->block > 0 ? &file->blocks[self->block - 1] : NULL;

  if (before != NULL && before->index != 0 && cs_packed_check_block (file, self->fd, self->block - 1))
    self->expected = before->index + before->events;
}

/* Opens the block with the next record; what can't be decoded is left behind. */
static CsPackedResult
open_block (CsEventReader *self, const CsEventFile *file)
{
  const CsPackedBlock *block;
  CsPackedResult result;
  guint64 skip, lost;

  self->block = cs_packed_find_block (file, self->done);
  if (self->block >= file->n_blocks)
    return CS_PACKED_SHORT;
  block = &file->blocks[self->block];
  skip = self->done + file->skipped - block->first;
  result = cs_packed_decoder_open (self->decoder, file, self->fd, self->block);
  if (self->sought && skip == 0 && !file->tail && (block->hole || result == CS_PACKED_DAMAGED))
    recall_expected (self, file);
  self->sought = FALSE;
  if (skip == 0 && block->hole)
    {
      self->damaged = TRUE;
      self->n_damaged++;
      self->unknown |= block->index == 0 || self->expected == 0;
    }
  if (result == CS_PACKED_UNDEFINED && skip == 0)
    settle_lost (self, block->index);
  if (result == CS_PACKED_DAMAGED || result == CS_PACKED_UNDEFINED)
    skip_damaged (self, file, block->events, result == CS_PACKED_DAMAGED);
  else if (result == CS_PACKED_OPEN && !cs_packed_decoder_skip (self->decoder, (guint32) skip))
    {
      cs_packed_decoder_is_damaged (self->decoder, &lost);
      skip_damaged (self, file, lost, FALSE);
    }
  else
    self->open = result == CS_PACKED_OPEN;
  return result;
}

/* Reads on in a packed file that has been entered. Returns whether there is more of it. */
static gboolean
next_packed (CsEventReader *self, const CsEventFile *file, CsEventBlock *block, CsNotices *notices)
{
  const CsPackedBlock *header;
  guint32 n_events;
  guint64 lost;

  *block = (CsEventBlock){ .events = self->events, .file = file, .offsets = self->no_offsets ? NULL : self->offsets };
  while (!self->open && self->done < file->n_events)
    {
      CsPackedResult result = open_block (self, file);
      int number = errno;

      if (result == CS_PACKED_UNREADABLE || result == CS_PACKED_SHORT)
        {
          note_end (self, file, result == CS_PACKED_UNREADABLE ? number : 0, block, notices);
          block->done = self->done;
          self->done = file->n_events;
        }
    }
  if (!block->cut)
    block->done = self->done;
  if (!self->open)
    {
      if (self->damaged)
        tell_damage (self, block, find_next_index (self, file));
      /* What is lost there tells what follows, as more may be written behind it. */
      block->damaged |= file->damaged > 0;
      return FALSE;
    }
  header = &file->blocks[self->block];
  block->packed = self->block;
  if (self->done + file->skipped == header->first)
    {
      block->index = header->index;
      block->bytes = header->bytes;
    }
  if (self->damaged)
    tell_damage (self, block, block->index);
  if (block->index != 0)
    self->expected = block->index;
  n_events = cs_packed_decoder_count_events (self->decoder);
  block->n = cs_packed_decoder_next (self->decoder, self->events,
                                     self->most,
                                     self->no_offsets ? NULL : self->offsets);
  self->done += block->n;
  if (self->expected != 0)
    self->expected += cs_packed_decoder_count_events (self->decoder) - n_events;
  if (cs_packed_decoder_is_damaged (self->decoder, &lost))
    skip_damaged (self, file, lost, FALSE);
  else if (self->done + file->skipped == header->first + header->records)
    {
      self->open = FALSE;
      self->block++;
    }
  return self->damaged || file->damaged > 0 || self->done < file->n_events;
}

/* The same for a file of records. */
static gboolean
next_records (CsEventReader *self, const CsEventFile *file, CsEventBlock *block, CsNotices *notices)
{
  guint64 wanted = MIN (file->n_events - self->done, BLOCK_RECORDS);
  gssize got = cs_event_file_read (file, self->fd, self->done, self->events, wanted);
  int number = errno;

  *block = (CsEventBlock){ .events = self->events,
                           .n = (gsize) MAX (got, 0),
                           .file = file,
                           .done = self->done,
                           .bytes = (guint64) MAX (got, 0) * TRACE_EVENT_SIZE };
  if (got < (gssize) wanted)
    note_end (self, file, got < 0 ? number : 0, block, notices);
  self->done += block->n;
  return block->n == wanted && self->done < file->n_events;
}

/**
 * cs_event_reader_next:
 * @self: a reader with a track
 * @block: (out): the next records
 * @notices: where to say what could not be read
 *
 * Reads on. A file without events yields one block of no records, so that what its header
 * says is seen; so does one that ends in something damaged.
 *
 * Returns: %FALSE at the end of the track
 */
gboolean
cs_event_reader_next (CsEventReader *self, CsEventBlock *block, CsNotices *notices)
{
  while (self->file < self->track->files->len)
    {
      const CsEventFile *file = g_ptr_array_index (self->track->files, self->file);
      gboolean first = !self->entered && self->done == 0, more;

      if (!self->entered && !enter_file (self, file, notices))
        continue;
      if (first && (!file->tail || file->header.first_index != 0))
        self->expected = file->header.first_index;
      more = file->packed ? next_packed (self, file, block, notices) : next_records (self, file, block, notices);
      block->first = first;
      if (!more)
        {
          note_damage (self, file, notices);
          leave_file (self);
        }
      return TRUE;
    }
  return FALSE;
}

/**
 * cs_event_reader_get_words:
 * @self: a reader
 * @left: (out): how many records they have, by their header
 *
 * For who takes records of a packed block from its words. All but the last of the block may be taken so:
 * cs_event_reader_next() says what there is to say of a block's beginning and its end.
 *
 * Returns: (transfer none) (nullable): the words behind the records that cs_event_reader_next() told last,
 *   if they are of the same block
 */
CsPackedWords *
cs_event_reader_get_words (CsEventReader *self, guint32 *left)
{
  *left = 0;
  return self->open ? cs_packed_decoder_get_words (self->decoder, left) : NULL;
}

/**
 * cs_event_reader_note_taken:
 * @self: a reader whose words were asked for
 * @n: how many enters and exits were taken from them
 *
 * Reading goes on behind them.
 */
void
cs_event_reader_note_taken (CsEventReader *self, guint32 n)
{
  cs_packed_decoder_note_taken (self->decoder, n);
  self->done += n;
  self->expected += self->expected != 0 ? n : 0;
}

/**
 * cs_event_reader_limit_packed:
 * @self: a reader with a track
 * @most: how many records of a packed block to decode at a time from now on, at most; not 0
 *
 * For who takes others from the words.
 */
void
cs_event_reader_limit_packed (CsEventReader *self, guint most)
{
  self->most = MIN (most, PACKED_RECORDS);
}
