/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean cs_editor_open (const char *path, guint line, GError **error);
gboolean cs_editor_check (const char *command, GError **error);

G_END_DECLS
