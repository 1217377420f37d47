/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-private.h"

/* The keys of one object: commas go between them. */
typedef struct
{
  CsReportWriter *writer;
  const char *separator;
} Object;

static Object
object_begin (CsReportWriter *writer)
{
  cs_report_writer_puts (writer, "{");
  return (Object){ writer, "" };
}

static void
object_key (Object *object, const char *key)
{
  cs_report_writer_printf (object->writer, "%s\"%s\":", object->separator, key);
  object->separator = ",";
}

static void
object_number (Object *object, const char *key, guint64 number)
{
  object_key (object, key);
  cs_report_writer_put_number (object->writer, number);
}

/* null where it isn't known. */
static void
object_number_if (Object *object, gboolean known, const char *key, guint64 number)
{
  object_key (object, key);
  if (known)
    cs_report_writer_put_number (object->writer, number);
  else
    cs_report_writer_puts (object->writer, "null");
}

/* With three decimals, or null where it isn't known. */
static void
object_decimal_if (Object *object, gboolean known, const char *key, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  object_key (object, key);
  cs_report_writer_puts (object->writer, known ? g_ascii_formatd (text, sizeof text, "%.3f", number) : "null");
}

static void
object_string (Object *object, const char *key, const char *text)
{
  object_key (object, key);
  if (text != NULL)
    cs_report_writer_put_json_string (object->writer, text);
  else
    cs_report_writer_puts (object->writer, "null");
}

/* ns as milliseconds with six decimals: exact. */
static void
object_ms (Object *object, const char *key, guint64 ns)
{
  object_key (object, key);
  cs_report_writer_printf (object->writer, "%" G_GUINT64_FORMAT ".%06u", ns / 1000000, (guint) (ns % 1000000));
}

static void
object_strings (Object *object, const char *key, const char *const *texts)
{
  object_key (object, key);
  cs_report_writer_puts (object->writer, "[");
  for (guint i = 0; texts[i] != NULL; i++)
    {
      cs_report_writer_puts (object->writer, i > 0 ? "," : "");
      cs_report_writer_put_json_string (object->writer, texts[i]);
    }
  cs_report_writer_puts (object->writer, "]");
}

/* What a summary can't tell is null, but for the documented names, which are numbers. */
static void
put_row (CsReportWriter *writer, const CsFunction *function, gboolean events)
{
  static const struct { const char *key; guint per_mille; } percentiles[] = {
    { "p50_ns", 500 }, { "p90_ns", 900 }, { "p99_ns", 990 }, { "p999_ns", 999 }
  };
  const CsLocation *location = &function->location;
  g_autofree char *place = NULL;
  g_autofree char *address = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", location->address);
  Object row = object_begin (writer);

  if (location->file != NULL)
    place = location->line > 0 ? g_strdup_printf ("%s:%u", location->file, location->line)
                               : g_strdup (location->file);
  object_string (&row, "function", location->name);
  object_string (&row, "location", place);
  object_string (&row, "module", location->module);
  object_string (&row, "address", address);
  object_number (&row, "calls", function->calls);
  object_ms (&row, "incl_ms", function->incl);
  object_ms (&row, "self_ms", function->self);
  if (events)
    object_ms (&row, "total_ms", function->total);
  else
    object_number_if (&row, FALSE, "total_ms", 0);
  object_ms (&row, "max_ms", function->max);
  object_number (&row, "incl_ns", function->incl);
  object_number (&row, "self_ns", function->self);
  object_number_if (&row, events, "total_ns", function->total);
  object_number (&row, "min_ns", function->min);
  object_number (&row, "max_ns", function->max);
  for (guint i = 0; i < G_N_ELEMENTS (percentiles); i++)
    object_number (&row, percentiles[i].key,
                   cs_histogram_percentile (&function->histogram, function->recorded,
                                            percentiles[i].per_mille, function->min, function->max));
  object_decimal_if (&row, TRUE, "mean_ns", function->mean);
  object_decimal_if (&row, events, "stddev_ns", function->deviation);
  object_number_if (&row, events, "open", function->open);
  object_number_if (&row, events, "clipped", function->clipped);
  object_number_if (&row, events, "repaired", function->repaired);
  object_number (&row, "threads", function->n_threads);
  object_number_if (&row, events, "callers", function->n_callers);
  object_number_if (&row, events, "callees", function->n_callees);
  object_key (&row, "counters");
  cs_report_writer_puts (writer, "{}}");
}

static void
put_thread (CsReportWriter *writer, const CsThreadRow *thread, gboolean events)
{
  Object row = object_begin (writer);

  object_number (&row, "tid", thread->tid);
  object_number (&row, "pid", thread->pid);
  object_string (&row, "name", thread->name);
  object_number (&row, "events", thread->enters + thread->exits);
  object_ms (&row, "span_ms", cs_profile_span (thread->first, thread->last));
  object_ms (&row, "self_ms", thread->self);
  object_number (&row, "self_ns", thread->self);
  object_number_if (&row, events, "unmatched_exits", thread->unmatched);
  object_number_if (&row, events, "unclosed_enters", thread->open);
  object_number_if (&row, events, "repaired", thread->repaired);
  object_number_if (&row, events, "clipped", thread->clipped);
  object_number_if (&row, events, "clamped", thread->clamped);
  object_number_if (&row, events, "lost", thread->lost);
  cs_report_writer_puts (writer, "}");
}

static void
put_program (Object *object, const CsReportProgram *program)
{
  Object inner;

  object_key (object, "program");
  inner = object_begin (object->writer);
  object_strings (&inner, "command", program->command);
  object_key (&inner, "exit_status");
  if (program->signal != 0)
    cs_report_writer_puts (object->writer, "null");
  else
    cs_report_writer_printf (object->writer, "%d", program->exit_status);
  object_number (&inner, "signal", (guint64) program->signal);
  object_key (&inner, "timed_out");
  cs_report_writer_puts (object->writer, program->timed_out ? "true}" : "false}");
}

