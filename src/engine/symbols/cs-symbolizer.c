/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/cs-name-collapse.h"
#include "symbols/cs-symbolizer-private.h"

G_DEFINE_FINAL_TYPE (CsSymbolizer, cs_symbolizer, G_TYPE_OBJECT)

static void
binary_unref_nullable (gpointer data)
{
  if (data != NULL)
    cs_binary_unref (data);
}

/**
 * cs_symbolizer_save:
 * @self: a symbolizer
 *
 * Keeps what was found for later runs, in the folder given to cs_symbolizer_set_cache(). This happens
 * when @self is freed, too, but the last reference may be that of a finished operation's thread, which
 * doesn't outlive the program.
 */
void
cs_symbolizer_save (CsSymbolizer *self)
{
  GHashTableIter iter;
  gpointer binary;

  g_return_if_fail (CS_IS_SYMBOLIZER (self));

  g_hash_table_iter_init (&iter, self->modules);
  while (g_hash_table_iter_next (&iter, NULL, &binary))
    if (binary != NULL)
      cs_binary_save (binary);
}

static void
cs_symbolizer_finalize (GObject *object)
{
  CsSymbolizer *self = CS_SYMBOLIZER (object);

  cs_symbolizer_save (self);
  g_clear_pointer (&self->executable, cs_binary_unref);
  g_hash_table_unref (self->modules);
  g_ptr_array_unref (self->notices);
  g_ptr_array_unref (self->bundles);
  g_hash_table_unref (self->folders);
  g_clear_pointer (&self->addr2line, cs_addr2line_free);
  g_clear_pointer (&self->debuginfod, cs_debuginfod_free);
  cs_source_map_free (self->source_map);
  g_ptr_array_unref (self->places.debug_dirs);
  g_free (self->places.sysroot);
  g_free (self->cache);
  g_rec_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (cs_symbolizer_parent_class)->finalize (object);
}

static void
cs_symbolizer_class_init (CsSymbolizerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_symbolizer_finalize;
}

static void
cs_symbolizer_init (CsSymbolizer *self)
{
  self->modules = g_hash_table_new_full (cs_module_file_hash, cs_module_file_equal, cs_module_file_free,
                                         binary_unref_nullable);
  self->notices = g_ptr_array_new_with_free_func (g_free);
  self->bundles = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_bundle_free);
  self->folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->source_map = cs_source_map_new ();
  self->template_depth = CS_NAME_WHOLE;
  self->places.debug_dirs = g_ptr_array_new_with_free_func (g_free);
  g_rec_mutex_init (&self->mutex);
}

/**
 * cs_symbolizer_new:
 *
 * Returns: (transfer full): names addresses by the files that the modules were loaded from.
 *   Not to be used by two threads at a time, but by those that lock it.
 */
CsSymbolizer *
cs_symbolizer_new (void)
{
  return g_object_new (CS_TYPE_SYMBOLIZER, NULL);
}

/**
 * cs_symbolizer_lock:
 * @self: a symbolizer
 *
 * Waits until no other thread that locks it uses it. A thread may lock it several times.
 */
void
cs_symbolizer_lock (CsSymbolizer *self)
{
  g_rec_mutex_lock (&self->mutex);
}

/**
 * cs_symbolizer_unlock:
 * @self: a symbolizer that this thread has locked
 */
void
cs_symbolizer_unlock (CsSymbolizer *self)
{
  g_rec_mutex_unlock (&self->mutex);
}

static gboolean
check_folder (const char *path, GError **error)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;
  g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_OPEN,
               g_file_test (path, G_FILE_TEST_EXISTS) ? "%s is not a folder — name the one that holds the files"
                                                      : "%s doesn't exist — name the folder that holds the files",
               path);
  return FALSE;
}

/**
 * cs_symbolizer_add_debug_dir:
 * @self: a symbolizer
 * @path: a folder
 * @error: where to say why it isn't one
 *
 * Adds a folder where debug files are looked for before `/usr/lib/debug`: by build id as
 * `.build-id/xx/….debug`, under the module's path, and by their names alone; `.dwo` and
 * `.dwp` files too. To be called before anything is opened.
 *
 * Returns: whether it is a folder, otherwise with %CS_SYMBOLS_ERROR_OPEN
 */
