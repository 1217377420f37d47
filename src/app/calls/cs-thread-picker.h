/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "profile/cs-profile.h"

G_BEGIN_DECLS

/* Where one thread of a recording is chosen. Signal "changed": another one was. */
#define CS_TYPE_THREAD_PICKER (cs_thread_picker_get_type ())
G_DECLARE_FINAL_TYPE (CsThreadPicker, cs_thread_picker, CS, THREAD_PICKER, AdwBin)

void cs_thread_picker_set_timeline (CsThreadPicker *self, CsTimeline *timeline, CsPassFilter *filter);
guint cs_thread_picker_get_n (CsThreadPicker *self);
guint cs_thread_picker_get_track (CsThreadPicker *self);
gboolean cs_thread_picker_set_track (CsThreadPicker *self, guint track);
GtkDropDown *cs_thread_picker_get_list (CsThreadPicker *self);

G_END_DECLS
