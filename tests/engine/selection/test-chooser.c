/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selection/cs-chooser.h"

#define PATIENCE_S 60

typedef struct
{
  char *root;
  CsChooser *chooser;
  guint files_changed, functions_changed, selection_changed, texts;
  GString *told;
  GThread *thread;
  gboolean done;
  GError *error;
  CsSelection *selection;
  CsSubtree *subtree;
} Fixture;

static void
write_file (const Fixture *fixture, const char *path, const char *text)
{
  g_autofree char *whole = g_build_filename (fixture->root, path, NULL);
  g_autofree char *parent = g_path_get_dirname (whole);
  FILE *file;

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  file = g_fopen (whole, "w");
  g_assert_nonnull (file);
  g_assert_cmpint (fputs (text, file), >=, 0);
  g_assert_cmpint (fclose (file), ==, 0);
}

static char *
read_file (const Fixture *fixture, const char *path)
{
  g_autofree char *whole = g_build_filename (fixture->root, path, NULL);
  char *text = NULL;

  g_file_get_contents (whole, &text, NULL, NULL);
  return text;
}

static void
run (const char *folder, const char *command)
{
  const char *const argv[] = { "sh", "-ec", command, NULL };
  int status;

  g_assert_true (g_spawn_sync (folder, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

static void
remove_folder (const Fixture *fixture)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", fixture->root);

  run ("/tmp", command);
}

static void
on_files (CsChooser *chooser, Fixture *fixture)
{
  g_assert_true (g_thread_self () == fixture->thread);
  fixture->files_changed++;
}

static void
on_functions (CsChooser *chooser, const guint32 *files, guint n_files, Fixture *fixture)
{
  g_assert_true (g_thread_self () == fixture->thread);
  fixture->functions_changed++;
  for (guint i = 0; i < n_files; i++)
    {
      guint count;

      g_assert_cmpuint (files[i], <, cs_chooser_get_n_files (chooser));
      g_assert_nonnull (cs_chooser_get_functions (chooser, files[i], &count));
      if (i > 0)
        g_assert_cmpuint (files[i], >, files[i - 1]);
    }
}

static void
on_selection (CsChooser *chooser, Fixture *fixture)
{
  CsSelection *selection = cs_chooser_get_selection (chooser);

  g_assert_true (g_thread_self () == fixture->thread);
  fixture->selection_changed++;
  if (selection != NULL && cs_chooser_get_text_error (chooser) == NULL)
    {
      g_autofree char *text = cs_trace_config_to_text (cs_selection_get_config (selection));

      /* What a text before chose isn't told of. */
      g_assert_cmpstr (text, ==, cs_chooser_get_text (chooser));
    }
}

static void
on_told (CsChooser *chooser, const char *sentence, Fixture *fixture)
{
  g_assert_true (g_utf8_validate (sentence, -1, NULL));
  g_string_append_printf (fixture->told, "%s\n", sentence);
}

static void
on_text (CsChooser *chooser, GParamSpec *spec, Fixture *fixture)
{
  fixture->texts++;
}

static void
set_up (Fixture *fixture)
{
  memset (fixture, 0, sizeof *fixture);
  fixture->root = g_dir_make_tmp ("callsight-chooser-XXXXXX", NULL);
  fixture->told = g_string_new (NULL);
  fixture->thread = g_thread_self ();
}

/* Calls: main → parse → line; main → emit. */
static void
make_project (const Fixture *fixture)
{
  write_file (fixture, "main.c", "int parse (void);\nint emit (void);\nint main (void) { return parse () + emit (); }\n");
  write_file (fixture, "src/net/parse.c", "int line (void) { return 1; }\nint parse (void) { return line (); }\n");
  write_file (fixture, "src/net/emit.c", "int emit (void) { return 1; }\nstatic int unused (void) { return 2; }\n");
  write_file (fixture, "src/log.c", "int log_open (void) { return 1; }\n");
  write_file (fixture, "src/log.h", "int log_open (void);\n");
}

static CsChooser *
make_chooser (Fixture *fixture, const CsScanOptions *options)
{
  const CsScanOptions plain = { .built_in = TRUE, .no_cache = TRUE };

  fixture->chooser = cs_chooser_new_with_options (fixture->root, NULL, options != NULL ? options : &plain);
  g_signal_connect (fixture->chooser, "files-changed", G_CALLBACK (on_files), fixture);
  g_signal_connect (fixture->chooser, "functions-changed", G_CALLBACK (on_functions), fixture);
  g_signal_connect (fixture->chooser, "selection-changed", G_CALLBACK (on_selection), fixture);
  g_signal_connect (fixture->chooser, "told", G_CALLBACK (on_told), fixture);
  g_signal_connect (fixture->chooser, "notify::text", G_CALLBACK (on_text), fixture);
  cs_chooser_load (fixture->chooser);
  return fixture->chooser;
}

/* Runs the main loop until something is so. */
#define wait_until(condition)                                                                                                  \
  G_STMT_START                                                                                                                 \
  {                                                                                                                            \
    gint64 end = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;                                                        \
                                                                                                                               \
    while (!(condition))                                                                                                       \
      {                                                                                                                        \
        if (g_get_monotonic_time () > end)                                                                                     \
          g_error ("line %d: never: %s (state %u, error %s, text error %s)", __LINE__, #condition,                             \
                   cs_chooser_get_state (fixture->chooser), cs_chooser_get_error (fixture->chooser),                           \
                   cs_chooser_get_text_error (fixture->chooser));                                                              \
        if (!g_main_context_iteration (NULL, FALSE))                                                                           \
          g_usleep (1000);                                                                                                     \
      }                                                                                                                        \
  }                                                                                                                            \
  G_STMT_END

static gboolean
is_settled (CsChooser *chooser)
{
  return cs_chooser_get_state (chooser) >= CS_CHOOSER_READY && !cs_chooser_get_choosing (chooser) &&
         !cs_chooser_get_editing (chooser);
}

/* Runs the main loop for some time, in which nothing should happen. */
static void
rest (guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static void
tear_down (Fixture *fixture)
{
  if (fixture->chooser != NULL)
    {
      cs_chooser_close (fixture->chooser);
      rest (20);
      while (G_OBJECT (fixture->chooser)->ref_count > 1)
        rest (5);
      g_assert_finalize_object (fixture->chooser);
    }
  remove_folder (fixture);
  g_clear_error (&fixture->error);
  g_clear_pointer (&fixture->selection, cs_selection_unref);
  g_clear_pointer (&fixture->subtree, cs_subtree_free);
  g_string_free (fixture->told, TRUE);
  g_free (fixture->root);
}

/* The functions that are chosen, file by file. */
static char *
list_chosen (CsChooser *chooser)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < cs_chooser_get_n_files (chooser); i++)
    {
      const CsSourceFunction *functions;
      guint count, n = 0;

      functions = cs_chooser_get_functions (chooser, i, &count);
      for (guint j = 0; j < count; j++)
        {
          gboolean chosen;

          g_assert_true (cs_chooser_get_function (chooser, i, j, &chosen, NULL, NULL));
          if (chosen)
            g_string_append_printf (text, "%s%s", n++ > 0 ? " " : text->len > 0 ? "; " : "", functions[j].name);
        }
    }
  return g_string_free (text, FALSE);
}

static gboolean
is_chosen (CsChooser *chooser, const char *wanted)
{
  g_autofree char *chosen = list_chosen (chooser);

  return g_str_equal (chosen, wanted);
}

static void
assert_chosen (CsChooser *chooser, const char *wanted)
{
  g_autofree char *chosen = list_chosen (chooser);

  g_assert_cmpstr (chosen, ==, wanted);
}

static guint
find_file (CsChooser *chooser, const char *path)
{
  guint file = cs_chooser_find_file (chooser, path);

  g_assert_cmpuint (file, !=, CS_CHOOSER_NONE);
  return file;
}

static guint
find_folder (CsChooser *chooser, const char *path)
{
  for (guint i = 0; i < cs_chooser_get_n_folders (chooser); i++)
    if (g_str_equal (cs_chooser_get_folder (chooser, i)->path, path))
      return i;
  g_assert_not_reached ();
}

static guint32
find_function (CsChooser *chooser, const char *path, const char *name)
{
  guint file = find_file (chooser, path), count;
  const CsSourceFunction *functions = cs_chooser_get_functions (chooser, file, &count);

  for (guint i = 0; i < count; i++)
    if (g_str_equal (functions[i].name, name))
      return cs_chooser_get_function_number (chooser, file, i);
  g_assert_not_reached ();
}

static void
assert_told (Fixture *fixture, const char *part)
{
  if (strstr (fixture->told->str, part) == NULL)
    g_error ("'%s' isn't told, but '%s'", part, fixture->told->str);
  g_string_truncate (fixture->told, 0);
}

static void
test_load (void)
{
  Fixture fixed, *fixture = &fixed;
  CsChooserCounts counts;
  CsChooser *chooser;
  const CsChooserFolder *folder;
  const guint32 *own;
  g_autofree char *text = NULL;
  guint count;

  set_up (fixture);
  make_project (fixture);
  chooser = make_chooser (fixture, NULL);
  g_assert_cmpint (cs_chooser_get_state (chooser), ==, CS_CHOOSER_LISTING);
  wait_until (is_settled (chooser));
  g_assert_cmpint (cs_chooser_get_state (chooser), ==, CS_CHOOSER_READY);
  g_assert_cmpuint (fixture->files_changed, ==, 1);
  g_assert_cmpuint (cs_chooser_get_n_files (chooser), ==, 5);
  g_assert_cmpuint (cs_chooser_get_n_folders (chooser), ==, 3);
  folder = cs_chooser_get_folder (chooser, CS_CHOOSER_ROOT);
  g_assert_cmpuint (folder->n_files, ==, 5);
  g_assert_cmpuint (folder->n_folders, ==, 1);
  g_assert_cmpstr (cs_chooser_get_folder (chooser, folder->first_folder)->name, ==, "src");
  own = cs_chooser_get_own_files (chooser, folder->first_folder, &count);
  g_assert_cmpuint (count, ==, 2);
  g_assert_cmpstr (cs_chooser_get_file (chooser, own[0])->path, ==, "src/log.c");
  g_assert_cmpstr (cs_chooser_get_file (chooser, own[1])->path, ==, "src/log.h");
  folder = cs_chooser_get_folder (chooser, find_folder (chooser, "src/net"));
  g_assert_cmpstr (folder->name, ==, "net");
  g_assert_cmpuint (folder->n_files, ==, 2);
  g_assert_cmpuint (cs_chooser_get_file_folder (chooser, folder->first_file), ==, find_folder (chooser, "src/net"));
  cs_chooser_get_folder_counts (chooser, CS_CHOOSER_ROOT, &counts);
  g_assert_true (counts.is_known);
  g_assert_cmpuint (counts.files, ==, 5);
  g_assert_cmpuint (counts.files_scanned, ==, 5);
  g_assert_cmpuint (counts.functions, ==, 6);
  g_assert_cmpuint (counts.functions_chosen, ==, 6);
  g_assert_cmpint (counts.choice, ==, CS_FILE_CHOSEN);
  g_assert_cmpstr (cs_chooser_get_scanner (chooser), ==, "built-in scan");
  /* There is no file: its text tells what one could say, and none is written. */
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, cs_trace_config_starter_text ());
  g_assert_false (cs_chooser_get_dirty (chooser));
  text = read_file (fixture, "trace.config");
  g_assert_null (text);
  tear_down (fixture);
}

