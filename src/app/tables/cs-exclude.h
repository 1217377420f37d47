/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"
#include "session/cs-session.h"

G_BEGIN_DECLS

char *cs_exclude_dup_reason (CsProject *project);
guint32 cs_exclude_find (CsProject *project, const CsFunction *function);
void cs_exclude_functions (CsSession *session, const CsFunction *const *functions, guint n, const char *undo_action);
void cs_exclude_undo (CsSession *session);

G_END_DECLS
