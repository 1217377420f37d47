/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "shared/cs-format.h"
#include "timeline/cs-timeline-chart-private.h"

/* Pixels. */
#define NARROW 3     /* what is narrower is painted as one, where it is close to each other */
#define GAP 1        /* between calls, and between rows */
#define PADDING 4    /* beside a label */
#define MIN_LABEL 26 /* a call that has one */
#define ENDLESS 14   /* a call whose missing end is shown */
#define MAX_OUTLINES 500

/* What is painted as one rectangle. */
typedef struct
{
  double x0, x1;                 /* pixels from the time axis's start */
  guint pane;
  guint item; /* of the rows */
  guint32 depth;
  guint32 n_more;             /* rows below that it covers, too: of a block */
  guint32 style;              /* 0: a block */
  const CsTimelineSpan *span; /* (nullable): several */
} Box;

/* A row that is being collected. */
typedef struct
{
  CsTimelineChart *self;
  const CsTimelineFill *fill;
  guint pane, item;
  guint32 depth;
  double narrow;
  Box run; /* narrow ones next to each other; x0 > x1: none */
} Row;

static void
flush_run (Row *row)
{
  if (row->run.x0 <= row->run.x1)
    g_array_append_val (row->self->boxes, row->run);
  row->run.x0 = 1;
  row->run.x1 = 0;
}

static guint32
get_style (Row *row, const CsTimelineSpan *span)
{
  guint i = (guint) (span - (const CsTimelineSpan *) (gconstpointer) row->fill->spans->data);

  if (span->n_events > 0)
    return 0;
  if (row->fill->styles[i] == 0)
    row->fill->styles[i] = cs_timeline_chart_find_style (row->self, row->fill->track, span);
  return row->fill->styles[i];
}

static void
add_span (Row *row, const CsTimelineSpan *span)
{
  const CsTimelineWindow *window = &row->self->window;
  Box box = { .x0 = cs_timeline_window_get_x (window, span->start), .x1 = cs_timeline_window_get_x (window, span->end),
              .pane = row->pane, .item = row->item, .depth = row->depth, .span = span };

  /* Far outside of the view floats don't tell pixels. */
  box.x0 = MAX (box.x0, -10);
  box.x1 = MIN (box.x1, window->pixels + 10);
  if (box.x1 - box.x0 < row->narrow)
    {
      if (row->run.x0 <= row->run.x1 && box.x0 - row->run.x1 < row->narrow / 3 &&
          (row->run.x1 - row->run.x0 < row->narrow || row->run.style == 0))
        {
          row->run.x1 = MAX (box.x1, row->run.x1);
          row->run.style = 0;
          row->run.span = NULL;
          return;
        }
      flush_run (row);
      box.style = get_style (row, span);
      row->run = box;
      return;
    }
  flush_run (row);
  box.style = get_style (row, span);
  g_array_append_val (row->self->boxes, box);
}

/* The first span of a row that ends in the window or later. */
static gsize
find_first (const CsTimelineSpan *spans, gsize n, gint64 start)
{
  gsize low = 0;

  while (low < n)
    {
      gsize middle = low + (n - low) / 2;

      if (spans[middle].end < start)
        low = middle + 1;
      else
        n = middle;
    }
  return low;
}

static void
collect_row (Row *row)
{
  const CsTimelineWindow *window = &row->self->window;
  gint64 end = cs_timeline_window_get_end (window);
  gsize n;
  const CsTimelineSpan *spans = cs_timeline_fill_get_row (row->fill, row->depth, &n);

  for (gsize i = n > 0 ? find_first (spans, n, window->start) : 0; i < n && spans[i].start <= end; i++)
    add_span (row, &spans[i]);
  flush_run (row);
}

/* A block that may have a label. */
static gboolean
is_wide_block (const Box *box)
{
  return box->span != NULL && box->style == 0 && box->x1 - box->x0 >= MIN_LABEL;
}

/* A block counts the calls of all depths, so that each row would tell the same ones again: blocks below each other are painted
 * as one. above: of those that reach down to the row, in the order of time; then of those that reach down to the next one. */
