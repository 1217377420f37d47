#include "wave.h"

static __attribute__ ((noinline)) int
fold (int phase)
{
  return phase % 8;
}

int
wave_sample (int phase)
{
  return table_get (fold (phase));
}

int
wave_mix (int a, int b)
{
  return wave_clip (a + b);
}
