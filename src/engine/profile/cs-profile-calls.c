/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-profile-builder.h"
#include "profile/cs-profile-calls.h"

typedef struct
{
  CsProfile *profile;
  const CsTrackPass *pass;
  const CsCallVisitor *visitor;
  gpointer user_data;
  GCancellable *stop; /* ends the pass */
  GPtrArray *functions; /* by process: GArray of function indices + 1, by index in the pass */
  GPtrArray *lanes;   /* of the track, in the order of their first calls */
  GHashTable *by_key; /* the same */
  CsCallLane *last;   /* lane of the last call */
  gboolean stopped;
  gboolean changed;
} Visit;

static guint
lane_hash (gconstpointer data)
{
  const CsCallLane *lane = data;
  guint64 hash = (lane->context ^ ((guint64) lane->serial << 40)) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  return (guint) (hash >> 32);
}

static gboolean
lane_equal (gconstpointer a, gconstpointer b)
{
  const CsCallLane *x = a, *y = b;

  return x->serial == y->serial && x->context == y->context;
}

static CsCallLane *
find_lane (Visit *visit, const CsPassThread *thread, const CsPassCall *call, const CsLaneCall *told)
{
  CsCallLane key = { .serial = thread->serial, .context = call->context };
  CsCallLane *lane = visit->last;

  if (G_LIKELY (lane != NULL && lane_equal (lane, &key)))
    return lane;
  lane = g_hash_table_lookup (visit->by_key, &key);
  if (lane == NULL)
    {
      lane = g_new0 (CsCallLane, 1);
      lane->process = thread->process;
      lane->tid = thread->tid;
      lane->seq = thread->seq;
      lane->serial = thread->serial;
      lane->context = call->context;
      lane->name = cs_process_get_thread_name (thread->process, thread->tid, thread->seq);
      g_ptr_array_add (visit->lanes, lane);
      g_hash_table_add (visit->by_key, lane);
      if (visit->visitor->lane != NULL)
        visit->visitor->lane (lane, told, visit->user_data);
    }
  return visit->last = lane;
}

static guint
function_index (Visit *visit, guint process, const CsPassCall *call)
{
  GArray *known = g_ptr_array_index (visit->functions, process);
  guint *index;

  if (G_UNLIKELY (known == NULL))
    known = visit->functions->pdata[process] = g_array_new (FALSE, TRUE, sizeof (guint));
  if (G_UNLIKELY (known->len <= call->function))
    g_array_set_size (known, call->function + 1);
  index = &g_array_index (known, guint, call->function);
  if (G_UNLIKELY (*index == 0))
    *index = cs_profile_find_counted (visit->profile, visit->pass->counts->pdata[process], call->address) + 1;
  return *index - 1;
}

static inline void
tell (Visit *visit, CsLaneCallFunc func, const CsPassThread *thread, const CsPassCall *call)
{
  CsLaneCall told = { .start = call->start, .end = call->end, .how = call->how };
  CsCallLane *lane;

  if (G_UNLIKELY (visit->stopped))
    return;
  told.function = function_index (visit, thread->process->index, call);
  if (G_UNLIKELY (told.function == G_MAXUINT))
    {
      visit->changed = visit->stopped = TRUE;
      g_cancellable_cancel (visit->stop);
      return;
    }
  lane = find_lane (visit, thread, call, &told);
  if (G_UNLIKELY (!func (lane, &told, visit->user_data)))
    {
      visit->stopped = TRUE;
      g_cancellable_cancel (visit->stop);
    }
}

static void
on_enter (const CsPassThread *thread, const CsPassCall *call, gpointer user_data)
{
  Visit *visit = user_data;

  tell (visit, visit->visitor->enter, thread, call);
}

static void
on_leave (const CsPassThread *thread, const CsPassCall *call, gpointer user_data)
{
  Visit *visit = user_data;

  tell (visit, visit->visitor->leave, thread, call);
}