static void
join_blocks (CsTimelineChart *self, guint from, GArray *above)
{
  g_autoptr (GArray) reaching = g_array_new (FALSE, FALSE, sizeof (guint));
  guint end = from, next = 0;

  for (guint i = from; i < self->boxes->len; i++)
    {
      const Box box = g_array_index (self->boxes, Box, i);
      guint at = end;

      if (is_wide_block (&box))
        {
          Box *upper = NULL;

          while (next < above->len
                 && (upper = &g_array_index (self->boxes, Box, g_array_index (above, guint, next)))->x0 < box.x0 - 1)
            next++;
          if (next < above->len && fabs (upper->x0 - box.x0) <= 1 && fabs (upper->x1 - box.x1) <= 1)
            {
              at = g_array_index (above, guint, next);
              upper->n_more++;
              if (box.span->n_events > upper->span->n_events)
                upper->span = box.span;
            }
          g_array_append_val (reaching, at);
        }
      if (at == end)
        g_array_index (self->boxes, Box, end++) = box;
    }
  g_array_set_size (self->boxes, end);
  g_array_set_size (above, 0);
  g_array_append_vals (above, reaching->data, reaching->len);
}

/* Where rows that are not shown have something is told below the last one. */
static void
collect (CsTimelineChart *self, const CsTimelineAnswer *answer, double narrow)
{
  CsTimelineRows *rows = cs_timeline_chart_get_rows (self);
  CsTimelinePane panes[2];
  guint n_panes = cs_timeline_chart_get_panes (self, panes), n;
  const CsTimelineItem *items = cs_timeline_rows_get_items (rows, &n);

  g_array_set_size (self->boxes, 0);
  for (guint i = 0; i < n_panes; i++)
    {
      double y0 = panes[i].top - panes[i].offset, y1 = panes[i].bottom - panes[i].offset;
      guint first = cs_timeline_rows_find_visible (rows, y0, y1, &n);

      for (guint j = first; j < first + n; j++)
        {
          const CsTimelineFill *fill = items[j].header ? NULL : cs_timeline_answer_find (answer, items[j].track);
          Row row = { self, fill, i, j, .narrow = narrow, .run = { .x0 = 1 } };
          g_autoptr (GArray) above = g_array_new (FALSE, FALSE, sizeof (guint));
          guint32 depth1;

          if (fill == NULL || !cs_timeline_rows_get_visible_depths (rows, j, y0, y1, &row.depth, &depth1))
            continue;
          depth1 += depth1 == items[j].n_rows;
          for (; row.depth < depth1; row.depth++)
            {
              guint from = self->boxes->len;

              collect_row (&row);
              if (row.depth < items[j].n_rows)
                join_blocks (self, from, above);
            }
        }
    }
}

/**
 * cs_timeline_chart_collect:
 * @self: a chart
 *
 * Decides which rectangles are painted: what is narrow is merged further where there would be too many.
 *
 * Returns: how many there are
 */
guint
cs_timeline_chart_collect (CsTimelineChart *self)
{
  const CsTimelineAnswer *answer = cs_timeline_chart_get_answer (self);
  double narrow = NARROW;

  if (self->boxes == NULL)
    self->boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  g_array_set_size (self->boxes, 0);
  if (answer == NULL)
    return 0;
  do
    {
      collect (self, answer, narrow);
      narrow *= 1.5;
    }
  while (self->boxes->len > CS_TIMELINE_MAX_RECTS * 0.95 && narrow < self->window.pixels);
  return self->boxes->len;
}

static void
append_rect (CsTimelineChart *self, GtkSnapshot *snapshot, double x0, double x1, double y, double height,
             const GdkRGBA *color)
{
  graphene_rect_t rect;

  cs_timeline_chart_place (self, x0, x1 - x0, y, height, &rect);
  if (rect.size.width < 1)
    rect.size.width = 1;
  gtk_snapshot_append_color (snapshot, color, &rect);
  self->stats.n_rects++;
}

