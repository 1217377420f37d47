/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "layout/cs-label-rows.h"

static gboolean
is_free (const CsLabel *labels, guint n, double x, double width, guint row, double gap)
{
  for (guint i = 0; i < n; i++)
    if (labels[i].row == row && x < labels[i].x + labels[i].width + gap && labels[i].x < x + width + gap)
      return FALSE;
  return TRUE;
}

/**
 * cs_labels_place:
 * @labels: (array length=n): labels; the first ones have precedence
 * @n: how many
 * @width: pixels that there are
 * @gap: pixels between a label and its line, and between labels
 *
 * Puts labels into rows so that none lies over another: in the first row in which there is room at its line, on
 * the side that it prefers or on the other one. None reaches out of the width unless it is wider.
 *
 * Returns: how many rows there are
 */
guint
cs_labels_place (CsLabel *labels, guint n, double width, double gap)
{
  guint n_rows = 0;

  for (guint i = 0; i < n; i++)
    {
      CsLabel *label = &labels[i];
      double room = MAX (width - label->width, 0);

      for (label->row = 0;; label->row++)
        {
          gboolean found = FALSE;

          for (guint k = 0; k < 2 && !found; k++)
            {
              double side = k == 0 ? label->side : 1 - label->side;
              double x = label->anchor - side * label->width + gap * (1 - 2 * side);

              /* Moved into the width it may lie over its line; then the other side is better. */
              label->x = CLAMP (x, 0, room);
              found = (k == 1 || fabs (label->x - x) < 0.5) &&
                      is_free (labels, i, label->x, label->width, label->row, gap);
            }
          if (found)
            break;
        }
      n_rows = MAX (n_rows, label->row + 1);
    }
  return n_rows;
}
