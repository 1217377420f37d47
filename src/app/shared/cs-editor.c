/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cs-editor.h"
#include "cs-settings.h"

/* Editors with a window of their own that go to a line; the first that is installed is taken. */
static const char *const known_editors[] = {
  "gedit +{line} {file}",
  "code --goto {file}:{line}",
  "codium --goto {file}:{line}",
  "kate --line {line} {file}",
  "kwrite --line {line} {file}",
  "xed +{line} {file}",
  "pluma +{line} {file}",
  "mousepad --line={line} {file}",
  "geany --line={line} {file}",
  "subl {file}:{line}",
  "zed {file}:{line}",
  "gvim +{line} {file}",
};

/* The arguments of a command, with {file} and {line} still in them. */
static char **
parse (const char *command, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  char **argv = NULL;

  if (g_shell_parse_argv (command, NULL, &argv, &local_error))
    return argv;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _("The editor’s command can’t be read: %s — write it as a program and its arguments, "
                 "such as “gedit +{line} {file}”"),
               local_error->message);
  return NULL;
}

static char *
find_program (const char *name, GError **error)
{
  char *program = g_find_program_in_path (name);

  if (program == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                 _("The editor “%s” isn’t installed — choose another command in the Preferences"), name);
  return program;
}

static char *
replace (const char *text, const char *word, const char *by)
{
  g_auto (GStrv) parts = g_strsplit (text, word, -1);

  return g_strjoinv (by, parts);
}

/* Words are put into the arguments after these are known, so that no name of a file can become two. */
static char **
fill (char **words, const char *path, guint line)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *number = g_strdup_printf ("%u", MAX (line, 1));
  gboolean has_file = FALSE;

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *with_line = replace (words[i], "{line}", number);

      has_file |= strstr (words[i], "{file}") != NULL;
      g_ptr_array_add (argv, replace (with_line, "{file}", path));
    }
  if (!has_file)
    g_ptr_array_add (argv, g_strdup (path));
  g_ptr_array_add (argv, NULL);
  return (char **) g_ptr_array_steal (argv, NULL);
}

static gboolean
run (const char *command, const char *path, guint line, GError **error)
{
  g_auto (GStrv) words = parse (command, error);
  g_auto (GStrv) argv = NULL;
  g_autofree char *program = NULL;
  g_autoptr (GError) local_error = NULL;

  if (words == NULL)
    return FALSE;
  program = find_program (words[0], error);
  if (program == NULL)
    return FALSE;
  argv = fill (words, path, line);
  if (g_spawn_async (NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                     NULL, NULL, NULL, &local_error))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
               _("The editor didn’t start: %s — choose another command in the Preferences"), local_error->message);
  return FALSE;
}

static const char *
find_known_editor (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (known_editors); i++)
    {
      g_autofree char *name = g_strndup (known_editors[i], strcspn (known_editors[i], " "));
      g_autofree char *program = g_find_program_in_path (name);

      if (program != NULL)
        return known_editors[i];
    }
  return NULL;
}

static gboolean
open_by_default (const char *path, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autofree char *uri = g_filename_to_uri (path, NULL, &local_error);
  g_autofree char *name = NULL;

  if (uri != NULL && g_app_info_launch_default_for_uri (uri, NULL, &local_error))
    return TRUE;
  /* Toasts have one line. */
  name = g_filename_display_basename (path);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
               _("No application opens “%s” — write an editor’s command into the Preferences"), name);
  return FALSE;
}

/**
 * cs_editor_open:
 * @path: a file's path
 * @line: a line of it, from 1; 0: none
 * @error: return location for a #GError, whose message is a sentence with what to do
 *
 * Opens a file at a line by the command of the preferences; where there is none, in a known editor that goes to lines,
 * or else in the default application. The editor runs on by itself.
 *
 * Returns: whether an editor was started
 */
gboolean
cs_editor_open (const char *path, guint line, GError **error)
{
  GSettings *settings = cs_settings_get ();
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *command = settings != NULL ? g_settings_get_string (settings, "editor-command") : g_strdup ("");
  const char *known;

  if (!g_file_test (absolute, G_FILE_TEST_EXISTS))
    {
      g_autofree char *name = g_filename_display_name (absolute);

      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   _("“%s” isn’t there: it was moved, or built on another machine — put the sources there to open them"),
                   name);
      return FALSE;
    }
  if (*g_strstrip (command) != '\0')
    return run (command, absolute, line, error);
  known = find_known_editor ();
  return known != NULL ? run (known, absolute, line, error) : open_by_default (absolute, error);
}

/**
 * cs_editor_check:
 * @command: an editor's command, as the preferences have it
 * @error: return location for a #GError, whose message is a sentence with what to do
 *
 * Returns: whether cs_editor_open() can run it; an empty one stands for the known editors, and can be
 */
gboolean
cs_editor_check (const char *command, GError **error)
{
  g_autofree char *stripped = g_strstrip (g_strdup (command));
  g_auto (GStrv) words = NULL;
  g_autofree char *program = NULL;

  if (*stripped == '\0')
    return TRUE;
  words = parse (stripped, error);
  if (words == NULL)
    return FALSE;
  program = find_program (words[0], error);
  return program != NULL;
}
