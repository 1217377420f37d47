/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

#include "project/cs-folder.h"

/**
 * cs_folder_remove:
 * @path: a folder that was made by this program
 *
 * Removes it with what is in it.
 */
void
cs_folder_remove (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inside = g_build_filename (path, name, NULL);
      struct stat st;

      if (g_lstat (inside, &st) == 0 && S_ISDIR (st.st_mode))
        cs_folder_remove (inside);
      else
        g_unlink (inside);
    }
  g_rmdir (path);
}
