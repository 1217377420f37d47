/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Lines that a thread of its own prints: who reads them may be slow, or read nothing for a while. */
typedef struct _CliLines CliLines;

CliLines *cli_lines_new (void);
void cli_lines_add (CliLines *self, gboolean is_notice, const char *text);
void cli_lines_end (CliLines *self);

G_END_DECLS
