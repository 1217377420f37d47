/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void cs_table_header_dress (GtkColumnView *view, guint column, const char *tooltip, gboolean right,
                            GtkAccessibleSort sort);
guint cs_table_header_find (GtkColumnView *view, double x, double y);
void cs_table_header_add_click (GtkColumnView *view, GCallback released, gpointer data);

G_END_DECLS
