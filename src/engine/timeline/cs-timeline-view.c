/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline/cs-timeline-private.h"

/* So many rows of a track are one piece of work: they share what is read for them. */
#define ROWS_AT_ONCE 32

typedef struct
{
  const CsTimelineDepths *rows;
  guint32 depth_lo, depth_hi;
  GArray *spans; /* (element-type CsTimelineSpan) */
} Part;

/* A view that is being asked for. */
typedef struct
{
  CsTimeline *timeline;
  gint64 t0, t1;
  guint pixels;
  GArray *parts; /* (element-type Part) */
  guint next;    /* atomic */
  GMutex mutex;
  GCond cond;
  guint n_helpers; /* at work */
  GError *error;
} View;

/* Fills parts until none is left. */
static void
work (View *view)
{
  guint i;

  while ((i = (guint) g_atomic_int_add (&view->next, 1)) < view->parts->len)
    {
      Part *part = &g_array_index (view->parts, Part, i);
      GError *error = NULL;

      if (cs_timeline_query (view->timeline, part->rows->track, view->t0, view->t1, view->pixels, part->depth_lo,
                             part->depth_hi, part->spans, &error))
        continue;
      g_mutex_lock (&view->mutex);
      if (view->error == NULL)
        view->error = g_steal_pointer (&error);
      g_mutex_unlock (&view->mutex);
      g_clear_error (&error);
    }
}

static void
help (gpointer data, gpointer unused)
{
  View *view = data;

  work (view);
  g_mutex_lock (&view->mutex);
  if (--view->n_helpers == 0)
    g_cond_signal (&view->cond);
  g_mutex_unlock (&view->mutex);
}

/* Threads that stay, since a view takes hardly longer than to make one. */
static GThreadPool *
get_pool (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (help, NULL, (gint) MAX (1, g_get_num_processors () - 1), FALSE, NULL));
  return pool;
}

static void
split (View *view, const CsTimelineDepths *rows)
{
  guint32 n_rows = cs_timeline_get_track (view->timeline, rows->track)->info.n_rows;
  guint32 end = n_rows > 0 ? MIN (rows->depth_hi, n_rows - 1) + 1 : 0;

  for (guint32 depth = rows->depth_lo; depth < end; depth += ROWS_AT_ONCE)
    {
      const Part part = { .rows = rows, .depth_lo = depth, .depth_hi = MIN (depth + ROWS_AT_ONCE, end) - 1,
                          .spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan)) };

      g_array_append_val (view->parts, part);
    }
}

/**
 * cs_timeline_query_view:
 * @self: an index
 * @rows: (array length=n): rows of tracks that are visible; the spans of each are appended
 * @n: how many
 * @t0: ns, where the window begins
 * @t1: ns, where it ends; later than @t0
 * @pixels: how wide it is shown
 * @error: where to say what could not be read
 *
 * cs_timeline_query() of many rows, by all processors.
 *
 * Returns: %FALSE where files are not what they were; there is then what could be found
 */
gboolean
cs_timeline_query_view (CsTimeline *self, const CsTimelineDepths *rows, guint n, gint64 t0, gint64 t1, guint pixels,
                        GError **error)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));
  View view = { .timeline = self, .t0 = t0, .t1 = t1, .pixels = pixels, .parts = parts };

  g_return_val_if_fail (t0 < t1 && pixels > 0, FALSE);

  g_mutex_init (&view.mutex);
  g_cond_init (&view.cond);
  for (guint i = 0; i < n; i++)
    split (&view, &rows[i]);
  view.n_helpers = MIN (parts->len, g_get_num_processors ()) - (parts->len > 0);
  for (guint i = view.n_helpers; i > 0; i--)
    g_thread_pool_push (get_pool (), &view, NULL);
  work (&view);
  g_mutex_lock (&view.mutex);
  while (view.n_helpers > 0)
    g_cond_wait (&view.cond, &view.mutex);
  g_mutex_unlock (&view.mutex);

  for (guint i = 0; i < parts->len; i++)
    {
      Part *part = &g_array_index (parts, Part, i);

      g_array_append_vals (part->rows->spans, part->spans->data, part->spans->len);
      g_array_unref (part->spans);
    }
  g_mutex_clear (&view.mutex);
  g_cond_clear (&view.cond);
  if (view.error == NULL)
    return TRUE;
  g_propagate_error (error, view.error);
  return FALSE;
}
