/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* On a cell's widget: the GtkListItem that it is in. */
#define CS_TABLE_LIST_ITEM "callsight-list-item"

guint cs_table_menu_find_position (GtkWidget *widget);
void cs_table_menu_add (GtkColumnView *view, GtkWidget *table);
void cs_table_menu_add_key (GtkColumnView *view, const char *key, const char *action);
GtkWidget *cs_table_menu_new (GMenuModel *model, GtkWidget *parent);
void cs_table_menu_popup (GtkWidget *menu, double x, double y);

G_END_DECLS
