/* SPDX-License-Identifier: MIT */
/*
 * trace.c - the hook runtime: records every call of the functions that were
 * compiled with -finstrument-functions.
 *
 * Add it to a program with one line, `cc -std=c11 -O2 -c trace.c`, and link the
 * object (with -pthread where libc needs it).  It needs libc and POSIX threads,
 * nothing else.  Without TRACE_ENABLE=1 in the environment a hook is one branch.
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
 * What is lost: the events in the buffers of a process that ends without exit()
 * (_exit, a fatal signal) or that is replaced by exec.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
/* Fortified wrappers are inline functions that a project's flags could hook. */
#undef _FORTIFY_SOURCE
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif

#include "trace_base.h"
#include "trace_clock.h"
#include "trace_config.h"
#include "trace_file.h"
#include "trace_process.h"
#include "trace_thread.h"

#ifndef PTHREAD_DESTRUCTOR_ITERATIONS
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#endif

/* The process's capture. */
static struct {
    enum trace_state state; /* read by every hook; see trace_clock.h */
    pthread_mutex_t start_lock;
    pthread_mutex_t threads_lock; /* the list; taken before a thread's own lock */
    struct trace_thread *threads;
    struct trace_budget budget;
    struct trace_config config;
    struct trace_clock clock;
    struct trace_process process;
    struct trace_target target;
    struct trace_anchor start;
    pthread_key_t key;
    uint32_t *alive;      /* in a page that reads 0 in a child */
    uint32_t alive_plain; /* for kernels without such pages */
    bool threaded;        /* there were other threads when the fork began */
    bool modules_held;    /* modules.lock was taken for the fork */
    bool fork_in_hook;    /* a signal handler forks, and it interrupted a hook */
    struct trace_quiet fork_quiet;
    bool finished; /* the last flush has begun */
    int error;     /* the write error that stopped the capture */
} run = {
    .state = TRACE_UNSET,
    .start_lock = PTHREAD_MUTEX_INITIALIZER,
    .threads_lock = PTHREAD_MUTEX_INITIALIZER,
    .budget = {.lock = PTHREAD_MUTEX_INITIALIZER},
    .process = {.modules = {.lock = PTHREAD_MUTEX_INITIALIZER}},
};

/* A thread's own.  Initial-exec: one instruction to reach it, and no allocation
 * the first time, from whatever library the runtime is loaded. */
static __thread struct {
    struct trace_hot *hot; /* NULL before the thread's first event and after its last flush */
    struct trace_thread *self;
    bool busy;         /* in the slow path */
    unsigned entering; /* slow paths that have not blocked signals yet */
    bool unable;       /* there was no memory for a buffer */
    uint32_t skipped;  /* hooks refused while busy */
    /* A thread whose destructors still call hooks after its last flush goes on
     * in another file, as the same thread. */
    bool resumed;
    uint32_t resume_tid, resume_seq, resume_first_seq;
    uint64_t resume_index;
} tls __attribute__((tls_model("initial-exec")));

TRACE_FN enum trace_state trace_state_get(void)
{
    return __atomic_load_n(&run.state, __ATOMIC_ACQUIRE);
}

TRACE_FN void trace_state_set(enum trace_state state)
{
    __atomic_store_n(&run.state, state, __ATOMIC_RELEASE);
}

/* --- the buffer, in the slow path ------------------------------------------ */
/* All of this runs with signals blocked and the thread's lock held. */

/* A marker at the buffer's end.  It costs nothing of TRACE_MAX. */
TRACE_FN void trace_put_marker(struct trace_thread *thread, uint64_t ts, uint64_t code,
                               uint64_t payload)
{
    struct trace_hot *hot = thread->hot;
    if (hot->next >= thread->events + thread->capacity + TRACE_BUFFER_SPARE)
        return; /* the spare room takes more than any path between two flushes puts */
    trace_event_put(hot->next, ts, code, payload,
                    trace_tid_word(thread->tid) | trace_kind_word(TRACE_KIND_MARKER));
    hot->next++;
    thread->limit++;
    thread->markers++;
}

