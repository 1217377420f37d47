/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "project/cs-run-private.h"

#define GRACE_MS 5000
/* Between two looks whether a stopped program's group is empty. */
#define LOOK_MS 50

G_DEFINE_QUARK (cs-run-error-quark, cs_run_error)

struct _CsRun
{
  GObject parent_instance;

  CsRunOptions *options;
  CsRunState state;
  GMainContext *context; /* (nullable): of the thread that began it */
  GTask *task;           /* (nullable): while it runs */
  GSubprocess *process;  /* (nullable): not started */
  CsRunResult *result;   /* (nullable): until it is handed out */
  pid_t pid;             /* 0: not known */
  pid_t group;           /* 0: it has none of its own */
  gboolean exited;       /* the program itself */
  gboolean draining;     /* what it left in its pipes is read */
  gint64 start_us;       /* monotonic */
  GSource *cancelled;
  GSource *timer;        /* of the time limit, then of the grace time */
  GSource *look;         /* whether the group is empty */
  CsRunReader *readers[2];
  guint open;            /* readers that aren't at their end */
  CsRunWriter *writer;   /* (nullable) */
  gint64 elapsed_us;     /* at the end */
};

enum
{
  PROP_STATE = 1,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (CsRun, cs_run, G_TYPE_OBJECT)

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static GSource *
add_timer (CsRun *self, guint ms, GSourceFunc function)
{
  GSource *source = g_timeout_source_new (ms);

  g_source_set_callback (source, function, self, NULL);
  g_source_attach (source, self->context);
  return source;
}

static void
set_state (CsRun *self, CsRunState state)
{
  if (self->state == state)
    return;
  self->state = state;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

static void
send_signal (CsRun *self, int number)
{
  if (self->group > 1)
    kill (-self->group, number);
  else
    g_subprocess_send_signal (self->process, number);
}

/* Whether a process is in that group, and not just its status, which nobody took. */
static gboolean
is_alive_in (const char *pid, pid_t group)
{
  g_autofree char *path = g_build_filename ("/proc", pid, "stat", NULL);
  g_autofree char *stat = NULL;
  const char *name_end;
  int parent, its_group;
  char state;

  return g_ascii_isdigit (*pid) && g_file_get_contents (path, &stat, NULL, NULL) &&
         (name_end = strrchr (stat, ')')) != NULL &&
         sscanf (name_end + 1, " %c %d %d", &state, &parent, &its_group) == 3 && its_group == group &&
         strchr ("ZXx", state) == NULL;
}

/* Whether others of the program's group are still there. */
static gboolean
is_group_left (CsRun *self)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (self->group <= 1 || kill (-self->group, 0) != 0)
    return FALSE;
  dir = g_dir_open ("/proc", 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_alive_in (name, self->group))
      return TRUE;
  return dir == NULL;
}

/* Hands out how it ended, or why it didn't begin. */
static void
end (CsRun *self, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  clear_source (&self->cancelled);
  clear_source (&self->timer);
  clear_source (&self->look);
  for (guint i = 0; i < G_N_ELEMENTS (self->readers); i++)
    g_clear_pointer (&self->readers[i], cs_run_reader_free);
  g_clear_pointer (&self->writer, cs_run_writer_free);
  set_state (self, CS_RUN_STATE_ENDED);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&self->result), (GDestroyNotify) cs_run_result_free);
}

static gboolean on_look (gpointer data);

/* The program itself has ended: goes on until there is nothing more to wait for. */
static void
continue_end (CsRun *self)
{
  if (!self->exited || self->task == NULL)
    return;
  if (self->state == CS_RUN_STATE_STOPPING && !self->result->killed && is_group_left (self))
    {
      if (self->look == NULL)
        self->look = add_timer (self, LOOK_MS, on_look);
      return;
    }
  if (!self->draining)
    {
      self->draining = TRUE;
      /* Before the pipes are closed: whoever writes to them then is ended by that. */
      self->result->left_running = is_group_left (self);
      for (guint i = 0; i < G_N_ELEMENTS (self->readers); i++)
        if (self->readers[i] != NULL)
          cs_run_reader_finish (self->readers[i]);
    }
  if (self->open > 0)
    return;
  self->result->left_running &= self->state != CS_RUN_STATE_STOPPING;
  end (self, NULL);
}

