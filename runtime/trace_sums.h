/* SPDX-License-Identifier: MIT */
/*
 * trace_sums.h - a thread's summary in the slow path: its table's file, the libraries of its
 * functions, its end.
 *
 * All of this runs with signals blocked and the thread's lock held, but for
 * trace_table_tell_all().
 */
#ifndef CALLSIGHT_TRACE_SUMS_H
#define CALLSIGHT_TRACE_SUMS_H

#include "trace_state.h"
#include "trace_summary.h"
#include "trace_table.h"

/* --- stacks ------------------------------------------------------------------------------- */

/* The open calls that were kept with a stack become the running ones.  Their records may lie
 * elsewhere by now. */
TRACE_FN void trace_sums_load(struct trace_summary *summary, struct trace_context *context)
{
    context->sums = 0;
    summary->depth = context->depth;
    summary->beyond = context->beyond;
    if (summary->depth)
        memcpy(summary->frames, context->frames, summary->depth * sizeof *summary->frames);
    for (uint32_t i = 0; i < summary->depth; i++) {
        const struct trace_place *place = trace_summary_find(summary, summary->frames[i].func);
        summary->frames[i].record = place->func ? (uint32_t)place->record : TRACE_SUMMARY_NONE;
    }
}

/* Ends the calls on a stack that the thread has left, at a time, or when it left it. */
TRACE_FN void trace_sums_close(struct trace_summary *summary, struct trace_context *context,
                               uint64_t now)
{
    trace_sums_load(summary, context);
    if (summary->depth && now > context->left)
        summary->frames[summary->depth - 1].inner += now - context->left;
    while (summary->depth)
        trace_summary_close(summary, now);
    summary->beyond = 0;
}

/* Ends the thread's calls on stacks that are no more. */
TRACE_FN void trace_sums_settle(struct trace_thread *thread)
{
#ifdef TRACE_HAVE_JUMPS
    struct trace_contexts *contexts = &run.contexts;
    if (!__atomic_load_n(&contexts->kept, __ATOMIC_ACQUIRE))
        return;
    pthread_mutex_lock(&contexts->lock);
    for (struct trace_context **link = &contexts->kept, *context; (context = *link);) {
        if (context->sums != thread->summary->serial) {
            link = &context->next;
            continue;
        }
        *link = context->next;
        trace_sums_close(thread->summary, context, context->left);
        trace_context_drop(contexts, context);
    }
    pthread_mutex_unlock(&contexts->lock);
#else
    (void)thread;
#endif
}

#ifdef TRACE_HAVE_JUMPS
/* The thread leaves a stack at a time: its open calls are kept with it. */
TRACE_FN void trace_sums_leave(struct trace_thread *thread, struct trace_context *context,
                               uint64_t now)
{
    struct trace_summary *summary = thread->summary;
    size_t size = summary->depth * sizeof *summary->frames;
    if (context->id == 0)
        thread->left = context;
    if (size > context->frames_size) {
        size_t larger = (2 * size + 4095) & ~(size_t)4095;
        void *memory = trace_summary_map(larger);
        if (!memory) { /* these calls end unseen */
            summary->header->truncated += summary->depth;
            summary->depth = 0;
        } else {
            if (context->frames)
                munmap(context->frames, context->frames_size);
            context->frames = memory;
            context->frames_size = larger;
        }
    }
    if (summary->depth)
        memcpy(context->frames, summary->frames, summary->depth * sizeof *summary->frames);
    context->sums = summary->depth || summary->beyond ? summary->serial : 0;
    context->depth = summary->depth;
    context->beyond = summary->beyond;
    context->left = now > summary->last ? now : summary->last;
    summary->depth = 0;
    summary->beyond = 0;
    summary->landed = 0;
    trace_sums_settle(thread);
}

/* The thread goes on on a stack.  The time away is that of none of its calls, but lies within
 * them.  Calls that another thread had open there are left to that one. */
