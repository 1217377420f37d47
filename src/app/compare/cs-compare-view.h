/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "cs-view.h"

G_BEGIN_DECLS

#define CS_TYPE_COMPARE_VIEW (cs_compare_view_get_type ())
G_DECLARE_FINAL_TYPE (CsCompareView, cs_compare_view, CS, COMPARE_VIEW, AdwBin)

G_END_DECLS
