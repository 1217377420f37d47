/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-session-private.h"
#include "report/cs-report.h"
#include "symbols/cs-symbol-cache.h"

/* Of each function's longest calls: as many as the report of the slowest ones shows. */
#define N_SLOWEST (cs_report_format_get_top (CS_REPORT_SLOWEST))

static void
finish_job (CsJob **job)
{
  if (*job != NULL)
    cs_job_finish (*job);
  g_clear_object (job);
}

static void
cancel (GCancellable **cancellable)
{
  if (*cancellable != NULL)
    g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
}

static void
set_profile (CsSession *self, CsProfile *profile)
{
  if (self->profile == profile)
    return;
  g_set_object (&self->profile, profile);
  g_clear_pointer (&self->found_path, g_array_unref);
  /* Views that follow the function look it up in the new profile, so that it comes first. */
  cs_session_find_focus (self);
  cs_session_notify (self, PROP_PROFILE);
  cs_session_notify (self, PROP_FUNCTION);
}

static void
show_error (CsSession *self, const char *text)
{
  g_free (self->error);
  self->error = g_utf8_make_valid (text, -1);
  cs_session_notify (self, PROP_ERROR);
  cs_session_set_state (self, CS_SESSION_FAILED);
}

/* Nothing that is read or filtered arrives any more. */
void
cs_session_stop_reading (CsSession *self)
{
  cs_session_stop_following (self);
  cancel (&self->reading);
  cancel (&self->filtering);
  g_clear_object (&self->filtered);
  finish_job (&self->job);
  finish_job (&self->filter_job);
}

void
cs_session_forget_recording (CsSession *self)
{
  cs_session_stop_reading (self);
  g_ptr_array_set_size (self->back, 0);
  g_ptr_array_set_size (self->forward, 0);
  cs_session_notify_steps (self);
  set_profile (self, NULL);
  g_clear_object (&self->whole);
  g_clear_object (&self->symbolizer);
  if (self->recording != NULL)
    {
      g_clear_object (&self->recording);
      cs_session_notify (self, PROP_RECORDING);
      cs_session_notify (self, PROP_TIMELINE);
    }
  cs_session_set_progress (self, 0);
  cs_profile_filter_clear (&self->filter);
  cs_session_notify (self, PROP_FILTER);
  cs_session_forget_focus (self);
  g_clear_pointer (&self->error, g_free);
  cs_session_notify (self, PROP_BUSY);
}

/* What is being made, until it is there; the session and the job outlive it. */
typedef struct
{
  CsSession *session;
  CsJob *job;
  GCancellable *cancellable;
  gboolean growing; /* the recording, when it was opened */
} Request;

static Request *
request_new (CsSession *self, CsJob *job, GCancellable *cancellable)
{
  Request *request = g_new0 (Request, 1);

  request->session = g_object_ref (self);
  request->job = g_object_ref (job);
  request->cancellable = g_object_ref (cancellable);
  return request;
}

static void
request_free (Request *request)
{
  g_object_unref (request->session);
  g_object_unref (request->job);
  g_object_unref (request->cancellable);
  g_free (request);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Request, request_free)

static void
on_progress (goffset current, goffset total, gpointer user_data)
{
  const Request *request = user_data;
  double progress = total > 0 ? CLAMP ((double) current / (double) total, 0, 1) : 0;

  cs_job_set_progress (request->job, progress);
  if (request->cancellable == request->session->reading)
    cs_session_set_progress (request->session, progress);
}

static void
on_filtered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Request) request = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsProfile) profile = cs_profile_new_finish (result, &error);
  CsSession *self = request->session;
  gboolean outdated;

  /* The recording was closed meanwhile. */
  if (request->cancellable != self->filtering)
    return;
  g_clear_object (&self->filtering);
  outdated = self->filtered != self->whole;
  g_clear_object (&self->filtered);
  finish_job (&self->filter_job);
  cs_session_notify (self, PROP_BUSY);
  if (self->filter_again)
    cs_session_update_profile (self);
  else if (profile != NULL)
    {
      set_profile (self, profile);
      /* The recording has grown meanwhile. */
      if (outdated)
        cs_session_update_profile (self);
    }
  else
    {
      cs_session_tell (self, g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
                               ? _("Filtering was stopped — all of the recording is shown")
                               : error->message);
      /* What is shown and what is said to be shown are to be the same. */
      cs_profile_filter_clear (&self->filter);
      cs_session_notify (self, PROP_FILTER);
      set_profile (self, self->whole);
    }
}

