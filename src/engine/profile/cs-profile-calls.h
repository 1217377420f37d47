/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"
#include "profile/cs-track-pass.h"

G_BEGIN_DECLS

/* The calls of one stack: of a thread or, where a thread has several stacks, of one of them. Only
 * here do calls nest; those of two stacks of a thread may cross. */
typedef struct
{
  const CsProcess *process;
  guint tid;
  guint64 seq;      /* of the thread's first file */
  guint serial;     /* of the thread: unique in a visit, from 1 */
  guint64 context;  /* id of the stack; 0: the thread's own */
  const char *name; /* (nullable): the thread's */
  gpointer data;    /* the visitor's, who frees it in track_done */
} CsCallLane;

/* One call of a lane. Times in ns of CLOCK_MONOTONIC. */
typedef struct
{
  guint function; /* index in the profile */
  gint64 start;
  gint64 end;    /* of a call that is left */
  CsCallEnd how; /* the same */
} CsLaneCall;

/* Returns whether to go on. */
typedef gboolean (*CsLaneCallFunc) (CsCallLane *lane, const CsLaneCall *call, gpointer user_data);

/* What to call. Each is nullable. Within a lane calls are entered and left as they nest, and no time
 * is before the one told last; each call that is entered is left. The lanes of a track come mixed,
 * the tracks one after the other. */
typedef struct
{
  void (*lane) (CsCallLane *lane, const CsLaneCall *first, gpointer user_data); /* before its first call */
  CsLaneCallFunc enter;
  CsLaneCallFunc leave;
  gboolean (*track_done) (CsCallLane *const *lanes, guint n, gpointer user_data); /* as they came; gone after it */
} CsCallVisitor;

const char *cs_call_end_get_name (CsCallEnd how);
gboolean cs_profile_visit_calls (CsProfile *profile, const CsCallVisitor *visitor, gpointer user_data,
                                 guint64 *bytes_done, GCancellable *cancellable, GError **error);

G_END_DECLS
