/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>

#include "profile/cs-call-place.h"
#include "profile/cs-call-search.h"
#include "trace.h"

/* Two processes with a program each at another place; in the first two plugins lie at one address in turn. All calls are known
 * as they are written. */
#define PROGRAM_0 0x10000u
#define PROGRAM_1 0x50000u
#define PLUGIN 0x90000u
#define SIZE 0x10000u
#define N_FUNCTIONS 4u
#define N_THREADS 3u
#define N_CALLS 400u

typedef struct
{
  guint function; /* 0–3: of the program; 4: of the first plugin; 5: of the second one */
  guint process, tid;
  gint64 start, end;
  guint order; /* in its thread */
  guint depth, parent; /* parent: index of the call around it; none where the depth is 0 */
} Call;

typedef struct
{
  char *folder;
  GArray *calls; /* (element-type Call) */
  CsProfile *profile;
  CsTimeline *timeline;
  guint functions[6]; /* indices in the profile */
} Fixture;

/* Of plugins, those that are called before this time are the first one's. */
#define TURN 500u

static guint64
get_address (guint process, guint function)
{
  return (function >= N_FUNCTIONS ? PLUGIN : process == 0 ? PROGRAM_0 : PROGRAM_1)
         + 0x10 * (function >= N_FUNCTIONS ? 7 : function);
}

static void
add_event (GByteArray *bytes, gint64 ns, guint64 address, guint tid, guint8 kind)
{
  const struct trace_event event = { .ts = (guint64) ns, .func = address, .caller = 1, .tid = tid, .kind = kind };

  g_byte_array_append (bytes, (const guint8 *) &event, sizeof event);
}

/* Nested calls of random functions and lengths, of which many begin at the same time. */
static void
write_thread (Fixture *fixture, GRand *rand, guint process, guint tid)
{
  const struct trace_header header = { TRACE_MAGIC, TRACE_VERSION, TRACE_EVENT_SIZE, TRACE_HEADER_SIZE,
                                       .t0_ns = 1, .pid = 7 + process };
  g_autofree char *name = g_strdup_printf ("trace.%u.%u.0.bin", 7 + process, tid);
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint stack[8], depth = 0, made = 0;
  gint64 ns = 10;

  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  while (made < N_CALLS || depth > 0)
    {
      ns += g_rand_int_range (rand, 0, 3);
      if (made < N_CALLS && depth < G_N_ELEMENTS (stack) && g_rand_boolean (rand))
        {
          Call call = { .process = process, .tid = tid, .start = ns, .order = made++, .depth = depth };

          call.parent = depth > 0 ? stack[depth - 1] : 0;
          call.function = (guint) g_rand_int_range (rand, 0, N_FUNCTIONS + (process == 0));
          if (call.function == N_FUNCTIONS && ns >= TURN)
            call.function++;
          add_event (bytes, ns, get_address (process, call.function), tid, TRACE_KIND_ENTER);
          stack[depth++] = fixture->calls->len;
          g_array_append_val (fixture->calls, call);
        }
      else if (depth > 0)
        {
          Call *call = &g_array_index (fixture->calls, Call, stack[--depth]);

          call->end = ns;
          add_event (bytes, ns, get_address (process, call->function), tid, TRACE_KIND_EXIT);
        }
    }
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
}

static void
write_process (Fixture *fixture, guint process)
{
  g_autofree char *name = g_strdup_printf ("trace.%u.process", 7 + process);
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GString) text = g_string_new ("CALLSIGHT-PROCESS 1\n");
  guint program = process == 0 ? PROGRAM_0 : PROGRAM_1;

  g_string_append_printf (text, "pid %u\nexe /nowhere/program\nstart-monotonic-ns 1\n", 7 + process);
  g_string_append_printf (text, "module 0 %x %x %x ab12 /nowhere/program\n", program, program, program + SIZE);
  if (process == 0)
    g_string_append_printf (text, "module 0 %x %x %x cd01 /nowhere/first.so\nmodule-gone %u %x\n"
                                  "module %u %x %x %x cd02 /nowhere/second.so\n",
                            PLUGIN, PLUGIN, PLUGIN + SIZE, TURN, PLUGIN, TURN, PLUGIN, PLUGIN, PLUGIN + SIZE);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
}

