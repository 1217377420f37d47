/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tables/cs-table-header.h"

/* GtkColumnView has no calls for the widgets of its header: it is the view's first child, and its children are the
 * titles, in the columns' order. */

static GtkWidget *
get_title (GtkColumnView *view, guint column)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;

  while (title != NULL && column-- > 0)
    title = gtk_widget_get_next_sibling (title);
  return title;
}

static GtkWidget *
find_label (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *label = find_label (child);

      if (label != NULL)
        return label;
    }
  return NULL;
}

/**
 * cs_table_header_dress:
 * @view: a table
 * @column: position of a column
 * @tooltip: what its title's tooltip says
 * @right: whether the title stands at the end, as numbers do
 * @sort: how the table is ordered by the column
 */
void
cs_table_header_dress (GtkColumnView *view, guint column, const char *tooltip, gboolean right, GtkAccessibleSort sort)
{
  GtkWidget *title = get_title (view, column);
  GtkWidget *label = title != NULL ? find_label (title) : NULL;

  if (label == NULL)
    return;
  gtk_widget_set_tooltip_text (title, tooltip);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), right ? 1 : 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (title), GTK_ACCESSIBLE_PROPERTY_SORT, sort,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tooltip, -1);
}

/**
 * cs_table_header_find:
 * @view: a table
 * @x: of a place in it, pixels
 * @y: the same
 *
 * Returns: position of the column whose title is there; %G_MAXUINT: none is
 */
guint
cs_table_header_find (GtkColumnView *view, double x, double y)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));
  GtkWidget *widget = gtk_widget_pick (GTK_WIDGET (view), x, y, GTK_PICK_DEFAULT);
  guint column = 0;

  while (widget != NULL && gtk_widget_get_parent (widget) != header)
    widget = gtk_widget_get_parent (widget);
  if (widget == NULL)
    return G_MAXUINT;
  while ((widget = gtk_widget_get_prev_sibling (widget)) != NULL)
    column++;
  return column;
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer view)
{
  /* Rows have other uses for these. */
  if (cs_table_header_find (view, x, y) == G_MAXUINT)
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
}

/**
 * cs_table_header_add_click:
 * @view: a table
 * @released: called as for GtkGestureClick::released when a title was clicked
 * @data: for it
 */
void
cs_table_header_add_click (GtkColumnView *view, GCallback released, gpointer data)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_PRIMARY);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), view);
  g_signal_connect (click, "released", released, data);
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (click));
}
