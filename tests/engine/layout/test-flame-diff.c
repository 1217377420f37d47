/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "layout/cs-flame-diff.h"
#include "test-trees.h"

/* Two trees, and the numbers of their functions. */
typedef struct
{
  TestTree trees[2];
  guint *numbers[2];
  guint n_numbers;
} Pair;

static CsFlameSide
get_side (const Pair *pair, guint i)
{
  const TestTree *tree = &pair->trees[i];

  return (CsFlameSide){ (const CsCallNode *) (gpointer) tree->nodes->data, tree->nodes->len, tree->functions,
                        tree->n_functions, pair->numbers[i] };
}

static CsFlameDiff *
make_diff (const Pair *pair, const CsFlameOptions *options, CsFlameShape shape)
{
  CsFlameSide base = get_side (pair, 0), other = get_side (pair, 1);
  CsFlameDiff *diff = cs_flame_diff_new (options, &base, &other, pair->n_numbers, shape, NULL);

  g_assert_nonnull (diff);
  return diff;
}

static void
pair_clear (Pair *pair)
{
  for (guint i = 0; i < 2; i++)
    {
      test_tree_clear (&pair->trees[i]);
      g_free (pair->numbers[i]);
    }
}

/* The frame with these functions of the shape's side, from the outermost call on, ended by -1. */
static CsFlameDelta
get_delta (CsFlameDiff *diff, const gint *functions)
{
  CsFlameLayout *layout = cs_flame_diff_get_layout (diff);
  CsFlameDelta delta;
  guint32 found = 0;

  for (; *functions >= 0; functions++)
    {
      CsFlameNode node, child;
      guint32 next = 0;

      cs_flame_layout_get_node (layout, found, &node);
      for (guint32 i = node.first_child; i < node.first_child + node.n_children; i++)
        {
          cs_flame_layout_get_node (layout, i, &child);
          if (child.function == (guint32) *functions)
            next = i;
        }
      g_assert_cmpuint (next, !=, 0);
      found = next;
    }
  cs_flame_diff_get_delta (diff, found, &delta);
  return delta;
}

#define PATH(...) ((const gint[]){ __VA_ARGS__, -1 })

/* Functions of the base: 0 main, 1 old, 2 slow, 3 gone; of the new one: 0 slow, 1 main, 2 fresh, 3 old. */
static Pair
make_pair (void)
{
  Pair pair = { { test_tree_new (4), test_tree_new (4) }, { NULL, NULL }, 5 };
  static const guint base_numbers[] = { 0, 1, 2, 3 }, new_numbers[] = { 2, 0, 4, 1 };
  guint32 main_node, node;

  pair.numbers[0] = g_memdup2 (base_numbers, sizeof base_numbers);
  pair.numbers[1] = g_memdup2 (new_numbers, sizeof new_numbers);
  main_node = test_tree_add (&pair.trees[0], 0, 0, 10, 0);    /* main 10 + 100 + 30 + 7 = 147 */
  node = test_tree_add (&pair.trees[0], main_node, 1, 40, 1); /* old 40 + 60 */
  test_tree_add (&pair.trees[0], node, 2, 60, 2);             /* old → slow 60 */
  test_tree_add (&pair.trees[0], main_node, 2, 30, 3);        /* slow 30 */
  node = test_tree_add (&pair.trees[0], main_node, 3, 5, 4);  /* gone 5 + 2 */
  test_tree_add (&pair.trees[0], node, 2, 2, 5);              /* gone → slow 2 */

  main_node = test_tree_add (&pair.trees[1], 0, 1, 15, 0);    /* main 15 + 200 + 30 + 9 = 254 */
  node = test_tree_add (&pair.trees[1], main_node, 3, 20, 1); /* old 20 + 180 */
  test_tree_add (&pair.trees[1], node, 0, 180, 2);            /* old → slow 180 */
  test_tree_add (&pair.trees[1], main_node, 0, 30, 3);        /* slow 30 */
  node = test_tree_add (&pair.trees[1], main_node, 2, 6, 4);  /* fresh 6 + 3 */
  test_tree_add (&pair.trees[1], node, 0, 3, 5);              /* fresh → slow 3 */
  return pair;
}

