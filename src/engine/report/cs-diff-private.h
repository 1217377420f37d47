/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/cs-diff.h"

G_BEGIN_DECLS

/* A function of one report, and which of the other one's it is. */
typedef struct
{
  const CsReportRow *row;
  guint partner; /* index + 1; 0: none */
} CsDiffItem;

void cs_diff_match (const CsReportFile *base, GArray *base_items, const CsReportFile *other, GArray *other_items);

G_END_DECLS
