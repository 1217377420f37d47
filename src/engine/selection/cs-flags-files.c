/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "selection/cs-flags-private.h"
#include "selection/cs-substrings.h"

/* A file outside the root is told relative to it over so many folders. */
#define MOST_UP 3

/* The folder without symbolic links; asked once a folder. */
static const char *
resolve_folder (GHashTable *folders, const char *folder)
{
  char *real = g_hash_table_lookup (folders, folder);
  char *found;

  if (real != NULL)
    return real;
  found = realpath (folder, NULL);
  real = g_strdup (found != NULL ? found : folder);
  free (found);
  g_hash_table_insert (folders, g_strdup (folder), real);
  return real;
}

/* A path as patterns see it. */
static char *
relative_path (const char *root, const char *path)
{
  gsize common = 0;
  guint up = 0;
  GString *text;

  for (gsize i = 0;; i++)
    {
      gboolean end_of_root = root[i] == '\0' || root[i] == '/';

      if (end_of_root && (path[i] == '/' || path[i] == '\0'))
        common = i;
      if (root[i] != path[i] || root[i] == '\0')
        break;
    }
  for (const char *p = root + common; *p != '\0'; p++)
    up += *p == '/' && p[1] != '\0';
  if (up > MOST_UP || (up > 0 && common == 0))
    return g_strdup (path);
  text = g_string_new (NULL);
  for (guint i = 0; i < up; i++)
    g_string_append (text, "../");
  g_string_append (text, path[common] == '/' ? path + common + 1 : path + common);
  return g_string_free (text, FALSE);
}

static gssize
find_file (const FlagsWork *work, const char *path)
{
  gpointer number = g_hash_table_lookup (work->numbers, path);

  return number != NULL ? (gssize) GPOINTER_TO_UINT (number) - 1 : -1;
}

/* The number of a given file; its path as patterns see it. */
static gssize
locate (FlagsWork *work, GHashTable *folders, const char *given, char **path)
{
  const char *root = cs_selection_get_root (work->selection);
  g_autofree char *absolute = g_canonicalize_filename (given, work->folder);
  g_autofree char *folder = g_path_get_dirname (absolute);
  g_autofree char *name = g_path_get_basename (absolute);
  g_autofree char *whole = g_build_filename (resolve_folder (folders, folder), name, NULL);
  gssize file;
  char *real;

  *path = relative_path (root, whole);
  file = find_file (work, *path);
  if (file >= 0 || (real = realpath (whole, NULL)) == NULL)
    return file;
  g_free (*path);
  *path = relative_path (root, real);
  free (real);
  return find_file (work, *path);
}

/**
 * cs_flags_find_units:
 * @work: the options to be made
 *
 * Finds which files of the selection the sources are, and what is chosen of them.
 */
void
cs_flags_find_units (FlagsWork *work)
{
  g_autoptr (GHashTable) folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (gsize i = 0; work->options->sources[i] != NULL; i++)
    {
      FlagsUnit unit = { .given = work->options->sources[i] };

      unit.file = locate (work, folders, unit.given, &unit.path);
      if (unit.file >= 0)
        unit.choice = cs_selection_get_file (work->selection, (guint) unit.file);
      else
        unit.choice = cs_selection_match_path (work->selection, unit.path) ? CS_FILE_CHOSEN : CS_FILE_NOT_CHOSEN;
      work->bare = work->bare || strchr (unit.given, '/') == NULL;
      g_array_append_val (work->units, unit);
    }
}

/* How many trailing folders of a file every path has by which it can be found from where the compiler runs: those that
 * aren't around both. */
static guint
count_sure_folders (const FlagsWork *work, const char *absolute)
{
  gsize common = 0;
  guint folders = 0;

  for (gsize i = 0;; i++)
    {
      gboolean end_of_folder = work->folder[i] == '\0' || work->folder[i] == '/';

      if (end_of_folder && absolute[i] == '/')
        common = i;
      if (work->folder[i] != absolute[i] || work->folder[i] == '\0')
        break;
    }
  for (const char *p = absolute + common + 1; *p != '\0'; p++)
    folders += *p == '/';
  return folders;
}

