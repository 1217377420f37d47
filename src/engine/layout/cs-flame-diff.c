/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "layout/cs-flame-diff.h"
#include "layout/cs-flame-private.h"

/* The side that gives the shape is a layout; of the other one the tree is kept, in which each frame of the layout has
 * its match, or none. Both trees are made of numbers that functions share, so that options such as collapsed recursion
 * do the same to both. */
struct _CsFlameDiff
{
  gatomicrefcount refs;
  CsFlameShape shape;
  CsFlameLayout *layout;
  CsFlameTree other;
  guint64 *inclusive; /* of the other's nodes */
  guint32 *matches;   /* for each frame: a node of the other; CS_FLAME_NONE: it has none */
  guint64 *hidden;    /* for each frame */
  guint8 *folded;
};

/* A tree whose nodes have the functions' numbers, each stack once. */
static void
make_tree (CsFlameTree *tree, const CsFlameOptions *options, const CsFlameSide *side, guint n_numbers)
{
  CsFlameOptions own = *options;
  g_autofree CsCallNode *nodes = g_memdup2 (side->nodes, sizeof *nodes * side->n_nodes);
  g_autofree guint8 *keep = NULL;

  for (guint i = 1; i < side->n_nodes; i++)
    nodes[i].function = side->numbers[nodes[i].function];
  /* With marks, stacks that became the same are made one. */
  if (own.marks == NULL)
    own.marks = keep = g_new0 (guint8, MAX (n_numbers, 1));
  cs_flame_tree_from_calls (tree, &own, nodes, side->n_nodes, MAX (n_numbers, 1));
  if (own.kind == CS_FLAME_CALLERS)
    {
      CsFlameTree callees = *tree;

      *tree = (CsFlameTree){ 0 };
      cs_flame_tree_from_callees (tree, &callees, MAX (n_numbers, 1),
                                  own.max_nodes != 0 ? own.max_nodes : CS_FLAME_MAX_NODES);
      cs_flame_tree_clear (&callees);
    }
}

/* Of a number, the function that stands for it: its first. */
static void
name_functions (CsFlameTree *tree, const CsFlameSide *side, guint n_numbers)
{
  g_autofree guint32 *functions = g_new (guint32, MAX (n_numbers, 1));

  for (guint i = side->n_functions; i-- > 0;)
    functions[side->numbers[i]] = i;
  for (guint32 i = 1; i < tree->n; i++)
    tree->nodes[i].function = functions[tree->nodes[i].function];
}

/* The children of the other's nodes, by parent and number. */
typedef struct
{
  const CsFlameTree *tree;
  guint32 *slots; /* a node; 0: free */
  guint32 mask;
} Children;

static guint32
hash_child (guint32 parent, guint32 number)
{
  guint64 hash = (((guint64) parent << 32) | number) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  return (guint32) (hash >> 32) ^ (guint32) (hash >> 15);
}

static void
children_init (Children *self, const CsFlameTree *tree)
{
  guint64 size = 64;

  while (size < tree->n + (guint64) tree->n / 2)
    size *= 2;
  self->tree = tree;
  self->slots = g_new0 (guint32, size);
  self->mask = (guint32) (size - 1);
  for (guint32 i = 1; i < tree->n; i++)
    {
      guint32 slot = hash_child (tree->nodes[i].parent, tree->nodes[i].function) & self->mask;

      while (self->slots[slot] != 0)
        slot = (slot + 1) & self->mask;
      self->slots[slot] = i;
    }
}

static guint32
children_find (const Children *self, guint32 parent, guint32 number)
{
  guint32 slot = hash_child (parent, number) & self->mask;

  for (; self->slots[slot] != 0; slot = (slot + 1) & self->mask)
    {
      const CsFlameTreeNode *node = &self->tree->nodes[self->slots[slot]];

      if (node->parent == parent && node->function == number)
        return self->slots[slot];
    }
  return CS_FLAME_NONE;
}

