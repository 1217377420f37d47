/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-pass-counts.h"
#include "profile/cs-pass-filter.h"

/* Tagged addresses have this bit, and the number of their tag below it. */
#define TAG_BIT (G_GUINT64_CONSTANT (1) << 63)

typedef struct
{
  const CsModule *module; /* NULL: an address with the bit of tagged ones */
  guint64 address;
} Tag;

static guint
tag_hash (gconstpointer data)
{
  const Tag *tag = data;

  return g_direct_hash (tag->module) ^ (guint) (tag->address * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) >> 32);
}

static gboolean
tag_equal (gconstpointer a, gconstpointer b)
{
  const Tag *x = a, *y = b;

  return x->module == y->module && x->address == y->address;
}

static GHashTable *
tag_index_new (void)
{
  return g_hash_table_new_full (tag_hash, tag_equal, g_free, NULL);
}

/* An open-addressed table of indices into one of the arrays; a multiplicative hash, linear
 * probing, at most half full. The arrays hold the keys. */

static guint64 seed; /* so that nobody can choose addresses that all collide */

static inline guint64
hash_pair (guint64 a, guint64 b)
{
  guint64 hash = ((a ^ seed) ^ (b * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)));

  hash = (hash ^ (hash >> 29)) * G_GUINT64_CONSTANT (0xD6E8FEB86659FD93);

  return hash ^ (hash >> 32);
}

static void
table_init (CsPassTable *table)
{
  table->mask = 15;
  table->n = 0;
  table->slots = g_new0 (guint64, table->mask + 1);
}

/* Puts an index into a free slot; the caller grows the table before it is half full. */
static void
table_insert (CsPassTable *table, guint64 hash, guint32 mark, guint32 index)
{
  guint32 slot = (guint32) hash & table->mask;

  while (table->slots[slot] != 0)
    slot = (slot + 1) & table->mask;
  table->slots[slot] = (guint64) mark << 32 | (index + 1);
}

static inline guint32
slot_mark (guint64 slot)
{
  return (guint32) (slot >> 32);
}

static inline guint32
slot_index (guint64 slot)
{
  return (guint32) slot - 1;
}

/* The part of a hash that doesn't choose a slot. */
static inline guint32
hash_mark (guint64 hash)
{
  return (guint32) (hash >> 32);
}

/* Doubles a table that is half full. Returns whether everything has to be put in again. */
static gboolean
table_make_room (CsPassTable *table)
{
  if (table->n * 2 <= table->mask)
    return FALSE;
  g_free (table->slots);
  table->mask = table->mask * 2 + 1;
  table->slots = g_new0 (guint64, (gsize) table->mask + 1);
  return TRUE;
}

/* Doubles the room for nodes; realloc() would not keep their alignment. */
static void
grow_nodes (CsPassCounts *self)
{
  guint32 size = MAX (8, self->nodes_size * 2);
  CsPassNode *nodes = g_aligned_alloc (size, sizeof *nodes, sizeof *nodes);

  if (self->nodes != NULL)
    memcpy (nodes, self->nodes, self->node_table.n * sizeof *nodes);
  g_aligned_free (self->nodes);
  self->nodes = nodes;
  self->node_rests = g_renew (CsPassNodeRest, self->node_rests, size);
  self->nodes_size = size;
}

/**
 * cs_pass_counts_new:
 * @process: (nullable): whose events are counted; must outlive the counts
 * @filter: (nullable): what of them counts; must outlive the counts
 * @n_slowest: how many of each function's longest calls to keep
 *
 * Returns: (transfer full): empty counts, with a call tree that has its root, node 0
 */
CsPassCounts *
cs_pass_counts_new (const CsProcess *process, CsPassFilter *filter, guint n_slowest)
{
  static gsize seeded = 0;
  CsPassCounts *self = g_new0 (CsPassCounts, 1);

  if (g_once_init_enter (&seeded))
    {
      seed = (guint64) g_random_int () << 32 | g_random_int ();
      g_once_init_leave (&seeded, 1);
    }
  self->process = process;
  self->filter = filter;
  self->n_slowest = n_slowest;
  table_init (&self->function_table);
  table_init (&self->site_table);
  table_init (&self->node_table);
  if (process != NULL && process->section != NULL && cs_module_map_has_turns (process->section->map))
    {
      self->tagged = TRUE;
      self->tags = g_array_new (FALSE, FALSE, sizeof (Tag));
      self->tag_index = tag_index_new ();
    }

  grow_nodes (self);
  self->nodes[0] = (CsPassNode){ .address = CS_PASS_NO_ADDRESS, .function = CS_PASS_NO_FUNCTION };
  self->node_rests[0] = (CsPassNodeRest){ .inside = filter == NULL || filter->function == NULL };
  self->node_table.n = 1;
  return self;
}

