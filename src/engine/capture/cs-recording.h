/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "capture/cs-clock.h"
#include "capture/cs-event-file.h"
#include "capture/cs-notices.h"
#include "capture/cs-process-file.h"
#include "capture/cs-summary-file.h"

G_BEGIN_DECLS

/* One image of one process: event files with the same pid and start anchor. */
typedef struct
{
  guint pid;
  guint index; /* in the recording */
  guint64 t0_ticks, t0_ns;
  guint64 tick_hz;
  guint64 load_bias; /* of the main executable */
  guint64 hook_ns;   /* measured cost of one hook, ns */
  gboolean ticks;
  guint64 anchor_ticks, anchor_ns; /* latest anchor known; 0: none */
  CsClock clock; /* as far as the ends of the files tell */
  CsProcessSection *section; /* (nullable): what its process file says */
} CsProcess;

/* The files of one thread id of one process, or of one stream, in order. */
typedef struct
{
  CsProcess *process;
  guint tid; /* 0: not told, as in a stream, with several threads in one file */
  GPtrArray *files; /* (element-type CsEventFile) */
} CsThreadTrack;

/* What one thread of a process counted in summary mode. */
typedef struct
{
  CsProcess *process;
  CsSummaryFile *file;
} CsThreadSummary;

#define CS_TYPE_RECORDING (cs_recording_get_type ())
G_DECLARE_FINAL_TYPE (CsRecording, cs_recording, CS, RECORDING, GObject)

CsRecording *cs_recording_open (const char *const *paths, GCancellable *cancellable, GError **error);
void cs_recording_open_async (const char *const *paths, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);
CsRecording *cs_recording_open_finish (GAsyncResult *result, GError **error);

GPtrArray *cs_recording_get_processes (CsRecording *self);
gboolean cs_recording_has_hooks_after_inlining (CsRecording *self);
GPtrArray *cs_recording_get_tracks (CsRecording *self);
GPtrArray *cs_recording_get_summaries (CsRecording *self);
const CsNotices *cs_recording_get_notices (CsRecording *self);
guint64 cs_recording_get_n_bytes (CsRecording *self);
gint64 cs_recording_find_start (CsRecording *self, const CsClock *clocks);
const char *cs_process_get_thread_name (const CsProcess *self, guint tid, guint64 seq);

gboolean cs_recording_is_growing (CsRecording *self);
guint cs_recording_clear_folder (const char *path, GError **error);

G_END_DECLS
