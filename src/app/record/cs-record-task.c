/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "profile/cs-live.h"
#include "record/cs-record-task.h"
#include "symbols/cs-symbol-cache.h"

/* Between two looks at the recording; a look that takes longer delays the next one by as much. */
#define LOOK_MS 1000
/* A look that takes less is quick. */
#define QUICK_US (G_USEC_PER_SEC / 2)

struct _CsRecordTask
{
  GObject parent_instance;

  CsRunSettings *settings;
  char *config_path;
  CsJobs *jobs;
  CsJob *job;                /* (nullable): while it runs */
  GCancellable *cancellable; /* stops the program */
  gboolean running;

  CsRunOptions *options;     /* (nullable): from the start on */
  CsRecordingInfo *info;     /* (nullable): once there is a folder */
  CsRun *run;                /* (nullable) */
  CsRunState state;
  CsLog *log;

  CsLive *live;              /* (nullable) */
  GCancellable *looking;     /* (nullable): while a look goes on */
  guint timer;
  gint64 look_us;            /* monotonic: when the look began */
  gint64 look_cost_us;       /* of the last one */
  gint64 last_us;            /* when the one before did */
  guint64 folder_bytes;      /* of a look that goes on; of its thread */
  CsProfile *profile;        /* (nullable): of the last look */
  guint64 events, bytes;
  double rate;               /* events a second; negative: not known yet */

  CsRunResult *result;       /* (nullable) */
  GError *error;             /* (nullable) */
  gboolean has_recorded;
};

enum
{
  PROP_STATE = 1,
  N_PROPERTIES
};

enum
{
  REFRESHED,
  ENDED,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsRecordTask, cs_record_task, G_TYPE_OBJECT)

static void
cs_record_task_finalize (GObject *object)
{
  CsRecordTask *self = CS_RECORD_TASK (object);

  g_object_unref (self->settings);
  g_free (self->config_path);
  g_object_unref (self->jobs);
  g_clear_object (&self->job);
  g_object_unref (self->cancellable);
  g_clear_pointer (&self->options, cs_run_settings_free_run);
  g_clear_pointer (&self->info, cs_recording_info_free);
  g_clear_object (&self->run);
  g_object_unref (self->log);
  g_clear_object (&self->live);
  g_clear_object (&self->profile);
  g_clear_pointer (&self->result, cs_run_result_free);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (cs_record_task_parent_class)->finalize (object);
}

static void
cs_record_task_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROP_STATE)
    g_value_set_uint (value, CS_RECORD_TASK (object)->state);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
