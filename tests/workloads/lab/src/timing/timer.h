/* SPDX-License-Identifier: MIT */
#ifndef LAB_TIMER_H
#define LAB_TIMER_H

#include <stdint.h>

struct task;

uint64_t timer_now_ns(void);
void timer_sleep_us(unsigned us);

struct stopwatch {
    uint64_t start;
    unsigned laps;
};

void stopwatch_start(struct stopwatch *s);
uint64_t stopwatch_lap_ns(struct stopwatch *s);

uint64_t ticker_round(struct task *task, uint64_t seed);

#endif
