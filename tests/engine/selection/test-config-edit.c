/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "selection/cs-config-edit.h"

typedef struct
{
  const char *path, *text;
} File;

/* Calls: run → parse → line → util, parse → emit; emit → log_line. "line" is part of "log_line", "init" of "init_all". */
static const File project[] = {
  { "main.c", "int run (void);\nint main (void) { return run (); }\nstatic int twin (void) { return 1; }\n"
              "int use_twin (void) { return twin (); }\n" },
  { "lib/main.c", "int library (void) { return 1; }\nint other (void) { return 1; }\n" },
  { "src/run.c", "int parse (void);\nint run (void) { return parse (); }\n" },
  { "src/net/parse.c", "int emit (void);\nint util (void);\nint line (void) { return util (); }\n"
                       "int parse (void) { return line () + emit (); }\n" },
  { "src/net/emit.c", "int log_line (void);\nint emit (void) { return log_line (); }\n"
                      "static int twin (void) { return 2; }\nint use_other (void) { return twin (); }\n" },
  { "src/net/util.c", "int util (void) { return 1; }\n" },
  { "src/log.c", "int log_line (void) { return 1; }\nint log_open (void) { return 1; }\nint dialog (void) { return 1; }\n" },
  { "src/init.c", "int init (void) { return 1; }\nint init_all (void) { return 1; }\nint leave (void) { return 1; }\n" },
  { "src/empty.h", "#define NOTHING\n" },
};

/* What is switched: files if they have a dot, folders if they end with a slash, otherwise functions (file:function where
 * several have the name); what comes of it, and what the warning says. */
