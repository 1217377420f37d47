/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "project/cs-run.h"

/* Programs are lines for a shell. What they write says what they are. */
typedef struct
{
  CsRunOptions options;
  const char *command[4];
  char *folder;
  CsRun *run;
  GString *out, *errors;
  gboolean keep;        /* what comes */
  guint64 bytes;
  gsize most;           /* bytes of the largest piece */
  guint pieces;         /* since somebody set it to 0 */
  GAsyncResult *answer; /* NULL: it has not ended */
  CsRunResult *result;
  GError *error;
} Fixture;

static void
take_output (const char *bytes, gsize size, gboolean is_error, gpointer data)
{
  Fixture *self = data;

  g_assert_null (self->answer);
  if (self->keep)
    g_string_append_len (is_error ? self->errors : self->out, bytes, (gssize) size);
  self->bytes += size;
  self->most = MAX (self->most, size);
  self->pieces++;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("callsight-run-XXXXXX", NULL);
  self->out = g_string_new (NULL);
  self->errors = g_string_new (NULL);
  self->keep = TRUE;
  self->command[0] = "/bin/sh";
  self->command[1] = "-c";
  self->options = (CsRunOptions){ .command = self->command, .folder = self->folder, .max_mb = -1,
                                  .input = CS_RUN_INPUT_NONE, .output = take_output, .user_data = self };
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_string_free (self->out, TRUE);
  g_string_free (self->errors, TRUE);
  g_clear_object (&self->answer);
  g_clear_pointer (&self->result, cs_run_result_free);
  g_clear_error (&self->error);
  g_assert_finalize_object (self->run);
}

static void
on_end (GObject *object, GAsyncResult *result, gpointer data)
{
  Fixture *self = data;

  self->answer = g_object_ref (result);
}

static void
begin (Fixture *self, const char *line, GCancellable *cancellable)
{
  if (self->command[2] == NULL && g_str_equal (self->command[1], "-c"))
    self->command[2] = line;
  self->run = cs_run_new (&self->options);
  g_assert_cmpint (cs_run_get_state (self->run), ==, CS_RUN_STATE_NEW);
  cs_run_async (self->run, cancellable, on_end, self);
}

static void
finish (Fixture *self)
{
  while (self->answer == NULL)
    g_main_context_iteration (NULL, TRUE);
  self->result = cs_run_finish (self->run, self->answer, &self->error);
  g_clear_object (&self->answer);
  g_assert_cmpint (cs_run_get_state (self->run), ==, CS_RUN_STATE_ENDED);
  g_assert_cmpint (cs_run_get_pid (self->run), ==, 0);
}

/* Until the program has written a line. */
static void
wait_for (Fixture *self, const char *line)
{
  while (strstr (self->out->str, line) == NULL)
    {
      g_assert_null (self->answer);
      g_main_context_iteration (NULL, TRUE);
    }
}

static gboolean
is_gone (int pid)
{
  for (guint i = 0; i < 500 && kill (pid, 0) == 0; i++)
    {
      g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
      g_autofree char *stat = NULL;

      /* Nobody may be there to take its status. */
      if (g_file_get_contents (path, &stat, NULL, NULL) && strstr (stat, ") Z ") != NULL)
        return TRUE;
      g_usleep (10000);
    }
  return kill (pid, 0) != 0;
}

/* The number after a word in what the program wrote. */
static int
find_number (Fixture *self, const char *word)
{
  const char *at = strstr (self->out->str, word);

  g_assert_nonnull (at);
  return (int) g_ascii_strtoll (at + strlen (word), NULL, 10);
}

