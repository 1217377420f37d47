/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-flags-private.h"
#include "selection/cs-scan-file.h"

struct _CsDotIncludes
{
  guint *sure;         /* of each file: trailing folders that every such directive names */
  GHashTable *unknown; /* (element-type utf8): what is named behind "..", and lies in a folder that isn't known */
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
  if (!g_hash_table_add (self->unknown, g_strdup (tail)))
    return;
  for (guint i = 0; i < files->len; i++)
    if (ends_with_path (((CsSourceFile *) files->pdata[i])->path, tail))
      self->sure[i] = MIN (self->sure[i], folders);
}

/* The name between quotes or angle brackets of the include directive in a line; NULL if it has none. */
static char *
dup_include (const char *line, const char *end)
{
  const char *p = line + strspn (line, " \t"), *stop;

  if (*p != '#')
    return NULL;
  p += 1 + strspn (p + 1, " \t");
  if (!g_str_has_prefix (p, "include"))
    return NULL;
  while (p < end && *p != '"' && *p != '<')
    p++;
  if (p == end)
    return NULL;
  for (stop = ++p; stop < end && *stop != '"' && *stop != '>';)
    stop++;
  return g_strndup (p, (gsize) (stop - p));
}

/* The directives of a file whose names have "..". */
static void
read_file (CsDotIncludes *self, CsSelection *selection, GHashTable *numbers, const char *path, const char *text,
           gsize length)
{
  g_autofree char *inside = g_strconcat ("/", path, NULL);
  g_autofree char *folder = g_path_get_dirname (inside);
  const char *end = text + length, *line = text;

  while (line < end)
    {
      const char *hit = memmem (line, (gsize) (end - line), "../", 3);
      const char *begin = hit != NULL ? memrchr (line, '\n', (gsize) (hit - line)) : NULL;
      const char *newline = hit != NULL ? memchr (hit, '\n', (gsize) (end - hit)) : NULL;
      g_autofree char *name = NULL;

      if (hit == NULL)
        return;
      if (newline == NULL)
        newline = end;
      name = dup_include (begin != NULL ? begin + 1 : line, newline);
      if (name != NULL && strstr (name, "../") != NULL)
        add_include (self, selection, numbers, folder, name);
      line = newline;
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
  self->unknown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < files->len; i++)
    self->sure[i] = G_MAXUINT;
  for (guint i = 0; i < files->len; i++)
    {
      const char *path = ((CsSourceFile *) files->pdata[i])->path;
      g_autofree char *whole = g_build_filename (root, path, NULL);
      g_autofree char *text = NULL;
      gsize length;

      text = cs_scan_read_file (whole, &length, NULL);
      if (text != NULL)
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
  g_hash_table_unref (self->unknown);
  g_free (self);
}
