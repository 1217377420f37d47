/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cs-save-file.h"

/* A device or pipe, or a regular file that is written under another name beside it until it is whole.
 * (g_file_replace() writes into the old file itself where that is reached through a symbolic link.) */
struct _CsSaveFile
{
  GOutputStream *stream;
  char *target;    /* where the file shall be in the end, links followed; NULL: it is there */
  char *temporary; /* what to remove if it doesn't get there */
};

static gboolean
set_error (GError **error, const char *path)
{
  int number = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s: can't be written (%s)", path, g_strerror (number));
  return FALSE;
}

static int
open_temporary (CsSaveFile *self, const char *path, GError **error)
{
  g_autofree char *folder = NULL;
  char *real = realpath (path, NULL);
  struct stat st;
  int fd;

  self->target = g_strdup (real != NULL ? real : path);
  free (real);
  folder = g_path_get_dirname (self->target);
  self->temporary = g_build_filename (folder, ".callsight-XXXXXX", NULL);
  /* It gets the mode of any new file, or that of the file which it will replace. */
  fd = g_mkstemp_full (self->temporary, O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0 || (stat (self->target, &st) == 0 && fchmod (fd, st.st_mode & 0777) != 0))
    {
      set_error (error, path);
      if (fd < 0)
        g_clear_pointer (&self->temporary, g_free);
      else
        close (fd);
      return -1;
    }
  return fd;
}

/**
 * cs_save_file_open:
 * @path: a file
 * @error: where to say why it can't be written
 *
 * Returns: (transfer full) (nullable): where to write what the file shall hold
 */
CsSaveFile *
cs_save_file_open (const char *path, GError **error)
{
  g_autoptr (CsSaveFile) self = g_new0 (CsSaveFile, 1);
  struct stat st;
  int fd;

  if (stat (path, &st) == 0 && !S_ISREG (st.st_mode))
    {
      fd = open (path, O_WRONLY | O_CLOEXEC);
      if (fd < 0)
        set_error (error, path);
    }
  else
    fd = open_temporary (self, path, error);
  if (fd < 0)
    return NULL;
  self->stream = g_unix_output_stream_new (fd, TRUE);
  return g_steal_pointer (&self);
}

/**
 * cs_save_file_get_stream:
 * @self: a file
 *
 * Returns: (transfer none): what to write to
 */
GOutputStream *
cs_save_file_get_stream (CsSaveFile *self)
{
  return self->stream;
}

/**
 * cs_save_file_commit:
 * @self: a file to which everything has been written
 * @error: where to say what went wrong
 *
 * Puts the file in its place. Without this, whatever was there before stays.
 *
 * Returns: whether it is there
 */
gboolean
cs_save_file_commit (CsSaveFile *self, GError **error)
{
  if (!g_output_stream_close (self->stream, NULL, error))
    return FALSE;
  if (self->temporary != NULL && g_rename (self->temporary, self->target) != 0)
    return set_error (error, self->target);
  g_clear_pointer (&self->temporary, g_free);
  return TRUE;
}

/**
 * cs_save_file_free:
 * @self: (transfer full): a file
 */
void
cs_save_file_free (CsSaveFile *self)
{
  g_clear_object (&self->stream);
  if (self->temporary != NULL)
    g_unlink (self->temporary);
  g_free (self->temporary);
  g_free (self->target);
  g_free (self);
}

/**
 * cs_save_file_write:
 * @path: a file
 * @bytes: what it shall hold
 * @cancellable: (nullable): to give up early
 * @error: where to say what went wrong
 *
 * Returns: whether the file holds @bytes; otherwise it is as it was
 */
gboolean
cs_save_file_write (const char *path, GBytes *bytes, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsSaveFile) self = cs_save_file_open (path, error);
  gsize n;
  const void *data = g_bytes_get_data (bytes, &n);

  if (self == NULL)
    return FALSE;
  if (!g_output_stream_write_all (self->stream, data, n, NULL, cancellable, error))
    {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  return cs_save_file_commit (self, error);
}

typedef struct
{
  char *path;
  GBytes *bytes;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->path);
  g_bytes_unref (job->bytes);
  g_free (job);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;

  if (cs_save_file_write (job->path, job->bytes, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * cs_save_file_write_async:
 * @path: a file
 * @bytes: what it shall hold
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is written, or not
 * @user_data: for @callback
 *
 * cs_save_file_write() in a thread.
 */
void
cs_save_file_write_async (const char *path, GBytes *bytes, GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->path = g_strdup (path);
  job->bytes = g_bytes_ref (bytes);
  g_task_set_source_tag (task, cs_save_file_write_async);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, write_in_thread);
}

/**
 * cs_save_file_write_finish:
 * @result: what the callback got
 * @error: where to say what went wrong
 *
 * Returns: whether the file holds what it shall
 */
gboolean
cs_save_file_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
