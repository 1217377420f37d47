/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "cs-session-private.h"

void
cs_session_init_focus (CsSession *self)
{
  self->path = g_array_new (FALSE, FALSE, sizeof (CsSessionFunction));
  self->marks = g_array_new (FALSE, FALSE, sizeof (CsSessionMark));
}

void
cs_session_free_focus (CsSession *self)
{
  g_array_unref (self->path);
  g_array_unref (self->marks);
  g_clear_pointer (&self->found_path, g_array_unref);
}

/* What is in focus belongs to a recording. */
void
cs_session_forget_focus (CsSession *self)
{
  g_array_set_size (self->path, 0);
  g_array_set_size (self->marks, 0);
  g_clear_pointer (&self->found_path, g_array_unref);
  self->has_focus = FALSE;
  self->function = G_MAXUINT;
  self->has_call = FALSE;
  self->visible_from = self->visible_to = 0;
  cs_session_notify (self, PROP_FUNCTION);
  cs_session_notify (self, PROP_PATH);
  cs_session_notify (self, PROP_MARKS);
  cs_session_notify (self, PROP_CALL);
  cs_session_notify (self, PROP_VISIBLE);
}

static gboolean
arrays_equal (const GArray *a, const GArray *b)
{
  return a->len == b->len
         && (a->len == 0 || memcmp (a->data, b->data, a->len * g_array_get_element_size ((GArray *) a)) == 0);
}

static void
copy_array (GArray *to, const GArray *from)
{
  g_array_set_size (to, 0);
  if (from->len > 0)
    g_array_append_vals (to, from->data, from->len);
}

/* Where the function in focus is in the profile. */
void
cs_session_find_focus (CsSession *self)
{
  self->function = self->has_focus ? cs_session_find_function (self->profile, self->focus.module, self->focus.address)
                                   : G_MAXUINT;
}

/* Takes another function without making a step of it. */
void
cs_session_put_function (CsSession *self, gboolean has_focus, CsSessionFunction focus)
{
  if (self->has_focus == has_focus
      && (!has_focus || (self->focus.module == focus.module && self->focus.address == focus.address)))
    return;
  self->has_focus = has_focus;
  self->focus = focus;
  cs_session_find_focus (self);
  cs_session_notify (self, PROP_FUNCTION);
}

/* A function of the profile, in whatever profile. */
static CsSessionFunction
name_function (const CsFunction *function)
{
  return (CsSessionFunction){ g_intern_string (function->location.module), function->location.address };
}

/**
 * cs_session_get_function:
 * @self: a session
 *
 * Returns: index in the profile of the function in focus; %G_MAXUINT: none, or the profile doesn't have it
 */
guint
cs_session_get_function (CsSession *self)
{
  return self->function;
}

/**
 * cs_session_set_function:
 * @self: a session
 * @function: index in the profile; %G_MAXUINT: none
 *
 * Moves the focus of all views to a function. It follows the function when the profile changes, also past one that doesn't
 * have it.
 */
void
cs_session_set_function (CsSession *self, guint function)
{
  const CsFunction *functions = NULL;
  CsSessionFunction focus = { 0 };
  guint n = 0;

  g_return_if_fail (CS_IS_SESSION (self));

  if (self->function == function && (function != G_MAXUINT || !self->has_focus))
    return;
  if (self->profile != NULL)
    functions = cs_profile_get_functions (self->profile, &n);
  g_return_if_fail (function == G_MAXUINT || function < n);

  if (function != G_MAXUINT)
    focus = name_function (&functions[function]);
  if (self->has_focus)
    cs_session_add_step (self);
  cs_session_put_function (self, function != G_MAXUINT, focus);
}

/* Takes another path without making a step of it. */
void
cs_session_put_path (CsSession *self, const GArray *path)
{
  if (arrays_equal (self->path, path))
    return;
  copy_array (self->path, path);
  g_clear_pointer (&self->found_path, g_array_unref);
  cs_session_notify (self, PROP_PATH);
}

void
cs_session_put_marks (CsSession *self, const GArray *marks)
{
  if (arrays_equal (self->marks, marks))
    return;
  copy_array (self->marks, marks);
  cs_session_notify (self, PROP_MARKS);
}

