/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-session.h"
#include "report/cs-report.h"
#include "symbols/cs-symbol-cache.h"

/* Of each function's longest calls: as many as the report of the slowest ones shows. */
#define N_SLOWEST (cs_report_format_get_top (CS_REPORT_SLOWEST))

/* More steps back than this are forgotten. */
#define MOST_STEPS 100

/* What can be gone back to. */
typedef struct
{
  CsProfileFilter filter;
  char *module; /* of the focused function; (nullable) */
  guint64 address;
  gboolean has_function;
  char *search;
  gboolean regex;
} Step;

struct _CsSession
{
  GObject parent_instance;

  CsJobs *jobs;
  CsProject *project; /* (nullable) */

  char **paths;            /* (nullable): of the recording */
  CsSessionState state;
  char *error;             /* (nullable): why there is no recording */
  CsRecording *recording;  /* (nullable) */
  CsSymbolizer *symbolizer; /* (nullable) */
  CsProfile *whole;        /* (nullable): of all of the recording */
  CsProfile *profile;      /* (nullable): of what the filter lets through */
  GCancellable *reading;   /* (nullable): ends what reads the recording */
  GCancellable *filtering; /* (nullable): ends what makes the filtered profile */
  CsJob *job;              /* (nullable): of the reading */
  CsJob *filter_job;       /* (nullable) */
  gboolean filter_again;   /* the filter changed while it was applied */

  CsProfileFilter filter;
  guint function; /* index in the profile; G_MAXUINT: none */
  char *search;
  gboolean regex;

  GPtrArray *back, *forward; /* (element-type Step) */
  gboolean stepping;         /* a step is taken, and none is added */
};

typedef enum
{
  PROP_PROJECT = 1,
  PROP_STATE,
  PROP_ERROR,
  PROP_RECORDING,
  PROP_PROFILE,
  PROP_TIMELINE,
  PROP_FILTER,
  PROP_FUNCTION,
  PROP_SEARCH,
  PROP_REGEX,
  PROP_CAN_BACK,
  PROP_CAN_FORWARD,
  PROP_BUSY,
} CsSessionProperty;

static GParamSpec *properties[PROP_BUSY + 1];

enum
{
  MESSAGE,
  VIEW_REQUESTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsSession, cs_session, G_TYPE_OBJECT)

G_DEFINE_ENUM_TYPE (CsSessionState, cs_session_state,
                    G_DEFINE_ENUM_VALUE (CS_SESSION_EMPTY, "empty"),
                    G_DEFINE_ENUM_VALUE (CS_SESSION_READING, "reading"),
                    G_DEFINE_ENUM_VALUE (CS_SESSION_READY, "ready"),
                    G_DEFINE_ENUM_VALUE (CS_SESSION_FAILED, "failed"))

