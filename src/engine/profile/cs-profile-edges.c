/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-profile-builder.h"

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const CsCallEdge *x = a, *y = b;

  if (x->callee != y->callee)
    return x->callee < y->callee ? -1 : 1;
  return x->caller < y->caller ? -1 : x->caller > y->caller;
}

/**
 * cs_profile_data_build_edges:
 * @data: a profile with its functions and its tree
 *
 * Sums the tree by caller and callee.
 */
void
cs_profile_data_build_edges (CsProfileData *data)
{
  /* Its call sites are what is wanted: a table by two numbers. */
  g_autoptr (CsPassCounts) table = cs_pass_counts_new (NULL, NULL, 0);
  CsCallEdge *edges = NULL;
  guint32 size = 0;

  for (guint32 i = 1; i < data->n_nodes; i++)
    {
      const CsCallNode *node = &data->nodes[i];
      guint caller = node->parent != 0 ? data->nodes[node->parent].function : G_MAXUINT;
      guint32 index = cs_pass_counts_add_site (table, node->function, caller, CS_PASS_NO_ADDRESS);

      if (index == size)
        {
          size = MAX (64, size * 2);
          edges = g_renew (CsCallEdge, edges, size);
        }
      if (index == data->n_edges)
        edges[data->n_edges++] = (CsCallEdge){ .caller = caller, .callee = node->function };
      edges[index].calls += node->calls;
      edges[index].incl += node->incl;
      edges[index].self += node->self;
    }
  if (data->n_edges > 0)
    qsort (edges, data->n_edges, sizeof *edges, compare_edges);
  data->edges = edges;
  for (guint i = 0; i < data->n_edges; i++)
    if (edges[i].caller != G_MAXUINT)
      {
        data->functions[edges[i].callee].n_callers++;
        data->functions[edges[i].caller].n_callees++;
      }
}

static int
compare_by_incl (gconstpointer a, gconstpointer b)
{
  const CsCallEdge *x = a, *y = b;

  if (x->incl != y->incl)
    return x->incl < y->incl ? 1 : -1;
  return compare_edges (a, b);
}

/* The first edge of a callee, or behind where it would be. */
static guint
find_callee (const CsCallEdge *edges, guint n, guint callee)
{
  guint lo = 0, hi = n;

  while (lo < hi)
    {
      guint middle = lo + (hi - lo) / 2;

      if (edges[middle].callee < callee)
        lo = middle + 1;
      else
        hi = middle;
    }
  return lo;
}

static CsCallEdge *
dup_edges (const CsCallEdge *edges, guint n_edges, guint function, gboolean callers, guint *n)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (CsCallEdge));
  guint first = callers ? find_callee (edges, n_edges, function) : 0;

  for (guint i = first; i < n_edges && (!callers || edges[i].callee == function); i++)
    if (callers || edges[i].caller == function)
      g_array_append_val (found, edges[i]);
  g_array_sort (found, compare_by_incl);
  *n = found->len;
  return (CsCallEdge *) (gpointer) g_array_free (found, FALSE);
}

/**
 * cs_profile_dup_callers:
 * @self: a profile
 * @function: index of a function
 * @n: (out): how many
 *
 * Returns: (transfer full) (array length=n): what calls @function, most inclusive time of
 *   these calls first
 */
CsCallEdge *
cs_profile_dup_callers (CsProfile *self, guint function, guint *n)
{
  guint n_edges;
  const CsCallEdge *edges = cs_profile_get_edges (self, &n_edges);

  return dup_edges (edges, n_edges, function, TRUE, n);
}

/**
 * cs_profile_dup_callees:
 * @self: a profile
 * @function: index of a function
 * @n: (out): how many
 *
 * Returns: (transfer full) (array length=n): what @function calls, most inclusive time of
 *   these calls first
 */
CsCallEdge *
cs_profile_dup_callees (CsProfile *self, guint function, guint *n)
{
  guint n_edges;
  const CsCallEdge *edges = cs_profile_get_edges (self, &n_edges);

  return dup_edges (edges, n_edges, function, FALSE, n);
}
