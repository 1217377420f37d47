/* SPDX-License-Identifier: MIT */
#pragma once

#include "cs-session.h"
#include "timeline/cs-timeline-tracks.h"
#include "timeline/cs-timeline-view.h"

G_BEGIN_DECLS

/* What the view's actions work with. */
CsSession *cs_timeline_view_get_session (CsTimelineView *self);
CsTimelineNames *cs_timeline_view_get_names (CsTimelineView *self);
guint cs_timeline_view_get_menu_track (CsTimelineView *self);
gboolean cs_timeline_view_get_table_shown (CsTimelineView *self);
void cs_timeline_view_set_table_shown (CsTimelineView *self, gboolean shown);
void cs_timeline_view_show_call (CsTimelineView *self, const CsTimelineCall *call);
void cs_timeline_view_popup_longer (CsTimelineView *self);
void cs_timeline_view_popup_tracks (CsTimelineView *self);
gboolean cs_timeline_view_get_highlight (CsTimelineView *self);
void cs_timeline_view_set_highlight (CsTimelineView *self, gboolean highlight);
gboolean cs_timeline_view_has_matches (CsTimelineView *self);
void cs_timeline_view_go_to_match (CsTimelineView *self, gboolean backwards);

/* Actions and menus. */
GSimpleActionGroup *cs_timeline_actions_new (CsTimelineView *self);
void cs_timeline_actions_update (CsTimelineView *self, GSimpleActionGroup *actions);
GMenuModel *cs_timeline_make_call_menu (void);
GMenuModel *cs_timeline_make_track_menu (void);
GMenuModel *cs_timeline_make_ruler_menu (void);
GtkEventController *cs_timeline_make_shortcuts (void);

G_END_DECLS
