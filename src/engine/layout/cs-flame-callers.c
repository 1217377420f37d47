/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "layout/cs-flame-private.h"

/* The callers' tree is a trie of strings: for each node of the call tree, the functions from it up to
 * its outermost caller. All strings together may be quadratic in the number of nodes (a recursion
 * a million deep), so they are never written out: they are sorted as the suffixes of a text are,
 * by prefix doubling, with the lengths of common prefixes found on the way (Manber & Myers,
 * "Suffix Arrays", 1993; a node's parent is to it what the next position is to one in a text).
 * Neighbours' common prefixes then say which nodes the trie has. */
typedef struct
{
  const CsFlameTree *tree;
  guint32 n;        /* nodes, the root is one: its string is empty */
  guint32 *order;   /* nodes sorted by their strings */
  guint32 *length;  /* of the string at a place */
  guint32 *rank;    /* of a node: the place in `order` of the first that is alike, as far as compared */
  guint32 *above;   /* as many nodes up as symbols were compared; the root's: itself */
  guint32 *jump;    /* an ancestor, for get_ancestor() */
  guint64 *unlike;  /* for a place in `order`: ~ length of the prefix that it shares with the place
                       before; 0: not known yet, at least as long as what was compared */
  CsPyramid prefixes; /* over `unlike` */
} Sorted;

/* Returns: the length of the prefix that the strings at these places share with each other and with
 * the one before them. */
static guint32
get_shared (const Sorted *self, guint32 start, guint32 end)
{
  return (guint32) MIN (~cs_pyramid_max (&self->prefixes, start, end), G_MAXUINT32);
}

static guint32
get_prefix (const Sorted *self, guint32 place)
{
  return (guint32) MIN (~self->unlike[place], G_MAXUINT32);
}

/* Sorts `from` by a number that each node has, stably. `counts` has an element for each number up
 * to n, and one more. */
static void
sort_by (const guint32 *from, guint32 *to, guint32 n, const guint32 *number_of, const guint32 *of,
         guint32 *counts)
{
  memset (counts, 0, ((gsize) n + 1) * sizeof *counts);
  for (guint32 i = 0; i < n; i++)
    counts[number_of[of != NULL ? of[i] : i] + 1]++;
  for (guint32 i = 0; i < n; i++)
    counts[i + 1] += counts[i];
  for (guint32 i = 0; i < n; i++)
    {
      guint32 node = from != NULL ? from[i] : i;

      to[counts[number_of[of != NULL ? of[node] : node]]++] = node;
    }
}

/* The first round: functions. `numbers` is scratch, a place for each node. */
static void
sort_by_function (Sorted *self, guint32 n_functions, guint32 *numbers)
{
  const CsFlameTreeNode *nodes = self->tree->nodes;
  g_autofree guint32 *counts = g_new0 (guint32, (gsize) n_functions + 2);

  for (guint32 i = 0; i < self->n; i++)
    numbers[i] = i == 0 ? 0 : nodes[i].function + 1;
  for (guint32 i = 0; i < self->n; i++)
    counts[numbers[i]]++;
  for (guint32 i = 0, sum = 0; i < n_functions + 1; i++)
    {
      guint32 count = counts[i];

      counts[i] = sum;
      sum += count;
    }
  for (guint32 i = 0; i < self->n; i++)
    self->rank[i] = counts[numbers[i]];
  for (guint32 i = 0; i < self->n; i++)
    self->order[counts[numbers[i]]++] = i;
  for (guint32 i = 0; i < self->n; i++)
    self->unlike[i] = i == 0 || self->rank[self->order[i]] == i ? ~(guint64) 0 : 0;
}

/* Tells apart, in a freshly sorted `order`, what is alike in the first `compared` symbols only.
 * `rank` is still the old one, `fresh` becomes the new. Returns: how many ranks there are. */
static guint32
rank_anew (Sorted *self, guint64 compared, guint32 *fresh)
{
  guint32 n_ranks = 0, rank = 0;

  for (guint32 i = 0; i < self->n; i++)
    {
      guint32 node = self->order[i];

      if (self->unlike[i] == 0)
        {
          guint32 a = self->rank[self->above[self->order[i - 1]]];
          guint32 b = self->rank[self->above[node]];

          /* What is above was told apart earlier, by a prefix shorter than `compared'. What this
           * round adds to `unlike' is longer, and so doesn't count. */
          if (a != b)
            self->unlike[i] = ~(compared + get_shared (self, MIN (a, b) + 1, MAX (a, b) + 1));
        }
      if (self->unlike[i] != 0)
        {
          rank = i;
          n_ranks++;
        }
      fresh[node] = rank;
    }
  return n_ranks;
}

