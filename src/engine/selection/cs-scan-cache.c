/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "base/cs-cache-file.h"
#include "base/cs-cache-folder.h"
#include "selection/cs-scan-cache.h"

#define MAGIC "CSscan\r\n"
#define SUFFIX ".scan"

#define LARGEST_FILE (G_GUINT64_CONSTANT (512) * 1024 * 1024)
/* What is kept in the folder: the projects that were scanned last. */
#define MOST_FILES 64
#define LARGEST_FOLDER (G_GUINT64_CONSTANT (1024) * 1024 * 1024)
#define LONGEST_UNUSED_S (90 * 24 * 60 * 60)
/* A change so short before a scan may be followed by one that has the same time. */
#define TIME_STEP_NS (20 * G_GINT64_CONSTANT (1000000))
#define WHOLE_SECONDS_STEP_NS (2 * G_GINT64_CONSTANT (1000000000))

static const CsCacheFormat file_format = { MAGIC, 3, LARGEST_FILE };
static const CsCacheLimits limits = { SUFFIX, MAGIC, LARGEST_FOLDER, MOST_FILES, LONGEST_UNUSED_S };

/* The file: this, records, entries, texts, in the byte order of the machine that wrote it. */
typedef struct
{
  CsCacheHeader cache;
  guint32 n_records, n_entries;
  guint64 texts_size; /* of root and scanner, paths, and what the entries name */
} Header;

typedef struct
{
  gint64 mtime_ns;
  guint64 size, inode;
  guint64 path;        /* in texts */
  guint64 texts;       /* of its entries, in texts */
  guint32 texts_size;
  guint32 first_entry, n_entries;
  guint32 flags;
} Record;

enum
{
  RECORD_FELL_BACK = 1 << 0,
  RECORD_NONE = 1 << 1, /* to be scanned again: it may have changed while it was scanned */
};

G_STATIC_ASSERT (sizeof (Header) == 48 && sizeof (Record) == 56 && sizeof (CsScanEntry) == 24);

struct _CsScanCache
{
  char *folder, *path, *identity;
  guint8 *bytes; /* NULL: no file, or none that is right */
  const Header *header;
  const Record *records;
  const CsScanEntry *entries;
  const char *texts;
  GHashTable *by_path; /* path → number of its record */
};

/**
 * cs_scan_cache_get_default_folder:
 *
 * Returns: (transfer full): `callsight/scan` in the person's cache folder
 */
char *
cs_scan_cache_get_default_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "callsight", "scan", NULL);
}

/* Whether a record and its entries lie in the file; texts that they name end in it, since its last byte is a NUL. */
static gboolean
check_record (const CsScanCache *self, const Record *record)
{
  const Header *header = self->header;

  if (record->path >= header->texts_size || record->texts > header->texts_size ||
      record->texts_size > header->texts_size - record->texts || record->texts_size == 0 ||
      self->texts[record->texts] != '\0' || self->texts[record->texts + record->texts_size - 1] != '\0' ||
      record->first_entry > header->n_entries || record->n_entries > header->n_entries - record->first_entry)
    return FALSE;
  for (guint32 i = 0; i < record->n_entries; i++)
    {
      const CsScanEntry *entry = &self->entries[record->first_entry + i];

      if (entry->name == 0 || entry->name >= record->texts_size || entry->scope >= record->texts_size ||
          entry->signature >= record->texts_size)
        return FALSE;
    }
  return TRUE;
}

/* Whether the file is of this root and scanner, and what it names lies in it. */
static gboolean
check (CsScanCache *self, gsize size)
{
  const Header *header = (const Header *) (gconstpointer) self->bytes;
  guint64 records = sizeof *header;
  guint64 entries, texts;

  if (header->texts_size > size)
    return FALSE;
  entries = records + (guint64) header->n_records * sizeof (Record);
  texts = entries + (guint64) header->n_entries * sizeof (CsScanEntry);
  if (texts + header->texts_size != size || header->texts_size == 0 || self->bytes[size - 1] != '\0')
    return FALSE;
  self->header = header;
  self->records = (const Record *) (gconstpointer) (self->bytes + records);
  self->entries = (const CsScanEntry *) (gconstpointer) (self->bytes + entries);
  self->texts = (const char *) self->bytes + texts;
  if (strcmp (self->texts, self->identity) != 0)
    return FALSE;
  for (guint32 i = 0; i < header->n_records; i++)
    if (!check_record (self, &self->records[i]))
      return FALSE;
  return TRUE;
}

/**
 * cs_scan_cache_open:
 * @folder: where such files are kept
 * @root: the project's folder
 * @scanner: what scans, so that it changes when the scanner does
 *
 * Reads what is kept of the project, if anything. A file that is damaged, or of another scanner, counts as none.
 *
 * Returns: (transfer full): it
 */
