/* SPDX-License-Identifier: MIT */
/*
 * packed-roundtrip [N [SEED]] - packs N random sequences of records, reads them, compares.
 *
 * Prints how often what is at the edge of something occurred; fails if anything never did.
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
#include "capture/cs-packer.h"
#include "packed-sequences.h"

#define MOST_RECORDS 2000
/* Of so many sequences one is a long one: with more sites than a dictionary takes, or so deep that
 * the encoder counts calls alone. */
#define SITES_EVERY 4000
#define N_SITES 300000
#define DEEP_EVERY 40000
#define N_DEEP 1050000

/* What there was in the blocks. */
typedef enum
{
  OUT_ENTER,
  OUT_EXIT,
  OUT_TIME,
  OUT_LATER,
  OUT_EXPLICIT,
  OUT_POPS,
  OUT_RAW,
  OUT_RAW_EVENT,
  OUT_FORGET,
  OUT_THREAD,
  OUT_BLOCKS,
  OUT_FULL,
  OUT_LARGEST,
  OUT_CHAINED,
  OUT_ANEW,
  OUT_LARGER_TABLE,
  OUT_LAST_ID,
  OUT_SWAPPED,
  OUT_N,
} Out;

static const char *const out_names[OUT_N] = {
  [OUT_ENTER] = "words: enters",
  [OUT_EXIT] = "words: exits of the innermost call",
  [OUT_TIME] = "words: TIME",
  [OUT_LATER] = "words: LATER",
  [OUT_EXPLICIT] = "words: EXIT",
  [OUT_POPS] = "words: EXIT that ends several calls",
  [OUT_RAW] = "words: RAW",
  [OUT_RAW_EVENT] = "words: RAW enters and exits",
  [OUT_FORGET] = "words: FORGET",
  [OUT_THREAD] = "words: THREAD",
  [OUT_BLOCKS] = "blocks",
  [OUT_FULL] = "blocks that were full",
  [OUT_LARGEST] = "blocks of over 260,000 bytes",
  [OUT_CHAINED] = "blocks that go on with a dictionary",
  [OUT_ANEW] = "later blocks that begin one",
  [OUT_LARGER_TABLE] = "blocks with ids over 256",
  [OUT_LAST_ID] = "blocks with id 65,535",
  [OUT_SWAPPED] = "blocks of the other byte order",
};

static const guint sizes[] = { CS_PACKER_LEAST, 1040, 2048, 4096, 16384, TRACE_BLOCK_MOST };

typedef struct
{
  Sequences sequences;
  CsPacker *packers[G_N_ELEMENTS (sizes)][2];
  CsEventReader *reader;
  char *path;
  int fd;
  guint64 out[OUT_N];
  guint64 n_records, n_bytes;
} Test;

static void G_GNUC_PRINTF (2, 3) G_GNUC_NORETURN
fail (guint64 number, const char *format, ...)
{
  va_list args;

  printf ("not ok 1 - sequence %" G_GUINT64_FORMAT ": ", number);
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  printf ("\n");
  exit (1);
}

/* Counts what kinds of words a block of this machine's byte order has. */
static void
note_words (Test *self, const guint8 *p, const guint8 *end)
{
  while (p < end)
    {
      guint16 word, pops;

      memcpy (&word, p, sizeof word);
      switch (word)
        {
        case TRACE_WORD_TIME:
          self->out[OUT_TIME]++;
          p += 10;
          break;
        case TRACE_WORD_LATER:
          self->out[OUT_LATER]++;
          p += 6;
          break;
        case TRACE_WORD_EXIT:
          memcpy (&pops, p + 4, sizeof pops);
          self->out[OUT_EXPLICIT]++;
          self->out[OUT_POPS] += pops > 1;
          p += 8;
          break;
        case TRACE_WORD_RAW:
          self->out[OUT_RAW]++;
          self->out[OUT_RAW_EVENT] += p[2 + offsetof (struct trace_event, kind)] <= TRACE_KIND_EXIT;
          p += 2 + TRACE_EVENT_SIZE;
          break;
        case TRACE_WORD_FORGET:
          self->out[OUT_FORGET]++;
          p += 2;
          break;
        case TRACE_WORD_THREAD:
          self->out[OUT_THREAD]++;
          p += 6;
          break;
        default:
          self->out[word & 1 ? OUT_EXIT : OUT_ENTER]++;
          p += word & 1 ? 2 : 4;
          break;
        }
    }
}

