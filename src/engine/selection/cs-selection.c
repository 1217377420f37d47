/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-selection-private.h"

G_DEFINE_QUARK (cs-selection-error-quark, cs_selection_error)

/**
 * cs_selection_dup_printed:
 * @name: a function's name, or a part of it
 *
 * Returns: (transfer full): the same as gcc prints it: with a blank in "operator new []" and "operator delete []"
 */
char *
cs_selection_dup_printed (const char *name)
{
  GString *text = g_string_new (name);

  g_string_replace (text, "operator new[]", "operator new []", 0);
  g_string_replace (text, "operator delete[]", "operator delete []", 0);
  return g_string_free (text, FALSE);
}

static void
append_own_name (GString *text, const CsSourceFunction *function)
{
  g_autofree char *printed = NULL;

  if (!g_str_has_suffix (function->name, "[]"))
    {
      g_string_append (text, function->name);
      return;
    }
  printed = cs_selection_dup_printed (function->name);
  g_string_append (text, printed);
}

/**
 * cs_selection_is_conversion:
 * @function: a function
 *
 * Returns: whether it is `operator TYPE` and gcc may print that type in another way: as another name for it, with the
 *   scope that it is from, or what it is in an instance of a template
 */
gboolean
cs_selection_is_conversion (const CsSourceFunction *function)
{
  static const char *const others[] = { "new", "new[]", "delete", "delete[]", "co_await", NULL };
  static const char *const types[] = { "bool", "char", "int", "float", "double", "void", "wchar_t", NULL };
  const char *type = function->name + strlen ("operator ");
  g_autofree char *plain = NULL;

  if (!g_str_has_prefix (function->name, "operator ") || g_strv_contains (others, type))
    return FALSE;
  if ((function->flags & (CS_FUNCTION_TEMPLATE | CS_FUNCTION_SCOPE_TEMPLATE)) != 0)
    return TRUE;
  if (g_str_has_prefix (type, "const "))
    type += strlen ("const ");
  plain = g_strndup (type, strcspn (type, "*&"));
  return !g_strv_contains (types, plain) || strspn (type + strlen (plain), "*&") != strlen (type + strlen (plain));
}

/**
 * cs_selection_append_printed:
 * @text: where to append
 * @function: a function
 *
 * Appends the name as gcc prints it, and compares with its lists: with scope, without parameters. Which arguments a
 * template has isn't known: a class with parameters has "<>" instead, a function template nothing.
 */
void
cs_selection_append_printed (GString *text, const CsSourceFunction *function)
{
  if (function->scope != NULL && *function->scope != '\0')
    {
      g_string_append (text, function->scope);
      g_string_append (text, (function->flags & CS_FUNCTION_SCOPE_TEMPLATE) != 0 ? "<>::" : "::");
    }
  append_own_name (text, function);
}

/**
 * cs_selection_append_variants:
 * @texts: (element-type utf8): where to append
 * @function: a function
 *
 * Appends all the ways in which gcc may print the name, as cs_selection_append_printed() writes it: of classes inside
 * each other it isn't known which has the parameters.
 */
void
cs_selection_append_variants (GPtrArray *texts, const CsSourceFunction *function)
{
  g_autoptr (GString) printed = g_string_new (NULL);

  cs_selection_append_printed (printed, function);
  g_ptr_array_add (texts, g_string_free (g_steal_pointer (&printed), FALSE));
  if ((function->flags & CS_FUNCTION_SCOPE_TEMPLATE) == 0 || function->scope == NULL)
    return;
  for (const char *end = strstr (function->scope, "::"); end != NULL; end = strstr (end + 2, "::"))
    {
      printed = g_string_new (NULL);
      g_string_append_printf (printed, "%.*s<>%s::", (int) (end - function->scope), function->scope, end);
      append_own_name (printed, function);
      g_ptr_array_add (texts, g_string_free (g_steal_pointer (&printed), FALSE));
    }
}

/**
 * cs_selection_match:
 * @rule: one with a pattern
 * @place: a path
 *
 * A pattern that begins with a slash is one for absolute paths.
 *
 * Returns: whether it matches
 */
gboolean
cs_selection_match (const CsDirective *rule, const SelectionPlace *place)
{
  return cs_pattern_match (rule->pattern, *rule->value == '/' ? place->absolute : place->path);
}

