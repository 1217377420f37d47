/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-config-edit-private.h"

/* Functions that are to be given an action. */
typedef struct
{
  CsConfigEdit *edit;
  const guint32 *functions;
  gsize n;
  CsFunctionAction action;
  int depth;
  char *note; /* (nullable): what else the lines do */
} Given;

static void
add_note (Given *self, char *text)
{
  if (self->note == NULL)
    self->note = text;
  else
    g_free (text);
}

/* Whether a line that names functions names one that is given, and no other. */
static gboolean
names_given (const Given *self, const char *name, gboolean *others)
{
  g_autoptr (GArray) seeds = cs_selection_find_seeds (self->edit->before->index, name);
  guint given = 0;

  for (guint i = 0; i < seeds->len; i++)
    given += self->edit->named[g_array_index (seeds, guint32, i)];
  *others = given < seeds->len;
  return given > 0;
}

/* Changes a line that names given functions and no other, so that it fits the action. */
static void
change_line (Given *self, gsize directive)
{
  CsTraceConfig *config = self->edit->config;
  gsize n_rules;
  const CsDirective rule = cs_trace_config_get_directives (config, &n_rules)[directive];
  g_autofree char *value = g_strdup (rule.value);

  if (rule.kind == CS_DIRECTIVE_COUNTER_FUNC)
    {
      if (self->action != CS_FUNCTION_COUNT && self->action != CS_FUNCTION_SUBTREE)
        cs_config_edit_take_out (self->edit, directive);
      return;
    }
  if (self->action == CS_FUNCTION_SUBTREE)
    {
      if (rule.depth != self->depth)
        cs_trace_config_replace (config, directive, rule.kind, value, self->depth, NULL);
      return;
    }
  if (rule.depth == 0 && self->action != CS_FUNCTION_OFF && self->action != CS_FUNCTION_EXCLUDE)
    return;
  /* Without the last line that includes something everything would be chosen. */
  if (self->action != CS_FUNCTION_TRACE && self->action != CS_FUNCTION_COUNT &&
      cs_config_edit_count_including (config) > 1)
    cs_config_edit_take_out (self->edit, directive);
  else if (rule.depth != 0)
    cs_trace_config_replace (config, directive, rule.kind, value, 0, NULL);
}

static void
change_lines (Given *self)
{
  const CsDirective *rules;
  gsize n_rules;

  rules = cs_trace_config_get_directives (self->edit->config, &n_rules);
  for (gsize i = n_rules; i > 0; i--)
    {
      gboolean others;

      rules = cs_trace_config_get_directives (self->edit->config, &n_rules);
      if ((rules[i - 1].kind == CS_DIRECTIVE_INCLUDE_FUNC || rules[i - 1].kind == CS_DIRECTIVE_COUNTER_FUNC) &&
          names_given (self, rules[i - 1].value, &others) && !others)
        change_line (self, i - 1);
    }
}

