/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

/* Which calls of a recording to look for. */
typedef struct
{
  guint function;     /* index in the profile; G_MAXUINT: any */
  guint track;        /* of the timeline; G_MAXUINT: all */
  gint64 from, to;    /* they begin in this range, ns of CLOCK_MONOTONIC; `to' is not in it */
  gboolean open_before; /* or began before it and are open at its begin */
  guint64 min_length; /* ns */
  gboolean longest;   /* of many the longest are wanted, longest first; otherwise the earliest, in the order of time */
  guint limit;        /* how many at most */
  guint held;         /* how many are held in memory while the longest are looked for; 0: as many as usual */
} CsCallSearch;

/* The calls among which one goes from one to the next. */
typedef struct
{
  const guint *functions; /* indices in the profile */
  guint n_functions;
  guint track;            /* of the timeline; G_MAXUINT: all */
  const gboolean *tracks; /* (nullable): by track: whether its calls count */
} CsCallSet;

/* How long a call took beside its function's others. */
typedef struct
{
  guint64 n;       /* calls of the function whose exit was recorded */
  guint64 place;   /* 1: none of them is longer; 0: the place isn't known exactly */
  guint64 shorter; /* how many are known to be shorter */
} CsCallRank;

gboolean cs_call_search_find (CsProfile *profile, CsTimeline *timeline, const CsCallSearch *search, GArray *calls,
                              gboolean *more, GCancellable *cancellable, GError **error);
void cs_call_search_find_async (CsProfile *profile, CsTimeline *timeline, const CsCallSearch *search,
                                GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GArray *cs_call_search_find_finish (GAsyncResult *result, gboolean *more, GError **error);

gboolean cs_call_search_next (CsProfile *profile, CsTimeline *timeline, const CsCallSet *set, const CsTimelineCall *from,
                              gboolean backwards, CsTimelineCall *call, GCancellable *cancellable, GError **error);
void cs_call_search_next_async (CsProfile *profile, CsTimeline *timeline, const CsCallSet *set,
                                const CsTimelineCall *from, gboolean backwards, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_call_search_next_finish (GAsyncResult *result, CsTimelineCall *call, GError **error);

guint cs_call_search_get_function (CsProfile *profile, CsTimeline *timeline, const CsTimelineCall *call);
void cs_call_rank (CsProfile *profile, guint function, guint64 duration, CsCallRank *rank);

G_END_DECLS
