/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "layout/cs-flame-private.h"

/* What siblings are ordered by: the key, then the rank of the name. */
typedef struct
{
  guint64 key;
  guint32 rank;
  guint32 node;
} Sibling;

static int
compare_siblings (const void *a, const void *b)
{
  const Sibling *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

static int
compare_names (gconstpointer a, gconstpointer b, gpointer data)
{
  const CsFunction *functions = data;
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;
  int order = strcmp (functions[i].location.name, functions[j].location.name);

  if (order == 0)
    order = g_strcmp0 (functions[i].location.module, functions[j].location.module);
  return order != 0 ? order : i < j ? -1 : i > j;
}

static guint32 *
rank_names (const CsFunction *functions, guint n)
{
  g_autofree guint32 *order = g_new (guint32, n);
  guint32 *ranks = g_new (guint32, n);

  for (guint32 i = 0; i < n; i++)
    order[i] = i;
  if (n > 0)
    g_qsort_with_data (order, (gint) n, sizeof *order, compare_names, (gpointer) functions);
  for (guint32 i = 0; i < n; i++)
    ranks[order[i]] = i;
  return ranks;
}

static guint64
get_key (CsFlameOrder order, const CsFlameTreeNode *node, guint64 width)
{
  switch (order)
    {
    case CS_FLAME_BY_TIME:
      return ~width;
    case CS_FLAME_BY_FIRST_CALL:
      return (guint64) node->first ^ (guint64) 1 << 63;
    case CS_FLAME_BY_NAME:
    default:
      return 0;
    }
}

/* Threads have no names here: they come as their rows do. */
static guint32
get_rank (const guint32 *ranks, guint32 function)
{
  return cs_call_node_is_thread (function) ? function - CS_CALL_NODE_THREAD : ranks[function];
}

/* Returns: (transfer full): each node's children, ordered, those of a node at places
 * `first`[node] up to `first`[node + 1] */
static Sibling *
order_siblings (const CsFlameTree *tree, const guint64 *widths, CsFlameOrder order, const guint32 *ranks,
                guint32 *first)
{
  Sibling *siblings = g_new (Sibling, tree->n);

  memset (first, 0, ((gsize) tree->n + 1) * sizeof *first);
  for (guint32 i = 1; i < tree->n; i++)
    first[tree->nodes[i].parent + 1]++;
  for (guint32 i = 0; i < tree->n; i++)
    first[i + 1] += first[i];
  /* `first` runs ahead to the next node's while the places are filled, and is moved back. */
  for (guint32 i = 1; i < tree->n; i++)
    {
      const CsFlameTreeNode *node = &tree->nodes[i];

      siblings[first[node->parent]++] = (Sibling){ .key = get_key (order, node, widths[i]),
                                                   .rank = get_rank (ranks, node->function), .node = i };
    }
  memmove (first + 1, first, tree->n * sizeof *first);
  first[0] = 0;
  for (guint32 i = 0; i < tree->n; i++)
    if (first[i + 1] - first[i] > 1)
      qsort (siblings + first[i], first[i + 1] - first[i], sizeof *siblings, compare_siblings);
  return siblings;
}

/* Numbers the nodes row by row. */
static void
lay_out (CsFlameLayout *self, const CsFlameTree *tree, CsFlameOrder order, const guint32 *ranks)
{
  guint32 n = self->n = tree->n, placed = 1;
  g_autofree guint64 *widths = g_new (guint64, n);
  g_autofree guint32 *first = g_new (guint32, (gsize) n + 1);
  g_autofree guint32 *node_of = g_new (guint32, n);
  g_autofree Sibling *siblings = NULL;
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < n; i++)
    widths[i] = tree->nodes[i].self;
  for (guint32 i = n; i-- > 1;)
    widths[tree->nodes[i].parent] += widths[i];
  siblings = order_siblings (tree, widths, order, ranks, first);

  self->start = g_new (guint64, n);
  self->width = g_new (guint64, n);
  self->before = g_new (guint64, (gsize) n + 1);
  self->calls = g_new (guint64, n);
  self->function = g_new (guint32, n);
  self->parent = g_new (guint32, n);
  self->source = g_new (guint32, n);
  self->first_child = g_new (guint32, (gsize) n + 1);
  self->flags = g_new (guint8, n);
  node_of[0] = self->parent[0] = 0;
  self->start[0] = self->before[0] = 0;
  for (guint32 i = 0; i < n; i++)
    {
      guint32 node = node_of[i];
      guint64 start = self->start[i];

      if (tree->nodes[node].depth == rows->len)
        g_array_append_val (rows, i);
      self->width[i] = widths[node];
      self->before[i + 1] = self->before[i] + widths[node];
      self->calls[i] = tree->nodes[node].calls;
      self->function[i] = tree->nodes[node].function;
      self->source[i] = tree->nodes[node].source;
      self->flags[i] = (guint8) tree->nodes[node].flags;
      self->folded |= (tree->nodes[node].flags & CS_FLAME_FOLDED) != 0;
      self->first_child[i] = placed;
      for (guint32 j = first[node]; j < first[node + 1]; j++, placed++)
        {
          node_of[placed] = siblings[j].node;
          self->parent[placed] = i;
          self->start[placed] = start;
          start += widths[siblings[j].node];
        }
    }
  self->first_child[n] = n;
  g_array_append_val (rows, n);
  self->n_rows = rows->len - 1;
  self->rows = (guint32 *) (gpointer) g_array_free (g_steal_pointer (&rows), FALSE);
  cs_pyramid_build (&self->widths, self->width, n);
}

