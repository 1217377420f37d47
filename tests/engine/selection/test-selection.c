/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "selection/cs-selection-file.h"
#include "selection/cs-selection-render.h"
#include "selection/cs-selection.h"

typedef struct
{
  const char *path, *text;
} File;

/* The project that configs choose of. Calls: parse → line → util, parse → emit; emit → log_open, log_line. */
static const File project[] = {
  { "main.c", "int parse (void);\nint main (void) { return parse (); }\nstatic int twin (void) { return 1; }\n"
              "int use_twin (void) { return twin (); }\n" },
  { "src/net/parse.c", "#include \"util.h\"\nint emit (void);\nint line (void) { return util (); }\n"
                       "int parse (void) { return line () + emit (); }\n" },
  { "src/net/emit.c", "int log_line (void);\nint log_open (void);\nint emit (void) { return log_open () + log_line (); }\n"
                      "static int twin (void) { return 2; }\nint use_other (void) { return twin (); }\n" },
  { "src/net/util.h", "static inline int util (void) { return 1; }\nstatic inline int unused (void) { return 2; }\n" },
  { "src/log.c", "int log_line (void) { return 1; }\nint log_open (void) { return 1; }\nint dialog (void) { return 1; }\n" },
  { "src/ring.cpp", "namespace ns {\nstruct Ring { void push (); void pop (); };\nvoid Ring::push () { pop (); }\n"
                    "void Ring::pop () {}\ntemplate <class T> struct Box { void get () {} };\n"
                    "void push () {}\n}\n" },
  { "src/empty.c", "extern int nothing;\n" },
  { "top.h", "#define NOTHING\n" },
};

/* A config, and what it chooses: "file: functions" sorted, a file that has none that are known without; * before a file
 * of which everything is chosen. Then what some warning says. */
