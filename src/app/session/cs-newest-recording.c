/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cs-newest-recording.h"

/* What is larger takes long to read: that is left to the person. Bytes. */
#define MOST_BYTES (G_GUINT64_CONSTANT (2) << 30)

static void
on_recordings_changed (GListModel *recordings, guint position, guint removed, guint added, gpointer user_data)
{
  CsSession *session = user_data;
  g_autoptr (CsRecordingItem) newest = g_list_model_get_item (recordings, 0);
  const CsRecordingInfo *info;

  if (newest == NULL)
    return;
  /* Only what was there when the project was opened. */
  g_signal_handlers_disconnect_by_func (recordings, on_recordings_changed, session);
  info = cs_recording_item_get_info (newest);
  if (cs_session_get_state (session) != CS_SESSION_EMPTY || (info->ended_us == 0 && info->command != NULL)
      || (info->has_summary && info->summary.bytes > MOST_BYTES))
    return;
  cs_session_open_recording (session, (const char *const[]){ cs_recording_item_get_folder (newest), NULL });
}

static void
on_project_changed (CsSession *session)
{
  CsProject *project = cs_session_get_project (session);
  GListModel *recordings;

  if (project == NULL)
    return;
  recordings = G_LIST_MODEL (cs_project_get_recordings (project));
  g_signal_connect_object (recordings, "items-changed", G_CALLBACK (on_recordings_changed), session, 0);
  on_recordings_changed (recordings, 0, 0, g_list_model_get_n_items (recordings), session);
}

/**
 * cs_newest_recording_follow:
 * @session: a session
 *
 * From now on a project that is opened while no recording is open has its newest one read in the background, so that
 * the selection shows its numbers and the report is there. One that may still be written, and one of more than 2 GB, isn't.
 */
void
cs_newest_recording_follow (CsSession *session)
{
  g_return_if_fail (CS_IS_SESSION (session));

  g_signal_connect (session, "notify::project", G_CALLBACK (on_project_changed), NULL);
}
