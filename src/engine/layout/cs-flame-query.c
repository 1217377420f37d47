/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "layout/cs-flame-private.h"

/* Of the frames `start` up to `end`, all of one row: the first that starts at x or later; `end`
 * if none does. */
static guint32
find_start (CsFlameLayout *self, guint32 start, guint32 end, guint64 x)
{
  while (start < end)
    {
      guint32 middle = start + (end - start) / 2;

      if (self->start[middle] >= x)
        end = middle;
      else
        start = middle + 1;
    }
  return start;
}

/* The same where it is likely to be near the first. */
static guint32
find_near_start (CsFlameLayout *self, guint32 start, guint32 end, guint64 x)
{
  guint32 step = 4;

  while (end - start > step && self->start[start + step] < x)
    {
      start += step;
      step *= 2;
    }
  return find_start (self, start, end - start > step ? start + step : end, x);
}

/* By where frames end: the first that ends behind x. */
static guint32
find_end (CsFlameLayout *self, guint32 start, guint32 end, guint64 x)
{
  while (start < end)
    {
      guint32 middle = start + (end - start) / 2;

      if (self->start[middle] + self->width[middle] > x)
        end = middle;
      else
        start = middle + 1;
    }
  return start;
}

static void
add_rect (CsFlameLayout *self, guint32 first, guint32 end, guint32 depth, GArray *rects)
{
  CsFlameRect rect = {
    .start = self->start[first],
    .width = self->start[end - 1] + self->width[end - 1] - self->start[first],
    .time = self->before[end] - self->before[first],
    .node = first,
    .n = end - first,
    .depth = depth,
  };

  g_array_append_val (rects, rect);
}

/* The first frame, behind neighbours that are all narrower than `least`, that lies at least that far
 * behind the one before it. Each step goes `least` to the right. */
static guint32
find_gap (CsFlameLayout *self, guint32 start, guint32 end, guint64 least)
{
  guint32 next = start + 1;

  while (next < end)
    {
      guint64 x = self->start[next - 1] + self->width[next - 1];

      if (self->start[next] - x >= least)
        return next;
      next = MAX (next + 1, find_near_start (self, next, end, self->start[next - 1] + least));
    }
  return end;
}

/* Returns: whether there was room for all */
static gboolean
query_row (CsFlameLayout *self, const CsFlameWindow *window, guint32 depth, guint64 least, guint max,
           GArray *rects)
{
  guint32 end = find_start (self, self->rows[depth], self->rows[depth + 1], window->x1);
  guint32 i = find_end (self, self->rows[depth], end, window->x0);

  while (i < end)
    {
      guint32 next = (guint32) cs_pyramid_next (&self->widths, i, end, least);

      for (guint32 gap; i < next; i = gap)
        {
          gap = find_gap (self, i, next, least);
          add_rect (self, i, gap, depth, rects);
          if (rects->len > max)
            return FALSE;
        }
      if (i < end)
        {
          add_rect (self, i, i + 1, depth, rects);
          i++;
        }
      if (rects->len > max)
        return FALSE;
    }
  return TRUE;
}

/**
 * cs_flame_layout_query:
 * @self: a layout
 * @window: what is visible
 * @rects: (element-type CsFlameRect): filled: row by row, from the left
 *
 * Asks what to paint: each frame that is wide enough, and blocks of neighbours that are not. A
 * frame without width belongs to a block or is a block alone. Over a whole row the frames' times
 * sum up to the row's. Where there are more than `max_rects`, what is narrower than a multiple of
 * `min_pixels` is merged. Costs at most (pixels × rows × log n), whatever lies in the blocks.
 */
void
cs_flame_layout_query (CsFlameLayout *self, const CsFlameWindow *window, GArray *rects)
{
  guint32 depth1 = MIN (window->depth1, self->n_rows);
  guint max = window->max_rects != 0 ? window->max_rects : G_MAXUINT - 1;
  double least;

  g_array_set_size (rects, 0);
  if (window->x1 <= window->x0 || window->depth0 >= depth1 || !(window->pixels > 0))
    return;
  least = (double) (window->x1 - window->x0) / window->pixels * MAX (window->min_pixels, 0);
  /* With a rectangle a row nothing is left to merge. */
  max = MAX (max, depth1 - window->depth0);

  for (gboolean all = FALSE; !all;)
    {
      guint32 depth = window->depth0;
      guint64 ns = least < 0x1p63 ? (guint64) least : (guint64) 1 << 63;

      if (ns == 0 || (double) ns < least)
        ns++;
      g_array_set_size (rects, 0);
      all = TRUE;
      for (; depth < depth1 && all; depth++)
        all = query_row (self, window, depth, ns, max, rects) || ns >> 63 != 0;
      /* Half of what it would take if all rows were like those that had room. */
      least = MAX (least, 1) * MAX (2, (depth1 - window->depth0) / (depth - window->depth0) / 2);
    }
}

