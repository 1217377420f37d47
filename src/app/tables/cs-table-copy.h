/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

char *cs_table_copy_text (GPtrArray *cells, guint n_columns, const gboolean *right);
char *cs_table_copy_csv (GPtrArray *cells, guint n_columns);
void cs_table_copy_set (GtkWidget *widget, const char *text, const char *csv);

G_END_DECLS
