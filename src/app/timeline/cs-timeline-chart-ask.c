/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "timeline/cs-timeline-chart-private.h"

/* Once what is seen is sharp, so much beside it is read too, so that panning finds it there. */
#define BESIDE 1.0    /* of the window, at both sides */
#define BELOW 0.5     /* of the height, above and below */
#define ENOUGH 0.25   /* what of that has to be left, or it is read anew */

/* What a worker is to read. */
typedef struct
{
  CsTimeline *timeline;
  gint64 t0, t1;
  guint pixels;
  double scale;
  guint generation;
  GArray *rows; /* (element-type CsTimelineDepths): by track */
  gboolean beside;
} Question;

static void
clear_rows (gpointer data)
{
  g_clear_pointer (&((CsTimelineDepths *) data)->spans, g_array_unref);
}

static void
question_free (gpointer data)
{
  Question *self = data;

  cs_timeline_unref (self->timeline);
  g_array_unref (self->rows);
  g_free (self);
}

static void
clear_fill (gpointer data)
{
  CsTimelineFill *fill = data;

  g_array_unref (fill->spans);
  g_free (fill->first);
  g_free (fill->styles);
}

/**
 * cs_timeline_answer_free:
 * @self: (transfer full): an answer
 */
void
cs_timeline_answer_free (CsTimelineAnswer *self)
{
  cs_timeline_unref (self->timeline);
  g_array_unref (self->fills);
  g_free (self->error);
  g_free (self);
}

/**
 * cs_timeline_answer_find:
 * @self: an answer
 * @track: number of a track
 *
 * Returns: (transfer none) (nullable): what it has of the track
 */
const CsTimelineFill *
cs_timeline_answer_find (const CsTimelineAnswer *self, guint track)
{
  guint low = 0, high = self->fills->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->fills, CsTimelineFill, middle).track < track)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == self->fills->len || g_array_index (self->fills, CsTimelineFill, low).track != track)
    return NULL;
  return &g_array_index (self->fills, CsTimelineFill, low);
}

/**
 * cs_timeline_fill_get_row:
 * @self: what fills a track
 * @depth: a row of it
 * @n: (out): how many there are
 *
 * Returns: (transfer none) (array length=n): what fills the row, by time
 */
const CsTimelineSpan *
cs_timeline_fill_get_row (const CsTimelineFill *self, guint32 depth, gsize *n)
{
  guint row = depth - self->depth_lo;

  *n = 0;
  if (depth < self->depth_lo || depth >= self->depth_end)
    return NULL;
  *n = self->first[row + 1] - self->first[row];
  return (const CsTimelineSpan *) (gconstpointer) self->spans->data + self->first[row];
}

/* Notes where each row begins. */
static void
index_rows (CsTimelineFill *fill)
{
  guint n_rows = fill->depth_end - fill->depth_lo, row = 0;

  fill->first = g_new0 (guint, n_rows + 1);
  fill->styles = g_new0 (guint32, fill->spans->len);
  for (guint i = 0; i < fill->spans->len; i++)
    {
      guint at = g_array_index (fill->spans, CsTimelineSpan, i).depth - fill->depth_lo;

      while (row < MIN (at, n_rows - 1))
        fill->first[++row] = i;
    }
  while (row < n_rows)
    fill->first[++row] = fill->spans->len;
}

static void
run_question (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Question *question = data;
  CsTimelineAnswer *answer = g_new0 (CsTimelineAnswer, 1);
  g_autoptr (GError) error = NULL;
  gint64 begun = g_get_monotonic_time ();

  *answer = (CsTimelineAnswer){ .timeline = cs_timeline_ref (question->timeline), .t0 = question->t0,
                                .t1 = question->t1, .scale = question->scale };
  if (!cs_timeline_query_view (question->timeline, (const CsTimelineDepths *) (gpointer) question->rows->data,
                               question->rows->len, question->t0, question->t1, question->pixels, &error))
    answer->error = g_utf8_make_valid (error->message, -1);
  answer->fills = g_array_sized_new (FALSE, TRUE, sizeof (CsTimelineFill), question->rows->len);
  g_array_set_clear_func (answer->fills, clear_fill);
  for (guint i = 0; i < question->rows->len; i++)
    {
      CsTimelineDepths *rows = &g_array_index (question->rows, CsTimelineDepths, i);
      CsTimelineFill fill = { .track = rows->track, .depth_lo = rows->depth_lo, .depth_end = rows->depth_hi + 1,
                              .spans = g_steal_pointer (&rows->spans) };

      index_rows (&fill);
      g_array_append_val (answer->fills, fill);
    }
  answer->us = g_get_monotonic_time () - begun;
  g_task_return_pointer (task, answer, (GDestroyNotify) cs_timeline_answer_free);
}

