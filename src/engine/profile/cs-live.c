/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-live-files.h"
#include "profile/cs-live.h"
#include "profile/cs-profile-builder.h"
#include "profile/cs-track-private.h"

/* A process as its files tell of it, from one refresh to the next. */
typedef struct
{
  struct trace_header header; /* of one of its files */
  char *folder;
  guint index;      /* in the recording of the last refresh; G_MAXUINT: not there any more */
  CsClock clock;    /* what its times have been read with */
  guint64 anchor;   /* ns: the anchor of that clock; 0: none */
  guint64 n_read;   /* records, in this refresh */
  guint64 n_events; /* of all its files, where an index is made */
  guint64 n_before; /* the same at the last refresh */
  gboolean grown;   /* the two differ */
  gboolean whole;   /* modules take turns in it: it is read from its beginning each time */
} LiveProcess;

/* A track, which one worker reads. */
typedef struct
{
  LiveProcess *process;
  char *stream;
  guint tid;
  guint worker;
  Track *track;
  const CsThreadTrack *files; /* of the last refresh's recording; NULL: not there any more */
  CsThreadTrack flushed;      /* where an index is made, these without their tail, which is read in copies */
} LiveTrack;

struct _CsLive
{
  GObject parent_instance;

  char **paths;
  CsSymbolizer *symbolizer;
  CsProfileOptions options;

  CsRecording *recording; /* of the last refresh */
  CsLandings *landings;
  CsPassFilter *filter;
  CsLiveFiles *files;   /* (nullable): where an index of time is made */
  gint64 start;         /* ns: that of the recording, as the filter has it; 0: there are no events yet */
  GPtrArray *passes;    /* (element-type CsTrackPass): one a worker */
  GPtrArray *processes; /* (element-type LiveProcess) */
  GPtrArray *tracks;    /* (element-type LiveTrack) */
  CsClock *clocks;      /* by index in the recording */
  guint next_serial;
  guint64 bytes_done;
  guint64 n_read;
};

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

/* Finds the process that a file is of; a new one where there is none. */
static LiveProcess *
find_process (CsLive *self, const CsEventFile *file)
{
  LiveProcess *process;

  for (guint i = 0; i < self->processes->len; i++)
    {
      process = g_ptr_array_index (self->processes, i);
      if (cs_trace_header_compare_process (&process->header, process->folder, &file->header, file->folder) == 0)
        return process;
    }
  process = g_new0 (LiveProcess, 1);
  process->header = file->header;
  process->folder = g_strdup (file->folder);
  process->index = G_MAXUINT;
  g_ptr_array_add (self->processes, process);
  return process;
}

static LiveTrack *
find_track (CsLive *self, LiveProcess *process, const CsThreadTrack *files)
{
  const CsEventFile *file = g_ptr_array_index (files->files, 0);
  LiveTrack *track;

  for (guint i = 0; i < self->tracks->len; i++)
    {
      track = g_ptr_array_index (self->tracks, i);
      if (track->process == process && track->tid == files->tid && g_strcmp0 (track->stream, file->stream) == 0)
        return track;
    }
  track = g_new0 (LiveTrack, 1);
  track->process = process;
  track->tid = files->tid;
  track->stream = g_strdup (file->stream);
  track->worker = self->tracks->len % self->passes->len;
  g_ptr_array_add (self->tracks, track);
  return track;
}

/* Gives up what was counted of a process, so that it is read from its beginning. */
static void
reset_process (CsLive *self, LiveProcess *process)
{
  for (guint i = 0; i < self->tracks->len; i++)
    {
      LiveTrack *track = g_ptr_array_index (self->tracks, i);

      if (track->process == process)
        g_clear_pointer (&track->track, cs_track_discard);
    }
  for (guint i = 0; process->index != G_MAXUINT && i < self->passes->len; i++)
    {
      CsTrackPass *pass = g_ptr_array_index (self->passes, i);
      CsPassCounts **counts = (CsPassCounts **) &pass->counts->pdata[process->index];

      cs_track_forget_indices (pass, process->index);
      for (guint j = pass->threads->len; *counts != NULL && j-- > 0;)
        if (((const CsPassThread *) pass->threads->pdata[j])->process == (*counts)->process)
          g_ptr_array_remove_index_fast (pass->threads, j);
      g_clear_pointer (counts, cs_pass_counts_free);
      g_array_index (pass->marks, CsPassMarks, process->index) = (CsPassMarks){ 0 };
    }
}