/**
 * cs_session_get_path:
 * @self: a session
 * @n: (out): how many functions
 *
 * Returns: (transfer none) (nullable) (array length=n): the functions from the outermost call to the frame that flame
 *   graphs are zoomed to, indices in the profile. %NULL: to none, or the profile doesn't have one of them
 */
const guint *
cs_session_get_path (CsSession *self, guint *n)
{
  *n = 0;
  if (self->path->len == 0 || self->profile == NULL)
    return NULL;
  if (self->found_path == NULL)
    {
      self->found_path = g_array_sized_new (FALSE, FALSE, sizeof (guint), self->path->len);
      for (guint i = 0; i < self->path->len; i++)
        {
          const CsSessionFunction *wanted = &g_array_index (self->path, CsSessionFunction, i);
          guint function = cs_session_find_function (self->profile, wanted->module, wanted->address);

          if (function == G_MAXUINT)
            {
              g_array_set_size (self->found_path, 0);
              break;
            }
          g_array_append_val (self->found_path, function);
        }
    }
  *n = self->found_path->len;
  return *n > 0 ? (const guint *) (gpointer) self->found_path->data : NULL;
}

/**
 * cs_session_set_path:
 * @self: a session with a profile
 * @functions: (array length=n): from the outermost call to a frame, indices in the profile
 * @n: how many; 0: flame graphs show all
 *
 * Zooms flame graphs to a frame. It follows its functions when the profile changes.
 */
void
cs_session_set_path (CsSession *self, const guint *functions, guint n)
{
  g_autoptr (GArray) path = NULL;
  const CsFunction *all;
  guint n_all;

  g_return_if_fail (CS_IS_SESSION (self));
  g_return_if_fail (self->profile != NULL);

  all = cs_profile_get_functions (self->profile, &n_all);
  path = g_array_sized_new (FALSE, TRUE, sizeof (CsSessionFunction), n);
  for (guint i = 0; i < n; i++)
    {
      CsSessionFunction function;

      g_return_if_fail (functions[i] < n_all);
      function = name_function (&all[functions[i]]);
      g_array_append_val (path, function);
    }
  if (arrays_equal (self->path, path))
    return;
  cs_session_add_step (self);
  cs_session_put_path (self, path);
}

/**
 * cs_session_get_marks:
 * @self: a session
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): what flame graphs hide, or show alone
 */
const CsSessionMark *
cs_session_get_marks (CsSession *self, guint *n)
{
  *n = self->marks->len;
  return (const CsSessionMark *) (gpointer) self->marks->data;
}

/**
 * cs_session_set_mark:
 * @self: a session with a profile
 * @function: index in the profile
 * @whole_module: whether the mark is for all functions of its module
 * @mark: what flame graphs do with it; %CS_FLAME_KEEP takes the mark away
 */
void
cs_session_set_mark (CsSession *self, guint function, gboolean whole_module, CsFlameMark mark)
{
  g_autoptr (GArray) marks = NULL;
  CsSessionMark added;
  const CsFunction *all;
  guint n;

  g_return_if_fail (CS_IS_SESSION (self));
  g_return_if_fail (self->profile != NULL);
  all = cs_profile_get_functions (self->profile, &n);
  g_return_if_fail (function < n);

  memset (&added, 0, sizeof added); /* padding is compared, too */
  added.module = g_intern_string (all[function].location.module);
  added.address = whole_module ? 0 : all[function].location.address;
  added.whole = whole_module;
  added.mark = mark;
  marks = g_array_new (FALSE, FALSE, sizeof (CsSessionMark));
  for (guint i = 0; i < self->marks->len; i++)
    {
      const CsSessionMark *old = &g_array_index (self->marks, CsSessionMark, i);

      if (old->module != added.module || old->address != added.address || old->whole != added.whole)
        g_array_append_val (marks, *old);
    }
  if (mark != CS_FLAME_KEEP)
    g_array_append_val (marks, added);
  if (arrays_equal (self->marks, marks))
    return;
  cs_session_add_step (self);
  cs_session_put_marks (self, marks);
}

/**
 * cs_session_remove_mark:
 * @self: a session
 * @mark: number among cs_session_get_marks()
 *
 * Takes one mark away, also where the filter lets nothing of its function through.
 */
