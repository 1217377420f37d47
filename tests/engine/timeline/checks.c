/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "capture/cs-event-reader.h"
#include "checks.h"

static const ModelCall *
find_call (const ModelThread *thread, const CsTimelineSpan *span)
{
  for (guint i = 0; i < thread->calls->len; i++)
    {
      const ModelCall *call = &g_array_index (thread->calls, ModelCall, i);

      if (call->depth == span->depth && call->begin == span->position)
        return call;
    }
  return NULL;
}

void
assert_same (const ModelThread *thread, const CsTimelineSpan *span)
{
  const ModelCall *call = find_call (thread, span);

  if (call == NULL)
    g_error ("no call at depth %u begins at record %" G_GUINT64_FORMAT ", %" G_GINT64_FORMAT " ns", span->depth,
             span->position, span->start);
  g_assert_cmpint (span->start, ==, call->start);
  g_assert_cmpint (span->end, ==, call->end);
  g_assert_cmphex (span->address, ==, call->address);
  g_assert_cmphex (span->caller, ==, call->caller);
  g_assert_cmpuint (span->ts, ==, call->ts);
  g_assert_cmpint (span->open, ==, call->open);
}

/* A block holds calls of its row, and begins and ends close to one. */
static void
check_block (const ModelThread *thread, const CsTimelineSpan *block, GHashTable *drawn, gint64 wide)
{
  gint64 reached = block->start;
  guint n = 0;
  guint64 inside = 0, touching = 0;

  for (guint i = 0; i < thread->calls->len; i++)
    {
      const ModelCall *call = &g_array_index (thread->calls, ModelCall, i);

      if (call->depth != block->depth || call->end < block->start || call->start > block->end ||
          g_hash_table_contains (drawn, call))
        continue;
      g_assert_cmpint (call->start - reached, <=, 2 * wide);
      reached = MAX (reached, call->end);
      n++;
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpint (block->end - reached, <=, wide);
  for (guint i = 0; i < thread->events->len; i++)
    {
      const ModelEvent *event = &g_array_index (thread->events, ModelEvent, i);

      /* It counts from its first record on; how many of those at its end's very time, it doesn't say. */
      inside += event->position >= block->position && event->ns < block->end;
      touching += event->position >= block->position && event->ns >= block->start && event->ns <= block->end;
    }
  g_assert_cmpuint (block->n_events, >=, MAX (inside, 1));
  g_assert_cmpuint (block->n_events, <=, MAX (touching, 1));
}

static gboolean
is_covered (const GArray *spans, const ModelCall *call, gint64 t0, gint64 t1)
{
  for (guint i = 0; i < spans->len; i++)
    {
      const CsTimelineSpan *span = &g_array_index (spans, CsTimelineSpan, i);

      if (span->address == 0 && span->depth == call->depth && span->start <= MAX (call->start, t0) &&
          span->end >= MIN (call->end, t1))
        return TRUE;
    }
  return FALSE;
}

static void
check_window (CsTimeline *timeline, guint track, const ModelThread *thread, gint64 t0, gint64 t1, guint pixels,
              guint lo, guint hi)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
  g_autoptr (GHashTable) drawn = g_hash_table_new (NULL, NULL);
  g_autoptr (GError) error = NULL;
  gint64 wide = ((t1 - t0) * 3 + pixels - 1) / pixels;

  g_assert_true (cs_timeline_query (timeline, track, t0, t1, pixels, lo, hi, spans, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < spans->len; i++)
    {
      const CsTimelineSpan *span = &g_array_index (spans, CsTimelineSpan, i);

      g_assert_cmpuint (span->depth, >=, lo);
      g_assert_cmpuint (span->depth, <=, hi);
      if (i > 0 && span[-1].depth == span->depth)
        g_assert_cmpint (span[-1].end, <=, span->start);
      else if (i > 0)
        g_assert_cmpuint (span[-1].depth, <, span->depth);
      if (span->address != 0)
        {
          assert_same (thread, span);
          g_assert_cmpint (span->end - span->start, >=, wide);
          g_assert_true (g_hash_table_add (drawn, (gpointer) find_call (thread, span)));
        }
    }
  for (guint i = 0; i < spans->len; i++)
    if (g_array_index (spans, CsTimelineSpan, i).address == 0)
      check_block (thread, &g_array_index (spans, CsTimelineSpan, i), drawn, wide);
  for (guint i = 0; i < thread->calls->len; i++)
    {
      const ModelCall *call = &g_array_index (thread->calls, ModelCall, i);

      if (call->depth < lo || call->depth > hi || call->end < t0 || call->start > t1 ||
          g_hash_table_contains (drawn, call))
        continue;
      g_assert_cmpint (call->end - call->start, <, 3 * wide);
      g_assert_true (is_covered (spans, call, t0, t1));
    }
}

/* The calls that are open after all that happened up to a time. */
static void
check_stack (CsTimeline *timeline, guint track, const ModelThread *thread, gint64 ns)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
  guint n = 0;

  g_assert_true (cs_timeline_get_stack (timeline, track, ns, 0, G_MAXUINT32, spans, NULL));
  for (guint i = 0; i < spans->len; i++)
    {
      const CsTimelineSpan *span = &g_array_index (spans, CsTimelineSpan, i);

      g_assert_cmpuint (span->depth, ==, i);
      assert_same (thread, span);
    }
  for (guint i = 0; i < thread->calls->len; i++)
    {
      const ModelCall *call = &g_array_index (thread->calls, ModelCall, i);

      n += call->start <= ns && (call->end > ns || call->open);
    }
  g_assert_cmpuint (spans->len, ==, n);
}