static void
table_copy (CsPassTable *to, const CsPassTable *from)
{
  *to = *from;
  to->slots = g_memdup2 (from->slots, ((gsize) from->mask + 1) * sizeof *from->slots);
}

/**
 * cs_pass_counts_dup:
 * @self: counts
 *
 * Returns: (transfer full): a copy
 */
CsPassCounts *
cs_pass_counts_dup (const CsPassCounts *self)
{
  CsPassCounts *copy = g_new (CsPassCounts, 1);
  guint32 n_functions = self->function_table.n;
  guint32 n_sites = self->site_table.n;
  guint32 n_nodes = self->node_table.n;

  *copy = *self;
  table_copy (&copy->function_table, &self->function_table);
  table_copy (&copy->site_table, &self->site_table);
  table_copy (&copy->node_table, &self->node_table);
  copy->functions = g_memdup2 (self->functions, n_functions * sizeof *self->functions);
  for (guint32 i = 0; i < n_functions; i++)
    {
      CsPassFunction *function = &copy->functions[i];

      cs_histogram_copy (&function->histogram, &self->functions[i].histogram);
      if (function->slowest != NULL)
        {
          guint32 room = 1;

          while (room < function->n_slowest)
            room *= 2;
          function->slowest = g_new (CsPassSlowCall, room);
          memcpy (function->slowest, self->functions[i].slowest, function->n_slowest * sizeof *function->slowest);
        }
    }
  copy->sites = g_memdup2 (self->sites, n_sites * sizeof *self->sites);
  copy->nodes = g_aligned_alloc (n_nodes, sizeof *self->nodes, sizeof *self->nodes);
  memcpy (copy->nodes, self->nodes, n_nodes * sizeof *self->nodes);
  copy->node_rests = g_memdup2 (self->node_rests, n_nodes * sizeof *self->node_rests);
  copy->ids = (CsPassIds){ 0 };
  copy->functions_size = n_functions;
  copy->sites_size = n_sites;
  copy->nodes_size = n_nodes;
  if (self->tagged)
    {
      copy->tags = g_array_copy (self->tags);
      copy->tag_index = tag_index_new ();
      for (guint i = 0; i < self->tags->len; i++)
        g_hash_table_insert (copy->tag_index, g_memdup2 (&g_array_index (self->tags, Tag, i), sizeof (Tag)),
                             GUINT_TO_POINTER (i + 1));
    }
  return copy;
}

/**
 * cs_pass_counts_free:
 * @self: (transfer full): counts
 */
void
cs_pass_counts_free (CsPassCounts *self)
{
  for (guint32 i = 0; i < self->function_table.n; i++)
    {
      cs_histogram_clear (&self->functions[i].histogram);
      g_free (self->functions[i].slowest);
    }
  g_free (self->functions);
  g_free (self->sites);
  g_aligned_free (self->nodes);
  g_free (self->node_rests);
  g_free (self->ids.functions);
  g_free (self->ids.sites);
  g_free (self->function_table.slots);
  g_free (self->site_table.slots);
  g_free (self->node_table.slots);
  g_clear_pointer (&self->tags, g_array_unref);
  g_clear_pointer (&self->tag_index, g_hash_table_unref);
  g_free (self);
}

/* Returns: a zeroed element behind the used ones of an array, which grows when it is full. */
#define array_append(array, size, used)                                                            \
  ((used) == (size)                                                                                \
       ? ((size) = MAX (8, (size) * 2), (array) = g_realloc_n ((array), (size), sizeof *(array)))  \
       : (array),                                                                                  \
   memset (&(array)[(used)], 0, sizeof *(array)), &(array)[(used)])

/**
 * cs_pass_counts_find_function:
 * @self: counts
 * @address: a function's (tagged) address
 * @index: (out): its index
 *
 * Returns: whether the function is known
 */
gboolean
cs_pass_counts_find_function (const CsPassCounts *self, guint64 address, guint32 *index)
{
  const CsPassTable *table = &self->function_table;
  guint64 hash = hash_pair (address, 0);

  for (guint32 i = (guint32) hash & table->mask; table->slots[i] != 0; i = (i + 1) & table->mask)
    {
      *index = slot_index (table->slots[i]);
      if (slot_mark (table->slots[i]) == hash_mark (hash) && self->functions[*index].address == address)
        return TRUE;
    }
  return FALSE;
}

static void
insert_function (CsPassCounts *self, guint32 index)
{
  guint64 hash = hash_pair (self->functions[index].address, 0);

  table_insert (&self->function_table, hash, hash_mark (hash), index);
}

/**
 * cs_pass_counts_add_function:
 * @self: counts
 * @address: a function's (tagged) address
 *
 * Returns: its index, new or known
 */
