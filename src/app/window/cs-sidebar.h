/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "cs-recordings-list.h"
#include "session/cs-session.h"

G_BEGIN_DECLS

/* Names the views, in groups, and lists the project's recordings. */
#define CS_TYPE_SIDEBAR (cs_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (CsSidebar, cs_sidebar, CS, SIDEBAR, AdwBin)

void cs_sidebar_set_session (CsSidebar *self, CsSession *session);
CsRecordingsList *cs_sidebar_get_recordings (CsSidebar *self);
void cs_sidebar_set_view (CsSidebar *self, const char *name);

G_END_DECLS
