/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "layout/cs-density.h"

typedef struct
{
  guint64 n_events;
  guint track;
} Busy;

static int
compare_busy (const void *a, const void *b)
{
  const Busy *x = a, *y = b;

  if (x->n_events != y->n_events)
    return x->n_events > y->n_events ? -1 : 1;
  return x->track < y->track ? -1 : x->track > y->track;
}

/* Gives each track a row. */
static void
choose_rows (CsDensity *self, guint max_rows, const guint64 *n_events, guint n_tracks)
{
  g_autofree Busy *busy = g_new (Busy, n_tracks);
  guint n_own = n_tracks <= max_rows ? n_tracks : max_rows - 1;
  guint row = 0;

  for (guint i = 0; i < n_tracks; i++)
    {
      busy[i] = (Busy){ n_events[i], i };
      self->row_of[i] = CS_DENSITY_REST;
    }
  qsort (busy, n_tracks, sizeof *busy, compare_busy);
  for (guint i = 0; i < n_own; i++)
    self->row_of[busy[i].track] = 0;
  for (guint i = 0; i < n_tracks; i++)
    if (self->row_of[i] != CS_DENSITY_REST)
      {
        self->tracks[row] = i;
        self->row_of[i] = row++;
      }
    else
      {
        self->row_of[i] = n_own;
        self->n_rest++;
      }
  if (self->n_rest > 0)
    self->tracks[n_own] = CS_DENSITY_REST;
}

/**
 * cs_density_new:
 * @n_columns: how many columns the time is cut into, at least 1
 * @max_rows: how many rows of tracks there may be; 0: none
 * @n_events: (array length=n_tracks): how many events each track has
 * @n_tracks: how many tracks there are
 *
 * Makes rows in the tracks' order. Where there are more tracks than rows, the last row is for all but the busiest
 * @max_rows - 1.
 *
 * Returns: (transfer full): a density without events
 */
CsDensity *
cs_density_new (guint n_columns, guint max_rows, const guint64 *n_events, guint n_tracks)
{
  CsDensity *self = g_new0 (CsDensity, 1);

  g_return_val_if_fail (n_columns > 0, self);

  self->n_columns = n_columns;
  self->n_rows = MIN (n_tracks, max_rows);
  self->total = g_new0 (guint64, n_columns);
  self->rows = g_new0 (guint64, (gsize) n_columns * self->n_rows);
  self->tracks = g_new0 (guint, self->n_rows);
  self->row_of = g_new0 (guint, n_tracks);
  if (self->n_rows > 0)
    choose_rows (self, max_rows, n_events, n_tracks);
  return self;
}

/**
 * cs_density_free:
 * @self: (transfer full): a density
 */
void
cs_density_free (CsDensity *self)
{
  g_free (self->total);
  g_free (self->rows);
  g_free (self->tracks);
  g_free (self->row_of);
  g_free (self);
}

/**
 * cs_density_add:
 * @self: a density
 * @track: a track
 * @events: (array length=n): how many it has in each of @n equal parts of the time
 * @n: at least as many as there are columns
 *
 * Adds a track's events, each part's to the column in which it begins.
 */
void
cs_density_add (CsDensity *self, guint track, const guint64 *events, guint n)
{
  guint64 *row = self->n_rows > 0 ? self->rows + (gsize) self->row_of[track] * self->n_columns : NULL;

  for (guint i = 0; i < n; i++)
    {
      guint column = (guint) ((guint64) i * self->n_columns / n);

      self->total[column] += events[i];
      self->peak = MAX (self->peak, self->total[column]);
      self->n_events += events[i];
      if (row == NULL)
        continue;
      row[column] += events[i];
      if (self->tracks[self->row_of[track]] != CS_DENSITY_REST)
        self->row_peak = MAX (self->row_peak, row[column]);
    }
}

/**
 * cs_density_get_share:
 * @events: a column's
 * @peak: the largest number; what is larger is as high
 *
 * Says how high a column is. That is the square root, so that what goes on between bursts is seen.
 *
 * Returns: 0 to 1
 */
double
cs_density_get_share (guint64 events, guint64 peak)
{
  return events > 0 ? sqrt ((double) MIN (events, peak) / (double) MAX (peak, 1)) : 0;
}