/* The thread records no more. */
TRACE_FN void trace_stop_thread(struct trace_thread *thread, enum trace_mode mode)
{
    trace_budget_give(&run.budget, (size_t)(thread->limit - thread->hot->next));
    thread->limit = thread->hot->next;
    thread->mode = mode;
    thread->countdown = TRACE_NAME_INTERVAL;
}

/* Empties the buffer.  What was paid for and not used stays the thread's. */
TRACE_FN void trace_empty(struct trace_thread *thread)
{
    struct trace_hot *hot = thread->hot;
    thread->index += (uint64_t)(hot->next - thread->events) - thread->markers;
    thread->limit = thread->events + (thread->limit - hot->next);
    thread->markers = 0;
    __atomic_store_n(&hot->next, thread->events, __ATOMIC_RELEASE);
}

/* A write failed: the whole process's capture ends here. */
TRACE_FN void trace_fail(struct trace_thread *thread, int error)
{
    if (__atomic_exchange_n(&run.error, error, __ATOMIC_ACQ_REL) == 0)
        trace_note("cannot write to %.512s: %s; recording stopped", run.config.dir,
                   strerror(error));
    trace_state_set(TRACE_OFF);
    trace_stop_thread(thread, TRACE_STOPPED);
}

/* Whether TRACE_THREADS wants the thread under its present name.  A name is often
 * given after the thread began, so it is asked for when the buffer is flushed: a
 * thread that gets its name within its first 8,192 events is recorded from its
 * first one, and one that has the wrong name by then leaves no file. */
TRACE_FN bool trace_look_at_name(struct trace_thread *thread)
{
    char name[TRACE_NAME_SIZE];
    if (trace_thread_name(thread->tid, name) && memcmp(name, thread->name, sizeof name) != 0) {
        memcpy(thread->name, name, sizeof name);
        if (thread->begun)
            trace_process_thread(&run.process, thread->tid, thread->first_seq, thread->name);
    }
    return trace_config_wants(&run.config, thread->name);
}

/* Writes the buffer out and empties it. */
TRACE_FN void trace_flush(struct trace_thread *thread)
{
    struct trace_hot *hot = thread->hot;
    if (hot->next == thread->events || thread->mode == TRACE_STOPPED)
        return;
    bool wanted = trace_look_at_name(thread);
    if (!wanted && !thread->begun) {
        trace_budget_give(&run.budget, (size_t)(hot->next - thread->events) - thread->markers);
        thread->limit -= hot->next - thread->events;
        thread->markers = 0;
        hot->next = thread->events;
        trace_stop_thread(thread, TRACE_FILTERED);
        return;
    }
    if (!wanted) {
        trace_put_marker(thread, trace_clock_now(&run.clock), TRACE_MARK_OFF, 0);
        trace_stop_thread(thread, TRACE_FILTERED);
    }
    trace_modules_check(&run.process);
    bool first = !thread->begun;
    int error =
        trace_file_append(thread, &run.target, thread->events, (size_t)(hot->next - thread->events),
                          trace_clock_now(&run.clock));
    if (first && thread->begun)
        trace_process_thread(&run.process, thread->tid, thread->first_seq, thread->name);
    trace_empty(thread);
    if (error)
        trace_fail(thread, error);
}

/* Makes room for one more event that TRACE_MAX allows.  False: the thread records
 * no more. */
TRACE_FN bool trace_make_room(struct trace_thread *thread)
{
    struct trace_hot *hot = thread->hot;
    struct trace_event *full = thread->events + thread->capacity;
    if (hot->next >= full) {
        trace_flush(thread);
        if (thread->mode != TRACE_RECORDING)
            return false;
    }
    if (hot->next < thread->limit)
        return true;
    size_t got = trace_budget_take(&run.budget, (size_t)(full - hot->next));
    thread->limit += got;
    if (got)
        return true;
    trace_put_marker(thread, trace_clock_now(&run.clock), TRACE_MARK_MAX_EVENTS, run.budget.cap);
    trace_flush(thread);
    if (thread->mode == TRACE_RECORDING)
        trace_stop_thread(thread, TRACE_STOPPED);
    return false;
}

