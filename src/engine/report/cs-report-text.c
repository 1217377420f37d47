/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-report-private.h"

/**
 * cs_report_put_ms:
 * @writer: where to
 * @ns: a time
 * @width: of the column, right-aligned
 *
 * Writes a time in milliseconds with three decimals.
 */
void
cs_report_put_ms (CsReportWriter *writer, guint64 ns, guint width)
{
  /* Thousandths of a millisecond, rounded half up. */
  guint64 us = (ns + 500) / 1000;
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT ".%03u", us / 1000, (guint) (us % 1000));

  cs_report_writer_printf (writer, "%*s", (int) width, text);
}

/* Where no place in the sources is known: the program or library that it is in, unless the name that stands for one that
 * isn't known begins with that (cs_location_dup_number()). */
static void
put_module (CsReportWriter *writer, const CsLocation *location)
{
  g_autofree char *module = g_path_get_basename (location->module);
  gsize length = strlen (module);

  if (strncmp (location->name, module, length) == 0 && g_str_has_prefix (location->name + length, "+0x"))
    return;
  cs_report_writer_puts (writer, " (in ");
  cs_report_writer_put_plain (writer, module, ';');
  cs_report_writer_puts (writer, ")");
}

/**
 * cs_report_put_location:
 * @writer: where to
 * @location: a location
 *
 * Writes its place in the sources, or else its module, in parentheses after a space, if one of them is known.
 */
void
cs_report_put_location (CsReportWriter *writer, const CsLocation *location)
{
  if (location->file != NULL)
    {
      cs_report_writer_puts (writer, " (");
      cs_report_writer_put_plain (writer, location->file, ';');
      if (location->line > 0)
        cs_report_writer_printf (writer, ":%u", location->line);
      cs_report_writer_puts (writer, ")");
    }
  else if (location->module != NULL)
    put_module (writer, location);
}

static void
put_percentiles (CsReportWriter *writer, const CsFunction *function)
{
  static const guint per_mille[] = { 500, 990 };

  if (function->recorded == 0)
    {
      cs_report_writer_printf (writer, "%10s%10s%10s", "-", "-", "-");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (per_mille); i++)
    cs_report_writer_put_duration (writer,
                                   cs_histogram_percentile (&function->histogram, function->recorded,
                                                            per_mille[i], function->min, function->max),
                                   10);
  cs_report_writer_put_duration (writer, function->max, 10);
}

/* A further column, of what the table is ordered by; NULL: it is among the usual ones. */
static const char *
further_column (CsReportSort sort, gboolean events)
{
  static const char *const names[] = {
    [CS_SORT_MIN] = "       min",     [CS_SORT_MEAN] = "      mean",    [CS_SORT_P90] = "       p90",
    [CS_SORT_P999] = "     p99.9",    [CS_SORT_DEVIATION] = "    stddev", [CS_SORT_THREADS] = "   threads",
    [CS_SORT_CALLERS] = "   callers", [CS_SORT_CALLEES] = "   callees",
  };

  if (sort == CS_SORT_TOTAL)
    return events ? "     total_ms" : NULL;
  return sort < G_N_ELEMENTS (names) ? names[sort] : NULL;
}

static void
put_further_column (CsReportWriter *writer, const CsFunction *function, CsReportSort sort)
{
  guint64 value = cs_report_get_value (function, sort);

  if (sort == CS_SORT_TOTAL)
    cs_report_put_ms (writer, value, 13);
  else if (sort >= CS_SORT_THREADS)
    cs_report_writer_printf (writer, "%10" G_GUINT64_FORMAT, value);
  else if (function->recorded == 0 || (sort == CS_SORT_DEVIATION && function->deviation < 0))
    cs_report_writer_printf (writer, "%10s", "-");
  else
    cs_report_writer_put_duration (writer, value, 10);
}

static void
put_function (CsReportWriter *writer, const CsFunction *function, const CsReportOptions *options, CsReportSort sort,
              gboolean further)
{
  cs_report_writer_printf (writer, "%10" G_GUINT64_FORMAT, function->calls);
  cs_report_put_ms (writer, function->incl, 13);
  if (further)
    put_further_column (writer, function, sort);
  cs_report_put_ms (writer, function->self, 13);
  put_percentiles (writer, function);
  cs_report_writer_puts (writer, "  ");
  cs_report_writer_put_plain (writer, function->location.name, ';');
  cs_report_put_location (writer, &function->location);
  if (function->open > 0)
    cs_report_writer_printf (writer, "  +%" G_GUINT64_FORMAT " open", function->open);
  if (function->clipped > 0)
    cs_report_writer_printf (writer, "  +%" G_GUINT64_FORMAT " clipped", function->clipped);
  if (cs_report_chosen_get (options->chosen, function) == CS_CHOICE_NO)
    cs_report_writer_puts (writer, "  not chosen");
  cs_report_writer_puts (writer, "\n");
}

