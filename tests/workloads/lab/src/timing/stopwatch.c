/* SPDX-License-Identifier: MIT */
#include "timer.h"

void stopwatch_start(struct stopwatch *s)
{
    s->start = timer_now_ns();
    s->laps = 0;
}

/* The time since the start or the last lap. */
uint64_t stopwatch_lap_ns(struct stopwatch *s)
{
    uint64_t now = timer_now_ns(), lap = now - s->start;

    s->start = now;
    s->laps++;
    return lap;
}