/* Whether a line names the function already. */
static gboolean
has_line (const Given *self, CsDirectiveKind kind, guint32 function)
{
  const CsDirective *rules;
  gsize n_rules;

  rules = cs_trace_config_get_directives (self->edit->config, &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    {
      g_autoptr (GArray) seeds = NULL;

      if (rules[i].kind != kind || (kind == CS_DIRECTIVE_INCLUDE_FUNC && rules[i].depth != self->depth))
        continue;
      seeds = cs_selection_find_seeds (self->edit->before->index, rules[i].value);
      for (guint j = 0; j < seeds->len; j++)
        if (g_array_index (seeds, guint32, j) == function)
          return TRUE;
    }
  return FALSE;
}

/* Adds the lines that say the action of a function by its name. */
static void
add_lines (Given *self, guint32 function)
{
  CsConfigEdit *edit = self->edit;
  CsDirectiveKind kind = self->action == CS_FUNCTION_SUBTREE ? CS_DIRECTIVE_INCLUDE_FUNC : CS_DIRECTIVE_COUNTER_FUNC;
  g_autofree char *name = NULL;
  gboolean others;

  if (self->action == CS_FUNCTION_EXCLUDE)
    {
      name = cs_config_edit_name_excluded (edit, function);
      /* What is wanted is known only later; a line that takes more stays all the same. */
      g_hash_table_add (edit->forced, g_strdup (name));
      cs_config_edit_add_line (edit, CS_DIRECTIVE_EXCLUDE_FUNC, name, 0);
      return;
    }
  if (has_line (self, kind, function))
    return;
  name = cs_config_edit_name_function (edit, function);
  cs_config_edit_add_line (edit, kind, name, kind == CS_DIRECTIVE_INCLUDE_FUNC ? self->depth : 0);
  if (names_given (self, name, &others) && others)
    add_note (self, g_strdup_printf ("%s is the name of other functions, too, which the line takes along", name));
}

static gboolean
is_same_text (const CsTraceConfig *a, const CsTraceConfig *b)
{
  g_autofree char *text = cs_trace_config_to_text (a);
  g_autofree char *other = cs_trace_config_to_text (b);

  return g_str_equal (text, other);
}

/* Says by lines what functions are to be, as far as other lines don't matter, and what is wanted then. */
static gboolean
give (Given *self, GError **error)
{
  CsConfigEdit *edit = self->edit;
  gboolean on = self->action != CS_FUNCTION_OFF && self->action != CS_FUNCTION_EXCLUDE;
  gboolean any = cs_config_edit_count_including (edit->config) > 0;

  change_lines (self);
  for (gsize i = 0; self->action == CS_FUNCTION_SUBTREE && i < self->n; i++)
    add_lines (self, self->functions[i]);
  if (!any && self->action == CS_FUNCTION_SUBTREE)
    add_note (self, g_strdup ("Only this is traced now: before, no line said what to include, and so everything was"));
  for (gsize i = 0; self->action == CS_FUNCTION_COUNT && i < self->n; i++)
    add_lines (self, self->functions[i]);
  if (self->action == CS_FUNCTION_COUNT && !cs_trace_config_has (edit->config, CS_DIRECTIVE_COUNTER))
    cs_config_edit_add_line (edit, CS_DIRECTIVE_COUNTER, "cycles", 0);
  if (!is_same_text (edit->config, edit->now->config))
    g_clear_pointer (&edit->now, cs_selection_unref);
  if (!cs_config_edit_choose (edit, error))
    return FALSE;
  cs_config_edit_want_chosen (edit, edit->now);
  for (gsize i = 0; i < edit->before->counts.functions; i++)
    if (edit->named[i])
      edit->want[i] = on;
  for (guint i = 0; i < edit->before->files->len; i++)
    {
      gsize first, count;

      cs_function_index_get_of_file (edit->before->index, i, &first, &count);
      edit->switched[i] = count > 0 && memchr (edit->named + first, 0, count) == NULL;
    }
  for (gsize i = 0; self->action == CS_FUNCTION_EXCLUDE && i < self->n; i++)
    add_lines (self, self->functions[i]);
  if (self->action == CS_FUNCTION_EXCLUDE)
    g_clear_pointer (&edit->now, cs_selection_unref);
  return TRUE;
}

/**
 * cs_config_edit_give:
 * @selection: as for cs_config_edit_set_functions()
 * @graph: (nullable): as there
 * @functions: (array length=n_functions): as there
 * @n_functions: as there
 * @action: as there
 * @depth: as there
 * @warning: (out) (nullable) (transfer full): as there
 * @error: as there
 *
 * Returns: (transfer full) (nullable): what the new config chooses, which has that config
 */
CsSelection *
cs_config_edit_give (CsSelection *selection, CsCallGraph *graph, const guint32 *functions, gsize n_functions,
                     CsFunctionAction action, int depth, char **warning, GError **error)
{
  g_autoptr (CsConfigEdit) edit = NULL;
  CsSelection *after = NULL;
  Given given = { NULL, functions, n_functions, action, depth < 0 ? CS_DEPTH_FULL : depth, NULL };

  *warning = NULL;
  g_return_val_if_fail (selection != NULL && selection->index != NULL, NULL);
  g_return_val_if_fail (graph != NULL || !cs_selection_needs_graph (selection->config), NULL);
  g_return_val_if_fail (graph != NULL || action != CS_FUNCTION_SUBTREE || depth == 0, NULL);

  given.edit = edit = cs_config_edit_new (selection, graph);
  for (gsize i = 0; i < n_functions; i++)
    if (functions[i] < selection->counts.functions)
      edit->named[functions[i]] = 1;
  if (give (&given, error))
    after = cs_config_edit_find_best (edit, warning, error);
  if (after != NULL && *warning == NULL)
    *warning = g_steal_pointer (&given.note);
  g_free (given.note);
  return after;
}

/**
 * cs_config_edit_set_functions:
 * @selection: what the config chooses now, with an index
 * @graph: (nullable): the calls, needed if cs_selection_needs_graph() of its config, or if @action is
 *   %CS_FUNCTION_SUBTREE with a depth other than 0
 * @functions: (array length=n_functions): numbers of functions; where all of a file are chosen or not, it is switched as
 *   a file
 * @n_functions: how many
 * @action: what they are to be: %CS_FUNCTION_OFF is what taking a tick away does, and takes an exclude-func line only
 *   where nothing less does it; %CS_FUNCTION_TRACE is what a tick does
 * @depth: of %CS_FUNCTION_SUBTREE: calls to follow, or %CS_DEPTH_FULL
 * @warning: as for cs_config_edit_set_files()
 * @error: as for cs_config_edit_set_files()
 *
 * Makes the config in which these functions are that, and everything else is as it was: but where nothing was included
 * by a line, and so everything was chosen, the first %CS_FUNCTION_SUBTREE leaves only that one, and @warning says so.
 * %CS_FUNCTION_COUNT adds `counter cycles` to a config that counts no event yet.
 *
 * Returns: (transfer full) (nullable): the new config
 */
CsTraceConfig *
cs_config_edit_set_functions (CsSelection *selection, CsCallGraph *graph, const guint32 *functions, gsize n_functions,
                              CsFunctionAction action, int depth, char **warning, GError **error)
{
  char *told = NULL;
  CsSelection *after = cs_config_edit_give (selection, graph, functions, n_functions, action, depth, &told, error);

  return cs_config_edit_take_config (after, warning, told);
}

/* What is known of a function without looking at lines that name it. */
static CsFunctionAction
get_plain_action (const CsSelection *selection, guint32 function, const CsSourceFunction *functions, GString *printed)
{
  if ((selection->functions[function] & SELECTION_CHOSEN) != 0)
    return CS_FUNCTION_TRACE;
  g_string_truncate (printed, 0);
  cs_selection_append_printed (printed, &functions[function]);
  return cs_selection_is_name_excluded (selection, printed->str) ? CS_FUNCTION_EXCLUDE : CS_FUNCTION_OFF;
}

/* What a line that names a function makes of what is known. */
static CsFunctionAction
add_action (CsFunctionAction action, const CsDirective *rule)
{
  if (action == CS_FUNCTION_EXCLUDE || action == CS_FUNCTION_OFF || action == CS_FUNCTION_SUBTREE)
    return action;
  if (rule->kind == CS_DIRECTIVE_INCLUDE_FUNC && rule->depth != 0)
    return CS_FUNCTION_SUBTREE;
  return rule->kind == CS_DIRECTIVE_COUNTER_FUNC ? CS_FUNCTION_COUNT : action;
}

/**
 * cs_config_edit_list_actions:
 * @selection: a selection with an index
 *
 * Returns: (transfer full): a #CsFunctionAction for each function of the index
 */
guint8 *
cs_config_edit_list_actions (const CsSelection *selection)
{
  g_autoptr (GString) printed = g_string_new (NULL);
  const CsSourceFunction *functions;
  const CsDirective *rules;
  gsize n, n_rules;
  guint8 *actions;

  g_return_val_if_fail (selection->index != NULL, NULL);

  functions = cs_function_index_get_functions (selection->index, &n);
  actions = g_new (guint8, n + 1);
  for (gsize i = 0; i < n; i++)
    actions[i] = (guint8) get_plain_action (selection, (guint32) i, functions, printed);
  rules = cs_trace_config_get_directives (selection->config, &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    if (rules[i].kind == CS_DIRECTIVE_INCLUDE_FUNC || rules[i].kind == CS_DIRECTIVE_COUNTER_FUNC)
      {
        g_autoptr (GArray) seeds = cs_selection_find_seeds (selection->index, rules[i].value);

        for (guint j = 0; j < seeds->len; j++)
          {
            guint8 *action = &actions[g_array_index (seeds, guint32, j)];

            *action = (guint8) add_action ((CsFunctionAction) *action, &rules[i]);
          }
      }
  return actions;
}

/**
 * cs_config_edit_get_action:
 * @selection: a selection with an index
 * @function: number of a function
 * @depth: (out) (optional): of %CS_FUNCTION_SUBTREE: calls that are followed, or %CS_DEPTH_FULL; otherwise 0
 *
 * A function may have lines of several kinds; the first of %CS_FUNCTION_EXCLUDE, %CS_FUNCTION_SUBTREE,
 * %CS_FUNCTION_COUNT and %CS_FUNCTION_TRACE counts.
 *
 * Returns: what the config does with it
 */
CsFunctionAction
cs_config_edit_get_action (const CsSelection *selection, guint32 function, int *depth)
{
  g_autoptr (GString) printed = g_string_new (NULL);
  const CsDirective *rules;
  CsFunctionAction action;
  gsize n, n_rules;

  if (depth != NULL)
    *depth = 0;
  g_return_val_if_fail (selection->index != NULL && function < selection->counts.functions, CS_FUNCTION_OFF);

  action = get_plain_action (selection, function, cs_function_index_get_functions (selection->index, &n), printed);
  rules = cs_trace_config_get_directives (selection->config, &n_rules);
  for (gsize i = 0; action != CS_FUNCTION_OFF && i < n_rules; i++)
    {
      gboolean named = FALSE;

      if (rules[i].kind != CS_DIRECTIVE_INCLUDE_FUNC && rules[i].kind != CS_DIRECTIVE_COUNTER_FUNC)
        continue;
      named = cs_selection_is_seed (selection->index, function, rules[i].value);
      if (named && depth != NULL && action != CS_FUNCTION_SUBTREE && action != CS_FUNCTION_EXCLUDE)
        *depth = rules[i].kind == CS_DIRECTIVE_INCLUDE_FUNC ? rules[i].depth : 0;
      if (named)
        action = add_action (action, &rules[i]);
    }
  return action;
}

/**
 * cs_function_action_get_name:
 * @action: an action
 *
 * Returns: a word for it: "off", "trace", "subtree", "exclude" or "count"
 */
const char *
cs_function_action_get_name (CsFunctionAction action)
{
  static const char *const names[] = { "off", "trace", "subtree", "exclude", "count" };

  g_return_val_if_fail ((guint) action < G_N_ELEMENTS (names), NULL);
  return names[action];
}
