/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-call-search.h"

/* How many calls are held while the longest are looked for. */
#define MOST_HELD 100000

/* Orders by time, and at one time by track and place in it. */
static int
compare_times (gconstpointer a, gconstpointer b)
{
  const CsTimelineCall *x = a, *y = b;

  if (x->span.start != y->span.start)
    return x->span.start < y->span.start ? -1 : 1;
  if (x->track != y->track)
    return x->track < y->track ? -1 : 1;
  return x->span.position < y->span.position ? -1 : x->span.position > y->span.position;
}

static guint64
get_length (const CsTimelineCall *call)
{
  return (guint64) call->span.end - (guint64) call->span.start;
}

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  guint64 x = get_length (a), y = get_length (b);

  return x != y ? (x > y ? -1 : 1) : compare_times (a, b);
}

/**
 * cs_call_search_get_function:
 * @profile: a profile
 * @timeline: the index of time of its recording
 * @call: a call in it
 *
 * Returns: the index of the called function, or %G_MAXUINT where the profile doesn't have it
 */
guint
cs_call_search_get_function (CsProfile *profile, CsTimeline *timeline, const CsTimelineCall *call)
{
  return cs_profile_find_function (profile, cs_timeline_get_track_info (timeline, call->track)->process,
                                   call->span.address, call->span.ts);
}

/* Where modules took turns an address may be another function's at another time. */
static void
drop_others (CsProfile *profile, CsTimeline *timeline, guint function, GArray *calls)
{
  guint n = 0;

  for (guint i = 0; i < calls->len; i++)
    {
      const CsTimelineCall call = g_array_index (calls, CsTimelineCall, i);

      if (cs_call_search_get_function (profile, timeline, &call) == function)
        g_array_index (calls, CsTimelineCall, n++) = call;
    }
  g_array_set_size (calls, n);
}

/* Calls of a function at one address. */
static gboolean
collect_address (CsProfile *profile, CsTimeline *timeline, guint function, CsTimelineSearch *search, GArray *calls,
                 gboolean *more, GCancellable *cancellable, GError **error)
{
  GPtrArray *processes = cs_recording_get_processes (cs_profile_get_recording (profile));
  const CsProcess *process = g_ptr_array_index (processes, search->process);
  gboolean turns = process->section != NULL && cs_module_map_has_turns (process->section->map);
  const gsize limit = search->limit;
  gboolean complete;

  if (!turns)
    return cs_timeline_find_calls (timeline, search, calls, more, cancellable, error);
  do
    {
      g_array_set_size (calls, 0);
      complete = cs_timeline_find_calls (timeline, search, calls, more, cancellable, error);
      drop_others (profile, timeline, function, calls);
      search->limit = MIN (2 * search->limit, G_MAXUINT - 1);
    }
  while (complete && *more && calls->len <= limit);
  search->limit = limit;
  return complete;
}

/* Calls of at least a length, up to a limit, from wherever the function lies. */
static gboolean
collect (CsProfile *profile, CsTimeline *timeline, const CsCallSearch *search, guint64 min_length, gsize limit,
         GArray *calls, gboolean *more, GCancellable *cancellable, GError **error)
{
  CsTimelineSearch one = { .track = search->track, .process = G_MAXUINT, .t0 = search->from, .t1 = search->to,
                           .min_length = min_length, .limit = limit };
  g_autoptr (GArray) addresses = NULL;

  g_array_set_size (calls, 0);
  *more = FALSE;
  if (search->function == G_MAXUINT)
    return cs_timeline_find_calls (timeline, &one, calls, more, cancellable, error);
  addresses = cs_profile_dup_addresses (profile, search->function);
  for (guint i = 0; i < addresses->len; i++)
    {
      const CsFunctionAddress *address = &g_array_index (addresses, CsFunctionAddress, i);
      g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
      gboolean some = FALSE;

      if (i > 0 && address->process == address[-1].process && address->address == address[-1].address)
        continue;
      one.process = address->process;
      one.address = address->address;
      if (!collect_address (profile, timeline, search->function, &one, found, &some, cancellable, error))
        return FALSE;
      if (found->len > 0)
        g_array_append_vals (calls, found->data, found->len);
      *more |= some;
    }
  if (addresses->len > 1)
    g_array_sort (calls, compare_times);
  if (calls->len > limit)
    {
      g_array_set_size (calls, (guint) limit);
      *more = TRUE;
    }
  return TRUE;
}

