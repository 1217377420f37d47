/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "checks.h"
#include "profile/cs-profile.h"
#include "timeline/cs-timeline-builder.h"
#include "timeline/cs-timeline-private.h"

static CsProfile *
open_profile (const char *folder)
{
  const char *const paths[] = { folder, NULL };
  const CsProfileOptions options = { .timeline = TRUE, .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (CsRecording) recording = cs_recording_open (paths, NULL, &error);
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  CsProfile *profile;

  g_assert_no_error (error);
  profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  return profile;
}

/* Tracks are the profile's threads. */
static void
check_threads (CsProfile *profile)
{
  CsTimeline *timeline = cs_profile_get_timeline (profile);
  guint n;
  const CsThreadRow *rows = cs_profile_get_threads (profile, &n);

  g_assert_cmpuint (cs_timeline_get_n_tracks (timeline), ==, n);
  for (guint i = 0; i < n; i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, i);

      g_assert_cmpuint (info->tid, ==, rows[i].tid);
      g_assert_cmpuint (info->seq, ==, rows[i].seq);
      g_assert_cmpuint (info->n_events, ==, rows[i].enters + rows[i].exits);
      g_assert_cmpint (info->first, ==, rows[i].first);
      g_assert_cmpint (info->last, ==, rows[i].last);
    }
}

static guint32
get_seed (void)
{
  const char *seed = g_getenv ("CALLSIGHT_TEST_SEED");

  return seed != NULL ? (guint32) g_ascii_strtoull (seed, NULL, 10) : 1;
}

static void
assert_same_spans (const CsTimelineSpan *a, const CsTimelineSpan *b)
{
  g_assert_cmpint (a->start, ==, b->start);
  g_assert_cmpint (a->end, ==, b->end);
  g_assert_cmphex (a->address, ==, b->address);
  g_assert_cmphex (a->caller, ==, b->caller);
  g_assert_cmpuint (a->ts, ==, b->ts);
  g_assert_cmpuint (a->n_events, ==, b->n_events);
  g_assert_cmpuint (a->position, ==, b->position);
  g_assert_cmpuint (a->depth, ==, b->depth);
  g_assert_cmpint (a->open, ==, b->open);
}

static void
test_random (gconstpointer data)
{
  const Recipe *recipe = data;
  guint32 first = get_seed ();

  for (guint32 i = first; i < first + 2; i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (i);
      Model *model = make_random (recipe, rand);
      g_autoptr (CsProfile) profile = open_profile (model->folder);

      check_all (cs_profile_get_timeline (profile), model, rand, 20);
      check_threads (profile);
      model_free (model);
    }
}

/* The same of files that are packed in blocks, small ones and large ones. */
static void
test_packed (gconstpointer data)
{
  static const guint sizes[] = { 700, 90, 6, 100000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (get_seed () + i);
      Recipe recipe = *(const Recipe *) data;
      Model *model;
      g_autoptr (CsProfile) profile = NULL;

      recipe.block = sizes[i];
      if (sizes[i] < 50)
        recipe.n_records = MIN (recipe.n_records, 1500);
      model = make_random (&recipe, rand);
      profile = open_profile (model->folder);
      check_all (cs_profile_get_timeline (profile), model, rand, 10);
      check_threads (profile);
      model_free (model);
    }
}

/* Where a file is one block, the index of it is that of a file of records but for where leaves lie: the
 * answers are the same, the merged blocks as well. */
static void
test_same (gconstpointer data)
{
  Recipe recipe = *(const Recipe *) data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_seed ()), other_rand = g_rand_new_with_seed (get_seed ());
  Model *model = make_random (&recipe, rand), *other;
  g_autoptr (CsProfile) profile = open_profile (model->folder), other_profile = NULL;

  recipe.block = 100000;
  other = make_random (&recipe, other_rand);
  other_profile = open_profile (other->folder);
  for (guint track = 0; track < model->threads->len; track++)
    {
      const ModelThread *thread = g_ptr_array_index (model->threads, track);

      for (guint i = 0; i < 30 && thread->first <= thread->last; i++)
        {
          g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
          g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
          gint64 length = 1 + (thread->last - thread->first) / (1 << i % 10);
          gint64 t0 = thread->first + (gint64) ((thread->last - thread->first) * g_rand_double (rand));

          g_assert_true (cs_timeline_query (cs_profile_get_timeline (profile), track, t0, t0 + length, 500, 0,
                                            G_MAXUINT32, spans, NULL));
          g_assert_true (cs_timeline_query (cs_profile_get_timeline (other_profile), track, t0, t0 + length, 500, 0,
                                            G_MAXUINT32, others, NULL));
          g_assert_cmpuint (spans->len, ==, others->len);
          for (guint j = 0; j < spans->len; j++)
            assert_same_spans (&g_array_index (spans, CsTimelineSpan, j), &g_array_index (others, CsTimelineSpan, j));
        }
    }
  model_free (model);
  model_free (other);
}

