/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-selection-private.h"

/* So many names are told of what a rule takes. */
#define MOST_TOLD 4

static void
warn (CsSelection *self, const CsDirective *rule, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
warn (CsSelection *self, const CsDirective *rule, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_ptr_array_add (self->warnings,
                   g_strdup_printf ("%s:%u: %s %s: %s", cs_trace_config_get_name (self->config), rule->line,
                                    cs_directive_kind_get_name (rule->kind), rule->value, text));
}

/* A pattern that matches nothing. */
static void
check_pattern (CsSelection *self, const CsDirective *rule)
{
  for (guint i = 0; i < self->files->len; i++)
    {
      const CsSourceFile *file = self->files->pdata[i];

      if (cs_selection_rule_match (self, rule, file->path))
        return;
    }
  /* What lies outside isn't in the tree. */
  if (rule->kind == CS_DIRECTIVE_EXCLUDE && (*rule->value == '/' || g_str_has_prefix (rule->value, "../")))
    return;
  warn (self, rule, "matches no file");
}

/* The functions that an exclude-func rule takes without being their name. */
static void
check_excluded (CsSelection *self, const CsDirective *rule)
{
  g_autoptr (GString) printed = g_string_new (NULL);
  g_autoptr (GString) others = g_string_new (NULL);
  g_autoptr (GHashTable) told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const CsSourceFunction *functions;
  gsize total, exact = 0, more = 0, length = strlen (rule->value);

  functions = cs_function_index_get_functions (self->index, &total);
  for (gsize i = 0; i < total; i++)
    {
      gsize own = strlen (functions[i].name);

      /* Most names are told apart without their scope. */
      if (own == length && memcmp (functions[i].name, rule->value, own) == 0)
        {
          exact++;
          continue;
        }
      g_string_truncate (printed, 0);
      cs_selection_append_printed (printed, &functions[i]);
      if (strstr (printed->str, rule->value) == NULL)
        continue;
      if (printed->len >= length && strcmp (printed->str + printed->len - length, rule->value) == 0 &&
          (printed->len == length || printed->str[printed->len - length - 1] == ':'))
        {
          exact++;
          continue;
        }
      more++;
      if (g_hash_table_size (told) < MOST_TOLD && !g_hash_table_contains (told, printed->str))
        {
          g_string_append_printf (others, "%s%s", others->len > 0 ? ", " : "", printed->str);
          g_hash_table_add (told, g_strdup (printed->str));
        }
    }
  if (exact + more == 0)
    warn (self, rule, "is part of no function's name");
  else if (more > 0)
    warn (self, rule, "the compiler looks for it in names, so that it takes %" G_GSIZE_FORMAT " other%s too: %s%s",
          more, more == 1 ? "" : "s", others->str, more > g_hash_table_size (told) ? " …" : "");
}

/* The rule that takes a function away. */
static const CsDirective *
find_excluding (CsSelection *self, const CsSourceFunction *function)
{
  g_autoptr (GString) printed = g_string_new (NULL);
  const CsSourceFile *file = self->files->pdata[function->file];
  const CsDirective *rules;
  gsize n_rules;

  cs_selection_append_printed (printed, function);
  rules = cs_trace_config_get_directives (self->config, &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    if ((rules[i].kind == CS_DIRECTIVE_EXCLUDE && cs_selection_rule_match (self, &rules[i], file->path)) ||
        (rules[i].kind == CS_DIRECTIVE_EXCLUDE_FUNC && strstr (printed->str, rules[i].value) != NULL))
      return &rules[i];
  return NULL;
}

/* Functions that a rule names and that aren't chosen. */
static void
check_named (CsSelection *self, const CsDirective *rule)
{
  g_autoptr (GArray) seeds = cs_selection_find_seeds (self->index, rule->value);
  const CsSourceFunction *functions;
  gsize total;

  functions = cs_function_index_get_functions (self->index, &total);
  for (guint i = 0; i < seeds->len; i++)
    {
      const CsSourceFunction *function = &functions[g_array_index (seeds, guint32, i)];
      const CsSourceFile *file = self->files->pdata[function->file];
      const CsDirective *excluding;

      if (cs_selection_has_function (self, g_array_index (seeds, guint32, i)))
        continue;
      excluding = find_excluding (self, function);
      if (excluding != NULL)
        warn (self, rule, "the function in %s isn't chosen, because of line %u, %s %s", file->path, excluding->line,
              cs_directive_kind_get_name (excluding->kind), excluding->value);
      else
        warn (self, rule, "the function in %s isn't chosen, so nothing of it is counted", file->path);
    }
}

static gboolean
has_rules (CsSelection *self)
{
  gsize n_rules;

  cs_trace_config_get_directives (self->config, &n_rules);
  return n_rules > 0;
}

/**
 * cs_selection_warn:
 * @self: a selection whose choice is made
 *
 * Collects what a person should know of the rules.
 */
void
cs_selection_warn (CsSelection *self)
{
  const CsDirective *rules;
  gsize n_rules;

  rules = cs_trace_config_get_directives (self->config, &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    {
      if (rules[i].pattern != NULL)
        check_pattern (self, &rules[i]);
      else if (self->index != NULL && rules[i].kind == CS_DIRECTIVE_EXCLUDE_FUNC)
        check_excluded (self, &rules[i]);
      else if (self->index != NULL &&
               (rules[i].kind == CS_DIRECTIVE_INCLUDE_FUNC || rules[i].kind == CS_DIRECTIVE_COUNTER_FUNC))
        check_named (self, &rules[i]);
    }
  if (self->counts.sources_chosen + self->counts.headers_chosen == 0 && self->files->len > 0 && has_rules (self))
    g_ptr_array_add (self->warnings, g_strdup_printf ("%s: nothing is chosen of %u files",
                                                      cs_trace_config_get_name (self->config), self->files->len));
  g_ptr_array_add (self->warnings, NULL);
}