/* The same for the indices of threads that have ended; those of processes that are gone go. */
static void
move_indices (CsTrackPass *pass, GPtrArray *processes)
{
  g_autoptr (GArray) now = g_array_new (FALSE, FALSE, sizeof (guint)); /* by index of before */

  for (guint i = 0; i < pass->counts->len; i++)
    {
      guint gone = G_MAXUINT;

      g_array_append_val (now, gone);
    }
  for (guint i = 0; i < processes->len; i++)
    {
      const LiveProcess *process = g_ptr_array_index (processes, i);

      if (process->index < now->len)
        g_array_index (now, guint, process->index) = i;
    }
  cs_track_move_indices (pass, (const guint *) (gpointer) now->data, now->len);
}

/* Lets what a pass has counted be of the recording's processes, which have other numbers now. */
static void
move_pass (CsLive *self, CsTrackPass *pass, GPtrArray *processes)
{
  GPtrArray *counts = g_ptr_array_new ();
  GArray *marks = g_array_new (FALSE, TRUE, sizeof (CsPassMarks));
  g_autoptr (GHashTable) now = g_hash_table_new (NULL, NULL); /* CsProcess of before → of now */

  g_ptr_array_set_size (counts, (gint) processes->len);
  g_array_set_size (marks, processes->len);
  for (guint i = 0; i < processes->len; i++)
    {
      const LiveProcess *process = g_ptr_array_index (processes, i);
      CsPassCounts *own;

      if (process->index == G_MAXUINT)
        continue;
      g_array_index (marks, CsPassMarks, i) = g_array_index (pass->marks, CsPassMarks, process->index);
      own = counts->pdata[i] = g_steal_pointer (&pass->counts->pdata[process->index]);
      if (own == NULL)
        continue;
      g_hash_table_insert (now, (gpointer) own->process,
                           g_ptr_array_index (cs_recording_get_processes (self->recording), i));
      own->process = g_hash_table_lookup (now, own->process);
    }
  for (guint i = pass->threads->len; i-- > 0;)
    {
      CsPassThread *thread = pass->threads->pdata[i];

      thread->process = g_hash_table_lookup (now, thread->process);
      if (thread->process == NULL)
        g_ptr_array_remove_index_fast (pass->threads, i);
    }
  move_indices (pass, processes);
  for (guint i = 0; i < pass->counts->len; i++)
    g_clear_pointer ((CsPassCounts **) &pass->counts->pdata[i], cs_pass_counts_free);
  g_ptr_array_unref (pass->counts);
  g_array_unref (pass->marks);
  /* What could not be read the last time is tried again, or known to be missing. */
  cs_notices_free (pass->notices);
  pass->notices = cs_notices_new ();
  pass->counts = counts;
  pass->marks = marks;
  pass->clocks = self->clocks;
  pass->landings = self->landings;
  pass->filter = self->filter;
}

/* The same for a track whose pass has been moved. */
static void
move_track (const CsLive *self, LiveTrack *live)
{
  Track *track = live->track;
  guint index = live->process->index;
  GHashTableIter iter;
  gpointer thread;

  if (track == NULL)
    return;
  track->process = g_ptr_array_index (cs_recording_get_processes (self->recording), index);
  track->clock = &self->clocks[index];
  track->counts = track->pass->counts->pdata[index];
  track->marks = &g_array_index (track->pass->marks, CsPassMarks, index);
  g_hash_table_iter_init (&iter, track->threads);
  while (g_hash_table_iter_next (&iter, NULL, &thread))
    {
      CsPassThread *moved = thread;

      moved->process = track->process;
      if (moved->index != NULL)
        cs_track_builder_set_process (moved->index, index);
    }
}

