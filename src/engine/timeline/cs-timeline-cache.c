/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cs-io.h"
#include "capture/cs-packed.h"
#include "timeline/cs-timeline-cache.h"
#include "timeline/cs-timeline-private.h"

#define CACHE_MAGIC "CSTLIDX"
#define CACHE_VERSION 3u
/* What all cache files together may take; the one that was used least lately goes first. */
#define MAX_BYTES (G_GUINT64_CONSTANT (1) << 30)

/* A cache file: this, the identity of the recording, clocks, tracks, heads of chunks, chunks. Each
 * part begins at a multiple of 8 bytes, in the byte order of the machine that wrote it. */
typedef struct
{
  char magic[8];
  guint32 version;
  guint32 order; /* 0x01020304 */
  guint64 size;  /* of the file, bytes */
  guint64 identity_size;
  guint32 n_clocks, n_tracks, n_chunks;
  guint32 zero;
  guint64 checksum; /* of all else */
} CacheHeader;

typedef struct
{
  CsTimelineTrackInfo info;
  guint64 start_limit, unseen_from;
  guint32 n_chunks;
  guint32 zero;
} CacheTrack;

G_STATIC_ASSERT (sizeof (CacheHeader) % 8 == 0 && sizeof (CacheTrack) % 8 == 0 && sizeof (CsChunkHead) % 8 == 0 &&
                 sizeof (CsClock) % 8 == 0);

/* Each step can be undone: words that differ in one place never have the same sum. */
static guint64
add_to_checksum (guint64 sum, gconstpointer bytes, gsize size)
{
  const guint64 *words = bytes;

  for (gsize i = 0; i < size / 8; i++)
    {
      sum = (sum ^ words[i]) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
      sum ^= sum >> 32;
    }
  return sum;
}

static void
put_u64 (GByteArray *bytes, guint64 value)
{
  g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
}

static void
put_text (GByteArray *bytes, const char *text)
{
  put_u64 (bytes, text != NULL ? strlen (text) : G_MAXUINT64);
  if (text != NULL)
    g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
}

/* The file's size when it was opened, bytes. */
static guint64
opened_size (const CsEventFile *file)
{
  const CsPackedBlock *last = file->n_blocks > 0 ? &file->blocks[file->n_blocks - 1] : NULL;

  if (!file->packed)
    return file->events_offset + file->n_events * TRACE_EVENT_SIZE + file->rest;
  return (last != NULL ? last->offset + last->bytes : file->events_offset) + file->rest + file->damaged;
}

/* The checks of a packed file's blocks tell what is in them. That of the last one is taken again. */
static void
put_blocks (GByteArray *bytes, const CsEventFile *file, int fd)
{
  g_autoptr (CsPackedDecoder) decoder = cs_packed_decoder_new ();
  guint64 sum = 0;

  for (guint i = 0; i < file->n_blocks; i++)
    {
      const CsPackedBlock *block = &file->blocks[i];
      const guint64 words[] = { block->offset, block->first, block->check };

      sum = add_to_checksum (sum, words, sizeof words);
    }
  put_u64 (bytes, file->n_blocks);
  put_u64 (bytes, sum);
  if (file->n_blocks > 0)
    put_u64 (bytes, cs_packed_decoder_open (decoder, file, fd, file->n_blocks - 1));
}

