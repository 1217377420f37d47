/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cs-summary-keeper.h"
#include "project/cs-recordings.h"

static CsRecordingSummary
summarize (CsSession *session)
{
  CsProfile *profile = cs_session_get_whole_profile (session);
  CsRecording *recording = cs_session_get_recording (session);
  const CsProfileTotals *totals = cs_profile_get_totals (profile);
  guint n_functions, n_threads;
  const CsFunction *functions = cs_profile_get_functions (profile, &n_functions);
  CsRecordingSummary summary = {
    .length_ns = cs_profile_span (totals->first, totals->last),
    .events = totals->events,
    .processes = cs_recording_get_processes (recording)->len,
    .bytes = cs_recording_get_n_bytes (recording),
  };

  cs_profile_get_threads (profile, &n_threads);
  summary.threads = n_threads;
  for (guint i = 0; i < n_functions; i++)
    summary.calls += functions[i].calls;
  return summary;
}

static gboolean
is_same (const CsRecordingSummary *a, const CsRecordingSummary *b)
{
  return a->length_ns == b->length_ns && a->calls == b->calls && a->events == b->events && a->threads == b->threads
         && a->processes == b->processes && a->bytes == b->bytes;
}

/* A recording of the session's project; others are left as they are. */
static CsRecordingItem *
find_item (CsSession *session)
{
  CsProject *project = cs_session_get_project (session);
  const char *const *paths = cs_session_get_paths (session);

  return project != NULL && paths != NULL && paths[1] == NULL
             ? cs_recordings_model_find (cs_project_get_recordings (project), paths[0]) : NULL;
}

/* A summary that can't be written is made again when the recording is read again. */
static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsRecordingsModel) model = user_data;

  if (cs_recordings_change_finish (result, NULL))
    cs_recordings_model_refresh (model);
}

static void
keep (CsSession *session)
{
  CsRecordingItem *item = find_item (session);
  const CsRecordingInfo *info = item != NULL ? cs_recording_item_get_info (item) : NULL;
  CsRecordingSummary summary;
  const CsRecordingChange change = { .summary = &summary };

  if (info == NULL || cs_session_get_state (session) != CS_SESSION_READY)
    return;
  summary = summarize (session);
  if (info->has_summary && is_same (&info->summary, &summary))
    return;
  cs_recordings_change_async (info->folder, &change, NULL, on_written,
                              g_object_ref (cs_project_get_recordings (cs_session_get_project (session))));
}

/* A recording may be read before the list has it. */
static void
on_project_changed (CsSession *session)
{
  CsProject *project = cs_session_get_project (session);

  if (project != NULL)
    g_signal_connect_object (cs_project_get_recordings (project), "items-changed", G_CALLBACK (keep), session,
                             G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

/**
 * cs_summary_keeper_follow:
 * @session: a window's
 *
 * From now on, what an analysis of one of the project's recordings knows is kept in its recording.ini, so that
 * lists tell of it without reading it.
 */
void
cs_summary_keeper_follow (CsSession *session)
{
  g_signal_connect (session, "notify::state", G_CALLBACK (keep), NULL);
  g_signal_connect (session, "notify::project", G_CALLBACK (on_project_changed), NULL);
}
