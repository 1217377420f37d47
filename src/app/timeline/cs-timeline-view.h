/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "cs-view.h"

G_BEGIN_DECLS

#define CS_TYPE_TIMELINE_VIEW (cs_timeline_view_get_type ())
G_DECLARE_FINAL_TYPE (CsTimelineView, cs_timeline_view, CS, TIMELINE_VIEW, AdwBin)

G_END_DECLS
