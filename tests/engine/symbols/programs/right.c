/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "shared.h"

static __attribute__ ((noinline)) unsigned
twin (unsigned x)
{
  return always (x) + mix (x, 5);
}

unsigned
right (unsigned depth)
{
  if (depth == 0)
    return twin (1);
  return left (depth - 1) + twin (depth);
}

void
fail (const char *why)
{
  sink = (unsigned) why[0];
  abort ();
}

/* A second name of one function. */
unsigned also_right (unsigned depth) __attribute__ ((alias ("right")));