static void
test_new (void)
{
  Pair pair = make_pair ();
  const CsFlameOptions options = { .order = CS_FLAME_BY_TIME };
  g_autoptr (CsFlameDiff) diff = make_diff (&pair, &options, CS_FLAME_SHAPE_NEW);
  CsFlameDelta delta = get_delta (diff, PATH (1));
  guint64 base, other;

  cs_flame_diff_get_totals (diff, &base, &other);
  g_assert_cmpuint (base, ==, 147);
  g_assert_cmpuint (other, ==, 254);
  g_assert_cmpuint (cs_flame_layout_get_total (cs_flame_diff_get_layout (diff)), ==, 254);
  g_assert_cmpuint (cs_flame_layout_get_n_nodes (cs_flame_diff_get_layout (diff)), ==, 7);

  g_assert_cmpuint (delta.base, ==, 147);
  g_assert_cmpuint (delta.new, ==, 254);
  g_assert_cmpuint (delta.base_self, ==, 10);
  g_assert_cmpuint (delta.new_self, ==, 15);
  g_assert_cmpuint (delta.hidden, ==, 7);
  delta = get_delta (diff, PATH (1, 3, 0));
  g_assert_cmpuint (delta.base, ==, 60);
  g_assert_cmpuint (delta.new, ==, 180);
  g_assert_cmpuint (delta.hidden, ==, 0);
  delta = get_delta (diff, PATH (1, 3));
  g_assert_cmpuint (delta.base, ==, 100);
  g_assert_cmpuint (delta.new, ==, 200);
  g_assert_cmpuint (delta.base_self, ==, 40);
  g_assert_cmpuint (delta.new_self, ==, 20);
  delta = get_delta (diff, PATH (1, 0));
  g_assert_cmpuint (delta.base, ==, 30);
  g_assert_cmpuint (delta.new, ==, 30);
  delta = get_delta (diff, PATH (1, 2));
  g_assert_false (delta.in_base);
  g_assert_true (delta.in_new);
  g_assert_cmpuint (delta.base, ==, 0);
  g_assert_cmpuint (delta.new, ==, 9);
  delta = get_delta (diff, PATH (1, 2, 0));
  g_assert_false (delta.in_base);
  g_assert_cmpuint (delta.new, ==, 3);
  pair_clear (&pair);
}

static void
test_base (void)
{
  Pair pair = make_pair ();
  const CsFlameOptions options = { 0 };
  g_autoptr (CsFlameDiff) diff = make_diff (&pair, &options, CS_FLAME_SHAPE_BASE);
  CsFlameDelta delta = get_delta (diff, PATH (0));

  g_assert_cmpuint (cs_flame_layout_get_total (cs_flame_diff_get_layout (diff)), ==, 147);
  g_assert_cmpuint (delta.base, ==, 147);
  g_assert_cmpuint (delta.new, ==, 254);
  g_assert_cmpuint (delta.hidden, ==, 9);
  delta = get_delta (diff, PATH (0, 3));
  g_assert_true (delta.in_base);
  g_assert_false (delta.in_new);
  g_assert_cmpuint (delta.base, ==, 7);
  g_assert_cmpuint (delta.new, ==, 0);
  pair_clear (&pair);
}

/* Bottom-up, `slow' has 92 and 213, below it its callers. */
static void
test_callers (void)
{
  Pair pair = make_pair ();
  const CsFlameOptions options = { .kind = CS_FLAME_CALLERS };
  g_autoptr (CsFlameDiff) diff = make_diff (&pair, &options, CS_FLAME_SHAPE_NEW);
  CsFlameDelta delta = get_delta (diff, PATH (0));

  g_assert_cmpuint (delta.base, ==, 92);
  g_assert_cmpuint (delta.new, ==, 213);
  g_assert_cmpuint (delta.hidden, ==, 2);
  delta = get_delta (diff, PATH (0, 3));
  g_assert_cmpuint (delta.base, ==, 60);
  g_assert_cmpuint (delta.new, ==, 180);
  delta = get_delta (diff, PATH (0, 2));
  g_assert_false (delta.in_base);
  g_assert_false (delta.folded);
  pair_clear (&pair);
}