static int
model_relative (const ModelThread *thread, int place, CsTimelineRelation relation)
{
  const ModelCall *calls = (const ModelCall *) (gconstpointer) thread->calls->data;
  const ModelCall *call = &calls[place];

  if (relation == CS_TIMELINE_PARENT)
    return call->parent;
  if (relation == CS_TIMELINE_PREVIOUS_SIBLING)
    {
      for (int i = place - 1; i >= 0; i--)
        if (calls[i].depth == call->depth)
          return calls[i].parent == call->parent ? i : -1;
      return -1;
    }
  for (int i = place + 1; i < (int) thread->calls->len; i++)
    {
      if (relation == CS_TIMELINE_FIRST_CHILD && calls[i].parent == place)
        return i;
      if (relation == CS_TIMELINE_NEXT_SIBLING && calls[i].depth == call->depth)
        return calls[i].parent == call->parent ? i : -1;
    }
  return -1;
}

static void
check_relatives (CsTimeline *timeline, guint track, const ModelThread *thread, int place)
{
  const ModelCall *call = &g_array_index (thread->calls, ModelCall, place);
  const CsTimelineSpan span = { .position = call->begin, .depth = call->depth };

  for (CsTimelineRelation relation = CS_TIMELINE_PARENT; relation <= CS_TIMELINE_PREVIOUS_SIBLING; relation++)
    {
      CsTimelineSpan relative;
      int wanted = model_relative (thread, place, relation);
      gboolean found = cs_timeline_get_relative (timeline, track, &span, relation, &relative, NULL);

      g_assert_cmpint (found, ==, wanted >= 0);
      if (!found)
        continue;
      assert_same (thread, &relative);
      g_assert_true (find_call (thread, &relative) == &g_array_index (thread->calls, ModelCall, wanted));
    }
}

static void
check_density (CsTimeline *timeline, guint track, const ModelThread *thread, gint64 t0, gint64 t1, guint pixels)
{
  g_autofree guint64 *events = g_new (guint64, pixels);
  guint64 wanted = 0, got = 0;

  g_assert_true (cs_timeline_get_density (timeline, track, t0, t1, pixels, events, NULL));
  for (guint i = 0; i < pixels; i++)
    got += events[i];
  for (guint i = 0; i < thread->events->len; i++)
    {
      gint64 ns = g_array_index (thread->events, ModelEvent, i).ns;

      wanted += ns >= t0 && ns < t1;
    }
  g_assert_cmpuint (got, ==, wanted);
}

