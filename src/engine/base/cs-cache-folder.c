/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cs-cache-folder.h"

typedef struct
{
  char *path;
  gint64 time;
  guint64 size;
} Kept;

static void
kept_clear (gpointer data)
{
  g_free (((Kept *) data)->path);
}

/* Last used first. */
static int
compare_kept (gconstpointer a, gconstpointer b)
{
  const Kept *one = a;
  const Kept *two = b;

  return one->time > two->time ? -1 : one->time < two->time;
}

/* Whether a file begins as the cache's do. */
static gboolean
has_magic (const char *path, const char *wanted)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
  char magic[8];
  gboolean ours = fd >= 0 && read (fd, magic, sizeof magic) == sizeof magic && memcmp (magic, wanted, sizeof magic) == 0;

  if (fd >= 0)
    close (fd);
  return ours;
}

/**
 * cs_cache_folder_prune:
 * @folder: where a cache has its files
 * @limits: which files these are, and what stays
 *
 * Removes what wasn't used for longest, so that the folder doesn't grow for ever. Other files stay.
 */
void
cs_cache_folder_prune (const char *folder, const CsCacheLimits *limits)
{
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (Kept));
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  guint64 total = 0;
  const char *name;

  g_array_set_clear_func (files, kept_clear);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      Kept kept = { g_build_filename (folder, name, NULL), 0, 0 };
      GStatBuf status;

      if (strstr (name, limits->suffix) == NULL || g_lstat (kept.path, &status) != 0 || !S_ISREG (status.st_mode))
        {
          g_free (kept.path);
          continue;
        }
      kept.time = status.st_mtime;
      kept.size = (guint64) status.st_size;
      g_array_append_val (files, kept);
    }
  g_array_sort (files, compare_kept);
  for (guint i = 0; i < files->len; i++)
    {
      const Kept *kept = &g_array_index (files, Kept, i);

      total += kept->size;
      if ((i >= limits->most_files || total > limits->most_bytes || now - kept->time > limits->longest_unused_s) &&
          (limits->magic == NULL || has_magic (kept->path, limits->magic)))
        g_unlink (kept->path);
    }
}
