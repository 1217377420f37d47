/* SPDX-License-Identifier: MIT */
#pragma once

#include "project/cs-child.h"

G_BEGIN_DECLS

#define CS_RUN_ERROR (cs_run_error_quark ())

typedef enum
{
  CS_RUN_ERROR_FOLDER, /* the trace directory can't be used */
  CS_RUN_ERROR_START,  /* the program could not be started */
  CS_RUN_ERROR_OPTION, /* a setting isn't one */
  CS_RUN_ERROR_INPUT,  /* the program takes no input (any more) */
} CsRunError;

GQuark cs_run_error_quark (void);

/* Where the program reads from. */
typedef enum
{
  CS_RUN_INPUT_INHERIT, /* where this process does. The program stays in this process's group, so that the terminal
                         * is its, too: a stop then reaches the program alone */
  CS_RUN_INPUT_NONE,    /* nothing: /dev/null */
  CS_RUN_INPUT_PIPE,    /* what cs_run_write_input() gives */
} CsRunInput;

/* What is run, and what the runtime in it is told. NULL and 0 leave a setting as the
 * environment has it. */
typedef struct
{
  const char *const *command; /* program and arguments */
  const char *folder;         /* trace directory */
  gboolean keep;              /* don't remove what an earlier run left there */
  guint timeout_s;            /* stop the program after so many seconds; 0: never */
  guint grace_ms;             /* what doesn't end after SIGTERM is killed so much later; 0: 5 s */
  const char *threads;        /* TRACE_THREADS: globs of thread names */
  const char *clock;          /* TRACE_CLOCK: auto, mono, raw or tsc */
  guint64 max_events;         /* TRACE_MAX */
  gint64 max_mb;              /* TRACE_MAX_MB; 0: no limit, negative: not told */
  const char *full;           /* TRACE_FULL: stop or wrap */
  const char *mode;           /* TRACE_MODE: events or summary */
  const char *format;         /* TRACE_FORMAT: records or packed; NULL: packed, unless the environment has it */
  gboolean preload;           /* lend the runtime also where nothing tells that it is needed */

  const char *working_folder;     /* (nullable): NULL: this process's. A relative program is looked for in it */
  const char *const *environment; /* (nullable): NAME=VALUE, added to this process's; the settings above win */
  CsRunInput input;
  CsChildOutput output;           /* (nullable): what it writes, in pieces of at most CS_RUN_OUTPUT_MOST bytes, in the
                                   * caller's main context and all before the end is told; NULL: where this process writes */
  void (*tell) (const char *sentence, gpointer user_data); /* (nullable): called before the program is started */
  gpointer user_data;             /* for output and tell */
} CsRunOptions;

#define CS_RUN_OUTPUT_MOST 65536

/* How the program ended. */
typedef struct
{
  char *binary;          /* the file that was started */
  int exit_status;       /* -1 when a signal ended it */
  int signal;            /* 0: it exited */
  gboolean timed_out;    /* it was stopped since timeout_s were over */
  gboolean stopped;      /* it was stopped by cs_run_stop(), cs_run_kill() or the cancellable */
  gboolean killed;       /* SIGTERM wasn't enough */
  gboolean left_running; /* processes that it started were still there when it had ended */
  gint64 started_us;     /* as g_get_real_time() tells it */
  gint64 elapsed_us;
} CsRunResult;

typedef enum
{
  CS_RUN_STATE_NEW,
  CS_RUN_STATE_STARTING, /* the trace directory is emptied, and the program looked at */
  CS_RUN_STATE_RUNNING,
  CS_RUN_STATE_STOPPING, /* SIGTERM is sent */
  CS_RUN_STATE_ENDED,    /* or could not be started */
} CsRunState;

/* One run of one program. Its property `state` (a CsRunState as guint) notifies. */
#define CS_TYPE_RUN (cs_run_get_type ())
G_DECLARE_FINAL_TYPE (CsRun, cs_run, CS, RUN, GObject)

gboolean cs_run_options_check (const CsRunOptions *options, GError **error);
char **cs_run_options_dup_environment (const CsRunOptions *options);

CsRun *cs_run_new (const CsRunOptions *options);
void cs_run_async (CsRun *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
CsRunResult *cs_run_finish (CsRun *self, GAsyncResult *result, GError **error);

CsRunState cs_run_get_state (CsRun *self);
int cs_run_get_pid (CsRun *self);
gint64 cs_run_get_elapsed_us (CsRun *self);
void cs_run_stop (CsRun *self);
void cs_run_kill (CsRun *self);
gboolean cs_run_write_input (CsRun *self, const char *bytes, gsize size, GError **error);
void cs_run_close_input (CsRun *self);

char *cs_run_result_describe (const CsRunResult *self);
void cs_run_result_free (CsRunResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsRunResult, cs_run_result_free)

G_END_DECLS
