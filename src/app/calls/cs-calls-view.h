/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "cs-view.h"

G_BEGIN_DECLS

#define CS_TYPE_CALLS_VIEW (cs_calls_view_get_type ())
G_DECLARE_FINAL_TYPE (CsCallsView, cs_calls_view, CS, CALLS_VIEW, AdwBin)

G_END_DECLS
