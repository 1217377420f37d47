/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CS_PYRAMID_LEVELS 8

/* The largest of each 16 numbers, of each 256, and so on, over an array that belongs to somebody
 * else. */
typedef struct
{
  guint n_levels;
  gsize n[CS_PYRAMID_LEVELS + 1];
  const guint64 *levels[CS_PYRAMID_LEVELS + 1]; /* the first is the array itself */
  guint64 *store;
} CsPyramid;

void cs_pyramid_build (CsPyramid *self, const guint64 *values, gsize n);
void cs_pyramid_clear (CsPyramid *self);
gsize cs_pyramid_next (const CsPyramid *self, gsize start, gsize end, guint64 least);
guint64 cs_pyramid_max (const CsPyramid *self, gsize start, gsize end);

G_END_DECLS
