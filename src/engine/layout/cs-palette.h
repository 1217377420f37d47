/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Colours of functions, for cs_flame_colour_index(). */
#define CS_PALETTE_N_FUNCTIONS 12

guint32 cs_palette_get_function (guint index, gboolean dark);
guint32 cs_palette_get_function_label (gboolean dark);

G_END_DECLS
