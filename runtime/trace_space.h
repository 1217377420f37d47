/* SPDX-License-Identifier: MIT */
/*
 * trace_space.h - how much of the disk a process's capture may take.
 *
 * The event files of a process, headers and markers included, stay within
 * TRACE_MAX_MB; a file counts as 4 KiB at least, which is what it takes of a disk.
 * Bytes are charged when a buffer is flushed, never for an event.
 *
 * TRACE_FULL=stop: whoever finds the budget used up writes what still fits and a
 * marker 1; the capture ends.  Room for that marker and for the closing anchor is
 * charged when a file is created, so that neither ever goes beyond the budget.
 *
 * TRACE_FULL=wrap: a segment is charged whole when it is begun, and older ones are
 * discarded until it fits: first those of threads that have ended, oldest first,
 * then the thread's own.  A thread that has none to discard goes on all the same:
 * the budget is exceeded by one segment for each running thread at most.  Segments
 * are an eighth of a thread's share of the budget, 64 KiB at least, so that as a
 * rule there is one to discard.
 *
 * What was discarded is told at the head of the segment that took its place, by
 * markers that keep the sums right whatever is discarded later:
 *
 *   - a discarded segment is told of by one marker 5, whose payload is the number of
 *     its enters and exits;
 *   - what a discarded segment itself told of is told again: by as many markers 5,
 *     the first with the sum of their payloads, the others with 0;
 *   - where that would fill more than a sixteenth of the segment, the markers 5 that
 *     have no room are left out, their payloads are added to the first one told
 *     again, and a marker 265 tells how many were left out.
 *
 * So of a process's surviving files the number of markers 5 plus the payloads of
 * markers 265 is the number of discarded segments, and the payloads of markers 5 add
 * up to the events lost with them.
 */
#ifndef CALLSIGHT_TRACE_SPACE_H
#define CALLSIGHT_TRACE_SPACE_H

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "trace_base.h"

#define TRACE_FILE_LEAST 4096u /* bytes that a file counts for at least */
/* Of each file, for the marker of an ending and the closing anchor; where events are packed,
 * each is a block. */
#define TRACE_END_RESERVE (2u * TRACE_EVENT_SIZE)
#define TRACE_PACKED_END_RESERVE (2u * (TRACE_BLOCK_SIZE + 2u + TRACE_EVENT_SIZE))
#define TRACE_WRAP_PARTS 8u
#define TRACE_WRAP_LEAST_SEGMENT ((uint64_t)64 << 10)
/* How much is written before the file system is asked again what is free. */
#define TRACE_FREE_INTERVAL ((uint64_t)4 << 20)

TRACE_FN uint64_t trace_end_reserve(bool packed)
{
    return packed ? TRACE_PACKED_END_RESERVE : TRACE_END_RESERVE;
}

/* A segment that takes no more, for as long as it may be discarded. */
struct trace_segment {
    struct trace_segment *next;
    dev_t device;
    ino_t inode;
    uint32_t tid, seq;
    uint64_t bytes; /* charged */
    uint64_t events;
    uint64_t told_segments, told_events; /* by its markers 5 and 265 */
};

/* Oldest first. */
struct trace_segments {
    struct trace_segment *first, *last;
};

/* Why a capture ended: the marker that says it and its payload.  Code 0: it did not. */
struct trace_ending {
    uint64_t code, payload;
};

struct trace_space {
    pthread_mutex_t lock;
    uint64_t max;      /* bytes; 0: no bound */
    uint64_t min_free; /* bytes; 0: nobody asks */
    bool wrap;
    uint64_t used;                  /* charged */
    uint64_t unasked;               /* bytes written since the file system was asked */
    unsigned threads;               /* that have a buffer */
    struct trace_segments finished; /* of threads that have ended */
    struct trace_segments untold;   /* discarded, and to be told of in the next segment */
    struct trace_segment *spare;    /* unused places */
    uint32_t next_seq;              /* above all numbers that were discarded */
    bool rotated;
    struct trace_ending lack;   /* of free space, that ends the capture */
    struct trace_ending ending; /* the first one that was told */
};

/* Begins a process's account.  A file for the closing anchor is paid for. */
TRACE_FN void trace_space_begin(struct trace_space *space)
{
    space->used = TRACE_FILE_LEAST;
    space->unasked = TRACE_FREE_INTERVAL;
    space->threads = 0;
    space->next_seq = 0;
    space->rotated = false;
    memset(&space->lack, 0, sizeof space->lack);
    memset(&space->ending, 0, sizeof space->ending);
}

/* Whether segments are discarded, ever. */
TRACE_FN bool trace_space_wraps(const struct trace_space *space)
{
    return space->wrap && space->max;
}

/* Charges up to `want` bytes; nothing where `least` are not left.  Returns how many. */
TRACE_FN uint64_t trace_space_take(struct trace_space *space, uint64_t want, uint64_t least)
{
    pthread_mutex_lock(&space->lock);
    uint64_t left = space->max > space->used ? space->max - space->used : 0;
    if (space->max == 0 || want < left)
        left = want;
    if (left < least)
        left = 0;
    space->used += left;
    pthread_mutex_unlock(&space->lock);
    return left;
}

TRACE_FN void trace_space_give(struct trace_space *space, uint64_t bytes)
{
    pthread_mutex_lock(&space->lock);
    space->used -= bytes;
    pthread_mutex_unlock(&space->lock);
}

