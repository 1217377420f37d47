/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-config-edit-private.h"

/* To say of a function what no exclude-func line can, so many lines may change. */
#define MOST_LINES_BY_NAME 24

/**
 * cs_config_edit_new:
 * @selection: what the config chooses now
 * @graph: (nullable): the calls
 *
 * Returns: (transfer full): an edit of its config, of which nothing is wanted yet
 */
CsConfigEdit *
cs_config_edit_new (CsSelection *selection, CsCallGraph *graph)
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

/**
 * cs_config_edit_free:
 * @self: (transfer full): an edit
 */
void
cs_config_edit_free (CsConfigEdit *self)
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

/* Another try from the same lines. */
static CsConfigEdit *
edit_copy (const CsConfigEdit *self)
{
  CsConfigEdit *copy = cs_config_edit_new (self->before, self->graph);
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

/**
 * cs_config_edit_want_chosen:
 * @self: an edit
 * @selection: of the same files and functions
 *
 * What it chooses is wanted.
 */
void
cs_config_edit_want_chosen (CsConfigEdit *self, const CsSelection *selection)
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

/**
 * cs_config_edit_count_including:
 * @config: a config
 *
 * Returns: how many lines say what to include
 */
gsize
cs_config_edit_count_including (const CsTraceConfig *config)
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
  g_clear_pointer (&tried->edit, cs_config_edit_free);
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
      return best->lines > 3 && cs_config_edit_count_including (first->config) == 0;
    case N_WAYS:
    default:
      return FALSE;
    }
}

/**
 * cs_config_edit_find_best:
 * @first: an edit of which is said what is wanted
 * @warning: (out) (nullable) (transfer full): as for cs_config_edit_set_files()
 * @error: as for cs_config_edit_set_files()
 *
 * Tries several ways, and takes the one that comes nearest, with the fewest lines.
 *
 * Returns: (transfer full) (nullable): what the new config chooses, which has that config
 */
CsSelection *
cs_config_edit_find_best (CsConfigEdit *first, char **warning, GError **error)
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

  edit = cs_config_edit_new (selection, graph);
  cs_config_edit_want_chosen (edit, selection);
  for (gsize i = 0; i < n_files; i++)
    if (files[i] < selection->files->len)
      switch_file (edit, files[i], on);
  return cs_config_edit_find_best (edit, warning, error);
}

/**
 * cs_config_edit_take_config:
 * @selection: (transfer full) (nullable): what a new config chooses
 * @warning: (out) (optional) (nullable): gets @told
 * @told: (transfer full) (nullable): a sentence
 *
 * Returns: (transfer full) (nullable): the config
 */
CsTraceConfig *
cs_config_edit_take_config (CsSelection *selection, char **warning, char *told)
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

  return cs_config_edit_take_config (after, warning, told);
}