/* The longest that any call of the recording can be. */
static guint64
get_longest (CsTimeline *timeline)
{
  guint64 longest = 0;

  for (guint i = 0; i < cs_timeline_get_n_tracks (timeline); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, i);

      longest = MAX (longest, cs_profile_span (info->first, info->last));
    }
  return longest;
}

/* A length that about as many calls of the function have as are held: each try reads all of its calls. */
static guint64
guess_length (CsProfile *profile, guint function, guint64 min_length, gsize held)
{
  const CsFunction *functions = cs_profile_get_functions (profile, &(guint){ 0 });
  guint64 n = 0, first = min_length, last;

  for (guint i = CS_HISTOGRAM_BUCKETS; i-- > 0;)
    {
      n += cs_histogram_get_bucket (&functions[function].histogram, i, &first, &last);
      if (n > held / 2 || first <= min_length)
        break;
    }
  return MAX (first, min_length);
}

/* So many calls have one length that not all are held: the longer ones are all there, the others are the earliest. */
static gboolean
fill_up (CsProfile *profile, CsTimeline *timeline, const CsCallSearch *search, guint64 longer, GArray *calls,
         GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) long_ones = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  gboolean some;

  if (!collect (profile, timeline, search, longer, search->limit, long_ones, &some, cancellable, error))
    return FALSE;
  for (guint i = 0; i < calls->len && long_ones->len < search->limit; i++)
    {
      const CsTimelineCall call = g_array_index (calls, CsTimelineCall, i);

      if (get_length (&call) < longer)
        g_array_append_val (long_ones, call);
    }
  g_array_set_size (calls, 0);
  g_array_append_vals (calls, long_ones->data, long_ones->len);
  return TRUE;
}

/* Tries lengths until more than enough calls are as long, yet no more than are held: first half of the longest time, then
 * half of that, so that short calls are looked at only where there are few long ones. */
static gboolean
find_longest (CsProfile *profile, CsTimeline *timeline, const CsCallSearch *search, GArray *calls, gboolean *more,
              GCancellable *cancellable, GError **error)
{
  const gsize held = MAX (search->held > 0 ? search->held : MOST_HELD, (gsize) search->limit + 1);
  guint64 few = get_longest (timeline) + 1; /* no more are as long than are wanted */
  guint64 many = search->min_length; /* maybe more are than are held */
  guint64 length = search->function != G_MAXUINT ? guess_length (profile, search->function, search->min_length, held)
                                                 : MAX (few / 2, search->min_length);
  gboolean too_many = FALSE;

  while (TRUE)
    {
      gboolean some;

      if (!collect (profile, timeline, search, length, held, calls, &some, cancellable, error))
        return FALSE;
      *more = some || length > search->min_length;
      if (some && few - length > 1)
        {
          many = length;
          too_many = TRUE;
        }
      else if (some)
        return fill_up (profile, timeline, search, few, calls, cancellable, error);
      else if (calls->len > search->limit || length == search->min_length)
        return TRUE;
      else
        few = length;
      length = too_many ? many + (few - many) / 2 : MAX (few / 2, search->min_length);
    }
}

/* Calls that are open where the range begins. */
static gboolean
add_open_calls (CsProfile *profile, CsTimeline *timeline, const CsCallSearch *search, GArray *calls,
                GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));

  for (guint i = 0; i < cs_timeline_get_n_tracks (timeline); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, i);

      if ((search->track != G_MAXUINT && search->track != i) || info->first >= search->from || info->last < search->from)
        continue;
      g_array_set_size (spans, 0);
      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || !cs_timeline_get_stack (timeline, i, search->from, 0, G_MAXUINT32, spans, error))
        return FALSE;
      for (guint j = 0; j < spans->len; j++)
        {
          const CsTimelineCall call = { .track = i, .span = g_array_index (spans, CsTimelineSpan, j) };

          if (call.span.start < search->from && get_length (&call) >= search->min_length
              && (search->function == G_MAXUINT
                  || cs_call_search_get_function (profile, timeline, &call) == search->function))
            g_array_append_val (calls, call);
        }
    }
  return TRUE;
}

