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
 * A record is an address: libraries that lie at one address in turn share it.  TRACE_MAX
 * and what bounds event files say nothing here; TRACE_THREADS asks for the name that a
 * thread has at its end.  A process that is killed leaves no summary.
 */
#ifndef CALLSIGHT_TRACE_SUMMARY_H
#define CALLSIGHT_TRACE_SUMMARY_H

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "trace_base.h"
#include "trace_file.h"
#include "trace_thread.h"

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
    struct trace_place *places; /* open addressing; a quarter full at most */
    uint32_t count, capacity;
    unsigned shift; /* 64 - log2 of the number of places */
    bool fresh;     /* a function came up since the loaded objects were looked at */
    bool started;
    uint32_t depth;
    uint64_t beyond; /* open calls beyond the limit */
    uint64_t truncated;
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

TRACE_FN void trace_summary_free(struct trace_summary *summary)
{
    if (!summary)
        return;
    if (summary->records)
        munmap(summary->records, summary->capacity * sizeof *summary->records);
    if (summary->places)
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

/* Doubles the table.  False: no memory, and it stays as it was. */
TRACE_FN TRACE_COLD bool trace_summary_grow(struct trace_summary *summary)
{
    struct trace_summary old = {.records = summary->records,
                                .places = summary->places,
                                .capacity = summary->capacity,
                                .shift = summary->shift};
    uint32_t capacity = old.capacity ? old.capacity * 2 : TRACE_SUMMARY_FIRST;
    unsigned shift = old.capacity ? old.shift - 1 : 64 - 8;
    size_t places = (size_t)1 << (64 - shift);
    struct trace_summary_record *records = trace_summary_map(capacity * sizeof *records);
    struct trace_place *map = trace_summary_map(places * sizeof *map);
    if (!records || !map) {
        if (records)
            munmap(records, capacity * sizeof *records);
        if (map)
            munmap(map, places * sizeof *map);
        return false;
    }
    if (old.records)
        memcpy(records, old.records, summary->count * sizeof *records);
    summary->records = records;
    summary->places = map;
    summary->capacity = capacity;
    summary->shift = shift;
    for (uint32_t i = 0; i < summary->count; i++) {
        struct trace_place *place = trace_summary_find(summary, records[i].func);
        place->func = records[i].func;
        place->record = i;
    }
    if (old.records) {
        munmap(old.records, old.capacity * sizeof *old.records);
        munmap(old.places, trace_summary_places(&old) * sizeof *old.places);
    }
    return true;
}

/* An empty summary; NULL: no memory. */
TRACE_FN struct trace_summary *trace_summary_new(void)
{
    struct trace_summary *summary = trace_summary_map(sizeof *summary);
    if (summary && !trace_summary_grow(summary)) {
        munmap(summary, sizeof *summary);
        return NULL;
    }
    return summary;
}

/* The index of a function's new record. */
TRACE_FN TRACE_COLD uint32_t trace_summary_add(struct trace_summary *summary, uint64_t func)
{
    if (summary->count == summary->capacity && !trace_summary_grow(summary))
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
    record->calls++;
    record->incl += duration;
    record->self += duration - frame->inner;
    if (duration < record->min)
        record->min = duration;
    if (duration > record->max)
        record->max = duration;
    *count += *count != UINT32_MAX;
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

/* The program has landed at `sp`: as trace_opens_cut(). */
TRACE_FN void trace_summary_cut(struct trace_summary *summary, uintptr_t sp, uintptr_t low,
                                uintptr_t high, uint64_t now)
{
    uint32_t depth = summary->depth;
    while (depth && summary->frames[depth - 1].sp >= low && summary->frames[depth - 1].sp < high)
        depth--;
    while (depth && summary->frames[depth - 1].sp < sp)
        depth--;
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
        if (TRACE_UNLIKELY(summary->depth == TRACE_SUMMARY_DEPTH)) {
            summary->beyond++;
            summary->truncated++;
            return;
        }
        const struct trace_place *place = trace_summary_find(summary, func);
        uint32_t record = (uint32_t)place->record;
        if (TRACE_UNLIKELY(!place->func)) {
            record = trace_summary_add(summary, func);
            summary->truncated += record == TRACE_SUMMARY_NONE;
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

/* Writes a thread's summary to a file of its own.  Ends the calls that are open.  Returns
 * 0 or an errno; `*number` is that of the file, 0 for the first of its thread id. */
TRACE_FN int trace_summary_write(struct trace_thread *thread, const struct trace_target *target,
                                 uint32_t *number)
{
    struct trace_summary *summary = thread->summary;
    while (summary->depth)
        trace_summary_close(summary, summary->last);
    int fd;
    for (*number = 0;; ++*number) {
        size_t used =
            (size_t)snprintf(thread->path, sizeof thread->path, "%s/trace.summary.%u.%u",
                             target->dir, (unsigned)target->header.pid, (unsigned)thread->tid);
        if (*number)
            snprintf(thread->path + used, sizeof thread->path - used, ".%u.bin", (unsigned)*number);
        else
            snprintf(thread->path + used, sizeof thread->path - used, ".bin");
        fd = open(thread->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    if (fd < 0)
        return errno;

    struct trace_summary_header header = {.version = TRACE_SUMMARY_VERSION,
                                          .record_size = sizeof *summary->records,
                                          .header_size = sizeof header,
                                          .flags = target->header.flags,
                                          .load_bias = target->header.load_bias,
                                          .tick_hz = target->header.tick_hz,
                                          .t0_ticks = target->header.t0_ticks,
                                          .t0_ns = target->header.t0_ns,
                                          .hook_ns = target->header.hook_ns,
                                          .pid = target->header.pid,
                                          .tid = thread->tid,
                                          .records = 0,
                                          .span = summary->last - summary->first,
                                          .truncated = summary->truncated};
    memcpy(header.magic, TRACE_SUMMARY_MAGIC, TRACE_MAGIC_SIZE);
    struct trace_anchor now = trace_clock_anchor(target->clock);
    if (header.tick_hz && now.ns > header.t0_ns) /* the rate over the whole run */
        header.tick_hz = (uint64_t)((double)(now.ticks - header.t0_ticks) * 1e9 /
                                        (double)(now.ns - header.t0_ns) +
                                    0.5);
    /* A function that was entered and has no call that ended has nothing to tell. */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < summary->count; i++) {
        if (!summary->records[i].calls)
            continue;
        if (kept != i)
            summary->records[kept] = summary->records[i];
        kept++;
    }
    header.records = kept;
    summary->count = 0;
    size_t size = kept * sizeof *summary->records;
    int error = 0;
    if (fchmod(fd, 0600) != 0 || trace_file_write(fd, &header, sizeof header, 0) != sizeof header ||
        trace_file_write(fd, summary->records, size, sizeof header) != size) {
        error = errno;
        unlink(thread->path);
    }
    close(fd);
    if (error == EFBIG)
        trace_file_take_back_sigxfsz();
    return error;
}

#endif
