/* SPDX-License-Identifier: MIT */
#pragma once

#include "calls/cs-place-table.h"
#include "calls/cs-site-rows.h"
#include "session/cs-session.h"

G_BEGIN_DECLS

/* Where calls are made. Signal "changed": what is selected or shown is something else. */
#define CS_TYPE_SITE_PAGE (cs_site_page_get_type ())
G_DECLARE_FINAL_TYPE (CsSitePage, cs_site_page, CS, SITE_PAGE, AdwBin)

void cs_site_page_set_session (CsSitePage *self, CsSession *session);
CsPlaceTable *cs_site_page_get_table (CsSitePage *self);
const CsCallSite *cs_site_page_get_site (CsSitePage *self, guint position);
guint cs_site_page_get_n (CsSitePage *self);
guint cs_site_page_find_caller (CsSitePage *self, const CsCallSite *site);
gboolean cs_site_page_get_busy (CsSitePage *self);
void cs_site_page_sort (CsSitePage *self, CsSiteColumn column, gboolean descending);

G_END_DECLS