TRACE_FN void trace_sums_enter(struct trace_thread *thread, struct trace_context *context,
                               uint64_t now)
{
    struct trace_summary *summary = thread->summary;
    if (context->sums && context->sums != summary->serial) {
        pthread_mutex_lock(&run.contexts.lock);
        trace_context_keep(&run.contexts, context);
        pthread_mutex_unlock(&run.contexts.lock);
    }
    if (!context->sums)
        return;
    trace_sums_load(summary, context);
    if (summary->depth && now > context->left)
        summary->frames[summary->depth - 1].inner += now - context->left;
}
#endif

/* Ends all calls of the thread with its last event, also those on stacks that it has left. */
TRACE_FN void trace_sums_close_all(struct trace_thread *thread)
{
    struct trace_summary *summary = thread->summary;
    trace_summary_close_all(summary);
    summary->beyond = 0;
    if (thread->left && thread->left->sums == summary->serial)
        trace_sums_close(summary, thread->left, summary->last);
    trace_sums_settle(thread);
    pthread_mutex_lock(&run.contexts.lock);
    for (size_t i = 0; i < run.contexts.n_stacks; i++) {
        if (run.contexts.stacks[i]->sums == summary->serial)
            trace_sums_close(summary, run.contexts.stacks[i], summary->last);
    }
    pthread_mutex_unlock(&run.contexts.lock);
}

/* --- the table --------------------------------------------------------------------------- */

