/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "checks.h"
#include "profile/cs-profile.h"
#include "timeline/cs-call-log.h"

static CsProfile *
open_profile (const char *folder, const CsProfileFilter *filter)
{
  const char *const paths[] = { folder, NULL };
  CsProfileOptions options = { .timeline = TRUE, .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (CsRecording) recording = cs_recording_open (paths, NULL, &error);
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  CsProfile *profile;

  if (filter != NULL)
    options = (CsProfileOptions){ .filter = *filter };
  g_assert_no_error (error);
  profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  return profile;
}

/* What a log says of a whole thread. */
typedef struct
{
  CsTimeline *timeline;
  guint track;
  const ModelThread *thread;
  gint64 t0, t1;
  guint limit;       /* lines at once */
  gsize most_calls;  /* before it stops */
  guint64 n, open, clipped, repaired, self, roots;
  guint n_off;
  guint64 lost;
} Whole;

static GArray *
read_lines (Whole *whole, CsCallLogWalk *walk)
{
  g_autoptr (GArray) page = g_array_new (FALSE, FALSE, sizeof (CsCallLogEntry));
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (CsCallLogEntry));
  g_autoptr (GError) error = NULL;

  /* As a view does: page by page, with many stops on the way. */
  while (walk->next != G_MAXUINT64)
    {
      guint before = page->len;
      guint64 next = walk->next;

      g_assert_true (cs_call_log_walk_run (walk, page, whole->limit, whole->most_calls, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (page->len, <=, whole->limit);
      if (page->len == before && walk->next == next)
        {
          g_assert_cmpuint (before, >, 0);
          g_array_append_vals (lines, page->data, page->len);
          g_array_set_size (page, 0);
        }
    }
  g_array_append_vals (lines, page->data, page->len);
  for (guint i = 0; i < lines->len; i++)
    g_assert_false (g_array_index (lines, CsCallLogEntry, i).unfinished);
  return lines;
}

static gboolean
overlaps (const Whole *whole, const ModelCall *call)
{
  return call->start < whole->t1 && call->end >= whole->t0;
}

/* The model's next call with that parent that lies in the range. */
static int
next_child (const Whole *whole, int after, int parent)
{
  for (int i = after + 1; i < (int) whole->thread->calls->len; i++)
    {
      const ModelCall *call = &g_array_index (whole->thread->calls, ModelCall, i);

      if (call->parent == parent && overlaps (whole, call))
        return i;
    }
  return -1;
}

static guint64
clipped_length (const Whole *whole, const ModelCall *call)
{
  gint64 start = MAX (call->start, whole->t0), end = MIN (call->end, whole->t1);

  return end > start ? (guint64) (end - start) : 0;
}

/* Compares a line, which has one call, with the model's, and counts it. */
static void
check_single (Whole *whole, const CsCallLogEntry *entry, int index)
{
  const ModelCall *call = &g_array_index (whole->thread->calls, ModelCall, index);
  gboolean clipped = call->start < whole->t0 || call->end >= whole->t1;
  guint64 self, expected = clipped_length (whole, call);

  g_assert_cmpuint (entry->n, ==, 1);
  g_assert_cmphex (entry->address, ==, call->address);
  g_assert_cmphex (entry->caller, ==, call->caller);
  g_assert_cmpuint (entry->ts, ==, call->ts);
  g_assert_cmpuint (entry->depth, ==, call->depth);
  g_assert_cmpuint (entry->position, ==, call->begin);
  g_assert_cmpint (entry->start, ==, MAX (call->start, whole->t0));
  g_assert_cmpuint (entry->total, ==, clipped_length (whole, call));
  g_assert_cmpuint (entry->min, ==, entry->total);
  g_assert_cmpuint (entry->max, ==, entry->total);
  g_assert_cmpuint (entry->continued, ==, call->continued);
  g_assert_cmpuint (entry->clipped, ==, clipped);
  g_assert_cmpuint (entry->open, ==, call->open && !clipped);
  for (int i = next_child (whole, -1, index); i >= 0; i = next_child (whole, i, index))
    expected -= clipped_length (whole, &g_array_index (whole->thread->calls, ModelCall, i));
  g_assert_true (cs_call_log_get_self (whole->timeline, whole->track, entry, whole->t0, whole->t1, &self, NULL, NULL));
  g_assert_cmpuint (self, ==, expected);
  whole->self += self;
  whole->n++;
  whole->open += entry->open;
  whole->clipped += entry->clipped;
  whole->repaired += entry->repaired;
}

/* A line and the model's calls that it stands for. */
typedef struct
{
  CsCallLogEntry entry;
  int index;
} Pending;

/* Checks the calls of a line one by one, and notes them to be looked into. Returns: the model's next call */
static int
check_members (Whole *whole, const CsCallLogEntry *line, int index, int parent, GArray *pending)
{
  g_autoptr (GArray) members = NULL;
  guint64 total = 0, min = G_MAXUINT64, max = 0, self = 0, self_sum = 0;
  CsCallLogWalk walk;

  cs_call_log_walk_init_members (&walk, whole->timeline, whole->track, line, whole->t0, whole->t1);
  members = read_lines (whole, &walk);
  g_assert_cmpuint (members->len, ==, line->n);
  for (guint i = 0; i < members->len; i++)
    {
      const CsCallLogEntry *entry = &g_array_index (members, CsCallLogEntry, i);
      Pending one = { *entry, index };
      guint64 own;

      g_assert_cmpint (index, >=, 0);
      check_single (whole, entry, index);
      g_assert_cmphex (entry->address, ==, line->address);
      g_assert_true (cs_call_log_get_self (whole->timeline, whole->track, entry, whole->t0, whole->t1, &own, NULL, NULL));
      self_sum += own;
      total += entry->total;
      min = MIN (min, entry->total);
      max = MAX (max, entry->total);
      g_array_append_val (pending, one);
      index = next_child (whole, index, parent);
    }
  g_assert_cmpuint (line->total, ==, total);
  g_assert_cmpuint (line->min, ==, min);
  g_assert_cmpuint (line->max, ==, max);
  g_assert_true (cs_call_log_get_self (whole->timeline, whole->track, line, whole->t0, whole->t1, &self, NULL, NULL));
  g_assert_cmpuint (self, ==, self_sum);
  return index;
}

/* Compares one level with the model. */
static void
check_level (Whole *whole, const CsCallLogEntry *parent, int parent_index, GArray *pending)
{
  g_autoptr (GArray) lines = NULL;
  CsCallLogWalk walk;
  int index = next_child (whole, -1, parent_index);
  guint64 before = 0;

  cs_call_log_walk_init (&walk, whole->timeline, whole->track, parent, whole->t0, whole->t1);
  lines = read_lines (whole, &walk);
  if (parent != NULL)
    g_assert_cmpint (parent->nested, >=, lines->len > 0);
  for (guint i = 0; i < lines->len; i++)
    {
      const CsCallLogEntry *line = &g_array_index (lines, CsCallLogEntry, i);

      if (line->kind == CS_CALL_LOG_CALLS)
        {
          /* Calls of one function that follow each other are one line. */
          g_assert_cmphex (line->address, !=, before);
          index = check_members (whole, line, index, parent_index, pending);
          before = line->address;
          if (parent == NULL)
            whole->roots += line->total;
          continue;
        }
      g_assert_null (parent);
      before = 0;
      whole->n_off += line->kind == CS_CALL_LOG_OFF;
      whole->lost += line->kind == CS_CALL_LOG_LOST ? line->n : 0;
    }
  g_assert_cmpint (index, ==, -1);
}

static void
check_thread (Whole *whole)
{
  g_autoptr (GArray) pending = g_array_new (FALSE, FALSE, sizeof (Pending));
  guint expected = 0;

  check_level (whole, NULL, -1, pending);
  while (pending->len > 0)
    {
      const Pending one = g_array_index (pending, Pending, pending->len - 1);

      g_array_set_size (pending, pending->len - 1);
      check_level (whole, &one.entry, one.index, pending);
    }
  for (guint i = 0; i < whole->thread->calls->len; i++)
    expected += overlaps (whole, &g_array_index (whole->thread->calls, ModelCall, i));
  g_assert_cmpuint (whole->n, ==, expected);
  g_assert_cmpuint (whole->self, ==, whole->roots);
}

static Model *
make_model (const Recipe *recipe, GRand *rand, gboolean packed)
{
  Recipe copy = *recipe;

  copy.n_records = MIN (copy.n_records, 2000);
  if (packed)
    copy.block = 200;
  return make_random (&copy, rand);
}

static void
test_random (gconstpointer data)
{
  const Recipe *recipe = data;

  for (guint seed = 1; seed <= 4; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      Model *model = make_model (recipe, rand, seed % 2 == 0 && !recipe->swapped);
      g_autoptr (CsProfile) profile = open_profile (model->folder, NULL);
      guint n;
      const CsThreadRow *rows = cs_profile_get_threads (profile, &n);

      g_assert_cmpuint (n, ==, model->threads->len);
      for (guint i = 0; i < n; i++)
        {
          Whole whole = { cs_profile_get_timeline (profile), i, model->threads->pdata[i], G_MININT64, G_MAXINT64,
                          g_rand_int_range (rand, 3, 50), g_rand_int_range (rand, 1, 40) };

          check_thread (&whole);
          /* The log, the profile and the model agree. */
          g_assert_cmpuint (whole.roots, ==, rows[i].self);
          if (recipe->contexts == 0)
            {
              g_assert_cmpuint (whole.open, ==, rows[i].open);
              g_assert_cmpuint (whole.repaired, ==, rows[i].repaired);
              g_assert_cmpuint (whole.n, ==, rows[i].enters);
            }
          if (!recipe->stream)
            g_assert_cmpuint (whole.lost, ==, rows[i].lost);
        }
      model_free (model);
    }
}

static void
test_range (gconstpointer data)
{
  const Recipe *recipe = data;

  for (guint seed = 1; seed <= 6; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      Model *model = make_model (recipe, rand, FALSE);
      g_autoptr (CsProfile) profile = open_profile (model->folder, NULL);
      const CsProfileTotals *totals = cs_profile_get_totals (profile);
      gint64 t0 = totals->first + g_rand_double_range (rand, 0, 0.7) * (totals->last - totals->first);
      gint64 t1 = t0 + 1 + g_rand_double_range (rand, 0, 0.5) * (totals->last - t0);
      const CsProfileFilter filter = { .has_from = TRUE, .has_to = TRUE, .from = t0, .to = t1 };
      g_autoptr (CsProfile) part = open_profile (model->folder, &filter);
      guint64 roots = 0, clipped = 0;

      for (guint i = 0; i < model->threads->len; i++)
        {
          Whole whole = { cs_profile_get_timeline (profile), i, model->threads->pdata[i], t0, t1,
                          g_rand_int_range (rand, 3, 50), g_rand_int_range (rand, 1, 40) };

          check_thread (&whole);
          roots += whole.roots;
          clipped += whole.clipped;
        }
      g_assert_cmpuint (roots, ==, cs_profile_get_totals (part)->self);
      if (recipe->contexts == 0)
        g_assert_cmpuint (clipped, ==, cs_profile_get_totals (part)->clipped);
      model_free (model);
    }
}

/* Whose calls are looked for. */
static gboolean
is_address (guint64 address, guint64 ts, gpointer wanted)
{
  return address == *(guint64 *) wanted;
}

static void
check_path (CsTimeline *timeline, guint track, const ModelThread *thread, const ModelCall *call)
{
  const CsTimelineSpan span = { .position = call->begin, .depth = call->depth };
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (CsCallLogEntry));

  g_assert_true (cs_call_log_list_path (timeline, track, &span, G_MININT64, G_MAXINT64, path, NULL, NULL));
  g_assert_cmpuint (path->len, ==, call->depth + 1);
  for (guint i = path->len; i-- > 0; call = call->parent >= 0 ? &g_array_index (thread->calls, ModelCall, call->parent) : NULL)
    {
      const CsCallLogEntry *entry = &g_array_index (path, CsCallLogEntry, i);

      g_assert_nonnull (call);
      g_assert_cmphex (entry->address, ==, call->address);
      g_assert_cmpuint (entry->position, ==, call->begin);
      g_assert_cmpint (entry->start, ==, call->start);
      g_assert_cmpint (entry->end, ==, call->end);
      g_assert_cmpuint (entry->depth, ==, i);
    }
}

/* Goes through all calls of a function, in both directions. */
static void
check_find (CsTimeline *timeline, guint track, const ModelThread *thread, guint64 address, gboolean backwards)
{
  guint64 position = G_MAXUINT64;
  guint n = 0, n_found = 0;
  g_autoptr (GError) error = NULL;
  CsTimelineSpan span;

  for (guint i = 0; i < thread->calls->len; i++)
    n += g_array_index (thread->calls, ModelCall, i).address == address && !g_array_index (thread->calls, ModelCall, i).continued;
  while (cs_call_log_find (timeline, track, position, backwards, G_MININT64, G_MAXINT64, is_address, &address, &span, NULL, &error))
    {
      g_assert_cmphex (span.address, ==, address);
      assert_same (thread, &span);
      if (position != G_MAXUINT64)
        g_assert_true (backwards ? span.position < position : span.position > position);
      position = span.position;
      n_found++;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (n_found, ==, n);
}

static void
test_find (gconstpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  Model *model = make_model (data, rand, FALSE);
  g_autoptr (CsProfile) profile = open_profile (model->folder, NULL);

  for (guint i = 0; i < model->threads->len; i++)
    {
      const ModelThread *thread = model->threads->pdata[i];

      for (guint j = 0; j < 30 && thread->calls->len > 0; j++)
        {
          const ModelCall *call = &g_array_index (thread->calls, ModelCall, g_rand_int_range (rand, 0, (int) thread->calls->len));

          check_path (cs_profile_get_timeline (profile), i, thread, call);
          if (j < 3)
            check_find (cs_profile_get_timeline (profile), i, thread, call->address, j % 2 == 0);
        }
    }
  model_free (model);
}

enum { MAIN = 0x1000, LOOP = 0x2000, LEAF = 0x3000 };

static GArray *
list_level (CsTimeline *timeline, const CsCallLogEntry *parent)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (CsCallLogEntry));
  CsCallLogWalk walk;

  cs_call_log_walk_init (&walk, timeline, 0, parent, G_MININT64, G_MAXINT64);
  g_assert_true (cs_call_log_walk_run (&walk, lines, 1000, G_MAXSIZE, NULL, NULL));
  g_assert_cmpuint (walk.next, ==, G_MAXUINT64);
  return lines;
}

