/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli-text.h"
#include "cli.h"

static const struct
{
  const char *name;
  int (*run) (int argc, char **argv);
  const char *synopsis;
  const char *summary;
  const char *with_value; /* its short options that take a value */
} commands[] = {
  { "init", cli_init, "init DIR [--system SYSTEM]", "Put runtime and build wiring into a project", NULL },
  { "build", cli_build, "build [DIR] [OPTIONS] [-- ARGS…]", "Build with hooks, beside the normal build", "j" },
  { "scan", cli_scan, "scan DIR [OPTIONS]", "Tell what trace.config chooses", NULL },
  { "select", cli_select, "select DIR -f NAME… [-d N]", "Tell what a function calls, and the lines that choose it", "dft" },
  { "flags", cli_flags, "flags [OPTIONS] -- SOURCE…", "The compiler's options for sources", NULL },
  { "run", cli_run, "run [OPTIONS] -- COMMAND ARGS…", "Run a program with tracing on and report", NULL },
  { "analyze", cli_analyze, "analyze [DIR…] [OPTIONS]", "Report what a recording holds", NULL },
  { "slowest", cli_slowest, "slowest [DIR…] [-n N] [OPTIONS]", "List the longest single calls", "n" },
  { "convert", cli_convert, "convert DIR --to FORMAT", "Pack a recording, or unpack it, into a copy", NULL },
  { "counters", cli_counters, "counters [DIR] --exe BIN", "Find where in a program events are counted", NULL },
  { "serve", cli_serve, "serve [OPTIONS]", "Receive what devices record", NULL },
  { "doctor", cli_doctor, "doctor [DIR] [OPTIONS]", "Look whether all that is needed is here", NULL },
  { "provision", cli_provision, "provision [OPTIONS]", "Say which ctags serves the scan, or fetch one", NULL },
  { "diff", cli_diff, "diff BASE NEW [OPTIONS]", "Compare two reports, function by function", NULL },
};

/* A line on standard error, whatever is in it. */
static void
put_line (const char *prefix, const char *message)
{
  g_autofree char *text = cli_dup_printable (message);

  fprintf (stderr, "%s%s\n", prefix, text);
}

/**
 * cli_notice:
 * @notice: what makes the numbers less than the whole truth
 *
 * Tells the person on standard error, where the report has no place for it.
 */
void
cli_notice (const char *notice)
{
  put_line ("! ", notice);
}

/**
 * cli_error:
 * @format: printf style: what: why — what to do
 *
 * Tells the person in one line on standard error.
 */
void
cli_error (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  put_line ("callsight-cli: ", text);
}

/**
 * cli_check_name:
 * @option: an option that takes a name
 * @name: (nullable): what was given
 *
 * Returns: whether it isn't empty; if it is, the person has been told
 */
gboolean
cli_check_name (const char *option, const char *name)
{
  if (name == NULL || *name != '\0')
    return TRUE;
  cli_error ("%s: the name is empty — give one, or leave %s away", option, option);
  return FALSE;
}

/* Makes `-j 2` of `-j2`, which GOption doesn't know. */
static void
split_values (const char *command, int *argc, char ***argv)
{
  static GPtrArray *words = NULL; /* until the end: the caller's arguments point into it */
  const char *letters = NULL;
  gboolean is_value = FALSE;

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, command))
      letters = commands[i].with_value;
  if (letters == NULL || words != NULL)
    return;
  words = g_ptr_array_new ();
  for (int i = 0; i < *argc; i++)
    {
      char *word = (*argv)[i];
      gboolean is_option = !is_value && word[0] == '-' && word[1] != '\0' && strchr (letters, word[1]) != NULL;

      if (!is_value && g_str_equal (word, "--"))
        letters = "";
      if (is_option && word[2] != '\0')
        {
          g_ptr_array_add (words, g_strndup (word, 2));
          word += 2;
        }
      is_value = is_option && word == (*argv)[i];
      g_ptr_array_add (words, word);
    }
  *argc = (int) words->len;
  g_ptr_array_add (words, NULL);
  *argv = (char **) words->pdata;
}

/**
 * cli_parse:
 * @context: the options of a subcommand
 * @command: its name
 * @argc: (inout): number of arguments, its name first
 * @argv: (inout): the arguments; what is no option stays
 *
 * Returns: whether the options are right; if not, the person has been told
 */
gboolean
cli_parse (GOptionContext *context, const char *command, int *argc, char ***argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_strdup_printf ("callsight-cli %s", command);

  split_values (command, argc, argv);
  g_set_prgname (name);
  if (g_option_context_parse (context, argc, argv, &error))
    return TRUE;
  cli_error ("%s: %s — see callsight-cli %s --help", command, error->message, command);
  return FALSE;
}

/**
 * cli_keep_result:
 * @source: unused
 * @result: what a finished operation gives its callback
 * @user_data: a GAsyncResult **, which gets a reference
 *
 * A callback for cli_wait().
 */
void
cli_keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/**
 * cli_wait:
 * @result: (inout): where cli_keep_result() puts the result
 *
 * Runs the main loop until an operation is finished.
 *
 * Returns: (transfer none): @result's value
 */
GAsyncResult *
cli_wait (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

static void
print_help (FILE *to)
{
  fputs ("Usage: callsight-cli COMMAND …\n\n"
         "Exact times of the C and C++ functions that you chose.\n\nCommands:\n",
         to);
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (to, "  %s%*s%s\n", commands[i].synopsis, 35 - (int) g_utf8_strlen (commands[i].synopsis, -1), "",
             commands[i].summary);
  fputs ("\nOptions:\n"
         "  --help                             This text; callsight-cli COMMAND --help tells more\n"
         "  --version                          The version\n"
         "\nExit status: 0 done, 1 the answer is no, 2 usage or unreadable input,\n"
         "3 the traced program could not be started.\n",
         to);
}

/* Standard descriptors that are closed would be given to files that we open, and reports written into those. */
static void
fill_standard_descriptors (void)
{
  int fd;

  while ((fd = open ("/dev/null", O_RDONLY)) >= 0 && fd <= STDERR_FILENO)
    ;
  if (fd >= 0)
    close (fd);
}

int
main (int argc, char **argv)
{
  fill_standard_descriptors ();
  setlocale (LC_ALL, "");

  if (argc < 2)
    {
      print_help (stderr);
      return CLI_BAD_INPUT;
    }
  if (g_str_equal (argv[1], "--version"))
    {
      puts ("callsight-cli " CS_VERSION);
      return CLI_DONE;
    }
  if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h") || g_str_equal (argv[1], "help"))
    {
      print_help (stdout);
      return CLI_DONE;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (argv[1], commands[i].name))
      return commands[i].run (argc - 1, argv + 1);
  cli_error ("%s: no such command — see callsight-cli --help", argv[1]);
  return CLI_BAD_INPUT;
}
