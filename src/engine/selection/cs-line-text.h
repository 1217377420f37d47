/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void cs_line_text_append (GString *line, const char *text);
gboolean cs_line_text_read (char *text);

G_END_DECLS