static const struct
{
  const char *name, *config, *chosen, *warning;
} cases[] = {
  { "everything", "", "*main.c: main twin use_twin\n*src/empty.c:\n*src/log.c: dialog log_line log_open\n"
                      "*src/net/emit.c: emit twin use_other\n*src/net/parse.c: line parse\n*src/net/util.h: unused util\n"
                      "*src/ring.cpp: ns::Box::get ns::Ring::pop ns::Ring::push ns::push\n*top.h:\n", NULL },
  { "folder", "include src/net/\n",
    "*src/net/emit.c: emit twin use_other\n*src/net/parse.c: line parse\n*src/net/util.h: unused util\n", NULL },
  { "trailing-path", "include net/parse.c\n", "*src/net/parse.c: line parse\n", NULL },
  { "exclude-wins", "exclude parse.c\ninclude src/net\n", "*src/net/emit.c: emit twin use_other\n*src/net/util.h: unused util\n",
    NULL },
  { "exclude-alone", "exclude src\n", "*main.c: main twin use_twin\n*top.h:\n", NULL },
  { "no-file", "include src/nett/\ninclude main.c\n", "*main.c: main twin use_twin\n",
    "t.config:1: include src/nett/: matches no file" },
  { "nothing", "include src/nett/\n", "", "t.config: nothing is chosen of 8 files" },
  { "subtree", "include-func parse\n",
    "src/log.c: log_line log_open\nsrc/net/emit.c: emit\n*src/net/parse.c: line parse\nsrc/net/util.h: util\n", NULL },
  { "depth-0", "include-func parse 0\n", "src/net/parse.c: parse\n", NULL },
  { "depth-1", "include-func parse 1\n", "src/net/emit.c: emit\n*src/net/parse.c: line parse\n", NULL },
  { "union", "include main.c\ninclude-func parse 1\n",
    "*main.c: main twin use_twin\nsrc/net/emit.c: emit\n*src/net/parse.c: line parse\n", NULL },
  { "subtree-without-a-file", "include-func parse 1\nexclude emit.c\n", "*src/net/parse.c: line parse\n", NULL },
  { "subtree-without-a-function", "include-func parse 1\nexclude-func line\n", "src/net/emit.c: emit\nsrc/net/parse.c: parse\n",
    "t.config:2: exclude-func line: the compiler looks for it in names, so that it takes 1 other too: log_line" },
  { "two-subtrees", "include-func emit 0\ninclude-func main 0\n", "main.c: main\nsrc/net/emit.c: emit\n", NULL },
  { "twins", "include-func twin\n", "main.c: twin\nsrc/net/emit.c: twin\n", NULL },
  { "exclude-func", "include log.c\nexclude-func log\n", "",
    "t.config:2: exclude-func log: the compiler looks for it in names, so that it takes 3 others too: log_line, log_open, dialog" },
  { "exclude-func-exactly", "include log.c\nexclude-func log_line\n", "src/log.c: dialog log_open\n", NULL },
  { "exclude-func-of-nothing", "include log.c\nexclude-func nowhere\n", "*src/log.c: dialog log_line log_open\n",
    "t.config:2: exclude-func nowhere: is part of no function's name" },
  { "exclude-func-of-a-scope", "include ring.cpp\nexclude-func Ring::p\n", "src/ring.cpp: ns::Box::get ns::push\n",
    "t.config:2: exclude-func Ring::p: the compiler looks for it in names, so that it takes 2 others too" },
  { "exclude-func-of-a-method", "include ring.cpp\nexclude-func Ring::pop\n", "src/ring.cpp: ns::Box::get ns::Ring::push ns::push\n",
    NULL },
  { "named-and-excluded", "include-func parse\nexclude src/net/parse.c\ninclude main.c\n",
    "*main.c: main twin use_twin\nsrc/log.c: log_line log_open\nsrc/net/emit.c: emit\nsrc/net/util.h: util\n",
    "t.config:1: include-func parse: the function in src/net/parse.c isn't chosen, because of line 2, exclude src/net/parse.c" },
  { "method", "include-func Ring::push 0\n", "src/ring.cpp: ns::Ring::push\n", NULL },
  { "whole-name", "include-func ns::push 0\n", "src/ring.cpp: ns::push\n", NULL },
  { "name-of-several", "include-func push 0\n", "src/ring.cpp: ns::Ring::push ns::push\n", NULL },
  { "template-arguments", "include-func Box<int>::get\n", "src/ring.cpp: ns::Box::get\n", NULL },
  { "global-scope", "include-func ::main 0\n", "main.c: main\n", NULL },
  { "part-of-a-scope-is-no-name", "include-func ing::push 0\n", NULL,
    "t.config:1: include-func: no function of the sources is named 'ing::push' — the nearest: ns::Ring::push" },
  { "no-such-function", "\n\ninclude-func prase\n", NULL,
    "t.config:3: include-func: no function of the sources is named 'prase' — the nearest: parse" },
  { "no-such-counter", "counter-func lgo_line\n", NULL,
    "t.config:1: counter-func: no function of the sources is named 'lgo_line' — the nearest: log_line" },
  { "nothing-near", "include-func completely_different\n", NULL, "named 'completely_different' — name one" },
  { "counter-not-chosen", "include main.c\ncounter cycles\ncounter-func emit\n", "*main.c: main twin use_twin\n",
    "t.config:3: counter-func emit: the function in src/net/emit.c isn't chosen, so nothing of it is counted" },
};

static char *folder;
static CsFunctionIndex *project_index;
static CsCallGraph *project_graph;

static void
write_file (const char *root, const char *path, const char *text)
{
  g_autofree char *whole = g_build_filename (root, path, NULL);
  g_autofree char *parent = g_path_get_dirname (whole);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  g_assert_true (g_file_set_contents (whole, text, -1, NULL));
}

static void
make_project (void)
{
  g_autoptr (CsSourceTree) tree = NULL;
  g_autoptr (GError) error = NULL;
  const CsScanOptions options = { .no_cache = TRUE };

  folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (project); i++)
    write_file (folder, project[i].path, project[i].text);
  tree = cs_source_tree_new_sync (folder, NULL, &error);
  g_assert_no_error (error);
  project_index = cs_function_index_new_sync (tree, &options, NULL, &error);
  g_assert_no_error (error);
  project_graph = cs_call_graph_new_sync (project_index, NULL, &error);
  g_assert_no_error (error);
}

static CsSelection *
choose (const char *text, GError **error)
{
  g_autoptr (CsTraceConfig) config = cs_trace_config_parse (text, -1, "t.config", NULL);

  g_assert_nonnull (config);
  return cs_selection_new (config, project_index, cs_selection_needs_graph (config) ? project_graph : NULL, error);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static char *
describe_file (const CsSelection *selection, guint number)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const CsSourceFile *file = cs_function_index_get_files (project_index)->pdata[number];
  CsFileChoice choice = cs_selection_get_file (selection, number);
  const CsSourceFunction *functions;
  GString *text = g_string_new (choice == CS_FILE_CHOSEN ? "*" : "");
  gsize first, count, total;

  functions = cs_function_index_get_functions (project_index, &total);
  cs_function_index_get_of_file (project_index, number, &first, &count);
  for (gsize i = first; i < first + count; i++)
    if (cs_selection_has_function (selection, (guint32) i))
      g_ptr_array_add (names, cs_function_dup_qualified_name (&functions[i]));
  g_assert_cmpint (choice, ==, names->len == 0 && (count > 0 || choice == CS_FILE_NOT_CHOSEN) ? CS_FILE_NOT_CHOSEN
                               : names->len == count                                         ? CS_FILE_CHOSEN
                                                                                             : CS_FILE_PARTLY_CHOSEN);
  if (choice == CS_FILE_NOT_CHOSEN)
    {
      g_string_free (text, TRUE);
      return NULL;
    }
  g_ptr_array_sort (names, compare_texts);
  g_string_append_printf (text, "%s:", file->path);
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (text, " %s", (char *) names->pdata[i]);
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

/* As the cases tell it. */
static char *
describe (const CsSelection *selection)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *files = cs_function_index_get_files (project_index);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < files->len; i++)
    {
      const char *path = ((CsSourceFile *) files->pdata[i])->path;
      char *line = describe_file (selection, i);

      if (line != NULL)
        g_ptr_array_add (lines, g_strconcat (path, "\001", line, NULL));
      g_free (line);
    }
  g_ptr_array_sort (lines, compare_texts);
  for (guint i = 0; i < lines->len; i++)
    g_string_append (text, strchr (lines->pdata[i], '\001') + 1);
  return g_string_free (text, FALSE);
}

static gboolean
warns (const CsSelection *selection, const char *text)
{
  for (const char *const *warning = cs_selection_get_warnings (selection); *warning != NULL; warning++)
    if (strstr (*warning, text) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (CsSelection) selection = choose (cases[i].config, &error);
  g_autofree char *chosen = NULL;

  if (cases[i].chosen == NULL)
    {
      g_assert_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_SEED);
      g_assert_nonnull (strstr (error->message, cases[i].warning));
      return;
    }
  g_assert_no_error (error);
  chosen = describe (selection);
  g_assert_cmpstr (chosen, ==, cases[i].chosen);
  if (cases[i].warning != NULL)
    g_assert_true (warns (selection, cases[i].warning));
  else
    g_assert_cmpstr (cs_selection_get_warnings (selection)[0], ==, NULL);
}

static void
test_counts (void)
{
  g_autoptr (CsSelection) selection = choose ("\ninclude-func parse\nexclude-func log\ninclude src/empty.c\n", NULL);
  const CsSelectionCounts *counts = cs_selection_get_counts (selection);
  guint functions, files;

  g_assert_cmpuint (counts->sources, ==, 6);
  g_assert_cmpuint (counts->sources_chosen, ==, 3);
  g_assert_cmpuint (counts->headers, ==, 2);
  g_assert_cmpuint (counts->headers_chosen, ==, 1);
  g_assert_cmpuint (counts->functions, ==, 17);
  g_assert_cmpuint (counts->functions_chosen, ==, 4);
  /* What is excluded is still reached. */
  g_assert_cmpuint (counts->subtree, ==, 6);
  g_assert_cmpuint (counts->subtree_files, ==, 4);
  cs_selection_get_reached (selection, 0, &functions, &files);
  g_assert_cmpuint (functions, ==, 6);
  g_assert_cmpuint (files, ==, 4);
}

