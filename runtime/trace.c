/* SPDX-License-Identifier: MIT */
/*
 * trace.c - the hook runtime: records every call of the functions that were
 * compiled with -finstrument-functions.
 *
 * Add it to a program with one line, `cc -std=c11 -O2 -c trace.c`, and link the
 * object (with -pthread where libc needs it).  It needs libc and POSIX threads,
 * nothing else.  Without TRACE_ENABLE=1 in the environment a hook is one branch, and
 * so it is while recording is switched off (trace_control.h).
 *
 * How a hook works.  Every thread has a buffer.  A hook takes the next place,
 * reads the clock, stores 32 bytes and moves on; when the place is the limit it
 * goes the slow path, which starts the process or the thread, flushes, or learns
 * that this thread records nothing.  There is no lock, allocation or system call
 * outside the slow path.
 *
 * Signals.  A handler's hook may interrupt a hook.  `inside` tells it so; it then
 * leaves its event in the side buffer and sets the limit so that the next hook
 * moves it to its place.  The slow path itself runs with signals blocked.  What
 * even the side buffer can't hold, and hooks of functions that the slow path
 * calls (a program may define its own write()), are counted: marker 261.
 *
 * Disk.  A capture ends, or discards its oldest segments, at TRACE_MAX_MB, and ends
 * before the file system is full (trace_space.h).  Each ending leaves its marker.
 *
 * Packed.  With TRACE_FORMAT=packed a hook stores 16-bit words in place of 32 bytes
 * (trace_pack.h), and what is said of buffers holds.
 *
 * Summary.  With TRACE_MODE=summary a hook adds to totals by function in its place
 * (trace_summary.h), which are written at the end.
 *
 * Libraries.  What is loaded is looked at when a buffer is full and on both sides of a
 * dlclose (trace_dlclose.h), so that each address has the name of what was there.
 *
 * Ring.  With TRACE_SHM a buffer goes to a ring in shared memory instead of to a file
 * (trace_shm.h), from where a client on the same machine takes it elsewhere.
 *
 * Kills.  The buffers are files (trace_tail.h, trace_table.h): a process that ends without
 * exit() (_exit, a fatal signal) or is replaced by exec leaves what it had not written yet
 * there.  TRACE_TAIL=0, and file systems on which that is not safe, make them plain
 * memory, which is then lost.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
/* Fortified wrappers are inline functions that a project's flags could hook. */
#undef _FORTIFY_SOURCE
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif

#include "trace_control.h"
#include "trace_dlclose.h"
#include "trace_flow.h"
#include "trace_hook.h"
#include "trace_life.h"
#include "trace_run.h"

/* --- the hooks -------------------------------------------------------------- */

/* The hooks' way where time comes from clock_gettime(), the process has not begun, or
 * recording is about to be switched on. */
static TRACE_COLD void trace_other(uintptr_t func, uintptr_t caller, uintptr_t sp, unsigned kind,
                                   enum trace_state state)
{
    if (state == TRACE_NS)
        trace_record(func, caller, sp, kind, TRACE_NS);
    else if (state == TRACE_PACKED_NS)
        trace_record_packed(func, caller, sp, kind, TRACE_PACKED_NS);
    else if (tls.hot && tls.hot->inside)
        trace_nested(tls.hot, func, caller, sp, kind);
    else
        trace_slow(func, caller, sp, kind);
}

TRACE_INLINE void trace_hook(uintptr_t func, uintptr_t caller, uintptr_t sp, unsigned kind)
{
    enum trace_state state = __atomic_load_n(&run.state, __ATOMIC_RELAXED);
    if (TRACE_LIKELY(state == TRACE_OFF))
        return;
    if (TRACE_LIKELY(state == TRACE_TICKS))
        trace_record(func, caller, sp, kind, TRACE_TICKS);
    else if (TRACE_LIKELY(state == TRACE_PACKED && kind == TRACE_KIND_ENTER))
        trace_packed_enter(func, caller, sp);
    else if (TRACE_LIKELY(state == TRACE_PACKED))
        trace_packed_exit(func, caller, sp);
    else if (state != TRACE_TOTALS)
        trace_other(func, caller, sp, kind, state);
    else if (kind == TRACE_KIND_ENTER)
        trace_sum_enter(func, caller, sp);
    else
        trace_sum_exit(func, caller, sp);
}