/* The path's last folders and name: of "/a/b/c.h" with one "b/c.h". */
static const char *
trailing (const char *path, guint folders)
{
  const char *at = path + strlen (path);

  for (guint slashes = 0; at > path; at--)
    if (at[-1] == '/' && slashes++ == folders)
      break;
  return at;
}

/* A header is found through folders that aren't known. Its name is sure, behind a slash unless it lies beside a unit
 * that is given without a folder; a folder in front is sure if no directive goes back through "..". */
static void
add_header_candidates (FlagsWork *work, FlagsItem *item, const char *absolute, CsDotIncludes *dots)
{
  guint sure = count_sure_folders (work, absolute);

  if (dots == NULL)
    {
      if (sure == 0 && work->bare)
        g_ptr_array_add (item->candidates, g_strdup (trailing (absolute, 0)));
      else
        g_ptr_array_add (item->candidates, g_strconcat ("/", trailing (absolute, 0), NULL));
      return;
    }
  for (guint folders = 1; folders <= sure && folders <= cs_dot_includes_get_sure (dots, (guint) item->file); folders++)
    {
      g_ptr_array_add (item->candidates, g_strdup (trailing (absolute, folders)));
      /* Behind the working folder nothing needs to stand. */
      if (folders < sure)
        g_ptr_array_add (item->candidates, g_strconcat ("/", trailing (absolute, folders), NULL));
    }
}

/* One more candidate of each item; those that are in no text are entries. Returns the items that are left. */
static GPtrArray *
take_round (FlagsWork *work, GPtrArray *items, guint round, GPtrArray *texts, GHashTable *taken, gboolean *more)
{
  g_autoptr (GPtrArray) needles = g_ptr_array_new ();
  g_autofree gssize *found = NULL;
  GPtrArray *left = g_ptr_array_new ();

  *more = FALSE;
  for (guint i = 0; i < items->len; i++)
    {
      FlagsItem *item = items->pdata[i];

      g_ptr_array_add (needles, round < item->candidates->len ? item->candidates->pdata[round] : (gpointer) "");
    }
  found = cs_substrings_find ((const char *const *) needles->pdata, needles->len, (const char *const *) texts->pdata,
                              texts->len);
  for (guint i = 0; i < items->len; i++)
    {
      FlagsItem *item = items->pdata[i];
      char *entry = needles->pdata[i];

      if (*entry == '\0' || found[i] >= 0)
        {
          if (found[i] >= 0)
            item->inside = texts->pdata[found[i]];
          *more = *more || round + 1 < item->candidates->len;
          g_ptr_array_add (left, item);
        }
      else if (g_hash_table_add (taken, entry))
        g_ptr_array_add (work->files, g_strdup (entry));
    }
  return left;
}

/* Makes an entry of the first candidate of each item that is in none of the texts. Returns the items without one. */
static GPtrArray *
take_candidates (FlagsWork *work, GPtrArray *items, GPtrArray *texts, GHashTable *taken)
{
  GPtrArray *left = g_ptr_array_ref (items);
  gboolean more = TRUE;

  for (guint round = 0; more; round++)
    {
      GPtrArray *next = take_round (work, left, round, texts, taken, &more);

      g_ptr_array_unref (left);
      left = next;
    }
  return left;
}

/* All folders of the tree, with their absolute paths. */
static void
add_folders (FlagsWork *work, GPtrArray *texts)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *files = cs_selection_get_files (work->selection);
  const char *root = cs_selection_get_root (work->selection);

  for (guint i = 0; i < files->len; i++)
    {
      const char *path = ((CsSourceFile *) files->pdata[i])->path;
      const char *slash = strrchr (path, '/');
      char *folder;

      if (slash == NULL)
        continue;
      folder = g_strdup_printf ("%s/%.*s/", root, (int) (slash - path), path);
      if (g_hash_table_contains (seen, folder))
        {
          g_free (folder);
          continue;
        }
      g_hash_table_add (seen, folder);
      g_ptr_array_add (texts, folder);
    }
}

/* Everything that must not contain an entry: chosen units as given; chosen headers by their absolute path, of which all
 * other ways to find them are a part but for folders that a way leaves again through "..". */
