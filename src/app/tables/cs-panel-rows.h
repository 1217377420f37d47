/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* On a row: a popover that is open, which goes with it. */
#define CS_PANEL_ROW_MENU "callsight-menu"

GtkWidget *cs_panel_rows_make_label (const char *text, float xalign, const char *css_class);
GtkWidget *cs_panel_rows_append (GtkListBox *list, const char *name, const char *css_class, const char *number,
                                 const char *below, const char *tooltip);
void cs_panel_rows_append_remark (GtkListBox *list, const char *text);
void cs_panel_rows_clear (GtkListBox *list);

G_END_DECLS
