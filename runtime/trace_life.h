/* SPDX-License-Identifier: MIT */
/*
 * trace_life.h - how a process's capture begins, goes on in a child, and ends.
 */
#ifndef CALLSIGHT_TRACE_LIFE_H
#define CALLSIGHT_TRACE_LIFE_H

#include <sched.h>
#include <stdlib.h>

#include "trace_control.h"
#include "trace_hook.h"
#include "trace_run.h"

/* --- the end of the process -------------------------------------------------- */

/* Writes the summary of a thread that may still be running.  The barrier in all threads
 * makes its next hook see that the limit is gone, or us see the hook that is under way,
 * which then gets the time to end; without that system call one call of the thread may
 * be half added. */
TRACE_FN void trace_finish_sum(struct trace_thread *thread, int *patience)
{
    struct trace_hot *hot = thread->hot;
    __atomic_store_n(&hot->limit, NULL, __ATOMIC_SEQ_CST);
    trace_barrier();
    for (int i = 0; i < 1000 && __atomic_load_n(&hot->inside, __ATOMIC_ACQUIRE); i++)
        sched_yield();
    /* On a busy machine it may wait long for a processor; one that never leaves its hook, because
     * a handler left it there, delays the end by half a second in all. */
    for (const struct timespec moment = {0, 1000000};
         *patience > 0 && __atomic_load_n(&hot->inside, __ATOMIC_ACQUIRE); --*patience)
        nanosleep(&moment, NULL);
    trace_control_tell(thread, trace_clock_now(&run.clock));
    trace_summary_end(thread);
}

/* Writes what a thread's buffer holds while its owner may still be running.  The
 * owner stores `next` after its record is complete, and is not disturbed: from now
 * on its slow path does nothing.  Its tail stays: a hook that is under way now ends
 * there. */
TRACE_FN void trace_finish_thread(struct trace_thread *thread, int *patience)
{
    struct trace_hot *hot = thread->hot;
    if (thread->mode == TRACE_STOPPED)
        return;
    if (thread->summary) {
        trace_finish_sum(thread, patience);
        return;
    }
    const char *next = __atomic_load_n(&hot->next, __ATOMIC_ACQUIRE);
    struct trace_event last[3];
    size_t lasts = trace_control_markers(thread, trace_thread_time(thread, next), last);
    bool wanted = trace_look_at_name(thread);
    bool some = next != thread->start;
    if ((!wanted && !thread->begun) || (!some && !(lasts && thread->begun))) {
        if (!wanted)
            trace_tail_end(thread);
        return;
    }
    bool first = !thread->begun;
    struct trace_batch batch = trace_batch_of(thread, next, trace_clock_now(&run.clock), false);
    struct trace_ending ending = {0, 0};
    if (some)
        ending = trace_write(thread, &batch, true);
    if (first && thread->begun)
        trace_process_thread(&run.process, thread->tid, thread->first_seq, thread->name);
    if (trace_file_will_pass(ending))
        trace_lost(thread);
    else if (ending.code)
        trace_tell_ending(ending);
    if (ending.code) { /* what is in the file ends with its marker */
        trace_tail_end(thread);
        return;
    }
    struct trace_ending earlier = trace_space_ending(&run.space);
    if (earlier.code == TRACE_MARK_WRITE_ERROR)
        trace_event_put(&last[lasts++], batch.now, earlier.code, earlier.payload,
                        trace_tid_word(thread->tid) | trace_kind_word(TRACE_KIND_MARKER));
    char words[TRACE_MARKERS_MOST * (2 + sizeof *last)];
    if (lasts) {
        batch = trace_batch_of_markers(thread, last, lasts, words, batch.packed, 1, batch.now);
        trace_write(thread, &batch, false);
    }
}

