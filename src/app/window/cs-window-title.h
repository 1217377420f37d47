/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "session/cs-session.h"

G_BEGIN_DECLS

void cs_window_title_show (AdwWindowTitle *title, CsSession *session, gboolean of_recording);

G_END_DECLS
