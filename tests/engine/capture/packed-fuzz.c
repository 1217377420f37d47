/* SPDX-License-Identifier: MIT */
/*
 * packed-fuzz [N [SEED]] - gives the reader N packed recordings that are damaged.
 *
 * Each is a random sequence of records, packed, then changed: bits, words, fields of headers, whole
 * blocks; half of them get right checks again, so that the decoder meets what is wrong, not the check.
 * Nothing may crash, pass the end of memory or of what a header says, or take long.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/cs-event-reader.h"
#include "capture/cs-io.h"
#include "capture/cs-packed.h"
#include "capture/cs-packer.h"
#include "packed-sequences.h"
#include "profile/cs-profile.h"
#include "project/cs-convert.h"
#include "project/cs-folder.h"

#define MOST_RECORDS 600

/* What came of it. */
typedef enum
{
  CAME_WHOLE,      /* files of which nothing was lost */
  CAME_DAMAGED,    /* files of which something was */
  CAME_REFUSED,    /* files that are none */
  CAME_RECORDS,
  CAME_LOST,       /* events that were said to be lost */
  CAME_TAILS,      /* recordings with a tail */
  CAME_TIMELINES,  /* recordings of which an index of time was asked */
  CAME_CONVERTED,
  CAME_N,
} Came;

static const char *const came_names[CAME_N] = {
  [CAME_WHOLE] = "files read whole",
  [CAME_DAMAGED] = "files read in part",
  [CAME_REFUSED] = "files refused",
  [CAME_RECORDS] = "records read",
  [CAME_LOST] = "events told as lost",
  [CAME_TAILS] = "recordings with a tail",
  [CAME_TIMELINES] = "indices of time",
  [CAME_CONVERTED] = "recordings converted",
};

typedef struct
{
  Sequences random;
  GByteArray *bytes;  /* of the file */
  GArray *offsets;    /* (element-type guint): where its blocks begin, as they were packed */
  gboolean swapped;
  CsPackedDecoder *decoder;
  CsEventReader *reader;
  CsSymbolizer *symbolizer;
  char *folder, *traces, *path, *tail;
  guint64 came[CAME_N];
} Fuzz;

static guint32
to_32 (const Fuzz *self, guint32 value)
{
  return self->swapped ? GUINT32_SWAP_LE_BE (value) : value;
}

static void
put_32 (Fuzz *self, gsize offset, guint32 value)
{
  value = to_32 (self, value);
  if (offset + sizeof value <= self->bytes->len)
    memcpy (self->bytes->data + offset, &value, sizeof value);
}

static guint32
get_32 (const Fuzz *self, gsize offset)
{
  guint32 value;

  memcpy (&value, self->bytes->data + offset, sizeof value);
  return to_32 (self, value);
}

/* Packs a sequence. */
static void
make_file (Fuzz *self)
{
  static const guint sizes[] = { CS_PACKER_LEAST, 1040, 2048, 4096 };
  guint size = sizes[sequences_below (&self->random, G_N_ELEMENTS (sizes))];
  g_autoptr (CsPacker) packer = NULL;
  struct trace_header header = { .magic = TRACE_MAGIC, .t0_ns = 1, .pid = 1 };
  const struct trace_event *events;
  guint64 index = sequences_below (&self->random, 2);
  CsPackerBlock block;

  self->swapped = sequences_below (&self->random, 4) == 0;
  header.version = to_32 (self, TRACE_PACKED_VERSION);
  header.event_size = to_32 (self, TRACE_PACKED_EVENT_SIZE);
  header.header_size = to_32 (self, TRACE_HEADER_SIZE);
  header.pid = to_32 (self, 1);
  header.first_index = self->swapped ? GUINT64_SWAP_LE_BE (index) : index;
  g_byte_array_set_size (self->bytes, 0);
  g_array_set_size (self->offsets, 0);
  g_byte_array_append (self->bytes, (const guint8 *) &header, sizeof header);
  sequences_make (&self->random, sequences_length (&self->random, MOST_RECORDS));
  events = (gconstpointer) self->random.records->data;
  packer = cs_packer_new (size, self->swapped);
  cs_packer_begin (packer, index);
  for (guint i = 0; i <= self->random.records->len; i++)
    {
      gboolean end = i == self->random.records->len;

      if (!end && cs_packer_add (packer, &events[i]))
        continue;
      cs_packer_take (packer, &block);
      g_array_append_val (self->offsets, self->bytes->len);
      g_byte_array_append (self->bytes, block.bytes, block.size);
      i -= !end;
    }
}

