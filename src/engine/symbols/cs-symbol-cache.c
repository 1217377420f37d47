/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "base/cs-cache-file.h"
#include "base/cs-cache-folder.h"
#include "symbols/cs-symbol-cache.h"

#define MAGIC "CSsymbol"
#define SUFFIX ".symbols"

#define LARGEST_FILE (64u * 1024 * 1024)
#define LARGEST_FOLDER (G_GUINT64_CONSTANT (256) * 1024 * 1024)

static const CsCacheFormat file_format = { MAGIC, 2, LARGEST_FILE };
static const CsCacheLimits limits = { SUFFIX, NULL, LARGEST_FOLDER, G_MAXUINT, G_MAXINT64 };

typedef struct
{
  CsCacheHeader cache;
  guint32 n_entries, n_frames, n_texts;
  guint32 identity, notice, zero;
} Header;

typedef struct
{
  guint64 address, start, size;
  guint32 linkage_name, name, file, comp_dir, line, first_frame, n_frames, found;
  guint32 zero[2];
} Entry;

typedef struct
{
  guint32 linkage_name, name, file, line;
} Frame;

G_STATIC_ASSERT (sizeof (Header) == 56 && sizeof (Entry) == 64 && sizeof (Frame) == 16);

struct _CsSymbolCache
{
  char *folder, *path, *identity;
  guint8 *bytes; /* NULL: no file, or none that is right */
  const Header *header;
  const Entry *entries;
  const Frame *frames;
  const char *texts;
  GHashTable *made; /* Entry → CsInlinedFrame[] */
};

/**
 * cs_symbol_cache_get_default_folder:
 *
 * Returns: (transfer full): `callsight/symbols` in the person's cache folder
 */
char *
cs_symbol_cache_get_default_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "callsight", "symbols", NULL);
}

static const char *
get_text (const CsSymbolCache *self, guint32 offset)
{
  return offset > 0 && offset < self->header->n_texts ? self->texts + offset : NULL;
}

/* Whether the file is of this identity, and what it names lies in it. */
static gboolean
check (CsSymbolCache *self, gsize size)
{
  const Header *header = (const Header *) (gconstpointer) self->bytes;
  guint64 entries = sizeof *header;
  guint64 frames, texts;

  frames = entries + (guint64) header->n_entries * sizeof (Entry);
  texts = frames + (guint64) header->n_frames * sizeof (Frame);
  if (texts + header->n_texts != size || header->n_texts == 0 || self->bytes[size - 1] != '\0')
    return FALSE;
  self->header = header;
  self->entries = (const Entry *) (gconstpointer) (self->bytes + entries);
  self->frames = (const Frame *) (gconstpointer) (self->bytes + frames);
  self->texts = (const char *) self->bytes + texts;
  return g_strcmp0 (get_text (self, header->identity), self->identity) == 0;
}

/**
 * cs_symbol_cache_open:
 * @folder: where such files are kept
 * @identity: the files that the answers come from
 *
 * Reads what is kept of them, if anything.
 *
 * Returns: (transfer full): it
 */
CsSymbolCache *
cs_symbol_cache_open (const char *folder, const char *identity)
{
  CsSymbolCache *self = g_new0 (CsSymbolCache, 1);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, identity, -1);
  g_autofree char *name = g_strconcat (sum, SUFFIX, NULL);
  gsize size;

  self->folder = g_strdup (folder);
  self->path = g_build_filename (folder, name, NULL);
  self->identity = g_strdup (identity);
  self->made = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->bytes = cs_cache_file_read (self->path, &file_format, sizeof (Header), &size);
  if (self->bytes != NULL && !check (self, size))
    g_clear_pointer (&self->bytes, g_free);
  return self;
}

/**
 * cs_symbol_cache_free:
 * @self: (transfer full) (nullable): a cache; its texts go with it
 */
void
cs_symbol_cache_free (CsSymbolCache *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->made);
  g_free (self->bytes);
  g_free (self->identity);
  g_free (self->path);
  g_free (self->folder);
  g_free (self);
}

/**
 * cs_symbol_cache_is_used:
 * @self: a cache
 *
 * Returns: whether there is anything in it
 */
gboolean
cs_symbol_cache_is_used (CsSymbolCache *self)
{
  return self->bytes != NULL;
}

/**
 * cs_symbol_cache_get_notice:
 * @self: a cache
 *
 * Returns: (nullable): what was missing in the files
 */
const char *
cs_symbol_cache_get_notice (CsSymbolCache *self)
{
  return self->bytes != NULL ? get_text (self, self->header->notice) : NULL;
}

static const CsInlinedFrame *
get_frames (CsSymbolCache *self, const Entry *entry)
{
  CsInlinedFrame *made;

  if (entry->n_frames == 0 || entry->n_frames > self->header->n_frames ||
      entry->first_frame > self->header->n_frames - entry->n_frames)
    return NULL;
  made = g_hash_table_lookup (self->made, entry);
  if (made != NULL)
    return made;
  made = g_new0 (CsInlinedFrame, entry->n_frames);
  for (guint32 i = 0; i < entry->n_frames; i++)
    {
      const Frame *frame = &self->frames[entry->first_frame + i];

      made[i] = (CsInlinedFrame){ get_text (self, frame->linkage_name), get_text (self, frame->name),
                                  get_text (self, frame->file), frame->line };
    }
  g_hash_table_insert (self->made, (gpointer) entry, made);
  return made;
}

/**
 * cs_symbol_cache_find:
 * @self: a cache
 * @address: a link address
 * @symbol: (out): what it was found to be, all 0 where nothing was; texts belong to @self
 *
 * Returns: whether it is known
 */