static gboolean
on_look (gpointer data)
{
  CsRun *self = data;

  clear_source (&self->look);
  continue_end (self);
  return G_SOURCE_REMOVE;
}

static gboolean
on_pipe_end (gpointer data)
{
  CsRun *self = data;

  self->open--;
  continue_end (self);
  return G_SOURCE_REMOVE;
}

static void
on_exited (GObject *object, GAsyncResult *async_result, gpointer user_data)
{
  GSubprocess *process = G_SUBPROCESS (object);
  g_autoptr (CsRun) self = user_data;

  g_subprocess_wait_finish (process, async_result, NULL);
  self->exited = TRUE;
  self->elapsed_us = g_get_monotonic_time () - self->start_us;
  self->result->elapsed_us = self->elapsed_us;
  self->result->exit_status = -1;
  if (g_subprocess_get_if_exited (process))
    self->result->exit_status = g_subprocess_get_exit_status (process);
  else
    self->result->signal = g_subprocess_get_term_sig (process);
  if (self->state != CS_RUN_STATE_STOPPING)
    clear_source (&self->timer);
  continue_end (self);
}

/* Kills what is left. */
static gboolean
on_grace_over (gpointer data)
{
  CsRun *self = data;

  clear_source (&self->timer);
  self->result->killed = TRUE;
  send_signal (self, SIGKILL);
  continue_end (self);
  return G_SOURCE_REMOVE;
}

static void
stop (CsRun *self)
{
  send_signal (self, SIGTERM);
  if (self->group > 1)
    send_signal (self, SIGCONT); /* a process that is halted would not see it */
  clear_source (&self->timer);
  self->timer = add_timer (self, self->options->grace_ms > 0 ? self->options->grace_ms : GRACE_MS, on_grace_over);
  set_state (self, CS_RUN_STATE_STOPPING);
}

static gboolean
on_timeout (gpointer data)
{
  CsRun *self = data;

  clear_source (&self->timer);
  if (!self->exited)
    {
      self->result->timed_out = TRUE;
      stop (self);
    }
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  cs_run_stop (data);
  return G_SOURCE_REMOVE;
}

static void
open_pipes (CsRun *self)
{
  GInputStream *pipes[] = { g_subprocess_get_stdout_pipe (self->process), g_subprocess_get_stderr_pipe (self->process) };

  for (guint i = 0; i < G_N_ELEMENTS (pipes); i++)
    if (pipes[i] != NULL)
      {
        self->open++;
        self->readers[i] = cs_run_reader_new (pipes[i], i == 1, self->options, on_pipe_end, self, self->context);
      }
  if (self->writer != NULL)
    cs_run_writer_set_pipe (self->writer, g_subprocess_get_stdin_pipe (self->process));
}

static void
plan_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CsRunPlan *plan = cs_run_plan_new (CS_RUN (source)->options, &error);

  if (plan != NULL)
    g_task_return_pointer (task, plan, (GDestroyNotify) cs_run_plan_free);
  else
    g_task_return_error (task, error);
}

