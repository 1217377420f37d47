/* SPDX-License-Identifier: MIT */
#pragma once

#include "cs-recording-item.h"

G_BEGIN_DECLS

/* A project's recordings, newest first: a GListModel of CsRecordingItem that follows the folder they are in.
 * Properties that notify: error, more. */
#define CS_TYPE_RECORDINGS_MODEL (cs_recordings_model_get_type ())
G_DECLARE_FINAL_TYPE (CsRecordingsModel, cs_recordings_model, CS, RECORDINGS_MODEL, GObject)

CsRecordingsModel *cs_recordings_model_new (const char *project);
void cs_recordings_model_close (CsRecordingsModel *self);
void cs_recordings_model_refresh (CsRecordingsModel *self);
gboolean cs_recordings_model_is_busy (CsRecordingsModel *self);
const char *cs_recordings_model_get_error (CsRecordingsModel *self);
gboolean cs_recordings_model_get_more (CsRecordingsModel *self);
void cs_recordings_model_set_running (CsRecordingsModel *self, const char *folder);
CsRecordingItem *cs_recordings_model_find (CsRecordingsModel *self, const char *folder);

G_END_DECLS
