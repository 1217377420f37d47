/* SPDX-License-Identifier: MIT */
#pragma once

#include "timeline/cs-timeline-tracks.h"

G_BEGIN_DECLS

struct _CsTrackItem
{
  GObject parent_instance;

  guint track, process, tid;
  guint64 seq;
  char *title, *subtitle;
  char *searched; /* folded */
  CsTimelineTrackSettings settings; /* as the person wants it */
  gboolean left_out; /* by a filter */
};

void cs_track_item_changed (CsTrackItem *self);

G_END_DECLS
