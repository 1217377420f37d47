/* SPDX-License-Identifier: MIT */
/*
 * Packed event files: what decoding them costs alone.
 *
 * packed pack FROM TO packs the event files of version 2 of the folder FROM into the folder TO, whose other
 * files are copied: docs/formats.md draws the blocks.
 * packed decode FILE… decodes files a few times, of one processor, and prints the best time an event.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/cs-packed.h"

#define BLOCK_BYTES 65536

typedef struct
{
  struct trace_block header;
  guint8 words[BLOCK_BYTES];
  gsize used;
  struct trace_definition definitions[BLOCK_BYTES / 16];
  guint16 frames[BLOCK_BYTES];
  guint depth;
  guint64 now;
  GHashTable *ids; /* struct trace_definition → id */
  FILE *to;
} Packer;

static guint
site_hash (gconstpointer data)
{
  const struct trace_definition *site = data;

  return (guint) ((site->func * 31 + site->caller) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) >> 32);
}

static gboolean
site_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (struct trace_definition)) == 0;
}

static void
begin (Packer *self, const struct trace_event *event)
{
  guint64 index = self->header.index + self->header.events;

  self->header = (struct trace_block){ .magic = TRACE_BLOCK_MAGIC,
                                       .header_size = TRACE_BLOCK_SIZE,
                                       .tid = event->tid,
                                       .index = index,
                                       .base = event->ts,
                                       .first_site = g_hash_table_size (self->ids) + 1 };
  self->used = self->depth = 0;
  self->now = event->ts;
}

static void
end (Packer *self)
{
  struct trace_block *header = &self->header;
  gsize size = header->sites * sizeof (struct trace_definition);
  struct trace_definition *first = self->definitions + G_N_ELEMENTS (self->definitions) - header->sites;

  if (header->records == 0)
    return;
  header->bytes = (guint32) (TRACE_BLOCK_SIZE + self->used + size);
  header->check = trace_block_check (header, self->words, self->used, first, size, 0);
  if (fwrite (header, sizeof *header, 1, self->to) != 1 || fwrite (self->words, 1, self->used, self->to) != self->used ||
      fwrite (first, 1, size, self->to) != size)
    exit (2);
}

static void
put (Packer *self, const void *data, gsize size)
{
  memcpy (self->words + self->used, data, size);
  self->used += size;
}

static void
put_16 (Packer *self, guint word)
{
  guint16 value = (guint16) word;

  put (self, &value, sizeof value);
}

static guint
find_site (Packer *self, const struct trace_event *event)
{
  struct trace_definition site = { event->func, event->caller };
  guint id = GPOINTER_TO_UINT (g_hash_table_lookup (self->ids, &site));

  if (id != 0)
    return id;
  id = g_hash_table_size (self->ids) + 1;
  self->definitions[G_N_ELEMENTS (self->definitions) - ++self->header.sites] = site;
  g_hash_table_insert (self->ids, g_memdup2 (&site, sizeof site), GUINT_TO_POINTER (id));
  return id;
}

static void
reach (Packer *self, guint64 ts)
{
  if (ts - self->now <= TRACE_DT_MOST)
    return;
  put_16 (self, TRACE_WORD_TIME);
  put (self, &ts, sizeof ts);
  self->now = ts;
}

static void
pack_event (Packer *self, const struct trace_event *event)
{
  guint site;

  if (self->header.records == 0 ||
      TRACE_BLOCK_SIZE + self->used + (self->header.sites + 1) * sizeof (struct trace_definition) + 48 > BLOCK_BYTES)
    {
      end (self);
      begin (self, event);
    }
  self->header.records++;
  if (event->kind > TRACE_KIND_EXIT)
    {
      put_16 (self, TRACE_WORD_RAW);
      put (self, event, sizeof *event);
      return;
    }
  self->header.events++;
  site = find_site (self, event);
  reach (self, event->ts);
  if (event->kind == TRACE_KIND_ENTER)
    {
      put_16 (self, (guint) (event->ts - self->now + 1) << 1);
      put_16 (self, site);
      self->frames[self->depth++] = (guint16) site;
    }
  else if (self->depth > 0 && self->frames[self->depth - 1] == site)
    {
      put_16 (self, (guint) (event->ts - self->now + 1) << 1 | 1);
      self->depth--;
    }
  else
    {
      put_16 (self, TRACE_WORD_EXIT);
      put_16 (self, (guint) (event->ts - self->now));
      put_16 (self, 0);
      put_16 (self, site);
    }
  self->now = event->ts;
}