cs_record_task_class_init (CsRecordTaskClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = cs_record_task_finalize;
  object_class->get_property = cs_record_task_get_property;
  properties[PROP_STATE] = g_param_spec_uint ("state", NULL, NULL, CS_RUN_STATE_NEW, CS_RUN_STATE_ENDED,
                                              CS_RUN_STATE_NEW, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  signals[REFRESHED] = g_signal_new ("refreshed", CS_TYPE_RECORD_TASK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", CS_TYPE_RECORD_TASK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
cs_record_task_init (CsRecordTask *self)
{
  self->cancellable = g_cancellable_new ();
  self->log = cs_log_new ();
  self->rate = -1;
}

static void
set_state (CsRecordTask *self, CsRunState state)
{
  if (self->state == state)
    return;
  self->state = state;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

/* Takes the reference that start() took. */
static void
end (CsRecordTask *self)
{
  GApplication *application = g_application_get_default ();

  self->running = FALSE;
  cs_job_finish (self->job);
  set_state (self, CS_RUN_STATE_ENDED);
  g_signal_emit (self, signals[ENDED], 0);
  if (application != NULL)
    g_application_release (application);
  g_object_unref (self);
}

static guint64
count_bytes (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint64 bytes = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_str_has_prefix (name, "trace.") ? g_build_filename (folder, name, NULL) : NULL;
      struct stat st;

      if (path != NULL && g_lstat (path, &st) == 0 && S_ISREG (st.st_mode))
        bytes += (guint64) st.st_size;
    }
  return bytes;
}

static gboolean
has_events (CsProfile *profile)
{
  guint n;

  if (profile == NULL)
    return FALSE;
  cs_profile_get_functions (profile, &n);
  return n > 0;
}

/* The end, in a thread: whether there is a recording, and what is said of it. */
static void
finish_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  CsRecordTask *self = source;
  gboolean has_some = has_events (self->profile);
  CsProfile *profile = NULL;
  GError *error = NULL;

  /* What came since the last look is in the report, too: it is read here where that is quick. */
  if (!has_some || self->look_cost_us < QUICK_US)
    profile = cs_live_refresh (self->live, NULL, NULL);
  self->folder_bytes = count_bytes (self->info->folder);
  /* What can't be read stays, and opening it says why. */
  self->has_recorded = has_some || has_events (profile) || (profile == NULL && self->folder_bytes > 0);
  if (!self->has_recorded && !self->result->left_running)
    cs_recordings_delete (self->info->folder, &error);
  else
    {
      const CsRecordingChange change = { .ended = self->result };

      if (!self->result->left_running)
        cs_recordings_keep_programs (self->info->folder);
      cs_recordings_change (self->info->folder, &change, &error);
    }
  if (error != NULL)
    cs_log_add_text (self->log, error->message);
  g_clear_error (&error);
  g_task_return_pointer (task, profile, g_object_unref);
}

static void
take_profile (CsRecordTask *self, CsProfile *profile)
{
  self->bytes = self->folder_bytes;
  if (profile == NULL)
    return;
  self->events = cs_profile_get_totals (profile)->events;
  g_clear_object (&self->profile);
  self->profile = profile;
}

static void
on_finished (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsRecordTask *self = CS_RECORD_TASK (source);

  take_profile (self, g_task_propagate_pointer (G_TASK (result), NULL));
  g_signal_emit (self, signals[REFRESHED], 0);
  end (self);
}

/* When the program has ended and no look goes on. */
static void
finish (CsRecordTask *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->looking != NULL)
    {
      g_cancellable_cancel (self->looking);
      return;
    }
  task = g_task_new (self, NULL, on_finished, NULL);
  g_task_run_in_thread (task, finish_in_thread);
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  CsRecordTask *self = source;
  GError *error = NULL;
  CsProfile *profile = cs_live_refresh (self->live, cancellable, &error);

  self->folder_bytes = count_bytes (self->info->folder);
  if (profile != NULL)
    g_task_return_pointer (task, profile, g_object_unref);
  else
    g_task_return_error (task, error);
}

static gboolean on_look (gpointer data);

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsRecordTask *self = CS_RECORD_TASK (source);
  CsProfile *profile = g_task_propagate_pointer (G_TASK (result), NULL);

  g_clear_object (&self->looking);
  if (profile != NULL)
    {
      guint64 events = cs_profile_get_totals (profile)->events;
      double seconds = (double) (self->look_us - self->last_us) / G_USEC_PER_SEC;

      if (seconds > 0)
        self->rate = events > self->events ? (double) (events - self->events) / seconds : 0;
      self->last_us = self->look_us;
      self->look_cost_us = g_get_monotonic_time () - self->look_us;
    }
  take_profile (self, profile);
  if (!self->running)
    return;
  if (self->result != NULL)
    {
      finish (self);
      return;
    }
  g_signal_emit (self, signals[REFRESHED], 0);
  self->timer = g_timeout_add (LOOK_MS, on_look, self);
}

static gboolean
on_look (gpointer data)
{
  CsRecordTask *self = data;
  g_autoptr (GTask) task = NULL;

  self->timer = 0;
  self->looking = g_cancellable_new ();
  self->look_us = g_get_monotonic_time ();
  task = g_task_new (self, self->looking, on_looked, NULL);
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, look_in_thread);
  return G_SOURCE_REMOVE;
}

static void
begin_looking (CsRecordTask *self)
{
  const CsProfileOptions options = { 0 };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autofree char *cache = cs_symbol_cache_get_default_folder ();

  cs_symbolizer_set_cache (symbolizer, cache);
  self->live = cs_live_new ((const char *const[]){ self->info->folder, NULL }, symbolizer, &options);
  self->last_us = g_get_monotonic_time ();
  self->timer = g_timeout_add (LOOK_MS / 2, on_look, self);
}

static void
on_run_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsRecordTask *self = user_data;

  g_clear_handle_id (&self->timer, g_source_remove);
  self->result = cs_run_finish (self->run, result, &self->error);
  if (self->result != NULL)
    {
      finish (self);
      return;
    }
  cs_recordings_delete_async (self->info->folder, NULL, NULL, NULL);
  end (self);
}