void
cs_session_remove_mark (CsSession *self, guint mark)
{
  g_autoptr (GArray) marks = NULL;

  g_return_if_fail (CS_IS_SESSION (self));
  g_return_if_fail (mark < self->marks->len);

  marks = g_array_copy (self->marks);
  g_array_remove_index (marks, mark);
  cs_session_add_step (self);
  cs_session_put_marks (self, marks);
}

/**
 * cs_session_clear_marks:
 * @self: a session
 *
 * Takes all marks away.
 */
void
cs_session_clear_marks (CsSession *self)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (CsSessionMark));

  g_return_if_fail (CS_IS_SESSION (self));

  if (self->marks->len == 0)
    return;
  cs_session_add_step (self);
  cs_session_put_marks (self, none);
}

/**
 * cs_session_dup_function_marks:
 * @self: a session with a profile
 *
 * Where what alone is to be shown isn't in the profile, nothing is.
 *
 * Returns: (transfer full) (nullable): the CsFlameMark of each function of the profile; %NULL: there are no marks
 */
guint8 *
cs_session_dup_function_marks (CsSession *self)
{
  const CsFunction *functions;
  gboolean only = FALSE;
  guint8 *marks;
  guint n;

  g_return_val_if_fail (self->profile != NULL, NULL);

  if (self->marks->len == 0)
    return NULL;
  functions = cs_profile_get_functions (self->profile, &n);
  marks = g_new0 (guint8, MAX (n, 1));
  for (guint i = 0; i < self->marks->len; i++)
    {
      const CsSessionMark *mark = &g_array_index (self->marks, CsSessionMark, i);

      only |= mark->mark == CS_FLAME_ONLY;
      if (mark->whole)
        cs_flame_mark_module (marks, functions, n, mark->module, mark->mark);
      else
        {
          guint function = cs_session_find_function (self->profile, mark->module, mark->address);

          if (function != G_MAXUINT)
            marks[function] = (guint8) mark->mark;
        }
    }
  if (only && memchr (marks, CS_FLAME_ONLY, n) == NULL)
    memset (marks, CS_FLAME_CUT, n);
  return marks;
}

/**
 * cs_session_get_call:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the single call in focus
 */
const CsSessionCall *
cs_session_get_call (CsSession *self)
{
  return self->has_call ? &self->call : NULL;
}

/**
 * cs_session_set_call:
 * @self: a session
 * @call: (nullable): a call of the recording. Copied
 *
 * Moves the focus of all views that show single calls. It is told anew also for the call that has the focus, since the
 * person may have gone elsewhere since.
 */
void
cs_session_set_call (CsSession *self, const CsSessionCall *call)
{
  g_return_if_fail (CS_IS_SESSION (self));

  self->has_call = call != NULL;
  if (call != NULL)
    self->call = *call;
  cs_session_notify (self, PROP_CALL);
}

/**
 * cs_session_get_visible:
 * @self: a session
 * @from: (out): ns from the recording's start
 * @to: (out): the end, which is not in it
 *
 * Returns: whether a view shows a part of the time, as the timeline does
 */
gboolean
cs_session_get_visible (CsSession *self, gint64 *from, gint64 *to)
{
  *from = self->visible_from;
  *to = self->visible_to;
  return self->visible_from < self->visible_to;
}

/**
 * cs_session_set_visible:
 * @self: a session
 * @from: ns from the recording's start
 * @to: the end, which is not in it; @from: no part
 *
 * Tells what part of the time is on view. That is no filter, and can't be undone.
 */
void
cs_session_set_visible (CsSession *self, gint64 from, gint64 to)
{
  g_return_if_fail (CS_IS_SESSION (self));

  if (self->visible_from == from && self->visible_to == to)
    return;
  self->visible_from = from;
  self->visible_to = to;
  cs_session_notify (self, PROP_VISIBLE);
}

/**
 * cs_session_get_base:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): path of what the recording is compared with; %NULL: nothing was chosen yet
 */
const char *
cs_session_get_base (CsSession *self)
{
  return self->base;
}

/**
 * cs_session_set_base:
 * @self: a session
 * @path: (nullable): of a recording, or of a report's file
 *
 * Chooses what the recording is compared with.
 */
void
cs_session_set_base (CsSession *self, const char *path)
{
  g_return_if_fail (CS_IS_SESSION (self));

  if (g_strcmp0 (self->base, path) == 0)
    return;
  g_free (self->base);
  self->base = g_strdup (path);
  cs_session_notify (self, PROP_BASE);
}
