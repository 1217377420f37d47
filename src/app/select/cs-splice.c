/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "select/cs-splice.h"

/* Lists look for an item that is removed among all that are added in its place. */
#define MOST_AT_ONCE 250

/**
 * cs_splice_get_n:
 * @self: a splice that goes on
 *
 * Returns: how many rows there are at this moment
 */
guint
cs_splice_get_n (const CsSplice *self)
{
  return self->split_after + self->n_before - self->split_before;
}

/**
 * cs_splice_locate:
 * @self: a splice that goes on
 * @position: of a row
 * @index: (out): its place among the new rows, or among the old ones
 *
 * Returns: whether it is a new one
 */
gboolean
cs_splice_locate (const CsSplice *self, guint position, guint *index)
{
  if (position < self->split_after)
    {
      *index = position;
      return TRUE;
    }
  *index = position - self->split_after + self->split_before;
  return FALSE;
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const CsSpliceItem *x = a, *y = b;

  return x->before < y->before ? -1 : x->before > y->before;
}

/**
 * cs_splice_begin:
 * @self: a splice
 * @n_before: how many rows there were
 * @n_after: how many there are to be
 *
 * Begins: all rows are the old ones yet.
 */
void
cs_splice_begin (CsSplice *self, guint n_before, guint n_after)
{
  *self = (CsSplice){ TRUE, n_before, n_after, 0, 0, NULL };
}

/**
 * cs_splice_hold:
 * @self: a splice that goes on
 * @before: place of an old row that is handed out for the first time
 * @after: where it is among the new rows; %CS_SPLICE_GONE: nowhere
 *
 * Somebody holds it from now on: what becomes of it is told, too.
 */
void
cs_splice_hold (CsSplice *self, guint before, guint after)
{
  const CsSpliceItem item = { before, after };
  guint at = 0;

  if (self->items == NULL)
    return;
  while (at < self->items->len && g_array_index (self->items, CsSpliceItem, at).before < before)
    at++;
  g_array_insert_val (self->items, at, item);
}

/**
 * cs_splice_run:
 * @self: a splice that has begun
 * @model: the list model that it is of
 * @items: (element-type CsSpliceItem) (inout): the items that somebody holds, sorted here
 *
 * Tells who listens to @model what has changed, and ends.
 */
void
cs_splice_run (CsSplice *self, GListModel *model, GArray *items)
{
  const CsSpliceItem end = { self->n_before, self->n_after };
  gboolean lost = FALSE;
  guint before = 0, after = 0;

  g_array_sort (items, compare_items);
  g_array_append_val (items, end);
  self->items = items;
  for (guint i = 0; i < items->len; i++)
    {
      /* Whoever is told may ask for old rows behind the change, which become items, too. */
      const CsSpliceItem item = g_array_index (items, CsSpliceItem, i);
      guint removed, added;

      /* One that went to another place counts as lost where it was. */
      if (item.after == CS_SPLICE_GONE || item.after < after)
        {
          lost = TRUE;
          continue;
        }
      removed = item.before - before;
      added = item.after - after;
      self->split_before = item.before;
      if (lost && added > MOST_AT_ONCE)
        {
          self->split_after = after;
          g_list_model_items_changed (model, after, removed, 0);
          removed = 0;
        }
      self->split_after = item.after;
      if (removed != added || lost)
        g_list_model_items_changed (model, after, removed, added);
      before = item.before + 1;
      after = item.after + 1;
      lost = FALSE;
    }
  self->items = NULL;
  self->changing = FALSE;
}
