/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "tables/cs-function-cells.h"
#include "shared/cs-format.h"
#include "shared/cs-function-name.h"
#include "tables/cs-number-cell.h"
#include "tables/cs-table-menu.h"

#define COLUMN "callsight-column"

static CsColumnId
get_column (gpointer data)
{
  return (CsColumnId) GPOINTER_TO_UINT (data);
}

/* Texts that few ask for are made when they are asked for. */
static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  GtkListItem *list_item = g_object_get_data (G_OBJECT (widget), CS_TABLE_LIST_ITEM);
  CsFunctionItem *item = gtk_list_item_get_item (list_item);
  CsColumnId column = get_column (data);
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;

  if (item == NULL)
    return FALSE;
  if (column == CS_COLUMN_FUNCTION)
    {
      g_autofree char *name = cs_hotspot_rows_dup_text (cs_function_item_get_rows (item),
                                                         cs_function_item_get_index (item), column);
      g_autofree char *place = cs_location_dup_place (&cs_function_item_get_function (item)->location);
      g_autofree char *share = cs_column_dup_exact (CS_COLUMN_SELF_SHARE,
                                                    cs_function_item_get_value (item, CS_COLUMN_SELF_SHARE));

      text = g_strdup_printf (_("%s\n%s\n%s of all self time"), name, place, share);
    }
  else if (cs_column_get (column)->kind == CS_COLUMN_TEXT)
    text = cs_hotspot_rows_dup_text (cs_function_item_get_rows (item), cs_function_item_get_index (item), column);
  else
    text = cs_column_dup_exact (column, cs_function_item_get_value (item, column));
  shown = cs_format_tooltip (text);
  gtk_tooltip_set_text (tooltip, shown);
  return *text != '\0';
}

static void
prepare (GtkListItem *list_item, GtkWidget *child, CsColumnId column)
{
  g_object_set_data (G_OBJECT (child), CS_TABLE_LIST_ITEM, list_item);
  g_object_set_data (G_OBJECT (child), COLUMN, GUINT_TO_POINTER (column));
  gtk_widget_set_has_tooltip (child, TRUE);
  g_signal_connect (child, "query-tooltip", G_CALLBACK (on_query_tooltip), GUINT_TO_POINTER (column));
  gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _(cs_column_get (column)->title), -1);
  gtk_list_item_set_child (list_item, child);
}

static GtkWidget *
add_label (GtkWidget *box, const char *css_class, PangoEllipsizeMode ellipsize)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), ellipsize);
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
setup_name (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *name = add_label (box, "name", PANGO_ELLIPSIZE_END);
  GtkWidget *place = add_label (box, "location", PANGO_ELLIPSIZE_START);
  GtkWidget *bar = gtk_level_bar_new ();

  gtk_label_set_width_chars (GTK_LABEL (name), 16);
  gtk_widget_add_css_class (place, "dim-label");
  /* One colour: these offsets mean battery levels. */
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_LOW);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_HIGH);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_FULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Share of all self time"), -1);
  gtk_box_append (GTK_BOX (box), bar);
  prepare (list_item, box, CS_COLUMN_FUNCTION);
}

