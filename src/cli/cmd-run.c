/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib-unix.h>
#include <signal.h>

#include "capture/cs-event-file.h"
#include "cli.h"
#include "project/cs-run.h"

/* A program that doesn't end after SIGTERM is killed after so many seconds more. */
#define GRACE_S 10

/* The terminal sends Ctrl-C to the program too: it may end in its own way. A second one, or
 * SIGTERM, stops it. */
typedef struct
{
  GCancellable *stop;
  guint interrupts;
} Signals;

static gboolean
on_interrupt (gpointer data)
{
  Signals *signals = data;

  if (++signals->interrupts > 1)
    g_cancellable_cancel (signals->stop);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_terminate (gpointer data)
{
  g_cancellable_cancel (((Signals *) data)->stop);
  return G_SOURCE_CONTINUE;
}

static void
tell (const char *sentence, gpointer data)
{
  cli_error ("run: %s", sentence);
}

static CsRunResult *
run_program (const CsRunOptions *options, GError **error)
{
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  g_autoptr (CsRun) run = cs_run_new (options);
  g_autoptr (GAsyncResult) result = NULL;
  Signals signals = { stop, 0 };
  guint interrupt = g_unix_signal_add (SIGINT, on_interrupt, &signals);
  guint terminate = g_unix_signal_add (SIGTERM, on_terminate, &signals);

  cs_run_async (run, stop, cli_keep_result, &result);
  cli_wait (&result);
  g_source_remove (interrupt);
  g_source_remove (terminate);
  return cs_run_finish (run, result, error);
}

static void
tell_nothing_recorded (const CsReportProgram *program)
{
  g_autofree char *end = program->signal != 0
                             ? g_strdup_printf ("was ended by signal %d (%s)", program->signal,
                                                g_strsignal (program->signal))
                             : g_strdup_printf ("exited with status %d", program->exit_status);

  cli_error ("%s: %s and recorded nothing — unless it said why, it lacks hooks or the runtime: run the one "
             "that callsight-cli build makes, compile it with -g -finstrument-functions and link runtime/trace.c, or add --preload if it loads plugins or "
             "starts programs with hooks",
             program->command[0], end);
}

/* Whether an option's value is one of its words; if not, the person is told. */
static gboolean
check_word (const char *option, const char *value, const char *const *words)
{
  g_autofree char *list = NULL;

  if (value == NULL || g_strv_contains (words, value))
    return TRUE;
  list = g_strjoinv (", ", (char **) words);
  cli_error ("--%s %s: no such thing — use one of %s", option, value, list);
  return FALSE;
}

/* Options as given. */
typedef struct
{
  char *folder, *threads, *clock, *full, *mode, *format;
  gboolean keep, preload;
  int timeout;
  gint64 max_events, max_mb;
} Given;

static void
given_clear (Given *self)
{
  g_free (self->folder);
  g_free (self->threads);
  g_free (self->clock);
  g_free (self->full);
  g_free (self->mode);
  g_free (self->format);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Given, given_clear)

/* Whether they are right; if not, the person is told. */
static gboolean
given_check (const Given *self)
{
  if (self->timeout < 0 || self->max_events < 0 || self->max_mb < -1)
    {
      cli_error ("run: --timeout, --max-events and --max-mb take numbers from 1 on, 0 for no limit");
      return FALSE;
    }
  return cli_check_name ("run: --dir", self->folder) && cli_check_name ("run: --threads", self->threads) &&
         check_word ("clock", self->clock, (const char *const[]){ "auto", "mono", "raw", "tsc", NULL }) &&
         check_word ("full", self->full, (const char *const[]){ "stop", "wrap", NULL }) &&
         check_word ("record", self->format, (const char *const[]){ "records", "packed", NULL }) &&
         check_word ("mode", self->mode, (const char *const[]){ "events", "summary", NULL });
}

/* Reads the command line. Returns whether it is right; if not, the person is told. */
static gboolean
parse (int *argc, char ***argv, Given *given, CliReport *report)
{
  const GOptionEntry entries[] = {
    { "dir", 0, 0, G_OPTION_ARG_FILENAME, &given->folder, "Trace directory (./traces)", "DIR" },
    { "keep", 0, 0, G_OPTION_ARG_NONE, &given->keep, "Keep what an earlier run left in it", NULL },
    { "timeout", 0, 0, G_OPTION_ARG_INT, &given->timeout, "Stop the program with SIGTERM after S seconds", "S" },
    { "mode", 0, 0, G_OPTION_ARG_STRING, &given->mode, "events (default), or summary: sums instead of calls", "MODE" },
    { "record", 0, 0, G_OPTION_ARG_STRING, &given->format, "packed (default): about 3 bytes an event; or records of 32 bytes", "FORMAT" },
    { "max-mb", 0, 0, G_OPTION_ARG_INT64, &given->max_mb, "Write at most N megabytes (512); 0 for no limit", "N" },
    { "full", 0, 0, G_OPTION_ARG_STRING, &given->full, "When that is reached: stop (default), or wrap to keep the end", "POLICY" },
    { "max-events", 0, 0, G_OPTION_ARG_INT64, &given->max_events, "Stop recording after N events", "N" },
    { "preload", 0, 0, G_OPTION_ARG_NONE, &given->preload, "Lend the runtime: only plugins, or programs that it starts, hold hooks", NULL },
    { "threads", 0, 0, G_OPTION_ARG_STRING, &given->threads, "Record threads with these names only", "GLOB[,GLOB…]" },
    { "clock", 0, 0, G_OPTION_ARG_STRING, &given->clock, "auto, mono, raw or tsc", "CLOCK" },
    CLI_REPORT_ENTRIES (*report),
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("-- COMMAND ARGS…");

  g_option_context_set_summary (context, "Runs a program with tracing on and reports what it did.");
  g_option_context_set_strict_posix (context, TRUE);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!cli_parse (context, "run", argc, argv) || !cli_report_check (report))
    return FALSE;
  if (*argc > 1 && g_str_equal ((*argv)[1], "--"))
    (*argv)++, (*argc)--;
  if (*argc < 2)
    {
      cli_error ("run: no program given — callsight-cli run -- ./yourapp.instr");
      return FALSE;
    }
  return given_check (given);
}

/**
 * cli_run:
 * @argc: number of arguments, the subcommand first
 * @argv: the arguments
 *
 * run -- COMMAND: records a program and reports.
 *
 * Returns: the exit status
 */
int
cli_run (int argc, char **argv)
{
  g_auto (CliReport) report = CLI_REPORT_INIT;
  g_auto (Given) given = { .max_mb = -1 };
  g_autoptr (CsRunResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) not_found = NULL;
  CsReportProgram program = { 0 };
  CsRunOptions options = { 0 };
  int status;

  if (!parse (&argc, &argv, &given, &report))
    return CLI_BAD_INPUT;
  options.command = (const char *const *) argv + 1;
  options.folder = given.folder != NULL ? given.folder : "traces";
  options.keep = given.keep;
  options.timeout_s = (guint) given.timeout;
  options.grace_ms = GRACE_S * 1000;
  options.threads = given.threads;
  options.clock = given.clock;
  options.max_events = (guint64) given.max_events;
  options.max_mb = given.max_mb;
  options.full = given.full;
  options.mode = given.mode;
  options.format = given.format;
  options.preload = given.preload;
  options.tell = report.quiet ? NULL : tell;
  result = run_program (&options, &error);
  if (result == NULL)
    {
      cli_error ("%s", error->message);
      return g_error_matches (error, CS_RUN_ERROR, CS_RUN_ERROR_START) ? CLI_NOT_STARTED : CLI_BAD_INPUT;
    }

  program = (CsReportProgram){ .command = options.command, .exit_status = result->exit_status,
                               .signal = result->signal, .timed_out = result->timed_out };
  report.program = &program;
  status = cli_report_make (&report, (const char *const[]){ options.folder, NULL }, &not_found);
  if (not_found != NULL)
    tell_nothing_recorded (&program);
  return status;
}
