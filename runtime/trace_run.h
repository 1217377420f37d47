/* SPDX-License-Identifier: MIT */
/*
 * trace_run.h - the state of a capture, and a buffer's way through the slow path.
 */
#ifndef CALLSIGHT_TRACE_RUN_H
#define CALLSIGHT_TRACE_RUN_H

#include "trace_base.h"
#include "trace_clock.h"
#include "trace_config.h"
#include "trace_file.h"
#include "trace_process.h"
#include "trace_space.h"
#include "trace_summary.h"
#include "trace_thread.h"

/* From <linux/membarrier.h>, which not every libc has. */
#define TRACE_MEMBARRIER 8 /* private, expedited */
#define TRACE_MEMBARRIER_REGISTER 16

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
    struct trace_space space;
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
    struct trace_quiet fork_quiet;
    struct {
        uint32_t asked;           /* switches that are asked for; > 0: somebody is at them */
        bool is_off;              /* since `now.off`, and the threads have not been told */
        bool waking;              /* on again since `now.on`, as above */
        struct trace_switch now;  /* the switch that is under way */
        struct trace_switch told; /* the last that threads were told of; under threads_lock */
        pid_t watcher;            /* the process whose thread watches the control file */
    } control;
    bool over;       /* nothing is recorded any more, whatever is asked for */
    bool finished;   /* the last flush has begun */
    bool tail_noted; /* that a buffer is plain memory was said */
    bool lost_noted; /* that events are lost for want of a descriptor was said */
} run = {
    .state = TRACE_UNSET,
    .start_lock = PTHREAD_MUTEX_INITIALIZER,
    .threads_lock = PTHREAD_MUTEX_INITIALIZER,
    .budget = {.lock = PTHREAD_MUTEX_INITIALIZER},
    .space = {.lock = PTHREAD_MUTEX_INITIALIZER},
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
    uint32_t resume_known;
} tls __attribute__((tls_model("initial-exec")));

TRACE_FN enum trace_state trace_state_get(void)
{
    return __atomic_load_n(&run.state, __ATOMIC_ACQUIRE);
}

TRACE_FN void trace_state_set(enum trace_state state)
{
    __atomic_store_n(&run.state, state, __ATOMIC_RELEASE);
}

/* The state in which hooks record. */
TRACE_FN enum trace_state trace_state_on(void)
{
    return run.config.summary ? TRACE_TOTALS : run.clock.state;
}

TRACE_FN bool trace_state_is_on(void)
{
    enum trace_state state = trace_state_get();
    return state == TRACE_TICKS || state == TRACE_NS || state == TRACE_TOTALS;
}

/* Nothing is recorded any more. */
TRACE_FN void trace_state_end(void)
{
    __atomic_store_n(&run.over, true, __ATOMIC_SEQ_CST);
    __atomic_store_n(&run.state, TRACE_OFF, __ATOMIC_SEQ_CST);
}

TRACE_FN bool trace_is_over(void)
{
    return __atomic_load_n(&run.over, __ATOMIC_SEQ_CST);
}