static void
test_ticks (void)
{
  Fixture fixed, *fixture = &fixed;
  CsChooserCounts counts;
  CsChooser *chooser;
  CsFunctionAction action;
  guint32 numbers[2];
  gboolean chosen;
  int depth;

  set_up (fixture);
  make_project (fixture);
  write_file (fixture, "trace.config", "# mine\nexclude src/log.c\n");
  chooser = make_chooser (fixture, NULL);
  wait_until (is_settled (chooser));
  assert_chosen (chooser, "main; emit unused; line parse");
  cs_chooser_set_folder (chooser, find_folder (chooser, "src/net"), FALSE);
  g_assert_true (cs_chooser_get_editing (chooser));
  wait_until (is_settled (chooser));
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "# mine\nexclude src/log.c\nexclude src/net/\n");
  g_assert_true (cs_chooser_get_dirty (chooser));
  cs_chooser_get_folder_counts (chooser, find_folder (chooser, "src/net"), &counts);
  g_assert_cmpint (counts.choice, ==, CS_FILE_NOT_CHOSEN);
  cs_chooser_get_folder_counts (chooser, CS_CHOOSER_ROOT, &counts);
  g_assert_cmpint (counts.choice, ==, CS_FILE_PARTLY_CHOSEN);
  g_assert_cmpuint (counts.functions_chosen, ==, 1);
  g_assert_cmpuint (counts.files_chosen, ==, 2);
  /* Two at once wait for each other. */
  numbers[0] = find_file (chooser, "src/log.c");
  cs_chooser_set_files (chooser, numbers, 1, TRUE);
  numbers[0] = find_function (chooser, "src/net/parse.c", "parse");
  cs_chooser_set_functions (chooser, numbers, 1, CS_FUNCTION_TRACE, 0);
  wait_until (is_settled (chooser));
  assert_chosen (chooser, "main; log_open; parse");
  cs_chooser_get_file_counts (chooser, find_file (chooser, "src/net/parse.c"), &counts);
  g_assert_cmpint (counts.choice, ==, CS_FILE_PARTLY_CHOSEN);
  g_assert_cmpuint (counts.functions_chosen, ==, 1);
  g_assert_cmpuint (counts.functions, ==, 2);
  cs_chooser_undo (chooser);
  wait_until (is_settled (chooser));
  assert_chosen (chooser, "main; log_open");
  cs_chooser_undo (chooser);
  cs_chooser_undo (chooser);
  g_assert_false (cs_chooser_get_can_undo (chooser));
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "# mine\nexclude src/log.c\n");
  g_assert_false (cs_chooser_get_dirty (chooser));
  cs_chooser_redo (chooser);
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "# mine\nexclude src/log.c\nexclude src/net/\n");
  wait_until (is_settled (chooser));
  /* A subtree needs the calls. */
  numbers[0] = find_function (chooser, "src/net/parse.c", "parse");
  cs_chooser_set_text (chooser, "include main.c\n");
  cs_chooser_set_functions (chooser, numbers, 1, CS_FUNCTION_SUBTREE, 1);
  wait_until (is_settled (chooser));
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "include main.c\ninclude-func parse 1\n");
  assert_chosen (chooser, "main; line parse");
  g_assert_true (cs_chooser_get_function (chooser, find_file (chooser, "src/net/parse.c"), 1, &chosen, &action, &depth));
  g_assert_true (chosen);
  g_assert_cmpint (action, ==, CS_FUNCTION_SUBTREE);
  g_assert_cmpint (depth, ==, 1);
  /* All of them on: the subtree stays. */
  numbers[1] = find_function (chooser, "src/net/emit.c", "emit");
  cs_chooser_tick_functions (chooser, numbers, 2, TRUE);
  wait_until (is_settled (chooser));
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "include main.c\ninclude-func parse 1\ninclude-func emit 0\n");
  g_assert_cmpstr (fixture->told->str, ==, "");
  tear_down (fixture);
}

