/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

char *cs_build_launcher_find (GCancellable *cancellable, GError **error);

G_END_DECLS
