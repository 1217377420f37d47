/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-selection-private.h"
#include "selection/cs-subtree.h"

#define NOT_REACHED G_MAXUINT32

typedef struct
{
  CsSubtree *subtree;
  CsFunctionIndex *index;
  CsCallGraph *graph;
  guint32 *wanted;  /* by function: over how many calls it is reached; NOT_REACHED */
  guint32 *covered; /* the same of what the lines so far choose */
} Cover;

/* Adds a line, and what it chooses. @calls: from the subtree's seeds to the function that it names. */
static gboolean
add_line (Cover *self, const char *name, guint32 calls, GError **error)
{
  int depth = self->subtree->depth < 0 ? CS_DEPTH_FULL : self->subtree->depth - (int) calls;
  g_autoptr (GArray) seeds = cs_selection_find_seeds (self->index, name);
  g_autofree CsReached *reached = NULL;
  gsize n;

  if (!cs_trace_config_add (self->subtree->lines, CS_DIRECTIVE_INCLUDE_FUNC, name, depth, error))
    return FALSE;
  reached = cs_call_graph_expand_text (self->graph, (const guint32 *) (gpointer) seeds->data, seeds->len, depth, &n);
  for (gsize i = 0; i < n; i++)
    self->covered[reached[i].function] = MIN (self->covered[reached[i].function], calls + reached[i].depth);
  return TRUE;
}

/* The name that a line needs to name a function and, if that can be, no other. */
static char *
name_for_line (const CsFunctionIndex *index, const CsSourceFunction *function)
{
  gsize count;

  cs_function_index_find (index, function->name, &count);
  return count == 1 ? g_strdup (function->name) : cs_function_dup_qualified_name (function);
}

static int
compare_reached (gconstpointer a, gconstpointer b)
{
  const CsReached *x = a, *y = b;

  if (x->depth != y->depth)
    return x->depth < y->depth ? -1 : 1;
  return x->function < y->function ? -1 : x->function > y->function;
}

/* What the lines choose, which is what is wanted and what has the same names. */
static void
collect (Cover *self, gsize n_functions)
{
  CsSubtree *subtree = self->subtree;
  const CsSourceFunction *functions;
  g_autoptr (GHashTable) files = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) reached = g_array_new (FALSE, FALSE, sizeof (CsReached));

  functions = cs_function_index_get_functions (self->index, &n_functions);
  for (guint32 i = 0; i < n_functions; i++)
    if (self->covered[i] != NOT_REACHED)
      {
        CsReached one = { i, self->wanted[i] != NOT_REACHED ? self->wanted[i] : self->covered[i] };

        subtree->n_by_name += self->wanted[i] == NOT_REACHED;
        g_array_append_val (reached, one);
        g_hash_table_add (files, GUINT_TO_POINTER (functions[i].file));
      }
  g_array_sort (reached, compare_reached);
  subtree->n_files = g_hash_table_size (files);
  subtree->n_reached = reached->len;
  subtree->reached = (CsReached *) (gpointer) g_array_free (g_steal_pointer (&reached), FALSE);
}

static gboolean
cover (Cover *self, const CsReached *all, gsize n, GError **error)
{
  const CsSourceFunction *functions;
  gsize total;

  functions = cs_function_index_get_functions (self->index, &total);
  if (!add_line (self, self->subtree->name, 0, error))
    return FALSE;
  /* The nearest first: what it calls needs no line then. */
  for (gsize i = 0; i < n; i++)
    if (self->covered[all[i].function] == NOT_REACHED)
      {
        g_autofree char *name = name_for_line (self->index, &functions[all[i].function]);

        if (!add_line (self, name, all[i].depth, error))
          return FALSE;
      }
  collect (self, total);
  return TRUE;
}

/**
 * cs_subtree_new:
 * @index: functions
 * @graph: what they call
 * @name: a function's name, or any trailing part of its qualified name; all functions that have it are seeds
 * @depth: calls to follow, or %CS_DEPTH_FULL
 * @error: where to say that no function has that name, and which are near
 *
 * Finds what the seeds reach over at most @depth calls, and the lines of trace.config that choose it. Sources don't
 * tell of edges that were added to @graph, so that what is reached over these alone gets lines of its own.
 *
 * Returns: (transfer full) (nullable): the subtree; %NULL with %CS_SELECTION_ERROR_SEED
 */
CsSubtree *
cs_subtree_new (CsFunctionIndex *index, CsCallGraph *graph, const char *name, int depth, GError **error)
{
  g_autoptr (CsSubtree) self = g_new0 (CsSubtree, 1);
  g_autoptr (GArray) seeds = cs_selection_find_seeds (index, name);
  g_autofree CsReached *all = NULL;
  g_autofree guint32 *wanted = NULL;
  g_autofree guint32 *covered = NULL;
  Cover state = { self, index, graph, NULL, NULL };
  gsize n, total;

  if (seeds->len == 0)
    {
      g_autofree char *near = cs_selection_propose (index, name);

      g_set_error (error, CS_SELECTION_ERROR, CS_SELECTION_ERROR_SEED, "no function of the sources is named '%s'%s%s%s",
                   name, near != NULL ? " — did you mean " : "", near != NULL ? near : "", near != NULL ? "?" : "");
      return NULL;
    }
  self->name = g_strdup (name);
  self->depth = depth < 0 ? CS_DEPTH_FULL : depth;
  self->n_seeds = seeds->len;
  self->lines = cs_trace_config_new ();
  cs_function_index_get_functions (index, &total);
  state.wanted = wanted = g_new (guint32, total);
  state.covered = covered = g_new (guint32, total);
  for (gsize i = 0; i < total; i++)
    wanted[i] = covered[i] = NOT_REACHED;
  all = cs_call_graph_expand (graph, (const guint32 *) (gpointer) seeds->data, seeds->len, self->depth, &n);
  for (gsize i = 0; i < n; i++)
    wanted[all[i].function] = all[i].depth;
  return cover (&state, all, n, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * cs_subtree_free:
 * @self: (transfer full): a subtree
 */
void
cs_subtree_free (CsSubtree *self)
{
  g_free (self->name);
  g_free (self->reached);
  g_clear_pointer (&self->lines, cs_trace_config_free);
  g_free (self);
}