/* A leaf that begins with counters, of which the first enter comes with the records that are read next,
 * whatever power of two of them is read at a time. */
static void
test_open_place (void)
{
  for (guint n = 256; n <= 8192; n *= 2)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (n);
      Model *model = model_new (TRUE, FALSE, FALSE, 100000);
      g_autoptr (CsProfile) profile = NULL;

      model_add (model, 8, TRACE_KIND_ENTER, 1000, 0x1000, 5);
      for (guint i = 1; i < 128; i++)
        model_add (model, 8, TRACE_KIND_COUNTERS, 5, 6, 7);
      for (guint i = 128; i < n - 2; i++)
        model_add (model, 7, i % 2 ? TRACE_KIND_EXIT : TRACE_KIND_ENTER, 2000 + i, 0x2000, 5);
      model_add (model, 8, TRACE_KIND_COUNTERS, 5, 6, 7);
      model_add (model, 8, TRACE_KIND_COUNTERS, 5, 6, 7);
      for (guint i = 0; i < 20; i++)
        model_add (model, 8, i % 2 ? TRACE_KIND_EXIT : TRACE_KIND_ENTER, 2000 + n + 1000 * i, 0x3000, 5);
      model_finish (model);
      profile = open_profile (model->folder);
      check_all (cs_profile_get_timeline (profile), model, rand, 10);
      model_free (model);
    }
}

/* Calls that all are open: the deepest one's stack, and rows far down. */
static void
test_deep (gconstpointer data)
{
  const guint depth = g_test_slow () ? 10000000 : 200000;
  Model *model = model_new (FALSE, FALSE, FALSE, GPOINTER_TO_UINT (data));
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
  g_autoptr (CsProfile) profile = NULL;
  CsTimelineStart start;
  CsTimeline *timeline;

  for (guint i = 0; i < depth; i++)
    model_add_raw (model, 7, TRACE_KIND_ENTER, 1000 + i, 0x1000 + i % 100, 5);
  model_finish (model);
  profile = open_profile (model->folder);
  timeline = cs_profile_get_timeline (profile);
  g_assert_cmpuint (cs_timeline_get_track_info (timeline, 0)->n_rows, ==, depth);
  g_assert_cmpuint (cs_timeline_get_size (timeline), <, depth / 4 + 1000);
  g_assert_true (cs_timeline_query (timeline, 0, 0, depth + 2000, 1200, depth - 50, depth - 1, spans, NULL));
  g_assert_cmpuint (spans->len, ==, 50); /* all but the last ones reach the end, but are narrow */
  g_array_set_size (spans, 0);
  g_assert_true (cs_timeline_query (timeline, 0, 0, depth + 2000, 1200, depth / 2, depth / 2 + 49, spans, NULL));
  g_assert_cmpuint (spans->len, ==, 50);
  for (guint i = 0; i < spans->len; i++)
    {
      const CsTimelineSpan *span = &g_array_index (spans, CsTimelineSpan, i);

      g_assert_cmpint (span->start, ==, 1000 + depth / 2 + i);
      g_assert_cmphex (span->address, ==, 0x1000 + (depth / 2 + i) % 100);
      g_assert_true (span->open);
    }
  g_assert_true (cs_timeline_find_start (timeline, 0, depth, &start, NULL));
  g_assert_cmpuint (start.stack->len, ==, start.record);
  g_assert_cmpuint (start.stack->len, >, depth - 1500);
  for (guint i = 0; i < start.stack->len; i++)
    g_assert_cmpint (g_array_index (start.stack, CsTimelineSpan, i).start, ==, 1000 + i);
  cs_timeline_start_clear (&start);
  model_free (model);
}

