/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-chooser-private.h"

static gboolean
has_file (CsChooser *self, guint file)
{
  return CS_IS_CHOOSER (self) && self->sources != NULL && file < self->sources->files->len;
}

static gboolean
has_folder (CsChooser *self, guint folder)
{
  return CS_IS_CHOOSER (self) && self->sources != NULL && folder < self->sources->n_folders;
}

/* What is chosen, if that is of the files and functions that there are now. */
static const ChooserChoice *
get_choice (CsChooser *self)
{
  CsFunctionIndex *index;

  if (self->choice == NULL || self->choice->sources != self->sources)
    return NULL;
  index = cs_selection_get_index (self->choice->selection);
  return index == NULL || index == self->index ? self->choice : NULL;
}

/* How many functions the files below a folder define, which follow each other as their files do. */
static guint
count_functions (CsChooser *self, guint folder)
{
  const CsChooserFolder *place = &self->sources->folders[folder];
  gsize first, last, count;

  if (place->n_files == 0)
    return 0;
  cs_function_index_get_of_file (self->index, place->first_file, &first, &count);
  cs_function_index_get_of_file (self->index, place->first_file + place->n_files - 1, &last, &count);
  return (guint) (last + count - first);
}

/**
 * cs_chooser_get_n_files:
 * @self: a chooser
 *
 * Returns: how many files are listed
 */
guint
cs_chooser_get_n_files (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), 0);

  return self->sources != NULL ? self->sources->files->len : 0;
}

/**
 * cs_chooser_get_file:
 * @self: a chooser
 * @file: number of a file; they are sorted by the bytes of their paths
 *
 * Returns: (transfer none): the file, until CsChooser::files-changed
 */
const CsSourceFile *
cs_chooser_get_file (CsChooser *self, guint file)
{
  g_return_val_if_fail (has_file (self, file), NULL);

  return self->sources->files->pdata[file];
}

/**
 * cs_chooser_find_file:
 * @self: a chooser
 * @path: relative to the root
 *
 * Returns: the number of the file, or %CS_CHOOSER_NONE
 */
guint
cs_chooser_find_file (CsChooser *self, const char *path)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self) && path != NULL, CS_CHOOSER_NONE);

  return self->sources != NULL ? chooser_sources_find (self->sources, path) : CS_CHOOSER_NONE;
}

/**
 * cs_chooser_get_file_folder:
 * @self: a chooser
 * @file: number of a file
 *
 * Returns: the number of the folder that it is right in
 */
guint
cs_chooser_get_file_folder (CsChooser *self, guint file)
{
  g_return_val_if_fail (has_file (self, file), CS_CHOOSER_ROOT);

  return self->sources->file_folders[file];
}

/**
 * cs_chooser_get_n_folders:
 * @self: a chooser
 *
 * Returns: how many folders there are, the root included; 0 before files are listed
 */
guint
cs_chooser_get_n_folders (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), 0);

  return self->sources != NULL ? self->sources->n_folders : 0;
}

/**
 * cs_chooser_get_folder:
 * @self: a chooser
 * @folder: number of a folder
 *
 * Returns: (transfer none): the folder, until CsChooser::files-changed
 */
const CsChooserFolder *
cs_chooser_get_folder (CsChooser *self, guint folder)
{
  g_return_val_if_fail (has_folder (self, folder), NULL);

  return &self->sources->folders[folder];
}

/**
 * cs_chooser_get_own_files:
 * @self: a chooser
 * @folder: number of a folder
 * @count: (out): how many files are right in it
 *
 * Returns: (array length=count) (transfer none): their numbers, ascending
 */
const guint32 *
cs_chooser_get_own_files (CsChooser *self, guint folder, guint *count)
{
  *count = 0;
  g_return_val_if_fail (has_folder (self, folder), NULL);

  *count = self->sources->folders[folder].n_own;
  return self->sources->own_files + self->sources->folders[folder].first_own;
}

/**
 * cs_chooser_get_functions:
 * @self: a chooser
 * @file: number of a file
 * @count: (out): how many functions it is known to define
 *
 * Works from the moment on that the file is scanned, before others are.
 *
 * Returns: (array length=count) (transfer none) (nullable): them, by line, until CsChooser::functions-changed for all
 *   files or CsChooser::files-changed; %NULL: it isn't scanned yet
 */
const CsSourceFunction *
cs_chooser_get_functions (CsChooser *self, guint file, guint *count)
{
  *count = 0;
  g_return_val_if_fail (has_file (self, file), NULL);

  if (self->index != NULL)
    {
      const CsSourceFunction *functions;
      gsize first, n, total;

      functions = cs_function_index_get_functions (self->index, &total);
      cs_function_index_get_of_file (self->index, file, &first, &n);
      *count = (guint) n;
      return functions + first;
    }
  if (self->partial == NULL || self->partial->files[file] == NULL)
    return NULL;
  *count = self->partial->files[file]->count;
  return self->partial->files[file]->functions;
}

/**
 * cs_chooser_get_index:
 * @self: a chooser
 *
 * Returns: (transfer none) (nullable): all functions, once all files are scanned
 */
CsFunctionIndex *
cs_chooser_get_index (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), NULL);

  return self->index;
}

/**
 * cs_chooser_get_function_number:
 * @self: a chooser
 * @file: number of a file
 * @nth: which of its functions, from 0
 *
 * Returns: the function's number in the index; %CS_CHOOSER_NONE before that is there
 */
