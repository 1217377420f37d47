/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "layout/cs-flame-private.h"

/* Functions of one thread, numbered anew, so that what a thread takes doesn't depend on how many functions
 * others have. */
typedef struct
{
  guint32 *number; /* by function: its number + 1; 0: none yet */
  GArray *functions; /* guint32, by number */
} Numbering;

static guint32
get_number (Numbering *self, guint32 function)
{
  if (self->number[function] == 0)
    {
      g_array_append_val (self->functions, function);
      self->number[function] = self->functions->len;
    }
  return self->number[function] - 1;
}

static void
forget_numbers (Numbering *self)
{
  for (guint i = 0; i < self->functions->len; i++)
    self->number[g_array_index (self->functions, guint32, i)] = 0;
  g_array_set_size (self->functions, 0);
}

/* The part of a tree from `first' up to `end', a thread's frame and all below it, with that for a root. */
static void
cut_out (CsFlameTree *self, const CsFlameTree *from, guint32 first, guint32 end, Numbering *numbering)
{
  cs_flame_tree_add (self, 0, CS_FLAME_NONE);
  self->nodes[0].self = from->nodes[first].self;
  for (guint32 i = first + 1; i < end; i++)
    {
      guint32 parent = from->nodes[i].parent - first;
      guint32 node = cs_flame_tree_add (self, parent, get_number (numbering, from->nodes[i].function));
      CsFlameTreeNode *to = &self->nodes[node];

      to->self = from->nodes[i].self;
      to->calls = from->nodes[i].calls;
      to->first = from->nodes[i].first;
      to->source = from->nodes[i].source;
      to->flags = from->nodes[i].flags;
    }
}

/* Puts a thread's tree under its frame. */
static void
put_under (CsFlameTree *self, const CsFlameTreeNode *thread, const CsFlameTree *part, const Numbering *numbering)
{
  guint32 root = cs_flame_tree_add (self, 0, thread->function);

  self->nodes[root].self = part->nodes[0].self;
  self->nodes[root].first = thread->first;
  self->nodes[root].source = thread->source;
  self->nodes[root].flags = thread->flags | part->nodes[0].flags;
  for (guint32 i = 1; i < part->n; i++)
    {
      guint32 function = g_array_index (numbering->functions, guint32, part->nodes[i].function);
      guint32 node = cs_flame_tree_add (self, root + part->nodes[i].parent, function);
      CsFlameTreeNode *to = &self->nodes[node];

      to->self = part->nodes[i].self;
      to->calls = part->nodes[i].calls;
      to->first = part->nodes[i].first;
      to->source = part->nodes[i].source;
      to->flags = part->nodes[i].flags;
    }
}

/**
 * cs_flame_tree_from_threads:
 * @self: an empty tree, which is filled
 * @callees: a tree of calls; of one by thread each thread's frames lie together
 * @n_functions: functions' indices are less
 * @max_nodes: how many nodes the tree may have beside threads' own
 *
 * cs_flame_tree_from_callees() for each thread of a tree by thread, or for all of one that isn't. How many nodes
 * a thread may have goes by how many it has in @callees; what one doesn't need others may have.
 */
void
cs_flame_tree_from_threads (CsFlameTree *self, const CsFlameTree *callees, guint32 n_functions, guint32 max_nodes)
{
  g_autofree guint32 *number = NULL;
  g_autoptr (GArray) functions = NULL;
  Numbering numbering;
  guint64 left = max_nodes;

  if (callees->n < 2 || !cs_call_node_is_thread (callees->nodes[1].function))
    {
      cs_flame_tree_from_callees (self, callees, n_functions, max_nodes);
      return;
    }
  numbering.number = number = g_new0 (guint32, n_functions);
  numbering.functions = functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  cs_flame_tree_add (self, 0, CS_FLAME_NONE);
  self->nodes[0].self = callees->nodes[0].self;
  for (guint32 first = 1, end; first < callees->n; first = end)
    {
      CsFlameTree part = { 0 }, callers = { 0 };
      guint64 share;

      for (end = first + 1; end < callees->n && callees->nodes[end].parent != 0; end++)
        ;
      share = left * (end - first) / (callees->n - first);
      cut_out (&part, callees, first, end, &numbering);
      cs_flame_tree_from_callees (&callers, &part, functions->len, (guint32) MAX (share, 1));
      left -= MIN (left, callers.n - 1);
      put_under (self, &callees->nodes[first], &callers, &numbering);
      forget_numbers (&numbering);
      cs_flame_tree_clear (&part);
      cs_flame_tree_clear (&callers);
    }
}
