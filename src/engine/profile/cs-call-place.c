/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-call-place.h"

/* Calls that begin at one time, of which one is meant. */
#define MOST_AT_ONCE 100000

/**
 * cs_call_find_track:
 * @timeline: an index of time
 * @process: index of a process in the recording
 * @tid: id of one of its threads
 * @seq: of the thread's first file
 *
 * Returns: the thread's track, or %G_MAXUINT
 */
guint
cs_call_find_track (CsTimeline *timeline, guint process, guint tid, guint64 seq)
{
  for (guint i = 0; i < cs_timeline_get_n_tracks (timeline); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, i);

      if (info->process == process && info->tid == tid && info->seq == seq)
        return i;
    }
  return G_MAXUINT;
}

/* How well a call is the one that is meant; 0: not at all. */
static guint
compare (const CsCallPlace *place, const CsTimelineSpan *span)
{
  if (span->start != place->start || (place->address != 0 && span->address != place->address))
    return 0;
  return 1 + 4 * (place->position != 0 && span->position == place->position)
         + 2 * (place->depth != G_MAXUINT32 && span->depth == place->depth) + 1 * (span->end == place->end);
}

/**
 * cs_call_locate:
 * @timeline: an index of time
 * @place: what is known of a call
 * @call: (out): the call there, as the index has it
 * @cancellable: (nullable): to give up early
 * @error: where to say what could not be read
 *
 * Finds a call by its thread, function and start. Of several that begin then it is the one that agrees in most of the rest. Blocks;
 * see cs_call_locate_async().
 *
 * Returns: whether there is one; %FALSE without @error where there is none
 */
gboolean
cs_call_locate (CsTimeline *timeline, const CsCallPlace *place, CsTimelineCall *call, GCancellable *cancellable,
                GError **error)
{
  CsTimelineSearch search = { .track = cs_call_find_track (timeline, place->process, place->tid, place->seq),
                              .process = G_MAXUINT, .t0 = place->start, .t1 = place->start + 1,
                              .address = place->address, .limit = MOST_AT_ONCE };
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  guint best = 0;
  gboolean more;

  if (search.track == G_MAXUINT || place->start == G_MAXINT64)
    return FALSE;
  if (!cs_timeline_find_calls (timeline, &search, calls, &more, cancellable, error))
    return FALSE;
  for (guint i = 0; i < calls->len; i++)
    {
      const CsTimelineCall *found = &g_array_index (calls, CsTimelineCall, i);
      guint match = compare (place, &found->span);

      if (match > best)
        {
          best = match;
          *call = *found;
        }
    }
  return best > 0;
}

/**
 * cs_call_get_callers:
 * @timeline: an index of time
 * @call: a call in it
 * @limit: how many callers at most
 * @cancellable: (nullable): to give up early
 * @error: where to say what could not be read
 *
 * Blocks; see cs_call_get_callers_async().
 *
 * Returns: (transfer full) (nullable) (element-type CsTimelineSpan): the calls that it was made in, the innermost first
 */
GArray *
cs_call_get_callers (CsTimeline *timeline, const CsTimelineCall *call, guint limit, GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (GArray) callers = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
  g_autoptr (GError) own = NULL;
  CsTimelineSpan span = call->span, parent;

  while (callers->len < limit && span.depth > 0
         && cs_timeline_get_relative (timeline, call->track, &span, CS_TIMELINE_PARENT, &parent, &own))
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      g_array_append_val (callers, parent);
      span = parent;
    }
  if (own != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&own));
      return NULL;
    }
  return g_steal_pointer (&callers);
}

/* A question, until it is answered. */
typedef struct
{
  CsTimeline *timeline;
  CsCallPlace place;
  CsTimelineCall call;
  guint limit;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  cs_timeline_unref (job->timeline);
  g_free (job);
}

static GTask *
begin (CsTimeline *timeline, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data, Job **job)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  *job = g_new0 (Job, 1);
  (*job)->timeline = cs_timeline_ref (timeline);
  g_task_set_task_data (task, *job, job_free);
  return task;
}

static void
run_locate (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  gboolean found = cs_call_locate (job->timeline, &job->place, &job->call, cancellable, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, found);
}

/**
 * cs_call_locate_async:
 * @timeline: an index of time
 * @place: what is known of a call
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is found
 * @user_data: for @callback
 *
 * Runs cs_call_locate() in a thread.
 */
void
cs_call_locate_async (CsTimeline *timeline, const CsCallPlace *place, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  Job *job;
  g_autoptr (GTask) task = begin (timeline, cancellable, callback, user_data, &job);

  job->place = *place;
  g_task_set_source_tag (task, cs_call_locate_async);
  g_task_run_in_thread (task, run_locate);
}

/**
 * cs_call_locate_finish:
 * @result: what the callback got
 * @call: (out): the call
 * @error: where to say what could not be read
 *
 * Returns: whether there is one; %FALSE without @error where there is none
 */
gboolean
cs_call_locate_finish (GAsyncResult *result, CsTimelineCall *call, GError **error)
{
  const Job *job = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  *call = job->call;
  return TRUE;
}

static void
run_callers (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  GArray *callers = cs_call_get_callers (job->timeline, &job->call, job->limit, cancellable, &error);

  if (callers != NULL)
    g_task_return_pointer (task, callers, (GDestroyNotify) g_array_unref);
  else
    g_task_return_error (task, error);
}

/**
 * cs_call_get_callers_async:
 * @timeline: an index of time
 * @call: a call in it
 * @limit: how many callers at most
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when they are there
 * @user_data: for @callback
 *
 * Runs cs_call_get_callers() in a thread.
 */
void
cs_call_get_callers_async (CsTimeline *timeline, const CsTimelineCall *call, guint limit, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  Job *job;
  g_autoptr (GTask) task = begin (timeline, cancellable, callback, user_data, &job);

  job->call = *call;
  job->limit = limit;
  g_task_set_source_tag (task, cs_call_get_callers_async);
  g_task_run_in_thread (task, run_callers);
}

/**
 * cs_call_get_callers_finish:
 * @result: what the callback got
 * @error: where to say what could not be read
 *
 * Returns: (transfer full) (nullable) (element-type CsTimelineSpan): the calls that it was made in, the innermost first
 */
GArray *
cs_call_get_callers_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
