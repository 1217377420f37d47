/* SPDX-License-Identifier: MIT */
/*
 * stream_tail.h - the buffers of threads that can't empty them any more: what they hold of a
 * tracer that ended, in chunks behind the last one of the ring.
 *
 * A thread's buffer is shared memory, NAME.<tid>, in the layout of a tail file; `offset` is
 * where in the ring it was put, if that was under way.  See trace.h.
 */
#ifndef CALLSIGHT_STREAM_TAIL_H
#define CALLSIGHT_STREAM_TAIL_H

#include <dirent.h>

#include "stream_chunk.h"

#define STREAM_WORD 2u
#define STREAM_RAW_WORDS (STREAM_WORD + TRACE_EVENT_SIZE)

/* What the buffers' headers and a ring's have in common. */
struct stream_tail {
    struct trace_tail head;
    int fd;
    struct stat info;
};

/* Opens a thread's buffer, if that is what has this name, and if it is of this run. */
static bool stream_tail_open(struct stream_tail *tail, const struct stream_ring *ring,
                             const char *behind)
{
    const struct trace_header *header = &tail->head.header;
    tail->fd = stream_shm_own(ring->name, behind, O_RDONLY, &tail->info);
    if (tail->fd < 0)
        return false;
    if (stream_read_at(tail->fd, &tail->head, sizeof tail->head, 0) &&
        memcmp(header->magic, TRACE_MAGIC, sizeof header->magic) == 0 &&
        header->t0_ns == ring->as.t0_ns && header->t0_ticks == ring->as.t0_ticks &&
        (!ring->pid || header->pid == ring->pid))
        return true;
    close(tail->fd);
    return false;
}

/* Whether the ring has what the buffer holds: a thread that is killed between putting it
 * there and beginning anew leaves both. */
static bool stream_tail_is_told(const struct stream_tail *tail, uint64_t head)
{
    return tail->head.offset < head && tail->head.offset + (uint64_t)INT32_MAX > head;
}

/* An anchor of the clock, as a marker: the tracer had no chance to write its last one. */
static bool stream_tail_anchor(const struct stream_tail *tail, struct trace_event *marker)
{
    const struct trace_tail *head = &tail->head;
    memset(marker, 0, sizeof *marker);
    if (!(head->header.flags & TRACE_FLAG_TICKS) || head->anchor_ns <= head->header.t0_ns ||
        head->generation % 2)
        return false;
    marker->ts = head->anchor_ticks;
    marker->func = TRACE_MARK_CLOCK;
    marker->caller = head->anchor_ns;
    marker->kind = TRACE_KIND_MARKER;
    return true;
}

/* The events from byte `from` of a buffer on, behind an anchor.  false: there are none. */
static bool stream_tail_events(const struct stream_tail *tail, struct stream_batch *batch,
                               uint64_t *from)
{
    struct trace_event marker;
    unsigned char *out = batch->raw + STREAM_POSITION;
    uint64_t used = tail->head.used < tail->head.capacity ? tail->head.used : tail->head.capacity;
    size_t room = STREAM_CHUNK_MOST - sizeof marker;
    uint64_t left = used / TRACE_EVENT_SIZE * TRACE_EVENT_SIZE;
    size_t size;
    if (*from >= left)
        return false;
    left -= *from;
    size = left < room ? (size_t)left : room;
    batch->size = 0;
    if (*from == 0 && stream_tail_anchor(tail, &marker)) {
        batch->size = sizeof marker;
        memcpy(out, &marker, sizeof marker);
    }
    if (!stream_read_at(tail->fd, out + batch->size, size, TRACE_TAIL_SIZE + *from))
        return false;
    if (batch->size)
        memcpy(out + offsetof(struct trace_event, tid),
               out + sizeof marker + offsetof(struct trace_event, tid), sizeof marker.tid);
    batch->size += size;
    *from += size;
    return true;
}

/* Bytes of the record that these words begin with, and what it counts for.  0: it isn't
 * whole, or none. */
