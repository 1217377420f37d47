/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>

#include "capture/cs-io.h"
#include "capture/cs-packed-private.h"

/* So many dictionaries are kept, and no more definitions in all of them but the last. */
#define MAX_DICTIONARIES 32
#define MAX_DEFINITIONS (4 * TRACE_SITES_MOST)

/* So many bytes of words are read at a time where a place in a block is read. */
#define PIECE 4096

/* What the ids of a chain of blocks stand for, as far as they have been read. */
typedef struct
{
  guint64 device, inode, offset; /* of the chain's first block */
  guint32 first, check;          /* its number, and its check */
  struct trace_definition *definitions; /* by id, less one */
  guint n;       /* ids that are known */
  guint size;
  guint loaded;  /* number of the first block whose definitions aren't among them */
  guint broken;  /* blocks from this number on need definitions of one that is damaged */
  guint64 used;  /* when it was last */
  guint64 chain; /* as CsPackedWords has it */
} Dictionary;

struct _CsPackedDecoder
{
  CsPackedWords words;
  guint32 left, done; /* records of the open block: to come, decoded */
  guint32 events;             /* that its header tells of */
  gboolean damaged;
  guint8 *bytes; /* the open block, unless it is a tail's */
  gsize size;
  guint16 *frames;
  gsize n_frames;
  Dictionary *dictionaries[MAX_DICTIONARIES];
  guint n_dictionaries;
  guint64 time; /* for Dictionary.used */
};

static guint64
next_chain (void)
{
  static guint64 last;

  return __atomic_add_fetch (&last, 1, __ATOMIC_RELAXED);
}

static void
dictionary_free (Dictionary *self)
{
  g_free (self->definitions);
  g_free (self);
}

/**
 * cs_packed_decoder_new:
 *
 * Returns: (transfer full): a decoder of blocks; its memory is bounded, whatever it decodes
 */
CsPackedDecoder *
cs_packed_decoder_new (void)
{
  return g_new0 (CsPackedDecoder, 1);
}

/**
 * cs_packed_decoder_free:
 * @self: (transfer full): a decoder
 */
void
cs_packed_decoder_free (CsPackedDecoder *self)
{
  for (guint i = 0; i < self->n_dictionaries; i++)
    dictionary_free (self->dictionaries[i]);
  g_free (self->bytes);
  g_free (self->frames);
  g_free (self);
}

/* Makes room among the dictionaries for one more, at the expense of those that weren't used for long. */
static void
make_room (CsPackedDecoder *self)
{
  for (;;)
    {
      guint oldest = 0;
      gsize n = 0;

      for (guint i = 0; i < self->n_dictionaries; i++)
        {
          n += self->dictionaries[i]->n;
          if (self->dictionaries[i]->used < self->dictionaries[oldest]->used)
            oldest = i;
        }
      if (self->n_dictionaries < MAX_DICTIONARIES && n <= MAX_DEFINITIONS)
        return;
      dictionary_free (self->dictionaries[oldest]);
      self->dictionaries[oldest] = self->dictionaries[--self->n_dictionaries];
    }
}

/* The dictionary of a block's chain; a new, empty one where it isn't among those that are kept. */
static Dictionary *
find_dictionary (CsPackedDecoder *self, const CsEventFile *file, guint block)
{
  guint first = file->blocks[block].chain;
  const CsPackedBlock *begin = &file->blocks[first];
  Dictionary *dictionary;

  for (guint i = 0; i < self->n_dictionaries; i++)
    {
      dictionary = self->dictionaries[i];
      if (dictionary->inode == file->inode && dictionary->device == file->device &&
          dictionary->offset == begin->offset && dictionary->check == begin->check && dictionary->first == first)
        {
          dictionary->used = ++self->time;
          return dictionary;
        }
    }
  make_room (self);
  dictionary = g_new0 (Dictionary, 1);
  dictionary->device = file->device;
  dictionary->inode = file->inode;
  dictionary->offset = begin->offset;
  dictionary->first = dictionary->loaded = first;
  dictionary->check = begin->check;
  dictionary->broken = G_MAXUINT;
  dictionary->chain = next_chain ();
  dictionary->used = ++self->time;
  self->dictionaries[self->n_dictionaries++] = dictionary;
  return dictionary;
}

