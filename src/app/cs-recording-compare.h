/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "cs-session.h"

G_BEGIN_DECLS

void cs_recording_compare (CsSession *session, const char *folder, const char *title, GtkWindow *parent);

G_END_DECLS