static void
pack_file (const char *from, const char *to)
{
  g_autofree char *data = NULL;
  g_autofree Packer *packer = g_new0 (Packer, 1);
  struct trace_header header;
  gsize size;

  if (!g_file_get_contents (from, &data, &size, NULL) || (packer->to = fopen (to, "wb")) == NULL)
    exit (2);
  memcpy (&header, data, MIN (sizeof header, size));
  if (size < sizeof header || memcmp (header.magic, TRACE_MAGIC, sizeof header.magic) != 0)
    {
      if (fwrite (data, 1, size, packer->to) != size)
        exit (2);
      fclose (packer->to);
      return;
    }
  packer->ids = g_hash_table_new_full (site_hash, site_equal, g_free, NULL);
  packer->header.index = header.first_index;
  header.version = TRACE_PACKED_VERSION;
  header.event_size = TRACE_PACKED_EVENT_SIZE;
  if (fwrite (&header, sizeof header, 1, packer->to) != 1)
    exit (2);
  for (gsize at = header.header_size; at + TRACE_EVENT_SIZE <= size; at += TRACE_EVENT_SIZE)
    {
      struct trace_event event;

      memcpy (&event, data + at, sizeof event);
      pack_event (packer, &event);
    }
  end (packer);
  g_hash_table_unref (packer->ids);
  if (fclose (packer->to) != 0)
    exit (2);
}

static int
pack (const char *from, const char *to)
{
  g_autoptr (GDir) dir = g_dir_open (from, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *source = g_build_filename (from, name, NULL);
      g_autofree char *target = g_build_filename (to, name, NULL);

      pack_file (source, target);
    }
  return dir != NULL ? 0 : 2;
}

/* us of this thread. */
static gint64
cpu_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static int
decode (char **paths, int n)
{
  g_autoptr (CsPackedDecoder) decoder = cs_packed_decoder_new ();
  g_autofree struct trace_event *events = g_new (struct trace_event, 4096);
  g_autofree guint32 *offsets = g_new (guint32, 4096);

  for (int with = 0; with < 2; with++)
    {
      gint64 best = G_MAXINT64;
      guint64 records = 0, bytes = 0;

      for (int try = 0; try < 5; try++)
        {
          gint64 begun = cpu_time ();

          records = bytes = 0;
          for (int i = 0; i < n; i++)
            {
              g_autoptr (GError) error = NULL;
              g_autoptr (CsEventFile) file = cs_event_file_open (paths[i], &error);
              int fd = open (paths[i], O_RDONLY | O_CLOEXEC);

              if (file == NULL || fd < 0)
                g_error ("%s", error->message);
              for (guint j = 0; j < file->n_blocks; j++)
                {
                  gsize got;

                  if (cs_packed_decoder_open (decoder, file, fd, j) != CS_PACKED_OPEN)
                    g_error ("block %u of %s", j, paths[i]);
                  while ((got = cs_packed_decoder_next (decoder, events, 4096, with ? offsets : NULL)) > 0)
                    records += got;
                }
              bytes += cs_event_file_get_n_bytes (file);
              close (fd);
            }
          best = MIN (best, cpu_time () - begun);
        }
      printf ("%s: %" G_GUINT64_FORMAT " records, %.2f bytes each, %.2f ns each\n", with ? "with offsets" : "without",
              records, (double) bytes / (double) records, (double) best * 1000 / (double) records);
    }
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc == 4 && g_str_equal (argv[1], "pack"))
    return pack (argv[2], argv[3]);
  if (argc > 2 && g_str_equal (argv[1], "decode"))
    return decode (argv + 2, argc - 2);
  fprintf (stderr, "packed pack FROM TO | packed decode FILE…\n");
  return 2;
}
