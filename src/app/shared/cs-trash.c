/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "cs-trash.h"

/* The trash of the home folder, as the XDG Trash specification 1.0 lays it out: info/NAME.trashinfo says where
 * files/NAME was. */

#define SUFFIX ".trashinfo"
/* A larger one isn't ours. */
#define LARGEST_INFO 65536

/* Where a .trashinfo says that something was; NULL: nowhere. */
static char *
read_info (const char *path, char **deleted)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *escaped = NULL;
  GStatBuf st;

  if (g_lstat (path, &st) != 0 || !S_ISREG (st.st_mode) || st.st_size > LARGEST_INFO
      || !g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return NULL;
  escaped = g_key_file_get_string (file, "Trash Info", "Path", NULL);
  *deleted = g_key_file_get_string (file, "Trash Info", "DeletionDate", NULL);
  return escaped != NULL ? g_uri_unescape_string (escaped, NULL) : NULL;
}

/* The name in the trash of what was deleted last at @path. */
static char *
find_name (const char *trash, const char *path)
{
  g_autofree char *infos = g_build_filename (trash, "info", NULL);
  g_autoptr (GDir) dir = g_dir_open (infos, 0, NULL);
  g_autofree char *found = NULL;
  g_autofree char *found_date = NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *info = g_build_filename (infos, name, NULL);
      g_autofree char *date = NULL;
      g_autofree char *was = g_str_has_suffix (name, SUFFIX) ? read_info (info, &date) : NULL;

      if (g_strcmp0 (was, path) != 0 || (found != NULL && g_strcmp0 (date, found_date) < 0))
        continue;
      g_free (found);
      found = g_strndup (name, strlen (name) - strlen (SUFFIX));
      g_free (found_date);
      found_date = g_steal_pointer (&date);
    }
  return g_steal_pointer (&found);
}

static char *
get_trash (void)
{
  return g_build_filename (g_get_user_data_dir (), "Trash", NULL);
}

/**
 * cs_trash_can_restore:
 * @path: where something was that is in the trash
 *
 * Reads the trash, which takes time; for a thread, or once.
 *
 * Returns: whether cs_trash_restore_async() finds it
 */
gboolean
cs_trash_can_restore (const char *path)
{
  g_autofree char *trash = get_trash ();
  g_autofree char *name = find_name (trash, path);

  return name != NULL;
}

static gboolean
restore (const char *path, GError **error)
{
  g_autofree char *trash = get_trash ();
  g_autofree char *name = find_name (trash, path);
  g_autofree char *from = NULL;
  g_autofree char *info_name = NULL;
  g_autofree char *info = NULL;
  int saved_errno = ENOENT;

  if (name != NULL)
    {
      from = g_build_filename (trash, "files", name, NULL);
      info_name = g_strconcat (name, SUFFIX, NULL);
      info = g_build_filename (trash, "info", info_name, NULL);
      /* A rename would replace an empty folder. */
      saved_errno = g_file_test (path, G_FILE_TEST_EXISTS) ? EEXIST : g_rename (from, path) == 0 ? 0 : errno;
    }
  if (saved_errno == 0)
    {
      g_unlink (info);
      return TRUE;
    }
  g_set_error (error, G_IO_ERROR, (int) g_io_error_from_errno (saved_errno),
               _("It can’t be put back (%s) — look for it in the trash"), g_strerror (saved_errno));
  return FALSE;
}

static void
restore_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (restore (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * cs_trash_restore_async:
 * @path: where something was that is in the trash of the home folder
 * @callback: (scope async): called with the answer
 * @user_data: for @callback
 *
 * Puts it back, in the background.
 */
void
cs_trash_restore_async (const char *path, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, restore_in_thread);
}

/**
 * cs_trash_restore_finish:
 * @result: what the callback got
 * @error: where to say why it can't be put back
 *
 * Returns: whether it is back
 */
gboolean
cs_trash_restore_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
