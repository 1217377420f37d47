/* SPDX-License-Identifier: MIT */
#pragma once

#include "session/cs-session.h"
#include "timeline/cs-timeline-view.h"

G_BEGIN_DECLS

/* What the view's actions work with. */
CsSession *cs_timeline_view_get_session (CsTimelineView *self);
CsTimelineNames *cs_timeline_view_get_names (CsTimelineView *self);
const CsTimelinePoint *cs_timeline_view_get_point (CsTimelineView *self);
gboolean cs_timeline_view_get_table_shown (CsTimelineView *self);
void cs_timeline_view_set_table_shown (CsTimelineView *self, gboolean shown);
gboolean cs_timeline_view_get_highlighting (CsTimelineView *self);
void cs_timeline_view_set_highlighting (CsTimelineView *self, gboolean highlighting);
void cs_timeline_view_show_call (CsTimelineView *self, const CsTimelineCall *call);
void cs_timeline_view_show_in_flame_graph (CsTimelineView *self);
void cs_timeline_view_clear_call (CsTimelineView *self);
void cs_timeline_view_go_to_next (CsTimelineView *self, gboolean backwards, gboolean same_thread);
gboolean cs_timeline_view_has_matches (CsTimelineView *self);
void cs_timeline_view_go_to_match (CsTimelineView *self, gboolean backwards);
void cs_timeline_view_popup_longer (CsTimelineView *self);
void cs_timeline_view_popup_tracks (CsTimelineView *self);

/* Actions, menus and keys. */
GSimpleActionGroup *cs_timeline_actions_new (CsTimelineView *self);
void cs_timeline_actions_update (CsTimelineView *self, GSimpleActionGroup *actions);
GMenuModel *cs_timeline_make_menu (const CsTimelinePoint *point);
GMenuModel *cs_timeline_make_view_menu (void);
GtkEventController *cs_timeline_make_shortcuts (void);

G_END_DECLS
