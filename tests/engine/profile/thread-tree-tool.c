/* SPDX-License-Identifier: MIT */
/*
 * thread-tree-tool FOLDER [FROM TO [FUNCTION]]: the call tree by thread against the merged one and the
 * rows of the threads, and flame graphs of it against both; of a part where FROM and TO say so, ns from the start.
 * Prints how many threads and nodes there are, and ends with 1 where something differs.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "layout/cs-flame-layout.h"
#include "profile/cs-thread-tree.h"

static void
check (gboolean right, const char *what, guint at)
{
  if (right)
    return;
  printf ("%s differs at %u\n", what, at);
  exit (1);
}

static gboolean
is_thread (const CsCallNode *node)
{
  return cs_call_node_is_thread (node->function);
}

/* The nodes summed over threads by their paths are those of the merged tree. */
static void
check_sums (const CsCallNode *nodes, guint n, const CsCallNode *merged, guint n_merged)
{
  g_autofree guint32 *place = g_new0 (guint32, n);
  g_autofree CsCallNode *sums = g_new0 (CsCallNode, n_merged);

  for (guint i = 0; i < n_merged; i++)
    sums[i].first_ns = G_MAXINT64;
  for (guint i = 1; i < n; i++)
    {
      const CsCallNode *node = &nodes[i];
      guint32 to;

      check (node->parent < i, "order", i);
      check (is_thread (node) == (node->parent == 0), "place of a thread", i);
      if (is_thread (node))
        continue;
      for (to = merged[place[node->parent]].first_child; to != 0; to = merged[to].next_sibling)
        if (merged[to].function == node->function)
          break;
      check (to != 0, "path", i);
      place[i] = to;
      sums[to].calls += node->calls;
      sums[to].repaired += node->repaired;
      sums[to].open += node->open;
      sums[to].clipped += node->clipped;
      sums[to].incl += node->incl;
      sums[to].self += node->self;
      sums[to].first_ns = MIN (sums[to].first_ns, node->first_ns);
    }
  for (guint i = 1; i < n_merged; i++)
    {
      CsCallNode sum = sums[i];

      sum.parent = merged[i].parent;
      sum.first_child = merged[i].first_child;
      sum.next_sibling = merged[i].next_sibling;
      sum.function = merged[i].function;
      check (memcmp (&sum, &merged[i], sizeof sum) == 0, "sum", i);
    }
}

/* Siblings are linked in order, threads as their rows, whose time they have. */
static guint
check_threads (CsProfile *profile, const CsCallNode *nodes, guint n)
{
  guint n_rows, n_threads = 0, seen = 1;
  const CsThreadRow *rows = cs_profile_get_threads (profile, &n_rows);
  guint64 total = 0;
  guint64 *self = g_new0 (guint64, n_rows);

  for (guint32 i = nodes[0].first_child; i != 0; i = nodes[i].next_sibling, n_threads++)
    {
      guint32 next = nodes[i].next_sibling, row = nodes[i].function - CS_CALL_NODE_THREAD;

      check (row < n_rows && (next == 0 || nodes[next].function > nodes[i].function), "order of threads", i);
      check (nodes[i].incl == rows[row].self && nodes[i].calls == 0 && nodes[i].self == 0, "thread", i);
      check (nodes[i].first_ns == nodes[nodes[i].first_child].first_ns, "start of a thread", i);
      total += self[row] = nodes[i].incl;
    }
  for (guint i = 0; i < n_rows; i++)
    check (self[i] == rows[i].self, "thread without a node", i);
  for (guint i = 1; i < n; i++)
    seen += nodes[i].next_sibling == 0 || is_thread (&nodes[i]) ||
            nodes[nodes[i].next_sibling].first_ns >= nodes[i].first_ns;
  check (seen == n, "order of siblings", seen);
  check (total == cs_profile_get_totals (profile)->self && nodes[0].incl == total, "sum", 0);
  g_free (self);
  return n_threads;
}

static gboolean
match_any (guint function, gpointer data)
{
  return TRUE;
}