/* A repeated call is one line, recording that was off and what is lost are lines between. */
static void
test_marks (void)
{
  Model *model = model_new (FALSE, FALSE, FALSE, 0);
  g_autoptr (CsProfile) profile = NULL;
  g_autoptr (GArray) roots = NULL, inner = NULL;
  const CsCallLogEntry *lines;
  guint64 t = 100;

  model_add (model, 7, TRACE_KIND_ENTER, t, MAIN, 1);
  for (guint i = 0; i < 1000; i++, t += 10)
    {
      model_add (model, 7, TRACE_KIND_ENTER, t + 1, LOOP, 2);
      model_add (model, 7, TRACE_KIND_EXIT, t + 2 + i % 7, LOOP, 2);
    }
  model_add (model, 7, TRACE_KIND_ENTER, t + 1, LEAF, 3);
  model_add (model, 7, TRACE_KIND_MARKER, t + 5, TRACE_MARK_OFF, 1);
  model_add (model, 7, TRACE_KIND_MARKER, 0, TRACE_MARK_ON, t + 50);
  model_add (model, 7, TRACE_KIND_ENTER, t + 60, LEAF, 3);
  model_add (model, 7, TRACE_KIND_EXIT, t + 70, LEAF, 3);
  model_next_file (model, 12, FALSE);
  model_add (model, 7, TRACE_KIND_ENTER, t + 90, LEAF, 3);
  model_finish (model);
  profile = open_profile (model->folder, NULL);
  roots = list_level (cs_profile_get_timeline (profile), NULL);
  lines = (const CsCallLogEntry *) (gpointer) roots->data;

  g_assert_cmpuint (roots->len, ==, 5);
  g_assert_cmphex (lines[0].address, ==, MAIN);
  g_assert_cmpuint (lines[0].repaired, ==, 1);
  g_assert_cmpint (lines[1].kind, ==, CS_CALL_LOG_OFF);
  g_assert_cmpint (lines[1].start, ==, (gint64) t + 5);
  g_assert_cmpint (lines[1].end, ==, (gint64) t + 60);
  g_assert_cmphex (lines[2].address, ==, LEAF);
  g_assert_cmpuint (lines[2].n, ==, 1);
  g_assert_cmpint (lines[3].kind, ==, CS_CALL_LOG_LOST);
  g_assert_cmpuint (lines[3].n, ==, 12);
  g_assert_cmpint (lines[3].start, ==, (gint64) t + 70);
  g_assert_cmpint (lines[3].end, ==, (gint64) t + 90);
  g_assert_cmpuint (lines[4].open, ==, 1);

  inner = list_level (cs_profile_get_timeline (profile), &lines[0]);
  lines = (const CsCallLogEntry *) (gpointer) inner->data;
  g_assert_cmpuint (inner->len, ==, 2);
  g_assert_cmphex (lines[0].address, ==, LOOP);
  g_assert_cmpuint (lines[0].n, ==, 1000);
  g_assert_cmpuint (lines[0].min, ==, 1);
  g_assert_cmpuint (lines[0].max, ==, 7);
  g_assert_cmpuint (lines[0].total, ==, 142 * 28 + 1 + 2 + 3 + 4 + 5 + 6);
  g_assert_cmpuint (lines[0].repaired, ==, 0);
  g_assert_cmphex (lines[1].address, ==, LEAF);
  g_assert_cmpuint (lines[1].repaired, ==, 1);
  model_free (model);
}

