/* SPDX-License-Identifier: MIT */
#pragma once

#include "tables/cs-hotspot-rows.h"

G_BEGIN_DECLS

char *cs_function_copy_text (CsHotspotRows *rows, const GArray *functions, const GArray *columns);
char *cs_function_copy_csv (CsHotspotRows *rows, const GArray *functions, const GArray *columns);

G_END_DECLS