TRACE_FN void trace_append(struct trace_thread *thread, const struct trace_event *event)
{
    struct trace_hot *hot = thread->hot;
    if (thread->mode != TRACE_RECORDING)
        return;
    if ((hot->next >= thread->limit || hot->next >= thread->events + thread->capacity) &&
        !trace_make_room(thread))
        return;
    *hot->next = *event;
    __atomic_store_n(&hot->next, hot->next + 1, __ATOMIC_RELEASE);
}

/* Moves what signal handlers left in the side buffer to its place: behind the
 * record of the hook that they interrupted.  That hook may have read the clock
 * after them; it began before them, so its time is theirs at the latest.  `now`
 * is the time of a marker 261. */
TRACE_FN void trace_drain_side(struct trace_thread *thread, uint64_t now)
{
    struct trace_hot *hot = thread->hot;
    uint32_t used = hot->side_used < TRACE_SIDE_EVENTS ? hot->side_used : TRACE_SIDE_EVENTS;
    uint64_t latest = UINT64_MAX;
    for (uint32_t i = used; i-- > 0;) {
        if (thread->side[i].tid && thread->side[i].ts < latest)
            latest = thread->side[i].ts;
        thread->side[i].ts = latest;
    }
    if (used && hot->next > thread->events && hot->next[-1].ts > latest)
        hot->next[-1].ts = latest;
    for (uint32_t i = 0; i < used; i++) {
        /* A place that a handler took and, by a jump, never filled has no tid. */
        if (thread->side[i].tid)
            trace_append(thread, &thread->side[i]);
        thread->side[i].tid = 0;
    }
    hot->side_used = 0;

    uint32_t skipped = hot->skipped + tls.skipped;
    if (skipped && thread->mode == TRACE_RECORDING) {
        trace_put_marker(thread, now, TRACE_MARK_SKIPPED, skipped);
        hot->skipped = 0;
        tls.skipped = 0;
    }
}

/* --- threads ---------------------------------------------------------------- */

/* Begins the calling thread's capture.  NULL: no memory, which is said once. */
TRACE_FN struct trace_thread *trace_thread_begin(void)
{
    if (tls.unable)
        return NULL;
    struct trace_thread *thread = trace_thread_new(run.config.segment_bytes);
    if (!thread) {
        tls.unable = true;
        trace_note("no memory for the events of thread %u; it is not recorded",
                   (unsigned)trace_gettid());
        return NULL;
    }
    if (tls.resumed && tls.resume_tid == thread->tid) {
        thread->begun = true;
        thread->index = tls.resume_index;
        thread->seq = tls.resume_seq;
        thread->first_seq = tls.resume_first_seq;
    }
    pthread_mutex_lock(&run.threads_lock);
    thread->next = run.threads;
    thread->link = &run.threads;
    if (thread->next)
        thread->next->link = &thread->next;
    run.threads = thread;
    pthread_mutex_unlock(&run.threads_lock);
    pthread_setspecific(run.key, thread);
    tls.self = thread;
    tls.hot = thread->hot;
    return thread;
}

/* The destructor of the thread's key.  Other keys' destructors may still call hooks:
 * the key re-arms itself until the last round but one, and only then the thread's
 * capture ends.  The last round belongs to those of the sanitizers, behind which
 * nothing may run; a hook that comes there goes to a file of its own. */