guint32
cs_pass_counts_add_function (CsPassCounts *self, guint64 address)
{
  CsPassTable *table = &self->function_table;
  CsPassFunction *function;
  guint32 index;

  if (cs_pass_counts_find_function (self, address, &index))
    return index;
  if (table_make_room (table))
    for (guint32 i = 0; i < table->n; i++)
      insert_function (self, i);
  function = array_append (self->functions, self->functions_size, table->n);
  function->address = address;
  function->min = G_MAXUINT64;
  function->chosen = self->filter == NULL || cs_pass_filter_takes_function (self->filter, self, address);
  insert_function (self, table->n);
  return table->n++;
}

static void
insert_site (CsPassCounts *self, guint32 index)
{
  guint64 hash = hash_pair (self->sites[index].caller, self->sites[index].function);

  table_insert (&self->site_table, hash, hash_mark (hash), index);
}

/**
 * cs_pass_counts_add_site:
 * @self: counts
 * @function: a function's (tagged) address
 * @caller: the (tagged) return address of calls to it
 * @inside: the (tagged) address of the function that it was inlined into, or %CS_PASS_NO_ADDRESS
 *
 * Returns: the call site's index, new or known
 */
guint32
cs_pass_counts_add_site (CsPassCounts *self, guint64 function, guint64 caller, guint64 inside)
{
  CsPassTable *table = &self->site_table;
  guint64 hash = hash_pair (caller, function);
  CsPassSite *site;

  for (guint32 i = (guint32) hash & table->mask; table->slots[i] != 0; i = (i + 1) & table->mask)
    {
      site = &self->sites[slot_index (table->slots[i])];
      if (slot_mark (table->slots[i]) == hash_mark (hash) && site->caller == caller && site->function == function &&
          site->inside == inside)
        return slot_index (table->slots[i]);
    }

  if (table_make_room (table))
    for (guint32 i = 0; i < table->n; i++)
      insert_site (self, i);
  site = array_append (self->sites, self->sites_size, table->n);
  site->function = function;
  site->caller = caller;
  site->inside = inside;
  insert_site (self, table->n);
  return table->n++;
}

/* Appends a node that is not in the table yet. */
static guint32
append_node (CsPassCounts *self, guint32 parent, guint64 address, guint32 function, gboolean inside)
{
  CsPassTable *table = &self->node_table;
  guint32 index;

  if (table_make_room (table))
    for (guint32 i = 1; i < table->n; i++)
      table_insert (table, hash_pair (self->nodes[i].address, self->node_rests[i].parent + 1),
                    self->node_rests[i].parent, i);
  if (table->n == self->nodes_size)
    grow_nodes (self);
  index = table->n++;
  self->nodes[index] = (CsPassNode){ .address = address, .function = function, .first_ns = G_MAXINT64 };
  self->node_rests[index] = (CsPassNodeRest){ .parent = parent, .inside = inside };
  table_insert (table, hash_pair (address, parent + 1), parent, index);
  return index;
}

/**
 * cs_pass_counts_add_node:
 * @self: counts
 * @parent: a node of the call tree
 * @address: a function's (tagged) address
 *
 * Returns: the node of that function under @parent, new or known
 */
guint32
cs_pass_counts_add_node (CsPassCounts *self, guint32 parent, guint64 address)
{
  CsPassTable *table = &self->node_table;
  guint64 hash = hash_pair (address, parent + 1);
  guint32 function, index;

  for (guint32 i = (guint32) hash & table->mask; table->slots[i] != 0; i = (i + 1) & table->mask)
    {
      index = slot_index (table->slots[i]);
      if (slot_mark (table->slots[i]) == parent && self->nodes[index].address == address)
        return index;
    }
  function = cs_pass_counts_add_function (self, address);
  return append_node (self, parent, address, function,
                      self->node_rests[parent].inside || self->functions[function].chosen);
}

/**
 * cs_pass_counts_add_thread:
 * @self: counts whose threads have call trees of their own: below the root there are no functions
 * @serial: a thread's serial number
 *
 * Returns: a new node under the root, with that number for an address: what the thread's outermost calls
 *   are under
 */
guint32
cs_pass_counts_add_thread (CsPassCounts *self, guint serial)
{
  return append_node (self, 0, serial, CS_PASS_NO_FUNCTION, self->node_rests[0].inside);
}

/**
 * cs_pass_counts_map_ids:
 * @self: counts
 * @chain: number of a dictionary of packed blocks
 * @n: how many ids it has
 *
 * Readies the field ids for what these ids stand for. What was known of the same dictionary is kept.
 */