CsScanCache *
cs_scan_cache_open (const char *folder, const char *root, const char *scanner)
{
  CsScanCache *self = g_new0 (CsScanCache, 1);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, root, -1);
  g_autofree char *name = g_strconcat (sum, SUFFIX, NULL);
  gsize size;

  self->folder = g_strdup (folder);
  self->path = g_build_filename (folder, name, NULL);
  self->identity = g_strconcat (scanner, "\n", root, NULL);
  self->by_path = g_hash_table_new (g_str_hash, g_str_equal);
  self->bytes = cs_cache_file_read (self->path, &file_format, sizeof (Header), &size);
  if (self->bytes != NULL && !check (self, size))
    g_clear_pointer (&self->bytes, g_free);
  for (guint32 i = 0; self->bytes != NULL && i < self->header->n_records; i++)
    g_hash_table_insert (self->by_path, (gpointer) (self->texts + self->records[i].path), GUINT_TO_POINTER (i));
  return self;
}

/**
 * cs_scan_cache_free:
 * @self: (transfer full) (nullable): a cache
 */
void
cs_scan_cache_free (CsScanCache *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_path);
  g_free (self->bytes);
  g_free (self->identity);
  g_free (self->path);
  g_free (self->folder);
  g_free (self);
}

/**
 * cs_scan_cache_find:
 * @self: a cache
 * @file: a file as it is now
 *
 * Returns: (transfer full) (nullable): what was found in it, unless it has changed
 */
CsScanFile *
cs_scan_cache_find (const CsScanCache *self, const CsSourceFile *file)
{
  const Record *record;
  CsScanFile *found;
  gpointer number;

  if (!g_hash_table_lookup_extended (self->by_path, file->path, NULL, &number))
    return NULL;
  record = &self->records[GPOINTER_TO_UINT (number)];
  if (record->mtime_ns != file->mtime_ns || record->size != file->size || record->inode != file->inode ||
      (record->flags & RECORD_NONE) != 0)
    return NULL;
  found = cs_scan_file_new ();
  g_array_append_vals (found->entries, self->entries + record->first_entry, record->n_entries);
  g_string_overwrite_len (found->texts, 0, self->texts + record->texts, record->texts_size);
  found->fell_back = (record->flags & RECORD_FELL_BACK) != 0;
  return found;
}

static guint64
add_text (GByteArray *texts, const char *text, gsize size)
{
  guint64 at = texts->len;

  g_byte_array_append (texts, (const guint8 *) text, (guint) size);
  return at;
}

static GByteArray *
make_file (const CsScanCache *self, GPtrArray *files, CsScanFile *const *found, gint64 started_ns)
{
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (Record));
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (CsScanEntry));
  g_autoptr (GByteArray) texts = g_byte_array_new ();
  Header header = { 0 };
  GByteArray *bytes;

  add_text (texts, self->identity, strlen (self->identity) + 1);
  for (guint i = 0; i < files->len && texts->len < LARGEST_FILE / 2; i++)
    {
      const CsSourceFile *file = g_ptr_array_index (files, i);
      Record record = { file->mtime_ns, file->size, file->inode };
      gint64 step = file->mtime_ns % 1000000000 == 0 ? WHOLE_SECONDS_STEP_NS : TIME_STEP_NS;

      record.path = add_text (texts, file->path, strlen (file->path) + 1);
      record.texts = add_text (texts, found[i]->texts->str, found[i]->texts->len);
      record.texts_size = (guint32) found[i]->texts->len;
      record.first_entry = entries->len;
      record.n_entries = found[i]->entries->len;
      record.flags = (found[i]->fell_back ? RECORD_FELL_BACK : 0) |
                     (found[i]->unread || file->mtime_ns > started_ns - step ? RECORD_NONE : 0);
      g_array_append_vals (entries, found[i]->entries->data, found[i]->entries->len);
      g_array_append_val (records, record);
    }
  header.n_records = records->len;
  header.n_entries = entries->len;
  header.texts_size = texts->len;
  cs_cache_header_init (&header.cache, &file_format,
                        sizeof header + (guint64) records->len * sizeof (Record) +
                          (guint64) entries->len * sizeof (CsScanEntry) + texts->len);
  if (header.cache.file_size > LARGEST_FILE)
    return NULL;
  bytes = g_byte_array_sized_new ((guint) header.cache.file_size);
  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  g_byte_array_append (bytes, (const guint8 *) records->data, records->len * (guint) sizeof (Record));
  g_byte_array_append (bytes, (const guint8 *) entries->data, entries->len * (guint) sizeof (CsScanEntry));
  g_byte_array_append (bytes, texts->data, texts->len);
  return bytes;
}

/**
 * cs_scan_cache_save:
 * @self: a cache
 * @files: (element-type CsSourceFile): all files of the project
 * @found: what was found in each of them
 * @started_ns: when the files were listed, ns since the epoch
 *
 * Writes the project's file anew. Where it can't be written, nothing is said.
 */
void
cs_scan_cache_save (const CsScanCache *self, GPtrArray *files, CsScanFile *const *found, gint64 started_ns)
{
  g_autoptr (GByteArray) bytes = make_file (self, files, found, started_ns);

  if (bytes != NULL && cs_cache_file_write (self->path, bytes))
    cs_cache_folder_prune (self->folder, &limits);
}