/* A row is read out with what matters most; its cells tell the rest. */
static void
name_row (GtkWidget *child, CsFunctionItem *item, const char *name)
{
  GtkWidget *cell = gtk_widget_get_parent (child);
  GtkWidget *row = cell != NULL ? gtk_widget_get_parent (cell) : NULL;
  g_autofree char *calls = cs_column_dup_cell (CS_COLUMN_CALLS, cs_function_item_get_value (item, CS_COLUMN_CALLS));
  g_autofree char *self = cs_column_dup_cell (CS_COLUMN_SELF, cs_function_item_get_value (item, CS_COLUMN_SELF));
  guint64 n = cs_function_item_get_function (item)->calls;
  g_autofree char *text = g_strdup_printf (ngettext ("%s: %s call, self %s", "%s: %s calls, self %s", (gulong) MIN (n, G_MAXINT)),
                                           name, calls, self);

  if (row != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
show_name (GtkListItem *list_item)
{
  CsFunctionItem *item = gtk_list_item_get_item (list_item);
  g_autofree char *whole = cs_hotspot_rows_dup_text (cs_function_item_get_rows (item),
                                                      cs_function_item_get_index (item), CS_COLUMN_FUNCTION);
  g_autofree char *name = cs_function_name_shorten (whole);
  g_autofree char *place = cs_location_dup_place (&cs_function_item_get_function (item)->location);
  guint64 share = cs_function_item_get_value (item, CS_COLUMN_SELF_SHARE);
  GtkWidget *first = gtk_widget_get_first_child (gtk_list_item_get_child (list_item));
  GtkWidget *second = gtk_widget_get_next_sibling (first);
  GtkWidget *bar = gtk_widget_get_next_sibling (second);

  gtk_label_set_text (GTK_LABEL (first), name);
  gtk_label_set_text (GTK_LABEL (second), place);
  name_row (gtk_list_item_get_child (list_item), item, name);
  gtk_level_bar_set_value (GTK_LEVEL_BAR (bar), share != CS_VALUE_UNKNOWN ? cs_value_get_double (share) : 0);
}

static void
setup_text (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_label_set_width_chars (GTK_LABEL (label), 12);
  prepare (list_item, label, get_column (data));
}

static void
show_text (GtkListItem *list_item, CsColumnId column)
{
  CsFunctionItem *item = gtk_list_item_get_item (list_item);
  g_autofree char *text = column == CS_COLUMN_MODULE
                              ? cs_location_dup_module (&cs_function_item_get_function (item)->location)
                              : cs_location_dup_file (&cs_function_item_get_function (item)->location);

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (list_item)), text);
}

static void
setup_value (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "numeric");
  prepare (list_item, label, get_column (data));
}

static void
show_value (GtkListItem *list_item, CsColumnId column)
{
  guint64 value = cs_function_item_get_value (gtk_list_item_get_item (list_item), column);
  GtkWidget *label = gtk_list_item_get_child (list_item);
  g_autofree char *text = cs_column_dup_cell (column, value);

  if (column == CS_COLUMN_HOOK_SHARE)
    {
      gboolean doubtful = value != CS_VALUE_UNKNOWN && cs_value_get_double (value) > CS_HOOK_SHARE_LIMIT;
      g_autofree char *marked = doubtful ? g_strconcat ("⚠ ", text, NULL) : NULL;

      cs_number_cell_show (label, doubtful ? marked : text);
      if (doubtful)
        gtk_widget_add_css_class (label, "warning");
      else
        gtk_widget_remove_css_class (label, "warning");
      return;
    }
  cs_number_cell_show (label, text);
}

static void
show_cell (GtkListItem *list_item, CsColumnId column)
{
  if (column == CS_COLUMN_FUNCTION)
    show_name (list_item);
  else if (cs_column_get (column)->kind == CS_COLUMN_TEXT)
    show_text (list_item, column);
  else
    show_value (list_item, column);
}

/* Another function came into the row. */
static void
on_changed (CsFunctionItem *item, GtkListItem *list_item)
{
  GtkWidget *child = gtk_list_item_get_child (list_item);

  show_cell (list_item, get_column (g_object_get_data (G_OBJECT (child), COLUMN)));
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  show_cell (list_item, get_column (data));
  g_signal_connect (gtk_list_item_get_item (list_item), "changed", G_CALLBACK (on_changed), list_item);
}

static void
unbind_cell (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), on_changed, list_item);
}

/**
 * cs_function_cells_new:
 * @column: a column
 *
 * Returns: (transfer full): what makes its cells, of CsFunctionItems
 */
GtkListItemFactory *
cs_function_cells_new (CsColumnId column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  gpointer data = GUINT_TO_POINTER (column);

  if (column == CS_COLUMN_FUNCTION)
    g_signal_connect (factory, "setup", G_CALLBACK (setup_name), NULL);
  else if (cs_column_get (column)->kind == CS_COLUMN_TEXT)
    g_signal_connect (factory, "setup", G_CALLBACK (setup_text), data);
  else
    g_signal_connect (factory, "setup", G_CALLBACK (setup_value), data);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), data);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell), NULL);
  return factory;
}
