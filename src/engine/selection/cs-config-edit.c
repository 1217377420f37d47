/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-config-edit-private.h"

/* To say of a function what no exclude-func line can, so many lines may change. */
#define MOST_LINES_BY_NAME 24

static CsConfigEdit *
edit_new (CsSelection *selection, CsCallGraph *graph)
{
  CsConfigEdit *self = g_new0 (CsConfigEdit, 1);
  gsize n = selection->counts.functions;

  self->before = selection;
  self->graph = graph;
  self->config = cs_trace_config_copy (selection->config);
  self->now = cs_selection_ref (selection);
  self->want = g_new0 (guint8, n + 1);
  self->want_file = g_new0 (guint8, selection->files->len + 1);
  self->switched = g_new0 (guint8, selection->files->len + 1);
  self->named = g_new0 (guint8, n + 1);
  self->forced = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

static void
edit_free (CsConfigEdit *self)
{
  g_clear_pointer (&self->config, cs_trace_config_free);
  g_clear_pointer (&self->now, cs_selection_unref);
  g_free (self->want);
  g_free (self->want_file);
  g_free (self->switched);
  g_free (self->named);
  g_hash_table_unref (self->forced);
  g_free (self->problem);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsConfigEdit, edit_free)

/* Another try from the same lines. */
static CsConfigEdit *
edit_copy (const CsConfigEdit *self)
{
  CsConfigEdit *copy = edit_new (self->before, self->graph);
  GHashTableIter iter;
  gpointer value;

  cs_trace_config_free (copy->config);
  copy->config = cs_trace_config_copy (self->config);
  g_clear_pointer (&copy->now, cs_selection_unref);
  copy->now = self->now != NULL ? cs_selection_ref (self->now) : NULL;
  g_hash_table_iter_init (&iter, self->forced);
  while (g_hash_table_iter_next (&iter, &value, NULL))
    g_hash_table_add (copy->forced, g_strdup (value));
  copy->problem = g_strdup (self->problem);
  memcpy (copy->want, self->want, self->before->counts.functions);
  memcpy (copy->named, self->named, self->before->counts.functions);
  memcpy (copy->want_file, self->want_file, self->before->files->len);
  memcpy (copy->switched, self->switched, self->before->files->len);
  return copy;
}

/* What is chosen is wanted. */
static void
want_chosen (CsConfigEdit *self, const CsSelection *selection)
{
  for (guint i = 0; i < selection->counts.functions; i++)
    self->want[i] = (selection->functions[i] & SELECTION_CHOSEN) != 0;
  for (guint i = 0; i < selection->files->len; i++)
    self->want_file[i] = selection->file_choices[i] != CS_FILE_NOT_CHOSEN;
}

/* What is chosen otherwise than is wanted: functions, and files without any. */
typedef struct
{
  GPtrArray *missing, *extra; /* (element-type utf8) */
} Difference;

static void
note (const CsConfigEdit *self, Difference *difference, gboolean chosen, guint file, const CsSourceFunction *function)
{
  const char *path = ((const CsSourceFile *) self->before->files->pdata[file])->path;
  g_autofree char *name = function != NULL ? cs_function_dup_qualified_name (function) : NULL;

  g_ptr_array_add (chosen ? difference->extra : difference->missing,
                   name != NULL ? g_strdup_printf ("%s in %s", name, path) : g_strdup (path));
}

static guint
compare (const CsConfigEdit *self, Difference *difference)
{
  const CsSourceFunction *functions = NULL;
  gsize total = 0;

  if (self->before->index != NULL)
    functions = cs_function_index_get_functions (self->before->index, &total);
  for (gsize i = 0; i < total; i++)
    {
      gboolean chosen = (self->now->functions[i] & SELECTION_CHOSEN) != 0;

      if (chosen != (self->want[i] != 0))
        note (self, difference, chosen, functions[i].file, &functions[i]);
    }
  for (guint i = 0; i < self->before->files->len; i++)
    {
      gboolean chosen = self->now->file_choices[i] != CS_FILE_NOT_CHOSEN;
      gsize first, count = 0;

      if (functions != NULL)
        cs_function_index_get_of_file (self->before->index, i, &first, &count);
      if (count == 0 && chosen != (self->want_file[i] != 0))
        note (self, difference, chosen, i, NULL);
    }
  return difference->missing->len + difference->extra->len;
}

static void
append_names (GString *text, const char *what, const GPtrArray *names)
{
  if (names->len == 0)
    return;
  g_string_append_printf (text, "%s%s%s", text->len > 0 ? ", " : "", what, (const char *) names->pdata[0]);
  if (names->len > 1)
    g_string_append_printf (text, " and %u more", names->len - 1);
}

/* One sentence on what isn't as wanted, or NULL. */
static char *
tell (const CsConfigEdit *self, guint *n)
{
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) extra = g_ptr_array_new_with_free_func (g_free);
  Difference difference = { missing, extra };
  g_autoptr (GString) text = g_string_new (NULL);

  *n = compare (self, &difference);
  append_names (text, "not traced now: ", missing);
  append_names (text, "traced all the same: ", extra);
  if (*n == 0)
    return g_strdup (self->problem);
  g_string_append (text, " — ");
  g_string_append (text, self->problem != NULL ? self->problem : "no rule tells it from what was meant");
  *text->str = g_ascii_toupper (*text->str);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gsize
count_including (const CsTraceConfig *config)
{
  const CsDirective *rules;
  gsize n_rules, n = 0;

  rules = cs_trace_config_get_directives (config, &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    n += rules[i].kind == CS_DIRECTIVE_INCLUDE || rules[i].kind == CS_DIRECTIVE_INCLUDE_FUNC;
  return n;
}

/* How many lines two configs differ in. */
static guint
count_changed (const CsTraceConfig *a, const CsTraceConfig *b)
{
  g_autofree char *before = cs_trace_config_to_text (a);
  g_autofree char *after = cs_trace_config_to_text (b);
  g_autoptr (GPtrArray) lines = cs_config_diff (before, after, 0);
  guint n = 0;

  for (guint i = 0; i < lines->len; i++)
    n += ((const CsConfigDiffLine *) lines->pdata[i])->sign != '@';
  return n;
}

/* The ways to come to what is wanted. */
typedef enum
{
  WAY_PLAIN,
  WAY_KEEP_LINES,
  WAY_BY_NAME,
  WAY_BY_INCLUDE,
  N_WAYS
} Way;

/* A way that was tried, and how near it came. */
typedef struct
{
  CsConfigEdit *edit;
  char *told;
  guint differs, lines;
} Try;

static void
try_clear (Try *tried)
{
  g_clear_pointer (&tried->edit, edit_free);
  g_clear_pointer (&tried->told, g_free);
}

static gboolean
is_worth_trying (const CsConfigEdit *first, Way way, const Try *best)
{
  switch (way)
    {
    case WAY_PLAIN:
      return TRUE;
    case WAY_KEEP_LINES:
    case WAY_BY_NAME:
      return best->differs > 0;
    case WAY_BY_INCLUDE:
      return best->lines > 3 && count_including (first->config) == 0;
    case N_WAYS:
    default:
      return FALSE;
    }
}

/* Tries several ways, and takes the one that comes nearest, with the fewest lines. */
static CsSelection *
find_best (CsConfigEdit *first, char **warning, GError **error)
{
  Try best = { NULL, NULL, G_MAXUINT, G_MAXUINT };
  CsSelection *now;

  for (Way way = WAY_PLAIN; way < N_WAYS; way++)
    {
      Try tried = { NULL, NULL, 0, 0 };

      if (!is_worth_trying (first, way, &best))
        continue;
      tried.edit = edit_copy (first);
      tried.edit->keep_lines = way == WAY_KEEP_LINES;
      tried.edit->by_name = way == WAY_BY_NAME;
      tried.edit->by_include = way == WAY_BY_INCLUDE;
      if (!cs_config_edit_approach (tried.edit, error))
        {
          try_clear (&tried);
          try_clear (&best);
          return NULL;
        }
      tried.told = tell (tried.edit, &tried.differs);
      tried.lines = count_changed (first->before->config, tried.edit->config);
      if ((tried.differs < best.differs || (tried.differs == best.differs && tried.lines < best.lines)) &&
          !(way == WAY_BY_NAME && tried.lines > MOST_LINES_BY_NAME))
        {
          try_clear (&best);
          best = tried;
        }
      else
        try_clear (&tried);
    }
  *warning = g_steal_pointer (&best.told);
  now = g_steal_pointer (&best.edit->now);
  try_clear (&best);
  return now;
}

/* Marks all of a file as wanted or not. */
static void
switch_file (CsConfigEdit *self, guint file, gboolean on)
{
  gsize first = 0, count = 0;

  self->switched[file] = 1;
  self->want_file[file] = on != 0;
  if (self->before->index != NULL)
    cs_function_index_get_of_file (self->before->index, file, &first, &count);
  memset (self->want + first, on != 0, count);
}

/**
 * cs_config_edit_switch_files:
 * @selection: as for cs_config_edit_set_files()
 * @graph: (nullable): as there
 * @files: (array length=n_files): as there
 * @n_files: as there
 * @on: as there
 * @warning: (out) (nullable) (transfer full): as there
 * @error: as there
 *
 * Returns: (transfer full) (nullable): what the new config chooses, which has that config
 */
CsSelection *
cs_config_edit_switch_files (CsSelection *selection, CsCallGraph *graph, const guint32 *files, gsize n_files, gboolean on,
                             char **warning, GError **error)
{
  g_autoptr (CsConfigEdit) edit = NULL;

  *warning = NULL;
  g_return_val_if_fail (selection != NULL, NULL);
  g_return_val_if_fail (graph != NULL || selection->index == NULL || !cs_selection_needs_graph (selection->config), NULL);

  edit = edit_new (selection, graph);
  want_chosen (edit, selection);
  for (gsize i = 0; i < n_files; i++)
    if (files[i] < selection->files->len)
      switch_file (edit, files[i], on);
  return find_best (edit, warning, error);
}

static CsTraceConfig *
take_config (CsSelection *selection, char **warning, char *told)
{
  CsTraceConfig *config = selection != NULL ? cs_trace_config_copy (selection->config) : NULL;

  if (selection != NULL)
    cs_selection_unref (selection);
  if (warning != NULL)
    *warning = told;
  else
    g_free (told);
  return config;
}

/**
 * cs_config_edit_set_files:
 * @selection: what the config chooses now; its files, its functions if it has an index, and its config are edited
 * @graph: (nullable): the calls, needed if cs_selection_needs_graph() of its config
 * @files: (array length=n_files): numbers of files; all of a folder are switched by one line for the folder
 * @n_files: how many
 * @on: whether all of each is to be chosen, or nothing
 * @warning: (out) (optional) (nullable) (transfer full): a sentence on what the new config chooses otherwise than was
 *   wanted, because no rule tells it apart or a line can't be written
 * @error: where to say why there is no new config: the rules can't be tried
 *
 * Makes the config in which these files are on or off, and everything else as it was, with as few changed lines as
 * that takes: lines that say the opposite are taken out, or changed, and then lines are added. All other lines,
 * comments and blank ones included, stay as they are; a line that is taken out and has a comment becomes a comment.
 * The new config is tried.
 *
 * Returns: (transfer full) (nullable): the new config
 */
CsTraceConfig *
cs_config_edit_set_files (CsSelection *selection, CsCallGraph *graph, const guint32 *files, gsize n_files, gboolean on,
                          char **warning, GError **error)
{
  char *told = NULL;
  CsSelection *after = cs_config_edit_switch_files (selection, graph, files, n_files, on, &told, error);

  return take_config (after, warning, told);
}

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
  if (self->action != CS_FUNCTION_TRACE && self->action != CS_FUNCTION_COUNT && count_including (config) > 1)
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
  gboolean any = count_including (edit->config) > 0;

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
  want_chosen (edit, edit->now);
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

  given.edit = edit = edit_new (selection, graph);
  for (gsize i = 0; i < n_functions; i++)
    if (functions[i] < selection->counts.functions)
      edit->named[functions[i]] = 1;
  if (give (&given, error))
    after = find_best (edit, warning, error);
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

  return take_config (after, warning, told);
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