/* Flame graphs have the threads below the root and, over all of them, what those of the merged tree have. */
static void
check_layouts (CsProfile *profile, const CsCallNode *nodes, guint n, const CsCallNode *merged, guint n_merged)
{
  guint n_functions, n_rows;
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);
  const CsThreadRow *rows = cs_profile_get_threads (profile, &n_rows);
  g_autofree guint8 *marks = g_new0 (guint8, n_functions + 1);

  for (guint i = 0; i < n_functions; i++)
    marks[i] = i % 5 == 1 ? CS_FLAME_HIDE : CS_FLAME_KEEP;
  for (guint how = 0; how < 24; how++)
    {
      const CsFlameOptions options = { .kind = how & 1 ? CS_FLAME_CALLERS : CS_FLAME_CALL_TREE, .collapse = how >> 1 & 1,
                                       .marks = how >> 2 & 1 ? marks : NULL, .order = how >> 3 };
      g_autoptr (CsFlameLayout) whole = cs_flame_layout_new (&options, merged, n_merged, functions, n_functions, NULL);
      g_autoptr (CsFlameLayout) layout = cs_flame_layout_new (&options, nodes, n, functions, n_functions, NULL);
      g_autofree guint64 *widths = g_new0 (guint64, n_functions + 1), *whole_widths = g_new0 (guint64, n_functions + 1);
      g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));
      guint32 n_threads = 0;
      guint64 own = 0;
      CsFlameNode root, node;

      check (cs_flame_layout_get_total (layout) == cs_flame_layout_get_total (whole), "width", how);
      cs_flame_layout_get_node (layout, 0, &root);
      for (guint32 i = 1; i < cs_flame_layout_get_n_nodes (layout); i++)
        {
          cs_flame_layout_get_node (layout, i, &node);
          check (cs_call_node_is_thread (node.function) == (node.depth == 1), "row of a thread", how);
          if (node.depth == 1)
            {
              check (node.width == rows[node.function - CS_CALL_NODE_THREAD].self && node.calls == 0, "thread's width", how);
              n_threads++;
              own += node.self;
            }
          if (node.depth == 2)
            widths[node.function] += node.width;
        }
      check (root.n_children == n_threads, "threads", how);
      for (guint32 i = 1; i < cs_flame_layout_get_n_nodes (whole); i++)
        {
          cs_flame_layout_get_node (whole, i, &node);
          if (node.depth == 1)
            whole_widths[node.function] += node.width;
        }
      check (memcmp (widths, whole_widths, n_functions * sizeof *widths) == 0, "functions below threads", how);
      check (cs_flame_layout_search (layout, match_any, NULL, found) + own == root.width, "search", how);
      check (found->len == cs_flame_layout_get_n_nodes (layout) - 1 - n_threads, "what is found", how);
    }
}

int
main (int argc, char **argv)
{
  const char *const paths[] = { argc > 1 ? argv[1] : "", NULL };
  CsProfileOptions options = { 0 };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (CsRecording) recording = cs_recording_open (paths, NULL, &error);
  g_autoptr (CsProfile) profile = NULL;
  g_autoptr (CsThreadTree) tree = NULL;
  const CsCallNode *merged, *nodes;
  guint n_merged, n, n_threads;

  if (argc > 3)
    options.filter = (CsProfileFilter){ .has_from = TRUE, .has_to = TRUE, .relative = TRUE,
                                        .from = g_ascii_strtoll (argv[2], NULL, 10),
                                        .to = g_ascii_strtoll (argv[3], NULL, 10),
                                        .function = argc > 4 ? argv[4] : NULL };
  options.timeline = options.no_cache = argc == 4;
  if (recording != NULL)
    profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
  if (profile != NULL)
    tree = cs_thread_tree_new (profile, NULL, NULL, &error);
  if (tree == NULL)
    {
      printf ("%s\n", error->message);
      return 1;
    }
  merged = cs_profile_get_tree (profile, &n_merged);
  nodes = cs_thread_tree_get_nodes (tree, &n);
  check_sums (nodes, n, merged, n_merged);
  n_threads = check_threads (profile, nodes, n);
  check_layouts (profile, nodes, n, merged, n_merged);
  printf ("%u threads, %u nodes\n", n_threads, n);
  return 0;
}
