/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-report-private.h"

G_DEFINE_QUARK (cs-report-error-quark, cs_report_error)

/* What a format is made from. */
typedef enum
{
  NEEDS_EVENTS = 1 << 0,     /* call paths, call sites or single calls */
  SHOWS_CALL_SITES = 1 << 1,
  READS_AGAIN = 1 << 2,      /* single calls */
  HAS_NO_NOTICES = 1 << 3,   /* no place for them */
  SHOWS_THREADS = 1 << 4,    /* the call tree by thread, on request */
} FormatFlags;

static const struct
{
  const char *name;
  FormatFlags flags;
  guint top; /* rows or paths unless the person says; 0: all */
} formats[] = {
  [CS_REPORT_TEXT] = { "text", 0, 20 },
  [CS_REPORT_JSON] = { "json", 0, 20 },
  [CS_REPORT_FOLDED] = { "folded", NEEDS_EVENTS | HAS_NO_NOTICES | SHOWS_THREADS, 0 },
  [CS_REPORT_CHROME] = { "chrome", NEEDS_EVENTS | READS_AGAIN | HAS_NO_NOTICES, 0 },
  [CS_REPORT_CALLERS] = { "callers", NEEDS_EVENTS | SHOWS_CALL_SITES, 20 },
  [CS_REPORT_TREE] = { "tree", NEEDS_EVENTS | SHOWS_THREADS, 100 },
  [CS_REPORT_PERFETTO] = { "perfetto", NEEDS_EVENTS | READS_AGAIN | HAS_NO_NOTICES, 0 },
  [CS_REPORT_SPEEDSCOPE] = { "speedscope", NEEDS_EVENTS | READS_AGAIN | HAS_NO_NOTICES, 0 },
  [CS_REPORT_CALLGRIND] = { "callgrind", NEEDS_EVENTS | SHOWS_CALL_SITES, 0 },
  [CS_REPORT_CSV] = { "csv", HAS_NO_NOTICES, 0 },
  [CS_REPORT_SVG] = { "svg", NEEDS_EVENTS | SHOWS_THREADS, 10000 },
  [CS_REPORT_SLOWEST] = { "slowest", NEEDS_EVENTS, 20 },
};

/* The names as a sentence has them: a, b or c. */
static char *
dup_format_names (void)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    g_string_append_printf (names, "%s%s", i == 0 ? "" : i + 1 < G_N_ELEMENTS (formats) ? ", " : " or ", formats[i].name);
  return g_string_free (names, FALSE);
}

/**
 * cs_report_format_parse:
 * @name: text, json, csv and so on
 * @format: (out): the format
 * @error: where to say that there is none of that name
 *
 * Returns: whether there is one
 */
gboolean
cs_report_format_parse (const char *name, CsReportFormat *format, GError **error)
{
  g_autofree char *names = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (name, formats[i].name))
      {
        *format = (CsReportFormat) i;
        return TRUE;
      }
  names = dup_format_names ();
  g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_FORMAT, "--format %s: no such format — use %s", name, names);
  return FALSE;
}

/**
 * cs_report_format_get_top:
 * @format: a format
 *
 * Returns: how many rows or paths it shows unless the person says; 0: all
 */
guint
cs_report_format_get_top (CsReportFormat format)
{
  return formats[format].top;
}

/**
 * cs_report_format_reads_again:
 * @format: a format
 *
 * Returns: whether it shows single calls, for which the recording is read again
 */
gboolean
cs_report_format_reads_again (CsReportFormat format)
{
  return (formats[format].flags & READS_AGAIN) != 0;
}

/**
 * cs_report_format_shows_notices:
 * @format: a format
 *
 * Returns: whether the report holds the profile's notices; if not, they are to be told elsewhere
 */
gboolean
cs_report_format_shows_notices (CsReportFormat format)
{
  return (formats[format].flags & HAS_NO_NOTICES) == 0;
}

/**
 * cs_report_format_shows_call_sites:
 * @format: a format
 *
 * Returns: whether the profile should hold call sites for it
 */
gboolean
cs_report_format_shows_call_sites (CsReportFormat format)
{
  return (formats[format].flags & SHOWS_CALL_SITES) != 0;
}

/**
 * cs_report_format_shows_threads:
 * @format: a format
 *
 * Returns: whether it can show the call tree thread by thread
 */
gboolean
cs_report_format_shows_threads (CsReportFormat format)
{
  return (formats[format].flags & SHOWS_THREADS) != 0;
}

/**
 * cs_report_sort_parse:
 * @name: a column's name
 * @sort: (out): the column
 * @error: where to say that there is none of that name
 *
 * Returns: whether there is one
 */
