/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How the timestamps of one process become nanoseconds of CLOCK_MONOTONIC: the rate
 * num / den in ns per tick, counted from an anchor.  Set up with cs_clock_init_*(). */
typedef struct
{
  gboolean ticks; /* FALSE: timestamps are ns already */
  guint shift;
  guint64 t0_ticks;
  gint64 t0_ns;
  guint64 num;
  guint64 den;
  guint64 mult; /* floor (num · 2^shift / den) */
} CsClock;

void cs_clock_init_ns (CsClock *self);
gboolean cs_clock_init_ticks (CsClock *self, guint64 t0_ticks, guint64 t0_ns, guint64 ns, guint64 ticks);

/* floor (ticks · num / den), exactly: an estimate from the reciprocal that is never too
 * large and, up to 2^shift ticks, at most two too small; the remainder corrects it. */
static inline guint64
cs_clock_scale (const CsClock *self, guint64 ticks, guint64 *remainder)
{
  guint64 estimate = (guint64) (((unsigned __int128) ticks * self->mult) >> self->shift);
  guint64 rest = ticks * self->num - estimate * self->den;

  while (G_UNLIKELY (rest >= self->den))
    {
      estimate++;
      rest -= self->den;
    }
  *remainder = rest;
  return estimate;
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
  guint64 rest;

  if (!self->ticks)
    return (gint64) ts;
  if (G_LIKELY (ts >= self->t0_ticks))
    return self->t0_ns + (gint64) cs_clock_scale (self, ts - self->t0_ticks, &rest);

  guint64 before = cs_clock_scale (self, self->t0_ticks - ts, &rest);
  return self->t0_ns - (gint64) before - (rest != 0);
}

G_END_DECLS
