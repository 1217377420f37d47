/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/cs-io.h"
#include "capture/cs-recording.h"
#include "project/cs-preload.h"
#include "project/cs-run-private.h"

/**
 * cs_run_options_copy:
 * @options: what is to be run
 *
 * Returns: (transfer full): the same, with texts of its own
 */
CsRunOptions *
cs_run_options_copy (const CsRunOptions *options)
{
  CsRunOptions *self = g_memdup2 (options, sizeof *options);

  self->command = (const char *const *) g_strdupv ((char **) options->command);
  self->environment = (const char *const *) g_strdupv ((char **) options->environment);
  self->folder = g_strdup (options->folder);
  self->working_folder = g_strdup (options->working_folder);
  self->threads = g_strdup (options->threads);
  self->clock = g_strdup (options->clock);
  self->full = g_strdup (options->full);
  self->mode = g_strdup (options->mode);
  self->format = g_strdup (options->format);
  return self;
}

/**
 * cs_run_options_free:
 * @self: (transfer full): a copy
 */
void
cs_run_options_free (CsRunOptions *self)
{
  const char *const texts[] = { self->folder, self->working_folder, self->threads, self->clock, self->full,
                                self->mode, self->format };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free ((char *) texts[i]);
  g_strfreev ((char **) self->command);
  g_strfreev ((char **) self->environment);
  g_free (self);
}

static gboolean
check_word (const char *what, const char *word, const char *const *words, GError **error)
{
  g_autofree char *list = NULL;

  if (word == NULL || g_strv_contains (words, word))
    return TRUE;
  list = g_strjoinv (", ", (char **) words);
  g_set_error (error, CS_RUN_ERROR, CS_RUN_ERROR_OPTION, "%s “%s”: no such thing — use one of %s", what, word, list);
  return FALSE;
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
  if (options->command == NULL || options->command[0] == NULL || *options->command[0] == '\0')
    {
      g_set_error_literal (error, CS_RUN_ERROR, CS_RUN_ERROR_OPTION,
                           "no program is named — name the one that the build made");
      return FALSE;
    }
  for (guint i = 0; options->environment != NULL && options->environment[i] != NULL; i++)
    if (strchr (options->environment[i], '=') == NULL || options->environment[i][0] == '=')
      {
        g_set_error (error, CS_RUN_ERROR, CS_RUN_ERROR_OPTION,
                     "environment “%s”: it isn't NAME=VALUE — write it so", options->environment[i]);
        return FALSE;
      }
  return check_word ("clock", options->clock, (const char *const[]){ "auto", "mono", "raw", "tsc", NULL }, error) &&
         check_word ("full", options->full, (const char *const[]){ "stop", "wrap", NULL }, error) &&
         check_word ("mode", options->mode, (const char *const[]){ "events", "summary", NULL }, error) &&
         check_word ("format", options->format, (const char *const[]){ "records", "packed", NULL }, error);
}

/* The file that a command names, looked for as execvp() does. */
static char *
find_binary (const char *name, const char *working_folder, GError **error)
{
  g_autofree char *path = NULL;
  struct stat st;

  if (strchr (name, '/') == NULL)
    path = g_find_program_in_path (name);
  else if (working_folder != NULL && !g_path_is_absolute (name))
    path = g_build_filename (working_folder, name, NULL);
  else
    path = g_strdup (name);

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
check_working_folder (const char *folder, GError **error)
{
  struct stat st;
  int number = 0;

  if (folder == NULL)
    return TRUE;
  if (stat (folder, &st) != 0)
    number = errno;
  else if (!S_ISDIR (st.st_mode))
    number = ENOTDIR;
  else if (access (folder, X_OK) != 0)
    number = errno;
  if (number != 0)
    g_set_error (error, CS_RUN_ERROR, CS_RUN_ERROR_START,
                 "%s: can't be the working folder (%s) — name another one", folder, g_strerror (number));
  return number == 0;
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

static void
set_text (char ***environment, const char *variable, const char *value)
{
  if (value != NULL)
    *environment = g_environ_setenv (*environment, variable, value, TRUE);
}

static void
set_number (char ***environment, const char *variable, guint64 value)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, value);

  set_text (environment, variable, text);
}

