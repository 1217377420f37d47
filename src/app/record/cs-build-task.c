/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "project/cs-adopt.h"
#include "project/cs-data-folder.h"
#include "record/cs-build-task.h"

/* Names of functions in a sentence. */
#define MOST_FUNCTIONS 5

struct _CsBuildTask
{
  GObject parent_instance;

  CsRunSettings *settings;
  CsChooser *chooser;
  CsJobs *jobs;
  CsJob *job;               /* (nullable): while it runs */
  GCancellable *cancellable;
  gboolean running;
  gboolean adopt;
  gint64 start_us, end_us;  /* monotonic */

  CsLog *log;
  CsBuildMessages *messages; /* of the thread that builds */
  CsBuildOptions *options;   /* (nullable): from then on */
  CsSelection *selection;    /* (nullable) */
  char *command;             /* (nullable) (type filename): callsight-cli */

  CsBuildResult *result;     /* (nullable) */
  GError *error;             /* (nullable) */
};

enum
{
  PREPARED,
  ENDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsBuildTask, cs_build_task, G_TYPE_OBJECT)

static void
cs_build_task_finalize (GObject *object)
{
  CsBuildTask *self = CS_BUILD_TASK (object);

  g_object_unref (self->settings);
  g_object_unref (self->chooser);
  g_object_unref (self->jobs);
  g_clear_object (&self->job);
  g_object_unref (self->cancellable);
  g_object_unref (self->log);
  g_clear_pointer (&self->messages, cs_build_messages_free);
  g_clear_pointer (&self->options, cs_run_settings_free_build);
  g_clear_pointer (&self->selection, cs_selection_unref);
  g_free (self->command);
  g_clear_pointer (&self->result, cs_build_result_free);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (cs_build_task_parent_class)->finalize (object);
}

static void
cs_build_task_class_init (CsBuildTaskClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_build_task_finalize;
  signals[PREPARED] = g_signal_new ("prepared", CS_TYPE_BUILD_TASK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", CS_TYPE_BUILD_TASK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
cs_build_task_init (CsBuildTask *self)
{
  self->cancellable = g_cancellable_new ();
  self->log = cs_log_new ();
}

/* The program that refreshes the selection during other builds: beside this one, or installed. */
static char *
find_command (void)
{
  char *beside = cs_program_find_beside ("callsight-cli");

  return beside != NULL ? beside : g_find_program_in_path ("callsight-cli");
}

/* Ends with what is in result and error. Takes the reference that start() took. */
static void
end (CsBuildTask *self)
{
  GApplication *application = g_application_get_default ();

  self->running = FALSE;
  self->end_us = g_get_monotonic_time ();
  cs_job_finish (self->job);
  cs_run_settings_set_flag (self->settings, CS_SETTING_CLEAN, FALSE);
  if (self->result != NULL)
    {
      g_autoptr (GPtrArray) programs = g_ptr_array_new ();

      for (guint i = 0; i < self->result->programs->len; i++)
        g_ptr_array_add (programs, self->result->programs->pdata[i]);
      g_ptr_array_add (programs, NULL);
      cs_run_settings_set_programs (self->settings, (const char *const *) programs->pdata);
    }
  g_signal_emit (self, signals[ENDED], 0);
  if (application != NULL)
    g_application_release (application);
  g_object_unref (self);
}

static void
fail (CsBuildTask *self, GError *error)
{
  self->error = error;
  end (self);
}

static void
on_line (const CsBuildLine *line, const CsBuildMessage *message, gpointer user_data)
{
  cs_log_add_line (CS_BUILD_TASK (user_data)->log, line, message);
}

/* In the thread that builds. */
static void
take_output (const char *bytes, gsize size, gboolean is_error, gpointer user_data)
{
  cs_build_messages_push (CS_BUILD_TASK (user_data)->messages, bytes, size, is_error);
}

typedef struct
{
  CsJob *job;
  char *sentence;
} Told;

static gboolean
show_told (gpointer data)
{
  const Told *told = data;

  cs_job_set_detail (told->job, told->sentence);
  return G_SOURCE_REMOVE;
}

static void
told_free (gpointer data)
{
  Told *told = data;

  g_object_unref (told->job);
  g_free (told->sentence);
  g_free (told);
}

/* In any thread. */
static void
tell (const char *sentence, gpointer user_data)
{
  CsBuildTask *self = user_data;
  g_autofree char *line = g_strconcat ("callsight: ", sentence, NULL);
  Told *told = g_new (Told, 1);

  cs_log_add_text (self->log, line);
  *told = (Told){ g_object_ref (self->job), g_strdup (sentence) };
  g_main_context_invoke_full (NULL, G_PRIORITY_DEFAULT, show_told, told, told_free);
}

static void
on_built (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsBuildTask *self = user_data;

  self->result = cs_build_finish (result, &self->error);
  cs_build_messages_end (self->messages);
  end (self);
}

static void
build (CsBuildTask *self)
{
  const char *folder = cs_run_settings_get_project (self->settings);

  self->messages = cs_build_messages_new (folder, self->options->build_folder, on_line, self);
  self->command = find_command ();
  self->options->selection = self->selection;
  self->options->config_path = cs_chooser_get_config_path (self->chooser);
  self->options->command = self->command;
  self->options->output = take_output;
  self->options->tell = tell;
  self->options->user_data = self;
  cs_build_async (self->options, self->cancellable, on_built, self);
}

static void
on_chosen (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsBuildTask *self = user_data;
  GError *error = NULL;

  self->selection = g_task_propagate_pointer (G_TASK (result), &error);
  g_signal_emit (self, signals[PREPARED], 0);
  if (self->selection != NULL)
    build (self);
  else
    fail (self, error);
}

/* What the config chooses as it is saved. */
static CsSelection *
choose (CsBuildTask *self, GError **error)
{
  g_autoptr (CsTraceConfig) config = cs_trace_config_load (cs_chooser_get_config_path (self->chooser), error);

  return config != NULL ? cs_selection_new_sync (config, cs_run_settings_get_project (self->settings), self->cancellable, error)
                        : NULL;
}

static void
prepare_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  CsBuildTask *self = source;
  const char *folder = cs_run_settings_get_project (self->settings);
  CsSelection *selection = NULL;
  GError *error = NULL;

  if (cs_source_tree_check_folder (folder, &error))
    {
      g_autoptr (CsAdoptResult) adopted = NULL;

      if (self->adopt)
        {
          CsBuildSystem system = self->options->system;
          CsBuildSystems found;

          cs_build_systems_find (folder, &found);
          if (system == CS_BUILD_SYSTEM_NONE && found.count > 0)
            system = found.systems[0];
          tell (_("the runtime and a trace.config are put into the project"), self);
          adopted = cs_adopt_sync (folder, system, FALSE, &error);
        }
      if (error == NULL)
        {
          tell (_("looking for what trace.config chooses"), self);
          selection = choose (self, &error);
        }
    }
  if (selection != NULL)
    g_task_return_pointer (task, selection, (GDestroyNotify) cs_selection_unref);
  else
    g_task_return_error (task, error);
}

/**
 * cs_build_task_new:
 * @settings: how to build
 * @chooser: the project's sources and trace.config
 * @jobs: where it is listed while it goes on
 *
 * Returns: (transfer full): a build that has not begun
 */
CsBuildTask *
cs_build_task_new (CsRunSettings *settings, CsChooser *chooser, CsJobs *jobs)
{
  CsBuildTask *self = g_object_new (CS_TYPE_BUILD_TASK, NULL);

  self->settings = g_object_ref (settings);
  self->chooser = g_object_ref (chooser);
  self->jobs = g_object_ref (jobs);
  return self;
}

/**
 * cs_build_task_start:
 * @self: a build that has not begun
 * @adopt: put the runtime and a trace.config into the project first
 *
 * Builds, by what trace.config says as it is saved. The program goes on until the build has ended, also without windows.
 */
void
cs_build_task_start (CsBuildTask *self, gboolean adopt)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (CS_IS_BUILD_TASK (self) && self->start_us == 0);

  self->start_us = g_get_monotonic_time ();
  self->running = TRUE;
  self->adopt = adopt;
  self->options = cs_run_settings_make_build (self->settings);
  self->job = cs_jobs_begin (self->jobs, _("Building"), self->cancellable);
  g_object_ref (self);
  if (g_application_get_default () != NULL)
    g_application_hold (g_application_get_default ());
  task = g_task_new (self, self->cancellable, on_chosen, self);
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, prepare_in_thread);
}

/**
 * cs_build_task_stop:
 * @self: a build
 *
 * Ends it, and all that it started.
 */
void
cs_build_task_stop (CsBuildTask *self)
{
  g_cancellable_cancel (self->cancellable);
}

/**
 * cs_build_task_is_running:
 * @self: a build
 *
 * Returns: whether it goes on
 */
gboolean
cs_build_task_is_running (CsBuildTask *self)
{
  return self->running;
}

/**
 * cs_build_task_get_log:
 * @self: a build
 *
 * Returns: (transfer none): what is written
 */
CsLog *
cs_build_task_get_log (CsBuildTask *self)
{
  return self->log;
}

