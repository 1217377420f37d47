/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "compare/cs-delta-model.h"

G_BEGIN_DECLS

/* The table of a comparison. Signals:
 *   "selected" (number: guint): the person selected a function
 *   "activated" (number: guint): Enter, or two clicks
 *   "sort-changed"
 *   "menu" (x: double, y: double): what can be done with the selected rows is asked for, at a place in the table */
#define CS_TYPE_DELTA_TABLE (cs_delta_table_get_type ())
G_DECLARE_FINAL_TYPE (CsDeltaTable, cs_delta_table, CS, DELTA_TABLE, AdwBin)

CsDeltaModel *cs_delta_table_get_model (CsDeltaTable *self);
GtkColumnView *cs_delta_table_get_view (CsDeltaTable *self);
void cs_delta_table_set_rows (CsDeltaTable *self, CsDeltaRows *rows);
void cs_delta_table_sort (CsDeltaTable *self, CsDeltaColumn column, gboolean descending);
void cs_delta_table_select (CsDeltaTable *self, guint number);
guint cs_delta_table_get_selected (CsDeltaTable *self);
const char *cs_delta_table_get_nothing (CsDeltaTable *self);
char *cs_delta_table_copy (CsDeltaTable *self, gboolean csv);

G_END_DECLS