static void
test_text (void)
{
  Fixture fixed, *fixture = &fixed;
  CsChooser *chooser;
  guint32 file;

  set_up (fixture);
  make_project (fixture);
  write_file (fixture, "trace.config", "include main.c\n");
  chooser = make_chooser (fixture, NULL);
  wait_until (is_settled (chooser));
  cs_chooser_set_text (chooser, "include main.c\nnonsense\n");
  wait_until (is_settled (chooser));
  g_assert_cmpuint (cs_chooser_get_text_error_line (chooser), ==, 2);
  g_assert_nonnull (strstr (cs_chooser_get_text_error (chooser), "'nonsense' is no directive"));
  assert_chosen (chooser, "main");
  file = find_file (chooser, "src/log.c");
  cs_chooser_set_files (chooser, &file, 1, TRUE);
  wait_until (is_settled (chooser));
  assert_told (fixture, "'nonsense' is no directive");
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "include main.c\nnonsense\n");
  /* A name that no function has is an error of its line, too. */
  cs_chooser_set_text (chooser, "include main.c\n\ninclude-func prase\n");
  wait_until (is_settled (chooser));
  g_assert_cmpuint (cs_chooser_get_text_error_line (chooser), ==, 3);
  g_assert_nonnull (strstr (cs_chooser_get_text_error (chooser), "the nearest: parse"));
  assert_chosen (chooser, "main");
  cs_chooser_set_text (chooser, "include src/net/\n");
  wait_until (is_settled (chooser));
  g_assert_null (cs_chooser_get_text_error (chooser));
  assert_chosen (chooser, "emit unused; line parse");
  /* Of many texts the last counts. */
  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *text = g_strdup_printf ("include src/net/\n# %u\n%s", i, i == 199 ? "include main.c\n" : "");

      cs_chooser_set_text (chooser, text);
      if (i % 7 == 0)
        g_main_context_iteration (NULL, FALSE);
    }
  wait_until (is_settled (chooser));
  assert_chosen (chooser, "main; emit unused; line parse");
  tear_down (fixture);
}