static TRACE_NO_HOOK void trace_thread_end(void *data)
{
    struct trace_thread *thread = data;
    if (!tls.self || tls.self != thread || tls.busy || !*run.alive)
        return;
    if (++thread->rounds < PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
        pthread_setspecific(run.key, thread);
        return;
    }
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    tls.busy = true;
    pthread_mutex_lock(&thread->lock);
    if (!run.finished) {
        trace_drain_side(thread, trace_clock_now(&run.clock));
        trace_flush(thread);
        trace_stop_thread(thread, TRACE_STOPPED);
    }
    pthread_mutex_unlock(&thread->lock);
    tls.resumed = thread->begun;
    tls.resume_tid = thread->tid;
    tls.resume_index = thread->index;
    tls.resume_seq = thread->open ? thread->seq + 1 : thread->seq;
    tls.resume_first_seq = thread->first_seq;
    tls.hot = NULL;
    tls.self = NULL;
    pthread_mutex_lock(&run.threads_lock);
    *thread->link = thread->next;
    if (thread->next)
        thread->next->link = thread->link;
    pthread_mutex_unlock(&run.threads_lock);
    trace_thread_free(thread);
    tls.busy = false;
    trace_quiet_end(&quiet);
}

/* --- the hooks -------------------------------------------------------------- */

static TRACE_COLD void trace_slow(void *func, void *caller, unsigned kind);
static TRACE_COLD void trace_nested(struct trace_hot *hot, void *func, void *caller, unsigned kind);

/* Marks the hook as under way, by its place on the stack.  The address need not be
 * exact: it only tells a hook that is nested in this one (deeper) from one that runs
 * after a handler jumped out of it (not deeper). */
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
    hot->inside = 0;
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
    trace_inside_begin(hot);
    struct trace_event *event = hot->next;
    if (TRACE_UNLIKELY(event >= hot->limit)) {
        trace_slow(func, caller, kind);
        return;
    }
    uint64_t now = state == TRACE_TICKS ? trace_ticks() : trace_clock_ns(run.clock.id);
    trace_event_put(event, now, (uintptr_t)func, (uintptr_t)caller,
                    hot->tid_word | trace_kind_word(kind));
    __atomic_store_n(&hot->next, event + 1, __ATOMIC_RELEASE);
    trace_inside_end(hot);
}

/* The hooks' way where time comes from clock_gettime() or the process has not begun. */
static TRACE_COLD void trace_other(void *func, void *caller, unsigned kind, enum trace_state state)
{
    if (state == TRACE_UNSET)
        trace_slow(func, caller, kind);
    else
        trace_record(func, caller, kind, TRACE_NS);
}

TRACE_INLINE void trace_hook(void *func, void *caller, unsigned kind)
{
    enum trace_state state = __atomic_load_n(&run.state, __ATOMIC_RELAXED);
    if (TRACE_LIKELY(state == TRACE_OFF))
        return;
    if (TRACE_UNLIKELY(state != TRACE_TICKS))
        trace_other(func, caller, kind, state);
    else
        trace_record(func, caller, kind, TRACE_TICKS);
}

/* The names that -finstrument-functions calls.  Default visibility: under a
 * project's -fvisibility=hidden its libraries would silently bind to the empty
 * hooks of libc. */
__attribute__((no_instrument_function, visibility("default"))) void
__cyg_profile_func_enter(void *func, void *caller);
__attribute__((no_instrument_function, visibility("default"))) void
__cyg_profile_func_exit(void *func, void *caller);

void __cyg_profile_func_enter(void *func, void *caller)
{
    trace_hook(func, caller, TRACE_KIND_ENTER);
}

void __cyg_profile_func_exit(void *func, void *caller)
{
    trace_hook(func, caller, TRACE_KIND_EXIT);
}

