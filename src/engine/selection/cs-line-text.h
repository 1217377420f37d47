/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void cs_line_text_append (GString *line, const char *text);
gboolean cs_line_text_read (char *text);
char *cs_line_text_join_names (const char *const *names, guint n, guint most);

G_END_DECLS
