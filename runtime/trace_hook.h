/* SPDX-License-Identifier: MIT */
/*
 * trace_hook.h - the fast path: what every call of a hooked function costs.
 */
#ifndef CALLSIGHT_TRACE_HOOK_H
#define CALLSIGHT_TRACE_HOOK_H

#include "trace_run.h"

static TRACE_COLD void trace_slow(uintptr_t func, uintptr_t caller, uintptr_t sp, unsigned kind);
static TRACE_COLD void trace_nested(struct trace_hot *hot, uintptr_t func, uintptr_t caller,
                                    uintptr_t sp, unsigned kind);
/* Both end the hook: a call that comes last costs the fast path no register. */
static TRACE_COLD void trace_open_more(struct trace_hot *hot, struct trace_open *open,
                                       uintptr_t func, uintptr_t sp);
static TRACE_COLD void trace_open_miss(struct trace_hot *hot, struct trace_open *open,
                                       uintptr_t func);

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

/* A hook in summary mode.  The buffer is empty and stays so; its limit still says when
 * the slow path is due. */
TRACE_INLINE void trace_sum(uintptr_t func, uintptr_t caller, uintptr_t sp, unsigned kind)
{
    struct trace_hot *hot = tls.hot;
    if (TRACE_UNLIKELY(!hot)) {
        trace_slow(func, caller, sp, kind);
        return;
    }
    if (TRACE_UNLIKELY(hot->inside)) {
        trace_nested(hot, func, caller, sp, kind);
        return;
    }
    /* As in trace_record(), before the hook is under way. */
    struct trace_summary *summary = __atomic_load_n(&hot->summary, __ATOMIC_RELAXED);
    trace_inside_begin(hot);
    /* The thread that ends the process takes the limit away; see trace_finish_sum(). */
    if (TRACE_UNLIKELY(hot->next >= __atomic_load_n(&hot->limit, __ATOMIC_RELAXED))) {
        trace_slow(func, caller, sp, kind);
        return;
    }
    uint64_t now = run.clock.state == TRACE_TICKS ? trace_ticks() : trace_clock_ns(run.clock.id);
    trace_summary_take(summary, func, sp, kind, now);
    if (TRACE_UNLIKELY(summary->fresh))
        __atomic_store_n(&hot->limit, NULL, __ATOMIC_RELAXED); /* to look at what is loaded */
    trace_inside_end(hot);
}

#define TRACE_APART static __attribute__((no_instrument_function, noinline))

TRACE_APART void trace_sum_enter(uintptr_t func, uintptr_t caller, uintptr_t sp)
{
    trace_sum(func, caller, sp, TRACE_KIND_ENTER);
}

TRACE_APART void trace_sum_exit(uintptr_t func, uintptr_t caller, uintptr_t sp)
{
    trace_sum(func, caller, sp, TRACE_KIND_EXIT);
}

TRACE_INLINE void trace_record(uintptr_t func, uintptr_t caller, uintptr_t sp, unsigned kind,
                               enum trace_state state)
{
    struct trace_hot *hot = tls.hot;
    if (TRACE_UNLIKELY(!hot)) {
        trace_slow(func, caller, sp, kind);
        return;
    }
    if (TRACE_UNLIKELY(hot->inside)) {
        trace_nested(hot, func, caller, sp, kind);
        return;
    }
    /* Before the hook is under way: a handler's fork may wipe the page afterwards. */
    uintptr_t *used = __atomic_load_n(&hot->used, __ATOMIC_RELAXED);
    struct trace_open *open = __atomic_load_n(&hot->open, __ATOMIC_RELAXED);
    struct trace_open *end = __atomic_load_n(&hot->open_end, __ATOMIC_RELAXED);
    trace_inside_begin(hot);
    struct trace_event *event = (struct trace_event *)(void *)hot->next;
    /* The thread that switches recording on takes the limit away.  A handler that came before
     * the hook was under way may have moved the open calls. */
    if (TRACE_UNLIKELY((char *)event >= __atomic_load_n(&hot->limit, __ATOMIC_RELAXED) ||
                       open != __atomic_load_n(&hot->open, __ATOMIC_RELAXED))) {
        trace_slow(func, caller, sp, kind);
        return;
    }
    uint64_t now = state == TRACE_TICKS ? trace_ticks() : trace_clock_ns(run.clock.id);
    trace_event_put(event, now, func, caller, hot->tid_word | trace_kind_word(kind));
    trace_set_next(hot, used, (char *)(event + 1));
    if (kind == TRACE_KIND_ENTER) {
        if (TRACE_LIKELY(open < end)) {
            open->func = func;
            open->sp = sp;
            hot->open = open + 1;
        } else {
            trace_open_more(hot, open, func, sp);
            return;
        }
    } else if (TRACE_LIKELY(open[-1].func == func)) {
        hot->open = open - 1;
    } else {
        trace_open_miss(hot, open, func);
        return;
    }
    trace_inside_end(hot);
}

