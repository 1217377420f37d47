/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/cs-flame-layout.h"

/* A call tree made up for a test, with the functions that it names. */
typedef struct
{
  GArray *nodes; /* CsCallNode */
  CsFunction *functions;
  guint n_functions;
} TestTree;

/* Functions f0, f1, …, of modules m0, m1 and m2 in turn. */
static inline TestTree
test_tree_new (guint n_functions)
{
  TestTree tree = { .nodes = g_array_new (FALSE, TRUE, sizeof (CsCallNode)),
                    .functions = g_new0 (CsFunction, n_functions), .n_functions = n_functions };

  g_array_set_size (tree.nodes, 1);
  for (guint i = 0; i < n_functions; i++)
    {
      tree.functions[i].location.name = g_strdup_printf ("f%u", i);
      tree.functions[i].location.module = g_strdup_printf ("m%u", i % 3);
    }
  return tree;
}

static inline void
test_tree_clear (TestTree *tree)
{
  for (guint i = 0; i < tree->n_functions; i++)
    {
      g_free ((char *) tree->functions[i].location.name);
      g_free ((char *) tree->functions[i].location.module);
    }
  g_free (tree->functions);
  g_array_free (tree->nodes, TRUE);
}

static inline CsCallNode *
test_tree_get (TestTree *tree, guint32 node)
{
  return &g_array_index (tree->nodes, CsCallNode, node);
}

/* Adds a call as the first child. Siblings may have the same function. */
static inline guint32
test_tree_add (TestTree *tree, guint32 parent, guint32 function, guint64 self, gint64 first)
{
  guint32 i = tree->nodes->len;

  g_array_set_size (tree->nodes, i + 1);
  *test_tree_get (tree, i) = (CsCallNode){ .parent = parent, .next_sibling = test_tree_get (tree, parent)->first_child,
                                           .function = function, .calls = 1 + i % 7, .self = self,
                                           .first_ns = first };
  test_tree_get (tree, parent)->first_child = i;
  return i;
}

static inline CsFlameLayout *
test_tree_lay_out (TestTree *tree, const CsFlameOptions *options)
{
  return cs_flame_layout_new (options, (CsCallNode *) (gpointer) tree->nodes->data, tree->nodes->len, tree->functions,
                              tree->n_functions, NULL);
}

static inline CsFlameNode
test_get_node (CsFlameLayout *layout, guint32 i)
{
  CsFlameNode node;

  cs_flame_layout_get_node (layout, i, &node);
  return node;
}