static const struct
{
  const char *name, *before, *what;
  CsFunctionAction action; /* of files: TRACE or OFF */
  int depth;
  const char *after, *warning;
} cases[] = {
  { "file-off", "", "src/log.c", CS_FUNCTION_OFF, 0, "exclude src/log.c\n", NULL },
  { "file-on-again", "# all\nexclude src/log.c\n", "src/log.c", CS_FUNCTION_TRACE, 0, "# all\n", NULL },
  { "nothing-to-do", "exclude src/log.c\n", "src/log.c", CS_FUNCTION_OFF, 0, "exclude src/log.c\n", NULL },
  { "folder-off", "", "src/net/", CS_FUNCTION_OFF, 0, "exclude src/net/\n", NULL },
  { "files-of-a-folder-off", "", "src/net/emit.c src/net/parse.c src/net/util.c", CS_FUNCTION_OFF, 0,
    "exclude src/net/\n", NULL },
  { "some-files-off", "", "src/net/emit.c src/net/parse.c", CS_FUNCTION_OFF, 0,
    "exclude src/net/emit.c\nexclude src/net/parse.c\n", NULL },
  { "everything-off", "# none\n", "./", CS_FUNCTION_OFF, 0, "# none\nexclude **\n", NULL },
  { "everything-on", "exclude **\n", "./", CS_FUNCTION_TRACE, 0, "", NULL },
  { "everything-on-from-a-part", "include src/net/\n", "./", CS_FUNCTION_TRACE, 0, "include src/net/\ninclude .\n", NULL },
  { "included-file-off", "include src/log.c # log\ninclude src/net/\n", "src/log.c", CS_FUNCTION_OFF, 0,
    "#include src/log.c # log\ninclude src/net/\n", NULL },
  { "commented-file-on-again", "#include src/log.c # log\ninclude src/net/\n", "src/log.c", CS_FUNCTION_TRACE, 0,
    "include src/log.c # log\ninclude src/net/\n", NULL },
  { "last-include-stays", "include src/log.c\n", "src/log.c", CS_FUNCTION_OFF, 0,
    "include src/log.c\nexclude src/log.c\n", NULL },
  { "file-on", "include src/net/\n\n# end\n", "src/log.c", CS_FUNCTION_TRACE, 0,
    "include src/net/\ninclude src/log.c\n\n# end\n", NULL },
  { "folder-on", "include main.c\nexclude lib/\n", "src/net/", CS_FUNCTION_TRACE, 0,
    "include main.c\ninclude src/net/\nexclude lib/\n", NULL },
  { "one-of-an-excluded-folder-on", "exclude src/net/ # net\n", "src/net/util.c", CS_FUNCTION_TRACE, 0,
    "#exclude src/net/ # net\nexclude src/net/emit.c\nexclude src/net/parse.c\n", NULL },
  { "one-of-all-on", "exclude **\n", "src/net/util.c", CS_FUNCTION_TRACE, 0,
    "include src/net/util.c\n", NULL },
  { "path-at-the-end-of-another", "", "main.c", CS_FUNCTION_OFF, 0,
    "include lib/main.c\ninclude src/\n", NULL },
  { "path-at-the-end-of-another-on", "include src/log.c\n", "main.c", CS_FUNCTION_TRACE, 0,
    "include src/log.c\ninclude main.c\nexclude lib/main.c\n", NULL },
  { "header-off", "", "src/empty.h", CS_FUNCTION_OFF, 0, "exclude src/empty.h\n", NULL },
  { "indented", "  include src/net/  # here\n", "src/log.c", CS_FUNCTION_TRACE, 0,
    "  include src/net/  # here\n  include src/log.c\n", NULL },
  { "windows", "include src/net/\r\n# x\r\n", "src/log.c", CS_FUNCTION_TRACE, 0,
    "include src/net/\r\ninclude src/log.c\r\n# x\r\n", NULL },
  { "no-end", "include src/net/", "src/log.c", CS_FUNCTION_TRACE, 0, "include src/net/\ninclude src/log.c", NULL },

  { "function-off", "", "util", CS_FUNCTION_OFF, 0, "exclude src/net/util.c\n", NULL },
  { "function-of-many-off", "", "emit", CS_FUNCTION_OFF, 0, "exclude-func emit\n", NULL },
  { "function-on-again", "exclude-func emit\n", "emit", CS_FUNCTION_TRACE, 0, "", NULL },
  { "function-on", "include main.c\n", "emit", CS_FUNCTION_TRACE, 0, "include main.c\ninclude-func emit 0\n", NULL },
  { "included-function-off", "include lib/\ninclude-func emit 0\n", "emit", CS_FUNCTION_OFF, 0, "include lib/\n", NULL },
  { "part-of-a-name-off-by-name", "include src/init.c\n", "init", CS_FUNCTION_OFF, 0,
    "include-func init_all 0\ninclude-func leave 0\n", NULL },
  { "part-of-a-name-excluded", "include src/init.c\n", "init", CS_FUNCTION_EXCLUDE, 0,
    "include src/init.c\nexclude-func init\n", "Not traced now: init_all in src/init.c" },
  { "one-of-those-that-a-name-takes-on", "exclude-func log\n", "log_open", CS_FUNCTION_TRACE, 0,
    "exclude-func log_line\nexclude-func dialog\n", NULL },
  { "all-functions-of-a-file-off", "", "log_line log_open dialog", CS_FUNCTION_OFF, 0, "exclude src/log.c\n", NULL },
  { "all-functions-of-a-folder-off", "", "emit src/net/emit.c:twin use_other line parse util", CS_FUNCTION_OFF, 0,
    "exclude src/net/\n", NULL },
  { "all-functions-of-a-file-on", "include main.c\n", "log_line log_open dialog", CS_FUNCTION_TRACE, 0,
    "include main.c\ninclude src/log.c\n", NULL },
  { "subtree", "include src/run.c\n", "emit", CS_FUNCTION_SUBTREE, CS_DEPTH_FULL, "include src/run.c\ninclude-func emit\n",
    NULL },
  { "subtree-depth", "include src/run.c\n", "parse", CS_FUNCTION_SUBTREE, 1, "include src/run.c\ninclude-func parse 1\n",
    NULL },
  { "subtree-other-depth", "include-func parse   # deep\n", "parse", CS_FUNCTION_SUBTREE, 2,
    "include-func parse 2   # deep\n", NULL },
  { "subtree-to-trace", "include-func parse 3 # deep\n", "parse", CS_FUNCTION_TRACE, 0, "include-func parse 0 # deep\n",
    NULL },
  { "subtree-off", "include-func parse 1\ninclude lib/\n", "parse", CS_FUNCTION_OFF, 0, "include lib/\n", NULL },
  { "first-subtree", "# x\n", "parse", CS_FUNCTION_SUBTREE, CS_DEPTH_FULL, "# x\ninclude-func parse\n",
    "Only this is traced now" },
  { "excluded-function-as-subtree", "include main.c\nexclude-func emit\n", "emit", CS_FUNCTION_SUBTREE, 1,
    "include main.c\ninclude-func emit 1\n", NULL },
  { "exclude", "", "emit", CS_FUNCTION_EXCLUDE, 0, "exclude-func emit\n", NULL },
  { "exclude-included", "include main.c\ninclude-func emit 0 # e\n", "emit", CS_FUNCTION_EXCLUDE, 0,
    "include main.c\n#include-func emit 0 # e\nexclude-func emit\n", NULL },
  { "count", "", "emit", CS_FUNCTION_COUNT, 0, "counter-func emit\ncounter cycles\n", NULL },
  { "count-more", "counter instructions\ncounter-func emit\n", "leave", CS_FUNCTION_COUNT, 0,
    "counter instructions\ncounter-func emit\ncounter-func leave\n", NULL },
  { "count-unchosen", "include main.c\ncounter cycles\n", "emit", CS_FUNCTION_COUNT, 0,
    "include main.c\ncounter cycles\ncounter-func emit\ninclude-func emit 0\n", NULL },
  { "count-to-trace", "counter cycles\ncounter-func emit\n", "emit", CS_FUNCTION_TRACE, 0, "counter cycles\n", NULL },
  { "one-of-twins", "include src/run.c\n", "main.c:twin", CS_FUNCTION_TRACE, 0,
    "include src/run.c\ninclude-func twin 0\nexclude src/net/emit.c\n", NULL },
  { "one-of-twins-counted", "counter cycles\n", "main.c:twin", CS_FUNCTION_COUNT, 0, "counter cycles\ncounter-func twin\n",
    "twin is the name of other functions, too" },
};

