/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cs_demangle (const char *name);

G_END_DECLS
