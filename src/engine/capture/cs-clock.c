/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "capture/cs-clock.h"

/**
 * cs_clock_init_ns:
 * @self: (out): a clock
 *
 * Sets up a clock whose timestamps are ns of CLOCK_MONOTONIC as recorded.
 */
void
cs_clock_init_ns (CsClock *self)
{
  *self = (CsClock){ .whole = 1, .den = 1 };
}

/**
 * cs_clock_init_ticks:
 * @self: (out): a clock
 * @t0_ticks: the start anchor, ticks
 * @t0_ns: the start anchor, ns
 * @ns: ns that passed while @ticks passed
 * @ticks: ticks, not 0
 *
 * Sets up a clock that runs at @ns / @ticks ns a tick.
 *
 * Returns: %FALSE when that is no rate of a clock (zero, or outside 1 Hz … 1 THz)
 */
gboolean
cs_clock_init_ticks (CsClock *self, guint64 t0_ticks, guint64 t0_ns, guint64 ns, guint64 ticks)
{
  if (ns == 0 || ticks == 0)
    return FALSE;
  if ((unsigned __int128) ticks * G_USEC_PER_SEC * 1000 < ns || (unsigned __int128) ns * 1000 < ticks)
    return FALSE;

  /* Room above the denominator, so that the remainder in cs_clock_scale() never wraps. */
  while (ticks >> 63)
    {
      ticks >>= 1;
      ns >>= 1;
    }
  self->t0_ticks = t0_ticks;
  self->t0_ns = t0_ns;
  self->whole = ns / ticks;
  self->part = ns % ticks;
  self->den = ticks;
  self->mult = (guint64) (((unsigned __int128) self->part << 64) / ticks);
  return TRUE;
}

/**
 * cs_clock_from_ns:
 * @self: a clock
 * @ns: a time, ns of CLOCK_MONOTONIC
 *
 * Returns: the first timestamp that isn't before that time
 */
guint64
cs_clock_from_ns (const CsClock *self, guint64 ns)
{
  unsigned __int128 rate = (unsigned __int128) self->whole * self->den + self->part;
  unsigned __int128 ticks;

  if (ns < self->t0_ns)
    {
      ticks = (unsigned __int128) (self->t0_ns - ns) * self->den / rate;
      return ticks < self->t0_ticks ? self->t0_ticks - (guint64) ticks : 0;
    }
  ticks = ((unsigned __int128) (ns - self->t0_ns) * self->den + rate - 1) / rate;
  return ticks < G_MAXUINT64 - self->t0_ticks ? self->t0_ticks + (guint64) ticks : G_MAXUINT64;
}

/**
 * cs_clock_to_ns_exactly:
 * @self: a clock
 * @ts: a timestamp as recorded, in ticks or ns
 *
 * What cs_clock_to_ns() does where its estimate may be wrong.
 *
 * Returns: the time in ns of CLOCK_MONOTONIC, floored once
 */
gint64
cs_clock_to_ns_exactly (const CsClock *self, guint64 ts)
{
  gboolean exact;
  guint64 before;

  if (ts >= self->t0_ticks)
    return (gint64) (self->t0_ns + cs_clock_scale (self, ts - self->t0_ticks, &exact));
  before = cs_clock_scale (self, self->t0_ticks - ts, &exact);
  return (gint64) (self->t0_ns - before - (exact ? 0 : 1));
}
