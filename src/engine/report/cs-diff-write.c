/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "report/cs-diff.h"
#include "report/cs-report-writer.h"

#define RED "\033[31m"
#define GREEN "\033[32m"
#define PLAIN "\033[0m"

typedef struct
{
  const CsDiff *diff;
  CsReportWriter *writer;
  gboolean coloured;
  GHashTable *names; /* how many rows have a name; of those that are shown */
  guint width;       /* of a column of numbers */
} Output;

static const CsReportRow *
any_row (const CsDiffRow *row)
{
  return row->new != NULL ? row->new : row->base;
}

/* Numbers are the same in every locale. */
static char *
format_real (double number, guint decimals)
{
  char buffer[512], format[16];

  g_snprintf (format, sizeof format, "%%.%uf", decimals);
  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, format, number));
}

static const char *const statuses[] = {
  [CS_DIFF_UNCHANGED] = "unchanged", [CS_DIFF_CHANGED] = "changed", [CS_DIFF_NEW] = "new", [CS_DIFF_GONE] = "gone",
  [CS_DIFF_UNKNOWN] = "unknown",
};

/**
 * cs_diff_status_get_name:
 * @status: of a row
 *
 * Returns: (transfer none): the status as json and csv have it
 */
const char *
cs_diff_status_get_name (CsDiffStatus status)
{
  return statuses[status];
}

/**
 * cs_diff_format_exact:
 * @diff: a comparison
 * @number: one of its numbers
 *
 * Returns: (transfer full): the number as exact as there is: ns as ms with six decimals, counts whole
 */
char *
cs_diff_format_exact (const CsDiff *diff, CsDiffNumber number)
{
  guint64 size = number.integer < 0 ? -(guint64) number.integer : (guint64) number.integer;
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  switch (diff->unit)
    {
    case CS_DIFF_MS:
      return g_strdup_printf ("%s%" G_GUINT64_FORMAT ".%06u", number.integer < 0 ? "-" : "", size / 1000000,
                              (guint) (size % 1000000));
    case CS_DIFF_REAL:
      return g_strdup (g_ascii_dtostr (buffer, sizeof buffer, number.real));
    case CS_DIFF_COUNT:
    default:
      return g_strdup_printf ("%" G_GINT64_FORMAT, number.integer);
    }
}

/**
 * cs_diff_format_short:
 * @diff: a comparison
 * @number: one of its numbers
 * @sign: whether what isn't negative has a plus
 *
 * Returns: (transfer full): the number as the text has it: ms and other decimals with three
 */
char *
cs_diff_format_short (const CsDiff *diff, CsDiffNumber number, gboolean sign)
{
  g_autofree char *text = NULL;
  gboolean negative = diff->unit == CS_DIFF_REAL ? number.real < 0 : number.integer < 0;

  if (diff->unit == CS_DIFF_REAL)
    text = format_real (fabs (number.real), 3);
  else
    {
      guint64 size = negative ? -(guint64) number.integer : (guint64) number.integer;

      if (diff->unit == CS_DIFF_MS)
        text = g_strdup_printf ("%" G_GUINT64_FORMAT ".%03u", (size + 500) / 1000000, (guint) ((size + 500) / 1000 % 1000));
      else
        text = g_strdup_printf ("%" G_GUINT64_FORMAT, size);
    }
  return g_strconcat (negative ? "-" : sign ? "+" : "", text, NULL);
}

static char *
format_percent (double percent)
{
  g_autofree char *text = NULL;

  if (isinf (percent))
    return g_strdup ("from 0");
  text = format_real (fabs (percent), 1);
  return g_strconcat (percent < 0 ? "-" : "+", text, "%", NULL);
}

/* Percent, or what else there is to say. */
static char *
format_change (const CsDiffRow *row)
{
  switch (row->status)
    {
    case CS_DIFF_NEW:
      return g_strdup ("new");
    case CS_DIFF_GONE:
      return g_strdup ("gone");
    case CS_DIFF_UNKNOWN:
      return g_strdup ("?");
    case CS_DIFF_UNCHANGED:
    case CS_DIFF_CHANGED:
    default:
      return format_percent (row->percent);
    }
}