static void
make_passes (CsLive *self)
{
  for (guint i = self->passes->len; i < MAX (1, g_get_num_processors ()); i++)
    {
      CsTrackPass *pass = cs_track_pass_new (self->recording, self->clocks, self->landings, self->filter,
                                             self->options.n_slowest, &self->next_serial, &self->bytes_done);

      pass->no_sites = !self->options.call_sites;
      g_ptr_array_add (self->passes, pass);
    }
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

/* A range of time counts from the first event, of which an earlier one may be found, and whose time
 * changes with its clock. That files go doesn't move it. */
static void
find_range (CsLive *self, gboolean clocks_changed)
{
  gint64 start = cs_recording_find_start (self->recording, self->clocks);
  g_autoptr (CsPassFilter) filter = NULL;

  if (!clocks_changed && self->start != 0)
    start = start != 0 ? MIN (start, self->start) : self->start;
  self->start = start;
  filter = cs_pass_filter_new (&self->options.filter, start, NULL, NULL);
  if (filter->from == self->filter->from && filter->to == self->filter->to)
    return;
  self->filter->from = filter->from;
  self->filter->to = filter->to;
  for (guint i = 0; i < self->processes->len; i++)
    reset_process (self, g_ptr_array_index (self->processes, i));
}

/* Counts what there is of each process, to tell those that run. */
static void
note_growth (CsLive *self)
{
  for (guint i = 0; i < self->processes->len; i++)
    {
      LiveProcess *process = g_ptr_array_index (self->processes, i);

      process->grown = process->n_events != process->n_before;
      process->n_before = process->n_events;
    }
}

/* Takes the files that there are of each track. */
static void
take_tracks (CsLive *self, GPtrArray *tracks, GPtrArray *processes)
{
  g_autoptr (GPtrArray) lost = NULL;

  for (guint i = 0; i < self->tracks->len; i++)
    ((LiveTrack *) g_ptr_array_index (self->tracks, i))->files = NULL;
  for (guint i = 0; i < tracks->len; i++)
    {
      const CsThreadTrack *files = g_ptr_array_index (tracks, i);
      LiveTrack *track = find_track (self, processes->pdata[files->process->index], files);

      track->files = files;
      if (self->files == NULL)
        continue;
      g_clear_pointer (&track->flushed.files, g_ptr_array_unref);
      track->flushed = (CsThreadTrack){ .process = files->process, .tid = files->tid, .files = g_ptr_array_new () };
      for (guint j = 0; j < files->files->len; j++)
        {
          CsEventFile *file = g_ptr_array_index (files->files, j);

          track->process->n_events += file->n_events;
          if (!file->tail)
            g_ptr_array_add (track->flushed.files, file);
        }
    }
  if (self->files == NULL)
    return;
  lost = cs_live_files_take (self->files, self->recording, processes);
  for (guint i = 0; i < lost->len; i++)
    reset_process (self, lost->pdata[i]);
  for (guint i = 0; i < self->passes->len; i++)
    ((CsTrackPass *) g_ptr_array_index (self->passes, i))->files = cs_live_files_get_numbers (self->files);
}

/* Finds out what of the recording is known, and what is new. */
static void
take_recording (CsLive *self, CsRecording *recording)
{
  GPtrArray *processes = cs_recording_get_processes (recording);
  GPtrArray *tracks = cs_recording_get_tracks (recording);
  g_autoptr (GPtrArray) live = g_ptr_array_new ();
  CsLandings *landings = cs_landings_new (self->symbolizer);
  CsRecording *before = self->recording;

  g_ptr_array_set_size (live, (gint) processes->len);
  for (guint i = 0; i < tracks->len; i++)
    {
      const CsThreadTrack *files = g_ptr_array_index (tracks, i);

      live->pdata[files->process->index] = find_process (self, g_ptr_array_index (files->files, 0));
    }
  self->recording = g_object_ref (recording);
  g_free (self->clocks);
  self->clocks = g_new0 (CsClock, processes->len);
  for (guint i = 0; i < processes->len; i++)
    {
      LiveProcess *process = live->pdata[i];
      const CsProcess *now = g_ptr_array_index (processes, i);

      if (process->index == G_MAXUINT)
        {
          process->clock = now->clock;
          process->anchor = now->anchor_ns;
        }
      self->clocks[i] = process->clock;
      process->whole = now->section != NULL && cs_module_map_has_turns (now->section->map);
      if (process->whole)
        reset_process (self, process);
    }
  if (self->filter == NULL && !cs_profile_filter_is_empty (&self->options.filter))
    self->filter = cs_pass_filter_new (&self->options.filter, 0, landings, NULL);
  if (self->filter != NULL)
    self->filter->names = landings;
  g_clear_pointer (&self->landings, cs_landings_free);
  self->landings = landings;
  for (guint i = 0; i < self->passes->len; i++)
    move_pass (self, g_ptr_array_index (self->passes, i), live);
  make_passes (self);

  for (guint i = 0; i < self->processes->len; i++)
    {
      LiveProcess *process = g_ptr_array_index (self->processes, i);

      process->n_read = process->n_events = 0;
      if (!g_ptr_array_find (live, process, &process->index))
        {
          process->index = G_MAXUINT;
          reset_process (self, process);
        }
    }
  take_tracks (self, tracks, live);
  note_growth (self);
  for (guint i = 0; i < self->tracks->len; i++)
    {
      LiveTrack *track = g_ptr_array_index (self->tracks, i);

      if (track->process->index != G_MAXUINT)
        move_track (self, track);
    }
  if (self->filter != NULL)
    find_range (self, FALSE);
  g_clear_object (&before);
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
              reset_process (self, process);
              changed = TRUE;
            }
        }
      if (changed && self->filter != NULL)
        find_range (self, TRUE);
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
  take_recording (self, recording);
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
