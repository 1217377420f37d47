/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selection/cs-call-graph.h"
#include "selection/cs-call-scan.h"

/* Files that a worker takes at a time. */
#define FILES_AT_ONCE 8

struct _CsCallGraph
{
  gatomicrefcount references;
  CsCallSymbols *symbols;
  guint32 n;
  gsize *rows;      /* by function: where its callees begin; one more behind the last */
  guint32 *callees; /* functions, or n + a group of the symbols */
  GHashTable *added; /* function + 1 → GArray of callees */
  GHashTable *told; /* function + 1 → GArray: what cs_call_graph_get_callees() returned */
  GMutex lock;      /* of told */
  GPtrArray *warnings;
};

/* What the workers share. */
typedef struct
{
  const CsCallSymbols *symbols;
  GPtrArray *files;
  const char *root;
  GCancellable *cancellable;
  guint next; /* file; atomic */
} Work;

typedef struct
{
  Work *work;
  CsCallResolver resolver;
  GArray *unread; /* files */
} Worker;

/* The text of a file, if it is the one that was scanned for functions. */
static char *
read_source (const Work *work, const CsSourceFile *file)
{
  g_autofree char *path = g_build_filename (work->root, file->path, NULL);
  g_autofree char *text = NULL;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  gsize done = 0;
  struct stat st;

  if (fd < 0)
    return NULL;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && (guint64) st.st_size == file->size &&
      (gint64) st.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + st.st_mtim.tv_nsec == file->mtime_ns &&
      (text = g_try_malloc (file->size + 1)) != NULL)
    while (done < file->size)
      {
        gssize n = read (fd, text + done, file->size - done);

        if (n < 0 && errno == EINTR)
          continue;
        if (n <= 0)
          break;
        done += (gsize) n;
      }
  close (fd);
  return text != NULL && done == file->size ? g_steal_pointer (&text) : NULL;
}