/* Lends the runtime to a program that holds hooks without one. */
static void
preload_runtime (CsRunPlan *self, const CsRunOptions *options)
{
  g_autofree char *library = NULL;
  g_autofree char *all = NULL;
  const char *others = g_environ_getenv (self->environment, "LD_PRELOAD");
  gboolean needed = !options->preload && cs_preload_is_needed (self->binary);

  if (needed || options->preload)
    library = cs_preload_find_library ();
  if (needed)
    self->sentence =
      g_strdup_printf ("%s has hooks, itself or in a library, but no runtime is linked: %s — link it through callsight-cc, "
                       "or with trace.c", self->binary, library != NULL ? "it is lent Callsight's" : "nothing is recorded");
  if (library == NULL)
    return;
  all = others != NULL && *others != '\0' ? g_strconcat (library, ":", others, NULL) : g_strdup (library);
  set_text (&self->environment, "LD_PRELOAD", all);
}

/* Whether the program is to begin switched off, as its runtime understands the environment. */
static gboolean
begins_switched_off (char **environment)
{
  static const char *const words[] = { "0", "no", "false", "off", "NO", "FALSE", "OFF", NULL };
  static const char *const switches[] = { "TRACE_SIGNAL", "TRACE_CONTROL" };
  const char *enable = g_environ_getenv (environment, "TRACE_ENABLE");

  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      const char *text = g_environ_getenv (environment, switches[i]);

      if (text != NULL && *text != '\0' && enable != NULL && g_strv_contains (words, enable))
        return TRUE;
    }
  return FALSE;
}

/**
 * cs_run_options_dup_environment:
 * @options: what is to be run, checked
 *
 * Returns: (transfer full) (array zero-terminated=1): the environment that the program gets, but for a library that it may be lent
 */
char **
cs_run_options_dup_environment (const CsRunOptions *options)
{
  g_autofree char *folder = options->folder != NULL ? g_canonicalize_filename (options->folder, NULL) : NULL;
  char **environment = g_get_environ ();

  for (guint i = 0; options->environment != NULL && options->environment[i] != NULL; i++)
    {
      const char *equals = strchr (options->environment[i], '=');
      g_autofree char *name = equals != NULL ? g_strndup (options->environment[i], (gsize) (equals - options->environment[i]))
                                             : NULL;

      if (name != NULL)
        set_text (&environment, name, equals + 1);
    }
  if (!begins_switched_off (environment))
    set_text (&environment, "TRACE_ENABLE", "1");
  set_text (&environment, "TRACE_DIR", folder);
  set_text (&environment, "TRACE_THREADS", options->threads);
  set_text (&environment, "TRACE_CLOCK", options->clock);
  set_text (&environment, "TRACE_FULL", options->full);
  set_text (&environment, "TRACE_MODE", options->mode);
  set_text (&environment, "TRACE_FORMAT", options->format);
  if (g_environ_getenv (environment, "TRACE_FORMAT") == NULL)
    set_text (&environment, "TRACE_FORMAT", "packed");
  if (options->max_events > 0)
    set_number (&environment, "TRACE_MAX", options->max_events);
  if (options->max_mb >= 0)
    set_number (&environment, "TRACE_MAX_MB", (guint64) options->max_mb);
  return environment;
}

/**
 * cs_run_plan_new:
 * @options: what is to be run, checked
 * @error: where to say why it can't be
 *
 * Looks for the program and whether it needs the runtime lent, and empties the trace directory. May take a while; may
 * be called in any thread.
 *
 * Returns: (transfer full) (nullable): what is needed to start it; on error %NULL with %CS_RUN_ERROR or an error of the recording
 */
