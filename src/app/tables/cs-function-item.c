/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tables/cs-function-item.h"

struct _CsFunctionItem
{
  GObject parent_instance;

  CsHotspotRows *rows;
  guint index; /* in the profile */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsFunctionItem, cs_function_item, G_TYPE_OBJECT)

static void
cs_function_item_finalize (GObject *object)
{
  CsFunctionItem *self = CS_FUNCTION_ITEM (object);

  g_clear_pointer (&self->rows, cs_hotspot_rows_unref);

  G_OBJECT_CLASS (cs_function_item_parent_class)->finalize (object);
}

static void
cs_function_item_class_init (CsFunctionItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_function_item_finalize;
  signals[CHANGED] = g_signal_new ("changed", CS_TYPE_FUNCTION_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
cs_function_item_init (CsFunctionItem *self)
{
}

/**
 * cs_function_item_new:
 * @rows: the rows of a profile
 * @index: of one of its functions
 *
 * Returns: (transfer full): a row with the function
 */
CsFunctionItem *
cs_function_item_new (CsHotspotRows *rows, guint index)
{
  CsFunctionItem *self = g_object_new (CS_TYPE_FUNCTION_ITEM, NULL);

  self->rows = cs_hotspot_rows_ref (rows);
  self->index = index;
  return self;
}

/**
 * cs_function_item_set_function:
 * @self: an item
 * @rows: the rows of a profile
 * @index: of one of its functions
 *
 * Puts another function into the row. Who shows it learns so from "changed", which the row's list emits.
 *
 * Returns: whether it is another one
 */
gboolean
cs_function_item_set_function (CsFunctionItem *self, CsHotspotRows *rows, guint index)
{
  if (self->rows == rows && self->index == index)
    return FALSE;
  cs_hotspot_rows_ref (rows);
  cs_hotspot_rows_unref (self->rows);
  self->rows = rows;
  self->index = index;
  return TRUE;
}

/**
 * cs_function_item_get_rows:
 * @self: an item
 *
 * Returns: (transfer none): the rows that it is one of
 */
CsHotspotRows *
cs_function_item_get_rows (CsFunctionItem *self)
{
  return self->rows;
}

/**
 * cs_function_item_get_index:
 * @self: an item
 *
 * Returns: its function's index in the profile
 */
guint
cs_function_item_get_index (CsFunctionItem *self)
{
  return self->index;
}

/**
 * cs_function_item_get_function:
 * @self: an item
 *
 * Returns: (transfer none): its function
 */
const CsFunction *
cs_function_item_get_function (CsFunctionItem *self)
{
  return cs_hotspot_rows_get_function (self->rows, self->index);
}

/**
 * cs_function_item_get_value:
 * @self: an item
 * @column: a column
 *
 * Returns: what the function has there
 */
guint64
cs_function_item_get_value (CsFunctionItem *self, CsColumnId column)
{
  return cs_hotspot_rows_get_value (self->rows, self->index, column);
}