/* Where the definitions of the next block go. */
static struct trace_definition *
reserve (Dictionary *self, const CsPackedBlock *block)
{
  guint n = block->first_site - 1 + block->sites;

  if (n > self->size)
    {
      self->size = MAX (n, MIN (2 * self->size, TRACE_SITES_MOST));
      self->definitions = g_renew (struct trace_definition, self->definitions, self->size);
    }
  return n > 0 ? self->definitions + block->first_site - 1 : NULL;
}

/* Reads the definitions of blocks before one that haven't been read. Of those that have any, each is checked. */
static CsPackedResult
load_before (Dictionary *self, const CsEventFile *file, int fd, guint block)
{
  for (; self->loaded < block && block < self->broken; self->loaded++)
    {
      const CsPackedBlock *earlier = &file->blocks[self->loaded];
      CsPackedResult result = CS_PACKED_OPEN;

      if (earlier->sites > 0)
        result = cs_packed_read_definitions (file, fd, self->loaded, reserve (self, earlier));
      if (result == CS_PACKED_DAMAGED)
        self->broken = self->loaded + 1;
      else if (result != CS_PACKED_OPEN)
        return result;
      self->n = earlier->first_site - 1 + earlier->sites;
    }
  return block < self->broken ? CS_PACKED_OPEN : CS_PACKED_UNDEFINED;
}

/* Reads a block whole and looks whether it is what was written. */
static CsPackedResult
read_block (CsPackedDecoder *self, const CsEventFile *file, int fd, const CsPackedBlock *block)
{
  gssize got;

  if (self->size < block->bytes)
    {
      g_free (self->bytes);
      self->bytes = g_malloc (block->bytes);
      self->size = block->bytes;
    }
  got = cs_pread_full (fd, self->bytes, block->bytes, (off_t) block->offset);
  if (got < 0)
    return CS_PACKED_UNREADABLE;
  if ((guint64) got < block->bytes)
    return CS_PACKED_SHORT;
  return cs_packed_is_right (self->bytes, block->bytes, file->swapped) ? CS_PACKED_OPEN : CS_PACKED_DAMAGED;
}

static void
reserve_frames (CsPackedDecoder *self, gsize bytes)
{
  gsize n = bytes / 4 + 4; /* of enters, two below them, and two that are written in vain */

  if (self->n_frames < n)
    {
      g_free (self->frames);
      self->frames = g_new (guint16, n);
      self->n_frames = n;
    }
  self->frames[0] = self->frames[1] = 0;
}

/* Begins with the words of a block. */
static void
begin_words (CsPackedDecoder *self, const CsEventFile *file, const CsPackedBlock *block, const guint8 *bytes,
             gsize end, const struct trace_definition *definitions, guint64 chain)
{
  reserve_frames (self, block->bytes);
  self->words = (CsPackedWords){ .block = bytes,
                                 .p = bytes + TRACE_BLOCK_SIZE,
                                 .end = bytes + end,
                                 .definitions = definitions,
                                 .n_definitions = block->first_site - 1 + block->sites,
                                 .chain = chain,
                                 .frames = self->frames + 1,
                                 .base = block->base,
                                 .tid = block->tid,
                                 .swapped = file->swapped };
  self->left = block->records;
  self->events = block->events;
  self->done = 0;
  self->damaged = FALSE;
}

/**
 * cs_packed_decoder_open:
 * @self: a decoder
 * @file: a packed event file or tail
 * @fd: its descriptor; a tail needs none
 * @block: number of one of its blocks
 *
 * Reads a block and what it needs of those before it, so that cs_packed_decoder_next() yields its
 * records. Blocks before it that weren't opened are checked if they define anything. Nothing is open if
 * this fails.
 *
 * Returns: %CS_PACKED_OPEN, or why the block can't be decoded
 */
CsPackedResult
cs_packed_decoder_open (CsPackedDecoder *self, const CsEventFile *file, int fd, guint block)
{
  const CsPackedBlock *header = &file->blocks[block];
  Dictionary *dictionary;
  CsPackedResult result;
  gsize end;

  self->left = self->done = self->events = 0;
  self->damaged = FALSE;
  self->words = (CsPackedWords){ 0 };
  if (file->tail)
    {
      if (header->chain == G_MAXUINT32)
        return CS_PACKED_UNDEFINED;
      begin_words (self, file, header, file->window, header->bytes, file->definitions, next_chain ());
      return CS_PACKED_OPEN;
    }
  result = read_block (self, file, fd, header);
  if (result == CS_PACKED_UNREADABLE || result == CS_PACKED_SHORT)
    return result;
  if (header->chain == G_MAXUINT32)
    return result == CS_PACKED_OPEN ? CS_PACKED_UNDEFINED : result;
  dictionary = find_dictionary (self, file, block);
  if (result == CS_PACKED_DAMAGED)
    {
      if (header->sites > 0)
        dictionary->broken = MIN (dictionary->broken, block + 1);
      return result;
    }
  result = load_before (dictionary, file, fd, block);
  if (result != CS_PACKED_OPEN)
    return result;
  end = header->bytes - header->sites * sizeof (struct trace_definition);
  if (dictionary->loaded == block)
    {
      cs_packed_take_definitions (self->bytes + header->bytes, header->sites, file->swapped,
                                  reserve (dictionary, header));
      dictionary->n = header->first_site - 1 + header->sites;
      dictionary->loaded++;
    }
  begin_words (self, file, header, self->bytes, end, dictionary->definitions, dictionary->chain);
  return CS_PACKED_OPEN;
}