CsRunPlan *
cs_run_plan_new (const CsRunOptions *options, GError **error)
{
  g_autoptr (CsRunPlan) self = g_new0 (CsRunPlan, 1);

  if (!check_working_folder (options->working_folder, error))
    return NULL;
  self->binary = find_binary (options->command[0], options->working_folder, error);
  if (self->binary == NULL || !prepare_folder (options, error))
    return NULL;
  self->environment = cs_run_options_dup_environment (options);
  preload_runtime (self, options);
  return g_steal_pointer (&self);
}

/* A session of its own is a process group, too, and has no terminal: a read from that would stop the program.
 * Its number is told through a pipe: GSubprocess forgets that of a program which is gone. */
static void
leave_session (gpointer data)
{
  pid_t pid = setsid ();

  if (write (GPOINTER_TO_INT (data), &pid, sizeof pid) < 0)
    return;
}

static GSubprocess *
spawn_apart (GSubprocessLauncher *launcher, const CsRunOptions *options, pid_t *pid, GError **error)
{
  cs_autofd from = -1;
  cs_autofd to = -1;
  GSubprocess *process;
  int ends[2];

  if (!g_unix_open_pipe (ends, FD_CLOEXEC, error))
    return NULL;
  from = ends[0];
  to = ends[1];
  g_subprocess_launcher_set_child_setup (launcher, leave_session, GINT_TO_POINTER (to), NULL);
  process = g_subprocess_launcher_spawnv (launcher, options->command, error);
  close (to);
  to = -1;
  if (process != NULL && read (from, pid, sizeof *pid) != sizeof *pid)
    *pid = 0;
  return process;
}

/**
 * cs_run_plan_spawn:
 * @self: a plan
 * @options: what it was made of
 * @pid: (out): its process id; 0: it is gone already
 * @error: where to say why it could not be started
 *
 * Returns: (transfer full) (nullable): the program; on error %NULL with %CS_RUN_ERROR_START
 */
GSubprocess *
cs_run_plan_spawn (const CsRunPlan *self, const CsRunOptions *options, pid_t *pid, GError **error)
{
  static const GSubprocessFlags inputs[] = { [CS_RUN_INPUT_INHERIT] = G_SUBPROCESS_FLAGS_STDIN_INHERIT,
                                             [CS_RUN_INPUT_NONE] = G_SUBPROCESS_FLAGS_NONE,
                                             [CS_RUN_INPUT_PIPE] = G_SUBPROCESS_FLAGS_STDIN_PIPE };
  GSubprocessFlags flags = inputs[options->input];
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GError) local = NULL;
  GSubprocess *process;

  if (options->output != NULL)
    flags |= G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE;
  launcher = g_subprocess_launcher_new (flags);
  g_subprocess_launcher_set_environ (launcher, self->environment);
  if (options->working_folder != NULL)
    g_subprocess_launcher_set_cwd (launcher, options->working_folder);
  process = options->input != CS_RUN_INPUT_INHERIT
                ? spawn_apart (launcher, options, pid, &local)
                : g_subprocess_launcher_spawnv (launcher, options->command, &local);
  if (process != NULL && options->input == CS_RUN_INPUT_INHERIT)
    {
      const char *identifier = g_subprocess_get_identifier (process);

      *pid = identifier != NULL ? (pid_t) g_ascii_strtoll (identifier, NULL, 10) : 0;
    }
  if (process == NULL)
    g_set_error (error, CS_RUN_ERROR, CS_RUN_ERROR_START, "%s: could not be started: %s", self->binary,
                 local->message);
  return process;
}

/**
 * cs_run_plan_free:
 * @self: (transfer full): a plan
 */
void
cs_run_plan_free (CsRunPlan *self)
{
  g_free (self->binary);
  g_strfreev (self->environment);
  g_free (self->sentence);
  g_free (self);
}
