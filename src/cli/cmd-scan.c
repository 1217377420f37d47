/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli-project.h"
#include "cli-text.h"
#include "cli.h"
#include "selection/cs-selection-file.h"

typedef struct
{
  CliProject project;
  char *write, *format;
  gboolean list, json;
  CsSelection *selection;
  GPtrArray *warnings; /* of char * */
} Scan;

static void
scan_clear (Scan *self)
{
  cli_project_clear (&self->project);
  g_clear_pointer (&self->selection, cs_selection_unref);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  g_free (self->write);
  g_free (self->format);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scan, scan_clear)

/* How many of a file's functions are chosen, of how many. */
static gsize
count_functions (const CsSelection *selection, guint file, gsize *total)
{
  gsize first, chosen = 0;

  cs_function_index_get_of_file (cs_selection_get_index (selection), file, &first, total);
  for (gsize i = first; i < first + *total; i++)
    chosen += cs_selection_has_function (selection, (guint32) i);
  return chosen;
}

/* Text for a terminal, whatever bytes a name has. */
static void
print_name (const char *prefix, const char *name, const char *rest)
{
  g_autofree char *text = cli_dup_printable (name);

  printf ("%s%s%s\n", prefix, text, rest);
}

static char *
describe_depth (int depth)
{
  return depth == CS_DEPTH_FULL ? g_strdup ("full depth") : g_strdup_printf ("depth %d", depth);
}

static void
print_rules (const Scan *self)
{
  const CsDirective *rules;
  gsize n_rules;

  rules = cs_trace_config_get_directives (self->project.config, &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    {
      g_autofree char *depth = describe_depth (rules[i].depth);
      g_autofree char *name = cli_dup_printable (rules[i].value);
      guint functions, files;

      if (rules[i].kind != CS_DIRECTIVE_INCLUDE_FUNC && rules[i].kind != CS_DIRECTIVE_COUNTER_FUNC)
        continue;
      cs_selection_get_reached (self->selection, i, &functions, &files);
      printf ("%s %s: %u function%s across %u file%s (%s)\n", cs_directive_kind_get_name (rules[i].kind),
              name, functions, functions == 1 ? "" : "s", files, files == 1 ? "" : "s", depth);
    }
}

static void
print_files (const Scan *self)
{
  GPtrArray *files = cs_selection_get_files (self->selection);

  for (guint i = 0; i < files->len; i++)
    {
      const CsSourceFile *file = files->pdata[i];
      gsize total, chosen = count_functions (self->selection, i, &total);
      CsFileChoice choice = cs_selection_get_file (self->selection, i);

      if (choice == CS_FILE_PARTLY_CHOSEN)
        {
          g_autofree char *rest = g_strdup_printf (" (%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " functions)", chosen,
                                                   total);

          print_name ("  partly: ", file->path, rest);
        }
      else if (choice == CS_FILE_NOT_CHOSEN && !file->is_header)
        print_name ("  excluded: ", file->path, "");
    }
}

static void
print_functions (const Scan *self)
{
  GPtrArray *files = cs_selection_get_files (self->selection);
  const CsSourceFunction *functions;
  gsize total;

  functions = cs_function_index_get_functions (cs_selection_get_index (self->selection), &total);
  for (gsize i = 0; i < total; i++)
    {
      g_autofree char *name = NULL;
      g_autofree char *path = NULL;
      g_autofree char *place = NULL;

      if (!cs_selection_has_function (self->selection, (guint32) i))
        continue;
      name = cs_function_dup_qualified_name (&functions[i]);
      path = cli_dup_printable (((CsSourceFile *) files->pdata[functions[i].file])->path);
      place = g_strdup_printf (" (%s:%u)", path, functions[i].line);
      print_name ("  ", name, place);
    }
}

static void
print_text (const Scan *self)
{
  const CsSelectionCounts *counts = cs_selection_get_counts (self->selection);
  g_autofree char *config = cli_dup_printable (self->project.config_path);

  printf ("%u source%s: %u instrumented, %u excluded (config: %s)\n", counts->sources, counts->sources == 1 ? "" : "s",
          counts->sources_chosen, counts->sources - counts->sources_chosen, config);
  print_files (self);
  printf ("%u header%s: %u instrumented\n", counts->headers, counts->headers == 1 ? "" : "s", counts->headers_chosen);
  printf ("%u function%s: %u chosen (found by %s)\n", counts->functions, counts->functions == 1 ? "" : "s",
          counts->functions_chosen, cs_function_index_get_scanner (cs_selection_get_index (self->selection)));
  if (self->list)
    print_functions (self);
  print_rules (self);
}

