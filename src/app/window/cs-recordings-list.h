/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "session/cs-session.h"

G_BEGIN_DECLS

/* The recordings of the session's project. Its actions, with the prefix "recordings", are about the one that has or had
 * the focus. */
#define CS_TYPE_RECORDINGS_LIST (cs_recordings_list_get_type ())
G_DECLARE_FINAL_TYPE (CsRecordingsList, cs_recordings_list, CS, RECORDINGS_LIST, AdwBin)

void cs_recordings_list_set_session (CsRecordingsList *self, CsSession *session);
GActionGroup *cs_recordings_list_get_actions (CsRecordingsList *self);
GtkListBox *cs_recordings_list_get_box (CsRecordingsList *self);

G_END_DECLS
