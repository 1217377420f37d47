/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GPtrArray *cs_trace_folder_list (const char *path, GError **error);

G_END_DECLS
