/* SPDX-License-Identifier: MIT */
#pragma once

#include "flame/cs-flame-chart.h"
#include "flame/cs-flame-crumbs.h"
#include "flame/cs-flame-picture.h"
#include "flame/cs-flame-search.h"
#include "flame/cs-flame-table.h"
#include "session/cs-view.h"

G_BEGIN_DECLS

/* Where the time of a recording went, by way of which calls. */
#define CS_TYPE_FLAME_VIEW (cs_flame_view_get_type ())
G_DECLARE_FINAL_TYPE (CsFlameView, cs_flame_view, CS, FLAME_VIEW, AdwBin)

CsFlameChart *cs_flame_view_get_chart (CsFlameView *self);
CsFlameCrumbs *cs_flame_view_get_crumbs (CsFlameView *self);
CsFlameSearch *cs_flame_view_get_search (CsFlameView *self);
CsFlameTable *cs_flame_view_get_table (CsFlameView *self);
CsFlamePicture *cs_flame_view_get_picture (CsFlameView *self);
const char *cs_flame_view_get_page (CsFlameView *self);
gboolean cs_flame_view_get_busy (CsFlameView *self);

G_END_DECLS