/* What every profile of a session holds. */
void
cs_session_init_options (CsProfileOptions *options)
{
  *options = (CsProfileOptions){ .call_sites = TRUE, .n_slowest = N_SLOWEST, .timeline = TRUE };
}

/* Shows the profile of the whole recording, or what the filter leaves of it, once that is known. Of one that grows
 * each profile has files of its own. */
void
cs_session_take_whole (CsSession *self, CsProfile *profile)
{
  gboolean first = self->whole == NULL;

  g_set_object (&self->whole, profile);
  g_set_object (&self->recording, cs_profile_get_recording (profile));
  if (first || cs_profile_filter_is_empty (&self->filter))
    set_profile (self, profile);
  cs_session_notify (self, PROP_TIMELINE);
  if (self->filtering == NULL || !self->growing)
    cs_session_update_profile (self);
}

/* One filter at a time: the symbolizer is for one thread. */
void
cs_session_update_profile (CsSession *self)
{
  CsProfileOptions options = { .call_sites = TRUE, .n_slowest = N_SLOWEST };

  if (self->whole == NULL)
    return;
  self->filter_again = self->filtering != NULL;
  if (self->filter_again)
    {
      g_cancellable_cancel (self->filtering);
      return;
    }
  if (cs_profile_filter_is_empty (&self->filter))
    {
      set_profile (self, self->whole);
      return;
    }
  options.filter = self->filter;
  options.index = cs_profile_get_timeline (self->whole);
  self->filtering = g_cancellable_new ();
  g_set_object (&self->filtered, self->whole);
  self->filter_job = cs_jobs_begin (self->jobs, _("Filtering the recording"), self->filtering);
  cs_session_notify (self, PROP_BUSY);
  {
    Request *request = request_new (self, self->filter_job, self->filtering);

    cs_profile_new_async (self->recording, self->symbolizer, &options, self->filtering, on_progress, request,
                          on_filtered, request);
  }
}

static void
end_reading (CsSession *self)
{
  g_clear_object (&self->reading);
  finish_job (&self->job);
  cs_session_notify (self, PROP_BUSY);
}

/* What has been read stays. A filter would have been for all of it. */
static void
keep_part (CsSession *self)
{
  cs_session_set_progress (self, cs_profile_get_done (self->profile));
  cs_profile_filter_clear (&self->filter);
  cs_session_notify (self, PROP_FILTER);
  /* Its notices tell more when nothing else does. */
  cs_session_notify (self, PROP_STATE);
  cs_session_tell (self, _("Reading was stopped — what has been read is shown"));
}

static void
on_partial (CsProfile *profile, gpointer user_data)
{
  const Request *request = user_data;
  CsSession *self = request->session;

  if (request->cancellable != self->reading)
    return;
  set_profile (self, profile);
  cs_session_notify (self, PROP_TIMELINE);
  cs_session_set_state (self, CS_SESSION_PARTIAL);
}

static void
on_read_failed (CsSession *self, const GError *error)
{
  end_reading (self);
  if (self->state == CS_SESSION_PARTIAL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      keep_part (self);
      return;
    }
  set_profile (self, NULL);
  cs_session_notify (self, PROP_TIMELINE);
  show_error (self, g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
                      ? _("Reading was stopped — read it again with F5")
                      : error->message);
}

