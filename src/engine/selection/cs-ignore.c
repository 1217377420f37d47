/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selection/cs-glob.h"
#include "selection/cs-ignore.h"

#define MAX_SIZE (1 << 20) /* bytes that are read of a file */

typedef struct
{
  char *literal;      /* (nullable): what is compared as it is */
  CsGlob *glob;       /* (nullable): otherwise */
  gboolean negated;
  gboolean folder_only;
  gboolean name_only; /* compared with the last part of a path */
} Rule;

struct _CsIgnore
{
  gatomicrefcount references;
  CsIgnore *outer; /* (nullable): rules that count where none of these does */
  gsize base;      /* bytes of a path that are the folder's, with the slash */
  char *text;      /* of the file that the rules are from */
  GArray *rules;   /* (element-type Rule) */
};

static void
rule_clear (gpointer data)
{
  Rule *rule = data;

  g_free (rule->literal);
  g_clear_pointer (&rule->glob, cs_glob_free);
}

/* Blanks at the end count only behind a backslash. */
static gsize
trim (const char *line, gsize length)
{
  gsize kept = 0;

  for (gsize i = 0; i < length; i++)
    {
      if (line[i] == ' ')
        continue;
      if (line[i] == '\\' && i + 1 < length)
        i++;
      kept = i + 1;
    }
  return kept;
}

static void
add_line (CsIgnore *self, const char *line, gsize length)
{
  Rule rule = { 0 };

  length = trim (line, length);
  if (length == 0 || *line == '#')
    return;
  if (*line == '!')
    {
      rule.negated = TRUE;
      line++;
      length--;
    }
  if (length > 0 && line[length - 1] == '/')
    {
      rule.folder_only = TRUE;
      length--;
    }
  rule.name_only = memchr (line, '/', length) == NULL;
  if (length > 0 && *line == '/')
    {
      line++;
      length--;
    }
  if (length == 0)
    return;
  rule.literal = g_strndup (line, length);
  if (strpbrk (rule.literal, "*?[\\") != NULL)
    {
      g_clear_pointer (&rule.literal, g_free);
      rule.glob = cs_glob_new (line, length, CS_GLOB_GIT, NULL);
      if (rule.glob == NULL)
        return;
    }
  g_array_append_val (self->rules, rule);
}

/* Returns NULL where there is no such file. A link is not followed, as git doesn't. */
static char *
read_file (int folder, const char *name, int flags, gsize *length)
{
  int fd = openat (folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
  g_autofree char *text = NULL;
  struct stat st;
  gssize n = 1;

  if (fd < 0)
    return NULL;
  *length = 0;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode))
    {
      gsize size = (gsize) MIN (st.st_size, MAX_SIZE);

      text = g_malloc (size + 1);
      while (*length < size && (n = read (fd, text + *length, size - *length)) != 0)
        {
          if (n < 0 && errno != EINTR)
            break;
          *length += (gsize) MAX (n, 0);
        }
      text[*length] = '\0';
    }
  close (fd);
  return g_steal_pointer (&text);
}

/* Takes the rules of a file, of which the paths are relative to a folder. */
static CsIgnore *
new_from_file (CsIgnore *outer, int fd, const char *name, int flags, const char *folder)
{
  gsize length;
  g_autofree char *text = read_file (fd, name, flags, &length);
  CsIgnore *self;
  const char *p = text;

  if (text == NULL)
    return outer != NULL ? cs_ignore_ref (outer) : NULL;
  self = g_new0 (CsIgnore, 1);
  g_atomic_ref_count_init (&self->references);
  self->outer = outer != NULL ? cs_ignore_ref (outer) : NULL;
  self->base = strlen (folder) + !g_str_has_suffix (folder, "/");
  self->rules = g_array_new (FALSE, FALSE, sizeof (Rule));
  g_array_set_clear_func (self->rules, rule_clear);
  if (g_str_has_prefix (p, "\xef\xbb\xbf"))
    p += 3;
  while (p < text + length)
    {
      const char *newline = memchr (p, '\n', (gsize) (text + length - p));
      gsize size = (gsize) ((newline != NULL ? newline : text + length) - p);

      add_line (self, p, size - (newline != NULL && size > 0 && newline[-1] == '\r'));
      p += size + 1;
    }
  self->text = g_steal_pointer (&text);
  return self;
}

