/* SPDX-License-Identifier: MIT */
/*
 * trace_run.h - a buffer's way through the slow path, and how a thread's capture begins
 * and ends.
 */
#ifndef CALLSIGHT_TRACE_RUN_H
#define CALLSIGHT_TRACE_RUN_H

#include "trace_state.h"
#include "trace_sums.h"

#ifndef PTHREAD_DESTRUCTOR_ITERATIONS
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#endif

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
    trace_tail_note(error);
}

/* The thread's buffer is written, or never will be. */
TRACE_FN void trace_tail_end(struct trace_thread *thread)
{
    trace_space_give(&run.space, trace_tail_unlink(thread));
}

/* A flush could not write all: the whole process's capture ends here. */
TRACE_FN void trace_fail(struct trace_thread *thread, struct trace_ending ending)
{
    trace_tell_ending(ending);
    trace_state_end();
    trace_stop_thread(thread, TRACE_STOPPED);
    trace_tail_end(thread);
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

/* Appends an enter or exit; `sp` is the stack pointer of an enter. */
TRACE_FN void trace_append(struct trace_thread *thread, const struct trace_event *event,
                           uintptr_t sp)
{
    struct trace_hot *hot = thread->hot;
    if (thread->mode != TRACE_RECORDING)
        return;
    if ((hot->next >= thread->limit || hot->next >= thread->events + thread->capacity) &&
        !trace_make_room(thread))
        return;
    *hot->next = *event;
    trace_set_next(hot, hot->used, hot->next + 1);
    struct trace_opens *opens = trace_thread_opens(thread);
    if (event->kind == TRACE_KIND_ENTER)
        trace_opens_enter(opens, (uintptr_t)event->func, sp);
    else
        trace_opens_exit(opens, (uintptr_t)event->func);
    trace_thread_run(thread, opens);
}

/* The thread runs on the stack of tls.context now. */
TRACE_FN void trace_run_context(struct trace_thread *thread, uint64_t now)
{
    struct trace_context *context = tls.context;
#ifdef TRACE_HAVE_JUMPS
    if (thread->summary)
        trace_sums_enter(thread, context, now);
#endif
    trace_thread_opens(thread);
    trace_thread_run(thread, context->id ? &context->opens : &thread->opens);
    if (thread->summary || thread->mode != TRACE_RECORDING)
        return;
    if (thread->hot->next >= thread->events + thread->capacity)
        trace_flush(thread);
    if (thread->mode == TRACE_RECORDING)
        trace_put_marker(thread, now, TRACE_MARK_CONTEXT, context->id);
}

/* The thread begins to record again: of what it called meanwhile nothing is known. */
TRACE_FN void trace_resume(struct trace_thread *thread, uint64_t now)
{
    if (tls.context)
        trace_run_context(thread, now);
    struct trace_opens *opens = trace_thread_opens(thread);
    opens->next = opens->first + 1;
    trace_thread_run(thread, opens);
    thread->vfork_sp = 0;
}

/* Where the program went on without leaving the calls between in the usual way. */
struct trace_landing {
    uintptr_t sp, pc;    /* there */
    uintptr_t low, high; /* the signal's own stack that it left; low == high: none */
    uint64_t code;       /* TRACE_MARK_LANDED or _JUMPED; 0: there is no address to tell */
};

/* Ends the calls that a landing ended, and tells of it.  (Two markers 264 about one landing
 * say how many: what a reader that misses the beginning can still follow.) */
TRACE_FN void trace_land(struct trace_thread *thread, const struct trace_landing *landing,
                         uint64_t now)
{
    if (thread->mode != TRACE_RECORDING)
        return;
    if (thread->summary) {
        trace_summary_cut(thread->summary, landing->sp, landing->low, landing->high,
                          landing->code != 0, now);
        return;
    }
    struct trace_opens *opens = trace_thread_opens(thread);
    uint64_t before = trace_opens_depth(opens);
    trace_opens_cut(opens, landing->sp, landing->low, landing->high);
    uint64_t after = trace_opens_depth(opens);
    size_t forgotten = trace_opens_thin(opens);
    trace_thread_run(thread, opens);
    if (before == 0 || (before == after && landing->code == 0))
        return;
    if (thread->hot->next >= thread->events + thread->capacity)
        trace_flush(thread);
    if (thread->mode != TRACE_RECORDING)
        return;
    if (before != after)
        trace_put_marker(thread, now, TRACE_MARK_DEPTH, before);
    if (landing->code)
        trace_put_marker(thread, now, landing->code, landing->pc);
    trace_put_marker(thread, now, TRACE_MARK_DEPTH, after);
    if (forgotten)
        trace_put_marker(thread, now, TRACE_MARK_FORGOTTEN, forgotten);
}

/* When the next hook goes the slow path. */
TRACE_FN void trace_set_limit(struct trace_thread *thread)
{
    struct trace_event *full = thread->events + thread->capacity;
    struct trace_event *limit = thread->limit < full ? thread->limit : full;
    if (thread->mode != TRACE_RECORDING || thread->vfork_sp)
        limit = NULL;
    __atomic_store_n(&thread->hot->limit, limit, __ATOMIC_RELAXED);
}

/* The first hook of a parent behind vfork(): its child is gone, with what it had called. */
TRACE_FN void trace_after_vfork(struct trace_thread *thread, uint64_t now)
{
    if (!thread->vfork_sp || getpid() != run.process.pid)
        return;
    struct trace_landing landing = {.sp = thread->vfork_sp};
    thread->vfork_sp = 0;
    trace_land(thread, &landing, now);
}

/* Puts what waited in the side buffer to its place. */
TRACE_FN void trace_take_side(struct trace_thread *thread, const struct trace_side *side)
{
    const struct trace_event *event = &side->event;
    if (event->kind == TRACE_KIND_MARKER) {
        struct trace_landing landing = {
            .sp = side->sp, .pc = (uintptr_t)event->caller, .code = event->func};
        trace_land(thread, &landing, event->ts);
    } else if (thread->summary) {
        trace_summary_take(thread->summary, (uintptr_t)event->func, side->sp, event->kind,
                           event->ts);
    } else {
        trace_append(thread, event, side->sp);
    }
}

/* What a handler that interrupted a hook has to record waits in the side buffer. */
TRACE_FN void trace_put_aside(struct trace_thread *thread, uintptr_t func, uintptr_t caller,
                              uintptr_t sp, unsigned kind)
{
    struct trace_hot *hot = thread->hot;
    /* The place is taken in one step: a further signal may come at any point. */
    uint32_t place = __atomic_fetch_add(&hot->side_used, 1, __ATOMIC_RELAXED);
    if (place < TRACE_SIDE_EVENTS) {
        struct trace_side *side = &thread->side[place];
        trace_event_put(&side->event, trace_clock_now(&run.clock), func, caller,
                        trace_kind_word(kind));
        side->sp = sp;
        TRACE_SIGNAL_FENCE();
        side->event.tid = thread->tid;
    } else {
        __atomic_store_n(&hot->side_used, TRACE_SIDE_EVENTS, __ATOMIC_RELAXED);
        __atomic_fetch_add(&hot->skipped, 1, __ATOMIC_RELAXED);
    }
    /* The next hook goes the slow path and drains it. */
    __atomic_store_n(&hot->limit, NULL, __ATOMIC_RELAXED);
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
    if (thread->summary)
        trace_table_room_for(thread, used);
    for (uint32_t i = used; i-- > 0;) {
        struct trace_event *event = &thread->side[i].event;
        if (event->tid && event->ts < latest)
            latest = event->ts;
        event->ts = latest;
    }
    /* In summary mode the buffer is empty, and times that run back are set right there. */
    if (used && hot->next > thread->events && hot->next[-1].ts > latest)
        hot->next[-1].ts = latest;
    for (uint32_t i = 0; i < used; i++) {
        /* What a handler calls in a thread's first hook after recording was off. */
        if (thread->cut && thread->back && thread->side[i].event.ts > thread->away.on)
            trace_control_tell(thread, thread->side[i].event.ts);
        /* A place that a handler took and, by a jump, never filled has no tid. */
        if (thread->side[i].event.tid)
            trace_take_side(thread, &thread->side[i]);
        thread->side[i].event.tid = 0;
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
    trace_control_join(thread);
    pthread_mutex_unlock(&run.threads_lock);
    pthread_setspecific(run.key, thread);
    tls.self = thread;
    tls.hot = thread->hot;
    if (tls.context && tls.context->id)
        trace_run_context(thread, trace_clock_now(&run.clock));
    return thread;
}

/* A thread that comes to its destructors by pthread_exit() has left all it had called. */
TRACE_FN void trace_leave_all(struct trace_thread *thread)
{
    if (trace_is_finished() || !trace_state_is_on())
        return;
    uint64_t now = trace_clock_now(&run.clock);
    struct trace_landing landing = {.sp = UINTPTR_MAX};
    trace_drain_side(thread, now);
    trace_land(thread, &landing, now);
    if (!thread->summary)
        trace_set_limit(thread);
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
    bool last = ++thread->rounds >= PTHREAD_DESTRUCTOR_ITERATIONS - 1;
    if (!last)
        pthread_setspecific(run.key, thread);
    if (!last && thread->rounds > 1)
        return;
    struct trace_quiet quiet;
    trace_quiet_begin(&quiet);
    tls.busy = true;
    pthread_mutex_lock(&thread->lock);
    if (!last) {
        trace_leave_all(thread);
        pthread_mutex_unlock(&thread->lock);
        tls.busy = false;
        trace_quiet_end(&quiet);
        return;
    }
    trace_thread_opens(thread); /* a context's may go on elsewhere */
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
#ifdef TRACE_HAVE_JUMPS
    if (tls.own) {
        pthread_mutex_lock(&run.contexts.lock);
        tls.own->runner = NULL;
        trace_context_drop(&run.contexts, tls.own);
        pthread_mutex_unlock(&run.contexts.lock);
        tls.own = tls.context = NULL;
    }
#endif
    pthread_mutex_lock(&run.threads_lock);
    *thread->link = thread->next;
    if (thread->next)
        thread->next->link = thread->link;
    pthread_mutex_unlock(&run.threads_lock);
    if (!tls.held) { /* else a hook may go on in another thread, with this one's block */
        trace_tail_unmap(thread);
        trace_summary_free(thread->summary);
        trace_thread_free(thread);
    }
    tls.busy = false;
    trace_quiet_end(&quiet);
}

#endif
