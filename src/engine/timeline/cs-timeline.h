/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-recording.h"
#include "timeline/cs-timeline-types.h"

G_BEGIN_DECLS

/* The time index of a recording: what fills a window of a thread, at the cost of the window's
 * pixels. Never changes; may be asked by several threads at a time. */
typedef struct _CsTimeline CsTimeline;

/* One thread of the recording. */
typedef struct
{
  guint process; /* index in the recording */
  guint tid;
  guint64 seq;        /* of its first file */
  gint64 first, last; /* ns; first > last: no events */
  guint64 n_events;   /* enters and exits */
  guint32 n_rows;     /* its deepest stack */
} CsTimelineTrackInfo;

CsTimeline *cs_timeline_ref (CsTimeline *self);
void cs_timeline_unref (CsTimeline *self);

CsRecording *cs_timeline_get_recording (CsTimeline *self);
guint cs_timeline_get_n_tracks (CsTimeline *self);
const CsTimelineTrackInfo *cs_timeline_get_track_info (CsTimeline *self, guint track);
gsize cs_timeline_get_size (CsTimeline *self);
const CsClock *cs_timeline_get_clock (CsTimeline *self, guint process);

gboolean cs_timeline_query (CsTimeline *self, guint track, gint64 t0, gint64 t1, guint pixels, guint32 depth_lo,
                            guint32 depth_hi, GArray *spans, GError **error);
/* Rows of a track that are visible. */
typedef struct
{
  guint track;
  guint32 depth_lo, depth_hi; /* the first and the last one, 0: outermost */
  GArray *spans;              /* (element-type CsTimelineSpan): where what fills them is put */
} CsTimelineDepths;

gboolean cs_timeline_query_view (CsTimeline *self, const CsTimelineDepths *rows, guint n, gint64 t0, gint64 t1,
                                 guint pixels, GError **error);
gboolean cs_timeline_get_density (CsTimeline *self, guint track, gint64 t0, gint64 t1, guint pixels,
                                  guint64 *events, GError **error);

/* Single calls. */
gboolean cs_timeline_get_stack (CsTimeline *self, guint track, gint64 ns, guint32 depth_lo, guint32 depth_hi,
                                GArray *spans, GError **error);
gboolean cs_timeline_get_call_at (CsTimeline *self, guint track, gint64 ns, guint32 depth, CsTimelineSpan *span,
                                  GError **error);

typedef enum
{
  CS_TIMELINE_PARENT,
  CS_TIMELINE_FIRST_CHILD,
  CS_TIMELINE_NEXT_SIBLING,
  CS_TIMELINE_PREVIOUS_SIBLING,
} CsTimelineRelation;

gboolean cs_timeline_get_relative (CsTimeline *self, guint track, const CsTimelineSpan *span,
                                   CsTimelineRelation relation, CsTimelineSpan *relative, GError **error);

/* A call and the track that it is on. */
typedef struct
{
  guint track;
  CsTimelineSpan span;
} CsTimelineCall;

/* Which calls to look for. */
typedef struct
{
  guint track;        /* G_MAXUINT: all */
  guint process;      /* of all tracks only those of this process; G_MAXUINT: of any */
  gint64 t0, t1;      /* they begin in this range, ns; t1 is not in it */
  guint64 address;    /* of the function, as recorded; 0: any */
  guint64 min_length; /* ns */
  gsize limit;        /* how many at most, the earliest of each track */
} CsTimelineSearch;

gboolean cs_timeline_find_calls (CsTimeline *self, const CsTimelineSearch *search, GArray *calls, gboolean *more,
                                 GCancellable *cancellable, GError **error);
gboolean cs_timeline_find_next (CsTimeline *self, guint track, guint process, guint64 address, gint64 ns,
                                gboolean backwards, CsTimelineCall *call, GCancellable *cancellable,
                                GError **error);

/* Where a pass over a track can begin. */
typedef struct
{
  const CsEventFile *file; /* NULL: only at the start of the track */
  guint64 record;          /* number in the file */
  gint64 ns;               /* time of the thread's last record before it */
  guint64 n_events;        /* enters and exits of the thread before it */
  guint64 lost;            /* known to be missing before it */
  gboolean unseen;         /* recording had been off before */
  GArray *stack;           /* (element-type CsTimelineSpan): open calls, outermost first; of each
                              `address', `caller', `start' and `ts' are set */
} CsTimelineStart;

gboolean cs_timeline_find_start (CsTimeline *self, guint track, gint64 t0, CsTimelineStart *start, GError **error);
void cs_timeline_start_clear (CsTimelineStart *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsTimeline, cs_timeline_unref)

G_END_DECLS
