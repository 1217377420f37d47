/* SPDX-License-Identifier: MIT */
#pragma once

#include "compare/cs-compare-sides.h"

G_BEGIN_DECLS

typedef enum
{
  CS_DELTA_FUNCTION,
  CS_DELTA_BASE,
  CS_DELTA_NEW,
  CS_DELTA_CHANGE,  /* new - base */
  CS_DELTA_PERCENT, /* of the base */
  CS_DELTA_STATUS,
} CsDeltaColumn;

#define CS_DELTA_N_COLUMNS (CS_DELTA_STATUS + 1)

/* A row of a comparison. */
#define CS_TYPE_DELTA_ITEM (cs_delta_item_get_type ())
G_DECLARE_FINAL_TYPE (CsDeltaItem, cs_delta_item, CS, DELTA_ITEM, GObject)

CsDeltaItem *cs_delta_item_new (CsDeltaRows *rows, guint row);
CsDeltaRows *cs_delta_item_get_rows (CsDeltaItem *self);
guint cs_delta_item_get_row (CsDeltaItem *self);
char *cs_delta_item_dup_name (CsDeltaItem *self);
char *cs_delta_item_dup_place (CsDeltaItem *self);
char *cs_delta_item_dup_cell (CsDeltaItem *self, CsDeltaColumn column);
char *cs_delta_item_dup_exact (CsDeltaItem *self, CsDeltaColumn column);
char *cs_delta_format_change (double before, double after);

G_END_DECLS