static void
type (CsChooser *chooser, const char *letters)
{
  for (; *letters != '\0'; letters++)
    {
      g_autofree char *text = g_strdup_printf ("%s%c", cs_chooser_get_text (chooser), *letters);

      cs_chooser_set_text (chooser, text);
    }
}

static void
test_undo (void)
{
  Fixture fixed, *fixture = &fixed;
  CsChooser *chooser;

  set_up (fixture);
  make_project (fixture);
  write_file (fixture, "trace.config", "");
  chooser = make_chooser (fixture, NULL);
  wait_until (is_settled (chooser));
  type (chooser, "# one\n# two");
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "# one\n# two");
  cs_chooser_undo (chooser);
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "# one\n");
  cs_chooser_undo (chooser);
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "");
  g_assert_false (cs_chooser_get_can_undo (chooser));
  cs_chooser_redo (chooser);
  cs_chooser_redo (chooser);
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "# one\n# two");
  g_assert_false (cs_chooser_get_can_redo (chooser));
  /* Taking away is another step than adding, and a new step ends redoing. */
  cs_chooser_set_text (chooser, "# one\n# tw");
  cs_chooser_set_text (chooser, "# one\n# t");
  type (chooser, "x");
  cs_chooser_undo (chooser);
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "# one\n# t");
  cs_chooser_undo (chooser);
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "# one\n# two");
  type (chooser, "y");
  g_assert_false (cs_chooser_get_can_redo (chooser));
  /* Elsewhere is another step. */
  cs_chooser_set_text (chooser, "z# one\n# twoy");
  cs_chooser_undo (chooser);
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "# one\n# twoy");
  tear_down (fixture);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  g_clear_error (&fixture->error);
  cs_chooser_save_finish (CS_CHOOSER (source), result, &fixture->error);
  fixture->done = TRUE;
}

static void
save (Fixture *fixture)
{
  fixture->done = FALSE;
  cs_chooser_save_async (fixture->chooser, NULL, on_saved, fixture);
  wait_until (fixture->done);
}

