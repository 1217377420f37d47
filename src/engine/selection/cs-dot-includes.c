/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-flags-private.h"

struct _CsDotIncludes
{
  guint *sure; /* of each file: trailing folders that every such directive names */
};

static gboolean
ends_with_path (const char *path, const char *tail)
{
  gsize length = strlen (path), own = strlen (tail);

  return own <= length && memcmp (path + length - own, tail, own) == 0 && (own == length || path[length - own - 1] == '/');
}

/* A directive's name, in a file of the folder. */
static void
add_include (CsDotIncludes *self, CsSelection *selection, GHashTable *numbers, const char *folder, const char *name)
{
  GPtrArray *files = cs_selection_get_files (selection);
  const char *tail = g_strrstr (name, "../") + 3;
  g_autofree char *path = NULL;
  guint folders = 0, number;

  for (const char *p = tail; *p != '\0'; p++)
    folders += *p == '/';
  path = g_canonicalize_filename (name, folder);
  /* The folder is "/" and the path in the tree. */
  number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, path + 1));
  if (number > 0)
    {
      self->sure[number - 1] = MIN (self->sure[number - 1], folders);
      return;
    }
  /* Found through a folder that isn't known. */
  for (guint i = 0; i < files->len; i++)
    if (ends_with_path (((CsSourceFile *) files->pdata[i])->path, tail))
      self->sure[i] = MIN (self->sure[i], folders);
}

/* The directives of a file whose names have "..". */
static void
read_file (CsDotIncludes *self, CsSelection *selection, GHashTable *numbers, const char *path, const char *text,
           gsize length)
{
  g_autofree char *inside = g_strconcat ("/", path, NULL);
  g_autofree char *folder = g_path_get_dirname (inside);
  const char *end = text + length;

  for (const char *hit = text; (hit = memmem (hit, (gsize) (end - hit), "../", 3)) != NULL; hit += 3)
    {
      const char *line = hit, *stop;
      g_autofree char *name = NULL;

      while (line > text && line[-1] != '\n')
        line--;
      line += strspn (line, " \t");
      if (*line != '#')
        continue;
      line += 1 + strspn (line + 1, " \t");
      if (!g_str_has_prefix (line, "include"))
        continue;
      line += strcspn (line, "\"<\n");
      if (*line == '\n' || *line == '\0')
        continue;
      line++;
      stop = line + strcspn (line, "\">\n");
      if (stop <= hit)
        continue;
      name = g_strndup (line, (gsize) (stop - line));
      if (strstr (name, "../") == NULL)
        continue;
      add_include (self, selection, numbers, folder, name);
      hit = stop > hit + 3 ? stop - 3 : hit;
    }
}

/**
 * cs_dot_includes_new:
 * @selection: a selection
 * @numbers: path → number + 1 of its files
 *
 * Reads all files of a tree for include directives that go up.
 *
 * Returns: (transfer full): what they reach
 */
CsDotIncludes *
cs_dot_includes_new (CsSelection *selection, GHashTable *numbers)
{
  CsDotIncludes *self = g_new0 (CsDotIncludes, 1);
  GPtrArray *files = cs_selection_get_files (selection);
  const char *root = cs_selection_get_root (selection);

  self->sure = g_new (guint, files->len + 1);
  for (guint i = 0; i < files->len; i++)
    self->sure[i] = G_MAXUINT;
  for (guint i = 0; i < files->len; i++)
    {
      const char *path = ((CsSourceFile *) files->pdata[i])->path;
      g_autofree char *whole = g_build_filename (root, path, NULL);
      g_autofree char *text = NULL;
      gsize length;

      if (g_file_get_contents (whole, &text, &length, NULL))
        read_file (self, selection, numbers, path, text, length);
    }
  return self;
}

/**
 * cs_dot_includes_get_sure:
 * @self: what directives reach
 * @file: number of a file
 *
 * Returns: how many of the file's trailing folders every directive names that reaches it through ".."; %G_MAXUINT:
 *   none does
 */
guint
cs_dot_includes_get_sure (const CsDotIncludes *self, guint file)
{
  return self->sure[file];
}

/**
 * cs_dot_includes_free:
 * @self: (transfer full): what directives reach
 */
void
cs_dot_includes_free (CsDotIncludes *self)
{
  g_free (self->sure);
  g_free (self);
}
