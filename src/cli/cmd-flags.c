/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>

#include "cli-project.h"
#include "cli-text.h"
#include "cli.h"
#include "selection/cs-flags.h"

/* So many warnings are told of a run that a build makes again and again. */
#define MOST_WARNINGS 20

typedef struct
{
  char *format, *compiler, *compiler_cmd;
  gboolean after_inlining, widen, print, quiet;
  gboolean make; /* --format */
} Options;

static void
options_clear (Options *self)
{
  g_free (self->format);
  g_free (self->compiler);
  g_free (self->compiler_cmd);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* The compiler that is named, or what the command or the environment says. */
static gboolean
find_compiler (const Options *options, CsCompiler *compiler)
{
  g_auto (GStrv) words = NULL;
  const char *command = options->compiler_cmd;

  if (g_strcmp0 (options->compiler, "gcc") == 0 || g_strcmp0 (options->compiler, "clang") == 0)
    {
      *compiler = g_str_equal (options->compiler, "clang") ? CS_COMPILER_CLANG : CS_COMPILER_GCC;
      return TRUE;
    }
  if (options->compiler != NULL && !g_str_equal (options->compiler, "auto"))
    {
      cli_error ("flags: --compiler: '%s' is none of auto, gcc and clang — name one of these", options->compiler);
      return FALSE;
    }
  if (command != NULL && !g_shell_parse_argv (command, NULL, &words, NULL))
    {
      cli_error ("flags: --compiler-cmd: '%s' can't be read as a command — check its quotes", command);
      return FALSE;
    }
  g_clear_pointer (&words, g_strfreev);
  if (command == NULL)
    command = g_getenv ("CC");
  if (command == NULL || *command == '\0' || !g_shell_parse_argv (command, NULL, &words, NULL))
    words = g_strsplit ("cc", " ", -1);
  *compiler = cs_compiler_detect ((const char *const *) words);
  return TRUE;
}

static gboolean
check (Options *options, int argc)
{
  options->make = options->format == NULL || g_str_equal (options->format, "make");
  if (!options->make && !g_str_equal (options->format, "raw"))
    {
      cli_error ("flags: --format: '%s' is none of make and raw — name one of these", options->format);
      return FALSE;
    }
  if (argc < 2)
    {
      cli_error ("flags: no sources given — callsight-cli flags --config trace.config -- SOURCE…");
      return FALSE;
    }
  return TRUE;
}

static void
print_summary (const CliProject *project, const CsFlagsResult *result, guint n_sources)
{
  fprintf (stderr, "config: %s\nsources: %u total, %u instrumented, %u excluded\n", project->config_path, n_sources,
           n_sources - result->excluded->len, result->excluded->len);
  if (result->partly > 0)
    fprintf (stderr, "  of %u only some functions\n", result->partly);
  for (guint i = 0; i < result->excluded->len; i++)
    {
      g_autofree char *name = cli_dup_printable (result->excluded->pdata[i]);

      fprintf (stderr, "  excluded: %s\n", name);
    }
}

static void
tell_warnings (const char *const *warnings, guint *told)
{
  for (; *warnings != NULL; warnings++)
    if ((*told)++ < MOST_WARNINGS)
      cli_notice (*warnings);
}

/* The options, by files alone where that will do: then no source is read. */
static char **
make_flags (CliProject *project, const CsFlagsOptions *options, gboolean by_files, CsFlagsResult *result,
            GPtrArray *warnings, CsSelection **selection)
{
  g_autoptr (GError) error = NULL;
  char **words;

  if (by_files)
    {
      if (!cli_project_load (project, "flags", CLI_PROJECT_TREE))
        return NULL;
      *selection = cs_selection_new_of_files (project->config, project->tree);
    }
  else
    *selection = cli_project_choose (project, "flags");
  if (*selection == NULL)
    return NULL;
  words = cs_flags_new (*selection, options, result, warnings, &error);
  if (words == NULL)
    cli_error ("flags: %s", error->message);
  return words;
}

static int
flags (CliProject *project, Options *options, const char *const *sources, guint n_sources)
{
  CsFlagsOptions wanted = { .after_inlining = options->after_inlining, .widen = options->widen, .sources = sources };
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (CsSelection) selection = NULL;
  g_auto (CsFlagsResult) result = { NULL };
  g_autofree char *line = NULL;
  g_auto (GStrv) words = NULL;
  guint told = 0;

  if (!find_compiler (options, &wanted.compiler) || !cli_project_load (project, "flags", CLI_PROJECT_CONFIG))
    return CLI_BAD_INPUT;
  words = make_flags (project, &wanted, !cs_selection_needs_functions (project->config), &result, warnings, &selection);
  if (words != NULL && result.lacks_functions)
    {
      g_ptr_array_set_size (warnings, 0);
      cs_flags_result_clear (&result);
      g_clear_pointer (&selection, cs_selection_unref);
      g_clear_pointer (&words, g_strfreev);
      words = make_flags (project, &wanted, FALSE, &result, warnings, &selection);
    }
  if (words == NULL)
    return CLI_BAD_INPUT;
  if (options->print)
    print_summary (project, &result, n_sources);
  g_ptr_array_add (warnings, NULL);
  if (!options->quiet)
    {
      tell_warnings (cs_selection_get_warnings (selection), &told);
      tell_warnings ((const char *const *) warnings->pdata, &told);
      if (told > MOST_WARNINGS)
        fprintf (stderr, "! and %u more\n", told - MOST_WARNINGS);
    }
  if (options->make)
    {
      line = cs_flags_quote_make ((const char *const *) words);
      printf ("CFLAGS_INSTRUMENT = $(CFLAGS_SYMBOLS)%s%s\n", *line != '\0' ? " " : "", line);
    }
  else
    {
      line = cs_flags_quote_shell ((const char *const *) words);
      puts (line);
    }
  return fflush (stdout) == 0 ? CLI_DONE : CLI_BAD_INPUT;
}

/**
 * cli_flags:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * flags --config F -- SOURCE…: prints the options that have the compiler hook what trace.config chooses.
 *
 * Returns: the exit status
 */
int
cli_flags (int argc, char **argv)
{
  g_auto (CliProject) project = { NULL };
  g_auto (Options) options = { NULL };
  const GOptionEntry entries[] = {
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &project.config_path, "What to trace (trace.config)", "FILE" },
    { "scan", 0, 0, G_OPTION_ARG_FILENAME, &project.folder, "The folder of the project (where the config lies)", "DIR" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &options.format,
      "make: a line that sets CFLAGS_INSTRUMENT (default), or raw: the options, quoted for a shell", "FORMAT" },
    { "compiler", 0, 0, G_OPTION_ARG_STRING, &options.compiler, "auto (default), gcc or clang", "NAME" },
    { "compiler-cmd", 0, 0, G_OPTION_ARG_STRING, &options.compiler_cmd,
      "The command that compiles, for auto ($CC, or cc)", "CC" },
    { "after-inlining", 0, 0, G_OPTION_ARG_NONE, &options.after_inlining,
      "Hook what is left of functions after inlining; clang only", NULL },
    { "widen", 0, 0, G_OPTION_ARG_NONE, &options.widen,
      "Where a compiler can't choose functions, take their whole files", NULL },
    { "print", 0, 0, G_OPTION_ARG_NONE, &options.print, "Tell on standard error what is chosen", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "No warnings", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("-- SOURCE…");

  g_option_context_set_summary (context,
                                "Prints the options with which a compiler puts hooks into what trace.config chooses of the\n"
                                "sources, and into nothing else. Sources are named as they are to the compiler, from the\n"
                                "folder in which it runs.");
  g_option_context_set_description (
    context, "gcc leaves out files and functions whose names contain an entry of its lists. An entry that would take\n"
             "something chosen with it is made longer, or isn't used, which standard error tells. clang has no such\n"
             "lists: there the launcher callsight-cc chooses by file. More than 120 KiB of options are refused.\n");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!cli_parse (context, "flags", &argc, &argv))
    return CLI_BAD_INPUT;
  if (argc > 1 && g_str_equal (argv[1], "--"))
    argv++, argc--;
  if (!check (&options, argc))
    return CLI_BAD_INPUT;
  project.quiet = options.quiet;
  return flags (&project, &options, (const char *const *) argv + 1, (guint) argc - 1);
}