static void
test_output (Fixture *self, gconstpointer data)
{
  begin (self, "printf 'one\\ntwo'; printf 'three' >&2; exit 7", NULL);
  finish (self);
  g_assert_no_error (self->error);
  g_assert_cmpstr (self->out->str, ==, "one\ntwo");
  g_assert_cmpstr (self->errors->str, ==, "three");
  g_assert_cmpstr (self->result->binary, ==, "/bin/sh");
  g_assert_cmpint (self->result->exit_status, ==, 7);
  g_assert_cmpint (self->result->signal, ==, 0);
  g_assert_false (self->result->stopped || self->result->timed_out || self->result->killed || self->result->left_running);
  g_assert_cmpint (self->result->elapsed_us, >, 0);
  g_assert_cmpint (cs_run_get_elapsed_us (self->run), ==, self->result->elapsed_us);
}

/* What a program writes right before its end comes whole, more than a piece of it too. */
static void
test_last_words (Fixture *self, gconstpointer data)
{
  begin (self, "head -c 200000 /dev/zero | tr '\\0' x; printf end", NULL);
  finish (self);
  g_assert_cmpuint (self->out->len, ==, 200003);
  g_assert_true (g_str_has_suffix (self->out->str, "xend"));
}

static guint64
get_peak (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (guint64) usage.ru_maxrss * 1024;
}

static void
test_flood (Fixture *self, gconstpointer data)
{
  guint64 bytes = 300000000;
  guint64 peak = get_peak ();

  self->keep = FALSE;
  begin (self, "head -c 150000000 /dev/zero & head -c 150000000 /dev/zero >&2; wait", NULL);
  while (self->answer == NULL)
    {
      self->pieces = 0;
      g_main_context_iteration (NULL, TRUE);
      g_assert_cmpuint (self->pieces, <=, 2); /* one a pipe */
    }
  finish (self);
  g_assert_cmpuint (self->bytes, ==, bytes);
  g_assert_cmpuint (self->most, <=, CS_RUN_OUTPUT_MOST);
  g_assert_cmpuint (get_peak () - peak, <, 16 << 20);
}

/* Something urgent always waits: as long as it does, nothing is read, and the program can't write on. */
static void
test_back_pressure (Fixture *self, gconstpointer data)
{
  begin (self, "exec 2>/dev/null; head -c 50000000 /dev/zero; printf end", NULL);
  while (self->bytes == 0)
    g_main_context_iteration (NULL, TRUE);
  g_usleep (300000);
  g_assert_cmpint (kill (cs_run_get_pid (self->run), 0), ==, 0);
  g_assert_cmpuint (self->bytes, <, 50000000);
  finish (self);
  g_assert_cmpuint (self->bytes, ==, 50000003);
  g_assert_cmpint (self->result->exit_status, ==, 0);
}

/* Thousands of short writes are few pieces. */
static void
test_short_writes (Fixture *self, gconstpointer data)
{
  begin (self, "i=0; while [ $i -lt 5000 ]; do echo $i; i=$((i+1)); done", NULL);
  finish (self);
  g_assert_true (g_str_has_suffix (self->out->str, "\n4999\n"));
  g_assert_cmpuint (self->pieces, <=, 3 + (guint) (self->result->elapsed_us / 10000)); /* a pause behind each */
}

static void
test_no_input (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  begin (self, "cat; echo end; sleep 0.1", NULL);
  wait_for (self, "end");
  g_assert_false (cs_run_write_input (self->run, "x\n", 2, &error));
  g_assert_error (error, CS_RUN_ERROR, CS_RUN_ERROR_INPUT);
  finish (self);
  g_assert_cmpstr (self->out->str, ==, "end\n");
}

static void
test_typed_input (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  self->options.input = CS_RUN_INPUT_PIPE;
  begin (self, "read first; echo \"first: $first\"; read second; echo \"second: $second\"; cat; echo end", NULL);
  g_assert_true (cs_run_write_input (self->run, "early\n", 6, NULL)); /* it isn't started yet */
  wait_for (self, "first: early\n");
  g_assert_true (cs_run_write_input (self->run, "lat", 3, NULL));
  g_assert_true (cs_run_write_input (self->run, "e\nrest", 6, NULL));
  wait_for (self, "second: late\n");
  cs_run_close_input (self->run);
  g_assert_false (cs_run_write_input (self->run, "x", 1, &error));
  g_assert_error (error, CS_RUN_ERROR, CS_RUN_ERROR_INPUT);
  finish (self);
  g_assert_true (g_str_has_suffix (self->out->str, "restend\n"));
  g_clear_error (&error);
  g_assert_false (cs_run_write_input (self->run, "x", 1, &error));
  g_assert_error (error, CS_RUN_ERROR, CS_RUN_ERROR_INPUT);
}

