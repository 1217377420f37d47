/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-profile.h"
#include "test-recording.h"

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* Percentiles against the sorted durations: nearest rank, 1.6 %, monotone, within the ends. */
static void
test_histogram_percentiles (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  for (guint round = 0; round < 200; round++)
    {
      guint n = (guint) g_rand_int_range (rand, 1, 3000);
      guint bits = (guint) g_rand_int_range (rand, 1, 64);
      g_autofree guint64 *values = g_new (guint64, n);
      CsHistogram histogram = { 0 };
      guint64 before = 0;

      for (guint i = 0; i < n; i++)
        {
          values[i] = (((guint64) g_rand_int (rand) << 32) | g_rand_int (rand)) >> (64 - bits);
          values[i] >>= g_rand_int_range (rand, 0, (gint) bits);
          cs_histogram_add (&histogram, values[i]);
        }
      qsort (values, n, sizeof *values, compare_numbers);
      for (guint per_mille = 1; per_mille <= 1000; per_mille++)
        {
          guint64 got = cs_histogram_percentile (&histogram, n, per_mille, values[0], values[n - 1]);
          guint64 exact = values[MAX (1, (n * per_mille + 999) / 1000) - 1];
          guint64 error = got > exact ? got - exact : exact - got;

          g_assert_cmpuint (got, >=, before);
          g_assert_cmpuint (got, >=, values[0]);
          g_assert_cmpuint (got, <=, values[n - 1]);
          g_assert_cmpuint (error, <=, exact / 64);
          before = got;
        }
      cs_histogram_clear (&histogram);
    }
}

static void
test_histogram_merge (void)
{
  CsHistogram a = { 0 }, b = { 0 };

  for (guint64 i = 0; i < 1000; i++)
    cs_histogram_add (i % 2 ? &a : &b, i * i * i);
  cs_histogram_merge (&a, &b);
  g_assert_cmpuint (cs_histogram_percentile (&a, 1000, 1, 0, G_MAXUINT64), ==, 0);
  g_assert_cmpuint (cs_histogram_percentile (&a, 1000, 4, 0, G_MAXUINT64), ==, 27);
  cs_histogram_clear (&a);
  cs_histogram_clear (&b);
}

/* A recording of `n` calls of one function by one thread, 2 ns each, in a new folder. */
static char *
write_recording (guint n)
{
  GByteArray *recording = test_recording_new ();

  for (guint i = 0; i < 2 * n; i++)
    test_recording_add (recording, 2 * i, 0x1000, i % 2);
  return test_recording_write (recording);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

typedef struct
{
  guint n;
  goffset last;
} Seen;

static void
on_progress (goffset current, goffset total, gpointer data)
{
  Seen *seen = data;

  g_assert_cmpint (current, >=, seen->last);
  g_assert_cmpint (current, <=, total);
  seen->last = current;
  seen->n++;
}

static void
test_async (void)
{
  g_autofree char *folder = write_recording (2000000);
  const char *const paths[] = { folder, NULL };
  const CsProfileOptions options = { .call_sites = TRUE };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GAsyncResult) profiled = NULL;
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (CsProfile) profile = NULL;
  g_autoptr (GError) error = NULL;
  const CsFunction *functions;
  Seen seen = { 0 };
  guint n;

  cs_recording_open_async (paths, NULL, keep_result, &opened);
  recording = cs_recording_open_finish (wait_for (&opened), &error);
  g_assert_no_error (error);
  cs_profile_new_async (recording, symbolizer, &options, NULL, on_progress, &seen, keep_result, &profiled);
  profile = cs_profile_new_finish (wait_for (&profiled), &error);
  g_assert_no_error (error);

  functions = cs_profile_get_functions (profile, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (functions[0].calls, ==, 2000000);
  g_assert_cmpuint (functions[0].self, ==, 4000000);
  g_assert_cmpstr (functions[0].location.name, ==, "0x1000");
  test_recording_remove (folder);
}

static void
test_cancelled (void)
{
  g_autofree char *folder = write_recording (2000000);
  const char *const paths[] = { folder, NULL };
  const CsProfileOptions options = { .call_sites = TRUE };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (CsRecording) recording = cs_recording_open (paths, NULL, NULL);
  g_autoptr (CsProfile) profile = NULL;
  g_autoptr (GAsyncResult) profiled = NULL;
  g_autoptr (GError) error = NULL;
  guint64 bytes_done = 0;

  cs_profile_new_async (recording, symbolizer, &options, cancellable, NULL, NULL, keep_result, &profiled);
  g_cancellable_cancel (cancellable);
  profile = cs_profile_new_finish (wait_for (&profiled), &error);
  g_assert_null (profile);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  profile = cs_profile_new (recording, symbolizer, &options, &bytes_done, cancellable, &error);
  g_assert_null (profile);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (bytes_done, <, cs_recording_get_n_bytes (recording));
  test_recording_remove (folder);
}

/* Many siblings, a deep path and siblings of the same function at several depths. */
static void
test_tree_links (void)
{
  GByteArray *events = test_recording_new ();
  g_autofree char *folder = NULL;
  const CsProfileOptions options = { .call_sites = TRUE };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (CsProfile) profile = NULL;
  const CsFunction *functions;
  const CsCallNode *nodes;
  guint64 ts = 0, self = 0;
  guint n, n_functions, children = 0, depth = 0;
  const guint deep = 200000, wide = 3000;

  for (guint i = 0; i < 2 * deep; i++)
    test_recording_add (events, ts++, 0x1000, i >= deep);
  for (guint i = 0; i < 2 * wide; i++)
    test_recording_add (events, ts++, 0x2000 + i / 2, i % 2);
  folder = test_recording_write (events);

  recording = cs_recording_open ((const char *const[]){ folder, NULL }, NULL, NULL);
  profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, NULL);
  functions = cs_profile_get_functions (profile, &n_functions);
  nodes = cs_profile_get_tree (profile, &n);
  g_assert_cmpuint (n_functions, ==, wide + 1);
  g_assert_cmpuint (n, ==, 1 + deep + wide);
  for (guint32 i = nodes[0].first_child; i != 0; i = nodes[i].next_sibling)
    {
      g_assert_cmpuint (nodes[i].parent, ==, 0);
      g_assert_true (nodes[i].next_sibling == 0 || nodes[nodes[i].next_sibling].first_ns > nodes[i].first_ns);
      children++;
    }
  g_assert_cmpuint (children, ==, wide + 1);
  for (guint32 i = nodes[0].first_child; i != 0; i = nodes[i].first_child)
    depth++;
  g_assert_cmpuint (depth, ==, deep);
  for (guint32 i = 1; i < n; i++)
    self += nodes[i].self;
  g_assert_cmpuint (self, ==, cs_profile_get_totals (profile)->self);
  /* Recursion: inclusive counts every frame, total the outermost alone. */
  g_assert_cmpuint (functions[0].total, ==, 2 * deep - 1);
  g_assert_cmpuint (functions[0].incl, ==, (guint64) deep * deep);
  test_recording_remove (folder);
}

