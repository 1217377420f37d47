/* SPDX-License-Identifier: MIT */
#include "timer.h"

#include <errno.h>
#include <time.h>

uint64_t timer_now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void timer_sleep_us(unsigned us)
{
    struct timespec left = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000L};

    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}