/* Gives a block a right check, if what its header says leaves a way to. */
static void
repair (Fuzz *self, guint offset)
{
  struct trace_block header;
  gsize left = self->bytes->len - offset;
  guint8 *block = self->bytes->data + offset;
  guint64 definitions, bytes;
  guint32 check;

  if (left < sizeof header)
    return;
  memcpy (&header, block, sizeof header);
  bytes = to_32 (self, header.bytes);
  definitions = (guint64) to_32 (self, header.sites) * sizeof (struct trace_definition);
  if (bytes > left || bytes < sizeof header + definitions)
    return;
  check = trace_block_check (&header, block + sizeof header, bytes - sizeof header - definitions,
                             block + bytes - definitions, definitions, self->swapped);
  put_32 (self, offset + offsetof (struct trace_block, check), check);
}

/* Changes some words. */
static void
change_words (Fuzz *self, guint offset)
{
  static const guint16 words[] = { 0,      1,      2,      3,      0xFDFE, 0xFDFF, 0xFE00, 0xFE01, 0xFE02,
                                   0xFE03, 0xFE04, 0xFE05, 0xFE06, 0xFE07, 0xFFFF, 0x8000, 4,      5 };
  guint32 bytes = get_32 (self, offset + offsetof (struct trace_block, bytes));
  guint32 sites = get_32 (self, offset + offsetof (struct trace_block, sites));
  guint n = 1 + sequences_below (&self->random, 8);

  if (bytes > self->bytes->len - offset || bytes < TRACE_BLOCK_SIZE + 2 || sites >= (bytes - TRACE_BLOCK_SIZE) / 16)
    return;
  for (guint i = 0; i < n; i++)
    {
      guint n_words = (bytes - TRACE_BLOCK_SIZE) / 2 - 8 * sites;
      gboolean last = sequences_below (&self->random, 4) == 0;
      guint place = last ? n_words - 1 - sequences_below (&self->random, MIN (n_words, 4)) : sequences_below (&self->random, n_words);
      gsize at = offset + TRACE_BLOCK_SIZE + 2 * (gsize) place;
      guint16 word = words[sequences_below (&self->random, G_N_ELEMENTS (words))];

      if (sequences_below (&self->random, 4) == 0)
        word = (guint16) sequences_random (&self->random);
      else if (sequences_below (&self->random, 2) == 0)
        word = (guint16) (get_32 (self, offset + offsetof (struct trace_block, first_site)) - 1 +
                          get_32 (self, offset + offsetof (struct trace_block, sites)) + sequences_below (&self->random, 2));
      if (self->swapped)
        word = GUINT16_SWAP_LE_BE (word);
      memcpy (self->bytes->data + at, &word, sizeof word);
    }
}

/* Fills all of a block's words at random. */
static void
fill_words (Fuzz *self, guint offset)
{
  guint32 bytes = get_32 (self, offset + offsetof (struct trace_block, bytes));
  guint kind = sequences_below (&self->random, 3);

  for (gsize at = offset + TRACE_BLOCK_SIZE; at + 2 <= MIN ((guint64) offset + bytes, self->bytes->len); at += 2)
    {
      guint16 word = (guint16) sequences_random (&self->random);

      if (kind > 0)
        word = sequences_below (&self->random, 3) == 0 ? 0xFE00 | (word & 7) : word & (kind == 1 ? 0x3F : 7);
      if (self->swapped)
        word = GUINT16_SWAP_LE_BE (word);
      memcpy (self->bytes->data + at, &word, sizeof word);
    }
}