/* Whether an answer has all of a time. */
static gboolean
has_time (const CsTimelineAnswer *answer, const CsTimelineWindow *window)
{
  return answer->t0 <= window->start && answer->t1 >= cs_timeline_window_get_end (window);
}

/* Whether it has a time and so much beside it, as far as there is any. */
static gboolean
has_time_beside (CsTimelineChart *self, const CsTimelineAnswer *answer, const CsTimelineWindow *window)
{
  double margin = window->pixels * ENOUGH;
  gint64 from = MAX (cs_timeline_window_get_time (window, -margin), self->first);
  gint64 to = MIN (cs_timeline_window_get_time (window, window->pixels + margin), self->last);

  return answer->t0 <= from && answer->t1 >= to;
}

static int
compare_tracks (gconstpointer a, gconstpointer b)
{
  guint x = ((const CsTimelineDepths *) a)->track, y = ((const CsTimelineDepths *) b)->track;

  return x < y ? -1 : x > y;
}

/* Rows of tracks that are in the panes, or so many pixels above or below; and one more of a track that doesn't show all
 * its rows, which tells where there are more. */
static GArray *
list_rows (CsTimelineChart *self, double scroll, double beside)
{
  GArray *list = g_array_new (FALSE, TRUE, sizeof (CsTimelineDepths));
  CsTimelineRows *rows = cs_timeline_chart_get_rows (self);
  double shift = gtk_adjustment_get_value (self->adjustment) - scroll;
  CsTimelinePane panes[2];
  guint n_panes = cs_timeline_chart_get_panes (self, panes), n, n_items;
  const CsTimelineItem *items = cs_timeline_rows_get_items (rows, &n_items);

  g_array_set_clear_func (list, clear_rows);
  panes[n_panes - 1].offset += shift;
  for (guint i = 0; i < n_panes; i++)
    {
      gboolean scrolls = i + 1 == n_panes;
      double y0 = panes[i].top - panes[i].offset - (scrolls ? beside : 0);
      double y1 = panes[i].bottom - panes[i].offset + (scrolls ? beside : 0);
      guint first = cs_timeline_rows_find_visible (rows, MAX (y0, n_panes > 1 && scrolls ? self->pinned : 0), y1, &n);

      for (guint j = first; j < first + n; j++)
        {
          CsTimelineDepths depths = { .track = items[j].track };
          guint32 end, all;

          if (items[j].header || !cs_timeline_rows_get_visible_depths (rows, j, y0, y1, &depths.depth_lo, &end))
            continue;
          all = cs_timeline_get_track_info (self->timeline, items[j].track)->n_rows;
          depths.depth_hi = end - 1 + (end == items[j].n_rows && end < all);
          depths.spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
          g_array_append_val (list, depths);
        }
    }
  g_array_sort (list, compare_tracks);
  return list;
}

static gboolean
has_rows (const CsTimelineAnswer *answer, GArray *rows)
{
  for (guint i = 0; i < rows->len; i++)
    {
      const CsTimelineDepths *wanted = &g_array_index (rows, CsTimelineDepths, i);
      const CsTimelineFill *fill = cs_timeline_answer_find (answer, wanted->track);

      if (fill == NULL || fill->depth_lo > wanted->depth_lo || fill->depth_end <= wanted->depth_hi)
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_sharp (CsTimelineChart *self, const CsTimelineWindow *window, GArray *rows)
{
  const CsTimelineAnswer *answer = self->answer;
  double scale = window->span / window->pixels;

  /* What was read of an older timeline is no answer, also where both fill the same time. */
  return answer != NULL && answer->timeline == self->timeline && fabs (answer->scale - scale) <= scale * 1e-9 &&
         has_time (answer, window) && has_rows (answer, rows);
}

static void on_answered (GObject *source, GAsyncResult *result, gpointer user_data);

static void
send (CsTimelineChart *self, const CsTimelineWindow *window, GArray *rows, gboolean beside)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_answered, NULL);
  Question *question = g_new0 (Question, 1);
  double margin = beside ? window->pixels * BESIDE : 0, pixels;

  *question = (Question){ .timeline = cs_timeline_ref (self->timeline), .generation = self->generation, .rows = rows,
                          .scale = window->span / window->pixels, .beside = beside };
  question->t0 = window->start;
  question->t1 = cs_timeline_window_get_end (window);
  if (beside)
    {
      /* Never less than what is seen. */
      question->t0 = MIN (MAX (cs_timeline_window_get_time (window, -margin), self->first), question->t0);
      question->t1 = MAX (MIN (cs_timeline_window_get_time (window, window->pixels + margin), self->last), question->t1);
    }
  question->t1 = MAX (question->t1, question->t0 + 1);
  pixels = round ((double) ((guint64) question->t1 - (guint64) question->t0) / question->scale);
  question->pixels = (guint) CLAMP (pixels, 1, 100000);
  self->asking = TRUE;
  g_task_set_source_tag (task, send);
  g_task_set_task_data (task, question, question_free);
  g_task_run_in_thread (task, run_question);
}

