/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "flame/cs-flame-chart-private.h"
#include "shared/cs-format.h"

#define OUTLINE_MIN 6 /* pixels of a frame that has room for an outline */
#define LABEL_PADDING 6
#define MAX_SHAPED 60 /* labels in a frame: about 2 ms; the others follow */
#define MIN_CONTRAST 4.5

/* A frame that could have a label. */
typedef struct
{
  guint rect;
  graphene_rect_t bounds;
  GdkRGBA fill;
} Candidate;

typedef struct
{
  CsFlameChart *self;
  GtkSnapshot *snapshot;
  CsChartColors colors;
  GdkRGBA block, outline, found;
  GArray *candidates;
  guint n_rects;
  guint n_spare; /* that may be painted besides one for each frame */
  guint found_at; /* found frames before it are before what is painted */
} Painter;

static GdkRGBA
mix (const GdkRGBA *a, const GdkRGBA *b, float share)
{
  return (GdkRGBA){ a->red + (b->red - a->red) * share, a->green + (b->green - a->green) * share,
                    a->blue + (b->blue - a->blue) * share, 1 };
}

static double
to_linear (float value)
{
  return value <= 0.04045f ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

/* WCAG 2: relative luminance. */
static double
get_luminance (const GdkRGBA *color)
{
  return 0.2126 * to_linear (color->red) + 0.7152 * to_linear (color->green) + 0.0722 * to_linear (color->blue);
}

static double
get_contrast (const GdkRGBA *a, const GdkRGBA *b)
{
  double x = get_luminance (a), y = get_luminance (b);

  return (MAX (x, y) + 0.05) / (MIN (x, y) + 0.05);
}

static void
append (Painter *painter, const GdkRGBA *color, const graphene_rect_t *bounds)
{
  gtk_snapshot_append_color (painter->snapshot, color, bounds);
  painter->n_rects++;
}

/* What there is more than one of for a frame: there is a bound. */
static void
append_more (Painter *painter, const GdkRGBA *color, const graphene_rect_t *bounds)
{
  if (painter->n_spare == 0)
    return;
  painter->n_spare--;
  append (painter, color, bounds);
}

/* A frame of one colour around another; what is too narrow for that is all frame. */
static void
append_outlined (Painter *painter, const GdkRGBA *outline, float width, const GdkRGBA *fill,
                 const graphene_rect_t *bounds)
{
  graphene_rect_t inner;

  append (painter, outline, bounds);
  if (bounds->size.width < OUTLINE_MIN)
    return;
  graphene_rect_inset_r (bounds, width, width, &inner);
  append_more (painter, fill, &inner);
}

/* Whether a found frame is among those of a rectangle. Rectangles come in order. */
static gboolean
is_found (Painter *painter, const CsFlameRect *rect)
{
  CsFlameChart *self = painter->self;
  guint low = painter->found_at, high = self->n_found, step = 1;

  /* Most often the next one is near. */
  while (low + step < high && self->found[low + step] < rect->node)
    {
      low += step;
      step *= 2;
    }
  high = MIN (high, low + step + 1);
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->found[middle] < rect->node)
        low = middle + 1;
      else
        high = middle;
    }
  painter->found_at = low;
  return low < self->n_found && self->found[low] - rect->node < rect->n;
}

static void
paint_block (Painter *painter, const CsFlameRect *rect, graphene_rect_t *bounds)
{
  /* Lower than a frame, at the side of what called it. */
  float inset = floorf (bounds->size.height / 4);

  bounds->size.height -= inset;
  if (painter->self->flame)
    bounds->origin.y += inset;
  if (is_found (painter, rect))
    append_outlined (painter, &painter->found, 2, &painter->block, bounds);
  else
    append (painter, &painter->block, bounds);
}

