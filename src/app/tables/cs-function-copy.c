/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "tables/cs-function-copy.h"
#include "tables/cs-table-copy.h"

/* A cell's exact text; times in ns. */
static char *
dup_cell (CsHotspotRows *rows, guint function, CsColumnId column)
{
  if (cs_column_get (column)->kind == CS_COLUMN_TEXT)
    return cs_hotspot_rows_dup_text (rows, function, column);
  return cs_column_dup_plain (column, cs_hotspot_rows_get_value (rows, function, column));
}

static char *
dup_title (CsColumnId column)
{
  const CsColumn *info = cs_column_get (column);

  if (info->kind == CS_COLUMN_TIME || info->kind == CS_COLUMN_MEAN_TIME)
    return g_strdup_printf (_("%s (ns)"), _(info->title));
  return g_strdup (_(info->title));
}

/**
 * cs_function_copy_text:
 * @rows: the rows of a profile
 * @functions: (element-type guint): indices of the functions to copy, in order
 * @columns: (element-type CsColumnId): the columns to copy, in order
 *
 * Returns: (transfer full): a table for people, with titles and exact numbers, aligned by spaces
 */
char *
cs_function_copy_text (CsHotspotRows *rows, const GArray *functions, const GArray *columns)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  g_autofree gboolean *right = g_new0 (gboolean, columns->len + 1);

  for (guint i = 0; i <= functions->len; i++)
    for (guint j = 0; j < columns->len; j++)
      {
        CsColumnId column = g_array_index (columns, CsColumnId, j);

        right[j] = cs_column_get (column)->kind != CS_COLUMN_TEXT;
        g_ptr_array_add (cells, i == 0 ? dup_title (column)
                                       : dup_cell (rows, g_array_index (functions, guint, i - 1), column));
      }
  return cs_table_copy_text (cells, columns->len, right);
}

/**
 * cs_function_copy_csv:
 * @rows: the rows of a profile
 * @functions: (element-type guint): indices of the functions to copy, in order
 * @columns: (element-type CsColumnId): the columns to copy, in order
 *
 * Returns: (transfer full): the same as CSV (RFC 4180), with the names that the report in CSV gives its columns; a cell
 *   is empty where nothing is known
 */
char *
cs_function_copy_csv (CsHotspotRows *rows, const GArray *functions, const GArray *columns)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i <= functions->len; i++)
    for (guint j = 0; j < columns->len; j++)
      {
        CsColumnId column = g_array_index (columns, CsColumnId, j);

        g_ptr_array_add (cells, i == 0 ? g_strdup (cs_column_get (column)->field)
                                       : dup_cell (rows, g_array_index (functions, guint, i - 1), column));
      }
  return cs_table_copy_csv (cells, columns->len);
}