static void
put_name (Output *output, const CsDiffRow *row)
{
  const CsReportRow *function = any_row (row);

  cs_report_writer_put_plain (output->writer, function->function, ';');
  if (function->file != NULL)
    {
      cs_report_writer_puts (output->writer, " (");
      cs_report_writer_put_plain (output->writer, function->file, ';');
      if (function->line > 0)
        cs_report_writer_printf (output->writer, ":%u", function->line);
      cs_report_writer_puts (output->writer, ")");
    }
  if (function->module != NULL && GPOINTER_TO_UINT (g_hash_table_lookup (output->names, function->function)) > 1)
    {
      g_autofree char *module = g_path_get_basename (function->module);

      cs_report_writer_puts (output->writer, " in ");
      cs_report_writer_put_plain (output->writer, module, ';');
    }
}

static void
put_text_row (Output *output, const CsDiffRow *row)
{
  const CsDiff *diff = output->diff;
  g_autofree char *base = row->has_base ? cs_diff_format_short (diff, row->base_value, FALSE) : g_strdup ("-");
  g_autofree char *other = row->has_new ? cs_diff_format_short (diff, row->new_value, FALSE) : g_strdup ("-");
  g_autofree char *delta = row->status != CS_DIFF_UNKNOWN ? cs_diff_format_short (diff, row->delta, TRUE) : g_strdup ("-");
  g_autofree char *change = format_change (row);
  gboolean rose = diff->unit == CS_DIFF_REAL ? row->delta.real > 0 : row->delta.integer > 0;
  gboolean coloured = output->coloured && row->status != CS_DIFF_UNKNOWN;

  cs_report_writer_printf (output->writer, "%*s %*s ", (int) output->width, base, (int) output->width, other);
  if (coloured)
    cs_report_writer_puts (output->writer, rose ? RED : GREEN);
  cs_report_writer_printf (output->writer, "%12s %9s", delta, change);
  if (coloured)
    cs_report_writer_puts (output->writer, PLAIN);
  cs_report_writer_puts (output->writer, "  ");
  put_name (output, row);
  cs_report_writer_puts (output->writer, "\n");
}

/* What both sides have together; NULL: sums of the key mean nothing. */
static char *
dup_totals (const CsDiff *diff)
{
  g_autofree char *base = cs_diff_format_short (diff, diff->base_total, FALSE);
  g_autofree char *other = cs_diff_format_short (diff, diff->new_total, FALSE);
  double before = diff->unit == CS_DIFF_REAL ? diff->base_total.real : (double) diff->base_total.integer;
  double after = diff->unit == CS_DIFF_REAL ? diff->new_total.real : (double) diff->new_total.integer;
  g_autofree char *percent = NULL;

  if (!diff->additive)
    return NULL;
  if (!(before > 0))
    return g_strdup_printf ("total %s: %s, was %s", diff->key, other, base);
  percent = format_percent ((after - before) / before * 100);
  return g_strdup_printf ("total %s: %s, was %s (%s)", diff->key, other, base, percent);
}

static void
put_text_end (Output *output)
{
  const CsDiff *diff = output->diff;
  CsReportWriter *writer = output->writer;
  g_autofree char *totals = dup_totals (diff);

  cs_report_writer_puts (writer, "\n");
  if (totals != NULL)
    cs_report_writer_printf (writer, "%s\n", totals);
  cs_report_writer_printf (writer, "functions: %u new, %u gone, %u unchanged", diff->n_new, diff->n_gone, diff->n_unchanged);
  if (diff->n_below > 0)
    cs_report_writer_printf (writer, ", %u below the threshold", diff->n_below);
  cs_report_writer_puts (writer, "\nworst regression: ");
  if (diff->worst != NULL)
    {
      g_autofree char *percent = format_percent (diff->worst->percent);

      cs_report_writer_printf (writer, "%s  ", percent);
      put_name (output, diff->worst);
    }
  else
    cs_report_writer_puts (writer, "none");
  cs_report_writer_puts (writer, "\n");
}

