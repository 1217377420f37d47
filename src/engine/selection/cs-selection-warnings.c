/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-selection-private.h"

/* So many names are told of what a rule takes. */
#define MOST_TOLD 4
/* So many sentences; a person reads no more. */
#define MOST_WARNINGS 100

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

static gboolean
mark (guint directive, gpointer used)
{
  ((guint8 *) used)[directive] = 1;
  return TRUE;
}

/* The rules with a pattern that match a file. */
static guint8 *
find_used (CsSelection *self)
{
  static const CsDirectiveKind kinds[] = { CS_DIRECTIVE_INCLUDE, CS_DIRECTIVE_EXCLUDE, CS_DIRECTIVE_COUNTER_FILE };
  guint8 *used;
  gsize n_rules;

  cs_trace_config_get_directives (self->config, &n_rules);
  used = g_new0 (guint8, n_rules + 1);
  for (guint i = 0; i < self->files->len; i++)
    {
      const CsSourceFile *file = self->files->pdata[i];
      g_autofree char *absolute = g_build_filename (self->root, file->path, NULL);
      const SelectionPlace place = { file->path, absolute };

      for (guint j = 0; j < G_N_ELEMENTS (kinds); j++)
        cs_selection_rules_each (self->rules, kinds[j], absolute, &place, mark, used);
    }
  return used;
}

/* A pattern that matches nothing. */
static void
check_pattern (CsSelection *self, const CsDirective *rule)
{
  /* What lies outside isn't in the tree. */
  if (rule->kind == CS_DIRECTIVE_EXCLUDE && (*rule->value == '/' || g_str_has_prefix (rule->value, "../")))
    return;
  warn (self, rule, "matches no file");
}

/* What an exclude-func rule takes. */
typedef struct
{
  gsize exact, more; /* functions that have the name; others */
  GPtrArray *told;   /* (nullable) (element-type utf8): names of some of those */
} Taken;

static void
taken_clear (gpointer data)
{
  g_clear_pointer (&((Taken *) data)->told, g_ptr_array_unref);
}

/* A function, and what the rules take that its name contains. */
typedef struct
{
  CsSelection *self;
  const CsSourceFunction *function;
  const GString *printed;
  GArray *taken;     /* of Taken, of each rule */
  GArray *last;      /* of gsize: of each rule the function that it took last, and 1 */
  gsize number;
} Taking;

static gboolean
take (guint directive, gpointer user_data)
{
  Taking *taking = user_data;
  Taken *taken = &g_array_index (taking->taken, Taken, directive);
  const GString *printed = taking->printed;
  gsize n_rules, length;
  const char *value = cs_trace_config_get_directives (taking->self->config, &n_rules)[directive].value;
  g_autofree char *wanted = cs_selection_dup_printed (value);

  /* A name may contain it twice. */
  if (g_array_index (taking->last, gsize, directive) == taking->number + 1)
    return TRUE;
  g_array_index (taking->last, gsize, directive) = taking->number + 1;
  length = strlen (wanted);
  if (strcmp (taking->function->name, value) == 0 ||
      (strcmp (printed->str + printed->len - length, wanted) == 0 &&
       (printed->len == length || printed->str[printed->len - length - 1] == ':')))
    {
      taken->exact++;
      return TRUE;
    }
  taken->more++;
  if (taken->told == NULL)
    taken->told = g_ptr_array_new_with_free_func (g_free);
  if (taken->told->len < MOST_TOLD && !g_ptr_array_find_with_equal_func (taken->told, printed->str, g_str_equal, NULL))
    g_ptr_array_add (taken->told, g_strdup (printed->str));
  return TRUE;
}

/* What the exclude-func rules take. */
static GArray *
find_taken (CsSelection *self)
{
  g_autoptr (GString) printed = g_string_new (NULL);
  g_autoptr (GArray) last = g_array_new (FALSE, TRUE, sizeof (gsize));
  GArray *taken = g_array_new (FALSE, TRUE, sizeof (Taken));
  Taking taking = { self, NULL, printed, taken, last, 0 };
  const CsSourceFunction *functions;
  gsize total, n_rules;

  cs_trace_config_get_directives (self->config, &n_rules);
  g_array_set_clear_func (taken, taken_clear);
  g_array_set_size (taken, (guint) n_rules);
  g_array_set_size (last, (guint) n_rules);
  functions = cs_function_index_get_functions (self->index, &total);
  for (gsize i = 0; i < total; i++)
    {
      g_string_truncate (printed, 0);
      cs_selection_append_printed (printed, &functions[i]);
      taking.function = &functions[i];
      taking.number = i;
      cs_selection_rules_each (self->rules, CS_DIRECTIVE_EXCLUDE_FUNC, printed->str, NULL, take, &taking);
    }
  return taken;
}

/* The functions that an exclude-func rule takes without being their name. */
static void
check_excluded (CsSelection *self, const CsDirective *rule, const Taken *taken)
{
  g_autofree char *others = NULL;

  if (taken->exact + taken->more == 0)
    {
      warn (self, rule, "is part of no function's name");
      return;
    }
  if (taken->more == 0)
    return;
  g_ptr_array_add (taken->told, NULL);
  others = g_strjoinv (", ", (char **) taken->told->pdata);
  warn (self, rule, "the compiler looks for it in names, so that it takes %" G_GSIZE_FORMAT " other%s too: %s%s",
        taken->more, taken->more == 1 ? "" : "s", others, taken->more >= taken->told->len ? " …" : "");
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
    {
      g_autofree char *wanted = cs_selection_dup_printed (rules[i].value);

      if ((rules[i].kind == CS_DIRECTIVE_EXCLUDE && cs_selection_rule_match (self, &rules[i], file->path)) ||
          (rules[i].kind == CS_DIRECTIVE_EXCLUDE_FUNC && strstr (printed->str, wanted) != NULL))
        return &rules[i];
    }
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
  for (guint i = 0; i < seeds->len && self->warnings->len < MOST_WARNINGS; i++)
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
  g_autofree guint8 *used = find_used (self);
  g_autoptr (GArray) taken = self->index != NULL && cs_trace_config_has (self->config, CS_DIRECTIVE_EXCLUDE_FUNC)
                               ? find_taken (self) : NULL;
  gsize n_rules;

  rules = cs_trace_config_get_directives (self->config, &n_rules);
  for (gsize i = 0; i < n_rules && self->warnings->len < MOST_WARNINGS; i++)
    {
      if (rules[i].pattern != NULL && !used[i])
        check_pattern (self, &rules[i]);
      else if (taken != NULL && rules[i].kind == CS_DIRECTIVE_EXCLUDE_FUNC)
        check_excluded (self, &rules[i], &g_array_index (taken, Taken, i));
      else if (self->index != NULL &&
               (rules[i].kind == CS_DIRECTIVE_INCLUDE_FUNC || rules[i].kind == CS_DIRECTIVE_COUNTER_FUNC))
        check_named (self, &rules[i]);
    }
  if (self->warnings->len >= MOST_WARNINGS)
    g_ptr_array_add (self->warnings, g_strdup_printf ("%s: there may be more to say of its rules than these %d lines",
                                                      cs_trace_config_get_name (self->config), MOST_WARNINGS));
  if (self->counts.sources_chosen + self->counts.headers_chosen == 0 && self->files->len > 0 && has_rules (self))
    g_ptr_array_add (self->warnings, g_strdup_printf ("%s: nothing is chosen of %u file%s",
                                                      cs_trace_config_get_name (self->config), self->files->len,
                                                      self->files->len == 1 ? "" : "s"));
  g_ptr_array_add (self->warnings, NULL);
}