void
cs_pass_counts_map_ids (CsPassCounts *self, guint64 chain, guint32 n)
{
  CsPassIds *ids = &self->ids;

  if (ids->functions == NULL)
    {
      ids->functions = g_new (guint32, TRACE_SITES_MOST + 1);
      memset (ids->functions, 0xFF, (TRACE_SITES_MOST + 1) * sizeof *ids->functions);
      if (self->sites_counted)
        ids->sites = g_new0 (guint32, TRACE_SITES_MOST + 1);
    }
  if (ids->chain != chain || n < ids->n)
    {
      memset (ids->functions, 0xFF, (ids->n + 1) * sizeof *ids->functions);
      if (ids->sites != NULL)
        memset (ids->sites, 0, (ids->n + 1) * sizeof *ids->sites);
    }
  ids->chain = chain;
  ids->n = n;
}

static gboolean
is_slower (const CsPassSlowCall *a, const CsPassSlowCall *b)
{
  if (a->duration != b->duration)
    return a->duration > b->duration;
  if (a->start != b->start)
    return a->start < b->start;
  return a->tid < b->tid;
}

/**
 * cs_pass_counts_note_slow:
 * @self: counts
 * @function: one of its functions
 * @call: a call of it, no shorter than its floor
 *
 * Takes note of a call that is the longest so far or one of the slowest: of equal ones the
 * earlier.
 */
void
cs_pass_counts_note_slow (CsPassCounts *self, CsPassFunction *function, const CsPassSlowCall *call)
{
  guint i;

  function->max = MAX (function->max, call->duration);
  if (self->n_slowest == 0)
    {
      function->floor = call->duration < G_MAXUINT64 ? call->duration + 1 : call->duration;
      return;
    }
  if (function->n_slowest < self->n_slowest)
    {
      /* Room for a power of two. */
      if ((function->n_slowest & (function->n_slowest - 1)) == 0)
        function->slowest = g_renew (CsPassSlowCall, function->slowest, MAX (1, 2 * function->n_slowest));
      function->n_slowest++;
    }
  else if (!is_slower (call, &function->slowest[self->n_slowest - 1]))
    return;
  for (i = function->n_slowest - 1; i > 0 && is_slower (call, &function->slowest[i - 1]); i--)
    function->slowest[i] = function->slowest[i - 1];
  function->slowest[i] = *call;
  if (function->n_slowest == self->n_slowest)
    function->floor = function->slowest[self->n_slowest - 1].duration;
}

/**
 * cs_pass_counts_tag_address:
 * @self: counts with the field tagged set
 * @address: a run-time address
 * @ts: when it was seen, as recorded
 *
 * Where several modules lay at one address in turn, an address alone doesn't say whose it
 * is: it is replaced by one that stands for it and the module that was loaded then. Others stay
 * as they are.
 *
 * Returns: the tagged address
 */
guint64
cs_pass_counts_tag_address (CsPassCounts *self, guint64 address, guint64 ts)
{
  gboolean in_turn;
  Tag tag = { cs_module_map_find (self->process->section->map, address, ts, &in_turn), address };
  gpointer known;

  if (!in_turn && (address & TAG_BIT) == 0)
    return address;
  known = g_hash_table_lookup (self->tag_index, &tag);
  if (known == NULL)
    {
      g_array_append_val (self->tags, tag);
      known = GUINT_TO_POINTER (self->tags->len);
      g_hash_table_insert (self->tag_index, g_memdup2 (&tag, sizeof tag), known);
    }
  return TAG_BIT | (GPOINTER_TO_UINT (known) - 1);
}

/**
 * cs_pass_counts_untag:
 * @self: counts of a process
 * @tagged: an address as the counts have it
 * @module: (out) (nullable): the module that a tagged address stands for; %NULL: it isn't tagged, or
 *   stands for none
 *
 * Tags are numbered as they come, differently in every pass; a module and an address are the same in all.
 *
 * Returns: the run-time address
 */
guint64
cs_pass_counts_untag (const CsPassCounts *self, guint64 tagged, const CsModule **module)
{
  const Tag *tag;

  *module = NULL;
  if (!self->tagged || (tagged & TAG_BIT) == 0)
    return tagged;
  tag = &g_array_index (self->tags, Tag, tagged & ~TAG_BIT);
  *module = tag->module;
  return tag->address;
}

/**
 * cs_pass_counts_find_module:
 * @self: counts of a process
 * @tagged: an address as the counts have it
 * @address: (out): the run-time address
 *
 * An address that isn't tagged belonged to one module at all times.
 *
 * Returns: (transfer none) (nullable): the module that the address lies in, if any is known
 */
const CsModule *
cs_pass_counts_find_module (const CsPassCounts *self, guint64 tagged, guint64 *address)
{
  const CsModule *module;

  *address = cs_pass_counts_untag (self, tagged, &module);
  if (self->process->section == NULL || (self->tagged && (tagged & TAG_BIT) != 0))
    return module;
  return cs_module_map_find (self->process->section->map, tagged, 0, NULL);
}