/* A hook that interrupted another one of the same thread. */
static TRACE_COLD void trace_nested(struct trace_hot *hot, void *func, void *caller, unsigned kind)
{
    if (tls.busy) {
        tls.skipped++;
        return;
    }
    if ((uintptr_t)__builtin_frame_address(0) > hot->inside) {
        /* Not deeper than the hook it would interrupt: a handler jumped out of
         * that one, unless we are on a stack of the signal's own. */
        stack_t stack;
        int error = errno;
        bool alternate = sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK);
        errno = error;
        if (!alternate) {
            hot->inside = 0;
            trace_hook(func, caller, kind);
            return;
        }
    }
    /* The place is taken in one step: a further signal may come at any point. */
    uint32_t place = __atomic_fetch_add(&hot->side_used, 1, __ATOMIC_RELAXED);
    if (place < TRACE_SIDE_EVENTS) {
        struct trace_event *event = &tls.self->side[place];
        trace_event_put(event, trace_clock_now(&run.clock), (uintptr_t)func, (uintptr_t)caller,
                        trace_kind_word(kind));
        TRACE_SIGNAL_FENCE();
        event->tid = tls.self->tid;
    } else {
        __atomic_store_n(&hot->side_used, TRACE_SIDE_EVENTS, __ATOMIC_RELAXED);
        __atomic_fetch_add(&hot->skipped, 1, __ATOMIC_RELAXED);
    }
    hot->limit = NULL; /* the next hook goes the slow path and drains it */
}

TRACE_FN void trace_start(void);
TRACE_FN void trace_child_begin(void);

/* A thread that TRACE_THREADS does not want: is it time to look at its name? */
TRACE_FN bool trace_filtered_due(struct trace_thread *thread)
{
    return --thread->countdown == 0;
}

TRACE_FN void trace_slow_record(struct trace_thread *thread, void *func, void *caller,
                                unsigned kind)
{
    uint64_t now = trace_clock_now(&run.clock);
    if (thread->mode == TRACE_FILTERED) {
        thread->countdown = TRACE_NAME_INTERVAL;
        trace_drain_side(thread, now); /* drops it */
        if (!trace_look_at_name(thread))
            return;
        thread->mode = TRACE_RECORDING;
        thread->hot->skipped = tls.skipped = 0;
        if (thread->begun)
            trace_put_marker(thread, now, TRACE_MARK_ON, 0);
    }
    trace_drain_side(thread, now);
    if (thread->hot->next >= thread->events + thread->capacity) {
        /* A flush is in the time of neither the function that is entered behind it
         * nor the one that was left before it. */
        trace_make_room(thread);
        if (kind == TRACE_KIND_ENTER)
            now = trace_clock_now(&run.clock);
    }
    struct trace_event event;
    trace_event_put(&event, now, (uintptr_t)func, (uintptr_t)caller,
                    thread->hot->tid_word | trace_kind_word(kind));
    trace_append(thread, &event);
    struct trace_event *full = thread->events + thread->capacity;
    thread->hot->limit = thread->limit < full ? thread->limit : full;
    if (thread->mode != TRACE_RECORDING)
        thread->hot->limit = NULL;
}

static TRACE_COLD void trace_slow(void *func, void *caller, unsigned kind)
{
    struct trace_thread *thread = tls.self;
    if (tls.busy) {
        tls.skipped++;
        return;
    }
    if (thread && thread->mode != TRACE_RECORDING && *run.alive) {
        if (thread->mode == TRACE_STOPPED || !trace_filtered_due(thread)) {
            trace_inside_end(thread->hot);
            return;
        }
    }
    /* A handler that comes before its signal is blocked is not refused: its hooks go
     * to the side buffer, or begin the thread.  Only a pthread_sigmask() of the
     * program's own that is hooked comes back here again and again. */
    if (++tls.entering > 8) {
        tls.skipped++;
        return;
    }
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    tls.entering = 0;
    tls.busy = true;
    if (trace_state_get() == TRACE_UNSET)
        trace_start();
    if (trace_state_get() != TRACE_OFF && !*run.alive)
        trace_child_begin();
    if (trace_state_get() != TRACE_OFF) {
        thread = tls.self ? tls.self : trace_thread_begin();
        if (thread) {
            pthread_mutex_lock(&thread->lock);
            if (!run.finished && trace_state_get() != TRACE_OFF)
                trace_slow_record(thread, func, caller, kind);
            pthread_mutex_unlock(&thread->lock);
        }
    }
    if (tls.hot)
        trace_inside_end(tls.hot);
    tls.busy = false;
    trace_quiet_end(&quiet);
}

