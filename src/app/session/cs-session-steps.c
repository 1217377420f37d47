/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cs-session-private.h"

/* More steps back than this are forgotten. */
#define MOST_STEPS 100

/* What can be gone back to. */
typedef struct
{
  CsProfileFilter filter;
  gboolean has_focus;
  CsSessionFunction focus;
  GArray *path, *marks;
  char *search;
  gboolean regex;
} CsSessionStep;

void
cs_session_step_free (gpointer data)
{
  CsSessionStep *step = data;

  cs_profile_filter_clear (&step->filter);
  g_array_unref (step->path);
  g_array_unref (step->marks);
  g_free (step->search);
  g_free (step);
}

static CsSessionStep *
make_step (CsSession *self)
{
  CsSessionStep *step = g_new0 (CsSessionStep, 1);

  cs_profile_filter_copy (&step->filter, &self->filter);
  step->path = g_array_copy (self->path);
  step->marks = g_array_copy (self->marks);
  step->search = g_strdup (self->search);
  step->regex = self->regex;
  step->has_focus = self->has_focus;
  step->focus = self->focus;
  return step;
}

/**
 * cs_session_find_function:
 * @profile: (nullable): a profile
 * @module: (nullable): path of a function's module
 * @address: its link address
 *
 * Returns: the function's index in the profile; %G_MAXUINT: it isn't there
 */
guint
cs_session_find_function (CsProfile *profile, const char *module, guint64 address)
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

void
cs_session_notify_steps (CsSession *self)
{
  cs_session_notify (self, PROP_CAN_BACK);
  cs_session_notify (self, PROP_CAN_FORWARD);
}

/* What follows can be gone back from. */
void
cs_session_add_step (CsSession *self)
{
  if (self->stepping)
    return;
  if (self->back->len == MOST_STEPS)
    g_ptr_array_remove_index (self->back, 0);
  g_ptr_array_add (self->back, make_step (self));
  g_ptr_array_set_size (self->forward, 0);
  cs_session_notify_steps (self);
}

static void
take_step (CsSession *self, GPtrArray *from, GPtrArray *to)
{
  CsSessionStep *step;

  if (from->len == 0)
    return;
  step = g_ptr_array_steal_index (from, from->len - 1);
  g_ptr_array_add (to, make_step (self));
  self->stepping = TRUE;
  cs_session_set_search (self, step->search, step->regex);
  cs_session_set_filter (self, &step->filter);
  cs_session_put_function (self, step->has_focus, step->focus);
  cs_session_put_marks (self, step->marks);
  cs_session_put_path (self, step->path);
  self->stepping = FALSE;
  cs_session_step_free (step);
  cs_session_notify_steps (self);
}

/**
 * cs_session_back:
 * @self: a session
 *
 * Undoes the last change of filter, function, path, marks or search.
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
