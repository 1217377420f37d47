/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cs_format_duration (guint64 ns);
char *cs_format_count (guint64 number);
char *cs_format_count_short (guint64 number);
char *cs_format_share (guint64 part, guint64 whole);
char *cs_format_isolate (char *text);
char *cs_format_tooltip (const char *text); /* (nullable) */

G_END_DECLS
