/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>

#include "capture/cs-recording.h"
#include "capture/cs-tail.h"

/* A stream to which so long nothing was added isn't received any more, µs. */
#define STREAM_REST_US (2 * G_USEC_PER_SEC)

static gboolean
was_just_written (const CsEventFile *file)
{
  GStatBuf st;

  return g_stat (file->path, &st) == 0 &&
         g_get_real_time () - (st.st_mtim.tv_sec * G_USEC_PER_SEC + st.st_mtim.tv_nsec / 1000) < STREAM_REST_US;
}

/**
 * cs_recording_is_growing:
 * @self: a recording
 *
 * Asks the system, not only what was read when it was opened. A process that runs and keeps no tails isn't known to.
 *
 * Returns: whether a process that writes it runs on this machine, or a stream of it has been written to just now
 */
gboolean
cs_recording_is_growing (CsRecording *self)
{
  GPtrArray *tracks = cs_recording_get_tracks (self);
  guint dead = 0; /* pid of the last one that doesn't run; its threads follow each other */

  for (guint i = 0; i < tracks->len; i++)
    {
      const CsThreadTrack *track = g_ptr_array_index (tracks, i);

      for (guint j = 0; j < track->files->len; j++)
        {
          const CsEventFile *file = g_ptr_array_index (track->files, j);

          if (track->tid == 0 ? j + 1 == track->files->len && was_just_written (file)
                              : file->tail && file->header.pid != dead && cs_tail_is_alive (file))
            return TRUE;
          if (file->tail)
            dead = file->header.pid;
        }
    }
  return FALSE;
}