static void
match_frames (CsFlameDiff *self, const guint *numbers)
{
  const CsFlameLayout *layout = self->layout;
  Children children;

  self->matches = g_new (guint32, layout->n);
  self->hidden = g_new0 (guint64, layout->n);
  self->folded = g_new0 (guint8, layout->n);
  children_init (&children, &self->other);
  self->matches[0] = 0;
  self->hidden[0] = self->inclusive[0] - self->other.nodes[0].self;
  for (guint32 i = 1; i < layout->n; i++)
    {
      guint32 parent = layout->parent[i], above = self->matches[parent], match = CS_FLAME_NONE;

      if (above != CS_FLAME_NONE)
        match = children_find (&children, above, numbers[layout->function[i]]);
      self->matches[i] = match;
      self->folded[i] = (layout->flags[i] & CS_FLAME_FOLDED) != 0;
      if (match != CS_FLAME_NONE)
        {
          self->hidden[i] = self->inclusive[match] - self->other.nodes[match].self;
          self->hidden[parent] -= self->inclusive[match];
          self->folded[i] |= (self->other.nodes[match].flags & CS_FLAME_FOLDED) != 0;
        }
      else
        self->folded[i] |= above != CS_FLAME_NONE ? (self->other.nodes[above].flags & CS_FLAME_FOLDED) != 0
                                                  : self->folded[parent];
    }
  g_free (children.slots);
}

/**
 * cs_flame_diff_new:
 * @options: what to lay out and how; marks are of the functions' numbers
 * @base: what was
 * @other: what is
 * @n_numbers: the functions' numbers are less
 * @shape: whose frames are laid out
 * @cancellable: (nullable): looked at between the steps
 *
 * Lays out the call tree of one side, or the callers of its functions, and finds each frame in the other one: that with
 * the same functions from the outermost call on. Frames of functions with the same number become one where their
 * stacks do. All times are exact: what a frame gained, less what its own time gained, is what the frames below it
 * gained, and those that the shape doesn't have lost (cs_flame_diff_get_delta()). What it was made from isn't needed
 * afterwards. It never changes and may be made in another thread.
 *
 * Returns: (transfer full) (nullable): both, side by side; %NULL: cancelled
 */
CsFlameDiff *
cs_flame_diff_new (const CsFlameOptions *options, const CsFlameSide *base, const CsFlameSide *other, guint n_numbers,
                   CsFlameShape shape, GCancellable *cancellable)
{
  const CsFlameSide *shown = shape == CS_FLAME_SHAPE_NEW ? other : base;
  const CsFlameSide *matched = shape == CS_FLAME_SHAPE_NEW ? base : other;
  g_autoptr (CsFlameDiff) self = g_new0 (CsFlameDiff, 1);
  CsFlameTree tree = { 0 };

  g_atomic_ref_count_init (&self->refs);
  self->shape = shape;
  make_tree (&self->other, options, matched, n_numbers);
  if (g_cancellable_is_cancelled (cancellable))
    return NULL;
  self->inclusive = g_new (guint64, self->other.n);
  for (guint32 i = 0; i < self->other.n; i++)
    self->inclusive[i] = self->other.nodes[i].self;
  for (guint32 i = self->other.n; i-- > 1;)
    self->inclusive[self->other.nodes[i].parent] += self->inclusive[i];

  make_tree (&tree, options, shown, n_numbers);
  name_functions (&tree, shown, n_numbers);
  self->layout = cs_flame_layout_new_from_tree (&tree, options->order, shown->functions, shown->n_functions);
  cs_flame_tree_clear (&tree);
  if (g_cancellable_is_cancelled (cancellable))
    return NULL;
  match_frames (self, shown->numbers);
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&self);
}

/**
 * cs_flame_diff_ref:
 * @self: two call trees
 *
 * Returns: (transfer full): @self
 */
