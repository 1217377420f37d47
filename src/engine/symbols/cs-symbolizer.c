/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "symbols/cs-addr2line.h"
#include "symbols/cs-bundle.h"
#include "symbols/cs-name-collapse.h"
#include "symbols/cs-source-map.h"
#include "symbols/cs-symbolizer.h"

struct _CsSymbolizer
{
  GObject parent_instance;

  CsBinary *executable; /* (nullable): what the person named */
  GHashTable *modules;  /* "build id path" → CsBinary, or NULL where it isn't to be trusted */
  GPtrArray *notices;   /* (element-type utf8): about files that were not trusted */

  CsAddr2line *addr2line;   /* (nullable): what names addresses instead */
  CsDebuginfod *debuginfod; /* (nullable): where to get files that aren't there */
  GPtrArray *bundles;       /* (element-type CsBundle) */
  GHashTable *folders;      /* (element-type filename) that were looked into for one */
  CsSourceMap *source_map;
  guint template_depth;
  CsDebugPlaces places; /* where files are looked for; binaries refer to it */
  char *cache;          /* (nullable): folder of what earlier runs found */
  GRecMutex mutex;      /* cs_symbolizer_lock() */
};

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
  self->modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, binary_unref_nullable);
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

static void G_GNUC_PRINTF (2, 3)
add_notice (CsSymbolizer *self, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (self->notices, g_strdup_vprintf (format, args));
  va_end (args);
}

static gboolean
has_build_id (CsBinary *binary, const char *build_id)
{
  return binary != NULL && (build_id == NULL || g_strcmp0 (build_id, cs_binary_get_build_id (binary)) == 0);
}

/**
 * cs_symbolizer_add_bundle:
 * @self: a symbolizer
 * @folder: a folder, which may be a bundle
 *
 * Modules and sources are looked for in a bundle first. One that can't be read is told of in
 * the notices.
 */
