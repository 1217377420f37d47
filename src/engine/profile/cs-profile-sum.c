/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "profile/cs-profile-builder.h"
#include "profile/cs-profile-nodes.h"

/* Of a function that has nothing to be counted. */
#define NO_LOCATION G_MAXUINT

/* What is being summed up. In `all`, the address of a function, call site or node is the
 * number of its location, so that processes with the same file at different places meet. */
typedef struct
{
  CsProfileData *data;
  CsRecording *recording;
  const CsProfileOptions *options;
  CsLocations *locations;
  CsPassCounts *all;
  GArray *n_threads; /* guint, by function of `all` */
  GArray *last_thread; /* guint, by function of `all`: serial number of the one counted last */
  guint *rank;         /* by function of `all`: its place in the profile */
  guint32 *place;      /* by node of `all`: its place in the profile */
} Builder;

/* Adds a function's longest calls; those of nodes as `all' has them. */
static void
merge_slowest (CsPassCounts *all, CsPassFunction *to, const CsPassFunction *from, const guint32 *node_of)
{
  for (guint i = 0; i < from->n_slowest; i++)
    {
      CsPassSlowCall call = from->slowest[i];

      call.node = node_of[call.node];
      cs_pass_counts_note_slow (all, to, &call);
    }
}

/* `node_of' tells which nodes of `all' those of the counts have become. */
static void
merge_functions (Builder *builder, const CsPassCounts *counts, const guint *locations, const guint32 *node_of)
{
  CsPassCounts *all = builder->all;

  for (guint32 i = 0; i < counts->function_table.n; i++)
    {
      const CsPassFunction *from = &counts->functions[i];
      const CsModule *module;
      CsPassFunction *to;
      guint64 address;
      guint32 index;

      if (locations[i] == NO_LOCATION)
        continue;
      index = cs_pass_counts_add_function (all, locations[i]);
      to = &all->functions[index];
      to->min = MIN (to->min, from->min);
      to->max = MAX (to->max, from->max);
      to->squares += from->squares;
      merge_slowest (all, to, from, node_of);
      cs_histogram_merge (&to->histogram, &from->histogram);
      address = cs_pass_counts_untag (counts, from->address, &module);
      cs_profile_data_note (builder->data, counts->process->index, module, address, index);
    }
}

/* Counts the threads that called each function: once, though the function may have lain at
 * several addresses. */
static void
merge_threads (Builder *builder, const CsTrackPass *pass, const CsPassCounts *counts, const guint *locations)
{
  g_array_set_size (builder->n_threads, builder->all->function_table.n);
  g_array_set_size (builder->last_thread, builder->all->function_table.n);
  for (guint i = 0; i < pass->threads->len; i++)
    {
      const CsPassThread *thread = g_ptr_array_index (pass->threads, i);

      for (guint32 f = 0; thread->process == counts->process && f < thread->called->len * 8; f++)
        {
          guint32 index;
          guint *last;

          if ((thread->called->data[f / 8] & (1 << f % 8)) == 0)
            continue;
          index = cs_pass_counts_add_function (builder->all, locations[f]);
          last = &g_array_index (builder->last_thread, guint, index);
          g_array_index (builder->n_threads, guint, index) += *last != thread->serial;
          *last = thread->serial;
        }
    }
}

/* Numbers the functions that count. */
static guint *
intern_functions (Builder *builder, const CsPassCounts *counts)
{
  guint *locations = g_new (guint, counts->function_table.n + 1);

  for (guint32 i = 0; i < counts->function_table.n; i++)
    locations[i] = NO_LOCATION;
  for (guint32 i = 1; i < counts->node_table.n; i++)
    {
      guint32 function = counts->nodes[i].function;

      if (locations[function] == NO_LOCATION && cs_profile_node_counts (counts, i))
        locations[function] = cs_locations_intern (builder->locations, counts, counts->functions[function].address);
    }
  return locations;
}