/* The folder in which a repository keeps info/exclude. In a work tree or submodule, .git is a file that names it. */
static char *
find_git_folder (const char *folder)
{
  g_autofree char *git = g_build_filename (folder, ".git", NULL);
  g_autofree char *text = NULL;
  g_autofree char *common = NULL;
  char *named;
  gsize length;

  if (g_file_test (git, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&git);
  text = read_file (AT_FDCWD, git, 0, &length);
  if (text == NULL || !g_str_has_prefix (text, "gitdir:"))
    return g_steal_pointer (&git);
  named = g_canonicalize_filename (g_strstrip (text + strlen ("gitdir:")), folder);
  g_free (git);
  git = g_build_filename (named, "commondir", NULL);
  common = read_file (AT_FDCWD, git, 0, &length);
  if (common == NULL)
    return named;
  g_free (git);
  git = g_canonicalize_filename (g_strstrip (common), named);
  g_free (named);
  return g_steal_pointer (&git);
}

/**
 * cs_ignore_new_repository:
 * @folder: absolute path of a folder with ".git" in it
 *
 * Returns: (transfer full) (nullable): what info/exclude says
 */
CsIgnore *
cs_ignore_new_repository (const char *folder)
{
  g_autofree char *git = find_git_folder (folder);
  g_autofree char *exclude = g_build_filename (git, "info", "exclude", NULL);

  return new_from_file (NULL, AT_FDCWD, exclude, 0, folder);
}

/**
 * cs_ignore_new_folder:
 * @outer: (nullable): the rules around it
 * @fd: descriptor of a folder
 * @folder: its absolute path
 *
 * Returns: (transfer full) (nullable): these and what its .gitignore says
 */
CsIgnore *
cs_ignore_new_folder (CsIgnore *outer, int fd, const char *folder)
{
  return new_from_file (outer, fd, ".gitignore", O_NOFOLLOW, folder);
}

static gboolean
is_repository (const char *folder)
{
  g_autofree char *git = g_build_filename (folder, ".git", NULL);

  return g_file_test (git, G_FILE_TEST_EXISTS);
}

/**
 * cs_ignore_new_outer:
 * @root: absolute path of a folder, without links
 *
 * Looks for the repository that it lies in.
 *
 * Returns: (transfer full) (nullable): what info/exclude and the folders above say of it; nothing where they say that
 *   the folder itself is to be ignored
 */
CsIgnore *
cs_ignore_new_outer (const char *root)
{
  g_autoptr (GPtrArray) above = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (CsIgnore) self = NULL;
  g_autofree char *top = g_strdup (root);

  while (!is_repository (top))
    {
      char *parent = g_path_get_dirname (top);

      if (strcmp (parent, top) == 0)
        {
          g_free (parent);
          return NULL;
        }
      g_ptr_array_add (above, top);
      top = parent;
    }
  self = cs_ignore_new_repository (top);
  for (guint i = above->len; i > 0; i--)
    {
      const char *inside = g_ptr_array_index (above, i - 1);
      g_autofree char *folder = g_path_get_dirname (inside);
      int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      CsIgnore *more = cs_ignore_new_folder (self, fd, folder);

      if (fd >= 0)
        close (fd);
      g_clear_pointer (&self, cs_ignore_unref);
      self = more;
      if (cs_ignore_check (self, inside, TRUE))
        return NULL;
    }
  return g_steal_pointer (&self);
}

static gboolean
rule_matches (const Rule *rule, const char *path, const char *name, gboolean is_folder)
{
  const char *text = rule->name_only ? name : path;

  if (rule->folder_only && !is_folder)
    return FALSE;
  if (rule->literal != NULL)
    return strcmp (rule->literal, text) == 0;
  return cs_glob_match (rule->glob, text, strlen (text));
}

/**
 * cs_ignore_check:
 * @self: (nullable): the rules of the folder in which it lies
 * @path: an absolute path
 * @is_folder: whether it is a folder, and no link to one
 *
 * Returns: whether it is ignored; what lies in an ignored folder is, too, and isn't asked for
 */
gboolean
cs_ignore_check (const CsIgnore *self, const char *path, gboolean is_folder)
{
  const char *slash = strrchr (path, '/');
  const char *name = slash != NULL ? slash + 1 : path;

  for (; self != NULL; self = self->outer)
    for (guint i = self->rules->len; i > 0; i--)
      {
        const Rule *rule = &g_array_index (self->rules, Rule, i - 1);

        if (rule_matches (rule, path + self->base, name, is_folder))
          return !rule->negated;
      }
  return FALSE;
}

/**
 * cs_ignore_equal:
 * @a: (nullable): rules
 * @b: (nullable): others
 *
 * Returns: whether they say the same of the same folder
 */
gboolean
cs_ignore_equal (const CsIgnore *a, const CsIgnore *b)
{
  while (a != b)
    {
      if (a == NULL || b == NULL || a->base != b->base || strcmp (a->text, b->text) != 0)
        return FALSE;
      a = a->outer;
      b = b->outer;
    }
  return TRUE;
}

/**
 * cs_ignore_ref:
 * @self: rules
 *
 * Returns: (transfer full): the same
 */
CsIgnore *
cs_ignore_ref (CsIgnore *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * cs_ignore_unref:
 * @self: (transfer full): rules
 */
void
cs_ignore_unref (CsIgnore *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_clear_pointer (&self->outer, cs_ignore_unref);
  g_array_unref (self->rules);
  g_free (self->text);
  g_free (self);
}
