/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-object.h"
#include "report/cs-report-private.h"

static void
put_choice (CsReportObject *row, CsChoice choice)
{
  cs_report_object_key (row, "chosen");
  cs_report_writer_puts (row->writer, choice == CS_CHOICE_YES ? "true" : choice == CS_CHOICE_NO ? "false" : "null");
}

/* What a summary can't tell is null, but for the documented names, which are numbers. */
static void
put_row (CsReportWriter *writer, const CsFunction *function, const CsReportChosen *chosen, gboolean events)
{
  static const struct { const char *key; guint per_mille; } percentiles[] = {
    { "p50_ns", 500 }, { "p90_ns", 900 }, { "p99_ns", 990 }, { "p999_ns", 999 }
  };
  const CsLocation *location = &function->location;
  g_autofree char *place = NULL;
  g_autofree char *address = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", location->address);
  CsReportObject row = cs_report_object_begin (writer);

  if (location->file != NULL)
    place = location->line > 0 ? g_strdup_printf ("%s:%u", location->file, location->line)
                               : g_strdup (location->file);
  cs_report_object_string (&row, "function", location->name);
  cs_report_object_string (&row, "location", place);
  cs_report_object_string (&row, "module", location->module);
  cs_report_object_string (&row, "address", address);
  cs_report_object_number (&row, "calls", function->calls);
  cs_report_object_ms (&row, "incl_ms", function->incl);
  cs_report_object_ms (&row, "self_ms", function->self);
  if (events)
    cs_report_object_ms (&row, "total_ms", function->total);
  else
    cs_report_object_number_if (&row, FALSE, "total_ms", 0);
  cs_report_object_ms (&row, "max_ms", function->max);
  cs_report_object_number (&row, "incl_ns", function->incl);
  cs_report_object_number (&row, "self_ns", function->self);
  cs_report_object_number_if (&row, events, "total_ns", function->total);
  cs_report_object_number (&row, "min_ns", function->min);
  cs_report_object_number (&row, "max_ns", function->max);
  for (guint i = 0; i < G_N_ELEMENTS (percentiles); i++)
    cs_report_object_number (&row, percentiles[i].key,
                   cs_histogram_percentile (&function->histogram, function->recorded,
                                            percentiles[i].per_mille, function->min, function->max));
  cs_report_object_decimal_if (&row, TRUE, "mean_ns", function->mean);
  cs_report_object_decimal_if (&row, events, "stddev_ns", function->deviation);
  cs_report_object_number_if (&row, events, "open", function->open);
  cs_report_object_number_if (&row, events, "clipped", function->clipped);
  cs_report_object_number_if (&row, events, "repaired", function->repaired);
  cs_report_object_number (&row, "threads", function->n_threads);
  cs_report_object_number_if (&row, events, "callers", function->n_callers);
  cs_report_object_number_if (&row, events, "callees", function->n_callees);
  if (chosen != NULL)
    put_choice (&row, cs_report_chosen_get (chosen, function));
  cs_report_object_key (&row, "counters");
  cs_report_writer_puts (writer, "{}}");
}

static void
put_thread (CsReportWriter *writer, const CsThreadRow *thread, gboolean events)
{
  CsReportObject row = cs_report_object_begin (writer);

  cs_report_object_number (&row, "tid", thread->tid);
  cs_report_object_number (&row, "pid", thread->pid);
  cs_report_object_string (&row, "name", thread->name);
  cs_report_object_number (&row, "events", thread->enters + thread->exits);
  cs_report_object_ms (&row, "span_ms", cs_profile_span (thread->first, thread->last));
  cs_report_object_ms (&row, "self_ms", thread->self);
  cs_report_object_number (&row, "self_ns", thread->self);
  cs_report_object_number_if (&row, events, "unmatched_exits", thread->unmatched);
  cs_report_object_number_if (&row, events, "unclosed_enters", thread->open);
  cs_report_object_number_if (&row, events, "repaired", thread->repaired);
  cs_report_object_number_if (&row, events, "clipped", thread->clipped);
  cs_report_object_number_if (&row, events, "clamped", thread->clamped);
  cs_report_object_number_if (&row, events, "lost", thread->lost);
  cs_report_writer_puts (writer, "}");
}

