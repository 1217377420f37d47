/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "capture/cs-event-reader.h"
#include "capture/cs-recording-private.h"

/* The closing anchor is the last record that a process writes, but threads that still run
 * then may add a few: so many records at the end of each file are searched for it. */
#define ANCHOR_SEARCH_RECORDS 256

static void
take_anchor (CsProcess *process, CsEventFile *file, guint64 max_records)
{
  guint64 ticks, ns;

  if (cs_event_file_find_anchor (file, max_records, &ticks, &ns) && ns > process->anchor_ns)
    {
      process->anchor_ticks = ticks;
      process->anchor_ns = ns;
    }
}

/* Searches the event files of a process that lie beside its summary files, which have no
 * anchor themselves. */
static void
find_anchors_beside (CsProcess *process, const CsSummaryFile *summary, guint64 max_records)
{
  g_autoptr (GDir) dir = g_dir_open (summary->folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (summary->folder, name, NULL);
      g_autoptr (CsEventFile) file = NULL;
      CsTraceNameParts parts;

      if (cs_trace_name_parse (name, &parts) == CS_TRACE_NAME_EVENTS && parts.pid == process->pid)
        file = cs_event_file_open (path, NULL);
      if (file != NULL && cs_trace_header_compare_process (&file->header, file->folder, &summary->header,
                                                           summary->folder) == 0)
        take_anchor (process, file, max_records);
    }
}

static void
find_anchors (CsRecording *self, CsProcess *process, guint64 max_records)
{
  const char *folder = NULL;

  for (guint i = 0; i < self->tracks->len; i++)
    {
      const CsThreadTrack *track = g_ptr_array_index (self->tracks, i);

      for (guint j = 0; track->process == process && j < track->files->len; j++)
        take_anchor (process, g_ptr_array_index (track->files, j), max_records);
    }
  for (guint i = 0; i < self->summaries->len; i++)
    {
      const CsThreadSummary *summary = g_ptr_array_index (self->summaries, i);

      if (summary->process != process || g_strcmp0 (summary->file->folder, folder) == 0)
        continue;
      folder = summary->file->folder;
      find_anchors_beside (process, summary->file, max_records);
    }
}

static gboolean
set_rate (CsProcess *process)
{
  if (process->anchor_ns != 0)
    return cs_clock_init_ticks (&process->clock, process->t0_ticks, process->t0_ns,
                                process->anchor_ns - process->t0_ns,
                                process->anchor_ticks - process->t0_ticks);
  return cs_clock_init_ticks (&process->clock, process->t0_ticks, process->t0_ns, G_USEC_PER_SEC * 1000,
                              process->tick_hz);
}

/* Chooses the rate of a process: its latest anchor, or the coarse rate of its header. */
static gboolean
set_clock (CsRecording *self, CsProcess *process)
{
  if (!process->ticks)
    {
      cs_clock_init_ns (&process->clock);
      return TRUE;
    }
  find_anchors (self, process, ANCHOR_SEARCH_RECORDS);
  if (set_rate (process))
    return TRUE;
  find_anchors (self, process, G_MAXUINT64);
  return set_rate (process);
}

/* Takes a process out whose times nothing can tell. */
static void
drop_process (CsRecording *self, CsProcess *process)
{
  for (guint i = self->tracks->len; i-- > 0;)
    {
      CsThreadTrack *track = g_ptr_array_index (self->tracks, i);

      if (track->process == process)
        g_ptr_array_remove_index (self->tracks, i);
    }
  for (guint i = self->summaries->len; i-- > 0;)
    if (((CsThreadSummary *) g_ptr_array_index (self->summaries, i))->process == process)
      g_ptr_array_remove_index (self->summaries, i);
  g_ptr_array_remove (self->processes, process);
}

/**
 * cs_recording_set_clocks:
 * @self: a recording whose files are grouped
 * @error: where to say why no process has a clock
 *
 * Chooses the rate of each process; processes without any are taken out, with a notice.
 *
 * Returns: whether there is a process left
 */
gboolean
cs_recording_set_clocks (CsRecording *self, GError **error)
{
  g_autoptr (GError) first = NULL;

  for (guint i = 0; i < self->processes->len;)
    {
      CsProcess *process = g_ptr_array_index (self->processes, i);
      g_autoptr (GError) local = NULL;

      if (set_clock (self, process))
        {
          if (process->section != NULL)
            cs_process_section_set_clock (process->section, &process->clock);
          process->index = i++;
          continue;
        }
      local = g_error_new (CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_CLOCK,
                           "process %u was recorded in raw ticks, and nothing in the recording says how "
                           "long a tick is — record it again with TRACE_CLOCK=mono",
                           process->pid);
      cs_notices_add_detail (self->notices, CS_NOTICE_UNREADABLE, "%s", local->message);
      if (first == NULL)
        first = g_steal_pointer (&local);
      drop_process (self, process);
    }
  if (self->processes->len > 0)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&first));
  return FALSE;
}

/* The earliest event in a track's first records that have one. */
static gint64
find_track_start (CsEventReader *reader, const CsThreadTrack *track, const CsClock *clock)
{
  g_autoptr (CsNotices) notices = cs_notices_new ();
  gint64 start = G_MAXINT64;
  CsEventBlock block;

  cs_event_reader_set_track (reader, track);
  while (start == G_MAXINT64 && cs_event_reader_next (reader, &block, notices))
    for (gsize i = 0; i < block.n; i++)
      if (block.events[i].kind <= TRACE_KIND_EXIT)
        start = MIN (start, cs_clock_to_ns (clock, block.events[i].ts));
  return start;
}

/**
 * cs_recording_find_start:
 * @self: a recording
 * @clocks: the clocks of its processes, by index
 *
 * Reads the first events of each track.
 *
 * Returns: when the first one was, ns, CLOCK_MONOTONIC; 0 when there are none
 */
gint64
cs_recording_find_start (CsRecording *self, const CsClock *clocks)
{
  g_autoptr (CsEventReader) reader = cs_event_reader_new ();
  gint64 start = G_MAXINT64;

  for (guint i = 0; i < self->tracks->len; i++)
    {
      const CsThreadTrack *track = g_ptr_array_index (self->tracks, i);

      start = MIN (start, find_track_start (reader, track, &clocks[track->process->index]));
    }
  return start != G_MAXINT64 ? start : 0;
}