/* How many threads have a buffer. */
TRACE_FN unsigned trace_space_threads(struct trace_space *space)
{
    pthread_mutex_lock(&space->lock);
    unsigned threads = space->threads;
    pthread_mutex_unlock(&space->lock);
    return threads;
}

/* Whether anything was discarded. */
TRACE_FN bool trace_space_rotated(struct trace_space *space)
{
    pthread_mutex_lock(&space->lock);
    bool rotated = space->rotated;
    pthread_mutex_unlock(&space->lock);
    return rotated;
}

/* How large a segment may be that is begun now. */
TRACE_FN uint64_t trace_space_segment_bytes(struct trace_space *space, uint64_t configured)
{
    if (!trace_space_wraps(space))
        return configured;
    unsigned threads = trace_space_threads(space);
    uint64_t share = space->max / TRACE_WRAP_PARTS / (threads ? threads : 1);
    if (share < TRACE_WRAP_LEAST_SEGMENT)
        share = TRACE_WRAP_LEAST_SEGMENT;
    return share < configured ? share : configured;
}

/* The capture ends.  Returns whether this is its first ending. */
TRACE_FN bool trace_space_end(struct trace_space *space, struct trace_ending ending)
{
    pthread_mutex_lock(&space->lock);
    bool first = space->ending.code == 0;
    if (first)
        space->ending = ending;
    pthread_mutex_unlock(&space->lock);
    return first;
}

TRACE_FN struct trace_ending trace_space_ending(struct trace_space *space)
{
    pthread_mutex_lock(&space->lock);
    struct trace_ending ending = space->ending;
    pthread_mutex_unlock(&space->lock);
    return ending;
}

/* Before `size` bytes are written to `folder`: code 2 if it has less free than the floor.
 * Where `first` is given the capture ends with that: all who ask later hear the same number,
 * and `*first` says who found it.  Without it, whoever comes next asks anew. */
TRACE_FN struct trace_ending trace_space_check_free(struct trace_space *space, const char *folder,
                                                    uint64_t size, bool *first)
{
    if (first)
        *first = false;
    if (space->min_free == 0)
        return (struct trace_ending){0, 0};
    /* Nobody writes on while somebody asks: the lock is held. */
    pthread_mutex_lock(&space->lock);
    struct trace_ending found = space->lack;
    struct statvfs info;
    if (found.code == 0 && space->unasked < TRACE_FREE_INTERVAL) {
        space->unasked += size;
    } else if (found.code == 0) {
        space->unasked = size;
        if (statvfs(folder, &info) == 0 &&
            (uint64_t)info.f_bavail * info.f_frsize < space->min_free) {
            found.code = TRACE_MARK_NOSPACE;
            found.payload = (uint64_t)info.f_bavail * info.f_frsize;
            space->unasked = TRACE_FREE_INTERVAL;
            if (first) {
                space->lack = found;
                *first = true;
            }
        }
    }
    pthread_mutex_unlock(&space->lock);
    return found;
}

/* --- segments that may be discarded ------------------------------------------ */

TRACE_FN void trace_segments_add(struct trace_segments *list, struct trace_segment *segment)
{
    segment->next = NULL;
    if (list->last)
        list->last->next = segment;
    else
        list->first = segment;
    list->last = segment;
}

TRACE_FN struct trace_segment *trace_segments_take(struct trace_segments *list)
{
    struct trace_segment *segment = list->first;
    if (segment) {
        list->first = segment->next;
        if (!list->first)
            list->last = NULL;
    }
    return segment;
}

/* Puts all of `from` behind `list`. */
TRACE_FN void trace_segments_move(struct trace_segments *list, struct trace_segments *from)
{
    if (!from->first)
        return;
    if (list->last)
        list->last->next = from->first;
    else
        list->first = from->first;
    list->last = from->last;
    from->first = from->last = NULL;
}

/* A place for one more; the lock is held.  NULL: no memory, and the segment stays. */
TRACE_FN struct trace_segment *trace_segment_new(struct trace_space *space)
{
    if (!space->spare) {
        size_t size = 65536, count = size / sizeof *space->spare;
        void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return NULL;
        struct trace_segment *segments = memory;
        for (size_t i = 0; i < count; i++) {
            segments[i].next = space->spare;
            space->spare = &segments[i];
        }
    }
    struct trace_segment *segment = space->spare;
    space->spare = segment->next;
    return segment;
}

/* Gives the places in a list back; the lock is held. */
TRACE_FN void trace_segments_free(struct trace_space *space, struct trace_segments *list)
{
    struct trace_segment *segment;
    while ((segment = trace_segments_take(list))) {
        segment->next = space->spare;
        space->spare = segment;
    }
}

/* Charges `bytes` under wrap and takes as many segments off the lists as that asks
 * for: they are the caller's now, to be removed and told of. */
TRACE_FN void trace_space_make_room(struct trace_space *space, struct trace_segments *own,
                                    uint64_t bytes, struct trace_segments *discarded)
{
    pthread_mutex_lock(&space->lock);
    space->used += bytes;
    while (space->used > space->max) {
        struct trace_segment *segment = trace_segments_take(&space->finished);
        if (!segment)
            segment = trace_segments_take(own);
        if (!segment)
            break;
        space->used -= segment->bytes;
        if (segment->seq >= space->next_seq)
            space->next_seq = segment->seq + 1;
        space->rotated = true;
        trace_segments_add(discarded, segment);
    }
    pthread_mutex_unlock(&space->lock);
}

#endif