/* Calls in a range, of a function or of a length, of one track or all. */
static void
check_search (CsTimeline *timeline, const Model *model, const CsTimelineSearch *search)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  gboolean more;
  guint n = 0;

  g_assert_true (cs_timeline_find_calls (timeline, search, calls, &more, NULL, NULL));
  for (guint i = 0; i < calls->len; i++)
    {
      const CsTimelineCall *call = &g_array_index (calls, CsTimelineCall, i);

      assert_same (g_ptr_array_index (model->threads, call->track), &call->span);
      if (i > 0)
        g_assert_cmpint (call[-1].span.start, <=, call->span.start);
    }
  for (guint track = 0; track < model->threads->len; track++)
    {
      const ModelThread *thread = g_ptr_array_index (model->threads, track);

      for (guint i = 0; i < thread->calls->len; i++)
        {
          const ModelCall *call = &g_array_index (thread->calls, ModelCall, i);

          n += (search->track == G_MAXUINT || search->track == track) && call->start >= search->t0 &&
               call->start < search->t1 && (guint64) (call->end - call->start) >= search->min_length &&
               (search->address == 0 || (call->address == search->address && !call->continued));
        }
    }
  g_assert_cmpuint (calls->len, ==, MIN (n, search->limit));
  g_assert_cmpint (more, ==, n > search->limit);
}

/* The next or previous call of a function, in any track. */
static void
check_next (CsTimeline *timeline, const Model *model, guint64 address, gint64 ns, gboolean backwards)
{
  gint64 best = backwards ? G_MININT64 : G_MAXINT64;
  CsTimelineCall call;
  gboolean found = cs_timeline_find_next (timeline, G_MAXUINT, G_MAXUINT, address, ns, backwards, &call, NULL, NULL);

  for (guint track = 0; track < model->threads->len; track++)
    {
      const ModelThread *thread = g_ptr_array_index (model->threads, track);

      for (guint i = 0; i < thread->calls->len; i++)
        {
          const ModelCall *other = &g_array_index (thread->calls, ModelCall, i);

          if (other->address != address || other->continued)
            continue;
          if (backwards && other->start < ns)
            best = MAX (best, other->start);
          else if (!backwards && other->start > ns)
            best = MIN (best, other->start);
        }
    }
  g_assert_cmpint (found, ==, best != (backwards ? G_MININT64 : G_MAXINT64));
  if (!found)
    return;
  g_assert_cmpint (call.span.start, ==, best);
  assert_same (g_ptr_array_index (model->threads, call.track), &call.span);
}

static void
check_searches (CsTimeline *timeline, const Model *model, GRand *rand)
{
  gint64 first = G_MAXINT64, last = G_MININT64;

  for (guint i = 0; i < model->threads->len; i++)
    {
      first = MIN (first, ((const ModelThread *) g_ptr_array_index (model->threads, i))->first);
      last = MAX (last, ((const ModelThread *) g_ptr_array_index (model->threads, i))->last);
    }
  for (guint i = 0; i < 10; i++)
    {
      gint64 t0 = first + (gint64) ((last - first) * g_rand_double (rand));
      gint64 t1 = t0 + (gint64) ((last - t0 + 1) * g_rand_double_range (rand, 0, 1.1));
      guint track = (guint) g_rand_int_range (rand, 0, (gint) model->threads->len);
      double length = (double) (last - first) * g_rand_double (rand) / (1 << g_rand_int_range (rand, 0, 16));
      CsTimelineSearch search = { .track = g_rand_boolean (rand) ? G_MAXUINT : track, .process = G_MAXUINT, .t0 = t0, .t1 = t1,
                                  .limit = g_rand_boolean (rand) ? 10 : 1000000,
                                  .min_length = (guint64) length };

      check_search (timeline, model, &search);
      search.address = 0x1000 * (guint64) g_rand_int_range (rand, 1, 21);
      check_search (timeline, model, &search);
      check_next (timeline, model, search.address, t0, g_rand_boolean (rand));
    }
}

