/* SPDX-License-Identifier: MIT */
#pragma once

#include "flame/cs-flame-picture.h"
#include "session/cs-session.h"

G_BEGIN_DECLS

gboolean cs_flame_call_is_known (CsFlamePicture *picture, guint32 node);
void cs_flame_call_find_async (CsFlamePicture *picture, guint32 node, CsTimeline *timeline, GAsyncReadyCallback callback,
                               gpointer user_data);
CsSessionCall *cs_flame_call_find_finish (GAsyncResult *result, gboolean *of_frame, GError **error);

G_END_DECLS