TRACE_FN void trace_finish_ring(void)
{
    if (!run.ring.map)
        return;
    uint64_t dropped = trace_ring_dropped(&run.ring);
    trace_ring_end(&run.ring);
    if (dropped)
        trace_note("%llu events found no room in the ring /%s: nothing took them from there, or "
                   "not fast enough",
                   (unsigned long long)dropped, run.ring.name);
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
    if (tls.hot) /* a handler may have interrupted a hook to end the process */
        trace_leave_hook(tls.hot);
    trace_control_hold();
    trace_state_end();
    pthread_mutex_lock(&run.threads_lock);
    if (!trace_is_finished()) {
        __atomic_store_n(&run.finished, true, __ATOMIC_RELEASE);
        trace_modules_check(&run.process, true);
        int patience = 500; /* ms, for all threads together */
        for (struct trace_thread *thread = run.threads; thread; thread = thread->next) {
            if (thread == tls.self)
                continue;
            pthread_mutex_lock(&thread->lock);
            trace_control_mark(thread);
            trace_finish_thread(thread, &patience);
            if (thread->in_ring) /* where its hook that is under way now ends, nobody looks */
                trace_tail_end(thread);
            pthread_mutex_unlock(&thread->lock);
        }
        pthread_mutex_unlock(&run.threads_lock);
        struct trace_thread *thread =
            tls.self || run.config.summary ? tls.self : trace_thread_begin();
        if (thread && thread->summary) {
            pthread_mutex_lock(&thread->lock);
            trace_control_mark(thread);
            trace_drain_side(thread, trace_clock_now(&run.clock));
            trace_summary_end(thread);
            pthread_mutex_unlock(&thread->lock);
        } else if (thread) {
            pthread_mutex_lock(&thread->lock);
            trace_control_mark(thread);
            trace_drain_side(thread, trace_clock_now(&run.clock));
            struct trace_ending ending = trace_space_ending(&run.space);
            if (ending.code == TRACE_MARK_WRITE_ERROR && thread->mode == TRACE_RECORDING)
                trace_put_marker(thread, trace_clock_now(&run.clock), ending.code, ending.payload);
            trace_flush(thread);
            struct trace_anchor end = trace_clock_anchor(&run.clock);
            struct trace_event marker;
            trace_event_put(&marker, end.ticks, TRACE_MARK_CLOCK, end.ns,
                            trace_tid_word(thread->tid) | trace_kind_word(TRACE_KIND_MARKER));
            char words[TRACE_MARKERS_MOST * (2 + sizeof marker)];
            struct trace_batch batch =
                trace_batch_of_markers(thread, &marker, 1, words, run.target.packed, 1, end.ticks);
            batch.last = true;
            trace_write(thread, &batch, false);
            trace_tail_end(thread);
            thread->mode = TRACE_STOPPED;
            pthread_mutex_unlock(&thread->lock);
        }
        trace_finish_ring();
    } else {
        pthread_mutex_unlock(&run.threads_lock);
    }
    tls.busy = false;
    trace_quiet_end(&quiet);
}
/* --- fork --------------------------------------------------------------------- */

/* Before a fork: nothing of ours is half done in the one thread the child gets. */
static TRACE_NO_HOOK void trace_fork_prepare(void)
{
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    pthread_mutex_lock(&run.start_lock);
    run.modules_held = false;
    for (int i = 0; i < 1000 && !run.modules_held; i++) {
        run.modules_held = pthread_mutex_trylock(&run.process.modules.lock) == 0;
        if (!run.modules_held)
            sched_yield();
    }
    pthread_mutex_lock(&run.threads_lock);
    pthread_mutex_lock(&run.budget.lock);
    pthread_mutex_lock(&run.space.lock);
    pthread_mutex_lock(&run.contexts.lock);
    run.fork_quiet = quiet;
    pid_t watcher = __atomic_load_n(&run.control.watcher, __ATOMIC_RELAXED);
    run.threaded = trace_process_is_threaded(watcher == run.process.pid);
}

/* Both sides own what was locked before. */
TRACE_FN void trace_fork_unlock(void)
{
    bool held = run.modules_held;
    pthread_mutex_unlock(&run.contexts.lock);
    pthread_mutex_unlock(&run.space.lock);
    pthread_mutex_unlock(&run.budget.lock);
    pthread_mutex_unlock(&run.threads_lock);
    if (held)
        pthread_mutex_unlock(&run.process.modules.lock);
    pthread_mutex_unlock(&run.start_lock);
}

static TRACE_NO_HOOK void trace_fork_parent(void)
{
    struct trace_quiet quiet = run.fork_quiet;
    trace_fork_unlock();
    trace_quiet_end(&quiet);
}

/* In the child: the buffers are the parent's and go; what the child needs of its
 * own is made at its first hook, so that a child that only execs leaves no file. */
