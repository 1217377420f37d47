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
  char *key;      /* by which names are ordered */
  gboolean is_main;
  CsTimelineTrackSettings settings; /* as the person wants it */
  gboolean left_out; /* by a filter */
};

int cs_track_item_compare (gconstpointer a, gconstpointer b, gpointer data);
void cs_track_item_changed (CsTrackItem *self);

G_END_DECLS
