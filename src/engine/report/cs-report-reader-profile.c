/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-private.h"
#include "report/cs-report-reader-private.h"

static void
add_integer (CsReportFile *self, const char *key, guint64 number)
{
  CsReportValue value = { .key = cs_report_file_add_key (self, key), .integer = (gint64) MIN (number, G_MAXINT64) };

  value.number = (double) value.integer;
  g_array_append_val (self->values, value);
}

/* The JSON report has three decimals of it. */
static void
add_decimal (CsReportFile *self, const char *key, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  CsReportValue value = { .key = cs_report_file_add_key (self, key), .real = TRUE };

  if (number < 0)
    return;
  value.number = g_ascii_strtod (g_ascii_formatd (text, sizeof text, "%.3f", number), NULL);
  g_array_append_val (self->values, value);
}

/* Of calls that have one. */
static void
add_durations (CsReportFile *self, const CsFunction *function, gboolean events)
{
  static const struct { const char *key; guint per_mille; } percentiles[] = {
    { "p50_ns", 500 }, { "p90_ns", 900 }, { "p99_ns", 990 }, { "p999_ns", 999 }
  };

  add_integer (self, "max_ms", function->max);
  add_integer (self, "min_ns", function->min);
  add_integer (self, "max_ns", function->max);
  for (guint i = 0; i < G_N_ELEMENTS (percentiles); i++)
    add_integer (self, percentiles[i].key,
                 cs_histogram_percentile (&function->histogram, function->recorded, percentiles[i].per_mille,
                                          function->min, function->max));
  add_decimal (self, "mean_ns", function->mean);
  if (events)
    add_decimal (self, "stddev_ns", function->deviation);
}

static const char *
add_text (CsReportFile *self, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return cs_report_file_add_string (self, valid);
}

static void
add_function (CsReportFile *self, const CsFunction *function, gboolean events)
{
  const CsLocation *location = &function->location;
  CsReportRow row = { .first_value = self->values->len, .line = location->file != NULL ? location->line : 0 };

  row.function = add_text (self, location->name);
  row.file = location->file != NULL && *location->file != '\0' ? add_text (self, location->file) : NULL;
  row.module = location->module != NULL && *location->module != '\0' ? add_text (self, location->module)
                                                                     : NULL;
  add_integer (self, "calls", function->calls);
  add_integer (self, "incl_ms", function->incl);
  add_integer (self, "self_ms", function->self);
  add_integer (self, "incl_ns", function->incl);
  add_integer (self, "self_ns", function->self);
  if (function->calls > (events ? function->repaired : 0))
    add_durations (self, function, events);
  if (events)
    {
      add_integer (self, "total_ms", function->total);
      add_integer (self, "total_ns", function->total);
      add_integer (self, "open", function->open);
      add_integer (self, "clipped", function->clipped);
      add_integer (self, "repaired", function->repaired);
      add_integer (self, "callers", function->n_callers);
      add_integer (self, "callees", function->n_callees);
    }
  add_integer (self, "threads", function->n_threads);
  row.n_values = self->values->len - row.first_value;
  g_array_append_val (self->rows, row);
}

/* Where all processes ran the same. */
static char *
dup_program (CsProfile *profile)
{
  guint n;
  g_autofree CsReportProcess *processes = cs_report_dup_processes (profile, &n);
  const char *program = NULL;

  for (guint i = 0; i < n; i++)
    {
      const CsProcessSection *section = processes[i].process->section;
      const char *exe = section != NULL ? section->exe : NULL;

      if (exe == NULL || (program != NULL && !g_str_equal (program, exe)))
        return NULL;
      program = exe;
    }
  return g_strdup (program);
}

/**
 * cs_report_file_new_from_profile:
 * @profile: a profile
 * @name: what to call the report where it is named; any bytes
 *
 * Makes what cs_report_file_read() makes of the profile's JSON report with all functions, without a file in between.
 *
 * Returns: (transfer full): the report
 */
CsReportFile *
cs_report_file_new_from_profile (CsProfile *profile, const char *name)
{
  CsReportFile *self = cs_report_file_new (name);
  gboolean events = cs_profile_get_mode (profile) == CS_PROFILE_EVENTS;
  guint n;
  const CsFunction *functions = cs_profile_get_functions (profile, &n);
  g_autofree const CsFunction **rows = cs_report_dup_rows (profile, CS_SORT_SELF, &n);

  self->functions = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  for (guint i = 0; i < n; i++)
    {
      guint index = (guint) (rows[i] - functions);

      add_function (self, rows[i], events);
      g_array_append_val (self->functions, index);
    }
  self->n_functions = n;
  self->mode = g_strdup (events ? "events" : "summary");
  self->notices = g_strdupv ((char **) cs_profile_get_notices (profile));
  self->program = dup_program (profile);
  return self;
}

/**
 * cs_report_file_new_folded_from_profile:
 * @profile: a profile, not of a summary
 * @name: what to call the report where it is named; any bytes
 * @cancellable: (nullable): to give up early
 * @error: where to say why there is none
 *
 * Makes what cs_report_file_read() makes of the profile's folded report: its call paths.
 *
 * Returns: (transfer full) (nullable): the report
 */
CsReportFile *
cs_report_file_new_folded_from_profile (CsProfile *profile, const char *name, GCancellable *cancellable, GError **error)
{
  const CsReportOptions options = { 0 };
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (CsReportFile) self = cs_report_file_new (name);
  g_autoptr (GBytes) bytes = NULL;
  const char *text;
  gsize length;

  if (!cs_report_write (profile, CS_REPORT_FOLDED, &options, stream, cancellable, error)
      || !g_output_stream_close (stream, cancellable, error))
    return NULL;
  bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
  text = g_bytes_get_data (bytes, &length);
  if (!cs_report_file_parse_folded (self, text, length, error))
    return NULL;
  return g_steal_pointer (&self);
}