static void
notify (CsSession *self, CsSessionProperty property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
step_free (gpointer data)
{
  Step *step = data;

  cs_profile_filter_clear (&step->filter);
  g_free (step->module);
  g_free (step->search);
  g_free (step);
}

static const CsFunction *
get_focused (CsSession *self)
{
  const CsFunction *functions;
  guint n;

  if (self->profile == NULL)
    return NULL;
  functions = cs_profile_get_functions (self->profile, &n);
  return self->function < n ? &functions[self->function] : NULL;
}

static Step *
make_step (CsSession *self)
{
  Step *step = g_new0 (Step, 1);
  const CsFunction *function = get_focused (self);

  cs_profile_filter_copy (&step->filter, &self->filter);
  step->search = g_strdup (self->search);
  step->regex = self->regex;
  if (function != NULL)
    {
      step->has_function = TRUE;
      step->module = g_strdup (function->location.module);
      step->address = function->location.address;
    }
  return step;
}

static guint
find_function (CsProfile *profile, const char *module, guint64 address)
{
  const CsFunction *functions;
  guint n;

  if (profile == NULL)
    return G_MAXUINT;
  functions = cs_profile_get_functions (profile, &n);
  for (guint i = 0; i < n; i++)
    if (functions[i].location.address == address && g_strcmp0 (functions[i].location.module, module) == 0)
      return i;
  return G_MAXUINT;
}

static void
notify_steps (CsSession *self)
{
  notify (self, PROP_CAN_BACK);
  notify (self, PROP_CAN_FORWARD);
}

/* What follows can be gone back from. */
static void
add_step (CsSession *self)
{
  if (self->stepping)
    return;
  if (self->back->len == MOST_STEPS)
    g_ptr_array_remove_index (self->back, 0);
  g_ptr_array_add (self->back, make_step (self));
  g_ptr_array_set_size (self->forward, 0);
  notify_steps (self);
}

static void
set_state (CsSession *self, CsSessionState state)
{
  if (self->state == state)
    return;
  self->state = state;
  notify (self, PROP_STATE);
}

static void
finish_job (CsJob **job)
{
  if (*job != NULL)
    cs_job_finish (*job);
  g_clear_object (job);
}

static void
cancel (GCancellable **cancellable)
{
  if (*cancellable != NULL)
    g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
}

static gboolean
is_busy (CsSession *self)
{
  return self->reading != NULL || self->filtering != NULL;
}

static void
set_profile (CsSession *self, CsProfile *profile)
{
  const CsFunction *function = get_focused (self);
  guint focused = G_MAXUINT;

  if (self->profile == profile)
    return;
  if (function != NULL)
    focused = find_function (profile, function->location.module, function->location.address);
  g_set_object (&self->profile, profile);
  /* Views that follow the function look it up in the new profile, so that it comes first. */
  self->function = focused;
  notify (self, PROP_PROFILE);
  notify (self, PROP_FUNCTION);
}

static void
show_error (CsSession *self, const char *text)
{
  g_free (self->error);
  self->error = g_utf8_make_valid (text, -1);
  notify (self, PROP_ERROR);
  set_state (self, CS_SESSION_FAILED);
}

static void
forget_recording (CsSession *self)
{
  cancel (&self->reading);
  cancel (&self->filtering);
  finish_job (&self->job);
  finish_job (&self->filter_job);
  g_ptr_array_set_size (self->back, 0);
  g_ptr_array_set_size (self->forward, 0);
  notify_steps (self);
  set_profile (self, NULL);
  g_clear_object (&self->whole);
  g_clear_object (&self->symbolizer);
  if (self->recording != NULL)
    {
      g_clear_object (&self->recording);
      notify (self, PROP_RECORDING);
      notify (self, PROP_TIMELINE);
    }
  cs_profile_filter_clear (&self->filter);
  notify (self, PROP_FILTER);
  g_clear_pointer (&self->error, g_free);
  notify (self, PROP_BUSY);
}

/* What is being made, until it is there; the session and the job outlive it. */
typedef struct
{
  CsSession *session;
  CsJob *job;
  GCancellable *cancellable;
} Request;

static Request *
request_new (CsSession *self, CsJob *job, GCancellable *cancellable)
{
  Request *request = g_new (Request, 1);

  request->session = g_object_ref (self);
  request->job = g_object_ref (job);
  request->cancellable = g_object_ref (cancellable);
  return request;
}

static void
request_free (Request *request)
{
  g_object_unref (request->session);
  g_object_unref (request->job);
  g_object_unref (request->cancellable);
  g_free (request);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Request, request_free)

static void
on_progress (goffset current, goffset total, gpointer user_data)
{
  const Request *request = user_data;

  if (total > 0)
    cs_job_set_progress (request->job, (double) current / (double) total);
}

static void update_profile (CsSession *self);

static void
on_filtered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Request) request = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsProfile) profile = cs_profile_new_finish (result, &error);
  CsSession *self = request->session;

  /* The recording was closed meanwhile. */
  if (request->cancellable != self->filtering)
    return;
  g_clear_object (&self->filtering);
  finish_job (&self->filter_job);
  notify (self, PROP_BUSY);
  if (self->filter_again)
    update_profile (self);
  else if (profile != NULL)
    set_profile (self, profile);
  else
    {
      cs_session_tell (self, g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
                               ? _("Filtering was stopped — all of the recording is shown")
                               : error->message);
      /* What is shown and what is said to be shown are to be the same. */
      cs_profile_filter_clear (&self->filter);
      notify (self, PROP_FILTER);
      set_profile (self, self->whole);
    }
}

