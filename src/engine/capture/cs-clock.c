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
  *self = (CsClock){ .ticks = FALSE, .num = 1, .den = 1 };
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
  guint shift = 0;

  if (ns == 0 || ticks == 0)
    return FALSE;
  if ((unsigned __int128) ticks * 1000000000u < ns || (unsigned __int128) ns * 1000 < ticks)
    return FALSE;

  /* Room above the denominator, so that the remainder in cs_clock_scale() never wraps. */
  while ((ticks | ns) >> 57)
    {
      ticks >>= 1;
      ns >>= 1;
    }

  /* The most fraction bits with which the reciprocal still fits in 64 bits. */
  while (shift < 64 + 6 && ((((unsigned __int128) ns << (shift + 1)) / ticks) >> 64) == 0)
    shift++;

  self->ticks = TRUE;
  self->shift = shift;
  self->t0_ticks = t0_ticks;
  self->t0_ns = (gint64) t0_ns;
  self->num = ns;
  self->den = ticks;
  self->mult = (guint64) (((unsigned __int128) ns << shift) / ticks);
  return TRUE;
}
