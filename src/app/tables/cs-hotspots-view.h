/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "profile/cs-profile.h"

G_BEGIN_DECLS

#define CS_TYPE_HOTSPOTS_VIEW (cs_hotspots_view_get_type ())
G_DECLARE_FINAL_TYPE (CsHotspotsView, cs_hotspots_view, CS, HOTSPOTS_VIEW, AdwBin)

CsHotspotsView *cs_hotspots_view_new (void);
void cs_hotspots_view_set_profile (CsHotspotsView *self, CsProfile *profile);
GListModel *cs_hotspots_view_get_model (CsHotspotsView *self);
GtkColumnView *cs_hotspots_view_get_table (CsHotspotsView *self);
void cs_hotspots_view_set_search (CsHotspotsView *self, const char *text);

G_END_DECLS