/* Reads a thread's first enter or exit from a record of a file on. Returns how many records lie before it. */
static guint
read_call (CsTimeline *timeline, const CsEventFile *file, guint64 record, guint tid, struct trace_event *event)
{
  GPtrArray *tracks = cs_recording_get_tracks (cs_timeline_get_recording (timeline));
  g_autoptr (CsEventReader) reader = cs_event_reader_new ();
  CsNotices *notices = cs_notices_new ();
  CsEventBlock block;
  guint number = 0, skipped = 0;
  gboolean found = FALSE;

  for (guint i = 0; i < tracks->len && !found; i++)
    {
      cs_event_reader_set_track (reader, g_ptr_array_index (tracks, i));
      found = g_ptr_array_find (((const CsThreadTrack *) g_ptr_array_index (tracks, i))->files, file, &number);
    }
  cs_event_reader_seek (reader, number, record);
  while (cs_event_reader_next (reader, &block, notices))
    for (gsize i = 0; i < block.n; i++, skipped++)
      if (block.events[i].kind <= TRACE_KIND_EXIT && block.events[i].tid == tid)
        {
          *event = block.events[i];
          cs_notices_free (notices);
          return skipped;
        }
  g_error ("no enter or exit of thread %u from record %" G_GUINT64_FORMAT " on", tid, record);
}

/* A pass may begin there: what is open is what the calls before it left, and the next event is there. */
static void
check_start (CsTimeline *timeline, guint track, const ModelThread *thread, gint64 ns)
{
  CsTimelineStart start;
  const ModelEvent *events = (const ModelEvent *) (gconstpointer) thread->events->data;
  guint n = 0;

  g_assert_true (cs_timeline_find_start (timeline, track, ns, &start, NULL));
  for (guint i = 0; i < thread->calls->len && start.file != NULL; i++)
    {
      const ModelCall *call = &g_array_index (thread->calls, ModelCall, i);
      const CsTimelineSpan *span;

      if (call->begin > events[start.n_events - 1].position || call->behind <= events[start.n_events - 1].position)
        continue;
      g_assert_cmpuint (n, <, start.stack->len);
      span = &g_array_index (start.stack, CsTimelineSpan, n++);
      g_assert_cmphex (span->address, ==, call->address);
      g_assert_cmphex (span->caller, ==, call->caller);
      g_assert_cmpuint (span->ts, ==, call->ts);
      g_assert_cmpint (span->start, ==, call->start);
    }
  g_assert_cmpuint (n, ==, start.stack->len);
  if (start.file != NULL && start.n_events < thread->events->len)
    {
      const ModelEvent *next = &events[start.n_events];
      struct trace_event event;
      guint skipped = read_call (timeline, start.file, start.record, thread->tid, &event);

      g_assert_cmpint (next[-1].ns, <, ns);
      if (skipped == 0)
        g_assert_false (next->gap);
      g_assert_cmpuint (event.ts, ==, next->ts);
      g_assert_cmphex (event.func, ==, next->func);
      g_assert_cmphex (event.caller, ==, next->caller);
      g_assert_cmpuint (start.lost, ==, next->lost);
    }
  cs_timeline_start_clear (&start);
}

