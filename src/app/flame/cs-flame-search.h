/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "flame/cs-flame-picture.h"
#include "session/cs-session.h"

G_BEGIN_DECLS

/* The session's search in a flame graph: what is searched for, the share of the time that matches, and the way from one
 * match to the next. Signals: "found-changed": other frames match; "chosen" (node: guint): go to this one. */
#define CS_TYPE_FLAME_SEARCH (cs_flame_search_get_type ())
G_DECLARE_FINAL_TYPE (CsFlameSearch, cs_flame_search, CS, FLAME_SEARCH, AdwBin)

void cs_flame_search_set_session (CsFlameSearch *self, CsSession *session);
void cs_flame_search_set_picture (CsFlameSearch *self, CsFlamePicture *picture, guint32 node);
void cs_flame_search_start (CsFlameSearch *self);
void cs_flame_search_step (CsFlameSearch *self, gboolean backwards);
const guint32 *cs_flame_search_get_found (CsFlameSearch *self, guint *n);
gboolean cs_flame_search_get_time (CsFlameSearch *self, guint64 *ns);
guint cs_flame_search_get_position (CsFlameSearch *self);
gboolean cs_flame_search_get_busy (CsFlameSearch *self);
const char *cs_flame_search_get_hint (CsFlameSearch *self);
const char *cs_flame_search_get_error (CsFlameSearch *self);

G_END_DECLS
