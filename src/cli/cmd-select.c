/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli-project.h"
#include "cli-text.h"
#include "cli.h"
#include "project/cs-observed.h"
#include "selection/cs-subtree.h"

#define DEPTH_DEFAULT G_MININT

typedef struct
{
  CliProject project;
  char **names;
  int depth; /* DEPTH_DEFAULT: all */
  char **threads;
  gboolean list;
  char *recording;
  char *format;
  gboolean json;

  GPtrArray *subtrees;      /* of CsSubtree, one a name */
  CsObserved observed;
  CsSelection *selection;   /* (nullable): what --config chooses with the lines */
  GPtrArray *lines;         /* of char *: to be added */
} Select;

static void
select_clear (Select *self)
{
  cli_project_clear (&self->project);
  g_strfreev (self->names);
  g_strfreev (self->threads);
  g_free (self->recording);
  g_free (self->format);
  g_clear_pointer (&self->subtrees, g_ptr_array_unref);
  g_clear_pointer (&self->lines, g_ptr_array_unref);
  g_clear_pointer (&self->selection, cs_selection_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Select, select_clear)

static const CsSourceFunction *
get_function (const Select *self, guint32 function)
{
  gsize n;

  return &cs_function_index_get_functions (self->project.index, &n)[function];
}

static const char *
get_path (const Select *self, const CsSourceFunction *function)
{
  const CsSourceFile *file = g_ptr_array_index (cs_function_index_get_files (self->project.index), function->file);

  return file->path;
}

static gboolean
is_excluded (const Select *self, guint32 function)
{
  return self->selection != NULL && !cs_selection_has_function (self->selection, function);
}

/* "  name  file:line", and what else is to be said of it. */
static void
print_function (const Select *self, guint32 number, const char *indent, const char *mark)
{
  const CsSourceFunction *function = get_function (self, number);
  g_autofree char *qualified = cs_function_dup_qualified_name (function);
  g_autofree char *name = cli_dup_printable (qualified);
  g_autofree char *path = cli_dup_printable (get_path (self, function));

  printf ("%s%s  %s:%u%s\n", indent, name, path, function->line, mark);
}

static gboolean
is_method (const CsSourceFunction *function)
{
  return function->scope != NULL && (function->flags & CS_FUNCTION_NAMESPACE) == 0;
}

static void
print_list (const Select *self)
{
  gsize n;

  cs_function_index_get_functions (self->project.index, &n);
  for (guint32 i = 0; i < n; i++)
    {
      const CsSourceFunction *function = get_function (self, i);
      gboolean is_static = (function->flags & CS_FUNCTION_STATIC) != 0;

      print_function (self, i, "", is_method (function)    ? (is_static ? "  static method" : "  method")
                                   : is_static             ? "  static"
                                                           : "");
    }
}

static void
print_subtree (const Select *self, const CsSubtree *subtree)
{
  g_autofree char *name = cli_dup_printable (subtree->name);
  g_autofree char *depth = subtree->depth == CS_DEPTH_FULL ? g_strdup ("full depth")
                                                           : g_strdup_printf ("depth %d", subtree->depth);

  printf ("%s: %" G_GSIZE_FORMAT " function%s across %" G_GSIZE_FORMAT " file%s (%s)\n", name, subtree->n_reached,
          subtree->n_reached == 1 ? "" : "s", subtree->n_files, subtree->n_files == 1 ? "" : "s", depth);
  for (gsize i = 0; i < subtree->n_reached; i++)
    print_function (self, subtree->reached[i].function, "  ",
                    is_excluded (self, subtree->reached[i].function) ? "  excluded" : "");
}

/* The threads as the runtime reads them. */
static char *
join_threads (const Select *self)
{
  return self->threads != NULL ? g_strjoinv (",", self->threads) : NULL;
}

static void
print_text (const Select *self)
{
  const char *config = self->project.config_path != NULL ? self->project.config_path : "trace.config";
  g_autofree char *threads = join_threads (self);

  for (guint i = 0; i < self->subtrees->len; i++)
    print_subtree (self, g_ptr_array_index (self->subtrees, i));
  if (self->recording != NULL)
    printf ("\n# observed: %u of %u call%s added that the sources' text doesn't show; %u of %u function%s of the "
            "recording %s not in the sources\n",
            self->observed.n_added, self->observed.n_edges, self->observed.n_edges == 1 ? " is" : "s are",
            self->observed.n_missing, self->observed.n_functions, self->observed.n_functions == 1 ? "" : "s",
            self->observed.n_missing == 1 ? "is" : "are");
  if (self->lines->len > 0)
    printf ("\n# add to %s:\n", config);
  else
    printf ("\n# %s has these lines already\n", config);
  for (guint i = 0; i < self->lines->len; i++)
    printf ("%s\n", (const char *) g_ptr_array_index (self->lines, i));
  if (threads != NULL)
    {
      g_autofree char *quoted = g_shell_quote (threads);

      printf ("\n# record these threads only:\nTRACE_THREADS=%s TRACE_ENABLE=1 ./PROGRAM\n", quoted);
    }
  printf ("\n# functions by %s\n", cs_function_index_get_scanner (self->project.index));
  if (self->recording == NULL)
    printf ("# calls through pointers aren't followed; --observed REC adds those that a recording saw\n");
}

/* Leaves the object open. */
static void
begin_function (const Select *self, JsonBuilder *builder, guint32 number)
{
  const CsSourceFunction *function = get_function (self, number);
  g_autofree char *name = cs_function_dup_qualified_name (function);

  json_builder_begin_object (builder);
  cli_json_add_string (builder, "name", name);
  cli_json_add_string (builder, "file", get_path (self, function));
  cli_json_add_number (builder, "line", function->line);
  cli_json_add_flag (builder, "static", (function->flags & CS_FUNCTION_STATIC) != 0);
  cli_json_add_flag (builder, "method", is_method (function));
}

static void
add_subtree (const Select *self, JsonBuilder *builder, const CsSubtree *subtree)
{
  json_builder_begin_object (builder);
  cli_json_add_string (builder, "name", subtree->name);
  json_builder_set_member_name (builder, "depth");
  if (subtree->depth == CS_DEPTH_FULL)
    json_builder_add_null_value (builder);
  else
    json_builder_add_int_value (builder, subtree->depth);
  cli_json_add_number (builder, "seeds", subtree->n_seeds);
  cli_json_add_number (builder, "files", subtree->n_files);
  json_builder_set_member_name (builder, "functions");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < subtree->n_reached; i++)
    {
      begin_function (self, builder, subtree->reached[i].function);
      cli_json_add_number (builder, "depth", subtree->reached[i].depth);
      if (self->selection != NULL)
        cli_json_add_flag (builder, "excluded", is_excluded (self, subtree->reached[i].function));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_observed (JsonBuilder *builder, const CsObserved *observed)
{
  json_builder_set_member_name (builder, "observed");
  json_builder_begin_object (builder);
  cli_json_add_number (builder, "functions", observed->n_functions);
  cli_json_add_number (builder, "functions_missing", observed->n_missing);
  cli_json_add_number (builder, "calls", observed->n_edges);
  cli_json_add_number (builder, "calls_added", observed->n_added);
  json_builder_end_object (builder);
}

static void
add_result (const Select *self, JsonBuilder *builder)
{
  g_autofree char *threads = join_threads (self);

  json_builder_set_member_name (builder, "subtrees");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->subtrees->len; i++)
    add_subtree (self, builder, g_ptr_array_index (self->subtrees, i));
  json_builder_end_array (builder);
  cli_json_add_strings (builder, "lines", (const char *const *) self->lines->pdata, self->lines->len);
  if (threads != NULL)
    cli_json_add_string (builder, "threads", threads);
  if (self->recording != NULL)
    add_observed (builder, &self->observed);
}

static void
print_json (const Select *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  gsize n;

  json_builder_begin_object (builder);
  cli_json_add_string (builder, "root", cs_function_index_get_root (self->project.index));
  cli_json_add_string (builder, "scanner", cs_function_index_get_scanner (self->project.index));
  if (self->subtrees != NULL)
    add_result (self, builder);
  if (self->list)
    {
      cs_function_index_get_functions (self->project.index, &n);
      json_builder_set_member_name (builder, "functions");
      json_builder_begin_array (builder);
      for (guint32 i = 0; i < n; i++)
        {
          begin_function (self, builder, i);
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
  cli_json_print (builder);
}

static gboolean
check (Select *self, int argc, char **argv)
{
  if (argc != 2 || *argv[1] == '\0')
    {
      cli_error ("select: one folder is read, not %d — callsight-cli select DIR --function NAME", MAX (argc - 1, 0));
      return FALSE;
    }
  if (self->names == NULL && !self->list)
    {
      cli_error ("select: no function is named — add --function NAME, or --list to see all");
      return FALSE;
    }
  if (self->names != NULL && self->list)
    {
      cli_error ("select: --list shows all functions and takes no --function — leave one of them out");
      return FALSE;
    }
  if (self->list && (self->recording != NULL || self->threads != NULL || self->depth != DEPTH_DEFAULT))
    {
      cli_error ("select: --list takes none of --depth, --threads and --observed — name a function instead");
      return FALSE;
    }
  if (self->depth < 0 && self->depth != DEPTH_DEFAULT)
    {
      cli_error ("select: --depth %d: a number of calls from 0 on is followed — leave it out to follow all", self->depth);
      return FALSE;
    }
  for (char **name = self->threads; name != NULL && *name != NULL; name++)
    if (**name == '\0')
      {
        cli_error ("select: --threads: the name is empty — write a thread's name, which may have * and ?");
        return FALSE;
      }
  self->json = g_strcmp0 (self->format, "json") == 0;
  if (self->format != NULL && !self->json && !g_str_equal (self->format, "text"))
    {
      cli_error ("select: --format: '%s' is none of text and json — name one of these", self->format);
      return FALSE;
    }
  self->project.folder = g_strdup (argv[1]);
  return TRUE;
}

/* In a thread, as the sources are. */
typedef struct
{
  Select *select;
  GError *error;
} Reading;

static void
read_recording (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Reading *reading = data;
  Select *self = reading->select;
  const char *const paths[] = { self->recording, NULL };

  cs_observed_add (paths, self->project.index, self->project.graph, &self->observed, cancellable, &reading->error);
  g_task_return_boolean (task, reading->error == NULL);
}

static gboolean
add_recording (Select *self)
{
  Reading reading = { self, NULL };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GTask) task = NULL;
  CliInterrupt interrupt;

  cli_interrupt_begin (&interrupt);
  task = g_task_new (NULL, interrupt.cancellable, cli_keep_result, &result);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, &reading, NULL);
  g_task_run_in_thread (task, read_recording);
  cli_wait (&result);
  cli_interrupt_end (&interrupt, reading.error);
  if (reading.error != NULL)
    {
      cli_error ("select: --observed: %s", reading.error->message);
      g_clear_error (&reading.error);
      return FALSE;
    }
  if (self->observed.n_missing == self->observed.n_functions)
    {
      g_autofree char *notice = g_strdup_printf ("none of the %u function%s of %s is in these sources: nothing is added",
                                                 self->observed.n_functions,
                                                 self->observed.n_functions == 1 ? "" : "s", self->recording);

      cli_notice (notice);
    }
  return TRUE;
}

/* The lines that are to be added: those of the subtrees, each once, but for what the config says already. */
static gboolean
collect_lines (Select *self)
{
  g_autoptr (CsTraceConfig) all =
      self->project.config_path != NULL ? cs_trace_config_copy (self->project.config) : NULL;
  g_autoptr (GError) error = NULL;

  self->lines = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < self->subtrees->len; i++)
    {
      const CsSubtree *subtree = g_ptr_array_index (self->subtrees, i);
      const CsDirective *rules;
      g_autofree char *text = cs_trace_config_to_text (subtree->lines);
      g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);
      gsize n;

      rules = cs_trace_config_get_directives (subtree->lines, &n);
      g_assert (n == g_strv_length (lines));
      for (gsize j = 0; j < n; j++)
        {
          gboolean known = g_ptr_array_find_with_equal_func (self->lines, lines[j], g_str_equal, NULL);
          const CsDirective *others;
          gsize n_others = 0;

          others = all != NULL ? cs_trace_config_get_directives (all, &n_others) : NULL;
          for (gsize k = 0; k < n_others && !known; k++)
            known = others[k].kind == CS_DIRECTIVE_INCLUDE_FUNC && g_str_equal (others[k].value, rules[j].value) &&
                    others[k].depth == rules[j].depth;
          if (known)
            continue;
          if (all != NULL && !cs_trace_config_add (all, CS_DIRECTIVE_INCLUDE_FUNC, rules[j].value, rules[j].depth, &error))
            break;
          g_ptr_array_add (self->lines, g_strdup (lines[j]));
        }
    }
  if (all != NULL && error == NULL)
    self->selection = cs_selection_new (all, self->project.index, self->project.graph, &error);
  if (error != NULL)
    cli_error ("%s", error->message);
  return error == NULL;
}

