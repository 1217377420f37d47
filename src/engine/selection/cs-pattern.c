/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-glob.h"
#include "selection/cs-pattern.h"

struct _CsPattern
{
  char *text;
  CsGlob *glob; /* (nullable): NULL: "." and its like, everything below the root */
};

G_DEFINE_QUARK (cs-pattern-error-quark, cs_pattern_error)

static gboolean
is_parent (const char *part, gsize length)
{
  return length == 2 && part[0] == '.' && part[1] == '.';
}

/* Without "//" and "./", and without "x/.." as far as x is known; of a pattern "**" may be anything. */
static char *
normalise (const char *path, gboolean is_pattern)
{
  GString *out = g_string_sized_new (strlen (path));
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (gsize)); /* of the parts that ".." may take back */
  gboolean absolute = *path == '/';

  if (absolute)
    g_string_append_c (out, '/');
  for (const char *p = path, *next; *p != '\0'; p = next)
    {
      const char *slash = strchrnul (p, '/');
      gsize length = (gsize) (slash - p);

      next = slash + (*slash != '\0');
      if (length == 0 || (length == 1 && *p == '.'))
        continue;
      if (is_parent (p, length) && starts->len > 0)
        {
          g_string_truncate (out, g_array_index (starts, gsize, starts->len - 1));
          g_array_set_size (starts, starts->len - 1);
          continue;
        }
      if (is_parent (p, length) && absolute && out->len == 1)
        continue;
      if (is_parent (p, length) || (is_pattern && memmem (p, length, "**", 2) != NULL))
        g_array_set_size (starts, 0);
      else
        g_array_append_val (starts, out->len);
      g_string_append_len (out, p, (gssize) length);
      if (*slash == '/')
        g_string_append_c (out, '/');
    }
  return g_string_free (out, FALSE);
}

/**
 * cs_pattern_new:
 * @text: a path, folder or glob with "/" between its parts
 * @error: where to say what is wrong with it
 *
 * What a pattern matches is told in docs/trace-config.md.
 *
 * Returns: (transfer full) (nullable): the pattern, or %NULL with %CS_PATTERN_ERROR_SYNTAX
 */
CsPattern *
cs_pattern_new (const char *text, GError **error)
{
  g_autoptr (CsPattern) self = g_new0 (CsPattern, 1);
  g_autofree char *normal = NULL;

  self->text = g_strdup (text);
  if (*text == '\0')
    {
      g_set_error (error, CS_PATTERN_ERROR, CS_PATTERN_ERROR_SYNTAX, "the pattern is empty — write a path, a folder or a glob");
      return NULL;
    }
  normal = normalise (text, TRUE);
  if (*normal == '\0')
    return g_steal_pointer (&self);
  if (strcmp (normal, "/") == 0)
    {
      g_free (normal);
      normal = g_strdup ("/**");
    }
  self->glob = cs_glob_new (normal, strlen (normal), CS_GLOB_PATTERN, error);
  return self->glob != NULL ? g_steal_pointer (&self) : NULL;
}

/* A bit in each byte that is c; where one is, maybe in some that are near it, too. */
static guint64
find_byte (guint64 word, char c)
{
  guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  guint64 zero = word ^ (ones * (guint8) c);

  return (zero - ones) & ~zero & (ones << 7);
}

/* Eight bytes at a time, since this is asked for each path and pattern. */
static gboolean
may_have_dots (const char *path, gsize length)
{
  if (*path == '.' || length < 8)
    return TRUE;
  for (gsize i = 0; i < length; i += 8)
    {
      const char *p = path + MIN (i, length - 8);
      guint64 word, next;

      memcpy (&word, p, 8);
      memcpy (&next, p + 1, 8);
      if ((find_byte (word, '/') & (find_byte (next, '/') | find_byte (next, '.'))) != 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_normal (const char *path, gsize length)
{
  gboolean named = FALSE; /* a part other than ".." has been there */

  if (!may_have_dots (path, length))
    return TRUE;
  for (const char *p = path; *p != '\0'; p += *p == '/')
    {
      const char *end = strchrnul (p, '/');

      if ((end == p && p > path) || (end - p == 1 && *p == '.') || (named && is_parent (p, (gsize) (end - p))))
        return FALSE;
      named |= !is_parent (p, (gsize) (end - p));
      p = end;
    }
  return TRUE;
}

/**
 * cs_pattern_match:
 * @self: a pattern
 * @path: a path, relative or absolute; with "/" at its end it is a folder's
 *
 * Returns: whether the pattern matches the path, a trailing part of it, or a folder that one of them is in
 */
gboolean
cs_pattern_match (const CsPattern *self, const char *path)
{
  g_autofree char *normal = NULL;
  gsize length = strlen (path);

  if (length == 0)
    return FALSE;
  if (!is_normal (path, length))
    {
      path = normal = normalise (path, FALSE);
      length = strlen (path);
    }
  if (self->glob != NULL)
    return cs_glob_match (self->glob, path, length);
  return *path != '/' && !(g_str_has_prefix (path, "..") && (path[2] == '/' || path[2] == '\0'));
}

/**
 * cs_pattern_dup_needle:
 * @self: a pattern
 *
 * Returns: (transfer full) (nullable): what every path that it matches has somewhere, once "./" and "../" are left out of
 *   it; %NULL: nothing
 */
char *
cs_pattern_dup_needle (const CsPattern *self)
{
  return self->glob != NULL ? cs_glob_dup_needle (self->glob) : NULL;
}

/**
 * cs_pattern_escape:
 * @path: (array length=length): a path
 * @length: its bytes
 * @is_folder: whether it is a folder's
 *
 * Returns: (transfer full): the pattern that its letters are, none of which means another; with "/" at its end for a
 *   folder
 */
char *
cs_pattern_escape (const char *path, gsize length, gboolean is_folder)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < length; i++)
    {
      if (strchr ("*?[\\", path[i]) != NULL)
        g_string_append_c (text, '\\');
      g_string_append_c (text, path[i]);
    }
  if (is_folder)
    g_string_append_c (text, '/');
  return g_string_free (text, FALSE);
}

/**
 * cs_pattern_get_text:
 * @self: a pattern
 *
 * Returns: what it was made of
 */
const char *
cs_pattern_get_text (const CsPattern *self)
{
  return self->text;
}

/**
 * cs_pattern_free:
 * @self: (transfer full): a pattern
 */
void
cs_pattern_free (CsPattern *self)
{
  g_clear_pointer (&self->glob, cs_glob_free);
  g_free (self->text);
  g_free (self);
}
