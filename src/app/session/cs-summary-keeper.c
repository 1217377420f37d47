/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "cs-summary-keeper.h"
#include "project/cs-recordings.h"

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
  CsProfile *whole = cs_session_get_whole_profile (session);
  CsRecordingSummary summary;
  const CsRecordingChange change = { .summary = &summary };

  /* Of one that grows, what is known is wrong by the time that somebody reads it. */
  if (info == NULL || whole == NULL || cs_session_get_state (session) != CS_SESSION_READY
      || cs_session_get_growing (session))
    return;
  cs_recording_summary_take (&summary, whole);
  if (info->has_summary && memcmp (&info->summary, &summary, sizeof summary) == 0)
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
  /* It has grown; the last time when it doesn't any more. */
  g_signal_connect (session, "notify::timeline", G_CALLBACK (keep), NULL);
  g_signal_connect (session, "notify::project", G_CALLBACK (on_project_changed), NULL);
}
