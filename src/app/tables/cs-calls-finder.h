/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

/* A single call. */
typedef struct
{
  guint64 duration;   /* ns */
  gint64 start;       /* ns, CLOCK_MONOTONIC */
  guint process;      /* index in the recording */
  guint tid;
  guint64 seq;        /* of the thread's first file */
  const char *thread; /* (nullable): its name */
} CsFoundCall;

/* A function's calls that took so long. */
typedef struct
{
  guint64 n;     /* how many there are */
  GArray *calls; /* (element-type CsFoundCall): the longest of them, the longest first */
  GStringChunk *names;
} CsFoundCalls;

void cs_calls_find_async (CsProfile *profile, guint function, guint64 from, guint64 to, guint limit,
                          GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
CsFoundCalls *cs_calls_find_finish (GAsyncResult *result, GError **error);
void cs_found_calls_free (CsFoundCalls *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsFoundCalls, cs_found_calls_free)

G_END_DECLS
