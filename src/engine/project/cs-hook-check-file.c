/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "project/cs-hook-check-private.h"
#include "selection/cs-line-text.h"

#define MAGIC "CALLSIGHT-HOOKS 1\n"

G_DEFINE_QUARK (cs-hook-check-error-quark, cs_hook_check_error)

static const struct
{
  const char *word; /* in files and JSON */
  const char *text; /* before the number; NULL: not told */
} fates[CS_N_HOOK_FATES] = {
  [CS_HOOK_FATE_HOOKED] = { "hooked", NULL },
  [CS_HOOK_FATE_INLINED] = { "inlined", "chosen, but inlined" },
  [CS_HOOK_FATE_NOT_COMPILED] = { "not-compiled", "chosen, but not compiled" },
  [CS_HOOK_FATE_LEFT_OUT] = { "left-out", "chosen, but there is no code of it" },
  [CS_HOOK_FATE_NOT_HOOKED] = { "not-hooked", "chosen, but without hooks" },
  [CS_HOOK_FATE_UNKNOWN] = { "unknown", "chosen; whether with hooks isn't known, since the object is gone (compiled and linked at once) or holds no code (LTO)" },
  [CS_HOOK_FATE_NOT_CHOSEN] = { "not-chosen", "hooked, but not chosen" },
};

CsHookCheck *
cs_hook_check_new_empty (void)
{
  CsHookCheck *self = g_new0 (CsHookCheck, 1);

  self->strings = g_string_chunk_new (16384);
  for (guint i = 0; i < CS_N_HOOK_FATES; i++)
    self->functions[i] = g_array_new (FALSE, FALSE, sizeof (CsHookedFunction));
  return self;
}

void
cs_hook_check_add (CsHookCheck *self, CsHookFate fate, const char *path, const char *name)
{
  CsHookedFunction function = { g_string_chunk_insert_const (self->strings, name),
                                path != NULL ? g_string_chunk_insert_const (self->strings, path) : NULL };

  g_array_append_val (self->functions[fate], function);
}

static int
compare_functions (gconstpointer a, gconstpointer b)
{
  const CsHookedFunction *one = a;
  const CsHookedFunction *two = b;
  int order = g_strcmp0 (one->path, two->path);

  return order != 0 ? order : strcmp (one->name, two->name);
}

/* Overloads, and what is hooked in several objects, come once. */
void
cs_hook_check_sort (CsHookCheck *self)
{
  for (guint i = 0; i < CS_N_HOOK_FATES; i++)
    {
      GArray *all = self->functions[i];
      guint kept = 0;

      g_array_sort (all, compare_functions);
      for (guint j = 0; j < all->len; j++)
        if (kept == 0 || compare_functions (&g_array_index (all, CsHookedFunction, j),
                                            &g_array_index (all, CsHookedFunction, kept - 1)) != 0)
          g_array_index (all, CsHookedFunction, kept++) = g_array_index (all, CsHookedFunction, j);
      g_array_set_size (all, kept);
    }
}

/**
 * cs_hook_check_free:
 * @self: (transfer full) (nullable): a comparison
 */
void
cs_hook_check_free (CsHookCheck *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < CS_N_HOOK_FATES; i++)
    g_array_unref (self->functions[i]);
  g_string_chunk_free (self->strings);
  g_free (self);
}

/**
 * cs_hook_check_get:
 * @self: a comparison
 * @fate: what became of the functions
 * @count: (out): how many
 *
 * Returns: (array length=count) (transfer none): the functions, by path and name
 */
const CsHookedFunction *
cs_hook_check_get (const CsHookCheck *self, CsHookFate fate, gsize *count)
{
  g_return_val_if_fail (fate < CS_N_HOOK_FATES, NULL);

  *count = self->functions[fate]->len;
  return (const CsHookedFunction *) (gconstpointer) self->functions[fate]->data;
}

/**
 * cs_hook_check_count_chosen:
 * @self: a comparison
 *
 * Returns: how many functions are chosen
 */
guint
cs_hook_check_count_chosen (const CsHookCheck *self)
{
  guint n = 0;

  for (guint i = 0; i < CS_N_HOOK_FATES; i++)
    n += i != CS_HOOK_FATE_NOT_CHOSEN ? self->functions[i]->len : 0;
  return n;
}

/**
 * cs_hook_check_dup_line:
 * @self: a comparison
 * @fate: which functions
 * @most: how many names to tell at most
 *
 * Returns: (transfer full) (nullable): `chosen, but inlined: 4 (a, b, c ×2)`, two files having a c; %NULL: there are
 *   none, or @fate is what is wished
 */
char *
cs_hook_check_dup_line (const CsHookCheck *self, CsHookFate fate, guint most)
{
  const GArray *all = self->functions[fate];
  g_autofree const char **names = NULL;
  g_autofree char *list = NULL;

  if (fates[fate].text == NULL || all->len == 0)
    return NULL;
  names = g_new (const char *, all->len);
  for (guint i = 0; i < all->len; i++)
    names[i] = g_array_index (all, CsHookedFunction, i).name;
  list = cs_line_text_join_names (names, all->len, most);
  return g_strdup_printf ("%s: %u (%s)", fates[fate].text, all->len, list);
}