static void
test_save (void)
{
  Fixture fixed, *fixture = &fixed;
  g_autoptr (GPtrArray) diff = NULL;
  g_autofree char *text = NULL;
  g_autofree char *saved = NULL;
  CsChooser *chooser;

  set_up (fixture);
  make_project (fixture);
  chooser = make_chooser (fixture, NULL);
  wait_until (is_settled (chooser));
  /* What a new file begins with is no change of the person's. */
  diff = cs_chooser_dup_diff (chooser, 0);
  g_assert_cmpuint (diff->len, ==, 0);
  g_clear_pointer (&diff, g_ptr_array_unref);
  text = g_strconcat (cs_trace_config_starter_text (), "exclude src/\n", NULL);
  cs_chooser_set_text (chooser, text);
  diff = cs_chooser_dup_diff (chooser, 0);
  g_assert_cmpuint (diff->len, ==, 1);
  g_assert_cmpstr (((CsConfigDiffLine *) diff->pdata[0])->text, ==, "exclude src/");
  g_clear_pointer (&diff, g_ptr_array_unref);
  cs_chooser_set_text (chooser, cs_trace_config_starter_text ());
  save (fixture);
  g_assert_no_error (fixture->error);
  saved = read_file (fixture, "trace.config");
  g_assert_cmpstr (saved, ==, cs_trace_config_starter_text ());
  cs_chooser_set_text (chooser, "# a\ninclude main.c\n");
  g_assert_true (cs_chooser_get_dirty (chooser));
  save (fixture);
  g_assert_no_error (fixture->error);
  g_assert_false (cs_chooser_get_dirty (chooser));
  g_free (saved);
  saved = read_file (fixture, "trace.config");
  g_assert_cmpstr (saved, ==, "# a\ninclude main.c\n");
  cs_chooser_set_text (chooser, "# a\ninclude main.c\ninclude src/\n");
  diff = cs_chooser_dup_diff (chooser, 0);
  g_assert_cmpuint (diff->len, ==, 1);
  g_assert_cmpint (((CsConfigDiffLine *) diff->pdata[0])->sign, ==, '+');
  g_assert_cmpstr (((CsConfigDiffLine *) diff->pdata[0])->text, ==, "include src/");
  /* What can't be parsed isn't written. */
  cs_chooser_set_text (chooser, "nonsense\n");
  save (fixture);
  g_assert_error (fixture->error, CS_CHOOSER_ERROR, CS_CHOOSER_ERROR_TEXT);
  g_free (saved);
  saved = read_file (fixture, "trace.config");
  g_assert_cmpstr (saved, ==, "# a\ninclude main.c\n");
  rest (400);
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "nonsense\n");
  g_assert_false (cs_chooser_get_changed_outside (chooser));
  tear_down (fixture);
}

static void
test_outside (void)
{
  Fixture fixed, *fixture = &fixed;
  g_autofree char *saved = NULL;
  CsChooser *chooser;

  set_up (fixture);
  make_project (fixture);
  write_file (fixture, "trace.config", "include main.c\n");
  chooser = make_chooser (fixture, NULL);
  wait_until (is_settled (chooser));
  /* Without changes here it is loaded, and that can be undone. */
  write_file (fixture, "trace.config", "include src/log.c\n");
  wait_until (g_str_equal (cs_chooser_get_text (chooser), "include src/log.c\n"));
  g_assert_false (cs_chooser_get_dirty (chooser));
  assert_told (fixture, "trace.config was changed by another program");
  wait_until (is_settled (chooser));
  assert_chosen (chooser, "log_open");
  cs_chooser_undo (chooser);
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "include main.c\n");
  g_assert_true (cs_chooser_get_dirty (chooser));
  /* With changes here neither is lost. */
  write_file (fixture, "trace.config", "# other\n");
  wait_until (cs_chooser_get_changed_outside (chooser));
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "include main.c\n");
  save (fixture);
  g_assert_error (fixture->error, CS_CHOOSER_ERROR, CS_CHOOSER_ERROR_OUTSIDE);
  saved = read_file (fixture, "trace.config");
  g_assert_cmpstr (saved, ==, "# other\n");
  cs_chooser_reload (chooser);
  wait_until (!cs_chooser_get_changed_outside (chooser));
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "# other\n");
  cs_chooser_undo (chooser);
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "include main.c\n");
  /* Saving notices before the monitor does. */
  write_file (fixture, "trace.config", "# another\n");
  save (fixture);
  g_assert_error (fixture->error, CS_CHOOSER_ERROR, CS_CHOOSER_ERROR_OUTSIDE);
  g_assert_true (cs_chooser_get_changed_outside (chooser));
  cs_chooser_keep (chooser);
  g_assert_false (cs_chooser_get_changed_outside (chooser));
  g_assert_true (cs_chooser_get_dirty (chooser));
  save (fixture);
  g_assert_no_error (fixture->error);
  g_free (saved);
  saved = read_file (fixture, "trace.config");
  g_assert_cmpstr (saved, ==, "include main.c\n");
  /* A file that is gone. */
  run (fixture->root, "rm trace.config");
  wait_until (cs_chooser_get_dirty (chooser));
  assert_told (fixture, "trace.config was deleted");
  g_assert_cmpstr (cs_chooser_get_text (chooser), ==, "include main.c\n");
  save (fixture);
  g_assert_no_error (fixture->error);
  tear_down (fixture);
}