static char *folder;
static CsFunctionIndex *project_index;
static CsCallGraph *project_graph;

static void
write_file (const char *root, const char *path, const char *text)
{
  g_autofree char *whole = g_build_filename (root, path, NULL);
  g_autofree char *parent = g_path_get_dirname (whole);
  FILE *file;

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  file = g_fopen (whole, "w");
  g_assert_nonnull (file);
  g_assert_cmpint (fputs (text, file), >=, 0);
  g_assert_cmpint (fclose (file), ==, 0);
}

static void
remove_folder (const char *path)
{
  g_autofree char *quoted = g_shell_quote (path);
  g_autofree char *command = g_strdup_printf ("rm -rf %s", quoted);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

static CsFunctionIndex *
scan (const char *root)
{
  const CsScanOptions options = { .no_cache = TRUE, .built_in = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (CsSourceTree) tree = cs_source_tree_new_sync (root, NULL, &error);
  CsFunctionIndex *index;

  g_assert_no_error (error);
  index = cs_function_index_new_sync (tree, &options, NULL, &error);
  g_assert_no_error (error);
  return index;
}

static CsSelection *
choose (CsFunctionIndex *index, CsCallGraph *graph, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CsTraceConfig) config = cs_trace_config_parse (text, -1, "t.config", &error);
  CsSelection *selection;

  g_assert_no_error (error);
  selection = cs_selection_new (config, index, graph, &error);
  g_assert_no_error (error);
  return selection;
}

static const char *
get_path (CsFunctionIndex *index, guint file)
{
  return ((CsSourceFile *) cs_function_index_get_files (index)->pdata[file])->path;
}

/* The files or functions that a word means. */
static void
find_word (CsFunctionIndex *index, const char *word, GArray *files, GArray *functions)
{
  guint n_files = cs_function_index_get_files (index)->len, before = files->len + (functions != NULL ? functions->len : 0);
  const char *colon = strchr (word, ':');

  for (guint i = 0; i < n_files; i++)
    {
      const char *path = get_path (index, i);

      if (g_str_equal (word, path) || g_str_equal (word, "./") ||
          (g_str_has_suffix (word, "/") && g_str_has_prefix (path, word)))
        g_array_append_val (files, i);
    }
  if (functions != NULL && files->len + functions->len == before)
    {
      gsize total, count;
      const CsSourceFunction *all = cs_function_index_get_functions (index, &total);
      const guint32 *found = cs_function_index_find (index, colon != NULL ? colon + 1 : word, &count);

      for (gsize i = 0; i < count; i++)
        if (colon == NULL || strncmp (get_path (index, all[found[i]].file), word, (gsize) (colon - word)) == 0)
          g_array_append_val (functions, found[i]);
    }
  g_assert_cmpuint (files->len + (functions != NULL ? functions->len : 0), >, before);
}

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (CsSelection) selection = choose (project_index, project_graph, cases[i].before);
  g_auto (GStrv) words = g_strsplit (cases[i].what, " ", -1);
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (CsTraceConfig) config = NULL;
  g_autofree char *warning = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  for (guint j = 0; words[j] != NULL; j++)
    find_word (project_index, words[j], files, functions);
  if (files->len > 0)
    config = cs_config_edit_set_files (selection, project_graph, (guint32 *) (gpointer) files->data, files->len,
                                       cases[i].action == CS_FUNCTION_TRACE, &warning, &error);
  else
    config = cs_config_edit_set_functions (selection, project_graph, (guint32 *) (gpointer) functions->data, functions->len,
                                           cases[i].action, cases[i].depth, &warning, &error);
  g_assert_no_error (error);
  text = cs_trace_config_to_text (config);
  g_assert_cmpstr (text, ==, cases[i].after);
  if (cases[i].warning == NULL)
    g_assert_cmpstr (warning, ==, NULL);
  else
    {
      g_assert_nonnull (warning);
      if (strstr (warning, cases[i].warning) == NULL)
        g_error ("the warning is: %s", warning);
    }
}

