/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-session-private.h"

/* Between two looks at a recording that grows there is so many times what the last took. */
#define LOOK_FACTOR 10

/* What a look is taken at, and what it finds. */
typedef struct
{
  GCancellable *cancellable;
  char **paths;
  CsRecording *recording;   /* of the last look */
  CsSymbolizer *symbolizer;
  CsLive *live;             /* (nullable): only asks whether the recording grows */

  CsProfile *profile; /* (nullable) */
  gboolean growing;
  gboolean shorter;
} Look;

static void
look_free (gpointer data)
{
  Look *look = data;

  g_object_unref (look->cancellable);
  g_strfreev (look->paths);
  g_object_unref (look->recording);
  g_object_unref (look->symbolizer);
  g_clear_object (&look->live);
  g_clear_object (&look->profile);
  g_free (look);
}

/* A recording that has ended is read once more as any other one, which also keeps its index. */
static CsProfile *
read_complete (Look *look, GError **error)
{
  CsProfileOptions options;
  g_autoptr (CsRecording) recording = cs_recording_open ((const char *const *) look->paths, look->cancellable, error);
  CsProfile *profile;

  if (recording == NULL)
    return NULL;
  cs_session_init_options (&options);
  profile = cs_profile_new (recording, look->symbolizer, &options, NULL, look->cancellable, error);
  look->growing = cs_recording_is_growing (recording);
  return profile;
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Look *look = data;
  GError *error = NULL;

  /* Asked before reading, so that what comes last is read, too. */
  look->growing = cs_recording_is_growing (look->recording);
  if (look->live != NULL)
    {
      look->profile = look->growing ? cs_live_refresh (look->live, cancellable, &error) : read_complete (look, &error);
      look->shorter = cs_live_get_shorter (look->live);
    }
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
set_growing (CsSession *self, gboolean growing)
{
  if (self->growing == growing)
    return;
  self->growing = growing;
  cs_session_notify (self, PROP_GROWING);
}

/* The recording isn't looked at any more. */
void
cs_session_stop_following (CsSession *self)
{
  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_handle_id (&self->look_timer, g_source_remove);
  g_clear_object (&self->live);
  set_growing (self, FALSE);
}

/* What is shown stays as it is. */
static void
give_up (CsSession *self, const char *why)
{
  g_autofree char *text = g_strdup_printf (_("The recording isn’t followed any more, what was read of it stays: %s"), why);

  cs_session_stop_following (self);
  cs_session_tell (self, text);
}

static void look (CsSession *self);

static gboolean
on_look (gpointer data)
{
  CsSession *self = data;

  self->look_timer = 0;
  look (self);
  return G_SOURCE_REMOVE;
}

static void
look_later (CsSession *self)
{
  gint64 us = MAX (self->least_look_us, LOOK_FACTOR * self->look_cost_us);

  if (self->growing && self->follow && self->look_timer == 0 && self->looking == NULL)
    self->look_timer = g_timeout_add ((guint) (us / 1000), on_look, self);
}

static void
take (CsSession *self, CsProfile *profile)
{
  const CsProfileTotals *before = cs_profile_get_totals (self->whole), *now = cs_profile_get_totals (profile);

  /* Where nothing was added there is nothing to show. */
  if (self->growing && now->events == before->events && now->last == before->last)
    return;
  cs_session_take_whole (self, profile);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsSession *self = CS_SESSION (source);
  Look *found = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  if (found->cancellable != self->looking)
    return;
  g_clear_object (&self->looking);
  self->look_cost_us = g_get_monotonic_time () - self->look_us;
  /* What was found is found again by the look that is taken when it is followed once more. */
  if (self->growing && !self->follow)
    return;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      give_up (self, error->message);
      return;
    }
  if (found->shorter)
    {
      give_up (self, _("a file of it has become shorter — read it again with F5"));
      return;
    }
  set_growing (self, found->growing);
  if (found->profile != NULL)
    take (self, found->profile);
  if (!self->growing)
    cs_session_stop_following (self);
  look_later (self);
}

static void
look (CsSession *self)
{
  g_autoptr (GTask) task = NULL;
  Look *data = g_new0 (Look, 1);

  self->looking = g_cancellable_new ();
  self->look_us = g_get_monotonic_time ();
  if (self->growing && self->live == NULL)
    {
      CsProfileOptions options;

      cs_session_init_options (&options);
      self->live = cs_live_new ((const char *const *) self->paths, self->symbolizer, &options);
    }
  data->cancellable = g_object_ref (self->looking);
  data->paths = g_strdupv (self->paths);
  data->recording = g_object_ref (self->recording);
  data->symbolizer = g_object_ref (self->symbolizer);
  data->live = self->live != NULL ? g_object_ref (self->live) : NULL;
  task = g_task_new (self, self->looking, on_looked, NULL);
  g_task_set_task_data (task, data, look_free);
  g_task_run_in_thread (task, look_in_thread);
}

/* Shows a recording that has been read as it grows, if it does. One that grew when it was opened is read again in any case:
 * what was written while it was read isn't in the profile. */
void
cs_session_begin_following (CsSession *self)
{
  if (self->growing)
    cs_session_notify (self, PROP_GROWING);
  if (!self->growing || self->follow)
    look (self);
}

/**
 * cs_session_get_growing:
 * @self: a session
 *
 * Returns: whether the recording is still being written
 */
gboolean
cs_session_get_growing (CsSession *self)
{
  return self->growing;
}

/**
 * cs_session_get_follow:
 * @self: a session
 *
 * Returns: whether a recording that is still being written is shown as it grows
 */
gboolean
cs_session_get_follow (CsSession *self)
{
  return self->follow;
}

/**
 * cs_session_set_follow:
 * @self: a session
 * @follow: whether a recording that is still being written is to be shown as it grows; %FALSE: what is shown stays
 */
void
cs_session_set_follow (CsSession *self, gboolean follow)
{
  g_return_if_fail (CS_IS_SESSION (self));

  follow = follow != FALSE;
  if (self->follow == follow)
    return;
  self->follow = follow;
  cs_session_notify (self, PROP_FOLLOW);
  if (!follow)
    g_clear_handle_id (&self->look_timer, g_source_remove);
  else if (self->growing && self->looking == NULL)
    look (self);
}
