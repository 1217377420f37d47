/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "../timeline/checks.h"
#include "profile/cs-profile-builder.h"
#include "profile/cs-track-private.h"
#include "report/cs-report.h"

/* What a pass has read when it is asked is a part of what it reads in the end. */

static CsRecording *
open_recording (const char *folder)
{
  const char *const paths[] = { folder, NULL };
  g_autoptr (GError) error = NULL;
  CsRecording *recording = cs_recording_open (paths, NULL, &error);

  g_assert_no_error (error);
  return recording;
}

static CsProfile *
make_profile (CsRecording *recording, CsProfileOptions options)
{
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (GError) error = NULL;
  CsProfile *profile;

  options.timeline = options.no_cache = options.call_sites = TRUE;
  profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  return profile;
}

static GArray *
find_calls (CsTimeline *timeline, guint track)
{
  GArray *calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  const CsTimelineSearch search = { .track = track, .process = G_MAXUINT, .t0 = G_MININT64, .t1 = G_MAXINT64,
                                    .limit = 10000000 };
  gboolean more;

  g_assert_true (cs_timeline_find_calls (timeline, &search, calls, &more, NULL, NULL));
  return calls;
}

static GPtrArray *whole_calls; /* (element-type GArray) (nullable elements): those of the whole recording, by track */

static void
forget_calls (gpointer calls)
{
  if (calls != NULL)
    g_array_unref (calls);
}

/* The profile that parts are compared with from now on. */
static CsProfile *
make_whole (CsRecording *recording)
{
  CsProfile *profile = make_profile (recording, (CsProfileOptions){ 0 });

  g_clear_pointer (&whole_calls, g_ptr_array_unref);
  whole_calls = g_ptr_array_new_with_free_func (forget_calls);
  g_ptr_array_set_size (whole_calls, (gint) cs_timeline_get_n_tracks (cs_profile_get_timeline (profile)));
  return profile;
}

/* The track of the same thread. */
static guint
find_track (CsTimeline *timeline, const CsTimelineTrackInfo *info)
{
  for (guint i = 0; i < cs_timeline_get_n_tracks (timeline); i++)
    {
      const CsTimelineTrackInfo *other = cs_timeline_get_track_info (timeline, i);

      if (other->process == info->process && other->tid == info->tid && other->seq == info->seq &&
          other->first == info->first)
        return i;
    }
  g_assert_not_reached ();
}

/* A part's calls are the first ones of the whole; those that go on end where the part does. */
static void
check_calls (CsTimeline *part, guint track, CsTimeline *whole)
{
  const CsTimelineTrackInfo *info = cs_timeline_get_track_info (part, track);
  guint other_track = find_track (whole, info);
  g_autoptr (GArray) calls = find_calls (part, track);
  const GArray *all = g_ptr_array_index (whole_calls, other_track);

  if (all == NULL)
    all = whole_calls->pdata[other_track] = find_calls (whole, other_track);

  g_assert_cmpuint (calls->len, <=, all->len);
  for (guint i = 0; i < calls->len; i++)
    {
      const CsTimelineSpan *span = &g_array_index (calls, CsTimelineCall, i).span;
      const CsTimelineSpan *other = &g_array_index (all, CsTimelineCall, i).span;

      g_assert_cmphex (span->address, ==, other->address);
      g_assert_cmphex (span->caller, ==, other->caller);
      g_assert_cmpint (span->start, ==, other->start);
      g_assert_cmpuint (span->depth, ==, other->depth);
      if (span->open)
        g_assert_cmpint (span->end, <=, other->end);
      else
        g_assert_cmpint (span->end, ==, other->end);
    }
}

static void
check_timeline (CsProfile *part, CsProfile *whole)
{
  CsTimeline *timeline = cs_profile_get_timeline (part);
  guint n;
  const CsThreadRow *rows = cs_profile_get_threads (part, &n);

  g_assert_cmpuint (cs_timeline_get_n_tracks (timeline), ==, n);
  for (guint i = 0; i < n; i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, i);

      g_assert_cmpuint (info->tid, ==, rows[i].tid);
      g_assert_cmpuint (info->seq, ==, rows[i].seq);
      g_assert_cmpuint (info->n_events, ==, rows[i].enters + rows[i].exits);
      g_assert_cmpint (info->first, ==, rows[i].first);
      g_assert_cmpint (info->last, ==, rows[i].last);
      check_calls (timeline, i, cs_profile_get_timeline (whole));
    }
}

