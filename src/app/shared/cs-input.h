/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void cs_input_set_wrong (GtkWidget *input, GtkWidget *marked, gboolean wrong);

G_END_DECLS