static void
take_output (const char *bytes, gsize size, gboolean is_error, gpointer user_data)
{
  cs_log_add_output (CS_RECORD_TASK (user_data)->log, bytes, size);
}

static void
tell (const char *sentence, gpointer user_data)
{
  g_autofree char *line = g_strconcat ("callsight: ", sentence, NULL);

  cs_log_add_text (CS_RECORD_TASK (user_data)->log, line);
}

static void
on_run_state (CsRecordTask *self)
{
  CsRunState state = cs_run_get_state (self->run);

  /* There is something to do after its end. */
  if (state != CS_RUN_STATE_ENDED)
    set_state (self, state);
  if (state == CS_RUN_STATE_STOPPING)
    cs_job_set_detail (self->job, _("The program is asked to end"));
}

static void
create_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  CsRecordTask *self = source;
  const CsRecordingStart start = { .options = self->options, .config_path = self->config_path };
  const char *project = cs_run_settings_get_project (self->settings);
  CsRecordingInfo *info = NULL;
  GError *error = NULL;

  if (!g_file_test (project, G_FILE_TEST_IS_DIR))
    g_set_error (&error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _("%s: the project isn’t there any more — open it where it is now"),
                 project);
  else
    info = cs_recordings_create (project, &start, &error);
  if (info != NULL)
    g_task_return_pointer (task, info, (GDestroyNotify) cs_recording_info_free);
  else
    g_task_return_error (task, error);
}

static void
on_created (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsRecordTask *self = CS_RECORD_TASK (source);

  self->info = g_task_propagate_pointer (G_TASK (result), &self->error);
  if (self->info == NULL)
    {
      end (self);
      return;
    }
  self->options->folder = g_strdup (self->info->folder);
  self->options->keep = TRUE;
  self->options->output = take_output;
  self->options->tell = tell;
  self->options->user_data = self;
  self->run = cs_run_new (self->options);
  g_signal_connect_object (self->run, "notify::state", G_CALLBACK (on_run_state), self, G_CONNECT_SWAPPED);
  begin_looking (self);
  cs_run_async (self->run, self->cancellable, on_run_ended, self);
}

/**
 * cs_record_task_new:
 * @settings: how to run the program
 * @config_path: (nullable): trace.config of the build
 * @jobs: where it is listed while it goes on
 *
 * Returns: (transfer full): a recording that has not begun
 */
CsRecordTask *
cs_record_task_new (CsRunSettings *settings, const char *config_path, CsJobs *jobs)
{
  CsRecordTask *self = g_object_new (CS_TYPE_RECORD_TASK, NULL);

  self->settings = g_object_ref (settings);
  self->config_path = g_strdup (config_path);
  self->jobs = g_object_ref (jobs);
  return self;
}

/**
 * cs_record_task_start:
 * @self: a recording that has not begun
 *
 * Makes a folder for it in the project, and runs the program. Callsight goes on until that has ended, also without windows.
 */
void
cs_record_task_start (CsRecordTask *self)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (CS_IS_RECORD_TASK (self) && self->options == NULL);

  self->running = TRUE;
  self->options = cs_run_settings_make_run (self->settings);
  self->job = cs_jobs_begin (self->jobs, _("Recording"), self->cancellable);
  if (g_application_get_default () != NULL)
    g_application_hold (g_application_get_default ());
  g_object_ref (self);
  set_state (self, CS_RUN_STATE_STARTING);
  task = g_task_new (self, NULL, on_created, NULL);
  g_task_run_in_thread (task, create_in_thread);
}

/**
 * cs_record_task_stop:
 * @self: a recording
 *
 * Asks the program to end, and kills it if it doesn't. What is recorded stays.
 */
void
cs_record_task_stop (CsRecordTask *self)
{
  if (self->run != NULL)
    cs_run_stop (self->run);
  else
    g_cancellable_cancel (self->cancellable);
}

/**
 * cs_record_task_kill:
 * @self: a recording
 *
 * Ends the program at once.
 */
void
cs_record_task_kill (CsRecordTask *self)
{
  if (self->run != NULL)
    cs_run_kill (self->run);
  else
    g_cancellable_cancel (self->cancellable);
}

/**
 * cs_record_task_write_input:
 * @self: a recording of a program that takes input
 * @line: a line without its end
 * @error: where to say why the program doesn't get it
 *
 * Returns: whether it gets it
 */
