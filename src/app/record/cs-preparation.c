/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "project/cs-adopt.h"
#include "project/cs-recordings.h"
#include "record/cs-preparation.h"
#include "record/cs-record-ask.h"

/* What stands between the person and a build, in this order. */
typedef enum
{
  STAGE_TRUST,
  STAGE_SYSTEM,
  STAGE_ADOPT,
  STAGE_SAVE,
  STAGE_GO,
} Stage;

struct _CsPreparation
{
  GObject parent_instance;

  CsSession *session;
  CsProject *project;      /* of the session when it began */
  CsRunSettings *settings; /* of that project */
  GtkWindow *window;       /* (nullable): that asks; a weak pointer */
  GtkWindow *question;     /* (nullable): a weak pointer */
  gboolean ended;          /* what comes now is about nothing any more */
  gboolean adopt;
};

enum
{
  ENDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsPreparation, cs_preparation, G_TYPE_OBJECT)

static void continue_build (CsPreparation *self, Stage stage);

static void
cs_preparation_dispose (GObject *object)
{
  CsPreparation *self = CS_PREPARATION (object);

  cs_preparation_cancel (self);
  g_clear_weak_pointer (&self->window);

  G_OBJECT_CLASS (cs_preparation_parent_class)->dispose (object);
}

static void
cs_preparation_finalize (GObject *object)
{
  CsPreparation *self = CS_PREPARATION (object);

  g_object_unref (self->session);
  g_object_unref (self->project);
  g_object_unref (self->settings);

  G_OBJECT_CLASS (cs_preparation_parent_class)->finalize (object);
}

static void
cs_preparation_class_init (CsPreparationClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_preparation_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_preparation_finalize;
  signals[ENDED] = g_signal_new ("ended", CS_TYPE_PREPARATION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                 G_TYPE_BOOLEAN);
}

static void
cs_preparation_init (CsPreparation *self)
{
}

static void
end (CsPreparation *self, gboolean go)
{
  self->ended = TRUE;
  g_signal_emit (self, signals[ENDED], 0, go);
}

/* The question closes by itself; returns whether its answer is another one than to give up. */
static gboolean
take_answer (CsPreparation *self, const char *answer)
{
  g_clear_weak_pointer (&self->question);
  if (!g_str_equal (answer, CS_ANSWER_CANCEL))
    return TRUE;
  end (self, FALSE);
  return FALSE;
}

static void
on_trusted (const char *answer, gpointer user_data)
{
  CsPreparation *self = user_data;

  if (!take_answer (self, answer))
    return;
  cs_run_settings_set_flag (self->settings, CS_SETTING_TRUSTED, TRUE);
  continue_build (self, STAGE_SYSTEM);
}

static void
on_system_chosen (const char *answer, gpointer user_data)
{
  CsPreparation *self = user_data;

  if (!take_answer (self, answer))
    return;
  cs_run_settings_set (self->settings, CS_SETTING_SYSTEM, answer);
  continue_build (self, STAGE_ADOPT);
}

static void
on_adopt_answered (const char *answer, gpointer user_data)
{
  CsPreparation *self = user_data;

  if (!take_answer (self, answer))
    return;
  self->adopt = TRUE;
  cs_run_settings_set_flag (self->settings, CS_SETTING_TRUSTED, TRUE);
  continue_build (self, STAGE_SAVE);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsPreparation) self = user_data;
  g_autoptr (GError) error = NULL;

  cs_chooser_save_finish (CS_CHOOSER (source), result, &error);
  if (error != NULL)
    cs_session_tell (self->session, error->message);
  if (self->ended)
    return;
  if (error == NULL)
    continue_build (self, STAGE_GO);
  else
    end (self, FALSE);
}

static void
on_save_answered (const char *answer, gpointer user_data)
{
  CsPreparation *self = user_data;

  if (!take_answer (self, answer))
    return;
  if (g_str_equal (answer, CS_ANSWER_GO))
    cs_chooser_save_async (cs_project_get_chooser (self->project), NULL, on_saved, g_object_ref (self));
  else
    continue_build (self, STAGE_GO);
}

/* Whether it isn't clear which of a project's build systems to take. */
static gboolean
is_system_open (CsPreparation *self, CsBuildSystems *found)
{
  const char *folder = cs_run_settings_get_project (self->settings);
  CsBuildSystem usual = CS_BUILD_SYSTEM_NONE;

  if (!g_str_equal (cs_run_settings_get (self->settings, CS_SETTING_SYSTEM), "auto"))
    return FALSE;
  cs_build_systems_find (folder, found);
  return found->count > 1 && !(cs_adopt_find_system (folder, &usual) && cs_build_systems_has (found, usual));
}

