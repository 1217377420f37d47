/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

char *cs_function_name_shorten (const char *name);
char *cs_function_name_escape (const char *name);
void cs_function_name_watch (gpointer object, GCallback changed);

G_END_DECLS
