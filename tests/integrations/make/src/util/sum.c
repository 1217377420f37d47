#include "frame.h"

unsigned
sum_step (unsigned sum, unsigned value)
{
  return sum * 31 + value;
}

unsigned
sum_all (const unsigned *values, unsigned n)
{
  unsigned sum = 0;

  for (unsigned i = 0; i < n; i++)
    sum = sum_step (sum, values[i]);
  return sum;
}