/* Calls that are open in a part end there, so that only all calls together grow. */
static void
check_functions (CsProfile *part, CsProfile *whole)
{
  guint n, n_whole;
  const CsFunction *functions = cs_profile_get_functions (part, &n);
  const CsFunction *all = cs_profile_get_functions (whole, &n_whole);
  guint64 self = 0;

  for (guint i = 0; i < n; i++)
    {
      guint j = 0;

      while (j < n_whole && (all[j].location.address != functions[i].location.address ||
                             g_strcmp0 (all[j].location.module, functions[i].location.module) != 0))
        j++;
      g_assert_cmpuint (j, <, n_whole);
      g_assert_cmpstr (functions[i].location.name, ==, all[j].location.name);
      g_assert_cmpuint (functions[i].calls, <=, all[j].calls);
      g_assert_cmpuint (functions[i].recorded, <=, all[j].recorded);
      g_assert_cmpuint (functions[i].calls + functions[i].open, <=, all[j].calls + all[j].open);
      g_assert_cmpuint (functions[i].self, <=, all[j].self);
      g_assert_cmpuint (functions[i].n_threads, <=, all[j].n_threads);
      self += functions[i].self;
    }
  g_assert_cmpuint (self, ==, cs_profile_get_totals (part)->self);
}

static void
check_tree (CsProfile *part)
{
  guint n, n_threads;
  const CsCallNode *nodes = cs_profile_get_tree (part, &n);
  const CsThreadRow *threads = cs_profile_get_threads (part, &n_threads);
  g_autofree guint64 *below = g_new0 (guint64, n);
  guint64 busy = 0, self = 0;

  for (guint i = n; i-- > 1;)
    {
      g_assert_cmpuint (nodes[i].parent, <, i);
      self += nodes[i].self;
      below[nodes[i].parent] += nodes[i].incl;
      /* While another context runs a call goes on, which is not its own time. */
      g_assert_cmpuint (nodes[i].incl, >=, nodes[i].self + below[i]);
    }
  for (guint i = 0; i < n_threads; i++)
    busy += threads[i].self;
  g_assert_cmpuint (self, ==, cs_profile_get_totals (part)->self);
  g_assert_cmpuint (busy, ==, self);
}

static void
check_part (CsProfile *part, CsProfile *whole)
{
  const CsProfileTotals *totals = cs_profile_get_totals (part);

  g_assert_true (cs_profile_is_partial (part));
  g_assert_cmpfloat (cs_profile_get_done (part), <, 1);
  g_assert_true (g_str_has_prefix (cs_profile_get_notices (part)[0], "only "));
  g_assert_cmpuint (totals->events, <=, cs_profile_get_totals (whole)->events);
  g_assert_cmpuint (totals->self, <=, cs_profile_get_totals (whole)->self);
  check_functions (part, whole);
  check_tree (part);
  check_timeline (part, whole);
}

/* Two workers that read tracks in turns of any length, in one thread. */
typedef struct
{
  CsRecording *recording;
  CsSymbolizer *symbolizer;
  CsProfile *whole;
  GPtrArray *passes;
  GPtrArray *open[2]; /* (element-type Track) */
  GPtrArray *files[2]; /* (element-type CsThreadTrack) */
  GRand *rand;
  guint n_parts, n_pauses;
} Turns;

/* What has been read. */
static CsProfile *
sum_up (Turns *self, double done)
{
  const CsProfileOptions options = { .call_sites = TRUE };
  guint n_processes = cs_recording_get_processes (self->recording)->len;
  g_autoptr (GPtrArray) copies = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_track_pass_free);
  CsProfileData data = { 0 };

  for (guint i = 0; i < 2; i++)
    {
      CsTrackPass *copy = cs_track_pass_dup (g_ptr_array_index (self->passes, i));

      for (guint j = 0; j < self->open[i]->len; j++)
        cs_track_end (cs_track_dup (g_ptr_array_index (self->open[i], j), copy));
      g_ptr_array_add (copies, copy);
    }
  cs_profile_data_init (&data, self->recording, &options.filter);
  data.done = done;
  data.landings = cs_landings_new (self->symbolizer);
  memcpy (data.clocks, cs_profile_get_clocks (self->whole), n_processes * sizeof *data.clocks);
  data.timeline = cs_timeline_new (self->recording, NULL, data.clocks, cs_track_steal_indices (copies));
  g_assert_true (cs_profile_data_sum (&data, self->recording, self->symbolizer, &options, copies, NULL, NULL));
  return cs_profile_new_take (self->recording, &data);
}

