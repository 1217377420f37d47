/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "session/cs-session.h"

G_BEGIN_DECLS

/* What stands above every view of a recording: its activity over time, what is filtered, and notices. */
#define CS_TYPE_RECORDING_BAR (cs_recording_bar_get_type ())
G_DECLARE_FINAL_TYPE (CsRecordingBar, cs_recording_bar, CS, RECORDING_BAR, AdwBin)

void cs_recording_bar_set_session (CsRecordingBar *self, CsSession *session);

G_END_DECLS
