/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "compare/cs-delta-copy.h"
#include "tables/cs-table-copy.h"

#define N_FIELDS 9 /* of the comparison as CSV */

static char *
dup_number (const CsDiff *diff, gboolean known, CsDiffNumber number)
{
  return known ? cs_diff_format_exact (diff, number) : g_strdup ("");
}

/**
 * cs_delta_copy_text:
 * @items: (element-type CsDeltaItem): rows of one comparison
 *
 * Returns: (transfer full): a table for people, with titles and exact numbers, aligned by spaces
 */
char *
cs_delta_copy_text (GPtrArray *items)
{
  static const gboolean right[] = { FALSE, FALSE, TRUE, TRUE, TRUE, TRUE, FALSE };
  static const char *const titles[] = { N_("Function"), N_("Place"), N_("Base"), N_("New"), N_("Delta"), N_("Change"),
                                        N_("Status") };
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    g_ptr_array_add (cells, g_strdup (_(titles[i])));
  for (guint i = 0; i < items->len; i++)
    {
      CsDeltaItem *item = items->pdata[i];

      g_ptr_array_add (cells, cs_delta_item_dup_name (item));
      g_ptr_array_add (cells, cs_delta_item_dup_place (item));
      for (CsDeltaColumn column = CS_DELTA_BASE; column <= CS_DELTA_STATUS; column++)
        g_ptr_array_add (cells, cs_delta_item_dup_exact (item, column));
    }
  return cs_table_copy_text (cells, G_N_ELEMENTS (titles), right);
}

static void
add_row (GPtrArray *cells, CsDeltaItem *item)
{
  const CsDeltaRows *rows = cs_delta_item_get_rows (item);
  const CsDiffRow *row = cs_delta_rows_get (rows, cs_delta_item_get_row (item));
  const CsReportRow *function = cs_delta_rows_get_function (rows, cs_delta_item_get_row (item));
  char percent[G_ASCII_DTOSTR_BUF_SIZE] = "";

  if (isfinite (row->percent))
    g_ascii_dtostr (percent, sizeof percent, row->percent);
  g_ptr_array_add (cells, g_strdup (function->function));
  g_ptr_array_add (cells, g_strdup (function->file != NULL ? function->file : ""));
  g_ptr_array_add (cells, function->line > 0 ? g_strdup_printf ("%u", function->line) : g_strdup (""));
  g_ptr_array_add (cells, g_strdup (function->module != NULL ? function->module : ""));
  g_ptr_array_add (cells, g_strdup (cs_diff_status_get_name (row->status)));
  g_ptr_array_add (cells, dup_number (rows->diff, row->has_base, row->base_value));
  g_ptr_array_add (cells, dup_number (rows->diff, row->has_new, row->new_value));
  g_ptr_array_add (cells, dup_number (rows->diff, row->status != CS_DIFF_UNKNOWN, row->delta));
  g_ptr_array_add (cells, g_strdup (percent));
}

/**
 * cs_delta_copy_csv:
 * @items: (element-type CsDeltaItem): rows of one comparison
 *
 * Returns: (transfer full): these rows as the comparison has them as CSV (RFC 4180)
 */
char *
cs_delta_copy_csv (GPtrArray *items)
{
  static const char *const fields[] = { "function", "file", "line", "module", "status" };
  static const char *const numbers[] = { "base_", "new_", "delta_" };
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);

  if (items->len == 0)
    return g_strdup ("");
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    g_ptr_array_add (cells, g_strdup (fields[i]));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_ptr_array_add (cells, g_strconcat (numbers[i], cs_delta_item_get_rows (items->pdata[0])->diff->key, NULL));
  g_ptr_array_add (cells, g_strdup ("change_percent"));
  for (guint i = 0; i < items->len; i++)
    add_row (cells, items->pdata[i]);
  return cs_table_copy_csv (cells, N_FIELDS);
}
