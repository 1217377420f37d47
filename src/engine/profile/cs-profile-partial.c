/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "profile/cs-profile-partial.h"

/* What is read at once needs no partial profile. The first one is made after this time if something of every track
 * has been read, and after the other one at the latest. */
#define FIRST_US 100000
#define FIRST_LATEST_US 250000
/* Between two partial profiles there is at least this time, and so many times what the last one took. */
#define INTERVAL_US 300000
#define INTERVAL_FACTOR 16

/* Makes profiles of what has been read, in a thread of its own, while workers read. Each worker hands over a
 * copy of its counts when it is asked, between two blocks. */
struct _CsPartial
{
  CsRecording *recording;
  CsSymbolizer *symbolizer;
  const CsProfileData *data; /* of the profile that is being made */
  const CsProfileOptions *options;
  const guint64 *bytes_done;
  double told; /* what part had been read of the last profile that was told */

  GThread *thread; /* (nullable) */
  GMutex mutex;    /* of what follows */
  GCond cond;
  GCancellable *cancellable; /* ends the making of a profile */
  gboolean stopped;
  guint n_workers;
  guint n_begun;     /* workers that have read something of each of their tracks */
  gint *wanted;      /* by worker, atomic */
  CsTrackPass **copies; /* by worker: what it gave */
  const CsTrackPass **finished; /* by worker (nullable): its pass, which doesn't change any more */
};

/**
 * cs_partial_new:
 * @recording: what is read
 * @symbolizer: what names addresses; it is locked
 * @data: the profile that is being made; must outlive the object
 * @options: what it is to hold, with the function that is told of partial profiles; must outlive the object
 * @bytes_done: counts the bytes read, atomically
 *
 * Returns: (transfer full): what makes partial profiles of a pass
 */
CsPartial *
cs_partial_new (CsRecording *recording, CsSymbolizer *symbolizer, const CsProfileData *data,
                const CsProfileOptions *options, const guint64 *bytes_done)
{
  CsPartial *self = g_new0 (CsPartial, 1);

  self->recording = g_object_ref (recording);
  self->symbolizer = g_object_ref (symbolizer);
  self->data = data;
  self->options = options;
  self->bytes_done = bytes_done;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  return self;
}

/**
 * cs_partial_free:
 * @self: (transfer full): what makes partial profiles; not started
 */
void
cs_partial_free (CsPartial *self)
{
  g_object_unref (self->recording);
  g_object_unref (self->symbolizer);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self);
}

/* What part of the recording has been read; less than all. */
static double
get_done (const CsPartial *self)
{
  guint64 total = cs_recording_get_n_bytes (self->recording);
  guint64 done = __atomic_load_n (self->bytes_done, __ATOMIC_RELAXED);

  return total > 0 ? MIN ((double) done / (double) total, 0.999) : 0;
}

static void
free_copies (CsPartial *self)
{
  for (guint i = 0; i < self->n_workers; i++)
    g_clear_pointer (&self->copies[i], cs_track_pass_free);
}

/* With the mutex: asks all workers for copies and waits for them. NULL: it was stopped. */
static GPtrArray *
collect (CsPartial *self)
{
  GPtrArray *passes;
  guint n_missing;

  for (guint i = 0; i < self->n_workers; i++)
    g_atomic_int_set (&self->wanted[i], TRUE);
  do
    {
      n_missing = 0;
      for (guint i = 0; i < self->n_workers; i++)
        n_missing += self->copies[i] == NULL && self->finished[i] == NULL;
      if (n_missing > 0 && !self->stopped)
        g_cond_wait (&self->cond, &self->mutex);
    }
  while (n_missing > 0 && !self->stopped);
  if (self->stopped)
    return NULL;
  passes = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_track_pass_free);
  for (guint i = 0; i < self->n_workers; i++)
    if (self->copies[i] != NULL)
      g_ptr_array_add (passes, g_steal_pointer (&self->copies[i]));
    else
      g_ptr_array_add (passes, cs_track_pass_dup (self->finished[i]));
  return passes;
}

static void
set_timeline (const CsPartial *self, CsProfileData *data, GPtrArray *passes)
{
  if (self->data->timeline != NULL)
    {
      data->timeline = cs_timeline_ref (self->data->timeline);
      return;
    }
  if (self->data->files == NULL)
    return;
  data->timeline = cs_timeline_new (self->recording, NULL, data->clocks, cs_track_steal_indices (passes));
}

/* Sums up copies of what the workers have counted, and tells of it. */
static void
make (CsPartial *self, GPtrArray *passes, double done)
{
  guint n_processes = cs_recording_get_processes (self->recording)->len;
  /* The callers of threads lie in libraries, whose debug files take longer to read than most recordings. */
  const CsProfileOptions options = { .n_slowest = self->options->n_slowest };
  CsProfileData data = { 0 };
  g_autoptr (CsProfile) profile = NULL;

  cs_profile_data_init (&data, self->recording, &self->options->filter);
  data.done = done;
  data.landings = cs_landings_new (self->symbolizer);
  memcpy (data.clocks, self->data->clocks, n_processes * sizeof *data.clocks);
  memcpy (data.anchored, self->data->anchored, n_processes * sizeof *data.anchored);
  set_timeline (self, &data, passes);
  if (!cs_profile_data_sum (&data, self->recording, self->symbolizer, &options, passes, self->cancellable, NULL) ||
      data.n_threads == 0 || g_cancellable_is_cancelled (self->cancellable))
    {
      cs_profile_data_clear (&data);
      return;
    }
  profile = cs_profile_new_take (self->recording, &data);
  self->told = done;
  self->options->partial (profile, self->options->partial_data);
}

