/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cs_function_name_reduce (const char *name, char **enclosing);

G_END_DECLS
