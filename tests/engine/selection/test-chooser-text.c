/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "chooser-fixture.h"

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chooser/text", test_text);
  g_test_add_func ("/chooser/undo", test_undo);
  g_test_add_func ("/chooser/save", test_save);
  g_test_add_func ("/chooser/outside", test_outside);
  g_test_add_func ("/chooser/unusable", test_unusable);
  return g_test_run ();
}
