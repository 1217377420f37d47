/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-call-search.h"

/* How many calls are kept while the longest are looked for. */
#define MOST_KEPT 100000

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
drop_others (CsProfile *profile, CsTimeline *timeline, guint function, GArray *calls, guint first)
{
  guint n = first;

  for (guint i = first; i < calls->len; i++)
    {
      const CsTimelineCall call = g_array_index (calls, CsTimelineCall, i);

      if (cs_call_search_get_function (profile, timeline, &call) == function)
        g_array_index (calls, CsTimelineCall, n++) = call;
    }
  g_array_set_size (calls, n);
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
      if (!cs_timeline_find_calls (timeline, &one, found, &some, cancellable, error))
        return FALSE;
      drop_others (profile, timeline, search->function, found, 0);
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

/* The longest calls: those of at least half the longest time first, then of a quarter, and so on, until there are enough.
 * What is short is looked at only where nothing long is there. Of many that are about as long, times between are tried. */
static gboolean
find_longest (CsProfile *profile, CsTimeline *timeline, const CsCallSearch *search, guint64 longest, GArray *calls,
              gboolean *more, GCancellable *cancellable, GError **error)
{
  guint64 low = search->min_length, high = longest == G_MAXUINT64 ? longest : longest + 1, length = high / 2;
  gsize kept = MAX (MOST_KEPT, (gsize) search->limit);

  while (TRUE)
    {
      gboolean some;

      length = MAX (length, low);
      if (!collect (profile, timeline, search, length, kept, calls, &some, cancellable, error))
        return FALSE;
      if (some && high - length > 1)
        {
          /* Too many: nearer to those that were not enough. */
          low = length + 1;
          length = low + (high - low) / 2;
          *more = TRUE;
          continue;
        }
      if (some || calls->len >= search->limit || length <= low)
        {
          *more |= some || length > search->min_length;
          return TRUE;
        }
      high = length;
      length = low + (high - low) / 2 < high / 2 || low == search->min_length ? high / 2 : low + (high - low) / 2;
    }
}
