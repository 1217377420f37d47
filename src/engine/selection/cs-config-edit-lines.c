/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-config-edit-private.h"

/**
 * cs_config_edit_get_function:
 * @self: an edit of a selection with an index
 * @function: number of a function
 *
 * Returns: (transfer none): it
 */
const CsSourceFunction *
cs_config_edit_get_function (const CsConfigEdit *self, guint32 function)
{
  gsize total;

  return &cs_function_index_get_functions (self->before->index, &total)[function];
}

/**
 * cs_config_edit_get_of_file:
 * @self: an edit
 * @file: number of a file
 * @first: (out): number of the first of its functions
 * @end: (out): the number behind the last; @first if none is known
 */
void
cs_config_edit_get_of_file (const CsConfigEdit *self, guint file, gsize *first, gsize *end)
{
  gsize count = 0;

  *first = 0;
  if (self->before->index != NULL)
    cs_function_index_get_of_file (self->before->index, file, first, &count);
  *end = *first + count;
}

/**
 * cs_config_edit_get_wanted:
 * @self: an edit
 * @file: a file
 *
 * Returns: how much of it is wanted
 */
CsFileChoice
cs_config_edit_get_wanted (const CsConfigEdit *self, guint file)
{
  gsize first, end, n = 0;

  cs_config_edit_get_of_file (self, file, &first, &end);
  if (first == end)
    return self->want_file[file] != 0 ? CS_FILE_CHOSEN : CS_FILE_NOT_CHOSEN;
  for (gsize i = first; i < end; i++)
    n += self->want[i] != 0;
  return n == 0 ? CS_FILE_NOT_CHOSEN : n < end - first ? CS_FILE_PARTLY_CHOSEN : CS_FILE_CHOSEN;
}

static gboolean
is_name_excluded (const CsConfigEdit *self, guint32 function, GString *printed)
{
  g_string_truncate (printed, 0);
  cs_selection_append_printed (printed, cs_config_edit_get_function (self, function));
  return cs_selection_is_name_excluded (self->now, printed->str);
}

/**
 * cs_config_edit_fits:
 * @self: an edit whose config was tried
 * @file: a file
 *
 * Returns: whether to include it would choose of it what is wanted, and that is something
 */
gboolean
cs_config_edit_fits (const CsConfigEdit *self, guint file)
{
  g_autoptr (GString) printed = g_string_new (NULL);
  CsFileChoice wanted = cs_config_edit_get_wanted (self, file);
  gsize first, end;

  if (wanted != CS_FILE_PARTLY_CHOSEN)
    return wanted == CS_FILE_CHOSEN;
  cs_config_edit_get_of_file (self, file, &first, &end);
  for (gsize i = first; i < end; i++)
    if ((self->want[i] != 0) == is_name_excluded (self, (guint32) i, printed))
      return FALSE;
  return TRUE;
}

/**
 * cs_config_edit_choose:
 * @self: an edit
 * @error: where to say why nothing can be chosen
 *
 * Tries the config.
 *
 * Returns: whether there is a selection now
 */
gboolean
cs_config_edit_choose (CsConfigEdit *self, GError **error)
{
  if (self->now == NULL)
    self->now = cs_selection_new_like (self->before, self->config, self->graph, error);
  return self->now != NULL;
}

/**
 * cs_config_edit_add_line:
 * @self: an edit
 * @kind: a directive
 * @value: what it is about
 * @depth: of a directive with a function's name
 *
 * Adds a line that isn't there.
 *
 * Returns: whether it was added; why one can't be written is noted
 */
gboolean
cs_config_edit_add_line (CsConfigEdit *self, CsDirectiveKind kind, const char *value, int depth)
{
  const CsDirective *lines;
  g_autoptr (GError) error = NULL;
  gsize count;

  lines = cs_trace_config_get_directives (self->config, &count);
  for (gsize i = 0; i < count; i++)
    if (lines[i].kind == kind && lines[i].depth == depth && g_str_equal (lines[i].value, value))
      return FALSE;
  if (!cs_trace_config_put_back (self->config, kind, value, depth) &&
      !cs_trace_config_add (self->config, kind, value, depth, &error))
    {
      if (self->problem == NULL)
        self->problem = g_strdup (error->message);
      return FALSE;
    }
  return TRUE;
}

/**
 * cs_config_edit_take_out:
 * @self: an edit
 * @directive: number of a directive of its config
 *
 * Takes out a line. A comment on it stays.
 */
void
cs_config_edit_take_out (CsConfigEdit *self, gsize directive)
{
  cs_trace_config_take_out (self->config, directive);
}

/**
 * cs_config_edit_name_function:
 * @self: an edit
 * @function: a function
 *
 * Returns: (transfer full): the shortest name by which a line names it and, if that can be, no other
 */
char *
cs_config_edit_name_function (const CsConfigEdit *self, guint32 function)
{
  const CsSourceFunction *named = cs_config_edit_get_function (self, function);
  gsize count;

  cs_function_index_find (self->before->index, named->name, &count);
  return count == 1 ? g_strdup (named->name) : cs_function_dup_qualified_name (named);
}

/**
 * cs_config_edit_name_excluded:
 * @self: an edit
 * @function: a function
 *
 * Returns: (transfer full): what an exclude-func line looks for to take it; the arguments of a template aren't known
 */
char *
cs_config_edit_name_excluded (const CsConfigEdit *self, guint32 function)
{
  const CsSourceFunction *named = cs_config_edit_get_function (self, function);

  if (named->scope != NULL && (named->flags & CS_FUNCTION_SCOPE_TEMPLATE) != 0)
    return g_strconcat (">::", named->name, NULL);
  return cs_function_dup_qualified_name (named);
}