/* A tree and a config that were made by chance. */
typedef struct
{
  char *root;
  CsFunctionIndex *index;
  CsCallGraph *graph;
  GString *config;
  GPtrArray *comments; /* (element-type utf8): parts of lines of the config that must survive */
  gboolean plain;      /* no name is part of another, and no path the end of one */
} Random;

static const char *const some_folders[] = { "", "a/", "a/b/", "a/b/c/", "b/", "lib/a/", "x y/", "a/[z]/" };
static const char *const some_files[] = { "a", "main", "b", "a b", "list", "#x" };
static const char *const some_names[] = { "init", "init_all", "a", "read", "read_all", "re", "list", "list_free", "x" };

static void
random_tree (Random *random)
{
  guint number = 0;

  random->root = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (some_folders); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (some_files); j++)
      {
        g_autoptr (GString) text = g_string_new ("/* empty */\n");
        g_autofree char *path = random->plain ? g_strdup_printf ("d%zu/%s%zu_%zu.c", i / 3, i % 3 == 2 ? "sub/" : "", i, j)
                                              : g_strconcat (some_folders[i], some_files[j], ".c", NULL);
        guint n = (guint) g_test_rand_int_range (0, 5);

        if (g_test_rand_int_range (0, 3) == 0)
          continue;
        for (guint k = 0; k < n; k++, number++)
          if (random->plain)
            g_string_append_printf (text, "int f%04u_ (void) { return %s (); }\n", number, "g");
          else
            {
              const char *name = some_names[g_test_rand_int_range (0, G_N_ELEMENTS (some_names))];
              g_autofree char *known = g_strdup_printf (" %s (void)", name);

              if (strstr (text->str, known) == NULL)
                g_string_append_printf (text, "static int %s (void) { return %s (); }\n", name,
                                        some_names[g_test_rand_int_range (0, G_N_ELEMENTS (some_names))]);
            }
        write_file (random->root, path, text->str);
      }
  write_file (random->root, "d9/one.c", "int last_of_all (void) { return 1; }\n");
}

static char *
random_value (Random *random, CsDirectiveKind kind)
{
  gsize n_functions;
  const CsSourceFunction *functions = cs_function_index_get_functions (random->index, &n_functions);
  const char *path = get_path (random->index,
                               (guint) g_test_rand_int_range (0, (int) cs_function_index_get_files (random->index)->len));
  const char *name = functions[g_test_rand_int_range (0, (int) n_functions)].name;

  if (kind == CS_DIRECTIVE_INCLUDE_FUNC)
    return g_strdup (name);
  if (kind == CS_DIRECTIVE_EXCLUDE_FUNC)
    return random->plain || g_test_rand_bit () ? g_strdup (name) : g_strndup (name, 2);
  if (g_test_rand_bit () && strchr (path, '/') != NULL)
    return g_strndup (path, (gsize) (strchr (path, '/') - path) + 1);
  return g_strdup (path);
}