gboolean
cs_symbolizer_add_debug_dir (CsSymbolizer *self, const char *path, GError **error)
{
  if (!check_folder (path, error))
    return FALSE;
  g_ptr_array_add (self->places.debug_dirs, g_strdup (path));
  return TRUE;
}

/**
 * cs_symbolizer_set_sysroot:
 * @self: a symbolizer
 * @path: a folder
 * @error: where to say why it isn't one
 *
 * Names the root of the machine that the programs ran on: modules are looked for there first,
 * and their debug files under its `usr/lib/debug`. To be called before anything is opened.
 *
 * Returns: whether it is a folder, otherwise with %CS_SYMBOLS_ERROR_OPEN
 */
gboolean
cs_symbolizer_set_sysroot (CsSymbolizer *self, const char *path, GError **error)
{
  if (!check_folder (path, error))
    return FALSE;
  g_free (self->places.sysroot);
  self->places.sysroot = g_strdup (path);
  return TRUE;
}

/**
 * cs_symbolizer_set_cache:
 * @self: a symbolizer
 * @folder: (nullable): as cs_symbol_cache_get_default_folder() gives it
 *
 * Has what is found kept for later runs, when @self goes. Where the folder can't be written,
 * nothing is kept. To be called before anything is opened.
 */
void
cs_symbolizer_set_cache (CsSymbolizer *self, const char *folder)
{
  g_free (self->cache);
  self->cache = g_strdup (folder);
}

/**
 * cs_symbolizer_set_executable:
 * @self: a symbolizer
 * @path: an ELF file
 * @error: where to say why it can't be read
 *
 * Names the file to read in place of the recorded path of main executables. Its build id
 * must be the recorded one, as for every module.
 *
 * Returns: whether it is an ELF file, otherwise with %CS_SYMBOLS_ERROR
 */
gboolean
cs_symbolizer_set_executable (CsSymbolizer *self, const char *path, GError **error)
{
  CsBinary *binary = cs_binary_open_with (path, NULL, &self->places, self->cache, error);

  if (binary == NULL)
    return FALSE;
  g_clear_pointer (&self->executable, cs_binary_unref);
  self->executable = binary;
  return TRUE;
}

/**
 * cs_symbolizer_get_executable:
 * @self: a symbolizer
 *
 * Returns: (nullable): the path given to cs_symbolizer_set_executable()
 */
const char *
cs_symbolizer_get_executable (CsSymbolizer *self)
{
  return self->executable != NULL ? cs_binary_get_path (self->executable) : NULL;
}

/**
 * cs_symbolizer_set_addr2line:
 * @self: a symbolizer
 * @command: a program that behaves like addr2line, see cs_addr2line_new()
 * @error: where to say why it can't be used
 *
 * Addresses are named by that program. Files that it fails on are read as without it.
 *
 * Returns: whether there is such a program, otherwise with %CS_SYMBOLS_ERROR
 */
gboolean
cs_symbolizer_set_addr2line (CsSymbolizer *self, const char *command, GError **error)
{
  CsAddr2line *addr2line = cs_addr2line_new (command, error);

  if (addr2line == NULL)
    return FALSE;
  g_clear_pointer (&self->addr2line, cs_addr2line_free);
  self->addr2line = addr2line;
  return TRUE;
}

/**
 * cs_symbolizer_set_debuginfod:
 * @self: a symbolizer
 * @debuginfod: (transfer full): a client
 *
 * Programs, libraries and debug information that aren't on this machine are fetched by
 * @debuginfod, as far as the recording tells their build ids.
 */
void
cs_symbolizer_set_debuginfod (CsSymbolizer *self, CsDebuginfod *debuginfod)
{
  g_clear_pointer (&self->debuginfod, cs_debuginfod_free);
  self->debuginfod = debuginfod;
}

/**
 * cs_symbolizer_get_n_fetched:
 * @self: a symbolizer
 *
 * May be called by any thread.
 *
 * Returns: how many bytes were fetched from debuginfod servers so far
 */
guint64
cs_symbolizer_get_n_fetched (CsSymbolizer *self)
{
  return self->debuginfod != NULL ? cs_debuginfod_get_n_bytes (self->debuginfod) : 0;
}

/**
 * cs_symbolizer_set_cancellable:
 * @self: a symbolizer
 * @cancellable: (nullable): to wait no more for servers and programs
 *
 * What isn't known then stays unnamed.
 */