gboolean
cs_record_task_write_input (CsRecordTask *self, const char *line, GError **error)
{
  g_autofree char *text = g_strconcat (line, "\n", NULL);

  return self->run != NULL && cs_run_write_input (self->run, text, strlen (text), error);
}

/**
 * cs_record_task_close_input:
 * @self: a recording
 *
 * Tells the program that there is no more input.
 */
void
cs_record_task_close_input (CsRecordTask *self)
{
  if (self->run != NULL)
    cs_run_close_input (self->run);
}

/**
 * cs_record_task_get_state:
 * @self: a recording
 *
 * Returns: how far it is; when it has ended, what it left is written, too
 */
CsRunState
cs_record_task_get_state (CsRecordTask *self)
{
  return self->state;
}

/**
 * cs_record_task_takes_input:
 * @self: a recording
 *
 * Returns: whether its program reads what cs_record_task_write_input() gives
 */
gboolean
cs_record_task_takes_input (CsRecordTask *self)
{
  return self->options != NULL && self->options->input == CS_RUN_INPUT_PIPE;
}

/**
 * cs_record_task_get_log:
 * @self: a recording
 *
 * Returns: (transfer none): what the program writes
 */
CsLog *
cs_record_task_get_log (CsRecordTask *self)
{
  return self->log;
}

/**
 * cs_record_task_get_elapsed_us:
 * @self: a recording
 *
 * Returns: µs since the program was started, or that it ran
 */
gint64
cs_record_task_get_elapsed_us (CsRecordTask *self)
{
  return self->run != NULL ? cs_run_get_elapsed_us (self->run) : 0;
}

/**
 * cs_record_task_get_numbers:
 * @self: a recording
 * @numbers: (out caller-allocates): what the last look told; valid until the next one
 */
void
cs_record_task_get_numbers (CsRecordTask *self, CsRecordNumbers *numbers)
{
  gint64 max_mb = self->options != NULL ? self->options->max_mb : -1;

  *numbers = (CsRecordNumbers){ .events = self->events,
                                .rate = self->rate,
                                .bytes = self->bytes,
                                .budget = max_mb > 0 ? max_mb << 20 : max_mb };
}

/**
 * cs_record_task_get_profile:
 * @self: a recording
 *
 * Returns: (transfer none) (nullable): what is recorded, as of the last look
 */
CsProfile *
cs_record_task_get_profile (CsRecordTask *self)
{
  return self->profile;
}

/**
 * cs_record_task_get_folder:
 * @self: a recording
 *
 * Returns: (transfer none) (nullable) (type filename): where it lies
 */
const char *
cs_record_task_get_folder (CsRecordTask *self)
{
  return self->info != NULL ? self->info->folder : NULL;
}

/**
 * cs_record_task_has_recorded:
 * @self: a recording that has ended
 *
 * Returns: whether there is something in it
 */
gboolean
cs_record_task_has_recorded (CsRecordTask *self)
{
  return self->has_recorded;
}

/**
 * cs_record_task_get_result:
 * @self: a recording that has ended
 *
 * Returns: (transfer none) (nullable): how the program ended; %NULL: it was never started
 */
const CsRunResult *
cs_record_task_get_result (CsRecordTask *self)
{
  return self->result;
}

/**
 * cs_record_task_get_error:
 * @self: a recording that has ended
 *
 * Returns: (transfer none) (nullable): why the program was never started
 */
const GError *
cs_record_task_get_error (CsRecordTask *self)
{
  return self->error;
}

/**
 * cs_record_task_dup_summary:
 * @self: a recording that has ended
 *
 * Returns: (transfer full): a sentence that says how
 */
char *
cs_record_task_dup_summary (CsRecordTask *self)
{
  g_autofree char *program = NULL;
  g_autofree char *ending = NULL;

  if (self->result == NULL)
    return g_error_matches (self->error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? g_strdup (_("Stopped before the program began"))
                                                                           : g_utf8_make_valid (self->error->message, -1);
  program = g_filename_display_basename (self->result->binary);
  ending = cs_run_result_describe (self->result);
  if (!self->has_recorded)
    return g_strdup_printf (_("%s %s and recorded nothing — unless it said why, it has no hooks: build it here, and run what "
                              "that made"), program, ending);
  if (self->result->signal != 0 && !self->result->stopped && !self->result->timed_out)
    return g_strdup_printf (_("%s %s — everything recorded until then is here"), program, ending);
  return g_strdup_printf (_("%s %s"), program, ending);
}
