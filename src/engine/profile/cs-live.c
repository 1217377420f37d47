/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-live-private.h"

G_DEFINE_FINAL_TYPE (CsLive, cs_live, G_TYPE_OBJECT)

static void
live_process_free (gpointer data)
{
  LiveProcess *process = data;

  g_free (process->folder);
  g_free (process);
}

static void
live_track_free (gpointer data)
{
  LiveTrack *track = data;

  g_clear_pointer (&track->track, cs_track_discard);
  g_clear_pointer (&track->flushed.files, g_ptr_array_unref);
  g_free (track->stream);
  g_free (track);
}

static void
cs_live_finalize (GObject *object)
{
  CsLive *self = CS_LIVE (object);

  g_ptr_array_unref (self->tracks);
  g_ptr_array_unref (self->passes);
  g_ptr_array_unref (self->processes);
  g_clear_pointer (&self->filter, cs_pass_filter_free);
  g_clear_pointer (&self->files, cs_live_files_free);
  g_clear_pointer (&self->landings, cs_landings_free);
  cs_profile_filter_clear (&self->options.filter);
  g_free (self->clocks);
  g_clear_object (&self->recording);
  g_clear_object (&self->symbolizer);
  g_strfreev (self->paths);

  G_OBJECT_CLASS (cs_live_parent_class)->finalize (object);
}

static void
cs_live_class_init (CsLiveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_live_finalize;
}

static void
cs_live_init (CsLive *self)
{
  self->passes = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_track_pass_free);
  self->processes = g_ptr_array_new_with_free_func (live_process_free);
  self->tracks = g_ptr_array_new_with_free_func (live_track_free);
}

/**
 * cs_live_new:
 * @paths: (array zero-terminated=1): trace directories or event files, which may grow
 * @symbolizer: what names addresses; not to be used by others while a refresh runs
 * @options: what profiles are to hold; copied. An index of time there is only without a filter
 *
 * Returns: (transfer full): what makes profiles of a recording that grows
 */
CsLive *
cs_live_new (const char *const *paths, CsSymbolizer *symbolizer, const CsProfileOptions *options)
{
  CsLive *self = g_object_new (CS_TYPE_LIVE, NULL);

  self->paths = g_strdupv ((char **) paths);
  self->symbolizer = g_object_ref (symbolizer);
  self->options = *options;
  cs_profile_filter_copy (&self->options.filter, &options->filter);
  if (options->timeline && cs_profile_filter_is_empty (&options->filter))
    self->files = cs_live_files_new ();
  return self;
}

/* Whether a process may still run: of one that has ended there are no tails, but of one that was
 * killed. Streams have none. */
static gboolean
may_run (const CsLive *self, const LiveProcess *process)
{
  if (process->n_read == 0 && !process->grown)
    return FALSE;
  for (guint i = 0; i < self->tracks->len; i++)
    {
      const LiveTrack *track = g_ptr_array_index (self->tracks, i);

      if (track->process != process || track->files == NULL)
        continue;
      if (track->tid == 0)
        return TRUE;
      for (guint j = 0; j < track->files->files->len; j++)
        if (((const CsEventFile *) g_ptr_array_index (track->files->files, j))->tail)
          return TRUE;
    }
  return FALSE;
}

/* Whether an anchor is worth reading a process again: the last one is; of those that come while
 * the process runs, one each time that it has run twice as long. */
static gboolean
is_due (const CsLive *self, const LiveProcess *process, guint64 anchor)
{
  guint64 start = process->header.t0_ns;

  if (anchor <= process->anchor)
    return FALSE;
  return !may_run (self, process) || process->anchor <= start || (anchor - start) / 2 >= process->anchor - start;
}

/* Takes a newer rate of a process. Returns whether it is another one, and the process has to be
 * read again. */
