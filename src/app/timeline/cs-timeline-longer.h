/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "timeline/cs-timeline-table.h"

G_BEGIN_DECLS

/* Finds calls that took longer than a duration. Signal "call-chosen" (call: CsTimelineCall*). */
#define CS_TYPE_TIMELINE_LONGER (cs_timeline_longer_get_type ())
G_DECLARE_FINAL_TYPE (CsTimelineLonger, cs_timeline_longer, CS, TIMELINE_LONGER, AdwBin)

void cs_timeline_longer_set_names (CsTimelineLonger *self, CsTimelineNames *names);
void cs_timeline_longer_set_range (CsTimelineLonger *self, gboolean has_range, gint64 from, gint64 to);
void cs_timeline_longer_set_function (CsTimelineLonger *self, guint function, const char *name);
void cs_timeline_longer_search (CsTimelineLonger *self, const char *duration, gboolean of_function);
gboolean cs_timeline_longer_get_busy (CsTimelineLonger *self);
CsTimelineTable *cs_timeline_longer_get_table (CsTimelineLonger *self);
const char *cs_timeline_longer_get_status (CsTimelineLonger *self);

G_END_DECLS