void
cs_symbolizer_set_cancellable (CsSymbolizer *self, GCancellable *cancellable)
{
  if (self->addr2line != NULL)
    cs_addr2line_set_cancellable (self->addr2line, cancellable);
  if (self->debuginfod != NULL)
    cs_debuginfod_set_cancellable (self->debuginfod, cancellable);
}

/**
 * cs_symbolizer_add_source_map:
 * @self: a symbolizer
 * @text: `OLD=NEW`, see cs_source_map_add()
 * @error: where to say what is wrong with it
 *
 * Source files in OLD are shown in NEW.
 *
 * Returns: whether it was understood, otherwise with %CS_SYMBOLS_ERROR
 */
gboolean
cs_symbolizer_add_source_map (CsSymbolizer *self, const char *text, GError **error)
{
  return cs_source_map_add (self->source_map, text, error);
}

/**
 * cs_symbolizer_add_project:
 * @self: a symbolizer
 * @folder: (nullable) (type filename): a project's folder, absolute; %NULL: none
 *
 * Source files in it are shown from there on, also those that the debug information names by the folder without links.
 */
void
cs_symbolizer_add_project (CsSymbolizer *self, const char *folder)
{
  char *real = folder != NULL ? realpath (folder, NULL) : NULL;

  if (folder != NULL)
    cs_source_map_add_folder (self->source_map, folder);
  if (real != NULL && strcmp (real, folder) != 0)
    cs_source_map_add_folder (self->source_map, real);
  free (real);
}

/**
 * cs_symbolizer_map_source:
 * @self: a symbolizer
 * @path: a source file
 *
 * Returns: (transfer full) (nullable): where it is to be shown instead
 */
char *
cs_symbolizer_map_source (CsSymbolizer *self, const char *path)
{
  return cs_source_map_apply (self->source_map, path);
}

/**
 * cs_symbolizer_set_template_depth:
 * @self: a symbolizer
 * @depth: how many levels of template arguments names show, see cs_name_collapse()
 */
void
cs_symbolizer_set_template_depth (CsSymbolizer *self, guint depth)
{
  self->template_depth = depth;
}

/**
 * cs_symbolizer_dup_shown_name:
 * @self: a symbolizer
 * @name: a function's whole name
 *
 * Returns: (transfer full): the name to show
 */
char *
cs_symbolizer_dup_shown_name (CsSymbolizer *self, const char *name)
{
  return cs_name_collapse (name, self->template_depth);
}

/**
 * cs_symbolizer_find_source:
 * @self: a symbolizer
 * @source: a source file's absolute path, as the debug information has it
 *
 * Returns: (transfer full) (nullable): where the file can be read: in a bundle, where the source
 *   map says, or where it was
 */
