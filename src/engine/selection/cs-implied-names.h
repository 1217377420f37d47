/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-function-index.h"

G_BEGIN_DECLS

GPtrArray *cs_implied_names (CsFunctionIndex *index, guint file);

G_END_DECLS