/* Compares all answers about a recording with what the model has. */
void
check_all (CsTimeline *timeline, const Model *model, GRand *rand, guint n_windows)
{
  g_assert_cmpuint (cs_timeline_get_n_tracks (timeline), ==, model->threads->len);
  for (guint track = 0; track < model->threads->len; track++)
    {
      const ModelThread *thread = g_ptr_array_index (model->threads, track);
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, track);
      gint64 length = thread->events->len > 0 ? MAX (thread->last - thread->first, 1) : 0;
      guint rows = MAX (info->n_rows, 1);

      g_assert_cmpuint (info->tid, ==, thread->tid);
      g_assert_cmpuint (info->n_events, ==, thread->events->len);
      g_assert_cmpint (info->first, ==, thread->first);
      g_assert_cmpint (info->last, ==, thread->last);
      if (length == 0)
        continue;
      check_window (timeline, track, thread, thread->first - 1, thread->last + 1, 1200, 0, rows);
      for (guint i = 0; i < n_windows; i++)
        {
          gint64 span = 1 + (gint64) (length * g_rand_double (rand) / (1 << g_rand_int_range (rand, 0, 14)));
          gint64 t0 = thread->first + (gint64) ((length - span) * g_rand_double_range (rand, -0.02, 1.02));
          guint lo = (guint) g_rand_int_range (rand, 0, (gint) rows);

          check_window (timeline, track, thread, t0, t0 + span, (guint) g_rand_int_range (rand, 1, 300), lo,
                        lo + (guint) g_rand_int_range (rand, 0, (gint) rows));
          check_stack (timeline, track, thread, t0);
          if (!model->marked)
            check_start (timeline, track, thread, t0);
          check_density (timeline, track, thread, t0, t0 + span, (guint) g_rand_int_range (rand, 1, 100));
        }
      for (guint i = 0; i < n_windows * 20 && thread->calls->len > 0; i++)
        check_relatives (timeline, track, thread, g_rand_int_range (rand, 0, (gint) thread->calls->len));
    }
  check_searches (timeline, model, rand);
}

const Recipe recipes[] = {
  { "plain", 6000, 1, .run = 100, .step = 100 },
  { "deep", 6000, 1, .run = 100, .deep = 40, .step = 100 },
  { "three threads", 6000, 3, .run = 50, .step = 1000, .file = 1 },
  { "zero lengths", 6000, 1, .run = 100, .step = 2 },
  { "wrong exits", 6000, 2, .run = 100, .step = 50, .wrong = 50 },
  { "clamped", 6000, 2, .run = 100, .step = 50, .clamped = 30, .wrong = 5 },
  { "gaps", 6000, 2, .run = 100, .step = 50, .file = 4, .gap = 1 },
  { "new threads", 6000, 2, .run = 100, .step = 50, .file = 3, .start = 1 },
  { "counters", 6000, 1, .run = 100, .step = 50, .counters = 400 },
  { "off and on", 6000, 2, .run = 100, .deep = 20, .step = 50, .off = 5, .depth = 20 },
  { "contexts", 6000, 1, .run = 100, .deep = 10, .step = 50, .contexts = 30 },
  { "few contexts", 6000, 1, .run = 100, .deep = 20, .step = 50, .contexts = 2, .wrong = 5 },
  { "stream", 6000, 4, TRUE, .run = 300, .step = 50, .file = 1 },
  { "fine stream", 6000, 5, TRUE, .run = 3, .deep = 5, .step = 50, .gap = 2, .start = 2 },
  { "counters in a stream", 6000, 4, TRUE, .run = 3, .step = 50, .counters = 400 },
  { "swapped ticks", 6000, 2, FALSE, TRUE, TRUE, .run = 100, .step = 50, .clamped = 10 },
  { "everything", 8000, 3, .run = 60, .deep = 5, .step = 60, .wrong = 10, .contexts = 8, .off = 3, .depth = 8,
    .clamped = 8, .counters = 50, .gap = 1, .start = 1, .file = 3 },
  { "everything in a stream", 8000, 4, TRUE, TRUE, TRUE, .run = 40, .deep = 5, .step = 60, .wrong = 10,
    .contexts = 8, .off = 3, .depth = 8, .clamped = 8, .counters = 50, .gap = 1, .start = 1, .file = 2 },
  { "one event", 1, 1, .run = 1, .deep = 100, .step = 5 },
  { "slow", 4000, 1, .run = 100, .deep = 3, .step = G_MAXINT },
  { NULL },
};