static void
test_unusable (void)
{
  static const struct
  {
    const char *command, *error;
  } cases[] = {
    { "printf 'include a\\n# \\377\\n' > trace.config", "trace.config:2: there are bytes that are no UTF-8" },
    { "printf 'a\\0b' > trace.config", "trace.config:1: there is a NUL byte" },
    { "mkdir trace.config", "it is a folder" },
    { "mkfifo trace.config", "it is no regular file" },
    { "head -c 1100000 /dev/zero | tr '\\0' '#' > trace.config", "it is longer than 1 MiB" },
    { "ln -s trace.config trace.config", "it can't be read" },
    { "printf 'nonsense\\n' > trace.config", "trace.config:1: 'nonsense' is no directive" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Fixture fixed, *fixture = &fixed;
      CsChooser *chooser;
      guint32 file;

      set_up (fixture);
      make_project (fixture);
      run (fixture->root, cases[i].command);
      chooser = make_chooser (fixture, NULL);
      wait_until (is_settled (chooser) && cs_chooser_get_text_error (chooser) != NULL);
      if (strstr (cs_chooser_get_text_error (chooser), cases[i].error) == NULL)
        g_error ("'%s', not '%s'", cs_chooser_get_text_error (chooser), cases[i].error);
      g_assert_cmpuint (cs_chooser_get_n_files (chooser), ==, 5);
      file = find_file (chooser, "src/log.c");
      cs_chooser_set_files (chooser, &file, 1, FALSE);
      wait_until (!cs_chooser_get_editing (chooser));
      assert_told (fixture, cases[i].error);
      if (i + 1 < G_N_ELEMENTS (cases))
        {
          cs_chooser_set_text (chooser, "include main.c\n");
          g_assert_cmpstr (cs_chooser_get_text (chooser), !=, "include main.c\n");
          save (fixture);
          g_assert_error (fixture->error, CS_CHOOSER_ERROR, CS_CHOOSER_ERROR_TEXT);
        }
      /* Once it is mended all goes on. */
      run (fixture->root, "rm -rf trace.config; echo 'include main.c' > trace.config");
      cs_chooser_reload (chooser);
      wait_until (cs_chooser_get_text_error (chooser) == NULL && is_settled (chooser) &&
                  cs_chooser_get_selection (chooser) != NULL);
      assert_chosen (chooser, "main");
      tear_down (fixture);
    }
}

static void
test_no_sources (void)
{
  Fixture fixed, *fixture = &fixed;
  CsChooser *chooser;

  set_up (fixture);
  write_file (fixture, "readme.txt", "nothing\n");
  chooser = make_chooser (fixture, NULL);
  wait_until (cs_chooser_get_state (chooser) == CS_CHOOSER_FAILED);
  g_assert_nonnull (strstr (cs_chooser_get_error (chooser), "there are no C or C++ sources"));
  /* They come later. */
  write_file (fixture, "main.c", "int main (void) { return 0; }\n");
  wait_until (is_settled (chooser) && cs_chooser_get_state (chooser) == CS_CHOOSER_READY);
  g_assert_null (cs_chooser_get_error (chooser));
  assert_chosen (chooser, "main");
  /* And the whole folder goes. */
  remove_folder (fixture);
  wait_until (cs_chooser_get_state (chooser) == CS_CHOOSER_FAILED);
  g_assert_nonnull (strstr (cs_chooser_get_error (chooser), fixture->root));
  g_assert_cmpuint (cs_chooser_get_n_files (chooser), ==, 0);
  g_assert_null (cs_chooser_get_selection (chooser));
  tear_down (fixture);

  set_up (fixture);
  remove_folder (fixture);
  chooser = make_chooser (fixture, NULL);
  wait_until (cs_chooser_get_state (chooser) == CS_CHOOSER_FAILED);
  g_assert_nonnull (strstr (cs_chooser_get_error (chooser), fixture->root));
  g_assert_cmpint (g_mkdir (fixture->root, 0755), ==, 0);
  make_project (fixture);
  cs_chooser_load (chooser);
  wait_until (is_settled (chooser) && cs_chooser_get_state (chooser) == CS_CHOOSER_READY);
  g_assert_cmpuint (cs_chooser_get_n_files (chooser), ==, 5);
  tear_down (fixture);
}

static void
test_no_ctags (void)
{
  const CsScanOptions options = { .ctags = "/nowhere/ctags", .no_cache = TRUE };
  Fixture fixed, *fixture = &fixed;
  g_auto (GStrv) warnings = NULL;
  CsChooser *chooser;

  set_up (fixture);
  make_project (fixture);
  chooser = make_chooser (fixture, &options);
  wait_until (is_settled (chooser));
  assert_chosen (chooser, "main; log_open; emit unused; line parse");
  g_assert_cmpstr (cs_chooser_get_scanner (chooser), ==, "built-in scan");
  warnings = cs_chooser_dup_warnings (chooser);
  g_assert_nonnull (warnings[0]);
  g_assert_nonnull (strstr (warnings[0], "/nowhere/ctags"));
  tear_down (fixture);
}

static void
test_sources_change (void)
{
  Fixture fixed, *fixture = &fixed;
  CsChooser *chooser;
  guint before;

  set_up (fixture);
  make_project (fixture);
  write_file (fixture, "trace.config", "include src/net/\n");
  chooser = make_chooser (fixture, NULL);
  wait_until (is_settled (chooser));
  before = fixture->files_changed;
  write_file (fixture, "src/net/a.c", "int added (void) { return 1; }\n");
  wait_until (cs_chooser_find_file (chooser, "src/net/a.c") != CS_CHOOSER_NONE && is_settled (chooser));
  g_assert_cmpuint (fixture->files_changed, ==, before + 1);
  assert_chosen (chooser, "added; emit unused; line parse");
  /* A file's functions change: the list of files stays. */
  write_file (fixture, "src/net/a.c", "int added (void) { return 1; }\nint more (void) { return 1; }\n");
  wait_until (is_chosen (chooser, "added more; emit unused; line parse"));
  g_assert_cmpuint (fixture->files_changed, ==, before + 1);
  /* As many files, but another one. */
  run (fixture->root, "mv src/net/a.c src/net/b.c");
  wait_until (cs_chooser_find_file (chooser, "src/net/b.c") != CS_CHOOSER_NONE && is_settled (chooser));
  g_assert_cmpuint (fixture->files_changed, ==, before + 2);
  g_assert_cmpuint (cs_chooser_find_file (chooser, "src/net/a.c"), ==, CS_CHOOSER_NONE);
  run (fixture->root, "mv src/net/b.c src/net/a.c");
  wait_until (cs_chooser_find_file (chooser, "src/net/a.c") != CS_CHOOSER_NONE && is_settled (chooser));
  /* While the text is wrong the last good one counts, also for new files. */
  cs_chooser_set_text (chooser, "nonsense\n");
  wait_until (cs_chooser_get_text_error (chooser) != NULL);
  run (fixture->root, "rm src/net/emit.c");
  wait_until (cs_chooser_find_file (chooser, "src/net/emit.c") == CS_CHOOSER_NONE && is_settled (chooser));
  assert_chosen (chooser, "added more; line parse");
  tear_down (fixture);
}

static void
on_subtree (GObject *source, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  g_clear_error (&fixture->error);
  g_clear_pointer (&fixture->subtree, cs_subtree_free);
  fixture->subtree = cs_chooser_preview_subtree_finish (CS_CHOOSER (source), result, &fixture->error);
  fixture->done = TRUE;
}

static void
on_choice (GObject *source, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  g_clear_error (&fixture->error);
  g_clear_pointer (&fixture->selection, cs_selection_unref);
  fixture->selection = cs_chooser_choose_saved_finish (CS_CHOOSER (source), result, &fixture->error);
  fixture->done = TRUE;
}

static void
test_others (void)
{
  Fixture fixed, *fixture = &fixed;
  CsChooser *chooser;

  set_up (fixture);
  make_project (fixture);
  write_file (fixture, "trace.config", "include-func parse\n");
  /* Asked for at once, it waits for all that it needs. */
  chooser = make_chooser (fixture, NULL);
  cs_chooser_choose_saved_async (chooser, NULL, on_choice, fixture);
  wait_until (fixture->done);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (cs_selection_get_counts (fixture->selection)->functions_chosen, ==, 2);
  /* It is of the file, not of the text. */
  wait_until (is_settled (chooser));
  assert_chosen (chooser, "line parse");
  cs_chooser_set_text (chooser, "include main.c\n");
  fixture->done = FALSE;
  cs_chooser_choose_saved_async (chooser, NULL, on_choice, fixture);
  wait_until (fixture->done);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (cs_selection_get_counts (fixture->selection)->functions_chosen, ==, 2);
  fixture->done = FALSE;
  cs_chooser_preview_subtree_async (chooser, "main", CS_DEPTH_FULL, NULL, on_subtree, fixture);
  wait_until (fixture->done);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->subtree->n_reached, ==, 4);
  fixture->done = FALSE;
  cs_chooser_preview_subtree_async (chooser, "mian", 1, NULL, on_subtree, fixture);
  wait_until (fixture->done);
  g_assert_error (fixture->error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_SEED);
  write_file (fixture, "trace.config", "nonsense\n");
  fixture->done = FALSE;
  cs_chooser_choose_saved_async (chooser, NULL, on_choice, fixture);
  wait_until (fixture->done);
  g_assert_error (fixture->error, CS_TRACE_CONFIG_ERROR, CS_TRACE_CONFIG_ERROR_SYNTAX);
  /* Without a file everything is chosen. */
  run (fixture->root, "rm trace.config");
  fixture->done = FALSE;
  cs_chooser_choose_saved_async (chooser, NULL, on_choice, fixture);
  wait_until (fixture->done);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (cs_selection_get_counts (fixture->selection)->functions_chosen, ==, 6);
  /* Closed, it answers. */
  fixture->done = FALSE;
  cs_chooser_preview_subtree_async (chooser, "main", 1, NULL, on_subtree, fixture);
  cs_chooser_close (chooser);
  wait_until (fixture->done);
  tear_down (fixture);
}

