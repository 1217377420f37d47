/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cs-io.h"
#include "capture/cs-recording.h"
#include "project/cs-recordings-private.h"

/* Names that aren't event files', and a line that they begin with. */
static const struct
{
  const char *name, *line;
} others[] = {
  { CS_RECORDING_INI, "[Recording]" },
  { CS_RECORDING_INI_NEW, "[Recording]" },
  { "callsight.counters", "CALLSIGHT-COUNTERS 1" },
  { "bundle", "CALLSIGHT-BUNDLE 1" },
};

/* Whether it lies where recordings of a project do. */
static gboolean
check_place (const char *folder, GError **error)
{
  g_autofree char *recordings = g_path_get_dirname (folder);
  g_autofree char *callsight = g_path_get_dirname (recordings);
  g_autofree char *name = g_path_get_basename (recordings);
  g_autofree char *above = g_path_get_basename (callsight);

  if (g_str_equal (name, "recordings") && g_str_equal (above, "callsight"))
    return TRUE;
  return cs_recording_fail (error, CS_RECORDINGS_ERROR_NOT_OURS,
                            "%s: it doesn't lie in the callsight/recordings of a project — remove it with a file manager", folder);
}

static gboolean
begins_with (int fd, const char *line)
{
  char start[64] = { 0 };
  gsize length = strlen (line);

  return cs_pread_full (fd, start, sizeof start - 1, 0) >= 0 && strncmp (start, line, length) == 0 &&
         (start[length] == '\n' || start[length] == '\0');
}

/* Removes one of our files, if it is one. */
static gboolean
remove_other (int folder, const char *name, const char *line)
{
  cs_autofd fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat st;

  if (fd < 0 || fstat (fd, &st) != 0 || !S_ISREG (st.st_mode) || (st.st_size > 0 && !begins_with (fd, line)))
    return FALSE;
  return unlinkat (folder, name, 0) == 0;
}

/* Removes the programs that were kept with it, which are the files named by numbers in the one folder that we make. */
static void
remove_modules (int folder)
{
  cs_autofd modules = openat (folder, CS_RECORDING_MODULES, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

  if (modules < 0)
    return;
  for (guint i = 0; i < CS_RECORDING_MODULES_MOST; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);
      cs_autofd fd = openat (modules, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
      char magic[4];
      struct stat st;

      if (fd >= 0 && fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && cs_pread_full (fd, magic, sizeof magic, 0) == sizeof magic &&
          memcmp (magic, "\177ELF", sizeof magic) == 0)
        unlinkat (modules, name, 0);
    }
  unlinkat (folder, CS_RECORDING_MODULES, AT_REMOVEDIR);
}

static gboolean
fail_left (const char *folder, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = dir != NULL ? g_dir_read_name (dir) : NULL;
  g_autofree char *example = g_strdup (name != NULL ? name : "?");
  guint n = name != NULL;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return cs_recording_fail (error, CS_RECORDINGS_ERROR_NOT_OURS, "%s: %u file%s or folder%s in it %s not a recording's (%s) and stay%s — look at "
                            "them, and remove the folder yourself", folder, n, n == 1 ? "" : "s", n == 1 ? "" : "s",
                            n == 1 ? "is" : "are", example, n == 1 ? "s" : "");
}

/**
 * cs_recordings_delete:
 * @folder: a recording's folder
 * @error: where to say what is left of it
 *
 * Deletes a recording for good: the regular files in it with our names and our magic, the programs that were kept with it,
 * and the folder if it is empty then. Nothing else in it is followed or gone into. May be called in any thread.
 *
 * Returns: whether it is gone; on error %FALSE with %CS_RECORDINGS_ERROR
 */
gboolean
cs_recordings_delete (const char *folder, GError **error)
{
  g_autofree char *path = g_canonicalize_filename (folder, NULL);
  g_autoptr (GError) local = NULL;
  cs_autofd fd = -1;

  if (!check_place (path, error) || (fd = cs_recording_folder_open (path, error)) < 0)
    return FALSE;
  if (cs_recording_clear_folder (path, &local) == G_MAXUINT)
    return cs_recording_fail (error, CS_RECORDINGS_ERROR_FOLDER, "%s", local->message);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    remove_other (fd, others[i].name, others[i].line);
  remove_modules (fd);
  if (rmdir (path) == 0)
    return TRUE;
  if (errno == ENOTEMPTY || errno == EEXIST)
    return fail_left (path, error);
  return cs_recording_fail (error, CS_RECORDINGS_ERROR_FOLDER, "%s: can't be removed (%s) — see that you may write to the folder around it", path,
                            g_strerror (errno));
}

static void
delete_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (cs_recordings_delete (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * cs_recordings_delete_async:
 * @folder: a recording's folder
 * @cancellable: (nullable): to drop the answer
 * @callback: (scope async): called with the answer
 * @user_data: for @callback
 *
 * Does what cs_recordings_delete() does in another thread.
 */
void
cs_recordings_delete_async (const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_task_data (task, g_strdup (folder), g_free);
  g_task_run_in_thread (task, delete_in_thread);
}

/**
 * cs_recordings_delete_finish:
 * @result: what the callback got
 * @error: where to say what is left of it
 *
 * Returns: whether it is gone
 */
gboolean
cs_recordings_delete_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
trash_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autofree char *path = g_canonicalize_filename (data, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) local = NULL;
  GError *error = NULL;
  cs_autofd fd = -1;

  if (!check_place (path, &error) || (fd = cs_recording_folder_open (path, &error)) < 0)
    g_task_return_error (task, error);
  else if (g_file_trash (file, cancellable, &local))
    g_task_return_boolean (task, TRUE);
  else if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_task_return_error (task, g_steal_pointer (&local));
  else if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    g_task_return_new_error (task, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_NO_TRASH,
                             "%s: there is no trash on its disk — it can only be deleted for good", path);
  else
    g_task_return_new_error (task, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_FOLDER,
                             "%s: can't be moved to the trash (%s)", path, local->message);
}

/**
 * cs_recordings_trash_async:
 * @folder: a recording's folder
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called with the answer
 * @user_data: for @callback
 *
 * Moves a recording to the trash.
 */
void
cs_recordings_trash_async (const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_check_cancellable (task, FALSE); /* what is gone is told of */
  g_task_set_task_data (task, g_strdup (folder), g_free);
  g_task_run_in_thread (task, trash_in_thread);
}

/**
 * cs_recordings_trash_finish:
 * @result: what the callback got
 * @error: where to say why it is still there
 *
 * Returns: whether it is in the trash; on error %FALSE with %CS_RECORDINGS_ERROR_NO_TRASH or another of %CS_RECORDINGS_ERROR
 */
gboolean
cs_recordings_trash_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
