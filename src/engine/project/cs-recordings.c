/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "capture/cs-io.h"
#include "capture/cs-recording.h"
#include "project/cs-recordings-private.h"

/* Recordings that are listed, and names that are looked at to find them. */
#define LIST_MOST 1000
#define NAMES_MOST 100000
/* Names that are looked at to see whether a folder holds a recording. */
#define FILES_MOST 1000
/* Bytes of a program's name in a folder's. */
#define PROGRAM_MOST 64
/* Folders of the same second. */
#define TWINS_MOST 10000
/* How long another change of the same recording may take. */
#define LOCK_MS 2000

G_DEFINE_QUARK (cs-recordings-error-quark, cs_recordings_error)

/**
 * cs_recording_fail:
 * @error: where to say it
 * @code: what kind it is
 * @format: a sentence
 * @...: for @format
 *
 * Returns: %FALSE
 */
gboolean
cs_recording_fail (GError **error, CsRecordingsError code, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (CS_RECORDINGS_ERROR, code, format, arguments);
  va_end (arguments);
  return FALSE;
}

/**
 * cs_recordings_get_folder:
 * @project: a project folder
 *
 * What is in that folder is told of by a #GFileMonitor on it: each recording is a folder in it, and whenever
 * what is said of one changes, its folder's time changes, too, which the monitor tells as
 * %G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED. It may not exist before the first recording; nor may `callsight`, of which it is a part.
 *
 * Returns: (transfer full) (type filename): where the recordings of the project lie
 */
char *
cs_recordings_get_folder (const char *project)
{
  return g_build_filename (project, "callsight", "recordings", NULL);
}

