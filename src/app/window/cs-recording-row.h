/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "session/cs-recording-item.h"

G_BEGIN_DECLS

/* A recording in the sidebar. Signal `menu-requested`: a menu is wanted at a place of the row. */
#define CS_TYPE_RECORDING_ROW (cs_recording_row_get_type ())
G_DECLARE_FINAL_TYPE (CsRecordingRow, cs_recording_row, CS, RECORDING_ROW, GtkListBoxRow)

GtkWidget *cs_recording_row_new (CsRecordingItem *item);
CsRecordingItem *cs_recording_row_get_item (CsRecordingRow *self);
void cs_recording_row_set_open (CsRecordingRow *self, gboolean open);

G_END_DECLS