/* Makes enters of all of a block's words. */
static void
fill_enters (Fuzz *self, guint offset)
{
  guint32 bytes = get_32 (self, offset + offsetof (struct trace_block, bytes));
  guint32 sites = get_32 (self, offset + offsetof (struct trace_block, sites));
  guint64 end = (guint64) offset + bytes - (guint64) sites * sizeof (struct trace_definition);
  guint n = 0;

  if (end > self->bytes->len || sites == 0)
    return;
  for (gsize at = offset + TRACE_BLOCK_SIZE; at + 4 <= end; at += 4, n++)
    {
      guint16 words[] = { 2, (guint16) (1 + sequences_below (&self->random, MIN (sites, 1000))) };

      for (guint i = 0; self->swapped && i < 2; i++)
        words[i] = GUINT16_SWAP_LE_BE (words[i]);
      memcpy (self->bytes->data + at, words, sizeof words);
    }
  put_32 (self, offset + offsetof (struct trace_block, records), n);
  put_32 (self, offset + offsetof (struct trace_block, events), n);
}

static void
change_field (Fuzz *self, guint offset)
{
  static const gsize fields[] = {
    offsetof (struct trace_block, header_size), offsetof (struct trace_block, bytes),
    offsetof (struct trace_block, records),     offsetof (struct trace_block, events),
    offsetof (struct trace_block, tid),         offsetof (struct trace_block, flags),
    offsetof (struct trace_block, index),       offsetof (struct trace_block, index) + 4,
    offsetof (struct trace_block, base),        offsetof (struct trace_block, first_site),
    offsetof (struct trace_block, sites),       offsetof (struct trace_block, zero),
  };
  gsize at = offset + fields[sequences_below (&self->random, G_N_ELEMENTS (fields))];
  guint32 value = get_32 (self, at);

  switch (sequences_below (&self->random, 4))
    {
    case 0:
      value = (guint32) sequences_random (&self->random);
      break;
    case 1:
      value ^= 1u << sequences_below (&self->random, 32);
      break;
    case 2:
      value = sequences_below (&self->random, 2) ? 0 : G_MAXUINT32;
      break;
    default:
      value += sequences_below (&self->random, 9) - 4;
      break;
    }
  put_32 (self, at, value);
}

static void
change_bytes (Fuzz *self)
{
  guint n = 1 + sequences_below (&self->random, 4);

  for (guint i = 0; i < n && self->bytes->len > 0; i++)
    self->bytes->data[sequences_below (&self->random, self->bytes->len)] ^= (guint8) (1u << sequences_below (&self->random, 8));
}

/* Takes out, doubles or adds a piece of the file. */
static void
change_size (Fuzz *self)
{
  guint at = sequences_below (&self->random, self->bytes->len);
  guint n = sequences_below (&self->random, MIN (self->bytes->len - at, 3000) + 1);
  g_autofree guint8 *piece = g_memdup2 (self->bytes->data + at, n);

  switch (sequences_below (&self->random, 4))
    {
    case 0:
      g_byte_array_set_size (self->bytes, at);
      break;
    case 1:
      if (n > 0)
        g_byte_array_remove_range (self->bytes, at, n);
      break;
    case 2:
      if (n > 0)
        g_byte_array_append (self->bytes, piece, n);
      break;
    default:
      /* A block once more, or twice. */
      for (guint i = 0; i < self->offsets->len && i < 2; i++)
        {
          guint offset = g_array_index (self->offsets, guint, sequences_below (&self->random, self->offsets->len));
          guint end = MIN (offset + get_32 (self, offset + offsetof (struct trace_block, bytes)), self->bytes->len);
          g_autofree guint8 *block = offset < end ? g_memdup2 (self->bytes->data + offset, end - offset) : NULL;

          if (block != NULL)
            g_byte_array_append (self->bytes, block, end - offset);
        }
      break;
    }
}

static void
change (Fuzz *self)
{
  guint n = sequences_below (&self->random, 4);

  for (guint i = 0; i < n; i++)
    {
      guint offset = g_array_index (self->offsets, guint, sequences_below (&self->random, self->offsets->len));
      gboolean fits = offset + TRACE_BLOCK_SIZE + 2 <= self->bytes->len;

      switch (sequences_below (&self->random, 8))
        {
        case 0:
          change_bytes (self);
          break;
        case 1:
          change_size (self);
          break;
        case 2:
          if (fits && sequences_below (&self->random, 2) == 0)
            fill_words (self, offset);
          else if (fits)
            fill_enters (self, offset);
          break;
        case 3:
        case 4:
          if (fits)
            change_field (self, offset);
          break;
        default:
          if (fits)
            change_words (self, offset);
          break;
        }
      if (self->bytes->len < TRACE_HEADER_SIZE)
        return;
      if (sequences_below (&self->random, 4) > 0 && offset < self->bytes->len)
        repair (self, offset);
    }
}

