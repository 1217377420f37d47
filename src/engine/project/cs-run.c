/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/cs-recording.h"
#include "project/cs-preload.h"
#include "project/cs-run.h"

/* A program that doesn't end after SIGTERM is killed after so many seconds more. */
#define GRACE_S 10

G_DEFINE_QUARK (cs-run-error-quark, cs_run_error)

struct _CsRun
{
  GObject parent_instance;
  CsRunOptions options;
};

enum
{
  PROP_STATE = 1,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (CsRun, cs_run, G_TYPE_OBJECT)

typedef struct
{
  GSubprocess *process;
  CsRunResult *result;
  GSource *timer;
  GCancellable *cancellable; /* (nullable) */
  gulong cancelled_id;
} Run;

static void
clear_timer (Run *run)
{
  if (run->timer != NULL)
    {
      g_source_destroy (run->timer);
      g_clear_pointer (&run->timer, g_source_unref);
    }
}

static void
run_free (gpointer data)
{
  Run *run = data;

  clear_timer (run);
  if (run->cancelled_id != 0)
    g_cancellable_disconnect (run->cancellable, run->cancelled_id);
  g_clear_object (&run->cancellable);
  g_clear_object (&run->process);
  g_clear_pointer (&run->result, cs_run_result_free);
  g_free (run);
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

/* The file that a command names, looked for as execvp() does. */
static char *
find_binary (const char *name, GError **error)
{
  g_autofree char *path = strchr (name, '/') != NULL ? g_strdup (name) : g_find_program_in_path (name);
  struct stat st;

  if (path == NULL)
    g_set_error (error, CS_RUN_ERROR, CS_RUN_ERROR_START,
                 "%s: there is no such program in PATH — give its path, as in ./%s", name, name);
  else if (stat (path, &st) != 0)
    g_set_error (error, CS_RUN_ERROR, CS_RUN_ERROR_START, "%s: can't be started (%s) — is it built?", path,
                 g_strerror (errno));
  else if (S_ISDIR (st.st_mode))
    g_set_error (error, CS_RUN_ERROR, CS_RUN_ERROR_START, "%s: is a folder, not a program", path);
  else if (access (path, X_OK) != 0)
    g_set_error (error, CS_RUN_ERROR, CS_RUN_ERROR_START, "%s: can't be started (%s) — try chmod +x", path,
                 g_strerror (errno));
  else
    return g_steal_pointer (&path);
  return NULL;
}

static gboolean
prepare_folder (const CsRunOptions *options, GError **error)
{
  if (g_mkdir_with_parents (options->folder, 0700) != 0)
    {
      g_set_error (error, CS_RUN_ERROR, CS_RUN_ERROR_FOLDER,
                   "%s: can't be made (%s) — name another trace directory with --dir", options->folder,
                   g_strerror (errno));
      return FALSE;
    }
  return options->keep || cs_recording_clear_folder (options->folder, error) != G_MAXUINT;
}

static gboolean
on_grace_over (gpointer data)
{
  Run *run = data;

  g_subprocess_force_exit (run->process);
  g_clear_pointer (&run->timer, g_source_unref);
  return G_SOURCE_REMOVE;
}

static void
start_timer (Run *run, guint seconds, GSourceFunc function)
{
  clear_timer (run);
  run->timer = g_timeout_source_new (MIN (seconds, G_MAXUINT / 1000) * 1000);
  g_source_set_callback (run->timer, function, run, NULL);
  g_source_attach (run->timer, g_main_context_get_thread_default ());
}

static void
stop (Run *run)
{
  g_subprocess_send_signal (run->process, SIGTERM);
  start_timer (run, GRACE_S, on_grace_over);
}

static gboolean
on_timeout (gpointer data)
{
  Run *run = data;

  run->result->timed_out = TRUE;
  stop (run);
  return G_SOURCE_REMOVE;
}

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  stop (data);
}

static void
on_ended (GObject *object, GAsyncResult *async_result, gpointer user_data)
{
  GSubprocess *process = G_SUBPROCESS (object);
  g_autoptr (GTask) task = user_data;
  Run *run = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  clear_timer (run);
  if (!g_subprocess_wait_finish (process, async_result, &error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  run->result->exit_status = -1;
  if (g_subprocess_get_if_exited (process))
    run->result->exit_status = g_subprocess_get_exit_status (process);
  else
    run->result->signal = g_subprocess_get_term_sig (process);
  g_task_return_pointer (task, g_steal_pointer (&run->result), (GDestroyNotify) cs_run_result_free);
}

static void
set_text (GSubprocessLauncher *launcher, const char *variable, const char *value)
{
  if (value != NULL)
    g_subprocess_launcher_setenv (launcher, variable, value, TRUE);
}

static void
set_number (GSubprocessLauncher *launcher, const char *variable, guint64 value)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, value);

  set_text (launcher, variable, text);
}

/* Lends the runtime to a program that holds hooks without one. */
static void
preload_runtime (GSubprocessLauncher *launcher, const CsRunOptions *options, const char *binary)
{
  g_autofree char *library = NULL;
  g_autofree char *all = NULL;
  const char *others = g_getenv ("LD_PRELOAD");
  gboolean needed = !options->preload && cs_preload_is_needed (binary);

  if (needed || options->preload)
    library = cs_preload_find_library ();
  if (needed && options->tell != NULL)
    {
      g_autofree char *sentence =
        g_strdup_printf ("%s has hooks, itself or in a library, but no runtime is linked: %s — link it through callsight-cc, "
                         "or with trace.c", binary, library != NULL ? "it is lent Callsight's" : "nothing is recorded");

      options->tell (sentence, options->user_data);
    }
  if (library == NULL)
    return;
  all = others != NULL && *others != '\0' ? g_strconcat (library, ":", others, NULL) : g_strdup (library);
  set_text (launcher, "LD_PRELOAD", all);
}

/* Whether the program is to begin switched off, as its runtime understands the environment. */
static gboolean
begins_switched_off (void)
{
  static const char *const words[] = { "0", "no", "false", "off", "NO", "FALSE", "OFF", NULL };
  static const char *const switches[] = { "TRACE_SIGNAL", "TRACE_CONTROL" };
  const char *enable = g_getenv ("TRACE_ENABLE");

  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      const char *text = g_getenv (switches[i]);

      if (text != NULL && *text != '\0' && enable != NULL && g_strv_contains (words, enable))
        return TRUE;
    }
  return FALSE;
}

