/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "report/cs-diff-private.h"
#include "report/cs-report.h"

#define NS_PER_MS 1000000.0

/* Decimal limits are not exact in binary: what differs from one by less than this part of it, is on it. */
#define EPSILON 1e-12

/**
 * cs_diff_format_parse:
 * @name: csv, text, json or folded
 * @format: (out): the format
 * @error: where to say that there is none of that name
 *
 * Returns: whether there is one
 */
gboolean
cs_diff_format_parse (const char *name, CsDiffFormat *format, GError **error)
{
  static const char *const names[] = { [CS_DIFF_TEXT] = "text", [CS_DIFF_JSON] = "json", [CS_DIFF_FOLDED] = "folded",
                                        [CS_DIFF_CSV] = "csv" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i]))
      {
        *format = (CsDiffFormat) i;
        return TRUE;
      }
  g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_FORMAT, "--format %s: no such format — use csv, text, json or folded", name);
  return FALSE;
}

static CsDiffNumber
number_of (CsDiffUnit unit, const CsReportValue *value)
{
  return unit == CS_DIFF_REAL ? (CsDiffNumber){ .real = value->number } : (CsDiffNumber){ .integer = value->integer };
}

static double
as_double (CsDiffUnit unit, CsDiffNumber number)
{
  return unit == CS_DIFF_REAL ? number.real : (double) number.integer;
}

static CsDiffNumber
add (CsDiffUnit unit, CsDiffNumber a, CsDiffNumber b)
{
  CsDiffNumber sum;

  if (unit == CS_DIFF_REAL)
    sum.real = a.real + b.real;
  else if (__builtin_add_overflow (a.integer, b.integer, &sum.integer))
    sum.integer = G_MAXINT64;
  return sum;
}

/* Whether the sum over all functions means something. */
static gboolean
is_additive (const char *key)
{
  static const char *const names[] = { "calls", "self_ms", "self_ns", "open", "repaired", NULL };

  return g_strv_contains (names, key) || g_str_has_suffix (key, "_self");
}

/* Of functions that a report doesn't tell apart: times and counts are added, of minima the smallest
 * counts, of maxima, percentiles and means the largest. */
static CsDiffNumber
combine (const char *key, CsDiffUnit unit, CsDiffNumber a, CsDiffNumber b)
{
  gboolean less = as_double (unit, b) < as_double (unit, a);

  if (g_str_has_prefix (key, "min_"))
    return less ? b : a;
  if (g_str_has_prefix (key, "max_") || g_str_has_prefix (key, "mean_") || (key[0] == 'p' && g_ascii_isdigit (key[1])) ||
      g_str_has_suffix (key, "_per_call"))
    return less ? a : b;
  return add (unit, a, b);
}

/* A function on one side. */
typedef struct
{
  const CsReportRow *row; /* (nullable): the first that has it; NULL: the side doesn't have it */
  gboolean has_value;
  CsDiffNumber value;
} Item;

/* For each number, the function that has it. */
static Item *
make_items (const CsDiff *self, const CsReportFile *report, const guint *numbers, guint n)
{
  Item *items = g_new0 (Item, (gsize) n + 1);
  guint key;
  gboolean known = cs_report_file_find_key (report, self->key, &key);

  for (guint i = 0; i < report->rows->len; i++)
    {
      const CsReportRow *row = &g_array_index (report->rows, CsReportRow, i);
      const CsReportValue *value = known ? cs_report_file_get_value (report, row, key) : NULL;
      Item *item = &items[numbers[i]];
      CsDiffNumber number;

      if (item->row == NULL)
        item->row = row;
      if (value == NULL)
        continue;
      number = number_of (self->unit, value);
      item->value = item->has_value ? combine (self->key, self->unit, item->value, number) : number;
      item->has_value = TRUE;
    }
  return items;
}

