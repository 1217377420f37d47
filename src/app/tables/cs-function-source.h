/* SPDX-License-Identifier: MIT */
#pragma once

#include "session/cs-session.h"

G_BEGIN_DECLS

gboolean cs_function_source_is_known (const CsLocation *location);
void cs_function_source_open (CsSession *session, const CsLocation *location);

G_END_DECLS
