/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <sched.h>

#include "profile/cs-profile-partial.h"
#include "profile/cs-track-private.h"

/* While pictures of what has been read are wanted, a worker reads its tracks in turns, so that they show something
 * of every thread and grow in all of them. The first turn of each is the
 * shortest; the others are this part of a track, and of the largest one so many records at most. */
#define TURNS 16
#define SHORTEST_TURN 32768
#define LONGEST_TURN 524288

/* Workers take the tracks one after the other, the largest first. */
typedef struct
{
  GPtrArray *tracks; /* (element-type CsThreadTrack) */
  guint next;        /* atomic */
  gboolean cancelled;
  GCancellable *cancellable;
  CsPartial *partial; /* (nullable) */
  guint64 n_turns;    /* of a track */
} Queue;

typedef struct
{
  Queue *queue;
  CsTrackPass *pass;
  /* Where tracks are read in turns: */
  guint number;
  GPtrArray *open; /* (element-type Track): of which there may be more */
  GPtrArray *files; /* (element-type CsThreadTrack): theirs */
  guint64 turn;     /* records of the one that is read */
} Worker;

static guint64
track_events (const CsThreadTrack *track)
{
  guint64 n = 0;

  for (guint i = 0; i < track->files->len; i++)
    n += ((const CsEventFile *) g_ptr_array_index (track->files, i))->n_events;
  return n;
}

static int
compare_tracks (gconstpointer a, gconstpointer b)
{
  guint64 x = track_events (*(CsThreadTrack *const *) a);
  guint64 y = track_events (*(CsThreadTrack *const *) b);

  return x < y ? 1 : x > y ? -1 : 0;
}

/* A copy of what a worker has counted, in which all threads have ended. */
static CsTrackPass *
copy_pass (const Worker *worker)
{
  CsTrackPass *copy = cs_track_pass_dup (worker->pass);

  for (guint i = 0; i < worker->open->len; i++)
    cs_track_end (cs_track_dup (g_ptr_array_index (worker->open, i), copy));
  return copy;
}

static gboolean
on_between (guint64 n_read, gpointer user_data)
{
  Worker *worker = user_data;

  if (cs_partial_is_wanted (worker->queue->partial, worker->number))
    cs_partial_give (worker->queue->partial, worker->number, copy_pass (worker));
  return n_read < worker->turn;
}

/* Reads so many records, or few more, of one of a worker's open tracks; what is read to its end is taken out. */
static gboolean
read_turn (Worker *worker, guint i, guint64 n_records)
{
  Track *track = g_ptr_array_index (worker->open, i);
  const CsThreadTrack *files = g_ptr_array_index (worker->files, i);

  worker->turn = n_records;
  if (!cs_track_read (track, files, NULL, worker->queue->cancellable))
    return FALSE;
  if (!track->paused)
    {
      g_ptr_array_steal_index (worker->open, i);
      g_ptr_array_remove_index (worker->files, i);
      cs_track_end (track);
    }
  return TRUE;
}

/* Each worker keeps the tracks that it has begun. */
static gboolean
work_in_turns (Worker *worker)
{
  Queue *queue = worker->queue;
  guint i;

  while ((i = (guint) g_atomic_int_add (&queue->next, 1)) < queue->tracks->len)
    {
      const CsThreadTrack *files = g_ptr_array_index (queue->tracks, i);

      g_ptr_array_add (worker->open, cs_track_begin (worker->pass, files));
      g_ptr_array_add (worker->files, (gpointer) files);
      if (!read_turn (worker, worker->open->len - 1, SHORTEST_TURN))
        return FALSE;
    }
  cs_partial_note_begun (queue->partial);
  while (worker->open->len > 0)
    for (i = worker->open->len; i-- > 0;)
      {
        guint64 n_events = track_events (g_ptr_array_index (worker->files, i));

        if (!read_turn (worker, i, MAX (n_events / queue->n_turns, SHORTEST_TURN)))
          return FALSE;
      }
  return TRUE;
}

