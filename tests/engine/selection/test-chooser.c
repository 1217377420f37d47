/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "chooser-fixture.h"

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
  g_test_add_func ("/chooser/no-sources", test_no_sources);
  g_test_add_func ("/chooser/no-ctags", test_no_ctags);
  g_test_add_func ("/chooser/sources-change", test_sources_change);
  g_test_add_func ("/chooser/others", test_others);
  g_test_add_func ("/chooser/stream", test_stream);
  g_test_add_func ("/chooser/end", test_end);
  g_test_add_func ("/chooser/close-when-told", test_close_when_told);
  return g_test_run ();
}