static void
count_names (Output *output)
{
  for (guint i = 0; i < output->diff->rows->len; i++)
    {
      const char *name = any_row (&g_array_index (output->diff->rows, CsDiffRow, i))->function;
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (output->names, name));

      g_hash_table_insert (output->names, (gpointer) name, GUINT_TO_POINTER (n + 1));
    }
}

static void
write_text (Output *output)
{
  const CsDiff *diff = output->diff;
  g_autofree char *base = g_strconcat ("base_", diff->key, NULL);
  g_autofree char *other = g_strconcat ("new_", diff->key, NULL);

  output->width = MAX (12, (guint) strlen (base));
  count_names (output);
  for (guint i = 0; diff->notices[i] != NULL; i++)
    {
      cs_report_writer_puts (output->writer, "! ");
      cs_report_writer_put_plain (output->writer, diff->notices[i], ';');
      cs_report_writer_puts (output->writer, "\n");
    }
  cs_report_writer_printf (output->writer, "%*s %*s %12s %9s  function\n", (int) output->width, base, (int) output->width, other,
                           "delta", "change");
  for (guint i = 0; i < diff->rows->len; i++)
    {
      const CsDiffRow *row = &g_array_index (diff->rows, CsDiffRow, i);

      if (cs_report_writer_should_stop (output->writer))
        return;
      if (row->status != CS_DIFF_UNCHANGED && cs_diff_row_is_shown (diff, row))
        put_text_row (output, row);
    }
  put_text_end (output);
}

/* A member of an object, with the comma before it. */
static void
put_member (CsReportWriter *writer, const char *name, const char *number)
{
  cs_report_writer_printf (writer, ",\"%s\":%s", name, number != NULL ? number : "null");
}

static void
put_string (CsReportWriter *writer, const char *name, const char *text)
{
  cs_report_writer_printf (writer, ",\"%s\":", name);
  if (text != NULL)
    cs_report_writer_put_json_string (writer, text);
  else
    cs_report_writer_puts (writer, "null");
}

static void
put_json_row (Output *output, const CsDiffRow *row)
{
  const CsDiff *diff = output->diff;
  const CsReportRow *function = any_row (row);
  g_autofree char *location = NULL;
  g_autofree char *base = row->has_base ? cs_diff_format_exact (diff, row->base_value) : NULL;
  g_autofree char *other = row->has_new ? cs_diff_format_exact (diff, row->new_value) : NULL;
  g_autofree char *delta = row->status != CS_DIFF_UNKNOWN ? cs_diff_format_exact (diff, row->delta) : NULL;
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (function->file != NULL)
    location = function->line > 0 ? g_strdup_printf ("%s:%u", function->file, function->line) : g_strdup (function->file);
  cs_report_writer_puts (output->writer, "{\"function\":");
  cs_report_writer_put_json_string (output->writer, function->function);
  put_string (output->writer, "location", location);
  put_string (output->writer, "module", function->module);
  put_string (output->writer, "status", cs_diff_status_get_name (row->status));
  put_member (output->writer, "base", base);
  put_member (output->writer, "new", other);
  put_member (output->writer, "delta", delta);
  put_member (output->writer, "change_percent",
              isfinite (row->percent) ? g_ascii_dtostr (buffer, sizeof buffer, row->percent) : NULL);
  cs_report_writer_puts (output->writer, "}");
}

static void
put_json_side (CsReportWriter *writer, const char *name, const CsReportFile *report)
{
  cs_report_writer_printf (writer, ",\"%s\":{\"file\":", name);
  cs_report_writer_put_json_string (writer, report->name);
  cs_report_writer_printf (writer, ",\"functions\":%" G_GUINT64_FORMAT ",\"rows\":%u}", MAX (report->n_functions, report->rows->len),
                           report->rows->len);
}

