/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>

#include "cli-project.h"
#include "cli.h"
#include "project/cs-adopt.h"
#include "selection/cs-selection-file.h"

/* Whether the folder is one, and its build system; if not, the person is told. */
static gboolean
choose_system (const char *folder, const char *name, CsBuildSystem *system)
{
  CsBuildSystems found;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!cs_source_tree_check_folder (folder, &error))
    {
      cli_error ("init: %s", error->message);
      return FALSE;
    }
  if (name != NULL)
    {
      if (cs_build_system_from_name (name, system))
        return TRUE;
      cli_error ("init: --system %s: no such thing — use one of make, cmake, meson, autotools, none", name);
      return FALSE;
    }
  cs_build_systems_find (folder, &found);
  if (found.count > 1 && cs_adopt_find_system (folder, system) &&
      (*system == CS_BUILD_SYSTEM_NONE || cs_build_systems_has (&found, *system)))
    return TRUE;
  if (found.count > 1)
    {
      text = cs_build_systems_describe (&found, "--system");
      cli_error ("init: %s: %s", folder, text);
      return FALSE;
    }
  *system = found.count > 0 ? found.systems[0] : CS_BUILD_SYSTEM_NONE;
  return TRUE;
}

/* Writes callsight/selection, with the options that it had. */
static gboolean
write_selection (CliProject *project, CsSelection *selection)
{
  const char *root = cs_function_index_get_root (cs_selection_get_index (selection));
  g_autofree char *runtime = g_build_filename (root, "callsight", NULL);
  g_autofree char *path = g_build_filename (runtime, "selection", NULL);
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (CsSelectionFile) before = cs_selection_file_load (path, NULL);
  CsSelectionFileOptions head = { 0 };
  g_autoptr (GError) error = NULL;

  if (before != NULL)
    head = *cs_selection_file_get_options (before);
  head.runtime = runtime;
  head.command = self;
  if (cs_selection_write (selection, project->config_path, path, &head, &error))
    return TRUE;
  cli_error ("init: %s", error->message);
  return FALSE;
}

static void
print_files (const CsAdoptResult *result, CsSelection *selection)
{
  const CsSelectionCounts *counts = cs_selection_get_counts (selection);

  printf ("callsight/            %u files: %u new, %u brought up to date\n",
          result->written + result->updated + result->same + result->changed->len, result->written, result->updated);
  for (guint i = 0; i < result->changed->len; i++)
    printf ("callsight/%-12s changed here, stays so; --force replaces it\n", (const char *) result->changed->pdata[i]);
  printf ("callsight/selection   %u of %u source%s chosen\n", counts->sources_chosen, counts->sources,
          counts->sources == 1 ? "" : "s");
  printf ("trace.config          %s\n", result->has_config ? "was there, stays as it is" : "new: everything is traced");
}

static void
print_launcher (CsBuildSystem system)
{
  static const char *const lines[] = {
    [CS_BUILD_SYSTEM_NONE] = "CC=\"callsight-cc gcc\" CXX=\"callsight-cc g++\" BUILD-TOOL",
    [CS_BUILD_SYSTEM_MAKE] = "CC=\"callsight-cc gcc\" make      # or make CC=…, where the Makefile sets CC",
    [CS_BUILD_SYSTEM_CMAKE] = ("cmake -B build-instr -DCMAKE_C_COMPILER_LAUNCHER=callsight-cc -DCMAKE_C_LINKER_LAUNCHER=callsight-cc \\\n"
                              "      -DCMAKE_CXX_COMPILER_LAUNCHER=callsight-cc -DCMAKE_CXX_LINKER_LAUNCHER=callsight-cc\n"
                              "    cmake --build build-instr"),
    [CS_BUILD_SYSTEM_MESON] = ("CC=\"callsight-cc gcc\" CXX=\"callsight-cc g++\" meson setup build-instr\n"
                              "    meson compile -C build-instr"),
    [CS_BUILD_SYSTEM_AUTOTOOLS] = "mkdir build-instr && cd build-instr && ../configure CC=\"callsight-cc gcc\" CXX=\"callsight-cc g++\" && make",
  };

  printf ("\nOr by hand, with the compiler launcher:\n    %s\n", lines[system]);
  puts ("  callsight-cc is made once, if it isn't installed, and put into PATH:\n"
        "    cc -std=c11 -O2 -o callsight-cc callsight/callsight-cc.c");
}

