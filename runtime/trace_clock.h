/* SPDX-License-Identifier: MIT */
/*
 * trace_clock.h - the time of an event.
 *
 * The counter is read raw and becomes nanoseconds offline: a pair of counter
 * and CLOCK_MONOTONIC at the start and another at the end give the rate over
 * the whole run.  The rate in the file header is a coarse one, for a process
 * that never wrote its second pair.
 */
#ifndef CALLSIGHT_TRACE_CLOCK_H
#define CALLSIGHT_TRACE_CLOCK_H

#include "trace_base.h"
#include "trace_config.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define TRACE_HAVE_TICKS 1
#elif defined(__aarch64__)
#define TRACE_HAVE_TICKS 1
#else
#define TRACE_HAVE_TICKS 0
#endif

/* What the hooks test first.  0 is off: one load, one branch.  In TRACE_UNSET, _WAKING and
 * _RESTING they go the slow path; see trace_control.h. */
enum trace_state {
    TRACE_OFF = 0,
    TRACE_TICKS = 1,    /* recording, timestamps are the raw counter */
    TRACE_NS = 2,       /* recording, timestamps come from clock_gettime() */
    TRACE_UNSET = 3,    /* the environment has not been read yet */
    TRACE_TOTALS = 4,   /* recording, by function; the clock says what timestamps are */
    TRACE_WAKING = 5,   /* off, and switched on: the first hook makes it so */
    TRACE_RESTING = 6,  /* off, in a child that does not watch the control file yet */
    TRACE_PACKED = 7,   /* recording, packed, timestamps are the raw counter */
    TRACE_PACKED_NS = 8 /* the same, timestamps come from clock_gettime() */
};

struct trace_anchor {
    uint64_t ticks; /* what the hooks store; ns where there is no counter */
    uint64_t ns;    /* CLOCK_MONOTONIC at that moment */
};

struct trace_clock {
    enum trace_state state; /* TRACE_TICKS or TRACE_NS */
    clockid_t id;           /* for TRACE_NS */
    uint64_t tick_hz;       /* coarse; 0: timestamps are ns */
};

/* The raw counter.  Not ordered against the instructions around it: ordering
 * costs as much again, and within a thread it never runs backwards. */
TRACE_INLINE uint64_t trace_ticks(void)
{
#if defined(__x86_64__) || defined(__i386__)
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
    uint64_t value;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#else
    return 0;
#endif
}

TRACE_FN uint64_t trace_clock_now(const struct trace_clock *clock)
{
    return clock->state == TRACE_TICKS ? trace_ticks() : trace_clock_ns(clock->id);
}

/* Whether the counter keeps one rate whatever the processor's frequency. */
TRACE_FN bool trace_clock_invariant(void)
{
#if defined(__x86_64__) || defined(__i386__)
    /* The macros, not the header's functions, which a project's flags could hook. */
    unsigned a, b, c, d;
    __cpuid(0x80000000u, a, b, c, d);
    if (a < 0x80000007u)
        return false;
    __cpuid(0x80000007u, a, b, c, d);
    (void)a, (void)b, (void)c;
    return d & 1u << 8;
#elif defined(__aarch64__)
    return true; /* the architecture's generic timer */
#else
    return false;
#endif
}

/* Chooses the clock and says so where it is not the one asked for. */
TRACE_FN void trace_clock_choose(struct trace_clock *clock, enum trace_clock_choice choice)
{
    clock->state = TRACE_NS;
    clock->id = CLOCK_MONOTONIC;
    clock->tick_hz = 0;
    if (choice == TRACE_CLOCK_RAW) {
        clock->id = CLOCK_MONOTONIC_RAW;
    } else if (choice != TRACE_CLOCK_MONO) {
        if (trace_clock_invariant())
            clock->state = TRACE_TICKS;
        else if (TRACE_HAVE_TICKS || choice == TRACE_CLOCK_TSC)
            trace_note("this processor has no invariant cycle counter; "
                       "using CLOCK_MONOTONIC");
    }
}

/* A pair of both clocks, taken as close together as this machine can: the
 * tightest of several tries, the counter's value in its middle. */
TRACE_FN struct trace_anchor trace_clock_anchor(const struct trace_clock *clock)
{
    struct trace_anchor best = {0, 0};
    uint64_t tightest = UINT64_MAX;
    if (clock->state == TRACE_NS && clock->id == CLOCK_MONOTONIC) {
        best.ticks = best.ns = trace_clock_ns(CLOCK_MONOTONIC);
        return best;
    }
    for (int i = 0; i < 16; i++) {
        uint64_t before = trace_clock_now(clock);
        uint64_t ns = trace_clock_ns(CLOCK_MONOTONIC);
        uint64_t after = trace_clock_now(clock);
        if (after - before < tightest) {
            tightest = after - before;
            best.ticks = before + (after - before) / 2;
            best.ns = ns;
        }
    }
    return best;
}

/* The coarse rate since `start`, Hz.  Waits until two milliseconds have passed
 * since then: an error of 100 ns in both pairs is one in 20,000. */
TRACE_FN uint64_t trace_clock_rate(const struct trace_clock *clock, struct trace_anchor start)
{
    if (clock->state != TRACE_TICKS)
        return 0;
#if defined(__aarch64__)
    uint64_t hz;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    if (hz)
        return hz;
#endif
    while (trace_clock_ns(CLOCK_MONOTONIC) - start.ns < 2000000u)
        continue;
    struct trace_anchor now = trace_clock_anchor(clock);
    double ns = (double)(now.ns - start.ns);
    return (uint64_t)((double)(now.ticks - start.ticks) * 1e9 / ns + 0.5);
}

#endif
