/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile-filter.h"
#include "timeline/cs-timeline-names.h"

G_BEGIN_DECLS

/* A thread in the list. Signal "changed": its settings, or whether it is left out. */
#define CS_TYPE_TRACK_ITEM (cs_track_item_get_type ())
G_DECLARE_FINAL_TYPE (CsTrackItem, cs_track_item, CS, TRACK_ITEM, GObject)

guint cs_track_item_get_track (CsTrackItem *self);
const char *cs_track_item_get_title (CsTrackItem *self);
const char *cs_track_item_get_subtitle (CsTrackItem *self);
gboolean cs_track_item_get_hidden (CsTrackItem *self);
gboolean cs_track_item_get_pinned (CsTrackItem *self);
gboolean cs_track_item_get_left_out (CsTrackItem *self);
gboolean cs_track_item_matches (CsTrackItem *self, const char *text);

/* Which threads a chart shows, and how. What a person hides, pins, moves or collapses stays so as long as the recording is
 * open. Signal "changed": which ones are shown, or how. */
#define CS_TYPE_TIMELINE_TRACKS (cs_timeline_tracks_get_type ())
G_DECLARE_FINAL_TYPE (CsTimelineTracks, cs_timeline_tracks, CS, TIMELINE_TRACKS, GObject)

CsTimelineTracks *cs_timeline_tracks_new (CsTimelineChart *chart);
GListModel *cs_timeline_tracks_get_model (CsTimelineTracks *self);
CsTrackItem *cs_timeline_tracks_get_item (CsTimelineTracks *self, guint track);
guint cs_timeline_tracks_get_n_shown (CsTimelineTracks *self);
gboolean cs_timeline_tracks_get_shown (CsTimelineTracks *self, guint track);

void cs_timeline_tracks_set_names (CsTimelineTracks *self, CsTimelineNames *names);
void cs_timeline_tracks_set_text (CsTimelineTracks *self, const char *text);
const char *cs_timeline_tracks_get_text (CsTimelineTracks *self);
void cs_timeline_tracks_set_filter (CsTimelineTracks *self, const CsProfileFilter *filter);
void cs_timeline_tracks_set_range (CsTimelineTracks *self, gboolean has_range, gint64 from, gint64 to);
void cs_timeline_tracks_set_only_in_range (CsTimelineTracks *self, gboolean only);
gboolean cs_timeline_tracks_get_only_in_range (CsTimelineTracks *self);

void cs_timeline_tracks_set_hidden (CsTimelineTracks *self, guint track, gboolean hidden);
void cs_timeline_tracks_set_pinned (CsTimelineTracks *self, guint track, gboolean pinned);
void cs_timeline_tracks_set_collapsed (CsTimelineTracks *self, guint track, gboolean collapsed);
gboolean cs_timeline_tracks_get_collapsed (CsTimelineTracks *self, guint track);
gboolean cs_timeline_tracks_can_move (CsTimelineTracks *self, guint track, int by);
void cs_timeline_tracks_move (CsTimelineTracks *self, guint track, int by);
void cs_timeline_tracks_set_full (CsTimelineTracks *self, guint track, gboolean full);
gboolean cs_timeline_tracks_get_full (CsTimelineTracks *self, guint track);
void cs_timeline_tracks_set_depth_limit (CsTimelineTracks *self, guint limit);
guint cs_timeline_tracks_get_depth_limit (CsTimelineTracks *self);
void cs_timeline_tracks_collapse_all (CsTimelineTracks *self, gboolean collapsed);
void cs_timeline_tracks_show_all (CsTimelineTracks *self);
void cs_timeline_tracks_hide_others (CsTimelineTracks *self, guint track);

G_END_DECLS