static void
sort_strings (Sorted *self, const CsFlameTree *tree, guint32 n_functions)
{
  const CsFlameTreeNode *nodes = tree->nodes;
  guint32 n = tree->n, n_ranks = 0, longest = 0;
  g_autofree guint32 *scratch = g_new (guint32, n);
  g_autofree guint32 *counts = g_new (guint32, (gsize) n + 1);

  *self = (Sorted){ .tree = tree, .n = n, .order = g_new (guint32, n), .rank = g_new (guint32, n),
                    .above = g_new (guint32, n), .unlike = g_new (guint64, n) };
  for (guint32 i = 0; i < n; i++)
    {
      self->above[i] = nodes[i].parent;
      longest = MAX (longest, nodes[i].depth);
    }
  sort_by_function (self, n_functions, scratch);
  for (guint64 compared = 1; n_ranks < n && compared < longest; compared *= 2)
    {
      cs_pyramid_build (&self->prefixes, self->unlike, n);
      sort_by (NULL, scratch, n, self->rank, self->above, counts);
      sort_by (scratch, self->order, n, self->rank, NULL, counts);
      n_ranks = rank_anew (self, compared, scratch);
      memcpy (self->rank, scratch, n * sizeof *scratch);
      for (guint32 i = 0; i < n; i++)
        scratch[i] = self->above[self->above[i]];
      memcpy (self->above, scratch, n * sizeof *scratch);
    }
}

/* Ancestors at any distance in logarithmic time by one link a node (Myers, "An applicative
 * random-access stack", 1983). */
static void
link_ancestors (Sorted *self)
{
  const CsFlameTreeNode *nodes = self->tree->nodes;

  self->jump = g_new0 (guint32, self->n);
  for (guint32 i = 1; i < self->n; i++)
    {
      guint32 parent = nodes[i].parent, jump = self->jump[parent];
      guint32 first = nodes[parent].depth - nodes[jump].depth;
      guint32 second = nodes[jump].depth - nodes[self->jump[jump]].depth;

      self->jump[i] = first == second ? self->jump[jump] : parent;
    }
}

static guint32
get_ancestor (const Sorted *self, guint32 node, guint32 depth)
{
  const CsFlameTreeNode *nodes = self->tree->nodes;

  while (nodes[node].depth > depth)
    node = nodes[self->jump[node]].depth >= depth ? self->jump[node] : nodes[node].parent;
  return node;
}

/* Leaves only those strings whose self time is shown. */
static void
drop_context (Sorted *self)
{
  guint64 unlike = 0;
  guint32 n = 0;

  self->length = g_new (guint32, self->n);
  for (guint32 i = 0; i < self->n; i++)
    {
      guint32 node = self->order[i];

      unlike = MAX (unlike, self->unlike[i]);
      if (node == 0 || (self->tree->nodes[node].flags & CS_FLAME_CONTEXT))
        continue;
      self->order[n] = node;
      self->length[n] = self->tree->nodes[node].depth;
      self->unlike[n++] = unlike;
      unlike = 0;
    }
  self->n = n;
  cs_pyramid_build (&self->prefixes, self->unlike, n);
}

/* Which nodes of the trie are laid out: those at least `width` wide, and as deep as `depth` those
 * that are 1 ns narrower. */
typedef struct
{
  guint64 width;
  guint32 depth;
} Bounds;

typedef struct
{
  guint64 start; /* sum of self before the first string that has the nodes */
  guint32 depth; /* of the deepest of them */
} Run;

/* Returns: how many nodes of the trie are that wide, and not deeper */
static guint64
count_nodes (const Sorted *self, const guint64 *sums, Run *runs, guint64 width, guint32 depth)
{
  guint64 count = 0;
  guint32 n_runs = 1; /* the first is the root */

  runs[0] = (Run){ 0 };
  for (guint32 i = 0; i <= self->n; i++)
    {
      guint32 shared = i < self->n ? get_prefix (self, i) : 0;

      while (runs[n_runs - 1].depth > shared)
        {
          Run *run = &runs[n_runs - 1];
          guint32 above = MAX (run[-1].depth, shared);

          if (sums[i] - run->start >= width && above < depth)
            count += MIN (run->depth, depth) - above;
          run->depth = above;
          if (above == run[-1].depth)
            n_runs--;
        }
      if (i < self->n && self->length[i] > shared)
        runs[n_runs++] = (Run){ .start = sums[i], .depth = self->length[i] };
    }
  return count;
}