static void
find_functions (Fixture *fixture)
{
  guint n;
  const CsFunction *functions = cs_profile_get_functions (fixture->profile, &n);

  g_assert_cmpuint (n, ==, G_N_ELEMENTS (fixture->functions));
  for (guint i = 0; i < n; i++)
    {
      const CsLocation *location = &functions[i].location;

      if (g_str_has_suffix (location->module, "first.so"))
        fixture->functions[4] = i;
      else if (g_str_has_suffix (location->module, "second.so"))
        fixture->functions[5] = i;
      else
        fixture->functions[location->address / 0x10] = i;
    }
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  const CsProfileOptions options = { .timeline = TRUE, .no_cache = TRUE, .n_slowest = 3 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsRecording) recording = NULL;
  guint64 done = 0;

  fixture->folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  fixture->calls = g_array_new (FALSE, FALSE, sizeof (Call));
  for (guint process = 0; process < 2; process++)
    {
      write_process (fixture, process);
      for (guint i = 0; i < N_THREADS; i++)
        write_thread (fixture, rand, process, 7 + process + 10 * i);
    }
  recording = cs_recording_open ((const char *[]){ fixture->folder, NULL }, NULL, NULL);
  g_assert_nonnull (recording);
  fixture->profile = cs_profile_new (recording, symbolizer, &options, &done, NULL, NULL);
  g_assert_nonnull (fixture->profile);
  fixture->timeline = cs_profile_get_timeline (fixture->profile);
  g_assert_nonnull (fixture->timeline);
  find_functions (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
  g_array_unref (fixture->calls);
  g_object_unref (fixture->profile);
}

static guint
find_track (Fixture *fixture, const Call *call)
{
  for (guint i = 0; i < cs_timeline_get_n_tracks (fixture->timeline); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (fixture->timeline, i);

      if (info->process == call->process && info->tid == call->tid)
        return i;
    }
  g_assert_not_reached ();
}

static Fixture *sorted; /* whose calls are sorted */

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const Call *x = a, *y = b;
  guint track = find_track (sorted, x), other = find_track (sorted, y);

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (track != other)
    return track < other ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  const Call *x = a, *y = b;

  if (x->end - x->start != y->end - y->start)
    return x->end - x->start > y->end - y->start ? -1 : 1;
  return compare_times (a, b);
}

static void
assert_same (Fixture *fixture, const CsTimelineCall *got, const Call *expected)
{
  guint function = cs_call_search_get_function (fixture->profile, fixture->timeline, got);

  g_assert_cmpuint (got->track, ==, find_track (fixture, expected));
  g_assert_cmpint (got->span.start, ==, expected->start);
  g_assert_cmpint (got->span.end, ==, expected->end);
  g_assert_cmpuint (function, ==, fixture->functions[expected->function]);
}

/* Those that a search is to find. */
static GArray *
dup_expected (Fixture *fixture, guint function, guint track, gint64 from, gint64 to, gboolean open_before, guint64 min_length,
              gboolean longest)
{
  GArray *expected = g_array_new (FALSE, FALSE, sizeof (Call));

  for (guint i = 0; i < fixture->calls->len; i++)
    {
      const Call *call = &g_array_index (fixture->calls, Call, i);

      if ((function == G_MAXUINT || call->function == function) && call->start < to
          && (call->start >= from || (open_before && call->end > from))
          && (guint64) (call->end - call->start) >= min_length
          && (track == G_MAXUINT || track == find_track (fixture, call)))
        g_array_append_val (expected, *call);
    }
  sorted = fixture;
  g_array_sort (expected, longest ? compare_lengths : compare_times);
  return expected;
}

