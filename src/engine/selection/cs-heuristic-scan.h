/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-scan-file.h"

G_BEGIN_DECLS

void cs_heuristic_scan (const char *text, gsize length, gboolean cplusplus, CsScanFile *file);

G_END_DECLS