/* A call that has no end thins out. */
static void
paint_endless (CsTimelineChart *self, GtkSnapshot *snapshot, const Box *box, double y, double height,
               const GdkRGBA *color)
{
  double x1 = box->x1;

  append_rect (self, snapshot, box->x0, x1 - 9, y, height, color);
  append_rect (self, snapshot, x1 - 7, x1 - 4, y, height, color);
  append_rect (self, snapshot, x1 - 2, x1 - 1, y, height, color);
}

static gboolean
is_found (CsTimelineChart *self, guint track, const CsTimelineSpan *span)
{
  const CsTimelineCall key = { .track = track, .span = { .position = span->position, .depth = span->depth } };

  return g_hash_table_contains (self->found_index, &key);
}

/* A block may hold what is found: it stays as it is. */
static gboolean
is_pale (CsTimelineChart *self, const CsTimelineItem *items, const Box *box)
{
  return self->found_index != NULL && box->span != NULL && box->style != 0 &&
         !is_found (self, items[box->item].track, box->span);
}

static double
get_y (CsTimelineChart *self, const CsTimelinePane *pane, const CsTimelineItem *item, guint32 depth)
{
  return item->y + depth * self->row_height + pane->offset;
}

static double
get_height (CsTimelineChart *self, const Box *box)
{
  return (box->n_more + 1) * self->row_height - GAP;
}

static void
paint_box (CsTimelineChart *self, GtkSnapshot *snapshot, const CsTimelinePane *pane, const CsTimelineItem *items,
           const Box *box)
{
  const CsTimelineItem *item = &items[box->item];
  const GdkRGBA *color = cs_timeline_chart_get_style_color (self, box->style, is_pale (self, items, box));
  double y = get_y (self, pane, item, box->depth), height = get_height (self, box);

  if (box->depth >= item->n_rows)
    append_rect (self, snapshot, box->x0, box->x1, y, CS_TIMELINE_STRIP,
                 cs_timeline_chart_get_style_color (self, 0, FALSE));
  else if (box->span != NULL && box->span->open && box->x1 - box->x0 >= ENDLESS)
    paint_endless (self, snapshot, box, y, height, color);
  else
    append_rect (self, snapshot, box->x0, box->x1 - (box->x1 - box->x0 >= NARROW ? GAP : 0), y, height, color);
}

/* Boxes whose label is painted, by the width that it has. */
typedef struct
{
  const Box *box;
  double x, width;
} Label;

static int
compare_labels (gconstpointer a, gconstpointer b)
{
  double x = ((const Label *) a)->width, y = ((const Label *) b)->width;

  return x > y ? -1 : x < y;
}

static GArray *
choose_labels (CsTimelineChart *self, const CsTimelineItem *items, guint from, guint end)
{
  GArray *labels = g_array_new (FALSE, FALSE, sizeof (Label));
  guint room = CS_TIMELINE_MAX_LABELS - MIN (self->stats.n_labels, CS_TIMELINE_MAX_LABELS);

  for (guint i = from; i < end; i++)
    {
      const Box *box = &g_array_index (self->boxes, Box, i);
      Label label = { .box = box, .x = MAX (box->x0, 0) + PADDING };

      label.width = MIN (box->x1, self->window.pixels) - GAP - PADDING - label.x;
      if (box->span != NULL && box->depth < items[box->item].n_rows && label.width >= MIN_LABEL - 2 * PADDING)
        g_array_append_val (labels, label);
    }
  if (labels->len > room)
    {
      g_array_sort (labels, compare_labels);
      g_array_set_size (labels, room);
    }
  return labels;
}

/* How many calls a block has, in words where there is room. A number is not cut. */
static PangoLayout *
get_block_label (CsTimelineChart *self, const Label *label, int *width, int *height)
{
  g_autofree char *count = cs_format_count_short (label->box->span->n_events / 2 + label->box->span->n_events % 2);
  /* Translators: "≈2 M calls of all depths": how many there are in a block of calls that are too short to be drawn */
  g_autofree char *words = g_strdup_printf (_("≈%s calls of all depths"), count);
  g_autofree char *number = g_strdup_printf ("≈%s", count);
  PangoLayout *layout = cs_label_cache_get (self->labels, words, 1000, width, height);

  if (layout != NULL && *width > label->width)
    layout = cs_label_cache_get (self->labels, number, 1000, width, height);
  return layout != NULL && *width <= label->width ? layout : NULL;
}

