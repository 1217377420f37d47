/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cs_function_name_shorten (const char *name);
char *cs_function_name_escape (const char *name);

G_END_DECLS
