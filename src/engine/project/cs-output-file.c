/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "capture/cs-io.h"
#include "project/cs-convert.h"
#include "project/cs-output-file.h"

#define BUFFER_SIZE (1 << 18)

struct _CsOutputFile
{
  char *name;
  int fd;
  guint64 size; /* bytes, those that wait too */
  gsize used;
  guint8 buffer[BUFFER_SIZE];
};

static gboolean
set_error (const CsOutputFile *self, GError **error)
{
  int number = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s can't be written (%s)", self->name,
               g_strerror (number));
  return FALSE;
}

/**
 * cs_output_file_new:
 * @folder: descriptor of a folder
 * @name: a name in which nothing is there
 * @error: where to say why the file can't be made
 *
 * Returns: (transfer full) (nullable): the file, which others than its owner can't read
 */
CsOutputFile *
cs_output_file_new (int folder, const char *name, GError **error)
{
  g_autoptr (CsOutputFile) self = g_new (CsOutputFile, 1);

  self->name = g_strdup (name);
  self->size = self->used = 0;
  self->fd = openat (folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (self->fd < 0)
    {
      set_error (self, error);
      return NULL;
    }
  return g_steal_pointer (&self);
}

static gboolean
flush (CsOutputFile *self, GError **error)
{
  gsize done = 0;

  while (done < self->used)
    {
      gssize n = write (self->fd, self->buffer + done, self->used - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return set_error (self, error);
      done += (gsize) n;
    }
  self->used = 0;
  return TRUE;
}

/**
 * cs_output_file_write:
 * @self: a file
 * @bytes: (array length=size): what to append
 * @size: how many bytes
 * @error: where to say why they can't be written
 *
 * Returns: whether they will be written, or have been
 */
gboolean
cs_output_file_write (CsOutputFile *self, gconstpointer bytes, gsize size, GError **error)
{
  const guint8 *p = bytes;

  self->size += size;
  while (size > 0)
    {
      gsize n = MIN (size, BUFFER_SIZE - self->used);

      memcpy (self->buffer + self->used, p, n);
      self->used += n;
      p += n;
      size -= n;
      if (self->used == BUFFER_SIZE && !flush (self, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * cs_output_file_write_zeros:
 * @self: a file
 * @size: how many bytes
 * @error: where to say why they can't be written
 *
 * Returns: whether they will be written, or have been
 */
gboolean
cs_output_file_write_zeros (CsOutputFile *self, gsize size, GError **error)
{
  static const guint8 zeros[4096];

  for (gsize n; size > 0; size -= n)
    {
      n = MIN (size, sizeof zeros);
      if (!cs_output_file_write (self, zeros, n, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * cs_output_file_copy:
 * @self: a file
 * @from: descriptor of another one
 * @size: how many bytes of its beginning to copy, if it has so many
 * @cancellable: (nullable): to give up early
 * @error: where to say what went wrong
 *
 * Returns: whether they will be written, or have been
 */
gboolean
cs_output_file_copy (CsOutputFile *self, int from, guint64 size, GCancellable *cancellable, GError **error)
{
  guint64 done = 0;

  while (done < size)
    {
      gssize n;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      n = cs_pread_full (from, self->buffer + self->used, MIN (size - done, BUFFER_SIZE - self->used), (off_t) done);

      if (n < 0)
        {
          g_set_error (error, CS_CONVERT_ERROR, CS_CONVERT_ERROR_SOURCE, "%s can't be read (%s)", self->name,
                       g_strerror (errno));
          return FALSE;
        }
      if (n == 0)
        break;
      done += (guint64) n;
      self->size += (guint64) n;
      self->used += (gsize) n;
      if (self->used == BUFFER_SIZE && !flush (self, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * cs_output_file_get_size:
 * @self: a file
 *
 * Returns: bytes that have been written, or will be when it is closed
 */
guint64
cs_output_file_get_size (const CsOutputFile *self)
{
  return self->size;
}

/**
 * cs_output_file_close:
 * @self: a file; it may only be freed after this
 * @error: where to say why it isn't whole
 *
 * Returns: whether all is written
 */
gboolean
cs_output_file_close (CsOutputFile *self, GError **error)
{
  int fd = self->fd;

  if (!flush (self, error))
    return FALSE;
  self->fd = -1;
  return close (fd) == 0 || set_error (self, error);
}

/**
 * cs_output_file_free:
 * @self: (transfer full): a file
 */
void
cs_output_file_free (CsOutputFile *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->name);
  g_free (self);
}
