/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "symbols/cs-binary-private.h"
#include "symbols/cs-debug-file.h"
#include "symbols/cs-demangle.h"

G_DEFINE_QUARK (cs-symbols-error-quark, cs_symbols_error)

/* The file that has the symbols, loaded. */
CsElf *
cs_binary_load_symbols (CsBinary *self)
{
  CsElf *named = g_atomic_pointer_get (&self->named);

  if (named != NULL)
    return named;
  g_mutex_lock (&self->loading);
  named = self->named;
  if (named == NULL)
    {
      named = self->elf;
      cs_elf_load_symbols (self->elf, self->elf);
      if (self->debug != NULL && self->debug->has_symtab && !self->elf->has_symtab)
        {
          named = self->debug;
          cs_elf_load_symbols (self->debug, self->elf);
        }
      g_atomic_pointer_set (&self->named, named);
    }
  g_mutex_unlock (&self->loading);
  return named;
}

static void
symbol_free (gpointer data)
{
  CsSymbol *symbol = data;

  g_free ((gpointer) symbol->inlined);
  g_free (symbol);
}

static char *
describe_bad_dwarf (CsBinary   *self,
                    const char *base)
{
  CsElf *file = self->debug != NULL ? self->debug : self->elf;

  if (cs_elf_has_unreadable_zstd (file))
    return g_strdup_printf ("The debug information of %s is compressed with zstd, which this build "
                            "can't read: functions are named from the symbol table, without lines — "
                            "link with -Wl,--compress-debug-sections=zlib", base);
  return g_strdup_printf ("The debug information of %s can't be read (%s): functions are named from "
                          "the symbol table, without lines — build it again with -g -gdwarf-4",
                          base, self->problem != NULL ? self->problem : "it has no units");
}

/* One sentence about what is missing, with what to do about it. */
static char *
make_notice (CsBinary *self)
{
  g_autofree char *base = g_path_get_basename (self->elf->path);
  gboolean has_info = self->elf->has_debug_info || self->debug != NULL;
  gboolean has_symbols = cs_binary_load_symbols (self)->symbols->len > 0;

  if (has_info)
    return describe_bad_dwarf (self, base);
  if (has_symbols && self->named->has_symtab)
    return g_strdup_printf ("%s has no debug information: functions are named from the symbol table, "
                            "without lines — build it with -g", base);
  if (has_symbols)
    return g_strdup_printf ("%s is stripped: only the functions that it exports have names — keep the "
                            "unstripped file or install its debug symbols, or name their folder with "
                            "callsight-cli --debug-dir", base);
  return g_strdup_printf ("%s is stripped: addresses stay unnamed — keep the unstripped file or install "
                          "its debug symbols, or name their folder with callsight-cli --debug-dir", base);
}

/* Gives the file descriptors back, once all that is read through them was read. */
void
cs_binary_close_files (CsBinary *self)
{
  cs_elf_close_file (self->elf);
  if (self->debug != NULL)
    cs_elf_close_file (self->debug);
}

/* Opens the debug information. The symbols may be loaded by another thread meanwhile. */
void
cs_binary_read_dwarf (CsBinary *self)
{
  self->opened = TRUE;
  if (self->elf->has_debug_info || self->debug != NULL)
    self->dwarf = cs_dwarf_open (self->debug != NULL ? self->debug : self->elf, self->elf->path, self->places,
                                 self->elf->code, &self->problem);
}

/* Without debug information the symbols are all there is. */
void
cs_binary_do_without_dwarf (CsBinary *self)
{
  g_free (self->notice);
  self->notice = make_notice (self);
  cs_binary_close_files (self);
}

/* Opens the debug information, which answers from the cache don't need. */
void
cs_binary_open_dwarf (CsBinary *self)
{
  if (self->opened)
    return;
  cs_binary_read_dwarf (self);
  if (self->dwarf == NULL)
    cs_binary_do_without_dwarf (self);
}

static void
append_identity (GString     *text,
                 const CsElf *file)
{
  g_autofree char *real = realpath (file->path, NULL);
  struct stat status;

  if (fstat (file->fd, &status) == 0)
    g_string_append_printf (text, "\n%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld %" G_GUINT64_FORMAT,
                            real != NULL ? real : file->path, (gint64) status.st_size,
                            (gint64) status.st_mtim.tv_sec, status.st_mtim.tv_nsec, (guint64) status.st_ino);
}

/* The files that answers come from. */
static char *
get_identity (CsBinary *self)
{
  GString *text = g_string_new (CS_VERSION);

  if (self->elf->build_id != NULL)
    g_string_append_printf (text, "\n%s %d %d %" G_GUINT64_FORMAT, self->elf->build_id, self->elf->has_debug_info,
                            self->elf->has_symtab, self->elf->file_size);
  else
    append_identity (text, self->elf);
  if (self->debug != NULL)
    append_identity (text, self->debug);
  return g_string_free (text, FALSE);
}

