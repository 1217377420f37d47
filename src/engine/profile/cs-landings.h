/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-pass-counts.h"
#include "symbols/cs-symbolizer.h"

G_BEGIN_DECLS

/* Calls of functions inlined into one another are looked at this deep. */
#define CS_LANDING_DEEPEST 64

/* What debug information tells while a pass runs, of the places where exceptions and jumps
 * landed above all. Passes of several threads may ask at a time. */
typedef struct _CsLandings CsLandings;

CsLandings *cs_landings_new (CsSymbolizer *symbolizer);
void cs_landings_free (CsLandings *self);
const CsInlining *cs_landings_find (CsLandings *self, const CsPassCounts *counts, guint64 address,
                                    guint64 *bias);
char *cs_landings_dup_name (CsLandings *self, const CsPassCounts *counts, guint64 address);

guint cs_inlining_count_left (const CsInlining *self, const guint64 *functions, guint n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsLandings, cs_landings_free)

G_END_DECLS
