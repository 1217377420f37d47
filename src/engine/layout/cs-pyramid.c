/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "layout/cs-pyramid.h"

#define BITS 4

/**
 * cs_pyramid_build:
 * @self: a pyramid, zeroed or built before
 * @values: (array length=n): what it is about; stays the caller's and has to outlive @self
 * @n: at most 2^36
 *
 * Builds what is above the array: at most a 15th of its memory.
 */
void
cs_pyramid_build (CsPyramid *self, const guint64 *values, gsize n)
{
  gsize total = 0;
  guint64 *to;

  cs_pyramid_clear (self);
  self->levels[0] = values;
  self->n[0] = n;
  while (self->n[self->n_levels] > 1 && self->n_levels < CS_PYRAMID_LEVELS)
    {
      gsize above = (self->n[self->n_levels] + (1 << BITS) - 1) >> BITS;

      self->n[++self->n_levels] = above;
      total += above;
    }

  to = self->store = g_new (guint64, total);
  for (guint level = 1; level <= self->n_levels; level++)
    {
      const guint64 *from = self->levels[level - 1];

      self->levels[level] = to;
      for (gsize i = 0; i < self->n[level]; i++)
        {
          gsize end = MIN ((i + 1) << BITS, self->n[level - 1]);
          guint64 max = 0;

          for (gsize j = i << BITS; j < end; j++)
            max = MAX (max, from[j]);
          *to++ = max;
        }
    }
}

/**
 * cs_pyramid_clear:
 * @self: a pyramid, which is empty afterwards
 */
void
cs_pyramid_clear (CsPyramid *self)
{
  g_free (self->store);
  *self = (CsPyramid){ 0 };
}

/**
 * cs_pyramid_next:
 * @self: a pyramid
 * @start: an index
 * @end: where to stop, at most the array's length
 * @least: a number
 *
 * Returns: the first index from @start on, before @end, whose number is at least @least;
 *   @end if there is none
 */
gsize
cs_pyramid_next (const CsPyramid *self, gsize start, gsize end, guint64 least)
{
  guint level = 0;
  gsize i = start;

  while (i << (BITS * level) < end)
    {
      if (self->levels[level][i] >= least)
        {
          if (level == 0)
            return i;
          level--;
          i <<= BITS;
          continue;
        }
      i++;
      /* At the start of a block, look at the block. */
      while (level < self->n_levels && (i & ((1 << BITS) - 1)) == 0)
        {
          level++;
          i >>= BITS;
        }
      if (i >= self->n[level])
        break;
    }
  return end;
}

/**
 * cs_pyramid_max:
 * @self: a pyramid
 * @start: an index
 * @end: the index after the last, at most the array's length
 *
 * Returns: the largest number from @start up to @end; 0 if there is none
 */
guint64
cs_pyramid_max (const CsPyramid *self, gsize start, gsize end)
{
  guint64 max = 0;

  for (guint level = 0; start < end; level++)
    {
      const guint64 *values = self->levels[level];

      if (level == self->n_levels || end - start < 2 << BITS)
        {
          for (; start < end; start++)
            max = MAX (max, values[start]);
          break;
        }
      for (; (start & ((1 << BITS) - 1)) != 0; start++)
        max = MAX (max, values[start]);
      for (; (end & ((1 << BITS) - 1)) != 0; end--)
        max = MAX (max, values[end - 1]);
      start >>= BITS;
      end >>= BITS;
    }
  return max;
}