/**
 * cs_packed_decoder_next:
 * @self: a decoder in which a block is open
 * @events: (out) (array length=n): the block's next records, in this machine's byte order
 * @n: how many are wanted
 * @offsets: (out) (array length=n) (nullable): the byte of the block at which each of them begins,
 *   with what stands before it of time, threads and frames
 *
 * Returns: how many there are, fewer at the end of the block or where it is damaged; see
 *   cs_packed_decoder_is_damaged()
 */
gsize
cs_packed_decoder_next (CsPackedDecoder *self, struct trace_event *events, gsize n, guint32 *offsets)
{
  gsize wanted = MIN (n, self->left);
  gsize got = cs_packed_words_take (&self->words, events, wanted, offsets);

  self->done += (guint32) got;
  self->left -= (guint32) got;
  if (got < wanted || (self->left == 0 && !cs_packed_words_skip_rest (&self->words)))
    {
      self->damaged = TRUE;
      self->left = 0;
    }
  return got;
}

/**
 * cs_packed_decoder_get_words:
 * @self: a decoder
 * @left: (out): how many records the open block still has, by its header
 *
 * For who takes records from the words as they are. What is taken must leave the words as decoding it
 * would, and cs_packed_decoder_note_taken() be told.
 *
 * Returns: (transfer none): the words of the open block, from the next record on
 */
CsPackedWords *
cs_packed_decoder_get_words (CsPackedDecoder *self, guint32 *left)
{
  *left = self->left;
  return &self->words;
}

/**
 * cs_packed_decoder_note_taken:
 * @self: a decoder in which a block is open
 * @n: fewer enters and exits than there are records left
 *
 * So many were taken from the words.
 */
void
cs_packed_decoder_note_taken (CsPackedDecoder *self, guint32 n)
{
  self->done += n;
  self->left -= n;
}

/**
 * cs_packed_decoder_skip:
 * @self: a decoder in which a block is open
 * @n: a number of records
 *
 * Leaves out the block's next records.
 *
 * Returns: whether there are so many
 */
gboolean
cs_packed_decoder_skip (CsPackedDecoder *self, guint32 n)
{
  struct trace_event events[256];

  while (n > 0)
    {
      gsize got = cs_packed_decoder_next (self, events, MIN (n, G_N_ELEMENTS (events)), NULL);

      if (got == 0)
        return FALSE;
      n -= (guint32) got;
    }
  return TRUE;
}

/**
 * cs_packed_decoder_count_events:
 * @self: a decoder in which a block is open
 *
 * Returns: how many enters and exits of the block have been decoded
 */
guint32
cs_packed_decoder_count_events (const CsPackedDecoder *self)
{
  return self->done - self->words.others;
}

/**
 * cs_packed_decoder_is_damaged:
 * @self: a decoder in which a block is open
 * @lost: (out): how many enters and exits of the block can't be decoded
 *
 * Of a block that has been read to its end.
 *
 * Returns: whether the block is not what its header says, though its check is right
 */
gboolean
cs_packed_decoder_is_damaged (const CsPackedDecoder *self, guint64 *lost)
{
  guint32 events = cs_packed_decoder_count_events (self);

  *lost = self->damaged && self->events > events ? self->events - events : 0;
  return self->damaged;
}

/* The time that dt counts from at a place of a block. */
static gboolean
find_base (CsPackedDecoder *self, const CsEventFile *file, int fd, const CsPackedBlock *block, guint32 offset,
           guint64 *base)
{
  const guint8 *bytes = file->window;

  if (!file->tail)
    {
      if (read_block (self, file, fd, block) != CS_PACKED_OPEN)
        return FALSE;
      bytes = self->bytes;
    }
  *base = cs_packed_sum_time (bytes + TRACE_BLOCK_SIZE, bytes + offset, block->base, file->swapped);
  return TRUE;
}

