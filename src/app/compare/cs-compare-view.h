/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "charts/cs-histogram-pair-chart.h"
#include "compare/cs-comparison.h"
#include "compare/cs-delta-flame.h"
#include "compare/cs-delta-table.h"
#include "session/cs-view.h"

G_BEGIN_DECLS

/* The open recording beside another one: what changed, function by function and path by path. */
#define CS_TYPE_COMPARE_VIEW (cs_compare_view_get_type ())
G_DECLARE_FINAL_TYPE (CsCompareView, cs_compare_view, CS, COMPARE_VIEW, AdwBin)

CsComparison *cs_compare_view_get_comparison (CsCompareView *self);
CsDeltaTable *cs_compare_view_get_table (CsCompareView *self);
CsDeltaFlame *cs_compare_view_get_flame (CsCompareView *self);
CsHistogramPairChart *cs_compare_view_get_histogram (CsCompareView *self);
CsSession *cs_compare_view_get_session (CsCompareView *self);
const char *cs_compare_view_get_key (CsCompareView *self);
void cs_compare_view_set_key (CsCompareView *self, const char *key);
void cs_compare_view_set_threshold (CsCompareView *self, const char *text);
const char *cs_compare_view_get_subtitle (CsCompareView *self);
const char *cs_compare_view_get_totals (CsCompareView *self);

G_END_DECLS