/* Whether include rules for files take the path, or there are none at all. */
static gboolean
is_included (const CsTraceConfig *config, const SelectionPlace *place)
{
  const CsDirective *rules;
  gsize n_rules;
  gboolean any = FALSE;

  rules = cs_trace_config_get_directives (config, &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    {
      if (rules[i].kind == CS_DIRECTIVE_INCLUDE && cs_selection_match (&rules[i], place))
        return TRUE;
      if (rules[i].kind == CS_DIRECTIVE_INCLUDE || rules[i].kind == CS_DIRECTIVE_INCLUDE_FUNC)
        any = TRUE;
    }
  return !any;
}

static gboolean
matches (const CsTraceConfig *config, CsDirectiveKind kind, const SelectionPlace *place)
{
  const CsDirective *rules;
  gsize n_rules;

  rules = cs_trace_config_get_directives (config, &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    if (rules[i].kind == kind && cs_selection_match (&rules[i], place))
      return TRUE;
  return FALSE;
}

/**
 * cs_selection_is_name_excluded:
 * @self: a selection
 * @printed: a function's name as gcc prints it
 *
 * Returns: whether an exclude-func rule is part of the name
 */
gboolean
cs_selection_is_name_excluded (const CsSelection *self, const char *printed)
{
  return cs_selection_rules_match (self->rules, CS_DIRECTIVE_EXCLUDE_FUNC, printed, NULL);
}

/* Marks a function that a rule reaches. */
static void
reach (CsSelection *self, SelectionReached *reached, GHashTable *seen, guint32 function, guint8 mark)
{
  const CsSourceFunction *functions;
  gsize total;

  functions = cs_function_index_get_functions (self->index, &total);
  self->functions[function] |= mark;
  reached->functions++;
  reached->files += g_hash_table_add (seen, GUINT_TO_POINTER (functions[function].file));
}

/* Marks what a rule with a function's name and a depth reaches. */
static gboolean
expand_rule (CsSelection *self, const CsDirective *rule, CsCallGraph *graph, SelectionReached *reached, GError **error)
{
  guint8 mark = rule->kind == CS_DIRECTIVE_INCLUDE_FUNC ? SELECTION_SUBTREE : SELECTION_COUNTED;
  g_autoptr (GArray) seeds = cs_selection_find_seeds (self->index, rule->value);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autofree CsReached *all = NULL;
  gsize n_all;

  if (seeds->len == 0)
    {
      cs_selection_set_seed_error (self->index, self->config, rule, error);
      return FALSE;
    }
  if (rule->depth == 0)
    {
      for (guint i = 0; i < seeds->len; i++)
        reach (self, reached, seen, g_array_index (seeds, guint32, i), mark);
      return TRUE;
    }
  all = cs_call_graph_expand (graph, (const guint32 *) (gpointer) seeds->data, seeds->len, rule->depth, &n_all);
  for (gsize i = 0; i < n_all; i++)
    reach (self, reached, seen, all[i].function, mark);
  return TRUE;
}

static gboolean
expand_rules (CsSelection *self, CsCallGraph *graph, GError **error)
{
  const CsDirective *rules;
  gsize n_rules;

  rules = cs_trace_config_get_directives (self->config, &n_rules);
  self->reached = g_new0 (SelectionReached, n_rules + 1);
  for (gsize i = 0; i < n_rules; i++)
    if ((rules[i].kind == CS_DIRECTIVE_INCLUDE_FUNC || rules[i].kind == CS_DIRECTIVE_COUNTER_FUNC) &&
        !expand_rule (self, &rules[i], graph, &self->reached[i], error))
      return FALSE;
  return TRUE;
}

/* What is chosen of a file, whose functions are marked. */
static CsFileChoice
choose_functions (CsSelection *self, guint file, gboolean included, gboolean excluded, gboolean counted, GString *printed)
{
  const CsSourceFunction *functions;
  gsize first, count, chosen = 0, total;

  functions = cs_function_index_get_functions (self->index, &total);
  cs_function_index_get_of_file (self->index, file, &first, &count);
  for (gsize i = first; i < first + count; i++)
    {
      guint8 *marks = &self->functions[i];

      if (counted)
        *marks |= SELECTION_COUNTED;
      if (excluded || (!included && (*marks & SELECTION_SUBTREE) == 0))
        continue;
      g_string_truncate (printed, 0);
      cs_selection_append_printed (printed, &functions[i]);
      if (cs_selection_is_name_excluded (self, printed->str))
        continue;
      *marks |= SELECTION_CHOSEN;
      chosen++;
    }
  self->counts.functions_chosen += chosen;
  if (count == 0)
    return included && !excluded ? CS_FILE_CHOSEN : CS_FILE_NOT_CHOSEN;
  return chosen == count ? CS_FILE_CHOSEN : chosen > 0 ? CS_FILE_PARTLY_CHOSEN : CS_FILE_NOT_CHOSEN;
}

static void
choose_files (CsSelection *self)
{
  gboolean all = !cs_trace_config_has (self->config, CS_DIRECTIVE_INCLUDE) &&
                 !cs_trace_config_has (self->config, CS_DIRECTIVE_INCLUDE_FUNC);
  g_autoptr (GString) printed = g_string_new (NULL);

  self->file_choices = g_new0 (guint8, self->files->len + 1);
  for (guint i = 0; i < self->files->len; i++)
    {
      const CsSourceFile *file = self->files->pdata[i];
      g_autofree char *absolute = g_build_filename (self->root, file->path, NULL);
      const SelectionPlace place = { file->path, absolute };
      gboolean included = all || cs_selection_rules_match (self->rules, CS_DIRECTIVE_INCLUDE, absolute, &place);
      gboolean excluded = cs_selection_rules_match (self->rules, CS_DIRECTIVE_EXCLUDE, absolute, &place);
      CsFileChoice choice;

      if (self->index != NULL)
        choice = choose_functions (self, i, included, excluded,
                                   cs_selection_rules_match (self->rules, CS_DIRECTIVE_COUNTER_FILE, absolute, &place),
                                   printed);
      else
        choice = included && !excluded ? CS_FILE_CHOSEN : CS_FILE_NOT_CHOSEN;
      self->file_choices[i] = (guint8) choice;
      *(file->is_header ? &self->counts.headers : &self->counts.sources) += 1;
      if (choice != CS_FILE_NOT_CHOSEN)
        *(file->is_header ? &self->counts.headers_chosen : &self->counts.sources_chosen) += 1;
    }
}

static void
count_subtree (CsSelection *self)
{
  for (guint file = 0; file < self->files->len; file++)
    {
      gsize first, count, reached = 0;

      cs_function_index_get_of_file (self->index, file, &first, &count);
      for (gsize i = first; i < first + count; i++)
        reached += (self->functions[i] & SELECTION_SUBTREE) != 0;
      self->counts.subtree += (guint) reached;
      self->counts.subtree_files += reached > 0;
    }
}

static CsSelection *
selection_new (const CsTraceConfig *config, const char *root, GPtrArray *files)
{
  CsSelection *self = g_new0 (CsSelection, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->config = cs_trace_config_copy (config);
  self->rules = cs_selection_rules_new (self->config);
  self->root = g_strdup (root);
  self->files = files;
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/**
 * cs_selection_new:
 * @config: what to choose
 * @index: the functions of the sources
 * @graph: (nullable): which calls which; needed if cs_selection_needs_graph()
 * @error: where to say that a rule names no function
 *
 * Chooses. Without an include or include-func rule every file is chosen; otherwise the files that any include rule
 * matches, and the functions that an include-func rule reaches, in any file. Of these exclude and exclude-func rules
 * take away what they match. An exclude-func rule takes every function whose name, as gcc prints it, contains it.
 *
 * Returns: (transfer full) (nullable): what is chosen; %NULL with %CS_SELECTION_ERROR_SEED
 */
CsSelection *
cs_selection_new (const CsTraceConfig *config, CsFunctionIndex *index, CsCallGraph *graph, GError **error)
{
  g_autoptr (CsSelection) self = NULL;
  gsize n_functions;

  g_return_val_if_fail (config != NULL && index != NULL, NULL);
  g_return_val_if_fail (graph != NULL || !cs_selection_needs_graph (config), NULL);
  cs_function_index_get_functions (index, &n_functions);
  self = selection_new (config, cs_function_index_get_root (index),
                        g_ptr_array_ref (cs_function_index_get_files (index)));
  self->index = cs_function_index_ref (index);
  self->functions = g_new0 (guint8, n_functions + 1);
  self->counts.functions = (guint) n_functions;
  if (!expand_rules (self, graph, error))
    return NULL;
  choose_files (self);
  count_subtree (self);
  cs_selection_warn (self);
  return g_steal_pointer (&self);
}

/**
 * cs_selection_new_sync:
 * @config: what to choose
 * @root: (type filename): folder of the sources
 * @cancellable: (nullable): ends it early
 * @error: return location for a #GError
 *
 * Lists and scans the sources, and chooses. Takes time; for a thread.
 *
 * Returns: (transfer full) (nullable): what the config chooses there
 */
CsSelection *
cs_selection_new_sync (const CsTraceConfig *config, const char *root, GCancellable *cancellable, GError **error)
{
  const CsScanOptions options = { 0 };
  g_autoptr (CsSourceTree) tree = cs_source_tree_new_sync (root, cancellable, error);
  g_autoptr (CsFunctionIndex) index = NULL;
  g_autoptr (CsCallGraph) graph = NULL;

  if (tree == NULL)
    return NULL;
  index = cs_function_index_new_sync (tree, &options, cancellable, error);
  if (index == NULL)
    return NULL;
  if (cs_selection_needs_graph (config))
    {
      graph = cs_call_graph_new_sync (index, cancellable, error);
      if (graph == NULL)
        return NULL;
    }
  return cs_selection_new (config, index, graph, error);
}

/**
 * cs_selection_new_of_files:
 * @config: what to choose; cs_selection_needs_functions() says no
 * @tree: the files
 *
 * Chooses by file, for a caller that needs to know nothing of functions: cs_selection_get_index() is %NULL,
 * exclude-func rules change nothing, and no file is chosen partly.
 *
 * Returns: (transfer full): what is chosen
 */
CsSelection *
cs_selection_new_of_files (const CsTraceConfig *config, CsSourceTree *tree)
{
  g_autoptr (GPtrArray) files = cs_source_tree_ref_files (tree);

  return cs_selection_new_of_list (config, cs_source_tree_get_root (tree), files);
}

/**
 * cs_selection_new_of_list:
 * @config: as for cs_selection_new_of_files()
 * @root: the folder that paths are relative to
 * @files: (element-type CsSourceFile): files, in the order of a tree's
 *
 * Does what cs_selection_new_of_files() does.
 *
 * Returns: (transfer full): what is chosen
 */
CsSelection *
cs_selection_new_of_list (const CsTraceConfig *config, const char *root, GPtrArray *files)
{
  CsSelection *self;

  g_return_val_if_fail (config != NULL && !cs_selection_needs_functions (config), NULL);
  self = selection_new (config, root, g_ptr_array_ref (files));
  choose_files (self);
  cs_selection_warn (self);
  return self;
}

/**
 * cs_selection_new_like:
 * @other: what other rules choose
 * @config: what to choose; if @other knows only files, cs_selection_needs_functions() says no
 * @graph: (nullable): as for cs_selection_new()
 * @error: as for cs_selection_new()
 *
 * Chooses of the same files and functions.
 *
 * Returns: (transfer full) (nullable): what is chosen; %NULL with %CS_SELECTION_ERROR_SEED
 */
CsSelection *
cs_selection_new_like (const CsSelection *other, const CsTraceConfig *config, CsCallGraph *graph, GError **error)
{
  return other->index != NULL ? cs_selection_new (config, other->index, graph, error)
                              : cs_selection_new_of_list (config, other->root, other->files);
}

/**
 * cs_selection_needs_functions:
 * @config: what to choose
 *
 * Returns: whether a rule names functions to choose, so that files alone don't tell what is chosen
 */
gboolean
cs_selection_needs_functions (const CsTraceConfig *config)
{
  return cs_trace_config_has (config, CS_DIRECTIVE_INCLUDE_FUNC);
}

/**
 * cs_selection_needs_graph:
 * @config: what to choose
 *
 * Returns: whether a rule asks for what a function calls
 */
gboolean
cs_selection_needs_graph (const CsTraceConfig *config)
{
  const CsDirective *rules;
  gsize n_rules;

  rules = cs_trace_config_get_directives (config, &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    if ((rules[i].kind == CS_DIRECTIVE_INCLUDE_FUNC || rules[i].kind == CS_DIRECTIVE_COUNTER_FUNC) && rules[i].depth != 0)
      return TRUE;
  return FALSE;
}

/**
 * cs_selection_ref:
 * @self: a selection
 *
 * Returns: (transfer full): @self
 */
CsSelection *
cs_selection_ref (CsSelection *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * cs_selection_unref:
 * @self: (transfer full): a selection
 */
void
cs_selection_unref (CsSelection *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  cs_selection_rules_free (self->rules);
  cs_trace_config_free (self->config);
  g_clear_pointer (&self->index, cs_function_index_unref);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->warnings);
  g_free (self->root);
  g_free (self->file_choices);
  g_free (self->functions);
  g_free (self->reached);
  g_free (self);
}

/**
 * cs_selection_get_index:
 * @self: a selection
 *
 * Returns: (transfer none) (nullable): the functions that it is of; %NULL if only files are known
 */
CsFunctionIndex *
cs_selection_get_index (const CsSelection *self)
{
  return self->index;
}

/**
 * cs_selection_get_files:
 * @self: a selection
 *
 * Returns: (transfer none) (element-type CsSourceFile): the files that it is of, numbered as in the index
 */
GPtrArray *
cs_selection_get_files (const CsSelection *self)
{
  return self->files;
}

/**
 * cs_selection_get_root:
 * @self: a selection
 *
 * Returns: the folder that paths are relative to, without symbolic links
 */
const char *
cs_selection_get_root (const CsSelection *self)
{
  return self->root;
}

/**
 * cs_selection_get_config:
 * @self: a selection
 *
 * Returns: (transfer none): the rules that chose it
 */
const CsTraceConfig *
cs_selection_get_config (const CsSelection *self)
{
  return self->config;
}

/**
 * cs_selection_rule_match:
 * @self: a selection
 * @rule: one of its config's rules that have a pattern
 * @path: of a file, relative to the root or absolute
 *
 * Returns: whether the pattern matches
 */
gboolean
cs_selection_rule_match (const CsSelection *self, const CsDirective *rule, const char *path)
{
  g_autofree char *absolute = *rule->value == '/' ? g_canonicalize_filename (path, self->root) : NULL;
  const SelectionPlace place = { path, absolute };

  return cs_selection_match (rule, &place);
}

/**
 * cs_selection_match_path:
 * @self: a selection
 * @path: of a file that the tree may not have, relative to the root or absolute
 *
 * Returns: whether the rules for files take it
 */
gboolean
cs_selection_match_path (const CsSelection *self, const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, self->root);
  const SelectionPlace place = { path, absolute };

  return is_included (self->config, &place) && !matches (self->config, CS_DIRECTIVE_EXCLUDE, &place);
}

/**
 * cs_selection_get_file:
 * @self: a selection
 * @file: number of a file
 *
 * Returns: what is chosen of it: everything if all its functions are, or if it has none that are known and its path is
 *   chosen
 */
CsFileChoice
cs_selection_get_file (const CsSelection *self, guint file)
{
  g_return_val_if_fail (file < self->files->len, CS_FILE_NOT_CHOSEN);
  return (CsFileChoice) self->file_choices[file];
}

/**
 * cs_selection_has_function:
 * @self: a selection with an index
 * @function: number of a function in the index
 *
 * Returns: whether it is chosen
 */
gboolean
cs_selection_has_function (const CsSelection *self, guint32 function)
{
  g_return_val_if_fail (self->index != NULL && function < self->counts.functions, FALSE);
  return (self->functions[function] & SELECTION_CHOSEN) != 0;
}

/**
 * cs_selection_has_counter:
 * @self: a selection with an index
 * @function: number of a function in the index
 *
 * Returns: whether a counter-func or counter-file rule takes it, chosen or not
 */
gboolean
cs_selection_has_counter (const CsSelection *self, guint32 function)
{
  g_return_val_if_fail (self->index != NULL && function < self->counts.functions, FALSE);
  return (self->functions[function] & SELECTION_COUNTED) != 0;
}

/**
 * cs_selection_get_reached:
 * @self: a selection with an index
 * @directive: number of an include-func or counter-func rule in the config
 * @functions: (out): how many functions it reaches, those included that other rules take away
 * @files: (out): in how many files these are
 */
void
cs_selection_get_reached (const CsSelection *self, gsize directive, guint *functions, guint *files)
{
  g_return_if_fail (self->reached != NULL);
  *functions = self->reached[directive].functions;
  *files = self->reached[directive].files;
}

/**
 * cs_selection_get_counts:
 * @self: a selection
 *
 * Returns: (transfer none): how much is chosen of how much
 */
const CsSelectionCounts *
cs_selection_get_counts (const CsSelection *self)
{
  return &self->counts;
}

/**
 * cs_selection_get_warnings:
 * @self: a selection
 *
 * Returns: (transfer none): what a person should know of the rules, a sentence each, with file and line
 */
const char *const *
cs_selection_get_warnings (const CsSelection *self)
{
  return (const char *const *) self->warnings->pdata;
}
