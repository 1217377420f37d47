/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "capture/cs-recording-private.h"
#include "capture/cs-tail.h"

/**
 * cs_recording_join_tails:
 * @self: a recording whose files are sorted
 *
 * Leaves in each tail what its segment doesn't hold.
 */
void
cs_recording_join_tails (CsRecording *self)
{
  for (guint i = 0; i < self->files->len; i++)
    {
      CsEventFile *tail = g_ptr_array_index (self->files, i);
      CsEventFile *segment = NULL;

      for (guint j = i; tail->tail && segment == NULL && j-- > 0;)
        {
          CsEventFile *file = g_ptr_array_index (self->files, j);

          if (cs_event_file_compare_process (file, tail) != 0 || cs_event_file_compare_track (file, tail) != 0 ||
              file->parts.seq != tail->parts.seq)
            break;
          if (!file->tail && g_str_equal (file->folder, tail->folder))
            segment = file;
        }
      if (segment != NULL)
        cs_tail_join (tail, segment, self->notices);
      else if (tail->tail)
        cs_tail_stand_alone (tail, self->notices);
    }
}

/**
 * cs_recording_check_numbers:
 * @self: a recording
 * @previous: a file of a thread
 * @file: the one that comes next
 *
 * Notes where the numbers of two segments say that others lay between them. Where files tell
 * the index of their first event, the pass counts what is missing; otherwise it learns from
 * here that something is.
 */
void
cs_recording_check_numbers (CsRecording *self, const CsEventFile *previous, CsEventFile *file)
{
  if (file->parts.kind != CS_TRACE_NAME_EVENTS || file->parts.seq <= previous->parts.seq + 1 ||
      file->header.first_index != 0 || (file->header.flags & TRACE_FLAG_THREAD_START) != 0 ||
      !g_str_equal (file->folder, previous->folder))
    return;
  file->gap = TRUE;
  if ((file->header.flags & TRACE_FLAG_ROTATED) == 0)
    cs_notices_add_detail (self->notices, CS_NOTICE_LOST,
                           "%" G_GUINT64_FORMAT " segments between %s and %s are not there: their events are missing, "
                           "and calls that were open end after the gap",
                           file->parts.seq - previous->parts.seq - 1, previous->name, file->name);
}

/**
 * cs_recording_settle_segments:
 * @self: a recording whose files are grouped
 *
 * Of threads that have a tail, and so may still run, gives the last segment time to end in a
 * whole record.
 */
void
cs_recording_settle_segments (CsRecording *self)
{
  for (guint i = 0; i < self->tracks->len; i++)
    {
      const CsThreadTrack *track = g_ptr_array_index (self->tracks, i);
      CsEventFile *last = NULL;
      gboolean tail = FALSE;

      for (guint j = 0; j < track->files->len; j++)
        {
          CsEventFile *file = g_ptr_array_index (track->files, j);

          tail |= file->tail;
          last = file->tail ? last : file;
        }
      if (tail && last != NULL && last->rest > 0)
        cs_tail_settle_segment (last);
    }
}
