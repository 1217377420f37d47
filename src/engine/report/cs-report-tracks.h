/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile-calls.h"
#include "report/cs-report-writer.h"
#include "report/cs-report.h"

G_BEGIN_DECLS

/* How the formats that show single calls number and name processes and threads. What nests must not
 * be mixed with what doesn't: processes that had one pid at one time, or came from two machines, and
 * the stacks of one thread are kept apart by numbers that nothing recorded has. */
typedef struct
{
  guint pid; /* told */
  char *name;
} CsReportTrackProcess;

typedef struct
{
  CsReportTrackProcess *processes; /* by process index */
  guint n_processes;
  guint next_tid; /* no thread has it or one above it */
} CsReportTracks;

void cs_report_tracks_init (CsReportTracks *self, CsProfile *profile);
void cs_report_tracks_clear (CsReportTracks *self);
guint cs_report_tracks_get_tid (CsReportTracks *self, const CsCallLane *lane);
char *cs_report_tracks_dup_name (const CsCallLane *lane);

gboolean cs_report_visit_calls (CsProfile *profile, const CsCallVisitor *visitor, gpointer user_data,
                                const CsReportOptions *options, CsReportWriter *writer);

G_END_DECLS
