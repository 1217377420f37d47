/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline/cs-timeline-in-range.h"

/* Which threads have calls in the range. */
typedef struct
{
  CsTimeline *timeline;
  gint64 from, to;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  cs_timeline_unref (question->timeline);
  g_free (question);
}

static gboolean
has_calls (const Question *question, guint track)
{
  const CsTimelineTrackInfo *info = cs_timeline_get_track_info (question->timeline, track);
  const CsTimelineSearch search = { .track = track, .process = G_MAXUINT, .t0 = question->from, .t1 = question->to,
                                    .limit = 1 };
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
  gboolean more;

  if (info->first >= question->to || info->last < question->from)
    return FALSE;
  if (!cs_timeline_find_calls (question->timeline, &search, calls, &more, NULL, NULL) || calls->len > 0)
    return TRUE;
  return !cs_timeline_get_stack (question->timeline, track, question->from, 0, 0, spans, NULL) || spans->len > 0;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Question *question = data;
  guint n = cs_timeline_get_n_tracks (question->timeline);
  GByteArray *in_range = g_byte_array_sized_new (n);

  for (guint i = 0; i < n && !g_cancellable_is_cancelled (cancellable); i++)
    g_byte_array_append (in_range, &(guint8){ (guint8) has_calls (question, i) }, 1);
  g_task_return_pointer (task, in_range, (GDestroyNotify) g_byte_array_unref);
}

/**
 * cs_timeline_in_range_async:
 * @timeline: an index of time
 * @from: ns
 * @to: its end, which is not in it
 * @cancellable: to give up early
 * @callback: (scope async): called when that is known
 * @user_data: for @callback
 *
 * Looks which threads have a call that begins in a range or is open where it begins.
 */
void
cs_timeline_in_range_async (CsTimeline *timeline, gint64 from, gint64 to, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Question *question = g_new0 (Question, 1);

  *question = (Question){ cs_timeline_ref (timeline), from, to };
  g_task_set_source_tag (task, cs_timeline_in_range_async);
  g_task_set_task_data (task, question, question_free);
  g_task_run_in_thread (task, run);
}

/**
 * cs_timeline_in_range_finish:
 * @result: what the callback got
 *
 * Returns: (transfer full) (nullable): a byte a track: 1 for those that have one; %NULL where it was given up
 */
GByteArray *
cs_timeline_in_range_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
