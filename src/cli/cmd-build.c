/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cli-project.h"
#include "cli.h"
#include "project/cs-build.h"

/* More programs than this aren't listed. */
#define MOST_PROGRAMS 12
/* Nor are more functions of a kind. */
#define MOST_FUNCTIONS 5

typedef struct
{
  gboolean quiet;
  GString *log; /* what tools wrote, kept until one fails */
} Progress;

static void
tell (const char *sentence, gpointer user_data)
{
  const Progress *progress = user_data;

  if (progress->quiet)
    return;
  printf ("callsight: %s\n", sentence);
  fflush (stdout);
}

static void
keep_output (const char *bytes, gsize size, gboolean is_error, gpointer user_data)
{
  g_string_append_len (((Progress *) user_data)->log, bytes, (gssize) size);
}

static void
print_hooks (const CsHookCheck *hooks)
{
  g_autoptr (GPtrArray) lines = NULL;
  gsize hooked;
  gsize unknown;
  guint chosen;

  if (hooks == NULL)
    return;
  cs_hook_check_get (hooks, CS_HOOK_FATE_HOOKED, &hooked);
  cs_hook_check_get (hooks, CS_HOOK_FATE_UNKNOWN, &unknown);
  chosen = cs_hook_check_count_chosen (hooks);
  printf ("%u function%s chosen", chosen, chosen == 1 ? "" : "s");
  if (hooked > 0 || unknown == 0)
    printf (", %s%zu of them with hooks", unknown > 0 ? "at least " : "", hooked);
  putchar ('\n');
  lines = cs_hook_check_to_lines (hooks, MOST_FUNCTIONS);
  for (guint i = 0; i < lines->len; i++)
    printf ("  %s\n", (const char *) lines->pdata[i]);
}

static int
print_result (const CsBuildResult *result, gboolean quiet)
{
  const char *plural = result->programs->len == 1 ? "" : "s";

  if (!quiet)
    {
      printf ("built: %u of %u unit%s with hooks, %u program%s with the runtime\n", result->units_hooked, result->units,
              result->units == 1 ? "" : "s", result->programs->len, plural);
      for (guint i = 0; i < MIN (result->programs->len, MOST_PROGRAMS); i++)
        {
          g_autofree char *path = cli_show_path (result->programs->pdata[i]);

          printf ("  callsight-cli run -- %s%s\n", strchr (path, '/') == NULL ? "./" : "", path);
        }
      if (result->programs->len > MOST_PROGRAMS)
        printf ("  and %u more\n", result->programs->len - MOST_PROGRAMS);
      if (result->programs->len == 0 && result->units_hooked > 0 && result->without_runtime->len == 0)
        puts ("  no program with hooks was linked through callsight-cc; callsight-cli run lends its runtime");
      print_hooks (result->hooks);
      fflush (stdout);
    }
  if (result->outside > 0)
    {
      g_autofree char *text = g_strdup_printf (result->outside == 1
                                                 ? "%u file that the build made lies outside %s (%s): if the normal build "
                                                   "makes it, too, make it again without hooks"
                                                 : "%u files that the build made lie outside %s (%s): if the normal build "
                                                   "makes them, too, make them again without hooks",
                                               result->outside, result->folder, result->outside_example);

      cli_notice (text);
    }
  for (guint i = 0; i < result->without_runtime->len; i++)
    cli_error ("build: %s: holds hooks, but was linked without the runtime — link it through callsight-cc, or give "
               "callsight-cli run --preload",
               (const char *) result->without_runtime->pdata[i]);
  if (result->units_hooked == 0)
    cli_error ("build: nothing has hooks: trace.config chooses no file that this build compiles — see callsight-cli scan");
  return result->without_runtime->len > 0 || result->units_hooked == 0 ? CLI_NO : CLI_DONE;
}

static int
build (CsBuildOptions *options, gboolean quiet)
{
  Progress progress = { .quiet = quiet, .log = g_string_new (NULL) };
  g_autoptr (CsBuildResult) result = NULL;
  g_autoptr (GAsyncResult) async = NULL;
  g_autoptr (GError) error = NULL;
  CliInterrupt interrupt;

  options->tell = tell;
  options->user_data = &progress;
  options->output = quiet ? keep_output : NULL;
  cli_interrupt_begin (&interrupt);
  cs_build_async (options, interrupt.cancellable, cli_keep_result, &async);
  cli_wait (&async);
  result = cs_build_finish (async, &error);
  cli_interrupt_end (&interrupt, error);
  if (result == NULL)
    fwrite (progress.log->str, 1, progress.log->len, stderr);
  g_string_free (progress.log, TRUE);
  if (result != NULL)
    return print_result (result, quiet);
  cli_error ("build: %s", error->message);
  return g_error_matches (error, CS_BUILD_ERROR, CS_BUILD_ERROR_FAILED) ? CLI_NO : CLI_BAD_INPUT;
}

