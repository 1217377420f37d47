/* SPDX-License-Identifier: MIT */
#pragma once

#include "compare/cs-delta-item.h"

G_BEGIN_DECLS

char *cs_delta_copy_text (GPtrArray *items);
char *cs_delta_copy_csv (GPtrArray *items);

G_END_DECLS