static gboolean
work_in_order (Worker *worker)
{
  Queue *queue = worker->queue;
  guint i;

  while ((i = (guint) g_atomic_int_add (&queue->next, 1)) < queue->tracks->len)
    if (!cs_track_pass_run (worker->pass, g_ptr_array_index (queue->tracks, i), queue->cancellable))
      return FALSE;
  return TRUE;
}

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  Queue *queue = worker->queue;

  if (queue->partial == NULL ? !work_in_order (worker) : !work_in_turns (worker))
    g_atomic_int_set (&queue->cancelled, TRUE);
  if (queue->partial != NULL)
    cs_partial_note_finished (queue->partial, worker->number, worker->pass);
  return NULL;
}

static void
prepare_turns (Worker *worker, guint number)
{
  worker->number = number;
  worker->open = g_ptr_array_new_with_free_func (cs_track_discard);
  worker->files = g_ptr_array_new ();
  worker->pass->between = on_between;
  worker->pass->between_data = worker;
}

static void
end_turns (CsPartial *partial, Worker *workers, guint n_workers)
{
  cs_partial_stop (partial);
  for (guint i = 0; i < n_workers; i++)
    {
      g_ptr_array_unref (workers[i].open);
      g_ptr_array_unref (workers[i].files);
      workers[i].pass->between = NULL;
    }
}

/* The processors that this process may use: g_get_num_processors() may count them all, and two
 * workers that share one evict each other's tables. */
static guint
count_processors (void)
{
  cpu_set_t usable;

  if (sched_getaffinity (0, sizeof usable, &usable) == 0)
    return (guint) CPU_COUNT (&usable);
  return g_get_num_processors ();
}

/**
 * cs_profile_run_passes:
 * @recording: what to read
 * @data: has the clocks of its processes, and what is known of landings
 * @options: what the profile is to hold
 * @partial: (nullable): what makes profiles of what has been read meanwhile
 * @passes: (element-type CsTrackPass): where to put the workers' passes
 * @next_serial: counts threads
 * @bytes_done: counts bytes read, atomically
 * @cancellable: (nullable): to give up early
 *
 * Reads all tracks, with as many threads as there are processors and tracks.
 *
 * Returns: %FALSE when cancelled
 */
gboolean
cs_profile_run_passes (CsRecording *recording, const CsProfileData *data, const CsProfileOptions *options,
                       CsPartial *partial, GPtrArray *passes, guint *next_serial, guint64 *bytes_done,
                       GCancellable *cancellable)
{
  g_autoptr (GPtrArray) tracks = g_ptr_array_copy (cs_recording_get_tracks (recording), NULL, NULL);
  Queue queue = { .tracks = tracks, .cancellable = cancellable, .partial = partial };
  guint n_workers = MAX (1, MIN (count_processors (), tracks->len));
  g_autofree Worker *workers = g_new0 (Worker, n_workers);
  g_autofree GThread **threads = g_new0 (GThread *, n_workers);

  g_ptr_array_set_free_func (tracks, NULL);
  g_ptr_array_sort (tracks, compare_tracks);
  queue.n_turns = TURNS;
  if (tracks->len > 0)
    queue.n_turns = MAX (TURNS, track_events (g_ptr_array_index (tracks, 0)) / LONGEST_TURN);
  for (guint i = 0; i < n_workers; i++)
    {
      workers[i].queue = &queue;
      workers[i].pass = cs_track_pass_new (recording, data->clocks, data->landings, data->pass_filter,
                                           options->n_slowest, next_serial, bytes_done);
      workers[i].pass->files = data->files;
      workers[i].pass->no_sites = !options->call_sites;
      workers[i].pass->by_thread = data->by_thread;
      g_ptr_array_add (passes, workers[i].pass);
      if (partial != NULL)
        prepare_turns (&workers[i], i);
    }
  if (partial != NULL)
    cs_partial_start (partial, n_workers);
  for (guint i = 1; i < n_workers; i++)
    threads[i] = g_thread_try_new ("callsight-pass", work, &workers[i], NULL);
  work (&workers[0]);
  for (guint i = 1; i < n_workers; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
  if (partial != NULL)
    end_turns (partial, workers, n_workers);
  return !queue.cancelled;
}
