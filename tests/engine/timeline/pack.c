/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "pack.h"

struct _Packer
{
  gboolean swapped;
  GRand *rand;
  GArray *sites;   /* (element-type struct trace_definition): of the dictionary, by id less one */
  GHashTable *ids; /* of these, by themselves */
  guint first_site; /* of the block that is made */
  GArray *frames;  /* (element-type guint): ids of the known ones */
  GByteArray *words;
  guint64 base;
  guint tid;
};

static guint
hash_site (gconstpointer data)
{
  const struct trace_definition *site = data;

  return (guint) (site->func * 31 + site->caller);
}

static gboolean
equal_sites (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (struct trace_definition)) == 0;
}

static void
forget_sites (Packer *self)
{
  g_clear_pointer (&self->ids, g_hash_table_unref);
  self->ids = g_hash_table_new_full (hash_site, equal_sites, g_free, NULL);
  g_array_set_size (self->sites, 0);
}

Packer *
packer_new (gboolean swapped, guint32 seed)
{
  Packer *self = g_new0 (Packer, 1);

  self->swapped = swapped;
  self->rand = g_rand_new_with_seed (seed);
  self->sites = g_array_new (FALSE, FALSE, sizeof (struct trace_definition));
  self->frames = g_array_new (FALSE, FALSE, sizeof (guint));
  self->words = g_byte_array_new ();
  forget_sites (self);
  return self;
}

void
packer_free (Packer *self)
{
  g_rand_free (self->rand);
  g_array_unref (self->sites);
  g_array_unref (self->frames);
  g_hash_table_unref (self->ids);
  g_byte_array_unref (self->words);
  g_free (self);
}

static guint16
order16 (const Packer *self, guint number)
{
  return self->swapped ? GUINT16_SWAP_LE_BE ((guint16) number) : (guint16) number;
}

static guint32
order32 (const Packer *self, gsize number)
{
  return self->swapped ? GUINT32_SWAP_LE_BE ((guint32) number) : (guint32) number;
}

static guint64
order64 (const Packer *self, guint64 number)
{
  return self->swapped ? GUINT64_SWAP_LE_BE (number) : number;
}

static void
put16 (Packer *self, guint number)
{
  guint16 word = order16 (self, number);

  g_byte_array_append (self->words, (const guint8 *) &word, sizeof word);
}

static void
put32 (Packer *self, guint32 number)
{
  guint32 word = order32 (self, number);

  g_byte_array_append (self->words, (const guint8 *) &word, sizeof word);
}

static void
put64 (Packer *self, guint64 number)
{
  guint64 word = order64 (self, number);

  g_byte_array_append (self->words, (const guint8 *) &word, sizeof word);
}

static gboolean
now_and_then (Packer *self, gint of_1000)
{
  return g_rand_int_range (self->rand, 0, 1000) < of_1000;
}

static guint
take_site (Packer *self, const struct trace_event *event)
{
  const struct trace_definition site = { event->func, event->caller };
  guint id = GPOINTER_TO_UINT (g_hash_table_lookup (self->ids, &site));

  if (id != 0)
    return id;
  g_array_append_val (self->sites, site);
  id = self->sites->len;
  g_assert_cmpuint (id, <=, TRACE_SITES_MOST);
  g_hash_table_insert (self->ids, g_memdup2 (&site, sizeof site), GUINT_TO_POINTER (id));
  return id;
}

/* Returns how much later than the base the event is, at most a limit. */
static guint
put_time (Packer *self, guint64 ts, guint limit)
{
  guint64 dt = ts - self->base;

  if (ts < self->base || dt > G_MAXUINT32 + (guint64) limit || now_and_then (self, 5))
    {
      self->base = ts - MIN (ts, (guint64) g_rand_int_range (self->rand, 0, (gint32) limit));
      put16 (self, TRACE_WORD_TIME);
      put64 (self, self->base);
    }
  else if (dt > limit || now_and_then (self, 5))
    {
      guint32 later = (guint32) (dt - MIN (dt, limit));

      put16 (self, TRACE_WORD_LATER);
      put32 (self, later);
      self->base += later;
    }
  dt = ts - self->base;
  self->base = ts;
  return (guint) dt;
}

static void
put_raw (Packer *self, const struct trace_event *event)
{
  put16 (self, TRACE_WORD_RAW);
  put64 (self, event->ts);
  put64 (self, event->func);
  put64 (self, event->caller);
  put32 (self, event->tid);
  g_byte_array_append (self->words, &event->kind, 4);
}

/* The number of the innermost known frame of a function, counted from the innermost, from 1 on; 0
 * where there is none. */
static guint
find_frame (const Packer *self, guint64 func)
{
  for (guint i = self->frames->len; i > 0; i--)
    {
      guint id = g_array_index (self->frames, guint, i - 1);

      if (g_array_index (self->sites, struct trace_definition, id - 1).func == func)
        return self->frames->len - i + 1;
    }
  return 0;
}

