/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/cs-binary.h"
#include "symbols/cs-debug-file.h"
#include "symbols/cs-demangle.h"
#include "symbols/cs-dwarf.h"
#include "symbols/cs-elf.h"


G_DEFINE_QUARK (cs-symbols-error-quark, cs_symbols_error)

struct _CsBinary
{
  gatomicrefcount references;
  CsElf *elf;
  CsElf *debug;         /* its separate debug file, NULL: none or not needed */
  CsElf *named;         /* whichever of the two has the symbols */
  CsDwarf *dwarf;       /* NULL: none that can be read */
  char *notice;
  GHashTable *shown;    /* linkage name, by its address → name to show */
  GStringChunk *strings;
};

static char *
describe_bad_dwarf (CsBinary   *self,
                    const char *base,
                    const char *problem)
{
  CsElf *file = self->debug != NULL ? self->debug : self->elf;

  if (cs_elf_has_unreadable_zstd (file))
    return g_strdup_printf ("The debug information of %s is compressed with zstd, which this build "
                            "can't read: functions are named from the symbol table, without lines — "
                            "link with -Wl,--compress-debug-sections=zlib", base);
  return g_strdup_printf ("The debug information of %s can't be read (%s): functions are named from "
                          "the symbol table, without lines — build it again with -g -gdwarf-4",
                          base, problem != NULL ? problem : "it has no units");
}

/* One sentence about what is missing, with what to do about it. */
static char *
make_notice (CsBinary   *self,
             gboolean    has_symbols,
             const char *problem)
{
  g_autofree char *base = g_path_get_basename (self->elf->path);
  gboolean has_info = self->elf->has_debug_info || self->debug != NULL;

  if (self->dwarf != NULL)
    return NULL;
  if (has_info)
    return describe_bad_dwarf (self, base, problem);
  if (has_symbols && self->named->has_symtab)
    return g_strdup_printf ("%s has no debug information: functions are named from the symbol table, "
                            "without lines — build it with -g", base);
  if (has_symbols)
    return g_strdup_printf ("%s is stripped: only the functions that it exports have names — keep the "
                            "unstripped file or install its debug symbols", base);
  return g_strdup_printf ("%s is stripped: addresses stay unnamed — keep the unstripped file or install "
                          "its debug symbols", base);
}

/**
 * cs_binary_open:
 * @path: path of a program or shared library
 * @error: return location for an error
 *
 * Opens a linked ELF file, of either word size and byte order, to name its
 * addresses.  A file without debug information opens too:
 * cs_binary_get_notice() then says what is missing.  Its separate debug file
 * is used where it is installed.  Only headers and the symbol table are read
 * at once; the rest as look-ups need it.
 *
 * A #CsBinary may be used by one thread at a time.
 *
 * Returns: (transfer full): the file, or %NULL with %CS_SYMBOLS_ERROR_OPEN or
 *   %CS_SYMBOLS_ERROR_FORMAT
 */
CsBinary *
cs_binary_open (const char *path,
                GError    **error)
{
  g_autoptr (CsBinary) self = NULL;
  g_autofree char *problem = NULL;
  CsElf *elf;
  gboolean has_symbols;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  elf = cs_elf_open (path, error);
  if (elf == NULL)
    return NULL;
  self = g_new0 (CsBinary, 1);
  g_atomic_ref_count_init (&self->references);
  self->elf = elf;
  self->shown = g_hash_table_new (NULL, NULL);
  self->strings = g_string_chunk_new (4096);

  if (!elf->has_debug_info)
    self->debug = cs_debug_file_find (elf, NULL);
  has_symbols = cs_elf_load_symbols (elf, elf);
  self->named = elf;
  if (self->debug != NULL && self->debug->has_symtab && !elf->has_symtab)
    {
      has_symbols = cs_elf_load_symbols (self->debug, elf);
      self->named = self->debug;
    }
  if (elf->has_debug_info || self->debug != NULL)
    self->dwarf = cs_dwarf_open (self->debug != NULL ? self->debug : elf, elf->path, NULL, elf->code, &problem);
  self->notice = make_notice (self, has_symbols, problem);

  /* Line tables are read through the file that has them. */
  if (self->dwarf == NULL || self->debug != NULL)
    cs_elf_close_file (elf);
  if (self->dwarf == NULL && self->debug != NULL)
    cs_elf_close_file (self->debug);
  return g_steal_pointer (&self);
}

/**
 * cs_binary_ref:
 * @self: an opened file
 *
 * Returns: (transfer full): @self
 */
