/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"
#include "selection/cs-selection.h"

G_BEGIN_DECLS

/* What a recording says about the functions of the sources. It never changes. */
typedef struct _CsLastRun CsLastRun;

/* Of one function. */
typedef struct
{
  guint64 calls;  /* that ended, as in a report */
  guint64 median; /* ns */
  gboolean has_median;
} CsLastRunCalls;

void cs_last_run_new_async (CsProfile *profile, CsFunctionIndex *index, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data);
CsLastRun *cs_last_run_new_finish (GAsyncResult *result, GError **error);
void cs_last_run_free (CsLastRun *self);
const CsLastRunCalls *cs_last_run_get (const CsLastRun *self, guint32 function);
double cs_last_run_estimate (const CsLastRun *self, const CsSelection *selection);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsLastRun, cs_last_run_free)

G_END_DECLS
