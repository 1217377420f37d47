/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "shared.h"

volatile unsigned sink;

/* left.c and right.c have twins of this name. */
static __attribute__ ((noinline)) unsigned
twin (unsigned x)
{
  sink += x;
  return always (x + 1);
}

static int
compare (const void *a, const void *b)
{
  const unsigned *one = a, *two = b;
  return *one < *two ? -1 : *one > *two;
}

/* Its failing branch goes to a part of its own (.cold) at -O2. */
__attribute__ ((noinline)) unsigned
guarded (unsigned x)
{
  if (__builtin_expect (x > 1000000, 0))
    {
      fprintf (stderr, "far too much: %u\n", mix (x, sink));
      fail ("guarded");
    }
  return mix_twice (x);
}

static unsigned
fibonacci (unsigned n)
{
  return n < 2 ? n : fibonacci (n - 1) + fibonacci (n - 2);
}

/* Called with one constant only: gcc may make a clone of it. */
static __attribute__ ((noinline)) unsigned
with_constant (unsigned x, unsigned step)
{
  unsigned sum = 0;
  for (unsigned i = 0; i < x; i += step)
    sum += guarded (i);
  return sum;
}

int
main (int argc, char *argv[])
{
  unsigned numbers[] = { 5, 3, 9, 1 };

  qsort (numbers, 4, sizeof numbers[0], compare);
  sink = (unsigned) argc + numbers[0];
  sink += twin (sink) + left (3) + right (3) + fibonacci (6) + with_constant (9, 3);
  printf ("%u %s\n", sink, argv[0]);
  return 0;
}