/* --- the end of the process -------------------------------------------------- */

/* Writes what a thread's buffer holds while its owner may still be running.  The
 * owner stores `next` after its record is complete, and is not disturbed: from now
 * on its slow path does nothing. */
TRACE_FN void trace_finish_thread(struct trace_thread *thread)
{
    struct trace_hot *hot = thread->hot;
    if (thread->mode == TRACE_STOPPED)
        return;
    struct trace_event *next = __atomic_load_n(&hot->next, __ATOMIC_ACQUIRE);
    size_t count = (size_t)(next - thread->events);
    bool wanted = trace_look_at_name(thread);
    if (count && (wanted || thread->begun)) {
        bool first = !thread->begun;
        uint64_t now = trace_clock_now(&run.clock);
        int error = trace_file_append(thread, &run.target, thread->events, count, now);
        if (first && thread->begun)
            trace_process_thread(&run.process, thread->tid, thread->first_seq, thread->name);
        if (!error && run.error) {
            struct trace_event marker;
            trace_event_put(&marker, now, TRACE_MARK_WRITE_ERROR, (uint64_t)run.error,
                            trace_tid_word(thread->tid) | trace_kind_word(TRACE_KIND_MARKER));
            trace_file_append(thread, &run.target, &marker, 1, now);
        }
    }
}

/* The last flush: every thread's buffer, the caller's last, and at its end the
 * closing anchor. */
static TRACE_NO_HOOK void trace_finish(void)
{
    if (trace_state_get() == TRACE_UNSET || !run.alive || !*run.alive || tls.busy)
        return; /* off, or a child that recorded nothing */
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    tls.busy = true;
    trace_state_set(TRACE_OFF);
    pthread_mutex_lock(&run.threads_lock);
    if (!run.finished) {
        run.finished = true;
        trace_modules_check(&run.process);
        for (struct trace_thread *thread = run.threads; thread; thread = thread->next) {
            if (thread == tls.self)
                continue;
            pthread_mutex_lock(&thread->lock);
            trace_finish_thread(thread);
            pthread_mutex_unlock(&thread->lock);
        }
        pthread_mutex_unlock(&run.threads_lock);
        struct trace_thread *thread = tls.self ? tls.self : trace_thread_begin();
        if (thread) {
            pthread_mutex_lock(&thread->lock);
            trace_drain_side(thread, trace_clock_now(&run.clock));
            if (run.error && thread->mode == TRACE_RECORDING)
                trace_put_marker(thread, trace_clock_now(&run.clock), TRACE_MARK_WRITE_ERROR,
                                 (uint64_t)run.error);
            trace_flush(thread);
            struct trace_anchor end = trace_clock_anchor(&run.clock);
            struct trace_event marker;
            trace_event_put(&marker, end.ticks, TRACE_MARK_CLOCK, end.ns,
                            trace_tid_word(thread->tid) | trace_kind_word(TRACE_KIND_MARKER));
            trace_file_append(thread, &run.target, &marker, 1, end.ticks);
            thread->mode = TRACE_STOPPED;
            pthread_mutex_unlock(&thread->lock);
        }
    } else {
        pthread_mutex_unlock(&run.threads_lock);
    }
    tls.busy = false;
    trace_quiet_end(&quiet);
}

/* Runs after the destructors of the executable's own code.  Those of its libraries
 * come later still; a handler that glibc's exit() is given now runs behind them. */
__attribute__((destructor(101))) static TRACE_NO_HOOK void trace_end(void)
{
#ifdef __GLIBC__
    if (trace_state_get() != TRACE_OFF && atexit(trace_finish) == 0)
        return;
#endif
    trace_finish();
}

/* --- fork --------------------------------------------------------------------- */

/* Before a fork: nothing of ours is half done in the one thread the child gets. */
static TRACE_NO_HOOK void trace_fork_prepare(void)
{
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    run.modules_held = false;
    for (int i = 0; i < 1000 && !run.modules_held; i++) {
        run.modules_held = pthread_mutex_trylock(&run.process.modules.lock) == 0;
        if (!run.modules_held)
            sched_yield();
    }
    pthread_mutex_lock(&run.threads_lock);
    run.fork_quiet = quiet;
    run.fork_in_hook = tls.hot && tls.hot->inside;
    run.threaded = trace_process_is_threaded();
}