static void
add_row (CsDiff *self, const Item *base, const Item *other)
{
  CsDiffRow row = {
    .base = base->row,
    .new = other->row,
    .has_base = base->has_value,
    .has_new = other->has_value,
    .base_value = base->value,
    .new_value = other->value,
    .percent = NAN,
  };
  double before, change;

  if (!row.has_base && !row.has_new)
    return;
  if (self->unit == CS_DIFF_REAL)
    row.delta.real = row.new_value.real - row.base_value.real;
  else
    row.delta.integer = row.new_value.integer - row.base_value.integer;
  change = as_double (self->unit, row.delta);
  before = as_double (self->unit, row.base_value);

  if (row.base == NULL)
    row.status = CS_DIFF_NEW;
  else if (row.new == NULL)
    row.status = CS_DIFF_GONE;
  else if (!row.has_base || !row.has_new)
    row.status = CS_DIFF_UNKNOWN;
  else
    row.status = change < 0 || change > 0 ? CS_DIFF_CHANGED : CS_DIFF_UNCHANGED;
  if (row.status == CS_DIFF_UNCHANGED)
    row.percent = 0;
  else if (row.status == CS_DIFF_CHANGED || row.status == CS_DIFF_GONE)
    row.percent = before > 0 ? change / before * 100 : row.status == CS_DIFF_GONE ? 0 : INFINITY;
  g_array_append_val (self->rows, row);
}

static const CsReportRow *
any_row (const CsDiffRow *row)
{
  return row->new != NULL ? row->new : row->base;
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const CsDiff *self = data;
  const CsDiffRow *x = a, *y = b;
  const CsReportRow *i = any_row (x), *j = any_row (y);
  gboolean unknown = x->status == CS_DIFF_UNKNOWN;
  int order;

  if (unknown != (y->status == CS_DIFF_UNKNOWN))
    return unknown ? 1 : -1;
  if (self->unit == CS_DIFF_REAL)
    order = (x->delta.real < y->delta.real) - (x->delta.real > y->delta.real);
  else
    order = (x->delta.integer < y->delta.integer) - (x->delta.integer > y->delta.integer);
  if (order == 0)
    order = strcmp (i->function, j->function);
  if (order == 0)
    order = g_strcmp0 (i->module, j->module);
  if (order == 0)
    order = g_strcmp0 (i->file, j->file);
  return order != 0 ? order : (i->line > j->line) - (i->line < j->line);
}

static double
scale (CsDiffUnit unit)
{
  return unit == CS_DIFF_MS ? NS_PER_MS : 1;
}

/**
 * cs_diff_row_is_shown:
 * @self: a comparison
 * @row: one of its rows
 *
 * Returns: whether its change is not below the threshold
 */
gboolean
cs_diff_row_is_shown (const CsDiff *self, const CsDiffRow *row)
{
  return row->status == CS_DIFF_UNKNOWN ||
         fabs (as_double (self->unit, row->delta)) >= self->threshold * scale (self->unit) * (1 - EPSILON);
}

static void
judge (CsDiff *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      const CsDiffRow *row = &g_array_index (self->rows, CsDiffRow, i);

      self->base_total = add (self->unit, self->base_total, row->base_value);
      self->new_total = add (self->unit, self->new_total, row->new_value);
      if (row->status == CS_DIFF_UNCHANGED)
        self->n_unchanged++;
      else if (!cs_diff_row_is_shown (self, row))
        self->n_below++;
      else if (row->status == CS_DIFF_NEW)
        self->n_new++;
      else if (row->status == CS_DIFF_GONE)
        self->n_gone++;
      else if (row->status == CS_DIFF_CHANGED && row->percent > 0 && (self->worst == NULL || row->percent > self->worst->percent))
        self->worst = row;
    }
  self->failed = self->worst != NULL && self->fail_over >= 0 &&
                 as_double (self->unit, self->worst->delta) * 100 >
                     self->fail_over * as_double (self->unit, self->worst->base_value) * (1 + EPSILON);
}

static void
note_file (GStrvBuilder *notices, const char *side, const CsReportFile *report)
{
  if (report->rows->len < report->n_functions)
    {
      g_autofree char *text = g_strdup_printf (
          "%s: %s holds %u of %" G_GUINT64_FORMAT " functions, and the others look %s — write it with --top 0",
          side, report->name, report->rows->len, report->n_functions, g_str_equal (side, "base") ? "new" : "gone");

      g_strv_builder_add (notices, text);
    }
  for (guint i = 0; report->notices != NULL && report->notices[i] != NULL; i++)
    {
      g_autofree char *text = g_strdup_printf ("%s: %s", side, report->notices[i]);

      g_strv_builder_add (notices, text);
    }
}

