/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void cs_folder_remove (const char *path);
gboolean cs_folder_empty (const char *path, const char *const *kept);

G_END_DECLS
