/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

/* Which functions of a profile a search finds, looked up as they come. For one thread at a time. */
typedef struct _CsCallMatch CsCallMatch;

CsCallMatch *cs_call_match_new (CsProfile *profile, guint process, const char *search, gboolean regex, GError **error);
void cs_call_match_free (CsCallMatch *self);
gboolean cs_call_match_function (CsCallMatch *self, guint function);
gboolean cs_call_match_call (guint64 address, guint64 ts, gpointer match);


G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsCallMatch, cs_call_match_free)

G_END_DECLS
