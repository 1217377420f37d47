/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli.h"
#include "project/cs-hook-check.h"

/* More functions aren't named in a notice. */
#define MOST_FUNCTIONS 5

/* What a build found out about its objects, and a report can't see. */
static void
add_hooks (CliReport *self, const char *selection)
{
  static const CsHookFate fates[] = { CS_HOOK_FATE_INLINED, CS_HOOK_FATE_NOT_HOOKED, CS_HOOK_FATE_UNKNOWN };
  g_autofree char *folder = g_path_get_dirname (selection);
  g_autofree char *path = g_build_filename (folder, "hooks", NULL);
  g_autoptr (CsHookCheck) check =
    g_file_test (path, G_FILE_TEST_EXISTS) ? cs_hook_check_load (path, NULL) : NULL;

  for (guint i = 0; check != NULL && i < G_N_ELEMENTS (fates); i++)
    {
      char *line = cs_hook_check_dup_line (check, fates[i], MOST_FUNCTIONS);

      if (line != NULL)
        g_ptr_array_add (self->notices, line);
    }
}

/**
 * cli_chosen_prepare:
 * @self: checked options
 * @profile: what is reported
 * @error: return location for a #GError
 *
 * Finds what was chosen to be recorded, if the person named a selection file or the recorded program was built
 * with one, and makes the notices about it.
 *
 * Returns: %FALSE if the person's selection file can't be read
 */
gboolean
cli_chosen_prepare (CliReport *self, CsProfile *profile, GError **error)
{
  g_autofree char *found = self->selection == NULL ? cs_report_chosen_find_file (profile) : NULL;
  const char *path = self->selection != NULL ? self->selection : found;
  g_autoptr (CsSelectionFile) selection = NULL;
  char *notice;

  if (path == NULL || g_str_equal (path, "none"))
    return TRUE;
  selection = cs_selection_file_load (path, self->selection != NULL ? error : NULL);
  if (selection == NULL)
    return self->selection == NULL;
  self->chosen = cs_report_chosen_new (profile, selection, path);
  self->notices = g_ptr_array_new_with_free_func (g_free);
  for (const char *const *all = cs_profile_get_notices (profile); *all != NULL; all++)
    g_ptr_array_add (self->notices, g_strdup (*all));
  if (cs_selection_file_is_stale (selection))
    g_ptr_array_add (self->notices,
                     g_strdup_printf ("the program was built before %s was changed, or a source of which functions are chosen — "
                                      "callsight-cli build makes it anew", cs_selection_file_get_config (selection)));
  notice = cs_report_chosen_dup_notice (self->chosen, MOST_FUNCTIONS);
  if (notice != NULL)
    g_ptr_array_add (self->notices, notice);
  add_hooks (self, path);
  g_ptr_array_add (self->notices, NULL);
  return TRUE;
}
