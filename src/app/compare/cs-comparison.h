/* SPDX-License-Identifier: MIT */
#pragma once

#include "compare/cs-compare-sides.h"
#include "session/cs-jobs.h"

G_BEGIN_DECLS

typedef enum
{
  CS_COMPARISON_EMPTY,   /* there is no base, or nothing to compare with it */
  CS_COMPARISON_READING, /* the base is being read, or compared for the first time */
  CS_COMPARISON_READY,
  CS_COMPARISON_FAILED,  /* cs_comparison_get_error() says why, and what to do */
} CsComparisonState;

/* Two recordings as they are compared, in the background; what is superseded is dropped. Signals:
 *   "changed": the state, or how far reading is
 *   "rows-changed": another table
 *   "flame-changed": another flame graph */
#define CS_TYPE_COMPARISON (cs_comparison_get_type ())
G_DECLARE_FINAL_TYPE (CsComparison, cs_comparison, CS, COMPARISON, GObject)

CsComparison *cs_comparison_new (CsJobs *jobs);
void cs_comparison_close (CsComparison *self);

void cs_comparison_set_project (CsComparison *self, const char *folder);
void cs_comparison_set_base (CsComparison *self, const char *path, const char *title);
void cs_comparison_retry (CsComparison *self);
void cs_comparison_cancel (CsComparison *self);
void cs_comparison_set_profile (CsComparison *self, CsProfile *profile, const char *title);
void cs_comparison_set_key (CsComparison *self, const char *key, double threshold);
void cs_comparison_set_flame (CsComparison *self, CsFlameShape shape, const CsFlameOptions *options);

CsComparisonState cs_comparison_get_state (CsComparison *self);
const char *cs_comparison_get_error (CsComparison *self);
double cs_comparison_get_progress (CsComparison *self);
const char *cs_comparison_get_base_path (CsComparison *self);
const char *cs_comparison_get_base_title (CsComparison *self);
CsDeltaRows *cs_comparison_get_rows (CsComparison *self);
CsFlameDiff *cs_comparison_get_flame (CsComparison *self);
CsCompareSides *cs_comparison_get_flame_sides (CsComparison *self);
CsCompareSides *cs_comparison_get_sides (CsComparison *self);
gboolean cs_comparison_is_busy (CsComparison *self);

G_END_DECLS
