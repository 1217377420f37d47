/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-report-calls.h"

G_BEGIN_DECLS

/* The call tree as the formats show it that draw it: each node's time is the self time at and below
 * it, so that what is drawn adds up; this is less than its inclusive time only where a stack waited while
 * another one of its thread ran. The paths with most time are shown, most first among siblings. */
typedef struct
{
  CsReportCalls calls;
  const CsCallNode *nodes;
  guint n;
  guint64 *time;      /* ns, by node; of node 0 everything */
  guint8 *shown;      /* by node */
  guint n_shown;      /* but for node 0, the root, which always is */
  guint32 *first;     /* by node: first child shown; 0: none */
  guint32 *next;      /* by node: next sibling shown; 0: none */
} CsReportPaths;

/* Children that are left out. */
typedef struct
{
  guint n;
  guint64 calls;
  guint64 time; /* ns */
} CsReportLeftOut;

/* @depth: 0 for the root. */
typedef void (*CsReportPathFunc) (CsReportPaths *paths, guint32 node, guint depth, gpointer user_data);

gboolean cs_report_paths_init (CsReportPaths *self, CsProfile *profile, const CsReportOptions *options,
                               CsReportWriter *writer);
void cs_report_paths_clear (CsReportPaths *self);
guint64 *cs_report_dup_times (const CsCallNode *nodes, guint n);
CsReportLeftOut cs_report_paths_get_left_out (const CsReportPaths *self, guint32 node);
void cs_report_paths_walk (CsReportPaths *self, CsReportPathFunc enter, CsReportPathFunc leave,
                           gpointer user_data);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CsReportPaths, cs_report_paths_clear)

G_END_DECLS