/* A stack of 100,000 calls: nothing recurses. */
static void
test_deep (void)
{
  const guint depth = 100000;
  Model *model = model_new (FALSE, FALSE, FALSE, 0);
  g_autoptr (CsProfile) profile = NULL;
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (CsCallLogEntry));
  CsTimelineSpan span;
  guint64 last = LEAF;
  guint64 self;

  for (guint i = 0; i < depth; i++)
    model_add_raw (model, 7, TRACE_KIND_ENTER, i, LOOP, 2);
  model_add_raw (model, 7, TRACE_KIND_ENTER, depth, LEAF, 2);
  model_add_raw (model, 7, TRACE_KIND_EXIT, depth + 1, LEAF, 2);
  for (guint i = 0; i < depth; i++)
    model_add_raw (model, 7, TRACE_KIND_EXIT, depth + 2 + i, LOOP, 2);
  model_finish (model);
  profile = open_profile (model->folder, NULL);

  g_assert_true (cs_call_log_find (cs_profile_get_timeline (profile), 0, G_MAXUINT64, FALSE, G_MININT64, G_MAXINT64,
                                   is_address, &last, &span, NULL, NULL));
  g_assert_cmpuint (span.depth, ==, depth);
  g_assert_true (cs_call_log_list_path (cs_profile_get_timeline (profile), 0, &span, G_MININT64, G_MAXINT64, path, NULL, NULL));
  g_assert_cmpuint (path->len, ==, depth + 1);
  for (guint i = 0; i < depth; i += depth / 10)
    {
      const CsCallLogEntry *entry = &g_array_index (path, CsCallLogEntry, i);
      g_autoptr (GArray) lines = list_level (cs_profile_get_timeline (profile), entry);

      g_assert_cmpuint (entry->total, ==, 2 * (depth - i) + 1);
      g_assert_true (cs_call_log_get_self (cs_profile_get_timeline (profile), 0, entry, G_MININT64, G_MAXINT64, &self, NULL, NULL));
      g_assert_cmpuint (self, ==, 2);
      g_assert_cmpuint (lines->len, ==, 1);
      g_assert_cmpuint (g_array_index (lines, CsCallLogEntry, 0).depth, ==, i + 1);
    }
  model_free (model);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (const Recipe *recipe = recipes; recipe->name != NULL; recipe++)
    {
      g_autofree char *random = g_strconcat ("/call-log/random/", recipe->name, NULL);
      g_autofree char *range = g_strconcat ("/call-log/range/", recipe->name, NULL);
      g_autofree char *find = g_strconcat ("/call-log/find/", recipe->name, NULL);

      g_test_add_data_func (random, recipe, test_random);
      g_test_add_data_func (range, recipe, test_range);
      g_test_add_data_func (find, recipe, test_find);
    }
  g_test_add_func ("/call-log/marks", test_marks);
  g_test_add_func ("/call-log/deep", test_deep);
  return g_test_run ();
}
