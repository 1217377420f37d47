/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-landings.h"
#include "profile/cs-locations.h"

typedef struct
{
  gconstpointer image; /* CsModule, or CsProcess where there is none */
  guint64 address;     /* link address */
} Key;

struct _CsLandings
{
  GMutex mutex; /* of what is known; not held while the symbolizer works */
  CsSymbolizer *symbolizer;
  GHashTable *known; /* Key → CsInlining, or NULL */
};

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;

  return (guint) ((key->address ^ (guint64) (guintptr) key->image << 16) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) >> 32);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->image == y->image && x->address == y->address;
}

static void
free_inlining (gpointer data)
{
  cs_inlining_free (data);
}

/**
 * cs_landings_new:
 * @symbolizer: what reads debug information; while a pass runs, others have to lock it
 *
 * Returns: (transfer full): nothing known yet
 */
CsLandings *
cs_landings_new (CsSymbolizer *symbolizer)
{
  CsLandings *self = g_new0 (CsLandings, 1);

  g_mutex_init (&self->mutex);
  self->symbolizer = g_object_ref (symbolizer);
  self->known = g_hash_table_new_full (key_hash, key_equal, g_free, free_inlining);
  return self;
}

/**
 * cs_landings_free:
 * @self: (transfer full): landings
 */
void
cs_landings_free (CsLandings *self)
{
  g_hash_table_unref (self->known);
  g_object_unref (self->symbolizer);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static gboolean
is_known (CsLandings *self, const Key *key, gpointer *inlining)
{
  gboolean known;

  g_mutex_lock (&self->mutex);
  known = g_hash_table_lookup_extended (self->known, key, NULL, inlining);
  g_mutex_unlock (&self->mutex);
  return known;
}

/**
 * cs_landings_find:
 * @self: landings
 * @counts: the counts of a process
 * @address: an address in it, as the counts have it
 * @bias: (out): what lies between link addresses and those of the process
 *
 * Returns: (nullable): which functions it is part of, %NULL when it isn't known
 */
const CsInlining *
cs_landings_find (CsLandings *self, const CsPassCounts *counts, guint64 address, guint64 *bias)
{
  CsModuleFile file;
  Key key = { 0 };
  gpointer inlining = NULL;

  if (!cs_locations_get_file (counts, self->symbolizer, address, &file, &key.image, &key.address, bias))
    return NULL;
  if (is_known (self, &key, &inlining))
    return inlining;
  cs_symbolizer_lock (self->symbolizer);
  if (!is_known (self, &key, &inlining))
    {
      inlining = cs_symbolizer_get_inlining (self->symbolizer, &file, key.address);
      g_mutex_lock (&self->mutex);
      g_hash_table_insert (self->known, g_memdup2 (&key, sizeof key), inlining);
      g_mutex_unlock (&self->mutex);
    }
  cs_symbolizer_unlock (self->symbolizer);
  return inlining;
}

/**
 * cs_landings_dup_name:
 * @self: landings
 * @counts: the counts of a process
 * @address: a function's address, as the counts have it
 *
 * Returns: (transfer full): its name, as a profile shows it
 */
char *
cs_landings_dup_name (CsLandings *self, const CsPassCounts *counts, guint64 address)
{
  CsModuleFile file;
  gconstpointer image;
  guint64 link_address, bias;
  CsSymbol symbol = { 0 };
  char *name = NULL;

  if (!cs_locations_get_file (counts, self->symbolizer, address, &file, &image, &link_address, &bias))
    return cs_location_dup_number (NULL, link_address);
  cs_symbolizer_lock (self->symbolizer);
  if (cs_symbolizer_lookup_function (self->symbolizer, &file, link_address, &symbol))
    name = g_strdup (symbol.name);
  cs_symbolizer_unlock (self->symbolizer);
  return name != NULL ? name : cs_location_dup_number (file.path, link_address);
}

static gboolean
contains (const guint64 *addresses, guint n, guint64 address)
{
  for (guint i = 0; i < n; i++)
    if (addresses[i] == address)
      return TRUE;
  return FALSE;
}

/**
 * cs_inlining_count_left:
 * @self: which functions the code is part of where the program landed
 * @functions: (array length=n): the open calls' functions, link addresses, innermost first,
 *   without those whose stack frames are gone
 * @n: how many
 *
 * What was inlined into the function that lands has no stack frame of its own. Of its calls
 * those stay open that the code at the landing is part of.
 *
 * Returns: how many calls, innermost ones, the landing left
 */
guint
cs_inlining_count_left (const CsInlining *self, const guint64 *functions, guint n)
{
  guint mine = 0; /* calls that are in the same stack frame, but for the function's own */
  guint next = 0; /* in around[] */

  /* The function itself may have no hook. */
  while (mine < n && functions[mine] != self->function &&
         contains (self->anywhere, self->n_anywhere, functions[mine]))
    mine++;
  for (guint i = 0; i < self->n_around; i++)
    if (self->around[i] == self->function) /* recursion: its innermost call was found */
      next = i + 1;
  for (guint i = mine; i > 0; i--)
    {
      while (next < self->n_around && self->around[next] != functions[i - 1])
        next++;
      if (next == self->n_around)
        return i;
      next++;
    }
  return 0;
}