/**
 * cs_flame_layout_new:
 * @options: what to lay out and how
 * @nodes: (array length=n_nodes): a call tree, as cs_profile_get_tree() or cs_thread_tree_get_nodes() has it
 * @n_nodes: 0: an empty one's too
 * @functions: (array length=n_functions): the functions that its nodes name
 * @n_functions: how many
 * @cancellable: (nullable): looked at between the steps
 *
 * Lays out a call tree, or the callers of its functions. Takes about n log n steps; what it was
 * made from isn't needed afterwards. A layout never changes and may be made in another thread.
 *
 * A frame is as wide as its self time and its children, which lie at its left, in ns: all in
 * integers, so that sums are exact.
 *
 * Where recursion is collapsed, every stack is read from its outermost frame, and where a
 * function comes that is on it already, goes back to that frame: each function is on a stack once
 * at most, what an inner frame called is below the outermost one, self time is kept. Marks are
 * applied before that, and callers are those of the stacks that remain.
 *
 * Of a tree by thread, each thread's frame is in the row below the root's, with the thread's own tree or callers'
 * tree under it; neither marks nor collapsed recursion change it. By name, threads come as their rows do.
 *
 * Returns: (transfer full) (nullable): the layout; %NULL: cancelled
 */
CsFlameLayout *
cs_flame_layout_new (const CsFlameOptions *options, const CsCallNode *nodes, guint n_nodes,
                     const CsFunction *functions, guint n_functions, GCancellable *cancellable)
{
  g_autoptr (CsFlameLayout) self = g_new0 (CsFlameLayout, 1);
  g_autofree guint32 *ranks = NULL;
  CsFlameTree tree = { 0 };

  g_atomic_ref_count_init (&self->refs);
  self->n_functions = n_functions;
  cs_flame_tree_from_calls (&tree, options, nodes, n_nodes, n_functions);
  if (options->kind == CS_FLAME_CALLERS && !g_cancellable_is_cancelled (cancellable))
    {
      CsFlameTree callees = tree;

      tree = (CsFlameTree){ 0 };
      cs_flame_tree_from_threads (&tree, &callees, n_functions,
                                  options->max_nodes != 0 ? options->max_nodes : CS_FLAME_MAX_NODES);
      cs_flame_tree_clear (&callees);
    }
  if (!g_cancellable_is_cancelled (cancellable))
    {
      ranks = rank_names (functions, n_functions);
      lay_out (self, &tree, options->order, ranks);
    }
  cs_flame_tree_clear (&tree);
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&self);
}

/**
 * cs_flame_layout_new_from_tree:
 * @tree: a tree of functions' indices
 * @order: of siblings
 * @functions: (array length=n_functions): the functions
 * @n_functions: how many
 *
 * Returns: (transfer full): its layout
 */
CsFlameLayout *
cs_flame_layout_new_from_tree (const CsFlameTree *tree, CsFlameOrder order, const CsFunction *functions,
                               guint n_functions)
{
  CsFlameLayout *self = g_new0 (CsFlameLayout, 1);
  g_autofree guint32 *ranks = rank_names (functions, n_functions);

  g_atomic_ref_count_init (&self->refs);
  self->n_functions = n_functions;
  lay_out (self, tree, order, ranks);
  return self;
}

/**
 * cs_flame_layout_ref:
 * @self: a layout
 *
 * Returns: (transfer full): @self
 */
