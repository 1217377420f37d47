/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "profile/cs-call-search.h"
#include "tables/cs-search-texts.h"
#include "timeline/cs-timeline-focus.h"

/* From call to call of more functions than these it would be a long way: all calls of each are looked at. */
#define MOST_FOLLOWED 64u

struct _CsTimelineFocus
{
  gatomicrefcount count;
  CsTimelineNames *names;
  guint function; /* the only one; G_MAXUINT: those that match */
  char *needle;   /* (nullable): folded */
  GRegex *regex;  /* (nullable) */
  guint8 *known;  /* by function: whether it matches: UNKNOWN, NO, YES. Of the main thread */
};

enum { UNKNOWN, NO, YES };

static CsTimelineFocus *
make (CsTimelineNames *names, guint function)
{
  CsTimelineFocus *self = g_new0 (CsTimelineFocus, 1);
  guint n = 0;

  g_atomic_ref_count_init (&self->count);
  self->names = cs_timeline_names_ref (names);
  self->function = function;
  cs_profile_get_functions (cs_timeline_names_get_profile (names), &n);
  self->known = g_new0 (guint8, n + 1);
  return self;
}

/**
 * cs_timeline_focus_new_search:
 * @names: names, with a profile
 * @text: what functions' names, files or modules have, in any case; not empty
 * @regex: whether it is a regular expression
 * @error: where to say what is wrong with it
 *
 * Returns: (transfer full) (nullable): the functions that match
 */
CsTimelineFocus *
cs_timeline_focus_new_search (CsTimelineNames *names, const char *text, gboolean regex, GError **error)
{
  GRegex *compiled = NULL;
  CsTimelineFocus *self;

  if (regex && (compiled = cs_search_make_regex (text, error)) == NULL)
    return NULL;
  self = make (names, G_MAXUINT);
  self->regex = compiled;
  self->needle = g_utf8_casefold (text, -1);
  return self;
}

/**
 * cs_timeline_focus_new_function:
 * @names: names, with a profile
 * @function: index of a function in that
 *
 * Returns: (transfer full): this function alone
 */
CsTimelineFocus *
cs_timeline_focus_new_function (CsTimelineNames *names, guint function)
{
  return make (names, function);
}

/**
 * cs_timeline_focus_ref:
 * @self: functions
 *
 * Returns: (transfer full): the same
 */
CsTimelineFocus *
cs_timeline_focus_ref (CsTimelineFocus *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

/**
 * cs_timeline_focus_unref:
 * @self: (transfer full): functions
 */
void
cs_timeline_focus_unref (CsTimelineFocus *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  cs_timeline_names_unref (self->names);
  g_clear_pointer (&self->regex, g_regex_unref);
  g_free (self->needle);
  g_free (self->known);
  g_free (self);
}

static gboolean
matches (const CsTimelineFocus *self, const CsFunction *functions, guint function)
{
  return self->function != G_MAXUINT ? function == self->function
                                     : cs_search_matches (&functions[function].location, self->needle, self->regex);
}

/**
 * cs_timeline_focus_filter:
 * @self: functions
 * @calls: (element-type CsTimelineCall): calls and blocks
 *
 * Returns: (transfer full) (element-type CsTimelineCall): those of the functions
 */
GArray *
cs_timeline_focus_filter (CsTimelineFocus *self, const GArray *calls)
{
  const CsFunction *functions = cs_profile_get_functions (cs_timeline_names_get_profile (self->names), &(guint){ 0 });
  GArray *taken = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));

  for (guint i = 0; i < calls->len; i++)
    {
      const CsTimelineCall *call = &g_array_index (calls, CsTimelineCall, i);
      guint function = call->span.address != 0 ? cs_timeline_names_get_function (self->names, call) : G_MAXUINT;

      if (function == G_MAXUINT)
        continue;
      if (self->known[function] == UNKNOWN)
        self->known[function] = matches (self, functions, function) ? YES : NO;
      if (self->known[function] == YES)
        g_array_append_val (taken, *call);
    }
  return taken;
}

/* A question, until it is answered. */
typedef struct
{
  CsTimelineFocus *focus;
  CsTimelineMatches matches;
  CsTimelineCall from;
  gboolean backwards;
  gboolean *tracks; /* (nullable) */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  cs_timeline_focus_unref (job->focus);
  g_free (job->tracks);
  g_free (job);
}

