/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "tables/cs-function-copy.h"

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

/* Every cell is as wide as its column, in characters. */
static void
append_padded (GString *text, const char *cell, glong width, gboolean right, gboolean last)
{
  glong room = width - g_utf8_strlen (cell, -1);

  if (right)
    g_string_append_printf (text, "%*s", (int) room, "");
  g_string_append (text, cell);
  if (!right && !last)
    g_string_append_printf (text, "%*s", (int) room, "");
  g_string_append (text, last ? "\n" : "  ");
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
  g_autofree glong *widths = g_new0 (glong, columns->len + 1);
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i <= functions->len; i++)
    for (guint j = 0; j < columns->len; j++)
      {
        CsColumnId column = g_array_index (columns, CsColumnId, j);
        char *cell = i == 0 ? dup_title (column) : dup_cell (rows, g_array_index (functions, guint, i - 1), column);

        /* One row is one line. */
        g_strdelimit (cell, "\r\n\t", ' ');
        if (*cell == '\0')
          {
            g_free (cell);
            cell = g_strdup ("–");
          }
        widths[j] = MAX (widths[j], g_utf8_strlen (cell, -1));
        g_ptr_array_add (cells, cell);
      }
  for (guint i = 0; i < cells->len; i++)
    {
      guint j = i % columns->len;
      CsColumnId column = g_array_index (columns, CsColumnId, j);

      append_padded (text, cells->pdata[i], widths[j], cs_column_get (column)->kind != CS_COLUMN_TEXT,
                     j + 1 == columns->len);
    }
  return g_string_free (text, FALSE);
}

/* A field as RFC 4180 has it. */
static void
append_field (GString *text, const char *field)
{
  if (strpbrk (field, ",\"\r\n") == NULL)
    {
      g_string_append (text, field);
      return;
    }
  g_string_append_c (text, '"');
  for (const char *p = field; *p != '\0'; p++)
    {
      if (*p == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *p);
    }
  g_string_append_c (text, '"');
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
  GString *text = g_string_new (NULL);

  for (guint i = 0; i <= functions->len; i++)
    for (guint j = 0; j < columns->len; j++)
      {
        CsColumnId column = g_array_index (columns, CsColumnId, j);
        g_autofree char *cell = i == 0 ? g_strdup (cs_column_get (column)->field)
                                       : dup_cell (rows, g_array_index (functions, guint, i - 1), column);

        append_field (text, cell);
        g_string_append (text, j + 1 < columns->len ? "," : "\r\n");
      }
  return g_string_free (text, FALSE);
}
