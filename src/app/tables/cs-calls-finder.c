/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-profile-calls.h"
#include "tables/cs-calls-finder.h"

typedef struct
{
  CsProfile *profile;
  guint function;
  guint64 from, to;
  guint limit;
  CsFoundCalls *found;
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;

  g_object_unref (search->profile);
  g_clear_pointer (&search->found, cs_found_calls_free);
  g_free (search);
}

/* Puts a call among the longest. */
static void
keep (Search *search, const CsFoundCall *call)
{
  GArray *calls = search->found->calls;
  guint low = 0, high = calls->len;

  /* Of calls that took as long the first that is told of stays before the others. */
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (calls, CsFoundCall, middle).duration >= call->duration)
        low = middle + 1;
      else
        high = middle;
    }
  if (low >= search->limit)
    return;
  if (calls->len == search->limit)
    g_array_set_size (calls, calls->len - 1);
  g_array_insert_val (calls, low, *call);
}

static gboolean
on_leave (CsCallLane *lane, const CsLaneCall *call, gpointer user_data)
{
  Search *search = user_data;
  guint64 duration;

  /* What the histogram counts. */
  if (call->function != search->function || call->how != CS_CALL_EXITED)
    return TRUE;
  duration = cs_profile_span (call->start, call->end);
  if (duration >= search->from && (duration < search->to || search->to == G_MAXUINT64))
    {
      const CsFoundCall found = {
        duration, call->start, lane->process->index, lane->tid, lane->seq,
        lane->name != NULL ? g_string_chunk_insert_const (search->found->names, lane->name) : NULL
      };

      search->found->n++;
      keep (search, &found);
    }
  return TRUE;
}

static void
run_search (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const CsCallVisitor visitor = { .leave = on_leave };
  Search *search = data;
  GError *error = NULL;

  search->found = g_new0 (CsFoundCalls, 1);
  search->found->calls = g_array_new (FALSE, FALSE, sizeof (CsFoundCall));
  search->found->names = g_string_chunk_new (1024);
  if (cs_profile_visit_calls (search->profile, &visitor, search, NULL, cancellable, &error))
    g_task_return_pointer (task, g_steal_pointer (&search->found), (GDestroyNotify) cs_found_calls_free);
  else
    g_task_return_error (task, error);
}

/**
 * cs_calls_find_async:
 * @profile: a profile of events
 * @function: index of a function in it
 * @from: the shortest duration, ns
 * @to: the duration that is too long, ns; the largest number is included
 * @limit: how many calls to list
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when they are found
 * @user_data: for @callback
 *
 * Reads the recording again for the function's calls that took so long; the longest of them are listed. Calls whose exit
 * wasn't recorded have no duration.
 */
void
cs_calls_find_async (CsProfile *profile, guint function, guint64 from, guint64 to, guint limit,
                     GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Search *search = g_new0 (Search, 1);

  search->profile = g_object_ref (profile);
  search->function = function;
  search->from = from;
  search->to = to;
  search->limit = limit;
  g_task_set_source_tag (task, cs_calls_find_async);
  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, run_search);
}

/**
 * cs_calls_find_finish:
 * @result: what the callback got
 * @error: where to say why they weren't found
 *
 * Returns: (transfer full) (nullable): the calls
 */
CsFoundCalls *
cs_calls_find_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cs_found_calls_free:
 * @self: (transfer full): calls
 */
void
cs_found_calls_free (CsFoundCalls *self)
{
  g_array_unref (self->calls);
  g_string_chunk_free (self->names);
  g_free (self);
}