/* More than a pipe holds arrives in order; the end of input comes behind it. */
static void
test_much_input (Fixture *self, gconstpointer data)
{
  g_autofree char *text = g_malloc (1000000);

  memset (text, 'a', 999999);
  text[999999] = 'z';
  self->options.input = CS_RUN_INPUT_PIPE;
  begin (self, "sleep 0.1; cat", NULL);
  g_assert_true (cs_run_write_input (self->run, text, 1000000, NULL));
  cs_run_close_input (self->run);
  finish (self);
  g_assert_cmpuint (self->out->len, ==, 1000000);
  g_assert_cmpint (memcmp (self->out->str, text, 1000000), ==, 0);
}

static void
test_unread_input (Fixture *self, gconstpointer data)
{
  static const char block[100000];
  g_autoptr (GError) error = NULL;
  guint taken = 0;

  self->options.input = CS_RUN_INPUT_PIPE;
  begin (self, "echo up; sleep 100", NULL);
  wait_for (self, "up");
  while (taken < 100 && cs_run_write_input (self->run, block, sizeof block, &error))
    taken++;
  g_assert_error (error, CS_RUN_ERROR, CS_RUN_ERROR_INPUT);
  g_assert_cmpuint (taken, >=, 10);
  cs_run_stop (self->run);
  finish (self);
  g_assert_true (self->result->stopped);
}

/* A write to a program that closed its input ends nobody. */
static void
test_closed_input (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  self->options.input = CS_RUN_INPUT_PIPE;
  begin (self, "exec 0<&-; echo closed; sleep 100", NULL);
  wait_for (self, "closed");
  g_assert_true (cs_run_write_input (self->run, "x\n", 2, NULL));
  g_assert_false (cs_run_write_input (self->run, "x\n", 2, &error));
  g_assert_error (error, CS_RUN_ERROR, CS_RUN_ERROR_INPUT);
  cs_run_close_input (self->run);
  cs_run_stop (self->run);
  finish (self);
}

static void
test_surroundings (Fixture *self, gconstpointer data)
{
  g_autofree char *program = g_build_filename (self->folder, "inside", NULL);
  const char *const environment[] = { "ADDED=a=b", "TRACE_MAX_MB=3", "TRACE_MODE=summary", "HOME=", NULL };
  g_autofree char *expected = g_strdup_printf ("%s\na=b\n3\nevents\n[]\n%s\n1\n", self->folder, self->folder);

  g_assert_true (g_file_set_contents (program,
                                      "#!/bin/sh\npwd; echo \"$ADDED\"; echo $TRACE_MAX_MB; echo $TRACE_MODE; echo \"[$HOME]\"; "
                                      "echo $TRACE_DIR; echo $TRACE_ENABLE\n", -1, NULL));
  g_chmod (program, 0755);
  self->command[0] = "./inside";
  self->options.working_folder = self->folder;
  self->options.environment = environment;
  self->options.mode = "events";
  begin (self, NULL, NULL);
  finish (self);
  g_unlink (program);
  g_assert_no_error (self->error);
  g_assert_cmpstr (self->out->str, ==, expected);
  g_assert_true (g_str_has_suffix (self->result->binary, "/inside"));
}