static void
write_json (Output *output)
{
  const CsDiff *diff = output->diff;
  CsReportWriter *writer = output->writer;
  g_autofree char *base = cs_diff_format_exact (diff, diff->base_total);
  g_autofree char *other = cs_diff_format_exact (diff, diff->new_total);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  const char *separator = "\n";

  cs_report_writer_puts (writer, "{\"tool\":\"callsight\",\"version\":\"" CS_VERSION "\",\"report\":\"diff\"");
  put_string (writer, "key", diff->key);
  put_json_side (writer, "base", diff->base);
  put_json_side (writer, "new", diff->new);
  put_member (writer, "threshold", g_ascii_dtostr (buffer, sizeof buffer, diff->threshold));
  put_member (writer, "fail_over", diff->fail_over >= 0 ? g_ascii_dtostr (buffer, sizeof buffer, diff->fail_over) : NULL);
  put_member (writer, "failed", diff->failed ? "true" : "false");
  put_member (writer, "base_total", diff->additive ? base : NULL);
  put_member (writer, "new_total", diff->additive ? other : NULL);
  cs_report_writer_printf (writer, ",\"added\":%u,\"gone\":%u,\"unchanged\":%u,\"below_threshold\":%u,\"notices\":[", diff->n_new,
                           diff->n_gone, diff->n_unchanged, diff->n_below);
  for (guint i = 0; diff->notices[i] != NULL; i++)
    {
      cs_report_writer_puts (writer, i > 0 ? "," : "");
      cs_report_writer_put_json_string (writer, diff->notices[i]);
    }
  cs_report_writer_puts (writer, "],\"worst\":");
  if (diff->worst != NULL)
    put_json_row (output, diff->worst);
  else
    cs_report_writer_puts (writer, "null");
  cs_report_writer_puts (writer, ",\"rows\":[");
  for (guint i = 0; i < diff->rows->len && !cs_report_writer_should_stop (writer); i++)
    {
      const CsDiffRow *row = &g_array_index (diff->rows, CsDiffRow, i);

      if (cs_diff_row_is_shown (diff, row))
        {
          cs_report_writer_puts (writer, separator);
          put_json_row (output, row);
          separator = ",\n";
        }
    }
  cs_report_writer_puts (writer, "\n]}\n");
}

/* A row a function, numbers as exact as JSON's; what isn't known is empty. */
static void
write_csv (Output *output)
{
  const CsDiff *diff = output->diff;
  CsReportWriter *writer = output->writer;

  cs_report_writer_puts (writer, "function,file,line,module,status,");
  for (guint i = 0; i < 3; i++)
    {
      static const char *const columns[] = { "base_", "new_", "delta_" };
      g_autofree char *title = g_strconcat (columns[i], diff->key, NULL);

      cs_report_writer_put_csv (writer, title);
      cs_report_writer_puts (writer, ",");
    }
  cs_report_writer_puts (writer, "change_percent\r\n");
  for (guint i = 0; i < diff->rows->len && !cs_report_writer_should_stop (writer); i++)
    {
      const CsDiffRow *row = &g_array_index (diff->rows, CsDiffRow, i);
      const CsReportRow *function = any_row (row);
      g_autofree char *base = row->has_base ? cs_diff_format_exact (diff, row->base_value) : NULL;
      g_autofree char *other = row->has_new ? cs_diff_format_exact (diff, row->new_value) : NULL;
      g_autofree char *delta = row->status != CS_DIFF_UNKNOWN ? cs_diff_format_exact (diff, row->delta) : NULL;
      char buffer[G_ASCII_DTOSTR_BUF_SIZE];

      if (!cs_diff_row_is_shown (diff, row))
        continue;
      cs_report_writer_put_csv (writer, function->function);
      cs_report_writer_puts (writer, ",");
      cs_report_writer_put_csv (writer, function->file != NULL ? function->file : "");
      if (function->line > 0)
        cs_report_writer_printf (writer, ",%u,", function->line);
      else
        cs_report_writer_puts (writer, ",,");
      cs_report_writer_put_csv (writer, function->module != NULL ? function->module : "");
      cs_report_writer_printf (writer, ",%s,%s,%s,%s,%s\r\n", cs_diff_status_get_name (row->status), base != NULL ? base : "",
                               other != NULL ? other : "", delta != NULL ? delta : "",
                               isfinite (row->percent) ? g_ascii_dtostr (buffer, sizeof buffer, row->percent) : "");
    }
}