static void
paint_frame (Painter *painter, const CsFlameRect *rect, const graphene_rect_t *bounds, GdkRGBA *fill)
{
  CsFlameChart *self = painter->self;
  const GdkRGBA *background = &painter->colors.colors[CS_CHART_BACKGROUND];
  CsFlameFlags flags = cs_flame_layout_get_flags (self->layout, rect->node);
  gboolean above;

  *fill = painter->colors.colors[CS_CHART_SOFT_BAR];
  if (self->texts.get_color != NULL)
    self->texts.get_color (rect->node, &painter->colors, fill, self->data);
  if (fill->alpha < 1)
    *fill = mix (background, fill, fill->alpha);
  above = rect->depth + 1 < self->focus_path->len &&
          g_array_index (self->focus_path, guint32, rect->depth) == rect->node;
  if (above)
    *fill = mix (fill, background, 0.6f);
  if (is_found (painter, rect))
    append_outlined (painter, &painter->found, 2, fill, bounds);
  else if ((flags & CS_FLAME_CONTEXT) != 0)
    {
      /* Hollow. */
      GdkRGBA edge = *fill;

      *fill = mix (fill, background, 0.8f);
      append_outlined (painter, &edge, 2, fill, bounds);
    }
  else if (painter->colors.high_contrast && bounds->size.width >= OUTLINE_MIN)
    append_outlined (painter, &painter->outline, 1, fill, bounds);
  else
    append (painter, fill, bounds);
  if ((flags & CS_FLAME_FOLDED) != 0 && bounds->size.width >= OUTLINE_MIN)
    {
      /* An edge where its callers would be. */
      graphene_rect_t edge = *bounds;

      edge.size.height = 3;
      if (!self->flame)
        edge.origin.y += bounds->size.height - edge.size.height;
      append_more (painter, &painter->colors.colors[CS_CHART_DIM_TEXT], &edge);
    }
}

static void
paint_rects (Painter *painter)
{
  CsFlameChart *self = painter->self;

  for (guint i = 0; i < self->rects->len; i++)
    {
      const CsFlameRect *rect = &g_array_index (self->rects, CsFlameRect, i);
      Candidate candidate = { .rect = i, .fill = painter->block };

      cs_flame_chart_place (self, rect, &candidate.bounds);
      if (rect->n > 1)
        paint_block (painter, rect, &candidate.bounds);
      else
        paint_frame (painter, rect, &candidate.bounds, &candidate.fill);
      if (candidate.bounds.size.width >= CS_FLAME_CHART_MIN_LABEL)
        g_array_append_val (painter->candidates, candidate);
    }
}

static int
compare_widths (gconstpointer a, gconstpointer b)
{
  const Candidate *x = a, *y = b;

  if (x->bounds.size.width > y->bounds.size.width)
    return -1;
  if (x->bounds.size.width < y->bounds.size.width)
    return 1;
  return x->rect < y->rect ? -1 : x->rect > y->rect;
}

static void
paint_label (Painter *painter, const Candidate *candidate)
{
  CsFlameChart *self = painter->self;
  const CsFlameRect *rect = &g_array_index (self->rects, CsFlameRect, candidate->rect);
  const graphene_rect_t *bounds = &candidate->bounds;
  g_autofree char *text = NULL;
  GdkRGBA color = painter->colors.function_label;
  PangoLayout *layout;
  float room = bounds->size.width - 2 * LABEL_PADDING, x;
  double max_width = room;
  int width, height;

  if (rect->n > 1)
    {
      g_autofree char *count = cs_format_count_short (rect->n);

      text = g_strdup_printf ("×%s", count);
      /* Half of a number would be another one. */
      max_width = G_MAXINT;
    }
  else if (self->texts.dup_label != NULL)
    text = self->texts.dup_label (rect->node, self->data);
  layout = cs_label_cache_get (self->labels, text, max_width, &width, &height);
  if (layout == NULL || (rect->n > 1 && (float) width > room))
    return;
  if (get_contrast (&color, &candidate->fill) < MIN_CONTRAST)
    color = (GdkRGBA){ 1 - color.red, 1 - color.green, 1 - color.blue, 1 };
  x = bounds->origin.x + LABEL_PADDING;
  if (cs_flame_chart_is_rtl (self))
    x = bounds->origin.x + bounds->size.width - LABEL_PADDING - (float) width;
  gtk_snapshot_save (painter->snapshot);
  gtk_snapshot_translate (painter->snapshot,
                          &GRAPHENE_POINT_INIT (x, bounds->origin.y + floorf ((bounds->size.height - (float) height) / 2)));
  gtk_snapshot_append_layout (painter->snapshot, layout, &color);
  gtk_snapshot_restore (painter->snapshot);
  self->stats.n_labels++;
}

