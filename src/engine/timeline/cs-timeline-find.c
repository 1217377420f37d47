/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline/cs-timeline-private.h"

/* One question to all tracks. Workers take these one after the other. */
typedef struct Job Job;

typedef struct
{
  Job *job;
  CsLeafReader *reader;
  const CsTrack *track;
  guint number;
  GArray *calls; /* (element-type CsTimelineCall) */
  gboolean more;
} Scan;

struct Job
{
  CsTimeline *timeline;
  CsTimelineSearch search;
  void (*scan) (Scan *scan);
  gboolean backwards;
  gint64 best; /* of the next or previous call in any track so far; under the mutex */
  GMutex mutex;
  Scan *scans; /* by track */
  guint next;  /* atomic */
  GCancellable *cancellable;
  GError *error; /* under the mutex */
};

static gboolean
is_over (const Scan *scan)
{
  return scan->more || g_cancellable_is_cancelled (scan->job->cancellable);
}

/* Takes a call that begins in the range, if it is long enough. */
static void
take_call (Scan *scan, const CsTimelineSpan *span)
{
  const CsTimelineSearch *search = &scan->job->search;
  CsTimelineCall call = { .track = scan->number, .span = *span };

  if (span->start < search->t0 || span->start >= search->t1 ||
      (guint64) span->end - (guint64) span->start < search->min_length)
    return;
  if (scan->calls->len == search->limit)
    scan->more = TRUE;
  else
    g_array_append_val (scan->calls, call);
}

static guint64
first_leaf (const CsTrack *track, gint64 t0)
{
  guint64 leaf = cs_track_find_leaf (track, t0 == G_MININT64 ? t0 : t0 - 1);

  return leaf != CS_NO_POSITION ? leaf : 0;
}

static gboolean
calls_function (const struct trace_event *event, guint64 address)
{
  return event->func == address && event->kind == TRACE_KIND_ENTER;
}

/* Whether a leaf has a call of a function. */
static gboolean
leaf_calls (Scan *scan, guint64 leaf, guint64 address)
{
  struct trace_event events[CS_LEAF_RECORDS];
  gsize n = cs_leaf_reader_get_events (scan->reader, scan->track, leaf, events);

  for (gsize i = 0; i < n; i++)
    if (calls_function (&events[i], address))
      return TRUE;
  return FALSE;
}

/* All calls of one function. */
static void
scan_for_function (Scan *scan)
{
  const CsTimelineSearch *search = &scan->job->search;
  const CsTrack *track = scan->track;
  guint64 number = first_leaf (track, search->t0);

  while (number < track->n_leaves && cs_track_leaf_time (track, number) < search->t1 && !is_over (scan))
    {
      const CsLeaf *leaf;

      if (!cs_leaf_reader_find_call (scan->reader, track, &number, search->address))
        continue;
      leaf = cs_leaf_reader_get (scan->reader, track, number);
      for (guint i = 0; i < leaf->n && !scan->more; i++)
        {
          guint64 position = number * CS_LEAF_RECORDS + i;
          CsTimelineSpan span;

          if (calls_function (&leaf->events[i], search->address) && leaf->after[i] > 0 &&
              cs_find_span (scan->reader, track, position, cs_position_next (track, position), leaf->after[i], &span,
                            NULL))
            take_call (scan, &span);
          leaf = cs_leaf_reader_get (scan->reader, track, number);
        }
      number++;
    }
}

/* Takes those long calls that begin between two positions and are open at the second: of these the
 * outermost last longest. */
static void
take_open_calls (Scan *scan, gint64 start, guint64 to, guint32 lo, guint32 depth)
{
  for (guint32 k = lo + 1; k <= depth && !is_over (scan); k++)
    {
      guint64 behind = cs_find_first_below (scan->reader, scan->track, to, k);
      gint64 end = behind != CS_NO_POSITION ? cs_position_time (scan->reader, scan->track, behind)
                                            : scan->track->info.last;
      CsTimelineSpan span;

      if ((guint64) end - (guint64) start < scan->job->search.min_length)
        return;
      if (cs_find_span (scan->reader, scan->track, cs_position_previous (scan->track, to), to, k, &span, NULL))
        take_call (scan, &span);
    }
}

/* How deep the stack is before a leaf, or at the end. */
static guint32
depth_before (Scan *scan, guint64 number)
{
  const CsTrack *track = scan->track;
  const CsLeaf *leaf;
  guint i;

  if (number < track->n_leaves)
    {
      const CsChunk *chunk = cs_track_chunk (track, number, &i);

      return cs_chunk_depth (chunk, chunk->before, i);
    }
  leaf = cs_leaf_reader_get (scan->reader, track, number - 1);
  return leaf->n > 0 ? leaf->after[leaf->n - 1] : 0;
}

