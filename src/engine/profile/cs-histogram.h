/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Durations in ns, 32 sub-buckets an octave: values below 64 are exact, above that a bucket
 * is at most 1/32 of its value wide. Octaves are allocated when they are first hit. */
#define CS_HISTOGRAM_SUB_BITS 5
#define CS_HISTOGRAM_SUBS (1u << CS_HISTOGRAM_SUB_BITS)
#define CS_HISTOGRAM_OCTAVES (64 - CS_HISTOGRAM_SUB_BITS + 1)

typedef struct
{
  guint64 *octaves[CS_HISTOGRAM_OCTAVES];
} CsHistogram;

void cs_histogram_clear (CsHistogram *self);
void cs_histogram_copy (CsHistogram *self, const CsHistogram *other);
void cs_histogram_merge (CsHistogram *self, const CsHistogram *other);
guint64 cs_histogram_count (const CsHistogram *self, guint64 from, guint64 to);
guint64 *cs_histogram_grow (CsHistogram *self, guint octave);
guint64 cs_histogram_percentile (const CsHistogram *self, guint64 n, guint per_mille, guint64 min,
                                 guint64 max);

/**
 * cs_histogram_bucket:
 * @self: a histogram
 * @ns: a duration
 *
 * Returns: (transfer none): the count of durations like this one
 */
static inline guint64 *
cs_histogram_bucket (CsHistogram *self, guint64 ns)
{
  guint octave = 0;
  guint sub = (guint) ns;
  guint64 *counts;

  if (ns >= CS_HISTOGRAM_SUBS)
    {
      guint msb = 63 - (guint) __builtin_clzll (ns);

      octave = msb - CS_HISTOGRAM_SUB_BITS + 1;
      sub = (ns >> (msb - CS_HISTOGRAM_SUB_BITS)) & (CS_HISTOGRAM_SUBS - 1);
    }
  counts = self->octaves[octave];
  if (G_UNLIKELY (counts == NULL))
    counts = cs_histogram_grow (self, octave);
  return &counts[sub];
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
  (*cs_histogram_bucket (self, ns))++;
}

G_END_DECLS
