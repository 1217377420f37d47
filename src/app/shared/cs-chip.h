/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *cs_chip_new (const char *text, const char *name);

G_END_DECLS