static void
test_counters (void)
{
  g_autoptr (CsSelection) selection = choose ("counter cycles\ncounter-func parse 1\ncounter-file src/log.c\n", NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL;
  const CsSourceFunction *functions;
  gsize count;

  functions = cs_function_index_get_functions (project_index, &count);
  for (gsize i = 0; i < count; i++)
    if (cs_selection_has_counter (selection, (guint32) i))
      g_ptr_array_add (names, cs_function_dup_qualified_name (&functions[i]));
  g_ptr_array_sort (names, compare_texts);
  g_ptr_array_add (names, NULL);
  text = g_strjoinv (" ", (char **) names->pdata);
  g_assert_cmpstr (text, ==, "dialog emit line log_line log_open parse");
}

static void
test_files_alone (void)
{
  g_autoptr (CsSourceTree) tree = cs_source_tree_new_sync (folder, NULL, NULL);
  g_autoptr (CsTraceConfig) config = cs_trace_config_parse ("include src/net\nexclude-func emit\n", -1, "t.config", NULL);
  g_autoptr (CsTraceConfig) functions = cs_trace_config_parse ("include-func emit 0\n", -1, "t.config", NULL);
  g_autoptr (CsSelection) selection = cs_selection_new_of_files (config, tree);
  g_autofree char *absolute = g_build_filename (folder, "src/net/none.c", NULL);

  g_assert_null (cs_selection_get_index (selection));
  g_assert_cmpuint (cs_selection_get_counts (selection)->sources_chosen, ==, 2);
  g_assert_cmpuint (cs_selection_get_counts (selection)->headers_chosen, ==, 1);
  g_assert_true (cs_selection_match_path (selection, "src/net/none.c"));
  g_assert_true (cs_selection_match_path (selection, absolute));
  g_assert_false (cs_selection_match_path (selection, "src/none.c"));
  g_assert_false (cs_selection_needs_functions (config));
  g_assert_true (cs_selection_needs_functions (functions));
  g_assert_false (cs_selection_needs_graph (functions));
}

/* A pattern with a slash in front is one for absolute paths. */
static void
test_absolute (void)
{
  g_autofree char *text = g_strdup_printf ("include %s/src/net/emit.c\ninclude /src/log.c\n", folder);
  g_autoptr (CsSelection) selection = choose (text, NULL);
  g_autofree char *chosen = describe (selection);

  g_assert_cmpstr (chosen, ==, "*src/net/emit.c: emit twin use_other\n");
  g_assert_true (warns (selection, "t.config:2: include /src/log.c: matches no file"));
}

static gint64
get_time (const char *path)
{
  GStatBuf st;

  g_assert_cmpint (g_stat (path, &st), ==, 0);
  return (gint64) st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
}

/* What is written is read back: every function that gcc may name. */
static void
test_written (void)
{
  g_autofree char *path = g_build_filename (folder, "out", "deep", "selection", NULL);
  g_autofree char *config_path = g_build_filename (folder, "t.config", NULL);
  const char *const mirrors[] = { "/a\nb", "/c\\d", NULL };
  CsSelectionFileOptions options = { .widen = TRUE, .runtime = "/r t\t\001", .command = "/c", .mirrors = mirrors };
  g_autoptr (CsSelection) selection = choose ("include-func parse\ninclude ring.cpp\nexclude-func a\\b\n", NULL);
  g_autoptr (CsSelectionFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  const CsSelectionFileOptions *read;
  gint64 time;

  write_file (folder, "t.config", "include-func parse\n");
  g_assert_true (cs_selection_write (selection, config_path, path, &options, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\nmirror /a\\nb\nmirror /c\\\\d\nhooks before-inlining\nfunctions widen\ninlining yes\n"
                                  "headers 1\nexclude-func a\\\\b\nfiles\n- "));
  g_assert_nonnull (strstr (text, "\n\t+ns::Box<>::get\n"));
  g_assert_nonnull (strstr (text, " src/net/util.h\n\t+util\n\t-unused\n"));
  g_assert_nonnull (strstr (text, " top.h\n"));
  g_assert_nonnull (strstr (text, " src/empty.c\n% "));
  file = cs_selection_file_load (path, &error);
  g_assert_no_error (error);
  g_assert_false (cs_selection_file_is_stale (file));
  read = cs_selection_file_get_options (file);
  g_assert_true (read->widen && !read->after_inlining && !read->no_inline);
  g_assert_cmpstr (read->runtime, ==, options.runtime);
  g_assert_cmpstr (read->mirrors[0], ==, mirrors[0]);
  g_assert_cmpstr (read->mirrors[1], ==, mirrors[1]);
  g_assert_cmpint (cs_selection_file_get_choice (file, "src/net/parse.c", "line"), ==, CS_CHOICE_YES);
  g_assert_cmpint (cs_selection_file_get_choice (file, "src/net/emit.c", "use_other"), ==, CS_CHOICE_NO);
  g_assert_cmpint (cs_selection_file_get_choice (file, "main.c", "main"), ==, CS_CHOICE_NO);

  /* The same again changes nothing; something else does. */
  time = get_time (path);
  g_usleep (20000);
  g_assert_true (cs_selection_write (selection, config_path, path, &options, &error));
  g_assert_cmpint (get_time (path), ==, time);
  options.no_inline = TRUE;
  g_assert_true (cs_selection_write (selection, config_path, path, &options, &error));
  g_assert_cmpint (get_time (path), !=, time);
}

static void
test_not_written (void)
{
  g_autofree char *path = g_build_filename (folder, "main.c", "selection", NULL);
  g_autofree char *taken = g_build_filename (folder, "src", NULL);
  g_autoptr (CsSelection) selection = choose ("", NULL);
  const CsSelectionFileOptions options = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_false (cs_selection_write (selection, NULL, path, &options, &error));
  g_assert_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_FILE);
  g_clear_error (&error);
  g_assert_false (cs_selection_write (selection, NULL, taken, &options, &error));
  g_assert_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_FILE);
}