/* The folder of recordings, which is reached without links within the project; negative with errno where there is none. */
static int
open_recordings (const char *project, gboolean make)
{
  static const char *const names[] = { "callsight", "recordings" };
  int folder = open (project, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  for (guint i = 0; i < G_N_ELEMENTS (names) && folder >= 0; i++)
    {
      int inside = -1;

      if (!make || mkdirat (folder, names[i], 0777) == 0 || errno == EEXIST)
        inside = openat (folder, names[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (inside < 0)
        {
          int number = errno;

          close (folder);
          errno = number;
          return -1;
        }
      close (folder);
      folder = inside;
    }
  return folder;
}

static gboolean
fail_recordings (const char *project, const char *what, GError **error)
{
  int number = errno;
  g_autofree char *folder = cs_recordings_get_folder (project);

  if (number == ENOTDIR || number == ELOOP)
    return cs_recording_fail (error, CS_RECORDINGS_ERROR_FOLDER, "%s: a part of it is a link or a file, and no folder of the project — "
                              "rename that", folder);
  return cs_recording_fail (error, CS_RECORDINGS_ERROR_FOLDER, "%s: can't be %s (%s) — see that you may %s it", folder, what,
                            g_strerror (number), what[0] == 'm' ? "write to" : "read");
}

/* The program's name as part of a folder's. */
static char *
make_folder_name (const CsRunOptions *options, gint64 now_us)
{
  g_autoptr (GDateTime) now = g_date_time_new_from_unix_local (now_us / G_USEC_PER_SEC);
  g_autofree char *time = g_date_time_format (now, "%Y%m%d-%H%M%S");
  g_autofree char *program = options->command != NULL && options->command[0] != NULL ? g_path_get_basename (options->command[0]) : g_strdup ("");

  if (strlen (program) > PROGRAM_MOST)
    program[PROGRAM_MOST] = '\0';
  g_strcanon (program, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-", '_');
  return g_strdup_printf ("%s-%s", time, program[strspn (program, "._")] != '\0' ? program : "program");
}

/* Makes a folder that wasn't there; its name. */
static char *
make_folder (int recordings, const char *wanted)
{
  for (guint i = 1; i <= TWINS_MOST; i++)
    {
      g_autofree char *name = i == 1 ? g_strdup (wanted) : g_strdup_printf ("%s-%u", wanted, i);

      if (mkdirat (recordings, name, 0700) == 0)
        return g_steal_pointer (&name);
      if (errno != EEXIST)
        return NULL;
    }
  return NULL;
}

static char *
hash_config (const char *path)
{
  g_autofree char *text = NULL;
  gsize size = 0;

  return path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR) && g_file_get_contents (path, &text, &size, NULL)
             ? g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text, size) : NULL;
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* What the runtime is told, but for where it writes. */
static void
set_environment (GKeyFile *ini, const CsRunOptions *options)
{
  g_auto (GStrv) environment = cs_run_options_dup_environment (options);
  g_autoptr (GPtrArray) ours = g_ptr_array_new ();

  for (guint i = 0; environment[i] != NULL; i++)
    if (g_str_has_prefix (environment[i], "TRACE_") && !g_str_has_prefix (environment[i], "TRACE_DIR="))
      g_ptr_array_add (ours, environment[i]);
  g_ptr_array_sort (ours, compare_texts);
  g_ptr_array_add (ours, NULL);
  cs_recording_ini_set_list (ini, "environment", (const char *const *) ours->pdata);
}

static void
set_start (GKeyFile *ini, const CsRecordingStart *start, gint64 now_us)
{
  const CsRecordingChange change = { .name = start->name, .note = start->note };
  g_autofree char *here = start->options->working_folder == NULL ? g_get_current_dir () : NULL;
  g_autofree char *hash = hash_config (start->config_path);
  g_autofree char *versions = NULL;
  struct utsname system;

  uname (&system);
  versions = g_strdup_printf ("callsight %s, %s %s %s", CS_VERSION, system.sysname, system.release, system.machine);
  cs_recording_ini_set_time (ini, "started", now_us);
  cs_recording_ini_set_list (ini, "command", start->options->command);
  cs_recording_ini_set_text (ini, "working-folder", here != NULL ? here : start->options->working_folder);
  set_environment (ini, start->options);
  cs_recording_ini_set_text (ini, "config-hash", hash);
  cs_recording_ini_set_text (ini, "host", g_get_host_name ());
  cs_recording_ini_set_text (ini, "versions", versions);
  cs_recording_ini_set_change (ini, &change);
}

static gboolean
check_change (const CsRecordingChange *change, GError **error)
{
  if (change->name != NULL && strlen (change->name) > CS_RECORDING_NAME_MOST)
    return cs_recording_fail (error, CS_RECORDINGS_ERROR_FOLDER, "the name is too long — use up to %u bytes", CS_RECORDING_NAME_MOST);
  if (change->note != NULL && strlen (change->note) > CS_RECORDING_NOTE_MOST)
    return cs_recording_fail (error, CS_RECORDINGS_ERROR_FOLDER, "the note is too long — use up to %u bytes", CS_RECORDING_NOTE_MOST);
  return TRUE;
}

/**
 * cs_recordings_create:
 * @project: the project folder
 * @start: what is going to be recorded
 * @error: where to say why there can't be one
 *
 * Makes a new folder for a recording and says in it what is known. May be called in any thread.
 * Nothing is written through links. The recording itself is made by cs_run_async() with that folder.
 *
 * Returns: (transfer full) (nullable): the recording; on error %NULL with %CS_RECORDINGS_ERROR
 */
CsRecordingInfo *
cs_recordings_create (const char *project, const CsRecordingStart *start, GError **error)
{
  const CsRecordingChange change = { .name = start->name, .note = start->note };
  gint64 now_us = g_get_real_time ();
  g_autofree char *wanted = make_folder_name (start->options, now_us);
  g_autofree char *relative = cs_recordings_get_folder (project);
  g_autofree char *parent = g_canonicalize_filename (relative, NULL);
  g_autofree char *name = NULL;
  g_autofree char *folder = NULL;
  g_autoptr (GKeyFile) ini = g_key_file_new ();
  cs_autofd recordings = -1;
  cs_autofd fd = -1;
  gboolean has_ini;

  if (!check_change (&change, error))
    return NULL;
  recordings = open_recordings (project, TRUE);
  name = recordings >= 0 ? make_folder (recordings, wanted) : NULL;
  fd = name != NULL ? openat (recordings, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
  if (fd < 0)
    {
      fail_recordings (project, "made", error);
      return NULL;
    }
  folder = g_build_filename (parent, name, NULL);
  set_start (ini, start, now_us);
  if (!cs_recording_ini_write (fd, folder, ini, error))
    {
      unlinkat (recordings, name, AT_REMOVEDIR);
      return NULL;
    }
  return cs_recording_info_read (fd, folder, &has_ini);
}

/* Whether there is a file with a name of a trace directory. */
static gboolean
has_trace_files (int fd)
{
  int copy = fd >= 0 ? openat (fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  DIR *dir = copy >= 0 ? fdopendir (copy) : NULL;
  const struct dirent *entry;
  gboolean found = FALSE;

  for (guint i = 0; dir != NULL && !found && i < FILES_MOST && (entry = readdir (dir)) != NULL; i++)
    {
      CsTraceNameParts parts;

      found = cs_trace_name_parse (entry->d_name, &parts) != CS_TRACE_NAME_OTHER;
    }
  if (dir != NULL)
    closedir (dir);
  else if (copy >= 0)
    close (copy);
  return found;
}

/**
 * cs_recording_folder_open:
 * @folder: a recording's folder
 * @error: where to say why it isn't one
 *
 * Returns: its descriptor; on error -1 with %CS_RECORDINGS_ERROR_FOLDER
 */
int
cs_recording_folder_open (const char *folder, GError **error)
{
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

  if (fd < 0 && errno == ENOENT)
    cs_recording_fail (error, CS_RECORDINGS_ERROR_FOLDER, "%s: the recording is gone — somebody removed or renamed it", folder);
  else if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
    cs_recording_fail (error, CS_RECORDINGS_ERROR_FOLDER, "%s: is a file or a link, not the folder of a recording", folder);
  else if (fd < 0)
    cs_recording_fail (error, CS_RECORDINGS_ERROR_FOLDER, "%s: can't be opened (%s) — run as the user who recorded it", folder,
                       g_strerror (errno));
  return fd;
}

/**
 * cs_recordings_load:
 * @folder: a recording's folder
 * @error: where to say that there is no folder, or nothing of a recording in it
 *
 * May be called in any thread. A recording of which nothing is said, or with a `recording.ini` that can't be read, is one: `problem` tells.
 *
 * Returns: (transfer full) (nullable): what is said of it; on error %NULL with %CS_RECORDINGS_ERROR
 */
CsRecordingInfo *
cs_recordings_load (const char *folder, GError **error)
{
  g_autofree char *path = g_canonicalize_filename (folder, NULL);
  cs_autofd fd = cs_recording_folder_open (path, error);
  g_autoptr (CsRecordingInfo) info = NULL;
  gboolean has_ini;

  if (fd < 0)
    return NULL;
  info = cs_recording_info_read (fd, path, &has_ini);
  if (has_ini || has_trace_files (fd))
    return g_steal_pointer (&info);
  cs_recording_fail (error, CS_RECORDINGS_ERROR_FOLDER, "%s: there is nothing of a recording in it", path);
  return NULL;
}

/* Names of folders, the latest last: they begin with their time. */
static GPtrArray *
list_names (DIR *dir, gboolean *more)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const struct dirent *entry;

  while ((entry = readdir (dir)) != NULL)
    {
      if (*entry->d_name == '.' || (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN))
        continue;
      if (names->len >= NAMES_MOST)
        {
          *more = TRUE;
          break;
        }
      g_ptr_array_add (names, g_strdup (entry->d_name));
    }
  g_ptr_array_sort (names, compare_texts);
  return g_steal_pointer (&names);
}

static int
compare_infos (gconstpointer a, gconstpointer b)
{
  const CsRecordingInfo *one = *(const CsRecordingInfo *const *) a;
  const CsRecordingInfo *other = *(const CsRecordingInfo *const *) b;

  if (one->started_us != other->started_us)
    return one->started_us > other->started_us ? -1 : 1;
  return strcmp (other->folder, one->folder);
}

/**
 * cs_recordings_list:
 * @project: a project folder
 * @more: (out) (optional): whether there are more, older ones that were left out
 * @cancellable: (nullable): to give up early
 * @error: where to say why the folder can't be read
 *
 * May be called in any thread. Links are not followed. At most a thousand are listed.
 *
 * Returns: (transfer full) (nullable) (element-type CsRecordingInfo): the recordings of the project, newest first. No
 *   recordings are an empty list. On error %NULL with %CS_RECORDINGS_ERROR or %G_IO_ERROR_CANCELLED
 */
GPtrArray *
cs_recordings_list (const char *project, gboolean *more, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_recording_info_free);
  g_autofree char *relative = cs_recordings_get_folder (project);
  g_autofree char *parent = g_canonicalize_filename (relative, NULL);
  cs_autofd recordings = open_recordings (project, FALSE);
  g_autoptr (GPtrArray) names = NULL;
  gboolean left_out = FALSE;
  DIR *dir;

  if (more != NULL)
    *more = FALSE;
  if (recordings < 0 && errno == ENOENT && g_file_test (project, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&list);
  dir = recordings >= 0 ? fdopendir (fcntl (recordings, F_DUPFD_CLOEXEC, 3)) : NULL;
  if (dir == NULL)
    {
      fail_recordings (project, "read", error);
      return NULL;
    }
  names = list_names (dir, &left_out);
  closedir (dir);
  for (guint i = names->len; i-- > 0;)
    {
      const char *name = names->pdata[i];
      g_autofree char *folder = g_build_filename (parent, name, NULL);
      cs_autofd fd = openat (recordings, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      g_autoptr (CsRecordingInfo) info = NULL;
      gboolean has_ini;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (fd < 0 && (errno == ENOTDIR || errno == ELOOP || errno == ENOENT))
        continue;
      info = cs_recording_info_read (fd, folder, &has_ini);
      if (!has_ini && !has_trace_files (fd))
        continue;
      if (list->len >= LIST_MOST)
        {
          left_out = TRUE;
          break;
        }
      g_ptr_array_add (list, g_steal_pointer (&info));
    }
  g_ptr_array_sort (list, compare_infos);
  if (more != NULL)
    *more = left_out;
  return g_steal_pointer (&list);
}

/* What is asked of another thread. */
typedef struct
{
  char *path;
  char *name, *note;
  CsRunResult ended;
  CsRecordingSummary summary;
  CsRecordingChange change;
  gboolean more;
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  g_free (self->path);
  g_free (self->name);
  g_free (self->note);
  g_free (self);
}

static void
ask (const char *path, const CsRecordingChange *change, GTaskThreadFunc function, GCancellable *cancellable,
     GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Question *question = g_new0 (Question, 1);

  question->path = g_strdup (path);
  if (change != NULL)
    {
      question->name = g_strdup (change->name);
      question->note = g_strdup (change->note);
      question->ended = change->ended != NULL ? *change->ended : question->ended;
      question->summary = change->summary != NULL ? *change->summary : question->summary;
      question->change = (CsRecordingChange){ .name = question->name, .note = question->note,
                                              .ended = change->ended != NULL ? &question->ended : NULL,
                                              .summary = change->summary != NULL ? &question->summary : NULL };
    }
  g_task_set_task_data (task, question, question_free);
  g_task_run_in_thread (task, function);
}

static void
list_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Question *question = data;
  GError *error = NULL;
  GPtrArray *list = cs_recordings_list (question->path, &question->more, cancellable, &error);

  if (list != NULL)
    g_task_return_pointer (task, list, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

/**
 * cs_recordings_list_async:
 * @project: a project folder
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called with the answer
 * @user_data: for @callback
 *
 * Does what cs_recordings_list() does in another thread.
 */
void
cs_recordings_list_async (const char *project, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  ask (project, NULL, list_in_thread, cancellable, callback, user_data);
}

/**
 * cs_recordings_list_finish:
 * @result: what the callback got
 * @more: (out) (optional): whether there are more, older ones that were left out
 * @error: where to say why the folder can't be read
 *
 * Returns: (transfer full) (nullable) (element-type CsRecordingInfo): as of cs_recordings_list()
 */
GPtrArray *
cs_recordings_list_finish (GAsyncResult *result, gboolean *more, GError **error)
{
  const Question *question = g_task_get_task_data (G_TASK (result));

  if (more != NULL)
    *more = question->more;
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Waits for another change of the same recording, in this process or another. */
static gboolean
lock (int fd, const char *folder, GError **error)
{
  for (guint waited = 0; flock (fd, LOCK_EX | LOCK_NB) != 0; waited += 10)
    {
      /* Some file systems have no locks: then nobody else has one. */
      if (errno != EWOULDBLOCK && errno != EINTR)
        return TRUE;
      if (waited >= LOCK_MS)
        return cs_recording_fail (error, CS_RECORDINGS_ERROR_FOLDER, "%s: another program is changing it — try again", folder);
      g_usleep (10000);
    }
  return TRUE;
}

/**
 * cs_recordings_change:
 * @folder: a recording's folder
 * @change: what is to be said of it from now on
 * @error: where to say why it can't be written
 *
 * Changes what `recording.ini` says, and leaves the rest of it. May be called in any thread.
 * A file that can't be understood is replaced.
 *
 * Returns: whether it is written
 */
gboolean
cs_recordings_change (const char *folder, const CsRecordingChange *change, GError **error)
{
  cs_autofd fd = -1;
  g_autoptr (GKeyFile) ini = NULL;

  if (!check_change (change, error) || (fd = cs_recording_folder_open (folder, error)) < 0 || !lock (fd, folder, error))
    return FALSE;
  ini = cs_recording_ini_read (fd, NULL);
  if (ini == NULL)
    ini = g_key_file_new ();
  cs_recording_ini_set_change (ini, change);
  return cs_recording_ini_write (fd, folder, ini, error);
}

static void
change_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Question *question = data;
  GError *error = NULL;

  if (cs_recordings_change (question->path, &question->change, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * cs_recordings_change_async:
 * @folder: a recording's folder
 * @change: what is to be said of it from now on; copied
 * @cancellable: (nullable): to drop the answer
 * @callback: (scope async): called with the answer
 * @user_data: for @callback
 *
 * Does what cs_recordings_change() does in another thread.
 */
void
cs_recordings_change_async (const char *folder, const CsRecordingChange *change, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  ask (folder, change, change_in_thread, cancellable, callback, user_data);
}

/**
 * cs_recordings_change_finish:
 * @result: what the callback got
 * @error: where to say why it can't be written
 *
 * Returns: whether it is written
 */
gboolean
cs_recordings_change_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