/* From one state to another, but not out of the end.  False: it is not in that state. */
TRACE_FN bool trace_state_move(enum trace_state from, enum trace_state to)
{
    if (!__atomic_compare_exchange_n(&run.state, &from, to, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        return false;
    if (trace_is_over()) /* if that comes after this look, so does its TRACE_OFF */
        __atomic_store_n(&run.state, TRACE_OFF, __ATOMIC_SEQ_CST);
    return true;
}

TRACE_FN bool trace_is_finished(void)
{
    return __atomic_load_n(&run.finished, __ATOMIC_ACQUIRE);
}

TRACE_FN void trace_barrier_register(void)
{
#ifdef SYS_membarrier
    syscall(SYS_membarrier, TRACE_MEMBARRIER_REGISTER, 0, 0);
#endif
}

/* A barrier in all threads, where the kernel has it: what was stored before is seen by
 * every hook that begins afterwards. */
TRACE_FN void trace_barrier(void)
{
#ifdef SYS_membarrier
    syscall(SYS_membarrier, TRACE_MEMBARRIER, 0, 0);
#endif
}

/* In trace_control.h. */
static TRACE_NO_HOOK void trace_control_tell(struct trace_thread *thread, uint64_t now);
static TRACE_NO_HOOK void trace_control_end_thread(struct trace_thread *thread);
static TRACE_NO_HOOK void trace_control_join(struct trace_thread *thread);

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
    trace_set_next(hot, hot->used, hot->next + 1);
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
    trace_set_next(hot, hot->used, thread->events);
}

/* Makes the thread's empty buffer a tail file, if there can be one. */
TRACE_FN void trace_tail_begin(struct trace_thread *thread)
{
    if (!run.config.tail || thread->tail_path[0])
        return;
    uint64_t bytes = trace_tail_size(thread);
    int error = 0;
    bool first;
    if (trace_space_check_free(&run.space, run.config.dir, bytes, &first).code)
        return; /* the first flush will tell */
    if (trace_space_wraps(&run.space))
        error = trace_file_make_room(thread, &run.target, bytes);
    else if (trace_space_take(&run.space, bytes, bytes) == 0)
        bytes = 0, error = EDQUOT;
    if (!error)
        error = trace_tail_open(thread, run.config.dir, &run.target.header, &run.clock);
    if (error == EFBIG)
        trace_file_take_back_sigxfsz();
    if (!error)
        return;
    trace_space_give(&run.space, bytes);
    if (!__atomic_exchange_n(&run.tail_noted, true, __ATOMIC_ACQ_REL))
        trace_note("a buffer is plain memory and would be lost if the program were killed: %s",
                   error == EDQUOT       ? "TRACE_MAX_MB has no room for it"
                   : error == EOPNOTSUPP ? "this file system cannot reserve space"
                                         : strerror(error));
}

/* The thread's buffer is written, or never will be. */
TRACE_FN void trace_tail_end(struct trace_thread *thread)
{
    trace_space_give(&run.space, trace_tail_unlink(thread));
}

/* Says, the first time, why the process's capture ends. */
TRACE_FN void trace_tell_ending(struct trace_ending ending)
{
    if (!trace_space_end(&run.space, ending))
        return;
    if (ending.code == TRACE_MARK_BUDGET)
        trace_note("%llu bytes are written to %.512s, as much as TRACE_MAX_MB allows; "
                   "recording stopped",
                   (unsigned long long)ending.payload, run.config.dir);
    else if (ending.code == TRACE_MARK_NOSPACE)
        trace_note("%llu bytes are free for %.512s, less than TRACE_MIN_FREE_MB asks for; "
                   "recording stopped",
                   (unsigned long long)ending.payload, run.config.dir);
    else
        trace_note("cannot write to %.512s: %s; recording stopped", run.config.dir,
                   strerror((int)ending.payload));
}

/* A flush could not write all: the whole process's capture ends here. */
TRACE_FN void trace_fail(struct trace_thread *thread, struct trace_ending ending)
{
    trace_tell_ending(ending);
    trace_state_end();
    trace_stop_thread(thread, TRACE_STOPPED);
    trace_tail_end(thread);
}

/* The program has no descriptor left: a buffer of events is lost, the capture goes on. */
TRACE_FN void trace_lost(struct trace_thread *thread)
{
    if (!__atomic_exchange_n(&run.lost_noted, true, __ATOMIC_ACQ_REL))
        trace_note("the program has no file descriptor free: events of thread %u are lost",
                   (unsigned)thread->tid);
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

/* A thread that is not wanted has no tail; its buffer, which is empty, is plain memory
 * until it is wanted again. */
TRACE_FN void trace_tail_leave(struct trace_thread *thread)
{
    trace_tail_end(thread);
    trace_tail_forget(thread);
    trace_thread_use(thread, thread->tail);
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
        trace_set_next(hot, hot->used, thread->events);
        trace_stop_thread(thread, TRACE_FILTERED);
        trace_tail_leave(thread);
        return;
    }
    if (!wanted) {
        trace_put_marker(thread, trace_clock_now(&run.clock), TRACE_MARK_OFF, 0);
        trace_stop_thread(thread, TRACE_FILTERED);
    }
    trace_modules_check(&run.process);
    bool first = !thread->begun;
    struct trace_batch batch = {.events = thread->events,
                                .count = (size_t)(hot->next - thread->events),
                                .markers = thread->markers,
                                .now = trace_clock_now(&run.clock)};
    struct trace_ending ending = trace_file_append(thread, &run.target, batch);
    if (first && thread->begun)
        trace_process_thread(&run.process, thread->tid, thread->first_seq, thread->name);
    trace_empty(thread);
    trace_tail_sync(thread, &run.clock);
    if (thread->mode == TRACE_FILTERED)
        trace_tail_leave(thread);
    if (trace_file_will_pass(ending))
        trace_lost(thread);
    else if (ending.code)
        trace_fail(thread, ending);
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
    trace_set_next(hot, hot->used, hot->next + 1);
}

/* Moves what signal handlers left in the side buffer to its place: behind the
 * record of the hook that they interrupted.  That hook may have read the clock
 * after them; it began before them, so its time is theirs at the latest.  Then come
 * the markers that are due.  `now` is the time of what follows. */
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
    /* In summary mode the buffer is empty, and times that run back are set right there. */
    if (used && hot->next > thread->events && hot->next[-1].ts > latest)
        hot->next[-1].ts = latest;
    for (uint32_t i = 0; i < used; i++) {
        /* What a handler calls in a thread's first hook after recording was off. */
        if (thread->cut && thread->back && thread->side[i].ts > thread->away.on)
            trace_control_tell(thread, thread->side[i].ts);
        /* A place that a handler took and, by a jump, never filled has no tid. */
        if (thread->side[i].tid && thread->summary)
            trace_summary_take(thread->summary, thread->side[i].func, thread->side[i].kind,
                               thread->side[i].ts);
        else if (thread->side[i].tid)
            trace_append(thread, &thread->side[i]);
        thread->side[i].tid = 0;
    }
    hot->side_used = 0;
    trace_control_tell(thread, now);

    uint32_t skipped = hot->skipped + tls.skipped;
    if (skipped && thread->mode == TRACE_RECORDING && !thread->summary) {
        trace_put_marker(thread, now, TRACE_MARK_SKIPPED, skipped);
        hot->skipped = 0;
        tls.skipped = 0;
    }
}

