/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-report-paths.h"
#include "report/cs-report-private.h"

/* The profile format of Callgrind, for KCachegrind and callgrind_annotate. Costs are ns and calls.
 *
 * Readers take a function's inclusive cost from its callers' call lines. A call inside another one
 * of the same function is therefore counted there but costs nothing: its time is in the outermost
 * one, and inclusive sums are the reports' `total`. What threads began with is called by a function
 * that stands for them, so that all of this holds for it too.
 *
 * Calls are all that cost something, also those that are open or clipped: what follows `calls=0' would be read as
 * the caller's own cost. */

#define ROOT G_MAXUINT32 /* that function */
#define ROOT_NAME "(threads)"

/* All calls of one function by another. */
typedef struct
{
  guint32 caller; /* function index, or ROOT */
  guint32 callee;
  guint64 count;
  guint64 time, calls; /* inclusive costs */
} Edge;

/* Names are numbered where they come first. */
typedef struct
{
  CsReportWriter *writer;
  const CsFunction *functions;
  const CsCallSite *sites;
  guint32 *sites_from; /* by function: the first of its call sites in `site_order' */
  guint32 *site_order; /* indices in `sites', by callee */
  GHashTable *files, *modules; /* name → number */
  guint8 *named;       /* by function: its name has been told */
} Callgrind;

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Edge *x = a, *y = b;

  if (x->caller != y->caller)
    return x->caller < y->caller ? -1 : 1;
  return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static Edge *
find_edge (GArray *edges, GHashTable *index, guint32 caller, guint32 callee)
{
  guint64 key = (guint64) caller << 32 | callee;
  gpointer known = g_hash_table_lookup (index, &key);

  if (known == NULL)
    {
      Edge edge = { .caller = caller, .callee = callee };

      g_array_append_val (edges, edge);
      known = GUINT_TO_POINTER (edges->len);
      g_hash_table_insert (index, g_memdup2 (&key, sizeof key), known);
    }
  return &g_array_index (edges, Edge, GPOINTER_TO_UINT (known) - 1);
}

static void
add_call (GArray *edges, GHashTable *index, const CsCallNode *nodes, guint32 i, gboolean outermost, guint64 time,
          guint64 calls)
{
  guint32 caller = nodes[i].parent == 0 ? ROOT : nodes[nodes[i].parent].function;
  Edge *edge = find_edge (edges, index, caller, nodes[i].function);

  edge->count += nodes[i].calls + nodes[i].open + nodes[i].clipped;
  if (outermost)
    {
      edge->time += time;
      edge->calls += calls;
    }
}

static guint64 *
dup_calls (const CsCallNode *nodes, guint n)
{
  guint64 *calls = g_new0 (guint64, n);

  for (guint i = n - 1; i > 0; i--)
    {
      calls[i] += nodes[i].calls + nodes[i].open + nodes[i].clipped;
      calls[nodes[i].parent] += calls[i];
    }
  return calls;
}

/* Returns: (element-type Edge): who called whom, by caller. */
static GArray *
make_edges (const CsCallNode *nodes, guint n, guint n_functions)
{
  g_autofree guint64 *time = cs_report_dup_times (nodes, n);
  g_autofree guint64 *calls = dup_calls (nodes, n);
  g_autofree guint32 *open = g_new0 (guint32, n_functions + 1); /* frames of each function on the path */
  g_autoptr (GHashTable) index = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  guint32 node = nodes[0].first_child;

  while (node != 0)
    {
      add_call (edges, index, nodes, node, open[nodes[node].function] == 0, time[node], calls[node]);
      if (nodes[node].first_child != 0)
        {
          open[nodes[node].function]++;
          node = nodes[node].first_child;
          continue;
        }
      while (node != 0 && nodes[node].next_sibling == 0)
        {
          node = nodes[node].parent;
          if (node != 0)
            open[nodes[node].function]--;
        }
      node = nodes[node].next_sibling;
    }
  g_array_sort (edges, compare_edges);
  return edges;
}

