/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void cs_notification_send (GApplication *application, const char *id, GNotification *notification);

G_END_DECLS