static void
merge_sites (Builder *builder, const CsPassCounts *counts)
{
  CsPassCounts *all = builder->all;

  for (guint32 i = 0; i < counts->site_table.n; i++)
    {
      const CsPassSite *from = &counts->sites[i];
      guint function, caller;
      guint64 inside;
      guint32 index;
      CsPassSite *to;

      if (from->calls + from->open + from->clipped == 0)
        continue;
      function = cs_locations_intern (builder->locations, counts, from->function);
      caller = cs_locations_intern (builder->locations, counts, from->caller);
      inside = from->inside != CS_PASS_NO_ADDRESS ? cs_locations_intern (builder->locations, counts, from->inside)
                                                  : CS_PASS_NO_ADDRESS;
      /* Of what is inlined it isn't known which line calls: copies in one function are one call site. */
      index = cs_pass_counts_add_site (all, function, inside != CS_PASS_NO_ADDRESS ? inside : caller, inside);
      to = &all->sites[index];
      to->calls += from->calls;
      to->open += from->open;
      to->clipped += from->clipped;
      to->incl += from->incl;
    }
}

/* Adds up what the workers counted; their counts are freed on the way. */
static gboolean
merge (Builder *builder, GPtrArray *passes, GCancellable *cancellable)
{
  for (guint i = 0; i < passes->len; i++)
    {
      const CsTrackPass *pass = g_ptr_array_index (passes, i);

      for (guint process = 0; process < pass->counts->len; process++)
        {
          g_autoptr (CsPassCounts) counts = g_steal_pointer (&pass->counts->pdata[process]);
          g_autofree guint *locations = NULL;
          g_autofree guint32 *node_of = NULL;

          if (g_cancellable_is_cancelled (cancellable))
            return FALSE;
          if (counts == NULL)
            continue;
          locations = intern_functions (builder, counts);
          node_of = cs_profile_merge_nodes (builder->all, counts, locations);
          merge_functions (builder, counts, locations, node_of);
          merge_threads (builder, pass, counts, locations);
          if (builder->options->call_sites)
            merge_sites (builder, counts);
        }
    }
  return TRUE;
}

/* Sums the tree's nodes by function; `total` leaves out nodes below one of the same function. */
static void
sum_tree (Builder *builder)
{
  CsProfileData *data = builder->data;
  g_autofree guint32 *on_path = g_new0 (guint32, data->n_functions + 1);
  const CsCallNode *nodes = data->nodes;

  for (guint32 i = cs_profile_next_node (nodes, 0, on_path); i != 0; i = cs_profile_next_node (nodes, i, on_path))
    {
      CsFunction *function = &data->functions[nodes[i].function];

      function->calls += nodes[i].calls;
      function->repaired += nodes[i].repaired;
      function->recorded += nodes[i].calls - nodes[i].repaired;
      function->open += nodes[i].open;
      function->clipped += nodes[i].clipped;
      function->incl += nodes[i].incl;
      function->sum += nodes[i].incl - builder->all->node_rests[i].unrecorded;
      function->self += nodes[i].self;
      if (on_path[nodes[i].function]++ == 0)
        function->total += nodes[i].incl;
      data->nodes[0].incl += nodes[i].self;
    }
}

/* Mean and standard deviation of a function's recorded calls. The sum of the squared distances
 * from the mean's whole part is exact, as all of it is in integers; what wraps on the way comes back. */
static void
build_moments (CsFunction *function, unsigned __int128 squares)
{
  guint64 n = function->recorded;
  guint64 whole = n > 0 ? function->sum / n : 0;
  double rest, variance;

  if (n == 0)
    return;
  rest = (double) (function->sum % n) / (double) n;
  squares -= 2 * (unsigned __int128) whole * function->sum;
  squares += (unsigned __int128) whole * whole * n;
  variance = (double) squares / (double) n - rest * rest;
  function->mean = (double) whole + rest;
  function->deviation = sqrt (MAX (variance, 0));
}

