/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "charts/cs-activity.h"

struct _CsActivity
{
  GObject parent_instance;

  CsTimeline *timeline;      /* (nullable) */
  GCancellable *cancellable; /* (nullable): of what is being read */
  guint64 *events;           /* (nullable): n_columns of each track, as they were given */
  guint n_columns;
  guint n_tracks;
  guint64 *track_events; /* (array length=n_tracks) */
  gint64 start;          /* ns, CLOCK_MONOTONIC */
  guint64 span;          /* ns; 0: there are no events */
  CsDensity *density;    /* (nullable) */
  char *error;           /* (nullable) */
  guint want_columns, want_rows;
};

enum { CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsActivity, cs_activity, G_TYPE_OBJECT)

/* What a thread reads. */
typedef struct
{
  CsTimeline *timeline;
  gint64 start, end;
  guint n_columns, max_rows;
  guint64 *track_events;
} Query;

static void
query_free (gpointer data)
{
  Query *query = data;

  cs_timeline_unref (query->timeline);
  g_free (query->track_events);
  g_free (query);
}

static void
run_query (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Query *query = data;
  guint n = cs_timeline_get_n_tracks (query->timeline);
  g_autoptr (CsDensity) density = NULL;
  g_autofree guint64 *events = g_new (guint64, query->n_columns);
  GError *error = NULL;

  density = cs_density_new (query->n_columns, query->n_columns, query->max_rows, query->track_events, n);
  for (guint i = 0; i < n; i++)
    {
      if (g_task_return_error_if_cancelled (task))
        return;
      if (query->track_events[i] == 0)
        continue;
      if (!cs_timeline_get_density (query->timeline, i, query->start, query->end, query->n_columns, events, &error))
        {
          g_task_return_error (task, error);
          return;
        }
      cs_density_add (density, i, events);
    }
  g_task_return_pointer (task, g_steal_pointer (&density), (GDestroyNotify) cs_density_free);
}

static void
take_density (CsActivity *self, CsDensity *density)
{
  g_clear_pointer (&self->density, cs_density_free);
  self->density = density;
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_query_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsActivity *self = CS_ACTIVITY (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (CsDensity) density = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable) /* superseded */
    return;
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->error, g_free);
  if (error != NULL)
    self->error = g_utf8_make_valid (error->message, -1);
  take_density (self, g_steal_pointer (&density));
}

static void
cancel (CsActivity *self)
{
  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

/**
 * cs_activity_stop:
 * @self: an activity, which is of nothing afterwards
 *
 * Ends what is being read. "changed" isn't emitted.
 */
void
cs_activity_stop (CsActivity *self)
{
  g_return_if_fail (CS_IS_ACTIVITY (self));

  cancel (self);
  g_clear_pointer (&self->timeline, cs_timeline_unref);
  g_clear_pointer (&self->events, g_free);
  g_clear_pointer (&self->track_events, g_free);
  g_clear_pointer (&self->density, cs_density_free);
  g_clear_pointer (&self->error, g_free);
  self->n_columns = self->n_tracks = self->want_columns = self->want_rows = 0;
  self->start = 0;
  self->span = 0;
}

static void
cs_activity_finalize (GObject *object)
{
  cs_activity_stop (CS_ACTIVITY (object));
  G_OBJECT_CLASS (cs_activity_parent_class)->finalize (object);
}

static void
cs_activity_class_init (CsActivityClass *class)
{
  G_OBJECT_CLASS (class)->finalize = cs_activity_finalize;
  /**
   * CsActivity::changed:
   *
   * What was requested is there, or cannot be read.
   */
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
cs_activity_init (CsActivity *self)
{
}

/**
 * cs_activity_new:
 *
 * Returns: (transfer full): the activity of nothing
 */
CsActivity *
cs_activity_new (void)
{
  return g_object_new (CS_TYPE_ACTIVITY, NULL);
}

/**
 * cs_activity_set_timeline:
 * @self: an activity
 * @timeline: (nullable): the index of the recording whose it is
 *
 * Time counts from the first event. There is no density until one is requested.
 */
void
cs_activity_set_timeline (CsActivity *self, CsTimeline *timeline)
{
  gint64 first = G_MAXINT64, last = G_MININT64;

  g_return_if_fail (CS_IS_ACTIVITY (self));

  if (timeline != NULL && timeline == self->timeline)
    return;
  if (timeline != NULL)
    cs_timeline_ref (timeline);
  cs_activity_stop (self);
  self->timeline = timeline;
  if (timeline == NULL)
    return;
  self->n_tracks = cs_timeline_get_n_tracks (timeline);
  self->track_events = g_new0 (guint64, self->n_tracks);
  for (guint i = 0; i < self->n_tracks; i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, i);

      if (info->first > info->last)
        continue;
      self->track_events[i] = info->n_events;
      first = MIN (first, info->first);
      last = MAX (last, info->last);
    }
  if (first > last)
    return;
  self->start = first;
  self->span = (guint64) MIN (last, G_MAXINT64 - 1) - (guint64) first + 1;
}

/**
 * cs_activity_set_events:
 * @self: an activity
 * @span: ns that all columns together are
 * @events: (array): @n_columns numbers of events of the first track, then those of the second one, and so on
 * @n_columns: how many equal parts the time has
 * @n_tracks: how many tracks there are
 *
 * Takes what was counted otherwise, as of a recording that isn't finished. With a @span of 0, or without columns
 * or tracks, it is of nothing.
 */
void
cs_activity_set_events (CsActivity *self, guint64 span, const guint64 *events, guint n_columns, guint n_tracks)
{
  g_return_if_fail (CS_IS_ACTIVITY (self));

  cs_activity_stop (self);
  if (span == 0 || n_columns == 0 || n_tracks == 0)
    return;
  self->span = span;
  self->n_columns = n_columns;
  self->n_tracks = n_tracks;
  self->events = g_memdup2 (events, (gsize) n_columns * n_tracks * sizeof *events);
  self->track_events = g_new0 (guint64, n_tracks);
  for (guint i = 0; i < n_tracks; i++)
    for (guint j = 0; j < n_columns; j++)
      self->track_events[i] += events[(gsize) i * n_columns + j];
}

static void
start_query (CsActivity *self)
{
  g_autoptr (GTask) task = NULL;
  Query *query = g_new0 (Query, 1);

  query->timeline = cs_timeline_ref (self->timeline);
  query->start = self->start;
  query->end = (gint64) ((guint64) self->start + self->span);
  query->n_columns = self->want_columns;
  query->max_rows = self->want_rows;
  query->track_events = g_memdup2 (self->track_events, self->n_tracks * sizeof (guint64));
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, on_query_done, NULL);
  g_task_set_source_tag (task, start_query);
  g_task_set_task_data (task, query, query_free);
  g_task_run_in_thread (task, run_query);
}

