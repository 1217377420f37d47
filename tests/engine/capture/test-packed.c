/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/cs-packed.h"
#include "capture/cs-recording.h"

/* A file of blocks that is written word by word. */
typedef struct
{
  GByteArray *file;
  GByteArray *words;
  struct trace_block header;
  struct trace_definition sites[100];
} Writer;

static void
begin_file (Writer *self)
{
  const struct trace_header header = { .magic = TRACE_MAGIC,
                                       .version = TRACE_PACKED_VERSION,
                                       .event_size = TRACE_PACKED_EVENT_SIZE,
                                       .header_size = TRACE_HEADER_SIZE,
                                       .pid = 1 };

  memset (self, 0, sizeof *self);
  self->file = g_byte_array_new ();
  self->words = g_byte_array_new ();
  g_byte_array_append (self->file, (const guint8 *) &header, sizeof header);
}

static void
begin_block (Writer *self, guint first_site, guint sites, guint64 base)
{
  g_byte_array_set_size (self->words, 0);
  self->header = (struct trace_block){ .magic = TRACE_BLOCK_MAGIC,
                                       .header_size = TRACE_BLOCK_SIZE,
                                       .tid = 7,
                                       .base = base,
                                       .first_site = first_site,
                                       .sites = sites };
  for (guint i = 0; i < sites; i++)
    self->sites[sites - 1 - i] =
        (struct trace_definition){ 0x1000 * (guint64) (first_site + i), 0x10 * (guint64) (first_site + i) };
}

static void
put_16 (Writer *self, guint word)
{
  guint16 value = (guint16) word;

  g_byte_array_append (self->words, (const guint8 *) &value, sizeof value);
}

static void
put (Writer *self, gconstpointer data, gsize size)
{
  g_byte_array_append (self->words, data, (guint) size);
}

static void
end_block (Writer *self, guint records, guint events)
{
  gsize size = self->header.sites * sizeof self->sites[0];

  self->header.bytes = (guint32) (TRACE_BLOCK_SIZE + self->words->len + size);
  self->header.records = records;
  self->header.events = events;
  self->header.check = trace_block_check (&self->header, self->words->data, self->words->len, self->sites, size, 0);
  g_byte_array_append (self->file, (const guint8 *) &self->header, sizeof self->header);
  g_byte_array_append (self->file, self->words->data, self->words->len);
  g_byte_array_append (self->file, (const guint8 *) self->sites, (guint) size);
}

/* Writes the file and opens it. */
static CsEventFile *
end_file (Writer *self, int *fd)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "callsight-packed-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  CsEventFile *file;

  *fd = g_mkstemp (path);
  g_assert_cmpint (*fd, >=, 0);
  g_assert_cmpint (write (*fd, self->file->data, self->file->len), ==, self->file->len);
  file = cs_event_file_open (path, &error);
  g_assert_no_error (error);
  g_assert_true (file->packed);
  g_unlink (path);
  g_byte_array_unref (self->file);
  g_byte_array_unref (self->words);
  return file;
}

static void
put_enter (Writer *self, guint dt, guint site)
{
  put_16 (self, (dt + 1) << 1);
  put_16 (self, site);
}

static void
put_exit (Writer *self, guint dt)
{
  put_16 (self, (dt + 1) << 1 | 1);
}

static void
put_told_exit (Writer *self, guint dt, guint pops, guint site)
{
  put_16 (self, TRACE_WORD_EXIT);
  put_16 (self, dt);
  put_16 (self, pops);
  put_16 (self, site);
}

static void
check_event (const struct trace_event *event, guint kind, guint64 ts, guint site, guint tid)
{
  const struct trace_event wanted = { .ts = ts, .func = 0x1000 * (guint64) site, .caller = 0x10 * (guint64) site,
                                      .tid = tid, .kind = (guint8) kind };

  g_assert_cmpmem (event, sizeof *event, &wanted, sizeof wanted);
}

