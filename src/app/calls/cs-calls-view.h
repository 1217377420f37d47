/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "calls/cs-call-log-page.h"
#include "calls/cs-site-page.h"
#include "session/cs-view.h"

G_BEGIN_DECLS

#define CS_TYPE_CALLS_VIEW (cs_calls_view_get_type ())
G_DECLARE_FINAL_TYPE (CsCallsView, cs_calls_view, CS, CALLS_VIEW, AdwBin)

CsSession *cs_calls_view_get_session (CsCallsView *self);
CsCallLogPage *cs_calls_view_get_log (CsCallsView *self);
CsSitePage *cs_calls_view_get_sites (CsCallsView *self);
gboolean cs_calls_view_get_shows_sites (CsCallsView *self);
void cs_calls_view_show_page (CsCallsView *self, const char *name);

/* Actions and menus. */
GSimpleActionGroup *cs_calls_actions_new (CsCallsView *self);
void cs_calls_actions_update (CsCallsView *self, GSimpleActionGroup *actions);
GMenuModel *cs_calls_make_menu (gboolean sites);

G_END_DECLS
