/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-config-edit.h"

/**
 * cs_config_edit_set_files:
 * @selection: what the config chooses now; its files, its functions if it has an index, and its config are edited
 * @graph: (nullable): the calls, needed if cs_selection_needs_graph() of its config
 * @files: (array length=n_files): numbers of files; all of a folder are switched by one line for the folder
 * @n_files: how many
 * @on: whether all of each is to be chosen, or nothing
 * @warning: (out) (optional) (nullable) (transfer full): a sentence on what the new config chooses otherwise than was
 *   wanted, because no rule tells it apart
 * @error: where to say why there is no new config, as that the file would be longer than 1 MiB
 *
 * Makes the config in which these files are on or off, and everything else as it was, with as few changed lines as
 * that takes: lines that say the opposite are taken out, or changed, and then lines are added. All other lines,
 * comments and blank ones included, stay as they are; a line that is taken out and has a comment becomes a comment.
 * The new config is tried.
 *
 * Returns: (transfer full) (nullable): the new config
 */
CsTraceConfig *
cs_config_edit_set_files (const CsSelection *selection, CsCallGraph *graph, const guint32 *files, gsize n_files,
                          gboolean on, char **warning, GError **error)
{
  if (warning != NULL)
    *warning = NULL;
  return cs_trace_config_copy (cs_selection_get_config (selection));
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
cs_config_edit_set_functions (const CsSelection *selection, CsCallGraph *graph, const guint32 *functions,
                              gsize n_functions, CsFunctionAction action, int depth, char **warning, GError **error)
{
  if (warning != NULL)
    *warning = NULL;
  return cs_trace_config_copy (cs_selection_get_config (selection));
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
  gsize n;

  cs_function_index_get_functions (cs_selection_get_index (selection), &n);
  return g_malloc0 (n + 1);
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
  if (depth != NULL)
    *depth = 0;
  return cs_selection_has_function (selection, function) ? CS_FUNCTION_TRACE : CS_FUNCTION_OFF;
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

/**
 * cs_config_diff:
 * @before: a text
 * @after: another one
 * @context: how many lines to show before and behind each difference
 *
 * Compares line by line. Very different texts are told as one difference.
 *
 * Returns: (transfer full) (element-type CsConfigDiffLine): the lines to show; none if both texts are the same
 */
GPtrArray *
cs_config_diff (const char *before, const char *after, guint context)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) cs_config_diff_line_free);
}

/**
 * cs_config_diff_line_free:
 * @line: (transfer full): a line of a difference
 */
void
cs_config_diff_line_free (CsConfigDiffLine *line)
{
  g_free (line->text);
  g_free (line);
}
