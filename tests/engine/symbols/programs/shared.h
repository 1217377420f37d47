/* SPDX-License-Identifier: MIT */
#pragma once

extern volatile unsigned sink;

/* Inlined at -O2 at each of its calls, a function of each object at -O0. */
static inline unsigned
mix (unsigned a, unsigned b)
{
  for (unsigned i = 0; i < (b & 3); i++)
    a = (a << 5 | a >> 27) ^ sink;
  return a + b;
}

static inline unsigned
mix_twice (unsigned a)
{
  unsigned half = mix (a, 7);
  sink = half;
  return mix (half, a);
}

static inline __attribute__ ((always_inline)) unsigned
always (unsigned a)
{
  if (a & 1)
    sink += mix_twice (a);
  return sink ^ a;
}

unsigned left (unsigned depth);
unsigned right (unsigned depth);
void fail (const char *why) __attribute__ ((noreturn, cold));