/* The names that -finstrument-functions calls.  Default visibility: under a
 * project's -fvisibility=hidden its libraries would silently bind to the empty
 * hooks of libc. */
__attribute__((no_instrument_function, visibility("default"))) void
__cyg_profile_func_enter(void *func, void *caller);
__attribute__((no_instrument_function, visibility("default"))) void
__cyg_profile_func_exit(void *func, void *caller);

#if defined __clang__ && defined __x86_64__ && defined __LP64__
/* clang sets up a frame pointer for whoever asks for the stack pointer: so it is passed on. */
static __attribute__((used)) TRACE_NO_HOOK void trace_enter(uintptr_t func, uintptr_t caller,
                                                            uintptr_t sp)
{
    trace_hook(func, caller, sp, TRACE_KIND_ENTER);
}

__attribute__((naked)) void __cyg_profile_func_enter(void *func, void *caller)
{
    __asm__("leaq 8(%%rsp), %%rdx\n\tjmp %P0" : : "i"(trace_enter));
}
#else
void __cyg_profile_func_enter(void *func, void *caller)
{
    trace_hook((uintptr_t)func, (uintptr_t)caller, TRACE_STACK_POINTER(), TRACE_KIND_ENTER);
}
#endif

void __cyg_profile_func_exit(void *func, void *caller)
{
    trace_hook((uintptr_t)func, (uintptr_t)caller, 0, TRACE_KIND_EXIT);
}

/* A hook that interrupted another one of the same thread. */
static TRACE_COLD void trace_nested(struct trace_hot *hot, uintptr_t func, uintptr_t caller,
                                    uintptr_t sp, unsigned kind)
{
    uintptr_t inside, low, high;
    if (trace_is_held(hot, &inside) || tls.busy) {
        trace_skip();
        return;
    }
    if ((uintptr_t)__builtin_frame_address(0) + TRACE_SIGNAL_FRAME > inside) {
        /* No room for a signal frame between the hook that is under way and this
         * one: a handler jumped out of that, unless this is a signal's own stack.
         * (None is under way if it was another stack's, which has been run since.) */
        if (!inside || !trace_on_signal_stack(&low, &high)) {
            if (inside)
                trace_leave_hook(hot);
            trace_hook(func, caller, sp, kind);
            return;
        }
    }
    struct trace_thread *thread = tls.self;
    if (!thread)
        return; /* a handler forked: the child has no buffer yet */
    trace_put_aside(thread, func, caller, sp, kind);
}

/* The end of a packed hook whose event is none of those that the fast path writes.  A handler
 * may fork here, and the child goes on with the block of its parent's thread, of which then
 * nothing is written: nothing is read that is wiped there, or is another thread's. */