/**
 * cs_flame_layout_hit:
 * @self: a layout
 * @x: ns
 * @depth: row
 *
 * Returns: the frame there; CS_FLAME_NONE: there is none
 */
guint32
cs_flame_layout_hit (CsFlameLayout *self, guint64 x, guint32 depth)
{
  guint32 node;

  if (depth >= self->n_rows)
    return CS_FLAME_NONE;
  node = find_end (self, self->rows[depth], self->rows[depth + 1], x);
  return node < self->rows[depth + 1] && self->start[node] <= x ? node : CS_FLAME_NONE;
}

/**
 * cs_flame_layout_focus:
 * @self: a layout
 * @node: a frame
 * @window: (inout): x0 and x1 are changed
 *
 * Shows the frame at full width. What is above it reaches out of the window at both ends: it is
 * as wide as the window is. For a frame without width, its nearest caller with one is shown.
 */
void
cs_flame_layout_focus (CsFlameLayout *self, guint32 node, CsFlameWindow *window)
{
  g_return_if_fail (node < self->n);
  while (node != 0 && self->width[node] == 0)
    node = self->parent[node];
  window->x0 = self->start[node];
  window->x1 = self->start[node] + self->width[node];
}

/**
 * cs_flame_layout_get_path:
 * @self: a layout
 * @node: a frame
 * @path: (element-type guint32): filled: the frames from the root to @node, both with them
 */
void
cs_flame_layout_get_path (CsFlameLayout *self, guint32 node, GArray *path)
{
  g_return_if_fail (node < self->n);
  g_array_set_size (path, 0);
  for (;; node = self->parent[node])
    {
      g_array_append_val (path, node);
      if (node == 0)
        break;
    }
  for (guint i = 0; i < path->len / 2; i++)
    {
      guint32 *a = &g_array_index (path, guint32, i), *b = &g_array_index (path, guint32, path->len - 1 - i);
      guint32 swap = *a;

      *a = *b;
      *b = swap;
    }
}

/**
 * cs_flame_layout_find_path:
 * @self: a layout
 * @functions: (array length=n): indices, the outermost first, without the root
 * @n: how many
 *
 * Finds a frame again in another layout, ordered or filtered otherwise.
 *
 * Returns: the frame with that path, or as much of it as there is: at worst the root
 */
guint32
cs_flame_layout_find_path (CsFlameLayout *self, const guint32 *functions, guint n)
{
  guint32 node = 0;

  for (guint i = 0; i < n; i++)
    {
      guint32 child = self->first_child[node], end = self->first_child[node + 1];

      while (child < end && self->function[child] != functions[i])
        child++;
      if (child == end)
        break;
      node = child;
    }
  return node;
}

/**
 * cs_flame_layout_search:
 * @self: a layout
 * @match: (scope call): whether a function matches, asked once a function; not about threads
 * @data: for @match
 * @found: (nullable) (element-type guint32): filled: all frames that match, row by row, from the left
 *
 * Returns: the time in which a matching frame was open: of those inside each other the outermost counts
 */
guint64
cs_flame_layout_search (CsFlameLayout *self, CsFlameMatch match, gpointer data, GArray *found)
{
  g_autofree guint8 *matches = g_new (guint8, self->n_functions);
  g_autofree guint8 *below = g_new0 (guint8, self->n);
  guint64 time = 0;

  if (found != NULL)
    g_array_set_size (found, 0);
  for (guint32 i = 0; i < self->n_functions; i++)
    matches[i] = match (i, data) != FALSE;
  for (guint32 i = 1; i < self->n; i++)
    {
      gboolean counted = below[self->parent[i]];

      gboolean matched = !cs_call_node_is_thread (self->function[i]) && matches[self->function[i]];

      below[i] = counted || matched;
      if (below[i] && !counted)
        time += self->width[i];
      if (found != NULL && matched)
        g_array_append_val (found, i);
    }
  return time;
}
