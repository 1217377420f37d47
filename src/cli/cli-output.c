/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gunixoutputstream.h>
#include <string.h>
#include <unistd.h>

#include "base/cs-save-file.h"
#include "cli.h"

/* Standard output, or a file that takes its place when it is whole. */
struct _CliOutput
{
  GOutputStream *stream;
  CsSaveFile *file; /* NULL: standard output */
};

/* Which file it is, the person said with an option. */
static void
add_advice (GError **error)
{
  if (error != NULL && *error != NULL)
    {
      char *message = g_strconcat ((*error)->message, " — name another file with --out", NULL);

      g_free ((*error)->message);
      (*error)->message = message;
    }
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

  if (path == NULL)
    {
      self->stream = g_unix_output_stream_new (STDOUT_FILENO, FALSE);
      return g_steal_pointer (&self);
    }
  self->file = cs_save_file_open (path, error);
  if (self->file == NULL)
    {
      add_advice (error);
      return NULL;
    }
  self->stream = g_object_ref (cs_save_file_get_stream (self->file));
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
  if (self->file == NULL)
    return g_output_stream_close (self->stream, NULL, error);
  if (cs_save_file_commit (self->file, error))
    return TRUE;
  add_advice (error);
  return FALSE;
}

/**
 * cli_output_free:
 * @self: (transfer full): an output
 */
void
cli_output_free (CliOutput *self)
{
  g_clear_object (&self->stream);
  g_clear_pointer (&self->file, cs_save_file_free);
  g_free (self);
}
