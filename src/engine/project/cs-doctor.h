/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What is looked at. */
typedef struct
{
  const char *folder;       /* (nullable): the project; NULL: the working directory */
  const char *config;       /* (nullable): NULL: trace.config in the project */
  const char *trace_folder; /* (nullable): NULL: TRACE_DIR, or traces in the project */
  const char *compiler;     /* (nullable): a command; NULL: CC, or cc */
} CsDoctorOptions;

typedef enum
{
  CS_FINDING_OK,
  CS_FINDING_WARNING, /* something can't be done, or less well */
  CS_FINDING_PROBLEM, /* nothing would be recorded, or nothing built */
} CsFindingState;

/* One thing that was looked at. */
typedef struct
{
  CsFindingState state;
  const char *check; /* what it is, a word or two */
  char *text;        /* how it is */
  char *advice;      /* (nullable): what to do */
} CsFinding;

GPtrArray *cs_doctor_look (const CsDoctorOptions *options, GCancellable *cancellable, GError **error);
void cs_doctor_look_async (const CsDoctorOptions *options, GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data);
GPtrArray *cs_doctor_look_finish (GAsyncResult *result, GError **error);
const char *cs_finding_state_get_name (CsFindingState state);

G_END_DECLS
