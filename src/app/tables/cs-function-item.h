/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

#define CS_TYPE_FUNCTION_ITEM (cs_function_item_get_type ())
G_DECLARE_FINAL_TYPE (CsFunctionItem, cs_function_item, CS, FUNCTION_ITEM, GObject)

CsFunctionItem *cs_function_item_new (CsProfile *profile, const CsFunction *function);
const CsFunction *cs_function_item_get_function (CsFunctionItem *self);
double cs_function_item_get_share (CsFunctionItem *self);
char *cs_function_item_dup_place (CsFunctionItem *self);

G_END_DECLS
