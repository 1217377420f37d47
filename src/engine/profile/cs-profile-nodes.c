/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-profile-nodes.h"

/**
 * cs_profile_node_counts:
 * @counts: counts
 * @node: a node of their call tree
 *
 * Returns: whether the node has a call that counts: of a filter there may be some outside, or with
 *   nothing in the range
 */
gboolean
cs_profile_node_counts (const CsPassCounts *counts, guint32 node)
{
  const CsPassNodeRest *rest = &counts->node_rests[node];

  return counts->nodes[node].calls + rest->open + rest->clipped > 0;
}

/**
 * cs_profile_merge_node:
 * @all: counts
 * @node: a node of their call tree
 * @counts: counts of a process
 * @from: a node of their call tree, whose numbers are added
 */
void
cs_profile_merge_node (CsPassCounts *all, guint32 node, const CsPassCounts *counts, guint32 from)
{
  const CsPassNode *part = &counts->nodes[from];
  const CsPassNodeRest *part_rest = &counts->node_rests[from];
  CsPassNode *to = &all->nodes[node];
  CsPassNodeRest *rest = &all->node_rests[node];

  rest->repaired += part_rest->repaired;
  rest->open += part_rest->open;
  rest->clipped += part_rest->clipped;
  rest->unrecorded += part_rest->unrecorded;
  to->calls += part->calls;
  to->incl += part->incl;
  to->self += part->self;
  to->first_ns = MIN (to->first_ns, part->first_ns);
}

/**
 * cs_profile_merge_nodes:
 * @all: counts; the address of a function there is its number
 * @counts: counts of a process, which are added
 * @functions: by function of @counts: its number in @all
 *
 * Returns: (transfer full): which nodes of @all those of @counts have become; 0: none
 */
guint32 *
cs_profile_merge_nodes (CsPassCounts *all, const CsPassCounts *counts, const guint *functions)
{
  guint32 *node_of = g_new0 (guint32, counts->node_table.n);

  for (guint32 i = 1; i < counts->node_table.n; i++)
    {
      if (!cs_profile_node_counts (counts, i))
        continue;
      node_of[i] = cs_pass_counts_add_node (all, node_of[counts->node_rests[i].parent],
                                            functions[counts->nodes[i].function]);
      cs_profile_merge_node (all, node_of[i], counts, i);
    }
  return node_of;
}

/**
 * cs_profile_build_nodes:
 * @all: counts
 *
 * Returns: (transfer full): their call tree with functions as the counts number them; siblings are
 *   linked in any order
 */
CsCallNode *
cs_profile_build_nodes (const CsPassCounts *all)
{
  guint32 n = all->node_table.n;
  CsCallNode *nodes = g_new0 (CsCallNode, n);

  for (guint32 i = 1; i < n; i++)
    {
      const CsPassNode *from = &all->nodes[i];
      const CsPassNodeRest *rest = &all->node_rests[i];
      CsCallNode *parent = &nodes[rest->parent];

      nodes[i] = (CsCallNode){ .parent = rest->parent, .function = from->function,
                               .next_sibling = parent->first_child, .calls = from->calls,
                               .repaired = rest->repaired, .open = rest->open, .clipped = rest->clipped,
                               .incl = from->incl, .self = from->self, .first_ns = from->first_ns };
      parent->first_child = i;
    }
  return nodes;
}

/**
 * cs_profile_next_node:
 * @nodes: a call tree
 * @node: a node of it
 * @on_path: (nullable): by function: how many open calls of it a walk has; those of calls behind which it
 *   goes are taken out
 *
 * Without recursion: trees may be millions deep.
 *
 * Returns: the node after this one, parents before their children; 0 after the last
 */
guint32
cs_profile_next_node (const CsCallNode *nodes, guint32 node, guint32 *on_path)
{
  if (nodes[node].first_child != 0)
    return nodes[node].first_child;
  while (node != 0)
    {
      if (on_path != NULL)
        on_path[nodes[node].function]--;
      if (nodes[node].next_sibling != 0)
        return nodes[node].next_sibling;
      node = nodes[node].parent;
    }
  return 0;
}

static int
compare_siblings (gconstpointer a, gconstpointer b, gpointer data)
{
  const CsCallNode *nodes = data;
  const CsCallNode *x = &nodes[*(const guint32 *) a], *y = &nodes[*(const guint32 *) b];

  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  if (x->first_ns != y->first_ns && !cs_call_node_is_thread (x->function))
    return x->first_ns < y->first_ns ? -1 : 1;
  return x->function < y->function ? -1 : x->function > y->function;
}

/* Links siblings in the order of their first call, threads in that of their rows. */
static void
link_in_order (CsCallNode *nodes, guint32 n)
{
  g_autofree guint32 *order = g_new (guint32, n);

  for (guint32 i = 0; i < n; i++)
    {
      order[i] = i;
      nodes[i].first_child = 0;
    }
  g_qsort_with_data (order + 1, (gint) n - 1, sizeof *order, compare_siblings, nodes);
  for (guint32 i = n; i-- > 1;)
    {
      CsCallNode *parent = &nodes[nodes[order[i]].parent];

      nodes[order[i]].next_sibling = parent->first_child;
      parent->first_child = order[i];
    }
}

/**
 * cs_profile_sort_nodes:
 * @nodes: (inout): a call tree whose parents are known
 * @n: how many nodes it has
 *
 * Numbers the nodes in the order of a walk, so that they don't depend on which worker read
 * which track.
 *
 * Returns: (transfer full): by old number: the new one
 */
guint32 *
cs_profile_sort_nodes (CsCallNode **nodes, guint32 n)
{
  guint32 *place = g_new0 (guint32, n);
  CsCallNode *sorted = g_new (CsCallNode, n);
  guint32 placed = 1;

  link_in_order (*nodes, n);
  for (guint32 i = cs_profile_next_node (*nodes, 0, NULL); i != 0; i = cs_profile_next_node (*nodes, i, NULL))
    place[i] = placed++;
  for (guint32 i = 0; i < n; i++)
    {
      CsCallNode *to = &sorted[place[i]];

      *to = (*nodes)[i];
      to->parent = place[to->parent];
      to->first_child = place[to->first_child];
      to->next_sibling = place[to->next_sibling];
    }
  g_free (*nodes);
  *nodes = sorted;
  return place;
}