static gboolean
on_between (guint64 n_read, gpointer user_data)
{
  Turns *self = user_data;

  if (g_rand_int_range (self->rand, 0, 20) == 0)
    {
      g_autoptr (CsProfile) part = sum_up (self, 0.5);

      check_part (part, self->whole);
      self->n_parts++;
    }
  return g_rand_int_range (self->rand, 0, 3) > 0;
}

static void
read_in_turns (Turns *self)
{
  GPtrArray *tracks = cs_recording_get_tracks (self->recording);
  guint left = tracks->len, next = 0;

  while (left > 0)
    {
      guint worker = (guint) g_rand_int_range (self->rand, 0, 2);
      GPtrArray *open = self->open[worker], *files = self->files[worker];
      Track *track;
      guint i;

      if (next < tracks->len && (open->len == 0 || g_rand_boolean (self->rand)))
        {
          g_ptr_array_add (open, cs_track_begin (g_ptr_array_index (self->passes, worker), tracks->pdata[next]));
          g_ptr_array_add (files, tracks->pdata[next++]);
        }
      if (open->len == 0)
        continue;
      i = (guint) g_rand_int_range (self->rand, 0, (gint) open->len);
      track = g_ptr_array_index (open, i);
      g_assert_true (cs_track_read (track, g_ptr_array_index (files, i), NULL, NULL));
      self->n_pauses += track->paused;
      if (track->paused)
        continue;
      g_ptr_array_remove_index (open, i);
      g_ptr_array_remove_index (files, i);
      cs_track_end (track);
      left--;
    }
}

static char *
write_report (CsProfile *profile, CsReportFormat format)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  const CsReportOptions report = { .sort = CS_SORT_SELF };
  g_autoptr (GError) error = NULL;

  cs_report_write (profile, format, &report, stream, NULL, &error);
  g_assert_no_error (error);
  g_output_stream_write_all (stream, "", 1, NULL, NULL, &error);
  g_assert_no_error (error);
  g_output_stream_close (stream, NULL, NULL);
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

static void
assert_same_reports (CsProfile *a, CsProfile *b)
{
  static const CsReportFormat formats[] = { CS_REPORT_FOLDED, CS_REPORT_CSV, CS_REPORT_JSON, CS_REPORT_CALLERS };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *x = write_report (a, formats[i]);
      g_autofree char *y = write_report (b, formats[i]);

      g_assert_cmpstr (x, ==, y);
    }
}

static void
check_recording (const Model *model, GRand *rand, guint *n_parts, guint *n_pauses)
{
  g_autoptr (CsRecording) recording = open_recording (model->folder);
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsProfile) whole = make_whole (recording);
  g_autoptr (CsProfile) end = NULL;
  g_autoptr (CsLandings) landings = cs_landings_new (symbolizer);
  g_autoptr (GHashTable) files = cs_timeline_index_files (recording);
  g_autoptr (GPtrArray) passes = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_track_pass_free);
  Turns turns = { .recording = recording, .symbolizer = symbolizer, .whole = whole, .passes = passes, .rand = rand };
  guint serial = 0;
  guint64 bytes = 0;

  for (guint i = 0; i < 2; i++)
    {
      CsTrackPass *pass = cs_track_pass_new (recording, cs_profile_get_clocks (whole), landings, NULL, 0, &serial, &bytes);

      pass->files = files;
      pass->between = on_between;
      pass->between_data = &turns;
      g_ptr_array_add (passes, pass);
      turns.open[i] = g_ptr_array_new ();
      turns.files[i] = g_ptr_array_new ();
    }
  read_in_turns (&turns);
  end = sum_up (&turns, 1);
  assert_same_reports (end, whole);
  check_all (cs_profile_get_timeline (end), model, rand, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_ptr_array_unref (turns.open[i]);
      g_ptr_array_unref (turns.files[i]);
    }
  *n_parts += turns.n_parts;
  *n_pauses += turns.n_pauses;
}

static guint32
get_seed (void)
{
  const char *seed = g_getenv ("CALLSIGHT_TEST_SEED");

  return seed != NULL ? (guint32) g_ascii_strtoull (seed, NULL, 10) : 1;
}