/* `key=(number) name', the name the first time only. */
static void
put_name (CsReportWriter *writer, GHashTable *known, const char *key, const char *name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (known, name));

  if (number != 0)
    {
      cs_report_writer_printf (writer, "%s=(%u)\n", key, number);
      return;
    }
  number = g_hash_table_size (known) + 1;
  g_hash_table_insert (known, (gpointer) name, GUINT_TO_POINTER (number));
  cs_report_writer_printf (writer, "%s=(%u) ", key, number);
  cs_report_writer_put_plain (writer, name, ';');
  cs_report_writer_puts (writer, "\n");
}

/* A function as `ob', `fl' and `fn', or with the `c' of a callee. */
static void
put_function (Callgrind *self, guint32 function, gboolean called)
{
  const CsLocation *location = &self->functions[function].location;

  put_name (self->writer, self->modules, called ? "cob" : "ob", location->module != NULL ? location->module : "???");
  put_name (self->writer, self->files, called ? "cfi" : "fl", location->file != NULL ? location->file : "???");
  cs_report_writer_printf (self->writer, "%sfn=(%u)", called ? "c" : "", function + 1);
  if (!self->named[function])
    {
      cs_report_writer_puts (self->writer, " ");
      cs_report_writer_put_plain (self->writer, location->name, ';');
      self->named[function] = TRUE;
    }
  cs_report_writer_puts (self->writer, "\n");
}

