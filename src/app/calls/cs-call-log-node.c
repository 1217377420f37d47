/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "calls/cs-call-log-node.h"

/**
 * cs_call_log_node_new:
 * @parent: (nullable): what it is in
 * @kind: what it is
 *
 * Returns: (transfer full): a node, which isn't among the parent's yet
 */
CsCallLogNode *
cs_call_log_node_new (CsCallLogNode *parent, CsCallLogRowKind kind)
{
  CsCallLogNode *node = g_new0 (CsCallLogNode, 1);

  node->parent = parent;
  node->kind = kind;
  node->level = parent != NULL && parent->parent != NULL ? parent->level + 1 : 0;
  return node;
}

/**
 * cs_call_log_node_free:
 * @root: (transfer full): a node
 *
 * Frees it and all that is in it. Trees may be 100,000 calls deep.
 */
void
cs_call_log_node_free (CsCallLogNode *root)
{
  GPtrArray *left = g_ptr_array_new ();

  g_ptr_array_add (left, root);
  while (left->len > 0)
    {
      CsCallLogNode *node = g_ptr_array_steal_index_fast (left, left->len - 1);

      if (node->children != NULL)
        {
          g_ptr_array_extend (left, node->children, NULL, NULL);
          g_ptr_array_unref (node->children);
        }
      g_free (node);
    }
  g_ptr_array_unref (left);
}

/**
 * cs_call_log_node_is_expandable:
 * @node: a node
 *
 * Returns: whether there is something in it to be shown
 */
gboolean
cs_call_log_node_is_expandable (const CsCallLogNode *node)
{
  return node->kind == CS_CALL_LOG_ROW_LINE && node->entry.kind == CS_CALL_LOG_CALLS && (node->entry.n > 1 || node->entry.nested);
}

/**
 * cs_call_log_node_renumber:
 * @parent: a node
 * @from: index of a child
 *
 * Makes the indices of that and of what follows right.
 */
void
cs_call_log_node_renumber (CsCallLogNode *parent, guint from)
{
  for (guint i = from; i < parent->children->len; i++)
    ((CsCallLogNode *) parent->children->pdata[i])->index = i;
}

/**
 * cs_call_log_node_insert:
 * @parent: a node
 * @index: where
 * @child: (transfer full): a node
 *
 * Puts it there.
 */
void
cs_call_log_node_insert (CsCallLogNode *parent, guint index, CsCallLogNode *child)
{
  g_ptr_array_insert (parent->children, (gint) index, child);
  cs_call_log_node_renumber (parent, index);
}

/**
 * cs_call_log_node_list_rows:
 * @root: a node
 *
 * Returns: (transfer full) (element-type CsCallLogNode): all that is in it and is to be shown, in order
 */
GPtrArray *
cs_call_log_node_list_rows (CsCallLogNode *root)
{
  GPtrArray *rows = g_ptr_array_new ();
  CsCallLogNode *node = root;

  for (;;)
    {
      if (node->expanded && node->children != NULL && node->children->len > 0)
        node = node->children->pdata[0];
      else
        {
          while (node->parent != NULL && node->index + 1 == node->parent->children->len)
            node = node->parent;
          if (node->parent == NULL)
            return rows;
          node = node->parent->children->pdata[node->index + 1];
        }
      g_ptr_array_add (rows, node);
    }
}

/**
 * cs_call_log_node_find:
 * @parent: a node
 * @position: of a call
 * @rest: (out) (nullable): otherwise: what stands for lines with it that aren't read
 *
 * Returns: (transfer none) (nullable): the child that the call is in, among those that are there
 */
CsCallLogNode *
cs_call_log_node_find (CsCallLogNode *parent, guint64 position, CsCallLogNode **rest)
{
  *rest = NULL;
  for (guint i = 0; parent->children != NULL && i < parent->children->len; i++)
    {
      CsCallLogNode *node = parent->children->pdata[i];

      if (node->kind == CS_CALL_LOG_ROW_LINE && node->entry.kind == CS_CALL_LOG_CALLS && node->entry.position <= position
          && position < node->entry.behind)
        return node;
      if (node->kind != CS_CALL_LOG_ROW_LINE && node->walk.next <= position && position < node->walk.end)
        *rest = node;
    }
  return NULL;
}
