/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "tables/cs-function-edges.h"
#include "shared/cs-format.h"
#include "tables/cs-function-columns.h"

static void
clear_edge (gpointer data)
{
  CsFunctionEdge *edge = data;

  g_ptr_array_unref (edge->sites);
}

static int
compare_callers (gconstpointer a, gconstpointer b)
{
  const CsFunctionEdge *x = a, *y = b;

  if (x->calls != y->calls)
    return x->calls > y->calls ? -1 : 1;
  return x->function < y->function ? -1 : x->function > y->function;
}

static int
compare_callees (gconstpointer a, gconstpointer b)
{
  const CsFunctionEdge *x = a, *y = b;

  if (x->incl != y->incl)
    return x->incl > y->incl ? -1 : 1;
  return x->function < y->function ? -1 : x->function > y->function;
}

static int
compare_sites (gconstpointer a, gconstpointer b)
{
  const CsCallSite *x = *(const CsCallSite *const *) a, *y = *(const CsCallSite *const *) b;

  if (x->calls != y->calls)
    return x->calls > y->calls ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* A call site knows by name which function it lies in. */
static void
add_sites (GArray *edges, CsProfile *profile, guint function, gboolean callees)
{
  guint n, n_functions;
  const CsCallSite *sites = cs_profile_get_call_sites (profile, &n);
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < edges->len; j++)
      {
        CsFunctionEdge *edge = &g_array_index (edges, CsFunctionEdge, j);
        guint callee = callees ? edge->function : function;
        guint caller = callees ? function : edge->function;

        if (sites[i].callee != callee)
          {
            if (!callees)
              break;
            continue;
          }
        if (caller < n_functions && g_str_equal (sites[i].location.name, functions[caller].location.name)
            && g_strcmp0 (sites[i].location.module, functions[caller].location.module) == 0)
          g_ptr_array_add (edge->sites, (gpointer) &sites[i]);
      }
  for (guint i = 0; i < edges->len; i++)
    g_ptr_array_sort (g_array_index (edges, CsFunctionEdge, i).sites, compare_sites);
}

/**
 * cs_function_edges_list:
 * @profile: a profile
 * @function: index of a function in it
 * @callees: whether to list what it calls, and not what calls it
 *
 * Returns: (transfer full) (element-type CsFunctionEdge): its callers, those of most calls first, or its callees, those
 *   of most time first
 */
GArray *
cs_function_edges_list (CsProfile *profile, guint function, gboolean callees)
{
  guint n, n_functions;
  g_autofree CsCallEdge *edges = callees ? cs_profile_dup_callees (profile, function, &n)
                                         : cs_profile_dup_callers (profile, function, &n);
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);
  GArray *list = g_array_sized_new (FALSE, FALSE, sizeof (CsFunctionEdge), n);
  guint64 calls = 0, incl = functions[function].incl;

  g_array_set_clear_func (list, clear_edge);
  for (guint i = 0; i < n; i++)
    calls += edges[i].calls;
  for (guint i = 0; i < n; i++)
    {
      CsFunctionEdge edge = { callees ? edges[i].callee : edges[i].caller, edges[i].calls, edges[i].incl,
                              callees ? edges[i].incl : edges[i].calls, callees ? incl : calls, g_ptr_array_new () };

      g_array_append_val (list, edge);
    }
  g_array_sort (list, callees ? compare_callees : compare_callers);
  add_sites (list, profile, function, callees);
  return list;
}

/**
 * cs_function_edge_dup_sites:
 * @self: a caller or callee
 * @most: how many call sites to tell
 *
 * Returns: (transfer full): where the calls are, with their shares where there are several: "qs.c:31 71 %, qs.c:35 29 %";
 *   empty where nothing is known
 */
char *
cs_function_edge_dup_sites (const CsFunctionEdge *self, guint most)
{
  GString *text = g_string_new (NULL);
  guint shown = MIN (self->sites->len, most);
  guint64 all = 0;

  for (guint i = 0; i < self->sites->len; i++)
    all += ((const CsCallSite *) self->sites->pdata[i])->calls;
  for (guint i = 0; i < shown; i++)
    {
      const CsCallSite *site = self->sites->pdata[i];
      g_autofree char *file = site->location.file != NULL ? g_path_get_basename (site->location.file) : NULL;
      g_autofree char *valid = file != NULL ? g_utf8_make_valid (file, -1) : NULL;
      g_autofree char *share = cs_format_share (site->calls, all);

      if (valid == NULL)
        continue;
      if (text->len > 0)
        g_string_append (text, ", ");
      g_string_append_printf (text, "%s:%u", valid, site->location.line);
      if (self->sites->len > 1)
        g_string_append_printf (text, " %s", share);
    }
  if (shown < self->sites->len && text->len > 0)
    g_string_append_printf (text, _(" and %u more"), self->sites->len - shown);
  return g_string_free (text, FALSE);
}