/* What a thread hadn't flushed is part of its track. */
static void
test_tail (void)
{
  for (guint n = 0; n < 1800; n += 150)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (n);
      const Recipe recipe = { "", 1000, 1, .swapped = n % 300 == 0, .run = 10, .deep = 5, .step = 100,
                              .tail = 1000 - n % 900, .block = n < 900 ? 0 : 250 };
      Model *model = make_random (&recipe, rand);
      g_autoptr (CsProfile) profile = open_profile (model->folder);

      check_all (cs_profile_get_timeline (profile), model, rand, 10);
      model_free (model);
    }
}

/* A file that vanishes or becomes shorter makes answers short, and is told. */
static void
test_gone (void)
{
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (3);
      Model *model = make_random (&(Recipe){ "", 6000, 1, .run = 100, .step = 100, .block = i / 2 * 1000 }, rand);
      const ModelThread *thread = g_ptr_array_index (model->threads, 0);
      g_autoptr (CsProfile) profile = open_profile (model->folder);
      g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
      g_autofree char *path = g_build_filename (model->folder, "trace.7.7.0.bin", NULL);
      CsTimeline *timeline = cs_profile_get_timeline (profile);
      GError *error = NULL;
      CsTimelineSpan span;
      CsTimelineStart start;

      g_assert_cmpint (i % 2 == 0 ? g_unlink (path) : truncate (path, 10000), ==, 0);
      g_assert_false (cs_timeline_query (timeline, 0, thread->first, thread->last, 3000, 0, 10, spans, &error));
      g_assert_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ);
      g_assert_nonnull (strstr (error->message, "trace.7.7.0.bin can't be read any more: "));
      g_clear_error (&error);
      g_assert_false (cs_timeline_get_call_at (timeline, 0, thread->last - 1, 0, &span, &error));
      g_assert_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ);
      g_clear_error (&error);
      g_assert_false (cs_timeline_find_start (timeline, 0, thread->last - 1, &start, &error));
      g_assert_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ);
      g_assert_cmpuint (start.stack->len, ==, 0);
      cs_timeline_start_clear (&start);
      g_clear_error (&error);
      model_free (model);
    }
}

typedef struct
{
  CsTimeline *timeline;
  const Model *model;
  guint seed;
} Question;

static gpointer
ask (gpointer data)
{
  const Question *question = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (question->seed);

  check_all (question->timeline, question->model, rand, 20);
  return NULL;
}

/* Several threads ask one index. */
static void
test_threads (gconstpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  Recipe recipe = recipes[2];
  g_autoptr (CsProfile) profile = NULL;
  Model *model;
  Question questions[6];
  GThread *threads[6];

  recipe.block = GPOINTER_TO_UINT (data);
  model = make_random (&recipe, rand);
  profile = open_profile (model->folder);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      questions[i] = (Question){ cs_profile_get_timeline (profile), model, i };
      threads[i] = g_thread_new ("ask", ask, &questions[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  model_free (model);
}

/* A view of many rows has what each track has by itself, with more rows than are one piece of work. */
static void
test_view (void)
{
  for (guint32 seed = 1; seed < 9; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      Model *model = make_random (&recipes[seed % 2 ? 1 : 2], rand);
      g_autoptr (CsProfile) profile = open_profile (model->folder);
      CsTimeline *timeline = cs_profile_get_timeline (profile);
      guint n = cs_timeline_get_n_tracks (timeline);
      g_autofree CsTimelineDepths *rows = g_new (CsTimelineDepths, n);
      gint64 first = G_MAXINT64, last = G_MININT64;

      for (guint i = 0; i < n; i++)
        {
          const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, i);

          rows[i] = (CsTimelineDepths){ i, seed % 3, 1000, g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan)) };
          first = MIN (first, info->first);
          last = MAX (last, info->last);
        }
      g_assert_true (cs_timeline_query_view (timeline, rows, n, first, last + 1, 1200, NULL));
      for (guint i = 0; i < n; i++)
        {
          g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));

          g_assert_true (cs_timeline_query (timeline, i, first, last + 1, 1200, seed % 3, 1000, spans, NULL));
          g_assert_cmpuint (rows[i].spans->len, ==, spans->len);
          for (guint j = 0; j < spans->len; j++)
            assert_same_spans (&g_array_index (spans, CsTimelineSpan, j),
                               &g_array_index (rows[i].spans, CsTimelineSpan, j));
          g_array_unref (rows[i].spans);
        }
      model_free (model);
    }
}

