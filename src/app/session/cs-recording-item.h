/* SPDX-License-Identifier: MIT */
#pragma once

#include "project/cs-recordings.h"

G_BEGIN_DECLS

/* A recording of a project. Signal `changed`: what is said of it. */
#define CS_TYPE_RECORDING_ITEM (cs_recording_item_get_type ())
G_DECLARE_FINAL_TYPE (CsRecordingItem, cs_recording_item, CS, RECORDING_ITEM, GObject)

CsRecordingItem *cs_recording_item_new (const CsRecordingInfo *info);
void cs_recording_item_set_info (CsRecordingItem *self, const CsRecordingInfo *info);
void cs_recording_item_set_running (CsRecordingItem *self, gboolean running);
const CsRecordingInfo *cs_recording_item_get_info (CsRecordingItem *self);
const char *cs_recording_item_get_folder (CsRecordingItem *self);
char *cs_recording_item_dup_title (CsRecordingItem *self);
char *cs_recording_item_dup_detail (CsRecordingItem *self);
char *cs_recording_item_dup_size (CsRecordingItem *self);
char *cs_recording_item_dup_when (CsRecordingItem *self);

G_END_DECLS