static gboolean
refine (gpointer data)
{
  CsFlameChart *self = data;

  self->refine = 0;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

/* Paints again: not from here, where GTK forgets that it was asked to. */
static void
refine_later (CsFlameChart *self)
{
  if (self->refine == 0)
    self->refine = g_idle_add (refine, self);
}

/* Of the widest frames. */
static void
paint_labels (Painter *painter)
{
  /* What is told then is of the frame before. */
  painter->self->stats.n_shaped = cs_label_cache_begin_frame (painter->self->labels);
  /* In a picture nothing follows. */
  cs_label_cache_set_max_shaped (painter->self->labels, painter->self->plain ? 0 : MAX_SHAPED);
  if (painter->candidates->len > CS_FLAME_CHART_MAX_LABELS)
    g_array_sort (painter->candidates, compare_widths);
  for (guint i = 0; i < MIN (painter->candidates->len, CS_FLAME_CHART_MAX_LABELS); i++)
    paint_label (painter, &g_array_index (painter->candidates, Candidate, i));
  if (cs_label_cache_is_short (painter->self->labels))
    refine_later (painter->self);
}

static void
paint_ring (Painter *painter, const graphene_rect_t *bounds, float width, const GdkRGBA *color)
{
  GskRoundedRect ring;

  gsk_rounded_rect_init_from_rect (&ring, bounds, 2);
  gtk_snapshot_append_border (painter->snapshot, &ring, (float[4]){ width, width, width, width },
                              (GdkRGBA[4]){ *color, *color, *color, *color });
}

/* The frame under the pointer and what is on the way to it. */
static void
paint_pointed (Painter *painter)
{
  CsFlameChart *self = painter->self;
  const GdkRGBA *color = &painter->colors.colors[CS_CHART_TEXT];
  const CsFlameRect *rect = cs_flame_chart_find_rect_at (self, self->pointer_x, self->pointer_y);

  for (gboolean first = TRUE; rect != NULL; first = FALSE)
    {
      graphene_rect_t bounds;
      CsFlameNode node;

      cs_flame_chart_place (self, rect, &bounds);
      paint_ring (painter, &bounds, first ? 2 : 1, color);
      cs_flame_layout_get_node (self->layout, rect->node, &node);
      rect = node.parent != rect->node ? cs_flame_chart_find_rect (self, node.parent) : NULL;
    }
}

static void
paint_cursor (Painter *painter)
{
  CsFlameChart *self = painter->self;
  const CsFlameRect *rect = cs_flame_chart_find_rect (self, self->cursor);
  float width = gtk_widget_has_focus (GTK_WIDGET (self)) ? 3 : 2;
  graphene_rect_t bounds;

  if (rect == NULL)
    return;
  cs_flame_chart_place (self, rect, &bounds);
  /* Around what is narrow. */
  if (bounds.size.width < 3 * width)
    graphene_rect_inset (&bounds, -width, 0);
  paint_ring (painter, &bounds, width, &painter->colors.colors[CS_CHART_TEXT]);
  graphene_rect_inset (&bounds, width, width);
  if (bounds.size.width > 2)
    paint_ring (painter, &bounds, 1, &painter->colors.colors[CS_CHART_BACKGROUND]);
}

/* Paints all but children. */
void
cs_flame_chart_paint (CsFlameChart *self, GtkSnapshot *snapshot)
{
  gint64 start = g_get_monotonic_time ();
  Painter painter = { .self = self, .snapshot = snapshot };

  self->stats = (CsFlameChartStats){ 0 };
  cs_flame_chart_query (self);
  if (self->rects->len > 0)
    {
      const GdkRGBA *background, *text;

      cs_chart_colors_load (&painter.colors, GTK_WIDGET (self));
      background = &painter.colors.colors[CS_CHART_BACKGROUND];
      text = &painter.colors.colors[CS_CHART_TEXT];
      painter.block = mix (background, text, painter.colors.high_contrast ? 0.5f : 0.3f);
      painter.outline = mix (background, text, 1);
      painter.found = painter.colors.colors[CS_CHART_OUTLIER];
      painter.n_spare = CS_FLAME_CHART_MAX_RECTS - MIN (self->rects->len, CS_FLAME_CHART_MAX_RECTS);
      painter.candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
      paint_rects (&painter);
      paint_labels (&painter);
      if (self->pointed && !self->dragged && !self->plain)
        paint_pointed (&painter);
      if (self->cursor != CS_FLAME_NONE && !self->plain)
        paint_cursor (&painter);
      g_array_unref (painter.candidates);
    }
  self->stats.n_rects = painter.n_rects;
  self->stats.us = g_get_monotonic_time () - start;
}