/* Functions of a file are known before all are, and are those that the index has then. */
static void
test_stream (void)
{
  const CsScanOptions options = { .built_in = TRUE, .no_cache = TRUE, .workers = 1 };
  Fixture fixed, *fixture = &fixed;
  g_autofree char **names = NULL;
  CsChooser *chooser;
  CsChooserCounts counts;
  guint n = 600, early = 0;

  set_up (fixture);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("d%u/f%u.c", i % 30, i);
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint j = 0; j < 60; j++)
        g_string_append_printf (text, "/* a comment */\nint f%u_%u (int a)\n{\n  if (a > %u)\n    return f%u (a - 1);\n"
                                "  return 0;\n}\n", i, j, i, i);
      write_file (fixture, path, text->str);
    }
  write_file (fixture, "trace.config", "exclude d3/\n");
  names = g_new0 (char *, n);
  chooser = make_chooser (fixture, &options);
  wait_until (fixture->functions_changed > 0);
  g_assert_cmpint (cs_chooser_get_state (chooser), ==, CS_CHOOSER_SCANNING);
  g_assert_cmpfloat (cs_chooser_get_progress (chooser), <, 1);
  for (guint i = 0; i < n; i++)
    {
      guint count;
      const CsSourceFunction *functions = cs_chooser_get_functions (chooser, i, &count);

      if (functions == NULL)
        continue;
      g_assert_cmpuint (count, ==, 60);
      names[i] = g_strdup (functions[count - 1].name);
      early++;
    }
  g_assert_cmpuint (early, >, 0);
  g_assert_cmpuint (early, <, n);
  cs_chooser_get_folder_counts (chooser, CS_CHOOSER_ROOT, &counts);
  g_assert_cmpuint (counts.files, ==, n);
  g_assert_cmpuint (counts.files_scanned, ==, early);
  g_assert_cmpuint (counts.functions, ==, early * 60);
  /* What is chosen of files is known meanwhile. */
  wait_until (cs_chooser_get_selection (chooser) != NULL);
  cs_chooser_get_folder_counts (chooser, find_folder (chooser, "d3"), &counts);
  g_assert_true (counts.is_known);
  g_assert_cmpint (counts.choice, ==, CS_FILE_NOT_CHOSEN);
  wait_until (is_settled (chooser));
  for (guint i = 0; i < n; i++)
    {
      guint count;
      const CsSourceFunction *functions = cs_chooser_get_functions (chooser, i, &count);

      if (names[i] != NULL)
        g_assert_cmpstr (functions[count - 1].name, ==, names[i]);
      g_free (names[i]);
    }
  cs_chooser_get_folder_counts (chooser, CS_CHOOSER_ROOT, &counts);
  g_assert_cmpuint (counts.functions, ==, n * 60);
  g_assert_cmpuint (counts.functions_chosen, ==, (n - n / 30) * 60);
  /* Few signals for many files. */
  g_assert_cmpuint (fixture->functions_changed, <, n / 4);
  g_assert_cmpuint (fixture->files_changed, ==, 1);
  tear_down (fixture);
}

