/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "calls/cs-places.h"

G_BEGIN_DECLS

/* A column of a table. Texts are not yet translated. */
typedef struct
{
  const char *title, *description;
  const char *field;  /* what CSV calls it */
  gboolean number;    /* stands at the end */
  int chars;          /* least width; the first column takes what is left */
} CsCallColumn;

/* What tells a table what is where. Texts are transfer full. */
typedef struct
{
  char *(*dup_cell) (gpointer owner, guint position, guint column);
  char *(*dup_tooltip) (gpointer owner, guint position, guint column);
  char *(*dup_exact) (gpointer owner, guint position, guint column); /* for copies: times in ns */
  char *(*dup_label) (gpointer owner, guint position);               /* of a row, read out */
  GtkWidget *(*make_first) (gpointer owner);                         /* the widget of a cell of the first column */
  void (*show_first) (gpointer owner, GtkWidget *cell, guint position);
} CsCallTableSource;

/* Places as rows with columns. Signals: "activated" (position), "menu" (x, y), "title-clicked" (column),
 * "selection-changed". */
#define CS_TYPE_CALL_TABLE (cs_call_table_get_type ())
G_DECLARE_FINAL_TYPE (CsCallTable, cs_call_table, CS, CALL_TABLE, AdwBin)

CsCallTable *cs_call_table_new (CsPlaces *places, const char *label, const CsCallColumn *columns, guint n_columns,
                                const CsCallTableSource *source, gpointer owner);
void cs_call_table_forget_owner (CsCallTable *self);
GtkColumnView *cs_call_table_get_view (CsCallTable *self);
void cs_call_table_set_sort (CsCallTable *self, guint column, gboolean descending);
guint cs_call_table_get_current (CsCallTable *self);
GtkBitset *cs_call_table_dup_selected (CsCallTable *self);
void cs_call_table_set_selected (CsCallTable *self, GtkBitset *positions);
void cs_call_table_select (CsCallTable *self, guint position);
void cs_call_table_retell (CsCallTable *self);
char *cs_call_table_copy (CsCallTable *self, gboolean csv);
guint cs_call_cell_get_position (GtkWidget *widget);

G_END_DECLS