gboolean
cs_symbol_cache_find (CsSymbolCache *self, guint64 address, CsSymbol *symbol)
{
  guint low = 0;
  guint high = self->bytes != NULL ? self->header->n_entries : 0;
  guint n = high;
  const Entry *entry;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->entries[middle].address < address)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == n || self->entries[low].address != address)
    return FALSE;
  entry = &self->entries[low];
  *symbol = (CsSymbol){ .linkage_name = get_text (self, entry->linkage_name), .name = get_text (self, entry->name),
                        .start = entry->start, .size = entry->size, .file = get_text (self, entry->file),
                        .comp_dir = get_text (self, entry->comp_dir), .line = entry->line,
                        .inlined = get_frames (self, entry) };
  symbol->n_inlined = symbol->inlined != NULL ? entry->n_frames : 0;
  return TRUE;
}

/* A file that is being made. */
typedef struct
{
  GArray *entries, *frames;
  GByteArray *texts;
  GHashTable *offsets; /* text → offset */
} Making;

static guint32
add_text (Making *making, const char *text)
{
  guint32 offset;

  if (text == NULL)
    return 0;
  offset = GPOINTER_TO_UINT (g_hash_table_lookup (making->offsets, text));
  if (offset == 0 && making->texts->len < LARGEST_FILE)
    {
      offset = making->texts->len;
      g_byte_array_append (making->texts, (const guint8 *) text, (guint) strlen (text) + 1);
      g_hash_table_insert (making->offsets, (gpointer) text, GUINT_TO_POINTER (offset));
    }
  return offset;
}

static void
add_entry (Making *making, guint64 address, const CsSymbol *symbol)
{
  Entry entry = { address, symbol->start, symbol->size };

  entry.linkage_name = add_text (making, symbol->linkage_name);
  entry.name = add_text (making, symbol->name);
  entry.file = add_text (making, symbol->file);
  entry.comp_dir = add_text (making, symbol->comp_dir);
  entry.line = symbol->line;
  entry.first_frame = making->frames->len;
  entry.n_frames = symbol->n_inlined;
  entry.found = symbol->name != NULL || symbol->file != NULL;
  for (guint i = 0; i < symbol->n_inlined; i++)
    {
      const CsInlinedFrame *from = &symbol->inlined[i];
      Frame frame = { add_text (making, from->linkage_name), add_text (making, from->name),
                      add_text (making, from->call_file), from->call_line };

      g_array_append_val (making->frames, frame);
    }
  g_array_append_val (making->entries, entry);
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *one = a;
  const Entry *two = b;

  return one->address < two->address ? -1 : one->address > two->address;
}

static GByteArray *
finish (Making *making, guint32 identity, guint32 notice)
{
  Header header = { .n_entries = making->entries->len, .n_frames = making->frames->len,
                    .n_texts = making->texts->len, .identity = identity, .notice = notice };
  GByteArray *bytes = g_byte_array_new ();

  cs_cache_header_init (&header.cache, &file_format,
                        sizeof header + (guint64) header.n_entries * sizeof (Entry) +
                          (guint64) header.n_frames * sizeof (Frame) + header.n_texts);
  if (header.cache.file_size > LARGEST_FILE)
    return bytes;
  g_array_sort (making->entries, compare_entries);
  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  g_byte_array_append (bytes, (const guint8 *) making->entries->data, header.n_entries * (guint) sizeof (Entry));
  g_byte_array_append (bytes, (const guint8 *) making->frames->data, header.n_frames * (guint) sizeof (Frame));
  g_byte_array_append (bytes, making->texts->data, header.n_texts);
  return bytes;
}

/**
 * cs_symbol_cache_save:
 * @self: a cache
 * @symbols: (element-type guint64 CsSymbol): what was found, by address
 * @notice: (nullable): what was missing in the files
 *
 * Adds to the file what it doesn't have, or makes it. Where it can't be written, nothing is said.
 */
void
cs_symbol_cache_save (CsSymbolCache *self, GHashTable *symbols, const char *notice)
{
  /* Another process may have added to it meanwhile. */
  g_autoptr (CsSymbolCache) now = cs_symbol_cache_open (self->folder, self->identity);
  Making making = { g_array_new (FALSE, FALSE, sizeof (Entry)), g_array_new (FALSE, FALSE, sizeof (Frame)),
                    g_byte_array_new (), g_hash_table_new (g_str_hash, g_str_equal) };
  g_autoptr (GByteArray) bytes = NULL;
  GHashTableIter iter;
  gpointer key, value;
  guint n_old = now->bytes != NULL ? now->header->n_entries : 0;
  guint32 identity, notice_offset;
  CsSymbol symbol;

  g_byte_array_append (making.texts, (const guint8 *) "", 1);
  identity = add_text (&making, self->identity);
  for (guint i = 0; i < n_old; i++)
    if (cs_symbol_cache_find (now, now->entries[i].address, &symbol))
      add_entry (&making, now->entries[i].address, &symbol);
  g_hash_table_iter_init (&iter, symbols);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (!cs_symbol_cache_find (now, *(guint64 *) key, &symbol))
      add_entry (&making, *(guint64 *) key, value);
  notice_offset = add_text (&making, notice);
  bytes = finish (&making, identity, notice_offset);
  if (making.entries->len > n_old && bytes->len > 0 && cs_cache_file_write (self->path, bytes))
    cs_cache_folder_prune (self->folder, &limits);
  g_array_unref (making.entries);
  g_array_unref (making.frames);
  g_byte_array_unref (making.texts);
  g_hash_table_unref (making.offsets);
}
