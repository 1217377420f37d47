/* SPDX-License-Identifier: MIT */
/*
 * trace_summary.h - TRACE_MODE=summary: totals by function instead of events.
 *
 * Every thread has a stack of the calls that are open and a table with a record for
 * each function.  Both belong to it alone; memory and the file that is written at
 * the thread's end grow with the number of functions, not of calls.
 *
 * An exit ends the nearest open call of its function and those above it, which have
 * lost their exits; if there is none, it is ignored.  Calls beyond the depth limit
 * count for nothing but `truncated`, their time is that of the call below.  Calls
 * that are open at the end of the thread end with its last event.
 *
 * The table is a summary file's header and, behind it, the records, so that it can be
 * a file itself (trace_table.h).  A call is in its record with the count in its histogram:
 * whoever reads the table meanwhile may see its times alone, or its count before `calls`.
 */
#ifndef CALLSIGHT_TRACE_SUMMARY_H
#define CALLSIGHT_TRACE_SUMMARY_H

#include <sys/mman.h>

#include "trace_base.h"

#define TRACE_SUMMARY_DEPTH 4096u
#define TRACE_SUMMARY_FIRST 64u /* functions in the first table */
#define TRACE_SUMMARY_NONE UINT32_MAX

struct trace_frame {
    uint64_t func;
    uint64_t begin;
    uint64_t inner;  /* time of the calls that it made */
    uintptr_t sp;    /* the stack pointer that its hook was called with */
    uint32_t record; /* TRACE_SUMMARY_NONE: there was no memory for one */
};

/* Where the record of a function lies. */
struct trace_place {
    uint64_t func; /* 0: free */
    uint64_t record;
};

struct trace_summary {
    struct trace_summary_record *records;
    struct trace_summary_header *header; /* before them */
    struct trace_place *places;          /* open addressing; a quarter full at most */
    uint32_t count, capacity;
    uint32_t settled; /* records whose library is known */
    unsigned changes; /* of the loaded objects that the places are true to */
    unsigned shift;   /* 64 - log2 of the number of places */
    bool fresh;       /* a function came up since the loaded objects were looked at */
    bool started;
    bool plain; /* the table is to be no file */
    uint32_t depth;
    uint64_t beyond;      /* open calls beyond the limit */
    uint64_t serial;      /* unlike that of any other in the process and its parents */
    uintptr_t landed;     /* where the stack frame lies that a landing led to last; 0: none */
    uint64_t first, last; /* times */
    struct trace_frame frames[TRACE_SUMMARY_DEPTH];
};

TRACE_FN void *trace_summary_map(size_t size)
{
    int error = errno; /* a hook may be the caller */
    void *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    errno = error;
    return map == MAP_FAILED ? NULL : map;
}

TRACE_FN size_t trace_summary_places(const struct trace_summary *summary)
{
    return (size_t)1 << (64 - summary->shift);
}

/* Bytes of a table. */
TRACE_FN size_t trace_summary_size(uint32_t capacity)
{
    return sizeof(struct trace_summary_header) + capacity * sizeof(struct trace_summary_record);
}

/* The table lies there now. */
TRACE_FN void trace_summary_use(struct trace_summary *summary, struct trace_summary_header *header)
{
    summary->header = header;
    summary->records = (struct trace_summary_record *)(void *)(header + 1);
}

TRACE_FN void trace_summary_free(struct trace_summary *summary)
{
    if (!summary)
        return;
    munmap(summary->header, trace_summary_size(summary->capacity));
    munmap(summary->places, trace_summary_places(summary) * sizeof *summary->places);
    munmap(summary, sizeof *summary);
}

/* The place of a function, or the free one where it belongs. */
TRACE_INLINE struct trace_place *trace_summary_find(const struct trace_summary *summary,
                                                    uint64_t func)
{
    size_t mask = trace_summary_places(summary) - 1;
    size_t i = (size_t)(func * 0x9e3779b97f4a7c15u >> summary->shift);
    while (summary->places[i].func && summary->places[i].func != func)
        i = (i + 1) & mask;
    return &summary->places[i];
}

/* Doubles the table, which is plain memory or a file that is long enough.  False: no
 * memory, and it stays as it was. */
