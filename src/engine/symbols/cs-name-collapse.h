/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CS_NAME_WHOLE G_MAXUINT

char *cs_name_collapse (const char *name, guint depth);
char *cs_name_strip (const char *name, gboolean parameters, gboolean namespaces);

G_END_DECLS
