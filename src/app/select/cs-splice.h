/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CS_SPLICE_GONE G_MAXUINT

/* An item that somebody holds: where it was, and where it is now. */
typedef struct
{
  guint before;
  guint after; /* CS_SPLICE_GONE: nowhere */
} CsSpliceItem;

/* How a list model with items made on demand goes over to other rows. Only items that somebody holds matter: rows between
 * two that stay are told as one change, and not at all where their number is the same and nobody holds one of them. While
 * it is told, rows before the change are the new ones already, those behind it still the old ones. */
typedef struct
{
  gboolean changing;
  guint n_before, n_after;
  guint split_before, split_after;
  GArray *items; /* (unowned) (nullable): CsSpliceItem, while it is told */
} CsSplice;

guint cs_splice_get_n (const CsSplice *self);
gboolean cs_splice_locate (const CsSplice *self, guint position, guint *index);
void cs_splice_begin (CsSplice *self, guint n_before, guint n_after);
void cs_splice_hold (CsSplice *self, guint before, guint after);
void cs_splice_run (CsSplice *self, GListModel *model, GArray *items);

G_END_DECLS