static void
scan_records (Scan *scan, guint64 number)
{
  const CsTrack *track = scan->track;

  for (guint i = 0; i < cs_track_leaf_records (track, number) && !is_over (scan); i++)
    {
      const CsLeaf *leaf = cs_leaf_reader_get (scan->reader, track, number);
      guint32 before;

      if (i >= leaf->n)
        return;
      /* What begins here: all above the lowest depth on the way, or above the one before. */
      before = MIN (leaf->low[i], i > 0 ? leaf->after[i - 1] : leaf->before);
      if (leaf->after[i] > before)
        take_open_calls (scan, leaf->ns[i], cs_position_next (track, number * CS_LEAF_RECORDS + i), before,
                         leaf->after[i]);
    }
}

/* Long calls. What begins in a node that is shorter than they are, and ends in it, is none. */
static void
scan_node (Scan *scan, guint number, guint level, guint i)
{
  const CsTimelineSearch *search = &scan->job->search;
  const CsChunk *chunk = scan->track->chunks[number];
  guint64 leaf = (guint64) number * CS_CHUNK_LEAVES + (i << 4 * level);
  guint64 end = MIN (leaf + (1u << 4 * level), (guint64) number * CS_CHUNK_LEAVES + chunk->head.n_leaves);
  gint64 start_ns = cs_track_leaf_time (scan->track, leaf), end_ns = cs_track_leaf_time (scan->track, end);

  if (end_ns < search->t0 || start_ns >= search->t1 || is_over (scan))
    return;
  if ((guint64) end_ns - (guint64) start_ns < search->min_length)
    take_open_calls (scan, start_ns, end * CS_LEAF_RECORDS,
                     MIN (depth_before (scan, leaf),
                          level == 3 ? chunk->head.lo : cs_chunk_depth (chunk, chunk->lo[level], i)),
                     depth_before (scan, end));
  else if (level == 0)
    scan_records (scan, leaf);
  else
    for (guint j = i * CS_NODE_CHILDREN;
         j < MIN ((i + 1) * CS_NODE_CHILDREN, cs_chunk_n_nodes (&chunk->head, level - 1)); j++)
      scan_node (scan, number, level - 1, j);
}

static void
scan_for_long_calls (Scan *scan)
{
  for (guint i = (guint) (first_leaf (scan->track, scan->job->search.t0) / CS_CHUNK_LEAVES);
       i < scan->track->n_chunks && scan->track->chunk_times[i] < scan->job->search.t1; i++)
    scan_node (scan, i, 3, 0);
}

/* Whether a call at that time would be nearer than the nearest so far. */
static gboolean
is_nearer (Scan *scan, gint64 ns)
{
  Job *job = scan->job;
  gboolean nearer;

  g_mutex_lock (&job->mutex);
  nearer = job->backwards ? ns > job->best : ns < job->best;
  g_mutex_unlock (&job->mutex);
  return nearer;
}

/* The nearest call of a function in a leaf. */
static gboolean
take_nearest (Scan *scan, guint64 number)
{
  const CsTimelineSearch *search = &scan->job->search;
  const CsLeaf *leaf = cs_leaf_reader_get (scan->reader, scan->track, number);

  for (guint j = 0; j < leaf->n; j++)
    {
      guint i = scan->job->backwards ? leaf->n - 1 - j : j;
      guint64 position = number * CS_LEAF_RECORDS + i;
      gint64 ns = leaf->ns[i];
      CsTimelineSpan span;

      if (!calls_function (&leaf->events[i], search->address) || ns < search->t0 || ns >= search->t1 ||
          leaf->after[i] == 0)
        continue;
      if (cs_find_span (scan->reader, scan->track, position, cs_position_next (scan->track, position),
                        leaf->after[i], &span, NULL))
        take_call (scan, &span);
      g_mutex_lock (&scan->job->mutex);
      scan->job->best = scan->job->backwards ? MAX (scan->job->best, ns) : MIN (scan->job->best, ns);
      g_mutex_unlock (&scan->job->mutex);
      return TRUE;
    }
  return FALSE;
}

static void
scan_for_next (Scan *scan)
{
  const CsTimelineSearch *search = &scan->job->search;
  const CsTrack *track = scan->track;
  guint64 number = first_leaf (track, search->t0);

  if (!scan->job->backwards)
    {
      while (number < track->n_leaves && is_nearer (scan, cs_track_leaf_time (track, number)) && !is_over (scan))
        if (cs_leaf_reader_find_call (scan->reader, track, &number, search->address))
          {
            if (take_nearest (scan, number))
              return;
            number++;
          }
      return;
    }
  number = cs_track_find_leaf (track, search->t1);
  if (number == CS_NO_POSITION)
    return;
  for (number++; number-- > 0 && is_nearer (scan, cs_track_leaf_time (track, number + 1)) && !is_over (scan);)
    if (leaf_calls (scan, number, search->address) && take_nearest (scan, number))
      return;
}

