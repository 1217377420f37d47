/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "selection/cs-flags-private.h"
#include "selection/cs-tree-folder.h"

/* So many names are looked at to find whether a folder that isn't in the tree has sources at all. */
#define MOST_LOOKED_AT 2000

/* Where compilers and systems keep headers. Where the project lies below the first, the second is taken. */
static const char *const outside[][2] = {
  { "/usr/", "/usr/include/" }, { "/usr/", "/usr/local/include/" }, { "/usr/", "/usr/lib/" },
  { "/opt/", NULL },            { "/lib/gcc/", NULL },              { "/include/c++/", NULL },
};

/**
 * cs_flags_add_item:
 * @items: (element-type FlagsItem): where to add it
 * @name: (nullable): the file's name for warnings
 * @file: its number; -1: none
 *
 * Returns: (transfer none): a new item without candidates
 */
FlagsItem *
cs_flags_add_item (GPtrArray *items, const char *name, gssize file)
{
  FlagsItem *item = g_new0 (FlagsItem, 1);

  item->name = name;
  item->file = file;
  item->candidates = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (items, item);
  return item;
}

/**
 * cs_flags_item_free:
 * @item: (transfer full): a FlagsItem
 */
void
cs_flags_item_free (gpointer item)
{
  g_ptr_array_unref (((FlagsItem *) item)->candidates);
  g_free (item);
}

/* Whether an include rule names a folder outside, something below it, or something around it. */
static gboolean
is_named (const FlagsWork *work, const char *folder)
{
  const CsDirective *rules;
  gsize n_rules;

  rules = cs_trace_config_get_directives (cs_selection_get_config (work->selection), &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    {
      gsize plain = strcspn (rules[i].value, "*?[\\"); /* what is before a glob */

      if (rules[i].kind == CS_DIRECTIVE_INCLUDE && *rules[i].value == '/' &&
          (strstr (rules[i].value, folder) != NULL || (plain > 1 && strncmp (folder, rules[i].value, plain) == 0)))
        return TRUE;
    }
  return FALSE;
}

static void
add_system_folders (FlagsWork *work, GPtrArray *items)
{
  for (guint i = 0; i < G_N_ELEMENTS (outside); i++)
    {
      FlagsItem *item = cs_flags_add_item (items, NULL, -1);

      for (guint j = 0; j < 2 && outside[i][j] != NULL; j++)
        if (!is_named (work, outside[i][j]))
          g_ptr_array_add (item->candidates, g_strdup (outside[i][j]));
    }
}

/* What a rule excludes outside the project is in no tree. */
static void
add_excluded (FlagsWork *work, GPtrArray *items)
{
  const CsDirective *rules;
  gsize n_rules;

  rules = cs_trace_config_get_directives (cs_selection_get_config (work->selection), &n_rules);
  for (gsize i = 0; i < n_rules; i++)
    if (rules[i].kind == CS_DIRECTIVE_EXCLUDE && strpbrk (rules[i].value, "*?[") == NULL &&
        (*rules[i].value == '/' || g_str_has_prefix (rules[i].value, "../")))
      g_ptr_array_add (cs_flags_add_item (items, NULL, -1)->candidates, g_strdup (rules[i].value));
}

/* Whether a source or header lies in the folder or below, as far as one looks. */
static gboolean
has_sources (const char *folder, guint *looked_at)
{
  DIR *dir = opendir (folder);
  gboolean found = FALSE;

  if (dir == NULL)
    return FALSE;
  for (struct dirent *entry; !found && *looked_at < MOST_LOOKED_AT && (entry = readdir (dir)) != NULL;)
    {
      *looked_at += 1;
      if (*entry->d_name == '.')
        continue;
      if (cs_tree_entry_is_folder (dirfd (dir), entry))
        {
          g_autofree char *inner = g_build_filename (folder, entry->d_name, NULL);

          found = has_sources (inner, looked_at);
        }
      else
        found = cs_source_path_is_source (entry->d_name, NULL);
    }
  closedir (dir);
  return found;
}

static GHashTable *
list_tree_folders (const FlagsWork *work)
{
  GPtrArray *files = cs_selection_get_files (work->selection);
  GHashTable *folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < files->len; i++)
    {
      const char *path = ((CsSourceFile *) files->pdata[i])->path;
      const char *slash = strchr (path, '/');

      if (slash != NULL)
        g_hash_table_add (folders, g_strndup (path, (gsize) (slash - path)));
    }
  return folders;
}

static gboolean
is_around (const char *folder, const char *path)
{
  gsize length = strlen (folder);

  return strncmp (folder, path, length) == 0 && (path[length] == '/' || path[length] == '\0' || length == 1);
}

/* Whether it is a link that leads out of the project. Inside of it the same files have other names, which may be chosen. */
static gboolean
leads_out (const char *root, const char *folder)
{
  char *real = realpath (folder, NULL);
  gboolean out = real != NULL && g_file_test (real, G_FILE_TEST_IS_DIR) && !is_around (root, real) && !is_around (real, root);

  free (real);
  return out;
}

/* Folders of the project that no tree has, of builds and dependencies, and links to others: their headers are known by
 * folder alone. */
static void
add_skipped (FlagsWork *work, GPtrArray *items)
{
  const char *root = cs_selection_get_root (work->selection);
  g_autoptr (GHashTable) known = list_tree_folders (work);
  DIR *dir = opendir (root);

  if (dir == NULL)
    return;
  for (struct dirent *entry; (entry = readdir (dir)) != NULL;)
    {
      g_autofree char *folder = g_build_filename (root, entry->d_name, NULL);
      g_autofree char *inside = g_build_filename (entry->d_name, "x.h", NULL);
      FlagsItem *item;
      guint looked_at = 0;

      if (*entry->d_name == '.' || g_hash_table_contains (known, entry->d_name) ||
          !(cs_tree_entry_is_folder (dirfd (dir), entry) || leads_out (root, folder)) ||
          cs_selection_match_path (work->selection, inside) || !has_sources (folder, &looked_at))
        continue;
      /* From inside the folder its name isn't needed. */
      if (is_around (folder, work->folder))
        continue;
      item = cs_flags_add_item (items, NULL, -1);
      g_ptr_array_add (item->candidates, g_strconcat (entry->d_name, "/", NULL));
    }
  closedir (dir);
}

/**
 * cs_flags_add_outside:
 * @work: the options to be made
 * @items: (element-type FlagsItem): gets what isn't in the tree and not chosen
 *
 * Adds folders whose headers units may include though the tree doesn't have them: of the system and the compiler, what
 * rules exclude outside, and those of the project that trees skip.
 */
void
cs_flags_add_outside (FlagsWork *work, GPtrArray *items)
{
  add_system_folders (work, items);
  add_excluded (work, items);
  add_skipped (work, items);
}