TRACE_FN bool trace_summary_grow(struct trace_summary *summary)
{
    uint32_t capacity = summary->capacity * 2;
    size_t old_places = trace_summary_places(summary), places = 2 * old_places;
    struct trace_place *old = summary->places, *map = trace_summary_map(places * sizeof *map);
    if (!map)
        return false;
    void *table = mremap(summary->header, trace_summary_size(summary->capacity),
                         trace_summary_size(capacity), MREMAP_MAYMOVE);
    if (table == MAP_FAILED) {
        munmap(map, places * sizeof *map);
        return false;
    }
    trace_summary_use(summary, table);
    summary->capacity = capacity;
    summary->places = map;
    summary->shift--;
    for (size_t i = 0; i < old_places; i++) {
        if (old[i].func)
            *trace_summary_find(summary, old[i].func) = old[i];
    }
    munmap(old, old_places * sizeof *old);
    TRACE_SIGNAL_FENCE(); /* the records are there before the header tells of them */
    summary->header->records = capacity;
    return true;
}

/* An empty summary; NULL: no memory. */
TRACE_FN struct trace_summary *trace_summary_new(void)
{
    struct trace_summary *summary = trace_summary_map(sizeof *summary);
    if (!summary)
        return NULL;
    static unsigned long serials;
    summary->serial = __atomic_add_fetch(&serials, 1, __ATOMIC_RELAXED);
    summary->capacity = TRACE_SUMMARY_FIRST;
    summary->shift = 64 - 8;
    size_t places = trace_summary_places(summary) * sizeof *summary->places;
    void *table = trace_summary_map(trace_summary_size(summary->capacity));
    summary->places = trace_summary_map(places);
    if (!table || !summary->places) {
        if (table)
            munmap(table, trace_summary_size(summary->capacity));
        if (summary->places)
            munmap(summary->places, places);
        munmap(summary, sizeof *summary);
        return NULL;
    }
    trace_summary_use(summary, table);
    summary->header->records = summary->capacity;
    return summary;
}

/* The index of a function's new record.  A table that is full has none: it grows in the
 * slow path, which comes after each new function. */
TRACE_FN TRACE_COLD uint32_t trace_summary_add(struct trace_summary *summary, uint64_t func)
{
    if (summary->count == summary->capacity)
        return TRACE_SUMMARY_NONE;
    struct trace_place *place = trace_summary_find(summary, func);
    struct trace_summary_record *record = &summary->records[summary->count];
    record->func = func;
    record->min = UINT64_MAX;
    place->func = func;
    place->record = summary->count;
    summary->fresh = true;
    return summary->count++;
}

/* The histogram's bucket for a duration: itself below 8, then four an octave. */
TRACE_INLINE unsigned trace_summary_bucket(uint64_t duration)
{
    if (duration < 8)
        return (unsigned)duration;
    unsigned msb = 63u - (unsigned)__builtin_clzll(duration);
    unsigned bucket = (msb - 3) * 4 + (unsigned)(duration >> (msb - 2) & 3) + 8;
    return bucket < TRACE_SUMMARY_BUCKETS ? bucket : TRACE_SUMMARY_BUCKETS - 1;
}

/* The innermost open call ends. */
TRACE_INLINE void trace_summary_close(struct trace_summary *summary, uint64_t now)
{
    struct trace_frame *frame = &summary->frames[--summary->depth];
    uint64_t duration = now - frame->begin;
    if (summary->depth)
        frame[-1].inner += duration;
    if (TRACE_UNLIKELY(frame->record == TRACE_SUMMARY_NONE))
        return;
    struct trace_summary_record *record = &summary->records[frame->record];
    uint32_t *count = &record->hist[trace_summary_bucket(duration)];
    summary->header->span = now - summary->first;
    record->incl += duration;
    record->self += duration - frame->inner;
    if (duration < record->min)
        record->min = duration;
    if (duration > record->max)
        record->max = duration;
    __atomic_store_n(count, *count + (*count != UINT32_MAX), __ATOMIC_RELEASE);
    TRACE_SIGNAL_FENCE();
    record->calls++;
}

/* An exit that is not the innermost call's. */
TRACE_FN TRACE_COLD void trace_summary_exit(struct trace_summary *summary, uint64_t func,
                                            uint64_t now)
{
    uint32_t depth = summary->depth;
    while (depth && summary->frames[depth - 1].func != func)
        depth--;
    while (depth && summary->depth >= depth)
        trace_summary_close(summary, now);
}

/* A function is entered in the stack frame that a landing led to.  If it is open there
 * already, it was inlined there and the landing left it: no debug information is read here, so
 * that ends now.  (Recursion that was inlined is not believed.) */
