/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Lies over a window while files are dragged over it. Signal `dropped`: a GListModel of GFile, one or more. */
#define CS_TYPE_DROP_HINT (cs_drop_hint_get_type ())
G_DECLARE_FINAL_TYPE (CsDropHint, cs_drop_hint, CS, DROP_HINT, AdwBin)

CsDropHint *cs_drop_hint_put_over (AdwToastOverlay *toasts);

G_END_DECLS