static void
put_call (Packer *self, const struct trace_event *event)
{
  guint site, pops;

  if (now_and_then (self, 40))
    {
      put_raw (self, event);
      return;
    }
  if (event->tid != self->tid)
    {
      self->tid = event->tid;
      put16 (self, TRACE_WORD_THREAD);
      put32 (self, self->tid);
      g_array_set_size (self->frames, 0);
    }
  if (now_and_then (self, 3))
    {
      put16 (self, TRACE_WORD_FORGET);
      g_array_set_size (self->frames, 0);
    }
  site = take_site (self, event);
  if (event->kind == TRACE_KIND_ENTER)
    {
      put16 (self, (put_time (self, event->ts, TRACE_DT_MOST) + 1) << 1);
      put16 (self, site);
      g_array_append_val (self->frames, site);
      return;
    }
  pops = find_frame (self, event->func);
  if (pops == 1 && g_array_index (self->frames, guint, self->frames->len - 1) == site)
    put16 (self, (put_time (self, event->ts, TRACE_DT_MOST) + 1) << 1 | 1);
  else
    {
      guint dt = put_time (self, event->ts, G_MAXUINT16); /* comes before the word */

      put16 (self, TRACE_WORD_EXIT);
      put16 (self, dt);
      put16 (self, pops);
      put16 (self, site);
    }
  g_array_set_size (self->frames, self->frames->len - pops);
}

static struct trace_block
pack (Packer *self, const struct trace_event *records, gsize n, guint64 index, gboolean anew)
{
  struct trace_block block = { .magic = TRACE_BLOCK_MAGIC };
  guint events = 0;

  if (anew)
    forget_sites (self);
  self->first_site = self->sites->len + 1;
  g_array_set_size (self->frames, 0);
  g_byte_array_set_size (self->words, 0);
  self->base = records[0].ts / 2;
  self->tid = records[0].tid;
  block.header_size = order32 (self, TRACE_BLOCK_SIZE);
  block.tid = order32 (self, self->tid);
  block.base = order64 (self, self->base);
  block.index = order64 (self, index);
  for (gsize i = 0; i < n; i++)
    if (records[i].kind > TRACE_KIND_EXIT)
      put_raw (self, &records[i]);
    else
      {
        put_call (self, &records[i]);
        events++;
      }
  block.records = order32 (self, n);
  block.events = order32 (self, events);
  block.first_site = order32 (self, self->first_site);
  block.sites = order32 (self, self->sites->len + 1 - self->first_site);
  return block;
}

/* What the block defines, the last site first. */
static GByteArray *
list_definitions (const Packer *self)
{
  GByteArray *bytes = g_byte_array_new ();

  for (guint id = self->sites->len; id >= self->first_site; id--)
    {
      const struct trace_definition *site = &g_array_index (self->sites, struct trace_definition, id - 1);
      const struct trace_definition written = { order64 (self, site->func), order64 (self, site->caller) };

      g_byte_array_append (bytes, (const guint8 *) &written, sizeof written);
    }
  return bytes;
}

/* Appends a block of some records, as many as fit into one. index: number of its first enter or exit in
 * the thread's capture, plus one, or 0; anew: its dictionary isn't that of the block before. */
void
packer_add_block (Packer *self, GByteArray *file, const struct trace_event *records, gsize n, guint64 index,
                  gboolean anew)
{
  struct trace_block block = pack (self, records, n, index, anew);
  g_autoptr (GByteArray) definitions = list_definitions (self);
  gsize size = sizeof block + self->words->len + definitions->len;

  g_assert_cmpuint (size, <=, TRACE_BLOCK_MOST);
  block.bytes = order32 (self, size);
  block.check = order32 (self, trace_block_check (&block, self->words->data, self->words->len, definitions->data,
                                                  definitions->len, self->swapped));
  g_byte_array_append (file, (const guint8 *) &block, sizeof block);
  g_byte_array_append (file, self->words->data, self->words->len);
  g_byte_array_append (file, definitions->data, definitions->len);
}

/* Appends a block that was being filled, as it lies in the buffer of a tail. */
void
packer_add_tail (Packer *self, GByteArray *file, const struct trace_event *records, gsize n, guint64 index,
                 gsize *capacity, gsize *used)
{
  static const guint8 unused[256];
  struct trace_block block = pack (self, records, n, index, self->sites->len == 0);
  g_autoptr (GByteArray) definitions = list_definitions (self);

  block.bytes = block.records = block.events = 0;
  *used = sizeof block + self->words->len;
  *capacity = *used + sizeof unused + definitions->len;
  g_byte_array_append (file, (const guint8 *) &block, sizeof block);
  g_byte_array_append (file, self->words->data, self->words->len);
  g_byte_array_append (file, unused, sizeof unused);
  g_byte_array_append (file, definitions->data, definitions->len);
}
