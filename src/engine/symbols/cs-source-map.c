/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "symbols/cs-binary.h"
#include "symbols/cs-source-map.h"

typedef struct
{
  char *old;
  char *new;
} Rule;

struct _CsSourceMap
{
  GArray *rules; /* (element-type Rule) in the order given */
};

static void
rule_clear (gpointer data)
{
  Rule *rule = data;

  g_free (rule->old);
  g_free (rule->new);
}

/**
 * cs_source_map_new:
 *
 * Returns: (transfer full): a map that changes nothing
 */
CsSourceMap *
cs_source_map_new (void)
{
  CsSourceMap *self = g_new0 (CsSourceMap, 1);

  self->rules = g_array_new (FALSE, FALSE, sizeof (Rule));
  g_array_set_clear_func (self->rules, rule_clear);
  return self;
}

/**
 * cs_source_map_free:
 * @self: (transfer full): a map
 */
void
cs_source_map_free (CsSourceMap *self)
{
  g_array_unref (self->rules);
  g_free (self);
}

/* Without the slashes at its end; the root alone keeps its own. */
static char *
dup_without_end (const char *path, gsize length)
{
  while (length > 1 && path[length - 1] == '/')
    length--;
  return g_strndup (path, length);
}

/**
 * cs_source_map_add:
 * @self: a map
 * @text: `OLD=NEW`, split at the first =; NEW may be empty
 * @error: where to say what is wrong with it
 *
 * Returns: whether it was understood, otherwise with %CS_SYMBOLS_ERROR_FORMAT
 */
gboolean
cs_source_map_add (CsSourceMap *self, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  Rule rule;

  if (equals == NULL || equals == text)
    {
      g_set_error (error, CS_SYMBOLS_ERROR, CS_SYMBOLS_ERROR_FORMAT,
                   "“%s” names no folder in place of another — write OLD=NEW, as in /build/app=/home/me/app", text);
      return FALSE;
    }
  rule.old = dup_without_end (text, (gsize) (equals - text));
  rule.new = dup_without_end (equals + 1, strlen (equals + 1));
  g_array_append_val (self->rules, rule);
  return TRUE;
}

/**
 * cs_source_map_add_folder:
 * @self: a map
 * @folder: (type filename): a folder's absolute path
 *
 * Files in @folder are named from there on.
 */
void
cs_source_map_add_folder (CsSourceMap *self, const char *folder)
{
  Rule rule = { .old = dup_without_end (folder, strlen (folder)), .new = g_strdup ("") };

  g_array_append_val (self->rules, rule);
}

/* What follows @old in @path, without a slash; NULL: it doesn't lie there. */
static const char *
get_rest (const char *path, const char *old)
{
  gsize length = strlen (old);

  if (strncmp (path, old, length) != 0)
    return NULL;
  path += length;
  if (*path != '\0' && *path != '/' && old[length - 1] != '/')
    return NULL;
  while (*path == '/')
    path++;
  return path;
}

/**
 * cs_source_map_apply:
 * @self: a map
 * @path: a source file, absolute or not
 *
 * The first rule counts whose OLD is @path or a folder around it.
 *
 * Returns: (nullable) (transfer full): where the file lies instead; %NULL: no rule is about it
 */
char *
cs_source_map_apply (const CsSourceMap *self, const char *path)
{
  for (guint i = 0; i < self->rules->len; i++)
    {
      const Rule *rule = &g_array_index (self->rules, Rule, i);
      const char *rest = get_rest (path, rule->old);

      if (rest == NULL)
        continue;
      if (*rest == '\0' && *rule->new != '\0')
        return g_strdup (rule->new);
      if (*rest == '\0')
        return NULL;
      if (*rule->new == '\0')
        return g_strdup (rest);
      return g_strconcat (rule->new, rule->new[strlen (rule->new) - 1] == '/' ? "" : "/", rest, NULL);
    }
  return NULL;
}
