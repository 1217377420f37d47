/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "calls/cs-place-table.h"
#include "profile/cs-profile.h"

G_BEGIN_DECLS

typedef enum
{
  CS_SITE_COLUMN_CALLEE,
  CS_SITE_COLUMN_CALLER,
  CS_SITE_COLUMN_PLACE,
  CS_SITE_COLUMN_CALLS,
  CS_SITE_COLUMN_SHARE,
  CS_SITE_COLUMN_INCLUSIVE,
  CS_SITE_COLUMN_MEAN,
  CS_SITE_COLUMN_OPEN,
  CS_SITE_COLUMN_CLIPPED,
  CS_SITE_N_COLUMNS,
} CsSiteColumn;

extern const CsPlaceColumn cs_site_columns[CS_SITE_N_COLUMNS];

/* All that a table shows of a profile's call sites, made once. Never changes; may be asked by several threads. */
typedef struct _CsSiteRows CsSiteRows;

CsSiteRows *cs_site_rows_new (CsProfile *profile, GCancellable *cancellable);
CsSiteRows *cs_site_rows_ref (CsSiteRows *self);
void cs_site_rows_unref (CsSiteRows *self);

CsProfile *cs_site_rows_get_profile (CsSiteRows *self);
guint cs_site_rows_get_n (CsSiteRows *self);
const CsCallSite *cs_site_rows_get_site (CsSiteRows *self, guint site);
guint cs_site_rows_get_caller (CsSiteRows *self, const CsCallSite *site);
gboolean cs_site_rows_has (CsSiteRows *self, CsSiteColumn column);
char *cs_site_rows_dup_text (CsSiteRows *self, guint site, CsSiteColumn column);
char *cs_site_rows_dup_cell (CsSiteRows *self, guint site, CsSiteColumn column);
char *cs_site_rows_dup_exact (CsSiteRows *self, guint site, CsSiteColumn column);
GArray *cs_site_rows_arrange (CsSiteRows *self, CsSiteColumn column, gboolean descending, const char *search,
                              GRegex *regex, GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsSiteRows, cs_site_rows_unref)

G_END_DECLS
