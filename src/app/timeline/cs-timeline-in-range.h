/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "timeline/cs-timeline.h"

G_BEGIN_DECLS

void cs_timeline_in_range_async (CsTimeline *timeline, gint64 from, gint64 to, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data);
GByteArray *cs_timeline_in_range_finish (GAsyncResult *result);

G_END_DECLS
