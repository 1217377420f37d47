/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "cs-view.h"

G_BEGIN_DECLS

#define CS_TYPE_SELECT_VIEW (cs_select_view_get_type ())
G_DECLARE_FINAL_TYPE (CsSelectView, cs_select_view, CS, SELECT_VIEW, AdwBin)

G_END_DECLS