/**
 * cs_activity_request:
 * @self: an activity
 * @n_columns: how many columns there is room for
 * @max_rows: and how many rows of tracks
 *
 * Gets a density that fits, unless it is there or being read. What was being read for another is dropped; the
 * density that there was stays until the new one is there.
 */
void
cs_activity_request (CsActivity *self, guint n_columns, guint max_rows)
{
  CsDensity *density;

  g_return_if_fail (CS_IS_ACTIVITY (self));

  n_columns = MAX (n_columns, 1);
  if (self->want_columns == n_columns && self->want_rows == max_rows)
    return;
  self->want_columns = n_columns;
  self->want_rows = max_rows;
  cancel (self);
  if (self->span == 0)
    return;
  if (self->timeline != NULL)
    {
      start_query (self);
      return;
    }
  density = cs_density_new (MIN (n_columns, self->n_columns), self->n_columns, max_rows, self->track_events,
                            self->n_tracks);
  for (guint i = 0; i < self->n_tracks; i++)
    cs_density_add (density, i, self->events + (gsize) i * self->n_columns);
  take_density (self, density);
}

/**
 * cs_activity_get_start:
 * @self: an activity
 *
 * Returns: ns, CLOCK_MONOTONIC: the time of the first event; 0 where that isn't known
 */
gint64
cs_activity_get_start (CsActivity *self)
{
  g_return_val_if_fail (CS_IS_ACTIVITY (self), 0);
  return self->start;
}

/**
 * cs_activity_get_span:
 * @self: an activity
 *
 * Returns: ns from the first event to behind the last one; 0: there are none
 */
guint64
cs_activity_get_span (CsActivity *self)
{
  g_return_val_if_fail (CS_IS_ACTIVITY (self), 0);
  return self->span;
}

/**
 * cs_activity_get_n_tracks:
 * @self: an activity
 *
 * Returns: how many threads there are
 */
guint
cs_activity_get_n_tracks (CsActivity *self)
{
  g_return_val_if_fail (CS_IS_ACTIVITY (self), 0);
  return self->n_tracks;
}

/**
 * cs_activity_dup_track_name:
 * @self: an activity
 * @track: a track
 *
 * Returns: (transfer full): what to call it: the thread's name, or its number
 */
char *
cs_activity_dup_track_name (CsActivity *self, guint track)
{
  const CsTimelineTrackInfo *info;
  GPtrArray *processes;
  const char *name = NULL;

  g_return_val_if_fail (CS_IS_ACTIVITY (self), NULL);

  if (self->timeline == NULL)
    return g_strdup_printf (_("Thread %u"), track + 1);
  info = cs_timeline_get_track_info (self->timeline, track);
  processes = cs_recording_get_processes (cs_timeline_get_recording (self->timeline));
  if (info->process < processes->len)
    name = cs_process_get_thread_name (g_ptr_array_index (processes, info->process), info->tid, info->seq);
  return name != NULL && *name != '\0' ? g_utf8_make_valid (name, -1) : g_strdup_printf (_("Thread %u"), info->tid);
}

/**
 * cs_activity_get_density:
 * @self: an activity
 *
 * Returns: (transfer none) (nullable): the last one that was read, until "changed" is emitted
 */
const CsDensity *
cs_activity_get_density (CsActivity *self)
{
  g_return_val_if_fail (CS_IS_ACTIVITY (self), NULL);
  return self->density;
}

/**
 * cs_activity_get_error:
 * @self: an activity
 *
 * Returns: (transfer none) (nullable): why there is none
 */
const char *
cs_activity_get_error (CsActivity *self)
{
  g_return_val_if_fail (CS_IS_ACTIVITY (self), NULL);
  return self->error;
}

/**
 * cs_activity_is_reading:
 * @self: an activity
 *
 * Returns: whether a density is being read
 */
gboolean
cs_activity_is_reading (CsActivity *self)
{
  g_return_val_if_fail (CS_IS_ACTIVITY (self), FALSE);
  return self->cancellable != NULL;
}
