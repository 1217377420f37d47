/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "profile/cs-histogram.h"

struct _CsHistogramCarries
{
  guint64 *octaves[CS_HISTOGRAM_OCTAVES]; /* (nullable elements) */
};

static guint64
get_count (const CsHistogram *self, guint octave, guint sub)
{
  const guint64 *carries = self->carries != NULL ? self->carries->octaves[octave] : NULL;

  return ((carries != NULL ? carries[sub] : 0) << 16) + self->octaves[octave][sub];
}

/**
 * cs_histogram_clear:
 * @self: a histogram, which is empty afterwards
 */
void
cs_histogram_clear (CsHistogram *self)
{
  for (guint octave = 0; octave < CS_HISTOGRAM_OCTAVES; octave++)
    {
      g_clear_pointer (&self->octaves[octave], g_free);
      if (self->carries != NULL)
        g_free (self->carries->octaves[octave]);
    }
  g_clear_pointer (&self->carries, g_free);
}

/**
 * cs_histogram_grow:
 * @self: a histogram
 * @octave: an octave that it doesn't have yet
 *
 * Returns: (transfer none) (array fixed-size=32): the octave's counts
 */
guint16 *
cs_histogram_grow (CsHistogram *self, guint octave)
{
  self->octaves[octave] = g_new0 (guint16, CS_HISTOGRAM_SUBS);
  return self->octaves[octave];
}

/**
 * cs_histogram_carry:
 * @self: a histogram
 * @octave: an octave that it has
 * @sub: a bucket of it
 * @n: how many
 *
 * Counts @n times 2^16 durations.
 */
void
cs_histogram_carry (CsHistogram *self, guint octave, guint sub, guint64 n)
{
  if (n == 0)
    return;
  if (self->carries == NULL)
    self->carries = g_new0 (struct _CsHistogramCarries, 1);
  if (self->carries->octaves[octave] == NULL)
    self->carries->octaves[octave] = g_new0 (guint64, CS_HISTOGRAM_SUBS);
  self->carries->octaves[octave][sub] += n;
}

static void
add_count (CsHistogram *self, guint octave, guint sub, guint64 n)
{
  n += self->octaves[octave][sub];
  self->octaves[octave][sub] = (guint16) n;
  cs_histogram_carry (self, octave, sub, n >> 16);
}

/**
 * cs_histogram_add_many:
 * @self: a histogram
 * @ns: a duration
 * @n: how often to count it
 */
void
cs_histogram_add_many (CsHistogram *self, guint64 ns, guint64 n)
{
  guint octave, sub;

  cs_histogram_find (self, ns, &octave, &sub);
  add_count (self, octave, sub, n);
}

/**
 * cs_histogram_merge:
 * @self: a histogram
 * @other: one whose counts are added
 */
void
cs_histogram_merge (CsHistogram *self, const CsHistogram *other)
{
  for (guint octave = 0; octave < CS_HISTOGRAM_OCTAVES; octave++)
    {
      if (other->octaves[octave] == NULL)
        continue;
      if (self->octaves[octave] == NULL)
        cs_histogram_grow (self, octave);
      for (guint sub = 0; sub < CS_HISTOGRAM_SUBS; sub++)
        add_count (self, octave, sub, get_count (other, octave, sub));
    }
}

/**
 * cs_histogram_copy:
 * @self: (out): a histogram
 * @other: another
 *
 * Makes @self the same as @other, with counts of its own.
 */
void
cs_histogram_copy (CsHistogram *self, const CsHistogram *other)
{
  *self = (CsHistogram){ 0 };
  cs_histogram_merge (self, other);
}

/**
 * cs_histogram_count:
 * @self: a histogram
 * @from: ns: the shortest duration
 * @to: ns: the one above the longest
 *
 * Counts durations in a range whose ends are ends of buckets, as 0 and powers of two are. The
 * largest number as an end is included.
 *
 * Returns: how many there are
 */
guint64
cs_histogram_count (const CsHistogram *self, guint64 from, guint64 to)
{
  guint64 n = 0;

  for (guint octave = 0; octave < CS_HISTOGRAM_OCTAVES; octave++)
    for (guint sub = 0; self->octaves[octave] != NULL && sub < CS_HISTOGRAM_SUBS; sub++)
      {
        guint64 start = octave == 0 ? sub : (guint64) (CS_HISTOGRAM_SUBS + sub) << (octave - 1);

        if (start >= from && (start < to || to == G_MAXUINT64))
          n += get_count (self, octave, sub);
      }
  return n;
}

/**
 * cs_histogram_get_bucket:
 * @self: a histogram
 * @i: which bucket, less than CS_HISTOGRAM_BUCKETS; they ascend without a gap
 * @first: (out): ns: the shortest duration that it counts
 * @last: (out): ns: the longest one
 *
 * Returns: how many durations it has
 */
guint64
cs_histogram_get_bucket (const CsHistogram *self, guint i, guint64 *first, guint64 *last)
{
  guint octave = i / CS_HISTOGRAM_SUBS, sub = i % CS_HISTOGRAM_SUBS;

  *first = octave == 0 ? sub : (guint64) (CS_HISTOGRAM_SUBS + sub) << (octave - 1);
  *last = octave == 0 ? sub : *first + ((G_GUINT64_CONSTANT (1) << (octave - 1)) - 1);
  return self->octaves[octave] != NULL ? get_count (self, octave, sub) : 0;
}

/* The middle of a bucket, ns: at most 1/64 from whatever was counted in it. */
static guint64
bucket_middle (guint octave, guint sub)
{
  if (octave == 0)
    return sub;
  return ((guint64) (CS_HISTOGRAM_SUBS + sub) << (octave - 1)) +
         (((G_GUINT64_CONSTANT (1) << (octave - 1)) - 1) >> 1);
}

/**
 * cs_histogram_percentile:
 * @self: a histogram
 * @n: how many durations it holds
 * @per_mille: which percentile, in thousandths: 500 is the median
 * @min: the shortest duration, ns
 * @max: the longest duration, ns
 *
 * The duration that @per_mille of all don't exceed (nearest rank), to 1.6 %, within
 * [@min, @max].
 *
 * Returns: ns, 0 when there are none
 */
guint64
cs_histogram_percentile (const CsHistogram *self, guint64 n, guint per_mille, guint64 min, guint64 max)
{
  guint64 rank = (guint64) (((unsigned __int128) n * per_mille + 999) / 1000);
  guint64 seen = 0;

  if (n == 0)
    return 0;
  rank = MAX (rank, 1);
  for (guint octave = 0; octave < CS_HISTOGRAM_OCTAVES; octave++)
    {
      if (self->octaves[octave] == NULL)
        continue;
      for (guint sub = 0; sub < CS_HISTOGRAM_SUBS; sub++)
        {
          seen += get_count (self, octave, sub);
          if (seen >= rank)
            return CLAMP (bucket_middle (octave, sub), min, max);
        }
    }
  return max;
}
