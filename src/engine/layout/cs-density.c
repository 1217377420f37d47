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
 * @n_parts: in how many equal parts of the time events are counted, at least as many
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
cs_density_new (guint n_columns, guint n_parts, guint max_rows, const guint64 *n_events, guint n_tracks)
{
  CsDensity *self = g_new0 (CsDensity, 1);

  g_return_val_if_fail (n_columns > 0 && n_parts >= n_columns, self);

  self->n_columns = n_columns;
  self->n_parts = n_parts;
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

/* How many parts a column has. */
static guint
get_n_parts (const CsDensity *self, guint column)
{
  guint64 n = self->n_parts, c = self->n_columns;

  return (guint) (((column + 1) * n + c - 1) / c - (column * n + c - 1) / c);
}

/**
 * cs_density_add:
 * @self: a density
 * @track: a track
 * @events: (array): how many events it has in each part of the time
 *
 * Adds a track's events, each part's to the column in which it begins.
 */
void
cs_density_add (CsDensity *self, guint track, const guint64 *events)
{
  guint row = self->n_rows > 0 ? self->row_of[track] : 0;
  guint64 *counts = self->n_rows > 0 ? self->rows + (gsize) row * self->n_columns : NULL;

  for (guint i = 0; i < self->n_parts; i++)
    {
      guint column = (guint) ((guint64) i * self->n_columns / self->n_parts);

      self->total[column] += events[i];
      self->n_events += events[i];
      if (counts != NULL)
        counts[column] += events[i];
    }
  for (guint i = 0; i < self->n_columns; i++)
    {
      guint n = get_n_parts (self, i);

      self->peak = MAX (self->peak, (double) self->total[i] / n);
      if (counts != NULL && self->tracks[row] != CS_DENSITY_REST)
        self->row_peak = MAX (self->row_peak, (double) counts[i] / n);
    }
}

static double
get_height (const CsDensity *self, guint column, guint64 events, double peak)
{
  double rate = (double) events / get_n_parts (self, column);

  return events > 0 ? sqrt (MIN (rate, peak) / peak) : 0;
}

/**
 * cs_density_get_height:
 * @self: a density
 * @column: a column
 *
 * Says how high a column of all tracks is. That is the square root of its events, so that what goes on between
 * bursts is seen.
 *
 * Returns: 0 to 1
 */
double
cs_density_get_height (const CsDensity *self, guint column)
{
  return get_height (self, column, self->total[column], self->peak);
}

/**
 * cs_density_get_row_height:
 * @self: a density
 * @row: a row
 * @column: a column
 *
 * Says the same of a row. The one of all other tracks isn't compared with single ones: where it has more than any,
 * it is 1.
 *
 * Returns: 0 to 1
 */
double
cs_density_get_row_height (const CsDensity *self, guint row, guint column)
{
  guint64 events = self->rows[(gsize) row * self->n_columns + column];

  return get_height (self, column, events, self->row_peak > 0 ? self->row_peak : self->peak);
}