/* Each pid once, though several images may have had it. */
static void
put_pids (Object *object, CsProfile *profile)
{
  GPtrArray *processes = cs_recording_get_processes (cs_profile_get_recording (profile));
  guint before = 0;

  object_key (object, "pids");
  cs_report_writer_puts (object->writer, "[");
  for (guint i = 0; i < processes->len; i++)
    {
      const CsProcess *process = g_ptr_array_index (processes, i);

      if (i == 0 || process->pid != before)
        cs_report_writer_printf (object->writer, "%s%u", i > 0 ? "," : "", process->pid);
      before = process->pid;
    }
  cs_report_writer_puts (object->writer, "]");
}

static void
put_process (CsReportWriter *writer, const CsReportProcess *process)
{
  const CsProcessSection *section = process->process->section;
  Object row = object_begin (writer);

  object_number (&row, "pid", process->process->pid);
  object_number_if (&row, section != NULL && section->parent != 0, "parent", section != NULL ? section->parent : 0);
  object_string (&row, "exe", section != NULL ? section->exe : NULL);
  object_number (&row, "start_ns", process->process->t0_ns);
  object_number (&row, "threads", process->n_threads);
  object_number (&row, "events", process->events);
  object_ms (&row, "span_ms", cs_profile_span (process->first, process->last));
  object_ms (&row, "self_ms", process->self);
  object_number (&row, "self_ns", process->self);
  cs_report_writer_puts (writer, "}");
}

static void
put_processes (Object *object, CsProfile *profile)
{
  guint n;
  g_autofree CsReportProcess *processes = cs_report_dup_processes (profile, &n);

  object_key (object, "processes");
  cs_report_writer_puts (object->writer, "[");
  for (guint i = 0; i < n; i++)
    {
      cs_report_writer_puts (object->writer, i > 0 ? ",\n" : "\n");
      put_process (object->writer, &processes[i]);
    }
  cs_report_writer_puts (object->writer, "\n]");
}

/* Sets those functions in `shown` that the tables of the text show. */
static void
choose_rows (CsProfile *profile, const CsReportOptions *options, gboolean *shown)
{
  const CsReportSort sorts[] = { options->sort, CS_SORT_TOTAL };
  guint n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n);
  guint top = options->top == 0 ? n : MIN (options->top, n);

  for (guint table = 0; table < G_N_ELEMENTS (sorts); table++)
    {
      g_autofree const CsFunction **rows = cs_report_dup_rows (profile, sorts[table], &n);

      for (guint i = 0; i < top; i++)
        shown[rows[i] - functions] = TRUE;
    }
}

/**
 * cs_report_write_json:
 * @profile: what to report
 * @options: rows and run information
 * @writer: where to
 *
 * Writes the documented object; what is ours stands beside the documented names.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_json (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  const CsProfileTotals *totals = cs_profile_get_totals (profile);
  guint n_functions, n_threads;
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);
  const CsThreadRow *threads = cs_profile_get_threads (profile, &n_threads);
  g_autofree const CsFunction **rows = cs_report_dup_rows (profile, options->sort, &n_functions);
  g_autofree gboolean *shown = g_new0 (gboolean, n_functions + 1);
  gboolean events = cs_profile_get_mode (profile) == CS_PROFILE_EVENTS;
  const char *separator = "\n";
  Object top = object_begin (writer);

  object_string (&top, "tool", "callsight");
  object_string (&top, "version", CS_VERSION);
  object_string (&top, "mode", events ? "events" : "summary");
  object_number (&top, "events", totals->events);
  object_number (&top, "threads", n_threads);
  object_number (&top, "functions", n_functions);
  object_ms (&top, "span_ms", cs_profile_span (totals->first, totals->last));
  object_number (&top, "unmatched_exits", totals->unmatched);
  object_number (&top, "unclosed_enters", totals->open);
  object_number_if (&top, events, "repaired", totals->repaired);
  object_number_if (&top, events, "clipped", totals->clipped);
  object_number_if (&top, events, "clamped", totals->clamped);
  object_number_if (&top, events, "lost", totals->lost);
  object_number (&top, "self_ns", totals->self);
  object_number (&top, "hook_ns", totals->hook_ns);
  object_number (&top, "recorded_bytes", cs_recording_get_n_bytes (cs_profile_get_recording (profile)));
  object_key (&top, "overhead_subtracted");
  cs_report_writer_puts (writer, "false");
  object_key (&top, "counter_events");
  cs_report_writer_puts (writer, "[]");
  object_number (&top, "counter_read_ns", 0);
  object_strings (&top, "notices", cs_profile_get_notices (profile));
  put_pids (&top, profile);
  put_processes (&top, profile);
  if (options->program != NULL)
    put_program (&top, options->program);

  object_key (&top, "rows");
  cs_report_writer_puts (writer, "[");
  choose_rows (profile, options, shown);
  for (guint i = 0; i < n_functions; i++)
    if (shown[rows[i] - functions])
      {
        cs_report_writer_puts (writer, separator);
        put_row (writer, rows[i], events);
        separator = ",\n";
      }
  cs_report_writer_puts (writer, "\n]");
  object_key (&top, "per_thread");
  cs_report_writer_puts (writer, "[\n");
  for (guint i = 0; i < n_threads; i++)
    {
      put_thread (writer, &threads[i], events);
      cs_report_writer_puts (writer, i + 1 < n_threads ? ",\n" : "\n");
    }
  cs_report_writer_puts (writer, "]}\n");
  return TRUE;
}