/* A search that is given up says so. */
static void
test_cancelled (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  Model *model = make_random (&recipes[0], rand);
  g_autoptr (CsProfile) profile = open_profile (model->folder);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  g_autoptr (GError) error = NULL;
  const CsTimelineSearch search = { .track = G_MAXUINT, .process = G_MAXUINT, .t1 = G_MAXINT64, .limit = 10 };
  gboolean more;

  g_cancellable_cancel (cancellable);
  g_assert_false (cs_timeline_find_calls (cs_profile_get_timeline (profile), &search, calls, &more, cancellable,
                                          &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  model_free (model);
}

static void
add_leaves (CsTrackBuilder *builder, guint from, guint to)
{
  for (guint i = from; i < to; i++)
    {
      const CsTrackRun run = { .lo = i % 3, .hi = 4 + i % 50, .low = i % 3 };
      const CsTrackPlace place = { .record = i * 128 };

      cs_track_builder_begin_leaf (builder, &place, i * 1000, i % 3, TRUE, FALSE, 0);
      if (i % 100 == 0)
        cs_track_builder_note_depth (builder, 5, 2, FALSE);
      cs_track_builder_add (builder, 128, 120, &run);
    }
}

static void
assert_equal_tracks (const CsTrack *a, const CsTrack *b)
{
  g_assert_cmpuint (a->n_leaves, ==, b->n_leaves);
  g_assert_cmpuint (a->n_chunks, ==, b->n_chunks);
  g_assert_cmpuint (a->info.n_events, ==, b->info.n_events);
  for (guint i = 0; i < a->n_chunks; i++)
    {
      gsize size = cs_chunk_get_size (&a->chunks[i]->head);

      g_assert_cmpmem (&a->chunks[i]->head, sizeof (CsChunkHead), &b->chunks[i]->head, sizeof (CsChunkHead));
      g_assert_cmpmem (a->chunks[i]->times, size, b->chunks[i]->times, size);
    }
}

/* An index that grows: what it was stays, what it becomes is what it had been made in one go. */
static void
test_growth (void)
{
  g_autoptr (CsTrackBuilder) builder = cs_track_builder_new (0, 7, 0);
  CsTrack *last = NULL;

  for (guint n = 0; n < 10000; n += 1777)
    {
      g_autoptr (CsTrackBuilder) fresh = cs_track_builder_new (0, 7, 0);
      g_autoptr (CsTrackBuilder) copy = cs_track_builder_copy (builder);
      CsTrack *track, *same;

      add_leaves (copy, n, n + 500); /* not in what it is a copy of */
      add_leaves (builder, n, n + 1777);
      add_leaves (fresh, 0, n + 1777);
      track = cs_track_builder_snapshot (builder, 0, 1);
      same = cs_track_builder_snapshot (fresh, 0, 1);
      assert_equal_tracks (track, same);
      if (last != NULL && last->n_chunks > 1)
        g_assert_true (last->chunks[0] == track->chunks[0]);
      g_clear_pointer (&last, cs_track_free);
      last = track;
      cs_track_free (same);
      add_leaves (copy, n + 500, n + 1777);
      same = cs_track_builder_snapshot (copy, 0, 1);
      assert_equal_tracks (track, same);
      cs_track_free (same);
    }
  cs_track_free (last);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (const Recipe *recipe = recipes; recipe->name != NULL; recipe++)
    {
      g_autofree char *path = g_strdup_printf ("/timeline/random/%s", recipe->name);

      g_autofree char *packed = g_strdup_printf ("/timeline/packed/%s", recipe->name);
      g_autofree char *same = g_strdup_printf ("/timeline/same/%s", recipe->name);

      g_test_add_data_func (path, recipe, test_random);
      g_test_add_data_func (packed, recipe, test_packed);
      g_test_add_data_func (same, recipe, test_same);
    }
  g_test_add_data_func ("/timeline/deep", NULL, test_deep);
  g_test_add_data_func ("/timeline/deep/packed", GUINT_TO_POINTER (20000), test_deep);
  g_test_add_func ("/timeline/open place", test_open_place);
  g_test_add_func ("/timeline/tail", test_tail);
  g_test_add_func ("/timeline/gone", test_gone);
  g_test_add_data_func ("/timeline/threads", NULL, test_threads);
  g_test_add_data_func ("/timeline/threads/packed", GUINT_TO_POINTER (500), test_threads);
  g_test_add_func ("/timeline/view", test_view);
  g_test_add_func ("/timeline/cancelled", test_cancelled);
  g_test_add_func ("/timeline/growth", test_growth);
  return g_test_run ();
}
