/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cs_record_format_elapsed (gint64 us);
char *cs_record_format_rate (double per_second);

G_END_DECLS
