/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-recording.h"

G_BEGIN_DECLS

/* The numbers by which an index of time calls the files of a recording that grows: they stay while the recording is
 * opened again and again. */
typedef struct _CsLiveFiles CsLiveFiles;

CsLiveFiles *cs_live_files_new (void);
void cs_live_files_free (CsLiveFiles *self);
GPtrArray *cs_live_files_take (CsLiveFiles *self, CsRecording *recording, const GPtrArray *owners);
gboolean cs_live_files_get_shorter (CsLiveFiles *self);
GHashTable *cs_live_files_get_numbers (CsLiveFiles *self);
GPtrArray *cs_live_files_list (CsLiveFiles *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsLiveFiles, cs_live_files_free)

G_END_DECLS