CsBinary *
cs_binary_ref (CsBinary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * cs_binary_unref:
 * @self: (transfer full): an opened file
 *
 * Closes the file with the last reference; every string that came from it
 * goes with it.
 */
void
cs_binary_unref (CsBinary *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_clear_pointer (&self->dwarf, cs_dwarf_free);
  g_clear_pointer (&self->debug, cs_elf_free);
  g_clear_pointer (&self->elf, cs_elf_free);
  g_hash_table_unref (self->shown);
  g_string_chunk_free (self->strings);
  g_free (self->notice);
  g_free (self);
}

/**
 * cs_binary_get_path:
 * @self: an opened file
 *
 * Returns: (transfer none): the path it was opened by
 */
const char *
cs_binary_get_path (CsBinary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->elf->path;
}

/**
 * cs_binary_get_build_id:
 * @self: an opened file
 *
 * Returns: (nullable) (transfer none): the GNU build id in lower-case hex
 *   digits, %NULL when the file has none
 */
const char *
cs_binary_get_build_id (CsBinary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->elf->build_id;
}

/**
 * cs_binary_get_notice:
 * @self: an opened file
 *
 * Tells what names or lines can't be found in this file, why, and what to do
 * about it.  Damage deep in the debug information shows only after a look-up
 * that met it.
 *
 * Returns: (nullable) (transfer none): one sentence, %NULL when all is well
 */
const char *
cs_binary_get_notice (CsBinary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->notice == NULL && self->dwarf != NULL && cs_dwarf_get_problem (self->dwarf) != NULL)
    {
      g_autofree char *base = g_path_get_basename (self->elf->path);

      self->notice = g_strdup_printf ("Some of the debug information of %s can't be read (%s): some "
                                      "functions are named from the symbol table, without lines", base,
                                      cs_dwarf_get_problem (self->dwarf));
    }
  return self->notice;
}

/**
 * cs_binary_get_code_address:
 * @self: an opened file
 * @address: a link address as a function pointer has it
 *
 * Gives the address of the code itself: bit 0, which says Thumb on Arm, is
 * cleared, and a function descriptor of 64-bit big-endian PowerPC (ELFv1) is
 * followed.  Look-ups do so themselves; a caller that subtracts 1 from a
 * return address does it first.
 *
 * Returns: the link address of the code
 */
guint64
cs_binary_get_code_address (CsBinary *self,
                            guint64   address)
{
  g_return_val_if_fail (self != NULL, address);

  return cs_elf_get_code_address (self->elf, address);
}

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
      const CsElfSymbol *symbol = cs_elf_find_symbol_at (self->named, function->start);

      if (symbol != NULL)
        return symbol->name;
    }
  return function->name;
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
 * that absorbed it; the line is that of the inlined code, as addr2line has it.
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
  CsDwarfFunction function;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (symbol != NULL, FALSE);

  memset (symbol, 0, sizeof *symbol);
  address = cs_elf_get_code_address (self->elf, address);
  if (self->dwarf != NULL)
    {
      cs_dwarf_find_line (self->dwarf, address, &symbol->file, &symbol->comp_dir, &symbol->line);
      if (cs_dwarf_find_function (self->dwarf, address, &function))
        {
          symbol->linkage_name = get_linkage_name (self, &function);
          symbol->start = function.start;
          symbol->size = function.size;
        }
    }
  if (symbol->linkage_name == NULL)
    {
      const CsElfSymbol *found = cs_elf_find_symbol (self->named, address);

      if (found != NULL)
        {
          symbol->linkage_name = found->name;
          symbol->start = found->start;
          symbol->size = found->size;
          if (symbol->file == NULL)
            symbol->file = found->file;
        }
    }
  if (symbol->linkage_name != NULL)
    symbol->name = get_shown_name (self, symbol->linkage_name);
  return symbol->name != NULL || symbol->file != NULL;
}

/**
 * cs_binary_lookup_innermost:
 * @self: an opened file
 * @address: a link address
 *
 * Names the function whose source the address comes from: the innermost that
 * was inlined there, or else the function itself.
 *
 * Returns: (nullable) (transfer none): its linkage name (of a C function its
 *   name), as addr2line -f prints it; %NULL when it isn't known
 */
const char *
cs_binary_lookup_innermost (CsBinary *self,
                            guint64   address)
{
  CsDwarfFunction function;
  const CsElfSymbol *symbol;
  const char *name = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  address = cs_elf_get_code_address (self->elf, address);
  if (self->dwarf != NULL && cs_dwarf_find_innermost (self->dwarf, address, &function))
    name = get_linkage_name (self, &function);
  if (name != NULL)
    return name;
  symbol = cs_elf_find_symbol (self->named, address);
  return symbol != NULL ? symbol->name : NULL;
}

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
        start = cs_elf_get_symbol_address (self->named, function->linkage_name);
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