static void
build_functions (Builder *builder)
{
  CsProfileData *data = builder->data;
  CsPassCounts *all = builder->all;

  data->n_functions = all->function_table.n;
  data->functions = g_new0 (CsFunction, data->n_functions);
  if (data->n_functions > 0)
    cs_locations_prepare (builder->locations, CS_NAME_FUNCTION, &all->functions->address, sizeof *all->functions,
                          data->n_functions);
  for (guint i = 0; i < data->n_functions; i++)
    {
      CsPassFunction *from = &all->functions[i];
      CsFunction *to = &data->functions[i];

      cs_locations_name (builder->locations, (guint) from->address, CS_NAME_FUNCTION, &to->location);
      to->min = from->min != G_MAXUINT64 ? from->min : 0;
      to->max = from->max;
      to->n_threads = g_array_index (builder->n_threads, guint, i);
      to->histogram = from->histogram;
      memset (&from->histogram, 0, sizeof from->histogram);
    }
}

static int
compare_locations (const CsLocation *a, const CsLocation *b)
{
  int order = strcmp (a->name, b->name);

  if (order == 0)
    order = g_strcmp0 (a->module, b->module);
  if (order == 0)
    order = a->address < b->address ? -1 : a->address > b->address;
  return order;
}

/**
 * cs_profile_compare_functions:
 * @x: a function
 * @y: another
 *
 * Orders functions as a profile has them.
 *
 * Returns: as strcmp()
 */
int
cs_profile_compare_functions (const CsFunction *x, const CsFunction *y)
{
  if (x->self != y->self)
    return x->self < y->self ? 1 : -1;
  if (x->incl != y->incl)
    return x->incl < y->incl ? 1 : -1;
  return compare_locations (&x->location, &y->location);
}

static int
compare_by_self (gconstpointer a, gconstpointer b, gpointer functions)
{
  const CsFunction *x = &((const CsFunction *) functions)[*(const guint *) a];
  const CsFunction *y = &((const CsFunction *) functions)[*(const guint *) b];

  return cs_profile_compare_functions (x, y);
}

/* Copies the longest calls. */
static void
build_slowest (Builder *builder)
{
  CsProfileData *data = builder->data;
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL); /* serial number → row */
  GArray *slowest = g_array_new (FALSE, FALSE, sizeof (CsSlowCall));

  for (guint i = 0; i < data->n_threads; i++)
    g_hash_table_insert (rows, GUINT_TO_POINTER (data->threads[i].serial), GUINT_TO_POINTER (i));
  for (guint i = 0; i < data->n_functions; i++)
    {
      const CsPassFunction *from = &builder->all->functions[i];
      CsFunction *to = &data->functions[builder->rank[i]];

      to->first_slowest = slowest->len;
      to->n_slowest = from->n_slowest;
      for (guint j = 0; j < from->n_slowest; j++)
        {
          const CsPassSlowCall *call = &from->slowest[j];
          CsSlowCall row = { .duration = call->duration, .start = call->start, .node = builder->place[call->node],
                             .thread = GPOINTER_TO_UINT (g_hash_table_lookup (rows, GUINT_TO_POINTER (call->thread))) };

          g_array_append_val (slowest, row);
        }
    }
  data->n_slowest = slowest->len;
  data->slowest = (CsSlowCall *) (gpointer) g_array_free (slowest, FALSE);
}

/* Puts functions in the order of their self time. */
static void
sort_functions (Builder *builder)
{
  CsProfileData *data = builder->data;
  guint n = data->n_functions;
  g_autofree guint *order = g_new (guint, n + 1);
  CsFunction *sorted = g_new (CsFunction, n);
  GHashTableIter iter;
  gpointer index;

  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) n, sizeof *order, compare_by_self, data->functions);
  for (guint i = 0; i < n; i++)
    {
      sorted[i] = data->functions[order[i]];
      builder->rank[order[i]] = i;
    }
  g_free (data->functions);
  data->functions = sorted;
  g_hash_table_iter_init (&iter, data->index);
  while (g_hash_table_iter_next (&iter, NULL, &index))
    g_hash_table_iter_replace (&iter, GUINT_TO_POINTER (builder->rank[GPOINTER_TO_UINT (index)] + 1));
}

