/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Durations in ns, 32 sub-buckets an octave: values below 64 are exact, above that a bucket
 * is at most 1/32 of its value wide. Octaves are allocated when they are first hit. */
#define CS_HISTOGRAM_SUB_BITS 5
#define CS_HISTOGRAM_SUBS (1u << CS_HISTOGRAM_SUB_BITS)
#define CS_HISTOGRAM_OCTAVES (64 - CS_HISTOGRAM_SUB_BITS + 1)
#define CS_HISTOGRAM_BUCKETS (CS_HISTOGRAM_OCTAVES * CS_HISTOGRAM_SUBS)

/* Counts are small, so that an octave's lie in one cache line; what exceeds them, multiples of 2^16,
 * is counted elsewhere. */
typedef struct
{
  guint16 *octaves[CS_HISTOGRAM_OCTAVES];
  struct _CsHistogramCarries *carries; /* (nullable) */
} CsHistogram;

void cs_histogram_clear (CsHistogram *self);
void cs_histogram_copy (CsHistogram *self, const CsHistogram *other);
void cs_histogram_merge (CsHistogram *self, const CsHistogram *other);
guint64 cs_histogram_count (const CsHistogram *self, guint64 from, guint64 to);
guint64 cs_histogram_get_bucket (const CsHistogram *self, guint i, guint64 *first, guint64 *last);
guint16 *cs_histogram_grow (CsHistogram *self, guint octave);
void cs_histogram_carry (CsHistogram *self, guint octave, guint sub, guint64 n);
void cs_histogram_add_many (CsHistogram *self, guint64 ns, guint64 n);
guint64 cs_histogram_percentile (const CsHistogram *self, guint64 n, guint per_mille, guint64 min,
                                 guint64 max);

/* The bucket of a duration: octave * CS_HISTOGRAM_SUBS + sub. */
static inline void
cs_histogram_locate (guint64 ns, guint *octave, guint *sub)
{
  *octave = 0;
  *sub = (guint) ns;
  if (ns >= CS_HISTOGRAM_SUBS)
    {
      guint msb = 63 - (guint) __builtin_clzll (ns);

      *octave = msb - CS_HISTOGRAM_SUB_BITS + 1;
      *sub = (ns >> (msb - CS_HISTOGRAM_SUB_BITS)) & (CS_HISTOGRAM_SUBS - 1);
    }
}

/* Where durations like `ns' are counted. */
static inline guint16 *
cs_histogram_find (CsHistogram *self, guint64 ns, guint *octave, guint *sub)
{
  guint16 *counts;

  cs_histogram_locate (ns, octave, sub);
  counts = self->octaves[*octave];
  if (G_UNLIKELY (counts == NULL))
    counts = cs_histogram_grow (self, *octave);
  return &counts[*sub];
}

/**
 * cs_histogram_add:
 * @self: a histogram
 * @ns: a duration
 *
 * Counts one duration.
 */
static inline void
cs_histogram_add (CsHistogram *self, guint64 ns)
{
  guint octave, sub;
  guint16 *count = cs_histogram_find (self, ns, &octave, &sub);

  if (G_UNLIKELY (++*count == 0))
    cs_histogram_carry (self, octave, sub, 1);
}

G_END_DECLS
