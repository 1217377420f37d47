/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void cs_number_cell_show (GtkWidget *label, const char *text);

G_END_DECLS
