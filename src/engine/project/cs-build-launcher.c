/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>

#include "project/cs-build-launcher.h"
#include "project/cs-child.h"
#include "project/cs-data-folder.h"

#define LAUNCHER "callsight-cc"

/* The compiler of this machine: the project's own may be one for another. */
static char *
find_host_compiler (void)
{
  static const char *const names[] = { "cc", "gcc", "clang" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      char *path = g_find_program_in_path (names[i]);

      if (path != NULL)
        return path;
    }
  return NULL;
}

static gboolean
add_file (GChecksum *sum, const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize size = 0;

  if (!g_file_get_contents (path, &text, &size, error))
    return FALSE;
  g_checksum_update (sum, (const guchar *) text, (gssize) size);
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The launcher's own headers, which lie beside it, in the order of their names. */
static GPtrArray *
list_headers (const char *folder, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  const char *name;

  if (dir == NULL)
    return NULL;
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "cc_") && g_str_has_suffix (name, ".h"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return g_steal_pointer (&names);
}

/* Where the launcher of these sources, made by this compiler, is kept. */
static char *
get_cache_path (const char *source, const char *compiler, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *folder = g_path_get_dirname (source);
  g_autoptr (GPtrArray) headers = list_headers (folder, error);

  if (headers == NULL || !add_file (sum, source, error))
    return NULL;
  for (guint i = 0; i < headers->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, headers->pdata[i], NULL);

      if (!add_file (sum, path, error))
        return NULL;
    }
  g_checksum_update (sum, (const guchar *) compiler, -1);
  return g_strdup_printf ("%s/callsight/launcher-%.16s/" LAUNCHER, g_get_user_cache_dir (), g_checksum_get_string (sum));
}

static gboolean
compile (const char *compiler, const char *source, const char *path, GCancellable *cancellable, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *temporary = g_strdup_printf ("%s.%08x", path, g_random_int ());
  const char *const command[] = { compiler, "-std=c11", "-O2", "-o", temporary, source, NULL };
  g_autofree char *said = NULL;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: can't be made — set XDG_CACHE_HOME to a folder of yours",
                   folder);
      return FALSE;
    }
  said = cs_child_ask (command, NULL, NULL, cancellable, error);
  if (said != NULL && g_rename (temporary, path) == 0)
    return TRUE;
  g_unlink (temporary);
  if (said != NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: can't be written", path);
  else
    g_prefix_error (error, "the compiler launcher can't be made: ");
  return FALSE;
}

/**
 * cs_build_launcher_find:
 * @cancellable: (nullable): to give up early
 * @error: where to say why there is none
 *
 * Finds the compiler launcher beside this program, or compiles it, once, into the user's cache folder.
 *
 * Returns: (transfer full) (nullable): its path
 */
char *
cs_build_launcher_find (GCancellable *cancellable, GError **error)
{
  g_autofree char *beside = cs_program_find_beside (LAUNCHER);
  g_autofree char *runtime = beside == NULL ? cs_data_folder_find ("runtime") : NULL;
  g_autofree char *source = runtime != NULL ? g_build_filename (runtime, LAUNCHER ".c", NULL) : NULL;
  g_autofree char *compiler = NULL;
  g_autofree char *path = NULL;

  if (beside != NULL)
    return g_steal_pointer (&beside);
  if (source == NULL || !g_file_test (source, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   LAUNCHER ": it isn't installed, and neither is its source — install Callsight completely");
      return NULL;
    }
  compiler = find_host_compiler ();
  if (compiler == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no C compiler in PATH — install gcc or clang");
      return NULL;
    }
  path = get_cache_path (source, compiler, error);
  if (path == NULL || (!g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) &&
                       !compile (compiler, source, path, cancellable, error)))
    return NULL;
  return g_steal_pointer (&path);
}
