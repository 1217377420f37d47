/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-live-private.h"

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
void
cs_live_reset_process (CsLive *self, LiveProcess *process)
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

/* A range of time counts from the first event, of which an earlier one may be found, and whose time
 * changes with its clock. That files go doesn't move it. */
void
cs_live_find_range (CsLive *self, gboolean clocks_changed)
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
    cs_live_reset_process (self, g_ptr_array_index (self->processes, i));
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
    cs_live_reset_process (self, lost->pdata[i]);
  for (guint i = 0; i < self->passes->len; i++)
    ((CsTrackPass *) g_ptr_array_index (self->passes, i))->files = cs_live_files_get_numbers (self->files);
}

/* Finds out what of the recording is known, and what is new. */
void
cs_live_take_recording (CsLive *self, CsRecording *recording)
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
        cs_live_reset_process (self, process);
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
          cs_live_reset_process (self, process);
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
    cs_live_find_range (self, FALSE);
  g_clear_object (&before);
}
