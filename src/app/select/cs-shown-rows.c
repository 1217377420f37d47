/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "select/cs-shown-rows.h"
#include "select/cs-source-rows.h"
#include "select/cs-splice.h"

/**
 * cs_shown_rows_new:
 * @n_files: how many files there are
 * @filtered: whether a filter lets only some functions through
 * @matches: (nullable): what was let through by the same filter, to be added to; %NULL: nothing yet
 *
 * Returns: (transfer full): no rows
 */
CsShownRows *
cs_shown_rows_new (guint n_files, gboolean filtered, GArray *matches)
{
  CsShownRows *self = g_new0 (CsShownRows, 1);

  self->n_files = n_files;
  self->starts = g_new0 (guint32, n_files + 1);
  self->counts = g_new0 (guint32, n_files + 1);
  if (filtered)
    {
      self->firsts = g_new0 (guint32, n_files + 1);
      self->matches = matches != NULL ? g_array_ref (matches) : g_array_new (FALSE, FALSE, sizeof (guint32));
    }
  return self;
}

/**
 * cs_shown_rows_free:
 * @self: (transfer full): rows
 */
void
cs_shown_rows_free (CsShownRows *self)
{
  g_free (self->starts);
  g_free (self->counts);
  g_free (self->firsts);
  g_clear_pointer (&self->matches, g_array_unref);
  g_free (self);
}

/**
 * cs_shown_rows_copy:
 * @self: rows
 *
 * Returns: (transfer full): rows with the same functions; where they start is to be set
 */
CsShownRows *
cs_shown_rows_copy (const CsShownRows *self)
{
  CsShownRows *copy = cs_shown_rows_new (self->n_files, self->firsts != NULL, self->matches);

  memcpy (copy->counts, self->counts, sizeof (guint32) * self->n_files);
  if (self->firsts != NULL)
    memcpy (copy->firsts, self->firsts, sizeof (guint32) * self->n_files);
  return copy;
}

/**
 * cs_shown_rows_get_n:
 * @self: rows
 *
 * Returns: how many there are
 */
guint
cs_shown_rows_get_n (const CsShownRows *self)
{
  return self->starts[self->n_files];
}

/**
 * cs_shown_rows_locate:
 * @self: rows
 * @position: number of a row
 * @file: (out): the file that it lies in
 * @nth: (out): which function of the file it is; %CS_SOURCE_ROW_HEADING: none
 */
void
cs_shown_rows_locate (const CsShownRows *self, guint position, guint32 *file, guint32 *nth)
{
  guint low = 0, high = self->n_files;

  /* The last file that starts at or before the row: those without rows come before it. */
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (self->starts[middle] <= position)
        low = middle;
      else
        high = middle;
    }
  *file = low;
  position -= self->starts[low];
  if (position == 0)
    *nth = CS_SOURCE_ROW_HEADING;
  else if (self->firsts != NULL)
    *nth = g_array_index (self->matches, guint32, self->firsts[low] + position - 1);
  else
    *nth = position - 1;
}

/**
 * cs_shown_rows_find:
 * @self: rows
 * @file: number of a file
 * @nth: which of its functions; %CS_SOURCE_ROW_HEADING: its heading
 *
 * Returns: its row; %CS_SPLICE_GONE: it isn't shown
 */
guint
cs_shown_rows_find (const CsShownRows *self, guint32 file, guint32 nth)
{
  guint32 n;

  if (file >= self->n_files)
    return CS_SPLICE_GONE;
  n = self->starts[file + 1] - self->starts[file];
  if (n == 0)
    return CS_SPLICE_GONE;
  if (nth == CS_SOURCE_ROW_HEADING)
    return self->starts[file];
  if (self->firsts == NULL)
    return nth + 1 < n ? self->starts[file] + 1 + nth : CS_SPLICE_GONE;
  for (guint32 i = 0; i + 1 < n; i++)
    if (g_array_index (self->matches, guint32, self->firsts[file] + i) == nth)
      return self->starts[file] + 1 + i;
  return CS_SPLICE_GONE;
}