void
cs_symbolizer_add_bundle (CsSymbolizer *self, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *debug = NULL;
  CsBundle *bundle;
  const char *executable;

  if (!g_hash_table_add (self->folders, g_canonicalize_filename (folder, NULL)) || !cs_bundle_is_one (folder))
    return;
  bundle = cs_bundle_open (folder, &error);
  if (bundle == NULL)
    {
      add_notice (self, "%s", error->message);
      return;
    }
  g_ptr_array_add (self->bundles, bundle);
  debug = g_build_filename (folder, CS_BUNDLE_DEBUG_FOLDER, NULL);
  if (g_file_test (debug, G_FILE_TEST_IS_DIR) && !cs_symbolizer_add_debug_dir (self, debug, &error))
    {
      add_notice (self, "%s", error->message);
      g_clear_error (&error);
    }
  executable = cs_bundle_get_executable (bundle);
  if (executable != NULL && self->executable == NULL && !cs_symbolizer_set_executable (self, executable, &error))
    add_notice (self, "%s", error->message);
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

/* Opens a file that was at a path when the program ran. */
static CsBinary *
open_recorded (CsSymbolizer *self, const CsModuleFile *file, GError **error)
{
  if (self->places.sysroot != NULL)
    {
      g_autofree char *path = g_build_filename (self->places.sysroot, file->path, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return cs_binary_open_with (path, NULL, &self->places, self->cache, error);
    }
  return cs_binary_open_with (file->path, NULL, &self->places, self->cache, error);
}

/* A module's file in a bundle, if there is one and it is the recorded one. */
static CsBinary *
open_from_bundle (CsSymbolizer *self, const CsModuleFile *file)
{
  for (guint i = 0; i < self->bundles->len; i++)
    {
      const CsBundleModule *module =
          cs_bundle_find_module (g_ptr_array_index (self->bundles, i), file->path, file->build_id);
      g_autoptr (GError) error = NULL;
      g_autoptr (CsBinary) binary = NULL;

      if (module == NULL)
        continue;
      binary = cs_binary_open_with (module->path, module->debug_path, &self->places, self->cache, &error);
      if (has_build_id (binary, file->build_id))
        return g_steal_pointer (&binary);
      if (binary == NULL)
        add_notice (self, "The bundle's file of %s can't be used: %s", file->path, error->message);
      else
        add_notice (self, "The bundle's file %s is not the %s that was recorded (its build id differs): it is not used",
                    module->path, file->path);
    }
  return NULL;
}

/* A module's file from a debuginfod server: the program itself, or its debug file alone. */
static CsBinary *
fetch_module (CsSymbolizer *self, const CsModuleFile *file)
{
  g_autofree char *base = g_path_get_basename (file->path);

  for (guint i = 0; i < 2 && self->debuginfod != NULL && file->build_id != NULL; i++)
    {
      g_autofree char *path = cs_debuginfod_find (self->debuginfod, file->build_id,
                                                  i == 0 ? CS_DEBUGINFOD_EXECUTABLE : CS_DEBUGINFOD_DEBUGINFO, base);
      CsBinary *binary = path != NULL ? cs_binary_open_with (path, NULL, &self->places, self->cache, NULL) : NULL;

      if (binary != NULL)
        return binary;
    }
  return NULL;
}

/* The same file with the debug information that it lacks, as far as a server has it. */
static CsBinary *
add_debug_info (CsSymbolizer *self, CsBinary *binary)
{
  const char *build_id = cs_binary_get_build_id (binary);
  g_autofree char *base = g_path_get_basename (cs_binary_get_path (binary));
  g_autofree char *path = NULL;
  CsBinary *whole;

  if (self->debuginfod == NULL || build_id == NULL || cs_binary_has_debug_info (binary))
    return binary;
  path = cs_debuginfod_find (self->debuginfod, build_id, CS_DEBUGINFOD_DEBUGINFO, base);
  whole = path != NULL ? cs_binary_open_with (cs_binary_get_path (binary), path, &self->places, self->cache, NULL) : NULL;
  if (whole == NULL)
    return binary;
  cs_binary_unref (binary);
  return whole;
}

/* Opens a module where it was when it was recorded, or where the person says; or tells why its
 * functions stay unnamed. */
static CsBinary *
open_on_disk (CsSymbolizer *self, const CsModuleFile *file)
{
  gboolean replaced = file->executable && self->executable != NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsBinary) binary =
      replaced ? cs_binary_ref (self->executable) : open_recorded (self, file, &error);

  if (replaced && !has_build_id (binary, file->build_id))
    {
      /* A child of the recorded program, say, whose own file is the right one. */
      g_autoptr (CsBinary) recorded = open_recorded (self, file, NULL);

      if (has_build_id (recorded, file->build_id))
        {
          g_clear_pointer (&binary, cs_binary_unref);
          binary = g_steal_pointer (&recorded);
          add_notice (self, "%s is not what ran as %s (its build id differs): the latter names its functions",
                      cs_binary_get_path (self->executable), file->path);
        }
    }
  if (!has_build_id (binary, file->build_id))
    {
      CsBinary *fetched = fetch_module (self, file);

      if (fetched != NULL)
        return fetched;
    }
  if (binary == NULL && self->addr2line != NULL && file->build_id == NULL &&
      g_error_matches (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_FORMAT))
    return NULL;
  if (binary == NULL)
    {
      add_notice (self, "%s — its functions stay unnamed%s", error->message,
                  file->executable ? "; give the binary that ran with --exe" : "");
      return NULL;
    }
  if (!has_build_id (binary, file->build_id))
    {
      const char *on_disk = cs_binary_get_build_id (binary);

      add_notice (self,
                  "%s is not the binary that was recorded (its build id is %.16s…, recorded was "
                  "%.16s…): its functions stay unnamed%s",
                  cs_binary_get_path (binary), on_disk != NULL ? on_disk : "missing", file->build_id,
                  file->executable ? " — give the one that ran with --exe" : "");
      return NULL;
    }
  return g_steal_pointer (&binary);
}

static CsBinary *
open_module (CsSymbolizer *self, const CsModuleFile *file)
{
  gboolean named = file->executable && self->executable != NULL && has_build_id (self->executable, file->build_id);
  CsBinary *binary = named ? NULL : open_from_bundle (self, file);

  if (binary == NULL)
    binary = open_on_disk (self, file);
  return binary != NULL ? add_debug_info (self, binary) : NULL;
}

/* The module's file, opened at its first use; NULL where it isn't to be trusted. */
static CsBinary *
find_binary (CsSymbolizer *self, const CsModuleFile *file)
{
  g_autofree char *key = g_strdup_printf ("%s %d %s", file->build_id != NULL ? file->build_id : "-",
                                          file->executable, file->path);
  gpointer binary;

  if (!g_hash_table_lookup_extended (self->modules, key, NULL, &binary))
    {
      binary = open_module (self, file);
      g_hash_table_insert (self->modules, g_steal_pointer (&key), binary);
    }
  return binary;
}

/**
 * cs_symbolizer_get_binary:
 * @self: a symbolizer
 * @file: a module
 *
 * Returns: (transfer none) (nullable): the file that its names are read from; %NULL where there
 *   is none to be trusted
 */
CsBinary *
cs_symbolizer_get_binary (CsSymbolizer *self, const CsModuleFile *file)
{
  return find_binary (self, file);
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
  CsBinary *binary = find_binary (self, file);

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
  CsBinary *binary = find_binary (self, file);

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
  CsBinary *binary = find_binary (self, file);

  return binary != NULL ? cs_binary_get_inlining (binary, address) : NULL;
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
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (self->modules), (GCompareFunc) strcmp);

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