CsFlameLayout *
cs_flame_layout_ref (CsFlameLayout *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cs_flame_layout_unref:
 * @self: (transfer full): a layout
 */
void
cs_flame_layout_unref (CsFlameLayout *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  cs_pyramid_clear (&self->widths);
  g_free (self->start);
  g_free (self->width);
  g_free (self->before);
  g_free (self->calls);
  g_free (self->function);
  g_free (self->parent);
  g_free (self->source);
  g_free (self->first_child);
  g_free (self->flags);
  g_free (self->rows);
  g_free (self);
}

/**
 * cs_flame_layout_get_total:
 * @self: a layout
 *
 * Returns: the width of the root, ns
 */
guint64
cs_flame_layout_get_total (CsFlameLayout *self)
{
  return self->width[0];
}

/**
 * cs_flame_layout_get_n_nodes:
 * @self: a layout
 *
 * Returns: how many frames there are, the root is one
 */
guint32
cs_flame_layout_get_n_nodes (CsFlameLayout *self)
{
  return self->n;
}

/**
 * cs_flame_layout_get_n_rows:
 * @self: a layout
 *
 * Returns: how many rows there are, the root's is one
 */
guint32
cs_flame_layout_get_n_rows (CsFlameLayout *self)
{
  return self->n_rows;
}

/**
 * cs_flame_layout_is_folded:
 * @self: a layout
 *
 * Returns: whether a frame is flagged CS_FLAME_FOLDED
 */
gboolean
cs_flame_layout_is_folded (CsFlameLayout *self)
{
  return self->folded;
}

/* The row that a frame is in. */
static guint32
get_depth (CsFlameLayout *self, guint32 node)
{
  guint32 low = 0, high = self->n_rows;

  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->rows[middle] <= node)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/**
 * cs_flame_layout_get_node:
 * @self: a layout
 * @node: a frame, less than cs_flame_layout_get_n_nodes(): frames are numbered row by row, from the
 *   left, 0 is the root
 * @out: (out): the frame
 */
void
cs_flame_layout_get_node (CsFlameLayout *self, guint32 node, CsFlameNode *out)
{
  guint32 first, end;

  g_return_if_fail (node < self->n);
  first = self->first_child[node];
  end = self->first_child[node + 1];
  *out = (CsFlameNode){
    .start = self->start[node],
    .width = self->width[node],
    .self = self->width[node] - (self->before[end] - self->before[first]),
    .calls = self->calls[node],
    .function = self->function[node],
    .source = self->source[node],
    .parent = self->parent[node],
    .first_child = first,
    .n_children = end - first,
    .depth = get_depth (self, node),
    .flags = self->flags[node],
  };
}

/**
 * cs_flame_layout_get_function:
 * @self: a layout
 * @node: a frame
 *
 * Costs less than all of cs_flame_layout_get_node().
 *
 * Returns: its function's index; CS_FLAME_NONE: it is the root
 */
guint32
cs_flame_layout_get_function (CsFlameLayout *self, guint32 node)
{
  g_return_val_if_fail (node < self->n, CS_FLAME_NONE);
  return self->function[node];
}

/**
 * cs_flame_layout_get_flags:
 * @self: a layout
 * @node: a frame
 *
 * Returns: its flags
 */
CsFlameFlags
cs_flame_layout_get_flags (CsFlameLayout *self, guint32 node)
{
  g_return_val_if_fail (node < self->n, 0);
  return self->flags[node];
}

/**
 * cs_flame_mark_module:
 * @marks: (array length=n_functions): changed
 * @functions: (array length=n_functions): functions
 * @n_functions: how many
 * @module: (nullable): path of a module, as the functions have it; %NULL: what lies in none
 * @mark: for its functions
 */
void
cs_flame_mark_module (guint8 *marks, const CsFunction *functions, guint n_functions, const char *module,
                      CsFlameMark mark)
{
  for (guint i = 0; i < n_functions; i++)
    if (g_strcmp0 (functions[i].location.module, module) == 0)
      marks[i] = (guint8) mark;
}

/**
 * cs_flame_colour_index:
 * @name: (nullable): a function's or a module's
 * @n: how many colours there are, at least 1
 *
 * Returns: an index less than @n that depends on the name alone: the same in every recording, on every
 *   machine and in every release. 0 for %NULL
 */
guint
cs_flame_colour_index (const char *name, guint n)
{
  guint32 hash = 2166136261u; /* FNV-1a (Fowler, Noll, Vo), then mixed so that all bits count */

  g_return_val_if_fail (n > 0, 0);
  if (name == NULL)
    return 0;
  for (const char *p = name; *p != '\0'; p++)
    hash = (hash ^ (guchar) *p) * 16777619u;
  hash = (hash ^ (hash >> 16)) * 0x85EBCA6Bu;
  hash ^= hash >> 13;
  return (guint) (((guint64) hash * n) >> 32);
}
