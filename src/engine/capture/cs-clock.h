/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How the timestamps of one process become nanoseconds of CLOCK_MONOTONIC: a rate in ns per
 * tick, whole + part / den, counted from an anchor. Set up with cs_clock_init_*(). */
typedef struct
{
  guint64 t0_ticks;
  guint64 t0_ns;
  guint64 whole;
  guint64 part; /* below den */
  guint64 den;  /* below 2^63 */
  guint64 mult; /* floor (part · 2^64 / den) */
} CsClock;

void cs_clock_init_ns (CsClock *self);
guint64 cs_clock_from_ns (const CsClock *self, guint64 ns);
gint64 cs_clock_to_ns_exactly (const CsClock *self, guint64 ts);
gboolean cs_clock_init_ticks (CsClock *self, guint64 t0_ticks, guint64 t0_ns, guint64 ns, guint64 ticks);

/* floor (ticks · (whole + part / den)), exactly: the estimate of the fraction from the
 * reciprocal is right or one too small, and the remainder tells which. */
static inline guint64
cs_clock_scale (const CsClock *self, guint64 ticks, gboolean *exact)
{
  guint64 fraction = (guint64) (((unsigned __int128) ticks * self->mult) >> 64);
  guint64 rest = ticks * self->part - fraction * self->den;
  gboolean more = rest >= self->den;

  *exact = rest == (more ? self->den : 0);
  return ticks * self->whole + fraction + (more ? 1 : 0);
}

/**
 * cs_clock_to_ns:
 * @self: a clock
 * @ts: a timestamp as recorded, in ticks or ns
 *
 * Returns: the time in ns of CLOCK_MONOTONIC, floored once
 */
static inline gint64
cs_clock_to_ns (const CsClock *self, guint64 ts)
{
  guint64 ticks = ts - self->t0_ticks;
  unsigned __int128 product = (unsigned __int128) ticks * self->mult;

  /* The product is less than `ticks' too small: its upper half is right unless that can carry.
   * Unsigned, so that the time stamps of a damaged file wrap around and do nothing worse. */
  if (G_LIKELY (ts >= self->t0_ticks && (guint64) product <= G_MAXUINT64 - ticks))
    return (gint64) (self->t0_ns + ticks * self->whole + (guint64) (product >> 64));
  return cs_clock_to_ns_exactly (self, ts);
}

G_END_DECLS