/* The widest nodes that are not too many; of equal ones the outermost. */
static Bounds
choose_bounds (const Sorted *self, const guint64 *sums, guint32 max_nodes)
{
  g_autofree Run *runs = g_new (Run, (gsize) self->n + 1);
  Bounds bounds = { .depth = G_MAXUINT32 };
  guint64 wide;

  if (count_nodes (self, sums, runs, 0, G_MAXUINT32) <= max_nodes)
    return bounds;
  /* The widest width of which there are too many. */
  for (guint bit = 64; bit-- > 0;)
    {
      guint64 more = bounds.width | (guint64) 1 << bit;

      if (more <= sums[self->n] && count_nodes (self, sums, runs, more, G_MAXUINT32) > max_nodes)
        bounds.width = more;
    }
  bounds.width++;
  wide = count_nodes (self, sums, runs, bounds.width, G_MAXUINT32);
  bounds.depth = 0;
  for (guint bit = 32; bit-- > 0;)
    {
      guint32 more = bounds.depth | 1u << bit;

      if (wide + count_nodes (self, sums, runs, bounds.width - 1, more)
          - count_nodes (self, sums, runs, bounds.width, more) <= max_nodes)
        bounds.depth = more;
    }
  return bounds;
}

/* Of the nodes whose first string is at the place: the depth of the deepest that is so wide. */
static guint32
find_depth (const Sorted *self, const guint64 *sums, guint32 place, guint64 width)
{
  guint32 low = place, high = self->n;

  if (sums[self->n] - sums[place] < width)
    return 0;
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (sums[middle] - sums[place] >= width)
        high = middle;
      else
        low = middle + 1;
    }
  return low > place + 1 ? MIN (self->length[place], get_shared (self, place + 1, low))
                         : self->length[place];
}

static void
add_nodes (const Sorted *self, CsFlameTree *to, const guint64 *sums, const Bounds *bounds)
{
  const CsFlameTreeNode *nodes = self->tree->nodes;
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32)); /* what is laid out of a string */
  const guint32 root = 0;

  g_array_append_val (path, root);
  for (guint32 i = 0; i < self->n; i++)
    {
      guint32 node = self->order[i], length = self->length[i];
      guint32 shared = MIN (get_prefix (self, i), length);
      guint32 depth = find_depth (self, sums, i, bounds->width);
      CsFlameTreeNode *last;

      if (bounds->width > 0)
        depth = MAX (depth, MIN (bounds->depth, find_depth (self, sums, i, bounds->width - 1)));
      if (path->len > shared + 1)
        g_array_set_size (path, shared + 1);
      if (depth > shared)
        {
          guint32 caller = get_ancestor (self, node, length - shared);

          for (guint32 k = shared; k < depth; k++, caller = nodes[caller].parent)
            {
              guint32 added = cs_flame_tree_add (to, g_array_index (path, guint32, k), nodes[caller].function);

              to->nodes[added].source = nodes[node].source;
              g_array_append_val (path, added);
            }
        }
      last = &to->nodes[g_array_index (path, guint32, path->len - 1)];
      last->self += nodes[node].self;
      last->calls += nodes[node].calls;
      last->first = MIN (last->first, nodes[node].first);
      if (path->len <= length)
        last->flags |= CS_FLAME_FOLDED;
    }
}

/**
 * cs_flame_tree_from_callees:
 * @self: an empty tree, which is filled
 * @callees: a tree of calls
 * @n_functions: functions' indices are less
 * @max_nodes: how many nodes the tree may have
 *
 * Makes the tree of callers: each node's self time goes to its function, below that to its
 * caller, and so on up to the outermost one. Where that has more than @max_nodes nodes, the
 * narrowest are left out, and flagged CS_FLAME_FOLDED is the node that keeps their time. n log d
 * steps for n nodes and a depth of d, whatever the callers' tree would have, and no C stack.
 */
void
cs_flame_tree_from_callees (CsFlameTree *self, const CsFlameTree *callees, guint32 n_functions,
                            guint32 max_nodes)
{
  Sorted sorted;
  Bounds bounds;
  g_autofree guint64 *sums = NULL;

  sort_strings (&sorted, callees, n_functions);
  g_clear_pointer (&sorted.rank, g_free);
  g_clear_pointer (&sorted.above, g_free);
  link_ancestors (&sorted);
  drop_context (&sorted);
  sums = g_new (guint64, (gsize) sorted.n + 1);
  sums[0] = 0;
  for (guint32 i = 0; i < sorted.n; i++)
    sums[i + 1] = sums[i] + callees->nodes[sorted.order[i]].self;
  bounds = choose_bounds (&sorted, sums, max_nodes);

  cs_flame_tree_add (self, 0, CS_FLAME_NONE);
  self->nodes[0].self = callees->nodes[0].self;
  add_nodes (&sorted, self, sums, &bounds);
  for (guint32 i = self->n; i-- > 1;)
    {
      CsFlameTreeNode *parent = &self->nodes[self->nodes[i].parent];

      parent->calls += self->nodes[i].calls;
      parent->first = MIN (parent->first, self->nodes[i].first);
    }
  self->nodes[0].calls = 0;

  g_free (sorted.order);
  g_free (sorted.length);
  g_free (sorted.jump);
  g_free (sorted.unlike);
  cs_pyramid_clear (&sorted.prefixes);
}