/* With the mutex: waits until a time, or until it is stopped or @begun says that every worker has begun. */
static void
wait_until (CsPartial *self, gint64 time, gboolean begun)
{
  while (!self->stopped && !(begun && self->n_begun == self->n_workers) &&
         g_cond_wait_until (&self->cond, &self->mutex, time))
    ;
}

static gpointer
run (gpointer user_data)
{
  CsPartial *self = user_data;
  guint us = self->options->partial_us;
  gint64 start = g_get_monotonic_time ();
  gint64 cost = 0;

  g_mutex_lock (&self->mutex);
  wait_until (self, start + (us > 0 ? us : FIRST_US), FALSE);
  wait_until (self, start + (us > 0 ? us : FIRST_LATEST_US), TRUE);
  while (!self->stopped)
    {
      gint64 begin = g_get_monotonic_time ();
      double done = get_done (self);
      double left = done > 0 ? (double) (begin - start) / done * (1 - done) : (double) G_MAXINT64;
      g_autoptr (GPtrArray) passes = NULL;

      /* The whole one comes sooner than another part, or the recording is read once more. */
      if (left > 2 * (double) cost && done > self->told)
        passes = collect (self);
      if (passes != NULL)
        {
          g_mutex_unlock (&self->mutex);
          make (self, passes, done);
          g_clear_pointer (&passes, g_ptr_array_unref);
          g_mutex_lock (&self->mutex);
          cost = g_get_monotonic_time () - begin;
        }
      wait_until (self, g_get_monotonic_time () + (us > 0 ? us : MAX (INTERVAL_US, INTERVAL_FACTOR * cost)), FALSE);
    }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

/**
 * cs_partial_start:
 * @self: what makes partial profiles; not started
 * @n_workers: how many workers read
 *
 * To be called before the workers begin.
 */
void
cs_partial_start (CsPartial *self, guint n_workers)
{
  self->n_workers = n_workers;
  self->n_begun = 0;
  self->stopped = FALSE;
  self->cancellable = g_cancellable_new ();
  self->wanted = g_new0 (gint, n_workers);
  self->copies = g_new0 (CsTrackPass *, n_workers);
  self->finished = g_new0 (const CsTrackPass *, n_workers);
  self->thread = g_thread_try_new ("callsight-part", run, self, NULL);
}

/**
 * cs_partial_stop:
 * @self: what makes partial profiles; started
 *
 * To be called when the workers have ended. Afterwards no partial profile is told any more.
 */
void
cs_partial_stop (CsPartial *self)
{
  g_mutex_lock (&self->mutex);
  self->stopped = TRUE;
  g_cancellable_cancel (self->cancellable);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  g_clear_pointer (&self->thread, g_thread_join);
  free_copies (self);
  g_clear_pointer (&self->wanted, g_free);
  g_clear_pointer (&self->copies, g_free);
  g_clear_pointer (&self->finished, g_free);
  g_clear_object (&self->cancellable);
}

/**
 * cs_partial_is_wanted:
 * @self: what makes partial profiles
 * @worker: number of the worker that asks
 *
 * Returns: whether the worker is to give a copy of its counts
 */
gboolean
cs_partial_is_wanted (CsPartial *self, guint worker)
{
  return g_atomic_int_get (&self->wanted[worker]);
}

/**
 * cs_partial_give:
 * @self: what makes partial profiles
 * @worker: number of the worker
 * @copy: (transfer full): a copy of its pass, in which all threads have ended
 */
void
cs_partial_give (CsPartial *self, guint worker, CsTrackPass *copy)
{
  g_mutex_lock (&self->mutex);
  g_atomic_int_set (&self->wanted[worker], FALSE);
  g_clear_pointer (&self->copies[worker], cs_track_pass_free);
  self->copies[worker] = copy;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

/**
 * cs_partial_note_begun:
 * @self: what makes partial profiles
 *
 * One more worker has read something of each of its tracks.
 */
void
cs_partial_note_begun (CsPartial *self)
{
  g_mutex_lock (&self->mutex);
  self->n_begun++;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

/**
 * cs_partial_note_finished:
 * @self: what makes partial profiles
 * @worker: number of the worker, which has begun
 * @pass: its pass, which does not change until cs_partial_stop() has returned
 */
void
cs_partial_note_finished (CsPartial *self, guint worker, const CsTrackPass *pass)
{
  g_mutex_lock (&self->mutex);
  self->finished[worker] = pass;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

/**
 * cs_partial_add_unread:
 * @data: a partial profile with an index of the whole recording
 * @recording: what is read
 * @rows: (element-type CsThreadRow): the threads of which something has been read, in the profile's order; the others
 *   of the index are added behind them
 *
 * So a profile's threads are the tracks of its index, also while it is partial.
 */
void
cs_partial_add_unread (const CsProfileData *data, CsRecording *recording, GArray *rows)
{
  guint n_read = rows->len;

  for (guint i = 0; i < cs_timeline_get_n_tracks (data->timeline); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (data->timeline, i);
      const CsProcess *process = g_ptr_array_index (cs_recording_get_processes (recording), info->process);
      const char *name = cs_process_get_thread_name (process, info->tid, info->seq);
      CsThreadRow row = { .process = info->process, .pid = process->pid, .tid = info->tid, .seq = info->seq,
                          .serial = G_MAXUINT - i, .first = info->first, .last = info->first - 1 };

      if (n_read > 0 && bsearch (&row, rows->data, n_read, sizeof row, cs_profile_compare_threads) != NULL)
        continue;
      if (name != NULL)
        row.name = g_string_chunk_insert_const (data->strings, name);
      g_array_append_val (rows, row);
    }
}
