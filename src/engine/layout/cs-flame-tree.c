/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "layout/cs-flame-private.h"

#define NOT_PUSHED G_MAXUINT32
#define CUT 2 /* instead of inside: it, or what it is below, is removed */

/**
 * cs_flame_tree_add:
 * @self: a tree
 * @parent: a node of it; of an empty tree: anything, the node becomes its root
 * @function: index
 *
 * Returns: a new node, the last
 */
guint32
cs_flame_tree_add (CsFlameTree *self, guint32 parent, guint32 function)
{
  if (self->n == self->allocated)
    {
      self->allocated = self->allocated == 0 ? 64 : (guint32) MIN (2 * (guint64) self->allocated, G_MAXUINT32);
      self->nodes = g_renew (CsFlameTreeNode, self->nodes, self->allocated);
    }
  self->nodes[self->n] = (CsFlameTreeNode){
    .first = G_MAXINT64,
    .parent = parent,
    .function = function,
    .depth = self->n == 0 ? 0 : self->nodes[parent].depth + 1,
  };
  return self->n++;
}

/**
 * cs_flame_tree_clear:
 * @self: a tree, which is empty afterwards
 */
void
cs_flame_tree_clear (CsFlameTree *self)
{
  g_free (self->nodes);
  *self = (CsFlameTree){ 0 };
}

/* What a walk through the call tree knows. Arrays have an element for each node of the call
 * tree. */
typedef struct
{
  const CsFlameOptions *options;
  const CsCallNode *nodes;
  CsFlameTree *tree;
  guint32 *place; /* where a node's time goes: a node of the tree */
  guint8 *inside; /* (nullable): whether it is, or is below, one that is marked CS_FLAME_ONLY */
  guint8 *wanted; /* (nullable): whether it is inside, or above one that is */
  /* Of collapsed recursion: the stack that is left at the walk's node. An element may be of an older
   * stack: see is_on_stack(). */
  guint32 *stack;               /* by depth; nodes of the tree */
  guint32 *on_stack;            /* by function; a node of the tree, 0: none */
  guint32 *undo_stack, *undo_on; /* what a node replaced in these */
  /* Children by parent and function, where nodes merge. */
  guint32 *slots; /* node; 0: free */
  guint32 mask;
} Walk;

static guint
get_mark (const Walk *walk, guint32 function)
{
  return walk->options->marks != NULL && !cs_call_node_is_thread (function) ? walk->options->marks[function]
                                                                              : CS_FLAME_KEEP;
}

static guint32
hash_child (guint32 parent, guint32 function)
{
  guint64 hash = (((guint64) parent << 32) | function) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  return (guint32) (hash >> 32) ^ (guint32) (hash >> 15);
}

/* The child of that function, new or known. The table has room for all nodes from the start. */
static guint32
get_child (Walk *walk, guint32 parent, guint32 function)
{
  guint32 slot;

  if (walk->slots == NULL)
    return cs_flame_tree_add (walk->tree, parent, function);
  for (slot = hash_child (parent, function) & walk->mask; walk->slots[slot] != 0; slot = (slot + 1) & walk->mask)
    {
      const CsFlameTreeNode *node = &walk->tree->nodes[walk->slots[slot]];

      if (node->parent == parent && node->function == function)
        return walk->slots[slot];
    }
  return walk->slots[slot] = cs_flame_tree_add (walk->tree, parent, function);
}

/* Whether the node is on the stack that ends with `top`. An element of `stack` at a depth up to
 * top's is always of this stack: growing to a depth writes all elements up to it. */
static gboolean
is_on_stack (const Walk *walk, guint32 node, guint32 top)
{
  const CsFlameTreeNode *nodes = walk->tree->nodes;

  return node != 0 && nodes[node].depth <= nodes[top].depth && walk->stack[nodes[node].depth] == node;
}

/* Returns: the node of the tree that a frame of the function, called at `parent`, belongs to. */
static guint32
find_place (Walk *walk, guint32 i, guint32 parent, guint32 function)
{
  guint32 place, depth;

  if (walk->stack == NULL)
    return get_child (walk, parent, function);
  walk->undo_stack[i] = NOT_PUSHED;
  if (cs_call_node_is_thread (function))
    {
      place = get_child (walk, parent, function);
      walk->stack[walk->tree->nodes[place].depth] = place;
      return place;
    }
  if (is_on_stack (walk, walk->on_stack[function], parent))
    return walk->on_stack[function];

  place = get_child (walk, parent, function);
  depth = walk->tree->nodes[place].depth;
  walk->undo_stack[i] = walk->stack[depth];
  walk->undo_on[i] = walk->on_stack[function];
  walk->stack[depth] = place;
  walk->on_stack[function] = place;
  return place;
}

static void
leave (Walk *walk, guint32 i)
{
  const CsFlameTreeNode *node = &walk->tree->nodes[walk->place[i]];

  if (walk->stack == NULL || get_mark (walk, walk->nodes[i].function) == CS_FLAME_HIDE
      || walk->undo_stack[i] == NOT_PUSHED)
    return;
  walk->stack[node->depth] = walk->undo_stack[i];
  walk->on_stack[node->function] = walk->undo_on[i];
}

