/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cs_preload_find_library (void);
gboolean cs_preload_is_needed (const char *binary);

G_END_DECLS