static void
test_each_record (void)
{
  g_autoptr (CsPackedDecoder) decoder = cs_packed_decoder_new ();
  const struct trace_event raw = { .ts = 5, .func = 6, .caller = 7, .tid = 8, .kind = 9, .pad = { 1, 2, 3 } };
  const guint64 time = G_GUINT64_CONSTANT (0x123456789ABC);
  const guint32 later = G_MAXUINT32, tid = 99;
  const guint32 wanted[] = { 64, 68, 70, 84, 92, 126, 136, 144, 156 };
  g_autoptr (CsEventFile) file = NULL;
  struct trace_event events[16];
  guint32 offsets[16];
  guint64 lost;
  Writer writer;
  int fd;

  begin_file (&writer);
  begin_block (&writer, 1, 2, 100);
  put_enter (&writer, 0, 1);
  put_exit (&writer, TRACE_DT_MOST);
  put_16 (&writer, TRACE_WORD_TIME);
  put (&writer, &time, sizeof time);
  put_enter (&writer, 1, 2);
  put_told_exit (&writer, 0xFFFF, 1, 1);
  put_16 (&writer, TRACE_WORD_RAW);
  put (&writer, &raw, sizeof raw);
  put_16 (&writer, TRACE_WORD_LATER);
  put (&writer, &later, sizeof later);
  put_enter (&writer, 2, 1);
  put_told_exit (&writer, 0, 0, 2);
  put_16 (&writer, TRACE_WORD_FORGET);
  put_16 (&writer, TRACE_WORD_THREAD);
  put (&writer, &tid, sizeof tid);
  put_enter (&writer, 0, 2);
  put_exit (&writer, 3);
  end_block (&writer, 9, 8);
  file = end_file (&writer, &fd);

  g_assert_cmpuint (file->n_blocks, ==, 1);
  g_assert_cmpuint (file->n_events, ==, 9);
  g_assert_cmpint (cs_packed_decoder_open (decoder, file, fd, 0), ==, CS_PACKED_OPEN);
  g_assert_cmpuint (cs_packed_decoder_next (decoder, events, 16, offsets), ==, 9);
  g_assert_false (cs_packed_decoder_is_damaged (decoder, &lost));
  check_event (&events[0], 0, 100, 1, 7);
  check_event (&events[1], 1, 100 + TRACE_DT_MOST, 1, 7);
  check_event (&events[2], 0, time + 1, 2, 7);
  check_event (&events[3], 1, time + 0x10000, 1, 7);
  g_assert_cmpmem (&events[4], sizeof raw, &raw, sizeof raw);
  check_event (&events[5], 0, time + 0x10000 + later + 2, 1, 7);
  check_event (&events[6], 1, time + 0x10000 + later + 2, 2, 7);
  check_event (&events[7], 0, time + 0x10000 + later + 2, 2, 99);
  check_event (&events[8], 1, time + 0x10000 + later + 5, 2, 99);
  g_assert_cmpmem (offsets, sizeof wanted, wanted, sizeof wanted);
  close (fd);
}

/* What is wrong behind an enter and an exit; how many records and events the header tells. */
typedef struct
{
  const char *what;
  guint16 words[8];
  guint n_words;
  guint records, events;
  guint decoded, lost;
} Damage;

