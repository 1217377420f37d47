/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <gio/gfiledescriptorbased.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "project/cs-child.h"

/* What doesn't end after SIGTERM is killed after so many ms more. */
#define GRACE_MS 5000

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

/* Ends a child and what it started. */
static void
stop (GSubprocess *process, pid_t group)
{
  kill (-group, SIGTERM);
  for (guint waited = 0; waited < GRACE_MS && !is_gone (process); waited += 20)
    g_usleep (20 * 1000);
  kill (-group, SIGKILL);
  g_subprocess_wait (process, NULL, NULL);
}

static int
get_descriptor (GInputStream *stream)
{
  return stream != NULL ? g_file_descriptor_based_get_fd (G_FILE_DESCRIPTOR_BASED (stream)) : -1;
}

/* Hands on what comes until both pipes are closed. */
static gboolean
read_pipes (GSubprocess *process, const CsChildOptions *options, GCancellable *cancellable, GError **error)
{
  GPollFD fds[3] = { { .fd = get_descriptor (g_subprocess_get_stdout_pipe (process)), .events = G_IO_IN },
                     { .fd = get_descriptor (g_subprocess_get_stderr_pipe (process)), .events = G_IO_IN },
                     { .fd = -1 } };
  gboolean can_cancel = cancellable != NULL && g_cancellable_make_pollfd (cancellable, &fds[2]);
  char buffer[16384];

  while (fds[0].fd >= 0 || fds[1].fd >= 0)
    {
      if (g_cancellable_is_cancelled (cancellable) || (g_poll (fds, can_cancel ? 3 : 2, -1) < 0 && errno != EINTR))
        break;
      for (guint i = 0; i < 2; i++)
        {
          gssize n = fds[i].fd >= 0 && fds[i].revents != 0 ? read (fds[i].fd, buffer, sizeof buffer) : -1;

          if (n > 0)
            options->output (buffer, (gsize) n, i == 1, options->user_data);
          else if (n == 0)
            fds[i].fd = -1;
          fds[i].revents = 0;
        }
    }
  if (can_cancel)
    g_cancellable_release_fd (cancellable);
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
 * Runs a program and waits for it. May be called in any thread; what it writes is handed on in the caller's.
 *
 * Returns: whether it ended by itself
 */
gboolean
cs_child_run (const CsChildOptions *options, int *status, GCancellable *cancellable, GError **error)
{
  g_autoptr (GSubprocess) process = NULL;
  pid_t group;

  if (g_cancellable_set_error_if_cancelled (cancellable, error) || (process = spawn (options, error)) == NULL)
    return FALSE;
  group = (pid_t) g_ascii_strtoll (g_subprocess_get_identifier (process) != NULL
                                       ? g_subprocess_get_identifier (process)
                                       : "0", NULL, 10);
  if ((options->output != NULL && !read_pipes (process, options, cancellable, error)) ||
      !g_subprocess_wait (process, cancellable, error))
    {
      if (group > 1)
        stop (process, group);
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
