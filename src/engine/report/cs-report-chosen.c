/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/cs-report-chosen.h"
#include "selection/cs-line-text.h"

struct _CsReportChosen
{
  CsProfile *profile;
  guint8 *choices; /* CsChoice, by function of the profile */
  guint n;
};

static gboolean
is_below (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  while (length > 0 && folder[length - 1] == '/')
    length--;
  return strncmp (path, folder, length) == 0 && path[length] == '/';
}

/* Whether a binary was built with a selection: it lies in the project, in a copy of it, or where it is built. */
static gboolean
is_built_with (const CsSelectionFile *selection, const char *build, const char *binary)
{
  const char *const *mirrors = cs_selection_file_get_options (selection)->mirrors;

  if (is_below (binary, cs_selection_file_get_root (selection)) || is_below (binary, build))
    return TRUE;
  for (guint i = 0; mirrors[i] != NULL; i++)
    if (is_below (binary, mirrors[i]))
      return TRUE;
  return FALSE;
}

/* The folder above that of a selection file, which is the project's or a build's. */
static char *
dup_build_folder (const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (absolute);

  return g_path_get_dirname (folder);
}

/**
 * cs_report_chosen_new:
 * @profile: a profile
 * @selection: what was chosen
 * @path: its file
 *
 * Looks each function of the profile up. What a project's binary holds of files that are none of the project's
 * (headers of libraries) wasn't chosen. Of other binaries' functions nothing is known, unless their sources are the project's.
 *
 * Returns: (transfer full): which functions were chosen
 */
CsReportChosen *
cs_report_chosen_new (CsProfile *profile, const CsSelectionFile *selection, const char *path)
{
  CsReportChosen *self = g_new0 (CsReportChosen, 1);
  g_autofree char *build = dup_build_folder (path);
  const CsFunction *functions = cs_profile_get_functions (profile, &self->n);

  self->profile = g_object_ref (profile);
  self->choices = g_new0 (guint8, self->n + 1);
  for (guint i = 0; i < self->n; i++)
    {
      const CsLocation *location = &functions[i].location;

      if (location->source == NULL)
        continue;
      if (cs_selection_file_find (selection, location->source) != NULL)
        self->choices[i] = cs_selection_file_get_choice (selection, location->source, location->name);
      else if (location->module != NULL && is_built_with (selection, build, location->module))
        self->choices[i] = CS_CHOICE_NO;
    }
  return self;
}

/**
 * cs_report_chosen_free:
 * @self: (transfer full) (nullable): which functions were chosen
 */
void
cs_report_chosen_free (CsReportChosen *self)
{
  if (self == NULL)
    return;
  g_object_unref (self->profile);
  g_free (self->choices);
  g_free (self);
}

/**
 * cs_report_chosen_get:
 * @self: (nullable): which functions were chosen
 * @function: one of the profile's
 *
 * Returns: whether it was chosen; %CS_CHOICE_UNKNOWN: nothing tells
 */
CsChoice
cs_report_chosen_get (const CsReportChosen *self, const CsFunction *function)
{
  guint n;

  return self != NULL ? self->choices[function - cs_profile_get_functions (self->profile, &n)] : CS_CHOICE_UNKNOWN;
}

/**
 * cs_report_chosen_dup_notice:
 * @self: which functions were chosen
 * @most: how many to name at most
 *
 * Returns: (transfer full) (nullable): the sentence that tells which functions have hooks though they weren't chosen;
 *   %NULL: there are none
 */
char *
cs_report_chosen_dup_notice (const CsReportChosen *self, guint most)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *list = NULL;
  const CsFunction *functions;
  guint n;

  functions = cs_profile_get_functions (self->profile, &n);
  for (guint i = 0; i < n; i++)
    if (self->choices[i] == CS_CHOICE_NO)
      g_ptr_array_add (names, (gpointer) functions[i].location.name);
  if (names->len == 0)
    return NULL;
  list = cs_line_text_join_names ((const char *const *) names->pdata, names->len, most);
  return g_strdup_printf ("%u function%s hooked, but not chosen: %s", names->len, names->len == 1 ? " was" : "s were", list);
}

/* callsight/selection in a folder, if a binary was built with it. */
static char *
find_in (const char *folder, const char *binary)
{
  g_autofree char *path = g_build_filename (folder, "callsight", "selection", NULL);
  g_autoptr (CsSelectionFile) selection = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || (selection = cs_selection_file_load (path, NULL)) == NULL)
    return NULL;
  return is_built_with (selection, folder, binary) ? g_steal_pointer (&path) : NULL;
}

/**
 * cs_report_chosen_find_file:
 * @profile: a profile
 *
 * Looks for the selection that the recorded program was built with: `callsight/selection` in its folder, or in the
 * nearest one above it, or in the folder `build-instr` of these, if the program lies below its root or a copy
 * of that.
 *
 * Returns: (transfer full) (nullable): path of a selection file
 */
char *
cs_report_chosen_find_file (CsProfile *profile)
{
  GPtrArray *processes = cs_recording_get_processes (cs_profile_get_recording (profile));

  for (guint i = 0; i < processes->len; i++)
    {
      const CsProcess *process = processes->pdata[i];
      g_autofree char *folder = NULL;

      if (process->section == NULL || process->section->exe == NULL || !g_path_is_absolute (process->section->exe))
        continue;
      folder = g_path_get_dirname (process->section->exe);
      for (;;)
        {
          g_autofree char *instrumented = g_build_filename (folder, "build-instr", NULL);
          char *found = find_in (folder, process->section->exe);
          char *above;

          if (found == NULL)
            found = find_in (instrumented, process->section->exe);
          if (found != NULL)
            return found;
          above = g_path_get_dirname (folder);
          if (g_str_equal (above, folder))
            {
              g_free (above);
              break;
            }
          g_free (folder);
          folder = above;
        }
    }
  return NULL;
}
