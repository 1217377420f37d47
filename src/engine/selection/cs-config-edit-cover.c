/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-config-edit-private.h"

typedef struct
{
  const CsConfigEdit *edit;
  const guint8 *files;
  gboolean wanted;
  GHashTable *avoid;
  guint8 *can_share; /* by file: one line can switch it along with others */
  GArray *covers;
} Cover;

static const char *
get_path (const Cover *self, guint file)
{
  return ((const CsSourceFile *) self->edit->before->files->pdata[file])->path;
}

static void
clear_cover (gpointer data)
{
  g_free (((CsConfigCover *) data)->pattern);
}

static void
emit (Cover *self, guint first, guint end, gsize length, gboolean is_folder)
{
  CsConfigCover cover = { NULL, first, end, is_folder };

  if (length == 0)
    cover.pattern = g_strdup (self->wanted ? "." : "**");
  else
    cover.pattern = cs_pattern_escape (get_path (self, first), length, is_folder);
  g_array_append_val (self->covers, cover);
}

/* The first file behind those that are in the same folder as @first, whose path ends at @slash. */
static guint
find_end (const Cover *self, guint first, guint end, const char *slash)
{
  const char *path = get_path (self, first);
  gsize length = (gsize) (slash - path) + 1;
  guint i = first + 1;

  while (i < end && strncmp (get_path (self, i), path, length) == 0)
    i++;
  return i;
}

/* The files of a folder, of which @length bytes of their paths are its own. */
static void
cover_folder (Cover *self, guint first, guint end, gsize length)
{
  g_autofree char *folder = g_strndup (get_path (self, first), length);
  gboolean all = end - first >= 2 && !g_hash_table_contains (self->avoid, folder), any = FALSE;
  const char *slash = strchr (get_path (self, first) + length, '/');

  for (guint i = first; i < end; i++)
    {
      any |= self->files[i] != 0;
      all = all && self->can_share[i];
    }
  if (!any)
    return;
  if (slash != NULL && find_end (self, first, end, slash) == end)
    {
      /* Everything lies in one folder, which says it more closely. */
      cover_folder (self, first, end, (gsize) (slash - get_path (self, first)) + 1);
      return;
    }
  if (all)
    {
      emit (self, first, end, length > 0 ? length - 1 : 0, TRUE);
      return;
    }
  for (guint i = first, next; i < end; i = next)
    {
      slash = strchr (get_path (self, i) + length, '/');
      next = slash != NULL ? find_end (self, i, end, slash) : i + 1;
      if (slash != NULL)
        cover_folder (self, i, next, (gsize) (slash - get_path (self, i)) + 1);
      else if (self->files[i] != 0)
        emit (self, i, next, strlen (get_path (self, i)), FALSE);
    }
}

/**
 * cs_config_edit_cover:
 * @self: an edit
 * @files: (array): a byte a file, not 0 where a pattern is needed for it
 * @wanted: whether they are wanted, or nothing of them is
 * @avoid: (element-type utf8): folders, with "/" at their ends, for which there may be no pattern
 *
 * Finds the outermost folders of which every file may be switched, and the files that are left.
 *
 * Returns: (transfer full) (element-type CsConfigCover): patterns for all of @files
 */
GArray *
cs_config_edit_cover (const CsConfigEdit *self, const guint8 *files, gboolean wanted, GHashTable *avoid)
{
  guint n = self->before->files->len;
  g_autofree guint8 *can_share = g_new0 (guint8, n + 1);
  Cover cover = { self, files, wanted, avoid, can_share, g_array_new (FALSE, FALSE, sizeof (CsConfigCover)) };

  g_array_set_clear_func (cover.covers, clear_cover);
  for (guint i = 0; i < n; i++)
    can_share[i] = self->switched[i] != 0 && (wanted ? cs_config_edit_fits (self, i)
                                                     : cs_config_edit_get_wanted (self, i) == CS_FILE_NOT_CHOSEN);
  if (n > 0)
    cover_folder (&cover, 0, n, 0);
  return cover.covers;
}
