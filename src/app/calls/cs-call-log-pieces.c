/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "calls/cs-call-log-model-private.h"

/* It is freed once no row is there for it. */
static void
remove_child (CsCallLogModel *self, CsCallLogNode *child)
{
  CsCallLogNode *parent = child->parent;
  guint index = child->index;

  g_ptr_array_remove_index (parent->children, index);
  cs_call_log_node_renumber (parent, index);
  g_ptr_array_add (self->gone, child);
}

/* Where lines of a level come: before its slot. */
static CsCallLogNode *
begin_level (CsCallLogReading *reading, const CsCallLogPiece *piece)
{
  CsCallLogNode *slot = reading->slot, *parent;
  GPtrArray *above;

  if (piece->parent != G_MAXUINT)
    {
      above = reading->levels->pdata[piece->parent];
      parent = above->pdata[piece->line];
      /* Somebody else may read it, too; that one is dropped. */
      if (parent->children != NULL)
        return NULL;
      parent->children = g_ptr_array_new ();
      parent->expanded = TRUE;
      slot = cs_call_log_node_new (parent, CS_CALL_LOG_ROW_WAIT);
      cs_call_log_node_insert (parent, 0, slot);
    }
  return slot;
}

/**
 * cs_call_log_reading_take:
 * @reading: a reading
 * @piece: what was read of it
 *
 * Puts the lines where they belong.
 */
void
cs_call_log_reading_take (CsCallLogReading *reading, const CsCallLogPiece *piece)
{
  GPtrArray *lines;
  CsCallLogNode *slot, *parent;

  if (piece->level >= reading->levels->len)
    {
      g_ptr_array_add (reading->levels, g_ptr_array_new ());
      g_ptr_array_add (reading->slots, begin_level (reading, piece));
    }
  lines = reading->levels->pdata[piece->level];
  slot = reading->slots->pdata[piece->level];
  if (slot == NULL)
    return;
  parent = slot->parent;
  if (piece->first == 0 && piece->before.next != G_MAXUINT64 && lines->len == 0)
    {
      CsCallLogNode *rest = cs_call_log_node_new (parent, CS_CALL_LOG_ROW_REST);

      rest->walk = piece->before;
      cs_call_log_node_insert (parent, slot->index, rest);
    }
  for (guint i = 0; i < piece->entries->len; i++)
    {
      const CsCallLogEntry *entry = &g_array_index (piece->entries, CsCallLogEntry, i);
      CsCallLogNode *node;

      if (piece->first + i < lines->len)
        node = lines->pdata[piece->first + i];
      else
        {
          node = cs_call_log_node_new (parent, CS_CALL_LOG_ROW_LINE);
          node->member = parent->entry.n > 1;
          node->index = slot->index++;
          g_ptr_array_insert (parent->children, (gint) node->index, node);
          slot->heir = slot->heir != NULL ? slot->heir : node;
          g_ptr_array_add (lines, node);
        }
      node->entry = *entry;
    }
  cs_call_log_node_renumber (parent, slot->index);
  if (!piece->done)
    return;
  reading->slots->pdata[piece->level] = NULL;
  if (piece->rest.next != G_MAXUINT64)
    {
      slot->kind = CS_CALL_LOG_ROW_REST;
      slot->walk = piece->rest;
    }
  else
    remove_child (reading->model, slot);
  if (piece->level == 0)
    reading->slot = NULL;
}
