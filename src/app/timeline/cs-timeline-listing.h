/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

void cs_timeline_list_async (CsProfile *profile, CsTimeline *timeline, GArray *tracks, gint64 from, gint64 to, guint limit,
                             GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GArray *cs_timeline_list_finish (GAsyncResult *result, gboolean *more, GError **error);

G_END_DECLS
