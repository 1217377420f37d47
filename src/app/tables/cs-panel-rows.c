/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tables/cs-panel-rows.h"
#include "shared/cs-format.h"

/**
 * cs_panel_rows_make_label:
 * @text: its text
 * @xalign: where the text is: 0: at the start
 * @css_class: (nullable): a style class
 *
 * Returns: (transfer floating): a label
 */
GtkWidget *
cs_panel_rows_make_label (const char *text, float xalign, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/**
 * cs_panel_rows_append:
 * @list: a list
 * @name: what the row is about
 * @css_class: (nullable): a style class of the name
 * @number: its number, at the end
 * @below: (nullable): a line below
 * @tooltip: (nullable): more of it
 *
 * Returns: (transfer none): a row that leads somewhere, the list's last
 */
GtkWidget *
cs_panel_rows_append (GtkListBox *list, const char *name, const char *css_class, const char *number, const char *below,
                      const char *tooltip)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *first = cs_panel_rows_make_label (name, 0, css_class);
  g_autofree char *shown = cs_format_tooltip (tooltip);

  gtk_label_set_ellipsize (GTK_LABEL (first), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (first, TRUE);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_attach (GTK_GRID (grid), first, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), cs_panel_rows_make_label (number, 1, "numeric"), 1, 0, 1, 1);
  if (below != NULL && *below != '\0')
    {
      GtkWidget *second = cs_panel_rows_make_label (below, 0, "location");

      gtk_widget_add_css_class (second, "dim-label");
      gtk_label_set_ellipsize (GTK_LABEL (second), PANGO_ELLIPSIZE_END);
      gtk_grid_attach (GTK_GRID (grid), second, 0, 1, 2, 1);
    }
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), grid);
  gtk_widget_set_tooltip_text (row, shown);
  gtk_list_box_append (list, row);
  return row;
}

/**
 * cs_panel_rows_append_remark:
 * @list: a list
 * @text: a sentence
 *
 * Adds a row that leads nowhere.
 */
void
cs_panel_rows_append_remark (GtkListBox *list, const char *text)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *label = cs_panel_rows_make_label (text, 0, "dim-label");

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_append (list, row);
}

/**
 * cs_panel_rows_clear:
 * @list: a list
 *
 * Removes all rows, and menus that are open on them.
 */
void
cs_panel_rows_clear (GtkListBox *list)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (list, 0)) != NULL)
    {
      GtkWidget *menu = g_object_get_data (G_OBJECT (row), CS_PANEL_ROW_MENU);

      if (menu != NULL)
        gtk_widget_unparent (menu);
      gtk_list_box_remove (list, GTK_WIDGET (row));
    }
}
