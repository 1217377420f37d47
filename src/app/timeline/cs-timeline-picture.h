/* SPDX-License-Identifier: MIT */
#pragma once

#include "timeline/cs-timeline-names.h"

G_BEGIN_DECLS

void cs_timeline_picture_save_async (CsTimelineChart *chart, CsTimelineNames *names, const char *title,
                                     const char *const *notes, const char *const *notices, const char *path,
                                     GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_timeline_picture_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS
