/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "session/cs-session.h"
#include "tables/cs-hotspot-rows.h"

G_BEGIN_DECLS

/* What there is to know of one function. Signal "function-chosen": the index of a caller or callee that was asked for. */
#define CS_TYPE_FUNCTION_PANEL (cs_function_panel_get_type ())
G_DECLARE_FINAL_TYPE (CsFunctionPanel, cs_function_panel, CS, FUNCTION_PANEL, AdwBin)

void cs_function_panel_set_session (CsFunctionPanel *self, CsSession *session);
void cs_function_panel_set_function (CsFunctionPanel *self, CsHotspotRows *rows, guint function);
guint cs_function_panel_get_function (CsFunctionPanel *self);
void cs_function_panel_set_range (CsFunctionPanel *self, guint64 from, guint64 to);

void cs_function_panel_set_exclude_reason (CsFunctionPanel *self, const char *reason);

G_END_DECLS
