/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A bar with three children: one that takes what room there is, and one and another after it. Where there is too little
 * for all three beside each other, the one in the middle goes to a row of its own. */
#define CS_TYPE_FLAME_TOOLBAR (cs_flame_toolbar_get_type ())
G_DECLARE_FINAL_TYPE (CsFlameToolbar, cs_flame_toolbar, CS, FLAME_TOOLBAR, GtkWidget)

G_END_DECLS