static void
paint_label (CsTimelineChart *self, GtkSnapshot *snapshot, const CsTimelinePane *pane, const CsTimelineItem *items,
             const Label *label)
{
  const Box *box = label->box;
  gboolean pale = is_pale (self, items, box);
  const GdkRGBA *color = box->style == 0 || pale ? &self->colors.colors[CS_CHART_TEXT] : &self->colors.function_label;
  PangoLayout *layout;
  int width, height;

  if (box->style == 0)
    layout = get_block_label (self, label, &width, &height);
  else
    layout = cs_label_cache_get (self->labels, cs_timeline_chart_get_style_label (self, box->style), label->width, &width,
                                 &height);
  if (layout == NULL)
    return;
  cs_timeline_chart_paint_layout (self, snapshot, layout, label->x, width,
                                  get_y (self, pane, &items[box->item], box->depth) +
                                    (get_height (self, box) - height) / 2, color);
  self->stats.n_labels++;
}

/* Found calls have an outline; those that are too narrow to be seen a line. */
static void
paint_found (CsTimelineChart *self, GtkSnapshot *snapshot, const CsTimelinePane *pane, const CsTimelineItem *items)
{
  const GdkRGBA *color = &self->colors.colors[CS_CHART_TEXT];
  guint n_outlines = 0;

  for (guint i = 0; i < self->found->len && n_outlines < MAX_OUTLINES; i++)
    {
      const CsTimelineCall *call = &g_array_index (self->found, CsTimelineCall, i);
      graphene_rect_t rect;
      GskRoundedRect outline;

      if (!cs_timeline_chart_get_call_rect (self, call, &rect) || rect.origin.y < pane->top ||
          rect.origin.y >= pane->bottom)
        continue;
      n_outlines++;
      if (rect.size.width < NARROW)
        {
          rect.size.width = 2;
          gtk_snapshot_append_color (snapshot, &self->colors.colors[CS_CHART_OUTLIER], &rect);
          self->stats.n_rects++;
          continue;
        }
      gsk_rounded_rect_init_from_rect (&outline, &rect, 0);
      gtk_snapshot_append_border (snapshot, &outline, (float[4]){ 1, 1, 1, 1 },
                                  (GdkRGBA[4]){ *color, *color, *color, *color });
    }
}

/**
 * cs_timeline_chart_paint_spans:
 * @self: a chart whose rectangles were collected
 * @snapshot: where to paint
 * @panes: (array): its parts
 * @number: of the part
 *
 * Paints calls and blocks.
 */
void
cs_timeline_chart_paint_spans (CsTimelineChart *self, GtkSnapshot *snapshot, const CsTimelinePane *panes, guint number)
{
  const CsTimelinePane *pane = &panes[number];
  guint n, from = 0, end;
  const CsTimelineItem *items = cs_timeline_rows_get_items (self->rows, &n);
  g_autoptr (GArray) labels = NULL;
  graphene_rect_t clip;

  while (from < self->boxes->len && g_array_index (self->boxes, Box, from).pane < number)
    from++;
  cs_timeline_chart_place (self, 0, self->window.pixels, pane->top, pane->bottom - pane->top, &clip);
  gtk_snapshot_push_clip (snapshot, &clip);
  for (end = from; end < self->boxes->len && g_array_index (self->boxes, Box, end).pane == number; end++)
    paint_box (self, snapshot, pane, items, &g_array_index (self->boxes, Box, end));
  labels = choose_labels (self, items, from, end);
  for (guint i = 0; i < labels->len; i++)
    paint_label (self, snapshot, pane, items, &g_array_index (labels, Label, i));
  if (self->found->len > 0)
    paint_found (self, snapshot, pane, items);
  gtk_snapshot_pop (snapshot);
}
