/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "cs-view.h"

G_BEGIN_DECLS

#define CS_TYPE_FLAME_VIEW (cs_flame_view_get_type ())
G_DECLARE_FINAL_TYPE (CsFlameView, cs_flame_view, CS, FLAME_VIEW, AdwBin)

G_END_DECLS
