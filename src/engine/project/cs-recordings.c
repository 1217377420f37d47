/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "project/cs-recordings.h"

G_DEFINE_QUARK (cs-recordings-error-quark, cs_recordings_error)

static gpointer
not_yet (GError **error)
{
  g_set_error_literal (error, CS_RECORDINGS_ERROR, CS_RECORDINGS_ERROR_FOLDER, "not done yet");
  return NULL;
}

static void
answer (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  GError *error = NULL;

  not_yet (&error);
  g_task_return_error (task, error);
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
  return not_yet (error);
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
  return not_yet (error);
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
  return not_yet (error);
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
  answer (cancellable, callback, user_data);
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
  return g_task_propagate_pointer (G_TASK (result), error);
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
  return not_yet (error) != NULL;
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
  answer (cancellable, callback, user_data);
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
  answer (cancellable, callback, user_data);
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

/**
 * cs_recordings_delete:
 * @folder: a recording's folder
 * @error: where to say what is left of it
 *
 * Deletes a recording for good: the regular files in it with our names and our magic, and the folder if it is
 * empty then. Nothing in it is followed or gone into. May be called in any thread.
 *
 * Returns: whether it is gone; on error %FALSE with %CS_RECORDINGS_ERROR
 */
gboolean
cs_recordings_delete (const char *folder, GError **error)
{
  return not_yet (error) != NULL;
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
  answer (cancellable, callback, user_data);
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

/**
 * cs_recording_info_get_title:
 * @self: a recording
 *
 * Returns: (transfer full): what to call it in a list: its name, else the program's, else the folder's. UTF-8, one line
 */
char *
cs_recording_info_get_title (const CsRecordingInfo *self)
{
  return g_path_get_basename (self->folder);
}

/**
 * cs_recording_info_copy:
 * @self: a recording
 *
 * Returns: (transfer full): the same once more
 */
CsRecordingInfo *
cs_recording_info_copy (const CsRecordingInfo *self)
{
  return g_new0 (CsRecordingInfo, 1);
}

/**
 * cs_recording_info_free:
 * @self: (transfer full): a recording
 */
void
cs_recording_info_free (CsRecordingInfo *self)
{
  g_free (self);
}

/**
 * cs_recording_rate_find:
 * @recording: a recording, of the last run as a rule
 * @rate: (out): how fast it grew
 *
 * Returns: whether that is known: it has a summary, recorded events, and took longer than a millisecond
 */
gboolean
cs_recording_rate_find (const CsRecordingInfo *recording, CsRecordingRate *rate)
{
  return FALSE;
}

/**
 * cs_recording_rate_get_seconds:
 * @rate: how fast the last recording grew
 * @options: what is to be recorded; `max_mb`, `max_events`, `mode` and `format` count, and TRACE_* in `environment`
 *
 * Returns: after how many seconds at this rate a limit is reached; %INFINITY: there is none, or in summary mode
 */
double
cs_recording_rate_get_seconds (const CsRecordingRate *rate, const CsRunOptions *options)
{
  return 0;
}

/**
 * cs_recording_rate_warn:
 * @rate: how fast the last recording grew
 * @options: what is to be recorded
 *
 * Returns: (transfer full) (nullable): a sentence where the limit would be reached within ten seconds, and what to
 *   do about it; %NULL: no need to warn
 */
char *
cs_recording_rate_warn (const CsRecordingRate *rate, const CsRunOptions *options)
{
  return NULL;
}
