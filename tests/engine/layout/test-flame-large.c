/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "test-trees.h"

#define MILLION 1000000

/* Layouts whose size would end in a stack overflow, or never, if they were made or asked carelessly. The
 * sums are known from how the trees are made. */

static void
check_window (CsFlameLayout *layout, guint32 depth, guint64 row_time)
{
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (CsFlameRect));
  CsFlameWindow window = { .x1 = cs_flame_layout_get_total (layout), .depth0 = depth, .depth1 = depth + 50,
                           .pixels = 1200, .min_pixels = 3 };
  guint64 time = 0;

  cs_flame_layout_query (layout, &window, rects);
  g_assert_cmpuint (rects->len, >, 0);
  g_assert_cmpuint (rects->len, <=, 50 * 800);
  for (guint i = 0; i < rects->len; i++)
    if (g_array_index (rects, CsFlameRect, i).depth == depth)
      time += g_array_index (rects, CsFlameRect, i).time;
  g_assert_cmpuint (time, ==, row_time);

  window.max_rects = 100;
  cs_flame_layout_query (layout, &window, rects);
  g_assert_cmpuint (rects->len, <=, 100);
}

static TestTree
make_chain (guint n_functions)
{
  TestTree tree = test_tree_new (n_functions);

  for (guint32 i = 0; i < MILLION; i++)
    test_tree_add (&tree, i, i % n_functions, 1, i);
  return tree;
}

/* One function that calls itself: callers are as deep as the calls, and the frame at depth d
 * is as wide as there are calls that deep, either way. */
static void
test_deep_recursion (void)
{
  TestTree tree = make_chain (1);
  CsFlameOptions options = { 0 };

  for (guint kind = 0; kind < 2; kind++)
    {
      g_autoptr (CsFlameLayout) layout = NULL;
      g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));

      options.kind = (CsFlameKind) kind;
      layout = test_tree_lay_out (&tree, &options);
      g_assert_cmpuint (cs_flame_layout_get_n_rows (layout), ==, MILLION + 1);
      g_assert_cmpuint (cs_flame_layout_get_n_nodes (layout), ==, MILLION + 1);
      g_assert_cmpuint (cs_flame_layout_get_total (layout), ==, MILLION);
      check_window (layout, 1, MILLION);
      check_window (layout, MILLION / 2 + 1, MILLION / 2);
      g_assert_cmpuint (test_get_node (layout, cs_flame_layout_hit (layout, 0, MILLION)).width, ==, 1);
      cs_flame_layout_get_path (layout, MILLION, path);
      g_assert_cmpuint (path->len, ==, MILLION + 1);
    }
  for (guint kind = 0; kind < 2; kind++)
    {
      g_autoptr (CsFlameLayout) layout = NULL;

      options = (CsFlameOptions){ .kind = (CsFlameKind) kind, .collapse = TRUE };
      layout = test_tree_lay_out (&tree, &options);
      g_assert_cmpuint (cs_flame_layout_get_n_nodes (layout), ==, 2);
      g_assert_cmpuint (cs_flame_layout_get_total (layout), ==, MILLION);
    }
  test_tree_clear (&tree);
}

/* A thousand functions that call each other in a circle. All callers of all of them are half a billion
 * frames or more: what is laid out has a bound. */
