/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "tables/cs-function-model.h"

G_BEGIN_DECLS

/* The table of functions: its columns, their order, and what it is ordered by, as they are remembered. Signals:
 * "selection-changed", "sort-changed", "columns-changed", "activated" (function's index), "menu" (x, y: where). */
#define CS_TYPE_FUNCTION_TABLE (cs_function_table_get_type ())
G_DECLARE_FINAL_TYPE (CsFunctionTable, cs_function_table, CS, FUNCTION_TABLE, AdwBin)

CsFunctionModel *cs_function_table_get_model (CsFunctionTable *self);
GtkColumnView *cs_function_table_get_view (CsFunctionTable *self);
void cs_function_table_set_header_menu (CsFunctionTable *self, GMenuModel *menu);

/* Order */
void cs_function_table_sort (CsFunctionTable *self, CsColumnId column, gboolean further);
void cs_function_table_set_keys (CsFunctionTable *self, const CsSortKey *keys, guint n);
const CsSortKey *cs_function_table_get_keys (CsFunctionTable *self, guint *n);
char *cs_function_table_dup_order (CsFunctionTable *self);

/* Columns */
gboolean cs_function_table_get_shown (CsFunctionTable *self, CsColumnId column);
void cs_function_table_set_shown (CsFunctionTable *self, CsColumnId column, gboolean shown);
void cs_function_table_set_summary (CsFunctionTable *self, gboolean summary);
GArray *cs_function_table_dup_columns (CsFunctionTable *self);
void cs_function_table_reset (CsFunctionTable *self);

/* Selection */
GArray *cs_function_table_dup_selected (CsFunctionTable *self);
void cs_function_table_select (CsFunctionTable *self, guint function);
void cs_function_table_reselect (CsFunctionTable *self, guint function);

G_END_DECLS