/* All of the group is asked, then killed: also the child that doesn't listen. */
static void
test_stop_group (Fixture *self, gconstpointer data)
{
  int parent, child;

  self->options.grace_ms = 200;
  begin (self, "sh -c 'trap \"\" TERM; echo child $$; while :; do sleep 1; done' & "
               "trap 'echo asked; exit 5' TERM; echo parent $$; wait", NULL);
  wait_for (self, "child");
  wait_for (self, "parent");
  parent = find_number (self, "parent ");
  child = find_number (self, "child ");
  g_assert_cmpint (cs_run_get_pid (self->run), ==, parent);
  g_assert_cmpint (cs_run_get_state (self->run), ==, CS_RUN_STATE_RUNNING);
  cs_run_stop (self->run);
  cs_run_stop (self->run);
  g_assert_cmpint (cs_run_get_state (self->run), ==, CS_RUN_STATE_STOPPING);
  finish (self);
  g_assert_nonnull (strstr (self->out->str, "asked"));
  g_assert_cmpint (self->result->exit_status, ==, 5);
  g_assert_true (self->result->stopped && self->result->killed);
  g_assert_true (is_gone (parent));
  g_assert_true (is_gone (child));
}

/* One that listens is not killed. */
static void
test_stop (Fixture *self, gconstpointer data)
{
  g_autofree char *words = NULL;

  self->options.grace_ms = 60000;
  begin (self, "trap 'echo asked; exit 0' TERM; echo up; while :; do sleep 0.05; done", NULL);
  wait_for (self, "up");
  cs_run_stop (self->run);
  finish (self);
  g_assert_nonnull (strstr (self->out->str, "asked"));
  g_assert_true (self->result->stopped && !self->result->killed);
  words = cs_run_result_describe (self->result);
  g_assert_cmpstr (words, ==, "was stopped");
}

/* A program that is halted is stopped without being killed. */
static void
test_stop_halted (Fixture *self, gconstpointer data)
{
  self->options.grace_ms = 60000;
  begin (self, "echo up; kill -STOP $$; sleep 100", NULL);
  wait_for (self, "up");
  g_usleep (50000);
  cs_run_stop (self->run);
  finish (self);
  g_assert_cmpint (self->result->signal, ==, SIGTERM);
  g_assert_false (self->result->killed);
}

static void
test_kill (Fixture *self, gconstpointer data)
{
  g_autofree char *words = NULL;

  self->options.grace_ms = 60000;
  begin (self, "trap '' TERM; echo up; while :; do sleep 1; done", NULL);
  wait_for (self, "up");
  cs_run_kill (self->run);
  finish (self);
  g_assert_cmpint (self->result->signal, ==, SIGKILL);
  words = cs_run_result_describe (self->result);
  g_assert_cmpstr (words, ==, "was stopped, and had to be killed");
}

static void
test_time_limit (Fixture *self, gconstpointer data)
{
  g_autofree char *words = NULL;

  self->options.timeout_s = 1;
  begin (self, "sleep 100", NULL);
  finish (self);
  g_assert_true (self->result->timed_out && !self->result->stopped);
  g_assert_cmpint (self->result->elapsed_us, >=, 1000000);
  words = cs_run_result_describe (self->result);
  g_assert_cmpstr (words, ==, "was stopped at its time limit");
}

static gpointer
cancel_apart (gpointer data)
{
  g_cancellable_cancel (data);
  return NULL;
}

/* Cancelled in another thread. */
static void
test_cancel (Fixture *self, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  begin (self, "echo up; sleep 100", cancellable);
  wait_for (self, "up");
  g_thread_join (g_thread_new ("cancel", cancel_apart, cancellable));
  finish (self);
  g_assert_no_error (self->error);
  g_assert_true (self->result->stopped);
}