static TRACE_NO_HOOK void trace_fork_parent(void)
{
    struct trace_quiet quiet = run.fork_quiet;
    bool held = run.modules_held;
    pthread_mutex_unlock(&run.threads_lock);
    if (held)
        pthread_mutex_unlock(&run.process.modules.lock);
    trace_quiet_end(&quiet);
}

/* Locks of other threads are nobody's now. */
TRACE_FN void trace_child_locks(void)
{
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    run.start_lock = fresh;
    run.threads_lock = fresh;
    run.budget.lock = fresh;
    run.process.modules.lock = fresh;
}

/* In the child: the buffers are the parent's and go; what the child needs of its
 * own is made at its first hook, so that a child that only execs leaves no file. */
static TRACE_NO_HOOK void trace_fork_child(void)
{
    struct trace_quiet quiet = run.fork_quiet;
    trace_child_locks();
    if (!run.modules_held)
        run.process.modules.broken = true;
    if (run.threaded)
        run.process.modules.no_walk = true;
    while (run.threads) {
        struct trace_thread *thread = run.threads;
        run.threads = thread->next;
        if (thread != tls.self || !run.fork_in_hook) /* that hook still stores its event */
            trace_thread_free(thread);
    }
    *run.alive = 0;
    tls.hot = NULL;
    tls.self = NULL;
    tls.resumed = false;
    run.process.parent = run.process.pid;
    run.process.pid = getpid();
    trace_quiet_end(&quiet);
}

/* At a child's first hook.  One that came without pthread_atfork (_Fork, clone) is
 * known by its wiped page; nobody knows what its parent's threads were doing. */
static TRACE_NO_HOOK void trace_child_begin(void)
{
    if (run.process.pid != getpid()) {
        trace_child_locks();
        run.process.modules.no_walk = true;
        run.threads = NULL;
        tls.hot = NULL;
        tls.self = NULL;
        tls.resumed = false;
        run.process.parent = getppid();
        run.process.pid = getpid();
    }
    pthread_mutex_lock(&run.start_lock);
    if (*run.alive) { /* another thread of the child was first */
        pthread_mutex_unlock(&run.start_lock);
        return;
    }
    run.finished = false;
    run.error = 0;
    tls.skipped = 0;
    run.budget.left = run.budget.cap;
    run.start = trace_clock_anchor(&run.clock);
    run.target.header.t0_ticks = run.start.ticks;
    run.target.header.t0_ns = run.start.ns;
    run.target.header.pid = (uint32_t)run.process.pid;
    if (!trace_process_begin(&run.process, run.config.dir, run.start.ns)) {
        trace_note("cannot write to %.512s: %s; the child process %d is not recorded",
                   run.config.dir, strerror(errno), (int)run.process.pid);
        trace_state_set(TRACE_OFF);
    }
    *run.alive = 1;
    pthread_mutex_unlock(&run.start_lock);
}

/* --- the start of the process --------------------------------------------------- */

/* What a hook does while recording, for measuring it before recording is on. */
static TRACE_COLD void trace_measured_hook(void *func, void *caller, unsigned kind)
{
    if (run.clock.state == TRACE_TICKS)
        trace_record(func, caller, kind, TRACE_TICKS);
    else
        trace_record(func, caller, kind, TRACE_NS);
}

/* The cost of one hook in ns: the best of a few rounds over a block that is
 * thrown away. */
