/* SPDX-License-Identifier: MIT */
/* graph-tool DIR [ctags|built-in|quiet]: the call graph of a source tree, a line an edge:
 * caller's file, line and name, the same of the callee, separated by tabs. Then how long it took on standard error. */
#include "config.h"

#include <stdio.h>
#include <time.h>

#include "selection/cs-call-graph.h"

static void
print_function (CsFunctionIndex *index, guint32 number)
{
  gsize n;
  const CsSourceFunction *function = &cs_function_index_get_functions (index, &n)[number];
  const CsSourceFile *file = g_ptr_array_index (cs_function_index_get_files (index), function->file);
  g_autofree char *name = cs_function_dup_qualified_name (function);

  printf ("%s\t%u\t%s", file->path, function->line, name);
}

static void
print_edges (CsFunctionIndex *index, CsCallGraph *graph)
{
  gsize n, n_callees;

  cs_function_index_get_functions (index, &n);
  for (guint32 i = 0; i < n; i++)
    {
      const guint32 *callees = cs_call_graph_get_callees (graph, i, &n_callees);

      for (gsize j = 0; j < n_callees; j++)
        {
          print_function (index, i);
          putchar ('\t');
          print_function (index, callees[j]);
          putchar ('\n');
        }
    }
}

int
main (int argc, char **argv)
{
  const char *how = argc > 2 ? argv[2] : "ctags";
  CsScanOptions options = { .built_in = g_str_equal (how, "built-in") };
  g_autoptr (GError) error = NULL;
  g_autoptr (CsSourceTree) tree = NULL;
  g_autoptr (CsFunctionIndex) index = NULL;
  g_autoptr (CsCallGraph) graph = NULL;
  g_autofree CsReached *reached = NULL;
  guint32 first;
  gint64 start, made, expanded;
  clock_t used;
  gsize n, n_reached;

  if (argc < 2)
    return 2;
  if ((tree = cs_source_tree_new_sync (argv[1], NULL, &error)) == NULL ||
      (index = cs_function_index_new_sync (tree, &options, NULL, &error)) == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  start = g_get_monotonic_time ();
  used = clock ();
  graph = cs_call_graph_new_sync (index, NULL, &error);
  made = g_get_monotonic_time ();
  used = clock () - used;
  if (graph == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  if (!g_str_equal (how, "quiet"))
    print_edges (index, graph);
  cs_function_index_get_functions (index, &n);
  expanded = g_get_monotonic_time ();
  for (first = 0; first + 1 < n && (cs_call_graph_get_callees (graph, first, &n_reached), n_reached == 0);)
    first++;
  reached = cs_call_graph_expand (graph, &first, n > 0, -1, &n_reached);
  fprintf (stderr, "%" G_GSIZE_FORMAT " functions in %u files: graph %.3f s (%.3f s of processors), from the first one that calls %" G_GSIZE_FORMAT
                   " are reached in %.3f s\n",
           n, cs_function_index_get_files (index)->len, (double) (made - start) / 1e6,
           (double) used / CLOCKS_PER_SEC, n_reached,
           (double) (g_get_monotonic_time () - expanded) / 1e6);
  return 0;
}
