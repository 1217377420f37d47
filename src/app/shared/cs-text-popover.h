/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

typedef void (*CsTextEntered) (const char *text, gpointer user_data);

GtkWidget *cs_text_popover_new (const char *title, const char *text, gboolean lines, CsTextEntered entered,
                                gpointer user_data);

G_END_DECLS
