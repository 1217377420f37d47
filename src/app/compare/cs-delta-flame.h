/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "compare/cs-delta-model.h"
#include "flame/cs-flame-chart.h"

G_BEGIN_DECLS

/* A flame graph of one recording in which each frame is painted by how much it changed: red is more, blue less. Signals:
 *   "selected" (number: guint): the person moved to a frame of that function
 *   "focus-changed": it was zoomed to another frame */
#define CS_TYPE_DELTA_FLAME (cs_delta_flame_get_type ())
G_DECLARE_FINAL_TYPE (CsDeltaFlame, cs_delta_flame, CS, DELTA_FLAME, AdwBin)

CsFlameChart *cs_delta_flame_get_chart (CsDeltaFlame *self);
CsFlameDiff *cs_delta_flame_get_diff (CsDeltaFlame *self);
void cs_delta_flame_set_diff (CsDeltaFlame *self, CsFlameDiff *diff, CsCompareSides *sides);
void cs_delta_flame_retell (CsDeltaFlame *self);
void cs_delta_flame_set_normalised (CsDeltaFlame *self, gboolean normalised);
void cs_delta_flame_set_found (CsDeltaFlame *self, CsDeltaModel *model);
void cs_delta_flame_select (CsDeltaFlame *self, guint number);
void cs_delta_flame_focus (CsDeltaFlame *self, guint32 node);
char *cs_delta_flame_dup_text (CsDeltaFlame *self, guint32 node);
char *cs_delta_flame_dup_label (CsDeltaFlame *self, guint32 node);

G_END_DECLS
