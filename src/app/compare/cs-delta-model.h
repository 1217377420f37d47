/* SPDX-License-Identifier: MIT */
#pragma once

#include "compare/cs-delta-item.h"

G_BEGIN_DECLS

/* The rows of a comparison that are shown, in their order: a GListModel of CsDeltaItem. */
#define CS_TYPE_DELTA_MODEL (cs_delta_model_get_type ())
G_DECLARE_FINAL_TYPE (CsDeltaModel, cs_delta_model, CS, DELTA_MODEL, GObject)

CsDeltaModel *cs_delta_model_new (void);
void cs_delta_model_set_rows (CsDeltaModel *self, CsDeltaRows *rows);
CsDeltaRows *cs_delta_model_get_rows (CsDeltaModel *self);
void cs_delta_model_set_sort (CsDeltaModel *self, CsDeltaColumn column, gboolean descending);
void cs_delta_model_get_sort (CsDeltaModel *self, CsDeltaColumn *column, gboolean *descending);
void cs_delta_model_set_hide_unchanged (CsDeltaModel *self, gboolean hide);
gboolean cs_delta_model_set_search (CsDeltaModel *self, const char *search, gboolean regex, GError **error);
void cs_delta_model_retell (CsDeltaModel *self);
gboolean cs_delta_model_is_searching (CsDeltaModel *self);
gboolean cs_delta_model_is_found (CsDeltaModel *self, const char *name, const char *file, const char *module);
gboolean cs_delta_model_is_busy (CsDeltaModel *self);
guint cs_delta_model_find (CsDeltaModel *self, guint number);
guint cs_delta_model_get_number (CsDeltaModel *self, guint position);

const char *cs_delta_column_get_id (CsDeltaColumn column);
gboolean cs_delta_column_parse (const char *id, CsDeltaColumn *column);

G_END_DECLS
