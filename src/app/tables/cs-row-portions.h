/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What a GListModel of many rows keeps of those that its list knows. A list makes the widgets of some 200 rows, those
 * that aren't seen too: rows come in portions, and so does what changes in them, those in sight first. Rows are GObjects
 * with a signal "changed": something else is there. */
typedef struct
{
  GListModel *model;                /* whose rows they are; not owned */
  void (*complete) (gpointer data); /* (nullable): called with the model when all was told */
  guint n;                          /* there are to be */
  guint n_shown;                    /* of these, those that the list has been told of */
  GHashTable *items;                /* position → row that is in use; not owned */
  GHashTable *untold;               /* positions of those that show something else than they were last told */
  guint seen;                       /* the first position that is in sight, about */
  guint n_seen;                     /* so many from there on are told at once */
  guint later;                      /* source that tells more */
} CsRowPortions;

void cs_row_portions_init (CsRowPortions *self, gpointer model, guint n_seen, void (*complete) (gpointer data));
void cs_row_portions_stop (CsRowPortions *self);
void cs_row_portions_clear (CsRowPortions *self);
void cs_row_portions_add (CsRowPortions *self, guint position, gpointer item);
void cs_row_portions_set_n (CsRowPortions *self, guint n);
void cs_row_portions_mark (CsRowPortions *self, guint position);
void cs_row_portions_tell (CsRowPortions *self);
void cs_row_portions_finish (CsRowPortions *self);
void cs_row_portions_follow (CsRowPortions *self, GtkAdjustment *adjustment);

G_END_DECLS