static void
on_profiled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Request) request = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsProfile) profile = cs_profile_new_finish (result, &error);
  CsSession *self = request->session;

  if (request->cancellable != self->reading)
    return;
  if (profile == NULL)
    {
      on_read_failed (self, error);
      return;
    }
  end_reading (self);
  cs_session_take_whole (self, profile);
  cs_session_set_progress (self, 1);
  /* Who is told of the state sees whether it grows. */
  self->growing = self->was_growing;
  cs_session_set_state (self, CS_SESSION_READY);
  if (self->whole == profile)
    cs_session_begin_following (self);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Request) request = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsRecording) recording = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *cache = cs_symbol_cache_get_default_folder ();
  CsProfileOptions options;
  CsSession *self = request->session;

  if (request->cancellable != self->reading)
    return;
  if (recording == NULL)
    {
      on_read_failed (self, error);
      return;
    }
  g_set_object (&self->recording, recording);
  /* What is written between this and the end of the pass isn't in the profile. */
  self->was_growing = request->growing;
  cs_session_notify (self, PROP_RECORDING);
  g_clear_object (&self->symbolizer);
  self->symbolizer = cs_symbolizer_new ();
  cs_symbolizer_set_cache (self->symbolizer, cache);
  cs_symbolizer_add_project (self->symbolizer, self->project != NULL ? cs_project_get_folder (self->project) : NULL);
  cs_session_init_options (&options);
  options.partial = on_partial;
  options.partial_data = request;
  options.partial_us = self->partial_us;
  cs_profile_new_async (recording, self->symbolizer, &options, self->reading, on_progress, request, on_profiled,
                        request);
  g_steal_pointer (&request);
}

/* Whether the system says that it grows takes a while where a process has mapped much. */
static void
open_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Request *request = data;
  GError *error = NULL;
  CsRecording *recording = cs_recording_open (g_object_get_data (G_OBJECT (task), "paths"), cancellable, &error);

  if (recording == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  request->growing = cs_recording_is_growing (recording);
  g_task_return_pointer (task, recording, g_object_unref);
}

static void
read_recording (CsSession *self)
{
  g_autoptr (GTask) task = NULL;
  Request *request;

  self->reading = g_cancellable_new ();
  /* Who is told of the job sees by the state what it is about. */
  cs_session_set_state (self, CS_SESSION_READING);
  self->job = cs_jobs_begin (self->jobs, _("Reading the recording"), self->reading);
  cs_session_notify (self, PROP_BUSY);
  request = request_new (self, self->job, self->reading);
  task = g_task_new (NULL, self->reading, on_opened, request);
  g_object_set_data_full (G_OBJECT (task), "paths", g_strdupv (self->paths), (GDestroyNotify) g_strfreev);
  g_task_set_task_data (task, request, NULL);
  g_task_run_in_thread (task, open_in_thread);
}

/**
 * cs_session_open_recording:
 * @self: a session
 * @paths: (array zero-terminated=1): a trace directory or event files, absolute
 *
 * Reads a recording in the background; what was being read before is given up.
 */
void
cs_session_open_recording (CsSession *self, const char *const *paths)
{
  char **copy = g_strdupv ((char **) paths);

  g_return_if_fail (CS_IS_SESSION (self));

  cs_session_forget_recording (self);
  g_strfreev (self->paths);
  self->paths = copy;
  read_recording (self);
}

/**
 * cs_session_reload:
 * @self: a session
 *
 * Reads the recording that is open once more.
 */
void
cs_session_reload (CsSession *self)
{
  g_return_if_fail (CS_IS_SESSION (self));

  if (self->paths == NULL)
    return;
  cs_session_forget_recording (self);
  read_recording (self);
}

/**
 * cs_session_cancel_reading:
 * @self: a session
 *
 * Stops what reads the recording for the first time.
 */
void
cs_session_cancel_reading (CsSession *self)
{
  g_return_if_fail (CS_IS_SESSION (self));

  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
}

/**
 * cs_session_close_recording:
 * @self: a session
 *
 * Leaves the session without a recording.
 */
void
cs_session_close_recording (CsSession *self)
{
  g_return_if_fail (CS_IS_SESSION (self));

  cs_session_forget_recording (self);
  g_clear_pointer (&self->paths, g_strfreev);
  cs_session_set_state (self, CS_SESSION_EMPTY);
}
