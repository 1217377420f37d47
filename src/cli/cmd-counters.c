/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "cli-project.h"
#include "cli.h"
#include "project/cs-counter-map.h"

/* What is on standard output: the functions of the map. */
static void
list (const CsCounterMap *map)
{
  guint n;
  const CsCounterFunction *functions = cs_counter_map_get_functions (map, &n);

  for (guint i = 0; i < n; i++)
    printf ("%016" G_GINT64_MODIFIER "x %s (%s:%u)\n", functions[i].address, functions[i].name, functions[i].file,
            functions[i].line);
}

static gboolean
write_map (const CsCounterMap *map, const char *path, GError **error)
{
  g_autoptr (CliOutput) output = cli_output_open (path, error);
  g_autofree char *text = NULL;

  if (output == NULL)
    return FALSE;
  text = cs_counter_map_to_text (map);
  return g_output_stream_write_all (cli_output_get_stream (output), text, strlen (text), NULL, NULL, error) &&
         cli_output_commit (output, error);
}

/* Where the runtime looks for the map. */
static char *
make_default_path (const char *folder)
{
  g_mkdir_with_parents (folder, 0700);
  return g_build_filename (folder, "callsight.counters", NULL);
}

static int
resolve (CliProject *project, const char *exe, const char *folder, const char *out, gboolean only_list)
{
  g_autoptr (CsSelection) selection = cli_project_choose (project, "counters");
  g_autoptr (CsCounterMap) map = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  guint n;

  if (selection == NULL)
    return CLI_BAD_INPUT;
  map = cs_counter_map_new (project->config, selection, exe, &error);
  if (map == NULL)
    {
      cli_error ("counters: %s", error->message);
      return g_error_matches (error, CS_COUNTER_MAP_ERROR, CS_COUNTER_MAP_ERROR_NONE) ? CLI_NO : CLI_BAD_INPUT;
    }
  for (const char *const *warning = cs_counter_map_get_warnings (map); *warning != NULL; warning++)
    cli_notice (*warning);
  if (only_list)
    {
      list (map);
      return CLI_DONE;
    }
  path = out != NULL ? g_strdup (out) : make_default_path (folder);
  if (!write_map (map, path, &error))
    {
      cli_error ("counters: %s", error->message);
      return CLI_BAD_INPUT;
    }
  cs_counter_map_get_functions (map, &n);
  printf ("%s: %u function%s to count in\n", path, n, n == 1 ? "" : "s");
  return CLI_DONE;
}

/**
 * cli_counters:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * counters [DIR] --exe BIN: finds where in a program the counter rules of trace.config count.
 *
 * Returns: the exit status
 */
int
cli_counters (int argc, char **argv)
{
  g_auto (CliProject) project = { 0 };
  g_autofree char *exe = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *out = NULL;
  gboolean only_list = FALSE;
  const GOptionEntry entries[] = {
    { "exe", 0, 0, G_OPTION_ARG_FILENAME, &exe, "The instrumented program", "BIN" },
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &project.config_path, "What to count (DIR/trace.config)", "FILE" },
    { "dir", 0, 0, G_OPTION_ARG_FILENAME, &folder, "Trace directory (./traces), where the map is put", "DIR" },
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &out, "Write to FILE instead, which stays as it is if anything fails", "FILE" },
    { "list", 'l', 0, G_OPTION_ARG_NONE, &only_list, "List the functions instead, with their lines", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &project.quiet, "No progress display", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("[DIR]");

  g_option_context_set_summary (context,
                                "Finds the functions of an instrumented program in which the counter rules of trace.config\n"
                                "count events of the processor or the kernel, and writes their addresses for the runtime.");
  g_option_context_set_description (context,
                                    "The map is callsight.counters in the trace directory. It is for one build: make it\n"
                                    "again after each. Functions without hooks can't be counted; standard error names\n"
                                    "them. The exit status is 1 if there is nothing to count.\n");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!cli_parse (context, "counters", &argc, &argv))
    return CLI_BAD_INPUT;
  if (argc > 1 && g_str_equal (argv[1], "--"))
    argv++, argc--;
  if (argc > 2)
    {
      cli_error ("counters: %s: one project is looked at — see callsight-cli counters --help", argv[2]);
      return CLI_BAD_INPUT;
    }
  if (exe == NULL || *exe == '\0')
    {
      cli_error ("counters: no program given — add --exe and the instrumented program");
      return CLI_BAD_INPUT;
    }
  if (!cli_check_name ("counters: --dir", folder) || !cli_check_name ("counters: --out", out))
    return CLI_BAD_INPUT;
  if (argc == 2)
    project.folder = g_strdup (argv[1]);
  return resolve (&project, exe, folder != NULL ? folder : "traces", out, only_list);
}