/* Ends a thread's summary.  The thread is the caller, or will call no hook any more. */
TRACE_FN void trace_summary_end(struct trace_thread *thread)
{
    if (thread->mode != TRACE_RECORDING || !thread->summary->count || !trace_look_at_name(thread))
        return;
    thread->mode = TRACE_STOPPED;
    trace_modules_check(&run.process);
    bool first;
    uint32_t number = 0;
    struct trace_ending ending = trace_space_check_free(
        &run.space, run.config.dir, thread->summary->count * TRACE_SUMMARY_RECORD_SIZE, &first);
    if (!ending.code) {
        int error = trace_summary_write(thread, &run.target, &number);
        if (error) {
            ending.code = TRACE_MARK_WRITE_ERROR;
            ending.payload = (uint64_t)error;
        }
    }
    if (trace_file_will_pass(ending))
        trace_lost(thread);
    else if (ending.code)
        trace_tell_ending(ending);
    else
        trace_process_thread(&run.process, thread->tid, number, thread->name);
}

/* --- threads ---------------------------------------------------------------- */

/* How many events the buffer of one more thread holds, of which one must fit into
 * `bytes` of a segment. */
TRACE_FN size_t trace_run_capacity(uint64_t bytes)
{
    size_t capacity = trace_thread_capacity(bytes);
    if (run.config.summary)
        return TRACE_BUFFER_SPARE; /* never used */
    if (run.config.tail) {
        unsigned threads = trace_space_threads(&run.space);
        size_t most = trace_tail_capacity(trace_tail_bytes(run.space.max, threads));
        if (most < capacity)
            capacity = most;
    }
    return capacity;
}

/* Begins the calling thread's capture.  NULL: no memory, which is said once. */
TRACE_FN struct trace_thread *trace_thread_begin(void)
{
    if (tls.unable)
        return NULL;
    pthread_mutex_lock(&run.space.lock);
    run.space.threads++;
    uint32_t seq = run.space.next_seq;
    pthread_mutex_unlock(&run.space.lock);
    uint64_t bytes = trace_space_segment_bytes(&run.space, run.config.segment_bytes);
    /* Under wrap two buffers fit into a segment: its head has markers as well. */
    struct trace_thread *thread =
        trace_thread_new(trace_run_capacity(trace_space_wraps(&run.space) ? bytes / 2 : bytes));
    if (thread && run.config.summary && !(thread->summary = trace_summary_new())) {
        trace_thread_free(thread);
        thread = NULL;
    }
    if (!thread) {
        tls.unable = true;
        pthread_mutex_lock(&run.space.lock);
        run.space.threads--;
        pthread_mutex_unlock(&run.space.lock);
        trace_note("no memory for the events of thread %u; it is not recorded",
                   (unsigned)trace_gettid());
        return NULL;
    }
    thread->hot->summary = thread->summary;
    /* A number that a discarded segment had belongs to what came before. */
    thread->seq = seq;
    if (tls.resumed && tls.resume_tid == thread->tid) {
        thread->begun = true;
        thread->known = tls.resume_known;
        thread->index = tls.resume_index;
        thread->seq = tls.resume_seq;
        thread->first_seq = tls.resume_first_seq;
    }
    if (!trace_is_finished() && !thread->summary)
        trace_tail_begin(thread);
    pthread_mutex_lock(&run.threads_lock);
    thread->next = run.threads;
    thread->link = &run.threads;
    if (thread->next)
        thread->next->link = &thread->next;
    run.threads = thread;
    trace_control_join(thread);
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
    if (!trace_is_finished()) {
        trace_control_end_thread(thread);
        trace_drain_side(thread, trace_clock_now(&run.clock));
        if (thread->summary)
            trace_summary_end(thread);
        trace_flush(thread);
        trace_stop_thread(thread, TRACE_STOPPED);
        trace_file_close(thread, &run.space, false);
        trace_tail_end(thread);
    }
    pthread_mutex_unlock(&thread->lock);
    pthread_mutex_lock(&run.space.lock);
    run.space.threads--;
    trace_segments_move(&run.space.finished, &thread->old);
    pthread_mutex_unlock(&run.space.lock);
    tls.resumed = thread->begun;
    tls.resume_tid = thread->tid;
    tls.resume_index = thread->index;
    tls.resume_seq = thread->open ? thread->seq + 1 : thread->seq;
    tls.resume_first_seq = thread->first_seq;
    tls.resume_known = thread->known;
    tls.hot = NULL;
    tls.self = NULL;
    pthread_mutex_lock(&run.threads_lock);
    *thread->link = thread->next;
    if (thread->next)
        thread->next->link = thread->link;
    pthread_mutex_unlock(&run.threads_lock);
    trace_tail_unmap(thread);
    trace_summary_free(thread->summary);
    trace_thread_free(thread);
    tls.busy = false;
    trace_quiet_end(&quiet);
}

#endif
