/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "session/cs-session.h"

G_BEGIN_DECLS

gboolean cs_unsaved_ask (GtkWindow *window, CsSession *session);

G_END_DECLS