gboolean
cs_report_sort_parse (const char *name, CsReportSort *sort, GError **error)
{
  static const char *const names[] = {
    [CS_SORT_SELF] = "self",         [CS_SORT_INCL] = "incl",       [CS_SORT_TOTAL] = "total",
    [CS_SORT_CALLS] = "calls",       [CS_SORT_MIN] = "min",         [CS_SORT_MEAN] = "mean",
    [CS_SORT_P50] = "p50",           [CS_SORT_P90] = "p90",         [CS_SORT_P99] = "p99",
    [CS_SORT_P999] = "p99.9",        [CS_SORT_MAX] = "max",         [CS_SORT_DEVIATION] = "stddev",
    [CS_SORT_THREADS] = "threads",   [CS_SORT_CALLERS] = "callers", [CS_SORT_CALLEES] = "callees",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i]))
      {
        *sort = (CsReportSort) i;
        return TRUE;
      }
  g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_FORMAT,
               "--sort %s: no such column — use self, incl, total, calls, min, mean, p50, p90, p99, p99.9, max, stddev, threads, "
               "callers or callees", name);
  return FALSE;
}

/* The functions, most of a column first. */
/**
 * cs_report_get_value:
 * @function: a function
 * @sort: a column
 *
 * Returns: what the function has there: ns, or a count; 0 where it isn't known
 */
guint64
cs_report_get_value (const CsFunction *function, CsReportSort sort)
{
  static const guint per_mille[] = { [CS_SORT_P50] = 500, [CS_SORT_P90] = 900, [CS_SORT_P99] = 990, [CS_SORT_P999] = 999 };

  switch (sort)
    {
    case CS_SORT_INCL:
      return function->incl;
    case CS_SORT_TOTAL:
      return function->total;
    case CS_SORT_CALLS:
      return function->calls;
    case CS_SORT_MIN:
      return function->min;
    case CS_SORT_MEAN:
      return (guint64) function->mean;
    case CS_SORT_P50:
    case CS_SORT_P90:
    case CS_SORT_P99:
    case CS_SORT_P999:
      return cs_histogram_percentile (&function->histogram, function->recorded, per_mille[sort],
                                               function->min, function->max);
    case CS_SORT_MAX:
      return function->max;
    case CS_SORT_DEVIATION:
      return (guint64) MAX (function->deviation, 0);
    case CS_SORT_THREADS:
      return function->n_threads;
    case CS_SORT_CALLERS:
      return function->n_callers;
    case CS_SORT_CALLEES:
      return function->n_callees;
    case CS_SORT_SELF:
    default:
      return function->self;
    }
}

typedef struct
{
  const CsFunction *function;
  guint64 value;
} SortedRow;

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const SortedRow *x = a, *y = b;

  if (x->value != y->value)
    return x->value < y->value ? 1 : -1;
  /* Of a summary no total is known, and all are equal. */
  if (x->function->incl != y->function->incl)
    return x->function->incl < y->function->incl ? 1 : -1;
  return x->function < y->function ? -1 : x->function > y->function;
}

/**
 * cs_report_dup_rows:
 * @profile: a profile
 * @sort: a column
 * @n: (out): how many functions there are
 *
 * Returns: (transfer container) (array length=n): the functions, most of @sort first
 */
const CsFunction **
cs_report_dup_rows (CsProfile *profile, CsReportSort sort, guint *n)
{
  const CsFunction *functions = cs_profile_get_functions (profile, n);
  const CsFunction **rows = g_new (const CsFunction *, *n + 1);
  g_autofree SortedRow *sorted = g_new (SortedRow, *n + 1);

  for (guint i = 0; i < *n; i++)
    sorted[i] = (SortedRow){ &functions[i], cs_report_get_value (&functions[i], sort) };
  if (*n > 0)
    qsort (sorted, *n, sizeof *sorted, compare_rows);
  for (guint i = 0; i < *n; i++)
    rows[i] = sorted[i].function;
  return rows;
}

/**
 * cs_report_dup_processes:
 * @profile: a profile
 * @n: (out): how many processes there are
 *
 * Returns: (transfer full) (array length=n): the processes, each image of one by itself, in the
 *   order of their pids and starts
 */
