/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "tables/cs-exclude.h"

/**
 * cs_exclude_dup_reason:
 * @project: (nullable): a project
 *
 * Returns: (transfer full) (nullable): why nothing can be excluded from it now, as a sentence; %NULL: it can
 */
char *
cs_exclude_dup_reason (CsProject *project)
{
  CsChooser *chooser;

  if (project == NULL)
    return g_strdup (_("Open the project’s folder to exclude functions from what is recorded"));
  chooser = cs_project_get_chooser (project);
  if (cs_chooser_get_state (chooser) == CS_CHOOSER_FAILED)
    return g_strdup (_("The project’s sources can’t be listed — Select says why"));
  if (cs_chooser_get_state (chooser) != CS_CHOOSER_READY)
    return g_strdup (_("The project’s sources are still being read"));
  if (cs_chooser_get_text_error (chooser) != NULL)
    return g_strdup (_("The project’s trace.config has an error — correct it in Select"));
  return NULL;
}

/* The file's number in the project, where it is one of its sources. */
static guint
find_file (CsProject *project, const CsLocation *location)
{
  CsChooser *chooser = cs_project_get_chooser (project);
  const char *folder = cs_project_get_folder (project);
  gsize length = strlen (folder);
  g_autofree char *path = location->source != NULL ? g_canonicalize_filename (location->source, folder) : NULL;

  if (path != NULL && strncmp (path, folder, length) == 0 && path[length] == '/')
    {
      guint file = cs_chooser_find_file (chooser, path + length + 1);

      if (file != CS_CHOOSER_NONE)
        return file;
    }
  return location->file != NULL && !g_path_is_absolute (location->file) ? cs_chooser_find_file (chooser, location->file)
                                                                        : CS_CHOOSER_NONE;
}

/* Whether a function of the debug information has a name of the sources: that is without scope and parameters. */
static gboolean
has_name (const char *whole, const char *name)
{
  gsize length = strlen (name);

  for (const char *at = strstr (whole, name); at != NULL; at = strstr (at + 1, name))
    {
      gboolean begins = at == whole || !(g_ascii_isalnum (at[-1]) || at[-1] == '_');
      gboolean ends = !(g_ascii_isalnum (at[length]) || at[length] == '_');

      if (begins && ends)
        return TRUE;
    }
  return FALSE;
}

/**
 * cs_exclude_find:
 * @project: a project whose sources are read
 * @function: a function of a profile
 *
 * Returns: its number among the project's functions, by its file, name and line; %CS_CHOOSER_NONE: it is none of them
 */
guint32
cs_exclude_find (CsProject *project, const CsFunction *function)
{
  CsChooser *chooser = cs_project_get_chooser (project);
  guint file = find_file (project, &function->location);
  const CsSourceFunction *functions;
  guint n, best = G_MAXUINT, distance = G_MAXUINT;

  if (file == CS_CHOOSER_NONE)
    return CS_CHOOSER_NONE;
  functions = cs_chooser_get_functions (chooser, file, &n);
  for (guint i = 0; i < n; i++)
    {
      guint from_line = functions[i].line > function->location.line ? functions[i].line - function->location.line
                                                                    : function->location.line - functions[i].line;

      /* Its line in the debug information may be that of its type or its brace. */
      if (has_name (function->location.name, functions[i].name) && from_line < distance)
        {
          best = i;
          distance = from_line;
        }
    }
  return best != G_MAXUINT ? cs_chooser_get_function_number (chooser, file, best) : CS_CHOOSER_NONE;
}

/**
 * cs_exclude_functions:
 * @session: a session
 * @functions: (array length=n): functions of its profile
 * @n: how many
 * @undo_action: detailed name of the action that undoes it
 *
 * Takes the functions out of what the project records, and tells so.
 */
void
cs_exclude_functions (CsSession *session, const CsFunction *const *functions, guint n, const char *undo_action)
{
  CsProject *project = cs_session_get_project (session);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *reason = cs_exclude_dup_reason (project);
  g_autofree char *text = NULL;
  const char *name = NULL;

  if (reason != NULL)
    return;
  for (guint i = 0; i < n; i++)
    {
      guint32 number = cs_exclude_find (project, functions[i]);

      if (number == CS_CHOOSER_NONE)
        continue;
      if (numbers->len == 0)
        name = functions[i]->location.name;
      g_array_append_val (numbers, number);
    }
  if (numbers->len == 0)
    {
      cs_session_tell (session, _("The function isn’t in the project’s sources, and can’t be excluded there"));
      return;
    }
  cs_chooser_set_functions (cs_project_get_chooser (project), (const guint32 *) (gconstpointer) numbers->data, numbers->len,
                            CS_FUNCTION_EXCLUDE, 0);
  if (numbers->len == 1)
    text = g_strdup_printf (_("%s is excluded — build again to record without it"), name);
  else
    text = g_strdup_printf (ngettext ("%u function is excluded — build again to record without it",
                                      "%u functions are excluded — build again to record without them",
                                      numbers->len), numbers->len);
  cs_session_tell_with_action (session, text, _("Undo"), undo_action);
}

/**
 * cs_exclude_undo:
 * @session: a session
 *
 * Undoes the last change of what the project records.
 */
void
cs_exclude_undo (CsSession *session)
{
  CsProject *project = cs_session_get_project (session);

  if (project != NULL && cs_chooser_get_can_undo (cs_project_get_chooser (project)))
    cs_chooser_undo (cs_project_get_chooser (project));
}
