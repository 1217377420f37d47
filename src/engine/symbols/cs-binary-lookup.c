/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>

#include "symbols/cs-binary-private.h"
#include "symbols/cs-demangle.h"

/* What lies at an address, from debug information and symbols: one by one, or many at once. */

static const char *
get_shown_name (CsBinary   *self,
                const char *linkage_name)
{
  const char *shown = g_hash_table_lookup (self->shown, linkage_name);

  if (shown == NULL)
    {
      char *demangled = cs_demangle (linkage_name);

      shown = demangled != NULL ? g_string_chunk_insert (self->strings, demangled) : linkage_name;
      free (demangled);
      g_hash_table_insert (self->shown, (gpointer) linkage_name, (gpointer) shown);
    }
  return shown;
}

/* The name a function has for the linker.  A language that mangles may leave
 * it out of the DIE; then the symbol that begins where the function begins has it. */
static const char *
get_linkage_name (CsBinary              *self,
                  const CsDwarfFunction *function)
{
  if (function->linkage_name != NULL)
    return function->linkage_name;
  if (!function->inlined && (function->mangles || function->name == NULL))
    {
      const CsElfSymbol *symbol = cs_elf_find_symbol_at (cs_binary_load_symbols (self), function->start);

      if (symbol != NULL)
        return symbol->name;
    }
  return function->name;
}

/* Finds what an address is, all but the names to show. */
static CsSymbol *
find_symbol (CsBinary *self,
             guint64   address)
{
  CsSymbol *symbol = g_new0 (CsSymbol, 1);
  g_autoptr (GArray) frames = g_array_new (FALSE, FALSE, sizeof (CsDwarfFrame));
  CsDwarfFunction function;

  cs_binary_open_dwarf (self);
  if (self->dwarf != NULL)
    {
      cs_dwarf_find_line (self->dwarf, address, &symbol->file, &symbol->comp_dir, &symbol->line);
      if (cs_dwarf_find_function (self->dwarf, address, &function, frames))
        {
          symbol->linkage_name = get_linkage_name (self, &function);
          symbol->start = function.start;
          symbol->size = function.size;
        }
    }
  if (frames->len > 0)
    {
      CsInlinedFrame *inlined = g_new0 (CsInlinedFrame, frames->len);

      for (guint i = 0; i < frames->len; i++)
        {
          const CsDwarfFrame *frame = &g_array_index (frames, CsDwarfFrame, i);

          inlined[i].linkage_name = get_linkage_name (self, &frame->function);
          inlined[i].call_file = frame->call_file;
          inlined[i].call_line = frame->call_line;
        }
      symbol->inlined = inlined;
      symbol->n_inlined = frames->len;
    }
  if (symbol->linkage_name == NULL)
    {
      const CsElfSymbol *found = cs_elf_find_symbol (cs_binary_load_symbols (self), address);

      if (found != NULL)
        {
          symbol->linkage_name = found->name;
          symbol->start = found->start;
          symbol->size = found->size;
          if (symbol->file == NULL)
            symbol->file = found->file;
        }
    }
  g_hash_table_insert (self->found, g_memdup2 (&address, sizeof address), symbol);
  return symbol;
}

static void
show_names (CsBinary *self,
            CsSymbol *symbol)
{
  CsInlinedFrame *inlined = (CsInlinedFrame *) symbol->inlined;

  if (symbol->linkage_name != NULL)
    symbol->name = get_shown_name (self, symbol->linkage_name);
  for (guint i = 0; i < symbol->n_inlined; i++)
    if (inlined[i].linkage_name != NULL)
      inlined[i].name = get_shown_name (self, inlined[i].linkage_name);
}

/**
 * cs_binary_lookup:
 * @self: an opened file
 * @address: a link address; of a return address the caller subtracts 1 first
 *   when it means the call
 * @symbol: (out): what is known of it; the strings live as long as @self
 *
 * Finds the function that holds an address, static functions included, and
 * the line of the address.  Code that was inlined belongs to the function
 * that absorbed it; the line is that of the inlined code, as addr2line has it,
 * and the functions inlined there are told besides.
 * Of a static function without debug information the symbol table still
 * names the source file, without its folder.
 *
 * Returns: %TRUE if the function or the line is known
 */
