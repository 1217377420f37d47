/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean cs_trash_can_restore (const char *path);
void cs_trash_restore_async (const char *path, GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_trash_restore_finish (GAsyncResult *result, GError **error);

G_END_DECLS
