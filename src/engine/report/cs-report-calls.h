/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-thread-tree.h"
#include "report/cs-report-writer.h"
#include "report/cs-report.h"

G_BEGIN_DECLS

/* What nodes of a call tree and frames of a flame graph are called. */
typedef struct
{
  CsProfile *profile;
  const CsFunction *functions;
  guint n_functions;
  char **labels; /* (nullable) (nullable elements): of threads, those that were asked for */
} CsReportNames;

/* The call tree that a format shows: the profile's, or that by thread. */
typedef struct
{
  CsReportNames names;
  const CsCallNode *nodes;
  guint n;
  CsThreadTree *by_thread; /* (nullable) */
} CsReportCalls;

void cs_report_names_init (CsReportNames *self, CsProfile *profile);
void cs_report_names_clear (CsReportNames *self);
const char *cs_report_names_get (CsReportNames *self, guint32 function);
const CsLocation *cs_report_names_get_location (const CsReportNames *self, guint32 function);

gboolean cs_report_calls_init (CsReportCalls *self, CsProfile *profile, const CsReportOptions *options,
                               CsReportWriter *writer);
void cs_report_calls_clear (CsReportCalls *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CsReportNames, cs_report_names_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CsReportCalls, cs_report_calls_clear)

G_END_DECLS