static void
put_rest (CsReportWriter *writer, guint shown, guint n, const char *what)
{
  if (shown < n)
    cs_report_writer_printf (writer, "… and %u more %s (--top 0 shows all)\n", n - shown, what);
}

static void
put_functions (CsReportWriter *writer, const CsFunction *const *rows, guint n, const CsReportOptions *options,
               CsReportSort sort, gboolean events)
{
  guint shown = options->top == 0 ? n : MIN (options->top, n);
  const char *further = further_column (sort, events);

  cs_report_writer_printf (writer, "     calls      incl_ms%s      self_ms       p50       p99       max  function (first location)\n",
                           further != NULL ? further : "");
  for (guint i = 0; i < shown; i++)
    put_function (writer, rows[i], options, sort, further != NULL);
  put_rest (writer, shown, n, "functions");
}

/* A table of functions. By total rather than inclusive time where callers matter: a recursive
 * function's inclusive time counts its frames inside each other. A summary tells the inclusive time
 * alone. */
static void
put_table (CsReportWriter *writer, CsProfile *profile, const CsReportOptions *options, CsReportSort sort)
{
  static const char *const titles[] = {
    [CS_SORT_SELF] = "SELF TIME",  [CS_SORT_INCL] = "INCLUSIVE TIME", [CS_SORT_TOTAL] = "INCLUSIVE TIME",
    [CS_SORT_CALLS] = "CALLS",     [CS_SORT_MIN] = "SHORTEST CALL",  [CS_SORT_MEAN] = "MEAN DURATION",
    [CS_SORT_P50] = "MEDIAN",      [CS_SORT_P90] = "90TH PERCENTILE", [CS_SORT_P99] = "99TH PERCENTILE",
    [CS_SORT_P999] = "99.9TH PERCENTILE", [CS_SORT_MAX] = "LONGEST CALL", [CS_SORT_DEVIATION] = "STANDARD DEVIATION",
    [CS_SORT_THREADS] = "THREADS", [CS_SORT_CALLERS] = "CALLERS",     [CS_SORT_CALLEES] = "CALLEES",
  };
  guint n;
  g_autofree const CsFunction **rows = cs_report_dup_rows (profile, sort, &n);

  cs_report_writer_printf (writer, "\n== TOP BY %s ==\n", titles[sort]);
  put_functions (writer, rows, n, options, sort, cs_profile_get_mode (profile) == CS_PROFILE_EVENTS);
}

static void
put_threads (CsReportWriter *writer, CsProfile *profile)
{
  guint n;
  const CsThreadRow *threads = cs_profile_get_threads (profile, &n);

  cs_report_writer_puts (writer, "\n== PER THREAD ==\n");
  cs_report_writer_puts (writer, "       pid        tid      events      span_ms      self_ms  name\n");
  for (guint i = 0; i < n; i++)
    {
      const CsThreadRow *thread = &threads[i];

      cs_report_writer_printf (writer, "%10u %10u %11" G_GUINT64_FORMAT, thread->pid, thread->tid,
                               thread->enters + thread->exits);
      cs_report_put_ms (writer, cs_profile_span (thread->first, thread->last), 13);
      cs_report_put_ms (writer, thread->self, 13);
      cs_report_writer_puts (writer, "  ");
      cs_report_writer_put_plain (writer, thread->name != NULL ? thread->name : "-", ';');
      cs_report_writer_puts (writer, "\n");
    }
}

/* Rows above are of all processes together. */
static void
put_processes (CsReportWriter *writer, CsProfile *profile)
{
  guint n;
  g_autofree CsReportProcess *processes = cs_report_dup_processes (profile, &n);

  if (n < 2)
    return;
  cs_report_writer_puts (writer, "\n== PER PROCESS ==\n");
  cs_report_writer_puts (writer, "       pid     parent  threads      events      span_ms      self_ms  program\n");
  for (guint i = 0; i < n; i++)
    {
      const CsReportProcess *process = &processes[i];
      const CsProcessSection *section = process->process->section;

      cs_report_writer_printf (writer, "%10u ", process->process->pid);
      if (section != NULL && section->parent != 0)
        cs_report_writer_printf (writer, "%10u", section->parent);
      else
        cs_report_writer_printf (writer, "%10s", "-");
      cs_report_writer_printf (writer, " %8u %11" G_GUINT64_FORMAT, process->n_threads, process->events);
      cs_report_put_ms (writer, cs_profile_span (process->first, process->last), 13);
      cs_report_put_ms (writer, process->self, 13);
      cs_report_writer_puts (writer, "  ");
      cs_report_writer_put_plain (writer, section != NULL && section->exe != NULL ? section->exe : "-", ';');
      cs_report_writer_puts (writer, "\n");
    }
}

/**
 * cs_report_get_notices:
 * @profile: a profile
 * @options: of the report
 *
 * Returns: (transfer none) (array zero-terminated=1): what has to be known before any number
 */
const char *const *
cs_report_get_notices (CsProfile *profile, const CsReportOptions *options)
{
  return options->notices != NULL ? options->notices : cs_profile_get_notices (profile);
}

