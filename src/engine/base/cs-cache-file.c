/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cs-cache-file.h"

#define ORDER 0x01020304u
/* A file that was used is marked as such once a day. */
#define USED_S (24 * 60 * 60)

/* Of what lies behind the field. Each step can be undone, so that one changed word always shows. */
static guint64
get_checksum (const guint8 *bytes, gsize size)
{
  guint64 sum = size;

  for (gsize at = G_STRUCT_OFFSET (CsCacheHeader, file_size); at < size; at += 8)
    {
      guint64 word = 0;

      memcpy (&word, bytes + at, MIN (8, size - at));
      sum = (sum ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      sum ^= sum >> 32;
    }
  return sum;
}

static gboolean
check (const guint8 *bytes, gsize size, const CsCacheFormat *format, gsize header_size)
{
  const CsCacheHeader *header = (const CsCacheHeader *) (gconstpointer) bytes;

  return size >= header_size && memcmp (header->magic, format->magic, sizeof header->magic) == 0
         && header->order == ORDER && header->version == format->version && header->file_size == size
         && header->checksum == get_checksum (bytes, size);
}

/**
 * cs_cache_file_read:
 * @path: a file
 * @format: what it is to be
 * @header_size: bytes of its header, with the CsCacheHeader that it begins with
 * @size: (out): how many bytes it has
 *
 * Reads a file, and marks it as used. What lies behind the CsCacheHeader is as it was written, but may have been
 * written by anybody: numbers in it are to be checked.
 *
 * Returns: (transfer full) (nullable): the bytes, which lie as malloc() does; %NULL: there is no such file, or
 *   it isn't whole, or of another format or version
 */
guint8 *
cs_cache_file_read (const char *path, const CsCacheFormat *format, gsize header_size, gsize *size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  g_autofree guint8 *bytes = NULL;
  struct stat status;
  gssize got = 0;

  g_return_val_if_fail (header_size >= sizeof (CsCacheHeader), NULL);

  *size = 0;
  if (fd < 0)
    return NULL;
  if (fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && (guint64) status.st_size <= format->largest)
    {
      bytes = g_malloc ((gsize) status.st_size + 8);
      while (*size < (gsize) status.st_size && (got = read (fd, bytes + *size, (gsize) status.st_size - *size)) > 0)
        *size += (gsize) got;
      if (time (NULL) - status.st_mtime > USED_S)
        futimens (fd, NULL);
    }
  close (fd);
  return bytes != NULL && check (bytes, *size, format, header_size) ? g_steal_pointer (&bytes) : NULL;
}

/**
 * cs_cache_header_init:
 * @self: (out caller-allocates): what a file begins with; its checksum is made when it is written
 * @format: the file's
 * @file_size: bytes of all of it
 */
void
cs_cache_header_init (CsCacheHeader *self, const CsCacheFormat *format, guint64 file_size)
{
  *self = (CsCacheHeader){ .order = ORDER, .version = format->version, .file_size = file_size };
  memcpy (self->magic, format->magic, sizeof self->magic);
}

/**
 * cs_cache_file_write:
 * @path: a file
 * @bytes: what is to be in it, from its CsCacheHeader on, whose checksum is filled in
 *
 * Makes the folder where there is none, writes beside the file, and renames: whoever reads sees one or the other.
 *
 * Returns: whether it was written; if not, the file is as it was
 */
gboolean
cs_cache_file_write (const char *path, GByteArray *bytes)
{
  g_autofree char *temporary = g_strconcat (path, ".XXXXXX", NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  guint64 checksum = get_checksum (bytes->data, bytes->len);
  gsize done = 0;
  gssize wrote = 0;
  int fd = g_mkdir_with_parents (folder, 0700) == 0 ? g_mkstemp_full (temporary, O_WRONLY | O_CLOEXEC, 0600) : -1;

  if (fd < 0)
    return FALSE;
  memcpy (bytes->data + G_STRUCT_OFFSET (CsCacheHeader, checksum), &checksum, sizeof checksum);
  while (done < bytes->len && (wrote = write (fd, bytes->data + done, bytes->len - done)) > 0)
    done += (gsize) wrote;
  if (close (fd) == 0 && done == bytes->len && g_rename (temporary, path) == 0)
    return TRUE;
  g_unlink (temporary);
  return FALSE;
}