/* Takes what is behind "--" away. */
static char **
split_arguments (int *argc, char **argv)
{
  for (int i = 1; i < *argc; i++)
    if (g_str_equal (argv[i], "--"))
      {
        *argc = i;
        argv[i] = NULL;
        return argv + i + 1;
      }
  return argv + *argc;
}

/**
 * cli_build:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * build [DIR]: an instrumented build beside the normal one.
 *
 * Returns: the exit status
 */
int
cli_build (int argc, char **argv)
{
  g_auto (CliProject) project = { 0 };
  g_autofree char *system = NULL;
  g_autofree char *build_dir = NULL;
  g_autofree char *compiler = NULL;
  g_autofree char *cxx_compiler = NULL;
  int jobs = 0;
  CsBuildOptions options = { 0 };
  const GOptionEntry entries[] = {
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &project.config_path, "What to trace (DIR/trace.config)", "FILE" },
    { "system", 0, 0, G_OPTION_ARG_STRING, &system, "auto (default), make, cmake, meson or autotools", "SYSTEM" },
    { "build-dir", 0, 0, G_OPTION_ARG_FILENAME, &build_dir, "Folder to build in (DIR/build-instr)", "FOLDER" },
    { "compiler", 0, 0, G_OPTION_ARG_STRING, &compiler, "C compiler (what the project takes)", "CC" },
    { "cxx-compiler", 0, 0, G_OPTION_ARG_STRING, &cxx_compiler, "C++ compiler (the one that belongs to CC)", "CXX" },
    { "after-inlining", 0, 0, G_OPTION_ARG_NONE, &options.after_inlining, "clang: hooks only in what isn't inlined", NULL },
    { "widen", 0, 0, G_OPTION_ARG_NONE, &options.widen, "clang: take files wholly of which functions are chosen", NULL },
    { "no-inline", 0, 0, G_OPTION_ARG_NONE, &options.no_inline, "Inline nothing that is chosen; this costs time", NULL },
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &jobs, "How many compilers at once (one a processor)", "N" },
    { "clean", 0, 0, G_OPTION_ARG_NONE, &options.clean, "Begin anew", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &project.quiet, "Print nothing unless something fails", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("[DIR] [-- ARGS…]");
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (CsSelection) selection = NULL;

  g_option_context_set_summary (context, "Builds a project with hooks in what trace.config chooses, beside its normal build.");
  g_option_context_set_description (
      context, "CMake, Meson and autoconf build in DIR/build-instr, Make in a copy of DIR there; the normal build isn't "
               "touched.\nARGS go to make, cmake, meson setup or configure: NAME=VALUE, -DNAME=VALUE, targets of make. They aren't\n"
               "remembered: give them each time. With others than last time the folder is made anew; for make only\n"
               "variables count. Of several build systems the one of the last build, or of init, is taken.");
  g_option_context_add_main_entries (context, entries, NULL);
  options.arguments = (const char *const *) split_arguments (&argc, argv);
  if (!cli_parse (context, "build", &argc, &argv))
    return CLI_BAD_INPUT;
  if (argc > 2)
    {
      cli_error ("build: %s: one project at a time — arguments for the build tool go behind --", argv[2]);
      return CLI_BAD_INPUT;
    }
  if (jobs < 0)
    {
      cli_error ("build: --jobs takes a number from 1 on");
      return CLI_BAD_INPUT;
    }
  if (system != NULL && !g_str_equal (system, "auto") &&
      (!cs_build_system_from_name (system, &options.system) || options.system == CS_BUILD_SYSTEM_NONE))
    {
      cli_error ("build: --system %s: no such thing — use one of auto, make, cmake, meson, autotools", system);
      return CLI_BAD_INPUT;
    }
  project.folder = argc > 1 ? g_strdup (argv[1]) : project.config_path == NULL ? g_strdup (".") : NULL;
  selection = cli_project_choose (&project, "build");
  if (selection == NULL)
    return CLI_BAD_INPUT;
  options.selection = selection;
  options.config_path = project.config_path;
  options.build_folder = build_dir;
  options.compiler = compiler;
  options.cxx_compiler = cxx_compiler;
  options.jobs = (guint) jobs;
  options.command = self;
  return build (&options, project.quiet);
}
