/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "compare/cs-delta-item.h"
#include "shared/cs-format.h"
#include "shared/cs-function-name.h"

struct _CsDeltaItem
{
  GObject parent_instance;

  CsDeltaRows *rows;
  guint row;
};

G_DEFINE_FINAL_TYPE (CsDeltaItem, cs_delta_item, G_TYPE_OBJECT)

static void
cs_delta_item_finalize (GObject *object)
{
  cs_delta_rows_release (CS_DELTA_ITEM (object)->rows);
  G_OBJECT_CLASS (cs_delta_item_parent_class)->finalize (object);
}

static void
cs_delta_item_class_init (CsDeltaItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_delta_item_finalize;
}

static void
cs_delta_item_init (CsDeltaItem *self)
{
}

/**
 * cs_delta_item_new:
 * @rows: a comparison
 * @row: index of one of its rows
 *
 * Returns: (transfer full): the row
 */
CsDeltaItem *
cs_delta_item_new (CsDeltaRows *rows, guint row)
{
  CsDeltaItem *self = g_object_new (CS_TYPE_DELTA_ITEM, NULL);

  self->rows = g_atomic_rc_box_acquire (rows);
  self->row = row;
  return self;
}

/**
 * cs_delta_item_get_rows:
 * @self: a row
 *
 * Returns: (transfer none): the comparison that it is of
 */
CsDeltaRows *
cs_delta_item_get_rows (CsDeltaItem *self)
{
  return self->rows;
}

/**
 * cs_delta_item_get_row:
 * @self: a row
 *
 * Returns: its index in the comparison
 */
guint
cs_delta_item_get_row (CsDeltaItem *self)
{
  return self->row;
}

/**
 * cs_delta_item_dup_name:
 * @self: a row
 *
 * Returns: (transfer full): its function's name, as names are shown
 */
char *
cs_delta_item_dup_name (CsDeltaItem *self)
{
  return cs_function_name_shorten (cs_delta_rows_get_function (self->rows, self->row)->function);
}

/**
 * cs_delta_item_dup_place:
 * @self: a row
 *
 * Returns: (transfer full): where its function lies: file and line, or the module; "" where neither is known
 */
char *
cs_delta_item_dup_place (CsDeltaItem *self)
{
  const CsReportRow *function = cs_delta_rows_get_function (self->rows, self->row);

  if (function->file == NULL)
    return function->module != NULL ? g_path_get_basename (function->module) : g_strdup ("");
  return function->line > 0 ? g_strdup_printf ("%s:%u", function->file, function->line) : g_strdup (function->file);
}

static char *
dup_status (CsDiffStatus status)
{
  switch (status)
    {
    case CS_DIFF_CHANGED:
      return g_strdup (_("changed"));
    case CS_DIFF_NEW:
      return g_strdup (_("new"));
    case CS_DIFF_GONE:
      return g_strdup (_("gone"));
    case CS_DIFF_UNKNOWN:
      return g_strdup (_("not known"));
    case CS_DIFF_UNCHANGED:
    default:
      return g_strdup (_("unchanged"));
    }
}

/**
 * cs_delta_format_change:
 * @before: a number of the base, from 0 on
 * @after: the same of the open recording
 *
 * Returns: (transfer full): how much it changed: "+12.0 %"; many times as much is a factor: "×31.8"
 */
char *
cs_delta_format_change (double before, double after)
{
  double percent = (after - before) / before * 100;
  g_autofree char *factor = NULL;
  char number[64];

  if (!(before > 0))
    return g_strdup (after > 0 ? _("from 0") : "±0 %");
  if (percent < 1000)
    {
      if (!(percent > 0) && !(percent < 0))
        return g_strdup ("±0 %");
      g_ascii_formatd (number, sizeof number, "%.1f", fabs (percent));
      return g_strdup_printf ("%s%s %%", percent > 0 ? "+" : "−", number);
    }
  if (after / before < 1000)
    return g_strdup_printf ("×%s", g_ascii_formatd (number, sizeof number, "%.1f", after / before));
  factor = cs_format_count_short ((guint64) MIN (round (after / before), 1e18));
  return g_strdup_printf ("×%s", factor);
}

static char *
dup_percent (CsDeltaItem *self)
{
  const CsDiffRow *row = cs_delta_rows_get (self->rows, self->row);
  CsDiffNumber before = row->base_value, after = row->new_value;

  if (row->status != CS_DIFF_CHANGED && row->status != CS_DIFF_UNCHANGED)
    return g_strdup ("–");
  if (self->rows->diff->unit == CS_DIFF_REAL)
    return cs_delta_format_change (before.real, after.real);
  return cs_delta_format_change ((double) before.integer, (double) after.integer);
}

/* Numbers are the text report's, so that both can be compared. */
static char *
dup_number (CsDeltaItem *self, CsDeltaColumn column, char *(*format) (const CsDiff *diff, CsDiffNumber number))
{
  const CsDiffRow *row = cs_delta_rows_get (self->rows, self->row);

  if (column == CS_DELTA_BASE)
    return row->has_base ? format (self->rows->diff, row->base_value) : g_strdup ("–");
  if (column == CS_DELTA_NEW)
    return row->has_new ? format (self->rows->diff, row->new_value) : g_strdup ("–");
  return row->status != CS_DIFF_UNKNOWN ? format (self->rows->diff, row->delta) : g_strdup ("–");
}

static char *
format_short (const CsDiff *diff, CsDiffNumber number)
{
  return cs_diff_format_short (diff, number, FALSE);
}

static char *
format_signed (const CsDiff *diff, CsDiffNumber number)
{
  g_autofree char *text = cs_diff_format_short (diff, number, TRUE);

  return *text == '-' ? g_strconcat ("−", text + 1, NULL) : g_steal_pointer (&text);
}

/**
 * cs_delta_item_dup_cell:
 * @self: a row
 * @column: a column
 *
 * Returns: (transfer full): what stands there
 */
char *
cs_delta_item_dup_cell (CsDeltaItem *self, CsDeltaColumn column)
{
  const CsDiffRow *row = cs_delta_rows_get (self->rows, self->row);

  switch (column)
    {
    case CS_DELTA_FUNCTION:
      return cs_delta_item_dup_name (self);
    case CS_DELTA_BASE:
    case CS_DELTA_NEW:
      return dup_number (self, column, format_short);
    case CS_DELTA_CHANGE:
      return dup_number (self, column, format_signed);
    case CS_DELTA_PERCENT:
      return dup_percent (self);
    case CS_DELTA_STATUS:
    default:
      return dup_status (row->status);
    }
}

/**
 * cs_delta_item_dup_exact:
 * @self: a row
 * @column: a column
 *
 * Returns: (transfer full): the same with all there is to know
 */
char *
cs_delta_item_dup_exact (CsDeltaItem *self, CsDeltaColumn column)
{
  const CsReportRow *function = cs_delta_rows_get_function (self->rows, self->row);
  g_autofree char *place = NULL;

  switch (column)
    {
    case CS_DELTA_FUNCTION:
      place = cs_delta_item_dup_place (self);
      return g_strdup_printf ("%s\n%s%s%s", function->function, place, function->module != NULL ? "\n" : "",
                              function->module != NULL ? function->module : "");
    case CS_DELTA_BASE:
    case CS_DELTA_NEW:
    case CS_DELTA_CHANGE:
      return dup_number (self, column, cs_diff_format_exact);
    case CS_DELTA_PERCENT:
    case CS_DELTA_STATUS:
    default:
      return cs_delta_item_dup_cell (self, column);
    }
}