static int
compare_sites (gconstpointer a, gconstpointer b)
{
  const CsCallSite *x = a, *y = b;

  if (x->incl != y->incl)
    return x->incl < y->incl ? 1 : -1;
  if (x->calls != y->calls)
    return x->calls < y->calls ? 1 : -1;
  if (x->callee != y->callee)
    return x->callee < y->callee ? -1 : 1;
  return compare_locations (&x->location, &y->location);
}

static gboolean
build_sites (Builder *builder, GCancellable *cancellable)
{
  CsProfileData *data = builder->data;
  const CsPassCounts *all = builder->all;

  data->n_sites = all->site_table.n;
  data->sites = g_new0 (CsCallSite, data->n_sites);
  if (data->n_sites > 0)
    cs_locations_prepare (builder->locations, CS_NAME_CALL_SITE, &all->sites->caller, sizeof *all->sites,
                          data->n_sites);
  for (guint i = 0; i < data->n_sites; i++)
    {
      const CsPassSite *from = &all->sites[i];
      CsCallSite *to = &data->sites[i];

      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      to->callee = builder->rank[cs_pass_counts_add_function (builder->all, from->function)];
      to->calls = from->calls;
      to->open = from->open;
      to->clipped = from->clipped;
      to->incl = from->incl;
      to->inlined = from->inside != CS_PASS_NO_ADDRESS;
      cs_locations_name (builder->locations, (guint) from->caller, to->inlined ? CS_NAME_FUNCTION : CS_NAME_CALL_SITE,
                         &to->location);
    }
  if (data->n_sites > 0)
    qsort (data->sites, data->n_sites, sizeof *data->sites, compare_sites);
  return TRUE;
}

/**
 * cs_profile_compare_threads:
 * @a: a CsThreadRow
 * @b: another
 *
 * Orders threads as a profile has them.
 *
 * Returns: as strcmp()
 */
int
cs_profile_compare_threads (gconstpointer a, gconstpointer b)
{
  const CsThreadRow *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  if (x->tid != y->tid)
    return x->tid < y->tid ? -1 : 1;
  return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void
add_thread (Builder *builder, const CsPassThread *from, CsThreadRow *to)
{
  CsProfileTotals *totals = &builder->data->totals;
  const char *name = cs_process_get_thread_name (from->process, from->tid, from->seq);

  *to = (CsThreadRow){ .process = from->process->index, .pid = from->process->pid,
                       .tid = from->tid, .seq = from->seq, .serial = from->serial,
                       .enters = from->enters - from->other_enters,
                       .exits = from->exits - from->other_exits, .unmatched = from->unmatched,
                       .repaired = from->repaired, .open = from->open, .clipped = from->clipped,
                       .clamped = from->clamped, .lost = from->lost - from->other_lost,
                       .first = from->first, .last = from->end, .self = from->busy };
  if (name != NULL)
    to->name = g_string_chunk_insert_const (builder->data->strings, name);

  totals->events += to->enters + to->exits;
  totals->unmatched += from->unmatched;
  totals->repaired += from->repaired;
  totals->open += from->open;
  totals->clipped += from->clipped;
  totals->clamped += from->clamped;
  totals->lost += to->lost;
  totals->first = MIN (totals->first, to->first);
  totals->last = MAX (totals->last, to->last);
  totals->self += from->busy;
}

static void
build_threads (Builder *builder, GPtrArray *passes)
{
  CsProfileData *data = builder->data;
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (CsThreadRow));

  for (guint i = 0; i < passes->len; i++)
    {
      const CsTrackPass *pass = g_ptr_array_index (passes, i);

      for (guint j = 0; j < pass->threads->len; j++)
        {
          g_array_set_size (rows, rows->len + 1);
          add_thread (builder, g_ptr_array_index (pass->threads, j), &g_array_index (rows, CsThreadRow, rows->len - 1));
        }
    }
  data->totals.origin = MIN (data->totals.origin, data->totals.first);
  g_array_sort (rows, cs_profile_compare_threads);
  if (data->done < 1 && data->timeline != NULL)
    {
      cs_partial_add_unread (data, builder->recording, rows);
      g_array_sort (rows, cs_profile_compare_threads);
    }
  data->n_threads = rows->len;
  data->threads = (CsThreadRow *) (gpointer) g_array_free (rows, FALSE);
}

