/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-recording.h"

G_BEGIN_DECLS

struct _CsRecording
{
  GObject parent_instance;

  GPtrArray *files;         /* (element-type CsEventFile), every readable one, in order */
  GPtrArray *processes;     /* (element-type CsProcess) */
  GPtrArray *tracks;        /* (element-type CsThreadTrack) */
  GPtrArray *summaries;     /* (element-type CsThreadSummary) */
  GPtrArray *process_files; /* (element-type GPtrArray of CsProcessSection), owner of sections */
  GHashTable *sections;     /* (pid, start) → CsProcessSection of process_files */
  GHashTable *known_files;  /* (device, inode) of files */
  CsNotices *notices;
  guint64 n_bytes;
};

void cs_recording_join_tails (CsRecording *self);
void cs_recording_check_numbers (CsRecording *self, const CsEventFile *previous, CsEventFile *file);
void cs_recording_settle_segments (CsRecording *self);
gboolean cs_recording_set_clocks (CsRecording *self, GError **error);

G_END_DECLS