static void
write_file (const char *path, gconstpointer bytes, gsize size)
{
  cs_autofd fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  if (fd < 0 || write (fd, bytes, size) != (gssize) size)
    g_error ("%s: %s", path, g_strerror (errno));
}

/* Puts the last block, before or after it was changed, into a tail, as it was while it was being filled. */
static void
make_tail (Fuzz *self)
{
  guint offset = g_array_index (self->offsets, guint, self->offsets->len - 1);
  struct trace_tail tail = { 0 };
  gsize capacity, words, definitions, size;
  g_autofree guint8 *file = NULL;

  if (offset + TRACE_BLOCK_SIZE > self->bytes->len)
    return;
  size = MIN (get_32 (self, offset + offsetof (struct trace_block, bytes)), self->bytes->len - offset);
  definitions = MIN ((gsize) get_32 (self, offset + offsetof (struct trace_block, sites)) * 16, size);
  words = size - definitions;
  capacity = size + sequences_below (&self->random, 200);
  memcpy (&tail, self->bytes->data, sizeof tail.header);
  tail.header.header_size = to_32 (self, TRACE_TAIL_SIZE);
  tail.capacity = to_32 (self, (guint32) capacity);
  tail.offset = offset;
  tail.used = words;
  if (self->swapped)
    {
      tail.offset = GUINT64_SWAP_LE_BE (tail.offset);
      tail.used = GUINT64_SWAP_LE_BE (tail.used);
    }
  file = g_malloc0 (sizeof tail + capacity);
  memcpy (file, &tail, sizeof tail);
  memcpy (file + sizeof tail, self->bytes->data + offset, words);
  memcpy (file + sizeof tail + capacity - definitions, self->bytes->data + offset + words, definitions);
  if (sequences_below (&self->random, 2))
    file[sequences_below (&self->random, (guint) (sizeof tail + capacity))] ^= (guint8) (1u << sequences_below (&self->random, 8));
  write_file (self->tail, file, sizeof tail + capacity - (sequences_below (&self->random, 8) == 0 ? capacity / 2 : 0));
  self->came[CAME_TAILS]++;
  if (sequences_below (&self->random, 2))
    g_byte_array_set_size (self->bytes, offset + sequences_below (&self->random, self->bytes->len - offset));
}

/* A file is what its blocks' headers say, and no more. */
static void
check_file (Fuzz *self, const CsEventFile *file, int fd)
{
  guint64 n = 0, end = file->events_offset;

  for (guint i = 0; i < file->n_blocks; i++)
    {
      const CsPackedBlock *block = &file->blocks[i];

      g_assert_cmpuint (block->first, ==, n);
      g_assert_cmpuint (block->offset, >=, end);
      g_assert_cmpuint (block->events, <=, block->records);
      g_assert_cmpuint (block->records, <=, block->bytes / 2);
      g_assert_true (block->chain == G_MAXUINT32 || block->chain <= i);
      n += block->records;
      end = block->offset + block->bytes;
    }
  g_assert_cmpuint (file->n_events, ==, n);
  g_assert_cmpuint (end, <=, self->bytes->len);
  g_assert_cmpuint (file->events_offset + cs_event_file_get_n_bytes (file) + (n > 0 ? file->rest : 0), <=, self->bytes->len);
}

/* Reads a track from its beginning or from a record. Returns whether something of it is lost. */
static gboolean
read_track (Fuzz *self, const CsThreadTrack *track, guint64 first)
{
  g_autoptr (CsNotices) notices = cs_notices_new ();
  g_auto (GStrv) texts = NULL;
  const CsEventFile *file = g_ptr_array_index (track->files, 0);
  guint64 n = 0, all = 0, sum = 0;
  CsEventBlock block;

  for (guint i = 0; i < track->files->len; i++)
    all += ((const CsEventFile *) g_ptr_array_index (track->files, i))->n_events;
  cs_event_reader_set_track (self->reader, track);
  if (first > 0)
    cs_event_reader_seek (self->reader, 0, first);
  while (cs_event_reader_next (self->reader, &block, notices))
    {
      n += block.n;
      g_assert_cmpuint (block.n, <=, 4096);
      g_assert_cmpuint (block.done + block.n, <=, block.file->n_events);
      for (gsize i = 0; i < block.n; i++)
        {
          sum += block.events[i].ts ^ block.events[i].func ^ block.events[i].caller ^ block.events[i].tid;
          if (block.offsets != NULL)
            g_assert_cmpuint (block.offsets[i], <, block.file->blocks[block.packed].bytes);
        }
      if (block.damaged)
        self->came[CAME_LOST] += MIN (block.lost, MOST_RECORDS);
    }
  g_assert_cmpuint (n, <=, all - MIN (first, file->n_events));
  self->came[CAME_RECORDS] += n + (sum == 1);
  texts = cs_notices_dup_texts (notices);
  return texts[0] != NULL;
}