static void
on_planned (GObject *object, GAsyncResult *async_result, gpointer user_data)
{
  CsRun *self = CS_RUN (object);
  GError *error = NULL;
  g_autoptr (CsRunPlan) plan = g_task_propagate_pointer (G_TASK (async_result), &error);

  if (plan != NULL && plan->sentence != NULL && self->options->tell != NULL && !self->result->stopped)
    self->options->tell (plan->sentence, self->options->user_data);
  if (plan != NULL && self->result->stopped)
    error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped before it was started");
  else if (plan != NULL)
    {
      self->start_us = g_get_monotonic_time ();
      self->result->started_us = g_get_real_time ();
      self->process = cs_run_plan_spawn (plan, self->options, &self->pid, &error);
    }
  if (self->process == NULL)
    {
      end (self, error);
      return;
    }
  self->group = self->options->input != CS_RUN_INPUT_INHERIT ? self->pid : 0;
  self->result->binary = g_steal_pointer (&plan->binary);
  open_pipes (self);
  if (self->options->timeout_s > 0)
    self->timer = add_timer (self, MIN (self->options->timeout_s, G_MAXUINT / 1000) * 1000, on_timeout);
  set_state (self, CS_RUN_STATE_RUNNING);
  g_subprocess_wait_async (self->process, NULL, on_exited, g_object_ref (self));
}

static void
cs_run_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROP_STATE)
    g_value_set_uint (value, CS_RUN (object)->state);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
cs_run_finalize (GObject *object)
{
  CsRun *self = CS_RUN (object);

  g_clear_pointer (&self->result, cs_run_result_free);
  g_clear_object (&self->process);
  g_clear_pointer (&self->context, g_main_context_unref);
  cs_run_options_free (self->options);
  G_OBJECT_CLASS (cs_run_parent_class)->finalize (object);
}

