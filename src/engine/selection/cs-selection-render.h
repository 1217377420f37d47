/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-selection.h"

G_BEGIN_DECLS

CsTraceConfig *cs_selection_render (CsFunctionIndex *index, const guint8 *wanted, GPtrArray *warnings, GError **error);

G_END_DECLS
