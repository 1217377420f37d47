/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CS_RUN_ERROR (cs_run_error_quark ())

typedef enum
{
  CS_RUN_ERROR_FOLDER, /* the trace directory can't be used */
  CS_RUN_ERROR_START,  /* the program could not be started */
} CsRunError;

GQuark cs_run_error_quark (void);

/* What is run, and what the runtime in it is told. NULL and 0 leave a setting as the
 * environment has it. */
typedef struct
{
  const char *const *command; /* program and arguments */
  const char *folder;         /* trace directory */
  gboolean keep;              /* don't remove what an earlier run left there */
  guint timeout_s;            /* stop the program with SIGTERM after so many seconds; 0: never */
  const char *threads;        /* TRACE_THREADS: globs of thread names */
  const char *clock;          /* TRACE_CLOCK: auto, mono, raw or tsc */
  guint64 max_events;         /* TRACE_MAX */
  gint64 max_mb;              /* TRACE_MAX_MB; 0: no limit, negative: not told */
  const char *full;           /* TRACE_FULL: stop or wrap */
  const char *mode;           /* TRACE_MODE: events or summary */
  const char *format;         /* TRACE_FORMAT: records or packed; NULL: packed, unless the environment has it */
  gboolean preload;           /* lend the runtime also where nothing tells that it is needed */
  void (*tell) (const char *sentence, gpointer user_data); /* (nullable): called before the program is started */
  gpointer user_data;
} CsRunOptions;

/* How the program ended. */
typedef struct
{
  char *binary;    /* the file that was started */
  int exit_status; /* -1 when a signal ended it */
  int signal;      /* 0: it exited */
  gboolean timed_out;
} CsRunResult;

void cs_run_async (const CsRunOptions *options, GCancellable *cancellable, GAsyncReadyCallback callback,
                   gpointer user_data);
CsRunResult *cs_run_finish (GAsyncResult *result, GError **error);
void cs_run_result_free (CsRunResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsRunResult, cs_run_result_free)

G_END_DECLS
