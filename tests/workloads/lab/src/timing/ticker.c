/* SPDX-License-Identifier: MIT */
#include "timer.h"

#include "core/check.h"
#include "log/log.h"
#include "util/bits.h"

#define TICKS 16

uint64_t ticker_round(struct task *task, uint64_t seed)
{
    struct stopwatch watch;

    stopwatch_start(&watch);
    for (unsigned tick = 0; tick < TICKS; tick++) {
        unsigned us = 1000 + (unsigned)(seed >> tick) % 8 * 1000;
        timer_sleep_us(us);
        check(task, stopwatch_lap_ns(&watch) >= us * UINT64_C(1000), "a sleep is long enough");
        log_post(task->lab->log, LOG_DEBUG, "tick %u after %u us", tick, us);
    }
    return digest(seed, watch.laps);
}