static void
put_call (Callgrind *self, const Edge *edge, guint line, guint64 count, guint64 time, guint64 calls)
{
  put_function (self, edge->callee, TRUE);
  cs_report_writer_printf (self->writer,
                           "calls=%" G_GUINT64_FORMAT " %u\n%u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                           count, self->functions[edge->callee].location.line, line, time, calls);
}

/* Whether a call site lies in a function, and not in what is inlined in it from another file. */
static gboolean
lies_in (const CsCallSite *site, const CsLocation *caller)
{
  return site->location.line > 0 && caller->file != NULL && g_strcmp0 (site->location.file, caller->file) == 0 &&
         g_str_equal (site->location.name, caller->name) && g_strcmp0 (site->location.module, caller->module) == 0;
}

/* One line a call site where it is known what each of them cost: there is one, or what is called
 * calls nothing itself. Otherwise one line, that of the caller. */
static void
put_edge (Callgrind *self, const Edge *edge)
{
  static const CsLocation unknown = { 0 };
  const CsLocation *caller = edge->caller != ROOT ? &self->functions[edge->caller].location : &unknown;
  guint32 from = self->sites_from[edge->callee], to = self->sites_from[edge->callee + 1];
  guint64 count = 0, time = 0;
  guint n = 0;

  for (guint32 i = from; i < to; i++)
    {
      const CsCallSite *site = &self->sites[self->site_order[i]];

      if (!lies_in (site, caller))
        continue;
      n++;
      count += site->calls + site->open + site->clipped;
      time += site->incl;
    }
  if (n == 0 || count != edge->count || time != edge->time || (n > 1 && edge->calls != edge->count))
    {
      put_call (self, edge, caller->line, edge->count, edge->time, edge->calls);
      return;
    }
  for (guint32 i = from; i < to; i++)
    {
      const CsCallSite *site = &self->sites[self->site_order[i]];
      guint64 own = site->calls + site->open + site->clipped;

      if (lies_in (site, caller))
        put_call (self, edge, site->location.line, own, site->incl, n > 1 ? own : edge->calls);
    }
}

/* Orders call sites by what they call. */
static void
order_sites (Callgrind *self, guint n_functions, guint n)
{
  self->sites_from = g_new0 (guint32, n_functions + 2);
  self->site_order = g_new (guint32, n + 1);
  for (guint i = 0; i < n; i++)
    self->sites_from[self->sites[i].callee + 2]++;
  for (guint i = 2; i < n_functions + 2; i++)
    self->sites_from[i] += self->sites_from[i - 1];
  for (guint i = 0; i < n; i++)
    self->site_order[self->sites_from[self->sites[i].callee + 1]++] = i;
}

static void
put_header (CsReportWriter *writer, CsProfile *profile, const CsReportOptions *options)
{
  GPtrArray *processes = cs_recording_get_processes (cs_profile_get_recording (profile));
  const CsProcess *process = processes->len > 0 ? g_ptr_array_index (processes, 0) : NULL;
  const char *const *notices = cs_report_get_notices (profile, options);

  cs_report_writer_puts (writer, "# callgrind format\nversion: 1\ncreator: callsight " CS_VERSION "\n");
  if (processes->len == 1)
    cs_report_writer_printf (writer, "pid: %u\n", process->pid);
  if (process != NULL && process->section != NULL && process->section->exe != NULL)
    {
      cs_report_writer_puts (writer, "cmd: ");
      cs_report_writer_put_plain (writer, process->section->exe, ';');
      cs_report_writer_puts (writer, "\n");
    }
  for (guint i = 0; notices[i] != NULL; i++)
    {
      cs_report_writer_puts (writer, "desc: ! ");
      cs_report_writer_put_plain (writer, notices[i], ';');
      cs_report_writer_puts (writer, "\n");
    }
  cs_report_writer_puts (writer, "positions: line\nevent: ns : Time (ns)\nevent: calls : Calls\nevents: ns calls\n");
}

static void
put_functions (Callgrind *self, guint n, const GArray *edges)
{
  guint next = 0;

  for (guint i = 0; i < n && !cs_report_writer_should_stop (self->writer); i++)
    {
      const CsFunction *function = &self->functions[i];

      cs_report_writer_puts (self->writer, "\n");
      put_function (self, i, FALSE);
      cs_report_writer_printf (self->writer, "%u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", function->location.line,
                               function->self, function->calls + function->open + function->clipped);
      for (; next < edges->len && g_array_index (edges, Edge, next).caller == i; next++)
        put_edge (self, &g_array_index (edges, Edge, next));
    }
  if (next == edges->len)
    return;
  cs_report_writer_puts (self->writer, "\n");
  put_name (self->writer, self->modules, "ob", "???");
  put_name (self->writer, self->files, "fl", "???");
  cs_report_writer_printf (self->writer, "fn=(%u) " ROOT_NAME "\n0 0 0\n", n + 1);
  for (; next < edges->len; next++)
    put_edge (self, &g_array_index (edges, Edge, next));
}

/**
 * cs_report_write_callgrind:
 * @profile: what to report; with call sites, calls have their lines
 * @options: notices
 * @writer: where to
 *
 * Writes functions, who called whom, and where.
 *
 * Returns: whether it wasn't cancelled
 */
gboolean
cs_report_write_callgrind (CsProfile *profile, const CsReportOptions *options, CsReportWriter *writer)
{
  const CsProfileTotals *totals = cs_profile_get_totals (profile);
  guint n_functions, n_nodes, n_sites;
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);
  const CsCallNode *nodes = cs_profile_get_tree (profile, &n_nodes);
  g_autoptr (GArray) edges = make_edges (nodes, n_nodes, n_functions);
  g_autoptr (GHashTable) files = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) modules = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree guint8 *named = g_new0 (guint8, n_functions + 1);
  Callgrind self = { .writer = writer, .functions = functions, .files = files, .modules = modules, .named = named,
                     .sites = cs_profile_get_call_sites (profile, &n_sites) };
  guint64 calls = 0;

  order_sites (&self, n_functions, n_sites);
  for (guint i = 0; i < n_functions; i++)
    calls += functions[i].calls + functions[i].open + functions[i].clipped;
  put_header (writer, profile, options);
  put_functions (&self, n_functions, edges);
  cs_report_writer_printf (writer, "\ntotals: %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", totals->self, calls);
  g_free (self.sites_from);
  g_free (self.site_order);
  return !cs_report_writer_should_stop (writer);
}
