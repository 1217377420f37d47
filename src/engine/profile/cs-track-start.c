/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "profile/cs-track-private.h"

/* The last thread of a track that began before a time. Returns its number in the index. */
static gboolean
find_thread (CsTimeline *index, const CsThreadTrack *track, gint64 ns, guint *number)
{
  gboolean found = FALSE;
  gint64 latest = 0;

  for (guint i = 0; i < cs_timeline_get_n_tracks (index); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (index, i);

      if (info->process != track->process->index || info->tid != track->tid || info->first > info->last ||
          info->first > ns || (found && info->first < latest))
        continue;
      found = TRUE;
      latest = info->first;
      *number = i;
    }
  return found;
}

/* Opens the calls that are open where reading begins. */
static void
push_stack (Track *self, CsPassThread *thread, GArray *stack)
{
  CsPassCounts *counts = self->counts;
  gint64 from = self->pass->filter->from;

  for (guint i = 0; i < stack->len; i++)
    {
      const CsTimelineSpan *call = &g_array_index (stack, CsTimelineSpan, i);
      guint64 function = call->address, caller = call->caller;

      if (counts->tagged)
        {
          function = cs_pass_counts_tag_address (counts, function, call->ts);
          caller = cs_pass_counts_tag_address (counts, caller, call->ts);
        }
      cs_track_push_call (self, thread, function, caller, from);
    }
}

/**
 * cs_track_skip_to_range:
 * @self: a track of which nothing has been read
 * @track: what there is to read
 *
 * Goes to the last place before the filter's time range at which the index of time knows all that is
 * open, so that what comes before need not be read. The tracks of streams hold several threads, and
 * are read from their beginning.
 *
 * Returns: whether the reader stands there; otherwise nothing has changed
 */
gboolean
cs_track_skip_to_range (Track *self, const CsThreadTrack *track)
{
  const CsPassFilter *filter = self->pass->filter;
  CsTimelineStart start = { 0 };
  CsPassThread *thread;
  gboolean skipped = FALSE;
  guint number, file;

  if (filter == NULL || filter->index == NULL || filter->from == G_MININT64 || track->tid == 0 ||
      memcmp (cs_timeline_get_clock (filter->index, track->process->index), self->clock, sizeof *self->clock) != 0 ||
      !find_thread (filter->index, track, filter->from, &number))
    return FALSE;
  if (cs_timeline_find_start (filter->index, number, filter->from, &start, NULL) && start.file != NULL &&
      g_ptr_array_find (track->files, start.file, &file))
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (filter->index, number);

      thread = cs_track_select_thread (self, track->tid, info->seq, FALSE);
      thread->last = start.ns;
      thread->enters = thread->other_enters = start.n_events;
      thread->lost = thread->other_lost = start.lost;
      thread->unseen = start.unseen;
      push_stack (self, thread, start.stack);
      cs_event_reader_seek (self->pass->reader, file, start.record);
      skipped = TRUE;
    }
  cs_timeline_start_clear (&start);
  return skipped;
}
