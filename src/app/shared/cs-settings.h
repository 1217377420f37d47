/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CS_SETTINGS_ID "io.github.callsight.Callsight"

GSettings *cs_settings_get (void);

G_END_DECLS