/* Returns: whether the node's children are to be visited, and the node left after that. */
static gboolean
enter (Walk *walk, guint32 i)
{
  const CsCallNode *from = &walk->nodes[i];
  guint mark = get_mark (walk, from->function);
  gboolean inside = walk->inside == NULL || walk->inside[i];
  guint32 parent = walk->place[from->parent];
  CsFlameTreeNode *to;
  guint32 before = walk->tree->n;

  if (mark == CS_FLAME_CUT || (walk->wanted != NULL && !walk->wanted[i]))
    return FALSE;
  if (mark == CS_FLAME_HIDE)
    {
      walk->place[i] = parent;
      if (inside)
        walk->tree->nodes[parent].self += from->self;
      return TRUE;
    }

  walk->place[i] = find_place (walk, i, parent, from->function);
  to = &walk->tree->nodes[walk->place[i]];
  if (walk->tree->n > before)
    {
      to->source = i;
      to->flags = CS_FLAME_CONTEXT;
    }
  /* Collapsed recursion may bring both what is removed and what stays: only the latter counts. */
  if (inside && (to->flags & CS_FLAME_CONTEXT))
    {
      to->flags = 0;
      to->calls = 0;
      to->first = G_MAXINT64;
    }
  if (inside)
    to->self += from->self;
  if (inside || (to->flags & CS_FLAME_CONTEXT))
    {
      to->calls += from->calls;
      to->first = MIN (to->first, from->first_ns);
    }
  return TRUE;
}

/* Says which nodes of the call tree CS_FLAME_ONLY leaves, if any function has that mark. */
static void
find_wanted (Walk *walk, guint32 n, guint32 n_functions)
{
  gboolean any = FALSE;

  for (guint32 i = 0; i < n_functions && !any; i++)
    any = get_mark (walk, i) == CS_FLAME_ONLY;
  if (!any)
    return;

  walk->inside = g_new0 (guint8, n);
  walk->wanted = g_new0 (guint8, n);
  for (guint32 i = 1; i < n; i++)
    {
      guint mark = get_mark (walk, walk->nodes[i].function);
      guint8 above = walk->inside[walk->nodes[i].parent];

      walk->inside[i] = mark == CS_FLAME_CUT || above == CUT ? CUT : above || mark == CS_FLAME_ONLY;
    }
  for (guint32 i = n; i-- > 1;)
    {
      walk->wanted[i] |= walk->inside[i] == 1;
      walk->wanted[walk->nodes[i].parent] |= walk->wanted[i];
    }
}

/* Removes frames that were above marked ones until recursion was collapsed. */
static void
drop_empty_context (CsFlameTree *self)
{
  g_autofree guint32 *place = g_new0 (guint32, self->n); /* first 1: stays */
  guint32 n = 1;

  for (guint32 i = self->n; i-- > 1;)
    if (place[i] || !(self->nodes[i].flags & CS_FLAME_CONTEXT))
      place[i] = place[self->nodes[i].parent] = 1;
  place[0] = 0;
  for (guint32 i = 1; i < self->n; i++)
    if (place[i])
      {
        self->nodes[n] = self->nodes[i];
        self->nodes[n].parent = place[self->nodes[i].parent];
        place[i] = n++;
      }
  self->n = n;
}

static void
make_room (Walk *walk, guint32 n, guint32 n_functions)
{
  guint32 size = 64;

  walk->place = g_new0 (guint32, n);
  if (walk->options->collapse)
    {
      walk->stack = g_new0 (guint32, n);
      walk->on_stack = g_new0 (guint32, n_functions);
      walk->undo_stack = g_new0 (guint32, n);
      walk->undo_on = g_new0 (guint32, n);
    }
  if (walk->options->collapse || walk->options->marks != NULL)
    {
      while (size < n + (guint64) n / 2 && size < 1u << 31)
        size *= 2;
      walk->slots = g_new0 (guint32, size);
      walk->mask = size - 1;
    }
}

/**
 * cs_flame_tree_from_calls:
 * @self: an empty tree, which is filled
 * @options: marks and collapse count
 * @nodes: (array length=n_nodes): a call tree
 * @n_nodes: 0 is an empty one's too
 * @n_functions: functions' indices are less
 *
 * Makes a tree of the stacks that the options leave: marked functions are left out, then, if
 * @options say so, recursion is collapsed: a stack is read from its outermost frame, and where a
 * function comes that is on the stack already, the stack goes back to that frame. Each function
 * is on a stack once at most then, self time is kept, and what an inner frame called is below the
 * outermost one. Frames with the same stack become one. The walk needs no C stack.
 */
void
cs_flame_tree_from_calls (CsFlameTree *self, const CsFlameOptions *options, const CsCallNode *nodes,
                          guint32 n_nodes, guint32 n_functions)
{
  Walk walk = { .options = options, .nodes = nodes, .tree = self };
  guint32 i = 0;

  cs_flame_tree_add (self, 0, CS_FLAME_NONE);
  if (n_nodes == 0)
    return;
  find_wanted (&walk, n_nodes, n_functions);
  make_room (&walk, n_nodes, n_functions);
  if (walk.inside == NULL)
    self->nodes[0].self = nodes[0].self;

  if (walk.slots == NULL)
    for (i = 1; i < n_nodes; i++)
      enter (&walk, i);
  else
    {
      gboolean down = TRUE;

      do
        {
          if (down && nodes[i].first_child != 0)
            i = nodes[i].first_child;
          else
            {
              if (down && i != 0)
                leave (&walk, i);
              while (i != 0 && nodes[i].next_sibling == 0)
                {
                  i = nodes[i].parent;
                  if (i != 0)
                    leave (&walk, i);
                }
              if (i != 0)
                i = nodes[i].next_sibling;
            }
          down = i != 0 && enter (&walk, i);
        }
      while (i != 0);
    }

  if (walk.inside != NULL && options->collapse)
    drop_empty_context (self);
  g_free (walk.place);
  g_free (walk.inside);
  g_free (walk.wanted);
  g_free (walk.stack);
  g_free (walk.on_stack);
  g_free (walk.undo_stack);
  g_free (walk.undo_on);
  g_free (walk.slots);
}
