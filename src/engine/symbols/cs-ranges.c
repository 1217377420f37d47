/* SPDX-License-Identifier: MIT */

#include "config.h"

#include "symbols/cs-ranges.h"

static int
compare_ranges (gconstpointer a,
                gconstpointer b)
{
  const CsRange *one = a;
  const CsRange *two = b;

  if (one->low != two->low)
    return one->low < two->low ? -1 : 1;
  if (one->high != two->high)
    return one->high > two->high ? -1 : 1;
  return one->value < two->value ? -1 : one->value > two->value;
}

/**
 * cs_ranges_new:
 *
 * Makes an empty set of address ranges, which may nest and overlap.
 *
 * Returns: (transfer full): a #GArray of #CsRange
 */
GArray *
cs_ranges_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (CsRange));
}

/**
 * cs_ranges_add:
 * @ranges: a set of ranges
 * @low: first address
 * @high: address after the last
 * @value: what the range stands for
 *
 * Adds a range.  An empty one is left out.  Call cs_ranges_sort() after the last.
 */
void
cs_ranges_add (GArray  *ranges,
               guint64  low,
               guint64  high,
               guint32  value)
{
  CsRange range = { low, high, high, value };

  if (low < high)
    g_array_append_val (ranges, range);
}

/**
 * cs_ranges_sort:
 * @ranges: a set of ranges
 *
 * Makes the set ready for look-ups.
 */
void
cs_ranges_sort (GArray *ranges)
{
  guint64 reach = 0;

  g_array_sort (ranges, compare_ranges);
  for (guint i = 0; i < ranges->len; i++)
    {
      CsRange *range = &g_array_index (ranges, CsRange, i);

      reach = MAX (reach, range->high);
      range->reach = reach;
    }
}

/**
 * cs_ranges_count_begun:
 * @sorted: structs, sorted by the address that each begins with
 * @address: an address
 *
 * Returns: how many of them begin at or before the address
 */
guint
cs_ranges_count_begun (const GArray *sorted,
                       guint64       address)
{
  gsize size = g_array_get_element_size ((GArray *) sorted);
  guint low = 0;
  guint high = sorted->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (*(const guint64 *) (gconstpointer) (sorted->data + middle * size) <= address)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * cs_ranges_find:
 * @ranges: a sorted set of ranges
 * @address: a link address
 *
 * Finds the shortest range that holds the address; of equally long ones that
 * with the largest value, which is the innermost when values count DIEs in
 * the order of the file.
 *
 * Returns: (nullable) (transfer none): the range, %NULL when none holds the address
 */
const CsRange *
cs_ranges_find (const GArray *ranges,
                guint64       address)
{
  const CsRange *best = NULL;

  for (guint i = cs_ranges_count_begun (ranges, address); i > 0; i--)
    {
      const CsRange *range = &g_array_index (ranges, CsRange, i - 1);

      if (range->reach <= address)
        break;
      if (range->high <= address)
        continue;
      if (best == NULL || range->high - range->low < best->high - best->low ||
          (range->high - range->low == best->high - best->low && range->value > best->value))
        best = range;
    }
  return best;
}

/**
 * cs_ranges_contain:
 * @ranges: a sorted set of ranges
 * @address: a link address
 *
 * Returns: %TRUE if any range of the set holds the address
 */
gboolean
cs_ranges_contain (const GArray *ranges,
                   guint64       address)
{
  guint begun = cs_ranges_count_begun (ranges, address);

  return begun > 0 && g_array_index (ranges, CsRange, begun - 1).reach > address;
}