static gboolean
take_anchor (CsLive *self, LiveProcess *live)
{
  const CsProcess *process = g_ptr_array_index (cs_recording_get_processes (self->recording), live->index);
  guint64 ticks = process->anchor_ticks, ns = process->anchor_ns;
  CsClock clock = live->clock;

  if (!process->ticks)
    return FALSE;
  for (guint i = 0; i < self->passes->len; i++)
    {
      const CsTrackPass *pass = g_ptr_array_index (self->passes, i);
      const CsPassMarks *marks = &g_array_index (pass->marks, CsPassMarks, live->index);

      if (marks->anchor_ns > ns)
        {
          ticks = marks->anchor_ticks;
          ns = marks->anchor_ns;
        }
    }
  if (!is_due (self, live, ns) || ns <= process->t0_ns || ticks <= process->t0_ticks ||
      !cs_clock_init_ticks (&clock, process->t0_ticks, process->t0_ns, ns - process->t0_ns, ticks - process->t0_ticks))
    return FALSE;
  live->anchor = ns;
  live->clock = self->clocks[live->index] = clock;
  return TRUE;
}

typedef struct
{
  CsLive *live;
  guint worker;
  GCancellable *cancellable;
  gboolean complete;
} Job;

/* Reads the tracks of one worker. */
static gpointer
feed (gpointer data)
{
  Job *job = data;
  CsLive *self = job->live;
  CsTrackPass *pass = g_ptr_array_index (self->passes, job->worker);

  job->complete = TRUE;
  for (guint i = 0; job->complete && i < self->tracks->len; i++)
    {
      LiveTrack *track = g_ptr_array_index (self->tracks, i);
      const CsThreadTrack *files = self->files != NULL ? &track->flushed : track->files;
      guint64 n;

      if (track->worker != job->worker || track->files == NULL || files->files->len == 0)
        continue;
      if (track->track == NULL)
        track->track = cs_track_begin (pass, files);
      job->complete = cs_track_read (track->track, files, &n, job->cancellable);
      __atomic_fetch_add (&track->process->n_read, n, __ATOMIC_RELAXED);
      __atomic_fetch_add (&self->n_read, n, __ATOMIC_RELAXED);
    }
  return NULL;
}

static gboolean
feed_all (CsLive *self, GCancellable *cancellable)
{
  guint n = self->passes->len;
  g_autofree Job *jobs = g_new0 (Job, n);
  g_autofree GThread **threads = g_new0 (GThread *, n);
  gboolean complete = TRUE;

  for (guint i = 0; i < n; i++)
    {
      jobs[i] = (Job){ .live = self, .worker = i, .cancellable = cancellable };
      if (i + 1 < n)
        threads[i] = g_thread_try_new ("callsight-live", feed, &jobs[i], NULL);
      if (threads[i] == NULL)
        feed (&jobs[i]);
    }
  for (guint i = 0; i < n; i++)
    {
      if (threads[i] != NULL)
        g_thread_join (threads[i]);
      complete &= jobs[i].complete;
    }
  return complete;
}

/* Ends a copy of a track, in which its tail is read: what that has comes once more when it has been flushed, and leaves
 * of the index lie elsewhere then. */
static void
end_copy (CsLive *self, const LiveTrack *live, CsTrackPass *copy)
{
  gboolean has_tail = self->files != NULL && live->files != NULL && live->files->files->len > live->flushed.files->len;
  Track *track = NULL;
  guint64 n;

  if (live->track != NULL)
    track = cs_track_dup (live->track, copy);
  else if (has_tail)
    track = cs_track_begin (copy, live->files);
  if (track == NULL)
    return;
  if (has_tail)
    {
      cs_track_read (track, live->files, &n, NULL);
      self->n_read += n;
    }
  cs_track_end (track);
}

/* Copies of the passes in which all threads have ended. */
static GPtrArray *
end_copies (CsLive *self)
{
  GPtrArray *copies = g_ptr_array_new_with_free_func ((GDestroyNotify) cs_track_pass_free);

  for (guint i = 0; i < self->passes->len; i++)
    g_ptr_array_add (copies, cs_track_pass_dup (g_ptr_array_index (self->passes, i)));
  for (guint i = 0; i < self->tracks->len; i++)
    {
      const LiveTrack *track = g_ptr_array_index (self->tracks, i);

      end_copy (self, track, g_ptr_array_index (copies, track->worker));
    }
  return copies;
}