static size_t stream_words_length(const unsigned char *words, size_t left,
                                  struct trace_block *block)
{
    uint16_t word = 0;
    size_t length;
    bool event = false, raw = false;
    if (left < sizeof word)
        return 0;
    memcpy(&word, words, sizeof word);
    if (word >= TRACE_WORD_LEAST && word <= TRACE_WORD_MOST)
        length = word % 2 ? 2 : 4, event = true;
    else if (word == TRACE_WORD_EXIT)
        length = 8, event = true;
    else if (word == TRACE_WORD_RAW)
        length = STREAM_RAW_WORDS, raw = true;
    else if (word == TRACE_WORD_TIME)
        length = 10;
    else if (word == TRACE_WORD_LATER || word == TRACE_WORD_THREAD)
        length = 6;
    else if (word == TRACE_WORD_FORGET)
        length = 2;
    else
        return 0;
    if (length > left)
        return 0;
    if (raw)
        event = words[STREAM_WORD + offsetof(struct trace_event, kind)] <= TRACE_KIND_EXIT;
    block->records += raw || event;
    block->events += event;
    return length;
}

/* The block that a buffer holds, made whole.  false: there is none. */
static bool stream_tail_block(const struct stream_tail *tail, struct stream_batch *batch)
{
    const uint16_t raw = TRACE_WORD_RAW;
    struct trace_block block;
    struct trace_event marker;
    unsigned char *words = batch->raw + STREAM_POSITION + sizeof block;
    size_t used = 0, last = 0, length;
    uint64_t said = tail->head.used;
    if (said <= sizeof block || said > TRACE_BLOCK_MOST || said > tail->head.capacity ||
        tail->head.capacity > STREAM_CHUNK_MOST - STREAM_RAW_WORDS ||
        !stream_read_at(tail->fd, &block, sizeof block, TRACE_TAIL_SIZE) ||
        memcmp(block.magic, TRACE_BLOCK_MAGIC, sizeof block.magic) != 0 ||
        block.header_size != sizeof block || block.first_site != 1 ||
        block.sites > TRACE_SITES_MOST)
        return false;
    size_t sites = block.sites * sizeof(struct trace_definition);
    if (sites + said > tail->head.capacity || said + sites + STREAM_RAW_WORDS > TRACE_BLOCK_MOST)
        return false;
    block.records = block.events = 0;
    block.check = 0;
    if (stream_tail_anchor(tail, &marker)) {
        marker.tid = block.tid;
        memcpy(words, &raw, sizeof raw);
        memcpy(words + sizeof raw, &marker, sizeof marker);
        used = last = STREAM_RAW_WORDS;
        block.records = 1;
    }
    size_t end = used + (size_t)said - sizeof block;
    if (!stream_read_at(tail->fd, words + used, end - used, TRACE_TAIL_SIZE + sizeof block))
        return false;
    while (used < end && (length = stream_words_length(words + used, end - used, &block)) != 0)
        used += length;
    if (used == last || !stream_read_at(tail->fd, words + used, sites,
                                        TRACE_TAIL_SIZE + tail->head.capacity - sites))
        return false;
    block.bytes = (uint32_t)(sizeof block + used + sites);
    block.check = trace_block_check(&block, words, used, words + used, sites, 0);
    memcpy(batch->raw + STREAM_POSITION, &block, sizeof block);
    batch->size = block.bytes;
    return true;
}

/* What of a thread's buffer is to be sent next, at the ring's end.  false: no more. */
static bool stream_tail_next(struct stream_tail *tail, struct stream_ring *ring,
                             struct stream_batch *batch, uint64_t *from)
{
    bool packed = tail->head.header.version == TRACE_PACKED_VERSION;
    if (packed != ((ring->as.flags & STREAM_RING_PACKED) != 0) ||
        stream_tail_is_told(tail, stream_ring_load(ring->header, &ring->header->head)))
        return false;
    if (packed ? *from != 0 || !stream_tail_block(tail, batch)
               : !stream_tail_events(tail, batch, from))
        return false;
    if (packed)
        *from = 1;
    batch->position = ring->at;
    ring->at += batch->size;
    return true;
}

/* Whether a name in /dev/shm is this ring's and a thread's: `behind` is then what is behind the
 * ring's name. */
static bool stream_tail_is_named(const char *ring, const char *name, const char **behind)
{
    size_t length = strlen(ring);
    if (strncmp(name, ring, length) != 0 || name[length] != '.')
        return false;
    *behind = name + length;
    size_t digits = strspn(name + length + 1, "0123456789");
    return digits > 0 && digits <= 10 && name[length + 1 + digits] == '\0';
}

#endif
