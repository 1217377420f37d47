/* SPDX-License-Identifier: MIT */
/*
 * trace_hook.h - the fast path: what every call of a hooked function costs.
 */
#ifndef CALLSIGHT_TRACE_HOOK_H
#define CALLSIGHT_TRACE_HOOK_H

#include "trace_run.h"

static TRACE_COLD void trace_slow(void *func, void *caller, unsigned kind);
static TRACE_COLD void trace_nested(struct trace_hot *hot, void *func, void *caller, unsigned kind);

/* Marks the hook as under way, by its place on the stack.  The address need not be
 * exact: it only tells a hook that is nested in this one (deeper, by a signal frame at
 * least) from one that runs after a handler jumped out of it (not that much deeper). */
#define TRACE_SIGNAL_FRAME 256 /* bytes; the smallest there is, x86's, has over 700 */

TRACE_INLINE void trace_inside_begin(struct trace_hot *hot)
{
#if defined(__x86_64__) && defined(__LP64__)
    __asm__ volatile("movq %%rsp, %0" : "=m"(hot->inside));
#else
    hot->inside = (uintptr_t)__builtin_frame_address(0);
#endif
    TRACE_SIGNAL_FENCE();
}

TRACE_INLINE void trace_inside_end(struct trace_hot *hot)
{
    TRACE_SIGNAL_FENCE();
    __atomic_store_n(&hot->inside, 0, __ATOMIC_RELEASE);
}

/* A hook in summary mode.  The buffer is empty and stays so; its limit still says when
 * the slow path is due. */
TRACE_INLINE void trace_sum(void *func, void *caller, unsigned kind)
{
    struct trace_hot *hot = tls.hot;
    if (TRACE_UNLIKELY(!hot)) {
        trace_slow(func, caller, kind);
        return;
    }
    if (TRACE_UNLIKELY(hot->inside)) {
        trace_nested(hot, func, caller, kind);
        return;
    }
    /* As in trace_record(), before the hook is under way. */
    struct trace_summary *summary = __atomic_load_n(&hot->summary, __ATOMIC_RELAXED);
    trace_inside_begin(hot);
    /* The thread that ends the process takes the limit away; see trace_finish_sum(). */
    if (TRACE_UNLIKELY(hot->next >= __atomic_load_n(&hot->limit, __ATOMIC_RELAXED))) {
        trace_slow(func, caller, kind);
        return;
    }
    uint64_t now = run.clock.state == TRACE_TICKS ? trace_ticks() : trace_clock_ns(run.clock.id);
    trace_summary_take(summary, (uintptr_t)func, kind, now);
    if (TRACE_UNLIKELY(summary->fresh))
        __atomic_store_n(&hot->limit, NULL, __ATOMIC_RELAXED); /* to look at what is loaded */
    trace_inside_end(hot);
}

#define TRACE_APART static __attribute__((no_instrument_function, noinline))

TRACE_APART void trace_sum_enter(void *func, void *caller)
{
    trace_sum(func, caller, TRACE_KIND_ENTER);
}

TRACE_APART void trace_sum_exit(void *func, void *caller)
{
    trace_sum(func, caller, TRACE_KIND_EXIT);
}

TRACE_INLINE void trace_record(void *func, void *caller, unsigned kind, enum trace_state state)
{
    struct trace_hot *hot = tls.hot;
    if (TRACE_UNLIKELY(!hot)) {
        trace_slow(func, caller, kind);
        return;
    }
    if (TRACE_UNLIKELY(hot->inside)) {
        trace_nested(hot, func, caller, kind);
        return;
    }
    /* Before the hook is under way: a handler's fork may wipe the page afterwards. */
    uintptr_t *used = __atomic_load_n(&hot->used, __ATOMIC_RELAXED);
    trace_inside_begin(hot);
    struct trace_event *event = hot->next;
    /* The thread that switches recording on takes the limit away. */
    if (TRACE_UNLIKELY(event >= __atomic_load_n(&hot->limit, __ATOMIC_RELAXED))) {
        trace_slow(func, caller, kind);
        return;
    }
    uint64_t now = state == TRACE_TICKS ? trace_ticks() : trace_clock_ns(run.clock.id);
    trace_event_put(event, now, (uintptr_t)func, (uintptr_t)caller,
                    hot->tid_word | trace_kind_word(kind));
    trace_set_next(hot, used, event + 1);
    trace_inside_end(hot);
}

#endif
