/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

/* A progress line appears on a terminal when the work takes longer than this. */
#define PROGRESS_AFTER_US (G_USEC_PER_SEC / 2)

typedef struct
{
  gint64 start;
  gboolean enabled;
  gboolean shown;
} Progress;

static void
show_progress (goffset current, goffset total, gpointer data)
{
  Progress *progress = data;

  if (!progress->enabled || g_get_monotonic_time () - progress->start < PROGRESS_AFTER_US)
    return;
  fprintf (stderr, "\rreading events… %3d %%", total > 0 ? (int) (100.0 * (double) current / (double) total) : 100);
  fflush (stderr);
  progress->shown = TRUE;
}

static void
clear_progress (Progress *progress)
{
  if (progress->shown)
    fputs ("\r\033[K", stderr);
  progress->shown = FALSE;
}

/**
 * cli_report_clear:
 * @self: a report's options
 */
void
cli_report_clear (CliReport *self)
{
  g_free (self->exe);
  g_free (self->format_name);
  g_free (self->out);
}

/**
 * cli_report_check:
 * @self: options as parsed
 *
 * Checks what GOption can't.
 *
 * Returns: whether they are right; if not, the person has been told
 */
gboolean
cli_report_check (CliReport *self)
{
  g_autoptr (GError) error = NULL;

  if (self->top < 0)
    {
      cli_error ("--top %d: a number of rows can't be negative — 0 shows all", self->top);
      return FALSE;
    }
  if (!cs_report_format_parse (self->format_name != NULL ? self->format_name : "text", &self->format, &error))
    {
      cli_error ("%s", error->message);
      return FALSE;
    }
  return TRUE;
}

static gboolean
on_interrupt (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_CONTINUE;
}

/* Standard output, or a file that takes the place of the old one only when it is whole. */
static GOutputStream *
open_output (CliReport *self, GError **error)
{
  g_autoptr (GFile) file = NULL;
  struct stat st;

  if (self->out == NULL)
    return g_unix_output_stream_new (STDOUT_FILENO, FALSE);
  file = g_file_new_for_commandline_arg (self->out);
  if (stat (self->out, &st) == 0 && !S_ISREG (st.st_mode) && !S_ISDIR (st.st_mode))
    return G_OUTPUT_STREAM (g_file_append_to (file, G_FILE_CREATE_NONE, NULL, error));
  return G_OUTPUT_STREAM (g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, error));
}

static gboolean
write_report (CliReport *self, CsProfile *profile, GCancellable *cancellable, GError **error)
{
  CsReportOptions options = { .top = (guint) self->top, .program = self->program };
  g_autoptr (GOutputStream) stream = open_output (self, error);
  g_autoptr (GAsyncResult) result = NULL;

  if (stream == NULL)
    return FALSE;
  cs_report_write_async (profile, self->format, &options, stream, cancellable, cli_keep_result, &result);
  if (cs_report_write_finish (cli_wait (&result), error))
    return g_output_stream_close (stream, NULL, error);

  /* Closing under a cancelled cancellable leaves an old file as it was. */
  g_autoptr (GCancellable) give_up = g_cancellable_new ();
  g_cancellable_cancel (give_up);
  g_output_stream_close (stream, give_up, NULL);
  return FALSE;
}

static CsProfile *
make_profile (CliReport *self, const char *const *paths, Progress *progress, GCancellable *cancellable,
              GError **error)
{
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  CsProfileOptions options = { .name_call_sites = self->format == CS_REPORT_CALLERS };
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GAsyncResult) profiled = NULL;

  if (self->exe != NULL && !cs_symbolizer_set_executable (symbolizer, self->exe, error))
    return NULL;
  cs_recording_open_async (paths, cancellable, cli_keep_result, &opened);
  recording = cs_recording_open_finish (cli_wait (&opened), error);
  if (recording == NULL)
    return NULL;
  cs_profile_new_async (recording, symbolizer, &options, cancellable, show_progress, progress,
                        cli_keep_result, &profiled);
  return cs_profile_new_finish (cli_wait (&profiled), error);
}

/**
 * cli_report_make:
 * @self: checked options
 * @paths: (array zero-terminated=1): trace directories or event files
 * @not_found: (out) (optional) (nullable): set, and nothing printed, where there is no recording
 *
 * Reads a recording and writes its report.
 *
 * Returns: the exit status; on an error the person has been told
 */
int
cli_report_make (CliReport *self, const char *const *paths, GError **not_found)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (CsProfile) profile = NULL;
  g_autoptr (GError) error = NULL;
  guint interrupt = g_unix_signal_add (SIGINT, on_interrupt, cancellable);
  Progress progress = { .start = g_get_monotonic_time (), .enabled = !self->quiet && isatty (STDERR_FILENO) };
  gboolean written = FALSE;

  signal (SIGPIPE, SIG_IGN);
  profile = make_profile (self, paths, &progress, cancellable, &error);
  clear_progress (&progress);
  if (profile != NULL)
    written = write_report (self, profile, cancellable, &error);
  g_source_remove (interrupt);

  if (written || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE))
    return CLI_DONE;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      /* Ends as a program does that Ctrl-C was meant for. */
      signal (SIGINT, SIG_DFL);
      raise (SIGINT);
    }
  if (not_found != NULL && g_error_matches (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND))
    g_propagate_error (not_found, g_steal_pointer (&error));
  else if (profile != NULL && self->out != NULL)
    cli_error ("%s: the report can't be written: %s", self->out, error->message);
  else
    cli_error ("%s", error->message);
  return CLI_BAD_INPUT;
}
