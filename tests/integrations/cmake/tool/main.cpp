#include <cstdio>

#include "wave.h"

int
main ()
{
  int sum = 0;

  for (int phase = 0; phase < 16; phase++)
    sum = wave_mix (sum, filter_run (wave_sample (phase)) + 3);
  std::printf ("%d\n", sum);
  return 0;
}
