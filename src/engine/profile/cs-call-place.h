/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

/* A call as it is known from elsewhere. */
typedef struct
{
  guint process;     /* index in the recording */
  guint tid;
  guint64 seq;       /* of the thread's first file */
  gint64 start, end; /* ns, CLOCK_MONOTONIC */
  guint64 address;   /* of the function, as recorded; 0: not known */
  guint64 position;  /* as in CsTimelineSpan; 0: not known */
  guint32 depth;     /* 0: outermost; G_MAXUINT32: not known */
} CsCallPlace;

guint cs_call_find_track (CsTimeline *timeline, guint process, guint tid, guint64 seq);
gboolean cs_call_locate (CsTimeline *timeline, const CsCallPlace *place, CsTimelineCall *call, GCancellable *cancellable,
                         GError **error);
void cs_call_locate_async (CsTimeline *timeline, const CsCallPlace *place, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_call_locate_finish (GAsyncResult *result, CsTimelineCall *call, GError **error);

GArray *cs_call_get_callers (CsTimeline *timeline, const CsTimelineCall *call, guint limit, GCancellable *cancellable,
                             GError **error);
void cs_call_get_callers_async (CsTimeline *timeline, const CsTimelineCall *call, guint limit, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data);
GArray *cs_call_get_callers_finish (GAsyncResult *result, GError **error);

G_END_DECLS
