/* SPDX-License-Identifier: MIT */
#pragma once

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

static inline void
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

static inline char *
read_file (const Fixture *fixture, const char *path)
{
  g_autofree char *whole = g_build_filename (fixture->root, path, NULL);
  char *text = NULL;

  g_file_get_contents (whole, &text, NULL, NULL);
  return text;
}

static inline void
run (const char *folder, const char *command)
{
  const char *const argv[] = { "sh", "-ec", command, NULL };
  int status;

  g_assert_true (g_spawn_sync (folder, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

static inline void
remove_folder (const Fixture *fixture)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", fixture->root);

  run ("/tmp", command);
}

static inline void
on_files (CsChooser *chooser, Fixture *fixture)
{
  g_assert_true (g_thread_self () == fixture->thread);
  fixture->files_changed++;
}

static inline void
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

static inline void
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

static inline void
on_told (CsChooser *chooser, const char *sentence, Fixture *fixture)
{
  g_assert_true (g_utf8_validate (sentence, -1, NULL));
  g_string_append_printf (fixture->told, "%s\n", sentence);
}

static inline void
on_text (CsChooser *chooser, GParamSpec *spec, Fixture *fixture)
{
  fixture->texts++;
}

static inline void
set_up (Fixture *fixture)
{
  memset (fixture, 0, sizeof *fixture);
  fixture->root = g_dir_make_tmp ("callsight-chooser-XXXXXX", NULL);
  fixture->told = g_string_new (NULL);
  fixture->thread = g_thread_self ();
}

/* Calls: main → parse → line; main → emit. */
static inline void
make_project (const Fixture *fixture)
{
  write_file (fixture, "main.c", "int parse (void);\nint emit (void);\nint main (void) { return parse () + emit (); }\n");
  write_file (fixture, "src/net/parse.c", "int line (void) { return 1; }\nint parse (void) { return line (); }\n");
  write_file (fixture, "src/net/emit.c", "int emit (void) { return 1; }\nstatic int unused (void) { return 2; }\n");
  write_file (fixture, "src/log.c", "int log_open (void) { return 1; }\n");
  write_file (fixture, "src/log.h", "int log_open (void);\n");
}

static inline CsChooser *
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

static inline gboolean
is_settled (CsChooser *chooser)
{
  return cs_chooser_get_state (chooser) >= CS_CHOOSER_READY && !cs_chooser_get_choosing (chooser) &&
         !cs_chooser_get_editing (chooser);
}

/* Runs the main loop for some time, in which nothing should happen. */
static inline void
rest (guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static inline void
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
static inline char *
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

static inline gboolean
is_chosen (CsChooser *chooser, const char *wanted)
{
  g_autofree char *chosen = list_chosen (chooser);

  return g_str_equal (chosen, wanted);
}

static inline void
assert_chosen (CsChooser *chooser, const char *wanted)
{
  g_autofree char *chosen = list_chosen (chooser);

  g_assert_cmpstr (chosen, ==, wanted);
}

static inline guint
find_file (CsChooser *chooser, const char *path)
{
  guint file = cs_chooser_find_file (chooser, path);

  g_assert_cmpuint (file, !=, CS_CHOOSER_NONE);
  return file;
}

static inline guint
find_folder (CsChooser *chooser, const char *path)
{
  for (guint i = 0; i < cs_chooser_get_n_folders (chooser); i++)
    if (g_str_equal (cs_chooser_get_folder (chooser, i)->path, path))
      return i;
  g_assert_not_reached ();
}

static inline guint32
find_function (CsChooser *chooser, const char *path, const char *name)
{
  guint file = find_file (chooser, path), count;
  const CsSourceFunction *functions = cs_chooser_get_functions (chooser, file, &count);

  for (guint i = 0; i < count; i++)
    if (g_str_equal (functions[i].name, name))
      return cs_chooser_get_function_number (chooser, file, i);
  g_assert_not_reached ();
}

static inline void
assert_told (Fixture *fixture, const char *part)
{
  if (strstr (fixture->told->str, part) == NULL)
    g_error ("'%s' isn't told, but '%s'", part, fixture->told->str);
  g_string_truncate (fixture->told, 0);
}
