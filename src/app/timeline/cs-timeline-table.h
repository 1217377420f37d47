/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "timeline/cs-timeline-names.h"

G_BEGIN_DECLS

/* A single call in a list. */
#define CS_TYPE_TIMELINE_ROW (cs_timeline_row_get_type ())
G_DECLARE_FINAL_TYPE (CsTimelineRow, cs_timeline_row, CS, TIMELINE_ROW, GObject)

const CsTimelineCall *cs_timeline_row_get_call (CsTimelineRow *self);

/* Single calls in columns. Signal "activated" (call: CsTimelineCall*): the person wants to see this one. */
#define CS_TYPE_TIMELINE_TABLE (cs_timeline_table_get_type ())
G_DECLARE_FINAL_TYPE (CsTimelineTable, cs_timeline_table, CS, TIMELINE_TABLE, AdwBin)

typedef enum
{
  CS_TIMELINE_COLUMN_FUNCTION,
  CS_TIMELINE_COLUMN_DURATION,
  CS_TIMELINE_COLUMN_START,
  CS_TIMELINE_COLUMN_THREAD,
  CS_TIMELINE_COLUMN_DEPTH,
  CS_TIMELINE_N_COLUMNS,
} CsTimelineColumn;

GtkWidget *cs_timeline_table_new (void);
void cs_timeline_table_set_column_shown (CsTimelineTable *self, CsTimelineColumn column, gboolean shown);
void cs_timeline_table_set_compact (CsTimelineTable *self);
void cs_timeline_table_sort (CsTimelineTable *self, CsTimelineColumn column, GtkSortType order);
void cs_timeline_table_set_calls (CsTimelineTable *self, CsTimelineNames *names, const GArray *calls);
GListModel *cs_timeline_table_get_model (CsTimelineTable *self);
GtkColumnView *cs_timeline_table_get_view (CsTimelineTable *self);
char *cs_timeline_table_dup_text (CsTimelineTable *self, guint position, CsTimelineColumn column);

G_END_DECLS
