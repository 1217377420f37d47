/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "session/cs-session.h"

G_BEGIN_DECLS

/* Says that a project isn't set up for tracing, or with files of another version, and offers to do so. */
#define CS_TYPE_ADOPT_BAR (cs_adopt_bar_get_type ())
G_DECLARE_FINAL_TYPE (CsAdoptBar, cs_adopt_bar, CS, ADOPT_BAR, AdwBin)

void cs_adopt_bar_set_session (CsAdoptBar *self, CsSession *session);
gboolean cs_adopt_bar_is_busy (CsAdoptBar *self);

G_END_DECLS