/**
 * cs_build_task_get_result:
 * @self: a build
 *
 * Returns: (transfer none) (nullable): what it made
 */
const CsBuildResult *
cs_build_task_get_result (CsBuildTask *self)
{
  return self->result;
}

/**
 * cs_build_task_get_error:
 * @self: a build
 *
 * Returns: (transfer none) (nullable): why it made nothing
 */
const GError *
cs_build_task_get_error (CsBuildTask *self)
{
  return self->error;
}

/**
 * cs_build_task_get_elapsed_us:
 * @self: a build
 *
 * Returns: µs that it takes or took
 */
gint64
cs_build_task_get_elapsed_us (CsBuildTask *self)
{
  if (self->start_us == 0)
    return 0;
  return (self->running ? g_get_monotonic_time () : self->end_us) - self->start_us;
}

static char *
describe_result (const CsBuildResult *result)
{
  g_autofree char *programs
      = g_strdup_printf (ngettext ("%u program with the runtime", "%u programs with the runtime", result->programs->len),
                         result->programs->len);

  if (result->units_hooked == 0)
    return g_strdup (_("Built, but nothing has hooks: trace.config chooses no file that this build compiles — choose some "
                       "in Select"));
  return g_strdup_printf (ngettext ("Built: %u of %u unit with hooks, %s", "Built: %u of %u units with hooks, %s",
                                    result->units),
                          result->units_hooked, result->units, programs);
}

/* Sentences name options as callsight-cli has them. */
static char *
name_options (const char *sentence)
{
  static const char *const names[][2] = {
    { "--build-dir", N_("Build folder") },   { "--system", N_("Build system") },
    { "--cxx-compiler", N_("C++ compiler") }, { "--compiler", N_("C compiler") },
    { "--widen", N_("Whole files") },         { "--after-inlining", N_("Hooks after inlining") },
    { "--clean", N_("Begin anew") },
  };
  g_autoptr (GString) text = g_string_new (sentence);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *shown = g_strdup_printf (_("“%s” in the build options"), _(names[i][1]));

      g_string_replace (text, names[i][0], shown, 0);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * cs_build_task_dup_summary:
 * @self: a build that has ended
 *
 * Returns: (transfer full): a sentence that says how
 */
char *
cs_build_task_dup_summary (CsBuildTask *self)
{
  guint64 n = cs_log_get_n_problems (self->log, CS_BUILD_SEVERITY_ERROR);
  g_autofree char *text = NULL;
  char *hint;

  if (self->result != NULL)
    return describe_result (self->result);
  if (g_error_matches (self->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_strdup (_("The build was stopped"));
  text = g_utf8_make_valid (self->error->message, -1);
  /* They are below. */
  hint = strstr (text, " — see the messages above");
  if (hint != NULL)
    *hint = '\0';
  if (n == 0)
    {
      g_autofree char *named = name_options (text);

      return g_strdup_printf (_("Not built: %s"), named);
    }
  return g_strdup_printf (ngettext ("Not built, %" G_GUINT64_FORMAT " error: %s",
                                    "Not built, %" G_GUINT64_FORMAT " errors: %s", n),
                          n, text);
}

/**
 * cs_build_task_dup_details:
 * @self: a build that has ended
 *
 * Returns: (transfer full): sentences about what it made: what became of the functions that are chosen, and what is
 *   to be known of files
 */
char **
cs_build_task_dup_details (CsBuildTask *self)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  const CsBuildResult *result = self->result;

  if (result != NULL && result->hooks != NULL)
    {
      g_autoptr (GPtrArray) hooks = cs_hook_check_to_lines (result->hooks, MOST_FUNCTIONS);

      for (guint i = 0; i < hooks->len; i++)
        g_strv_builder_add (lines, hooks->pdata[i]);
    }
  for (guint i = 0; result != NULL && i < result->without_runtime->len; i++)
    {
      g_autofree char *name = g_filename_display_basename (result->without_runtime->pdata[i]);
      g_autofree char *line = g_strdup_printf (_("%s has hooks, but was linked without the runtime: it is lent Callsight’s when it is "
                                                 "recorded"), name);

      g_strv_builder_add (lines, line);
    }
  if (result != NULL && result->outside > 0)
    {
      g_autofree char *example = g_filename_display_name (result->outside_example);
      g_autofree char *line
          = g_strdup_printf (ngettext ("%u file that the build made lies outside its folder (%s)",
                                       "%u files that the build made lie outside its folder (%s)", result->outside),
                             result->outside, example);

      g_strv_builder_add (lines, line);
    }
  return g_strv_builder_end (lines);
}
