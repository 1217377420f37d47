/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "select/cs-file-choice.h"
#include "shared/cs-format.h"

static void
get_counts (CsChooser *chooser, CsFileItem *item, CsChooserCounts *counts)
{
  guint number = cs_file_item_get_number (item);

  *counts = (CsChooserCounts){ 0 };
  if (chooser == NULL || number == CS_CHOOSER_NONE)
    return;
  if (cs_file_item_is_folder (item))
    cs_chooser_get_folder_counts (chooser, number, counts);
  else
    cs_chooser_get_file_counts (chooser, number, counts);
}

static const char *
describe_choice (const CsChooserCounts *counts)
{
  if (!counts->is_known)
    return _("not known yet");
  switch (counts->choice)
    {
    case CS_FILE_CHOSEN:
      return _("wholly");
    case CS_FILE_PARTLY_CHOSEN:
      return _("partly");
    case CS_FILE_NOT_CHOSEN:
    default:
      return _("not chosen");
    }
}

static char *
describe_count (const CsChooserCounts *counts)
{
  g_autofree char *n = cs_format_count (counts->functions);

  if (counts->files_scanned < counts->files)
    return g_strdup (_("not scanned yet"));
  return g_strdup_printf (ngettext ("%s function", "%s functions", counts->functions), n);
}

/**
 * cs_file_choice_show:
 * @chooser: (nullable): what is chosen
 * @item: a file or folder
 * @row: where to show it
 */
void
cs_file_choice_show (CsChooser *chooser, CsFileItem *item, CsChoiceRow *row)
{
  GtkListItem *list_item = cs_choice_row_get_list_item (row);
  GtkTreeListRow *tree_row = gtk_list_item_get_item (list_item);
  gboolean is_folder = cs_file_item_is_folder (item);
  g_autofree char *path = g_utf8_make_valid (cs_file_item_get_path (item), -1);
  g_autofree char *pill = NULL;
  g_autofree char *box_label = NULL;
  g_autofree char *tooltip = NULL;
  g_autofree char *count = NULL;
  CsChoiceRowContent content = { 0 };
  CsChooserCounts counts;

  get_counts (chooser, item, &counts);
  count = describe_count (&counts);
  pill = counts.files_scanned == 0 ? g_strdup ("…") : cs_format_count (counts.functions);
  box_label = g_strdup_printf (_("Trace %s, %s, %s"), path, count, describe_choice (&counts));
  tooltip = g_strdup_printf ("%s\n%s", path, count);
  content.depth = gtk_tree_list_row_get_depth (tree_row);
  content.has_arrow = TRUE;
  content.expandable = is_folder;
  content.expanded = gtk_tree_list_row_get_expanded (tree_row);
  content.box = !counts.is_known || counts.choice == CS_FILE_NOT_CHOSEN ? CS_BOX_OFF
                : counts.choice == CS_FILE_PARTLY_CHOSEN                ? CS_BOX_PARTLY
                                                                        : CS_BOX_ON;
  content.box_sensitive = chooser != NULL && cs_chooser_get_text_error (chooser) == NULL;
  content.dim = content.box == CS_BOX_OFF;
  content.name = cs_file_item_get_name (item);
  content.pill = pill;
  content.tooltip = tooltip;
  content.label = box_label;
  content.box_label = box_label;
  cs_choice_row_set_content (row, &content);
}

static void
set_files (CsChooser *chooser, const guint32 *files, gsize n, gboolean on)
{
  if (n > 0)
    cs_chooser_set_files (chooser, files, n, on);
}

/**
 * cs_file_choice_set_folder:
 * @chooser: what is chosen
 * @tree: its files, as they are shown
 * @folder: number of a folder
 * @on: whether to choose it
 *
 * What is shown of a folder under a filter is all of it that is ticked.
 */
void
cs_file_choice_set_folder (CsChooser *chooser, CsFileTree *tree, guint32 folder, gboolean on)
{
  gsize n;
  g_autofree guint32 *files = cs_file_tree_dup_shown (tree, folder, &n);

  if (files != NULL)
    set_files (chooser, files, n, on);
  else
    cs_chooser_set_folder (chooser, folder, on);
}

/**
 * cs_file_choice_set:
 * @chooser: what is chosen
 * @tree: its files, as they are shown
 * @item: a file, or a folder with what is shown of it
 * @on: whether to choose it
 */
void
cs_file_choice_set (CsChooser *chooser, CsFileTree *tree, CsFileItem *item, gboolean on)
{
  guint32 number = cs_file_item_get_number (item);

  if (number == CS_CHOOSER_NONE)
    return;
  if (cs_file_item_is_folder (item))
    cs_file_choice_set_folder (chooser, tree, number, on);
  else
    set_files (chooser, &number, 1, on);
}

/**
 * cs_file_choice_is_on:
 * @chooser: what is chosen
 * @tree: its files, as they are shown
 * @item: a file or folder
 *
 * Returns: whether all that cs_file_choice_set() would reach is chosen
 */
gboolean
cs_file_choice_is_on (CsChooser *chooser, CsFileTree *tree, CsFileItem *item)
{
  g_autofree guint32 *files = NULL;
  CsChooserCounts counts;
  gsize n;

  get_counts (chooser, item, &counts);
  if (!cs_file_item_is_folder (item) || counts.choice != CS_FILE_PARTLY_CHOSEN)
    return counts.is_known && counts.choice == CS_FILE_CHOSEN;
  files = cs_file_tree_dup_shown (tree, cs_file_item_get_number (item), &n);
  if (files == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      cs_chooser_get_file_counts (chooser, files[i], &counts);
      if (counts.choice != CS_FILE_CHOSEN)
        return FALSE;
    }
  return TRUE;
}
