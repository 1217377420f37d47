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

gboolean cs_recording_add_known_file (CsRecording *self, guint64 device, guint64 inode);
CsProcess *cs_recording_add_process (CsRecording *self, const struct trace_header *header);
void cs_recording_skip_file (CsRecording *self, const GError *error, GError **first_error);
void cs_recording_open_summaries (CsRecording *self, const GPtrArray *paths, GError **first_error);
void cs_recording_join_tails (CsRecording *self);
void cs_recording_check_numbers (CsRecording *self, const CsEventFile *previous, CsEventFile *file);
void cs_recording_settle_segments (CsRecording *self);
gboolean cs_recording_set_clocks (CsRecording *self, GError **error);

G_END_DECLS