static gboolean
sum_up (CsLive *self, CsProfileData *data, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) copies = end_copies (self);

  cs_profile_data_init (data, self->recording, &self->options.filter);
  data->landings = cs_landings_new (self->symbolizer);
  for (guint i = 0; i < self->processes->len; i++)
    {
      const LiveProcess *process = g_ptr_array_index (self->processes, i);

      if (process->index == G_MAXUINT)
        continue;
      data->clocks[process->index] = process->clock;
      data->anchored[process->index] |= process->anchor != 0;
    }
  if (self->filter != NULL)
    {
      data->totals.origin = self->start;
      data->pass_filter = cs_pass_filter_dup (self->filter, data->landings);
    }
  if (self->files != NULL)
    data->timeline = cs_timeline_new (self->recording, cs_live_files_list (self->files), data->clocks,
                                      cs_track_steal_indices (copies));
  return cs_profile_data_sum (data, self->recording, self->symbolizer, &self->options, copies, cancellable, error);
}

/* Reads processes again whose rate has changed. */
static gboolean
feed_until_settled (CsLive *self, GCancellable *cancellable)
{
  gboolean changed;

  do
    {
      if (!feed_all (self, cancellable))
        return FALSE;
      changed = FALSE;
      for (guint i = 0; i < self->processes->len; i++)
        {
          LiveProcess *process = g_ptr_array_index (self->processes, i);

          if (process->index != G_MAXUINT && take_anchor (self, process))
            {
              cs_live_reset_process (self, process);
              changed = TRUE;
            }
        }
      if (changed && self->filter != NULL)
        cs_live_find_range (self, TRUE);
    }
  while (changed);
  return TRUE;
}

/**
 * cs_live_refresh:
 * @self: what makes profiles of a recording that grows
 * @cancellable: (nullable): to give up early; the next refresh goes on from there
 * @error: where to say why there is no profile
 *
 * Reads what has been added since the last refresh, and sums up. The cost is that of what is
 * new, of the functions and call paths there are, and of the headers of the files. Times are of
 * the rate that was known first, until the process's last anchor is there (or, of one that runs
 * on, until it has run twice as long as when its rate was known): then it is read once more,
 * and all is as in a profile of the finished files. So is a process whose libraries took turns
 * at an address, each time. Blocks; see cs_live_refresh_async().
 *
 * Returns: (transfer full) (nullable): the profile of what is there by now
 */
CsProfile *
cs_live_refresh (CsLive *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (CsRecording) recording = NULL;
  CsProfileData data = { 0 };

  g_return_val_if_fail (CS_IS_LIVE (self), NULL);

  self->n_read = 0;
  recording = cs_recording_open ((const char *const *) self->paths, cancellable, error);
  if (recording == NULL)
    return NULL;
  if (cs_recording_get_summaries (recording)->len > 0)
    return cs_profile_new (recording, self->symbolizer, &self->options, NULL, cancellable, error);
  cs_live_take_recording (self, recording);
  if (!feed_until_settled (self, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  if (sum_up (self, &data, cancellable, error))
    return cs_profile_new_take (recording, &data);
  cs_profile_data_clear (&data);
  return NULL;
}

static void
refresh_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CsProfile *profile = cs_live_refresh (source, cancellable, &error);

  if (profile == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, profile, g_object_unref);
}

/**
 * cs_live_refresh_async:
 * @self: what makes profiles of a recording that grows; one refresh at a time
 * @cancellable: (nullable): to give up early
 * @callback: (scope async): called when the profile is done, or not
 * @user_data: for @callback
 *
 * cs_live_refresh() in a thread.
 */
void
cs_live_refresh_async (CsLive *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, cs_live_refresh_async);
  g_task_run_in_thread (task, refresh_in_thread);
}

/**
 * cs_live_refresh_finish:
 * @self: what the refresh was of
 * @result: what the callback got
 * @error: where to say why there is no profile
 *
 * Returns: (transfer full) (nullable): the profile
 */
CsProfile *
cs_live_refresh_finish (CsLive *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cs_live_get_n_read:
 * @self: what makes profiles of a recording that grows
 *
 * Returns: how many records the last refresh read
 */
guint64
cs_live_get_n_read (CsLive *self)
{
  return self->n_read;
}

/**
 * cs_live_get_shorter:
 * @self: what makes profiles of a recording that grows, with an index of time
 *
 * Returns: whether some files were shorter at the last refresh than before: not what becomes of a recording
 */
gboolean
cs_live_get_shorter (CsLive *self)
{
  return self->files != NULL && cs_live_files_get_shorter (self->files);
}
