/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "tables/cs-function-columns.h"

G_BEGIN_DECLS

/* A column that rows are ordered by. */
typedef struct
{
  CsColumnId column;
  gboolean descending;
} CsSortKey;

/* More keys than this say nothing to anyone. */
#define CS_MOST_SORT_KEYS 4

/* All that a table shows of a profile's functions, made once. Never changes; may be asked by several threads. */
typedef struct _CsHotspotRows CsHotspotRows;

CsHotspotRows *cs_hotspot_rows_new (CsProfile *profile, GBytes *choices, GCancellable *cancellable);
CsHotspotRows *cs_hotspot_rows_ref (CsHotspotRows *self);
void cs_hotspot_rows_unref (CsHotspotRows *self);

CsProfile *cs_hotspot_rows_get_profile (CsHotspotRows *self);
guint cs_hotspot_rows_get_n (CsHotspotRows *self);
const CsFunction *cs_hotspot_rows_get_function (CsHotspotRows *self, guint function);
guint64 cs_hotspot_rows_get_value (CsHotspotRows *self, guint function, CsColumnId column);
char *cs_hotspot_rows_dup_text (CsHotspotRows *self, guint function, CsColumnId column);

GArray *cs_hotspot_rows_arrange (CsHotspotRows *self, const CsSortKey *keys, guint n_keys, const char *search,
                                  GRegex *regex, GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsHotspotRows, cs_hotspot_rows_unref)

G_END_DECLS
