/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"
#include "timeline/cs-timeline-chart.h"

G_BEGIN_DECLS

/* What calls, threads and processes of a recording are called. Never changes; counted references. */
typedef struct _CsTimelineNames CsTimelineNames;

CsTimelineNames *cs_timeline_names_new (CsTimeline *timeline, CsProfile *profile, gint64 origin);
CsTimelineNames *cs_timeline_names_ref (CsTimelineNames *self);
void cs_timeline_names_unref (CsTimelineNames *self);

CsTimeline *cs_timeline_names_get_timeline (CsTimelineNames *self);
CsProfile *cs_timeline_names_get_profile (CsTimelineNames *self);
gint64 cs_timeline_names_get_origin (CsTimelineNames *self);
guint cs_timeline_names_get_function (CsTimelineNames *self, const CsTimelineCall *call);
guint cs_timeline_names_get_colour (CsTimelineNames *self, const CsTimelineCall *call);
void cs_timeline_names_follow_settings (CsTimelineNames *self);
char *cs_timeline_names_dup_function (CsTimelineNames *self, const CsTimelineCall *call);
char *cs_timeline_names_dup_rank (CsTimelineNames *self, const CsTimelineCall *call);
char *cs_timeline_names_dup_thread (CsTimelineNames *self, guint track);
char *cs_timeline_names_dup_thread_subtitle (CsTimelineNames *self, guint track);
char *cs_timeline_names_dup_process (CsTimelineNames *self, guint process);
char *cs_timeline_names_dup_start (CsTimelineNames *self, gint64 ns, gboolean compact);
void cs_timeline_names_give (CsTimelineNames *self, CsTimelineChart *chart);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsTimelineNames, cs_timeline_names_unref)

G_END_DECLS