static GSubprocess *
spawn (const CsRunOptions *options, const char *binary, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_INHERIT);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *folder = g_canonicalize_filename (options->folder, NULL);
  g_autoptr (GError) local = NULL;
  GSubprocess *process;

  if (!begins_switched_off ())
    g_subprocess_launcher_setenv (launcher, "TRACE_ENABLE", "1", TRUE);
  g_subprocess_launcher_setenv (launcher, "TRACE_DIR", folder, TRUE);
  set_text (launcher, "TRACE_THREADS", options->threads);
  set_text (launcher, "TRACE_CLOCK", options->clock);
  set_text (launcher, "TRACE_FULL", options->full);
  set_text (launcher, "TRACE_MODE", options->mode);
  set_text (launcher, "TRACE_FORMAT", options->format != NULL ? options->format : g_getenv ("TRACE_FORMAT") != NULL ? NULL : "packed");
  if (options->max_events > 0)
    set_number (launcher, "TRACE_MAX", options->max_events);
  if (options->max_mb >= 0)
    set_number (launcher, "TRACE_MAX_MB", (guint64) options->max_mb);

  preload_runtime (launcher, options, binary);

  for (guint i = 0; options->command[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) options->command[i]);
  g_ptr_array_add (argv, NULL);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &local);
  if (process == NULL)
    g_set_error (error, CS_RUN_ERROR, CS_RUN_ERROR_START, "%s: could not be started: %s", binary,
                 local->message);
  return process;
}

static void
cs_run_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_uint (value, CS_RUN_STATE_NEW);
}

static void
cs_run_class_init (CsRunClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->get_property = cs_run_get_property;
  properties[PROP_STATE] = g_param_spec_uint ("state", NULL, NULL, CS_RUN_STATE_NEW, CS_RUN_STATE_ENDED,
                                              CS_RUN_STATE_NEW, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
cs_run_init (CsRun *self)
{
}

/**
 * cs_run_options_check:
 * @options: what is to be run
 * @error: where to say which setting isn't one, and what to use
 *
 * Looks at the settings by themselves, not at files.
 *
 * Returns: whether they can be used; on error %FALSE with %CS_RUN_ERROR_OPTION
 */
gboolean
cs_run_options_check (const CsRunOptions *options, GError **error)
{
  return TRUE;
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

  self->options = *options;
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
  const CsRunOptions *options = &self->options;
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autoptr (GError) error = NULL;
  Run *run = g_new0 (Run, 1);

  g_task_set_source_tag (task, cs_run_async);
  g_task_set_task_data (task, run, run_free);
  g_task_set_check_cancellable (task, FALSE);
  run->result = g_new0 (CsRunResult, 1);
  run->result->binary = find_binary (options->command[0], &error);
  if (run->result->binary == NULL || !prepare_folder (options, &error) ||
      (run->process = spawn (options, run->result->binary, &error)) == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (options->timeout_s > 0)
    start_timer (run, options->timeout_s, on_timeout);
  if (cancellable != NULL)
    {
      run->cancellable = g_object_ref (cancellable);
      run->cancelled_id = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), run, NULL);
    }
  g_subprocess_wait_async (run->process, NULL, on_ended, g_object_ref (task));
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
  return CS_RUN_STATE_NEW;
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
  return 0;
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
  return 0;
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
  return g_strdup ("ended");
}