/* Asks the first question from @stage on that is open, or builds. */
static void
continue_build (CsPreparation *self, Stage stage)
{
  const char *folder = cs_run_settings_get_project (self->settings);
  CsChooser *chooser = cs_project_get_chooser (self->project);
  GtkWindow *question = NULL;
  CsBuildSystems found;

  if (stage <= STAGE_TRUST && !cs_run_settings_get_flag (self->settings, CS_SETTING_TRUSTED)
      && cs_record_has_foreign_folder (folder))
    question = cs_record_ask_trust (self->window, folder, on_trusted, self);
  else if (stage <= STAGE_SYSTEM && is_system_open (self, &found))
    question = cs_record_ask_system (self->window, &found, on_system_chosen, self);
  else if (stage <= STAGE_ADOPT && !cs_project_is_adopted (self->project))
    question = cs_record_ask_adopt (self->window, g_file_test (cs_chooser_get_config_path (chooser), G_FILE_TEST_EXISTS),
                                    on_adopt_answered, self);
  else if (stage <= STAGE_SAVE && cs_chooser_get_dirty (chooser))
    question = cs_record_ask_save (self->window, chooser, on_save_answered, self);
  if (question != NULL)
    g_set_weak_pointer (&self->question, question);
  else
    end (self, TRUE);
}

static void
on_rate_answered (const char *answer, gpointer user_data)
{
  CsPreparation *self = user_data;

  if (!take_answer (self, answer))
    return;
  if (g_str_equal (answer, CS_ANSWER_SUMMARY))
    cs_run_settings_set (self->settings, CS_SETTING_MODE, "summary");
  else if (g_str_equal (answer, CS_ANSWER_WRAP))
    cs_run_settings_set (self->settings, CS_SETTING_FULL, "wrap");
  end (self, TRUE);
}

static gboolean
is_of_program (const CsRecordingInfo *info, const char *program)
{
  return info->command != NULL && g_strcmp0 (info->command[0], program) == 0;
}

/* Warns if the program, at the rate of its last run, would use the budget up in seconds. */
static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsPreparation) self = user_data;
  g_autoptr (GPtrArray) list = cs_recordings_list_finish (result, NULL, NULL);
  g_autofree char *warning = NULL;
  CsRunOptions *options;
  CsRecordingRate rate;

  if (self->ended)
    return;
  options = cs_run_settings_make_run (self->settings);
  for (guint i = 0; list != NULL && i < list->len; i++)
    if (is_of_program (list->pdata[i], options->command[0]) && cs_recording_rate_find (list->pdata[i], &rate))
      {
        warning = cs_recording_rate_warn (&rate, options);
        break;
      }
  cs_run_settings_free_run (options);
  if (warning != NULL)
    g_set_weak_pointer (&self->question, cs_record_ask_rate (self->window, warning, on_rate_answered, self));
  else
    end (self, TRUE);
}

/**
 * cs_preparation_new:
 * @session: a session with a project
 * @settings: how that is built and run
 *
 * Returns: (transfer full): a preparation that hasn't begun
 */
CsPreparation *
cs_preparation_new (CsSession *session, CsRunSettings *settings)
{
  CsPreparation *self = g_object_new (CS_TYPE_PREPARATION, NULL);

  self->session = g_object_ref (session);
  self->project = g_object_ref (cs_session_get_project (session));
  self->settings = g_object_ref (settings);
  return self;
}

/**
 * cs_preparation_begin_build:
 * @self: a preparation that hasn't begun
 * @window: (nullable): that asks
 *
 * Asks what is to be known before a build: whether to trust what came with the project, which build system to take, whether to
 * adopt the project and whether to save its trace.config. It may end before this returns.
 */
void
cs_preparation_begin_build (CsPreparation *self, GtkWindow *window)
{
  g_return_if_fail (CS_IS_PREPARATION (self));

  g_set_weak_pointer (&self->window, window);
  cs_project_look (self->project);
  continue_build (self, STAGE_TRUST);
}

/**
 * cs_preparation_begin_record:
 * @self: a preparation that hasn't begun
 * @window: (nullable): that asks
 *
 * Asks how to record where the program called too much last time.
 */
void
cs_preparation_begin_record (CsPreparation *self, GtkWindow *window)
{
  g_return_if_fail (CS_IS_PREPARATION (self));

  g_set_weak_pointer (&self->window, window);
  cs_recordings_list_async (cs_run_settings_get_project (self->settings), NULL, on_listed, g_object_ref (self));
}

/**
 * cs_preparation_cancel:
 * @self: a preparation
 *
 * Takes back what it asks, without telling of an end.
 */
void
cs_preparation_cancel (CsPreparation *self)
{
  GtkWindow *question = self->question;

  g_return_if_fail (CS_IS_PREPARATION (self));

  self->ended = TRUE;
  g_clear_weak_pointer (&self->question);
  if (question != NULL)
    gtk_window_destroy (question);
}

/**
 * cs_preparation_get_adopt:
 * @self: a preparation of a build that has ended
 *
 * Returns: whether the build is to put the runtime and a trace.config into the project first
 */
gboolean
cs_preparation_get_adopt (CsPreparation *self)
{
  return self->adopt;
}