static gpointer
run_worker (gpointer data)
{
  Worker *self = data;
  Work *work = self->work;
  guint first;

  while ((first = g_atomic_int_add (&work->next, FILES_AT_ONCE)) < work->files->len)
    for (guint i = first; i < MIN (first + FILES_AT_ONCE, work->files->len); i++)
      {
        const CsSourceFile *file = g_ptr_array_index (work->files, i);
        g_autofree char *text = NULL;
        gsize first_function, count;

        if (g_cancellable_is_cancelled (work->cancellable))
          return NULL;
        cs_function_index_get_of_file (work->symbols->index, i, &first_function, &count);
        if (count == 0)
          continue;
        text = read_source (work, file);
        if (text != NULL)
          cs_call_scan (&self->resolver, i, text, file->size);
        else
          g_array_append_val (self->unread, i);
      }
  return NULL;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

static void
sort_numbers (guint32 *numbers, gsize n)
{
  if (n > 16)
    {
      qsort (numbers, n, sizeof *numbers, compare_numbers);
      return;
    }
  for (gsize i = 1; i < n; i++)
    {
      guint32 number = numbers[i];
      gsize j = i;

      for (; j > 0 && numbers[j - 1] > number; j--)
        numbers[j] = numbers[j - 1];
      numbers[j] = number;
    }
}

/* Sorts numbers and drops doubles. Returns how many there are. */
static gsize
make_unique (guint32 *numbers, gsize n)
{
  gsize kept = 0;

  sort_numbers (numbers, n);
  for (gsize i = 0; i < n; i++)
    if (kept == 0 || numbers[kept - 1] != numbers[i])
      numbers[kept++] = numbers[i];
  return kept;
}

/* Rows of the workers' edges. */
static void
collect (CsCallGraph *self, const Worker *workers, guint n_workers)
{
  gsize total = 0, kept = 0;
  g_autofree gsize *ends = g_new0 (gsize, (gsize) self->n + 1);

  for (guint i = 0; i < n_workers; i++)
    for (guint j = 0; j < workers[i].resolver.edges->len; j++, total++)
      ends[g_array_index (workers[i].resolver.edges, CsCallEdgeFound, j).caller]++;
  for (gsize i = 0, at = 0; i <= self->n; i++)
    {
      gsize count = ends[i];

      ends[i] = at;
      at += count;
    }
  self->callees = g_new (guint32, total + 1);
  for (guint i = 0; i < n_workers; i++)
    for (guint j = 0; j < workers[i].resolver.edges->len; j++)
      {
        const CsCallEdgeFound *edge = &g_array_index (workers[i].resolver.edges, CsCallEdgeFound, j);

        self->callees[ends[edge->caller]++] = edge->callee;
      }
  for (gsize i = 0, at = 0; i < self->n; at = ends[i++])
    {
      gsize n = make_unique (self->callees + at, ends[i] - at);

      memmove (self->callees + kept, self->callees + at, n * sizeof *self->callees);
      self->rows[i] = kept;
      kept += n;
    }
  self->rows[self->n] = kept;
  self->callees = g_renew (guint32, self->callees, kept + 1);
}

static void
warn_of_unread (CsCallGraph *self, GPtrArray *files, const Worker *workers, guint n_workers)
{
  guint n = 0, least = G_MAXUINT;
  const CsSourceFile *file;

  for (guint i = 0; i < n_workers; i++)
    for (guint j = 0; j < workers[i].unread->len; j++, n++)
      least = MIN (least, g_array_index (workers[i].unread, guint, j));
  if (n == 0)
    return;
  file = g_ptr_array_index (files, least);
  if (n == 1)
    g_ptr_array_add (self->warnings,
                     g_strdup_printf ("%s changed or went while it was read; what it calls isn't known — try again",
                                      file->path));
  else
    g_ptr_array_add (self->warnings,
                     g_strdup_printf ("%u files, %s among them, changed or went while they were read; what they call "
                                      "isn't known — try again",
                                      n, file->path));
}

/**
 * cs_call_graph_new_sync:
 * @index: the functions of a source tree
 * @cancellable: (nullable): stops it
 * @error: where to say that it was stopped
 *
 * Reads the sources, on all processors, for what calls what. docs/call-graph.md tells what is found and what isn't.
 * Of files that aren't any more as they were scanned, no calls are known: cs_call_graph_get_warnings().
 *
 * Returns: (transfer full) (nullable): the graph
 */
CsCallGraph *
cs_call_graph_new_sync (CsFunctionIndex *index, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsCallGraph) self = g_new0 (CsCallGraph, 1);
  guint n_workers = g_get_num_processors ();
  g_autofree Worker *workers = g_new0 (Worker, n_workers);
  g_autofree GThread **threads = g_new0 (GThread *, n_workers);
  Work work = { .cancellable = cancellable };

  g_return_val_if_fail (index != NULL, NULL);
  g_atomic_ref_count_init (&self->references);
  g_mutex_init (&self->lock);
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  self->added = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->told = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->symbols = cs_call_symbols_new (index);
  self->n = self->symbols->n_functions;
  self->rows = g_new0 (gsize, (gsize) self->n + 1);
  work.symbols = self->symbols;
  work.files = cs_function_index_get_files (index);
  work.root = cs_function_index_get_root (index);
  for (guint i = 0; i < n_workers; i++)
    {
      workers[i].work = &work;
      workers[i].unread = g_array_new (FALSE, FALSE, sizeof (guint));
      cs_call_resolver_init (&workers[i].resolver, self->symbols);
      if (i > 0)
        threads[i] = g_thread_try_new ("call graph", run_worker, &workers[i], NULL);
    }
  run_worker (&workers[0]);
  for (guint i = 1; i < n_workers; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
  if (!g_cancellable_is_cancelled (cancellable))
    {
      collect (self, workers, n_workers);
      warn_of_unread (self, work.files, workers, n_workers);
    }
  g_ptr_array_add (self->warnings, NULL);
  for (guint i = 0; i < n_workers; i++)
    {
      cs_call_resolver_clear (&workers[i].resolver);
      g_array_unref (workers[i].unread);
    }
  return g_cancellable_set_error_if_cancelled (cancellable, error) ? NULL : g_steal_pointer (&self);
}

/**
 * cs_call_graph_ref:
 * @self: a graph
 *
 * Returns: (transfer full): @self
 */
CsCallGraph *
cs_call_graph_ref (CsCallGraph *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * cs_call_graph_unref:
 * @self: (transfer full): a graph
 */
void
cs_call_graph_unref (CsCallGraph *self)
{
  g_return_if_fail (self != NULL);
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_clear_pointer (&self->symbols, cs_call_symbols_free);
  g_hash_table_unref (self->added);
  g_hash_table_unref (self->told);
  g_ptr_array_unref (self->warnings);
  g_mutex_clear (&self->lock);
  g_free (self->rows);
  g_free (self->callees);
  g_free (self);
}

/**
 * cs_call_graph_get_warnings:
 * @self: a graph
 *
 * Returns: (transfer none) (array zero-terminated=1): sentences that tell what the graph lacks
 */
const char *const *
cs_call_graph_get_warnings (CsCallGraph *self)
{
  return (const char *const *) self->warnings->pdata;
}

static GArray *
find_added (const CsCallGraph *self, guint32 function)
{
  return g_hash_table_lookup (self->added, GSIZE_TO_POINTER ((gsize) function + 1));
}

/* All callees of a function, in their order. */
static GArray *
write_out (const CsCallGraph *self, guint32 function)
{
  GArray *callees = g_array_new (FALSE, FALSE, sizeof (guint32));
  const GArray *added = find_added (self, function);

  for (gsize i = self->rows[function]; i < self->rows[function + 1]; i++)
    if (self->callees[i] < self->n)
      g_array_append_val (callees, self->callees[i]);
    else
      g_array_append_vals (callees, self->symbols->shared + self->symbols->groups[self->callees[i] - self->n].first,
                           self->symbols->groups[self->callees[i] - self->n].count);
  if (added != NULL)
    g_array_append_vals (callees, added->data, added->len);
  g_array_set_size (callees, (guint) make_unique ((guint32 *) (gpointer) callees->data, callees->len));
  return callees;
}

/**
 * cs_call_graph_get_callees:
 * @self: a graph
 * @function: one of the index
 * @count: (out): how many
 *
 * Returns: (transfer none) (array length=count): what it calls, in the order of the index, each once; until an edge is
 *   added to it
 */
const guint32 *
cs_call_graph_get_callees (CsCallGraph *self, guint32 function, gsize *count)
{
  GArray *told;
  gsize first, end;

  g_return_val_if_fail (self != NULL && function < self->n, NULL);
  first = self->rows[function];
  end = self->rows[function + 1];
  /* Groups have the highest numbers. */
  if (find_added (self, function) == NULL && (first == end || self->callees[end - 1] < self->n))
    {
      *count = end - first;
      return self->callees + first;
    }
  g_mutex_lock (&self->lock);
  told = g_hash_table_lookup (self->told, GSIZE_TO_POINTER ((gsize) function + 1));
  if (told == NULL)
    {
      told = write_out (self, function);
      g_hash_table_insert (self->told, GSIZE_TO_POINTER ((gsize) function + 1), told);
    }
  g_mutex_unlock (&self->lock);
  *count = told->len;
  return (const guint32 *) (gconstpointer) told->data;
}

/**
 * cs_call_graph_add_edge:
 * @self: a graph that no other thread uses
 * @caller: a function of the index
 * @callee: what it calls too, as a recording saw, for instance
 *
 * Returns: whether the graph didn't have the edge
 */
gboolean
cs_call_graph_add_edge (CsCallGraph *self, guint32 caller, guint32 callee)
{
  GArray *added;
  const guint32 *callees;
  gsize count;

  g_return_val_if_fail (self != NULL && caller < self->n && callee < self->n, FALSE);
  callees = cs_call_graph_get_callees (self, caller, &count);
  if (count > 0 && bsearch (&callee, callees, count, sizeof *callees, compare_numbers) != NULL)
    return FALSE;
  added = find_added (self, caller);
  if (added == NULL)
    {
      added = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (self->added, GSIZE_TO_POINTER ((gsize) caller + 1), added);
    }
  g_array_append_val (added, callee);
  g_hash_table_remove (self->told, GSIZE_TO_POINTER ((gsize) caller + 1));
  return TRUE;
}

/* A search by breadth: what is reached, level by level. */
typedef struct
{
  guint8 *visited; /* functions and groups */
  GArray *reached; /* of CsReached */
  gboolean added;  /* edges that were added are followed too */
  guint32 depth;   /* of what is found now */
} Search;

static void
visit (Search *search, guint32 function)
{
  CsReached reached = { function, search->depth };

  if (search->visited[function])
    return;
  search->visited[function] = 1;
  g_array_append_val (search->reached, reached);
}

static void
visit_callees (const CsCallGraph *self, Search *search, guint32 function)
{
  const CsCallSymbols *symbols = self->symbols;
  const GArray *added = search->added ? find_added (self, function) : NULL;

  for (gsize i = self->rows[function]; i < self->rows[function + 1]; i++)
    {
      guint32 callee = self->callees[i];

      if (callee < self->n)
        visit (search, callee);
      else if (!search->visited[callee])
        {
          search->visited[callee] = 1;
          for (guint32 j = 0; j < symbols->groups[callee - self->n].count; j++)
            visit (search, symbols->shared[symbols->groups[callee - self->n].first + j]);
        }
    }
  for (guint i = 0; added != NULL && i < added->len; i++)
    visit (search, g_array_index (added, guint32, i));
}

static int
compare_reached (gconstpointer a, gconstpointer b)
{
  return compare_numbers (&((const CsReached *) a)->function, &((const CsReached *) b)->function);
}

static CsReached *
expand (const CsCallGraph *self, const guint32 *seeds, gsize n_seeds, int depth, gboolean added, gsize *count)
{
  Search search = { .reached = g_array_new (FALSE, FALSE, sizeof (CsReached)), .added = added };
  guint first = 0;

  search.visited = g_new0 (guint8, (gsize) self->n + self->symbols->n_groups + 1);
  for (gsize i = 0; i < n_seeds; i++)
    if (seeds[i] < self->n)
      visit (&search, seeds[i]);
  while (first < search.reached->len)
    {
      guint end = search.reached->len;

      qsort (&g_array_index (search.reached, CsReached, first), end - first, sizeof (CsReached), compare_reached);
      if (depth >= 0 && search.depth == (guint) depth)
        break;
      search.depth++;
      for (; first < end; first++)
        visit_callees (self, &search, g_array_index (search.reached, CsReached, first).function);
    }
  g_free (search.visited);
  *count = search.reached->len;
  return (CsReached *) (gpointer) g_array_free (search.reached, FALSE);
}

/**
 * cs_call_graph_expand:
 * @self: a graph
 * @seeds: (array length=n_seeds): functions of the index
 * @n_seeds: how many
 * @depth: how many calls to follow; %CS_DEPTH_FULL, or any number below 0: all
 * @count: (out): how many are reached
 *
 * Returns: (transfer full) (array length=count): the seeds, which have depth 0, and what is reached from them, each
 *   with the least number of calls; by depth, then in the order of the index
 */
CsReached *
cs_call_graph_expand (CsCallGraph *self, const guint32 *seeds, gsize n_seeds, int depth, gsize *count)
{
  g_return_val_if_fail (self != NULL && count != NULL, NULL);
  return expand (self, seeds, n_seeds, depth, TRUE, count);
}

/**
 * cs_call_graph_expand_text:
 * @self: a graph
 * @seeds: (array length=n_seeds): functions of the index
 * @n_seeds: how many
 * @depth: how many calls to follow; %CS_DEPTH_FULL, or any number below 0: all
 * @count: (out): how many are reached
 *
 * Returns: (transfer full) (array length=count): what cs_call_graph_expand() returned before edges were added
 */
CsReached *
cs_call_graph_expand_text (CsCallGraph *self, const guint32 *seeds, gsize n_seeds, int depth, gsize *count)
{
  g_return_val_if_fail (self != NULL && count != NULL, NULL);
  return expand (self, seeds, n_seeds, depth, FALSE, count);
}