/* What is painted: halves and doubles are as far from the middle, and the ends are what is gone and new. */
static void
test_change (void)
{
  Pair pair = { { test_tree_new (4), test_tree_new (4) }, { NULL, NULL }, 5 };
  static const guint base_numbers[] = { 0, 1, 2, 3 }, new_numbers[] = { 0, 1, 2, 4 };
  static const guint64 selfs[2][4] = { { 10, 40, 50, 0 }, { 20, 20, 50, 110 } };
  const CsFlameOptions options = { 0 };
  g_autoptr (CsFlameDiff) diff = NULL;
  g_autoptr (CsFlameDiff) back = NULL;
  CsFlameDelta delta;

  pair.numbers[0] = g_memdup2 (base_numbers, sizeof base_numbers);
  pair.numbers[1] = g_memdup2 (new_numbers, sizeof new_numbers);
  for (guint side = 0; side < 2; side++)
    for (guint32 i = 0; i < 4; i++)
      test_tree_add (&pair.trees[side], 0, i, selfs[side][i], i);
  diff = make_diff (&pair, &options, CS_FLAME_SHAPE_NEW);
  back = make_diff (&pair, &options, CS_FLAME_SHAPE_BASE);
  /* By name, so that frames are f0 to f3 from 1 on. */
  g_assert_cmpfloat_with_epsilon (cs_flame_diff_get_change (diff, 1, FALSE), 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (cs_flame_diff_get_change (diff, 2, FALSE), -0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (cs_flame_diff_get_change (diff, 3, FALSE), 0, 1e-12);
  g_assert_cmpfloat_with_epsilon (cs_flame_diff_get_change (diff, 4, FALSE), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (cs_flame_diff_get_change (back, 4, FALSE), 0, 1e-12); /* gone, and had no time */
  g_assert_cmpfloat_with_epsilon (cs_flame_diff_get_change (diff, 0, FALSE), 0.5, 1e-12);
  /* As shares: 10 % and 10 %, 40 % and 10 %, 50 % and 25 %. */
  g_assert_cmpfloat_with_epsilon (cs_flame_diff_get_change (diff, 1, TRUE), 0, 1e-12);
  g_assert_cmpfloat_with_epsilon (cs_flame_diff_get_change (diff, 2, TRUE), -0.75, 1e-12);
  g_assert_cmpfloat_with_epsilon (cs_flame_diff_get_change (diff, 3, TRUE), -0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (cs_flame_diff_get_change (diff, 4, TRUE), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (cs_flame_diff_get_change (diff, 0, TRUE), 0, 1e-12);
  cs_flame_diff_get_delta (diff, 2, &delta);
  g_assert_cmpfloat_with_epsilon (cs_flame_delta_get_share_change (&delta, 100, 200), -0.3, 1e-12);
  g_assert_cmpfloat_with_epsilon (cs_flame_delta_get_share_change (&delta, 0, 0), 0, 1e-12);
  pair_clear (&pair);
}

/* One side without calls, and both. */
static void
test_empty (void)
{
  const CsFlameOptions options = { .collapse = TRUE };

  for (guint which = 0; which < 3; which++)
    for (CsFlameShape shape = CS_FLAME_SHAPE_NEW; shape <= CS_FLAME_SHAPE_BASE; shape++)
      {
        Pair pair = { { test_tree_new (which != 0), test_tree_new (which == 0) }, { NULL, NULL }, which != 2 };
        CsFlameSide base, other;
        g_autoptr (CsFlameDiff) diff = NULL;
        CsFlameDelta root;
        guint64 base_total, new_total;

        for (guint i = 0; i < 2; i++)
          pair.numbers[i] = g_new0 (guint, 1);
        if (which < 2)
          test_tree_add (&pair.trees[1 - which], 0, 0, 5, 0);
        base = get_side (&pair, 0);
        other = get_side (&pair, 1);
        if (which != 1)
          base.n_nodes = 0;
        if (which != 0)
          other.n_nodes = 0;
        diff = cs_flame_diff_new (&options, &base, &other, pair.n_numbers, shape, NULL);
        cs_flame_diff_get_totals (diff, &base_total, &new_total);
        g_assert_cmpuint (base_total, ==, which == 1 ? 5 : 0);
        g_assert_cmpuint (new_total, ==, which == 0 ? 5 : 0);
        cs_flame_diff_get_delta (diff, 0, &root);
        g_assert_cmpuint (root.hidden, ==, which == 0 && shape == CS_FLAME_SHAPE_BASE ? 5
                                           : which == 1 && shape == CS_FLAME_SHAPE_NEW ? 5 : 0);
        g_assert_cmpfloat_with_epsilon (cs_flame_diff_get_change (diff, 0, FALSE), which == 0 ? 1 : which == 1 ? -1 : 0, 1e-12);
        pair_clear (&pair);
      }
}

static void
test_cancelled (void)
{
  Pair pair = make_pair ();
  const CsFlameOptions options = { 0 };
  CsFlameSide base = get_side (&pair, 0), other = get_side (&pair, 1);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  g_assert_null (cs_flame_diff_new (&options, &base, &other, pair.n_numbers, CS_FLAME_SHAPE_NEW, cancellable));
  pair_clear (&pair);
}

/* The model: stacks are lists of numbers, and their time is added to all beginnings. Keys are such as "3,1,4,". */
typedef struct
{
  guint64 inclusive[2], self[2];
} Sum;

static void
add_stack (GHashTable *sums, GArray *stack, guint side, guint64 time)
{
  g_autoptr (GString) key = g_string_new (NULL);

  for (guint i = 0; i <= stack->len; i++)
    {
      Sum *sum = g_hash_table_lookup (sums, key->str);

      if (sum == NULL)
        {
          sum = g_new0 (Sum, 1);
          g_hash_table_insert (sums, g_strdup (key->str), sum);
        }
      sum->inclusive[side] += time;
      if (i == stack->len)
        sum->self[side] += time;
      else
        g_string_append_printf (key, "%u,", g_array_index (stack, guint, i));
    }
}

static GHashTable *
make_model (Pair *pair, const CsFlameOptions *options)
{
  GHashTable *sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint side = 0; side < 2; side++)
    for (guint32 node = 1; node < pair->trees[side].nodes->len; node++)
      {
        g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
        g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (guint));

        for (guint32 i = node; i != 0; i = test_tree_get (&pair->trees[side], i)->parent)
          g_array_prepend_val (stack, pair->numbers[side][test_tree_get (&pair->trees[side], i)->function]);
        for (guint i = 0; i < stack->len; i++)
          {
            guint number = g_array_index (stack, guint, i), j = 0;

            while (options->collapse && j < left->len && g_array_index (left, guint, j) != number)
              j++;
            if (options->collapse && j < left->len)
              g_array_set_size (left, j + 1);
            else
              g_array_append_val (left, number);
          }
        if (options->kind == CS_FLAME_CALLERS)
          for (guint i = 0; i < left->len / 2; i++)
            {
              guint *a = &g_array_index (left, guint, i), *b = &g_array_index (left, guint, left->len - 1 - i), swap = *a;

              *a = *b;
              *b = swap;
            }
        add_stack (sums, left, side, test_tree_get (&pair->trees[side], node)->self);
      }
  return sums;
}

static void
check_frame (CsFlameDiff *diff, const Pair *pair, GHashTable *model, guint32 node, gint64 *sum)
{
  CsFlameLayout *layout = cs_flame_diff_get_layout (diff);
  gboolean is_new = cs_flame_diff_get_shape (diff) == CS_FLAME_SHAPE_NEW;
  g_autoptr (GString) key = g_string_new (NULL);
  CsFlameDelta delta, child_delta;
  CsFlameNode frame;
  gint64 change;
  const Sum *wanted;
  static const Sum nothing = { 0 };

  cs_flame_layout_get_node (layout, node, &frame);
  for (guint32 i = node; i != 0;)
    {
      CsFlameNode at;
      g_autofree char *part = NULL;

      cs_flame_layout_get_node (layout, i, &at);
      part = g_strdup_printf ("%u,", pair->numbers[is_new][at.function]);
      g_string_prepend (key, part);
      i = at.parent;
    }
  wanted = g_hash_table_lookup (model, key->str);
  if (wanted == NULL)
    wanted = &nothing;
  cs_flame_diff_get_delta (diff, node, &delta);
  g_assert_cmpuint (delta.base, ==, wanted->inclusive[0]);
  g_assert_cmpuint (delta.new, ==, wanted->inclusive[1]);
  g_assert_cmpuint (delta.base_self, ==, wanted->self[0]);
  g_assert_cmpuint (delta.new_self, ==, wanted->self[1]);
  g_assert_cmpfloat (fabs (cs_flame_diff_get_change (diff, node, FALSE)), <=, 1);
  g_assert_cmpfloat (fabs (cs_flame_diff_get_change (diff, node, TRUE)), <=, 1);

  /* What a frame gained is what its own time, and what is below it, gained. */
  change = (gint64) (delta.new_self - delta.base_self);
  for (guint32 i = frame.first_child; i < frame.first_child + frame.n_children; i++)
    {
      cs_flame_diff_get_delta (diff, i, &child_delta);
      change += (gint64) (child_delta.new - child_delta.base);
    }
  change += is_new ? -(gint64) delta.hidden : (gint64) delta.hidden;
  g_assert_cmpint (change, ==, (gint64) (delta.new - delta.base));
  *sum += (gint64) (delta.new_self - delta.base_self);
}

static void
test_random (void)
{
  for (guint32 seed = 0; seed < 400; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      Pair pair = { { test_tree_new (6), test_tree_new (7) }, { g_new (guint, 6), g_new (guint, 7) }, 9 };
      const CsFlameOptions options = { .kind = (CsFlameKind) g_rand_int_range (rand, 0, 2),
                                       .order = (CsFlameOrder) g_rand_int_range (rand, 0, 3),
                                       .collapse = g_rand_boolean (rand) };
      g_autoptr (GHashTable) model = NULL;

      /* Now and then several functions have one number. */
      for (guint side = 0; side < 2; side++)
        {
          for (guint i = 0; i < pair.trees[side].n_functions; i++)
            pair.numbers[side][i] = seed % 4 == 0 ? (guint) g_rand_int_range (rand, 0, 9) : side == 0 ? i : (i + 2) % 9;
          for (guint i = 0; i < (guint) g_rand_int_range (rand, 0, 60); i++)
            test_tree_add (&pair.trees[side], (guint32) g_rand_int_range (rand, 0, (gint32) pair.trees[side].nodes->len),
                           (guint32) g_rand_int_range (rand, 0, (gint32) pair.trees[side].n_functions),
                           (guint64) g_rand_int_range (rand, 0, 1000), i);
        }
      model = make_model (&pair, &options);
      for (CsFlameShape shape = CS_FLAME_SHAPE_NEW; shape <= CS_FLAME_SHAPE_BASE; shape++)
        {
          g_autoptr (CsFlameDiff) diff = make_diff (&pair, &options, shape);
          gint64 sum = 0;

          for (guint32 i = 0; i < cs_flame_layout_get_n_nodes (cs_flame_diff_get_layout (diff)); i++)
            check_frame (diff, &pair, model, i, &sum);
        }
      pair_clear (&pair);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/flame-diff/new", test_new);
  g_test_add_func ("/layout/flame-diff/base", test_base);
  g_test_add_func ("/layout/flame-diff/callers", test_callers);
  g_test_add_func ("/layout/flame-diff/change", test_change);
  g_test_add_func ("/layout/flame-diff/empty", test_empty);
  g_test_add_func ("/layout/flame-diff/cancelled", test_cancelled);
  g_test_add_func ("/layout/flame-diff/random", test_random);
  return g_test_run ();
}
