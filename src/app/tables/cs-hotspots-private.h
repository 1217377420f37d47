/* SPDX-License-Identifier: MIT */
#pragma once

#include "session/cs-session.h"
#include "tables/cs-hotspots-view.h"

G_BEGIN_DECLS

/* What the view's actions work with. */
CsSession *cs_hotspots_view_get_session (CsHotspotsView *self);
CsHotspotRows *cs_hotspots_view_get_rows (CsHotspotsView *self);
guint cs_hotspots_view_get_function (CsHotspotsView *self);
gboolean cs_hotspots_view_get_panel_shown (CsHotspotsView *self);
void cs_hotspots_view_set_panel_shown (CsHotspotsView *self, gboolean shown);
void cs_hotspots_view_popup_columns (CsHotspotsView *self);

/* Actions and menus. */
#define CS_HOTSPOTS_COLUMN_ACTION "column-" /* and the column's name */

GSimpleActionGroup *cs_hotspots_actions_new (CsHotspotsView *self);
void cs_hotspots_actions_update (CsHotspotsView *self, GSimpleActionGroup *actions);
GMenuModel *cs_hotspots_make_columns_menu (void);
GMenuModel *cs_hotspots_make_row_menu (void);
char *cs_hotspots_dup_exclude_reason (CsHotspotsView *self);

G_END_DECLS
