/* SPDX-License-Identifier: MIT */
#pragma once

#include "tables/cs-hotspot-rows.h"

G_BEGIN_DECLS

/* How the table of functions looks, as it is remembered. */
typedef struct
{
  CsColumnId columns[CS_N_COLUMNS]; /* in order */
  gboolean shown[CS_N_COLUMNS];     /* by column */
  int widths[CS_N_COLUMNS];         /* by column: pixels; -1: as wide as needed */
  CsSortKey keys[CS_MOST_SORT_KEYS];
  guint n_keys;
} CsTableLayout;

void cs_table_layout_init (CsTableLayout *self);
void cs_table_layout_load (CsTableLayout *self);
void cs_table_layout_save (const CsTableLayout *self);

G_END_DECLS