/* Makes the thread's table a file, if there can be one. */
TRACE_FN void trace_table_begin(struct trace_thread *thread)
{
    uint64_t bytes = trace_summary_size(thread->summary->capacity);
    uint32_t number;
    if (!run.config.tail || thread->tail_path[0] || thread->summary->plain ||
        trace_space_check_free(&run.space, run.config.dir, bytes, NULL).code)
        return; /* the end will tell */
    int error = EDQUOT;
    if (trace_space_take(&run.space, bytes, bytes)) {
        error = trace_table_open(thread, run.config.dir, &number);
        if (error)
            trace_space_give(&run.space, bytes);
    }
    if (error == EFBIG)
        trace_take_back_sigxfsz();
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
    int error = ENOSPC;
    if (!trace_space_check_free(&run.space, run.config.dir, bytes, NULL).code) {
        error = EDQUOT;
        bytes = trace_space_take(&run.space, bytes, bytes);
        if (bytes && (error = trace_table_extend(thread)))
            trace_space_give(&run.space, bytes);
    }
    if (error == EFBIG)
        trace_take_back_sigxfsz();
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

/* Gives the records of functions that came up the addresses that they have in files.  Of a
 * library that came back they join those from before. */
TRACE_FN void trace_table_name_new(struct trace_summary *summary,
                                   const struct trace_modules *modules)
{
    uint32_t kept = summary->settled;
    for (uint32_t i = kept; i < summary->count; i++) {
        struct trace_summary_record *record = &summary->records[i];
        const struct trace_module *module = trace_modules_find(modules, record->func, false);
        uint64_t func = record->func + (module ? module->aside : 0);
        uint32_t same = 0;
        while (module && module->again && same < kept && summary->records[same].func != func)
            same++;
        if (module && module->again && same < kept) {
            trace_summary_merge(summary, i, same);
            continue;
        }
        record->func = func;
        if (kept != i)
            trace_summary_move(summary, i, kept);
        kept++;
    }
    summary->count = summary->settled = kept;
}

/* Makes the places those of functions whose library is there. */
TRACE_FN void trace_table_place_all(struct trace_summary *summary,
                                    const struct trace_modules *modules)
{
    memset(summary->places, 0, trace_summary_places(summary) * sizeof *summary->places);
    for (uint32_t i = 0; i < summary->count; i++) {
        uint64_t func = summary->records[i].func;
        const struct trace_module *module = trace_modules_find(modules, func, true);
        if (module && !module->seen)
            continue;
        struct trace_place *place =
            trace_summary_find(summary, func - (module ? module->aside : 0));
        place->func = func - (module ? module->aside : 0);
        place->record = i;
    }
}

/* Makes the table true to the loaded objects.  False: they can't be asked now. */
TRACE_FN bool trace_table_settle(struct trace_summary *summary, bool patient)
{
    struct trace_modules *modules = &run.process.modules;
    if (!trace_modules_check(&run.process, patient || modules->by_maps) ||
        !trace_modules_lock(modules, patient))
        return false;
    uint32_t count = summary->count;
    if (!modules->broken) {
        trace_table_name_new(summary, modules);
        if (summary->changes != modules->changes || summary->count != count)
            trace_table_place_all(summary, modules);
    }
    summary->changes = modules->changes;
    pthread_mutex_unlock(&modules->lock);
    return true;
}

/* If a function came up, or the loaded objects changed: makes the table, and what it tells
 * of the thread, true again. */
TRACE_FN void trace_table_look(struct trace_thread *thread)
{
    struct trace_summary *summary = thread->summary;
    unsigned changes = __atomic_load_n(&run.process.modules.changes, __ATOMIC_ACQUIRE);
    if (!summary->fresh && summary->changes == changes)
        return;
    summary->fresh = !trace_table_settle(summary, false);
    if (trace_look_at_name(thread))
        trace_table_begin(thread);
    else
        trace_table_end(thread);
    trace_table_rate(summary->header, &run.clock);
}

/* Sends every thread the slow way where the loaded objects changed since the last time.  A
 * thread whose lock is taken is there, and comes here itself. */
TRACE_FN void trace_table_tell_all(void)
{
    unsigned changes = __atomic_load_n(&run.process.modules.changes, __ATOMIC_ACQUIRE);
    if (!run.config.summary || __atomic_load_n(&run.told_changes, __ATOMIC_RELAXED) == changes ||
        pthread_mutex_trylock(&run.threads_lock) != 0)
        return;
    bool all = true;
    for (struct trace_thread *thread = run.threads; thread; thread = thread->next) {
        if (pthread_mutex_trylock(&thread->lock) == 0) {
            __atomic_store_n(&thread->hot->limit, NULL, __ATOMIC_RELAXED);
            pthread_mutex_unlock(&thread->lock);
        } else {
            all = false;
        }
    }
    if (all)
        __atomic_store_n(&run.told_changes, changes, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&run.threads_lock);
}

/* Makes room for one function more than the events that wait in the side buffer bring. */
TRACE_FN void trace_table_room_for(struct trace_thread *thread, uint32_t events)
{
    uint32_t more = 1;
    for (uint32_t i = 0; i < events; i++)
        more += thread->side[i].event.kind == TRACE_KIND_ENTER &&
                !trace_summary_find(thread->summary, thread->side[i].event.func)->func;
    trace_table_room(thread, more);
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
    trace_table_settle(thread->summary, true);
    trace_sums_close_all(thread);
    if (!thread->summary->count || !trace_look_at_name(thread)) {
        trace_table_end(thread);
        return;
    }
    __atomic_store_n(&thread->mode, TRACE_STOPPED, __ATOMIC_RELAXED); /* it may run still */
    uint32_t number = thread->first_seq;
    struct trace_ending ending = trace_summary_save(thread, &number);
    if (ending.code)
        thread->tail_path[0] = '\0'; /* what the table holds is not lost */
    if (trace_file_will_pass(ending))
        trace_lost(thread);
    else if (ending.code) {
        trace_tell_ending(ending);
        trace_process_mark(&run.process, thread->tid, ending.code, ending.payload);
    }
    if (!ending.code && (!thread->begun || number != thread->first_seq))
        trace_process_thread(&run.process, thread->tid, number, thread->name);
    uint32_t skipped = thread->hot->skipped + (thread == tls.self ? tls.skipped : 0);
    if (skipped)
        trace_process_mark(&run.process, thread->tid, TRACE_MARK_SKIPPED, skipped);
    thread->hot->skipped = 0;
    tls.skipped = thread == tls.self ? 0 : tls.skipped;
}

#endif
