/* SPDX-License-Identifier: MIT */
/* compare-pass FOLDER: the calls that the time index finds in a recording against those that a
 * pass tells one by one. Prints how many there are, how many were repaired, and at which event of
 * the first track a pass could begin last. */
#include "config.h"

#include "profile/cs-profile.h"
#include "profile/cs-track-pass.h"

typedef struct
{
  guint64 address;
  gint64 start, end;
} Call;

static void
take_call (const CsPassThread *thread, const CsPassCall *call, gpointer calls)
{
  const Call taken = { call->address, call->start, call->end };

  g_array_append_val ((GArray *) calls, taken);
}

static int
compare_calls (gconstpointer a, gconstpointer b)
{
  const Call *x = a, *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->end != y->end)
    return x->end < y->end ? -1 : 1;
  return x->address < y->address ? -1 : x->address > y->address;
}

static GArray *
read_calls (CsProfile *profile)
{
  GArray *calls = g_array_new (FALSE, FALSE, sizeof (Call));
  CsRecording *recording = cs_profile_get_recording (profile);
  GPtrArray *tracks = cs_recording_get_tracks (recording);
  guint serial = 0;
  guint64 bytes = 0;
  g_autoptr (CsTrackPass) pass = cs_track_pass_new (recording, cs_profile_get_clocks (profile),
                                                    cs_profile_get_landings (profile), NULL, 0, &serial, &bytes);

  pass->on_call = take_call;
  pass->on_call_data = calls;
  for (guint i = 0; i < tracks->len; i++)
    cs_track_pass_run (pass, g_ptr_array_index (tracks, i), NULL);
  g_array_sort (calls, compare_calls);
  return calls;
}

static GArray *
find_calls (CsTimeline *timeline)
{
  GArray *calls = g_array_new (FALSE, FALSE, sizeof (Call));
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  const CsTimelineSearch search = { .track = G_MAXUINT, .process = G_MAXUINT, .t0 = G_MININT64, .t1 = G_MAXINT64,
                                    .limit = 10000000 };
  gboolean more;

  g_assert_true (cs_timeline_find_calls (timeline, &search, found, &more, NULL, NULL));
  for (guint i = 0; i < found->len; i++)
    {
      const CsTimelineSpan *span = &g_array_index (found, CsTimelineCall, i).span;
      const Call call = { span->address, span->start, span->end };

      g_array_append_val (calls, call);
    }
  g_array_sort (calls, compare_calls);
  return calls;
}

int
main (int argc, char *argv[])
{
  const CsProfileOptions options = { .timeline = TRUE, .no_cache = TRUE };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (CsRecording) recording = cs_recording_open ((const char *const *) argv + 1, NULL, &error);
  g_autoptr (CsProfile) profile = NULL;
  g_autoptr (GArray) calls = NULL, found = NULL;
  const CsProfileTotals *totals;
  CsTimelineStart start;

  g_assert_no_error (error);
  profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  totals = cs_profile_get_totals (profile);
  calls = read_calls (profile);
  found = find_calls (cs_profile_get_timeline (profile));
  g_assert_cmpmem (calls->data, calls->len * sizeof (Call), found->data, found->len * sizeof (Call));
  if (cs_timeline_get_n_tracks (cs_profile_get_timeline (profile)) == 0)
    {
      g_print ("0 0 0\n");
      return 0;
    }
  g_assert_true (cs_timeline_find_start (cs_profile_get_timeline (profile), 0, totals->last, &start, NULL));
  g_print ("%u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", calls->len, totals->repaired, start.n_events);
  cs_timeline_start_clear (&start);
  return 0;
}
