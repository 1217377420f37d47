/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "session/cs-view.h"

G_BEGIN_DECLS

#define CS_TYPE_WELCOME_VIEW (cs_welcome_view_get_type ())
G_DECLARE_FINAL_TYPE (CsWelcomeView, cs_welcome_view, CS, WELCOME_VIEW, AdwBin)

G_END_DECLS