/* The first three are right. */
static const Damage damages[] = {
  { "nothing", { 0 }, 0, 2, 2, 2, 0 },
  { "a FORGET", { TRACE_WORD_FORGET }, 1, 2, 2, 2, 0 },
  { "FORGETs", { TRACE_WORD_FORGET, TRACE_WORD_FORGET, TRACE_WORD_FORGET }, 3, 2, 2, 2, 0 },
  { "an exit of no known frame", { 5 }, 1, 3, 3, 2, 1 },
  { "an enter of site 0", { 4, 0 }, 2, 3, 3, 2, 1 },
  { "an enter of a site that is not defined", { 4, 3 }, 2, 3, 3, 2, 1 },
  { "site 0xFFFF", { 4, 0xFFFF }, 2, 3, 3, 2, 1 },
  { "a pop too many", { 4, 1, TRACE_WORD_EXIT, 0, 2, 1 }, 6, 4, 4, 3, 1 },
  { "an exit of site 0", { TRACE_WORD_EXIT, 0, 0, 0 }, 4, 3, 3, 2, 1 },
  { "an exit of a site that is not defined", { TRACE_WORD_EXIT, 0, 0, 3 }, 4, 3, 3, 2, 1 },
  { "word 0", { 0, 0, 0, 0 }, 4, 6, 5, 2, 3 },
  { "word 1", { 1, 0, 0 }, 3, 5, 5, 2, 3 },
  { "word 0xFE00", { 0xFE00, 0, 0 }, 3, 3, 3, 2, 1 },
  { "word 0xFE07", { 0xFE07, 0, 0 }, 3, 3, 3, 2, 1 },
  { "word 0xFFFF", { 0xFFFF, 0, 0 }, 3, 3, 3, 2, 1 },
  { "half an enter", { 4 }, 1, 3, 3, 2, 1 },
  { "half a time", { TRACE_WORD_TIME, 0, 0, 0 }, 4, 3, 3, 2, 1 },
  { "half a later time", { TRACE_WORD_LATER, 0 }, 2, 3, 3, 2, 1 },
  { "half a thread", { TRACE_WORD_THREAD, 0 }, 2, 3, 3, 2, 1 },
  { "half an exit", { TRACE_WORD_EXIT, 0, 0 }, 3, 3, 3, 2, 1 },
  { "half a record", { TRACE_WORD_RAW, 0, 0, 0 }, 4, 3, 2, 2, 0 },
  { "a record that is missing", { TRACE_WORD_FORGET }, 1, 3, 3, 2, 1 },
  { "a record too many", { 4, 1 }, 2, 2, 2, 2, 0 },
  { "a record behind a FORGET", { TRACE_WORD_FORGET, 4, 1 }, 3, 2, 2, 2, 0 },
  { "a time behind the last record", { TRACE_WORD_LATER, 1, 0 }, 3, 2, 2, 2, 0 },
  { "an exit of a forgotten frame", { 4, 1, TRACE_WORD_FORGET, 5 }, 4, 4, 4, 3, 1 },
  { "a pop of a forgotten frame", { 4, 1, TRACE_WORD_FORGET, TRACE_WORD_EXIT, 0, 1, 1 }, 7, 4, 4, 3, 1 },
  { "an exit of another thread's frame", { 4, 1, TRACE_WORD_THREAD, 1, 0, 5 }, 6, 4, 4, 3, 1 },
};

static void
test_damage (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      const Damage *damage = &damages[i];
      g_autoptr (CsPackedDecoder) decoder = cs_packed_decoder_new ();
      g_autoptr (CsEventFile) file = NULL;
      struct trace_event events[16];
      guint64 lost;
      Writer writer;
      int fd;

      g_test_message ("%s", damage->what);
      begin_file (&writer);
      begin_block (&writer, 1, 2, 100);
      put_enter (&writer, 0, 1);
      put_exit (&writer, 1);
      put (&writer, damage->words, damage->n_words * 2);
      end_block (&writer, damage->records, damage->events);
      file = end_file (&writer, &fd);
      g_assert_cmpuint (file->n_blocks, ==, 1);
      g_assert_cmpint (cs_packed_decoder_open (decoder, file, fd, 0), ==, CS_PACKED_OPEN);
      g_assert_cmpuint (cs_packed_decoder_next (decoder, events, 16, NULL), ==, damage->decoded);
      g_assert_cmpint (cs_packed_decoder_is_damaged (decoder, &lost), ==, i > 2);
      g_assert_cmpuint (lost, ==, damage->lost);
      g_assert_cmpuint (cs_packed_decoder_next (decoder, events, 16, NULL), ==, 0);
      close (fd);
    }
}