/**
 * cs_timeline_chart_ask:
 * @self: a chart
 *
 * Has a worker read what is to be seen, if that isn't there; after that, what lies beside it. There is one question at a
 * time: what is wanted when its answer comes is asked next.
 */
void
cs_timeline_chart_ask (CsTimelineChart *self)
{
  const CsTimelineWindow *window = cs_timeline_chart_get_target (self);
  g_autoptr (GArray) rows = NULL, more = NULL;
  double scroll = cs_timeline_chart_get_scroll_target (self);

  if (self->timeline == NULL || !self->has_window || gtk_widget_get_width (GTK_WIDGET (self)) == 0)
    return;
  cs_timeline_chart_update_geometry (self);
  rows = list_rows (self, scroll, 0);
  cs_timeline_chart_set_sharp (self, is_sharp (self, window, rows));
  if (self->asking)
    return;
  if (!self->sharp)
    {
      send (self, window, g_steal_pointer (&rows), FALSE);
      return;
    }
  if (self->answer->error != NULL || self->animating)
    return;
  more = list_rows (self, scroll, gtk_widget_get_height (GTK_WIDGET (self)) * BELOW * ENOUGH);
  if (has_time_beside (self, self->answer, window) && has_rows (self->answer, more))
    return;
  send (self, window, list_rows (self, scroll, gtk_widget_get_height (GTK_WIDGET (self)) * BELOW), TRUE);
}

/* Takes an answer, and keeps the one before where it shows more of what is seen now. */
static void
take_answer (CsTimelineChart *self, CsTimelineAnswer *answer)
{
  g_clear_pointer (&self->previous, cs_timeline_answer_free);
  if (self->answer != NULL && self->answer->timeline == self->timeline && !has_time (answer, &self->window))
    self->previous = g_steal_pointer (&self->answer);
  g_clear_pointer (&self->answer, cs_timeline_answer_free);
  self->answer = answer;
  g_free (self->error);
  self->error = g_strdup (answer->error);
}

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsTimelineChart *self = CS_TIMELINE_CHART (source);
  const Question *question = g_task_get_task_data (G_TASK (result));
  CsTimelineAnswer *answer = g_task_propagate_pointer (G_TASK (result), NULL);
  gint64 begun = cs_timeline_chart_get_cpu_us ();

  self->asking = FALSE;
  if (self->timeline == NULL || question->generation != self->generation)
    {
      cs_timeline_answer_free (answer);
      cs_timeline_chart_ask (self);
      return;
    }
  take_answer (self, answer);
  cs_timeline_chart_repaint (self);
  cs_timeline_chart_ask (self);
  if (self->sharp)
    cs_timeline_chart_update_accessible (self);
  self->stats.query_us = answer->us;
  self->stats.take_us = cs_timeline_chart_get_cpu_us () - begun;
}

/**
 * cs_timeline_chart_get_answer:
 * @self: a chart
 *
 * Returns: (transfer none) (nullable): the answer to paint: the newest, unless the one before has more of the window
 */
const CsTimelineAnswer *
cs_timeline_chart_get_answer (CsTimelineChart *self)
{
  if (self->previous != NULL && !has_time (self->answer, &self->window) && has_time (self->previous, &self->window))
    return self->previous;
  return self->answer;
}

/**
 * cs_timeline_chart_forget_answers:
 * @self: a chart
 *
 * Its tracks are others: neither what is there nor what is on its way is of them.
 */
void
cs_timeline_chart_forget_answers (CsTimelineChart *self)
{
  self->generation++;
  g_clear_pointer (&self->answer, cs_timeline_answer_free);
  g_clear_pointer (&self->previous, cs_timeline_answer_free);
  g_clear_pointer (&self->error, g_free);
}
