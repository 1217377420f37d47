/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A thread, and how it is to be shown. */
typedef struct
{
  guint id;            /* the caller's */
  guint process;       /* index in the recording */
  guint tid;
  const char *name;    /* (nullable); has to outlive the rows */
  guint32 max_depth;   /* rows that its calls fill */
  guint32 depth_limit; /* rows at most; 0: all */
  gint order;          /* within its process, or among the pinned ones; equal ones: as they come */
  gboolean collapsed;  /* to one row */
  gboolean pinned;     /* above all processes */
  gboolean hidden;
  gboolean folded;     /* only the header of its process is shown, unless it is pinned */
} CsTimelineTrack;

/* Heights in pixels. */
typedef struct
{
  double header; /* of a process */
  double row;
  double gap;    /* below a track's last row */
} CsTimelineMetrics;

/* What lies below each other: a process's header, or a track. */
typedef struct
{
  double y, height;    /* pixels; a track's with its gap */
  gboolean header;
  guint process;       /* index in the recording */
  guint track;         /* index in the tracks; a header's: of its first one */
  guint32 n_rows;      /* 0: a header */
} CsTimelineItem;

/* What lies at a height. */
typedef struct
{
  guint item;
  guint track;      /* index in the tracks; G_MAXUINT: a header */
  guint32 depth;    /* G_MAXUINT32: a header, or the gap below a track */
} CsTimelinePlace;

typedef struct _CsTimelineRows CsTimelineRows;

CsTimelineRows *cs_timeline_rows_new (const CsTimelineTrack *tracks, guint n_tracks,
                                      const CsTimelineMetrics *metrics);
void cs_timeline_rows_free (CsTimelineRows *self);

double cs_timeline_rows_get_height (CsTimelineRows *self);
const CsTimelineItem *cs_timeline_rows_get_items (CsTimelineRows *self, guint *n);
const CsTimelineTrack *cs_timeline_rows_get_track (CsTimelineRows *self, guint track);
guint cs_timeline_rows_find_visible (CsTimelineRows *self, double y0, double y1, guint *n);
gboolean cs_timeline_rows_get_visible_depths (CsTimelineRows *self, guint item, double y0, double y1,
                                              guint32 *depth0, guint32 *depth1);
gboolean cs_timeline_rows_hit (CsTimelineRows *self, double y, CsTimelinePlace *place);
gboolean cs_timeline_rows_get_y (CsTimelineRows *self, guint track, guint32 depth, double *y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsTimelineRows, cs_timeline_rows_free)

G_END_DECLS
