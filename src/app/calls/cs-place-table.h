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
  int least;          /* width of the table from which on it is shown, pixels */
  gboolean name;      /* a function's, which begins with what it is; of a place the end matters */
} CsPlaceColumn;

/* What tells a table what is where. Texts are transfer full. */
typedef struct
{
  char *(*dup_cell) (gpointer owner, guint position, guint column);
  char *(*dup_tooltip) (gpointer owner, guint position, guint column);
  char *(*dup_exact) (gpointer owner, guint position, guint column); /* for copies: times in ns */
  char *(*dup_label) (gpointer owner, guint position);               /* of a row, read out */
  GtkWidget *(*make_first) (gpointer owner);                         /* the widget of a cell of the first column */
  void (*show_first) (gpointer owner, GtkWidget *cell, guint position);
  gboolean (*get_expanded) (gpointer owner, guint position, gboolean *expanded); /* (nullable); FALSE: it has nothing in it */
} CsPlaceTableSource;

/* Places as rows with columns. Signals: "activated" (position), "menu" (x, y), "title-clicked" (column),
 * "selection-changed". */
#define CS_TYPE_PLACE_TABLE (cs_place_table_get_type ())
G_DECLARE_FINAL_TYPE (CsPlaceTable, cs_place_table, CS, PLACE_TABLE, AdwBin)

CsPlaceTable *cs_place_table_new (CsPlaces *places, const char *label, const CsPlaceColumn *columns, guint n_columns,
                                const CsPlaceTableSource *source, gpointer owner);
void cs_place_table_forget_owner (CsPlaceTable *self);
GtkColumnView *cs_place_table_get_view (CsPlaceTable *self);
void cs_place_table_set_sort (CsPlaceTable *self, guint column, gboolean descending);
guint cs_place_table_get_current (CsPlaceTable *self);
GtkBitset *cs_place_table_dup_selected (CsPlaceTable *self);
void cs_place_table_set_selected (CsPlaceTable *self, GtkBitset *positions);
void cs_place_table_select (CsPlaceTable *self, guint position);
void cs_place_table_retell (CsPlaceTable *self);
char *cs_place_table_copy (CsPlaceTable *self, gboolean csv);
char *cs_place_dup_cut (const char *text);

G_END_DECLS