static gboolean
sum_up (CsProfileData *data, CsRecording *recording, CsSymbolizer *symbolizer, const CsProfileOptions *options,
        GPtrArray *passes, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) n_threads = g_array_new (FALSE, TRUE, sizeof (guint));
  g_autoptr (GArray) last_thread = g_array_new (FALSE, TRUE, sizeof (guint));
  g_autoptr (CsPassCounts) all = cs_pass_counts_new (NULL, NULL, options->n_slowest);
  g_autoptr (CsLocations) locations = cs_locations_new (symbolizer, data->strings);
  g_autoptr (CsNotices) notices = cs_notices_new ();
  g_autofree guint *rank = NULL;
  g_autofree guint32 *place = NULL;
  Builder builder = { .data = data, .recording = recording, .options = options, .locations = locations,
                      .all = all, .n_threads = n_threads, .last_thread = last_thread };

  if (!merge (&builder, passes, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return FALSE;
    }
  rank = builder.rank = g_new (guint, all->function_table.n + 1);
  build_functions (&builder);
  data->n_nodes = all->node_table.n;
  data->nodes = cs_profile_build_nodes (all);
  sum_tree (&builder);
  for (guint i = 0; i < data->n_functions; i++)
    build_moments (&data->functions[i], all->functions[i].squares);
  sort_functions (&builder);
  for (guint32 i = 1; i < data->n_nodes; i++)
    data->nodes[i].function = rank[data->nodes[i].function];
  place = builder.place = cs_profile_sort_nodes (&data->nodes, data->n_nodes);
  cs_profile_data_build_edges (data);
  if (!build_sites (&builder, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return FALSE;
    }
  build_threads (&builder, passes);
  build_slowest (&builder);
  for (guint i = 0; i < passes->len; i++)
    cs_cuts_take (data->cuts, ((CsTrackPass *) passes->pdata[i])->cuts);
  cs_profile_add_notices (notices, recording, passes, data);
  data->notices = cs_profile_finish_notices (notices, symbolizer, locations);
  return TRUE;
}

/**
 * cs_profile_data_sum:
 * @data: a profile that has been set up, with what is known of landings
 * @recording: what was captured
 * @symbolizer: what names addresses; it is locked meanwhile
 * @options: what to hold
 * @passes: (element-type CsTrackPass): what was counted; the counts are used up
 * @cancellable: (nullable): to give up early
 * @error: where to say why there is no profile
 *
 * Sums up what passes counted. On failure @data can be cleared.
 *
 * Returns: whether it is complete
 */
gboolean
cs_profile_data_sum (CsProfileData *data, CsRecording *recording, CsSymbolizer *symbolizer,
                     const CsProfileOptions *options, GPtrArray *passes, GCancellable *cancellable, GError **error)
{
  gboolean complete;

  cs_symbolizer_lock (symbolizer);
  complete = sum_up (data, recording, symbolizer, options, passes, cancellable, error);
  cs_symbolizer_unlock (symbolizer);
  return complete;
}
