/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>

#include "shared/cs-editor.h"
#include "shared/cs-settings.h"

/* A program that writes its arguments, a line each, into the file `said` beside it. */
#define PROGRAM "#!/bin/sh\nd=$(dirname \"$0\")\nprintf '%s\\n' \"$@\" > \"$d/said.new\"\nmv \"$d/said.new\" \"$d/said\"\n"

typedef struct
{
  char *folder;
  char *said;
} Fixture;

static void
write_program (Fixture *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);

  g_assert_true (g_file_set_contents_full (path, PROGRAM, -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
}

static char *
write_source (Fixture *self, const char *name)
{
  char *path = g_build_filename (self->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, "int x;\n", -1, NULL));
  return path;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autofree char *top = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);

  /* With a blank, as some have it. */
  self->folder = g_build_filename (top, "a b", NULL);
  g_assert_cmpint (g_mkdir (self->folder, 0700), ==, 0);
  self->said = g_build_filename (self->folder, "said", NULL);
  g_settings_reset (cs_settings_get (), "editor-command");
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_autofree char *top = g_path_get_dirname (self->folder);
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (self->folder);
  g_rmdir (top);
  g_free (self->folder);
  g_free (self->said);
}

/* What the program was started with. */
static char *
wait_for_words (Fixture *self)
{
  char *text = NULL;

  while (!g_file_get_contents (self->said, &text, NULL, NULL))
    g_usleep (1000);
  g_unlink (self->said);
  return text;
}

static void
assert_opens (Fixture *self, const char *path, guint line, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;

  cs_editor_open (path, line, &error);
  g_assert_no_error (error);
  said = wait_for_words (self);
  g_assert_cmpstr (said, ==, words);
}

static void
set_command (const char *format, const char *folder)
{
  g_auto (GStrv) parts = g_strsplit (format, "FOLDER", -1);
  g_autofree char *command = g_strjoinv (folder, parts);

  g_settings_set_string (cs_settings_get (), "editor-command", command);
}

static void
test_command (Fixture *self, gconstpointer data)
{
  static const char *const names[] = { "a.c", "two words.c", "quote'd \"x\".c", "{line}.c", "$(reboot);`x`.c", "-o.c" };

  write_program (self, "ed");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = write_source (self, names[i]);
      g_autofree char *both = g_strdup_printf ("--go\n%s:12\n", path);
      g_autofree char *apart = g_strdup_printf ("+12\n%s\n", path);
      g_autofree char *no_line = g_strdup_printf ("%s\n", path);
      g_autofree char *first = g_strdup_printf ("+1\n%s\n", path);

      set_command ("'FOLDER/ed' --go {file}:{line}", self->folder);
      assert_opens (self, path, 12, both);
      set_command ("'FOLDER/ed' +{line} {file}", self->folder);
      assert_opens (self, path, 12, apart);
      assert_opens (self, path, 0, first);
      set_command ("  'FOLDER/ed' {file} ", self->folder);
      assert_opens (self, path, 12, no_line);
      /* Without {file} it is the last word. */
      set_command ("'FOLDER/ed'", self->folder);
      assert_opens (self, path, 12, no_line);
    }
}

static void
test_known (Fixture *self, gconstpointer data)
{
  g_autofree char *path = write_source (self, "a.c");
  g_autofree char *gedit = g_strdup_printf ("+7\n%s\n", path);
  g_autofree char *kate = g_strdup_printf ("--line\n7\n%s\n", path);
  g_autofree char *before = g_strdup (g_getenv ("PATH"));
  g_autofree char *search = g_strconcat (self->folder, ":/usr/bin:/bin", NULL);
  g_autofree char *program = NULL;

  g_setenv ("PATH", search, TRUE);
  program = g_find_program_in_path ("gedit");
  if (program == NULL)
    {
      write_program (self, "kate");
      assert_opens (self, path, 7, kate);
    }
  write_program (self, "gedit");
  assert_opens (self, path, 7, gedit);
  g_setenv ("PATH", before, TRUE);
}

static void
assert_fails (const char *path, const char *pattern)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (cs_editor_open (path, 1, &error));
  g_assert_nonnull (error);
  g_assert_true (g_pattern_match_simple (pattern, error->message));
  /* What to do. */
  g_assert_nonnull (g_strrstr (error->message, " — "));
}

static void
test_bad (Fixture *self, gconstpointer data)
{
  g_autofree char *path = write_source (self, "a.c");
  g_autofree char *missing = g_build_filename (self->folder, "gone.c", NULL);
  g_autofree char *unreadable = g_build_filename (self->folder, "ed", NULL);
  g_autofree char *before = g_strdup (g_getenv ("PATH"));
  g_autoptr (GError) error = NULL;

  assert_fails (missing, "*gone.c*isn’t there*");
  set_command ("no-such-editor {file}", "");
  assert_fails (path, "*no-such-editor*isn’t installed*Preferences*");
  set_command ("'unfinished {file}", "");
  assert_fails (path, "*can’t be read*");
  /* A program that can't be run: no format that the kernel knows. */
  g_assert_true (g_file_set_contents_full (unreadable, "\x7f" "ELFx", -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
  set_command ("'FOLDER/ed' {file}", self->folder);
  if (!cs_editor_open (path, 1, &error))
    g_assert_nonnull (g_strrstr (error->message, " — "));

  /* Neither an editor nor an application. */
  g_settings_reset (cs_settings_get (), "editor-command");
  g_setenv ("PATH", "/nonexistent", TRUE);
  assert_fails (path, "No application opens*a.c*");
  g_setenv ("PATH", before, TRUE);
}

static void
test_check (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (cs_editor_check ("", NULL));
  g_assert_true (cs_editor_check ("  ", NULL));
  g_assert_true (cs_editor_check ("sh -c {file}", NULL));
  g_assert_false (cs_editor_check ("no-such-editor", &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (cs_editor_check ("\"", &error));
  g_assert_nonnull (error);
}

int
main (int argc, char **argv)
{
  g_autofree char *data = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  int result;

  /* No applications but those of the tests. */
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_setenv ("XDG_DATA_DIRS", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/app/editor/command", Fixture, NULL, set_up, test_command, tear_down);
  g_test_add ("/app/editor/known", Fixture, NULL, set_up, test_known, tear_down);
  g_test_add ("/app/editor/bad", Fixture, NULL, set_up, test_bad, tear_down);
  g_test_add ("/app/editor/check", Fixture, NULL, set_up, test_check, tear_down);
  result = g_test_run ();
  g_rmdir (data);
  return result;
}