/* A piece of a block's words: in `buffer', or of a tail all there are. */
static gssize
read_piece (const CsEventFile *file, int fd, const CsPackedBlock *block, guint32 offset, guint32 end, guint8 *buffer,
            const guint8 **piece)
{
  if (file->tail)
    {
      *piece = file->window + offset;
      return (gssize) (end - offset);
    }
  *piece = buffer;
  return cs_pread_full (fd, buffer, MIN (end - offset, PIECE), (off_t) (block->offset + offset));
}

/* The ids that a block may use. */
static CsPackedResult
find_definitions (CsPackedDecoder *self, const CsEventFile *file, int fd, guint block,
                  const struct trace_definition **definitions)
{
  Dictionary *dictionary;
  CsPackedResult result;

  *definitions = file->definitions;
  if (file->blocks[block].chain == G_MAXUINT32)
    return CS_PACKED_UNDEFINED;
  if (file->tail)
    return CS_PACKED_OPEN;
  dictionary = find_dictionary (self, file, block);
  result = load_before (dictionary, file, fd, block + 1);
  *definitions = dictionary->definitions;
  return result;
}

/**
 * cs_packed_decoder_read_at:
 * @self: a decoder; what was open in it is not any more
 * @file: a packed event file or tail
 * @fd: its descriptor; a tail needs none
 * @block: number of one of its blocks
 * @offset: the byte of the block at which a record begins, as cs_packed_decoder_next() told
 * @ts: time of the first enter or exit from there on, as recorded; ignored if there is none among the @n
 * @tid: thread of the record there
 * @events: (out) (array length=n): the records
 * @n: how many are wanted
 *
 * Decodes a few records of a block that was decoded before, and reads no more of the file than it
 * needs: a few KB of words, and the definitions of the block and those of its chain before it, once. An
 * exit of a call that began before @offset is not told apart from others there: where the words leave
 * out which function it is of, `func` and `caller` are 0.
 *
 * Returns: how many there are, fewer at the end of the block or where it is damaged, or -1 with errno
 */
gssize
cs_packed_decoder_read_at (CsPackedDecoder *self, const CsEventFile *file, int fd, guint block, guint32 offset,
                           guint64 ts, guint32 tid, struct trace_event *events, gsize n)
{
  const CsPackedBlock *header = &file->blocks[block];
  guint32 end = header->bytes - (file->tail ? 0 : header->sites * (guint32) sizeof (struct trace_definition));
  guint8 buffer[PIECE];
  const struct trace_definition *definitions;
  CsPackedResult result = find_definitions (self, file, fd, block, &definitions);
  CsPackedWords words;
  gboolean anchored = FALSE;
  gsize done = 0;

  self->left = 0;
  if (result == CS_PACKED_UNREADABLE)
    return -1;
  if (result != CS_PACKED_OPEN || offset < TRACE_BLOCK_SIZE)
    return 0;
  reserve_frames (self, header->bytes);
  words = (CsPackedWords){ .definitions = definitions,
                           .n_definitions = header->first_site - 1 + header->sites,
                           .frames = self->frames + 1,
                           .tid = tid,
                           .swapped = file->swapped,
                           .lenient = TRUE };
  while (done < n && offset < end)
    {
      const guint8 *piece;
      gssize got = read_piece (file, fd, header, offset, end, buffer, &piece);
      gsize before = done;

      if (got < 0)
        return -1;
      words.block = words.p = piece;
      words.end = piece + got;
      while (!anchored && done < n && cs_packed_words_take (&words, &events[done], 1, NULL) == 1)
        {
          struct trace_event *event = &events[done++];

          if (words.absolute)
            anchored = TRUE;
          else if (event->kind <= TRACE_KIND_EXIT && !words.raw)
            {
              words.base += ts - event->ts;
              event->ts = ts;
              anchored = TRUE;
            }
          else if (event->kind <= TRACE_KIND_EXIT)
            {
              /* Its time says nothing of that of the others. */
              if (!find_base (self, file, fd, header, offset + (guint32) (words.p - piece), &words.base))
                return (gssize) done;
              anchored = TRUE;
            }
        }
      done += cs_packed_words_take (&words, events + done, n - done, NULL);
      offset += (guint32) (words.p - piece);
      if (done == before && words.p == piece)
        break;
    }
  return (gssize) done;
}
