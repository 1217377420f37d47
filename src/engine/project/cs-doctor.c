/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "project/cs-doctor-private.h"

static void
finding_free (gpointer data)
{
  CsFinding *finding = data;

  g_free (finding->text);
  g_free (finding->advice);
  g_free (finding);
}

static void G_GNUC_PRINTF (5, 0)
add (CsDoctor *self, CsFindingState state, const char *check, const char *advice, const char *format, va_list args)
{
  CsFinding *finding = g_new0 (CsFinding, 1);

  finding->state = state;
  finding->check = check;
  finding->advice = g_strdup (advice);
  finding->text = g_strdup_vprintf (format, args);
  g_ptr_array_add (self->findings, finding);
}

/* Notes that something, @check, is well. */
void
cs_doctor_ok (CsDoctor *self, const char *check, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  add (self, CS_FINDING_OK, check, NULL, format, args);
  va_end (args);
}

/* Notes that something is not so well, and what to do. */
void
cs_doctor_warn (CsDoctor *self, const char *check, const char *advice, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  add (self, CS_FINDING_WARNING, check, advice, format, args);
  va_end (args);
}

/* Notes what keeps programs from being built or recorded, and what to do. */
void
cs_doctor_problem (CsDoctor *self, const char *check, const char *advice, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  add (self, CS_FINDING_PROBLEM, check, advice, format, args);
  va_end (args);
}

static void
doctor_free (gpointer data)
{
  CsDoctor *self = data;

  g_free (self->folder);
  g_free (self->config);
  g_free (self->trace_folder);
  g_strfreev (self->compiler);
  g_ptr_array_unref (self->findings);
  g_clear_object (&self->cancellable);
  g_free (self);
}

static char **
split_compiler (const char *text)
{
  char **words = NULL;

  if (text == NULL || *text == '\0')
    text = g_getenv ("CC");
  if (text == NULL || *text == '\0')
    text = "cc";
  /* What isn't quoted right is one word, which no program has for its name. */
  if (!g_shell_parse_argv (text, NULL, &words, NULL))
    words = g_strdupv ((char *[]){ (char *) text, NULL });
  /* It runs in other folders. */
  if (strchr (words[0], '/') != NULL)
    {
      char *path = g_canonicalize_filename (words[0], NULL);

      g_free (words[0]);
      words[0] = path;
    }
  return words;
}

static CsDoctor *
doctor_new (const CsDoctorOptions *options, GCancellable *cancellable)
{
  CsDoctor *self = g_new0 (CsDoctor, 1);
  const char *traces = options->trace_folder != NULL ? options->trace_folder : g_getenv ("TRACE_DIR");

  self->folder = g_canonicalize_filename (options->folder != NULL ? options->folder : ".", NULL);
  self->config_named = options->config != NULL;
  self->config = options->config != NULL ? g_canonicalize_filename (options->config, NULL)
                                         : g_build_filename (self->folder, "trace.config", NULL);
  self->trace_folder = traces != NULL && *traces != '\0' ? g_canonicalize_filename (traces, NULL)
                                                         : g_build_filename (self->folder, "traces", NULL);
  self->compiler = split_compiler (options->compiler);
  self->findings = g_ptr_array_new_with_free_func (finding_free);
  g_set_object (&self->cancellable, cancellable);
  return self;
}

static GPtrArray *
look (CsDoctor *self, GError **error)
{
  void (*const parts[]) (CsDoctor *) = { cs_doctor_look_at_compiler, cs_doctor_look_at_project,
                                         cs_doctor_look_at_machine };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      parts[i](self);
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return NULL;
    }
  return g_ptr_array_ref (self->findings);
}

/**
 * cs_doctor_look:
 * @options: what to look at
 * @cancellable: (nullable): to give up
 * @error: where to say that it was cancelled; all else is in the findings
 *
 * Looks at what choosing, building, recording and reporting need: the compiler and whether it takes the options, the
 * runtime, the project's config and what it chooses, the trace directory and its file system, and what this machine has.
 * Nothing is changed. Blocks.
 *
 * Returns: (transfer full) (element-type CsFinding) (nullable): what was found
 */
GPtrArray *
cs_doctor_look (const CsDoctorOptions *options, GCancellable *cancellable, GError **error)
{
  CsDoctor *self = doctor_new (options, cancellable);
  GPtrArray *findings = look (self, error);

  doctor_free (self);
  return findings;
}

static void
run_task (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  GPtrArray *findings = look (data, &error);

  if (findings != NULL)
    g_task_return_pointer (task, findings, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

/**
 * cs_doctor_look_async:
 * @options: what to look at
 * @cancellable: (nullable): to give up
 * @callback: (scope async): called when all has been looked at
 * @user_data: for @callback
 *
 * cs_doctor_look() in a thread.
 */
void
cs_doctor_look_async (const CsDoctorOptions *options, GCancellable *cancellable, GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, cs_doctor_look_async);
  g_task_set_task_data (task, doctor_new (options, cancellable), doctor_free);
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, run_task);
}

/**
 * cs_doctor_look_finish:
 * @result: what the callback got
 * @error: where to say that it was cancelled
 *
 * Returns: (transfer full) (element-type CsFinding) (nullable): what was found
 */
GPtrArray *
cs_doctor_look_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cs_finding_state_get_name:
 * @state: how something is
 *
 * Returns: `ok`, `warn` or `problem`
 */
const char *
cs_finding_state_get_name (CsFindingState state)
{
  return state == CS_FINDING_OK ? "ok" : state == CS_FINDING_WARNING ? "warn" : "problem";
}