static TRACE_NO_HOOK void trace_fork_child(void)
{
    struct trace_quiet quiet = run.fork_quiet;
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    if (!run.modules_held) { /* a thread that is no more is in the list */
        run.process.modules.lock = fresh;
        trace_modules_anew(&run.process.modules);
    }
    if (run.threaded)
        run.process.modules.by_maps = true;
    while (run.threads) {
        struct trace_thread *thread = run.threads;
        run.threads = thread->next;
        trace_segments_free(&run.space, &thread->old);
        if (thread != tls.self)
            trace_summary_free(thread->summary);
        /* The fork may come from a signal handler that interrupted a hook, which
         * goes on in the child with the block's address in a register. */
        if (thread == tls.self) {
            if (thread->summary)
                trace_table_forget(thread);
            trace_tail_forget(thread);
            trace_thread_forget(thread);
        } else {
            trace_tail_unmap(thread);
            thread->opens.first = thread->opens.given; /* it may have been growing */
            trace_thread_free(thread);
        }
    }
    trace_segments_free(&run.space, &run.space.finished);
    trace_segments_free(&run.space, &run.space.untold);
    *run.alive = 0;
    tls.hot = NULL;
    tls.self = NULL;
    tls.held = NULL;
    tls.resumed = false;
    trace_control_fork();
    run.process.parent = run.process.pid;
    run.process.pid = getpid();
    trace_ring_forget(&run.ring);
    trace_process_unshare(&run.process);
    trace_fork_unlock();
    trace_quiet_end(&quiet);
}

/* Begins the place that this process's events go to: a ring, or else files.  False: neither can be;
 * it has been said why. */
TRACE_FN bool trace_place_begin(bool child)
{
    struct trace_process *process = &run.process;
    run.space.max = run.config.max_bytes;
    run.space.min_free = run.config.min_free;
    run.space.wrap = run.config.wrap;
    if (run.config.shm[0]) {
        int error =
            trace_ring_begin(&run.ring, run.config.shm, run.config.shm_bytes, process->pid, child);
        if (!error && trace_process_begin(process, run.config.dir, run.ring.name, run.start)) {
            run.space.max = run.space.min_free = 0; /* of the disk nothing is taken */
            run.space.wrap = false;
            return true;
        }
        error = error ? error : errno;
        trace_ring_remove(&run.ring);
        trace_process_unshare(process);
        trace_note("no ring /%s: %s; recording to files in %.512s", run.config.shm,
                   error == EOPNOTSUPP ? "/dev/shm is no memory" : strerror(error), run.config.dir);
        if (!trace_config_make_folder(&run.config))
            return false;
    }
    if (trace_process_begin(process, run.config.dir, NULL, run.start))
        return true;
    if (child)
        trace_note("cannot write to %.512s: %s; the child process %d is not recorded",
                   run.config.dir, strerror(errno), (int)process->pid);
    else
        trace_note("cannot write to the trace folder %.512s: %s; nothing is recorded "
                   "(set TRACE_DIR to a folder you may write to)",
                   run.config.dir, strerror(errno));
    return false;
}

/* At a child's first hook.  One that came without pthread_atfork (_Fork, clone) is
 * known by its wiped page; nobody knows what its parent's threads were doing. */
static TRACE_NO_HOOK void trace_child_begin(void)
{
    if (run.process.pid != getpid()) {
        static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
        run.start_lock = fresh;
        run.threads_lock = fresh;
        run.budget.lock = fresh;
        run.space.lock = fresh;
        run.contexts.lock = fresh;
        run.space.finished.first = run.space.finished.last = NULL;
        run.space.untold.first = run.space.untold.last = NULL;
        run.space.spare = NULL;
        if (pthread_mutex_trylock(&run.process.modules.lock) != 0)
            trace_modules_anew(&run.process.modules);
        run.process.modules.lock = fresh;
        run.process.modules.by_maps = true;
        run.threads = NULL;
        run.threaded = true; /* it may have been */
        trace_control_fork();
        tls.hot = NULL;
        tls.self = NULL;
        tls.held = NULL;
        tls.resumed = false;
        run.process.parent = getppid();
        run.process.pid = getpid();
        trace_ring_forget(&run.ring);
        trace_process_unshare(&run.process);
    }
    pthread_mutex_lock(&run.start_lock);
    if (*run.alive) { /* another thread of the child was first */
        pthread_mutex_unlock(&run.start_lock);
        return;
    }
    __atomic_store_n(&run.finished, false, __ATOMIC_RELEASE);
    trace_space_begin(&run.space);
    tls.skipped = 0;
    run.budget.left = run.budget.cap;
    run.start = trace_clock_anchor(&run.clock);
    run.target.header.t0_ticks = run.start.ticks;
    run.target.header.t0_ns = run.start.ns;
    run.target.header.pid = (uint32_t)run.process.pid;
    if (!trace_place_begin(true))
        trace_state_end();
    else if (run.ring.map)
        trace_ring_publish(&run.ring, &run.target.header);
    *run.alive = 1;
    trace_control_watch_child();
    pthread_mutex_unlock(&run.start_lock);
}
/* --- the start of the process --------------------------------------------------- */

