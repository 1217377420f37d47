/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-report-private.h"

/* What a column needs at hand. */
typedef struct
{
  CsReportWriter *writer;
  const CsFunction *function;
  const CsReportChosen *chosen; /* (nullable) */
  gboolean events; /* not of a summary */
} Cell;

static void
put_name (const Cell *cell)
{
  cs_report_writer_put_csv (cell->writer, cell->function->location.name);
}

static void
put_file (const Cell *cell)
{
  if (cell->function->location.file != NULL)
    cs_report_writer_put_csv (cell->writer, cell->function->location.file);
}

static void
put_line (const Cell *cell)
{
  if (cell->function->location.line > 0)
    cs_report_writer_put_number (cell->writer, cell->function->location.line);
}

static void
put_module (const Cell *cell)
{
  if (cell->function->location.module != NULL)
    cs_report_writer_put_csv (cell->writer, cell->function->location.module);
}

static void
put_address (const Cell *cell)
{
  cs_report_writer_printf (cell->writer, "0x%" G_GINT64_MODIFIER "x", cell->function->location.address);
}

#define NUMBER_COLUMN(name, known)                                       \
  static void put_##name (const Cell *cell)                              \
  {                                                                      \
    if (known)                                                           \
      cs_report_writer_put_number (cell->writer, cell->function->name);  \
  }

NUMBER_COLUMN (calls, TRUE)
NUMBER_COLUMN (repaired, cell->events)
NUMBER_COLUMN (open, cell->events)
NUMBER_COLUMN (clipped, cell->events)
NUMBER_COLUMN (incl, TRUE)
NUMBER_COLUMN (self, TRUE)
NUMBER_COLUMN (total, cell->events)
NUMBER_COLUMN (min, cell->function->recorded > 0)
NUMBER_COLUMN (max, cell->function->recorded > 0)
NUMBER_COLUMN (n_threads, TRUE)
NUMBER_COLUMN (n_callers, cell->events)
NUMBER_COLUMN (n_callees, cell->events)

static void
put_percentile (const Cell *cell, guint per_mille)
{
  const CsFunction *function = cell->function;

  if (function->recorded > 0)
    cs_report_writer_put_number (cell->writer,
                                 cs_histogram_percentile (&function->histogram, function->recorded, per_mille,
                                                          function->min, function->max));
}

static void
put_p50 (const Cell *cell)
{
  put_percentile (cell, 500);
}

static void
put_p90 (const Cell *cell)
{
  put_percentile (cell, 900);
}

static void
put_p99 (const Cell *cell)
{
  put_percentile (cell, 990);
}

static void
put_p999 (const Cell *cell)
{
  put_percentile (cell, 999);
}

static void
put_decimal (const Cell *cell, gboolean known, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (known)
    cs_report_writer_puts (cell->writer, g_ascii_formatd (text, sizeof text, "%.3f", number));
}

static void
put_mean (const Cell *cell)
{
  put_decimal (cell, cell->function->recorded > 0, cell->function->mean);
}

static void
put_deviation (const Cell *cell)
{
  put_decimal (cell, cell->events && cell->function->recorded > 0, cell->function->deviation);
}

static void
put_chosen (const Cell *cell)
{
  CsChoice choice = cs_report_chosen_get (cell->chosen, cell->function);

  cs_report_writer_puts (cell->writer, choice == CS_CHOICE_YES ? "true" : choice == CS_CHOICE_NO ? "false" : "");
}

/* Named as in the JSON report where it has them too. */
static const struct
{
  const char *name;
  void (*put) (const Cell *cell);
} columns[] = {
  { "function", put_name },     { "file", put_file },         { "line", put_line },
  { "module", put_module },     { "address", put_address },   { "calls", put_calls },
  { "repaired", put_repaired }, { "open", put_open },         { "clipped", put_clipped },
  { "incl_ns", put_incl },      { "self_ns", put_self },      { "total_ns", put_total },
  { "min_ns", put_min },        { "mean_ns", put_mean },      { "stddev_ns", put_deviation },
  { "p50_ns", put_p50 },        { "p90_ns", put_p90 },        { "p99_ns", put_p99 },
  { "p999_ns", put_p999 },      { "max_ns", put_max },        { "threads", put_n_threads },
  { "callers", put_n_callers }, { "callees", put_n_callees },
  { "chosen", put_chosen },     /* only where there is a selection */
};

/**
 * cs_report_write_csv:
 * @profile: what to report
 * @options: rows and their order
 * @writer: where to
 *
 * Writes a row a function, and a header row, as RFC 4180 and UTF-8. A cell is empty where nothing is
 * known.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_csv (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  guint n;
  g_autofree const CsFunction **rows = cs_report_dup_rows (profile, options->sort, &n);
  guint shown = options->top == 0 ? n : MIN (options->top, n);
  guint n_columns = G_N_ELEMENTS (columns) - (options->chosen == NULL);
  Cell cell = { .writer = writer, .chosen = options->chosen, .events = cs_profile_get_mode (profile) == CS_PROFILE_EVENTS };

  for (guint i = 0; i < n_columns; i++)
    {
      cs_report_writer_puts (writer, i > 0 ? "," : "");
      cs_report_writer_puts (writer, columns[i].name);
    }
  cs_report_writer_puts (writer, "\r\n");
  for (guint row = 0; row < shown; row++)
    {
      cell.function = rows[row];
      for (guint i = 0; i < n_columns; i++)
        {
          cs_report_writer_puts (writer, i > 0 ? "," : "");
          columns[i].put (&cell);
        }
      cs_report_writer_puts (writer, "\r\n");
    }
  return !cs_report_writer_should_stop (writer);
}