/* What a person should know of a subtree beyond what is printed. */
static void
tell_names (const Select *self, const CsSubtree *subtree)
{
  if (self->project.quiet)
    return;
  if (subtree->n_seeds > 1)
    {
      g_autofree char *notice = g_strdup_printf ("%s: %" G_GSIZE_FORMAT " functions have this name, and all are taken",
                                                 subtree->name, subtree->n_seeds);

      cli_notice (notice);
    }
  if (subtree->n_by_name > 0)
    {
      g_autofree char *notice = g_strdup_printf ("%s: %" G_GSIZE_FORMAT " of the functions are taken since a line names "
                                                 "them along with the one that is called",
                                                 subtree->name, subtree->n_by_name);

      cli_notice (notice);
    }
}

static gboolean
find_subtrees (Select *self)
{
  self->subtrees = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_subtree_free);
  for (char **name = self->names; *name != NULL; name++)
    {
      g_autoptr (GError) error = NULL;
      CsSubtree *subtree = cs_subtree_new (self->project.index, self->project.graph, *name,
                                           self->depth == DEPTH_DEFAULT ? CS_DEPTH_FULL : self->depth, &error);

      if (subtree == NULL)
        {
          g_autofree char *folder = cli_show_path (self->project.folder);

          cli_error ("select: %s — callsight-cli select %s --list shows all", error->message, folder);
          return FALSE;
        }
      g_ptr_array_add (self->subtrees, subtree);
      tell_names (self, subtree);
    }
  return collect_lines (self);
}