static void
print_advice (const char *folder, CsBuildSystem system)
{
  g_autofree char *shown = cli_show_path (folder);
  g_autofree char *wiring = cs_adopt_describe_wiring (system);
  char *real = realpath (folder, NULL);
  g_autofree char *selection = g_build_filename (real != NULL ? real : folder, "callsight", "selection", NULL);
  g_autofree char *extra = cli_quote (selection);

  printf ("\nBuild with hooks, beside the normal build and with no file edited:\n    callsight-cli build%s%s\n",
          g_str_equal (shown, ".") ? "" : " ", g_str_equal (shown, ".") ? "" : shown);
  print_launcher (system);
  if (wiring != NULL)
    printf ("\nOr as a part of the project's own build. %s", wiring);
  printf ("\nWhere ccache stands in front of the launcher:\n    export CCACHE_EXTRAFILES=%s\n", extra);
  puts ("\nLines for .gitignore:\n    callsight/selection\n    callsight/recordings/\n    build-instr/\n    traces/");
  free (real);
}

/**
 * cli_init:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * init [DIR]: puts the runtime and the wiring into a project.
 *
 * Returns: the exit status
 */
int
cli_init (int argc, char **argv)
{
  g_auto (CliProject) project = { 0 };
  g_autofree char *name = NULL;
  gboolean force = FALSE;
  gboolean stream = FALSE;
  const GOptionEntry entries[] = {
    { "system", 0, 0, G_OPTION_ARG_STRING, &name, "make, cmake, meson, autotools or none (what the project has)", "SYSTEM" },
    { "build", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &name, NULL, NULL }, /* what it was called first */
    { "force", 0, 0, G_OPTION_ARG_NONE, &force, "Replace also files of callsight/ that were changed here", NULL },
    { "stream", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &stream, NULL, NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &project.quiet, "Print nothing", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("DIR");
  g_autoptr (CsAdoptResult) result = NULL;
  g_autoptr (CsSelection) selection = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *config = NULL;
  CsBuildSystem system;

  g_option_context_set_summary (context, "Puts the runtime and the wiring for the build system into DIR/callsight/, and says "
                                         "what to do next.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!cli_parse (context, "init", &argc, &argv))
    return CLI_BAD_INPUT;
  if (argc > 2)
    {
      cli_error ("init: %s: one project at a time", argv[2]);
      return CLI_BAD_INPUT;
    }
  if (stream)
    {
      cli_error ("init: --stream: this version has no client that streams recordings — leave it out");
      return CLI_BAD_INPUT;
    }
  project.folder = g_strdup (argc > 1 ? argv[1] : ".");
  if (!choose_system (project.folder, name, &system))
    return CLI_BAD_INPUT;
  config = g_build_filename (project.folder, "trace.config", NULL);
  if (g_file_test (config, G_FILE_TEST_EXISTS) && !cli_project_load (&project, "init", CLI_PROJECT_CONFIG))
    return CLI_BAD_INPUT;
  result = cs_adopt_sync (project.folder, system, force, &error);
  if (result == NULL)
    {
      cli_error ("init: %s", error->message);
      return CLI_BAD_INPUT;
    }
  selection = cli_project_choose (&project, "init");
  if (selection == NULL || !write_selection (&project, selection))
    return CLI_BAD_INPUT;
  if (!project.quiet)
    {
      print_files (result, selection);
      print_advice (project.folder, system);
    }
  return CLI_DONE;
}