/* One filter at a time: the symbolizer is for one thread. */
static void
update_profile (CsSession *self)
{
  CsProfileOptions options = { .call_sites = TRUE, .n_slowest = N_SLOWEST };

  if (self->whole == NULL)
    return;
  self->filter_again = self->filtering != NULL;
  if (self->filter_again)
    {
      g_cancellable_cancel (self->filtering);
      return;
    }
  if (cs_profile_filter_is_empty (&self->filter))
    {
      set_profile (self, self->whole);
      return;
    }
  options.filter = self->filter;
  options.index = cs_profile_get_timeline (self->whole);
  self->filtering = g_cancellable_new ();
  self->filter_job = cs_jobs_begin (self->jobs, _("Filtering the recording"), self->filtering);
  notify (self, PROP_BUSY);
  {
    Request *request = request_new (self, self->filter_job, self->filtering);

    cs_profile_new_async (self->recording, self->symbolizer, &options, self->filtering, on_progress, request,
                          on_filtered, request);
  }
}

static void
end_reading (CsSession *self)
{
  g_clear_object (&self->reading);
  finish_job (&self->job);
  notify (self, PROP_BUSY);
}

static void
on_read_failed (CsSession *self, const GError *error)
{
  end_reading (self);
  show_error (self, g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
                      ? _("Reading was stopped — read it again with F5")
                      : error->message);
}

static void
on_profiled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Request) request = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsProfile) profile = cs_profile_new_finish (result, &error);
  CsSession *self = request->session;

  if (request->cancellable != self->reading)
    return;
  if (profile == NULL)
    {
      on_read_failed (self, error);
      return;
    }
  end_reading (self);
  g_set_object (&self->whole, profile);
  set_profile (self, profile);
  notify (self, PROP_TIMELINE);
  set_state (self, CS_SESSION_READY);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Request) request = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CsRecording) recording = cs_recording_open_finish (result, &error);
  g_autofree char *cache = cs_symbol_cache_get_default_folder ();
  const CsProfileOptions options = { .call_sites = TRUE, .n_slowest = N_SLOWEST, .timeline = TRUE };
  CsSession *self = request->session;

  if (request->cancellable != self->reading)
    return;
  if (recording == NULL)
    {
      on_read_failed (self, error);
      return;
    }
  g_set_object (&self->recording, recording);
  notify (self, PROP_RECORDING);
  g_clear_object (&self->symbolizer);
  self->symbolizer = cs_symbolizer_new ();
  cs_symbolizer_set_cache (self->symbolizer, cache);
  cs_profile_new_async (recording, self->symbolizer, &options, self->reading, on_progress, request, on_profiled,
                        request);
  g_steal_pointer (&request);
}

static void
read_recording (CsSession *self)
{
  self->reading = g_cancellable_new ();
  self->job = cs_jobs_begin (self->jobs, _("Reading the recording"), self->reading);
  notify (self, PROP_BUSY);
  set_state (self, CS_SESSION_READING);
  cs_recording_open_async ((const char *const *) self->paths, self->reading, on_opened,
                           request_new (self, self->job, self->reading));
}

static void
cs_session_dispose (GObject *object)
{
  CsSession *self = CS_SESSION (object);

  cancel (&self->reading);
  cancel (&self->filtering);
  finish_job (&self->job);
  finish_job (&self->filter_job);
  if (self->jobs != NULL)
    cs_jobs_cancel_all (self->jobs);
  g_clear_object (&self->profile);
  g_clear_object (&self->whole);
  g_clear_object (&self->symbolizer);
  g_clear_object (&self->recording);
  g_clear_object (&self->project);

  G_OBJECT_CLASS (cs_session_parent_class)->dispose (object);
}

static void
cs_session_finalize (GObject *object)
{
  CsSession *self = CS_SESSION (object);

  g_object_unref (self->jobs);
  g_strfreev (self->paths);
  g_free (self->error);
  cs_profile_filter_clear (&self->filter);
  g_free (self->search);
  g_ptr_array_unref (self->back);
  g_ptr_array_unref (self->forward);

  G_OBJECT_CLASS (cs_session_parent_class)->finalize (object);
}