/* What tells whether a file is still the same. FALSE where it is not what was opened. */
static gboolean
put_file (GByteArray *bytes, const CsEventFile *file)
{
  cs_autofd fd = open (file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  g_autofree char *path = g_canonicalize_filename (file->path, NULL);
  struct trace_event event;
  struct stat st;

  if (fd < 0 || fstat (fd, &st) != 0 || file->tail || st.st_ino != file->inode || st.st_dev != file->device ||
      (guint64) st.st_size != opened_size (file))
    return FALSE;
  put_text (bytes, path);
  put_u64 (bytes, (guint64) st.st_size);
  put_u64 (bytes, (guint64) st.st_mtim.tv_sec);
  put_u64 (bytes, (guint64) st.st_mtim.tv_nsec);
  put_u64 (bytes, st.st_ino);
  put_u64 (bytes, st.st_dev);
  g_byte_array_append (bytes, (const guint8 *) &file->header, sizeof file->header);
  if (file->packed)
    {
      put_blocks (bytes, file, fd);
      return TRUE;
    }
  for (guint i = 0; i < 2 && file->n_events > 0; i++)
    {
      if (cs_event_file_read (file, fd, i == 0 ? 0 : file->n_events - 1, &event, 1) != 1)
        return FALSE;
      g_byte_array_append (bytes, (const guint8 *) &event, sizeof event);
    }
  return TRUE;
}

/* Which module lay where, with build ids: calls that landings ended are told by them. */
static void
put_process (GByteArray *bytes, const CsProcess *process)
{
  GPtrArray *modules = process->section != NULL ? process->section->modules : NULL;

  put_u64 (bytes, process->pid);
  put_u64 (bytes, process->load_bias);
  put_u64 (bytes, modules != NULL ? modules->len : 0);
  for (guint i = 0; modules != NULL && i < modules->len; i++)
    {
      const CsModule *module = g_ptr_array_index (modules, i);

      put_u64 (bytes, module->since_ns);
      put_u64 (bytes, module->gone_ns);
      put_u64 (bytes, module->bias);
      put_u64 (bytes, module->start);
      put_u64 (bytes, module->end);
      put_text (bytes, module->build_id);
      put_text (bytes, module->path);
    }
}

/* All that an index depends on; NULL where there is nothing that lasts: a recording with tails, or
 * whose files are written just now. */
static GByteArray *
identify (CsRecording *recording)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GPtrArray) files = cs_timeline_list_files (recording);
  GPtrArray *processes = cs_recording_get_processes (recording);

  if (files->len == 0)
    return NULL;
  for (guint i = 0; i < files->len; i++)
    if (!put_file (bytes, g_ptr_array_index (files, i)))
      return NULL;
  for (guint i = 0; i < processes->len; i++)
    put_process (bytes, g_ptr_array_index (processes, i));
  while (bytes->len % 8 != 0)
    g_byte_array_append (bytes, (const guint8 *) "", 1);
  return g_steal_pointer (&bytes);
}

static char *
cache_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "callsight", "timeline", NULL);
}

/**
 * cs_timeline_get_cache_path:
 * @recording: what was captured
 *
 * Returns: (transfer full): where its index is kept, whether it is or not
 */
char *
cs_timeline_get_cache_path (CsRecording *recording)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GPtrArray) files = cs_timeline_list_files (recording);
  g_autofree char *folder = cache_folder (), *name = NULL;

  for (guint i = 0; i < files->len; i++)
    {
      const CsEventFile *file = g_ptr_array_index (files, i);
      g_autofree char *path = g_canonicalize_filename (file->path, NULL);

      g_checksum_update (checksum, (const guchar *) path, (gssize) strlen (path) + 1);
    }
  name = g_strdup_printf ("%s.index", g_checksum_get_string (checksum));
  return g_build_filename (folder, name, NULL);
}

/* A part of a cache file; NULL where it ends before. */
static gconstpointer
take (const char **next, gsize *left, guint64 n, gsize size)
{
  gconstpointer part = *next;

  if (n > *left / size)
    return NULL;
  *next += n * size;
  *left -= n * size;
  return part;
}

/* One chunk, checked. */
static CsChunk *
load_chunk (const CsChunkHead *head, const char **next, gsize *left, GPtrArray *files, guint64 first_leaf,
            guint32 first_saved)
{
  const guint most = CS_CHUNK_LEAVES * CS_LEAF_RECORDS;
  gconstpointer bytes;
  CsChunk *chunk;

  if (head->n_leaves == 0 || head->n_leaves > CS_CHUNK_LEAVES || head->n_extents > CS_CHUNK_LEAVES ||
      head->n_exceptions > most || head->n_saved > most || head->first_saved != first_saved || head->wide > 1 ||
      head->packed > 1)
    return NULL;
  bytes = take (next, left, 1, cs_chunk_get_size (head));
  if (bytes == NULL)
    return NULL;
  chunk = cs_chunk_new (head, bytes, FALSE);
  if (!cs_chunk_is_valid (chunk, files, first_leaf))
    g_clear_pointer (&chunk, cs_chunk_unref);
  return chunk;
}

/* One track, checked. */
static CsTrack *
load_track (const CacheTrack *from, const CsChunkHead *heads, const char **next, gsize *left, GPtrArray *files)
{
  g_autoptr (GPtrArray) chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_chunk_unref);
  guint32 first_saved = 0, n_rows = 0;
  guint64 n_events = 0;
  gint64 last = G_MININT64;
  CsTrack *track;

  for (guint32 i = 0; i < from->n_chunks; i++)
    {
      CsChunk *chunk = load_chunk (&heads[i], next, left, files, (guint64) i * CS_CHUNK_LEAVES, first_saved);

      if (chunk == NULL)
        return NULL;
      g_ptr_array_add (chunks, chunk);
      if (chunk->times[0] < last || (i + 1 < from->n_chunks && heads[i].n_leaves != CS_CHUNK_LEAVES))
        return NULL;
      last = chunk->times[heads[i].n_leaves - 1];
      first_saved += heads[i].n_saved;
      n_events += heads[i].n_events;
      n_rows = MAX (n_rows, heads[i].hi);
    }
  if (n_events != from->info.n_events || n_rows != from->info.n_rows || last > from->info.last)
    return NULL;
  track = cs_track_new (&from->info, (CsChunk **) chunks->pdata, chunks->len);
  g_ptr_array_set_free_func (chunks, NULL);
  track->start_limit = from->start_limit;
  track->unseen_from = from->unseen_from;
  return track;
}

