/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <sched.h>

#include "profile/cs-profile-builder.h"

/* Workers take the tracks one after the other, the largest first. */
typedef struct
{
  GPtrArray *tracks; /* (element-type CsThreadTrack) */
  guint next;        /* atomic */
  gboolean cancelled;
  GCancellable *cancellable;
} Queue;

typedef struct
{
  Queue *queue;
  CsTrackPass *pass;
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

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  Queue *queue = worker->queue;
  guint i;

  while ((i = (guint) g_atomic_int_add (&queue->next, 1)) < queue->tracks->len)
    if (!cs_track_pass_run (worker->pass, g_ptr_array_index (queue->tracks, i), queue->cancellable))
      {
        g_atomic_int_set (&queue->cancelled, TRUE);
        break;
      }
  return NULL;
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
                       GPtrArray *passes, guint *next_serial, guint64 *bytes_done, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) tracks = g_ptr_array_copy (cs_recording_get_tracks (recording), NULL, NULL);
  Queue queue = { .tracks = tracks, .cancellable = cancellable };
  guint n_workers = MAX (1, MIN (count_processors (), tracks->len));
  g_autofree Worker *workers = g_new0 (Worker, n_workers);
  g_autofree GThread **threads = g_new0 (GThread *, n_workers);

  g_ptr_array_set_free_func (tracks, NULL);
  g_ptr_array_sort (tracks, compare_tracks);
  for (guint i = 0; i < n_workers; i++)
    {
      workers[i].queue = &queue;
      workers[i].pass = cs_track_pass_new (recording, data->clocks, data->landings, data->pass_filter,
                                           options->n_slowest, next_serial, bytes_done);
      workers[i].pass->files = data->files;
      workers[i].pass->no_sites = !options->call_sites;
      workers[i].pass->by_thread = data->by_thread;
      g_ptr_array_add (passes, workers[i].pass);
    }
  for (guint i = 1; i < n_workers; i++)
    threads[i] = g_thread_try_new ("callsight-pass", work, &workers[i], NULL);
  work (&workers[0]);
  for (guint i = 1; i < n_workers; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
  return !queue.cancelled;
}