gboolean
cs_binary_lookup (CsBinary *self,
                  guint64   address,
                  CsSymbol *symbol)
{
  CsSymbol *found;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (symbol != NULL, FALSE);

  address = cs_elf_get_code_address (self->elf, address);
  found = g_hash_table_lookup (self->found, &address);
  if (found == NULL && self->cache != NULL && cs_symbol_cache_find (self->cache, address, symbol))
    return symbol->name != NULL || symbol->file != NULL;
  if (found == NULL)
    {
      found = find_symbol (self, address);
      show_names (self, found);
    }
  *symbol = *found;
  return symbol->name != NULL || symbol->file != NULL;
}

/* Linkage names that threads demangle in turn. */
typedef struct
{
  GPtrArray *names;
  char **shown;
  int next;
} Demangling;

static gpointer
demangle_some (gpointer data)
{
  Demangling *demangling = data;
  guint i;

  while ((i = (guint) g_atomic_int_add (&demangling->next, 16)) < demangling->names->len)
    for (guint last = MIN (i + 16, demangling->names->len); i < last; i++)
      demangling->shown[i] = cs_demangle (g_ptr_array_index (demangling->names, i));
  return NULL;
}

static void
want_name (CsBinary   *self,
           GPtrArray  *names,
           const char *name)
{
  if (name == NULL || g_hash_table_contains (self->shown, name))
    return;
  g_hash_table_insert (self->shown, (gpointer) name, (gpointer) name);
  if (g_str_has_prefix (name, "_Z"))
    g_ptr_array_add (names, (gpointer) name);
}

/* Makes the names to show of many symbols. */
static void
demangle_all (CsBinary  *self,
              GPtrArray *symbols)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  Demangling demangling = { names, NULL, 0 };
  GThread *thread = NULL;

  for (guint i = 0; i < symbols->len; i++)
    {
      const CsSymbol *symbol = g_ptr_array_index (symbols, i);

      want_name (self, names, symbol->linkage_name);
      for (guint k = 0; k < symbol->n_inlined; k++)
        want_name (self, names, symbol->inlined[k].linkage_name);
    }
  demangling.shown = g_new0 (char *, names->len + 1);
  if (names->len > 100 && g_get_num_processors () > 1)
    thread = g_thread_new ("demangle", demangle_some, &demangling);
  demangle_some (&demangling);
  if (thread != NULL)
    g_thread_join (thread);
  for (guint i = 0; i < names->len; i++)
    if (demangling.shown[i] != NULL)
      {
        g_hash_table_insert (self->shown, g_ptr_array_index (names, i),
                             g_string_chunk_insert (self->strings, demangling.shown[i]));
        free (demangling.shown[i]);
      }
  g_free (demangling.shown);
  for (guint i = 0; i < symbols->len; i++)
    show_names (self, g_ptr_array_index (symbols, i));
}

static gpointer
load_symbols_in_thread (gpointer data)
{
  return cs_binary_load_symbols (data);
}

/**
 * cs_binary_prepare:
 * @self: an opened file
 * @addresses: (array length=n): link addresses, as for cs_binary_lookup()
 * @n: how many
 *
 * Finds what many addresses are, on all processors: look-ups of them then take no time.
 */
void
cs_binary_prepare (CsBinary      *self,
                   const guint64 *addresses,
                   guint          n)
{
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GPtrArray) symbols = g_ptr_array_new ();
  GThread *thread = NULL;
  CsSymbol symbol;
  gboolean opened;

  g_return_if_fail (self != NULL);

  for (guint i = 0; i < n; i++)
    {
      guint64 address = cs_elf_get_code_address (self->elf, addresses[i]);

      if (!g_hash_table_contains (self->found, &address) &&
          (self->cache == NULL || !cs_symbol_cache_find (self->cache, address, &symbol)))
        g_array_append_val (left, address);
    }
  if (left->len == 0)
    return;
  if (self->named == NULL && g_get_num_processors () > 1)
    thread = g_thread_new ("symbol table", load_symbols_in_thread, self);
  opened = self->opened;
  if (!opened)
    cs_binary_read_dwarf (self);
  if (self->dwarf != NULL)
    cs_dwarf_prepare (self->dwarf, &g_array_index (left, guint64, 0), left->len);
  if (thread != NULL)
    g_thread_join (thread);
  cs_binary_load_symbols (self);
  if (!opened && self->dwarf == NULL)
    cs_binary_do_without_dwarf (self);
  cs_binary_close_files (self);
  for (guint i = 0; i < left->len; i++)
    {
      const guint64 *address = &g_array_index (left, guint64, i);

      if (!g_hash_table_contains (self->found, address))
        g_ptr_array_add (symbols, find_symbol (self, *address));
    }
  demangle_all (self, symbols);
}
