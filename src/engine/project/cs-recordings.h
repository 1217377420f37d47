/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"
#include "project/cs-run.h"

G_BEGIN_DECLS

#define CS_RECORDINGS_ERROR (cs_recordings_error_quark ())

typedef enum
{
  CS_RECORDINGS_ERROR_FOLDER,   /* it is no folder of a recording, or can't be read or written */
  CS_RECORDINGS_ERROR_NO_TRASH, /* there is no trash where it lies: it can be deleted for good only */
  CS_RECORDINGS_ERROR_NOT_OURS, /* what is left in it isn't ours */
} CsRecordingsError;

GQuark cs_recordings_error_quark (void);

/* What an analysis knew of a recording. */
typedef struct
{
  guint64 length_ns; /* from its first event to its last */
  guint64 calls;
  guint64 events;
  guint64 threads;
  guint64 processes;
  guint64 bytes;     /* that its events take in its files */
} CsRecordingSummary;

/* What recording.ini says of a recording. */
typedef struct
{
  char *folder;         /* absolute */
  char *name;           /* (nullable): what the person calls it */
  char *note;           /* (nullable) */
  char **command;       /* (nullable): program and arguments */
  char *working_folder; /* (nullable) */
  char **environment;   /* (nullable): NAME=VALUE of TRACE_*, ordered */
  char *config_hash;    /* (nullable): SHA-256 of trace.config, hexadecimal */
  char *host;           /* (nullable) */
  char *versions;       /* (nullable): "callsight 0.1.0, Linux 6.1.0 x86_64" */
  gint64 started_us;    /* as g_get_real_time() tells it. Where it isn't told: the time of the folder */
  gint64 ended_us;      /* 0: not told: it runs, or nobody saw its end */
  char *ending;         /* (nullable): how it ended, as cs_run_result_describe() says it */
  gboolean has_summary;
  CsRecordingSummary summary;
  char *problem;        /* (nullable): a sentence: why recording.ini says nothing */
} CsRecordingInfo;

/* What is known of a recording before it is made. */
typedef struct
{
  const CsRunOptions *options; /* `folder` in it is not looked at */
  const char *config_path;     /* (nullable): trace.config of the build */
  const char *name, *note;     /* (nullable) */
} CsRecordingStart;

/* Bytes of a name and of a note. */
#define CS_RECORDING_NAME_MOST 256u
#define CS_RECORDING_NOTE_MOST 8192u

/* What is to be changed; NULL: nothing. An empty text removes it. */
typedef struct
{
  const char *name;
  const char *note;
  const CsRunResult *ended;
  const CsRecordingSummary *summary;
} CsRecordingChange;

/* How fast a recording grew. */
typedef struct
{
  double events_per_s; /* of one process, in the mean: limits are a process's */
  double bytes_per_s;
  gboolean packed;     /* which event files these bytes are of */
} CsRecordingRate;

char *cs_recordings_get_folder (const char *project);
CsRecordingInfo *cs_recordings_create (const char *project, const CsRecordingStart *start, GError **error);
CsRecordingInfo *cs_recordings_load (const char *folder, GError **error);

/* The list: newest first. */
GPtrArray *cs_recordings_list (const char *project, gboolean *more, GCancellable *cancellable, GError **error);
void cs_recordings_list_async (const char *project, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *cs_recordings_list_finish (GAsyncResult *result, gboolean *more, GError **error);

gboolean cs_recordings_change (const char *folder, const CsRecordingChange *change, GError **error);
void cs_recordings_change_async (const char *folder, const CsRecordingChange *change, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_recordings_change_finish (GAsyncResult *result, GError **error);

void cs_recordings_keep_programs (const char *folder);

void cs_recordings_trash_async (const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_recordings_trash_finish (GAsyncResult *result, GError **error);
gboolean cs_recordings_delete (const char *folder, GError **error);
void cs_recordings_delete_async (const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_recordings_delete_finish (GAsyncResult *result, GError **error);

void cs_recording_summary_take (CsRecordingSummary *self, CsProfile *profile);

char *cs_recording_info_get_title (const CsRecordingInfo *self);
CsRecordingInfo *cs_recording_info_copy (const CsRecordingInfo *self);
void cs_recording_info_free (CsRecordingInfo *self);

gboolean cs_recording_rate_find (const CsRecordingInfo *recording, CsRecordingRate *rate);
double cs_recording_rate_get_seconds (const CsRecordingRate *rate, const CsRunOptions *options);
char *cs_recording_rate_warn (const CsRecordingRate *rate, const CsRunOptions *options);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsRecordingInfo, cs_recording_info_free)

G_END_DECLS