static void
add_counts (JsonBuilder *builder, const CsSelectionCounts *counts)
{
  cli_json_add_number (builder, "sources", counts->sources);
  cli_json_add_number (builder, "instrumented", counts->sources_chosen);
  cli_json_add_number (builder, "excluded", counts->sources - counts->sources_chosen);
  cli_json_add_number (builder, "headers", counts->headers);
  cli_json_add_number (builder, "headers_instrumented", counts->headers_chosen);
  cli_json_add_number (builder, "functions", counts->functions);
  cli_json_add_number (builder, "functions_chosen", counts->functions_chosen);
}

static void
add_rules (JsonBuilder *builder, const Scan *self)
{
  const CsDirective *rules;
  gsize n_rules;

  json_builder_set_member_name (builder, "rules");
  json_builder_begin_array (builder);
  rules = cs_trace_config_get_directives (self->project.config, &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    {
      guint functions, files;

      if (rules[i].kind != CS_DIRECTIVE_INCLUDE_FUNC && rules[i].kind != CS_DIRECTIVE_COUNTER_FUNC)
        continue;
      cs_selection_get_reached (self->selection, i, &functions, &files);
      json_builder_begin_object (builder);
      cli_json_add_string (builder, "directive", cs_directive_kind_get_name (rules[i].kind));
      cli_json_add_string (builder, "name", rules[i].value);
      cli_json_add_number (builder, "line", rules[i].line);
      json_builder_set_member_name (builder, "depth");
      if (rules[i].depth == CS_DEPTH_FULL)
        json_builder_add_null_value (builder);
      else
        json_builder_add_int_value (builder, rules[i].depth);
      cli_json_add_number (builder, "functions", functions);
      cli_json_add_number (builder, "files", files);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_functions (JsonBuilder *builder, const Scan *self, guint file)
{
  const CsSourceFunction *functions;
  gsize first, count, total;

  functions = cs_function_index_get_functions (cs_selection_get_index (self->selection), &total);
  cs_function_index_get_of_file (cs_selection_get_index (self->selection), file, &first, &count);
  json_builder_set_member_name (builder, "names");
  json_builder_begin_array (builder);
  for (gsize i = first; i < first + count; i++)
    if (cs_selection_has_function (self->selection, (guint32) i))
      {
        g_autofree char *name = cs_function_dup_qualified_name (&functions[i]);

        json_builder_begin_object (builder);
        cli_json_add_string (builder, "name", name);
        cli_json_add_number (builder, "line", functions[i].line);
        json_builder_end_object (builder);
      }
  json_builder_end_array (builder);
}

static void
add_files (JsonBuilder *builder, const Scan *self)
{
  static const char *const choices[] = { "no", "partly", "yes" };
  GPtrArray *files = cs_selection_get_files (self->selection);

  json_builder_set_member_name (builder, "files");
  json_builder_begin_array (builder);
  for (guint i = 0; i < files->len; i++)
    {
      const CsSourceFile *file = files->pdata[i];
      gsize total, chosen = count_functions (self->selection, i, &total);

      json_builder_begin_object (builder);
      cli_json_add_string (builder, "path", file->path);
      cli_json_add_flag (builder, "header", file->is_header);
      cli_json_add_string (builder, "chosen", choices[cs_selection_get_file (self->selection, i)]);
      cli_json_add_number (builder, "functions", total);
      cli_json_add_number (builder, "functions_chosen", chosen);
      if (self->list)
        add_functions (builder, self, i);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
print_json (const Scan *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  cli_json_add_string (builder, "config", self->project.config_path);
  cli_json_add_string (builder, "root", cs_selection_get_root (self->selection));
  cli_json_add_string (builder, "scanner", cs_function_index_get_scanner (cs_selection_get_index (self->selection)));
  add_counts (builder, cs_selection_get_counts (self->selection));
  add_rules (builder, self);
  add_files (builder, self);
  cli_json_add_strings (builder, "warnings", (const char *const *) self->warnings->pdata, self->warnings->len);
  json_builder_end_object (builder);
  cli_json_print (builder);
}

/* What a person should know of the rules, and of what they have a compiler do. */
static void
collect_warnings (Scan *self)
{
  self->warnings = cs_selection_list_overmatch (self->selection);
  for (gsize i = 0; cs_selection_get_warnings (self->selection)[i] != NULL; i++)
    g_ptr_array_insert (self->warnings, (int) i, g_strdup (cs_selection_get_warnings (self->selection)[i]));
}

/* The selection file, with the options that it has already. */
static gboolean
write_selection (const Scan *self)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *runtime = g_build_filename (cs_selection_get_root (self->selection), "callsight", NULL);
  g_autofree char *trace = g_build_filename (runtime, "trace.c", NULL);
  CsSelectionFileOptions options = { .command = program,
                                     .runtime = g_file_test (trace, G_FILE_TEST_EXISTS) ? runtime : NULL };
  g_autoptr (CsSelectionFile) before = NULL;
  g_autoptr (GError) error = NULL;

  if (g_file_test (self->write, G_FILE_TEST_EXISTS))
    {
      if (!g_file_test (self->write, G_FILE_TEST_IS_REGULAR))
        {
          cli_error ("scan: --write: %s: it is no regular file — name another file", self->write);
          return FALSE;
        }
      before = cs_selection_file_load (self->write, &error);
      if (before == NULL)
        {
          cli_error ("scan: --write: %s", error->message);
          return FALSE;
        }
      options = *cs_selection_file_get_options (before);
    }
  if (cs_selection_write (self->selection, self->project.config_path, self->write, &options, &error))
    return TRUE;
  cli_error ("scan: --write: %s", error->message);
  return FALSE;
}

static gboolean
check (Scan *self, int argc, char **argv)
{
  if (argc > 2)
    {
      cli_error ("scan: one folder is scanned, not %d — callsight-cli scan DIR", argc - 1);
      return FALSE;
    }
  self->json = g_strcmp0 (self->format, "json") == 0;
  if (self->format != NULL && !self->json && !g_str_equal (self->format, "text"))
    {
      cli_error ("scan: --format: '%s' is none of text and json — name one of these", self->format);
      return FALSE;
    }
  if (self->write != NULL && *self->write == '\0')
    {
      cli_error ("scan: --write: the name is empty — name a file, callsight/selection say");
      return FALSE;
    }
  self->project.folder = g_strdup (argc > 1 ? argv[1] : ".");
  return TRUE;
}

/**
 * cli_scan:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * scan DIR: tells what trace.config chooses of a project, and writes the selection file.
 *
 * Returns: the exit status
 */
int
cli_scan (int argc, char **argv)
{
  g_auto (Scan) self = { 0 };
  const GOptionEntry entries[] = {
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &self.project.config_path, "What to trace (DIR/trace.config)", "FILE" },
    { "write", 0, 0, G_OPTION_ARG_FILENAME, &self.write,
      "Write the selection for the launcher callsight-cc; options that FILE has already stay", "FILE" },
    { "list", 'l', 0, G_OPTION_ARG_NONE, &self.list, "List the functions that are chosen, too", NULL },
    { "format", 0, 0, G_OPTION_ARG_STRING, &self.format, "text (default) or json", "FORMAT" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self.project.quiet, "No progress display and no remarks; with --write no result either", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("DIR");

  g_option_context_set_summary (context,
                                "Tells which sources and functions of the project DIR its trace.config chooses, and what a\n"
                                "rule does that may not be meant: one that matches nothing, or more than its name says.");
  g_option_context_set_description (context,
                                    "Functions are found by Universal Ctags, or by a built-in scan where there is none; the\n"
                                    "line of functions says which. A function that a rule names and no source has is an error.\n");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!cli_parse (context, "scan", &argc, &argv))
    return CLI_BAD_INPUT;
  if (argc > 1 && g_str_equal (argv[1], "--"))
    argv++, argc--;
  if (!check (&self, argc, argv))
    return CLI_BAD_INPUT;
  self.selection = cli_project_choose (&self.project, "scan");
  if (self.selection == NULL || (self.write != NULL && !write_selection (&self)))
    return CLI_BAD_INPUT;
  /* So the launcher refreshes a selection. */
  if (self.project.quiet && self.write != NULL)
    return CLI_DONE;
  collect_warnings (&self);
  for (guint i = 0; i < self.warnings->len && !self.project.quiet; i++)
    cli_notice (self.warnings->pdata[i]);
  if (self.json)
    print_json (&self);
  else
    print_text (&self);
  return CLI_DONE;
}