TRACE_FN TRACE_COLD void trace_summary_again(struct trace_summary *summary, uint64_t func,
                                             uint64_t now)
{
    uint32_t depth = summary->depth;
    while (depth && summary->frames[depth - 1].sp == summary->landed &&
           summary->frames[depth - 1].func != func)
        depth--;
    if (summary->depth && summary->frames[summary->depth - 1].sp != summary->landed)
        summary->landed = 0; /* that one is gone, and another lies there now */
    if (!depth || summary->frames[depth - 1].sp != summary->landed)
        return;
    while (summary->depth >= depth)
        trace_summary_close(summary, now);
}

/* The program has landed at `sp`, or its stack has gone on there: as trace_opens_cut(). */
TRACE_FN void trace_summary_cut(struct trace_summary *summary, uintptr_t sp, uintptr_t low,
                                uintptr_t high, bool landed, uint64_t now)
{
    uint32_t depth = summary->depth;
    while (depth && summary->frames[depth - 1].sp >= low && summary->frames[depth - 1].sp < high)
        depth--;
    while (depth && summary->frames[depth - 1].sp < sp)
        depth--;
    if (landed)
        summary->landed = depth ? summary->frames[depth - 1].sp : 0;
    if (depth == summary->depth)
        return;
    summary->beyond = 0;
    if (now < summary->last)
        now = summary->last;
    summary->last = now;
    while (summary->depth > depth)
        trace_summary_close(summary, now);
}

/* Takes an enter or exit. */
TRACE_INLINE void trace_summary_take(struct trace_summary *summary, uint64_t func, uintptr_t sp,
                                     unsigned kind, uint64_t now)
{
    if (TRACE_UNLIKELY(now < summary->last))
        now = summary->last; /* a handler's calls come behind what they interrupted */
    summary->last = now;
    if (TRACE_UNLIKELY(!summary->started)) {
        summary->started = true;
        summary->first = now;
    }
    if (kind == TRACE_KIND_ENTER) {
        if (TRACE_UNLIKELY(sp == summary->landed))
            trace_summary_again(summary, func, now);
        if (TRACE_UNLIKELY(summary->depth == TRACE_SUMMARY_DEPTH)) {
            summary->beyond++;
            summary->header->truncated++;
            return;
        }
        const struct trace_place *place = trace_summary_find(summary, func);
        uint32_t record = (uint32_t)place->record;
        if (TRACE_UNLIKELY(!place->func)) {
            record = trace_summary_add(summary, func);
            summary->header->truncated += record == TRACE_SUMMARY_NONE;
        }
        struct trace_frame *frame = &summary->frames[summary->depth++];
        frame->func = func;
        frame->begin = now;
        frame->inner = 0;
        frame->sp = sp;
        frame->record = record;
    } else if (TRACE_UNLIKELY(summary->beyond)) {
        summary->beyond--;
    } else if (TRACE_LIKELY(summary->depth && summary->frames[summary->depth - 1].func == func)) {
        trace_summary_close(summary, now);
    } else {
        trace_summary_exit(summary, func, now);
    }
}

/* Adds a record, which goes, to another of the same function, and makes the open calls of
 * the first those of the second. */
TRACE_FN void trace_summary_merge(struct trace_summary *summary, uint32_t from, uint32_t to)
{
    struct trace_summary_record *gone = &summary->records[from], *stays = &summary->records[to];
    struct trace_summary_record copy = *gone;
    memset(gone, 0, sizeof *gone);
    stays->incl += copy.incl;
    stays->self += copy.self;
    if (copy.min < stays->min)
        stays->min = copy.min;
    if (copy.max > stays->max)
        stays->max = copy.max;
    for (unsigned i = 0; i < TRACE_SUMMARY_BUCKETS; i++)
        stays->hist[i] +=
            copy.hist[i] < UINT32_MAX - stays->hist[i] ? copy.hist[i] : UINT32_MAX - stays->hist[i];
    stays->calls += copy.calls;
    for (uint32_t i = 0; i < summary->depth; i++) {
        if (summary->frames[i].record == from)
            summary->frames[i].record = to;
    }
}

/* Moves a record to a free place before it, with its open calls. */
TRACE_FN void trace_summary_move(struct trace_summary *summary, uint32_t from, uint32_t to)
{
    struct trace_summary_record *record = &summary->records[from];
    struct trace_summary_record copy = *record;
    memset(record, 0, sizeof *record);
    summary->records[to] = copy;
    for (uint32_t i = 0; i < summary->depth; i++) {
        if (summary->frames[i].record == from)
            summary->frames[i].record = to;
    }
}

/* The thread's calls end with its last event. */
TRACE_FN void trace_summary_close_all(struct trace_summary *summary)
{
    while (summary->depth)
        trace_summary_close(summary, summary->last);
    summary->header->span = summary->last - summary->first;
}

#endif