static void
random_config (Random *random, gboolean calls)
{
  static const CsDirectiveKind kinds[] = { CS_DIRECTIVE_INCLUDE, CS_DIRECTIVE_EXCLUDE, CS_DIRECTIVE_INCLUDE_FUNC,
                                           CS_DIRECTIVE_EXCLUDE_FUNC };
  guint n = (guint) g_test_rand_int_range (0, 7);

  for (guint i = 0; i < n; i++)
    {
      CsDirectiveKind kind = kinds[g_test_rand_int_range (0, G_N_ELEMENTS (kinds))];
      g_autofree char *value = random_value (random, kind);
      g_autoptr (CsTraceConfig) line = cs_trace_config_new ();
      g_autofree char *text = NULL;
      char *comment = g_strdup_printf ("# comment%c%u", g_test_rand_bit () ? ' ' : '\t', i);

      g_assert_true (cs_trace_config_add (line, kind, value, calls ? g_test_rand_int_range (-1, 3) : 0, NULL));
      text = cs_trace_config_to_text (line);
      g_strchomp (text);
      if (g_test_rand_bit ())
        g_string_append_printf (random->config, "%s\n%s\n\n", comment, text);
      else
        g_string_append_printf (random->config, "%s  %s\n", text, comment);
      g_ptr_array_add (random->comments, comment);
    }
}

static void
random_clear (Random *random)
{
  cs_call_graph_unref (random->graph);
  cs_function_index_unref (random->index);
  remove_folder (random->root);
  g_free (random->root);
  g_string_free (random->config, TRUE);
  g_ptr_array_unref (random->comments);
}

static void
assert_comments (const Random *random, const char *text)
{
  const char *from = text;

  for (guint i = 0; i < random->comments->len; i++)
    {
      const char *found = strstr (from, random->comments->pdata[i]);

      if (found == NULL)
        g_error ("'%s' is lost or moved: '%s' became '%s'", (char *) random->comments->pdata[i], random->config->str, text);
      from = found;
    }
}

/* Whether what is chosen is what was wanted, of functions and of files without any. */
static gboolean
is_wanted (const Random *random, const CsSelection *selection, const guint8 *want, const guint8 *want_file)
{
  gsize n_functions;
  gboolean same = TRUE;

  cs_function_index_get_functions (random->index, &n_functions);
  for (guint32 i = 0; i < n_functions; i++)
    same = same && cs_selection_has_function (selection, i) == want[i];
  for (guint i = 0; i < cs_function_index_get_files (random->index)->len; i++)
    {
      gsize first, count;

      cs_function_index_get_of_file (random->index, i, &first, &count);
      if (count == 0)
        same = same && (cs_selection_get_file (selection, i) != CS_FILE_NOT_CHOSEN) == want_file[i];
    }
  return same;
}

/* One edit by chance, and what must come of it. */
static void
random_edit (Random *random, gboolean of_files)
{
  g_autoptr (CsSelection) before = choose (random->index, random->graph, random->config->str);
  g_autoptr (CsSelection) after = NULL;
  g_autoptr (CsTraceConfig) config = NULL;
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *warning = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *want = NULL;
  g_autofree guint8 *want_file = NULL;
  gboolean on = g_test_rand_bit () != 0, exact;
  guint n_files = cs_function_index_get_files (random->index)->len;
  gsize n_functions;
  int from, n;

  cs_function_index_get_functions (random->index, &n_functions);
  want = g_new0 (guint8, n_functions + 1);
  want_file = g_new0 (guint8, n_files + 1);
  for (guint32 i = 0; i < n_functions; i++)
    want[i] = cs_selection_has_function (before, i) != 0;
  for (guint i = 0; i < n_files; i++)
    want_file[i] = cs_selection_get_file (before, i) != CS_FILE_NOT_CHOSEN;
  n = g_test_rand_bit () ? 1 : g_test_rand_int_range (1, 8);
  from = g_test_rand_int_range (0, (int) (of_files ? n_files : n_functions));
  for (guint32 i = (guint32) from; i < (of_files ? n_files : n_functions) && n > 0; i++, n--)
    {
      gsize first = i, count = 1;

      g_array_append_val (numbers, i);
      if (of_files)
        {
          want_file[i] = on;
          cs_function_index_get_of_file (random->index, i, &first, &count);
        }
      memset (want + first, on, count);
    }
  config = of_files ? cs_config_edit_set_files (before, random->graph, (guint32 *) (gpointer) numbers->data, numbers->len, on,
                                                &warning, &error)
                    : cs_config_edit_set_functions (before, random->graph, (guint32 *) (gpointer) numbers->data, numbers->len,
                                                    on ? CS_FUNCTION_TRACE : CS_FUNCTION_OFF, 0, &warning, &error);
  g_assert_no_error (error);
  text = cs_trace_config_to_text (config);
  assert_comments (random, text);
  after = choose (random->index, random->graph, text);
  exact = is_wanted (random, after, want, want_file);
  if (exact != (warning == NULL) || (random->plain && !exact))
    g_error ("'%s' became '%s' in %s, which is %s; the warning is: %s", random->config->str, text, random->root,
             exact ? "right" : "wrong", warning != NULL ? warning : "none");
  g_string_assign (random->config, text);
}