/**
 * cs_call_search_find:
 * @profile: a profile of events
 * @timeline: the index of time of its recording
 * @search: which calls are wanted
 * @calls: (element-type CsTimelineCall): where to put them; empty
 * @more: (out): whether there are more than the limit
 * @cancellable: (nullable): to give up early
 * @error: where to say what could not be read
 *
 * Looks for calls of a function, at whatever addresses and in whatever processes it lies, or of any. Blocks; see
 * cs_call_search_find_async().
 *
 * Returns: whether all was looked at
 */
gboolean
cs_call_search_find (CsProfile *profile, CsTimeline *timeline, const CsCallSearch *search, GArray *calls,
                     gboolean *more, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (search->limit > 0 && search->limit < G_MAXUINT, FALSE);

  *more = FALSE;
  if (search->from < search->to
      && !(search->longest ? find_longest (profile, timeline, search, calls, more, cancellable, error)
                           : collect (profile, timeline, search, search->min_length, search->limit, calls, more,
                                      cancellable, error)))
    return FALSE;
  if (search->open_before && !add_open_calls (profile, timeline, search, calls, cancellable, error))
    return FALSE;
  g_array_sort (calls, search->longest ? compare_lengths : compare_times);
  if (calls->len > search->limit)
    {
      g_array_set_size (calls, search->limit);
      *more = TRUE;
    }
  return TRUE;
}

static gboolean
takes (CsProfile *profile, CsTimeline *timeline, const CsCallSet *set, const CsTimelineCall *call)
{
  guint function = cs_call_search_get_function (profile, timeline, call);

  if (set->tracks != NULL && !set->tracks[call->track])
    return FALSE;
  for (guint i = 0; i < set->n_functions; i++)
    if (set->functions[i] == function)
      return TRUE;
  return FALSE;
}

/* All calls of the set that begin at a time, in their order. */
static gboolean
collect_at (CsProfile *profile, CsTimeline *timeline, const CsCallSet *set, gint64 ns, GArray *calls,
            GCancellable *cancellable, GError **error)
{
  const CsTimelineSearch search = { .track = set->track, .process = G_MAXUINT, .t0 = ns,
                                    .t1 = ns < G_MAXINT64 ? ns + 1 : ns, .limit = MOST_HELD };
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  gboolean more;

  if (!cs_timeline_find_calls (timeline, &search, all, &more, cancellable, error))
    return FALSE;
  for (guint i = 0; i < all->len; i++)
    if (takes (profile, timeline, set, &g_array_index (all, CsTimelineCall, i)))
      g_array_append_val (calls, g_array_index (all, CsTimelineCall, i));
  return TRUE;
}

/* The nearest time at which a call that counts begins, among those at one address. Of several at one time the index tells one. */
static gboolean
find_at_address (CsProfile *profile, CsTimeline *timeline, const CsCallSet *set, const CsFunctionAddress *address,
                 gboolean backwards, CsTimelineCall *call, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));

  do
    if (!cs_timeline_find_next (timeline, set->track, address->process, address->address, call->span.start, backwards,
                                call, cancellable, error))
      return FALSE;
    else if (takes (profile, timeline, set, call))
      return TRUE;
    else if (!collect_at (profile, timeline, set, call->span.start, calls, cancellable, error))
      return FALSE;
  while (calls->len == 0);
  return TRUE;
}

