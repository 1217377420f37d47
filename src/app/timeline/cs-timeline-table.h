/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "timeline/cs-timeline-names.h"

G_BEGIN_DECLS

/* A single call in a list. */
#define CS_TYPE_CALL_ITEM (cs_call_item_get_type ())
G_DECLARE_FINAL_TYPE (CsCallItem, cs_call_item, CS, CALL_ITEM, GObject)

const CsTimelineCall *cs_call_item_get_call (CsCallItem *self);

/* Single calls in columns. Signal "activated" (call: CsTimelineCall*): the person wants to see this one. */
#define CS_TYPE_TIMELINE_TABLE (cs_timeline_table_get_type ())
G_DECLARE_FINAL_TYPE (CsTimelineTable, cs_timeline_table, CS, TIMELINE_TABLE, AdwBin)

typedef enum
{
  CS_CALL_COLUMN_FUNCTION,
  CS_CALL_COLUMN_THREAD,
  CS_CALL_COLUMN_START,
  CS_CALL_COLUMN_DURATION,
  CS_CALL_COLUMN_DEPTH,
  CS_CALL_N_COLUMNS,
} CsCallColumn;

GtkWidget *cs_timeline_table_new (void);
void cs_timeline_table_set_column_shown (CsTimelineTable *self, CsCallColumn column, gboolean shown);
void cs_timeline_table_sort (CsTimelineTable *self, CsCallColumn column, GtkSortType order);
void cs_timeline_table_set_calls (CsTimelineTable *self, CsTimelineNames *names, const GArray *calls);
GListModel *cs_timeline_table_get_model (CsTimelineTable *self);
GtkColumnView *cs_timeline_table_get_view (CsTimelineTable *self);
char *cs_timeline_table_dup_text (CsTimelineTable *self, guint position, CsCallColumn column);

G_END_DECLS
