/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "symbols/cs-binary-private.h"

/* Link addresses of functions; where debug information has none (its unit's copy was
 * dropped for another's), the symbol of that name has it. */
static guint64 *
get_starts (CsBinary     *self,
            const GArray *functions,
            guint        *n)
{
  guint64 *starts = g_new (guint64, functions->len + 1);

  *n = 0;
  for (guint i = 0; i < functions->len; i++)
    {
      const CsDwarfInlined *function = &g_array_index (functions, CsDwarfInlined, i);
      guint64 start = function->start;

      if (start == 0 && function->linkage_name != NULL)
        start = cs_elf_get_symbol_address (cs_binary_load_symbols (self), function->linkage_name);
      if (start != 0)
        starts[(*n)++] = start;
    }
  return starts;
}

/**
 * cs_binary_get_inlining:
 * @self: an opened file
 * @address: a link address
 *
 * Tells which functions an address is part of, by the debug information.
 *
 * Returns: (transfer full) (nullable): them, %NULL when it isn't known
 */
CsInlining *
cs_binary_get_inlining (CsBinary *self,
                        guint64   address)
{
  CsDwarfInlining found;
  CsInlining *inlining;

  g_return_val_if_fail (self != NULL, NULL);

  cs_binary_open_dwarf (self);
  if (self->dwarf == NULL || !cs_dwarf_find_inlining (self->dwarf, address, &found))
    return NULL;
  inlining = g_new0 (CsInlining, 1);
  inlining->function = found.function;
  inlining->gnu = found.gnu;
  inlining->around = get_starts (self, found.around, &inlining->n_around);
  inlining->anywhere = get_starts (self, found.anywhere, &inlining->n_anywhere);
  cs_dwarf_inlining_clear (&found);
  return inlining;
}

static void
add_name (const char *name, gpointer names)
{
  if (!g_hash_table_contains (names, name))
    g_hash_table_add (names, g_strdup (name));
}

/**
 * cs_binary_list_inlined:
 * @self: an opened file
 *
 * Reads all of the debug information.
 *
 * Returns: (transfer full) (nullable) (element-type utf8 utf8): a set of the linkage names, or names of
 *   functions that have none, that the compiler inlined anywhere; %NULL: there is no debug information
 */
GHashTable *
cs_binary_list_inlined (CsBinary *self)
{
  GHashTable *names;

  g_return_val_if_fail (self != NULL, NULL);

  cs_binary_open_dwarf (self);
  if (self->dwarf == NULL)
    return NULL;
  names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  cs_dwarf_list_inlined (self->dwarf, add_name, names);
  return names;
}

/**
 * cs_inlining_free:
 * @self: (transfer full) (nullable): what cs_binary_get_inlining() gave
 */
void
cs_inlining_free (CsInlining *self)
{
  if (self == NULL)
    return;
  g_free (self->around);
  g_free (self->anywhere);
  g_free (self);
}
