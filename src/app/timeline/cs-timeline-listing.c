/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-call-search.h"
#include "timeline/cs-timeline-listing.h"

/* What a worker lists. */
typedef struct
{
  CsProfile *profile;
  CsTimeline *timeline;
  GArray *tracks;
  gint64 from, to;
  guint limit;
  gboolean more;
} Listing;

static void
listing_free (gpointer data)
{
  Listing *self = data;

  g_object_unref (self->profile);
  cs_timeline_unref (self->timeline);
  g_array_unref (self->tracks);
  g_free (self);
}

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  const CsTimelineCall *x = a, *y = b;
  guint64 length = cs_profile_span (x->span.start, x->span.end), other = cs_profile_span (y->span.start, y->span.end);

  if (length != other)
    return length > other ? -1 : 1;
  if (x->span.start != y->span.start)
    return x->span.start < y->span.start ? -1 : 1;
  return x->track < y->track ? -1 : x->track > y->track;
}

static gboolean
find (Listing *self, guint track, GArray *calls, GCancellable *cancellable, GError **error)
{
  const CsCallSearch search = { .function = G_MAXUINT, .track = track, .from = self->from, .to = self->to,
                                .open_before = TRUE, .longest = TRUE, .limit = self->limit };
  gboolean more = FALSE;

  if (!cs_call_search_find (self->profile, self->timeline, &search, calls, &more, cancellable, error))
    return FALSE;
  self->more |= more;
  return TRUE;
}

/* No more than are wanted are kept of the threads before. */
static gboolean
find_in_tracks (Listing *self, GArray *calls, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < self->tracks->len; i++)
    {
      g_autoptr (GArray) some = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));

      if (!find (self, g_array_index (self->tracks, guint, i), some, cancellable, error))
        return FALSE;
      if (some->len > 0)
        g_array_append_vals (calls, some->data, some->len);
      g_array_sort (calls, compare_lengths);
      if (calls->len <= self->limit)
        continue;
      g_array_set_size (calls, self->limit);
      self->more = TRUE;
    }
  return TRUE;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Listing *self = data;
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  GError *error = NULL;
  gboolean found;

  if (self->tracks->len == cs_timeline_get_n_tracks (self->timeline))
    found = find (self, G_MAXUINT, calls, cancellable, &error);
  else
    found = find_in_tracks (self, calls, cancellable, &error);
  if (found)
    g_task_return_pointer (task, g_steal_pointer (&calls), (GDestroyNotify) g_array_unref);
  else
    g_task_return_error (task, error);
}

/**
 * cs_timeline_list_async:
 * @profile: a profile of events
 * @timeline: the index of time of its recording
 * @tracks: (element-type guint): numbers of tracks, each once; not to be changed
 * @from: ns of CLOCK_MONOTONIC
 * @to: the end, which is not in it
 * @limit: how many calls at most
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when they are found
 * @user_data: for @callback
 *
 * Looks for the longest calls of these tracks that begin in a range of time or are open at its begin.
 */
void
cs_timeline_list_async (CsProfile *profile, CsTimeline *timeline, GArray *tracks, gint64 from, gint64 to, guint limit,
                        GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Listing *self = g_new0 (Listing, 1);

  *self = (Listing){ .profile = g_object_ref (profile), .timeline = cs_timeline_ref (timeline),
                     .tracks = g_array_ref (tracks), .from = from, .to = to, .limit = limit };
  g_task_set_source_tag (task, cs_timeline_list_async);
  g_task_set_task_data (task, self, listing_free);
  g_task_run_in_thread (task, run);
}

/**
 * cs_timeline_list_finish:
 * @result: what the callback got
 * @more: (out): whether there are more than the limit
 * @error: where to say why they weren't found
 *
 * Returns: (transfer full) (element-type CsTimelineCall) (nullable): the calls, longest first
 */
GArray *
cs_timeline_list_finish (GAsyncResult *result, gboolean *more, GError **error)
{
  *more = ((Listing *) g_task_get_task_data (G_TASK (result)))->more;
  return g_task_propagate_pointer (G_TASK (result), error);
}