static void
remove_project (void)
{
  g_autofree char *quoted = g_shell_quote (folder);
  g_autofree char *command = g_strdup_printf ("rm -r %s", quoted);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  cs_call_graph_unref (project_graph);
  cs_function_index_unref (project_index);
  g_free (folder);
}

/* Rules by the dozen, each of which is asked alone. */
static void
check_rules (const CsTraceConfig *config)
{
  g_autoptr (CsSelection) selection = cs_selection_new (config, project_index, project_graph, NULL);
  GPtrArray *files = cs_selection_get_files (selection);
  const CsSourceFunction *functions;
  const CsDirective *rules;
  gsize n_rules, total;

  rules = cs_trace_config_get_directives (config, &n_rules);
  functions = cs_function_index_get_functions (project_index, &total);
  for (guint32 i = 0; i < total; i++)
    {
      const char *path = ((CsSourceFile *) files->pdata[functions[i].file])->path;
      g_autofree char *absolute = g_build_filename (cs_selection_get_root (selection), path, NULL);
      g_autofree char *name = cs_function_dup_qualified_name (&functions[i]);
      gboolean included = !cs_trace_config_has (config, CS_DIRECTIVE_INCLUDE), excluded = FALSE, counted = FALSE;

      for (gsize j = 0; j < n_rules; j++)
        {
          gboolean hit = rules[j].pattern != NULL
                           ? cs_pattern_match (rules[j].pattern, *rules[j].value == '/' ? absolute : path)
                           : strstr (name, rules[j].value) != NULL;

          included |= hit && rules[j].kind == CS_DIRECTIVE_INCLUDE;
          excluded |= hit && (rules[j].kind == CS_DIRECTIVE_EXCLUDE || rules[j].kind == CS_DIRECTIVE_EXCLUDE_FUNC);
          counted |= hit && rules[j].kind == CS_DIRECTIVE_COUNTER_FILE;
        }
      /* What gcc prints of a template isn't its name alone. */
      if ((functions[i].flags & CS_FUNCTION_SCOPE_TEMPLATE) != 0)
        continue;
      g_assert_cmpint (cs_selection_has_function (selection, i), ==, included && !excluded);
      g_assert_cmpint (cs_selection_has_counter (selection, i), ==, counted);
    }
}