/* The first site and the definitions of blocks, and whether they can be decoded. */
static void
test_chains (void)
{
  static const struct { guint first_site, sites; CsPackedResult result; } blocks[] = {
    { 3, 1, CS_PACKED_UNDEFINED }, { 1, 2, CS_PACKED_OPEN },      { 3, 0, CS_PACKED_OPEN },
    { 3, 4, CS_PACKED_OPEN },      { 8, 1, CS_PACKED_UNDEFINED }, { 9, 0, CS_PACKED_UNDEFINED },
    { 1, 1, CS_PACKED_OPEN },      { 2, 1, CS_PACKED_OPEN },      { 1, 1, CS_PACKED_OPEN },
  };
  g_autoptr (CsEventFile) file = NULL;
  Writer writer;
  int fd;

  begin_file (&writer);
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      begin_block (&writer, blocks[i].first_site, blocks[i].sites, 0);
      put_enter (&writer, 0, MAX (1, blocks[i].first_site - 1));
      end_block (&writer, 1, 1);
    }
  file = end_file (&writer, &fd);
  g_assert_cmpuint (file->n_blocks, ==, G_N_ELEMENTS (blocks));
  /* In order, in the reverse order, and each alone. */
  for (guint order = 0; order < 3; order++)
    {
      g_autoptr (CsPackedDecoder) decoder = cs_packed_decoder_new ();

      for (guint i = 0; i < file->n_blocks; i++)
        {
          guint block = order == 1 ? file->n_blocks - 1 - i : i;
          struct trace_event event;

          if (order == 2)
            {
              cs_packed_decoder_free (decoder);
              decoder = cs_packed_decoder_new ();
            }
          g_assert_cmpint (cs_packed_decoder_open (decoder, file, fd, block), ==, blocks[block].result);
          g_assert_cmpuint (cs_packed_decoder_next (decoder, &event, 1, NULL), ==,
                            blocks[block].result == CS_PACKED_OPEN);
          if (blocks[block].result == CS_PACKED_OPEN)
            check_event (&event, 0, 0, MAX (1, blocks[block].first_site - 1), 7);
        }
    }
  close (fd);
}

/* A flipped bit in a definition costs all blocks that may use it, whatever the decoder has read before. */
static void
test_damaged_definition (void)
{
  enum { N_CHAINS = 40 };
  g_autoptr (CsPackedDecoder) decoder = cs_packed_decoder_new (), other = cs_packed_decoder_new ();
  g_autoptr (CsEventFile) file = NULL;
  struct trace_event event;
  Writer writer;
  int fd;

  begin_file (&writer);
  for (guint i = 0; i < 3 + N_CHAINS; i++)
    {
      begin_block (&writer, i < 3 ? i + 1 : 1, 1, 0);
      put_enter (&writer, 0, 1);
      end_block (&writer, 1, 1);
      if (i == 1)
        writer.file->data[writer.file->len - 1] ^= 1;
    }
  file = end_file (&writer, &fd);
  g_assert_cmpuint (file->n_blocks, ==, 3 + N_CHAINS);
  for (guint turn = 0; turn < 3; turn++)
    {
      g_assert_cmpint (cs_packed_decoder_open (decoder, file, fd, 0), ==, CS_PACKED_OPEN);
      if (turn == 0)
        g_assert_cmpint (cs_packed_decoder_open (decoder, file, fd, 1), ==, CS_PACKED_DAMAGED);
      g_assert_cmpint (cs_packed_decoder_open (decoder, file, fd, 2), ==, CS_PACKED_UNDEFINED);
      /* So many others that this dictionary has to go. */
      for (guint i = 0; i < N_CHAINS; i++)
        g_assert_cmpint (cs_packed_decoder_open (decoder, file, fd, 3 + i), ==, CS_PACKED_OPEN);
    }
  g_assert_cmpint (cs_packed_decoder_open (decoder, file, fd, 2), ==, CS_PACKED_UNDEFINED);
  g_assert_cmpint (cs_packed_decoder_read_at (other, file, fd, 2, TRACE_BLOCK_SIZE, 0, 7, &event, 1), ==, 0);
  g_assert_cmpint (cs_packed_decoder_read_at (other, file, fd, 1, TRACE_BLOCK_SIZE, 0, 7, &event, 1), ==, 0);
  g_assert_cmpint (cs_packed_decoder_read_at (other, file, fd, 0, TRACE_BLOCK_SIZE, 0, 7, &event, 1), ==, 1);
  check_event (&event, 0, 0, 1, 7);
  close (fd);
}

#define N_RECORDS 6000