/* What a hook does while recording, for measuring it before recording is on. */
static TRACE_COLD void trace_measured_hook(uintptr_t func, unsigned kind)
{
    if (run.config.summary && kind == TRACE_KIND_ENTER)
        trace_sum_enter(func, 0, 1);
    else if (run.config.summary)
        trace_sum_exit(func, 0, 0);
    else if (run.config.packed)
        trace_record_packed(func, 0, 0, kind, trace_state_on());
    else if (run.clock.state == TRACE_TICKS)
        trace_record(func, 0, 0, kind, TRACE_TICKS);
    else
        trace_record(func, 0, 0, kind, TRACE_NS);
}

/* The cost of one hook in ns: the best of a few rounds over a block that is
 * thrown away. */
TRACE_FN uint64_t trace_measure_hook(void)
{
    enum { ROUNDS = 5, HOOKS = 512 };
    uint64_t begin = run.config.packed ? trace_clock_now(&run.clock) : 0;
    struct trace_thread *thread = trace_thread_new(TRACE_BLOCK_MOST, begin);
    if (!thread)
        return 0;
    uint64_t best = UINT64_MAX;
    uintptr_t func = (uintptr_t)run.process.path; /* some address */
    if (run.config.summary) {
        thread->summary = trace_summary_new();
        if (!thread->summary) {
            trace_thread_free(thread);
            return 0;
        }
        /* A new function would ask for the slow path. */
        trace_summary_take(thread->summary, func, 0, TRACE_KIND_ENTER, 0);
        thread->summary->fresh = false;
        thread->hot->summary = thread->summary;
    }
    tls.hot = thread->hot;
    for (int round = 0; round < ROUNDS; round++) {
        trace_thread_begin_buffer(thread, round > 0);
        thread->hot->limit = trace_thread_full(thread);
        uint64_t from = trace_clock_ns(CLOCK_MONOTONIC);
        for (int i = 0; i < HOOKS / 2; i++) {
            trace_measured_hook(func, TRACE_KIND_ENTER);
            trace_measured_hook(func, TRACE_KIND_EXIT);
        }
        uint64_t took = trace_clock_ns(CLOCK_MONOTONIC) - from;
        if (took < best)
            best = took;
    }
    tls.hot = NULL;
    trace_summary_free(thread->summary);
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
    if (madvise(map, page, MADV_WIPEONFORK) != 0)
        trace_note(
            "this kernel cannot wipe memory in a child (Linux 4.14 can): children of fork() "
            "are told apart, those of _Fork() and clone() write into their parent's recording");
    return map;
}

/* Begins the process's capture, or finds that there is none.  state becomes
 * TRACE_OFF, TRACE_TICKS or TRACE_NS as its last step. */
TRACE_FN void trace_start_locked(void)
{
    if (!trace_config_read(&run.config)) {
        trace_state_end();
        return;
    }
    if (run.config.summary && run.config.max_events)
        trace_note("TRACE_MAX bounds events; a summary has none, and goes on to its end");
    trace_clock_choose(&run.clock, run.config.clock);
    run.start = trace_clock_anchor(&run.clock);
    run.alive = trace_alive_page();
    *run.alive = 1;
    run.budget.cap = run.budget.left = run.config.max_events;
    trace_space_begin(&run.space);
    run.process.pid = getpid();
    run.process.parent = getppid();
    run.process.modules.aside = run.config.summary;
    if (!trace_place_begin(false)) {
        trace_state_end();
        return;
    }
    if (pthread_key_create(&run.key, trace_thread_end) != 0) {
        trace_note("the program has no thread-specific key left; nothing is recorded");
        trace_ring_remove(&run.ring);
        trace_state_end();
        return;
    }
    pthread_atfork(trace_fork_prepare, trace_fork_parent, trace_fork_child);
#ifdef __GLIBC__
    at_quick_exit(trace_finish);
#endif

    struct trace_header *header = &run.target.header;
    run.target.dir = run.config.dir;
    run.target.space = &run.space;
    run.target.clock = &run.clock;
    run.target.segment_bytes = run.config.segment_bytes;
    memcpy(header->magic, TRACE_MAGIC, TRACE_MAGIC_SIZE);
    run.target.packed = run.config.packed;
    header->version = run.config.packed ? TRACE_PACKED_VERSION : TRACE_VERSION;
    header->event_size = run.config.packed ? TRACE_PACKED_EVENT_SIZE : TRACE_EVENT_SIZE;
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
    if (run.config.summary || trace_control_is_wanted())
        trace_barrier_register();
    if (run.ring.map)
        trace_ring_publish(&run.ring, header);
    trace_control_begin();
    if (trace_is_over())
        trace_ring_remove(&run.ring);
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

#endif