/* Counts of more than 16 bits, alone, merged and copied. */
static void
test_histogram_large_counts (void)
{
  CsHistogram a = { 0 }, b = { 0 }, copy;

  for (guint i = 0; i < 200000; i++)
    cs_histogram_add (&a, 10);
  for (guint i = 0; i < 65536; i++)
    cs_histogram_add (&a, 1000);
  for (guint i = 0; i < 65535; i++)
    cs_histogram_add (&b, 1000);
  cs_histogram_add_many (&b, 50, G_GUINT64_CONSTANT (10000000000));
  g_assert_cmpuint (cs_histogram_count (&a, 0, 16), ==, 200000);
  g_assert_cmpuint (cs_histogram_count (&a, 512, 1024), ==, 65536);
  g_assert_cmpuint (cs_histogram_percentile (&a, 265536, 753, 0, G_MAXUINT64), ==, 10);
  g_assert_cmpuint (cs_histogram_percentile (&a, 265536, 754, 0, G_MAXUINT64), >, 984);

  cs_histogram_merge (&a, &b);
  cs_histogram_copy (&copy, &a);
  cs_histogram_clear (&a);
  g_assert_cmpuint (cs_histogram_count (&copy, 512, 1024), ==, 131071);
  g_assert_cmpuint (cs_histogram_count (&copy, 32, 64), ==, G_GUINT64_CONSTANT (10000000000));
  g_assert_cmpuint (cs_histogram_count (&copy, 0, G_MAXUINT64), ==, G_GUINT64_CONSTANT (10000331071));
  cs_histogram_clear (&b);
  cs_histogram_clear (&copy);
}

/* Opens a recording and profiles all of it. */
static CsProfile *
read_profile (const char *folder)
{
  const char *paths[] = { folder, NULL };
  const CsProfileOptions options = { 0 };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (CsRecording) recording = cs_recording_open (paths, NULL, &error);
  CsProfile *profile;

  g_assert_no_error (error);
  profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  return profile;
}

static void
add_marker (GByteArray *recording, guint64 ts, guint64 code, guint64 payload)
{
  struct trace_event event = { .ts = ts, .func = code, .caller = payload, .tid = 7, .kind = TRACE_KIND_MARKER };

  g_byte_array_append (recording, (const guint8 *) &event, sizeof event);
}

static void
check_cut (const CsCut *cut, CsCutKind kind, gint64 from, gint64 to, guint64 n)
{
  g_assert_cmpint (cut->kind, ==, kind);
  g_assert_cmpint (cut->from, ==, from);
  g_assert_cmpint (cut->to, ==, to);
  g_assert_cmpuint (cut->n, ==, n);
  g_assert_cmpuint (cut->times, ==, 1);
  g_assert_cmpuint (cut->tid, ==, 7);
}