static gboolean
chance (GRand *rand, gint of_1000)
{
  return of_1000 > 0 && g_rand_int_range (rand, 0, 1000) < of_1000;
}

static void
add_random (Model *model, const Recipe *recipe, GRand *rand, guint tid, guint64 now)
{
  guint64 ts = chance (rand, recipe->clamped) ? now - MIN (now, (guint64) recipe->step * 20) : now;
  guint64 func = 0x1000 * (guint64) g_rand_int_range (rand, 1, 20);
  guint64 caller = 0x900000 + (guint64) g_rand_int_range (rand, 0, 1000);
  guint64 top_caller = caller;
  guint depth = model_depth (model, tid);

  if (chance (rand, recipe->counters))
    model_add (model, tid, TRACE_KIND_COUNTERS, 5, 6, 7);
  else if (chance (rand, recipe->contexts))
    model_add (model, tid, TRACE_KIND_MARKER, ts, TRACE_MARK_CONTEXT, (guint64) g_rand_int_range (rand, 0, 4));
  else if (chance (rand, recipe->off))
    {
      model_add (model, tid, TRACE_KIND_MARKER, ts, TRACE_MARK_OFF, 0);
      model_add (model, tid, TRACE_KIND_MARKER, ts + 5, TRACE_MARK_ON, 0);
    }
  else if (chance (rand, recipe->depth) && depth > 0)
    model_add (model, tid, TRACE_KIND_MARKER, ts, TRACE_MARK_DEPTH, (guint64) g_rand_int_range (rand, 0, (gint) depth));
  else if (recipe->stream && chance (rand, recipe->gap))
    model_add (model, tid, TRACE_KIND_MARKER, ts, TRACE_MARK_GAP, 640);
  else if (recipe->stream && chance (rand, recipe->start))
    model_add (model, tid, TRACE_KIND_MARKER, ts, TRACE_MARK_THREAD_START, 0);
  else if (chance (rand, recipe->wrong))
    model_add (model, tid, TRACE_KIND_EXIT, ts, func, caller);
  else if (depth == 0 || g_rand_int_range (rand, 0, 200) < 100 + recipe->deep)
    model_add (model, tid, TRACE_KIND_ENTER, ts, func, caller);
  else
    {
      /* Some exits tell another call site than their enters. */
      if (!model_get_top (model, tid, &func, &top_caller) || chance (rand, 800))
        caller = top_caller;
      model_add (model, tid, TRACE_KIND_EXIT, ts, func, caller);
    }
}

Model *
make_random (const Recipe *recipe, GRand *rand)
{
  Model *model = model_new (recipe->stream, recipe->swapped, recipe->ticks, recipe->block);
  guint64 now = 1000;
  guint tid = 7;
  gint run = 0;

  if (recipe->tail > 0)
    model->kept = recipe->n_records - recipe->tail;
  for (guint i = 0; i < recipe->n_records; i++)
    {
      if (run-- <= 0)
        {
          run = g_rand_int_range (rand, 0, recipe->run);
          tid = 7 + (guint) g_rand_int_range (rand, 0, (gint) recipe->n_threads);
        }
      now += (guint64) g_rand_int_range (rand, 0, recipe->step);
      if (chance (rand, recipe->file))
        {
          gboolean gap = !recipe->stream && recipe->gap > 0 && g_rand_boolean (rand);

          model_next_file (model, gap ? 10 : 0, !recipe->stream && !gap && recipe->start > 0 && g_rand_boolean (rand));
        }
      add_random (model, recipe, rand, tid, now);
    }
  model_finish (model);
  model->marked = recipe->off + recipe->depth + recipe->contexts > 0;
  return model;
}
