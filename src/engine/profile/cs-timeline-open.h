/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

CsTimeline *cs_timeline_open (CsRecording *recording, CsSymbolizer *symbolizer, guint64 *bytes_done,
                              GCancellable *cancellable, GError **error);

G_END_DECLS