static void
note_block (Test *self, const CsPackerBlock *block, gboolean swapped, gboolean full, gboolean first)
{
  struct trace_block header;
  guint first_site;

  memcpy (&header, block->bytes, sizeof header);
  first_site = swapped ? GUINT32_SWAP_LE_BE (header.first_site) : header.first_site;
  self->out[OUT_BLOCKS]++;
  self->out[OUT_FULL] += full;
  self->out[OUT_LARGEST] += block->size > 260000;
  self->out[OUT_SWAPPED] += swapped;
  self->out[OUT_CHAINED] += first_site > 1;
  self->out[OUT_ANEW] += !first && first_site == 1;
  self->out[OUT_LARGER_TABLE] += first_site - 1 + block->sites > 256;
  self->out[OUT_LAST_ID] += first_site - 1 + block->sites == TRACE_SITES_MOST;
  if (!swapped)
    note_words (self, block->bytes + TRACE_BLOCK_SIZE, block->bytes + TRACE_BLOCK_SIZE + block->words);
}

static void
write_all (Test *self, gconstpointer bytes, gsize size, guint64 offset)
{
  if (pwrite (self->fd, bytes, size, (off_t) offset) != (gssize) size)
    {
      printf ("Bail out! %s: %s\n", self->path, g_strerror (errno));
      exit (1);
    }
}

/* Packs the sequence into a file. */
static void
pack (Test *self, guint64 number, guint block_size, gboolean swapped, guint64 first_index)
{
  CsPacker **packer = &self->packers[block_size][swapped];
  struct trace_header header = { .magic = TRACE_MAGIC,
                                 .version = TRACE_PACKED_VERSION,
                                 .event_size = TRACE_PACKED_EVENT_SIZE,
                                 .header_size = TRACE_HEADER_SIZE,
                                 .first_index = first_index };
  guint64 offset = sizeof header;
  const struct trace_event *events = (gconstpointer) self->sequences.records->data;
  CsPackerBlock block;

  if (swapped)
    {
      header.version = GUINT32_SWAP_LE_BE (header.version);
      header.event_size = GUINT32_SWAP_LE_BE (header.event_size);
      header.header_size = GUINT32_SWAP_LE_BE (header.header_size);
      header.first_index = GUINT64_SWAP_LE_BE (header.first_index);
    }
  write_all (self, &header, sizeof header, 0);
  if (*packer == NULL)
    *packer = cs_packer_new (sizes[block_size], swapped);
  cs_packer_begin (*packer, first_index);
  for (guint i = 0; i <= self->sequences.records->len; i++)
    {
      gboolean end = i == self->sequences.records->len;

      if (!end && cs_packer_add (*packer, &events[i]))
        continue;
      cs_packer_take (*packer, &block);
      if (block.size > sizes[block_size] || block.records == 0)
        fail (number, "a block of %u bytes with %u records", block.size, block.records);
      note_block (self, &block, swapped, !end, offset == sizeof header);
      write_all (self, block.bytes, block.size, offset);
      offset += block.size;
      i -= !end;
    }
  if (ftruncate (self->fd, (off_t) offset) != 0)
    fail (number, "%s", g_strerror (errno));
  self->n_bytes += offset;
}