static void
test_random (gconstpointer data)
{
  gboolean plain = GPOINTER_TO_INT (data) & 1, of_files = GPOINTER_TO_INT (data) & 2;

  for (guint i = 0; i < 12; i++)
    {
      Random random = { .plain = plain };
      g_autoptr (GError) error = NULL;

      random_tree (&random);
      random.index = scan (random.root);
      random.graph = cs_call_graph_new_sync (random.index, NULL, &error);
      g_assert_no_error (error);
      for (guint j = 0; j < 6; j++)
        {
          random.config = g_string_new (NULL);
          random.comments = g_ptr_array_new_with_free_func (g_free);
          random_config (&random, of_files);
          for (guint k = 0; k < 5; k++)
            random_edit (&random, of_files);
          if (j < 5)
            {
              g_string_free (random.config, TRUE);
              g_ptr_array_unref (random.comments);
            }
        }
      random_clear (&random);
    }
}

/* Without functions files can be switched all the same. */
static void
test_files_only (void)
{
  g_autoptr (CsSourceTree) tree = cs_source_tree_new_sync (folder, NULL, NULL);
  g_autoptr (CsTraceConfig) before = cs_trace_config_parse ("# all\nexclude-func log\n", -1, "t.config", NULL);
  g_autoptr (CsSelection) selection = cs_selection_new_of_files (before, tree);
  g_autoptr (CsTraceConfig) config = NULL;
  g_autoptr (CsSelection) after = NULL;
  g_autofree char *warning = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (guint32));

  find_word (project_index, "src/net/", files, NULL);
  config = cs_config_edit_set_files (selection, NULL, (guint32 *) (gpointer) files->data, files->len, FALSE, &warning, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (warning, ==, NULL);
  text = cs_trace_config_to_text (config);
  g_assert_cmpstr (text, ==, "# all\nexclude-func log\nexclude src/net/\n");
  after = cs_selection_new_of_files (config, tree);
  for (guint i = 0; i < files->len; i++)
    g_assert_cmpint (cs_selection_get_file (after, g_array_index (files, guint32, i)), ==, CS_FILE_NOT_CHOSEN);
}