static void
test_cancel_before (Fixture *self, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *made = g_build_filename (self->folder, "made", NULL);
  g_autofree char *line = g_strdup_printf ("touch %s", made);

  g_cancellable_cancel (cancellable);
  begin (self, line, cancellable);
  cs_run_stop (self->run);
  finish (self);
  g_assert_null (self->result);
  g_assert_error (self->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
}

static void
test_crash (Fixture *self, gconstpointer data)
{
  g_autofree char *words = NULL;

  begin (self, "ulimit -c 0; echo before; kill -SEGV $$", NULL);
  finish (self);
  g_assert_no_error (self->error);
  g_assert_cmpstr (self->out->str, ==, "before\n");
  g_assert_cmpint (self->result->signal, ==, SIGSEGV);
  g_assert_cmpint (self->result->exit_status, ==, -1);
  words = cs_run_result_describe (self->result);
  g_assert_cmpstr (words, ==, "was ended by signal 11 (Segmentation fault)");
}

static void
test_closes_output (Fixture *self, gconstpointer data)
{
  begin (self, "echo last; exec >&- 2>&-; sleep 0.3; exit 4", NULL);
  finish (self);
  g_assert_cmpstr (self->out->str, ==, "last\n");
  g_assert_cmpint (self->result->exit_status, ==, 4);
  g_assert_cmpint (self->result->elapsed_us, >=, 300000);
}

/* What stays behind holds the pipes open and writes to them, in the group or in one of its own. */
static void
test_daemon (Fixture *self, gconstpointer data)
{
  const char *apart = data;
  g_autofree char *line = g_strdup_printf ("%s sh -c 'echo daemon $$; while :; do echo more; sleep 0.05; done' & sleep 0.2; echo end", apart);
  g_autofree char *words = NULL;
  int pid;

  begin (self, line, NULL);
  finish (self);
  pid = find_number (self, "daemon ");
  g_assert_cmpint (self->result->exit_status, ==, 0);
  g_assert_nonnull (strstr (self->out->str, "end\n"));
  g_assert_cmpint (self->result->left_running, ==, *apart == '\0');
  words = cs_run_result_describe (self->result);
  g_assert_cmpstr (words, ==, *apart == '\0' ? "exited with status 0; what it started goes on" : "exited with status 0");
  kill (pid, SIGKILL);
}

/* It has no terminal, and so can't be halted by reading from it. */
static void
test_no_terminal (Fixture *self, gconstpointer data)
{
  int master, own;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
      self->run = cs_run_new (&self->options);
      return;
    }
  master = posix_openpt (O_RDWR | O_NOCTTY);
  g_assert_cmpint (setsid (), >, 0);
  g_assert_true (master >= 0 && grantpt (master) == 0 && unlockpt (master) == 0);
  g_assert_cmpint (open (ptsname (master), O_RDWR), >=, 0);
  own = open ("/dev/tty", O_RDWR);
  g_assert_cmpint (own, >=, 0);
  begin (self, "if (: </dev/tty) 2>/dev/null; then echo terminal; else echo none; fi", NULL);
  finish (self);
  g_assert_cmpstr (self->out->str, ==, "none\n");
}

/* A program, file or folder that can't be: one sentence each, and nothing runs. */
static void
test_cannot_start (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *program, *working_folder;
    int code;
    const char *says;
  } cases[] = {
    { "/nonexistent/prog", NULL, CS_RUN_ERROR_START, "is it built?" },
    { "no-such-program-anywhere", NULL, CS_RUN_ERROR_START, "PATH" },
    { "/usr", NULL, CS_RUN_ERROR_START, "is a folder" },
    { "/etc/passwd", NULL, CS_RUN_ERROR_START, "chmod +x" },
    { "/etc/passwd/x", NULL, CS_RUN_ERROR_START, "is it built?" },
    { "/bin/true", "/nonexistent", CS_RUN_ERROR_START, "working folder" },
    { "/bin/true", "/etc/passwd", CS_RUN_ERROR_START, "working folder" },
    { "", NULL, CS_RUN_ERROR_OPTION, "no program" },
    { NULL, NULL, CS_RUN_ERROR_OPTION, "no program" },
  };

  self->command[1] = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_clear_error (&self->error);
      g_clear_object (&self->run);
      self->command[0] = cases[i].program;
      self->options.working_folder = cases[i].working_folder;
      self->run = cs_run_new (&self->options);
      cs_run_async (self->run, NULL, on_end, self);
      finish (self);
      g_assert_null (self->result);
      g_assert_error (self->error, CS_RUN_ERROR, cases[i].code);
      g_assert_nonnull (strstr (self->error->message, cases[i].says));
      g_assert_null (strchr (self->error->message, '\n'));
    }
}

