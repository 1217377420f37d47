/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A span of link addresses, low included, high not, and what it stands for.
 * reach is the largest high of this range and all sorted before it. */
typedef struct
{
  guint64 low;
  guint64 high;
  guint64 reach;
  guint32 value;
} CsRange;

GArray *cs_ranges_new (void);
void cs_ranges_add (GArray *ranges, guint64 low, guint64 high, guint32 value);
void cs_ranges_sort (GArray *ranges);
guint cs_ranges_count_begun (const GArray *sorted, guint64 address);
const CsRange *cs_ranges_find (const GArray *ranges, guint64 address);
gboolean cs_ranges_contain (const GArray *ranges, guint64 address);

G_END_DECLS
