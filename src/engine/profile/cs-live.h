/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

#define CS_TYPE_LIVE (cs_live_get_type ())
G_DECLARE_FINAL_TYPE (CsLive, cs_live, CS, LIVE, GObject)

CsLive *cs_live_new (const char *const *paths, CsSymbolizer *symbolizer, const CsProfileOptions *options);
CsProfile *cs_live_refresh (CsLive *self, GCancellable *cancellable, GError **error);
void cs_live_refresh_async (CsLive *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data);
CsProfile *cs_live_refresh_finish (CsLive *self, GAsyncResult *result, GError **error);
guint64 cs_live_get_n_read (CsLive *self);
gboolean cs_live_get_shorter (CsLive *self);

G_END_DECLS
