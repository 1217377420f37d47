/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <sys/stat.h>

#include "project/cs-build-mirror.h"
#include "project/cs-hook-check.h"
#include "report/cs-report-selection.h"

/* More functions aren't named in a notice. */
#define MOST_FUNCTIONS 5

/* What a build found out about its objects, and a report can't see. What it couldn't find out says nothing of the numbers. */
static void
add_hooks (GPtrArray *notices, const char *selection)
{
  static const struct
  {
    CsHookFate fate;
    const char *advice;
  } fates[] = {
    { CS_HOOK_FATE_INLINED, "not recorded, unless made by callsight-cli build --no-inline" },
    { CS_HOOK_FATE_NOT_HOOKED, "not recorded" },
  };
  g_autofree char *folder = g_path_get_dirname (selection);
  g_autofree char *path = g_build_filename (folder, "hooks", NULL);
  g_autoptr (CsHookCheck) check =
    g_file_test (path, G_FILE_TEST_EXISTS) ? cs_hook_check_load (path, NULL) : NULL;

  for (guint i = 0; check != NULL && i < G_N_ELEMENTS (fates); i++)
    {
      g_autofree char *line = cs_hook_check_dup_line (check, fates[i].fate, MOST_FUNCTIONS);

      if (line != NULL)
        g_ptr_array_add (notices, g_strconcat (line, " — ", fates[i].advice, NULL));
    }
}

/* Whether callsight-cli build wrote a selection file, and not the project's own wiring. */
static gboolean
is_of_build (const char *selection)
{
  g_autofree char *absolute = g_canonicalize_filename (selection, NULL);
  g_autofree char *folder = g_path_get_dirname (absolute);
  g_autofree char *marker = g_build_filename (folder, "..", CS_BUILD_MARKER, NULL);

  return g_file_test (marker, G_FILE_TEST_IS_REGULAR);
}

/* Whether a recorded program was made after that. */
static gboolean
is_newer (CsProfile *profile, gint64 ns)
{
  GPtrArray *processes = cs_recording_get_processes (cs_profile_get_recording (profile));

  for (guint i = 0; i < processes->len; i++)
    {
      const CsProcess *process = processes->pdata[i];
      struct stat info;

      if (process->section != NULL && process->section->exe != NULL && stat (process->section->exe, &info) == 0 &&
          (gint64) info.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + info.st_mtim.tv_nsec > ns)
        return TRUE;
    }
  return FALSE;
}

/**
 * cs_report_selection_find:
 * @profile: what is reported
 * @path: (nullable): the selection file; %NULL: that of the build that was recorded, if there is one
 * @chosen: (out) (nullable): what was chosen to be recorded; %NULL: nothing tells
 * @notices: (out) (nullable) (element-type utf8): the profile's notices and those about what was chosen, ended by a NULL;
 *   %NULL: there are only the profile's
 * @error: return location for a #GError
 *
 * Finds what was chosen to be recorded, if a selection file is named or the recorded program was built with one, and
 * makes the notices about it.
 *
 * Returns: %FALSE if the file that is named can't be read
 */
gboolean
cs_report_selection_find (CsProfile *profile, const char *path, CsReportChosen **chosen, GPtrArray **notices,
                          GError **error)
{
  g_autofree char *found = path == NULL ? cs_report_chosen_find_file (profile) : NULL;
  const char *file = path != NULL ? path : found;
  g_autoptr (CsSelectionFile) selection = NULL;
  char *notice;
  gint64 change;

  *chosen = NULL;
  *notices = NULL;
  if (file == NULL)
    return TRUE;
  selection = cs_selection_file_load (file, path != NULL ? error : NULL);
  if (selection == NULL)
    return path == NULL;
  /* The launcher makes a selection anew that isn't of the trace.config that there is: what was built later was built
   * without it, with the project's own wiring. */
  change = cs_selection_file_find_change (selection);
  if (path == NULL && change != 0 && is_newer (profile, change))
    return TRUE;
  *chosen = cs_report_chosen_new (profile, selection, file);
  *notices = g_ptr_array_new_with_free_func (g_free);
  for (const char *const *all = cs_profile_get_notices (profile); *all != NULL; all++)
    g_ptr_array_add (*notices, g_strdup (*all));
  if (change != 0)
    g_ptr_array_add (*notices,
                     g_strdup_printf ("the program was built before %s was changed, or a source of which functions are chosen — %s",
                                      cs_selection_file_get_config (selection),
                                      is_of_build (file) ? "callsight-cli build makes it anew" : "build it again"));
  notice = cs_report_chosen_dup_notice (*chosen, MOST_FUNCTIONS);
  if (notice != NULL)
    g_ptr_array_add (*notices, notice);
  /* Another build has other hooks. */
  if (change == 0)
    add_hooks (*notices, file);
  g_ptr_array_add (*notices, NULL);
  return TRUE;
}
