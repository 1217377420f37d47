/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

/* Standard output, a device or pipe, or a regular file that is written under another name
 * beside it until it is whole. (g_file_replace() writes into the old file itself where that is
 * reached through a symbolic link.) */
struct _CliOutput
{
  GOutputStream *stream;
  char *target;    /* where the file shall be in the end, links followed; NULL: it is there */
  char *temporary; /* what to remove if it doesn't get there */
};

static gboolean
set_error (GError **error, const char *path)
{
  int number = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number),
               "%s: can't be written (%s) — name another file with --out", path, g_strerror (number));
  return FALSE;
}

/* The mode that the file will have: its own, or what a new one would get. */
static mode_t
target_mode (const char *target)
{
  struct stat st;
  mode_t mask;

  if (stat (target, &st) == 0)
    return st.st_mode & 0777;
  mask = umask (0);
  umask (mask);
  return 0666 & ~mask;
}

static int
open_temporary (CliOutput *self, const char *path, GError **error)
{
  g_autofree char *folder = NULL;
  char *real = realpath (path, NULL);
  int fd;

  self->target = g_strdup (real != NULL ? real : path);
  free (real);
  folder = g_path_get_dirname (self->target);
  self->temporary = g_build_filename (folder, ".callsight-XXXXXX", NULL);
  fd = g_mkstemp_full (self->temporary, O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0 || fchmod (fd, target_mode (self->target)) != 0)
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
 * cli_quote:
 * @word: a word of a command
 *
 * Returns: (transfer full): the same, quoted where a shell needs it
 */
char *
cli_quote (const char *word)
{
  for (const char *p = word; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr ("/._-+", *p) == NULL)
      return g_shell_quote (word);
  return g_strdup (word);
}

/**
 * cli_show_path:
 * @path: a path
 *
 * Returns: (transfer full): as one types it here: relative where it lies below, quoted where a shell needs it
 */
char *
cli_show_path (const char *path)
{
  g_autofree char *here = g_get_current_dir ();
  gsize length = strlen (here);
  const char *shown = strncmp (path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;

  return cli_quote (shown);
}

/**
 * cli_output_open:
 * @path: (nullable): a file; %NULL for standard output
 * @error: where to say why it can't be written
 *
 * Returns: (transfer full) (nullable): where a report goes
 */
CliOutput *
cli_output_open (const char *path, GError **error)
{
  g_autoptr (CliOutput) self = g_new0 (CliOutput, 1);
  struct stat st;
  int fd;

  if (path == NULL)
    {
      self->stream = g_unix_output_stream_new (STDOUT_FILENO, FALSE);
      return g_steal_pointer (&self);
    }
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
 * cli_output_get_stream:
 * @self: an output
 *
 * Returns: (transfer none): what to write to
 */
GOutputStream *
cli_output_get_stream (CliOutput *self)
{
  return self->stream;
}

/**
 * cli_output_commit:
 * @self: an output to which everything has been written
 * @error: where to say what went wrong
 *
 * Puts the file in its place. Without this, whatever was there before stays.
 *
 * Returns: whether it is there
 */
gboolean
cli_output_commit (CliOutput *self, GError **error)
{
  if (!g_output_stream_close (self->stream, NULL, error))
    return FALSE;
  if (self->temporary != NULL && g_rename (self->temporary, self->target) != 0)
    return set_error (error, self->target);
  g_clear_pointer (&self->temporary, g_free);
  return TRUE;
}

/**
 * cli_output_free:
 * @self: (transfer full): an output
 */
void
cli_output_free (CliOutput *self)
{
  g_clear_object (&self->stream);
  if (self->temporary != NULL)
    g_unlink (self->temporary);
  g_free (self->temporary);
  g_free (self->target);
  g_free (self);
}
