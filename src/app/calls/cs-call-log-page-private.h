/* SPDX-License-Identifier: MIT */
#pragma once

#include "calls/cs-call-log-page.h"
#include "calls/cs-call-match.h"

G_BEGIN_DECLS

struct _CsCallLogPage
{
  AdwBin parent_instance;

  GtkStack *stack;
  CsThreadPicker *picker;
  CsPlaceTable *table;
  AdwStatusPage *nothing;
  GtkLabel *status;
  GtkSpinner *spinner;

  CsSession *session; /* (nullable) */
  CsCallLogModel *model;
  CsRecording *recording; /* (nullable) */
  CsTimeline *timeline; /* (nullable): whose threads are in the picker */
  CsProfile *profile; /* (nullable): of the whole recording, whose functions are shown */
  gint64 origin;      /* ns */
  guint track;        /* that is shown; G_MAXUINT: none */
  guint process;      /* its */
  gint64 t0, t1;      /* ns: what is shown of it */
  CsCallMatch *match; /* (nullable): what is searched */
  guint wanted_track; /* of what comes next; G_MAXUINT: any */
  CsTimelineSpan wanted; /* the call to be shown once it can be */
  gboolean wants;
  gboolean folds;     /* the line that it is in will do */
  gboolean quiet;     /* nobody asked for it */
  gboolean telling;   /* it is said when what is looked for isn't there */
  gboolean stale, setting;
};

/* cs-call-log-texts.c */
extern const CsPlaceTableSource cs_call_log_page_source; /* owner: the page */
const CsFunction *cs_call_log_page_get_row_function (CsCallLogPage *self, const CsCallLogRow *row, guint *index);

G_END_DECLS
