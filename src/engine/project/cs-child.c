/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gfiledescriptorbased.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "project/cs-child.h"

/* What doesn't end after SIGTERM is killed after so many ms more. */
#define GRACE_MS 5000
/* Between two looks whether a child is gone that left its pipes to others. */
#define LOOK_MS 100

/* A group of its own, so that all that it starts can be ended with it. */
static void
make_group (gpointer data)
{
  setpgid (0, 0);
}

static gboolean
is_gone (GSubprocess *process)
{
  return g_subprocess_get_identifier (process) == NULL;
}

static int
get_descriptor (GInputStream *stream)
{
  return stream != NULL ? g_file_descriptor_based_get_fd (G_FILE_DESCRIPTOR_BASED (stream)) : -1;
}

/* The pipes of a child, and what wakes a wait for them. */
typedef struct
{
  GPollFD fds[3]; /* output, errors, cancellable; -1: at its end, or none */
  int left[2];    /* bytes that are still read; negative: all */
  const CsChildOptions *options;
} Pipes;

static void
pipes_init (Pipes *self, GSubprocess *process, const CsChildOptions *options)
{
  *self = (Pipes){ .fds = { { .fd = get_descriptor (g_subprocess_get_stdout_pipe (process)), .events = G_IO_IN },
                            { .fd = get_descriptor (g_subprocess_get_stderr_pipe (process)), .events = G_IO_IN },
                            { .fd = -1 } },
                   .left = { -1, -1 },
                   .options = options };
}

/* The child is gone: what is in its pipes now is all that it wrote. */
static void
pipes_finish (Pipes *self)
{
  for (guint i = 0; i < 2; i++)
    if (self->left[i] < 0 && self->fds[i].fd >= 0 && ioctl (self->fds[i].fd, FIONREAD, &self->left[i]) != 0)
      self->left[i] = 0;
}

/* Hands on what comes until then. */
static void
pipes_read (Pipes *self, int timeout_ms)
{
  char buffer[16384];

  if (g_poll (self->fds, G_N_ELEMENTS (self->fds), timeout_ms) <= 0)
    return;
  for (guint i = 0; i < 2; i++)
    {
      gsize most = self->left[i] >= 0 ? MIN ((gsize) self->left[i], sizeof buffer) : sizeof buffer;
      gssize n = self->fds[i].fd >= 0 && self->fds[i].revents != 0 ? read (self->fds[i].fd, buffer, most) : -1;

      if (n > 0)
        self->options->output (buffer, (gsize) n, i == 1, self->options->user_data);
      if (n > 0 && self->left[i] > 0)
        self->left[i] -= (int) n;
      if (n == 0)
        self->fds[i].fd = -1;
      self->fds[i].revents = 0;
    }
}

static gboolean
is_open (const Pipes *self, guint i)
{
  return self->fds[i].fd >= 0 && self->left[i] != 0;
}

/* Ends a child and what it started. It may have to say something before it can end. */
static void
stop (GSubprocess *process, pid_t group, Pipes *pipes)
{
  gint64 deadline = g_get_monotonic_time () + GRACE_MS * 1000;

  kill (-group, SIGTERM);
  while (g_get_monotonic_time () < deadline && !is_gone (process))
    pipes_read (pipes, 20);
  kill (-group, SIGKILL);
  g_subprocess_wait (process, NULL, NULL);
  pipes_finish (pipes);
  while (is_open (pipes, 0) || is_open (pipes, 1))
    pipes_read (pipes, LOOK_MS);
}

