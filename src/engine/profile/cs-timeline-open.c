/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-timeline-open.h"
#include "timeline/cs-timeline-cache.h"

/**
 * cs_timeline_open:
 * @recording: what was captured
 * @symbolizer: what tells how landings ended calls
 * @bytes_done: (nullable): counts the bytes read, atomically, for a progress display
 * @cancellable: (nullable): to give up early
 * @error: where to say why there is no index
 *
 * The index of time alone: that of the cache where it is still right, otherwise by a pass over the
 * recording. Blocks.
 *
 * Returns: (transfer full) (nullable): the index
 */
CsTimeline *
cs_timeline_open (CsRecording *recording, CsSymbolizer *symbolizer, guint64 *bytes_done, GCancellable *cancellable,
                  GError **error)
{
  const CsProfileOptions options = { .timeline = TRUE };
  g_autoptr (CsProfile) profile = NULL;
  CsTimeline *timeline;

  if (cs_recording_get_summaries (recording)->len > 0)
    {
      g_set_error_literal (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_NOT_FOUND,
                           "the recording has totals by function, without the time of any call — record events");
      return NULL;
    }
  timeline = cs_timeline_load (recording);
  if (timeline != NULL)
    return timeline;
  profile = cs_profile_new (recording, symbolizer, &options, bytes_done, cancellable, error);
  return profile != NULL ? cs_timeline_ref (cs_profile_get_timeline (profile)) : NULL;
}
