/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli.h"
#include "project/cs-bundle-writer.h"
#include "report/cs-report-selection.h"
#include "symbols/cs-symbol-cache.h"

/* A progress line appears on a terminal when the work takes longer than this. */
#define PROGRESS_AFTER_US (G_USEC_PER_SEC / 2)

/* Of larger recordings an index of time is made and kept when a part is asked for, so that the next
 * part is there at once. */
#define INDEX_FROM_BYTES (64 * 1000 * 1000)

typedef struct
{
  const char *what;
  gint64 start; /* monotonic µs */
  gboolean enabled;
  gboolean shown;
  guint64 done, total; /* bytes of a report that reads the recording again */
  CsSymbolizer *symbolizer;
} Progress;

static void
show_progress (goffset current, goffset total, gpointer data)
{
  Progress *progress = data;

  guint64 fetched = cs_symbolizer_get_n_fetched (progress->symbolizer);

  if (!progress->enabled || g_get_monotonic_time () - progress->start < PROGRESS_AFTER_US)
    return;
  if (fetched > 0 && current >= total)
    fprintf (stderr, "\rfetching debug information… %.1f MB", (double) fetched / 1e6);
  else
    fprintf (stderr, "\r%s… %3d %%", progress->what,
           total > 0 ? MIN (100, (int) (100.0 * (double) current / (double) total)) : 100);
  fflush (stderr);
  progress->shown = TRUE;
}

static gboolean
show_writing (gpointer data)
{
  Progress *progress = data;

  show_progress ((goffset) __atomic_load_n (&progress->done, __ATOMIC_RELAXED), (goffset) progress->total, progress);
  return G_SOURCE_CONTINUE;
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
  g_free (self->sort_name);
  g_free (self->out);
  cs_profile_filter_clear (&self->filter);
  g_free (self->function);
  g_free (self->bundle);
  cli_symbols_clear (&self->symbols);
  g_clear_object (&self->symbolizer);
  g_free (self->selection);
  g_clear_pointer (&self->chosen, cs_report_chosen_free);
  g_clear_pointer (&self->notices, g_ptr_array_unref);
  g_strfreev (self->debug_dirs);
  g_free (self->sysroot);
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

  if (self->top < 0 && self->top != CLI_TOP_DEFAULT)
    {
      cli_error ("--top %d: a number of rows can't be negative — 0 shows all", self->top);
      return FALSE;
    }
  if (!(self->min_share >= 0 && self->min_share <= 100))
    {
      cli_error ("--min-share %g: not a percentage — use 0 to 100", self->min_share);
      return FALSE;
    }
  if (self->bundle != NULL && (self->out != NULL || self->format_name != NULL))
    {
      cli_error ("--bundle: there is no report then — leave out --out and --format, or run analyze on the bundle");
      return FALSE;
    }
  if (!cs_report_format_parse (self->format_name != NULL ? self->format_name : "text", &self->format, &error) ||
      !cs_report_sort_parse (self->sort_name != NULL ? self->sort_name : "self", &self->sort, &error))
    {
      cli_error ("%s", error->message);
      return FALSE;
    }
  if (!cli_check_name ("--out", self->out) || !cli_check_name ("--bundle", self->bundle) ||
      !cli_check_name ("--exe", self->exe) || !cli_check_name ("--selection", self->selection) ||
      !cli_check_name (self->format == CS_REPORT_SLOWEST ? "--function" : "--details", self->function))
    return FALSE;
  if (self->function != NULL && self->format != CS_REPORT_TEXT && self->format != CS_REPORT_JSON &&
      self->format != CS_REPORT_SLOWEST)
    {
      cli_error ("--details: --format %s has no place for them — use text or json", self->format_name);
      return FALSE;
    }
  if (self->by_thread && !cs_report_format_shows_threads (self->format))
    {
      cli_error ("--by-thread: --format %s has no call tree by thread — use folded, tree or svg",
                 self->format_name != NULL ? self->format_name : "text");
      return FALSE;
    }
  self->symbolizer = cs_symbolizer_new ();
  if (!cli_symbols_apply (&self->symbols, self->symbolizer, &error) ||
      (self->bundle != NULL && !cs_bundle_check_target (self->bundle, &error)))
    {
      cli_error ("%s", error->message);
      return FALSE;
    }
  return TRUE;
}

