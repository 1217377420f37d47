/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

#include "project/cs-folder.h"

static void
remove_inside (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  struct stat st;

  if (g_lstat (path, &st) == 0 && S_ISDIR (st.st_mode))
    cs_folder_remove (path);
  else
    g_unlink (path);
}

/**
 * cs_folder_remove:
 * @path: a folder that was made by this program
 *
 * Removes it with what is in it. Links are removed, not followed.
 */
void
cs_folder_remove (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    remove_inside (path, name);
  g_rmdir (path);
}

/**
 * cs_folder_empty:
 * @path: a folder that was made by this program
 * @kept: (array zero-terminated=1): names in it
 *
 * Removes what is in it, except @kept. Links are removed, not followed.
 *
 * Returns: whether nothing else is left
 */
gboolean
cs_folder_empty (const char *path, const char *const *kept)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  gboolean empty = dir != NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (!g_strv_contains (kept, name))
      remove_inside (path, name);
  if (dir != NULL)
    g_dir_rewind (dir);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    empty = empty && g_strv_contains (kept, name);
  return empty;
}