static void
test_random_rules (void)
{
  static const char *const patterns[] = { "src", "src/net/", "*.c", "src/*.c", "main.c", "ring.c?p", "[m-p]*.c", ".", "**",
                                          "src/**/e*.c", "/nowhere", "net", "net/parse.c", "./src//log.c", "n", "/**/log.c",
                                          "src/ring.cpp/", "\\main.c" };
  static const char *const names[] = { "log", "line", "parse", "ns::", "Ring::p", "zz", "g", "use_twin", "twin", "og_l" };
  static const CsDirectiveKind kinds[] = { CS_DIRECTIVE_INCLUDE, CS_DIRECTIVE_EXCLUDE, CS_DIRECTIVE_EXCLUDE_FUNC,
                                           CS_DIRECTIVE_COUNTER_FILE };
  GRand *rand = g_rand_new_with_seed (3);

  for (guint round = 0; round < 500; round++)
    {
      g_autoptr (CsTraceConfig) config = cs_trace_config_new ();

      for (gint i = g_rand_int_range (rand, 0, 6); i > 0; i--)
        {
          CsDirectiveKind kind = kinds[g_rand_int_range (rand, 0, G_N_ELEMENTS (kinds))];
          const char *value = kind == CS_DIRECTIVE_EXCLUDE_FUNC ? names[g_rand_int_range (rand, 0, G_N_ELEMENTS (names))]
                                                                : patterns[g_rand_int_range (rand, 0, G_N_ELEMENTS (patterns))];

          g_assert_true (cs_trace_config_add (config, kind, value, 0, NULL));
        }
      check_rules (config);
    }
  g_rand_free (rand);
}

/* Of rules without number, a bounded number is told. */
/* What is rendered, read back, chooses what was wanted, unless a warning names the function; that is told of twins alone. */
static char *
check_rendered (const guint8 *wanted)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (CsTraceConfig) config = cs_selection_render (project_index, wanted, warnings, &error);
  g_autofree char *text = config != NULL ? cs_trace_config_to_text (config) : NULL;
  g_autoptr (CsSelection) selection = NULL;
  gsize count;
  guint different = 0;

  g_assert_no_error (error);
  selection = choose (text, &error);
  g_assert_no_error (error);
  cs_function_index_get_functions (project_index, &count);
  for (gsize i = 0; i < count; i++)
    different += cs_selection_has_function (selection, (guint32) i) != (wanted[i] != 0);
  g_assert_cmpuint (different, ==, warnings->len);
  for (guint i = 0; i < warnings->len; i++)
    g_assert_true (g_str_has_prefix (warnings->pdata[i], "twin of "));
  return g_steal_pointer (&text);
}

static void
test_rendered (void)
{
  const CsSourceFunction *functions;
  gsize count;
  g_autofree guint8 *wanted = NULL;
  g_autofree char *all = NULL;
  g_autofree char *none = NULL;
  g_autofree char *some = NULL;

  functions = cs_function_index_get_functions (project_index, &count);
  wanted = g_new0 (guint8, count);
  none = check_rendered (wanted);
  g_assert_cmpstr (none, ==, "exclude **\n");
  memset (wanted, 1, count);
  all = check_rendered (wanted);
  g_assert_cmpstr (all, ==, "");
  for (gsize i = 0; i < count; i++)
    {
      const CsSourceFile *file = cs_function_index_get_files (project_index)->pdata[functions[i].file];

      wanted[i] = g_str_has_prefix (file->path, "src/net/") || g_str_equal (functions[i].name, "dialog");
    }
  some = check_rendered (wanted);
  g_assert_cmpstr (some, ==, "include-func dialog 0\ninclude src/net/\n");
  for (guint round = 0; round < 300; round++)
    {
      g_autofree char *text = NULL;
      int share = g_test_rand_int_range (0, 5);

      for (gsize i = 0; i < count; i++)
        wanted[i] = i > 0 && functions[i].file == functions[i - 1].file && share > 2
                        ? wanted[i - 1]
                        : g_test_rand_int_range (0, 4) < share;
      text = check_rendered (wanted);
    }
}

