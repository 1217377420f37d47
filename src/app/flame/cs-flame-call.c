/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "flame/cs-flame-call.h"

/* A call that is known by its time, and then by its place in the recording. */
typedef struct
{
  CsProfile *profile;
  CsTimeline *timeline;
  guint function;
  CsSessionCall call;
  gboolean of_frame;
} Finding;

static void
finding_free (gpointer data)
{
  Finding *finding = data;

  g_object_unref (finding->profile);
  cs_timeline_unref (finding->timeline);
  g_free (finding);
}

/* Whether a call was made by way of the frame. */
static gboolean
is_of_frame (CsFlamePicture *picture, const CsSlowCall *call, guint thread, const GArray *path)
{
  guint n, i = path->len;
  const CsCallNode *nodes = cs_profile_get_tree (cs_flame_picture_get_profile (picture), &n);

  if (thread != CS_FLAME_NO_THREAD && call->thread != thread)
    return FALSE;
  for (guint32 node = call->node; node != 0; node = nodes[node].parent)
    if (i-- == 0 || nodes[node].function != g_array_index (path, guint, i))
      return FALSE;
  return i == 0;
}

/* The longest call that was made by way of the frame, or else the function's longest. */
static const CsSlowCall *
find_slowest (CsFlamePicture *picture, guint32 node, gboolean *of_frame)
{
  CsFlameNode frame;
  const CsSlowCall *calls, *longest = NULL;
  g_autoptr (GArray) path = NULL;
  guint n = 0, thread;

  *of_frame = FALSE;
  if (cs_flame_picture_get_function (picture, node) == NULL)
    return NULL;
  path = cs_flame_picture_dup_functions (picture, node);
  thread = cs_flame_picture_get_thread (picture, node);
  cs_flame_layout_get_node (cs_flame_picture_get_layout (picture), node, &frame);
  calls = cs_profile_get_slowest (cs_flame_picture_get_profile (picture), frame.function, &n);
  for (guint i = 0; i < n; i++)
    {
      gboolean here = is_of_frame (picture, &calls[i], thread, path);

      if (longest == NULL || (here && !*of_frame) || (here == *of_frame && calls[i].duration > longest->duration))
        {
          longest = &calls[i];
          *of_frame = here;
        }
    }
  return longest;
}

/**
 * cs_flame_call_is_known:
 * @picture: a picture
 * @node: a frame, or %CS_FLAME_NONE
 *
 * Returns: whether a single call of its function is known
 */
gboolean
cs_flame_call_is_known (CsFlamePicture *picture, guint32 node)
{
  CsFlameNode frame;
  guint n = 0;

  if (cs_flame_picture_get_function (picture, node) == NULL)
    return FALSE;
  cs_flame_layout_get_node (cs_flame_picture_get_layout (picture), node, &frame);
  cs_profile_get_slowest (cs_flame_picture_get_profile (picture), frame.function, &n);
  return n > 0;
}

static gboolean
find_track (const Finding *finding, guint *track)
{
  guint n = cs_timeline_get_n_tracks (finding->timeline);

  for (guint i = 0; i < n; i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (finding->timeline, i);

      if (info->process == finding->call.process && info->tid == finding->call.tid && info->seq == finding->call.seq)
        {
          *track = i;
          return TRUE;
        }
    }
  return FALSE;
}

/* In a thread: the index reads the recording. */
static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Finding *finding = data;
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
  GError *error = NULL;
  guint track;

  if (find_track (finding, &track)
      && !cs_timeline_get_stack (finding->timeline, track, finding->call.start, 0, G_MAXUINT32, spans, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  for (guint i = spans->len; i-- > 0;)
    {
      const CsTimelineSpan *span = &g_array_index (spans, CsTimelineSpan, i);

      if (span->start == finding->call.start && span->end == finding->call.end
          && cs_profile_get_function_index (finding->profile, finding->call.process, span->address) == finding->function)
        {
          finding->call.address = span->address;
          finding->call.position = span->position;
          finding->call.depth = span->depth;
          break;
        }
    }
  g_task_return_boolean (task, TRUE);
}

/**
 * cs_flame_call_find_async:
 * @picture: a picture
 * @node: a frame with a call that is known
 * @timeline: the recording's index of time
 * @callback: (scope async): called when it is found
 * @user_data: for @callback
 *
 * Looks for the frame's longest call. Where none of its calls is among the function's longest, which are the only ones
 * that a profile keeps, it is the function's longest one.
 */
void
cs_flame_call_find_async (CsFlamePicture *picture, guint32 node, CsTimeline *timeline, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Finding *finding = g_new0 (Finding, 1);
  const CsSlowCall *slowest = find_slowest (picture, node, &finding->of_frame);
  CsProfile *profile = cs_flame_picture_get_profile (picture);
  CsFlameNode frame;
  const CsThreadRow *thread;
  guint n;

  cs_flame_layout_get_node (cs_flame_picture_get_layout (picture), node, &frame);
  thread = &cs_profile_get_threads (profile, &n)[slowest->thread];
  finding->profile = g_object_ref (profile);
  finding->timeline = cs_timeline_ref (timeline);
  finding->function = frame.function;
  finding->call = (CsSessionCall){ .process = thread->process, .tid = thread->tid, .seq = thread->seq,
                                   .start = slowest->start, .end = slowest->start + (gint64) slowest->duration,
                                   .depth = G_MAXUINT32 };
  g_task_set_source_tag (task, cs_flame_call_find_async);
  g_task_set_task_data (task, finding, finding_free);
  g_task_run_in_thread (task, run);
}

/**
 * cs_flame_call_find_finish:
 * @result: what the callback got
 * @of_frame: (out): whether the call was made by way of the frame
 * @error: where to say what could not be read
 *
 * Returns: (transfer full) (nullable): the call
 */
CsSessionCall *
cs_flame_call_find_finish (GAsyncResult *result, gboolean *of_frame, GError **error)
{
  const Finding *finding = g_task_get_task_data (G_TASK (result));

  *of_frame = finding->of_frame;
  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  return g_memdup2 (&finding->call, sizeof finding->call);
}
