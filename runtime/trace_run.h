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
#include "trace_modules.h"
#include "trace_space.h"
#include "trace_summary.h"
#include "trace_table.h"
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
    bool finished;   /* the last flush has begun */
    bool tail_noted; /* that a buffer is plain memory was said */
    bool lost_noted; /* that events are lost for want of a descriptor was said */
} run = {
    .state = TRACE_UNSET,
    .start_lock = PTHREAD_MUTEX_INITIALIZER,
    .threads_lock = PTHREAD_MUTEX_INITIALIZER,
    .budget = {.lock = PTHREAD_MUTEX_INITIALIZER},
    .space = {.lock = PTHREAD_MUTEX_INITIALIZER},
    .process = {.clock = &run.clock, .modules = {.lock = PTHREAD_MUTEX_INITIALIZER}},
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

TRACE_FN bool trace_is_finished(void)
{
    return __atomic_load_n(&run.finished, __ATOMIC_ACQUIRE);
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

/* Says once that a buffer or table is not a file. */
TRACE_FN void trace_tail_note(int error)
{
    if (!__atomic_exchange_n(&run.tail_noted, true, __ATOMIC_ACQ_REL))
        trace_note("a buffer is plain memory and would be lost if the program were killed: %s",
                   error == EDQUOT       ? "TRACE_MAX_MB has no room for it"
                   : error == EOPNOTSUPP ? "this file system cannot reserve space"
                                         : strerror(error));
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
    trace_tail_note(error);
}

/* The thread's buffer is written, or never will be. */
TRACE_FN void trace_tail_end(struct trace_thread *thread)
{
    trace_space_give(&run.space, trace_tail_unlink(thread));
}

/* Says, the first time, why the process's capture ends.  Whether it was. */
TRACE_FN bool trace_tell_ending(struct trace_ending ending)
{
    if (!trace_space_end(&run.space, ending))
        return false;
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
    return true;
}

/* A flush could not write all: the whole process's capture ends here. */
TRACE_FN void trace_fail(struct trace_thread *thread, struct trace_ending ending)
{
    trace_tell_ending(ending);
    trace_state_set(TRACE_OFF);
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
    trace_modules_check(&run.process, false);
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

/* --- a summary, in the slow path ------------------------------------------- */

/* Makes the thread's table a file, if there can be one. */
TRACE_FN void trace_table_begin(struct trace_thread *thread)
{
    uint64_t bytes = trace_summary_size(thread->summary->capacity);
    uint32_t number;
    bool first;
    if (!run.config.tail || thread->tail_path[0] || thread->summary->plain ||
        trace_space_check_free(&run.space, run.config.dir, bytes, &first).code)
        return; /* the end will tell */
    int error = EDQUOT;
    if (trace_space_take(&run.space, bytes, bytes)) {
        error = trace_table_open(thread, run.config.dir, &number);
        if (error)
            trace_space_give(&run.space, bytes);
    }
    if (error == EFBIG)
        trace_file_take_back_sigxfsz();
    if (error) {
        thread->summary->plain = true;
        trace_tail_note(error);
        return;
    }
    thread->begun = true;
    thread->first_seq = number;
    trace_process_thread(&run.process, thread->tid, number, thread->name);
}

/* Makes the table plain memory, if it is a file.  False: no memory. */
TRACE_FN bool trace_table_end(struct trace_thread *thread)
{
    if (thread->tail_path[0] == '\0')
        return true;
    uint64_t freed = trace_table_leave(thread);
    trace_space_give(&run.space, freed);
    return freed != 0;
}

/* Makes the table's file longer, or the table plain memory.  False: neither can be. */
TRACE_FN bool trace_table_lengthen(struct trace_thread *thread)
{
    uint64_t bytes = trace_summary_size(thread->summary->capacity);
    bool first;
    int error = ENOSPC;
    if (!trace_space_check_free(&run.space, run.config.dir, bytes, &first).code) {
        error = EDQUOT;
        bytes = trace_space_take(&run.space, bytes, bytes);
        if (bytes && (error = trace_table_extend(thread)))
            trace_space_give(&run.space, bytes);
    }
    if (error == EFBIG)
        trace_file_take_back_sigxfsz();
    if (!error)
        return true;
    thread->summary->plain = true;
    trace_tail_note(error);
    return trace_table_end(thread);
}

/* Makes room for more functions, as far as there is memory. */
TRACE_FN void trace_table_room(struct trace_thread *thread, uint32_t more)
{
    const struct trace_summary *summary = thread->summary;
    while (summary->capacity - summary->count < more) {
        if (thread->tail_path[0] && !trace_table_lengthen(thread))
            return;
        if (!trace_summary_grow(thread->summary))
            return;
    }
}

/* A function came up: makes what the table tells of the thread true again. */
TRACE_FN void trace_table_look(struct trace_thread *thread)
{
    if (trace_look_at_name(thread))
        trace_table_begin(thread);
    else
        trace_table_end(thread);
    trace_table_rate(thread->summary->header, &run.clock);
}

/* Makes room for one function more than the events that wait in the side buffer bring. */
TRACE_FN void trace_table_room_for(struct trace_thread *thread, uint32_t events)
{
    uint32_t more = 1;
    for (uint32_t i = 0; i < events; i++)
        more += thread->side[i].kind == TRACE_KIND_ENTER &&
                !trace_summary_find(thread->summary, thread->side[i].func)->func;
    trace_table_room(thread, more);
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
    if (thread->summary)
        trace_table_room_for(thread, used);
    for (uint32_t i = used; i-- > 0;) {
        if (thread->side[i].tid && thread->side[i].ts < latest)
            latest = thread->side[i].ts;
        thread->side[i].ts = latest;
    }
    /* In summary mode the buffer is empty, and times that run back are set right there. */
    if (used && hot->next > thread->events && hot->next[-1].ts > latest)
        hot->next[-1].ts = latest;
    for (uint32_t i = 0; i < used; i++) {
        /* A place that a handler took and, by a jump, never filled has no tid. */
        if (thread->side[i].tid && thread->summary)
            trace_summary_take(thread->summary, thread->side[i].func, thread->side[i].kind,
                               thread->side[i].ts);
        else if (thread->side[i].tid)
            trace_append(thread, &thread->side[i]);
        thread->side[i].tid = 0;
    }
    hot->side_used = 0;

    uint32_t skipped = hot->skipped + tls.skipped;
    if (skipped && thread->mode == TRACE_RECORDING && !thread->summary) {
        trace_put_marker(thread, now, TRACE_MARK_SKIPPED, skipped);
        hot->skipped = 0;
        tls.skipped = 0;
    }
}

/* Writes a thread's summary to its file, which then takes the table's place.  Code 0: it
 * is there, and bears `*number`. */
TRACE_FN struct trace_ending trace_summary_save(struct trace_thread *thread, uint32_t *number)
{
    struct trace_summary *summary = thread->summary;
    uint64_t had = thread->tail_path[0] ? trace_summary_size(summary->capacity) : 0;
    uint64_t bytes = trace_summary_size(trace_table_called(summary)), more;
    if (bytes < TRACE_FILE_LEAST)
        bytes = TRACE_FILE_LEAST;
    more = bytes > had ? bytes - had : 0;
    bool first;
    struct trace_ending ending = trace_space_check_free(&run.space, run.config.dir, bytes, &first);
    if (ending.code)
        return ending;
    if (more && !trace_space_take(&run.space, more, more)) {
        ending.code = TRACE_MARK_BUDGET;
        ending.payload = run.space.max;
        return ending;
    }
    trace_table_rate(summary->header, &run.clock);
    int error = trace_table_write(thread, run.config.dir, number);
    if (error) {
        ending.code = TRACE_MARK_WRITE_ERROR;
        ending.payload = (uint64_t)error;
        trace_space_give(&run.space, more);
        return ending;
    }
    if (had) {
        trace_tail_remove(thread);
        trace_space_give(&run.space, had + more - bytes);
    }
    return ending;
}

/* Ends a thread's summary.  The thread is the caller, or will call no hook any more. */
TRACE_FN void trace_summary_end(struct trace_thread *thread)
{
    if (thread->mode != TRACE_RECORDING)
        return;
    if (!thread->summary->count || !trace_look_at_name(thread)) {
        trace_table_end(thread);
        return;
    }
    thread->mode = TRACE_STOPPED;
    trace_modules_check(&run.process, false);
    trace_summary_close_all(thread->summary);
    uint32_t number = thread->first_seq;
    struct trace_ending ending = trace_summary_save(thread, &number);
    if (ending.code)
        thread->tail_path[0] = '\0'; /* what the table holds is not lost */
    if (trace_file_will_pass(ending))
        trace_lost(thread);
    else if (ending.code && trace_tell_ending(ending))
        trace_process_mark(&run.process, thread->tid, ending.code, ending.payload);
    if (!ending.code && (!thread->begun || number != thread->first_seq))
        trace_process_thread(&run.process, thread->tid, number, thread->name);
    uint32_t skipped = thread->hot->skipped + (thread == tls.self ? tls.skipped : 0);
    if (skipped)
        trace_process_mark(&run.process, thread->tid, TRACE_MARK_SKIPPED, skipped);
    thread->hot->skipped = 0;
    tls.skipped = thread == tls.self ? 0 : tls.skipped;
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
        thread->index = tls.resume_index;
        thread->seq = tls.resume_seq;
        thread->first_seq = tls.resume_first_seq;
    }
    if (thread->summary) {
        trace_table_name(thread, &run.target);
        if (!trace_is_finished() && trace_look_at_name(thread))
            trace_table_begin(thread);
    } else if (!trace_is_finished()) {
        trace_tail_begin(thread);
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
    if (!trace_is_finished()) {
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