static GTask *
begin (CsTimelineFocus *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data, Job **job)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  *job = g_new0 (Job, 1);
  (*job)->focus = cs_timeline_focus_ref (self);
  g_task_set_task_data (task, *job, job_free);
  return task;
}

/* All functions that match, at most so many. */
static GArray *
list (const CsTimelineFocus *self, guint limit, CsTimelineMatches *sum, GCancellable *cancellable)
{
  GArray *functions = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n;
  const CsFunction *all = cs_profile_get_functions (cs_timeline_names_get_profile (self->names), &n);

  for (guint i = 0; i < n && !g_cancellable_is_cancelled (cancellable); i++)
    if (matches (self, all, i))
      {
        sum->n_functions++;
        sum->n_calls += all[i].calls + all[i].open;
        if (functions->len < limit)
          g_array_append_val (functions, i);
      }
  return functions;
}

static void
run_count (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;

  g_array_unref (list (job->focus, 0, &job->matches, cancellable));
  g_task_return_boolean (task, TRUE);
}

/**
 * cs_timeline_focus_count_async:
 * @self: functions
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is known how many functions match, and how many calls they have
 * @user_data: for @callback
 */
void
cs_timeline_focus_count_async (CsTimelineFocus *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  Job *job;
  g_autoptr (GTask) task = begin (self, cancellable, callback, user_data, &job);

  g_task_set_source_tag (task, cs_timeline_focus_count_async);
  g_task_run_in_thread (task, run_count);
}

/**
 * cs_timeline_focus_count_finish:
 * @result: what the callback got
 * @matches: (out): how much there is
 * @error: set where it was cancelled
 *
 * Returns: whether it is known
 */
gboolean
cs_timeline_focus_count_finish (GAsyncResult *result, CsTimelineMatches *matches, GError **error)
{
  const Job *job = g_task_get_task_data (G_TASK (result));

  *matches = job->matches;
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
run_next (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  CsTimelineMatches sum = { 0 };
  g_autoptr (GArray) functions = list (job->focus, MOST_FOLLOWED + 1, &sum, cancellable);
  const CsCallSet set = { .functions = (const guint *) (gconstpointer) functions->data, .n_functions = functions->len,
                          .track = G_MAXUINT, .tracks = job->tracks };
  CsTimelineCall call;
  GError *error = NULL;

  if (functions->len > MOST_FOLLOWED)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_TOO_MANY_LINKS,
                             _("More than %u functions match — type more of the name to go from call to call"),
                             MOST_FOLLOWED);
  else if (cs_call_search_next (cs_timeline_names_get_profile (job->focus->names),
                                cs_timeline_names_get_timeline (job->focus->names), &set, &job->from, job->backwards,
                                &call, cancellable, &error))
    g_task_return_pointer (task, g_memdup2 (&call, sizeof call), g_free);
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, NULL, NULL);
}

/**
 * cs_timeline_focus_next_async:
 * @self: functions
 * @from: where to begin, as for cs_call_search_next()
 * @backwards: whether the call before is wanted
 * @tracks: (nullable): by track: whether its calls count. Copied
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when the functions' next call is found
 * @user_data: for @callback
 */
void
cs_timeline_focus_next_async (CsTimelineFocus *self, const CsTimelineCall *from, gboolean backwards,
                              const gboolean *tracks, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  guint n = cs_timeline_get_n_tracks (cs_timeline_names_get_timeline (self->names));
  Job *job;
  g_autoptr (GTask) task = begin (self, cancellable, callback, user_data, &job);

  job->from = *from;
  job->backwards = backwards;
  job->tracks = tracks != NULL ? g_memdup2 (tracks, n * sizeof (gboolean)) : NULL;
  g_task_set_source_tag (task, cs_timeline_focus_next_async);
  g_task_run_in_thread (task, run_next);
}

/**
 * cs_timeline_focus_next_finish:
 * @result: what the callback got
 * @call: (out): the call
 * @error: where to say why there is none
 *
 * Returns: whether there is one; %FALSE without @error where there is none
 */
gboolean
cs_timeline_focus_next_finish (GAsyncResult *result, CsTimelineCall *call, GError **error)
{
  g_autofree CsTimelineCall *found = g_task_propagate_pointer (G_TASK (result), error);

  if (found == NULL)
    return FALSE;
  *call = *found;
  return TRUE;
}