static void
cs_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CsSession *self = CS_SESSION (object);

  switch ((CsSessionProperty) id)
    {
    case PROP_PROJECT:
      g_value_set_object (value, self->project);
      break;
    case PROP_STATE:
      g_value_set_enum (value, self->state);
      break;
    case PROP_ERROR:
      g_value_set_string (value, self->error);
      break;
    case PROP_RECORDING:
      g_value_set_object (value, self->recording);
      break;
    case PROP_PROFILE:
      g_value_set_object (value, self->profile);
      break;
    case PROP_TIMELINE:
      g_value_set_pointer (value, cs_session_get_timeline (self));
      break;
    case PROP_FILTER:
      g_value_set_pointer (value, &self->filter);
      break;
    case PROP_FUNCTION:
      g_value_set_uint (value, self->function);
      break;
    case PROP_SEARCH:
      g_value_set_string (value, self->search);
      break;
    case PROP_REGEX:
      g_value_set_boolean (value, self->regex);
      break;
    case PROP_CAN_BACK:
      g_value_set_boolean (value, self->back->len > 0);
      break;
    case PROP_CAN_FORWARD:
      g_value_set_boolean (value, self->forward->len > 0);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, is_busy (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
cs_session_class_init (CsSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->dispose = cs_session_dispose;
  object_class->finalize = cs_session_finalize;
  object_class->get_property = cs_session_get_property;
  properties[PROP_PROJECT] = g_param_spec_object ("project", NULL, NULL, CS_TYPE_PROJECT, flags);
  properties[PROP_STATE] = g_param_spec_enum ("state", NULL, NULL, CS_TYPE_SESSION_STATE, CS_SESSION_EMPTY, flags);
  properties[PROP_ERROR] = g_param_spec_string ("error", NULL, NULL, NULL, flags);
  properties[PROP_RECORDING] = g_param_spec_object ("recording", NULL, NULL, CS_TYPE_RECORDING, flags);
  properties[PROP_PROFILE] = g_param_spec_object ("profile", NULL, NULL, CS_TYPE_PROFILE, flags);
  properties[PROP_TIMELINE] = g_param_spec_pointer ("timeline", NULL, NULL, flags);
  properties[PROP_FILTER] = g_param_spec_pointer ("filter", NULL, NULL, flags);
  properties[PROP_FUNCTION] = g_param_spec_uint ("function", NULL, NULL, 0, G_MAXUINT, G_MAXUINT, flags);
  properties[PROP_SEARCH] = g_param_spec_string ("search", NULL, NULL, "", flags);
  properties[PROP_REGEX] = g_param_spec_boolean ("regex", NULL, NULL, FALSE, flags);
  properties[PROP_CAN_BACK] = g_param_spec_boolean ("can-back", NULL, NULL, FALSE, flags);
  properties[PROP_CAN_FORWARD] = g_param_spec_boolean ("can-forward", NULL, NULL, FALSE, flags);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /* Text for the person, with the label and the detailed name of an action that belongs to it, or NULL. */
  signals[MESSAGE] = g_signal_new ("message", CS_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                                   G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING);
  /* The name of a view that is to be shown. */
  signals[VIEW_REQUESTED] = g_signal_new ("view-requested", CS_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
cs_session_init (CsSession *self)
{
  self->jobs = cs_jobs_new ();
  self->function = G_MAXUINT;
  self->search = g_strdup ("");
  self->back = g_ptr_array_new_with_free_func (step_free);
  self->forward = g_ptr_array_new_with_free_func (step_free);
}

/**
 * cs_session_new:
 *
 * Returns: (transfer full): a session without project and recording
 */
CsSession *
cs_session_new (void)
{
  return g_object_new (CS_TYPE_SESSION, NULL);
}

/**
 * cs_session_get_jobs:
 * @self: a session
 *
 * Returns: (transfer none): what goes on in its window
 */
CsJobs *
cs_session_get_jobs (CsSession *self)
{
  return self->jobs;
}

/**
 * cs_session_open_project:
 * @self: a session
 * @folder: (nullable): absolute path of a project's folder; NULL: none
 *
 * Makes it the session's project; the recording that is open stays so.
 */
void
cs_session_open_project (CsSession *self, const char *folder)
{
  g_return_if_fail (CS_IS_SESSION (self));

  if (folder == NULL && self->project == NULL)
    return;
  g_clear_object (&self->project);
  if (folder != NULL)
    self->project = cs_project_new (folder);
  notify (self, PROP_PROJECT);
}

/**
 * cs_session_get_project:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): its project
 */
CsProject *
cs_session_get_project (CsSession *self)
{
  return self->project;
}

/**
 * cs_session_open_recording:
 * @self: a session
 * @paths: (array zero-terminated=1): a trace directory or event files, absolute
 *
 * Reads a recording in the background; what was being read before is given up.
 */
void
cs_session_open_recording (CsSession *self, const char *const *paths)
{
  char **copy = g_strdupv ((char **) paths);

  g_return_if_fail (CS_IS_SESSION (self));

  forget_recording (self);
  g_strfreev (self->paths);
  self->paths = copy;
  read_recording (self);
}

/**
 * cs_session_reload:
 * @self: a session
 *
 * Reads the recording that is open once more.
 */
void
cs_session_reload (CsSession *self)
{
  g_return_if_fail (CS_IS_SESSION (self));

  if (self->paths == NULL)
    return;
  forget_recording (self);
  read_recording (self);
}

/**
 * cs_session_cancel_reading:
 * @self: a session
 *
 * Stops what reads the recording for the first time.
 */
void
cs_session_cancel_reading (CsSession *self)
{
  g_return_if_fail (CS_IS_SESSION (self));

  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
}

/**
 * cs_session_close_recording:
 * @self: a session
 *
 * Leaves the session without a recording.
 */
void
cs_session_close_recording (CsSession *self)
{
  g_return_if_fail (CS_IS_SESSION (self));

  forget_recording (self);
  g_clear_pointer (&self->paths, g_strfreev);
  set_state (self, CS_SESSION_EMPTY);
}

/**
 * cs_session_get_state:
 * @self: a session
 *
 * Returns: whether there is a recording
 */
CsSessionState
cs_session_get_state (CsSession *self)
{
  return self->state;
}

/**
 * cs_session_get_error:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): why the recording can't be read
 */
const char *
cs_session_get_error (CsSession *self)
{
  return self->error;
}

/**
 * cs_session_get_paths:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): where the recording lies
 */
const char *const *
cs_session_get_paths (CsSession *self)
{
  return (const char *const *) self->paths;
}

/**
 * cs_session_get_recording:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the recording
 */
CsRecording *
cs_session_get_recording (CsSession *self)
{
  return self->recording;
}

/**
 * cs_session_get_profile:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the profile of what the filter lets through
 */
CsProfile *
cs_session_get_profile (CsSession *self)
{
  return self->profile;
}

/**
 * cs_session_get_whole_profile:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the profile of the whole recording
 */
CsProfile *
cs_session_get_whole_profile (CsSession *self)
{
  return self->whole;
}

/**
 * cs_session_get_timeline:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the whole recording's index of time; a summary has none
 */
CsTimeline *
cs_session_get_timeline (CsSession *self)
{
  return self->whole != NULL ? cs_profile_get_timeline (self->whole) : NULL;
}

/**
 * cs_session_get_start:
 * @self: a session
 *
 * Returns: what times are counted from: the recording's first event, ns of CLOCK_MONOTONIC; 0 without one
 */
gint64
cs_session_get_start (CsSession *self)
{
  return self->whole != NULL ? cs_profile_get_totals (self->whole)->origin : 0;
}

/**
 * cs_session_get_filter:
 * @self: a session
 *
 * Returns: (transfer none): what of the recording is shown; its times count from the recording's start
 */
const CsProfileFilter *
cs_session_get_filter (CsSession *self)
{
  return &self->filter;
}

static gboolean
filters_equal (const CsProfileFilter *a, const CsProfileFilter *b)
{
  return a->has_from == b->has_from && (!a->has_from || a->from == b->from) && a->has_to == b->has_to
         && (!a->has_to || a->to == b->to) && a->relative == b->relative && a->pid == b->pid
         && g_strcmp0 (a->thread, b->thread) == 0 && g_strcmp0 (a->function, b->function) == 0;
}

/**
 * cs_session_set_filter:
 * @self: a session
 * @filter: what of the recording to show; zeroed: all of it. Copied
 *
 * Makes the profile anew, in the background.
 */
void
cs_session_set_filter (CsSession *self, const CsProfileFilter *filter)
{
  CsProfileFilter copy = { 0 };

  g_return_if_fail (CS_IS_SESSION (self));

  if (filters_equal (filter, &self->filter))
    return;
  add_step (self);
  cs_profile_filter_copy (&copy, filter);
  cs_profile_filter_clear (&self->filter);
  self->filter = copy;
  notify (self, PROP_FILTER);
  update_profile (self);
}

/**
 * cs_session_set_range:
 * @self: a session
 * @has_range: whether there is a range
 * @from: its begin, ns from the recording's start
 * @to: its end, which is not in it
 *
 * Changes the filter's range of time alone.
 */
void
cs_session_set_range (CsSession *self, gboolean has_range, gint64 from, gint64 to)
{
  CsProfileFilter filter = self->filter;

  filter.has_from = filter.has_to = filter.relative = has_range;
  filter.from = has_range ? from : 0;
  filter.to = has_range ? to : 0;
  cs_session_set_filter (self, &filter);
}

/**
 * cs_session_get_function:
 * @self: a session
 *
 * Returns: index in the profile of the function in focus; G_MAXUINT: none
 */
guint
cs_session_get_function (CsSession *self)
{
  return self->function;
}

/**
 * cs_session_set_function:
 * @self: a session
 * @function: index in the profile; G_MAXUINT: none
 *
 * Moves the focus of all views to a function. It follows the function when the profile changes.
 */
void
cs_session_set_function (CsSession *self, guint function)
{
  g_return_if_fail (CS_IS_SESSION (self));

  if (self->function == function)
    return;
  if (self->function != G_MAXUINT)
    add_step (self);
  self->function = function;
  notify (self, PROP_FUNCTION);
}

/**
 * cs_session_get_search:
 * @self: a session
 *
 * Returns: (transfer none): what is searched for; empty: nothing
 */
const char *
cs_session_get_search (CsSession *self)
{
  return self->search;
}

/**
 * cs_session_get_regex:
 * @self: a session
 *
 * Returns: whether the search is a regular expression
 */
gboolean
cs_session_get_regex (CsSession *self)
{
  return self->regex;
}

/**
 * cs_session_set_search:
 * @self: a session
 * @search: what to search for; empty: nothing
 * @regex: whether it is a regular expression
 */
void
cs_session_set_search (CsSession *self, const char *search, gboolean regex)
{
  g_return_if_fail (CS_IS_SESSION (self));

  if (!g_str_equal (self->search, search))
    {
      /* A search that is being typed is one step. */
      if (*self->search == '\0' || *search == '\0')
        add_step (self);
      g_free (self->search);
      self->search = g_strdup (search);
      notify (self, PROP_SEARCH);
    }
  if (self->regex != regex)
    {
      self->regex = regex;
      notify (self, PROP_REGEX);
    }
}

static void
take_step (CsSession *self, GPtrArray *from, GPtrArray *to)
{
  Step *step;

  if (from->len == 0)
    return;
  step = g_ptr_array_steal_index (from, from->len - 1);
  g_ptr_array_add (to, make_step (self));
  self->stepping = TRUE;
  cs_session_set_search (self, step->search, step->regex);
  cs_session_set_filter (self, &step->filter);
  cs_session_set_function (self, step->has_function ? find_function (self->profile, step->module, step->address)
                                                    : G_MAXUINT);
  self->stepping = FALSE;
  step_free (step);
  notify_steps (self);
}

/**
 * cs_session_back:
 * @self: a session
 *
 * Undoes the last change of filter, function or search.
 */
void
cs_session_back (CsSession *self)
{
  g_return_if_fail (CS_IS_SESSION (self));

  take_step (self, self->back, self->forward);
}

/**
 * cs_session_forward:
 * @self: a session
 *
 * Does again what cs_session_back() undid.
 */
void
cs_session_forward (CsSession *self)
{
  g_return_if_fail (CS_IS_SESSION (self));

  take_step (self, self->forward, self->back);
}

/**
 * cs_session_tell:
 * @self: a session
 * @text: a sentence for the person; any bytes
 */
void
cs_session_tell (CsSession *self, const char *text)
{
  cs_session_tell_with_action (self, text, NULL, NULL);
}

/**
 * cs_session_tell_with_action:
 * @self: a session
 * @text: a sentence for the person; any bytes
 * @label: (nullable): of a button beside it
 * @detailed_action: (nullable): what the button does, as "select.undo"
 */
void
cs_session_tell_with_action (CsSession *self, const char *text, const char *label, const char *detailed_action)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_return_if_fail (CS_IS_SESSION (self));

  g_signal_emit (self, signals[MESSAGE], 0, valid, label, detailed_action);
}

/**
 * cs_session_show_view:
 * @self: a session
 * @name: of a view: "select", "record", "hotspots"
 */
void
cs_session_show_view (CsSession *self, const char *name)
{
  g_return_if_fail (CS_IS_SESSION (self));

  g_signal_emit (self, signals[VIEW_REQUESTED], 0, name);
}