/* Frames keep their semicolons: they stand between the frames of a path. */
static void
put_folded (CsReportWriter *writer, const char *path, char instead_of_semicolon, gint64 base, gint64 other)
{
  cs_report_writer_put_plain (writer, path, instead_of_semicolon);
  cs_report_writer_printf (writer, " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", base, other);
}

static void
write_folded_paths (Output *output)
{
  GArray *base = output->diff->base->paths, *other = output->diff->new->paths;
  guint i = 0, j = 0;

  while ((i < base->len || j < other->len) && !cs_report_writer_should_stop (output->writer))
    {
      const CsReportPath *a = i < base->len ? &g_array_index (base, CsReportPath, i) : NULL;
      const CsReportPath *b = j < other->len ? &g_array_index (other, CsReportPath, j) : NULL;
      int order = a == NULL ? 1 : b == NULL ? -1 : strcmp (a->path, b->path);

      put_folded (output->writer, order <= 0 ? a->path : b->path, ';', order <= 0 ? a->self : 0, order >= 0 ? b->self : 0);
      i += order <= 0;
      j += order >= 0;
    }
}

static void
write_folded_functions (Output *output)
{
  const CsDiff *diff = output->diff;

  for (guint i = 0; i < diff->rows->len && !cs_report_writer_should_stop (output->writer); i++)
    {
      const CsDiffRow *row = &g_array_index (diff->rows, CsDiffRow, i);
      gint64 base = diff->unit == CS_DIFF_REAL ? (gint64) round (row->base_value.real) : row->base_value.integer;
      gint64 other = diff->unit == CS_DIFF_REAL ? (gint64) round (row->new_value.real) : row->new_value.integer;

      if (base > 0 || other > 0)
        put_folded (output->writer, any_row (row)->function, ':', base, other);
    }
}

/**
 * cs_diff_write:
 * @self: a comparison
 * @format: how
 * @coloured: whether text goes to a terminal that shows colours
 * @stream: where to; not closed
 * @cancellable: (nullable): to give up early
 * @error: where to say why it isn't complete
 *
 * Writes a comparison. `text`, `json` and `csv` hold what isn't below the threshold, and text not
 * what hasn't changed. `folded` holds everything: the paths of two folded reports, otherwise the functions,
 * with the numbers of both. Blocks.
 *
 * Returns: whether all was written
 */
gboolean
cs_diff_write (const CsDiff *self, CsDiffFormat format, gboolean coloured, GOutputStream *stream, GCancellable *cancellable,
               GError **error)
{
  g_autoptr (CsReportWriter) writer = cs_report_writer_new (stream, cancellable);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  Output output = { .diff = self, .writer = writer, .coloured = coloured, .names = names };

  switch (format)
    {
    case CS_DIFF_JSON:
      write_json (&output);
      break;
    case CS_DIFF_FOLDED:
      if (self->base->folded && self->new->folded)
        write_folded_paths (&output);
      else
        write_folded_functions (&output);
      break;
    case CS_DIFF_CSV:
      write_csv (&output);
      break;
    case CS_DIFF_TEXT:
    default:
      write_text (&output);
    }
  return cs_report_writer_finish (writer, error);
}
