/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "tables/cs-function-panel.h"
#include "tables/cs-function-table.h"

G_BEGIN_DECLS

#define CS_TYPE_HOTSPOTS_VIEW (cs_hotspots_view_get_type ())
G_DECLARE_FINAL_TYPE (CsHotspotsView, cs_hotspots_view, CS, HOTSPOTS_VIEW, AdwBin)

GListModel *cs_hotspots_view_get_model (CsHotspotsView *self);
CsFunctionTable *cs_hotspots_view_get_table (CsHotspotsView *self);
CsFunctionPanel *cs_hotspots_view_get_panel (CsHotspotsView *self);
void cs_hotspots_view_set_search (CsHotspotsView *self, const char *text);

G_END_DECLS
