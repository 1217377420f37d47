/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "capture/cs-module-map.h"

/* A module's forerunner at its addresses is searched for among so many that were unloaded
 * before it. */
#define MAX_DISJOINT 1000

/* Modules whose address ranges overlap, directly or through others. */
typedef struct
{
  guint64 start, end;
  guint first, n; /* in the sorted modules */
  gboolean in_turn; /* they are not all the same file at the same place */
} Cluster;

struct _CsModuleMap
{
  CsModule **modules; /* by cluster, in the order in which they were unloaded */
  Cluster *clusters;  /* by address, disjoint */
  guint n_clusters;
  guint n_unclear;
  gboolean has_turns;
};

/**
 * cs_module_free:
 * @self: (transfer full): a module
 */
void
cs_module_free (CsModule *self)
{
  g_free (self->build_id);
  g_free (self->path);
  g_free (self);
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const CsModule *x = *(CsModule *const *) a, *y = *(CsModule *const *) b;

  return x->start < y->start ? -1 : x->start > y->start;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const CsModule *x = *(CsModule *const *) a, *y = *(CsModule *const *) b;

  if (x->gone != y->gone)
    return x->gone < y->gone ? -1 : 1;
  if (x->since != y->since)
    return x->since < y->since ? -1 : 1;
  return compare_starts (a, b);
}

static gboolean
same_place (const CsModule *a, const CsModule *b)
{
  return a->bias == b->bias && g_str_equal (a->path, b->path) && g_strcmp0 (a->build_id, b->build_id) == 0;
}

static gboolean
overlap (const CsModule *a, const CsModule *b)
{
  return a->start < b->end && b->start < a->end;
}

/* Sorts a cluster by time, and sees whether its modules took turns. */
static void
finish_cluster (CsModuleMap *self, Cluster *cluster)
{
  CsModule **modules = self->modules + cluster->first;

  qsort (modules, cluster->n, sizeof *modules, compare_times);
  for (guint i = 1; i < cluster->n; i++)
    {
      guint before = i, last = i > MAX_DISJOINT ? i - MAX_DISJOINT : 0;

      while (before > last && !overlap (modules[before - 1], modules[i]))
        before--;
      if (before == 0 || same_place (modules[before - 1], modules[i]))
        continue;
      cluster->in_turn = self->has_turns = TRUE;
      /* One was noted as loaded before the other was noted as gone. */
      self->n_unclear += modules[i]->since < modules[before - 1]->gone;
    }
}

/**
 * cs_module_map_new:
 * @modules: (element-type CsModule): modules, which must outlive the map
 *
 * Returns: (transfer full): a map of them
 */
CsModuleMap *
cs_module_map_new (GPtrArray *modules)
{
  CsModuleMap *self = g_new0 (CsModuleMap, 1);
  Cluster *cluster = NULL;

  self->modules = g_new (CsModule *, modules->len + 1);
  self->clusters = g_new (Cluster, modules->len + 1);
  for (guint i = 0; i < modules->len; i++)
    self->modules[i] = g_ptr_array_index (modules, i);
  qsort (self->modules, modules->len, sizeof *self->modules, compare_starts);

  for (guint i = 0; i < modules->len; i++)
    {
      const CsModule *module = self->modules[i];

      if (cluster == NULL || module->start >= cluster->end)
        {
          cluster = &self->clusters[self->n_clusters++];
          *cluster = (Cluster){ .start = module->start, .end = module->end, .first = i };
        }
      cluster->end = MAX (cluster->end, module->end);
      cluster->n++;
    }
  for (guint i = 0; i < self->n_clusters; i++)
    finish_cluster (self, &self->clusters[i]);
  return self;
}

/**
 * cs_module_map_free:
 * @self: (transfer full): a map
 */
void
cs_module_map_free (CsModuleMap *self)
{
  g_free (self->modules);
  g_free (self->clusters);
  g_free (self);
}

static const Cluster *
find_cluster (const CsModuleMap *self, guint64 address)
{
  guint low = 0, high = self->n_clusters;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (address < self->clusters[middle].start)
        high = middle;
      else if (address >= self->clusters[middle].end)
        low = middle + 1;
      else
        return &self->clusters[middle];
    }
  return NULL;
}

/* The first of a cluster's modules that wasn't gone at a time; n: none. */
static guint
find_time (const CsModuleMap *self, const Cluster *cluster, guint64 ts)
{
  guint low = 0, high = cluster->n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->modules[cluster->first + middle]->gone <= ts)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * cs_module_map_find:
 * @self: a map
 * @address: a run-time address
 * @ts: when, as a timestamp of the process's events
 * @in_turn: (out) (optional): whether different modules lay there at different times
 *
 * Loading may be noticed after the fact, so of several the first that wasn't gone at @ts is
 * taken, also where it wasn't noted yet; after the last one was gone, that.
 *
 * Returns: (transfer none) (nullable): the module at that address and time
 */
const CsModule *
cs_module_map_find (const CsModuleMap *self, guint64 address, guint64 ts, gboolean *in_turn)
{
  const Cluster *cluster = find_cluster (self, address);
  CsModule **modules;
  guint first;

  if (in_turn != NULL)
    *in_turn = cluster != NULL && cluster->in_turn;
  if (cluster == NULL)
    return NULL;
  modules = self->modules + cluster->first;
  first = find_time (self, cluster, ts);
  for (guint i = first; i < cluster->n; i++)
    if (address >= modules[i]->start && address < modules[i]->end)
      return modules[i];
  for (guint i = first; i-- > 0;)
    if (address >= modules[i]->start && address < modules[i]->end)
      return modules[i];
  return NULL;
}

/**
 * cs_module_map_has_turns:
 * @self: a map
 *
 * Returns: whether there are addresses at which different modules lay at different times
 */
gboolean
cs_module_map_has_turns (const CsModuleMap *self)
{
  return self->has_turns;
}

/**
 * cs_module_map_get_n_unclear:
 * @self: a map
 *
 * Returns: how many modules were noted as loaded while the one before them at their address
 *   was not noted as gone yet: between these two moments the map says the earlier one
 */
guint
cs_module_map_get_n_unclear (const CsModuleMap *self)
{
  return self->n_unclear;
}