/* The nearest time at which a call of the set begins. */
static gboolean
find_next_time (CsProfile *profile, CsTimeline *timeline, const CsCallSet *set, gint64 ns, gboolean backwards,
                gint64 *next, GCancellable *cancellable, GError **error)
{
  gboolean found = FALSE;

  for (guint f = 0; f < set->n_functions; f++)
    {
      g_autoptr (GArray) addresses = cs_profile_dup_addresses (profile, set->functions[f]);

      for (guint i = 0; i < addresses->len; i++)
        {
          CsTimelineCall call = { .span.start = ns };
          g_autoptr (GError) own = NULL;
          gboolean there = find_at_address (profile, timeline, set, &g_array_index (addresses, CsFunctionAddress, i),
                                            backwards, &call, cancellable, &own);

          if (own != NULL)
            {
              g_propagate_error (error, g_steal_pointer (&own));
              return FALSE;
            }
          if (there && (!found || (backwards ? call.span.start > *next : call.span.start < *next)))
            {
              *next = call.span.start;
              found = TRUE;
            }
        }
    }
  return found;
}

/**
 * cs_call_search_next:
 * @profile: a profile of events
 * @timeline: the index of time of its recording
 * @set: which calls count
 * @from: where to begin: the time, and of calls that begin at the same time also track and place
 * @backwards: whether the call before is wanted
 * @call: (out): the nearest call; of those that begin at one time each is told once, in the order of their tracks and in
 *   these as they came
 * @cancellable: (nullable): to give up early
 * @error: where to say what could not be read
 *
 * Blocks; see cs_call_search_next_async().
 *
 * Returns: whether there is one; %FALSE without @error where there is none
 */
gboolean
cs_call_search_next (CsProfile *profile, CsTimeline *timeline, const CsCallSet *set, const CsTimelineCall *from,
                     gboolean backwards, CsTimelineCall *call, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  g_autoptr (GError) own = NULL;
  gint64 ns = 0;

  if (!collect_at (profile, timeline, set, from->span.start, calls, cancellable, error))
    return FALSE;
  for (guint j = 0; j < calls->len; j++)
    {
      const CsTimelineCall *other = &g_array_index (calls, CsTimelineCall, backwards ? calls->len - 1 - j : j);
      int order = compare_times (other, from);

      if (backwards ? order < 0 : order > 0)
        {
          *call = *other;
          return TRUE;
        }
    }
  g_array_set_size (calls, 0);
  if (!find_next_time (profile, timeline, set, from->span.start, backwards, &ns, cancellable, &own)
      || !collect_at (profile, timeline, set, ns, calls, cancellable, &own) || calls->len == 0)
    {
      if (own != NULL)
        g_propagate_error (error, g_steal_pointer (&own));
      return FALSE;
    }
  *call = g_array_index (calls, CsTimelineCall, backwards ? calls->len - 1 : 0);
  return TRUE;
}

/* A question, until it is answered. */
typedef struct
{
  CsProfile *profile;
  CsTimeline *timeline;
  CsCallSearch search;
  GArray *calls;
  gboolean more;
  CsCallSet set; /* of its own arrays */
  CsTimelineCall from;
  gboolean backwards;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->profile);
  cs_timeline_unref (job->timeline);
  g_array_unref (job->calls);
  g_free ((gpointer) job->set.functions);
  g_free ((gpointer) job->set.tracks);
  g_free (job);
}

static GTask *
begin (CsProfile *profile, CsTimeline *timeline, GCancellable *cancellable, GAsyncReadyCallback callback,
       gpointer user_data, Job **job)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  *job = g_new0 (Job, 1);
  (*job)->profile = g_object_ref (profile);
  (*job)->timeline = cs_timeline_ref (timeline);
  (*job)->calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  g_task_set_task_data (task, *job, job_free);
  return task;
}

static void
run_find (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;

  if (cs_call_search_find (job->profile, job->timeline, &job->search, job->calls, &job->more, cancellable, &error))
    g_task_return_pointer (task, g_array_ref (job->calls), (GDestroyNotify) g_array_unref);
  else
    g_task_return_error (task, error);
}

/**
 * cs_call_search_find_async:
 * @profile: a profile of events
 * @timeline: the index of time of its recording
 * @search: which calls are wanted
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when they are found
 * @user_data: for @callback
 *
 * Runs cs_call_search_find() in a thread.
 */
