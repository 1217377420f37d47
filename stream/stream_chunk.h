/* SPDX-License-Identifier: MIT */
/*
 * stream_chunk.h - what lies in the ring, cut into the chunks that travel.
 */
#ifndef CALLSIGHT_STREAM_CHUNK_H
#define CALLSIGHT_STREAM_CHUNK_H

#include "stream_base.h"
#include "stream_frame.h"
#include "stream_ring.h"

#if defined __has_include
#if __has_include("trace.h")
#include "trace.h"
#else
#include "../runtime/trace.h"
#endif
#else
#include "trace.h"
#endif

#ifdef TRACE_RING_SIZE
/* What the runtime says of the ring is what is said here. */
_Static_assert(
    sizeof(struct trace_ring_header) == STREAM_RING_HEADER &&
        offsetof(struct trace_ring_header, head) == offsetof(struct stream_ring_header, head) &&
        offsetof(struct trace_ring_header, t0_ns) == offsetof(struct stream_ring_header, t0_ns) &&
        TRACE_FLAG_PACKED == STREAM_RING_PACKED && TRACE_RING_VERSION == STREAM_RING_VERSION,
    "one ring");
#endif

/* Types of chunks. */
#define STREAM_EVENTS 0u
#define STREAM_DROPS 1u
#define STREAM_PROCESS 3u
#define STREAM_PACKED 4u
#define STREAM_PACKED_STORED 5u

#define STREAM_CHUNK_HEAD 12u
#define STREAM_POSITION 8u
#define STREAM_CHUNK_MOST (512u << 10) /* of events; two of the largest blocks */
#define STREAM_CHUNK_ROOM                                                                          \
    (STREAM_CHUNK_HEAD + STREAM_FRAME_BOUND(STREAM_POSITION + STREAM_CHUNK_MOST))

struct stream_chunk {
    unsigned char *bytes; /* as they travel; of STREAM_CHUNK_ROOM */
    size_t size;          /* 0: there is none */
    bool of_ring;         /* tail is at `end` when it has been sent */
    bool is_data;         /* it has a position */
    uint64_t end;
};

struct stream_batch {
    unsigned char *raw; /* the position, then what is copied out of the ring */
    size_t size;        /* of what is copied */
    uint64_t position;
    struct stream_frame frame;
};

/* Makes a chunk of `size` bytes of the batch's buffer from `data` on. */
static void stream_chunk_make(struct stream_chunk *chunk, struct stream_frame *frame, uint32_t type,
                              int level, const unsigned char *data, size_t size)
{
    size_t stored = size;
    if (type == STREAM_PACKED_STORED)
        memcpy(chunk->bytes + STREAM_CHUNK_HEAD, data, size);
    else
        stored = stream_frame_make(frame, level, chunk->bytes + STREAM_CHUNK_HEAD, data, size);
    uint32_t head[3] = {type, (uint32_t)size, (uint32_t)stored};
    memcpy(chunk->bytes, head, sizeof head);
    chunk->size = STREAM_CHUNK_HEAD + stored;
    chunk->of_ring = false;
    chunk->is_data = type != STREAM_DROPS && type != STREAM_PROCESS;
    chunk->end = 0;
}

/* Makes a chunk of what the batch holds, with its position if the protocol has them. */
static void stream_chunk_of_batch(struct stream_chunk *chunk, struct stream_batch *batch,
                                  uint32_t type, int level, uint32_t protocol)
{
    size_t skip = protocol == 2 ? STREAM_POSITION : 0;
    memcpy(batch->raw, &batch->position, sizeof batch->position);
    stream_chunk_make(chunk, &batch->frame, type, level, batch->raw + skip,
                      STREAM_POSITION - skip + batch->size);
}

/* How many bytes of whole blocks these are. */
static size_t stream_whole_blocks(const unsigned char *bytes, size_t size)
{
    size_t whole = 0;
    while (size - whole >= TRACE_BLOCK_SIZE) {
        struct trace_block block;
        memcpy(&block, bytes + whole, sizeof block);
        if (memcmp(block.magic, TRACE_BLOCK_MAGIC, sizeof block.magic) != 0 ||
            block.header_size < TRACE_BLOCK_SIZE || block.bytes < block.header_size ||
            block.bytes > TRACE_BLOCK_MOST || block.bytes % 2 || block.bytes > size - whole)
            break;
        whole += block.bytes;
    }
    return whole;
}

/* Copies a batch out of the ring, of which `used` bytes may be read: whole events, or whole
 * blocks.  What can't be either is passed over: the position of the next chunk tells. */
static void stream_batch_take(struct stream_batch *batch, struct stream_ring *ring, uint64_t used)
{
    bool packed = (ring->as.flags & STREAM_RING_PACKED) != 0;
    size_t most = ring->capacity / 4 / TRACE_EVENT_SIZE * TRACE_EVENT_SIZE;
    if (packed || most > STREAM_CHUNK_MOST)
        most = STREAM_CHUNK_MOST;
    if (most < TRACE_EVENT_SIZE)
        most = TRACE_EVENT_SIZE;
    size_t size = used < most ? (size_t)used : most;
    batch->position = ring->at;
    stream_ring_copy(ring, ring->at, batch->raw + STREAM_POSITION, size);
    batch->size = packed ? stream_whole_blocks(batch->raw + STREAM_POSITION, size)
                         : size / TRACE_EVENT_SIZE * TRACE_EVENT_SIZE;
    ring->at += batch->size ? batch->size : used;
}

#endif
