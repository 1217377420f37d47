/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-chooser-private.h"

static void
count_functions (ChooserChoice *self, CsFunctionIndex *index)
{
  guint n_files = self->sources->files->len;

  self->file_chosen = g_new0 (guint32, n_files + 1);
  for (guint i = 0; i < n_files; i++)
    {
      gsize first, count;

      cs_function_index_get_of_file (index, i, &first, &count);
      for (gsize j = first; j < first + count; j++)
        self->file_chosen[i] += cs_selection_has_function (self->selection, (guint32) j) != 0;
    }
}

/* Adds what is in a folder to the one around it; those inside have higher numbers. */
static void
add_up (ChooserChoice *self)
{
  for (guint i = self->sources->n_folders; i > 0; i--)
    {
      CsChooserCounts *counts = &self->folders[i - 1];
      guint32 parent = self->sources->folders[i - 1].parent;

      counts->is_known = TRUE;
      if (parent == CS_CHOOSER_NONE)
        continue;
      self->folders[parent].files += counts->files;
      self->folders[parent].files_scanned += counts->files_scanned;
      self->folders[parent].files_chosen += counts->files_chosen;
      self->folders[parent].functions += counts->functions;
      self->folders[parent].functions_chosen += counts->functions_chosen;
    }
}

/* The box of each folder: on if everything below is chosen. */
static void
mark_folders (ChooserChoice *self)
{
  g_autofree guint32 *whole = g_new0 (guint32, self->sources->n_folders + 1);

  for (guint i = 0; i < self->sources->files->len; i++)
    if (cs_selection_get_file (self->selection, i) == CS_FILE_CHOSEN)
      whole[self->sources->file_folders[i]]++;
  for (guint i = self->sources->n_folders; i > 0; i--)
    {
      CsChooserCounts *counts = &self->folders[i - 1];
      guint32 parent = self->sources->folders[i - 1].parent;

      counts->choice = counts->files_chosen == 0          ? CS_FILE_NOT_CHOSEN
                       : whole[i - 1] == counts->files    ? CS_FILE_CHOSEN
                                                          : CS_FILE_PARTLY_CHOSEN;
      if (parent != CS_CHOOSER_NONE)
        whole[parent] += whole[i - 1];
    }
}

/**
 * chooser_choice_new:
 * @sources: files
 * @selection: (transfer full): what is chosen of them
 *
 * Returns: (transfer full): all that rows tell of it
 */
ChooserChoice *
chooser_choice_new (ChooserSources *sources, CsSelection *selection)
{
  ChooserChoice *self = g_new0 (ChooserChoice, 1);
  CsFunctionIndex *index = cs_selection_get_index (selection);

  g_atomic_ref_count_init (&self->references);
  self->sources = chooser_sources_ref (sources);
  self->selection = selection;
  self->folders = g_new0 (CsChooserCounts, sources->n_folders + 1);
  if (index != NULL)
    {
      count_functions (self, index);
      self->actions = cs_config_edit_list_actions (selection);
      self->overmatch = cs_selection_list_overmatch (selection);
    }
  else
    self->overmatch = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->overmatch, NULL);
  for (guint i = 0; i < sources->files->len; i++)
    {
      CsChooserCounts *counts = &self->folders[sources->file_folders[i]];
      gsize first, count = 0;

      if (index != NULL)
        cs_function_index_get_of_file (index, i, &first, &count);
      counts->files++;
      counts->files_scanned += index != NULL;
      counts->files_chosen += cs_selection_get_file (selection, i) != CS_FILE_NOT_CHOSEN;
      counts->functions += (guint32) count;
      counts->functions_chosen += index != NULL ? self->file_chosen[i] : 0;
    }
  add_up (self);
  mark_folders (self);
  return self;
}

/**
 * chooser_choice_ref:
 * @self: a choice
 *
 * Returns: (transfer full): it, once more
 */
ChooserChoice *
chooser_choice_ref (ChooserChoice *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * chooser_choice_unref:
 * @self: (transfer full): a choice
 */
void
chooser_choice_unref (ChooserChoice *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  cs_selection_unref (self->selection);
  chooser_sources_unref (self->sources);
  g_free (self->file_chosen);
  g_free (self->folders);
  g_free (self->actions);
  g_ptr_array_unref (self->overmatch);
  g_free (self);
}
