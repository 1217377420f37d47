/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "calls/cs-place-table.h"
#include "calls/cs-call-log-model.h"

G_BEGIN_DECLS

typedef enum
{
  CS_CALL_LOG_COLUMN_CALL,
  CS_CALL_LOG_COLUMN_CALLS,
  CS_CALL_LOG_COLUMN_START,
  CS_CALL_LOG_COLUMN_DURATION,
  CS_CALL_LOG_COLUMN_SELF,
  CS_CALL_LOG_COLUMN_LONGEST,
  CS_CALL_LOG_COLUMN_DEPTH,
  CS_CALL_LOG_N_COLUMNS,
} CsCallLogColumn;

/* Deeper rows stand no further in; they say how deep they are. */
#define CS_CALL_LOG_MOST_INDENT 20

extern const CsPlaceColumn cs_call_log_columns[CS_CALL_LOG_N_COLUMNS];

char *cs_call_log_dup_time (gint64 ns);
char *cs_call_log_dup_marks (const CsCallLogRow *row);
char *cs_call_log_dup_cell (const CsCallLogRow *row, gint64 origin, CsCallLogColumn column);
char *cs_call_log_dup_exact (const CsCallLogRow *row, gint64 origin, const char *name, CsCallLogColumn column);
char *cs_call_log_dup_name (const CsCallLogRow *row, const char *name);
char *cs_call_log_dup_tooltip (const CsCallLogRow *row, gint64 origin, const char *name, CsCallLogColumn column);

GtkWidget *cs_call_log_cell_new (GCallback clicked, gpointer user_data);
void cs_call_log_cell_show (GtkWidget *cell, const CsCallLogRow *row, const char *name, gboolean found);

G_END_DECLS