/* Rows or calls to show. */
static guint
get_top (const CliReport *self)
{
  return self->top != CLI_TOP_DEFAULT ? (guint) self->top : cs_report_format_get_top (self->format);
}

/* How many of each function's slowest calls the report needs. */
static guint
count_slowest (const CliReport *self)
{
  guint top = get_top (self);

  if (self->format == CS_REPORT_SLOWEST)
    return top > 0 ? MIN (top, CLI_MOST_SLOWEST) : CLI_MOST_SLOWEST;
  return self->function != NULL ? CS_REPORT_DETAILS_SLOWEST : 0;
}

/* What was chosen to be recorded, unless the person doesn't want to know. */
static gboolean
find_chosen (CliReport *self, CsProfile *profile, GError **error)
{
  return g_strcmp0 (self->selection, "none") == 0
         || cs_report_selection_find (profile, self->selection, &self->chosen, &self->notices, error);
}

static gboolean
write_report (CliReport *self, CsProfile *profile, Progress *progress, GCancellable *cancellable, GError **error)
{
  CsReportOptions options = { .sort = self->sort, .min_share = self->min_share, .program = self->program,
                              .bytes_done = &progress->done };
  g_autoptr (CliOutput) output = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  const char *const *notices;
  guint timer = 0;
  gboolean written;

  if (!find_chosen (self, profile, error) || (output = cli_output_open (self->out, error)) == NULL)
    return FALSE;
  notices = self->notices != NULL ? (const char *const *) self->notices->pdata : cs_profile_get_notices (profile);
  options.chosen = self->chosen;
  options.notices = notices;
  options.top = get_top (self);
  options.function = self->function;
  options.json = self->json;
  options.by_thread = self->by_thread;
  if ((cs_report_format_reads_again (self->format) || self->by_thread) && (self->out != NULL || !isatty (STDOUT_FILENO)))
    {
      progress->what = self->by_thread ? "reading threads" : "writing calls";
      progress->total = cs_recording_get_n_bytes (cs_profile_get_recording (profile));
      timer = g_timeout_add (100, show_writing, progress);
    }
  cs_report_write_async (profile, self->format, &options, cli_output_get_stream (output), cancellable,
                         cli_keep_result, &result);
  written = cs_report_write_finish (cli_wait (&result), error);
  g_clear_handle_id (&timer, g_source_remove);
  clear_progress (progress);
  if (!written || !cli_output_commit (output, error))
    return FALSE;
  if (!cs_report_format_shows_notices (self->format))
    for (; *notices != NULL; notices++)
      cli_notice (*notices);
  return TRUE;
}

static gboolean
show_copying (gpointer data)
{
  Progress *progress = data;
  guint64 done = __atomic_load_n (&progress->done, __ATOMIC_RELAXED);

  if (progress->enabled && g_get_monotonic_time () - progress->start >= PROGRESS_AFTER_US)
    {
      fprintf (stderr, "\rcopying… %.1f MB", (double) done / 1e6);
      progress->shown = TRUE;
    }
  return G_SOURCE_CONTINUE;
}