static void
put_program (CsReportObject *object, const CsReportProgram *program)
{
  CsReportObject inner;

  cs_report_object_key (object, "program");
  inner = cs_report_object_begin (object->writer);
  cs_report_object_strings (&inner, "command", program->command);
  cs_report_object_key (&inner, "exit_status");
  if (program->signal != 0)
    cs_report_writer_puts (object->writer, "null");
  else
    cs_report_writer_printf (object->writer, "%d", program->exit_status);
  cs_report_object_number (&inner, "signal", (guint64) program->signal);
  cs_report_object_key (&inner, "timed_out");
  cs_report_writer_puts (object->writer, program->timed_out ? "true}" : "false}");
}

/* Each pid once, though several images may have had it. */
static void
put_pids (CsReportObject *object, CsProfile *profile)
{
  GPtrArray *processes = cs_recording_get_processes (cs_profile_get_recording (profile));
  guint before = 0;

  cs_report_object_key (object, "pids");
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
  CsReportObject row = cs_report_object_begin (writer);

  cs_report_object_number (&row, "pid", process->process->pid);
  cs_report_object_number_if (&row, section != NULL && section->parent != 0, "parent", section != NULL ? section->parent : 0);
  cs_report_object_string (&row, "exe", section != NULL ? section->exe : NULL);
  cs_report_object_number (&row, "start_ns", process->process->t0_ns);
  cs_report_object_number (&row, "threads", process->n_threads);
  cs_report_object_number (&row, "events", process->events);
  cs_report_object_ms (&row, "span_ms", cs_profile_span (process->first, process->last));
  cs_report_object_ms (&row, "self_ms", process->self);
  cs_report_object_number (&row, "self_ns", process->self);
  cs_report_writer_puts (writer, "}");
}

static void
put_processes (CsReportObject *object, CsProfile *profile)
{
  guint n;
  g_autofree CsReportProcess *processes = cs_report_dup_processes (profile, &n);

  cs_report_object_key (object, "processes");
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
  CsReportObject top = cs_report_object_begin (writer);

  cs_report_object_string (&top, "tool", "callsight");
  cs_report_object_string (&top, "version", CS_VERSION);
  cs_report_object_string (&top, "mode", events ? "events" : "summary");
  if (cs_recording_has_hooks_after_inlining (cs_profile_get_recording (profile)))
    cs_report_object_string (&top, "hooks", "after-inlining");
  cs_report_object_number (&top, "events", totals->events);
  cs_report_object_number (&top, "threads", n_threads);
  cs_report_object_number (&top, "functions", n_functions);
  cs_report_object_ms (&top, "span_ms", cs_profile_span (totals->first, totals->last));
  cs_report_object_number (&top, "unmatched_exits", totals->unmatched);
  cs_report_object_number (&top, "unclosed_enters", totals->open);
  cs_report_object_number_if (&top, events, "repaired", totals->repaired);
  cs_report_object_number_if (&top, events, "clipped", totals->clipped);
  cs_report_object_number_if (&top, events, "clamped", totals->clamped);
  cs_report_object_number_if (&top, events, "lost", totals->lost);
  cs_report_object_number (&top, "self_ns", totals->self);
  cs_report_object_number (&top, "hook_ns", totals->hook_ns);
  cs_report_object_number (&top, "recorded_bytes", cs_recording_get_n_bytes (cs_profile_get_recording (profile)));
  cs_report_object_key (&top, "overhead_subtracted");
  cs_report_writer_puts (writer, "false");
  cs_report_object_key (&top, "counter_events");
  cs_report_writer_puts (writer, "[]");
  cs_report_object_number (&top, "counter_read_ns", 0);
  cs_report_object_strings (&top, "notices", cs_report_get_notices (profile, options));
  put_pids (&top, profile);
  put_processes (&top, profile);
  if (options->program != NULL)
    put_program (&top, options->program);

  cs_report_object_key (&top, "rows");
  cs_report_writer_puts (writer, "[");
  choose_rows (profile, options, shown);
  for (guint i = 0; i < n_functions; i++)
    if (shown[rows[i] - functions])
      {
        cs_report_writer_puts (writer, separator);
        put_row (writer, rows[i], options->chosen, events);
        separator = ",\n";
      }
  cs_report_writer_puts (writer, "\n]");
  cs_report_object_key (&top, "per_thread");
  cs_report_writer_puts (writer, "[\n");
  for (guint i = 0; i < n_threads; i++)
    {
      put_thread (writer, &threads[i], events);
      cs_report_writer_puts (writer, i + 1 < n_threads ? ",\n" : "\n");
    }
  cs_report_writer_puts (writer, "]");
  if (options->function != NULL)
    {
      cs_report_object_key (&top, "details");
      cs_report_details_put_json (profile, options->function, writer);
    }
  cs_report_writer_puts (writer, "}\n");
  return TRUE;
}