/* Records from any place that may be asked for. */
static void
read_anywhere (Fuzz *self, const CsEventFile *file, int fd)
{
  struct trace_event events[300];
  guint64 ticks, ns;

  for (guint i = 0; i < 4 && file->n_blocks > 0; i++)
    {
      guint block = sequences_below (&self->random, file->n_blocks);
      guint32 offset = sequences_below (&self->random, file->blocks[block].bytes + 100);
      gsize n = sequences_below (&self->random, G_N_ELEMENTS (events) + 1);

      offset = sequences_below (&self->random, 3) > 0 ? offset & ~1u : offset;
      g_assert_cmpint (cs_packed_decoder_read_at (self->decoder, file, fd, block, offset, sequences_random (&self->random),
                                                  1, events, n), <=, (gssize) n);
      if (file->n_events > 0)
        {
          guint64 first = sequences_below (&self->random, (guint) file->n_events);

          n = MIN (n, file->n_events - first);
          g_assert_cmpint (cs_event_file_read (file, fd, first, events, n), <=, (gssize) n);
        }
    }
  cs_event_file_find_anchor ((CsEventFile *) file, 1 << 20, &ticks, &ns);
}

static void
read_file (Fuzz *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CsEventFile) file = cs_event_file_open (self->path, &error);
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  CsThreadTrack track = { .files = files };
  cs_autofd fd = open (self->path, O_RDONLY | O_CLOEXEC);
  gboolean lost;

  if (file == NULL)
    {
      self->came[CAME_REFUSED]++;
      return;
    }
  g_ptr_array_add (files, file);
  if (!file->packed)
    return;
  check_file (self, file, fd);
  lost = read_track (self, &track, 0) || file->rest > 0;
  self->came[lost ? CAME_DAMAGED : CAME_WHOLE]++;
  if (file->n_events > 0)
    read_track (self, &track, sequences_below (&self->random, (guint) file->n_events + 1));
  read_anywhere (self, file, fd);
}

/* Asks the index of a recording. */
static void
ask_timeline (Fuzz *self, CsTimeline *timeline)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));

  for (guint i = 0; i < cs_timeline_get_n_tracks (timeline); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, i);
      CsTimelineSpan span;
      CsTimelineStart start;

      if (info->first > info->last)
        continue;
      for (guint j = 0; j < 4; j++)
        {
          guint64 length = (guint64) info->last - (guint64) info->first;
          gint64 ns = (gint64) ((guint64) info->first + (length > 0 ? sequences_random (&self->random) % length : 0));
          guint64 wide = sequences_random (&self->random) >> (2 + sequences_below (&self->random, 62));
          gint64 end = ns + (gint64) MIN (wide, (guint64) (G_MAXINT64 - MAX (ns, 0)));

          g_array_set_size (spans, 0);
          if (ns < end)
            cs_timeline_query (timeline, i, ns, end, 1 + sequences_below (&self->random, 300), 0, info->n_rows, spans, NULL);
          g_array_set_size (spans, 0);
          cs_timeline_get_stack (timeline, i, ns, 0, info->n_rows, spans, NULL);
          g_assert_cmpuint (spans->len, <=, info->n_rows);
          if (cs_timeline_get_call_at (timeline, i, ns, sequences_below (&self->random, info->n_rows + 1), &span, NULL))
            {
              CsTimelineSpan other;

              cs_timeline_get_relative (timeline, i, &span, sequences_below (&self->random, 4), &other, NULL);
            }
          if (cs_timeline_find_start (timeline, i, ns, &start, NULL))
            cs_timeline_start_clear (&start);
        }
    }
}