char *
cs_symbolizer_find_source (CsSymbolizer *self, const char *source)
{
  g_autofree char *mapped = cs_symbolizer_map_source (self, source);

  for (guint i = 0; i < self->bundles->len; i++)
    {
      const char *path = cs_bundle_find_source (g_ptr_array_index (self->bundles, i), source);

      if (path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_strdup (path);
    }
  if (mapped != NULL && g_file_test (mapped, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&mapped);
  return g_file_test (source, G_FILE_TEST_IS_REGULAR) ? g_strdup (source) : NULL;
}

/* Whether the program that names addresses answered. It reads the file that was checked, or one
 * of a format that only it knows. */
static gboolean
ask_addr2line (CsSymbolizer *self, const CsModuleFile *file, CsBinary *binary, guint64 address, CsSymbol *symbol)
{
  const char *path = file->path;

  if (self->addr2line == NULL)
    return FALSE;
  if (binary != NULL)
    path = cs_binary_get_debug_path (binary) != NULL ? cs_binary_get_debug_path (binary) : cs_binary_get_path (binary);
  else if (file->build_id != NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return FALSE;
  return cs_addr2line_lookup (self->addr2line, path, address, symbol);
}

/* Names the address that lies @back bytes before the code at @address. */
static gboolean
lookup (CsSymbolizer *self, const CsModuleFile *file, guint64 address, guint back, CsSymbol *symbol)
{
  CsBinary *binary = cs_symbolizer_get_binary (self, file);

  address = (binary != NULL ? cs_binary_get_code_address (binary, address) : address) - back;
  if (ask_addr2line (self, file, binary, address, symbol))
    return symbol->name != NULL || symbol->file != NULL;
  return binary != NULL && cs_binary_lookup (binary, address, symbol);
}

/**
 * cs_symbolizer_prepare:
 * @self: a symbolizer
 * @file: the module
 * @addresses: (array length=n): link addresses in it; changed
 * @n: how many
 * @call_sites: whether they are for cs_symbolizer_lookup_call_site()
 *
 * Finds what many addresses are at once, on all processors.
 */
void
cs_symbolizer_prepare (CsSymbolizer *self, const CsModuleFile *file, guint64 *addresses, guint n,
                       gboolean call_sites)
{
  CsBinary *binary = cs_symbolizer_get_binary (self, file);

  if (binary == NULL || self->addr2line != NULL)
    return;
  for (guint i = 0; call_sites && i < n; i++)
    addresses[i] = cs_binary_get_code_address (binary, addresses[i]) - 1;
  cs_binary_prepare (binary, addresses, n);
}

/**
 * cs_symbolizer_lookup_function:
 * @self: a symbolizer
 * @file: the module
 * @address: the link address of a function in it, as a hook got it
 * @symbol: (out): what lies there; strings belong to @self
 *
 * Names a function. A module that can't be read, or whose build id is not the recorded one,
 * is told of once in the notices and not trusted.
 *
 * Returns: whether the address has a name
 */
gboolean
cs_symbolizer_lookup_function (CsSymbolizer *self, const CsModuleFile *file, guint64 address, CsSymbol *symbol)
{
  return lookup (self, file, address, 0, symbol);
}

/**
 * cs_symbolizer_lookup_call_site:
 * @self: a symbolizer
 * @file: the module
 * @address: a link address in it to which a call returned
 * @symbol: (out): where the call lies; strings belong to @self
 *
 * Names the instruction before a return address, which may belong to the next line.
 *
 * Returns: whether the address has a name
 */
gboolean
cs_symbolizer_lookup_call_site (CsSymbolizer *self, const CsModuleFile *file, guint64 address, CsSymbol *symbol)
{
  return lookup (self, file, address, 1, symbol);
}

/**
 * cs_symbolizer_get_inlining:
 * @self: a symbolizer
 * @file: the module
 * @address: a link address in it
 *
 * Returns: (transfer full) (nullable): which functions it is part of, %NULL when it isn't known
 */
CsInlining *
cs_symbolizer_get_inlining (CsSymbolizer *self, const CsModuleFile *file, guint64 address)
{
  CsBinary *binary = cs_symbolizer_get_binary (self, file);

  return binary != NULL ? cs_binary_get_inlining (binary, address) : NULL;
}

/* By path, whatever the order in which they were opened. */
static int
compare_module_files (gconstpointer a, gconstpointer b)
{
  const CsModuleFile *one = a;
  const CsModuleFile *two = b;
  int order = strcmp (one->path, two->path);

  if (order == 0)
    order = g_strcmp0 (one->build_id, two->build_id);
  return order != 0 ? order : one->executable - two->executable;
}

/**
 * cs_symbolizer_dup_notices:
 * @self: a symbolizer
 *
 * Some problems of a file show only when it is used: to be called after the look-ups.
 *
 * Returns: (transfer full) (array zero-terminated=1): why addresses were not named, or not
 *   with their lines
 */
char **
cs_symbolizer_dup_notices (CsSymbolizer *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (self->modules), compare_module_files);

  for (guint i = 0; i < self->notices->len; i++)
    g_strv_builder_add (builder, g_ptr_array_index (self->notices, i));
  for (GList *key = keys; key != NULL; key = key->next)
    {
      CsBinary *binary = g_hash_table_lookup (self->modules, key->data);

      if (binary != NULL && cs_binary_get_notice (binary) != NULL)
        g_strv_builder_add (builder, cs_binary_get_notice (binary));
    }
  if (self->debuginfod != NULL)
    {
      g_auto (GStrv) fetching = cs_debuginfod_dup_notices (self->debuginfod);

      g_strv_builder_addv (builder, (const char **) fetching);
    }
  if (self->addr2line != NULL)
    {
      g_autofree char *told = cs_addr2line_dup_notice (self->addr2line);

      if (told != NULL)
        g_strv_builder_add (builder, told);
    }
  return g_strv_builder_end (builder);
}
