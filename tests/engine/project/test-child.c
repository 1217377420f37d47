/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "project/cs-child.h"

typedef struct
{
  GString *out, *errors;
  GCancellable *cancellable; /* (nullable): cancelled when `word` was read */
  const char *word;
} Output;

static void
take (const char *bytes, gsize size, gboolean is_error, gpointer data)
{
  Output *self = data;

  g_string_append_len (is_error ? self->errors : self->out, bytes, (gssize) size);
  if (self->word != NULL && strstr (self->out->str, self->word) != NULL)
    g_cancellable_cancel (self->cancellable);
}

static gboolean
run (const char *line, Output *output, int *status, GError **error)
{
  const char *const command[] = { "/bin/sh", "-c", line, NULL };
  const CsChildOptions options = { .command = command, .output = take, .user_data = output };

  output->out = g_string_new (NULL);
  output->errors = g_string_new (NULL);
  return cs_child_run (&options, status, output->cancellable, error);
}

static void
output_clear (Output *self)
{
  g_string_free (self->out, TRUE);
  g_string_free (self->errors, TRUE);
  g_clear_object (&self->cancellable);
}

static int
find_number (const Output *self, const char *word)
{
  const char *at = strstr (self->out->str, word);

  g_assert_nonnull (at);
  return (int) g_ascii_strtoll (at + strlen (word), NULL, 10);
}

/* Gone, but for a status that nobody may be there to take. */
static gboolean
is_gone (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);

  for (guint i = 0; i < 500; i++)
    {
      g_autofree char *stat = NULL;

      if (!g_file_get_contents (path, &stat, NULL, NULL) || strstr (stat, ") Z ") != NULL)
        return TRUE;
      g_usleep (10000);
    }
  return FALSE;
}

static void
test_output (void)
{
  Output output = { 0 };
  int status = -1;

  g_assert_true (run ("head -c 300000 /dev/zero | tr '\\0' x; printf end; printf bad >&2; exit 3", &output, &status, NULL));
  g_assert_cmpint (status, ==, 3);
  g_assert_cmpuint (output.out->len, ==, 300003);
  g_assert_true (g_str_has_suffix (output.out->str, "xend"));
  g_assert_cmpstr (output.errors->str, ==, "bad");
  output_clear (&output);
}

/* Cancel ends a tool and its children: those that listen first, with a word, and those that don't. */
static void
test_cancel (void)
{
  Output output = { .cancellable = g_cancellable_new (), .word = "deaf" };
  g_autoptr (GError) error = NULL;
  int status = -1;

  g_assert_false (run ("sleep 300 & echo child $!; trap 'head -c 200000 /dev/zero; echo cleaned; exit 1' TERM; "
                       "sh -c 'trap \"\" TERM; echo deaf $$; while :; do sleep 1; done' & wait; wait",
                       &output, &status, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_string_append_c (output.out, '\0');
  g_assert_nonnull (memmem (output.out->str, output.out->len, "cleaned", 7));
  g_assert_true (is_gone (find_number (&output, "child ")));
  g_assert_true (is_gone (find_number (&output, "deaf ")));
  output_clear (&output);
}

/* Of make with four jobs, each of them a shell and what that runs, nothing is left. */
static void
test_cancel_make (void)
{
  Output output = { .cancellable = g_cancellable_new (), .word = "started 4" };
  g_autofree char *folder = g_dir_make_tmp ("callsight-make-XXXXXX", NULL);
  g_autofree char *makefile = g_build_filename (folder, "Makefile", NULL);
  g_autofree char *line = g_strdup_printf ("make -s -j4 -C %s", folder);
  g_autoptr (GError) error = NULL;
  int status = -1;

  g_assert_true (g_file_set_contents (makefile, "all: 1 2 3 4\n1 2 3 4:\n\t@sleep 300 & echo job $$!; sleep 0.$@; "
                                                "echo started $@; wait; touch done\n.PHONY: all 1 2 3 4\n", -1, NULL));
  g_assert_false (run (line, &output, &status, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  for (const char *at = strstr (output.out->str, "job "); at != NULL; at = strstr (at + 1, "job "))
    g_assert_true (is_gone ((int) g_ascii_strtoll (at + strlen ("job "), NULL, 10)));
  g_remove (makefile);
  g_assert_cmpint (g_rmdir (folder), ==, 0); /* nothing went on */
  output_clear (&output);
}

/* A server that a tool left behind holds the pipes open, silent or not. */
static void
test_left_behind (gconstpointer data)
{
  g_autofree char *line = g_strdup_printf ("setsid sh -c 'echo server $$; %s' & sleep 0.3; printf end; exit 2", (const char *) data);
  Output output = { 0 };
  int status = -1, pid;

  g_assert_true (run (line, &output, &status, NULL));
  g_assert_cmpint (status, ==, 2);
  g_assert_nonnull (strstr (output.out->str, "end"));
  pid = find_number (&output, "server ");
  kill (-pid, SIGKILL);
  output_clear (&output);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/child/output", test_output);
  g_test_add_func ("/child/cancel", test_cancel);
  g_test_add_func ("/child/cancel-make", test_cancel_make);
  g_test_add_data_func ("/child/left-behind-silent", "sleep 300", test_left_behind);
  g_test_add_data_func ("/child/left-behind-writing", "trap \"\" PIPE; while :; do echo more 2>/dev/null; done", test_left_behind);
  return g_test_run ();
}
