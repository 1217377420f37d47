/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "project/cs-data-folder.h"

/* In a folder that this program was built in: a file that holds the path of its sources. */
#define SOURCE_FOLDER_FILE "source-folder"

static char *
get_own_folder (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);

  return self != NULL ? g_path_get_dirname (self) : NULL;
}

/* The sources of the build that @folder, where this program lies, is a part of. */
static char *
find_sources (const char *folder)
{
  g_autofree char *relative = g_build_filename (folder, "../..", SOURCE_FOLDER_FILE, NULL);
  g_autofree char *path = g_canonicalize_filename (relative, NULL);
  char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  return g_strchomp (text);
}

/**
 * cs_data_folder_find:
 * @name: `runtime` or `integrations`
 *
 * Looks for a folder of files that are copied into projects: in the sources, if this program lies in the
 * folder that it was built in, or else where it is installed.
 *
 * Returns: (transfer full) (nullable): its path
 */
char *
cs_data_folder_find (const char *name)
{
  g_autofree char *own = get_own_folder ();
  g_autofree char *sources = own != NULL ? find_sources (own) : NULL;
  g_autofree char *path = NULL;

  if (sources != NULL)
    path = g_str_equal (name, "runtime") ? g_build_filename (sources, name, NULL)
                                         : g_build_filename (sources, "data", name, NULL);
  else
    path = g_build_filename (CS_DATADIR, name, NULL);
  return g_file_test (path, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&path) : NULL;
}

/**
 * cs_program_find_beside:
 * @name: a program that belongs to this one
 *
 * Returns: (transfer full) (nullable): its path, if it lies in the folder of this program or, where that is the folder
 *   it was built in, in the one of the runtime
 */
char *
cs_program_find_beside (const char *name)
{
  g_autofree char *own = get_own_folder ();
  g_autofree char *beside = own != NULL ? g_build_filename (own, name, NULL) : NULL;
  g_autofree char *relative = own != NULL ? g_build_filename (own, "../../runtime", name, NULL) : NULL;
  g_autofree char *built = relative != NULL ? g_canonicalize_filename (relative, NULL) : NULL;

  if (beside != NULL && g_file_test (beside, G_FILE_TEST_IS_REGULAR) && g_file_test (beside, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&beside);
  if (built != NULL && g_file_test (built, G_FILE_TEST_IS_REGULAR) && g_file_test (built, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&built);
  return NULL;
}