/* Writes records of all sorts. */
static void
put_random (Writer *self, GRand *rand)
{
  guint stack[N_RECORDS], depth = 0, events = 0;

  for (guint i = 0; i < N_RECORDS; i++)
    {
      guint what = (guint) g_rand_int_range (rand, 0, 100);
      guint dt = (guint) g_rand_int_range (rand, 0, 3000);
      struct trace_event raw = { .ts = g_rand_int (rand), .func = i, .tid = 7, .kind = (guint8) g_rand_int_range (rand, 0, 4) };
      guint64 time = g_rand_int (rand);
      guint32 later = g_rand_int (rand);

      if (what < 3)
        {
          put_16 (self, TRACE_WORD_TIME);
          put (self, &time, sizeof time);
        }
      else if (what < 6)
        {
          put_16 (self, TRACE_WORD_LATER);
          put (self, &later, sizeof later);
        }
      else if (what < 7)
        {
          put_16 (self, TRACE_WORD_FORGET);
          depth = 0;
        }
      what = (guint) g_rand_int_range (rand, 0, 100);
      if (what < 5)
        {
          put_16 (self, TRACE_WORD_RAW);
          put (self, &raw, sizeof raw);
          events += raw.kind <= TRACE_KIND_EXIT;
          continue;
        }
      events++;
      if (what < 10)
        {
          guint pops = (guint) g_rand_int_range (rand, 0, (gint) MIN (depth, 3) + 1);

          put_told_exit (self, dt, pops, (guint) g_rand_int_range (rand, 1, 100));
          depth -= pops;
        }
      else if (depth == 0 || what < 55)
        {
          stack[depth] = (guint) g_rand_int_range (rand, 1, 100);
          put_enter (self, dt, stack[depth++]);
        }
      else
        {
          put_exit (self, dt);
          depth--;
        }
    }
  end_block (self, N_RECORDS, events);
}

static void
test_read_at (void)
{
  g_autoptr (CsPackedDecoder) decoder = cs_packed_decoder_new (), other = cs_packed_decoder_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree struct trace_event *all = g_new (struct trace_event, N_RECORDS);
  g_autofree guint32 *offsets = g_new (guint32, N_RECORDS);
  g_autoptr (CsEventFile) file = NULL;
  guint unknown = 0, known = 0;
  Writer writer;
  int fd;

  begin_file (&writer);
  begin_block (&writer, 1, 60, 0);
  end_block (&writer, 0, 0);
  begin_block (&writer, 61, 39, 12345);
  put_random (&writer, rand);
  file = end_file (&writer, &fd);
  g_assert_cmpint (cs_packed_decoder_open (decoder, file, fd, 1), ==, CS_PACKED_OPEN);
  for (gsize done = 0; done < N_RECORDS; done += 7)
    g_assert_cmpuint (cs_packed_decoder_next (decoder, all + done, 7, offsets + done), ==, MIN (7, N_RECORDS - done));
  for (guint i = 0; i < N_RECORDS; i++)
    {
      struct trace_event events[300];
      gsize most = (gsize) g_rand_int_range (rand, 1, 300), n = MIN (N_RECORDS - i, most);
      guint64 ts = 0;

      for (guint j = i; j < N_RECORDS && ts == 0; j++)
        if (all[j].kind <= TRACE_KIND_EXIT)
          ts = all[j].ts;
      g_assert_cmpint (cs_packed_decoder_read_at (other, file, fd, 1, offsets[i], ts, 7, events, n), ==, n);
      for (guint j = 0; j < n; j++)
        {
          struct trace_event wanted = all[i + j];

          if (events[j].func == 0 && events[j].kind == TRACE_KIND_EXIT && wanted.func != 0)
            {
              wanted.func = wanted.caller = 0;
              unknown++;
            }
          else
            known++;
          g_assert_cmpmem (&events[j], sizeof wanted, &wanted, sizeof wanted);
        }
    }
  g_assert_cmpuint (unknown, >, 1000);
  g_assert_cmpuint (known, >, 20 * unknown);
  /* cs_event_file_read() decodes from the block's beginning. */
  for (guint i = 0; i < 50; i++)
    {
      struct trace_event events[20];
      guint first = (guint) g_rand_int_range (rand, 0, N_RECORDS - 20);

      g_assert_cmpint (cs_event_file_read (file, fd, first, events, 20), ==, 20);
      g_assert_cmpmem (events, sizeof events, all + first, sizeof events);
    }
  close (fd);
}

/* Bytes that this process has read by now, as the system counts them. */
static guint64
count_read (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/io", &text, NULL, NULL) || (line = strstr (text, "rchar: ")) == NULL)
    return 0;
  return g_ascii_strtoull (line + strlen ("rchar: "), NULL, 10);
}