static gpointer
work (gpointer data)
{
  Job *job = data;
  guint i;

  while ((i = (guint) g_atomic_int_add (&job->next, 1)) < job->timeline->tracks->len)
    {
      Scan *scan = &job->scans[i];
      GError *error = NULL;

      scan->job = job;
      scan->number = i;
      scan->track = cs_timeline_get_track (job->timeline, i);
      scan->calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
      if (scan->track->n_leaves == 0 || (job->search.track != G_MAXUINT && job->search.track != i) ||
          (job->search.process != G_MAXUINT && job->search.process != scan->track->info.process))
        continue;
      scan->reader = cs_timeline_take_reader (job->timeline);
      job->scan (scan);
      if (cs_timeline_give_back (job->timeline, scan->reader, &error))
        continue;
      g_mutex_lock (&job->mutex);
      if (job->error == NULL)
        job->error = g_steal_pointer (&error);
      g_mutex_unlock (&job->mutex);
      g_clear_error (&error);
    }
  return NULL;
}

static int
compare_calls (gconstpointer a, gconstpointer b)
{
  const CsTimelineCall *x = a, *y = b;

  if (x->span.start != y->span.start)
    return x->span.start < y->span.start ? -1 : 1;
  if (x->track != y->track)
    return x->track < y->track ? -1 : 1;
  return x->span.position < y->span.position ? -1 : x->span.position > y->span.position;
}

/* Asks all tracks, with a thread a processor, and collects what they found, in the order of time. */
static gboolean
run_job (Job *job, GArray *calls, gboolean *more, GError **error)
{
  guint n_tracks = job->timeline->tracks->len;
  guint n_threads = job->search.track != G_MAXUINT ? 1 : MAX (1, MIN (g_get_num_processors (), n_tracks));
  g_autofree GThread **threads = g_new0 (GThread *, n_threads);

  g_mutex_init (&job->mutex);
  job->scans = g_new0 (Scan, n_tracks + 1);
  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_try_new ("callsight-find", work, job, NULL);
  work (job);
  for (guint i = 1; i < n_threads; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
  *more = FALSE;
  for (guint i = 0; i < n_tracks; i++)
    {
      g_array_append_vals (calls, job->scans[i].calls->data, job->scans[i].calls->len);
      *more |= job->scans[i].more;
      g_array_unref (job->scans[i].calls);
    }
  g_free (job->scans);
  g_mutex_clear (&job->mutex);
  g_array_sort (calls, compare_calls);
  if (calls->len > job->search.limit)
    {
      g_array_set_size (calls, (guint) job->search.limit);
      *more = TRUE;
    }
  if (g_cancellable_set_error_if_cancelled (job->cancellable, error))
    {
      g_clear_error (&job->error);
      return FALSE;
    }
  if (job->error == NULL)
    return TRUE;
  g_propagate_error (error, job->error);
  return FALSE;
}

/**
 * cs_timeline_find_calls:
 * @self: an index
 * @search: which calls are wanted
 * @calls: (element-type CsTimelineCall): where to put them, by the time of their start; empty
 * @more: (out): whether there are more than the limit
 * @cancellable: (nullable): to give up early
 * @error: where to say what could not be read
 *
 * Looks for calls that begin in a range of time. Those of one function are found by reading the
 * range; long ones without looking at what is shorter than they are. Blocks, with as many threads
 * as there are processors and tracks.
 *
 * Returns: whether all was looked at
 */
gboolean
cs_timeline_find_calls (CsTimeline *self, const CsTimelineSearch *search, GArray *calls, gboolean *more,
                        GCancellable *cancellable, GError **error)
{
  Job job = { .timeline = self, .search = *search, .cancellable = cancellable,
              .scan = search->address != 0 ? scan_for_function : scan_for_long_calls };

  g_return_val_if_fail (search->track == G_MAXUINT || search->track < self->tracks->len, FALSE);
  g_return_val_if_fail (search->limit > 0 && search->limit < G_MAXUINT, FALSE);

  return run_job (&job, calls, more, error);
}

/**
 * cs_timeline_find_next:
 * @self: an index
 * @track: number of a track; %G_MAXUINT: all
 * @process: of these only the ones of this process; %G_MAXUINT: of any
 * @address: of a function, as recorded
 * @ns: a time
 * @backwards: whether the call before that time is wanted
 * @call: (out): the function's first call that begins later than @ns, or the last that begins
 *   earlier
 * @cancellable: (nullable): to give up early
 * @error: where to say what could not be read
 *
 * Returns: whether there is one; %FALSE without @error where there is none
 */
gboolean
cs_timeline_find_next (CsTimeline *self, guint track, guint process, guint64 address, gint64 ns, gboolean backwards,
                       CsTimelineCall *call, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof *call);
  Job job = { .timeline = self, .scan = scan_for_next, .backwards = backwards, .cancellable = cancellable,
              .best = backwards ? G_MININT64 : G_MAXINT64,
              .search = { .track = track, .process = process, .address = address, .limit = G_MAXUINT - 1,
                          .t0 = backwards || ns == G_MAXINT64 ? G_MININT64 : ns + 1, .t1 = backwards ? ns : G_MAXINT64 } };
  gboolean more;

  g_return_val_if_fail (track == G_MAXUINT || track < self->tracks->len, FALSE);

  if ((!backwards && ns == G_MAXINT64) || !run_job (&job, calls, &more, error) || calls->len == 0)
    return FALSE;
  *call = g_array_index (calls, CsTimelineCall, backwards ? calls->len - 1 : 0);
  return TRUE;
}