/* Returns whether to go on. */
static gboolean
end_track (Visit *visit)
{
  gboolean more = TRUE;

  if (visit->visitor->track_done != NULL)
    more = visit->visitor->track_done ((CsCallLane *const *) visit->lanes->pdata, visit->lanes->len, visit->user_data);
  visit->last = NULL;
  g_hash_table_remove_all (visit->by_key);
  g_ptr_array_set_size (visit->lanes, 0);
  return more;
}

static void
free_functions (gpointer data)
{
  if (data != NULL)
    g_array_unref (data);
}

static void
on_cancelled (GCancellable *cancellable, gpointer stop)
{
  g_cancellable_cancel (stop);
}

/* Returns whether all tracks were read. */
static gboolean
visit_tracks (Visit *visit, guint64 *bytes_done)
{
  CsRecording *recording = cs_profile_get_recording (visit->profile);
  GPtrArray *tracks = cs_recording_get_tracks (recording);
  guint serial = 0;
  g_autoptr (CsTrackPass) pass = cs_track_pass_new (recording, cs_profile_get_clocks (visit->profile),
                                                    cs_profile_get_landings (visit->profile),
                                                    cs_profile_get_pass_filter (visit->profile), 0, &serial, bytes_done);
  gboolean complete = TRUE;

  visit->pass = pass;
  pass->on_enter = visit->visitor->enter != NULL ? on_enter : NULL;
  pass->on_call = visit->visitor->leave != NULL ? on_leave : NULL;
  pass->on_call_data = visit;
  for (guint i = 0; complete && i < tracks->len; i++)
    {
      complete = cs_track_pass_run (pass, g_ptr_array_index (tracks, i), visit->stop);
      complete = end_track (visit) && complete && !visit->stopped;
    }
  return complete;
}

/**
 * cs_call_end_get_name:
 * @how: how a call ended
 *
 * Returns: a word for it
 */
const char *
cs_call_end_get_name (CsCallEnd how)
{
  static const char *const names[] = {
    [CS_CALL_EXITED] = "exited",
    [CS_CALL_REPAIRED] = "repaired",
    [CS_CALL_OPEN] = "open",
    [CS_CALL_CLIPPED] = "clipped",
  };

  return names[how];
}

/**
 * cs_profile_visit_calls:
 * @profile: a profile of events
 * @visitor: what to call
 * @user_data: for its functions
 * @bytes_done: (nullable): counts the bytes read, atomically
 * @cancellable: (nullable): to give up early
 * @error: where to say why not all calls were visited; left alone where the visitor stopped
 *
 * Reads the recording again and tells of each single call, with as much memory as the deepest stack
 * and the call tree take.
 *
 * Returns: whether all calls were visited
 */
gboolean
cs_profile_visit_calls (CsProfile *profile, const CsCallVisitor *visitor, gpointer user_data,
                        guint64 *bytes_done, GCancellable *cancellable, GError **error)
{
  GPtrArray *processes = cs_recording_get_processes (cs_profile_get_recording (profile));
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  g_autoptr (GPtrArray) functions = g_ptr_array_new_with_free_func (free_functions);
  g_autoptr (GPtrArray) lanes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) by_key = g_hash_table_new (lane_hash, lane_equal);
  Visit visit = { .profile = profile, .visitor = visitor, .user_data = user_data, .stop = stop,
                  .functions = functions, .lanes = lanes, .by_key = by_key };
  guint64 uncounted = 0;
  gboolean complete;
  gulong id = 0;

  if (!cs_profile_check_whole (profile, error))
    return FALSE;
  g_ptr_array_set_size (functions, (gint) processes->len);
  if (cancellable != NULL)
    id = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), stop, NULL);
  complete = visit_tracks (&visit, bytes_done != NULL ? bytes_done : &uncounted);
  g_cancellable_disconnect (cancellable, id);
  if (visit.changed)
    g_set_error (error, CS_PROFILE_ERROR, CS_PROFILE_ERROR_CHANGED,
                 "the recording changed while it was read — wait until the program has ended");
  else if (!complete)
    g_cancellable_set_error_if_cancelled (cancellable, error);
  return complete;
}
