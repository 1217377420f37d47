/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "tables/cs-function-item.h"

G_BEGIN_DECLS

/* The functions of a profile that a search finds, in order: a GListModel of CsFunctionItem. An item is a place in the
 * table: it is made when it is asked for, and stays when another function comes there. Widgets of a row cost far more
 * than its text. Property "busy": what was asked for last isn't all shown yet. Signals "changing", "changed": before
 * and after other functions, or another order, are shown. */
#define CS_TYPE_FUNCTION_MODEL (cs_function_model_get_type ())
G_DECLARE_FINAL_TYPE (CsFunctionModel, cs_function_model, CS, FUNCTION_MODEL, GObject)

CsFunctionModel *cs_function_model_new (void);
void cs_function_model_set_profile (CsFunctionModel *self, CsProfile *profile, GBytes *choices);
void cs_function_model_set_keys (CsFunctionModel *self, const CsSortKey *keys, guint n_keys);
gboolean cs_function_model_set_search (CsFunctionModel *self, const char *search, gboolean regex, GError **error);

CsHotspotRows *cs_function_model_get_rows (CsFunctionModel *self);
guint cs_function_model_get_n_found (CsFunctionModel *self);
guint cs_function_model_get_n_all (CsFunctionModel *self);
gboolean cs_function_model_get_busy (CsFunctionModel *self);
guint cs_function_model_get_function (CsFunctionModel *self, guint position);
guint cs_function_model_find (CsFunctionModel *self, guint function);
void cs_function_model_follow (CsFunctionModel *self, GtkAdjustment *adjustment);
void cs_function_model_retell (CsFunctionModel *self);

G_END_DECLS