void
cs_call_search_find_async (CsProfile *profile, CsTimeline *timeline, const CsCallSearch *search,
                           GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  Job *job;
  g_autoptr (GTask) task = begin (profile, timeline, cancellable, callback, user_data, &job);

  job->search = *search;
  g_task_set_source_tag (task, cs_call_search_find_async);
  g_task_run_in_thread (task, run_find);
}

/**
 * cs_call_search_find_finish:
 * @result: what the callback got
 * @more: (out): whether there are more than the limit
 * @error: where to say why they weren't found
 *
 * Returns: (transfer full) (nullable) (element-type CsTimelineCall): the calls
 */
GArray *
cs_call_search_find_finish (GAsyncResult *result, gboolean *more, GError **error)
{
  const Job *job = g_task_get_task_data (G_TASK (result));

  *more = job->more;
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
run_next (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  CsTimelineCall call;
  GError *error = NULL;

  if (cs_call_search_next (job->profile, job->timeline, &job->set, &job->from, job->backwards, &call, cancellable, &error))
    g_task_return_pointer (task, g_memdup2 (&call, sizeof call), g_free);
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, NULL, NULL);
}

/**
 * cs_call_search_next_async:
 * @profile: a profile of events
 * @timeline: the index of time of its recording
 * @set: which calls count. Copied
 * @from: where to begin, as in cs_call_search_next()
 * @backwards: whether the call before is wanted
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when it is found
 * @user_data: for @callback
 *
 * Runs cs_call_search_next() in a thread.
 */
void
cs_call_search_next_async (CsProfile *profile, CsTimeline *timeline, const CsCallSet *set,
                           const CsTimelineCall *from, gboolean backwards, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  Job *job;
  g_autoptr (GTask) task = begin (profile, timeline, cancellable, callback, user_data, &job);

  job->set = *set;
  job->set.functions = g_memdup2 (set->functions, set->n_functions * sizeof (guint));
  job->set.tracks = set->tracks != NULL
                        ? g_memdup2 (set->tracks, cs_timeline_get_n_tracks (timeline) * sizeof (gboolean))
                        : NULL;
  job->from = *from;
  job->backwards = backwards;
  g_task_set_source_tag (task, cs_call_search_next_async);
  g_task_run_in_thread (task, run_next);
}

/**
 * cs_call_search_next_finish:
 * @result: what the callback got
 * @call: (out): the call
 * @error: where to say what could not be read
 *
 * Returns: whether there is one; %FALSE without @error where there is none
 */
gboolean
cs_call_search_next_finish (GAsyncResult *result, CsTimelineCall *call, GError **error)
{
  g_autofree CsTimelineCall *found = g_task_propagate_pointer (G_TASK (result), error);

  if (found == NULL)
    return FALSE;
  *call = *found;
  return TRUE;
}

/**
 * cs_call_rank:
 * @profile: a profile
 * @function: index of a function
 * @duration: of one of its calls, ns
 * @rank: (out): how long that is beside the others
 *
 * The place is exact where the call is among the longest that the profile keeps. How many calls are shorter comes from the
 * histogram: those that are as long within 3 % aren't counted.
 */
void
cs_call_rank (CsProfile *profile, guint function, guint64 duration, CsCallRank *rank)
{
  const CsFunction *of = &cs_profile_get_functions (profile, &(guint){ 0 })[function];
  guint n_slowest;
  const CsSlowCall *slowest = cs_profile_get_slowest (profile, function, &n_slowest);
  guint longer = 0;

  *rank = (CsCallRank){ .n = of->recorded };
  while (longer < n_slowest && slowest[longer].duration > duration)
    longer++;
  if (of->recorded > 0 && (duration >= of->max || longer < n_slowest))
    rank->place = longer + 1;
  for (guint i = 0; i < CS_HISTOGRAM_BUCKETS; i++)
    {
      guint64 first, last, n = cs_histogram_get_bucket (&of->histogram, i, &first, &last);

      if (last >= duration)
        break;
      rank->shorter += n;
    }
}
