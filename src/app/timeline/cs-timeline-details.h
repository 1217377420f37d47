/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "timeline/cs-timeline-names.h"

G_BEGIN_DECLS

/* The strip that tells more of one call. */
#define CS_TYPE_TIMELINE_DETAILS (cs_timeline_details_get_type ())
G_DECLARE_FINAL_TYPE (CsTimelineDetails, cs_timeline_details, CS, TIMELINE_DETAILS, AdwBin)

void cs_timeline_details_set_call (CsTimelineDetails *self, CsTimelineNames *names, const CsTimelineCall *call);
char *cs_timeline_details_dup_text (CsTimelineDetails *self);

G_END_DECLS