/**
 * cs_binary_open:
 * @path: path of a program or shared library
 * @error: return location for an error
 *
 * Opens a linked ELF file, of either word size and byte order, to name its
 * addresses.  A file without debug information opens too:
 * cs_binary_get_notice() then says what is missing.  Its separate debug file
 * is used where it is installed.  Only headers are read at once; the rest as
 * look-ups need it.
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
  return cs_binary_open_with (path, NULL, NULL, NULL, error);
}

/**
 * cs_binary_open_with:
 * @path: path of a program or shared library
 * @debug_path: (nullable): of its separate debug file, which is used rather than
 *   what is installed if it belongs to @path
 * @places: (nullable): where debug files may be besides; must outlive the result
 * @cache: (nullable): the folder of what earlier look-ups found, %NULL: nothing is kept
 * @error: return location for an error
 *
 * Opens a file as cs_binary_open() does.
 *
 * Returns: (transfer full): the file, or %NULL as cs_binary_open()
 */
CsBinary *
cs_binary_open_with (const char          *path,
                     const char          *debug_path,
                     const CsDebugPlaces *places,
                     const char          *cache,
                     GError             **error)
{
  CsBinary *self;
  CsElf *elf;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  elf = cs_elf_open (path, error);
  if (elf == NULL)
    return NULL;
  self = g_new0 (CsBinary, 1);
  g_atomic_ref_count_init (&self->references);
  g_mutex_init (&self->loading);
  self->elf = elf;
  self->places = places;
  self->found = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, symbol_free);
  self->shown = g_hash_table_new (NULL, NULL);
  self->strings = g_string_chunk_new (4096);
  if (!elf->has_debug_info && debug_path != NULL)
    self->debug = cs_debug_file_open (elf, debug_path);
  if (!elf->has_debug_info && self->debug == NULL)
    self->debug = cs_debug_file_find (elf, places);
  if (cache != NULL)
    {
      g_autofree char *identity = get_identity (self);

      self->cache = cs_symbol_cache_open (cache, identity);
      self->notice = g_strdup (cs_symbol_cache_get_notice (self->cache));
    }
  /* Descriptors are followed before anything is looked up. */
  if (elf->header.e_machine == EM_PPC64)
    cs_binary_load_symbols (self);
  return self;
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
  g_clear_pointer (&self->cache, cs_symbol_cache_free);
  g_clear_pointer (&self->debug, cs_elf_free);
  g_clear_pointer (&self->elf, cs_elf_free);
  g_mutex_clear (&self->loading);
  g_hash_table_unref (self->found);
  g_hash_table_unref (self->shown);
  g_string_chunk_free (self->strings);
  g_free (self->problem);
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
 * cs_binary_get_debug_path:
 * @self: an opened file
 *
 * Returns: (nullable) (transfer none): the path of the separate debug file that
 *   is used
 */
const char *
cs_binary_get_debug_path (CsBinary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->debug != NULL ? self->debug->path : NULL;
}

/**
 * cs_binary_list_parts:
 * @self: an opened file, of which nothing was taken from a cache
 *
 * Returns: (transfer full) (element-type CsDwarfPart): the further files with debug information
 *   that were of use
 */
GPtrArray *
cs_binary_list_parts (CsBinary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->dwarf != NULL ? cs_dwarf_list_parts (self->dwarf) : g_ptr_array_new ();
}

/**
 * cs_binary_has_debug_info:
 * @self: an opened file
 *
 * Returns: whether it or its separate debug file has debug information, be it
 *   readable or not
 */
gboolean
cs_binary_has_debug_info (CsBinary *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->elf->has_debug_info || self->debug != NULL;
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
  const char *first;
  guint missing;

  g_return_val_if_fail (self != NULL, NULL);

  if (!self->opened && (self->cache == NULL || !cs_symbol_cache_is_used (self->cache)))
    cs_binary_open_dwarf (self);
  if (self->notice != NULL || self->dwarf == NULL)
    return self->notice;

  missing = cs_dwarf_get_missing (self->dwarf, &first);
  if (missing > 0)
    {
      g_autofree char *base = g_path_get_basename (self->elf->path);

      self->notice = g_strdup_printf ("%u of the .dwo files of %s that were needed are missing or of another build "
                                      "(the first: %s): functions there are named from the symbol table — "
                                      "build it without -gsplit-dwarf, or put its .dwp file beside it, or name "
                                      "the folder that has them with callsight-cli --debug-dir", missing, base, first);
    }
  else if (cs_dwarf_get_problem (self->dwarf) != NULL)
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

/**
 * cs_binary_save:
 * @self: an opened file
 *
 * Keeps what look-ups found for the next run, in the folder given to cs_binary_open_with().
 * What was found while parts of the debug information were missing is not kept.
 */
void
cs_binary_save (CsBinary *self)
{
  const char *first;
  g_autofree char *demangled = NULL;

  g_return_if_fail (self != NULL);

  if (self->cache == NULL || !self->opened || g_hash_table_size (self->found) == self->n_kept)
    return;
  if (self->dwarf == NULL ? self->elf->has_debug_info || self->debug != NULL
                          : cs_dwarf_get_problem (self->dwarf) != NULL ||
                              cs_dwarf_get_missing (self->dwarf, &first) > 0)
    return;
  /* Without a demangler names were not all that they can be. */
  demangled = cs_demangle ("_Z1fv");
  if (demangled == NULL)
    return;
  cs_symbol_cache_save (self->cache, self->found, cs_binary_get_notice (self));
  self->n_kept = g_hash_table_size (self->found);
}
