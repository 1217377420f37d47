/* SPDX-License-Identifier: MIT */
#pragma once

#include "compare/cs-compare-view.h"

G_BEGIN_DECLS

GSimpleActionGroup *cs_compare_actions_new (CsCompareView *self);
void cs_compare_actions_update (CsCompareView *self, GSimpleActionGroup *actions);

G_END_DECLS
