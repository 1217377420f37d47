/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli.h"
#include "report/cs-diff.h"

/* A line on a terminal tells what takes longer than this. */
#define TELL_AFTER_MS 500

typedef struct
{
  char *key;
  char *threshold;
  char *fail_over;
  char *format;
  char *out;
  gboolean quiet;
} Arguments;

static void
arguments_clear (Arguments *self)
{
  g_free (self->key);
  g_free (self->threshold);
  g_free (self->fail_over);
  g_free (self->format);
  g_free (self->out);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

/* A number from 0 on, with a decimal point in every locale. */
static gboolean
parse_number (const char *option, const char *text, const char *what, double *number)
{
  char *end;

  if (text == NULL)
    return TRUE;
  *number = g_ascii_strtod (text, &end);
  if (end != text && *end == '\0' && isfinite (*number) && *number >= 0)
    return TRUE;
  cli_error ("diff: --%s %s: %s is a number from 0 on — write 10 or 0.5, for instance", option, text, what);
  return FALSE;
}

static gboolean
wants_colour (const Arguments *arguments)
{
  const char *no_colour = g_getenv ("NO_COLOR");
  const char *term = g_getenv ("TERM");

  return arguments->out == NULL && isatty (STDOUT_FILENO) && (no_colour == NULL || *no_colour == '\0') &&
         g_strcmp0 (term, "dumb") != 0;
}

static gboolean
tell_reading (gpointer data)
{
  fputs ("reading reports…", stderr);
  fflush (stderr);
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* One after the other, so that one text is in memory at a time. */
static gboolean
read_reports (char **paths, gboolean quiet, CsReportFile **base, CsReportFile **other, GError **error)
{
  CsReportFile **reports[] = { base, other };
  gboolean told = FALSE;
  guint timer = !quiet && isatty (STDERR_FILENO) ? g_timeout_add (TELL_AFTER_MS, tell_reading, &told) : 0;
  gboolean read = TRUE;

  for (guint i = 0; read && i < G_N_ELEMENTS (reports); i++)
    {
      g_autoptr (GAsyncResult) result = NULL;

      cs_report_file_read_async (paths[i], NULL, cli_keep_result, &result);
      *reports[i] = cs_report_file_read_finish (cli_wait (&result), error);
      read = *reports[i] != NULL;
    }
  if (told)
    fputs ("\r\033[K", stderr);
  else
    g_clear_handle_id (&timer, g_source_remove);
  return read;
}

static gboolean
write_diff (const CsDiff *diff, CsDiffFormat format, const Arguments *arguments, GError **error)
{
  g_autoptr (CliOutput) output = cli_output_open (arguments->out, error);

  return output != NULL &&
         cs_diff_write (diff, format, wants_colour (arguments), cli_output_get_stream (output), NULL, error) &&
         cli_output_commit (output, error);
}

static int
tell_failure (const CsDiff *diff, const char *limit)
{
  const CsReportRow *function = diff->worst->new;
  char buffer[64];

  if (isinf (diff->worst->percent))
    cli_error ("diff: %s: its %s was 0 and is more now, over --fail-over %s — see what it does now, or take a new base",
               function->function, diff->key, limit);
  else
    cli_error ("diff: %s: its %s rose by %s %%, over --fail-over %s — see what it does now, or take a new base",
               function->function, diff->key, g_ascii_formatd (buffer, sizeof buffer, "%.1f", diff->worst->percent), limit);
  return CLI_NO;
}

/**
 * cli_diff:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * diff BASE NEW: compares two reports function by function.
 *
 * Returns: the exit status
 */
int
cli_diff (int argc, char **argv)
{
  g_auto (Arguments) arguments = { NULL };
  const GOptionEntry entries[] = {
    { "key", 0, 0, G_OPTION_ARG_STRING, &arguments.key,
      "What to compare: self_ms (default), any number of a row, or EVENT, EVENT_per_call or EVENT_self of a counter", "K" },
    { "threshold", 0, 0, G_OPTION_ARG_STRING, &arguments.threshold, "Ignore changes smaller than X, in the key's unit", "X" },
    { "fail-over", 0, 0, G_OPTION_ARG_STRING, &arguments.fail_over, "Exit with 1 if a function rose by more than PCT percent", "PCT" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &arguments.format,
      "text (default), json, csv, or folded: two columns for differential flame graphs", "FMT" },
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &arguments.out, "Write to FILE, which stays as it is if anything fails", "FILE" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &arguments.quiet, "No progress display", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("BASE NEW");
  CsDiffOptions options = { .threshold = 0, .fail_over = -1 };
  CsDiffFormat format;
  g_autoptr (CsReportFile) base = NULL;
  g_autoptr (CsReportFile) other = NULL;
  g_autoptr (CsDiff) diff = NULL;
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context,
                                "Compares two reports, function by function: files that analyze --format json --top 0\n"
                                "wrote, or those of --format folded, which hold call paths.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!cli_parse (context, "diff", &argc, &argv))
    return CLI_BAD_INPUT;
  if (argc > 1 && g_str_equal (argv[1], "--"))
    argv++, argc--;
  if (argc != 3)
    {
      cli_error ("diff: two reports are compared, not %d — callsight-cli diff BASE.json NEW.json", MAX (argc - 1, 0));
      return CLI_BAD_INPUT;
    }
  if (!cli_check_name ("diff: --out", arguments.out) ||
      !parse_number ("threshold", arguments.threshold, "a change", &options.threshold) ||
      !parse_number ("fail-over", arguments.fail_over, "a percentage", &options.fail_over))
    return CLI_BAD_INPUT;
  options.key = arguments.key;

  signal (SIGPIPE, SIG_IGN);
  if (cs_diff_format_parse (arguments.format != NULL ? arguments.format : "text", &format, &error) &&
      read_reports (argv + 1, arguments.quiet, &base, &other, &error) &&
      (diff = cs_diff_new (base, other, &options, &error)) != NULL)
    write_diff (diff, format, &arguments, &error);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE))
    {
      cli_error ("%s", error->message);
      return CLI_BAD_INPUT;
    }
  return diff->failed ? tell_failure (diff, arguments.fail_over) : CLI_DONE;
}
