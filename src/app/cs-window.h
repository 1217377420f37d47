/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "tables/cs-hotspots-view.h"

G_BEGIN_DECLS

#define CS_TYPE_WINDOW (cs_window_get_type ())
G_DECLARE_FINAL_TYPE (CsWindow, cs_window, CS, WINDOW, AdwApplicationWindow)

CsWindow *cs_window_new (GtkApplication *application);
void cs_window_open (CsWindow *self, GFile *file);
const char *cs_window_get_page (CsWindow *self);
CsHotspotsView *cs_window_get_hotspots (CsWindow *self);

G_END_DECLS