/* What each function is, in both ways to ask. */
static void
test_actions (void)
{
  g_autoptr (CsSelection) selection = choose (project_index, project_graph,
                                              "include src/\ninclude-func main 2\nexclude-func log_\ncounter cycles\n"
                                              "counter-func util\ncounter-func log_line\ncounter-func main\n");
  g_autofree guint8 *actions = cs_config_edit_list_actions (selection);
  static const struct
  {
    const char *name;
    CsFunctionAction action;
    int depth;
  } wanted[] = {
    { "main", CS_FUNCTION_SUBTREE, 2 },   { "library", CS_FUNCTION_OFF, 0 }, { "run", CS_FUNCTION_TRACE, 0 },
    { "log_line", CS_FUNCTION_EXCLUDE, 0 }, { "util", CS_FUNCTION_COUNT, 0 }, { "dialog", CS_FUNCTION_TRACE, 0 },
  };
  gsize total;

  cs_function_index_get_functions (project_index, &total);
  for (guint32 i = 0; i < total; i++)
    g_assert_cmpint (cs_config_edit_get_action (selection, i, NULL), ==, actions[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      gsize count;
      const guint32 *found = cs_function_index_find (project_index, wanted[i].name, &count);
      int depth;

      g_assert_cmpuint (count, ==, 1);
      g_assert_cmpstr (cs_function_action_get_name (cs_config_edit_get_action (selection, found[0], &depth)), ==,
                       cs_function_action_get_name (wanted[i].action));
      g_assert_cmpint (depth, ==, wanted[i].depth);
    }
}

/* A config that is nearly full says so. */
static void
test_full (void)
{
  g_autoptr (GString) text = g_string_new ("# comment\n");
  g_autoptr (CsSelection) selection = NULL;
  g_autoptr (CsTraceConfig) config = NULL;
  g_autofree char *warning = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (guint32));

  while (text->len < CS_TRACE_CONFIG_MAX_SIZE - 90)
    g_string_append (text, "# a comment that says nothing\n");
  selection = choose (project_index, project_graph, text->str);
  find_word (project_index, "src/log.c", files, NULL);
  config = cs_config_edit_set_files (selection, project_graph, (guint32 *) (gpointer) files->data, files->len, FALSE, &warning,
                                     &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (warning, "1 MiB"));
}

/* One that is full to the last byte has no room for the "#" that makes a comment of a rule, nor for a longer rule. */
static void
test_full_to_the_last_byte (void)
{
  static const struct
  {
    const char *rule, *what;
    CsFunctionAction action;
  } edits[] = {
    { "exclude src/log.c # why\n", "src/log.c", CS_FUNCTION_TRACE },
    { "include-func emit 1 # why\ninclude main.c # all\n", "emit", CS_FUNCTION_SUBTREE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      g_autoptr (GString) text = g_string_new (edits[i].rule);
      g_autoptr (CsSelection) selection = NULL;
      g_autoptr (CsTraceConfig) config = NULL;
      g_autofree char *warning = NULL;
      g_autofree char *after = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));

      while (text->len < CS_TRACE_CONFIG_MAX_SIZE - 80)
        g_string_append (text, "# a comment that says nothing\n");
      g_string_append_c (text, '#');
      while (text->len < CS_TRACE_CONFIG_MAX_SIZE - 1)
        g_string_append_c (text, '-');
      g_string_append_c (text, '\n');
      selection = choose (project_index, project_graph, text->str);
      find_word (project_index, edits[i].what, files, functions);
      if (functions->len > 0)
        config = cs_config_edit_set_functions (selection, project_graph, (guint32 *) (gpointer) functions->data, functions->len,
                                               edits[i].action, 1000000000, &warning, &error);
      else
        config = cs_config_edit_set_files (selection, project_graph, (guint32 *) (gpointer) files->data, files->len, TRUE,
                                           &warning, &error);
      g_assert_no_error (error);
      after = cs_trace_config_to_text (config);
      g_assert_cmpuint (strlen (after), <=, CS_TRACE_CONFIG_MAX_SIZE);
      if (functions->len > 0)
        g_assert_cmpstr (after, ==, text->str);
      else
        g_assert_null (strstr (after, "src/log.c"));
    }
}

int
main (int argc, char **argv)
{
  int status;
  g_autoptr (GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (project); i++)
    write_file (folder, project[i].path, project[i].text);
  project_index = scan (folder);
  project_graph = cs_call_graph_new_sync (project_index, NULL, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/config-edit/case/", cases[i].name, NULL);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/config-edit/files-only", test_files_only);
  g_test_add_func ("/config-edit/actions", test_actions);
  g_test_add_func ("/config-edit/full", test_full);
  g_test_add_func ("/config-edit/full-to-the-last-byte", test_full_to_the_last_byte);
  g_test_add_data_func ("/config-edit/random/files", GINT_TO_POINTER (2), test_random);
  g_test_add_data_func ("/config-edit/random/functions", GINT_TO_POINTER (0), test_random);
  g_test_add_data_func ("/config-edit/random/plain-files", GINT_TO_POINTER (3), test_random);
  g_test_add_data_func ("/config-edit/random/plain-functions", GINT_TO_POINTER (1), test_random);
  status = g_test_run ();
  cs_call_graph_unref (project_graph);
  cs_function_index_unref (project_index);
  remove_folder (folder);
  g_free (folder);
  return status;
}
