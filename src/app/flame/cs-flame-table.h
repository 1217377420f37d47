/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "flame/cs-flame-picture.h"

G_BEGIN_DECLS

#define CS_FLAME_TABLE_MOST 2000 /* frames that are listed */

/* A row of the table: a frame, or what is said of those that aren't listed. */
#define CS_TYPE_FLAME_ROW (cs_flame_row_get_type ())
G_DECLARE_FINAL_TYPE (CsFlameRow, cs_flame_row, CS, FLAME_ROW, GObject)

guint32 cs_flame_row_get_node (CsFlameRow *self);
const char *cs_flame_row_get_remark (CsFlameRow *self);

/* The frames of a flame graph as a table, the widest first. Signals: "activated" (node: guint); "selected" (node: guint);
 * "menu-requested" (x: double, y: double): of what is selected. */
#define CS_TYPE_FLAME_TABLE (cs_flame_table_get_type ())
G_DECLARE_FINAL_TYPE (CsFlameTable, cs_flame_table, CS, FLAME_TABLE, AdwBin)

void cs_flame_table_set_picture (CsFlameTable *self, CsFlamePicture *picture, guint32 focus);
void cs_flame_table_retell (CsFlameTable *self);
GListModel *cs_flame_table_get_model (CsFlameTable *self);
guint32 cs_flame_table_get_selected (CsFlameTable *self);
void cs_flame_table_select (CsFlameTable *self, guint32 node);
gboolean cs_flame_table_get_busy (CsFlameTable *self);

G_END_DECLS