CsFlameDiff *
cs_flame_diff_ref (CsFlameDiff *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cs_flame_diff_unref:
 * @self: (transfer full): two call trees
 */
void
cs_flame_diff_unref (CsFlameDiff *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_clear_pointer (&self->layout, cs_flame_layout_unref);
  cs_flame_tree_clear (&self->other);
  g_free (self->inclusive);
  g_free (self->matches);
  g_free (self->hidden);
  g_free (self->folded);
  g_free (self);
}

/**
 * cs_flame_diff_get_layout:
 * @self: two call trees
 *
 * Returns: (transfer none): the frames of the side that gives the shape; functions are that side's
 */
CsFlameLayout *
cs_flame_diff_get_layout (CsFlameDiff *self)
{
  return self->layout;
}

/**
 * cs_flame_diff_get_shape:
 * @self: two call trees
 *
 * Returns: whose frames are laid out
 */
CsFlameShape
cs_flame_diff_get_shape (CsFlameDiff *self)
{
  return self->shape;
}

/**
 * cs_flame_diff_get_totals:
 * @self: two call trees
 * @base: (out): ns: all that the base has
 * @other: (out): ns: all that the new one has
 */
void
cs_flame_diff_get_totals (CsFlameDiff *self, guint64 *base, guint64 *other)
{
  CsFlameDelta root;

  cs_flame_diff_get_delta (self, 0, &root);
  *base = root.base;
  *other = root.new;
}

/**
 * cs_flame_diff_get_delta:
 * @self: two call trees
 * @node: a frame of the layout
 * @delta: (out): the frame in both. For each one, what `new` is more than `base` is the sum of: what `new_self` is more
 *   than `base_self`; what its children are more; and `hidden`, with a minus where the shape is the new one's
 */
void
cs_flame_diff_get_delta (CsFlameDiff *self, guint32 node, CsFlameDelta *delta)
{
  gboolean is_new = self->shape == CS_FLAME_SHAPE_NEW;
  CsFlameNode shown;
  guint32 match;

  g_return_if_fail (node < self->layout->n);
  cs_flame_layout_get_node (self->layout, node, &shown);
  match = self->matches[node];
  *delta = (CsFlameDelta){ .hidden = self->hidden[node], .folded = self->folded[node],
                           .in_base = !is_new || match != CS_FLAME_NONE, .in_new = is_new || match != CS_FLAME_NONE };
  *(is_new ? &delta->new : &delta->base) = shown.width;
  *(is_new ? &delta->new_self : &delta->base_self) = shown.self;
  *(is_new ? &delta->new_calls : &delta->base_calls) = shown.calls;
  if (match == CS_FLAME_NONE)
    return;
  *(is_new ? &delta->base : &delta->new) = self->inclusive[match];
  *(is_new ? &delta->base_self : &delta->new_self) = self->other.nodes[match].self;
  *(is_new ? &delta->base_calls : &delta->new_calls) = self->other.nodes[match].calls;
}

static double
get_share (guint64 part, guint64 whole)
{
  return whole > 0 ? (double) part / (double) whole : 0;
}

/**
 * cs_flame_delta_get_share_change:
 * @delta: a frame in both
 * @base_total: ns: all that the base has
 * @new_total: ns: all that the new one has
 *
 * Returns: how much more of all time the frame takes than it did: 0.1 for 10 percentage points. No time has no shares:
 *   they are 0
 */
double
cs_flame_delta_get_share_change (const CsFlameDelta *delta, guint64 base_total, guint64 new_total)
{
  return get_share (delta->new, new_total) - get_share (delta->base, base_total);
}

/**
 * cs_flame_diff_get_change:
 * @self: two call trees
 * @node: a frame of the layout
 * @normalised: whether shares of all time are compared rather than times, so that a run that took longer as a whole
 *   doesn't hide what became worse in proportion
 *
 * What a frame is painted with: how much it changed, relative to the greater of both sides. It is the same for a frame
 * that doubled as, with the other sign, for one that halved, whatever the rest did.
 *
 * Returns: from -1, it is gone, over 0, it takes as long, to 1, it is new
 */
double
cs_flame_diff_get_change (CsFlameDiff *self, guint32 node, gboolean normalised)
{
  CsFlameDelta delta;
  guint64 base_total, new_total;
  double before, after, most;

  cs_flame_diff_get_delta (self, node, &delta);
  before = (double) delta.base;
  after = (double) delta.new;
  if (normalised)
    {
      cs_flame_diff_get_totals (self, &base_total, &new_total);
      before = get_share (delta.base, base_total);
      after = get_share (delta.new, new_total);
    }
  else if (delta.base == delta.new)
    return 0;
  most = MAX (before, after);
  return most > 0 ? (after - before) / most : 0;
}