/* What a mapped cache file has, or NULL. */
static CsTimeline *
parse (CsRecording *recording, GMappedFile *mapped, const GByteArray *identity)
{
  const char *next = g_mapped_file_get_contents (mapped);
  gsize left = g_mapped_file_get_length (mapped);
  g_autoptr (GPtrArray) tracks = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_track_free);
  g_autoptr (GPtrArray) files = cs_timeline_list_files (recording);
  guint n_processes = cs_recording_get_processes (recording)->len;
  const CacheHeader *header = take (&next, &left, 1, sizeof *header);
  const CacheTrack *from;
  const CsChunkHead *heads;
  const CsClock *clocks;
  gconstpointer same;
  guint64 sum, n = 0;

  if (header == NULL || memcmp (header->magic, CACHE_MAGIC, sizeof header->magic) != 0 ||
      header->version != CACHE_VERSION || header->order != 0x01020304 ||
      header->size != g_mapped_file_get_length (mapped) || header->size % 8 != 0 ||
      header->identity_size != identity->len || header->n_clocks != n_processes)
    return NULL;
  sum = add_to_checksum (0, header, offsetof (CacheHeader, checksum));
  if (add_to_checksum (sum, next, left) != header->checksum)
    return NULL;
  same = take (&next, &left, header->identity_size, 1);
  clocks = take (&next, &left, header->n_clocks, sizeof *clocks);
  from = take (&next, &left, header->n_tracks, sizeof *from);
  heads = take (&next, &left, header->n_chunks, sizeof *heads);
  if (same == NULL || clocks == NULL || from == NULL || heads == NULL ||
      memcmp (same, identity->data, identity->len) != 0)
    return NULL;
  for (guint32 i = 0; i < header->n_tracks; i++)
    {
      CsTrack *track = from[i].n_chunks <= header->n_chunks - n && from[i].info.process < n_processes
                           ? load_track (&from[i], heads + n, &next, &left, files) : NULL;

      if (track == NULL)
        return NULL;
      g_ptr_array_add (tracks, track);
      n += from[i].n_chunks;
    }
  if (n != header->n_chunks || left != 0)
    return NULL;
  return cs_timeline_new_from_tracks (recording, NULL, clocks, g_steal_pointer (&tracks), mapped);
}

/**
 * cs_timeline_load:
 * @recording: what was captured
 *
 * Looks for the recording's index in the cache. It is only used if all files are what they were,
 * and nothing in it is damaged.
 *
 * Returns: (transfer full) (nullable): the index
 */
CsTimeline *
cs_timeline_load (CsRecording *recording)
{
  g_autoptr (GByteArray) identity = NULL;
  g_autoptr (GMappedFile) mapped = NULL;
  g_autofree char *path = cs_timeline_get_cache_path (recording);
  CsTimeline *self;

  mapped = g_mapped_file_new (path, FALSE, NULL);
  if (mapped == NULL)
    return NULL;
  identity = identify (recording);
  self = identity != NULL ? parse (recording, mapped, identity) : NULL;
  if (self != NULL)
    utimensat (AT_FDCWD, path, NULL, 0);
  else
    g_debug ("%s is of another recording or version, or damaged: the index is made anew", path);
  return self;
}

typedef struct
{
  FILE *file;
  guint64 sum, size;
} Output;

static void
put (Output *output, gconstpointer bytes, gsize size)
{
  output->sum = add_to_checksum (output->sum, bytes, size);
  output->size += size;
  fwrite (bytes, 1, size, output->file);
}

static void
put_chunks (Output *output, const CsTimeline *self, gboolean heads)
{
  for (guint i = 0; i < self->tracks->len; i++)
    {
      const CsTrack *track = cs_timeline_get_track (self, i);

      for (guint j = 0; j < track->n_chunks; j++)
        if (heads)
          put (output, &track->chunks[j]->head, sizeof (CsChunkHead));
        else
          put (output, track->chunks[j]->times, cs_chunk_get_size (&track->chunks[j]->head)); /* its first array */
    }
}