TRACE_FN uint64_t trace_measure_hook(void)
{
    enum { ROUNDS = 5, HOOKS = 512 };
    struct trace_thread *thread = trace_thread_new(TRACE_DEFAULT_SEGMENT_BYTES);
    if (!thread)
        return 0;
    uint64_t best = UINT64_MAX;
    tls.hot = thread->hot;
    for (int round = 0; round < ROUNDS; round++) {
        thread->hot->next = thread->events;
        thread->hot->limit = thread->events + thread->capacity;
        uint64_t from = trace_clock_ns(CLOCK_MONOTONIC);
        for (int i = 0; i < HOOKS / 2; i++) {
            trace_measured_hook(NULL, NULL, TRACE_KIND_ENTER);
            trace_measured_hook(NULL, NULL, TRACE_KIND_EXIT);
        }
        uint64_t took = trace_clock_ns(CLOCK_MONOTONIC) - from;
        if (took < best)
            best = took;
    }
    tls.hot = NULL;
    trace_thread_free(thread);
    return (best + HOOKS / 2) / HOOKS;
}

/* A word that reads 0 in every child, if the kernel can do that. */
TRACE_FN uint32_t *trace_alive_page(void)
{
    size_t page = trace_page_size();
    void *map = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return &run.alive_plain;
    madvise(map, page, MADV_WIPEONFORK);
    return map;
}

/* Begins the process's capture, or finds that there is none.  state becomes
 * TRACE_OFF, TRACE_TICKS or TRACE_NS as its last step. */
TRACE_FN void trace_start_locked(void)
{
    if (!trace_config_read(&run.config)) {
        trace_state_set(TRACE_OFF);
        return;
    }
    trace_clock_choose(&run.clock, run.config.clock);
    run.start = trace_clock_anchor(&run.clock);
    run.alive = trace_alive_page();
    *run.alive = 1;
    run.budget.cap = run.budget.left = run.config.max_events;
    run.process.pid = getpid();
    run.process.parent = getppid();
    if (!trace_process_begin(&run.process, run.config.dir, run.start.ns)) {
        trace_note("cannot write to the trace folder %.512s: %s; nothing is recorded "
                   "(set TRACE_DIR to a folder you may write to)",
                   run.config.dir, strerror(errno));
        trace_state_set(TRACE_OFF);
        return;
    }
    if (pthread_key_create(&run.key, trace_thread_end) != 0) {
        trace_note("the program has no thread-specific key left; nothing is recorded");
        trace_state_set(TRACE_OFF);
        return;
    }
    pthread_atfork(trace_fork_prepare, trace_fork_parent, trace_fork_child);
#ifdef __GLIBC__
    at_quick_exit(trace_finish);
#endif

    struct trace_header *header = &run.target.header;
    run.target.dir = run.config.dir;
    run.target.segment_bytes = run.config.segment_bytes;
    memcpy(header->magic, TRACE_MAGIC, TRACE_MAGIC_SIZE);
    header->version = TRACE_VERSION;
    header->event_size = TRACE_EVENT_SIZE;
    header->header_size = TRACE_HEADER_SIZE;
    header->flags = run.clock.state == TRACE_TICKS ? TRACE_FLAG_TICKS : 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    header->flags |= TRACE_FLAG_BIG_ENDIAN;
#endif
    header->load_bias = run.process.load_bias;
    header->t0_ticks = run.start.ticks;
    header->t0_ns = run.start.ns;
    header->pid = (uint32_t)run.process.pid;
    header->hook_ns = trace_measure_hook();
    header->tick_hz = run.clock.tick_hz = trace_clock_rate(&run.clock, run.start);
    trace_state_set(run.clock.state);
}

/* From the constructor or the first hook, whichever comes first, with the thread
 * busy and signals blocked. */
TRACE_FN void trace_start(void)
{
    pthread_mutex_lock(&run.start_lock);
    if (trace_state_get() == TRACE_UNSET)
        trace_start_locked();
    pthread_mutex_unlock(&run.start_lock);
}

__attribute__((constructor(101))) static TRACE_NO_HOOK void trace_begin(void)
{
    if (trace_state_get() != TRACE_UNSET || tls.busy)
        return;
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    tls.busy = true;
    trace_start();
    tls.busy = false;
    trace_quiet_end(&quiet);
}
