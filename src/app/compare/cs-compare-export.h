/* SPDX-License-Identifier: MIT */
#pragma once

#include "compare/cs-compare-sides.h"
#include "session/cs-session.h"

G_BEGIN_DECLS

const char *cs_compare_export_get_extension (CsDiffFormat format);
void cs_compare_export_start (CsSession *session, CsDeltaRows *rows, CsDiffFormat format, const char *path);

G_END_DECLS