static gboolean
load (Select *self)
{
  if (self->project.config_path == NULL)
    self->project.config = cs_trace_config_new ();
  return cli_project_load (&self->project, "select", self->list ? CLI_PROJECT_FUNCTIONS : CLI_PROJECT_GRAPH);
}

/**
 * cli_select:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * select DIR --function NAME: what a function calls, and the lines of trace.config that choose it.
 *
 * Returns: the exit status
 */
int
cli_select (int argc, char **argv)
{
  g_auto (Select) self = { .depth = DEPTH_DEFAULT };
  const GOptionEntry entries[] = {
    { "function", 'f', 0, G_OPTION_ARG_STRING_ARRAY, &self.names,
      "Where the calls begin: parse, or C::parse; may be given more than once", "NAME" },
    { "depth", 'd', 0, G_OPTION_ARG_INT, &self.depth, "Follow N calls (all)", "N" },
    { "threads", 't', 0, G_OPTION_ARG_STRING_ARRAY, &self.threads,
      "Print how to record threads of that name only; may be given more than once", "GLOB" },
    { "list", 'l', 0, G_OPTION_ARG_NONE, &self.list, "List all functions of the sources instead", NULL },
    { "observed", 0, 0, G_OPTION_ARG_FILENAME, &self.recording,
      "Follow the calls that this recording saw, too: through pointers and virtual functions", "REC" },
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &self.project.config_path,
      "Tell what FILE excludes, and leave out lines that it has", "FILE" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &self.format, "text (default) or json", "FORMAT" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self.project.quiet, "No progress display and no remarks", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("DIR");

  g_option_context_set_summary (context,
                                "Tells what a function calls, and what that calls in turn, as far as the text of the sources in\n"
                                "DIR tells, and prints the lines for trace.config that choose these functions and no others.");
  g_option_context_set_description (context,
                                    "Calls through pointers to functions, made by macros, and of virtual functions by another\n"
                                    "name aren't seen; of a method that is called on an object all that have its name are taken.\n"
                                    "With --observed, lines are printed that name what a recording saw beyond that.\n");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!cli_parse (context, "select", &argc, &argv))
    return CLI_BAD_INPUT;
  if (argc > 1 && g_str_equal (argv[1], "--"))
    argv++, argc--;
  if (!check (&self, argc, argv))
    return CLI_BAD_INPUT;
  signal (SIGPIPE, SIG_IGN);
  if (!load (&self) || (self.recording != NULL && !add_recording (&self)) || (!self.list && !find_subtrees (&self)))
    return CLI_BAD_INPUT;
  if (self.json)
    print_json (&self);
  else if (self.list)
    print_list (&self);
  else
    print_text (&self);
  return CLI_DONE;
}