static void
cs_run_class_init (CsRunClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->get_property = cs_run_get_property;
  object_class->finalize = cs_run_finalize;
  properties[PROP_STATE] = g_param_spec_uint ("state", NULL, NULL, CS_RUN_STATE_NEW, CS_RUN_STATE_ENDED,
                                              CS_RUN_STATE_NEW, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
cs_run_init (CsRun *self)
{
}

/**
 * cs_run_new:
 * @options: what is to be run; copied
 *
 * Returns: (transfer full): a run that has not begun
 */
CsRun *
cs_run_new (const CsRunOptions *options)
{
  CsRun *self = g_object_new (CS_TYPE_RUN, NULL);

  self->options = cs_run_options_copy (options);
  return self;
}

/**
 * cs_run_async:
 * @self: a run that has not begun
 * @cancellable: (nullable): does what cs_run_stop() does; may be cancelled in any thread
 * @callback: (scope async): called when the program has ended, or could not be started
 * @user_data: for @callback
 *
 * Runs a program with tracing on and waits for it. One that holds hooks but no runtime, itself or in a library
 * that it is linked with, gets the runtime preloaded. What needs files is done in another thread.
 *
 * What the program writes is taken from it piece by piece, and no faster than `output` takes it: a program that writes more waits.
 * Its end is that of the program itself; what others then still write to its output is lost.
 */
void
cs_run_async (CsRun *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) plan = NULL;
  GError *error = NULL;

  g_return_if_fail (CS_IS_RUN (self) && self->state == CS_RUN_STATE_NEW && self->options->folder != NULL);

  self->context = g_main_context_ref_thread_default ();
  self->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (self->task, cs_run_async);
  g_task_set_check_cancellable (self->task, FALSE);
  self->result = g_new0 (CsRunResult, 1);
  if (self->options->input == CS_RUN_INPUT_PIPE)
    self->writer = cs_run_writer_new (self->context);
  set_state (self, CS_RUN_STATE_STARTING);
  if (!cs_run_options_check (self->options, &error))
    {
      end (self, error);
      return;
    }
  if (cancellable != NULL)
    {
      self->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (self->cancelled, G_SOURCE_FUNC (on_cancelled), self, NULL);
      g_source_attach (self->cancelled, self->context);
    }
  plan = g_task_new (self, NULL, on_planned, NULL);
  g_task_run_in_thread (plan, plan_in_thread);
}

/**
 * cs_run_finish:
 * @self: a run
 * @result: what the callback got
 * @error: where to say why the program did not run
 *
 * A program that crashed, or that was stopped, is no error: what it recorded until then stays.
 *
 * Returns: (transfer full) (nullable): how it ended, or %NULL with %CS_RUN_ERROR
 */
CsRunResult *
cs_run_finish (CsRun *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cs_run_get_state:
 * @self: a run
 *
 * Returns: how far it is
 */
CsRunState
cs_run_get_state (CsRun *self)
{
  return self->state;
}

/**
 * cs_run_get_pid:
 * @self: a run
 *
 * Returns: the process id of the program; 0 before it is started and after its end
 */
int
cs_run_get_pid (CsRun *self)
{
  return self->exited ? 0 : self->pid;
}

/**
 * cs_run_get_elapsed_us:
 * @self: a run
 *
 * Returns: µs since the program was started; after its end, how long it ran
 */
gint64
cs_run_get_elapsed_us (CsRun *self)
{
  if (self->process == NULL)
    return 0;
  return self->exited ? self->elapsed_us : g_get_monotonic_time () - self->start_us;
}

/**
 * cs_run_stop:
 * @self: a run
 *
 * Asks the program to end, with SIGTERM; when it is still there after the grace time, it is killed. Unless it shares
 * our input, both reach the whole process group: all that it started, if it didn't leave the group. Before it was started, it is not started. Does
 * nothing a second time, or after the end. Call it in the thread that called cs_run_async().
 */
void
cs_run_stop (CsRun *self)
{
  if (self->task == NULL || self->exited || self->result->timed_out || self->result->stopped)
    return;
  self->result->stopped = TRUE;
  if (self->process != NULL)
    stop (self);
}

/**
 * cs_run_kill:
 * @self: a run
 *
 * Ends the program with SIGKILL at once, as cs_run_stop() does at last.
 */
void
cs_run_kill (CsRun *self)
{
  cs_run_stop (self);
  if (self->task != NULL && self->state == CS_RUN_STATE_STOPPING && !self->result->killed)
    on_grace_over (self);
}

/**
 * cs_run_write_input:
 * @self: a run with %CS_RUN_INPUT_PIPE
 * @bytes: what the program is to read: a line with its newline, say
 * @size: how many bytes
 * @error: where to say why it doesn't get them
 *
 * What the program doesn't read yet is kept, up to 1 MiB.
 *
 * Returns: whether it is taken; on error %FALSE with %CS_RUN_ERROR_INPUT
 */
gboolean
cs_run_write_input (CsRun *self, const char *bytes, gsize size, GError **error)
{
  if (self->writer != NULL && !self->exited)
    return cs_run_writer_push (self->writer, bytes, size, error);
  g_set_error_literal (error, CS_RUN_ERROR, CS_RUN_ERROR_INPUT,
                       self->task != NULL && !self->exited ? "the program was started without input"
                                                           : "the program doesn't run");
  return FALSE;
}

/**
 * cs_run_close_input:
 * @self: a run with %CS_RUN_INPUT_PIPE
 *
 * Tells the program that there will be no more input, after what was written.
 */
void
cs_run_close_input (CsRun *self)
{
  if (self->writer != NULL)
    cs_run_writer_end (self->writer);
}

/**
 * cs_run_result_describe:
 * @self: how a program ended
 *
 * Returns: (transfer full): that in words that go on after its name: "exited with status 3"
 */
char *
cs_run_result_describe (const CsRunResult *self)
{
  g_autofree char *end = NULL;

  if (self->timed_out || self->stopped)
    end = g_strdup_printf ("was stopped%s%s", self->timed_out ? " at its time limit" : "",
                           self->killed ? ", and had to be killed" : "");
  else if (self->signal != 0)
    end = g_strdup_printf ("was ended by signal %d (%s)", self->signal, g_strsignal (self->signal));
  else
    end = g_strdup_printf ("exited with status %d", self->exit_status);
  return g_strconcat (end, self->left_running ? "; what it started goes on" : "", NULL);
}

/**
 * cs_run_result_free:
 * @self: (transfer full): how a program ended
 */
void
cs_run_result_free (CsRunResult *self)
{
  g_free (self->binary);
  g_free (self);
}
