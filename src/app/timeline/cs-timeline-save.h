/* SPDX-License-Identifier: MIT */
#pragma once

#include "timeline/cs-timeline-view.h"

G_BEGIN_DECLS

void cs_timeline_save_start (CsTimelineView *view, gboolean image, const char *path);
void cs_timeline_save_ask (CsTimelineView *view, gboolean image);

G_END_DECLS