/* The same, packed; see trace_pack.h. */

/* What the fast path of a packed hook read before a handler's fork could wipe it. */
struct trace_taken {
    struct trace_pack *pack;
    uintptr_t *used;
    struct trace_open *open;
    char *next;
    uint64_t now;
};

/* The end of a hook whose event needs more than a word or two; see trace.c. */
static TRACE_COLD void trace_packed_more(struct trace_hot *hot, uintptr_t func, uintptr_t caller,
                                         uintptr_t sp, unsigned kind, struct trace_taken taken);

TRACE_INLINE void trace_record_packed(uintptr_t func, uintptr_t caller, uintptr_t sp, unsigned kind,
                                      enum trace_state state)
{
    struct trace_hot *hot = tls.hot;
    if (TRACE_UNLIKELY(!hot)) {
        trace_slow(func, caller, sp, kind);
        return;
    }
    if (TRACE_UNLIKELY(hot->inside)) {
        trace_nested(hot, func, caller, sp, kind);
        return;
    }
    /* As in trace_record(), before the hook is under way. */
    uintptr_t *used = __atomic_load_n(&hot->used, __ATOMIC_RELAXED);
    struct trace_open *open = __atomic_load_n(&hot->open, __ATOMIC_RELAXED);
    struct trace_pack *pack = __atomic_load_n(&hot->pack, __ATOMIC_RELAXED);
    trace_inside_begin(hot);
    char *next = hot->next;
    if (TRACE_UNLIKELY(next >= __atomic_load_n(&hot->limit, __ATOMIC_RELAXED) ||
                       open != __atomic_load_n(&hot->open, __ATOMIC_RELAXED))) {
        trace_slow(func, caller, sp, kind);
        return;
    }
    /* The table is on its way while the clock is read: on some processors nothing behind that
     * begins before it is done. */
    const struct trace_site *place = trace_pack_place(pack, func, caller);
    if (kind == TRACE_KIND_ENTER)
        __builtin_prefetch(place);
    uint64_t now = state == TRACE_PACKED ? trace_ticks() : trace_clock_ns(run.clock.id);
    unsigned id = kind == TRACE_KIND_ENTER ? trace_pack_look(pack, place, func, caller) : 0;
    uint64_t dt = now - pack->last;
    if (kind == TRACE_KIND_ENTER) {
        if (TRACE_UNLIKELY(!id || dt > TRACE_DT_MOST || open >= hot->open_end)) {
            trace_packed_more(hot, func, caller, sp, kind,
                              (struct trace_taken){pack, used, open, next, now});
            return;
        }
        trace_pack_put_enter(next, trace_pack_word(dt, kind), id);
        next += 4;
        /* One by one: in a vector they would take longer to make. */
        *(volatile uintptr_t *)&open->func = func;
        *(volatile uintptr_t *)&open->sp = sp;
        *(volatile uintptr_t *)&open->caller = caller;
        open++;
    } else {
        if (TRACE_UNLIKELY(open[-1].func != func || open[-1].caller != caller ||
                           dt > TRACE_DT_MOST)) {
            trace_packed_more(hot, func, caller, sp, kind,
                              (struct trace_taken){pack, used, open, next, now});
            return;
        }
        trace_pack_put16(next, trace_pack_word(dt, kind));
        next += 2;
        open--;
    }
    pack->last = now;
    pack->events++;
    trace_set_next(hot, used, next);
    hot->open = open;
    trace_inside_end(hot);
}

TRACE_APART void trace_packed_enter(uintptr_t func, uintptr_t caller, uintptr_t sp)
{
    trace_record_packed(func, caller, sp, TRACE_KIND_ENTER, TRACE_PACKED);
}

TRACE_APART void trace_packed_exit(uintptr_t func, uintptr_t caller, uintptr_t sp)
{
    trace_record_packed(func, caller, sp, TRACE_KIND_EXIT, TRACE_PACKED);
}

#endif
