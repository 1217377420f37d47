/* SPDX-License-Identifier: MIT */
/* Threads that come and go and call something for half a second. */
#include <pthread.h>
#include <stdint.h>
#include <time.h>

static volatile unsigned sink;

__attribute__ ((noinline)) static void
leaf (unsigned n)
{
  sink += n;
}

__attribute__ ((noinline)) static void
branch (unsigned n)
{
  leaf (n);
  if (n > 0)
    branch (n - 1);
}

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static void *
work (void *data)
{
  double end = now () + 0.2;

  while (now () < end)
    {
      struct timespec pause = { 0, 100000 };

      branch ((unsigned) (uintptr_t) data);
      nanosleep (&pause, NULL);
    }
  return NULL;
}

int
main (void)
{
  for (uintptr_t round = 0; round < 5; round++)
    {
      pthread_t threads[3];

      for (uintptr_t i = 0; i < 3; i++)
        pthread_create (&threads[i], NULL, work, (void *) (10 * (round + i)));
      for (uintptr_t i = 0; i < 3; i++)
        pthread_join (threads[i], NULL);
    }
  return 0;
}
