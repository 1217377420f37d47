/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "symbols/cs-symbolizer-private.h"

/* Which file the names of a module are read from: one in a bundle, what the person named, what lies at the recorded
 * path, or what a server has; and only if its build id is the recorded one. */

/**
 * cs_module_file_hash:
 * @file: a #CsModuleFile
 *
 * Returns: a number that files which cs_module_file_equal() share
 */
guint
cs_module_file_hash (gconstpointer file)
{
  const CsModuleFile *self = file;

  return g_str_hash (self->path) * 31 + (self->build_id != NULL ? g_str_hash (self->build_id) : 0) +
         (guint) self->executable;
}

/**
 * cs_module_file_equal:
 * @a: a #CsModuleFile
 * @b: another
 *
 * Returns: whether they are the same file, in the same part
 */
gboolean
cs_module_file_equal (gconstpointer a, gconstpointer b)
{
  const CsModuleFile *one = a;
  const CsModuleFile *two = b;

  return one->executable == two->executable && g_str_equal (one->path, two->path) &&
         g_strcmp0 (one->build_id, two->build_id) == 0;
}

static CsModuleFile *
dup_module_file (const CsModuleFile *file)
{
  CsModuleFile *copy = g_new (CsModuleFile, 1);

  *copy = (CsModuleFile){ g_strdup (file->path), g_strdup (file->build_id), file->executable };
  return copy;
}

void
cs_module_file_free (gpointer file)
{
  CsModuleFile *self = file;

  g_free ((char *) self->path);
  g_free ((char *) self->build_id);
  g_free (self);
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

/**
 * cs_symbolizer_get_binary:
 * @self: a symbolizer
 * @file: a module
 *
 * The file is opened at its first use.
 *
 * Returns: (transfer none) (nullable): the file that its names are read from; %NULL where there
 *   is none to be trusted
 */
CsBinary *
cs_symbolizer_get_binary (CsSymbolizer *self, const CsModuleFile *file)
{
  gpointer binary;

  if (!g_hash_table_lookup_extended (self->modules, file, NULL, &binary))
    {
      binary = open_module (self, file);
      g_hash_table_insert (self->modules, dup_module_file (file), binary);
    }
  return binary;
}