/* Switched off for a while, events missing, stopped: each with the times of the events around it. */
static void
test_cuts (void)
{
  GByteArray *file = test_recording_new ();
  g_autofree char *folder = NULL, *text = NULL;
  g_autoptr (CsProfile) profile = NULL;
  const CsCut *cuts;
  guint n;

  test_recording_add (file, 10, 0x1000, TRACE_KIND_ENTER);
  add_marker (file, 12, TRACE_MARK_OFF, 0);
  add_marker (file, 40, TRACE_MARK_ON, 0);
  test_recording_add (file, 41, 0x1000, TRACE_KIND_ENTER);
  test_recording_add (file, 45, 0x1000, TRACE_KIND_EXIT);
  add_marker (file, 0, TRACE_MARK_GAP, 5 * TRACE_EVENT_SIZE);
  test_recording_add (file, 60, 0x1000, TRACE_KIND_ENTER);
  test_recording_add (file, 70, 0x1000, TRACE_KIND_EXIT);
  add_marker (file, 0, TRACE_MARK_BUDGET, 1 << 20);
  folder = test_recording_write (file);
  profile = read_profile (folder);
  cuts = cs_profile_get_cuts (profile, &n);
  g_assert_cmpuint (n, ==, 3);
  check_cut (&cuts[0], CS_CUT_OFF, 12, 41, 0);
  check_cut (&cuts[1], CS_CUT_LOST, 45, 60, 5);
  check_cut (&cuts[2], CS_CUT_STOPPED, 70, G_MAXINT64, 0);
  text = cs_cut_dup_text (&cuts[2]);
  g_assert_nonnull (strstr (text, "TRACE_MAX_MB"));
  test_recording_remove (folder);
}

/* What was discarded lies before the first event. */
static void
test_cut_wrapped (void)
{
  GByteArray *file = test_recording_new ();
  struct trace_header *header = (struct trace_header *) (gpointer) file->data;
  g_autofree char *folder = NULL;
  g_autoptr (CsProfile) profile = NULL;
  const CsCut *cuts;
  guint n;

  header->first_index = 101;
  add_marker (file, 0, TRACE_MARK_WRAP, 100);
  test_recording_add (file, 500, 0x1000, TRACE_KIND_ENTER);
  test_recording_add (file, 510, 0x1000, TRACE_KIND_EXIT);
  folder = test_recording_write (file);
  profile = read_profile (folder);
  cuts = cs_profile_get_cuts (profile, &n);
  g_assert_cmpuint (n, ==, 1);
  check_cut (&cuts[0], CS_CUT_WRAPPED, G_MININT64, 500, 100);
  test_recording_remove (folder);
}

/* A thread that is switched all the time takes bounded memory, and nothing of it is forgotten. */
static void
test_cuts_many (void)
{
  GByteArray *file = test_recording_new ();
  g_autofree char *folder = NULL;
  g_autoptr (CsProfile) profile = NULL;
  const CsCut *cuts;
  guint n;
  guint64 times = 0;

  for (guint64 i = 0; i < CS_MOST_CUTS + 100; i++)
    {
      add_marker (file, 10 * i + 1, TRACE_MARK_OFF, 0);
      add_marker (file, 10 * i + 2, TRACE_MARK_ON, 0);
      test_recording_add (file, 10 * i + 3, 0x1000, TRACE_KIND_ENTER);
      test_recording_add (file, 10 * i + 4, 0x1000, TRACE_KIND_EXIT);
    }
  folder = test_recording_write (file);
  profile = read_profile (folder);
  cuts = cs_profile_get_cuts (profile, &n);
  g_assert_cmpuint (n, ==, CS_MOST_CUTS);
  for (guint i = 0; i < n; i++)
    times += cuts[i].times;
  g_assert_cmpuint (times, ==, CS_MOST_CUTS + 100);
  g_assert_cmpint (cuts[n - 1].to, ==, 10 * (CS_MOST_CUTS + 99) + 3);
  test_recording_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profile/histogram/percentiles", test_histogram_percentiles);
  g_test_add_func ("/profile/histogram/merge", test_histogram_merge);
  g_test_add_func ("/profile/histogram/large-counts", test_histogram_large_counts);
  g_test_add_func ("/profile/cuts/times", test_cuts);
  g_test_add_func ("/profile/cuts/wrapped", test_cut_wrapped);
  g_test_add_func ("/profile/cuts/many", test_cuts_many);
  g_test_add_func ("/profile/async", test_async);
  g_test_add_func ("/profile/cancelled", test_cancelled);
  g_test_add_func ("/profile/tree-links", test_tree_links);
  return g_test_run ();
}