/* Fills a file with what looks like blocks and is none, or isn't where the one before says. */
static void
put_hostile (Writer *self, guint kind)
{
  const struct trace_block bogus = { .magic = TRACE_BLOCK_MAGIC, .header_size = TRACE_BLOCK_SIZE,
                                     .bytes = TRACE_BLOCK_MOST, .first_site = 1 };
  static const guint8 zeros[TRACE_BLOCK_MOST];
  guint n = kind == 2 ? 20000 : 3000;

  for (guint i = 0; i < n; i++)
    {
      if (kind == 0)
        g_byte_array_append (self->file, (const guint8 *) &bogus, sizeof bogus);
      else if (kind == 2)
        g_byte_array_append (self->file, (const guint8 *) TRACE_BLOCK_MAGIC, TRACE_MAGIC_SIZE);
      else
        {
          begin_block (self, 1, 0, 0);
          end_block (self, 0, 0);
          g_byte_array_append (self->file, zeros, 2);
        }
    }
  if (kind == 0)
    g_byte_array_append (self->file, zeros, sizeof zeros);
}

static void
test_hostile (void)
{
  static const guint blocks[] = { 0, 3000, 0 };

  if (count_read () == 0)
    {
      g_test_skip ("no /proc/self/io");
      return;
    }
  for (guint kind = 0; kind < G_N_ELEMENTS (blocks); kind++)
    {
      g_autoptr (CsEventFile) file = NULL;
      guint64 before, size;
      Writer writer;
      int fd;

      begin_file (&writer);
      put_hostile (&writer, kind);
      size = writer.file->len;
      before = count_read ();
      file = end_file (&writer, &fd);
      g_test_message ("%u: %.1f times its size", kind, (double) (count_read () - before) / (double) size);
      g_assert_cmpuint (count_read () - before, <, 20 * size + 100000);
      g_assert_cmpuint (file->n_blocks, >=, blocks[kind]);
      close (fd);
    }
}

/* What lies behind a block, and whether it is one that was being written. */
static void
test_ends (void)
{
  static const struct { guint zeros, header; gboolean torn; } ends[] = {
    { 0, 2, TRUE }, { 0, 63, TRUE }, { 0, 64, TRUE }, { 0, 70, TRUE }, { 2, 0, TRUE }, { 63, 0, TRUE },
    { 64, 0, FALSE }, { 5000, 0, FALSE }, { 2, 64, FALSE }, { 64, 70, FALSE }, { 100000, 0, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree guint8 *zeros = g_malloc0 (100000);
      g_autoptr (CsEventFile) file = NULL;
      guint64 left = ends[i].zeros + ends[i].header;
      Writer writer;
      guint begin;
      int fd;

      begin_file (&writer);
      begin_block (&writer, 1, 1, 0);
      put_enter (&writer, 0, 1);
      end_block (&writer, 1, 1);
      g_byte_array_append (writer.file, zeros, ends[i].zeros);
      begin = writer.file->len;
      begin_block (&writer, 1, 3, 0);
      end_block (&writer, 0, 0);
      g_byte_array_set_size (writer.file, begin + ends[i].header);
      file = end_file (&writer, &fd);
      g_assert_cmpuint (file->n_blocks, ==, 1);
      g_assert_cmpuint (file->rest, ==, ends[i].torn ? left : 0);
      g_assert_cmpuint (file->damaged, ==, ends[i].torn ? 0 : left);
      close (fd);
    }
}

static void
test_cancelled (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "callsight-packed-XXXXXX", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  int fd = g_mkstemp (path);
  Writer writer;

  begin_file (&writer);
  put_hostile (&writer, 0);
  g_assert_cmpint (write (fd, writer.file->data, writer.file->len), ==, writer.file->len);
  g_cancellable_cancel (cancellable);
  g_assert_null (cs_event_file_open_cancellable (path, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  {
    const char *const paths[] = { path, NULL };

    g_assert_null (cs_recording_open (paths, cancellable, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  }
  g_unlink (path);
  g_byte_array_unref (writer.file);
  g_byte_array_unref (writer.words);
  close (fd);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/packed/each-record", test_each_record);
  g_test_add_func ("/packed/damage", test_damage);
  g_test_add_func ("/packed/chains", test_chains);
  g_test_add_func ("/packed/damaged-definition", test_damaged_definition);
  g_test_add_func ("/packed/read-at", test_read_at);
  g_test_add_func ("/packed/ends", test_ends);
  g_test_add_func ("/packed/hostile", test_hostile);
  g_test_add_func ("/packed/cancelled", test_cancelled);
  return g_test_run ();
}
