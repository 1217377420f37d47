/* SPDX-License-Identifier: MIT */
#pragma once

#include "timeline/cs-timeline.h"

G_BEGIN_DECLS

/* The calls of a thread in their order: what is in a call, level by level, however many calls that are. */

typedef enum
{
  CS_CALL_LOG_CALLS, /* a call, or calls of one function that follow each other in the same call */
  CS_CALL_LOG_OFF,   /* recording was off for a time */
  CS_CALL_LOG_LOST,  /* events are known to be missing */
} CsCallLogKind;

/* A line of a log. Times in ns, CLOCK_MONOTONIC, and only what lies in the range that was asked for. */
typedef struct
{
  CsCallLogKind kind;
  guint32 depth;     /* 0: outermost */
  guint64 address;   /* of the function, as recorded */
  guint64 caller;    /* the first call's return address, as recorded */
  guint64 ts;        /* of the first call's enter event, as recorded */
  guint64 n;         /* calls, or parts of them: where a thread switches between contexts, a call has several. Of
                        CS_CALL_LOG_LOST: events, 0 where their number isn't known */
  guint64 continued; /* of these, the parts that aren't the first of their calls */
  gint64 start, end; /* of the first and of the last one */
  guint64 total;     /* their durations' sum */
  guint64 min, max;
  guint64 repaired;  /* that ended without an exit */
  guint64 open;      /* that have no end: the track ended first */
  guint64 clipped;   /* that begin before the range or don't end in it */
  guint64 position;  /* in the track: of the record that the first one begins with */
  guint64 behind;    /* of the record that the last one ends at; G_MAXUINT64: none */
  gboolean nested;   /* there are calls in it */
  gboolean unfinished; /* it wasn't read on: more of the function's calls may follow */
} CsCallLogEntry;

/* A way through the lines of one level. */
typedef struct
{
  CsTimeline *timeline;
  guint track;
  gint64 t0, t1;  /* ns: only what overlaps this range; t1 is not in it */
  guint32 depth;
  gboolean fold;  /* calls of one function become one line */
  guint64 next;   /* position at which it goes on; G_MAXUINT64: there is no more */
  guint64 end;    /* position at which it ends; G_MAXUINT64: that of the track */
  gint64 last;    /* ns: the end of the call before `next' */
  guint64 lost;   /* events of the track that are known to be missing before `next' */
  gboolean begun; /* something was found */
} CsCallLogWalk;

void cs_call_log_walk_init (CsCallLogWalk *self, CsTimeline *timeline, guint track, const CsCallLogEntry *parent, gint64 t0,
                       gint64 t1);
void cs_call_log_walk_init_members (CsCallLogWalk *self, CsTimeline *timeline, guint track, const CsCallLogEntry *entry, gint64 t0,
                               gint64 t1);
void cs_call_log_walk_seek (CsCallLogWalk *self, guint64 position);
gboolean cs_call_log_walk_run (CsCallLogWalk *self, GArray *entries, guint limit, gsize most_calls, GCancellable *cancellable,
                          GError **error);

gboolean cs_call_log_get_self (CsTimeline *timeline, guint track, const CsCallLogEntry *entry, gint64 t0, gint64 t1,
                               guint64 *self, GCancellable *cancellable, GError **error);
gboolean cs_call_log_list_path (CsTimeline *timeline, guint track, const CsTimelineSpan *call, gint64 t0, gint64 t1,
                                GArray *entries, GCancellable *cancellable, GError **error);

/* Whether a function is looked for. */
typedef gboolean (*CsCallLogMatch) (guint64 address, guint64 ts, gpointer user_data);

gboolean cs_call_log_find (CsTimeline *timeline, guint track, guint64 position, gboolean backwards, gint64 t0, gint64 t1,
                           CsCallLogMatch match, gpointer user_data, CsTimelineSpan *call, GCancellable *cancellable,
                           GError **error);

G_END_DECLS
