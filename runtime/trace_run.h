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

/* Whether there is room for one more record, a marker in any case. */
TRACE_FN bool trace_has_spare(const struct trace_thread *thread)
{
    struct trace_hot *hot = thread->hot;
    if (hot->pack)
        return hot->next + 4 + sizeof(struct trace_event) <= (char *)thread->pack.definitions;
    return hot->next + sizeof(struct trace_event) <= thread->start + thread->buffer;
}

/* A marker at the buffer's end.  It costs nothing of TRACE_MAX. */
TRACE_FN void trace_put_marker(struct trace_thread *thread, uint64_t ts, uint64_t code,
                               uint64_t payload)
{
    struct trace_hot *hot = thread->hot;
    if (!trace_has_spare(thread))
        return; /* the spare room takes more than any path between two flushes puts */
    struct trace_event marker;
    trace_event_put(&marker, ts, code, payload,
                    trace_tid_word(thread->tid) | trace_kind_word(TRACE_KIND_MARKER));
    thread->markers++;
    if (hot->pack) {
        trace_set_next(hot, hot->used, trace_pack_raw(hot->next, &marker));
        return;
    }
    memcpy(hot->next, &marker, sizeof marker);
    trace_set_next(hot, hot->used, hot->next + sizeof marker);
}

/* The thread records no more. */
TRACE_FN void trace_stop_thread(struct trace_thread *thread, enum trace_mode mode)
{
    uint64_t events = trace_thread_events(thread);
    if (thread->paid_events > events)
        trace_budget_give(&run.budget, thread->paid_events - events);
    thread->paid_events = events;
    thread->mode = mode;
    thread->countdown = TRACE_NAME_INTERVAL;
}

/* Empties the buffer.  What was paid for and not used stays the thread's.  `stay`: see
 * trace_pack.h. */
TRACE_FN void trace_empty(struct trace_thread *thread, bool stay)
{
    uint64_t events = trace_thread_events(thread);
    thread->index += events;
    thread->paid_events -= thread->paid_events < events ? thread->paid_events : events;
    trace_thread_begin_buffer(thread, stay);
}

/* Makes the thread's empty buffer a tail file, if there can be one. */
TRACE_FN void trace_tail_begin(struct trace_thread *thread)
{
    if (!run.config.tail || thread->tail_path[0])
        return;
    uint64_t bytes = trace_tail_size(thread);
    int error = 0;
    if (thread->in_ring) {
        error = trace_tail_open(thread, NULL, run.ring.name, &run.target.header, &run.clock);
        if (error == EFBIG)
            trace_take_back_sigxfsz();
        if (error)
            trace_tail_note(error);
        return;
    }
    if (trace_space_check_free(&run.space, run.config.dir, bytes, NULL).code)
        return; /* the first flush will tell */
    if (trace_space_wraps(&run.space))
        error = trace_file_make_room(thread, &run.target, bytes);
    else if (trace_space_take(&run.space, bytes, bytes) == 0)
        bytes = 0, error = EDQUOT;
    if (!error)
        error = trace_tail_open(thread, run.config.dir, NULL, &run.target.header, &run.clock);
    if (error == EFBIG)
        trace_take_back_sigxfsz();
    if (!error)
        return;
    trace_space_give(&run.space, bytes);
    trace_tail_note(error);
}