static TRACE_COLD void trace_packed_more(struct trace_hot *hot, uintptr_t func, uintptr_t caller,
                                         uintptr_t sp, unsigned kind, struct trace_taken taken)
{
    struct trace_pack *pack = taken.pack;
    struct trace_thread *thread = (struct trace_thread *)(void *)pack; /* its first member */
    struct trace_opens *opens = thread->running;
    /* With signals blocked where more than the pack would stay half done. */
    bool grows = kind == TRACE_KIND_ENTER && taken.open + 1 >= opens->end;
    struct trace_quiet quiet;
    if (grows)
        trace_quiet_begin(&quiet);
    opens->next = taken.open;
    char *next = kind == TRACE_KIND_ENTER
                     ? trace_pack_enter(pack, opens, taken.next, taken.now, func, caller, sp)
                     : trace_pack_exit(pack, opens, taken.next, taken.now, func, caller);
    trace_thread_run(thread, opens);
    if (grows)
        trace_quiet_end(&quiet);
    if (!next) {
        trace_slow(func, caller, sp, kind);
        return;
    }
    trace_set_next(hot, taken.used, next);
    char *limit = __atomic_load_n(&hot->limit, __ATOMIC_RELAXED);
    char *full = (char *)pack->definitions - TRACE_PACK_SPARE;
    if (limit > full) /* a definition took of the room; or others took the limit away */
        __atomic_compare_exchange_n(&hot->limit, &limit, full, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
    trace_inside_end(hot);
}

/* The room for open calls is full.  With signals blocked: what a handler would jump out of
 * here must not stay half done.  (Where a handler forked, the thread is another one, or none.) */
static TRACE_COLD void trace_open_more(struct trace_hot *hot, struct trace_open *open,
                                       uintptr_t func, uintptr_t sp)
{
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    struct trace_thread *thread = tls.self;
    if (thread && thread->hot == hot) {
        struct trace_opens *opens = thread->running;
        opens->next = open;
        trace_opens_enter(opens, func, 0, sp);
        trace_thread_run(thread, opens);
    }
    trace_quiet_end(&quiet);
    trace_inside_end(hot);
}

/* An exit that isn't that of the innermost open call. */
static TRACE_COLD void trace_open_miss(struct trace_hot *hot, struct trace_open *open,
                                       uintptr_t func)
{
    struct trace_thread *thread = tls.self;
    if (thread && thread->hot == hot) {
        struct trace_opens *opens = thread->running;
        opens->next = open;
        trace_opens_exit(opens, func);
        hot->open = opens->next;
    }
    trace_inside_end(hot);
}

/* A thread that TRACE_THREADS does not want: is it time to look at its name? */
TRACE_FN bool trace_filtered_due(struct trace_thread *thread)
{
    return --thread->countdown == 0;
}

/* In summary mode: what handlers left, the loaded objects if a function is new, the call. */
TRACE_FN void trace_slow_sum(struct trace_thread *thread, uintptr_t func, uintptr_t sp,
                             unsigned kind)
{
    uint64_t now = trace_clock_now(&run.clock);
    trace_table_look(thread);
    trace_drain_side(thread, now);
    trace_table_look(thread);
    trace_after_vfork(thread, now);
    trace_summary_take(thread->summary, func, sp, kind, now);
    if (!thread->vfork_sp)
        __atomic_store_n(&thread->hot->limit, thread->summary->fresh ? NULL : thread->start + 1,
                         __ATOMIC_RELAXED);
}

TRACE_FN void trace_slow_record(struct trace_thread *thread, uintptr_t func, uintptr_t caller,
                                uintptr_t sp, unsigned kind)
{
    if (tls.held) { /* it began before the hook there was interrupted; see trace_hold() */
        thread->countdown = TRACE_NAME_INTERVAL;
        if (thread->mode == TRACE_RECORDING)
            trace_skip();
        return;
    }
    if (thread->summary) {
        if (thread->mode == TRACE_RECORDING)
            trace_slow_sum(thread, func, sp, kind);
        return;
    }
    uint64_t now = trace_clock_now(&run.clock);
    if (thread->mode == TRACE_FILTERED) {
        thread->countdown = TRACE_NAME_INTERVAL;
        trace_drain_side(thread, now); /* drops it */
        if (!trace_look_at_name(thread))
            return;
        thread->mode = TRACE_RECORDING;
        trace_tail_begin(thread);
        thread->hot->skipped = tls.skipped = 0;
        trace_put_ring_head(thread, now);
        if (thread->begun)
            trace_put_marker(thread, now, TRACE_MARK_ON, 0);
        trace_resume(thread, now);
    }
    trace_drain_side(thread, now);
    trace_after_vfork(thread, now);
    if (trace_thread_is_full(thread)) {
        /* A flush is in the time of neither the function that is entered behind it
         * nor the one that was left before it. */
        trace_make_room(thread);
        if (kind == TRACE_KIND_ENTER)
            now = trace_clock_now(&run.clock);
    }
    if (thread->hot->pack && kind == TRACE_KIND_ENTER &&
        !trace_pack_id(thread->hot->pack, thread->hot->next, func, caller)) {
        trace_flush(thread); /* as above */
        now = trace_clock_now(&run.clock);
    }
    struct trace_event event;
    trace_event_put(&event, now, func, caller, thread->hot->tid_word | trace_kind_word(kind));
    trace_append(thread, &event, sp);
    trace_set_limit(thread);
}

static TRACE_COLD void trace_slow(uintptr_t func, uintptr_t caller, uintptr_t sp, unsigned kind)
{
    struct trace_thread *thread = tls.self;
    if (tls.busy) {
        trace_skip();
        return;
    }
    /* Without the lock: the thread that ends the process may just now stop this one. */
    enum trace_mode mode =
        thread ? __atomic_load_n(&thread->mode, __ATOMIC_RELAXED) : TRACE_RECORDING;
    if (mode != TRACE_RECORDING && *run.alive) {
        if (mode == TRACE_STOPPED || !trace_filtered_due(thread)) {
            trace_inside_end(thread->hot);
            return;
        }
    }
    /* A handler that comes before its signal is blocked is not refused: its hooks go
     * to the side buffer, or begin the thread.  Only a pthread_sigmask() of the
     * program's own that is hooked comes back here again and again. */
    if (++tls.entering > 8) {
        trace_skip();
        return;
    }
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    tls.entering = 0;
    tls.busy = true;
    if (trace_state_get() == TRACE_UNSET)
        trace_start();
    if (trace_state_get() == TRACE_RESTING)
        trace_control_rest();
    if (trace_state_get() != TRACE_OFF && !*run.alive)
        trace_child_begin();
    if (trace_state_get() == TRACE_WAKING)
        trace_control_wake();
    if (trace_state_is_on()) {
        thread = tls.self ? tls.self : trace_thread_begin();
        if (thread) {
            pthread_mutex_lock(&thread->lock);
            if (!trace_is_finished() && trace_state_is_on())
                trace_slow_record(thread, func, caller, sp, kind);
            pthread_mutex_unlock(&thread->lock);
        }
        trace_table_tell_all();
    }
    if (tls.hot && tls.held)
        tls.hot->inside = tls.held_inside;
    else if (tls.hot)
        trace_inside_end(tls.hot);
    tls.busy = false;
    trace_quiet_end(&quiet);
}

/* --- the process's first and last moment ------------------------------------- */

/* Whether the hooks that the program calls are this copy's.  Those of a preloaded library
 * are not where the executable brings its own: the library then does nothing.  (An address
 * is that of a descriptor on 64-bit big-endian PowerPC, and says nothing.) */
#if defined __PIC__ && !defined __PIE__ && !(defined __powerpc64__ && defined __BIG_ENDIAN__)
static TRACE_NO_HOOK void trace_own_enter(void *func, void *caller)
    __attribute__((alias("__cyg_profile_func_enter")));

TRACE_FN bool trace_is_bound(void)
{
    return (uintptr_t)&__cyg_profile_func_enter == (uintptr_t)&trace_own_enter;
}
#else
TRACE_FN bool trace_is_bound(void)
{
    return true;
}
#endif

__attribute__((constructor(101))) static TRACE_NO_HOOK void trace_begin(void)
{
#ifdef TRACE_HAVE_LANDINGS
    trace_next_all();
#endif
    if (trace_state_get() != TRACE_UNSET || tls.busy || !trace_is_bound())
        return;
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    tls.busy = true;
    trace_start();
    tls.busy = false;
    trace_quiet_end(&quiet);
}

/* Runs after the destructors of the executable's own code.  Those of its libraries
 * come later still; a handler that glibc's exit() is given now runs behind them. */
__attribute__((destructor(101))) static TRACE_NO_HOOK void trace_end(void)
{
#ifdef __GLIBC__
    if (!trace_is_over() && atexit(trace_finish) == 0)
        return;
#endif
    trace_finish();
}