/* Ends at any moment. */
static void
test_end (void)
{
  for (guint i = 0; i < 24; i++)
    {
      Fixture fixed, *fixture = &fixed;
      CsChooser *chooser;
      guint32 zero = 0;

      set_up (fixture);
      make_project (fixture);
      write_file (fixture, "trace.config", i % 2 == 0 ? "include-func main\n" : "include src/\n");
      chooser = make_chooser (fixture, NULL);
      for (guint j = 0; j < 2 * i; j++)
        if (!g_main_context_iteration (NULL, FALSE))
          g_usleep (300);
      cs_chooser_preview_subtree_async (chooser, "main", 1, NULL, on_subtree, fixture);
      if (cs_chooser_get_n_files (chooser) > 0)
        cs_chooser_set_files (chooser, &zero, 1, TRUE);
      for (guint j = 0; j < i % 5; j++)
        g_main_context_iteration (NULL, FALSE);
      if (i % 3 == 0)
        {
          /* The reference of whoever waits ends with the answer. */
          cs_chooser_close (chooser);
          wait_until (fixture->done);
        }
      tear_down (fixture);
    }
}

static void
close_it (CsChooser *chooser)
{
  cs_chooser_close (chooser);
}

/* Whoever is told may close it there and then. */
static void
test_close_when_told (void)
{
  static const char *const signals[] = {
    "files-changed",  "functions-changed", "selection-changed", "notify::text",     "notify::state",    "notify::progress",
    "notify::choosing", "notify::editing", "notify::scanner",   "notify::dirty",    "notify::can-undo", "notify::text-error",
    "told",
  };

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (signals); i++)
    {
      Fixture fixed, *fixture = &fixed;
      CsChooser *chooser;
      guint32 zero = 0;

      set_up (fixture);
      make_project (fixture);
      chooser = make_chooser (fixture, NULL);
      if (i >= G_N_ELEMENTS (signals))
        wait_until (is_settled (chooser));
      g_signal_connect (chooser, signals[i % G_N_ELEMENTS (signals)], G_CALLBACK (close_it), NULL);
      if (i >= G_N_ELEMENTS (signals))
        {
          cs_chooser_set_files (chooser, &zero, 1, FALSE);
          rest (60);
          cs_chooser_set_text (chooser, "nonsense\n");
          rest (10);
          cs_chooser_undo (chooser);
          write_file (fixture, "trace.config", "# outside\n");
        }
      rest (i >= G_N_ELEMENTS (signals) ? 200 : 60);
      tear_down (fixture);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chooser/load", test_load);
  g_test_add_func ("/chooser/ticks", test_ticks);
  g_test_add_func ("/chooser/text", test_text);
  g_test_add_func ("/chooser/undo", test_undo);
  g_test_add_func ("/chooser/save", test_save);
  g_test_add_func ("/chooser/outside", test_outside);
  g_test_add_func ("/chooser/unusable", test_unusable);
  g_test_add_func ("/chooser/no-sources", test_no_sources);
  g_test_add_func ("/chooser/no-ctags", test_no_ctags);
  g_test_add_func ("/chooser/sources-change", test_sources_change);
  g_test_add_func ("/chooser/others", test_others);
  g_test_add_func ("/chooser/stream", test_stream);
  g_test_add_func ("/chooser/end", test_end);
  g_test_add_func ("/chooser/close-when-told", test_close_when_told);
  return g_test_run ();
}
