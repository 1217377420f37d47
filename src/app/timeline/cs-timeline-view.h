/* SPDX-License-Identifier: MIT */
#pragma once

#include "session/cs-view.h"
#include "timeline/cs-timeline-details.h"
#include "timeline/cs-timeline-longer.h"
#include "timeline/cs-timeline-tracks.h"

G_BEGIN_DECLS

#define CS_TYPE_TIMELINE_VIEW (cs_timeline_view_get_type ())
G_DECLARE_FINAL_TYPE (CsTimelineView, cs_timeline_view, CS, TIMELINE_VIEW, AdwBin)

CsTimelineChart *cs_timeline_view_get_chart (CsTimelineView *self);
CsTimelineTracks *cs_timeline_view_get_tracks (CsTimelineView *self);
CsTimelineDetails *cs_timeline_view_get_details (CsTimelineView *self);
CsTimelineLonger *cs_timeline_view_get_longer (CsTimelineView *self);
CsTimelineTable *cs_timeline_view_get_table (CsTimelineView *self);
const char *cs_timeline_view_get_page (CsTimelineView *self);
const char *cs_timeline_view_get_status (CsTimelineView *self);
const char *cs_timeline_view_get_found (CsTimelineView *self);
gboolean cs_timeline_view_get_busy (CsTimelineView *self);

G_END_DECLS