/* Reads the file and compares what it holds with the sequence. */
static void
compare (Test *self, guint64 number, guint64 first_index)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CsEventFile) file = cs_event_file_open (self->path, &error);
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autoptr (CsNotices) notices = cs_notices_new ();
  g_auto (GStrv) texts = NULL;
  const struct trace_event *wanted = (gconstpointer) self->sequences.records->data;
  CsThreadTrack track = { .files = files };
  guint64 index = first_index;
  CsEventBlock block;
  guint done = 0;

  if (file == NULL)
    fail (number, "%s", error->message);
  if (file->n_events != self->sequences.records->len || file->rest != 0)
    fail (number, "%" G_GUINT64_FORMAT " records, %u bytes behind them", file->n_events, file->rest);
  g_ptr_array_add (files, file);
  cs_event_reader_set_track (self->reader, &track);
  while (cs_event_reader_next (self->reader, &block, notices))
    {
      if (block.damaged || (block.index != 0 && block.index != index))
        fail (number, "index %" G_GUINT64_FORMAT " at %u", block.index, done);
      for (gsize i = 0; i < block.n; i++, done++)
        {
          if (done >= self->sequences.records->len || memcmp (&block.events[i], &wanted[done], sizeof *wanted) != 0)
            fail (number, "record %u differs", done);
          index += index != 0 && wanted[done].kind <= TRACE_KIND_EXIT;
        }
    }
  texts = cs_notices_dup_texts (notices);
  if (texts[0] != NULL || done != self->sequences.records->len)
    fail (number, "%u records of %u: %s", done, self->sequences.records->len, texts[0] != NULL ? texts[0] : "no notice");
}

static gboolean
print_counts (const Test *self)
{
  gboolean all = TRUE;

  for (guint i = 0; i < IN_N; i++)
    {
      printf ("# %15" G_GUINT64_FORMAT "  %s\n", self->sequences.counts[i], in_names[i]);
      all &= self->sequences.counts[i] > 0;
    }
  for (guint i = 0; i < OUT_N; i++)
    {
      printf ("# %15" G_GUINT64_FORMAT "  %s\n", self->out[i], out_names[i]);
      all &= self->out[i] > 0;
    }
  return all;
}

int
main (int argc, char **argv)
{
  guint64 n = argc > 1 ? g_ascii_strtoull (argv[1], NULL, 10) : 4000;
  guint64 seed = argc > 2 ? g_ascii_strtoull (argv[2], NULL, 10) : 1;
  g_autofree char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  Test test = { .reader = cs_event_reader_new () };
  gboolean all;

  printf ("1..2\n");
  sequences_init (&test.sequences, seed);
  test.path = g_build_filename (folder, "trace.1.1.0.bin", NULL);
  test.fd = open (test.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  for (guint64 i = 0; i < n; i++)
    {
      guint size = sequences_below (&test.sequences, G_N_ELEMENTS (sizes));
      gboolean swapped = sequences_below (&test.sequences, 4) == 0;
      guint64 first_index = sequences_below (&test.sequences, 2) * (1 + (sequences_random (&test.sequences) >> 40));

      if (i % SITES_EVERY == 1)
        sequences_make_sites (&test.sequences, N_SITES), size = G_N_ELEMENTS (sizes) - 1;
      else if (i % DEEP_EVERY == 2)
        sequences_make_deep (&test.sequences, N_DEEP), size = G_N_ELEMENTS (sizes) - 1, swapped = FALSE;
      else
        sequences_make (&test.sequences, sequences_length (&test.sequences, MOST_RECORDS));
      pack (&test, i, size, swapped, first_index);
      compare (&test, i, first_index);
      test.n_records += test.sequences.records->len;
    }
  printf ("ok 1 - %" G_GUINT64_FORMAT " sequences of seed %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT
          " records, come out as they went in\n",
          n, seed, test.n_records);
  all = print_counts (&test);
  printf ("%sok 2 - all of that occurred\n", all ? "" : "not ");
  g_unlink (test.path);
  g_rmdir (folder);
  close (test.fd);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint j = 0; j < 2; j++)
      g_clear_pointer (&test.packers[i][j], cs_packer_free);
  cs_event_reader_free (test.reader);
  sequences_clear (&test.sequences);
  g_free (test.path);
  return all ? 0 : 1;
}
