/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "session/cs-session.h"

G_BEGIN_DECLS

/* What is hidden, or shown alone, as chips that take that back; not visible where there is none. */
#define CS_TYPE_FLAME_CHIPS (cs_flame_chips_get_type ())
G_DECLARE_FINAL_TYPE (CsFlameChips, cs_flame_chips, CS, FLAME_CHIPS, AdwBin)

void cs_flame_chips_set_session (CsFlameChips *self, CsSession *session);
GPtrArray *cs_flame_chips_list_texts (CsSession *session);

G_END_DECLS
