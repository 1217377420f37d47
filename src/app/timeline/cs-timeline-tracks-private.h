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

/* cs-timeline-track-item.c */
int cs_track_item_compare (gconstpointer a, gconstpointer b, gpointer data);
void cs_track_item_changed (CsTrackItem *self);

struct _CsTimelineTracks
{
  GObject parent_instance;

  CsTimelineChart *chart;
  CsTimelineNames *names; /* (nullable) */
  GListStore *store;      /* (element-type CsTrackItem): from the top */
  GPtrArray *items;       /* (element-type CsTrackItem): by track */
  char *text;
  CsProfileFilter filter; /* its threads and process count */
  gboolean has_range, only_in_range;
  gint64 from, to;        /* ns, CLOCK_MONOTONIC */
  GByteArray *in_range;   /* (nullable): by track: whether it has calls in the range */
  GCancellable *asking;   /* (nullable): for these */
  guint depth_limit;
  gboolean limit_chosen;  /* the person chose it */
  gboolean moved;         /* the person chose the order */
  gboolean applying;      /* what the chart tells is its own */
};

/* cs-timeline-tracks.c */
void cs_timeline_tracks_apply (CsTimelineTracks *self);
void cs_timeline_tracks_apply_one (CsTimelineTracks *self, CsTrackItem *item);
void cs_timeline_tracks_sort (CsTimelineTracks *self);
void cs_timeline_tracks_number (CsTimelineTracks *self);

G_END_DECLS