/* The whole way: tails joined, the pass, the index of time. */
static void
read_recording (Fuzz *self)
{
  const char *const paths[] = { self->traces, NULL };
  g_autoptr (CsRecording) recording = cs_recording_open (paths, NULL, NULL);
  const CsProfileOptions options = { .timeline = TRUE, .no_cache = TRUE };
  g_autoptr (CsProfile) profile = NULL;

  for (guint i = 0; recording != NULL && i < cs_recording_get_tracks (recording)->len; i++)
    read_track (self, g_ptr_array_index (cs_recording_get_tracks (recording), i), 0);
  profile = recording != NULL ? cs_profile_new (recording, self->symbolizer, &options, NULL, NULL, NULL) : NULL;
  if (profile == NULL || cs_profile_get_timeline (profile) == NULL)
    return;
  ask_timeline (self, cs_profile_get_timeline (profile));
  self->came[CAME_TIMELINES]++;
}

static void
convert (Fuzz *self)
{
  g_autofree char *out = g_build_filename (self->folder, "records", NULL);
  g_autofree char *again = g_build_filename (self->folder, "packed", NULL);
  g_autoptr (CsConvertResult) there = cs_convert (self->traces, CS_CONVERT_RECORDS, out, NULL, NULL, NULL);
  g_autoptr (CsConvertResult) back = NULL;

  if (there != NULL)
    back = cs_convert (out, CS_CONVERT_PACKED, again, NULL, NULL, NULL);
  self->came[CAME_CONVERTED] += back != NULL && back->n_converted > 0;
  if (there != NULL)
    cs_folder_remove (out);
  if (back != NULL)
    cs_folder_remove (again);
}

static void
fuzz (Fuzz *self)
{
  g_autoptr (CsPackedDecoder) decoder = cs_packed_decoder_new ();
  g_autoptr (CsEventReader) reader = cs_event_reader_new ();

  /* New ones, so that what they keep is no larger than this recording needs. */
  self->decoder = decoder;
  self->reader = reader;
  make_file (self);
  g_unlink (self->tail);
  change (self);
  if (sequences_below (&self->random, 4) == 0 && self->bytes->len >= TRACE_HEADER_SIZE)
    make_tail (self);
  write_file (self->path, self->bytes->data, self->bytes->len);
  read_file (self);
  if (sequences_below (&self->random, 4) == 0)
    read_recording (self);
  if (sequences_below (&self->random, 8) == 0)
    convert (self);
}

int
main (int argc, char **argv)
{
  guint64 n = argc > 1 ? g_ascii_strtoull (argv[1], NULL, 10) : 2000;
  guint64 seed = argc > 2 ? g_ascii_strtoull (argv[2], NULL, 10) : 1;
  Fuzz self = { .bytes = g_byte_array_new (), .offsets = g_array_new (FALSE, FALSE, sizeof (guint)) };
  gboolean all = TRUE;

  printf ("1..1\n");
  sequences_init (&self.random, seed);
  self.symbolizer = cs_symbolizer_new ();
  self.folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  self.traces = g_build_filename (self.folder, "traces", NULL);
  self.path = g_build_filename (self.traces, "trace.1.1.0.bin", NULL);
  self.tail = g_build_filename (self.traces, "trace.1.1.0.tail", NULL);
  g_mkdir (self.traces, 0700);
  for (guint64 i = 0; i < n; i++)
    fuzz (&self);
  for (guint i = 0; i < CAME_N; i++)
    {
      printf ("# %15" G_GUINT64_FORMAT "  %s\n", self.came[i], came_names[i]);
      all &= self.came[i] > 0;
    }
  printf ("%sok 1 - %" G_GUINT64_FORMAT " recordings of seed %" G_GUINT64_FORMAT ", and all of that occurred\n",
          all ? "" : "not ", n, seed);
  cs_folder_remove (self.folder);
  g_object_unref (self.symbolizer);
  sequences_clear (&self.random);
  g_byte_array_unref (self.bytes);
  g_array_unref (self.offsets);
  g_free (self.folder);
  g_free (self.traces);
  g_free (self.path);
  g_free (self.tail);
  return all ? 0 : 1;
}