CsReportProcess *
cs_report_dup_processes (CsProfile *profile, guint *n)
{
  GPtrArray *processes = cs_recording_get_processes (cs_profile_get_recording (profile));
  CsReportProcess *rows = g_new0 (CsReportProcess, processes->len + 1);
  guint n_threads;
  const CsThreadRow *threads = cs_profile_get_threads (profile, &n_threads);

  *n = processes->len;
  for (guint i = 0; i < processes->len; i++)
    rows[i] = (CsReportProcess){ .process = g_ptr_array_index (processes, i), .first = G_MAXINT64, .last = G_MININT64 };
  for (guint i = 0; i < n_threads; i++)
    {
      CsReportProcess *row = &rows[threads[i].process];

      row->n_threads++;
      row->events += threads[i].enters + threads[i].exits;
      row->self += threads[i].self;
      row->first = MIN (row->first, threads[i].first);
      row->last = MAX (row->last, threads[i].last);
    }
  return rows;
}

/**
 * cs_report_write:
 * @profile: what to report
 * @format: how
 * @options: rows and run information
 * @stream: where to; not closed
 * @cancellable: (nullable): to give up early
 * @error: where to say why it isn't complete
 *
 * Writes a report. Blocks; see cs_report_write_async().
 *
 * Returns: whether all was written
 */
gboolean
cs_report_write (CsProfile *profile, CsReportFormat format, const CsReportOptions *options,
                 GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsReportWriter) writer = NULL;
  gboolean complete = FALSE;

  g_return_val_if_fail (CS_IS_PROFILE (profile), FALSE);
  g_return_val_if_fail (G_IS_OUTPUT_STREAM (stream), FALSE);

  if (cs_profile_get_mode (profile) == CS_PROFILE_SUMMARY && (formats[format].flags & NEEDS_EVENTS) != 0)
    {
      if (format == CS_REPORT_SLOWEST)
        g_set_error_literal (error, CS_REPORT_ERROR, CS_REPORT_ERROR_SUMMARY,
                             "this recording is a summary, which holds totals of functions and no single calls — "
                             "record with TRACE_MODE=events");
      else
        g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_SUMMARY,
                     "--format %s: this recording is a summary, which holds totals of functions and no call "
                     "paths — record with TRACE_MODE=events, or use --format text, json or csv",
                     formats[format].name);
      return FALSE;
    }
  if (options->function != NULL && !cs_report_check_function (profile, options->function, error))
    return FALSE;
  writer = cs_report_writer_new (stream, cancellable);
  switch (format)
    {
    case CS_REPORT_TEXT:
      complete = cs_report_write_text (profile, options, writer);
      break;
    case CS_REPORT_JSON:
      complete = cs_report_write_json (profile, options, writer);
      break;
    case CS_REPORT_FOLDED:
      complete = cs_report_write_folded (profile, options, writer);
      break;
    case CS_REPORT_CHROME:
      complete = cs_report_write_chrome (profile, options, writer);
      break;
    case CS_REPORT_CALLERS:
      complete = cs_report_write_callers (profile, options, writer);
      break;
    case CS_REPORT_TREE:
      complete = cs_report_write_tree (profile, options, writer);
      break;
    case CS_REPORT_PERFETTO:
      complete = cs_report_write_perfetto (profile, options, writer);
      break;
    case CS_REPORT_SPEEDSCOPE:
      complete = cs_report_write_speedscope (profile, options, writer);
      break;
    case CS_REPORT_CALLGRIND:
      complete = cs_report_write_callgrind (profile, options, writer);
      break;
    case CS_REPORT_CSV:
      complete = cs_report_write_csv (profile, options, writer);
      break;
    case CS_REPORT_SLOWEST:
      complete = cs_report_write_slowest (profile, options, writer);
      break;
    case CS_REPORT_SVG:
      complete = cs_report_write_svg (profile, options, writer);
      break;
    default:
      g_assert_not_reached ();
    }
  if (!complete && g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  return cs_report_writer_finish (writer, error);
}

typedef struct
{
  CsProfile *profile;
  CsReportFormat format;
  CsReportOptions options;
  GOutputStream *stream;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->profile);
  g_object_unref (job->stream);
  g_free (job);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;

  if (cs_report_write (job->profile, job->format, &job->options, job->stream, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * cs_report_write_async:
 * @profile: what to report
 * @format: how
 * @options: rows and run information; what it points to must live until @callback is called
 * @stream: where to; not closed
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is written, or not
 * @user_data: for @callback
 *
 * cs_report_write() in a thread.
 */
void
cs_report_write_async (CsProfile *profile, CsReportFormat format, const CsReportOptions *options,
                       GOutputStream *stream, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->profile = g_object_ref (profile);
  job->format = format;
  job->options = *options;
  job->stream = g_object_ref (stream);
  g_task_set_source_tag (task, cs_report_write_async);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
}

/**
 * cs_report_write_finish:
 * @result: what the callback got
 * @error: where to say why it isn't complete
 *
 * Returns: whether all was written
 */
gboolean
cs_report_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
