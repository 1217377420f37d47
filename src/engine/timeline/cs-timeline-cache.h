/* SPDX-License-Identifier: MIT */
#pragma once

#include "timeline/cs-timeline.h"

G_BEGIN_DECLS

CsTimeline *cs_timeline_load (CsRecording *recording);
gboolean cs_timeline_save (CsTimeline *self);
char *cs_timeline_get_cache_path (CsRecording *recording);

G_END_DECLS