static void
test_options (void)
{
  const char *const command[] = { "prog", NULL };
  const char *const good[] = { "A=", "B=c=d", NULL };
  const char *const bad[][3] = { { "A=1", "B", NULL }, { "=x", NULL }, { "", NULL } };
  CsRunOptions options = { .command = command, .max_mb = -1, .environment = good, .clock = "tsc", .full = "wrap",
                           .mode = "summary", .format = "records" };
  const char **words[] = { &options.clock, &options.full, &options.mode, &options.format };

  g_assert_true (cs_run_options_check (&options, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *was = *words[i];

      *words[i] = "nonsense";
      g_assert_false (cs_run_options_check (&options, &error));
      g_assert_error (error, CS_RUN_ERROR, CS_RUN_ERROR_OPTION);
      g_assert_nonnull (strstr (error->message, "nonsense"));
      g_assert_nonnull (strstr (error->message, was));
      *words[i] = was;
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      options.environment = bad[i];
      g_assert_false (cs_run_options_check (&options, NULL));
    }
}

/* Watches and descriptors don't pile up. */
static void
test_many (Fixture *self, gconstpointer data)
{
  guint before = 0, after = 0;

  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (GDir) dir = NULL;

      begin (self, "echo x", NULL);
      finish (self);
      g_assert_cmpint (self->result->exit_status, ==, 0);
      g_clear_pointer (&self->result, cs_run_result_free);
      g_clear_object (&self->run);
      dir = g_dir_open ("/proc/self/fd", 0, NULL);
      for (after = 0; g_dir_read_name (dir) != NULL; after++)
        ;
      before = i == 10 ? after : before;
    }
  g_assert_cmpuint (after, <=, before);
  begin (self, "echo x", NULL);
  finish (self);
  g_assert_cmpuint (self->out->len, ==, 61 * 2);
}

#define ADD(name, data, function) g_test_add (name, Fixture, data, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/run/output", NULL, test_output);
  ADD ("/run/last-words", NULL, test_last_words);
  ADD ("/run/flood", NULL, test_flood);
  ADD ("/run/back-pressure", NULL, test_back_pressure);
  ADD ("/run/short-writes", NULL, test_short_writes);
  ADD ("/run/no-input", NULL, test_no_input);
  ADD ("/run/typed-input", NULL, test_typed_input);
  ADD ("/run/much-input", NULL, test_much_input);
  ADD ("/run/unread-input", NULL, test_unread_input);
  ADD ("/run/closed-input", NULL, test_closed_input);
  ADD ("/run/surroundings", NULL, test_surroundings);
  ADD ("/run/stop-group", NULL, test_stop_group);
  ADD ("/run/stop", NULL, test_stop);
  ADD ("/run/stop-halted", NULL, test_stop_halted);
  ADD ("/run/kill", NULL, test_kill);
  ADD ("/run/time-limit", NULL, test_time_limit);
  ADD ("/run/cancel", NULL, test_cancel);
  ADD ("/run/cancel-before", NULL, test_cancel_before);
  ADD ("/run/crash", NULL, test_crash);
  ADD ("/run/closes-output", NULL, test_closes_output);
  ADD ("/run/daemon", "", test_daemon);
  ADD ("/run/daemon-apart", "setsid", test_daemon);
  ADD ("/run/no-terminal", NULL, test_no_terminal);
  ADD ("/run/cannot-start", NULL, test_cannot_start);
  ADD ("/run/many", NULL, test_many);
  g_test_add_func ("/run/options", test_options);
  return g_test_run ();
}