/* A pattern matches the ends of paths, and letters of globs stand in names, too. */
static void
test_rendered_apart (void)
{
  g_autofree char *root = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *command = g_strdup_printf ("rm -r '%s'", root);
  const CsScanOptions options = { .no_cache = TRUE, .built_in = TRUE };
  const guint8 wanted[] = { 0, 1, 1, 0 }; /* lib/net/a.c, net/a.c, net/b[1]*.c, z.c */
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (CsSourceTree) tree = NULL;
  g_autoptr (CsFunctionIndex) index = NULL;
  g_autoptr (CsTraceConfig) config = NULL;
  g_autoptr (CsSelection) selection = NULL;
  g_autofree char *text = NULL;

  write_file (root, "lib/net/a.c", "int one (void) { return 1; }\n");
  write_file (root, "net/a.c", "int two (void) { return 1; }\n");
  write_file (root, "net/b[1]*.c", "int three (void) { return 1; }\n");
  write_file (root, "z.c", "int four (void) { return 1; }\n");
  tree = cs_source_tree_new_sync (root, NULL, NULL);
  index = cs_function_index_new_sync (tree, &options, NULL, NULL);
  config = cs_selection_render (index, wanted, warnings, NULL);
  g_assert_nonnull (config);
  g_assert_cmpuint (warnings->len, ==, 0);
  text = cs_trace_config_to_text (config);
  g_assert_cmpstr (text, ==, "include net/\nexclude lib/net/a.c\n");
  selection = cs_selection_new (config, index, NULL, NULL);
  for (guint32 i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_cmpint (cs_selection_has_function (selection, i), ==, wanted[i]);
  g_clear_pointer (&config, cs_trace_config_free);
  g_clear_pointer (&text, g_free);
  config = cs_selection_render (index, (const guint8[]){ 0, 0, 1, 0 }, warnings, NULL);
  text = cs_trace_config_to_text (config);
  g_assert_cmpstr (text, ==, "include net/b\\[1]\\*.c\n");
  g_assert_cmpuint (warnings->len, ==, 0);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

static void
test_many_rules (void)
{
  g_autoptr (GString) text = g_string_new ("include main.c\n");
  g_autoptr (CsTraceConfig) config = NULL;
  g_autoptr (CsSelection) selection = NULL;
  const char *const *warnings;

  for (guint i = 0; i < 8000; i++)
    g_string_append_printf (text, "include d%u/f.c\nexclude-func zz_%u\nexclude e%u/*.c\n", i, i, i);
  config = cs_trace_config_parse (text->str, -1, "t.config", NULL);
  selection = cs_selection_new (config, project_index, project_graph, NULL);
  g_assert_cmpuint (cs_selection_get_counts (selection)->functions_chosen, ==, 3);
  warnings = cs_selection_get_warnings (selection);
  g_assert_cmpuint (g_strv_length ((char **) warnings), ==, 101);
  g_assert_cmpstr (warnings[0], ==, "t.config:2: include d0/f.c: matches no file");
  g_assert_cmpstr (warnings[100], ==, "t.config: there may be more to say of its rules than these 100 lines");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  make_project ();
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/selection/%s", cases[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/selection/random-rules", test_random_rules);
  g_test_add_func ("/selection/many-rules", test_many_rules);
  g_test_add_func ("/selection/rendered", test_rendered);
  g_test_add_func ("/selection/rendered-apart", test_rendered_apart);
  g_test_add_func ("/selection/counts", test_counts);
  g_test_add_func ("/selection/counters", test_counters);
  g_test_add_func ("/selection/files-alone", test_files_alone);
  g_test_add_func ("/selection/absolute", test_absolute);
  g_test_add_func ("/selection/written", test_written);
  g_test_add_func ("/selection/not-written", test_not_written);
  status = g_test_run ();
  remove_project ();
  return status;
}