/**
 * cs_hook_check_to_lines:
 * @self: a comparison
 * @most: how many names to tell at most, of each kind
 *
 * Returns: (transfer full) (element-type utf8): a line, as of cs_hook_check_dup_line(), for each kind of
 *   difference of which there is any
 */
GPtrArray *
cs_hook_check_to_lines (const CsHookCheck *self, guint most)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < CS_N_HOOK_FATES; i++)
    {
      char *line = cs_hook_check_dup_line (self, i, most);

      if (line != NULL)
        g_ptr_array_add (lines, line);
    }
  return lines;
}

/* JSON is UTF-8; names and paths needn't be. */
static void
add_text (JsonBuilder *builder, const char *key, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  json_builder_set_member_name (builder, key);
  if (valid != NULL)
    json_builder_add_string_value (builder, valid);
  else
    json_builder_add_null_value (builder);
}

/**
 * cs_hook_check_to_json:
 * @self: a comparison
 *
 * Returns: (transfer full): an object: `chosen` and `hooked`, how many functions, and `inlined`, `not-compiled`,
 *   `left-out`, `not-hooked`, `unknown` and `not-chosen`, arrays of objects with `function` and `file`, null
 *   where it isn't known
 */
char *
cs_hook_check_to_json (const CsHookCheck *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "chosen");
  json_builder_add_int_value (builder, cs_hook_check_count_chosen (self));
  json_builder_set_member_name (builder, "hooked");
  json_builder_add_int_value (builder, self->functions[CS_HOOK_FATE_HOOKED]->len);
  for (guint i = 0; i < CS_N_HOOK_FATES; i++)
    {
      if (i == CS_HOOK_FATE_HOOKED)
        continue;
      json_builder_set_member_name (builder, fates[i].word);
      json_builder_begin_array (builder);
      for (guint j = 0; j < self->functions[i]->len; j++)
        {
          const CsHookedFunction *function = &g_array_index (self->functions[i], CsHookedFunction, j);

          json_builder_begin_object (builder);
          add_text (builder, "function", function->name);
          add_text (builder, "file", function->path);
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

/**
 * cs_hook_check_save:
 * @self: a comparison
 * @path: where to write it
 * @error: return location for a #GError
 *
 * Writes a new file (docs/formats.md, Hooks of a build) and renames it.
 *
 * Returns: %TRUE if it is written
 */
gboolean
cs_hook_check_save (const CsHookCheck *self, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (MAGIC);

  for (guint i = 0; i < CS_N_HOOK_FATES; i++)
    for (guint j = 0; j < self->functions[i]->len; j++)
      {
        const CsHookedFunction *function = &g_array_index (self->functions[i], CsHookedFunction, j);

        g_string_append_printf (text, "%s ", fates[i].word);
        cs_line_text_append (text, function->name);
        g_string_append_c (text, '\t');
        cs_line_text_append (text, function->path != NULL ? function->path : "");
        g_string_append_c (text, '\n');
      }
  return g_file_set_contents (path, text->str, (gssize) text->len, error);
}

static void
read_line (CsHookCheck *self, const char *line)
{
  const char *tab = strchr (line, '\t');

  for (guint i = 0; tab != NULL && i < CS_N_HOOK_FATES; i++)
    {
      gsize length = strlen (fates[i].word);

      if (strncmp (line, fates[i].word, length) == 0 && line[length] == ' ' && line + length < tab)
        {
          g_autofree char *name = g_strndup (line + length + 1, (gsize) (tab - line) - length - 1);
          g_autofree char *path = g_strdup (tab + 1);

          if (!cs_line_text_read (name) || !cs_line_text_read (path))
            return;
          cs_hook_check_add (self, i, path[0] != '\0' ? path : NULL, name);
        }
    }
}

/**
 * cs_hook_check_load:
 * @path: a file that cs_hook_check_save() wrote
 * @error: return location for a #GError
 *
 * Lines that aren't known are left out.
 *
 * Returns: (transfer full) (nullable): the comparison, or %NULL with @error set
 */
CsHookCheck *
cs_hook_check_load (const char *path, GError **error)
{
  g_autoptr (CsHookCheck) self = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents (path, &text, NULL, error))
    {
      if (error == NULL || *error == NULL)
        g_set_error (error, CS_HOOK_CHECK_ERROR, CS_HOOK_CHECK_ERROR_FILE, "Can't read %s: it is no regular file", path);
      return NULL;
    }
  if (!g_str_has_prefix (text, MAGIC))
    {
      g_set_error (error, CS_HOOK_CHECK_ERROR, CS_HOOK_CHECK_ERROR_FILE,
                   "%s doesn't tell of the hooks of a build — build again", path);
      return NULL;
    }
  self = cs_hook_check_new_empty ();
  lines = g_strsplit (text + strlen (MAGIC), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    read_line (self, lines[i]);
  cs_hook_check_sort (self);
  return g_steal_pointer (&self);
}