/* Hands on what comes until both pipes are closed, or the child is gone and others hold them open. */
static gboolean
read_pipes (GSubprocess *process, Pipes *pipes, GCancellable *cancellable, GError **error)
{
  gboolean can_cancel = cancellable != NULL && g_cancellable_make_pollfd (cancellable, &pipes->fds[2]);

  while (is_open (pipes, 0) || is_open (pipes, 1))
    {
      if (g_cancellable_is_cancelled (cancellable))
        break;
      if (is_gone (process))
        pipes_finish (pipes);
      pipes_read (pipes, LOOK_MS);
    }
  if (can_cancel)
    g_cancellable_release_fd (cancellable);
  pipes->fds[2].fd = -1;
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static GSubprocess *
spawn (const CsChildOptions *options, GError **error)
{
  GSubprocessFlags pipes = G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE;
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (options->output != NULL ? pipes : G_SUBPROCESS_FLAGS_NONE);

  if (options->folder != NULL)
    g_subprocess_launcher_set_cwd (launcher, options->folder);
  if (options->environment != NULL)
    g_subprocess_launcher_set_environ (launcher, (char **) options->environment);
  g_subprocess_launcher_set_child_setup (launcher, make_group, NULL, NULL);
  return g_subprocess_launcher_spawnv (launcher, options->command, error);
}

/**
 * cs_child_run:
 * @options: what to run; its standard input is empty
 * @status: (out): its exit status, or 128 and the number of the signal that ended it
 * @cancellable: (nullable): to end it, and what it started, with SIGTERM
 * @error: where to say why it could not be started, or that it was cancelled
 *
 * Runs a program and waits for it. May be called in any thread; what it writes is handed on in the caller's. What is left of it when it
 * has ended, and still writes, is not waited for.
 *
 * Returns: whether it ended by itself
 */
gboolean
cs_child_run (const CsChildOptions *options, int *status, GCancellable *cancellable, GError **error)
{
  g_autoptr (GSubprocess) process = NULL;
  Pipes pipes;
  pid_t group;

  if (g_cancellable_set_error_if_cancelled (cancellable, error) || (process = spawn (options, error)) == NULL)
    return FALSE;
  group = (pid_t) g_ascii_strtoll (g_subprocess_get_identifier (process) != NULL
                                       ? g_subprocess_get_identifier (process)
                                       : "0", NULL, 10);
  pipes_init (&pipes, process, options);
  if ((options->output != NULL && !read_pipes (process, &pipes, cancellable, error)) ||
      !g_subprocess_wait (process, cancellable, error))
    {
      if (group > 1)
        stop (process, group, &pipes);
      return FALSE;
    }
  *status = g_subprocess_get_if_exited (process) ? g_subprocess_get_exit_status (process)
                                                 : 128 + g_subprocess_get_term_sig (process);
  return TRUE;
}

typedef struct
{
  GString *out, *errors;
} Answer;

static void
keep_answer (const char *bytes, gsize size, gboolean is_error, gpointer user_data)
{
  Answer *answer = user_data;

  g_string_append_len (is_error ? answer->errors : answer->out, bytes, (gssize) size);
}

/**
 * cs_child_ask:
 * @command: program and arguments
 * @folder: (nullable): working directory
 * @environment: (nullable): as from g_get_environ()
 * @cancellable: (nullable): to give up early
 * @error: where to say why there is no answer
 *
 * Returns: (transfer full) (nullable): what it wrote to standard output, if its exit status was 0
 */
char *
cs_child_ask (const char *const *command, const char *folder, const char *const *environment,
              GCancellable *cancellable, GError **error)
{
  Answer answer = { g_string_new (NULL), g_string_new (NULL) };
  const CsChildOptions options = { .command = command, .folder = folder, .environment = environment,
                                   .output = keep_answer, .user_data = &answer };
  int status = 0;
  gboolean ended = cs_child_run (&options, &status, cancellable, error);
  g_autofree char *errors = g_string_free (answer.errors, FALSE);
  g_autofree char *out = g_string_free (answer.out, FALSE);

  if (ended && status != 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s failed with status %d: %s", command[0], status,
                 g_strchomp (errors));
  return ended && status == 0 ? g_steal_pointer (&out) : NULL;
}
