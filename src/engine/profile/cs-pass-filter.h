/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-landings.h"
#include "profile/cs-profile-filter.h"
#include "timeline/cs-timeline.h"

G_BEGIN_DECLS

/* A CsProfileFilter as the pass applies it. */
struct _CsPassFilter
{
  gint64 from, to; /* ns, CLOCK_MONOTONIC: half open */
  guint pid;       /* 0: all */
  char *thread;    /* (nullable) */
  guint tid;       /* where `thread' is a number; else 0 */
  char *function;  /* (nullable) */
  CsLandings *names;
  CsTimeline *index; /* (nullable): where reading may begin */
};

CsPassFilter *cs_pass_filter_new (const CsProfileFilter *filter, gint64 start, CsLandings *names, CsTimeline *index);
CsPassFilter *cs_pass_filter_dup (const CsPassFilter *self, CsLandings *names);
void cs_pass_filter_free (CsPassFilter *self);
gboolean cs_pass_filter_takes_track (const CsPassFilter *self, const CsThreadTrack *track);
gboolean cs_pass_filter_takes_thread (const CsPassFilter *self, const CsProcess *process, guint tid, guint64 seq);
gboolean cs_pass_filter_takes_function (const CsPassFilter *self, const CsPassCounts *counts, guint64 address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsPassFilter, cs_pass_filter_free)

G_END_DECLS
