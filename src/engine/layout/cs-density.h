/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CS_DENSITY_REST G_MAXUINT

/* How many events each column of a strip of time has: all together, and in rows of tracks. */
typedef struct
{
  guint n_columns, n_rows;
  guint64 *total;  /* (array length=n_columns) */
  guint64 *rows;   /* n_columns of each row */
  guint *tracks;   /* (array length=n_rows): whose a row is; CS_DENSITY_REST: of all that have none */
  guint n_rest;    /* how many these are */
  guint *row_of;   /* of each track */
  guint64 n_events;
  guint n_parts;          /* of the time, that events were counted in: columns may have one more or less of these */
  double peak, row_peak;  /* the largest numbers of a column, and of a single track's, for each of its parts */
} CsDensity;

CsDensity *cs_density_new (guint n_columns, guint n_parts, guint max_rows, const guint64 *n_events, guint n_tracks);
void cs_density_free (CsDensity *self);
void cs_density_add (CsDensity *self, guint track, const guint64 *events);
double cs_density_get_height (const CsDensity *self, guint column);
double cs_density_get_row_height (const CsDensity *self, guint row, guint column);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsDensity, cs_density_free)

G_END_DECLS
