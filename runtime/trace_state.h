/* SPDX-License-Identifier: MIT */
/*
 * trace_state.h - the state of a capture, and what is told of it.
 */
#ifndef CALLSIGHT_TRACE_STATE_H
#define CALLSIGHT_TRACE_STATE_H

#include "trace_base.h"
#include "trace_clock.h"
#include "trace_config.h"
#include "trace_context.h"
#include "trace_file.h"
#include "trace_modules.h"
#include "trace_shm.h"
#include "trace_space.h"
#include "trace_thread.h"

/* From <linux/membarrier.h>, which not every libc has. */
#define TRACE_MEMBARRIER 8 /* private, expedited */
#define TRACE_MEMBARRIER_REGISTER 16

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
    struct trace_ring ring;
    struct trace_contexts contexts;
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
    bool over;             /* nothing is recorded any more, whatever is asked for */
    bool finished;         /* the last flush has begun */
    uint32_t tail_noted;   /* that a buffer is plain memory was said */
    unsigned told_changes; /* of the loaded objects, that all threads know of */
    uint32_t lost_noted;   /* that events are lost for want of a descriptor was said */
} run = {
    .state = TRACE_UNSET,
    .start_lock = PTHREAD_MUTEX_INITIALIZER,
    .threads_lock = PTHREAD_MUTEX_INITIALIZER,
    .budget = {.lock = PTHREAD_MUTEX_INITIALIZER},
    .space = {.lock = PTHREAD_MUTEX_INITIALIZER},
    .process = {.clock = &run.clock,
                .lock = PTHREAD_MUTEX_INITIALIZER,
                .modules = {.lock = PTHREAD_MUTEX_INITIALIZER}},
    .ring = {.lock = PTHREAD_MUTEX_INITIALIZER},
    .contexts = {.lock = PTHREAD_MUTEX_INITIALIZER},
};

/* A thread's own.  Initial-exec: one instruction to reach it, and no allocation
 * the first time, from whatever library the runtime is loaded. */
static __thread struct {
    struct trace_hot *hot; /* NULL before the thread's first event and after its last flush */
    struct trace_thread *self;
    struct trace_context *context; /* that runs now; NULL: `own`, which nobody asked for yet */
    struct trace_context *own;     /* the thread's own stack */
    uint32_t switches;             /* of the stack */
    struct trace_context *held;    /* in which a hook was interrupted; see trace_hold() */
    uint64_t held_id;              /* the context's number then */
    uintptr_t held_inside;         /* the hook's place on its stack */
    bool busy;                     /* in the slow path */
    unsigned entering;             /* slow paths that have not blocked signals yet */
    bool unable;                   /* there was no memory for a buffer */
    uint32_t skipped;              /* hooks refused while busy */
    /* A thread whose destructors still call hooks after its last flush goes on
     * in another file, as the same thread. */
    bool resumed;
    uint32_t resume_tid, resume_seq, resume_first_seq;
    uint64_t resume_index;
    uint32_t resume_known;
} tls __attribute__((tls_model("initial-exec")));

/* A hook is refused.  In one step: a handler may refuse others, and drain what is counted. */
TRACE_FN void trace_skip(void)
{
    __atomic_fetch_add(&tls.skipped, 1, __ATOMIC_RELAXED);
}

/* Whether a hook is half done on another stack than that which the thread runs on.  If not,
 * `inside` is the place of the hook that is under way on this one; 0: none.  Both are of one
 * moment: a handler may switch stacks anywhere. */
TRACE_FN bool trace_is_held(const struct trace_hot *hot, uintptr_t *inside)
{
    uint32_t switches;
    bool held;
    do {
        switches = __atomic_load_n(&tls.switches, __ATOMIC_RELAXED);
        TRACE_SIGNAL_FENCE();
        *inside = __atomic_load_n(&hot->inside, __ATOMIC_RELAXED);
        held = __atomic_load_n(&tls.held, __ATOMIC_RELAXED) != NULL;
        TRACE_SIGNAL_FENCE();
    } while (switches != __atomic_load_n(&tls.switches, __ATOMIC_RELAXED));
    return held;
}

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
    if (run.config.summary)
        return TRACE_TOTALS;
    if (run.config.packed)
        return run.clock.state == TRACE_TICKS ? TRACE_PACKED : TRACE_PACKED_NS;
    return run.clock.state;
}

TRACE_FN bool trace_state_is_on(void)
{
    enum trace_state state = trace_state_get();
    return state == TRACE_TICKS || state == TRACE_NS || state == TRACE_TOTALS ||
           state == TRACE_PACKED || state == TRACE_PACKED_NS;
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

/* Says once that a buffer or table is not a file. */
TRACE_FN void trace_tail_note(int error)
{
    if (!__atomic_exchange_n(&run.tail_noted, true, __ATOMIC_ACQ_REL))
        trace_note("a buffer is plain memory and would be lost if the program were killed: %s",
                   error == EDQUOT       ? "TRACE_MAX_MB has no room for it"
                   : error == EOPNOTSUPP ? "this file system cannot reserve space"
                                         : strerror(error));
}

/* Says, the first time, why the process's capture ends.  Whether it was. */
TRACE_FN bool trace_tell_ending(struct trace_ending ending)
{
    if (!trace_space_end(&run.space, ending))
        return false;
    const char *then = run.config.summary ? "sums of threads are lost" : "recording stopped";
    if (ending.code == TRACE_MARK_BUDGET)
        trace_note("%llu bytes are written to %.512s, as much as TRACE_MAX_MB allows; %s",
                   (unsigned long long)ending.payload, run.config.dir, then);
    else if (ending.code == TRACE_MARK_NOSPACE)
        trace_note("%llu bytes are free for %.512s, less than TRACE_MIN_FREE_MB asks for; %s",
                   (unsigned long long)ending.payload, run.config.dir, then);
    else
        trace_note("cannot write to %.512s: %s; %s", run.config.dir, strerror((int)ending.payload),
                   then);
    return true;
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
 * thread that gets its name within its first buffer (8,192 events, packed some
 * 80,000) is recorded from its first one, and one that has the wrong name by then leaves no file.
 */
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

#endif