/* The thread's buffer is written, or never will be. */
TRACE_FN void trace_tail_end(struct trace_thread *thread)
{
    uint64_t bytes = trace_tail_unlink(thread);
    if (!thread->in_ring)
        trace_space_give(&run.space, bytes);
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

/* Writes a batch of the thread to its file, or to the ring.  `own`: it is what its buffer holds. */
TRACE_FN struct trace_ending trace_write(struct trace_thread *thread,
                                         const struct trace_batch *batch, bool own)
{
    if (!thread->in_ring)
        return trace_file_append(thread, &run.target, *batch);
    trace_ring_append(&run.ring, thread, batch, own);
    return (struct trace_ending){0, 0};
}

/* What a batch of the thread begins with in a ring: the thread itself, until the reader has that,
 * and what was dropped.  `now` is no later than what follows. */
TRACE_FN void trace_put_ring_head(struct trace_thread *thread, uint64_t now)
{
    if (!thread->in_ring || thread->mode != TRACE_RECORDING)
        return;
    if (!thread->begun)
        trace_put_marker(thread, now, TRACE_MARK_THREAD_START, 0);
    if (thread->dropped)
        trace_put_marker(thread, now, TRACE_MARK_RING_DROPS, trace_ring_dropped(&run.ring));
    thread->dropped = false;
}

/* Writes the buffer out and empties it. */
TRACE_FN void trace_flush(struct trace_thread *thread)
{
    struct trace_hot *hot = thread->hot;
    if (trace_thread_is_empty(thread) || thread->mode == TRACE_STOPPED)
        return;
    bool wanted = trace_look_at_name(thread);
    if (!wanted && !thread->begun) {
        trace_thread_begin_buffer(thread, false);
        trace_stop_thread(thread, TRACE_FILTERED); /* gives all back that was paid for */
        trace_tail_leave(thread);
        return;
    }
    if (!wanted) {
        trace_put_marker(thread, trace_clock_now(&run.clock), TRACE_MARK_OFF, 0);
        trace_stop_thread(thread, TRACE_FILTERED);
    }
    trace_modules_check(&run.process, false);
    bool first = !thread->begun;
    struct trace_batch batch = trace_batch_of(thread, hot->next, trace_clock_now(&run.clock), true);
    uint64_t last = trace_thread_time(thread, hot->next);
    uint32_t seq = thread->seq;
    struct trace_ending ending = trace_write(thread, &batch, true);
    if (first && thread->begun)
        trace_process_thread(&run.process, thread->tid, thread->first_seq, thread->name);
    thread->pack.bytes += batch.size;
    trace_empty(thread, !ending.code && !thread->pack.torn && thread->seq == seq &&
                            trace_file_fits(thread, &run.target));
    trace_tail_sync(thread, &run.clock);
    trace_put_ring_head(thread, last);
    if (thread->mode == TRACE_FILTERED)
        trace_tail_leave(thread);
    if (trace_file_will_pass(ending))
        trace_lost(thread);
    else if (ending.code)
        trace_fail(thread, ending);
}

/* How many events the thread has paid for and not recorded yet. */
TRACE_FN uint64_t trace_thread_left(const struct trace_thread *thread)
{
    if (run.budget.cap == 0)
        return UINT64_MAX;
    uint64_t events = trace_thread_events(thread);
    return thread->paid_events > events ? thread->paid_events - events : 0;
}

/* Makes room for one more event that TRACE_MAX allows.  False: the thread records
 * no more. */
TRACE_FN bool trace_make_room(struct trace_thread *thread)
{
    if (trace_thread_is_full(thread)) {
        trace_flush(thread);
        if (thread->mode != TRACE_RECORDING)
            return false;
    }
    if (trace_thread_left(thread))
        return true;
    size_t room = (size_t)(trace_thread_full(thread) - thread->hot->next);
    size_t got = trace_budget_take(&run.budget, (room + TRACE_EVENT_SIZE - 1) / TRACE_EVENT_SIZE);
    thread->paid_events += got;
    if (got)
        return true;
    trace_put_marker(thread, trace_clock_now(&run.clock), TRACE_MARK_MAX_EVENTS, run.budget.cap);
    trace_flush(thread);
    if (thread->mode == TRACE_RECORDING)
        trace_stop_thread(thread, TRACE_STOPPED);
    return false;
}

/* Packs an enter or exit, for which there is room unless its site needs another block. */
TRACE_FN void trace_append_packed(struct trace_thread *thread, const struct trace_event *event,
                                  uintptr_t sp)
{
    struct trace_hot *hot = thread->hot;
    for (int i = 0; i < 2 && thread->mode == TRACE_RECORDING; i++) {
        struct trace_opens *opens = trace_thread_opens(thread);
        uintptr_t func = (uintptr_t)event->func, caller = (uintptr_t)event->caller;
        char *next =
            event->kind == TRACE_KIND_ENTER
                ? trace_pack_enter(hot->pack, opens, hot->next, event->ts, func, caller, sp)
                : trace_pack_exit(hot->pack, opens, hot->next, event->ts, func, caller);
        trace_thread_run(thread, opens);
        if (next) {
            trace_set_next(hot, hot->used, next);
            return;
        }
        trace_flush(thread);
    }
}

/* The reader of what is packed is not to know any open call from here on. */
TRACE_FN void trace_forget(struct trace_thread *thread)
{
    struct trace_hot *hot = thread->hot;
    if (!hot->pack)
        return;
    if (!trace_has_spare(thread))
        trace_flush(thread);
    bool tell = !trace_thread_is_empty(thread);
    char *next = trace_pack_forget(hot->pack, trace_thread_opens(thread), hot->next, tell);
    trace_set_next(hot, hot->used, next);
}

/* Appends an enter or exit; `sp` is the stack pointer of an enter. */
TRACE_FN void trace_append(struct trace_thread *thread, const struct trace_event *event,
                           uintptr_t sp)
{
    struct trace_hot *hot = thread->hot;
    if (thread->mode != TRACE_RECORDING)
        return;
    if ((trace_thread_is_full(thread) || !trace_thread_left(thread)) && !trace_make_room(thread))
        return;
    if (hot->pack) {
        trace_append_packed(thread, event, sp);
        return;
    }
    memcpy(hot->next, event, sizeof *event);
    trace_set_next(hot, hot->used, hot->next + sizeof *event);
    struct trace_opens *opens = trace_thread_opens(thread);
    if (event->kind == TRACE_KIND_ENTER)
        trace_opens_enter(opens, (uintptr_t)event->func, 0, sp);
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
    if (trace_thread_is_full(thread))
        trace_flush(thread);
    trace_forget(thread);
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
    if (!thread->summary)
        trace_forget(thread);
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
    if (before != after || forgotten)
        trace_forget(thread);
    if (before == 0 || (before == after && landing->code == 0))
        return;
    if (trace_thread_is_full(thread))
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
    char *limit = trace_thread_full(thread);
    uint64_t left = trace_thread_left(thread), size = thread->hot->pack ? 2 : TRACE_EVENT_SIZE;
    if (thread->hot->next < limit && left < (uint64_t)(limit - thread->hot->next) / size)
        limit = thread->hot->next + left * size; /* that many events at least */
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

/* A handler jumped out of a hook that packed, and may have left it half done: what was packed
 * before stands, and what follows is a block of its own. */
TRACE_FN void trace_mend(struct trace_thread *thread)
{
    struct trace_pack *pack = &thread->pack;
    struct trace_tally tally = trace_pack_tally(thread->start, thread->hot->next, 1, UINT64_MAX);
    pack->events = tally.events;
    thread->markers = tally.records - tally.events;
    trace_flush(thread);
    if (pack->torn) /* there was nothing to write */
        trace_thread_begin_buffer(thread, false);
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
    if (hot->pack && hot->pack->torn)
        trace_mend(thread);
    if (thread->summary)
        trace_table_room_for(thread, used);
    for (uint32_t i = used; i-- > 0;) {
        struct trace_event *event = &thread->side[i].event;
        if (event->tid && event->ts < latest)
            latest = event->ts;
        event->ts = latest;
    }
    /* In summary mode the buffer is empty, and times that run back are set right there. */
    struct trace_event *last = (struct trace_event *)(void *)hot->next - 1;
    if (used && hot->pack)
        trace_pack_set_back(hot->pack, hot->next, latest);
    else if (used && trace_thread_time(thread, hot->next) > latest)
        last->ts = latest;
    for (uint32_t i = 0; i < used; i++) {
        if (hot->pack && thread->side[i].event.ts < hot->pack->last)
            thread->side[i].event.ts = hot->pack->last; /* clocks of processors differ a little */
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

/* How large the buffer of one more thread is, of which one must fit into `bytes` of a
 * segment. */
TRACE_FN size_t trace_run_buffer(uint64_t bytes)
{
    bool packed = run.config.packed;
    size_t size = trace_buffer_size(bytes - TRACE_HEADER_SIZE - trace_end_reserve(packed), packed);
    if (run.config.summary)
        return 2 * TRACE_BUFFER_SPARE; /* never used */
    if (run.ring.map) {
        uint64_t part = run.ring.capacity / TRACE_RING_PARTS / trace_space_threads(&run.space);
        if (part < TRACE_TAIL_LEAST)
            part = TRACE_TAIL_LEAST;
        return trace_buffer_size(part, packed);
    }
    if (run.config.tail) {
        unsigned threads = trace_space_threads(&run.space);
        uint64_t most = trace_tail_bytes(run.space.max, threads) - sizeof(struct trace_tail);
        if (most < size)
            size = trace_buffer_size(most, packed);
    }
    return size;
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
        trace_thread_new(trace_run_buffer(trace_space_wraps(&run.space) ? bytes / 2 : bytes),
                         run.config.packed ? trace_clock_now(&run.clock) : 0);
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
    thread->in_ring = run.ring.map != NULL;
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
    trace_put_ring_head(thread, trace_clock_now(&run.clock));
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
    trace_leave_hook(thread->hot); /* which a handler may have interrupted to end the thread */
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