static void
test_find (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  guint found = 0, cut = 0;

  for (guint i = 0; i < 600; i++)
    {
      guint function = (guint) g_rand_int_range (rand, 0, 7);
      CsCallSearch search = {
        .function = function < 6 ? fixture->functions[function] : G_MAXUINT,
        .track = g_rand_boolean (rand) ? G_MAXUINT : (guint) g_rand_int_range (rand, 0, 2 * N_THREADS),
        .from = g_rand_int_range (rand, 0, 700),
        .open_before = g_rand_boolean (rand),
        .min_length = (guint64) g_rand_int_range (rand, 0, 12),
        .longest = g_rand_boolean (rand),
        .limit = g_rand_boolean (rand) ? (guint) g_rand_int_range (rand, 1, 1500) : 10000,
        .held = g_rand_boolean (rand) ? 0 : 1, /* no more than the limit */
      };
      g_autoptr (GArray) expected = NULL;
      g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
      g_autoptr (GError) error = NULL;
      gboolean more = FALSE;

      search.to = search.from + g_rand_int_range (rand, 0, 900);
      expected = dup_expected (fixture, function < 6 ? function : G_MAXUINT, search.track, search.from, search.to,
                               search.open_before, search.min_length, search.longest);
      g_assert_true (cs_call_search_find (fixture->profile, fixture->timeline, &search, calls, &more, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (calls->len, ==, MIN (expected->len, search.limit));
      g_assert_cmpint (more, ==, expected->len > search.limit);
      for (guint j = 0; j < calls->len; j++)
        assert_same (fixture, &g_array_index (calls, CsTimelineCall, j), &g_array_index (expected, Call, j));
      found += calls->len;
      cut += more;
    }
  g_assert_cmpuint (found, >, 5000);
  g_assert_cmpuint (cut, >, 10);
}

/* From call to call all of them are met, each once, there and back: of one function, and of two that count together. */
static void
test_next (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 3 * (2 * N_THREADS + 2); i++)
    {
      guint numbers[] = { i % 6, i / 8 == 0 ? i % 6 : i * 5 / 2 % 6 };
      guint functions[] = { fixture->functions[numbers[0]], fixture->functions[numbers[1]] };
      guint track = i % (2 * N_THREADS + 2);
      gboolean tracks[2 * N_THREADS] = { FALSE, TRUE, TRUE, FALSE, TRUE, FALSE };
      CsCallSet set = { .functions = functions, .n_functions = 1 + (numbers[0] != numbers[1]),
                        .track = track < 2 * N_THREADS ? track : G_MAXUINT,
                        .tracks = track == 2 * N_THREADS + 1 ? tracks : NULL };
      g_autoptr (GArray) expected = dup_expected (fixture, numbers[0], set.track, 0, G_MAXINT64, FALSE, 0, FALSE);
      CsTimelineCall call = { .track = 0, .span.start = G_MININT64 };
      g_autoptr (GError) error = NULL;
      guint n = 0;

      if (set.n_functions > 1)
        {
          g_autoptr (GArray) others = dup_expected (fixture, numbers[1], set.track, 0, G_MAXINT64, FALSE, 0, FALSE);

          g_array_append_vals (expected, others->data, others->len);
          g_array_sort (expected, compare_times);
        }
      for (guint j = expected->len; set.tracks != NULL && j-- > 0;)
        if (!tracks[find_track (fixture, &g_array_index (expected, Call, j))])
          g_array_remove_index (expected, j);
      while (cs_call_search_next (fixture->profile, fixture->timeline, &set, &call, FALSE, &call, NULL, &error))
        assert_same (fixture, &call, &g_array_index (expected, Call, n++));
      g_assert_no_error (error);
      g_assert_cmpuint (n, ==, expected->len);
      if (expected->len == 0)
        continue;
      while (cs_call_search_next (fixture->profile, fixture->timeline, &set, &call, TRUE, &call, NULL, &error))
        assert_same (fixture, &call, &g_array_index (expected, Call, --n - 1));
      g_assert_no_error (error);
      g_assert_cmpuint (n, ==, 1);
    }
}

static void
test_rank (Fixture *fixture, gconstpointer data)
{
  for (guint function = 0; function < 6; function++)
    {
      g_autoptr (GArray) expected = dup_expected (fixture, function, G_MAXUINT, 0, G_MAXINT64, FALSE, 0, TRUE);

      for (guint i = 0; i < expected->len; i++)
        {
          const Call *call = &g_array_index (expected, Call, i);
          guint64 length = (guint64) (call->end - call->start);
          guint longer = 0, shorter = 0;
          CsCallRank rank;

          cs_call_rank (fixture->profile, fixture->functions[function], length, &rank);
          for (guint j = 0; j < expected->len; j++)
            {
              const Call *other = &g_array_index (expected, Call, j);

              longer += (guint64) (other->end - other->start) > length;
              shorter += (guint64) (other->end - other->start) < length;
            }
          g_assert_cmpuint (rank.n, ==, expected->len);
          /* Of three calls the places are known. */
          g_assert_cmpuint (rank.place, ==, longer < 3 ? longer + 1 : 0);
          g_assert_cmpuint (rank.shorter, <=, shorter);
          g_assert_cmpuint (rank.shorter + expected->len / 10, >=, shorter);
          if (length < 64)
            g_assert_cmpuint (rank.shorter, ==, shorter);
        }
    }
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
test_async (Fixture *fixture, gconstpointer data)
{
  const CsCallSearch search = { .function = fixture->functions[0], .track = G_MAXUINT, .to = G_MAXINT64, .limit = 3 };
  g_autoptr (GArray) expected = dup_expected (fixture, 0, G_MAXUINT, 0, G_MAXINT64, FALSE, 0, FALSE);
  const CsTimelineCall start = { .span.start = G_MININT64 };
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GAsyncResult) found = NULL, next = NULL, stopped = NULL;
  g_autoptr (GArray) calls = NULL;
  g_autoptr (GError) error = NULL;
  const CsCallSet set = { .functions = &search.function, .n_functions = 1, .track = G_MAXUINT };
  CsTimelineCall call;
  gboolean more;

  g_cancellable_cancel (cancelled);
  cs_call_search_find_async (fixture->profile, fixture->timeline, &search, NULL, on_found, &found);
  cs_call_search_next_async (fixture->profile, fixture->timeline, &set, &start, FALSE, NULL, on_found, &next);
  cs_call_search_find_async (fixture->profile, fixture->timeline, &search, cancelled, on_found, &stopped);
  while (found == NULL || next == NULL || stopped == NULL)
    g_main_context_iteration (NULL, TRUE);
  calls = cs_call_search_find_finish (found, &more, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (calls->len, ==, 3);
  g_assert_true (more);
  assert_same (fixture, &g_array_index (calls, CsTimelineCall, 2), &g_array_index (expected, Call, 2));
  g_assert_true (cs_call_search_next_finish (next, &call, &error));
  assert_same (fixture, &call, &g_array_index (expected, Call, 0));
  g_assert_null (cs_call_search_find_finish (stopped, &more, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static CsCallPlace
place_of (const Call *call)
{
  return (CsCallPlace){ .process = call->process, .tid = call->tid, .start = call->start, .end = call->end,
                        .address = get_address (call->process, call->function), .depth = call->depth };
}

/* What is known of a call says which it is, and its callers are those that it was written in. */
static void
test_locate (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < fixture->calls->len; i += 7)
    {
      const Call *expected = &g_array_index (fixture->calls, Call, i), *around = expected;
      CsCallPlace place = place_of (expected);
      g_autoptr (GArray) callers = NULL, some = NULL;
      CsTimelineCall call, again;

      g_assert_true (cs_call_locate (fixture->timeline, &place, &call, NULL, &error));
      assert_same (fixture, &call, expected);
      g_assert_cmpuint (call.span.depth, ==, expected->depth);

      /* Its place in the track says more than all the rest. */
      place = (CsCallPlace){ .process = place.process, .tid = place.tid, .start = place.start, .end = -1,
                             .position = call.span.position, .depth = G_MAXUINT32 };
      g_assert_true (cs_call_locate (fixture->timeline, &place, &again, NULL, &error));
      if (place.position != 0)
        g_assert_cmpuint (again.span.position, ==, call.span.position);

      callers = cs_call_get_callers (fixture->timeline, &call, 100, NULL, &error);
      g_assert_cmpuint (callers->len, ==, expected->depth);
      for (guint j = 0; j < callers->len; j++)
        {
          const CsTimelineSpan *caller = &g_array_index (callers, CsTimelineSpan, j);

          around = &g_array_index (fixture->calls, Call, around->parent);
          g_assert_cmpint (caller->start, ==, around->start);
          g_assert_cmpint (caller->end, ==, around->end);
          g_assert_cmpuint (caller->address, ==, get_address (around->process, around->function));
        }
      some = cs_call_get_callers (fixture->timeline, &call, 2, NULL, &error);
      g_assert_cmpuint (some->len, ==, MIN (expected->depth, 2));
    }
}

static void
test_locate_nothing (Fixture *fixture, gconstpointer data)
{
  const Call *call = &g_array_index (fixture->calls, Call, 5);
  CsCallPlace place = place_of (call);
  g_autoptr (GError) error = NULL;
  CsTimelineCall found;

  place.address++;
  g_assert_false (cs_call_locate (fixture->timeline, &place, &found, NULL, &error));
  place = place_of (call);
  place.start = -5;
  g_assert_false (cs_call_locate (fixture->timeline, &place, &found, NULL, &error));
  place.start = G_MAXINT64;
  g_assert_false (cs_call_locate (fixture->timeline, &place, &found, NULL, &error));
  place = place_of (call);
  place.seq = 1;
  g_assert_false (cs_call_locate (fixture->timeline, &place, &found, NULL, &error));
  g_assert_no_error (error);
}

static void
test_locate_async (Fixture *fixture, gconstpointer data)
{
  const Call *expected = &g_array_index (fixture->calls, Call, 50);
  const CsCallPlace place = place_of (expected);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GAsyncResult) found = NULL, callers = NULL, stopped = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) spans = NULL;
  CsTimelineCall call, unused;

  g_cancellable_cancel (cancelled);
  cs_call_locate_async (fixture->timeline, &place, NULL, on_found, &found);
  cs_call_locate_async (fixture->timeline, &place, cancelled, on_found, &stopped);
  while (found == NULL || stopped == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (cs_call_locate_finish (found, &call, &error));
  assert_same (fixture, &call, expected);
  g_assert_false (cs_call_locate_finish (stopped, &unused, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  cs_call_get_callers_async (fixture->timeline, &call, 100, NULL, on_found, &callers);
  while (callers == NULL)
    g_main_context_iteration (NULL, TRUE);
  spans = cs_call_get_callers_finish (callers, NULL);
  g_assert_cmpuint (spans->len, ==, expected->depth);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/call-search/find", Fixture, NULL, set_up, test_find, tear_down);
  g_test_add ("/call-search/next", Fixture, NULL, set_up, test_next, tear_down);
  g_test_add ("/call-search/rank", Fixture, NULL, set_up, test_rank, tear_down);
  g_test_add ("/call-search/async", Fixture, NULL, set_up, test_async, tear_down);
  g_test_add ("/call-search/locate", Fixture, NULL, set_up, test_locate, tear_down);
  g_test_add ("/call-search/locate-nothing", Fixture, NULL, set_up, test_locate_nothing, tear_down);
  g_test_add ("/call-search/locate-async", Fixture, NULL, set_up, test_locate_async, tear_down);
  return g_test_run ();
}
