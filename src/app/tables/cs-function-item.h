/* SPDX-License-Identifier: MIT */
#pragma once

#include "tables/cs-hotspot-rows.h"

G_BEGIN_DECLS

/* A row of a table, and the function that is there. Signal "changed": it is another one. */
#define CS_TYPE_FUNCTION_ITEM (cs_function_item_get_type ())
G_DECLARE_FINAL_TYPE (CsFunctionItem, cs_function_item, CS, FUNCTION_ITEM, GObject)

CsFunctionItem *cs_function_item_new (CsHotspotRows *rows, guint index);
CsHotspotRows *cs_function_item_get_rows (CsFunctionItem *self);
gboolean cs_function_item_set_function (CsFunctionItem *self, CsHotspotRows *rows, guint index);
guint cs_function_item_get_index (CsFunctionItem *self);
const CsFunction *cs_function_item_get_function (CsFunctionItem *self);
guint64 cs_function_item_get_value (CsFunctionItem *self, CsColumnId column);

G_END_DECLS