/**
 * cs_report_put_notices:
 * @writer: where to
 * @profile: a profile
 * @options: of the report
 *
 * Writes what has to be known before any number, a line each.
 */
void
cs_report_put_notices (CsReportWriter *writer, CsProfile *profile, const CsReportOptions *options)
{
  const char *const *notices = cs_report_get_notices (profile, options);

  for (guint i = 0; notices[i] != NULL; i++)
    {
      cs_report_writer_puts (writer, "! ");
      cs_report_writer_put_plain (writer, notices[i], ';');
      cs_report_writer_puts (writer, "\n");
    }
}

static void
put_program (CsReportWriter *writer, CsProfile *profile, const CsReportProgram *program)
{
  guint64 bytes = cs_recording_get_n_bytes (cs_profile_get_recording (profile));
  gboolean large = bytes >= 1000000;
  guint64 tenths = large ? (bytes + 50000) / 100000 : (bytes + 50) / 100;

  cs_report_writer_puts (writer, "program=");
  cs_report_writer_put_plain (writer, program->command[0], ';');
  if (program->signal != 0)
    cs_report_writer_printf (writer, " ended by signal %d (%s)", program->signal, g_strsignal (program->signal));
  else
    cs_report_writer_printf (writer, " exit_status=%d", program->exit_status);
  if (program->timed_out)
    cs_report_writer_puts (writer, " (stopped at --timeout)");
  cs_report_writer_printf (writer, " recorded=%" G_GUINT64_FORMAT ".%u%s", tenths / 10, (guint) (tenths % 10),
                           large ? "MB" : "kB");
  cs_report_writer_puts (writer, "\n");
}

/**
 * cs_report_write_text:
 * @profile: what to report
 * @options: rows and run information
 * @writer: where to
 *
 * Writes the report that people read: what was seen, what to beware of, where time went.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_text (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  const CsProfileTotals *totals = cs_profile_get_totals (profile);
  guint n_functions, n_threads;
  guint64 span = cs_profile_span (totals->first, totals->last);

  cs_profile_get_functions (profile, &n_functions);
  cs_profile_get_threads (profile, &n_threads);
  if (options->program != NULL)
    put_program (writer, profile, options->program);
  cs_report_writer_printf (writer,
                           "events=%" G_GUINT64_FORMAT " threads=%u functions=%u span=%" G_GUINT64_FORMAT
                           ".%ums unmatched_exits=%" G_GUINT64_FORMAT " unclosed_enters=%" G_GUINT64_FORMAT "\n",
                           totals->events, n_threads, n_functions, (span + 50000) / 1000000,
                           (guint) ((span + 50000) / 100000 % 10), totals->unmatched, totals->open);
  cs_report_put_notices (writer, profile, options);

  put_table (writer, profile, options, options->sort);
  if (options->sort != CS_SORT_TOTAL)
    put_table (writer, profile, options, CS_SORT_TOTAL);
  put_threads (writer, profile);
  put_processes (writer, profile);
  if (options->function != NULL)
    cs_report_details_put_text (profile, options->function, writer);
  return TRUE;
}

/**
 * cs_report_write_callers:
 * @profile: what to report, with call sites
 * @options: rows
 * @writer: where to
 *
 * Writes call sites: callee ← caller, by inclusive time.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_callers (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  guint n_functions, n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);
  const CsCallSite *sites = cs_profile_get_call_sites (profile, &n);
  guint shown = options->top == 0 ? n : MIN (options->top, n);

  cs_report_put_notices (writer, profile, options);
  cs_report_writer_puts (writer, "== CALL SITES BY INCLUSIVE TIME ==\n");
  cs_report_writer_puts (writer, "     calls      incl_ms  callee <- caller (call site)\n");
  for (guint i = 0; i < shown; i++)
    {
      const CsCallSite *site = &sites[i];

      cs_report_writer_printf (writer, "%10" G_GUINT64_FORMAT, site->calls);
      cs_report_put_ms (writer, site->incl, 13);
      cs_report_writer_puts (writer, "  ");
      cs_report_writer_put_plain (writer, functions[site->callee].location.name, ';');
      cs_report_writer_puts (writer, " <- ");
      cs_report_writer_put_plain (writer, site->location.name, ';');
      cs_report_put_location (writer, &site->location);
      if (site->location.inlined_into != NULL)
        {
          cs_report_writer_puts (writer, "  inlined into ");
          cs_report_writer_put_plain (writer, site->location.inlined_into, ';');
        }
      if (site->inlined)
        cs_report_writer_puts (writer, "  inlined there");
      if (site->open > 0)
        cs_report_writer_printf (writer, "  +%" G_GUINT64_FORMAT " open", site->open);
      if (site->clipped > 0)
        cs_report_writer_printf (writer, "  +%" G_GUINT64_FORMAT " clipped", site->clipped);
      cs_report_writer_puts (writer, "\n");
    }
  put_rest (writer, shown, n, "call sites");
  return TRUE;
}