static char **
make_notices (const CsReportFile *base, const CsReportFile *other)
{
  g_autoptr (GStrvBuilder) notices = g_strv_builder_new ();

  if (base->mode != NULL && other->mode != NULL && !g_str_equal (base->mode, other->mode))
    {
      g_autofree char *text = g_strdup_printf ("the base was recorded in mode %s and the new report in mode %s: hooks take "
                                               "different times in both", base->mode, other->mode);

      g_strv_builder_add (notices, text);
    }
  if (base->overhead_subtracted != other->overhead_subtracted)
    g_strv_builder_add (notices, base->overhead_subtracted ? "the hooks' own time is subtracted in the base alone"
                                                           : "the hooks' own time is subtracted in the new report alone");
  note_file (notices, "base", base);
  note_file (notices, "new", other);
  return g_strv_builder_end (notices);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* What the numbers of a key are in a report; FALSE and an error where it has none. */
static gboolean
find_unit (const CsReportFile *report, const char *name, gboolean *real, GError **error)
{
  g_autoptr (GPtrArray) names = NULL;
  g_autofree char *list = NULL;
  guint key;

  if (cs_report_file_find_key (report, name, &key))
    {
      for (guint i = 0; i < report->values->len; i++)
        {
          const CsReportValue *value = &g_array_index (report->values, CsReportValue, i);

          *real |= value->key == key && value->real;
        }
      return TRUE;
    }
  names = g_ptr_array_copy (report->keys, NULL, NULL);
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  g_set_error (error, CS_REPORT_ERROR, CS_REPORT_ERROR_INPUT, "--key %s: no function in %s has it — use one of %s",
               name, report->name, list);
  return FALSE;
}

/**
 * cs_diff_new_with_pairs:
 * @base: what was
 * @other: what is
 * @pairs: which of their functions are the same
 * @options: what to compare, and what matters
 * @error: where to say that one of them has no such number
 *
 * cs_diff_new() where it is known already which functions are the same, which is what takes long.
 *
 * Returns: (transfer full) (nullable): the comparison, which doesn't need @pairs any more
 */
CsDiff *
cs_diff_new_with_pairs (const CsReportFile *base, const CsReportFile *other, const CsDiffPairs *pairs,
                        const CsDiffOptions *options, GError **error)
{
  g_autoptr (CsDiff) self = g_new0 (CsDiff, 1);
  g_autofree Item *base_items = NULL;
  g_autofree Item *other_items = NULL;
  gboolean real = FALSE;

  self->base = base;
  self->new = other;
  self->key = g_strdup (options->key != NULL ? options->key : "self_ms");
  self->threshold = options->threshold;
  self->fail_over = options->fail_over;
  self->rows = g_array_new (FALSE, TRUE, sizeof (CsDiffRow));
  if (!find_unit (base, self->key, &real, error) || !find_unit (other, self->key, &real, error))
    return NULL;
  self->unit = real ? CS_DIFF_REAL : g_str_has_suffix (self->key, "_ms") ? CS_DIFF_MS : CS_DIFF_COUNT;
  self->additive = is_additive (self->key);
  self->notices = make_notices (base, other);

  base_items = make_items (self, base, pairs->base, pairs->n);
  other_items = make_items (self, other, pairs->new, pairs->n);
  for (guint i = 0; i < pairs->n; i++)
    add_row (self, &base_items[i], &other_items[i]);
  g_array_sort_with_data (self->rows, compare_rows, self);
  judge (self);
  return g_steal_pointer (&self);
}

/**
 * cs_diff_new:
 * @base: what was
 * @other: what is
 * @options: what to compare, and what matters
 * @error: where to say that one of them has no such number
 *
 * Compares two reports function by function. They must outlive the comparison.
 *
 * Returns: (transfer full) (nullable): the comparison
 */
CsDiff *
cs_diff_new (const CsReportFile *base, const CsReportFile *other, const CsDiffOptions *options, GError **error)
{
  g_autoptr (CsDiffPairs) pairs = cs_diff_pairs_new (base, other);

  return cs_diff_new_with_pairs (base, other, pairs, options, error);
}

/**
 * cs_diff_free:
 * @self: (transfer full): a comparison
 */
void
cs_diff_free (CsDiff *self)
{
  g_free (self->key);
  g_array_unref (self->rows);
  g_strfreev (self->notices);
  g_free (self);
}
