/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "timeline/cs-timeline-tracks.h"

G_BEGIN_DECLS

/* A recording's threads in a list: which are shown, pinned, in what order. */
#define CS_TYPE_TIMELINE_TRACK_LIST (cs_timeline_track_list_get_type ())
G_DECLARE_FINAL_TYPE (CsTimelineTrackList, cs_timeline_track_list, CS, TIMELINE_TRACK_LIST, AdwBin)

void cs_timeline_track_list_set_tracks (CsTimelineTrackList *self, CsTimelineTracks *tracks);

G_END_DECLS