static GPtrArray *
list_chosen (FlagsWork *work)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *files = cs_selection_get_files (work->selection);
  const char *root = cs_selection_get_root (work->selection);

  for (guint i = 0; i < work->units->len; i++)
    {
      const FlagsUnit *unit = &g_array_index (work->units, FlagsUnit, i);

      if (unit->choice != CS_FILE_NOT_CHOSEN)
        g_ptr_array_add (texts, g_strdup (unit->given));
    }
  for (guint i = 0; i < files->len; i++)
    {
      const CsSourceFile *file = files->pdata[i];

      if (file->is_header && cs_selection_get_file (work->selection, i) != CS_FILE_NOT_CHOSEN)
        g_ptr_array_add (texts, g_build_filename (root, file->path, NULL));
    }
  if (cs_selection_get_counts (work->selection)->headers_chosen > 0)
    add_folders (work, texts);
  return texts;
}

static void
add_units (FlagsWork *work, GPtrArray *items)
{
  for (guint i = 0; i < work->units->len; i++)
    {
      const FlagsUnit *unit = &g_array_index (work->units, FlagsUnit, i);

      if (unit->choice == CS_FILE_NOT_CHOSEN)
        g_ptr_array_add (cs_flags_add_item (items, unit->given, unit->file)->candidates, g_strdup (unit->given));
    }
}

static void
add_headers (FlagsWork *work, GPtrArray *items)
{
  GPtrArray *files = cs_selection_get_files (work->selection);
  const char *root = cs_selection_get_root (work->selection);

  for (guint i = 0; i < files->len; i++)
    {
      const CsSourceFile *file = files->pdata[i];
      g_autofree char *absolute = NULL;

      if (!file->is_header || cs_selection_get_file (work->selection, i) != CS_FILE_NOT_CHOSEN)
        continue;
      absolute = g_build_filename (root, file->path, NULL);
      add_header_candidates (work, cs_flags_add_item (items, file->path, (gssize) i), absolute, NULL);
    }
}

/* What could not be told by name is tried again with folders in front. */
static void
lengthen_headers (FlagsWork *work, GPtrArray *items)
{
  GPtrArray *files = cs_selection_get_files (work->selection);
  const char *root = cs_selection_get_root (work->selection);
  g_autoptr (CsDotIncludes) dots = NULL;

  for (guint i = 0; i < items->len; i++)
    {
      FlagsItem *item = items->pdata[i];
      g_autofree char *absolute = NULL;

      if (item->file < 0 || !((CsSourceFile *) files->pdata[item->file])->is_header)
        continue;
      if (dots == NULL)
        dots = cs_dot_includes_new (work->selection, work->numbers);
      absolute = g_build_filename (root, ((CsSourceFile *) files->pdata[item->file])->path, NULL);
      add_header_candidates (work, item, absolute, dots);
    }
}

/**
 * cs_flags_list_files:
 * @work: the options to be made
 *
 * Makes the list of files to leave out. Files that no entry can name without taking something chosen go to the
 * ones whose functions are listed.
 */
void
cs_flags_list_files (FlagsWork *work)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (cs_flags_item_free);
  g_autoptr (GPtrArray) texts = list_chosen (work);
  g_autoptr (GPtrArray) outside = g_ptr_array_new_with_free_func (cs_flags_item_free);
  g_autoptr (GPtrArray) left = NULL;
  char *root = g_strconcat (cs_selection_get_root (work->selection), "/", NULL);

  cs_flags_add_outside (work, outside);
  /* Nothing outside that is around the project. */
  g_ptr_array_add (texts, root);
  left = take_candidates (work, outside, texts, taken);
  g_clear_pointer (&left, g_ptr_array_unref);
  g_ptr_array_remove_fast (texts, root);

  add_units (work, items);
  add_headers (work, items);
  left = take_candidates (work, items, texts, taken);
  if (left->len > 0)
    {
      g_autoptr (GPtrArray) longer = g_steal_pointer (&left);

      lengthen_headers (work, longer);
      left = take_candidates (work, longer, texts, taken);
    }
  for (guint i = 0; i < left->len; i++)
    {
      const FlagsItem *item = left->pdata[i];

      cs_flags_list_by_name (work, item->name, item->file, item->candidates->pdata[0], item->inside);
    }
}
