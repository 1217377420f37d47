/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "tables/cs-table-copy.h"

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
 * cs_table_copy_text:
 * @cells: (element-type utf8): the texts of a table, row by row, its titles first
 * @n_columns: how many a row has
 * @right: (array length=n_columns): of which columns the texts stand at the end, as numbers do
 *
 * Returns: (transfer full): a table for people, aligned by spaces
 */
char *
cs_table_copy_text (GPtrArray *cells, guint n_columns, const gboolean *right)
{
  g_autofree glong *widths = g_new0 (glong, n_columns + 1);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < cells->len; i++)
    {
      const char *cell = cells->pdata[i];
      /* One row is one line. */
      char *line = g_strdelimit (g_strdup (*cell != '\0' ? cell : "–"), "\r\n\t", ' ');

      widths[i % n_columns] = MAX (widths[i % n_columns], g_utf8_strlen (line, -1));
      g_ptr_array_add (lines, line);
    }
  for (guint i = 0; i < lines->len; i++)
    append_padded (text, lines->pdata[i], widths[i % n_columns], right[i % n_columns], (i + 1) % n_columns == 0);
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
 * cs_table_copy_csv:
 * @cells: (element-type utf8): the texts of a table, row by row, the names of its fields first
 * @n_columns: how many a row has
 *
 * Returns: (transfer full): the table as CSV (RFC 4180)
 */
char *
cs_table_copy_csv (GPtrArray *cells, guint n_columns)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < cells->len; i++)
    {
      append_field (text, cells->pdata[i]);
      g_string_append (text, (i + 1) % n_columns != 0 ? "," : "\r\n");
    }
  return g_string_free (text, FALSE);
}

/**
 * cs_table_copy_set:
 * @widget: a widget
 * @text: for its display's clipboard
 * @csv: (nullable): the same for programs that take tables
 */
void
cs_table_copy_set (GtkWidget *widget, const char *text, const char *csv)
{
  GdkContentProvider *providers[2];
  g_autoptr (GBytes) bytes = csv != NULL ? g_bytes_new (csv, strlen (csv)) : NULL;
  g_autoptr (GdkContentProvider) provider = NULL;
  guint n = 0;

  providers[n++] = gdk_content_provider_new_typed (G_TYPE_STRING, text);
  if (bytes != NULL)
    providers[n++] = gdk_content_provider_new_for_bytes ("text/csv", bytes);
  provider = gdk_content_provider_new_union (providers, n);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (widget), provider);
}
