/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-session-private.h"

static GParamSpec *properties[PROP_FOLLOW + 1];

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
                    G_DEFINE_ENUM_VALUE (CS_SESSION_PARTIAL, "partial"),
                    G_DEFINE_ENUM_VALUE (CS_SESSION_READY, "ready"),
                    G_DEFINE_ENUM_VALUE (CS_SESSION_FAILED, "failed"))

void
cs_session_notify (CsSession *self, CsSessionProperty property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

void
cs_session_set_state (CsSession *self, CsSessionState state)
{
  if (self->state == state)
    return;
  self->state = state;
  cs_session_notify (self, PROP_STATE);
}

void
cs_session_set_progress (CsSession *self, double progress)
{
  if (self->progress >= progress && self->progress <= progress)
    return;
  self->progress = progress;
  cs_session_notify (self, PROP_PROGRESS);
}

static gboolean
is_busy (CsSession *self)
{
  return self->reading != NULL || self->filtering != NULL;
}

static void
cs_session_dispose (GObject *object)
{
  CsSession *self = CS_SESSION (object);

  cs_session_stop_reading (self);
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
  cs_session_free_focus (self);
  g_free (self->base);
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
    case PROP_PATH:
      g_value_set_pointer (value, self->path);
      break;
    case PROP_MARKS:
      g_value_set_pointer (value, self->marks);
      break;
    case PROP_CALL:
      g_value_set_pointer (value, self->has_call ? &self->call : NULL);
      break;
    case PROP_VISIBLE:
      g_value_set_boolean (value, self->visible_from < self->visible_to);
      break;
    case PROP_BASE:
      g_value_set_string (value, self->base);
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
    case PROP_PROGRESS:
      g_value_set_double (value, self->progress);
      break;
    case PROP_GROWING:
      g_value_set_boolean (value, self->growing);
      break;
    case PROP_FOLLOW:
      g_value_set_boolean (value, self->follow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
cs_session_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_FOLLOW)
    cs_session_set_follow (CS_SESSION (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
cs_session_class_init (CsSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->dispose = cs_session_dispose;
  object_class->finalize = cs_session_finalize;
  object_class->get_property = cs_session_get_property;
  object_class->set_property = cs_session_set_property;
  properties[PROP_PROJECT] = g_param_spec_object ("project", NULL, NULL, CS_TYPE_PROJECT, flags);
  properties[PROP_STATE] = g_param_spec_enum ("state", NULL, NULL, CS_TYPE_SESSION_STATE, CS_SESSION_EMPTY, flags);
  properties[PROP_ERROR] = g_param_spec_string ("error", NULL, NULL, NULL, flags);
  properties[PROP_RECORDING] = g_param_spec_object ("recording", NULL, NULL, CS_TYPE_RECORDING, flags);
  properties[PROP_PROFILE] = g_param_spec_object ("profile", NULL, NULL, CS_TYPE_PROFILE, flags);
  properties[PROP_TIMELINE] = g_param_spec_pointer ("timeline", NULL, NULL, flags);
  properties[PROP_FILTER] = g_param_spec_pointer ("filter", NULL, NULL, flags);
  properties[PROP_FUNCTION] = g_param_spec_uint ("function", NULL, NULL, 0, G_MAXUINT, G_MAXUINT, flags);
  properties[PROP_PATH] = g_param_spec_pointer ("path", NULL, NULL, flags);
  properties[PROP_MARKS] = g_param_spec_pointer ("marks", NULL, NULL, flags);
  properties[PROP_CALL] = g_param_spec_pointer ("call", NULL, NULL, flags);
  properties[PROP_VISIBLE] = g_param_spec_boolean ("visible", NULL, NULL, FALSE, flags);
  properties[PROP_BASE] = g_param_spec_string ("base", NULL, NULL, NULL, flags);
  properties[PROP_SEARCH] = g_param_spec_string ("search", NULL, NULL, "", flags);
  properties[PROP_REGEX] = g_param_spec_boolean ("regex", NULL, NULL, FALSE, flags);
  properties[PROP_CAN_BACK] = g_param_spec_boolean ("can-back", NULL, NULL, FALSE, flags);
  properties[PROP_CAN_FORWARD] = g_param_spec_boolean ("can-forward", NULL, NULL, FALSE, flags);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  properties[PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, 0, 1, 0, flags);
  properties[PROP_GROWING] = g_param_spec_boolean ("growing", NULL, NULL, FALSE, flags);
  properties[PROP_FOLLOW] = g_param_spec_boolean ("follow", NULL, NULL, TRUE, flags | G_PARAM_WRITABLE);
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
  self->follow = TRUE;
  self->least_look_us = G_USEC_PER_SEC;
  self->function = G_MAXUINT;
  cs_session_init_focus (self);
  self->search = g_strdup ("");
  self->back = g_ptr_array_new_with_free_func (cs_session_step_free);
  self->forward = g_ptr_array_new_with_free_func (cs_session_step_free);
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
 * Makes it the session's project, whose sources are listed and scanned in the background; the recording that is open
 * stays so. A project that is open already stays as it is, with its changes that aren't saved and with what runs for it.
 */
void
cs_session_open_project (CsSession *self, const char *folder)
{
  g_return_if_fail (CS_IS_SESSION (self));

  if (folder == NULL && self->project == NULL)
    return;
  if (folder != NULL && self->project != NULL)
    {
      g_autofree char *path = g_canonicalize_filename (folder, NULL);

      if (g_str_equal (path, cs_project_get_folder (self->project)))
        {
          cs_project_look (self->project);
          /* Files in it may be other ones. */
          g_object_notify (G_OBJECT (self->project), "adopted");
          cs_recordings_model_refresh (cs_project_get_recordings (self->project));
          return;
        }
    }
  g_clear_object (&self->project);
  if (folder != NULL)
    {
      self->project = cs_project_new (folder);
      cs_chooser_load (cs_project_get_chooser (self->project));
    }
  cs_session_notify (self, PROP_PROJECT);
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
 * cs_session_is_reading:
 * @self: a session
 *
 * Returns: whether the recording is being read for the first time, also when a part of it is shown
 */
gboolean
cs_session_is_reading (CsSession *self)
{
  return self->reading != NULL;
}

/**
 * cs_session_get_progress:
 * @self: a session
 *
 * Returns: how much of the recording has been read, 0 to 1
 */
double
cs_session_get_progress (CsSession *self)
{
  return self->progress;
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
 * Returns: (transfer none) (nullable): the profile of what the filter lets through; while the recording is being
 *   read, of what has been read so far
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
 * Returns: (transfer none) (nullable): the profile of the whole recording, once it has been read
 */
CsProfile *
cs_session_get_whole_profile (CsSession *self)
{
  return self->whole;
}

/* What no filter has narrowed. */
static CsProfile *
get_widest (CsSession *self)
{
  return self->whole != NULL ? self->whole : self->profile;
}

/**
 * cs_session_get_timeline:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the whole recording's index of time, or that of what has been read so far; a
 *   summary has none
 */
CsTimeline *
cs_session_get_timeline (CsSession *self)
{
  CsProfile *widest = get_widest (self);

  return widest != NULL ? cs_profile_get_timeline (widest) : NULL;
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
  CsProfile *widest = get_widest (self);

  return widest != NULL ? cs_profile_get_totals (widest)->origin : 0;
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
         && (!a->has_to || a->to == b->to) && (a->relative == b->relative || !(a->has_from || a->has_to)) && a->pid == b->pid
         && g_strcmp0 (a->thread, b->thread) == 0 && g_strcmp0 (a->function, b->function) == 0;
}

/**
 * cs_session_set_filter:
 * @self: a session
 * @filter: what of the recording to show; zeroed: all of it. Copied
 *
 * Makes the profile anew, in the background; of a recording that is being read, when all of it is there.
 */
void
cs_session_set_filter (CsSession *self, const CsProfileFilter *filter)
{
  CsProfileFilter copy = { 0 };

  g_return_if_fail (CS_IS_SESSION (self));

  if (filters_equal (filter, &self->filter))
    return;
  if (self->state == CS_SESSION_PARTIAL && self->reading == NULL)
    {
      cs_session_tell_with_action (self, _("Filters need the whole recording"), _("Read It"), "win.reload");
      /* Who shows another one takes it back. */
      cs_session_notify (self, PROP_FILTER);
      return;
    }
  cs_session_add_step (self);
  cs_profile_filter_copy (&copy, filter);
  cs_profile_filter_clear (&self->filter);
  self->filter = copy;
  cs_session_notify (self, PROP_FILTER);
  cs_session_update_profile (self);
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
        cs_session_add_step (self);
      g_free (self->search);
      self->search = g_strdup (search);
      cs_session_notify (self, PROP_SEARCH);
    }
  if (self->regex != regex)
    {
      self->regex = regex;
      cs_session_notify (self, PROP_REGEX);
    }
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
 * @name: of a view, as in cs_views_get()
 */
void
cs_session_show_view (CsSession *self, const char *name)
{
  g_return_if_fail (CS_IS_SESSION (self));

  g_signal_emit (self, signals[VIEW_REQUESTED], 0, name);
}
