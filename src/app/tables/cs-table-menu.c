/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tables/cs-table-menu.h"

/**
 * cs_table_menu_find_position:
 * @widget: (nullable): a widget in a cell, or the cell
 *
 * Returns: the position of the row that it is in; %GTK_INVALID_LIST_POSITION: it is in none
 */
guint
cs_table_menu_find_position (GtkWidget *widget)
{
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      GtkListItem *list_item = g_object_get_data (G_OBJECT (widget), CS_TABLE_LIST_ITEM);
      GtkWidget *child = gtk_widget_get_first_child (widget);

      /* The margin around a cell's widget is its parent's, and that is in the row. */
      for (guint i = 0; list_item == NULL && child != NULL && i < 2; i++, child = gtk_widget_get_first_child (child))
        list_item = g_object_get_data (G_OBJECT (child), CS_TABLE_LIST_ITEM);
      if (list_item != NULL)
        return gtk_list_item_get_position (list_item);
    }
  return GTK_INVALID_LIST_POSITION;
}

/* A right click is about the row under the pointer, and about all that are selected if it is. */
static void
on_right_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer table)
{
  GtkWidget *view = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  GtkSelectionModel *selection = gtk_column_view_get_model (GTK_COLUMN_VIEW (view));
  guint position = cs_table_menu_find_position (gtk_widget_pick (view, x, y, GTK_PICK_DEFAULT));
  double at_x, at_y;

  if (position == GTK_INVALID_LIST_POSITION || selection == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (!gtk_selection_model_is_selected (selection, position))
    gtk_selection_model_select_item (selection, position, TRUE);
  gtk_widget_translate_coordinates (view, table, x, y, &at_x, &at_y);
  g_signal_emit_by_name (table, "menu", at_x, at_y);
}

/* The menu key: where the focused row is. */
static gboolean
on_menu_key (GtkWidget *view, GVariant *args, gpointer table)
{
  GtkRoot *root = gtk_widget_get_root (view);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  double x = gtk_widget_get_width (table) / 2.0, y = gtk_widget_get_height (table) / 2.0;

  if (focus != NULL && gtk_widget_is_ancestor (focus, view))
    gtk_widget_translate_coordinates (focus, table, gtk_widget_get_width (focus) / 4.0, gtk_widget_get_height (focus), &x, &y);
  g_signal_emit_by_name (table, "menu", x, y);
  return TRUE;
}

/**
 * cs_table_menu_add:
 * @view: a list whose cells have their %CS_TABLE_LIST_ITEM
 * @table: what the list is in, which has a signal "menu" (x: double, y: double)
 *
 * Has the signal emitted for a right click on a row, which is selected, and for the menu key. Places are in @table.
 */
void
cs_table_menu_add (GtkColumnView *view, GtkWidget *table)
{
  GtkGesture *right = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (right), GDK_BUTTON_SECONDARY);
  g_signal_connect (right, "pressed", G_CALLBACK (on_right_pressed), table);
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (right));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10"),
                                                          gtk_callback_action_new (on_menu_key, table, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (view), keys);
}

/**
 * cs_table_menu_add_key:
 * @view: a list
 * @key: a key, as text
 * @action: what it does while the list has the focus: elsewhere the key does to texts what it always does
 */
void
cs_table_menu_add_key (GtkColumnView *view, const char *key, const char *action)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_shortcut_trigger_parse_string (key),
                                                          gtk_named_action_new (action)));
  gtk_widget_add_controller (GTK_WIDGET (view), keys);
}

/**
 * cs_table_menu_new:
 * @model: a menu
 * @parent: what it is in
 *
 * Returns: (transfer none): the menu as a popover, which is to be unparented in the end
 */
GtkWidget *
cs_table_menu_new (GMenuModel *model, GtkWidget *parent)
{
  GtkWidget *menu = gtk_popover_menu_new_from_model (model);

  gtk_popover_set_has_arrow (GTK_POPOVER (menu), FALSE);
  gtk_widget_set_halign (menu, GTK_ALIGN_START);
  gtk_widget_set_parent (menu, parent);
  return menu;
}

/**
 * cs_table_menu_popup:
 * @menu: a popover of cs_table_menu_new()
 * @x: in its parent
 * @y: in its parent
 *
 * Opens it at a place.
 */
void
cs_table_menu_popup (GtkWidget *menu, double x, double y)
{
  const GdkRectangle at = { (int) x, (int) y, 1, 1 };

  gtk_popover_set_pointing_to (GTK_POPOVER (menu), &at);
  gtk_popover_popup (GTK_POPOVER (menu));
}