static void
test_deep_circle (void)
{
  TestTree tree = make_chain (1000);
  CsFlameOptions options = { .kind = CS_FLAME_CALLERS, .max_nodes = MILLION / 2 };
  g_autoptr (CsFlameLayout) layout = test_tree_lay_out (&tree, &options);
  CsFlameNode root = test_get_node (layout, 0);
  g_autoptr (CsFlameLayout) collapsed = NULL;
  guint8 marks[1000] = { CS_FLAME_HIDE, CS_FLAME_HIDE, CS_FLAME_HIDE };

  g_assert_true (cs_flame_layout_is_folded (layout));
  g_assert_cmpuint (cs_flame_layout_get_n_nodes (layout), <=, MILLION / 2 + 1);
  g_assert_cmpuint (cs_flame_layout_get_n_nodes (layout), >, MILLION / 4);
  g_assert_cmpuint (root.n_children, ==, 1000);
  for (guint32 i = 1; i <= 1000; i++)
    g_assert_cmpuint (test_get_node (layout, i).width, ==, 1000);
  check_window (layout, 1, MILLION);

  /* Back at the outermost f3 each round: a chain of those that are not hidden, each with the self time of
   * all its rounds; the first round's hidden ones have no caller. */
  options = (CsFlameOptions){ .collapse = TRUE, .marks = marks };
  collapsed = test_tree_lay_out (&tree, &options);
  g_assert_cmpuint (cs_flame_layout_get_n_nodes (collapsed), ==, 998);
  g_assert_cmpuint (test_get_node (collapsed, 0).self, ==, 3);
  g_assert_cmpuint (test_get_node (collapsed, 997).width, ==, 1000 + 3 * 999);
  test_tree_clear (&tree);
}

static void
test_wide (void)
{
  TestTree tree = test_tree_new (1000);
  CsFlameOptions options = { 0 };

  for (guint32 i = 0; i < MILLION; i++)
    test_tree_add (&tree, 0, i % 1000, i % 5, -(gint64) i);
  for (guint order = 0; order < 3; order++)
    {
      g_autoptr (CsFlameLayout) layout = NULL;

      options.order = (CsFlameOrder) order;
      layout = test_tree_lay_out (&tree, &options);
      g_assert_cmpuint (cs_flame_layout_get_n_nodes (layout), ==, MILLION + 1);
      g_assert_cmpuint (cs_flame_layout_get_total (layout), ==, 2 * MILLION);
      check_window (layout, 1, 2 * MILLION);
    }
  /* Frames of one function under one caller are one where frames merge. */
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (CsFlameLayout) layout = NULL;

      options = (CsFlameOptions){ .kind = (CsFlameKind) i, .collapse = i == 0 };
      layout = test_tree_lay_out (&tree, &options);
      g_assert_cmpuint (cs_flame_layout_get_n_nodes (layout), ==, 1001);
      g_assert_cmpuint (cs_flame_layout_get_total (layout), ==, 2 * MILLION);
      check_window (layout, 1, 2 * MILLION);
    }
  test_tree_clear (&tree);
}

/* A thousand under each of a thousand, and 2^40 ns each. */
static void
test_wide_and_long (void)
{
  TestTree tree = test_tree_new (1000);
  const guint64 long_ns = (guint64) 1 << 40;
  CsFlameOptions options = { .order = CS_FLAME_BY_TIME };
  g_autoptr (CsFlameLayout) layout = NULL;
  g_autoptr (CsFlameLayout) callers = NULL;

  for (guint32 i = 0; i < 1000; i++)
    test_tree_add (&tree, 0, i, 0, 0);
  for (guint32 i = 0; i < MILLION; i++)
    test_tree_add (&tree, 1 + i / 1000, i % 1000, long_ns + i % 1000, 0);
  layout = test_tree_lay_out (&tree, &options);
  g_assert_cmpuint (cs_flame_layout_get_total (layout), ==, MILLION * long_ns + 999 * 500 * (guint64) 1000);
  check_window (layout, 2, cs_flame_layout_get_total (layout));
  options.kind = CS_FLAME_CALLERS;
  callers = test_tree_lay_out (&tree, &options);
  g_assert_cmpuint (cs_flame_layout_get_n_nodes (callers), ==, 1 + 1000 + MILLION);
  g_assert_cmpuint (test_get_node (callers, 1).function, ==, 999);
  g_assert_cmpuint (test_get_node (callers, 1).width, ==, 1000 * (long_ns + 999));
  check_window (callers, 2, cs_flame_layout_get_total (layout));
  test_tree_clear (&tree);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/flame-large/deep-recursion", test_deep_recursion);
  g_test_add_func ("/layout/flame-large/deep-circle", test_deep_circle);
  g_test_add_func ("/layout/flame-large/wide", test_wide);
  g_test_add_func ("/layout/flame-large/wide-and-long", test_wide_and_long);
  return g_test_run ();
}