/* Writes all parts. The header goes last, over its place. */
static void
write_parts (FILE *file, const CsTimeline *self, const GByteArray *identity)
{
  CacheHeader header = { .magic = CACHE_MAGIC, .version = CACHE_VERSION, .order = 0x01020304,
                         .identity_size = identity->len, .n_clocks = self->n_processes,
                         .n_tracks = self->tracks->len };
  Output output = { .file = file };
  guint64 size = sizeof header + identity->len + self->n_processes * sizeof (CsClock) +
                 self->tracks->len * sizeof (CacheTrack);

  for (guint i = 0; i < self->tracks->len; i++)
    {
      const CsTrack *track = cs_timeline_get_track (self, i);

      header.n_chunks += track->n_chunks;
      for (guint j = 0; j < track->n_chunks; j++)
        size += sizeof (CsChunkHead) + cs_chunk_get_size (&track->chunks[j]->head);
    }
  header.size = size;
  put (&output, &header, offsetof (CacheHeader, checksum));
  fwrite (&header.checksum, sizeof header.checksum, 1, file);
  put (&output, identity->data, identity->len);
  put (&output, self->clocks, self->n_processes * sizeof (CsClock));
  for (guint i = 0; i < self->tracks->len; i++)
    {
      const CsTrack *track = cs_timeline_get_track (self, i);
      CacheTrack to;

      memset (&to, 0, sizeof to);
      to.info = track->info;
      to.start_limit = track->start_limit;
      to.unseen_from = track->unseen_from;
      to.n_chunks = track->n_chunks;
      put (&output, &to, sizeof to);
    }
  put_chunks (&output, self, TRUE);
  put_chunks (&output, self, FALSE);
  header.checksum = output.sum;
  if (fseek (file, 0, SEEK_SET) == 0)
    fwrite (&header, sizeof header, 1, file);
}

typedef struct
{
  char *path;
  guint64 size;
  gint64 used; /* s */
} CacheFile;

static void
cache_file_clear (gpointer data)
{
  g_free (((CacheFile *) data)->path);
}

static int
compare_use (gconstpointer a, gconstpointer b)
{
  const CacheFile *x = a, *y = b;

  return x->used < y->used ? -1 : x->used > y->used;
}

/* Keeps the cache within its bounds, and removes what was not written to its end long ago. */
static void
clean_folder (const char *folder, const char *keep)
{
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (CacheFile));
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const char *name;
  guint64 size = 0;

  g_array_set_clear_func (files, cache_file_clear);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      CacheFile file;
      GStatBuf st;

      if (g_lstat (path, &st) != 0 || !S_ISREG (st.st_mode))
        continue;
      if (g_str_has_suffix (name, ".new") && st.st_mtime + 3600 < now)
        g_unlink (path);
      if (!g_str_has_suffix (name, ".index"))
        continue;
      size += (guint64) st.st_size;
      file = (CacheFile){ g_steal_pointer (&path), (guint64) st.st_size, st.st_mtime };
      g_array_append_val (files, file);
    }
  g_array_sort (files, compare_use);
  for (guint i = 0; i < files->len && size > MAX_BYTES; i++)
    {
      const CacheFile *file = &g_array_index (files, CacheFile, i);

      if (!g_str_equal (file->path, keep) && g_unlink (file->path) == 0)
        size -= file->size;
    }
}

/* Whether files have the numbers that they get when the recording is opened the next time. */
static gboolean
has_own_numbers (const CsTimeline *self)
{
  g_autoptr (GPtrArray) files = cs_timeline_list_files (self->recording);

  if (files->len != self->files->len)
    return FALSE;
  for (guint i = 0; i < files->len; i++)
    if (files->pdata[i] != self->files->pdata[i])
      return FALSE;
  return TRUE;
}

/**
 * cs_timeline_save:
 * @self: an index
 *
 * Keeps the index in the cache, for the next time that its recording is opened; not that of a
 * recording with tails, or one that is still written. Where that isn't possible, on a full or
 * read-only disk, it is not an error.
 *
 * Returns: whether it is in the cache
 */
gboolean
cs_timeline_save (CsTimeline *self)
{
  g_autoptr (GByteArray) identity = identify (self->recording);
  g_autofree char *path = cs_timeline_get_cache_path (self->recording), *folder = cache_folder ();
  g_autofree char *temporary = g_strdup_printf ("%s.%08x.new", path, g_random_int ());
  int fd;
  FILE *file;
  gboolean written;

  if (identity == NULL || !has_own_numbers (self))
    return FALSE;
  if (g_mkdir_with_parents (folder, 0700) != 0 ||
      (fd = open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)) < 0)
    {
      g_debug ("the index is not kept: %s can't be written: %s", temporary, g_strerror (errno));
      return FALSE;
    }
  file = fdopen (fd, "w");
  write_parts (file, self, identity);
  written = ferror (file) == 0;
  written = fclose (file) == 0 && written;
  if (!written || g_rename (temporary, path) != 0)
    {
      g_debug ("the index is not kept: %s can't be written: %s", path, g_strerror (errno));
      g_unlink (temporary);
      return FALSE;
    }
  clean_folder (folder, path);
  return TRUE;
}
