/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "session/cs-session.h"
#include "session/cs-view.h"

G_BEGIN_DECLS

#define CS_TYPE_WINDOW (cs_window_get_type ())
G_DECLARE_FINAL_TYPE (CsWindow, cs_window, CS, WINDOW, AdwApplicationWindow)

CsWindow *cs_window_new (GtkApplication *application);
CsSession *cs_window_get_session (CsWindow *self);
void cs_window_open_files (CsWindow *self, GFile *const *files, guint n);
const char *cs_window_get_page (CsWindow *self);
CsView *cs_window_get_view (CsWindow *self, const char *name);

G_END_DECLS
