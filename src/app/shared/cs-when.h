/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cs_when_format (gint64 time_us, gint64 now_us);

G_END_DECLS
