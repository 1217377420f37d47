/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cs_record_format_elapsed (gint64 us);

G_END_DECLS