/* Puts recording, binaries and sources into a folder, and says what is in it. */
static gboolean
write_bundle (CliReport *self, CsProfile *profile, const char *const *paths, Progress *progress, GCancellable *cancellable,
              GError **error)
{
  guint timer = g_timeout_add (100, show_copying, progress);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (CsBundleContent) content = NULL;
  g_autofree char *size = NULL;

  cs_bundle_write_async (profile, self->symbolizer, paths, self->bundle, &progress->done, cancellable, cli_keep_result,
                         &result);
  content = cs_bundle_write_finish (cli_wait (&result), error);
  g_source_remove (timer);
  clear_progress (progress);
  if (content == NULL)
    return FALSE;
  size = g_format_size (content->n_bytes);
  printf ("%s: %u event files, %u binaries, %u debug files, %u sources, %s\n", self->bundle, content->n_traces,
          content->n_modules, content->n_debug_files, content->n_sources, size);
  for (guint i = 0; i < content->missing->len; i++)
    printf ("! not in it: %s\n", (const char *) g_ptr_array_index (content->missing, i));
  return TRUE;
}

/* Tells where binaries and debug files lie. */
static gboolean
set_places (CliReport *self, CsSymbolizer *symbolizer, GError **error)
{
  g_autofree char *cache = cs_symbol_cache_get_default_folder ();

  /* What a cache answers leaves no trace of the files that it came from. */
  if (self->bundle == NULL)
    cs_symbolizer_set_cache (symbolizer, cache);
  for (char **dir = self->debug_dirs; dir != NULL && *dir != NULL; dir++)
    if (!cs_symbolizer_add_debug_dir (symbolizer, *dir, error))
      {
        g_prefix_error (error, "--debug-dir: ");
        return FALSE;
      }
  if (self->sysroot != NULL && !cs_symbolizer_set_sysroot (symbolizer, self->sysroot, error))
    {
      g_prefix_error (error, "--sysroot: ");
      return FALSE;
    }
  return TRUE;
}

static CsProfile *
make_profile (CliReport *self, const char *const *paths, Progress *progress, GCancellable *cancellable,
              GError **error)
{
  CsProfileOptions options = {
    .call_sites = cs_report_format_shows_call_sites (self->format) || self->bundle != NULL,
    .n_slowest = count_slowest (self),
    .filter = self->filter,
  };
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GAsyncResult) profiled = NULL;

  cs_symbolizer_set_cancellable (self->symbolizer, cancellable);
  if (!set_places (self, self->symbolizer, error))
    return NULL;
  if (self->exe != NULL && !cs_symbolizer_set_executable (self->symbolizer, self->exe, error))
    {
      g_prefix_error (error, "--exe: ");
      return NULL;
    }
  cs_recording_open_async (paths, cancellable, cli_keep_result, &opened);
  recording = cs_recording_open_finish (cli_wait (&opened), error);
  if (recording == NULL)
    return NULL;
  options.timeline = self->filter.has_from && cs_recording_get_n_bytes (recording) >= INDEX_FROM_BYTES &&
                     cs_recording_get_summaries (recording)->len == 0;
  cs_profile_new_async (recording, self->symbolizer, &options, cancellable, show_progress, progress,
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
  g_autoptr (CsProfile) profile = NULL;
  g_autoptr (GError) error = NULL;
  CliInterrupt interrupt;
  Progress progress = { .what = "reading events", .start = g_get_monotonic_time (), .symbolizer = self->symbolizer, .enabled = !self->quiet && isatty (STDERR_FILENO) };
  gboolean written = FALSE;

  signal (SIGPIPE, SIG_IGN);
  cli_interrupt_begin (&interrupt);
  profile = make_profile (self, paths, &progress, interrupt.cancellable, &error);
  clear_progress (&progress);
  if (profile != NULL)
    written = self->bundle != NULL ? write_bundle (self, profile, paths, &progress, interrupt.cancellable, &error)
                                   : write_report (self, profile, &progress, interrupt.cancellable, &error);
  cli_interrupt_end (&interrupt, error);

  if (written || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE))
    return CLI_DONE;
  if (not_found != NULL && g_error_matches (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND))
    g_propagate_error (not_found, g_steal_pointer (&error));
  else
    cli_error ("%s", error->message);
  return CLI_BAD_INPUT;
}