static void
test_turns (gconstpointer data)
{
  static const guint blocks[] = { 0, 90 };
  guint n_parts = 0, n_pauses = 0;

  /* Of packed files each kind, of others every second. */
  for (guint i = ((const Recipe *) data - recipes) % 2; i < G_N_ELEMENTS (blocks); i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (get_seed () + i);
      Recipe recipe = *(const Recipe *) data;
      Model *model;

      recipe.block = blocks[i];
      if (blocks[i] == 0 && recipe.contexts == 0 && recipe.deep == 0)
        recipe.n_records *= 3; /* blocks of records that are read at once are large */
      model = make_random (&recipe, rand);
      check_recording (model, rand, &n_parts, &n_pauses);
      model_free (model);
    }
  g_test_message ("%u parts, %u pauses", n_parts, n_pauses);
  if (((const Recipe *) data)->n_records > 1000)
    g_assert_cmpuint (MIN (n_parts, n_pauses), >, 0);
}

/* Threads that read for long enough to be asked. */
static Model *
make_large (GRand *rand)
{
  Model *model = model_new (FALSE, FALSE, FALSE, g_rand_boolean (rand) ? 0 : 500);
  guint64 now = 1000;

  for (guint i = 0; i < 4; i++)
    for (guint j = 0; j < 35000; j++)
      {
        guint tid = 1 + i;
        guint64 func = 0x1000 * (guint64) g_rand_int_range (rand, 1, 50), caller = 0x900000;
        guint depth = model_depth (model, tid);

        now += (guint64) g_rand_int_range (rand, 0, 50);
        if (depth == 0 || (depth < 12 && g_rand_boolean (rand)))
          model_add (model, tid, TRACE_KIND_ENTER, now, func, caller);
        else
          {
            model_get_top (model, tid, &func, &caller);
            model_add (model, tid, TRACE_KIND_EXIT, now, func, caller);
          }
      }
  model_finish (model);
  return model;
}

typedef struct
{
  CsProfile *whole;
  double done;
  guint n;
} Told;

static void
on_partial (CsProfile *part, gpointer user_data)
{
  Told *told = user_data;

  /* They come one after the other, and each has more. */
  g_assert_cmpfloat (cs_profile_get_done (part), >, told->done);
  told->done = cs_profile_get_done (part);
  told->n++;
  check_part (part, told->whole);
}

/* While threads read. How often they are asked depends on the machine. */
static void
test_threads (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_seed ());
  Model *model = make_large (rand);
  g_autoptr (CsRecording) recording = open_recording (model->folder);
  g_autoptr (CsProfile) whole = make_whole (recording);
  guint n = 0;

  for (guint i = 0; i < 500 && n < 3; i++)
    {
      Told told = { .whole = whole };
      g_autoptr (CsProfile) profile = make_profile (recording, (CsProfileOptions){ .partial = on_partial,
                                                                                   .partial_data = &told,
                                                                                   .partial_us = 1 + i % 7 * 500 });

      g_assert_false (cs_profile_is_partial (profile));
      assert_same_reports (profile, whole);
      n += told.n;
    }
  g_test_message ("%u parts", n);
  g_assert_cmpuint (n, >, 0);
  model_free (model);
}

static void
cancel (CsProfile *part, gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
}

static void
test_cancel (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_seed () + 1);
  Model *model = make_large (rand);
  g_autoptr (CsRecording) recording = open_recording (model->folder);
  guint n = 0;

  for (guint i = 0; i < 500 && n < 5; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      const CsProfileOptions options = { .timeline = TRUE, .no_cache = TRUE, .partial = cancel,
                                         .partial_data = cancellable, .partial_us = 1 };
      g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (CsProfile) profile = cs_profile_new (recording, symbolizer, &options, NULL, cancellable, &error);

      if (profile != NULL)
        continue;
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      n++;
    }
  g_assert_cmpuint (n, >, 0);
  model_free (model);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (const Recipe *recipe = recipes; recipe->name != NULL; recipe++)
    {
      g_autofree char *path = g_strdup_printf ("/partial/turns/%s", recipe->name);

      g_test_add_data_func (path, recipe, test_turns);
    }
  g_test_add_func ("/partial/threads", test_threads);
  g_test_add_func ("/partial/cancel", test_cancel);
  {
    int status = g_test_run ();

    g_clear_pointer (&whole_calls, g_ptr_array_unref);
    return status;
  }
}
