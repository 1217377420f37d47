/* SPDX-License-Identifier: MIT */
#pragma once

#include "cs-project.h"
#include "profile/cs-profile.h"

G_BEGIN_DECLS

char *cs_exclude_dup_reason (CsProject *project);
guint32 cs_exclude_find (CsProject *project, const CsFunction *function);

G_END_DECLS
