/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "shared.h"

static __attribute__ ((noinline)) unsigned
twin (unsigned x)
{
  return always (x) + mix (x, 3);
}

unsigned
left (unsigned depth)
{
  if (depth == 0)
    return twin (1);
  return right (depth - 1) + twin (depth);
}