guint32
cs_chooser_get_function_number (CsChooser *self, guint file, guint nth)
{
  gsize first, count;

  g_return_val_if_fail (has_file (self, file), CS_CHOOSER_NONE);

  if (self->index == NULL)
    return CS_CHOOSER_NONE;
  cs_function_index_get_of_file (self->index, file, &first, &count);
  return nth < count ? (guint32) (first + nth) : CS_CHOOSER_NONE;
}

/**
 * cs_chooser_get_selection:
 * @self: a chooser
 *
 * Returns: (transfer none) (nullable): what the last text that could be used chooses; before all files are scanned of
 *   files alone; %NULL before it is known
 */
CsSelection *
cs_chooser_get_selection (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), NULL);

  return self->choice != NULL ? self->choice->selection : NULL;
}

/**
 * cs_chooser_get_choosing:
 * @self: a chooser
 *
 * Returns: CsChooser:choosing
 */
gboolean
cs_chooser_get_choosing (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), FALSE);

  return chooser_is_choosing (self);
}

/**
 * cs_chooser_get_counts:
 * @self: a chooser
 *
 * Returns: (transfer none) (nullable): those of the selection, for the line that sums it up
 */
const CsSelectionCounts *
cs_chooser_get_counts (CsChooser *self)
{
  g_return_val_if_fail (CS_IS_CHOOSER (self), NULL);

  return self->choice != NULL ? cs_selection_get_counts (self->choice->selection) : NULL;
}

/**
 * cs_chooser_get_file_counts:
 * @self: a chooser
 * @file: number of a file
 * @counts: (out caller-allocates): how much is chosen of it; computed already
 */
void
cs_chooser_get_file_counts (CsChooser *self, guint file, CsChooserCounts *counts)
{
  const ChooserChoice *choice = get_choice (self);

  *counts = (CsChooserCounts){ .files = 1 };
  g_return_if_fail (has_file (self, file));

  counts->files_scanned = cs_chooser_get_functions (self, file, &counts->functions) != NULL;
  if (choice == NULL)
    return;
  counts->is_known = TRUE;
  counts->choice = cs_selection_get_file (choice->selection, file);
  counts->files_chosen = counts->choice != CS_FILE_NOT_CHOSEN;
  if (choice->file_chosen != NULL)
    counts->functions_chosen = choice->file_chosen[file];
  else if (counts->choice == CS_FILE_CHOSEN)
    counts->functions_chosen = counts->functions;
}

/**
 * cs_chooser_get_folder_counts:
 * @self: a chooser
 * @folder: number of a folder
 * @counts: (out caller-allocates): how much is chosen of all that is below it; computed already
 */
void
cs_chooser_get_folder_counts (CsChooser *self, guint folder, CsChooserCounts *counts)
{
  const ChooserChoice *choice = get_choice (self);
  guint functions = 0, scanned = 0;

  *counts = (CsChooserCounts){ 0 };
  g_return_if_fail (has_folder (self, folder));

  if (choice != NULL)
    *counts = choice->folders[folder];
  counts->files = self->sources->folders[folder].n_files;
  if (choice != NULL && choice->file_chosen != NULL)
    return;
  if (self->partial != NULL)
    {
      functions = self->partial->folder_functions[folder];
      scanned = self->partial->folder_scanned[folder];
    }
  else if (self->index != NULL)
    {
      functions = count_functions (self, folder);
      scanned = counts->files;
    }
  counts->functions = functions;
  counts->files_scanned = scanned;
  if (counts->choice == CS_FILE_CHOSEN)
    counts->functions_chosen = functions;
}

/**
 * cs_chooser_get_function:
 * @self: a chooser
 * @file: number of a file
 * @nth: which of its functions, from 0
 * @chosen: (out) (optional): whether it is traced
 * @action: (out) (optional): what the config does with it
 * @depth: (out) (optional): of %CS_FUNCTION_SUBTREE
 *
 * Returns: whether that is known yet; if not, @chosen is %FALSE and @action %CS_FUNCTION_OFF
 */
gboolean
cs_chooser_get_function (CsChooser *self, guint file, guint nth, gboolean *chosen, CsFunctionAction *action, int *depth)
{
  const ChooserChoice *choice = get_choice (self);
  guint32 function = cs_chooser_get_function_number (self, file, nth);
  gboolean is_known = choice != NULL && choice->actions != NULL && function != CS_CHOOSER_NONE;

  if (chosen != NULL)
    *chosen = is_known && cs_selection_has_function (choice->selection, function);
  if (action != NULL)
    *action = is_known ? (CsFunctionAction) choice->actions[function] : CS_FUNCTION_OFF;
  if (depth != NULL)
    {
      *depth = 0;
      if (is_known && choice->actions[function] == CS_FUNCTION_SUBTREE)
        cs_config_edit_get_action (choice->selection, function, depth);
    }
  return is_known;
}

/**
 * cs_chooser_get_overmatch:
 * @self: a chooser
 *
 * Returns: (transfer none) (array zero-terminated=1): sentences on functions that gcc hooks though they aren't chosen,
 *   since their names are part of chosen ones
 */
const char *const *
cs_chooser_get_overmatch (CsChooser *self)
{
  static const char *const none[] = { NULL };

  g_return_val_if_fail (CS_IS_CHOOSER (self), none);

  return self->choice != NULL ? (const char *const *) self->choice->overmatch->pdata : none;
}
